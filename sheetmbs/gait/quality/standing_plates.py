"""Plates under a standing subject: where forces act in the feet, and what they carry, tell places and gains at once."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from sheetmbs.gait.arrays import Vector
from sheetmbs.gait.feet import point_of
from sheetmbs.gait.kinetics.foot_of_contact import Foot
from sheetmbs.gait.kinetics.plate_wrenches import centre_of_pressure
from sheetmbs.gait.laboratory_axes import unit_of_axis
from sheetmbs.gait.quality.checked_trials import LOADED
from sheetmbs.gait.solve_trial import FilteredTrial
from sheetmbs.gait.trial.gait_book import GaitBook, Side
from sheetmbs.schema.problem_list import ProblemList

ALONG = (0.55, 0.80)
"""of the way from heel to toe: quiet standing of three people had 0.65 to 0.70"""
ASIDE = 0.020
"""m from the line of the foot, or of the middle of both: 2 to 10 mm were measured"""
WEIGHT = 0.02
"""part of the mass"""
TIP = 0.28
"""of thigh and shank, from which a marker called toe is the tip of the toes, and not a head of a metatarsal"""
OF_TIP = 0.80
"""of the way to the tip, where the heads of the metatarsals are"""


@dataclass(frozen=True)
class StandingForce:
    """What plates carry and where, in the axes that are used. plates: their names. force: up, N. pressure: (3,) in m."""

    plates: tuple[str, ...]
    force: float
    pressure: Vector


def standing_forces(trial: FilteredTrial, book: GaitBook) -> list[StandingForce]:
    """The mean force of each plate that is loaded over the standing trial; none where hands carry too."""
    if trial.ground is None or trial.ground.hands is not None:
        return []
    up = unit_of_axis(trial.prepared.axes.up)
    found = []
    for name, wrench in trial.ground.plates.items():
        force, moment = (np.nanmean(each, axis=0, keepdims=True) for each in (wrench.force, wrench.moment))
        if float(force[0] @ up) > LOADED * book.subject.mass * book.gravity:
            points, _ = centre_of_pressure(force, moment, up, 0.0, 0.0)
            found.append(StandingForce((name,), float(force[0] @ up), trial.prepared.axes.apply(points)[0]))
    return found


def check_standing_plates(trial: FilteredTrial, book: GaitBook, report: ProblemList) -> float | None:
    """Warnings where forces of a standing subject act beside the feet, or carry another mass.

    Returns the mass in kg that is carried; None where the standing subject loads no plate.
    """
    forces = standing_forces(trial, book)
    if not forces or trial.prepared.trial.forces is None:
        return None
    headers = {each.name: each.header for each in trial.prepared.trial.forces.plates}
    sheet, frames = trial.prepared.trial.sheets[1], trial.prepared.time.frames
    when = f"in frames {frames[0]}-{frames[-1]} of {sheet}"
    carried = sum(each.force for each in forces) / book.gravity
    if abs(carried / book.subject.mass - 1.0) > WEIGHT:
        names = " and ".join(name for each in forces for name in each.plates)
        found = f"{names}: carry {carried:.2f} kg {when}"
        problem = (
            f"that is {100.0 * (carried / book.subject.mass - 1.0):+.1f} % of the mass, {book.subject.mass:.4g} kg"
        )
        mend = "correct the mass, or look at zero and gain of the plates; or a foot stands beside them"
        report.warning("standing-plates", headers[forces[0].plates[0]], found, problem, mend)
    for each, what, heel, toe in _under(forces, trial, book):
        line = (toe - heel)[[0, 2]]
        length = float(np.linalg.norm(line))
        if not np.isfinite(length) or length == 0.0:
            continue
        reach = (each.pressure - heel)[[0, 2]]
        along = float(reach @ line) / length**2
        aside = float(line[0] * reach[1] - line[1] * reach[0]) / length
        if ALONG[0] <= along <= ALONG[1] and abs(aside) <= ASIDE:
            continue
        middle = 0.5 * sum(ALONG)
        shift = 1e3 * ((middle - along) * line + aside * np.array([line[1], -line[0]]) / length * 1.0)
        found = f"{each.plates[0]}: the force acts at {along:.0%} of heel to toe of {what}, {1e3 * aside:+.0f} mm aside, {when}"
        problem = f"standing people have {ALONG[0]:.0%} to {ALONG[1]:.0%}, within {1e3 * ASIDE:.0f} mm"
        mend = f"look at the corners on Plates: {shift[0]:+.0f} mm forward and {shift[1]:+.0f} mm to the right would mend it"
        report.warning("standing-plates", headers[each.plates[0]], found, problem, mend)
    return carried


def _under(
    forces: list[StandingForce], trial: FilteredTrial, book: GaitBook
) -> Iterator[tuple[StandingForce, str, Vector, Vector]]:
    """Each force with the foot that it is under, or the middle of both where one plate carries both: heel and toe (3,)."""
    feet = dict(_standing_feet(trial, book))
    if len(feet) < 2:
        return
    if len(forces) == 1:
        heel, toe = (np.mean([foot[k] for foot in feet.values()], axis=0) for k in (0, 1))
        yield forces[0], "the middle of both feet", heel, toe
    elif len(forces) == 2:
        for each in forces:
            away = {s: float(np.linalg.norm((0.5 * (h + t) - each.pressure)[[0, 2]])) for s, (h, t) in feet.items()}
            side = min(away, key=lambda one: away[one])
            yield each, f"the {side} foot", *feet[side]


def _standing_feet(trial: FilteredTrial, book: GaitBook) -> Iterator[tuple[Side, tuple[Vector, Vector]]]:
    """The mean heel and the heads of the metatarsals (3,) of each foot."""
    legs = _leg_length(trial.points, book)
    for side, foot in trial.feet.items():
        heel, toe = (np.nanmean(each, axis=0) for each in (foot.heel, foot.toe))
        if _is_tip(foot, legs):
            metatarsal = point_of(trial.points, side, "mt5", book)
            toe = heel + OF_TIP * (toe - heel) if metatarsal is None else np.nanmean(metatarsal, axis=0)
        yield side, (heel, toe)


def _is_tip(foot: Foot, leg: float) -> bool:
    length = float(np.linalg.norm((np.nanmean(foot.toe, axis=0) - np.nanmean(foot.heel, axis=0))[[0, 2]]))
    return foot.is_toe and length > TIP * leg


def _leg_length(points: Mapping[str, Vector], book: GaitBook) -> float:
    """Thigh and shank in m, of the first leg."""
    rows = {row.table: row for row in reversed(book.segments)}
    found = [rows[each] for each in ("thigh", "shank") if each in rows]
    return sum(float(np.nanmean(np.linalg.norm(points[r.proximal] - points[r.distal], axis=1))) for r in found)
