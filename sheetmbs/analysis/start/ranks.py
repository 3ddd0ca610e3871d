"""Ranks and null spaces of Jacobians without units: lengths over the characteristic one, rows of unit length.

Rows that no body joins are looked at apart: few of them by their singular values, many by `frontal_elimination.py`, in time
that grows with their number as long as the linkage is no dense net.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np
from numpy.typing import NDArray

from sheetmbs.analysis.start.frontal_elimination import eliminate, largest_rows
from sheetmbs.engine.algebra.linear import factor, solve
from sheetmbs.engine.algebra.newton import DOGLEG, LEAST_EPS, solve_positions, solve_velocities
from sheetmbs.engine.records import Floats, Ints
from sheetmbs.lower import Lowered, System
from sheetmbs.lower.sparse import Sparse

RANK_TOLERANCE = 1e-6  # of a singular value: hardpoints are typed to five digits or more
SHARE = 1e-4  # of a null vector's largest entry: what takes part
FEW, MANY = 150, 1500  # rows whose singular values are found at once in a few ms, or in some seconds
SEVERAL = 400  # rows whose Cholesky factor is found at once in less time than they are eliminated front by front
SAMPLES = 16  # random vectors that stand for a null space
CLEAR = 10.0  # times more or less than the tolerance: a singular value that leaves no doubt
SOFT = 1e-11  # regularisation where rows may depend on each other: what it hides are singular values of 1e-5
KNOWN_NETS = 16  # of rows and columns: which of them hang together is found once for all variants of a study
TURNS = 30  # of inverse iteration
INDEPENDENT = 1e-9  # of the largest singular value of J, or of a row of unit length


@dataclass(frozen=True)
class Split:
    """A matrix (rows, n), its rank, and orthonormal bases of what it allows and of what its rows say twice.

    motions: (n - rank, n). dependencies: (rows - rank, rows).
    """

    rank: int
    motions: Floats
    dependencies: Floats


@dataclass(frozen=True)
class Dependence:
    """The linearly dependent rows of a matrix.

    ranks: of each part of the matrix. vectors: (rows, n) whose rows have the length of those of an orthonormal basis of the
    left null space, or about that. choose: finds what ``independent`` is to be.
    """

    ranks: tuple[int, ...]
    vectors: Floats
    choose: Callable[[], NDArray[np.bool_]]

    @property
    def rank(self) -> int:
        """Numerical rank of the matrix."""
        return sum(self.ranks)

    @cached_property
    def independent(self) -> NDArray[np.bool_]:
        """(rows,) a well-conditioned basis of the row space."""
        return self.choose()


def split(matrix: Floats) -> Split:
    """Rank and null spaces of a small matrix (rows, n)."""
    rows, columns = matrix.shape
    if not rows or not columns:
        return Split(0, np.eye(columns), np.eye(rows))
    left, sizes, right = np.linalg.svd(matrix, full_matrices=True)
    rank = int(np.sum(sizes > RANK_TOLERANCE))
    return Split(rank, right[rank:], left.T[rank:])


def is_surely_independent(matrix: Floats) -> bool:
    """Whether all rows of a small matrix (rows, n), none of them much longer than 1, are independent beyond any doubt.

    J J^T less CLEAR^2 times the squared tolerance has a Cholesky factor only where no singular value is near the tolerance:
    the products are wrong by 1e-14 and the tolerance squared is 1e-12. It takes a twentieth of the time of these values.
    """
    return is_surely_regular(matrix @ matrix.T)


def is_surely_regular(gram: Floats) -> bool:
    """The same of J J^T (rows, rows), or of a matrix whose diagonal blocks are such products and the rest 0."""
    gram.flat[:: len(gram) + 1] -= (CLEAR * RANK_TOLERANCE) ** 2
    try:
        np.linalg.cholesky(gram)
    except np.linalg.LinAlgError:
        return False
    return True


def dependence(matrix: Sparse, row_group: Ints, column_group: Ints, *, keeps_groups: bool = True) -> Dependence:
    """Rank and dependent rows of a sparse matrix. row_group: (rows,) of element or body; column_group: (columns,).

    keeps_groups: whether independent rows are to be those of whole groups where that can be, or else those that are best now.
    Of few rows that are independent together no parts are looked at.
    """
    is_small = matrix.height <= FEW
    if is_small and is_surely_independent(matrix.dense()):
        return _independent(matrix.height)
    parts = [
        (
            rows,
            _split_up(part.dense(), row_group if keeps_groups else None)
            if is_small and part is matrix
            else _of_part(part, row_group[rows], column_group[columns], keeps_groups=keeps_groups),
        )
        for rows, columns, part in _parts(matrix, row_group, column_group)
    ]
    width = max((found.vectors.shape[1] for _, found in parts), default=0)
    stacked = np.zeros((matrix.height, width))
    for rows, found in parts:
        stacked[rows, : found.vectors.shape[1]] = found.vectors

    def choose() -> NDArray[np.bool_]:
        independent = np.ones(matrix.height, dtype=np.bool_)
        for rows, found in parts:
            independent[rows] = found.independent
        return independent

    return Dependence(tuple(found.rank for _, found in parts), stacked, choose)


def rank_of(matrix: Sparse, row_group: Ints, column_group: Ints) -> int:
    """Rank of a sparse matrix, as `dependence` finds it."""
    return sum(
        int(np.sum(np.linalg.svd(part.dense(), compute_uv=False) > RANK_TOLERANCE))
        if len(rows) <= FEW
        else _of_part(part, row_group[rows], column_group[columns], keeps_groups=True).rank
        for rows, columns, part in _parts(matrix, row_group, column_group)
    )


def independent_rows(matrix: Sparse, row_group: Ints, column_group: Ints, ranks: Sequence[int]) -> NDArray[np.bool_]:
    """(rows,) independent rows, of whole groups where that can be. ranks: of each part, as `dependence` has found them."""
    independent = np.ones(matrix.height, dtype=np.bool_)
    for (rows, columns, part), rank in zip(_parts(matrix, row_group, column_group), ranks, strict=True):
        if len(rows) > FEW:
            independent[rows] = _of_part(part, row_group[rows], column_group[columns], keeps_groups=True).independent
        elif len(rows) > rank:
            independent[rows] = _chosen(part.dense(), rank, row_group[rows])
    return independent


def _of_part(part: Sparse, row_group: Ints, column_group: Ints, *, keeps_groups: bool) -> Dependence:
    """The dependence of one part of a matrix."""
    rows = part.height
    if FEW < rows <= SEVERAL and is_surely_independent(part.dense()):
        return _independent(rows)
    if rows > FEW:
        found, is_sound = _large(part, row_group, column_group, keeps_groups=keeps_groups)
        if rows > MANY or is_sound:
            return found
    return _small(part.dense(), row_group if keeps_groups else None)


def _small(matrix: Floats, row_group: Ints | None) -> Dependence:
    return _independent(len(matrix)) if is_surely_independent(matrix) else _split_up(matrix, row_group)


def _split_up(matrix: Floats, row_group: Ints | None) -> Dependence:
    """The dependence of a small matrix by its singular values."""
    found = split(matrix)
    return Dependence((found.rank,), found.dependencies.T, lambda: _chosen(matrix, found.rank, row_group))


def _chosen(matrix: Floats, rank: int, row_group: Ints | None) -> NDArray[np.bool_]:
    """(rows,) as many rows of a small matrix as its rank."""
    independent = np.zeros(len(matrix), dtype=np.bool_)
    independent[largest_rows(matrix, rank, row_group)] = True
    return independent


def _independent(rows: int) -> Dependence:
    return Dependence((rows,), np.zeros((rows, 0)), lambda: np.ones(rows, dtype=np.bool_))


def _large(matrix: Sparse, row_group: Ints, column_group: Ints, *, keeps_groups: bool) -> tuple[Dependence, bool]:
    """The same by elimination, and whether it stands the tests."""
    rows, columns = (np.unique(group, return_inverse=True)[1] for group in (row_group, column_group))
    found = eliminate(matrix, rows, columns, RANK_TOLERANCE)
    dropped, kept_size = found.gap
    is_clear = dropped * CLEAR < RANK_TOLERANCE < kept_size / CLEAR
    if found.rank == matrix.height:
        return _independent(matrix.height), is_clear
    vectors, independent = found.null_vectors(SAMPLES), found.independent(rows if keeps_groups else None)
    left = np.linalg.norm(matrix.transposed.times(vectors), axis=0)
    is_null = bool(np.all(left <= RANK_TOLERANCE * np.linalg.norm(vectors, axis=0)))
    kept = np.flatnonzero(independent)
    alone = eliminate(matrix.part(kept, np.arange(matrix.width)), rows[kept], columns, RANK_TOLERANCE)
    return Dependence((found.rank,), vectors, lambda: independent), is_clear and is_null and alone.rank == len(kept)


def _parts(matrix: Sparse, row_group: Ints, column_group: Ints) -> Iterator[tuple[Ints, Ints, Sparse]]:
    """Rows and columns of each part of the matrix that shares none with the rest, and that part."""
    groups = row_group.tobytes(), column_group.tobytes()
    parts = _net(matrix.row.tobytes(), matrix.column.tobytes(), *groups)
    if len(parts) == 1 and len(parts[0].rows) == matrix.height and len(parts[0].columns) == matrix.width:
        yield parts[0].rows, parts[0].columns, matrix
        return
    for part in parts:
        value = matrix.value[part.entries]
        yield part.rows, part.columns, Sparse(len(part.rows), len(part.columns), part.row, part.column, value)


@dataclass(frozen=True)
class _Part:
    """Rows and columns of a matrix that share no entry with others, and the entries. row, column: of each, in the part."""

    rows: Ints
    columns: Ints
    entries: Ints
    row: Ints
    column: Ints


@lru_cache(maxsize=KNOWN_NETS)
def _net(row_bytes: bytes, column_bytes: bytes, row_groups: bytes, column_groups: bytes) -> tuple[_Part, ...]:
    """The parts of a matrix, from the bytes of its rows and columns and of the groups of these."""
    given = row_bytes, column_bytes, row_groups, column_groups
    row, column, row_group, column_group = (np.frombuffer(each, dtype=np.int64) for each in given)
    of_row, of_column = _labels(row, column, row_group, column_group)
    labels = np.unique(of_row)
    sorted_by = []
    for label in (of_row, of_column, of_row[row]):
        order = np.argsort(label, kind="stable")
        ends = (np.searchsorted(label[order], labels, side) for side in ("left", "right"))
        sorted_by.append([order[start:end] for start, end in zip(*ends, strict=True)])
    new_row, new_column = np.zeros(len(row_group), dtype=np.int64), np.zeros(len(column_group), dtype=np.int64)
    parts = []
    for rows, columns, entries in zip(*sorted_by, strict=True):
        new_row[rows], new_column[columns] = np.arange(len(rows)), np.arange(len(columns))
        parts.append(_Part(rows, columns, entries, new_row[row[entries]], new_column[column[entries]]))
    return tuple(parts)


def _labels(row: Ints, column: Ints, row_group: Ints, column_group: Ints) -> tuple[Ints, Ints]:
    """The number of the connected part of a matrix to which each row and column belongs. row, column: of its entries."""
    height, width = (int(group.max(initial=0)) + 1 for group in (row_group, column_group))
    pairs = np.unique(row_group[row] * width + column_group[column]).tolist()
    roots = np.array(
        connected(height + width, ((pair // width, height + pair % width) for pair in pairs)), dtype=np.int64
    )
    return roots[row_group], roots[height + column_group]


def connected(count: int, pairs: Iterable[tuple[int, int]]) -> list[int]:
    """For each of so many things the one that stands for all with which pairs connect it."""
    above = list(range(count))

    def root(thing: int) -> int:
        while above[thing] != thing:
            above[thing] = thing = above[above[thing]]
        return thing

    for one, other in pairs:
        above[root(other)] = root(one)
    return list(map(root, range(count)))


def taking_part(vectors: Floats) -> NDArray[np.bool_]:
    """Whether each entry (n,) differs from 0 in some vector of a space. vectors: (n, k), a basis but for rotations."""
    size = np.linalg.norm(vectors, axis=1)
    return np.asarray(size > SHARE * max(float(np.max(size, initial=0.0)), 1e-300))


def unit_jacobian(system: System, q: Floats, t: float) -> Sparse:
    """(rows, nv) in the system's weights, rows of unit length, in the order of the system; at a configuration q (nq,)."""
    solve_positions(system.arrays, system.work, t, q.copy(), np.inf, DOGLEG)
    return system.jacobian().of_unit_rows()


def random_motions(system: System, q: Floats, t: float, count: int) -> Floats:
    """(nv, count) random motions in the system's weights that its rows allow at q (nq,), their drivers at rest.

    Random vectors put on the tangent space, their expected square along each axis that of an orthonormal basis.
    """
    arrays, work = system.arrays, system.work
    solve_positions(arrays, work, t, q.copy(), np.inf, DOGLEG)
    motions = np.zeros((1 + count, len(arrays.scale)))
    motions[1:] = _random(*motions[1:].shape) * arrays.scale / np.sqrt(count)
    for motion in motions:
        solve_velocities(arrays, work, motion, LEAST_EPS)
    return np.asarray((motions[1:] - motions[0]).T / arrays.scale[:, None])


@lru_cache(maxsize=KNOWN_NETS)
def _random(count: int, width: int) -> Floats:
    """(count, width) the same normally distributed numbers every time, not to be changed."""
    return np.random.default_rng(1).standard_normal((count, width))


def most_dependent(system: System, q: Floats, t: float) -> tuple[float, Floats]:
    """Smallest singular value of the Jacobian of unit rows at q (nq,), and its left vector (rows,), by inverse iteration."""
    jacobian = unit_jacobian(system, q, t)
    size = system.jacobian().row_lengths()
    work, layout = system.work, system.arrays.layout
    arrays = system.arrays
    factor(layout, arrays.row, arrays.missing, work.jacobian, work, SOFT)
    vector = np.random.default_rng(1).standard_normal(jacobian.height)
    for _ in range(TURNS):
        vector *= size
        solve(layout, work.s, work.inverse_pivot, vector)
        vector *= size
        vector /= np.linalg.norm(vector)
    return float(np.linalg.norm(jacobian.transposed.times(vector))), vector


def tangent_space(lowered: Lowered, system: System) -> Floats:
    """(nv, freedoms) orthonormal basis in the system's weights, at the Jacobian that stands in its scratch."""
    jacobian = system.jacobian()
    rows = jacobian.height
    if not rows:
        return np.eye(jacobian.width)
    if rows > FEW:
        owners = lowered.bodies.owner, lowered.constraints.owner[system.kept]
        bodies, elements = (np.unique(owner, return_inverse=True)[1] for owner in owners)
        found = eliminate(jacobian.of_unit_rows().transposed, bodies, elements, INDEPENDENT)
        dropped, kept = found.gap
        if rows > MANY or dropped * CLEAR < INDEPENDENT < kept / CLEAR:
            return found.null_basis()
    _, sizes, right = np.linalg.svd(jacobian.dense(), full_matrices=True)
    return np.asarray(right[int(np.sum(sizes > INDEPENDENT * sizes[0])) :].T)
