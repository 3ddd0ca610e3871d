"""A file that is written as a whole or not at all.

It is made beside its place under a name that nobody can guess, opened so that no link is followed and no file is taken over,
forced to the disk, and only then renamed. Everything that sheetmbs writes is written here, but for the journal of a study.
"""

from __future__ import annotations

import errno
import os
import re
import stat
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import IO

if sys.platform != "win32":
    import fcntl

UNFINISHED = re.compile(r"\.sheetmbs-[0-9a-f]{16}\.(xlsx|xlsm|bak|csv|parquet|part)")
"""name of a file that is being written"""
WORKBOOKS = (".xlsx", ".xlsm")
"""endings that an unfinished file keeps, for it is opened and checked before it takes its place"""
WRITE_BITS = stat.S_IWUSR | stat.S_IWGRP | stat.S_IWOTH
READ_AND_WRITE = 0o666
NO_LINK = getattr(os, "O_NOFOLLOW", 0)
NO_WAITING = getattr(os, "O_NONBLOCK", 0)
NO_HARD_LINKS = (errno.EPERM, errno.EOPNOTSUPP, errno.ENOTSUP, errno.ENOSYS, errno.EMLINK)
"""errors of file systems that have no hard links"""
A_DAY = 86400.0
"""seconds, after which nobody is at work on an unfinished file any more"""
PAUSES = (0.05, 0.1, 0.2, 0.4)
"""seconds: on Windows a virus scanner or a cloud folder may hold a new file for a moment"""
HELD = (32, 33)
"""error numbers of Windows where another program has a file open and lets nobody else do what was asked"""
ACCESS_DENIED = 5
"""error number of Windows for what is read-only, and for what is held without sharing it"""


def write_whole(
    target: Path,
    write: Callable[[IO[bytes]], object],
    *,
    like: Path | int | None = None,
    check: Callable[[Path], None] | None = None,
    is_new: bool = False,
) -> None:
    """Write a file beside ``target``, check it, and only then put it in its place.

    Whatever goes wrong, and with an interruption too, ``target`` stays as it was and nothing is left beside it; only a process
    that is killed leaves its unfinished file, which the next one to write there removes.

    Parameters
    ----------
    target
        The file. A link of that name is replaced and never followed.
    write
        Writes the content into an open file.
    like
        A file whose permissions a new ``target`` gets, or these as a number; None: the usual ones. An existing ``target`` keeps
        its own.
    check
        Looks at the finished file before it takes its place, and raises what is wrong with it.
    is_new
        Whether there must be no ``target`` yet.

    Raises
    ------
    OSError
        Where the file system does not play along; FileExistsError where ``target`` was to be new. Besides, whatever ``write``
        and ``check`` raise.
    """
    _remove_unfinished(target.parent)
    beside = place_beside(target)
    lock = None
    try:
        with open(beside, "xb", opener=_opened) as file:
            lock = _lock(file)
            write(file)
            file.flush()
            os.fsync(file.fileno())
            if check is not None:  # what the disk has kept
                check(beside)
            _take_permissions(beside, file.fileno(), target if _is_regular(target) else like)
        (_take_free_place if is_new else _take_place)(beside, target)
    except BaseException:
        _remove(beside)
        raise
    finally:
        if lock is not None:
            os.close(lock)
    _sync_folder(target.parent)


def place_beside(target: Path) -> Path:
    """A place beside ``target`` for its unfinished file, another one each time, short whatever the length of its name."""
    ending = target.suffix.casefold()
    return target.parent / f".sheetmbs-{os.urandom(8).hex()}{ending if ending in WORKBOOKS else '.part'}"


def is_held(error: OSError) -> bool:
    """Whether another program has the file open: a sharing violation, which only Windows knows."""
    return getattr(error, "winerror", None) in HELD


def _opened(path: str, flags: int) -> int:
    """A new file for this user alone: ``flags`` hold O_CREAT and O_EXCL."""
    return os.open(path, flags | NO_LINK, 0o600)


def _take_place(beside: Path, target: Path) -> None:
    """Rename a file over another one; where Windows says that somebody holds one of them, try again for a moment."""
    for pause in PAUSES:
        try:
            beside.replace(target)
        except PermissionError as error:
            if not is_held(error) and getattr(error, "winerror", None) != ACCESS_DENIED:
                raise
            time.sleep(pause)
        else:
            return
    beside.replace(target)


def _take_free_place(beside: Path, target: Path) -> None:
    """Give a file a name that nothing has yet. Raises FileExistsError."""
    if sys.platform == "win32":
        beside.rename(target)
        return
    try:
        target.hardlink_to(beside)
    except OSError as error:
        if error.errno not in NO_HARD_LINKS:
            raise
        os.close(_opened(os.fspath(target), os.O_WRONLY | os.O_CREAT | os.O_EXCL))  # nobody else has the name now
        _take_place(beside, target)
        return
    _remove(beside)


def _lock(file: IO[bytes]) -> int | None:
    """Lock a file that is being written until the returned descriptor is closed, at the latest by the end of the process."""
    if sys.platform != "win32":  # there a locked file could not be renamed
        with suppress(OSError):
            fcntl.flock(file, fcntl.LOCK_EX)
        return os.dup(file.fileno())
    return None


def _remove_unfinished(folder: Path) -> None:
    """Remove the files of runs that were killed."""
    with suppress(OSError):
        for path in [path for path in folder.iterdir() if UNFINISHED.fullmatch(path.name)]:
            with suppress(OSError):
                if _is_abandoned(path):
                    path.unlink()


def _is_abandoned(path: Path) -> bool:
    """Whether nobody is at work on an unfinished file of this user: nobody has locked it, or, without locks, it is old.

    One that is empty may just have been begun. Links, pipes and files of others are none of ours. Raises OSError where it is
    locked.
    """
    if sys.platform != "win32":
        handle = os.open(path, os.O_RDONLY | NO_LINK | NO_WAITING)
        try:
            state = os.fstat(handle)
            if not stat.S_ISREG(state.st_mode) or state.st_uid != os.geteuid():
                return False
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return state.st_size > 0
        finally:
            os.close(handle)
    return time.time() - path.stat().st_mtime > A_DAY


def _is_regular(path: Path) -> bool:
    with suppress(FileNotFoundError, NotADirectoryError):
        return stat.S_ISREG(path.lstat().st_mode)
    return False


def _remove(beside: Path) -> None:
    with suppress(OSError):
        beside.unlink(missing_ok=True)


def _take_permissions(path: Path, handle: int, like: Path | int | None) -> None:
    """Give an open file its permissions. By its descriptor where the system can, for its name may be taken by a link."""
    there: Path | int = handle if os.chmod in os.supports_fd else path
    if like is None or isinstance(like, int):
        os.chmod(there, READ_AND_WRITE & ~_hidden() if like is None else like)  # noqa: PTH101 - it may be a descriptor
        return
    try:
        state = like.stat()
    except FileNotFoundError:  # a workbook that went while it was analysed: its results are for this user alone
        return
    mine = os.fstat(handle)
    if sys.platform != "win32" and (state.st_uid, state.st_gid) != (mine.st_uid, mine.st_gid):
        # only the superuser may give a file to somebody else; a user's own file stays his
        with suppress(PermissionError):
            os.chown(handle, state.st_uid, state.st_gid)
    _take_attributes(handle, like)
    # where there is a list of rights, these are its mask: they come last
    os.chmod(there, stat.S_IMODE(state.st_mode) | stat.S_IWUSR)  # noqa: PTH101 - as above


def _hidden() -> int:
    """The rights that this process gives to nobody."""
    hidden = os.umask(0)
    os.umask(hidden)
    return hidden


def _take_attributes(handle: int, like: Path) -> None:
    """Give a file the extended attributes of another one, its list of rights among them, in place of its own.

    Those that only the system may set, or that the file system does not know, are left out.
    """
    if sys.platform != "linux":  # no other system has these calls
        return
    with suppress(OSError):
        wanted = {name: os.getxattr(like, name) for name in os.listxattr(like)}
        for name in set(os.listxattr(handle)) - wanted.keys():  # a list of rights that the folder hands down
            with suppress(OSError):
                os.removexattr(handle, name)
        for name, value in wanted.items():
            with suppress(OSError):
                os.setxattr(handle, name, value)


def _sync_folder(folder: Path) -> None:
    """Make the new name last through a power cut, where folders can be synchronised."""
    with suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
