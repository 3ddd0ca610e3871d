"""Units of result columns: what they measure, and how large they are."""

from __future__ import annotations

from sheetmbs.measured.known_columns import UNKNOWN_UNIT
from sheetmbs.schema.units import ANGLE_PER_G, EVERY_DIMENSION, FREQUENCY, RATIO, Dimension, UnitError, parse_unit

PER_G = "deg/g"


def dimensions_of(unit: str) -> tuple[Dimension, ...]:
    """What a quantity shown in a unit may be: anything where the unit is not known yet."""
    return EVERY_DIMENSION if unit == UNKNOWN_UNIT else (dimension_of(unit),)


def dimension_of(unit: str) -> Dimension:
    """What a quantity shown in a unit is; a plain number where the unit says nothing that is known."""
    if unit in FREQUENCY.own:
        return FREQUENCY
    if unit == PER_G:
        return ANGLE_PER_G
    try:
        exponents = parse_unit(unit).exponents if unit else RATIO.exponents
    except UnitError:
        return RATIO
    if not any(exponents):
        return RATIO
    named = (each for each in EVERY_DIMENSION if each.exponents == exponents and not each.own)
    return next(named, Dimension(f"a quantity in {unit}", exponents, unit, unit))


def size_of(unit: str) -> float:
    """How large a unit of a result column is in SI; 1 where it is none that is known."""
    if unit in FREQUENCY.own or not unit:
        return 1.0
    try:
        return parse_unit(unit.removesuffix("/g") if unit == PER_G else unit).size
    except UnitError:
        return 1.0
