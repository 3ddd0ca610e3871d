"""Plates that lie elsewhere than the workbook says: where forces act under the feet, contact by contact, and how high.

The right and the left foot are mirror images: what all forces have in common to one side of the laboratory is not of the
feet. How far forward they act under a foot is its own, but much alike from one contact to the next and both ways through the
laboratory, and never beyond the toes.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from sheetmbs.gait.arrays import Vector
from sheetmbs.gait.kinetics.foot_of_contact import BEYOND_MT5, Foot
from sheetmbs.gait.quality.checked_trials import SolvedBody, beside_feet, is_reported
from sheetmbs.gait.quality.plate_orientation import (
    MAX_FOOT_DISTANCE,
    MIN_CONTACT_TIME,
    MIN_SHARE_AFTER_TURN,
    MIN_SHARE_UNDER_FEET,
)
from sheetmbs.gait.quality.whole_body import MAX_RESIDUAL, residual_parts
from sheetmbs.gait.strides.strides import strides_of
from sheetmbs.gait.trial.gait_book import Side
from sheetmbs.gait.trial.recorded import RecordedPlate
from sheetmbs.schema.problem_list import ProblemList

MAX_SIDE_SHIFT = 0.025
"""m that all forces lie to one side; 0.010 in a good trial of somebody whose feet differ"""
MAX_FORWARD_SHIFT = 0.040
"""m forward or back; masses and their centres that tables miss turn a body as 0.03 does"""
MAX_OUTSIDE_FOOT = 0.030
"""m before the toes or behind the heel: more than shoes and noise"""
MAX_CONTACT_DIFFERENCE = 0.035
"""m by which one contact differs from the others; 0.02 in good trials"""
EXPLAINING_CODES = {
    "action-for-reaction",
    "corners-wrong-way",
    "wrong-moment-unit",
    "wrong-pressure-unit",
    "backward-pressure",
}
"""what is reported by itself, and puts forces anywhere"""
FOOT_OF_LEG = 0.152 / (0.245 + 0.246)
"""length of a foot by that of thigh and shank (Drillis and Contini 1966)"""
SHORT_FOOT = 0.9
"""of that length: feet of people differ by less, and the head of a metatarsal lies at 0.7"""
MIN_ROLLING_TIME = 0.4
"""s of a contact that tells how a foot rolls"""
MIN_CONTACTS = 3
"""contacts of which one may be told from the others"""
MAX_FOOT_DEPTH, MAX_FOOT_HEIGHT = 0.02, 0.08
"""m below the surface, farther than floors are uneven, and above it, higher than soles and markers on shoes"""
MAX_HEIGHT_DIFFERENCE = 0.02
"""m by which one plate differs from the others under the same feet"""
MIN_PLATES = 3
"""plates of which one may be told from the others"""
MIN_CONTACTS_EACH_WAY = 2
"""contacts each way"""
MIN_FRAME_OFFSET = 0.015
"""m that the frame is off; contacts of one walk differ by 0.006"""


@dataclass(frozen=True)
class Rolling:
    """Where the force of a contact acts under its foot, in m. forward: of the heel, in the mean; right: of the foot's line."""

    plate: RecordedPlate
    side: str
    forward: float
    right: float
    before: float
    """of the tip of the toes at most; below 0 behind it"""
    behind: float
    """of the heel likewise"""

    @property
    def outward(self) -> float:
        """Direction across the foot's line, away from the other foot."""
        return self.right if self.side == "right" else -self.right


def check_places(body: SolvedBody, report: ProblemList) -> None:
    """A warning where all plates, or one of them, lie elsewhere; an error where all miss the feet by that."""
    if report.found(EXPLAINING_CODES):
        return
    if _report_far(body, report):
        return
    turned = {"turned-plate", "exchanged-columns"}
    contacts = [
        each
        for plate in body.recorded_plates
        if not is_reported(plate, turned, report)
        for each in rolling_contacts(body, plate)
    ]
    alike = not contacts or np.ptp([each.forward for each in contacts]) < 2.0 * MAX_CONTACT_DIFFERENCE
    aside, ahead = _aside(contacts), _ahead(body, contacts) if alike and not report.found(turned) else 0.0
    if alike and (aside or ahead):
        _warn_of_all(body, aside, ahead, report)
    else:
        _warn_of_one(body, contacts, report)


def _report_far(body: SolvedBody, report: ProblemList) -> bool:
    """An error where one way moves the forces of all plates under the feet."""
    points = {plate.name: body.pressure(plate, body.ground.plates[plate.name]) for plate in body.recorded_plates}
    seen = {
        name: np.isfinite(each).all(axis=1) & np.isfinite(beside_feet(each, body.feet)) for name, each in points.items()
    }
    loaded = [name for name, each in seen.items() if each.any()]
    if len(loaded) < 2 or not body.feet:
        return False
    plates = [plate for plate in body.recorded_plates if plate.name in loaded]
    ways = np.vstack([_way_to_feet(body, plate, points[plate.name])[seen[plate.name]] for plate in plates])
    way = np.median(ways, axis=0)
    away = np.concatenate([beside_feet(points[name], body.feet)[seen[name]] for name in loaded])
    moved = np.concatenate([beside_feet(points[name] + way, body.feet)[seen[name]] for name in loaded])
    if (
        np.mean(away <= MAX_FOOT_DISTANCE) >= MIN_SHARE_UNDER_FEET
        or np.mean(moved <= 0.5 * MAX_FOOT_DISTANCE) < MIN_SHARE_AFTER_TURN
    ):
        return False
    found = f"the forces of all plates act {np.median(away):.2g} m from the feet"
    problem = f"moved by about {_in_lab(body, way)} they would act under them"
    mend = "correct the corners on Plates, or export both with one origin"
    report.error("moved-plates", body.plate_cell(body.recorded_plates[0], "x1"), found, problem, mend)
    return True


def _way_to_feet(body: SolvedBody, plate: RecordedPlate, points: Vector) -> Vector:
    """(n, 3) from points to the middle of the foot that stands on a plate, level; of the nearer one where that is not known."""
    middles = {side: 0.5 * (foot.heel + foot.toe) for side, foot in body.feet.items()}
    ways = np.stack([each - points for each in middles.values()]) * (1.0, 0.0, 1.0)
    nearest = np.argmin(np.nan_to_num(np.linalg.norm(ways, axis=2), nan=np.inf), axis=0)
    for each in body.contacts(plate):
        if each.side in middles:
            nearest[body.during(each)] = list(middles).index(each.side)
    return np.asarray(ways[nearest, np.arange(len(points))])


def rolling_contacts(body: SolvedBody, plate: RecordedPlate) -> list[Rolling]:
    """The contacts of a plate that are long enough, and whole: of one that the recording cuts the mean is of half a roll."""
    time, found = body.courses.time, []
    begin, end = max(body.ground.recorded[0], float(time[0])), min(body.ground.recorded[1], float(time[-1]))
    pressure = body.pressure(plate, body.ground.plates[plate.name])
    for each in body.contacts(plate):
        foot = body.feet.get(each.side or "right")
        if each.side is None or foot is None or each.start <= begin or each.end >= end:
            continue
        during = body.during(each) & np.isfinite(pressure).all(axis=1)
        during &= np.isfinite(foot.heel).all(axis=1) & np.isfinite(foot.toe).all(axis=1)
        if during.sum() < MIN_ROLLING_TIME * body.courses.rate or np.ptp(foot.heel[during, 2]) == 0.0:
            continue
        level = [0, 2]
        line, away = ((end - foot.heel)[during][:, level] for end in (foot.toe, pressure))
        length = np.linalg.norm(line, axis=1)
        along = np.einsum("nk,nk->n", away, line) / length
        right = (away[:, 1] * line[:, 0] - away[:, 0] * line[:, 1]) / length
        tip = _tip(length, foot, leg_length(body, each.side))
        ends = float(np.max(along - tip)), -float(np.min(along))
        found.append(Rolling(plate, each.side, float(np.mean(along)), float(np.median(right)), *ends))
    return found


def leg_length(body: SolvedBody, side: Side) -> float:
    """Mean length in m of thigh and shank together; 0 where one of them is not there."""
    ends = {
        row.table: body.courses.points[row.proximal] - body.courses.points[row.distal]
        for row in body.book.segments
        if row.table in ("thigh", "shank") and row.side in (side, None)
    }
    lengths = [np.linalg.norm(each[np.isfinite(each[:, :2]).all(axis=1)][:, :2], axis=1) for each in ends.values()]
    return float(sum(np.mean(each) for each in lengths)) if len(ends) == 2 and all(map(len, lengths)) else 0.0


def _tip(length: Vector, foot: Foot, leg: float) -> Vector:
    """How far the tip of the toes lies before the heel, (n,) in m. length: (n,) from heel to toe marker.

    A marker called toe that lies much nearer to the heel than a foot is long stands on a metatarsal, as that of Plug-in Gait.
    """
    if not foot.is_toe:
        return length + BEYOND_MT5
    usual = FOOT_OF_LEG * leg
    return np.full(len(length), usual) if float(np.median(length)) < SHORT_FOOT * usual else length


def _aside(contacts: Sequence[Rolling]) -> float:
    """M to the right of where feet carry that all forces act; 0 where they do not differ by so much."""
    of_sides = [[each.right for each in contacts if each.side == side] for side in ("right", "left")]
    if not all(of_sides):
        return 0.0
    aside = float(np.mean([np.median(each) for each in of_sides]))
    return aside if abs(aside) >= MAX_SIDE_SHIFT else 0.0


def _ahead(body: SolvedBody, contacts: Sequence[Rolling]) -> float:
    """M before where feet carry that all forces act: beyond the toes or behind the heel, or else by what turns the body."""
    if contacts:
        before, behind = (float(np.median([getattr(each, end) for each in contacts])) for end in ("before", "behind"))
        if max(before, behind) > MAX_OUTSIDE_FOOT:
            return before if before > behind else -behind
    residual, vertical = body.courses.residual, sum(foot["fy"] for foot in body.courses.feet.values())
    parts = residual_parts(body)
    if residual is None or isinstance(vertical, int) or parts is None or parts[0] > MAX_RESIDUAL:
        return 0.0  # where forces are too large or too small, that is the fault
    about = residual["mz"] if "mz" in residual else residual["m"]
    for stride in (each for each in strides_of([body.courses]) if not each.is_mixed):
        during = (body.courses.time >= stride.start) & (body.courses.time < stride.end)
        if np.isfinite(about[during]).all() and np.isfinite(vertical[during]).all():
            # over a stride a body turns as much as before: what does so nevertheless is a moment of misplaced forces
            ahead = -float(np.mean(about[during]) / np.mean(vertical[during]))
            return ahead if abs(ahead) >= MAX_FORWARD_SHIFT else 0.0
    return 0.0


def _warn_of_all(body: SolvedBody, aside: float, ahead: float, report: ProblemList) -> None:
    sides = f"{1e3 * abs(aside):.0f} mm to the {'right' if aside > 0.0 else 'left'}"
    ends = f"{1e3 * abs(ahead):.0f} mm {'forward' if ahead > 0.0 else 'back'}"
    where = " and ".join([sides] * bool(aside) + [ends] * bool(ahead))
    found = f"all forces act {where} of where feet carry"
    reasons = ["right and left foot carry alike"] * bool(aside) + ["forces act under feet and turn no body"] * bool(
        ahead
    )
    problem = f"{' and '.join(reasons)} if the plates are moved by {_in_lab(body, np.array([-ahead, 0.0, -aside]))}"
    mend = "look at the corners on Plates, and at the origin that plates and markers share; nothing is moved here"
    report.warning("moved-plates", body.plate_cell(body.recorded_plates[0], "x1"), found, problem, mend)


def _warn_of_one(body: SolvedBody, contacts: Sequence[Rolling], report: ProblemList) -> None:
    if len(contacts) < MIN_CONTACTS:
        return
    places = np.array([(each.forward, each.outward) for each in contacts])
    usual = np.median(places, axis=0)
    apart = np.linalg.norm(places - usual, axis=1)
    odd = int(np.argmax(apart))
    others = np.delete(apart, odd)
    if apart[odd] < MAX_CONTACT_DIFFERENCE or np.max(others) > 0.5 * MAX_CONTACT_DIFFERENCE:
        return
    each = contacts[odd]
    forward, outward = places[odd] - usual
    way = np.array([-forward, 0.0, -outward if each.side == "right" else outward])
    found = f"{each.plate.name}: its force acts {1e3 * apart[odd]:.0f} mm from where it acts in the other contacts"
    problem = f"under the {each.side} foot it would be as in those if the plate were moved by {_in_lab(body, way)}"
    mend = (
        f"look at where {each.plate.name} lies (Plates), at the labels of the heel and toes of that foot, and how it stood "
        "there; nothing is moved here"
    )
    report.warning("moved-plate", body.plate_cell(each.plate, "x1"), found, problem, mend)


def _in_lab(body: SolvedBody, way: Vector) -> str:
    """``-30 mm along x and 10 mm along y``, in axes of the laboratory."""
    parts = way @ body.solved.prepared.axes.matrix
    words = [f"{1e3 * part:.0f} mm along {axis}" for axis, part in zip("xyz", parts, strict=True) if abs(part) > 5e-3]
    return " and ".join(words)


def check_heights(body: SolvedBody, report: ProblemList) -> None:
    """A warning where feet stand within plates or in the air above them, on all of them or on one."""
    heights = {plate.name: _height(body, plate) for plate in body.recorded_plates}
    known = [each for each in heights.values() if each is not None]
    if not known:
        return
    usual = float(np.median(known))
    for plate in body.recorded_plates:
        height = heights[plate.name]
        if height is None:
            continue
        is_other = len(known) >= MIN_PLATES and abs(height - usual) > MAX_HEIGHT_DIFFERENCE
        if is_other or not -MAX_FOOT_DEPTH <= usual <= MAX_FOOT_HEIGHT:
            _warn_of_height(body, plate, height, usual if is_other else None, report)
        if not is_other and not -MAX_FOOT_DEPTH <= usual <= MAX_FOOT_HEIGHT:
            return  # of all plates the first is enough


def _warn_of_height(
    body: SolvedBody, plate: RecordedPlate, height: float, usual: float | None, report: ProblemList
) -> None:
    where = f"{1e3 * abs(height):.0f} mm {'below' if height < 0.0 else 'above'} its surface"
    found = f"{plate.name}: the lowest marker of a foot that stands on it is {where}"
    if usual is None:
        problem = (
            "such markers are a little above the floor; where plates are too high or low, level forces turn the body"
        )
    else:
        problem = f"on the other plates it is {1e3 * usual:.0f} mm above: this one lies {1e3 * (usual - height):+.0f} mm higher"
    mend = "look at the heights of the corners on Plates, and at the origin that plates and markers share"
    place = body.plate_cell(plate, f"{body.solved.prepared.axes.up[1]}1")
    report.warning("plate-height", place, found, problem, mend)


def _height(body: SolvedBody, plate: RecordedPlate) -> float | None:
    """M by which the lower one of heel and toes is above a plate while a foot stands there; None unknown."""
    geometry = body.geometry(plate)
    if geometry is None or geometry.corners is None:
        return None
    found = []
    for each in body.contacts(plate):
        foot = None if each.side is None else body.feet.get(each.side)
        if foot is None or each.end - each.start < MIN_CONTACT_TIME:
            continue
        during = body.during(each)
        lowest = np.fmin(foot.heel[during, 1], foot.toe[during, 1])
        found += [float(np.nanmedian(lowest))] if np.isfinite(lowest).any() else []
    return float(np.median(found)) - float(np.mean(body.ours(geometry.corners)[:, 1])) if found else None


def check_walking_directions(bodies: Sequence[SolvedBody], report: ProblemList) -> None:
    """A warning where forces act elsewhere under the feet walking back."""
    if report.has_errors or report.found({"moved-plates"}):
        return
    places: dict[str, list[float]] = {}
    trials: dict[str, SolvedBody] = {}
    for body in bodies:
        way = body.solved.prepared.axes.forward
        found = [each.forward for plate in body.recorded_plates for each in rolling_contacts(body, plate)]
        places.setdefault(way, []).extend(found)
        trials.setdefault(way, body)
    for axis in "xyz":
        there, back = places.get(f"+{axis}", []), places.get(f"-{axis}", [])
        if min(len(there), len(back)) < MIN_CONTACTS_EACH_WAY:
            continue
        off = 0.5 * float(np.median(there) - np.median(back))
        if abs(off) < MIN_FRAME_OFFSET:
            continue
        one, other = (trials[f"{sign}{axis}"].courses.trial for sign in "+-")
        sense = "farther before the heel" if off > 0.0 else "nearer to the heel"
        said = f"forces act {2e3 * abs(off):.0f} mm {sense} walking along +{axis} ({one}) than along -{axis} ({other})"
        problem = f"feet carry alike both ways, as they would with the plates moved by {-1e3 * off:.0f} mm along {axis}"
        mend = "look at the corners on Plates, and at the origin that plates and markers share; nothing is moved here"
        body = trials[f"+{axis}"]
        report.warning("moved-plates", body.plate_cell(body.recorded_plates[0], "x1"), said, problem, mend)
