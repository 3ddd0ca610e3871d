"""The second check of a whole body: power of joints and ground against the rate of its energy."""

from __future__ import annotations

import numpy as np

from sheetmbs.gait.joint_courses import is_whole_body
from sheetmbs.gait.kinetics.joint_loads import JointLoads, energy_error
from sheetmbs.gait.quality.solved_body import SolvedBody
from sheetmbs.gait.signals.derivatives import derivatives


def unexplained_power(body: SolvedBody) -> float | None:
    """Root mean square in W of what neither joints nor ground do; None without a whole body in the plane."""
    loads, residual = body.solved.loads, body.courses.residual
    if not isinstance(loads, JointLoads) or residual is None or not is_whole_body(body.book):
        return None
    rate, kind = body.courses.rate, body.book.processing.derivative
    segments = list(body.solved.motion.segments.values())
    error = energy_error(segments, loads, lambda energy: derivatives(energy[None], rate, kind)[0][0])
    inside = error[np.isfinite(error) & np.isfinite(residual["fy"]) & body.inside]
    return float(np.sqrt(np.mean(inside**2))) if len(inside) else None
