"""Dependent rows of large models: by fronts as by singular values of all rows at once, and in proportion to their number."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import sheetmbs
from benchmarks.chains import chain
from sheetmbs.analysis.start import ranks
from sheetmbs.analysis.start.frontal_elimination import eliminate
from sheetmbs.analysis.start.ranks import (
    FEW,
    RANK_TOLERANCE,
    dependence,
    most_dependent,
    split,
    taking_part,
    tangent_space,
    unit_jacobian,
)
from sheetmbs.analysis.start.structure import find_structure, free_bodies
from sheetmbs.lower import lower
from sheetmbs.lower.sparse import Sparse
from sheetmbs.problems.errors import WorkbookError
from tests.lower.large_models import doors, loop_in_space, repeated, storeys, welded, windows_in_space
from tests.support.crowded import platform, train
from tests.support.mechanisms import four_bar, model, windows
from tests.support.spatial_mechanisms import bricard, joined, rigid, rod, space

WORKBOOKS = Path(__file__).parents[2] / "workbooks"
ALWAYS, NEVER = 0, 10**9  # rows from which on fronts are used
KINDS = ("revolute", "spherical", "universal", "cylindrical", "translational", "fixed", "planar", "point-on-plane")
AXES = ((0.0, 0.0, 1.0), (0.0, 1.0, 0.0), (1.0, 2.0, -1.0))

# model -> degrees of freedom, redundant rows, joints that say something twice
KNOWN = {
    "windows": (lambda: windows(40), 1, 0, 0),
    "windows in space": (lambda: windows_in_space(12), 1, 36, 37),
    "hinged loop": (lambda: loop_in_space(40), 38, 3, 41),
    "welded loop": (lambda: loop_in_space(30, "fixed"), 0, 6, 31),
    "loop of balls": (lambda: loop_in_space(40, "spherical"), 117, 0, 0),
    "storeys on three cranks": (lambda: storeys(12), 12, 12, 72),
    "storeys on five cranks": (lambda: storeys(6, 5), 6, 18, 60),
    "doors": (lambda: doors(21), 27, 70, 28),
    "legs under a chassis": (lambda: model(*platform(30)), 3, 0, 0),
    "cars with wheels": (lambda: model(*train(8)), 56, 0, 0),
    "closed chain": (lambda: chain(80, 1.0), 78, 0, 0),
    "many cars": (lambda: repeated(sheetmbs.read(WORKBOOKS / "car.xlsx"), 2), 10, 0, 0),
    "many redundant loops": (lambda: repeated(bricard(), 6), 6, 6, 36),
    "cantilever": (lambda: welded(60), 0, 0, 0),
}


def jacobian_of(lowered):
    """The Jacobian without units, and the groups of its rows and columns."""
    system = lowered.arrange(weights=lowered.sizes())
    jacobian = unit_jacobian(system, lowered.bodies.q, 0.0)
    return jacobian, lowered.constraints.owner[system.kept], lowered.bodies.owner


def only_fronts(monkeypatch):
    """No look at all singular values at once, be the matrix small or in doubt."""
    monkeypatch.setattr(ranks, "FEW", 0)
    monkeypatch.setattr(ranks, "MANY", 0)


def by_both(monkeypatch, matrix, rows, columns):
    """By fronts and by singular values."""
    found = []
    for few in (ALWAYS, NEVER):
        monkeypatch.setattr(ranks, "FEW", few)
        found.append(dependence(matrix, rows, columns))
    return found


@pytest.mark.parametrize("way", ["fronts", "singular values"])
@pytest.mark.parametrize("name", KNOWN)
def test_freedoms_and_redundant_joints_are_those_known_in_either_way(name, way, monkeypatch):
    make, freedoms, redundant, names = KNOWN[name]
    if way == "fronts":
        only_fronts(monkeypatch)
    else:
        monkeypatch.setattr(ranks, "FEW", NEVER)
    lowered = lower(make())
    found = find_structure(lowered, lowered.bodies.q, 0.0)
    assert (found.degrees_of_freedom, found.redundant, len(found.redundant_names)) == (freedoms, redundant, names)
    assert np.sum(~found.keep) == redundant


@pytest.mark.parametrize("name", KNOWN)
def test_rows_that_are_kept_are_as_independent_as_those_of_the_whole_matrix(name, monkeypatch):
    only_fronts(monkeypatch)
    lowered = lower(KNOWN[name][0]())
    found = find_structure(lowered, lowered.bodies.q, 0.0)
    kept = unit_jacobian(lowered.arrange(found.keep, lowered.sizes()), found.place, 0.0).dense()
    everything = unit_jacobian(lowered.arrange(weights=lowered.sizes()), found.place, 0.0).dense()
    assert np.linalg.svd(kept)[1][-1] > 0.1 * np.linalg.svd(everything)[1][len(kept) - 1]


def random_graph(edges, kinds, on_grid, seed):
    """Bodies joined at random, on a grid often with rows that depend on each other."""
    random = np.random.default_rng(seed)
    count = max(max(edge) for edge in edges)
    names = ["ground", *(f"b{k}" for k in range(count))]
    places = random.integers(0, 3, (count + 1, 3)) if on_grid else random.normal(size=(count + 1, 3))
    bodies = [rigid(name, place) for name, place in zip(names[1:], places[1:].astype(float), strict=True)]
    joints = []
    for k, (i, j) in enumerate(edges):
        kind = KINDS[kinds[k % len(kinds)]]
        axis = np.array(AXES[random.integers(3)]) if on_grid else random.normal(size=3)
        second = np.cross(axis, (0.3, 0.5, 0.7)) if kind == "universal" else None
        point = 0.5 * (places[i] + places[j])
        joints.append(joined(bodies, f"j{k}", kind, names[i], names[j], point, axis, second=second))
    return lower(space(bodies, joints))


EDGES = st.lists(
    st.tuples(st.integers(0, 12), st.integers(0, 12)).filter(lambda e: e[0] != e[1]), min_size=4, max_size=30
)


@settings(max_examples=60, deadline=None)
@given(EDGES, st.lists(st.integers(0, 7), min_size=1, max_size=6), st.booleans(), st.integers(0, 2**16))
def test_any_graph_of_joints_has_the_same_rank_and_dependent_joints_in_either_way(edges, kinds, on_grid, seed):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(ranks, "MANY", 0)
        matrix, rows, columns = jacobian_of(random_graph(edges, kinds, on_grid, seed))
        one, two = by_both(patch, matrix, rows, columns)
    assert one.rank == two.rank == np.linalg.matrix_rank(matrix.dense(), tol=RANK_TOLERANCE)
    assert set(rows[taking_part(one.vectors)]) == set(rows[taking_part(two.vectors)])
    assert split(matrix.dense()[one.independent]).rank == one.rank == np.sum(one.independent)
    assert np.abs(one.vectors.T @ matrix.dense()).max(initial=0.0) < RANK_TOLERANCE


@pytest.mark.parametrize(
    ("name", "noise"), [("windows in space", 1e-8), ("doors", 1e-7), ("doors", 1e-6), ("hinged loop", 1e-5)]
)
def test_geometry_that_is_only_nearly_redundant_is_judged_alike_in_either_way(name, noise, monkeypatch):
    matrix, rows, columns = jacobian_of(lower(KNOWN[name][0]()))
    for seed in range(4):
        rough = 1.0 + noise * np.random.default_rng(seed).normal(size=len(matrix.value))
        one, two = by_both(monkeypatch, replace(matrix, value=rough * matrix.value), rows, columns)
        assert one.rank == two.rank
        assert set(rows[taking_part(one.vectors)]) == set(rows[taking_part(two.vectors)])


def test_null_vectors_of_fronts_are_an_orthonormal_basis_drawn_at_random():
    matrix, rows, columns = jacobian_of(lower(windows_in_space(6)))
    found = eliminate(matrix, rows, columns, RANK_TOLERANCE)
    vectors = found.null_vectors(20000)
    basis = split(matrix.dense()).dependencies
    assert len(basis) == matrix.height - found.rank
    assert np.abs(vectors @ vectors.T - basis.T @ basis).max() < 0.05


def test_null_basis_of_fronts_is_orthonormal_and_complete():
    matrix, rows, columns = jacobian_of(lower(windows_in_space(6)))
    found = eliminate(matrix, rows, columns, RANK_TOLERANCE)
    vectors, basis = found.null_basis(), split(matrix.dense()).dependencies
    assert vectors.shape == basis.T.shape
    assert np.abs(vectors.T @ vectors - np.eye(len(basis))).max() < 1e-12
    assert np.abs(vectors @ vectors.T - basis.T @ basis).max() < 1e-12


@pytest.mark.parametrize("made", [windows_in_space(14), storeys(20), doors(40), chain(90, 1.0), welded(60)])
def test_motions_found_by_fronts_are_those_of_the_singular_values(made, monkeypatch):
    lowered = lower(made)
    structure = find_structure(lowered, lowered.bodies.q, 0.0)
    system = lowered.arrange(structure.keep, lowered.sizes())
    unit_jacobian(system, lowered.bodies.q, 0.0)
    by_fronts = tangent_space(lowered, system)
    monkeypatch.setattr(ranks, "FEW", 10**6)
    at_once = tangent_space(lowered, system)
    assert len(system.arrays.row) > FEW
    assert by_fronts.shape == at_once.shape == (len(lowered.bodies.v), structure.degrees_of_freedom)
    assert np.abs(by_fronts.T @ by_fronts - np.eye(by_fronts.shape[1])).max(initial=0.0) < 1e-12
    assert np.abs(by_fronts @ by_fronts.T - at_once @ at_once.T).max() < 1e-10


@settings(max_examples=200, deadline=None)
@given(st.lists(st.lists(st.integers(-1, 1), min_size=5, max_size=5), min_size=1, max_size=6), st.integers(0, 2**16))
def test_of_rows_that_are_repeated_fronts_keep_independent_ones(rows, seed):
    matrix = np.random.default_rng(seed).permutation(np.repeat(np.array(rows, dtype=float), 2, axis=0))
    row, column = np.nonzero(matrix)
    sparse = Sparse(*matrix.shape, row, column, matrix[row, column])
    found = eliminate(sparse, np.arange(len(matrix)), np.arange(5), RANK_TOLERANCE)
    keep = found.independent()
    assert found.rank == np.linalg.matrix_rank(matrix) == np.linalg.matrix_rank(matrix[keep]) == np.sum(keep)


@pytest.mark.parametrize("make", [lambda n: chain(n, 1.0), loop_in_space, windows_in_space, storeys, doors])
def test_fronts_stay_as_narrow_however_many_links_there_are(make):
    widest = []
    for count in (20, 80):
        matrix, rows, columns = jacobian_of(lower(make(count)))
        fronts = eliminate(matrix, rows, columns, RANK_TOLERANCE).fronts
        widest.append(max(len(front.pivots) for front in fronts))
    assert widest[1] <= widest[0]


def test_long_cantilever_of_welded_bars_is_a_tree_and_has_no_redundant_joint():
    """The smallest singular value falls with the square of the length, below any tolerance: still no loop is closed."""
    lowered = lower(welded(1200))
    found = find_structure(lowered, lowered.bodies.q, 0.0)
    assert (found.degrees_of_freedom, found.redundant) == (0, 0)


def test_windows_folded_flat_start_singular_but_are_not_redundant(monkeypatch):
    """All bars in one line: a singular position of every loop."""
    only_fronts(monkeypatch)
    flat = windows(30)
    bodies = [
        replace(body, position=np.array([body.position[0] + 0.5, 0.0, 0.0]), angles=np.zeros(3))
        if body.name.startswith("rod")
        else replace(body, position=np.array([body.position[0] + 1.0, 0.0, 0.0]))
        for body in flat.bodies
    ]
    lowered = lower(replace(flat, bodies=tuple(bodies)))
    found = find_structure(lowered, lowered.bodies.q, 0.0)
    assert found.singular_start
    assert (found.degrees_of_freedom, found.redundant) == (1, 0)


@pytest.mark.parametrize("bar_angle", [0.5, 1e-2, 1e-5])
def test_most_dependent_row_is_that_of_the_smallest_singular_value(bar_angle):
    bodies, joints, _ = four_bar(a=1.0, b=1.0, c=2.0 * np.cos(bar_angle), d=2.0)
    lowered = lower(model(bodies, joints))
    system = lowered.arrange(weights=lowered.sizes())
    size, vector = most_dependent(system, lowered.bodies.q, 0.0)
    left, sizes, _ = np.linalg.svd(unit_jacobian(system, lowered.bodies.q, 0.0).dense(), full_matrices=False)
    assert size == pytest.approx(sizes[-1], rel=0.01)
    assert abs(left[:, -1] @ vector) > 0.99


def test_bodies_that_nothing_drives_are_named_in_a_large_model_too():
    """Twenty linkages each on their own, of which the last is not driven."""
    bodies, joints, _ = four_bar()
    made = repeated(model(bodies, joints), 20)
    held = tuple(replace(joint, type="fixed") if joint.name.startswith("A ") else joint for joint in made.joints)
    lowered = lower(replace(made, joints=(*held[:-4], *made.joints[-4:])))
    found = find_structure(lowered, lowered.bodies.q, 0.0)
    assert free_bodies(lowered, found, 0.0) == ("crank #19", "coupler #19", "rocker #19")


def test_points_without_mass_are_found_in_a_long_chain():
    """Rods whose inertia about their own axis is zero hang on balls: no moment acts. One without any mass is named."""
    rods = [rod(f"rod {k}", (k, 0, 0), (k + 1, 0, 0), width=0.0) for k in range(60)]
    names = ["ground", *(each.name for each in rods)]
    balls = [joined(rods, f"ball {k}", "spherical", names[k], names[k + 1], (k, 0, 0)) for k in range(60)]
    ghost = rigid("ghost", (61, 0, 0), mass=0.0, inertia=(0.0, 0.0, 0.0))
    assert sheetmbs.run(space(rods, balls, t_end=0.01, t_step=0.01)).status == "done"
    with pytest.raises(WorkbookError, match="the mass of ghost is 0"):
        sheetmbs.run(space([*rods, ghost], balls))


@settings(max_examples=20, deadline=None)
@given(st.integers(0, 2**16))
def test_sparse_matrix_is_its_dense_one_in_every_operation(seed):
    random = np.random.default_rng(seed)
    matrix, _, _ = jacobian_of(lower(windows(3)))
    dense, vectors = matrix.dense(), random.normal(size=(matrix.width, 2))
    assert np.allclose(matrix.times(vectors), dense @ vectors)
    assert np.allclose(matrix.times(vectors[:, 0]), dense @ vectors[:, 0])
    assert np.array_equal(matrix.transposed.dense(), dense.T)
    rows, columns = random.permutation(matrix.height)[:5], random.permutation(matrix.width)[:4]
    assert np.array_equal(matrix.part(rows, columns).dense(), dense[np.ix_(rows, columns)])
    touching = matrix.touching(columns)
    assert np.array_equal(touching, dense[:, columns][np.any(touching_rows(matrix, columns), axis=1)])


def touching_rows(matrix, columns):
    """(rows, columns) whether an entry stands there, be it zero."""
    has = np.zeros((matrix.height, matrix.width), dtype=bool)
    has[matrix.row, matrix.column] = True
    return has[:, columns]
