"""Static equilibrium: the nearest configuration on the constraints in which the forces balance, and stably so.

Unknowns are coordinates z along an orthonormal basis Z of the constraints' null space, chosen again at every step; a
displacement along Z is put back on the constraints. The forces Q leave over P Q = Q + J^T lambda with J P Q = 0, so the reduced
force is g = Z^T Q, and its stiffness, by central differences at fixed lambda without going back to the constraints,
    K = -dg/dz = -Z^T d(Q + J^T lambda)/dq Z.
It holds what springs, weights and the curvature of the constraints contribute. Each step is
    s = V |Lambda|^-1 V^T g,   K = V Lambda V^T,
Newton's where K is positive definite and else one that leaves a saddle or crest downhill (Dauphin et al. 2014), no longer
than a trust radius, and taken only where the forces do work on the way (trapezium rule) or shrink. The radius grows as long as
that work is what K predicts. Freedoms with neither force nor stiffness stay where they are. Lengths count over 1 m, angles
times the characteristic length.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from time import perf_counter

import numpy as np

from sheetmbs.analysis.solution import Solution
from sheetmbs.analysis.start import assembly
from sheetmbs.analysis.start.initial import Start
from sheetmbs.analysis.start.poses import displacement
from sheetmbs.analysis.start.ranks import tangent_space
from sheetmbs.analysis.start.start_problems import formula_fault
from sheetmbs.analysis.start.structure import Structure
from sheetmbs.elements.analyses import Analysis
from sheetmbs.engine.algebra.linear import add_transposed, factor, least_norm
from sheetmbs.engine.algebra.newton import DOGLEG, LEAST_EPS, REFINEMENTS, solve_positions
from sheetmbs.engine.codes import Count
from sheetmbs.engine.records import Floats
from sheetmbs.engine.revolution_counts import ANGLE
from sheetmbs.engine.static_forces import hold_teeth, settle_teeth, static_force
from sheetmbs.lower import Lowered
from sheetmbs.problems.errors import Problem
from sheetmbs.problems.listing import sentence_list

BALANCED = 1e-13  # of the largest force, which inside of stiff beams is a thousand times their load: what is left over
GOOD_ENOUGH = 1e-8  # of the largest force, where rounding stops the search
STALLED = 0.5  # of what was left over a step before: rounding it is
DIFFERENCE = 1e-5  # of the characteristic length
SOFT = 1e-8  # of the largest stiffness, and of the largest force over the characteristic length: as good as none
FIRST_RADIUS, LARGEST_RADIUS = 0.1, 0.5  # of the characteristic length
GROWTH = 4.0
FAITHFUL = 0.1  # of the work that a step was expected to do: how far it may differ for steps to become longer
SMALLEST_RADIUS = 1e-12
LARGEST_TURN = 0.75  # rad about each axis of a body: two bodies then turn by less than half a turn against each other
NUDGE = 0.01  # of the characteristic length, off an unstable equilibrium
MAX_TRAVEL = 50.0  # characteristic lengths, or turns: who went as far as that runs away,
FAR_A_BODY = 3.0  # or as that times the number of bodies: a chain turns over
ITERATIONS = 300


@dataclass(frozen=True)
class Forces:
    """At one configuration. left: (nv,) what joints do not carry. multiplier: (rows,) what they do. size: the largest force.

    load: (meshes,) with which teeth push each other apart.
    """

    q: Floats
    left: Floats
    multiplier: Floats
    size: float
    load: Floats


@dataclass(frozen=True)
class Local:
    """One configuration. tangent: (nv, freedoms) Z. reduced: (freedoms,) g. stiffness: (freedoms, freedoms) K."""

    forces: Forces
    tangent: Floats
    reduced: Floats
    stiffness: Floats

    @property
    def q(self) -> Floats:
        """Positions of all bodies, shape (nq,)."""
        return self.forces.q

    @property
    def left_over(self) -> float:
        """How far the forces are from balance, in scaled coordinates."""
        return float(np.max(np.abs(self.reduced), initial=0.0))


class _Statics:
    """Forces and displacements in scaled coordinates."""

    def __init__(self, lowered: Lowered, structure: Structure) -> None:
        self.lowered = lowered
        self.t = lowered.model.settings.t_start
        self.system = lowered.arrange(structure.keep, lowered.even_sizes())
        self.scale = self.system.arrays.scale
        self.length = lowered.bodies.length
        self.rest = np.zeros(len(self.scale))
        self.has_teeth = bool(np.any(lowered.frictions.meshes))
        self.system.work.count[:] = 0

    def at(self, q: Floats) -> Forces:
        """Forces at a configuration on the constraints."""
        arrays, work = self.system.arrays, self.system.work
        force = self._applied(q)
        parts = (force, arrays.base_force * self.scale, work.element[arrays.elements.pull.value])
        size = max(float(np.max(np.abs(part), initial=0.0)) for part in parts)
        multiplier, none = np.zeros((2, len(arrays.row)))
        factor(arrays.layout, arrays.row, arrays.missing, work.jacobian, work, LEAST_EPS)
        work.count[Count.FACTORISATIONS] += 1
        if self.has_teeth:
            applied, left = force / self.scale, np.zeros(len(force))
            settle_teeth(arrays, work, self.scale**-2, none, applied, left, multiplier, REFINEMENTS)
            return Forces(q, left, multiplier, size, work.friction.load.copy())
        least_norm(arrays.layout, work.jacobian, work, none, force, multiplier, REFINEMENTS)
        return Forces(q, force, multiplier, size, np.zeros(0))

    def _applied(self, q: Floats, load: Floats | None = None) -> Floats:
        """(nv,) weights, springs and loads; the scratch then holds the Jacobian at q. load: of teeth, if that counts too."""
        force, arrays, work = np.zeros(len(self.scale)), self.system.arrays, self.system.work
        static_force(arrays, work, self.t, q, self.rest, force)
        if load is not None and self.has_teeth:
            work.friction.load[:] = load
            hold_teeth(arrays, work, force)
        work.count[Count.EVALUATIONS] += 1
        return force * self.scale

    def moved(self, q: Floats, step: Floats) -> Floats | None:
        """The configuration on the constraints near q displaced by a scaled step (nv,); None where there is none."""
        found = self.lowered.moved(q, step * self.scale)
        arrays, work = self.system.arrays, self.system.work
        tolerance = self.lowered.model.settings.tolerance * min(1.0, self.length)
        return None if solve_positions(arrays, work, self.t, found, tolerance, DOGLEG) else found

    def share_below_half_a_turn(self, step: Floats) -> float:
        """The share of a scaled step (nv,) after which every counted angle is still known without doubt."""
        if not len(self.system.arrays.counted):
            return 1.0
        angles = np.abs(step * self.scale)[self.system.arrays.velocity_class == 1]
        return LARGEST_TURN / max(LARGEST_TURN, float(np.max(angles, initial=0.0)))

    def around(self, forces: Forces) -> Local:
        """Tangent space and stiffness at a configuration."""
        arrays, work = self.system.arrays, self.system.work
        self._applied(forces.q)
        tangent = tangent_space(self.lowered, self.system)
        directions = np.ascontiguousarray(tangent.T)
        slopes = np.zeros_like(directions)
        h = DIFFERENCE * self.length
        for direction, slope in zip(directions, slopes, strict=True):
            for sign in (1.0, -1.0):
                total = self._applied(self.lowered.moved(forces.q, sign * h * direction * self.scale), forces.load)
                add_transposed(arrays.layout.block, work.jacobian, forces.multiplier, total)
                slope[:] -= sign / (2.0 * h) * total
        return Local(forces, tangent, directions @ forces.left, directions @ slopes.T)


@dataclass(frozen=True)
class SearchResult:
    """The end of a search. status: ``""``, ``away``, ``stuck`` or ``no value``. nudged: off an unstable equilibrium."""

    here: Local
    status: str
    nudged: bool


def find_equilibrium(
    lowered: Lowered, structure: Structure, start: Start, progress: Callable[[float], None] | None
) -> Solution:
    """The equilibrium near the start: one row at t_start. progress: called with a guess of the fraction done."""
    began = perf_counter()
    statics = _Statics(lowered, structure)
    found = _search(statics, start.q, progress)
    problems: list[Problem] = list(start.problems)
    if found.status == "no value":
        problems.append(formula_fault(lowered, statics.system, statics.t))
    elif found.status:
        problems.append(_unbalanced(lowered, start.q, found))
    elif found.nudged:
        problems.append(_left_unstable(lowered, start.q, found.here.q))
    return Solution(
        analysis=Analysis.EQUILIBRIUM,
        status="failed" if found.status else "done",
        times=np.array([statics.t]),
        q=found.here.q[None],
        v=np.zeros((1, len(statics.scale))),
        a=np.zeros((1, len(statics.scale))),
        structure=structure,
        turns=statics.system.work.turn[None, : len(statics.system.arrays.counted), ANGLE].copy(),
        problems=tuple(problems),
        details=tuple(_details(lowered, statics, start.q, found)),
        counts=statics.system.work.count.copy(),
        seconds=perf_counter() - began,
    )


def _search(statics: _Statics, start: Floats, progress: Callable[[float], None] | None) -> SearchResult:
    lowered = statics.lowered
    here, radius, nudged = statics.around(statics.at(start)), FIRST_RADIUS * statics.length, False
    before = np.inf  # left over at the step before
    far = max(MAX_TRAVEL, FAR_A_BODY * len(lowered.model.bodies)) * statics.length
    for iteration in range(ITERATIONS):
        if progress is not None:
            progress(iteration / (iteration + 10.0))
        if statics.system.work.fault[0]:
            return SearchResult(here, "no value", nudged)
        values, vectors = np.linalg.eigh(0.5 * (here.stiffness + here.stiffness.T))
        soft = _soft(values, here, statics)
        if here.left_over <= (GOOD_ENOUGH if here.left_over > STALLED * before else BALANCED) * here.forces.size:
            if np.all(values >= -soft):
                return SearchResult(here, "", nudged)
            there = statics.moved(here.q, NUDGE * statics.length * (here.tangent @ vectors[:, 0]))
            onward, nudged = None if there is None else statics.at(there), True
        else:
            step = _step(here, values, vectors, soft, radius)
            step = step * statics.share_below_half_a_turn(here.tangent @ step)
            onward, radius = _advance(statics, here, step, radius)
        if onward is None:
            return SearchResult(here, "" if here.left_over <= GOOD_ENOUGH * here.forces.size else "stuck", nudged)
        here, before = statics.around(onward), here.left_over
        if _largest_way(lowered, start, here.q) > far:
            return SearchResult(here, "away", nudged)
    return SearchResult(here, "" if here.left_over <= GOOD_ENOUGH * here.forces.size else "away", nudged)


def _soft(values: Floats, here: Local, statics: _Statics) -> float:
    """Stiffness that is as good as none."""
    return SOFT * max(float(np.max(np.abs(values), initial=0.0)), here.forces.size / statics.length)


def _step(here: Local, values: Floats, vectors: Floats, soft: float, radius: float) -> Floats:
    """Step (freedoms,) within the radius. Freedoms without force and stiffness stay."""
    if values[0] > soft:
        step = np.linalg.solve(here.stiffness, here.reduced)  # Newton's own, with what of K is not symmetric
    else:
        along = vectors.T @ here.reduced
        idle = (np.abs(values) <= soft) & (np.abs(along) <= GOOD_ENOUGH * here.forces.size)
        step = vectors @ np.where(idle, 0.0, along / np.maximum(np.abs(values), soft))
    length = float(np.linalg.norm(step))
    return np.asarray(step if length <= radius else step * (radius / length), dtype=np.float64)


def _advance(statics: _Statics, here: Local, step: Floats, radius: float) -> tuple[Forces | None, float]:
    """Take the step, halved until it goes downhill. Returns where it led (None: nowhere) and the new radius."""
    limit = LARGEST_RADIUS * statics.length
    while True:
        length = float(np.linalg.norm(step))
        q = statics.moved(here.q, here.tangent @ step)
        if q is not None:
            there = statics.at(q)
            work = 0.5 * float((here.reduced + here.tangent.T @ there.left) @ step)
            shrunk = float(np.linalg.norm(there.left)) < 0.9 * float(np.linalg.norm(here.reduced))
            if np.isfinite(work) and (work > 0.0 or shrunk):
                expected = float((here.reduced - 0.5 * here.stiffness @ step) @ step)
                return there, _next_radius(radius, length, limit, abs(work - expected) / (FAITHFUL * abs(expected)))
        step = 0.5 * step
        radius = 0.5 * length
        if radius < SMALLEST_RADIUS * statics.length:
            return None, radius


def _next_radius(radius: float, length: float, limit: float, error: float) -> float:
    """After a step of a length. error: of the work expected for it, over what is allowed; it grows as the length squared."""
    if error > 1.0:
        return min(radius, max(limit, 0.5 * length))
    return max(radius, length * min(GROWTH, error**-0.5 if error > 0.0 else GROWTH))


def _ways(lowered: Lowered, start: Floats, end: Floats) -> list[tuple[float, str]]:
    """How far each body went, over the characteristic length or in rad, farthest first."""
    found = []
    for body in lowered.model.bodies:
        distance, angle = displacement(lowered, start, end, lowered.bodies.names[body.name])
        found.append((max(distance, angle * lowered.bodies.length), body.name))
    return sorted(found, key=lambda item: -item[0])


def _largest_way(lowered: Lowered, start: Floats, end: Floats) -> float:
    """How far any body went, m; a whole turn counts as the characteristic length, for soft springs are wound many times."""
    ways = [displacement(lowered, start, end, lowered.bodies.names[body.name]) for body in lowered.model.bodies]
    return max((max(way, angle / (2.0 * np.pi) * lowered.bodies.length) for way, angle in ways), default=0.0)


def _unbalanced(lowered: Lowered, start: Floats, search: SearchResult) -> Problem:
    """No equilibrium: who runs away, and where to."""
    here = search.here
    ways = _ways(lowered, start, here.q)
    who = [name for distance, name in ways if distance > 0.5 * ways[0][0]]
    body = lowered.model.bodies[[each.name for each in lowered.model.bodies].index(ways[0][1])]
    record = lowered.bodies.records[lowered.bodies.names[body.name]]
    went = here.q[record.q : record.q + 3] - start[record.q : record.q + 3]
    axes = "xyz" if lowered.model.settings.dimension == "3D" else "xy"
    main = int(np.argmax(np.abs(went[: len(axes)])))
    where = f"{'+' if went[main] > 0.0 else '-'}{axes[main]}"
    left = _left_over(lowered, here)
    if search.status == "away":
        distance, angle = displacement(lowered, start, here.q, lowered.bodies.names[body.name])
        is_turning = angle * lowered.bodies.length > distance
        towards = f"{body.name} turns on and on" if is_turning else f"{body.name} towards {where}"
        found = f"no equilibrium: {sentence_list(who)} {'runs' if len(who) == 1 else 'run'} away, {towards}"
        return Problem(
            "runs-away",
            "error",
            body.cell,
            f"{found}, and {left} still acts there",
            "weights, springs and loads must be able to balance in every freedom that joints and drivers leave",
            f"hold {body.name} by a joint, a spring or a driver, or check the directions of forces and the stiffnesses",
        )
    return Problem(
        "no-equilibrium",
        "error",
        body.cell,
        f"the search for an equilibrium ends with {left} left over, mostly on {sentence_list(who)}",
        "near an equilibrium forces must change smoothly with the positions",
        "look for a locked linkage, a jump in a curve or an expression, or start nearer to the equilibrium",
    )


def _left_over(lowered: Lowered, here: Local) -> str:
    """The largest force or moment that nothing balances, with its unit."""
    is_angle = lowered.bodies.velocity_class == 1
    forces = np.abs(here.forces.left)
    worst = int(np.argmax(forces))
    size = forces[worst] * (lowered.bodies.length if is_angle[worst] else 1.0)
    return f"{size:.4g} {'N m' if is_angle[worst] else 'N'}"


def _left_unstable(lowered: Lowered, start: Floats, end: Floats) -> Problem:
    ways = _ways(lowered, start, end)
    body = next(each for each in lowered.model.bodies if each.name == ways[0][1])
    return Problem(
        "left-unstable",
        "note",
        body.cell,
        f"at first {body.name} was in unstable balance, like a pencil on its tip, and was pushed a little",
        "of two equilibria the stable one is reported",
        "start on the side to which it should fall, if the other stable position is the one you mean",
    )


def _details(
    lowered: Lowered, statics: _Statics, start: Floats, found: SearchResult
) -> Iterator[tuple[str, float | int | str, str]]:
    """Lines for the summary."""
    yield "unbalanced force", found.here.left_over, "N"
    stiffness = found.here.stiffness
    if len(stiffness):
        values = np.asarray(np.linalg.eigvalsh(0.5 * (stiffness + stiffness.T)), dtype=np.float64)
        yield "smallest stiffness", float(values[0]), "N/m"
        neutral = int(np.sum(np.abs(values) <= _soft(values, found.here, statics)))
        if neutral:
            yield "freedoms without stiffness, left as they are", neutral, ""
    for item, value, unit in assembly.listed(lowered, assembly.moves(lowered, start, found.here.q)):
        yield item.replace("moved to assemble", "moved to equilibrium"), value, unit
