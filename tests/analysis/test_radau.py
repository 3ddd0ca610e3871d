"""The stiff method: order, stiff elements in closed form and against other methods, few evaluations, honest failure."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from scipy.integrate import Radau as PublishedRadau
from scipy.integrate import solve_ivp

import sheetmbs
from sheetmbs.analysis.integrators.interface import Status
from sheetmbs.analysis.integrators.radau import stages
from sheetmbs.analysis.integrators.radau.radau import Radau
from sheetmbs.elements.marker import Marker
from sheetmbs.model.model import Curve, Force, Formula, Joint
from sheetmbs.schema.expression import parse
from tests.support.mechanisms import body, double_pendulum, model, on, slide_axes, slider_crank
from tests.support.runs import advanced, start
from tests.support.spatial_mechanisms import rigid, space
from tests.support.springs import make_spring

STILL = (0.0, 0.0, 0.0)
GOVERNOR = Path(__file__).parents[2] / "workbooks" / "flyball-governor.xlsx"
HEIGHT = 0.6196229179  # IFToMM A05, s(10), to about nine digits
EVALUATIONS, STEPS, REJECTIONS = range(3)


def sliding(k=0.0, c=0.0, mass=1.0, curves=(), curve_k=None, **settings):
    """A mass on a rail along x, held by a spring of natural length 0.6 m that starts 1 m long."""
    spring = make_spring("s", "translational", on("ground", -1.0), on("m"), k=k, c=c, natural=0.6, curve_k=curve_k)
    rail = Joint("rail", "translational", on("ground", axes=slide_axes(0)), on("m", axes=slide_axes(0)))
    made = model((body("m", mass=mass),), (rail,), springs=(spring,), gravity=STILL, **settings)
    return replace(made, curves=curves)


def bushed(stiffness, damping, **settings):
    """A body that turns and falls on a bushing off its centre."""
    spun = {"angular_velocity": (1.0, 2.0, 3.0)}
    bodies = (rigid("b", (0.5, 0.1, 0.0), (0.3, 0.2, 0.1), mass=2.0, inertia=(0.1, 0.2, 0.25), **spun),)
    root = Marker("ground", np.zeros(3), np.eye(3))
    end = Marker("b", np.array([-0.5, 0.0, 0.0]), np.eye(3))
    bush = make_spring("bush", "bushing", root, end, stiffness=np.array(stiffness), damping=np.array(damping))
    return space(bodies, springs=(bush,), **settings)


def pushed(text, **settings):
    """A free mass of 1 kg with 1 m/s along x, pushed along x by a formula."""
    made = model((body("a", velocity=(1.0, 0.0, 0.0)),), gravity=STILL, **settings)
    formula = Formula(parse(text, lambda name: "." in name))
    return replace(made, forces=(Force("f", on("a"), (formula, 0.0, 0.0), STILL),))


def rows_of(made, name, columns):
    """Rows of the bodies by the explicit method, far more exact than what is compared with them."""
    settings = replace(made.settings, integrator="dop853", rtol=1e-12)
    frame = sheetmbs.run(replace(made, settings=settings)).bodies
    return frame[[f"{name}.{column}" for column in columns]].to_numpy()


def test_matrix_and_error_weights_meet_their_conditions():
    a, c = stages.MATRIX, stages.NODES
    for power in range(3):  # stages of order 3
        assert np.abs(a @ c**power - c ** (power + 1) / (power + 1)).max() < 1e-14
    for power in range(5):  # solution of order 5
        assert a[2] @ c**power == pytest.approx(1 / (power + 1), abs=1e-14)
    assert stages.ERROR.sum() == pytest.approx(-1.0, abs=1e-13)
    published = 3 + 3 ** (2 / 3) - 3 ** (1 / 3)
    assert abs(stages.REAL * published - 1.0) < 1e-12
    for theta in (0.3, 0.8):
        known = np.concatenate(([0.0], c)) ** 3
        assert known @ (stages.DENSE @ theta ** np.arange(1, 5)) == pytest.approx(theta**4 / 4, abs=1e-14)


def test_observed_order_is_five_and_the_error_is_proportional_to_the_tolerance():
    exact = rows_of(double_pendulum(t_end=2.0, t_step=2.0), "lower", ("x", "y", "phi"))[-1]
    tolerances = 10.0 ** -np.arange(5, 10.1, 0.5)
    steps, errors = [], []
    for rtol in tolerances:
        run = advanced(Radau, double_pendulum(t_end=2.0, t_step=2.0), rtol=rtol)
        steps.append(run.work.count[STEPS])
        errors.append(np.abs(run.y[3:6] - exact).max())
    assert -np.polyfit(np.log(steps), np.log(errors), 1)[0] == pytest.approx(5.0, abs=0.2)
    assert np.polyfit(np.log(tolerances), np.log(errors), 1)[0] == pytest.approx(1.0, abs=0.15)
    assert (np.array(errors) < tolerances).all()


def test_rows_between_steps_are_nearly_as_right_as_the_ends_of_steps():
    made = double_pendulum(t_end=2.0, t_step=0.01)
    exact = rows_of(made, "lower", ("x", "y", "phi", "vx", "vy", "omega"))
    steps, errors = [], []
    for rtol in 10.0 ** -np.arange(5, 10):
        run = advanced(Radau, made, rtol=rtol)
        found = np.column_stack((run.rows.q[:, 3:6], run.rows.v[:, 3:6]))
        steps.append(run.work.count[STEPS])
        errors.append(np.abs(found - exact).max())
        assert errors[-1] < 10 * rtol
    assert -np.polyfit(np.log(steps), np.log(errors), 1)[0] > 4.5


@pytest.mark.parametrize(("c", "k"), [(1e6, 1e6), (1e4, 1e6), (1e3, 1e6)])
def test_stiff_spring_and_damper_follow_the_closed_form_with_few_evaluations(c, k):
    run = advanced(Radau, sliding(k, c, t_end=3.0, t_step=0.3), rtol=1e-7)
    roots = np.roots([1.0, c, k]).astype(complex)
    parts = np.linalg.solve([[1, 1], roots], [0.4, 0])
    exact = (parts @ np.exp(np.outer(roots, run.rows.times))).real
    assert np.abs(run.rows.q[:, 0] + 0.4 - exact).max() < 1e-7
    assert run.work.count[EVALUATIONS] < 1000


def test_stiff_spring_that_stiffens_agrees_with_a_published_method():
    x = np.linspace(-2.0, 2.0, 81)
    curve = Curve("hard", x, 2e4 * x + 4e5 * x**3, "cubic")
    made = sliding(c=3e3, curves=(curve,), curve_k="hard", t_end=1.0, t_step=0.05)
    run = advanced(Radau, made, rtol=1e-7)

    def rates(_t, y):
        return [y[1], -(2e4 * y[0] + 4e5 * y[0] ** 3) - 3e3 * y[1]]

    times = run.rows.times
    exact = solve_ivp(rates, (0, 1), [0.4, 0], method=PublishedRadau, t_eval=times, rtol=1e-11, atol=1e-13).y[0]
    assert np.abs(run.rows.q[:, 0] + 0.4 - exact).max() < 1e-6
    assert run.work.count[EVALUATIONS] < 1000


@pytest.mark.parametrize(
    ("stiffness", "damping"),
    [
        ([1e5, 2e5, 3e5, 500.0, 800.0, 0.0], [1e4, 1e4, 2e4, 300.0, 200.0, 0.1]),
        ([1e4, 2e4, 1e4, 50.0, 4e3, 2.0], [1e2, 1e2, 1e2, 0.1, 400.0, 0.1]),
    ],
)
def test_bushing_in_space_agrees_with_the_explicit_method(stiffness, damping):
    made = bushed(stiffness, damping, t_end=1.0, t_step=0.1)
    exact = rows_of(made, "b", ("x", "y", "z"))
    found, evaluations = [], []
    for rtol in (1e-6, 1e-8):
        run = advanced(Radau, made, rtol=rtol)
        assert np.abs(run.rows.q[:, :3] - exact).max() < 2 * rtol
        found.append(run.rows.q)
        evaluations.append(run.work.count[EVALUATIONS])
    assert evaluations[0] < 2500


def test_motion_does_not_depend_on_the_direction_in_which_the_model_stands():
    """The same bushing and body, all of it turned as a whole by Euler parameters."""
    turn = np.array([[0.36, 0.48, -0.8], [-0.8, 0.6, 0.0], [0.48, 0.64, 0.6]])
    made = bushed([1e5, 2e5, 3e5, 500.0, 800.0, 0.0], [1e4, 1e4, 2e4, 300.0, 200.0, 0.1], t_end=0.5, t_step=0.1)
    one = advanced(Radau, made, rtol=1e-6)
    gravity = tuple(float(g) for g in turn @ made.settings.gravity)
    spring = replace(made.springs[0], i=Marker("ground", np.zeros(3), turn))
    b = made.bodies[0]
    e = np.array([1.0 + np.trace(turn), *(turn[[2, 0, 1], [1, 2, 0]] - turn[[1, 2, 0], [2, 0, 1]])])
    p, q = e / np.linalg.norm(e), b.euler
    euler = np.array([p[0] * q[0] - p[1:] @ q[1:], *(p[0] * q[1:] + q[0] * p[1:] + np.cross(p[1:], q[1:]))])
    moved = replace(b, position=turn @ b.position, euler=euler, angles=np.full(3, np.nan))
    other = replace(made, bodies=(moved,), springs=(spring,), settings=replace(made.settings, gravity=gravity))
    turned = advanced(Radau, other, rtol=1e-6)
    assert np.abs(turned.rows.q[:, :3] - one.rows.q[:, :3] @ turn.T).max() < 1e-8
    assert turned.work.count[STEPS] == pytest.approx(one.work.count[STEPS], rel=0.05)


def test_flyball_governor_ends_where_the_benchmark_says_with_few_evaluations():
    made = sheetmbs.read(GOVERNOR)
    made = replace(made, settings=replace(made.settings, t_step=10.0))
    slider = [body.name for body in made.bodies].index("slider")
    for rtol, near, most in ((1e-4, 1e-4, 4000), (1e-6, 1e-6, 6000), (1e-8, 1e-8, 20000)):
        run = advanced(Radau, made, rtol=rtol)
        assert run.y[7 * slider + 2] == pytest.approx(HEIGHT, rel=near)
        assert run.work.count[EVALUATIONS] < most


def test_slider_crank_without_anything_stiff_agrees_with_the_explicit_method():
    bodies, joints = slider_crank()
    bodies = (replace(bodies[0], angular_velocity=np.array([0.0, 0.0, 6.0])), *bodies[1:])
    made = model(bodies, joints, t_end=2.0, t_step=0.1)
    exact = rows_of(made, "rod", ("x", "y", "phi"))
    run = advanced(Radau, made, rtol=1e-8)
    assert np.abs(run.rows.q[:, 3:6] - exact).max() < 1e-7


def test_bodies_joined_by_stiff_springs_keep_momentum():
    bodies = (body("a", velocity=(1.0, 2.0, 3.0)), body("b", 2.0, 0.5, mass=3.0, velocity=(-1.0, 0.0, -2.0)))
    springs = tuple(
        make_spring(name, "translational", on("a", 0.2, y), on("b", -0.1, y), k=1e5, c=1e4)
        for name, y in (("s", 0.3), ("t", -0.3))
    )
    made = model(bodies, springs=springs, gravity=STILL, t_end=2.0)
    v = advanced(Radau, made, rtol=1e-6).rows.v
    momentum = v[:, :2] + 3.0 * v[:, 3:5]
    assert np.abs(momentum - momentum[0]).max() < 1e-10


def test_steps_end_where_a_force_jumps():
    run = advanced(Radau, pushed("if(t<0.5,1,-1)", t_end=1.0, t_step=0.25), rtol=1e-8)
    assert run.rows.q[:, 0] == pytest.approx([0.0, 0.28125, 0.625, 0.96875, 1.25], abs=1e-12)
    assert run.work.count[REJECTIONS] == 0


def test_rows_hold_accelerations_of_their_states_and_exact_times():
    run = advanced(Radau, sliding(1e5, 1e4, t_end=0.35, t_step=0.1), rtol=1e-8)
    assert run.rows.times == pytest.approx([0.0, 0.1, 0.2, 0.3, 0.35], abs=1e-15)
    x, v, a = run.rows.q[:, 0] + 0.4, run.rows.v[:, 0], run.rows.a[:, 0]
    assert np.abs(a + 1e5 * x + 1e4 * v).max() < 1e-7


def test_run_in_many_pieces_is_the_run_in_one():
    made = sliding(1e5, 1e3, t_end=1.0, t_step=0.1)
    whole, parts = advanced(Radau, made, rtol=1e-6), start(made, 1e-6)
    integrator = Radau(parts)
    while integrator.advance(1) == Status.PAUSED:
        pass
    assert np.array_equal(whole.rows.q, parts.rows.q)
    assert parts.t == 1.0


def test_stiffness_that_no_element_has_costs_steps_but_no_accuracy():
    run = advanced(Radau, pushed("-1e3*(a.vx - 1 - t)", t_end=1.0, t_step=1.0), rtol=1e-6)
    exact = 1.0 + 0.5 - 1e-3 + 1e-6 * (1 - np.exp(-1e3))
    assert run.y[0] == pytest.approx(exact, abs=1e-6)


@pytest.mark.parametrize(
    ("text", "status", "before"),
    [("-50*sign(a.vx)", Status.NOT_CONVERGED, 0.021), ("1/(0.1 - a.x)", Status.STEP_TOO_SMALL, 0.07)],
)
def test_motion_that_cannot_go_on_ends_with_its_reason_at_its_time(text, status, before):
    """Dry friction by a jump stops the mass after 0.02 s; a force that grows without bound as it nears 0.1 m."""
    run = start(pushed(text, t_end=1.0, t_step=0.01), 1e-6)
    integrator = Radau(run)
    for _ in range(50):
        found = integrator.advance(1000)
        if found != Status.PAUSED:
            break
    assert found == status
    assert run.t < before
    assert np.isfinite(run.rows.q).all()
