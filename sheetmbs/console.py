"""What a person sees in the terminal: problems with their cells, a bar while it computes, a summary.

On a terminal the text is laid out and coloured; through a pipe each problem is one line, so that other programs can
read it. rich honours NO_COLOR by itself.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Mapping, Sequence
from types import TracebackType
from typing import TYPE_CHECKING, Self

from rich.console import Console
from rich.table import Table
from rich.text import Text

from sheetmbs.errors import Problem

if TYPE_CHECKING:
    from rich.progress import Progress

    from sheetmbs.results.results import Results
    from sheetmbs.workbook.cases import ListedCase

WIDEST = 110
STYLES = {"error": "bold red", "warning": "bold yellow", "note": "bold blue"}
BAR_AFTER = 0.4
"""seconds; a bar that flashes up for less disturbs more than it tells"""


def printable(text: str) -> str:
    """Text from a workbook without the control characters that could steer a terminal or break a line."""
    return "".join(sign if sign.isprintable() else "\N{REPLACEMENT CHARACTER}" for sign in text)


def terminal() -> Console:
    """Standard error, no wider than reads well."""
    console = Console(stderr=True, highlight=False, markup=False, emoji=False)
    console.width = min(console.width, WIDEST)
    return console


def count(number: int, noun: str) -> str:
    """``1 body``, ``2 bodies``."""
    many = f"{noun[:-1]}ies" if noun.endswith("y") else f"{noun}s"
    return f"{number} {noun if number == 1 else many}"


class Messages:
    """Standard error as a place for sentences."""

    def __init__(self) -> None:
        self.console = terminal()

    def say(self, sentence: str, style: str = "") -> None:
        """Print a sentence; through a pipe it stays one line."""
        self.console.print(Text(printable(sentence), style), soft_wrap=not self.console.is_terminal)

    def problems(self, problems: Sequence[Problem]) -> None:
        """List problems, on a terminal with the cell first, through a pipe as ``code  cell  sentence`` lines."""
        if not self.console.is_terminal:
            for problem in problems:
                self.say(str(problem))
            return
        for problem in problems:
            self.console.print()
            self._problem(problem)
        self.console.print()

    def _problem(self, problem: Problem) -> None:
        kind = problem.code if problem.severity == "error" else f"{problem.severity}: {problem.code}"
        head = Text.assemble(
            "  ", (printable(problem.cell) or "the model", STYLES[problem.severity]), "  ", (kind, "dim")
        )
        self.console.print(head)
        body = Table.grid(padding=(0, 1))
        body.add_column(width=3)
        body.add_column(ratio=1)
        for sentence in (problem.found, problem.problem):
            if sentence:
                body.add_row("", Text(printable(sentence)))
        if problem.mend:
            body.add_row("", Text(printable(problem.mend), "green"))
        self.console.print(body)

    def summary(self, results: Results, files: Mapping[str, str], writing: float) -> None:
        """What was analysed and how it went. files: those written, by what they hold. writing: seconds that took."""
        table = Table.grid(padding=(0, 2))
        table.add_column(style="dim", no_wrap=True)
        table.add_column(ratio=1, overflow="fold")
        for label, value in [*summary_lines(results, writing), *files.items()]:
            table.add_row(f"  {label}", Text(printable(value)))
        self.console.print(table)


def show_cases(cases: Sequence[ListedCase]) -> None:
    """List cases on standard output: laid out on a terminal, through a pipe as lines of case, tab and analysis."""
    console = Console(highlight=False, markup=False, emoji=False)
    if not console.is_terminal:
        for case in cases:
            print(f"{printable(case.name)}\t{case.analysis}")  # noqa: T201 - lines for other programs, never wrapped
        return
    table = Table.grid(padding=(0, 3, 0, 0))
    for case in cases:
        remark = "the one that runs when none is asked for" if case.is_default else ""
        table.add_row(Text(f"  {printable(case.name)}", "cyan"), case.analysis, Text(remark, "dim"))
    console.print(table)


def _when(results: Results) -> str:
    from sheetmbs.schema.settings import STATIC_ANALYSES  # noqa: PLC0415 - brings numpy, before `main` has limited its threads

    settings = results.model.settings
    if settings.analysis in STATIC_ANALYSES:
        return f"at {settings.t_start:g} s"
    return f"from {settings.t_start:g} s to {settings.t_end:g} s"


def _seconds(results: Results, item: str) -> float:
    return float(results.summary[item] or 0.0)


def summary_lines(results: Results, writing: float) -> list[tuple[str, str]]:
    """What a person wants to see first of `mbs Summary`, as (label, text). writing: seconds spent on the workbook."""
    items, settings = results.summary, results.model.settings
    redundant = items["redundant constraints"]
    lines = [
        ("analysis", f"{items['analysis']}, {_when(results)}"),
        ("degrees of freedom", f"{items['degrees of freedom']}"),
        ("redundant constraints", "none" if redundant == 0 else f"{redundant}"),
    ]
    position, velocity = items["position violation"], items["velocity violation"]
    if settings.case:
        lines.insert(0, ("case", settings.case))
    if position is not None:
        lines.append(("worst violation", f"{position:.2g} in positions, {velocity:.2g} in velocities"))
    if items["energy drift"] is not None:
        lines.append(("energy drift", f"{items['energy drift']:.2g} J"))
    lines.append(("accuracy check", f"{items['accuracy check']}"))
    shares = [f"{_seconds(results, 'solve time'):.2f} s solving", f"{writing:.2f} s writing"]
    if compiling := _seconds(results, "compile time"):
        shares.insert(0, f"{compiling:.1f} s compiling")
    return [*lines, ("time", f"{', '.join(shares)}, {_seconds(results, 'wall time') + writing:.2f} s in all")]


class Bar:
    """The fraction done with the time left, on a terminal and only once the analysis has lasted a moment."""

    def __init__(self, console: Console) -> None:
        self._console = console
        self._started = time.monotonic()
        self._progress: Progress | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._progress is not None:
            self._progress.stop()

    def __call__(self, fraction: float) -> None:
        """Show that this fraction of the analysis is done."""
        if not self._console.is_terminal or time.monotonic() - self._started < BAR_AFTER:
            return
        if self._progress is None:
            self._progress = self._start()
        self._progress.update(self._progress.task_ids[0], completed=fraction)

    def _start(self) -> Progress:
        from rich.progress import (  # noqa: PLC0415 - most runs end before a bar is due
            BarColumn,
            Progress,
            TaskProgressColumn,
            TextColumn,
            TimeRemainingColumn,
        )

        progress = Progress(
            TextColumn("  analysing"),
            BarColumn(bar_width=40),
            TaskProgressColumn(),
            TimeRemainingColumn(),
            TextColumn("left"),
            console=self._console,
            transient=True,
        )
        progress.start()
        progress.add_task("analysing", total=1.0)
        return progress


def let_any_text_through() -> None:
    """Replace what a narrow encoding cannot show: no message may stop a run."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")
