"""Friction as it stands in a workbook: its units, what is refused and how, and what comes back."""

import openpyxl
import pytest

import sheetmbs
from sheetmbs.elements import ELEMENTS
from sheetmbs.elements.joint_friction import FRICTION
from sheetmbs.problems.errors import WorkbookError
from tests.support.spatial_books import at, axis, body, joint, space_book

G = 9.81


def book(tmp_path, *joints, **settings):
    return space_book(tmp_path / "model.xlsx", settings, Bodies=[body()], Points=[at()], Joints=list(joints))


def slide(**more):
    return joint("translational", **axis(1, 0, 0)) | more


def test_friction_is_read_in_its_units(tmp_path):
    columns = {"friction": 0.2, "friction_radius [mm]": 15, "friction_velocity [mm/s]": 2}
    model = sheetmbs.read(book(tmp_path, joint("revolute", **axis(0, 0, 1), **columns)))
    assert model.joints[0].friction == sheetmbs.model.model.Friction(0.2, 0.015, 0.002)


@pytest.mark.parametrize("coefficient", [None, 0])
def test_no_coefficient_is_no_friction(tmp_path, coefficient):
    model = sheetmbs.read(book(tmp_path, slide(friction=coefficient)))
    assert model.joints[0].friction is None
    assert not model.warnings


def test_radius_without_a_coefficient_is_told_to_be_unused(tmp_path):
    model = sheetmbs.read(book(tmp_path, slide(friction=None, friction_radius=0.1)))
    assert [(problem.code, problem.cell) for problem in model.warnings] == [("unused-value", "Joints!J2")]


@pytest.mark.parametrize(
    ("row", "code", "said"),
    [
        (slide(friction=-0.1), "negative-friction", "must not be negative"),
        (joint("revolute", **axis(0, 0, 1), friction=0.1), "missing-value", "acts at the radius of the pin"),
        (joint("cylindrical", **axis(0, 0, 1), friction=0.1), "missing-value", "acts at the radius of the shaft"),
        (joint("spherical", friction=0.1), "missing-value", "acts at the radius of the ball"),
        (slide(friction=0.1, friction_radius=0), "not-positive", "friction_radius must be greater than 0"),
        (slide(friction=0.1, friction_velocity=-1), "not-positive", "friction_velocity must be greater than 0"),
        (slide(friction="rough"), "not-a-number", "rough"),
        (slide(friction="0.1 m"), "wrong-dimension", "0.1 m"),
    ],
)
def test_wrong_friction_is_refused_at_its_cell(tmp_path, row, code, said):
    with pytest.raises(WorkbookError) as caught:
        sheetmbs.read(book(tmp_path, row))
    (problem,) = caught.value.problems
    assert problem.code == code
    assert problem.cell.startswith("Joints!")
    assert said in f"{problem.found} {problem.problem}"


def test_types_without_friction_say_which_have_it(tmp_path):
    refused = [
        joint("fixed", name="weld", friction=0.1),
        joint("universal", name="cross", friction=0.1, **axis(1, 0, 0), axis2_y=1),
    ]
    for row in refused:
        with pytest.raises(WorkbookError, match="only revolute, translational, cylindrical, spherical have") as caught:
            sheetmbs.read(book(tmp_path, row))
        assert caught.value.problems[0].code == "no-friction"


def test_every_type_with_friction_is_a_joint():
    assert set(FRICTION) <= {element.name for element in ELEMENTS}


@pytest.mark.parametrize(
    ("row", "columns"),
    [
        (joint("revolute", **axis(0, 1, 0), friction=0.1, friction_radius=0.01), {"friction": "N*m"}),
        (slide(friction=0.1), {"friction": "N"}),
        (
            joint("cylindrical", **axis(1, 0, 0), friction=0.1, friction_radius=0.01),
            {"friction": "N", "friction_moment": "N*m"},
        ),
        (joint("spherical", friction=0.1, friction_radius=0.01), {"friction": "N*m"}),
    ],
)
def test_results_show_friction_and_the_power_lost(tmp_path, row, columns):
    path = space_book(
        tmp_path / "model.xlsx", Bodies=[body(wx=1, wy=2, wz=3, vx=1)], Points=[at()], Joints=[row | {"name": "rub"}]
    )
    result = sheetmbs.run(sheetmbs.read(path))
    result.save()
    sheet = openpyxl.load_workbook(path)["mbs Joints"]
    found = {name.value: unit.value for name, unit in zip(sheet[1], sheet[2], strict=True) if "friction" in name.value}
    expected = {f"rub.{name}": unit for name, unit in columns.items()} | {"rub.friction_power": "W"}
    assert found == expected
    assert (result.joints["rub.friction_power"] >= 0.0).all()
    assert result.joints["rub.friction_power"].max() > 0.0
    assert result.summary["accuracy check"] == "passed"
