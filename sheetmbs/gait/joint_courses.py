"""Courses of joints, feet and the whole body, from the motion and loads of segments."""

from __future__ import annotations

from collections.abc import Mapping
from math import nan

import numpy as np

from sheetmbs.gait.body.body_segments import Derivatives, SegmentMotions, StandingTrial, Vector, mean_seen
from sheetmbs.gait.force_plate_assignment import FootWrench
from sheetmbs.gait.kinetics.joint_loads import JointLoads, joint_power
from sheetmbs.gait.prepare_trial import Mask, PreparedTrial
from sheetmbs.gait.trial.gait_book import GaitBook, JointRow, Side
from sheetmbs.gait.trial.trial_courses import Course

FASTEST_PERIOD = 1.0 / 6.0
"""s: the edge where nothing is filtered and the workbook asks for one"""
REVERSED = ("extension", "plantarflexion")


def joint_angle(joint: JointRow, motion: SegmentMotions, book: GaitBook) -> Vector:
    """(n,) of a joint in rad in its positive sense, without its neutral; between -pi and pi in the mean."""
    upper = motion.lines.get(joint.proximal)
    angle = motion.lines[joint.distal] - (0.5 * np.pi if upper is None else upper)
    angle = angle - 2.0 * np.pi * np.round(mean_seen(angle) / (2.0 * np.pi))
    return np.asarray(sense(joint, book) * angle)


def sense(joint: JointRow, book: GaitBook) -> float:
    """+1 where the joint's positive sense is that of the distal segment counter-clockwise.

    The knee flexes as the shank turns backward, hip and ankle as thigh and foot turn forward and up.
    """
    table = next((row.table for row in book.segments if row.name == joint.distal), None)
    sign = -1.0 if table == "shank" else 1.0
    return -sign if joint.positive in REVERSED else sign


def joint_course(
    joint: JointRow,
    motion: SegmentMotions,
    loads: JointLoads | None,
    known: Mapping[Side, Mask],
    standing: StandingTrial,
    book: GaitBook,
    rates: Derivatives,
) -> Course:
    """Angle and rate of a joint in its positive sense; moment, power and force where the ground is known."""
    angle = joint_angle(joint, motion, book)
    turned = -1.0 if joint.positive in REVERSED else 1.0
    neutral = standing.angles.get(joint.label, 0.0) if joint.neutral == "static" else turned * joint.neutral
    course = {"angle": angle - neutral, "rate": rates(angle[None])[0][0]}
    if loads is None:
        return course
    distal = motion.segments[joint.distal]
    above = motion.segments.get(distal.parent or "")
    is_known = known[joint.side] if joint.side else known["right"] & known["left"]
    force, moment = loads.force[joint.distal], loads.moment[joint.distal]
    kinetic = {
        "moment": moment,
        "power": joint_power(loads, distal, above),
        "fx": force[:, 0],
        "fy": force[:, 1],
    }
    return course | {name: np.where(is_known, values, nan) for name, values in kinetic.items()}


def foot_course(wrench: FootWrench, known: Mask, book: GaitBook) -> Course:
    """What the ground does to a foot, where it is known."""
    of_ground = {"fx": wrench.force[:, 0], "fy": wrench.force[:, 1], "m": wrench.moment[:, 2]}
    pressure = {"px": wrench.pressure[:, 0]}
    if book.dimension == "3D":
        of_ground |= {"fz": wrench.force[:, 2], "mx": wrench.moment[:, 0], "my": wrench.moment[:, 1]}
        pressure["pz"] = wrench.pressure[:, 2]
    return {name: np.where(known, values, nan) for name, values in of_ground.items()} | pressure


def is_whole_body(book: GaitBook) -> bool:
    """Whether both legs and a trunk are there, so that nobody else can carry anything."""
    tables = [row.table for row in book.segments]
    return "hat" in tables and all(tables.count(name) == 2 for name in ("foot", "shank", "thigh"))


def residual_course(loads: JointLoads | None, known: Mapping[Side, Mask], book: GaitBook) -> Course | None:
    """What nobody applies to the whole body, where both feet are known; None without a whole body."""
    if loads is None or not is_whole_body(book):
        return None
    both = known["right"] & known["left"]
    names = ("fx", "fy", "m")
    return {name: np.where(both, loads.residual[:, index], nan) for index, name in enumerate(names)}


def com_course(motion: SegmentMotions, book: GaitBook) -> Vector:
    """(n, 3) of the whole body; NaN where it is not all there."""
    segments = list(motion.segments.values())
    planar = np.asarray(sum(each.mass * each.com for each in segments) / sum(each.mass for each in segments))
    missing = np.full((len(planar), 1), nan)
    return np.hstack((planar if is_whole_body(book) else np.full(planar.shape, nan), missing))


def cutoff_period(cutoffs: Vector) -> float:
    """In s, of the median of the cut-offs (markers,) in Hz; 0 where nothing is filtered."""
    finite = cutoffs[np.isfinite(cutoffs)]
    return 1.0 / float(np.median(finite)) if len(finite) else 0.0


def edge_frames(prepared: PreparedTrial, book: GaitBook, cutoffs: Vector) -> Mask:
    """(n,) within so many cut-off periods of either end."""
    period = cutoff_period(cutoffs) or FASTEST_PERIOD
    time, width = prepared.time.time, book.processing.edge * period * (1.0 - 1e-9)
    return np.asarray((time - time[0] < width) | (time[-1] - time < width))


def filled_frames(prepared: PreparedTrial, book: GaitBook) -> Mask:
    """(n,) where a gap was filled in what segments need."""
    of_centres = {row.name: row.markers for row in book.centres}
    wanted: set[str] = set()
    waiting = [name for row in book.segments for name in (row.proximal, row.distal, *row.line, *row.markers)]
    while waiting:
        name = waiting.pop()
        if name not in wanted:
            wanted.add(name)
            waiting += of_centres.get(name, ())
    rows = [index for index, label in enumerate(prepared.labels) if label in wanted]
    return np.asarray(prepared.filled[rows].any(axis=(0, 1)))
