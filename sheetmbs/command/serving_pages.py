"""What commands that serve a page have in common: their options, and how serving begins and ends."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from contextlib import nullcontext
from typing import TYPE_CHECKING, Annotated

import typer

from sheetmbs.command.console import Messages

if TYPE_CHECKING:
    from sheetmbs.live.local_server import LocalServer
    from sheetmbs.live.page_state import SharedPage
    from sheetmbs.live.served_page import MovableCells

Port = Annotated[
    int, typer.Option("--port", metavar="N", min=0, max=65535, help="The port of the page, in place of any free one.")
]
NoBrowser = Annotated[bool, typer.Option("--no-browser", help="Only tell the address, open no browser.")]


def serving(
    messages: Messages,
    shown: SharedPage,
    port: int,
    serve: Callable[[LocalServer], Awaitable[None]],
    *,
    opens: bool,
    cells: MovableCells,
) -> None:
    """Serve what pages are to show until Ctrl-C, which raises KeyboardInterrupt.

    opens: whether a browser is opened. cells: those that pages can move.
    Raises WorkbookError where the port cannot be had.
    """
    import asyncio

    from sheetmbs.live.local_server import LocalServer, listening, opened_in_browser
    from sheetmbs.live.served_files import served_files

    server = LocalServer(shown, listening(port), served_files(), cells)
    messages.say(f"{server.address}  (Ctrl-C ends it)", "bold")

    async def run() -> None:
        await serve(server)

    with opened_in_browser(server.address) if opens else nullcontext():
        asyncio.run(run())
