"""Who may ask the server of the page: the browser of this user, from the page itself, and nobody else.

A page of another site can make a browser send requests to 127.0.0.1. It knows neither the token, nor can it read an
answer without our leave; and where it gives its own name the address 127.0.0.1, the header Host gives it away.
"""

from __future__ import annotations

import secrets
from collections.abc import Collection, Iterable

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

HOSTS = ("127.0.0.1", "localhost")
READING = ("GET", "HEAD")
WRITING = "POST"


def policy(script_hashes: Iterable[str]) -> str:
    """The content security policy: nothing but our own files, and the scripts within the page that have these hashes."""
    scripts = " ".join(("'self'", *(f"'{each}'" for each in script_hashes)))
    return (
        f"default-src 'none'; script-src {scripts}; style-src 'self'; img-src 'self' data: blob:; font-src 'self'; "
        "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    )


class RequestGuard:
    """Lets requests through that come by the right address, and adds to every answer what browsers are to obey.

    token: the first part of every path. port: of the server. policy: of `policy`. posted: names behind the token to which a
    page may post JSON; a browser names the origin of such a request, and one without an origin is refused.
    """

    def __init__(self, app: ASGIApp, token: str, port: int, policy: str, posted: Collection[str] = ()) -> None:
        self._app = app
        self._token = token.encode()
        self._posted = frozenset(f"/{token}/{name}" for name in posted)
        self._hosts = tuple(f"{host}:{port}" for host in HOSTS)
        self._headers = {
            "Content-Security-Policy": policy,
            "X-Content-Type-Options": "nosniff",
            "X-Frame-Options": "DENY",
            "Cache-Control": "no-store",
            "Referrer-Policy": "no-referrer",
            "Cross-Origin-Opener-Policy": "same-origin",
            "Cross-Origin-Resource-Policy": "same-origin",
        }

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or hand it on without its token."""
        if scope["type"] != "http":
            return

        async def send_guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message).update(self._headers)
            await send(message)

        refused = self._refusal(scope)
        await (refused or self._app)(scope, receive, send_guarded)

    def _refusal(self, scope: Scope) -> PlainTextResponse | None:
        """What a request is answered that may not pass. It tells nothing about what there is."""
        headers = Headers(scope=scope)
        if headers.getlist("host") not in ([host] for host in self._hosts):
            return PlainTextResponse("This page has another address.", 421)
        if any(origin.removeprefix("http://") not in self._hosts for origin in headers.getlist("origin")):
            return PlainTextResponse("This page is for its own scripts.", 403)
        if not secrets.compare_digest(_first_part(scope["path"]), self._token):
            return PlainTextResponse("There is no such page.", 404)
        if scope["path"] in self._posted:
            return _refused_post(scope["method"], headers)
        if scope["method"] not in READING:
            return PlainTextResponse("This page can only be read.", 405, {"Allow": ", ".join(READING)})
        return None


def _refused_post(method: str, headers: Headers) -> PlainTextResponse | None:
    """What is answered where a path that takes posts gets something else. Origins that are named have been checked."""
    if method != WRITING:
        return PlainTextResponse("This is posted.", 405, {"Allow": WRITING})
    if len(headers.getlist("origin")) != 1:
        return PlainTextResponse("This page is for its own scripts.", 403)
    if headers.get("content-type", "").partition(";")[0].strip() != "application/json":
        return PlainTextResponse("This takes JSON.", 415)
    return None


def _first_part(path: str) -> bytes:
    return path.removeprefix("/").partition("/")[0].encode("utf-8", "replace")
