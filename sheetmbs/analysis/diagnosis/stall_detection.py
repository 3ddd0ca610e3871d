"""Whether the steps of an integration are long enough for it ever to end."""

from __future__ import annotations

ENOUGH = 100_000
"""steps after which their mean length tells how many are still to come"""
HOPELESS = 1e9
"""steps to come: days, even of a small model"""


class Pace:
    """Watches the steps of one integration. end: time at which it is to end."""

    def __init__(self, begin: float, end: float) -> None:
        self._end = end
        self._time, self._steps = begin, 0

    def is_hopeless(self, t: float, steps: int) -> bool:
        """Whether the last steps were so short that the end is out of reach. t, steps: reached and taken so far."""
        taken = steps - self._steps
        if taken < ENOUGH:
            return False
        mean = (t - self._time) / taken
        self._time, self._steps = t, steps
        return self._end - t > HOPELESS * mean
