"""The sheet `mbs Tyre data`: every point of Tyre data in SI and ISO axes, with what the tyre does there."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from sheetmbs.elements.result_column import ResultColumn, ResultQuantity
from sheetmbs.engine.records import Floats
from sheetmbs.schema.table import Table, TextColumn
from sheetmbs.suspension.layout.car_tyres import FittedTyre
from sheetmbs.suspension.sheets.tyre_page import ShownTyre
from sheetmbs.tyres.tyre import ALPHA, GAMMA, KAPPA, LOAD, TyreResponse
from sheetmbs.workbook.sheets.sheet_contents import TYRE_POINTS

STATE = (
    ("fz", "N", "vertical load"),
    ("alpha", "rad", "slip angle, ISO 8855"),
    ("kappa", "1", "slip ratio"),
    ("gamma", "rad", "camber angle, + when the top leans to the right"),
    ("pressure", "Pa", "inflation pressure"),
    ("speed", "m/s", "speed"),
)
MEASURED = (
    ("fx_data", "N", "longitudinal force as given"),
    ("fy_data", "N", "lateral force as given, in ISO axes"),
    ("mz_data", "N*m", "aligning moment as given, in ISO axes"),
)
FOUND = (
    ("fx", "N", "longitudinal force, + forward"),
    ("fy", "N", "lateral force, + to the left"),
    ("mz", "N*m", "aligning moment about the vertical, + to the left"),
    ("mx", "N*m", "overturning moment about the heading"),
    ("my", "N*m", "rolling resistance moment"),
    ("kxk", "N", "slip stiffness dFx/dkappa at no slip"),
    ("kya", "N/rad", "cornering stiffness dFy/dalpha at no slip, below 0"),
    ("re", "m", "effective rolling radius"),
    ("rl", "m", "loaded radius"),
    ("sigma_x", "m", "relaxation length of longitudinal slip"),
    ("sigma_y", "m", "relaxation length of lateral slip"),
)
PARTIALS = (
    ("dfx_dkappa", "N", "exact derivative of fx by kappa", "fx", KAPPA),
    ("dfy_dalpha", "N/rad", "exact derivative of fy by alpha", "fy", ALPHA),
    ("dfy_dgamma", "N/rad", "exact derivative of fy by gamma", "fy", GAMMA),
    ("dfy_dfz", "1", "exact derivative of fy by fz", "fy", LOAD),
    ("dmz_dalpha", "N*m/rad", "exact derivative of mz by alpha", "mz", ALPHA),
)
OUTSIDE = ("extrapolated", "", "1 where an input lies beyond the ranges of the tyre: the nearest within was taken")


def evaluated_points(fitted: FittedTyre) -> TyreResponse:
    """What a tyre does at its points, without mirroring and with derivatives."""
    return fitted.tyre.evaluate(_states(fitted), derivatives=True)


def _states(fitted: FittedTyre) -> Floats:
    tyre = fitted.tyre
    return np.array(
        [
            (
                *(point.kappa, point.alpha, point.gamma, point.load),
                tyre.pressure if point.pressure is None else point.pressure,
                tyre.speed if point.speed is None else point.speed,
            )
            for point in fitted.points
        ]
    ).reshape(-1, 6)


def tyre_points_table(shown: Sequence[ShownTyre]) -> Table | None:
    """The table; None where no point is given. Its first and last columns hold texts: the tyre and the sweep."""
    given = [each for each in shown if each.fitted.points]
    if not given:
        return None
    rows = np.vstack([_rows(each.fitted) for each in given])
    columns = [("tyre", "", "name of the tyre, after that of a further design"), *STATE, *MEASURED, *FOUND]
    columns += [each[:3] for each in PARTIALS]
    columns += [OUTSIDE, ("sweep", "", "the label of Tyre data")]
    counted = np.arange(1.0, len(rows) + 1.0)[:, np.newaxis]
    values = np.hstack((counted, rows, np.full((len(rows), 1), np.nan)))
    kept = [k for k, each in enumerate(columns) if each not in MEASURED or np.isfinite(values[:, k]).any()]
    names = [each.name for each in given for _point in each.fitted.points]
    sweeps = [point.sweep for each in given for point in each.fitted.points]
    return Table(
        TYRE_POINTS,
        tuple(columns[k][0] for k in kept),
        tuple(columns[k][1] for k in kept),
        values[:, kept],
        declared=tuple(ResultColumn(columns[k][0], columns[k][2], (ResultQuantity(columns[k][1]),)) for k in kept),
        texts={0: TextColumn(names), len(kept) - 1: TextColumn(sweeps)},
    )


def _rows(fitted: FittedTyre) -> Floats:
    """The numbers of all points of a tyre; NaN where a cell stays blank."""
    response = evaluated_points(fitted)
    states = _states(fitted)[:, [LOAD, ALPHA, KAPPA, GAMMA, 4, 5]]
    measured = np.array([[p.fx, p.fy, p.mz] for p in fitted.points], dtype=float)
    partials = np.stack([response.partial(force, place) for *_names, force, place in PARTIALS], axis=-1)
    outside = response.outside[:, np.newaxis].astype(float)
    found = np.hstack((states, measured, response.forces, response.geometry, partials, outside))
    return np.where(np.isfinite(found), found, np.nan)
