"""Arguments and options of `sheetmbs import`."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from sheetmbs.gait.formats.all_formats import file_kinds

Form = Annotated[
    str,
    typer.Argument(
        metavar="mubodyna|hardpoints|gait",
        help=f"an old model, a list of hardpoints, or files of one trial of gait ({file_kinds()})",
    ),
]
Files = Annotated[list[Path], typer.Argument(metavar="FILE..", help="the file to read; of gait one or several")]
Target = Annotated[
    Path, typer.Argument(metavar="BOOK", help="the workbook to make, .xlsx; hardpoints and gait also fill one")
]
Origin = Annotated[str | None, typer.Option("--from", metavar="PROGRAM", help="Of hardpoints: optimumk, lotus or csv.")]
Axle = Annotated[
    str | None, typer.Option("--axle", metavar="AXLE", help="front or rear, where the list does not tell.")
]
LengthUnit = Annotated[
    str | None, typer.Option("--unit", metavar="UNIT", help="mm, in or m, where the list does not tell.")
]
TrialName = Annotated[
    str | None, typer.Option("--trial", metavar="NAME", help="Of gait: the trial's name, else that of the file.")
]
FromTemplate = Annotated[
    str | None, typer.Option("--template", metavar="TEMPLATE", help="Of gait: for a new BOOK, else gait-2d.")
]
Subject = Annotated[
    str | None, typer.Option("--subject", metavar="NAME", help="Of gait: whose markers, where a file has several.")
]
Replace = Annotated[bool, typer.Option("--replace", help="Of gait: write sheets anew that an import has written.")]


def check_import(form: str, files: Sequence[Path], *, of_hardpoints: bool, of_gait: bool) -> None:
    """Raise BadParameter where options or files are given that this form does not take."""
    if form != "hardpoints" and of_hardpoints:
        raise typer.BadParameter("--from, --axle and --unit are of sheetmbs import hardpoints.")
    if form != "gait" and of_gait:
        raise typer.BadParameter("--trial, --template, --subject and --replace are of sheetmbs import gait.")
    if form != "gait" and len(files) > 1:
        raise typer.BadParameter("only sheetmbs import gait reads several files.")
