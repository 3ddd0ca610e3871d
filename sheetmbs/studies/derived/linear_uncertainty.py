"""Standard deviations of responses, carried linearly from those of variables: sd = sqrt(g S g')."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from sheetmbs.problems.errors import WorkbookError
from sheetmbs.studies.fitting.fit_space import Floats
from sheetmbs.studies.fitting.found_uncertainty import CurveBand, FoundUncertainty
from sheetmbs.studies.methods.method import Evaluate
from sheetmbs.studies.solving.variant_solver import VariantSolver
from sheetmbs.studies.study_book import StudyBook, StudyVariable

STEP = 0.05
"""in standard deviations: its error and that of half of it are judged together"""
NOT_LINEAR = 0.2
"""curvature above which a response is to be sampled"""
OF_CURVATURE, ROUNDING = 1e-6, 1e-11
"""of the second derivative by one sd, and of a response itself, below which a derivative is rounding"""


def variable_sd(variable: StudyVariable) -> float:
    """Standard deviation of a variable by its distribution."""
    low, high = variable.bounds
    if variable.distribution == "normal":
        return variable.prior_sd or 0.0
    if variable.distribution == "triangular":
        peak = variable.as_it_is[0]
        return float(np.sqrt((low**2 + high**2 + peak**2 - low * high - low * peak - high * peak) / 18.0))
    return float((high - low) / np.sqrt(12.0))


def linear_uncertainty(solver: VariantSolver, evaluate: Evaluate) -> FoundUncertainty:
    """Carry the sd of all variables to all responses, and along the curves of these."""
    study = solver.study
    sds = np.array([variable_sd(each) for each in study.variables])
    steps = np.vstack([sign * size * np.diag(sds) for size in (STEP, STEP / 2.0) for sign in (1.0, -1.0)])
    found = evaluate(np.vstack([study.as_it_is, study.as_it_is + steps])).responses
    here, around = found[0], found[1:].reshape(2, 2, len(sds), -1)
    whole, half = ((side[0] - side[1]) / (2.0 * size) for side, size in zip(around, (STEP, STEP / 2.0), strict=True))
    second = np.abs(around[0, 0] + around[0, 1] - 2.0 * here) / STEP**2
    slopes = (4.0 * half - whole) / 3.0  # (p, R) for one sd of each variable
    is_rounding = (np.abs(slopes) <= OF_CURVATURE * second) | (np.abs(slopes) <= ROUNDING * np.abs(here) / STEP)
    slopes = np.where(is_rounding, 0.0, slopes)
    variance = (slopes**2).sum(axis=0)
    with np.errstate(invalid="ignore", divide="ignore"):
        shares = np.where(variance > 0.0, slopes**2 / variance, np.nan).T
    curvature = _curvatures(study, sds, slopes, evaluate)
    notes = [_note(*each) for each in zip(here, variance, curvature, strict=True)]
    shown = np.where(np.isfinite(curvature), curvature, np.nan)
    return FoundUncertainty(here, np.sqrt(variance), shares, shown, notes, tuple(_bands(solver, sds)))


def _note(value: float, variance: float, curvature: float) -> str:
    if not np.isfinite(value) or not np.isfinite(variance):
        return "no standard deviation: it has no value in the workbook as it is, or beside it"
    return "not linear: sample it" if curvature > NOT_LINEAR else ""


def _curvatures(study: StudyBook, sds: Floats, slopes: Floats, evaluate: Evaluate) -> Floats:
    """(R,) |h(+) + h(-) - 2 h|/|h(+) - h(-)| along the steepest direction of each; without one, the largest of any variable."""
    lengths = np.linalg.norm(np.nan_to_num(slopes), axis=0)
    steepest = [number for number, length in enumerate(lengths) if length > 0.0]
    along = [*(np.nan_to_num(slopes[:, number]) / lengths[number] for number in steepest), *np.eye(len(sds))]
    points = [study.as_it_is + sign * direction * sds for direction in along for sign in (1.0, -1.0)]
    found = evaluate(np.vstack([study.as_it_is, *points])).responses
    sides = found[1:].reshape(len(along), 2, -1)
    with np.errstate(invalid="ignore", divide="ignore"):
        every = np.abs(sides.sum(axis=1) - 2.0 * found[0]) / np.abs(sides[:, 0] - sides[:, 1])
    every = np.where(np.abs(sides.sum(axis=1) - 2.0 * found[0]) <= ROUNDING * np.abs(found[0]), 0.0, every)
    largest = np.max(np.nan_to_num(every[len(steepest) :], nan=0.0, posinf=np.inf), axis=0, initial=0.0)
    return np.array(
        [
            every[steepest.index(number), number] if number in steepest else largest[number]
            for number in range(len(lengths))
        ]
    )


def _bands(solver: VariantSolver, sds: Floats) -> Iterator[CurveBand]:
    """Along every curve of the workbook as it is the standard deviation at the same x."""
    start, step = solver.study.as_it_is, STEP / 2.0
    try:
        middle = solver.curves(0, start)
        sides = [
            (solver.curves(0, start + step * along), solver.curves(0, start - step * along)) for along in np.diag(sds)
        ]
    except WorkbookError:  # the rows of these variants say why
        return
    for place, curve in enumerate(middle):
        variance = np.zeros(len(curve.y))
        for ahead, behind in sides:
            first, last = ahead[place], behind[place]
            if len(first.y) != len(curve.y) or len(last.y) != len(curve.y):
                break
            change = (first.y - last.y) / (2.0 * step)
            if not np.array_equal(first.x, last.x):
                change = change - np.gradient(curve.y, curve.x) * (first.x - last.x) / (2.0 * step)
            variance += change**2
        else:
            yield CurveBand(curve.response, np.sqrt(variance))
