"""A file replaced as a whole or not at all, and in words why that could not be."""

from __future__ import annotations

import errno
from collections.abc import Callable
from pathlib import Path
from typing import IO

from sheetmbs.files.whole_file import is_held, place_beside, write_whole
from sheetmbs.problems.errors import WorkbookError
from sheetmbs.workbook.package.archive import refusal
from sheetmbs.workbook.package.file_names import is_too_long, too_long

OFFER_COPY = "give another place with --output"


def replace_file(
    target: Path,
    like: Path | None,
    write: Callable[[IO[bytes]], object],
    check: Callable[[Path], None] | None = None,
    offer: str = OFFER_COPY,
) -> None:
    """Write a file beside ``target``, check it, and only then put it in its place, as `write_whole` does.

    like: a file whose permissions a new ``target`` gets, None = the usual ones; an existing one keeps its own. offer: what a
    user could do instead.
    Raises WorkbookError where the file system does not play along, and what ``write`` and ``check`` raise.
    """
    try:
        write_whole(target, write, like=like, check=check)
    except OSError as error:
        beside = place_beside(target)
        if isinstance(error, FileNotFoundError) and is_too_long(beside):
            raise too_long(beside) from error
        raise cannot_write(target, error, offer) from error


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
