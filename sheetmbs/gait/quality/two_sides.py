"""What right and left of one body have in common: lengths, how knees stand, and what rows of both sides say."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TypeVar

import numpy as np

from sheetmbs.gait.quality.checked_trials import RecordedBody
from sheetmbs.gait.solve_trial import SolvedTrial
from sheetmbs.gait.strides.spatio_temporal import FLAT
from sheetmbs.gait.trial.gait_book import SIDES, CentreRow, GaitBook, JointRow, SegmentRow, Side
from sheetmbs.schema.problem_list import ProblemList, place_of

MAX_LENGTHS_APART = 0.04
"""part of a length"""
MAX_KNEES_APART = np.radians(10.0)
"""of both knees in the middle of stance"""
MAX_NEUTRAL_APART = np.radians(30.0)
"""between the neutral angles of a joint of both sides"""
TABLES = ("thigh", "shank", "foot")
Row = TypeVar("Row", JointRow, SegmentRow, CentreRow)


def check_rows_of_sides(book: GaitBook, report: ProblemList) -> None:
    """Errors and warnings where the rows of right and left say different things."""
    for right, left in _pairs(book.joints):
        if right.positive != left.positive:
            found = f"positive: {left.positive} on the left, {right.positive} on the right ({right.cell})"
            problem = f"the {right.name} of both sides counts in one sense, or no side can be compared"
            report.error(
                "sides", place_of(left.cell), found, problem, f"write {right.positive} in both rows, or the other"
            )
        neutrals = (right.neutral, left.neutral)
        numbers = [each for each in neutrals if not isinstance(each, str)]
        if len(numbers) == len(neutrals) and abs(numbers[0] - numbers[1]) > MAX_NEUTRAL_APART:
            degrees = np.degrees(numbers)
            found = f"neutral of the {right.name}: {degrees[1]:.3g} deg on the left, {degrees[0]:.3g} deg on the right"
            problem = f"those of one body differ by less than {np.degrees(MAX_NEUTRAL_APART):.0f} deg ({right.cell})"
            report.warning("sides", place_of(left.cell), found, problem, "correct one of them, or its unit")
    for of_right, of_left in _pairs(book.segments):
        if of_right.table != of_left.table:
            found = f"table: {of_left.table} for {of_left.name}, {of_right.table} for {of_right.name}"
            problem = "both sides have the same row of the table of masses"
            report.error(
                "sides",
                of_left.place("table"),
                found,
                problem,
                f"write the same row there and at {of_right.place('table')}",
            )
    for on_right, on_left in _pairs(book.centres):
        if on_right.kind != on_left.kind:
            found = f"kind: {on_left.kind} for {on_left.name}, {on_right.kind} for {on_right.name}"
            problem = "centres of both sides are found alike, or their difference is one of methods"
            place = place_of(on_left.cells.get("kind", "Joint centres"))
            report.warning("sides", place, found, problem, "write the same kind in both rows")


def _pairs(rows: Sequence[Row]) -> Iterator[tuple[Row, Row]]:
    """Rows of the right with those of the left that have the same name but for the side."""
    plain = {(each.name.replace("right", "").replace("left", "").strip(), _side(each)): each for each in rows}
    for (name, side), row in plain.items():
        other = plain.get((name, "left"))
        if side == "right" and other is not None:
            yield row, other


def _side(row: JointRow | SegmentRow | CentreRow) -> str:
    return row.side or next((side for side in SIDES if side in row.name.split()), "")


def check_lengths_of_sides(body: RecordedBody, still: RecordedBody | None, report: ProblemList) -> None:
    """A warning for each segment that is longer on one side by 4 %. still: the standing trial, None where there is none.

    A wand beside its plane lengthens one leg and shortens the other as knees bend: where the sides are alike standing, and each
    walks as long as it stands, no marker is in another place. Of the conventional model thigh and shank alone: its toe marker
    gives a direction, and may lie anywhere on the foot.
    """
    lengths, standing = _lengths(body), {} if still is None else _lengths(still)
    frames = body.prepared.time.frames
    for table in TABLES if body.book.conventional is None else TABLES[:2]:
        if not all((table, side) in lengths for side in SIDES):
            continue
        (row, right), (_, left) = (lengths[table, side] for side in SIDES)
        stood = [standing[table, side][1] for side in SIDES if (table, side) in standing]
        if _are_apart(right, left) and not (len(stood) == len(SIDES) and _are_alike(stood, (right, left))):
            sheet = body.prepared.trial.sheets[0]
            found = f"{sheet}: {table} {1e3 * right:.0f} mm on the right, {1e3 * left:.0f} mm on the left"
            problem = (
                f"sides differ by {abs(right - left) / (0.5 * (right + left)):.1%} over frames {frames[0]}-{frames[-1]}, "
                f"and those of one body by less than {MAX_LENGTHS_APART:.0%}"
            )
            mend = "look for a marker in another place on one side, or under another name"
            report.warning("sides", row.place("proximal"), found, problem, mend)


def _lengths(body: RecordedBody) -> dict[tuple[str, Side], tuple[SegmentRow, float]]:
    """The row and the mean length in m of each segment of a side, by its row of the table of masses."""
    return {
        (row.table, row.side): (row, float(np.nanmean(length)))
        for row, length in body.segments()
        if row.table in TABLES and row.side is not None and np.isfinite(length).any()
    }


def _are_apart(one: float, other: float) -> bool:
    return abs(one - other) > MAX_LENGTHS_APART * 0.5 * (one + other)


def _are_alike(stood: Sequence[float], walks: Sequence[float]) -> bool:
    """Whether both sides are as long as each other standing, and each as long as it walks."""
    return not _are_apart(*stood) and not any(_are_apart(one, other) for one, other in zip(stood, walks, strict=True))


def check_knees_in_stance(solved: SolvedTrial, book: GaitBook, report: ProblemList) -> None:
    """A warning where both knees are bent otherwise in the middle of stance."""
    courses = solved.courses
    means: dict[Side, float] = {}
    rows = {row.side: row for row in book.joints if row.name == "knee" and row.side is not None}
    for side, row in rows.items():
        angle, found = courses.joints.get(row.label, {}).get("angle"), []
        for contact in courses.contacts if angle is not None else ():
            if contact.side == side and contact.start > courses.time[0] and contact.end < courses.time[-1]:
                start, end = (contact.start + part * (contact.end - contact.start) for part in FLAT)
                during = (courses.time >= start) & (courses.time <= end)
                found.append(float(np.mean(angle[during])) if angle is not None and during.any() else np.nan)
        if found and np.isfinite(found).all():
            means[side] = float(np.mean(found))
    if len(means) == len(SIDES) and abs(means["right"] - means["left"]) > MAX_KNEES_APART:
        degrees = {side: np.degrees(each) for side, each in means.items()}
        sheet, frames = solved.prepared.trial.sheets[0], courses.frames
        found_words = (
            f"{sheet}: knees of {degrees['right']:.0f} deg right and {degrees['left']:.0f} deg left in mid stance"
        )
        problem = f"over frames {frames[0]}-{frames[-1]} they differ by more than {np.degrees(MAX_KNEES_APART):.0f} deg"
        mend = "look at hip, knee and ankle markers of both sides, unless the subject stands so"
        report.warning("sides", place_of(rows["left"].cell), found_words, problem, mend)
