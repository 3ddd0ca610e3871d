"""How far a command is: bars on a terminal that appear once it has lasted a moment; of a study also lines through a pipe."""

from __future__ import annotations

import time
from collections import deque
from types import TracebackType
from typing import TYPE_CHECKING, Self

from rich.console import Console

from sheetmbs.command.console import Messages

if TYPE_CHECKING:
    from rich.progress import Progress

    from sheetmbs.studies.running.evaluator import StudyProgress

BAR_AFTER = 0.4
"""seconds; a bar that flashes up for less disturbs more than it tells"""
WIDTH, BESIDE_WORDS = 40, 30
"""of a bar that stands alone, and of one with words behind it"""
TENTHS = 10
RATE_SECONDS = 2.0
"""over which a rate is taken: some chunks of variants, which several processes finish at almost the same time"""
MINUTE, HOUR = 60.0, 3600.0


class LateBar:
    """The share done with the time left, on a terminal and only once it has lasted a moment. doing: what stands before it."""

    def __init__(self, console: Console, doing: str) -> None:
        self._console = console
        self._doing = doing
        self._started = time.monotonic()
        self._progress: Progress | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._progress is not None:
            self._progress.stop()

    @property
    def seconds(self) -> float:
        """Since it was made."""
        return time.monotonic() - self._started

    def show(self, done: float, total: float, words: str = "") -> None:
        """Show how much is done of a total. words: what stands behind the bar, each time or never."""
        if not self._console.is_terminal or self.seconds < BAR_AFTER:
            return
        if self._progress is None:
            self._progress = self._begun(total, has_words=bool(words))
        self._progress.update(self._progress.task_ids[0], completed=done, words=words)

    def _begun(self, total: float, *, has_words: bool) -> Progress:
        from rich.progress import BarColumn, Progress, TaskProgressColumn, TimeRemainingColumn

        progress = Progress(
            *(f"  {self._doing}", BarColumn(bar_width=BESIDE_WORDS if has_words else WIDTH), TaskProgressColumn()),
            *(["{task.fields[words]}"] if has_words else [TimeRemainingColumn(), "left"]),
            console=self._console,
            transient=True,
        )
        progress.start()
        progress.add_task(self._doing, total=total, words="")
        return progress


class AnalysisBar(LateBar):
    """Shown while a workbook is analysed."""

    def __init__(self, console: Console) -> None:
        super().__init__(console, "analysing")

    def __call__(self, fraction: float) -> None:
        """Show that this fraction of the analysis is done."""
        self.show(fraction, 1.0)


def time_left(seconds: float) -> str:
    """``about 20 s left``: rounded as far as it can be trusted."""
    if seconds < MINUTE:
        step = 1 if seconds < 10.0 else 5
        return f"about {max(step * round(seconds / step), 1)} s left"
    if seconds < HOUR:
        return f"about {round(seconds / MINUTE)} min left"
    return f"about {seconds / HOUR:.1f} h left"


class StudyBar(LateBar):
    """Shown while variants are solved, with rate, failures and the time left; through a pipe it is a line for every tenth."""

    def __init__(self, messages: Messages) -> None:
        super().__init__(messages.console, "variants")
        self._messages = messages
        self._told = 0
        self._last: deque[tuple[float, int]] = deque()

    def __call__(self, progress: StudyProgress) -> None:
        """Show how many variants are solved."""
        words = f"{progress.solved:,} of {progress.expected:,}"
        rate = self._rate(progress.solved - progress.known)
        if rate > 0.0:
            words += f", {MINUTE * rate:,.0f} a minute"
            if progress.solved < progress.expected:
                words += f", {time_left((progress.expected - progress.solved) / rate)}"
        if not self._messages.console.is_terminal:
            self._tell(progress, words)
            return
        failed = f", {progress.failed:,} failed" if progress.failed else ""
        self.show(progress.solved, progress.expected, words + failed)

    def _rate(self, solved: int) -> float:
        """Variants a second over the last chunks, 0 before the second one: what came before the first one was start-up."""
        now = time.monotonic()
        self._last.append((now, solved))
        while len(self._last) > 2 and self._last[1][0] < now - RATE_SECONDS:
            self._last.popleft()
        began, before = self._last[0]
        return (solved - before) / max(now - began, 1e-9)

    def _tell(self, progress: StudyProgress, words: str) -> None:
        tenth = TENTHS * progress.solved // max(progress.expected, 1)
        if tenth > self._told:
            self._told = tenth
            self._messages.say(f"{100 * tenth // TENTHS} %: {words}, {progress.failed:,} failed")
