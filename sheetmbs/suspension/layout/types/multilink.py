"""Multilink: an upright on five rods, the fifth of which holds its toe or steers it."""

from __future__ import annotations

from sheetmbs.schema.suspension_inputs import Guide
from sheetmbs.suspension.layout.type_table import (
    CHASSIS,
    RACK,
    UPRIGHT,
    WHEEL_CENTRE,
    Part,
    PointRole,
    SuspensionType,
    link,
)

LINKS = tuple(f"link {number}" for number in range(1, 6))
INNER = {name: RACK if name == LINKS[-1] else CHASSIS for name in LINKS}

MULTILINK = SuspensionType(
    Guide.MULTILINK,
    points=(
        *(
            point
            for name in LINKS
            for point in (
                PointRole(f"{name} inner", INNER[name], f"inner joint of {name}"),
                PointRole(f"{name} outer", UPRIGHT, f"outer joint of {name}"),
            )
        ),
        PointRole(WHEEL_CENTRE, UPRIGHT, "middle of the wheel"),
    ),
    parts=(Part(UPRIGHT, WHEEL_CENTRE),),
    joints=tuple(link(name, INNER[name], UPRIGHT, f"{name} inner", f"{name} outer") for name in LINKS),
    carriers=(UPRIGHT,),
)
