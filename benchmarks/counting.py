"""Floating-point operations and memory of one evaluation, counted while the kernel's own source runs uncompiled.

    NUMBA_DISABLE_JIT=1 python -m benchmarks.counting NAME

Arrays are wrapped so that every element read is a float that counts what is done with it, and every place read or written is
noted. Loads and stores are those of the source: the compiler keeps some in registers. Prints one line of JSON.
"""

from __future__ import annotations

import json
import math
import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import fields
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sheetmbs.compiled import Bundle

WORD = 8
"""bytes of a float or an integer"""
PATIENCE = 120.0
"""s; a model whose evaluation takes longer uncompiled is not counted"""


class Tally:
    """What has been done so far."""

    def __init__(self) -> None:
        self.clear()

    def clear(self) -> None:
        """Start counting again from zero."""
        self.operations = self.functions = self.loads = self.stores = 0
        self.touched: set[int] = set()

    def result(self) -> dict[str, int]:
        """Operations +, -, *, /; calls of sine and the like; elements loaded and stored; bytes of different elements."""
        return {
            "flops": self.operations,
            "functions": self.functions,
            "loads": self.loads,
            "stores": self.stores,
            "bytes": WORD * len(self.touched),
        }


TALLY = Tally()


def _counting(name: str) -> Callable[..., Any]:
    plain = getattr(float, name)

    def operate(self: float, other: float) -> float:
        TALLY.operations += 1
        return Counted(plain(self, float(other)))

    return operate


class Counted(float):
    """A float whose sums, differences, products and quotients are counted."""

    __slots__ = ()
    __add__, __radd__ = _counting("__add__"), _counting("__radd__")
    __sub__, __rsub__ = _counting("__sub__"), _counting("__rsub__")
    __mul__, __rmul__ = _counting("__mul__"), _counting("__rmul__")
    __pow__ = _counting("__pow__")

    def __truediv__(self, other: float) -> float:
        """Quotient, infinite or not a number by zero as in compiled kernels."""
        TALLY.operations += 1
        return Counted(np.float64(self) / np.float64(other))

    def __rtruediv__(self, other: float) -> float:
        """The same from the right."""
        TALLY.operations += 1
        return Counted(np.float64(other) / np.float64(self))

    def __neg__(self) -> float:
        """Sign changed: free."""
        return Counted(float.__neg__(self))

    def __abs__(self) -> float:
        """Without its sign: free."""
        return Counted(float.__abs__(self))


class CountedMath:
    """The module math with its functions counted."""

    def __getattr__(self, name: str) -> Any:
        found = getattr(math, name)
        if not callable(found) or name in {"isfinite", "isnan"}:
            return found

        def call(*values: float) -> float:
            TALLY.functions += 1
            return Counted(found(*values))

        return call


class Watched:
    """An array whose elements are counted floats and whose places are noted when they are read or written."""

    def __init__(self, array: NDArray[Any]) -> None:
        self.array = array
        self.shape = array.shape
        self.start = array.__array_interface__["data"][0]

    def __len__(self) -> int:
        return len(self.array)

    def place(self, index: Any) -> int:
        """Address of an element."""
        indices = index if isinstance(index, tuple) else (index,)
        return int(self.start + sum(int(i) * step for i, step in zip(indices, self.array.strides, strict=True)))

    def __getitem__(self, index: Any) -> Any:
        if self.array.dtype.names and not isinstance(index, slice):
            return Fields(self, int(index))
        found = self.array[index]
        if isinstance(found, np.ndarray):
            return Watched(found)
        return _read(self.place(index), found)

    def __setitem__(self, index: Any, value: Any) -> None:
        TALLY.stores += 1
        TALLY.touched.add(self.place(index))
        self.array[index] = value


class Fields:
    """One record of a watched array."""

    __slots__ = ("owner", "where")

    def __init__(self, owner: Watched, where: int) -> None:
        self.owner, self.where = owner, where

    def __getattr__(self, name: str) -> Any:
        array = self.owner.array
        offset = array.dtype.fields[name][1]
        return _read(self.owner.start + self.where * array.strides[0] + offset, array[self.where][name])


def _read(place: int, value: Any) -> Any:
    TALLY.loads += 1
    TALLY.touched.add(place)
    return Counted(value) if isinstance(value, np.floating) else int(value)


def watched(value: Any) -> Any:
    """The same bundle of arrays, bundles and numbers with all arrays watched."""
    if isinstance(value, Bundle):
        return SimpleNamespace(**{field.name: watched(getattr(value, field.name)) for field in fields(value)})
    if isinstance(value, np.ndarray):
        return Watched(value.view(np.ndarray))
    return Counted(value) if isinstance(value, float) else value


def of_evaluation(name: str) -> dict[str, int]:
    """Counts of one evaluation of a case of `benchmarks.evaluation` at its start, without projection. Kernels uncompiled."""
    from benchmarks.evaluation import CASES  # it imports this module
    from benchmarks.ready import ready  # the same
    from sheetmbs.engine import evaluate as engine  # the kernels are to be plain functions

    prepared = ready(CASES[name]())
    system = prepared.lowered.arrange(prepared.structure.keep)
    q, v = prepared.start.q.copy(), prepared.start.v.copy()
    rates = np.zeros(len(q) + len(v) + 1)
    state = [watched(each) for each in (system.arrays, system.work, q, v, rates)]
    for module in list(sys.modules.values()):
        if getattr(module, "__name__", "").startswith("sheetmbs.engine") and hasattr(module, "math"):
            module.math = CountedMath()
    for _ in range(2):  # the second finds the pivots of the first, as within a run
        TALLY.clear()
        engine.evaluate(state[0], state[1], 0.0, *state[2:], 0.0)
    return TALLY.result()


def counted(name: str) -> dict[str, int]:
    """The same in a process of its own; empty where it would take too long."""
    command = [sys.executable, "-m", "benchmarks.counting", name]
    root = Path(__file__).parents[1]
    try:
        done = subprocess.run(
            command, check=True, capture_output=True, text=True, cwd=root, timeout=PATIENCE,
            env=os.environ | {"NUMBA_DISABLE_JIT": "1"},
        )  # fmt: skip
    except subprocess.TimeoutExpired:
        return {}
    return dict(json.loads(done.stdout.splitlines()[-1]))


if __name__ == "__main__":
    print(json.dumps(of_evaluation(sys.argv[1])))
