"""Early peaks of moments under the other choice of the filter of forces: impacts show whether it matters."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from sheetmbs.gait.quality.sensitivity import OTHER_FILTERS
from sheetmbs.gait.strides.summary_items import SummaryItem
from sheetmbs.gait.strides.varied_peaks import Variant

EARLY, OTHER = "first 30 %", "other force filter"


def with_other_filter(items: Sequence[SummaryItem], variants: Iterable[Variant]) -> list[SummaryItem]:
    """The items, each early peak followed by what it would be with forces raw, or filtered where they are raw."""
    varied = next((each.items for each in variants if each.name in OTHER_FILTERS), ())
    others = {(each.item, each.side, each.joint): each for each in varied if each.item.endswith(EARLY)}
    found: list[SummaryItem] = []
    for item in items:
        found.append(item)
        other = others.get((item.item, item.side, item.joint))
        if other is not None:
            found.append(replace(other, item=f"{other.item}, {OTHER}"))
    return found
