"""The server on 127.0.0.1: its port, its address, its begin and end."""

from __future__ import annotations

import asyncio
import os
import secrets
import socket
import sys
import webbrowser
from collections.abc import Mapping
from threading import Thread
from types import FrameType

import uvicorn

from sheetmbs.problems.errors import Problem, WorkbookError
from sheetmbs.viewing.serving.page_state import SharedPage
from sheetmbs.viewing.serving.served_page import PageFile, served_page

HOST = "127.0.0.1"
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
    """Serves the page on a socket until Ctrl-C, or until `end` is called. shown: what pages show. page: its files."""

    def __init__(self, shown: SharedPage, held: socket.socket, page: Mapping[str, PageFile]) -> None:
        token = secrets.token_urlsafe(24)
        port = held.getsockname()[1]
        config = uvicorn.Config(
            served_page(shown, page, token, port),
            log_config=None,
            log_level="critical",
            access_log=False,
            lifespan="off",
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
        """What Ctrl-C does."""
        super().handle_exit(sig, frame)
        self._loop.call_soon_threadsafe(self.end)

    def end(self) -> None:
        """End, the streams of events first: each would go on for ever."""
        self._shown.tell(ended=True)
        self.should_exit = True


def open_browser(address: str) -> None:
    """Open the page in the user's browser, where there is a screen for one."""
    has_screen = not sys.platform.startswith("linux") or bool(
        os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY") or os.environ.get("BROWSER")
    )
    if has_screen:  # else a browser for terminals would take the terminal
        Thread(target=webbrowser.open, args=(address,), daemon=True).start()
