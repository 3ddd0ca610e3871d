"""Dependent rows of a large sparse matrix by orthogonal elimination, column group by column group.

Every front gathers the rows that still touch a group of columns, and splits them by singular values (multifrontal QR with
ranks, after Heath 1982 and Davis 2011):
    F = [own columns | later columns],   U^T F = [pivots; carried; dead]
Pivots determine the group and are done with, carried rows touch later columns only and go to the front of the first of them,
dead rows touch nothing any more: U composed along the way tells which of the given rows say the same. All is orthogonal, so
what is left out nowhere grows, and together the dead rows are an orthonormal basis of the left null space.

To choose independent ones among the given rows, each carried space is stood for by as many given rows: modulo what has been
eliminated they are T times the carried rows. In a front, pivots are chosen from these by size and eliminated by Gauss.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sheetmbs.engine.algebra.dense import choose_longest
from sheetmbs.engine.algebra.ordering import Node, minimum_degree
from sheetmbs.engine.records import Floats, Ints
from sheetmbs.lower.sparse import Sparse

SHORTEST = 0.1  # of the longest of all rows: a row of a joint that is to be kept whole


@dataclass(frozen=True)
class Front:
    """Rows (m,) = given rows, then those carried from the fronts ``children``, in an orthonormal basis.

    pivots, carried, dead: (m, n) columns of the basis. size: (pivots + carried,) singular values. dropped: the largest one of
    those that count as zero.
    """

    given: Ints
    children: tuple[int, ...]
    pivots: Floats
    carried: Floats
    dead: Floats
    size: Floats
    dropped: float


def largest_rows(matrix: Floats, count: int, group: Ints | None = None) -> Ints:
    """Choose that many rows by Gram-Schmidt with pivots: each is the longest once the ones before are projected out.

    group: (rows,) the joint of each. Joints are kept whole where that can be, those of many rows first: a whole hinge stays
    independent however it turns, half a hinge and half of another one on the same axis come to say the same. None: rows are
    taken by their length alone.
    """
    groups: dict[int, list[int]] = {}
    for row, label in enumerate([] if group is None else group.tolist()):
        groups.setdefault(label, []).append(row)
    order = [groups[label] for label in sorted(groups, key=lambda label: (-len(groups[label]), label))]
    order.append(list(range(len(matrix))))
    ends = np.cumsum([len(rows) for rows in order])
    chosen = np.zeros(count, dtype=np.int64)
    in_order = np.array([row for rows in order for row in rows], dtype=np.int64)
    found = choose_longest(matrix.copy(), in_order, ends, SHORTEST, count, chosen)
    return chosen[:found]


@dataclass(frozen=True)
class Elimination:
    """The fronts in the order of elimination, before them one for rows without entries. height: rows of the matrix."""

    fronts: tuple[Front, ...]
    height: int

    @property
    def rank(self) -> int:
        """Number of independent rows."""
        return sum(front.pivots.shape[1] for front in self.fronts)

    @property
    def gap(self) -> tuple[float, float]:
        """The largest singular value that counts as zero, and the smallest that does not."""
        dropped = max(front.dropped for front in self.fronts)
        return dropped, min(float(np.min(front.size, initial=np.inf)) for front in self.fronts)

    def null_vectors(self, count: int) -> Floats:
        """(height, count) random vectors y with y^T J = 0, their expected square along each axis that of a basis."""
        random = np.random.default_rng(1)
        return self._composed(
            count, lambda dead, _: dead @ (random.standard_normal((dead.shape[1], count)) / np.sqrt(count))
        )

    def null_basis(self) -> Floats:
        """(height, height - rank) orthonormal basis of all y with y^T J = 0."""
        count = self.height - self.rank

        def apart(dead: Floats, before: int) -> Floats:
            rows = np.zeros((len(dead), count))
            rows[:, before : before + dead.shape[1]] = dead
            return rows

        return self._composed(count, apart)

    def _composed(self, count: int, combined: Callable[[Floats, int], Floats]) -> Floats:
        """(height, count) vectors in terms of the given rows. combined: of dead rows, and how many came before them."""
        vectors = np.zeros((self.height, count))
        carried: dict[int, Floats] = {}
        before = 0
        for number in range(len(self.fronts) - 1, -1, -1):
            front = self.fronts[number]
            rows = combined(front.dead, before)
            before += front.dead.shape[1]
            if number in carried:
                rows += front.carried @ carried.pop(number)
            vectors[front.given] = rows[: len(front.given)]
            at = len(front.given)
            for child in front.children:
                width = self.fronts[child].carried.shape[1]
                carried[child] = rows[at : at + width]
                at += width
        return vectors

    def independent(self, row_group: Ints | None = None) -> NDArray[np.bool_]:
        """(height,) which rows to keep: as many as the rank, and independent. row_group: as ``group`` of `largest_rows`."""
        group = np.zeros(self.height, dtype=np.int64) if row_group is None else row_group
        keep = np.ones(self.height, dtype=np.bool_)
        standing: dict[int, tuple[Ints, Floats]] = {}
        for number, front in enumerate(self.fronts):
            numbers, T = _joined(front, [standing.pop(child) for child in front.children])
            count = front.pivots.shape[1]
            own, later = T @ (front.pivots * front.size[:count]), T @ (front.carried * front.size[count:])
            pivots = largest_rows(own, count, group[numbers])
            others = np.setdiff1d(np.arange(len(numbers)), pivots)
            later = later[others] - own[others] @ np.linalg.solve(own[pivots], later[pivots])
            chosen = largest_rows(later, later.shape[1], group[numbers[others]])
            keep[np.delete(numbers[others], chosen)] = False
            standing[number] = numbers[others[chosen]], later[chosen] / front.size[count:]
        return keep


def _joined(front: Front, parts: list[tuple[Ints, Floats]]) -> tuple[Ints, Floats]:
    """Given rows that stand for the rows of a front, and T: what they are in terms of those."""
    numbers = np.concatenate((front.given, *(part[0] for part in parts)))
    T = np.eye(len(numbers))
    at = len(front.given)
    for own, block in parts:
        T[at : at + len(own), at : at + len(own)] = block
        at += len(own)
    return numbers, T


def eliminate(matrix: Sparse, row_group: Ints, column_group: Ints, tolerance: float) -> Elimination:
    """Eliminate the columns group by group. Singular values of a front up to ``tolerance`` count as zero.

    row_group: (height,), column_group: (width,) numbers from 0 on; rows of a group touch the same groups of columns.
    """
    order, filled, members = _order(matrix, row_group, column_group)
    place = np.empty(len(order), dtype=np.int64)
    place[order] = np.arange(len(order))
    first = np.full(matrix.height, len(order))  # place of the first group of columns that a row touches
    np.minimum.at(first, matrix.row, place[column_group[matrix.column]])
    rows = np.argsort(first, kind="stable")
    row_starts = np.searchsorted(first[rows], np.arange(len(order) + 1))
    within = np.empty(matrix.height, dtype=np.int64)
    within[rows] = np.arange(matrix.height) - row_starts[first[rows]]
    entries = np.argsort(first[matrix.row], kind="stable")
    entry_starts = np.searchsorted(first[matrix.row[entries]], np.arange(len(order) + 1))
    local = np.zeros(matrix.width, dtype=np.int64)
    waiting: list[list[tuple[int, Ints, Floats]]] = [[] for _ in order]
    empty = rows[row_starts[-1] :]
    none = np.zeros((len(empty), 0))
    fronts = [Front(empty, (), none, none, np.eye(len(empty)), np.zeros(0), 0.0)]
    for step, group in enumerate(order):
        given = rows[row_starts[step] : row_starts[step + 1]]
        children = waiting[step]
        height = len(given) + sum(len(carried) for _, _, carried in children)
        if not height:
            continue
        columns = np.concatenate([members[each] for each in (group, *sorted(filled[group]))])
        local[columns] = np.arange(len(columns))
        front = np.zeros((height, len(columns)))
        mine = entries[entry_starts[step] : entry_starts[step + 1]]
        front[within[matrix.row[mine]], local[matrix.column[mine]]] = matrix.value[mine]
        at = len(given)
        for _, touched, carried in children:
            front[at : at + len(carried), local[touched]] = carried
            at += len(carried)
        found, onward = _split(front, len(members[group]), given, tuple(child[0] for child in children), tolerance)
        if len(onward):
            next_step = min(place[each] for each in filled[group])
            waiting[next_step].append((len(fronts), columns[len(members[group]) :], onward))
        fronts.append(found)
    return Elimination(tuple(fronts), matrix.height)


def _split(front: Floats, own: int, given: Ints, children: tuple[int, ...], tolerance: float) -> tuple[Front, Floats]:
    """Split the rows of a front, of which the first ``own`` columns go; also the rows it hands on, (carried, later columns)."""
    basis, sizes, _ = np.linalg.svd(front[:, :own])
    rank = int(np.sum(sizes > tolerance))
    dropped = float(np.max(sizes[rank:], initial=0.0))
    pivots, rest = basis[:, :rank], basis[:, rank:]
    later = rest.T @ front[:, own:]
    if not later.size:
        none = np.zeros((len(front), 0))
        return Front(given, children, pivots, none, rest, sizes[:rank], dropped), later[:0]
    turn, later_sizes, axes = np.linalg.svd(later, full_matrices=len(later) > later.shape[1])
    carried = int(np.sum(later_sizes > tolerance))
    rest = rest @ turn
    size = np.concatenate((sizes[:rank], later_sizes[:carried]))
    dropped = float(np.max(later_sizes[carried:], initial=dropped))
    onward = later_sizes[:carried, None] * axes[:carried]
    return Front(given, children, pivots, rest[:, :carried], rest[:, carried:], size, dropped), onward


def _order(matrix: Sparse, row_group: Ints, column_group: Ints) -> tuple[list[int], list[set[int]], list[Ints]]:
    """Order of elimination of the groups of columns, the later ones that each reaches, and the columns of each."""
    count = int(column_group.max(initial=-1)) + 1
    by_group = np.argsort(column_group, kind="stable")
    members = np.split(by_group, np.searchsorted(column_group[by_group], np.arange(1, count)))
    height = int(row_group.max(initial=0)) + 1
    touched = np.unique(column_group[matrix.column] * height + row_group[matrix.row])
    joins = np.split(touched % height, np.searchsorted(touched // height, np.arange(1, count)))
    sizes = [len(columns) for columns in members]
    nodes = [Node(size, tuple((1 + rows).tolist())) for size, rows in zip(sizes, joins, strict=True)]
    order, filled = minimum_degree(nodes, {}, sizes)
    return order, filled, members
