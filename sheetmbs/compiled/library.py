"""The library of all kernels in a process that runs them: found, checked, loaded, and called.

It came with the package, or was built after an edit into the user's cache folder; where that can be neither read nor
written, it is built for this process alone. What is loaded stays until the process ends.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from pathlib import Path
from threading import RLock
from typing import TYPE_CHECKING, Any

from sheetmbs.compiled import folders, sources
from sheetmbs.compiled.files import LIBRARY, BuildError, Damaged, read_library
from sheetmbs.compiled.kernel import found_by
from sheetmbs.compiled.kinds import Kind, Scalar, Several, kind_of
from sheetmbs.compiled.native import Native
from sheetmbs.compiled.processor import system
from sheetmbs.files.private_files import NotPrivate, read_private

if TYPE_CHECKING:
    from sheetmbs.compiled.kernel import Kernel

CHANGED = "The solver is compiled once for these sources, which takes up to a minute."
UNWRITABLE = "No machine code can be kept in {} ({}): this run goes on without."
DAMAGED = "The machine code in {} is damaged ({}): it is made anew."
NOT_TRUSTED = "The machine code in {} is not used ({}): it is made anew."

_LOCK = RLock()
_found: dict[tuple[str, tuple[str, ...]], Native] = {}


def tell_of_building(tell: Callable[[str], None]) -> None:
    """Call ``tell`` with a sentence where the library must be built, cannot be kept, or cannot be trusted."""
    folders.tell_by(tell)


def load() -> None:
    """Load the library, or build it where none fits the sources. Raises BuildError."""
    with _LOCK:
        _the_library()


def find(kernel: Kernel, takes: tuple[Kind, ...]) -> Native:
    """The code of a kernel for arguments of these kinds. Raises BuildError."""
    key = kernel.name, tuple(kind.text for kind in takes)
    with _LOCK:
        if key not in _found:
            _found[key] = _the_library().native(*key, takes) or _demanded(kernel, takes)
    return _found[key]


def found(
    kernel: Kernel, takes: tuple[Kind, ...] | None, arguments: tuple[Any, ...]
) -> Callable[[tuple[Any, ...]], Any]:
    """The code of a kernel for a call from Python; takes: of an entry point. Raises BuildError."""
    return find_for(kernel, arguments) if takes is None else find(kernel, takes)


def find_for(kernel: Kernel, arguments: tuple[Any, ...]) -> Callable[[tuple[Any, ...]], Any]:
    """The code of a kernel that is no entry point, for such arguments. Raises BuildError."""
    takes = tuple(kind_of(argument) for argument in arguments)
    if None in takes:
        found = ", ".join(type(argument).__name__ for argument in arguments)
        raise TypeError(f"{kernel.name} cannot be called from Python with ({found})")
    return find(kernel, takes)  # type: ignore[arg-type]


def _demanded(kernel: Kernel, takes: tuple[Kind, ...]) -> Native:
    """Code that the library has not: of tests' own kernels, and of some that tests call directly."""
    from sheetmbs.compiled import demand

    unit, address = demand.compiled(kernel, takes, _the_library().addresses)
    return Native(kernel.name, address, takes, gives(unit.gives))


@cache
def _the_library() -> Library:
    return Library(_content())


def _content() -> tuple[dict[str, Any], dict[str, bytes]]:
    """BundleKind and objects of the library. Raises BuildError."""
    found = _read(LIBRARY)
    folder = None if found else folders.cache_folder()
    if folder is None:
        return found or read_library(_built())
    found = _kept(folder)
    if found is not None:
        return found
    with folders.one_at_a_time(folder):
        found = _kept(folder)
        if found is not None:  # another process has built it meanwhile
            return found
        content = _built()
        folders.remove_old(folder)
        try:
            folders.write(folder / f"{content[19:27].hex()}.kernels", content)
        except OSError as error:
            folders.say(UNWRITABLE.format(folder, error.strerror))
        return read_library(content)


def _kept(folder: Path) -> tuple[dict[str, Any], dict[str, bytes]] | None:
    """The latest of the libraries in a folder that fits."""
    fitting = (_read(path) for path in sorted(folder.glob("*.kernels"), key=_age))
    return next((found for found in fitting if found is not None), None)


def _age(path: Path) -> float:
    try:
        return -path.stat().st_mtime
    except OSError:
        return 0.0


def _read(path: Path) -> tuple[dict[str, Any], dict[str, bytes]] | None:
    """A library, if it fits these sources and this machine; one that is damaged, or that others may have written, is told.

    That of the package stands among its sources, and is trusted as they are.
    """
    try:
        content = path.read_bytes() if path == LIBRARY else read_private(path)
        head, objects = read_library(content)
    except FileNotFoundError:
        return None
    except NotPrivate as error:
        folders.say(NOT_TRUSTED.format(path, error))
        return None
    except (OSError, Damaged) as error:
        folders.say(DAMAGED.format(path, error))
        return None
    with suppress(OSError):
        fits = head["system"] == system() and head["digest"] == sources.digest_of(head["files"])
        if fits and path != LIBRARY:
            os.utime(path)
        return (head, objects) if fits else None
    return None


def _built() -> bytes:
    """Build the library in another process. Raises BuildError."""
    folders.say(CHANGED)
    path = os.pathsep.join([str(sources.PACKAGE.parent), *filter(None, sys.path)])
    with tempfile.TemporaryDirectory() as folder:
        target = Path(folder) / "kernels.bin"
        process = subprocess.Popen(  # noqa: S603 - our own
            [sys.executable, "-P", "-m", f"{sources.NAME}.compiled.build", str(target)],
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
        return target.read_bytes()


class Library:
    """A loaded library. addresses: finds the code of symbols."""

    def __init__(self, content: tuple[dict[str, Any], dict[str, bytes]]) -> None:
        from sheetmbs.compiled.loader import Loaded

        head, objects = content
        self._table = head["table"]
        self.addresses = Loaded(objects)

    def native(self, name: str, texts: tuple[str, ...], takes: tuple[Kind, ...]) -> Native | None:
        """The code of a kernel for arguments of kinds with these texts; None where it has none."""
        for taken, returned, symbol in self._table.get(name, ()):
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


found_by(found)
