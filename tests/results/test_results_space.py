"""Result columns, summary and charts of spatial models, against closed forms and against each other."""

from dataclasses import replace

import numpy as np
import pytest

import sheetmbs
from sheetmbs.elements.marker import Marker, triad
from sheetmbs.model.model import Chart, Display, Driver, Joint, Point, Quadratic
from tests.support.mechanisms import body, model, on
from tests.support.spatial_mechanisms import four_bar, joined, rigid, rod, space, turned, turning
from tests.support.springs import make_spring

WEIGHTLESS = (0.0, 0.0, 0.0)
SPATIAL = (
    "x y z e0 e1 e2 e3 yaw pitch roll vx vy vz wx wy wz ax ay az alphax alphay alphaz".split()  # noqa: SIM905 - as on the page
)
TENSOR = [[0.5, 0.05, -0.1], [0.05, 0.7, 0.02], [-0.1, 0.02, 0.9]]


def tumbling(**more):
    body_ = rigid("top", (1, 2, 3), (0.3, 2.0, -0.4), inertia=TENSOR, angular_velocity=(3.0, -2.0, 5.0))
    return space([body_], gravity=WEIGHTLESS, **more)


def triples(frame, name, columns):
    return frame[[f"{name}.{column}" for column in columns.split()]].to_numpy()


def test_columns_of_a_spatial_body_are_those_of_the_format():
    frame = sheetmbs.run(tumbling()).bodies
    assert list(frame.columns) == ["time", *(f"top.{column}" for column in SPATIAL)]


def test_pitch_of_a_wheel_counts_on_past_a_right_angle_and_past_a_turn():
    wheel = rigid("wheel", inertia=(0.1, 0.2, 0.1), angular_velocity=(0.0, 10.0, 0.0))
    frame = sheetmbs.run(space([wheel], t_end=2.0, t_step=0.01)).bodies
    assert np.abs(frame["wheel.pitch"] - 10.0 * frame["time"]).max() < 1e-6
    assert np.abs(frame["wheel.yaw"]).max() < 1e-6
    assert np.abs(frame["wheel.roll"]).max() < 1e-6


def test_euler_parameters_of_a_spin_go_on_past_a_turn_with_half_the_angle():
    spinner = rigid("spinner", inertia=(0.1, 0.1, 0.2), angular_velocity=(0.0, 0.0, 6.0))
    frame = sheetmbs.run(space([spinner], t_end=3.0)).bodies
    assert np.abs(frame["spinner.e0"] - np.cos(3.0 * frame["time"])).max() < 1e-6
    assert np.abs(frame["spinner.e3"] - np.sin(3.0 * frame["time"])).max() < 1e-6
    assert np.abs(frame["spinner.yaw"] - 6.0 * frame["time"]).max() < 1e-6


def test_angles_begin_as_given_do_not_jump_and_say_the_same_as_the_euler_parameters():
    frame = sheetmbs.run(tumbling(t_end=5.0, t_step=0.005)).bodies
    angles, euler = triples(frame, "top", "yaw pitch roll"), triples(frame, "top", "e0 e1 e2 e3")
    assert angles[0] == pytest.approx([0.3, 2.0, -0.4], abs=1e-12)
    assert np.abs(np.diff(angles, axis=0)).max() < 1.0
    assert np.abs(np.diff(euler, axis=0)).max() < 0.05
    for (yaw, pitch, roll), (e0, e1, e2, e3) in zip(angles[::50], euler[::50], strict=True):
        x_axis = [2 * (e0**2 + e1**2) - 1, 2 * (e1 * e2 + e0 * e3), 2 * (e1 * e3 - e0 * e2)]
        z_axis = [2 * (e1 * e3 + e0 * e2), 2 * (e2 * e3 - e0 * e1), 2 * (e0**2 + e3**2) - 1]
        assert turned(yaw, pitch, roll)[:, 0] == pytest.approx(x_axis, abs=1e-9)
        assert turned(yaw, pitch, roll)[:, 2] == pytest.approx(z_axis, abs=1e-9)


def test_rates_are_those_of_the_orientation_in_body_axes():
    frame = sheetmbs.run(tumbling(t_end=1.0, t_step=1e-3)).bodies
    turns = np.array([turned(*angles) for angles in triples(frame, "top", "yaw pitch roll")])
    skew = np.swapaxes(turns[1:-1], 1, 2) @ (turns[2:] - turns[:-2]) / 2e-3
    omega, alpha = triples(frame, "top", "wx wy wz"), triples(frame, "top", "alphax alphay alphaz")
    assert np.abs(omega[1:-1] - np.stack((skew[:, 2, 1], skew[:, 0, 2], skew[:, 1, 0]), axis=1)).max() < 1e-3
    assert np.abs((omega[2:] - omega[:-2]) / 2e-3 - alpha[1:-1]).max() < 1e-3
    momentum = alpha @ np.array(TENSOR) + np.cross(omega, omega @ np.array(TENSOR))
    assert np.abs(momentum).max() < 1e-9


def test_orientation_at_a_pitch_of_a_right_angle_has_finite_angles_that_fit():
    nose_up = rigid("rocket", angles=(0.7, np.pi / 2, 0.2), angular_velocity=(1.0, 0.0, 0.0))
    frame = sheetmbs.run(space([nose_up], gravity=WEIGHTLESS)).bodies
    angles = triples(frame, "rocket", "yaw pitch roll")
    assert np.abs(angles[:, 0] - 0.7).max() < 1e-6
    assert np.abs(angles[:, 2] - 0.2 - frame["time"]).max() < 1e-6


def test_reaction_of_a_cantilever_holds_its_weight_and_the_moment_of_its_weight():
    bodies = [rigid("beam", (2.0, 0.0, 0.0), mass=3.0)]
    weld = joined(bodies, "weld", "fixed", "ground", "beam")
    joints = sheetmbs.run(space(bodies, [weld], analysis="inverse dynamic")).joints
    weight = 3.0 * 9.81
    on_beam = triples(joints, "weld", "j.fx j.fy j.fz j.mx j.my j.mz")
    on_ground = triples(joints, "weld", "i.fx i.fy i.fz i.mx i.my i.mz")
    assert np.abs(on_beam - [0.0, 0.0, weight, 0.0, -2.0 * weight, 0.0]).max() < 1e-9
    assert np.abs(on_ground + on_beam).max() < 1e-9


def test_joints_report_their_own_coordinates_under_the_names_of_the_format():
    bodies = [rigid("bolt", angular_velocity=(0, 0, 3.0), velocity=(0, 0, 2.0)), rigid("door"), rigid("bob", (0, 0, 9))]
    joints = [
        joined(bodies, "sleeve", "cylindrical", "ground", "bolt"),
        joined(bodies, "hinge", "revolute", "ground", "door"),
        joined(bodies, "rope", "distance", "ground", "bob", to=(0, 0, 9)),
        joined(bodies, "ball", "spherical", "ground", "bob", (0, 0, 9)),
    ]
    frame = sheetmbs.run(space(bodies, joints, gravity=WEIGHTLESS, t_end=5.0)).joints
    own = [name for name in frame.columns if name.partition(".")[2].partition(".")[0] not in {"i", "j", ""}]
    assert own == [
        *(f"sleeve.{column}" for column in ("angle", "angle_rate", "displacement", "displacement_rate")),
        *("hinge.angle", "hinge.rate", "rope.distance", "rope.rate", "rope.force"),
    ]
    assert np.abs(frame["sleeve.angle"] - 3.0 * frame["time"]).max() < 1e-6
    assert np.abs(frame["sleeve.displacement"] - 2.0 * frame["time"]).max() < 1e-6
    assert np.abs(frame["sleeve.angle_rate"] - 3.0).max() < 1e-8
    assert np.abs(frame["rope.distance"] - 9.0).max() < 1e-9


def test_distance_joint_of_the_plane_reports_its_distance():
    ram = Joint("ram", "distance", on("ground"), on("bob"))
    driver = Driver("pull", None, "ram", "distance", Quadratic(2.0, 0.5, 0.0))
    held = (Joint("y", "coordinate", on("bob"), on("ground"), coordinate="y"),)
    held += (Joint("phi", "coordinate", on("bob"), on("ground"), coordinate="phi"),)
    made = model((body("bob", 2.0),), (ram, *held), drivers=(driver,), analysis="kinematic")
    frame = sheetmbs.run(made).joints
    assert np.abs(frame["ram.distance"] - 2.0 - 0.5 * frame["time"]).max() < 1e-9
    assert np.abs(frame["ram.rate"] - 0.5).max() < 1e-9


def test_gear_reports_what_it_does_to_either_wheel():
    """Wheel 2 turns at -2 times the rate of wheel 1: it takes I2 alpha2 from the gear, which takes twice that from wheel 1."""
    bodies = [rigid("one", inertia=(1, 1, 0.3)), rigid("two", (1, 0, 0), inertia=(1, 1, 0.5))]
    first = joined(bodies, "axle 1", "revolute", "ground", "one")
    second = joined(bodies, "axle 2", "revolute", "ground", "two", (1, 0, 0))
    gear = Joint("gear", "gear", first.j, second.j, values={"ratio": -2.0}, couples=("axle 1", "axle 2"))
    driver = Driver("motor", None, "axle 1", "angle", Quadratic(0.0, 1.0, 4.0))
    made = space(bodies, [first, second, gear], drivers=(driver,), analysis="inverse dynamic")
    result = sheetmbs.run(made)
    assert np.abs(result.joints["axle 2.angle"] + 2.0 * result.joints["axle 1.angle"]).max() < 1e-9
    assert np.abs(result.joints["gear.j.mz"] - 0.5 * -8.0).max() < 1e-9
    assert np.abs(result.joints["gear.i.mz"] + 2.0 * 0.5 * 8.0).max() < 1e-9
    assert np.abs(result.drivers["motor.moment"] - (0.3 * 4.0 + 8.0)).max() < 1e-9


def test_bushing_pulls_body_i_along_the_deflection_of_body_j():
    """At rest the points are 2 m apart, which is no deflection; z of body i is the global x."""
    axes = triad(np.array([1.0, 0.0, 0.0]))
    bush = make_spring(
        "bush",
        "bushing",
        Marker("ground", np.zeros(3), axes),
        Marker("sled", np.array([0.0, 0.0, 2.0]), np.eye(3)),
        stiffness=np.array([1.0, 2.0, 300.0, 4.0, 5.0, 6.0]),
        damping=np.array([0.0, 0.0, 7.0, 0.0, 0.0, 0.0]),
    )
    bodies = [rigid("sled")]
    rail = joined(bodies, "rail", "translational", "ground", "sled", axis=(1, 0, 0))
    driver = turning("rail", 0.1, coordinate="displacement")
    made = space(bodies, [rail], drivers=(driver,), springs=(bush,), analysis="inverse dynamic")
    result = sheetmbs.run(made)
    shift = 0.1 * result.springs["time"]
    assert np.abs(result.springs["bush.dz"] - shift).max() < 1e-12
    assert np.abs(triples(result.springs, "bush", "dx dy rx ry rz")).max() < 1e-12
    assert np.abs(result.springs["bush.fz"] - 300.0 * shift - 0.7).max() < 1e-9
    assert np.abs(result.drivers["drive rail.force"] - 300.0 * shift - 0.7).max() < 1e-9
    named = [name.partition(".")[2] for name in result.springs.columns[1:]]
    assert named == "dx dy dz rx ry rz fx fy fz mx my mz".split()  # noqa: SIM905 - as on the page


def test_bushing_of_the_plane_reports_what_the_plane_has():
    bush = make_spring("bush", "bushing", on("ground"), on("bob"), stiffness=np.array([50.0, 60.0, 0.0, 0.0, 0.0, 7.0]))
    frame = sheetmbs.run(model((body("bob", velocity=(1.0, 2.0, 3.0)),), springs=(bush,))).springs
    assert [name.partition(".")[2] for name in frame.columns[1:]] == ["dx", "dy", "rz", "fx", "fy", "mz"]
    assert np.abs(frame["bush.fx"] - 50.0 * frame["bush.dx"]).max() < 1e-9
    assert np.abs(frame["bush.mz"] - 7.0 * frame["bush.rz"]).max() < 1e-9
    assert frame["bush.dx"].iloc[1] > 0.05


def test_rotational_spring_in_space_counts_its_angle_from_the_start_past_a_turn():
    bodies = [rigid("rotor", angular_velocity=(0.0, 0.0, 8.0), angles=(0.4, 0.0, 0.0))]
    axle = joined(bodies, "axle", "revolute", "ground", "rotor")
    spring = make_spring("coil", "rotational", axle.i, axle.j, k=0.05, natural=1.5)
    result = sheetmbs.run(space(bodies, [axle], springs=(spring,), t_end=2.0))
    assert np.abs(result.springs["coil.angle"] - result.joints["axle.angle"]).max() < 1e-9
    assert result.springs["coil.angle"].max() > 7.0
    assert np.abs(result.springs["coil.moment"] - 0.05 * (result.springs["coil.angle"] - 1.5)).max() < 1e-9


def test_reported_point_moves_in_space():
    made = tumbling(points=(Point("tip", Marker("top", np.array([0.0, 0.0, 1.0])), report=True),))
    result = sheetmbs.run(made)
    tip, centre = triples(result.points, "tip", "x y z"), triples(result.bodies, "top", "x y z")
    for angles, arm in zip(triples(result.bodies, "top", "yaw pitch roll"), tip - centre, strict=True):
        assert arm == pytest.approx(turned(*angles)[:, 2], abs=1e-9)


def test_workbook_units_reach_the_columns_of_space():
    display = Display(length=("mm", 1e-3), angle=("deg", np.pi / 180))
    plain, shown = sheetmbs.run(tumbling()).bodies, sheetmbs.run(tumbling(display=display)).bodies
    units = shown.attrs["units"]
    assert np.abs(shown["top.x"] - 1000.0 * plain["top.x"]).max() < 1e-9
    assert np.abs(shown["top.wy"] - np.degrees(plain["top.wy"])).max() < 1e-9
    assert [units[f"top.{column}"] for column in ("x", "e0", "yaw", "vz", "wy", "alphax")] == [
        *("mm", "1", "deg", "mm/s", "deg/s", "deg/s^2"),
    ]


def test_rows_of_directions_alone_have_no_metres():
    bodies = [rigid("flag")]
    joints = [
        joined(bodies, "square", "perpendicular", "ground", "flag", second=(1, 0, 0)),
        joined(bodies, "ball", "spherical", "ground", "flag"),
    ]
    units = sheetmbs.run(space(bodies, joints)).constraints.attrs["units"]
    assert (units["square.position"], units["ball.position"]) == ("rad", "m")


def pair(**settings):
    """Two tumbling rods on a ball joint, thrown into the air."""
    bodies = [
        rod("one", (0, 0, 0), (1, 0, 0), velocity=(1, 2, 3), angular_velocity=(1, 2, 3)),
        rod("two", (1, 0, 0), (1, 1, 0), mass=2.0, velocity=(1, 2, 3)),
    ]
    return bodies, [joined(bodies, "ball", "spherical", "one", "two", (1, 0, 0))], settings


def test_momenta_of_a_free_model_are_kept_and_listed():
    bodies, joints, _ = pair()
    result = sheetmbs.run(space(bodies, joints, t_end=2.0))
    assert result.summary["linear momentum drift"] < 1e-8
    assert result.summary["angular momentum drift"] < 1e-8
    velocity = sum(b.mass * triples(result.bodies, b.name, "vx vy vz") for b in bodies)
    fallen = np.outer(result.bodies["time"], [0.0, 0.0, -9.81 * 3.0])
    assert np.abs(velocity - velocity[0] - fallen).max() < 1e-8
    assert np.abs(velocity[0]).max() > 1.0


def test_drift_of_momentum_is_seen_where_there_is_one():
    """A long step of a poor method does not keep what the equations keep."""
    bodies, joints, _ = pair()
    made = space(bodies, joints, t_end=2.0, integrator="rk4", step=0.1)
    good = sheetmbs.run(space(bodies, joints, t_end=2.0)).summary["angular momentum drift"]
    assert sheetmbs.run(made).summary["angular momentum drift"] > 1e3 * good


def test_momenta_of_a_model_that_something_holds_are_not_listed():
    bodies, joints, _ = pair()
    tied = joined(bodies, "pin", "spherical", "ground", "one")
    anchor = make_spring("anchor", "translational", tied.i, tied.j, k=1.0)
    pushed = [replace(bodies[0], force=np.array([1.0, 0.0, 0.0])), bodies[1]]
    held = (space(bodies, [*joints, tied]), space(bodies, joints, springs=(anchor,)), space(pushed, joints))
    assert not any("linear momentum drift" in sheetmbs.run(each).summary for each in held)


def test_charts_of_a_large_model_are_few_and_show_joints_springs_and_the_points_chosen():
    bodies, joints, parts = [], [], {"points": (), "springs": ()}
    for k in range(20):
        links, hinges, _ = four_bar()
        bodies += [replace(link, name=f"{link.name} {k}") for link in links]
        for hinge in hinges:
            ends = [m if m.body == "ground" else replace(m, body=f"{m.body} {k}") for m in (hinge.i, hinge.j)]
            joints.append(Joint(f"{hinge.name} {k}", "revolute", *ends))
    parts["points"] = (Point("hub", Marker("crank 3", np.zeros(3)), report=True),)
    parts["springs"] = (make_spring("strut", "translational", Marker("ground"), Marker("crank 3", np.zeros(3)), k=5.0),)
    charts = sheetmbs.run(space(bodies, joints, t_end=0.1, **parts)).sheets.charts
    assert Chart("Position of point hub", "time", ("hub.x", "hub.y", "hub.z")) in charts
    assert charts[0].title == "Angles of joints"
    assert len(charts) < 20
    assert {"Spring forces", "Energies", "Angles of joints"} <= {chart.title for chart in charts}
