"""Segments of one body with their masses and lengths, and what a kinematic method makes of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

import numpy as np

from sheetmbs.gait.arrays import Vector
from sheetmbs.gait.body.anthropometry import SegmentMass, segment_mass
from sheetmbs.gait.kinetics.joint_loads import SegmentMotion
from sheetmbs.gait.trial.gait_book import GaitBook, SegmentRow

Points = Mapping[str, Vector]
Derivatives = Callable[[Vector], tuple[Vector, Vector]]
"""of (.., n) to the first and second derivative (.., n)"""
TURN, UPRIGHT = 2.0 * np.pi, 0.5 * np.pi


@dataclass(frozen=True)
class BodySegment:
    """A segment ready to move. length: constant, in m. inertia: about its centre of mass in kg m^2."""

    row: SegmentRow
    mass: SegmentMass
    length: float
    inertia: float


@dataclass(frozen=True)
class StandingTrial:
    """What the standing trial gives: lengths of segments in m, and angles of joints in rad without their neutral.

    points: markers and joint centres (k, 3) by name.
    """

    lengths: Mapping[str, float]
    angles: Mapping[str, float]
    points: Points = field(default_factory=dict)


NOT_STANDING = StandingTrial({}, {})


@dataclass(frozen=True)
class SegmentMotions:
    """How segments move. segments: by name. lines: (n,) angle in rad of the line that joints show, by segment.

    errors: (n,) distance in m of each marker from where the model has it, of methods that fit one.
    joined: names of the segments that a revolute joint holds to the segment above; the others are placed by themselves.
    """

    segments: Mapping[str, SegmentMotion]
    lines: Mapping[str, Vector]
    errors: Mapping[str, Vector] = field(default_factory=dict)
    joined: frozenset[str] = frozenset()


def mean_seen(course: Vector) -> float:
    """Mean of a course (n,) in the frames in which it is known; NaN where that is none."""
    known = course[np.isfinite(course)]
    return float(np.mean(known)) if len(known) else np.nan


def line_angle(points: Points, line: tuple[str, str]) -> Vector:
    """(n,) angle in rad of a line from its first to its second point, counter-clockwise from forward, without jumps.

    Its mean is within half a turn of upright, so that all trials count turns alike.
    """
    along = points[line[1]] - points[line[0]]
    angle = np.arctan2(along[:, 1], along[:, 0])
    seen = np.isfinite(angle)
    if not np.any(seen):
        return np.asarray(angle)
    angle[seen] = np.unwrap(angle[seen])
    return np.asarray(angle - TURN * np.round((np.mean(angle[seen]) - UPRIGHT) / TURN))


def body_segments(points: Points, book: GaitBook, standing: StandingTrial) -> tuple[BodySegment, ...]:
    """The segments of the body with masses and lengths."""
    return tuple(_body_segment(row, points, book, standing) for row in book.segments)


def _body_segment(row: SegmentRow, points: Points, book: GaitBook, standing: StandingTrial) -> BodySegment:
    directions = 3 if book.dimension == "3D" else 2
    ends = points[row.proximal][:, :directions], points[row.distal][:, :directions]
    is_upper = mean_seen(ends[0][:, 1]) >= mean_seen(ends[1][:, 1])
    # of the trunk the table counts from the hip, of all others from the upper end
    mass = segment_mass(row, book.subject, is_proximal_first=bool(is_upper) != (row.table == "hat"))
    if mass is None:
        raise ValueError(f"no mass of {row.name}")
    if isinstance(row.length, float):
        length = row.length
    elif row.length == "static" and row.name in standing.lengths:
        length = standing.lengths[row.name]
    else:
        length = mean_seen(np.linalg.norm(ends[0] - ends[1], axis=1))
    inertia = mass.inertia if mass.inertia is not None else mass.mass * ((mass.gyration or 0.0) * length) ** 2
    return BodySegment(row, mass, length, inertia)
