"""What commands that serve a page have in common: their options, the packages they need, begin and end."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from contextlib import nullcontext
from importlib.util import find_spec
from typing import TYPE_CHECKING, Annotated

import typer

from sheetmbs.command.console import Messages
from sheetmbs.problems.errors import Problem, WorkbookError

if TYPE_CHECKING:
    from sheetmbs.live.local_server import LocalServer
    from sheetmbs.live.page_state import SharedPage

PACKAGES = ("starlette", "uvicorn", "watchfiles")
"""of the extra ``view``"""

Port = Annotated[
    int, typer.Option("--port", metavar="N", min=0, max=65535, help="The port of the page, in place of any free one.")
]
NoBrowser = Annotated[bool, typer.Option("--no-browser", help="Only tell the address, open no browser.")]


def need_extra(command: str) -> None:
    """Raises WorkbookError where a package is missing that serves pages."""
    missing = [name for name in PACKAGES if find_spec(name) is None]
    if missing:
        found = f"{', '.join(missing)} {'is' if len(missing) == 1 else 'are'} not installed"
        mend = "pip install 'sheetmbs[view]'"
        raise WorkbookError(Problem("no-server", "error", "", found, f"sheetmbs {command} serves a page with it", mend))


def serving(
    messages: Messages,
    shown: SharedPage,
    port: int,
    serve: Callable[[LocalServer], Awaitable[None]],
    *,
    opens: bool,
) -> None:
    """Serve what pages are to show until Ctrl-C, which raises KeyboardInterrupt. opens: whether a browser is opened.

    Raises WorkbookError where the port cannot be had.
    """
    import asyncio

    from sheetmbs.live.local_server import LocalServer, listening, opened_in_browser
    from sheetmbs.live.served_files import served_files

    server = LocalServer(shown, listening(port), served_files())
    messages.say(f"{server.address}  (Ctrl-C ends it)", "bold")

    async def run() -> None:
        await serve(server)

    with opened_in_browser(server.address) if opens else nullcontext():
        asyncio.run(run())
