"""A run that is killed or interrupted at any moment leaves the workbook as it was, or complete."""

from __future__ import annotations

import os
import random
import shutil
import signal
import subprocess
import sys
import time
import zipfile
from pathlib import Path

import openpyxl
import pytest

from sheetmbs.workbook.package.package import check_package
from sheetmbs.workbook.package.replace import replace_file
from tests.command.test_cli import environment, pendulum

pytestmark = pytest.mark.skipif(os.name == "nt", reason="Windows has other signals")

SHEETS = {"mbs Summary", "mbs Bodies", "mbs Joints", "mbs Constraints", "mbs Charts"}
PROGRAM = "import os; from sheetmbs.__main__ import main; os.write(1, b'begun'); main()"
ROWS = 3000
COLD_SECONDS = 20.0


class Running:
    """The program at work on a workbook, in a session of its own."""

    def __init__(self, book: Path, **changes: str) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-c", PROGRAM, "run", str(book)],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=environment(**changes),
            start_new_session=True,
        )
        assert os.read(self.process.stdout.fileno(), 5) == b"begun"

    def send(self, number: int, after: float) -> tuple[int, str]:
        """Send a signal after some seconds, wait for the end: (status, standard error)."""
        time.sleep(after)
        self.process.send_signal(number)
        _out, err = self.process.communicate(timeout=120)
        return self.process.returncode, err.decode()

    def others(self) -> list[int]:
        """Other processes of its session that are still there."""
        found = []
        for folder in Path("/proc").glob("[0-9]*"):
            try:
                fields = (folder / "stat").read_text().rpartition(")")[2].split()
            except OSError:  # it has just ended
                continue
            if fields[0] != "Z" and int(fields[3]) == self.process.pid:
                found.append(int(folder.name))
        return found


@pytest.fixture
def book(tmp_path):
    return pendulum(tmp_path / "pendulum.xlsx", Settings_B3=ROWS * 0.001, Settings_B4=0.001)


@pytest.fixture
def duration(book, tmp_path):
    """Seconds that a run takes, kernels compiled."""
    copy = Path(shutil.copy(book, tmp_path / "timed.xlsx"))
    assert Running(copy).send(signal.SIGCONT, 0)[0] == 0  # compiles what is not compiled yet
    began = time.monotonic()
    assert Running(copy).send(signal.SIGCONT, 0)[0] == 0
    copy.unlink()
    return time.monotonic() - began


def moments(count: int, duration: float) -> list[float]:
    """Spread over a run, with one in two in its second half, in which it writes."""
    chance = random.Random(1)  # noqa: S311 - any will do
    return [duration * (0.5 * (k % 2) + (0.5 if k % 2 else 1.1) * (k + chance.random()) / count) for k in range(count)]


def contents(path: Path) -> dict[str, bytes]:
    with zipfile.ZipFile(path) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def is_complete(book: Path, before: bytes) -> bool:
    """Whether the workbook has all results; if not it must be as it was."""
    if book.read_bytes() == before:
        return False
    check_package(book)
    workbook = openpyxl.load_workbook(book)
    assert set(workbook.sheetnames) >= {"Settings", "Bodies", "Joints", *SHEETS}
    assert workbook["mbs Bodies"].max_row == ROWS + 3
    return True


def unfinished(book: Path) -> list[str]:
    return [path.name for path in book.parent.iterdir() if path.name.startswith(".sheetmbs-")]


@pytest.mark.parametrize("count", [6, pytest.param(50, marks=pytest.mark.nightly)])
def test_a_killed_run_leaves_the_workbook_as_it_was_or_complete(book, duration, count):
    before = book.read_bytes()
    complete = left = 0
    for moment in moments(count, duration):
        book.write_bytes(before)
        status, _err = Running(book).send(signal.SIGKILL, moment)
        assert status in (-signal.SIGKILL, 0)
        complete += is_complete(book, before)
        left = max(left, len(unfinished(book)))
    assert complete < count
    assert left <= 1
    assert Running(book).send(signal.SIGCONT, 0)[0] == 0
    assert unfinished(book) == []


@pytest.mark.parametrize("count", [6, pytest.param(50, marks=pytest.mark.nightly)])
def test_an_interrupted_run_says_so_and_leaves_the_workbook_as_it_was_or_complete(book, duration, count):
    before = book.read_bytes()
    for moment in moments(count, duration):
        book.write_bytes(before)
        status, err = Running(book).send(signal.SIGINT, moment)
        assert status in (0, 130), f"after {moment} s: {err}"
        assert "Traceback" not in err, f"after {moment} s: {err}"
        if status == 130:
            assert "Stopped." in err
            assert not ("is as it was" in err and is_complete(book, before))
        is_complete(book, before)
        assert unfinished(book) == []


@pytest.mark.nightly
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGKILL], ids=["interrupted", "killed"])
@pytest.mark.parametrize("moment", [COLD_SECONDS * share / 8 for share in range(1, 9)])
def test_a_first_run_takes_the_processes_that_compile_for_it_along(book, moment, number, tmp_path):
    before = book.read_bytes()
    running = Running(book, NUMBA_CACHE_DIR=str(tmp_path / "cache"))
    status, err = running.send(number, moment)
    assert status in (0, 130, -signal.SIGKILL), err
    assert "Traceback" not in err
    patience = time.monotonic() + 10.0
    while running.others() and time.monotonic() < patience:
        time.sleep(0.1)
    assert running.others() == []
    is_complete(book, before)


def test_what_a_killed_run_left_is_taken_away_by_the_next(book):
    stale = book.with_name(".sheetmbs-0123456789abcdef.xlsx")
    stale.write_bytes(b"half")
    replace_file(book, book, lambda file: file.write(b"new"), lambda _path: None)
    assert not stale.exists()
    assert book.read_bytes() == b"new"


def test_what_another_run_is_still_writing_is_left_to_it(tmp_path):
    first, second = tmp_path / "first.xlsx", tmp_path / "second.xlsx"
    first.touch()
    second.touch()

    def write(file):
        file.write(b"one")
        file.flush()
        replace_file(second, second, lambda other: other.write(b"two"), lambda _path: None)

    replace_file(first, first, write, lambda _path: None)
    assert (first.read_bytes(), second.read_bytes()) == (b"one", b"two")
    assert unfinished(first) == []


@pytest.mark.parametrize(
    "name", [".sheetmbs-notes.xlsx", "sheetmbs-0123456789abcdef.xlsx", ".sheetmbs-0123456789abcdef.txt"]
)
def test_no_file_of_the_users_is_taken_for_what_a_killed_run_left(book, name):
    mine = book.with_name(name)
    mine.write_bytes(b"mine")
    replace_file(book, book, lambda file: file.write(b"new"), lambda _path: None)
    assert mine.read_bytes() == b"mine"
