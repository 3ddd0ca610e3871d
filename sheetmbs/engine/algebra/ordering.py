"""Symbolic factorisation: in which order to eliminate, and where every number of S and its factor stands.

Vertices are joints (with all their rows), drivers and guiding columns, and hubs; two joints are neighbours where they share a
moving body. A minimum-degree order (George and Liu 1981, ch. 5) keeps the factor as sparse as the joint graph, so trees and
chains cost linear time.

A body with many joints would make all of them neighbours of each other. Such a hub h is kept as a vertex of its own, next to
its joints only (quasi-definite, Vanderbei 1995):

    [S - J_h J_h^T   J_h] [lambda]   [b]
    [J_h^T           -I ] [  w   ] = [0]        whose Schur complement is S

Until it is eliminated, a hub acts as if it were fixed. Independent rows stay independent then as long as what is joined
together by eliminated rows is held in no more than one place, ground or a hub: a common motion with that place changes none
of them. A joint that would tie two such places together therefore waits until one of the hubs is gone.
"""

from __future__ import annotations

import heapq
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate
from typing import Any

import numpy as np

from sheetmbs.engine.algebra.blocks import ANY, PINS, PLANAR, SPATIAL
from sheetmbs.engine.algebra.factor_layout import BELOW, BLOCK, COLUMN, HUB, PAIR, FactorLayout
from sheetmbs.engine.record_arrays import as_records
from sheetmbs.engine.records import Records

HUB_JOINTS = 6
GROUND = 0
PIN_ROWS = 2  # of a planar hinge
PLANAR_NV, SPATIAL_NV = 3, 6


@dataclass(frozen=True)
class Node:
    """Rows that stay together. size: number of rows. bodies: those it acts on, by number, ground (0) included."""

    size: int
    bodies: tuple[int, ...]

    @cached_property
    def moving(self) -> tuple[int, ...]:
        """The bodies without ground."""
        return tuple(body for body in self.bodies if body != GROUND)


@dataclass(frozen=True)
class Factor:
    """Layout of S and its factor.

    order: nodes as eliminated. storage: number of floats of the factor and of one right-hand side behind it. entries: (node,
    body) -> first Jacobian entry of that block.
    """

    order: tuple[int, ...]
    layout: FactorLayout
    storage: int
    entries: dict[tuple[int, int], int]


def lay_out(nodes: Sequence[Node], body_nv: Sequence[int], *, with_hubs: bool = True) -> Factor:
    """Order the nodes and lay out the factor. body_nv: velocity coordinates of each body, ground (number 0) included.

    with_hubs: whether bodies with many joints stay in the matrix, which asks for the whole Jacobian: if some of its columns
    are left out, rows that are independent may depend on each other once a hub is held. Raises ValueError for a node of more
    rows than two bodies can share.
    """
    if any(node.size > SPATIAL_NV for node in nodes):
        raise ValueError(f"a node has at most {SPATIAL_NV} rows")
    on_body = _on_bodies(nodes)
    hubs = _hubs(on_body, body_nv, len(nodes)) if with_hubs else {}
    sizes = [*(node.size for node in nodes), *(body_nv[body] for body in hubs)]
    order, filled = minimum_degree(nodes, hubs, sizes)
    rank = {vertex: place for place, vertex in enumerate(order)}
    below = {vertex: sorted(filled[vertex], key=rank.__getitem__) for vertex in order}
    joints = [vertex for vertex in order if vertex < len(nodes)]
    numbered = [*joints, *range(len(nodes), len(sizes))]
    number = dict(zip(numbered, _starts([sizes[vertex] for vertex in numbered]), strict=True))

    start: dict[
        tuple[int, int], int
    ] = {}  # (row, column) of the lower triangle, as vertices -> where that block stands
    storage = 0
    for vertex in order:
        for other in (vertex, *below[vertex]):
            start[other, vertex] = storage
            storage += sizes[other] * sizes[vertex]
    columns: list[tuple[int, ...]] = []
    panel: list[tuple[int, ...]] = []
    targets: list[int] = []
    for vertex in order:
        others = below[vertex]
        kind = PINS if all(sizes[other] == PIN_ROWS for other in (vertex, *others)) else ANY
        height = sum(sizes[other] for other in others)
        place = (number[vertex], sizes[vertex], start[vertex, vertex], len(others), height)
        columns.append((kind, *place, len(panel), len(targets), storage + number[vertex]))
        panel.extend((storage + number[other], sizes[other]) for other in others)
        targets.extend(start[high, low] for k, high in enumerate(others) for low in others[: k + 1])

    entries, body_v = _entries(nodes, body_nv), _starts(body_nv)
    blocks, pairs, links = [], [], []
    for body, members in sorted(on_body.items()):
        nv = body_nv[body]
        members.sort(key=rank.__getitem__)
        for k, low in enumerate(members):
            size, entry = sizes[low], entries[low, body]
            blocks.append((entry, number[low], size, body_v[body], nv))
            if body in hubs:
                hub = hubs[body]
                steps = (start[low, hub], nv, 1) if rank[low] > rank[hub] else (start[hub, low], 1, size)
                links.append((entry, number[low], size, nv, *steps, start[low, low]))
                continue
            for high in members[k:]:
                kind = _kind(nv, sizes[high], size)
                pairs.append((kind, entries[high, body], sizes[high], entry, size, start[high, low], high == low, nv))
    layout = FactorLayout(
        block=_records(blocks, BLOCK),
        pair=_records(pairs, PAIR),
        hub=_records(links, HUB),
        column=_records(columns, COLUMN),
        below=_records(panel, BELOW),
        target=np.array(targets, dtype=np.uint32),
    )
    return Factor(tuple(joints), layout, storage + sum(sizes), entries)


def lay_out_jacobian(nodes: Sequence[Node], body_nv: Sequence[int]) -> Factor:
    """Lay out J alone, of rows that are measured and nothing is solved with; nodes in the order given."""
    entries, body_v = _entries(nodes, body_nv), _starts(body_nv)
    first = _starts([node.size for node in nodes])
    blocks = [
        (entries[number, body], first[number], nodes[number].size, body_v[body], body_nv[body])
        for body, members in sorted(_on_bodies(nodes).items())
        for number in members
    ]
    none = {"pair": PAIR, "hub": HUB, "column": COLUMN, "below": BELOW}
    layout = FactorLayout(
        block=_records(blocks, BLOCK),
        target=np.zeros(0, dtype=np.uint32),
        **{name: _records([], dtype) for name, dtype in none.items()},
    )
    return Factor(tuple(range(len(nodes))), layout, 0, entries)


def _starts(sizes: Sequence[int]) -> list[int]:
    return [0, *accumulate(sizes)][: len(sizes)]


def _records(rows: Sequence[tuple[int, ...]], dtype: np.dtype[Any]) -> Records:
    return as_records(np.array(rows, dtype=dtype))


def _on_bodies(nodes: Sequence[Node]) -> dict[int, list[int]]:
    """Which nodes act on each moving body."""
    on_body: dict[int, list[int]] = {}
    for number, node in enumerate(nodes):
        for body in node.moving:
            on_body.setdefault(body, []).append(number)
    return on_body


def _entries(nodes: Sequence[Node], body_nv: Sequence[int]) -> dict[tuple[int, int], int]:
    entries: dict[tuple[int, int], int] = {}
    at = 0
    for number, node in enumerate(nodes):
        for body in node.moving:
            entries[number, body] = at
            at += node.size * body_nv[body]
    return entries


def _kind(nv: int, rows_a: int, rows_b: int) -> int:
    if nv == SPATIAL_NV:
        return SPATIAL
    if nv != PLANAR_NV:
        return ANY
    return PINS if rows_a == rows_b == PIN_ROWS else PLANAR


def _hubs(on_body: dict[int, list[int]], body_nv: Sequence[int], nodes: int) -> dict[int, int]:
    """Bodies with so many joints that they become vertices, and which; columns are no wider than a spatial body."""
    crowded = [
        body for body, members in sorted(on_body.items()) if len(members) >= HUB_JOINTS and body_nv[body] <= SPATIAL_NV
    ]
    return {body: nodes + k for k, body in enumerate(crowded)}


def _neighbours(nodes: Sequence[Node], hubs: dict[int, int]) -> list[set[int]]:
    neighbours: list[set[int]] = [set() for _ in range(len(nodes) + len(hubs))]
    for body, members in _on_bodies(nodes).items():
        if body in hubs:
            neighbours[hubs[body]].update(members)
        for number in members:
            neighbours[number].update([hubs[body]] if body in hubs else members)
    for number, others in enumerate(neighbours):
        others.discard(number)
    return neighbours


class _Held:
    """Groups of bodies that eliminated rows join, and where each is held: at ground or at a hub not yet eliminated."""

    def __init__(self, places: set[int]) -> None:
        self.places = places
        self.parent: dict[int, int] = {}
        self.place: dict[int, int] = {}
        self.members: dict[int, list[int]] = {}  # roots by the place that holds them

    def root(self, body: int) -> int:
        """One body that stands for all that are joined to this one."""
        while (above := self.parent.setdefault(body, body)) != body:
            self.parent[body] = body = self.parent[above]
        return body

    def places_of(self, node: Node) -> set[int]:
        """Where the group that a node joins would be held."""
        free = {self.root(body) for body in node.bodies if body not in self.places}
        return {body for body in node.bodies if body in self.places} | {self.place[r] for r in free if r in self.place}

    def join(self, node: Node) -> None:
        """Eliminate a node and join its neighbours."""
        places = self.places_of(node)
        roots = sorted({self.root(body) for body in node.bodies if body not in self.places})
        for other in roots[1:]:
            self.parent[other] = roots[0]
        if roots and places:
            self.place[roots[0]] = place = places.pop()
            self.members.setdefault(place, []).append(roots[0])

    def release(self, hub: int) -> None:
        """Eliminate a hub: it becomes a body like others, joined to all that it held."""
        self.places.remove(hub)
        for root in dict.fromkeys(self.members.pop(hub, [])):
            del self.place[root]
            self.parent[self.root(root)] = self.root(hub)


def minimum_degree(
    nodes: Sequence[Node], hubs: dict[int, int], sizes: Sequence[int]
) -> tuple[list[int], list[set[int]]]:
    """Elimination order of the vertices, and for each the later ones that its column reaches. Ties go to the earlier one."""
    active = _neighbours(nodes, hubs)
    body_of = {hub: body for body, hub in hubs.items()}
    held = _Held({GROUND, *hubs})
    degree = [sum(sizes[other] for other in others) for others in active]
    queue = [(degree[vertex], vertex) for vertex in range(len(sizes))]
    heapq.heapify(queue)
    waiting: dict[int, set[int]] = {}  # vertices that would tie a place to another one, by those places
    filled: list[set[int]] = [set() for _ in sizes]
    order: list[int] = []
    done = [False] * len(sizes)
    while queue:
        known, vertex = heapq.heappop(queue)
        if done[vertex] or known != degree[vertex]:
            continue
        if vertex in body_of:
            held.release(body_of[vertex])
            for other in waiting.pop(body_of[vertex], ()):
                heapq.heappush(queue, (degree[other], other))
        elif len(places := held.places_of(nodes[vertex])) > 1:
            for place in places:
                waiting.setdefault(place, set()).add(vertex)
            continue
        else:
            held.join(nodes[vertex])
        done[vertex] = True
        order.append(vertex)
        reach = filled[vertex] = active[vertex]
        for other in reach:
            active[other] |= reach
            active[other] -= {other, vertex}
            degree[other] = sum(sizes[further] for further in active[other])
            heapq.heappush(queue, (degree[other], other))
    return order, filled
