"""The sparse factor against dense linear algebra."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sheetmbs.engine.linear import factor, least_norm, solve
from sheetmbs.lower import lower
from sheetmbs.model import Joint
from tests.mechanisms import body, hinge, model, on, windows
from tests.test_rows import jacobian


def random_graph(parents, extra, seed):
    """Bodies hung on earlier ones (0 is ground) at random places, with some loops closed by links."""
    rng = np.random.default_rng(seed)
    names = ["ground", *(f"b{k}" for k in range(len(parents)))]
    bodies = [
        body(name, *rng.normal(size=2), rng.normal(), mass=rng.uniform(0.5, 2.0), inertia=rng.uniform(0.05, 0.5))
        for name in names[1:]
    ]
    joints = []
    for k, parent in enumerate(parents):
        pair = (on(names[parent], *rng.normal(size=2)), on(names[k + 1], *rng.normal(size=2)))
        joints.append(hinge(f"j{k}", *pair))
    for k, (i, j) in enumerate(extra):
        if i != j:
            pair = (on(names[i], *rng.normal(size=2)), on(names[j], *rng.normal(size=2)))
            joints.append(Joint(f"link{k}", "distance", *pair))
    return lower(model(bodies, joints))


def factored(lowered):
    arranged = lowered.arrange()
    a, w = arranged.arrays, arranged.work
    dense = jacobian(arranged, lowered.bodies.q) * a.scale
    factor(a.layout, a.row, w.jacobian, w.s, w.inverse_pivot, w.panel, w.square, 0.0)
    return arranged, dense


@st.composite
def graphs(draw):
    count = draw(st.integers(1, 9))
    parents = [draw(st.integers(0, k)) for k in range(count)]
    extra = draw(st.lists(st.tuples(st.integers(0, count), st.integers(0, count)), max_size=2))
    return parents, extra, draw(st.integers(0, 10_000))


@settings(deadline=None, max_examples=60)
@given(graphs())
def test_factor_solves_as_dense_linear_algebra_does(graph):
    arranged, dense = factored(random_graph(*graph))
    s = dense @ dense.T
    if np.linalg.cond(s) > 1e8:
        return
    wanted = np.random.default_rng(1).normal(size=len(s))
    x = wanted.copy()
    layout = arranged.arrays.layout
    solve(layout.column, layout.panel_row, arranged.work.s, arranged.work.inverse_pivot, x)
    assert np.abs(s @ x - wanted).max() < 1e-14 * np.linalg.cond(s) * max(1.0, np.abs(wanted).max())


@settings(deadline=None, max_examples=30)
@given(graphs())
def test_least_norm_is_the_pseudo_inverse(graph):
    arranged, dense = factored(random_graph(*graph))
    if np.linalg.cond(dense @ dense.T) > 1e8:
        return
    a, w = arranged.arrays, arranged.work
    wanted = np.random.default_rng(2).normal(size=len(dense))
    x = np.zeros(dense.shape[1])
    least_norm(a.row, a.body, a.layout, w.jacobian, w.s, w.inverse_pivot, wanted, x, w.multiplier, w.residual, 1)
    assert np.abs(x - np.linalg.pinv(dense) @ wanted).max() < 1e-9 * max(1.0, np.abs(x).max())
    assert np.abs(dense.T @ w.multiplier - x).max() < 1e-9 * max(1.0, np.abs(x).max())


@pytest.mark.parametrize("count", [20, 40, 80])
def test_factor_of_a_row_of_windows_grows_with_its_length_only(count):
    one = lower(windows(10)).arrange().arrays.layout
    many = lower(windows(count)).arrange().arrays.layout
    assert len(many.target) <= 1.3 * count / 10 * len(one.target)
