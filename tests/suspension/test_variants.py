"""Variants of hardpoints against whole runs of workbooks that have these hardpoints."""

from __future__ import annotations

import numpy as np
import pytest

from sheetmbs.suspension.kinematics.posed_variants import NoVariantsError
from sheetmbs.suspension.run_suspension import run_suspension
from sheetmbs.suspension.variants import PER_BLOCK, VariantStudy
from tests.support.hardpoint_books import hardpoint_book
from tests.suspension.test_sensitivities import CARS, HEAVE, MOVED
from tests.suspension.test_suspension_types import AXLE, PANHARD, THREE, TOP_LINK


def check_alike(got, expected, name):
    """That a metric is the same at all poses, to 1e-9 of its size."""
    known = np.isfinite(expected)
    assert np.array_equal(known, np.isfinite(got)), name
    scale = max(np.abs(expected[known]).max(initial=0.0), 0.1)
    assert np.abs(got - expected)[known].max(initial=0.0) < 1e-9 * scale, name


def solved(path, car, points=None, **others):
    """The first design of a car with other points."""
    base, settings, springs, sweeps = CARS[car]
    sheets = {"Suspension springs": springs, **others} if springs else others
    return run_suspension(hardpoint_book(path, points or base, settings, sweeps=sweeps, others=sheets)).base


def moved(car, shifts):
    """The points of a car with coordinates shifted, mm."""
    points = {name: list(at) for name, at in CARS[car][0].items()}
    for (name, axis), by in zip(MOVED[car], shifts, strict=True):
        points[name][axis] += by
    return {name: tuple(at) for name, at in points.items()}


@pytest.mark.parametrize("car", CARS)
def test_variants_have_the_metrics_of_workbooks_with_their_hardpoints(tmp_path, car):
    design = solved(tmp_path / "base.xlsx", car)
    table = design.tables["heave"]
    names = [f"{name}.{'xyz'[axis]}" for name, axis in MOVED[car]]
    plan = design.plans["heave"]
    study = VariantStudy(design, next(iter(design.systems)), names, plan.travel, plan.rack)
    shifts = np.random.default_rng(3).uniform(-4.0, 4.0, (3, len(names)))
    found = study.metrics(study.as_drawn + 1e-3 * shifts)
    for number, shift in enumerate(shifts):
        table = solved(tmp_path / f"{number}.xlsx", car, moved(car, shift)).tables["heave"]
        for name in found.names:
            check_alike(found.of(name)[number], table.values[:, table.columns.index(name)], name)


def test_both_wheels_of_a_solid_axle_move_with_its_points(tmp_path):
    def run(points):
        rows = [*TOP_LINK, *PANHARD]
        return run_suspension(
            hardpoint_book(tmp_path / "b.xlsx", points, AXLE, axle="rear", rows=rows, sweeps=HEAVE)
        ).base

    base = run(THREE)
    travel = base.plans["heave"].travel
    study = VariantStudy(base, "rear", ["link 1 outer.z", "panhard outer.z"], travel)
    found = study.metrics(study.as_drawn + np.array([[0.0, 0.0], [3e-3, 0.0]]))
    x, y, z = THREE["link 1 outer"]
    table = run({**THREE, "link 1 outer": (x, y, z + 3.0)}).tables["heave"]
    for name in found.names:
        check_alike(found.of(name)[1], table.values[:, table.columns.index(name)], name)
    assert not np.allclose(found.of("RR.wheel_dx_dz")[0], found.of("RR.wheel_dx_dz")[1], atol=1e-6)


def test_a_variant_that_does_not_close_leaves_the_others_as_they_are(tmp_path):
    design = solved(tmp_path / "b.xlsx", "steered")
    travel = np.linspace(-0.02, 0.02, 5)
    study = VariantStudy(design, "front", ["tie rod outer.y"], travel, metrics=["FL.toe", "FL.camber"])
    drawn = study.as_drawn
    alone = study.metrics(drawn[None]).values[0]
    far = travel + 0.4  # more travel than the arms allow
    stopped = VariantStudy(design, "front", ["tie rod outer.y"], far, metrics=["FL.toe", "FL.camber"])
    assert not stopped.metrics(drawn[None]).reached[:, -1].any()
    many = study.metrics(
        np.repeat(drawn[None], PER_BLOCK + 3, axis=0) + np.r_[0.0, 2e-3, np.zeros(PER_BLOCK + 1)][:, None]
    )
    assert many.values.shape == (PER_BLOCK + 3, 5, 2)
    assert np.array_equal(many.values[0], alone)
    assert np.array_equal(many.values[-1], alone)
    assert np.abs(many.values[1] - alone).max() > 1e-3
    assert many.reached.all()


def test_what_hardpoints_alone_do_not_tell_is_refused_in_words(tmp_path):
    plain = solved(tmp_path / "a.xlsx", "steered")
    with pytest.raises(ValueError, match=r"lower ball.z is no coordinate of a point of the front axle, such as"):
        VariantStudy(plain, "front", ["lower ball.z"], np.zeros(1))
    with pytest.raises(ValueError, match="values of 1 coordinates"):
        VariantStudy(plain, "front", ["tie rod outer.z"], np.zeros(1)).metrics(np.zeros((2, 3)))
    longer = [("axle", "item", "change"), ("front", "tie rod length", "2 mm")]
    adjusted = solved(tmp_path / "b.xlsx", "steered", Adjustments=longer)
    with pytest.raises(NoVariantsError, match="adjustments or the workbook's own rows"):
        VariantStudy(adjusted, "front", ["tie rod outer.z"], np.zeros(1))
    own = [("name", "type", "length"), ("FL tie rod", "distance", "0.4 m")]
    replaced = solved(tmp_path / "c.xlsx", "push-rod", Joints=own)
    with pytest.raises(NoVariantsError, match="adjustments or the workbook's own rows"):
        VariantStudy(replaced, "front", ["tie rod outer.z"], np.zeros(1))


def test_a_variant_does_not_depend_on_those_before_it(tmp_path):
    design = solved(tmp_path / "b.xlsx", "push-rod")
    names = [f"{name}.{axis}" for name in ("lower arm front", "rocker axis", "tie rod outer") for axis in "xyz"]
    study = VariantStudy(design, "front", names, np.linspace(-0.02, 0.02, 5))
    alone = study.metrics(study.as_drawn[None]).values[0]
    shifts = np.random.default_rng(5).uniform(-4e-3, 4e-3, (PER_BLOCK + 2, len(names)))
    shifts[-1] = 0.0  # in another block than most of them
    assert np.array_equal(study.metrics(study.as_drawn + shifts).values[-1], alone, equal_nan=True)
    assert np.array_equal(study.metrics(study.as_drawn[None]).values[0], alone, equal_nan=True)
