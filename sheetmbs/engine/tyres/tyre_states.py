"""Tyres at many states: inputs held within the ranges of their data, mirrored where the other side was measured."""

from __future__ import annotations

from dataclasses import dataclass

from sheetmbs.compiled import Bundle, inline_kernel, kernel
from sheetmbs.engine.records import Floats, Floats2, Floats3, Ints
from sheetmbs.engine.tyres.magic_formula import magic_formula, pressure_change
from sheetmbs.engine.tyres.magic_formula_coefficients import MagicFormula
from sheetmbs.engine.tyres.partials import constant, scale, shift
from sheetmbs.engine.tyres.rolling_geometry import loaded_radius, relaxation_lengths, rolling_radii
from sheetmbs.engine.tyres.simple_models import SimpleTyre, cornering_stiffness, fiala_tyre, linear_tyre
from sheetmbs.engine.tyres.tabled_tyre import TabledTyre, tabled_tyre

MAGIC_FORMULA, LINEAR, FIALA, TABLE = range(4)
"""models"""
FORCES = ("fx", "fy", "mz", "mx", "my", "kxk", "kya")
GEOMETRY = ("re", "rl", "sigma_x", "sigma_y")
"""what is found at a state, in this order"""


@dataclass(frozen=True, eq=False)
class TyreKernel(Bundle):
    """One tyre. low, high: (5,) ranges of kappa, alpha, gamma, load and pressure; only the record of its model counts."""

    model: int
    low: Floats
    high: Floats
    magic: MagicFormula
    simple: SimpleTyre
    table: TabledTyre


@dataclass(frozen=True, eq=False)
class TyreStates(Bundle):
    """n states of a tyre. state: (n, 6) kappa, alpha, gamma, load, pressure, speed. side: (n,) -1 mirrors, else 1.

    found: (n, 7, 1 or 6) forces with their derivatives. geometry: (n, 4, 1 or 6) with theirs, or none, (0, 4, 1).
    outside: (n,) 1 beyond the ranges.
    """

    state: Floats2
    side: Floats
    found: Floats3
    geometry: Floats3
    outside: Ints


@inline_kernel
def within(T, place, f):
    """An input held within its range. Beyond the range it has no influence, so its derivatives are 0."""
    if f[0] < T.low[place]:
        return constant(f, T.low[place])
    if f[0] > T.high[place]:
        return constant(f, T.high[place])
    return f


@inline_kernel
def tyre_forces(T, kappa, alpha, gamma, load, pressure, speed, side):
    """Fx, Fy, Mz, Mx, My, Kxk, Kya of a wheel as mounted, whose load is above 0. side: -1 mirrors."""
    kappa, load, pressure = within(T, 0, kappa), within(T, 3, load), within(T, 4, pressure)
    alpha, gamma = within(T, 1, scale(alpha, side)), within(T, 2, scale(gamma, side))
    none = constant(load, 0.0)
    mx, my, kxk, kya = (
        none,
        none,
        constant(load, T.simple.slip_stiffness),
        scale(cornering_stiffness(T.simple, load), -1.0),
    )
    if T.model == MAGIC_FORMULA:
        fx, fy, mz, mx, my, kxk, kya = magic_formula(T.magic, kappa, alpha, gamma, load, pressure, speed)
    elif T.model == LINEAR:
        fx, fy, mz = linear_tyre(T.simple, kappa, alpha, gamma, load)
    elif T.model == FIALA:
        fx, fy, mz = fiala_tyre(T.simple, kappa, alpha, gamma, load)
    else:
        fx, fy, mz = tabled_tyre(T.table, kappa, alpha, gamma, load, pressure)
    return fx, scale(fy, side), scale(mz, side), scale(mx, side), my, kxk, kya


@inline_kernel
def is_outside(T, kappa, alpha, gamma, load, pressure):
    """Whether an input, as the tyre was measured, lies beyond its range."""
    return (
        not T.low[0] <= kappa <= T.high[0]
        or not T.low[1] <= alpha <= T.high[1]
        or not T.low[2] <= gamma <= T.high[2]
        or not T.low[3] <= load <= T.high[3]
        or not T.low[4] <= pressure <= T.high[4]
    )


@inline_kernel
def store(out, number):
    """Keep a number with its derivatives."""
    for x in range(len(number)):
        out[x] = number[x]


@inline_kernel
def find_state(T, S, i, kappa, alpha, gamma, load, pressure):
    """One state; all results are 0 where the load is 0 or below."""
    side, speed = S.side[i], constant(load, S.state[i, 5])
    S.outside[i] = 0
    if load[0] <= 0.0:
        for r in range(S.found.shape[1]):
            store(S.found[i, r], constant(load, 0.0))
        for r in range(S.geometry.shape[1]):
            store(S.geometry[i, r], constant(load, 0.0))
        return
    if is_outside(T, kappa[0], side * alpha[0], side * gamma[0], load[0], pressure[0]):
        S.outside[i] = 1
    forces = tyre_forces(T, kappa, alpha, gamma, load, pressure, speed, side)
    store(S.found[i, 0], forces[0])
    store(S.found[i, 1], forces[1])
    store(S.found[i, 2], forces[2])
    store(S.found[i, 3], forces[3])
    store(S.found[i, 4], forces[4])
    store(S.found[i, 5], forces[5])
    store(S.found[i, 6], forces[6])
    if i < S.geometry.shape[0] and T.model == MAGIC_FORMULA:
        find_geometry(T, S, i, kappa, gamma, load, pressure, speed, forces)


@inline_kernel
def find_geometry(  # noqa: PLR0913 - a state and what was found of it
    T, S, i, kappa, gamma, load, pressure, speed, forces
):
    """Radii and relaxation lengths of one state by the magic formula."""
    P = T.magic
    load, pressure, gamma = within(T, 3, load), within(T, 4, pressure), within(T, 2, scale(gamma, S.side[i]))
    kappa = within(T, 0, kappa)
    dpi = pressure_change(P, pressure)
    dfz = shift(scale(load, 1.0 / (P.fnomin * P.lfzo)), -1.0)
    effective, free, omega = rolling_radii(P, kappa, load, dpi, speed)
    side_force = scale(forces[1], S.side[i])
    loaded = loaded_radius(P, gamma, load, dpi, forces[0], side_force, free, omega)
    sigma_x, sigma_y = relaxation_lengths(P, gamma, load, dfz, dpi, forces[5], forces[6])
    store(S.geometry[i, 0], effective)
    store(S.geometry[i, 1], loaded)
    store(S.geometry[i, 2], sigma_x)
    store(S.geometry[i, 3], sigma_y)


@kernel
def tyre_values(T: TyreKernel, S: TyreStates) -> None:
    """Fill what is found at all states, without derivatives."""
    for i in range(S.state.shape[0]):
        x = S.state[i]
        find_state(T, S, i, (x[0],), (x[1],), (x[2],), (x[3],), (x[4],))


@kernel
def tyre_derivatives(T: TyreKernel, S: TyreStates) -> None:
    """Fill what is found at all states, with its derivatives by slip ratio, slip angle, camber, load and pressure."""
    for i in range(S.state.shape[0]):
        x = S.state[i]
        kappa = (x[0], 1.0, 0.0, 0.0, 0.0, 0.0)
        alpha = (x[1], 0.0, 1.0, 0.0, 0.0, 0.0)
        gamma = (x[2], 0.0, 0.0, 1.0, 0.0, 0.0)
        load = (x[3], 0.0, 0.0, 0.0, 1.0, 0.0)
        pressure = (x[4], 0.0, 0.0, 0.0, 0.0, 1.0)
        find_state(T, S, i, kappa, alpha, gamma, load, pressure)


@inline_kernel
def effective_radius(T, kappa, load, pressure, speed, loaded):
    """Effective rolling radius by the magic formula; of other models the loaded radius."""
    if T.model != MAGIC_FORMULA:
        return constant(load, loaded)
    pressure = within(T, 4, pressure)
    dpi = pressure_change(T.magic, pressure)
    return rolling_radii(T.magic, within(T, 0, kappa), within(T, 3, load), dpi, speed)[0]
