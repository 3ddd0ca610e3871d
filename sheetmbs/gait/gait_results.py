"""Results of a gait workbook: what was solved, as sheets, pages and items."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from sheetmbs.gait.collecting.run_books import STATE, inputs_state
from sheetmbs.gait.measured_trials import measured_trials
from sheetmbs.gait.quality.sensitivity import variants, with_other_filter
from sheetmbs.gait.quality_tables import quality_tables
from sheetmbs.gait.reading.read_gait import read_gait
from sheetmbs.gait.sheets.consistency_page import far_strides
from sheetmbs.gait.sheets.course_problems import estimated_strides, estimated_times, reversed_bands
from sheetmbs.gait.sheets.course_tables import series_names
from sheetmbs.gait.sheets.gait_pages import gait_sheets
from sheetmbs.gait.sheets.gait_presentation import GaitPresentation
from sheetmbs.gait.sheets.shown_items import GaitContents, peak_changes, plainly
from sheetmbs.gait.sheets.uncertainty_page import difference_tables
from sheetmbs.gait.solved_gait import PreparedGait, SolvedGait, prepare_gait, solve_gait
from sheetmbs.gait.strides.summary_items import SummaryItem, peak_items, summary_items
from sheetmbs.gait.uncertainty.dynamic_consistency import DynamicConsistency
from sheetmbs.gait.uncertainty.error_directions import GaitSession
from sheetmbs.gait.uncertainty.propagation import Propagation
from sheetmbs.gait.uncertainty.reduced_tables import doubtful_reduction, reduced_items, reduced_tables
from sheetmbs.gait.uncertainty.residual_candidates import candidate_table, chi_item, inconsistent
from sheetmbs.gait.uncertainty.residual_reduction import reduce_residual
from sheetmbs.gait.walking_picture import walking_picture
from sheetmbs.gait.written_model import general_tables
from sheetmbs.measured.with_measured import with_measured
from sheetmbs.problems.errors import Problem
from sheetmbs.results.results import PagedResults
from sheetmbs.schema.problem_list import quoted
from sheetmbs.workbook.cells.cells import Book
from sheetmbs.workbook.package.package import Package
from sheetmbs.workbook.package.pictures import picture_of, pictures_of
from sheetmbs.workbook.sheets.sheet_contents import GAIT_REPORT, ResultSheets

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, repr=False)
class GaitResults(PagedResults):
    """What the trials of a gait workbook gave. items: of the summary, in SI and the signs of the mechanics."""

    solved: SolvedGait
    items: tuple[SummaryItem, ...]

    def __repr__(self) -> str:
        """The trials, in a few words."""
        return f"<GaitResults {self.path.stem}: {self.one_line_summary}>"

    @property
    def summary(self) -> pd.DataFrame:
        """The items of the summary, in SI: a row for each, with its mean, deviation and number of strides."""
        import pandas as pd

        return pd.DataFrame(self.as_items)

    @property
    def series(self) -> dict[str, pd.DataFrame]:
        """Angles, moments and powers over all frames of each trial, by its name, in the units and signs of the sheets."""
        trials = [trial.courses.trial for trial in self.solved.trials]
        names = series_names(trials)
        return {trial: self[name] for trial, name in zip(trials, names, strict=True)}

    @property
    def one_line_summary(self) -> str:
        """``1 trial, 3 strides right and 2 left``."""
        return in_words(self.solved.prepared)

    @property
    def in_short(self) -> list[tuple[str, ...]]:
        """The values by which a gait is known, as rows of texts."""
        return [
            (each.item, each.side, f"{value:.3g}", unit)
            for each in self.items
            if each.item in ("speed", "cadence", "stride time", "stance")
            for value, unit in [plainly(each)]
        ]

    @property
    def as_items(self) -> list[dict[str, object]]:
        """The items of the summary for other programs, in SI."""
        names = ("item", "side", "joint", "value", "sd", "n", "unit", "at", "u", "is_estimated")
        return [{name: getattr(each, name) for name in names} for each in self.items]


def in_words(prepared: PreparedGait) -> str:
    """What a workbook holds."""
    trials = prepared.trials
    markers = len(trials[0].labels)
    seconds = sum(float(each.time.time[-1] - each.time.time[0]) for each in trials)
    number = "1 trial" if len(trials) == 1 else f"{len(trials)} trials"
    return f"{number} of {markers} markers, {seconds:.2f} s at {trials[0].time.rate:.6g} Hz"


def check_gait(book: Book) -> tuple[str, Sequence[Problem]]:
    """What a workbook holds in words, and warnings. Raises WorkbookError with every problem, each with its cell."""
    solved = solve_gait(prepared_gait(book))
    gait = GaitPresentation(solved.book, solved.courses)
    measured = measured_trials(book, gait)
    return f"; {in_words(solved.prepared)}", (*solved.problems, *reversed_bands(gait), *measured.warnings)


def believed_courses(solved: SolvedGait, gait: GaitPresentation) -> Propagation:
    """Make ready the uncertainty of everything that is shown; it is found where a sheet asks for it."""
    prepared = solved.prepared
    return Propagation(GaitSession(solved.book, solved.trials, prepared.static, prepared.standing), gait)


def results_of(
    book: Book, solved: SolvedGait, times: Callable[[], tuple[tuple[str, float | None, str], ...]]
) -> GaitResults:
    """All sheets. times: of the run, called when all else is done. Raises WorkbookError for mistakes in what was measured."""
    gait = GaitPresentation(solved.book, solved.courses)
    measured = measured_trials(book, gait)
    varied = tuple(variants(solved.trials, gait.strides, solved.book, solved.prepared.standing))
    how = solved.book.processing
    carried = believed_courses(solved, gait) if how.bands or how.residual_reduction else None
    believed = carried if how.bands else None
    reduced = reduce_residual(carried) if carried is not None and how.residual_reduction and carried.residuals else None
    second = None if reduced is None else GaitPresentation(solved.book, reduced.courses)
    plain = summary_items(gait.trials)
    consistency = DynamicConsistency(believed) if believed is not None and believed.residuals else None
    candidates = () if consistency is None else tuple(consistency.candidates())
    uncertain = plain if believed is None else [*believed.items(plain), *chi_item(consistency)]
    uncertain = [*uncertain, *reduced_items(reduced, consistency, () if carried is None else carried.residuals)]
    items = tuple(with_other_filter(uncertain, varied))
    cutoffs = {each.courses.trial: each.cutoffs for each in solved.trials}
    book_sheet = solved.book.trials[0].sheets[0]
    problems = (
        *(*solved.problems, *reversed_bands(gait), *estimated_strides(gait), *estimated_times(items, book_sheet)),
        *inconsistent(consistency, candidates, book_sheet),
        *doubtful_reduction(reduced, solved.book),
        *(*missing_logo(book, solved), *far_strides(gait, book_sheet)),
    )
    hanging = peak_changes(gait, peak_items(solved.courses, gait.strides), varied)
    quality = [
        *quality_tables(solved, hanging),
        *difference_tables(gait, believed, items),
        *candidate_table(candidates),
        *reduced_tables(reduced, gait, second, items),
    ]
    found = gait_sheets(gait, GaitContents(items, cutoffs, quality, problems, hanging, believed, second))
    general = general_tables(solved, book.path)
    animation = walking_picture(solved)
    state = ("gait", in_words(solved.prepared), ""), (STATE, inputs_state(book), "")
    sheets = ResultSheets(
        (*book.log.items, *state, *times()),
        (*found.tables, *general),
        found.charts,
        problems=(*book.log.notes(), *problems, *found.problems, *measured.warnings),
        pages=found.pages,
        first=found.order,
        animation=animation,
        printed=frozenset((GAIT_REPORT,)),
    )
    sheets = with_measured(sheets, measured.found)
    return GaitResults(solved, items, sheets=sheets, path=book.path, content=book.content, measured=measured.found)


def missing_logo(book: Book, solved: SolvedGait) -> Iterator[Problem]:
    """A warning where the workbook has no picture of the name that Subject gives to the logo."""
    subject = solved.book.subject
    name = subject.printed.get("logo", "")
    if name and picture_of(package := Package(book.path, book.content), name) is None:
        known = list(dict.fromkeys(each.name for each in pictures_of(package)))
        mend = (
            f"its pictures are {', '.join(known)}"
            if known
            else "insert a picture on any sheet of it, and give it that name"
        )
        found = f"logo: {quoted(name)}"
        yield Problem(
            "unknown-name", "warning", subject.places["logo"], found, "the workbook has no such picture", mend
        )


def prepared_gait(book: Book) -> PreparedGait:
    """The trials of a workbook, ready to be solved. Raises WorkbookError with every problem, each with its cell."""
    return prepare_gait(read_gait(book), tuple(book.sheets))
