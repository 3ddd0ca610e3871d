"""Numbers whose imaginary part is a derivative times a small step: unknowns, and functions that hold to first order.

With h below the rounding of the real part, f(x + i h) = f(x) + i h f'(x), without the loss of a difference.
"""

import math

from sheetmbs.compiled import inline_kernel
from sheetmbs.engine.car_on_road import STEP


@inline_kernel
def stepped(x, k, p):
    """Unknown k, with a step if it is the one that is varied."""
    return complex(x[k], STEP if k == p else 0.0)


@inline_kernel
def step_of(k, p):
    """A change of unknown k from a pose: none, or a step."""
    return complex(0.0, STEP if k == p else 0.0)


@inline_kernel
def arctangent(z):
    """Angle of a tangent."""
    return complex(math.atan(z.real), z.imag / (1.0 + z.real * z.real))


@inline_kernel
def arcsine(z):
    """Angle of a sine."""
    return complex(math.asin(z.real), z.imag / math.sqrt(1.0 - z.real * z.real))


@inline_kernel
def sine(z):
    """Sine of an angle."""
    return complex(math.sin(z.real), math.cos(z.real) * z.imag)


@inline_kernel
def cosine(z):
    """Cosine of an angle."""
    return complex(math.cos(z.real), -math.sin(z.real) * z.imag)


@inline_kernel
def size_of(z):
    """|z| of a number that is real but for its step."""
    return z if z.real >= 0.0 else -z


@inline_kernel
def along_inputs(own, kappa, alpha, gamma, load, speed):
    """A number of a tyre with its derivatives (6,), moved as its inputs are."""
    moved_by = own[1] * kappa.imag + own[2] * alpha.imag + own[3] * gamma.imag + own[4] * load.imag
    return complex(own[0], moved_by + own[5] * speed.imag)
