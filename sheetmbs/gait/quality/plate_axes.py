"""Plates whose axes are not those that the workbook says: their centre of pressure lies under no foot."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from sheetmbs.gait.kinetics.foot_of_contact import Foot
from sheetmbs.gait.kinetics.plate_wrenches import PlateWrench
from sheetmbs.gait.quality.solved_body import LOADED, SolvedBody
from sheetmbs.gait.quality.under_feet import beside_feet
from sheetmbs.gait.trial.gait_book import Side
from sheetmbs.gait.trial.recorded import RecordedPlate
from sheetmbs.schema.problem_list import ProblemList

Vector = NDArray[np.float64]
MAX_FOOT_DISTANCE = 0.10
"""m beside a foot"""
MOSTLY, CLEARLY = 0.5, 0.9
"""shares of frames: less than that under the feet is a fault, more than this after a turn explains it"""
MIN_FRAMES = 5
"""frames that tell something"""
SIDEWAYS = 3.0
"""times the largest vertical force: a level one that is so large stands along the vertical in truth"""


def check_plate_axes(body: SolvedBody, report: ProblemList) -> None:
    """An error where a right-angle turn, or another vertical, puts the force under the feet."""
    if any(each.severity == "error" for each in report.found({"moved-plates"})):
        return
    turned = [each.found for each in report.found({"turned-plate", "exchanged-columns"})]
    for plate in body.recorded_plates:
        wrench = body.ground.plates[plate.name]
        if any(found.startswith(f"{plate.name}:") for found in turned):
            continue
        if _is_sideways(body, plate, wrench, report):
            continue
        pressure = body.pressure(plate, wrench)
        seen = np.isfinite(pressure).any(axis=1) & np.isfinite(beside_feet(pressure, body.feet))
        if seen.sum() < MIN_FRAMES:
            continue
        inside = _share(body, pressure, seen)
        if inside >= MOSTLY:
            continue
        away = float(np.nanmedian(beside_feet(pressure, body.feet)[seen]))
        found = (
            f"{plate.name}: in {1.0 - inside:.0%} of its frames the centre of pressure is {away:.2g} m from the feet"
        )
        place = body.plate_cell(plate, "axes")
        share, turn = max((_share(body, each, seen), name) for name, each in _turned(body, plate, pressure))
        if share >= CLEARLY:
            problem = f"{turn} the plate would have {share:.0%} of it under the feet"
            mend = "correct the order of its corners on Plates (+x+y, -x+y, -x-y, +x-y of the plate), or its axes"
            if body.geometry(plate) is None:
                mend = "correct names and signs of its columns, or give its corners and own axes on Plates"
            report.error("turned-plate", place, found, problem, mend)


def _share(body: SolvedBody, pressure: Vector, seen: NDArray[np.bool_]) -> float:
    with np.errstate(invalid="ignore"):
        return float(np.mean(beside_feet(pressure[seen], _only(body, seen)) <= MAX_FOOT_DISTANCE))


def _only(body: SolvedBody, seen: NDArray[np.bool_]) -> dict[Side, Foot]:
    return {side: replace(foot, heel=foot.heel[seen], toe=foot.toe[seen]) for side, foot in body.feet.items()}


def _turned(body: SolvedBody, plate: RecordedPlate, pressure: Vector) -> Iterator[tuple[str, Vector]]:
    """The centre of pressure (n, 3) after each right-angle turn about the middle of the plate, and its name."""
    geometry = body.geometry(plate)
    corners = None if geometry is None else geometry.corners
    middle = np.zeros(3) if corners is None else np.mean(body.ours(corners), axis=0)
    letter = body.solved.prepared.axes.up[1]
    away = pressure - middle
    for mirrored in (False, True):
        for quarter in range(4):
            c, s = ((1, 0), (0, 1), (-1, 0), (0, -1))[quarter]
            sign = -1.0 if mirrored else 1.0
            forward, right = c * away[:, 0] + s * sign * away[:, 2], -s * away[:, 0] + c * sign * away[:, 2]
            words = ("turned over and " if mirrored else "") + f"turned {90 * quarter} deg about {letter}"
            if mirrored and quarter == 0:
                words = "turned over"
            if mirrored or quarter:
                yield words, middle + np.column_stack((forward, away[:, 1], right))


def _is_sideways(body: SolvedBody, plate: RecordedPlate, wrench: PlateWrench, report: ProblemList) -> bool:
    """Whether a plate pushes sideways what it should carry."""
    force = np.max(np.abs(wrench.raw_force), axis=0, initial=0.0)
    vertical = float(np.abs(body.up) @ force)
    axis = int(np.argmax(force))
    if force[axis] < 2.0 * LOADED * body.weight or force[axis] < SIDEWAYS * vertical:
        return False
    letter, up = "xyz"[axis], body.solved.prepared.axes.up[1]
    found = f"{plate.name}: forces along {letter} reach {force[axis]:.3g} N, along {up} {vertical:.3g} N"
    problem = f"the markers have {up} upright, and a plate carries the body along the vertical"
    mend = "export forces in the axes of the markers, or give the corners of the plate and own axes on Plates"
    report.error("turned-plate", body.plate_cell(plate, "axes"), found, problem, mend)
    return True
