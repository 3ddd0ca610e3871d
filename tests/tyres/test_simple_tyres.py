"""Linear and fiala tyres against their closed forms."""

from math import atan, inf

import numpy as np
import pytest
from numpy.testing import assert_allclose

from tests.support.tyres import simple

C, G, K, T, MU, MIN = 60e3, 3e3, 80e3, 0.03, 1.2, 0.8
LINEAR = {"cornering stiffness": C, "camber stiffness": G, "slip stiffness": K, "trail": T}


def at(tyre, kappa, alpha, gamma, load, **options):
    return tyre.evaluate(tyre.states(kappa, alpha, gamma, load), **options)


def test_a_linear_tyre_is_linear_in_slip_and_camber():
    tyre, problems = simple("linear", **LINEAR)
    assert problems == []
    alpha, kappa, gamma = 0.3, 0.1, 0.04
    response = at(tyre, kappa, alpha, gamma, 2000.0, derivatives=True)
    fy = -C * alpha - G * gamma
    assert_allclose(response.forces[0], [K * kappa, fy, -T * fy, 0.0, 0.0, K, -C], rtol=1e-14)
    assert_allclose(response.partials[0, :3, :3], [[K, 0, 0], [0, -C, -G], [0, T * C, T * G]], rtol=1e-14)
    assert np.isnan(response.geometry).all()


def test_a_linear_tyre_per_load_follows_the_load():
    tyre, _problems = simple("linear", cornering_stiffness_per_load=20.0)
    response = at(tyre, 0.0, 0.05, 0.0, np.array([1000.0, 4000.0]), derivatives=True)
    assert_allclose(response.force("fy"), [-1000.0, -4000.0], rtol=1e-14)
    assert_allclose(response.partial("fy", 3), -1.0, rtol=1e-14)


def test_friction_shortens_the_force_of_a_linear_tyre_in_its_direction():
    tyre, _problems = simple("linear", friction=MU, **LINEAR)
    response = at(tyre, 0.2, 0.3, 0.0, 3000.0)
    fx, fy, mz = response.forces[0, :3]
    assert np.hypot(fx, fy) == pytest.approx(MU * 3000.0, rel=1e-14)
    assert fy / fx == pytest.approx(-C * 0.3 / (K * 0.2), rel=1e-12)
    assert mz == pytest.approx(-T * fy, rel=1e-14)


def fiala(kappa, alpha, gamma, load):
    slip = np.tan(alpha)
    u = MU - (MU - MIN) * min(np.hypot(kappa, slip), 1.0)
    limit = u * load
    fx = K * kappa
    if abs(kappa) > limit / (2 * K):
        fx = np.sign(kappa) * (limit - limit**2 / (4 * K * abs(kappa)))
    h = max(1 - C * abs(slip) / (3 * limit), 0.0)
    return fx, -limit * (1 - h**3) * np.sign(alpha) - G * gamma, 3 * T * limit * (1 - h) * h**3 * np.sign(alpha)


@pytest.mark.parametrize("kappa", [0.0, 0.005, -0.02, 0.4, -1.5])
@pytest.mark.parametrize("alpha", [0.01, -0.06, 0.5, -1.2])
def test_a_fiala_tyre_is_the_brush_of_its_page(kappa, alpha):
    tyre, problems = simple("fiala", friction=MU, friction_min=MIN, **LINEAR)
    assert problems == []
    assert_allclose(at(tyre, kappa, alpha, 0.02, 3000.0).forces[0, :3], fiala(kappa, alpha, 0.02, 3000.0), rtol=1e-12)


def test_a_fiala_tyre_slides_with_its_friction_and_has_no_moment_then():
    tyre, _problems = simple("fiala", friction=MU, **LINEAR)
    sliding = atan(3.0 * MU * 3000.0 / C) * 1.01
    response = at(tyre, 0.0, sliding, 0.0, 3000.0)
    assert response.force("fy")[0] == pytest.approx(-MU * 3000.0, rel=1e-12)
    assert response.force("mz")[0] == pytest.approx(0.0, abs=1e-12)


@pytest.mark.parametrize("model", ["linear", "fiala"])
def test_derivatives_are_those_of_differences(model):
    values = {"friction": MU, **LINEAR} | ({"friction_min": MIN} if model == "fiala" else {})
    tyre, _problems = simple(model, **values)
    for state in ([0.01, 0.02, 0.01, 3000.0], [0.3, 0.2, -0.02, 3000.0]):
        exact = at(tyre, *state, derivatives=True).partials[0, :3]
        for place, step in enumerate((1e-6, 1e-6, 1e-6, 1e-2)):
            ahead, back = (np.array(state) + sign * step * np.eye(4)[place] for sign in (1, -1))
            difference = (at(tyre, *ahead).forces[0, :3] - at(tyre, *back).forces[0, :3]) / (2 * step)
            assert_allclose(exact[:, place], difference, rtol=1e-6, atol=1e-5 * max(1.0, np.abs(difference).max()))


@pytest.mark.parametrize(
    ("model", "values", "code"),
    [
        ("linear", {}, "missing-coefficient"),
        ("linear", {"cornering stiffness": -C}, "out-of-range"),
        ("linear", {"cornering stiffness": C, "cornering stiffness per load": 20.0}, "given-twice"),
        ("linear", {"cornering stiffness": C, "friction_min": 0.8}, "unknown-coefficient"),
        ("fiala", {"cornering stiffness": C, "slip stiffness": K}, "missing-coefficient"),
        ("fiala", {**LINEAR, "friction": 0.8, "friction_min": 1.0}, "out-of-range"),
    ],
)
def test_what_cannot_be_is_an_error(model, values, code):
    tyre, problems = simple(model, **values)
    assert tyre is None
    assert code in [each.code for each in problems if each.severity == "error"]


@pytest.mark.parametrize(("friction", "is_likely"), [(0.1, False), (0.9, True), (3.5, False)])
def test_unlikely_friction_is_a_warning(friction, is_likely):
    _tyre, problems = simple("linear", friction=friction, **LINEAR)
    assert ("unlikely-friction" in [each.code for each in problems]) is not is_likely


def test_a_tyre_without_friction_has_no_limit():
    tyre, _problems = simple("linear", **LINEAR)
    assert tyre.kernel.simple.friction == inf
    assert at(tyre, 0.0, 1.0, 0.0, 10.0).force("fy")[0] == -C
