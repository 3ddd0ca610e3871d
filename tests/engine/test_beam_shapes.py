"""Static shapes of beams: loads at ends and inner places bend beams as theory says, however few modes there are."""

import numpy as np
import pytest

import sheetmbs
from sheetmbs.elements.beam_shapes import ENDS
from tests.support.beam_books import beam_book, frame_points

EI, LENGTH = 100.0, 1.0
CANTILEVER = [["name", "type", "body_i", "body_j", "point"], ["wall", "fixed", "ground", "arm", "root"]]
PINS = [*CANTILEVER[:1], ["i", "revolute", "ground", "arm", "root"], ["j", "revolute", "ground", "arm", "end"]]
WALLS = [PINS[0], *([name, "fixed", *rest] for name, _, *rest in PINS[1:])]
PLACES = {"root": 0.0, "quarter": 0.25, "middle": 0.5, "end": 1.0}


def arm(**more):
    return {"name": "arm", "length": LENGTH, "EI": EI, "mass_per_length": 0.8} | more


def at_rest(tmp_path, beams, joints, forces, points=None, **settings):
    settings = {"analysis": "equilibrium", "gravity_y": 0} | settings
    points = frame_points("arm", PLACES) if points is None else points
    path = beam_book(tmp_path, settings, beams, Joints=joints, Forces=forces, Points=points)
    return sheetmbs.run(sheetmbs.read(path))


def load(point, body="arm", **parts):
    return [["name", "body", "point", *parts], ["load", body, point, *parts.values()]]


@pytest.mark.parametrize("modes", [1, 2, 10])
@pytest.mark.parametrize("ends", ENDS)
def test_a_cantilever_bends_under_a_moment_and_a_force_at_its_end(tmp_path, ends, modes):
    size = 1e-4  # so small that what slopes do to second order is below 1e-9
    turned = at_rest(tmp_path, [arm(ends=ends, modes=modes)], CANTILEVER, load("end", moment=size))
    pressed = at_rest(tmp_path, [arm(ends=ends, modes=modes)], CANTILEVER, load("end", fy=size))
    assert turned.points["end.y"][0] / (size / (2.0 * EI)) == pytest.approx(1.0, abs=1e-9)
    assert pressed.points["end.y"][0] / (size / (3.0 * EI)) == pytest.approx(1.0, abs=1e-9)
    for name, place in PLACES.items():
        assert turned.points[f"{name}.moment"][0] / size == pytest.approx(1.0, abs=1e-9)
        assert turned.points[f"{name}.shear"][0] / size == pytest.approx(0.0, abs=1e-9)
        assert pressed.points[f"{name}.moment"][0] / size == pytest.approx(1.0 - place, abs=1e-9)
        assert pressed.points[f"{name}.shear"][0] / size == pytest.approx(-1.0, abs=1e-9)


@pytest.mark.parametrize("ends", ENDS)
def test_a_moment_at_a_pin_bends_a_beam_on_two_pins(tmp_path, ends):
    """Slopes ML/(3 EI) where it acts, -ML/(6 EI) at the other pin; deflection ML^2/(16 EI) in the middle."""
    size = 1e-4
    found = at_rest(tmp_path, [arm(ends=ends)], PINS, load("end", moment=size))
    joints = found.joints
    assert joints["i.angle"][0] / (-size / (6.0 * EI)) == pytest.approx(1.0, abs=1e-9)
    assert joints["j.angle"][0] / (size / (3.0 * EI)) == pytest.approx(1.0, abs=1e-9)
    assert found.points["middle.y"][0] / (-size / (16.0 * EI)) == pytest.approx(1.0, abs=1e-9)
    assert found.points["quarter.moment"][0] / size == pytest.approx(0.25, abs=1e-9)
    assert found.summary["beams by the linear theory"].startswith("arm:")


@pytest.mark.parametrize("count", [2, 4, 8, 16])
def test_a_cantilever_that_is_cut_into_beams_bends_as_a_whole_one(tmp_path, count):
    size, part = 1e-3, LENGTH / count
    beams = [arm(name=f"b{k}", length=part, x=k * part) for k in range(count)]
    points = [["name", "body", "x", "y", "frame", "report"], ["p0", None, 0, 0, "global", None]]
    points += [[f"p{k}", f"b{k - 1}", part, 0, "body", "yes"] for k in range(1, count + 1)]
    points.append(["root", "b0", 0, 0, "body", "yes"])
    joints = [[*CANTILEVER[0]], ["wall", "fixed", "ground", "b0", "p0"]]
    joints += [[f"j{k}", "fixed", f"b{k - 1}", f"b{k}", f"p{k}"] for k in range(1, count)]
    found = at_rest(tmp_path, beams, joints, load(f"p{count}", f"b{count - 1}", fy=size), points).points
    assert found[f"p{count}.y"][0] / (size / (3.0 * EI)) == pytest.approx(1.0, abs=1e-9)
    assert found["root.moment"][0] / size == pytest.approx(1.0, abs=1e-9)
    assert found["root.shear"][0] / size == pytest.approx(-1.0, abs=1e-9)
    assert found["p1.moment"][0] / size == pytest.approx(1.0 - part, abs=1e-9)


@pytest.mark.parametrize(
    ("joints", "deflection", "moment", "root"),
    [(PINS, 1 / 48, -0.25, 0.0), (WALLS, 1 / 192, -0.125, 0.125)],
    ids=["pins", "walls"],
)
def test_a_force_in_the_middle_bends_a_beam_that_is_held_at_both_ends(tmp_path, joints, deflection, moment, root):
    size = 1e-2
    found = at_rest(tmp_path, [arm()], joints, load("middle", fy=size)).points
    assert found["middle.y"][0] / (size * deflection / EI) == pytest.approx(1.0, abs=1e-9)
    assert found["middle.moment"][0] / size == pytest.approx(moment, abs=1e-9)
    assert found["root.moment"][0] / size == pytest.approx(root, abs=1e-9)
    assert found["end.moment"][0] / size == pytest.approx(root, abs=1e-9)
    assert found["quarter.shear"][0] / size == pytest.approx(-0.5, abs=1e-9)


def test_an_axial_force_stretches_a_beam_exactly(tmp_path):
    force, stiff = 6.0, 300.0
    found = at_rest(tmp_path, [arm(EA=stiff, modes=1)], CANTILEVER, load("end", fx=force)).points
    assert found["end.x"][0] - LENGTH == pytest.approx(force * LENGTH / stiff, rel=1e-9)
    assert found["middle.x"][0] - 0.5 * LENGTH == pytest.approx(0.5 * force * LENGTH / stiff, rel=1e-9)
    assert [found[f"{name}.axial"][0] for name in PLACES] == pytest.approx([force] * 4, rel=1e-9)


def test_its_own_weight_leaves_a_cantilever_in_equilibrium_everywhere(tmp_path):
    found = at_rest(tmp_path, [arm(EI=1e6)], CANTILEVER, None, gravity_y=-9.81).points
    weight = 0.8 * 9.81
    for name, place in PLACES.items():
        left = LENGTH - place
        assert found[f"{name}.moment"][0] == pytest.approx(-weight * left**2 / 2.0, abs=1e-9)
        assert found[f"{name}.shear"][0] == pytest.approx(weight * left, abs=1e-9)


def test_a_portal_frame_sways_as_slope_deflection_says(tmp_path):
    """Clamped columns of height h and a beam of length l = k h, all of one EI and inextensible, under a force P at a corner.

    Sway P h^3/(12 EI) (3 + 2 k)/(6 + k), moment at the feet P h/2 (3 + k)/(6 + k); what P does to second order is 1e-7 of it.
    """
    size, h, length = 1e-3, 1.0, 1.5
    beams = [
        arm(name="left", length=h, phi=np.pi / 2),
        arm(name="top", length=length, y=h),
        arm(name="right", length=h, x=length, y=h, phi=-np.pi / 2),
    ]
    points = [
        ["name", "body", "x", "y", "frame", "report"],
        *(["a", None, 0, 0, "global", None], ["d", None, length, 0, "global", None]),
        *(["b", None, 0, h, "global", None], ["c", None, length, h, "global", None]),
        *(["corner", "top", 0, 0, "body", "yes"], ["foot", "left", 0, 0, "body", "yes"]),
    ]
    joints = [
        CANTILEVER[0],
        ["A", "fixed", "ground", "left", "a"],
        ["B", "fixed", "left", "top", "b"],
        ["C", "fixed", "top", "right", "c"],
        ["D", "fixed", "right", "ground", "d"],
    ]
    found = at_rest(tmp_path, beams, joints, load("corner", "top", fx=size), points)
    k = length / h
    sway = size * h**3 / (12.0 * EI) * (3.0 + 2.0 * k) / (6.0 + k)
    assert found.points["corner.x"][0] / sway == pytest.approx(1.0, abs=3e-7)
    assert abs(found.points["foot.moment"][0]) / (0.5 * size * h * (3.0 + k) / (6.0 + k)) == pytest.approx(
        1.0, abs=3e-7
    )


@pytest.mark.parametrize("modes", [1, 2, 5])
def test_a_continuous_beam_has_the_moment_of_three_moments_over_its_middle_support(tmp_path, modes):
    """Two spans, each with a force in its middle: moment 3 F l/16 over the support between them."""
    size = 1e-2
    points = frame_points("arm", {"a": 0.0, "b": 0.5, "c": 1.0, "left": 0.25, "right": 0.75})
    links = [
        ["name", "type", "body_i", "body_j", "point", "point_i", "point_j"],
        ["a", "revolute", "ground", "arm", "a", None, None],
    ]
    links += [[name, "distance", "ground", "arm", None, f"{name}0", name] for name in "bc"]
    points += [["b0", None, 0.5, -1, "global", None], ["c0", None, 1.0, -1, "global", None]]
    forces = [["name", "body", "point", "fy"], *([f"f {name}", "arm", name, -size] for name in ("left", "right"))]
    found = at_rest(tmp_path, [arm(modes=modes)], links, forces, points).points
    assert found["b.moment"][0] / (-3.0 * size * 0.5 / 16.0) == pytest.approx(1.0, abs=1e-7)


def test_frequencies_with_a_mass_at_the_end_converge_from_above(tmp_path):
    """cos b cosh b + 1 = r b (sin b cosh b - cos b sinh b), r = 1: b = 1.247917 and 4.031139."""
    exact = np.array([1.2479174, 4.0311391]) ** 2 * np.sqrt(EI / 0.8) / (2.0 * np.pi)
    before = np.full(2, np.inf)
    for modes in (1, 2, 4, 8):
        bodies = [["name", "mass", "inertia", "x"], ["weight", 0.8, 1e-12, 1.0]]
        path = beam_book(
            tmp_path,
            {"analysis": "modes", "gravity_y": 0},
            [arm(modes=modes)],
            Bodies=bodies,
            Joints=[*CANTILEVER, ["hook", "fixed", "arm", "weight", "end"]],
            Points=frame_points("arm", PLACES),
        )
        off = sheetmbs.run(sheetmbs.read(path)).modes["frequency"].to_numpy()[:2] / exact - 1.0
        assert np.all(off > -1e-7)
        assert np.all(off < before + 1e-9)
        before = off
    assert np.all(before < 1e-4)


def test_the_amplitude_of_a_mode_is_the_projection_of_the_deformation_on_it(tmp_path):
    """The cubic of a force at the end, projected on cantilever modes of unit mean square: F L^3 2/(b^4 EI) with its sign."""
    size = 1e-3
    found = at_rest(tmp_path, [arm(modes=3)], CANTILEVER, load("end", fy=size)).bodies
    roots = np.array([1.875104068711961, 4.694091132974175, 7.854757438237613])
    wanted = 2.0 * np.array([1.0, -1.0, 1.0]) / roots**4 * size / EI
    assert [found[f"arm.q{k}"][0] for k in (1, 2, 3)] == pytest.approx(wanted, rel=1e-8)
    assert "arm.s1" in found
