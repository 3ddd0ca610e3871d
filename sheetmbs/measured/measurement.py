"""A measured column, in the units of the computed one that it belongs to."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from sheetmbs.schema.cell import Place

Floats = NDArray[np.float64]
OffsetRule = Literal["number", "zero", "first", "fit"]


@dataclass(frozen=True, eq=False)
class Measurement:
    """Readings of one quantity, in the order in which they stand.

    of: the result column; unit: its unit. case: sweep, load case, trial or case that has it, ``""`` the run. sheet: result
    sheet on which it stands there. over: column of x, ``""`` where the case is one row and readings have no x; over_unit: its
    unit; over_sheet: result sheet of x, whose rows are those of ``sheet``. x, y: (n,) in these units, after signs, scales and
    an offset that is a number; nothing is blank. sd: standard deviation of a reading, None where it is not given. rows: (n,)
    from 1, on the sheet of readings data_sheet, whose column is data_column. place: where it is declared.
    """

    name: str
    of: str
    unit: str
    case: str
    sheet: str
    over: str
    over_unit: str
    over_sheet: str
    x: Floats
    y: Floats
    sd: float | None
    offset: OffsetRule
    data_sheet: str
    data_column: int
    rows: NDArray[np.int64]
    place: Place
    offset_place: Place | None = None
    """cell of the offset, where it is given"""

    def cell(self, reading: int) -> Place:
        """The cell of a reading, counted from 0."""
        return Place(self.data_sheet, int(self.rows[reading]), self.data_column)

    @cached_property
    def points(self) -> Floats:
        """(m,) ascending x, none twice, at which the computed column is needed: also 0 where both curves count from there."""
        wanted = np.append(self.x, 0.0) if self.offset == "zero" else self.x
        return np.unique(wanted)

    @cached_property
    def at_points(self) -> NDArray[np.intp]:
        """(n,) place of the x of each reading among ``points``."""
        return np.searchsorted(self.points, self.x)

    @property
    def free_constants(self) -> int:
        """How many degrees of freedom its offset costs."""
        return 1 if self.offset == "fit" else 0

    @property
    def at_zero(self) -> int:
        """Place of x = 0 among ``points``."""
        return int(np.searchsorted(self.points, 0.0))

    @property
    def measured_at_zero(self) -> float:
        """The measured value at x = 0, interpolated between readings; several at one x count with their mean."""
        places, inverse = np.unique(self.x, return_inverse=True)
        means = np.bincount(inverse, self.y) / np.bincount(inverse)
        return float(np.interp(0.0, places, means))
