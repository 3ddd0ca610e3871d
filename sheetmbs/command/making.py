"""Workbooks made or filled: from a template, or from files of other programs, and what is said of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import MappingProxyType
from typing import Any

import typer

from sheetmbs.command.console import Messages, counted
from sheetmbs.command.outcome import print_json
from sheetmbs.command.streams import print_as_json
from sheetmbs.problems.errors import Problem, SheetmbsError


@contextmanager
def making(messages: Messages, book: Path, of: str = "", instead: str = "", *, as_json: bool = False) -> Iterator[None]:
    """End a command with what kept it from making or filling a workbook.

    of: what the problems are of, where that is to be said. instead: what became of the workbook, "" says nothing.
    """
    try:
        yield
    except SheetmbsError as error:
        if as_json:
            print_json("error", book, error.problems)
        messages.problems(error.problems)
        if instead:
            messages.say(f"{f'{of}: ' if of else ''}{counted(error.problems)}. {instead}", "red")
        raise typer.Exit(error.exit_status) from None


def tell_made(
    messages: Messages,
    book: Path,
    warnings: Sequence[Problem],
    sentences: Sequence[str],
    *,
    as_json: bool,
    more: Mapping[str, Any] = MappingProxyType({}),
) -> None:
    """Say what was made, the last sentence in green. more: what only JSON tells."""
    if as_json:
        print_json("done", book, warnings, more=more)
    messages.problems(warnings)
    if not as_json:
        for sentence in sentences[:-1]:
            messages.say(sentence)
        messages.say(sentences[-1], "green")


def make(messages: Messages, template: str, book: Path, *, as_json: bool) -> None:
    """Make a workbook from a template and say what came of it."""
    from sheetmbs import study

    with making(messages, book, as_json=as_json):
        made = study.new(template, book)
    if as_json:
        print_as_json({"status": "done", "workbook": str(book), "template": made.name})
    else:
        messages.say(f"{book}: made from {made.name}. Open it and read its first sheet.", "green")


def import_model(messages: Messages, form: str, file: Path, book: Path, *, as_json: bool) -> None:
    """Make a workbook from the input file of another program and say what came of it."""
    from sheetmbs import study

    with making(messages, book, str(file), f"{book} was not made.", as_json=as_json):
        warnings = study.import_model(form, file, book)
    said = f"{book}: made from {file}. Open it and read its first sheet."
    tell_made(messages, book, warnings, [said], as_json=as_json)


def import_points(
    messages: Messages,
    file: Path,
    book: Path,
    told: tuple[str | None, str | None, str | None],
    *,
    as_json: bool,
) -> None:
    """Fill in hardpoints from a list and say what came of it. told: its form, axle and unit, None as the file says."""
    from sheetmbs import study

    with making(messages, book, str(file), f"Nothing was written to {book}.", as_json=as_json):
        warnings = study.import_hardpoints(file, book, *told)
    tell_made(messages, book, warnings, [f"{book}: its sheet Hardpoints has the points of {file}."], as_json=as_json)


def import_recording(
    messages: Messages,
    files: Sequence[Path],
    book: Path,
    told: tuple[str | None, str | None, str | None],
    *,
    replace: bool,
    as_json: bool,
) -> None:
    """Put a trial of gait into a workbook and say what was found. told: its name, a template, a subject; None as usual."""
    from sheetmbs import gait_study

    with making(messages, book, ", ".join(map(str, files)), f"Nothing was written to {book}.", as_json=as_json):
        done = gait_study.import_gait(files, book, *told, replace=replace)
    found: dict[str, list[str]] = {}
    for what, value in done.found:
        found.setdefault(what, []).append(value)
    width = max(map(len, found), default=0)
    lines = [f"  {what:<{width}}  {value}" for what, value in done.found]
    sentences = [*lines, f"{book}: it has the trial {done.trial}."]
    more = {"trial": done.trial, "found": found}
    tell_made(messages, book, done.warnings, sentences, as_json=as_json, more=more)
