"""The server on 127.0.0.1: its port, its address, its begin and end."""

from __future__ import annotations

import asyncio
import os
import secrets
import socket
import sys
import tempfile
import webbrowser
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Thread
from types import FrameType

import uvicorn

from sheetmbs.files.whole_file import write_whole
from sheetmbs.live.limited_connection import LONGEST_HEAD, LimitedConnection
from sheetmbs.live.page_state import SharedPage
from sheetmbs.live.served_page import MovableCells, PageFile, served_page
from sheetmbs.problems.errors import Problem, WorkbookError

HOST = "127.0.0.1"
SNAPS = Path("/snap/bin")
FOR_THIS_USER = 0o600
REDIRECTION = """<!doctype html>
<meta charset="utf-8">
<meta name="referrer" content="no-referrer">
<meta http-equiv="refresh" content="0; url={address}">
<title>sheetmbs</title>
<a href="{address}">The page</a>
"""
LONGEST_END = 1
"""seconds that pages have to end their connections"""


def listening(port: int) -> socket.socket:
    """A socket on a port of this machine, 0 for any that is free. Raises WorkbookError."""
    held = socket.socket()
    if sys.platform != "win32":  # there it would let two servers have one port
        held.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        held.bind((HOST, port))
        held.listen()
    except OSError as error:
        held.close()
        raise WorkbookError(
            Problem(
                "port-taken",
                "error",
                "",
                f"port {port} of {HOST} cannot be had ({error.strerror})",
                "the page is served there, and a port belongs to one program",
                "end the other program, give another --port, or none: then a free one is taken",
            )
        ) from None
    return held


class LocalServer(uvicorn.Server):
    """Serves the page on a socket until Ctrl-C, or until `end` is called.

    shown: what pages show. page: its files. cells: those that it can move, None where it can only be read.
    """

    def __init__(
        self,
        shown: SharedPage,
        held: socket.socket,
        page: Mapping[str, PageFile],
        cells: MovableCells | None = None,
    ) -> None:
        token = secrets.token_urlsafe(24)
        port = held.getsockname()[1]
        config = uvicorn.Config(
            served_page(shown, page, token, port, cells),
            log_config=None,
            log_level="critical",
            access_log=False,
            lifespan="off",
            http=LimitedConnection,
            h11_max_incomplete_event_size=LONGEST_HEAD,
            ws="none",
            server_header=False,
            timeout_graceful_shutdown=LONGEST_END,
        )
        super().__init__(config)
        self.address = f"http://{HOST}:{port}/{token}/"
        self._shown = shown
        self._held = held

    async def run_until_ended(self) -> None:
        """Serve. Ctrl-C raises KeyboardInterrupt in the end."""
        self._loop = asyncio.get_running_loop()
        await self.serve(sockets=[self._held])

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Stop the server when Ctrl-C is pressed."""
        super().handle_exit(sig, frame)
        self._loop.call_soon_threadsafe(self.end)

    def end(self) -> None:
        """End, the streams of events first: each would go on for ever."""
        self._shown.tell(ended=True)
        self.should_exit = True


@contextmanager
def opened_in_browser(address: str) -> Iterator[None]:
    """Open the page in the user's browser, where there is a screen for one.

    Everybody on this machine can read what a program was started with. So the browser is handed a file that only this user
    can read and that leads to the address; it is removed in the end. Where none can be written, the user opens the address.
    """
    has_screen = not sys.platform.startswith("linux") or bool(
        os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY") or os.environ.get("BROWSER")
    )
    if not has_screen:  # else a browser for terminals would take the terminal
        yield
        return
    # a browser that was installed as a snap sees no temporary files, and of the home folder only what is not hidden
    folder = Path.home() if SNAPS.is_dir() else Path(tempfile.gettempdir())
    file = folder / f"sheetmbs-page-{secrets.token_hex(8)}.html"
    content = REDIRECTION.format(address=address).encode()
    try:
        with suppress(OSError):
            write_whole(file, lambda opened: opened.write(content), like=FOR_THIS_USER, is_new=True)
            Thread(target=webbrowser.open, args=(file.as_uri(),), daemon=True).start()
        yield
    finally:
        with suppress(OSError):
            file.unlink(missing_ok=True)
