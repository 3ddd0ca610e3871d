"""Standard streams that are closed or full, and the exit status of results that went elsewhere."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.workbook.test_destination import lock

ROOT = Path(__file__).parents[2]
SHEETMBS = f"{sys.executable} -m sheetmbs"


def shell(line, folder):
    return subprocess.run(["sh", "-c", line], cwd=folder, capture_output=True, text=True, check=False)


@pytest.mark.skipif(sys.platform == "win32", reason="a shell of Unix")
@pytest.mark.parametrize(
    "stream",
    [
        ">&-",
        pytest.param(
            ">/dev/full", marks=pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full here")
        ),
    ],
)
@pytest.mark.parametrize("command", ["--help", "--version", "templates", "templates --json", "check book.xlsx --json"])
def test_standard_output_that_takes_nothing_ends_in_a_sentence_and_status_1(tmp_path, command, stream):
    shutil.copy(ROOT / "workbooks" / "pendulum.xlsx", tmp_path / "book.xlsx")
    before = (tmp_path / "book.xlsx").read_bytes()
    done = shell(f"{SHEETMBS} {command} {stream}", tmp_path)
    assert done.returncode == 1
    assert done.stderr.startswith("Standard output takes nothing more (")
    assert "Traceback" not in done.stderr
    assert (tmp_path / "book.xlsx").read_bytes() == before


@pytest.mark.skipif(sys.platform == "win32", reason="a shell of Unix")
def test_a_check_needs_no_standard_output_and_spoils_no_file_where_all_streams_are_closed(tmp_path):
    shutil.copy(ROOT / "workbooks" / "pendulum.xlsx", tmp_path / "book.xlsx")
    before = (tmp_path / "book.xlsx").read_bytes()
    assert shell(f"{SHEETMBS} check book.xlsx >&-", tmp_path).returncode == 0
    assert shell(f"{SHEETMBS} check book.xlsx <&- >&- 2>&-", tmp_path).returncode == 0
    assert (tmp_path / "book.xlsx").read_bytes() == before


@pytest.mark.skipif(sys.platform == "win32", reason="other limits")
@pytest.mark.parametrize("command", ["check", "run", "cases", "new blank-2d"])
def test_name_longer_than_any_file_may_have_is_refused_in_a_sentence(tmp_path, command):
    done = shell(f"{SHEETMBS} {command} {'a' * 300}.xlsx", tmp_path)
    assert done.returncode == 2
    assert "File name too long" in done.stderr
    assert list(tmp_path.iterdir()) == []


def test_results_beside_the_workbook_end_with_status_3(tmp_path):
    book = tmp_path / "book.xlsx"
    shutil.copy(ROOT / "workbooks" / "pendulum.xlsx", book)
    lock(book)
    before = book.read_bytes()
    done = subprocess.run(
        [sys.executable, "-m", "sheetmbs", "run", "book.xlsx"], cwd=tmp_path, capture_output=True, check=False
    )
    assert done.returncode == 3
    assert (tmp_path / "book-results.xlsx").exists()
    assert book.read_bytes() == before
