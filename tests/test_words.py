"""Ordinary mistakes and the words that answer them: each is told once, at its cell, with what was meant."""

import datetime as dt

import pytest

import sheetmbs
from sheetmbs.problems.errors import WorkbookError
from sheetmbs.schema import input_columns, meanings
from sheetmbs.schema.column import ColumnKind
from sheetmbs.schema.settings import ANALYSES, SETTINGS
from sheetmbs.schema.synonyms import COLUMNS, VALUES, inverted, squashed
from sheetmbs.workbook.reading.read_workbook import read_model
from tests.planar_books import column_of, put, saved, sound_book
from tests.spatial_books import at, axis, body, joint, space_book

PLANAR = ("revolute", "translational", "fixed", "distance", "coordinate", "gear", "rack-and-pinion")
SPATIAL = (
    *PLANAR,
    *("spherical", "universal", "cylindrical", "planar", "revolute-cylindrical", "spherical-cylindrical"),
    *("point-on-plane", "perpendicular", "parallel", "constant-velocity", "screw"),
)


def problems_of(book, tmp_path):
    """All that is said of a workbook, as (code, cell, mend)."""
    try:
        found = read_model(saved(book, tmp_path)).warnings
    except WorkbookError as error:
        found = error.problems
    return [(problem.code, problem.cell, problem.mend) for problem in found]


def rename(book, sheet, header, new):
    book[sheet].cell(1, column_of(book, sheet, header)).value = new


# words


@pytest.mark.parametrize(
    ("word", "meant"),
    [
        *(
            ("modal", "modes"),
            ("eigenfrequencies", "modes"),
            ("natural frequencies", "modes"),
            ("modal analysis", "modes"),
        ),
        *(("static", "equilibrium"), ("quasi-static", "equilibrium"), ("statics", "equilibrium")),
        *(("kinematics", "kinematic"), ("inverse", "inverse dynamic"), ("Inverse Dynamics", "inverse dynamic")),
        *(("transient", "dynamic"), ("forward dynamics", "dynamic"), ("dynamisch", "dynamic"), ("dinamic", "dynamic")),
    ],
)
def test_an_analysis_has_the_names_that_others_give_it(word, meant):
    assert meanings.value_meant(word, ANALYSES) == meant


@pytest.mark.parametrize(
    ("word", "in_plane", "in_space"),
    [
        *(("pin", "revolute", "revolute"), ("hinge", "revolute", "revolute"), ("bolt", "revolute", "revolute")),
        *(("ball", "revolute", "spherical"), ("slider", "translational", "translational")),
        *(("prismatic", "translational", "translational"), ("weld", "fixed", "fixed"), ("rod", "distance", "distance")),
        *(("link", "distance", "distance"), ("universal joint", None, "universal"), ("hooke", None, "universal")),
        *(
            ("Revolute Joint", "revolute", "revolute"),
            ("WeldJoint", "fixed", "fixed"),
            ("PinJoint", "revolute", "revolute"),
        ),
        *(
            ("inline", None, "spherical-cylindrical"),
            ("inplane", None, "point-on-plane"),
            ("convel", None, "constant-velocity"),
        ),
        *(("Drehgelenk", "revolute", "revolute"), ("glissière", "translational", "translational")),
        *(("rackpin", "rack-and-pinion", "rack-and-pinion"), ("coupler", "gear", "gear"), ("helical", None, "screw")),
        ("spherical-spherical", "distance", "distance"),
    ],
)
def test_a_joint_has_the_names_that_others_give_it(word, in_plane, in_space):
    if in_plane is not None:
        assert meanings.value_meant(word, PLANAR) == in_plane
    assert meanings.value_meant(word, SPATIAL) == in_space


@pytest.mark.parametrize(
    ("word", "advice"),
    [
        *(
            ("spring", "sheet Springs"),
            ("motor", "sheet Drivers"),
            ("contact", "sheet Clearances"),
            ("beam", "sheet Beams"),
        ),
        *(("free", "needs no joint"), ("pin in slot", "a light body between"), ("qwertz", "choose one of these")),
    ],
)
def test_what_is_no_joint_is_told_where_it_stands(word, advice):
    assert advice in meanings.value_advice(word, PLANAR)


@pytest.mark.parametrize(
    ("word", "meant"),
    [
        *(("time step", "t_step"), ("dt", "t_step"), ("end time", "t_end"), ("Duration", "t_end"), ("t0", "t_start")),
        *(("solver", "integrator"), ("reltol", "rtol"), ("abstol", "atol"), ("formalism", "formulation")),
        *(("dim", "dimension"), ("analysis type", "analysis"), ("step size", "step"), ("gx", "gravity_x")),
        *(("g", "gravity_y, or gravity_z in space"), ("tol", "rtol for the integrator"), ("model name", "title")),
        *(("units", "column unit"), ("author", "column notes"), ("friction", "at each joint")),
    ],
)
def test_a_setting_has_the_names_that_others_give_it(word, meant):
    assert meant in meanings.setting_advice(word)


@pytest.mark.parametrize(
    ("sheet", "header", "mend"),
    [
        *(("Bodies", "m", "mass"), ("Bodies", "I", "inertia"), ("Bodies", "Trägheitsmoment", "inertia")),
        *(
            ("Bodies", "mass in kg", "mass [kg]"),
            ("Bodies", "mass_kg", "mass [kg]"),
            ("Bodies", "Masse [kg]", "mass [kg]"),
        ),
        *(("Bodies", "theta", "phi"), ("Bodies", "phi_deg", "phi [deg]"), ("Bodies", "phi (deg", "phi [deg]")),
        *(
            ("Bodies", "x_cm [mm]", "x [mm]"),
            ("Bodies", "x mm", "x [mm]"),
            ("Bodies", "cog y", "y"),
            ("Bodies", "x_dot", "vx"),
        ),
        *(("Bodies", "rpm", "omega [rpm]"), ("Joints", "joint type", "type"), ("Joints", "parent", "body_i")),
        *(("Joints", "body2", "body_j"), ("Joints", "location", "point"), ("Springs", "stiffness", "k")),
        *(
            ("Springs", "free length [mm]", "length0 [mm]"),
            ("Springs", "damping", "c"),
            ("Drivers", "rpm", "velocity [rpm]"),
        ),
        *(
            ("Bodies", "mass {kg}", "mass [kg]"),
            ("Bodies", "omega_rad_s", "omega [rad/s]"),
            ("Joints", "Body I Name", "body_i"),
        ),
        *(
            ("Springs", "k_N_mm", "k [N/mm]"),
            ("Bodies", "mass*", "mass"),
            ("Bodies", "phi in degrees", "phi [degrees]"),
        ),
        *(("Forces", "torque", "moment"), ("Forces", "force x", "fx"), ("Settings", "Parameter", "setting")),
    ],
)
def test_a_header_has_the_names_that_others_give_it(sheet, header, mend):
    schema = input_columns.SHEETS_BY_FOLD[sheet.casefold()]
    assert meanings.header_advice(header, schema, "2D", (), "") == f"did you mean {mend}?"


def test_a_header_that_can_be_read_in_two_ways_comes_with_both():
    assert meanings.header_advice("x_cm", input_columns.BODIES, "2D", (), "") == "did you mean x, or x [cm]?"
    assert "frame" in meanings.header_advice("xi", input_columns.POINTS, "2D", (), "")


def test_every_synonym_stands_for_something_that_there_is():
    for sheet, words in COLUMNS.items():
        known = {column.name for column in input_columns.SHEETS_BY_FOLD[sheet.casefold()].columns}
        known |= (
            {"z", "vz", "wx", "wy", "wz"} if sheet == "Beams" else set()
        )  # beams are planar, and have words of bodies
        assert {name for names in inverted(sheet).values() for name in names} <= known, (sheet, words)
    names = {setting.name for setting in SETTINGS} | {"max_step"}
    assert {name for each in inverted("settings").values() for name in each} <= names
    columns = [column for sheet in input_columns.SHEETS for column in sheet.columns if column.kind is ColumnKind.CHOICE]
    choices = {each for column in columns for each in column.choices} | {"yes", "no"}
    choices |= {each for setting in SETTINGS for each in setting.choices}
    assert {name.strip() for name in VALUES} <= choices


def test_no_synonym_is_the_name_of_another_column_or_value():
    for sheet in COLUMNS:
        own = {squashed(column.name): column.name for column in input_columns.SHEETS_BY_FOLD[sheet.casefold()].columns}
        for word in inverted(sheet).keys() & own.keys():
            assert meanings.column_meant(word, input_columns.SHEETS_BY_FOLD[sheet.casefold()], "3D").column.name in (
                own[word],
                *inverted(sheet)[word],
            )


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
    assert mend == "the headers seem to stand in row 2: move them to row 1"


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


# names


@pytest.mark.parametrize("word", ["frame", "world", "Gestell", "gnd", "suelo", "0", "Grund", "grond"])
def test_other_words_for_the_ground_come_with_ours(word, tmp_path):
    book = sound_book()
    cell = put(book, "Joints", "hinge", "body_i", word)
    assert problems_of(book, tmp_path) == [("unknown-body", cell, "did you mean ground?")]


def test_a_body_may_have_a_name_that_others_give_the_ground(tmp_path):
    book = sound_book()
    put(book, "Bodies", "ballast", "name", "frame")
    for cell in ("B7",):
        book["Points"][cell] = "ground"
    book["Points"]["B8"] = "frame"
    book["Joints"]["D6"], book["Joints"]["C7"] = "frame", "frame"
    book["Guiding"]["B1"] = "frame.x [mm]"
    assert problems_of(book, tmp_path) == []


@pytest.mark.parametrize(
    ("sheet", "name", "header", "value", "mend"),
    [
        ("Drivers", "motor", "joint", "crank", "crank is a body (at Bodies!A3); name a joint here"),
        ("Joints", "hinge", "point", "crank", "crank is a body (at Bodies!A3); name a point here"),
        ("Joints", "hinge", "point", "model.crank.pivot", "did you mean pivot?"),
        ("Drivers", "motor", "coordinate", "rotation", "did you mean angle?"),
        ("Drivers", "motor", "coordinate", "displacement", "write angle"),
        ("Drivers", "motor", "coordinate", "x", "write angle"),
        ("Points", "pin", "report", "ja", "did you mean yes?"),
        ("Points", "pin", "report", "FALSCH", "did you mean no?"),
        ("Points", "pin", "frame", "absolute", "did you mean global?"),
        ("Springs", "buffer", "type", "TSDA", "did you mean translational?"),
        ("Springs", "buffer", "type", "bush", "did you mean bushing?"),
        ("Forces", "push", "fx", "-20*slider", "write slider.x or another of x, y, phi, vx, vy, omega"),
        ("Forces", "push", "fx", "20 N*sin(t)", "leave the unit out, expressions have none"),
        ("Forces", "push", "fx", "WURZEL(t)", "write sqrt"),
        ("Settings", "gravity_y", "unit", "g", "did you mean g0?"),
        ("Settings", "t_end", "value", "0,5 s", "write 0.5 s"),
        ("Springs", "buffer", "k", "1 N/MM", "did you mean N/mm?"),
        ("Bodies", "rod", "mass", "2*1.2", "enter it as a formula of your spreadsheet program, or enter its result"),
    ],
)
def test_a_value_that_does_not_do_is_told_once_with_what_was_meant(sheet, name, header, value, mend, tmp_path):
    book = sound_book()
    cell = put(book, sheet, name, header, value)
    assert [each[1:] for each in problems_of(book, tmp_path)] == [(cell, mend)]


@pytest.mark.parametrize(
    ("header", "mend"),
    [
        ("ballast_x [mm]", "did you mean ballast.x?"),
        ("ballast theta", "did you mean ballast.phi?"),
        ("ballast", "write ballast.x, or what else of it is given"),
    ],
)
def test_a_guided_column_without_its_point_comes_with_it(header, mend, tmp_path):
    book = sound_book()
    rename(book, "Guiding", "ballast.x", header)
    assert problems_of(book, tmp_path) == [("unknown-column", "Guiding!B1", mend)]


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
    ("sheets_", "mend"),
    [
        (
            {"Drivers": [{"name": "d", "body": "b", "coordinate": "phi", "velocity": 1}]},
            "drive or guide the angle of its joint",
        ),
        ({"Forces": [{"name": "f", "body": "b", "fx": "-3*VX(b)"}]}, "slider.vx, without a function"),
        ({"Joints": [joint("spherical", axis="z")]}, "axis_x, axis_y and axis_z"),
        ({"Joints": [joint("motor")]}, "sheet Drivers"),
    ],
)
def test_what_others_say_in_another_way_is_told_how_it_is_said_here(sheets_, mend, tmp_path):
    path = space_book(tmp_path / "model.xlsx", Bodies=[body()], Points=[at()], **sheets_)
    try:
        [problem] = read_model(path).warnings
    except WorkbookError as error:
        [problem] = error.problems
    assert mend in problem.mend


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


def test_a_header_that_is_another_word_for_a_column_that_is_there_is_the_users_own():
    assert meanings.header_advice("weight", input_columns.BODIES, "2D", ("mass",), "correct it") == "correct it"


@pytest.mark.parametrize("name", ["t_end [s]", "end time (s)", "duration", "t_edn"])
def test_a_setting_of_another_name_is_not_missed_as_well(name, tmp_path):
    book = sound_book()
    put(book, "Settings", "t_end", "setting", name)
    [(code, cell, mend)] = problems_of(book, tmp_path)
    assert (code, cell) == ("unknown-setting", "Settings!A8")
    assert "did you mean t_end" in mend
    assert ("with s in the column unit" in mend) == name.endswith((")", "]"))


def test_a_word_for_what_blank_means_comes_with_that(tmp_path):
    book = sound_book()
    put(book, "Springs", "buffer", "length0", "free")
    [(_code, _cell, mend)] = problems_of(book, tmp_path)
    assert mend.endswith("blank means the initial one")


def test_a_unit_in_words_is_read_and_an_inch_stays_an_inch(tmp_path):
    book = sound_book()
    rename(book, "Points", "x", "x (in mm)")
    model = read_model(saved(book, tmp_path))
    assert [(each.code, each.mend) for each in model.warnings] == [("unit-in-parentheses", "write x [mm]")]
    assert model.points[1].marker.origin[0] == 0.05
    book = sound_book()
    rename(book, "Forces", "moment", "moment (in lbf)")
    assert [each[0] for each in problems_of(book, tmp_path)] == ["unit-in-parentheses"]


@pytest.mark.parametrize(
    ("renamed", "told"),
    [
        (
            {"ramp.x": "ramp_x [s]"},
            [("missing-column", "Curves!B1", "is it 'ramp_x [s]' at Curves!A1? then rename that")],
        ),
        (
            {"hard.x": "hard.deflection [mm]", "hard.y": "hard.force [N]"},
            [
                ("missing-column", "Curves!E1", "is it 'hard.deflection [mm]' at Curves!C1? then rename that"),
                ("missing-column", "Curves!E1", "is it 'hard.force [N]' at Curves!D1? then rename that"),
            ],
        ),
    ],
)
def test_columns_of_a_curve_have_the_names_that_others_give_them(renamed, told, tmp_path):
    book = sound_book()
    for old, new in renamed.items():
        rename(book, "Curves", old, new)
    assert problems_of(book, tmp_path) == told


def test_each_column_that_a_curve_lacks_is_asked_for_by_its_own_name(tmp_path):
    book = sound_book()
    rename(book, "Curves", "hard.x", "abc")
    rename(book, "Curves", "hard.y", "def")
    told = [each for each in problems_of(book, tmp_path) if each[0] == "missing-column"]
    assert [mend for _code, _cell, mend in told] == ["add a column headed hard.x", "add a column headed hard.y"]


def test_a_row_of_units_that_stands_too_low_is_told_once(tmp_path):
    for sheet in ("Bodies", "ForceSeries"):
        book = sound_book()
        book[sheet].insert_rows(2)
        assert [each[:2] for each in problems_of(book, tmp_path)] == [("units-row", f"{sheet}!A3")]


def test_a_joint_without_an_angle_is_not_told_to_turn_a_body(tmp_path):
    book = sound_book()
    cell = put(book, "Drivers", "motor", "joint", "link").replace("C", "D")
    assert problems_of(book, tmp_path) == [("wrong-coordinate", cell, "write distance")]
