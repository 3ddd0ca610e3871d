"""Bodies in space whose orientation is guided by Euler parameters: poses, rates and moments are those of the splines."""

import numpy as np
import openpyxl
import pytest
from scipy.interpolate import CubicSpline
from scipy.spatial.transform import Rotation

from sheetmbs import WorkbookError, read, run
from sheetmbs.elements.rotation import matrix_of

TENSOR = np.array([[0.3, 0.02, -0.01], [0.02, 0.4, 0.03], [-0.01, 0.03, 0.35]])
TIME = np.arange(41) / 20.0
EULER = ("e0", "e1", "e2", "e3")


def tumbling():
    """Euler parameters (n, 4) that leave no axis out and go past a half turn."""
    turn = Rotation.from_euler("ZXY", np.column_stack((2.1 * TIME, 0.8 * np.sin(2 * TIME), 0.6 * np.cos(3 * TIME))))
    return turn.as_quat()[:, [3, 0, 1, 2]]


def book(path, parameters, first=None, columns=EULER, analysis="inverse dynamic"):
    made = openpyxl.Workbook()
    settings = [("setting", "value"), ("dimension", "3D"), ("analysis", analysis), ("gravity_z", 0)]
    settings += [("t_end", TIME[-1]), ("t_step", 0.05), ("guiding_spline", "not-a-knot")]
    moments = ("ixx", "iyy", "izz", "ixy", "ixz", "iyz")
    values = (*np.diag(TENSOR), TENSOR[0, 1], TENSOR[0, 2], TENSOR[1, 2])
    start = parameters[0] if first is None else first
    sheets = {
        "Settings": settings,
        "Bodies": [("name", "mass", *moments, "x", "y", "z", *EULER), ("top", 2.0, *values, 0, 0, 0, *start)],
        "Guiding": [
            ("time", "top.x", "top.y", "top.z", *(f"top.{each}" for each in columns)),
            *((t, 0, 0, 0, *row[: len(columns)]) for t, row in zip(TIME, parameters, strict=True)),
        ],
    }
    for name, rows in sheets.items():
        sheet = made.active if name == "Settings" else made.create_sheet()
        sheet.title = name
        for row in rows:
            sheet.append([float(each) if isinstance(each, np.floating) else each for each in row])
    made.save(path)
    return path


def product(a, b):
    """(n, 3) vector part of a b*, the scalar first."""
    return b[:, :1] * a[:, 1:] - a[:, :1] * b[:, 1:] - np.cross(a[:, 1:], b[:, 1:])


@pytest.fixture(scope="module")
def exact():
    """Rotations, angular velocities and moments of Euler's equations about the splines through the samples."""
    parameters = tumbling()
    parameters[1:] *= np.cumprod(np.sign(np.sum(parameters[1:] * parameters[:-1], axis=1)))[:, None]
    spline = CubicSpline(TIME, parameters, bc_type="not-a-knot")
    e, first, second = spline(TIME), spline(TIME, 1), spline(TIME, 2)
    omega = 2.0 * product(first, e)
    alpha = 2.0 * product(second, e) - 2.0 * np.sum(e * first, axis=1, keepdims=True) * omega
    rotation = matrix_of(e)
    tensor = rotation @ TENSOR @ np.swapaxes(rotation, 1, 2)
    momentum = np.einsum("nij,nj->ni", tensor, omega)
    return rotation, omega, np.einsum("nij,nj->ni", tensor, alpha) + np.cross(omega, momentum)


def guided(results):
    return np.column_stack([results.drivers[f"top.r{axis}.moment"] for axis in "xyz"])


def test_moments_poses_and_powers_are_those_of_euler_about_the_splines(exact, tmp_path):
    """Samples that change sign on their way, as recorded ones do, are the same turn."""
    rotation, omega, moment = exact
    parameters = tumbling()
    parameters[12:] *= -1.0
    results = run(read(book(tmp_path / "top.xlsx", parameters)))
    assert [each.code for each in results.sheets.problems] == []
    found = matrix_of(np.column_stack([results.bodies[f"top.{each}"] for each in EULER]))
    assert np.abs(found - rotation).max() < 1e-10
    own = np.column_stack([results.bodies[f"top.w{axis}"] for axis in "xyz"])
    assert np.abs(np.einsum("nji,nj->ni", rotation, omega) - own).max() < 1e-9
    assert np.abs(moment).max() > 1.0
    assert np.abs(guided(results) - moment).max() < 1e-9
    power = sum(results.drivers[f"top.r{axis}.power"] for axis in "xyz")
    assert np.abs(power - np.sum(moment * omega, axis=1)).max() < 1e-9


@pytest.mark.parametrize("degrees", [20.0, 90.0, 140.0])
def test_a_body_that_bodies_turns_otherwise_is_brought_where_guiding_has_it(degrees, exact, tmp_path):
    parameters = tumbling()
    away = Rotation.from_rotvec(np.radians(degrees) * np.array([0.6, 0.0, -0.8]))
    first = (away * Rotation.from_quat(parameters[0, [1, 2, 3, 0]])).as_quat()[[3, 0, 1, 2]]
    results = run(read(book(tmp_path / "top.xlsx", parameters, first)))
    assert np.abs(guided(results) - exact[2]).max() < 1e-8


def test_a_kinematic_analysis_follows_guided_orientations(exact, tmp_path):
    results = run(read(book(tmp_path / "top.xlsx", tumbling(), analysis="kinematic")))
    found = matrix_of(np.column_stack([results.bodies[f"top.{each}"] for each in EULER]))
    assert np.abs(found - exact[0]).max() < 1e-10


def test_what_is_wrong_with_an_orientation_is_told_at_its_cell(tmp_path):
    def told(parameters, **how):
        with pytest.raises(WorkbookError) as raised:
            read(book(tmp_path / "wrong.xlsx", parameters, **how))
        [problem] = raised.value.problems
        return problem.code, problem.cell

    good = tumbling()
    assert told(good[:, :3], first=good[0], columns=EULER[:3]) == ("missing-column", "Guiding!E1")
    long = good.copy()
    long[7] *= 1.2
    assert told(long) == ("euler-norm", "Guiding!E9")
    leaping = good.copy()
    leaping[9] = leaping[9][[1, 0, 3, 2]] * [-1.0, 1.0, -1.0, 1.0]
    assert told(leaping) == ("coarse-orientation", "Guiding!E11")
    opposite = good[0][[1, 0, 3, 2]] * [-1.0, 1.0, -1.0, 1.0]
    assert told(good, first=opposite) == ("far-orientation", "Guiding!E1")
