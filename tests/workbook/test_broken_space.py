"""Broken workbooks of space: each fault is told at its cell, in words, and not all over the workbook."""

from typing import NamedTuple

import pytest

import sheetmbs
from sheetmbs.problems.errors import WorkbookError
from tests.support.spatial_books import at, axis, axis2, body, joint, space_book


class Case(NamedTuple):
    name: str
    sheets: dict
    code: str
    cell: str
    settings: dict | None = None


HINGE = joint("revolute", **axis(0, 0, 1))
SLIDE = joint("translational", "ground", "c", name="slide", **axis(1, 0, 0))
TWO = [body(), body("c", x=1)]
PLACES = [at()]
SPRING = {"name": "s", "type": "bushing", "body_i": "ground", "body_j": "b", "point": "P"}


def bodies(**cells):
    return {"Bodies": [body(**cells)]}


def joints(*rows, parts=None):
    return {"Bodies": parts or [body()], "Points": PLACES, "Joints": list(rows)}


def coupled(kind, **more):
    return joints(HINGE, SLIDE, {"name": "teeth", "type": kind} | more, parts=TWO)


def driven(**cells):
    return joints(HINGE) | {"Drivers": [{"name": "d"} | cells]}


def sprung(**cells):
    return {"Bodies": [body()], "Points": PLACES, "Springs": [SPRING | cells]}


CASES = (
    Case("moments break the triangle inequality", bodies(inertia=(1, 1, 3)), "impossible-inertia", "Bodies!C2"),
    Case("the largest moment stands first", bodies(inertia=(3, 1, 1)), "impossible-inertia", "Bodies!C2"),
    Case("products make the tensor indefinite", bodies(ixy=5), "impossible-inertia", "Bodies!C2"),
    Case("negative moment", bodies(inertia=(-1, 1, 1)), "negative", "Bodies!C2"),
    Case("negative mass", bodies(mass=-1), "negative", "Bodies!B2"),
    Case("no mass", bodies(mass=None), "missing-value", "Bodies!B2"),
    Case("one moment missing", bodies(inertia=(1, None, 1)), "missing-value", "Bodies!D2"),
    Case(
        "one moment missing where none is needed",
        bodies(inertia=(1, None, 1)),
        "missing-value",
        "Bodies!D2",
        {"analysis": "kinematic"},
    ),
    Case("no inertia columns", {"Bodies": [{"name": "b", "mass": 1}]}, "missing-column", "Bodies!A1"),
    Case("orientation twice", bodies(e0=1, yaw=0.3), "two-ways-orientation", "Bodies!G2"),
    Case("euler parameters of length 2", bodies(e0=2), "euler-norm", "Bodies!F2"),
    Case("yaw in metres", bodies(yaw="3 m"), "wrong-dimension", "Bodies!F2"),
    Case("euler parameter with a unit", bodies(e0="1 kg"), "wrong-dimension", "Bodies!F2"),
    Case(
        "unknown shape",
        {"Bodies": [{"name": "b", "mass": 1, "shape": "egg", "length": 1}]},
        "unknown-value",
        "Bodies!C2",
    ),
    Case(
        "shape without its size",
        {"Bodies": [{"name": "b", "mass": 1, "shape": "box", "length": 1}]},
        "missing-value",
        "Bodies!A2",
    ),
    Case(
        "shape without mass",
        {"Bodies": [{"name": "b", "mass": None, "shape": "sphere", "radius": 1}]},
        "missing-value",
        "Bodies!B2",
    ),
    Case(
        "rod with a density",
        {"Bodies": [{"name": "b", "mass": None, "shape": "rod", "length": 1, "density": 7800}]},
        "missing-value",
        "Bodies!B2",
    ),
    Case(
        "sphere of radius 0",
        {"Bodies": [{"name": "b", "mass": 1, "shape": "sphere", "radius": 0}]},
        "not-positive",
        "Bodies!D2",
    ),
    Case(
        "tube thicker than itself",
        {"Bodies": [{"name": "b", "mass": 1, "shape": "tube", "length": 1, "radius": 1, "inner_radius": 2}]},
        "wrong-radius",
        "Bodies!F2",
    ),
    Case("hinge without a direction", joints(joint("revolute")), "missing-value", "Joints!A2"),
    Case("direction of length 0", joints(joint("revolute", **axis(0, 0, 0))), "zero-direction", "Joints!F2"),
    Case(
        "direction twice", joints(joint("revolute", **axis(0, 0, 1), axis_point="P")), "two-ways-direction", "Joints!I2"
    ),
    Case("direction towards itself", joints(joint("revolute", axis_point="P")), "zero-direction", "Joints!F2"),
    Case("direction in axes of one body only", joints(joint("revolute", axis_i_xi=1)), "missing-value", "Joints!A2"),
    Case(
        "universal joint with one direction", joints(joint("universal", **axis(0, 0, 1))), "missing-value", "Joints!A2"
    ),
    Case(
        "second direction of length 0",
        joints(joint("universal", **axis(0, 0, 1), **axis2(0, 0, 0))),
        "zero-direction",
        "Joints!I2",
    ),
    Case("unknown joint", joints(joint("hinge", **axis(0, 0, 1))), "unknown-value", "Joints!B2"),
    Case("joint on one body", joints(joint("spherical", "b", "b")), "same-body", "Joints!D2"),
    Case("joint without a place", joints(joint("spherical", point=None)), "missing-value", "Joints!E2"),
    Case("screw without pitch", joints(joint("screw", **axis(0, 0, 1))), "missing-value", "Joints!A2"),
    Case("screw of pitch 0", joints(joint("screw", **axis(0, 0, 1), pitch=0)), "zero-value", "Joints!I2"),
    Case(
        "coordinate phi in space",
        joints({"name": "j", "type": "coordinate", "body_i": "b", "coordinate": "phi"}),
        "wrong-coordinate",
        "Joints!D2",
    ),
    Case("gear without joints", coupled("gear", ratio=2), "missing-value", "Joints!A4"),
    Case("gear on a slide", coupled("gear", joint_1="j", joint_2="slide", ratio=2), "wrong-joint", "Joints!J4"),
    Case("gear on itself", coupled("gear", joint_1="j", joint_2="j", ratio=2), "same-joint", "Joints!J4"),
    Case("gear on nothing", coupled("gear", joint_1="j", joint_2="wheel", ratio=2), "unknown-joint", "Joints!J4"),
    Case("gear without ratio", coupled("gear", joint_1="j", joint_2="j"), "missing-value", "Joints!A4"),
    Case(
        "rack and pinion exchanged",
        coupled("rack-and-pinion", joint_1="slide", joint_2="j", radius=1),
        "wrong-joint",
        "Joints!I4",
    ),
    Case(
        "pinion of radius 0",
        coupled("rack-and-pinion", joint_1="j", joint_2="slide", radius=0),
        "zero-value",
        "Joints!K4",
    ),
    Case("driver of phi", driven(body="b", coordinate="phi", position=1), "wrong-coordinate", "Drivers!C2"),
    Case(
        "driver of a hinge's displacement",
        driven(joint="j", coordinate="displacement", position=1),
        "wrong-coordinate",
        "Drivers!C2",
    ),
    Case(
        "driver of an angle in metres",
        driven(joint="j", coordinate="angle", position="1 m"),
        "wrong-dimension",
        "Drivers!D2",
    ),
    Case("negative stiffness of a bushing", sprung(kx=-1), "negative", "Springs!F2"),
    Case("rotational stiffness in N/m", sprung(krx="3 N/m"), "wrong-dimension", "Springs!F2"),
    Case("rotational spring without an axis", sprung(type="rotational", k=1), "missing-value", "Springs!A2"),
    Case(
        "unknown motion column",
        {"Bodies": [body()], "Forces": [{"name": "f", "body": "b", "fz": "-3*b.phi"}]},
        "unknown-motion-column",
        "Forces!C2",
    ),
    Case(
        "moment about z of the plane in a force series",
        {"Bodies": [body()], "ForceSeries": [{"time": t, "b.moment": 0} for t in (0, 1)]},
        "wrong-coordinate",
        "ForceSeries!B1",
    ),
)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_broken_workbook_of_space_is_refused_at_the_right_cell(case, tmp_path):
    path = space_book(tmp_path / "broken.xlsx", case.settings, **case.sheets)
    before = path.read_bytes()
    with pytest.raises(WorkbookError) as caught:
        sheetmbs.read(path)
    errors = [problem for problem in caught.value.problems if problem.severity == "error"]
    assert (case.code, case.cell) in [(problem.code, problem.cell) for problem in errors]
    assert all(problem.found and problem.problem and problem.mend for problem in errors)
    assert len(errors) <= 4
    assert path.read_bytes() == before


@pytest.mark.parametrize(
    ("sheets", "code", "cell"),
    [
        (joints(joint("universal", **axis(0, 0, 1), **axis2(0, 1, 1))), "skew-directions", "Joints!I2"),
        (joints(joint("revolute", **axis(0, 0, 1), **axis2(0, 1, 0))), "unused-value", "Joints!J2"),
        (bodies(phi=1), "unused-value", "Bodies!F2"),
        (bodies(shape="sphere", radius=1), "unused-value", "Bodies!F2"),
        (sprung(), "no-force", "Springs!A2"),
        (sprung(kx=1, k=3), "unused-value", "Springs!G2"),
    ],
)
def test_what_may_not_be_meant_is_a_warning(sheets, code, cell, tmp_path):
    model = sheetmbs.read(space_book(tmp_path / "odd.xlsx", **sheets))
    assert (code, cell) in [(problem.code, problem.cell) for problem in model.warnings]
