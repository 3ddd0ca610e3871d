"""What is wrong is told once, where it stands; what is doubtful is asked about."""

import datetime as dt

import pytest

import sheetmbs
from sheetmbs.problems.errors import WorkbookError
from sheetmbs.workbook.reading.read_workbook import read_model
from tests.schema.planar_words import problems_of, rename
from tests.support.planar_books import put, saved, sound_book
from tests.support.spatial_books import at, axis, body, joint, space_book

# headers


@pytest.mark.parametrize(
    ("sheet", "header", "new", "problem"),
    [
        ("Bodies", "mass", "m", "is it 'm' at Bodies!B1? then rename that"),
        ("Bodies", "mass", "mass in kg", "is it 'mass in kg' at Bodies!B1? then write mass [kg] there"),
        ("Bodies", "inertia", "Izz", "is it 'Izz' at Bodies!C1? then rename that"),
        ("Bodies", "name", "part", "is it 'part' at Bodies!A1? then rename that"),
        ("Joints", "body_i", "from", "is it 'from' at Joints!C1? then rename that"),
        ("Joints", "body_j", "child", "is it 'child' at Joints!D1? then rename that"),
        ("Joints", "body_j", "zzz", "add a column headed body_j in row 1"),
        ("Joints", "point", "location", "is it 'location' at Joints!E1? then rename that"),
        ("Drivers", "coordinate", "dof", "is it 'dof' at Drivers!D1? then rename that"),
        ("Guiding", "time", "Zeit [s]", "is it 'Zeit [s]' at Guiding!A1? then write time [s] there"),
    ],
)
def test_a_header_that_is_needed_and_wrong_is_told_once_with_where_it_stands(sheet, header, new, problem, tmp_path):
    book = sound_book()
    rename(book, sheet, header, new)
    told = [each for each in problems_of(book, tmp_path) if each[0] != "unknown-column"]
    assert told == [("missing-column", f"{sheet}!A1", problem)]


def titled(sheet):
    def act(book):
        book[sheet].insert_rows(1)
        book[sheet]["A1"] = "My mechanism"

    return act


@pytest.mark.parametrize("sheet", ["Settings", "Bodies", "Points", "Joints", "Guiding", "Forces", "Springs", "Curves"])
def test_headers_below_a_title_are_told_in_one_line(sheet, tmp_path):
    book = sound_book()
    titled(sheet)(book)
    [(code, cell, mend)] = problems_of(book, tmp_path)
    assert (code, cell) == ("missing-column", f"{sheet}!A1")
    assert mend == "the headers seem to be in row 2: move them to row 1"


def test_a_title_merged_over_the_headers_is_told_in_one_line(tmp_path):
    book = sound_book()
    titled("Bodies")(book)
    book["Bodies"].merge_cells("A1:J1")
    assert [each[:2] for each in problems_of(book, tmp_path)] == [("missing-column", "Bodies!A1")]


@pytest.mark.parametrize("sheet", ["Settings", "Bodies"])
def test_a_sheet_without_headers_is_told_in_one_line(sheet, tmp_path):
    book = sound_book()
    book[sheet].delete_rows(1)
    assert [each[:2] for each in problems_of(book, tmp_path)] == [("no-headers", f"{sheet}!A1")]


def test_a_header_merged_over_two_columns_is_an_error_but_not_over_remarks(tmp_path):
    book = sound_book()
    book["Bodies"].merge_cells("D1:E1")
    assert [each[:2] for each in problems_of(book, tmp_path)] == [("merged-cell", "Bodies!D1")]
    book = sound_book()
    book["Bodies"]["K3"] = "as measured"
    book["Bodies"].merge_cells("J1:K1")
    assert problems_of(book, tmp_path) == []


# units rows


@pytest.mark.parametrize("title", [None, "Einheit", "-", "[-]", "(text)", "unités"])
def test_a_row_of_units_without_its_word_is_read_as_such_with_a_warning(title, tmp_path):
    book = sound_book()
    book["Bodies"]["A2"] = title
    model = read_model(saved(book, tmp_path))
    assert [(each.code, each.cell) for each in model.warnings] == [("units-row", "Bodies!A2")]
    assert model.bodies[0].inertia[2, 2] == pytest.approx(4500e-6)


@pytest.mark.parametrize("title", ["units", "Units:", "[units]", "UNIT"])
def test_the_word_units_may_stand_in_brackets_and_so_may_units(title, tmp_path):
    book = sound_book()
    for cell, unit in zip(("A2", "B2", "C2", "D2"), (title, "[kg]", "(kg*mm^2)", "[mm]"), strict=True):
        book["Bodies"][cell] = unit
    model = read_model(saved(book, tmp_path))
    assert model.warnings == ()
    assert model.bodies[0].position[0] == 0.05


def test_a_named_row_that_holds_only_units_is_told_in_one_line(tmp_path):
    book = sound_book()
    book["Bodies"]["A2"] = "quantity"
    [(code, cell, mend)] = problems_of(book, tmp_path)
    assert (code, cell) == ("units-row", "Bodies!A2")
    assert mend.startswith("write units in its first cell")


def test_a_first_row_of_data_is_no_row_of_units(tmp_path):
    book = sound_book()
    book["Forces"]["D2"], book["Forces"]["E2"] = "t", None
    book["Forces"]["D1"], book["Forces"]["E1"] = "fx", "fy"
    assert problems_of(book, tmp_path) == []
    book = sound_book()
    book["Points"]["C2"] = "0 mm"
    assert problems_of(book, tmp_path) == []


def test_units_of_samples_below_a_blank_cell_are_read_with_a_warning(tmp_path):
    book = sound_book()
    book["Guiding"].insert_rows(2)
    book["Guiding"]["A1"], book["Guiding"]["B1"], book["Guiding"]["B2"] = "time", "ballast.x", "mm"
    model = read_model(saved(book, tmp_path))
    assert [(each.code, each.cell) for each in model.warnings] == [("units-row", "Guiding!A2")]
    assert model.drivers[-1].motion.values[1] == pytest.approx(0.001)


def test_a_column_of_numbers_before_the_names_does_no_harm(tmp_path):
    book = sound_book()
    book["Bodies"].insert_cols(1)
    book["Bodies"]["A1"] = "No."
    for row in range(3, 7):
        book["Bodies"].cell(row, 1).value = row - 2
    assert [each[:2] for each in problems_of(book, tmp_path)] == [("unknown-column", "Bodies!A1")]


def test_a_load_that_cannot_be_read_is_not_missed_again(tmp_path):
    book = sound_book()
    rename(book, "ForceSeries", "slider.fx", "slider.f_x")
    assert problems_of(book, tmp_path) == [("wrong-coordinate", "ForceSeries!B1", "did you mean slider.fx?")]


def test_a_row_without_a_name_is_told_once(tmp_path):
    book = sound_book()
    book["Bodies"]["B8"] = 8.4
    [(code, cell, mend)] = problems_of(book, tmp_path)
    assert (code, cell) == ("missing-value", "Bodies!A8")
    assert "begin it with #" in mend


def test_a_step_longer_than_the_analysis_is_a_warning_and_one_as_long_is_not(tmp_path):
    book = sound_book()
    put(book, "Settings", "t_step", "unit", "s")
    assert [each[:2] for each in problems_of(book, tmp_path)] == [("few-rows", "Settings!B9")]
    put(book, "Settings", "t_step", "value", 2)
    assert problems_of(book, tmp_path) == []


# plane or space


def spatial(path, **settings):
    bodies = [body("crank", y=0.1, z=0.2, wx=3.0), body("rod", z=0.4)]
    joints = [joint("revolute", body_j="crank", **axis(1, 0, 0)), joint("spherical", "crank", "rod", "Q", "k")]
    return space_book(path, settings, Bodies=bodies, Points=[at(), at(0, 0.1, 0.3, "Q")], Joints=joints)


@pytest.mark.parametrize("dimension", ["2D", None])
def test_a_spatial_model_called_planar_is_told_in_one_line(dimension, tmp_path):
    path = spatial(tmp_path / "model.xlsx", dimension=dimension)
    with pytest.raises(WorkbookError) as caught:
        read_model(path)
    [problem] = caught.value.problems
    assert (problem.cell, problem.mend) == ("Settings!B2", "did you mean 3D?")
    assert "spherical" in problem.problem
    assert read_model(spatial(tmp_path / "sound.xlsx")).warnings == ()


def test_other_mistakes_of_a_model_of_the_wrong_dimension_are_told_as_well(tmp_path):
    path = spatial(tmp_path / "model.xlsx", dimension="2D", rtol="fine")
    with pytest.raises(WorkbookError) as caught:
        read_model(path)
    assert {problem.cell for problem in caught.value.problems} == {"Settings!B2", "Settings!B6"}


def test_a_planar_model_called_spatial_is_told_in_one_line(tmp_path):
    book = sound_book()
    put(book, "Settings", "dimension", "value", "3D")
    [(code, cell, mend)] = problems_of(book, tmp_path)
    assert (code, cell, mend) == ("wrong-dimension-of-model", "Settings!B4", "did you mean 2D?")


def test_a_planar_model_with_one_spatial_column_stays_planar(tmp_path):
    book = sound_book()
    book["Points"]["G1"], book["Points"]["G3"] = "z", 5
    assert [each[:2] for each in problems_of(book, tmp_path)] == [("unused-value", "Points!G3")]


# expressions that are too large


def slide(tmp_path, expression, *, position=None, x="x [mm]", analysis="kinematic", span=1.0, **more):
    path = tmp_path / "slide.xlsx"
    driver = {"name": "lift", "joint": "rail", "coordinate": "displacement", "expression": expression}
    driver |= {"position [mm]": None} if position else {}
    space_book(
        path,
        {"dimension": "2D", "analysis": analysis, "t_end": span, "t_step": span / 50},
        Bodies=[{"name": "block", "mass": 1, "inertia": 0.1, x: 100, "y": 0}],
        Points=[{"name": "P", x: 100, "y": 0}, {"name": "Q", x: 400, "y": 0}],
        Joints=[
            {"name": "rail", "type": "translational", "body_i": "ground", "body_j": "block", "point": "P", "axis_x": 1}
        ],
        **({"Drivers": [driver]} if expression else {}),
        **more,
    )
    return path


@pytest.mark.parametrize(
    "expression", ["50*sin(6*t)", "step(t, 0, 0, 1, 60)", "400 + 5*t", "if(t < 0.5, 0, 300*(t - 0.5)^2)"]
)
def test_a_driver_that_is_written_in_millimetres_is_told_that_expressions_are_in_si(expression, tmp_path):
    [problem] = read_model(slide(tmp_path, expression)).warnings
    assert (problem.code, problem.cell) == ("expression-in-si", "Drivers!D2")
    assert "give the column position the unit mm" in problem.mend


@pytest.mark.parametrize(
    ("expression", "options"),
    [
        ("0.05*sin(6*t)", {}),
        ("50*sin(6*t)", {"position": "mm"}),
        ("20*t", {"span": 5.0}),
        ("4*t^2", {"span": 5.0}),
        ("1e-3*exp(t)", {}),
        ("0.3*sin(200*t)", {}),
    ],
)
def test_drivers_of_machines_and_of_vehicles_raise_no_doubt(expression, options, tmp_path):
    assert read_model(slide(tmp_path, expression, **options)).warnings == ()


def test_a_load_that_compares_metres_with_millimetres_is_told_so_after_the_run(tmp_path):
    forces = [{"name": "stop", "body": "block", "fx": "-50*(block.x - 100)"}]
    path = slide(tmp_path, "", analysis="dynamic", Forces=forces)
    results = sheetmbs.run(sheetmbs.read(path))
    found = [problem for problem in results.sheets.problems if problem.code == "expression-in-si"]
    assert found == []  # it is driven away by 5 kN, and so compared with what it reaches
    forces = [{"name": "stop", "body": "block", "fx": "if(block.x > 100.5, -50, 1)"}]
    results = sheetmbs.run(sheetmbs.read(slide(tmp_path, "", analysis="dynamic", Forces=forces)))
    [problem] = [problem for problem in results.sheets.problems if problem.code == "expression-in-si"]
    assert (problem.cell, problem.mend) == ("Forces!C2", "write 0.1005 if 100.5 mm is meant")
    forces = [{"name": "stop", "body": "block", "fx": "if(block.x > 0.1005, -50, 1)"}]
    results = sheetmbs.run(sheetmbs.read(slide(tmp_path, "", analysis="dynamic", Forces=forces)))
    assert not [problem for problem in results.sheets.problems if problem.code == "expression-in-si"]


def test_a_date_is_told_once(tmp_path):
    book = sound_book()
    put(book, "Bodies", "rod", "mass", dt.datetime(2024, 5, 1))  # noqa: DTZ001
    assert [each[:2] for each in problems_of(book, tmp_path)] == [("date-as-number", "Bodies!B4")]


@pytest.mark.parametrize("value", [90, -45, 22.5, 360])
def test_a_round_angle_of_more_than_a_turn_without_a_unit_is_asked_about(value, tmp_path):
    path = spatial(tmp_path / "model.xlsx")
    assert read_model(path).warnings == ()
    path = space_book(path, Bodies=[body(yaw=value)])
    [problem] = read_model(path).warnings
    assert (problem.code, problem.cell) == ("angle-in-rad", "Bodies!F2")
    assert f"write {value:g} deg" in problem.mend


@pytest.mark.parametrize(
    "column", [{"yaw [deg]": 90}, {"yaw [rad]": 90}, {"yaw": 1.5}, {"yaw": 62.831853071795862}, {"yaw": "90 deg"}]
)
def test_angles_with_a_unit_and_those_a_motion_ended_with_are_not(column, tmp_path):
    assert read_model(space_book(tmp_path / "model.xlsx", Bodies=[body(**column)])).warnings == ()


@pytest.mark.parametrize(
    ("row", "told"),
    [
        ({"shape": "rod", "mass": 1}, ("missing-value", "Bodies!A2")),
        ({"shape": "solid", "mass": 1, "length": 1}, ("unknown-value", "Bodies!B2")),
        ({"mass": 1, "ixx": 0.1, "izz": 0.1}, ("missing-column", "Bodies!A1")),
    ],
)
def test_what_follows_from_a_wrong_cell_of_a_body_is_not_told_as_well(row, told, tmp_path):
    with pytest.raises(WorkbookError) as caught:
        read_model(space_book(tmp_path / "model.xlsx", Bodies=[{"name": "b"} | row]))
    assert [(problem.code, problem.cell) for problem in caught.value.problems] == [told]


@pytest.mark.parametrize(
    ("expression", "told"),
    [
        *(("2*pi*t", True), ("pi/6*sin(t)", True), ("step(t, 0, 0, 1, pi/2)", True), ("-(pi/4) + t", True)),
        *(("30*sin(2*pi*t)", False), ("360*t", False), ("180/pi*0.5*sin(t)", False), ("(pi/6)*180/pi", False)),
    ],
)
def test_radians_in_a_column_of_degrees_are_asked_about(expression, told, tmp_path):
    driver = {"name": "d", "joint": "j", "coordinate": "angle", "position [deg]": None, "expression": expression}
    joints = [joint("revolute", **axis(0, 0, 1))]
    path = space_book(tmp_path / "m.xlsx", Bodies=[body()], Points=[at()], Joints=joints, Drivers=[driver])
    assert [(each.code, each.cell) for each in read_model(path).warnings] == [
        ("expression-in-deg", "Drivers!E2")
    ] * told
    del driver["position [deg]"]
    path = space_book(tmp_path / "m.xlsx", Bodies=[body()], Points=[at()], Joints=joints, Drivers=[driver])
    assert read_model(path).warnings == ()


def test_a_row_of_units_that_stands_too_low_is_told_once(tmp_path):
    for sheet in ("Bodies", "ForceSeries"):
        book = sound_book()
        book[sheet].insert_rows(2)
        assert [each[:2] for each in problems_of(book, tmp_path)] == [("units-row", f"{sheet}!A3")]


def test_a_joint_without_an_angle_is_not_told_to_turn_a_body(tmp_path):
    book = sound_book()
    cell = put(book, "Drivers", "motor", "joint", "link").replace("C", "D")
    assert problems_of(book, tmp_path) == [("wrong-coordinate", cell, "write distance")]
