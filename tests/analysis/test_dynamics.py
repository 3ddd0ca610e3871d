"""Motion under forces: closed forms, conserved quantities, and forces that give back the motion they came from."""

import numpy as np
import pytest
from scipy.optimize import minimize
from scipy.special import ellipj, ellipk

import sheetmbs
from sheetmbs.elements.marker import Marker
from sheetmbs.model.model import Curve, Driver, Force, ForceSeries, Formula, Joint, OfCurve
from sheetmbs.problems.errors import WorkbookError
from sheetmbs.schema.expression import parse
from tests.support.mechanisms import bar, body, double_pendulum, four_bar, hinge, model, on, slide_axes, turning
from tests.support.spatial_mechanisms import joined, rigid, space
from tests.support.springs import make_spring

STILL = (0.0, 0.0, 0.0)


def test_thrown_body_flies_a_parabola_and_turns_evenly():
    result = sheetmbs.run(model((body("ball", velocity=(3.0, 4.0, 5.0)),))).bodies
    t = result["time"]
    assert np.abs(result["ball.x"] - 3 * t).max() < 1e-12
    assert np.abs(result["ball.y"] - (4 * t - 9.81 * t**2 / 2)).max() < 1e-12
    assert np.abs(result["ball.phi"] - 5 * t).max() < 1e-12


def test_physical_pendulum_follows_the_elliptic_sine():
    """Released at rest from 90 degrees: sin(theta/2) = k sn(K - w t, k), k = sin 45 degrees, w^2 = m g s/I."""
    bob = body("bob", 0.5, 0.0, mass=2.0, inertia=0.3)
    result = sheetmbs.run(model((bob,), (hinge("pin", on("ground"), on("bob", -0.5)),), t_end=5.0)).bodies
    k2 = 0.5
    rate = np.sqrt(2.0 * 9.81 * 0.5 / (0.3 + 2.0 * 0.25))
    sn = ellipj(ellipk(k2) - rate * result["time"].to_numpy(), k2)[0]
    swing = 2 * np.arcsin(np.sqrt(k2) * sn)
    assert np.abs(result["bob.phi"] + np.pi / 2 - swing).max() < 1e-6


@pytest.mark.parametrize("inertia", [0.0, 1e-3])
def test_point_mass_on_a_hinged_rod_needs_no_inertia(inertia):
    """IFToMM A01 from x = -1 at t = 10 s where the inertia is zero."""
    bob = body("bob", -1.0, 0.0, np.pi, inertia=inertia)
    result = sheetmbs.run(model((bob,), (hinge("pin", on("ground"), on("bob", -1.0)),), t_end=10.0))
    end = result.bodies[["bob.x", "bob.y"]].iloc[-1].to_numpy()
    near = np.abs(end - [-0.2750874626, -0.9614192051]).max() < 1e-6
    assert near == (inertia == 0.0)
    assert result.constraints["position_violation"].max() < 1e-10


def test_massless_link_acts_like_a_distance():
    link, bob = body("link", 0.5, mass=0.0, inertia=0.0), body("bob", 2.0)
    hinges = (hinge("pin", on("ground"), on("link", -0.5)), hinge("elbow", on("link", 0.5), on("bob", -1.0)))
    rod = (Joint("rod", "distance", on("ground"), on("bob", -1.0), values={"length": 1.0}),)
    linked, tied = (sheetmbs.run(m).bodies for m in (model((link, bob), hinges), model((bob,), rod)))
    for column in ("bob.x", "bob.y", "bob.phi"):
        assert np.abs(linked[column] - tied[column]).max() < 1e-6


def test_body_that_no_mass_and_no_joint_holds_is_named():
    with pytest.raises(WorkbookError, match="the mass of ghost is 0"):
        sheetmbs.run(model((body("solid"), body("ghost", mass=0.0, inertia=0.0))))
    push = Force("push", on("ghost", 0.0, 0.1), (1.0, 0.0, 0.0), STILL)
    tied = Joint("tie", "distance", on("ground", -1.0), on("ghost"))
    made = model((body("ghost", inertia=0.0),), (tied,))
    with pytest.raises(WorkbookError, match="the inertia of ghost is 0"):
        sheetmbs.run(type(made)(**{**made.__dict__, "forces": (push,)}))


def test_angle_of_a_point_mass_on_a_string_keeps_its_rate():
    """The rod of IFToMM A01 as a distance: no moment acts on the point mass."""
    bob = body("bob", -1.0, inertia=0.0, velocity=(0.0, 0.0, 2.0))
    rod = Joint("rod", "distance", on("ground"), on("bob"))
    result = sheetmbs.run(model((bob,), (rod,), t_end=10.0)).bodies
    assert np.abs(result["bob.phi"] - 2.0 * result["time"]).max() < 1e-9
    end = result[["bob.x", "bob.y"]].iloc[-1].to_numpy()
    assert np.abs(end - [-0.2750874626, -0.9614192051]).max() < 1e-6


def test_double_pendulum_keeps_its_energy():
    constraints = sheetmbs.run(double_pendulum(t_end=10.0)).constraints
    assert np.abs(constraints["total_energy"] - constraints["total_energy"][0]).max() < 1e-6
    assert constraints["position_violation"].max() < 1e-11
    assert constraints["velocity_violation"].max() < 1e-11


@pytest.mark.parametrize(("c", "k"), [(0.0, 40.0), (3.0, 40.0), (60.0, 40.0)])
def test_mass_on_a_spring_and_damper_swings_as_the_book_says(c, k):
    spring = make_spring("s", "translational", on("ground", -1.0), on("m"), k=k, c=c, natural=0.6)
    slide = Joint("rail", "translational", on("ground", axes=slide_axes(0)), on("m", axes=slide_axes(0)))
    result = sheetmbs.run(model((body("m", mass=2.0),), (slide,), springs=(spring,), gravity=STILL, t_end=3.0))
    t, start = result.bodies["time"].to_numpy(), 0.4
    roots = np.roots([2.0, c, k]).astype(complex)
    parts = np.linalg.solve([[1, 1], roots], [start, 0])
    exact = (parts @ np.exp(np.outer(roots, t))).real
    assert np.abs(result.bodies["m.x"] + 0.4 - exact).max() < 5e-7
    assert result.summary["energy drift"] < 1e-6
    assert np.abs(result.springs["s.spring_force"] - k * (result.springs["s.length"] - 0.6)).max() < 1e-12


def test_rotor_on_a_torsion_spring_swings_about_its_natural_angle():
    spring = make_spring("t", "rotational", on("ground"), on("rotor"), k=5.0, natural=0.3)
    pin = hinge("pin", on("ground"), on("rotor"))
    rotor = body("rotor", phi=1.0, inertia=0.2)
    result = sheetmbs.run(model((rotor,), (pin,), springs=(spring,), t_end=4.0)).bodies
    assert np.abs(result["rotor.phi"] - 0.3 - 0.7 * np.cos(5.0 * result["time"])).max() < 1e-6


def test_bodies_joined_by_a_spring_keep_momentum_and_angular_momentum():
    bodies = (body("a", velocity=(1.0, 2.0, 3.0)), body("b", 2.0, 0.5, mass=3.0, velocity=(-1.0, 0.0, -2.0)))
    spring = make_spring("s", "translational", on("a", 0.2, 0.1), on("b", -0.1, 0.3), k=50.0, c=2.0, force=4.0)
    frame = sheetmbs.run(model(bodies, springs=(spring,), gravity=STILL, t_end=2.0)).bodies
    momentum = [frame[f"a.{v}"] + 3.0 * frame[f"b.{v}"] for v in ("vx", "vy")]
    spin = 0.1 * (frame["a.omega"] + frame["b.omega"])
    for name, mass in (("a", 1.0), ("b", 3.0)):
        spin += mass * (frame[f"{name}.x"] * frame[f"{name}.vy"] - frame[f"{name}.y"] * frame[f"{name}.vx"])
    for kept in momentum:
        assert np.abs(kept - kept[0]).max() < 1e-11
    assert np.abs(spin - spin[0]).max() < 1e-7


@pytest.mark.parametrize("interpolation", ["linear", "cubic"])
def test_spring_with_a_curve_stores_the_work_done_on_it(interpolation):
    x = np.linspace(-1.0, 1.0, 9)
    curve = Curve("stiffening", x, 30 * x + 40 * x**3, interpolation)
    spring = make_spring("s", "translational", on("ground", -2.0), on("m"), natural=1.7, curve_k="stiffening")
    slide = Joint("rail", "translational", on("ground", axes=slide_axes(0)), on("m", axes=slide_axes(0)))
    made = model((body("m"),), (slide,), springs=(spring,), t_end=3.0)
    result = sheetmbs.run(type(made)(**{**made.__dict__, "curves": (curve,)}))
    energy = result.constraints["total_energy"]
    assert np.abs(energy - energy[0]).max() < 5e-6
    assert result.constraints["kinetic_energy"].max() > 1.0


def test_forces_in_all_their_ways_push_as_they_should():
    ramp = Curve("ramp", np.array([0.0, 1.0]), np.array([0.0, 2.0]))
    bodies = tuple(body(name, 0.0, y, mass=2.0, inertia=0.5) for name, y in (("a", 0.0), ("b", 5.0), ("c", 9.0)))
    drag = Formula(parse("-3*a.vx + 6", lambda name: name == "a.vx"))
    forces = (
        Force("drag", on("a"), (drag, 0.0, 0.0), STILL),
        Force("scaled", on("b"), (3.0, 0.0, 0.0), STILL, curve="ramp"),
        Force("off centre", on("c", 0.0, 0.2), (5.0, 0.0, 0.0), STILL, in_body_axes=True),
    )
    made = model(bodies, gravity=STILL)
    result = sheetmbs.run(type(made)(**{**made.__dict__, "forces": forces, "curves": (ramp,)}))
    t = result.bodies["time"]
    assert np.abs(result.bodies["a.vx"] - 2.0 * (1 - np.exp(-1.5 * t))).max() < 1e-8
    assert np.abs(result.bodies["b.x"] - 3.0 * 2.0 * t**3 / 6 / 2.0).max() < 1e-9
    assert np.abs(result.bodies["c.omega"] + 5.0 * 0.2 / 0.5 * t).max() < 1e-9
    assert result.summary["energy drift"] < 1e-7


@pytest.mark.parametrize(("frame", "moment"), [("centre", 0.0), ("body", 4.0), ("global", 4.0)])
def test_measured_force_acts_where_it_was_measured(frame, moment):
    times = np.linspace(0.0, 1.0, 6)
    column = np.ones((6, 1))
    at = {"centre": [0.0, 0.0, 0.0], "body": [0.5, 0.0, 0.0], "global": [2.5, 1.0, 0.0]}[frame]
    load = ForceSeries("b", times, column * [0.0, 8.0, 0.0], column * STILL, column * at, frame)
    made = model((body("b", 2.0, 1.0, inertia=2.0),), gravity=STILL, t_end=1e-3, t_step=1e-3)
    result = sheetmbs.run(type(made)(**{**made.__dict__, "force_series": (load,)})).bodies.iloc[0]
    assert result["b.ay"] == pytest.approx(8.0, abs=1e-12)
    assert result["b.alpha"] == pytest.approx(moment / 2.0, abs=1e-12)


def test_torque_found_by_inverse_dynamics_gives_the_prescribed_motion_back():
    bodies, joints, _ = four_bar()
    motion = Formula(parse("2*t + 0.5*sin(3*t)"))
    driver = Driver("motor", None, "A", "angle", motion)
    prescribed = sheetmbs.run(model(bodies, joints, drivers=(driver,), t_step=0.001, analysis="inverse dynamic"))
    start = prescribed.bodies.iloc[0]
    rates = {b.name: [start[f"{b.name}.{v}"] for v in ("vx", "vy", "omega")] for b in bodies}
    moving = tuple(body(b.name, *b.position[:2], b.angles[2], rates[b.name], b.mass, b.inertia[2, 2]) for b in bodies)
    torque = prescribed.drivers["motor.moment"].to_numpy()
    times = prescribed.drivers["time"].to_numpy()
    moments = np.column_stack((0 * torque, 0 * torque, torque))
    load = ForceSeries("crank", times, 0 * moments, moments, 0 * moments)
    made = model(moving, joints, guiding_spline="not-a-knot")
    free = sheetmbs.run(type(made)(**{**made.__dict__, "force_series": (load,)}))
    t = free.bodies["time"]
    assert np.abs(free.bodies["crank.phi"] - (2 * t + 0.5 * np.sin(3 * t))).max() < 1e-6


@pytest.mark.parametrize(("formulation", "near"), [("lagrange", 1e-6), ("baumgarte", 1e-6)])
def test_other_formulations_agree_with_projection(formulation, near):
    one, other = (sheetmbs.run(double_pendulum(t_end=2.0, formulation=f)) for f in ("auto", formulation))
    assert np.abs(one.bodies - other.bodies).max().max() < 100 * near
    assert one.constraints["position_violation"].max() < 1e-11 < other.constraints["position_violation"].max() < 1e-6


def test_correct_changes_the_start_least_in_the_measure_of_mass():
    bob = body("bob", 1.1, 0.2, 0.1, velocity=(0.5, 0.4, 0.3), mass=2.0, inertia=0.7)
    joints = (hinge("pin", on("ground"), on("bob", -1.0)),)
    row = sheetmbs.run(model((bob,), joints, t_end=0.01, t_step=0.01)).bodies.iloc[0]
    mass = np.array([2.0, 2.0, 0.7])

    def closes(phi):
        return np.array([np.cos(phi), np.sin(phi), phi])

    best = minimize(lambda p: mass @ (closes(p[0]) - [1.1, 0.2, 0.1]) ** 2, [0.1], tol=1e-14).x[0]
    assert row[["bob.x", "bob.y", "bob.phi"]].to_numpy() == pytest.approx(closes(best), abs=2e-2)
    q = row[["bob.x", "bob.y", "bob.phi"]].to_numpy()
    assert np.hypot(q[0] - np.cos(q[2]), q[1] - np.sin(q[2])) < 1e-10
    jacobian = np.array([[1, 0, np.sin(q[2])], [0, 1, -np.cos(q[2])]])
    kkt = np.block([[np.diag(mass), jacobian.T], [jacobian, np.zeros((2, 2))]])
    change = np.linalg.solve(kkt, np.concatenate((np.zeros(3), -jacobian @ [0.5, 0.4, 0.3])))[:3]
    assert row[["bob.vx", "bob.vy", "bob.omega"]].to_numpy() == pytest.approx(
        np.array([0.5, 0.4, 0.3]) + change, abs=1e-9
    )


def test_check_refuses_and_given_keeps_a_start_that_violates_the_constraints():
    bob = body("bob", 1.1)
    joints = (hinge("pin", on("ground"), on("bob", -1.0)),)
    with pytest.raises(WorkbookError, match="pin"):
        sheetmbs.run(model((bob,), joints, initial_conditions="check"))
    given = sheetmbs.run(model((bob,), joints, initial_conditions="given", formulation="lagrange"))
    assert given.bodies["bob.x"][0] == 1.1
    assert given.constraints["position_violation"][0] == pytest.approx(0.1)
    assert any(problem.code == "initial-conditions" for problem in given.sheets.problems)


def test_driver_along_a_curve_and_energies_balance_with_dampers_and_drivers():
    bodies, joints, _ = four_bar()
    t = np.linspace(0.0, 1.0, 21)
    curve = Curve("turn", t, 3.0 * t**2)
    spring = make_spring("s", "translational", on("ground", 2.0, 3.0), on("coupler"), k=20.0, c=5.0, natural=1.0)
    driver = Driver("motor", None, "A", "angle", OfCurve("turn"))
    made = model(bodies, joints, drivers=(driver,), springs=(spring,))
    result = sheetmbs.run(type(made)(**{**made.__dict__, "curves": (curve,)}))
    assert result.summary["degrees of freedom"] == 0
    assert result.summary["energy drift"] < 5e-6


def test_reaction_of_a_hanging_bar_carries_its_weight_and_its_swing():
    result = sheetmbs.run(model((bar("bar", (0, 0), (2, 0)),), (hinge("pin", Marker("ground"), on("bar", -1.0)),)))
    frame, joint = result.bodies, result.joints
    assert np.abs(joint["pin.j.fx"] - frame["bar.ax"]).max() < 1e-10
    assert np.abs(joint["pin.j.fy"] - frame["bar.ay"] - 9.81).max() < 1e-10
    assert np.abs(joint["pin.i.fy"] + joint["pin.j.fy"]).max() < 1e-12
    assert np.abs(joint["pin.j.m_com"] - (1 / 3) * frame["bar.alpha"]).max() < 1e-9


def test_driven_crank_takes_the_power_of_its_torque():
    bodies, joints, _ = four_bar()
    made = model(bodies, joints, drivers=(turning("A", 4.0),), t_step=0.01, analysis="inverse dynamic")
    result = sheetmbs.run(made)
    assert np.abs(result.drivers["drive A.power"] - 4.0 * result.drivers["drive A.moment"]).max() < 1e-10
    energy = result.constraints["total_energy"].to_numpy()
    power = result.drivers["drive A.power"].to_numpy()
    gained = np.concatenate(([0.0], np.cumsum((power[1:] + power[:-1]) / 2) * 0.01))
    assert np.abs(energy - energy[0] - gained).max() < 2e-3 * np.abs(energy).max()


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("rtol", [1e-8, 1e-11])
def test_what_rests_on_a_level_slide_stays_there(seed, rtol):
    """Accelerations are then rounding, which must not be what steps are chosen by."""
    rng = np.random.default_rng(seed)
    level = np.array([*rng.normal(size=2), 0.0])
    place = rng.normal(size=3)
    bodies = (rigid("block", place, rng.uniform(-1.0, 1.0, 3), inertia=(0.04, 0.1, 0.1)),)
    slide = joined(bodies, "slide", "translational", "ground", "block", place + rng.normal(size=3), level)
    result = sheetmbs.run(space(bodies, (slide,), t_end=5.0, rtol=rtol))
    assert result.status == "done"
    assert result.summary["steps"] < 100
    assert np.abs(result.bodies[["block.x", "block.y", "block.z"]].to_numpy() - place).max() < 1e-10
