"""The library of all kernels in a process that runs them: found, checked, loaded, and called.

It came with the package, or was built after an edit into the user's cache folder; where that can be neither read nor
written, it is built for this process alone. What is loaded stays until the process ends.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import cache
from hashlib import sha256
from importlib.util import find_spec
from pathlib import Path
from threading import RLock
from time import perf_counter
from typing import TYPE_CHECKING, Any

from sheetmbs.compiled import folders, sources
from sheetmbs.compiled.files import (
    LIBRARY,
    BuildError,
    Damaged,
    LibraryFiles,
    check_code,
    is_of_another_version,
    objects_in,
    read_table,
)
from sheetmbs.compiled.kernel import IS_PYTHON, find_code_by
from sheetmbs.compiled.kinds import Kind, Scalar, Several, kind_of
from sheetmbs.compiled.native import Addresses, Native, SharedLibrary
from sheetmbs.compiled.processor import system
from sheetmbs.files.private_files import NotPrivate, read_private

if TYPE_CHECKING:
    from sheetmbs.compiled.kernel import Kernel

CHANGED = "The solver is compiled once for these sources, which takes up to a minute."
UNWRITABLE = "No machine code can be kept in {} ({}): this run goes on without."
DAMAGED = "The machine code in {} is damaged ({}): it is built again."
NO_COMPILER = (
    "the solver that came with sheetmbs is for other sources or another kind of machine, and numba, which compiles it, is"
    ' missing: `pip install "sheetmbs[build]"`, or install sheetmbs again'
)
NOT_TRUSTED = "The machine code in {} is not used ({}): it is built again."

_LOCK = RLock()
_found: dict[tuple[str, tuple[str, ...]], Native] = {}
_builds: list[tuple[float, float]] = []
"""when each build of this process began, as `time.perf_counter()` counts, and how many seconds it took"""


def tell_of_building(tell: Callable[[str], None]) -> None:
    """Call ``tell`` with a sentence where the library must be built, cannot be kept, or cannot be trusted."""
    folders.tell_by(tell)


def load() -> None:
    """Load the library, or build it where none fits the sources; neither where kernels run as Python. Raises BuildError."""
    with _LOCK:
        if not IS_PYTHON:
            _the_library()


def compile_seconds(since: float) -> float:
    """Seconds that this process has waited for kernels to be compiled since then; loading kept code does not count.

    since: what `time.perf_counter()` said.
    """
    return sum(seconds for began, seconds in _builds if began >= since)


def find(kernel: Kernel, takes: tuple[Kind, ...]) -> Native:
    """The code of a kernel for arguments of these kinds. Raises BuildError."""
    key = kernel.name, tuple(kind.text for kind in takes)
    with _LOCK:
        if key not in _found:
            _found[key] = _the_library().native(*key, takes) or _demanded(kernel, takes)
    return _found[key]


def find_for_call(kernel: Kernel, takes: tuple[Kind, ...] | None, arguments: tuple[Any, ...]) -> Native:
    """The code of a kernel for a call from Python. Raises BuildError.

    takes: of an entry point; None where the kinds of the arguments count.
    """
    kinds = tuple(map(kind_of, arguments)) if takes is None else takes
    if None in kinds:
        found = ", ".join(type(argument).__name__ for argument in arguments)
        raise TypeError(f"{kernel.name} cannot be called from Python with ({found})")
    return find(kernel, kinds)  # type: ignore[arg-type]


def _demanded(kernel: Kernel, takes: tuple[Kind, ...]) -> Native:
    """Code that the library has not: of tests' own kernels, and of some that tests call directly."""
    from sheetmbs.compiled import demand

    unit, address = demand.compiled(kernel, takes, _the_library().addresses)
    return Native(kernel.name, address, takes, gives(unit.gives))


@cache
def _the_library() -> Library:
    """The library, built where none fits. Raises BuildError."""
    found = _read(LIBRARY)
    if found is not None:
        return found
    folder = folders.cache_folder()
    if folder is None:
        return _built(None)
    found = _kept(folder)
    if found is not None:
        return found
    with folders.one_at_a_time(folder):
        return _kept(folder) or _built(folder)  # another process may have built it meanwhile


def _kept(folder: Path) -> Library | None:
    """The latest of the libraries in a folder that fits."""
    fitting = (_read(path) for path in sorted(folder.glob("*.kernels"), key=_age))
    return next((found for found in fitting if found is not None), None)


def _age(path: Path) -> float:
    try:
        return -path.stat().st_mtime
    except OSError:
        return 0.0


def _read(table: Path) -> Library | None:
    """A library, if it fits these sources and this machine.

    One that is damaged, or that others may have written, is not loaded, and a sentence says so. That of the package stands
    among its sources, and is trusted as they are.
    """
    read = Path.read_bytes if table == LIBRARY else read_private
    path = table
    try:
        content = read(table)
        if is_of_another_version(content):
            return None
        head = read_table(content)
        if head["system"] != system() or head["digest"] != sources.digest_of(head["files"]):
            return None
        path = table.with_suffix(head["code"]["suffix"])
        code = read(path)
        check_code(head, code)
        addresses = _loaded(head, code, path)
    except FileNotFoundError:
        return None
    except NotPrivate as error:
        folders.say(NOT_TRUSTED.format(path, error))
        return None
    except (OSError, Damaged) as error:
        folders.say(DAMAGED.format(path, error))
        return None
    if table != LIBRARY:
        for each in (path, table):
            with suppress(OSError):
                os.utime(each)
    return Library(head["table"], addresses)


def _loaded(head: Mapping[str, Any], code: bytes, path: Path) -> Addresses:
    """Load machine code that has been checked. Raises OSError."""
    if head["code"]["sizes"] is None:
        return SharedLibrary(path, (symbol for each in head["table"].values() for _takes, _gives, symbol in each))
    from sheetmbs.compiled.loader import LoadedObjects

    return LoadedObjects(objects_in(head, code))


def _built(folder: Path | None) -> Library:
    """Build the library in another process, and keep it in a folder. Raises BuildError."""
    if find_spec("numba") is None:
        raise BuildError(NO_COMPILER)
    began = perf_counter()
    folders.say(CHANGED)
    path = os.pathsep.join([str(sources.PACKAGE.parent), *filter(None, sys.path)])
    # Windows removes no library that is loaded
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as temporary:
        table = Path(temporary) / "built.kernels"
        process = subprocess.Popen(  # noqa: S603 - our own
            [sys.executable, "-P", "-m", f"{sources.NAME}.compiled.build", str(table)],
            env={**os.environ, "PYTHONPATH": path},
            stdin=subprocess.PIPE,  # closed with this process: that one ends then
        )
        try:
            failed = process.wait()
        finally:
            process.kill()
            process.communicate()
        if failed:
            raise BuildError("the kernels do not compile")
        if folder is not None:
            folders.remove_old(folder)
            try:
                table = _keep(table, folder)
            except OSError as error:
                folders.say(UNWRITABLE.format(folder, error.strerror))
        found = _read(table)
        if found is None:
            raise BuildError("the library of kernels that was just built cannot be loaded")
        _builds.append((began, perf_counter() - began))
        return found


def _keep(table: Path, folder: Path) -> Path:
    """Copy a library into a folder; returns where its table stands there. Raises OSError."""
    content = table.read_bytes()
    suffix = read_table(content)["code"]["suffix"]
    files = LibraryFiles(content, table.with_suffix(suffix).read_bytes(), suffix)
    kept = folder / f"{sha256(content).hexdigest()[:16]}.kernels"
    files.write(kept, folders.write)
    return kept


class Library:
    """A loaded library. kernels: its kernels with kinds and symbols. addresses: finds the code of symbols."""

    def __init__(self, kernels: Mapping[str, Any], addresses: Addresses) -> None:
        self._kernels = kernels
        self.addresses = addresses

    def native(self, name: str, texts: tuple[str, ...], takes: tuple[Kind, ...]) -> Native | None:
        """The code of a kernel for arguments of kinds with these texts; None where it has none."""
        for taken, returned, symbol in self._kernels.get(name, ()):
            if tuple(taken) == texts:
                return Native(name, self.addresses.of(symbol), takes, gives(returned))
        return None


def gives(text: str) -> Kind:
    """The kind with a text: of what kernels return, numbers and tuples of them."""
    if not text.startswith("("):
        return Scalar(text)
    items, depth, begin = [], 0, 1
    for place, sign in enumerate(text):
        depth += (sign == "(") - (sign == ")")
        if (sign == "," and depth == 1) or (sign == ")" and depth == 0):
            items.append(gives(text[begin:place]))
            begin = place + 1
    return Several(tuple(items))


find_code_by(find_for_call)
