"""Rotation vectors, continued past half a turn.

With the axes A_i and A_j of two bodies and the Euler parameters e0, e of A_i^T A_j, all vectors
    theta = n (psi + 2 pi k),  psi = 2 atan2(|e|, e0),  n = e/|e|,  k = .., -1, 0, 1, ..
stand for the same rotation. The one counts that lies nearest to a guess. Its rate and its moments need
    theta-dot = T^-1 w,  T^-1 = I - theta~/2 + (1/t^2 - cot(t/2)/(2 t)) theta~^2,  t = |theta|
see Geradin and Cardona (2001), sec. 4.5.

At whole turns n is that of no rotation, and T^-1 has a pole for all vectors across theta. A body that turns about a fixed axis
passes through them all the same: nearer to a whole turn than NEAR_TURN, the axis of the guess is kept, and with rho the small
rotation vector that is left,
    theta = 2 pi m n + rho,  theta-dot = T^-1(rho) w
"""

import math

from sheetmbs.compiled import inline_kernel
from sheetmbs.engine.vec import cross, dot

TAU = 2.0 * math.pi
NEAR_TURN = 1e-2  # rad from a whole turn: there an axis that constraints keep to 1e-10 is known to 1e-8
SMALL = 1e-3  # rad: below, series to the fourth order are exact to rounding


@inline_kernel
def bend_of(angle):
    """The factor of theta~^2 in T^-1."""
    if angle > SMALL:
        return 1.0 / (angle * angle) - 0.5 / (angle * math.tan(0.5 * angle))
    return 1.0 / 12.0 + angle * angle / 720.0


@inline_kernel
def times_inverse_t(tx, ty, tz, x, y, z, sign):
    """T^-1 (sign -1) or T^-T (sign 1) of theta = t, times a vector."""
    bend = bend_of(math.sqrt(tx * tx + ty * ty + tz * tz))
    ux, uy, uz = cross(tx, ty, tz, x, y, z)
    wx, wy, wz = cross(tx, ty, tz, ux, uy, uz)
    half = 0.5 * sign
    return x + half * ux + bend * wx, y + half * uy + bend * wy, z + half * uz + bend * wz


@inline_kernel
def short_of_turns(tx, ty, tz):
    """The vector that T^-1 takes: theta, near a whole turn what is left of it."""
    angle = math.sqrt(tx * tx + ty * ty + tz * tz)
    whole = TAU * math.floor(angle / TAU + 0.5)
    share = 1.0
    if whole > 0.0 and abs(angle - whole) < NEAR_TURN:
        share = (angle - whole) / angle
    return share * tx, share * ty, share * tz


@inline_kernel
def euler_between(ax, ay, az, bx, by, bz):
    """Euler parameters of A_i^T A_j, from the axes x, y, z of both as tuples: the largest one first, as Shepperd (1978)."""
    xx, yy, zz = dot(*ax, *bx), dot(*ay, *by), dot(*az, *bz)
    dx = dot(*az, *by) - dot(*ay, *bz)
    dy = dot(*ax, *bz) - dot(*az, *bx)
    dz = dot(*ay, *bx) - dot(*ax, *by)
    xy = dot(*ax, *by) + dot(*ay, *bx)
    yz = dot(*ay, *bz) + dot(*az, *by)
    zx = dot(*az, *bx) + dot(*ax, *bz)
    trace = xx + yy + zz
    if trace >= max(xx, yy, zz):
        e, p, q, r = 1.0 + trace, dx, dy, dz
    elif xx >= yy and xx >= zz:
        e, p, q, r = dx, 1.0 + 2.0 * xx - trace, xy, zx
    elif yy >= zz:
        e, p, q, r = dy, xy, 1.0 + 2.0 * yy - trace, yz
    else:
        e, p, q, r = dz, zx, yz, 1.0 + 2.0 * zz - trace
    size = math.sqrt(e * e + p * p + q * q + r * r)
    return e / size, p / size, q / size, r / size


@inline_kernel
def nearest_rotation(e, p, q, r, gx, gy, gz):
    """Return the rotation vector of the Euler parameters e, (p, q, r) that is nearest to the guess g."""
    sine = math.sqrt(p * p + q * q + r * r)
    if sine < 0.5 * NEAR_TURN:
        factor = math.copysign(2.0 + sine * sine / 3.0, e)
        x, y, z = factor * p, factor * q, factor * r
        guess = math.sqrt(gx * gx + gy * gy + gz * gz)
        whole = TAU * math.floor(guess / TAU + 0.5)
        if whole > 0.0:
            x, y, z = x + whole * gx / guess, y + whole * gy / guess, z + whole * gz / guess
        return x, y, z
    angle = 2.0 * math.atan2(sine, e)
    along = dot(p, q, r, gx, gy, gz) / sine
    factor = (angle + TAU * math.floor((along - angle) / TAU + 0.5)) / sine
    return factor * p, factor * q, factor * r
