"""What `mbs Study Summary` tells of one method alone: indices, tolerances, the course of an optimisation, a front."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from sheetmbs.studies.sheets.study_statistics import StudyAnalysis
from sheetmbs.studies.sheets.summary_blocks import Row, shown
from sheetmbs.studies.statistics.sample_percentiles import PERCENTILES, sample_percentiles
from sheetmbs.studies.statistics.share_interval import share_of
from sheetmbs.workbook.sheets.list_pages import Listed

MOST_STEPS, MOST_ON_FRONT = 40, 100


def method_blocks(told: StudyAnalysis) -> Iterator[Listed]:
    """All of them, of which most studies have one."""
    yield from _indices(told)
    if told.study.traits.is_production:
        yield from _limits(told)
        yield from _percentiles(told)
    if told.study.traits.is_search and not told.study.traits.is_multi_objective:
        yield from _history(told)
    yield from _front(told)


def _indices(told: StudyAnalysis) -> Iterator[Listed]:
    rows: list[Row] = []
    for found in told.results.indices:
        columns = found.first, found.first_band, found.total, found.total_band
        rows += [
            (found.response, name, *(shown(column[k]) for column in columns), found.blocks, found.left_out)
            for k, name in enumerate(told.names)
        ]
    if rows:
        heads = ("response", "variable", "first order", "±", "total", "±", "blocks used", "left out")
        yield Listed("Sobol indices with 95 % intervals: shares of the variance of a response", heads, tuple(rows))


def _limits(told: StudyAnalysis) -> Iterator[Listed]:
    rows: list[Row] = []
    for place, response in enumerate(told.study.responses):
        if not response.is_limit:
            continue
        column = told.responses[1:, place]
        held = told.holds(response, column[np.isfinite(column)])
        rows.append(
            _share_row(response.name, f"{response.goal} {response.value:g}", response.unit, int(held.sum()), len(held))
        )
    if rows:
        done = int(told.results.variants.done[1:].sum())
        rows.append(_share_row("all limits", "", "", int(told.results.feasible[1:].sum()), done))
        heads = ("response", "limit", "unit", "within", "of", "share, %", "from, %", "to, %")
        yield Listed(
            "Variants within limits; from .. to is a 95 % interval (Wilson)", heads, tuple(rows), by_row=((5, 6, 7),)
        )


def _share_row(name: str, limit: str, unit: str, held: int, count: int) -> Row:
    share = share_of(held, count)
    return name, limit, unit, held, count, *(shown(100.0 * each) for each in (share.share, share.low, share.high))


def _percentiles(told: StudyAnalysis) -> Iterator[Listed]:
    rows: list[Row] = []
    needed: dict[float, int] = {}
    most = 0
    for place, response in enumerate(told.study.responses):
        column = told.responses[1:, place]
        found = sample_percentiles(column)
        most = max(most, int(np.isfinite(column).sum()))
        needed |= {each.percent: each.needed for each in found}
        rows.append((response.name, response.unit, "percentile", *(shown(each.value) for each in found)))
        rows.append(("", "", "from", *(shown(each.low) for each in found)))
        rows.append(("", "", "to", *(shown(each.high) for each in found)))
    heads = ("response", "unit", "", *(f"{percent:g} %" for percent in PERCENTILES))
    lacking = [(f"{percent:g} %", least) for percent, least in needed.items() if least > most]
    title = "Percentiles with 95 % intervals"
    if lacking:
        title += f" (blank where {most:,} variants are too few: {', '.join(f'{p} takes {n:,}' for p, n in lacking)})"
    yield Listed(title, heads, tuple(rows), by_row=(tuple(range(3, len(heads))),))


def _history(told: StudyAnalysis) -> Iterator[Listed]:
    """Variants that were better than all before them."""
    objective = np.where(told.results.feasible, told.results.objective, np.nan)
    steps, least = [], np.inf
    for number, value in enumerate(objective):
        if value < least:
            least = value
            steps.append(number)
    if not steps:
        return
    left_out = max(len(steps) - MOST_STEPS, 0)
    goals = [told.study.responses[k] for k in told.goals]
    rows = tuple(
        (f"variant {number:,}", shown(objective[number]), *(shown(told.responses[number, k]) for k in told.goals))
        for number in (steps[0], *steps[1:][-(MOST_STEPS - 1) :])
    )
    heads = ("variant", "objective", *(each.name for each in goals))
    units = ("", "", *(each.unit for each in goals))
    more = f" ({left_out:,} small steps are left out)" if left_out else ""
    yield Listed(
        f"History: each variant that was better than all before it{more}",
        heads,
        rows,
        units=units,
        own=tuple(range(1, len(heads))),
    )


def _front(told: StudyAnalysis) -> Iterator[Listed]:
    front = np.array(told.results.front, dtype=int)
    if not len(front) or not told.goals:
        return
    front = front[np.argsort(told.responses[front, told.goals[0]], kind="stable")]
    step = -(-len(front) // MOST_ON_FRONT)
    goals = [told.study.responses[k] for k in told.goals]
    rows: list[Row] = [
        (f"variant {number:,}", *told.responses[number, told.goals].tolist(), *told.values[number].tolist())
        for number in front[::step]
    ]
    heads = ("variant", *(each.name for each in goals), *told.names)
    units = ("", *(each.unit for each in goals), *(each.unit for each in told.study.variables))
    more = f", {len(front[::step]):,} of {len(front):,}" if step > 1 else ""
    yield Listed(
        f"The Pareto front: no goal can be bettered without loss in another{more}", heads, tuple(rows), units=units
    )
