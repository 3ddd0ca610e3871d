"""Columns of `mbs Joints`: reactions on either body, the joint's own coordinates, and friction."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from sheetmbs.analysis.solution import Solution
from sheetmbs.elements import result_column as r
from sheetmbs.elements.analyses import Analysis
from sheetmbs.elements.joint_friction import FRICTION
from sheetmbs.elements.result_column import (
    ChartPlace,
    DefaultChart,
    RestPlace,
    RestTable,
    ResultColumn,
    ResultKind,
    result_columns,
)
from sheetmbs.engine.codes import BodyKind
from sheetmbs.engine.motion_report import MotionReport
from sheetmbs.lower import Lowered
from sheetmbs.lower.lower_constraints import Constraint
from sheetmbs.results.columns.beam_columns import arm
from sheetmbs.results.columns.collect import CollectedColumns, Floats

FRICTION_COLUMNS = (
    *result_columns(
        "friction",
        "friction on body j: its force along the axis, or its moment about the axis; for a spherical joint its size",
        r.FORCE,
        r.MOMENT,
    ),
    *result_columns(
        "friction_moment", "moment of friction about the axis of a cylindrical joint", r.MOMENT, models=r.SPATIAL
    ),
    *result_columns("friction_power", "power lost by friction", r.POWER, aside=True),
)
"""of the joints that have some"""
IN_PLANE = ((0, "fx"), (1, "fy"), (5, "m"))
IN_SPACE = ((0, "fx"), (1, "fy"), (2, "fz"), (3, "mx"), (4, "my"), (5, "mz"))
COORDINATES = {"angle": r.ANGLE, "displacement": r.LENGTH, "distance": r.LENGTH}
RATES = {"angle": r.ANGULAR_VELOCITY, "displacement": r.VELOCITY, "distance": r.VELOCITY}


def add_friction(
    lowered: Lowered, constraint: int, found: MotionReport, kind: ResultKind, columns: CollectedColumns
) -> None:
    """Add the friction on body j of a joint and the power lost by it, if the joint has friction.

    The force along the axis or the moment about it, both where a joint has both, or the size of the moment about a point.
    """
    for k, record in enumerate(lowered.frictions):
        if record.owner != constraint or record.meshes:
            continue
        joint = lowered.elements[constraint].name
        pair = FRICTION[lowered.model.joints[constraint].type]
        if pair.slides:
            columns.add(kind, joint, "friction", found.friction[:, k, 0], r.FORCE)
        if pair.turns and pair.slides:
            columns.add(kind, joint, "friction_moment", found.friction[:, k, 1])
        elif pair.turns:
            columns.add(kind, joint, "friction", found.friction[:, k, 1], r.MOMENT)
        columns.add(kind, joint, "friction_power", found.friction[:, k, 2])


def _moving(title: str, coordinate: str, alone: str) -> tuple[DefaultChart, ...]:
    """Charts of one coordinate of all joints, driven joints first; in space no more than fit on one chart."""
    chart = DefaultChart(
        title, (coordinate,), ChartPlace.JOINTS, moving=True, chosen="driven", models=r.PLANAR, alone=alone
    )
    return chart, replace(chart, models=r.SPATIAL, most=8)


def _reactions() -> tuple[DefaultChart, ...]:
    """Charts of reactions at every joint, or at those with the largest; fewer in space, where they are harder to read."""
    forces = ("i.fx", "i.fy", "i.fz")
    chart = DefaultChart("Reaction at {}", forces, ChartPlace.REACTIONS, most=8, chosen="largest", models=r.PLANAR)
    return chart, replace(chart, models=r.SPATIAL, most=4)


def _reaction(side: str, *, aside: bool) -> tuple[ResultColumn, ...]:
    force, moment = f"reaction on body {side} at the joint", f"moment of the reaction on body {side} at the joint"
    return (
        *result_columns(f"{side}.fx {side}.fy", force, r.FORCE, aside=aside),
        *result_columns(f"{side}.fz", force, r.FORCE, models=r.SPATIAL, aside=aside),
        *result_columns(f"{side}.m", moment, r.MOMENT, models=r.PLANAR, aside=aside),
        *result_columns(f"{side}.mx {side}.my {side}.mz", moment, r.MOMENT, models=r.SPATIAL, aside=aside),
        *result_columns(
            f"{side}.m_com",
            f"moment of the reaction on body {side} about its centre of mass",
            r.MOMENT,
            models=r.PLANAR,
            aside=True,
        ),
    )


JOINT = ResultKind(
    "joint",
    "mbs Joints",
    (
        *_reaction("i", aside=False),
        *_reaction("j", aside=True),
        *result_columns("angle", "angle of body j against body i about the axis of the joint", r.ANGLE),
        *result_columns("displacement", "displacement of body j against body i along the axis of the joint", r.LENGTH),
        *result_columns("distance", "length of a distance joint", r.LENGTH),
        *result_columns("rate", "rate of the one coordinate of the joint", *dict.fromkeys(RATES.values()), aside=True),
        *result_columns(
            "angle_rate",
            "rate of the angle of a joint with two coordinates",
            r.ANGULAR_VELOCITY,
            models=r.SPATIAL,
            aside=True,
        ),
        *result_columns(
            "displacement_rate",
            "rate of the displacement of a joint with two coordinates",
            r.VELOCITY,
            models=r.SPATIAL,
            aside=True,
        ),
        *result_columns(
            "force",
            "force along a distance joint, positive in tension, also where a driver sets its length",
            r.FORCE,
        ),
        *FRICTION_COLUMNS,
    ),
    lambda model: model.joints,
    (
        *_moving("Angles of joints", "angle", "Angle of joint {}"),
        *_moving("Displacements of joints", "displacement", "Displacement of joint {}"),
        *_reactions(),
    ),
    (
        RestTable(
            "Reactions at joints",
            (("x", "i.fx"), ("y", "i.fy"), ("z", "i.fz")),
            RestPlace.REACTIONS,
            has_size=True,
            is_load=True,
        ),
        RestTable("Angles of joints", (("angle", "angle"),), RestPlace.JOINTS),
        RestTable("Displacements of joints", (("displacement", "displacement"),), RestPlace.JOINTS),
    ),
)


def joints(lowered: Lowered, solution: Solution, found: MotionReport) -> CollectedColumns:
    """Reaction on either body of each joint, the joint's own coordinates with their rates, and a link's axial force.

    The axial force counts + in tension, as a spring's, and is there where a driver has taken the link's place too. Of a
    coupling, i and j stand for the wheel of joint_1 and that of joint_2, which its teeth push; the moment is that about the
    point of the wheel's joint. Where no teeth touch, they stand for the moving bodies of the two joints.
    """
    columns = CollectedColumns(JOINT.sheet, lowered.model.display, solution.times)
    is_planar = lowered.model.settings.dimension == "2D"
    turns: dict[int, tuple[Floats, Floats]] = {}
    for c, joint in enumerate(lowered.elements):
        if joint.what != "joint":
            continue
        for side in ("i", "j") if solution.analysis != Analysis.KINEMATIC else ():
            force = found.wrench[:, c, 0:6] if (side == "i") != joint.swapped else found.wrench[:, c, 6:12]
            for k, name in IN_PLANE if is_planar else IN_SPACE:
                columns.add(JOINT, joint.name, f"{side}.{name}", force[:, k])
            moment = _moment_about_centre(lowered, solution, joint, side, force, turns) if is_planar else None
            if moment is not None:
                columns.add(JOINT, joint.name, f"{side}.m_com", moment)
        for coordinate, gauge in joint.gauges.items():
            columns.add(JOINT, joint.name, coordinate, found.gauge[:, gauge, 0])
            rate = "rate" if len(joint.gauges) == 1 else f"{coordinate}_rate"
            columns.add(JOINT, joint.name, rate, found.gauge[:, gauge, 1], RATES[coordinate])
        if "distance" in joint.gauges and solution.analysis != Analysis.KINEMATIC:
            columns.add(JOINT, joint.name, "force", -found.multiplier[:, _holder(lowered, c)])
        if solution.analysis != Analysis.KINEMATIC:
            add_friction(lowered, c, found, JOINT, columns)
    return columns


def _holder(lowered: Lowered, c: int) -> int:
    """The constraint that holds the distance of a joint: itself, or what drives it."""
    link = lowered.elements[c]
    drives = {
        driver.name for driver in lowered.model.drivers if (driver.joint, driver.coordinate) == (link.name, "distance")
    }
    return next((n for n, each in enumerate(lowered.elements) if each.what != "joint" and each.name in drives), c)


def _moment_about_centre(
    lowered: Lowered,
    solution: Solution,
    joint: Constraint,
    side: str,
    force: Floats,
    turns: dict[int, tuple[Floats, Floats]],
) -> Floats | None:
    """Moment of a reaction about the centre of mass of its planar body; None on ground, which has none.

    turns: cosine and sine of the angles of bodies, by their numbers; those that are not there yet are put there.
    """
    frame = lowered.frames[joint.frame_i if side == "i" else joint.frame_j]
    if frame.body == 0:
        return None
    record = lowered.bodies.records[frame.body]
    if record.kind == BodyKind.SECTION:
        sx, sy = arm(lowered, solution, frame).T
    else:
        if frame.body not in turns:
            phi = solution.q[:, record.q + 2]
            turns[frame.body] = np.cos(phi), np.sin(phi)
        cosine, sine = turns[frame.body]
        sx = cosine * frame.x - sine * frame.y
        sy = sine * frame.x + cosine * frame.y
    return np.asarray(force[:, 5] + sx * force[:, 1] - sy * force[:, 0])
