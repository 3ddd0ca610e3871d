"""Initial conditions: what happens to poses and velocities that do not satisfy the constraints at t_start."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass

import numpy as np

from sheetmbs.analysis.start import assembly
from sheetmbs.analysis.start.start_problems import formula_fault, not_assembled, singular
from sheetmbs.analysis.start.structure import Structure
from sheetmbs.engine.algebra.newton import (
    DOGLEG,
    LEAST_EPS,
    LEVENBERG_MARQUARDT,
    NEWTON,
    solve_positions,
    solve_velocities,
)
from sheetmbs.engine.records import Floats
from sheetmbs.lower import Lowered, System
from sheetmbs.lower.lower_constraints import Constraint
from sheetmbs.problems.errors import AnalysisError, Problem, WorkbookError

METHODS = {"dogleg": DOGLEG, "newton": NEWTON, "levenberg-marquardt": LEVENBERG_MARQUARDT}


@dataclass(frozen=True)
class Start:
    """State at t_start. problems: warnings. details: (item, value, unit) for the summary: how far each body was moved."""

    q: Floats
    v: Floats
    problems: tuple[Problem, ...] = ()
    details: tuple[tuple[str, str | int, str], ...] = ()


def residuals(system: System, t: float, q: Floats, v: Floats) -> tuple[Floats, Floats]:
    """Sizes (rows,) of the residuals of positions and velocities at a state."""
    solve_positions(system.arrays, system.work, t, q.copy(), np.inf, DOGLEG)
    arrays, work = system.arrays, system.work
    drift = system.jacobian().times(v / arrays.scale) - work.motion[arrays.row.motion, 1]
    return np.abs(work.phi), np.abs(drift)


def violations(system: System, t: float, q: Floats, v: Floats) -> tuple[float, float]:
    """Largest residuals of positions and velocities at a state."""
    phi, drift = residuals(system, t, q, v)
    return float(np.max(phi, initial=0.0)), float(np.max(drift, initial=0.0))


def assemble(lowered: Lowered, system: System, q: Floats, t: float) -> Floats:
    """The nearest configuration on the constraints at time t. Raises AnalysisError naming the joints that stay open."""
    settings = lowered.model.settings
    found = q.copy()
    method = METHODS[settings.position_solver]
    if solve_positions(system.arrays, system.work, t, found, settings.tolerance, method):
        if system.work.fault[0]:
            raise AnalysisError(formula_fault(lowered, system, t))
        raise AnalysisError(not_assembled(lowered, system, t))
    return found


def start(lowered: Lowered, structure: Structure, everything: System, *, tells: bool = True) -> Start:
    """State at t_start after the setting ``initial_conditions``. everything: all rows of the model. tells: see `analyse`.

    Raises WorkbookError for ``check`` where the state violates a constraint, AnalysisError where none can be found.
    """
    settings = lowered.model.settings
    way = settings.initial_conditions
    q, v, t = lowered.bodies.q.copy(), lowered.bodies.v.copy(), settings.t_start
    if way in {"check", "given"}:
        is_broken = max(violations(everything, t, q, v)) > settings.tolerance
        broken = _broken(lowered, everything, q, v, t) if is_broken else []
        if broken and way == "check":
            raise WorkbookError([_violated(lowered, *each, t) for each in broken])
        return Start(q, v, (_used_as_given(lowered, broken, t),) if broken else ())
    weights = np.ones_like(v) if way == "kinematic" else None
    is_everything = weights is None and bool(structure.keep.all())
    system = everything if is_everything else lowered.arrange(structure.keep, weights)
    known = structure.start if is_everything else None
    assembled, v, notes = _corrected(lowered, structure, system, q, v, weights, known, tells=tells)
    is_left_in_work = is_everything and not lowered.bodies.beams
    left = _left(everything) if is_left_in_work else violations(everything, t, assembled, v)
    if left[0] > 10.0 * settings.tolerance:
        raise AnalysisError(not_assembled(lowered, everything, t))
    if left[1] > 1e-6 * (1.0 + float(np.max(np.abs(v), initial=0.0))):
        raise AnalysisError(singular(lowered, everything, t))
    if not tells:
        return Start(assembled, v)
    moved = assembly.moves(lowered, q, _design(lowered, q, assembled))
    return Start(
        assembled,
        v,
        (*notes, *assembly.warnings(lowered, moved)),
        tuple(assembly.listed(lowered, moved)),
    )


def _left(system: System) -> tuple[float, float]:
    """Largest residuals of positions and velocities that the corrections have left in the scratch of a system."""
    return float(np.max(np.abs(system.work.phi), initial=0.0)), float(np.max(np.abs(system.work.residual), initial=0.0))


def _design(lowered: Lowered, given: Floats, assembled: Floats) -> Floats:
    """The poses given with their joints closed and no driver at work: a sweep may begin anywhere, and no pose is wrong then."""
    of_joints = np.array([element.what == "joint" for element in lowered.elements], dtype=np.bool_)
    keep = of_joints[lowered.constraints.owner]
    if np.all(keep):
        return assembled
    try:
        return assemble(lowered, lowered.arrange(keep), given, lowered.model.settings.t_start)
    except AnalysisError:
        return assembled


def _corrected(
    lowered: Lowered,
    structure: Structure,
    system: System,
    q: Floats,
    v: Floats,
    weights: Floats | None,
    known: Floats | None,
    *,
    tells: bool,
) -> tuple[Floats, Floats, tuple[Problem, ...]]:
    """Positions and velocities on the constraints. Beams start undeformed, and their shapes at rest, if they may.

    system: the rows that are kept, with the weights. known: (nq,) the nearest configuration on them, None where not known.
    """
    t, tolerance = lowered.model.settings.t_start, lowered.model.settings.tolerance
    assembled: Floats | None = None
    if lowered.bodies.beams:
        unbent = lowered.unbent()
        rigid = unbent.arrange(structure.keep, weights)
        with suppress(AnalysisError):
            assembled, notes = _assembled(unbent, rigid, q, t, None, tells=tells)
            moving = v.copy()
            solve_positions(rigid.arrays, rigid.work, t, assembled, np.inf, DOGLEG)
            if solve_velocities(rigid.arrays, rigid.work, moving, LEAST_EPS) <= tolerance:
                return assembled, moving, notes
    if assembled is None:
        assembled, notes = _assembled(lowered, system, q, t, known, tells=tells)
    solve_positions(system.arrays, system.work, t, assembled, np.inf, DOGLEG)
    solve_velocities(system.arrays, system.work, v, LEAST_EPS)
    return assembled, v, notes


def _assembled(
    lowered: Lowered, system: System, given: Floats, t: float, known: Floats | None, *, tells: bool
) -> tuple[Floats, tuple[Problem, ...]]:
    """The nearest configuration on the constraints with all axes the right way round, and what to say about that.

    known: the nearest one whichever way round axes are, None where it is yet to be found.
    """
    best = assemble(lowered, system, given, t) if known is None else known.copy()
    meant = tuple(assembly.opposite_axes_notes(lowered, given)) if tells else ()
    first = wrong = assembly.flipped(lowered, given, best)
    for joint in first:
        for start in (*assembly.turned_about(lowered, joint, best), *assembly.turned_about(lowered, joint, given)):
            try:
                found = assemble(lowered, system, start, t)
            except AnalysisError:
                continue
            left = assembly.flipped(lowered, given, found)
            if len(left) < len(wrong):
                best, wrong = found, left
                break
    if wrong:
        raise AnalysisError(assembly.flipped_axes_problem(wrong, is_corrected=False))
    return best, (*meant, assembly.flipped_axes_problem(first, is_corrected=True)) if first else meant


def _broken(lowered: Lowered, system: System, q: Floats, v: Floats, t: float) -> list[tuple[Constraint, float, float]]:
    """Joints, drivers and guiding columns that a state violates, with their residuals of positions and velocities."""
    phi, drift = residuals(system, t, q, v)
    owner = lowered.constraints.owner[system.kept]
    found = []
    for number, element in enumerate(lowered.elements):
        own = owner == number
        worst = float(np.max(phi[own], initial=0.0)), float(np.max(drift[own], initial=0.0))
        if max(worst) > lowered.model.settings.tolerance:
            found.append((element, *worst))
    return found


def _used_as_given(lowered: Lowered, broken: list[tuple[Constraint, float, float]], t: float) -> Problem:
    """A start that is used although it violates constraints: how much at most, where, and in how many places."""
    settings = lowered.model.settings
    parts = []
    for what, sizes in (
        ("positions", [position for _element, position, _velocity in broken]),
        ("velocities", [velocity for _element, _position, velocity in broken]),
    ):
        if max(sizes) > settings.tolerance:
            parts.append(f"{what} by up to {max(sizes):.4g} at {broken[sizes.index(max(sizes))][0].name}")
    return Problem(
        "initial-conditions",
        "warning",
        settings.cells.get("initial_conditions", broken[0][0].cell),
        f"at t = {t:.6g} s the start violates {len(broken)} constraint(s), {' and '.join(parts)} (SI)",
        f"initial positions and velocities should satisfy all constraints to {settings.tolerance:.3g}",
        "set initial_conditions to correct, or to check, which names the cell of each",
    )


def _violated(lowered: Lowered, element: Constraint, position: float, velocity: float, t: float) -> Problem:
    settings = lowered.model.settings
    parts = [
        f"{what} by {size:.4g}"
        for what, size in (("positions", position), ("velocities", velocity))
        if size > settings.tolerance
    ]
    setting = settings.cells.get("initial_conditions", "")
    return Problem(
        "initial-conditions",
        "error",
        element.cell,
        f"at t = {t:.6g} s {element.name} is violated: {' and '.join(parts)} (SI)",
        f"initial positions and velocities should satisfy all constraints to {settings.tolerance:.3g}",
        f"correct the values on Bodies, or set initial_conditions{f' ({setting})' if setting else ''} to correct",
    )
