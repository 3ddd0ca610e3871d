"""A file replaced as a whole or not at all."""

from __future__ import annotations

import errno
import os
import re
import stat
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import IO

from sheetmbs.problems.errors import WorkbookError
from sheetmbs.workbook.package.archive import refusal

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment]

BESIDE = re.compile(r"\.sheetmbs-[0-9a-f]{16}\.(xlsx|xlsm|bak|csv|parquet)")
"""name of a file that is being written"""
WRITE_BITS = stat.S_IWUSR | stat.S_IWGRP | stat.S_IWOTH
READ_AND_WRITE = 0o666
OFFER_COPY = "give another place with --output"


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
        beside.replace(target)
    except OSError as error:
        _remove(beside)
        raise cannot_write(target, error, offer) from error
    except BaseException:
        _remove(beside)
        raise
    finally:
        if lock is not None:
            os.close(lock)
    _sync_folder(target.parent)


def _lock(file: IO[bytes]) -> int | None:
    """Show that somebody is at work on a file, for as long as what is returned stays open, which a killed process cannot."""
    if fcntl is None:
        return None
    with suppress(OSError):
        fcntl.flock(file, fcntl.LOCK_EX)
    return os.dup(file.fileno())


def _remove_unfinished(folder: Path) -> None:
    """Take away the files of runs that were killed: nobody is at work on them. An empty one may just have been begun."""
    with suppress(OSError):
        for path in [path for path in folder.iterdir() if fcntl and BESIDE.fullmatch(path.name)]:
            with suppress(OSError), path.open("rb") as file:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                if os.fstat(file.fileno()).st_size:
                    path.unlink()


def cannot_write(target: Path, error: OSError, offer: str = OFFER_COPY) -> WorkbookError:
    """What the user is told when the file system refuses."""
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        return refusal(
            "disk-full",
            f"there is no room left for {target.name} in {target.parent}",
            "the results need more room than is free; the file is as it was",
            f"free some room, or {offer}",
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
    if hasattr(os, "chown") and (state.st_uid, state.st_gid) != (path.stat().st_uid, path.stat().st_gid):
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
    if not hasattr(os, "listxattr"):  # only Linux has these calls
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
