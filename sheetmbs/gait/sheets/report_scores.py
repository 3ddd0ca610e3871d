"""The printed page of numbers: clinical parameters at the left, times, scores and the movement profile beside them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from sheetmbs.gait.sheets.charted_columns import ChartedColumns
from sheetmbs.gait.sheets.clinical_parameters import HEADS, clinical_rows
from sheetmbs.gait.sheets.gait_presentation import GaitPresentation
from sheetmbs.gait.sheets.gait_scores import FROM_LEFT, ConditionScores, condition_scores, deviation_index
from sheetmbs.gait.sheets.report_belief import CLEAR, places
from sheetmbs.gait.sheets.report_parts import (
    LAST,
    OF_CHARTS,
    PER_COLUMN,
    TABLE,
    TITLE,
    PrintedPart,
    titles,
    told_heights,
)
from sheetmbs.gait.sheets.report_tables import NARROW, VALUES, times_table
from sheetmbs.gait.sheets.shown_items import GaitContents, ShownItem
from sheetmbs.gait.trial.gait_book import Side
from sheetmbs.workbook.charts.axes import pretty_unit
from sheetmbs.workbook.package.styles import number_format
from sheetmbs.workbook.sheets.page_contents import (
    AxisText,
    LookedCell,
    PageCell,
    PageChart,
    PageLine,
    PageRow,
    SummaryValue,
    placed_rows,
)

FIRST = 5
"""row in which tables begin"""
MAP_HIGH, LEAST_HIGH = 20, 40
"""rows of the movement analysis profile, and of the page at least"""
SMALL = 0.01
"""below which values are read with four decimals"""
LOW_ROW = 13.0
"""height of a row of this page in points, which has more of them than others"""
TITLES = {"ankle flexion": "Ankle dorsiflexion"}
"""variables whose charts are called otherwise"""
OF_NORM = "#B9BDC5"
NO_NORM = "No scores: the workbook has no norm (sheet Normative)."


def scores_part(
    gait: GaitPresentation, items: Sequence[ShownItem], contents: GaitContents, columns: ChartedColumns
) -> PrintedPart:
    """Parameters, times and lengths, scores, and bars of the scores of variables where there is a norm."""
    head = [*titles(gait, "Scores, times and lengths")]
    rows = clinical_rows(gait, items, contents.believed)
    cells: list[PageCell] = [*head, *_parameters(gait, rows)]
    sides: list[Side] = [side for side in FROM_LEFT if side in gait.book.subject.sides and gait.of_side(side)]
    beside = times_table(gait, items, sides) if sides else []
    scored = condition_scores(gait)
    beside += [PageRow("", "", ()), *_score_rows(gait, scored)] if scored else []
    cells += placed_rows(beside, FIRST, TABLE, VALUES + NARROW)
    below = FIRST + len(beside) + 1
    charts: list[PageChart] = []
    if scored:
        chart = _profile(gait, scored[0], columns, below)
        charts += [] if chart is None else [chart]
        below += MAP_HIGH if chart is not None else 0
    else:
        cells.append(PageCell(below, TABLE, NO_NORM, "page text", span=LAST - TABLE + 1))
        below += 2
    last = max(FIRST + len(rows), below - 1, FIRST + LEAST_HIGH - 1)
    heights = {1: TITLE} | told_heights(head) | dict.fromkeys(range(FIRST, last + 1), LOW_ROW)
    return PrintedPart(tuple(cells), tuple(charts), heights, last)


def _parameters(gait: GaitPresentation, rows: Sequence[tuple[SummaryValue, ...]]) -> Iterator[PageCell]:
    """Label, then of each side value, SD, n and u, then the norm and the difference, in bold where it is above 2 u."""
    if not rows:
        return
    say = gait.say
    yield PageCell(FIRST, 1, say("Parameters"), "page head", span=PER_COLUMN)
    own = gait.book.subject.sides
    heads = [text for side in FROM_LEFT for text in ([say(side), "± SD", "n", "u"] if side in own else [""] * 4)]
    heads += [say("norm"), "L - R" if len(own) == len(FROM_LEFT) else ""]
    for column, text in enumerate(heads, start=PER_COLUMN + 1):
        yield PageCell(FIRST, column, text, "page column")
    for row, each in enumerate(rows, start=FIRST + 1):
        named = dict(zip(HEADS, each, strict=True))
        unit = pretty_unit(str(named["unit"]))
        label = f"{say(str(named['parameter']))} ({unit})" if unit not in ("", "1") else say(str(named["parameter"]))
        yield PageCell(row, 1, label, "page item", span=PER_COLUMN)
        look = f"page {number_format(_decimals(named))}"
        of_sides = [named[f"{side}{part}"] for side in FROM_LEFT for part in ("", "_sd", "_n", "_u")]
        for column, value in enumerate(of_sides, start=PER_COLUMN + 1):
            yield PageCell(row, column, value, f"page {number_format(0)}" if isinstance(value, int) else look)
        yield PageCell(row, OF_CHARTS - 1, named["norm"], look)
        difference, u = named["difference"], named["u_difference"]
        is_clear = isinstance(difference, float) and isinstance(u, float) and abs(difference) > CLEAR * u
        yield PageCell(row, OF_CHARTS, difference, f"page bold {number_format(_decimals(named))}" if is_clear else look)


def _decimals(named: dict[str, SummaryValue]) -> int:
    """Decimals of a row: what its largest value is read with."""
    sizes = [abs(each) for name in ("left", "right", "difference") if isinstance(each := named[name], float)]
    largest = max(sizes, default=0.0)
    return places(largest) if largest >= 1.0 else 3 if largest >= SMALL else 4


def _score_rows(gait: GaitPresentation, scored: Sequence[ConditionScores]) -> Iterator[PageRow]:
    """GPS and GDI* of sides and overall, then the scores of variables, of each condition."""
    for each in scored:
        title = gait.say("Scores") + (f", {each.condition}" if len(scored) > 1 and each.condition else "")
        of_both = [side if side in gait.book.subject.sides else "" for side in FROM_LEFT]
        heads: tuple[LookedCell, ...] = tuple((gait.say(text), "page column") for text in (*of_both, "overall", "norm"))
        yield PageRow(title, "", heads, is_head=True)
        (of_sides, overall), norms = each.profiles, each.norm_profiles()
        look, whole = f"page {number_format(1)}", f"page {number_format(0)}"
        of_norm = [one[0][side] for one in norms for side in FROM_LEFT if side in one[0]]
        yield PageRow(
            each.word,
            "deg",
            (
                *((of_sides.get(side), look) for side in FROM_LEFT),
                (overall, look),
                (float(np.mean(of_norm)) if of_norm else None, look),
            ),
        )
        if each.in_space and norms:
            indices = [
                None if own is None else deviation_index(own, others)
                for own, others in (
                    *((of_sides.get(side), [one[0][side] for one in norms if side in one[0]]) for side in FROM_LEFT),
                    (overall, [one[1] for one in norms if one[1] is not None]),
                )
            ]
            yield PageRow("GDI*", "", (*((index, whole) for index in indices), (100.0, whole)))
        if len(scored) == 1:
            yield from _variable_rows(gait, each, look)


def _variable(gait: GaitPresentation, name: str) -> str:
    """A variable of the scores as pages call it."""
    title = TITLES.get(name, name.capitalize())
    said = gait.say(title)
    return name if said == title else said


def _variable_rows(gait: GaitPresentation, scores: ConditionScores, look: str) -> Iterator[PageRow]:
    for name, *_ in scores.variables:
        cells: list[LookedCell] = [(scores.values.get((side, name), (None, 0))[0], look) for side in FROM_LEFT]
        norms = [scores.norms[side, name] for side in FROM_LEFT if (side, name) in scores.norms]
        cells += [(None, look), (float(np.mean(norms)) if norms else None, look)]
        yield PageRow(f"GVS {_variable(gait, name)}", "deg", tuple(cells))


def _profile(gait: GaitPresentation, scores: ConditionScores, columns: ChartedColumns, top: int) -> PageChart | None:
    """Bars of the scores of variables, left and right, beside those of the norm's own subjects."""
    names = [name for name, *_ in scores.variables if any((side, name) in scores.values for side in FROM_LEFT)]
    if not names:
        return None
    labels = columns.hold_labels("variable", [*(_variable(gait, name) for name in names), scores.word])
    of_sides, _ = scores.profiles
    lines = []
    colors = {"left": gait.book.processing.colour_left, "right": gait.book.processing.colour_right}
    for side in FROM_LEFT:
        if side not in gait.book.subject.sides:
            continue
        values = [scores.values.get((side, name), (np.nan, 0))[0] for name in names]
        held = columns.hold_values(f"MAP {side}", "deg", np.array([*values, of_sides.get(side, np.nan)]))
        lines.append(PageLine(labels, held, gait.say(side), f"#{colors[side].lstrip('#')}"))
    norms = [
        np.concatenate([np.zeros(0), *(scores.norms[side, name] for side in FROM_LEFT if (side, name) in scores.norms)])
        for name in names
    ]
    own = [one[0][side] for one in scores.norm_profiles() for side in FROM_LEFT if side in one[0]]
    if any(map(len, norms)):
        means = [float(np.mean(each)) if len(each) else np.nan for each in norms]
        held = columns.hold_values("MAP norm", "deg", np.array([*means, float(np.mean(own)) if own else np.nan]))
        lines.append(PageLine(labels, held, gait.say("norm"), OF_NORM))
    title = gait.say("Movement analysis profile")
    doc = "bars of the gait variable scores of both sides, beside the mean of the norm's own subjects, in deg"
    box = (top, TABLE, top + MAP_HIGH - 1, LAST)
    return PageChart(title, AxisText(""), AxisText("deg", (0.0,)), tuple(lines), box, doc, "bars")
