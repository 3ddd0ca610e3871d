"""What sheets say of strides that begin or end with an estimated strike: which are out of means, and where all of them are."""

from __future__ import annotations

from collections.abc import Iterator

from sheetmbs.gait.sheets.gait_presentation import GaitPresentation
from sheetmbs.gait.strides.strides import SIDES
from sheetmbs.gait.trial.gait_book import Side
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
