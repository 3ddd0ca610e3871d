"""The round trip: results into the workbook they came from, or into a copy of it, everything else untouched."""

from __future__ import annotations

import os
import zipfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from io import BytesIO
from itertools import chain
from os import PathLike
from pathlib import Path
from time import perf_counter

from sheetmbs.errors import Problem, WorkbookError
from sheetmbs.workbook.archive import refusal
from sheetmbs.workbook.merge import Merge, NewSheet
from sheetmbs.workbook.ownership import copied_from, foreign_sheets, own_sheets
from sheetmbs.workbook.package import Package
from sheetmbs.workbook.references import References
from sheetmbs.workbook.replace import OFFER_COPY, WRITE_BITS, replace_file
from sheetmbs.workbook.rerun import Rerun
from sheetmbs.workbook.sheets import CHARTS, PROBLEMS, SUMMARY, WRITE_TIME, ResultSheets, SummaryValue
from sheetmbs.workbook.sheetxml import Setting, Shown, blocks, problems_sheet, summary_sheet, table_sheet

LONGEST_CELL = 64
"""bytes of XML that a number takes at most"""


def write_results(
    source: Path,
    target: str | PathLike[str] | None,
    sheets: ResultSheets,
    *,
    tell: Callable[[Problem], None] | None = None,
) -> Path:
    """Write result sheets and charts into a workbook, in place of those of an earlier run.

    source: the workbook that was read. target: a copy to write instead, or None. tell: told, once they are written, which
    of the user's references have lost their results. Returns the file written, links followed. An empty item `write time`
    of the summary, which is written last, receives the seconds spent on all else.
    Raises WorkbookError where it cannot be written; every file is then as it was.
    """
    began = perf_counter()
    check_writable(source, target)
    package = Package(source)
    place = _place(source, target)
    copy_of = source.name if target is not None and not _is_same(source, target) else None
    references = References(package, CHARTS)
    rerun = Rerun(package, sheets, references)
    merge = Merge(package, _contents(rerun, began), references, copy_of=copy_of)
    _store(merge, package, place)
    if tell is not None:
        for problem in rerun.problems:
            tell(problem)
    return place


def write_problems(source: Path, problems: Sequence[Problem]) -> None:
    """Write the sheet `mbs Problems` into a workbook and nothing else; without problems, take an earlier one away.

    Raises WorkbookError where the workbook cannot be written; it is then as it was.
    """
    check_writable(source, None)
    package = Package(source)
    names = [sheet.name for sheet in package.sheets]
    if not problems and PROBLEMS not in names:
        return
    keep = own_sheets(package).keys() - {PROBLEMS}
    merge = Merge(package, _problems(problems, names), keep=keep, copy_of=copied_from(package))
    _store(merge, package, _place(source, None))


def check_writable(source: Path, target: str | PathLike[str] | None) -> None:
    """Find out, before an analysis is begun, whether its results could be written.

    Raises WorkbookError with every reason why not. A workbook open in another program is refused, for what that program
    saves next would wipe out the results.
    """
    package = Package(source)
    place = _place(source, target)
    problems: list[Problem] = []
    for check in (
        partial(_check_sheets, package),
        partial(_check_target, source, target, place),
        partial(_check_not_open, place),
        partial(_check_permissions, place),
    ):
        try:
            check()
        except WorkbookError as error:
            problems += error.problems
    if problems:
        raise WorkbookError(problems)


def _place(source: Path, target: str | PathLike[str] | None) -> Path:
    return Path(os.path.realpath(source if target is None else target))


def _is_same(source: Path, target: str | PathLike[str]) -> bool:
    return Path(os.path.realpath(source)) == Path(os.path.realpath(target))


def _check_sheets(package: Package) -> None:
    foreign = foreign_sheets(package)
    if foreign:
        raise WorkbookError(
            [
                Problem(
                    "foreign-sheet",
                    "error",
                    name,
                    f"the sheet {name} was not written by sheetmbs",
                    "sheets whose names begin with 'mbs ' are kept for results and replaced by every run",
                    "rename it, or delete it",
                )
                for name in foreign
            ]
        )


def _check_target(source: Path, target: str | PathLike[str] | None, place: Path) -> None:
    if target is None or _is_same(source, target):
        return
    if place.suffix.casefold() != source.suffix.casefold():
        raise refusal(
            "output-type",
            f"{place.name} does not end in {source.suffix}",
            "a copy has the same type as its workbook, for macros stand in .xlsm only",
            f"name it {place.with_suffix(source.suffix).name}",
        )
    if not place.parent.is_dir():
        raise refusal(
            "no-folder", f"there is no folder {place.parent}", "a copy needs a folder", "make it, or name another one"
        )
    if place.is_dir():
        raise refusal("output-is-folder", f"{place} is a folder", "a copy is a file", "name a file in it")
    if place.exists() and not _is_earlier_copy(place):
        raise refusal(
            "foreign-output",
            f"{place} exists and is no copy that sheetmbs made",
            "--output replaces only a copy that an earlier run made",
            "give another name, or delete that file",
        )


def _is_earlier_copy(path: Path) -> bool:
    try:
        return copied_from(Package(path)) is not None
    except WorkbookError:
        return False


def _check_not_open(place: Path) -> None:
    for name, program in ((f".~lock.{place.name}#", "LibreOffice"), (f"~${place.name}", "Excel")):
        lock = place.with_name(name)
        if lock.exists():
            raise refusal(
                "file-open",
                f"{place.name} is open in {program}",
                f"what {program} saves next would wipe out the results",
                f"close it, or {OFFER_COPY}; if it is not open, delete the file {name} beside it",
            )


def _check_permissions(place: Path) -> None:
    if not place.parent.is_dir():
        return
    # the superuser may write everything, yet a file marked read-only is meant to stay as it is
    if place.exists() and not (os.access(place, os.W_OK) and place.stat().st_mode & WRITE_BITS):
        raise refusal(
            "read-only",
            f"{place} is read-only",
            "results are written into it",
            f"make it writable, or {OFFER_COPY}",
        )
    if not (os.access(place.parent, os.W_OK) and place.parent.stat().st_mode & WRITE_BITS):
        raise refusal(
            "read-only-folder",
            f"the folder {place.parent} is read-only",
            "the new file is made beside the old one before it takes its place",
            f"make it writable, or {OFFER_COPY}",
        )


def _contents(rerun: Rerun, began: float) -> list[NewSheet]:
    """All result sheets in their order. began: see `_summary`."""
    summary = partial(_summary, rerun.summary, rerun.shown(SUMMARY), began)
    contents = [NewSheet(SUMMARY, summary, drawing=rerun.drawing(SUMMARY), is_last=True)]
    for block in chain.from_iterable(blocks(table) for table in rerun.tables):
        name, size = block.sheet, LONGEST_CELL * block.rows * len(block.columns)
        rows = partial(table_sheet, block, rerun.shown(name), rerun.remarks.get(name, ""))
        contents.append(NewSheet(name, rows, block.cells, size, rerun.drawing(name), rerun.held_tables(block)))
    contents += [rerun.charts] if rerun.charts else []
    names = [sheet.name for sheet in rerun.package.sheets]
    return contents + _problems(rerun.all_problems, [*names, *(content.name for content in contents)])


def _summary(
    summary: Sequence[tuple[str, SummaryValue, str]], shown: Mapping[str, Shown], began: float, setting: Setting
) -> Iterator[bytes]:
    """The summary, with what was spent on writing since ``began`` (`time.perf_counter()`) until now."""
    spent = perf_counter() - began
    filled = [(item, spent if item == WRITE_TIME and value is None else value, unit) for item, value, unit in summary]
    return summary_sheet(filled, shown, setting)


def _problems(problems: Sequence[Problem], names: Sequence[str]) -> list[NewSheet]:
    return [NewSheet(PROBLEMS, partial(problems_sheet, problems, names))] if problems else []


def _store(merge: Merge, package: Package, place: Path) -> None:
    def check(written: Path) -> None:
        _check_written(merge, written)
        if package.path.read_bytes() != package.content:
            raise refusal(
                "changed-meanwhile",
                f"{package.path.name} was changed while its results were being written",
                "nothing that was saved meanwhile may be lost",
                "run again",
            )

    replace_file(place, package.path, merge.write, check)


def _check_written(merge: Merge, written: Path) -> None:
    """Read the new file back: every part unpacks, the user's are as they were, and the sheets are listed."""
    package = Package(written)
    package.verify()
    with zipfile.ZipFile(BytesIO(package.content)) as archive:
        checksums = {entry.filename: entry.CRC for entry in archive.infolist()}
    lost = [entry.filename for entry in merge.untouched() if checksums.get(entry.filename) != entry.CRC]
    listed = {sheet.name for sheet in package.sheets}
    if lost or not listed.issuperset(merge.sheets):
        raise refusal(
            "not-written",
            f"the new file lacks {', '.join(lost) or 'a result sheet'}",
            "it was read back before it took its place, and it was not sound",
            "tell the authors of sheetmbs; the workbook is as it was",
        )
