"""Warnings of sweeps: where the linkage ends, rates change sign, the roll centre runs away, ball joints pass their limits."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial

import numpy as np

from sheetmbs.elements.joints.distance import DISTANCE
from sheetmbs.elements.joints.revolute import REVOLUTE
from sheetmbs.elements.joints.spherical import SPHERICAL
from sheetmbs.elements.joints.spherical_cylindrical import SPHERICAL_CYLINDRICAL
from sheetmbs.elements.rotation import cross
from sheetmbs.engine.records import Floats
from sheetmbs.problems.errors import Problem
from sheetmbs.suspension.elastic.spring_elements import AxleLaws
from sheetmbs.suspension.kinematics.axle_system import AxleSystem
from sheetmbs.suspension.kinematics.sweeps import RACK, Sweep, SweptAxle, swept_axle
from sheetmbs.suspension.kinematics.wheel import Wheel
from sheetmbs.suspension.layout.addons import joints_of
from sheetmbs.suspension.layout.car import SIDES, AxleData, CarData
from sheetmbs.suspension.limits.boundaries import Boundary, Flags, boundary, ends, stopping_member
from sheetmbs.suspension.metrics.all_metrics import CORNER_METRICS
from sheetmbs.suspension.metrics.columns import SWEPT
from sheetmbs.suspension.metrics.metric import AxlePoses, CornerPoses, Metric, size, values

WHEEL_RATE = "wheel_rate"
SIGNED = {"motion_ratio": "the motion ratio", WHEEL_RATE: "the wheel rate"}
RACK_TRIED, RACK_POSES = 1.2 * RACK, 25
"""m, and poses over it to both sides; full lock is `RACK` from limits of `RACK` / `OF_LIMIT` on"""
MAX_LATERAL = 10.0
"""tracks from the middle of the car at which a roll centre has run away"""
LESS = "sweep less, or look at the hardpoints"
Swept = Mapping[str, Mapping[str, SweptAxle]]


def sweep_problems(
    car: CarData, laws: Mapping[str, AxleLaws], plans: Mapping[str, Sweep], swept: Swept
) -> Iterator[Problem]:
    """Warnings of all sweeps; what several of them meet is reported of the first."""
    told: set[tuple[str, ...]] = set()
    for name, axles in swept.items():
        for axle in axles.values():
            plan = plans[name]
            yield from _end(plan, axle)
            if axle.rows.stop <= axle.rows.start:
                continue
            poses = AxlePoses(car, axle, laws[axle.axle.name])
            for key, problem in (*_signs(plan, poses), *_angles(plan, axle), *_runaway(plan, poses)):
                if key not in told:
                    told.add(key)
                    yield problem


def rack_limit(systems: Mapping[str, AxleSystem]) -> float:
    """The smallest rack travel that any steered axle reaches, m, up to one that leaves all that full lock is to be."""
    limit = RACK_TRIED
    rack = np.linspace(-limit, limit, RACK_POSES)
    none = np.zeros(len(rack))
    plan = Sweep("steer", "steer", none, none, rack, none, ("rack",))
    for system in systems.values():
        if system.axle.is_steered:
            limit = min(limit, *(abs(end.value("rack")) for end in ends(plan, swept_axle(plan, system))), limit)
    return limit


def _end(plan: Sweep, swept: SweptAxle) -> Iterator[Problem]:
    """Of a sweep that goes further than the linkage does."""
    reached = swept.rows.stop - swept.rows.start
    if reached == plan.rows:
        return
    rule = f"the linkage closes at {max(reached, 0)} of {plan.rows} poses; the cells of the others are empty"
    last = ends(plan, swept)
    if not last:
        cell = plan.cell or swept.axle.cells.get("type", "")
        found = f"{plan.name}: the {swept.axle.name} linkage closes at none of its poses"
        yield Problem("travel-limit", "warning", cell, found, "a sweep begins near design", LESS)
        return
    members = [stopping_member(end.swept, end.pose) for end in last]
    stops = [f"{member} at {where_in_words(plan, end)}" for (member, _cell), end in zip(members, last, strict=True)]
    found = f"{plan.name}: {', and '.join(stops)}"
    yield Problem("travel-limit", "warning", plan.cell or members[0][1], found, rule, LESS)


def where_in_words(plan: Sweep, end: Boundary) -> str:
    """The quantities that the rows are named by, in words."""
    shown = [
        (name, end.value(name) / size(SWEPT[name]), SWEPT[name].replace("mm", " mm").replace("deg", " deg"))
        for name in plan.swept
    ]
    if len(shown) == 1:
        return f"{shown[0][1]:+.2f}{shown[0][2]}"
    return ", ".join(f"{name.replace('_', ' ')} {value:+.2f}{unit}" for name, value, unit in shown)


Told = tuple[tuple[str, ...], Problem]


def _signs(plan: Sweep, poses: AxlePoses) -> Iterator[Told]:
    """Motion ratios and wheel rates that change sign on the way."""
    axle = poses.axle
    for metric in (each for each in CORNER_METRICS if each.name in SIGNED):
        for number, side in enumerate(SIDES):
            passed = _passed(plan, poses, partial(_of_wheel, metric=metric, number=number))
            if passed is not None:
                where = f"{SIGNED[metric.name]} of the {axle.name} {side} wheel passes zero at {where_in_words(plan, passed)}"
                rule = "a spring that moves the other way from there on, or pushes the wheel away, carries nothing"
                cell = plan.cell or axle.cells.get("type", "")
                mend = "look at rocker, rod and spring, or sweep less"
                problem = Problem("sign-change", "warning", cell, f"{plan.name}: {where}", rule, mend)
                yield (metric.name, axle.name), problem


def _of_wheel(of: AxlePoses, metric: Metric[CornerPoses], number: int) -> Floats | None:
    found = metric.find(of.corners[number])
    if found is None or metric.name != WHEEL_RATE:
        return None if found is None else values(found)
    return np.where(_is_loose(of), np.abs(values(found)), values(found))


def _is_loose(of: AxlePoses) -> Flags:
    """(n,) whether a spring has let go: the rate that is left then says nothing of its linkage."""
    loose = [(part.force == 0.0) & (part.stiffness == 0.0) for part in of.elements if part.of_kind.can_pull]
    return np.any(loose, axis=0) if loose else np.zeros(of.count, dtype=np.bool_)


def _passed(plan: Sweep, poses: AxlePoses, find: Callable[[AxlePoses], Floats | None]) -> Boundary | None:
    """The last pose before a value passes zero, going away from design; None where it does not."""
    found = find(poses)
    if found is None or not np.isfinite(found).all():
        return None
    changes = np.flatnonzero(np.sign(found[1:]) * np.sign(found[:-1]) < 0.0)
    if not changes.size:
        return None
    rows = poses.swept.rows
    home = int(np.argmin(sum(np.abs(plan.column(name)[rows]) for name in plan.swept)))
    row = int(min(changes, key=lambda at: abs(at - home)))
    inside, outside = (row, row + 1) if row >= home else (row + 1, row)
    sign = np.sign(found[inside])

    def holds(swept: SweptAxle) -> Flags:
        again = find(AxlePoses(poses.car, swept, poses.laws))
        return np.asarray(np.sign(np.zeros(1) if again is None else again) == sign)

    return boundary(plan, poses.swept, inside + rows.start, outside + rows.start, holds)


def _angles(plan: Sweep, swept: SweptAxle) -> Iterator[Told]:
    """Ball joints that turn further than they may."""
    axle = swept.axle
    for side in SIDES:
        for name, point in axle.points[side].items():
            if point.max_angle is None:
                continue
            angle = joint_angle(swept.wheels[side], name)
            if angle is None:
                found = f"max_angle of {name}"
                rule = f"the {axle.name} axle has no ball joint there, whose angle it could limit"
                problem = Problem("joint-angle", "warning", point.cell, found, rule, "clear the cell")
                yield ("angle", point.cell), problem
                continue
            if np.max(angle) <= point.max_angle:
                continue
            rows = swept.rows
            beyond = np.flatnonzero(angle > point.max_angle)
            home = int(np.argmin(angle))
            outside = int(min(beyond, key=lambda at: abs(at - home)))
            inside = outside - int(np.sign(outside - home))
            where = "everywhere"
            if angle[inside] <= point.max_angle:
                holds = partial(_turns_less, side=side, name=name, most=point.max_angle)
                end = boundary(plan, swept, inside + rows.start, outside + rows.start, holds)
                where = f"beyond {where_in_words(plan, end)}"
            most, limit = np.degrees(np.max(angle)), np.degrees(point.max_angle)
            found = f"{plan.name}: the joint at the {axle.name} {side} {name} turns further than its {limit:.4g} deg, {where}"
            rule = f"it turns by {most:.2f} deg within this sweep"
            problem = Problem("joint-angle", "warning", point.cell, found, rule, "turn its housing, or sweep less")
            yield ("angle", axle.name, name, point.cell), problem


def _turns_less(swept: SweptAxle, side: str, name: str, most: float) -> Flags:
    angle = joint_angle(swept.wheels[side], name)
    return np.zeros(1) > 0.0 if angle is None else angle <= most


def _runaway(plan: Sweep, poses: AxlePoses) -> Iterator[Told]:
    """A roll centre that leaves the car in roll; that of trailing arms has no other place than on the level road."""
    axle = poses.axle
    home = int(np.argmin(np.abs(poses.left.roll)))
    far = MAX_LATERAL * poses.track
    lateral = np.abs(poses.roll_centre.lateral)
    has_none = poses.roll_centre.meets_nowhere()[home]
    if has_none or not np.any(poses.left.roll) or not lateral[home] < poses.track[home]:
        return
    away = np.flatnonzero(~(lateral < far))
    if away.size:
        at = int(min(away, key=lambda row: abs(row - home))) + poses.swept.rows.start
        end = Boundary(plan, at, poses.swept)
        found = f"{plan.name}: the {axle.name} roll centre runs away at {where_in_words(plan, end)}"
        rule = (
            f"it is more than {MAX_LATERAL:g} tracks from the middle of the car there; jacking slopes say what matters"
        )
        cell = plan.cell or axle.cells.get("type", "")
        yield (
            ("runaway", axle.name),
            Problem("roll-centre", "warning", cell, found, rule, "judge the axle by its jacking slopes in roll"),
        )


def joint_angle(wheel: Wheel, point: str) -> Floats | None:
    """(n,) angle of the ball joint at a point against design, rad; None where there is no ball joint."""
    others = _other_end(wheel.axle, point)
    if not others:
        return None
    carrier = wheel.axle.points[wheel.side][point].on
    here = wheel.hardpoint(point).value
    along = sum(wheel.hardpoint(name).value for name in others) / len(others) - here
    points = wheel.axle.points[wheel.side]
    design = sum(points[name].position for name in others) / len(others) - points[point].position
    name = wheel.axle.body_name(carrier, wheel.side)
    if name in wheel.poses.lowered.bodies.names:
        along = np.einsum("nij,ni->nj", wheel.poses.orientation(name), along)
    sine = np.linalg.norm(cross(design, along), axis=1)
    return np.asarray(np.arctan2(sine, along @ design))


def _other_end(axle: AxleData, point: str) -> tuple[str, ...]:
    """Where the member ends that a ball joint holds: at the other joint of a rod, between the pivots of an arm."""
    joints = list(joints_of(axle))
    for joint in joints:
        if joint.type in (DISTANCE.name, SPHERICAL_CYLINDRICAL.name) and point in joint.points:
            return tuple(name for name in joint.points if name != point)
        if joint.type == SPHERICAL.name and joint.points == (point,):
            return next(
                (each.points for each in joints if each.type == REVOLUTE.name and each.body_j == joint.body_i), ()
            )
    return ()
