"""The example studies: each against a reference that was found without the study, or without sheetmbs."""

from __future__ import annotations

import shutil
from functools import cache
from math import radians
from pathlib import Path

import numpy as np
import openpyxl
import pytest
from scipy.optimize import least_squares
from scipy.stats import norm

import sheetmbs
from sheetmbs.design_study import run_study
from sheetmbs.suspension.run_suspension import run_suspension
from sheetmbs.suspension.variants import VariantStudy

FOLDER = Path(__file__).parents[2] / "workbooks"


def study(tmp_path, name, **settings):
    """What the study of a copy of a workbook found, some of its settings replaced."""
    path = tmp_path / f"{name}.xlsx"
    shutil.copy(FOLDER / path.name, path)
    if settings:
        book = openpyxl.load_workbook(path)
        places = {row[0].value: row[1] for row in book["Study"].iter_rows(min_row=2) if row[0].value}
        for setting, value in settings.items():
            places[setting].value = value
        book.save(path)
    return run_study(path, workers=1)


# --- bump steer ------------------------------------------------------------------------------------------------------

WANTED = (0.1, -3.0e-3)
"""deg, and deg per mm of travel"""


@cache
def axle():
    """The axle with variable tie rod joints, lowered once."""
    design = run_suspension(FOLDER / "bump-steer-study.xlsx").base
    plan = design.plans["heave"]
    names = ["tie rod inner.z", "tie rod inner.y"]
    return VariantStudy(design, next(iter(design.systems)), names, plan.travel, plan.rack)


def errors(shifts):
    """How far each of many axles is off the toe that is wanted, deg. shifts: (n, 2) of height and side, mm."""
    known = axle()
    found = known.metrics(known.as_drawn + 1e-3 * np.asarray(shifts))
    travel = found.of("FL.wheel_z")
    off = found.of("FL.toe") - WANTED[0] - WANTED[1] * travel
    # the mean square of what is straight between rows
    squares = (off[:, :-1] ** 2 + off[:, :-1] * off[:, 1:] + off[:, 1:] ** 2) / 3.0 * np.diff(travel, axis=1)
    return np.sqrt(squares.sum(axis=1) / (travel[:, -1] - travel[:, 0]))


def test_bump_steer_optimum_is_within_a_percent_of_the_best_of_a_dense_grid(tmp_path):
    found = study(tmp_path, "bump-steer-study").found
    best = found.variants.values[found.best] - found.variants.values[0]
    coarse = np.array([(z, y) for z in np.linspace(-25.0, 25.0, 41) for y in np.linspace(-40.0, 40.0, 41)])
    centre = coarse[np.argmin(errors(coarse))]
    fine = np.array([(z, y) for z in np.linspace(-1.25, 1.25, 41) for y in np.linspace(-2.0, 2.0, 41)]) + centre
    least = errors(fine).min()
    assert errors([best])[0] <= 1.01 * least
    assert found.variants.responses[found.best, 0] == pytest.approx(errors([best])[0], rel=1e-3)
    assert least < 0.1 * errors([(0.0, 0.0)])[0]


# --- synthesis of a mechanism ------------------------------------------------------------------------------------------

POINTS = np.array([(3.0, 3.0), (2.759, 3.363), (2.372, 3.663), (1.890, 3.862), (1.355, 3.943)])
ANGLES = np.array([radians(angle) for angle in (30, 45, 60, 75, 90)])


def misses(lengths):
    """(10,) how far the coupler point is off the five points, by the law of cosines; 3 mm where the linkage locks."""
    ground, crank, coupler, rocker, along, above = lengths
    pin = crank * np.column_stack([np.cos(ANGLES), np.sin(ANGLES)])
    across = np.array([ground, 0.0]) - pin
    diagonal = np.hypot(*across.T)
    cosine = (coupler**2 + diagonal**2 - rocker**2) / (2.0 * coupler * diagonal)
    if np.abs(cosine).max() > 1.0:
        return np.full(10, 3.0)
    tilt = np.arctan2(across[:, 1], across[:, 0]) + np.arccos(cosine)
    x = pin[:, 0] + along * np.cos(tilt) - above * np.sin(tilt)
    y = pin[:, 1] + along * np.sin(tilt) + above * np.cos(tilt)
    return (np.column_stack([x, y]) - POINTS).ravel()


# ground, crank, coupler, rocker, along, above; as S. Nguyen-Van et al., Symmetry 14 (2022) 381, case 2, compare them
PUBLISHED = {
    "Kunjur and Krishnamurty 1997": (3.509643, 1.857606, 4.725835, 3.518721, 1.959538, 1.558898),
    "Cabrera, Simon and Prado 2002": (3.0630424, 1.9959624, 3.305823, 2.524706, 1.645158, 1.708959),
    "Cabrera et al. 2011": (3.77326856, 2.00000403, 4.11697104, 2.74615671, 1.67848787, 1.67098007),
    "Nguyen-Van et al. 2022": (4.2930812, 1.9978324, 4.7374099, 2.9417301, 1.7074051, 1.6441696),
}
THEIRS = 1.9239227e-06
"""mm^2, of the last one, as its authors give it"""


def best_linkage():
    """The least sum of squares from many first guesses, and its lengths."""
    rng = np.random.default_rng(0)
    found = []
    for _ in range(60):
        guess = np.r_[rng.uniform(0.5, 10.0, 4), rng.uniform(-10.0, 10.0, 2)]
        if np.any(misses(guess) != 3.0):
            found.append(least_squares(misses, guess, bounds=([0.5] * 4 + [-10.0] * 2, [10.0] * 6)))
    best = min(found, key=lambda each: each.cost)
    return 2.0 * best.cost, best.x


def test_synthesis_finds_the_linkage_that_the_closed_form_finds(tmp_path):
    found = study(tmp_path, "mechanism-synthesis").found
    lengths = found.variants.values[found.best]
    least, reference = best_linkage()
    assert least < 1e-6  # the points are given to three decimals
    assert np.sum(misses(lengths) ** 2) < 1.05 * least
    assert lengths == pytest.approx(reference, rel=2e-3)
    assert np.sum(misses(lengths) ** 2) < 0.6 * min(np.sum(misses(each) ** 2) for each in PUBLISHED.values())


def test_published_linkage_misses_the_points_by_what_its_authors_say(tmp_path):
    path = shutil.copy(FOLDER / "mechanism-synthesis.xlsx", tmp_path)
    book = openpyxl.load_workbook(path)
    for row, length in enumerate(PUBLISHED["Nguyen-Van et al. 2022"], start=2):
        book["Dimensions"].cell(row, 2).value = length
    book.save(path)
    points = sheetmbs.run(sheetmbs.read(path)).points
    off = points[["P.x", "P.y"]].to_numpy() - POINTS
    assert np.sum(off**2) == pytest.approx(THEIRS, rel=1e-4)


# --- tolerances ------------------------------------------------------------------------------------------------------


def stroke(radius, rod, offset):
    """mm"""
    return np.sqrt((rod + radius) ** 2 - offset**2) - np.sqrt((rod - radius) ** 2 - offset**2)


def test_stroke_of_every_machine_is_that_of_the_closed_form(tmp_path):
    found = study(tmp_path, "slider-crank-tolerance", samples=200).found
    values, responses = found.variants.values, found.variants.responses
    assert len(values) == 201
    assert found.variants.done.all()
    exact = stroke(*values.T)
    # rows are 0.9 degrees apart, so that the dead centres lie at most 0.45 degrees beside one
    most = 2.0 * 80.0 * (1.0 + 80.0 / (250.0 - 80.0)) * 0.5 * radians(0.45) ** 2
    assert (responses[:, 0] <= exact + 1e-9).all()
    assert (exact - responses[:, 0]).max() < most
    scatter = values[1:].std(axis=0, ddof=1)
    assert scatter == pytest.approx([0.05, 0.08, 0.25], rel=0.2)
    # first order: the slopes of the stroke times the deviations of the parts
    steps = np.eye(3) * 1e-4
    slopes = [(stroke(80.0 + a, 250.0 + b, 20.0 + c) - stroke(80.0, 250.0, 20.0)) / 1e-4 for a, b, c in steps]
    deviation = np.sqrt(np.sum((np.array(slopes) * [0.05, 0.08, 0.25]) ** 2))
    assert responses[1:, 0].std(ddof=1) == pytest.approx(deviation, rel=0.15)
    expected = norm.cdf(0.25 / deviation) - norm.cdf(-0.25 / deviation)
    assert found.feasible[1:].mean() == pytest.approx(expected, abs=0.05)
