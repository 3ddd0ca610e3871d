"""Columns of friction in joints, and what its user should know of it."""

from __future__ import annotations

from sheetmbs.elements.friction import FRICTION
from sheetmbs.engine.report import Report
from sheetmbs.lower import Lowered
from sheetmbs.results.collect import Columns


def add_friction(lowered: Lowered, constraint: int, found: Report, columns: Columns) -> None:
    """What friction does to body j of a joint, and the power that is lost by it; nothing where the joint has none.

    The force along the axis or the moment about it, both where a joint has both, or the size of the moment about a point.
    """
    for k, record in enumerate(lowered.frictions):
        if record.owner != constraint:
            continue
        joint = lowered.elements[constraint].name
        kind = FRICTION[lowered.model.joints[constraint].type]
        if kind.slides:
            columns.add(f"{joint}.friction", "N", found.friction[:, k, 0])
        if kind.turns:
            columns.add(f"{joint}.friction{'_moment' if kind.slides else ''}", "N*m", found.friction[:, k, 1])
        columns.add(f"{joint}.friction_power", "W", found.friction[:, k, 2])
