"""Problems that only courses over strides show: strides between estimated strikes, and normative bands of the other sign."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from sheetmbs.gait.sheets.charted_columns import KINDS, QUANTITIES, band_of
from sheetmbs.gait.sheets.gait_presentation import GaitPresentation
from sheetmbs.gait.sheets.report_tables import PARTS_OF_STRIDE
from sheetmbs.gait.strides.summary_items import SummaryItem
from sheetmbs.gait.trial.gait_book import SIDES, Side
from sheetmbs.problems.errors import Problem

ITEM = "estimated strides"
"""under which the summary says so"""
ALL_ESTIMATED = (
    "Every {} stride begins or ends with a strike that is estimated from markers, 7 to 61 ms early on the floor: "
    "its means, SD, peaks, work and times are estimates."
)
LEFT_OUT = (
    "Out of means, SD, n, peaks and work: {} of {} {} strides, which {} or {} with a strike estimated from markers."
)
MAX_OPPOSED_CORRELATION = -0.7
"""correlation over the stride below which one of two courses must have the other sign: no walking is so odd"""


def estimated_sides(gait: GaitPresentation) -> list[Side]:
    """The sides all of whose strides begin or end with an estimated strike."""
    return [side for side in gait.book.subject.sides if gait.of_side(side) and gait.is_estimated(side)]


def estimated_words(gait: GaitPresentation) -> Iterator[str]:
    """A sentence for each side that has strides between estimated strikes."""
    estimated = estimated_sides(gait)
    for side in gait.book.subject.sides:
        own, kept = len(gait.of_side(side)), len(gait.counting(side))
        if side in estimated:
            yield ALL_ESTIMATED.format(side)
        elif kept < own:
            is_one = own - kept == 1
            yield LEFT_OUT.format(own - kept, own, side, *(("begins", "ends") if is_one else ("begin", "end")))


def sides_told(words: str) -> set[str]:
    """The sides of which a summary says that all strides are estimated. words: its sentences, with ``;`` between."""
    return {side for side in SIDES if ALL_ESTIMATED.format(side) in words.split("; ")}


def estimated_strides(gait: GaitPresentation) -> Iterator[Problem]:
    """A note for each side of which nothing but estimated strides is known."""
    for side in estimated_sides(gait):
        sheets = {each.name: each.sheets[0] for each in gait.book.trials}
        names = dict.fromkeys(sheets[each.name] for each in gait.of_side(side))
        found = f"no {side} stride between two measured heel strikes"
        problem = "what is shown of that side is of strides that begin or end with a strike estimated from markers"
        mend = "record both strikes on force plates, or write them on a sheet Events"
        yield Problem("estimated-strides", "note", next(iter(names)), found, problem, mend)


def estimated_times(items: Sequence[SummaryItem], sheet: str) -> Iterator[Problem]:
    """A note that says which stances, swings and double supports are estimates. sheet: of the markers of the first trial."""
    found = [f"{each.item} {each.side}" for each in items if each.is_estimated and each.item in PARTS_OF_STRIDE]
    if found:
        problem = "begins or ends with an event that is estimated from markers: in grey italics, with an e"
        mend = "see u on mbs Gait summary; no difference of sides below 2 u means anything"
        yield Problem("estimated-times", "note", sheet, ", ".join(found), problem, mend)


def reversed_bands(gait: GaitPresentation) -> Iterator[Problem]:
    """A warning for each band whose middle rises throughout where the means of the subject fall."""
    for kind in KINDS:
        for quantity in QUANTITIES:
            for side in (None, *SIDES):
                band = band_of(gait, side, kind, quantity)
                if band is None:
                    continue
                middle = np.interp(gait.percent, band.percent, 0.5 * (band.low + band.high), left=np.nan, right=np.nan)
                found = [_correlation(gait, each, kind, quantity, middle) for each in ((side,) if side else SIDES)]
                known = [each for each in found if np.isfinite(each)]
                if known and max(known) < MAX_OPPOSED_CORRELATION:
                    problem = "it falls where the subject's curve rises, so that one of them has the other sign"
                    mend = "turn the sign of its columns, or choose signs and moment on Processing, or see what is odd"
                    yield Problem("reversed-band", "warning", band.cell, band.quantity, problem, mend)


def _correlation(gait: GaitPresentation, side: str, kind: str, quantity: str, middle: np.ndarray) -> float:
    """The correlation of a band with the mean of a side; NaN where that is not known."""
    row = next((row for row in gait.book.joints if row.side == side and gait.signs.kind(row) == kind), None)
    if row is None or (row.label, quantity) not in gait.means:
        return np.nan
    mean = gait.means[row.label, quantity].mean
    both = np.isfinite(mean) & np.isfinite(middle)
    flat = np.count_nonzero(both) < 3 or min(np.ptp(mean[both]), np.ptp(middle[both])) == 0.0
    return np.nan if flat else float(np.corrcoef(mean[both], middle[both])[0, 1])
