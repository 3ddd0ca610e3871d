"""Spring, damper and actuator on the line between two points."""

from __future__ import annotations

from sheetmbs.elements.force_type import (
    LENGTH_CHART,
    LINE_AT_REST,
    LINE_VALUES,
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
from sheetmbs.elements.result_column import LENGTH, ChartPlace


def _fields(given: Given, start: StartPlace) -> tuple[float, ...]:
    return given["k"], given["c"], given["force"], given.get("length0", start.length)


def _deformations(given: Given) -> tuple[Deformation, ...]:
    return (Deformation(turns=False, stiffness=given["k"], damping=given["c"], curve_k=0, curve_c=1),)


TRANSLATIONAL = ForceType(
    name="translational",
    called="translational spring",
    doc="a spring, damper and actuator on the line between two points",
    ends="line",
    numbers=(
        ForceNumber("k", "stiffness", "stiffness", "elastic"),
        ForceNumber("c", "damping", "damping coefficient", "damping"),
        ForceNumber("force", "force", "constant force or moment of an actuator", "actuator"),
        ForceNumber("length0", "length", "natural length", default=None, blank="the initial one", sign="not negative"),
    ),
    curves=(
        ForceCurve(
            "curve_k", "length", "force", "curve of the force over the deflection, for k", "elastic", "k", "deflection"
        ),
        ForceCurve(
            "curve_c", "velocity", "force", "curve of the force over the velocity, for c", "damping", "c", "rate"
        ),
    ),
    values=(*LINE_VALUES, ForceValue("deflection", LENGTH)),
    fields=_fields,
    deformations=_deformations,
    picture="zigzag",
    charts=(*part_charts("force", ChartPlace.FORCES), actuator_chart("force", ChartPlace.FORCES), LENGTH_CHART),
    at_rest=LINE_AT_REST,
)
