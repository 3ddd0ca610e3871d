"""Curves and formulas of a model as tables."""

from __future__ import annotations

from dataclasses import dataclass

from sheetmbs.compiled import Bundle
from sheetmbs.engine.records import Floats, Floats2, Ints, Ints2


@dataclass(frozen=True, eq=False)
class Curves(Bundle):
    """All curves as one table of piecewise cubics; see `engine/motion/curves.py`."""

    start: Ints  # per curve: first knot
    count: Ints  # per curve: number of knots
    knot: Floats
    coefficient: Floats2  # (knots, 4)


@dataclass(frozen=True, eq=False)
class Tapes(Bundle):
    """All formulas as programs; see `engine/motion/bytecode.py`."""

    start: Ints  # per program: first operation
    operation: Ints2  # (operations, 2)
    constant: Floats
