"""Whatever stands in a workbook, and whatever the file is: sentences, in time, in little memory, and nothing lost.

Ordinary runs try 200 cases, the same every time. ``pytest -m nightly tests/test_fuzz.py`` tries 5,000, others every time;
``--hypothesis-seed`` repeats them. Each case is checked, and run in one of several ways.
"""

from __future__ import annotations

import sys

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests import wild_cells, wild_packages
from tests.fuzzed import complaints
from tests.watched import Server

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="Windows has no fork")

ANY_TIME = settings(deadline=None, database=None, suppress_health_check=list(HealthCheck))
ORDINARY = settings(ANY_TIME, derandomize=True)
NIGHTLY = settings(ANY_TIME, print_blob=True)
COMMANDS = st.sampled_from(
    [
        ("run", "{book}"),
        ("run", "{book}", "--mark"),
        ("run", "{book}", "--json"),
        ("run", "{book}", "--output", "{folder}/copy.xlsx"),
        ("run", "{book}", "--analysis", "kinematic"),
        ("run", "{book}", "--analysis", "equilibrium"),
        ("check", "{book}", "--mark"),
        ("check", "{book}", "--all-cases"),
        ("cases", "{book}"),
    ]
)


@pytest.fixture(scope="module")
def server():
    running = Server()
    yield running
    running.close()


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("wild")


def judge(server, folder, save, what, command):
    """A case: the workbook is checked, then the command is obeyed."""
    for path in folder.iterdir():
        path.unlink()
    book = save(folder / "book.xlsx", what)
    assert complaints(server, book, "check", str(book)) == []
    arguments = [part.format(book=book, folder=folder) for part in command]
    assert complaints(server, book, *arguments) == []


@settings(ORDINARY, max_examples=70)
@given(wild_cells.wild_tables(), COMMANDS)
def test_cells_with_slips_end_in_sentences(server, folder, tables, command):
    judge(server, folder, wild_cells.save, tables, command)


@settings(ORDINARY, max_examples=60)
@given(wild_cells.wild_numbers(), COMMANDS)
def test_cells_with_extremes_end_in_sentences(server, folder, tables, command):
    judge(server, folder, wild_cells.save, tables, command)


@settings(ORDINARY, max_examples=70)
@given(wild_packages.wild_files(), COMMANDS)
def test_files_that_went_wrong_end_in_sentences(server, folder, file, command):
    judge(server, folder, wild_packages.save, file, command)


@pytest.mark.nightly
@settings(NIGHTLY, max_examples=1_500)
@given(wild_cells.wild_tables(), COMMANDS)
def test_many_cells_with_slips_end_in_sentences(server, folder, tables, command):
    judge(server, folder, wild_cells.save, tables, command)


@pytest.mark.nightly
@settings(NIGHTLY, max_examples=2_000)
@given(wild_cells.wild_numbers(), COMMANDS)
def test_many_cells_with_extremes_end_in_sentences(server, folder, tables, command):
    judge(server, folder, wild_cells.save, tables, command)


@pytest.mark.nightly
@settings(NIGHTLY, max_examples=1_500)
@given(wild_packages.wild_files(), COMMANDS)
def test_many_files_that_went_wrong_end_in_sentences(server, folder, file, command):
    judge(server, folder, wild_packages.save, file, command)
