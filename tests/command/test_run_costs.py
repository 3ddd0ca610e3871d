"""What a run does once it does not do twice, and a row of results costs no accuracy."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import sheetmbs
from sheetmbs.analysis.analyse import analyse
from sheetmbs.lower import Lowered, lower, system
from sheetmbs.results.columns.motion_rows import reported
from tests.support.rubbing import rubbing_crank

BOOKS = Path(__file__).parents[2] / "workbooks"
REDUNDANT, USUAL = "bricard", "andrews"


def model_of(name, rows=2):
    model = sheetmbs.read(BOOKS / f"{name}.xlsx")
    settings = model.settings
    return replace(model, settings=replace(settings, t_step=(settings.t_end - settings.t_start) / rows))


@pytest.fixture
def calls(monkeypatch):
    """How often a run lowers its model, plans rows and makes arrays of them."""
    found = {"lower": 0, "plan": 0, "plan_gauges": 0, "_new_arrays": 0}

    def count(where, name):
        kept = getattr(where, name)

        def counted(*given, **named):
            found[name] += 1
            return kept(*given, **named)

        monkeypatch.setattr(where, name, counted)

    count(sheetmbs.lower, "lower")
    count(system, "plan")
    count(system, "plan_gauges")
    count(Lowered, "_new_arrays")
    return found


@pytest.mark.parametrize(("name", "plans", "arrays"), [(USUAL, 1, 3), (REDUNDANT, 2, 5)])
def test_a_run_lowers_a_model_once_and_makes_no_arrays_twice(calls, name, plans, arrays):
    """All rows and the gauges are planned, and of redundant rows a choice; arrays are weighed by masses and by sizes."""
    sheetmbs.run(model_of(name))
    assert calls == {"lower": 1, "plan": plans, "plan_gauges": 1, "_new_arrays": arrays}


def test_arrays_are_handed_out_again_with_scratch_of_their_own():
    lowered = lower(model_of(USUAL))
    one, two, other = lowered.arrange(), lowered.arrange(), lowered.arrange(weights=lowered.sizes())
    assert one.arrays is two.arrays
    assert one.arrays is not other.arrays
    assert not np.shares_memory(one.work.jacobian, two.work.jacobian)


def test_friction_has_scratch_of_its_own_wherever_rows_are_laid_out():
    lowered = lower(rubbing_crank())
    one, two = lowered.arrange(), lowered.arrange()
    assert one.arrays is not two.arrays
    for name in ("slip", "load", "acting", "state"):
        assert not np.shares_memory(getattr(one.work.friction, name), getattr(two.work.friction, name))


def test_rows_in_body_axes_are_planned_as_if_anew():
    lowered = lower(model_of(REDUNDANT))
    chosen = np.ones(len(lowered.elements), dtype=np.bool_)
    keep = np.ones(len(lowered.constraints.rows), dtype=np.bool_)
    keep[3] = False
    anew = lowered.in_body_axes(chosen).arrange(keep)
    lowered.arrange(keep)
    again = lowered.in_body_axes(chosen).arrange(keep)
    assert not np.array_equal(again.arrays.row.kind, lowered.arrange(keep).arrays.row.kind)
    np.testing.assert_array_equal(again.kept, anew.kept)
    for table in ("row", "part"):
        for name in getattr(anew.arrays, table).dtype.names:
            np.testing.assert_array_equal(getattr(again.arrays, table)[name], getattr(anew.arrays, table)[name])


@pytest.mark.parametrize("name", [USUAL, REDUNDANT, "pendulum", "four-bar-windows"])
def test_rows_between_steps_satisfy_constraints_and_balance_forces_as_ends_of_steps_do(name):
    """Dense output alone misses constraints by as much as the motion's error, 1e-9 of the size."""
    lowered = lower(model_of(name, rows=1000))
    solution = analyse(lowered)
    found = reported(lowered, solution)
    assert len(solution.times) == 1001
    assert found.violation[:, :, 0].max() < 1e-11
    assert found.violation[:, :, 1].max() < 1e-11
    assert found.imbalance.max() < 1e-11


@pytest.mark.parametrize("name", [USUAL, REDUNDANT, "four-bar-windows"])
def test_nearly_all_rows_meet_their_constraints_to_rounding(name):
    """They are put there by a factor of their own place, which leaves the square of what was missing."""
    lowered = lower(model_of(name, rows=1000))
    found = reported(lowered, analyse(lowered))
    worst = found.violation[:, :, 0].max(axis=1)
    assert np.quantile(worst, 0.9) < 1e-14
