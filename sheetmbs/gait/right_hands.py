"""Exports in left-handed axes: the level axis across the walk is taken with the other sign, so that the rest is right-handed.

With S the reflection, places and forces are S p and S F. A moment that such an export gives is S p x S F by components, which
is -S M: about the reflected axis it keeps its sign, about the two others it turns. Plates' own axes are those of the plate,
right-handed in any laboratory; only where their corners lie is reflected.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from sheetmbs.gait.arrays import Vector
from sheetmbs.gait.prepare_trial import trial_axes
from sheetmbs.gait.trial.gait_book import GaitBook, PlateRow, Trial
from sheetmbs.gait.trial.recorded import PlateGeometry, RecordedPlate
from sheetmbs.problems.errors import Problem
from sheetmbs.schema.names import fold
from sheetmbs.schema.problem_list import ProblemList, place_of


def with_right_hands(book: GaitBook, report: ProblemList) -> GaitBook:
    """A workbook in right-handed axes. Where handedness is left, a note says which axis was turned round."""
    if book.processing.handedness == "right":
        return book
    axes = next((found for trial in book.trials if (found := trial_axes(trial, book)) is not None), None)
    if axes is None:
        return book  # without forward and up nothing is solved, which is told where they are looked for
    across = axes.words[2][1]
    place = place_of(book.processing.places["handedness"])
    problem = f"{across} of markers, forces and plates is taken with the other sign, also in what is said of them here"
    report.add(place, Problem("left-handed", "note", str(place), "handedness: left", problem, ""))
    size = np.where(np.array(list("xyz")) == across, -1.0, 1.0)
    return replace(
        book,
        trials=tuple(_reflected(each, size, book.plates) for each in book.trials),
        static=None if book.static is None else _reflected(book.static, size, book.plates),
        plates={
            name: replace(row, geometry=_reflected_geometry(row.geometry, size)) for name, row in book.plates.items()
        },
    )


def _reflected(trial: Trial, size: Vector, plates: Mapping[str, PlateRow]) -> Trial:
    """size: (3,) the signs of the reflection."""
    markers = replace(trial.markers, positions=trial.markers.positions * size)
    geometry = tuple(_reflected_geometry(each, size) for each in trial.geometry)
    forces = trial.forces
    if forces is not None:
        lying = {fold(each.name): each for each in trial.geometry} | {
            name: row.geometry for name, row in plates.items()
        }
        own = {name for name, each in lying.items() if each.axes == "own"}
        reflected = tuple(_reflected_columns(each, size, is_own=fold(each.name) in own) for each in forces.plates)
        forces = replace(forces, plates=reflected)
    return replace(trial, markers=markers, forces=forces, geometry=geometry)


def _reflected_columns(plate: RecordedPlate, size: Vector, *, is_own: bool) -> RecordedPlate:
    if is_own:
        return plate
    return replace(
        plate,
        force=plate.force * size,
        moment=None if plate.moment is None else -plate.moment * size,
        pressure=None if plate.pressure is None else plate.pressure * size,
        free_moment=None if plate.free_moment is None else -plate.free_moment,
    )


def _reflected_geometry(geometry: PlateGeometry, size: Vector) -> PlateGeometry:
    return geometry if geometry.corners is None else replace(geometry, corners=geometry.corners * size)
