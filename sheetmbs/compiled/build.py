"""The build of the library of all kernels: ``python -m sheetmbs.compiled.build [FILE]``.

It begins with the entry points and goes on with what these call, in as many processes as there are cores. What one kernel
became is kept in the user's cache folder under a digest of all that shaped it, so that a build after an edit compiles what
the edit concerns. Imports no numba: its workers do.
"""

from __future__ import annotations

import os
import pickle
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, ThreadPoolExecutor, wait
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from pathlib import Path
from threading import Thread
from typing import Any

from sheetmbs.compiled import folders, sources
from sheetmbs.compiled.files import (
    LIBRARY,
    BuildError,
    CompiledKernel,
    LibraryFiles,
    WantedKernel,
    library_of,
)
from sheetmbs.compiled.kept_units import compiles_with, keep_unit, kept_unit, place_of
from sheetmbs.compiled.linker import SUFFIX, LinkError, link
from sheetmbs.compiled.processor import system
from sheetmbs.compiled.stand_ins import stand_ins

MIN_AHEAD = 8
"""kernels for which another process is worth its start, which takes as long as compiling so many"""
Progress = Callable[[int, int], None]
"""called with the numbers of kernels that are done and known so far"""


class _Worker:
    """A process that compiles."""

    def __init__(self) -> None:
        path = os.pathsep.join([str(sources.PACKAGE.parent), *filter(None, sys.path)])
        self._process = subprocess.Popen(  # noqa: S603 - our own
            [sys.executable, "-P", "-m", f"{sources.NAME}.compiled.worker"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env={**os.environ, "PYTHONPATH": path, "NUMBA_DISABLE_JIT": "0"},
        )
        self.entries = self._answer()

    def compile(self, which: WantedKernel) -> CompiledKernel:
        """Compile a kernel. Raises BuildError."""
        with suppress(OSError):  # it has ended: `_answer` says why
            pickle.dump(which, self._process.stdin)  # type: ignore[arg-type]
            self._process.stdin.flush()  # type: ignore[union-attr]
        found = self._answer()
        if isinstance(found, CompiledKernel):
            return found
        raise BuildError(f"{which.kernel} does not compile:\n{found}")

    def _answer(self) -> Any:
        try:
            return pickle.load(self._process.stdout)  # type: ignore[arg-type]  # noqa: S301 - from our own process
        except EOFError:
            errors = self._process.stderr.read().decode(errors="replace")  # type: ignore[union-attr]
            raise BuildError(f"a process that compiles kernels has ended:\n{errors}") from None

    def end(self) -> None:
        """End it, whatever it does."""
        self._process.kill()
        self._process.communicate()


def build(progress: Progress = lambda _done, _known: None, *, must_link: bool = True) -> LibraryFiles:
    """Compile all kernels and link them into a shared library.

    progress: called with the numbers of kernels that are done and known. must_link: raise where no linker is found, rather than
    give a library of object files. Raises BuildError.
    """
    units: dict[str, CompiledKernel] = {}
    try:
        with _workers() as start, ThreadPoolExecutor(cores()) as threads:
            first = start()
            idle = [first]
            ahead = list(first.entries)
            known = {each.symbol for each in ahead}
            running: dict[Any, _Worker] = {}
            while ahead or running:
                while ahead and (idle or (len(running) < cores() and len(ahead) > MIN_AHEAD)):
                    which = ahead.pop(0)
                    path = place_of(which.module, which.symbol)
                    kept = kept_unit(path) if path else None
                    if kept is not None:
                        _add(kept, units, ahead, known)
                        continue
                    worker = idle.pop() if idle else start()
                    running[threads.submit(_compile, worker, which, path)] = worker
                    progress(len(units), len(known))
                if not running:
                    continue
                for done in wait(running, return_when=FIRST_COMPLETED).done:
                    idle.append(running.pop(done))
                    _add(done.result(), units, ahead, known)
                progress(len(units), len(known))
    except OSError as error:
        raise BuildError(str(error)) from error
    files = sorted(set().union(*(sources.needed_by(unit.kernel_module) for unit in units.values())))
    made = sorted(units.values(), key=lambda unit: unit.symbol)
    about = {"system": system(), "with_": compiles_with(), "files": files, "digest": sources.digest_of(files)}
    return library_of(made, _linked(made, must_link=must_link), SUFFIX, **about)


def _linked(units: Sequence[CompiledKernel], *, must_link: bool) -> bytes | None:
    """A shared library of kernels; None where it cannot be linked and need not be. Raises BuildError."""
    try:
        return link([unit.code for unit in units], stand_ins())
    except LinkError as error:
        if must_link:
            raise BuildError(str(error)) from error
        return None


def cores() -> int:
    """How many processes may work at a time."""
    allowed = getattr(os, "sched_getaffinity", None)  # neither Windows nor macOS tell
    return max(len(allowed(0)), 1) if allowed else os.cpu_count() or 1


@contextmanager
def _workers() -> Iterator[Callable[[], _Worker]]:
    """What starts workers, all of which end with the block."""
    started: list[_Worker] = []

    def start() -> _Worker:
        started.append(_Worker())
        return started[-1]

    try:
        yield start
    finally:
        for worker in started:
            worker.end()


def _compile(worker: _Worker, which: WantedKernel, path: Path | None) -> CompiledKernel:
    unit = worker.compile(which)
    keep_unit(path, unit)
    return unit


def _add(unit: CompiledKernel, units: dict[str, CompiledKernel], ahead: list[WantedKernel], known: set[str]) -> None:
    units[unit.symbol] = unit
    new = [each for each in unit.calls if each.symbol not in known]
    known.update(each.symbol for each in new)
    ahead += new


def _end_with_the_other() -> None:
    """End this process together with the one that started it, however that ends: its input is then closed."""
    os.read(0, 1)
    os.kill(os.getpid(), signal.SIGINT)


def progress_line(done: int, known: int) -> None:
    """Show progress on a terminal."""
    if sys.stderr.isatty():
        sys.stderr.write(f"\rCompiling kernels: {done} of {known} ")
        sys.stderr.flush()


def main() -> None:
    """Build the library into the file that is named, for a process that waits for it; else into the package."""
    is_waited_for = len(sys.argv) > 1
    if is_waited_for:
        folders.tell_by(lambda _sentence: None)  # the process that waits has said it
        Thread(target=_end_with_the_other, daemon=True).start()
    try:
        with nullcontext() if is_waited_for else _one_installation_at_a_time():
            files = build(progress_line, must_link=not is_waited_for)
        files.write(Path(sys.argv[1]) if is_waited_for else LIBRARY, folders.write)
    except (BuildError, OSError) as error:
        sys.exit(f"The kernels are not built: {error}")
    except KeyboardInterrupt:
        sys.exit(130)
    finally:
        if sys.stderr.isatty():
            sys.stderr.write("\r\033[K")


def _one_installation_at_a_time() -> AbstractContextManager[None]:
    """Installations side by side: the first one compiles, and what it keeps serves the others."""
    folder = folders.cache_folder()
    return folders.one_at_a_time(folder) if folder else nullcontext()


if __name__ == "__main__":
    main()
