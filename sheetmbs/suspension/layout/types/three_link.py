"""Three-link: an arm that carries the wheel, on one ball joint ahead of it and two camber links across the car."""

from __future__ import annotations

from sheetmbs.suspension.layout.type_table import (
    CHASSIS,
    WHEEL_CENTRE,
    Part,
    PointRole,
    SuspensionType,
    ball,
    link,
)

ARM = "trailing arm"
LINKS = ("upper camber link", "lower camber link")

THREE_LINK = SuspensionType(
    "an arm that carries the wheel, on one ball joint and two camber links",
    points=(
        PointRole("trailing arm pivot", CHASSIS, "ball joint of the arm on the chassis"),
        *(
            point
            for name in LINKS
            for point in (
                PointRole(f"{name} inner", CHASSIS, f"joint of the {name} on the chassis"),
                PointRole(f"{name} outer", ARM, f"joint of the {name} on the arm"),
            )
        ),
        PointRole(WHEEL_CENTRE, ARM, "middle of the wheel"),
    ),
    parts=(Part(ARM, WHEEL_CENTRE),),
    joints=(
        ball("trailing arm pivot", CHASSIS, ARM, "trailing arm pivot"),
        *(link(name, CHASSIS, ARM, f"{name} inner", f"{name} outer") for name in LINKS),
    ),
    wheel_carrier=ARM,
    carriers=(ARM,),
    known_by="trailing arm pivot",
)
