"""The page as an application: its files, the document that it shows, and what it is told."""

from __future__ import annotations

import base64
import gzip
import hashlib
import json
import re
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response, StreamingResponse
from starlette.routing import Route
from starlette.types import ASGIApp

from sheetmbs.live.page_state import SharedPage
from sheetmbs.live.request_guard import RequestGuard, policy

PAGE = ""
"""the path of the page itself below its address"""
_SCRIPT = re.compile(rb"<script(?![^>]*\ssrc=)[^>]*>(.*?)</script>", re.DOTALL)


@dataclass(frozen=True)
class PageFile:
    """A file of the page, read when the server began: no path of a request ever reaches a file system."""

    content: bytes
    kind: str


def script_hashes(page: bytes) -> list[str]:
    """Hashes of the scripts within a page, as a content security policy names them."""
    scripts = _SCRIPT.findall(page)
    return [f"sha256-{base64.b64encode(hashlib.sha256(script).digest()).decode()}" for script in scripts]


def served_page(shown: SharedPage, page: Mapping[str, PageFile], token: str, port: int) -> ASGIApp:
    """The application. page: all files that are served, by path. token: of its address. port: of the server."""

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
        Route(f"/{token}/{{name:path}}", send_file),
    ]
    own_scripts = policy(script_hashes(page[PAGE].content))
    return RequestGuard(Starlette(routes=routes), token, port, own_scripts)


async def _events(shown: SharedPage) -> AsyncIterator[str]:
    """Server-sent events. Whoever comes, or comes back, is told first how things are now, and so misses nothing."""
    yield "retry: 1000\n\n"
    async for state in shown.follow():
        if state is None:
            yield "event: alive\ndata: {}\n\n"
        else:
            yield f"event: state\nid: {state.number}\ndata: {json.dumps(state.for_page())}\n\n"
