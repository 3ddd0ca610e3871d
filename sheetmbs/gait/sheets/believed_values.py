"""What sheets ask about the uncertainty of what they show, whoever finds it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Protocol

import numpy as np

from sheetmbs.gait.arrays import Vector
from sheetmbs.gait.sheets.gait_presentation import PresentedQuantity
from sheetmbs.gait.strides.strides import Stride
from sheetmbs.gait.strides.summary_items import SummaryItem


@dataclass(frozen=True)
class BelievedValue:
    """A value with its standard uncertainty. by_source: the variance that each source of error makes, in their order."""

    value: float
    by_source: Vector

    @property
    def u(self) -> float:
        """Standard uncertainty of the value: the root of its variance."""
        return float(np.sqrt(np.sum(self.by_source)))

    @property
    def shares(self) -> Vector:
        """The share of each source in the variance, in %; NaN where there is none."""
        total = float(np.sum(self.by_source))
        return 100.0 * self.by_source / total if total > 0.0 else np.full(len(self.by_source), np.nan)


@dataclass(frozen=True, eq=False)
class CurveReading:
    """Part of a value that is read off curves over strides: the sum of weights times values as they are shown.

    key: label and quantity. trial: its name. start, end: of the stride in s. weights: (points,).
    """

    key: tuple[str, str]
    trial: str
    start: float
    end: float
    weights: Vector

    def times(self, factor: float) -> CurveReading:
        """The same part so many times as large."""
        return replace(self, weights=factor * self.weights)


class Believed(Protocol):
    """Standard uncertainties of what is shown, as it is shown; None of what has none."""

    def of_course(self, trial: int, each: PresentedQuantity) -> Vector | None:
        """(n,) of a course of a trial."""

    def of_mean(self, each: PresentedQuantity) -> Vector | None:
        """(points,) of the mean over strides."""

    def of_peak(self, item: SummaryItem) -> BelievedValue | None:
        """A peak of the summary with its uncertainty."""

    def of_difference(self, one: SummaryItem, other: SummaryItem) -> BelievedValue | None:
        """One peak less another: what both share cancels."""

    def of_peak_between(
        self, item: SummaryItem, one: Sequence[Stride], other: Sequence[Stride]
    ) -> BelievedValue | None:
        """A mean peak over some strides less that over others: what a session shares cancels."""

    def of_readings(self, parts: Sequence[CurveReading]) -> float | None:
        """Give the standard uncertainty of a value that is the sum of these parts: what they share adds up, or cancels."""

    def curvatures(self, items: Sequence[SummaryItem]) -> Sequence[float | None]:
        """How far peaks are from linear in their errors, in %."""
