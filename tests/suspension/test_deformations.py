"""Deformations between bodies: their derivatives against differences, and what rigid motions leave as it is."""

import numpy as np
import pytest

from sheetmbs.suspension.compliance.deformations import KINDS, BodyDeformation, BodyPoses, Deformations, rotations

RANDOM = np.random.default_rng(5)
ORIGINS = np.array([[0.0, 0, 0], [0.3, 0.2, 0.1], [0.1, 0.5, 0.3]])


def unit(v):
    return v / np.linalg.norm(v)


def sample(kind, i, j):
    """A deformation of any kind; that of a turn has directions square to each other, as an axis gives them."""
    a, b = unit(RANDOM.normal(size=3)), unit(RANDOM.normal(size=3))
    c = unit(np.cross(a, RANDOM.normal(size=3)))
    return BodyDeformation(kind, i, j, RANDOM.normal(size=3), RANDOM.normal(size=3), a, b, c, 0.3)


def poses(count=1):
    start = BodyPoses(np.tile(ORIGINS, (count, 1, 1)), np.tile(np.eye(3), (count, 3, 1, 1)))
    return start.moved(0.3 * RANDOM.normal(size=(count, 12)))


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("bodies", [(1, 2), (0, 2), (2, 1)])
def test_slopes_and_curvatures_are_those_of_differences(kind, bodies):
    of = Deformations([sample(kind, *bodies), sample(kind, *bodies)], ORIGINS)
    here = poses()
    at = of.at(here)
    h = 1e-4
    steps = np.eye(12) * h
    ahead, behind = (np.array([of.at(here.moved(sign * step[None])).value[0] for step in steps]) for sign in (1, -1))
    assert at.jacobian()[0] == pytest.approx(((ahead - behind) / (2 * h)).T, rel=1e-6, abs=1e-6)
    weight = np.array([[0.7, -1.3]])
    found = at.weighted_curvature(weight)[0]
    for k in range(12):
        for m in range(12):
            four = [
                of.at(here.moved((s * steps[k] + t * steps[m])[None])).value[0]
                for s, t in ((1, 1), (1, -1), (-1, 1), (-1, -1))
            ]
            wanted = weight[0] @ (four[0] - four[1] - four[2] + four[3]) / (4 * h * h)
            assert found[k, m] == pytest.approx(wanted, rel=1e-5, abs=3e-5)
    assert found == pytest.approx(found.T, abs=1e-14)
    motions = RANDOM.normal(size=(1, 2, 12))
    along = at.along(motions)
    for row in range(2):
        one = np.eye(2)[row][None]
        assert along[0, row] == pytest.approx(motions[0] @ at.weighted_curvature(one)[0] @ motions[0].T, abs=1e-12)


def test_what_two_bodies_have_between_them_stays_when_they_move_as_one():
    of = Deformations([sample(kind, 1, 2) for kind in ("along", "cosine", "distance", "turn")], ORIGINS)
    here = poses()
    spin = np.array([0.4, -0.2, 0.7])
    turn = rotations(spin)
    place = here.place @ turn.T + np.array([0.1, 0.2, -0.3])
    assert of.at(BodyPoses(place, turn @ here.turn)).value == pytest.approx(of.at(here).value, abs=1e-13)
