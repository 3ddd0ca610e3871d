"""Wheels on roads: where a leaning disc stands, the virtual work of its contact, and Euler's disc against its equations."""

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import sheetmbs
from tests.support.spatial_books import at, axis, axis2, body, joint, space_book

R, MASS, DIAMETRAL, POLAR = 0.3, 4.0, 0.11, 0.2
G = 9.81


def disc_book(path, settings, **of_body):
    """A disc about its own y axis, whose lowest point stays on z = 0, on a frictionless road."""
    lean = np.radians(of_body.pop("lean", 0.0))
    standing = R * np.cos(lean)
    return space_book(
        path,
        {"gravity_x": 0, "gravity_y": 0, "gravity_z": -G} | settings,
        Bodies=[body("disc", MASS, (DIAMETRAL, POLAR, DIAMETRAL), z=standing, roll=lean) | of_body],
        Points=[at(name="road"), at(0, 0, standing, name="hub", body="disc")],
        Joints=[
            joint("wheel-on-road", "ground", "disc", None, name="contact", radius=R)
            | {"point_i": "road", "point_j": "hub"}
            | axis(0, 0, 1)
            | axis2(0, np.cos(lean), np.sin(lean))
        ],
    )


def test_a_disc_that_falls_over_on_ice_follows_the_equation_of_its_lean(tmp_path):
    """h = R cos(a):  (I + m R^2 sin^2 a) a'' + m R^2 sin a cos a a'^2 = m g R sin a, its centre staying above one place."""
    settings = {"t_end": 0.4, "t_step": 0.05, "integrator": "dop853", "rtol": 1e-12}
    result = sheetmbs.run(sheetmbs.read(disc_book(tmp_path / "b.xlsx", settings, lean=5.0)))

    def rates(_t, y):
        s, c = np.sin(y[0]), np.cos(y[0])
        return [y[1], (MASS * G * R * s - MASS * R**2 * s * c * y[1] ** 2) / (DIAMETRAL + MASS * R**2 * s**2)]

    times = np.linspace(0, 0.4, 9)
    lean = solve_ivp(rates, (0, 0.4), [np.radians(5.0), 0], t_eval=times, rtol=1e-12, atol=1e-13).y[0]
    assert result.bodies["disc.z"].to_numpy() == pytest.approx(R * np.cos(lean), abs=1e-9)
    assert result.bodies["disc.y"].to_numpy() == pytest.approx(np.zeros(9), abs=1e-9)
    assert lean[-1] > 0.3


def test_energy_is_kept_while_a_spinning_disc_wobbles(tmp_path):
    settings = {"t_end": 1.0, "t_step": 0.1, "integrator": "dop853", "rtol": 1e-11}
    result = sheetmbs.run(sheetmbs.read(disc_book(tmp_path / "b.xlsx", settings, lean=20.0, wz=3.0, wy=12.0)))
    v, w = (np.column_stack([result.bodies[f"disc.{k}{axis}"] for axis in "xyz"]) for k in "vw")
    turning = DIAMETRAL * (w[:, 0] ** 2 + w[:, 2] ** 2) + POLAR * w[:, 1] ** 2
    total = 0.5 * (MASS * np.sum(v**2, axis=1) + turning) + MASS * G * result.bodies["disc.z"].to_numpy()
    assert total == pytest.approx(np.full(len(total), total[0]), rel=1e-9)
    assert np.ptp(result.bodies["disc.z"].to_numpy()) > 1e-3


@pytest.mark.parametrize("lean", [0.0, 20.0])
def test_the_road_pushes_along_its_normal_through_the_lowest_point(tmp_path, lean):
    """Reported at the hub: N upwards, and the moment of N about the hub, whose arm is R sin(lean)."""
    result = sheetmbs.run(sheetmbs.read(disc_book(tmp_path / "b.xlsx", {"t_end": 0.1, "t_step": 0.1}, lean=lean)))
    first = result.joints.iloc[0]
    force = first["contact.j.fz"]
    assert first["contact.j.mx"] == pytest.approx(force * R * np.sin(np.radians(lean)), abs=1e-9)
    if lean == 0.0:
        assert force == pytest.approx(MASS * G, rel=1e-9)
