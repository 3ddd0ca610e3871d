"""All checks of gait data, one line each."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from sheetmbs.gait.prepare_trial import PreparedTrial
from sheetmbs.gait.quality.axis_words import check_axes
from sheetmbs.gait.quality.body_order import check_before, check_sides, check_steadiness
from sheetmbs.gait.quality.carried_mass import check_mass
from sheetmbs.gait.quality.cutoff_advice import check_cutoff
from sheetmbs.gait.quality.exchanged_columns import check_columns
from sheetmbs.gait.quality.exchanged_labels import check_exchanged
from sheetmbs.gait.quality.foot_of_plate import check_feet
from sheetmbs.gait.quality.force_marker_delay import check_delay
from sheetmbs.gait.quality.force_sense import check_sign, check_strength
from sheetmbs.gait.quality.frozen_markers import check_frozen
from sheetmbs.gait.quality.joined_segments import check_joined
from sheetmbs.gait.quality.length_units import check_length_units
from sheetmbs.gait.quality.long_gaps import check_gaps
from sheetmbs.gait.quality.moved_plates import check_places
from sheetmbs.gait.quality.needed_columns import check_needed_columns
from sheetmbs.gait.quality.normal_bands import check_bands
from sheetmbs.gait.quality.outliers import check_outliers
from sheetmbs.gait.quality.partial_plate_contacts import check_contacts, without_partial
from sheetmbs.gait.quality.plate_axes import check_plate_axes
from sheetmbs.gait.quality.plate_heights import check_heights
from sheetmbs.gait.quality.plausible_strides import check_strides
from sheetmbs.gait.quality.pressure_columns import check_pressure
from sheetmbs.gait.quality.recorded_body import RecordedBody, recorded_body
from sheetmbs.gait.quality.same_duration import check_durations
from sheetmbs.gait.quality.solved_body import SolvedBody, solved_body
from sheetmbs.gait.quality.standing_body import check_standing
from sheetmbs.gait.quality.table_ends import check_table_ends
from sheetmbs.gait.quality.turned_plates import check_turns
from sheetmbs.gait.quality.walking_directions import check_walking_directions
from sheetmbs.gait.quality.whole_residual import check_residual
from sheetmbs.gait.quality.zero_drift import check_zero
from sheetmbs.gait.solve_trial import SolvedTrial
from sheetmbs.gait.trial.gait_book import GaitBook
from sheetmbs.schema.problem_list import ProblemList

OF_BOOK: tuple[Callable[[GaitBook, ProblemList], None], ...] = (check_table_ends, check_bands)
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
        if body is not still:
            check_cutoff(body, report)


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


def check_solved(solved: Sequence[SolvedTrial], book: GaitBook, report: ProblemList) -> tuple[SolvedTrial, ...]:
    """All that solved trials tell. Returns them with contacts that are no whole ones known as such."""
    judged, bodies = [], []
    for each in solved:
        body, trial = solved_body(each, book), each
        if body is not None:
            for check in OF_PLATES:
                check(body, report)
            trial = without_partial(each, check_contacts(body, report))
            bodies.append(body)
        check_strides(trial.courses, book, trial.prepared.trial.sheets[0], report)
        judged.append(trial)
    check_walking_directions(bodies, report)
    return tuple(judged)
