"""A trial made ready to be filtered: in our axes, on uniform time, with short gaps filled. What follows is done per choice."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from sheetmbs.gait.arrays import Mask, Vector
from sheetmbs.gait.laboratory_axes import LabAxes, angle_of_travel, find_forward, find_up, lab_axes, turned_axes
from sheetmbs.gait.signals.gaps import drop_short_runs, fill_gaps
from sheetmbs.gait.signals.low_pass import ResidualAnalysis, residual_analysis
from sheetmbs.gait.signals.uniform_time import UniformTime, WrongStamp, uniform_time
from sheetmbs.gait.trial.gait_book import CentreRow, GaitBook, Processing, Trial
from sheetmbs.gait.trial.recorded import Stamps
from sheetmbs.problems.errors import Problem
from sheetmbs.schema.names import fold
from sheetmbs.schema.problem_list import ProblemList, place_of

NYQUIST_PART = 4.0
"""a cut-off is at most the rate by this"""
SLOWEST, FASTEST = 10.0, 50_000.0
"""Hz: rates of cameras and plates"""


@dataclass(frozen=True)
class PreparedTrial:
    """A trial in x forward, y up, z to the right. recorded: (markers, 3, n) with all gaps; values: with short ones filled.

    filled, left, dropped: (markers, 3, n) of values: filled gaps, gaps that stay, runs between gaps that were too short.
    cutoffs: (markers,) in Hz, inf none. advice: of the residual analysis. force_time: None without plates.
    """

    trial: Trial
    axes: LabAxes
    time: UniformTime
    recorded: Vector
    values: Vector
    filled: Mask
    left: Mask
    dropped: Mask
    advice: ResidualAnalysis
    cutoffs: Vector
    force_time: UniformTime | None

    @property
    def labels(self) -> tuple[str, ...]:
        """Labels of the markers of the trial."""
        return self.trial.markers.labels


def prepare_trial(trial: Trial, book: GaitBook, report: ProblemList) -> PreparedTrial | None:
    """Make a trial ready; None where its times or axes cannot be, which is reported."""
    processing, markers = book.processing, trial.markers
    time = _uniform(markers.stamps, processing.rate, report)
    forces = trial.forces
    force_time = None if forces is None else _uniform(forces.stamps, processing.force_rate, report)
    axes = trial_axes(trial, book)
    if axes is None:
        mend = "write axis_forward and axis_up on Processing, as +x and +z"
        problem = "neither thighs and shanks nor the way of the body tell forward and up"
        report.error("unknown-axes", markers.headers[0], "axes that cannot be found", problem, mend)
    if time is None or axes is None or (forces is not None and force_time is None):
        return None
    _tell_rounding(time, markers.stamps, report)
    if processing.axis_forward == "travel":
        _tell_turn(trial, axes, book, report)
    recorded = axes.apply(time.spread(markers.positions.transpose(0, 2, 1)).transpose(0, 2, 1)).transpose(0, 2, 1)
    gaps = fill_gaps(recorded, time.rate, limit=processing.gap_limit, kind=processing.gap_fill)
    is_there = np.isfinite(recorded).any(axis=(0, 2))
    advice = residual_analysis(
        gaps.values[:, is_there],
        time.rate,
        order=processing.filter_order,
        meaning=processing.cutoff_meaning,
        cutoff=max((each for each in _given(processing) if np.isfinite(each)), default=0.0),
    )
    cutoffs = _cutoffs(trial, processing, advice, time.rate, report)
    values, dropped = drop_short_runs(gaps.values, time.rate, np.broadcast_to(cutoffs[:, None], recorded.shape[:2]))
    return PreparedTrial(
        trial, axes, time, recorded, values, gaps.filled, gaps.left, dropped, advice, cutoffs, force_time
    )


def trial_axes(trial: Trial, book: GaitBook) -> LabAxes | None:
    """The axes that Processing names, and where it says auto those that the trial tells; None where neither does."""
    processing, points = book.processing, rough_points(trial, book.centres)
    up = processing.axis_up if processing.axis_up != "auto" else find_up(points, book.segments)
    if up is None:
        return None
    asked = processing.axis_forward
    forward = asked if asked not in ("auto", "travel") else find_forward(points, book.segments, up) or ""
    if not forward or forward[1] == up[1]:
        return None
    axes = lab_axes(forward, up)
    angle = angle_of_travel(points, book.segments, axes) if asked == "travel" else None
    return axes if angle is None else turned_axes(axes, angle)


def rough_points(trial: Trial, centres: Sequence[CentreRow]) -> Mapping[str, Vector]:
    """Markers, and for joint centres the mean of their markers, (n, 3) in axes of the laboratory."""
    points = dict(zip(trial.markers.labels, trial.markers.positions, strict=True))
    for row in centres:
        given = [points[name] for name in row.markers if name in points]
        if given and row.name not in points:
            points[row.name] = np.mean(given, axis=0)
    return points


def _uniform(stamps: Stamps, rate: float | None, report: ProblemList) -> UniformTime | None:
    found = uniform_time(stamps.times, stamps.frames, rate=rate or stamps.rate, printed=stamps.printed)
    if isinstance(found, WrongStamp):
        report.error("wrong-time", stamps.place(found.sample), found.found, found.rule, found.mend)
        return None
    if not SLOWEST <= found.rate <= FASTEST:
        says = f"{len(stamps.times):,} samples at {found.rate:.4g} Hz"
        problem = f"cameras and plates record {SLOWEST:g} to {FASTEST:g} Hz"
        meant = "ms" if found.rate < SLOWEST else "s"
        report.error(
            "wrong-time", stamps.header, says, problem, f"write the unit of the times, which look like {meant}"
        )
        return None
    return found


def _tell_rounding(time: UniformTime, stamps: Stamps, report: ProblemList) -> None:
    if time.note:
        place = stamps.header
        found = f"{len(stamps.times):,} times"
        report.add(place, Problem("rounded-times", "note", str(place), found, time.note, ""))


def _tell_turn(trial: Trial, axes: LabAxes, book: GaitBook, report: ProblemList) -> None:
    """A note that markers and forces were turned, or a warning that they cannot be."""
    place = place_of(book.processing.places.get("axis_forward", trial.sheets[0]))
    if axes.turned:
        way = "right" if axes.turned > 0.0 else "left"
        found = f"{trial.sheets[0]}: turned about the vertical by {abs(axes.turned):.1f} deg"
        problem = (
            f"forward is the way of the hips, that far to the {way} of {axes.forward}, for markers and forces alike"
        )
        report.add(place, Problem("turned-axes", "note", str(place), found, problem, ""))
    elif trial.name.casefold() != "static":
        problem = f"the hips do not travel by 0.5 m, or one level axis was not recorded: forward is {axes.forward}"
        report.warning(
            "turned-axes", place, f"{trial.sheets[0]}: axis_forward travel", problem, "write auto or an axis"
        )


def _given(processing: Processing) -> list[float]:
    """Cut-offs in Hz that are numbers."""
    return [each for each in (processing.cutoff, *processing.cutoffs.values()) if isinstance(each, float)]


def _cutoffs(
    trial: Trial, processing: Processing, advice: ResidualAnalysis, rate: float, report: ProblemList
) -> Vector:
    """(markers,) in Hz. One above a quarter of the rate is reported."""
    labels = trial.markers.labels
    if processing.cutoff == "auto":
        usual = np.where(np.isfinite(advice.advised), advice.advised, np.nanmedian(advice.advised))
        cutoffs = np.asarray(np.minimum(usual, rate / NYQUIST_PART))
    else:
        cutoffs = np.full(len(labels), np.inf if processing.cutoff == "none" else processing.cutoff)
    own = {fold(name): cutoff for name, cutoff in processing.cutoffs.items()}
    for index, label in enumerate(labels):
        cutoffs[index] = own.get(fold(label), cutoffs[index])
    highest = np.max(cutoffs[np.isfinite(cutoffs)], initial=0.0)
    if highest > rate / NYQUIST_PART:
        place = place_of(processing.places.get("cutoff", "Processing"))
        problem = f"a cut-off is at most a quarter of the rate, which is {rate:.6g} Hz here"
        mend = f"write {rate / NYQUIST_PART:.4g} Hz or less, or none"
        report.error("cutoff-too-high", place, f"cutoff: {highest:g} Hz", problem, mend)
        return np.full(len(labels), np.inf)
    return cutoffs
