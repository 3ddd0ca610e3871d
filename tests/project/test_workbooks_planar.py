"""Planar workbooks that move freely, each against an integration of equations of its own."""

from pathlib import Path

import numpy as np
import pytest

import sheetmbs
from tests.support import references_planar as references

FOLDER = Path(__file__).parents[2] / "workbooks"


@pytest.fixture(scope="module")
def windows():
    return sheetmbs.run(sheetmbs.read(FOLDER / "four-bar-windows.xlsx"))


@pytest.fixture(scope="module")
def andrews():
    return sheetmbs.run(sheetmbs.read(FOLDER / "andrews.xlsx"))


@pytest.fixture(scope="module")
def compressor():
    return sheetmbs.run(sheetmbs.read(FOLDER / "compressor.xlsx"))


def test_windows_swing_as_one_pendulum_through_their_singular_positions(windows):
    phi, rate = references.windows(windows.bodies["time"].to_numpy())
    for rod in ("rod 0", "rod 1", "rod 2"):
        assert np.abs(windows.bodies[f"{rod}.phi"] / 180 * np.pi - phi).max() < 1e-7
        assert np.abs(windows.bodies[f"{rod}.omega"] / 180 * np.pi - rate).max() < 1e-6
    assert windows.summary["degrees of freedom"] == 1


def test_windows_reach_the_published_point(windows):
    """IFToMM A02, N = 2."""
    end = windows.points[["B0.x", "B0.y"]].iloc[-1].to_numpy()
    assert np.abs(end - [0.3284581115, 0.9445185382]).max() < 1e-8


def test_reference_of_the_squeezer_gives_the_published_digits():
    """Angle of K1 and point F at 0.05 s, and closed loops."""
    q, open_by = references.squeezer(np.array([0.0, 0.05]))
    assert abs(q[0, -1] - 33.825867767) < 1e-9
    assert np.abs(0.007 * np.array([np.cos(q[0, -1]), np.sin(q[0, -1])]) - [-0.0052085047, 0.0046766953]).max() < 1e-10
    assert open_by < 1e-12


def test_squeezer_whirls_as_hairer_and_wanner_say(andrews):
    t = andrews.bodies["time"].to_numpy()
    q, _ = references.squeezer(t)
    beta, theta, gamma, phi, delta, omega, epsilon = q
    angles = (beta, beta + theta, gamma, phi + delta, delta, omega + epsilon, epsilon)
    for k, angle in enumerate(angles, start=1):
        assert np.abs(andrews.bodies[f"K{k}.phi"] - angle).max() < 1e-7, k
    end = andrews.points[["F.x", "F.y"]].iloc[-1].to_numpy()
    assert np.abs(end - [-5.2085047, 4.6766953]).max() < 2e-7


def test_squeezer_accounts_for_the_work_of_its_motor(andrews):
    turned = andrews.bodies["K1.phi"] - andrews.bodies["K1.phi"][0]
    energy = andrews.constraints["total_energy"]
    assert np.abs(energy - energy[0] - 0.033 * turned).max() < 1e-8
    assert andrews.summary["degrees of freedom"] == 1


def test_compressor_runs_through_the_kinks_of_its_gas_force(compressor):
    """The force bends where the gas law changes; steps end there only by chance, which costs some digits."""
    t = compressor.bodies["time"].to_numpy()
    angle, speed = references.compressor(t)
    assert np.abs(compressor.bodies["crank.phi"] / 180 * np.pi - angle).max() < 2e-6
    assert np.abs(compressor.bodies["crank.omega"] / 180 * np.pi - speed).max() < 1e-4
    piston = compressor.bodies["slider.x"].to_numpy()
    assert piston.min() > 1.5 - 1e-9
    assert piston.max() < 5.5 + 1e-9


def test_quarter_car_vibrates_as_the_roots_of_its_polynomial_say():
    """(m1 s^2 + (c1 + c2) s + k1 + k2)(m2 s^2 + c2 s + k2) - (c2 s + k2)^2 = 0."""
    result = sheetmbs.run(sheetmbs.read(FOLDER / "quarter-car.xlsx"))
    own, upper = np.array([1500.0, 20e3]), np.array([260.0, 1500.0, 20e3])
    roots = np.roots(np.polysub(np.polymul([40.0, 1600.0, 220e3], upper), np.polymul(own, own)))
    roots = sorted(roots[roots.imag > 0.0], key=abs)
    frame = result.modes
    assert np.abs(frame["frequency"] / (np.abs(roots) / (2 * np.pi)) - 1.0).max() < 1e-9
    assert np.abs(frame["damping"] + np.real(roots) / np.abs(roots)).max() < 1e-9
    for root, (_, row) in zip(roots, frame.iterrows(), strict=True):
        body, wheel = (row[f"{name}.y"] + 1j * row[f"{name}.y.imag"] for name in ("body", "wheel"))
        assert abs(np.polyval(upper, root) * body - np.polyval(own, root) * wheel) < 1e-5
    assert [chart.title for chart in result.sheets.charts] == ["Frequencies", "Shapes: displacements", "Spring forces"]
    assert np.abs(result.bodies[["wheel.y", "body.y"]].to_numpy() - [0.3, 0.7]).max() < 1e-9
