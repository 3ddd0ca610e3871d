"""Random mechanisms in space against a solver of its own: the same motion, and the same force in every joint."""

from functools import cache

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import sheetmbs
from tests.analysis.random_mechanisms import as_model, random_mechanism

T_END, T_STEP = 0.5, 0.05
SEEDS = range(12)
WITH_MASSLESS_LINKS = (0, 1, 2, 3, 5, 6, 7, 9)
"""the others come to a position in which a massless link can move alone, and so keep their masses"""
FORCE, MOMENT = ("fx", "fy", "fz"), ("mx", "my", "mz")


@cache
def both(seed):
    """The independent solution, and ours."""
    mechanism = random_mechanism(seed, with_massless=seed in WITH_MASSLESS_LINKS)
    result = sheetmbs.run(as_model(mechanism, t_end=T_END, t_step=T_STEP, rtol=1e-11))
    assert result.status == "done"
    assert result.summary["accuracy check"] == "passed"
    return mechanism, mechanism.motion(result.bodies["time"].to_numpy()), result


def vectors(frame, what, axes):
    return np.stack([frame[f"{what}{axis}"] for axis in axes], axis=1)


def moved(result, name):
    """Position, orientation, velocities and accelerations of a body: rows of vectors in global axes."""
    found = result.bodies
    e0, *e = vectors(found, f"{name}.e", "0123").T
    turn = Rotation.from_quat(np.stack((*e, e0), axis=1))
    spin, change = (turn.apply(vectors(found, f"{name}.{what}", "xyz")) for what in ("w", "alpha"))
    straight = [vectors(found, f"{name}.{what}", "xyz") for what in ("", "v", "a")]
    return turn, (*straight, spin, change)


@pytest.mark.parametrize("seed", SEEDS)
def test_motion_is_that_of_the_independent_solver(seed):
    mechanism, rows, result = both(seed)
    for k, link in enumerate(mechanism.links, 1):
        turn, (place, velocity, acceleration, spin, change) = moved(result, link.name)
        theirs = Rotation.from_quat([np.roll(e[k], -1) for _x, e, *_ in rows])
        assert (turn.inv() * theirs).magnitude().max() < 1e-7
        for ours, which in (
            (place, [row[0][k] for row in rows]),
            (velocity, [row[2][k, :3] for row in rows]),
            (spin, [row[2][k, 3:] for row in rows]),
            (acceleration, [row[3][k, :3] for row in rows]),
            (change, [row[3][k, 3:] for row in rows]),
        ):
            assert np.abs(ours - which).max() < 1e-7 * max(1.0, np.abs(which).max())


@pytest.mark.parametrize("seed", SEEDS)
def test_reactions_are_those_of_the_independent_solver(seed):
    mechanism, rows, result = both(seed)
    weight = 9.81 * sum(link.mass for link in mechanism.links)
    for hold in mechanism.holds:
        for side in "ij":
            theirs = np.array([forces[hold.name, side] for *_state, forces in rows])
            for part, axes in ((slice(0, 3), FORCE), (slice(3, 6), MOMENT)):
                ours = vectors(result.joints, f"{hold.name}.{side}.", axes)
                largest = max(np.abs(theirs[:, part]).max(), 1e-3 * weight)
                assert np.abs(ours - theirs[:, part]).max() < 1e-6 * largest, f"{hold.name}, a {hold.kind} joint"
        if hold.speed is not None:
            theirs = np.array([forces[hold.name, "drive"][3:] for *_state, forces in rows])
            axis = hold.axis / np.linalg.norm(hold.axis)  # of a hinge on ground
            ours = result.drivers[f"drive {hold.name}.moment"].to_numpy()
            assert np.abs(ours - theirs @ axis).max() < 1e-6 * np.abs(theirs).max()


def on_bodies(mechanism, result):
    """Body -> list of (force, moment, arm from its centre), all but weights, from result columns and geometry alone."""
    acting, turns = {link.name: [] for link in mechanism.links}, {}
    places = {link.name: moved(result, link.name)[1][0] for link in mechanism.links}
    places["ground"] = np.zeros((len(result.bodies), 3))
    acting["ground"] = []
    for link in mechanism.links:
        turns[link.name] = moved(result, link.name)[0] * Rotation.from_euler("ZYX", link.angles).inv()
    turns["ground"] = Rotation.identity(len(result.bodies))
    starts = {link.name: link.place for link in mechanism.links} | {"ground": np.zeros(3)}

    def arm(body, point):
        return turns[body].apply(point - starts[body])

    for hold in mechanism.holds:
        for side, body, point in (("i", hold.i, hold.point), ("j", hold.j, hold.to)):
            force, moment = (vectors(result.joints, f"{hold.name}.{side}.", axes) for axes in (FORCE, MOMENT))
            acting[body].append((force, moment, arm(body, point)))
        if hold.speed is not None:
            axis = turns[hold.i].apply(hold.axis / np.linalg.norm(hold.axis))
            twist(acting, hold, -result.drivers[f"drive {hold.name}.moment"].to_numpy()[:, None] * axis)
    for pull in mechanism.pulls:
        if pull.hinge is None:
            near, far = arm(pull.i, pull.point), arm(pull.j, pull.to)
            apart = places[pull.j] + far - places[pull.i] - near
            force = result.springs[f"{pull.name}.force"].to_numpy()[:, None] * apart
            force /= np.linalg.norm(apart, axis=1)[:, None]
            acting[pull.i].append((force, 0.0 * force, near))
            acting[pull.j].append((-force, 0.0 * force, far))
        else:
            axis = next(hold.axis for hold in mechanism.holds if hold.name == pull.hinge)
            axis = turns[pull.i].apply(axis / np.linalg.norm(axis))
            twist(acting, pull, result.springs[f"{pull.name}.moment"].to_numpy()[:, None] * axis)
    return acting


def twist(acting, between, moment):
    """A moment on body i and its opposite on body j."""
    none = np.zeros_like(moment)
    acting[between.i].append((none, moment, none))
    acting[between.j].append((none, -moment, none))


@pytest.mark.parametrize("seed", SEEDS)
def test_forces_on_every_body_make_its_accelerations(seed):
    mechanism, _rows, result = both(seed)
    acting = on_bodies(mechanism, result)
    for link in mechanism.links:
        turn, (_place, _velocity, acceleration, spin, change) = moved(result, link.name)
        axes = turn.as_matrix()
        tensor = axes @ link.inertia @ np.swapaxes(axes, 1, 2)
        inertial = np.einsum("tij,tj->ti", tensor, change) + np.cross(spin, np.einsum("tij,tj->ti", tensor, spin))
        force = sum(force for force, _moment, _arm in acting[link.name])
        moment = sum(moment + np.cross(arm, force) for force, moment, arm in acting[link.name])
        largest = max(np.abs(force).max() for force, _moment, _arm in acting[link.name])
        assert np.abs(force - link.mass * (acceleration - mechanism.gravity)).max() < 1e-9 * largest
        assert np.abs(moment - inertial).max() < 1e-9 * largest
