"""Bodies that a blank cell chooses although the points say otherwise, tie rods that cannot hold a wheel, and arms of no length.

A rod, damper or drop link of a wishbone axle stands near the ball joint of the arm that carries it.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from sheetmbs.elements.joints.revolute import REVOLUTE
from sheetmbs.problems.errors import Problem
from sheetmbs.schema.suspension_inputs import SpringKind
from sheetmbs.suspension.layout.addons import joints_of
from sheetmbs.suspension.layout.car import AxleData, CarData
from sheetmbs.suspension.layout.type_table import BAR, ROCKER, UPRIGHT

ARMS = {"lower arm": "lower ball joint", "upper arm": "upper ball joint"}
"""arms of wishbone axles, and their ball joints"""
LINKS_ON_HINGES = ((BAR, "bar link suspension", "bar link bar"), (ROCKER, "rod outer", "rod rocker"))
"""bodies on a hinge that a link turns: the link's end elsewhere, and its end on them"""
MIN_ARM = 1e-5
"""m, lever of such a link about the hinge, up to which it does not turn the body"""
MIN_LEVER = 4e-3
"""lever of a tie rod about the steering axis, over the distance of the ball joints"""


def carrier_warnings(car: CarData) -> Iterator[Problem]:
    """Warnings of rods, dampers and drop links that stand on one arm by default, and nearer to another body."""
    for axle in car.axles:
        if axle.has_rocker and "rod on" not in axle.cells:
            yield from _nearer(axle, "rod outer", axle.rod_on, "rod-carrier", "rod on")
        if not axle.has_rocker and axle.damper_point == "damper outer" and "damper on" not in axle.cells:
            yield from _nearer(axle, "damper outer", axle.damper_body, "damper-carrier", "damper on")
        bars = [row for row in axle.springs if row.kind in (SpringKind.U_BAR, SpringKind.T_BAR)]
        if bars and not any(row.values.get("on") for row in bars):
            mend = f"the column on of {bars[0].name}"
            yield from _nearer(axle, "bar link suspension", axle.bar_on, "bar-carrier", mend)


def _nearer(axle: AxleData, name: str, carrier: str, code: str, setting: str) -> Iterator[Problem]:
    points = axle.points["left"]
    places = {body: joint for body, joint in ARMS.items() if body in axle.type.carriers and joint in points}
    if carrier == ROCKER:
        places[ROCKER] = "rocker pivot"
    if name not in points or carrier not in places or len(places) < 2:
        return
    away = {
        body: float(np.linalg.norm(points[name].position - points[joint].position))
        for body, joint in places.items()
        if joint in points
    }
    near = min(away, key=lambda body: away[body])
    if carrier not in away or near == carrier:
        return
    distances = " and ".join(f"{away[body] * 1e3:.4g} mm from the {places[body]}" for body in (near, carrier))
    found = f"the {axle.name} {name} lies {distances}"
    rule = f"{setting} is blank, which puts it on the {carrier}"
    mend = f"set {setting}: {near}, or {carrier} if it is meant"
    yield Problem(code, "warning", points[name].cell, found, rule, mend)


def steering_faults(car: CarData) -> Iterator[Problem]:
    """Errors of tie rods without a lever about the steering axis: nothing then holds the wheel straight."""
    for axle in car.axles:
        points, axis = axle.points["left"], axle.steering_axis
        if axle.wheel_carrier != UPRIGHT or not axis:
            continue
        if not all(name in points for name in (*axis, "tie rod inner", "tie rod outer")):
            continue
        lower, upper, inner, outer = (points[name].position for name in (*axis, "tie rod inner", "tie rod outer"))
        along, rod = upper - lower, outer - inner
        if np.linalg.norm(along) == 0.0 or np.linalg.norm(rod) == 0.0:
            continue
        apart = float(np.linalg.norm(along))
        along, rod = along / apart, rod / np.linalg.norm(rod)
        beside = float(np.linalg.norm(np.cross(along, outer - lower)))
        lever = abs(float(np.cross(along, outer - lower) @ rod))
        if lever >= MIN_LEVER * apart:
            continue
        where = (
            "lies on the steering axis"
            if beside < MIN_LEVER * apart
            else "has a tie rod that points at the steering axis"
        )
        found = f"the {axle.name} tie rod outer {where}, {axis[0]} to {axis[1]}: its lever is {lever * 1e3:.2g} mm"
        rule = "a tie rod holds and steers the wheel by its lever about that axis"
        mend = "correct the coordinates of tie rod outer, ahead of or behind the axis"
        yield Problem("singular-pose", "error", points["tie rod outer"].cell, found, rule, mend)


def arm_faults(car: CarData) -> Iterator[Problem]:
    """Errors of bars and rockers that their link cannot turn: its end lies on their axis, or it points at that axis."""
    for axle in car.axles:
        for body, far, near in LINKS_ON_HINGES:
            hinge = next((each for each in joints_of(axle) if each.body_j == body and each.type == REVOLUTE.name), None)
            points = axle.points["left"]
            if hinge is None or not all(name in points for name in (*hinge.points, far, near)):
                continue
            foot, end = points[hinge.points[0]].position, points[near].position
            second = points[hinge.points[1]].position - foot if len(hinge.points) > 1 else hinge.axis
            along, link = np.asarray(second, dtype=np.float64), points[far].position - end
            if not np.linalg.norm(along) or not np.linalg.norm(link):
                continue  # points at the same place, which is reported
            along, link = along / np.linalg.norm(along), link / np.linalg.norm(link)
            across = np.cross(along, end - foot)
            if abs(float(across @ link)) > MIN_ARM:
                continue
            where = (
                f"{near} lies on the axis about which the {body} turns: its arm has no length"
                if np.linalg.norm(across) <= MIN_ARM
                else f"the line from {far} to {near} meets the axis about which the {body} turns: it has no lever there"
            )
            found, mend = f"the {axle.name} {body} moves nothing", f"correct the coordinates of {near}"
            yield Problem("dead-element", "error", points[near].cell, found, where, mend)
