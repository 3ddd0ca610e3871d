"""What a new format of recordings costs: its file and one line in the list of formats."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from openpyxl import load_workbook

PACKAGE = Path(__file__).parents[2] / "sheetmbs"
FORMAT = '''
"""Tracks of the program Ostrich: a line OSTRICH with the rate, a line of labels, then x y z of each in cm."""

from sheetmbs.gait.formats.sampled_cells import (
    POSITION,
    Track,
    field_of,
    filled_rows,
    number_in,
    read_tracks,
    refuse_layout,
    stamps,
    text_at,
    texts_of,
)
from sheetmbs.gait.trial.recorded import Recorded
from sheetmbs.schema.problem_list import Place


def recognises(cells):
    """Whether it begins with the name of the program."""
    return text_at(cells, 1, 1) == "OSTRICH"


def read(cells, report):
    """Read markers."""
    rate = number_in(text_at(cells, 1, 2))
    if rate is None:
        return refuse_layout(Place(cells.name, 1, 2), "no rate", "the first line ends with the rate in Hz", report)
    labels = texts_of(cells, 2)
    rows = filled_rows(cells, 3, max(cells.rows), range(1, 3 * len(labels) + 1))
    tracks = [Track(text, Place(cells.name, 2, at), 3 * k + 1) for k, (at, text) in enumerate(labels.items())]
    unit = field_of(POSITION["x"], tracks[0].place, "x", "cm", report, tracks[0].place)
    notes = []
    markers = read_tracks(cells, rows, tracks, unit, stamps(cells, rows, None, None, report, rate), report, notes)
    return Recorded(markers, notes=tuple(notes))
'''
LINE = """    LabFormat(".ost of Ostrich", "markers of Ostrich, in cm", "OSTRICH", "ostrich_tracks"),
"""
ANCHOR = "FORMATS = (\n"
RECORDING = """OSTRICH 50
right_heel right_toe
10 20 5 30.5 20 1
12 20 5 32.5 20 1
14 20 5 34.5 20 1
"""


@pytest.fixture(scope="module")
def extended(tmp_path_factory):
    """A copy of the project in which the recipe of the architecture page was followed, and nothing else."""
    folder = tmp_path_factory.mktemp("extended")
    ignored = shutil.ignore_patterns("__pycache__")
    shutil.copytree(PACKAGE, folder / "sheetmbs", ignore=ignored)
    shutil.copytree(PACKAGE.parent / "docs", folder / "docs", ignore=ignored)
    shutil.copytree(PACKAGE.parent / "templates", folder / "templates", ignore=ignored)
    formats = folder / "sheetmbs" / "gait" / "formats"
    (formats / "ostrich_tracks.py").write_text(FORMAT, encoding="utf-8")
    listed = (formats / "all_formats.py").read_text(encoding="utf-8")
    assert listed.count(ANCHOR) == 1
    (formats / "all_formats.py").write_text(listed.replace(ANCHOR, ANCHOR + LINE), encoding="utf-8")
    return folder


def python(folder, *arguments):
    environment = os.environ | {"PYTHONPATH": str(folder), "COLUMNS": "200", "NO_COLOR": "1"}
    command = [sys.executable, *map(str, arguments)]
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)


def sheetmbs(folder, *arguments):
    return python(folder, "-m", "sheetmbs", *arguments)


def test_the_import_command_reads_a_format_that_was_added(extended):
    (extended / "walk.ost").write_text(RECORDING, encoding="utf-8")
    done = sheetmbs(extended, "import", "gait", "walk.ost", "anna.xlsx")
    assert done.returncode == 0, done.stderr
    rows = list(load_workbook(extended / "anna.xlsx")["Markers walk"].values)
    heads, units, *samples = rows
    named = [dict(zip(heads, row, strict=True)) for row in (units, *samples)]
    assert named[0]["right_heel.x"] == "cm"
    assert [row["time"] for row in named[1:]] == [0.0, 0.02, 0.04]
    assert [row["right_heel.x"] for row in named[1:]] == [10.0, 12.0, 14.0]
    assert [row["right_toe.x"] for row in named[1:]] == [30.5, 32.5, 34.5]


def test_mistakes_in_an_added_format_name_the_line(extended):
    (extended / "rate.ost").write_text(RECORDING.replace(" 50", ""), encoding="utf-8")
    done = sheetmbs(extended, "import", "gait", "rate.ost", "rate.xlsx")
    assert done.returncode == 2
    assert "rate.ost line 1" in done.stderr
    assert "no rate" in done.stderr
    assert not (extended / "rate.xlsx").exists()


def test_help_messages_and_documentation_list_an_added_format(extended):
    shown = sheetmbs(extended, "import", "--help")
    assert ".ost of Ostrich" in " ".join(shown.stdout.replace("\u2502", " ").split())
    (extended / "other.txt").write_text("ANYTHING\n1 2 3\n", encoding="utf-8")
    refused = sheetmbs(extended, "import", "gait", "other.txt", "other.xlsx")
    assert refused.returncode == 2
    assert "OSTRICH" in refused.stderr
    made = python(extended, "docs/tables.py")
    assert made.returncode == 0, made.stderr
    page = (extended / "docs" / "gait-import.md").read_text(encoding="utf-8")
    assert "| `.ost` of Ostrich | markers of Ostrich, in cm |" in page
