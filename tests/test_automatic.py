"""The integrator `auto`: explicit where accuracy sets the steps, implicit where stiff elements would, and back again."""

from dataclasses import replace

import numpy as np
import pytest

import sheetmbs
from sheetmbs.model import Joint, Spring
from tests.mechanisms import body, double_pendulum, model, on, slide_axes
from tests.stiff_runs import STILL, displacement, on_a_rail


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
    spring = Spring("s", "translational", on("ground", -1.0), on("m"), k=1e6, c=1e5, natural=0.6)
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
    for settings in ({"integrator": "hht", "formulation": "projection"}, {"formulation": "index-3"}):
        with pytest.raises(sheetmbs.WorkbookError, match="index-3 goes with"):
            run(double_pendulum(), **settings)


def test_hht_refuses_more_damping_than_it_has():
    with pytest.raises(sheetmbs.WorkbookError, match=r"spectral_radius = 0\.3"):
        run(double_pendulum(), integrator="hht", spectral_radius=0.3)


def test_still_model_needs_no_choice():
    assert sheetmbs.run(model((body("m"),), gravity=STILL)).status == "done"
