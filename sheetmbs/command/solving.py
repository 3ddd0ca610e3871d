"""A run of a workbook, from reading to what is said in the end."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Any

import typer

from sheetmbs.command.console import Messages
from sheetmbs.command.interrupts import Stopped
from sheetmbs.command.outcome import Saved, export, mark_in, print_json, refuse, show_report
from sheetmbs.command.product_options import given_flags, product_options
from sheetmbs.command.progress_bars import AnalysisBar
from sheetmbs.problems.errors import Problem, SheetmbsError
from sheetmbs.problems.listing import count
from sheetmbs.products.product import RunRequest
from sheetmbs.schema.cell import Changes
from sheetmbs.workbook.package.archive import stamp

if TYPE_CHECKING:
    from sheetmbs.products.product import Product

DONE, FAILED, WRONG, BESIDE = 0, 1, 2, 3
GRAVEST = ("radius-of-gyration", "mass-and-inertia", "large-gravity", "gravity-upwards")
"""warnings of input that makes all results wrong, which no check of accuracy can see"""


@dataclass(frozen=True)
class Asked:
    """What was asked for on the command line. options: those of products, by name; changes: cells with other values."""

    book: Path
    output: Path | None = None
    analysis: str | None = None
    report_step: float | None = None
    case: str | None = None
    all_cases: bool = False
    also: tuple[Path, ...] = ()
    report: Path | None = None
    backup: bool = False
    mark: bool = False
    every: bool = False
    as_json: bool = False
    opens: bool = False
    options: Mapping[str, Any] = field(default_factory=dict)
    changes: Changes = field(default_factory=dict)

    def request(self, since: float) -> RunRequest:
        """What the run is to do. since: `time.perf_counter()` when it began."""
        return RunRequest(
            self.analysis,
            self.case,
            self.all_cases,
            self.report_step,
            self.also,
            self.report,
            self.options,
            since,
        )


@contextmanager
def answering(messages: Messages, asked: Asked) -> Iterator[None]:
    """End the command with what is wrong, or, where it is stopped, with what became of the workbook."""
    holder = asked.output or asked.book
    before = stamp(holder)
    try:
        yield
    except SheetmbsError as error:
        refuse(messages, asked.book, error, mark=asked.mark, every=asked.every, as_json=asked.as_json)
    except KeyboardInterrupt:
        is_untouched = stamp(holder) == before
        what = f"{asked.book} is as it was" if is_untouched else f"The results are already in {holder}"
        raise Stopped(f"Stopped. {what}.") from None


def run_books(messages: Messages, books: Sequence[Path], asked: Asked) -> int:
    """Run workbooks one after another. asked: for each of them. Returns the worst of their exit statuses.

    A workbook that is wrong stops no other. Raises typer.BadParameter for options that name one file for all.
    """
    if len(books) == 1:
        return run_book(messages, asked)
    of_one = {
        "--output": asked.output is not None,
        "--also": bool(asked.also),
        "--report": asked.report is not None,
        "--set": bool(asked.changes),
        "--json": asked.as_json,
    }
    wrong = [flag for flag, is_given in of_one.items() if is_given]
    wrong += given_flags([each for each in product_options() if each.type is Path], asked.options)
    if wrong:
        raise typer.BadParameter(f"{wrong[0]} is for one workbook, and {len(books)} are named.")
    statuses = []
    for book in books:
        try:
            statuses.append(run_book(messages, replace(asked, book=book)))
        except typer.Exit as stopped:
            statuses.append(stopped.exit_code)
    messages.say(f"{sum(status == DONE for status in statuses)} of {len(books)} workbooks are done.")
    return next(status for status in (WRONG, FAILED, BESIDE, DONE) if status in statuses)


def run_book(messages: Messages, asked: Asked) -> int:
    """Solve a workbook and write its results. Returns the exit status.

    Of all cases of a workbook the status is that of the worst. Where none can be analysed, nothing is written.
    """
    from sheetmbs.all_products import product_of
    from sheetmbs.workbook.cells.cells import open_book
    from sheetmbs.workbook.writing.write import check_writable

    since = perf_counter()
    told: list[Problem] = []
    with answering(messages, asked):
        book = open_book(asked.book, asked.changes)
        product = product_of(book, asked.analysis)
        refuse_options(product, asked)
        request = asked.request(since)
        prepared = product.prepare(book, request)
        say_if_open(messages, check_writable(asked.book, asked.output, book.content))
        prepare_kernels(messages)
        with AnalysisBar(messages.console) as bar:
            run = prepared.solve(bar)
        computed = perf_counter()
        exported, unwritten = export(run.further_files(request))
        written = run.results.save_somewhere(asked.output, backup=asked.backup, tell=told.append)
        saved = Saved(asked.book, asked.output, written, exported, told, perf_counter() - computed, backup=asked.backup)
    if asked.mark and asked.output is not None:
        mark_in(messages, asked.book, run.problems)
    problems = [*run.problems, *told, *unwritten]
    if asked.as_json:
        print_json(run.status, asked.book, problems, sheets=run.summary_sheets, saved=saved, more=run.items())
    messages.problems(problems, every=asked.every)
    show_report(messages, run.report(asked.book, saved.files(), saved.seconds), is_short=asked.as_json)
    if not asked.as_json:
        repeat_warnings(messages, problems)
    if asked.opens:
        open_file(messages, Path(saved.results))
    return WRONG if run.refused else exit_status(run.status, is_elsewhere=saved.moved or bool(unwritten))


def refuse_options(product: Product, asked: Asked) -> None:
    """Raise typer.BadParameter for options of `sheetmbs run` that mean nothing for a workbook of this product."""
    from sheetmbs.all_products import PRODUCTS

    for other in PRODUCTS:
        if other is not product and given_flags(other.options, asked.options):
            flags = [each.flag for each in other.options]
            are = "is" if len(flags) == 1 else "are"
            raise typer.BadParameter(f"{' and '.join(flags)} {are} for {other.owner}: BOOK has {other.lacking}.")
    given = {
        "--case": asked.case is not None,
        "--all-cases": asked.all_cases,
        "--report-step": asked.report_step is not None,
        "--also": bool(asked.also),
        "--report": asked.report is not None,
    }
    useless = [flag for flag, is_given in given.items() if is_given and flag not in product.run_options]
    if useless:
        raise typer.BadParameter(
            f"{useless[0]} is for a model that is analysed over time; BOOK holds {product.holds}, which is solved as a whole."
        )


def repeat_warnings(messages: Messages, problems: Sequence[Problem]) -> None:
    """Repeat a warning about input at the end: the list of problems stands far above, and a passed check does not see it."""
    doubtful = [problem for problem in problems if problem.severity == "warning" and problem.cell]
    if doubtful:
        first = next((problem for problem in doubtful if problem.code in GRAVEST), doubtful[0])
        more = f", and {count(len(doubtful) - 1, 'more warning')}" if len(doubtful) > 1 else ""
        messages.say(f"Check {first.cell} before you use the results: {first.found}{more}.", "yellow")


def open_file(messages: Messages, path: Path) -> None:
    """Open a file in the program that the computer uses for it."""
    if typer.launch(str(path)):
        messages.say(f"No program was found that opens {path}. Open it by hand.", "yellow")


def say_if_open(messages: Messages, is_open: Problem | None) -> None:
    """Say beforehand that results cannot go into the workbook as long as another program holds it."""
    if is_open is not None:
        messages.say(
            f"{is_open.found}: if it still is when the analysis ends, the results go into a file beside it.", "yellow"
        )


def exit_status(status: str, *, is_elsewhere: bool) -> int:
    """Exit status of a run that wrote its results. is_elsewhere: whether some of them are not where they were asked for."""
    return FAILED if status == "failed" else BESIDE if is_elsewhere else DONE


def prepare_kernels(messages: Messages) -> None:
    """Load the solver, or compile it where the sources were edited, and say so. Raises BuildError."""
    from sheetmbs.compiled import library

    library.tell_of_building(lambda sentence: messages.say(sentence, "dim"))
    library.load()
