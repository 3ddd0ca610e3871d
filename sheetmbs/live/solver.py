"""The process that solves, seen from the one that serves: started, asked, and ended where it does not hear."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from multiprocessing import get_context
from threading import Thread

from sheetmbs.live.solver_process import Begun, Building, Outcome, Ready, Solve, Tell, Told, WantedRun, work
from sheetmbs.problems.errors import Problem

GRACE = 0.4
"""seconds for which a run that is no longer wanted may go on before its process is ended"""


class _Running:
    """A process of `work`. hear: called in the event loop with this and what the process tells; with None after its end."""

    def __init__(self, solve: Solve, solver: Solver) -> None:
        context = get_context("spawn")  # a fork would take our threads and sockets along, unfinished
        self.pipe, theirs = context.Pipe()
        self.process = context.Process(target=work, args=(theirs, solve), daemon=True)
        self.process.start()
        theirs.close()
        self.is_ready = False
        Thread(target=_listen, args=(self, solver, asyncio.get_running_loop()), daemon=True).start()

    def end(self) -> None:
        self.process.kill()
        self.process.join()

    def send(self, wanted: WantedRun) -> None:
        with suppress(OSError):  # it has died; what listens to it will say so
            self.pipe.send(wanted)


def _listen(running: _Running, solver: Solver, loop: asyncio.AbstractEventLoop) -> None:
    """Hand on what a process tells, in a thread of its own."""
    told: Told | None = Ready()
    while told is not None:
        try:
            told = running.pipe.recv()
        except (EOFError, OSError):
            told = None
        try:
            loop.call_soon_threadsafe(solver.hear, running, told)
        except RuntimeError:  # the loop has ended, and with it whoever would hear
            return
    running.pipe.close()


class Solver:
    """Runs of workbooks, one at a time: a newer one stops the one before.

    solve: does a run, in the other process. tell: called in the event loop with what is said of the newest run.
    """

    def __init__(self, solve: Solve, tell: Tell) -> None:
        self._solve = solve
        self._tell = tell
        self._running: _Running | None = None
        self._wanted: WantedRun | None = None
        self._begun = self._ended = 0
        """numbers of the newest run that has begun, and that has an outcome"""

    def start(self) -> None:
        """Start the process before there is anything to do."""
        self._running = _Running(self._solve, self)

    def ask(self, wanted: WantedRun) -> None:
        """Begin a run, and stop the one before."""
        self._wanted = wanted
        if self._running is None:
            self.start()
        elif self._running.is_ready:
            self._running.send(wanted)
            asyncio.get_running_loop().call_later(GRACE, self._insist, wanted)

    def end(self) -> None:
        """End the process, whatever it does."""
        if self._running is not None:
            self._running.end()
            self._running = None

    def hear(self, running: _Running, told: Told | None) -> None:
        """Take what a process tells. Only a `_Running` calls this."""
        if running is not self._running:
            return
        if told is None:
            self._mourn(running)
        elif isinstance(told, Ready):
            running.is_ready = True
            if self._wanted is not None:
                running.send(self._wanted)
        elif isinstance(told, Building):
            self._tell(told)
        elif self._wanted is not None and told.number == self._wanted.number:
            if isinstance(told, Begun):
                self._begun = told.number
            if isinstance(told, Outcome):
                self._ended = told.number
            self._tell(told)

    def _insist(self, wanted: WantedRun) -> None:
        """Start the process again where it has not taken up what is wanted."""
        if wanted is self._wanted and self._begun < wanted.number and self._running is not None:
            self.end()
            self.start()

    def _mourn(self, running: _Running) -> None:
        """Tell that a run ended with its process; the next one starts another."""
        running.process.join()
        self._running = None
        if self._wanted is not None and self._ended < self._wanted.number:
            self._ended = self._wanted.number
            found = f"the process that analyses ended with status {running.process.exitcode}"
            rule = "it computes until it is asked for something else"
            mend = "save the workbook to try again; if there is not enough memory, choose a larger t_step"
            problems = (Problem("process-ended", "error", "", found, rule, mend),)
            self._tell(Outcome(self._wanted.number, "error", problems=problems))
