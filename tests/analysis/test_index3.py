"""Index-3 integrators: orders, damping at high frequencies, error control, stiff elements, rotations in space."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import sheetmbs
from sheetmbs.analysis.analyse import analyse
from sheetmbs.analysis.integrators.alpha.generalized_alpha import GeneralizedAlpha
from sheetmbs.analysis.integrators.interface import Status
from sheetmbs.elements.marker import Marker
from sheetmbs.lower import lower
from sheetmbs.model.model import Force, Formula, Joint
from sheetmbs.schema.expression import parse
from tests.analysis.implicit_runs import finish, moved, start
from tests.support import spatial_mechanisms as spatial
from tests.support.mechanisms import (
    bar,
    body,
    double_pendulum,
    hinge,
    model,
    on,
    slide_axes,
    slider_crank,
    turning,
    windows,
)
from tests.support.springs import make_spring

WORKBOOKS = Path(__file__).parents[2] / "workbooks"
STABILISED = 1e-12
STILL = (0.0, 0.0, 0.0)
METHODS = pytest.mark.parametrize("hht", [False, True], ids=["generalized-alpha", "hht"])
FORMS = pytest.mark.parametrize("project", [0.0, STABILISED], ids=["index 3", "stabilised"])


def exactly(model, rtol=1e-11):
    return analyse(lower(replace(model, settings=replace(model.settings, rtol=rtol))))


def orders(errors):
    return np.log2(np.array(errors[:-1]) / np.array(errors[1:]))


def slope(tolerances, errors):
    return np.polyfit(np.log10(tolerances), np.log10(errors), 1)[0]


def book(name, **settings):
    made = sheetmbs.read(WORKBOOKS / f"{name}.xlsx")
    return replace(made, settings=replace(made.settings, **settings))


def oscillator(k, x=1.0, v=0.0, c=0.0, **settings):
    """A mass of 1 kg on a rail, held by a spring at x = 0 (its other end is far away, so that it acts both ways)."""
    spring = make_spring("spring", "translational", on("ground", -100.0), on("m"), k=k, c=c, natural=100.0)
    rail = Joint("rail", "translational", on("ground", axes=slide_axes(0)), on("m", axes=slide_axes(0)))
    return model((body("m", x, velocity=(v, 0.0, 0.0)),), (rail,), springs=(spring,), gravity=STILL, **settings)


def stiff_pendulum(k, c=0.0, **settings):
    spring = make_spring("rod", "translational", on("ground"), on("m"), k=k, c=c, natural=1.0)
    return model((body("m", 1.0),), springs=(spring,), t_end=2.0, **settings)


def rigid_pendulum(**settings):
    return model((body("m", 1.0),), (Joint("rod", "distance", on("ground"), on("m")),), t_end=2.0, **settings)


@METHODS
@FORMS
def test_positions_velocities_and_accelerations_of_a_double_pendulum_are_of_order_two(hht, project):
    exact = exactly(double_pendulum())
    motions = [moved(double_pendulum(), hht=hht, step=1 / n, project=project) for n in (100, 200, 400)]
    for name in ("q", "v", "a"):
        errors = [np.abs(getattr(motion, name) - getattr(exact, name)).max() for motion in motions]
        assert np.abs(orders(errors) - 2).max() < 0.2, name


@METHODS
@FORMS
def test_multipliers_of_the_method_itself_are_of_order_two(hht, project):
    """Pull of the rod of a pendulum let go from the horizontal: 3 m g times the cosine from the lowest position."""
    errors = []
    for n in (100, 200, 400, 800):
        run = start(rigid_pendulum(t_step=0.5), step=1 / n, project=project)
        integrator = GeneralizedAlpha(run, hht=hht)
        finish(integrator, run)
        x, y = run.y[:2]
        errors.append(abs(abs(integrator.memory.multiplier[0]) + 3 * 9.81 * y / np.hypot(x, y)))
    assert np.abs(orders(errors) - 2).max() < 0.2


@pytest.mark.parametrize("rho", [0.0, 0.5, 0.8, 1.0])
def test_motion_of_infinite_frequency_shrinks_by_the_spectral_radius(rho):
    """All three roots of the amplification matrix go to -rho (Chung and Hulbert 1993, eq. 21): (1 + rho/E)^3 x = 0."""
    x = moved(oscillator(1e14, t_end=0.3, t_step=0.01), rho, step=0.01).q[2:, 0]
    left = x[3:] + 3 * rho * x[2:-1] + 3 * rho**2 * x[1:-2] + rho**3 * x[:-3]
    assert np.abs(left).max() < 1e-6 * np.abs(x).max() + 1e-9


@pytest.mark.parametrize("rho", [0.5, 0.8, 1.0])
def test_hht_damps_infinite_frequency_as_its_roots_say(rho):
    """Two roots go to -rho, the third to alpha_f/(alpha_f - 1), alpha_f = (1 - rho)/(1 + rho)."""
    x = moved(oscillator(1e14, t_end=0.3, t_step=0.01), rho, hht=True, step=0.01).q[2:, 0]
    a, b, c, d = np.poly([-rho, -rho, -(1 - rho) / (2 * rho)])
    left = a * x[3:] + b * x[2:-1] + c * x[1:-2] + d * x[:-3]
    assert np.abs(left).max() < 1e-6 * np.abs(x).max() + 1e-9


@METHODS
def test_without_damping_the_method_is_the_trapezoidal_rule(hht):
    """x_n = cos(n theta), tan(theta/2) = omega h/2, whatever the step: so energy is kept too."""
    omega, h = 7.0, 0.1
    motion = moved(oscillator(omega**2, t_end=20.0), 1.0, hht=hht, step=h, rtol=1e-6)
    theta = 2 * np.arctan(omega * h / 2)
    n = np.arange(len(motion.q))
    assert np.abs(motion.q[:, 0] - np.cos(n * theta)).max() < 1e-8
    assert np.abs(motion.v[:, 0] + omega * np.sin(n * theta)).max() < 1e-7


@METHODS
def test_energy_is_lost_by_the_method_alone_and_with_the_third_power_of_the_step(hht):
    lost = []
    for n in (10, 20, 40):
        motion = moved(oscillator(9.0, t_end=100.0, t_step=0.5), 0.6, hht=hht, step=1 / n)
        energy = motion.v[:, 0] ** 2 + 9.0 * motion.q[:, 0] ** 2
        assert (energy[1:] < energy[0]).all()
        lost.append(np.log(energy[0] / energy[-1]))
    assert np.abs(orders(lost) - 3).max() < 0.2


@FORMS
@pytest.mark.parametrize(
    "made",
    [
        double_pendulum(),
        model(*slider_crank()),
        spatial.bricard(),
        spatial.space(*spatial.wishbone()[:2]),
    ],
    ids=["double pendulum", "slider-crank at its dead centre", "bricard", "wishbone"],
)
def test_error_is_proportional_to_the_tolerance(made, project):
    exact = exactly(made)
    tolerances = [1e-2, 1e-3, 1e-4, 1e-5]
    motions = [moved(made, rtol=rtol, project=project) for rtol in tolerances]
    errors = [np.abs(motion.q - exact.q).max() for motion in motions]
    assert slope(tolerances, errors) == pytest.approx(1.0, abs=0.1)
    assert slope(tolerances, [motion.steps for motion in motions]) == pytest.approx(-0.5, abs=0.05)
    assert (np.array(errors) < tolerances).all()


@pytest.mark.parametrize("made", [spatial.bricard(), book("flyball-governor", t_end=0.5, t_step=0.05)])
def test_spatial_mechanism_is_of_order_two(made):
    """Velocities in principal axes and Euler parameters, with a stiff spring and damper in the governor."""
    exact = exactly(made, 1e-10)
    errors = [np.abs(moved(made, step=0.05 / n, project=STABILISED).q - exact.q).max() for n in (10, 20, 40)]
    assert np.abs(orders(errors) - 2).max() < 0.2


@FORMS
def test_squeezer_of_the_benchmark_a03_turns_as_hairer_and_wanner_say(project):
    motion = moved(book("andrews", t_end=0.05, t_step=0.05), rtol=1e-5, project=project)
    turned = [motion.q[-1, 2 + 3 * k] - 33.825867767 for k in range(motion.q.shape[1] // 3)]
    assert np.abs(turned).min() < 1e-4


def test_torque_free_symmetrical_body_precesses_evenly():
    """In principal axes w turns about the axis of symmetry with (1 - I3/I1) w3; the axis keeps its angle to the momentum."""
    top = spatial.rigid("top", inertia=(0.4, 0.4, 0.1), angular_velocity=(1.0, 0.0, 5.0))
    made = spatial.space((top,), gravity=STILL, t_end=2.0)
    errors = []
    for n in (100, 200, 400):
        motion = moved(made, step=1 / n)
        angle = (1 - 0.1 / 0.4) * 5.0 * motion.rows.times
        w = np.column_stack((np.cos(angle), -np.sin(angle), np.full(len(angle), 5.0)))
        errors.append(np.abs(np.sort(np.abs(motion.v[:, 3:])) - np.sort(np.abs(w))).max())
        assert np.abs(np.linalg.norm(motion.q[:, 3:7], axis=1) - 1.0).max() < 1e-14
    assert np.abs(orders(errors) - 2).max() < 0.2


@pytest.mark.parametrize(("k", "c"), [(1e7, 0.0), (1e9, 0.0), (1e9, 1e3), (1e12, 0.0)])
def test_steps_follow_the_swing_and_not_the_stiff_spring(k, c):
    """The exact motion is that of a rigid rod but for a stretch of some m g/k; an explicit step must resolve sqrt(m/k)."""
    exact = exactly(rigid_pendulum()).q[:, :2]
    motion = moved(stiff_pendulum(k, c), rtol=1e-2, project=STABILISED)
    assert motion.status == Status.DONE
    assert np.abs(motion.q[:, :2] - exact).max() < 5e-3
    assert motion.steps < 0.1 * 2.0 * np.sqrt(k)


def test_long_steps_over_a_stiff_spring_keep_their_order():
    exact = exactly(rigid_pendulum()).q[:, :2]
    errors = [np.abs(moved(stiff_pendulum(1e9), step=h).q[:, :2] - exact).max() for h in (8e-3, 4e-3, 2e-3)]
    assert np.abs(orders(errors) - 2).max() < 0.2


def test_stiff_damper_between_bodies_asks_for_no_short_steps():
    """Mass m on a damper c falls with m g/c after the time m/c."""
    damper = make_spring("damper", "translational", on("ground", 0.0, 10.0), on("m"), c=1e6, natural=10.0)
    motion = moved(model((body("m"),), springs=(damper,), t_end=10.0, t_step=1.0), rtol=1e-4)
    fallen = 9.81e-6 * (motion.rows.times - 1e-6)
    assert np.abs(motion.q[1:, 1] + fallen[1:]).max() < 1e-9
    assert motion.steps < 1000


@FORMS
def test_velocities_meet_their_constraints_only_where_stabilised(project):
    run = start(double_pendulum(), step=0.01, project=project)
    finish(GeneralizedAlpha(run), run)
    (x, y, phi), (vx, vy, omega) = run.y[:3], run.y[6:9]
    tip = np.array([x - 0.5 * np.cos(phi), y - 0.5 * np.sin(phi)])
    rate = np.array([vx + 0.5 * omega * np.sin(phi), vy - 0.5 * omega * np.cos(phi)])
    assert np.abs(tip).max() < 1e-11
    assert (np.abs(rate).max() < 1e-11) == (project > 0.0)


@FORMS
def test_reported_rows_lie_on_the_constraints_between_steps(project):
    motion = moved(double_pendulum(t_step=0.03), rtol=1e-2, project=project)
    x, y, phi = motion.q[:, :3].T
    vx, vy, omega = motion.v[:, :3].T
    ax, ay, alpha = motion.a[:, :3].T
    assert np.abs(np.hypot(x, y) - 0.5).max() < 1e-11
    assert np.abs(x - 0.5 * np.cos(phi)).max() < 1e-11
    assert np.abs(vx + 0.5 * omega * np.sin(phi)).max() < 1e-11
    assert np.abs(vy - 0.5 * omega * np.cos(phi)).max() < 1e-11
    assert np.abs(ax + 0.5 * (alpha * np.sin(phi) + omega**2 * np.cos(phi))).max() < 1e-9
    assert np.abs(ay - 0.5 * (alpha * np.cos(phi) - omega**2 * np.sin(phi))).max() < 1e-9


def test_rows_between_steps_agree_with_a_run_that_ends_there():
    dense = moved(double_pendulum(t_step=0.047), step=0.02, project=STABILISED)
    exact = exactly(double_pendulum(t_step=0.047))
    at_steps = moved(double_pendulum(t_step=0.1), step=0.02, project=STABILISED)
    error = np.abs(at_steps.q - exactly(double_pendulum(t_step=0.1)).q).max()
    assert np.abs(dense.q - exact.q).max() < 1.1 * error


@pytest.mark.parametrize("project", [0.0, STABILISED])
@pytest.mark.parametrize("rtol", [1e-2, 1e-3, 1e-4, 1e-5])
def test_a02_keeps_its_branch_through_singular_positions(rtol, project):
    """Reference of the IFToMM benchmark A02, N = 2, at t = 10 s."""
    motion = moved(windows(2, t_end=10.0, t_step=10.0), rtol=rtol, project=project)
    phi = motion.q[-1, 2]
    assert motion.status == Status.DONE
    assert np.hypot(np.cos(phi) - 0.3284581115, np.sin(phi) - 0.9445185382) < 20 * rtol


@FORMS
def test_parallelogram_starts_from_its_singular_position(project):
    """Cranks of 1 m at 4 rad/s, all bars on the x axis, slender, of 1 kg: 5/3 omega^2 + 4 g sin(phi) stays what it was."""
    bars = (
        bar("crank", (0, 0), (1, 0), velocity=(0.0, 2.0, 4.0)),
        bar("coupler", (1, 0), (5, 0), velocity=(0.0, 4.0, 0.0)),
        bar("rocker", (4, 0), (5, 0), velocity=(0.0, 2.0, 4.0)),
    )
    hinges = (
        hinge("A", on("ground"), on("crank", -0.5)),
        hinge("B", on("crank", 0.5), on("coupler", -2.0)),
        hinge("C", on("coupler", 2.0), on("rocker", 0.5)),
        hinge("D", on("ground", 4.0), on("rocker", -0.5)),
    )
    motion = moved(model(bars, hinges), rtol=1e-4, project=project)
    crank, rocker, rate = motion.q[:, 2], motion.q[:, 8], motion.v[:, 2]
    kept = 5 / 3 * rate**2 + 4 * 9.81 * np.sin(crank)
    assert np.abs(crank - rocker).max() < 1e-9
    assert np.abs(kept - 5 / 3 * 4.0**2).max() < 1e-3


def test_point_mass_on_a_hinged_rod_needs_no_inertia():
    """IFToMM A01 from x = -1 at t = 10 s: the rod is almost without inertia."""
    bob = body("bob", -1.0, 0.0, np.pi, inertia=0.0)
    made = model((bob,), (hinge("pin", on("ground"), on("bob", -1.0)),), t_end=10.0, t_step=10.0)
    motion = moved(made, rtol=1e-4, project=STABILISED)
    assert np.abs(motion.q[-1, :2] - [-0.2750874626, -0.9614192051]).max() < 2e-4
    assert motion.rejections < 0.1 * motion.steps


def test_driven_crank_brings_the_slider_where_the_triangle_says():
    made = model(*slider_crank(), drivers=(turning("main", 4.0),), t_end=3.0, t_step=0.1, initial_conditions="correct")
    motion = moved(made, rtol=1e-3, project=STABILISED)
    angle = 4.0 * motion.rows.times
    slider = np.cos(angle) + np.sqrt(9.0 - np.sin(angle) ** 2)
    assert np.abs(motion.q[:, 6] - slider).max() < 1e-10
    energy = np.zeros(len(angle))
    for k, (mass, inertia) in enumerate([(1.0, 1 / 12), (1.0, 9 / 12), (1.0, 0.1)]):
        vx, vy, omega = motion.v[:, 3 * k : 3 * k + 3].T
        energy += 0.5 * (mass * (vx**2 + vy**2) + inertia * omega**2) + mass * 9.81 * motion.q[:, 3 * k + 1]
    assert np.abs(energy - energy[0] - motion.rows.work).max() < 0.01 * np.ptp(energy)


def test_push_that_begins_and_ends_at_once_is_met_at_its_edges():
    """1 N on 1 kg from t = 0.3 to 0.7 s: parabola, then straight on; no step passes over an edge."""
    push = Formula(parse("if(t < 0.3, 0, if(t < 0.7, 1, 0))"))
    made = model((body("m"),), gravity=STILL, t_end=1.0)
    made = replace(made, forces=(Force("push", on("m"), (push, 0.0, 0.0), STILL),))
    motion = moved(made, rtol=1e-6)
    assert motion.v[-1, 0] == pytest.approx(0.4, abs=1e-9)
    assert motion.q[-1, 0] == pytest.approx(0.5 * 0.4**2 + 0.4 * 0.3, abs=1e-9)
    assert motion.steps < 200


def test_units_of_length_do_not_change_the_steps():
    def pendulum(scale):
        bob = body("bob", scale, 0.0, inertia=0.1 * scale**2)
        made = model((bob,), (hinge("pin", on("ground"), on("bob", -scale)),), gravity=(0.0, -9.81 * scale, 0.0))
        return moved(made, rtol=1e-4, project=STABILISED)

    metre, millimetre = pendulum(1.0), pendulum(1000.0)
    assert metre.steps == millimetre.steps
    assert np.abs(metre.q[:, 2] - millimetre.q[:, 2]).max() < 1e-9


def test_times_of_rows_are_those_asked_for_and_a_paused_run_goes_on():
    made = double_pendulum(t_end=1.05)
    whole = moved(made, step=0.013)
    run = start(made, step=0.013)
    integrator = GeneralizedAlpha(run)
    while integrator.advance(7) == Status.PAUSED:
        assert run.t <= 1.05
    assert run.t == 1.05
    assert run.row == len(run.rows.times)
    assert np.array_equal(run.rows.q, whole.q)


@pytest.mark.parametrize(("rho", "hht"), [(-0.1, False), (1.1, False), (0.4, True)])
def test_spectral_radius_that_no_stable_method_has_is_refused(rho, hht):
    run = start(double_pendulum())
    with pytest.raises(ValueError, match="spectral radius"):
        GeneralizedAlpha(run, rho, hht=hht)


def test_marker_of_a_bushing_is_held_stiffly_in_space():
    """A body on a stiff bushing hangs still at the deflection of its weight."""
    block = spatial.rigid("block", mass=2.0)
    bushing = make_spring(
        "bushing",
        "bushing",
        Marker("ground", np.zeros(3), np.eye(3)),
        Marker("block", np.zeros(3), np.eye(3)),
        stiffness=np.array([1e8, 1e8, 1e8, 1e6, 1e6, 1e6]),
        damping=np.array([1e5, 1e5, 1e5, 1e3, 1e3, 1e3]),
    )
    motion = moved(spatial.space((block,), springs=(bushing,), t_end=1.0), rtol=1e-3)
    assert motion.q[-1, 2] == pytest.approx(-2.0 * 9.81 / 1e8, rel=1e-4)
    assert motion.steps < 1000
