"""The command that shows a mechanism on a page."""

from __future__ import annotations

import gc
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from sheetmbs.command import common_options as common
from sheetmbs.command.console import Messages
from sheetmbs.command.progress_bars import AnalysisBar
from sheetmbs.command.serving_pages import NoBrowser, Port, serving
from sheetmbs.command.solving import FAILED, Asked, answering, open_file, prepare_kernels
from sheetmbs.problems.listing import counted

if TYPE_CHECKING:
    from sheetmbs.viewing.workbook_page import WorkbookPage

EXAMPLES = """
    sheetmbs view car.xlsx -> all its cases move, in the browser
    sheetmbs view car.xlsx --html car.html -> one file that shows all cases move
    sheetmbs view car.xlsx -c bump -> one of its cases
    sheetmbs view car.xlsx --variants "3; 7" -> with variants of its study
    """


def view(
    book: common.Book,
    html: Annotated[
        Path | None,
        typer.Option(
            "--html",
            metavar="PAGE",
            help="The page as one file, .html, in place of the browser; an earlier page is replaced.",
        ),
    ] = None,
    case: common.CaseOfAll = None,
    variants: Annotated[
        str | None,
        typer.Option(
            "--variants", metavar="N", help='Variants of its study beside it, "3; 17-20" or none; else the best one.'
        ),
    ] = None,
    port: Port = 0,
    no_browser: NoBrowser = False,  # noqa: FBT002
    opens: common.Open = False,  # noqa: FBT002
    debug: common.Debug = False,  # noqa: FBT002, ARG001 - read in `main` of cli.py
) -> None:
    """Show a workbook's mechanism moving, on a page.

    It stands on an address of this machine until Ctrl-C, or with --html in one file, which needs no network and opens by
    double-click in any browser. BOOK is only read, unless you move points on the served page and write them. Exit status 0:
    done. 1: the analysis failed; the page shows how far it came. 2: wrong workbook or command. 130: stopped by the user.
    """
    from sheetmbs.live.workbook_page import view as view_book
    from sheetmbs.viewing.one_file import check_page

    if html is not None and (port or no_browser):
        raise typer.BadParameter("--html excludes --port and --no-browser: a file is not served.")
    if opens and html is None:
        raise typer.BadParameter("--open is for --html: without it the page opens by itself.")
    messages = Messages()
    with answering(messages, Asked(book, output=html)):
        if html is not None:
            check_page(html)
        prepare_kernels(messages)
        if messages.console.is_terminal:
            messages.say(f"Analysing {book} ...", "dim")
        with AnalysisBar(messages.console) as bar:
            viewed = view_book(book, case=case, variants=variants, progress=bar)
        path = None if html is None else viewed.write(html)
    messages.problems(viewed.problems)
    told = f" ({counted(viewed.problems)})" if viewed.problems else ""
    if path is None:
        messages.say(f"{book}: {viewed.status}{told}.", "green" if viewed.status == "done" else "red")
        _serve(messages, book, viewed, (case, variants), port, opens=not no_browser)
        return
    messages.say(f"{path}: {path.stat().st_size / 1e6:.2f} MB, opens in any browser{told}.", "green")
    if opens:
        open_file(messages, path)
    if viewed.status != "done":
        raise typer.Exit(FAILED)


def _serve(
    messages: Messages,
    book: Path,
    viewed: WorkbookPage,
    asked: tuple[str | None, str | None],
    port: int,
    *,
    opens: bool,
) -> None:
    """Serve the page until Ctrl-C. asked: the case and the variants that it shows."""
    from sheetmbs.live.moved_cells import MovedCells
    from sheetmbs.live.page_state import SharedPage, packed_document
    from sheetmbs.live.workbook_page import view as view_book

    gc.enable()  # unlike other commands this one lasts
    case, variants = asked
    cells = MovedCells(book, lambda: view_book(book, case=case, variants=variants).document)
    shared = SharedPage()
    shared.show(packed_document(1, viewed.document), 1)
    shared.tell(status=viewed.status)
    with answering(messages, Asked(book)):
        serving(messages, shared, port, lambda server: server.run_until_ended(), opens=opens, cells=cells)
