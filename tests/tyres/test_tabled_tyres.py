"""Tables: through their points, monotone between them, mirrored where they are symmetric, and refused where they have holes."""

from dataclasses import replace

import numpy as np
import pytest
from numpy.testing import assert_allclose

from sheetmbs.tyres.given_values import TyreProblems
from sheetmbs.tyres.magic_tyre import TyreRow, TyreScales
from sheetmbs.tyres.monotone_slopes import monotone_slopes
from sheetmbs.tyres.tabled import tabled_tyre
from sheetmbs.tyres.tyre_points import ADAPTED_SAE, ISO, SAE, TyrePoint, in_iso

LOADS, ANGLES, CAMBERS = (
    (500.0, 1000.0, 2000.0),
    (-0.2, -0.1, -0.05, -0.02, 0.0, 0.02, 0.05, 0.1, 0.2),
    (-0.03, 0.0, 0.03),
)


def side(load, alpha, gamma=0.0):
    return -load * 1.4 * np.sin(1.3 * np.arctan(12 * alpha)) - load * gamma


def point(row, **values):
    usual = {"load": 1000.0, "alpha": 0.0, "kappa": 0.0, "gamma": 0.0}
    return TyrePoint({"fz": f"Tyre data!B{row}"}, **{**usual, **values})


def cornering(loads=LOADS, angles=ANGLES, cambers=(0.0,), **more):
    states = [(load, alpha, gamma) for load in loads for alpha in angles for gamma in cambers]
    return [
        point(n, load=load, alpha=alpha, gamma=gamma, fy=side(load, alpha, gamma), mz=0.02 * load * alpha, **more)
        for n, (load, alpha, gamma) in enumerate(states, start=3)
    ]


def made(points, **row):
    problems = TyreProblems()
    tyre = tabled_tyre(points, TyreRow("T", "Tyres!A2", **row), problems)
    return tyre, problems.found


def test_a_table_goes_through_its_points():
    driving = [
        point(100 + n, load=load, kappa=k, fx=60 * load * k / (1 + 40 * abs(k)))
        for load in LOADS
        for n, k in enumerate((-0.2, -0.05, 0.0, 0.05, 0.2))
    ]
    points = [*cornering(cambers=CAMBERS), *[replace(p, gamma=g) for p in driving for g in CAMBERS]]
    tyre, problems = made(points, measured_side="left")
    assert problems == []
    states = np.array([(p.kappa, p.alpha, p.gamma, p.load, 0.0, 0.0) for p in points])
    response = tyre.evaluate(states)
    assert not response.outside.any()
    for n, p in enumerate(points):
        if p.fy is not None:
            assert response.force("fy")[n] == pytest.approx(p.fy, abs=1e-9)
            assert response.force("mz")[n] == pytest.approx(p.mz, abs=1e-9)
        else:
            assert response.force("fx")[n] == pytest.approx(p.fx, abs=1e-9)


def test_between_loads_a_table_is_linear():
    tyre, _problems = made(cornering())
    response = tyre.evaluate(tyre.states(0.0, 0.05, 0.0, np.array([1000.0, 1250.0, 2000.0])), derivatives=True)
    fy = response.force("fy")
    assert fy[1] == pytest.approx(0.75 * fy[0] + 0.25 * fy[2], rel=1e-12)
    assert response.partial("fy", 3)[1] == pytest.approx((fy[2] - fy[0]) / 1000.0, rel=1e-12)


def test_slopes_keep_what_rises_rising():
    x = np.array([0.0, 0.1, 0.2, 0.9, 1.0, 1.1])
    y = np.array([0.0, 0.01, 5.0, 5.1, 5.1, 9.0])
    d, h = monotone_slopes(x, y), np.diff(x)
    u = np.linspace(0.0, 1.0, 200)[:, np.newaxis]
    v = 1.0 - u
    rise = 6 * u * v * np.diff(y) / h + d[:-1] * v * (1 - 3 * u) + d[1:] * u * (3 * u - 2)
    assert rise.min() >= -1e-12
    assert d[3] == d[4] == 0.0


def test_derivatives_of_a_table_are_those_of_differences():
    tyre, _problems = made(cornering(cambers=CAMBERS), measured_side="left")
    state, step = np.array([0.0, 0.063, 0.011, 1300.0, 0.0, 0.0]), 1e-6
    exact = tyre.evaluate(state[np.newaxis], derivatives=True)
    for place, size in ((1, step), (2, step), (3, 1e-2)):
        moved = np.array([state + sign * size * np.eye(6)[place] for sign in (1, -1)])
        forces = tyre.evaluate(moved).forces
        assert_allclose(exact.partials[0, 1:3, place], (forces[0] - forces[1])[1:3] / (2 * size), rtol=1e-7, atol=1e-7)


def test_one_side_of_a_symmetric_tyre_is_enough():
    whole, _problems = made(cornering())
    half, problems = made([p for p in cornering() if p.alpha >= 0.0])
    assert problems == []
    states = whole.states(0.0, np.linspace(-0.2, 0.2, 41), 0.0, 1700.0)
    assert_allclose(half.evaluate(states).forces, whole.evaluate(states).forces, rtol=1e-12, atol=1e-9)


def test_cambers_of_one_side_are_enough_where_both_slips_are_measured():
    whole, _problems = made(cornering(cambers=CAMBERS))
    half, problems = made([p for p in cornering(cambers=CAMBERS) if p.gamma >= 0.0])
    assert problems == []
    states = whole.states(0.0, np.linspace(-0.2, 0.2, 41), -0.02, 1700.0)
    assert_allclose(half.evaluate(states).forces[:, :3], whole.evaluate(states).forces[:, :3], rtol=1e-9, atol=1e-9)


def test_a_symmetric_table_is_its_own_mirror_image():
    tyre, _problems = made([replace(p, fy=p.fy + 0.05 * p.load) for p in cornering(cambers=CAMBERS)])
    states = tyre.states(0.0, np.linspace(-0.2, 0.2, 9), 0.017, 900.0)
    here = tyre.evaluate(states).forces
    there = tyre.evaluate(states * np.array([1, -1, -1, 1, 1, 1])).forces
    assert_allclose(there[:, 1:3], -here[:, 1:3], rtol=1e-12, atol=1e-9)


def test_friction_and_stiffness_scale_a_table_as_one():
    plain, _problems = made(cornering())
    scaled, _problems = made(cornering(), scales=TyreScales(mu_y=0.7, c_y=1.1))
    alpha = 0.06
    stretched = plain.states(0.0, alpha * 1.1 / 0.7, 0.0, 1000.0)
    found = scaled.evaluate(plain.states(0.0, alpha, 0.0, 1000.0)).force("fy")[0]
    assert found == pytest.approx(0.7 * plain.evaluate(stretched).force("fy")[0], rel=1e-12)
    assert scaled.kernel.high[1] == pytest.approx(0.2 * 0.7 / 1.1)


def test_beyond_the_points_a_table_is_marked():
    tyre, _problems = made(cornering())
    states = tyre.states(
        0.0, np.array([0.1, 0.3, 0.1, 0.1]), np.array([0.0, 0.0, 0.01, 0.0]), np.array([1e3, 1e3, 1e3, 3e3])
    )
    assert tyre.evaluate(states).outside.tolist() == [False, True, True, True]


def test_a_hole_in_the_grid_is_an_error_that_names_what_is_missing():
    points = [p for p in cornering(cambers=CAMBERS) if (p.load, p.gamma) != (1000.0, 0.03)]
    tyre, problems = made(points, measured_side="left")
    assert tyre is None
    assert [each.code for each in problems] == ["hole-in-table"]
    assert "load 1000 N, camber 1.719 deg" in problems[0].found
    assert problems[0].cell in {p.place for p in points if p.load == 1000.0}


def test_measured_points_on_no_grid_are_one_error():
    rng = np.random.default_rng(3)
    points = [replace(p, load=p.load * (1 + 0.01 * rng.random())) for p in cornering()]
    _tyre, problems = made(points)
    assert [(each.code, each.severity) for each in problems] == [("no-grid", "error")]


def test_two_values_at_one_point_are_an_error():
    points = cornering()
    _tyre, problems = made([*points, replace(points[4], fy=1.0, places={"fz": "Tyre data!B99"})])
    assert "given-twice" in [each.code for each in problems]


def test_a_blank_moment_is_no_zero():
    points = cornering()
    _tyre, problems = made([replace(points[0], mz=None), *points[1:]])
    assert [each.code for each in problems] == ["hole-in-table"]


def test_data_in_other_axes_read_as_iso_is_an_error_with_its_fix():
    tyre, problems = made([replace(p, fy=-p.fy) for p in cornering()])
    assert tyre is None
    assert [each.code for each in problems] == ["wrong-sign"]
    assert "SAE" in problems[0].mend


def test_axes_turn_into_each_other():
    iso = point(3, load=900.0, alpha=0.05, kappa=0.01, gamma=0.02, fx=5.0, fy=-70.0, mz=3.0)
    sae = replace(iso, load=-900.0, alpha=-0.05, fy=70.0, mz=-3.0)
    adapted = replace(iso, fy=70.0, mz=-3.0)
    assert in_iso(iso, ISO) == in_iso(sae, SAE) == in_iso(adapted, ADAPTED_SAE) == iso
