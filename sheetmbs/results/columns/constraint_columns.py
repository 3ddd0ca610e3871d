"""Columns of `mbs Constraints`: violations of joints and drivers, and energies."""

from __future__ import annotations

from collections.abc import Sequence

from sheetmbs.analysis.solution import Solution
from sheetmbs.elements import result_column as r
from sheetmbs.elements.analyses import Analysis
from sheetmbs.elements.result_column import ChartPlace, DefaultChart, ResultKind, ResultQuantity, result_columns
from sheetmbs.engine.motion_report import MotionReport
from sheetmbs.lower import Lowered
from sheetmbs.lower.lower_constraints import Constraint
from sheetmbs.lower.system import IS_ROTATIONAL
from sheetmbs.results.columns.collect import CollectedColumns
from sheetmbs.results.columns.motion_rows import has_masses

METRES_AND_RADIANS, THEIR_RATES = ResultQuantity("m, rad"), ResultQuantity("m/s, rad/s")
RADIANS, RADIANS_PER_SECOND = ResultQuantity("rad"), ResultQuantity("rad/s")

VIOLATIONS = ("position_violation", "velocity_violation")
ENERGIES = ("kinetic_energy", "potential_energy", "total_energy")

WHOLE_MODEL = ResultKind(
    "",
    "mbs Constraints",
    (
        *result_columns("position_violation", "largest violation of a joint or driver", METRES_AND_RADIANS),
        *result_columns("velocity_violation", "largest violation of the rate of one", THEIR_RATES),
        *result_columns("kinetic_energy", "kinetic energy of all bodies", r.ENERGY),
        *result_columns("potential_energy", "energy of gravity and of all that is elastic", r.ENERGY),
        *result_columns("total_energy", "the sum of both", r.ENERGY),
    ),
    lambda model: (model,),
    (
        DefaultChart(
            "Energies",
            ENERGIES,
            ChartPlace.ENERGIES,
            of=lambda model: model.settings.analysis != Analysis.KINEMATIC,
        ),
        DefaultChart(
            "Constraint violations", VIOLATIONS, ChartPlace.VIOLATIONS, above=lambda model: model.settings.tolerance
        ),
    ),
)
CONSTRAINT = ResultKind(
    "joint or driver",
    "mbs Constraints",
    (
        *result_columns("position", "violation of the joint or driver, in SI units", r.METRES, RADIANS, aside=True),
        *result_columns(
            "velocity", "violation of its rate, in SI units", r.METRES_PER_SECOND, RADIANS_PER_SECOND, aside=True
        ),
    ),
    lambda model: (*model.joints, *model.drivers),
)


def constraints(lowered: Lowered, solution: Solution, found: MotionReport) -> CollectedColumns:
    """Violations of all constraints together and of each, and energies where all masses are known."""
    columns = CollectedColumns(WHOLE_MODEL.sheet, lowered.model.display, solution.times)
    for k, name in enumerate(VIOLATIONS):
        columns.add(WHOLE_MODEL, "", name, found.worst[:, k])
    is_angle = IS_ROTATIONAL[lowered.constraints.rows.kind].tolist()
    for c, element in enumerate(lowered.elements):
        turns = _counts_angles(is_angle, element)
        columns.add(CONSTRAINT, element.name, "position", found.position[:, c], RADIANS if turns else r.METRES)
        rate = RADIANS_PER_SECOND if turns else r.METRES_PER_SECOND
        columns.add(CONSTRAINT, element.name, "velocity", found.velocity[:, c], rate)
    if has_masses(lowered):
        kinetic, potential = found.energy[:, 0], found.energy[:, 1]
        for name, energy in zip(ENERGIES, (kinetic, potential, kinetic + potential), strict=True):
            columns.add(WHOLE_MODEL, "", name, energy)
    return columns


def _counts_angles(is_angle: Sequence[bool], element: Constraint) -> bool:
    """Whether all its violations are angles; joints may mix lengths and angles, and their norm is in SI of both.

    is_angle: of all rows of the model.
    """
    return element.count > 0 and all(is_angle[element.first : element.first + element.count])
