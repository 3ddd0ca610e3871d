"""Gas spring: a polytropic volume of gas behind a piston of area A between two points.

V = V0 + A (l - l0),  p = p0 (V0/V)^n,  f = -A (p - p_ambient) + c l-dot: + pulls the ends together, so the gas pushes
U = -int_V0^V (p - p_ambient) dV = p_ambient (V - V0) - p0 V0 ((V/V0)^(1-n) - 1)/(1 - n),  n = 1: the logarithm
df/dl = n p A^2/V. Below the least volume V1 the pressure goes on along its tangent: p = p1 + n p1/V1 (V1 - V).
"""

import math

from sheetmbs.compiled import inline_kernel
from sheetmbs.engine.forces.translational_spring import length_and_rate, pull_together

P0, V0, EXPONENT, AREA, AMBIENT, C, NATURAL, MIN_LENGTH = range(8)  # its numbers
LENGTH, RATE, ELASTIC, DAMPING, TOTAL, PRESSURE, VOLUME = range(7)  # its values


@inline_kernel
def pressure_and_slope(number, at, volume):
    """Absolute pressure, and -dp/dV."""
    held = max(volume, number[at + MIN_LENGTH])
    pressure = number[at + P0] * (number[at + V0] / held) ** number[at + EXPONENT]
    slope = number[at + EXPONENT] * pressure / held
    return pressure + slope * (held - volume), slope


@inline_kernel
def apply_gas(A, W, e, force):
    """Values and forces of an element. Returns the power of all but its elastic force."""
    number, at, out = A.elements.number, e.number, W.element
    length, rate, ux, uy, uz = length_and_rate(W.place, e.frame_i, e.frame_j)
    volume = number[at + V0] + number[at + AREA] * (length - number[at + NATURAL])
    pressure, _slope = pressure_and_slope(number, at, volume)
    elastic = -number[at + AREA] * (pressure - number[at + AMBIENT])
    damping = number[at + C] * rate
    out[e.value + LENGTH] = length
    out[e.value + RATE] = rate
    out[e.value + ELASTIC] = elastic
    out[e.value + DAMPING] = damping
    out[e.value + TOTAL] = elastic + damping
    out[e.value + PRESSURE] = pressure
    out[e.value + VOLUME] = volume
    pull_together(A, W, e, elastic + damping, ux, uy, uz, force)
    return -damping * rate


@inline_kernel
def gas_energy(A, W, e):
    """Work done on the gas and its surroundings since the volume was V0."""
    number, at, volume = A.elements.number, e.number, W.element[e.value + VOLUME]
    held = max(volume, number[at + MIN_LENGTH])
    below = held - volume
    start, exponent = number[at + V0], number[at + EXPONENT]
    ratio = math.log(held / start)
    grown = ratio if exponent == 1.0 else math.expm1((1.0 - exponent) * ratio) / (1.0 - exponent)
    pressure, slope = pressure_and_slope(number, at, held)
    beyond = below * (pressure + 0.5 * slope * below)
    return number[at + AMBIENT] * (volume - start) - number[at + P0] * start * grown + beyond


@inline_kernel
def gas_slopes(A, W, e):
    """Derivatives of the force by length and rate."""
    number, at = A.elements.number, e.number
    _pressure, slope = pressure_and_slope(number, at, W.element[e.value + VOLUME])
    return slope * number[at + AREA] ** 2, number[at + C]
