"""Segments whose ends are not those that the anthropometry means."""

from __future__ import annotations

from sheetmbs.gait.trial.gait_book import GaitBook, SegmentRow
from sheetmbs.schema.names import fold
from sheetmbs.schema.problem_list import ProblemList, place_of

ENDS = {"winter": ("ankle", "metatarsal"), "de leva": ("heel", "toe tip")}
"""of the foot, by anthropometry"""
WORDS = {
    "ankle": "ankle",
    "malleolus": "ankle",
    "malleoli": "ankle",
    "fibula": "ankle",
    "heel": "heel",
    "calcaneus": "heel",
}


def check_table_ends(book: GaitBook, report: ProblemList) -> None:
    """A warning for each foot that runs from the ankle where the table counts from the heel, or the other way about."""
    wanted = ENDS.get(book.subject.anthropometry)
    if wanted is None:
        return
    for row in book.segments:
        start = _word(row)
        if row.table != "foot" or row.com is not None or start in ("", wanted[0]):
            continue
        found = f"{row.name} from {row.proximal} to {row.distal}"
        problem = f"{book.subject.anthropometry} counts the foot from {wanted[0]} to {wanted[1]}"
        other = next(name for name in ENDS if name != book.subject.anthropometry)
        mend = (
            f"name {wanted[0]} and {wanted[1]} as its ends (line_from and line_to keep the angle), or take anthropometry "
            f"{other}, or give com and gyration"
        )
        report.warning("ends-of-table", place_of(row.cells["proximal"]), found, problem, mend)


def _word(row: SegmentRow) -> str:
    """What the upper end is by its name, ``""`` where that does not tell."""
    return next((WORDS[word] for word in fold(row.proximal).split() if word in WORDS), "")
