"""Reading workbooks of space: every way to say where, along what, with which mass and how oriented."""

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import sheetmbs
from tests.support.spatial_books import at, axis, axis2, body, joint, space_book

POSE = {"x": 1, "y": 2, "z": 3, "yaw": "40 deg", "pitch": "-20 deg", "roll": "70 deg"}
TURN = Rotation.from_euler("ZYX", [40, -20, 70], degrees=True).as_matrix()
PLACE = np.array([1.0, 2.0, 3.0])


def read(tmp_path, settings=None, **sheets):
    return sheetmbs.read(space_book(tmp_path / "book.xlsx", settings, **sheets))


def in_global(model, marker):
    """Place and axes of a marker in the initial configuration, by scipy's rotations."""
    if marker.body == "ground":
        return marker.origin, marker.axes
    carrier = next(each for each in model.bodies if each.name == marker.body)
    turn = Rotation.from_quat([*carrier.euler[1:], carrier.euler[0]]).as_matrix()
    return carrier.position + turn @ marker.origin, turn @ marker.axes


def only_joint(tmp_path, points=None, **cells):
    model = read(tmp_path, Bodies=[body(**POSE)], Points=points or [at(0.5, 0.6, 0.7)], Joints=[joint(**cells)])
    return model, model.joints[0]


def test_yaw_pitch_and_roll_turn_about_z_then_new_y_then_newest_x(tmp_path):
    made = read(tmp_path, Bodies=[body(**POSE)]).bodies[0]
    assert Rotation.from_quat([*made.euler[1:], made.euler[0]]).as_matrix() == pytest.approx(TURN, abs=1e-15)
    assert made.angles == pytest.approx(np.radians([40, -20, 70]))


def test_euler_parameters_are_normalised_and_give_the_angles(tmp_path):
    x, y, z, w = Rotation.from_matrix(TURN).as_quat()
    typed = {f"e{k}": round(float(value), 7) for k, value in enumerate((w, x, y, z))}
    made = read(tmp_path, Bodies=[body(**typed)]).bodies[0]
    assert np.linalg.norm(made.euler) == pytest.approx(1.0, abs=1e-15)
    assert made.angles == pytest.approx(np.radians([40, -20, 70]), abs=1e-6)


def test_tensor_keeps_the_signs_of_its_products(tmp_path):
    made = read(tmp_path, Bodies=[body(inertia=(1, 2, 2.5), ixy=0.1, ixz=-0.2, iyz=0.3)]).bodies[0]
    assert made.inertia == pytest.approx(np.array([[1, 0.1, -0.2], [0.1, 2, 0.3], [-0.2, 0.3, 2.5]]))


@pytest.mark.parametrize(
    ("cells", "mass", "inertia"),
    [
        ({"shape": "rod", "mass": 3, "length": 2}, 3.0, (0.0, 1.0, 1.0)),
        ({"shape": "box", "length": 2, "width": 3, "height": 4, "density": 0.5}, 12.0, (25.0, 20.0, 13.0)),
        ({"shape": "sphere", "mass": 5, "radius": 2}, 5.0, (8.0, 8.0, 8.0)),
        ({"shape": "cylinder", "mass": 6, "length": 2, "radius": 1}, 6.0, (3.0, 3.5, 3.5)),
        ({"shape": "tube", "mass": 6, "length": 2, "radius": 1, "inner_radius": 0.5}, 6.0, (3.75, 3.875, 3.875)),
    ],
)
def test_shapes_give_mass_and_inertia(tmp_path, cells, mass, inertia):
    made = read(tmp_path, Bodies=[{"name": "b"} | cells]).bodies[0]
    assert made.mass == pytest.approx(mass)
    assert made.inertia == pytest.approx(np.diag(inertia))


def test_density_of_round_shapes_counts_their_volume(tmp_path):
    shapes = ({"shape": "sphere", "radius": 2}, {"shape": "tube", "length": 3, "radius": 2, "inner_radius": 1})
    volumes = (32 * np.pi / 3, 9 * np.pi)
    for cells, volume in zip(shapes, volumes, strict=True):
        made = read(tmp_path, Bodies=[{"name": "b", "density": 2} | cells]).bodies[0]
        assert made.mass == pytest.approx(2 * volume)


@pytest.mark.parametrize("way", ["point", "points", "coordinates"])
def test_every_way_to_give_a_place_leads_to_it(tmp_path, way):
    inside = TURN.T @ (np.array([0.5, 0.6, 0.7]) - PLACE)
    ways = {
        "point": {"point": "P"},
        "points": {"point": None, "point_i": "P", "point_j": "Q"},
        "coordinates": {"point": None}
        | dict(zip(("xi_i", "eta_i", "zeta_i"), (0.5, 0.6, 0.7), strict=True))
        | dict(zip(("xi_j", "eta_j", "zeta_j"), inside, strict=True)),
    }
    own = dict(zip("xyz", inside, strict=True))
    points = [at(0.5, 0.6, 0.7), {"name": "Q", "body": "b", "frame": "body"} | own]
    model, made = only_joint(tmp_path, points, kind="spherical", **ways[way])
    for marker in (made.i, made.j):
        assert in_global(model, marker)[0] == pytest.approx([0.5, 0.6, 0.7], abs=1e-12)


@pytest.mark.parametrize("way", ["global", "towards a point", "body axes"])
def test_every_way_to_give_a_direction_leads_to_it(tmp_path, way):
    along = np.array([2.0, -1.0, 2.0]) / 3.0
    inside = TURN.T @ along
    ways = {
        "global": axis(4, -2, 4),
        "towards a point": {"axis_point": "Q"},
        "body axes": dict(zip(("axis_i_xi", "axis_i_eta", "axis_i_zeta"), along, strict=True))
        | dict(zip(("axis_j_xi", "axis_j_eta", "axis_j_zeta"), inside, strict=True)),
    }
    points = [at(0.5, 0.6, 0.7), at(0.5 + 2, 0.6 - 1, 0.7 + 2, "Q")]
    model, made = only_joint(tmp_path, points, kind="revolute", **ways[way])
    axes = [in_global(model, marker)[1] for marker in (made.i, made.j)]
    assert axes[0][:, 2] == pytest.approx(along, abs=1e-12)
    assert axes[1] == pytest.approx(axes[0], abs=1e-12)
    assert np.linalg.det(axes[0]) == pytest.approx(1.0)


@pytest.mark.parametrize("way", ["global", "towards a point", "axis2 of body j", "axis of body j"])
def test_every_way_to_give_a_second_direction_leads_to_it(tmp_path, way):
    second = np.array([0.0, 0.6, 0.8])
    inside = TURN.T @ second
    ways = {
        "global": axis2(0, 3, 4),
        "towards a point": {"axis2_point": "Q"},
        "axis2 of body j": dict(zip(("axis2_j_xi", "axis2_j_eta", "axis2_j_zeta"), inside, strict=True)),
        "axis of body j": dict(zip(("axis_j_xi", "axis_j_eta", "axis_j_zeta"), inside, strict=True)),
    }
    points = [at(0.5, 0.6, 0.7), at(0.5, 0.6 + 3, 0.7 + 4, "Q")]
    model, made = only_joint(tmp_path, points, kind="universal", **axis(1, 0, 0), **ways[way])
    assert in_global(model, made.i)[1][:, 2] == pytest.approx([1, 0, 0], abs=1e-12)
    assert in_global(model, made.j)[1][:, 2] == pytest.approx(second, abs=1e-12)
    assert model.warnings == ()


def test_bent_shafts_of_a_constant_velocity_joint_do_not_twist(tmp_path):
    model, made = only_joint(tmp_path, kind="constant-velocity", **axis(1, 0, 0), **axis2(1, 1, 0))
    one, other = (in_global(model, marker)[1] for marker in (made.i, made.j))
    assert other[:, 2] == pytest.approx(np.array([1, 1, 0]) / np.sqrt(2))
    assert one[:, 0] @ other[:, 1] == pytest.approx(one[:, 1] @ other[:, 0], abs=1e-14)


def test_couplings_find_joints_further_down_and_take_the_moving_side(tmp_path):
    hinge = joint("revolute", "b", "ground", name="hinge", **axis(0, 0, 1))
    slide = joint("translational", "ground", "c", name="slide", **axis(1, 0, 0))
    teeth = {"name": "teeth", "type": "rack-and-pinion", "joint_1": "Hinge", "joint_2": "slide", "radius": "20 mm"}
    model = read(tmp_path, Bodies=[body(), body("c")], Points=[at()], Joints=[teeth, hinge, slide])
    assert [each.name for each in model.joints] == ["teeth", "hinge", "slide"]
    made = model.joints[0]
    assert made.couples == ("hinge", "slide")
    assert (made.i.body, made.j.body) == ("b", "c")
    assert made.values == {"radius": pytest.approx(0.02)}


def test_pitch_is_a_length_per_turn(tmp_path):
    _, made = only_joint(tmp_path, kind="screw", pitch="5 mm", **axis(0, 0, 1))
    assert made.values == {"pitch": pytest.approx(0.005)}


@pytest.mark.parametrize("dimension", ["2D", "3D"])
def test_bushing_has_stiffness_and_damping_in_the_axes_of_body_i(tmp_path, dimension):
    spring = {"name": "s", "type": "bushing", "body_i": "ground", "body_j": "b", "point": "P"}
    numbers = {"kx": "3 N/mm", "ky": 20, "krz": "2 N*m/deg", "cx": 4, "crz": 5}
    if dimension == "3D":
        numbers |= {"kz": 30, "krx": 40, "kry": 50, "cy": 6, "cz": 7, "crx": 8, "cry": 9}
        one = body(**POSE)
    else:
        one = {"name": "b", "mass": 1, "inertia": 1, "x": 1, "phi": "30 deg"}
    made = read(tmp_path, {"dimension": dimension}, Bodies=[one], Points=[at()], Springs=[spring | numbers]).springs[0]
    per_degree = 2 * 180 / np.pi
    expected = (3000, 20, 30, 40, 50, per_degree) if dimension == "3D" else (3000, 20, 0, 0, 0, per_degree)
    directions = ("x", "y", "z", "rx", "ry", "rz")
    assert [made.values.get(f"k{way}", 0.0) for way in directions] == pytest.approx(expected)
    damping = (4, 6, 7, 8, 9, 5) if dimension == "3D" else (4, 0, 0, 0, 0, 5)
    assert [made.values.get(f"c{way}", 0.0) for way in directions] == pytest.approx(damping)
    turn = TURN if dimension == "3D" else Rotation.from_euler("Z", 30, degrees=True).as_matrix()
    assert turn @ made.j.axes == pytest.approx(made.i.axes, abs=1e-12)


def test_drivers_guiding_forces_and_series_of_space_are_read(tmp_path):
    hinge, sleeve = (
        joint("revolute", **axis(0, 0, 1)),
        joint("cylindrical", "ground", "c", name="sleeve", **axis(0, 0, 1)),
    )
    model = read(
        tmp_path,
        Bodies=[body(), body("c"), body("d")],
        Points=[at(), at(0, 0, 1, "tip", body="b")],
        Joints=[hinge, sleeve],
        Drivers=[
            {"name": "turn", "joint": "j", "coordinate": "angle", "position": "30 deg", "velocity": "2 rad/s"},
            {"name": "lift", "body": "d", "coordinate": "z", "expression": "0.1*t"},
        ],
        Guiding=[{"time": t, "sleeve.displacement": t, "sleeve.angle": -t, "d.y": 0} for t in (0, 0.5, 1)],
        Forces=[{"name": "f", "body": "b", "point": "tip", "fz": "-2*b.vz - tip.z", "mx": "3*c.yaw", "frame": "body"}],
        ForceSeries=[{"time": t, "b.fz": 1, "b.mx": 2, "b.px": 0, "b.py": 0, "b.pz": 5} for t in (0, 0.5, 1)],
    )
    assert [(each.name, each.coordinate) for each in model.drivers] == [
        ("turn", "angle"),
        ("lift", "z"),
        ("sleeve.displacement", "displacement"),
        ("sleeve.angle", "angle"),
        ("d.y", "y"),
    ]
    force, series = model.forces[0], model.force_series[0]
    assert force.in_body_axes
    assert set(force.force[2].expression.variables) == {"b.vz", "tip.z"}
    assert series.moment[0] == pytest.approx([2, 0, 0])
    assert series.point[0] == pytest.approx([0, 0, 5])
    assert series.point_frame == "global"


def test_results_come_in_the_units_of_x_and_yaw(tmp_path):
    model = read(tmp_path, Bodies=[body() | {"x [mm]": 500, "yaw [deg]": 10, "y [m]": 0.2}])
    assert (model.display.length, model.display.angle[0]) == (("mm", 0.001), "deg")
    assert model.bodies[0].position == pytest.approx([0.5, 0.2, 0.0])


def test_gravity_pulls_along_minus_z_by_default(tmp_path):
    assert read(tmp_path, Bodies=[body()]).settings.gravity == (0.0, 0.0, -9.81)
