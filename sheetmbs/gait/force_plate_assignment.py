"""What the ground does to each foot of a trial: plates, their contacts, whose they are, and wrenches in our axes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from sheetmbs.gait.arrays import Vector
from sheetmbs.gait.events.trial_events import PlateContact, foot_contacts, loaded_times
from sheetmbs.gait.kinetics.foot_of_contact import ContactFoot, Foot, contact_foot, foot_wrench
from sheetmbs.gait.kinetics.plate_wrenches import LowPass, PlateWrench, centre_of_pressure, plate_wrench
from sheetmbs.gait.laboratory_axes import unit_of_axis
from sheetmbs.gait.prepare_trial import PreparedTrial
from sheetmbs.gait.trial.disturbance import OF_PLATES, Disturbance, Disturbed
from sheetmbs.gait.trial.gait_book import SIDES, GaitBook, PlateRow, Side
from sheetmbs.gait.trial.recorded import PlateGeometry, RecordedForces, RecordedPlate
from sheetmbs.gait.trial.trial_courses import Contact
from sheetmbs.schema.names import fold

UP = np.array([0.0, 1.0, 0.0])


@dataclass(frozen=True)
class FootWrench:
    """Wrench on one foot in our axes.

    force: (n, 3) in N. moment: (n, 3) in N m about the laboratory's origin. pressure: (n, 3) in m.
    """

    force: Vector
    moment: Vector
    pressure: Vector


@dataclass(frozen=True)
class Ground:
    """What plates gave. plates: in axes of the laboratory. of_contacts: whose each contact of a plate is.

    contacts: of feet on plates. recorded: first and last time of the plates in s. hands: (n, 6) force and moment about the
    laboratory's origin in our axes on hands that hold rails or crutches, together; None where none does.
    """

    plates: Mapping[str, PlateWrench]
    of_contacts: tuple[ContactFoot, ...]
    contacts: tuple[Contact, ...]
    feet: Mapping[Side, FootWrench]
    recorded: tuple[float, float]
    hands: Vector | None = None


def plate_row(plate: RecordedPlate, book: GaitBook) -> PlateRow | None:
    """The row of Plates about a plate, None where there is none."""
    return book.plates.get(fold(plate.name))


def plate_place(plate: RecordedPlate, prepared: PreparedTrial, book: GaitBook) -> PlateGeometry | None:
    """Where a plate lies: as the sheet Plates says, else as the recording does."""
    row = plate_row(plate, book)
    if row is not None:
        return row.geometry
    return next((each for each in prepared.trial.geometry if fold(each.name) == fold(plate.name)), None)


def find_ground(
    prepared: PreparedTrial, book: GaitBook, feet: Mapping[Side, Foot], low_pass: LowPass, delay: float
) -> Ground | None:
    """Wrenches on the feet of a trial; None where it has no plates.

    feet: heel and toe (n, 3), in our axes. low_pass: of series (columns, k) at the plates' rate. delay: added to their times.
    """
    forces, force_time = prepared.trial.forces, prepared.force_time
    if forces is None or force_time is None or not forces.plates:
        return None
    times, frames = force_time.time + delay, prepared.time.time
    threshold, up = book.processing.threshold, unit_of_axis(prepared.axes.up)
    in_lab = {side: _in_lab(foot, prepared) for side, foot in feet.items()}
    plates = _plate_wrenches(forces, times, prepared, book, low_pass)
    of_contacts: list[ContactFoot] = []
    for plate in forces.plates:
        row, wrench = plate_row(plate, book), plates[plate.name]
        if row is not None and row.is_of_hand:
            continue
        words = (fold(plate.name),) if fold(plate.name) in SIDES else ("auto",) if row is None else row.feet
        for number, contact in enumerate(loaded_times(wrench.raw_force @ up, times, threshold)):
            word = words[min(number, len(words) - 1)]
            of_contacts.append(contact_foot(wrench, contact, word, frames, in_lab, up))
    parts = [
        PlateContact(each.plate, each.side, each.start, each.end, whole=not each.both_inside)
        for each in of_contacts
        if each.side is not None
    ]
    wrenches = {side: _of_foot(side, plates, of_contacts, prepared, threshold) for side in SIDES}
    hands = _on_hands(plates, prepared, book)
    return Ground(plates, tuple(of_contacts), tuple(foot_contacts(parts)), wrenches, (times[0], times[-1]), hands)


def _on_hands(plates: Mapping[str, PlateWrench], prepared: PreparedTrial, book: GaitBook) -> Vector | None:
    rows = {name: book.plates.get(fold(name)) for name in plates}
    held = [plates[name] for name, row in rows.items() if row is not None and row.is_of_hand]
    if not held:
        return None
    parts = [
        np.nan_to_num(np.sum(each, axis=0)) for each in zip(*((one.force, one.moment) for one in held), strict=True)
    ]
    return np.hstack([prepared.axes.apply(each) for each in parts])


def _plate_wrenches(
    forces: RecordedForces, times: Vector, prepared: PreparedTrial, book: GaitBook, low_pass: LowPass
) -> dict[str, PlateWrench]:
    """By plate. times: (k,) of its samples in s, with the delay."""
    found = {}
    for plate in forces.plates:
        row = plate_row(plate, book)
        found[plate.name] = plate_wrench(
            plate,
            times,
            plate_place(plate, prepared, book),
            up=unit_of_axis(prepared.axes.up),
            threshold=book.processing.threshold,
            zeroed=0.0 if row is None else row.offset,
            low_pass=low_pass,
            frames=prepared.time.time,
        )
    return found


def held_ground(ground: Ground, prepared: PreparedTrial, book: GaitBook, low_pass: LowPass, delay: float) -> Ground:
    """Wrenches of plates that are filtered otherwise or come later, with contacts whose they were."""
    forces, force_time = prepared.trial.forces, prepared.force_time
    if forces is None or force_time is None:
        return ground
    times = force_time.time + delay
    plates, later = _plate_wrenches(forces, times, prepared, book, low_pass), times[0] - ground.recorded[0]
    of_contacts = [replace(each, start=each.start + later, end=each.end + later) for each in ground.of_contacts]
    threshold = book.processing.threshold
    feet = {side: _of_foot(side, plates, of_contacts, prepared, threshold) for side in SIDES}
    hands = _on_hands(plates, prepared, book)
    ends = (times[0], times[-1])
    return replace(ground, plates=plates, of_contacts=tuple(of_contacts), feet=feet, recorded=ends, hands=hands)


def disturbed_feet(
    ground: Ground, prepared: PreparedTrial, threshold: float, disturbance: Disturbance
) -> Mapping[Side, FootWrench]:
    """Wrenches on feet where forces of plates are shifted or scaled, with contacts as they were."""
    if not disturbance.changes(OF_PLATES):
        return ground.feet
    shifts, gains = disturbance.of(Disturbed.PLATE_SHIFT), disturbance.of(Disturbed.PLATE_GAIN)
    plates = {}
    for name, plate in ground.plates.items():
        more = 1.0 + float(gains.get(name, 0.0))
        shift = shifts.get(name, np.zeros(3)) @ prepared.axes.matrix
        moment = more * (plate.moment + np.cross(shift, plate.force))
        plates[name] = replace(plate, force=more * plate.force, moment=moment)
    return {side: _of_foot(side, plates, list(ground.of_contacts), prepared, threshold) for side in SIDES}


def _in_lab(foot: Foot, prepared: PreparedTrial) -> Foot:
    """A foot in axes of the laboratory; a direction that was not recorded is 0."""
    matrix = prepared.axes.matrix

    def turned(points: Vector) -> Vector:
        known = np.where(np.isnan(points).all(axis=0), 0.0, points)
        return np.asarray(known @ matrix)

    return Foot(turned(foot.heel), turned(foot.toe), foot.is_toe)


def _of_foot(
    side: Side,
    plates: Mapping[str, PlateWrench],
    of_contacts: list[ContactFoot],
    prepared: PreparedTrial,
    threshold: float,
) -> FootWrench:
    force, moment = foot_wrench(plates, of_contacts, side, prepared.time.time)
    force, moment = prepared.axes.apply(force), prepared.axes.apply(moment)
    pressure, _free = centre_of_pressure(force, moment, UP, 0.0, threshold)
    return FootWrench(force, moment, pressure)
