"""Guided coordinates whose accelerations are mostly noise: measured data that nobody has filtered."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from sheetmbs.model.model import Driver, Series
from sheetmbs.problems.errors import Problem
from sheetmbs.schema.settings import STATIC_ANALYSES
from sheetmbs.workbook.reading.plausible.warning_view import View, warning

MIN_NOISE_SAMPLES = 30
"""samples that tell noise from motion"""
MIN_NOISE_SHARE = 0.5
"""share of noise in the mean square of second differences. Raw markers of a real trial have 0.5 in the middle, filtered at
6 to 30 Hz at most 0.16, and a filtered stride of only 34 samples 0.11"""
MIN_NOISE_ACCELERATION = 0.05
"""of gravity: what noise must amount to, to be felt; of the mean acceleration of the whole motion where there is none"""
MAX_STEP_DIFFERENCE = 1e-3
"""by which steps of time may differ: differences of uneven samples say nothing"""


def noisy_motion(view: View) -> Iterator[Problem]:
    """White noise of size s has 6 s^2 in second differences and 70 s^2 in fourth ones; smooth motion has next to none there."""
    if view.model.settings.analysis in STATIC_ANALYSES:
        return
    told = view.reported(("sample-lost", "angle-wraps", "sample-far-off"))
    known = {problem.cell.rstrip("0123456789") for problem in told}
    for driver in view.model.drivers:
        motion = driver.motion
        if not (driver.guiding and isinstance(motion, Series)) or driver.cell.rstrip("0123456789") in known:
            continue
        steps = np.diff(motion.times)
        if len(steps) < MIN_NOISE_SAMPLES or np.ptp(steps) > MAX_STEP_DIFFERENCE * np.mean(steps):
            continue
        fourth = float(np.mean(np.diff(motion.values, 4) ** 2))
        second = float(np.mean(np.diff(motion.values, 2) ** 2))
        share = 6.0 * fourth / (70.0 * second) if second > 0.0 else 0.0
        size = float(np.sqrt(fourth / 70.0))
        shaking = np.sqrt(6.0) * size / float(np.mean(steps)) ** 2
        if share <= MIN_NOISE_SHARE or shaking * _arm(driver, view) < MIN_NOISE_ACCELERATION * _usual(
            driver, motion, view
        ):
            continue
        unit, rate = ("rad", "rad/s^2") if _turns(driver) else ("m", "m/s^2")
        yield warning(
            "noisy-motion",
            driver.cell,
            f"{driver.name}: {100.0 * min(share, 1.0):.0f} % of its accelerations are noise, of {size:.2g} {unit} from sample "
            f"to sample, which makes {shaking:.3g} {rate}",
            "accelerations and forces of this motion are then mostly noise too",
            "filter the samples first with a zero-lag low-pass (Butterworth, forward and back), and give them with all digits",
        )


def _turns(driver: Driver) -> bool:
    return driver.is_angle


def _arm(driver: Driver, view: View) -> float:
    """The factor that turns an acceleration into one of points: the size of the mechanism for angles."""
    return (view.size or 1.0) if _turns(driver) else 1.0


def _usual(driver: Driver, motion: Series, view: View) -> float:
    """The acceleration against which noise is to be felt, m/s^2."""
    gravity = float(np.linalg.norm(view.model.settings.gravity))
    duration = float(motion.times[-1] - motion.times[0])
    return max(gravity, 4.0 * float(np.ptp(motion.values)) / duration**2 * _arm(driver, view))
