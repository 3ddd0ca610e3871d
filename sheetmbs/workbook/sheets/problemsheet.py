"""The sheet `mbs Problems`, and links from cells of our sheets to others."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from sheetmbs.problems.errors import Problem
from sheetmbs.problems.listing import ListedProblem, fair_part, grouped
from sheetmbs.workbook.package.printing import text
from sheetmbs.workbook.sheets.page_contents import LookedCell
from sheetmbs.workbook.sheets.sheetxml import SheetSetting, closing, height, opening, row_xml, usual

TAB_PROBLEMS = "FFB42318"
MAX_PROBLEMS = 5_000
"""rows of the sheet: more than anybody reads, and few enough for formulas that look cells up in them"""
MAX_NAMED_RANGES = 4
"""ranges of cells named in a row that stands for several"""
PROBLEM_WIDTHS = (11.0, 20.0, 34.0, 46.0, 54.0)
ONE_CELL = re.compile("[A-Z]{1,3}[0-9]{1,7}")


def problems_sheet(problems: Sequence[Problem], sheets: Sequence[str], setting: SheetSetting) -> Iterator[bytes]:
    """A row per problem, with a link to its cell; of very many, a part and how many more there are.

    Of equal problems of a column one row is seen, which tells of all; those of the others are folded away below it. The
    address stands alone in its cell, so that formulas can look it up. sheets: names of the workbook's sheets; a cell on
    another one, and several cells, get no link.
    """
    listed = [row for entry, same in grouped(fair_part(problems, MAX_PROBLEMS)) for row in _as_rows(entry, same)]
    left_out, last = len(problems) - len(listed), len(listed) + 1
    yield opening(
        setting,
        f"A1:E{last + bool(left_out)}",
        tab=TAB_PROBLEMS,
        frozen=(0, 1),
        columns=usual(PROBLEM_WIDTHS),
        fit=True,
        rows="folded" if any(folded for _problem, folded in listed) else "",
    )
    heads = [(head, "header text") for head in ("severity", "cell", "found", "problem", "mend")]
    yield row_xml(1, heads, setting.formats, 20).encode()
    links: list[str] = []
    for number, (problem, folded) in enumerate(listed, start=2):
        place = location(problem.cell, sheets)
        links += [hyperlink(f"B{number}", place, problem.cell)] if place else []
        cells: list[LookedCell] = [
            (problem.severity, problem.severity),
            (problem.cell, "link" if place else "text"),
            *((part, "text") for part in (problem.found, problem.problem, problem.mend)),
        ]
        yield row_xml(number, cells, setting.formats, height(cells, PROBLEM_WIDTHS), folded).encode()
    if left_out:
        more = (f"and {left_out:,} more", f"this list ends after {len(listed):,}", "correct these, and check again")
        cells = [("", "text"), ("", "text"), *((part, "text") for part in more)]
        yield row_xml(last + 1, cells, setting.formats, height(cells, PROBLEM_WIDTHS)).encode()
    filtered = f'<autoFilter ref="A1:E{last}"/>' if listed else ""
    linked = f"<hyperlinks>{''.join(links)}</hyperlinks>" if links else ""
    setup = '<pageSetup paperSize="9" orientation="landscape" fitToHeight="0"/>'
    yield closing(setting, setup, before=filtered + linked)


def _as_rows(entry: ListedProblem, same: Sequence[Problem]) -> Iterator[tuple[Problem, str]]:
    """The problems of an entry with what their rows say of folding; the first one tells of all."""
    if entry.count == 1:
        yield entry.problem, ""
        return
    others = f" and others, down to {entry.cells[-1].rpartition(':')[2]}" if len(entry.cells) > MAX_NAMED_RANGES else ""
    where = ", ".join(each.rpartition("!")[2] for each in entry.cells[:MAX_NAMED_RANGES]) + others
    yield replace(entry.problem, found=f"{entry.found} ({entry.count:,} times: {where})"), ' collapsed="1"'
    for problem in same[1:]:
        yield problem, ' outlineLevel="1" hidden="1"'


def location(cell: str, sheets: Sequence[str]) -> str:
    """The target of a link to ``Sheet!C7``, or ``""``; a sheet's name alone leads to its first cell."""
    sheet, _, address = (cell, "!", "A1") if cell in sheets else cell.rpartition("!")
    if sheet not in sheets or not ONE_CELL.fullmatch(address):
        return ""
    quoted = sheet.replace("'", "''")
    return f"'{quoted}'!{address}"


def hyperlink(reference: str, place: str, shown: str) -> str:
    """A cell's link to another one."""
    return f'<hyperlink ref="{reference}" location="{text(place)}" display="{text(shown)}"/>'
