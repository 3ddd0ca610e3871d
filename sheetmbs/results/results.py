"""The results of an analysis, as data frames and as sheets."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Literal

import numpy as np

from sheetmbs.schema.table import Table
from sheetmbs.workbook.sheets import ResultSheets, SummaryValue
from sheetmbs.workbook.write import write_results

if TYPE_CHECKING:
    from os import PathLike
    from pathlib import Path

    import pandas as pd

    from sheetmbs.model import Model


@dataclass(frozen=True)
class Results:
    """What an analysis found.

    model: what was analysed. status: ``done``, or ``failed`` with the tables holding what was computed until then.
    sheets: everything that the result sheets show.
    """

    model: Model
    status: Literal["done", "failed"]
    sheets: ResultSheets

    def _frame(self, sheet: str) -> pd.DataFrame:
        found = [table for table in self.sheets.tables if table.name == sheet]
        return (found[0] if found else Table(sheet, (), (), np.zeros((0, 0)))).frame()

    @property
    def summary(self) -> dict[str, SummaryValue]:
        """The items of `mbs Summary` and their values."""
        return {item: value for item, value, _unit in self.sheets.summary}

    @cached_property
    def bodies(self) -> pd.DataFrame:
        """Motion of the bodies over ``time``: positions and angles in the workbook's units."""
        return self._frame("mbs Bodies")

    @cached_property
    def points(self) -> pd.DataFrame:
        """Motion of the points with ``report`` = yes."""
        return self._frame("mbs Points")

    @cached_property
    def joints(self) -> pd.DataFrame:
        """Reactions on both bodies of each joint, and the joints' own coordinates."""
        return self._frame("mbs Joints")

    @cached_property
    def drivers(self) -> pd.DataFrame:
        """Forces, moments and powers of drivers and guiding constraints."""
        return self._frame("mbs Drivers")

    @cached_property
    def springs(self) -> pd.DataFrame:
        """Lengths, rates and forces of the springs."""
        return self._frame("mbs Springs")

    @cached_property
    def clearances(self) -> pd.DataFrame:
        """Eccentricities, contact forces and paths of the journals of joints with clearance."""
        return self._frame("mbs Clearances")

    @cached_property
    def impacts(self) -> pd.DataFrame:
        """A row for every contact in a joint with clearance: when it began, how fast, how long, how hard."""
        return self._frame("mbs Impacts")

    @cached_property
    def constraints(self) -> pd.DataFrame:
        """Violations and energies."""
        return self._frame("mbs Constraints")

    def save(self, path: str | PathLike[str] | None = None) -> Path:
        """Write the results into the workbook they came from, or into a copy of it at ``path``.

        Returns the path written. Raises WorkbookError where the workbook cannot be written; it is then as it was.
        """
        if self.model.source is None:
            raise ValueError("a model made in Python has no workbook to write into")
        return write_results(self.model.source, path, self.sheets)
