"""Bushing: six stiffnesses and dampings, or curves, along and about the axes of body i."""

from __future__ import annotations

from sheetmbs.elements.force_type import (
    Deformation,
    ForceCurve,
    ForceNumber,
    ForceType,
    ForceValue,
    Given,
    Part,
    StartPlace,
)
from sheetmbs.elements.result_column import (
    ANGLE,
    ANGULAR_VELOCITY,
    BOTH,
    FORCE,
    LENGTH,
    MOMENT,
    SPATIAL,
    VELOCITY,
    ChartPlace,
    DefaultChart,
    Models,
    RestPlace,
    RestTable,
)

AXES = ("x", "y", "z", "rx", "ry", "rz")
OF_BODY_J = "of body j against body i, in axes of body i"
LOADS = ("fx", "fy", "fz", "mx", "my", "mz")


def _models(axis: str) -> Models:
    return BOTH if axis in {"x", "y", "rz"} else SPATIAL


def _numbers(letter: str, quantity: str) -> tuple[ForceNumber, ...]:
    part: Part = "elastic" if letter == "k" else "damping"
    return tuple(
        ForceNumber(
            f"{letter}{axis}",
            f"rotational_{quantity}" if k >= 3 else quantity,
            f"{letter}{axis} of a bushing, " + (f"about its {axis[1]}" if k >= 3 else "in the axes of body i"),
            part,
            sign="not negative",
            models=_models(axis),
        )
        for k, axis in enumerate(AXES)
    )


def _curves(letter: str, over: str, turned_over: str, argument: str) -> tuple[ForceCurve, ...]:
    part: Part = "elastic" if letter == "k" else "damping"
    what = "deflection" if letter == "k" else "velocity"
    return tuple(
        ForceCurve(
            f"curve_{letter}{axis}",
            turned_over if k >= 3 else over,
            "moment" if k >= 3 else "force",
            f"curve of the {'moment' if k >= 3 else 'force'} of a bushing over its {what}, for {letter}{axis}",
            part,
            f"{letter}{axis}",
            f"{argument}_{axis}" if argument else axis if k >= 3 else f"d{axis}",
            _models(axis),
        )
        for k, axis in enumerate(AXES)
    )


def _fields(given: Given, start: StartPlace) -> tuple[float, ...]:
    stiffness, damping = ([given[f"{letter}{axis}"] for axis in AXES] for letter in "kc")
    return (*start.axes, *stiffness, *damping, *start.deflection)


def _deformations(given: Given) -> tuple[Deformation, ...]:
    """Displacements, rotations, and the rates of rotation, which no rotation vector has."""
    along = [
        Deformation(turns=False, stiffness=given[f"k{axis}"], damping=given[f"c{axis}"], curve_k=k, curve_c=6 + k)
        for k, axis in enumerate(AXES[:3])
    ]
    about = [
        Deformation(turns=True, stiffness=given[f"k{axis}"], damping=0.0, curve_k=3 + k)
        for k, axis in enumerate(AXES[3:])
    ]
    rates = [
        Deformation(turns=True, stiffness=0.0, damping=given[f"c{axis}"], curve_c=9 + k)
        for k, axis in enumerate(AXES[3:])
    ]
    return (*along, *about, *rates)


BUSHING = ForceType(
    name="bushing",
    called="bushing",
    doc="a block of rubber: stiffness and damping along and about three axes, unloaded in the initial configuration",
    ends="axes",
    numbers=(*_numbers("k", "stiffness"), *_numbers("c", "damping")),
    curves=(
        *_curves("k", "length", "angle", ""),
        *_curves("c", "velocity", "angular_velocity", "rate"),
    ),
    values=(
        *(
            ForceValue(
                axis if k >= 3 else f"d{axis}",
                ANGLE if k >= 3 else LENGTH,
                "rotation of body j against body i, which counts on past a turn"
                if k >= 3
                else f"deflection {OF_BODY_J}",
                models=_models(axis),
            )
            for k, axis in enumerate(AXES)
        ),
        *(ForceValue(f"rate_{axis}", ANGULAR_VELOCITY if k >= 3 else VELOCITY) for k, axis in enumerate(AXES)),
        *(
            ForceValue(
                name,
                MOMENT if k >= 3 else FORCE,
                f"{'moment' if k >= 3 else 'force'} on body i, in its axes",
                "moment" if k >= 3 else "force",
                models=_models(AXES[k]),
            )
            for k, name in enumerate(LOADS)
        ),
    ),
    fields=_fields,
    deformations=_deformations,
    charts=(DefaultChart("Force of bushing {}", ("fx", "fy", "fz"), ChartPlace.BUSHINGS, most=4),),
    at_rest=(
        RestTable(
            "Forces of bushings",
            (("x", "fx"), ("y", "fy"), ("z", "fz")),
            RestPlace.BUSHINGS,
            has_size=True,
            is_load=True,
        ),
        RestTable("Moments of bushings", (("x", "mx"), ("y", "my"), ("z", "mz")), RestPlace.BUSHINGS, has_size=True),
    ),
)
