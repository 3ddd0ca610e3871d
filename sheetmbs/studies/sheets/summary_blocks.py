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
MOST_STEPS, MOST_ON_FRONT = 40, 100


def shown(value: float) -> float | None:
    """A number for a cell, none where it is not known."""
    return float(value) if np.isfinite(value) else None


def responses_block(analysis: StudyAnalysis) -> Listed:
    """Per response how it is now, in the best variant, and how far it goes."""
    best = analysis.improved
    heads = ["response", "unit", "goal", "as it is", *(["best"] if best else [])]
    heads += ["smallest", "in variant", "largest", "in variant", "mean", "deviation", "done"]
    rows: list[Row] = []
    for place, response in enumerate(analysis.study.responses):
        column = analysis.responses[:, place]
        found = spread(column[1:] if analysis.count else column)
        shift = 1 if analysis.count else 0
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


def best_block(analysis: StudyAnalysis) -> Iterator[Listed]:
    """How far the best variant moves each variable, and which stand at an end of their range."""
    best = analysis.improved
    if best is None:
        return
    rows: list[Row] = []
    for place, variable in enumerate(analysis.study.variables):
        base, value = analysis.values[0, place], analysis.values[best, place]
        low, high = analysis.ends(place)
        end = analysis.end_of(place, best)
        note = f"at its {end} end" if end else ""
        rows.append((variable.name, variable.unit, _cells(variable.cells), base, value, value - base, low, high, note))
    heads = ("variable", "unit", "cell", "as it is", "best", "change", "low", "high", "")
    title = f"The best variant: {analysis.name_of(best).removeprefix('variant ')}"
    yield Listed(title, heads, tuple(rows), by_row=((3, 4, 5, 6, 7),))


def _cells(cells: tuple[tuple[str, str], ...]) -> str:
    return "; ".join(f"{sheet}!{address}" for sheet, address in cells)


def effects_block(analysis: StudyAnalysis) -> Iterator[Listed]:
    """How much each response changes while a variable goes through its range."""
    effects = analysis.study.traits.effects
    if effects == "single changes":
        yield _measured(analysis)
    elif effects == "regression":
        yield from _regressed(analysis)


def _measured(analysis: StudyAnalysis) -> Listed:
    """At both ends, by variable and response."""
    rows: list[Row] = []
    for place in analysis.by_importance:
        response = analysis.study.responses[place]
        for k, variable in enumerate(analysis.study.variables):
            changes = analysis.changes(k)
            known = changes.known(place)
            ends = [shown(each) for column in known for each in (column[[0, -1]] if len(column) else (np.nan, np.nan))]
            found = shown(changes.effect(place)), shown(changes.span(place))
            note = "rises and falls in between" if changes.turns(place) else ""
            rows.append(
                (response.name, variable.name, variable.unit, *ends[:2], response.unit, *ends[2:], *found, note)
            )
    heads = ("response", "variable", "unit", "from", "to", "unit", "at from", "at to", "effect", "span", "")
    return Listed("Effect of each variable by itself, measured", heads, tuple(rows), by_row=((3, 4), (6, 7, 8, 9)))


def _regressed(analysis: StudyAnalysis) -> Iterator[Listed]:
    """By straight lines through all variants."""
    known = [(place, analysis.regressions[place]) for place in analysis.by_importance]
    able = [(place, found) for place, found in known if not found.why]
    if known and not able:
        if not analysis.study.traits.is_listed:
            yield Listed("Effects of variables", ("not known",), ((known[0][1].why,),))
        return
    names = [analysis.study.responses[place] for place, _ in able]
    rows: list[Row] = []
    for k, variable in enumerate(analysis.study.variables):
        of_each = (shown(analysis.effects[k, place]) for place, _ in able)
        rows.append((variable.name, variable.unit, *(shown(end) for end in analysis.ends(k)), *of_each))
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
        for k, variable in enumerate(analysis.study.variables)
    ]
    shares.append(("R² (explained by all)", *(shown(found.r_squared) for _, found in able)))
    heads = ("variable", *(each.name for each in names))
    yield Listed("Standardised regression coefficients", heads, tuple(shares))


def _named(name: str, unit: str) -> str:
    return f"{name} [{unit}]" if unit else name


def listed_block(analysis: StudyAnalysis) -> Iterator[Listed]:
    """Listed variants side by side with the workbook as it is."""
    if not analysis.study.traits.is_listed:
        return
    numbers = list(range(1, min(analysis.count, MOST_LISTED) + 1))
    heads = ["", "unit", "as it is"]
    for number in numbers:
        heads += [analysis.results.variants.names.get(number) or f"variant {number}", "change"]
    rows: list[Row] = []
    named = [(each.name, each.unit) for each in analysis.study.variables]
    named += [(each.name, each.unit) for each in analysis.study.responses]
    for (name, unit), column in zip(named, np.hstack((analysis.values, analysis.responses)).T, strict=True):
        row = [shown(column[0])]
        for number in numbers:
            row += [shown(column[number]), shown(column[number] - column[0])]
        rows.append((name, unit, *row))
    more = f", the first {MOST_LISTED} of {analysis.count:,}" if analysis.count > MOST_LISTED else ""
    yield Listed(f"Variants side by side{more}", tuple(heads), tuple(rows), by_row=(tuple(range(2, len(heads))),))


def failures_block(analysis: StudyAnalysis) -> Iterator[Listed]:
    """Block of the reasons why variants failed."""
    reasons = analysis.reasons
    if not reasons:
        return
    rows: list[Row] = [(reason, count or None, first or "as it is") for reason, count, first in reasons[:MOST_REASONS]]
    if len(reasons) > MOST_REASONS:
        rest = reasons[MOST_REASONS:]
        rows.append((f"{counted(len(rest), 'other reason')}, see mbs Study", sum(count for _, count, _ in rest), None))
    yield Listed("Variants that failed", ("reason", "variants", "first"), tuple(rows), wide=(0,))


def method_blocks(analysis: StudyAnalysis) -> Iterator[Listed]:
    """All of them, of which most studies have one."""
    yield from _indices(analysis)
    if analysis.study.traits.is_production:
        yield from _limits(analysis)
        yield from _percentiles(analysis)
    if analysis.study.traits.is_search and not analysis.study.traits.is_multi_objective:
        yield from _history(analysis)
    yield from _front(analysis)


def _indices(analysis: StudyAnalysis) -> Iterator[Listed]:
    rows: list[Row] = []
    for found in analysis.results.indices:
        columns = found.first, found.first_band, found.total, found.total_band
        rows += [
            (found.response, name, *(shown(column[k]) for column in columns), found.blocks, found.left_out)
            for k, name in enumerate(analysis.names)
        ]
    if rows:
        heads = ("response", "variable", "first order", "±", "total", "±", "blocks used", "left out")
        yield Listed("Sobol indices with 95 % intervals: shares of the variance of a response", heads, tuple(rows))


def _limits(analysis: StudyAnalysis) -> Iterator[Listed]:
    rows: list[Row] = []
    for place, response in enumerate(analysis.study.responses):
        if not response.is_limit:
            continue
        column = analysis.responses[1:, place]
        held = analysis.holds(response, column[np.isfinite(column)])
        rows.append(
            _share_row(response.name, f"{response.goal} {response.value:g}", response.unit, int(held.sum()), len(held))
        )
    if rows:
        done = int(analysis.results.variants.done[1:].sum())
        rows.append(_share_row("all limits", "", "", int(analysis.results.feasible[1:].sum()), done))
        heads = ("response", "limit", "unit", "within", "of", "share, %", "from, %", "to, %")
        yield Listed(
            "Variants within limits; from .. to is a 95 % interval (Wilson)", heads, tuple(rows), by_row=((5, 6, 7),)
        )


def _share_row(name: str, limit: str, unit: str, held: int, count: int) -> Row:
    share = share_of(held, count)
    return name, limit, unit, held, count, *(shown(100.0 * each) for each in (share.share, share.low, share.high))


def _percentiles(analysis: StudyAnalysis) -> Iterator[Listed]:
    rows: list[Row] = []
    needed: dict[float, int] = {}
    most = 0
    for place, response in enumerate(analysis.study.responses):
        column = analysis.responses[1:, place]
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


def _history(analysis: StudyAnalysis) -> Iterator[Listed]:
    """Variants that were better than all before them."""
    objective = np.where(analysis.results.feasible, analysis.results.objective, np.nan)
    steps, least = [], np.inf
    for number, value in enumerate(objective):
        if value < least:
            least = value
            steps.append(number)
    if not steps:
        return
    left_out = max(len(steps) - MOST_STEPS, 0)
    goals = [analysis.study.responses[k] for k in analysis.goals]
    rows = tuple(
        (
            f"variant {number:,}",
            shown(objective[number]),
            *(shown(analysis.responses[number, k]) for k in analysis.goals),
        )
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


def _front(analysis: StudyAnalysis) -> Iterator[Listed]:
    front = np.array(analysis.results.front, dtype=int)
    if not len(front) or not analysis.goals:
        return
    front = front[np.argsort(analysis.responses[front, analysis.goals[0]], kind="stable")]
    step = -(-len(front) // MOST_ON_FRONT)
    goals = [analysis.study.responses[k] for k in analysis.goals]
    rows: list[Row] = [
        (f"variant {number:,}", *analysis.responses[number, analysis.goals].tolist(), *analysis.values[number].tolist())
        for number in front[::step]
    ]
    heads = ("variant", *(each.name for each in goals), *analysis.names)
    units = ("", *(each.unit for each in goals), *(each.unit for each in analysis.study.variables))
    more = f", {len(front[::step]):,} of {len(front):,}" if step > 1 else ""
    yield Listed(
        f"The Pareto front: no goal can be improved without loss in another{more}", heads, tuple(rows), units=units
    )
