"""What a reader of the results should know beside the numbers, and errors that only the rows of a motion show."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from sheetmbs.analysis.diagnosis.locking import jammed
from sheetmbs.analysis.solution import Solution
from sheetmbs.elements.analyses import Analysis
from sheetmbs.elements.forces import FORCE_TYPES
from sheetmbs.elements.forces.bushing_force import AXES, BUSHING
from sheetmbs.elements.marker import GROUND
from sheetmbs.engine.codes import Count
from sheetmbs.engine.motion_report import MotionReport
from sheetmbs.engine.revolution_counts import THREE_QUARTERS
from sheetmbs.lower import Lowered
from sheetmbs.model.model import Formula, Model, Spring
from sheetmbs.problems.errors import Problem
from sheetmbs.problems.listing import sentence_list
from sheetmbs.results.columns.collect import Floats
from sheetmbs.results.judging.accuracy import MAX_IMBALANCE
from sheetmbs.results.judging.creeping import creeping
from sheetmbs.schema.table import Table
from sheetmbs.workbook.sheets.decimation import MAX_CELLS, row_step

DISPLACEMENTS = ("x", "y", "z")
"""coordinates of bodies along which guiding pushes"""

MAX_AXIS_MOTION = 0.1
"""sine of the angle by which an axis may move between three quarters of a turn and a full one, and still count as fixed"""
MAX_TRANSVERSE_SHARE = 0.01
"""share of the elastic moment across the axis; its pole at a full turn makes that a moment of any size"""


def notes(lowered: Lowered, solution: Solution, found: MotionReport) -> tuple[Problem, ...]:
    """Warnings about reactions that are not unique, springs beyond their curves, guiding that pushes too hard, and so on."""
    return (
        *faults(lowered, solution, found),
        *_not_unique(lowered, solution),
        *_unbalanced(lowered, solution, found),
        *_beyond_curves(lowered, found),
        *_beyond_limits(lowered, found),
        *full_turns(lowered, solution),
        *creeping(lowered, solution, found),
        *root_forces(lowered, solution, found),
        *_halved(lowered.model, solution),
        *_without_effect(lowered.model),
    )


def faults(lowered: Lowered, solution: Solution, found: MotionReport) -> tuple[Problem, ...]:
    """Errors that only a motion's rows show: joints that jam, and forces without a value."""
    return (*jams(lowered, solution, found), *_unknown(lowered, solution, found))


FEWER_ROWS = "fewer-rows"


def fewer_rows(tables: Sequence[Table]) -> Iterator[Problem]:
    """Say that the result sheets cannot hold all rows."""
    step = row_step(tables)
    if step > 1:
        rows = len(tables[0].values)
        numbers = sum(table.values.size for table in tables)
        yield Problem(
            FEWER_ROWS,
            "note",
            "",
            f"the result sheets hold one row in {step} of {rows:,} rows: all of them would be {numbers:,} numbers",
            f"a workbook of more than {MAX_CELLS:,} can hardly be opened; its charts show the extremes between these rows",
            "to get every row, run again with --also results.parquet or --also results.csv; to get fewer, use --report-step",
        )


def _unknown(lowered: Lowered, solution: Solution, found: MotionReport) -> Iterator[Problem]:
    unknown = np.isnan(found.wrench).any(axis=(1, 2)) | np.isnan(found.energy).any(axis=1)
    rows = np.flatnonzero(unknown & ~jammed_rows(found) & np.isfinite(solution.a).all(axis=1))
    if len(rows):
        formulas = [formula for force in lowered.model.forces for formula in (*force.force, *force.moment)]
        cells = [formula.cell for formula in formulas if isinstance(formula, Formula)]
        yield Problem(
            "no-value",
            "error",
            cells[0] if cells else "Forces",
            f"an expression of a force has no value at t = {solution.times[rows[0]]:.6g} s and at {len(rows) - 1} more times",
            "reactions are known only where all forces are: their cells are left empty there",
            "change the expression, or guard it with if(...)",
        )


def _not_unique(lowered: Lowered, solution: Solution) -> Iterator[Problem]:
    structure = solution.structure
    if not np.any(structure.undetermined) or solution.analysis == Analysis.KINEMATIC:
        return
    chosen = [e for e, is_open in zip(lowered.elements, structure.undetermined, strict=True) if is_open]
    yield Problem(
        "reactions-not-unique",
        "warning",
        chosen[0].cell,
        f"the reactions at {sentence_list([element.name for element in chosen])} are not unique: "
        f"{structure.redundant} constraint(s) repeat others",
        "of all reactions that balance the forces, those of least norm are given",
        "to find the true ones, free the doubled direction in one of these joints, or model its elasticity with a spring",
    )


def _unbalanced(lowered: Lowered, solution: Solution, found: MotionReport) -> Iterator[Problem]:
    """Idle rotations are held at their rate, and nothing balances a moment about them."""
    idle = [body for bodies in solution.structure.idle for body in bodies]
    if not idle or solution.analysis != Analysis.INVERSE_DYNAMIC or not np.any(found.imbalance > MAX_IMBALANCE):
        return
    yield Problem(
        "unbalanced",
        "warning",
        next(body.cell for body in lowered.model.bodies if body.name == idle[0]),
        f"forces turn {sentence_list(idle)} about the line through its joints, where no joint and no driver holds it",
        "an inverse dynamic analysis keeps such a rotation at rest, so these forces are not balanced",
        "put its centre of mass and all forces on it on the line through its joints, or choose the analysis dynamic",
    )


def _beyond_curves(lowered: Lowered, found: MotionReport) -> Iterator[Problem]:
    curves = {curve.name: curve for curve in lowered.model.curves}
    for spring, record in zip(lowered.model.springs, lowered.forces.elements.record, strict=True):
        declared = FORCE_TYPES[spring.type]
        for column in declared.curves:
            values = found.element[:, record.value + declared.place(column.argument)]
            name = spring.curves.get(column.name)
            if name is None or not len(values):
                continue
            x = curves[name].x
            beyond = _share_outside(values, x)
            if beyond > 0.0:
                yield Problem(
                    "beyond-curve",
                    "warning",
                    curves[name].cell,
                    f"the {column.argument} of {spring.name} leaves its curve {name} in {100.0 * beyond:.0f} % of the rows: "
                    f"it runs from {values.min():.4g} to {values.max():.4g}, the curve from {x[0]:.4g} to {x[-1]:.4g} (SI)",
                    "beyond its ends the curve of a spring continues with its end slope",
                    "extend the curve if you do not mean that",
                )


def _beyond_limits(lowered: Lowered, found: MotionReport) -> Iterator[Problem]:
    """Elements whose laws hold up to a limit that the motion passed."""
    for spring, record in zip(lowered.model.springs, lowered.forces.elements.record, strict=True):
        declared = FORCE_TYPES[spring.type]
        for limit in declared.limits:
            values = found.element[:, record.value + declared.place(limit.value)]
            bound = limit.of(declared.given(spring.values))
            if len(values) and float(values.min()) < bound:
                told = limit.found.format(name=spring.name, least=float(values.min()), bound=bound)
                yield Problem("beyond-limit", "warning", spring.cell, told, limit.rule, limit.mend)


def _share_outside(values: NDArray[np.float64], x: NDArray[np.float64]) -> float:
    return float(np.mean((values < x[0]) | (values > x[-1])))


def _halved(model: Model, solution: Solution) -> Iterator[Problem]:
    retries = int(solution.counts[Count.REJECTIONS])
    if solution.analysis == Analysis.DYNAMIC and solution.rtol is None and retries:
        yield Problem(
            "steps-halved",
            "note",
            model.settings.cells.get("step", "Settings"),
            f"{retries} step(s) led to no position in which all joints close, and were halved",
            "a step that cannot be taken is tried again with half its length",
            "choose a shorter step, or the integrator auto",
        )


def _without_effect(model: Model) -> Iterator[Problem]:
    if model.settings.atol is not None and model.settings.analysis == Analysis.DYNAMIC:
        yield Problem(
            "no-effect",
            "warning",
            model.settings.cells.get("atol", "Settings"),
            f"atol = {model.settings.atol:.3g}",
            "errors are scaled by the size of the model and the speed of its motion, so an absolute tolerance has no effect",
            "leave it blank and choose rtol",
        )


def jammed_rows(found: MotionReport) -> NDArray[np.bool_]:
    """(times,) whether friction leaves no reactions at a row."""
    return np.asarray(np.any(found.friction[:, :, 3] > 0.0, axis=1))


def jams(lowered: Lowered, solution: Solution, found: MotionReport) -> Iterator[Problem]:
    """An error for the first row at which a joint jams while drivers move the model."""
    for row in np.flatnonzero(jammed_rows(found))[:1]:
        joint = int(np.argmax(found.friction[row, :, 3]))
        yield jammed(lowered, int(lowered.frictions[joint].owner), float(solution.times[row]))


def root_forces(lowered: Lowered, solution: Solution, found: MotionReport) -> Iterator[Problem]:
    """A warning where guided coordinates of bodies push harder than the weight and the measured forces together.

    By Newton's second law what guiding adds is m a less weight and measured forces. Where it exceeds both, the accelerations
    are larger than gravity and the measured forces could ever give: those of faults in the samples.
    """
    model = lowered.model
    gravity = float(np.linalg.norm(model.settings.gravity))
    is_held = any(GROUND in (joint.i.body, joint.j.body) for joint in model.joints)
    guiding = {
        driver.name: driver
        for driver in model.drivers
        if driver.guiding and driver.coordinate in DISPLACEMENTS and driver.body
    }
    if not guiding or not model.force_series or gravity == 0.0 or is_held or solution.analysis == Analysis.KINEMATIC:
        return
    pushed = np.zeros((len(solution.times), 3))
    for c, element in enumerate(lowered.elements):
        if element.what == "guiding" and element.name in guiding:
            pushed[:, DISPLACEMENTS.index(guiding[element.name].coordinate)] += found.multiplier[:, c]
    weight = gravity * sum(body.mass or 0.0 for body in model.bodies)
    measured = sum(float(np.max(np.linalg.norm(series.force, axis=1))) for series in model.force_series)
    force = np.linalg.norm(pushed, axis=1)
    if not np.any(force > weight + measured):
        return
    row = int(np.nanargmax(force))
    share = 100.0 * float(np.mean(force > weight + measured))
    yield Problem(
        "root-forces",
        "warning",
        next(iter(guiding.values())).cell,
        f"{sentence_list(list(guiding))} push with up to {force[row]:.4g} N, at t = {solution.times[row]:.6g} s, "
        f"and in {share:.2g} % of the rows with more than the weight of {weight:.4g} N "
        f"and the largest measured forces of {measured:.4g} N together",
        "measured forces must carry a mechanism that nothing holds; what guiding has to add comes from errors of the data",
        "check Guiding for noise, outliers and angles that wrap, and ForceSeries for units, signs and times",
    )


def full_turns(lowered: Lowered, solution: Solution) -> Iterator[Problem]:
    """Warn of bushings that pass three quarters of a turn about an axis that moves, or one that the moment does not follow."""
    for spring, record in zip(lowered.model.springs, lowered.forces.elements.record, strict=True):
        if (
            spring.type != BUSHING.name
            or record.turn < 0
            or solution.analysis in {Analysis.EQUILIBRIUM, Analysis.MODES}
        ):
            continue
        theta, left = solution.turns[:, record.turn : record.turn + 3], solution.turns[:, record.turn + 3]
        rows = np.flatnonzero(left > MAX_AXIS_MOTION)
        if len(rows):
            yield _moved(spring, float(solution.times[rows[0]]), float(left.max()))
            continue
        size = np.linalg.norm(theta, axis=1)
        far = np.flatnonzero(size > THREE_QUARTERS)
        axis = theta[far] / size[far, None]
        law = _law(lowered.model, spring, theta[far])
        across = np.linalg.norm(np.cross(law, axis), axis=1)
        rows = far[across > MAX_TRANSVERSE_SHARE * np.linalg.norm(law, axis=1)]
        if len(rows):
            yield _across(spring, float(solution.times[rows[0]]))


def _law(model: Model, spring: Spring, theta: Floats) -> Floats:
    """(rows, 3) elastic moments over the components of the rotation vector, N m."""
    curves = {curve.name: curve for curve in model.curves}
    given, law = BUSHING.given(spring.values), np.empty_like(theta)
    for k, axis in enumerate(AXES[3:]):
        name = spring.curves.get(f"curve_k{axis}")
        law[:, k] = (
            given[f"k{axis}"] * theta[:, k] if name is None else np.interp(theta[:, k], curves[name].x, curves[name].y)
        )
    return law


def _moved(spring: Spring, time: float, sine: float) -> Problem:
    by = f"by {np.degrees(np.arcsin(min(sine, 1.0))):.0f} deg" if sine < 1.0 else "by a right angle"
    return Problem(
        "full-turn",
        "warning",
        spring.cell,
        f"{spring.name} has turned by more than three quarters of a turn, and by t = {time:.6g} s or later its axis of "
        f"rotation moves {by}",
        "in space a bushing counts turns about a fixed axis; about a moving axis its rotation has no "
        "direction at a full turn, so rx, ry, rz and the moment change suddenly there",
        "hold the axis with a revolute or cylindrical joint, use a rotational spring about it, or keep the bushing below "
        "three quarters of a turn",
    )


def _across(spring: Spring, time: float) -> Problem:
    return Problem(
        "full-turn",
        "warning",
        spring.cell,
        f"{spring.name} has turned by more than three quarters of a turn at t = {time:.6g} s, about an axis to which its "
        "elastic moment is not parallel",
        "the part of the moment across the axis grows without limit towards a full turn",
        "give krx, kry and krz the same value, align the axes of body i with the axis of rotation, or use a rotational spring",
    )
