"""Files that are created, or replaced as a whole or not at all, and the message where that is impossible."""

from __future__ import annotations

import errno
from collections.abc import Callable
from pathlib import Path
from typing import IO

from sheetmbs.files.whole_file import is_held, place_beside, write_whole
from sheetmbs.problems.errors import WorkbookError
from sheetmbs.workbook.package.archive import check_file_name, is_too_long, refusal, too_long

SUGGEST_OUTPUT = "give another place with --output"
SUFFIX = ".xlsx"


def replace_file(
    target: Path,
    like: Path | None,
    write: Callable[[IO[bytes]], object],
    check: Callable[[Path], None] | None = None,
    offer: str = SUGGEST_OUTPUT,
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


def cannot_write(target: Path, error: OSError, offer: str = SUGGEST_OUTPUT) -> WorkbookError:
    """The error for a file system that refuses."""
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        return refusal(
            "disk-full",
            f"there is no room left for {target.name} in {target.parent}",
            "the results need more room than is free; the file is unchanged",
            f"free some room, or {offer}",
        )
    if is_held(error):
        return refusal(
            "not-writable",
            f"{target} is open in another program",
            "Windows does not allow a file to be replaced while a program has it open; it is unchanged",
            f"close it there, or {offer}",
        )
    if isinstance(error, PermissionError) or error.errno == errno.EROFS:
        return refusal(
            "not-writable",
            f"{target} may not be written",
            "it is read-only, its folder is, or another program has it open; it is unchanged",
            f"close the program, or {offer}",
        )
    return refusal(
        "not-writable",
        f"{target} cannot be written ({error.strerror or error})",
        "the results need a file that can be written; it is unchanged",
        f"try again, or {offer}",
    )


def create_book(book: Path, content: bytes, stem: str) -> None:
    """Write a new workbook, as a whole or not at all. stem: of a name to propose where ``book`` is a folder.

    Raises WorkbookError where there is a file already or none can be made.
    """
    try:
        _check_name(book, stem)
        write_whole(book, lambda file: file.write(content), is_new=True)
    except (OSError, ValueError) as error:
        raise _cannot_make(book, error) from None


def create_file(path: Path, content: bytes) -> None:
    """Write a new file of any kind, as a whole or not at all.

    Raises WorkbookError where there is a file already or none can be made.
    """
    try:
        if path.is_dir():
            raise refusal("file-is-folder", f"{path} is a folder", "what is exported is a file", "name a file in it")
        check_file_name(path, "give the file another name")
        write_whole(path, lambda file: file.write(content), is_new=True)
    except (OSError, ValueError) as error:
        raise _cannot_make(path, error) from None


def _check_name(book: Path, stem: str) -> None:
    """Raise WorkbookError where a workbook cannot have this name."""
    if book.is_dir():
        example = book / f"{stem}{SUFFIX}"
        raise refusal(
            "file-is-folder", f"{book} is a folder", "a workbook is a file", f"name a file, such as {example}"
        )
    check_file_name(book, "give the workbook another name")
    if book.suffix.casefold() != SUFFIX:
        found = f"{book.name} ends in {book.suffix}" if book.suffix else f"{book.name} has no ending"
        mend = f"call it {book.stem}{SUFFIX}"
        if book.suffix.casefold() == ".xlsm":
            mend += "; to add macros, save it as .xlsm in the spreadsheet program"
        raise refusal("wrong-extension", found, f"a new workbook ends in {SUFFIX}", mend)


def _cannot_make(book: Path, error: Exception) -> Exception:
    """The error for a file system that refuses."""
    if isinstance(error, FileExistsError):
        mend = "choose another name, or move it away first"
        return refusal("file-exists", f"there is a file {book} already", "it is never overwritten", mend)
    if isinstance(error, FileNotFoundError) and is_too_long(book):
        return too_long(book)
    if isinstance(error, FileNotFoundError | NotADirectoryError):
        return refusal(
            "folder-missing", f"there is no folder {book.parent}", "a file needs one", "make it, or name another"
        )
    if isinstance(error, OSError) and error.errno == errno.ENOSPC:
        return refusal("disk-full", f"there is no room left in {book.parent}", "nothing was written", "free some room")
    reason = "may not be written" if isinstance(error, PermissionError) else f"cannot be written ({_reason(error)})"
    return refusal("not-writable", f"{book} {reason}", "a new file needs a folder to write in", "name another place")


def _reason(error: Exception) -> str:
    return getattr(error, "strerror", None) or str(error)
