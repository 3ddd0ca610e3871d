"""Where results may be written, and where they go if that is impossible."""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Iterator
from contextlib import suppress
from itertools import count
from os import PathLike
from pathlib import Path

from sheetmbs.files.whole_file import WRITE_BITS
from sheetmbs.problems.errors import WorkbookError
from sheetmbs.workbook.package.archive import check_file_name, fitting_name, open_archive, read_file, refusal
from sheetmbs.workbook.package.ownership import copied_from, name_in_mark
from sheetmbs.workbook.package.package import MAIN, Package
from sheetmbs.workbook.package.replace import SUGGEST_OUTPUT

FILE_OPEN = "file-open"
"""code of the one problem that may be gone by the end of an analysis"""
RESULTS_ELSEWHERE = "results-elsewhere"
"""code of the warning that results are not where they were meant to be"""


def destination_of(source: Path, target: str | PathLike[str] | None) -> Path:
    """The file that is to hold the results, links followed."""
    return Path(os.path.realpath(source if target is None else target))


def backup_of(place: Path) -> Path:
    """The file in which the workbook at ``place`` is kept as it was before a run."""
    return place.with_name(fitting_name(place.name, ".bak"))


def check_backup(place: Path) -> None:
    """Raises WorkbookError where the file that a backup would replace is none: it holds no workbook."""
    earlier = backup_of(place)
    if not os.path.lexists(earlier):
        return
    try:
        open_archive(earlier, read_file(earlier)).getinfo("[Content_Types].xml")
    except (WorkbookError, KeyError):
        raise refusal(
            "foreign-backup",
            f"{earlier} exists and holds no workbook",
            "--backup replaces only the backup of an earlier run",
            "move that file away, or run without --backup",
        ) from None


def is_copy(source: Path, place: Path) -> bool:
    """Whether results for ``place`` leave the workbook ``source`` alone.

    Where upper and lower case make no difference, one file has several names.
    """
    book = destination_of(source, None)
    if place == book:
        return False
    is_alike = (place.parent, place.name.casefold()) == (book.parent, book.name.casefold())
    return not (is_alike and place.exists() and book.exists() and place.samefile(book))


def check_target(source: Path, place: Path, *, is_ours: bool = False) -> None:
    """Raises WorkbookError where ``place`` is neither the workbook itself nor fit to be a copy of it.

    is_ours: whether what stands there is known to be a copy that we made, though nothing in it says so.
    """
    if not is_copy(source, place):
        return
    check_file_name(place, "give the copy another name")
    if place.suffix.casefold() != source.suffix.casefold():
        raise refusal(
            "output-type",
            f"{place.name} does not end in {source.suffix}",
            "a copy has the same type as its workbook, because only .xlsm files hold macros",
            f"name it {place.with_suffix(source.suffix).name}",
        )
    if not place.parent.is_dir():
        raise refusal(
            "no-folder", f"there is no folder {place.parent}", "a copy needs a folder", "make it, or name another one"
        )
    if place.is_dir():
        raise refusal("output-is-folder", f"{place} is a folder", "a copy is a file", "name a file in it")
    if place.exists() and not is_ours and _original(place) is None:
        raise refusal(
            "foreign-output",
            f"{place} exists and is not a copy that sheetmbs made",
            "--output replaces only a copy that an earlier run made",
            "give another name, or delete that file",
        )


def _original(path: Path) -> str | None:
    """The name in the mark of a copy that we made, of the workbook it was made from; None where it is no such copy."""
    try:
        return copied_from(Package(path))
    except WorkbookError:
        return None


def check_closed(place: Path) -> None:
    """Raises WorkbookError where the file is open in another program, as the lock file beside it says."""
    for name, program in ((f".~lock.{place.name}#", "LibreOffice"), (f"~${place.name}", "Excel")):
        if os.path.exists(place.with_name(name)):  # noqa: PTH110 - no name that is too long is there, nor an error
            raise refusal(
                FILE_OPEN,
                f"{place.name} is open in {program}",
                f"the next save in {program} would overwrite the results",
                f"close it, or {SUGGEST_OUTPUT}; if it is not open, delete the file {name} beside it",
            )


def check_permissions(place: Path) -> None:
    """Raises WorkbookError where the file or its folder is read-only."""
    if not place.parent.is_dir():
        return
    # the superuser may write everything, yet a file marked read-only is meant to stay as it is
    if place.exists() and not _may_write(place):
        raise refusal(
            "read-only",
            f"{place} is read-only",
            "results are written into it",
            f"make it writable, or {SUGGEST_OUTPUT}",
        )
    if not _may_write(place.parent):
        raise refusal(
            "read-only-folder",
            f"the folder {place.parent} is read-only",
            "the new file is made beside the old one before it takes its place",
            f"make it writable, or {SUGGEST_OUTPUT}",
        )


def check_unreserved(package: Package, place: Path) -> None:
    """Raises WorkbookError where the workbook may be changed by those only who know its password."""
    sharing = package.xml(package.workbook).find(f"{{{MAIN}}}fileSharing")
    reserved = sharing is not None and {"reservationPassword", "hashValue"} & set(sharing.attrib)
    if reserved and not is_copy(package.path, place):
        raise refusal(
            "reserved-workbook",
            f"{package.path.name} has a password that protects it from being changed",
            "results are written into it",
            f"save it without that password, or {SUGGEST_OUTPUT}",
        )


def _may_write(path: Path) -> bool:
    """Whether nothing marks a file or folder as read-only. On Windows such a mark on a folder only means that it is special."""
    is_marked = not path.stat().st_mode & WRITE_BITS and not (sys.platform == "win32" and path.is_dir())
    return os.access(path, os.W_OK) and not is_marked


def alternative_destinations(place: Path, source: Path) -> Iterator[Path]:
    """Files that may take the results instead of ``place``, best first: ``BOOK-results.xlsx`` and, if need be, with a number.

    Beside ``place`` an earlier copy of the same workbook may be replaced, else the name is free. The home folder and
    the one for temporary files follow, for the disk may be full or a folder on a network gone.
    """
    for folder in _folders(place):
        for number in count(1):
            ending = f"-results{'' if number == 1 else f'-{number}'}{source.suffix}"
            path = folder / fitting_name(place.stem, ending)
            if not os.path.lexists(path):
                yield path
                break
            if folder == place.parent and _is_earlier_copy(path, source):
                yield path


def _folders(place: Path) -> Iterator[Path]:
    yield place.parent
    with suppress(RuntimeError):
        yield Path.home()
    with suppress(OSError):
        yield Path(tempfile.gettempdir())


def _is_earlier_copy(path: Path, source: Path) -> bool:
    with suppress(WorkbookError):
        check_closed(path)
        check_permissions(path)
        return _original(path) == name_in_mark(source.name)
    return False
