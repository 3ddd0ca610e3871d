"""A sound workbook, broken in one place in very many ways: each is refused at the right cell, and left as it was."""

import datetime as dt
import subprocess
import sys
import zipfile
from collections.abc import Callable
from typing import NamedTuple

import pytest

from sheetmbs.problems.errors import WorkbookError
from sheetmbs.schema import problem_list
from sheetmbs.workbook.reading.read_workbook import read_model
from tests.support.planar_books import column_of, put, saved, sound_book


class Case(NamedTuple):
    """break_: breaks a workbook. code: of the problem. cell: where it stands."""

    name: str
    break_: Callable[..., object]
    code: str
    cell: str


def put_in(sheet, name, header, value):
    return lambda book: put(book, sheet, name, header, value)


def write(sheet, address, value):
    def act(book):
        book[sheet][address] = value

    return act


def write_all(sheet, values):
    def act(book):
        for address, value in values.items():
            book[sheet][address] = value

    return act


def rename_header(sheet, header, new):
    def act(book):
        book[sheet].cell(1, column_of(book, sheet, header)).value = new

    return act


def delete_column(sheet, header):
    return lambda book: book[sheet].delete_cols(column_of(book, sheet, header))


def append(sheet, *row):
    return lambda book: book[sheet].append(row)


def remove_sheet(name):
    return lambda book: book.remove(book[name])


def rename_sheet(name, new):
    def act(book):
        book[name].title = new

    return act


def merge(sheet, cells):
    return lambda book: book[sheet].merge_cells(cells)


def empty(sheet):
    return lambda book: book[sheet].delete_rows(1, 100)


def both(*acts):
    def act(book):
        for each in acts:
            each(book)

    return act


CASES = (
    # sheets
    Case("no Settings", remove_sheet("Settings"), "missing-sheet", "Settings"),
    Case("no Bodies", remove_sheet("Bodies"), "missing-sheet", "Bodies"),
    Case("misspelt Bodies", rename_sheet("Bodies", "Bodys"), "missing-sheet", "Bodies"),
    Case("empty Bodies", empty("Bodies"), "no-bodies", "Bodies"),
    Case("a sheet twice", lambda book: book.create_sheet("SETTINGS "), "duplicate-sheet", "SETTINGS "),
    # headers
    Case("misspelt required header", rename_header("Bodies", "name", "nmae"), "missing-column", "Bodies!A1"),
    Case("no x on Points", delete_column("Points", "x"), "missing-column", "Points!A1"),
    Case("no mass in a dynamic analysis", delete_column("Bodies", "mass"), "missing-column", "Bodies!A1"),
    Case("no type of joints", delete_column("Joints", "type"), "missing-column", "Joints!A1"),
    Case("no time", rename_header("Guiding", "time", "clock [s]"), "missing-column", "Guiding!A1"),
    Case("a header twice", rename_header("Bodies", "vx", "omega"), "duplicate-header", "Bodies!H1"),
    Case("a header twice but for case", rename_header("Bodies", "vx", " OMEGA "), "duplicate-header", "Bodies!H1"),
    Case("a header that is an error", write("Bodies", "G1", "#NAME?"), "unreadable-header", "Bodies!G1"),
    Case("a header that is a formula", write("Bodies", "G1", '="om"&RAND()'), "unreadable-header", "Bodies!G1"),
    Case("headers in row 2", lambda book: book["Points"].insert_rows(1), "missing-column", "Points!A1"),
    # cells
    Case("text in a number", put_in("Bodies", "rod", "mass", "heavy"), "not-a-number", "Bodies!B4"),
    Case("decimal comma", put_in("Bodies", "rod", "mass", "2,4"), "number-as-text", "Bodies!B4"),
    Case("number as text", put_in("Bodies", "rod", "mass", "2.4 "), "number-as-text", "Bodies!B4"),
    Case("thousands in blanks", put_in("Bodies", "rod", "inertia", "40 000"), "number-as-text", "Bodies!C4"),
    Case("typographic minus", put_in("Bodies", "rod", "x", "\u22125"), "number-as-text", "Bodies!D4"),
    Case("#REF!", put_in("Bodies", "rod", "mass", "#REF!"), "error-value", "Bodies!B4"),
    Case("#DIV/0! in a name", put_in("Joints", "guide", "body_j", "#DIV/0!"), "error-value", "Joints!D5"),
    Case("formula without value", put_in("Bodies", "rod", "mass", "=2*RAND()"), "formula-without-value", "Bodies!B4"),
    Case(
        "formula without value as a setting",
        put_in("Settings", "t_end", "value", "=NOW()-1"),
        "formula-without-value",
        "Settings!B8",
    ),
    Case("a date", put_in("Bodies", "rod", "mass", dt.datetime(2024, 5, 1)), "date-as-number", "Bodies!B4"),  # noqa: DTZ001
    Case("a boolean", put_in("Bodies", "rod", "mass", True), "boolean-as-number", "Bodies!B4"),  # noqa: FBT003
    Case("merged cells", merge("Bodies", "B4:C4"), "merged-cell", "Bodies!B4"),
    Case("merged cells down", merge("Points", "C3:C4"), "merged-cell", "Points!C3"),
    Case("nan", put_in("Bodies", "rod", "mass", "NaN"), "not-finite", "Bodies!B4"),
    Case("infinity", put_in("Bodies", "rod", "x", "-inf"), "not-finite", "Bodies!D4"),
    Case("beyond all numbers", put_in("Bodies", "rod", "x", "1e999 mm"), "not-finite", "Bodies!D4"),
    Case("neither yes nor no", put_in("Points", "pin", "report", "maybe"), "not-yes-or-no", "Points!F3"),
    Case("a date as a name", put_in("Points", "pin", "name", dt.date(2024, 5, 1)), "not-a-text", "Points!A3"),
    # units
    Case("wrong unit in the units row", write("Bodies", "B2", "mm"), "wrong-dimension", "Bodies!B2"),
    Case("wrong unit in the header", rename_header("Points", "x", "x [kg]"), "wrong-dimension", "Points!C1"),
    Case("wrong unit in the cell", put_in("Bodies", "rod", "mass", "2 m"), "wrong-dimension", "Bodies!B4"),
    Case("an angle in metres", put_in("Bodies", "rod", "phi", "2 m"), "wrong-dimension", "Bodies!F4"),
    Case("a length in degrees", write("Bodies", "D2", "deg"), "wrong-dimension", "Bodies!D2"),
    Case("unknown unit", write("Bodies", "B2", "kgg"), "unknown-unit", "Bodies!B2"),
    Case("a temperature", write("Bodies", "B2", "degC"), "unknown-unit", "Bodies!B2"),
    Case("unit read in two ways", rename_header("Springs", "c", "c [N/m s]"), "unknown-unit", "Springs!H1"),
    Case("header against units row", rename_header("Bodies", "x", "x [m]"), "contradictory-units", "Bodies!D2"),
    Case("a number in the units row", write("Bodies", "B2", 1000), "unreadable-unit", "Bodies!B2"),
    Case("unit of another row's quantity", put_in("Springs", "clock", "k", 3), "unit-needed", "Springs!G3"),
    Case("wrong unit of a setting", put_in("Settings", "t_end", "unit", "m"), "wrong-dimension", "Settings!C8"),
    Case("unit of a plain number", put_in("Settings", "rtol", "unit", "mm"), "unit-not-taken", "Settings!C10"),
    Case("two units of a setting", put_in("Settings", "t_step", "value", "10 s"), "contradictory-units", "Settings!B9"),
    Case(
        "a unit of an expression",
        rename_header("Drivers", "expression", "expression [deg]"),
        "unit-not-taken",
        "Drivers!H1",
    ),
    # settings
    Case("unknown setting", append("Settings", "gravty_x", 1), "unknown-setting", "Settings!A11"),
    Case("a setting twice", append("Settings", "T-End", 3), "duplicate-setting", "Settings!A11"),
    Case("unknown analysis", put_in("Settings", "analysis", "value", "dynamics!"), "unknown-value", "Settings!B5"),
    Case("later format", put_in("Settings", "format", "value", 2), "newer-format", "Settings!B2"),
    Case("no such format", put_in("Settings", "format", "value", 0), "unknown-format", "Settings!B2"),
    Case("no t_end", put_in("Settings", "t_end", "setting", "# t_end"), "missing-setting", "Settings"),
    Case("t_end blank", put_in("Settings", "t_end", "value", None), "missing-setting", "Settings!B8"),
    Case("t_end before t_start", put_in("Settings", "t_end", "value", -1), "no-time", "Settings!B8"),
    Case("t_step 0", put_in("Settings", "t_step", "value", 0), "out-of-range", "Settings!B9"),
    Case("a mass beyond all measure", put_in("Bodies", "crank", "mass", 1e60), "too-large", "Bodies!B3"),
    Case("a length beyond all measure in SI", put_in("Bodies", "crank", "x", "1e50 km"), "too-large", "Bodies!D3"),
    Case("a sample beyond all measure", write("Guiding", "B4", -1e55), "too-large", "Guiding!B4"),
    Case(
        "a sample that SI cannot hold",
        write_all("Guiding", {"B1": "ballast.x [km]", "B4": 1e308}),
        "too-large",
        "Guiding!B4",
    ),
    Case("a value of a curve beyond all measure", write("Curves", "D3", 1e99), "too-large", "Curves!D3"),
    Case("a setting beyond all measure", put_in("Settings", "gravity_y", "value", 1e300), "too-large", "Settings!B6"),
    Case(
        "more numbers than a workbook holds",
        put_in("Settings", "t_step", "value", 1e-3),
        "too-many-rows",
        "Settings!B9",
    ),
    Case("far too many rows", put_in("Settings", "t_step", "value", 1e-6), "too-many-rows", "Settings!B9"),
    Case("negative tolerance", put_in("Settings", "rtol", "value", -1e-8), "out-of-range", "Settings!B10"),
    Case("spectral radius above 1", append("Settings", "spectral_radius", 1.2), "out-of-range", "Settings!B11"),
    # names
    Case("a name twice", put_in("Bodies", "rod", "name", "crank"), "duplicate-name", "Bodies!A4"),
    Case("a name twice but for case", put_in("Joints", "guide", "name", "Crank_Pin"), "duplicate-name", "Joints!A5"),
    Case("a driver named as a joint", put_in("Drivers", "motor", "name", "hinge"), "duplicate-name", "Drivers!A2"),
    Case("a point in a name", put_in("Bodies", "ballast", "name", "ballast.1"), "name-with-point", "Bodies!A6"),
    Case("a body named ground", put_in("Bodies", "ballast", "name", "Ground"), "name-reserved", "Bodies!A6"),
    Case("a very long name", put_in("Bodies", "ballast", "name", "b" * 101), "name-too-long", "Bodies!A6"),
    Case(
        "a name on two lines",
        put_in("Bodies", "ballast", "name", "bal\nlast"),
        "name-with-control-character",
        "Bodies!A6",
    ),
    Case("no name", put_in("Bodies", "ballast", "name", None), "missing-value", "Bodies!A6"),
    Case("a formula as a name", write("Bodies", "A6", "=cmd|' /C calc'!A0"), "formula-without-value", "Bodies!A6"),
    # references
    Case("unknown body", put_in("Joints", "hinge", "body_j", "cranck"), "unknown-body", "Joints!D2"),
    Case("unknown point", put_in("Joints", "hinge", "point", "pivvot"), "unknown-point", "Joints!E2"),
    Case("unknown joint", put_in("Drivers", "motor", "joint", "hing"), "unknown-joint", "Drivers!C2"),
    Case("unknown curve", put_in("Forces", "pulse", "curve", "ramps"), "unknown-curve", "Forces!H3"),
    Case("unknown body of a point", put_in("Points", "pin", "body", "crankk"), "unknown-body", "Points!B3"),
    Case(
        "unknown body in guiding", rename_header("Guiding", "ballast.x", "balast.x [mm]"), "unknown-body", "Guiding!B1"
    ),
    Case(
        "a driver on the ground",
        both(put_in("Drivers", "motor", "body", "ground"), put_in("Drivers", "motor", "joint", None)),
        "ground-as-body",
        "Drivers!B2",
    ),
    Case(
        "a body that is switched off",
        both(write_all("Bodies", {"K1": "active", "K3": "no"})),
        "switched-off",
        "Joints!D2",
    ),
    # bodies
    Case("blank mass", put_in("Bodies", "rod", "mass", None), "missing-value", "Bodies!B4"),
    Case("negative mass", put_in("Bodies", "rod", "mass", -1), "negative", "Bodies!B4"),
    Case("negative inertia", put_in("Bodies", "rod", "inertia", -1), "negative", "Bodies!C4"),
    # points
    Case("blank y", put_in("Points", "pin", "y", None), "missing-value", "Points!D3"),
    Case("unknown frame", put_in("Points", "pin", "frame", "local"), "unknown-value", "Points!E3"),
    # joints
    Case("unknown type", put_in("Joints", "hinge", "type", "revolut"), "unknown-value", "Joints!B2"),
    Case("joint from a body to itself", put_in("Joints", "crank pin", "body_j", "crank"), "same-body", "Joints!D3"),
    Case("no second body", put_in("Joints", "hinge", "body_j", None), "missing-value", "Joints!D2"),
    Case("no location", put_in("Joints", "hinge", "point", None), "missing-value", "Joints!E2"),
    Case("two locations", put_in("Joints", "hinge", "point_i", "pivot"), "two-ways-location", "Joints!F2"),
    Case("half a location", put_in("Joints", "link", "point_j", None), "missing-value", "Joints!G6"),
    Case("a point of a third body", put_in("Joints", "link", "point_j", "pin"), "point-on-other-body", "Joints!G6"),
    Case(
        "no direction",
        both(put_in("Joints", "guide", "axis_x", None), put_in("Joints", "guide", "axis_y", None)),
        "missing-value",
        "Joints!H5",
    ),
    Case("zero direction", put_in("Joints", "guide", "axis_x", 0), "zero-direction", "Joints!H5"),
    Case("a distance of nothing", put_in("Points", "anchor", "y", 800), "zero-length", "Joints!G6"),
    Case("a negative length", put_in("Joints", "link", "length", -0.2), "not-positive", "Joints!J6"),
    Case(
        "coordinate joint without coordinate",
        put_in("Joints", "level", "coordinate", None),
        "missing-value",
        "Joints!K7",
    ),
    Case("coordinate joint along z", put_in("Joints", "level", "coordinate", "z"), "wrong-coordinate", "Joints!K7"),
    Case("angle as a length", put_in("Joints", "level", "value", "90 mm"), "wrong-dimension", "Joints!L7"),
    # drivers
    Case("a driver of nothing", put_in("Drivers", "motor", "joint", None), "missing-value", "Drivers!B2"),
    Case("a driver of a body and a joint", put_in("Drivers", "motor", "body", "crank"), "two-ways-joint", "Drivers!C2"),
    Case(
        "a coordinate that the joint has not",
        put_in("Drivers", "motor", "coordinate", "displacement"),
        "wrong-coordinate",
        "Drivers!D2",
    ),
    Case(
        "a driver of a weld", both(put_in("Joints", "hinge", "type", "fixed")), "joint-without-coordinate", "Drivers!C2"
    ),
    Case("two motions", put_in("Drivers", "motor", "expression", "t"), "two-ways-motion", "Drivers!H2"),
    Case(
        "wrong unit of the motion", put_in("Drivers", "motor", "velocity", "95 mm/s"), "wrong-dimension", "Drivers!F2"
    ),
    Case(
        "an expression that is none",
        both(put_in("Drivers", "motor", "velocity", None), put_in("Drivers", "motor", "expression", "2*sin(t")),
        "wrong-expression",
        "Drivers!H2",
    ),
    Case(
        "Python in an expression",
        both(
            put_in("Drivers", "motor", "velocity", None), put_in("Drivers", "motor", "expression", "__import__('os')")
        ),
        "wrong-expression",
        "Drivers!H2",
    ),
    Case(
        "a curve of the wrong dimension",
        both(put_in("Drivers", "motor", "velocity", None), put_in("Drivers", "motor", "curve", "hard")),
        "wrong-dimension",
        "Drivers!I2",
    ),
    Case("driven twice", append("Drivers", "second", None, "hinge", "angle", 0), "driven-twice", "Drivers!C3"),
    Case("guided and driven", append("Drivers", "second", "ballast", None, "x", 0), "driven-twice", "Guiding!B1"),
    # series
    Case("unsorted times", write("Guiding", "A4", 0.5), "not-increasing", "Guiding!A4"),
    Case("times that begin late", write("Guiding", "A2", 0.1), "time-not-covered", "Guiding!A2"),
    Case("times that end early", write("ForceSeries", "A5", 1.9), "time-not-covered", "ForceSeries!A5"),
    Case("a hole in guiding", write("Guiding", "B3", None), "missing-value", "Guiding!B3"),
    Case(
        "a row neither on nor off",
        write_all("Guiding", {"D1": "active", "D3": "perhaps"}),
        "not-yes-or-no",
        "Guiding!D3",
    ),
    Case("a time is missing", write("Guiding", "A3", None), "missing-value", "Guiding!A3"),
    Case("decimal comma in guiding", write("Guiding", "B4", "3,5"), "number-as-text", "Guiding!B4"),
    Case("decimal comma in the first time", write("Guiding", "A2", "0,0"), "number-as-text", "Guiding!A2"),
    Case("#N/A in a series", write("ForceSeries", "B4", "#N/A"), "error-value", "ForceSeries!B4"),
    Case(
        "guiding what a body has not",
        rename_header("Guiding", "ballast.x", "ballast.z"),
        "wrong-coordinate",
        "Guiding!B1",
    ),
    Case(
        "a series column twice",
        write_all("Guiding", {"D1": "BALLAST.X [mm]", "D2": 0, "D3": 0, "D4": 0, "D5": 0}),
        "duplicate-header",
        "Guiding!D1",
    ),
    Case("wrong unit in a series", write("ForceSeries", "B2", "kg"), "wrong-dimension", "ForceSeries!B2"),
    Case(
        "application in two ways",
        write_all("ForceSeries", {"E1": "slider.xi", "E3": 0, "E4": 0, "E5": 0}),
        "two-ways-application",
        "ForceSeries!E1",
    ),
    Case(
        "application without force", rename_header("ForceSeries", "slider.fx", "rod.px"), "no-force", "ForceSeries!B1"
    ),
    Case("one row of samples", lambda book: book["Guiding"].delete_rows(3, 5), "too-few-rows", "Guiding!A1"),
    Case(
        "three rows for not-a-knot",
        append("Settings", "guiding_spline", "not-a-knot"),
        "too-few-rows",
        "ForceSeries!A1",
    ),
    # forces
    Case("a force on the ground", put_in("Forces", "push", "body", "ground"), "ground-as-body", "Forces!B2"),
    Case(
        "a force on another body's point", put_in("Forces", "push", "point", "pin"), "point-on-other-body", "Forces!C2"
    ),
    Case(
        "unknown motion column", put_in("Forces", "push", "fx", "-20*slider.vz"), "unknown-motion-column", "Forces!D2"
    ),
    Case(
        "unknown body in an expression", put_in("Forces", "push", "fx", "slidr.x"), "unknown-motion-column", "Forces!D2"
    ),
    Case("a scaling curve over length", put_in("Forces", "pulse", "curve", "hard"), "wrong-dimension", "Forces!H3"),
    # springs
    Case("a spring of no length", put_in("Points", "stop", "x", 500), "zero-length", "Springs!E2"),
    Case("a negative natural length", put_in("Springs", "buffer", "length0", -1), "negative", "Springs!I2"),
    Case(
        "a spring without ends",
        both(put_in("Springs", "buffer", "point_i", None), put_in("Springs", "buffer", "point_j", None)),
        "missing-value",
        "Springs!E2",
    ),
    Case("a spring's curve over time", put_in("Springs", "rubber", "curve_k", "ramp"), "wrong-dimension", "Springs!J4"),
    # curves
    Case("x of a curve falls", write("Curves", "C4", -6), "not-increasing", "Curves!C4"),
    Case("a curve without y", rename_header("Curves", "ramp.y", "remp.y"), "missing-column", "Curves!A1"),
    Case("a hole in a curve", write("Curves", "D3", None), "missing-value", "Curves!D3"),
    Case("unknown interpolation", write("Curves", "E2", "quadratic"), "unknown-value", "Curves!E2"),
    Case("a curve that ends early", write("Curves", "A4", 1), "time-not-covered", "Curves!A4"),
    Case(
        "a curve of one row",
        write_all("Curves", {"A3": None, "B3": None, "A4": None, "B4": None}),
        "too-few-rows",
        "Curves!A1",
    ),
    Case("decimal comma in a curve", write("Curves", "D4", "50,5"), "number-as-text", "Curves!D4"),
    # charts
    Case("a chart of nothing", write("Charts", "C2", None), "missing-value", "Charts!C2"),
    Case("unknown type of chart", write("Charts", "D2", "pie"), "unknown-value", "Charts!D2"),
)


def test_the_workbook_that_is_broken_below_is_sound(tmp_path):
    model = read_model(saved(sound_book(), tmp_path))
    assert model.warnings == ()
    assert len(model.joints) == 6


def test_there_are_enough_kinds_of_damage():
    assert len({case.name for case in CASES}) == len(CASES) >= 60


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_a_broken_workbook_is_refused_at_the_right_cell(case, tmp_path):
    book = sound_book()
    case.break_(book)
    path = saved(book, tmp_path)
    before = path.read_bytes()
    with pytest.raises(WorkbookError) as caught:
        read_model(path)
    errors = [problem for problem in caught.value.problems if problem.severity == "error"]
    assert (case.code, case.cell) in [(problem.code, problem.cell) for problem in errors]
    assert all(problem.found and problem.problem and problem.mend for problem in errors)
    assert caught.value.exit_status == 2
    assert path.read_bytes() == before


# whatever breaks one cell may make others wrong, but a report that is mostly noise helps nobody
@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_one_fault_is_not_reported_all_over_the_workbook(case, tmp_path):
    book = sound_book()
    case.break_(book)
    with pytest.raises(WorkbookError) as caught:
        read_model(saved(book, tmp_path))
    assert len([problem for problem in caught.value.problems if problem.severity == "error"]) <= 12


def truncated(path):
    path.write_bytes(path.read_bytes()[:2000])


def without_first_sheet(path):
    with zipfile.ZipFile(path) as source:
        parts = {name: source.read(name) for name in source.namelist() if name != "xl/worksheets/sheet1.xml"}
    with zipfile.ZipFile(path, "w") as target:
        for name, content in parts.items():
            target.writestr(name, content)


def with_a_bomb(path):
    with zipfile.ZipFile(path, "a", zipfile.ZIP_DEFLATED) as target:
        target.writestr("xl/media/zeros.bin", bytes(300_000_000))


def with_entities(path):
    with zipfile.ZipFile(path) as source:
        parts = {name: source.read(name) for name in source.namelist()}
    name = "xl/worksheets/sheet1.xml"
    parts[name] = b'<!DOCTYPE a [<!ENTITY b "bbbb"><!ENTITY c "&b;&b;&b;">]>' + parts[name]
    with zipfile.ZipFile(path, "w") as target:
        for part, content in parts.items():
            target.writestr(part, content)


FILES = {
    "truncated": truncated,
    "empty": lambda path: path.write_bytes(b""),
    "text": lambda path: path.write_text("name;mass\ncrank;1,2\n", encoding="utf-8"),
    "a zip of something else": lambda path: zipfile.ZipFile(path, "w").close(),
    "a part is missing": without_first_sheet,
    "a zip bomb": with_a_bomb,
    "XML entities": with_entities,
}


@pytest.mark.parametrize("damage", FILES.values(), ids=FILES)
def test_a_damaged_file_is_refused_by_its_name_or_part(damage, tmp_path):
    path = saved(sound_book(), tmp_path)
    damage(path)
    before = path.read_bytes()
    with pytest.raises(WorkbookError) as caught:
        read_model(path)
    assert caught.value.exit_status == 2
    assert path.read_bytes() == before


def test_a_file_that_is_not_there_is_refused(tmp_path):
    with pytest.raises(WorkbookError, match=r"absent\.xlsx"):
        read_model(tmp_path / "absent.xlsx")


def test_the_command_line_ends_with_status_2_and_names_the_cell(tmp_path):
    book = sound_book()
    address = put(book, "Joints", "hinge", "body_j", "cranck")
    path = saved(book, tmp_path)
    before = path.read_bytes()
    done = subprocess.run(
        [sys.executable, "-m", "sheetmbs", "check", str(path)], capture_output=True, text=True, check=False
    )
    assert done.returncode == 2
    assert address in done.stderr
    assert path.read_bytes() == before


def test_all_problems_are_reported_in_one_pass_in_the_order_of_the_workbook(tmp_path):
    book = sound_book()
    cells = [
        put(book, "Settings", "t_step", "value", "soon"),
        put(book, "Bodies", "crank", "mass", -1),
        put(book, "Bodies", "slider", "x", "1,5"),
        put(book, "Points", "hook", "body", "slyder"),
        put(book, "Joints", "guide", "type", "slide"),
        put(book, "Springs", "buffer", "k", "#VALUE!"),
    ]
    with pytest.raises(WorkbookError) as caught:
        read_model(saved(book, tmp_path))
    reported = [problem.cell for problem in caught.value.problems if problem.cell in cells]
    assert reported == cells


def commas(count):
    """A workbook with so many decimal commas in a column of samples, from row 6 on."""
    book = sound_book()
    sheet = book["Guiding"]
    for row in range(6, 6 + count):
        sheet.cell(row, 1).value = row
        sheet.cell(row, 2).value = "1,5"
    return book


def test_every_bad_cell_of_a_column_is_a_problem_of_its_own(tmp_path):
    with pytest.raises(WorkbookError) as caught:
        read_model(saved(commas(1000), tmp_path))
    cells = [problem.cell for problem in caught.value.problems if problem.code == "number-as-text"]
    assert cells == [f"Guiding!B{row}" for row in range(6, 1006)]


def test_beyond_a_limit_the_bad_cells_of_a_column_are_counted(tmp_path, monkeypatch):
    monkeypatch.setattr(problem_list, "MAX_PER_COLUMN", 10)
    book = commas(1000)
    put(book, "Joints", "hinge", "body_j", "cranck")
    with pytest.raises(WorkbookError) as caught:
        read_model(saved(book, tmp_path))
    found = [problem for problem in caught.value.problems if problem.code == "number-as-text"]
    assert len(found) == 11
    assert found[-1].cell == "Guiding!B16"
    assert "990 more" in found[-1].found
    assert "Guiding!B1005" in found[-1].found
    assert "unknown-body" in {problem.code for problem in caught.value.problems}
