"""Whether the rates of a motion mean something."""

from __future__ import annotations

from sheetmbs.elements.analyses import Analysis
from sheetmbs.model.model import Model, Motion, Quadratic


def has_rates(model: Model) -> bool:
    """Whether the rates of a motion are meant.

    In a kinematic analysis they are where a driver has a velocity or acceleration, or motion was measured. An expression or
    a curve alone runs through positions, at a speed that stands for nothing.
    """
    if model.settings.analysis != Analysis.KINEMATIC:
        return True
    return any(
        driver.guiding or (isinstance(driver.motion, Quadratic) and not holds(driver.motion))
        for driver in model.drivers
    )


def holds(motion: Motion) -> bool:
    """Whether a driver keeps what it drives where it is."""
    return isinstance(motion, Quadratic) and motion.velocity == 0.0 and motion.acceleration == 0.0
