"""Double wishbone: two arms hinged on the chassis, an upright between their ball joints, a tie rod."""

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
)

LOWER, UPPER = "lower arm", "upper arm"

DOUBLE_WISHBONE = SuspensionType(
    Guide.DOUBLE_WISHBONE,
    points=(
        PointRole("lower arm front", CHASSIS, "front pivot of the lower arm"),
        PointRole("lower arm rear", CHASSIS, "rear pivot of the lower arm"),
        PointRole("lower ball joint", UPRIGHT, "outer joint of the lower arm"),
        PointRole("upper arm front", CHASSIS, "front pivot of the upper arm"),
        PointRole("upper arm rear", CHASSIS, "rear pivot of the upper arm"),
        PointRole("upper ball joint", UPRIGHT, "outer joint of the upper arm"),
        PointRole("tie rod inner", RACK, "inner joint of the tie rod, on the rack"),
        PointRole("tie rod outer", UPRIGHT, "outer joint of the tie rod"),
        PointRole(WHEEL_CENTRE, UPRIGHT, "middle of the wheel"),
    ),
    parts=(Part(LOWER, "lower ball joint"), Part(UPPER, "upper ball joint"), Part(UPRIGHT, WHEEL_CENTRE)),
    joints=(
        hinge("lower arm hinge", LOWER, "lower arm front", "lower arm rear"),
        hinge("upper arm hinge", UPPER, "upper arm front", "upper arm rear"),
        ball("lower ball joint", LOWER, UPRIGHT, "lower ball joint"),
        ball("upper ball joint", UPPER, UPRIGHT, "upper ball joint"),
        link("tie rod", RACK, UPRIGHT, "tie rod inner", "tie rod outer"),
    ),
    steering_axis=("lower ball joint", "upper ball joint"),
    carriers=(LOWER, UPPER, UPRIGHT),
    planes=(
        ("lower arm front", "lower arm rear", "lower ball joint"),
        ("upper arm front", "upper arm rear", "upper ball joint"),
    ),
)
