"""What the reader of a study came for, in sentences."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain

import numpy as np

from sheetmbs.studies.sheets.fit_words import fit_answer
from sheetmbs.studies.sheets.study_statistics import StudyAnalysis
from sheetmbs.studies.sheets.study_words import (
    as_argument,
    capital,
    counted,
    listed,
    more_or_less,
    percent,
    said,
    said_change,
)
from sheetmbs.studies.sheets.uncertainty_table import uncertainty_answer
from sheetmbs.studies.statistics.sample_statistics import share_of, spread
from sheetmbs.studies.statistics.variable_effects import ROUNDING, LinearEffects
from sheetmbs.studies.study_results import IN_DOUBT
from sheetmbs.workbook.charts.axes import pretty_unit
from sheetmbs.workbook.sheets.sheet_contents import STUDY

MOST_RESPONSES, MOST_MOVES = 3, 4
LITTLE_EXPLAINED = 0.7
"""R^2 below which straight lines do not tell how a response depends on variables"""


def answer(analysis: StudyAnalysis) -> list[str]:
    """The answer of a study, what it rests on, and what went wrong, a sentence or two each."""
    return [
        *_result(analysis),
        *_base(analysis),
        *_doubts(analysis),
        *([analysis.results.message] if analysis.results.message else []),
    ]


def _doubts(analysis: StudyAnalysis) -> Iterator[str]:
    """Variants whose numbers may be wrong, the best one first."""
    doubts = analysis.results.variants.doubts
    if doubts:
        shown = analysis.results.best if analysis.results.best in doubts else min(doubts)
        of_all = f"{counted(len(doubts), 'variant')} {'is' if len(doubts) == 1 else 'are'} in doubt"
        yield f"{of_all}, {analysis.name_of(shown)} because {doubts[shown].removeprefix(f'{IN_DOUBT}: ')}."


def headline(analysis: StudyAnalysis) -> str:
    """The first sentence of the answer."""
    return answer(analysis)[0]


def _result(analysis: StudyAnalysis) -> Iterator[str]:
    finding, results = analysis.study.traits.finding, analysis.results
    if results.fit is not None:
        yield from fit_answer(results.fit, analysis.study)
        return
    if results.uncertainty is not None:
        yield from uncertainty_answer(results.uncertainty, analysis.study)
        return
    if analysis.count and analysis.failed == analysis.count:
        yield "No variant could be solved; the reasons are listed below."
        return
    best: Iterable[str] = _best(analysis) if analysis.goals else _farthest(analysis)
    if finding == "shares":
        yield from _shares(analysis)
    elif finding == "indices":
        yield from chain(_indices(analysis), best if analysis.goals else ())
    elif finding == "effects":
        yield from chain(_effects_or_ranges(analysis), best if analysis.goals else ())
    elif finding == "front" and analysis.results.front:
        yield _front(analysis)
    elif finding == "best and effects":
        yield from chain(best, _effects(analysis)) if analysis.goals else _effects_or_ranges(analysis)
    else:
        yield from best


def _best(analysis: StudyAnalysis) -> Iterator[str]:
    best = analysis.results.best
    if best is None:
        missed = _most_missed(analysis)
        yield "No variant holds all limits." + (f" The limit missed most often is {missed}." if missed else "")
        return
    if best == 0:
        yield f"The baseline workbook is best: {_reached(analysis, 0)}. No variant does better."
        return
    moves = [_move(analysis, place, best) for place in analysis.moves(best)[:MOST_MOVES]]
    more = len(analysis.moves(best)) - len(moves)
    moved = listed(moves, MOST_MOVES) + (f" (and {more} more)" if more else "")
    yield f"{capital(analysis.name_of(best))} is best: {_reached(analysis, best)}; it changes {moved}."
    if analysis.results.is_spent:
        yield f"The budget of {counted(analysis.study.budget, 'variant')} is used up; a larger one may give a better variant."
    ends = [analysis.names[k] for k in analysis.moves(best) if analysis.end_of(k, best)]
    if ends:
        at = (
            "is at the end of its range; a wider range"
            if len(ends) == 1
            else "are at the ends of their ranges; wider ranges"
        )
        yield f"In it {listed(ends)} {at} may give a better variant."


def _reached(analysis: StudyAnalysis, number: int) -> str:
    """What a variant reaches of each goal."""
    return "; ".join(_goal(analysis, place, number) for place in analysis.goals[:MOST_RESPONSES])


def _goal(analysis: StudyAnalysis, place: int, number: int) -> str:
    response = analysis.study.responses[place]
    value, base = (float(analysis.responses[row, place]) for row in (number, 0))
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


def _move(analysis: StudyAnalysis, place: int, number: int) -> str:
    variable = analysis.study.variables[place]
    return (
        f"{variable.name} by {said_change(analysis.values[number, place] - analysis.values[0, place], variable.unit)}"
    )


def _shares(analysis: StudyAnalysis) -> Iterator[str]:
    done = int(analysis.results.variants.done[1:].sum())
    if analysis.has_limits:
        share = share_of(int(analysis.results.feasible[1:].sum()), done)
        said_of = f"{percent(share.share)} of {counted(done, 'variant')} hold all limits"
        yield f"{said_of} (95 % interval {percent(share.low)} to {percent(share.high)})."
        missed = _most_missed(analysis)
        if missed and share.held < done:
            yield f"The limit missed most often is {missed}."
        return
    for place in analysis.by_importance[:MOST_RESPONSES]:
        response, column = analysis.study.responses[place], analysis.responses[1:, place]
        held = column[np.isfinite(column)]
        low, high = np.percentile(held, [2.5, 97.5])
        middle = f"{capital(response.name)} has the mean {said(float(held.mean()), response.unit)}"
        yield f"{middle}; 95 % of variants lie from {said(low)} to {said(high, response.unit)}."


def _most_missed(analysis: StudyAnalysis) -> str:
    """The limit that most variants miss, with how many."""
    missed = []
    for place, response in enumerate(analysis.study.responses):
        column = analysis.responses[1:, place]
        if response.is_limit and response.value is not None:
            known = column[np.isfinite(column)]
            missed.append((int((~analysis.holds(response, known)).sum()), response))
    if not any(count for count, _ in missed):
        return ""
    count, response = max(missed, key=lambda each: each[0])
    limit = f"{response.value:g} {pretty_unit(response.unit)}".rstrip()
    return f"{response.name} {response.goal} {limit}, by {counted(count, 'variant')}"


def _front(analysis: StudyAnalysis) -> str:
    """How far each goal goes on the front."""
    front = np.array(analysis.results.front)
    reaches = []
    for place in analysis.goals[:MOST_RESPONSES]:
        response, column = analysis.study.responses[place], analysis.responses[front, place]
        low, high = int(column.argmin()), int(column.argmax())
        ends = f"{said(column[low])} (variant {front[low]:,}) to {said(column[high], response.unit)}"
        reaches.append(f"{response.name} from {ends} (variant {front[high]:,})")
    return (
        f"{counted(len(front), 'variant')} cannot be improved in one goal without loss in another: {listed(reaches)}."
    )


def _effects_or_ranges(analysis: StudyAnalysis) -> Iterator[str]:
    """Effects, or how far responses go where no effect can be analysis, as of two variants."""
    effects = list(_effects(analysis))
    yield from effects or _ranges(analysis)


def _ranges(analysis: StudyAnalysis) -> Iterator[str]:
    for place in analysis.by_importance[:MOST_RESPONSES]:
        response, found = analysis.study.responses[place], spread(analysis.responses[1:, place])
        if not found.known:
            continue
        if found.largest - found.smallest <= ROUNDING * max(abs(found.largest), abs(found.smallest)):
            yield f"{capital(response.name)} is {said(found.smallest, response.unit)} in every variant."
            continue
        low = f"{said(found.smallest)} ({analysis.name_of(found.at_smallest + 1)})"
        high = f"{said(found.largest, response.unit)} ({analysis.name_of(found.at_largest + 1)})"
        yield f"{capital(response.name)} goes from {low} to {high}."


def _effects(analysis: StudyAnalysis) -> Iterator[str]:
    """On which variable each response depends most."""
    for place in analysis.by_importance[:MOST_RESPONSES]:
        response, effects = analysis.study.responses[place], analysis.effects[:, place]
        if not np.isfinite(effects).any() or not np.nan_to_num(effects).any():
            continue
        most = int(np.argmax(analysis.strength[:, place]))
        variable, (low, high) = analysis.study.variables[most], analysis.ends_of_effect(most, place)
        changed = f"it changes by {said_change(effects[most], response.unit)}"
        if analysis.study.traits.effects == "single changes" and analysis.changes(most).turns(place):
            changed = f"it rises and falls, within {said(analysis.changes(most).span(place), response.unit)}"
        over = f"from {said(low)} to {said(high, variable.unit)} {changed}"
        doubt = (
            "" if analysis.study.traits.effects == "single changes" else _doubt_of_lines(analysis.regressions[place])
        )
        yield f"{capital(response.name)} depends most on {variable.name}: {over}{doubt}."


def _doubt_of_lines(found: LinearEffects) -> str:
    """How far straight lines through variants can be believed."""
    if found.r_squared < LITTLE_EXPLAINED:
        return f", as far as straight lines can show (R² {found.r_squared:.2f})"
    return f", as far as {counted(found.used, 'variant')} can show" if found.adjusted < LITTLE_EXPLAINED else ""


def _indices(analysis: StudyAnalysis) -> Iterator[str]:
    for indices in analysis.results.indices[:MOST_RESPONSES]:
        if not np.isfinite(indices.first).any():
            continue
        most = int(np.nanargmax(indices.total))
        first, band, total = indices.first[most], indices.first_band[most], indices.total[most]
        alone = f"{percent(max(first, 0.0))} of its variance (± {percent(band)})"
        beside = f", together with its interactions {percent(min(total, 1.0))}" if total > first else ""
        yield f"{capital(indices.response)} depends most on {analysis.names[most]}, which alone causes {alone}{beside}."


def _farthest(analysis: StudyAnalysis) -> Iterator[str]:
    """Which of the listed variants goes farthest from the workbook as it is."""
    for place in analysis.by_importance[:MOST_RESPONSES]:
        response, change = analysis.study.responses[place], analysis.responses[:, place] - analysis.responses[0, place]
        if not np.nan_to_num(change).any():
            continue
        most = int(np.nanargmax(np.abs(change)))
        of = f"{capital(response.name)} changes most in {analysis.name_of(most)}"
        yield f"{of}: by {said_change(change[most], response.unit)} to {said(analysis.responses[most, place], response.unit)}."


def _base(analysis: StudyAnalysis) -> Iterator[str]:
    """What the answer rests on."""
    study, done = analysis.study, analysis.count - analysis.failed
    cases = [case for case in study.cases if case]
    over = f" in {listed(cases, 6)}" if cases else ""
    ran = f"Method {study.method}: {counted(analysis.count, 'variant')}{over}"
    if analysis.failed:
        ran += f", of which {analysis.failed:,} failed"
    if analysis.has_limits and not study.traits.is_production:
        ran += f"; {int(analysis.results.feasible[1:].sum()):,} of {done:,} hold all limits"
    yield f"{ran}."


def computed_formulas(analysis: StudyAnalysis) -> list[str]:
    """The remark on formulas that had no value in the file, which stands on the summary alone: it is no finding."""
    computed = analysis.results.computed
    if not computed:
        return []
    had = (
        "formula that had no value in the file was" if computed == 1 else "formulas that had no value in the file were"
    )
    return [f"{computed:,} {had} computed."]


def next_step(analysis: StudyAnalysis, file: str) -> tuple[str, int | None]:
    """What to do with what was found, and the variant that it is about. file: the workbook with the sheets of the study."""
    best, front = analysis.improved, analysis.results.front
    command = f"sheetmbs study {as_argument(file)} --apply"
    if analysis.results.message:
        return "Finish the study: the same command with --resume.", None
    if best is not None:
        return f"Make {analysis.name_of(best)} a workbook and run it: {command} {best} --run", best
    if front:
        return f"Choose a variant of the front, such as {front[0]}, and run it: {command} {front[0]} --run", front[0]
    if analysis.goals:
        return "Widen the ranges on Variables, or relax the limits on Responses, then run the study again.", None
    if not analysis.results.variants.done[1:].any():
        return "Correct what the variants failed of, then run the study again.", None
    number = int(np.flatnonzero(analysis.results.variants.done[1:])[0]) + 1
    return f"Choose a variant on {STUDY}, such as {number}, and run it: {command} {number} --run", number
