"""Charts of bars: how strong each variable is for a response, and how many variants lie where."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from sheetmbs.studies.sheets.drawn_columns import DrawnColumns
from sheetmbs.studies.sheets.drawn_variants import BLUE, ORANGE
from sheetmbs.studies.sheets.study_statistics import StudyAnalysis
from sheetmbs.studies.sheets.study_words import axis_title, capital, said, said_change
from sheetmbs.studies.statistics.sample_statistics import counted_bins
from sheetmbs.studies.study_book import Floats
from sheetmbs.workbook.sheets.page_contents import AxisText, Box, PageChart, PageLine, paler

MOST_BARS = 12
LEAST_COMPARED, ROOM = 2, 1.2
LETTERS = 60
"""of labels that have room side by side"""


def tornado(analysis: StudyAnalysis, columns: DrawnColumns, response: int, box: Box) -> PageChart | None:
    """The effects of all variables on a response, the strongest on top; of a sensitivity study its indices."""
    name = analysis.study.responses[response].name
    indices = next((each for each in analysis.results.indices if each.response == name), None)
    if indices is not None:
        return _indices(analysis, columns, name, indices.first, indices.total, box)
    if analysis.study.traits.effects == "single changes":
        return _at_both_ends(analysis, columns, response, box)
    effects = analysis.effects[:, response]
    order = _strongest(np.abs(effects))
    if not len(order):
        return None
    unit = analysis.study.responses[response].unit
    x = columns.add_texts(f"effects on {name}", [analysis.names[k] for k in order])
    y = columns.add(f"effect on {name}", unit, effects[order])
    notes = tuple(said_change(value) for value in effects[order])
    line = PageLine(x, y, "effect", BLUE, notes=notes)
    title = f"Change of {name} over the range of each variable"
    return _bars(title, _with_room(f"change of {name}", unit, effects[order]), [line], box)


def _at_both_ends(analysis: StudyAnalysis, columns: DrawnColumns, response: int, box: Box) -> PageChart | None:
    """The change of a response at both ends of each variable."""
    name, unit = analysis.study.responses[response].name, analysis.study.responses[response].unit
    base = analysis.responses[0, response]
    ends = np.array([analysis.changes(k).responses[[0, -1], response] for k in range(len(analysis.names))]) - base
    order = _strongest(np.nan_to_num(np.abs(ends)).max(axis=1))
    if not len(order):
        return None
    x = columns.add_texts(f"effects on {name}", [analysis.names[k] for k in order])
    low, high = (
        columns.add(f"change of {name} at {word}", unit, ends[order, k]) for k, word in enumerate(("low", "high"))
    )
    lines = [PageLine(x, low, "at the low end", paler(BLUE, 0.5)), PageLine(x, high, "at the high end", BLUE)]
    is_apart = bool((ends[order, 0] * ends[order, 1] > 0.0).any())
    title = f"Change of {name} at both ends of each variable"
    return _bars(title, AxisText(axis_title(f"change of {name}", unit), (0.0,)), lines, box, is_apart=is_apart)


def _indices(
    analysis: StudyAnalysis, columns: DrawnColumns, name: str, first: Floats, total: Floats, box: Box
) -> PageChart | None:
    order = _strongest(total)
    if not len(order):
        return None
    x = columns.add_texts(f"indices of {name}", [analysis.names[k] for k in order])
    lines = [
        PageLine(x, columns.add(f"total index of {name}", "", total[order]), "total", paler(BLUE, 0.5)),
        PageLine(x, columns.add(f"first index of {name}", "", first[order]), "by itself", BLUE),
    ]
    title = f"Sobol indices of {name}"
    return _bars(title, AxisText("share of its variance", (0.0, 1.0)), lines, box, is_apart=True)


def _bars(title: str, upward: AxisText, lines: Sequence[PageLine], box: Box, *, is_apart: bool = False) -> PageChart:
    doc = f"{title}: bars from top to bottom"
    return PageChart(title, AxisText(""), upward, tuple(lines), box, doc, "bars" if is_apart else "bar")


def histogram(analysis: StudyAnalysis, columns: DrawnColumns, response: int, box: Box) -> PageChart | None:
    """How many variants lie where, those beyond a limit in another colour."""
    asked, column = analysis.study.responses[response], analysis.responses[1:, response]
    bins = counted_bins(column, analysis.within(response)[1:], asked.value if asked.is_limit else None)
    if bins is None:
        return None
    columns.add(f"{asked.name}, middles", asked.unit, bins.middles)
    labels = [said(middle) for middle in bins.middles]
    every = -(-len(labels) * max(map(len, labels)) // LETTERS)
    x = columns.add_texts(f"{asked.name}, labels", [label if k % every == 0 else "" for k, label in enumerate(labels)])
    within = PageLine(x, columns.add(f"{asked.name}, within", "", bins.inside), "within limits", BLUE)
    beyond = PageLine(x, columns.add(f"{asked.name}, beyond", "", bins.outside), "beyond", ORANGE)
    lines = (within, beyond) if asked.is_limit else (within,)
    title = f"Distribution of {asked.name}"
    doc = f"{title}: how many variants lie in each range"
    return PageChart(
        title, AxisText(_limited(analysis, response)), AxisText("variants", (0.0,)), lines, box, doc, "stacked"
    )


def compared(analysis: StudyAnalysis, columns: DrawnColumns, response: int, box: Box) -> PageChart | None:
    """A response of the workbook as it is and of listed variants, a bar each."""
    asked, column = analysis.study.responses[response], analysis.responses[:, response]
    numbers = [int(number) for number in np.flatnonzero(np.isfinite(column))[: MOST_BARS + 1]]
    if len(numbers) < LEAST_COMPARED:
        return None
    names = analysis.results.variants.names
    x = columns.add_texts("variants", [names.get(n) or (f"variant {n}" if n else "as it is") for n in numbers])
    y = columns.add(f"{asked.name} of each", asked.unit, column[numbers])
    line = PageLine(x, y, asked.name, BLUE, notes=tuple(said(column[n]) for n in numbers))
    room = _with_room(asked.name, asked.unit, column[numbers])
    return _bars(capital(asked.name), replace(room, title=_limited(analysis, response)), [line], box)


def _limited(analysis: StudyAnalysis, place: int) -> str:
    """The title of an axis of a response, with its limits and targets."""
    response = analysis.study.responses[place]
    return ", ".join((axis_title(response.name, response.unit), *analysis.marks(place)))


def _with_room(name: str, unit: str, values: Floats) -> AxisText:
    """An axis from zero on, with room for the numbers at the ends of bars."""
    ends = min(float(values.min()), 0.0), max(float(values.max()), 0.0)
    return AxisText(axis_title(name, unit), tuple(ROOM * end for end in ends))


def _strongest(sizes: Floats) -> NDArray[np.int64]:
    """Places of the largest ones that are known and not nothing, the largest first."""
    known = np.nan_to_num(sizes)
    order = np.argsort(-known, kind="stable")[:MOST_BARS]
    return order[known[order] > 0.0]
