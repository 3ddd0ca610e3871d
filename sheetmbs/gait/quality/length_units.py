"""Millimetres read as metres: the length of a leg against the height of the body."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from sheetmbs.gait.quality.recorded_body import RecordedBody, recorded_body, subject_place
from sheetmbs.gait.trial.gait_book import SegmentRow
from sheetmbs.schema.problem_list import Place, ProblemList

MIN_LEG, USUAL, MAX_LEG = 0.30, 0.49, 0.70
"""of the height: thigh and shank together"""
SHORTEST, TALLEST = 0.5, 2.6
"""m: heights of people"""
ANYBODY = 1.65
"""m: of somebody whose height is not told, with twice the room"""
WRONG_UNIT = "wrong-length-unit"
UNITS = {"mm": 0.001, "cm": 0.01, "m": 1.0, "in": 0.0254, "ft": 0.3048}


def check_length_units(body: RecordedBody, report: ProblemList) -> None:
    """An error where no leg is so long, with the unit that the numbers look like."""
    height = body.book.subject.height
    if height is not None and not SHORTEST <= height <= TALLEST:
        problem = f"people are {SHORTEST:g} to {TALLEST:g} m tall"
        mend = "write its unit in the column unit, as cm"
        report.error("implausible-height", subject_place(body.book, "height"), f"height: {height:g} m", problem, mend)
        return
    room = 1.0 if height is not None else 2.0
    tall = ANYBODY if height is None else height
    for thigh, length in legs_of(body):
        part = length / tall
        if MIN_LEG / room <= part <= MAX_LEG * room:
            continue
        unit = body.prepared.trial.markers.unit
        meant = _looks_like(body, thigh, tall)
        place = _units_cell(body.header(thigh.distal))
        found = f"the length of {_leg(thigh)} is {length:.4g} m as the numbers stand in {unit}"
        problem = (
            f"that is {part:.3g} x the height{'' if height else ' of an adult'}, and thigh and shank are {USUAL} of it"
        )
        if meant is None and body.prepared.trial.carried and report.found({WRONG_UNIT}):
            return  # the standing trial, in a wrong unit, placed some of its markers
        if meant is None or meant == unit:
            mend = f"are the markers of {thigh.name} and the shank those that Segments names, and is the height right?"
        else:
            mend = f"the numbers look like {meant} ({_factor(unit, meant)}): write {meant} as their unit"
        report.error(WRONG_UNIT, place, found, problem, mend)
        return


def legs_of(body: RecordedBody) -> list[tuple[SegmentRow, float]]:
    """The thigh of each leg and the length in m of the leg, in the middle of the trial."""
    lengths = [(row, float(np.nanmedian(each))) for row, each in body.segments() if np.isfinite(each).any()]
    thighs = [(row, length) for row, length in lengths if row.table == "thigh"]
    return [
        (thigh, upper + lower)
        for thigh, upper in thighs
        for row, lower in lengths
        if row.table == "shank" and row.side == thigh.side
    ]


def _leg(thigh: SegmentRow) -> str:
    return f"the {thigh.side} leg" if thigh.side else "the leg"


def _looks_like(body: RecordedBody, thigh: SegmentRow, height: float) -> str | None:
    """The unit in which this leg is as long as legs are. Regressions of hips have lengths of their own: all is made anew."""
    now = UNITS.get(body.prepared.trial.markers.unit, 1.0)
    sound = {}
    for unit, size in UNITS.items():
        other = recorded_body(replace(body.prepared, values=body.prepared.values * size / now), body.book)
        part = next(length for row, length in legs_of(other) if row == thigh) / height
        if MIN_LEG <= part <= MAX_LEG:
            sound[unit] = abs(np.log(part / USUAL))
    return min(sound, key=lambda unit: sound[unit], default=None)


def _factor(unit: str, meant: str) -> str:
    ratio = UNITS.get(unit, 1.0) / UNITS[meant]
    return f"a factor of {ratio:.4g}" if ratio >= 1.0 else f"a factor of 1/{1.0 / ratio:.4g}"


def _units_cell(header: Place) -> Place:
    """Where the unit of a column stands: below its name in row 1; files of laboratories have it in their head."""
    return header._replace(row=2) if header.row == 1 else header
