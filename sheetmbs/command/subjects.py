"""The command that puts results of several workbooks together."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from sheetmbs.command import common_options as common
from sheetmbs.command.console import Messages
from sheetmbs.command.making import making, tell_made

EXAMPLES = """
    sheetmbs collect p01.xlsx p02.xlsx p03.xlsx all.xlsx -> items and mean curves of three subjects
    sheetmbs collect study/*.xlsx all.xlsx -> of all workbooks in a folder
    """


def collect(
    books: Annotated[list[Path], typer.Argument(metavar="BOOK..", help="workbooks of gait that were run")],
    out: common.NewBook,
    as_json: common.MadeAsJson = False,  # noqa: FBT002
    debug: common.Debug = False,  # noqa: FBT002, ARG001 - read in `main` of cli.py
) -> None:
    """Put the gait of several subjects into one workbook.

    All items of the summaries in one list, and each quantity with its mean and deviation across subjects. Units, signs and
    points must agree. A file that is there already is never overwritten. Exit status 0: done. 2: wrong workbook or file.
    """
    from sheetmbs import gait_study

    messages = Messages()
    with making(messages, out, instead=f"{out} was not made.", as_json=as_json):
        found, warnings = gait_study.collect_gait(books, out)
    more = {"books": [str(each.path) for each in found]}
    number = "1 workbook" if len(found) == 1 else f"{len(found)} workbooks"
    tell_made(messages, out, warnings, [f"{out}: made from {number}."], as_json=as_json, more=more)
