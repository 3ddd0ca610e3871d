"""The sheet Curves, read before there is a model: suspension sheets name its curves too."""

from __future__ import annotations

from collections.abc import Mapping

from sheetmbs.model_settings import Settings
from sheetmbs.workbook.cells.cells import CellSheet
from sheetmbs.workbook.reading.cases import Cases
from sheetmbs.workbook.reading.context import Context
from sheetmbs.workbook.reading.elements.read_curves import read_curves
from sheetmbs.workbook.reading.problem_list import ProblemList
from sheetmbs.workbook.reading.registry import Registry


def curves_given(sheets: Mapping[str, CellSheet], report: ProblemList) -> Context:
    """What rows need that name curves. sheets: input sheets by the names that the format gives them."""
    known = {
        name: Registry(name.rstrip("s"), name.capitalize(), report)
        for name in ("bodies", "points", "joints", "drivers", "forces", "springs", "clearances", "curves")
    }
    context = Context(
        sheets, report, Settings(dimension="3D", analysis="equilibrium"), Cases(), **known, given_curves={}
    )
    read_curves(context)
    return context
