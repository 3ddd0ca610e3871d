"""Early peaks of moments under the other choice of the filter of forces: impacts show whether it matters."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from sheetmbs.gait.body.body_segments import StandingTrial
from sheetmbs.gait.solve_trial import Choices, SolvedTrial, vary_joints
from sheetmbs.gait.strides.strides import Stride
from sheetmbs.gait.strides.summary_items import SummaryItem, peak_items
from sheetmbs.gait.trial.gait_book import GaitBook

EARLY, OTHER = "first 30 %", "other force filter"


def with_other_filter(
    items: Sequence[SummaryItem],
    trials: Sequence[SolvedTrial],
    strides: Sequence[Stride],
    book: GaitBook,
    standing: StandingTrial,
) -> list[SummaryItem]:
    """The items, each early peak followed by what it would be with forces raw, or filtered where they are raw."""
    if not any(trial.ground is not None for trial in trials):
        return list(items)
    cutoff = "same" if book.processing.force_cutoff == "none" else "none"
    choices = Choices(cutoff, delay=book.processing.force_delay)
    varied = peak_items([vary_joints(each, book, standing, choices) for each in trials], strides)
    others = {(each.item, each.side, each.joint): each for each in varied if each.item.endswith(EARLY)}
    found: list[SummaryItem] = []
    for item in items:
        found.append(item)
        other = others.get((item.item, item.side, item.joint))
        if other is not None:
            found.append(replace(other, item=f"{other.item}, {OTHER}"))
    return found
