"""The g-g surface over speed, drawn as a net in oblique projection: rings of equal speed, and ribs from ring to ring.

ay goes across, ax back to the right, the speed upward:

    across = ay/g + BACK_ACROSS ax/g      upward = BACK_UPWARD ax/g + H (V - V0)/(V1 - V0),    H as the rings are wide
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from sheetmbs.engine.records import Floats
from sheetmbs.suspension.handling.handling_table import ChartCurve

BACK_ACROSS, BACK_UPWARD = 0.45, 0.35
"""of what goes back, as cabinet drawings have it: about half its length, at some 40 deg"""
SLIMMER = 0.8
"""height of the drawing over its width"""
RIB_EVERY = 4
"""points of a ring"""
LEAST_SPEEDS = 2
SURFACE_AXES = ("ay/g, and ax/g back to the right", "speed, from the slowest to the fastest")


def surface_curves(speed: Floats, rings: Sequence[ChartCurve]) -> tuple[ChartCurve, ...]:
    """The net of closed curves at several speeds, m/s, whose points belong together by their order; none for one speed."""
    order = np.argsort(speed)
    if len(order) < LEAST_SPEEDS or len({len(ring.x) for ring in rings}) > 1:
        return ()
    fast = speed[order]
    ay, ax = np.array([rings[row].x for row in order]), np.array([rings[row].y for row in order])
    if not np.isfinite(ay).any():
        return ()
    height = SLIMMER * (np.nanmax(ay) - np.nanmin(ay))
    level = height * (fast - fast[0]) / (fast[-1] - fast[0])
    across, upward = ay + BACK_ACROSS * ax, BACK_UPWARD * ax + level[:, None]
    found = [
        ChartCurve("constant speed", across[row], upward[row], f"{3.6 * fast[row]:.0f} km/h")
        for row in range(len(fast))
    ]
    ribs = range(0, ay.shape[1] - 1, RIB_EVERY)
    found += [ChartCurve("share of the limit of ay", across[:, at], upward[:, at]) for at in ribs]
    return tuple(found)
