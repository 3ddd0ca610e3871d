"""Degrees of freedom in space, redundant constraints, idle rotations, and rods without inertia about their own axis."""

from dataclasses import replace

import numpy as np
import pytest

import sheetmbs
from sheetmbs.elements import JOINTS
from sheetmbs.elements.joints.distance import DISTANCE
from sheetmbs.elements.marker import Marker
from sheetmbs.elements.recipe import Z, in_plane
from sheetmbs.model.model import Force, Joint
from sheetmbs.problems.errors import WorkbookError
from tests.support.joint_freedoms import REMAINING
from tests.support.mechanisms import double_pendulum
from tests.support.spatial_mechanisms import bricard, four_bar, joined, rigid, rod, space, turning, wishbone

NOTHING = (0.0, 0.0, 0.0)
TIE_ROD = "tie rod (about its own axis)"


def driven(bodies, joints, *, analysis="kinematic", **more):
    return space(bodies, joints, drivers=(turning("pivot", 0.5),), analysis=analysis, **more)


@pytest.mark.parametrize("kind", REMAINING)
def test_joint_in_space_leaves_as_many_freedoms_as_the_book_says(kind):
    bodies = [rigid("a", angles=(0.3, 0.2, 0.1)), rigid("b", (1, 2, 3), (-0.5, 0.4, 1.0))]
    second = (1, 0, 0) if JOINTS[kind].second_axis == "needed" else None
    to = {"distance": (1.3, 2.2, 0.1), "wheel-on-road": (0.9, 0.7, 0.7)}.get(kind)
    joint = joined(
        bodies,
        "joint",
        kind,
        "a",
        "b",
        (0.2, 0.1, 0.4),
        (0, 0, 1),
        second=second,
        to=to,
        values={"pitch": 0.1, "radius": 0.3},
    )
    base = joined(bodies, "base", "fixed", "ground", "a")
    summary = sheetmbs.run(space(bodies, [base, joint], t_end=0.1)).summary
    assert summary["degrees of freedom"] == REMAINING[kind]
    assert summary["redundant constraints"] == 0


@pytest.fixture
def swinging_link(monkeypatch):
    """A joint made up here: a link that swings in a plane fixed in body i, two rows."""
    rows = (*DISTANCE.rows, in_plane(Z))
    swinging = replace(DISTANCE, name="swinging link", rows=rows, axis=("3D",))
    monkeypatch.setitem(JOINTS, swinging.name, swinging)
    return swinging.name


@pytest.mark.parametrize("analysis", ["dynamic", "equilibrium"])
def test_driver_of_a_coordinate_takes_the_place_of_the_row_that_holds_it_alone(swinging_link, analysis):
    """Rows of |d| = 1 + 0.2 t and d . n = 0 take two freedoms of a body away, as |d| = 1 and d . n = 0 do."""
    bodies = [rigid("load", (0.6, 0.3, -0.8))]
    link = joined(bodies, "link", swinging_link, "ground", "load", (0, 0.3, 0), (0, 1, 0), to=(0.6, 0.3, -0.8))
    driver = turning("link", 0.2, 1.0, coordinate="distance")
    for drivers in ((), (driver,)):
        result = sheetmbs.run(space(bodies, [link], drivers=drivers, analysis=analysis, gravity=(0.5, 2.0, -9.81)))
        assert result.status == "done"
        assert result.summary["degrees of freedom"] == 4
        frame = result.bodies
        length = 1.0 + (0.2 * frame["time"] if drivers else 0.0)
        assert np.abs(np.hypot(frame["load.x"], frame["load.z"]) - length).max() < 1e-9
        assert np.abs(frame["load.y"] - 0.3).max() < 1e-9
        held = result.joints["link.j.fy"]  # 1 kg in the plane, under gravity across it
        assert np.abs(held + 2.0).max() < 1e-6


def test_each_row_that_holds_a_coordinate_is_the_only_one_of_a_joint_that_has_it():
    for joint in JOINTS.values():
        held = [row.holds for row in joint.rows if row.holds]
        assert len(held) == len(set(held))
        assert set(held) <= set(joint.coordinates)


def test_bricard_mechanism_moves_with_one_freedom_and_names_the_hinges_of_its_redundancy():
    result = sheetmbs.run(bricard(t_end=2.0))
    assert result.status == "done"
    assert result.summary["degrees of freedom"] == 1
    names = ", ".join(f"hinge {k}" for k in range(1, 7))
    assert result.summary["redundant constraints"] == f"1: {names}"
    assert result.constraints["position_violation"].max() < 1e-9
    assert abs(result.bodies["rod 3.x"].iloc[-1] - result.bodies["rod 3.x"].iloc[0]) > 0.1


def test_planar_four_bar_in_space_has_three_redundant_constraints_and_none_with_a_ball_and_a_sleeve():
    bodies, joints, _ = four_bar()
    hinged = sheetmbs.run(space(bodies, joints)).summary
    eased = [joints[0], replace(joints[1], type="spherical"), replace(joints[2], type="cylindrical"), joints[3]]
    free = sheetmbs.run(space(bodies, eased)).summary
    assert (hinged["degrees of freedom"], hinged["redundant constraints"]) == (1, "3: A, B, C, D")
    assert (free["degrees of freedom"], free["redundant constraints"]) == (1, 0)


def test_four_bar_moves_alike_with_and_without_its_redundant_constraints():
    bodies, joints, _ = four_bar()
    eased = [joints[0], replace(joints[1], type="spherical"), replace(joints[2], type="cylindrical"), joints[3]]
    one, two = (sheetmbs.run(space(bodies, chosen)).bodies for chosen in (joints, eased))
    assert np.abs(one - two).max().max() < 1e-6


def test_idle_rotation_of_a_tie_rod_stops_no_kinematic_analysis_and_is_told():
    bodies, joints, _ = wishbone()
    result = sheetmbs.run(driven(bodies, joints))
    assert result.summary["degrees of freedom"] == 1
    assert result.summary["idle rotations"] == TIE_ROD
    frame = result.bodies
    arm = 0.4 * np.stack((0 * frame["time"], np.cos(0.5 * frame["time"]), np.sin(0.5 * frame["time"])), axis=1)
    length = np.hypot(0.1, 0.5)
    height = arm[:, 2] + np.sqrt(length**2 - 0.1**2 - (0.4 - arm[:, 1]) ** 2)
    assert np.abs(frame["slider.z"] - height).max() < 1e-9


def test_idle_rotation_keeps_still():
    bodies, joints, _ = wishbone()
    frame = sheetmbs.run(driven(bodies, joints, t_end=4.0, t_step=0.02)).bodies
    along = np.array([0.1, 0.0, 0.5]) / np.hypot(0.1, 0.5)
    spin = frame[["tie rod.wx", "tie rod.wy", "tie rod.wz"]].to_numpy() @ along
    assert np.abs(spin).max() < 1e-9
    assert np.abs(frame["tie rod.wx"]).max() > 0.1


def test_driver_of_a_linkage_with_an_idle_rod_supplies_the_energy_it_gains():
    bodies, joints, _ = wishbone()
    result = sheetmbs.run(driven(bodies, joints, analysis="inverse dynamic", t_step=1e-3))
    energy, power = result.constraints["total_energy"].to_numpy(), result.drivers["drive pivot.power"].to_numpy()
    assert np.abs((energy[2:] - energy[:-2]) / 2e-3 - power[1:-1]).max() < 1e-4
    assert np.ptp(power) > 0.1
    assert result.summary["idle rotations"] == TIE_ROD
    assert not result.sheets.problems


def without_masses(bodies):
    return [replace(each, position=np.zeros(3), mass=None, inertia=None) for each in bodies]


def bent(bodies):
    """The tie rod with its centre of mass 0.1 m off the line through its ends."""
    return [
        replace(each, position=each.position + (each.name == "tie rod") * np.array([0.0, 0.1, 0.0])) for each in bodies
    ]


def rebuilt(bodies):
    """The joints of the linkage on bodies whose frames stand elsewhere."""
    return [
        joined(bodies, "pivot", "revolute", "ground", "lower arm", (0, 0, 0), (1, 0, 0)),
        joined(bodies, "inner ball", "spherical", "lower arm", "tie rod", (0, 0.4, 0)),
        joined(bodies, "outer ball", "spherical", "tie rod", "slider", (0.1, 0.4, 0.5)),
        joined(bodies, "rail", "translational", "ground", "slider", (0.1, 0.4, 0.5), (0, 0, 1)),
    ]


@pytest.mark.parametrize("change", [without_masses, bent])
def test_motion_does_not_depend_on_where_the_frame_of_an_idle_rod_stands(change):
    bodies, joints, _ = wishbone()
    changed = change(bodies)
    one, two = (sheetmbs.run(driven(b, j)) for b, j in ((bodies, joints), (changed, rebuilt(changed))))
    assert two.summary["idle rotations"] == TIE_ROD
    assert np.abs(one.joints["rail.displacement"] - two.joints["rail.displacement"]).max() < 1e-9
    assert np.abs(one.joints["rail.rate"] - two.joints["rail.rate"]).max() < 1e-9


def test_rod_whose_weight_turns_it_is_not_idle_where_forces_count():
    changed = bent(wishbone()[0])
    with pytest.raises(WorkbookError, match="1 degree of freedom is not driven: tie rod can still move"):
        sheetmbs.run(driven(changed, rebuilt(changed), analysis="inverse dynamic"))


def test_moment_about_an_idle_axis_is_told_as_unbalanced():
    bodies, joints, _ = wishbone()
    push = Force("push", Marker("tie rod", np.array([0.05, 0.0, 0.0])), (0.0, 100.0, 0.0), NOTHING)
    result = sheetmbs.run(driven(bodies, joints, analysis="inverse dynamic", forces=(push,)))
    assert [problem.code for problem in result.sheets.problems] == ["unbalanced"]
    assert "tie rod" in result.sheets.problems[0].found


def strut(between, top="spherical", bottom="spherical"):
    """A driven arm that pushes a strut of tube and rod against ground."""
    bodies = [
        rod("arm", (0, 0, 0), (0, 1, 0)),
        rod("tube", (0, 1, 0), (0, 1, 0.5)),
        rod("shaft", (0, 1, 0.5), (0, 1, 1)),
    ]
    return bodies, [
        joined(bodies, "pivot", "revolute", "ground", "arm", (0, 0, 0), (1, 0, 0)),
        joined(bodies, "foot", bottom, "arm", "tube", (0, 1, 0), (1, 0, 0)),
        joined(bodies, "sleeve", between, "tube", "shaft", (0, 1, 0.5), (0, 0, 1)),
        joined(bodies, "head", top, "shaft", "ground", (0, 1, 1)),
    ]


@pytest.mark.parametrize(
    ("between", "bottom", "idle"),
    [
        ("translational", "spherical", "tube and shaft (about their own axis)"),
        ("cylindrical", "spherical", "tube (about its own axis), shaft (about its own axis)"),
        ("cylindrical", "revolute", "shaft (about its own axis)"),
    ],
)
def test_struts_turn_idly_with_what_they_carry(between, bottom, idle):
    bodies, joints = strut(between, bottom=bottom)
    result = sheetmbs.run(driven(bodies, joints))
    assert result.status == "done"
    assert result.summary["idle rotations"] == idle


@pytest.mark.parametrize(
    ("kind", "position"),
    [("revolute", (0, 0, 0)), ("revolute", (1, 0, 0)), ("spherical", (1, 0, 0)), ("universal", (1, 0, 0))],
)
def test_rotor_gate_and_pendulum_are_not_idle(kind, position):
    bodies = [rigid("thing", position)]
    joint = joined(bodies, "joint", kind, "ground", "thing", second=(1, 0, 0) if kind == "universal" else None)
    with pytest.raises(WorkbookError, match="thing can still move") as raised:
        sheetmbs.run(space(bodies, [joint], analysis="kinematic"))
    assert raised.value.problems[0].code == "under-driven"


def test_freedoms_to_be_driven_do_not_count_idle_rotations():
    bodies, joints, _ = wishbone()
    with pytest.raises(WorkbookError, match="1 degree of freedom is not driven"):
        sheetmbs.run(space(bodies, joints, analysis="kinematic"))


def test_rods_without_inertia_about_their_axis_swing_on_balls_as_a_planar_double_pendulum():
    bodies = [rod("upper", (0, 0, 0), (1, 0, 0), width=0.0), rod("lower", (1, 0, 0), (2, 0, 0), mass=0.5, width=0.0)]
    joints = [
        joined(bodies, "top", "spherical", "ground", "upper", (0, 0, 0)),
        joined(bodies, "elbow", "spherical", "upper", "lower", (1, 0, 0)),
    ]
    spatial = sheetmbs.run(space(bodies, joints))
    planar = sheetmbs.run(double_pendulum())
    for name in ("upper", "lower"):
        assert np.abs(spatial.bodies[f"{name}.x"] - planar.bodies[f"{name}.x"]).max() < 1e-6
        assert np.abs(spatial.bodies[f"{name}.z"] - planar.bodies[f"{name}.y"]).max() < 1e-6
        assert np.abs(spatial.bodies[f"{name}.y"]).max() < 1e-9
    assert "upper" in spatial.summary["without mass or inertia"]


def test_force_beside_the_axis_of_a_rod_without_inertia_about_it_is_refused_and_one_on_it_is_not():
    bodies = [rod("bar", (0, 0, 0), (1, 0, 0), width=0.0)]
    joints = [joined(bodies, "ball", "spherical", "ground", "bar", (0, 0, 0))]
    beside, on_axis = (
        Force("push", Marker("bar", np.array(point)), (0.0, 1.0, 0.0), NOTHING) for point in ((0, 0, 0.1), (0.5, 0, 0))
    )
    with pytest.raises(WorkbookError, match="the inertia of bar is 0"):
        sheetmbs.run(space(bodies, joints, forces=(beside,)))
    assert sheetmbs.run(space(bodies, joints, forces=(on_axis,))).status == "done"


def test_point_mass_without_inertia_swings_on_a_thread_and_keeps_its_spin():
    bob = rigid("bob", (1, 0, 0), inertia=NOTHING, angular_velocity=(0, 0, 2.0))
    thread = Joint("thread", "distance", Marker("ground", np.zeros(3)), Marker("bob", np.zeros(3)))
    frame = sheetmbs.run(space([bob], [thread], t_end=2.0)).bodies
    speed = frame["bob.vx"] ** 2 + frame["bob.vz"] ** 2
    assert np.abs(speed + 2 * 9.81 * frame["bob.z"]).max() < 1e-6
    assert np.abs(frame["bob.yaw"] - 2.0 * frame["time"]).max() < 1e-8


def test_body_that_nothing_holds_and_without_mass_is_named():
    with pytest.raises(WorkbookError, match="the mass of ghost is 0"):
        sheetmbs.run(space([rigid("solid"), rigid("ghost", mass=0.0, inertia=NOTHING)]))


def test_body_without_inertia_blank_is_named_but_for_a_kinematic_analysis():
    bodies, joints, _ = wishbone()
    blank = [replace(bodies[0], inertia=None), *bodies[1:]]
    with pytest.raises(WorkbookError, match="lower arm has no inertia"):
        sheetmbs.run(space(blank, joints))
    assert sheetmbs.run(driven(blank, joints)).status == "done"
