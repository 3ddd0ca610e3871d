"""Constraint rows: derivatives against differences, action and reaction, what vanishes in the plane."""

import numpy as np
import pytest

from sheetmbs.engine.algebra.newton import DOGLEG, solve_accelerations, solve_positions, solve_velocities
from sheetmbs.lower import lower
from sheetmbs.model.model import Driver, Joint, Quadratic
from tests.support.mechanisms import body, model, on, slide_axes

TYPES = ("revolute", "translational", "fixed", "distance", "coordinate x", "coordinate y", "coordinate phi")
PAIRS = (("ground", "b"), ("a", "ground"), ("a", "b"))


def joint(kind, i, j):
    name, _, coordinate = kind.partition(" ")
    if name == "coordinate":
        moving = j if i == "ground" else i
        return Joint("joint", name, on(moving), on("ground"), coordinate=coordinate)
    if name == "translational":
        return Joint("joint", name, on(i, 0.3, -0.2, slide_axes(0.4)), on(j, -0.1, 0.5, slide_axes(0.9)))
    return Joint("joint", name, on(i, 0.3, -0.2), on(j, -0.1, 0.5))


def system(kind, pair, drivers=()):
    bodies = (body("a", 0.2, 0.1, 0.3), body("b", 1.1, -0.4, -0.7, mass=2.0))
    lowered = lower(model(bodies, (joint(kind, *pair),), drivers=drivers))
    return lowered, lowered.arrange()


def residual(arranged, q, t=0.0):
    solve_positions(arranged.arrays, arranged.work, t, q.copy(), np.inf, DOGLEG)
    return arranged.work.phi.copy()


def jacobian(arranged, q, t=0.0):
    """J of the kernels, without the scaling by masses, in the order of the arranged rows."""
    residual(arranged, q, t)
    arrays, work = arranged.arrays, arranged.work
    dense = np.zeros((len(arrays.row), len(q)))
    for r, row in enumerate(arrays.row):
        for number, entry in ((row.body_i, row.entry_i), (row.body_j, row.entry_j)):
            record = arrays.body[number]
            columns = slice(record.v, record.v + record.nv)
            dense[r, columns] += work.jacobian[entry : entry + record.nv] / arrays.scale[columns]
    return dense


STATE = np.array([0.25, 0.05, 0.45, 1.0, -0.3, -0.9])
RATES = np.array([0.7, -1.1, 1.9, -0.4, 0.8, -2.3])


@pytest.mark.parametrize("pair", PAIRS)
@pytest.mark.parametrize("kind", TYPES)
def test_jacobian_is_the_derivative_of_the_residual(kind, pair):
    _, arranged = system(kind, pair)
    h = 1e-6
    differences = np.column_stack(
        [(residual(arranged, STATE + h * e) - residual(arranged, STATE - h * e)) / (2 * h) for e in np.eye(6)]
    )
    assert np.abs(jacobian(arranged, STATE) - differences).max() < 1e-8


@pytest.mark.parametrize("pair", PAIRS)
@pytest.mark.parametrize("kind", TYPES)
def test_gamma_is_minus_the_rate_of_the_jacobian_times_velocity(kind, pair):
    _, arranged = system(kind, pair)
    h = 1e-5
    moving = (jacobian(arranged, STATE + h * RATES) @ RATES - jacobian(arranged, STATE - h * RATES) @ RATES) / (2 * h)
    residual(arranged, STATE)
    solve_velocities(arranged.arrays, arranged.work, RATES.copy(), 1e-12)
    solve_accelerations(arranged.arrays, arranged.work, RATES, np.zeros(6))
    assert np.abs(arranged.work.gamma + moving).max() < 1e-7


@pytest.mark.parametrize("pair", PAIRS)
@pytest.mark.parametrize("kind", TYPES)
def test_force_and_moment_on_one_body_oppose_those_on_the_other(kind, pair):
    _, arranged = system(kind, pair)
    residual(arranged, STATE)
    place, rows = arranged.work.place, arranged.arrays.row
    for r, row in enumerate(rows):
        on_i, on_j = arranged.work.gradient[r, :6], arranged.work.gradient[r, 6:]
        arm = place[row.frame_j, 3:6] - place[row.frame_i, 3:6]
        assert np.allclose(on_i[:3], -on_j[:3], atol=1e-15)
        moved = on_i[3:] + on_j[3:] + np.cross(arm, on_j[:3])
        if int(row.kind) != 0:  # two points that coincide have no arm once the row holds
            assert np.allclose(moved, 0.0, atol=1e-14)


@pytest.mark.parametrize(
    ("kind", "removed"),
    [("revolute", 2), ("translational", 2), ("fixed", 3), ("distance", 1), ("coordinate x", 1), ("coordinate phi", 1)],
)
def test_joint_removes_as_many_freedoms_as_the_book_says(kind, removed):
    _, arranged = system(kind, ("a", "b") if " " not in kind else ("a", "ground"))
    assert np.linalg.matrix_rank(jacobian(arranged, STATE)) == len(arranged.kept) == removed


@pytest.mark.parametrize("kind", ["revolute", "translational", "fixed", "distance"])
def test_residual_between_two_bodies_is_blind_to_a_motion_of_the_whole(kind):
    _, arranged = system(kind, ("a", "b"))
    turn, shift = 0.83, np.array([3.0, -2.0])
    c, s = np.cos(turn), np.sin(turn)
    moved = STATE.copy()
    for at in (0, 3):
        moved[at : at + 2] = np.array([[c, -s], [s, c]]) @ STATE[at : at + 2] + shift
        moved[at + 2] += turn
    before, after = residual(arranged, STATE), residual(arranged, moved)
    assert np.linalg.norm(before) == pytest.approx(np.linalg.norm(after), rel=1e-12)


def test_driver_is_the_derivative_of_its_motion():
    driver = Driver("drive", "b", None, "phi", Quadratic(0.1, 2.0, 3.0))
    lowered, arranged = system("revolute", ("ground", "b"), (driver,))
    number = int(np.flatnonzero(arranged.kept == lowered.elements[1].first)[0])
    assert residual(arranged, STATE, 0.5)[number] == pytest.approx(STATE[5] - (0.1 + 1.0 + 3.0 * 0.125))
    solve_velocities(arranged.arrays, arranged.work, RATES.copy(), 1e-12)
    assert arranged.work.nu[number] == pytest.approx(2.0 + 1.5)
