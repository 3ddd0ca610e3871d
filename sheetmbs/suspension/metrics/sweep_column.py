"""A column of a sweep over the rows that were reached."""

from __future__ import annotations

from dataclasses import dataclass

from sheetmbs.engine.records import Floats


@dataclass(frozen=True, eq=False)
class SweepColumn:
    """A column over the rows that were reached, in its unit."""

    name: str
    unit: str
    values: Floats
