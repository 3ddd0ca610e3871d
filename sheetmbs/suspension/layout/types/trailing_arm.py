"""Trailing and semi-trailing arms: one body that carries the wheel and turns about a line on the chassis."""

from __future__ import annotations

from sheetmbs.schema.suspension_inputs import Guide
from sheetmbs.suspension.layout.type_table import CHASSIS, WHEEL_CENTRE, Part, PointRole, SuspensionType, hinge

ARM = "arm"


def _hinged(name: str) -> SuspensionType:
    return SuspensionType(
        name,
        points=(
            PointRole("arm inner", CHASSIS, "inner point of the hinge line"),
            PointRole("arm outer", CHASSIS, "outer point of the hinge line"),
            PointRole(WHEEL_CENTRE, ARM, "middle of the wheel"),
        ),
        parts=(Part(ARM, WHEEL_CENTRE),),
        joints=(hinge("arm hinge", ARM, "arm inner", "arm outer"),),
        wheel_carrier=ARM,
        carriers=(ARM,),
    )


TRAILING_ARM = _hinged(Guide.TRAILING_ARM)
SEMI_TRAILING_ARM = _hinged(Guide.SEMI_TRAILING_ARM)
