"""How requests to a child process and its answers stand one behind the other in their pipes."""

from __future__ import annotations

from struct import Struct

REQUEST_HEAD = Struct("<Qd")
"""Before a request: its bytes, and the seconds of processor time that it may take."""
ANSWER_HEAD = Struct("<BQ")
"""Before an answer: its kind, and its bytes."""
ANSWERED, REFUSED, FAILED = range(3)
"""Kinds of answers: what was asked for; nothing, for memory was refused; nothing, and the text says what was raised."""
