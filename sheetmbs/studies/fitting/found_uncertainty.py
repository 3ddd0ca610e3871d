"""What linear uncertainty found: standard deviations of responses and curves, carried by derivatives."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sheetmbs.studies.fitting.fit_space import Floats


@dataclass(frozen=True, eq=False)
class CurveBand:
    """The standard deviation along a curve. response: whose column it is. sd: (n,) in the unit of the column."""

    response: str
    sd: Floats


@dataclass(frozen=True, eq=False)
class FoundUncertainty:
    """Uncertainty of R responses by p variables.

    values, sd: (R,). shares: (R, p) of the variance, NaN where it is 0. curvature: (R,) |h(+) + h(-) - 2 h|/|h(+) - h(-)| at
    one sd to either side, NaN where neither changes anything. notes: (R,) sentences. bands: of curves.
    """

    values: Floats
    sd: Floats
    shares: Floats
    curvature: Floats
    notes: Sequence[str]
    bands: Sequence[CurveBand] = ()
