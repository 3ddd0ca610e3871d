"""The sheet `mbs Suspension Sensitivity`: how metrics at design change with every hardpoint coordinate and member length."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from sheetmbs.suspension.sensitivity.sensitivities import Sensitivities
from sheetmbs.suspension.sheets.words import shown_unit
from sheetmbs.workbook.sheets.list_pages import Listed, listing
from sheetmbs.workbook.sheets.page_contents import Page, SummaryValue
from sheetmbs.workbook.sheets.sheet_contents import SUSPENSION_SENSITIVITY

REMARK = (
    "Change of each metric at design per mm of a coordinate (ISO 8855: forward, left, up) of a hardpoint of the left side, "
    "whose mirror image moves with it, or of a member's length; members else have the lengths that the points give them."
)
WIDTHS = (30.0, 12.0)


def suspension_sensitivity(found: Sequence[Sensitivities]) -> Page | None:
    """The page; None where nothing was asked for."""
    if not found:
        return None
    return listing(SUSPENSION_SENSITIVITY, "Sensitivities", REMARK, [_block(each) for each in found], widths=WIDTHS)


def _block(found: Sensitivities) -> Listed:
    """A row for each metric of the left wheel and of the axle that any parameter changes."""
    rows: list[tuple[SummaryValue, ...]] = []
    for number, metric in enumerate(found.metrics):
        values = found.by[0, number]
        if metric.startswith(("FR.", "RR.")) or not np.any(np.isfinite(values)):
            continue
        told = (float(value) if np.isfinite(value) else None for value in values)
        rows.append((metric, f"{shown_unit(found.units[number])}/mm", *told))
    heads = ("metric", "unit", *(parameter.name for parameter in found.parameters))
    return Listed(f"{found.axle} axle", heads, tuple(rows))
