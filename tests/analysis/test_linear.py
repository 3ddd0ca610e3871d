"""The sparse factor against dense linear algebra, with bodies of many joints too."""

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from sheetmbs.engine.algebra import ordering
from sheetmbs.engine.algebra.linear import add_transposed, factor, least_norm, residual_of, solve
from sheetmbs.engine.algebra.newton import DOGLEG, solve_positions
from sheetmbs.lower import lower
from sheetmbs.model.model import Joint
from tests.support.crowded import NEVER, engine, platform, star, train
from tests.support.mechanisms import body, hinge, model, on, windows
from tests.support.spatial_mechanisms import joined, rigid, space

KINDS = ("revolute", "spherical", "universal", "cylindrical", "translational", "fixed", "distance")


def planar_graph(edges, seed):
    """Bodies at random places, assembled; the first joint of each is a hinge, those that close loops are links. 0 is ground."""
    rng = np.random.default_rng(seed)
    count = max((max(edge) for edge in edges), default=0)
    names = ["ground", *(f"b{k}" for k in range(count))]
    bodies = [
        body(name, *rng.normal(size=2), rng.normal(), mass=rng.uniform(0.5, 2.0), inertia=rng.uniform(0.05, 0.5))
        for name in names[1:]
    ]

    def at(number, point):
        if number == 0:
            return on("ground", *point)
        c, s = np.cos(bodies[number - 1].angles[2]), np.sin(bodies[number - 1].angles[2])
        return on(names[number], *(np.array([[c, s], [-s, c]]) @ (point - bodies[number - 1].position[:2])))

    joints, reached = [], set()
    for k, (i, j) in enumerate(edges):
        point, to = rng.normal(size=(2, 2))
        if j in reached:
            joints.append(Joint(f"link{k}", "distance", at(i, point), at(j, to)))
        else:
            joints.append(hinge(f"hinge{k}", at(i, point), at(j, point)))
        reached.add(j)
    return lower(model(bodies, joints))


def spatial_graph(edges, kinds, seed):
    """The same in space, assembled, with joints of all sizes."""
    rng = np.random.default_rng(seed)
    count = max(max(edge) for edge in edges)
    names = ["ground", *(f"b{k}" for k in range(count))]
    bodies = [
        rigid(name, rng.normal(size=3), rng.normal(size=3), rng.uniform(0.5, 2.0), rng.uniform(0.1, 0.5, 3))
        for name in names[1:]
    ]
    joints = []
    for k, (i, j) in enumerate(edges):
        point, to = rng.normal(size=(2, 3))
        kind = KINDS[kinds[k % len(kinds)]]
        more = {"to": to} if kind == "distance" else {}
        if kind == "universal":
            more["second"] = (1.0, 0.0, 0.0)
        joints.append(joined(bodies, f"j{k}", kind, names[i], names[j], point, (0.0, 0.0, 1.0), **more))
    return lower(space(bodies, joints))


def factored(lowered, eps=0.0):
    """The system with its factor, dense J, and the smallest pivot ratio."""
    arranged = lowered.arrange()
    a, w = arranged.arrays, arranged.work
    solve_positions(a, w, 0.0, lowered.bodies.q.copy(), np.inf, DOGLEG)
    ratio = factor(a.layout, a.row, a.missing, w.jacobian, w, eps)
    return arranged, arranged.jacobian().dense(), ratio


def solved(arranged, wanted):
    x = wanted.copy()
    solve(arranged.arrays.layout, arranged.work.s, arranged.work.inverse_pivot, x)
    return x


def operations(layout):
    """Multiplications of one factorisation and one solution."""
    width, height = (layout.column[name].astype(int) for name in ("width", "height"))
    products = layout.pair.rows_a.astype(int) * layout.pair.rows_b
    return int(
        np.sum(width**2 * (width + height) + height**2 * width + 2 * width * (width + height)) + np.sum(products)
    )


def storage(layout):
    return sum(table.size for table in vars(layout).values() if isinstance(table, np.ndarray))


@st.composite
def graphs(draw):
    """Trees with some loops; every body hangs on an earlier one."""
    count = draw(st.integers(1, 9))
    edges = [(draw(st.integers(0, k)), k + 1) for k in range(count)]
    loops = draw(st.lists(st.tuples(st.integers(0, count), st.integers(1, count)), max_size=2))
    return edges + [(i, j) for i, j in loops if i != j], draw(st.integers(0, 10_000))


@st.composite
def crowded_graphs(draw):
    """The same with most bodies on one of two, which are coupled to each other or to ground or to neither."""
    edges = [(0, 1), (draw(st.sampled_from((0, 1))), 2)]
    count = draw(st.integers(7, 16))
    edges += [(draw(st.sampled_from((1, 1, 1, 2, 2, 0, k - 1))), k) for k in range(3, count)]
    loops = draw(st.lists(st.tuples(st.integers(0, 3), st.integers(3, count - 1)), max_size=4))
    if draw(st.booleans()):
        edges[0] = (2, 1)
        edges[1:2] = [] if edges[1][0] == 1 else [edges[1]]
    return edges + [(i, j) for i, j in loops if i != j], draw(st.integers(0, 10_000))


def check_solution(lowered):
    arranged, dense, _ = factored(lowered)
    s = dense @ dense.T
    condition = np.linalg.cond(s)
    assume(condition < 1e8)
    wanted = np.random.default_rng(1).normal(size=len(s))
    x = solved(arranged, wanted)
    assert np.abs(s @ x - wanted).max() < 1e-14 * condition * max(1.0, np.abs(wanted).max())
    return arranged


@settings(deadline=None, max_examples=60)
@given(graphs())
def test_factor_solves_as_dense_linear_algebra_does(graph):
    check_solution(planar_graph(*graph))


@settings(deadline=None, max_examples=60)
@given(crowded_graphs())
def test_factor_with_hubs_solves_as_dense_linear_algebra_does(graph):
    check_solution(planar_graph(*graph))


@settings(deadline=None, max_examples=60)
@given(graphs() | crowded_graphs(), st.lists(st.integers(0, len(KINDS) - 1), min_size=1, max_size=5))
def test_factor_solves_in_space_with_joints_of_any_size(graph, kinds):
    edges, seed = graph
    check_solution(spatial_graph(edges, kinds, seed))


@settings(deadline=None, max_examples=30)
@given(graphs() | crowded_graphs())
def test_least_norm_is_the_pseudo_inverse(graph):
    arranged, dense, _ = factored(planar_graph(*graph))
    assume(np.linalg.cond(dense @ dense.T) < 1e8)
    a, w = arranged.arrays, arranged.work
    wanted = np.random.default_rng(2).normal(size=len(dense))
    x = np.zeros(dense.shape[1])
    least_norm(a.layout, w.jacobian, w, wanted, x, w.multiplier, 1)
    assert np.abs(x - np.linalg.pinv(dense) @ wanted).max() < 1e-9 * max(1.0, np.abs(x).max())
    assert np.abs(dense.T @ w.multiplier - x).max() < 1e-9 * max(1.0, np.abs(x).max())


@settings(deadline=None, max_examples=30)
@given(crowded_graphs(), st.lists(st.integers(0, len(KINDS) - 1), min_size=1, max_size=5))
def test_products_with_the_jacobian_are_those_of_the_dense_one(graph, kinds):
    edges, seed = graph
    for lowered in (planar_graph(edges, seed), spatial_graph(edges, kinds, seed)):
        arranged, dense, _ = factored(lowered)
        blocks, work = arranged.arrays.layout.block, arranged.work
        rng = np.random.default_rng(seed)
        x, multiplier, wanted = (rng.normal(size=size) for size in (dense.shape[1], *2 * (len(dense),)))
        worst = residual_of(blocks, work.jacobian, wanted, x, work.residual)
        assert np.abs(work.residual - (wanted - dense @ x)).max() < 1e-12 * (1.0 + worst)
        assert worst == np.abs(work.residual).max()
        expected = x + dense.T @ multiplier
        add_transposed(blocks, work.jacobian, multiplier, x)
        assert np.abs(x - expected).max() < 1e-12 * (1.0 + np.abs(expected).max())


def counted(made):
    return lower(made).arrange().arrays.layout


@pytest.mark.parametrize("made", [star(160), platform(8), train(5), engine(8)])
def test_hubs_held_by_the_ground_and_by_each_other_solve_as_dense_linear_algebra_does(made):
    lowered = lower(model(*made))
    arranged, dense, ratio = factored(lowered)
    s = dense @ dense.T
    wanted = np.random.default_rng(1).normal(size=len(s))
    assert len(arranged.arrays.layout.hub) > 0
    assert ratio > 1e-6
    assert np.abs(s @ solved(arranged, wanted) - wanted).max() < 1e-14 * np.linalg.cond(s)


@pytest.mark.parametrize("made", [star(12), platform(3), train(3), engine(7)])
@pytest.mark.parametrize("eps", [1e-8, 1e-2])
def test_regularised_factor_is_that_of_s_plus_eps_c(made, eps, monkeypatch):
    """C: sum of 1/m for translational rows, the diagonal of S for rotational ones, hub or no hub."""
    fixed = Joint("held", "coordinate", on(made[0][1].name), on("ground"), coordinate="phi")
    for threshold in (2, 6, NEVER):
        monkeypatch.setattr(ordering, "HUB_JOINTS", threshold)
        arranged, dense, _ = factored(lower(model(made[0], (*made[1], fixed))), eps)
        s = dense @ dense.T
        compliance = arranged.arrays.row.compliance
        c = np.where(compliance > 0.0, compliance, np.diag(s))
        assert np.any(compliance == 0.0)
        matrix = s + eps * np.diag(c)
        wanted = np.random.default_rng(1).normal(size=len(s))
        x = solved(arranged, wanted)
        assert np.abs(matrix @ x - wanted).max() < 1e-13 * np.linalg.cond(matrix)


@pytest.mark.parametrize("threshold", [6, NEVER])
@pytest.mark.parametrize("mass", [1e-6, 1.0, 1e6])
def test_pivot_ratio_tells_dependent_rows_from_light_and_heavy_hubs(threshold, mass, monkeypatch):
    monkeypatch.setattr(ordering, "HUB_JOINTS", threshold)
    bodies, joints = star(12, mass=mass)
    assert factored(lower(model(bodies, joints)))[2] > 0.01 * min(mass, 1.0)
    twin = hinge("twin", joints[3].i, joints[3].j)
    assert abs(factored(lower(model(bodies, (*joints, twin))))[2]) < 1e-12


@pytest.mark.parametrize("made", [star(12), train(3), engine(7)])
def test_factor_without_hubs_serves_a_jacobian_from_which_columns_are_left_out(made):
    """As coordinate partitioning does: the columns that Gaussian elimination would take for the dependent coordinates."""
    arranged = lower(model(*made)).arrange(with_hubs=False)
    a, w = arranged.arrays, arranged.work
    solve_positions(a, w, 0.0, lower(model(*made)).bodies.q.copy(), np.inf, DOGLEG)
    dense = arranged.jacobian().dense()
    chosen: list[int] = []
    for column in np.argsort(-np.linalg.norm(dense, axis=0), kind="stable"):
        if np.linalg.matrix_rank(dense[:, [*chosen, column]], tol=1e-3) > len(chosen):
            chosen.append(int(column))
    left_out = np.setdiff1d(np.arange(dense.shape[1]), chosen)
    assert len(chosen) == len(dense)
    for block in a.layout.block:
        for k in range(block.nv):
            if block.v + k in left_out:
                w.jacobian[block.entry + k : block.entry + block.rows * block.nv : block.nv] = 0.0
    factor(a.layout, a.row, a.missing, w.jacobian, w, 0.0)
    s = dense[:, chosen] @ dense[:, chosen].T
    wanted = np.random.default_rng(1).normal(size=len(s))
    assert np.abs(s @ solved(arranged, wanted) - wanted).max() < 1e-14 * np.linalg.cond(s)


@pytest.mark.parametrize("make", [windows, lambda n: model(*star(n)), lambda n: model(*train(n // 5))])
@pytest.mark.parametrize("count", [80, 320])
def test_factor_grows_with_the_number_of_bodies_only(make, count):
    few, many = counted(make(40)), counted(make(count))
    assert operations(many) <= 1.1 * count / 40 * operations(few)
    assert storage(many) <= 1.1 * count / 40 * storage(few)


def test_star_in_space_grows_with_its_rays_only():
    def rays(count):
        names = [f"wheel {k}" for k in range(count)]
        bodies = [rigid("chassis"), *(rigid(name, (k, 1.0, 0.0)) for k, name in enumerate(names))]
        return space(
            bodies, [joined(bodies, name, "revolute", "chassis", name, (k, 0, 0)) for k, name in enumerate(names)]
        )

    assert operations(counted(rays(160))) <= 4.1 * operations(counted(rays(40)))


def test_nodes_of_more_rows_than_two_bodies_can_share_are_refused():
    with pytest.raises(ValueError, match="at most 6 rows"):
        ordering.lay_out([ordering.Node(7, (0, 1))], [0, 6])
