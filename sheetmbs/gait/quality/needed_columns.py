"""Columns of plates without which there is no force in the plane: the vertical force, the moment across, the pressure ahead."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from sheetmbs.gait.quality.solved_body import SolvedBody
from sheetmbs.gait.trial.recorded import RecordedPlate
from sheetmbs.schema.problem_list import ProblemList


def check_needed_columns(body: SolvedBody, report: ProblemList) -> None:
    """An error for each plate that lacks one. In space all of them are needed, which is told before."""
    if body.book.dimension == "3D":
        return
    for plate in body.recorded_plates:
        missing = [f"{plate.name}.{name}" for name in _needed(body, plate)]
        if missing:
            axes = body.solved.prepared.axes
            found = f"no column {' or '.join(missing)}"
            problem = f"with {axes.up} up and {axes.forward} forward no force in the plane is known without it"
            mend = "export it too, or fill a column with 0 if that is what is meant"
            report.error("missing-columns", plate.header, found, problem, mend)


def _needed(body: SolvedBody, plate: RecordedPlate) -> Iterator[str]:
    """Names of columns that are needed and not there."""
    axes, geometry = body.solved.prepared.axes, body.geometry(plate)
    if geometry is not None and geometry.axes == "own":
        yield from (name for name in ("fz", "mx", "my") if name in plate.missing)
        return
    up, ahead = axes.up[1], axes.forward[1]
    across = next(letter for letter in "xyz" if letter not in (up, ahead))
    yield from (name for name in (f"f{up}", f"m{across}") if name in plate.missing)
    if plate.moment is None and plate.pressure is not None:
        unseen = [not np.isfinite(column).any() for column in plate.pressure.T]
        if unseen["xyz".index(ahead)] and not all(unseen):
            yield f"p{ahead}"
