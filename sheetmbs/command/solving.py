"""Preparing the process for solving, and running all cases of a workbook."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING

from sheetmbs.command.console import Bar, Messages
from sheetmbs.command.interrupts import Stopped, stamp, stopping_while_compiling
from sheetmbs.command.outcome import Saved, mark_in, print_json_of_cases, refuse, tell_of_cases
from sheetmbs.problems.errors import Problem, SheetmbsError

if TYPE_CHECKING:
    from sheetmbs.model import Model

DONE, FAILED, WRONG, BESIDE = 0, 1, 2, 3


@dataclass(frozen=True)
class Asked:
    """What was asked for on the command line."""

    book: Path
    output: Path | None
    analysis: str | None
    report_step: float | None
    backup: bool
    mark: bool
    every: bool
    as_json: bool


def run_every_case(messages: Messages, asked: Asked) -> int:
    """Analyse all cases of a workbook into one file. Returns the exit status: that of the worst of them.

    A case that is wrong, or fails, stops no other. Where none can be analysed, nothing is written.
    """
    from sheetmbs import study  # noqa: PLC0415 - the help pages need none of it

    told: list[Problem] = []
    book, holder = asked.book, asked.output or asked.book
    before = stamp(holder)
    try:
        models, is_open = study.read_models_for_results(
            book, asked.output, analysis=asked.analysis, report_step=asked.report_step
        )
        if is_open is not None:
            messages.say(
                f"{is_open.found}: if it still is when the analysis ends, the results go into a file beside it.",
                "yellow",
            )
        found = list(models.models.values())
        with without_scipy(found), Bar(messages.console) as bar, stopping_while_compiling(messages, book):
            say_if_compiling(messages)
            results = study.run_models(models, progress=bar)
        computed = perf_counter()
        written = results.save_somewhere(asked.output, backup=asked.backup, tell=told.append)
        saved = Saved(book, asked.output, written, [], told, perf_counter() - computed, backup=asked.backup)
    except SheetmbsError as error:
        refuse(messages, book, error, mark=asked.mark, every=asked.every, as_json=asked.as_json)
    except KeyboardInterrupt:
        what = f"{book} is as it was" if stamp(holder) == before else f"The results are already in {holder}"
        raise Stopped(f"Stopped. {what}.") from None
    problems = [*results.problems, *told]
    if asked.mark and asked.output is not None:
        mark_in(messages, book, results.problems)
    if asked.as_json:
        print_json_of_cases(book, results, problems, saved)
    messages.problems(problems, every=asked.every)
    tell_of_cases(messages, results, saved, with_summary=not asked.as_json)
    done = BESIDE if saved.moved else DONE
    return WRONG if results.refused else done if results.status == "done" else FAILED


def say_if_compiling(messages: Messages) -> None:
    """Say why it takes a moment, where machine code must be made."""
    from sheetmbs import compiler, jit, keeping  # noqa: PLC0415 - numba takes a third of a second, which a wrong workbook need not wait for

    def tell_of_kept(what: str, folder: Path, reason: str) -> None:
        done = {
            keeping.DAMAGED: "Machine code kept in {} is damaged ({}): it is made anew.",
            keeping.UNWRITABLE: "No machine code can be kept in {} ({}): this run goes on without.",
        }
        messages.say(done[what].format(folder, reason), "yellow")

    keeping.tell_of_trouble(tell_of_kept)

    if jit.is_cold():
        messages.say("Compiling the solver, once after installing; this takes about 15 seconds.", "dim")
    compiler.tell_of_compiling(
        "sheetmbs.analysis.integrators.radau.radau",
        lambda: messages.say("The model is stiff: compiling the stiff solver, once after installing.", "dim"),
    )


@contextmanager
def without_scipy(models: Sequence[Model]) -> Iterator[None]:
    """Hide scipy while numba is imported; numba would load its linear algebra for functions that our kernels do not call.

    That is a third of a second of every run. The process of the command line is ours alone, so nobody else misses it, but for
    the one integrator that is scipy's.
    """
    if "scipy" in sys.modules or any(model.settings.integrator == "lsoda" for model in models):
        yield
        return
    sys.modules["scipy"] = None  # type: ignore[assignment]
    try:
        yield
    finally:
        del sys.modules["scipy"]
