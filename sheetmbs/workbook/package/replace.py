"""A file replaced as a whole or not at all."""

from __future__ import annotations

import errno
import os
import re
import stat
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import IO

from sheetmbs.problems.errors import WorkbookError
from sheetmbs.workbook.package.archive import refusal
from sheetmbs.workbook.package.file_names import is_held, is_too_long, too_long

if sys.platform != "win32":
    import fcntl

BESIDE = re.compile(r"\.sheetmbs-[0-9a-f]{16}\.(xlsx|xlsm|bak|csv|parquet)")
"""name of a file that is being written"""
WRITE_BITS = stat.S_IWUSR | stat.S_IWGRP | stat.S_IWOTH
READ_AND_WRITE = 0o666
OFFER_COPY = "give another place with --output"
A_DAY = 86400.0
"""seconds, after which nobody is at work on an unfinished file any more"""
PAUSES = (0.05, 0.1, 0.2, 0.4)
"""seconds: on Windows a virus scanner or a cloud folder may hold a new file for a moment"""
ACCESS_DENIED = 5
"""error number of Windows for what is read-only, and for what is held without sharing it"""


def replace_file(
    target: Path,
    like: Path | None,
    write: Callable[[IO[bytes]], object],
    check: Callable[[Path], None] | None = None,
    offer: str = OFFER_COPY,
) -> None:
    """Write a file beside ``target``, check it, and only then put it in its place.

    like: a file whose permissions a new ``target`` gets, None = the usual ones; an existing one keeps its own. offer: what a
    user could do instead. Whatever goes wrong, and with an interruption too, ``target`` stays as it was and nothing is
    left beside it; only a process that is killed leaves its unfinished file, which the next run takes away.
    Raises WorkbookError where the file system does not play along, and what ``write`` and ``check`` raise.
    """
    _remove_unfinished(target.parent)
    beside = target.parent / f".sheetmbs-{os.urandom(8).hex()}{target.suffix}"
    lock = None
    try:
        with open(beside, "xb", opener=partial(os.open, mode=0o600)) as file:
            lock = _lock(file)
            write(file)
            file.flush()
            os.fsync(file.fileno())
        if check is not None:
            check(beside)
        _take_permissions(beside, target if target.exists() else like)
        _take_place(beside, target)
    except OSError as error:
        _remove(beside)
        if isinstance(error, FileNotFoundError) and is_too_long(beside):
            raise too_long(beside) from error
        raise cannot_write(target, error, offer) from error
    except BaseException:
        _remove(beside)
        raise
    finally:
        if lock is not None:
            os.close(lock)
    _sync_folder(target.parent)


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
        for path in [path for path in folder.iterdir() if BESIDE.fullmatch(path.name)]:
            with suppress(OSError):
                if _is_abandoned(path):
                    path.unlink()


def _is_abandoned(path: Path) -> bool:
    """Whether nobody is at work on an unfinished file: nobody has locked it, or, where there are no locks, it is old.

    One that is empty may just have been begun. Raises OSError where it is locked.
    """
    if sys.platform != "win32":
        with path.open("rb") as file:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return os.fstat(file.fileno()).st_size > 0
    return time.time() - path.stat().st_mtime > A_DAY


def cannot_write(target: Path, error: OSError, offer: str = OFFER_COPY) -> WorkbookError:
    """The error for a file system that refuses."""
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        return refusal(
            "disk-full",
            f"there is no room left for {target.name} in {target.parent}",
            "the results need more room than is free; the file is as it was",
            f"free some room, or {offer}",
        )
    if is_held(error):
        return refusal(
            "not-writable",
            f"{target} is open in another program",
            "Windows lets nobody replace a file that a program has open; it is as it was",
            f"close it there, or {offer}",
        )
    if isinstance(error, PermissionError) or error.errno == errno.EROFS:
        return refusal(
            "not-writable",
            f"{target} may not be written",
            "it is read-only, its folder is, or another program has it open; it is as it was",
            f"close the program, or {offer}",
        )
    return refusal(
        "not-writable",
        f"{target} cannot be written ({error.strerror or error})",
        "the results need a file that can be written; it is as it was",
        f"try again, or {offer}",
    )


def _remove(beside: Path) -> None:
    with suppress(OSError):
        beside.unlink(missing_ok=True)


def _take_permissions(path: Path, like: Path | None) -> None:
    if like is None:
        hidden = os.umask(0)
        os.umask(hidden)
        path.chmod(READ_AND_WRITE & ~hidden)
        return
    if not like.exists():  # a workbook that went while it was analysed: its results are for this user alone
        return
    state = like.stat()
    if sys.platform != "win32" and (state.st_uid, state.st_gid) != (path.stat().st_uid, path.stat().st_gid):
        # only the superuser may give a file to somebody else; a user's own file stays his
        with suppress(PermissionError):
            os.chown(path, state.st_uid, state.st_gid)
    _take_attributes(path, like)
    # where there is a list of rights, these are its mask: they come last
    path.chmod(stat.S_IMODE(state.st_mode) | stat.S_IWUSR)


def _take_attributes(path: Path, like: Path) -> None:
    """Give a file the extended attributes of another one, its list of rights among them, in place of its own.

    Those that only the system may set, or that the file system does not know, are left out.
    """
    if sys.platform != "linux":  # no other system has these calls
        return
    with suppress(OSError):
        wanted = {name: os.getxattr(like, name) for name in os.listxattr(like)}
        for name in set(os.listxattr(path)) - wanted.keys():  # a list of rights that the folder hands down
            with suppress(OSError):
                os.removexattr(path, name)
        for name, value in wanted.items():
            with suppress(OSError):
                os.setxattr(path, name, value)


def _sync_folder(folder: Path) -> None:
    """Make the new name last through a power cut, where folders can be synchronised."""
    with suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
