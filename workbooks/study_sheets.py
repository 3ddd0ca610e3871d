"""The sheets of a design study as scripts write them: Study, Variables, Responses."""

from __future__ import annotations

from collections.abc import Sequence

from choices import DECLARED
from look import Cell
from style import Column, Handout

from sheetmbs.schema.names import fold

WIDE = {"notes": 60.0, "name": 22.0, "cell": 26.0, "of": 30.0, "curve": 16.0, "setting": 16.0}


def write_study(
    book: Handout,
    settings: Sequence[Sequence[Cell]],
    variables: tuple[str, Sequence[Sequence[Cell]]],
    responses: tuple[str, Sequence[Sequence[Cell]]],
) -> None:
    """Write them. settings: (setting, value, notes). variables, responses: headers, blanks between them, and rows."""
    _table(book, "Study", "setting value notes", settings)
    _table(book, "Variables", *variables)
    _table(book, "Responses", *responses)


def _table(book: Handout, name: str, headers: str, rows: Sequence[Sequence[Cell]]) -> None:
    columns = [Column(header, width=WIDE.get(header, 13.0)) for header in headers.split()]
    book.table(name, columns, rows, DECLARED[fold(name)].doc)
