"""The unit of a response, as it follows from those of the columns in it, and conversions to the one asked for."""

from __future__ import annotations

import re
from collections.abc import Sequence

from sheetmbs.engine.motion.operations import Operation
from sheetmbs.schema.expression import Apply, Node, Number, Reduce, Variable
from sheetmbs.schema.units import Unit, UnitError, parse_unit

ONE = "1"
KEPT = (Operation.NEGATE, Operation.ABS)
MOST_POWER = 6
SQUARE = re.compile(r"([^*/ ·^()]+|\([^()]*\))\^2")
"""the square of a unit whose root is known"""
SAME = (Operation.ADD, Operation.SUBTRACT, Operation.MIN, Operation.MAX)


class NoUnitError(ValueError):
    """A response cannot be in the unit asked for; its text says why."""


def unit_of_response(tree: Node, units: Sequence[str], time: str) -> str:
    """The unit of a tree. units: of its columns. time: unit of times. ``""`` where it follows from none."""
    match tree:
        case Number():
            return ONE
        case Variable(index):
            return units[index] or ONE
        case Reduce("sum", (column,)) if time:
            return _times(unit_of_response(column, units, time), time)
        case Reduce("slope", (column, x, _value)):
            return _per(unit_of_response(column, units, time), unit_of_response(x, units, time))
        case Reduce("when", (_column, x, _value)):
            return unit_of_response(x, units, time)
        case Reduce(_, (column, *_rest)):
            return unit_of_response(column, units, time)
        case Apply(operation, arguments):
            return _applied(operation, arguments, [unit_of_response(each, units, time) for each in arguments])
    return ""


def _applied(operation: Operation, arguments: Sequence[Node], parts: Sequence[str]) -> str:
    if operation in KEPT:
        return parts[0]
    if operation in SAME:
        return _common(arguments, parts)
    if operation == Operation.IF:
        return _common(arguments[1:], parts[1:])
    if operation == Operation.MULTIPLY:
        return _times(*parts)
    if operation == Operation.DIVIDE:
        return _per(*parts)
    if operation == Operation.POWER:
        return _power(parts[0], arguments[1])
    if operation == Operation.SQRT:
        return _root(parts[0])
    return ONE if all(part == ONE for part in parts) else ""


def _common(arguments: Sequence[Node], parts: Sequence[str]) -> str:
    """The unit of things that are added: plain numbers take that of the others."""
    found = {part for node, part in zip(arguments, parts, strict=True) if not isinstance(node, Number)}
    return ONE if not found else found.pop() if len(found) == 1 else ""


def _times(one: str, other: str) -> str:
    if not one or not other:
        return ""
    if one == other != ONE:
        return _raised(one, 2)
    return other if one == ONE else one if other == ONE else f"{_whole(one)}*{_whole(other)}"


def _per(one: str, other: str) -> str:
    if not one or not other:
        return ""
    return one if other == ONE else ONE if one == other else f"{_whole(one)}/{_whole(other)}"


def _power(unit: str, exponent: Node) -> str:
    if unit in ("", ONE) or not isinstance(exponent, Number):
        return unit if unit == ONE else ""
    if exponent.value == 0.5:
        return _root(unit)
    is_whole = exponent.value == int(exponent.value) and 1 <= exponent.value <= MOST_POWER
    return "" if not is_whole else unit if exponent.value == 1 else _raised(unit, int(exponent.value))


def _raised(unit: str, power: int) -> str:
    return f"({unit})^{power}" if "^" in unit else f"{_whole(unit)}^{power}"


def _root(unit: str) -> str:
    square = SQUARE.fullmatch(unit)
    return ONE if unit == ONE else "" if square is None else square[1].removeprefix("(").removesuffix(")")


def _whole(unit: str) -> str:
    return f"({unit})" if any(sign in unit for sign in "*/ ·") else unit


def factor_to(wanted: str, given: str) -> float:
    """What turns numbers in one unit into another. Raises NoUnitError."""
    if not wanted or wanted == given:
        return 1.0
    if not given:
        raise NoUnitError("its result has no unit, or one that does not follow from its columns")
    try:
        target, source = parse_unit(wanted), parse_unit(given)
    except UnitError as error:
        raise NoUnitError(f"the unit {wanted} {error}") from None
    if not measure_the_same(source, target):
        raise NoUnitError(f"its result is in {given}, which measures something else than {wanted}")
    return source.size / target.size


def measure_the_same(one: Unit, other: Unit) -> bool:
    """Whether both units measure the same, an angle being left out of compound units at will."""
    return one.exponents[:3] == other.exponents[:3] and (
        one.exponents[3] == other.exponents[3] or any(one.exponents[:3])
    )
