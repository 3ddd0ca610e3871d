"""A connection to the page's server that ends where no whole request comes by it in time, and of which there are not too many.

The server's port can be reached by everybody on this machine. Who opens connections and says nothing, or a letter now and
then, shall hold up neither the page nor the program.
"""

from __future__ import annotations

import asyncio

from uvicorn.protocols.http.h11_impl import H11Protocol

MOST_CONNECTIONS = 100
"""at a time: a browser has six for each page that it shows"""
REQUEST_WITHIN = 10.0
"""seconds in which a request must have come, from its connection or from the answer before it on"""
LONGEST_HEAD = 16 * 1024
"""bytes of a request up to the end of its headers: those of browsers have one or two thousand"""


class LimitedConnection(H11Protocol):
    """A connection that is closed where its request is late. Of too many, the one that has waited longest gives way."""

    _late: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Take a connection, or turn it away where all others are being answered."""
        super().connection_made(transport)
        self._expect_request()
        if len(self.connections) > MOST_CONNECTIONS:
            waiting = [each for each in self.connections if isinstance(each, LimitedConnection) and each.waits_until]
            min(waiting, key=lambda each: each.waits_until).end()

    @property
    def waits_until(self) -> float:
        """When it ends unless a request has come, in seconds of the event loop; 0 while one is being answered."""
        return 0.0 if self._late is None else self._late.when()

    def end(self) -> None:
        """Close it at once."""
        self._expect_nothing()
        self.transport.abort()

    def data_received(self, data: bytes) -> None:
        """Take what has come, which may be a part of a request."""
        super().data_received(data)
        if self.cycle is not None and not self.cycle.response_complete:
            self._expect_nothing()

    def on_response_complete(self) -> None:
        """Wait for the next request. What is left of a body that nobody asked for is none."""
        super().on_response_complete()
        if self.cycle.response_complete and not self.transport.is_closing():
            self._expect_request()

    def connection_lost(self, exc: Exception | None) -> None:
        """Let go of it."""
        self._expect_nothing()
        super().connection_lost(exc)

    def _expect_request(self) -> None:
        self._expect_nothing()
        self._late = self.loop.call_later(REQUEST_WITHIN, self.end)

    def _expect_nothing(self) -> None:
        if self._late is not None:
            self._late.cancel()
            self._late = None
