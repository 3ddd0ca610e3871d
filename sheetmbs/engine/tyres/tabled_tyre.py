"""Tyres as measured: monotone cubics along a slip, linear between the loads, cambers and pressures of a table.

Between knots x0 < x1 at the distance h, with u = (x - x0)/h and slopes d after Fritsch and Carlson (1980):

    f = y0 (1 + 2 u)(1 - u)^2 + d0 h u (1 - u)^2 + y1 u^2 (3 - 2 u) + d1 h u^2 (u - 1)

Friction and stiffness scale a curve as a whole: F = mu f(c slip/mu).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from sheetmbs.compiled import Bundle, inline_kernel
from sheetmbs.engine.records import Floats, Floats2, Ints
from sheetmbs.engine.tyres.partials import add, chain, constant, multiply, scale, shift, subtract


@dataclass(frozen=True, eq=False)
class SlipCurves(Bundle):
    """Curves over one slip at every load, camber and pressure of a grid; none where start has one entry.

    load, camber, pressure: the lines of the grid. start: (curves + 1,) first knot of each curve, pressures running fastest.
    slip: (knots,); value, slope: (2, knots) of the force and, along slip angles, of Mz.
    friction_scale, stiffness_scale: mu and c.
    """

    load: Floats
    camber: Floats
    pressure: Floats
    start: Ints
    slip: Floats
    value: Floats2
    slope: Floats2
    friction_scale: float
    stiffness_scale: float


@dataclass(frozen=True, eq=False)
class TabledTyre(Bundle):
    """Curves of Fy and Mz over slip angles and of Fx over slip ratios. symmetric: 1 where the tyre is its own mirror image."""

    lateral: SlipCurves
    longitudinal: SlipCurves
    symmetric: int


@inline_kernel
def line_before(lines, value):
    """Number of the interval of a grid in which a value lies; -1 where there is one line only."""
    last = lines.shape[0] - 2
    if last < 0:
        return -1
    return min(max(np.searchsorted(lines, value) - 1, 0), last)


@inline_kernel
def on_curve(C, curve, force, x):
    """One curve at a slip. force: 0, or 1 for Mz."""
    first, last = C.start[curve], C.start[curve + 1] - 2
    k = first
    while k < last and C.slip[k + 1] <= x[0]:
        k += 1
    h = C.slip[k + 1] - C.slip[k]
    u = (x[0] - C.slip[k]) / h
    y0, y1 = C.value[force, k], C.value[force, k + 1]
    d0, d1 = C.slope[force, k] * h, C.slope[force, k + 1] * h
    v = 1.0 - u
    value = y0 * (1.0 + 2.0 * u) * v * v + d0 * u * v * v + y1 * u * u * (3.0 - 2.0 * u) - d1 * u * u * v
    rise = 6.0 * u * v * (y1 - y0) + d0 * v * (1.0 - 3.0 * u) + d1 * u * (3.0 * u - 2.0)
    return chain(x, value, rise / h)


@inline_kernel
def between(lines, k, x, lower, upper):
    """Linear between two lines of a grid."""
    h = lines[k + 1] - lines[k]
    share = scale(shift(x, -lines[k]), 1.0 / h)
    return add(lower, multiply(share, subtract(upper, lower)))


@inline_kernel
def along_pressure(C, load_line, camber_line, force, x, pressure):
    """Curves of one load and camber."""
    first = (load_line * C.camber.shape[0] + camber_line) * C.pressure.shape[0]
    k = line_before(C.pressure, pressure[0])
    if k < 0:
        return on_curve(C, first, force, x)
    return between(C.pressure, k, pressure, on_curve(C, first + k, force, x), on_curve(C, first + k + 1, force, x))


@inline_kernel
def along_camber(C, load_line, force, x, camber, pressure):
    """Curves of one load."""
    k = line_before(C.camber, camber[0])
    if k < 0:
        return along_pressure(C, load_line, 0, force, x, pressure)
    lower = along_pressure(C, load_line, k, force, x, pressure)
    return between(C.camber, k, camber, lower, along_pressure(C, load_line, k + 1, force, x, pressure))


@inline_kernel
def tabled_force(C, force, slip, camber, load, pressure):
    """A force at a state, 0 of curves that were not measured."""
    if C.start.shape[0] < 2:
        return constant(slip, 0.0)
    x = scale(slip, C.stiffness_scale / C.friction_scale)
    k = line_before(C.load, load[0])
    if k < 0:
        found = along_camber(C, 0, force, x, camber, pressure)
    else:
        lower = along_camber(C, k, force, x, camber, pressure)
        found = between(C.load, k, load, lower, along_camber(C, k + 1, force, x, camber, pressure))
    return scale(found, C.friction_scale)


@inline_kernel
def mirrored_force(T, force, alpha, gamma, load, pressure):
    """A lateral force or Mz, of a symmetric tyre the mean of itself and its mirror image."""
    found = tabled_force(T.lateral, force, alpha, gamma, load, pressure)
    if T.symmetric == 0:
        return found
    mirrored = tabled_force(T.lateral, force, scale(alpha, -1.0), scale(gamma, -1.0), load, pressure)
    return scale(subtract(found, mirrored), 0.5)


@inline_kernel
def tabled_tyre(T, kappa, alpha, gamma, load, pressure):
    """Fx, Fy and Mz of a table."""
    fx = tabled_force(T.longitudinal, 0, kappa, gamma, load, pressure)
    fy = mirrored_force(T, 0, alpha, gamma, load, pressure)
    return fx, fy, mirrored_force(T, 1, alpha, gamma, load, pressure)
