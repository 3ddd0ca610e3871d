"""Made-up studies of every method: a tie rod whose responses are formulas, so that every answer is known."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from sheetmbs.studies.study_book import ListedVariant, StudyBook, StudyResponse, StudyVariable
from sheetmbs.studies.study_results import KeptCurve, StudyResults, TargetCurve, VariantRows

OUTER = (("Hardpoints", "D13"), ("Hardpoints", "D33"))
VARIABLES = (
    StudyVariable("inner tie rod z", (("Hardpoints", "D12"),), (150.0,), 140.0, 160.0, unit="mm"),
    StudyVariable(
        "outer tie rod z", (("Hardpoints", "D13"), ("Hardpoints", "D33")), (152.0,), -8.0, 8.0, how="offset", unit="mm"
    ),
    StudyVariable("front spring", (("Dimensions", "B9"),), (65.0,), -20.0, 20.0, how="percent", unit="N/mm"),
)
RESPONSES = (
    StudyResponse("toe error", "toe", "bump", "minimise", None, "target toe", unit="deg"),
    StudyResponse("ride rate", "ride", goal="at most", value=72.0, unit="N/mm"),
    StudyResponse("camber gain", "camber", unit="deg/m"),
)
LOW, HIGH = np.array([140.0, 144.0, 52.0]), np.array([160.0, 160.0, 78.0])
BASE = np.array([150.0, 152.0, 65.0])
TRAVEL = np.linspace(-60.0, 60.0, 41)


def toe_curve(x):
    """Toe over travel of a variant, deg."""
    slope = 0.05 * (x[0] - 153.2) + 0.03 * (x[1] - 150.0)
    return 0.02 * slope * TRAVEL + 0.00001 * TRAVEL**2 * (1.0 + 0.1 * (x[0] - 150.0))


def responses_of(values):
    """Of each row of values: off the target curve, ride rate, camber gain."""
    target = 0.00001 * TRAVEL**2
    error = [np.sqrt(np.mean((toe_curve(x) - target) ** 2)) for x in values]
    ride = 0.9 * values[:, 2] + 0.002 * (values[:, 0] - 150.0) ** 2 + 4.0
    camber = -20.0 + 0.4 * (values[:, 1] - 152.0) + 0.05 * (values[:, 0] - 150.0) * (values[:, 1] - 152.0)
    return np.column_stack([error, ride, camber])


def run_study_book(method, values, *, failing=(), book=None, curves=6, **more):
    """What a study finds of variants. values: (n, variables) without the workbook as it is. failing: numbers that fail."""
    book = book or StudyBook(method, ("bump",), VARIABLES, RESPONSES)
    rows = np.vstack([BASE, values])
    responses = responses_of(rows)
    done = ~np.isin(np.arange(len(rows)), failing)
    responses[~done] = np.nan
    limit = next((each for each in book.responses if each.is_limit), None)
    feasible = done if limit is None else done & (responses[:, 1] <= limit.value)
    objective = (
        responses[:, 0] if any(each.goal == "minimise" for each in book.responses) else np.full(len(rows), np.nan)
    )
    best = None
    if np.isfinite(np.where(feasible, objective, np.nan)).any():
        best = int(np.nanargmin(np.where(feasible, objective, np.nan)))
    shown = [n for n in dict.fromkeys((0, best or 0, *range(1, curves))) if n < len(rows) and done[n]]
    kept = tuple(
        KeptCurve(n, "toe error", "bump", "wheel_z", "mm", "FL.toe", "deg", TRAVEL, toe_curve(rows[n])) for n in shown
    )
    message = "Joints!B7: the loop cannot be closed: inner ball joint and rack are 12.4 mm apart"
    variants = VariantRows(rows, responses, done, {int(n): message for n in failing})
    target = TargetCurve("toe error", TRAVEL[::5], 0.00001 * TRAVEL[::5] ** 2)
    found = StudyResults(book, variants, feasible, objective, best, kept, (target,))
    return replace(found, **more)


def one_at_a_time():
    values = np.tile(BASE, (6, 1))
    for k in range(3):
        values[2 * k, k], values[2 * k + 1, k] = LOW[k], HIGH[k]
    return run_study_book("one-at-a-time", values)


def latin(count=64, failing=(5, 9)):
    from scipy.stats.qmc import LatinHypercube

    values = LOW + (HIGH - LOW) * LatinHypercube(3, seed=0).random(count)
    return run_study_book("latin-hypercube", values, failing=failing, curves=20)


def grid():
    book = StudyBook("grid", ("",), VARIABLES[:1], RESPONSES[:1])
    found = run_study_book(
        "grid", np.column_stack([np.linspace(140.0, 160.0, 9), np.full(9, 152.0), np.full(9, 65.0)]), book=None
    )
    variants = replace(found.variants, values=found.variants.values[:, :1], responses=found.variants.responses[:, :1])
    return replace(found, study=book, variants=variants)


def listed():
    values = np.array([[153.0, 150.0, 65.0], [150.0, 152.0, 75.0]])
    rows = tuple(ListedVariant(name, row) for name, row in zip(("low rack", "stiff spring"), values, strict=True))
    responses = tuple(replace(each, goal="", value=None, curve="") for each in RESPONSES)
    book = StudyBook("list", ("bump",), VARIABLES, responses, rows)
    found = run_study_book("list", values, book=book, best=None)
    return replace(found, variants=replace(found.variants, names={1: "low rack", 2: "stiff spring"}), targets=())


def tolerance(count=500):
    values = np.random.default_rng(3).normal(BASE, [0.5, 0.5, 2.0], (count, 3))
    responses = (replace(RESPONSES[0], goal="at most", value=0.12, curve=""), *RESPONSES[1:])
    book = StudyBook("tolerance", ("bump",), VARIABLES, responses, samples=count)
    found = run_study_book("tolerance", values, failing=(7,), book=book, targets=(), best=None)
    feasible = found.variants.done & (found.variants.responses[:, 0] <= 0.12) & (found.variants.responses[:, 1] <= 72.0)
    return replace(found, feasible=feasible, objective=np.full(count + 1, np.nan))


def sensitivity(count=64):
    sobol = pytest.importorskip("SALib.sample.sobol", reason="SALib is not installed (extra study)")
    from sheetmbs.studies.methods.global_sensitivity import sobol_indices

    problem = {"num_vars": 3, "names": ["a", "b", "c"], "bounds": list(zip(LOW, HIGH, strict=True))}
    values = sobol.sample(problem, count, calc_second_order=True, seed=1)
    found = run_study_book("sensitivity", values, failing=(12,))
    columns = found.variants.responses[1:].T
    return replace(found, indices=tuple(sobol_indices(r.name, c, 3) for r, c in zip(RESPONSES, columns, strict=True)))


def optimised(count=120):
    rng = np.random.default_rng(5)
    share = np.linspace(1.0, 0.0, count)[:, np.newaxis] ** 2
    values = np.clip(np.array([154.0, 149.0, 52.0]) + share * rng.normal(0.0, 6.0, (count, 3)), LOW, HIGH)
    return run_study_book("optimise", values, failing=(3, 4), curves=12)


def pareto(count=200):
    responses = (RESPONSES[0], replace(RESPONSES[1], goal="minimise", value=None), RESPONSES[2])
    book = StudyBook("pareto", ("bump",), VARIABLES, responses)
    values = np.random.default_rng(6).uniform(LOW, HIGH, (count, 3))
    found = run_study_book("pareto", values, book=book)
    a, b = found.variants.responses[:, 0], found.variants.responses[:, 1]
    is_beaten = ((a[:, None] > a) & (b[:, None] >= b) | (a[:, None] >= a) & (b[:, None] > b)).any(axis=1)
    return replace(found, front=tuple(int(n) for n in np.flatnonzero(~is_beaten)), best=None)


ALL = {
    "one-at-a-time": one_at_a_time,
    "grid": grid,
    "list": listed,
    "latin-hypercube": latin,
    "tolerance": tolerance,
    "sensitivity": sensitivity,
    "optimise": optimised,
    "pareto": pareto,
}
