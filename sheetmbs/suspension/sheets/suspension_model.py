"""The sheet `mbs Suspension Model`: every generated row of the general sheets, with the cell it came from."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from sheetmbs.schema.input_columns import CURVES, SHEETS_BY_FOLD
from sheetmbs.schema.names import fold
from sheetmbs.schema.validate import split_header
from sheetmbs.suspension.generated.merged_sheets import HEADER_ROW, NAME, MergedBook
from sheetmbs.workbook.cells.cells import CellKind, CellSheet, address
from sheetmbs.workbook.sheets.list_pages import Listed, listing
from sheetmbs.workbook.sheets.page_contents import Page, SummaryValue
from sheetmbs.workbook.sheets.sheet_contents import SUSPENSION_MODEL

BLOCKS = ("Bodies", "Points", "Joints", "Springs", "Curves", "Drivers")
REMARK = (
    "What the suspension sheets stand for, in SI. A row of the same name on your own sheet replaces it cell by cell; "
    "active = no takes it away."
)
FROM = "from"


def suspension_model(merged: MergedBook) -> Page:
    """Contents of the page of the model."""
    sheets = {fold(name): (name, sheet) for name, sheet in merged.book.sheets.items()}
    blocks = [
        block
        for name in BLOCKS
        if (block := _curves(merged) if name == CURVES.name else _found(name, sheets, merged.origin)) is not None
    ]
    return listing(SUSPENSION_MODEL, "Generated model", REMARK, [*blocks, *_replaced(merged)])


def _curves(merged: MergedBook) -> Listed | None:
    """The points of generated curves: tension over extension, or over its velocity."""
    rows = tuple(
        (curve.cell, curve.name, float(x), curve.x_unit, float(y), curve.y_unit)
        for curve in merged.curves
        for x, y in zip(curve.x, curve.y, strict=True)
    )
    heads = (FROM, "curve", "x", "unit of x", "y", "unit of y")
    return Listed(CURVES.name, heads, rows, has_links=True) if rows else None


def _found(title: str, sheets: Mapping[str, tuple[str, CellSheet]], origin: Mapping[str, str]) -> Listed | None:
    return _block(title, *sheets[fold(title)], origin) if fold(title) in sheets else None


def _block(title: str, name: str, cells: CellSheet, origin: Mapping[str, str]) -> Listed | None:
    """The rows of a general sheet that have generated cells, with all their cells."""
    schema = SHEETS_BY_FOLD[fold(title)]
    heads = {
        column: split_header(str(cell.value))[0]
        for column, cell in cells.rows.get(HEADER_ROW, {}).items()
        if cell.kind is CellKind.TEXT and str(cell.value).strip()
    }
    known = {column: schema.column(text) for column, text in heads.items() if fold(text) in schema.by_fold}
    first = next((column for column, found in known.items() if found.name == NAME), None)
    rows: list[tuple[SummaryValue, ...]] = []
    for row in cells.rows:
        sources = [source for column in known if (source := origin.get(address(name, row, column)))]
        if row > HEADER_ROW and sources and first is not None:
            values = [cells.rows.cell(row, column) for column in known]
            own = origin.get(address(name, row, first), sources[0])
            rows.append((own, *(None if cell is None else _plain(cell.value) for cell in values)))
    if not rows:
        return None
    used = [0, *(k for k in range(1, len(known) + 1) if any(row[k] not in (None, "") for row in rows))]
    columns = [FROM, *(column.name for column in known.values())]
    units = ["", *(column.si or "" for column in known.values())]
    return Listed(
        title,
        tuple(columns[k] for k in used),
        tuple(tuple(row[k] for k in used) for row in rows),
        tuple(units[k] for k in used),
        has_links=True,
    )


def _plain(value: object) -> SummaryValue:
    return float(value) if isinstance(value, float | int) and not isinstance(value, bool) else str(value)


def _replaced(merged: MergedBook) -> Iterator[Listed]:
    """Cells of the user's that stand in place of generated ones."""
    if merged.replaced:
        rows = tuple((cell, _shown(merged, cell)) for cell in merged.replaced)
        yield Listed("Replaced by your own cells", ("cell", "value"), rows, has_links=True)


def _shown(merged: MergedBook, cell: str) -> SummaryValue:
    sheet, _, place = cell.rpartition("!")
    found = next(
        (
            each
            for row, cells in merged.book.sheets[sheet].rows.items()
            for column, each in cells.items()
            if address(sheet, row, column) == f"{sheet}!{place}"
        ),
        None,
    )
    return None if found is None else _plain(found.value)
