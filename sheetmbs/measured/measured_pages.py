"""The sheets mbs Measured, a row for each measurement, and mbs Residuals, a row for each reading, with their charts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from sheetmbs.measured.measurement import Floats
from sheetmbs.measured.residuals import Residuals
from sheetmbs.measured.runs_test import runs_probability
from sheetmbs.schema.table import Table, TextColumn
from sheetmbs.workbook.sheets.list_pages import Listed, plain_listing
from sheetmbs.workbook.sheets.page_contents import (
    AxisText,
    Box,
    Page,
    PageCell,
    PageChart,
    PageColumn,
    PageLine,
    Spot,
    SummaryValue,
)
from sheetmbs.workbook.sheets.sheet_contents import MEASURED, RESIDUALS

HEADS = ("measurement", "of", "sweep", "n", "outside", "rms", "bias", "largest", "at", "sd", "rms_over_sd", "runs_p")
VERDICT, UNIT = "verdict", "unit"
TEXTS = ("measurement", "of", "sweep", VERDICT, UNIT)
AT = HEADS.index("at")
RESIDUAL_HEADS = ("measurement", "x", "measured", "computed", "residual")
X, MEASURED_VALUE, COMPUTED, RESIDUAL = range(1, 5)
NOT_RANDOM = "residuals are not random: the model misses something"
LEAST_PROBABILITY = 0.01
"""of so few or so many runs of signs, below which they are no chance"""
NONE_INSIDE = "no reading lies within what was computed"
FIRST_ROW = 3
"""below heads and units"""
COLOUR, COMPUTED_COLOUR = "#0072B2", "#404040"
WIDTH, HEIGHT, GAP = 560, 300, 20
"""of charts and between them, pixels"""
ACROSS, ROWS = 2, (HEIGHT + GAP) // 20
"""charts side by side, and rows of 20 pixels that one takes with the gap below it"""
SPACE, CHART_COLUMN, CHART_COLUMNS, CHART_ROWS = 3.0, 10.0, 7, 17
"""of mbs Residuals: widths of the column before charts and of those below them, how many these are, and rows of a chart"""
MOST_PRINTED = 60
"""rows of readings on paper"""
WIDTHS = (24.0, 26.0, 14.0, 8.0, 9.0)
DOT = 5


def measured_row(found: Residuals) -> dict[str, SummaryValue]:
    """What mbs Measured says of a measurement; None where it is not known."""
    own, values = found.measurement, found.residuals
    row: dict[str, SummaryValue] = dict.fromkeys((*HEADS, VERDICT, UNIT))
    row |= {"measurement": own.name, "of": own.of, "sweep": own.case, UNIT: own.unit, "sd": own.sd, VERDICT: ""}
    row |= {"n": len(values), "outside": found.outside}
    if not len(values):
        return row | {VERDICT: NONE_INSIDE}
    largest = int(np.argmax(np.abs(values)))
    probability = runs_probability(found.x, values)
    row |= {"rms": found.rms, "bias": float(np.mean(values)), "largest": float(values[largest])}
    row |= {"at": float(found.x[largest]), "runs_p": probability}
    row["rms_over_sd"] = None if own.sd is None else found.rms / own.sd
    if probability is not None and probability < LEAST_PROBABILITY:
        row[VERDICT] = NOT_RANDOM
    return row


def measured_page(all_found: Sequence[Residuals]) -> Page:
    """The sheet mbs Measured, with a chart of each measurement beside what was computed."""
    rows = [measured_row(found) for found in all_found]
    heads = (*HEADS, VERDICT, UNIT)
    listed = tuple(tuple(row[head] for head in heads) for row in rows)
    page = plain_listing(
        MEASURED, [Listed("", heads, listed, ("",) * len(heads), own=tuple(range(5, 12)))], widths=WIDTHS
    )
    first = FIRST_ROW + len(rows) + 1
    charts = tuple(_chart(found, _spot(k, first)) for k, found in enumerate(all_found))
    cells = tuple(_linked(cell, all_found) for cell in page.cells)
    last = first + ROWS * -(-len(charts) // ACROSS)
    paper = replace(page.paper, areas=((1, 1, last, len(heads)),))
    return replace(page, cells=cells, charts=charts, size=(last, len(heads)), paper=paper)


def _linked(cell: PageCell, all_found: Sequence[Residuals]) -> PageCell:
    """The cell of the largest residual leads to its reading."""
    if cell.column != AT + 1 or cell.row < FIRST_ROW or cell.value is None:
        return cell
    found = all_found[cell.row - FIRST_ROW]
    reading = np.flatnonzero(found.counts)[int(np.argmax(np.abs(found.residuals)))]
    return PageCell(cell.row, cell.column, cell.value, cell.look, link=str(found.measurement.cell(int(reading))))


def residuals_page(all_found: Sequence[Residuals]) -> Page:
    """The sheet mbs Residuals, with a chart of each measurement, and columns that charts of other sheets draw."""
    rows: list[tuple[SummaryValue, ...]] = []
    columns: list[PageColumn] = []
    for found in all_found:
        first = FIRST_ROW + len(rows)
        numbers = reading_numbers(found)
        columns += _columns(found, numbers, first)
        rows += [(found.measurement.name, *_known(each)) for each in numbers]
    page = plain_listing(
        RESIDUALS, [Listed("", RESIDUAL_HEADS, tuple(rows), ("",) * len(RESIDUAL_HEADS), own=(1, 2, 3, 4))]
    )
    charts = tuple(_residual_chart(found, _cells_of(k)) for k, found in enumerate(all_found))
    widths = (*page.widths, SPACE, *(CHART_COLUMN,) * CHART_COLUMNS)
    rows_shown = max(min(page.size[0], MOST_PRINTED), 1 + CHART_ROWS * len(charts))
    paper = replace(page.paper, areas=((1, 1, rows_shown, len(widths)),))
    return replace(page, widths=widths, charts=charts, columns=tuple(columns), paper=paper)


def reading_numbers(found: Residuals) -> Floats:
    """(n, 4) x, measured, computed and residual of every reading that is used.

    Those beyond what was computed come last, without the last two numbers: charts draw the others.
    """
    own = found.measurement
    measured = own.y + found.free_offset
    beyond = np.full((found.outside, 2), np.nan)
    inside = np.column_stack((found.x, found.measured_values, found.computed_values, found.residuals))
    return np.vstack((inside, np.column_stack((own.x[~found.counts], measured[~found.counts], beyond))))


def _known(numbers: Floats) -> Iterator[float | None]:
    return (float(each) if np.isfinite(each) else None for each in numbers)


def column_key(found: Residuals, what: str) -> str:
    """How charts find the x, measured, computed or residual values of a measurement."""
    return f"{RESIDUALS}!{what} {found.measurement.name}"


def _columns(found: Residuals, numbers: Floats, first: int) -> Iterator[PageColumn]:
    own = found.measurement
    for place, head in enumerate(RESIDUAL_HEADS[1:], start=X):
        unit = own.over_unit if place == X else own.unit
        data = numbers[: len(found.x), place - 1]
        yield PageColumn(f"{head} {own.name}", unit, first, place + 1, data)


def _spot(number: int, first: int) -> Spot:
    """The place of a chart below a table that ends before row ``first``."""
    down, across = divmod(number, ACROSS)
    return Spot(first + down * ROWS, across * (WIDTH + GAP), WIDTH, HEIGHT)


def _cells_of(number: int) -> Box:
    """The cells that a chart covers beside the list of readings, one below the other."""
    first, column = 2 + CHART_ROWS * number, len(RESIDUAL_HEADS) + 2
    return first, column, first + CHART_ROWS - 2, column + CHART_COLUMNS - 1


def points(found: Residuals, x: str = "", colour: str = COLOUR) -> PageLine:
    """The measured points as a series of a chart. x: another column of as many rows."""
    across = x or column_key(found, RESIDUAL_HEADS[X])
    values = column_key(found, RESIDUAL_HEADS[MEASURED_VALUE])
    return PageLine(across, values, series_name(found), colour, width=0.0, dot=DOT)


def series_name(found: Residuals) -> str:
    """What legends call the measured points."""
    return f"measured {found.measurement.name}"


def _across(found: Residuals) -> AxisText:
    own = found.measurement
    return AxisText(_with_unit(own.over, own.over_unit) if own.over else "reading")


def _with_unit(name: str, unit: str) -> str:
    return f"{name} [{unit}]" if unit else name


def _chart(found: Residuals, spot: Spot) -> PageChart:
    own, x = found.measurement, column_key(found, RESIDUAL_HEADS[X])
    computed = PageLine(
        x, column_key(found, RESIDUAL_HEADS[COMPUTED]), "computed", COMPUTED_COLOUR, width=0.0, dot=DOT, is_ring=True
    )
    doc = f"Measured values of {own.name}, and what was computed there"
    upward = AxisText(_with_unit(own.of, own.unit))
    return PageChart(own.name, _across(found), upward, (points(found), computed), spot, doc)


def _residual_chart(found: Residuals, box: Box) -> PageChart:
    own = found.measurement
    line = PageLine(
        column_key(found, RESIDUAL_HEADS[X]),
        column_key(found, RESIDUAL_HEADS[RESIDUAL]),
        "measured less computed",
        COLOUR,
        width=0.0,
        dot=DOT,
    )
    doc = f"Measured less computed values of {own.name}"
    upward = AxisText(_with_unit("residual", own.unit), reach=(0.0,))
    return PageChart(f"{own.name}: measured less computed", _across(found), upward, (line,), box, doc)


def measured_frames(all_found: Sequence[Residuals]) -> tuple[Table, Table]:
    """Both sheets as tables, for programs."""
    rows = [measured_row(found) for found in all_found]
    heads = (*HEADS, VERDICT, UNIT)
    values = np.array([[_number(row[head]) for head in heads] for row in rows])
    texts = {heads.index(head): TextColumn([str(row[head] or "") for row in rows]) for head in TEXTS}
    numbers = [reading_numbers(found) for found in all_found]
    names = [found.measurement.name for found, each in zip(all_found, numbers, strict=True) for _row in each]
    residuals = np.column_stack((np.full(len(names), np.nan), np.vstack(numbers)))
    units = ("",) * len(RESIDUAL_HEADS)
    return (
        Table(MEASURED, heads, ("",) * len(heads), values, texts=texts),
        Table(RESIDUALS, RESIDUAL_HEADS, units, residuals, texts={0: TextColumn(names)}),
    )


def _number(value: SummaryValue) -> float:
    return float(value) if isinstance(value, float | int) else np.nan
