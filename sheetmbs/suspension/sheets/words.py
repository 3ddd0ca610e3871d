"""What metrics, corners and units are called where people read them, and how many decimals their numbers have."""

from __future__ import annotations

from functools import cache
from math import floor, isfinite, log10

from sheetmbs.schema.units import parse_unit
from sheetmbs.suspension.metrics.metric import OVER_G

LABELS = {
    "toe_mm": "toe at the rim",
    "kpi": "kingpin inclination",
    "caster_offset": "caster trail",
    "kingpin_offset": "kingpin offset (scrub)",
    "hub_trail": "hub trail",
    "kingpin_offset_wc": "spindle offset",
    "camber_gradient": "camber gain",
    "toe_gradient": "bump steer",
    "caster_gradient": "caster gain",
    "fvsa": "front view swing arm",
    "svsa": "side view swing arm",
    "fvic_y": "front view centre, lateral",
    "fvic_z": "front view centre, height",
    "svic_x": "side view centre, x",
    "svic_z": "side view centre, height",
    "wheel_rate_spring": "  spring part k*MR²",
    "wheel_rate_preload": "  preload part F*dMR/dz",
    "dmotion_ratio": "change of motion ratio",
    "roll_stiffness_springs": "  springs part",
    "roll_stiffness_bar": "  bars part",
    "roll_stiffness_with_tyres": "  with tyres",
    "roll_stiffness_front_share": "roll stiffness front",
    "steer_ratio": "steer per rack travel",
    "anti_lift_drive": "anti-lift in drive",
    "anti_dive": "anti-dive",
    "anti_lift": "anti-lift",
    "anti_squat": "anti-squat",
    "roll_camber": "roll camber",
    "roll_steer": "roll steer",
    "load_transfer_geometric": "  geometric part",
    "load_transfer_elastic": "  elastic part",
    "load_transfer_unsprung": "  unsprung part",
    "load_transfer_total": "transfer at 1 g, linear",
    "load_transfer_total_equilibrium": "  by equilibrium",
    "roll_gradient_equilibrium": "  by equilibrium",
    "load_transfer_front_share": "front load transfer share",
    "load_transfer_front_share_equilibrium": "  by equilibrium",
    "contact_dy_dz": "contact, lateral per travel",
    "contact_dx_dz": "contact, forward per travel",
    "wheel_dx_dz": "wheel centre, forward per travel",
    "ackermann": "Ackermann",
    "ackermann_error": "Ackermann error",
}
CORNERS = {"FL": "front left", "FR": "front right", "RL": "rear left", "RR": "rear right"}
UNITS = {
    "mm/mm": "-",
    "deg/deg": "deg/deg",
    "N/N": "-",
    "N*m": "N m",
    "N*m/deg": "N m/deg",
    "N*s/mm": "N s/mm",
    "deg/mm^2": "deg/mm²",
    "": "-",
}
DECIMALS = {
    "deg": 2,
    "mm": 1,
    "deg/mm": 4,
    "mm/mm": 3,
    "N/N": 3,
    "deg/deg": 3,
    "1/mm": 4,
    "N": 0,
    "N/mm": 2,
    "N*s/mm": 3,
    "Hz": 2,
    "N*m": 1,
    "N*m/deg": 1,
    "%": 1,
    "deg/g": 2,
}
MOST_DIGITS, MOST_DECIMALS = 5, 6
KEPT = ("Hz", "%", "mm/mm", "deg/deg", "N/N", "")
"""units that are the same whatever the units of inputs"""


def label(metric: str) -> str:
    """What a metric is called: ``kingpin inclination`` of kpi."""
    return LABELS.get(metric, metric.replace("_", " "))


def full_label(metric: str) -> str:
    """What a metric is called where it does not stand below the metric that it is a part of."""
    known = label(metric)
    return metric.replace("_", " ") if known.startswith(" ") else known


def owner(prefix: str) -> str:
    """``front left`` of FL; the names of axles as they are."""
    return CORNERS.get(prefix, prefix)


def column_label(column: str) -> str:
    """What a column is called: ``camber, front left`` of FL.camber."""
    prefix, _, metric = column.rpartition(".")
    return f"{full_label(metric)}, {owner(prefix)}" if prefix else full_label(metric)


def shown_unit(unit: str) -> str:
    """A unit as it is printed; ``-`` of a ratio."""
    return UNITS.get(unit, unit)


@cache
def usual_unit(unit: str) -> tuple[str, float]:
    """The unit in which a quantity is usually read, and how many of it one of this unit is; itself where none is known."""
    if unit in DECIMALS or unit in KEPT:
        return unit, 1.0
    parsed = parse_unit(unit.removesuffix(OVER_G))
    for known in DECIMALS:
        if known not in KEPT and known.endswith(OVER_G) == unit.endswith(OVER_G):
            other = parse_unit(known.removesuffix(OVER_G))
            if other.exponents == parsed.exponents:
                return known, parsed.size / other.size
    return unit, 1.0


def decimals(unit: str, value: float = 0.0) -> int:
    """Decimals with which a number in a unit is read, fewer where it is large."""
    known, count = usual_unit(unit)
    usual = min(max(DECIMALS.get(known, 2) + round(log10(count)), 0), MOST_DECIMALS)
    if not isfinite(value) or abs(value) < 1.0:
        return usual
    return max(min(usual, MOST_DIGITS - 1 - floor(log10(abs(value)))), 0)


def title(quantity: str, unit: str) -> str:
    """The title of an axis: ``camber [deg]``."""
    return f"{quantity} [{shown_unit(unit)}]"
