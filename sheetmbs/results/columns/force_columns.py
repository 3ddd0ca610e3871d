"""Columns of forces: `mbs Joints`, `mbs Drivers` and `mbs Springs`, with the coordinates along which they act."""

from __future__ import annotations

import numpy as np

from sheetmbs.analysis.solution import Solution
from sheetmbs.engine.codes import BodyKind
from sheetmbs.engine.motion_report import MotionReport
from sheetmbs.lower import Lowered
from sheetmbs.lower.lower_constraints import Constraint
from sheetmbs.model import Spring
from sheetmbs.results.charting.across import has_rates
from sheetmbs.results.columns.beam_columns import arm
from sheetmbs.results.columns.collect import ANGLES, CollectedColumns, Floats, unit_of
from sheetmbs.results.columns.friction_columns import add_friction

IN_PLANE = ((0, "fx", "N"), (1, "fy", "N"), (5, "m", "N*m"))
IN_SPACE = ((0, "fx", "N"), (1, "fy", "N"), (2, "fz", "N"), (3, "mx", "N*m"), (4, "my", "N*m"), (5, "mz", "N*m"))
BUSHING = ((0, "dx", "fx"), (1, "dy", "fy"), (2, "dz", "fz"), (3, "rx", "mx"), (4, "ry", "my"), (5, "rz", "mz"))
PLANAR_BUSHING = (BUSHING[0], BUSHING[1], BUSHING[5])


def joints(lowered: Lowered, solution: Solution, found: MotionReport) -> CollectedColumns:
    """Reaction on either body of each joint, the joint's own coordinates with their rates, and a link's axial force.

    The axial force counts + in tension, as a spring's, and is there where a driver has taken the link's place too. Of a
    coupling, i and j stand for the moving body of joint_1 and that of joint_2.
    """
    columns = CollectedColumns("mbs Joints", solution.times)
    is_planar = lowered.model.settings.dimension == "2D"
    for c, joint in enumerate(lowered.elements):
        if joint.what != "joint":
            continue
        for side in ("i", "j") if solution.analysis != "kinematic" else ():
            force = found.wrench[:, c, 0:6] if (side == "i") != joint.swapped else found.wrench[:, c, 6:12]
            for k, name, unit in IN_PLANE if is_planar else IN_SPACE:
                columns.add(f"{joint.name}.{side}.{name}", unit, force[:, k])
            moment = _moment_about_centre(lowered, solution, joint, side, force) if is_planar else None
            if moment is not None:
                columns.add(f"{joint.name}.{side}.m_com", "N*m", moment)
        for coordinate, gauge in joint.gauges.items():
            unit, factor = unit_of(lowered.model.display, coordinate)
            rate = "rate" if len(joint.gauges) == 1 else f"{coordinate}_rate"
            columns.add(f"{joint.name}.{coordinate}", unit, found.gauge[:, gauge, 0], factor)
            columns.add(f"{joint.name}.{rate}", f"{unit}/s", found.gauge[:, gauge, 1], factor)
        if "distance" in joint.gauges and solution.analysis != "kinematic":
            columns.add(f"{joint.name}.force", "N", -found.multiplier[:, _holder(lowered, c)])
        if solution.analysis != "kinematic":
            add_friction(lowered, c, found, columns)
    return columns


def _holder(lowered: Lowered, c: int) -> int:
    """The constraint that holds the distance of a joint: itself, or what drives it."""
    link = lowered.elements[c]
    drives = {
        driver.name for driver in lowered.model.drivers if (driver.joint, driver.coordinate) == (link.name, "distance")
    }
    return next((n for n, each in enumerate(lowered.elements) if each.what != "joint" and each.name in drives), c)


def _moment_about_centre(
    lowered: Lowered, solution: Solution, joint: Constraint, side: str, force: Floats
) -> Floats | None:
    """Moment of a reaction about the centre of mass of its planar body; None on ground, which has none."""
    frame = lowered.frames[joint.frame_i if side == "i" else joint.frame_j]
    if frame.body == 0:
        return None
    record = lowered.bodies.records[frame.body]
    if record.kind == BodyKind.SECTION:
        sx, sy = arm(lowered, solution, frame).T
    else:
        phi = solution.q[:, record.q + 2]
        sx = np.cos(phi) * frame.x - np.sin(phi) * frame.y
        sy = np.sin(phi) * frame.x + np.cos(phi) * frame.y
    return np.asarray(force[:, 5] + sx * force[:, 1] - sy * force[:, 0])


def drivers(lowered: Lowered, solution: Solution, found: MotionReport) -> CollectedColumns:
    """What drivers and guiding columns apply to the body, or to body_j of the joint, and their power."""
    columns = CollectedColumns("mbs Drivers", solution.times)
    if solution.analysis == "kinematic":
        return columns
    for c, driver in enumerate(lowered.elements):
        if driver.what == "joint":
            continue
        turning = driver.coordinate in ANGLES
        name = "moment" if turning else "force"
        columns.add(f"{driver.name}.{name}", "N*m" if turning else "N", found.multiplier[:, c])
        columns.add(f"{driver.name}.power", "W", found.power[:, c])
    return columns


def springs(lowered: Lowered, solution: Solution, found: MotionReport) -> CollectedColumns:
    """Lengths, angles and deflections of springs, and their forces."""
    columns = CollectedColumns("mbs Springs", solution.times)
    straight = bushing = 0
    for spring in lowered.model.springs:
        if spring.type == "bushing":
            _add_bushing(lowered, spring, bushing, found, columns)
            bushing += 1
        else:
            _add_spring(lowered, spring, straight, found, columns)
            straight += 1
    return columns


def _add_spring(lowered: Lowered, spring: Spring, k: int, found: MotionReport, columns: CollectedColumns) -> None:
    """All forces count + when they pull the ends together; an angle in space is 0 in the initial configuration.

    Where rates stand for nothing, what a damper does is not known, and the spring stands alone.
    """
    turning = spring.type == "rotational"
    unit, factor = unit_of(lowered.model.display, "angle" if turning else "length")
    what, force = ("moment", "N*m") if turning else ("force", "N")
    size = found.spring[:, k, 0]
    if turning and lowered.model.settings.dimension == "3D":
        size = size - (lowered.forces.springs[k].natural - (spring.natural or 0.0))
    columns.add(f"{spring.name}.{'angle' if turning else 'length'}", unit, size, factor)
    columns.add(f"{spring.name}.rate", f"{unit}/s", found.spring[:, k, 1], factor)
    columns.add(f"{spring.name}.spring_{what}", force, found.spring[:, k, 2])
    damper, total = found.spring[:, k, 3], found.spring[:, k, 4]
    if not has_rates(lowered.model) and (spring.c or spring.curve_c):
        damper, total = np.full(len(damper), np.nan), total - damper
    columns.add(f"{spring.name}.damper_{what}", force, damper)
    columns.add(f"{spring.name}.{what}", force, total)


def _add_bushing(lowered: Lowered, spring: Spring, n: int, found: MotionReport, columns: CollectedColumns) -> None:
    """Deflection of body j against body i since the start, and force and moment on body i: both in its axes.

    As with all springs, what is + pulls the ends together: a deflection along +x pulls body i along +x.
    """
    shown = PLANAR_BUSHING if lowered.model.settings.dimension == "2D" else BUSHING
    deflection = found.bushing[:, n, 0:6] - lowered.forces.bushings.rest[n]
    for k, name, _force in shown:
        unit, factor = unit_of(lowered.model.display, "length" if k < 3 else "angle")
        columns.add(f"{spring.name}.{name}", unit, deflection[:, k], factor)
    for k, _name, force in shown:
        columns.add(f"{spring.name}.{force}", "N" if k < 3 else "N*m", found.bushing[:, n, 12 + k])
