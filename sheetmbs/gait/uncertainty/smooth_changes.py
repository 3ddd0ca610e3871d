"""Smooth changes of markers that take away the residual of one trial: cubic splines, and what they do to the residual.

A coordinate of a marker changes by sum over k of c_k b_k(t), with b_k uniform cubic B-splines and each c_k of standard
deviation s. The residual at a frame then changes by

    A b_k + B b_k' + C b_k''

with A, B and C as in `noise_response`. What is faster than splines can follow is none of theirs: residuals r are means over
each spline. With U these changes for s = 1 of all coefficients, and r counted in what may be left, the least sum of
|r + U c|^2 + |c|^2 is at

    c = -U^T y        (1 + U U^T) y = r

which is banded in time, for a spline reaches over four intervals: the effort grows with the length of the trial alone. y is
what is left of the residual.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy.linalg import cho_solve_banded, cholesky_banded

from sheetmbs.gait.arrays import Mask, Vector

REACH = 4
"""intervals over which a cubic spline reaches"""
INTERVALS_OF_PERIOD = 4.0
"""knots in a period of the cut-off, so that splines follow whatever the filter leaves"""
MIN_FRAMES = 2.0
"""frames between knots"""


def spline_pieces(part: Vector) -> Vector:
    """(3, 4, n) value, first and second derivative of the four splines over an interval. part: (n,) of it, from 0 to 1."""
    u, v = part, 1.0 - part
    value = v**3, 3.0 * u**3 - 6.0 * u**2 + 4.0, 3.0 * v**3 - 6.0 * v**2 + 4.0, u**3
    first = -3.0 * v**2, 9.0 * u**2 - 12.0 * u, -9.0 * v**2 + 12.0 * v, 3.0 * u**2
    second = 6.0 * v, 18.0 * u - 12.0, 18.0 * v - 12.0, 6.0 * u
    return np.array([value, first, second]) / 6.0


@dataclass(frozen=True, eq=False)
class SmoothChanges:
    """Splines of the markers of one trial.

    time: (n,) in s. step: s between knots, at least. known: (n,) frames whose residual counts. allowed: (parts,) by which
    residuals are divided. sizes: s in m of each marker. responses: A, B and C of each, (axes, 3, parts, n).
    """

    time: Vector
    step: float
    known: Mask
    allowed: Vector
    sizes: Mapping[str, float]
    responses: Mapping[str, Vector]

    @cached_property
    def _knots(self) -> tuple[Vector, Vector, float]:
        """(n,) interval of each frame, the part of it that is over, and its length in s."""
        length = float(self.time[-1] - self.time[0])
        count = max(1, int(length / max(self.step, MIN_FRAMES * float(self.time[1] - self.time[0]))))
        place = (self.time - self.time[0]) * count / length
        interval = np.minimum(np.floor(place).astype(int), count - 1)
        return interval, place - interval, length / count

    @cached_property
    def _frames(self) -> Vector:
        return np.asarray(np.flatnonzero(self.known))

    @cached_property
    def _means(self) -> Vector:
        """(splines, frames) weights with which the residual is averaged over each spline; a spline without frames has none."""
        interval, part, _ = self._knots
        weights = np.zeros((int(interval[-1]) + REACH, len(self._frames)))
        value = spline_pieces(part[self._frames])[0]
        for each in range(REACH):
            weights[interval[self._frames] + each, np.arange(len(self._frames))] = value[each]
        size = np.linalg.norm(weights, axis=1, keepdims=True)
        return np.asarray(weights / np.where(size > 0.0, size, 1.0))

    def rows(self, residual: Vector) -> Vector:
        """(splines x parts, ..) of residuals (parts, n, ..) over each spline, by what is allowed."""
        scaled = residual[:, self.known] / self.allowed.reshape(-1, *[1] * (residual.ndim - 1))
        over = np.tensordot(self._means, scaled, axes=(1, 1))
        return np.asarray(over.reshape(-1, *residual.shape[2:]))

    def _splines(self) -> Iterator[tuple[int, slice, Vector]]:
        """Each coefficient with the rows that it reaches, and what it does there: (rows, coordinates)."""
        interval, part, step = self._knots
        pieces = spline_pieces(part[self._frames]) / np.array([1.0, step, step**2])[:, None, None]
        own, parts = interval[self._frames], len(self.allowed)
        coefficients = [s * self.responses[label] for label, s in self.sizes.items()]
        stacked = np.concatenate(coefficients)[..., self._frames] / self.allowed[:, None]
        count = int(interval[-1]) + REACH
        for k in range(count):
            first, last = np.searchsorted(own, (k - REACH + 1, k + 1))
            if first < last:
                frames = np.arange(first, last)
                local = pieces[:, k - own[first:last], frames]
                near = slice(max(0, k - REACH + 1), min(count, k + REACH))
                does = np.einsum(
                    "adpn,dn,kn->kpa", stacked[..., first:last], local, self._means[near, first:last], optimize=True
                )
                yield k, slice(near.start * parts, near.stop * parts), does.reshape(-1, len(stacked))

    @cached_property
    def _factor(self) -> Vector:
        """Cholesky factor of 1 + U U^T as lower bands."""
        blocks = [(rows.start, does @ does.T) for _, rows, does in self._splines()] if self.sizes else []
        width = max((len(each) for _, each in blocks), default=1)
        bands = np.zeros((width, len(self._means) * len(self.allowed)))
        bands[0] = 1.0
        for start, block in blocks:
            for below in range(len(block)):
                bands[below, start : start + len(block) - below] += np.diagonal(block, -below)
        return np.asarray(cholesky_banded(bands, lower=True))

    def solve(self, rows: Vector) -> Vector:
        """Solve for y of rows (rows, ..): what is left of them once smooth changes took their part."""
        return np.asarray(cho_solve_banded((self._factor, True), rows)) if len(rows) else rows

    def courses(self, y: Vector) -> dict[str, Vector]:
        """(n, 3) in m by which each marker moves. y: (rows,)."""
        if not self.sizes or not len(y):
            return {}
        interval, part, _ = self._knots
        axes = [len(self.responses[label]) for label in self.sizes]
        coefficients = np.zeros((int(interval[-1]) + REACH, sum(axes)))
        for k, rows, does in self._splines():
            coefficients[k] = -does.T @ y[rows]
        value = spline_pieces(part)[0]
        curves = sum(value[each][:, None] * coefficients[interval + each] for each in range(REACH))
        found, first = {}, 0
        for (label, s), count in zip(self.sizes.items(), axes, strict=True):
            found[label] = np.zeros((len(interval), 3))
            found[label][:, :count] = s * np.asarray(curves)[:, first : first + count]
            first += count
        return found
