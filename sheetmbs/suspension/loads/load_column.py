"""A column over load cases."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from sheetmbs.engine.records import Floats


class LoadColumn(NamedTuple):
    """values: (n,) in its unit. doc: what it is. is_member: whether those who size the part ask for its extremes."""

    name: str
    unit: str
    values: Floats
    doc: str = ""
    is_member: bool = True


def force_columns(name: str, force: Floats) -> Iterator[LoadColumn]:
    """Components (n, 3) of a force."""
    for k, axis in enumerate("xyz"):
        yield LoadColumn(f"{name}.f{axis}", "N", force[:, k])


def moment_columns(name: str, moment: Floats) -> Iterator[LoadColumn]:
    """Components (n, 3) of a moment."""
    for k, axis in enumerate("xyz"):
        yield LoadColumn(f"{name}.m{axis}", "N*m", moment[:, k])
