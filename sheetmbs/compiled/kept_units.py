"""Units that were kept: what kernels became under the same sources, compiler and machine, for the next build."""

from __future__ import annotations

import os
import platform
from contextlib import suppress
from importlib.metadata import version
from pathlib import Path

from sheetmbs.compiled import folders, sources
from sheetmbs.compiled.files import CompiledKernel, Damaged, read_unit, unit_file
from sheetmbs.compiled.processor import system
from sheetmbs.files.private_files import read_private, who_else_writes


def compiles_with() -> str:
    """All beyond the sources that shapes code that is compiled now."""
    return " ".join((platform.python_version(), *map(version, ("numba", "llvmlite", "numpy")), system()))


def kept_unit(path: Path) -> CompiledKernel | None:
    """A unit that was kept; None where there is none, no longer what it was, or one that somebody else may have written."""
    try:
        if who_else_writes(path.parent):
            return None
        content = read_private(path)
        os.utime(path)
        return read_unit(content)
    except (OSError, Damaged):
        return None


def keep_unit(path: Path | None, unit: CompiledKernel) -> None:
    """Keep a unit at its place; without one, or where that cannot be written, it is compiled again next time."""
    if path is not None:
        with suppress(OSError):
            folders.write(path, unit_file(unit))


def place_of(module: str, symbol: str) -> Path | None:
    """Where a unit of a kernel in a module is kept, None if nowhere."""
    folder = folders.cache_folder()
    if folder is None:
        return None
    digest = sources.digest_of(sources.needed_by(module), symbol, compiles_with(), sources.layouts())
    return folder / "objects" / digest[:32]
