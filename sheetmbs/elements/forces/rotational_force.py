"""Spring, damper and actuator about an axis."""

from __future__ import annotations

from sheetmbs.elements.force_type import (
    Deformation,
    ForceCurve,
    ForceNumber,
    ForceType,
    ForceValue,
    Given,
    StartPlace,
    actuator_chart,
    part_charts,
)
from sheetmbs.elements.result_column import ANGLE, ANGULAR_VELOCITY, MOMENT, ChartPlace, RestPlace, RestTable


def _fields(given: Given, start: StartPlace) -> tuple[float, ...]:
    return given["k"], given["c"], given["force"], given.get("angle0", start.angle), start.zero


def _deformations(given: Given) -> tuple[Deformation, ...]:
    return (Deformation(turns=True, stiffness=given["k"], damping=given["c"], curve_k=0, curve_c=1),)


ROTATIONAL = ForceType(
    name="rotational",
    called="rotational spring",
    doc="the same about an axis: its force is a moment, its length an angle",
    ends="axis",
    numbers=(
        ForceNumber("k", "rotational_stiffness", "stiffness", "elastic"),
        ForceNumber("c", "rotational_damping", "damping coefficient", "damping"),
        ForceNumber("force", "moment", "constant force or moment of an actuator", "actuator"),
        ForceNumber("angle0", "angle", "natural angle", default=None, blank="the initial one"),
    ),
    curves=(
        ForceCurve(
            "curve_k", "angle", "moment", "curve of the force over the deflection, for k", "elastic", "k", "deflection"
        ),
        ForceCurve(
            "curve_c",
            "angular_velocity",
            "moment",
            "curve of the force over the velocity, for c",
            "damping",
            "c",
            "rate",
        ),
    ),
    values=(
        ForceValue("angle", ANGLE, "angle of body j against body i; in space 0 in the initial configuration"),
        ForceValue("rate", ANGULAR_VELOCITY, "rate of its angle", aside=True),
        ForceValue(
            "spring_moment", MOMENT, "moment of the spring, positive where it turns its ends together", part="elastic"
        ),
        ForceValue(
            "damper_moment", MOMENT, "moment of the damper, positive where it turns its ends together", part="damping"
        ),
        ForceValue("moment", MOMENT, "sum of spring, damper and actuator", "moment"),
        ForceValue("deflection", ANGLE),
    ),
    fields=_fields,
    deformations=_deformations,
    charts=(*part_charts("moment", ChartPlace.MOMENTS), actuator_chart("moment", ChartPlace.MOMENTS)),
    at_rest=(
        RestTable("Spring moments", (("moment", "moment"),), RestPlace.MOMENTS, is_load=True),
        RestTable("Spring angles", (("angle", "angle"),), RestPlace.DEFLECTIONS),
    ),
)
