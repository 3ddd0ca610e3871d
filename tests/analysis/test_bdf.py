"""Backward differentiation: order, error, stiffness, its Newton matrix, and where reported rows stand."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import sheetmbs
from sheetmbs.analysis.integrators.interface import Status
from sheetmbs.analysis.integrators.ndf.bdf import BackwardDifferentiation
from sheetmbs.analysis.integrators.ndf.corrector import CONVERGED, correct
from sheetmbs.analysis.integrators.ndf.differences import HIGHEST, LEADING, append_state, make_memory, predict
from sheetmbs.analysis.integrators.stepping.driver import course_of
from sheetmbs.model.model import Force, Formula, Joint
from sheetmbs.schema.expression import parse
from tests.analysis.stiff_runs import STILL, begun, counted, displacement, evaluate, finished, on_a_rail
from tests.support.mechanisms import body, double_pendulum, four_bar, hinge, model, on, slider_crank, turning
from tests.support.springs import make_spring

FOLDER = Path(__file__).parents[2] / "workbooks"
ORDERS = range(1, HIGHEST + 1)


def exact(made):
    """Positions at the reporting times by the explicit method of order 8, (n, nq)."""
    bodies = sheetmbs.run(replace(made, settings=replace(made.settings, rtol=1e-13))).bodies
    return np.column_stack([bodies[f"{b.name}.{q}"] for b in made.bodies for q in ("x", "y", "phi")])


# Order and error


def error_in_equal_steps(made, order, steps, reference):
    """Error at the end of steps of one length at one order, the first ones taken from a reference with ``steps`` rows."""
    run = begun(made)
    run.allowed = 1e-10
    memory, arrays, course = make_memory(run.arrays), run.arrays, course_of(run)
    memory.state.rate = run.fastest
    h, nq = made.settings.t_end / steps, len(run.y) // 2
    known = reference[order + 1 :: -1]
    for j in range(order + 2):
        memory.difference[j] = known[0]
        known = -np.diff(known, axis=0)
    for step in range(order + 2, steps + 1):
        t, c = step * h, h / LEADING[order]
        predict(memory.difference, order, memory.predicted, memory.past)
        corrector = (arrays, run.work, course, memory, t, c)
        assert correct(*corrector) == CONVERGED or correct(*corrector) == CONVERGED  # then with new matrices
        memory.trial[:] = memory.x
        evaluate(arrays, run.work, t, memory.trial_q, memory.trial_v, memory.rates, 1e-12)
        append_state(memory.difference, order, memory.predicted, memory.trial)
    return np.abs(memory.difference[0, :nq] - reference[-1, :nq]).max()


def test_a_convergence_rate_of_zero_is_forgotten_as_others_are():
    """An iteration that happens to end exactly says no more about later steps than one that ends nearly so."""
    run = begun(on_a_rail(1e4, 10.0, t_end=1.0, t_step=0.5))
    method = BackwardDifferentiation(run, HIGHEST)
    assert method.advance(20) == Status.PAUSED
    memory = method.memory
    memory.state.trusted = memory.state.seen = 0.0
    found = []
    for _ in range(3):
        method.advance(1)
        found.append(float(memory.state.trusted[0]))
    assert min(found) > 0.0, found


@pytest.mark.parametrize("order", ORDERS)
def test_order_is_observed_in_equal_steps_with_projection(order):
    steps = {1: 1000, 2: 200, 3: 160, 4: 160, 5: 160}[order] * np.array([1, 2, 4])
    errors = []
    for count in steps:
        made = double_pendulum(t_step=1.0 / count)
        rows = sheetmbs.run(replace(made, settings=replace(made.settings, rtol=1e-13))).bodies
        reference = np.column_stack(
            [
                rows[f"{b}.{q}"]
                for names in (("x", "y", "phi"), ("vx", "vy", "omega"))
                for b in ("upper", "lower")
                for q in names
            ]
            + [0 * rows["time"]]
        )
        errors.append(error_in_equal_steps(made, order, count, reference))
    observed = np.log2(np.array(errors[:-1]) / np.array(errors[1:]))
    assert np.abs(observed - order).max() < 0.2, observed


def test_error_falls_with_the_tolerance():
    made = double_pendulum(t_step=1.0)
    end = exact(made)[-1]
    tolerances = 10.0 ** -np.arange(4, 11)
    errors = np.array([np.abs(finished(made, rtol).rows.q[-1] - end).max() for rtol in tolerances])
    slope = np.polyfit(np.log10(tolerances), np.log10(errors), 1)[0]
    assert 0.75 < slope < 1.25
    assert (errors < 10 * tolerances).all()


@pytest.mark.parametrize(("highest", "slope"), [(1, 1 / 2), (2, 2 / 3)])
def test_highest_order_bounds_how_error_falls_with_the_tolerance(highest, slope):
    """A step of order k errs by h^(k+1), the whole motion by h^k."""
    made = double_pendulum(t_step=1.0)
    end = exact(made)[-1]
    tolerances = 10.0 ** -np.arange(3, 6)
    errors = np.array([np.abs(finished(made, rtol, highest=highest).rows.q[-1] - end).max() for rtol in tolerances])
    assert np.polyfit(np.log10(tolerances), np.log10(errors), 1)[0] == pytest.approx(slope, abs=0.1)


# Stiffness


@pytest.mark.parametrize(("k", "c"), [(1e6, 1e6), (1e9, 1e7)])
def test_stiff_spring_and_damper_follow_the_closed_form_in_steps_far_beyond_the_explicit_limit(k, c):
    """An explicit step of order 8 may be no longer than 6.2 m/c; its 12 evaluations over 3 s come to 5.8e6 m/c and more."""
    for rtol in (1e-4, 1e-6, 1e-8):
        run = finished(on_a_rail(k, c, t_end=3.0), rtol)
        assert np.abs(run.rows.q[:, 0] + 0.4 - displacement(run.rows.times, k, c)).max() < rtol
        assert counted(run, "EVALUATIONS") < 1000
        assert counted(run, "EVALUATIONS") < 1e-3 * 12 * 3.0 * c / 6.2


def test_undamped_stiff_spring_swings_on():
    """4775 swings: the error in phase is what the many steps add up to."""
    run = finished(on_a_rail(1e6, 0.0, t_end=0.3, t_step=0.01))
    assert np.abs(run.rows.q[:, 0] + 0.4 - displacement(run.rows.times, 1e6, 0.0)).max() < 2e-6


def elastic_slider_crank(k, c, **settings):
    """The rod is a stiff spring-damper, which turns with the mechanism."""
    bodies, joints = slider_crank()
    rod = make_spring("rod", "translational", on("crank", 0.5), on("slider"), k=k, c=c)
    crank = replace(bodies[0], velocity=np.array([0.0, 2.5, 0.0]), angular_velocity=np.array([0.0, 0.0, 5.0]))
    return model((crank, bodies[2]), (joints[0], joints[3]), springs=(rod,), **settings)


def test_slider_crank_with_a_stiff_rod_agrees_with_the_explicit_method():
    made = elastic_slider_crank(1e5, 1e4, t_end=1.0)
    run = finished(made)
    expected = sheetmbs.run(replace(made, settings=replace(made.settings, rtol=1e-10, integrator="dop853")))
    assert np.abs(run.rows.q[:, 5] - expected.bodies["slider.phi"]).max() < 1e-6
    assert np.abs(run.rows.q[:, 3] - expected.bodies["slider.x"]).max() < 1e-7
    assert counted(run, "EVALUATIONS") < 0.2 * expected.summary["evaluations"]


def test_ever_stiffer_rod_becomes_the_rigid_one():
    bodies, joints = slider_crank()
    crank = replace(bodies[0], velocity=np.array([0.0, 2.5, 0.0]), angular_velocity=np.array([0.0, 0.0, 5.0]))
    link = Joint("rod", "distance", on("crank", 0.5), on("slider"))
    end = exact(model((crank, bodies[2]), (joints[0], joints[3], link), t_step=1.0))[-1]
    runs = [finished(elastic_slider_crank(k, 0.1 * k, t_step=1.0)) for k in (1e5, 1e7, 1e9)]
    apart = np.array([np.abs(run.rows.q[-1] - end).max() for run in runs])
    assert apart[0] / apart[1] == pytest.approx(100.0, rel=0.1)
    assert apart[2] < 1e-6
    assert counted(runs[2], "EVALUATIONS") < 3 * counted(runs[0], "EVALUATIONS")


def test_stiff_formula_of_a_force_costs_no_more_than_a_stiff_damper():
    """What is stiff need not be a spring: drag to a moving belt, x' = 1 - exp(-c t) to the scale of 1e-6 s."""
    drag = Formula(parse("1e6*(1 + sin(t) - m.vx)", lambda name: name == "m.vx"))
    made = model((body("m"),), gravity=STILL, t_end=3.0)
    run = finished(replace(made, forces=(Force("drag", on("m"), (drag, 0.0, 0.0), STILL),)))
    t = run.rows.times[1:]
    assert np.abs(run.rows.v[1:, 0] - 1 - np.sin(t)).max() < 1.1e-6
    assert counted(run, "EVALUATIONS") < 5000


def test_stiff_governor_reaches_the_published_height():
    """IFToMM benchmark A05: its springs turn in space with the balls."""
    made = sheetmbs.read(FOLDER / "flyball-governor.xlsx")
    run = finished(replace(made, settings=replace(made.settings, t_step=10.0)), rtol=1e-7)
    slider = [b.name for b in made.bodies].index("slider")
    assert run.rows.q[-1, 7 * slider + 2] == pytest.approx(0.6196229179, abs=1e-6)
    assert counted(run, "EVALUATIONS") < 10000


# The Newton matrix


def test_matrix_is_made_once_where_nothing_is_stiff():
    run = finished(double_pendulum())
    assert counted(run, "JACOBIANS") < 5
    assert counted(run, "ITERATIONS") < 2 * counted(run, "STEPS")


# Motion


def test_squeezer_turns_as_far_as_published():
    """IFToMM A03: beta(0.05) = 33.825867767 rad; the start in the workbook is rounded and costs 1.4e-6 rad."""
    made = sheetmbs.read(FOLDER / "andrews.xlsx")
    run = finished(replace(made, settings=replace(made.settings, t_step=0.05, t_end=0.05)))
    assert abs(run.rows.q[-1, 2] - 33.825867767) < 5e-6


def test_slider_crank_agrees_with_the_explicit_method():
    bodies, joints = slider_crank()
    crank = replace(bodies[0], velocity=np.array([0.0, 2.5, 0.0]), angular_velocity=np.array([0.0, 0.0, 5.0]))
    made = model((crank, *bodies[1:]), joints, t_end=2.0)
    assert np.abs(finished(made).rows.q - exact(made)).max() < 1e-6


@pytest.mark.parametrize("feedback", [(0.0, 0.0, 0.0), (5.0, 5.0, 0.0), (0.0, 0.0, 1e-12)])
def test_ways_of_keeping_constraints_agree(feedback):
    made = double_pendulum()
    assert np.abs(finished(made, feedback=feedback).rows.q - exact(made)).max() < 1e-6


def test_projected_states_satisfy_the_constraints():
    run = finished(double_pendulum(t_step=0.03))
    q, v = run.rows.q, run.rows.v
    assert np.abs(q[:, 0] - 0.5 * np.cos(q[:, 2])).max() < 1e-11
    assert np.abs(v[:, 0] + 0.5 * np.sin(q[:, 2]) * v[:, 2]).max() < 1e-11
    assert np.abs(q[:, 4] - np.sin(q[:, 2]) - 0.5 * np.sin(q[:, 5])).max() < 1e-11


def test_rows_stand_at_every_t_step_and_exactly_at_the_end():
    run = finished(double_pendulum(t_end=1.05, t_step=0.1))
    assert run.rows.times[-1] == run.t == 1.05
    assert np.array_equal(run.rows.q[-1], run.y[:6])


def test_rows_between_steps_are_as_right_as_steps():
    made = double_pendulum(t_step=0.0047)
    assert np.abs(finished(made).rows.q - exact(made)).max() < 1e-8


def test_accelerations_of_rows_are_those_of_their_states():
    made = double_pendulum(t_step=0.03)
    bodies = sheetmbs.run(replace(made, settings=replace(made.settings, rtol=1e-13))).bodies
    assert np.abs(finished(made).rows.a[:, 2] - bodies["upper.alpha"]).max() < 1e-6


def test_work_of_dampers_is_what_they_take():
    run = finished(on_a_rail(400.0, 30.0, t_end=3.0))
    energy = 0.5 * run.rows.v[:, 0] ** 2 + 200.0 * (run.rows.q[:, 0] + 0.4) ** 2
    assert np.abs(energy - energy[0] - run.rows.work).max() < 2e-5
    assert run.rows.work[-1] < -31.0


def test_jump_of_a_force_and_a_pulse_are_met():
    text = "if(t > 0.3 and t < 0.301, 4000, 0) + if(t > 0.55, 2, 0)"
    force = Force("hit", on("m"), (Formula(parse(text)), 0.0, 0.0), STILL)
    run = finished(replace(model((body("m", mass=2.0),), gravity=STILL), forces=(force,)))
    assert run.rows.v[-1, 0] == pytest.approx(2.0 + 0.45, abs=1e-7)
    assert run.rows.a[-1, 0] == pytest.approx(1.0)


def test_motion_that_ends_is_not_stepped_over():
    force = Force("root", on("m"), (Formula(parse("sqrt(0.5 - t)")), 0.0, 0.0), STILL)
    run = begun(replace(model((body("m"),), gravity=STILL), forces=(force,)))
    method = BackwardDifferentiation(run)
    while (status := method.advance(100)) == Status.PAUSED:
        pass
    assert status == Status.STEP_TOO_SMALL
    assert 0.49 < run.t <= 0.5
    assert run.row == 5


def test_units_of_length_do_not_change_the_steps():
    def pendulum(scale):
        bob = body("bob", scale, 0.0, inertia=0.1 * scale**2)
        joints = (hinge("pin", on("ground"), on("bob", -scale)),)
        return finished(model((bob,), joints, gravity=(0.0, -9.81 * scale, 0.0)))

    metre, millimetre = pendulum(1.0), pendulum(1000.0)
    assert counted(metre, "STEPS") == pytest.approx(counted(millimetre, "STEPS"), rel=0.02)
    assert metre.rows.q[:, 2] == pytest.approx(millimetre.rows.q[:, 2], abs=1e-7)


def test_driven_mechanism_leaves_no_motion_to_solve_for():
    bodies, joints, _ = four_bar()
    made = model(bodies, joints, drivers=(turning("A", 4.0),), t_end=2.0)
    run = finished(made)
    assert np.abs(run.rows.q[:, 2] - 4.0 * run.rows.times).max() < 1e-10
    assert np.abs(run.rows.q - exact(replace(made, settings=replace(made.settings, analysis="kinematic")))).max() < 1e-9
