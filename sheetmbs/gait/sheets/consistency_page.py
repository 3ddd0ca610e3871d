"""The page `mbs Gait consistency`: all strides overlaid, those that stay out of means in grey with the reason."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from sheetmbs.gait.sheets.charted_columns import KINDS
from sheetmbs.gait.sheets.gait_columns import ANGLES
from sheetmbs.gait.sheets.gait_presentation import GaitPresentation
from sheetmbs.gait.sheets.report_charts import axis_words
from sheetmbs.gait.strides.representative import MAX_DEVIATIONS, StrideDistance, stride_distances
from sheetmbs.gait.strides.strides import Stride
from sheetmbs.gait.trial.gait_book import Side
from sheetmbs.problems.errors import Problem
from sheetmbs.workbook.sheets.list_pages import Listed, plain_listing
from sheetmbs.workbook.sheets.page_contents import AxisText, Page, PageChart, PageLine, SummaryValue
from sheetmbs.workbook.sheets.sheet_contents import GAIT_CONSISTENCY

HEADS = ("side", "stride", "trial", "start", "end", "distance", "in means", "reason")
UNITS = ("", "", "", "s", "s", "deg", "", "")
WIDTHS = (9.0, 9.0, 16.0, 11.0, 11.0, 11.0, 10.0, 52.0)
OUT = "#B5B8BE"
"""colour of strides that stay out of means"""
THIN, FIRST_COLUMN, CHART_ROWS, CHART_COLUMNS = 1.0, 10, 17, 5
BESIDE = 10.0
"""width of the columns under charts, digits"""
ESTIMATED = "begins or ends with an estimated strike, and this side has strides between measured ones"
NOT_CHOSEN = "not the representative stride of its side (strides on Processing)"
NOT_WHOLE = "its angles are not known throughout"
NEAREST = "the representative stride: nearest to the median curves"
FAR_AWAY = (
    f"more than {MAX_DEVIATIONS:g} median absolute deviations farther from the median than others; it stays in means"
)
ORDER: tuple[Side, ...] = ("left", "right")


def consistency_page(gait: GaitPresentation) -> Page | None:
    """A row for each stride, and a chart of each joint and side; None without strides."""
    if not gait.strides:
        return None
    listed = Listed("", HEADS, tuple(_rows(gait)), UNITS, own=(3, 4, 5))
    page = plain_listing(GAIT_CONSISTENCY, [listed], widths=WIDTHS)
    charts = tuple(_charts(gait))
    extra = (BESIDE,) * (FIRST_COLUMN - 1 - len(WIDTHS) + CHART_COLUMNS * len(KINDS))
    return replace(page, widths=(*page.widths, *extra), charts=charts)


def far_strides(gait: GaitPresentation, cell: str) -> Iterator[Problem]:
    """A note for each stride that lies far from the others of its side. cell: of the sheet that the notes are about."""
    for each in stride_distances(gait.trials, gait.book.processing.points):
        if each.is_far:
            number = gait.of_side(each.stride.side).index(_same(gait, each.stride)) + 1
            found = f"stride {number} of the {each.stride.side} side{_of_trial(each.stride)}"
            problem = f"{np.degrees(each.distance):.1f} deg from the median curves, far from the others"
            yield Problem("far-stride", "note", cell, found, problem, f"look at it on {GAIT_CONSISTENCY}")


def representative_items(gait: GaitPresentation) -> Iterator[tuple[str, str]]:
    """Side, and which stride is the most representative one, where means are of it alone."""
    if gait.book.processing.strides != "representative":
        return
    for each in stride_distances(gait.trials, gait.book.processing.points):
        if each.is_nearest:
            number = gait.of_side(each.stride.side).index(_same(gait, each.stride)) + 1
            yield each.stride.side, f"stride {number}{_of_trial(each.stride)} (Sangeux and Polak 2015)"


def _of_trial(stride: Stride) -> str:
    return f" in {stride.name}" if stride.name else ""


def _same(gait: GaitPresentation, stride: Stride) -> Stride:
    return next(
        each
        for each in gait.strides
        if (each.trial, each.side, each.start) == (stride.trial, stride.side, stride.start)
    )


def _rows(gait: GaitPresentation) -> Iterator[tuple[SummaryValue, ...]]:
    whole = tuple(replace(each, left_out=()) for each in gait.trials)
    distances = {
        (each.stride.trial, each.stride.side, each.stride.start): each
        for each in stride_distances(whole, gait.book.processing.points)
    }
    for side in ORDER:
        for number, stride in enumerate(gait.of_side(side), start=1):
            found = distances.get((stride.trial, side, stride.start))
            distance = None if found is None else float(np.degrees(found.distance))
            counts = "yes" if stride.counts else "no"
            yield side, number, stride.name, stride.start, stride.end, distance, counts, _reason(gait, stride, found)


def _reason(gait: GaitPresentation, stride: Stride, found: StrideDistance | None) -> str:
    if not stride.counts:
        was_chosen = (stride.side, stride.start) in gait.trials[stride.trial].left_out
        return NOT_CHOSEN if was_chosen and found is not None else ESTIMATED
    if found is None:
        return NOT_WHOLE
    if found.is_far:
        return FAR_AWAY
    return NEAREST if found.is_nearest else ""


def _charts(gait: GaitPresentation) -> Iterator[PageChart]:
    how = gait.book.processing
    colors = {"left": f"#{how.colour_left.lstrip('#')}", "right": f"#{how.colour_right.lstrip('#')}"}
    sides = [side for side in ORDER if gait.of_side(side)]
    for row, side in enumerate(sides):
        strides = gait.of_side(side)
        for place, kind in enumerate(KINDS):
            joint = gait.of_kind(kind, side)
            curves = None if joint is None else gait.curves.get((joint.label, "angle"))
            if joint is None or curves is None:
                continue
            numbered = [
                (number, stride)
                for number, stride in enumerate(strides, start=1)
                if np.isfinite(curves.values[number - 1]).any()
            ]
            # those that count are drawn last, over the grey ones
            lines = tuple(
                PageLine(
                    f"{ANGLES}!percent",
                    f"{ANGLES}!{joint.label}.angle.{number}",
                    f"{number}",
                    colors[side] if stride.counts else OUT,
                    "solid",
                    THIN,
                )
                for number, stride in sorted(numbered, key=lambda each: each[1].counts)
            )
            left = FIRST_COLUMN + place * CHART_COLUMNS
            box = (1 + row * CHART_ROWS, left, (row + 1) * CHART_ROWS, left + CHART_COLUMNS - 1)
            title = f"{side.capitalize()} {kind}: {len(lines)} strides"
            shown = gait.signs.angle(joint)
            doc = f"all strides of the {side} {kind}, those that stay out of means in grey"
            yield PageChart(
                title, AxisText("% of stride"), AxisText(axis_words(shown), (0.0,)), lines, box, doc, is_small=True
            )
