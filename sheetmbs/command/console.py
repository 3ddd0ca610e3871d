"""What a person sees in the terminal: problems with their cells, a summary.

On a terminal the text is laid out and coloured; through a pipe each entry is one line, so that other programs can
read it. rich honours NO_COLOR by itself.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from rich.console import Console, Group
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from sheetmbs.problems.errors import Problem
from sheetmbs.problems.listing import ListedProblem, merged, most_urgent, printable

if TYPE_CHECKING:
    from sheetmbs.results.results import Results
    from sheetmbs.workbook.reading.cases import ListedCase
    from sheetmbs.workbook.writing.new_workbook import Template

WIDEST, NARROW = 110, 64
WIDEST_CELLS = 26
MOST_ENTRIES, MOST_RANGES = 20, 4
STYLES = {"error": "bold red", "warning": "bold yellow", "note": "bold blue"}


def terminal() -> Console:
    """Standard error, no wider than reads well."""
    console = Console(stderr=True, highlight=False, markup=False, emoji=False)
    console.width = min(console.width, WIDEST)
    return console


def count(number: int, noun: str) -> str:
    """``1 body``, ``2 bodies``."""
    many = f"{noun[:-1]}ies" if noun.endswith("y") else f"{noun}s"
    return f"{number:,} {noun if number == 1 else many}"


def counted(problems: Sequence[Problem]) -> str:
    """``2 errors, 1 warning``; ``""`` where there are none."""
    severities = [problem.severity for problem in problems]
    return ", ".join(count(severities.count(each), each) for each in STYLES if each in severities)


class Messages:
    """Standard error as a place for sentences."""

    def __init__(self) -> None:
        self.console = terminal()

    def say(self, sentence: str, style: str = "") -> None:
        """Print a sentence; through a pipe it stays one line."""
        self.console.print(Text(printable(sentence), style), soft_wrap=not self.console.is_terminal)

    def problems(self, problems: Sequence[Problem], *, every: bool = False) -> None:
        """List problems; what repeats in a column is one entry, through a pipe a line ``code  cells  sentence``.

        every: a long list is not cut short on a terminal. A pipe always gets the whole.
        """
        entries = merged(problems)
        if not self.console.is_terminal:
            for entry in entries:
                self.say(str(entry))
            return
        listed = entries if every else most_urgent(entries, MOST_ENTRIES)
        if listed:
            self.console.print()
            self.console.print(_table(listed, self.console.width, every=every))
            self.console.print()
        left_out = len(problems) - sum(entry.count for entry in listed)
        if left_out:
            self.say(f"and {left_out:,} more; --all shows them", "bold")
            self.console.print()

    def columns(self, rows: Sequence[Sequence[str]]) -> None:
        """Show a small table: a name, its unit, then values; a row without a unit and with texts is a head.

        Through a pipe each row is a line.
        """
        if not self.console.is_terminal:
            for row in rows:
                self.say("  ".join(cell for cell in row if cell))
            return
        table = Table.grid(padding=(0, 2))
        count = max(map(len, rows), default=0)
        for place in range(count):
            table.add_column(style="dim" if place == 1 else "", justify="left" if place < 2 else "right", no_wrap=True)
        for row in rows:
            table.add_row(f"  {printable(row[0])}", *(printable(cell) for cell in row[1:]))
        self.console.print(table)

    def summary(self, results: Results, files: Mapping[str, str], writing: float) -> None:
        """Show what was analysed and how it went. files: those written, by what they hold. writing: seconds that it took."""
        table = Table.grid(padding=(0, 2))
        table.add_column(style="dim", no_wrap=True)
        table.add_column(ratio=1, overflow="fold")
        for label, value in [*summary_lines(results, writing), *files.items()]:
            table.add_row(f"  {label}", Text(printable(value)))
        self.console.print(table)


def _table(entries: Sequence[ListedProblem], width: int, *, every: bool) -> Table:
    """Severity, cells, and what is wrong with them, side by side where there is room."""
    table = Table.grid(padding=(0, 2, 0, 0))
    is_wide = width >= NARROW
    longest = max(len(_cells(entry, every=every)) for entry in entries)
    if is_wide:
        table.add_column(no_wrap=True)
    if is_wide and longest:
        table.add_column(width=min(longest, WIDEST_CELLS), overflow="fold")
    table.add_column(ratio=1, overflow="fold")
    for entry in entries:
        if table.row_count:
            table.add_row()
        problem = entry.problem
        style = STYLES[problem.severity]
        severity, cells = Text(f"  {problem.severity}", style), Text(_cells(entry, every=every), "bold")
        told = Text(printable("; ".join(part for part in (entry.found, problem.problem) if part)))
        if problem.mend:
            told.append("\n" + printable(problem.mend), "green")
        if is_wide:
            table.add_row(severity, *([cells] if longest else []), told)
        else:
            table.add_row(Group(Text.assemble(severity, "  ", cells), Padding(told, (0, 0, 0, 2))))
    return table


def _cells(entry: ListedProblem, *, every: bool) -> str:
    """The cells of an entry, with how many more there are where their list grows long."""
    cells = entry.cells
    if len(cells) > MOST_RANGES and not every:
        return printable(f"{', '.join(cells[: MOST_RANGES - 1])} and others, {entry.count:,} in all")
    return printable(", ".join(cells))


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


def show_templates(templates: Sequence[Template]) -> None:
    """List templates on standard output: laid out on a terminal, through a pipe as lines with tabs."""
    console = Console(highlight=False, markup=False, emoji=False)
    if not console.is_terminal:
        for template in templates:
            print("\t".join(template))  # noqa: T201 - lines for other programs, never wrapped
        return
    console.width = min(console.width, WIDEST)
    table = Table.grid(padding=(0, 3, 0, 0))
    table.add_column(no_wrap=True)
    table.add_column(no_wrap=True)
    table.add_column(no_wrap=True)
    table.add_column(ratio=1)
    for template in templates:
        table.add_row(
            Text(f"  {template.name}", "cyan"), template.dimension, template.analysis, Text(template.about, "dim")
        )
    console.print(table)


def _when(results: Results) -> str:
    from sheetmbs.schema.settings import STATIC_ANALYSES

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
    return [*lines, ("time", f"{', '.join(shares)}, {_seconds(results, 'wall time') + writing:.2f} s in all")]
