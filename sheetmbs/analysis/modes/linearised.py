"""The equations of motion linearised about one state: z'' = -K z - C z' in the freedoms that constraints and masses leave.

At displaced configurations, put back on the constraints, the accelerations a are those of the nonlinear equations (index 1,
`engine/evaluate.py`), so that everything counts that the engine knows: weights, springs, loads that follow, the curvature of
the constraints, gyroscopic and centrifugal terms. Their derivatives are central differences of order 6,

    f'(0) = sum over k = 1, 2, 3 of w_k (f(k h) - f(-k h))/h,   w = 3/4, -3/20, 1/60.

The same differences of order 4 tell how far rounding and curvature can be trusted: no stiffness below that counts as one.
With velocities w x of a turning body in its principal axes, a displacement dr with global components (d/dt dr = dv there) has

    d/dt (R dv) = R (da + w x dv).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from sheetmbs.analysis.modes.nearby_rates import NearbyStates, displaced_rates, sped_rates
from sheetmbs.analysis.start.poses import orientation
from sheetmbs.analysis.start.ranks import tangent_space
from sheetmbs.analysis.start.structure import Structure
from sheetmbs.engine.algebra.newton import DOGLEG, solve_positions
from sheetmbs.engine.codes import BodyKind, MotionKind
from sheetmbs.engine.records import Floats
from sheetmbs.engine.revolution_counts import ANGLE, KNOWN
from sheetmbs.lower import Lowered, System

SIXTH, FOURTH = np.array([0.75, -0.15, 1.0 / 60.0]), np.array([2.0 / 3.0, -1.0 / 12.0, 0.0])
PLACES = np.array([1.0, 2.0, 3.0, -1.0, -2.0, -3.0])  # k of the formula above, ahead and behind
DISPLACED = 1e-3  # of the characteristic length: h for positions
BENT = 2e-4  # the same where there are beams, of what is small for them: see `LoweredBeam.radius`
SPED = 1e-5  # of the characteristic length times the fastest rate: h for velocities
MASSLESS = 1e-7  # of a motion: less than that of it has mass
KINKED = 0.05  # of a slope: how far the slopes on both sides, or near and farther off, may differ
SLIGHT = 1e-4  # of the slope of what vibrates fastest: what is below is not looked at for kinks


@dataclass(frozen=True)
class LinearState:
    """The state about which to linearise.

    rates: (motions, 2) value and first derivative of every motion; no motion accelerates.
    """

    q: Floats
    v: Floats
    rates: Floats
    turns: Floats


@dataclass(frozen=True)
class Linear:
    """Coordinates z are in an orthonormal basis that knows geometry alone: angles count times the characteristic length.

    motions: (nv, d) velocities per z'; globally: the same with global components of rotations. displacements: (nq, d) of q
    per z. mass, stiffness, damping: (d, d), forces per z'', z and z'. unsure_stiffness, unsure_damping: (d, d) differences
    between two orders. massless: (nv, n) motions without mass, which are left out. acceleration: (nv,) at the state itself.
    kinks: velocity coordinates along which forces change their slope. force: N, the largest there is.
    """

    motions: Floats
    globally: Floats
    displacements: Floats
    mass: Floats
    stiffness: Floats
    damping: Floats
    unsure_stiffness: Floats
    unsure_damping: Floats
    massless: Floats
    acceleration: Floats
    kinks: tuple[int, ...]
    force: float


class _Neighbourhood:
    """States near one state, and how they accelerate."""

    def __init__(self, lowered: Lowered, structure: Structure, state: LinearState) -> None:
        self.lowered, self.state = lowered, state
        self.t = lowered.model.settings.t_start
        self.geometric = self._held(lowered.arrange(structure.keep, lowered.even_sizes()))
        self.massive = self._held(lowered.arrange(structure.keep))
        self.tolerance = lowered.model.settings.tolerance * min(1.0, lowered.bodies.length)

    def _held(self, system: System) -> System:
        """Set motions so that they continue at constant rate, with angles counted as they are."""
        motion = system.arrays.motion.copy()
        motion["kind"], motion["t0"], motion["a"] = int(MotionKind.QUADRATIC), self.t, 0.0
        motion["p"], motion["v"] = self.state.rates[:, 0], self.state.rates[:, 1]
        for column in (ANGLE, KNOWN):
            system.work.turn[: len(self.state.turns), column] = self.state.turns
        return replace(system, arrays=system.arrays.changed(motion=motion))

    def tangent(self) -> Floats:
        """(nv, freedoms) orthonormal motions in geometric scale."""
        arrays, work = self.geometric.arrays, self.geometric.work
        solve_positions(arrays, work, self.t, self.state.q.copy(), np.inf, DOGLEG)
        return tangent_space(self.lowered, self.geometric)

    def displaced(self, steps: Floats) -> Floats:
        """(n, nq + nv) q-dot and v-dot at the state displaced by steps (n, nv) and put back on the constraints."""
        geometric, massive, near = self.geometric, self.massive, self._near(steps)
        systems = geometric.arrays, geometric.work, massive.arrays, massive.work
        displaced_rates(*systems, self.t, self.tolerance, near)
        return near.rates[:, :-1].copy()

    def sped(self, steps: Floats) -> Floats:
        """The same at the state's positions, with velocities changed by steps."""
        near = self._near(steps)
        sped_rates(self.massive.arrays, self.massive.work, self.t, near)
        return near.rates[:, :-1].copy()

    def here(self) -> Floats:
        """(nq + nv,) the same at the state itself."""
        return np.asarray(self.sped(np.zeros((1, len(self.state.v))))[0])

    def _near(self, steps: Floats) -> NearbyStates:
        q, v = np.ascontiguousarray(self.state.q), np.ascontiguousarray(self.state.v)
        rates = np.zeros((len(steps), len(q) + len(v) + 1))
        return NearbyStates(q, v, np.ascontiguousarray(steps), rates, np.zeros(len(q)), np.zeros(len(v)))

    def largest_force(self, scale: Floats) -> float:
        """N, at the state that was evaluated last; moments over the characteristic length."""
        arrays, work = self.massive.arrays, self.massive.work
        parts = (work.force * scale, arrays.base_force * scale, work.element[arrays.elements.pull.value])
        return max(float(np.max(np.abs(part), initial=0.0)) for part in parts)


def linearise(lowered: Lowered, structure: Structure, state: LinearState) -> Linear:
    """Linearise about a state on the constraints."""
    near = _Neighbourhood(lowered, structure, state)
    nq, length = len(state.q), lowered.bodies.length
    basis, idle = _with_mass(lowered, near.tangent())
    scale = 1.0 / np.sqrt(lowered.even_sizes())
    motions, mass_of = basis * scale[:, None], lowered.bodies.mass
    here = near.here()
    force = near.largest_force(scale)

    def differences(reach: Floats, at: Callable[[Floats], Floats], h: float) -> tuple[Floats, Floats, Floats]:
        """(rates, d) derivatives, by how much two orders differ, and (rates, d) by how much slopes change nearby."""
        steps = h * PLACES[:, None, None] * reach.T  # (6, d, nv)
        found = at(steps.reshape(-1, reach.shape[0])).reshape(2, 3, reach.shape[1], len(here))
        ahead, behind = found
        best, lower = (np.tensordot(weights, ahead - behind, 1).T / h for weights in (SIXTH, FOURTH))
        slope = (ahead - behind) / (2.0 * h)
        mean = (ahead + behind - 2.0 * here) / (2.0 * h * PLACES[:3, None, None])
        corner = (
            1.5 * mean[0] - 0.5 * mean[2]
        )  # what stays of the mean where h goes to 0: nothing where forces are smooth
        return best, best - lower, np.maximum(np.abs(corner), np.abs(slope[2] / 3.0 - slope[0])).T

    onto = motions.T * mass_of
    by_place, unsure_place, kink_place = (part[nq:] for part in differences(motions, near.displaced, _small(lowered)))
    stiffness = -onto @ by_place
    mass = onto @ motions
    fastest = _fastest(mass, stiffness) or float(np.max(np.abs(state.v) * scale**-1 / length, initial=0.0)) or 1.0
    by_speed, unsure_speed, kink_speed = differences(motions, near.sped, SPED * length * fastest)
    damping = -onto @ (by_speed[nq:] + _turned(lowered, state.v, motions))
    kinks = {
        coordinate
        for slopes, kink, rate in ((by_place, kink_place, fastest**2), (by_speed[nq:], kink_speed[nq:], fastest))
        for coordinate in _kinks(slopes, kink, motions * rate, np.sqrt(lowered.weights()))
    }
    return Linear(
        motions=motions,
        globally=_globally(lowered, state.q, motions),
        displacements=by_speed[:nq],
        mass=mass,
        stiffness=stiffness,
        damping=damping,
        unsure_stiffness=onto @ unsure_place,
        unsure_damping=onto @ unsure_speed[nq:],
        massless=idle * scale[:, None],
        acceleration=here[nq:],
        kinks=tuple(sorted(kinks)),
        force=force,
    )


def _with_mass(lowered: Lowered, tangent: Floats) -> tuple[Floats, Floats]:
    """Motions (nv, ..) that move masses, and those that move none, as a point mass that turns; both orthonormal."""
    if not np.any(lowered.bodies.zero) or not tangent.shape[1]:
        return tangent, tangent[:, :0]
    _, sizes, right = np.linalg.svd(tangent[~lowered.bodies.zero], full_matrices=True)
    count = int(np.sum(sizes > MASSLESS))
    return tangent @ right[:count].T, tangent @ right[count:].T


def _small(lowered: Lowered) -> float:
    """Displacement, m, by which positions may change in the differences above."""
    return min([DISPLACED * lowered.bodies.length, *(BENT * beam.radius for beam in lowered.bodies.beams.values())])


def _fastest(mass: Floats, stiffness: Floats) -> float:
    """Rate, 1/s, of the fastest vibration, roughly."""
    if not len(mass):
        return 0.0
    return float(np.sqrt(np.linalg.norm(np.linalg.solve(mass, stiffness), 2)))


def _turned(lowered: Lowered, v: Floats, motions: Floats) -> Floats:
    """(nv, d) w x dv of turning bodies in space, as above."""
    found = np.zeros_like(motions)
    for record in lowered.bodies.records:
        if record.kind == BodyKind.SPATIAL:
            turning = slice(record.v + 3, record.v + 6)
            found[turning] = np.cross(v[turning], motions[turning].T).T
    return found


def _globally(lowered: Lowered, q: Floats, motions: Floats) -> Floats:
    found = motions.copy()
    for number, record in enumerate(lowered.bodies.records):
        if record.kind == BodyKind.SPATIAL:
            turning = slice(record.v + 3, record.v + 6)
            found[turning] = orientation(lowered, q, number) @ lowered.bodies.axes[number] @ motions[turning]
    return found


def _kinks(slopes: Floats, kink: Floats, fast: Floats, weights: Floats) -> list[int]:
    """Velocity coordinates, one per motion along which forces change their slope, where they change it most.

    fast: (nv, d) slopes of what vibrates fastest.
    """
    sizes, largest = (np.linalg.norm(each * weights[:, None], axis=0) for each in (slopes, fast))
    found = []
    for column in range(slopes.shape[1]):
        own = kink[:, column] * weights
        if np.linalg.norm(own) > KINKED * max(sizes[column], SLIGHT * largest[column]):
            found.append(int(np.argmax(own)))
    return found
