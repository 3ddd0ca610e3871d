"""No step passes over a corner of a spring's curve: stops, one-sided springs, dampers that are softer one way."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import sheetmbs
from sheetmbs.analysis.integrators.stepping.cornered import earliest_exit
from sheetmbs.analysis.integrators.stepping.curve_breakpoints import bends, find_corners
from sheetmbs.model.model import Clearance, Curve, Joint
from tests.analysis.drops import GRAVITY, dropped, flight_and_contact, stop
from tests.support.mechanisms import body, hinge, model, on, slide_axes, slider_crank
from tests.support.runs import start
from tests.support.spatial_mechanisms import joined, marker, rigid, space
from tests.support.springs import make_spring

ADAPTIVE = ("dop853", "rkv65", "dopri5", "abm", "lsoda", "bdf", "radau")


def random_drops(count, seed):
    rng = np.random.default_rng(seed)
    for _ in range(count):
        yield (
            rng.uniform(0.2, 2.0),
            10.0 ** rng.uniform(3.0, 6.0),
            10.0 ** rng.uniform(-1.0, 1.0),
            rng.uniform(-2.0, 2.0),
        )


def last_of(result, *columns):
    return result.bodies[list(columns)].iloc[-1].to_numpy()


def test_none_of_120_random_drops_on_a_stop_is_lost():
    for drop in random_drops(120, 1):
        result = sheetmbs.run(dropped(*drop))
        y, v = last_of(result, "b.y", "b.vy") - flight_and_contact(*drop, 3.0)
        assert abs(y) < 2e-6, drop
        assert abs(v) < 1e-4, drop  # in contact 1,600 m/s^2 and more act on it: 6e-8 s of its motion
        assert result.summary["accuracy check"] == "passed"


@pytest.mark.parametrize("name", ADAPTIVE)
def test_every_adaptive_method_ends_its_steps_on_the_corner(name):
    for drop in random_drops(8, 2):
        result = sheetmbs.run(dropped(*drop, integrator=name))
        assert np.allclose(last_of(result, "b.y", "b.vy"), flight_and_contact(*drop, 3.0), atol=2e-4), (name, drop)


def test_drops_from_neighbouring_heights_end_near_each_other():
    """The drop from 0.602 m had ended 545 m away."""
    for height in (0.600, 0.601, 0.602, 0.603):
        found = last_of(sheetmbs.run(dropped(height, 76800.0)), "b.y", "b.vy")
        assert np.allclose(found, flight_and_contact(height, 76800.0, 1.0, 0.0, 3.0), atol=1e-6)


def test_a_coarse_tolerance_meets_the_corner_too():
    for drop in random_drops(20, 3):
        y, _v = last_of(sheetmbs.run(dropped(*drop, rtol=1e-3)), "b.y", "b.vy")
        highest = drop[0] + drop[3] ** 2 / (2.0 * GRAVITY)
        assert -0.5 < y < 1.05 * highest


def test_a_stop_that_is_only_just_touched_within_a_long_step_is_felt():
    """Thrown up against a ceiling that it reaches by a millimetre, far from either end of any step."""
    for beyond in (1e-2, 1e-3, 1e-4):
        rise = 1.0 + beyond
        thrown = body("b", 0.0, 0.0, velocity=(0.0, np.sqrt(2.0 * GRAVITY * rise), 0.0))
        ceiling = make_spring(
            "ceiling", "translational", on("ground", 0.0, -10.0), on("b"), natural=11.0, curve_k="above"
        )
        curve = Curve("above", np.array([-20.0, 0.0, 1.0]), np.array([0.0, 0.0, 1e6]))
        made = replace(model((thrown,), springs=(ceiling,), t_end=0.9, t_step=0.45), curves=(curve,))
        found = sheetmbs.run(made)
        # in contact y - 1 - sag' oscillates about -g/w^2
        rate, sag, speed = 1e3, GRAVITY / 1e6, np.sqrt(2.0 * GRAVITY * beyond)
        size, phase = np.hypot(sag, speed / rate), np.arctan2(speed / rate, sag)
        lasts = 2.0 * phase / rate
        rest = 0.9 - (np.sqrt(2.0 * GRAVITY * rise) - speed) / GRAVITY - lasts
        assert size > 0.0
        expected = 1.0 - speed * rest - GRAVITY * rest**2 / 2.0
        assert abs(last_of(found, "b.y")[0] - expected) < 1e-6


def test_a_damper_that_is_softer_one_way_bends_where_its_rate_is_zero():
    curve = Curve("two-way", np.array([-10.0, 0.0, 10.0]), np.array([-40.0, 0.0, 400.0]))
    spring = make_spring("s", "translational", on("ground", -2.0), on("m"), natural=2.0, k=900.0, curve_c="two-way")
    rail = Joint("rail", "translational", on("ground", axes=slide_axes(0)), on("m", axes=slide_axes(0)))
    made = model((body("m", 0.5, mass=2.0),), (rail,), springs=(spring,), gravity=(0.0, 0.0, 0.0), t_end=1.0)

    def rates(_t, y):
        return y[1], (-900.0 * y[0] - (40.0 if y[1] > 0.0 else 4.0) * y[1]) / 2.0

    expected = solve_ivp(rates, (0.0, 1.0), (0.5, 0.0), rtol=1e-12, atol=1e-14, max_step=1e-4).y[:, -1]
    for name in ("auto", "radau", "abm"):
        found = last_of(
            sheetmbs.run(replace(made, curves=(curve,), settings=replace(made.settings, integrator=name))),
            "m.x",
            "m.vx",
        )
        assert np.allclose(found, expected, atol=1e-6)


def swinging(rotational):
    """(angle, rate) at t = 2 s of a rod of 1 kg and 1 m let go from the horizontal, which meets a stop at -2 rad."""

    def rates(_t, y):
        beyond = min(y[0] + 2.0, 0.0)
        return y[1], (-GRAVITY * 0.5 * np.cos(y[0]) - rotational * beyond) / (1.0 / 3.0)

    return solve_ivp(rates, (0.0, 2.0), (0.0, 0.0), rtol=1e-12, atol=1e-14, max_step=1e-4).y[:, -1]


def test_a_rotational_stop_in_the_plane_and_in_space():
    expected = swinging(2e4)
    curve = Curve("stop", np.array([-3.0, -2.0, 0.0, 9.0]), np.array([-2e4, 0.0, 0.0, 0.0]))
    rod = body("rod", 0.5, inertia=1.0 / 12.0)
    spring = make_spring("stop", "rotational", on("ground"), on("rod", -0.5), natural=0.0, curve_k="stop")
    made = model((rod,), (hinge("pin", on("ground"), on("rod", -0.5)),), springs=(spring,), t_end=2.0, t_step=0.5)
    found = last_of(sheetmbs.run(replace(made, curves=(curve,))), "rod.phi", "rod.omega")
    assert np.allclose(found, expected, atol=1e-6)

    bodies = (rigid("rod", (0.5, 0.0, 0.0), inertia=(0.1, 1.0 / 12.0, 1.0 / 12.0)),)
    joint = joined(bodies, "pin", "revolute", "ground", "rod", axis=(0.0, -1.0, 0.0))
    ends = [marker(bodies, each, (0.0, 0.0, 0.0), joint.i.axes) for each in ("ground", "rod")]
    spring = make_spring("stop", "rotational", *ends, natural=0.0, curve_k="stop")
    made = space(bodies, (joint,), springs=(spring,), t_end=2.0, t_step=0.5)
    result = sheetmbs.run(replace(made, curves=(curve,)))
    assert np.allclose(
        last_of(result, "rod.x", "rod.z"), 0.5 * np.array([np.cos(expected[0]), np.sin(expected[0])]), atol=1e-6
    )


def test_a_drop_in_space_is_that_in_the_plane():
    for drop in random_drops(5, 4):
        height, stiffness, mass, speed = drop
        bodies = (rigid("b", (0.0, 0.0, height), mass=mass, velocity=(0.0, 0.0, speed)),)
        ends = marker((), "ground", (0.0, 0.0, -10.0), np.eye(3)), marker(bodies, "b", (0.0, 0.0, height), np.eye(3))
        buffer = make_spring("buffer", "translational", *ends, natural=10.0, curve_k="stop")
        made = replace(space(bodies, springs=(buffer,), t_end=3.0), curves=(stop(stiffness),))
        assert np.allclose(last_of(sheetmbs.run(made), "b.z", "b.vz"), flight_and_contact(*drop, 3.0), atol=2e-6)


def test_a_stop_that_is_met_through_a_linkage():
    """A slider-crank falls; its slider meets a stop. Held against small fixed steps, which know of no corner."""
    bodies, joints = slider_crank()
    curve = Curve("stop", np.array([-1.0, 0.0, 9.0]), np.array([-3e4, 0.0, 0.0]))
    spring = make_spring("stop", "translational", on("ground", -1.0), on("slider"), natural=4.2, curve_k="stop")
    made = replace(model(bodies, joints, springs=(spring,), t_end=2.0, t_step=0.5), curves=(curve,))
    fixed = replace(made.settings, integrator="rk4", step=2e-5)
    expected = last_of(sheetmbs.run(replace(made, settings=fixed)), "crank.phi", "slider.x", "slider.vx")
    for name in ("auto", "dopri5", "bdf"):
        result = sheetmbs.run(replace(made, settings=replace(made.settings, integrator=name)))
        assert np.allclose(last_of(result, "crank.phi", "slider.x", "slider.vx"), expected, atol=1e-5)


def test_stops_on_both_sides_with_many_corners_are_met_in_turn():
    """A mass between two progressive stops of eight straight lines each keeps its energy through some hundred corners."""
    x = np.array([-1.0, -0.7, -0.6, -0.55, -0.5, -0.47, -0.45, -0.44, 0.44, 0.45, 0.47, 0.5, 0.55, 0.6, 0.7, 1.0])
    curve = Curve("both", x, np.sign(x) * 1e4 * np.maximum(np.abs(x) - 0.44, 0.0) ** 1.5)
    spring = make_spring("s", "translational", on("ground", -2.0), on("m"), natural=2.0, curve_k="both")
    rail = Joint("rail", "translational", on("ground", axes=slide_axes(0)), on("m", axes=slide_axes(0)))
    made = model(
        (body("m", velocity=(5.0, 0.0, 0.0)),), (rail,), springs=(spring,), gravity=(0.0, 0.0, 0.0), t_end=20.0
    )
    result = sheetmbs.run(replace(made, curves=(curve,)))
    free = np.abs(result.bodies["m.x"]) < 0.43
    assert np.allclose(np.abs(result.bodies["m.vx"][free]), 5.0, rtol=1e-7)
    assert result.summary["accuracy check"] == "passed"


def test_curves_without_corners_ask_for_nothing():
    smooth = Curve("stop", np.linspace(-1.0, 20.0, 30), np.linspace(-1.0, 20.0, 30) ** 3, "cubic")
    straight = Curve("stop", np.array([-1.0, 0.0, 7.0, 20.0]), np.array([-5.0, 0.0, 35.0, 100.0]))
    for curve in (smooth, straight):
        run = start(replace(dropped(0.5, 1.0), curves=(curve,)))
        assert find_corners(run.arrays, run.work) is None
    run = start(dropped(0.5, 1.0))
    assert len(bends(run.arrays, 0)) == 1


def test_fixed_steps_stay_as_they_are_asked_for():
    summary = sheetmbs.run(dropped(0.2, 1e3, integrator="rk4", step=0.01)).summary
    assert summary["steps"] == 300


@pytest.mark.parametrize("name", ["auto", "dopri5"])
def test_corners_and_contacts_in_joints_with_clearance_are_both_met(name):
    """A journal in its bearing falls, both on stops: energy is kept through impacts and corners."""
    bodies = (body("b", 0.0, 0.3, mass=2.0), body("j", 0.0, 0.3, mass=0.5))
    joint = Clearance("gap", "hertz", on("b"), on("j"), 0.1, 0.099, (2e9, 2e9), (0.3, 0.3), length=0.02)
    buffer = make_spring("buffer", "translational", on("ground", 0.0, -10.0), on("b"), natural=10.0, curve_k="stop")
    made = model(bodies, springs=(buffer,), t_end=1.0, t_step=0.01, integrator=name)
    result = sheetmbs.run(replace(made, curves=(stop(2e4),), clearances=(joint,)))
    assert result.status == "done"
    assert result.summary["relative error of the energy balance"] < 1e-6
    assert result.summary["impacts in gap"] > 2


def test_exit_is_the_first_outward_crossing_and_not_where_it_came_in():
    def leaves(before, after, h=1.0, low=-np.inf, high=0.0, *, looks=True):
        one = np.array([before], dtype=float)
        return earliest_exit(
            one, np.array([after], dtype=float), h, np.array([low]), np.array([high]), np.array([1e-9]), looks=looks
        )

    # x = t^2 - t, from the corner inward and back out of it at t = 1; up to t = 2
    assert leaves((0.0, -1.0, 2.0), (2.0, 3.0, 2.0), 2.0) == pytest.approx(0.5)
    # x = 0.1 - (t - 1)^2: above 0 within the step only, from 1 - sqrt(0.1) on
    assert leaves((-0.9, 2.0, -2.0), (-0.9, -2.0, -2.0), 2.0) == pytest.approx((1.0 - np.sqrt(0.1)) / 2.0)
    assert leaves((-0.9, 2.0, -2.0), (-0.9, -2.0, -2.0), 2.0, high=0.2) == 2.0
    assert leaves((-1.0, 1.0, 0.0), (-2.0, -3.0, 0.0)) == 2.0
    assert leaves((0.0, 1.0, 0.0), (1.0, 1.0, 0.0)) == 0.0
