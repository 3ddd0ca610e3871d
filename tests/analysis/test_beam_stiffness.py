"""Geometric stiffness of beams: rotation, axial forces and stretching change how stiff a beam is, as theory and others say."""

import numpy as np
import pytest

import sheetmbs
from tests.support.beam_books import beam_book, frame_points

EI, DENSITY = 100.0, 0.8
JOINTS = ["name", "type", "body_i", "body_j", "point"]
ARM = {"name": "arm", "length": 1.0, "EI": EI, "mass_per_length": DENSITY}
KANE = {"name": "arm", "length": 10.0, "EI": 1.4e4, "mass_per_length": 1.2}
SPIN_UP = "if(t < 15, (2/5)*(t^2/2 + (15/(2*pi))^2*(cos(2*pi*t/15) - 1)), 6*t - 45)"


def run(path):
    return sheetmbs.run(sheetmbs.read(path))


def hub(tmp_path, expression, settings, beam=KANE, **sheets):
    """A beam that a driver turns about its end i."""
    length = beam["length"]
    return run(
        beam_book(
            tmp_path,
            {"gravity_y": 0} | settings,
            [beam],
            Joints=[JOINTS, ["pin", "revolute", "ground", "arm", "root"]],
            Drivers=[["name", "joint", "coordinate", "expression"], ["turn", "pin", "angle", expression]],
            Points=frame_points("arm", {"root": 0.0, "tip": length}),
            **sheets,
        )
    )


@pytest.mark.parametrize("more", [{}, {"modes": 4}, {"EA": 2.8e7}, {"ends": "pinned-pinned"}], ids=str)
def test_a_beam_that_is_spun_up_bends_back_and_then_stands_straight(tmp_path, more):
    """Kane, Ryan and Banerjee (1987): -0.574 m at 6.8 s, millimetres after 15 s."""
    found = hub(tmp_path, SPIN_UP, {"t_end": 20, "t_step": 0.05}, KANE | more)
    time = found.bodies["time"].to_numpy()
    early = 0.4 * (0.5 * time**2 + (7.5 / np.pi) ** 2 * (np.cos(2 * np.pi * time / 15) - 1.0))
    driven = np.where(time < 15.0, early, 6.0 * time - 45.0)
    x, y = found.points["tip.x"].to_numpy(), found.points["tip.y"].to_numpy()
    across = np.cos(driven) * y - np.sin(driven) * x
    assert across.min() == pytest.approx(-0.574, abs=0.002)
    assert time[across.argmin()] == pytest.approx(6.8, abs=0.1)
    assert np.abs(across[time > 16.0]).max() < 0.005
    assert found.summary["accuracy check"] == "passed"
    assert found.summary["solve time"] < 30.0
    reaction = found.points["root.moment"] + found.drivers["turn.moment"]
    assert np.abs(reaction).max() < 1e-4 * found.points["root.moment"].abs().max()


def test_a_force_across_a_turning_beam_bends_it_less_than_one_at_rest(tmp_path):
    """At 3 rad/s 0.105 m: F L^3/(3 EI) = 0.119 m at rest, and 0.32 m if only the softening by rotation counted."""
    force = [["name", "body", "point", "fy", "frame"], ["push", "arm", "tip", "5*step(t, 0, 0, 20, 1)", "body"]]
    found = hub(tmp_path, "3*t", {"t_end": 30, "t_step": 0.5}, KANE | {"damping": 0.05, "omega": 3.0}, Forces=force)
    assert found.bodies["arm.deflection"].iloc[-1] == pytest.approx(0.105, abs=0.0015)


FLAP = {1.0: (3.6816, 22.1810), 2.0: (4.1373, 22.6149), 4.0: (5.5850, 24.2733), 6.0: (7.3604, 26.8091)}
"""Circular frequencies of a cantilever that turns, across its plane, in (EI/(rho L^4))^1/2, by its rate in the same unit, of a
hub without radius: Wright, Smith, Thresher and Wang (1982), table 1"""


@pytest.mark.parametrize("rate", FLAP)
def test_frequencies_of_a_turning_beam_are_those_of_wright(tmp_path, rate):
    """In the plane of rotation the square of the rate is less, for the inertia of rotation softens.

    The hub turns evenly but for a little jerk at first; the vibration that stays is a sum of sines, of which linear prediction
    tells the frequencies.
    """
    unit = np.sqrt(EI / DENSITY)
    beam = ARM | {"modes": 6, "omega": rate * unit}
    jerk, step = 0.02, 0.002
    turning = f"{float(rate * unit)!r}*t + 1e-5*step(t, 0, 0, {jerk}, 1)"
    found = hub(tmp_path, turning, {"t_end": 0.6, "t_step": step, "rtol": 1e-11}, beam).bodies
    signal = found["arm.deflection"].to_numpy()[found["time"].to_numpy() > jerk + step]
    order = 8
    past = np.lib.stride_tricks.sliding_window_view(signal, order + 1)
    weights = np.linalg.lstsq(past[:, :-1], past[:, -1], rcond=1e-12)[0]
    roots = np.roots([1.0, *-weights[::-1]])
    rates = np.abs(np.angle(roots[np.abs(np.abs(roots) - 1.0) < 1e-4])) / step / unit
    for wanted in np.sqrt(np.array(FLAP[rate]) ** 2 - rate**2):
        assert np.min(np.abs(rates / wanted - 1.0)) < 2e-4


def column_modes(tmp_path, pressed, **more):
    """Modes of a column that is clamped at its foot and pressed at its head."""
    path = beam_book(
        tmp_path,
        {"analysis": "modes", "gravity_y": 0},
        [ARM | more],
        Joints=[JOINTS, ["wall", "fixed", "ground", "arm", "root"]],
        Points=frame_points("arm", {"root": 0.0, "head": 1.0}),
        Forces=[["name", "body", "point", "fx"], ["weight", "arm", "head", -pressed]],
    )
    return run(path)


def column(tmp_path, pressed, **more):
    """Circular frequency of that column."""
    return 2.0 * np.pi * column_modes(tmp_path, pressed, **more).modes["frequency"][0]


def strut(tmp_path, pressed, **more):
    """The same of one on two pins, of which the second may slide along it."""
    path = beam_book(
        tmp_path,
        {"analysis": "modes", "gravity_y": 0},
        [ARM | more],
        Bodies=[["name", "mass", "inertia", "x"], ["shoe", 1e-3, 1e-6, 1.0]],
        Joints=[
            [*JOINTS, "axis_x", "axis_y"],
            ["foot", "revolute", "ground", "arm", "root", None, None],
            ["guide", "translational", "ground", "shoe", "head", 1, 0],
            ["pin", "revolute", "arm", "shoe", "head", None, None],
        ],
        Points=frame_points("arm", {"root": 0.0, "head": 1.0}),
        Forces=[["name", "body", "fx"], ["weight", "shoe", -pressed]],
    )
    return 2.0 * np.pi * run(path).modes["frequency"][0]


@pytest.mark.parametrize(("frequency", "euler"), [(column, np.pi**2 * EI / 4.0), (strut, np.pi**2 * EI)])
def test_a_column_loses_its_stiffness_at_the_load_of_euler(tmp_path, frequency, euler):
    """The load at which its frequency goes to zero: from above as shapes are added."""
    before = np.inf
    for modes in (1, 2, 4):
        low, high = 0.97 * euler, 0.99 * euler
        one, other = (frequency(tmp_path, load, modes=modes) ** 2 for load in (low, high))
        buckling = (high + (high - low) * other / (one - other)) / euler
        assert 1.0 - 1e-4 < buckling <= before + 1e-9
        before = buckling
    assert before == pytest.approx(1.0, abs=2e-4)


@pytest.mark.parametrize("ends", ["pinned-pinned", "clamped-free"])
@pytest.mark.parametrize("stiffness", [None, 1e7])
def test_a_pull_raises_the_frequency_of_a_beam_on_two_pins(tmp_path, ends, stiffness):
    """w^2 = w_0^2 (1 + N L^2/(pi^2 EI)), exactly, for its mode stays a half wave."""
    pull = 0.5 * np.pi**2 * EI
    found = strut(tmp_path, -pull, ends=ends, modes=4, EA=stiffness)
    assert found / (np.pi**2 * np.sqrt(EI / DENSITY)) == pytest.approx(np.sqrt(1.5), rel=1e-3)


def test_a_column_beyond_its_buckling_load_does_not_stand(tmp_path):
    path = beam_book(
        tmp_path,
        {"t_end": 1, "t_step": 0.01, "gravity_y": 0},
        [ARM | {"damping": 0.05}],
        Joints=[JOINTS, ["wall", "fixed", "ground", "arm", "root"]],
        Points=frame_points("arm", {"root": 0.0, "head": 1.0}),
        Forces=[["name", "body", "point", "fx", "fy"], ["weight", "arm", "head", -1.2 * np.pi**2 * EI / 4.0, 0.01]],
    )
    found = run(path)
    assert found.bodies["arm.deflection"].abs().max() > 0.1
    assert found.summary["accuracy check"] == "in doubt: beams beyond their theory"
    (told,) = [problem for problem in found.sheets.problems if problem.code == "beam-beyond-theory"]
    assert told.cell == "Beams!A2"


@pytest.mark.parametrize(
    ("of_euler", "verdict"),
    [(0.9, "passed"), (1.1, "in doubt: the modes belong to a state that is no equilibrium")],
)
def test_modes_of_a_column_are_in_doubt_beyond_its_buckling_load(tmp_path, of_euler, verdict):
    assert column_modes(tmp_path, of_euler * np.pi**2 * EI / 4.0).summary["accuracy check"] == verdict


def test_a_beam_between_two_walls_stiffens_as_it_stretches(tmp_path):
    """One half wave q between two pins: k q + EA pi^4 q^3/(8 L^3) = F with k = EI pi^4/(2 L^3)."""
    stiff, depth = 1e6, 0.01
    path = beam_book(
        tmp_path,
        {"analysis": "equilibrium", "gravity_y": -EI * np.pi**4 * depth / DENSITY * np.pi / 4.0},
        [ARM | {"EA": stiff, "modes": 1, "ends": "pinned-pinned"}],
        Joints=[JOINTS, ["i", "revolute", "ground", "arm", "root"], ["j", "revolute", "ground", "arm", "head"]],
        Points=frame_points("arm", {"root": 0.0, "middle": 0.5, "head": 1.0}),
    )
    found = run(path)
    q = found.bodies["arm.q1"][0]
    pulled = stiff * np.pi**2 * q**2 / 4.0
    assert found.points["middle.axial"][0] == pytest.approx(pulled, rel=1e-3)
    assert 0.5 * EI * np.pi**4 * q + 0.5 * np.pi**2 * pulled * q == pytest.approx(
        -0.5 * EI * np.pi**4 * depth, rel=1e-3
    )


def held(tmp_path, settings, forces=None, **more):
    """A beam across a disc that turns, pinned to it at both ends."""
    return run(
        beam_book(
            tmp_path,
            {"t_end": 0.1, "t_step": 0.01, "gravity_y": 0} | settings,
            [ARM | more],
            Bodies=[["name", "mass", "inertia", "omega"], ["disc", 10, 10, more.get("omega", 0)]],
            Joints=[
                JOINTS,
                ["axle", "revolute", "ground", "disc", "root"],
                ["i", "revolute", "disc", "arm", "root"],
                ["j", "revolute", "disc", "arm", "head"],
            ],
            Points=frame_points("arm", {"root": 0.0, "middle": 0.5, "head": 1.0}),
            Forces=forces,
        )
    )


@pytest.mark.parametrize(
    ("more", "forces", "told"),
    [
        ({"omega": 60.0}, None, "an angular velocity"),
        ({}, [["name", "body", "point", "fx"], ["pull", "arm", "middle", 300]], "an axial force"),
    ],
    ids=["rotation", "force"],
)
def test_a_beam_without_geometric_stiffness_says_so_where_that_counts(tmp_path, more, forces, told):
    found = held(tmp_path, {}, forces, **more)
    warned = [problem for problem in found.sheets.problems if problem.code == "beam-beyond-theory"]
    assert [told in problem.found for problem in warned].count(True) == 1
    assert {problem.cell for problem in warned} == {"Beams!A2"}
    assert all("EA" in problem.mend for problem in warned)
    assert found.summary["accuracy check"] == "in doubt: beams beyond their theory"
    assert found.summary["beams by the linear theory"].startswith("arm:")
    stiffened = held(tmp_path, {}, forces, EA=1e6, **more)
    assert not [problem for problem in stiffened.sheets.problems if problem.code == "beam-beyond-theory"]
    assert "beams by the linear theory" not in stiffened.summary


def test_small_loads_on_a_held_beam_are_told_of_by_no_warning(tmp_path):
    found = held(tmp_path, {}, [["name", "body", "point", "fy"], ["push", "arm", "middle", 1]])
    assert found.summary["accuracy check"] == "passed"
    assert not [problem for problem in found.sheets.problems if problem.code == "beam-beyond-theory"]
