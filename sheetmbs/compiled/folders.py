"""Where machine code is kept that did not come with the package: a folder of the user's, or a private temporary one.

Kept code is run, so a folder counts only where nobody but this user and the superuser can have put anything.
"""

from __future__ import annotations

import os
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path

from sheetmbs.files.private_files import who_else_writes
from sheetmbs.files.whole_file import write_whole

KEPT_FILES = 5
KEPT_SECONDS = 86400.0
OBJECTS_SECONDS = 30 * 86400.0
FOR_THIS_USER = 0o700
READABLE = 0o644
"""permissions of a kept file: who installs is not always who runs"""
NOT_TRUSTED = (
    "No machine code is kept in {}: {}, and kept code is run. Let nobody else write there, or name another folder."
)


def _say(sentence: str) -> None:
    sys.stderr.write(f"{sentence}\n")


_tell: list[Callable[[str], None]] = [_say]


def tell_by(tell: Callable[[str], None]) -> None:
    """Call ``tell`` with what is to be said of kept code, in place of writing it to standard error."""
    _tell[:] = [tell]


def say(sentence: str) -> None:
    """Say something of kept code."""
    _tell[0](sentence)


@cache
def cache_folder() -> Path | None:
    """The best folder in which something can be written and nobody else can; None if there is none."""
    # links are followed once, here: they could lead elsewhere after the folder was found to be private
    real = (Path(os.path.realpath(folder)) for folder in _bases())
    return next((folder for folder in real if _is_usable(folder)), None)


def remove_old(folder: Path) -> None:
    """Remove libraries of earlier sources, but not the last few, nor one that a running process may be using."""
    for pattern, kept, young in (("*.kernels", KEPT_FILES, KEPT_SECONDS), ("objects/*", 0, OBJECTS_SECONDS)):
        ages = []
        for path in folder.glob(pattern):
            with suppress(OSError):  # another process is tidying up
                ages.append((time.time() - path.stat().st_mtime, path))
        for age, path in sorted(ages)[kept:]:
            if age > young:
                for each in [path, *path.parent.glob(f"{path.stem}.*")]:  # the code of a library beside its table
                    with suppress(OSError):
                        each.unlink()


def write(path: Path, content: bytes) -> None:
    """Write a file at once: it is there as a whole or not at all. Raises OSError."""
    path.parent.mkdir(mode=FOR_THIS_USER, parents=True, exist_ok=True)
    path.unlink(missing_ok=True)  # a file that is replaced would hand on its owner
    write_whole(path, lambda file: file.write(content), like=READABLE)


@contextmanager
def one_at_a_time(folder: Path) -> Iterator[None]:
    """Let one process in; another waits until it has left, or ended. Where the system has no such lock, none waits."""
    try:
        file = (folder / "building").open("ab")
    except OSError:
        yield
        return
    with file:
        with suppress(OSError):
            _lock(file.fileno())
        yield


def _lock(file: int) -> None:
    if sys.platform != "win32":
        import fcntl

        fcntl.flock(file, fcntl.LOCK_EX)
        return
    import msvcrt

    while True:
        with suppress(OSError):  # after ten seconds
            msvcrt.locking(file, msvcrt.LK_LOCK, 1)
            return


def _bases() -> Iterator[Path]:
    """Folders that may hold ours, best first."""
    named = os.environ.get("NUMBA_CACHE_DIR")
    if named:
        yield Path(named) / "sheetmbs"
    users = _user_cache()
    if users is not None:
        yield users / "sheetmbs"
    with suppress(OSError):
        temporary = Path(tempfile.gettempdir()) / _temporary_name()
        if not temporary.is_symlink():  # we make none, and everybody may put one there
            yield temporary


def _user_cache() -> Path | None:
    """The platform's cache folder of this user, None without a home."""
    named = os.environ.get("LOCALAPPDATA" if sys.platform == "win32" else "XDG_CACHE_HOME", "")
    if named and Path(named).is_absolute():
        return Path(named)
    home = os.path.expanduser("~")  # noqa: PTH111 - Path.home() raises where there is none
    if not Path(home).is_absolute():
        return None
    parts = {"win32": ("AppData", "Local"), "darwin": ("Library", "Caches")}.get(sys.platform, (".cache",))
    return Path(home, *parts)


def _temporary_name() -> str:
    """The name of the folder of this user among temporary files. On Windows all of them are the user's own."""
    if sys.platform != "win32":
        return f"sheetmbs-{os.getuid()}"
    return "sheetmbs"


def _is_usable(folder: Path) -> bool:
    """Whether something can be written in a folder, which is made where there is none, and nobody else can write there."""
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        folder.mkdir(mode=FOR_THIS_USER, exist_ok=True)
        why = who_else_writes(folder)
        if not why:
            tempfile.TemporaryFile(dir=folder).close()
    except OSError:
        return False
    if why:
        say(NOT_TRUSTED.format(folder, why))
    return not why
