"""Beams in workbooks: what is read, what is written, and what is refused at which cell."""

import numpy as np
import pytest

import sheetmbs
from sheetmbs.problems.errors import WorkbookError
from tests.support.beam_books import saved_tables

SETTINGS = [["setting", "value"], ["format", 1], ["dimension", "2D"], ["t_end", 0.2], ["t_step", 0.01]]
BEAM = {"name": "arm", "length [mm]": 1200, "EI [N*m^2]": 20, "mass_per_length": 0.8}
POINTS = [
    ["name", "body", "x", "y", "frame", "report"],
    ["pivot", None, 0, 0],
    ["tip", "arm", 1.2, 0, "body", "yes"],
    ["hook", None, 0.6, 0],
]


def book(tmp_path, beams, bodies=None, **sheets):
    tables = {
        "Settings": SETTINGS,
        "Bodies": bodies,
        "Beams": [list(beams[0]), *(list(beam.values()) for beam in beams)],
        "Points": POINTS,
        "Joints": [["name", "type", "body_i", "body_j", "point"], ["pin", "revolute", "ground", "arm", "pivot"]],
    } | sheets
    return saved_tables(tmp_path / "beam.xlsx", tables)


def codes(path):
    with pytest.raises(WorkbookError) as error:
        sheetmbs.read(path)
    return [(problem.code, problem.cell) for problem in error.value.problems if problem.severity == "error"]


def test_a_beam_is_read_with_its_units_and_defaults(tmp_path):
    (arm,) = sheetmbs.read(book(tmp_path, [BEAM])).bodies
    assert (arm.length, arm.bending_stiffness, arm.mass_per_length, arm.mass) == (1.2, 20.0, 0.8, pytest.approx(0.96))
    assert (arm.modes, arm.ends, arm.damping, arm.axial_stiffness) == (2, "clamped-free", 0.0, None)


def test_results_have_the_columns_of_beams(tmp_path):
    result = sheetmbs.run(sheetmbs.read(book(tmp_path, [BEAM | {"EA [kN]": 100, "ends": "pinned-pinned"}])))
    motion = ["x", "y", "phi", "vx", "vy", "omega", "ax", "ay", "alpha", "q1", "q2", "q3", "q4", "deflection"]
    assert [name for name in result.bodies.columns if name.startswith("arm.")] == [f"arm.{name}" for name in motion]
    columns = ["x", "y", "vx", "vy", "ax", "ay", "moment", "shear", "axial"]
    assert [name for name in result.points.columns if name.startswith("tip.")] == [f"tip.{name}" for name in columns]
    assert result.summary["degrees of freedom"] == 5
    assert result.summary["accuracy check"] == "passed"
    assert "pin.j.m_com" in result.joints


def test_the_moment_about_the_centre_of_mass_is_that_of_the_pin_at_the_end(tmp_path):
    result = sheetmbs.run(sheetmbs.read(book(tmp_path, [BEAM])))
    joints, bodies = result.joints, result.bodies
    start = {name: joints[f"pin.j.{name}"][0] for name in ("fx", "fy", "m_com")}
    assert start["m_com"] == pytest.approx(-0.6 * start["fy"], rel=1e-9)
    assert np.abs(bodies["arm.x"]).max() < 1e-9


def test_a_model_needs_no_sheet_of_rigid_bodies_beside_beams(tmp_path):
    assert sheetmbs.run(sheetmbs.read(book(tmp_path, [BEAM]))).summary["bodies"] == 1


def test_the_ways_to_name_a_place_on_a_beam_agree(tmp_path):
    spring = ["name", "body_i", "body_j", "k", "length0"]
    by_point = [[*spring, "point_i", "point_j"], ["s", "ground", "arm", 50, 0.2, "anchor", "middle"]]
    by_place = [[*spring, "xi_i", "eta_i", "xi_j", "eta_j"], ["s", "ground", "arm", 50, 0.2, 0.6, 0.5, 0.6, 0]]
    points = [*POINTS, ["anchor", None, 0.6, 0.5], ["middle", "arm", 0.6, 0]]
    one, two = (
        sheetmbs.run(sheetmbs.read(book(tmp_path, [BEAM], Points=points, Springs=rows)))
        for rows in (by_point, by_place)
    )
    assert np.abs(one.bodies["arm.deflection"] - two.bodies["arm.deflection"]).max() == 0.0
    assert np.abs(one.bodies["arm.deflection"]).max() > 1e-4


def test_forces_formulas_drivers_and_guiding_may_name_beams(tmp_path):
    forces = [["name", "body", "fy"], ["lift", "arm", "20 - 3*arm.vy - 40*tip.y"]]
    drivers = [["name", "body", "coordinate", "expression"], ["turn", "arm", "phi", "0.5*t^2"]]
    guiding = [["time", "arm.phi"], *([t / 10, 0.005 * t * t] for t in range(5))]
    for sheets in ({"Drivers": drivers}, {"Guiding": guiding}):
        result = sheetmbs.run(
            sheetmbs.read(book(tmp_path, [BEAM | {"ends": "pinned-pinned"}], Forces=forces, **sheets))
        )
        t = result.bodies["time"]
        assert np.abs(result.bodies["arm.phi"] - 0.5 * t**2).max() < 1e-3
        assert np.abs(result.bodies["arm.deflection"]).max() > 1e-4


@pytest.mark.parametrize(
    ("change", "code", "cell"),
    [
        ({"length [mm]": 0}, "not-positive", "Beams!B2"),
        ({"EI [N*m^2]": -1}, "not-positive", "Beams!C2"),
        ({"EI [N*m^2]": None}, "missing-value", "Beams!C2"),
        ({"EI [N*m^2]": "5 N/m"}, "wrong-dimension", "Beams!C2"),
        ({"modes": 2.5}, "out-of-range", "Beams!E2"),
        ({"modes": 11}, "out-of-range", "Beams!E2"),
        ({"ends": "free"}, "unknown-choice", "Beams!E2"),
        ({"damping": -0.1}, "negative", "Beams!E2"),
        ({"name": "ground"}, "reserved-name", "Beams!A2"),
    ],
)
def test_a_wrong_value_is_an_error_at_its_cell(tmp_path, change, code, cell):
    found = codes(book(tmp_path, [BEAM | change]))
    assert cell in {where for _code, where in found}
    assert any(what == code for what, where in found if where == cell) or code in {"unknown-choice", "reserved-name"}


def test_bodies_and_beams_share_their_names(tmp_path):
    bodies = [["name", "mass", "inertia"], ["Arm", 1, 1]]
    assert ("duplicate-name", "Beams!A2") in codes(book(tmp_path, [BEAM], bodies))


def test_a_misspelt_body_is_found_where_all_bodies_are_beams(tmp_path):
    joints = [["name", "type", "body_i", "body_j", "point"], ["pin", "revolute", "ground", "amr", "pivot"]]
    assert codes(book(tmp_path, [BEAM], Joints=joints)) == [("unknown-body", "Joints!D2")]


@pytest.mark.parametrize("bodies", [None, [["name", "mass", "inertia"], ["wheel", 1, 1]]])
def test_a_text_of_mass_properties_for_a_beam_is_refused(tmp_path, bodies):
    text = {"Mass properties": [["arm"], ["Mass = 3 kilograms"]]}
    assert ("text-of-beam", "Mass properties!A1") in codes(book(tmp_path, [BEAM], bodies, **text))


def test_beams_are_for_planar_models(tmp_path):
    settings = [row if row[0] != "dimension" else ["dimension", "3D"] for row in SETTINGS]
    assert "planar-only" in {code for code, _cell in codes(book(tmp_path, [BEAM], Settings=settings))}


def test_a_measured_load_that_moves_along_a_beam_is_refused(tmp_path):
    series = [["time", "arm.fy", "arm.xi"], [0, 1, 0.1], [0.2, 1, 0.2]]
    assert ("moving-load-on-beam", "ForceSeries!C1") in codes(book(tmp_path, [BEAM], ForceSeries=series))


def test_a_measured_load_without_a_point_acts_in_the_middle(tmp_path):
    series = [["time", "arm.fy"], [0, 5], [0.1, 5], [0.2, 5]]
    forces = [["name", "body", "point", "fy"], ["push", "arm", "hook", 5]]
    measured, given = (
        sheetmbs.run(sheetmbs.read(book(tmp_path, [BEAM], **sheets)))
        for sheets in ({"ForceSeries": series}, {"Forces": forces})
    )
    assert np.abs(measured.bodies["arm.deflection"] - given.bodies["arm.deflection"]).max() < 1e-9


def test_an_analysis_of_prescribed_motion_is_refused_at_the_beam(tmp_path):
    with pytest.raises(WorkbookError, match="arm can bend") as error:
        sheetmbs.run(sheetmbs.read(book(tmp_path, [BEAM]), analysis="kinematic"))
    assert error.value.problems[0].cell == "Beams!A2"
