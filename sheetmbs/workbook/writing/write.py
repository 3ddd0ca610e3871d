"""Results into the workbook they came from, or into a copy, with everything else untouched; read back before it is replaced."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from io import BytesIO
from itertools import chain
from os import PathLike
from pathlib import Path
from time import perf_counter
from zipfile import ZipInfo

from sheetmbs.problems.errors import Problem, WorkbookError
from sheetmbs.schema.cell import column_letters
from sheetmbs.schema.table import Table
from sheetmbs.workbook.charts.restsheet import extent, sections_sheet
from sheetmbs.workbook.package.archive import check_file_name, damaged, read_file, refusal, unzip
from sheetmbs.workbook.package.destination import (
    FILE_OPEN,
    RESULTS_ELSEWHERE,
    alternative_destinations,
    backup_of,
    check_backup,
    check_closed,
    check_permissions,
    check_target,
    check_unreserved,
    destination_of,
    is_copy,
)
from sheetmbs.workbook.package.ownership import copied_from, foreign_sheets, own_sheets
from sheetmbs.workbook.package.package import Package
from sheetmbs.workbook.package.parts import FILTERED, PRINT_AREA, PRINT_TITLES, RELATIONSHIPS_TYPE
from sheetmbs.workbook.package.partxml import check_xml
from sheetmbs.workbook.package.references import References
from sheetmbs.workbook.package.replace import replace_file
from sheetmbs.workbook.sheets.newsheet import NewSheet
from sheetmbs.workbook.sheets.problemsheet import MAX_PROBLEMS, problems_sheet
from sheetmbs.workbook.sheets.sheet_contents import (
    CHARTS,
    EQUILIBRIUM,
    PROBLEMS,
    STUDY_SHEETS,
    SUMMARY,
    WRITE_TIME,
    ResultSheets,
    SummaryRow,
)
from sheetmbs.workbook.sheets.sheetxml import (
    SheetSetting,
    Shown,
    blocks,
    empty_sheet,
    filtered_cells,
    printed_cells,
    table_sheet,
)
from sheetmbs.workbook.sheets.summarysheet import summary_cells, summary_sheet
from sheetmbs.workbook.writing.merge import Merge
from sheetmbs.workbook.writing.printed_inputs import NOTHING, printed_inputs
from sheetmbs.workbook.writing.update_existing import ExistingResults

EMPTIED = {PROBLEMS: partial(problems_sheet, (), ())}
"""what stays of sheets to which something of the user's refers, when there is nothing to write on them"""
MAX_CELL_BYTES = 64
"""bytes of XML that a number takes at most"""
PARSED = 1 << 20
"""Bytes up to which a new part is parsed; larger ones are rows of numbers, which their checksum vouches for"""


def write_results(
    source: Path,
    target: str | PathLike[str] | None,
    sheets: ResultSheets,
    *,
    content: bytes | None = None,
    backup: bool = False,
    tell: Callable[[Problem], None] | None = None,
) -> Path:
    """Write result sheets and charts into a workbook, in place of those of an earlier run.

    source: the workbook that was analysed. content: its bytes then, if they may have changed since. target: a copy to write
    instead, or None. backup: keep the workbook as it was before, beside it. An empty item `write time` of the summary, which
    is written last, receives the seconds spent on all else.

    Returns the file written, links followed. Where the place cannot be had, for it is open, was changed meanwhile or
    refuses, that is another one, and ``tell`` gets the reason. It also gets which of the user's references have lost their
    results. Raises WorkbookError where no place can be had; every file is then as it was.
    """
    began = perf_counter()
    package = Package(source, content)
    _check_sheets(package)
    place = destination_of(source, target)
    copy_of = source.name if is_copy(source, place) else None
    told: list[Problem] = []
    try:
        if copy_of is None:
            package = _as_it_is_now(package)
        _check_place(source, place)
        merge, problems = _merged(package, sheets, began, copy_of)
        _store(merge, package, place, backup=backup)
    except WorkbookError as reason:
        merge, problems = _merged(package, sheets, began, source.name)
        instead = _store_elsewhere(merge, package, place)
        if instead is None:
            raise
        where, why = f"the results are in {instead} instead", reason.problems[0]
        told.append(Problem(RESULTS_ELSEWHERE, "warning", "", why.found, where, why.mend))
        place = instead
    for problem in (*problems, *told):
        if tell is not None:
            tell(problem)
    return place


def _merged(
    package: Package, sheets: ResultSheets, began: float, copy_of: str | None
) -> tuple[Merge, tuple[Problem, ...]]:
    """Results in a workbook, and what the user must know about references to them."""
    references = References(package, CHARTS, EMPTIED.keys())
    rerun = ExistingResults(package, sheets, references)
    contents = _study_contents(rerun) if sheets.is_study else _contents(rerun, began)
    stay = {name for name in own_sheets(package) if (name in STUDY_SHEETS) != sheets.is_study}
    printed = printed_inputs(package, are_printed=sheets.printed is None)
    if sheets.printed is not None:
        contents = [sheet if sheet.name in sheets.printed else _unprinted(sheet) for sheet in contents]
    merge = Merge(package, contents, references, keep=stay, emptied=EMPTIED, copy_of=copy_of, printed=printed)
    return merge, (*rerun.problems, *merge.problems)


def _unprinted(sheet: NewSheet) -> NewSheet:
    """A sheet of which a blank cell is printed, which is nothing."""
    kept = {name: cells for name, cells in sheet.ranges.items() if name == FILTERED}
    return replace(sheet, ranges={**kept, PRINT_AREA: NOTHING})


def write_problems(source: Path, problems: Sequence[Problem]) -> None:
    """Write the sheet `mbs Problems` into a workbook and nothing else; without problems, take an earlier one away.

    Where something of the user's refers to that, its headers stay. Raises WorkbookError where the workbook cannot be written
    or is open in another program; it is then as it was.
    """
    package = Package(source)
    names = [sheet.name for sheet in package.sheets]
    if not problems and PROBLEMS not in names:
        return
    is_open = check_writable(source, None)
    if is_open is not None:
        raise WorkbookError(is_open)
    keep = own_sheets(package).keys() - {PROBLEMS}
    merge = Merge(package, _problems(problems, names), keep=keep, emptied=EMPTIED, copy_of=copied_from(package))
    _store(merge, package, destination_of(source, None))


def check_writable(source: Path, target: str | PathLike[str] | None, content: bytes | None = None) -> Problem | None:
    """Find out, before an analysis is begun, whether its results could be written.

    content: the bytes of the workbook where they were read already.

    Returns the one problem that `write_results` can evade and that the user may correct until then: the file is open in
    another program, whose next save would overwrite the results. Raises WorkbookError with all reasons why they could not
    be written.
    """
    package = Package(source, content)
    place = destination_of(source, target)
    check_file_name(place, "give the copy another name")
    problems: list[Problem] = []
    for check in (
        partial(_check_sheets, package),
        partial(_check_merging, package),
        partial(check_target, source, place),
        partial(check_closed, place),
        partial(check_permissions, place),
        partial(check_unreserved, package, place),
    ):
        try:
            check()
        except WorkbookError as error:
            problems += error.problems
    if any(problem.code != FILE_OPEN for problem in problems):
        raise WorkbookError(problems)
    return problems[0] if problems else None


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


def _check_merging(package: Package) -> None:
    """Raises WorkbookError where a part is damaged that a run keeps, also one that reading does not look at."""
    _merged(package, ResultSheets((), ()), 0.0, None)
    replaced = {
        sheet.part for name, sheet in own_sheets(package).items() if name != CHARTS and name not in STUDY_SHEETS
    }
    package.verify(name for name in package.names if name not in replaced)


def _with_empty_results(package: Package) -> Merge:
    """The workbook as any run leaves it, but for what stands on sheets of results."""
    return Merge(package, [NewSheet(SUMMARY, empty_sheet)], printed=printed_inputs(package))


def _check_place(source: Path, place: Path) -> None:
    check_target(source, place)
    check_closed(place)
    check_permissions(place)


def _as_it_is_now(package: Package) -> Package:
    """The workbook as it stands in the folder now. Raises WorkbookError where more than results changed since it was read."""
    content = read_file(package.path)
    if content == package.content:
        return package
    now = Package(package.path, content)
    if _stored(_with_empty_results(now)) != _stored(_with_empty_results(package)):
        raise _changed(package)
    return now


def _stored(merge: Merge) -> bytes:
    file = BytesIO()
    merge.write(file)
    return file.getvalue()


def _changed(package: Package) -> WorkbookError:
    return refusal(
        "changed-meanwhile",
        f"{package.path.name} was changed since it was read",
        "nothing saved in the meantime may be lost",
        "run again",
    )


def _contents(rerun: ExistingResults, began: float) -> list[NewSheet]:
    """All result sheets in their order. began: see `_summary`."""
    summary = partial(_summary, rerun.summary, rerun.heads, rerun.shown(SUMMARY), began)
    drawing, cells = rerun.drawing(SUMMARY), summary_cells(rerun.summary, rerun.heads)
    contents = [NewSheet(SUMMARY, summary, cells, drawing=drawing, is_last=True, ranges={PRINT_TITLES: "$1:$1"})]
    if rerun.sections:
        rows = partial(sections_sheet, "Equilibrium", rerun.sections)
        drawing, ranges = rerun.drawing(EQUILIBRIUM), {PRINT_TITLES: "$1:$2"}
        contents.append(NewSheet(EQUILIBRIUM, rows, extent(rerun.sections), drawing=drawing, ranges=ranges))
    contents += [sheet for sheet in (rerun.charts, rerun.animation) if sheet]
    contents += chain.from_iterable(_table(table, rerun) for table in rerun.tables)
    contents += _table(rerun.data, rerun) if rerun.data else []
    contents += rerun.pages
    contents.sort(key=lambda sheet: rerun.first.index(sheet.name) if sheet.name in rerun.first else len(rerun.first))
    names = [sheet.name for sheet in rerun.package.sheets]
    return contents + _problems(rerun.all_problems, [*names, *(content.name for content in contents)])


def _study_contents(rerun: ExistingResults) -> list[NewSheet]:
    """The sheets of a design study in their order."""
    contents = [*chain.from_iterable(_table(table, rerun) for table in rerun.tables), *rerun.pages]
    return sorted(contents, key=lambda sheet: rerun.first.index(sheet.name))


def _table(table: Table, rerun: ExistingResults) -> Iterator[NewSheet]:
    """The sheets that a table needs."""
    for block in blocks(table):
        name, size = block.sheet, MAX_CELL_BYTES * block.rows * len(block.columns)
        rows = partial(table_sheet, block, rerun.changed_columns(block), rerun.remarks.get(name, ""))
        ranges = {PRINT_TITLES: f"$A:${column_letters(table.repeated)},$1:$2", PRINT_AREA: printed_cells(block)}
        ranges |= {FILTERED: filtered_cells(block)} if table.has_filter else {}
        notes = {(1, place): table.notes[i] for place, i in enumerate(block.columns, start=1) if i in table.notes}
        drawing, tables = rerun.drawing(name), rerun.held_tables(block)
        yield NewSheet(name, rows, block.cells, size, drawing, tables, ranges=ranges, notes=notes)


def _summary(
    rows: Sequence[SummaryRow], heads: Sequence[str], shown: Mapping[str, Shown], began: float, setting: SheetSetting
) -> Iterator[bytes]:
    """The summary, with what was spent on writing since ``began`` (`time.perf_counter()`) until now."""
    spent = (perf_counter() - began,)
    filled = [
        (item, spent if item == WRITE_TIME and values == (None,) else values, unit) for item, values, unit in rows
    ]
    return summary_sheet(filled, heads, shown, setting)


def _problems(problems: Sequence[Problem], names: Sequence[str]) -> list[NewSheet]:
    if not problems:
        return []
    last = min(len(problems), MAX_PROBLEMS) + 1
    ranges = {FILTERED: f"$A$1:$E${last}", PRINT_TITLES: "$1:$1"}
    return [NewSheet(PROBLEMS, partial(problems_sheet, problems, names), f"A1:E{last}", ranges=ranges)]


def _store(merge: Merge, package: Package, place: Path, *, backup: bool = False) -> None:
    def check(written: Path) -> None:
        check_written(merge, package, written)
        if is_copy(package.path, place):
            return
        if package.path.read_bytes() != package.content:
            raise _changed(package)
        if backup:
            check_backup(place)
            replace_file(backup_of(place), place, lambda file: file.write(package.content))

    replace_file(place, package.path, merge.write, check)


def _store_elsewhere(merge: Merge, package: Package, place: Path) -> Path | None:
    """Write a copy of the workbook with results somewhere else than at ``place``; None where nothing can be written."""
    for instead in alternative_destinations(place, package.path):
        with suppress(WorkbookError):
            _store(merge, package, instead)
            return instead
    return None


def check_written(merge: Merge, source: Package, written: Path) -> None:
    """Raises WorkbookError unless every part unpacks, the user's parts and sheets are as they were, and ours are sound.

    source: the workbook as it was. written: the new file.
    """
    try:
        package = Package(written)
        package.verify(set(package.names) - merge.new_parts.keys())
        _check_parts(merge, source, package)
    except WorkbookError as error:
        found = error.problems[0].found.replace(written.name, source.path.name)
        raise refusal(
            "not-written",
            f"the new file is not sound: {found}",
            "it was read back before it took its place; the workbook is unchanged",
            "run again; if that does not help, report it as the README says",
        ) from None


def _check_parts(merge: Merge, source: Package, package: Package) -> None:
    with unzip(package.content) as archive:
        entries = {entry.filename: entry for entry in archive.infolist()}
    changed = [entry.filename for entry in merge.untouched() if _differs(entry, entries.get(entry.filename))]
    if changed:
        raise damaged(f"it does not hold {', '.join(changed)} as before")
    ours, users = set(merge.sheets), [sheet.name for sheet in source.sheets if sheet.name not in own_sheets(source)]
    listed = [sheet.name for sheet in package.sheets]
    if not ours.issubset(listed) or [name for name in listed if name not in ours] != users:
        raise damaged(f"it lists the sheets {', '.join(listed)}")
    for part, content_type in merge.new_parts.items():
        by_ending = RELATIONSHIPS_TYPE if part.endswith(".rels") else ""
        if package.content_type(part) != (content_type or source.content_type(part) or by_ending):
            raise damaged(f"it does not say what {part} is")
        if package.size(part) <= PARSED:
            check_xml(package.stream(part), part)
        else:
            package.verify([part])
        astray = _astray(package, part) - _astray(source, part)
        if astray:
            raise damaged(f"it lacks {', '.join(sorted(astray))}, to which {part} leads")


def _differs(entry: ZipInfo, now: ZipInfo | None) -> bool:
    return now is None or (now.CRC, now.file_size) != (entry.CRC, entry.file_size)


def _astray(package: Package, part: str) -> set[str]:
    """Relationships of a part whose targets are missing."""
    targets = (arrow.target for arrow in package.relationships(part).values() if not arrow.external)
    return {target for target in targets if package.find(target) is None}
