"""Progress of a study: the rate of the last chunks and the time left, which start-up and the journal do not distort."""

from __future__ import annotations

import io

import pytest
from rich.console import Console

from sheetmbs.command import progress_bars
from sheetmbs.command.console import Messages
from sheetmbs.studies.running.evaluator import StudyProgress


@pytest.mark.parametrize(
    ("seconds", "words"),
    [
        (0.2, "about 1 s left"),
        (7.4, "about 7 s left"),
        (21.0, "about 20 s left"),
        (200.0, "about 3 min left"),
        (5400.0, "about 1.5 h left"),
    ],
)
def test_the_time_left_is_rounded_as_far_as_it_can_be_trusted(seconds: float, words: str) -> None:
    assert progress_bars.time_left(seconds) == words


def lines(monkeypatch: pytest.MonkeyPatch, told: list[tuple[float, StudyProgress]]) -> list[str]:
    """What a pipe gets where progress is told at these times, the bar being begun at 0."""
    clock = [0.0]
    monkeypatch.setattr(progress_bars.time, "monotonic", lambda: clock[0])
    messages, file = Messages(), io.StringIO()
    messages.console = Console(file=file, width=100)
    with progress_bars.StudyBar(messages) as bar:
        for clock[0], progress in told:
            bar(progress)
    return file.getvalue().splitlines()


def test_start_up_does_not_count_in_the_rate(monkeypatch: pytest.MonkeyPatch) -> None:
    """The first variant takes 30 s, each other one 0.1 s: 600 a minute, and 80 variants take 8 s."""
    told = [(30.0 + 0.1 * (solved - 1), StudyProgress(solved, 0, 100)) for solved in range(1, 101)]
    said = lines(monkeypatch, told)
    assert said[1] == "20 %: 20 of 100, 600 a minute, about 8 s left, 0 failed"
    assert said[-1] == "100 %: 100 of 100, 600 a minute, 0 failed"


def test_a_rate_that_changes_is_followed(monkeypatch: pytest.MonkeyPatch) -> None:
    """After 50 variants at 10 a second the others take 1 s each."""
    told = [(0.1 * k, StudyProgress(k, 0, 100)) for k in range(1, 51)]
    told += [(5.0 + k, StudyProgress(50 + k, 0, 100)) for k in range(1, 11)]
    assert "60 a minute, about 40 s left" in lines(monkeypatch, told)[-1]


def test_variants_of_the_journal_do_not_count_in_the_rate(monkeypatch: pytest.MonkeyPatch) -> None:
    told = [(0.001 * k, StudyProgress(k, 0, 100, k)) for k in range(1, 51)]
    told += [(1.0 + 0.5 * k, StudyProgress(50 + k, 0, 100, 50)) for k in range(1, 11)]
    assert "120 a minute, about 20 s left" in lines(monkeypatch, told)[-1]
