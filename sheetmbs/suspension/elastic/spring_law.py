"""The law of a spring: straight or along a curve, with a helper spring in series, and loose where it would have to pull.

Let m(x) be the force of the main spring that is x longer than at design. A helper of stiffness k_h, y away from its coil block
of travel b, carries F = k_h (b - y); in series with it the pair that is s longer than at design carries

    F = m(s - y + y_0),   y = max(b - F/k_h, 0),   y_0 its value at design

so above k_h b the main spring is alone. A spring that only pushes gives max(0, F), at a rate of 0 where the law is below 0.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from sheetmbs.engine.records import Floats
from sheetmbs.suspension.elastic.element_kind import CurveLaw, at_rows
from sheetmbs.suspension.layout.car import HELPER_K, HELPER_TRAVEL, SpringElement

LOOSE_ROUNDING = 1e-10
"""m, by which a spring may be longer than without load and still counts as touching: lengths are no more exact"""
MAX_STEPS = 60
CONVERGED_FORCE = 1e-13
"""change of a force in series, over the force at coil block of the helper, that ends the search for it"""


@dataclass(frozen=True, eq=False)
class SpringLaw:
    """The law of a row with a preload (V,), N. Calling it gives tension and stiffness over how far it is longer than at design.

    loose: (V,) m, how much longer than at design it carries nothing any more; inf where it never does.
    """

    row: SpringElement
    preload: Floats

    @cached_property
    def _k(self) -> float:
        return self.row.number("k") or 0.0

    @cached_property
    def _curve(self) -> CurveLaw | None:
        given = self.row.curves.get("curve_k")
        return None if given is None else CurveLaw(given)

    @cached_property
    def _compressed(self) -> Floats:
        """(V,) place on the curve at design, m."""
        return np.array([self._curve.where(float(each)) for each in self.preload] if self._curve else [0.0])

    @property
    def block_force(self) -> float | None:
        """Force at which the coils of the helper touch; None without one."""
        k, travel = self.row.number(HELPER_K), self.row.number(HELPER_TRAVEL)
        return None if k is None or travel is None else k * travel

    def _main(self, longer: Floats) -> tuple[Floats, Floats]:
        """Compression force and stiffness of the main spring that is so much longer than at design."""
        if self._curve is None:
            return at_rows(self.preload, len(longer)) - self._k * longer, np.full_like(longer, self._k)
        return self._curve(at_rows(self._compressed, len(longer)) - longer)

    def _open(self, force: Floats | float) -> Floats:
        """How far the helper is from its coil block at a force, m."""
        k, travel = self.row.number(HELPER_K) or 1.0, self.row.number(HELPER_TRAVEL) or 0.0
        return np.maximum(travel - np.asarray(force) / k, 0.0)

    def in_series(self, longer: Floats) -> tuple[Floats, Floats]:
        """Compression force and stiffness of the pair."""
        block = self.block_force
        if block is None:
            return self._main(longer)
        at_design = at_rows(self._open(self.preload), len(longer))
        force, stiffness = self._main(longer + at_design)
        is_open = force < block
        if not is_open.any():
            return force, stiffness
        k, travel = self.row.number(HELPER_K) or 1.0, self.row.number(HELPER_TRAVEL) or 0.0
        found = np.where(is_open, block, force)
        own, slope = force, stiffness
        for _ in range(MAX_STEPS):
            own, slope = self._main(longer + at_design - np.where(is_open, travel - found / k, 0.0))
            step = np.where(is_open, (found - own) / (1.0 + slope / k), 0.0)
            found = found - step
            if np.max(np.abs(step)) <= CONVERGED_FORCE * block:
                break
        return found, np.where(is_open, slope * k / (slope + k), stiffness)

    def __call__(self, longer: Floats) -> tuple[Floats, Floats]:
        """Tension and stiffness."""
        force, stiffness = self.in_series(longer)
        if self.row.is_captive:
            return -force, stiffness
        is_loose = force < -LOOSE_ROUNDING * np.abs(stiffness)
        return -np.maximum(force, 0.0), np.where(is_loose, 0.0, stiffness)

    @property
    def free(self) -> Floats:
        """(V,) m, how much longer than at design it is without load, or where its curve begins."""
        helper = self._open(0.0) - self._open(self.preload) if self.block_force is not None else np.zeros(1)
        return (self._compressed if self._curve is not None else self.preload / self._k) + helper

    @property
    def loose(self) -> Floats:
        """(V,) m, of a spring that only pushes."""
        never = np.full_like(self.preload, np.inf)
        if self.row.is_captive or not np.isfinite(self.preload).all():
            return never
        if self._curve is None:
            return self.free if self._k > 0.0 else never
        try:
            return self.free - self._curve.where(0.0)
        except ValueError:
            return never


def spring_law(row: SpringElement, _suffix: str, preload: Floats) -> SpringLaw:
    """The law of a spring that carries a preload (V,) at design, N; below 0 where it does not touch there."""
    return SpringLaw(row, np.atleast_1d(np.asarray(preload, dtype=np.float64)))


def force_of_free_length(row: SpringElement, compressed: Floats) -> Floats:
    """Force of a spring that is so much shorter than its free length, N, below 0 where longer; its helper at coil block."""
    free = SpringLaw(row, np.zeros_like(compressed))
    if free.block_force is not None:
        return free.in_series(-compressed - (row.number(HELPER_TRAVEL) or 0.0))[0]
    if "curve_k" in row.curves:
        return CurveLaw(row.curves["curve_k"])(compressed)[0]
    return np.asarray((row.number("k") or 0.0) * compressed)
