"""Runs of a workbook: one case, or all of them, from reading to what is said in the end."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from time import perf_counter

from sheetmbs.command.console import Messages
from sheetmbs.command.interrupts import Stopped
from sheetmbs.command.outcome import (
    Saved,
    export,
    mark_in,
    print_json,
    print_json_of_cases,
    refuse,
    tell,
    tell_of_cases,
)
from sheetmbs.command.progress_bars import AnalysisBar
from sheetmbs.problems.errors import Problem, SheetmbsError
from sheetmbs.schema.changes import Changes
from sheetmbs.workbook.package.archive import stamp

DONE, FAILED, WRONG, BESIDE = 0, 1, 2, 3


@dataclass(frozen=True)
class Asked:
    """What was asked for on the command line."""

    book: Path
    output: Path | None = None
    analysis: str | None = None
    report_step: float | None = None
    case: str | None = None
    also: tuple[Path, ...] = ()
    report: Path | None = None
    backup: bool = False
    mark: bool = False
    every: bool = False
    as_json: bool = False
    changes: Changes = field(default_factory=dict)
    """cells with other values than in the workbook"""


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


def run_one_case(messages: Messages, asked: Asked) -> int:
    """Analyse a workbook, or one of its cases. Returns the exit status."""
    from sheetmbs import study

    since = perf_counter()
    told: list[Problem] = []
    book = asked.book
    with answering(messages, asked):
        model, is_open = study.read_for_results(
            book,
            asked.output,
            also=asked.also,
            analysis=asked.analysis,
            case=asked.case,
            report_step=asked.report_step,
            report=asked.report,
            changes=asked.changes,
        )
        say_if_open(messages, is_open)
        prepare_kernels(messages)
        with AnalysisBar(messages.console) as bar:
            results = study.run(model, progress=bar, since=since)
        computed = perf_counter()
        reports = [] if asked.report is None else [(results.report, asked.report)]
        exported, unwritten = export([*((results.export, path) for path in asked.also), *reports])
        written = results.save_somewhere(asked.output, backup=asked.backup, tell=told.append)
        saved = Saved(book, asked.output, written, exported, told, perf_counter() - computed, backup=asked.backup)
    if asked.mark and asked.output is not None:
        mark_in(messages, book, results.sheets.problems)
    problems = [*results.sheets.problems, *told, *unwritten]
    if asked.as_json:
        print_json(results.status, book, problems, sheets=results.sheets, saved=saved)
    messages.problems(problems, every=asked.every)
    tell(messages, results, saved, with_summary=not asked.as_json)
    return exit_status(results.status, is_elsewhere=saved.moved or bool(unwritten))


def say_if_open(messages: Messages, is_open: Problem | None) -> None:
    """Say beforehand that results cannot go into the workbook as long as another program holds it."""
    if is_open is not None:
        messages.say(
            f"{is_open.found}: if it still is when the analysis ends, the results go into a file beside it.", "yellow"
        )


def run_every_case(messages: Messages, asked: Asked) -> int:
    """Analyse all cases of a workbook into one file. Returns the exit status: that of the worst of them.

    A case that is wrong, or fails, stops no other. Where none can be analysed, nothing is written.
    """
    from sheetmbs import study

    told: list[Problem] = []
    book = asked.book
    with answering(messages, asked):
        models, is_open = study.read_models_for_results(
            book, asked.output, analysis=asked.analysis, report_step=asked.report_step, changes=asked.changes
        )
        say_if_open(messages, is_open)
        prepare_kernels(messages)
        with AnalysisBar(messages.console) as bar:
            results = study.run_models(models, progress=bar)
        computed = perf_counter()
        written = results.save_somewhere(asked.output, backup=asked.backup, tell=told.append)
        saved = Saved(book, asked.output, written, [], told, perf_counter() - computed, backup=asked.backup)
    problems = [*results.problems, *told]
    if asked.mark and asked.output is not None:
        mark_in(messages, book, results.problems)
    if asked.as_json:
        print_json_of_cases(book, results, problems, saved)
    messages.problems(problems, every=asked.every)
    tell_of_cases(messages, results, saved, with_summary=not asked.as_json)
    return WRONG if results.refused else exit_status(results.status, is_elsewhere=saved.moved)


def exit_status(status: str, *, is_elsewhere: bool) -> int:
    """Exit status of a run that wrote its results. is_elsewhere: whether some of them are not where they were asked for."""
    return FAILED if status == "failed" else BESIDE if is_elsewhere else DONE


def show_compiling(messages: Messages) -> None:
    """Let a sentence say where the solver is compiled because the sources were edited."""
    from sheetmbs.compiled import library

    library.tell_of_building(lambda sentence: messages.say(sentence, "dim"))


def prepare_kernels(messages: Messages) -> None:
    """Load the solver, or compile it where the sources were edited, and say so. Raises BuildError."""
    from sheetmbs.compiled import library

    show_compiling(messages)
    library.load()
