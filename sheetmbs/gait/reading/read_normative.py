"""The sheet Normative: bands of other people's gait over the stride."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from sheetmbs.gait.trial.gait_book import Band
from sheetmbs.schema.names import fold
from sheetmbs.schema.problem_list import Place, ProblemList, quoted, shown
from sheetmbs.schema.validate import is_blank_unit
from sheetmbs.workbook.cells.cells import CellKind, CellSheet
from sheetmbs.workbook.reading.fields import HEADER_ROW, UNITS_ROW, Header, headers

FORMS = (("mean", "sd"), ("low", "high"))
COUNT = "n"
"""the column of how many subjects are behind a mean"""


def read_normative(cells: CellSheet | None, report: ProblemList) -> tuple[Band, ...]:
    """The bands of a workbook, in its own signs and units; none where it has no such sheet."""
    if cells is None:
        return ()
    found = headers(cells, report)
    percent = next((header for header in found if fold(header.name) == "percent"), None)
    if percent is None:
        if found:
            place = Place(cells.name, HEADER_ROW, 1)
            mend = "add a column percent, from 0 to 100"
            report.error("missing-column", place, "no column percent", "a band runs over the stride", mend)
        return ()
    column = percent.place.column
    rows = [row for row in cells.rows.numbers.rows_with([column]) if row > HEADER_ROW]
    if not rows and len(found) == 1:
        return ()  # a form that nobody has filled in
    at = cells.rows.numbers.table(rows, [column])[0] if rows else np.zeros(0)
    if len(rows) > 2 and at.max() <= 1.0:
        found_range = f"the column percent, from {at[0]:g} to {at[-1]:g}"
        problem = "percent goes up from 0 to 100"
        report.error("not-percent", percent.place, found_range, problem, "multiply it by 100")
        return ()
    if len(rows) < 2 or bool((np.diff(at) <= 0.0).any()) or at[0] < 0.0 or at[-1] > 100.0:
        problem = "percent goes up from 0 to 100"
        report.error("not-increasing", percent.place, "the column percent", problem, "correct it")
        return ()
    by_quantity: dict[str, dict[str, Header]] = {}
    for header in found:
        quantity, _, word = header.name.rpartition(".")
        if quantity and (fold(word) in sum(FORMS, ()) or word.strip() == COUNT or word.strip().isdigit()):
            by_quantity.setdefault(quantity.strip(), {})[fold(word).strip()] = header
        elif header is not percent and fold(header.name) != "notes":
            mend = "head it <joint>.<quantity>.mean and .sd, or .low and .high"
            report.warning("unknown-column", header.place, quoted(header.text), "it is no band", mend)
    told = {word: _told(cells, word) for word in ("source", "model", "moment axes")}
    bands = [_band(cells, name, columns, rows, at, told, report) for name, columns in by_quantity.items()]
    return tuple(band for band in bands if band is not None)


def _band(
    cells: CellSheet,
    quantity: str,
    columns: dict[str, Header],
    rows: list[int],
    percent: np.ndarray,
    told: Mapping[str, str],
    report: ProblemList,
) -> Band | None:
    """told: what the sheet says of where it comes from."""
    words = {word for word in columns if word != COUNT and not word.isdigit()}
    form = next((form for form in FORMS if set(form) == words), None)
    first = next(iter(columns.values()))
    if form is None:
        found = f"{quantity}.{', .'.join(columns)}"
        problem = "a band has .mean and .sd, or .low and .high"
        report.error("incomplete-band", first.place, found, problem, "add the other column")
        return None
    values = cells.rows.numbers.table(rows, [columns[word].place.column for word in form])
    for word, series in zip(form, values, strict=True):
        if np.isnan(series).any():
            row = rows[int(np.flatnonzero(np.isnan(series))[0])]
            place = Place(cells.name, row, columns[word].place.column)
            cell = cells.rows.cell(place.row, place.column)
            what = "a blank cell" if cell is None else shown(cell)
            report.error("missing-value", place, what, "a band has a number in every row", "fill it in")
            return None
    low, high = (values[0] - values[1], values[0] + values[1]) if form[0] == "mean" else values
    if bool((high < low).any()):
        row = rows[int(np.flatnonzero(high < low)[0])]
        place = Place(cells.name, row, columns[form[1]].place.column)
        problem = "its upper end is below its lower end" if form[0] == "low" else "a standard deviation is not below 0"
        report.error("wrong-band", place, quantity, problem, "correct it")
        return None
    unit = next((each for header in columns.values() if (each := _unit(cells, header))), "")
    singles = [cells.rows.numbers.table(rows, [header.place.column])[0] for header in single_columns(columns)]
    subjects = np.array([each for each in singles if np.isfinite(each).all()]).reshape(-1, len(rows))
    counts = cells.rows.numbers.table(rows, [columns[COUNT].place.column])[0] if COUNT in columns else np.zeros(0)
    n = int(np.nanmax(counts)) if np.isfinite(counts).any() else len(subjects)
    return Band(
        fold(quantity),
        percent,
        low,
        high,
        told["source"],
        unit,
        str(first.place),
        n,
        subjects,
        fold(told["model"]),
        fold(told["moment axes"]),
    )


def single_columns(columns: dict[str, Header]) -> list[Header]:
    """The columns of single subjects in the order of their numbers."""
    return [columns[word] for word in sorted((word for word in columns if word.isdigit()), key=int)]


def _unit(cells: CellSheet, header: Header) -> str:
    """The unit in the brackets of a header, else in the row below it."""
    below = cells.rows.cell(UNITS_ROW, header.place.column)
    text = header.unit or (str(below.value) if below is not None and below.kind is CellKind.TEXT else "")
    return "" if is_blank_unit(text) else text.strip()


def _told(cells: CellSheet, wanted: str) -> str:
    """What stands beside a word, such as source, anywhere on the sheet."""
    for row in (UNITS_ROW, *cells.rows.others):
        texts = [cell for _column, cell in sorted(cells.rows.others.get(row, {}).items()) if cell.kind is CellKind.TEXT]
        for place, cell in enumerate(texts):
            word, _, rest = str(cell.value).partition(":")
            if fold(word) != fold(wanted):
                continue
            beside = rest.strip() or next((str(other.value) for other in texts[place + 1 :]), "")
            if not is_blank_unit(beside):
                return beside
    return ""
