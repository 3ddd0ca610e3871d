"""Solid axle: one body carries both wheels. Its links, and what holds it sideways, are what the list of points has."""

from __future__ import annotations

from sheetmbs.schema.suspension_inputs import Guide
from sheetmbs.suspension.layout.type_table import AXLE, WHEEL_CENTRE, Part, PointRole, SuspensionType

SOLID_AXLE = SuspensionType(
    Guide.SOLID_AXLE,
    points=(PointRole(WHEEL_CENTRE, AXLE, "middle of the wheel"),),
    parts=(Part(AXLE, WHEEL_CENTRE, is_central=True),),
    joints=(),
    wheel_carrier=AXLE,
    carriers=(AXLE,),
)
