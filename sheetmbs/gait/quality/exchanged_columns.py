"""Columns of a plate under the names of others, or with the other sign: level forces and moments that do not fit each other.

A foot brakes and then pushes, which level forces tell, and rolls from its heel to its toes, which moments tell. Where a plate
has the one and not the other, its corners are right and its columns are not: exchanging them mends it.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import permutations, product

import numpy as np
from numpy.typing import NDArray

from sheetmbs.gait.kinetics.plate_wrenches import centre_of_pressure, plate_frame
from sheetmbs.gait.quality.force_sense import ALIKE, rises
from sheetmbs.gait.quality.plate_axes import CLEARLY, MAX_FOOT_DISTANCE, MOSTLY
from sheetmbs.gait.quality.solved_body import LOADED, SolvedBody
from sheetmbs.gait.quality.turned_plates import SHORTEST, UNLIKE
from sheetmbs.gait.quality.under_feet import before_toes, beside_feet
from sheetmbs.gait.trial.recorded import RecordedPlate
from sheetmbs.problems.listing import sentence_list
from sheetmbs.schema.problem_list import ProblemList

Vector = NDArray[np.float64]
Order = tuple[int, ...]
"""columns 1 to 3 as they are meant for x, y, z; negative with the other sign"""

AS_WRITTEN: Order = (1, 2, 3)
LENGTHWISE = 2.0
"""times as large along the walk as across it are level forces"""
MIN_LEVEL_FORCE = 0.02
"""of the weight, rms: level forces of feet that walk have 0.05 to 0.1"""
CLOSE, FARTHER = 0.5 * MAX_FOOT_DISTANCE, 0.08
"""m from a foot within which forces act once the columns are right, and over which they run along it at least"""


def check_columns(body: SolvedBody, report: ProblemList) -> None:
    """An error for each plate whose level forces, or whose moments, are those of feet only once columns are exchanged."""
    if report.found({"action-for-reaction", "corners-wrong-way", "wrong-moment-unit"}) or not body.feet:
        return
    for plate in body.recorded_plates:
        contacts = [each for each in body.ground.of_contacts if each.plate == plate.name]
        if plate.moment is None or plate.missing or not any(each.end - each.start > SHORTEST for each in contacts):
            continue
        columns = _Columns(body, plate, plate.moment)
        pushed = columns.pushed(AS_WRITTEN)
        rolled, near = columns.rolled(AS_WRITTEN, MAX_FOOT_DISTANCE)
        roll_forward = rolled >= UNLIKE and columns.way(AS_WRITTEN) >= 0.5 * FARTHER
        if pushed < UNLIKE and roll_forward and near >= MOSTLY:
            order = next((each for each in columns.level_orders() if columns.pushed(each) >= ALIKE), None)
            _tell(plate, "f", order, "feet roll forward on it, but do not brake first and push then", report)
        elif pushed >= ALIKE and not roll_forward:
            order = next((each for each in _orders() if columns.roll_under_feet(each)), None)
            found = "feet brake and push on it, but its force does not run under them from heel to toes"
            _tell(plate, "m", order, found, report)


class _Columns:
    """The columns of a plate at the frames, to be read in several orders."""

    def __init__(self, body: SolvedBody, plate: RecordedPlate, moment: Vector) -> None:
        wrench, geometry = body.ground.plates[plate.name], body.geometry(plate)
        self._body, self._sense = body, -1.0 if geometry is not None and geometry.sign == "action" else 1.0
        self._axes, self._arm = plate_frame(geometry)
        self._height = (
            0.0 if geometry is None or geometry.corners is None else float(np.mean(geometry.corners @ body.up))
        )
        own = np.hstack((np.nan_to_num(plate.force), np.nan_to_num(moment))) - wrench.zero
        frames = np.column_stack([np.interp(body.courses.time, wrench.times, each) for each in own.T])
        self._force, self._moment = self._sense * frames[:, :3], self._sense * frames[:, 3:]
        self._is_loaded = self._force @ self._axes.T @ body.up > LOADED * body.weight

    def level_orders(self) -> Iterator[Order]:
        """Orders of columns that leave the vertical force alone."""
        vertical = int(np.argmax(np.abs(self._axes.T @ self._body.up)))
        return (order for order in _orders() if order[vertical] == AS_WRITTEN[vertical])

    def pushed(self, order: Order) -> float:
        """How steadily feet that brake come to push (a correlation with time); -1 where forces along the walk are too small."""
        force = self._body.ours(_in_order(self._force, order) @ self._axes.T)
        along, _up, across = np.std(force[self._is_loaded], axis=0) if self._is_loaded.any() else np.zeros(3)
        if along < max(LENGTHWISE * across, MIN_LEVEL_FORCE * self._body.weight):
            return -1.0
        return rises(force[:, 0], self._is_loaded, self._body.courses.time)

    def roll_under_feet(self, order: Order) -> bool:
        """Whether forces run from heel to toes."""
        rolled, near = self.rolled(order, CLOSE)
        return rolled >= ALIKE and near >= CLEARLY and self.way(order) >= FARTHER

    def rolled(self, order: Order, near: float) -> tuple[float, float]:
        """How steadily forces run towards the toes, and in which part of the frames they act within ``near`` m of a foot."""
        where = self._points(order)
        away = beside_feet(where, self._body.feet)
        seen = np.isfinite(away)
        if not seen.any():
            return 0.0, 0.0
        course = before_toes(where, self._body.feet)
        return rises(course, seen, self._body.courses.time), float(np.mean(away[seen] <= near))

    def way(self, order: Order) -> float:
        """M over which forces run towards the toes."""
        course = before_toes(self._points(order), self._body.feet)
        course = course[np.isfinite(course)]
        return float(np.ptp(np.percentile(course, (5.0, 95.0)))) if len(course) else 0.0

    def _points(self, order: Order) -> Vector:
        """(n, 3) where the force of each frame acts, in our axes; NaN where the plate is not loaded."""
        force = self._force @ self._axes.T
        moment = _in_order(self._moment, order) @ self._axes.T + np.cross(self._arm, force)
        points, _ = centre_of_pressure(force, moment, self._body.up, self._height, LOADED * self._body.weight)
        return self._body.ours(points)


def _orders() -> Iterator[Order]:
    """All but the written one, the plainest first: two columns exchanged or one with the other sign, then more of that."""
    signs = list(product((1, -1), repeat=3))
    found = [
        tuple(a * b for a, b in zip(each, sign, strict=True)) for each in permutations(AS_WRITTEN) for sign in signs
    ]
    return iter(sorted(found, key=_steps)[1:])


def _steps(order: Order) -> int:
    """How many exchanges and other signs lead there."""
    moved = sum(abs(a) != b for a, b in zip(order, AS_WRITTEN, strict=True))
    return moved // 2 + moved // 3 + sum(a < 0 for a in order)


def _in_order(columns: Vector, order: Order) -> Vector:
    """Columns (n, 3) as they are meant."""
    return columns[:, np.abs(order) - 1] * np.sign(order)


def _tell(plate: RecordedPlate, letter: str, order: Order | None, found: str, report: ProblemList) -> None:
    if order is None:
        return
    moved = [f"{letter}{axis}" for axis, a, b in zip("xyz", order, AS_WRITTEN, strict=True) if abs(a) != b]
    turned = [f"{letter}{axis}" for axis, a in zip("xyz", order, strict=True) if a < 0]
    words = [f"{sentence_list(moved)} {'exchanged' if len(moved) == 2 else 'in another order'}"] if moved else []
    words += [f"{sentence_list(turned)} of the other sign"] if turned else []
    report.error(
        "exchanged-columns",
        plate.header,
        f"{plate.name}: {found}",
        f"with {' and '.join(words)} they do",
        "correct the names of its columns or their signs, or export them again; nothing is exchanged here",
    )
