"""Every independent error of a workbook as a small change of its trials, one standard deviation large.

A marker is misplaced by a constant offset in axes of its segment: of the segment that names it proximal, else distal, else
whose cluster holds it, else whose ends are made from it. In space these are the anatomical axes, in the plane the line of
the segment and the direction across it. The standing trial of the session has the same misplaced markers.

Skin moves all markers of a segment along its line by A (q - mean q)/sd q, with q the flexion at its upper joint.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from sheetmbs.gait.arrays import Vector
from sheetmbs.gait.body.body_segments import Points, StandingTrial
from sheetmbs.gait.conventional.body_rows import PELVIS
from sheetmbs.gait.joint_courses import follow_in_space
from sheetmbs.gait.kinematics.clustered_segments import SegmentsInSpace
from sheetmbs.gait.prepare_trial import PreparedTrial
from sheetmbs.gait.signals.derivatives import at_rest
from sheetmbs.gait.solve_trial import SolvedTrial
from sheetmbs.gait.trial.disturbance import UNDISTURBED, Disturbance, Disturbed, change
from sheetmbs.gait.trial.error_sources import deviation
from sheetmbs.gait.trial.gait_book import SIDES, GaitBook, SegmentRow, Side
from sheetmbs.schema.gait_inputs import CentreKind
from sheetmbs.schema.uncertainty_inputs import SourceKind

REGRESSIONS = (CentreKind.DAVIS, CentreKind.HARRINGTON, CentreKind.BELL)
"""kinds of joint centres whose rule has an error of its own"""


@dataclass(frozen=True, eq=False)
class GaitSession:
    """The solved trials of a workbook. static, standing: the standing trial and what it gives, None and nothing without one."""

    book: GaitBook
    trials: Sequence[SolvedTrial]
    static: PreparedTrial | None
    standing: StandingTrial

    @cached_property
    def standing_segments(self) -> SegmentsInSpace:
        """Segments in space as they stand."""
        return follow_in_space(self.standing.points, self.standing, self.trials[0].segments, self.book, at_rest)


@dataclass(frozen=True, eq=False)
class ErrorDirection:
    """One error. kind: word of its source. trials: what it changes in each trial, by index. standing: in the standing trial.

    side: that alone feels it, None both may.
    """

    kind: str
    trials: Mapping[int, Disturbance]
    side: Side | None = None
    standing: Disturbance = field(default=UNDISTURBED)

    def times(self, factor: float) -> ErrorDirection:
        """The error so many times as large."""
        trials = {number: each.times(factor) for number, each in self.trials.items()}
        return ErrorDirection(self.kind, trials, self.side, self.standing.times(factor))


def sum_of(directions: Sequence[ErrorDirection], factors: Vector) -> ErrorDirection:
    """Errors together, each so many times as large."""
    trials: dict[int, Disturbance] = {}
    standing = UNDISTURBED
    for direction, factor in zip(directions, factors, strict=True):
        if factor:
            standing = standing.plus(direction.standing.times(float(factor)))
            for number, each in direction.trials.items():
                trials[number] = trials.get(number, UNDISTURBED).plus(each.times(float(factor)))
    return ErrorDirection("", trials, standing=standing)


def error_directions(solved: GaitSession) -> list[ErrorDirection]:
    """All errors but noise, of which there are too many: markers, centres, mass and the like once, others in each trial."""
    book = solved.book
    found = [*_placements(solved), *_centres(solved)]
    for word, what in (
        (SourceKind.MASS, Disturbed.MASS),
        (SourceKind.COM, Disturbed.COM),
        (SourceKind.GYRATION, Disturbed.GYRATION),
    ):
        for row in book.segments:
            sd = deviation(book.errors, word, (row.name,), row.table)
            if sd:
                found.append(_shared(solved, word, change(what, row.name, sd), row.side))
    cutoff = deviation(book.errors, SourceKind.CUTOFF, ())
    if cutoff:
        found.append(_shared(solved, SourceKind.CUTOFF, change(Disturbed.CUTOFF, "", cutoff)))
    for number, trial in enumerate(solved.trials):
        for kind, each, side in (*_skin(trial, book), *_plates(trial, book)):
            found.append(ErrorDirection(kind, {number: each}, side))
    return found


def _shared(solved: GaitSession, word: str, disturbance: Disturbance, side: Side | None = None) -> ErrorDirection:
    """An error that is the same in all trials of a session."""
    return ErrorDirection(word, dict.fromkeys(range(len(solved.trials)), disturbance), side)


def _placements(solved: GaitSession) -> Iterator[ErrorDirection]:
    book = solved.book
    ends = [name for row in book.segments for name in row.points]
    ends += [name for row in book.frames for name in (*row.ends, row.plane, row.origin)]
    static = solved.static
    labels = {label for trial in solved.trials for label in trial.prepared.labels}
    labels |= set(() if static is None else static.labels)
    for marker in book.made_of(ends):
        if marker in labels:
            home = book.home_of(marker)
            owners = (marker, *(() if home is None else (home.name,)))
            table = None if home is None else home.table
            sd = deviation(book.errors, SourceKind.PLACEMENT, owners, table)
            if sd:
                yield from _along_axes(solved, SourceKind.PLACEMENT, Disturbed.MARKER, marker, home, sd)


def _centres(solved: GaitSession) -> Iterator[ErrorDirection]:
    for row in solved.book.centres:
        sd = deviation(solved.book.errors, SourceKind.CENTRE, (row.name,))
        if row.kind in REGRESSIONS and sd:
            home = solved.book.home_of(row.name)
            yield from _along_axes(solved, SourceKind.CENTRE, Disturbed.CENTRE, row.name, home, sd)


def _along_axes(
    solved: GaitSession, word: str, what: str, name: str, home: SegmentRow | None, sd: float
) -> Iterator[ErrorDirection]:
    """A constant offset of a point along each axis of a segment, in all trials and the standing one."""
    static, is_pelvic = solved.static, what == Disturbed.MARKER and _is_on_pelvis(solved.book, name)
    if is_pelvic:
        axes = [everywhere(trial.in_space.massless[PELVIS].rotation) for trial in solved.trials if trial.in_space]
        standing = None if static is None else everywhere(solved.standing_segments.massless[PELVIS].rotation)
    else:
        axes = [segment_axes(trial, solved.book, home) for trial in solved.trials]
        standing = None if static is None else standing_axes(solved, home)
    for axis in range(axes[0].shape[2]):
        trials = {
            number: change(what, name, sd * each[:, :, axis])
            if what == Disturbed.CENTRE or name in trial.prepared.labels
            else change(Disturbed.STANDING, "", 1.0)
            for number, (each, trial) in enumerate(zip(axes, solved.trials, strict=True))
        }
        still = UNDISTURBED if standing is None else change(what, name, sd * standing[:, :, axis])
        yield ErrorDirection(word, trials, side_that_feels(solved.book, name), still)


def _is_on_pelvis(book: GaitBook, label: str) -> bool:
    """Whether a marker sits on the pelvis of the conventional gait model, which is no segment of its own there."""
    model = book.conventional
    return model is not None and label in {model.of("right asis"), model.of("left asis"), *model.backs}


def side_that_feels(book: GaitBook, point: str) -> Side | None:
    """The side of all segments that are made from a point; None where it is part of both, or of none."""
    sides = {row.side for row in book.segments if point in book.made_of(row.points)}
    return next(iter(sides)) if len(sides) == 1 else None


def _is_worn(book: GaitBook, label: str, row: SegmentRow) -> bool:
    """Whether a marker sits on a segment, and not on the pelvis, from which centres of both hips are made."""
    legs = {each.side for each in book.segments if label in book.made_of(each.points)} - {None}
    return len(legs) < len(SIDES) or label in {row.proximal, row.distal, *row.markers}


def segment_axes(trial: SolvedTrial, book: GaitBook, row: SegmentRow | None) -> Vector:
    """(n, 3, axes) of a segment; those of the laboratory where a point belongs to none."""
    if row is None:
        return np.tile(np.eye(3)[:, : 3 if book.dimension == "3D" else 2], (len(trial.courses.time), 1, 1))
    if trial.in_space is not None:
        return everywhere(trial.in_space.segments[row.name].rotation)
    return everywhere(_planar_axes(trial.courses.points, row))


def standing_axes(solved: GaitSession, row: SegmentRow | None) -> Vector:
    """(k, 3, axes) of a segment in the standing trial."""
    book, standing = solved.book, solved.standing
    count = len(next(iter(standing.points.values())))
    if row is None:
        return np.tile(np.eye(3)[:, : 3 if book.dimension == "3D" else 2], (count, 1, 1))
    if book.dimension == "3D":
        return everywhere(solved.standing_segments.segments[row.name].rotation)
    return everywhere(_planar_axes(standing.points, row))


def _planar_axes(points: Points, row: SegmentRow) -> Vector:
    """(n, 3, 2) across and along a segment in the plane."""
    along = (points[row.proximal] - points[row.distal])[:, :2]
    along = along / np.linalg.norm(along, axis=1, keepdims=True)
    across = np.column_stack((along[:, 1], -along[:, 0]))
    axes = np.stack((across, along), axis=2)
    return np.concatenate((axes, np.zeros((len(axes), 1, 2))), axis=1)


def everywhere(axes: Vector) -> Vector:
    """Axes (n, ..) that are known in every frame: those of the nearest frame where they are not."""
    known = np.flatnonzero(np.isfinite(axes).reshape(len(axes), -1).all(axis=1))
    if not len(known):
        return np.zeros(axes.shape)
    nearest = known[np.argmin(np.abs(np.arange(len(axes))[:, None] - known), axis=1)]
    return np.asarray(axes[nearest])


def _skin(trial: SolvedTrial, book: GaitBook) -> Iterator[tuple[str, Disturbance, Side | None]]:
    points = trial.courses.points
    for joint in book.joints:
        row = next((each for each in book.segments if each.name == joint.distal), None)
        sd = None if row is None else deviation(book.errors, SourceKind.SKIN, (row.name,), row.table)
        course = trial.courses.joints.get(joint.label, {}).get("angle")
        if row is None or not sd or course is None:
            continue
        spread = float(np.nanstd(course)) if np.isfinite(course).any() else 0.0
        if not spread > 0.0:
            continue
        swing = np.nan_to_num((course - np.nanmean(course)) / spread)
        line = points[row.line[1]] - points[row.line[0]]
        if book.dimension == "2D":
            line = np.column_stack((line[:, :2], np.zeros(len(line))))
        line = everywhere(line / np.linalg.norm(line, axis=1, keepdims=True))
        shift = sd * swing[:, None] * line
        moved = Disturbance(
            {
                (Disturbed.MARKER, label): shift
                for label in trial.prepared.labels
                if (home := book.home_of(label)) is not None and home.name == row.name and _is_worn(book, label, row)
            }
        )
        if moved.parts:
            # a marker at the end of a thigh may be one of the trunk too, which the other hip feels
            sides = {side_that_feels(book, label) for _what, label in moved.parts}
            yield SourceKind.SKIN, moved, sides.pop() if len(sides) == 1 else None


def _plates(trial: SolvedTrial, book: GaitBook) -> Iterator[tuple[str, Disturbance, Side | None]]:
    """Errors of forces: where they act, how large they are, and when."""
    if trial.ground is None:
        return
    if book.dimension == "2D":
        for side in book.subject.sides:
            sd = deviation(book.errors, SourceKind.PLATE_POINT, (side,))
            if sd:
                yield SourceKind.PLATE_POINT, change(Disturbed.FOOT_SHIFT, side, sd), side
    for plate in trial.ground.plates:
        sd = deviation(book.errors, SourceKind.PLATE_POINT, (plate,))
        if sd and book.dimension == "3D":
            for axis in (0, 2):
                yield SourceKind.PLATE_POINT, change(Disturbed.PLATE_SHIFT, plate, sd * np.eye(3)[axis]), None
        gain = deviation(book.errors, SourceKind.PLATE_GAIN, (plate,))
        if gain:
            yield SourceKind.PLATE_GAIN, change(Disturbed.PLATE_GAIN, plate, gain), None
    delay = deviation(book.errors, SourceKind.DELAY, ())
    if delay:
        yield SourceKind.DELAY, change(Disturbed.DELAY, "", delay), None
