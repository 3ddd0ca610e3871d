"""MacPherson strut: a lower arm or two links, and an upright whose strut slides through the top mount."""

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
    ball,
    hinge,
    link,
    strut,
)

LOWER = "lower arm"

STRUT_POINTS = (
    PointRole("strut lower", UPRIGHT, "lower end of the strut, on its axis"),
    PointRole("strut top", CHASSIS, "top mount of the strut"),
    PointRole("tie rod inner", RACK, "inner joint of the tie rod, on the rack"),
    PointRole("tie rod outer", UPRIGHT, "outer joint of the tie rod"),
    PointRole(WHEEL_CENTRE, UPRIGHT, "middle of the wheel"),
)
STRUT_JOINTS = (
    strut("strut", UPRIGHT, "strut top", "strut lower"),
    link("tie rod", RACK, UPRIGHT, "tie rod inner", "tie rod outer"),
)

ON_TWO_LINKS = SuspensionType(
    Guide.MACPHERSON,
    points=(
        *(
            point
            for number in (1, 2)
            for point in (
                PointRole(f"link {number} inner", CHASSIS, f"inner joint of link {number}"),
                PointRole(f"link {number} outer", UPRIGHT, f"outer joint of link {number}"),
            )
        ),
        *STRUT_POINTS,
    ),
    parts=(Part(UPRIGHT, WHEEL_CENTRE),),
    joints=(
        link("link 1", CHASSIS, UPRIGHT, "link 1 inner", "link 1 outer"),
        link("link 2", CHASSIS, UPRIGHT, "link 2 inner", "link 2 outer"),
        *STRUT_JOINTS,
    ),
)
"""two links instead of the arm: its steering axis moves"""

MACPHERSON = SuspensionType(
    Guide.MACPHERSON,
    points=(
        PointRole("lower arm front", CHASSIS, "front pivot of the lower arm"),
        PointRole("lower arm rear", CHASSIS, "rear pivot of the lower arm"),
        PointRole("lower ball joint", UPRIGHT, "outer joint of the lower arm"),
        *STRUT_POINTS,
    ),
    parts=(Part(LOWER, "lower ball joint"), Part(UPRIGHT, WHEEL_CENTRE)),
    joints=(
        hinge("lower arm hinge", LOWER, "lower arm front", "lower arm rear"),
        ball("lower ball joint", LOWER, UPRIGHT, "lower ball joint"),
        *STRUT_JOINTS,
    ),
    steering_axis=("lower ball joint", "strut top"),
    carriers=(UPRIGHT, LOWER),
    planes=(("lower arm front", "lower arm rear", "lower ball joint"), ("strut top", "strut lower")),
    variants=(("link 1 inner", ON_TWO_LINKS), ("link 1 outer", ON_TWO_LINKS)),
)
