"""Columns of the sheet Springs, from the declarations of force elements."""

from __future__ import annotations

from dataclasses import replace

from sheetmbs.elements.force_type import ForceCurve, ForceNumber
from sheetmbs.elements.forces import FORCE_ELEMENTS
from sheetmbs.schema import units
from sheetmbs.schema.column import Column, ColumnKind


def quantity(name: str) -> units.Dimension:
    """The dimension that a declaration means."""
    found: units.Dimension = getattr(units, name.upper())
    return found


def force_columns() -> tuple[Column, ...]:
    """The columns of all force elements; one of several elements stands once, with the dimensions of all."""
    columns: dict[str, Column] = {}
    for element in FORCE_ELEMENTS:
        for given in element.columns:
            column = _number(element.name, given) if isinstance(given, ForceNumber) else _curve(given)
            known = columns.setdefault(given.name, column)
            dimensions = tuple(dict.fromkeys((*known.dimensions, *column.dimensions)))
            doc = known.doc if column.doc in known.doc else f"{known.doc}; {element.name}: {column.doc}"
            columns[given.name] = replace(known, dimensions=dimensions, doc=doc)
    return tuple(columns.values())


def _number(element: str, given: ForceNumber) -> Column:
    default = f"required of {element}" if given.required else given.blank
    dimensions = (quantity(given.quantity),)
    return Column(given.name, ColumnKind.NUMBER, given.doc, dimensions, default=default, models=given.models)


def _curve(given: ForceCurve) -> Column:
    return Column(given.name, ColumnKind.REFERENCE, given.doc, sheets=("Curves",), models=given.models)
