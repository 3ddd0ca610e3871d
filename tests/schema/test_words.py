"""The words that others use, in sheets, headers and cells: each is understood, or answered with the word that is meant."""

import pytest

from sheetmbs.problems.errors import WorkbookError
from sheetmbs.schema import input_columns, meanings
from sheetmbs.schema.column import ColumnKind
from sheetmbs.schema.settings import ANALYSES, SETTINGS
from sheetmbs.schema.synonyms import COLUMNS, VALUES, inverted, squashed
from sheetmbs.workbook.reading.read_workbook import read_model
from tests.schema.planar_words import problems_of, rename
from tests.support.planar_books import put, saved, sound_book
from tests.support.spatial_books import at, body, joint, space_book

PLANAR = ("revolute", "translational", "fixed", "distance", "coordinate", "gear", "rack-and-pinion")
SPATIAL = (
    *PLANAR,
    *("spherical", "universal", "cylindrical", "planar", "revolute-cylindrical", "spherical-cylindrical"),
    *("point-on-plane", "perpendicular", "parallel", "constant-velocity", "screw", "wheel-on-road"),
)


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
