"""Text of rigs and loggers becomes a sheet of readings: any separator, either decimal sign, heads of three programs."""

from __future__ import annotations

import numpy as np
import openpyxl
import pytest
from typer.testing import CliRunner

from sheetmbs.command.cli import app
from sheetmbs.measured.formats.text_tables import read_columns
from sheetmbs.problems.errors import WorkbookError
from sheetmbs.suspension.run_suspension import run_suspension
from tests.support.car_books import car_book
from tests.support.opened import sheet_values

VALUES = [[-10.0, 0.125], [0.0, 0.25], [5.5, -0.5]]
MOTEC = """"Format","MoTeC CSV File",,,"Workbook",""
"Venue","somewhere",,,"Worksheet",""
"Device","ADL"
"Log Date","05.12.2018",,,"Origin Time","0.000","s"
"Sample Rate","50.000","Hz",,"End Time","0.040","s"
"Beacon Markers","12.3 24.5 "


"Time","Damper Pos FL","G Force Lat","Lap"
"s","mm","G",""


"0.000","-1.5","0.25","1"
"0.020","","0.5","1"
"0.040","2.5","1","1"
"""
AIM = """"Format","AiM CSV File"
"Session","test"
"Date","Monday, May 5, 2025"
"Time","10:00 AM"
"Sample Rate","50"
"Duration","0.040"
"Segment Times","0:12.3"

"Time","Damper Pos FL","G Force Lat","Lap"
"s","mm","g","#"

"0,000","-1,5","0,25","1"
"0,020","","0,5","1"
"0,040","2,5","1","1"
"""
MTS = """MTS Systems Corporation, K&C test 12
Test: vertical parallel
Operator: somebody

Wheel Travel\tToe Left\tForce Fy
(mm)\t(deg)\t(kN)
-10.0\t0.125\t0.0
0.0\t0.25\t0.5
"""
MTS_STATION = """MTS793|MPT|ENU|1|2|.|/|:|1|0|0|A
Data Header:\tAcquisition\t1
Time\tAxial Force
s\tkN
0.0\t1.5
0.1\t2.5
"""


@pytest.mark.parametrize(
    "text",
    [
        "travel,toe\nmm,deg\n-10,0.125\n0,.25\n5.5,-5E-1\n",
        "travel [mm];toe [deg]\n-10;0,125\n0;0,25\n5,5;-0,5\n",
        "# rig\n\ntravel (mm)\ttoe (deg)\n-10\t0.125\n0\t0.25\n5.5\t-0.5\n",
        'a rig, one day\n"travel","toe"\n"[mm]","[deg]"\n"-10,0","0,125"\n"0,0","0,25"\n"5,5","-0,5"\n',
        "travel toe\nmm deg\n-10 0.125\n0 0.25\n5.5 -0.5\n",
        "travel toe\nmm deg\n-10,0 0,125\n0,0 0,25\n5,5 -0,5\n",
        "travel|toe\nmm|deg\n\u221210|0.125\n0|0.25\n5.5|\u22120.5\n",
    ],
)
def test_whatever_parts_columns_and_decimals_the_numbers_are_the_same(text):
    found = read_columns(text, "rig.csv")
    assert (found.names, found.units) == (("travel", "toe"), ("mm", "deg"))
    np.testing.assert_array_equal(found.values, VALUES)


def imported(tmp_path, files, *more):
    book = car_book(tmp_path / "car.xlsx")
    paths = []
    for name, text in files.items():
        paths.append(tmp_path / name)
        paths[-1].write_text(text, encoding="utf-8")
    return book, CliRunner().invoke(app, ["import", "measured", *map(str, paths), str(book), *more])


@pytest.mark.parametrize(("text", "layout"), [(MOTEC, "MoTeC"), (AIM, "AiM")])
def test_a_logger_gives_its_channels_over_time(tmp_path, text, layout):
    book, done = imported(tmp_path, {"lap 3.csv": text})
    assert done.exit_code == 0, done.output
    assert layout in done.output
    sheet = openpyxl.load_workbook(book)["Measured lap 3"]
    rows = list(sheet.iter_rows(values_only=True))
    assert rows[0] == ("Time", "Damper Pos FL", "G Force Lat", "Lap")
    assert [each or "" for each in rows[1]] == ["s", "mm", "g0", ""]
    assert rows[2:] == [(0, -1.5, 0.25, 1), (0.02, None, 0.5, 1), (0.04, 2.5, 1, 1)]


@pytest.mark.parametrize(
    ("text", "heads", "units", "last"),
    [
        (MTS, ("Wheel Travel", "Toe Left", "Force Fy"), ("mm", "deg", "kN"), (0, 0.25, 0.5)),
        (MTS_STATION, ("Time", "Axial Force"), ("s", "kN"), (0.1, 2.5)),
    ],
)
def test_a_rig_of_mts_gives_its_columns(tmp_path, text, heads, units, last):
    book, done = imported(tmp_path, {"heave.txt": text})
    assert done.exit_code == 0, done.output
    assert "MTS" in done.output
    rows = sheet_values(book, "Measured heave")
    assert (rows[0], rows[1], rows[-1]) == (heads, units, last)


def test_what_was_imported_is_compared_without_further_rows(tmp_path):
    book, done = imported(tmp_path, {"heave.csv": "travel;FL.toe\nmm;deg\n-10;0,1\n0;0,2\n5;0,3\n"})
    assert done.exit_code == 0, done.output
    assert [each.measurement.case for each in run_suspension(book).measured] == ["heave"]


def test_a_second_import_replaces_its_sheet_and_nothing_else(tmp_path):
    book, _done = imported(tmp_path, {"heave.csv": "travel,a\n1,2\n"})
    before = openpyxl.load_workbook(book)["Hardpoints"].cell(3, 3).value
    (tmp_path / "heave.csv").write_text("travel,b\n3,4\n5,6\n", encoding="utf-8")
    done = CliRunner().invoke(app, ["import", "measured", str(tmp_path / "heave.csv"), str(book)])
    assert done.exit_code == 0, done.output
    again = openpyxl.load_workbook(book)
    assert [each.value for each in again["Measured heave"][1]] == ["travel", "b"]
    assert again["Hardpoints"].cell(3, 3).value == before


def test_a_sheet_of_the_users_own_is_not_overwritten(tmp_path):
    book = car_book(tmp_path / "car.xlsx", others={"Measured heave": [("travel",), ("mm",), (1,)]})
    before = book.read_bytes()
    (tmp_path / "heave.csv").write_text("travel,b\n3,4\n", encoding="utf-8")
    done = CliRunner().invoke(app, ["import", "measured", str(tmp_path / "heave.csv"), str(book)])
    assert done.exit_code == 2
    assert book.read_bytes() == before
    done = CliRunner().invoke(app, ["import", "measured", str(tmp_path / "heave.csv"), str(book), "--sheet", "rig"])
    assert done.exit_code == 0, done.output
    assert "Measured rig" in openpyxl.load_workbook(book).sheetnames


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("travel,toe\n1,2\n2,x\n3,y\n", ("line 3: x", "line 4: y")),
        ("1,2\n3,4\n", ("line 1", "row of names")),
        ("travel,toe\n", ("no row of numbers",)),
        ("travel,toe\n1,2\n3,4,5\n", ("line 3", "2 columns")),
        (
            "travel,toe\nmm,deg\n1,2\n\ntravel,toe\nmm,deg\n3,4\n",
            ("line 5", "another test begins", "a file of its own"),
        ),
        (
            MTS_STATION + "\nData Header:\tAcquisition\t2\nTime\tAxial Force\ns\tkN\n0.0\t1.5\n",
            ("line 9", "another test"),
        ),
        ('"Time","Load"\n"0.0","900.5"\n"0.1","1,002.5"\n', ("line 3: 1,002.5", "between thousands")),
        ("Time;Load\n59.98;1\n1:00.00;2\n", ("line 3: 1:00.00", "number of seconds")),
        ("wheel travel  toe angle\n1 2\n3 4\n", ("line 1", "blanks stand within names")),
    ],
)
def test_mistakes_are_told_with_their_lines_and_nothing_is_written(tmp_path, text, parts):
    with pytest.raises(WorkbookError) as error:
        read_columns(text, "rig.csv")
    for part in parts:
        assert part in str(error.value)
    book, done = imported(tmp_path, {"rig.csv": text})
    assert done.exit_code == 2
    assert "Nothing was written" in done.output
    assert not any(name.startswith("Measured") for name in openpyxl.load_workbook(book).sheetnames)
