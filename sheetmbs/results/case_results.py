"""The results of several cases of a workbook, and what they come to side by side in one file."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal

import numpy as np

from sheetmbs.measured.residuals import Residuals
from sheetmbs.measured.with_measured import pages_together
from sheetmbs.model.named import unknown_name
from sheetmbs.results.charting.overlays import overlaid
from sheetmbs.results.columns.collect import written
from sheetmbs.results.judging.notes import FEWER_ROWS, fewer_rows
from sheetmbs.results.results import Results, ResultsOfBook
from sheetmbs.workbook.reading.cases import deduplicate
from sheetmbs.workbook.sheets.sheet_contents import (
    MAX_LABEL,
    MAX_LABEL_OF_MANY,
    MovingPicture,
    ResultSheets,
    SheetSection,
    SummaryRow,
    SummaryValue,
    case_labels,
)
from sheetmbs.workbook.sheets.sheetxml import blocks

if TYPE_CHECKING:
    from pathlib import Path

    from sheetmbs.problems.errors import Problem
    from sheetmbs.schema.table import Table

COMPARED_ITEMS = (
    *("analysis", "status", "accuracy check", "position violation", "velocity violation", "energy drift"),
    *("bodies", "joints", "drivers and guiding columns", "degrees of freedom", "redundant constraints", "solve time"),
)
"""items of a summary that say something side by side, besides key results"""


Items = Sequence[tuple[str, SummaryValue, str]]


@dataclass(frozen=True, repr=False)
class CaseResults(ResultsOfBook, Mapping[str, Results]):
    """The results of an analysis in each case of a workbook: a mapping from the name of a case to its `Results`."""

    cases: Mapping[str, Results]
    """the results of the cases that were analysed"""
    refused: Mapping[str, Sequence[Problem]]
    """why the others could not be analysed, by case"""
    names: tuple[str, ...]
    """all cases, in the order of the workbook"""
    path: Path
    """the workbook"""
    content: bytes
    """its bytes as it was read"""

    def __repr__(self) -> str:
        """The cases, in a few words."""
        refused = f"; refused: {', '.join(self.refused)}" if self.refused else ""
        return f"<CaseResults {self.path.stem}: {', '.join(self.cases)}{refused}>"

    def __getitem__(self, case: str) -> Results:
        if case not in self.cases:
            raise KeyError(unknown_name(case, list(self.cases)))
        return self.cases[case]

    def __iter__(self) -> Iterator[str]:
        return iter(self.cases)

    def __len__(self) -> int:
        return len(self.cases)

    @property
    def measured(self) -> tuple[Residuals, ...]:
        """What was measured, beside what was computed in the case to which it belongs."""
        return tuple(each for results in self.cases.values() for each in results.measured)

    @property
    def status(self) -> Literal["done", "failed"]:
        """``failed`` where a case failed or could not be analysed."""
        is_done = not self.refused and all(results.status == "done" for results in self.cases.values())
        return "done" if is_done else "failed"

    @property
    def problems(self) -> tuple[Problem, ...]:
        """Problems of all cases, then those of some, with the names of these."""
        found = {
            name: self.refused[name] if name in self.refused else self[name].sheets.problems for name in self.names
        }
        tables = [table for results in self.cases.values() for table in results.sheets.tables]
        told = deduplicate(found)
        is_told = any(problem.code == FEWER_ROWS for problem in told)
        return (*told, *(() if is_told else fewer_rows(tables)))

    def _written(self) -> ResultSheets:
        """All cases in one: their tables under names of their own, their charts over each other, summaries side by side."""
        sheets = {case: written(results.sheets, results.model.settings.results) for case, results in self.cases.items()}
        tables = tables_of_cases(sheets, self.names)
        sections = merged_sections({case: each.sections for case, each in sheets.items() if each.sections})
        charts, remarks = overlaid(sheets, tables, sections)
        return ResultSheets(
            summary=(),
            tables=tuple(table for case in tables for table in tables[case]),
            charts=charts,
            problems=self.problems,
            sections=sections,
            remarks=remarks,
            cases=tuple(self.cases),
            side_by_side=side_by_side({case: each.summary for case, each in sheets.items()}),
            animation=_animation(self.cases),
            pages=pages_together([each.sheets for each in self.cases.values()], self.measured),
        )


def _animation(cases: Mapping[str, Results]) -> MovingPicture | None:
    """The motions of all cases in one picture."""
    pictures = {case: picture for case, results in cases.items() if (picture := results.animation())}
    if not pictures:
        return None
    from sheetmbs.results.pictures.moving_picture import picture_of_cases

    return picture_of_cases(pictures)


def tables_of_cases(sheets: Mapping[str, ResultSheets], names: Sequence[str]) -> dict[str, tuple[Table, ...]]:
    """The tables of each case under names of their own. sheets: by case; names: of all cases of the workbook."""
    goes_on = any(len(blocks(table)) > 1 for each in sheets.values() for table in each.tables)
    labels = case_labels(names, MAX_LABEL_OF_MANY if goes_on else MAX_LABEL)
    return {
        case: tuple(replace(table, name=f"{table.name} {labels[case]}", case=case) for table in each.tables)
        for case, each in sheets.items()
    }


def side_by_side(summaries: Mapping[str, Items]) -> tuple[SummaryRow, ...]:
    """The summaries of all cases side by side: common items and key results. What a case lacks is blank.

    An item stands before the one that it precedes in its own summary.
    """
    order: list[tuple[str, str]] = []
    for each in summaries.values():
        own = [(item, unit) for item, _, unit in _compared(each)]
        for place, item in enumerate(own):
            if item not in order:
                later = next((order.index(other) for other in own[place + 1 :] if other in order), len(order))
                order.insert(later, item)
    known = [{(item, unit): value for item, value, unit in each} for each in summaries.values()]
    return tuple((item, tuple(each.get((item, unit)) for each in known), unit) for item, unit in order)


def _compared(summary: Items) -> Iterator[tuple[str, SummaryValue, str]]:
    """The items to be compared: key results stand between the status and the accuracy check."""
    items = [item for item, _, _ in summary]
    first, last = items.index("status"), items.index("accuracy check")
    yield from (row for place, row in enumerate(summary) if row[0] in COMPARED_ITEMS or first < place < last)


def merged_sections(by_case: Mapping[str, Sequence[SheetSection]]) -> tuple[SheetSection, ...]:
    """The tables of all cases at rest, with a column for each; of one case alone as they are.

    Of vectors the size is compared, or where there is none each component in a table of its own.
    """
    if len(by_case) < 2:
        return tuple(section for sections in by_case.values() for section in sections)
    titles: dict[tuple[str, str], dict[str, dict[str, float]]] = {}
    for case, sections in by_case.items():
        for section in sections:
            single = len(section.heads) == 1 or section.heads[0] == "size"
            for k, head in enumerate(section.heads[:1] if single else section.heads):
                title = section.title if single else f"{section.title}: {head}"
                values = dict(zip(section.names, section.values[:, k].tolist(), strict=True))
                titles.setdefault((title, section.unit), {})[case] = values
    return tuple(_beside(title, unit, values, tuple(by_case)) for (title, unit), values in titles.items())


def _beside(title: str, unit: str, values: Mapping[str, Mapping[str, float]], cases: tuple[str, ...]) -> SheetSection:
    names = tuple(dict.fromkeys(name for each in values.values() for name in each))
    numbers = [[values.get(case, {}).get(name, np.nan) for case in cases] for name in names]
    return SheetSection(title, unit, cases, names, np.array(numbers))
