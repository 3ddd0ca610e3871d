"""What the points of a list tell of springs and rods: which arm carries the rod, and what is a spring's own end."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from sheetmbs.problems.errors import Problem
from sheetmbs.schema.names import fold
from sheetmbs.suspension.hardpoint_lists.fill_settings import NewSetting
from sheetmbs.suspension.hardpoint_lists.placed_point import PlacedPoint
from sheetmbs.suspension.layout.car import SIDES

JOINTS = {"lower arm": "lower ball joint", "upper arm": "upper ball joint"}
"""ball joint of each arm that may carry a rod"""
SPRING_ENDS = {"damper rocker": "spring rocker", "damper outer": "spring rocker", "damper chassis": "spring chassis"}
"""ends of a spring by those of the damper on which it sits otherwise"""
STRUT = {"damper outer": "strut lower", "damper chassis": "strut top"}
"""ends of a strut by those of a damper"""
SAME_PLACE = 1e-7
"""m"""
IN_MM = 1e3


def rods_of(points: Sequence[PlacedPoint], carriers: Mapping[str, str], notes: list[Problem]) -> list[NewSetting]:
    """The settings actuation and rod on of each axle that has a rod. carriers: by axle, as the file tells it."""
    found = []
    for axle in dict.fromkeys(point.axle for point in points):
        at = {point.name: point for point in points if point.axle == axle and point.side == SIDES[0]}
        rod = at.get("rod outer")
        if rod is None:
            continue
        inner = at.get("rod rocker")
        if inner is not None:
            goes_down = inner.position[2] < rod.position[2]
            found.append(NewSetting("actuation", axle, "pull-rod" if goes_down else "push-rod"))
            way = "down" if goes_down else "up"
            rule = f"it goes {way} to the rocker, from z {_mm(rod.position[2])} to {_mm(inner.position[2])}"
            told = f"{axle} actuation = {found[-1].value}"
            notes.append(Problem("actuation-found", "note", rod.place, told, rule, ""))
        if all(joint in at for joint in JOINTS.values()):
            found.append(_carrier(axle, at, carriers.get(axle, ""), notes))
        elif axle in carriers:
            found.append(NewSetting("rod on", axle, carriers[axle]))
    return found


def _carrier(axle: str, at: Mapping[str, PlacedPoint], told: str, notes: list[Problem]) -> NewSetting:
    """The body that carries the rod: that of the file, or else the arm whose ball joint is nearest to its outer end."""
    rod = at["rod outer"]
    far = {arm: float(np.linalg.norm(rod.position - at[joint].position)) for arm, joint in JOINTS.items()}
    nearest = min(far, key=lambda arm: far[arm])
    distances = " and ".join(f"{_mm(distance)} from the {JOINTS[arm]}" for arm, distance in far.items())
    chosen = told or nearest
    if chosen in far and chosen != nearest:
        rule = f"the file says so, and the rod's outer end is {distances}"
        notes.append(
            Problem(
                "rod-carrier", "warning", rod.place, f"{axle} rod on = {chosen}", rule, "check which arm carries it"
            )
        )
    else:
        rule = f"the rod's outer end is {distances}"
        notes.append(
            Problem("rod-carrier", "note", rod.place, f"{axle} rod on = {chosen}", rule, "change it if it is wrong")
        )
    return NewSetting("rod on", axle, chosen)


def _mm(length: float) -> str:
    return f"{length * IN_MM:.1f} mm"


def told_apart(points: Sequence[PlacedPoint], notes: list[Problem]) -> list[PlacedPoint]:
    """The points where a spring whose ends are not those of the damper has ends of its own."""
    found = []
    for point in points:
        own = SPRING_ENDS.get(point.name)
        others = [each for each in points if each.key == point.key and "spring" not in fold(each.listed)]
        apart = [each for each in others if np.abs(each.position - point.position).max() > SAME_PLACE]
        if own is None or not apart or "spring" not in fold(point.listed):
            found.append(point)
            continue
        found.append(replace(point, name=own))
        rule = f"{apart[0].listed} at {apart[0].place} is the damper's; this one is {own}"
        notes.append(Problem("spring-end", "note", point.place, point.listed, rule, ""))
    return found


def strut_of(points: Sequence[PlacedPoint], notes: list[Problem]) -> list[PlacedPoint]:
    """The points where an axle without upper arm and rod stands on a strut: the ends of its damper are those of the strut."""
    found = list(points)
    for axle in dict.fromkeys(point.axle for point in points):
        names = {point.name for point in points if point.axle == axle}
        has_arm = any(name.startswith("upper") for name in names)
        if has_arm or "rod outer" in names or not {"lower ball joint", *STRUT} <= names:
            continue
        found = [
            replace(point, name=STRUT[point.name]) if point.axle == axle and point.name in STRUT else point
            for point in found
        ]
        rule = "it has no upper arm: the ends of its damper are those of a strut, strut lower and strut top"
        notes.append(Problem("strut-found", "note", "", f"the {axle} axle", rule, ""))
    return found
