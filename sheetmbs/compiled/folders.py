"""Where machine code is kept that did not come with the package: a folder of the user's, or a private temporary one."""

from __future__ import annotations

import os
import stat
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path

KEPT_FILES = 5
KEPT_SECONDS = 86400.0
OBJECTS_SECONDS = 30 * 86400.0


@cache
def cache_folder() -> Path | None:
    """The best folder in which something can be written; None if there is none."""
    return next((folder for folder in _bases() if _is_usable(folder)), None)


def remove_old(folder: Path) -> None:
    """Remove libraries of earlier sources, but not the last few, nor one that a running process may be using."""
    for pattern, kept, young in (("*.kernels", KEPT_FILES, KEPT_SECONDS), ("objects/*", 0, OBJECTS_SECONDS)):
        ages = []
        for path in folder.glob(pattern):
            with suppress(OSError):  # another process is tidying up
                ages.append((time.time() - path.stat().st_mtime, path))
        for age, path in sorted(ages)[kept:]:
            if age > young:
                with suppress(OSError):
                    path.unlink()


def write(path: Path, content: bytes) -> None:
    """Write a file at once: it is there as a whole or not at all. Raises OSError."""
    path.parent.mkdir(parents=True, exist_ok=True)
    number, name = tempfile.mkstemp(dir=path.parent, prefix=".writing-")
    try:
        with os.fdopen(number, "wb") as file:
            file.write(content)
        Path(name).chmod(0o644)  # who installs is not always who runs
        os.replace(name, path)  # noqa: PTH105 - a name, not a path
    except OSError:
        with suppress(OSError):
            os.unlink(name)  # noqa: PTH108 - the same
        raise


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
    temporary = _temporary()
    if temporary is not None:
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


def _temporary() -> Path | None:
    """A folder for this user alone: kept code is run, so nobody else may have put it there."""
    if not hasattr(os, "getuid"):  # Windows: the temporary folder is the user's own
        return Path(tempfile.gettempdir()) / "sheetmbs"
    try:
        folder = Path(tempfile.gettempdir()) / f"sheetmbs-{os.getuid()}"
        folder.mkdir(mode=0o700, exist_ok=True)
        found = folder.lstat()
    except OSError:
        return None
    is_private = stat.S_ISDIR(found.st_mode) and found.st_uid == os.getuid() and not found.st_mode & 0o077
    return folder if is_private else None


def _is_usable(folder: Path) -> bool:
    try:
        folder.mkdir(parents=True, exist_ok=True)
        tempfile.TemporaryFile(dir=folder).close()
    except OSError:
        return False
    return True
