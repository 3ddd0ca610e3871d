"""A workbook on a page: analysed, with variants of its study beside it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING

from sheetmbs import study
from sheetmbs.design_study import ComparisonVariants, read_variants
from sheetmbs.gait_study import run_gait
from sheetmbs.problems.errors import Problem, WorkbookError
from sheetmbs.schema.cell import NO_CHANGES, Changes
from sheetmbs.suspension_study import run_suspension
from sheetmbs.viewing.viewed import Analysed, Viewed
from sheetmbs.workbook.sheets.sheet_contents import STUDY

if TYPE_CHECKING:
    from sheetmbs.viewing.packed import Json

Progress = Callable[[float], None]


def view(
    book: str | PathLike[str], *, case: str | None = None, variants: str | None = None, progress: Progress | None = None
) -> Viewed:
    """Analyse whatever a workbook holds, and make of it what a page shows. It is only read.

    Parameters
    ----------
    book
        The workbook.
    case
        One of its cases, sweeps or trials; default: all of them.
    variants
        Numbers of variants of its study that are drawn beside it, such as ``"3; 17-20"``, or ``"none"``. Default: the best
        one, or some of the Pareto front, or some of all where the study marks none; without a study none.
    progress
        A function that is called now and then with the fraction done, 0 to 1.

    Returns
    -------
    Viewed
        The document of the page, and ``write`` to make it one file.

    Raises
    ------
    WorkbookError
        If the workbook cannot be analysed, or has no such case or variants.
    """
    beside, doubts = _read_variants(Path(book), variants)
    parts = 1 + (len(beside.rows) if beside else 0)
    shown = analysed(book, case=case, all_cases=case is None, progress=study.part_of(progress, 0, parts)).viewed()
    if beside is not None:
        others: dict[str, Json] = {}
        for number, (row, cells) in enumerate(zip(beside.rows, beside.cells, strict=True), start=1):
            told = study.part_of(progress, number, parts)
            try:
                varied = analysed(book, case=case, all_cases=case is None, changes=cells, progress=told).viewed()
                others[row.title] = varied.document
            except WorkbookError as error:
                doubts.append(_not_drawn(row.title, error))
        shown = shown.beside(others, _values(beside, others))
    return shown.doubted(doubts)


def analysed(
    book: str | PathLike[str],
    *,
    case: str | None = None,
    all_cases: bool = False,
    changes: Changes = NO_CHANGES,
    progress: Progress | None = None,
) -> Analysed:
    """Analyse whatever a workbook holds: a model, a suspension or gait. It is only read.

    case: one of its cases, sweeps or trials, None: the one that it names. all_cases: all of them, if it has any. changes: as
    in `sheetmbs.read`. progress: a function that is called now and then with the fraction done, 0 to 1. Raises WorkbookError.
    """
    kind = study.kind_of(book, changes=changes)
    if kind == "suspension":
        return Analysed(kind, run_suspension(book, changes=changes), case)
    if kind == "gait":
        return Analysed(kind, run_gait(book, changes=changes), case)
    names = {each.name: each.is_default for each in study.cases(book)} if all_cases else {}
    if names:
        chosen = next((name for name in names if names[name]), None)
        return Analysed(kind, study.run_cases(book, changes=changes, progress=progress), chosen)
    return Analysed(kind, study.run(study.read(book, case=case, changes=changes), progress=progress), case)


def _read_variants(book: Path, asked: str | None) -> tuple[ComparisonVariants | None, list[Problem]]:
    """Variants, and why there are none: where nobody asked for them, a study that cannot be read costs no page."""
    try:
        return read_variants(book, asked), []
    except WorkbookError as error:
        if asked is not None:
            raise
        return None, [_not_drawn("the study", error)]


def _not_drawn(what: str, error: WorkbookError) -> Problem:
    first = error.problems[0]
    why = ": ".join(filter(None, (first.found, first.problem)))
    return Problem("not-beside", "warning", first.cell or STUDY, f"{what} is not drawn", why, first.mend)


def _values(beside: ComparisonVariants, drawn: Mapping[str, Json]) -> Json:
    """The table of what differs between variants that are drawn."""
    rows = [beside.as_it_is, *(row for row in beside.rows if row.title in drawn)]
    values = [{**row.values, **row.responses} for row in rows]
    return {
        "title": "Variants",
        "unit": "",
        "heads": [rows[0].name, *(f"{row.number} {row.mark}".strip() for row in rows[1:])],
        "names": [f"{name} [{unit}]" if unit else name for name, unit in beside.units.items()],
        "values": [[each[name] for each in values] for name in beside.units],
    }
