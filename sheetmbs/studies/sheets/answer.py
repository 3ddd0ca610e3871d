"""What the reader of a study came for, in sentences."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain

import numpy as np

from sheetmbs.studies.sheets.study_statistics import StudyAnalysis
from sheetmbs.studies.sheets.study_words import (
    capital,
    counted,
    listed,
    more_or_less,
    percent,
    said,
    said_change,
)
from sheetmbs.studies.statistics.sample_statistics import share_of, spread
from sheetmbs.studies.statistics.variable_effects import ROUNDING, LinearEffects
from sheetmbs.studies.study_results import IN_DOUBT
from sheetmbs.workbook.charts.axes import pretty_unit

MOST_RESPONSES, MOST_MOVES = 3, 4
LITTLE_EXPLAINED = 0.7
"""R^2 below which straight lines do not tell how a response depends on variables"""


def answer(told: StudyAnalysis) -> list[str]:
    """The answer of a study, what it rests on, and what went wrong, a sentence or two each."""
    return [*_result(told), *_base(told), *_doubts(told), *([told.results.message] if told.results.message else [])]


def _doubts(told: StudyAnalysis) -> Iterator[str]:
    """Variants whose numbers may be wrong, the best one first."""
    doubts = told.results.variants.doubts
    if doubts:
        shown = told.results.best if told.results.best in doubts else min(doubts)
        of_all = f"{counted(len(doubts), 'variant')} {'is' if len(doubts) == 1 else 'are'} in doubt"
        yield f"{of_all}, {told.name_of(shown)} because {doubts[shown].removeprefix(f'{IN_DOUBT}: ')}."


def headline(told: StudyAnalysis) -> str:
    """The first sentence of the answer."""
    return answer(told)[0]


def _result(told: StudyAnalysis) -> Iterator[str]:
    finding = told.study.traits.finding
    if told.count and told.failed == told.count:
        yield "No variant could be solved; the reasons are listed below."
        return
    best: Iterable[str] = _best(told) if told.goals else _farthest(told)
    if finding == "shares":
        yield from _shares(told)
    elif finding == "indices":
        yield from chain(_indices(told), best if told.goals else ())
    elif finding == "effects":
        yield from chain(_effects_or_ranges(told), best if told.goals else ())
    elif finding == "front" and told.results.front:
        yield _front(told)
    elif finding == "best and effects":
        yield from chain(best, _effects(told)) if told.goals else _effects_or_ranges(told)
    else:
        yield from best


def _best(told: StudyAnalysis) -> Iterator[str]:
    best = told.results.best
    if best is None:
        missed = _most_missed(told)
        yield "No variant holds all limits." + (f" The limit missed most often is {missed}." if missed else "")
        return
    if best == 0:
        yield f"The baseline workbook is best: {_reached(told, 0)}. No variant does better."
        return
    moves = [_move(told, place, best) for place in told.moves(best)[:MOST_MOVES]]
    more = len(told.moves(best)) - len(moves)
    moved = listed(moves, MOST_MOVES) + (f" (and {more} more)" if more else "")
    yield f"{capital(told.name_of(best))} is best: {_reached(told, best)}; it changes {moved}."
    if told.results.is_spent:
        yield f"The budget of {counted(told.study.budget, 'variant')} is used up; a larger budget may give a better variant."
    ends = [told.names[k] for k in told.moves(best) if told.end_of(k, best)]
    if ends:
        yield f"At an end of its range: {listed(ends)}. A wider range may give a better variant."


def _reached(told: StudyAnalysis, number: int) -> str:
    """What a variant reaches of each goal."""
    return "; ".join(_goal(told, place, number) for place in told.goals[:MOST_RESPONSES])


def _goal(told: StudyAnalysis, place: int, number: int) -> str:
    response = told.study.responses[place]
    value, base = (float(told.responses[row, place]) for row in (number, 0))
    text = f"{response.name} {said(value, response.unit)}"
    if not number:
        return text
    if response.goal == "target" and response.value is not None:
        off = said(abs(value - response.value), response.unit)
        before = (
            f" instead of {said(abs(base - response.value), response.unit)} in the baseline"
            if np.isfinite(base)
            else ""
        )
        return f"{text}, {off} from its target{before}"
    change = more_or_less(value, base)
    if change:
        return f"{text}, {change}"
    return f"{text}, in the baseline {said(base, response.unit)}" if np.isfinite(base) else text


def _move(told: StudyAnalysis, place: int, number: int) -> str:
    variable = told.study.variables[place]
    return f"{variable.name} by {said_change(told.values[number, place] - told.values[0, place], variable.unit)}"


def _shares(told: StudyAnalysis) -> Iterator[str]:
    done = int(told.results.variants.done[1:].sum())
    if told.has_limits:
        share = share_of(int(told.results.feasible[1:].sum()), done)
        said_of = f"{percent(share.share)} of {counted(done, 'variant')} hold all limits"
        yield f"{said_of} (95 % interval {percent(share.low)} to {percent(share.high)})."
        missed = _most_missed(told)
        if missed and share.held < done:
            yield f"The limit missed most often is {missed}."
        return
    for place in told.by_importance[:MOST_RESPONSES]:
        response, column = told.study.responses[place], told.responses[1:, place]
        held = column[np.isfinite(column)]
        low, high = np.percentile(held, [2.5, 97.5])
        middle = f"{capital(response.name)} has the mean {said(float(held.mean()), response.unit)}"
        yield f"{middle}; 95 % of variants lie from {said(low)} to {said(high, response.unit)}."


def _most_missed(told: StudyAnalysis) -> str:
    """The limit that most variants miss, with how many."""
    missed = []
    for place, response in enumerate(told.study.responses):
        column = told.responses[1:, place]
        if response.is_limit and response.value is not None:
            known = column[np.isfinite(column)]
            missed.append((int((~told.holds(response, known)).sum()), response))
    if not any(count for count, _ in missed):
        return ""
    count, response = max(missed, key=lambda each: each[0])
    limit = f"{response.value:g} {pretty_unit(response.unit)}".rstrip()
    return f"{response.name} {response.goal} {limit}, by {counted(count, 'variant')}"


def _front(told: StudyAnalysis) -> str:
    """How far each goal goes on the front."""
    front = np.array(told.results.front)
    reaches = []
    for place in told.goals[:MOST_RESPONSES]:
        response, column = told.study.responses[place], told.responses[front, place]
        low, high = int(column.argmin()), int(column.argmax())
        ends = f"{said(column[low])} (variant {front[low]:,}) to {said(column[high], response.unit)}"
        reaches.append(f"{response.name} from {ends} (variant {front[high]:,})")
    return (
        f"{counted(len(front), 'variant')} cannot be improved in one goal without loss in another: {listed(reaches)}."
    )


def _effects_or_ranges(told: StudyAnalysis) -> Iterator[str]:
    """Effects, or how far responses go where no effect can be told, as of two variants."""
    effects = list(_effects(told))
    yield from effects or _ranges(told)


def _ranges(told: StudyAnalysis) -> Iterator[str]:
    for place in told.by_importance[:MOST_RESPONSES]:
        response, found = told.study.responses[place], spread(told.responses[1:, place])
        if not found.known:
            continue
        if found.largest - found.smallest <= ROUNDING * max(abs(found.largest), abs(found.smallest)):
            yield f"{capital(response.name)} is {said(found.smallest, response.unit)} in every variant."
            continue
        low = f"{said(found.smallest)} ({told.name_of(found.at_smallest + 1)})"
        high = f"{said(found.largest, response.unit)} ({told.name_of(found.at_largest + 1)})"
        yield f"{capital(response.name)} goes from {low} to {high}."


def _effects(told: StudyAnalysis) -> Iterator[str]:
    """On which variable each response depends most."""
    for place in told.by_importance[:MOST_RESPONSES]:
        response, effects = told.study.responses[place], told.effects[:, place]
        if not np.isfinite(effects).any() or not np.nan_to_num(effects).any():
            continue
        most = int(np.argmax(told.strength[:, place]))
        variable, (low, high) = told.study.variables[most], told.ends_of_effect(most, place)
        changed = f"it changes by {said_change(effects[most], response.unit)}"
        if told.study.traits.effects == "single changes" and told.changes(most).turns(place):
            changed = f"it rises and falls, within {said(told.changes(most).span(place), response.unit)}"
        over = f"from {said(low)} to {said(high, variable.unit)} {changed}"
        doubt = "" if told.study.traits.effects == "single changes" else _doubt_of_lines(told.regressions[place])
        yield f"{capital(response.name)} depends most on {variable.name}: {over}{doubt}."


def _doubt_of_lines(found: LinearEffects) -> str:
    """How far straight lines through variants can be believed."""
    if found.r_squared < LITTLE_EXPLAINED:
        return f", as far as straight lines can show (R² {found.r_squared:.2f})"
    return f", as far as {counted(found.used, 'variant')} can show" if found.adjusted < LITTLE_EXPLAINED else ""


def _indices(told: StudyAnalysis) -> Iterator[str]:
    for indices in told.results.indices[:MOST_RESPONSES]:
        if not np.isfinite(indices.first).any():
            continue
        most = int(np.nanargmax(indices.total))
        first, band, total = indices.first[most], indices.first_band[most], indices.total[most]
        alone = f"{percent(max(first, 0.0))} of its variance (± {percent(band)})"
        beside = f", together with its interactions {percent(min(total, 1.0))}" if total > first else ""
        yield f"{capital(indices.response)} depends most on {told.names[most]}, which alone causes {alone}{beside}."


def _farthest(told: StudyAnalysis) -> Iterator[str]:
    """Which of the listed variants goes farthest from the workbook as it is."""
    for place in told.by_importance[:MOST_RESPONSES]:
        response, change = told.study.responses[place], told.responses[:, place] - told.responses[0, place]
        if not np.nan_to_num(change).any():
            continue
        most = int(np.nanargmax(np.abs(change)))
        of = f"{capital(response.name)} changes most in {told.name_of(most)}"
        yield f"{of}: by {said_change(change[most], response.unit)} to {said(told.responses[most, place], response.unit)}."


def _base(told: StudyAnalysis) -> Iterator[str]:
    """What the answer rests on."""
    study, done = told.study, told.count - told.failed
    cases = [case for case in study.cases if case]
    over = f" in {listed(cases, 6)}" if cases else ""
    ran = f"Method {study.method}: {counted(told.count, 'variant')}{over}"
    if told.failed:
        ran += f", of which {told.failed:,} failed"
    if told.has_limits and not study.traits.is_production:
        ran += f"; {int(told.results.feasible[1:].sum()):,} of {done:,} hold all limits"
    yield f"{ran}."
    computed = told.results.computed
    if computed:
        had = (
            "formula that had no value in the file was"
            if computed == 1
            else "formulas that had no value in the file were"
        )
        yield f"{computed:,} {had} computed."
