"""Units of lengths, and rates, durations and cut-offs, that do not belong to a recording."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from sheetmbs.gait.quality.checked_trials import RecordedBody, recorded_body, setting_place, subject_place
from sheetmbs.gait.trial.gait_book import SegmentRow
from sheetmbs.schema.problem_list import Place, ProblemList

MIN_LEG, USUAL_LEG, MAX_LEG = 0.30, 0.49, 0.70
"""of the height: thigh and shank together"""
MIN_HEIGHT, MAX_HEIGHT = 0.5, 2.6
"""m: heights of people"""
USUAL_HEIGHT = 1.65
"""m: of somebody whose height is not told, with twice the room"""
WRONG_UNIT = "wrong-length-unit"
UNITS = {"mm": 0.001, "cm": 0.01, "m": 1.0, "in": 0.0254, "ft": 0.3048}
MAX_FRAME_DIFFERENCE = 2.0
"""frames of the markers by which the forces may be longer or shorter"""
MAX_START_DIFFERENCE = 0.5
"""of the time of the markers, by which forces may begin earlier or later"""
MAX_RATIO_ERROR = 2e-3
"""part by which a force rate may miss a multiple: rates from rounded times are not exact"""
MAX_CUTOFF_RATIO = 2.0


def check_length_units(body: RecordedBody, report: ProblemList) -> None:
    """An error where no leg is so long, with the unit that the numbers look like."""
    height = body.book.subject.height
    if height is not None and not MIN_HEIGHT <= height <= MAX_HEIGHT:
        problem = f"people are {MIN_HEIGHT:g} to {MAX_HEIGHT:g} m tall"
        mend = "write its unit in the column unit, as cm"
        report.error("implausible-height", subject_place(body.book, "height"), f"height: {height:g} m", problem, mend)
        return
    room = 1.0 if height is not None else 2.0
    tall = USUAL_HEIGHT if height is None else height
    for thigh, length in legs_of(body):
        part = length / tall
        if MIN_LEG / room <= part <= MAX_LEG * room:
            continue
        unit = body.prepared.trial.markers.unit
        meant = _looks_like(body, thigh, tall)
        place = _units_cell(body.header(thigh.distal))
        found = f"the length of {_leg(thigh)} is {length:.4g} m as the numbers stand in {unit}"
        whose = "" if height else " of an adult"
        problem = f"that is {part:.3g} x the height{whose}, and thigh and shank are {USUAL_LEG} of it"
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
    """The unit in which this leg is as long as legs are. Regressions of hips have lengths of their own: all is made again."""
    now = UNITS.get(body.prepared.trial.markers.unit, 1.0)
    sound = {}
    for unit, size in UNITS.items():
        other = recorded_body(replace(body.prepared, values=body.prepared.values * size / now), body.book)
        part = next(length for row, length in legs_of(other) if row == thigh) / height
        if MIN_LEG <= part <= MAX_LEG:
            sound[unit] = abs(np.log(part / USUAL_LEG))
    return min(sound, key=lambda unit: sound[unit], default=None)


def _factor(unit: str, meant: str) -> str:
    ratio = UNITS.get(unit, 1.0) / UNITS[meant]
    return f"a factor of {ratio:.4g}" if ratio >= 1.0 else f"a factor of 1/{1.0 / ratio:.4g}"


def _units_cell(header: Place) -> Place:
    """Where the unit of a column stands: below its name in row 1; files of laboratories have it in their head."""
    return header._replace(row=2) if header.row == 1 else header


def check_durations(body: RecordedBody, report: ProblemList) -> None:
    """An error where forces are longer or shorter than markers, or their rate is no multiple of the markers'."""
    prepared = body.prepared
    time, forces = prepared.time, prepared.force_time
    if forces is None or prepared.trial.forces is None:
        return
    place = prepared.trial.forces.stamps.header
    delay = body.book.processing.force_delay
    apart = float(forces.time[0]) + delay - float(time.time[0])
    if abs(apart) > MAX_START_DIFFERENCE * (time.time[-1] - time.time[0]):
        found = f"forces begin {abs(apart):.4g} s {'after' if apart > 0.0 else 'before'} the markers"
        problem = f"which last {time.time[-1] - time.time[0]:.4g} s: hardly anything was recorded together"
        mend = f"write {delay - apart:.6g} s in force_delay if both began together, or paste the forces of this trial"
        where = setting_place(body.book, "force_delay") if delay else place
        report.error("apart-in-time", where, found, problem, mend)
        return
    lasting, force_lasting = len(time.time) / time.rate, len(forces.time) / forces.rate
    found = (
        f"{len(time.time):,} frames of markers at {time.rate:.6g} Hz last {lasting:.4g} s, "
        f"{len(forces.time):,} of forces at {forces.rate:.6g} Hz {force_lasting:.4g} s"
    )
    if abs(lasting - force_lasting) * time.rate > MAX_FRAME_DIFFERENCE:
        per_frame = max(round(len(forces.time) / len(time.time)), 1)
        fits = per_frame * time.rate
        problem = "markers and forces of a trial are recorded over the same time"
        mend = (
            f"{fits:.6g} Hz ({per_frame} x the markers') would fit: write force_rate on Processing, or rate if that of "
            "the markers is wrong; or paste the forces of this trial"
        )
        report.error("unequal-durations", place, found, problem, mend)
        return
    ratio = forces.rate / time.rate
    if abs(ratio - round(ratio)) > MAX_RATIO_ERROR * ratio or round(ratio) < 1:
        fits = max(round(ratio), 1) * time.rate
        problem = f"forces are sampled {ratio:.4g} times a frame, and plates run at a multiple of the cameras' rate"
        mend = f"{fits:.6g} Hz would fit: write force_rate or rate on Processing, or export both again"
        report.error("no-multiple-rate", place, found, problem, mend)


def check_cutoff(body: RecordedBody, report: ProblemList) -> None:
    """A warning where the advice, in the middle of all markers that are needed, is beyond a factor of two."""
    prepared = body.prepared
    needed = list(body.needed())
    ratios = prepared.advice.advised[needed] / prepared.cutoffs[needed]
    known = np.isfinite(ratios) & (ratios > 0.0)
    if not known.any():
        return
    ratio = float(np.median(ratios[known]))
    if 1.0 / MAX_CUTOFF_RATIO <= ratio <= MAX_CUTOFF_RATIO:
        return
    cutoff = float(np.median(prepared.cutoffs[needed][known]))
    advised = float(np.median(prepared.advice.advised[needed][known]))
    what = "takes away motion with the noise" if ratio > 1.0 else "leaves noise in the motion"
    found = f"cutoff: {cutoff:.3g} Hz"
    problem = f"the residuals of the markers in {prepared.trial.sheets[0]} advise {advised:.2g} Hz, so that it {what}"
    mend = f"write {advised:.2g} Hz or auto, or leave it if you know better"
    report.warning("doubtful-cutoff", setting_place(body.book, "cutoff"), found, problem, mend)
