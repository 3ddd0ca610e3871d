"""Charts of curves: columns of the kept variants over each other, with the target curve."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from sheetmbs.studies.sheets.drawn_columns import DrawnColumns
from sheetmbs.studies.sheets.drawn_variants import BLUE, DARK, ORANGE
from sheetmbs.studies.sheets.study_statistics import StudyAnalysis
from sheetmbs.studies.study_results import KeptCurve, TargetCurve
from sheetmbs.workbook.charts.axes import pretty_unit
from sheetmbs.workbook.charts.styled_charts import PALETTE
from sheetmbs.workbook.sheets.page_contents import AxisText, Box, PageChart, PageLine, paler

THIN, STRONG = 0.75, 2.25
TARGET = "#111111"
TOLD_APART = 5
"""variants that have a colour and a name each"""


def curve_groups(told: StudyAnalysis) -> list[tuple[list[KeptCurve], list[TargetCurve]]]:
    """Curves that are drawn together: of one column over another in one case; those with targets first."""
    targets = {each.response: each for each in told.results.targets}
    groups: dict[tuple[str, str, str], list[KeptCurve]] = {}
    for curve in told.results.curves:
        groups.setdefault((curve.case, curve.x_name, curve.y_name), []).append(curve)
    found = []
    for curves in groups.values():
        responses = dict.fromkeys(curve.response for curve in curves)
        once = {curve.variant: curve for curve in reversed(curves)}
        sought = [targets[name] for name in responses if name in targets]
        found.append(([once[number] for number in sorted(once)], sought))
    return sorted(found, key=lambda group: not group[1])


def curves_chart(
    told: StudyAnalysis, columns: DrawnColumns, curves: Sequence[KeptCurve], targets: Sequence[TargetCurve], box: Box
) -> PageChart | None:
    """The chart; None where no curve has two points."""
    if all(np.isfinite(curve.y).sum() < 2 for curve in curves):
        return None
    first = curves[0]
    lines = [*_lines(told, columns, curves), *_targets(columns, targets, first)]
    cases = {curve.case for curve in told.results.curves}
    of_case = f", {first.case}" if len(cases) > 1 else ""
    title = f"{first.y_name} over {first.x_name}{of_case}"
    across, upward = (
        AxisText(f"{name} [{pretty_unit(unit)}]" if unit else name)
        for name, unit in ((first.x_name, first.x_unit), (first.y_name, first.y_unit))
    )
    return PageChart(title, across, upward, tuple(lines), box, f"{title} of {len(curves)} variants")


def _lines(told: StudyAnalysis, columns: DrawnColumns, curves: Sequence[KeptCurve]) -> Iterator[PageLine]:
    """Pale ones below, then the workbook as it is, the best on top."""
    best = told.improved
    others = [curve for curve in curves if curve.variant not in (0, best)]
    colors = [color for color in PALETTE if color not in (ORANGE, PALETTE[-1])]
    for k, curve in enumerate(others):
        x, y = _added(columns, curve)
        if len(others) <= TOLD_APART:
            name = told.results.variants.names.get(curve.variant) or f"variant {curve.variant}"
            yield PageLine(x, y, name, colors[k % len(colors)], width=1.5)
        else:
            yield PageLine(x, y, "other variants", paler(BLUE, 0.55), width=THIN, is_named=not k)
    held = {curve.variant: curve for curve in curves}
    if 0 in held:
        yield PageLine(*_added(columns, held[0]), "as it is", DARK, "dash", 1.75)
    if best in held:
        yield PageLine(*_added(columns, held[best]), f"best ({best})", ORANGE, width=STRONG)


def _added(columns: DrawnColumns, curve: KeptCurve) -> tuple[str, str]:
    case = f" {curve.case}" if curve.case else ""
    x = columns.add(f"{curve.x_name}{case}", curve.x_unit, curve.x)
    return x, columns.add(f"{curve.y_name}{case} of {curve.variant}", curve.y_unit, curve.y)


def _targets(columns: DrawnColumns, targets: Sequence[TargetCurve], beside: KeptCurve) -> Iterator[PageLine]:
    for target in targets:
        x = columns.add(f"{beside.x_name}, target", beside.x_unit, target.x)
        y = columns.add(f"{beside.y_name}, target", beside.y_unit, target.y)
        yield PageLine(x, y, "target", TARGET, "square_dot", STRONG)
