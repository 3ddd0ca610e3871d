"""Load cases whose pose and wheel forces are found elsewhere, so that only their members are left to solve."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from sheetmbs.engine.records import Floats
from sheetmbs.suspension.compliance.elastic_axle import ElasticPoses
from sheetmbs.suspension.loads.member_forces import LoadColumn
from sheetmbs.suspension.loads.road import TyreWrench


def _nothing() -> Floats:
    return np.zeros(0)


@dataclass(frozen=True, eq=False)
class PlacedCase:
    """A case with its pose. acceleration: (3,) in g, in the axes of the car on the road. travel: (w,) m; rack: m.

    road: roll and pitch of the body, rad, and distance of the road from its origin, m. wheels: (w, 6) forces and moments of the
    road, N and N m, in the heading axes of each wheel. held: (w,) torque of drive and brakes about the spin axis, + drives,
    that the upright holds. mark: what is to be said of the case; has_failed: whether it has no pose, and the rest is nothing.
    twist: roll of the front half of the body, which road has, less that of its rear half, rad.
    poses, tyres: of cars with elastic parts, by axle, what they stand at and what the road exerts on each wheel; one row each.
    """

    mark: str = ""
    has_failed: bool = False
    acceleration: Floats = field(default_factory=_nothing)
    rack: float = 0.0
    travel: Floats = field(default_factory=_nothing)
    road: tuple[float, float, float] = (0.0, 0.0, 0.0)
    twist: float = 0.0
    wheels: Floats = field(default_factory=_nothing)
    held: Floats = field(default_factory=_nothing)
    poses: Mapping[str, ElasticPoses] = field(default_factory=dict)
    tyres: Mapping[str, Mapping[str, TyreWrench]] = field(default_factory=dict)


@dataclass(frozen=True, eq=False)
class PlacedCases:
    """cases: by their number among all cases. columns: further ones over all cases, NaN where a case is none of these."""

    cases: Mapping[int, PlacedCase] = field(default_factory=dict)
    columns: tuple[LoadColumn, ...] = ()


NONE_PLACED = PlacedCases()
