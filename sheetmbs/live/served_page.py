"""The page as an application: its files, the document that it shows, and what it receives."""

from __future__ import annotations

import asyncio
import base64
import gzip
import hashlib
import json
import re
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response, StreamingResponse
from starlette.routing import Route
from starlette.types import ASGIApp

from sheetmbs.live.page_state import SharedPage, packed_json
from sheetmbs.live.request_guard import RequestGuard, policy

PAGE = ""
"""the path of the page itself below its address"""
POSTED = ("move", "write")
"""what a page may post below its address, where cells can be moved"""
MAX_NUMBER = 1e300
"""of a cell: a double holds little more"""
MAX_POST = 256 * 1024
"""bytes of a post: ten thousand cells with their numbers"""
POST_WITHIN = 10.0
"""seconds in which a post must have come whole"""
_SCRIPT = re.compile(rb"<script(?![^>]*\ssrc=)[^>]*>(.*?)</script>", re.DOTALL)


@dataclass(frozen=True)
class PageFile:
    """A file of the page, read when the server began: no path of a request ever reaches a file system."""

    content: bytes
    kind: str


class MovableCells(Protocol):
    """Cells of the workbook that the page can move. All methods may take a while, and are called in other threads.

    changes: numbers by addresses of cells. What is wrong is answered as ``problems``.
    """

    def offered(self) -> dict[str, Any]:
        """The handles and sliders of the workbook as it is now."""

    def moved(self, case: str, changes: Mapping[str, float]) -> dict[str, Any]:
        """The tab of a case with other numbers in cells."""

    def write(self, changes: Mapping[str, float]) -> dict[str, Any]:
        """Write numbers into cells of the workbook itself."""

    def written_document(self, number: int) -> bytes | None:
        """The document of the workbook as it was written, packed; None where somebody watches the workbook anyway."""


class WrongPostError(ValueError):
    """A post that no page of ours sends."""


def script_hashes(page: bytes) -> list[str]:
    """Hashes of the scripts within a page, as a content security policy names them."""
    scripts = _SCRIPT.findall(page)
    return [f"sha256-{base64.b64encode(hashlib.sha256(script).digest()).decode()}" for script in scripts]


def served_page(
    shown: SharedPage, page: Mapping[str, PageFile], token: str, port: int, cells: MovableCells | None = None
) -> ASGIApp:
    """The application. page: all files that are served, by path. token: of its address. port: of the server.

    cells: those that the page can move, None where it can only be read.
    """

    async def send_file(request: Request) -> Response:
        file = page.get(request.path_params["name"])
        if file is None:
            return PlainTextResponse("There is no such file.", 404)
        return Response(file.content, media_type=file.kind)

    async def send_document(request: Request) -> Response:
        packs = "gzip" in request.headers.get("accept-encoding", "")
        content = shown.packed if packs else gzip.decompress(shown.packed)
        headers = {"Vary": "Accept-Encoding"} | ({"Content-Encoding": "gzip"} if packs else {})
        return Response(content, media_type="application/json", headers=headers)

    async def send_events(_request: Request) -> Response:
        return StreamingResponse(_events(shown), media_type="text/event-stream")

    routes = [
        Route(f"/{token}/document", send_document),
        Route(f"/{token}/events", send_events),
        *([] if cells is None else _cell_routes(shown, token, cells)),
        Route(f"/{token}/{{name:path}}", send_file),
    ]
    own_scripts = policy(script_hashes(page[PAGE].content))
    return RequestGuard(Starlette(routes=routes), token, port, own_scripts, POSTED if cells is not None else ())


def _cell_routes(shown: SharedPage, token: str, cells: MovableCells) -> list[Route]:
    """What is answered where cells can be moved."""

    async def offer(request: Request) -> Response:
        return _json(request, await asyncio.to_thread(cells.offered))

    async def move(request: Request) -> Response:
        try:
            case, changes = await _posted(request)
        except WrongPostError as error:
            return PlainTextResponse(str(error), 400)
        return _json(request, await asyncio.to_thread(cells.moved, case, changes))

    async def write(request: Request) -> Response:
        try:
            _case, changes = await _posted(request)
        except WrongPostError as error:
            return PlainTextResponse(str(error), 400)
        answer = await asyncio.to_thread(cells.write, changes)
        if answer.get("written"):
            number = shown.state.number + 1
            document = await asyncio.to_thread(cells.written_document, number)
            if document is not None:
                shown.show(document, number)
        return _json(request, answer)

    return [
        Route(f"/{token}/handles", offer),
        Route(f"/{token}/move", move, methods=["POST"]),
        Route(f"/{token}/write", write, methods=["POST"]),
    ]


def _json(request: Request, answer: dict[str, Any]) -> Response:
    packed = packed_json(answer)
    packs = "gzip" in request.headers.get("accept-encoding", "")
    headers = {"Vary": "Accept-Encoding"} | ({"Content-Encoding": "gzip"} if packs else {})
    return Response(packed if packs else gzip.decompress(packed), media_type="application/json", headers=headers)


async def _posted(request: Request) -> tuple[str, dict[str, float]]:
    """The case and the changes of a post. Raises WrongPostError."""
    body = bytearray()
    try:
        async with asyncio.timeout(POST_WITHIN):
            async for chunk in request.stream():
                body += chunk
                if len(body) > MAX_POST:
                    raise WrongPostError("This is too long.")
        found = json.loads(body)
    except (TimeoutError, ValueError, RecursionError) as error:
        raise error if isinstance(error, WrongPostError) else WrongPostError("This is no JSON.") from None
    case, changes = (found.get("case", ""), found.get("changes")) if isinstance(found, dict) else ("", None)
    if not isinstance(case, str) or not isinstance(changes, dict) or not all(map(_is_number, changes.values())):
        raise WrongPostError("A case and numbers by cells are expected.")
    return case, {cell: float(value) for cell, value in changes.items()}


def _is_number(value: object) -> bool:
    """Whether a value of JSON is a number that a cell can hold; JSON as Python reads it also has NaN, and endless integers."""
    return isinstance(value, int | float) and not isinstance(value, bool) and abs(value) < MAX_NUMBER


async def _events(shown: SharedPage) -> AsyncIterator[str]:
    """Server-sent events. Whoever comes, or comes back, gets first how things are now, and so misses nothing."""
    yield "retry: 1000\n\n"
    async for state in shown.follow():
        if state is None:
            yield "event: alive\ndata: {}\n\n"
        else:
            yield f"event: state\nid: {state.number}\ndata: {json.dumps(state.for_page())}\n\n"
