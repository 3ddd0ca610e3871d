"""What goals ask for: one number to be made least, limits, and residuals of targets.

With r the responses, w their weights and T their targets, the objective is

    sum of w r (minimise) - sum of w r (maximise) + sum of w (r - T)^2 (target),

where the response of a target curve, the rms distance from it, counts as a target of 0.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from sheetmbs.problems.errors import Problem
from sheetmbs.studies.study_book import Flags, Floats, StudyBook, StudyResponse

FAR_FACTOR = 100.0
"""times all values of a response: no target or limit is meant to be so far off, but one in a wrong unit is"""
ROOM, LEAST_ROOM = 1e-9, 1e-12
"""of a limit, and at least, by which a response may be beyond it: what computing and changing units round off"""


def is_followed(response: StudyResponse) -> bool:
    """Whether a response is to be near something: a target, or a target curve that is not only watched or a limit."""
    return response.goal == "target" or (bool(response.curve) and response.goal == "minimise")


def is_objective(response: StudyResponse) -> bool:
    """Whether a response is to be made small, large or near something."""
    return response.goal in ("minimise", "maximise", "target")


def objectives(responses: Sequence[StudyResponse], values: Floats) -> Floats:
    """(n, objectives) what each goal makes least. values: (n, responses)."""
    found = [_least(response, values[:, place]) for place, response in enumerate(responses) if is_objective(response)]
    return np.column_stack(found) if found else np.zeros((len(values), 0))


def _least(response: StudyResponse, value: Floats) -> Floats:
    if is_followed(response):
        return np.asarray(response.weight * (value - (0.0 if response.curve else response.value or 0.0)) ** 2)
    return response.weight * (-value if response.goal == "maximise" else value)


def objective(study: StudyBook, values: Floats) -> Floats:
    """(n,) the weighted sum; NaN where a response has no value, and of all without goals."""
    each = objectives(study.responses, values)
    return each.sum(axis=1) if each.shape[1] else np.full(len(values), np.nan)


def excess(response: StudyResponse, limit: float, values: Floats) -> Floats:
    """(n,) by how much values of a response break its limit: above 0 they do."""
    beyond = (values - limit) * (1.0 if response.goal == "at most" else -1.0)
    is_rounding = np.abs(beyond) <= max(ROOM * abs(limit), LEAST_ROOM)
    return np.asarray(np.where(is_rounding, np.minimum(beyond, 0.0), beyond))


def excesses(study: StudyBook, values: Floats) -> Floats:
    """(n, limits) by how much each limit is broken: above 0 it is."""
    found = [
        excess(response, response.value, value)
        for response, value in zip(study.responses, values.T, strict=True)
        if response.is_limit and response.value is not None
    ]
    return np.column_stack(found) if found else np.zeros((len(values), 0))


def feasible(study: StudyBook, values: Floats, done: Flags) -> Flags:
    """(n,) whether a variant is done and keeps all limits."""
    return np.asarray(done & (excesses(study, values) <= 0.0).all(axis=1))


def within_ranges(study: StudyBook, points: Floats) -> Flags:
    """(n,) which variants may be best: the first one, the workbook as it is, may lie beyond low and high of a variable."""
    may_be = np.ones(len(points), dtype=np.bool_)
    low, high = np.array([variable.bounds for variable in study.variables]).T
    may_be[0] = bool(((low <= points[0]) & (points[0] <= high)).all())
    return may_be


def best(study: StudyBook, values: Floats, done: Flags) -> int | None:
    """Number of the feasible variant of the least objective, the first of several; None without goals or such a variant.

    None of the method pareto, which takes each goal by itself: it has a front in place of one best variant.
    """
    if study.traits.is_multi_objective:
        return None
    of_all = np.where(feasible(study, values, done), objective(study, values), np.nan)
    return None if np.isnan(of_all).all() else int(np.nanargmin(of_all))


def front(study: StudyBook, values: Floats, done: Flags) -> tuple[int, ...]:
    """Numbers of the feasible variants that none betters in all goals; () of all other methods."""
    if not study.traits.is_multi_objective:
        return ()
    goals = np.where(feasible(study, values, done)[:, None], objectives(study.responses, values), np.inf)
    return tuple(np.flatnonzero(not_dominated(goals)).tolist())


def not_dominated(goals: Floats) -> Flags:
    """(n,) of points that no other one betters in all goals (n, m), each of which is to be small."""
    order = np.lexsort(goals.T[::-1])
    kept: list[int] = []
    for place in order:
        others = goals[kept]
        is_better = (others <= goals[place]).all(axis=1) & (others < goals[place]).any(axis=1)
        if np.isfinite(goals[place]).all() and not is_better.any():
            kept.append(int(place))
    found = np.zeros(len(goals), dtype=np.bool_)
    found[kept] = True
    return found


def far_values(study: StudyBook, values: Floats, done: Flags) -> list[Problem]:
    """Warnings of targets and limits that are 100 times as large as all values of their responses, or as small.

    values: (n, responses), in the units of the responses. done: (n,) which variants did not fail.
    """
    found = []
    for number, response in enumerate(study.responses):
        sizes = np.abs(values[done, number])
        sizes = sizes[np.isfinite(sizes)]
        if not response.value or not len(sizes) or np.max(sizes) == 0.0:
            continue
        size = abs(response.value)
        if FAR_FACTOR * np.max(sizes) > size > np.min(sizes) / FAR_FACTOR:
            continue
        unit = f" {response.unit}" if response.unit else ""
        what = "the target" if response.goal == "target" else f"the limit {response.goal}"
        low, high = (float(bound(values[done, number])) for bound in (np.nanmin, np.nanmax))
        side = "smaller" if size > np.max(sizes) else "larger"
        rule = f"{response.name} is {low:.4g} to {high:.4g}{unit} in all variants: at least {FAR_FACTOR:g} times {side}"
        mend = "correct the value" + (f": it is read in {response.unit}" if response.unit else "")
        text = f"{what} {response.value:.6g}{unit}"
        found.append(
            Problem("far-from-all-values", "warning", response.value_place or response.place, text, rule, mend)
        )
    return found
