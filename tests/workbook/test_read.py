"""What a sound workbook becomes: a model in SI with exact names and markers, and warnings where something may be meant."""

import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from openpyxl.styles import Font

from sheetmbs.model.model import Formula, OfCurve, Quadratic, Series
from sheetmbs.problems.errors import WorkbookError
from sheetmbs.workbook.reading.read_workbook import read_model
from tests.support.example_books import EXAMPLES
from tests.support.planar_books import column_of, put, row_of, saved, sound_book


@pytest.fixture
def book():
    return sound_book()


@pytest.fixture
def read(tmp_path):
    return lambda book: read_model(saved(book, tmp_path))


def named(elements, name):
    return next(each for each in elements if each.name == name)


def warned(model):
    return [(warning.code, warning.cell) for warning in model.warnings]


def pose(model, body):
    if body == "ground":
        return np.zeros(3), np.eye(3)
    found = named(model.bodies, body)
    phi = found.angles[2]
    turn = np.array([[np.cos(phi), -np.sin(phi), 0], [np.sin(phi), np.cos(phi), 0], [0, 0, 1]])
    return found.position, turn


def globally(model, marker):
    position, turn = pose(model, marker.body)
    return position + turn @ marker.origin, turn @ marker.axes


# --- settings --------------------------------------------------------------------------------------------------------


def test_settings_are_read_in_si_with_their_defaults(book, read):
    model = read(book)
    assert model.settings.gravity == (0.0, -9.81, 0.0)
    assert (model.settings.t_start, model.settings.t_end, model.settings.t_step) == (0.0, 2.0, 0.01)
    assert model.settings.title == "crank with everything"
    assert model.settings.integrator == "auto"
    assert model.settings.cells["t_end"] == "Settings!B8"


def test_later_methods_are_known_words(book, read):
    for row in (["integrator", "Generalized Alpha"], ["formulation", "index_3"], ["initial conditions", "GIVEN"]):
        book["Settings"].append(row)
    model = read(book)
    assert model.settings.integrator == "generalized-alpha"
    assert model.settings.formulation == "index-3"
    assert model.settings.initial_conditions == "given"


def test_an_equilibrium_needs_no_times(book, read):
    put(book, "Settings", "analysis", "value", "equilibrium")
    book["Settings"].delete_rows(row_of(book, "Settings", "t_end"), 2)
    assert read(book).settings.t_end is None


def test_a_kinematic_analysis_needs_no_masses(book, read):
    put(book, "Settings", "analysis", "value", "kinematic")
    put(book, "Bodies", "rod", "mass", None)
    book["Bodies"].delete_cols(column_of(book, "Bodies", "inertia"))
    rod = named(read(book).bodies, "rod")
    assert rod.mass is None
    assert rod.inertia is None


def test_another_analysis_can_be_asked_for_and_decides_about_masses(book, tmp_path):
    put(book, "Bodies", "rod", "mass", None)
    path = saved(book, tmp_path)
    assert read_model(path, "kinematic").settings.analysis == "kinematic"
    with pytest.raises(WorkbookError, match="Bodies!B4"):
        read_model(path, "inverse dynamic")
    with pytest.raises(WorkbookError, match="did you mean kinematic"):
        read_model(path, "kinematik")


def test_a_report_step_sets_the_rows_and_leaves_the_step_of_the_method(book, tmp_path):
    path = saved(book, tmp_path)
    settings = read_model(path, report_step=0.05).settings
    assert (settings.row_step, settings.t_step) == (0.05, 0.01)
    assert read_model(path).settings.row_step == 0.01
    book["Settings"].delete_rows(row_of(book, "Settings", "t_step"))
    assert read_model(saved(book, tmp_path), report_step=0.05).settings.t_step == 0.05


@pytest.mark.parametrize("step", [0.0, -0.1, float("nan"), float("inf")])
def test_a_report_step_is_a_time(book, tmp_path, step):
    with pytest.raises(WorkbookError, match="give seconds greater than 0"):
        read_model(saved(book, tmp_path), report_step=step)


def test_a_report_step_that_gives_too_many_rows_is_refused_and_one_without_effect_is_said(book, tmp_path):
    path = saved(book, tmp_path)
    with pytest.raises(WorkbookError, match="a row every 1e-07 s gives 20,000,000 rows"):
        read_model(path, report_step=1e-7)
    assert ("unused-value", "Settings") in warned(read_model(path, "equilibrium", report_step=0.1))


# --- units -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("header", "units_row", "cell"),
    [
        ("x [mm]", None, 125),
        ("x", "mm", 125),
        ("X [ mm ]", "mm", 125),
        ("x [m]", None, 0.125),
        ("x", None, 0.125),
        ("x [-]", "-", 0.125),
        ("x [m]", None, "125 mm"),
        ("x", "deg", None),
        ("x [in]", "mm", None),
        ("x", "ft", "125mm"),
    ],
)
def test_a_unit_may_stand_in_the_header_the_units_row_or_the_cell(book, read, header, units_row, cell):
    sheet, column = book["Bodies"], column_of(book, "Bodies", "x")
    sheet.cell(1, column).value = header
    sheet.cell(2, column).value = units_row
    for row in range(3, 7):
        sheet.cell(row, column).value = 0
    put(book, "Bodies", "rod", "X" if header[0] == "X" else "x", cell)
    if cell is None:
        with pytest.raises(WorkbookError, match=r"Bodies!D2"):
            read(book)
    else:
        assert named(read(book).bodies, "rod").position[0] == 0.125


def test_blank_units_are_si_throughout(book, read):
    model = read(book)
    plain = sound_book()
    for sheet in ("Bodies", "ForceSeries"):
        for cell in plain[sheet][2][1:]:
            cell.value = None
    assert named(read(plain).bodies, "crank").inertia[2, 2] == 4500
    assert named(model.bodies, "crank").inertia[2, 2] == 0.0045


def test_results_are_shown_in_the_units_of_x_and_phi(book, read):
    model = read(book)
    assert model.display.length == ("mm", 0.001)
    assert model.display.angle[0] == "deg"
    assert model.display.angle[1] * 180 == pytest.approx(np.pi)
    for cell in book["Bodies"][2][1:]:
        cell.value = None
    assert read(book).display.length == ("m", 1.0)


def test_the_column_unit_serves_the_rows_whose_dimension_it_fits(book, read):
    model = read(book)
    assert named(model.springs, "buffer").values["k"] == 2500.0
    assert named(model.springs, "clock").values["k"] == 3.0
    assert named(model.springs, "clock").values["force"] == 0.5


def test_an_expression_is_in_the_unit_of_position(book, read):
    put(book, "Drivers", "motor", "velocity", None)
    put(book, "Drivers", "motor", "expression", "360*t")
    book["Drivers"].cell(1, column_of(book, "Drivers", "position")).value = "position [deg]"
    motion = read(book).drivers[0].motion
    assert isinstance(motion, Formula)
    assert motion.scale == pytest.approx(2 * np.pi / 360)
    assert motion.cell == "Drivers!H2"


def test_an_expression_is_refused_where_the_unit_of_position_does_not_fit(book, read):
    put(book, "Drivers", "motor", "velocity", None)
    put(book, "Drivers", "motor", "expression", "360*t")
    book["Drivers"].cell(1, column_of(book, "Drivers", "position")).value = "position [mm]"
    with pytest.raises(WorkbookError, match=r"unit-needed  Drivers!H2"):
        read(book)


@given(size=st.sampled_from([("mm", 1000.0), ("cm", 100.0), ("m", 1.0)]), x=st.integers(-5000, 5000))
@settings(max_examples=20, deadline=None)
def test_the_same_length_in_any_unit_is_the_same_model(tmp_path_factory, size, x):
    unit, per_metre = size
    book = sound_book()
    put(book, "Points", "stop", "x", f"{(2000 + x / 10) * per_metre / 1000!r} {unit}")
    model = read_model(saved(book, tmp_path_factory.mktemp("book")))
    assert named(model.points, "stop").marker.origin[0] == pytest.approx((2000 + x / 10) / 1000, rel=1e-14)


# --- rows ------------------------------------------------------------------------------------------------------------


def test_comments_blank_rows_and_rows_switched_off_do_not_count(book, read):
    points = book["Points"]
    points["G1"], points["H1"] = "active", "notes"
    points.append(["# measured on Monday", "nobody", "1,5"])
    points.append([])
    points.append(["spare", "nobody", "#REF!", None, None, None, "no"])
    points.append([None, None, None, None, None, None, None, "a remark"])
    points.append(["last", None, 7, 8, None, None, True])
    model = read(book)
    assert [point.name for point in model.points][-2:] == ["anchor", "last"]
    assert named(model.points, "last").cell == "Points!A13"
    assert warned(model) == []


def test_formatted_blanks_do_not_count(book, read):
    for row in range(10, 40):
        for column in range(1, 6):
            book["Joints"].cell(row, column).font = Font(bold=True)
    assert len(read(book).joints) == 6


def test_columns_may_stand_in_any_order(book, read, tmp_path):
    expected = read_model(saved(book, tmp_path, "as it is.xlsx"))
    sheet = book["Points"]
    rows = [[cell.value for cell in row] for row in sheet.iter_rows()]
    for row, values in enumerate(rows, 1):
        # a comment stands in the first cell, so a body's name may do so as well
        for column, value in enumerate([*values[2:], *values[:2]], 1):
            sheet.cell(row, column).value = value
    model = read(book)
    assert [point.name for point in model.points] == [point.name for point in expected.points]
    assert all(
        np.array_equal(one.marker.origin, other.marker.origin)
        for one, other in zip(model.points, expected.points, strict=True)
    )


def test_references_are_resolved_to_the_exact_name(book, read):
    put(book, "Drivers", "motor", "joint", " HINGE ")
    put(book, "Joints", "link", "body_j", "Ballast")
    book["Guiding"]["B1"] = "BALLAST.X [mm]"
    model = read(book)
    assert model.drivers[0].joint == "hinge"
    assert named(model.joints, "link").j.body == "ballast"
    assert model.drivers[1].body == "ballast"


def test_whole_numbers_are_names_too(book, read):
    book["Points"].append([1, None, 0, 0])
    put(book, "Joints", "hinge", "point", 1)
    assert named(read(book).points, "1").cell == "Points!A9"


def test_yes_and_no_may_be_booleans(book, read):
    model = read(book)
    assert [point.report for point in model.points] == [False, True, True, False, False, False, False]


def test_sheets_of_our_own_and_of_the_user_are_ignored(book, read):
    book.create_sheet("mbs Bodies").append(["time", "#REF!"])
    book.create_sheet("Calculations").append(["=1/0"])
    assert warned(read(book)) == []


# --- elements --------------------------------------------------------------------------------------------------------


def test_a_point_is_the_same_in_both_frames(book, read):
    turned = named(read(book).points, "anchor").marker
    assert turned.origin == pytest.approx([0.1, 0.0, 0.0], abs=1e-15)
    put(book, "Points", "anchor", "x", 100)
    put(book, "Points", "anchor", "y", 0)
    put(book, "Points", "anchor", "frame", "body")
    assert named(read(book).points, "anchor").marker.origin == pytest.approx([0.1, 0.0, 0.0], abs=1e-15)


def test_markers_of_every_joint_coincide_in_the_initial_configuration(book, read):
    model = read(book)
    for joint in model.joints:
        (place_i, axes_i), (place_j, axes_j) = globally(model, joint.i), globally(model, joint.j)
        assert axes_i == pytest.approx(axes_j, abs=1e-15), joint.name
        assert np.linalg.det(axes_i) == pytest.approx(1.0)
        if joint.type in ("revolute", "translational"):
            assert place_i == pytest.approx(place_j, abs=1e-15), joint.name


SLIDES = {
    "global": {"point": "wrist", "axis_x": 3, "axis_y": 4},
    "towards a point": {"point": "wrist", "axis_point": "far"},
    "second point of body i": {"xi_i": 0.4, "eta_i": 0, "xi_j": 0, "eta_j": 0, "xi2_i": 0.7, "eta2_i": 0.4},
    "body axes": {"point": "wrist", "axis_i_xi": 0.3, "axis_i_eta": 0.4, "axis_j_xi": 6, "axis_j_eta": 8},
}


@pytest.mark.parametrize("columns", SLIDES.values(), ids=SLIDES)
def test_all_ways_to_give_a_direction_give_the_same_slide(book, read, columns):
    book["Points"].append(["far", None, 700, 400])
    sheet = book["Joints"]
    row = row_of(book, "Joints", "guide")
    for column in range(5, 13):
        sheet.cell(row, column).value = None
    for name, value in columns.items():
        headers = [cell.value for cell in sheet[1]]
        if name not in headers:
            sheet.cell(1, len(headers) + 1).value = name
        put(book, "Joints", "guide", name, value)
    model = read(book)
    guide = named(model.joints, "guide")
    for marker in (guide.i, guide.j):
        place, axes = globally(model, marker)
        assert place == pytest.approx([0.4, 0, 0], abs=1e-15)
        assert axes[:, 2] == pytest.approx([0.6, 0.8, 0], abs=1e-15)
        assert axes[:, 1] == pytest.approx([0, 0, 1], abs=1e-15)
    assert warned(model) == []


def test_body_axes_that_do_not_agree_are_kept_as_given(book, read):
    sheet = book["Joints"]
    for column, name in enumerate(("axis_i_xi", "axis_i_eta", "axis_j_xi", "axis_j_eta"), 13):
        sheet.cell(1, column).value = name
    for name, value in {"axis_x": None, "axis_y": None, "axis_i_xi": 1, "axis_j_xi": -1, "axis_j_eta": 0.1}.items():
        put(book, "Joints", "guide", name, value)
    guide = named(read(book).joints, "guide")
    assert guide.i.axes[:, 2] == pytest.approx([1, 0, 0])
    assert guide.j.axes[:, 2] == pytest.approx(np.array([-1, 0.1, 0]) / np.hypot(1, 0.1))
    assert abs(guide.i.axes[:, 0] @ guide.j.axes[:, 0]) > 0.9


def test_a_length_or_value_is_given_or_the_initial_one(book, read):
    assert named(read(book).joints, "link").values == {}
    put(book, "Joints", "link", "length", "200 mm")
    put(book, "Joints", "level", "value", None)
    model = read(book)
    assert named(model.joints, "link").values == {"length": 0.2}
    assert named(model.joints, "level").values == {}
    assert named(model.joints, "level").coordinate == "phi"


def test_drivers_are_read_with_each_kind_of_motion(book, read):
    rows = [
        ["a", "rod", None, "phi", "30 deg", "10 deg/s", "2 rad/s^2"],
        ["b", "rod", None, "x", None, None, None, "0.1*sin(2*pi*t)"],
        ["c", "crank", None, "y", None, None, None, None, "path"],
    ]
    for row in rows:
        book["Drivers"].append(row)
    for column, values in enumerate((["path.x [s]", 0, 2], ["path.y [mm]", 5, 6]), 6):
        for row, value in enumerate(values, 1):
            book["Curves"].cell(row, column).value = value
    by_name = {driver.name: driver for driver in read(book).drivers}
    assert by_name["a"].motion == Quadratic(pytest.approx(np.pi / 6), pytest.approx(np.pi / 18), 2.0)
    assert isinstance(by_name["b"].motion, Formula)
    assert by_name["c"].motion == OfCurve("path")
    guided = by_name["ballast.x"]
    assert guided.guiding
    assert isinstance(guided.motion, Series)
    assert list(guided.motion.times) == [0, 0.5, 1.25, 2]
    assert list(guided.motion.values) == [0, 0.001, 0.003, 0]


def test_a_joint_may_be_guided(book, read):
    book["Drivers"].delete_rows(2)
    book["Guiding"]["B1"] = "hinge.angle [deg]"
    driver = read(book).drivers[0]
    assert (driver.body, driver.joint, driver.coordinate, driver.cell) == (None, "hinge", "angle", "Guiding!B1")


def test_forces_are_numbers_or_expressions_of_motion(book, read):
    model = read(book)
    push, pulse = model.forces
    assert isinstance(push.force[0], Formula)
    assert push.force[0].expression.variables == ("slider.vx",)
    assert push.marker.origin == pytest.approx([0.1, 0, 0])
    assert pulse.force == (0.0, -15.0, 0.0)
    assert pulse.curve == "ramp"
    assert pulse.marker.origin == pytest.approx([0, 0, 0])


def test_motion_columns_have_exact_names_however_they_are_written(book, read):
    put(book, "Forces", "push", "fx", "SLIDER.VX + 'Pin'.x + slider.vx")
    assert read(book).forces[0].force[0].expression.variables == ("slider.vx", "pin.x")


def test_a_name_of_a_body_and_a_point_in_an_expression_is_named(book, read):
    book["Points"].append(["slider", "ground", 0, 0])
    assert warned(read(book)) == [("ambiguous-name", "Forces!D2")]


def test_the_unit_of_a_force_column_is_that_of_its_expressions(book, read):
    book["Forces"]["D1"] = "fx [kN]"
    assert read(book).forces[0].force[0].scale == 1000.0


def test_measured_forces_are_read_per_body(book, read):
    (series,) = read(book).force_series
    assert series.body == "slider"
    assert series.point_frame == "global"
    assert series.point[:, 0] == pytest.approx([0.5, 0.51, 0.5])
    assert list(series.force[:, 0]) == [0, 12, 0]
    book["ForceSeries"].delete_cols(3, 2)
    assert read(book).force_series[0].point_frame == "centre"


def test_curves_may_differ_in_length_and_unit(book, read):
    ramp, hard = read(book).curves
    assert list(ramp.x) == [0, 0.5, 2]
    assert ramp.interpolation == "linear"
    assert list(hard.x) == [-0.005, 0, 0.002, 0.005]
    assert list(hard.y) == [-100, 0, 50, 300]
    assert hard.interpolation == "cubic"
    assert hard.cell == "Curves!C2"


def test_curves_may_have_a_units_row(book, read):
    sheet = book["Curves"]
    sheet.insert_rows(2)
    for column, (header, unit) in enumerate(
        (("ramp.x", "ms"), ("ramp.y", None), ("hard.x", "cm"), ("hard.y", "kN")), 1
    ):
        sheet.cell(1, column).value = header
        sheet.cell(2, column).value = unit
    sheet["A5"] = 2000
    ramp, hard = read(book).curves
    assert ramp.x[-1] == 2.0
    assert hard.x[0] == -0.05
    assert hard.y[-1] == 300e3
    assert hard.interpolation == "cubic"


def test_charts_are_split_at_semicolons(book, read):
    assert read(book).charts[0].y == ("slider.x", "crank.x")


# --- warnings --------------------------------------------------------------------------------------------------------


def test_a_near_miss_of_a_sheet_is_named(book, read):
    book.create_sheet("Joint").append(["name"])
    model = read(book)
    assert warned(model) == [("near-miss-sheet", "Joint")]
    assert "Joints" in model.warnings[0].mend


def test_an_unknown_column_is_named_with_the_nearest(book, read):
    book["Bodies"].cell(1, 10).value = "omga"
    model = read(book)
    assert warned(model) == [("unknown-column", "Bodies!J1")]
    assert "omega" in model.warnings[0].mend


def test_a_unit_in_parentheses_counts_and_is_named(book, read):
    book["Points"].cell(1, 3).value = "x (mm)"
    model = read(book)
    assert warned(model) == [("unit-in-parentheses", "Points!C1")]
    assert named(model.points, "stop").marker.origin[0] == 0.6


def test_a_value_that_its_row_does_not_use_is_named(book, read):
    put(book, "Joints", "hinge", "length", 5)
    book["Points"]["G1"], book["Points"]["G3"], book["Points"]["G4"] = "z", 0, 4
    assert warned(read(book)) == [("unused-value", "Points!G4"), ("unused-value", "Joints!J2")]


def test_data_without_a_header_are_named_once_per_column(book, read):
    book["Points"]["I3"], book["Points"]["I4"] = 1, 2
    assert warned(read(book)) == [("no-header", "Points!I3")]


def test_a_hidden_sheet_counts_and_is_named(book, read):
    book["Forces"].sheet_state = "hidden"
    model = read(book)
    assert warned(model) == [("hidden-sheet", "Forces")]
    assert len(model.forces) == 2


def test_a_blank_position_of_a_driver_is_named_where_the_body_starts_elsewhere(book, read):
    book["Drivers"].append(["a", "rod", None, "x", None, 1])
    book["Drivers"].append(["b", "rod", None, "phi", None, 1])
    assert warned(read(book)) == [("blank-position", "Drivers!E3")]


def test_warnings_come_with_the_errors(book, read):
    book.create_sheet("Joint").append(["name"])
    put(book, "Bodies", "rod", "mass", -1)
    with pytest.raises(WorkbookError) as caught:
        read(book)
    assert [(problem.severity, problem.cell) for problem in caught.value.problems] == [
        ("error", "Bodies!B4"),
        ("warning", "Joint"),
    ]


# --- the whole -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_the_example_workbooks_are_read_without_a_warning(path):
    model = read_model(path)
    assert model.bodies
    assert model.warnings == ()
    assert model.source == path


def test_reading_imports_nothing_heavy(book, tmp_path):
    path = saved(book, tmp_path)
    heavy = "{'numba', 'scipy', 'pandas', 'pint', 'openpyxl'}"
    code = f"import sys, sheetmbs; sheetmbs.read({str(path)!r}); print(sorted({heavy} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


CELL = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-(10**6), 10**6),
    st.floats(-1e6, 1e6),
    st.sampled_from(
        ["ground", "crank", "#REF!", "# remark", "1,5", "30 deg", "yes", "units", "t", "hinge", "2 mm", "=1"]
    ),
    st.text(st.characters(min_codepoint=32, max_codepoint=0x2FF), max_size=12),
)


@given(
    st.lists(
        st.tuples(st.sampled_from(sorted(sound_book().sheetnames)), st.integers(1, 9), st.integers(1, 12), CELL),
        min_size=1,
        max_size=6,
    )
)
@settings(max_examples=60, deadline=None)
def test_whatever_stands_in_the_cells_there_is_a_model_or_a_list_of_problems(tmp_path_factory, changes):
    book = sound_book()
    for sheet, row, column, value in changes:
        book[sheet].cell(row, column).value = value
    path = saved(book, tmp_path_factory.mktemp("book"))
    try:
        model = read_model(path)
    except WorkbookError as error:
        assert any(problem.severity == "error" for problem in error.problems)  # noqa: PT017 - either outcome is right
    else:
        numbers = [number for body in model.bodies for number in (*body.position, *body.angles)]
        assert np.all(np.isfinite(numbers))
