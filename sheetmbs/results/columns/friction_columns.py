"""Columns of friction in joints."""

from __future__ import annotations

from sheetmbs.elements import result_column as r
from sheetmbs.elements.recipe import FRICTION
from sheetmbs.elements.result_column import ResultKind, result_columns
from sheetmbs.engine.motion_report import MotionReport
from sheetmbs.lower import Lowered
from sheetmbs.results.columns.collect import CollectedColumns

FRICTION_COLUMNS = (
    *result_columns(
        "friction",
        "friction on body j: its force along the axis, or its moment about the axis; of a spherical joint its size",
        r.FORCE,
        r.MOMENT,
    ),
    *result_columns(
        "friction_moment", "moment of friction about the axis of a cylindrical joint", r.MOMENT, models=r.SPATIAL
    ),
    *result_columns("friction_power", "power lost by friction", r.POWER, aside=True),
)
"""of the joints that have some"""


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
