"""Whatever stands in a workbook, and whatever the file is: sentences, in time, in little memory, and nothing lost.

Ordinary runs try 200 cases, the same every time. ``pytest -m nightly
tests/workbook/test_fuzz.py`` tries 5,000, others every time;
``--hypothesis-seed`` repeats them. Each case is checked, and run in one of several ways.
"""

from __future__ import annotations

import shutil
import signal
import sys
from pathlib import Path

import openpyxl
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import sheetmbs
from tests.support.sample_results import change_part, sheet_part
from tests.workbook import wild_cells, wild_packages
from tests.workbook.fuzzed import complaints
from tests.workbook.watched import WARMING as PENDULUM
from tests.workbook.watched import Outcome, Server

pytestmark = [
    pytest.mark.skipif(sys.platform == "win32", reason="Windows has no fork"),
    pytest.mark.filterwarnings("ignore:Generating overly large repr"),  # a workbook that fails is long, and is shown
]

COMPRESSOR = Path(__file__).parents[2] / "workbooks" / "compressor.xlsx"
LONGEST_TEXT = 32_767
"""characters that a cell of Excel may hold"""
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


class Faulty:
    """A server whose program says this, costs that, and does something to the workbook."""

    def __init__(self, act=None, **outcome):
        self.act = act
        self.outcome = Outcome(**{"status": 0, "out": "", "err": "done", "seconds": 0.1, "memory": 1 << 28, **outcome})

    def obey(self, *_arguments):
        if self.act:
            self.act()
        return self.outcome


@pytest.mark.parametrize(
    "outcome",
    [
        {"status": -signal.SIGXCPU},
        {"status": -signal.SIGSEGV},
        {"status": 1},
        {"status": 130},
        {"err": ""},
        {"err": "sheetmbs stopped because of a fault of its own (KeyError)"},
        {"err": "Traceback (most recent call last):"},
        {"err": "cells.py:12: RuntimeWarning: overflow encountered"},
        {"err": "  energy drift    nan J"},
        {"memory": 1200 << 20},
    ],
    ids=str,
)
def test_the_suite_sees_what_is_said_and_what_it_costs(tmp_path, outcome):
    book = Path(shutil.copy(PENDULUM, tmp_path / "book.xlsx"))
    assert complaints(Faulty(), book, "check", str(book)) == []
    assert len(complaints(Faulty(**outcome), book, "check", str(book))) == 1


@pytest.mark.parametrize(
    ("part", "old", "new"),
    [
        ("xl/theme/theme1.xml", "Office", "Another"),
        ("xl/worksheets/sheet1.xml", "<v>", "<v> "),
        ("mbs Bodies", "<v>0", "<v>nan"),
        ("mbs Bodies", "</c>", "<f>1</f></c>"),
        ("mbs Summary", "</row>", ""),
    ],
)  # fmt: skip
def test_the_suite_sees_what_is_done_to_the_workbook(tmp_path, part, old, new):
    book = Path(shutil.copy(PENDULUM, tmp_path / "book.xlsx"))

    def write():
        sheetmbs.run(sheetmbs.read(book)).save()

    def spoil():
        write()
        change_part(book, sheet_part(book, part) if part.startswith("mbs") else part, old, new)

    assert complaints(Faulty(write), book, "run", str(book)) == []
    assert complaints(Faulty(spoil), book, "run", str(book)) != []


def test_the_suite_sees_that_nothing_may_change_and_nothing_be_left(tmp_path):
    book = Path(shutil.copy(PENDULUM, tmp_path / "book.xlsx"))
    assert complaints(Faulty(lambda: book.write_bytes(b"other"), status=2), book, "run", str(book)) != []
    assert complaints(Faulty((tmp_path / ".sheetmbs-1.xlsx").touch, status=2), book, "run", str(book)) != []
    assert complaints(Faulty(), book, "run", str(book)) != []


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


@pytest.mark.parametrize("repeated", ["x", "x ", "' ", "1,", "a;", "(("])
def test_texts_as_long_as_a_cell_holds_end_in_sentences(server, folder, repeated):
    book = openpyxl.load_workbook(COMPRESSOR)
    for sheet in book.worksheets:
        for row in sheet.iter_rows(min_row=2, min_col=2):
            for cell in row:
                if isinstance(cell.value, str):
                    cell.value = repeated * (LONGEST_TEXT // len(repeated))
    book.save(folder / "book.xlsx")
    assert complaints(server, folder / "book.xlsx", "check", str(folder / "book.xlsx")) == []


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
