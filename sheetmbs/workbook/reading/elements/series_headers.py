"""Advice on headers and units rows of samples that are not as they should be."""

from __future__ import annotations

from collections.abc import Sequence

from sheetmbs.schema.column import Sheet
from sheetmbs.schema.meanings import column_meant, value_meant
from sheetmbs.schema.names import did_you_mean, fold
from sheetmbs.schema.problem_list import Place, ProblemList
from sheetmbs.workbook.cells.cells import CellSheet
from sheetmbs.workbook.reading.context import Context
from sheetmbs.workbook.reading.elements.read_loads import JOINT_COORDINATES
from sheetmbs.workbook.reading.fields import UNITS_ROW, Header, Meaning, is_empty
from sheetmbs.workbook.reading.units_row import holds_units


def is_below_blank(cells: CellSheet, found: list[Header], first: int, report: ProblemList) -> bool:
    """Whether row 2 holds units although its first cell is blank, which is a warning. first: the column of that cell."""
    row = cells.rows.get(UNITS_ROW, {})
    if not is_empty(row.get(first)) or not holds_units([row.get(header.place.column) for header in found]):
        return False
    place, problem = Place(cells.name, UNITS_ROW, first), "this row is read as the units row"
    mend = "write a text in its first cell, such as the unit of the time"
    report.warning("units-row", place, "units, and nothing in the first cell", problem, mend)
    return True


def meaning_of_time(found: list[Header], schema: Sheet, context: Context) -> dict[str, Meaning]:
    """The header that seems to stand for the times, as `report_missing_columns` takes it."""
    for header in found:
        meant = None if "." in header.name else column_meant(header.text, schema, context.settings.dimension)
        if meant is not None and meant.column is schema.columns[0]:
            return {meant.column.name: Meaning(header, meant.header())}
    return {}


def with_point(name: str, schema: Sheet, context: Context) -> str:
    """How to mend a header without a point, such as ``rod_x``, ``rod`` or ``x``."""
    quantities = [column.name for column in schema.columns[1:] if column.is_numeric]
    words = fold(name).split()
    for before in range(len(words) - 1, 0, -1):
        element = _element(" ".join(words[:before]), context)
        of_body = [each for each in quantities if each not in JOINT_COORDINATES]
        own = of_body if element and context.bodies.find(element) else quantities
        if element and (quantity := value_meant(" ".join(words[before:]), own)):
            return f"did you mean {element}.{quantity}?"
    element = _element(name, context)
    if element:
        return f"write {element}.{quantities[0]}, or what else of it is given"
    return did_you_mean(name, ["time", "notes", "active"], f"write <body>.{quantities[0]}, or notes for remarks")


def quantity_advice(
    element: str, quantity: str, words: Sheet, known: Sequence[str], context: Context, otherwise: str
) -> str:
    """How to mend what stands behind the point of a header. words: a sheet with synonyms. known: what may stand there."""
    meant = column_meant(quantity, words, context.settings.dimension)
    name = meant.column.name if meant and meant.column.name in known else value_meant(quantity, known)
    return f"did you mean {element}.{name}?" if name else otherwise


def _element(name: str, context: Context) -> str | None:
    return context.bodies.find(name) or context.joints.find(name)
