"""An axle a little way along a parameter, made anew and posed: where rows of the workbook's own join its bodies."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from sheetmbs.suspension.kinematics.axle_system import AxleSystem, Placing
from sheetmbs.suspension.kinematics.sweeps import SweptAxle, swept_at
from sheetmbs.suspension.layout.car import AxleData
from sheetmbs.suspension.sensitivity.body_shifts import Parameter
from sheetmbs.suspension.sensitivity.varied_axle import moved_axle

STEP = 1e-5
"""m: its square is far below what is asked for, and poses are good to 1e-15 m"""


@dataclass(frozen=True, eq=False)
class Workshop:
    """What makes an axle anew. make: from its data and a longer member, ``""`` none, by so much, m. members: that it has."""

    make: Callable[[AxleData, str, float], AxleSystem]
    members: frozenset[str]


def finite_difference_axle(swept: SweptAxle, workshop: Workshop, parameter: Parameter, step: float) -> SweptAxle:
    """An axle with one parameter changed by ``step``, its wheels at the same travels from where they then are at design.

    Raises WorkbookError or ArithmeticError where it does not go together so.
    """
    axle = moved_axle(swept, parameter, step)
    system = workshop.make(axle, parameter.member, step)
    at = swept.placing
    travel = {side: values - swept.axle.standing(side) for side, values in at.travel.items()}
    found = swept_at(system, Placing(travel, at.rack, at.roll, at.pitch))
    if found.rows != swept.rows:
        raise ArithmeticError(f"the linkage does not close with {parameter.name} changed by {1e3 * step:g} mm")
    return found
