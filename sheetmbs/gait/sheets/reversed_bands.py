"""Normative bands that run against what was measured."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from sheetmbs.gait.sheets.charted_columns import KINDS, QUANTITIES, band_of
from sheetmbs.gait.sheets.gait_presentation import GaitPresentation
from sheetmbs.gait.strides.strides import SIDES
from sheetmbs.problems.errors import Problem

OPPOSED = -0.7
"""correlation over the stride below which one of two courses must have the other sign: no walking is so odd"""


def reversed_bands(gait: GaitPresentation) -> Iterator[Problem]:
    """A warning for each band whose middle rises throughout where the means of the subject fall."""
    for kind in KINDS:
        for quantity in QUANTITIES:
            for side in (None, *SIDES):
                band = band_of(gait, side, kind, quantity)
                if band is None:
                    continue
                middle = np.interp(gait.percent, band.percent, 0.5 * (band.low + band.high), left=np.nan, right=np.nan)
                found = [_alike(gait, each, kind, quantity, middle) for each in ((side,) if side else SIDES)]
                known = [each for each in found if np.isfinite(each)]
                if known and max(known) < OPPOSED:
                    problem = "it falls where the subject's curve rises, so that one of them has the other sign"
                    mend = "turn the sign of its columns, or choose signs and moment on Processing, or see what is odd"
                    yield Problem("reversed-band", "warning", band.cell, band.quantity, problem, mend)


def _alike(gait: GaitPresentation, side: str, kind: str, quantity: str, middle: np.ndarray) -> float:
    """The correlation of a band with the mean of a side; NaN where that is not known."""
    row = next((row for row in gait.book.joints if row.side == side and gait.signs.kind(row) == kind), None)
    if row is None or (row.label, quantity) not in gait.means:
        return np.nan
    mean = gait.means[row.label, quantity].mean
    both = np.isfinite(mean) & np.isfinite(middle)
    flat = np.count_nonzero(both) < 3 or min(np.ptp(mean[both]), np.ptp(middle[both])) == 0.0
    return np.nan if flat else float(np.corrcoef(mean[both], middle[both])[0, 1])
