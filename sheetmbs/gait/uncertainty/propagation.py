"""Uncertainty of courses by exact linear propagation: each error through the whole chain, with gaps and events held.

The variance of a result is the sum over independent errors of the square of its change by one standard deviation of each.
Errors that trials of a session share add up within a mean over strides before they are squared; others shrink with the number
of trials, and noise with that of strides.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property, partial

import numpy as np

from sheetmbs.gait.arrays import Mask, Vector
from sheetmbs.gait.body.body_segments import StandingTrial
from sheetmbs.gait.kinetics.joint_loads import JointLoads, cross
from sheetmbs.gait.sheets.believed_values import BelievedValue, CurveReading
from sheetmbs.gait.sheets.gait_columns import AXIAL_COLUMNS, BELIEVED, JOINT, SUPPORT
from sheetmbs.gait.sheets.gait_presentation import GaitPresentation, PresentedQuantity, with_support
from sheetmbs.gait.signals.derivatives import Rates, derivative_operator, derivatives
from sheetmbs.gait.signals.low_pass import low_pass
from sheetmbs.gait.solve_trial import (
    Choices,
    SolvedAgain,
    disturbed_inputs,
    loads_of_legs,
    solve_again,
    stand,
    vary_joints,
)
from sheetmbs.gait.strides.strides import Stride, in_means, side_of
from sheetmbs.gait.strides.summary_items import SummaryItem, peaks_of
from sheetmbs.gait.trial.disturbance import Disturbance, Disturbed
from sheetmbs.gait.trial.gait_book import SIDES, Side
from sheetmbs.gait.trial.trial_courses import TrialCourses
from sheetmbs.gait.uncertainty.body_tangents import SpatialTangents, TrialTangent, planar_tangent
from sheetmbs.gait.uncertainty.curve_readings import correlation, sampled
from sheetmbs.gait.uncertainty.curved_peaks import TrialErrors, WindowedPeak, bends, can_be_windowed
from sheetmbs.gait.uncertainty.error_directions import (
    ErrorDirection,
    GaitSession,
    error_directions,
    side_that_feels,
    sum_of,
)
from sheetmbs.gait.uncertainty.load_tangents import ChangedCourses
from sheetmbs.gait.uncertainty.marker_noise import marker_noise
from sheetmbs.gait.uncertainty.noise_response import MAX_SAMPLES, LocalResponse, local_response
from sheetmbs.gait.uncertainty.spatial_changes import Shown, noise_responses, spatial_changes, together_by_side
from sheetmbs.schema.uncertainty_inputs import SOURCE_WORDS, SourceKind

STEP = 1e-3
"""part of a standard deviation by which inputs are changed: so little that results change in proportion"""


class Propagation:
    """The uncertainty of all shown courses of joints of a solved workbook. Values are as they are shown."""

    def __init__(self, solved: GaitSession, gait: GaitPresentation) -> None:
        self.gait = gait
        self.columns: tuple[PresentedQuantity, ...] = tuple(
            each
            for each in gait.quantities
            if (each.owner in (JOINT, SUPPORT) and each.quantity in BELIEVED)
            or each.quantity in dict(AXIAL_COLUMNS.get(each.owner, ()))
            if any(gait.course(trial, each) is not None for trial in gait.trials)
        )
        self.session = self._solved = solved
        whole = all(trial.courses.residual is not None for trial in solved.trials)
        self.residuals: tuple[str, ...] = tuple(solved.trials[0].courses.residual or ()) if whole else ()
        """parts of what nobody applies to the whole body, in rows after those of the columns, in SI"""
        self._rows = {each.key: row for row, each in enumerate(self.columns)}
        self._means: dict[tuple[str, str], Vector | None] = {}
        self._strides: dict[tuple[int, float, float, bytes], tuple[slice, Vector] | None] = {}
        self._noises: dict[tuple[int, int], Vector] = {}
        self._peaks: dict[tuple[str, str, str, str], tuple[Vector, float] | None] = {}
        processing = solved.book.processing
        self._choices = Choices(processing.force_cutoff, delay=processing.force_delay)

    @cached_property
    def directions(self) -> list[ErrorDirection]:
        """All errors but noise, of which there is one for each sample."""
        return error_directions(self._solved)

    @cached_property
    def _present(self) -> list[list[int]]:
        """Numbers of the errors of each trial: what is drawn once a trial is nothing in all others."""
        trials = range(len(self._solved.trials))
        return [[number for number, each in enumerate(self.directions) if trial in each.trials] for trial in trials]

    @cached_property
    def changes(self) -> list[Vector]:
        """(present, columns, n) of each trial: the change of each course by one standard deviation of each error it has."""
        if self._in_space:
            return self._spatial_changes()
        return self._planar[0]

    @cached_property
    def _planar(self) -> tuple[list[Vector], list[dict[int, TrialTangent]]]:
        """Changes in the plane, and tangents of markers and forces of each trial."""
        solved, book = self._solved, self._solved.book
        changes = [np.zeros((len(own), *base.shape)) for own, base in zip(self._present, self._base, strict=True)]
        tangents: list[dict[int, TrialTangent]] = [{} for _trial in solved.trials]
        for numbers in together_by_side([self._side(each.side) for each in self.directions]):
            errors = [self.directions[number] for number in numbers]
            error = sum_of(errors, np.full(len(errors), STEP))
            standing = self._standing(error)
            for number, disturbance in error.trials.items():
                trial = solved.trials[number]
                inputs = disturbed_inputs(trial, book, standing, self._choices, disturbance)
                values = (
                    self._differences(number, solve_again(trial, book, standing, inputs, self._rates[number])) / STEP
                )
                both = planar_tangent(trial, book, inputs)
                for direction, side in numbers.items():
                    own = self.directions[direction].trials.get(number)
                    if own is not None:
                        changes[number][self._present[number].index(direction)] = self._felt(values, side)
                        tangents[number][direction] = both.of_side(side, self._sides, own.of(Disturbed.MARKER))
        return changes, tangents

    @cached_property
    def _sides(self) -> dict[str, Side | None]:
        """Of each segment."""
        return {row.name: row.side for row in self._solved.book.segments}

    @cached_property
    def _in_space(self) -> list[SpatialTangents]:
        """Of each trial in space; none in the plane."""
        solved = self._solved
        if solved.book.dimension != "3D":
            return []
        return [SpatialTangents(each, solved.book, solved.standing, self._choices) for each in solved.trials]

    @cached_property
    def _tangents(self) -> list[dict[int, TrialTangent]]:
        """Of each trial by the number of the error."""
        if not self._in_space:
            return self._planar[1]
        tangents: list[dict[int, TrialTangent]] = [{} for _trial in self._solved.trials]
        for numbers in together_by_side([self._side(each.side) for each in self.directions]):
            error = sum_of([self.directions[number] for number in numbers], np.ones(len(numbers)))
            standing = self._standing(error.times(STEP))
            for trial, disturbance in error.trials.items():
                both = self._in_space[trial].of(disturbance, standing)
                for number, side in numbers.items():
                    own = self.directions[number].trials.get(trial)
                    if own is not None:
                        tangents[trial][number] = both.of_side(side, self._sides, own.of(Disturbed.MARKER))
        return tangents

    def _spatial_changes(self) -> list[Vector]:
        found = []
        for trial, base in enumerate(self._base):
            changes = np.zeros((len(self._present[trial]), *base.shape))
            own = spatial_changes(
                self._tangents[trial],
                self._in_space[trial],
                self._solved.book,
                self._derivatives(trial),
                self._changes_shown(trial),
            )
            for number, values in own.items():
                changes[self._present[trial].index(number)] = values
            changes[:, np.isnan(base)] = np.nan
            found.append(changes)
        return found

    def _standing(self, direction: ErrorDirection) -> StandingTrial:
        """What the standing trial gives with an error."""
        static = self._solved.static
        if not direction.standing.parts or static is None:
            return self._solved.standing
        return stand(static, self._solved.book, direction.standing)

    def _derivatives(self, trial: int) -> Rates:
        courses, kind = self._solved.trials[trial].courses, self._solved.book.processing.derivative
        return self._rates[trial] or partial(derivatives, rate=courses.rate, kind=kind)

    def _changes_shown(self, number: int) -> Shown:
        """How changes of courses of joints are shown: in proportion to the courses."""
        trial = self._solved.trials[number].courses

        def shown(changed: ChangedCourses) -> Vector:
            own = with_support(replace(trial, joints=changed.joints), self.gait.book, self.gait.signs)
            some = next(iter(changed.joints.values()))["angle"]
            found = (self.gait.course(own, each) for each in self.columns)
            left = [] if changed.residual is None or not self.residuals else list(np.moveaxis(changed.residual, 2, 0))
            return np.array([*(np.zeros(some.shape) if values is None else values for values in found), *left])

        return shown

    @cached_property
    def noise(self) -> list[Vector]:
        """(columns, n) of each trial: the variance by noise of markers."""
        return [self._noise(number, base) for number, base in enumerate(self._base)]

    def of_course(self, trial: int, each: PresentedQuantity) -> Vector | None:
        """(n,) standard uncertainty of a course of a trial; None where it has none."""
        row = self._rows.get(each.key)
        if row is None:
            return None
        variance = np.sum(self.changes[trial][:, row] ** 2, axis=0) + self.noise[trial][row]
        return np.asarray(np.sqrt(variance))

    def of_mean(self, each: PresentedQuantity) -> Vector | None:
        """(points,) standard uncertainty of the mean over strides."""
        # its sheet, its chart and the clinical table ask for the same mean
        if each.key not in self._means:
            self._means[each.key] = self._uncertainty_of_mean(each)
        return self._means[each.key]

    def _uncertainty_of_mean(self, each: PresentedQuantity) -> Vector | None:
        row, curves = self._rows.get(each.key), self.gait.curves.get(each.key)
        if row is None or curves is None:
            return None
        counts, points = in_means(curves), curves.values.shape[1]
        n = np.maximum(counts.sum(axis=0), 1)
        mean, noise = np.zeros((len(self.directions), points)), np.zeros(points)
        for stride, counted in zip(curves.strides, counts, strict=True):
            number = stride.trial
            found = self._sampled(number, row, stride.start, stride.end, points)
            if found is not None:
                frames, at = found
                mean[self._present[number]] += np.where(counted, self.changes[number][:, row, frames] @ at, 0.0) / n
                noise += np.where(counted, np.maximum(self.noise[number][row, frames] @ at, 0.0), 0.0) / n**2
        u = np.sqrt(np.sum(mean**2, axis=0) + noise)
        return np.where(counts.any(axis=0), u, np.nan)

    def items(self, items: Sequence[SummaryItem]) -> list[SummaryItem]:
        """Items of the summary, peaks with their uncertainties."""
        found = {id(each): self._peak_changes(each) for each in items if each.quantity}
        return [
            replace(each, u=float(np.sqrt(np.sum(known[0] ** 2) + known[1])) / self._scale(each))
            if (known := found.get(id(each))) is not None
            else each
            for each in items
        ]

    def _scale(self, item: SummaryItem) -> float:
        """How large one of SI is in a shown course."""
        return abs(self.columns[self._rows[self._key(item)]].shown.factor)

    def of_peak(self, item: SummaryItem) -> BelievedValue | None:
        """A peak of the summary with its uncertainty; None where its course has none."""
        found = self._peak_changes(item)
        if found is None:
            return None
        factor = self.columns[self._rows[self._key(item)]].shown.factor
        return BelievedValue(factor * item.value, self._by_source(*found))

    def of_difference(self, one: SummaryItem, other: SummaryItem) -> BelievedValue | None:
        """One peak less another: what both share cancels."""
        first, second = self._peak_changes(one), self._peak_changes(other)
        if first is None or second is None:
            return None
        factors = [self.columns[self._rows[self._key(each)]].shown.factor for each in (one, other)]
        value = factors[0] * one.value - factors[1] * other.value
        return BelievedValue(value, self._by_source(first[0] - second[0], first[1] + second[1]))

    def of_peak_between(
        self, item: SummaryItem, one: Sequence[Stride], other: Sequence[Stride]
    ) -> BelievedValue | None:
        """A mean peak over some strides less that over others: what a session shares cancels."""
        first, second = (self._changes_of_peak(item, strides) for strides in (one, other))
        if first is None or second is None:
            return None
        means = [
            np.mean([peak.value for _, peak in peaks_of(self.gait.trials, strides, item)]) for strides in (one, other)
        ]
        factor = self.columns[self._rows[self._key(item)]].shown.factor
        return BelievedValue(
            factor * float(means[0] - means[1]), self._by_source(first[0] - second[0], first[1] + second[1])
        )

    def of_readings(self, parts: Sequence[CurveReading]) -> float | None:
        """Standard uncertainty of a value that is a sum over curves of strides; None where it is not known of one of them.

        Noise of frames goes together as behind the low-pass filter, and that of different courses not at all: so for
        moments and powers, in which derivatives of noise cancel over time, the noise of means and of work is too large.
        """
        changes, noise = np.zeros(len(self.directions)), 0.0
        names = {trial.trial: number for number, trial in enumerate(self.gait.trials)}
        for part in parts:
            number, row = names.get(part.trial), self._rows.get(part.key)
            found = None
            if number is not None and row is not None:
                found = self._sampled(number, row, part.start, part.end, len(part.weights))
            if found is None or number is None or row is None:
                return None
            frames, points = found
            weights, errors = points @ part.weights, self._present[number]
            changes[errors] += self.changes[number][:, row, frames] @ weights
            spread = weights * np.sqrt(np.maximum(self.noise[number][row, frames], 0.0))
            noise += float(spread @ self._goes_together(number, len(spread)) @ spread)
        return float(np.sqrt(np.sum(changes**2) + noise))

    def _sampled(self, number: int, row: int, start: float, end: float, points: int) -> tuple[slice, Vector] | None:
        """Frames of a stride, and what each adds to its points."""
        known = np.isfinite(self._base[number][row]) & np.isfinite(self.noise[number][row])
        key = number, start, end, known.tobytes()
        if key not in self._strides:
            self._strides[key] = sampled(self.gait.trials[number].time, known, start, end, points)
        return self._strides[key]

    def _goes_together(self, number: int, frames: int) -> Vector:
        """(frames, frames) correlation of noise behind the filter of a trial."""
        trial, how = self._solved.trials[number], self._solved.book.processing
        finite = trial.cutoffs[np.isfinite(trial.cutoffs)]
        key = number, frames
        if key not in self._noises and not len(finite):
            self._noises[key] = np.eye(frames)
        elif key not in self._noises:
            filtered = partial(
                low_pass,
                rate=trial.courses.rate,
                cutoff=float(np.median(finite)),
                order=how.filter_order,
                meaning=how.cutoff_meaning,
                padding=how.padding,
            )
            self._noises[key] = correlation(filtered, frames)
        return self._noises[key]

    def curvatures(self, items: Sequence[SummaryItem]) -> list[float | None]:
        """How far peaks are from linear in their errors, in %: one u along the steepest direction, both ways.

        |y(+) + y(-) - 2 y| / |y(+) - y(-)|
        Courses are taken as linear but about the first stride of each peak, where they are solved: so a peak that
        moves, or gives way to another one, is known in all strides.
        """
        if can_be_windowed(self._solved.book):
            return self._in_windows(items)
        return [self._curvature(each) for each in items]

    def _steepest(self, item: SummaryItem) -> Vector | None:
        """(directions,) of size 1; None where nothing changes a peak."""
        found = self._peak_changes(item)
        size = 0.0 if found is None else float(np.linalg.norm(found[0]))
        return found[0] / size if found is not None and size > 0.0 else None

    def _in_windows(self, items: Sequence[SummaryItem]) -> list[float | None]:
        by_trial = dict[int, dict[int, WindowedPeak]]()
        for number, item in enumerate(items):
            direction, peaks = self._steepest(item), peaks_of(self.gait.trials, self.gait.strides, item)
            if direction is not None and peaks:
                stride, peak = peaks[0]
                by_trial.setdefault(stride.trial, {})[number] = WindowedPeak(self._key(item), peak, direction)
        found: list[float | None] = [None] * len(items)
        for trial, own in by_trial.items():
            for (number, windowed), bend in zip(own.items(), self._bends(trial, [*own.values()]), strict=True):
                found[number] = self._bent(items[number], windowed.direction, bend)
        return found

    def _bends(self, trial: int, peaks: Sequence[WindowedPeak]) -> list[float]:
        solved = self._solved
        at_rest = {} if solved.static is None else {each: solved.standing.points[each] for each in solved.static.labels}
        errors = TrialErrors(
            self._tangents[trial],
            {number: each.trials[trial] for number, each in enumerate(self.directions) if trial in each.trials},
            {number: each.standing for number, each in enumerate(self.directions) if each.standing.parts},
        )
        supported = partial(with_support, book=self.gait.book, signs=self.gait.signs)
        return bends(peaks, solved.trials[trial], at_rest, errors, solved.book, supported)

    def _bent(self, item: SummaryItem, direction: Vector, bend: float) -> float | None:
        """The curvature of a peak whose course bends by so much there, and is linear elsewhere."""
        row = self._rows[self._key(item)]
        changes = [
            direction[errors] @ np.nan_to_num(each[:, row])
            for each, errors in zip(self.changes, self._present, strict=True)
        ]
        values = [
            self._peak_value(item, [base[row] + sign * each for base, each in zip(self._base, changes, strict=True)])
            for sign in (1.0, 0.0, -1.0)
        ]
        return _curvature(values, self.columns[row].shown.factor * bend)

    def _curvature(self, item: SummaryItem) -> float | None:
        direction = self._steepest(item)
        if direction is None:
            return None
        steepest, row = sum_of(self.directions, direction), self._rows[self._key(item)]
        base = [each[row] for each in self._base]
        changed = [
            {number: each[row] for number, each in self.disturbed(steepest.times(sign)).items()} for sign in (1.0, -1.0)
        ]
        up, down = ([each.get(number, own) for number, own in enumerate(base)] for each in changed)
        return _curvature([self._peak_value(item, each) for each in (up, base, down)])

    @property
    def plates(self) -> tuple[str, ...]:
        """Names of the plates of all trials."""
        grounds = [trial.ground for trial in self._solved.trials if trial.ground is not None]
        return tuple(dict.fromkeys(name for ground in grounds for name in ground.plates))

    @property
    def segments(self) -> tuple[str, ...]:
        """Names of the segments."""
        return tuple(row.name for row in self._solved.book.segments)

    @property
    def is_flat(self) -> bool:
        """Whether the trials are in the plane."""
        return self._solved.book.dimension == "2D"

    @property
    def walks_one_way(self) -> bool:
        """Whether all trials walk the same way in the laboratory."""
        return len({trial.prepared.axes.forward for trial in self._solved.trials}) == 1

    def in_all(self, parts: Mapping[tuple[str, str], Vector]) -> ErrorDirection:
        """An error that is the same in all trials."""
        return ErrorDirection("", dict.fromkeys(range(len(self._solved.trials)), Disturbance(parts)))

    def is_trusted(self, trial: int) -> Mask:
        """(n,) where the residual of a trial tells of the body: not near an end, and of no trial whose forces do not count."""
        name, counting = (
            self.gait.trials[trial].trial,
            {each.name: each.counts_forces for each in self.gait.book.trials},
        )
        return np.asarray(~self.gait.trials[trial].edge & counting.get(name, True))

    def residual_values(self) -> list[Vector]:
        """(parts, n) of each trial, of what nobody applies to the whole body, in SI."""
        return [base[len(self.columns) :] for base in self._base]

    def residual_changes(self) -> list[Vector]:
        """(errors, parts, n) of each trial."""
        found = []
        for errors, each in zip(self._present, self.changes, strict=True):
            own = each[:, len(self.columns) :]
            found.append(np.zeros((len(self.directions), *own.shape[1:])))
            found[-1][errors] = own
        return found

    def residual_noise(self) -> list[Vector]:
        """(parts, n) of each trial: variances."""
        return [each[len(self.columns) :] for each in self.noise]

    def residuals_with(self, error: ErrorDirection) -> list[Vector]:
        """(parts, n) of each trial with an error that all have."""
        changed = self.disturbed(error)
        return [changed[number][len(self.columns) :] for number in range(len(self._base))]

    def disturbed(self, direction: ErrorDirection) -> dict[int, Vector]:
        """(columns, n) of the trials that an error changes, with that error."""
        return {number: self._shown(each) for number, each in self.courses_with(direction).items()}

    @cached_property
    def _rates(self) -> list[Rates | None]:
        """How courses of each trial are differentiated; None of a trial so long that matrices would not fit."""
        kind = self._solved.book.processing.derivative
        return [
            derivative_operator(len(each.courses.time), each.courses.rate, kind)
            if len(each.courses.time) <= MAX_SAMPLES
            else None
            for each in self._solved.trials
        ]

    @cached_property
    def _base(self) -> list[Vector]:
        return [self._shown(trial.courses) for trial in self._solved.trials]

    def _shown(self, courses: TrialCourses) -> Vector:
        trial = with_support(courses, self.gait.book, self.gait.signs)
        blank = np.full(len(trial.time), np.nan)
        found = (self.gait.course(trial, each) for each in self.columns)
        left = () if trial.residual is None else (trial.residual[name] for name in self.residuals)
        return np.array([*(blank if values is None else values for values in found), *left]).reshape(-1, len(blank))

    def _noise(self, number: int, base: Vector) -> Vector:
        noise, total = marker_noise(self._solved.trials[number], self._solved.book), np.zeros(base.shape)
        for label, local in self._responses(number, list(noise)):
            sd, products = noise[label]
            total += sd * sd * local.variance(products)
        return np.where(np.isnan(base), np.nan, total) if self._in_space else total

    def _responses(self, number: int, labels: Sequence[str]) -> Iterator[tuple[str, LocalResponse]]:
        """How what is shown, and the residual behind it, follows each of these filtered markers and its derivatives."""
        trial, solved = self._solved.trials[number], self._solved
        felt_by = {label: self._side(side_that_feels(solved.book, label)) for label in labels}
        if self._in_space:
            space, rates, shown = self._in_space[number], self._derivatives(number), self._changes_shown(number)
            yield from noise_responses(felt_by, space, solved.book, rates, shown).items()
            return

        def response(course: Vector, markers: Sequence[str]) -> Vector:
            added = Disturbance({(Disturbed.FILTERED_MARKER, label): course for label in markers})
            inputs = disturbed_inputs(trial, solved.book, solved.standing, self._choices, added)
            again = solve_again(trial, solved.book, solved.standing, inputs, self._rates[number])
            return self._differences(number, again)

        for numbers in together_by_side(list(felt_by.values())):
            markers = [labels[place] for place in numbers]
            local = local_response(partial(response, markers=markers), trial.prepared.time.time, 2)
            for place, side in numbers.items():
                own = [[self._felt(each, side) for each in axis] for axis in local.coefficients]
                yield labels[place], LocalResponse(np.array(own))

    def residual_responses(self, trial: int, labels: Sequence[str]) -> dict[str, Vector]:
        """(axes, 3, parts, n) by which the residual of a trial follows each filtered marker, its rate and second derivative."""
        first = len(self.columns)
        return {label: each.coefficients[:, :, first:] for label, each in self._responses(trial, labels)}

    def courses_with(self, direction: ErrorDirection) -> dict[int, TrialCourses]:
        """Courses of the trials that an error changes, with that error, each solved again in full."""
        solved, standing = self._solved, self._standing(direction)
        return {
            number: vary_joints(
                solved.trials[number], solved.book, standing, self._choices, disturbance, self._rates[number]
            )
            for number, disturbance in direction.trials.items()
        }

    def _side(self, side: Side | None) -> Side | None:
        """The side that alone feels an error; None where columns of no side may feel it too."""
        return side if all(side_of(each.label) for each in self.columns) else None

    def _differences(self, number: int, again: SolvedAgain) -> Vector:
        """By how much a trial in the plane differs: what is shown, and behind it what the residual gets from either leg."""
        trial = self._solved.trials[number]
        found = [self._shown(again.courses) - self._base[number]]
        if self.residuals and isinstance(trial.loads, JointLoads):
            before = loads_of_legs(trial.loads, trial.motion, self._solved.book)
            for side in SIDES:
                force_and_moment = again.legs[side] - before[side]
                moment = force_and_moment[:, 2] - cross(trial.loads.com, force_and_moment[:, :2])
                found.append(np.vstack((force_and_moment[:, :2].T, moment)))
        return np.vstack(found)

    def _felt(self, values: Vector, side: Side | None) -> Vector:
        """(columns and residuals, n) of `_differences` that an error of a side makes; None of all that was tried."""
        count, parts = len(self.columns), len(self.residuals)
        shown = values[: count + parts]
        if side is None:
            return shown
        felt = np.array([side_of(each.label) == side for each in self.columns])
        first = count + parts * (1 + SIDES.index(side))
        residual = np.where(np.isnan(shown[count:]), np.nan, values[first : first + parts])
        return np.vstack((np.where(felt[:, None], shown[:count], 0.0), residual))

    def _key(self, item: SummaryItem) -> tuple[str, str]:
        return f"{item.side} {item.joint}".strip(), item.quantity

    def _peak_changes(self, item: SummaryItem) -> tuple[Vector, float] | None:
        """(directions,) change of a mean peak by each error, and its variance by noise: at the times of the peaks."""
        # the summary, the tables of shares and of differences and the curvature ask for the same peak
        key = item.item, item.side, item.joint, item.quantity
        if key not in self._peaks:
            self._peaks[key] = self._changes_of_peak(item, self.gait.strides)
        return self._peaks[key]

    def _changes_of_peak(self, item: SummaryItem, strides: Sequence[Stride]) -> tuple[Vector, float] | None:
        row, peaks = self._rows.get(self._key(item)), peaks_of(self.gait.trials, strides, item)
        if row is None or not peaks:
            return None
        changes, noise = np.zeros(len(self.directions)), 0.0
        for stride, peak in peaks:
            trial = self.gait.trials[stride.trial]
            errors = self._present[stride.trial]
            changes[errors] += peak.of(self.changes[stride.trial][:, row], trial.time)
            noise += float(peak.of(self.noise[stride.trial][row], trial.time))
        return changes / len(peaks), noise / len(peaks) ** 2

    def _peak_value(self, item: SummaryItem, courses: Sequence[Vector]) -> float | None:
        """The mean peak of an item in the courses (n,) of all trials, as shown."""
        label, quantity = self._key(item)
        factor = self.columns[self._rows[label, quantity]].shown.factor
        trials = [
            replace(trial, joints={label: {quantity: values / factor}})
            for trial, values in zip(self.gait.trials, courses, strict=True)
        ]
        peaks = peaks_of(trials, self.gait.strides, item)
        return factor * float(np.mean([peak.value for _stride, peak in peaks])) if peaks else None

    def _by_source(self, changes: Vector, noise: float) -> Vector:
        by_source = np.zeros(len(SOURCE_WORDS))
        for direction, each in zip(self.directions, changes, strict=True):
            by_source[SOURCE_WORDS.index(direction.kind)] += each * each
        by_source[SOURCE_WORDS.index(SourceKind.NOISE)] += noise
        return by_source


def _curvature(values: Sequence[float | None], more: float = 0.0) -> float | None:
    """In %, of a peak with one standard uncertainty, without, and with one less. more: of its bend that these do not have."""
    up, middle, down = values
    if up is None or down is None or middle is None or up == down:
        return None
    return 100.0 * abs(up + down - 2.0 * middle + more) / abs(up - down)
