"""The sheet `mbs Suspension Metrics`, what every column of the sweeps means, and the sheet `mbs Suspension Sensitivity`."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from sheetmbs.suspension.metrics.all_metrics import PREFIXES, declared_metrics
from sheetmbs.suspension.sensitivity.sensitivities import Sensitivities
from sheetmbs.suspension.sheets.words import label, shown_unit
from sheetmbs.workbook.sheets.list_pages import Listed, listing
from sheetmbs.workbook.sheets.page_contents import Page, SummaryValue
from sheetmbs.workbook.sheets.sheet_contents import SUSPENSION_METRICS, SUSPENSION_SENSITIVITY

HEADS = ("column", "name", "definition", "+ means", "unit", "relative to", "other programs")
WIDTHS = (26.0, 26.0, 52.0, 34.0, 10.0, 18.0, 36.0)
REMARK = (
    "W wheel centre, w outboard spin axis, C contact, n normal of the road, h heading, o outboard across it, k steering axis, "
    "v_C and omega velocities per unit of travel, s +1 left and -1 right; axes of ISO 8855."
)
REMARKS: dict[str, str] = {
    "roll about the ground": """The road turns about the line y = 0; OptimumK lets the body pivot about the moving roll axis.
The two differ by the heave h (1 - cos roll) alone: 0.03 mm at 2 deg for a roll centre 50 mm high.""",
    "roll centre": """roll_centre_height follows from the motion of the contact points, tie rod included; the columns
.._geometric follow from the planes of the arms, as many programs draw it. They differ by up to a tenth.""",
    "motion ratio": "Spring travel per wheel travel. Its inverse stands beside it as wheel_per_spring.",
    "designs": "Columns of further designs begin with the name of the design and a /, those of targets with target/.",
}


def suspension_metrics() -> Page:
    """Contents of the page of metrics."""
    rows = tuple(
        (
            f"{PREFIXES[group]}{metric.name.format('spring')}",
            label(metric.name.format("spring")).strip(),
            metric.definition,
            metric.sign,
            shown_unit(metric.unit),
            metric.reference,
            metric.others,
        )
        for group, metric in declared_metrics()
    )
    metrics = Listed("", HEADS, rows, wide=(2, 3, 6))
    remarks = Listed(
        "Remarks",
        ("on", "", "remark"),
        tuple((on, "", " ".join(remark.split())) for on, remark in REMARKS.items()),
        wide=(2,),
    )
    return listing(SUSPENSION_METRICS, "Metrics", REMARK, [metrics, remarks], widths=WIDTHS, one_head=True)


ABOUT_SENSITIVITY = (
    "Change of each metric at design per mm of a coordinate (ISO 8855: forward, left, up) of a hardpoint of the left side, "
    "whose mirror image moves with it, or of a member's length; members else have the lengths that the points give them."
)
SENSITIVITY_WIDTHS = (30.0, 12.0)


def suspension_sensitivity(found: Sequence[Sensitivities]) -> Page | None:
    """The page; None where nothing was asked for."""
    if not found:
        return None
    return listing(
        SUSPENSION_SENSITIVITY,
        "Sensitivities",
        ABOUT_SENSITIVITY,
        list(map(_block, found)),
        widths=SENSITIVITY_WIDTHS,
    )


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
