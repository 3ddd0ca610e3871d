"""Contacts that a plate carries only in part: two feet on it, or a foot half beside it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from sheetmbs.gait.kinetics.foot_of_contact import ContactFoot
from sheetmbs.gait.kinetics.plate_wrenches import is_within
from sheetmbs.gait.quality.recorded_body import frames_in_words
from sheetmbs.gait.quality.solved_body import SolvedBody
from sheetmbs.gait.solve_trial import SolvedTrial
from sheetmbs.gait.trial.recorded import RecordedPlate, plate_axes
from sheetmbs.schema.problem_list import ProblemList

Vector = NDArray[np.float64]
Mask = NDArray[np.bool_]

EDGE = 0.010
"""m: a centre of pressure so near the edge belongs to a foot half beside the plate"""
SEAM = 0.050
"""m from the outline of the plate beside, at which a foot stands on both"""
MIN_EDGE_FRAMES = 3
"""frames that it is there"""
LACKING = 0.10
"""of the weight, that the plates give less or more than the motion of the body asks for"""
ELSEWHERE = {"turned-plate", "exchanged-columns", "wrong-moment-unit", "wrong-pressure-unit", "corners-wrong-way"}
"""what puts the centre of pressure of a plate anywhere"""
ALL = 0.6
"""of that, which every other contact lacks too: then it is the mass, not the foot"""


def check_contacts(body: SolvedBody, report: ProblemList) -> list[ContactFoot]:
    """A warning for each contact that is not wholly on its plate. Returns them: their strides leave the kinetics."""
    found = []
    elsewhere = {(each.found or "").partition(":")[0] for each in report.found(ELSEWHERE)}
    lacks = _lacking(body)
    for plate in body.recorded_plates:
        wrench = body.ground.plates[plate.name]
        at_edge = _at_edge(body, plate) & body.loaded(wrench) & (plate.name not in elsewhere)
        for each in body.ground.of_contacts:
            if each.plate != plate.name or each.side is None:
                continue
            during = (body.courses.time >= each.start) & (body.courses.time <= each.end)
            lack = lacks.get((each.plate, each.start), 0.0)
            beside = at_edge & during & ~_on_next_plate(body, plate, each)
            if each.both_inside:
                why = "both feet stand within its outline"
            elif beside.sum() >= MIN_EDGE_FRAMES:
                why = f"the centre of pressure lies within {1e3 * EDGE:g} mm of its edge in {_of(body, beside)}"
            elif abs(lack) > LACKING:
                word = "less" if lack > 0.0 else "more"
                why = f"the plates give {abs(lack):.0%} of the weight {word} than the motion of the body asks for"
            else:
                continue
            found.append(each)
            problem = f"{why}: the {each.side} foot is not wholly on it, or not alone"
            says = f"{plate.name}: its contact in {_of(body, during)}"
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
    low, high = ends.min(axis=0) + EDGE, ends.max(axis=0) - EDGE
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
        near = is_within(pressure, body.ours(geometry.corners), SEAM)
        for each in body.ground.of_contacts:
            if each.plate == other.name and each.side == contact.side:
                found |= near & (time >= each.start) & (time <= each.end)
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
        during = (body.courses.time >= each.start) & (body.courses.time <= each.end) & ~body.courses.edge
        for name, mask in busy.items():
            if name != each.plate:
                during &= ~mask
        during &= np.isfinite(residual["fy"])
        if during.sum() * 10 >= body.courses.rate:
            found[each.plate, each.start] = float(np.mean(residual["fy"][during])) / body.weight
    usual = float(np.median(list(found.values()))) if len(found) > 1 else 0.0
    return {key: value - usual if abs(usual) > ALL * LACKING else value for key, value in found.items()}


def _of(body: SolvedBody, mask: Mask) -> str:
    return frames_in_words(mask, body.frames)
