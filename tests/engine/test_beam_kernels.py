"""Kernels of beams at single states: rates, velocities, accelerations and forces belong to one another."""

from dataclasses import replace

import numpy as np
import pytest

from sheetmbs.elements.beam_shapes import ENDS
from sheetmbs.engine.algebra.newton import solve_velocities
from sheetmbs.engine.evaluate import evaluate
from sheetmbs.engine.motion_report import floating_frames
from sheetmbs.lower import lower
from sheetmbs.model.model import Point
from tests.analysis.test_beams import EA, LENGTH, beam
from tests.support.mechanisms import bar, body, hinge, model, on
from tests.support.springs import make_spring

PLACES = ((0.0, 0.0), (0.7, 0.05), (LENGTH, -0.1))
STEP = 2e-6


def bent(ends, stretching=None, **more):
    """A free beam with three points, lowered, at a state in which everything moves."""
    given = model([beam(ends=ends, axial_stiffness=stretching, modes=2)], gravity=(0.0, 0.0, 0.0), **more)
    points = tuple(Point(f"p{k}", on("beam", *place), report=True) for k, place in enumerate(PLACES))
    lowered = lower(replace(given, points=points))
    rng = np.random.default_rng(3)
    basis = lowered.bodies.beams["beam"].basis
    q = np.concatenate((rng.normal(size=3), np.linalg.solve(basis, 0.05 * rng.normal(size=len(basis)))))
    return lowered, q, np.concatenate((rng.normal(size=3), np.linalg.solve(basis, rng.normal(size=len(basis)))))


def evaluated(system, q, v):
    """q-dot and v-dot at a state; W then holds poses, places and forces."""
    rates = np.zeros(len(q) + len(v) + 1)
    evaluate(system.arrays, system.work, 0.0, q.copy(), v.copy(), rates, 0.0)
    return rates[: len(q)], rates[len(q) : -1], rates[-1]


def places(lowered, system):
    """(points, 9) position, velocity and acceleration at zero v-dot."""
    return system.work.place[list(lowered.points)][:, 3:12].copy()


@pytest.mark.parametrize("stretching", [None, EA])
@pytest.mark.parametrize("ends", ENDS)
def test_velocities_of_places_are_the_rates_of_their_positions(ends, stretching):
    lowered, q, v = bent(ends, stretching)
    system = lowered.arrange()
    rates, _, _ = evaluated(system, q, v)
    here = places(lowered, system)
    ahead, behind = (
        (evaluated(system, q + side * STEP * rates, v), places(lowered, system))[1] for side in (1.0, -1.0)
    )
    slope = (ahead - behind) / (2.0 * STEP)
    assert slope[:, :3] == pytest.approx(here[:, 3:6], rel=1e-7, abs=1e-8)
    assert slope[:, 3:6] == pytest.approx(here[:, 6:9], rel=1e-7, abs=1e-7)


@pytest.mark.parametrize("ends", ENDS)
def test_a_step_of_the_positions_is_to_first_order_what_velocities_do(ends):
    lowered, q, v = bent(ends, EA)
    rates, _, _ = evaluated(lowered.arrange(), q, v)
    moved = (lowered.moved(q, STEP * v) - lowered.moved(q, -STEP * v)) / (2.0 * STEP)
    assert np.abs(moved - rates).max() < 1e-8


@pytest.mark.parametrize("ends", ENDS)
def test_forces_do_the_work_that_kinetic_and_elastic_energy_gain_and_damping_takes(ends):
    lowered, q, v = bent(ends, EA)
    beams = lowered.beams
    beams.damping[:] = 3.0
    system = lowered.arrange()
    rates, accelerations, power = evaluated(system, q, v)
    stretched = rates[3:] @ (beams.stiffness * q[3:])
    kinetic = v @ (lowered.bodies.mass * accelerations)
    assert power == pytest.approx(-3.0 * rates[3:] @ rates[3:], rel=1e-12)
    assert kinetic + stretched == pytest.approx(power, rel=1e-9)


def test_frames_of_beams_are_reported_with_their_velocities_and_accelerations():
    lowered, q, v = bent("pinned-pinned", EA)
    system = lowered.arrange()
    rates, accelerations, _ = evaluated(system, q, v)

    def frame(q, v):
        found = np.zeros((1, 1, 9))
        floating_frames(system.arrays, system.work, q[None], v[None], accelerations[None], found)
        return found[0, 0]

    here = frame(q, v)
    slope = (frame(q + STEP * rates, v + STEP * accelerations) - frame(q - STEP * rates, v - STEP * accelerations)) / (
        2.0 * STEP
    )
    evaluated(system, q, v)
    assert here[:2] == pytest.approx(places(lowered, system)[0, :2], abs=1e-14)
    assert slope[:6] == pytest.approx(here[3:], rel=1e-7, abs=1e-7)


def test_joints_and_springs_hold_sections_as_they_hold_bodies():
    """Rows of a hinge and a spring at two places of a beam: velocities on the constraints, and reactions that do no work."""
    weight = bar("weight", (LENGTH, 0.0), (LENGTH, -0.4), mass=0.5)
    spring = make_spring("s", "translational", on("beam", 0.6), on("ground", 0.5, -0.9), k=30.0, c=2.0, natural=0.4)
    given = model(
        [beam(modes=3), weight, body("idle", 3.0)],
        [hinge("pin", on("ground"), on("beam")), hinge("hook", on("beam", LENGTH), on("weight", -0.2))],
        springs=[spring],
        gravity=(0.0, 0.0, 0.0),
    )
    lowered = lower(given)
    system = lowered.arrange()
    q = lowered.bodies.q.copy()
    v = np.random.default_rng(1).normal(size=len(lowered.bodies.v))
    evaluated(system, q, v)
    solve_velocities(system.arrays, system.work, v, 0.0)
    rates, accelerations, power = evaluated(system, q, v)
    assert np.abs(system.jacobian().times(v / system.arrays.scale)).max() < 1e-12
    stretch = system.work.element
    applied = stretch[4] * stretch[1]
    gained = v @ (lowered.bodies.mass * accelerations)
    assert gained == pytest.approx(-applied, rel=1e-9)
    assert power == pytest.approx(-stretch[3] * stretch[1], rel=1e-9)
    assert rates[-3:] == pytest.approx(v[-3:], abs=1e-14)
