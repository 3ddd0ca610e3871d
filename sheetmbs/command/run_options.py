"""Options of `sheetmbs run` alone."""

from __future__ import annotations

import re
from collections.abc import Sequence
from math import isfinite
from pathlib import Path
from typing import Annotated

import typer

ReportStep = Annotated[
    float | None, typer.Option("--report-step", metavar="S", help="Seconds between rows, in place of t_step.")
]
SetCells = Annotated[
    list[str] | None,
    typer.Option(
        "--set", metavar="CELL=VALUE", help="Run with another value in a cell, by address or name; may be repeated."
    ),
]
Report = Annotated[Path | None, typer.Option("--report", metavar="FILE", help="A text report in MUBODYNA's order too.")]

_SET = re.compile(r"((?:'(?:[^']|'')*'!)?[^=]+)=(.*)", re.DOTALL)
_TRUTH = {"true": True, "false": False}


def changes_of(texts: Sequence[str] | None) -> dict[str, float | str | bool | None]:
    """The values that cells are to have, by what names them. texts: each ``CELL=VALUE``.

    A value is a number, TRUE or FALSE, nothing, or a text; behind an apostrophe it is always a text. Raises BadParameter.
    """
    changes: dict[str, float | str | bool | None] = {}
    for text in texts or ():
        match = _SET.fullmatch(text)
        if match is None:
            raise typer.BadParameter(f"--set {text}: write CELL=VALUE, for example Dimensions!B3=-2.")
        cell = match[1].strip()
        if cell in changes:
            raise typer.BadParameter(f"--set gives {cell} two values.")
        if match[2].lstrip().startswith("="):
            raise typer.BadParameter(f"--set {text}: a cell is given a value, not a formula.")
        changes[cell] = _value(match[2].strip())
    return changes


def _value(text: str) -> float | str | bool | None:
    if text.startswith("'"):
        return text[1:]
    if text.casefold() in _TRUTH:
        return _TRUTH[text.casefold()]
    try:
        number = float(text if "_" not in text else "")
    except ValueError:
        return text or None
    return number if isfinite(number) else text
