"""A gait workbook solved: every trial, from its recording to the loads of its joints."""

from __future__ import annotations

from dataclasses import dataclass, replace

from sheetmbs.gait.body.body_segments import NOT_STANDING, StandingTrial
from sheetmbs.gait.completed_book import with_calibration_markers, with_right_hands
from sheetmbs.gait.conventional.standing_subject import with_pelvis, with_standing_legs
from sheetmbs.gait.events.trial_events import refuse_lost_events, refuse_no_events
from sheetmbs.gait.functional_centres import with_functional_centres
from sheetmbs.gait.prepare_trial import PreparedTrial, prepare_trial
from sheetmbs.gait.quality.all_checks import check_recordings, check_solved
from sheetmbs.gait.quality.checked_trials import recorded_body
from sheetmbs.gait.quality.conventional_inputs import check_measures, check_static_knees
from sheetmbs.gait.quality.estimated_events import check_event_offsets
from sheetmbs.gait.quality.space_inputs import check_clusters_given, check_frames_given
from sheetmbs.gait.quality.standing_plates import check_standing_plates
from sheetmbs.gait.solve_trial import SolvedTrial, event_offsets, filter_trial, solve_filtered, stand
from sheetmbs.gait.strides.representative import with_representative
from sheetmbs.gait.trial.gait_book import GaitBook
from sheetmbs.gait.trial.trial_courses import TrialCourses
from sheetmbs.problems.errors import Problem, WorkbookError
from sheetmbs.schema.problem_list import ProblemList, place_of


@dataclass(frozen=True)
class PreparedGait:
    """A workbook whose trials are ready to be solved. static: the standing one, None where there is none.

    sheets: of the workbook, in their order.
    """

    book: GaitBook
    trials: tuple[PreparedTrial, ...]
    static: PreparedTrial | None
    standing: StandingTrial
    problems: tuple[Problem, ...]
    sheets: tuple[str, ...]


@dataclass(frozen=True)
class SolvedGait:
    """A workbook with its trials solved. problems: warnings and notes."""

    prepared: PreparedGait
    trials: tuple[SolvedTrial, ...]
    problems: tuple[Problem, ...]

    @property
    def book(self) -> GaitBook:
        """What the workbook says."""
        return self.prepared.book

    @property
    def courses(self) -> tuple[TrialCourses, ...]:
        """Courses of all trials."""
        return tuple(each.courses for each in self.trials)


def prepare_gait(book: GaitBook, sheets: tuple[str, ...]) -> PreparedGait:
    """Make all trials ready. sheets: of the workbook, in their order. Raises WorkbookError with every problem."""
    report = ProblemList(sheets)
    for problem in book.warnings:
        report.add(place_of(problem.cell), problem)
    book = with_calibration_markers(with_functional_centres(with_right_hands(book, report), report))
    trials = [prepare_trial(trial, book, report) for trial in book.trials]
    static = None if book.static is None else prepare_trial(book.static, book, report)
    ready = tuple(trial for trial in trials if trial is not None)
    refuse_no_events(book, report)
    refuse_lost_events(book.events, ready, report)
    if static is not None:
        still = recorded_body(static, book).points
        book = with_pelvis(book, still)
        if book.follows_clusters:
            check_clusters_given(book, ready, still, report)
            check_frames_given(book, still, report)
    if report.has_errors:
        raise WorkbookError(report.problems())
    check_measures(book, ready, static, report)
    if report.has_errors:
        raise WorkbookError(report.problems())
    check_recordings(book, ready, static, report)
    if report.has_errors:
        raise WorkbookError(report.problems())
    standing = NOT_STANDING if static is None else stand(static, book)
    book = with_standing_legs(book, standing.points)
    check_static_knees(book, report)
    return PreparedGait(book, ready, static, standing, tuple(report.problems()), sheets)


def solve_gait(prepared: PreparedGait) -> SolvedGait:
    """Solve all trials. Raises WorkbookError where they contradict what the workbook says, with every problem."""
    book = prepared.book
    report = ProblemList(prepared.sheets)
    for problem in prepared.problems:
        report.add(place_of(problem.cell), problem)
    filtered = [filter_trial(trial, book) for trial in prepared.trials]
    offsets = event_offsets(filtered, book)
    carried = None
    if prepared.static is not None:
        carried = check_standing_plates(filter_trial(prepared.static, book), book, report)
    solved = [solve_filtered(trial, book, prepared.standing, offsets) for trial in filtered]
    values = {kind: each.value for kind, each in offsets.items()}
    check_event_offsets(values, [each.courses for each in solved], book, report)
    trials = check_solved(solved, book, report, carried)
    if report.has_errors:
        raise WorkbookError(report.problems())
    no_forces = {trial.name for trial in book.trials if not trial.counts_forces}
    trials = tuple(_without_kinetics(each) if each.courses.trial in no_forces else each for each in trials)
    if book.processing.strides == "representative":
        courses = with_representative([each.courses for each in trials], book.processing.points)
        trials = tuple(replace(each, courses=own) for each, own in zip(trials, courses, strict=True))
    return SolvedGait(prepared, trials, tuple(report.problems()))


def _without_kinetics(trial: SolvedTrial) -> SolvedTrial:
    """A trial no stride of which enters means of moments: none of its contacts counts as wholly on plates."""
    contacts = tuple(replace(each, whole=False) for each in trial.courses.contacts)
    return replace(trial, courses=replace(trial.courses, contacts=contacts))
