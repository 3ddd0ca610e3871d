"""Steering that can hardly be meant: a steering wheel that steers the other way, and cases that steer out of their turn."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from sheetmbs.problems.errors import Problem, WorkbookError
from sheetmbs.suspension.kinematics.axle_system import AxleSystem
from sheetmbs.suspension.kinematics.steering_sense import to_the_left
from sheetmbs.suspension.layout.car import AxleData
from sheetmbs.suspension.layout.load_case import LoadCase

FRONT = "front"
MAX_RACK = 0.5
"""m, beyond which no rack goes"""


def steering_warnings(systems: Mapping[str, AxleSystem], cases: Sequence[LoadCase]) -> Iterator[Problem]:
    """Warnings of the front axle: rear wheels may steer either way. systems: the axles as they are swept."""
    try:
        system = systems.get(FRONT)
    except WorkbookError:
        return  # whose parts do not close, which is said where it is posed
    turned = [case for case in cases if case.ay and case.rack]
    if system is None or not system.axle.is_steered or not system.is_closed_at_design:
        return
    axle = system.axle
    if axle.number("rack per turn") is None and not turned:
        return
    way = to_the_left(system)
    yield from _against_the_wheel(axle, way)
    for case in turned:
        if abs(case.rack) > MAX_RACK:
            found, rule = f"rack: {case.rack:.4g} m", f"no rack goes beyond {MAX_RACK:g} m"
            mend = "look at its unit: a number without one counts in m"
            yield Problem("implausible-value", "warning", case.rack_cell or case.cell, found, rule, mend)
        elif case.rack * way * case.ay < 0.0:
            rack, turn = ("left" if value > 0.0 else "right" for value in (case.rack, case.ay))
            steers = "left" if case.rack * way > 0.0 else "right"
            found = (
                f"load case {case.name}: the rack is {abs(case.rack) * 1e3:.4g} mm to the {rack}, which steers {steers}"
            )
            rule = f"ay = {case.ay:.4g} g is a turn to the {turn}"
            mend = "turn the sign of one of them, unless the driver steers against the turn"
            yield Problem("steers-out", "warning", case.rack_cell or case.cell, found, rule, mend)


def _against_the_wheel(axle: AxleData, way: float) -> Iterator[Problem]:
    per_turn = axle.number("rack per turn")
    if not per_turn or per_turn * way > 0.0:
        return
    found = f"rack per turn: {per_turn * 1e3:.5g} mm"
    rule = "with it the steering wheel turned to the left steers the car to the right"
    mend = f"write {-per_turn * 1e3:.5g} mm: the rack goes to the {'right' if per_turn > 0.0 else 'left'} then"
    yield Problem("steers-right", "warning", axle.cells["rack per turn"], found, rule, mend)
