"""Columns of plates that are missing, in another unit, of another meaning, or under the names of others.

A foot brakes and then pushes, which level forces tell, and rolls from its heel to its toes, which moments tell. Where a plate
has the one and not the other, its corners are right and its columns are not: exchanging them mends it.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import permutations, product

import numpy as np

from sheetmbs.gait.arrays import Mask, Vector
from sheetmbs.gait.kinetics.plate_wrenches import centre_of_pressure, plate_frame
from sheetmbs.gait.quality.checked_trials import LOADED, SolvedBody, before_toes, beside_feet, frames_in_words
from sheetmbs.gait.quality.plate_orientation import (
    MAX_FOOT_DISTANCE,
    MAX_UNLIKENESS,
    MIN_CONTACT_TIME,
    MIN_LIKENESS,
    MIN_SHARE_AFTER_TURN,
    MIN_SHARE_UNDER_FEET,
    rises,
)
from sheetmbs.gait.trial.recorded import RecordedPlate
from sheetmbs.problems.listing import sentence_list
from sheetmbs.schema.problem_list import ProblemList

MAX_FOOT_ROLL = 3.0
"""m over which a foot rolls at most"""
MAX_FREE_MOMENT_ARM = 0.15
"""m: a free moment by the vertical force; feet on a floor give less than a tenth of that"""
MAX_STILL_PRESSURE_SHIFT, MIN_ROLLING_TIME, MIN_ROLLING_FRAMES = 0.012, 0.4, 20
"""m within which no force of a foot stays in a contact of so many s and frames; transducers below the surface make some mm"""
MIN_LEAP, MAX_NOISY_FORCE = 0.050, 50.0
"""m between frames, below so many N"""
Order = tuple[int, ...]
"""columns 1 to 3 as they are meant for x, y, z; negative with the other sign"""

AS_WRITTEN: Order = (1, 2, 3)
MIN_LENGTHWISE_RATIO = 2.0
"""times as large along the walk as across it are level forces"""
MIN_LEVEL_FORCE = 0.02
"""of the weight, rms: level forces of feet that walk have 0.05 to 0.1"""
MAX_PRESSURE_DISTANCE, MIN_PRESSURE_PATH = 0.5 * MAX_FOOT_DISTANCE, 0.08
"""m from a foot within which forces act once the columns are right, and over which they run along it at least"""


def check_needed_columns(body: SolvedBody, report: ProblemList) -> None:
    """An error for each plate that lacks one. In space all of them are needed, which is reported before."""
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


def check_pressure(body: SolvedBody, report: ProblemList) -> None:
    """Errors for points metres apart and for free moments that are none; warnings for points that leap, or do not move."""
    for plate in body.recorded_plates:
        if plate.pressure is None:
            _report_far_moments(body, plate, report)
            _warn_of_still(body, plate, report)
            continue
        vertical = body.ground.plates[plate.name].raw_force @ body.up
        loaded = vertical > 0.15 * body.weight
        if not _is_far(body, plate, loaded, report) and not _is_twisted(plate, vertical, loaded, report):
            _warn_of_leaps(body, plate, report)


def _is_far(body: SolvedBody, plate: RecordedPlate, loaded: Mask, report: ProblemList) -> bool:
    points = np.empty((0, 3)) if plate.pressure is None else plate.pressure[loaded]
    points = points[np.isfinite(points).any(axis=1)]
    if len(points) < 2:
        return False
    most = _way(body, plate, points)
    if most <= MAX_FOOT_ROLL:
        return False
    found = f"{plate.name}: the centre of pressure of a contact runs over {most:.4g} m"
    problem = (
        f"a foot rolls over less than {MAX_FOOT_ROLL:g} m, and these numbers look like {'mm' if most > 30.0 else 'cm'}"
    )
    report.error("wrong-pressure-unit", plate.header, found, problem, "write their unit in row 2 of the columns")
    return True


def _report_far_moments(body: SolvedBody, plate: RecordedPlate, report: ProblemList) -> None:
    """Of moments in another unit: what the vertical force divides them by is no place on a plate."""
    points = body.pressure(plate, body.ground.plates[plate.name])
    points = points[np.isfinite(points).any(axis=1)]
    most = _way(body, plate, points) if len(points) > 1 else 0.0
    if most <= MAX_FOOT_ROLL:
        return
    found = f"{plate.name}: by its moments the centre of pressure of a contact runs over {most:.4g} m"
    meant = "N mm" if most > 30.0 else "N cm"
    problem = f"a foot rolls over less than {MAX_FOOT_ROLL:g} m, and these moments look like {meant}"
    report.error("wrong-moment-unit", plate.header, found, problem, "write their unit in row 2 of the columns")


def _warn_of_still(body: SolvedBody, plate: RecordedPlate, report: ProblemList) -> None:
    """Of moments that are next to nothing: the force of a foot that rolls stays at the plate's origin."""
    points = body.pressure(plate, body.ground.plates[plate.name])
    points = points[np.isfinite(points).all(axis=1)]
    lasting = [each.end - each.start for each in body.contacts(plate)]
    if max(lasting, default=0.0) < MIN_ROLLING_TIME or len(points) < MIN_ROLLING_FRAMES or plate.missing:
        return
    low, high = np.percentile(points, (5.0, 95.0), axis=0)
    way = float(np.linalg.norm(high - low))
    if way < MAX_STILL_PRESSURE_SHIFT:
        found = f"{plate.name}: by its moments the force of a whole contact acts within {1e3 * way:.2g} mm"
        problem = "a foot rolls over 100 mm and more: these moments are next to 0, or in another unit, such as kN m"
        mend = "write their unit in row 2 of the columns, or export moments"
        report.warning("still-pressure", plate.header, found, problem, mend)


def _way(body: SolvedBody, plate: RecordedPlate, points: Vector) -> float:
    """M over which points (k, 3) run in each contact of a plate."""
    columns = points[:, np.isfinite(points).any(axis=0)]
    low, high = np.nanpercentile(columns, (5, 95), axis=0)
    return float(np.max(high - low)) / max(len(body.contacts(plate)), 1)


def _is_twisted(plate: RecordedPlate, vertical: Vector, loaded: Mask, report: ProblemList) -> bool:
    if plate.free_moment is None or not loaded.any():
        return False
    twist = float(np.median(np.abs(np.nan_to_num(plate.free_moment[loaded])) / vertical[loaded]))
    if twist <= MAX_FREE_MOMENT_ARM:
        return False
    found = f"{plate.name}.tz is {twist:.2g} m times the vertical force"
    problem = "free moments of feet are less than a tenth of that: this looks like a moment about the plate's origin"
    mend = f"name the columns {plate.name}.mx .my .mz in place of .px .py .pz .tz, or correct the unit of tz"
    report.error("moment-for-free-moment", plate.header, found, problem, mend)
    return True


def _warn_of_leaps(body: SolvedBody, plate: RecordedPlate, report: ProblemList) -> None:
    forces = body.solved.prepared.force_time
    wrench = body.ground.plates[plate.name]
    if plate.pressure is None or forces is None:
        return
    every = max(round(forces.rate / body.courses.rate), 1)
    samples = np.arange(0, len(wrench.times), every)
    vertical, points = (wrench.raw_force @ body.up)[samples], plate.pressure[samples]
    low = (vertical > body.book.processing.threshold) & (vertical < MAX_NOISY_FORCE)
    known = np.isfinite(points).any(axis=0)
    steps = np.linalg.norm(np.diff(points[:, known], axis=0), axis=1)
    loaded = vertical > body.book.processing.threshold
    with np.errstate(invalid="ignore"):
        leaps = (steps > MIN_LEAP) & loaded[1:] & loaded[:-1] & (low[1:] | low[:-1])
    if not leaps.any():
        return
    at = np.searchsorted(body.courses.time, wrench.times[samples[1:][leaps]])
    mask = np.zeros(len(body.frames), np.bool_)
    mask[np.clip(at, 0, len(mask) - 1)] = True
    found = f"{plate.name}: the centre of pressure leaps in {frames_in_words(mask, body.frames)}"
    problem = (
        f"by more than {1e3 * MIN_LEAP:g} mm between frames below {MAX_NOISY_FORCE:g} N, where it is mostly noise; "
        "the force counts"
    )
    mend = "export moments in place of centres of pressure: their wrench needs no division"
    report.warning("leaping-pressure", plate.header, found, problem, mend)


def check_columns(body: SolvedBody, report: ProblemList) -> None:
    """An error for each plate whose level forces, or whose moments, are those of feet only once columns are exchanged."""
    if report.found({"action-for-reaction", "corners-wrong-way", "wrong-moment-unit"}) or not body.feet:
        return
    for plate in body.recorded_plates:
        contacts = body.contacts(plate)
        if (
            plate.moment is None
            or plate.missing
            or not any(each.end - each.start > MIN_CONTACT_TIME for each in contacts)
        ):
            continue
        columns = _Columns(body, plate, plate.moment)
        pushed = columns.pushed(AS_WRITTEN)
        rolled, near = columns.rolled(AS_WRITTEN, MAX_FOOT_DISTANCE)
        roll_forward = rolled >= MAX_UNLIKENESS and columns.way(AS_WRITTEN) >= 0.5 * MIN_PRESSURE_PATH
        if pushed < MAX_UNLIKENESS and roll_forward and near >= MIN_SHARE_UNDER_FEET:
            order = next((each for each in columns.level_orders() if columns.pushed(each) >= MIN_LIKENESS), None)
            _report_order(plate, "f", order, "feet roll forward on it, but do not brake first and push then", report)
        elif pushed >= MIN_LIKENESS and not roll_forward:
            order = next((each for each in _orders() if columns.roll_under_feet(each)), None)
            found = "feet brake and push on it, but its force does not run under them from heel to toes"
            _report_order(plate, "m", order, found, report)


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
        if along < max(MIN_LENGTHWISE_RATIO * across, MIN_LEVEL_FORCE * self._body.weight):
            return -1.0
        return rises(force[:, 0], self._is_loaded, self._body.courses.time)

    def roll_under_feet(self, order: Order) -> bool:
        """Whether forces run from heel to toes."""
        rolled, near = self.rolled(order, MAX_PRESSURE_DISTANCE)
        return rolled >= MIN_LIKENESS and near >= MIN_SHARE_AFTER_TURN and self.way(order) >= MIN_PRESSURE_PATH

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


def _report_order(plate: RecordedPlate, letter: str, order: Order | None, found: str, report: ProblemList) -> None:
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
