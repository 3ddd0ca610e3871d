"""A process of our own that answers requests with a native library, as this process sees it.

Input that others made can make native code take all memory, run without end or crash, and no exception tells of any of
these. So such code runs in a child process, with limits, and what the child dies of comes back as `ChildEndedError`.
Requests and answers are bytes, each behind its length; nothing in them is ever executed, and no pickle is used.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from threading import Timer
from weakref import finalize

from sheetmbs.bounded.child_side import ANSWER_HEAD, ANSWERED, REFUSED, REQUEST_HEAD

PATIENCE = 12
"""Seconds on the clock for each second of processor time: a busy machine has several programs on each core."""
OUT_OF_TIME, OUT_OF_MEMORY = -24, (-6, -9)
"""Statuses of a child that ended by SIGXCPU; by SIGABRT, as native code without memory does, or SIGKILL, of a full machine."""
BEGIN = "import sys; sys.path[:0] = {path}; from sheetmbs.bounded.child_side import serve; serve({module!r}, {memory})"
_PACKAGE = Path(__file__).parents[1]


class ChildEndedError(Exception):
    """A child ended before it had answered.

    why: the end of a sentence that begins with what was to be read: "needs more than 512 MB of memory".
    """

    def __init__(self, why: str) -> None:
        super().__init__(why)
        self.why = why


class BoundedChild:
    """A child process that answers requests by the function ``answer`` of a module of ours.

    module: its dotted name; it is the only one that the child imports. memory: bytes of address space that it may have.
    """

    def __init__(self, module: str, *, memory: int) -> None:
        self._memory = memory
        path = json.dumps([str(_PACKAGE.parent), *filter(None, sys.path)])
        try:
            self._process = subprocess.Popen(  # noqa: S603 - our own
                [sys.executable, "-I", "-S", "-c", BEGIN.format(path=path, module=module, memory=memory)],
                bufsize=0,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                env={**os.environ, "OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"},
            )
        except OSError as error:
            raise ChildEndedError(
                f"needs a process of its own, which could not be started ({error.strerror})"
            ) from error
        self.close = finalize(self, _end, self._process)
        """end the process; it ends with this object too, and with this process at the latest"""

    def ask(self, request: bytes, seconds: float) -> bytes:
        """The answer to a request.

        seconds: of processor time that this request may take; 0 leaves it what is left of the time of the one before.
        Raises ChildEndedError where the child has no answer; it has ended then.
        """
        is_late: list[bool] = []

        def give_up() -> None:
            is_late.append(True)
            self._process.kill()

        watch = Timer(PATIENCE * max(seconds, 1.0), give_up)
        watch.daemon = True
        watch.start()
        try:
            kind, answer = self._exchange(request, seconds)
        except BaseException as error:
            self.close()
            if not isinstance(error, OSError | EOFError):
                raise
            raise ChildEndedError(self._why(seconds, is_late=bool(is_late))) from None
        finally:
            watch.cancel()
        if kind == ANSWERED:
            return answer
        self.close()
        raise ChildEndedError(self._lack_of_memory if kind == REFUSED else f"broke its library ({answer.decode()})")

    def _exchange(self, request: bytes, seconds: float) -> tuple[int, bytes]:
        to, back = self._process.stdin, self._process.stdout
        if to is None or back is None:
            raise EOFError
        for part in (REQUEST_HEAD.pack(len(request), seconds), request):
            left = memoryview(part)
            while left:
                left = left[to.write(left) :]
        kind, length = ANSWER_HEAD.unpack(_read(back.fileno(), ANSWER_HEAD.size))
        return kind, _read(back.fileno(), length)

    @property
    def _lack_of_memory(self) -> str:
        return f"needs more than {self._memory >> 20} MB of memory"

    def _why(self, seconds: float, *, is_late: bool) -> str:
        status = self._process.returncode
        if is_late or status == OUT_OF_TIME:
            return f"takes more than {seconds:.3g} s" if seconds else "takes too much time"
        if status in OUT_OF_MEMORY:
            return self._lack_of_memory
        ended = f"signal {-status}" if status is not None and status < 0 else f"status {status}"
        return f"ended the process of its library ({ended})"


def _read(pipe: int, length: int) -> bytes:
    """That many bytes. Raises EOFError where the pipe ends before."""
    parts: list[bytes] = []
    while length:
        part = os.read(pipe, min(length, 1 << 20))
        if not part:
            raise EOFError
        parts.append(part)
        length -= len(part)
    return b"".join(parts)


def _end(process: subprocess.Popen[bytes]) -> None:
    process.kill()
    for pipe in (process.stdin, process.stdout):
        if pipe is not None:
            pipe.close()
    process.wait()
