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

    columns = np.zeros(len(order), dtype=COLUMN).view(np.recarray)
    panel_row: list[int] = []
    row_in_panel: list[dict[int, int]] = []
    storage = 0
    for place, node in enumerate(order):
        size = nodes[node].size
        below = sorted(rank[other] for other in filled[node])
        rows = [first_row[p] + k for p in below for k in range(nodes[order[p]].size)]
        columns[place] = (first_row[place], size, storage, storage + size * size, len(rows), len(panel_row), 0)
        storage += size * size + size * len(rows)
        row_in_panel.append({row: position for position, row in enumerate(rows)})
        panel_row.extend(rows)

    column_of_row = [place for place, node in enumerate(order) for _ in range(nodes[node].size)]

    def position(row: int, column_row: int) -> int:
        """Where the entry (row, column_row) of the lower triangle stands."""
        place = column_of_row[column_row]
        column = columns[place]
        within = column_row - int(column.row)
        if column_of_row[row] == place:
            return int(column.square) + (row - int(column.row)) * int(column.width) + within
        return int(column.panel) + row_in_panel[place][row] * int(column.width) + within

    target: list[int] = []
    for place in range(len(order)):
        columns[place].targets = len(target)
        rows = list(row_in_panel[place])
        target.extend(position(rows[a], rows[b]) for a in range(len(rows)) for b in range(a + 1))

    entries, sides = _entries(nodes, body_nv)
    pairs = []
    for body, members in sides.items():
        members = sorted(members, key=lambda node: rank[node])
        for b, low in enumerate(members):
            for high in members[b:]:
                low_row, high_row = first_row[rank[low]], first_row[rank[high]]
                pairs.append(
                    (
                        entries[high, body],
                        nodes[high].size,
                        entries[low, body],
                        nodes[low].size,
                        body_nv[body],
                        position(high_row, low_row),
                        nodes[low].size,
                        int(high == low),
                    )
                )
    return Factor(
        order=tuple(order),
        columns=columns,
        pairs=np.array(pairs, dtype=PAIR).view(np.recarray),
        panel_row=np.array(panel_row, dtype=np.int64),
        target=np.array(target, dtype=np.int64),
        storage=storage,
        entries=entries,
    )


def _starts(sizes: Sequence[int]) -> list[int]:
    return [0, *np.cumsum(sizes).tolist()][: len(sizes)]


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
