"""A process that analyses workbooks one after the other and stays warm in between: solver loaded, machine code at hand.

It is one of its own, so that pages are answered while it computes, and because whatever cannot be stopped otherwise can
be ended with it. What it is asked comes by a pipe, what it tells goes by the same.
"""

from __future__ import annotations

import gc
import os
import signal
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from multiprocessing.connection import Connection
from queue import SimpleQueue
from threading import Thread
from time import monotonic
from typing import Literal

from sheetmbs.problems.errors import Problem

TELL_EVERY = 0.2
"""seconds between two fractions done"""


class Superseded(BaseException):
    """A newer run is wanted. It is no Exception, so that nothing on the way takes it for an analysis that failed."""


@dataclass(frozen=True)
class WantedRun:
    """A run. number: counts up. digest: of what the workbook says. case: None for the one that the workbook names.

    writes: whether results go into the workbook.
    """

    book: str
    case: str | None = None
    all_cases: bool = False
    writes: bool = False
    number: int = 0
    digest: str = ""


@dataclass(frozen=True)
class Ready:
    """The solver is loaded."""


@dataclass(frozen=True)
class Building:
    """It has to be compiled first. sentence: that says so."""

    sentence: str


@dataclass(frozen=True)
class Begun:
    """A run has begun; any before it has ended."""

    number: int


@dataclass(frozen=True)
class Advanced:
    """How far a run is."""

    number: int
    fraction: float


@dataclass(frozen=True)
class Outcome:
    """What became of a run. ``error``: the workbook is wrong, there is no document. ``stopped``: a newer one is wanted.

    document: packed. sentence: of what was found, for people. seconds: from opening the workbook to the document.
    """

    number: int
    status: Literal["done", "failed", "error", "stopped"]
    sentence: str = ""
    problems: tuple[Problem, ...] = ()
    document: bytes = b""
    seconds: float = 0.0


@dataclass(frozen=True)
class Written:
    """Results were written. sentence: where to; "" where that was given up for a newer run. problems: what that found."""

    number: int
    sentence: str
    problems: tuple[Problem, ...] = ()


Told = Ready | Building | Begun | Advanced | Outcome | Written
Tell = Callable[[Told], None]
Solve = Callable[[WantedRun, Callable[[float], None], Tell], None]
"""does a run and tells its outcome; calls the function in between with the fraction done, which raises `Superseded`"""


class _Requests:
    """What is asked, as it comes. The process ends together with the one that started it, however that ends."""

    def __init__(self, pipe: Connection) -> None:
        self.newest = 0
        self._pipe = pipe
        self._waiting: SimpleQueue[WantedRun] = SimpleQueue()
        Thread(target=self._listen, daemon=True).start()

    def _listen(self) -> None:
        while True:
            try:
                wanted = self._pipe.recv()
            except (EOFError, OSError):
                os._exit(0)
            self.newest = wanted.number
            self._waiting.put(wanted)

    def next(self) -> WantedRun:
        """The newest run that is wanted; waits for one."""
        while True:
            wanted = self._waiting.get()
            if wanted.number == self.newest:
                return wanted


def work(pipe: Connection, solve: Solve) -> None:
    """Load the solver, then do what is asked, until the other process ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the other one answers Ctrl-C
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    warnings.simplefilter("ignore")
    requests = _Requests(pipe)
    from sheetmbs.compiled import library

    library.tell_of_building(lambda sentence: pipe.send(Building(sentence)))
    library.load()
    gc.freeze()  # what is loaded by now stays
    pipe.send(Ready())
    while True:
        wanted = requests.next()
        pipe.send(Begun(wanted.number))
        try:
            solve(wanted, _Watch(requests, wanted, pipe.send), pipe.send)
        except Superseded:
            pipe.send(Outcome(wanted.number, "stopped"))
        except Exception as error:  # noqa: BLE001 - a fault of ours must not end what a save may mend
            pipe.send(Outcome(wanted.number, "error", problems=(own_fault(error),)))
        gc.collect()


def own_fault(error: Exception) -> Problem:
    """A problem that says that an unexpected exception is a fault of the program."""
    what = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
    rule = "sheetmbs should have answered in words: this is a fault of its own"
    mend = "run sheetmbs run on the workbook with --debug, and report what it shows as the README says"
    return Problem("own-fault", "error", "", what, rule, mend)


class _Watch:
    """What a run calls with the fraction done."""

    def __init__(self, requests: _Requests, wanted: WantedRun, tell: Tell) -> None:
        self._requests = requests
        self._wanted = wanted
        self._tell = tell
        self._last = monotonic()

    def __call__(self, fraction: float) -> None:
        """Raise Superseded where a newer run is wanted; now and then tell how far this one is."""
        if self._requests.newest != self._wanted.number:
            raise Superseded
        if monotonic() - self._last > TELL_EVERY:
            self._last = monotonic()
            self._tell(Advanced(self._wanted.number, fraction))
