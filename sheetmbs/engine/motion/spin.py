"""How fast Euler parameters e(t) turn, global; they need not be of unit length.

w = 2 vec(e' e*)/|e|^2,   w' = 2 vec(e'' e*)/|e|^2 - 2 (e . e')/|e|^2 w          Nikravesh (1988), sec. 6.3
"""

from sheetmbs.compiled import inline_kernel


@inline_kernel
def spin(out, base, k):
    """Component k of the angular velocity and acceleration of the parameters whose motions stand from ``base`` on."""
    square = stretch = 0.0
    for m in range(4):
        square += out[base + m, 0] * out[base + m, 0]
        stretch += out[base + m, 0] * out[base + m, 1]
    i, j = base + 1 + (k + 1) % 3, base + 1 + (k + 2) % 3
    n = base + 1 + k
    first = out[n, 1] * out[base, 0] - out[base, 1] * out[n, 0] - out[i, 1] * out[j, 0] + out[j, 1] * out[i, 0]
    second = out[n, 2] * out[base, 0] - out[base, 2] * out[n, 0] - out[i, 2] * out[j, 0] + out[j, 2] * out[i, 0]
    velocity = 2.0 * first / square
    return velocity, 2.0 * (second - stretch * velocity) / square
