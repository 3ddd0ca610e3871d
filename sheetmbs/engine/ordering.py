"""Symbolic factorisation: in which order to eliminate the joints, and where every number of S and its factor stands.

Nodes are joints (with all their rows), drivers and guiding columns; two of them are neighbours where they share a moving
body. A minimum-degree order (George and Liu 1981, ch. 5) keeps the factor as sparse as the joint graph, so trees and chains
cost linear time.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sheetmbs.engine.arrays import COLUMN, PAIR, Records


@dataclass(frozen=True)
class Node:
    """Rows that stay together. size: number of rows. bodies: the moving bodies it acts on, by number."""

    size: int
    bodies: tuple[int, ...]


@dataclass(frozen=True)
class Factor:
    """Layout of S and its factor. order: nodes as eliminated. entries: (node, body) -> first Jacobian entry of that block."""

    order: tuple[int, ...]
    columns: Records
    pairs: Records
    panel_row: NDArray[np.int64]
    target: NDArray[np.int64]
    storage: int
    entries: dict[tuple[int, int], int]


def lay_out(nodes: Sequence[Node], body_nv: Sequence[int]) -> Factor:
    """Order the nodes and lay out the factor. body_nv: velocity coordinates of each body, ground (number 0) included."""
    neighbours = _neighbours(nodes)
    order, filled = _minimum_degree(nodes, neighbours)
    rank = {node: place for place, node in enumerate(order)}
    first_row = _starts([nodes[node].size for node in order])

    sizes = [nodes[node].size for node in order]
    square: list[int] = []
    panel: list[int] = []
    below: list[list[int]] = []
    rows_below: list[NDArray[np.int64]] = []
    storage = 0
    for node, size in zip(order, sizes, strict=True):
        below.append(sorted(rank[other] for other in filled[node]))
        rows_below.append(np.array([first_row[p] + k for p in below[-1] for k in range(sizes[p])], dtype=np.int64))
        square.append(storage)
        panel.append(storage + size * size)
        storage += size * size + size * len(rows_below[-1])

    def block(place: int, rows: NDArray[np.int64]) -> NDArray[np.int64]:
        """Where the entries of rows of the lower triangle stand in the columns of a node: (rows, size of the node)."""
        size = sizes[place]
        own = rows < first_row[place] + size
        in_panel = panel[place] + np.searchsorted(rows_below[place], rows) * size
        starts = np.where(own, square[place] + (rows - first_row[place]) * size, in_panel)
        return np.asarray(starts[:, None] + np.arange(size))

    targets: list[NDArray[np.int64]] = []
    for place in range(len(order)):
        rows = rows_below[place]
        at = _starts([sizes[other] for other in below[place]])
        product = np.zeros((len(rows), len(rows)), dtype=np.int64)
        for start, other in zip(at, below[place], strict=True):
            product[start:, start : start + sizes[other]] = block(other, rows[start:])
        targets.append(product[np.tril_indices(len(rows))])
    heights = [len(rows) for rows in rows_below]
    first_target = _starts([len(target) for target in targets])
    layout = zip(first_row, sizes, square, panel, heights, _starts(heights), first_target, strict=True)

    entries, sides = _entries(nodes, body_nv)
    pairs: list[tuple[int, ...]] = []
    for body, members in sides.items():
        members = sorted(members, key=lambda node: rank[node])
        for b, low in enumerate(members):
            first_rows = np.array([first_row[rank[high]] for high in members[b:]])
            starts = block(rank[low], first_rows)[:, 0].tolist()
            pairs.extend(
                (
                    entries[high, body],
                    nodes[high].size,
                    entries[low, body],
                    nodes[low].size,
                    body_nv[body],
                    start,
                    nodes[low].size,
                    int(high == low),
                )
                for high, start in zip(members[b:], starts, strict=True)
            )
    return Factor(
        order=tuple(order),
        columns=np.array(list(layout), dtype=COLUMN).view(np.recarray),
        pairs=np.array(pairs, dtype=PAIR).view(np.recarray),
        panel_row=_joined(rows_below),
        target=_joined(targets),
        storage=storage,
        entries=entries,
    )


def _starts(sizes: Sequence[int]) -> list[int]:
    return [0, *np.cumsum(sizes).tolist()][: len(sizes)]


def _joined(parts: Sequence[NDArray[np.int64]]) -> NDArray[np.int64]:
    return np.concatenate(parts) if parts else np.zeros(0, dtype=np.int64)


def _neighbours(nodes: Sequence[Node]) -> list[set[int]]:
    on_body: dict[int, list[int]] = {}
    for number, node in enumerate(nodes):
        for body in node.bodies:
            on_body.setdefault(body, []).append(number)
    neighbours: list[set[int]] = [set() for _ in nodes]
    for members in on_body.values():
        for number in members:
            neighbours[number].update(members)
    for number, others in enumerate(neighbours):
        others.discard(number)
    return neighbours


def _minimum_degree(nodes: Sequence[Node], neighbours: list[set[int]]) -> tuple[list[int], list[set[int]]]:
    """Elimination order, and for each node the later nodes that its column reaches. Ties go to the earlier node."""
    active = [set(others) for others in neighbours]
    filled: list[set[int]] = [set() for _ in nodes]
    rows = [node.size for node in nodes]
    degree = {node: sum(rows[other] for other in active[node]) for node in range(len(nodes))}
    order = []
    while degree:
        node = min(degree, key=lambda candidate: (degree[candidate], candidate))
        del degree[node]
        order.append(node)
        reach = active[node]
        filled[node] = reach
        for other in reach:
            active[other] |= reach
            active[other] -= {other, node}
            degree[other] = sum(rows[further] for further in active[other])
    return order, filled


def _entries(nodes: Sequence[Node], body_nv: Sequence[int]) -> tuple[dict[tuple[int, int], int], dict[int, list[int]]]:
    entries: dict[tuple[int, int], int] = {}
    sides: dict[int, list[int]] = {}
    at = 0
    for number, node in enumerate(nodes):
        for body in node.bodies:
            entries[number, body] = at
            sides.setdefault(body, []).append(number)
            at += node.size * body_nv[body]
    return entries, sides
