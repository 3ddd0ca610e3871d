"""The integrator `auto`: explicit where accuracy sets the steps, implicit where stiff elements would, and back again."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import sheetmbs
from sheetmbs.analysis.integrators import automatic
from sheetmbs.analysis.integrators.interface import Status
from sheetmbs.analysis.integrators.radau import radau
from sheetmbs.model.model import Joint
from tests.analysis.drops import dropped, flight_and_contact
from tests.analysis.stiff_runs import STILL, displacement, on_a_rail
from tests.support.mechanisms import body, double_pendulum, model, on, slide_axes, windows
from tests.support.runs import start
from tests.support.springs import make_spring


def run(case, **settings):
    return sheetmbs.run(replace(case, settings=replace(case.settings, **settings)))


def test_motion_without_springs_stays_explicit_and_says_why():
    summary = sheetmbs.run(double_pendulum()).summary
    assert summary["integrator"] == "auto: dop853"
    assert "accuracy" in summary["integrator chosen because"]


@pytest.mark.parametrize(("k", "c"), [(1e6, 1e4), (1e4, 1e6)])
def test_stiff_damper_is_named_and_solved_by_its_closed_form_with_few_evaluations(k, c):
    result = run(on_a_rail(k, c, t_end=3.0, t_step=0.25))
    assert result.summary["integrator"] == "auto: radau"
    assert "stiffness of s " in result.summary["integrator chosen because"]
    t = result.bodies["time"].to_numpy()
    assert np.abs(result.bodies["m.x"] + 0.4 - displacement(t, k, c)).max() < 1e-7
    assert (
        result.summary["evaluations"]
        < 0.05 * run(on_a_rail(k, c, t_end=3.0), integrator="dop853").summary["evaluations"]
    )


def test_undamped_spring_that_has_to_be_followed_stays_explicit():
    result = run(on_a_rail(400.0, 0.0, t_end=3.0))
    assert result.summary["integrator"] == "auto: dop853"
    t = result.bodies["time"].to_numpy()
    assert np.abs(result.bodies["m.x"] + 0.4 - 0.4 * np.cos(20.0 * t)).max() < 1e-6


def test_default_tolerance_is_that_of_the_method_at_work():
    assert run(on_a_rail(1e6, 1e4, t_end=3.0)).summary["relative tolerance"] == 1e-7
    assert run(on_a_rail(1e6, 1e4, t_end=3.0), rtol=1e-6).summary["relative tolerance"] == 1e-6
    assert sheetmbs.run(double_pendulum()).summary["relative tolerance"] == 1e-8


def test_stiff_spring_beside_a_free_swing_agrees_with_the_explicit_method():
    rail = Joint("rail", "translational", on("ground", axes=slide_axes(0)), on("m", axes=slide_axes(0)))
    swinging = double_pendulum(t_end=1.0)
    spring = make_spring("s", "translational", on("ground", -1.0), on("m"), k=1e6, c=1e5, natural=0.6)
    case = replace(swinging, bodies=(*swinging.bodies, body("m")), joints=(*swinging.joints, rail), springs=(spring,))
    one, other = run(case), run(case, integrator="dop853")
    assert one.summary["integrator"] == "auto: radau"
    columns = ["upper.phi", "lower.phi", "m.x"]
    assert np.abs(one.bodies[columns] - other.bodies[columns]).to_numpy().max() < 1e-5


def test_two_runs_of_a_stiff_model_agree_to_the_last_digit():
    """The choice depends on steps and evaluations, never on how fast the machine happens to be."""
    one, other = (run(on_a_rail(1e5, 2e4, t_end=1.0)).bodies for _ in range(2))
    assert (one.to_numpy() == other.to_numpy()).all()


def test_absolute_tolerance_adds_to_the_relative_one():
    fine, coarse = (run(double_pendulum(), atol=atol).summary for atol in (None, 1e-3))
    assert coarse["relative tolerance"] > 1e3 * fine["relative tolerance"]
    assert coarse["evaluations"] < 0.5 * fine["evaluations"]


def test_index_3_goes_with_its_own_integrators_only():
    for settings in (
        {"integrator": "hht", "formulation": "projection"},
        {"integrator": "dop853", "formulation": "index-3"},
    ):
        with pytest.raises(sheetmbs.WorkbookError, match="index-3 goes with"):
            run(double_pendulum(), **settings)


def test_index_3_lets_auto_take_a_method_that_can_and_control_its_error():
    exact = run(double_pendulum(t_end=0.5), rtol=1e-11).bodies
    for settings in ({}, {"rtol": 1e-5}, {"step": 2e-4}):
        found = run(double_pendulum(t_end=0.5), formulation="index-3", **settings)
        assert found.summary["integrator"] == "auto: generalized-alpha"
        assert "index-3" in found.summary["integrator chosen because"]
        assert found.summary["accuracy check"] == "passed"
        assert np.allclose(found.bodies, exact, rtol=0.0, atol=2e-3)
    assert run(double_pendulum(t_end=0.5), formulation="index-3").summary["relative tolerance"] == 1e-6


def test_a_motion_whose_energy_does_not_balance_is_done_again_by_another_method(monkeypatch):
    """Without corners the explicit method loses this drop on a stop, and the other one does not."""
    monkeypatch.setattr("sheetmbs.analysis.dynamic.find_corners", lambda _arrays, _work: None)
    drop = dropped(0.602, 76800.0)
    lost = run(drop, integrator="dop853")
    assert lost.summary["accuracy check"] == "in doubt: energy balance"
    assert "integrator auto" in lost.sheets.problems[0].mend
    found = run(drop)
    expected = flight_and_contact(0.602, 76800.0, 1.0, 0.0, 3.0)
    assert np.allclose(found.bodies[["b.y", "b.vy"]].iloc[-1], expected, atol=1e-4)
    assert found.summary["integrator"] == "auto: radau"
    assert "with dop853 the energy balance was off by 0." in found.summary["integrator chosen because"]
    assert found.summary["accuracy check"] == "passed"
    assert found.sheets.problems == ()


def test_where_no_other_method_is_better_the_first_motion_stays_and_this_is_told(monkeypatch):
    monkeypatch.setattr("sheetmbs.analysis.dynamic.find_corners", lambda _arrays, _work: None)
    monkeypatch.setattr("sheetmbs.results.reported_motion.MAX_ERROR_RATIO", 0.0)
    found = run(dropped(0.602, 76800.0))
    assert found.summary["integrator"] == "auto: dop853"
    assert "no better" in found.summary["motion done again"]
    assert found.summary["accuracy check"] == "in doubt: energy balance"
    assert "another integrator" in found.sheets.problems[0].mend


def test_hht_refuses_more_damping_than_it_has():
    with pytest.raises(sheetmbs.WorkbookError, match=r"spectral_radius = 0\.3"):
        run(double_pendulum(), integrator="hht", spectral_radius=0.3)


def test_still_model_needs_no_choice():
    assert sheetmbs.run(model((body("m"),), gravity=STILL)).status == "done"


BEAD, BESIDE = 0.5, 0.1
VERY_STIFF, STIFF = (1e6, 1e4), (1e5, 2e3)


def windows_with_a_bead(count, rate, held, **settings):
    """Windows whose rods turn at ``rate``; on the first coupler a bead slides against a spring and damper: ``held``."""
    made = windows(count)
    turning = [
        replace(each, velocity=rate * each.velocity, angular_velocity=rate * each.angular_velocity)
        for each in made.bodies
    ]
    bead = body("bead", 0.5 + BESIDE, 1.0, velocity=(rate, 0.0, 0.0), mass=BEAD)
    rail = Joint("rail", "translational", on("top 0", axes=slide_axes(0)), on("bead", axes=slide_axes(0)))
    spring = make_spring("s", "translational", on("top 0", -2.0), on("bead"), k=held[0], c=held[1], natural=2.0)
    return model((*turning, bead), (*made.joints, rail), springs=(spring,), **settings)


def rods_and_bead(count, rate, held, times):
    """(2, times) angle of the rods and displacement s of the bead, in these minimal coordinates."""
    rods, couplers = count + 1, count + BEAD

    def derivative(_t, state):
        angle, s, omega, speed = state
        mass = np.array([[rods / 3 + couplers, -BEAD * np.sin(angle)], [-BEAD * np.sin(angle), BEAD]])
        force = [
            -9.81 * np.cos(angle) * (rods / 2 + couplers),
            BEAD * np.cos(angle) * omega**2 - held[0] * s - held[1] * speed,
        ]
        return [omega, speed, *np.linalg.solve(mass, force)]

    begin = [np.pi / 2, BESIDE, -rate, 0.0]
    return solve_ivp(derivative, (0.0, times[-1]), begin, "Radau", times, rtol=1e-10, atol=1e-12).y[:2]


def test_stiff_parallelograms_pass_singular_positions_on_their_branch_at_any_speed():
    """At 4.6675 rad/s a step of the implicit method ends so near to one that it crawls."""
    for rate in (4.6675, 3.8123, 4.0775):
        result = run(windows_with_a_bead(6, rate, VERY_STIFF, t_end=2.0), rtol=1e-4)
        assert result.status == "done"
        exact, s = rods_and_bead(6, rate, VERY_STIFF, result.bodies["time"].to_numpy())
        assert exact[0] - exact[-1] > 2.0 * np.pi
        assert np.abs(result.bodies["rod 3.phi"] - exact).max() < 5e-3
        assert np.abs(result.bodies["bead.x"] - result.bodies["top 0.x"] - s).max() < 1e-3


class Hesitant(radau.Radau):
    """Takes no long steps, and gives up where it sees a singular position near."""

    def advance(self, limit):
        for _ in range(limit):
            self.course.clock.step = min(self.course.clock.step, 4e-3)
            status = super().advance(1)
            if status == Status.PAUSED and self.run.work.pivot_ratio[0] < 5e-4:
                return int(Status.STEP_TOO_SMALL)
            if status != Status.PAUSED:
                break
        return status


def test_singular_positions_that_stop_the_implicit_method_are_crossed_by_the_explicit_one(monkeypatch):
    monkeypatch.setattr(radau, "Radau", Hesitant)
    case = windows_with_a_bead(2, 2.0, STIFF, t_end=1.5, t_step=0.05)
    moving = start(case, 1e-6)
    moving.allowed_otherwise = moving.allowed
    method = automatic.Automatic(moving)
    while (status := method.advance(1000)) == Status.PAUSED:
        pass
    assert status == Status.DONE
    exact, s = rods_and_bead(2, 2.0, STIFF, moving.rows.times)
    passed = np.sum(np.diff(np.floor(exact / np.pi)) != 0.0)
    names = [name for _, name, _ in method.switches]
    assert passed == 2
    assert names == ["radau", *["dop853", "radau"] * passed]
    assert np.abs(moving.rows.q[:, 2] - exact).max() < 1e-7
    bead = moving.rows.q[:, -3] - moving.rows.q[:, 3 * 3]
    assert np.abs(bead - s).max() < 1e-6
