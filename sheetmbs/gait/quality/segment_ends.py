"""Segments whose ends are wrong: of another leg, exchanged, at a wrong length, or not those that the anthropometry means."""

from __future__ import annotations

import numpy as np

from sheetmbs.gait.quality.checked_trials import RecordedBody
from sheetmbs.gait.trial.gait_book import GaitBook, SegmentRow
from sheetmbs.schema.names import fold
from sheetmbs.schema.problem_list import ProblemList, place_of

MAX_JOINT_DISTANCE = 0.15
"""m between the upper end of a segment and the lower one of that above; trunks and hips may be far from each other"""
MAX_EXCHANGED_RATIO = 1.0 / 3.0
"""of the way from one end: so much nearer is the other one where both are exchanged"""
MAX_LENGTH_DIFFERENCE = 0.3
"""of a length, by which a number may differ from the way between the ends"""
EXPLAINING_CODES = {
    "wrong-length-unit",
    "far-apart",
    "sides-exchanged",
    "front-behind",
    "upside-down",
    "wrong-axis",
    "exchanged-cluster",
    "marker-off-cluster",
    "unsteady-length",
}
"""what puts ends anywhere, and is reported by itself"""
TABLE_ENDS = {"winter": ("ankle", "metatarsal"), "de leva": ("heel", "toe tip")}
"""of the foot, by anthropometry"""
END_WORDS = {
    "ankle": "ankle",
    "malleolus": "ankle",
    "malleoli": "ankle",
    "fibula": "ankle",
    "heel": "heel",
    "calcaneus": "heel",
}


def check_joined(body: RecordedBody, report: ProblemList) -> None:
    """An error for a segment whose ends are exchanged, warnings for one that hangs on nothing or has another length."""
    if report.found(EXPLAINING_CODES):
        return
    rows = {row.name: row for row in body.book.segments}
    for row in body.book.segments:
        above = rows.get(row.parent or "")
        if above is not None and "hat" not in (row.table, above.table):
            _check_ends(body, row, above, report)
        usual = _median_distance(body, row.proximal, row.distal)
        if isinstance(row.length, float) and abs(row.length - usual) > MAX_LENGTH_DIFFERENCE * usual:
            found = f"length of {row.name}: {row.length:.3g} m"
            problem = f"{row.proximal} and {row.distal} lie {usual:.3g} m apart"
            report.warning("other-length", row.place("length"), found, problem, "correct it or its unit, or write mean")


def _check_ends(body: RecordedBody, row: SegmentRow, above: SegmentRow, report: ProblemList) -> None:
    upper, lower = (_median_distance(body, end, above.distal) for end in (row.proximal, row.distal))
    if not np.isfinite([upper, lower]).all():
        return
    if lower < MAX_EXCHANGED_RATIO * upper:
        found = f"{row.distal}, the lower end of {row.name}, lies {lower:.2g} m from {above.name}; {row.proximal} {upper:.2g} m"
        problem = f"{row.name} hangs on {above.name} by its upper end, where the load of its joint is found"
        report.error("exchanged-ends", row.place("proximal"), found, problem, "exchange proximal and distal")
    elif upper > MAX_JOINT_DISTANCE:
        found = f"{row.proximal} of {row.name} lies {upper:.2g} m from {above.distal} of {above.name}"
        problem = "a segment begins where the one above it ends"
        mend = "look at proximal, distal and parent of both: is one of them of the other leg?"
        report.warning("not-joined", row.place("proximal"), found, problem, mend)


def _median_distance(body: RecordedBody, one: str, other: str) -> float:
    """M between two points, the median of the frames in which both are seen; NaN where there are none."""
    known = slice(2) if body.book.dimension == "2D" else slice(3)
    away = np.linalg.norm((body.points[one] - body.points[other])[:, known], axis=1)
    away = away[np.isfinite(away)]
    return float(np.median(away)) if len(away) else float("nan")


def check_table_ends(book: GaitBook, report: ProblemList) -> None:
    """A warning for each foot that runs from the ankle where the table counts from the heel, or the other way about."""
    wanted = TABLE_ENDS.get(book.subject.anthropometry)
    if wanted is None:
        return
    for row in book.segments:
        start = _end_word(row)
        if row.table != "foot" or row.com is not None or start in ("", wanted[0]):
            continue
        found = f"{row.name} from {row.proximal} to {row.distal}"
        problem = f"{book.subject.anthropometry} counts the foot from {wanted[0]} to {wanted[1]}"
        other = next(name for name in TABLE_ENDS if name != book.subject.anthropometry)
        mend = (
            f"name {wanted[0]} and {wanted[1]} as its ends (line_from and line_to keep the angle), or take anthropometry "
            f"{other}, or give com and gyration"
        )
        report.warning("ends-of-table", place_of(row.cells["proximal"]), found, problem, mend)


def _end_word(row: SegmentRow) -> str:
    """What the upper end is by its name, ``""`` where that does not tell."""
    return next((END_WORDS[word] for word in fold(row.proximal).split() if word in END_WORDS), "")
