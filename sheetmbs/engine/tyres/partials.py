"""Numbers with their derivatives by slip ratio, slip angle, camber, load and pressure.

A number is a tuple (f, f_kappa, f_alpha, f_gamma, f_load, f_pressure), or (f,) where no derivatives are wanted. The same
formulas serve both, because a compiled kernel knows the length of a tuple.

    (f + g)_x = f_x + g_x      (f g)_x = f_x g + f g_x      (f/g)_x = (f_x - (f/g) g_x)/g      phi(f)_x = phi' f_x
"""

from __future__ import annotations

import math

from sheetmbs.compiled import inline_kernel

INPUTS = ("kappa", "alpha", "gamma", "fz", "pressure")
"""what numbers are differentiated by, in the order of their derivatives"""


@inline_kernel
def chain(f, value, slope):
    """Return a function of a number, from its value and its slope there."""
    if len(f) == 1:
        return (value,)
    return (value, slope * f[1], slope * f[2], slope * f[3], slope * f[4], slope * f[5])


@inline_kernel
def constant(like, value):
    """Return a constant, of the same length as another number."""
    return chain(like, value, 0.0)


@inline_kernel
def scale(f, factor):
    """Multiply a number by a plain factor."""
    return chain(f, factor * f[0], factor)


@inline_kernel
def shift(f, step):
    """Add a plain number to a number."""
    return chain(f, f[0] + step, 1.0)


@inline_kernel
def add(f, g):
    """Add two numbers with their derivatives."""
    if len(f) == 1:
        return (f[0] + g[0],)
    return (f[0] + g[0], f[1] + g[1], f[2] + g[2], f[3] + g[3], f[4] + g[4], f[5] + g[5])


@inline_kernel
def subtract(f, g):
    """Subtract a second number from a first."""
    if len(f) == 1:
        return (f[0] - g[0],)
    return (f[0] - g[0], f[1] - g[1], f[2] - g[2], f[3] - g[3], f[4] - g[4], f[5] - g[5])


@inline_kernel
def multiply(f, g):
    """Multiply two numbers with their derivatives."""
    a, b = f[0], g[0]
    if len(f) == 1:
        return (a * b,)
    return (
        a * b,
        a * g[1] + b * f[1],
        a * g[2] + b * f[2],
        a * g[3] + b * f[3],
        a * g[4] + b * f[4],
        a * g[5] + b * f[5],
    )


@inline_kernel
def divide(f, g):
    """Divide a first number by a second."""
    inverse = 1.0 / g[0]
    a = f[0] * inverse
    if len(f) == 1:
        return (a,)
    return (
        a,
        (f[1] - a * g[1]) * inverse,
        (f[2] - a * g[2]) * inverse,
        (f[3] - a * g[3]) * inverse,
        (f[4] - a * g[4]) * inverse,
        (f[5] - a * g[5]) * inverse,
    )


@inline_kernel
def square(f):
    """Multiply a number by itself."""
    return chain(f, f[0] * f[0], 2.0 * f[0])


@inline_kernel
def absolute(f):
    """Return the size of a number, with the slope to the right at 0."""
    return chain(f, abs(f[0]), sign(f[0]))


@inline_kernel
def sign(value):
    """1, also at 0, or -1 below: a plain number."""
    return 1.0 if value >= 0.0 else -1.0


@inline_kernel
def at_most_one(f):
    """Return a number, or 1 where it is more."""
    return f if f[0] < 1.0 else constant(f, 1.0)


@inline_kernel
def sine(f):
    """Return the sine of a number."""
    return chain(f, math.sin(f[0]), math.cos(f[0]))


@inline_kernel
def cosine(f):
    """Return the cosine of a number."""
    return chain(f, math.cos(f[0]), -math.sin(f[0]))


@inline_kernel
def tangent(f):
    """Return the tangent of a number."""
    value = math.tan(f[0])
    return chain(f, value, 1.0 + value * value)


@inline_kernel
def arctangent(f):
    """Return the angle whose tangent is a number."""
    return chain(f, math.atan(f[0]), 1.0 / (1.0 + f[0] * f[0]))


@inline_kernel
def cosine_of_arctangent(f):
    """Return cos(atan f) = 1/sqrt(1 + f^2) of a number f."""
    inverse = 1.0 / (1.0 + f[0] * f[0])
    value = math.sqrt(inverse)
    return chain(f, value, -f[0] * value * inverse)


@inline_kernel
def exponential(f):
    """Return the exponential of a number."""
    value = math.exp(f[0])
    return chain(f, value, value)


@inline_kernel
def power(f, exponent):
    """Raise a positive number to a plain exponent."""
    value = f[0] ** exponent
    return chain(f, value, exponent * value / f[0])


@inline_kernel
def square_root(f):
    """Return the square root of a number; its slope at 0 counts as 0."""
    value = math.sqrt(f[0])
    return chain(f, value, 0.5 / value if value > 0.0 else 0.0)


@inline_kernel
def polynomial(f, constant_term, linear_term, quadratic_term):
    """Evaluate a polynomial of second degree, of a number f."""
    value = constant_term + f[0] * (linear_term + f[0] * quadratic_term)
    return chain(f, value, linear_term + 2.0 * quadratic_term * f[0])
