"""The sheet `mbs Gait uncertainty`: each peak with its standard uncertainty and the share of every source in it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from sheetmbs.gait.sheets.believed_values import Believed, BelievedValue
from sheetmbs.gait.sheets.gait_presentation import GaitPresentation
from sheetmbs.gait.sheets.shown_items import shown_item
from sheetmbs.gait.strides.strides import Stride
from sheetmbs.gait.strides.summary_items import SummaryItem
from sheetmbs.schema.uncertainty_inputs import SOURCE_WORDS
from sheetmbs.workbook.sheets.list_pages import Listed, plain_listing
from sheetmbs.workbook.sheets.page_contents import Page, SummaryValue
from sheetmbs.workbook.sheets.sheet_contents import GAIT_UNCERTAINTY

HEADS = ("item", "side", "joint", "value", "u", "curvature", "unit", *SOURCE_WORDS, "note")
UNITS = ("", "", "", "", "", "%", "", *["%"] * len(SOURCE_WORDS), "")
WIDTHS = (30.0, 8.0, 11.0, 11.0, 11.0, 11.0, 26.0, *[11.0] * len(SOURCE_WORDS), 38.0)
NUMBERS = (3, 4)
MOST_CURVED = 20.0
"""% of the change to either side, above which a linear band does not tell the truth"""
NOT_LINEAR = "not linear: do not trust the band"
NO_CONDITION = "no condition"
CLEAR = 2.0
"""standard uncertainties by which two values differ clearly"""


def uncertainty_page(gait: GaitPresentation, believed: Believed | None, items: Sequence[SummaryItem]) -> Page | None:
    """All peaks of the summary; None where no uncertainty is found."""
    rows = () if believed is None else tuple(_rows(gait, believed, items))
    if not rows:
        return None
    return plain_listing(GAIT_UNCERTAINTY, [Listed("", HEADS, rows, UNITS, own=NUMBERS)], widths=WIDTHS)


def _rows(
    gait: GaitPresentation, believed: Believed, items: Sequence[SummaryItem]
) -> Iterator[tuple[SummaryValue, ...]]:
    peaks = _peaks(items)
    for each, curvature in zip(peaks, believed.curvatures(peaks), strict=True):
        value = believed.of_peak(each)
        if value is None:
            continue
        shown = shown_item(gait, each)
        shares = [None if np.isnan(share) else float(share) for share in value.shares]
        note = NOT_LINEAR if curvature is not None and curvature > MOST_CURVED else ""
        yield shown.item, each.side, each.joint, value.value, value.u, curvature, shown.unit, *shares, note


def _peaks(items: Sequence[SummaryItem]) -> list[SummaryItem]:
    """Peaks that have an uncertainty."""
    return [each for each in items if each.quantity and each.u is not None]


def difference_tables(
    gait: GaitPresentation, believed: Believed | None, items: Sequence[SummaryItem]
) -> Iterator[Listed]:
    """Peaks of one side or condition less those of another, held against their own uncertainty."""
    if believed is not None:
        yield from _of_sides(gait, believed, items)
        yield from _of_conditions(gait, believed, items)


def _of_sides(gait: GaitPresentation, believed: Believed, items: Sequence[SummaryItem]) -> Iterator[Listed]:
    right = {(each.item, each.joint): each for each in _peaks(items) if each.side == "right"}
    rows: list[tuple[SummaryValue, ...]] = []
    for each in _peaks(items):
        other = right.get((each.item, each.joint))
        found = None if each.side != "left" or other is None else believed.of_difference(other, each)
        if found is not None:
            shown = shown_item(gait, each)
            rows.append((shown.item, each.joint, *_judged(found, shown.unit)))
    if rows:
        heads = ("peak, right less left", "joint", "difference", "u", "unit", "larger than 2 u")
        yield Listed("Differences of sides", heads, tuple(rows), own=(2, 3))


def _of_conditions(gait: GaitPresentation, believed: Believed, items: Sequence[SummaryItem]) -> Iterator[Listed]:
    """Each further condition less the first one."""
    of_trials = {each.name: each.condition for each in gait.book.trials}
    strides: dict[str, list[Stride]] = {condition: [] for condition in gait.conditions}
    for stride in gait.strides:
        strides[of_trials.get(stride.name, "")].append(stride)
    first, *others = gait.conditions
    for condition in others:
        rows = [
            (shown.item, each.side, each.joint, *_judged(found, shown.unit))
            for each in _peaks(items)
            if (found := believed.of_peak_between(each, strides[condition], strides[first])) is not None
            for shown in (shown_item(gait, each),)
        ]
        if rows:
            pair = f"{condition or NO_CONDITION} less {first or NO_CONDITION}"
            heads = (f"peak, {pair}", "side", "joint", "difference", "u", "unit", "larger than 2 u")
            yield Listed(f"Differences of conditions: {pair}", heads, tuple(rows), own=(3, 4))


def _judged(found: BelievedValue, unit: str) -> tuple[float, float, str, str]:
    """A difference with its uncertainty and unit, and whether it is larger than twice that."""
    return found.value, found.u, unit.partition(",")[0], "yes" if abs(found.value) > CLEAR * found.u else "no"
