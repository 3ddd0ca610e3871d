"""How far a study is: a bar with rate, failures and time left on a terminal, through a pipe a line for every tenth."""

from __future__ import annotations

import time
from types import TracebackType
from typing import TYPE_CHECKING, Self

from sheetmbs.command.console import BAR_AFTER, Messages

if TYPE_CHECKING:
    from rich.progress import Progress

    from sheetmbs.studying.running.evaluator import StudyProgress

TENTHS = 10


class StudyBar:
    """Shown while variants are solved."""

    def __init__(self, messages: Messages) -> None:
        self._messages = messages
        self._started = time.monotonic()
        self._progress: Progress | None = None
        self._told = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._progress is not None:
            self._progress.stop()

    def __call__(self, progress: StudyProgress) -> None:
        """Show how many variants are solved."""
        if not self._messages.console.is_terminal:
            self._tell(progress)
        elif time.monotonic() - self._started >= BAR_AFTER:
            if self._progress is None:
                self._progress = self._start(progress.expected)
            failed = f", {progress.failed:,} failed" if progress.failed else ""
            self._progress.update(
                self._progress.task_ids[0], completed=progress.solved, words=self._words(progress) + failed
            )

    def _words(self, progress: StudyProgress) -> str:
        rate = 60.0 * progress.solved / max(time.monotonic() - self._started, 1e-9)
        return f"{progress.solved:,} of {progress.expected:,}, {rate:,.0f} a minute"

    def _tell(self, progress: StudyProgress) -> None:
        tenth = TENTHS * progress.solved // max(progress.expected, 1)
        if tenth > self._told:
            self._told = tenth
            self._messages.say(f"{100 * tenth // TENTHS} %: {self._words(progress)}, {progress.failed:,} failed")

    def _start(self, expected: int) -> Progress:
        from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn

        progress = Progress(
            *(TextColumn("  variants"), BarColumn(bar_width=30), TaskProgressColumn()),
            *(TextColumn("{task.fields[words]}"), TimeRemainingColumn(), TextColumn("left")),
            console=self._messages.console,
            transient=True,
        )
        progress.start()
        progress.add_task("variants", total=expected, words="")
        return progress
