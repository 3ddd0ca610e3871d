"""Friction in joints: closed forms, motions integrated in minimal coordinates, statics by hand, energy, and where it jams."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.optimize import brentq

import sheetmbs
from sheetmbs.elements.joint_friction import CREEP_OF_SLIDES
from sheetmbs.model.model import Driver, Force, Formula, Joint, Quadratic
from sheetmbs.problems.errors import WorkbookError
from sheetmbs.schema.expression import parse
from tests.analysis.test_planar_equals_spatial import in_space
from tests.support.mechanisms import bar, body, hinge, model, on, slide_axes, slider_crank, turning
from tests.support.rubbing import rubbing, rubbing_crank, sleeve
from tests.support.spatial_mechanisms import joined, rigid, space

G = 9.81
FIXED = {"rk4": {"step": 1e-3}, "kutta-merson": {"step": 1e-3}}
ADAPTIVE = ("auto", "dopri5", "rkv65", "dop853", "abm", "lsoda", "bdf", "radau")


def sliding(name="slide", angle=0.0, x=0.0, y=0.0, i=(0.0, 0.0), turned=0.0, **friction):
    """A slide along a line fixed to the ground; (x, y): where it is on the block, turned: angle of the block."""
    made = Joint(
        name, "translational", on("ground", *i, slide_axes(angle)), on("block", x, y, slide_axes(angle - turned))
    )
    return rubbing(made, **friction)


def runs_down(speed, rate, ramp, t):
    """v' = -rate tanh(v/ramp): sinh(v/ramp) = sinh(speed/ramp) exp(-rate t/ramp)."""
    log = speed / ramp + np.log1p(-np.exp(-2 * speed / ramp)) - rate * t / ramp  # of 2 sinh
    return ramp * np.where(log > 30.0, log, np.arcsinh(0.5 * np.exp(np.minimum(log, 30.0))))


def energy_closes(result):
    assert result.status == "done"
    assert result.summary["accuracy check"] == "passed"


def test_block_on_a_level_floor_slows_down_evenly_and_stops():
    block = body("block", velocity=(3.0, 0.0, 0.0), mass=2.0)
    result = sheetmbs.run(model((block,), (sliding(coefficient=0.3, velocity=0.01),), t_end=2.0, t_step=0.01))
    t = result.bodies["time"].to_numpy()
    assert np.abs(result.bodies["block.vx"] - runs_down(3.0, 0.3 * G, 0.01, t)).max() < 3e-7
    assert result.bodies["block.x"].iloc[-1] == pytest.approx(3.0**2 / (2 * 0.3 * G), abs=1e-4)
    fast = result.bodies["block.vx"] > 0.1
    assert np.abs(result.joints["slide.friction"][fast] + 0.3 * 2.0 * G).max() < 1e-7
    assert (
        np.abs(
            result.joints["slide.friction_power"] + result.joints["slide.friction"] * result.joints["slide.rate"]
        ).max()
        < 1e-9
    )
    energy_closes(result)


@pytest.mark.parametrize("coefficient", [0.3, 0.6])
def test_block_on_an_incline_slides_or_creeps_as_the_smooth_law_says(coefficient):
    """20 degrees: tan = 0.364. Below it stops but for the creep v artanh(tan/mu), above it goes on as Coulomb's law says."""
    angle = np.radians(20.0)
    block = body("block", phi=angle, velocity=(2.0 * np.cos(angle), 2.0 * np.sin(angle), 0.0), mass=2.0)
    slide = sliding(angle=angle, turned=angle, coefficient=coefficient)
    result = sheetmbs.run(model((block,), (slide,), t_end=2.0, t_step=0.01))
    weight, hold, ramp = G * np.sin(angle), coefficient * G * np.cos(angle), CREEP_OF_SLIDES
    expected = solve_ivp(
        lambda _t, v: -weight - hold * np.tanh(v / ramp), (0, 2), [2.0], method="LSODA", rtol=1e-11, atol=1e-13
    ).y[0, -1]
    assert result.joints["slide.rate"].iloc[-1] == pytest.approx(expected, abs=2e-7)
    if hold > weight:
        creep = ramp * np.arctanh(weight / hold)
        assert result.joints["slide.rate"].iloc[-1] == pytest.approx(-creep, abs=1e-8)
        way = 2.0**2 / (2 * (weight + hold))
        assert way - 2.0 * creep < result.joints["slide.displacement"].iloc[-1] < way
        assert result.joints["slide.friction"].iloc[-1] == pytest.approx(2.0 * weight, abs=2e-5)
    energy_closes(result)


def test_wheel_runs_down_evenly_and_stops_when_coulomb_says():
    """I omega' = -mu m g r: from 40 rad/s it takes 40 I/(mu m g r)."""
    wheel = body("wheel", velocity=(0.0, 0.0, 40.0), mass=3.0, inertia=0.02)
    made = model((wheel,), (rubbing(hinge("axle", on("ground"), on("wheel")), 0.2, 0.01),), t_end=20.0)
    result = sheetmbs.run(made)
    t, rate = result.bodies["time"].to_numpy(), 0.2 * 3.0 * G * 0.01 / 0.02
    assert np.abs(result.bodies["wheel.omega"] - runs_down(40.0, rate, 0.01, t)).max() < 4e-6
    early = t < 40.0 / rate - 0.05
    assert np.abs(result.bodies["wheel.omega"] - (40.0 - rate * t))[early].max() < 4e-6
    assert np.abs(result.joints["axle.friction"] + 0.2 * 3.0 * G * 0.01)[early].max() < 1e-8
    assert np.abs(result.bodies["wheel.omega"])[t > 40.0 / rate + 0.05].max() < 0.01
    energy_closes(result)


def pendulum(t_end=3.0, **settings):
    """Half a metre from its bearing, let go at 90 degrees; friction heavy enough to feel its own reactions."""
    bob = body("bob", 0.5, mass=2.0, inertia=0.1)
    bearing = rubbing(hinge("bearing", on("ground"), on("bob", -0.5)), 0.4, 0.05, 0.002)
    return model((bob,), (bearing,), t_end=t_end, t_step=0.05, **settings)


@pytest.fixture(scope="module")
def swing():
    """The same in one angle from the lowest position; the angular acceleration solves N(theta'') = N at every instant."""

    def acceleration(angle, rate):
        def rest(alpha):
            load = 2.0 * np.hypot(0.5 * rate**2 + G * np.cos(angle), 0.5 * alpha + G * np.sin(angle))
            moment = 2.0 * G * 0.5 * np.sin(angle) + 0.4 * 0.05 * load * np.tanh(0.05 * rate / 0.002)
            return (0.1 + 2.0 * 0.25) * alpha + moment

        return brentq(rest, -1e3, 1e3, xtol=1e-13, rtol=1e-14)

    return solve_ivp(
        lambda _t, y: [y[1], acceleration(*y)], (0, 3), [np.pi / 2, 0.0], rtol=1e-10, atol=1e-11, dense_output=True
    ).sol


@pytest.mark.parametrize("integrator", [*ADAPTIVE, *FIXED])
def test_pendulum_with_a_rubbing_bearing_swings_as_in_minimal_coordinates(integrator, swing):
    result = sheetmbs.run(pendulum(integrator=integrator, **FIXED.get(integrator, {})))
    angle = swing(result.bodies["time"].to_numpy())[0]
    assert np.abs(result.bodies["bob.phi"] + np.pi / 2 - angle).max() < 5e-7
    energy_closes(result)


@pytest.mark.parametrize("formulation", ["lagrange", "baumgarte", "augmented-lagrangian", "coordinate-partitioning"])
def test_formulation_makes_no_difference_to_friction(formulation, swing):
    result = sheetmbs.run(pendulum(formulation=formulation))
    angle = swing(result.bodies["time"].to_numpy())[0]
    assert np.abs(result.bodies["bob.phi"] + np.pi / 2 - angle).max() < 5e-7
    energy_closes(result)


@pytest.mark.parametrize("integrator", ["auto", "bdf", "radau", "lsoda"])
def test_block_held_by_friction_rests_whatever_integrates_it(integrator):
    """Its centre stands high above a short guide, so that pairs of forces at the ends of the guide press as well."""
    angle = np.radians(20.0)
    block = body("block", -0.3 * np.sin(angle), 0.3 * np.cos(angle), angle, mass=2.0)
    slide = sliding(angle=angle, turned=angle, y=-0.3, coefficient=0.5, radius=0.4)
    result = sheetmbs.run(model((block,), (slide,), t_end=1.0, integrator=integrator))
    creep = CREEP_OF_SLIDES * np.arctanh(np.tan(angle) / 0.5)
    assert result.joints["slide.rate"].iloc[-1] == pytest.approx(-creep, abs=1e-8)
    energy_closes(result)


def test_crank_feels_the_friction_of_a_guide_as_statics_says():
    """Massless rod at angle b: its force R cos(b) = F +- mu R |sin(b)|, the crank holds R times its virtual arm."""
    bodies, joints = slider_crank(0.5, 2.0)
    weightless = tuple(replace(b, mass=0.0, inertia=np.zeros((3, 3))) for b in bodies)
    gas = Force("gas", on("slider"), (-1000.0, 0.0, 0.0), (0.0, 0.0, 0.0))
    rails = (*joints[:3], rubbing(joints[3], 0.2, velocity=1e-6))
    made = model(weightless, rails, drivers=(turning("main", 5.0, 0.3),), analysis="inverse dynamic")
    result = sheetmbs.run(replace(made, forces=(gas,)))
    a = 0.3 + 5.0 * result.drivers["time"].to_numpy()
    b = np.arcsin(0.5 * np.sin(a) / 2.0)
    speed = -0.5 * 5.0 * (np.sin(a) + np.cos(a) * np.tan(b))
    along = 1000.0 / (1.0 - 0.2 * np.abs(np.tan(b)) * np.sign(speed))
    assert np.abs(result.joints["wrist.j.fx"] - along).max() < 1e-5
    assert np.abs(result.joints["rail.friction"] + 0.2 * np.sign(speed) * np.abs(along * np.tan(b))).max() < 1e-5
    assert np.abs(result.drivers["drive main.moment"] + along * 0.5 * (np.sin(a) + np.cos(a) * np.tan(b))).max() < 1e-5
    lost = result.drivers["drive main.power"] + 1000.0 * -speed
    assert np.abs(lost - result.joints["rail.friction_power"]).max() < 1e-4


def test_driver_pulls_a_carriage_against_both_ends_of_its_guide():
    """Pulled at a distance e beside a guide of half length l, against a load P on it: F = P/(1 - mu e/l)."""
    block = body("block", 0.0, 0.2, mass=0.0, inertia=0.0)
    slide = sliding(y=-0.2, coefficient=0.5, radius=0.15, velocity=1e-6)
    pull = Driver("pull", "block", None, "x", Quadratic(0.0, 0.3, 0.0))
    load = Force("load", on("block", 0.0, -0.2), (-60.0, 0.0, 0.0), (0.0, 0.0, 0.0))
    made = replace(model((block,), (slide,), drivers=(pull,), analysis="inverse dynamic"), forces=(load,))
    result = sheetmbs.run(made)
    assert result.drivers["pull.force"].to_numpy() == pytest.approx(60.0 / (1 - 0.5 * 0.2 / 0.15), abs=1e-6)


def test_carriage_pulled_too_far_beside_its_guide_jams_and_is_named():
    """mu e/l = 1.33: no force moves it."""
    block = body("block", 0.0, 0.4, mass=0.0, inertia=0.0)
    slide = replace(sliding(y=-0.4, coefficient=0.5, radius=0.15, velocity=1e-6), cell="Joints!A2")
    pull = Driver("pull", "block", None, "x", Quadratic(0.0, 0.3, 0.0))
    load = Force("load", on("block", 0.0, -0.4), (-60.0, 0.0, 0.0), (0.0, 0.0, 0.0))
    made = replace(model((block,), (slide,), drivers=(pull,), analysis="inverse dynamic"), forces=(load,))
    result = sheetmbs.run(made)
    (problem,) = result.sheets.problems
    assert result.status == "failed"
    assert (problem.code, problem.cell) == ("friction-jams", "Joints!A2")
    assert "slide jams" in problem.found
    assert result.drivers["pull.force"].isna().all()


def test_run_ends_where_a_slide_begins_to_jam():
    """Centre e beside the guide, mu e/l = 2, weight W: a = (F - mu W)/m as long as m |a| e/l < W, until F = mu W - W l/e.

    Before that the guide could press harder as well, but friction that grows from nothing does not lead there.
    """
    block = body("block", 0.0, 0.4, mass=2.0, velocity=(3.0, 0.0, 0.0))
    slide = replace(sliding(y=-0.4, coefficient=0.5, radius=0.1), cell="Joints!A2")
    weight = 2.0 * G
    falling = Formula(parse(f"{0.6 * weight} - {0.2 * weight}*t"))
    push = Force("push", on("block", 0.0, -0.4), (falling, 0.0, 0.0), (0.0, 0.0, 0.0))
    result = sheetmbs.run(replace(model((block,), (slide,), t_end=5.0, t_step=0.01), forces=(push,)))
    t = result.bodies["time"].to_numpy()
    assert np.abs(result.joints["slide.rate"] - (3.0 + G * (0.1 * t - 0.1 * t**2))).max() < 1e-6
    assert t[-1] == pytest.approx(0.35 / 0.2, abs=0.011)
    assert result.status == "failed"
    (problem,) = (problem for problem in result.sheets.problems if problem.severity == "error")
    assert (problem.code, problem.cell) == ("friction-jams", "Joints!A2")


@pytest.mark.parametrize("integrator", ["generalized-alpha", "hht"])
def test_methods_of_index_3_refuse_friction_in_a_sentence(integrator):
    with pytest.raises(WorkbookError, match="with friction at bearing"):
        sheetmbs.run(pendulum(integrator=integrator))


def test_sleeve_on_a_shaft_shares_one_friction_between_sliding_and_turning():
    result = sheetmbs.run(sleeve(coefficient=0.3, radius=0.05, velocity=0.01))

    def rates(_t, y):
        speed = np.hypot(y[0], 0.05 * y[1])
        hold = 0.3 * 2.0 * G * np.tanh(speed / 0.01) / speed
        return [-hold * y[0] / 2.0, -hold * 0.05**2 * y[1] / 0.01]

    t = result.bodies["time"].to_numpy()
    expected = solve_ivp(rates, (0, 0.6), [1.0, 20.0], method="LSODA", rtol=1e-11, atol=1e-12, t_eval=t).y
    assert np.abs(result.joints["shaft.displacement_rate"] - expected[0]).max() < 3e-7
    assert np.abs(result.joints["shaft.angle_rate"] - expected[1]).max() < 6e-6
    force, moment = result.joints["shaft.friction"], result.joints["shaft.friction_moment"]
    assert np.hypot(force, moment / 0.05).iloc[:5].to_numpy() == pytest.approx(0.3 * 2.0 * G, rel=1e-9)
    energy_closes(result)


def test_ball_in_a_socket_runs_down_about_whatever_axis_it_turns():
    """I omega' = -mu m g r tanh(r omega/v) along omega, whose direction stays."""
    spin = np.array([3.0, -4.0, 12.0])
    ball = rigid("ball", mass=1.5, inertia=(0.004, 0.004, 0.004), angular_velocity=spin)
    socket = rubbing(joined((ball,), "socket", "spherical", "ground", "ball"), 0.1, 0.02, 0.001)
    result = sheetmbs.run(space((ball,), (socket,), t_end=3.0))
    t, rate = result.bodies["time"].to_numpy(), 0.1 * 1.5 * G * 0.02 / 0.004
    speed = runs_down(13.0, rate, 0.05, t)
    found = np.sqrt(sum(result.bodies[f"ball.w{k}"] ** 2 for k in "xyz"))
    assert np.abs(found - speed).max() < 2e-6
    assert result.joints["socket.friction"].iloc[0] == pytest.approx(0.1 * 1.5 * G * 0.02)
    energy_closes(result)


def test_friction_in_the_plane_is_that_in_space():
    """In space each body also has a plane of its own, so reactions are not unique: those of least norm press."""
    planar = rubbing_crank()
    flat, deep = sheetmbs.run(planar), sheetmbs.run(in_space(planar))
    assert deep.summary["redundant constraints"] != 0
    for column in ("crank.x", "slider.x", "slider.vx"):
        assert np.abs(flat.bodies[column] - deep.bodies[column]).max() < 2e-6
    for joint in ("main", "pin", "wrist", "rail"):
        for what in ("friction", "friction_power"):
            assert np.abs(flat.joints[f"{joint}.{what}"] - deep.joints[f"{joint}.{what}"]).max() < 1e-4
    energy_closes(flat)
    energy_closes(deep)


def test_power_lost_is_what_becomes_of_the_energy():
    result = sheetmbs.run(replace(rubbing_crank(), settings=replace(rubbing_crank().settings, t_step=0.001)))
    t = result.joints["time"].to_numpy()
    power = sum(result.joints[f"{joint}.friction_power"] for joint in ("main", "pin", "wrist", "rail")).to_numpy()
    lost = np.concatenate(([0.0], np.cumsum(np.diff(t) * (power[1:] + power[:-1]) / 2)))
    energy = result.constraints["total_energy"].to_numpy()
    assert np.all(power >= 0.0)
    assert lost[-1] > 5.0
    assert np.abs(energy[0] - energy - lost).max() < 1e-3 * lost[-1]


def test_friction_between_free_bodies_keeps_their_angular_momentum():
    """Two wheels on one axle, free in space, take each other along until they turn as one."""
    bodies = (
        rigid("a", (0.2, 0.0, 0.0), mass=1.0, inertia=(0.02, 0.03, 0.04), angular_velocity=(0.0, 0.0, 30.0)),
        rigid("b", (-0.3, 0.1, 0.2), mass=2.0, inertia=(0.05, 0.03, 0.06)),
    )
    axle = rubbing(joined(bodies, "axle", "revolute", "a", "b"), 0.3, 0.05)
    result = sheetmbs.run(space(bodies, (axle,), gravity=(0.0, 0.0, 0.0), t_end=2.0))
    assert result.summary["angular momentum drift"] < 1e-7
    assert abs(result.joints["axle.rate"].iloc[-1]) < 0.25 * abs(result.joints["axle.rate"].iloc[0])
    energy_closes(result)


def test_equilibrium_knows_no_friction():
    smooth = replace(pendulum().joints[0], friction=None)
    rough, plain = (
        sheetmbs.run(replace(pendulum(analysis="equilibrium"), joints=(joint,)))
        for joint in (pendulum().joints[0], smooth)
    )
    assert rough.bodies["bob.phi"][0] == pytest.approx(plain.bodies["bob.phi"][0], abs=1e-9)
    assert rough.joints["bearing.friction"][0] == 0.0


def test_kinematic_analysis_reports_no_friction():
    bodies, joints = slider_crank()
    made = model(
        bodies, (rubbing(joints[0], 0.1, 0.02), *joints[1:]), drivers=(turning("main", 1.0),), analysis="kinematic"
    )
    assert not [column for column in sheetmbs.run(made).joints.columns if "friction" in column]


def test_long_chain_with_friction_in_every_hinge_keeps_its_energy_balance():
    count = 12
    bodies = tuple(bar(f"link {k}", (k, 0), (k + 1, 0)) for k in range(count))
    ends = [on("ground"), *(on(f"link {k}", 0.5) for k in range(count - 1))]
    joints = [rubbing(hinge(f"hinge {k}", end, on(f"link {k}", -0.5)), 0.3, 0.1) for k, end in enumerate(ends)]
    energy_closes(sheetmbs.run(model(bodies, joints, t_end=1.0)))
