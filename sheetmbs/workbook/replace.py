"""A file replaced as a whole or not at all."""

from __future__ import annotations

import errno
import os
import stat
import tempfile
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import IO

from sheetmbs.errors import WorkbookError
from sheetmbs.workbook.archive import refusal

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
    left beside it.
    Raises WorkbookError where the file system does not play along, and what ``write`` and ``check`` raise.
    """
    beside: Path | None = None
    try:
        handle, name = tempfile.mkstemp(prefix=".sheetmbs-", suffix=target.suffix, dir=target.parent)
        beside = Path(name)
        with os.fdopen(handle, "wb") as file:
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
    _sync_folder(target.parent)


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


def _remove(beside: Path | None) -> None:
    if beside is not None:
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
    path.chmod(stat.S_IMODE(state.st_mode) | stat.S_IWUSR)
    if hasattr(os, "chown") and (state.st_uid, state.st_gid) != (path.stat().st_uid, path.stat().st_gid):
        # only the superuser may give a file to somebody else; a user's own file stays his
        with suppress(PermissionError):
            os.chown(path, state.st_uid, state.st_gid)


def _sync_folder(folder: Path) -> None:
    """Make the new name last through a power cut, where folders can be synchronised."""
    with suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
