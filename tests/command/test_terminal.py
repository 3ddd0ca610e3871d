"""What a terminal shows: problems laid out by width, colours only where wanted, bars only where they help."""

import io

import pytest
from rich.console import Console

from sheetmbs.command import console, progress_bars
from sheetmbs.problems.errors import Problem
from sheetmbs.studies.running.evaluator import StudyProgress

PROBLEM = Problem(
    code="unknown-body",
    severity="error",
    cell="Joints!C7",
    found='there is no body "crnk" on the sheet Bodies, on which there are crank, rod and slider',
    problem="a joint connects two bodies of the sheet Bodies, or one of them with the ground, which is called ground",
    mend="did you mean crank?",
)


def shown(problems, width, **options):
    """What a terminal of that width shows of a list of problems."""
    file = io.StringIO()
    messages = console.Messages()
    messages.console = Console(file=file, width=width, force_terminal=True, highlight=False, markup=False, **options)
    messages.problems(problems)
    return file.getvalue()


@pytest.mark.parametrize("width", [40, 80, 120])
def test_on_a_terminal_problems_are_wrapped_and_begin_with_the_cell(width):
    lines = [line for line in shown([PROBLEM], width, no_color=True, color_system=None).splitlines() if line.strip()]
    assert lines[0].split()[:2] == ["Joints!C7", "error"]
    assert max(map(len, lines)) <= width
    assert "did you mean crank?" in " ".join(lines).lower()


def test_colours_appear_on_terminals_only_where_they_are_wanted(monkeypatch):
    monkeypatch.delenv("NO_COLOR", raising=False)
    assert "\x1b[" in shown([PROBLEM], 80, color_system="standard")
    monkeypatch.setenv("NO_COLOR", "1")
    assert "\x1b[31" not in shown([PROBLEM], 80)
    assert "\x1b[1;31" not in shown([PROBLEM], 80)


def test_text_from_a_workbook_cannot_steer_the_terminal():
    nasty = Problem("bad-name", "error", "Bodies!A2", "the name \x1b[2J\nrod[/red]", "names are plain", "rename it")
    text = shown([nasty], 80, no_color=True, color_system=None)
    assert "\x1b" not in text
    assert "rod[/red]" in text


def test_a_bar_appears_only_on_a_terminal_and_goes_away(monkeypatch):
    monkeypatch.setattr(progress_bars, "BAR_AFTER", 0.0)
    file = io.StringIO()
    with progress_bars.AnalysisBar(Console(file=file, width=80, force_terminal=True)) as bar:
        bar(0.25)
        bar(0.5)
        bar._progress.refresh()
    assert "50%" in file.getvalue()
    piped = io.StringIO()
    with progress_bars.AnalysisBar(Console(file=piped)) as bar:
        bar(0.5)
    assert piped.getvalue() == ""


def test_the_bar_of_a_study_counts_variants_and_failures(monkeypatch):
    monkeypatch.setattr(progress_bars, "BAR_AFTER", 0.0)
    messages, file = console.Messages(), io.StringIO()
    messages.console = Console(file=file, width=100, force_terminal=True)
    with progress_bars.StudyBar(messages) as bar:
        bar(StudyProgress(solved=30, failed=2, expected=120))
        bar._progress.refresh()
    assert "25%" in file.getvalue()
    assert "30 of 120" in file.getvalue()
    assert "2 failed" in file.getvalue()


def test_a_bar_waits_until_a_command_has_lasted_a_moment():
    file = io.StringIO()
    with progress_bars.AnalysisBar(Console(file=file, width=80, force_terminal=True)) as bar:
        bar(0.5)
    assert file.getvalue() == ""
