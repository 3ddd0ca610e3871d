"""A column of a sweep over the rows that were reached."""

from __future__ import annotations

from typing import NamedTuple

from sheetmbs.engine.records import Floats


class SweepColumn(NamedTuple):
    """A column over the rows that were reached, in its unit."""

    name: str
    unit: str
    values: Floats
