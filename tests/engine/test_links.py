"""The axial force of distance joints: two-force members by statics, with its sign, held and driven, in plane and space."""

from itertools import product

import numpy as np
import pytest

import sheetmbs
from tests.support.spatial_books import at, space_book

G = 9.81
MASS, LOAD = 3.0, 2.0
BOTH = list(product(("2D", "3D"), ("dynamic", "equilibrium", "inverse dynamic")))


def ends(dimension):
    """Where the links of a weight at the origin stand on the ground: two in the plane, three in space."""
    count = 2 if dimension == "2D" else 3
    return [place[:count] for place in [(-0.5, 1.2, 0.2), (-0.6, -0.8, 0.3), (0.1, 0.3, -0.9)][:count]]


def weighed(tmp_path, dimension, analysis, driven=(), *, swapped=False):
    space = dimension == "3D"
    inertia = dict.fromkeys(("ixx", "iyy", "izz") if space else ("inertia",), 0.1)
    points, joints, drivers = [at(name="W", body="w")], [], []
    for k, place in enumerate(ends(dimension)):
        points.append(dict(zip("xyz", place, strict=False)) | {"name": f"P{k}"})
        bodies = {"body_i": "ground", "body_j": "w", "point_i": f"P{k}", "point_j": "W"}
        if swapped:
            bodies = {"body_i": "w", "body_j": "ground", "point_i": "W", "point_j": f"P{k}"}
        joints.append({"name": f"link {k}", "type": "distance"} | bodies)
        if k in driven:
            drivers.append({"name": f"drive {k}", "joint": f"link {k}", "coordinate": "distance"})
    held = [
        {"name": "turn", "type": "parallel", "body_i": "ground", "body_j": "w", "axis_x": 1, "axis_y": 0, "axis_z": 0}
    ]
    held.append(
        held[0]
        | {"name": "face", "type": "perpendicular", "axis_x": 0, "axis_y": 1, "axis2_x": 0, "axis2_y": 0, "axis2_z": 1}
    )
    if not space:
        held = [{"name": "turn", "type": "coordinate", "body_i": "w", "coordinate": "phi"}]
        points = [{key: cell for key, cell in point.items() if key != "z"} for point in points]
    time = {} if analysis == "equilibrium" else {"t_end": 0.1, "t_step": 0.05}
    settings = {"dimension": dimension, "analysis": analysis, "gravity_y": 0, "t_end": None, "t_step": None} | time
    if space:
        settings["gravity_z"] = 0
    sheets = {
        "Bodies": [{"name": "w", "mass": MASS, "fx": LOAD, "fy": -MASS * G, **inertia}],
        "Points": points,
        "Joints": joints + held,
        "Forces": [],
    }
    if drivers:
        sheets["Drivers"] = drivers
    path = space_book(tmp_path / "links.xlsx", settings, **{name: rows for name, rows in sheets.items() if rows})
    return sheetmbs.run(sheetmbs.read(path))


def expected(dimension):
    """Tensions: pulls towards the ends that balance the load."""
    count = 2 if dimension == "2D" else 3
    pulls = np.array([np.array(place) / np.linalg.norm(place) for place in ends(dimension)]).T[:count]
    return np.linalg.solve(pulls, -np.array([LOAD, -MASS * G, 0.0])[:count])


@pytest.mark.parametrize(("dimension", "analysis"), BOTH)
@pytest.mark.parametrize("driven", [(), (1,), (0, 1)], ids=["held", "one driven", "two driven"])
@pytest.mark.parametrize("swapped", [False, True], ids=["from the ground", "to the ground"])
def test_links_that_carry_a_weight_report_tension_and_thrust(tmp_path, dimension, analysis, driven, swapped):
    found = weighed(tmp_path, dimension, analysis, driven, swapped=swapped)
    tensions = expected(dimension)
    assert tensions.min() < -1.0 < 1.0 < tensions.max(), "one pulls, one pushes"
    for k, tension in enumerate(tensions):
        assert list(found.joints[f"link {k}.force"]) == pytest.approx([tension] * len(found.joints), abs=1e-8)
    assert found.joints.attrs["units"]["link 0.force"] == "N"


def test_a_driven_link_carries_the_weight_and_what_accelerates_it(tmp_path):
    """A body lifted on a rope that a winch shortens by 2 t^2: m (g + 4)."""
    points = [at(name="top", y=2.0), at(name="W", body="w")]
    rope = {"name": "rope", "type": "distance", "body_i": "ground", "body_j": "w", "point_i": "top", "point_j": "W"}
    guide = {
        "name": "guide",
        "type": "translational",
        "body_i": "ground",
        "body_j": "w",
        "point": "W",
        "axis_x": 0,
        "axis_y": 1,
    }
    path = space_book(
        tmp_path / "winch.xlsx",
        {"dimension": "2D", "analysis": "inverse dynamic", "t_end": 0.5, "t_step": 0.1},
        Bodies=[{"name": "w", "mass": MASS, "inertia": 0.1}],
        Points=[{key: cell for key, cell in point.items() if key != "z"} for point in points],
        Joints=[rope, guide],
        Drivers=[{"name": "winch", "joint": "rope", "coordinate": "distance", "expression": "2 - 2*t^2"}],
    )
    found = sheetmbs.run(sheetmbs.read(path))
    assert list(found.joints["rope.force"]) == pytest.approx([MASS * (G + 4.0)] * 6, rel=1e-10)
    assert list(found.drivers["winch.force"]) == pytest.approx([-MASS * (G + 4.0)] * 6, rel=1e-10)


def test_where_forces_are_not_asked_for_there_is_none(tmp_path):
    found = weighed(tmp_path, "2D", "kinematic", (0, 1))
    assert "link 0.distance" in found.joints
    assert "link 0.force" not in found.joints
