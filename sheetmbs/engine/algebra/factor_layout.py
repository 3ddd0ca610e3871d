"""Where the numbers of S and its factor stand, as records and as one bundle; made by `engine/algebra/ordering.py`."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Annotated

import numpy as np

from sheetmbs.compiled import Bundle
from sheetmbs.engine.records import Indices, Ints, Records

# Block of J: entry of its first number (row by row), first row and number of rows, first velocity coordinate and their number.
BLOCK = np.dtype([("entry", "u4"), ("row", "u4"), ("rows", "u4"), ("v", "u4"), ("nv", "u4")])

# One product of two blocks of J that meet on a body: block a (rows_a x nv) times block b transposed, added to S from ``target``
# on in rows of rows_b. kind: PINS, PLANAR, SPATIAL, ANY of `engine/algebra/blocks.py`. is_own: a is b, only the lower
# triangle counts.
PAIR = np.dtype(
    [
        ("kind", "u4"),
        ("entry_a", "u4"),
        ("rows_a", "u4"),
        ("entry_b", "u4"),
        ("rows_b", "u4"),
        ("target", "u4"),
        ("is_own", "u4"),
        ("nv", "u4"),
    ]
)

# Block of J that stands in the matrix itself, next to a hub: its first entry, first row and size; where it stands and how far
# apart its rows and columns are there; where the diagonal block of its joint stands.
HUB = np.dtype(
    [
        ("entry", "u4"),
        ("row", "u4"),
        ("rows", "u4"),
        ("nv", "u4"),
        ("target", "u4"),
        ("row_step", "u4"),
        ("column_step", "u4"),
        ("square", "u4"),
    ]
)

# Block column of the factor: first unknown and width; where its square diagonal block stands, and right behind it its panel
# (height x width); the blocks of the panel in `FactorLayout.below`; where the targets of their products stand in
# `FactorLayout.target`; the place of its first unknown in the right-hand side behind the factor. kind: PINS or ANY of
# `engine/algebra/blocks.py`.
COLUMN = np.dtype(
    [
        ("kind", "u4"),
        ("row", "u4"),
        ("width", "u4"),
        ("square", "u4"),
        ("blocks", "u4"),
        ("height", "u4"),
        ("below", "u4"),
        ("products", "u4"),
        ("place", "u4"),
    ]
)

# Block of a panel: place of its first unknown in the right-hand side, and number of rows.
BELOW = np.dtype([("place", "u4"), ("rows", "u4")])


@dataclass(frozen=True, eq=False)
class FactorLayout(Bundle):
    """Where the numbers of S and its factor stand; made by `engine/algebra/ordering.py`."""

    block: Annotated[Records, BLOCK]  # body by body
    pair: Annotated[Records, PAIR]
    hub: Annotated[Records, HUB]
    column: Annotated[
        Records, COLUMN
    ]  # in the order of elimination; unknowns are the rows, then the velocities of the hubs
    below: Annotated[Records, BELOW]
    target: Indices  # where each product of two blocks of a panel begins, by columns of the lower triangle

    @cached_property
    def unknowns(self) -> int:
        """Number of rows and of velocities of hubs."""
        return int(np.sum(self.column.width, dtype=np.int64))

    @cached_property
    def largest_panel(self) -> int:
        """Numbers of the largest block column with its diagonal block, 1 without any."""
        column = self.column
        return int(np.max((column.height + column.width) * column.width, initial=1))

    @cached_property
    def spots(self) -> tuple[Ints, Ints, Ints]:
        """Row, velocity coordinate and place among the blocks of each number of J."""
        block = self.block
        height, width = block.rows.astype(np.int64), block.nv.astype(np.int64)
        size = height * width
        owner = np.repeat(np.arange(len(block)), size)
        within = np.arange(len(owner)) - np.repeat(np.cumsum(size) - size, size)
        down, across = np.divmod(within, width[owner])
        return block.row[owner] + down, block.v[owner] + across, block.entry[owner] + within
