"""Feet that are not those of the plate: written wrongly, or not found."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sheetmbs.gait.force_plate_assignment import SIDES, plate_row
from sheetmbs.gait.kinetics.foot_of_contact import FASTEST, LEAST_RATIO, ContactFoot
from sheetmbs.gait.quality.plate_axes import MAX_FOOT_DISTANCE, MIN_FRAMES, MOSTLY
from sheetmbs.gait.quality.recorded_body import frames_in_words
from sheetmbs.gait.quality.solved_body import SolvedBody
from sheetmbs.gait.quality.under_feet import beside_foot, foot_speed
from sheetmbs.gait.trial.recorded import RecordedPlate
from sheetmbs.problems.errors import Problem
from sheetmbs.schema.names import fold
from sheetmbs.schema.problem_list import ProblemList

Mask = NDArray[np.bool_]
SHORTEST = 0.3
"""s of a contact at an end of the recording that tells its foot"""


def check_feet(body: SolvedBody, report: ProblemList) -> None:
    """An error where another foot stands there than the one written, or where none does."""
    time = body.courses.time
    for plate in body.recorded_plates:
        written = []
        for each in (contact for contact in body.ground.of_contacts if contact.plate == plate.name):
            during = (time >= each.start) & (time <= each.end)
            if each.by == "given" and _is_other(each):
                written.append((each, during))
            elif each.side is None:
                _tell_unknown(body, plate, each, during, report)
            else:
                _tell_beside(body, plate, each, during, report)
        if written:
            _tell_wrong(body, plate, written, report)


def _is_other(contact: ContactFoot) -> bool:
    """Whether the foot that is written moves while the other one stands."""
    own = contact.speeds.get(contact.side or "right", np.nan)
    other = min((speed for side, speed in contact.speeds.items() if side != contact.side), default=np.nan)
    return bool(own > FASTEST and other <= FASTEST and own >= LEAST_RATIO * other)


def _tell_wrong(
    body: SolvedBody, plate: RecordedPlate, contacts: list[tuple[ContactFoot, Mask]], report: ProblemList
) -> None:
    first, _ = contacts[0]
    side = first.side
    other = SIDES[1] if side == SIDES[0] else SIDES[0]
    during = np.any([mask for _, mask in contacts], axis=0)
    speeds = {name: foot_speed(foot, body.courses.rate) for name, foot in body.feet.items()}
    with np.errstate(invalid="ignore"):
        share = float(np.mean(speeds[other][during] < speeds[side or "right"][during]))
    how = "is named" if fold(plate.name) in SIDES else "says"
    found = f"{plate.name} {how} {side}; the {other} foot stands there ({share:.0%} of {_of(body, during)})"
    problem = f"the {side} foot moves at {first.speeds[side or 'right']:.2g} m/s"
    mend = f"write {other} for this contact, or auto" if how == "says" else "exchange the names of the columns"
    report.error("wrong-foot", body.plate_cell(plate, "foot"), found, problem, mend)


def _tell_unknown(
    body: SolvedBody, plate: RecordedPlate, contact: ContactFoot, during: Mask, report: ProblemList
) -> None:
    place = body.plate_cell(plate, "foot")
    speeds = ", ".join(f"{side} {speed:.2g} m/s" for side, speed in contact.speeds.items() if np.isfinite(speed))
    found = f"{plate.name}: whose contact in {_of(body, during)} is, is not known"
    blank = "no moment is shown while it lasts"
    if _is_cut(body, contact):
        code, cell = "cut-contact", str(place)
        problem = f"the recording begins or ends within it ({speeds}); {blank}"
        report.add(place, Problem(code, "note", cell, found, problem, ""))
    elif contact.both_inside:
        problem = f"both feet stand within the outline; {blank}, and its strides leave the kinetics"
        report.warning("two-feet", place, found, problem, "write foot if one of them only touches it")
    else:
        row = plate_row(plate, body.book)
        drifted = _never_unloaded(body, contact)
        problem = f"no foot stands there, or both do ({speeds}); a foot that stands is slower than {FASTEST:g} m/s"
        mend = (
            "write right or left in foot of Plates for each contact (right; left); on a treadmill that is always needed"
        )
        if drifted:
            mend = (
                "the plate is loaded all the time: write offset start, if nobody stands on it then; or write its foot"
            )
        elif row is None:
            mend = f"add a row {plate.name} on Plates, with right or left in foot for each contact (right; left)"
        report.error("unknown-foot", place, found, problem, mend)


def _tell_beside(
    body: SolvedBody, plate: RecordedPlate, contact: ContactFoot, during: Mask, report: ProblemList
) -> None:
    """A warning where a foot stands, but not where the force acts."""
    foot = body.feet.get(contact.side or "right")
    told = report.found(
        {"turned-plate", "exchanged-columns", "moved-plates", "wrong-moment-unit", "wrong-pressure-unit"}
    )
    if foot is None or any(_is_of(each, plate) for each in told):
        return
    pressure = body.pressure(plate, body.ground.plates[plate.name])
    away = beside_foot(pressure, foot)
    seen = during & np.isfinite(away)
    if seen.sum() < MIN_FRAMES or np.mean(away[seen] <= MAX_FOOT_DISTANCE) >= MOSTLY:
        return
    found = (
        f"{plate.name}: in {_of(body, seen)} the force acts {np.median(away[seen]):.2g} m from the {contact.side} foot"
    )
    shift = np.nan_to_num(np.nanmedian((0.5 * (foot.heel + foot.toe) - pressure)[seen], axis=0)) * (1.0, 0.0, 1.0)
    ways = [
        f"{way:.1f} m along {axis}"
        for axis, way in zip("xyz", shift @ body.solved.prepared.axes.matrix, strict=True)
        if abs(way) > MAX_FOOT_DISTANCE / 2.0
    ]
    problem = (
        f"the force on a foot acts under it, as it would if the plate lay about {' and '.join(ways) or 'a foot'} away"
    )
    mend = "look at where the plate lies (Plates), at what else stood on it, and whether both sheets are of one trial"
    report.warning("force-beside-foot", body.plate_cell(plate, "name"), found, problem, mend)


def _is_of(problem: Problem, plate: RecordedPlate) -> bool:
    """Whether a problem has told already where the forces of a plate act."""
    return problem.code == "moved-plates" or (problem.found or "").startswith(f"{plate.name}:")


def _is_cut(body: SolvedBody, contact: ContactFoot) -> bool:
    """Whether only part of a contact was recorded: it is short, and lies at an end of the markers or of the forces."""
    first, last = body.ground.recorded
    time, step = body.courses.time, 1.0 / body.courses.rate
    begin, end = max(first, float(time[0])) + step, min(last, float(time[-1])) - step
    return contact.end - contact.start < SHORTEST and (contact.start <= begin or contact.end >= end)


def _never_unloaded(body: SolvedBody, contact: ContactFoot) -> bool:
    first, last = body.ground.recorded
    return contact.start <= first and contact.end >= last


def _of(body: SolvedBody, during: Mask) -> str:
    return frames_in_words(during, body.frames) if during.any() else "no frame"
