"""Design studies from Python and the command line: run, written into the workbook, applied."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from sheetmbs.problems.errors import Problem, WorkbookError
from sheetmbs.results.results import PagedResults
from sheetmbs.schema.study_inputs import asks_for_study
from sheetmbs.workbook.cells.cells import Book, open_book
from sheetmbs.workbook.sheets.sheet_contents import STUDY

if TYPE_CHECKING:
    import pandas as pd

    from sheetmbs.studies.running.cluster_tls import ClusterTls
    from sheetmbs.studies.running.evaluator import StudyProgress
    from sheetmbs.studies.running.run_study import StudyOptions
    from sheetmbs.studies.start_study import StartedStudy
    from sheetmbs.studies.study_book import StudyBook
    from sheetmbs.studies.study_results import StudyResults


@dataclass(frozen=True, kw_only=True, repr=False)
class DesignStudy(PagedResults):
    """What a study found. found: variants, the best one, effects. ``save`` writes the sheets."""

    found: StudyResults

    def __repr__(self) -> str:
        """The method and what was found, in a few words."""
        variants = len(self.found.variants) - 1
        return (
            f"<DesignStudy {self.path.stem}: {self.found.study.method}, {variants} variants. {' '.join(self.answer)}>"
        )

    @property
    def status(self) -> Literal["done", "failed"]:
        """``failed`` where no variant worked, besides the workbook as it is, and of a fit that has not converged."""
        if self.found.fit is not None:
            return "done" if self.found.fit.converged else "failed"
        return "done" if self.found.variants.done[1:].any() else "failed"

    @property
    def answer(self) -> list[str]:
        """What was found, in sentences."""
        from sheetmbs.studies.sheets.answer import answer
        from sheetmbs.studies.sheets.study_statistics import StudyAnalysis

        return answer(StudyAnalysis(self.found))

    def next_step(self, file: str) -> str:
        """What to do with what was found, a sentence. file: the workbook that holds the sheets."""
        from sheetmbs.studies.sheets.answer import next_step
        from sheetmbs.studies.sheets.study_statistics import StudyAnalysis

        return next_step(StudyAnalysis(self.found), file)[0]

    @property
    def is_resumable(self) -> bool:
        """Whether it ended early, and can go on from its journal."""
        return bool(self.found.message)

    @property
    def as_numbers(self) -> dict[str, object]:
        """What was found, for programs: the best variant with its values, and how many there were."""
        found, best = self.found, self.found.best
        named = {} if best is None else self._row(best)
        failed = int((~found.variants.done[1:]).sum())
        return {
            "method": found.study.method,
            "variants": len(found.variants) - 1,
            "failed": failed,
            "best": best,
            **named,
            "front": list(found.front),
            "answer": self.answer,
            "message": found.message,
            "from_journal": found.from_journal,
        }

    def _row(self, number: int) -> dict[str, object]:
        study, variants = self.found.study, self.found.variants
        values, responses = variants.values[number], variants.responses[number]  # noqa: PD011 - no data frame
        return {
            "variables": dict(zip((each.name for each in study.variables), values.tolist(), strict=True)),
            "responses": dict(zip((each.name for each in study.responses), responses.tolist(), strict=True)),
        }

    @property
    def variants(self) -> pd.DataFrame:
        """The sheet `mbs Study`: a row for each variant, number 0 being the workbook as it is."""
        from sheetmbs.studies.exported import variants_frame

        return variants_frame(self.found)

    def export(self, path: str | PathLike[str]) -> Path:
        """Write all variants into one file.

        Parameters
        ----------
        path
            A file whose name ends in ``.csv`` or ``.parquet``; one of an earlier study is replaced.

        Returns
        -------
        Path
            The file written.

        Raises
        ------
        WorkbookError
            If it cannot be written; an earlier file is then as it was.
        """
        from sheetmbs.studies.exported import export

        return export(self.found, path)


def run_study(
    path: str | PathLike[str],
    *,
    analysis: str | None = None,
    workers: int | None = None,
    cluster: str | None = None,
    resume: bool = False,
    restart: bool = False,
    tls: ClusterTls | None = None,
    progress: Callable[[StudyProgress], None] | None = None,
) -> DesignStudy:
    """Run the study that a workbook asks for, as `sheetmbs study` does.

    Parameters
    ----------
    path
        The workbook, with sheets Variables and Responses. It is only read; a journal is kept beside it.
    analysis
        An analysis in place of the one on the sheet Settings.
    workers
        How many processes solve variants; default: as many as there are cores, where that is worth it.
    cluster
        The address of a Dask scheduler whose workers solve variants.
    resume
        Whether to go on with what the journal of an interrupted study has; without a journal the study starts afresh.
    restart
        Whether to begin afresh though an interrupted study could go on; its journal is emptied.
    tls
        The files by which a cluster is talked to over TLS.
    progress
        A function that is called now and then with how many variants are solved.

    Returns
    -------
    DesignStudy
        The variants (``variants``), what was found in them (``found``), and ``save`` to write the sheets.

    Raises
    ------
    WorkbookError
        If anything is wrong in the workbook, if the journal or the cluster cannot be used, or if the journal is of an
        interrupted study and neither ``resume`` nor ``restart`` says what to do with it.
    """
    from sheetmbs.studies.running.run_study import StudyOptions

    return run_study_book(Path(path), StudyOptions(analysis, workers, cluster, resume, restart, tls), progress)


def run_study_book(
    book: Path, options: StudyOptions, progress: Callable[[StudyProgress], None] | None = None
) -> DesignStudy:
    """Run the study of a workbook. Raises WorkbookError."""
    from sheetmbs.studies.running import run_study as running
    from sheetmbs.studies.sheets.study_sheets import study_sheets

    opened = open_book(book)
    if not asks_for_study(opened.sheets):
        rule = "a study asks for cells that vary, on the sheet Variables, and for responses"
        mend = "add the sheets Variables and Responses"
        raise WorkbookError(Problem("no-study", "error", "", f"no study in {book.name}", rule, mend))
    found = running.run_study(book, opened.content, options, progress)
    return DesignStudy(sheets=study_sheets(found), path=opened.path, content=opened.content, found=found)


def has_journal(book: Path) -> bool:
    """Whether the journal of an earlier study is there. The workbook itself is not read."""
    from sheetmbs.studies.running.journal import journal_path

    return os.path.lexists(journal_path(book))


def check_study(book: Book) -> tuple[StudyBook, Sequence[Problem]]:
    """The study that an open workbook asks for, and warnings. Raises WorkbookError with what is wrong in it.

    The workbook is solved as it is, for its results show which columns responses can read.
    """
    from sheetmbs.studies.solving.variant_solver import VariantSolver

    solver = VariantSolver(book)
    if not solver.study.traits.is_fit or solver.study.tyres:
        return solver.study, solver.warnings
    from sheetmbs.studies.derived.measured_model import MeasuredModel

    return solver.study, [*solver.warnings, *MeasuredModel(solver).warnings]


def check_writable_study(book: Path, output: Path | None, also: Sequence[Path] = ()) -> Problem | None:
    """Find out before a study whether its results can be written. Returns what would send them elsewhere.

    Raises WorkbookError.
    """
    from sheetmbs.studies.exported import check_exportable
    from sheetmbs.workbook.writing.write import check_writable

    for path in also:
        check_exportable(path)
    return check_writable(book, output)


def start_study(book: Path, output: Path | None = None) -> StartedStudy:
    """Add the sheets of a first study to a workbook, or to a copy of it. Raises WorkbookError."""
    from sheetmbs.studies import start_study as starting

    return starting.start_study(book, output)


def best_variant(book: Path) -> int:
    """The number of the variant that `mbs Study` of a workbook marks as the best one. Raises WorkbookError."""
    from sheetmbs.studies.read_study_rows import best_of, study_rows

    return best_of(study_rows(open_book(book))[1])


def apply_variant(
    book: Path, number: int, output: Path, tell: Callable[[Problem], None] = lambda _problem: None
) -> dict[str, float | str]:
    """Write a copy of a workbook whose variable cells hold a variant of its sheet `mbs Study`; formulas follow.

    tell: called with warnings, of a variant that failed and of formulas that cannot be computed here.
    Returns the cells that changed, by their addresses. Raises WorkbookError where there is no such variant, or the copy
    cannot be written.
    """
    from sheetmbs.studies.read_study_rows import cells_of, study_rows
    from sheetmbs.workbook.writing.changed_copy import write_changed_copy

    study, rows = study_rows(open_book(book))
    row = rows.variant(number)
    changed = cells_of(study, row)
    warnings = write_changed_copy(book, output, changed)
    if not row.is_done:
        mend = "run the copy to see more, or apply another variant"
        tell(Problem("failed-variant", "warning", STUDY, f"variant {number} failed", row.message, mend))
    for problem in warnings:
        tell(problem)
    return {str(place): value for place, value in changed.items()}
