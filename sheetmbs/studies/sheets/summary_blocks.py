"""The blocks of `mbs Study Summary`: the best variant, responses, effects and failures, and those of one method alone."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from sheetmbs.studies.sheets.study_statistics import StudyAnalysis
from sheetmbs.studies.sheets.study_words import counted
from sheetmbs.studies.statistics.sample_statistics import PERCENTILES, sample_percentiles, share_of, spread
from sheetmbs.workbook.sheets.list_pages import Listed
from sheetmbs.workbook.sheets.page_contents import SummaryValue

Row = tuple[SummaryValue, ...]
MOST_REASONS = 10
MOST_LISTED = 12
"""variants of a list that stand side by side"""


def shown(value: float) -> float | None:
    """A number for a cell, none where it is not known."""
    return float(value) if np.isfinite(value) else None


def responses_block(told: StudyAnalysis) -> Listed:
    """Per response how it is now, in the best variant, and how far it goes."""
    best = told.improved
    heads = ["response", "unit", "goal", "as it is", *(["best"] if best else [])]
    heads += ["smallest", "in variant", "largest", "in variant", "mean", "deviation", "done"]
    rows: list[Row] = []
    for place, response in enumerate(told.study.responses):
        column = told.responses[:, place]
        found = spread(column[1:] if told.count else column)
        shift = 1 if told.count else 0
        best_value = [shown(column[best])] if best else []
        ends = [
            *(shown(found.smallest), found.at_smallest + shift if found.known else None),
            *(shown(found.largest), found.at_largest + shift if found.known else None),
        ]
        goal = _goal_words(response.goal, response.value, bool(response.curve))
        means = shown(found.mean), shown(found.deviation), found.known
        rows.append((response.name, response.unit, goal, shown(column[0]), *best_value, *ends, *means))
    own = ("as it is", "best", "smallest", "largest", "mean", "deviation")
    numbers = tuple(k for k, head in enumerate(heads) if head in own)
    return Listed("Responses", tuple(heads), tuple(rows), by_row=(numbers,))


def _goal_words(goal: str, value: float | None, has_curve: bool) -> str:  # noqa: FBT001 - private
    if has_curve:
        return f"{goal or 'watched'}: off its curve"
    return goal if value is None else f"{goal} {value:g}"


def best_block(told: StudyAnalysis) -> Iterator[Listed]:
    """How far the best variant moves each variable, and which stand at an end of their range."""
    best = told.improved
    if best is None:
        return
    rows: list[Row] = []
    for place, variable in enumerate(told.study.variables):
        base, value = told.values[0, place], told.values[best, place]
        low, high = told.ends(place)
        end = told.end_of(place, best)
        note = f"at its {end} end" if end else ""
        rows.append((variable.name, variable.unit, _cells(variable.cells), base, value, value - base, low, high, note))
    heads = ("variable", "unit", "cell", "as it is", "best", "change", "low", "high", "")
    title = f"The best variant: {told.name_of(best).removeprefix('variant ')}"
    yield Listed(title, heads, tuple(rows), by_row=((3, 4, 5, 6, 7),))


def _cells(cells: tuple[tuple[str, str], ...]) -> str:
    return "; ".join(f"{sheet}!{address}" for sheet, address in cells)


def effects_block(told: StudyAnalysis) -> Iterator[Listed]:
    """How much each response changes while a variable goes through its range."""
    effects = told.study.traits.effects
    if effects == "single changes":
        yield _measured(told)
    elif effects == "regression":
        yield from _regressed(told)


def _measured(told: StudyAnalysis) -> Listed:
    """At both ends, by variable and response."""
    rows: list[Row] = []
    for place in told.by_importance:
        response = told.study.responses[place]
        for k, variable in enumerate(told.study.variables):
            changes = told.changes(k)
            known = changes.known(place)
            ends = [shown(each) for column in known for each in (column[[0, -1]] if len(column) else (np.nan, np.nan))]
            found = shown(changes.effect(place)), shown(changes.span(place))
            note = "rises and falls in between" if changes.turns(place) else ""
            rows.append(
                (response.name, variable.name, variable.unit, *ends[:2], response.unit, *ends[2:], *found, note)
            )
    heads = ("response", "variable", "unit", "from", "to", "unit", "at from", "at to", "effect", "span", "")
    return Listed("Effect of each variable by itself, measured", heads, tuple(rows), by_row=((3, 4), (6, 7, 8, 9)))


def _regressed(told: StudyAnalysis) -> Iterator[Listed]:
    """By straight lines through all variants."""
    known = [(place, told.regressions[place]) for place in told.by_importance]
    able = [(place, found) for place, found in known if not found.why]
    if known and not able:
        if not told.study.traits.is_listed:
            yield Listed("Effects of variables", ("not known",), ((known[0][1].why,),))
        return
    names = [told.study.responses[place] for place, _ in able]
    rows: list[Row] = []
    for k, variable in enumerate(told.study.variables):
        of_each = (shown(told.effects[k, place]) for place, _ in able)
        rows.append((variable.name, variable.unit, *(shown(end) for end in told.ends(k)), *of_each))
    heads = ("variable", "unit", "from", "to", *(_named(each.name, each.unit) for each in names))
    yield Listed(
        "Change of each response over the range of each variable",
        heads,
        tuple(rows),
        own=tuple(range(4, len(heads))),
        by_row=((2, 3),),
    )
    shares: list[Row] = [
        (variable.name, *(shown(found.standardised[k]) for _, found in able))
        for k, variable in enumerate(told.study.variables)
    ]
    shares.append(("R² (explained by all)", *(shown(found.r_squared) for _, found in able)))
    heads = ("variable", *(each.name for each in names))
    yield Listed("Standardised regression coefficients", heads, tuple(shares))


def _named(name: str, unit: str) -> str:
    return f"{name} [{unit}]" if unit else name


def listed_block(told: StudyAnalysis) -> Iterator[Listed]:
    """Listed variants side by side with the workbook as it is."""
    if not told.study.traits.is_listed:
        return
    numbers = list(range(1, min(told.count, MOST_LISTED) + 1))
    heads = ["", "unit", "as it is"]
    for number in numbers:
        heads += [told.results.variants.names.get(number) or f"variant {number}", "change"]
    rows: list[Row] = []
    named = [(each.name, each.unit) for each in told.study.variables]
    named += [(each.name, each.unit) for each in told.study.responses]
    for (name, unit), column in zip(named, np.hstack((told.values, told.responses)).T, strict=True):
        row = [shown(column[0])]
        for number in numbers:
            row += [shown(column[number]), shown(column[number] - column[0])]
        rows.append((name, unit, *row))
    more = f", the first {MOST_LISTED} of {told.count:,}" if told.count > MOST_LISTED else ""
    yield Listed(f"Variants side by side{more}", tuple(heads), tuple(rows), by_row=(tuple(range(2, len(heads))),))


def failures_block(told: StudyAnalysis) -> Iterator[Listed]:
    """Block of the reasons why variants failed."""
    reasons = told.reasons
    if not reasons:
        return
    rows: list[Row] = [(reason, count or None, first or "as it is") for reason, count, first in reasons[:MOST_REASONS]]
    if len(reasons) > MOST_REASONS:
        rest = reasons[MOST_REASONS:]
        rows.append((f"{counted(len(rest), 'other reason')}, see mbs Study", sum(count for _, count, _ in rest), None))
    yield Listed("Variants that failed", ("reason", "variants", "first"), tuple(rows), wide=(0,))


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
    more = f" ({left_out:,} small steps left out)" if left_out else ""
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
        f"The Pareto front: no goal can be improved without loss in another{more}", heads, tuple(rows), units=units
    )
