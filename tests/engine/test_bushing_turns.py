"""Bushings count turns: driven, swinging and at rest, in the plane and in space, past half a turn and past many."""

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.spatial.transform import Rotation

import sheetmbs
from tests.support.spatial_books import at, axis, body, joint, space_book

STIFF = 5.0
NO_WEIGHT = {"gravity_x": 0, "gravity_y": 0, "gravity_z": 0}
COMPONENTS = [f"s.{name}" for name in ("rx", "ry", "rz")]
MOMENTS = [f"s.{name}" for name in ("mx", "my", "mz")]
OBLIQUE = np.array([1.0, 2.0, -1.0]) / np.sqrt(6.0)


def bushing(kx=STIFF, ky=STIFF, kz=STIFF):
    return {"name": "s", "type": "bushing", "body_i": "ground", "body_j": "b", "point": "P"} | {
        "krx": kx,
        "kry": ky,
        "krz": kz,
    }


def driven(tmp_path, expression, settings, along=OBLIQUE):
    """A hinge that a driver turns, with a bushing about it."""
    path = space_book(
        tmp_path / "driven.xlsx",
        NO_WEIGHT | settings,
        Bodies=[body()],
        Points=[at()],
        Joints=[joint("revolute", **axis(*along))],
        Drivers=[{"name": "m", "joint": "j", "coordinate": "angle", "expression": expression}],
        Springs=[bushing()],
    )
    return sheetmbs.run(sheetmbs.read(path))


def flat(tmp_path, settings, **sheets):
    """A body in the plane on a pin, with a bushing about it."""
    bodies = [{"name": "b", "mass": 1, "inertia": 0.25, "omega": settings.pop("omega", 0)}]
    spring = {"name": "s", "type": "bushing", "body_i": "ground", "body_j": "b", "point": "P", "krz": STIFF}
    path = space_book(
        tmp_path / "flat.xlsx",
        {"dimension": "2D", "gravity_x": 0, "gravity_y": 0} | settings,
        Bodies=bodies,
        Points=[{"name": "P", "x": 0, "y": 0}],
        Joints=[joint("revolute")],
        Springs=[spring],
        **sheets,
    )
    return sheetmbs.run(sheetmbs.read(path))


def free(tmp_path, inertia, spin, stiffness, kind="spherical", **settings):
    """A body about a point, with a bushing there. spin: of its start."""
    path = space_book(
        tmp_path / "free.xlsx",
        NO_WEIGHT | {"t_end": 3, "t_step": 0.05, "rtol": 1e-10} | settings,
        Bodies=[body(inertia=inertia, wx=spin[0], wy=spin[1], wz=spin[2])],
        Points=[at()],
        Joints=[joint(kind, **(axis(*spin) if kind == "revolute" else {}))],
        Springs=[bushing(*stiffness)],
    )
    return sheetmbs.run(sheetmbs.read(path))


def codes(result):
    return {problem.code for problem in result.sheets.problems}


@pytest.mark.parametrize("analysis", ["dynamic", "kinematic", "inverse dynamic"])
def test_driven_bushing_in_the_plane_follows_its_angle(tmp_path, analysis):
    drivers = [{"name": "m", "joint": "j", "coordinate": "angle", "expression": "4*sin(t)"}]
    found = flat(tmp_path, {"analysis": analysis, "t_end": 10, "t_step": 0.25}, Drivers=drivers).springs
    wanted = 4.0 * np.sin(found["time"])
    assert np.abs(found["s.rz"] - wanted).max() < 1e-9
    assert np.abs(found["s.mz"] - STIFF * wanted).max() < 1e-8


@pytest.mark.parametrize("expression", ["4*sin(t)", "20*sin(t)", "2*pi*t"])
@pytest.mark.parametrize("analysis", ["dynamic", "kinematic", "inverse dynamic"])
def test_driven_bushing_in_space_follows_its_angle(tmp_path, analysis, expression):
    """Rows of the last motion fall on whole turns, where a rotation alone has no axis."""
    result = driven(tmp_path, expression, {"analysis": analysis, "t_end": 7, "t_step": 0.25})
    found = result.springs
    angle = eval(expression, {"sin": np.sin, "pi": np.pi, "t": found["time"].to_numpy()})  # noqa: S307 - written above
    assert np.abs(found[COMPONENTS] - angle[:, None] * OBLIQUE).to_numpy().max() < 1e-9
    assert np.abs(found[MOMENTS] - STIFF * angle[:, None] * OBLIQUE).to_numpy().max() < 1e-8
    assert not codes(result)


@pytest.mark.parametrize("step", [1.0, 1.5, 2.0])
def test_rows_far_apart_do_not_lose_turns(tmp_path, step):
    """Between them the hinge turns by up to six times half a turn, and swings back."""
    result = driven(tmp_path, "20*sin(t)", {"analysis": "kinematic", "t_end": 12, "t_step": step})
    wanted = 20.0 * np.sin(result.springs["time"].to_numpy())
    assert np.abs(result.joints["j.angle"] - wanted).max() < 1e-9
    assert np.abs(result.springs[COMPONENTS] - wanted[:, None] * OBLIQUE).to_numpy().max() < 1e-9


ADAPTIVE = ("auto", "rkv65", "dopri5", "dop853", "abm", "lsoda", "bdf", "radau")


@pytest.mark.parametrize("integrator", ADAPTIVE)
@pytest.mark.parametrize("kind", ["revolute", "spherical"])
def test_torsional_pendulum_swings_through_many_turns(tmp_path, kind, integrator):
    """phi = A sin(w t), w^2 = k/I, with A of more than two turns."""
    rate = np.sqrt(STIFF / 0.25)
    spin = (0.0, 0.0, 15.0 * rate)
    result = free(tmp_path, (0.25,) * 3, spin, (STIFF,) * 3, kind, integrator=integrator)
    found = result.springs
    assert np.abs(found["s.rz"] - 15.0 * np.sin(rate * found["time"])).max() < 1e-5
    assert result.summary["energy drift"] < 1e-5 * 0.5 * 0.25 * spin[2] ** 2
    assert not codes(result)


@pytest.mark.parametrize("integrator", ["kutta-merson", "rk4", "generalized-alpha", "hht"])
def test_methods_of_fixed_step_count_turns(tmp_path, integrator):
    """Within a step of 1 ms the error of the motion, not that of a count: a whole turn is 6.28."""
    rate = np.sqrt(STIFF / 0.25)
    spin = 15.0 * rate * OBLIQUE
    found = free(tmp_path, (0.25,) * 3, spin, (STIFF,) * 3, integrator=integrator, step=1e-3).springs
    wanted = 15.0 * np.sin(rate * found["time"].to_numpy())[:, None] * OBLIQUE
    assert np.abs(found[COMPONENTS] - wanted).to_numpy().max() < 2e-3


def test_torsional_pendulum_in_the_plane_swings_through_many_turns(tmp_path):
    rate = np.sqrt(STIFF / 0.25)
    result = flat(tmp_path, {"omega": 15.0 * rate, "t_end": 3, "t_step": 0.05, "rtol": 1e-10})
    found = result.springs
    assert np.abs(found["s.rz"] - 15.0 * np.sin(rate * found["time"])).max() < 1e-7
    assert np.abs(found["s.mz"] - STIFF * found["s.rz"]).max() < 1e-9
    assert np.ptp(result.constraints["total_energy"]) < 1e-7 * result.constraints["total_energy"].max()


def energy_on_sphere(four, stiffness):
    """Of the rotation vector of Euler parameters, whose sign tells turns of less than 2 pi apart."""
    sine = np.linalg.norm(four[1:])
    theta = 2.0 * np.arctan2(sine, four[0]) * four[1:] / sine if sine > 0.0 else 2.0 * four[1:]
    return 0.5 * theta @ (stiffness * theta)


def product(one, two):
    """Of Euler parameters."""
    return np.concatenate(
        (
            [one[0] * two[0] - one[1:] @ two[1:]],
            one[0] * two[1:] + two[0] * one[1:] + np.cross(one[1:], two[1:]),
        )
    )


def test_rotation_past_half_a_turn_about_a_moving_axis_is_that_of_the_energy(tmp_path):
    """Against Euler's equations with the moment as slope of the energy over Euler parameters of continuous sign."""
    inertia, stiffness, spin = np.array([0.25, 0.3, 0.2]), np.array([5.0, 8.0, 3.0]), np.array([5.0, 4.0, 18.0])

    def moment(four):
        """In body axes, from differences of the energy along small rotations."""
        h, found = 1e-5, []
        for unit in np.eye(3):
            energies = [energy_on_sphere(product(four, np.array([1.0, *(s * h * unit)])), stiffness) for s in (1, -1)]
            found.append(-(energies[0] - energies[1]) / (4.0 * h))  # they hold half the angle
        return np.array(found)

    def rates(_t, y):
        four, w = y[:4] / np.linalg.norm(y[:4]), y[4:]
        turning = 0.5 * product(four, np.array([0.0, *w]))
        return np.concatenate((turning, (moment(four) - np.cross(w, inertia * w)) / inertia))

    times = np.arange(0.0, 3.0001, 0.05)
    exact = solve_ivp(rates, (0.0, 3.0), [1.0, 0.0, 0.0, 0.0, *spin], rtol=1e-10, atol=1e-11, t_eval=times).y
    result = free(tmp_path, tuple(inertia), spin, stiffness)
    theta = result.springs[COMPONENTS].to_numpy().copy()
    size = np.linalg.norm(theta, axis=1)
    assert 1.2 * np.pi < size.max() < 2.0 * np.pi
    turned = Rotation.from_rotvec(theta).as_matrix()
    wanted = Rotation.from_quat(exact[[1, 2, 3, 0]].T).as_matrix()
    assert np.abs(turned - wanted).max() < 1e-5
    assert result.summary["energy drift"] < 1e-7
    assert np.abs(np.diff(theta, axis=0)).max() < 1.5


def test_axis_that_moves_near_a_full_turn_is_told_at_the_row(tmp_path):
    result = free(tmp_path, (0.25, 0.3, 0.2), (0.5, 0.2, 40.0), (STIFF,) * 3)
    told = [problem for problem in result.sheets.problems if problem.code == "full-turn"]
    assert len(told) == 1
    assert told[0].cell == "Springs!A2"
    assert "axis of rotation moves" in told[0].found


def test_moment_across_the_axis_near_a_full_turn_is_told_at_the_row(tmp_path):
    settings = {"t_end": 1.0}
    result = free(tmp_path, (0.25, 0.3, 0.2), (15.0, 30.0, -15.0), (5.0, 8.0, 3.0), "revolute", **settings)
    told = [problem for problem in result.sheets.problems if problem.code == "full-turn"]
    assert len(told) == 1
    assert told[0].cell == "Springs!A2"
    assert "is not parallel" in told[0].found


@pytest.mark.parametrize("moment", [3.0, 20.0, 50.0, 200.0])
@pytest.mark.parametrize("kind", ["bushing", "rotational"])
def test_equilibrium_in_space_winds_up_by_the_moment_over_the_stiffness(tmp_path, kind, moment):
    spring = bushing() if kind == "bushing" else {**bushing(), "type": kind, "k": STIFF, **axis(0, 0, 1)}
    if kind == "rotational":
        spring = {key: value for key, value in spring.items() if not key.startswith("kr")}
    path = space_book(
        tmp_path / "wound.xlsx",
        NO_WEIGHT | {"analysis": "equilibrium"},
        Bodies=[body()],
        Points=[at()],
        Joints=[joint("revolute", **axis(0, 0, 1))],
        Springs=[spring],
        Forces=[{"name": "f", "body": "b", "mz": moment}],
    )
    result = sheetmbs.run(sheetmbs.read(path))
    assert result.status == "done"
    angle = result.springs["s.rz" if kind == "bushing" else "s.angle"][0]
    assert angle == pytest.approx(moment / STIFF, abs=1e-8)
    assert result.joints["j.angle"][0] == pytest.approx(moment / STIFF, abs=1e-8)


def test_equilibrium_in_the_plane_winds_up_by_ten_turns(tmp_path):
    push = [{"name": "f", "body": "b", "moment": 20.0 * np.pi * STIFF}]
    result = flat(tmp_path, {"analysis": "equilibrium"}, Forces=push)
    assert result.status == "done"
    assert result.springs["s.rz"][0] == pytest.approx(20.0 * np.pi, abs=1e-6)


def test_moment_that_nothing_balances_is_told_as_a_moment(tmp_path):
    path = space_book(
        tmp_path / "spun.xlsx",
        NO_WEIGHT | {"analysis": "equilibrium"},
        Bodies=[body()],
        Points=[at()],
        Joints=[joint("revolute", **axis(0, 0, 1))],
        Forces=[{"name": "f", "body": "b", "mz": 3.0}],
    )
    told = [problem for problem in sheetmbs.run(sheetmbs.read(path)).sheets.problems if problem.code == "runs-away"]
    assert "b turns on and on, and 3 N m still acts there" in told[0].found
