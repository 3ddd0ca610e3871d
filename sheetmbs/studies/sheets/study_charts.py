"""The sheet `mbs Study Charts`: which charts a study has, in what order, and where they stand."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from itertools import combinations
from math import ceil

from sheetmbs.studies.sheets.answer import headline
from sheetmbs.studies.sheets.drawn_bars import compared, histogram, tornado
from sheetmbs.studies.sheets.drawn_columns import DrawnColumns
from sheetmbs.studies.sheets.drawn_variants import MOST_DOTS, VariantCharts, curve_groups, curves_chart
from sheetmbs.studies.sheets.study_statistics import StudyAnalysis
from sheetmbs.workbook.sheets.page_contents import Box, Page, PageCell, PageChart, Paper
from sheetmbs.workbook.sheets.sheet_contents import STUDY_CHARTS, STUDY_CURVES

MAX_CHARTS = 12
MOST_CURVES, MOST_FRONTS, MOST_TORNADOS, MOST_HISTOGRAMS = 4, 3, 4, 6
ACROSS, COLUMNS, GUTTER = 2, 8, 1
"""charts side by side, columns of cells that each covers, and one between them"""
WIDTH_OF_COLUMN, NARROW = 8.6, 2.0
ROWS, FIRST_ROW = 16, 5
ROWS_ON_PAPER = 5
NOTHING = 1e-9
"""strength of a variable on which a response does not depend"""
LINE, LETTERS = 18.0, 120
"""points of a line, and how many it holds"""

Draw = Callable[[Box], PageChart | None]


def study_charts(analysis: StudyAnalysis, columns: DrawnColumns) -> Page | None:
    """The page; None where nothing can be drawn. columns: receive what its charts draw."""
    variants = VariantCharts(analysis, columns)
    charts: list[PageChart] = []
    pairs = [] if analysis.study.traits.is_listed or analysis.results.is_by_derivatives else _pairs(analysis)
    for draw in _in_order(analysis, columns, variants):
        chart = draw(_box(len(charts))) if len(charts) < MAX_CHARTS else None
        charts += [chart] if chart else []
    drawn = 0
    for response, variable in pairs:
        chart = variants.over_variable(response, variable, _box(len(charts))) if len(charts) < MAX_CHARTS else None
        charts += [chart] if chart else []
        drawn += 1 if chart else 0
    if not charts:
        return None
    wide = ACROSS * (COLUMNS + GUTTER) - GUTTER
    last = _box(len(charts) - 1)[2]
    said = headline(analysis)
    cells = (
        PageCell(1, 1, "Charts of the study", "title", wide),
        PageCell(2, 1, said, "answer", wide),
        PageCell(3, 1, _remark(variants, drawn, len(pairs)), "remark", wide),
    )
    rows_of_charts = -(-len(charts) // ACROSS)
    breaks = tuple(FIRST_ROW - 2 + k * (ROWS + 1) for k in range(ROWS_ON_PAPER, rows_of_charts, ROWS_ON_PAPER))
    return Page(
        STUDY_CHARTS,
        (*(WIDTH_OF_COLUMN,) * COLUMNS, NARROW) * ACROSS,
        cells,
        (last, wide + GUTTER),
        Paper(breaks=breaks),
        {1: 28.0, 2: LINE * ceil(len(said) / LETTERS), 3: LINE} | dict.fromkeys(range(FIRST_ROW, last + 1), 15.0),
        charts=tuple(charts),
    )


def _in_order(analysis: StudyAnalysis, columns: DrawnColumns, variants: VariantCharts) -> Iterator[Draw]:
    """All charts but those of responses over variables."""
    for curves, targets in curve_groups(analysis)[:MOST_CURVES]:
        yield partial(curves_chart, analysis, columns, curves, targets)
    if analysis.results.is_by_derivatives:
        return
    yield from _of_method(analysis, columns, variants)
    if len(analysis.names) > 1 and not analysis.study.traits.is_listed:
        for place in analysis.apart[:MOST_TORNADOS]:
            yield partial(tornado, analysis, columns, place)


def _of_method(analysis: StudyAnalysis, columns: DrawnColumns, variants: VariantCharts) -> Iterator[Draw]:
    """What one method alone has."""
    traits = analysis.study.traits
    if traits.is_multi_objective:
        for first, second in list(combinations(analysis.goals, 2))[:MOST_FRONTS]:
            yield partial(variants.against, first, second)
    elif traits.is_search:
        yield variants.convergence
    elif traits.is_production:
        for place in analysis.apart[:MOST_HISTOGRAMS]:
            yield partial(histogram, analysis, columns, place)
    elif traits.is_listed:
        for place in analysis.apart:
            yield partial(compared, analysis, columns, place)


def _pairs(analysis: StudyAnalysis) -> list[tuple[int, int]]:
    """Every response with every variable, the strongest effects first, goals before the others of the same rank."""
    ranked = []
    for rank, response in enumerate(analysis.apart):
        strength = analysis.strength[:, response]
        order = sorted(range(len(strength)), key=lambda k: -strength[k])
        ranked += [(place, rank, response, k) for place, k in enumerate(order) if strength[k] > NOTHING]
    return [(response, variable) for _, _, response, variable in sorted(ranked)]


def _box(number: int) -> Box:
    row, place = divmod(number, ACROSS)
    top, left = FIRST_ROW + row * (ROWS + 1), 1 + place * (COLUMNS + GUTTER)
    return top, left, top + ROWS - 1, left + COLUMNS - 1


def _remark(variants: VariantCharts, drawn: int, pairs: int) -> str:
    pieces = []
    if drawn < pairs:
        pieces.append(
            f"The charts show the {drawn} pairs of response and variable with the strongest effects, of {pairs:,}."
        )
    if variants.are_thinned:
        pieces.append(f"At most {MOST_DOTS:,} variants are drawn as dots.")
    return " ".join([*pieces, f"The numbers behind the charts are on {STUDY_CURVES}."])
