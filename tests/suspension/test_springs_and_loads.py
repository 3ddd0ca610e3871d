"""Springs, dampers, actuators and loads, each against what it does by its definition.

A body that drivers carry along a given path feels no load move it: its drivers bear, at every time, what mass times
acceleration leaves over. That shows each force as it is, without integrating anything.
"""

from dataclasses import replace

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.interpolate import CubicSpline

import sheetmbs
from sheetmbs.model.model import (
    Curve,
    Driver,
    Force,
    ForceSeries,
    Formula,
    Joint,
    OfCurve,
    Point,
    Quadratic,
    Series,
)
from sheetmbs.schema.expression import parse
from tests.support.mechanisms import bar, body, four_bar, hinge, model, on, slide_axes, turning
from tests.support.springs import make_spring

STILL = (0.0, 0.0, 0.0)
MASS, INERTIA = 2.0, 0.5


def formula(text):
    return Formula(parse(text, lambda name: "." in name))


class Carried:
    """A body on the path x = sin 2t, y = t^2, phi = 0.3 + t, and what its carriers say of the forces on it."""

    def __init__(self, springs=(), spline="natural", **more):
        path = {"x": "sin(2*t)", "y": "t^2", "phi": "0.3 + t"}
        drivers = tuple(Driver(f"carry {c}", "b", None, c, Formula(parse(text))) for c, text in path.items())
        carried = body("b", 0.0, 0.0, 0.3, mass=MASS, inertia=INERTIA, **more.pop("body", {}))
        made = model(
            (carried,), (), 1.0, 0.1, drivers, springs, STILL, analysis="inverse dynamic", guiding_spline=spline
        )
        self.result = sheetmbs.run(replace(made, **more))
        assert self.result.status == "done"
        self.t = t = self.result.bodies["time"].to_numpy()
        self.x, self.y, self.phi = np.sin(2 * t), t**2, 0.3 + t
        self.vx, self.vy, self.omega = 2 * np.cos(2 * t), 2 * t, 1.0 + 0 * t
        borne = self.result.drivers
        self.fx = MASS * -4 * np.sin(2 * t) - borne["carry x.force"].to_numpy()
        self.fy = MASS * 2.0 - borne["carry y.force"].to_numpy()
        self.moment = -borne["carry phi.moment"].to_numpy()

    def arm(self, xi, eta):
        return (
            np.cos(self.phi) * xi - np.sin(self.phi) * eta,
            np.sin(self.phi) * xi + np.cos(self.phi) * eta,
        )

    def turned(self, fx, fy):
        return np.cos(self.phi) * fx - np.sin(self.phi) * fy, np.sin(self.phi) * fx + np.cos(self.phi) * fy

    def feels(self, fx, fy, moment):
        return max(np.abs(self.fx - fx).max(), np.abs(self.fy - fy).max(), np.abs(self.moment - moment).max()) < 1e-11


def test_constant_load_of_a_body_keeps_its_direction():
    load = {"force": np.array([3.0, -4.0, 0.0]), "moment": np.array([0.0, 0.0, 2.5])}
    assert Carried(body=load).feels(3.0, -4.0, 2.5)


def test_force_at_a_point_turns_the_body_by_its_arm():
    c = Carried(forces=(Force("f", on("b", 0.4, -0.2), (3.0, 5.0, 0.0), (0.0, 0.0, 1.0)),))
    ax, ay = c.arm(0.4, -0.2)
    assert c.feels(3.0, 5.0, ax * 5.0 - ay * 3.0 + 1.0)


def test_force_in_body_axes_turns_with_the_body():
    c = Carried(forces=(Force("f", on("b", 0.4, -0.2), (3.0, 5.0, 0.0), (0.0, 0.0, 1.0), in_body_axes=True),))
    fx, fy = c.turned(3.0, 5.0)
    assert c.feels(fx, fy, 0.4 * 5.0 + 0.2 * 3.0 + 1.0)


@pytest.mark.parametrize("interpolation", ["linear", "cubic"])
def test_curve_scales_every_component_of_a_force(interpolation):
    x, y = np.array([0.0, 0.3, 0.7, 1.0]), np.array([1.0, -2.0, 0.5, 3.0])
    force = Force("f", on("b"), (3.0, formula("2 + t"), 0.0), (0.0, 0.0, 1.0), curve="scale")
    c = Carried(forces=(force,), curves=(Curve("scale", x, y, interpolation),))
    scale = np.interp(c.t, x, y) if interpolation == "linear" else CubicSpline(x, y, bc_type="natural")(c.t)
    assert c.feels(3.0 * scale, (2.0 + c.t) * scale, scale)


def test_formula_of_time_counts_in_its_own_unit():
    force = Force("f", on("b"), (Formula(parse("t^3 - 1"), scale=1000.0), 0.0, 0.0), STILL)
    c = Carried(forces=(force,))
    assert c.feels(1000.0 * (c.t**3 - 1), 0.0, 0.0)


def test_formula_reads_the_motion_of_bodies_and_points():
    tip = Point("tip", on("b", 0.5, 0.0))
    force = Force(
        "f",
        on("b"),
        (formula("2*b.x - b.vx*b.omega"), formula("tip.x - tip.vy + b.y*b.vy"), 0.0),
        (0.0, 0.0, formula("b.phi + tip.y*tip.vx")),
    )
    c = Carried(forces=(force,), points=(tip,))
    ax, ay = c.arm(0.5, 0.0)
    tip_x, tip_y, tip_vx, tip_vy = c.x + ax, c.y + ay, c.vx - ay, c.vy + ax
    assert c.feels(2 * c.x - c.vx * c.omega, tip_x - tip_vy + c.y * c.vy, c.phi + tip_y * tip_vx)


@pytest.mark.parametrize("frame", ["centre", "global", "body"])
@pytest.mark.parametrize("spline", ["natural", "not-a-knot"])
def test_measured_load_follows_its_splines_and_its_point(frame, spline):
    times = np.linspace(0.0, 1.0, 7)
    rng = np.random.default_rng(5)
    force, moment, point = rng.normal(size=(7, 3)), rng.normal(size=(7, 3)), rng.normal(size=(7, 3))
    made = Carried(spline=spline, force_series=(ForceSeries("b", times, force, moment, point, frame),))
    fx, fy, m, px, py = (
        CubicSpline(times, column, bc_type=spline)(made.t)
        for column in (force[:, 0], force[:, 1], moment[:, 2], point[:, 0], point[:, 1])
    )
    if frame == "centre":
        ax = ay = 0.0
    elif frame == "global":
        ax, ay = px - made.x, py - made.y
    else:
        ax, ay = made.turned(px, py)
    assert made.feels(fx, fy, m + ax * fy - ay * fx)


def test_two_series_on_one_body_add_up():
    times, column = np.linspace(0.0, 1.0, 5), np.ones((5, 1))
    one = ForceSeries("b", times, column * [1.0, 2.0, 0.0], column * [0.0, 0.0, 3.0], column * 0.0)
    assert Carried(force_series=(one, one)).feels(2.0, 4.0, 6.0)


def strut(c, end=(0.3, 0.1), foot=(2.0, -1.0)):
    """Length, rate, direction from foot to body, and the body's arm, of a strut from ground to the carried body."""
    ax, ay = c.arm(*end)
    dx, dy = c.x + ax - foot[0], c.y + ay - foot[1]
    length = np.hypot(dx, dy)
    rate = (dx * (c.vx - ay) + dy * (c.vy + ax)) / length
    return length, rate, dx / length, dy / length, ax, ay


def pulled(c, tension):
    _, _, ux, uy, ax, ay = strut(c)
    return c.feels(-tension * ux, -tension * uy, -tension * (ax * uy - ay * ux))


def test_spring_damper_and_actuator_pull_along_their_line():
    c = Carried((make_spring("s", "translational", on("ground", 2.0, -1.0), on("b", 0.3, 0.1), 40.0, 3.0, 7.0, 1.2),))
    length, rate, *_ = strut(c)
    assert pulled(c, 40.0 * (length - 1.2) + 3.0 * rate + 7.0)
    found = c.result.springs
    assert np.abs(found["s.length"] - length).max() < 1e-13
    assert np.abs(found["s.rate"] - rate).max() < 1e-12
    assert np.abs(found["s.damper_force"] - 3.0 * rate).max() < 1e-11
    assert np.abs(found["s.force"] - found["s.spring_force"] - found["s.damper_force"] - 7.0).max() < 1e-12


def test_spring_without_a_natural_length_is_at_rest_at_first():
    c = Carried((make_spring("s", "translational", on("ground", 2.0, -1.0), on("b", 0.3, 0.1), k=40.0),))
    length, *_ = strut(c)
    assert pulled(c, 40.0 * (length - length[0]))


@pytest.mark.parametrize("interpolation", ["linear", "cubic"])
def test_curves_replace_stiffness_and_damping_and_go_on_with_their_end_slopes(interpolation):
    x, y = np.array([-0.3, 0.0, 0.2, 0.5]), np.array([-20.0, 0.0, 5.0, 40.0])
    v, d = np.array([-0.5, 0.0, 1.0]), np.array([-9.0, 0.0, 4.0])
    spring = make_spring(
        "s",
        "translational",
        on("ground", 2.0, -1.0),
        on("b", 0.3, 0.1),
        natural=2.0,
        k=1e9,
        c=1e9,
        curve_k="stiff",
        curve_c="rate",
    )
    c = Carried((spring,), curves=(Curve("stiff", x, y, interpolation), Curve("rate", v, d, interpolation)))

    def through(knots, values, at):
        if interpolation == "linear":
            slope = np.diff(values) / np.diff(knots)
            ends = slope[0], slope[-1]
            inside = np.interp(at, knots, values)
        else:
            cubic = CubicSpline(knots, values, bc_type="natural")
            ends = cubic(knots[[0, -1]], 1)
            inside = cubic(np.clip(at, knots[0], knots[-1]))
        return inside + ends[0] * np.minimum(at - knots[0], 0) + ends[1] * np.maximum(at - knots[-1], 0)

    length, rate, *_ = strut(c)
    deflection = length - 2.0
    assert deflection.max() > 0.5
    assert rate.min() < -0.5
    assert pulled(c, through(x, y, deflection) + through(v, d, rate))
    assert {p.code for p in c.result.sheets.problems} >= {"beyond-curve"}
    stored = [quad(lambda u: through(x, y, u), 0.0, end, points=[0.2, 0.5], limit=200)[0] for end in deflection]
    assert np.abs(c.result.constraints["potential_energy"] - stored).max() < 1e-6


def test_rotational_spring_damper_and_actuator_turn_back():
    c = Carried((make_spring("s", "rotational", on("ground"), on("b"), 8.0, 0.7, 1.5, 0.2),))
    moment = 8.0 * (c.phi - 0.2) + 0.7 + 1.5
    assert c.feels(0.0, 0.0, -moment)
    found = c.result.springs
    assert np.abs(found["s.angle"] - c.phi).max() < 1e-13
    assert np.abs(found["s.moment"] - moment).max() < 1e-11
    assert np.abs(found["s.spring_moment"] - 8.0 * (c.phi - 0.2)).max() < 1e-11
    assert np.abs(c.result.constraints["potential_energy"] - 4.0 * (c.phi - 0.2) ** 2).max() < 1e-11


def test_spring_with_body_i_and_j_exchanged_does_the_same():
    ends = on("ground", 2.0, -1.0), on("b", 0.3, 0.1)
    one, two = (Carried((make_spring("s", "translational", *e, 40.0, 3.0, 7.0, 1.2),)) for e in (ends, ends[::-1]))
    assert one.feels(two.fx, two.fy, two.moment)


@pytest.mark.parametrize("kind", ["translational", "rotational"])
def test_spring_between_two_free_bodies_acts_on_both_alike(kind):
    bodies = (body("a", inertia=0.2), body("b", 2.0, 1.0, 0.7, mass=3.0))
    spring = make_spring("s", kind, on("a", 0.1, 0.2), on("b", -0.3, 0.0), k=10.0, force=2.0, natural=0.5)
    row = sheetmbs.run(model(bodies, springs=(spring,), gravity=STILL)).bodies.iloc[0]
    assert row["a.ax"] == pytest.approx(-3.0 * row["b.ax"], abs=1e-12)
    assert row["a.ay"] == pytest.approx(-3.0 * row["b.ay"], abs=1e-12)
    if kind == "rotational":
        assert row["a.alpha"] == pytest.approx((10.0 * 0.2 + 2.0) / 0.2)
        assert row["b.alpha"] == pytest.approx(-(10.0 * 0.2 + 2.0) / 0.1)
    else:
        assert row["a.ax"] > 0 > row["b.ax"]


def test_torsional_oscillator_dies_away_as_the_book_says():
    """I = 0.2, k = 5, c = 0.4: delta = 1/s, omega = sqrt(25 - 1)."""
    spring = make_spring("s", "rotational", on("ground"), on("rotor"), k=5.0, c=0.4, natural=0.0)
    made = model(
        (body("rotor", phi=0.8, inertia=0.2),), (hinge("pin", on("ground"), on("rotor")),), springs=(spring,), t_end=4.0
    )
    result = sheetmbs.run(made)
    t, w = result.bodies["time"], np.sqrt(24.0)
    exact = 0.8 * np.exp(-t) * (np.cos(w * t) + np.sin(w * t) / w)
    assert np.abs(result.bodies["rotor.phi"] - exact).max() < 1e-6
    assert result.summary["energy drift"] < 1e-6


def test_fall_through_a_damper_with_a_curve_settles_where_it_carries_the_weight():
    v, d = np.array([-10.0, -5.0, 0.0, 10.0]), np.array([-200.0, -50.0, 0.0, 100.0])
    damper = make_spring("d", "translational", on("ground", 0.0, 100.0), on("m"), curve_c="drag", natural=0.0)
    rail = Joint("rail", "translational", on("ground", axes=slide_axes(np.pi / 2)), on("m", axes=slide_axes(np.pi / 2)))
    made = model((body("m", mass=10.0),), (rail,), springs=(damper,), t_end=4.0)
    result = sheetmbs.run(replace(made, curves=(Curve("drag", -v[::-1], -d[::-1]),)))
    terminal = 5.0 + (98.1 - 50.0) / 30.0
    assert result.bodies["m.vy"].iloc[-1] == pytest.approx(-terminal, rel=1e-4)
    assert result.summary["energy drift"] < 1e-4


def test_actuator_lifts_with_the_acceleration_it_can_give():
    rail = Joint("rail", "translational", on("ground", axes=slide_axes(np.pi / 2)), on("m", axes=slide_axes(np.pi / 2)))
    ram = make_spring("ram", "translational", on("ground", 0.0, 5.0), on("m"), force=30.0)
    result = sheetmbs.run(model((body("m", mass=2.0),), (rail,), springs=(ram,))).bodies
    assert np.abs(result["m.y"] - 0.5 * (15.0 - 9.81) * result["time"] ** 2).max() < 1e-10


def test_energy_balances_with_drivers_dampers_actuators_and_every_kind_of_load():
    bodies, joints, _ = four_bar()
    t = np.linspace(0.0, 2.0, 21)
    column = np.ones((21, 1))
    springs = (
        make_spring(
            "strut", "translational", on("ground", 2.0, 3.0), on("coupler"), k=50.0, c=6.0, force=4.0, natural=1.0
        ),
        make_spring("turn", "rotational", on("crank"), on("coupler"), k=3.0, c=0.8, force=0.5, natural=0.1),
    )
    forces = (
        Force("push", on("rocker", 0.7, 0.2), (5.0, formula("3*sin(4*t)"), 0.0), (0.0, 0.0, 2.0), in_body_axes=True),
        Force("drag", on("coupler"), (formula("-2*coupler.vx"), formula("-2*coupler.vy"), 0.0), STILL),
    )
    series = ForceSeries(
        "coupler", t, column * [0.0, -20.0, 0.0], column * STILL, np.outer(t, [1.0, 0.5, 0.0]), "global"
    )
    heavy = replace(bodies[2], force=np.array([2.0, 1.0, 0.0]), moment=np.array([0.0, 0.0, -3.0]))
    free = model((*bodies[:2], heavy), joints, springs=springs, t_end=2.0)
    driven = replace(free, drivers=(Driver("motor", None, "A", "angle", Formula(parse("2*t + sin(3*t)/2"))),))
    for made in (free, driven):
        result = sheetmbs.run(replace(made, forces=forces, force_series=(series,)))
        energy = result.constraints["total_energy"]
        assert np.abs(energy - energy[0]).max() > 3.0
        assert result.summary["energy drift"] < 1e-5


def test_energy_of_a_conservative_four_bar_with_springs_is_kept():
    bodies, joints, _ = four_bar()
    x = np.linspace(-2.0, 4.0, 13)
    springs = (
        make_spring(
            "strut", "translational", on("ground", 2.0, 3.0), on("coupler", 0.5, 0.3), natural=1.0, curve_k="hard"
        ),
        make_spring("turn", "rotational", on("coupler"), on("rocker"), k=30.0, natural=0.3),
    )
    made = model(bodies, joints, springs=springs, t_end=5.0)
    result = sheetmbs.run(replace(made, curves=(Curve("hard", x, 20.0 * x + 3.0 * x**3, "cubic"),)))
    energy = result.constraints["total_energy"]
    assert result.constraints["kinetic_energy"].max() > 3.0
    assert np.abs(energy - energy[0]).max() < 1e-5


def test_power_of_a_driver_is_what_it_adds_to_the_energy():
    """A driven bar under its weight: moment times rate, integrated by Simpson's rule."""
    driver = Driver("motor", None, "pin", "angle", Formula(parse("sin(2*t)")))
    made = model(
        (bar("bar", (0, 0), (1, 0), mass=3.0),),
        (hinge("pin", on("ground"), on("bar", -0.5)),),
        drivers=(driver,),
        t_step=0.01,
    )
    result = sheetmbs.run(made)
    power = result.drivers["motor.power"].to_numpy()
    work = 0.02 / 6 * np.cumsum(power[:-2:2] + 4 * power[1:-1:2] + power[2::2])
    energy = result.constraints["total_energy"].to_numpy()
    assert np.abs(energy[2::2] - energy[0] - work).max() < 1e-6


@pytest.mark.parametrize(
    "motion",
    [
        Quadratic(0.1, 2.0, -1.5),
        Formula(parse("0.1 + 2*t - 0.75*t^2")),
        OfCurve("way"),
        Series(np.linspace(0.0, 1.0, 11), 0.1 + 2 * np.linspace(0.0, 1.0, 11) - 0.75 * np.linspace(0.0, 1.0, 11) ** 2),
    ],
)
def test_ways_of_giving_one_motion_drive_alike(motion):
    times = np.linspace(0.0, 1.0, 11)
    curve = Curve("way", times, 0.1 + 2 * times - 0.75 * times**2)
    made = model(
        (bar("bar", (0, 0), (1, 0)),),
        (hinge("pin", on("ground"), on("bar", -0.5)),),
        drivers=(Driver("motor", None, "pin", "angle", motion),),
        analysis="inverse dynamic",
        guiding_spline="not-a-knot",
    )
    result = sheetmbs.run(replace(made, curves=(curve,)))
    t = result.bodies["time"]
    angle = 0.1 + 2 * t - 0.75 * t**2
    assert np.abs(result.bodies["bar.phi"] - angle).max() < 1e-12
    assert np.abs(result.bodies["bar.omega"] - 2 + 1.5 * t).max() < 1e-11
    assert np.abs(result.drivers["motor.moment"] - (-1.5 / 3 + 9.81 / 2 * np.cos(angle))).max() < 1e-9


def test_quadratic_motion_counts_from_the_start_of_the_analysis():
    made = model(
        (bar("bar", (0, 0), (1, 0)),),
        (hinge("pin", on("ground"), on("bar", -0.5)),),
        drivers=(turning("pin", 2.0, 0.3),),
        analysis="kinematic",
        t_start=5.0,
        t_end=6.0,
    )
    frame = sheetmbs.run(made).bodies
    assert np.abs(frame["bar.phi"] - 0.3 - 2.0 * (frame["time"] - 5.0)).max() < 1e-12
