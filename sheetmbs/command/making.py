"""Workbooks made or filled: from a template, or from files of other programs, and what is said of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import typer

from sheetmbs.command.console import Messages
from sheetmbs.command.outcome import print_json
from sheetmbs.command.streams import print_as_json
from sheetmbs.problems.errors import Problem, SheetmbsError
from sheetmbs.problems.listing import counted

if TYPE_CHECKING:
    from sheetmbs.products.product import ImportForm


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
    from sheetmbs.workbook.writing.new_workbook import new_book

    with making(messages, book, as_json=as_json):
        made = new_book(template, book)
    if as_json:
        print_as_json({"status": "done", "workbook": str(book), "template": made.name})
    else:
        messages.say(f"{book}: made from {made.name}. Open it and read its first sheet.", "green")


def import_files(
    messages: Messages,
    form: ImportForm,
    files: Sequence[Path],
    book: Path,
    options: Mapping[str, Any],
    *,
    as_json: bool,
) -> None:
    """Put files of another program into a workbook and say what came of it."""
    with making(messages, book, ", ".join(map(str, files)), form.failed.format(book=book), as_json=as_json):
        made = form.run(files, book, options)
    tell_made(messages, book, made.warnings, made.sentences, as_json=as_json, more=made.more)
