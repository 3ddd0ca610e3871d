"""A workbook that is watched: every save becomes a run, every run a new document, or a list of what is wrong."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from sheetmbs.live.file_watcher import saves
from sheetmbs.live.local_server import LocalServer
from sheetmbs.live.page_state import SharedPage
from sheetmbs.live.solver import Solver
from sheetmbs.live.solver_process import Advanced, Building, Outcome, Solve, Tell, Told, WantedRun, Written
from sheetmbs.problems.errors import Problem, WorkbookError
from sheetmbs.workbook.cells.cells import inputs_digest
from sheetmbs.workbook.package.archive import Stamp, stamp


class Watch:
    """Runs a workbook whenever what it says has changed.

    first: what every run is like; its number and digest are those of none. shown: what pages show. tell: called with
    whatever is said of runs. solve: does one, in another process.
    """

    def __init__(self, first: WantedRun, shown: SharedPage, tell: Tell, solve: Solve) -> None:
        self._wanted = first
        self._book = Path(first.book)
        self._shown = shown
        self._tell = tell
        self._solver = Solver(solve, self._hear)
        self._read: Stamp | None = None
        """of the file that the newest run was asked to read"""

    async def follow(self) -> None:
        """Watch the workbook until cancelled."""
        self._solver.start()
        try:
            async for is_there in saves(self._book):
                if is_there:
                    await self._run_if_changed()
                else:
                    self._say_gone()
        finally:
            self._solver.end()

    async def _run_if_changed(self) -> None:
        self._read = stamp(self._book)
        try:
            digest = await asyncio.to_thread(inputs_digest, self._book)
        except WorkbookError as error:  # the run tells it again, with all else that is wrong
            if self._is_saved_again():
                return
            digest = str(error)
        if digest != self._wanted.digest:
            self._want(digest)
            self._shown.tell(fraction=0.0)
            self._solver.ask(self._wanted)

    def _is_saved_again(self) -> bool:
        """Whether the file is not what was to be read: what is wrong with it is then told of the save that follows."""
        return stamp(self._book) != self._read

    def _want(self, digest: str) -> None:
        self._wanted = replace(self._wanted, number=self._wanted.number + 1, digest=digest)

    def _say_gone(self) -> None:
        self._want("")
        self._read = None
        rule = "it was deleted, moved or renamed, or its drive is gone"
        mend = "save it again under this name and in this folder: it is still watched"
        problem = Problem("file-gone", "error", "", f"there is no file {self._book}", rule, mend)
        self._hear(Outcome(self._wanted.number, "error", problems=(problem,)))

    def _hear(self, told: Told) -> None:
        """Take what is said of a run; of another one than the newest it comes too late."""
        if getattr(told, "number", self._wanted.number) != self._wanted.number:
            return
        if isinstance(told, Building):
            self._shown.tell(sentence=told.sentence)
        elif isinstance(told, Advanced):
            self._shown.tell(fraction=told.fraction)
        elif isinstance(told, Outcome):
            if told.status == "error" and self._is_saved_again():
                self._want("")
                return
            self._show(told)
        elif isinstance(told, Written):
            self._shown.tell(written=told.sentence)
        self._tell(told)

    def _show(self, outcome: Outcome) -> None:
        """Let pages show what a run found; without a document the last good one stays."""
        if outcome.status == "stopped":
            return
        if outcome.document:
            self._shown.show(outcome.document, outcome.number)
        self._shown.tell(
            status=outcome.status,
            sentence=outcome.sentence,
            problems=outcome.problems,
            seconds=outcome.seconds,
            written="",
            fraction=None,
        )


async def serve_watched(server: LocalServer, watch: Watch) -> None:
    """Serve and watch until Ctrl-C, or until the server is ended."""
    following = asyncio.create_task(watch.follow())
    serving = asyncio.create_task(server.run_until_ended())
    try:
        await asyncio.wait((following, serving), return_when=asyncio.FIRST_COMPLETED)
        if following.done():
            server.end()
            following.result()
        await serving
    finally:
        following.cancel()
        with suppress(asyncio.CancelledError):
            await following
