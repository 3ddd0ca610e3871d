"""Every formulation of the constraints gives the same motion, and keeps violations as its equations promise."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import sheetmbs
from tests.support.mechanisms import double_pendulum, model, slider_crank, turning, windows
from tests.support.spatial_mechanisms import bricard

WORKBOOKS = Path(__file__).parents[2] / "workbooks"

WAYS = {
    "lagrange": {"formulation": "lagrange"},
    "baumgarte": {"formulation": "baumgarte"},
    "baumgarte from the step": {"formulation": "baumgarte", "feedback": "from-step"},
    "augmented-lagrangian": {"formulation": "augmented-lagrangian"},
    "coordinate-partitioning": {"formulation": "coordinate-partitioning"},
}


def run(case, **settings):
    return sheetmbs.run(replace(case, settings=replace(case.settings, **settings)))


def falling_slider_crank():
    bodies, joints = slider_crank()
    first = replace(bodies[0], angular_velocity=np.array([0.0, 0.0, 6.0]))
    return model((first, *bodies[1:]), joints, t_end=2.0, t_step=0.5)


@pytest.mark.parametrize("way", WAYS)
def test_slider_crank_moves_alike_in_every_formulation(way):
    one, other = (run(falling_slider_crank(), rtol=1e-9, **settings).bodies for settings in ({}, WAYS[way]))
    assert np.abs(one[["crank.phi", "slider.x"]] - other[["crank.phi", "slider.x"]]).to_numpy().max() < 2e-7


@pytest.mark.parametrize("way", WAYS)
def test_seven_body_mechanism_reaches_its_published_angle_in_every_formulation(way):
    """Beta(0.03) of Hairer and Wanner's mechanism by the default, which test_workbooks holds to the published value."""
    book = sheetmbs.read(WORKBOOKS / "andrews.xlsx")
    one, other = (run(book, t_end=0.03, t_step=0.03, **settings).bodies for settings in ({}, WAYS[way]))
    assert abs(one["K1.phi"].iloc[-1] - other["K1.phi"].iloc[-1]) < 1e-6


@pytest.mark.parametrize("way", ["coordinate-partitioning", "augmented-lagrangian"])
def test_bricard_moves_alike_in_space(way):
    one, other = (run(bricard(), t_end=2.0, t_step=2.0, **settings).bodies for settings in ({}, WAYS[way]))
    columns = [name for name in one.columns if name.endswith((".x", ".y", ".z"))]
    assert np.abs(one[columns].iloc[-1] - other[columns].iloc[-1]).max() < 1e-6


@pytest.mark.parametrize("way", ["baumgarte", "baumgarte from the step", "augmented-lagrangian"])
def test_feedback_holds_violations_that_grow_without_it(way):
    drifting, held = (
        run(double_pendulum(t_end=20.0, t_step=1.0, rtol=1e-6), **WAYS[each]).constraints["position_violation"]
        for each in ("lagrange", way)
    )
    assert drifting.iloc[-1] > 4.0 * held.iloc[-1]


@pytest.mark.parametrize(("way", "bound"), [("coordinate-partitioning", 1e-11), ("baumgarte", 1e-5)])
def test_partitioning_keeps_the_constraints_and_feedback_only_about(way, bound):
    found = run(double_pendulum(t_end=10.0, t_step=0.5, rtol=1e-6), **WAYS[way]).constraints
    assert found["position_violation"].max() < bound
    assert (found["position_violation"].max() > 1e-11) == (way == "baumgarte")


def test_other_coordinates_are_chosen_when_those_chosen_lose_their_hold():
    """A bar that turns: neither x nor y of its centre determines the rest all the way round."""
    whirling = double_pendulum(t_end=4.0, t_step=1.0)
    fast = replace(whirling.bodies[0], angular_velocity=np.array([0.0, 0.0, 9.0]))
    case = replace(whirling, bodies=(fast, *whirling.bodies[1:]))
    one, other = (run(case, **settings) for settings in ({}, WAYS["coordinate-partitioning"]))
    assert np.abs(one.bodies.iloc[-1] - other.bodies.iloc[-1])[:7].max() < 1e-5
    assert other.summary["choices of coordinates"] > 1


def test_drivers_are_kept_by_partitioning():
    bodies, joints = slider_crank()
    case = model(bodies, joints, drivers=(turning("main", 3.0),), t_end=1.0)
    found = run(case, **WAYS["coordinate-partitioning"])
    assert np.abs(found.bodies["crank.phi"] - 3.0 * found.bodies["time"]).max() < 1e-10


def test_penalty_that_is_too_small_is_said_to_be():
    found = run(windows(2, t_end=0.5), formulation="augmented-lagrangian", penalty=1e-2)
    assert any("larger penalty" in str(problem) for problem in found.sheets.problems)
