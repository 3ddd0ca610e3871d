"""Units that were kept: what kernels became under the same sources, compiler and machine, for the next build."""

from __future__ import annotations

import os
import pickle
import platform
from importlib.metadata import version
from pathlib import Path

from sheetmbs.compiled import folders, sources
from sheetmbs.compiled.files import CompiledKernel, Damaged, opened, sealed
from sheetmbs.compiled.processor import system


def compiles_with() -> str:
    """All beyond the sources that shapes code that is compiled now."""
    return " ".join((platform.python_version(), *map(version, ("numba", "llvmlite", "numpy")), system()))


def read_unit(path: Path) -> CompiledKernel | None:
    """A unit that was kept; None where there is none, or no longer what it was."""
    try:
        content = path.read_bytes()
        os.utime(path)
        return pickle.loads(opened(content))  # type: ignore[no-any-return]  # noqa: S301 - what we have written
    except (OSError, Damaged):
        return None


def unit_file(unit: CompiledKernel) -> bytes:
    """A unit as a file."""
    return sealed(pickle.dumps(unit))


def place_of(module: str, symbol: str) -> Path | None:
    """Where a unit of a kernel in a module is kept, None if nowhere."""
    folder = folders.cache_folder()
    if folder is None:
        return None
    digest = sources.digest_of(sources.needed_by(module), symbol, compiles_with())
    return folder / "objects" / digest[:32]
