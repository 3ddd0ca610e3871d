"""The sheets of a design study as scripts write them: Study, Variables, Responses."""

from __future__ import annotations

from collections.abc import Sequence

from look import Cell
from style import Handout

WIDE = {"": 13.0, "notes": 60.0, "name": 22.0, "cell": 26.0, "of": 30.0, "curve": 16.0, "setting": 16.0}


def write_study(
    book: Handout,
    settings: Sequence[Sequence[Cell]],
    variables: tuple[str, Sequence[Sequence[Cell]]],
    responses: tuple[str, Sequence[Sequence[Cell]]],
) -> None:
    """Write them. settings: (setting, value, notes). variables, responses: headers, blanks between them, and rows."""
    book.declared("Study", "setting value notes", settings, WIDE)
    book.declared("Variables", *variables, WIDE)
    book.declared("Responses", *responses, WIDE)
