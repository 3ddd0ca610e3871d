"""Expressions that seem to be written in the unit of the input columns, where they are in SI: judged by the motion itself."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from sheetmbs.analysis.solution import Solution
from sheetmbs.engine.motion.operations import Operation
from sheetmbs.lower import Lowered
from sheetmbs.model.model import Formula
from sheetmbs.problems.errors import Problem
from sheetmbs.results.columns.collect import Floats
from sheetmbs.schema.expression import Apply, Expression, Node, Number, Variable
from sheetmbs.schema.table import Table
from sheetmbs.workbook.reading.driver_size import SMALL_UNIT, too_large_drivers

COMPARING_OPERATIONS = (
    Operation.ADD,
    Operation.SUBTRACT,
    Operation.LESS,
    Operation.LESS_EQUAL,
    Operation.MIN,
    Operation.MAX,
)
"""operations that make sense between quantities of the same dimension only"""
POSITIONS = ("x", "y", "z")
MIN_DISTANCE_RATIO = 100.0
"""times the largest coordinate that a column takes: what is so far away has nothing to do with it"""


def in_other_units(lowered: Lowered, solution: Solution, tables: tuple[Table, ...]) -> Iterator[Problem]:
    """Warnings of expressions a thousand times too large: of drivers where the analysis failed, and of loads."""
    model = lowered.model
    if solution.status == "failed":
        yield from (driver.problem for driver in too_large_drivers(model) if not driver.is_certain)
    unit, size = model.display.length
    if size > SMALL_UNIT:
        return
    columns = {name: table.values[:, at] * size for table in tables for at, name in enumerate(table.columns)}
    for force in model.forces:
        for component in (*force.force, *force.moment):
            if isinstance(component, Formula):
                yield from _judged(component, columns, unit, size)


def _judged(formula: Formula, columns: dict[str, Floats], unit: str, size: float) -> Iterator[Problem]:
    """A warning of the first length that is beyond its column in m and within it in the unit of lengths."""
    for name, number in _compared(formula.expression.tree, formula.expression):
        values = columns.get(name)
        if (
            values is None
            or name.rpartition(".")[2] not in POSITIONS
            or not len(values)
            or not np.all(np.isfinite(values))
        ):
            continue
        low, high = float(np.min(values)), float(np.max(values))
        reach = max(abs(low), abs(high))
        if reach > 0.0 and abs(number) > MIN_DISTANCE_RATIO * reach and low <= number * size <= high:
            found = f"{name} is compared with {number:g} m, and lies between {low:.4g} and {high:.4g} m"
            problem = "expressions are in SI, whatever the units of the sheets are"
            mend = f"write {number * size:g} if {number:g} {unit} is meant"
            yield Problem("expression-in-si", "warning", formula.cell, found, problem, mend)
            return


def _compared(node: Node, expression: Expression) -> Iterator[tuple[str, float]]:
    """Motion columns and the numbers that are added to, taken from or compared with them."""
    if not isinstance(node, Apply):
        return
    if node.operation in COMPARING_OPERATIONS and len(node.arguments) == 2:
        one, two = node.arguments
        for variable, number in ((one, two), (two, one)):
            value = _number(number)
            if isinstance(variable, Variable) and value is not None:
                sign = -1.0 if node.operation == Operation.ADD else 1.0
                yield expression.variables[variable.index], sign * value
    for argument in node.arguments:
        yield from _compared(argument, expression)


def _number(node: Node) -> float | None:
    if isinstance(node, Number):
        return node.value
    if isinstance(node, Apply) and node.operation == Operation.NEGATE and isinstance(node.arguments[0], Number):
        return -node.arguments[0].value
    return None
