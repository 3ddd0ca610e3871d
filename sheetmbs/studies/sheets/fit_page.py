"""The sheet `mbs Fit`: the page to print, with both tables in short, correlations, and each measurement before and after."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from sheetmbs.studies.fitting.found_fit import FittedMeasurement, FoundFit
from sheetmbs.studies.sheets.drawn_columns import DrawnColumns
from sheetmbs.studies.sheets.fit_words import close_pairs, fit_answer, further_sentence
from sheetmbs.studies.sheets.study_words import axis_title
from sheetmbs.studies.study_book import StudyBook
from sheetmbs.workbook.sheets.list_pages import Listed, summary_listing
from sheetmbs.workbook.sheets.page_contents import AxisText, Page, PageChart, PageLine, SummaryValue
from sheetmbs.workbook.sheets.sheet_contents import FIT

BLUE, GREY, INK = "#0072B2", "#B9C0CB", "#111111"
MOST_CHARTS, CHART_ROWS, CHART_COLUMNS = 12, 16, 5
MOST_DIRECTIONS = 30
MOST_CORRELATED = 30
"""variables whose correlations are shown as a matrix"""
BESIDE = 9
"""columns of that matrix side by side: the table of variables has as many beside its names"""


def fit_page(fit: FoundFit, study: StudyBook, columns: DrawnColumns) -> Page:
    """The page. columns: receive what its charts draw."""
    further = further_sentence(fit, study)
    sentences = [*fit_answer(fit, study), *([further] if further else []), fit.slopes]
    blocks = [_variables(fit, study), _directions(fit), _measurements(fit)]
    pairs = close_pairs(fit)
    if pairs:
        names = [each.name for each in study.variables]
        rows = tuple((names[a], names[b], _shown(value)) for a, b, value in pairs)
        blocks.append(Listed("Correlations above 0.95", ("variable", "with", "correlation"), rows))
    if 1 < len(study.variables) <= MOST_CORRELATED:
        blocks += _matrix(fit, study)
    page = replace(summary_listing(FIT, "Fit", sentences, blocks), is_active=False)
    return _with_charts(page, [each for each in fit.measurements if each.over][:MOST_CHARTS], columns)


def _shown(value: float) -> SummaryValue:
    return float(value) if np.isfinite(value) else None


def _variables(fit: FoundFit, study: StudyBook) -> Listed:
    heads = ("variable", "unit", "before", "after", "sd", "low_95", "high_95", "prior_share", "bound", "note")
    known = fit.estimate
    rows = tuple(
        (
            *(variable.name, variable.unit, _shown(fit.space.start[k]), _shown(fit.values[k]), _shown(known.sd[k])),
            *(_shown(known.low_95[k]), _shown(known.high_95[k]), _shown(100.0 * known.prior_share[k])),
            *(fit.bounds[k], fit.notes[k]),
        )
        for k, variable in enumerate(study.variables)
    )
    return Listed("Variables", heads, rows, ("",) * 7 + ("%", "", ""), own=(2, 3, 4, 5, 6))


def _directions(fit: FoundFit) -> Listed:
    order = sorted(fit.directions, key=lambda each: each.found.singular_value)[:MOST_DIRECTIONS]
    rows = tuple(
        (int(each.name), each.found.verdict, _shown(each.found.singular_value), _shown(each.found.share), each.words)
        for each in order
    )
    heads = ("direction", "verdict", "singular_value", "share", "words")
    return Listed("Directions, those seen worst first", heads, rows, own=(2, 3))


def _measurements(fit: FoundFit) -> Listed:
    names = ("n", "rms_before", "rms_after", "rms_over_sd", "leverage", "left_out", "runs_p")
    rows = tuple(
        (each.name, each.unit, *(_shown(float(getattr(each, name))) for name in names)) for each in fit.measurements
    )
    return Listed("Measurements", ("measurement", "unit", *names), rows, own=tuple(range(3, 9)))


def _matrix(fit: FoundFit, study: StudyBook) -> Iterator[Listed]:
    """Correlations, of so many variables side by side that the page is not wider than its tables."""
    names = [each.name for each in study.variables]
    correlation = fit.estimate.correlation
    for first in range(0, len(names), BESIDE):
        some = slice(first, first + BESIDE)
        rows = tuple((name, *(_rounded(value) for value in correlation[k, some])) for k, name in enumerate(names))
        title = f"Correlation with {names[some][0]} to {names[some][-1]}" if len(names) > BESIDE else "Correlation"
        yield Listed(title, ("", *names[some]), rows, is_toned=True)


def _rounded(value: float) -> SummaryValue:
    return round(float(value), 3) if np.isfinite(value) else None


def _with_charts(page: Page, measured: Sequence[FittedMeasurement], columns: DrawnColumns) -> Page:
    charts, first = [], page.size[0] + 2
    for number, each in enumerate(measured):
        row, place = divmod(number, 2)
        top, left = first + row * (CHART_ROWS + 1), 1 + place * CHART_COLUMNS
        charts.append(_chart(each, columns, (top, left, top + CHART_ROWS - 1, left + CHART_COLUMNS - 1)))
    rows = page.size[0] + (-(-len(charts) // 2)) * (CHART_ROWS + 1) + 1 if charts else page.size[0]
    across = max(page.size[1], 2 * CHART_COLUMNS if len(charts) > 1 else page.size[1])
    widths = (*page.widths, *(10.0,) * (across - len(page.widths)))
    return replace(page, charts=tuple(charts), size=(rows, across), widths=widths)


def _chart(own: FittedMeasurement, columns: DrawnColumns, box: tuple[int, int, int, int]) -> PageChart:
    order = np.argsort(own.x, kind="stable")
    x = columns.add(f"{own.over} of {own.name}", own.over_unit, own.x[order])
    lines = [
        PageLine(
            x, columns.add(f"{own.name} {what}", own.unit, data[order]), what, color, width=width, dot=dot, dash=dash
        )
        for what, data, color, width, dot, dash in (
            ("measured", own.measured, INK, 0.0, 5, "solid"),
            ("before", own.before, GREY, 1.5, 0, "dash"),
            ("after", own.after, BLUE, 2.0, 0, "solid"),
        )
    ]
    title = f"{own.name}: {own.of}" + (f" in {own.case}" if own.case else "")
    return PageChart(
        title,
        AxisText(axis_title(own.over, own.over_unit)),
        AxisText(axis_title(own.of, own.unit)),
        tuple(lines),
        box,
        f"{own.of} as measured, and as computed before and after the fit",
    )
