"""What springs and bars do against roll: their work per angle along the motion in which both wheels stay on the road."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from sheetmbs.engine.records import Floats
from sheetmbs.schema.suspension_inputs import SpringKind
from sheetmbs.suspension.metrics.declared_metric import Metric
from sheetmbs.suspension.metrics.metric_contexts import AxlePoses

MOMENT = "N*m"
BARS = (SpringKind.U_BAR, SpringKind.T_BAR)


def _of(*, bars: bool, springs: bool) -> Callable[[AxlePoses], Floats | None]:
    """sum_e F_e (l_e,L V_L + l_e,R V_R), F tension, V travel per roll, N m."""

    def moment(of: AxlePoses) -> Floats | None:
        if of.stiffness is None:
            return None
        found = np.zeros(of.count)
        for part in of.elements:
            if bars if part.kind in BARS else springs:
                found = found + part.force * np.sum(part.length.first * of.roll_motion, axis=1)
        return found

    return moment


ROLL_MOMENTS: tuple[Metric[AxlePoses], ...] = (
    Metric(
        "roll_moment",
        "sum F dl/droll of all elements",
        "rights a body that leans right",
        MOMENT,
        _of(bars=True, springs=True),
    ),
    Metric(
        "roll_moment_springs",
        "the part of springs and stops",
        "rights a body that leans right",
        MOMENT,
        _of(bars=False, springs=True),
    ),
    Metric(
        "roll_moment_bar", "the part of bars", "rights a body that leans right", MOMENT, _of(bars=True, springs=False)
    ),
)
