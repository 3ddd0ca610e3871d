"""Columns of `mbs Springs`: lengths, angles and deflections of springs and bushings, and their forces."""

from __future__ import annotations

from typing import Any

import numpy as np

from sheetmbs.analysis.solution import Solution
from sheetmbs.elements import result_column as r
from sheetmbs.elements.result_column import ChartPlace, DefaultChart, RestPlace, RestTable, ResultKind, result_columns
from sheetmbs.engine.motion_report import MotionReport
from sheetmbs.lower import Lowered
from sheetmbs.model import Spring
from sheetmbs.results.columns.collect import CollectedColumns
from sheetmbs.results.columns.rates import has_rates

BUSHING_COLUMNS = ((0, "dx", "fx"), (1, "dy", "fy"), (2, "dz", "fz"), (3, "rx", "mx"), (4, "ry", "my"), (5, "rz", "mz"))
IN_PLANE = (0, 1, 5)


def _is_elastic(spring: Any) -> bool:
    return bool(spring.k or spring.curve_k)


def _is_damped(spring: Any) -> bool:
    return bool(spring.c or spring.curve_c)


def _acts(spring: Any) -> bool:
    return bool(spring.force)


def _load_charts(load: str, place: ChartPlace) -> tuple[DefaultChart, ...]:
    """The force of each part of the springs by itself: a damper would hide what a spring does."""
    loads = f"{load}s"
    return (
        DefaultChart(f"Spring {loads}", (f"spring_{load}",), place, of=_is_elastic, most=8),
        DefaultChart(f"Damper {loads}", (f"damper_{load}",), place, of=_is_damped, most=8),
        DefaultChart(f"{loads.capitalize()} of springs with actuators", (load,), place, of=_acts, most=8),
    )


TRANSLATIONAL = ResultKind(
    "translational spring",
    "mbs Springs",
    (
        *result_columns("length", "distance of its ends", r.LENGTH),
        *result_columns("rate", "rate of its length", r.VELOCITY, aside=True),
        *result_columns("spring_force", "force of the spring, positive where it pulls its ends together", r.FORCE),
        *result_columns("damper_force", "force of the damper, positive where it pulls its ends together", r.FORCE),
        *result_columns("force", "sum of spring, damper and actuator", r.FORCE),
    ),
    lambda model: tuple(spring for spring in model.springs if spring.type == "translational"),
    (
        *_load_charts("force", ChartPlace.FORCES),
        DefaultChart("Spring lengths", ("length",), ChartPlace.DEFLECTIONS, moving=True, most=8),
    ),
    (
        RestTable("Spring forces", (("force", "force"),), RestPlace.FORCES, is_load=True),
        RestTable("Spring lengths", (("length", "length"),), RestPlace.DEFLECTIONS),
    ),
)
ROTATIONAL = ResultKind(
    "rotational spring",
    "mbs Springs",
    (
        *result_columns("angle", "angle of body j against body i; in space 0 in the initial configuration", r.ANGLE),
        *result_columns("rate", "rate of its angle", r.ANGULAR_VELOCITY, aside=True),
        *result_columns("spring_moment", "moment of the spring, positive where it turns its ends together", r.MOMENT),
        *result_columns("damper_moment", "moment of the damper, positive where it turns its ends together", r.MOMENT),
        *result_columns("moment", "sum of spring, damper and actuator", r.MOMENT),
    ),
    lambda model: tuple(spring for spring in model.springs if spring.type == "rotational"),
    _load_charts("moment", ChartPlace.MOMENTS),
    (
        RestTable("Spring moments", (("moment", "moment"),), RestPlace.MOMENTS, is_load=True),
        RestTable("Spring angles", (("angle", "angle"),), RestPlace.DEFLECTIONS),
    ),
)
BUSHING = ResultKind(
    "bushing",
    "mbs Springs",
    (
        *result_columns("dx dy", "deflection of body j against body i, in axes of body i", r.LENGTH),
        *result_columns("dz", "deflection of body j against body i, in axes of body i", r.LENGTH, models=r.SPATIAL),
        *result_columns("rx ry", "small rotation of body j against body i", r.ANGLE, models=r.SPATIAL),
        *result_columns("rz", "small rotation of body j against body i", r.ANGLE),
        *result_columns("fx fy", "force on body i, in its axes", r.FORCE),
        *result_columns("fz", "force on body i, in its axes", r.FORCE, models=r.SPATIAL),
        *result_columns("mx my", "moment on body i, in its axes", r.MOMENT, models=r.SPATIAL),
        *result_columns("mz", "moment on body i, in its axes", r.MOMENT),
    ),
    lambda model: tuple(spring for spring in model.springs if spring.type == "bushing"),
    (DefaultChart("Force of bushing {}", ("fx", "fy", "fz"), ChartPlace.BUSHINGS, most=4),),
    (
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


SPRING_KINDS = (TRANSLATIONAL, ROTATIONAL, BUSHING)


def springs(lowered: Lowered, solution: Solution, found: MotionReport) -> CollectedColumns:
    """Lengths, angles and deflections of springs, and their forces."""
    columns = CollectedColumns(BUSHING.sheet, lowered.model.display, solution.times)
    straight = bushing = 0
    for spring in lowered.model.springs:
        if spring.type == "bushing":
            _add_bushing(lowered, spring, bushing, found, columns)
            bushing += 1
        else:
            _add_spring(lowered, spring, straight, found, columns)
            straight += 1
    return columns


def _add_spring(lowered: Lowered, spring: Spring, k: int, found: MotionReport, columns: CollectedColumns) -> None:
    """All forces count + when they pull the ends together; an angle in space is 0 in the initial configuration.

    Where rates stand for nothing, what a damper does is not known, and the spring stands alone.
    """
    turning = spring.type == "rotational"
    kind, what = (ROTATIONAL, "moment") if turning else (TRANSLATIONAL, "force")
    size = found.spring[:, k, 0]
    if turning and lowered.model.settings.dimension == "3D":
        size = size - (lowered.forces.springs[k].natural - (spring.natural or 0.0))
    columns.add(kind, spring.name, "angle" if turning else "length", size)
    columns.add(kind, spring.name, "rate", found.spring[:, k, 1])
    columns.add(kind, spring.name, f"spring_{what}", found.spring[:, k, 2])
    damper, total = found.spring[:, k, 3], found.spring[:, k, 4]
    if not has_rates(lowered.model) and (spring.c or spring.curve_c):
        damper, total = np.full(len(damper), np.nan), total - damper
    columns.add(kind, spring.name, f"damper_{what}", damper)
    columns.add(kind, spring.name, what, total)


def _add_bushing(lowered: Lowered, spring: Spring, n: int, found: MotionReport, columns: CollectedColumns) -> None:
    """Deflection of body j against body i since the start, and force and moment on body i: both in its axes.

    As with all springs, what is + pulls the ends together: a deflection along +x pulls body i along +x.
    """
    is_planar = lowered.model.settings.dimension == "2D"
    shown = [each for each in BUSHING_COLUMNS if not is_planar or each[0] in IN_PLANE]
    deflection = found.bushing[:, n, 0:6] - lowered.forces.bushings.rest[n]
    for k, name, _force in shown:
        columns.add(BUSHING, spring.name, name, deflection[:, k])
    for k, _name, force in shown:
        columns.add(BUSHING, spring.name, force, found.bushing[:, n, 12 + k])
