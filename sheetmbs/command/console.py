"""What a person sees in the terminal: problems with their cells, a summary.

On a terminal the text is laid out and coloured; through a pipe each entry is one line, so that other programs can
read it. rich honours NO_COLOR by itself.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from rich.console import Console, Group
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from sheetmbs.problems.errors import Problem
from sheetmbs.problems.listing import ListedProblem, merged, most_urgent, printable

if TYPE_CHECKING:
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

    def lines(self, rows: Sequence[tuple[str, str]]) -> None:
        """Show labels, each with a text that may go over several lines."""
        table = Table.grid(padding=(0, 2))
        table.add_column(style="dim", no_wrap=True)
        table.add_column(ratio=1, overflow="fold")
        for label, value in rows:
            table.add_row(f"  {label}", Text(printable(value)))
        self.console.print(table)


def _table(entries: Sequence[ListedProblem], width: int, *, every: bool) -> Table:
    """Cells, severity, and what is wrong with them, side by side where there is room."""
    table = Table.grid(padding=(0, 2, 0, 0))
    is_wide = width >= NARROW
    longest = max(len(_cells(entry, every=every)) for entry in entries)
    if is_wide and longest:
        table.add_column(width=min(longest, WIDEST_CELLS) + 2, overflow="fold")
    if is_wide:
        table.add_column(no_wrap=True)
    table.add_column(ratio=1, overflow="fold")
    for entry in entries:
        if table.row_count:
            table.add_row()
        problem = entry.problem
        style = STYLES[problem.severity]
        severity, cells = Text(problem.severity, style), Text(_cells(entry, every=every), "bold")
        told = Text(printable("; ".join(part for part in (entry.found, problem.problem) if part)))
        if problem.mend:
            told.append("\n" + printable(problem.mend), "green")
        if is_wide:
            table.add_row(*([cells] if longest else []), severity, told)
        else:
            table.add_row(Group(Text.assemble(cells, "  " if cells else "", severity), Padding(told, (0, 0, 0, 2))))
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
