"""The sheet `mbs Histogram`: how long each damper moves how fast, of poses that were logged over time."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from sheetmbs.engine.records import Floats
from sheetmbs.schema.table import Table
from sheetmbs.suspension.designs.design_list import DESIGN_SEPARATOR
from sheetmbs.suspension.layout.car import SIDES
from sheetmbs.suspension.metrics.metric import size
from sheetmbs.suspension.solved_design import SolvedDesign
from sheetmbs.workbook.sheets.sheet_contents import HISTOGRAM

BIN, SPEED = 25.0, "mm/s"
ROUNDING = 9
"""decimals of a bin, to which speeds are rounded: a damper that stands still is in the bin from 0"""
MAX_BINS = 400
"""up to which bins without a share have a row too"""


def damper_histogram(designs: Sequence[SolvedDesign]) -> Table | None:
    """Shares of time of damper speeds, + in compression; None where no sweep has times.

    Columns are those of corners; with several such sweeps the name of its sweep stands before them, and that of a further
    design before all.
    """
    shares = dict(_shares(designs))
    if not shares:
        return None
    bins = sorted({number for share in shares.values() for number in share})
    if bins[-1] - bins[0] < MAX_BINS:
        bins = list(range(bins[0], bins[-1] + 1))
    rows = [
        [BIN * number, BIN * (number + 1), *(share.get(number, 0.0) for share in shares.values())] for number in bins
    ]
    units = (SPEED, SPEED, *("%" for _column in shares))
    return Table(HISTOGRAM, ("speed_from", "speed_to", *shares), units, np.array(rows), decimals=2, repeated=2)


def _shares(designs: Sequence[SolvedDesign]) -> Iterator[tuple[str, Mapping[int, float]]]:
    """Of each column the % of time by number of the bin."""
    timed = list(dict.fromkeys(name for each in designs for name, plan in each.plans.items() if plan.time is not None))
    for design in designs:
        for name in timed:
            plan, table = design.plans.get(name), design.tables.get(name)
            if plan is None or plan.time is None or table is None:
                continue
            prefix = [*([design.name] if design.name else []), *([name] if len(timed) > 1 else [])]
            for axle in design.car.axles:
                for corner in map(axle.corner, SIDES):
                    column = f"{corner}.damper_length"
                    if column in table.columns:
                        at = table.columns.index(column)
                        share = time_shares(plan.time, table.values[:, at] * size(table.units[at]))
                        if share:
                            yield DESIGN_SEPARATOR.join((*prefix, corner)), share


def time_shares(time: Floats, length: Floats) -> Mapping[int, float]:
    """% of time by the number of the bin of speed. time: (n,) s. length: (n,) of a damper, m, NaN where it is not known.

    The speed between its neighbours, (l_(i-1) - l_(i+1))/(t_(i+1) - t_(i-1)), counts as long as half their distance.
    """
    lasted = time[2:] - time[:-2]
    speed = (length[:-2] - length[2:]) / lasted
    known = np.isfinite(speed)
    if not known.any():
        return {}
    number = np.floor(np.round(speed[known] / (BIN * size(SPEED)), ROUNDING)).astype(int)
    total = float(np.sum(lasted[known]))
    return {int(each): 100.0 * float(np.sum(lasted[known][number == each])) / total for each in np.unique(number)}
