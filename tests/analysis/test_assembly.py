"""Assembly from poor starts: the nearest configuration, how far bodies moved, flipped axes and other branches."""

from dataclasses import replace

import numpy as np
import pytest
import xlsxwriter
from scipy.spatial.transform import Rotation

import sheetmbs
from sheetmbs.analysis.start.assembly import flipped
from sheetmbs.elements.marker import Marker, triad
from sheetmbs.lower import lower
from sheetmbs.model.model import Display, Joint
from tests.support.mechanisms import bar, hinge, model, on, slide_axes
from tests.support.spatial_mechanisms import bricard, euler_of, four_bar, rigid, space, turned, wishbone

UP_Y = triad(np.array([0.0, 1.0, 0.0]))
DOWN_Y = triad(np.array([0.0, -1.0, 0.0]))


def codes(result):
    return [problem.code for problem in result.sheets.problems]


def problem_of(result, code):
    return next(problem for problem in result.sheets.problems if problem.code == code)


def moved_lines(result):
    return {item: value for item, value, _unit in result.sheets.summary if "moved to assemble" in item}


def held(kind, roll, axes=UP_Y):
    """A body half a metre from its joint on ground, rolled about x from the pose in which the axes agree."""
    bob = rigid("bob", (0.3, 0.0, -0.2), (0.0, 0.0, np.radians(roll)))
    return space(
        [bob], [Joint("pin", kind, Marker("ground", np.zeros(3), UP_Y), Marker("bob", np.array([-0.5, 0, 0]), axes))]
    )


def cosine_of_axes(result, axis=1):
    """Between the global axis and that of the body, in the first row."""
    yaw, pitch, roll = result.bodies[["bob.yaw", "bob.pitch", "bob.roll"]].iloc[0]
    return turned(yaw, pitch, roll)[axis, axis]


def disturbed(made, seed, shift, turn):
    """The model with all poses off by normally distributed shifts (m) and turns (rad)."""
    rng = np.random.default_rng(seed)
    bodies = []
    for body in made.bodies:
        euler = body.euler + 0.5 * turn * rng.standard_normal(4)
        position = body.position + shift * rng.standard_normal(3)
        bodies.append(replace(body, position=position, euler=euler / np.linalg.norm(euler)))
    return replace(made, bodies=tuple(bodies))


@pytest.mark.parametrize("kind", ["revolute", "cylindrical", "translational", "fixed", "screw", "parallel", "planar"])
def test_start_within_a_right_angle_finds_the_axes_the_right_way_round(kind):
    made = held(kind, 60.0)
    made = replace(made, joints=(replace(made.joints[0], values={"pitch": 0.1} if kind == "screw" else {}),))
    result = sheetmbs.run(made)
    assert result.status == "done"
    assert "flipped" not in codes(result)
    assert cosine_of_axes(result) == pytest.approx(1.0, abs=1e-9)
    assert result.constraints["position_violation"].iloc[0] < 1e-10


@pytest.mark.parametrize("roll", [110.0, 130.0, -120.0])
@pytest.mark.parametrize("kind", ["revolute", "cylindrical", "translational", "fixed"])
def test_axes_that_would_meet_the_wrong_way_round_are_turned_about_and_named(kind, roll):
    result = sheetmbs.run(held(kind, roll))
    assert result.status == "done"
    assert cosine_of_axes(result) == pytest.approx(1.0, abs=1e-9)
    problem = problem_of(result, "flipped")
    assert problem.severity == "warning"
    assert "pin" in problem.found


def test_joint_that_closes_only_with_opposite_axes_stops_the_run_and_is_named():
    bob = rigid("bob", angles=(0.0, 0.0, np.radians(100.0)))
    far = np.array([0.0, 0.5, 0.0])
    joints = [
        Joint("good", "revolute", Marker("ground", np.zeros(3), UP_Y), Marker("bob", np.zeros(3), UP_Y)),
        Joint("bad", "cylindrical", Marker("ground", far, UP_Y), Marker("bob", far, DOWN_Y)),
    ]
    result = sheetmbs.run(space([bob], joints))
    assert result.status == "failed"
    problem = problem_of(result, "flipped")
    assert problem.severity == "error"
    assert "bad" in problem.found
    assert "good" not in problem.found
    assert len(result.bodies) == 0


def test_opposite_axes_that_the_workbook_gives_are_left_as_they_are_with_a_note():
    """The body hangs from an axis written with the other sign: a hinge does not mind, and its body must not be turned over."""
    bob = rigid("bob", (0.5, 0.0, 0.0))
    pin = Joint("pin", "revolute", Marker("ground", np.zeros(3), UP_Y), Marker("bob", np.array([-0.5, 0, 0]), DOWN_Y))
    right = replace(pin, j=replace(pin.j, axes=UP_Y))
    one, two = (sheetmbs.run(space([bob], [joint])) for joint in (pin, right))
    assert np.abs(one.bodies - two.bodies).max().max() < 1e-9
    assert problem_of(one, "opposite-axes").severity == "note"
    assert codes(two) == []
    assert moved_lines(one) == {}


def test_slide_of_the_plane_is_turned_about_too():
    """Given 130 degrees from its rail, the slide would close upside down."""
    rail = Joint("rail", "translational", on("ground", axes=slide_axes(0.0)), on("bob", axes=slide_axes(0.0)))
    bob = bar("bob", (0.0, 0.3), (np.cos(np.radians(130.0)), 0.3 + np.sin(np.radians(130.0))))
    result = sheetmbs.run(model((bob,), (rail,)))
    assert np.cos(result.bodies["bob.phi"].iloc[0]) == pytest.approx(1.0, abs=1e-9)
    assert "flipped" in codes(result)


def test_every_body_that_moved_is_listed_with_its_way_and_its_angle_largest_first():
    bodies = [rigid("near", (0.01, 0.0, 0.0)), rigid("far", (0.0, 0.3, 0.0), (0.5, 0.0, 0.0)), rigid("exact")]
    fixed = [
        Joint(f"weld {b.name}", "fixed", Marker("ground", np.zeros(3)), Marker(b.name, np.zeros(3))) for b in bodies
    ]
    display = Display(length=("mm", 1e-3))
    result = sheetmbs.run(space(bodies, fixed, display=display, analysis="kinematic"))
    angle = f"{np.degrees(0.5):.3g} deg"
    assert moved_lines(result) == {
        "moved to assemble: far": f"300 mm and {angle}",
        "moved to assemble: near": "10 mm and 0 deg",
    }
    assert next(iter(moved_lines(result))) == "moved to assemble: far"
    problem = problem_of(result, "moved")
    assert f"far (by 300 mm and {angle})" in problem.found
    assert "exact" not in problem.found


def test_list_of_moved_bodies_ends_with_a_number_where_there_are_many():
    bodies = [rigid(f"body {k}", (0.1, 0.0, 0.0)) for k in range(13)]
    fixed = [
        Joint(f"weld {b.name}", "fixed", Marker("ground", np.zeros(3)), Marker(b.name, np.zeros(3))) for b in bodies
    ]
    result = sheetmbs.run(space(bodies, fixed, analysis="kinematic"))
    assert len(moved_lines(result)) == 11
    assert result.summary["further bodies moved to assemble"] == 3


def test_assembled_start_moves_nothing_and_says_nothing():
    bodies, joints, _ = wishbone()
    result = sheetmbs.run(space(bodies, joints))
    assert moved_lines(result) == {}
    assert codes(result) == []


def test_body_that_turned_past_a_quarter_turn_may_stand_on_another_branch_and_is_named():
    result = sheetmbs.run(held("fixed", 100.0))
    problem = problem_of(result, "branch")
    assert problem.severity == "warning"
    assert "bob" in problem.found
    assert "branch" not in codes(sheetmbs.run(held("fixed", 80.0)))


def test_four_bar_given_on_the_other_side_of_its_base_says_that_it_may_be_on_another_branch():
    """Coupler and rocker are given folded over: their only closed positions near by are far from there."""
    bodies = (bar("crank", (0, 0), (1, 0)), bar("coupler", (1, 0), (4.4, 0.3)), bar("rocker", (4, 0), (4, 3)))
    joints = (
        hinge("A", on("ground"), on("crank", -0.5)),
        hinge("B", on("crank", 0.5), on("coupler", 1.75)),
        hinge("C", on("coupler", -1.75), on("rocker", 1.5)),
        hinge("D", on("ground", 4.0), on("rocker", -1.5)),
    )
    result = sheetmbs.run(model(bodies, joints))
    assert result.status == "done"
    assert "coupler" in problem_of(result, "branch").found


@pytest.mark.parametrize("seed", range(4))
def test_poor_poses_of_a_linkage_are_assembled_the_right_way_round(seed):
    bodies, joints, _ = wishbone()
    result = sheetmbs.run(disturbed(space(bodies, joints), seed, 0.05, 0.3))
    assert result.status == "done"
    assert result.constraints["position_violation"].iloc[0] < 1e-10
    assert "flipped" not in codes(result)
    assert "moved" in codes(result)


@pytest.mark.parametrize(("mechanism", "redundant"), [(bricard(), "1: "), (space(*four_bar()[:2]), "3: ")])
def test_redundant_constraints_are_found_from_a_start_in_which_no_joint_is_closed(mechanism, redundant):
    exact = sheetmbs.run(mechanism)
    rough = sheetmbs.run(disturbed(mechanism, 7, 0.01, 0.02))
    assert "moved" in codes(rough)
    assert rough.summary["redundant constraints"] == exact.summary["redundant constraints"]
    assert rough.summary["redundant constraints"].startswith(redundant)
    assert rough.summary["degrees of freedom"] == 1


def test_orientation_and_its_negative_euler_parameters_are_no_turn():
    bob = rigid("bob", (0.5, 0.0, 0.0), (0.0, 0.2, 0.0))
    negative = replace(bob, euler=-euler_of(0.0, 0.2, 0.0))
    pin = Joint("pin", "spherical", Marker("ground", np.zeros(3)), Marker("bob", turned(0.0, 0.2).T @ [-0.5, 0.0, 0.0]))
    results = [sheetmbs.run(space([body], [pin])) for body in (bob, negative)]
    assert moved_lines(results[0]) == moved_lines(results[1]) == {}
    angles = [result.bodies[["bob.yaw", "bob.pitch", "bob.roll"]] for result in results]
    assert np.abs(angles[0] - angles[1]).max().max() < 1e-9


@pytest.mark.parametrize("yaw", [100.0, 130.0, 180.0, 230.0])
def test_slide_written_in_body_axes_is_assembled_from_any_pose(yaw, tmp_path):
    """The first axes of a slide's markers follow the pose given, so that they say nothing about a flip."""
    sheets = {
        "Settings": [
            ["setting", "value"],
            ["analysis", "kinematic"],
            ["t_end", 1],
            ["t_step", 0.5],
            ["dimension", "3D"],
        ],
        "Bodies": [["name", "x", "y", "yaw [deg]"], ["bob", 0.2, 0.1, yaw]],
        "Points": [["name", "x", "y"], ["foot", 0, 0]],
        "Joints": [
            ["name", "type", "body_i", "body_j", "xi_i", "xi_j", "axis_i_xi", "axis_i_eta", "axis_j_xi", "axis_j_eta"],
            ["rail", "translational", "ground", "bob", 0, 0, 1, 0, 1, 0],
        ],
        "Drivers": [["name", "joint", "coordinate", "position", "velocity"], ["push", "rail", "displacement", 0.5, 1]],
    }
    book = xlsxwriter.Workbook(str(tmp_path / "slide.xlsx"))
    for name, rows in sheets.items():
        sheet = book.add_worksheet(name)
        for number, row in enumerate(rows):
            sheet.write_row(number, 0, row)
    book.close()
    result = sheetmbs.run(sheetmbs.read(tmp_path / "slide.xlsx"))
    assert result.status == "done"
    axis = turned(*np.radians(result.bodies[["bob.yaw", "bob.pitch", "bob.roll"]].iloc[0]))[:, 0]
    assert axis == pytest.approx([-1.0 if yaw == 180.0 else 1.0, 0.0, 0.0], abs=1e-9)
    assert ("opposite-axes" in codes(result)) == (yaw == 180.0)


def pinned(base, *turns):
    """Two bodies on a pin, one way (a rotation vector) of standing in space, each then turned across the pin, in degrees."""
    base = Rotation.from_rotvec(base)
    each = (base * Rotation.from_rotvec([np.radians(turn), 0.0, 0.0]) for turn in turns)
    bodies = [
        replace(rigid(name), euler=turn.as_quat(scalar_first=True)) for name, turn in zip("ij", each, strict=True)
    ]
    return lower(space(bodies, [Joint("pin", "revolute", Marker("i"), Marker("j"))]))


EVEN = np.full(3, 2.0 * np.pi / np.sqrt(27.0))
"""a way to stand that has four equal Euler parameters: a turn from there changes none of them much"""


@pytest.mark.parametrize("base", [[0.4, -0.7, 1.1], EVEN])
@pytest.mark.parametrize("share", [0.0, 0.3, 0.5])
@pytest.mark.parametrize(("angle", "names"), [(91.0, ["pin"]), (154.0, ["pin"]), (154.5, []), (179.0, [])])
def test_axes_that_came_to_be_opposite_are_found_however_bodies_shared_the_turn(angle, names, share, base):
    """From 154.2 degrees on they count as given so; the 26 that are left turn two bodies by no less than 13 each."""
    left = 180.0 - angle
    given, closed = pinned(base, 0.0, angle), pinned(base, -share * left, angle + (1.0 - share) * left)
    assert [joint.name for joint in flipped(given, given.bodies.q, closed.bodies.q)] == names
