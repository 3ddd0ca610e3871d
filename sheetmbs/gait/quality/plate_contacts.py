"""Contacts whose foot is written wrongly or not found, those that a plate carries only in part, and loads without a contact."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from scipy.ndimage import binary_dilation

from sheetmbs.gait.arrays import Mask
from sheetmbs.gait.force_plate_assignment import plate_row
from sheetmbs.gait.kinetics.foot_of_contact import FASTEST, LEAST_RATIO, ContactFoot
from sheetmbs.gait.kinetics.plate_wrenches import PlateWrench, is_within
from sheetmbs.gait.quality.checked_trials import SolvedBody, beside_foot, foot_speed, frames_in_words, is_reported
from sheetmbs.gait.quality.plate_orientation import MAX_FOOT_DISTANCE, MIN_FRAMES, MIN_SHARE_UNDER_FEET
from sheetmbs.gait.solve_trial import SolvedTrial
from sheetmbs.gait.trial.gait_book import SIDES
from sheetmbs.gait.trial.recorded import RecordedPlate, plate_axes
from sheetmbs.problems.errors import Problem
from sheetmbs.schema.names import fold
from sheetmbs.schema.problem_list import ProblemList

MIN_CUT_CONTACT = 0.3
"""s of a contact at an end of the recording that tells its foot"""


MAX_EDGE_DISTANCE = 0.010
"""m: a centre of pressure so near the edge belongs to a foot half beside the plate"""
MAX_SEAM_DISTANCE = 0.050
"""m from the outline of the plate beside, at which a foot stands on both"""
MIN_EDGE_FRAMES = 3
"""frames that it is there"""
MAX_LACKING = 0.10
"""of the weight, that the plates give less or more than the motion of the body asks for"""
UNSOUND_PLACES = {"turned-plate", "exchanged-columns", "wrong-moment-unit", "wrong-pressure-unit"}
"""what puts the forces of a plate anywhere"""
UNSOUND_PRESSURE = {
    "turned-plate",
    "exchanged-columns",
    "wrong-moment-unit",
    "wrong-pressure-unit",
    "corners-wrong-way",
}
"""what puts the centre of pressure of a plate anywhere"""
COMMON_SHARE = 0.6
"""of that, which every other contact lacks too: then it is the mass, not the foot"""
MAX_ZERO_FORCE, MAX_ZERO_MOMENT = 5.0, 1.0
"""N and N m, in the mean"""
MIN_FOOT_DISTANCE = 0.10
"""m from a plate's outline at which no foot is near"""
LOAD_MARGIN = 0.1
"""s before and after a load that do not count as unloaded"""
MIN_FREE_TIME = 0.1
"""s of unloaded time that tell a mean"""


def check_feet(body: SolvedBody, report: ProblemList) -> None:
    """An error where another foot stands there than the one written, or where none does."""
    for plate in body.recorded_plates:
        written = []
        for each in body.contacts(plate):
            during = body.during(each)
            if each.by == "given" and _is_other(each):
                written.append((each, during))
            elif each.side is None:
                _report_unknown(body, plate, each, during, report)
            else:
                _warn_of_force_beside(body, plate, each, during, report)
        if written:
            _report_wrong(body, plate, written, report)


def _is_other(contact: ContactFoot) -> bool:
    """Whether the foot that is written moves while the other one stands."""
    own = contact.speeds.get(contact.side or "right", np.nan)
    other = min((speed for side, speed in contact.speeds.items() if side != contact.side), default=np.nan)
    return bool(own > FASTEST and other <= FASTEST and own >= LEAST_RATIO * other)


def _report_wrong(
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
    found = f"{plate.name} {how} {side}; the {other} foot stands there ({share:.0%} of {_frames(body, during)})"
    problem = f"the {side} foot moves at {first.speeds[side or 'right']:.2g} m/s"
    mend = f"write {other} for this contact, or auto" if how == "says" else "exchange the names of the columns"
    report.error("wrong-foot", body.plate_cell(plate, "foot"), found, problem, mend)


def _report_unknown(
    body: SolvedBody, plate: RecordedPlate, contact: ContactFoot, during: Mask, report: ProblemList
) -> None:
    place = body.plate_cell(plate, "foot")
    speeds = ", ".join(f"{side} {speed:.2g} m/s" for side, speed in contact.speeds.items() if np.isfinite(speed))
    found = f"{plate.name}: whose contact in {_frames(body, during)} is, is not known"
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


def _warn_of_force_beside(
    body: SolvedBody, plate: RecordedPlate, contact: ContactFoot, during: Mask, report: ProblemList
) -> None:
    """A warning where a foot stands, but not where the force acts."""
    foot = body.feet.get(contact.side or "right")
    if foot is None or report.found({"moved-plates"}) or is_reported(plate, UNSOUND_PLACES, report):
        return
    pressure = body.pressure(plate, body.ground.plates[plate.name])
    away = beside_foot(pressure, foot)
    seen = during & np.isfinite(away)
    if seen.sum() < MIN_FRAMES or np.mean(away[seen] <= MAX_FOOT_DISTANCE) >= MIN_SHARE_UNDER_FEET:
        return
    found = f"{plate.name}: in {_frames(body, seen)} the force acts {np.median(away[seen]):.2g} m from the {contact.side} foot"
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


def _is_cut(body: SolvedBody, contact: ContactFoot) -> bool:
    """Whether only part of a contact was recorded: it is short, and lies at an end of the markers or of the forces."""
    first, last = body.ground.recorded
    time, step = body.courses.time, 1.0 / body.courses.rate
    begin, end = max(first, float(time[0])) + step, min(last, float(time[-1])) - step
    return contact.end - contact.start < MIN_CUT_CONTACT and (contact.start <= begin or contact.end >= end)


def _never_unloaded(body: SolvedBody, contact: ContactFoot) -> bool:
    first, last = body.ground.recorded
    return contact.start <= first and contact.end >= last


def _frames(body: SolvedBody, during: Mask) -> str:
    return frames_in_words(during, body.frames) if during.any() else "no frame"


def check_contacts(body: SolvedBody, report: ProblemList) -> list[ContactFoot]:
    """A warning for each contact that is not wholly on its plate. Returns them: their strides leave the kinetics."""
    found = []
    lacks = _lacking(body)
    for plate in body.recorded_plates:
        wrench = body.ground.plates[plate.name]
        at_edge = _at_edge(body, plate) & body.loaded(wrench) & (not is_reported(plate, UNSOUND_PRESSURE, report))
        for each in body.contacts(plate):
            if each.side is None:
                continue
            during = body.during(each)
            lack = lacks.get((each.plate, each.start), 0.0)
            beside = at_edge & during & ~_on_next_plate(body, plate, each)
            if each.both_inside:
                why = "both feet stand within its outline"
            elif beside.sum() >= MIN_EDGE_FRAMES:
                frames = _frames(body, beside)
                why = f"the centre of pressure lies within {1e3 * MAX_EDGE_DISTANCE:g} mm of its edge in {frames}"
            elif abs(lack) > MAX_LACKING:
                word = "less" if lack > 0.0 else "more"
                why = f"the plates give {abs(lack):.0%} of the weight {word} than the motion of the body asks for"
            else:
                continue
            found.append(each)
            problem = f"{why}: the {each.side} foot is not wholly on it, or not alone"
            says = f"{plate.name}: its contact in {_frames(body, during)}"
            mend = "its strides leave the kinetics; look whether the foot was on the plate"
            report.warning("partial-contact", body.plate_cell(plate, "foot"), says, problem, mend)
    return found


def without_partial(solved: SolvedTrial, partial: list[ContactFoot]) -> SolvedTrial:
    """The trial with these contacts known to be no whole ones, so that their strides leave the kinetics."""
    if not partial:
        return solved
    contacts = tuple(
        replace(each, whole=False)
        if any(
            each.side == part.side and part.plate in each.plates and part.start < each.end and each.start < part.end
            for part in partial
        )
        else each
        for each in solved.courses.contacts
    )
    return replace(solved, courses=replace(solved.courses, contacts=contacts))


def _at_edge(body: SolvedBody, plate: RecordedPlate) -> Mask:
    """(n,) frames in which the centre of pressure lies at the edge of the plate, or beyond."""
    geometry = body.geometry(plate)
    pressure = body.pressure(plate, body.ground.plates[plate.name])
    if geometry is None or geometry.corners is None:
        return np.zeros(len(pressure), np.bool_)
    corners = body.ours(geometry.corners)
    axes = plate_axes(corners)[:, :2]
    known = np.isfinite(pressure).all(axis=1)
    points, ends = pressure @ axes, corners @ axes
    low, high = ends.min(axis=0) + MAX_EDGE_DISTANCE, ends.max(axis=0) - MAX_EDGE_DISTANCE
    with np.errstate(invalid="ignore"):
        inside = ((points > low) & (points < high)).all(axis=1)
    return np.asarray(known & ~inside)


def _on_next_plate(body: SolvedBody, plate: RecordedPlate, contact: ContactFoot) -> Mask:
    """(n,) frames in which the foot rolls over the seam to another plate that carries it too."""
    time = body.courses.time
    pressure = body.pressure(plate, body.ground.plates[plate.name])
    found = np.zeros(len(time), np.bool_)
    for other in body.recorded_plates:
        geometry = body.geometry(other)
        if other.name == plate.name or geometry is None or geometry.corners is None:
            continue
        near = is_within(pressure, body.ours(geometry.corners), MAX_SEAM_DISTANCE)
        for each in body.contacts(other):
            if each.side == contact.side:
                found |= near & body.during(each)
    return found


def _lacking(body: SolvedBody) -> dict[tuple[str, float], float]:
    """What each contact lacks of the vertical force, as part of the weight, while no other plate is loaded."""
    residual = body.courses.residual
    if residual is None:
        return {}
    threshold = body.book.processing.threshold
    busy = {name: body.ground.plates[name].force @ body.up > threshold for name in body.ground.plates}
    found: dict[tuple[str, float], float] = {}
    for each in body.ground.of_contacts:
        during = body.during(each) & ~body.courses.edge
        for name, mask in busy.items():
            if name != each.plate:
                during &= ~mask
        during &= np.isfinite(residual["fy"])
        if during.sum() * 10 >= body.courses.rate:
            found[each.plate, each.start] = float(np.mean(residual["fy"][during])) / body.weight
    usual = float(np.median(list(found.values()))) if len(found) > 1 else 0.0
    return {key: value - usual if abs(usual) > COMMON_SHARE * MAX_LACKING else value for key, value in found.items()}


def check_zero(body: SolvedBody, report: ProblemList) -> None:
    """A warning for each plate whose zero has drifted, with the offset that mends it."""
    if report.found({"action-for-reaction", "corners-wrong-way"}):
        return  # of plates that pull nobody knows when they are loaded
    for plate in body.recorded_plates:
        if is_reported(plate, {"force-beside-foot"}, report):
            continue  # of a plate that lies elsewhere nobody knows when a foot is near
        wrench = body.ground.plates[plate.name]
        free = _free_samples(body, plate, wrench)
        rate = (len(wrench.times) - 1) / (wrench.times[-1] - wrench.times[0])
        if free.sum() < MIN_FREE_TIME * rate:
            continue
        force = np.mean(np.nan_to_num(plate.force[free]), axis=0) - wrench.zero[:3]
        moment = np.zeros(3)
        if plate.moment is not None:
            moment = np.mean(np.nan_to_num(plate.moment[free]), axis=0) - wrench.zero[3:]
        if np.linalg.norm(force) <= MAX_ZERO_FORCE and np.linalg.norm(moment) <= MAX_ZERO_MOMENT:
            continue
        found = f"{plate.name} carries {np.linalg.norm(force):.3g} N and {np.linalg.norm(moment):.3g} N m"
        problem = f"no foot is near it then ({free.sum() / rate:.2g} s): its zero has drifted"
        seconds = _unloaded_start(free, rate)
        how = "start" if seconds >= 0.2 else f"{seconds:.2g} s" if seconds >= MIN_FREE_TIME else ""
        mend = f"write {how} in offset of {plate.name} on Plates" if how else "zero the plate, or subtract it at export"
        report.warning("drifted-zero", body.plate_cell(plate, "offset"), found, problem, mend)


def _free_samples(body: SolvedBody, plate: RecordedPlate, wrench: PlateWrench) -> Mask:
    """(k,) samples of a plate at which no foot is near; where a foot was not recorded, those at which nothing stands on it."""
    geometry, time = body.geometry(plate), body.courses.time
    if geometry is not None and geometry.corners is not None and len(body.feet) == len(SIDES):
        corners = body.ours(geometry.corners)
        near = np.zeros(len(time), np.bool_)
        for foot in body.feet.values():
            for points in (foot.heel, foot.toe, 0.5 * (foot.heel + foot.toe)):
                near |= is_within(points, corners, MIN_FOOT_DISTANCE) | np.isnan(points).all(axis=1)
        at = np.interp(wrench.times, time, near.astype(float), left=1.0, right=1.0)
        return np.asarray(at == 0.0)
    loaded = wrench.raw_force @ body.up > body.book.processing.threshold
    rate = (len(wrench.times) - 1) / (wrench.times[-1] - wrench.times[0])
    return ~np.asarray(binary_dilation(loaded, iterations=max(round(LOAD_MARGIN * rate), 1)))


def _unloaded_start(free: Mask, rate: float) -> float:
    """S from the start in which no foot is near."""
    return float((np.argmin(free) if not free.all() else len(free)) / rate)
