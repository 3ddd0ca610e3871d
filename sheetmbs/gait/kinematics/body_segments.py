"""Segments of one body with their masses and lengths, and what a kinematic method makes of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from sheetmbs.gait.anthropometry import SegmentMass
from sheetmbs.gait.kinetics.joint_loads import SegmentMotion
from sheetmbs.gait.trial.gait_book import SegmentRow

Vector = NDArray[np.float64]
Points = Mapping[str, Vector]
Derivatives = Callable[[Vector], tuple[Vector, Vector]]
"""of (.., n) to the first and second derivative (.., n)"""


@dataclass(frozen=True)
class BodySegment:
    """A segment ready to move. length: constant, in m. inertia: about its centre of mass in kg m^2."""

    row: SegmentRow
    mass: SegmentMass
    length: float
    inertia: float


@dataclass(frozen=True)
class BodyMotion:
    """How segments move. segments: by name. lines: (n,) angle in rad of the line that joints show, by segment.

    errors: (n,) distance in m of each marker from where the model has it, of methods that fit one.
    """

    segments: Mapping[str, SegmentMotion]
    lines: Mapping[str, Vector]
    errors: Mapping[str, Vector] = field(default_factory=dict)


def line_angle(points: Points, line: tuple[str, str]) -> Vector:
    """(n,) angle in rad of a line from its first to its second point, counter-clockwise from forward, without jumps."""
    along = points[line[1]] - points[line[0]]
    angle = np.arctan2(along[:, 1], along[:, 0])
    seen = np.isfinite(angle)
    angle[seen] = np.unwrap(angle[seen])
    return np.asarray(angle)
