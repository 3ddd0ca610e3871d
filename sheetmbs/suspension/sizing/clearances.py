"""Clearances between members over all poses of all sweeps: the least distance of two segments less their radii.

The nearest points of two segments p + s u and q + t v, 0 <= s, t <= 1, follow from those of their lines, taken to the ends
of the segments. Ericson, Real-Time Collision Detection, section 5.1.9.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from sheetmbs.engine.records import Floats
from sheetmbs.suspension.layout.car import AxleData, CarData
from sheetmbs.suspension.layout.member_data import PackagedPair
from sheetmbs.suspension.sizing.member_strength import sized_spans
from sheetmbs.suspension.sizing.posed_points import PosedAxle, PoseGroup

PARALLEL = 1e-12
"""square of the sine of the angle of two segments below which all their common normals are as long"""


@dataclass(frozen=True, eq=False)
class MemberClearance:
    """The clearance of a pair in a corner, m, at its least, and the pose of that."""

    pair: PackagedPair
    axle: AxleData
    side: str
    value: float
    worst: tuple[PoseGroup, int]

    @property
    def is_kept(self) -> bool:
        """Whether it is as large as wanted."""
        return self.value >= self.pair.least


def clearances(car: CarData, posed: Mapping[str, PosedAxle]) -> tuple[MemberClearance, ...]:
    """Every pair of Packaging on each side. posed: axles at all poses of all sweeps."""
    axles = {axle.name: axle for axle in car.axles}
    found = []
    for pair in car.packaged:
        own = posed[pair.axle]
        for side in pair.sides if own.count else ():
            corner = own.sides[side]
            ends = [corner.point(name) for span in pair.spans for name in (span.inner, span.outer)]
            usual = dict(sized_spans(car, pair.axle, side))
            radii = [
                usual.get(span, 0.0) if given is None else given
                for span, given in zip(pair.spans, pair.radii, strict=True)
            ]
            apart = segment_distance(*ends) - sum(radii)
            at = int(np.argmin(apart))
            found.append(MemberClearance(pair, axles[pair.axle], side, float(apart[at]), own.place(at)))
    return tuple(found)


def segment_distance(p: Floats, p_end: Floats, q: Floats, q_end: Floats) -> Floats:
    """(n,) least distance of the segments from p to p_end and from q to q_end, each (n, 3)."""
    u, v, r = p_end - p, q_end - q, p - q
    a, e, b = (np.sum(first * second, axis=1) for first, second in ((u, u), (v, v), (u, v)))
    c, f = np.sum(u * r, axis=1), np.sum(v * r, axis=1)
    square = a * e - b * b
    is_oblique = square > PARALLEL * a * e
    s = np.where(is_oblique, np.clip((b * f - c * e) / np.where(is_oblique, square, 1.0), 0.0, 1.0), 0.0)
    t = (b * s + f) / e
    s = np.where(t < 0.0, np.clip(-c / a, 0.0, 1.0), np.where(t > 1.0, np.clip((b - c) / a, 0.0, 1.0), s))
    t = np.clip(t, 0.0, 1.0)
    return np.asarray(np.linalg.norm(r + s[:, None] * u - t[:, None] * v, axis=1))
