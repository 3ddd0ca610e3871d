"""Names of files up to the longest that a file system holds work, and longer ones are told in a sentence."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from sheetmbs.command.cli import app
from sheetmbs.workbook.package.archive import MAX_NAME_BYTES, fitting_name

BOOK = Path(__file__).parents[2] / "workbooks" / "pendulum.xlsx"


def named(size, ending=".xlsx"):
    """A name of so many bytes."""
    return "n" * (size - len(ending)) + ending


@pytest.mark.parametrize("size", [240, 250, 255])
def test_workbooks_with_long_names_are_run_into_themselves_with_a_backup(size, tmp_path):
    book = tmp_path / named(size)
    shutil.copy(BOOK, book)
    before = book.read_bytes()
    done = CliRunner().invoke(app, ["run", str(book), "--backup"])
    assert done.exit_code == 0, done.output
    (backup,) = (path for path in tmp_path.iterdir() if path.suffix == ".bak")
    assert backup.read_bytes() == before != book.read_bytes()
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted((book.name, backup.name))


@pytest.mark.parametrize("size", [250, 255])
def test_every_file_that_is_written_may_have_a_long_name(size, tmp_path):
    copy, report, rows = (tmp_path / named(size, ending) for ending in (".xlsx", ".txt", ".csv"))
    command = ["run", str(BOOK), "--output", str(copy), "--report", str(report), "--also", str(rows)]
    done = CliRunner().invoke(app, command)
    assert done.exit_code == 0, done.output
    assert all(path.stat().st_size for path in (copy, report))
    made = tmp_path / named(size, "m.xlsx")
    assert CliRunner().invoke(app, ["new", "pendulum", str(made)]).exit_code == 0


@pytest.mark.parametrize(
    "command",
    [
        ["run", BOOK, "--output", named(300)],
        ["run", BOOK, "--output", f"{'k' * 300}/out.xlsx"],
        ["run", BOOK, "--report", named(300, ".txt")],
        ["run", BOOK, "--also", named(300, ".csv")],
        ["run", named(300)],
        ["check", named(300)],
        ["new", "pendulum", named(300)],
        ["import", "gait", named(300, ".c3d"), "x.xlsx"],
        ["study", named(300)],
    ],
)
def test_names_that_are_too_long_end_in_a_sentence(command, tmp_path):
    line = [sys.executable, "-m", "sheetmbs", *map(str, command)]
    done = subprocess.run(line, cwd=tmp_path, capture_output=True, text=True, check=False)
    said = done.stdout + done.stderr
    assert done.returncode == 2, said
    assert "fault of its own" not in said
    assert "Traceback" not in said
    assert not list(tmp_path.iterdir())


def test_a_shortened_name_keeps_its_ending_and_differs_from_others():
    one, two = (fitting_name(f"{'ä' * 130}{letter}", ".xlsx.bak") for letter in "ab")
    assert one != two
    assert all(len(name.encode()) <= MAX_NAME_BYTES and name.endswith(".xlsx.bak") for name in (one, two))
    assert fitting_name("car.xlsx", ".bak") == "car.xlsx.bak"
