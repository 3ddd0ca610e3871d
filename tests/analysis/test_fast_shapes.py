"""Beams whose loads stand close to each other: shapes far faster than the motion, over which an implicit method passes."""

import numpy as np
import pytest

import sheetmbs
from sheetmbs.engine.directions import element_rate, find_directions, make_directions
from sheetmbs.engine.evaluate import evaluate
from sheetmbs.engine.forces.translational_spring import RATE
from tests.support.beam_books import beam_book, frame_points
from tests.support.runs import start

ARM = {"name": "arm", "length": 1.0, "EI": 100.0, "mass_per_length": 0.8}


def loaded(tmp_path, second, beam=ARM, sheets=None, **settings):
    """The model of a cantilever with forces and moments at half its length and at another place."""
    tables = {
        "Joints": [["name", "type", "body_i", "body_j", "point"], ["wall", "fixed", "ground", "arm", "root"]],
        "Points": frame_points("arm", {"root": 0.0, "p": 0.5, "q": second, "tip": 1.0}),
        "Forces": [
            ["name", "body", "point", "fx", "fy", "moment"],
            ["one", "arm", "p", "2*sin(9*t)", "5*sin(20*t)", "0.1*sin(15*t)"],
            ["other", "arm", "q", None, "3*sin(10*t)", "-0.1*sin(15*t)"],
        ],
    }
    settings = {"gravity_y": 0, "t_end": 0.2, "t_step": 0.002} | settings
    path = beam_book(tmp_path, settings, [beam], **(tables | (sheets or {})))
    return sheetmbs.read(path)


def tip(results):
    return results.points[["tip.x", "tip.y"]].to_numpy()


@pytest.mark.parametrize("stiffness", [None, 1e7])
def test_loads_that_almost_touch_cost_no_more_steps_than_the_motion_asks_for(tmp_path, stiffness):
    """Shapes of 265,000 Hz, which took 300,000 explicit steps of a motion of a few Hz."""
    results = sheetmbs.run(loaded(tmp_path, 0.503, ARM | {"EA": stiffness}))
    assert results.summary["integrator"] == "auto: radau"
    assert "the stiffness of arm held the steps back" in results.summary["integrator chosen because"]
    assert results.summary["evaluations"] < 2e4
    assert results.summary["accuracy check"] == "passed"
    finer = sheetmbs.run(loaded(tmp_path, 0.503, ARM | {"EA": stiffness}, rtol=1e-9))
    assert np.abs(tip(results) - tip(finer)).max() < 5e-7  # rtol is 1e-7 of the length


@pytest.mark.parametrize("more", [{}, {"damping": 0.02}, {"EA": 1e7}], ids=str)
def test_both_methods_find_the_same_motion(tmp_path, more):
    short = {"t_end": 0.01, "t_step": 0.001, "rtol": 1e-9}
    implicit, explicit = (
        sheetmbs.run(loaded(tmp_path, 0.503, ARM | more, integrator=name, **short)) for name in ("radau", "dop853")
    )
    assert implicit.summary["evaluations"] < 0.1 * explicit.summary["evaluations"]
    assert np.abs(tip(implicit) - tip(explicit)).max() < 1e-8


def many_coordinates(tmp_path, **settings):
    """The model of a beam of ten modes, an axial stiffness and loads at six places, with a stiff spring at its tip."""
    places = {"root": 0.0, "a": 0.2, "b": 0.35, "p": 0.5, "q": 0.65, "c": 0.8, "tip": 1.0}
    loads = [[name, "arm", name, 3.0, f"5*sin({20 + n}*t)", 0.1] for n, name in enumerate(places) if name != "root"]
    sheets = {
        "Points": [*frame_points("arm", places), ["wall end", None, 1, -0.5, "global", None]],
        "Forces": [["name", "body", "point", "fx", "fy", "moment"], *loads],
        "Springs": [
            ["name", "body_i", "body_j", "point_i", "point_j", "k"],
            ["stop", "ground", "arm", "wall end", "tip", 1e6],
        ],
    }
    return loaded(tmp_path, 0.6, ARM | {"EA": 1e7, "modes": 10}, sheets, **settings)


def test_a_stiff_spring_on_a_beam_of_many_coordinates_pushes_all_of_them(tmp_path):
    """More velocities than any body had for which rows of directions were once made."""
    short = {"t_end": 0.005, "t_step": 0.0005, "rtol": 1e-9}
    models = [many_coordinates(tmp_path, integrator=name, **short) for name in ("radau", "dop853")]
    implicit, explicit = map(sheetmbs.run, models)
    assert implicit.summary["evaluations"] < explicit.summary["evaluations"]
    assert np.abs(tip(implicit) - tip(explicit)).max() < 1e-8


def test_the_row_of_a_spring_on_a_beam_of_many_coordinates_is_the_rate_of_its_length(tmp_path):
    """For any velocities, after the rows of all other directions are found too: none reaches into another."""
    run = start(many_coordinates(tmp_path))
    A, W, D = run.arrays, run.work, make_directions(run.arrays)
    nq, nv = len(A.position_size), len(A.scale)
    assert A.body.nv.max() == nv == 41
    v = np.random.default_rng(7).standard_normal(nv)
    evaluate(A, W, 0.0, run.y[:nq], v, run.rates, 0.0)
    find_directions(A, W, D, 0)
    (spring,) = (n for n, record in enumerate(D.record) if record.element == 0)
    begin = (2 * spring + 1) * D.width  # the beam is body j
    rate = D.entry[begin : begin + nv] @ (v / A.scale)
    assert rate == pytest.approx(W.element[A.elements.record[0].value + RATE], rel=1e-12)


@pytest.mark.parametrize("more", [{}, {"EA": 1e7}, {"modes": 6}], ids=str)
def test_the_rate_of_a_beam_is_its_highest_frequency(tmp_path, more):
    model = loaded(tmp_path, 0.503, ARM | more)
    run = start(model)
    rate, element, decays = element_rate(run.arrays, run.work, make_directions(run.arrays))
    highest = 2.0 * np.pi * sheetmbs.run(model, analysis="modes").summary["highest frequency"]
    assert rate == pytest.approx(highest, rel=1e-4)
    assert (element, decays) == (0, 0)


@pytest.mark.parametrize("more", [{}, {"EA": 1e7}, {"modes": 10}, {"ends": "pinned-pinned"}], ids=str)
def test_loads_well_apart_leave_a_beam_to_the_explicit_method(tmp_path, more):
    model = loaded(tmp_path, 0.8, ARM | more)
    assert len(make_directions(start(model).arrays).record) == 0
    assert sheetmbs.run(model).summary["integrator"] == "auto: dop853"
