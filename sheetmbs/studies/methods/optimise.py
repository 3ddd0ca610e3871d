"""Optimisation: least squares for targets and curves, else differential evolution and a local polish. All by scipy."""

from __future__ import annotations

from contextlib import suppress

import numpy as np
from scipy.optimize import NonlinearConstraint, differential_evolution, least_squares, minimize

from sheetmbs.schema import study_methods
from sheetmbs.studies.goals import excesses, is_followed, is_objective, objectives
from sheetmbs.studies.methods.bounded_search import BoundedSearch, BudgetSpent
from sheetmbs.studies.methods.method import ChosenVariants, Evaluate, Fault, Method
from sheetmbs.studies.methods.samples import latin_hypercube
from sheetmbs.studies.study_book import Floats, StudyBook

PER_VARIABLE = 4
"""variants for each variable and one more, below which no optimisation is worth its name"""
STARTS = 3
"""points from which least squares set out"""
FOR_POLISH = 0.3
"""share of the budget that is kept for the polish"""
FAILED_POINT_PENALTY = 1e6
"""of a point that failed, times what is usual"""
TIGHT = 1e-12


def _run(study: StudyBook, evaluate: Evaluate) -> ChosenVariants:
    goals = [response for response in study.responses if is_objective(response)]
    is_least_squares = all(map(is_followed, goals)) and not any(response.is_limit for response in study.responses)
    search = BoundedSearch(study, evaluate, study.budget)
    try:
        (_least_squares if is_least_squares else _evolve_and_polish)(search)
    except BudgetSpent:
        return ChosenVariants(is_spent=True)
    return ChosenVariants()


def _least_squares(search: BoundedSearch) -> None:
    """From the workbook as it is and from the best of some samples, each by a trust region within the bounds."""
    study, dimension = search.study, len(search.study.variables)
    search.of(search.as_it_is[None, :])
    count = max(PER_VARIABLE * dimension, study.budget // 8)
    search.of(latin_hypercube(min(count, study.budget // 2), dimension, study.seed))
    usual = float(np.max(np.sqrt([value for value in search.values if np.isfinite(value)]), initial=1.0))

    def residuals(point: Floats) -> Floats:
        found = search.of(point[None, :])
        return np.asarray(
            found.residuals[0] if found.done[0] else np.full(found.residuals.shape[1], FAILED_POINT_PENALTY * usual)
        )

    def jacobian(point: Floats) -> Floats:
        return search.slopes(point, "residuals")[1]

    for start in search.best(STARTS):
        least_squares(
            *(residuals, np.clip(start, TIGHT, 1.0 - TIGHT), jacobian),
            bounds=(0.0, 1.0), xtol=TIGHT, ftol=TIGHT, gtol=TIGHT, max_nfev=study.budget,
        )  # fmt: skip


def _evolve_and_polish(search: BoundedSearch) -> None:
    """Differential evolution (Storn and Price 1997) over the whole range, then sequential quadratic programming."""
    study, dimension, whole = search.study, len(search.study.variables), search.budget
    search.budget = int((1.0 - FOR_POLISH) * whole)
    population = int(np.clip(search.budget // 12, 8, 10 * dimension + 8))
    start = latin_hypercube(population, dimension, study.seed)
    start[0] = search.as_it_is

    def merit(points: Floats) -> Floats:
        found = search.of(points.T)
        total = objectives(study.responses, found.responses).sum(axis=1)
        return np.asarray(np.where(found.done, total, np.inf))

    def broken(points: Floats) -> Floats:
        found = search.of(np.atleast_2d(points.T))
        each = np.where(found.done[:, None], excesses(study, found.responses), FAILED_POINT_PENALTY)
        return np.asarray(each.T if points.ndim == 2 else each[0])

    has_limits = any(response.is_limit for response in study.responses)
    with suppress(BudgetSpent):
        differential_evolution(
            merit,
            [(0.0, 1.0)] * dimension,
            init=start,
            maxiter=study.budget,
            rng=np.random.default_rng(study.seed),
            polish=False,
            updating="deferred",
            vectorized=True,
            tol=1e-6,
            constraints=(NonlinearConstraint(broken, -np.inf, 0.0),) if has_limits else (),
        )
    search.budget = whole
    for start in search.best():
        _polish(search, start)


def _polish(search: BoundedSearch, start: Floats) -> None:
    """Sequential quadratic programming with slopes by differences, all in parts of what they are at the start."""
    study = search.study
    at_start = search.of(start[None, :])
    size = max(abs(float(objectives(study.responses, at_start.responses).sum())), 1e-300)
    sizes = np.maximum(np.abs([each.value or 1.0 for each in study.responses if each.is_limit]), 1e-300)

    def merit(point: Floats) -> tuple[float, Floats]:
        values, slopes = search.slopes(point, "responses")
        if np.isnan(values).any():
            return FAILED_POINT_PENALTY, np.zeros(len(point))
        step = 1e-7
        ahead = objectives(study.responses, (values + step * slopes.T)).sum(axis=1)
        behind = objectives(study.responses, (values - step * slopes.T)).sum(axis=1)
        total = float(objectives(study.responses, values[None, :]).sum())
        return total / size, (ahead - behind) / (2.0 * step * size)

    def kept(point: Floats) -> Floats:
        values, _slopes = search.slopes(point, "responses")
        return np.asarray(-np.nan_to_num(excesses(study, values[None, :])[0], nan=FAILED_POINT_PENALTY) / sizes)

    def kept_slopes(point: Floats) -> Floats:
        values, slopes = search.slopes(point, "responses")
        signs = np.array([1.0 if each.goal == "at most" else -1.0 for each in study.responses if each.is_limit])
        places = [place for place, each in enumerate(study.responses) if each.is_limit]
        return (
            -(signs[:, None] * slopes[places]) / sizes[:, None] if not np.isnan(values).any() else 0.0 * slopes[places]
        )

    limits = {"type": "ineq", "fun": kept, "jac": kept_slopes}
    minimize(
        merit, start, jac=True, bounds=[(0.0, 1.0)] * len(start), method="SLSQP",
        constraints=[limits] if len(sizes) else [], options={"ftol": TIGHT, "maxiter": 200},
    )  # fmt: skip


def fault_of_budget(study: StudyBook, least: int) -> Fault | None:
    """Fault of a search whose budget is below the least that it can do with."""
    if study.budget >= least:
        return None
    count = len(study.variables)
    rule = f"with {count} variable{'s' * (count > 1)} this method needs at least {least} variants"
    return f"budget: {study.budget}", rule, f"set budget to about {10 * least}"


def _fault(study: StudyBook) -> Fault | None:
    if not any(map(is_objective, study.responses)):
        rule, mend = "an optimisation needs a goal: minimise, maximise or target", "write a goal on the sheet Responses"
        return "no goal", rule, mend
    return fault_of_budget(study, PER_VARIABLE * (len(study.variables) + 1))


OPTIMISE = Method(study_methods.OPTIMISE, _run, lambda study: study.budget, fault=_fault)
