"""What a child process does at a word: answer, or die in one of the ways of native code."""

from __future__ import annotations

import os
import signal
import sys


def answer(request: bytes) -> bytes:  # noqa: C901 - a list of deaths
    match request.split(b" "):
        case [b"say", word]:
            return word
        case [b"print", word]:
            os.write(1, word)
            print(word.decode())  # noqa: T201 - as a chatty library does
            return b"printed"
        case [b"loaded"]:
            return " ".join(sys.modules).encode()
        case [b"grow"]:
            return bytes(len(bytearray(1 << 40)))
        case [b"abort"]:
            os.abort()
        case [b"crash"]:
            os.kill(os.getpid(), signal.SIGSEGV)
        case [b"exit"]:
            os._exit(7)
        case [b"raise"]:
            raise KeyError(request)
        case [b"work"]:
            while True:
                pass
    return b""
