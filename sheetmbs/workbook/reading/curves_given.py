"""The sheet Curves, read before there is a model: sheets of suspensions and of studies name its curves too."""

from __future__ import annotations

from collections.abc import Mapping

from sheetmbs.model.settings import Settings
from sheetmbs.schema.problem_list import ProblemList
from sheetmbs.workbook.cells.cells import CellSheet
from sheetmbs.workbook.reading.cases import Cases
from sheetmbs.workbook.reading.context import Context, GivenCurve
from sheetmbs.workbook.reading.elements.read_curves import read_curves
from sheetmbs.workbook.reading.parse_cache import KnownParts, ParsedParts
from sheetmbs.workbook.reading.registry import Registry


def curves_given(sheets: Mapping[str, CellSheet], report: ProblemList) -> Context:
    """What rows need that name curves. sheets: input sheets by the names that the format gives them."""
    known = {
        name: Registry(name.rstrip("s"), name.capitalize(), report)
        for name in ("bodies", "points", "joints", "drivers", "forces", "springs", "clearances", "curves")
    }
    parts = ParsedParts()
    settings = Settings(dimension="3D", analysis="equilibrium")
    given: KnownParts[GivenCurve] = parts.known("curve", {})
    context = Context(sheets, report, settings, Cases(), parts=parts, given_curves=given, tables={}, **known)
    read_curves(context)
    return context
