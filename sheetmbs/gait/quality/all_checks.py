"""All checks of gait data, one line each."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from sheetmbs.gait.prepare_trial import PreparedTrial
from sheetmbs.gait.quality.body_orientation import check_axes, check_before, check_sides, check_steadiness
from sheetmbs.gait.quality.body_surrogate import Surrogate, surrogate
from sheetmbs.gait.quality.checked_trials import RecordedBody, SolvedBody, recorded_body, solved_body
from sheetmbs.gait.quality.cross_talk import check_cross_talk
from sheetmbs.gait.quality.estimated_events import check_estimates
from sheetmbs.gait.quality.force_columns import check_columns, check_needed_columns, check_pressure
from sheetmbs.gait.quality.heading import check_heading
from sheetmbs.gait.quality.marker_courses import check_exchanged, check_frozen, check_gaps, check_outliers
from sheetmbs.gait.quality.normal_bands import check_bands
from sheetmbs.gait.quality.plate_contacts import check_contacts, check_feet, check_zero, without_partial
from sheetmbs.gait.quality.plate_gain import check_plate_gain, check_shear_gain
from sheetmbs.gait.quality.plate_orientation import check_plate_axes, check_sign, check_strength, check_turns
from sheetmbs.gait.quality.plate_positions import check_heights, check_places, check_walking_directions
from sheetmbs.gait.quality.plausible_angles import check_angles
from sheetmbs.gait.quality.plausible_strides import check_strides
from sheetmbs.gait.quality.segment_ends import check_joined, check_table_ends
from sheetmbs.gait.quality.small_settings import check_force_rate, check_noise, check_settings
from sheetmbs.gait.quality.standing_trial import check_standing
from sheetmbs.gait.quality.straight_fill import check_straight_fill
from sheetmbs.gait.quality.synchrony import check_synchrony
from sheetmbs.gait.quality.tilt import check_tilt
from sheetmbs.gait.quality.two_sides import check_knees_in_stance, check_lengths_of_sides, check_rows_of_sides
from sheetmbs.gait.quality.units_and_rates import check_cutoff, check_durations, check_length_units
from sheetmbs.gait.quality.whole_body import check_delay, check_mass, check_residual
from sheetmbs.gait.solve_trial import SolvedTrial
from sheetmbs.gait.trial.gait_book import GaitBook
from sheetmbs.schema.problem_list import ProblemList

OF_BOOK: tuple[Callable[[GaitBook, ProblemList], None], ...] = (
    check_table_ends,
    check_bands,
    check_rows_of_sides,
    check_settings,
)
OF_BODY: tuple[Callable[[RecordedBody, ProblemList], None], ...] = (
    check_length_units,
    check_axes,
    check_sides,
    check_before,
)
OF_COURSES: tuple[Callable[[RecordedBody, ProblemList], None], ...] = (
    check_steadiness,
    check_joined,
    check_durations,
    check_exchanged,
    check_outliers,
    check_frozen,
    check_gaps,
)
OF_MARKERS: tuple[Callable[[RecordedBody, ProblemList], None], ...] = (check_straight_fill, check_noise)
"""of all trials whose units, axes, sides and labels are right"""
OF_WALK: tuple[Callable[[RecordedBody, ProblemList], None], ...] = (check_cutoff, check_heading)
"""of such trials that walk"""


def check_recordings(
    book: GaitBook, trials: tuple[PreparedTrial, ...], static: PreparedTrial | None, report: ProblemList
) -> None:
    """All that can be found before anything is solved. static: the standing trial, of which only means count."""
    for of_book in OF_BOOK:
        of_book(book, report)
    still = None if static is None else recorded_body(static, book)
    bodies = [recorded_body(trial, book) for trial in trials]
    for body in bodies if still is None else (still, *bodies):
        for check in OF_BODY:
            check(body, report)
        if body is not still and still is not None:
            check_standing(body, still, report)
        for check in OF_COURSES:
            check(body, report)
    check_force_rate(book, trials, report)
    for body in () if report.has_errors else bodies if still is None else (still, *bodies):
        for check in OF_MARKERS if body is still else (*OF_MARKERS, *OF_WALK):
            check(body, report)
        if body is not still:
            check_lengths_of_sides(body, still, report)


OF_PLATES: tuple[Callable[[SolvedBody, ProblemList], None], ...] = (
    check_needed_columns,
    check_strength,
    check_sign,
    check_pressure,
    check_columns,
    check_turns,
    check_places,
    check_heights,
    check_plate_axes,
    check_feet,
    check_mass,
    check_zero,
    check_delay,
    check_residual,
)
OF_STAND_IN: tuple[Callable[[Surrogate, ProblemList], None], ...] = (
    check_synchrony,
    check_plate_gain,
    check_shear_gain,
    check_tilt,
)
"""by the stand-in for a centre of mass, which needs no trunk"""
OF_TRIALS: tuple[Callable[[SolvedTrial, GaitBook, ProblemList], None], ...] = (check_angles, check_knees_in_stance)


def check_solved(
    solved: Sequence[SolvedTrial], book: GaitBook, report: ProblemList, standing_mass: float | None = None
) -> tuple[SolvedTrial, ...]:
    """All that solved trials tell. Returns them with contacts that are no whole ones known as such.

    standing_mass: kg that plates carry under the standing subject; None where they carry nothing then.
    """
    judged, bodies = [], []
    for each in solved:
        body, trial = solved_body(each, book, standing_mass), each
        if body is not None:
            for check in OF_PLATES:
                check(body, report)
            stand_in = surrogate(body)
            if stand_in is not None and not report.has_errors:
                for judge in OF_STAND_IN:
                    judge(stand_in, report)
            trial = without_partial(each, check_contacts(body, report))
            bodies.append(body)
        check_strides(trial.courses, book, trial.prepared.trial.sheets[0], report)
        for of_trial in () if report.has_errors else OF_TRIALS:
            of_trial(trial, book, report)
        check_estimates(trial.courses, trial.prepared.trial.sheets[0], report)
        judged.append(trial)
    check_walking_directions(bodies, report)
    check_cross_talk(judged, book, report)
    return tuple(judged)
