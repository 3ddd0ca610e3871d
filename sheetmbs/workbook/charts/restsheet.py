"""The sheet `mbs Equilibrium`: what is found at rest, one element a row, table below table."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from sheetmbs.schema.cell import cell_name
from sheetmbs.workbook.charts.panels import PanelColumn
from sheetmbs.workbook.package.references import Range
from sheetmbs.workbook.sheets.page_contents import LookedCell
from sheetmbs.workbook.sheets.previous_results import PreviousResults
from sheetmbs.workbook.sheets.sheet_contents import EQUILIBRIUM, SheetSection
from sheetmbs.workbook.sheets.sheetxml import SheetSetting, Shown, closing, look_of_list, opening, row_xml

FIRST_ROW = 4
"""of the first table, below the title of the sheet and what is said about signs"""
SIGN_REMARK = "Spring forces are positive where they pull their ends together; reactions are those that act on body i."
NAME_WIDTH, NUMBER_WIDTH, UNIT_WIDTH = 24.0, 14.0, 8.0


def places(sections: Sequence[SheetSection]) -> Iterator[tuple[SheetSection, int]]:
    """The tables, and in which row of the sheet each begins with its heads."""
    first = FIRST_ROW
    for section in sections:
        yield section, first
        first += len(section.names) + 2


def extent(sections: Sequence[SheetSection]) -> str:
    """The range of cells of the sheet."""
    last = FIRST_ROW - 1 + sum(len(section.names) + 2 for section in sections)
    width = max((len(section.heads) for section in sections), default=1) + 2
    return f"A1:{cell_name(max(last - 1, 1), width)}"


def section_columns(sections: Sequence[SheetSection]) -> dict[str, PanelColumn]:
    """Names and numbers of every table, by what charts call them, and as ``sheet!name``."""
    columns: dict[str, PanelColumn] = {}
    for section, first in places(sections):
        none = np.zeros(0)
        found = [
            PanelColumn(section.title, "", "", EQUILIBRIUM, 1, none, first + 1, section.names, word=""),
            *(
                PanelColumn(
                    section.column(head), section.unit, "", EQUILIBRIUM, place, values, first + 1, word=head, title=head
                )
                for place, (head, values) in enumerate(zip(section.heads, section.values.T, strict=True), start=2)
            ),
        ]
        columns |= {column.name: column for column in found}
        columns |= {f"{EQUILIBRIUM}!{column.name}": column for column in found}
    return columns


def sections_sheet(title: str, sections: Sequence[SheetSection], setting: SheetSetting) -> Iterator[bytes]:
    """Contents of the sheet."""
    most = max((len(section.heads) for section in sections), default=1)
    widest = max((len(name) for section in sections for name in (section.title, *section.names)), default=0)
    widths = (max(NAME_WIDTH, 1.1 * widest + 2), *(NUMBER_WIDTH for _ in range(most)), UNIT_WIDTH)
    columns = {place: Shown(width) for place, width in enumerate(widths, start=1)}
    yield opening(setting, extent(sections), columns=columns, fit=True)
    yield row_xml(1, [(title, "title")], setting.formats, 28).encode()
    yield row_xml(2, [(SIGN_REMARK, "remark")], setting.formats, 20).encode()
    alike: dict[str, list[NDArray[np.float64]]] = {}
    for section in sections:
        alike.setdefault(section.unit, []).append(section.values.ravel())
    for section, first in places(sections):
        blank: list[LookedCell] = [("", "header")] * (most - len(section.heads))
        heads: list[LookedCell] = [(section.title, "header text"), *((head, "header") for head in section.heads)]
        yield row_xml(first, [*heads, *blank, ("", "header text")], setting.formats, 20).encode()
        look = look_of_list(np.concatenate(alike[section.unit]))
        for number, (name, values) in enumerate(
            zip(section.names, section.values.tolist(), strict=True), start=first + 1
        ):
            cells: list[LookedCell] = [(name, "item"), *((value, look) for value in values)]
            cells += [("", "value")] * (most - len(section.heads))
            yield row_xml(number, [*cells, (section.unit, "unit")], setting.formats).encode()
    setup = '<pageSetup paperSize="9" orientation="portrait" fitToHeight="0"/>'
    yield closing(setting, setup)


def named_cells(sections: Sequence[SheetSection]) -> dict[tuple[int, int], str]:
    """The meaning of the numbers on the sheet by row and column: table, element and head."""
    return {
        (number, place): f"{section.title}: {name}, {head}"
        for section, first in places(sections)
        for number, name in enumerate(section.names, start=first + 1)
        for place, head in enumerate(section.heads, start=2)
    }


def named_before(before: PreviousResults) -> dict[tuple[int, int], str]:
    """The same of the sheet as it stands in the workbook."""
    texts = before.texts(EQUILIBRIUM)
    width = max((column for _, column in texts), default=0)
    found: dict[tuple[int, int], str] = {}
    heads: dict[int, str] = {}
    for row in range(FIRST_ROW, max((row for row, _ in texts), default=0) + 1):
        name = texts.get((row, 1), "")
        if not texts.get((row - 1, 1)):
            heads = {c: f"{name}: {{}}, {texts[row, c]}" for c in range(2, width + 1) if texts.get((row, c))}
        elif name:
            found |= {(row, column): head.replace("{}", name, 1) for column, head in heads.items()}
    return found


def shown_section(cells: Range, before: PreviousResults) -> str:
    """The column of a table on the sheet, as charts call it, that a range of its numbers or names shows; "" for none."""
    texts = before.texts(EQUILIBRIUM)
    title, head = (texts.get((cells.first_row - 1, column), "") for column in (1, cells.first_column))
    if not title or cells.first_column != cells.last_column:
        return ""
    return title if cells.first_column == 1 else f"{title}: {head}"
