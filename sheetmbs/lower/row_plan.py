"""Order of elimination of the rows that are kept, and where each of their numbers stands in J."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from sheetmbs.engine.algebra.ordering import Factor, Node, lay_out, lay_out_jacobian
from sheetmbs.engine.record_arrays import joined, taken
from sheetmbs.engine.records import Ints, Records

SIDES = ("i", "j", "k", "l")
ACTS_ON = tuple(f"body_{side}" for side in SIDES)
PLACED = ("target", *(f"entry_{side}" for side in SIDES))
"""fields of a row that its plan fills in"""
MAX_PLANS, MAX_ROWS = 64, 2000
"""plans, and rows of one: a study solves thousands of variants whose rows act on the same bodies"""


@dataclass(frozen=True)
class RowPlan:
    """One choice of rows in order of elimination. kept: (rows kept,) numbers in the model. parts: these, then their terms.

    further: numbers of these terms in the model.
    """

    kept: Ints
    further: Ints
    parts: Records
    factor: Factor

    def with_rows(self, rows: Records, terms: Records) -> RowPlan:
        """The same plan for rows and terms of a model that act on the same bodies as before."""
        parts = joined(taken(rows, self.kept), taken(terms, self.further))
        for name in PLACED:
            parts[name] = self.parts[name]
        return replace(self, parts=parts)


_plans: dict[Hashable, RowPlan] = {}


def _cached_plan(key: Hashable, rows: Records, terms: Records, make: Callable[[], RowPlan]) -> RowPlan:
    """The plan of rows whose structure has been planned before, or a new one. key: all that it depends on."""
    if key in _plans:
        return _plans[key].with_rows(rows, terms)
    found = make()
    if len(rows) <= MAX_ROWS:
        if len(_plans) >= MAX_PLANS:
            del _plans[next(iter(_plans))]
        _plans[key] = found
    return found


def _structure(records: Records) -> bytes:
    """Which bodies rows or terms act on, and the rows to which they belong."""
    return b"".join(records[name].tobytes() for name in (*ACTS_ON, "target"))


def plan(
    rows: Records, terms: Records, owner: Ints, keep: NDArray[np.bool_], body_nv: Ints, moving: Ints, *, with_hubs: bool
) -> RowPlan:
    """Lay out the rows for which ``keep`` is true; those of one owner stay together.

    body_nv: velocities of each body that has coordinates. moving: the body with the coordinates by which each body moves.
    """
    arrays = (array.tobytes() for array in (owner, keep, body_nv, moving))
    key = _structure(rows), _structure(terms), *arrays, with_hubs
    return _cached_plan(
        key, rows, terms, lambda: _planned(rows, terms, owner, keep, body_nv, moving, with_hubs=with_hubs)
    )


def _planned(
    rows: Records, terms: Records, owner: Ints, keep: NDArray[np.bool_], body_nv: Ints, moving: Ints, *, with_hubs: bool
) -> RowPlan:
    numbers = np.flatnonzero(keep)
    _, first, node_of = np.unique(owner[numbers], return_index=True, return_inverse=True)
    within = np.arange(len(numbers)) - first[node_of]
    sizes = np.bincount(node_of, minlength=len(first))
    at = np.full(len(rows), -1)
    at[numbers] = np.arange(len(numbers))
    of_terms = np.flatnonzero(at[terms.target] >= 0)
    own, further = taken(rows, numbers), taken(terms, of_terms)
    node, node_further = node_of[at[own.target]], node_of[at[further.target]]
    acting = [(node, own.body_i), (node, own.body_j), (node_further, further.body_i), (node_further, further.body_j)]
    bodies = _bodies([(which, moving[body]) for which, body in acting], len(body_nv), len(first))
    nodes = [Node(size, tuple(on)) for size, on in zip(sizes.tolist(), bodies, strict=True)]
    factor = lay_out(nodes, body_nv.tolist(), with_hubs=with_hubs)
    rank = np.empty(len(nodes), dtype=np.int64)
    rank[list(factor.order)] = np.arange(len(nodes))
    in_order = np.argsort(rank[node_of], kind="stable")
    kept = numbers[in_order]
    parts = joined(taken(rows, kept), further)
    source = at[parts.target]
    place = np.empty(len(numbers), dtype=np.int64)
    place[in_order] = np.arange(len(numbers))
    parts.target = place[source]
    _enter(parts, node_of[source], within[source], factor, body_nv, moving)
    return RowPlan(kept, of_terms, parts, factor)


def plan_gauges(rows: Records, body_nv: Ints, moving: Ints) -> RowPlan:
    """Lay out rows that are only measured, in their order. body_nv, moving: as in `plan`."""
    key = _structure(rows), body_nv.tobytes(), moving.tobytes()
    return _cached_plan(key, rows, rows[:0], lambda: _planned_gauges(rows, body_nv, moving))


def _planned_gauges(rows: Records, body_nv: Ints, moving: Ints) -> RowPlan:
    each = np.arange(len(rows))
    pairs = zip(moving[rows.body_i].tolist(), moving[rows.body_j].tolist(), strict=True)
    nodes = [Node(1, tuple(sorted({*pair}))) for pair in pairs]
    factor = lay_out_jacobian(nodes, body_nv.tolist())
    parts = rows.copy()
    parts.target = each
    _enter(parts, each, np.zeros_like(each), factor, body_nv, moving)
    return RowPlan(each, each[:0], parts, factor)


def _bodies(acting: list[tuple[Ints, Ints]], count: int, nodes: int) -> list[list[int]]:
    """Bodies on which each of the nodes acts, of ``count``. acting: nodes, and bodies of their rows, ground among them."""
    pairs = np.unique(np.concatenate([which * count + body for which, body in acting]))
    return [on.tolist() for on in np.split(pairs % count, np.searchsorted(pairs // count, np.arange(1, nodes)))][:nodes]


def _enter(parts: Records, node: Ints, within: Ints, factor: Factor, body_nv: Ints, moving: Ints) -> None:
    """Jacobian places of rows and terms in the blocks of their nodes."""
    blocks = np.array([(*block, entry) for block, entry in factor.entries.items()], dtype=np.int64).reshape(-1, 3)
    keys = blocks[:, 0] * len(body_nv) + blocks[:, 1]
    for side in SIDES:
        body = moving[parts[f"body_{side}"]]
        held = np.flatnonzero(body)
        if not len(held):
            continue
        block = np.searchsorted(keys, node[held] * len(body_nv) + body[held])
        parts[f"entry_{side}"][held] = blocks[block, 2] + within[held] * body_nv[body[held]]
