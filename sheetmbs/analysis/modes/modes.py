"""Modes: how a model vibrates about its equilibrium, about where it starts, or about an even motion.

Where nothing moves at the start, or what moves does not go on evenly, velocities and drivers are held still and the
equilibrium is sought. A motion is even where nothing accelerates and the linearised equations stay as they are: a rotor
that spins about an axis of symmetry, a vehicle that goes straight on.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from time import perf_counter

import numpy as np

from sheetmbs.analysis.equilibrium import find_equilibrium
from sheetmbs.analysis.modes.eigenvalues import Eigenvalues, eigenvalues
from sheetmbs.analysis.modes.linearised import Linear, LinearState, linearise
from sheetmbs.analysis.solution import KINKED, NOT_FOUND, UNBALANCED, UNSTABLE, Modes, Solution
from sheetmbs.analysis.start.initial import Start
from sheetmbs.analysis.start.structure import Structure
from sheetmbs.elements.analyses import Analysis
from sheetmbs.engine.algebra.newton import DOGLEG, solve_positions
from sheetmbs.engine.codes import BodyKind
from sheetmbs.engine.records import Floats
from sheetmbs.lower import Lowered
from sheetmbs.problems.errors import Problem
from sheetmbs.problems.listing import sentence_list

EVEN = 1e-8  # of the square of the fastest rate: accelerations of an even motion
ONWARD = 0.3  # rad, or of the characteristic length: how far on it is looked whether the equations stay as they are
SAME = 1e-6  # of the largest term: how far they may differ there


def find_modes(
    lowered: Lowered, structure: Structure, start: Start, progress: Callable[[float], None] | None
) -> Solution:
    """Eigenvalues and shapes of small motions. progress: as of `equilibrium.find_equilibrium`."""
    began = perf_counter()
    t, nv = lowered.model.settings.t_start, len(start.v)
    values, speeds, accelerations = _prescribed(lowered, structure, start.q)
    turns = np.zeros(len(lowered.counted))
    evenly = None
    if np.any(start.v) and not np.any(accelerations):
        evenly = _even(lowered, structure, LinearState(start.q, start.v, np.column_stack((values, speeds)), turns))
    if evenly is not None:
        linear = evenly
        base = Solution(
            "modes", "done", np.array([t]), start.q[None], start.v[None], np.zeros((1, nv)), structure, turns[None],
            problems=start.problems,
        )  # fmt: skip
        about = "an even motion"
    else:
        base = replace(find_equilibrium(lowered, structure, start, progress), analysis=Analysis.MODES)
        missing = [problem for problem in base.problems if problem.code in NOT_FOUND]
        about = "the initial configuration" if missing else "the equilibrium"
        if missing:
            base = _at_start(base, start, missing[0])
        if base.status == "failed":
            return base
        state = LinearState(base.q[0], np.zeros(nv), np.column_stack((values, np.zeros_like(values))), base.turns[0])
        linear = linearise(lowered, structure, state)
    found = eigenvalues(linear, lowered.bodies.length)
    problems = (
        *base.problems,
        *_not_even(lowered, start, is_even=evenly is not None),
        *_kinked(lowered, linear),
        *_growing(lowered, found),
        *_nothing_free(lowered, found),
    )
    return replace(
        base,
        modes=Modes(found.values, linear.displacements @ found.shapes),
        problems=problems,
        details=(*base.details, *_details(lowered, linear, found, about)),
        seconds=perf_counter() - began,
    )


def _prescribed(lowered: Lowered, structure: Structure, q: Floats) -> tuple[Floats, Floats, Floats]:
    """(motions,) values of what drivers prescribe at the start, first and second derivatives."""
    system = lowered.arrange(structure.keep)
    solve_positions(system.arrays, system.work, lowered.model.settings.t_start, q.copy(), np.inf, DOGLEG)
    value, speed, acceleration = system.work.motion.T.copy()
    return value, speed, acceleration


def _even(lowered: Lowered, structure: Structure, state: LinearState) -> Linear | None:
    """Linear equations about a motion that goes on evenly; None where it does not."""
    if not np.all(np.isin(lowered.bodies.records.kind, (BodyKind.GROUND, BodyKind.PLANAR, BodyKind.SPATIAL))):
        return None
    size = lowered.bodies.velocity_size
    rate = float(np.max(np.abs(state.v) / size))
    linear = linearise(lowered, structure, state)
    if np.any(~(np.abs(linear.acceleration) / size <= EVEN * rate**2)):
        return None
    after = ONWARD / rate
    onward = np.column_stack((state.rates[:, 0] + after * state.rates[:, 1], state.rates[:, 1]))
    there = LinearState(lowered.moved(state.q, after * state.v), state.v, onward, state.turns)
    return linear if _same(linear, linearise(lowered, structure, there), rate) else None


def _same(one: Linear, other: Linear, rate: float) -> bool:
    """Whether two linearisations agree, seen in global components. rate: 1/s, by which they may count in each other."""
    if one.globally.shape != other.globally.shape:
        return False
    change = np.linalg.lstsq(one.globally, other.globally)[0]
    size = max(rate**2 * _norm(one.mass), rate * _norm(one.damping), _norm(one.stiffness))
    pairs = ((one.mass, other.mass, rate**2), (one.damping, other.damping, rate), (one.stiffness, other.stiffness, 1.0))
    apart = max(factor * _norm(change.T @ here @ change - there) for here, there, factor in pairs)
    return bool(apart <= SAME * size and _norm(one.globally @ change - other.globally) <= SAME * _norm(one.globally))


def _norm(matrix: Floats) -> float:
    return float(np.linalg.norm(matrix))


def _at_start(base: Solution, start: Start, missing: Problem) -> Solution:
    """About the initial configuration, where there is no equilibrium."""
    warning = Problem(
        UNBALANCED,
        "warning",
        missing.cell,
        missing.found,
        "modes belong to an equilibrium; without one they are those of the initial configuration, all forces as they are there",
        missing.mend,
    )
    others = [problem for problem in base.problems if problem.code not in NOT_FOUND]
    return replace(
        base,
        status="done",
        q=start.q[None],
        turns=np.zeros_like(base.turns),
        problems=(*others, warning),
        details=(),
    )


def _not_even(lowered: Lowered, start: Start, *, is_even: bool) -> Iterator[Problem]:
    given = [body for body in lowered.model.bodies if np.any(body.velocity) or np.any(body.angular_velocity)]
    if is_even or not given or not np.any(start.v):
        return
    yield Problem(
        "modes-at-rest",
        "warning",
        given[0].cell,
        f"{sentence_list([body.name for body in given])} move{'s' if len(given) == 1 else ''} at the start",
        "modes are those of small motions about rest, or about a motion that goes on evenly, as a rotor's about its axis: "
        "this one does not, so the velocities were taken as 0",
        "leave the velocities on Bodies blank, or run a dynamic analysis to look at this motion",
    )


def _kinked(lowered: Lowered, linear: Linear) -> Iterator[Problem]:
    if linear.kinks:
        numbers = lowered.bodies.names
        names = list(dict.fromkeys(lowered.bodies.name_at(coordinate) for coordinate in linear.kinks))
        cells = {body.name: body.cell for body in lowered.model.bodies if body.name in numbers}
        yield Problem(
            KINKED,
            "warning",
            cells.get(names[0], ""),
            f"forces on {sentence_list(names)} change their slope where the modes were sought, or close by",
            "modes belong to forces that change in proportion to small motions; here the mean of both slopes counts",
            "look for a corner of a curve, a stop, or if(...), abs(...), min(...), max(...) in an expression there",
        )


def _growing(lowered: Lowered, found: Eigenvalues) -> Iterator[Problem]:
    growing = np.flatnonzero(found.values.real > 0.0)
    if not len(growing):
        return
    first = int(growing[0])
    value = found.values[first]
    how = f"swings at {abs(value) / (2 * np.pi):.4g} Hz with" if value.imag > 0.0 else "moves away with"
    more = f"; so do {len(growing) - 1} more" if len(growing) > 1 else ""
    yield Problem(
        UNSTABLE,
        "warning",
        lowered.model.settings.cells.get("analysis", "Settings"),
        f"mode {first + 1} grows: it {how} a growth rate of {value.real:.4g} 1/s{more}",
        "a mode whose damping ratio is negative takes energy from the forces, and its amplitude grows until something ends it",
        "see on mbs Modes what moves in it; look for negative damping, loads that follow a body, weights above their support",
    )


def _nothing_free(lowered: Lowered, found: Eigenvalues) -> Iterator[Problem]:
    if not len(found.values):
        yield Problem(
            "no-modes",
            "warning",
            lowered.model.settings.cells.get("analysis", "Settings"),
            "joints and drivers leave no freedom that moves a mass",
            "a mode is a motion that they leave free; drivers hold their coordinates at t_start",
            "take away the drivers of the motion that may vibrate, by active = no",
        )


def _details(
    lowered: Lowered, linear: Linear, found: Eigenvalues, about: str
) -> Iterator[tuple[str, float | int | str, str]]:
    """Lines for the summary."""
    frequencies = np.abs(found.values[found.values.imag > 0.0]) / (2.0 * np.pi)
    yield "linearised about", about, ""
    yield "modes", len(found.values), ""
    if found.rigid:
        yield "rigid-body modes", found.rigid, ""
    if len(frequencies):
        yield "lowest frequency", float(frequencies[0]), "Hz"
        yield "highest frequency", float(frequencies[-1]), "Hz"
    still = int(np.sum(found.values.imag == 0.0)) - found.rigid
    if still:
        yield "modes that do not vibrate", still, ""
    growing = int(np.sum(found.values.real > 0.0))
    if growing:
        yield "unstable modes", growing, ""
    if linear.massless.shape[1]:
        names = [lowered.bodies.name_at(int(np.argmax(np.abs(motion)))) for motion in linear.massless.T]
        yield "rotations without inertia, left out", sentence_list(names), ""
