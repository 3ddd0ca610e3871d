"""The sheet Clearances: what it must hold, what is refused and warned of, and what comes back."""

import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import openpyxl
import pytest

import sheetmbs
from sheetmbs.problems.errors import WorkbookError
from sheetmbs.workbook.charts import chartdata
from tests.analysis.test_clearances import reference
from tests.support.excel import chart_parts, edit, save_as_excel
from tests.support.sample_results import read_parts

SETTINGS = {"dimension": "2D", "analysis": "dynamic", "t_end": "1 ms", "t_step": "10 us", "gravity_y": 0}
ROW = {
    "name": "pin", "body_i": "ground", "body_j": "journal", "xi_i": 0, "xi_j": 0, "radius_i": 10, "radius_j": 9.5,
    "law": "lankarani-nikravesh", "friction_i": 0.1, "friction_j": 0.2, "restitution_i": 0.8, "restitution_j": 1,
    "young_i": "207 GPa", "young_j": "30e6 psi", "poisson_i": 0.3, "poisson_j": 0.28,
}  # fmt: skip
PATH = ("path_x", "path_y", "circle_x", "circle_y")
OILED = {"law": "pinkus-sternlicht", "viscosity": "400 mPa*s", "length": 40}


@pytest.fixture
def book(tmp_path):
    """Make a workbook with one journal in a bearing; settings and cells of its row on Clearances replaced, None = blank."""

    def make(settings=None, **cells):
        made = openpyxl.Workbook()
        row = ROW | cells
        sheets = {
            "Settings": [("setting", "value"), *(SETTINGS | (settings or {})).items()],
            "Bodies": [("name", "mass", "inertia", "x [mm]", "vx"), ("journal", 0.14, 1e-5, 0, 1)],
            "Clearances": [tuple(f"{n} [mm]" if n.startswith(("rad", "len")) else n for n in row), tuple(row.values())],
        }
        if (settings or {}).get("dimension") == "3D":
            sheets["Bodies"] = [
                ("name", "mass", "ixx", "iyy", "izz", "vx"), ("journal", 0.14, 1e-5, 1e-5, 1e-5, 1)
            ]  # fmt: skip
        made.remove(made.active)
        for name, rows in sheets.items():
            sheet = made.create_sheet(name)
            for each in rows:
                sheet.append(each)
        path = tmp_path / "book.xlsx"
        made.save(path)
        return path

    return make


def problems(path):
    with pytest.raises(WorkbookError) as refused:
        sheetmbs.read(path)
    return {problem.code: problem for problem in refused.value.problems}


def column_of(problem):
    sheet = list(ROW)
    return sheet[openpyxl.utils.column_index_from_string(problem.cell.split("!")[1].rstrip("0123456789")) - 1]


def test_a_row_is_read_in_si_and_means_of_both_bodies_count(book):
    (joint,) = sheetmbs.read(book()).clearances
    assert (joint.name, joint.law, joint.i.body, joint.j.body) == ("pin", "lankarani-nikravesh", "ground", "journal")
    assert (joint.radius_i, joint.radius_j) == pytest.approx((0.01, 0.0095))
    assert (joint.friction, joint.restitution) == pytest.approx((0.15, 0.9))
    assert joint.young == pytest.approx((207e9, 30e6 * 6894.757293168361))
    assert joint.poisson == (0.3, 0.28)


def test_results_stand_on_mbs_clearances_mbs_impacts_and_mbs_summary(book, tmp_path):
    path = book()
    result = sheetmbs.run(sheetmbs.read(path))
    seen = result.clearances
    forces = ["eccentricity", "penetration", "normal_force", "tangential_force", "contact"]
    assert list(seen.columns) == ["time", *(f"pin.{name}" for name in (*forces, *PATH))]
    assert (seen.attrs["units"]["pin.eccentricity"], seen.attrs["units"]["pin.normal_force"]) == ("mm", "N")
    assert seen["pin.path_x"].iloc[10] == pytest.approx(0.1)
    circle = seen["pin.circle_x"] ** 2 + seen["pin.circle_y"] ** 2
    assert circle.to_numpy() == pytest.approx(0.25)
    assert set(seen["pin.contact"]) == {0.0, 1.0}
    assert ((seen["pin.penetration"] > 0.0) == (seen["pin.contact"] == 1.0)).all()
    assert list(result.impacts.columns) == ["time", "pin.speed", "pin.duration", "pin.largest_force"]
    assert result.impacts["time"].iloc[0] == pytest.approx(reference.GAP)
    assert result.summary["impacts in pin"] == len(result.impacts) == 1
    saved = openpyxl.load_workbook(result.save(tmp_path / "out.xlsx"))
    assert {"mbs Clearances", "mbs Impacts"} <= set(saved.sheetnames)


def test_the_path_of_the_journal_is_drawn_in_the_circle_of_the_clearance(book, tmp_path):
    result = sheetmbs.run(sheetmbs.read(book()))
    saved = openpyxl.load_workbook(result.save(tmp_path / "out.xlsx"))
    header = [cell.value for cell in saved["mbs Clearances"][1]]
    letters = {name: openpyxl.utils.get_column_letter(1 + header.index(f"pin.{name}")) for name in PATH}
    lines = [
        (line.xVal.numRef.f.split("!")[1][1], line.yVal.numRef.f.split("!")[1][1])
        for chart in saved["mbs Charts"]._charts
        for line in chart.series
        if "mbs Clearances" in line.yVal.numRef.f
    ]
    assert (letters["path_x"], letters["path_y"]) in lines
    assert (letters["circle_x"], letters["circle_y"]) in lines


def ranges(path):
    """What the lines of the journal's chart refer to, x and y."""
    [part] = [
        part for part in read_parts(path).values() if b"Path of the journal in pin" in part and b"<c:ser>" in part
    ]
    found = re.findall(r"<c:(xVal|yVal)>.*?<c:f>([^<]*)</c:f>", part.decode())
    return [text.replace("$", "") for _, text in found], part.decode()


@pytest.mark.parametrize("is_restyled", [False, True])
def test_the_circle_follows_the_path_through_a_longer_run(book, tmp_path, is_restyled):
    out = tmp_path / "out.xlsx"
    model = sheetmbs.read(book())
    sheetmbs.run(model).save(out)
    if is_restyled:
        save_as_excel(out)
        name = next(name for name, part in chart_parts(out).items() if b"journal in pin" in read_parts(out)[part])
        edit(out, chart_parts(out)[name], ('val="0072B2"', 'val="AA0000"'))
    longer = replace(sheetmbs.read(out), settings=replace(model.settings, t_end=2e-3))
    sheetmbs.run(longer).save()
    found, xml = ranges(out)
    assert found == [f"'mbs Clearances'!{letter}3:{letter}203" for letter in "GHIJ"]
    assert ("AA0000" in xml) == is_restyled


def test_path_and_circle_are_drawn_whole_where_rows_are_too_many(book, tmp_path, monkeypatch):
    monkeypatch.setattr(chartdata, "MAX_DRAWN_ROWS", 50)
    out = sheetmbs.run(sheetmbs.read(book())).save(tmp_path / "out.xlsx")
    found, _xml = ranges(out)
    shown = openpyxl.load_workbook(out)["mbs Chart Data"]
    names = [[cell.value for cell in column if cell.value is not None] for column in shown.columns]
    drawn = {column[0]: column[2:] for column in names if column[0].startswith("pin.")}
    assert all(text.startswith("'mbs Chart Data'!") for text in found)
    assert {len(drawn[f"pin.{name}"]) for name in PATH} == {35}  # every third of 101 rows and the last
    assert (drawn["pin.circle_x"][0], drawn["pin.circle_x"][-1]) == pytest.approx((0.5, 0.5))


def test_the_example_knocks_when_its_reference_says():
    model = sheetmbs.read(Path(__file__).parents[2] / "workbooks" / "slider-crank-clearance.xlsx")
    result = sheetmbs.run(model)
    expected = reference.slider_crank_impacts(2e-3)
    first = result.impacts[: len(expected)]
    assert np.max(np.abs(first["time"] - expected[:, 0])) < 1e-8
    assert first["wrist pin.speed"].to_numpy() == pytest.approx(expected[:, 1], rel=1e-5)
    assert result.summary["accuracy check"] == "passed"


@pytest.mark.parametrize(
    ("cells", "code", "column"),
    [
        ({"radius_i": 9.5}, "no-clearance", "radius_i"),
        ({"radius_j": 12}, "no-clearance", "radius_i"),
        ({"radius_j": -1}, "not-positive", "radius_j"),
        ({"radius_j": None}, "missing-value", "radius_j"),
        ({"law": "coulomb"}, "unknown-value", "law"),
        ({"law": None}, "missing-value", "law"),
        ({"restitution_j": None}, "missing-value", "restitution_j"),
        ({"restitution_i": None, "restitution_j": None}, "missing-value", "restitution_j"),
        ({"restitution_j": 1.2}, "out-of-range", "restitution_j"),
        ({"friction_i": -0.1}, "out-of-range", "friction_i"),
        ({"friction_j": None}, "missing-value", "friction_j"),
        ({"young_j": None}, "missing-value", "young_j"),
        ({"young_i": 0}, "not-positive", "young_i"),
        ({"young_i": "207 N"}, "wrong-dimension", "young_i"),
        ({"poisson_i": None}, "missing-value", "poisson_i"),
        ({"poisson_i": 0.7}, "out-of-range", "poisson_i"),
        ({"body_j": "ground"}, "same-body", "body_j"),
        ({"law": "pinkus-sternlicht"}, "missing-value", None),
    ],
)
def test_what_a_law_needs_must_be_there_and_make_sense(book, cells, code, column):
    found = problems(book(**cells))
    assert code in found
    if column:
        assert column_of(found[code]) == column
    assert found[code].mend


def test_radii_are_judged_in_the_same_pass_as_an_unknown_law(book):
    assert set(problems(book(law="coulomb", radius_i=9.5))) == {"no-clearance", "unknown-value"}


@pytest.mark.parametrize("cells", [{}, {"law": "hertz", "restitution_i": None, "restitution_j": None}, OILED])
def test_each_kind_of_law_is_read_without_a_word(book, cells):
    assert sheetmbs.read(book(**cells)).warnings == ()


@pytest.mark.parametrize(
    ("cells", "column"),
    [({"law": "hertz"}, "restitution_i"), ({"viscosity": "1 Pa*s"}, "viscosity"), ({"length": 4}, "length")],
)
def test_numbers_that_a_law_does_not_use_are_warned_of(book, cells, column):
    warnings = sheetmbs.read(book(**cells)).warnings
    assert any(warning.code == "unused-value" and column in warning.problem for warning in warnings)


@pytest.mark.parametrize(
    ("settings", "cells", "is_refused"),
    [
        ({"analysis": "kinematic"}, {}, True),
        ({"analysis": "equilibrium"}, OILED, True),
        ({"integrator": "rk4"}, {}, True),
        ({"integrator": "radau"}, OILED, True),
        ({"integrator": "radau"}, OILED | {"restitution_i": 1, "restitution_j": 1}, False),
        ({"integrator": "dopri5"}, {}, False),
    ],
)
def test_analyses_and_integrators_that_cannot_follow_contacts_are_refused_while_reading(
    book, settings, cells, is_refused
):
    path = book(settings, **cells)
    if is_refused:
        assert problems(path)["not-with-clearance"].cell == "Clearances!A2"
    else:
        sheetmbs.read(path)


def test_friction_must_have_room_to_grow(book):
    assert problems(book({"slip": 0.002}))["out-of-range"].cell.startswith("Settings!")
    assert sheetmbs.read(book({"slip": 0.002, "full_slip": 0.01})).settings.full_slip == 0.01


def test_in_space_a_bearing_needs_its_axis(book):
    # the missing direction is reported at the first column that is there
    assert "missing-value" in problems(book({"dimension": "3D", "gravity_y": 0, "gravity_z": 0}, zeta_i=0))
    model = sheetmbs.read(book({"dimension": "3D", "gravity_z": 0}, axis_x=0, axis_y=0, axis_z=1))
    assert sheetmbs.run(model).summary["impacts in pin"] == 1
