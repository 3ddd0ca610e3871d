"""Trials as checks look at them: prepared ones with their points before any filter, and solved ones with their plates."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from sheetmbs.gait.arrays import Integers, Mask, Vector
from sheetmbs.gait.feet import recorded_feet
from sheetmbs.gait.force_plate_assignment import Ground, plate_place, plate_row
from sheetmbs.gait.joint_centres import with_centres
from sheetmbs.gait.joint_courses import edge_frames
from sheetmbs.gait.kinetics.foot_of_contact import BEYOND_MT5, ContactFoot, Foot
from sheetmbs.gait.kinetics.plate_wrenches import PlateWrench, centre_of_pressure
from sheetmbs.gait.laboratory_axes import unit_of_axis
from sheetmbs.gait.prepare_trial import PreparedTrial
from sheetmbs.gait.signals.gaps import bounds
from sheetmbs.gait.solve_trial import SolvedTrial
from sheetmbs.gait.trial.gait_book import GaitBook, SegmentRow, Side
from sheetmbs.gait.trial.recorded import PlateGeometry, RecordedPlate
from sheetmbs.gait.trial.trial_courses import TrialCourses
from sheetmbs.schema.problem_list import Place, ProblemList, place_of

MAX_NAMED_RUNS = 6
"""of frames that one message names"""
LOADED = 0.15
"""of the weight, from which a plate is well loaded"""
LEVEL_AXES = (0, 2)
"""forward and to the right"""


@dataclass(frozen=True)
class RecordedBody:
    """points: markers and joint centres as recorded, short gaps filled, (n, 3) in our axes; what was not recorded is 0."""

    prepared: PreparedTrial
    book: GaitBook
    points: Mapping[str, Vector]

    def segments(self) -> Iterator[tuple[SegmentRow, Vector]]:
        """Each segment and its length (n,) in m in every frame."""
        for row in self.book.segments:
            yield row, np.linalg.norm(self.points[row.proximal] - self.points[row.distal], axis=1)

    def marker_of(self, name: str) -> int:
        """The marker by which a point is found in the workbook: itself, or the first one that it is made of."""
        labels = self.prepared.labels
        made_of = {row.name: row.markers for row in self.book.centres}
        while name not in labels:
            name = made_of[name][0]
        return labels.index(name)

    def header(self, name: str) -> Place:
        """The cell that names a point."""
        return self.prepared.trial.markers.headers[self.marker_of(name)]

    def frames(self, mask: Mask) -> str:
        """``frames 101-110, 205`` of a mask (n,)."""
        return frames_in_words(mask, self.prepared.time.frames)

    def needed(self) -> tuple[int, ...]:
        """The markers that segments need, by themselves or through joint centres."""
        wanted = self.book.made_of(name for row in self.book.segments for name in row.points)
        return tuple(index for index, label in enumerate(self.prepared.labels) if label in wanted)


def recorded_body(prepared: PreparedTrial, book: GaitBook) -> RecordedBody:
    """A trial with its points."""
    unseen = np.all(np.isnan(prepared.values), axis=2, keepdims=True)
    unseen[:, :2] = False
    unseen &= book.dimension == "2D"
    # a marker that is seen in no frame stays missing: only a direction that no camera gave is taken as 0
    is_all_unseen = np.all(np.isnan(prepared.values), axis=(1, 2))[:, None, None]
    level = np.where(unseen & ~is_all_unseen, 0.0, prepared.values)
    markers = {label: level[index].T for index, label in enumerate(prepared.labels)}
    return RecordedBody(prepared, book, with_centres(markers, book.centres, book.segments, book.dimension))


def frames_in_words(mask: Mask, frames: Integers) -> str:
    """``frames 101-110, 205`` of a mask (n,), by the file's numbers (n,)."""
    runs = bounds(mask)
    words = [f"{frames[a]}" if a == b else f"{frames[a]}-{frames[b]}" for a, b in runs[:MAX_NAMED_RUNS]]
    more = f" and {len(runs) - MAX_NAMED_RUNS} more" if len(runs) > MAX_NAMED_RUNS else ""
    return f"{'frame' if mask.sum() == 1 else 'frames'} {', '.join(words)}{more}"


def setting_place(book: GaitBook, name: str) -> Place:
    """The cell of a setting of Processing, or the sheet."""
    return place_of(book.processing.places.get(name, "Processing"))


def subject_place(book: GaitBook, name: str) -> Place:
    """The cell of a setting of Subject, or the sheet."""
    return place_of(book.subject.places.get(name, "Subject"))


@dataclass(frozen=True)
class SolvedBody:
    """A solved trial whose plates are judged. ground: it has one. standing_mass: kg that plates carry of who stands on them."""

    solved: SolvedTrial
    book: GaitBook
    ground: Ground
    standing_mass: float | None = None

    @property
    def courses(self) -> TrialCourses:
        """Courses of the quantities that are shown."""
        return self.solved.courses

    @property
    def weight(self) -> float:
        """Weight of the subject, N."""
        return self.book.subject.mass * self.book.gravity

    @property
    def frames(self) -> Integers:
        """Frame numbers as in the file."""
        return self.courses.frames

    @cached_property
    def feet(self) -> Mapping[Side, Foot]:
        """Positions of the feet in our axes."""
        return recorded_feet(self.courses.points, self.book)

    @cached_property
    def inside(self) -> Mask:
        """(n,) frames in which contacts are known, and a cut-off period or more from either end, however small ``edge`` is."""
        if not np.isfinite(self.solved.cutoffs).any():
            return ~self.courses.edge & ~self.courses.near_estimates
        how = self.book.processing
        wide = replace(self.book, processing=replace(how, edge=max(how.edge, 1.0)))
        return ~edge_frames(self.solved.prepared, wide, self.solved.cutoffs) & ~self.courses.near_estimates

    @property
    def recorded_plates(self) -> tuple[RecordedPlate, ...]:
        """Plates as they stand in the workbook, on which feet may stand."""
        forces = self.solved.prepared.trial.forces
        rows = {} if forces is None else {plate.name: plate_row(plate, self.book) for plate in forces.plates}
        held = {name for name, row in rows.items() if row is not None and row.is_of_hand}
        return () if forces is None else tuple(plate for plate in forces.plates if plate.name not in held)

    @property
    def up(self) -> Vector:
        """(3,) in axes of the laboratory."""
        return unit_of_axis(self.solved.prepared.axes.up)

    def ours(self, vectors: Vector) -> Vector:
        """Vectors (n, 3) of the laboratory in our axes."""
        return self.solved.prepared.axes.apply(vectors)

    def geometry(self, plate: RecordedPlate) -> PlateGeometry | None:
        """Where a plate lies."""
        return plate_place(plate, self.solved.prepared, self.book)

    def contacts(self, plate: RecordedPlate) -> list[ContactFoot]:
        """Contacts of a plate, in their order."""
        return [each for each in self.ground.of_contacts if each.plate == plate.name]

    def during(self, contact: ContactFoot) -> Mask:
        """(n,) frames of a contact."""
        return (self.courses.time >= contact.start) & (self.courses.time <= contact.end)

    def loaded(self, wrench: PlateWrench) -> Mask:
        """(n,) frames in which a plate is well loaded."""
        return np.nan_to_num(wrench.force @ self.up) > LOADED * self.weight

    def pressure(self, plate: RecordedPlate, wrench: PlateWrench) -> Vector:
        """(n, 3) in our axes where the plate is well loaded, wherever that is."""
        geometry = self.geometry(plate)
        corners = None if geometry is None else geometry.corners
        height = 0.0 if corners is None else float(np.mean(corners @ self.up))
        points, _ = centre_of_pressure(wrench.force, wrench.moment, self.up, height, LOADED * self.weight)
        return self.ours(points)

    def plate_cell(self, plate: RecordedPlate, column: str) -> Place:
        """The cell of a column of Plates about a plate, else that which names the plate where its forces stand."""
        row = plate_row(plate, self.book)
        cell = "" if row is None else row.cells.get(column, "")
        return place_of(cell) if "!" in cell else plate.header


def solved_body(solved: SolvedTrial, book: GaitBook, standing_mass: float | None = None) -> SolvedBody | None:
    """A trial whose plates can be judged; None without plates."""
    return None if solved.ground is None else SolvedBody(solved, book, solved.ground, standing_mass)


def is_reported(plate: RecordedPlate, codes: Collection[str], report: ProblemList) -> bool:
    """Whether a problem with one of these codes has been found on a plate."""
    return any((each.found or "").startswith(f"{plate.name}:") for each in report.found(codes))


def beside_foot(pressure: Vector, foot: Foot) -> Vector:
    """(n,) m from points (n, 3) to the line from the heel to the tip of the toes, in the level directions that are known."""
    known = [k for k in LEVEL_AXES if all(np.isfinite(each[:, k]).any() for each in (pressure, foot.heel, foot.toe))]
    point, heel, toe = (each[:, known] for each in (pressure, foot.heel, foot.toe))
    line = toe - heel
    length = np.maximum(np.linalg.norm(line, axis=1), 1e-9)
    tip = length + (0.0 if foot.is_toe else BEYOND_MT5)
    along = np.einsum("nk,nk->n", point - heel, line) / length
    nearest = heel + (np.clip(along, 0.0, tip) / length)[:, None] * line
    return np.asarray(np.linalg.norm(point - nearest, axis=1))


def beside_feet(pressure: Vector, feet: Mapping[Side, Foot]) -> Vector:
    """(n,) m from points (n, 3) to the nearer foot; NaN where the points are."""
    if not feet:
        return np.full(len(pressure), np.nan)
    return np.asarray(np.min([beside_foot(pressure, foot) for foot in feet.values()], axis=0))


def before_toes(pressure: Vector, feet: Mapping[Side, Foot]) -> Vector:
    """(n,) m by which points (n, 3) lie forward of the toes of the nearer foot, which a moving belt carries along."""
    away = np.stack([beside_foot(pressure, foot) for foot in feet.values()])
    nearest = np.argmin(np.nan_to_num(away, nan=np.inf), axis=0)
    toes = np.stack([foot.toe[:, 0] for foot in feet.values()])
    return np.asarray(pressure[:, 0] - toes[nearest, np.arange(len(pressure))])


def foot_speed(foot: Foot, rate: float) -> Vector:
    """(n,) m/s: the mean of heel and toe."""
    speeds = []
    for points in (foot.heel, foot.toe):
        known = np.isfinite(points).any(axis=0)
        speeds.append(np.linalg.norm(np.gradient(points[:, known], 1.0 / rate, axis=0), axis=1))
    return np.asarray(np.mean(speeds, axis=0))
