"""Arguments and options that several commands have."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer


def _case(which: str) -> Any:
    return typer.Option("--case", "-c", metavar="NAME", help=f"One of the cases of BOOK, not {which}.")


def _also(rows: str) -> Any:
    doc = f"All {rows} in one .csv or .parquet file too; may be repeated."
    return typer.Option("--also", metavar="PATH", help=doc)


def _as_json(what: str) -> Any:
    return typer.Option("--json", help=f"Print {what} as JSON to standard output.")


Book = Annotated[Path, typer.Argument(metavar="BOOK", help="a workbook, .xlsx or .xlsm")]
Books = Annotated[
    list[Path],
    typer.Argument(metavar="BOOK..", help="a workbook, .xlsx or .xlsm, or several that are run one after another"),
]
NewBook = Annotated[Path, typer.Argument(metavar="OUT", help="the workbook to make, .xlsx")]
Output = Annotated[
    Path | None, typer.Option("--output", "-o", metavar="PATH", help="Write a copy here and leave BOOK alone.")
]
Analysis = Annotated[
    str | None,
    typer.Option("--analysis", "-a", metavar="A", help='kinematic, dynamic, equilibrium, modes or "inverse dynamic".'),
]
Case = Annotated[str | None, _case("the one that Settings names")]
CaseOfAll = Annotated[str | None, _case("all of them")]
AllCases = Annotated[bool, typer.Option("--all-cases", help="All the cases of BOOK.")]
Also = Annotated[list[Path] | None, _also("rows")]
AlsoVariants = Annotated[list[Path] | None, _also("variants")]
Backup = Annotated[bool, typer.Option("--backup", help="Keep BOOK as it was before it is changed as BOOK.bak.")]
Mark = Annotated[bool, typer.Option("--mark", help="List problems on the sheet mbs Problems of BOOK.")]
Every = Annotated[bool, typer.Option("--all", help="List every problem in the terminal, however many.")]
AsJson = Annotated[bool, _as_json("the summary")]
ListAsJson = Annotated[bool, _as_json("the list")]
MadeAsJson = Annotated[bool, _as_json("what was made")]
FoundAsJson = Annotated[bool, _as_json("what was found")]
Open = Annotated[bool, typer.Option("--open", help="Open the result in the program that your computer uses for it.")]
Debug = Annotated[bool, typer.Option("--debug", help="Show where in the program an unexpected error arose.")]
