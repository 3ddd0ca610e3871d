"""Dynamic consistency on sheets: rms chi, the table of candidates, and the warning."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from sheetmbs.gait.strides.summary_items import SummaryItem
from sheetmbs.gait.uncertainty.dynamic_consistency import TRUSTED, Candidate, DynamicConsistency
from sheetmbs.problems.errors import Problem
from sheetmbs.workbook.sheets.list_pages import Listed

HEADS = ("candidate", "value", "low_95", "high_95", "unit", "chi_before", "chi_after", "note")
TITLE = "What would lower the residual: one change at a time, none is applied"
LOWERS = "lowers the residual by a fifth or more"


def chi_item(consistency: DynamicConsistency | None) -> Iterator[SummaryItem]:
    """The item of the summary."""
    if consistency is not None and np.isfinite(consistency.chi):
        yield SummaryItem("residual by its u, rms chi", "", "", consistency.chi, None, 1, "", ())


def candidate_table(candidates: Sequence[Candidate]) -> Iterator[Listed]:
    """A row of each candidate."""
    rows = tuple(
        (
            *(each.name, each.value, each.low, each.high, each.unit, each.chi_before, each.chi_after),
            "; ".join(word for word in (LOWERS if each.is_named else "", each.note) if word),
        )
        for each in candidates
    )
    if rows:
        yield Listed(TITLE, HEADS, rows, own=(1, 2, 3))


def inconsistent(
    consistency: DynamicConsistency | None, candidates: Sequence[Candidate], place: str
) -> Iterator[Problem]:
    """A warning where the residual is more than twice its uncertainty. place: the sheet of the markers."""
    if consistency is None or not consistency.chi > TRUSTED:
        return
    found = f"residual of the whole body: {consistency.chi:.2g} times its standard uncertainty (rms chi)"
    problem = f"motion and forces disagree by more than the sources of error explain, {TRUSTED:g} at most"
    named = sorted((each for each in candidates if each.is_named), key=lambda each: each.chi_after)
    told = [f"{each.name} {each.value:+.3g} {each.unit} (chi {each.chi_after:.2g})" for each in named[:3]]
    mend = "look for the cause among what would lower it: " + ", ".join(told) if told else "see mbs Gait quality"
    note = next((each.note for each in named if each.note), "")
    yield Problem("inconsistent-forces", "warning", place, found, problem, f"{mend}; {note}" if note else mend)
