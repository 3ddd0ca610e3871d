"""A whole car on its wheels: what its travels, the road under it and its wheel loads leave of its equations of balance.

Unknowns of a case are changes z of all travels, roll, pitch and distance h of the road, and the vertical loads N of all wheels.
Of a wheel with the middle W, the spin axis w and the radius R on a road with the normal n:

    contact     C = W - R (n - (n.w) w)/|n - (n.w) w|          gap     g = n.C - h
    heading     f = s (w x n)/|w x n|                          left    l = n x f
    force       F = N n + F_x f + F_y l at C, moved up along n by -g where the tyre is pressed in
    torque      T = (C - W) x F + moments, less (T.w) w where the torque about the spin axis passes the upright by

Virtual work on a travel, the balance of the car, and each wheel on its road say

    Q_k = sum W_k.F + w_k.T + sum m x_k.a + elastic forces     = 0
    sum of moments about two lines in the road, and of N       = 0
    g + (N - N0)/k_t = 0 of a wheel on the road, N = 0 of a lifted one, N as given where all loads are known; the road then is
    the plane nearest to all contacts

Elastic forces are those of elements with the lengths l, -sum (F + k (l(z) - l(0))) l_k(z).
Derivatives are found by complex steps: an imaginary part so small that its square is nothing beside 1 makes them exact.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from sheetmbs.compiled import Bundle, inline_kernel, kernel
from sheetmbs.engine.algebra.dense import factor_dense, solve_dense
from sheetmbs.engine.records import Floats, Floats2, Floats3, Floats4, Ints, Ints2
from sheetmbs.engine.vec import cross, dot

STEP = 1e-30
PER_WHEEL = 3
"""vectors of a wheel, in this order: its middle, its spin axis, the angular velocity of its carrier"""
AT, FORCE, MOMENT, TORQUE, PASSED, HEADING, LEFT = range(7)
TYRE_VECTORS = 7
"""what the road exerts on a wheel, and where"""


@dataclass(frozen=True, eq=False)
class CarParts(Bundle):
    """What a car of a axles, w = 2 a wheels and m unsprung masses is made of.

    downforce_at: (a, 3) where it acts. carrier: (m,) axle of each unsprung mass; amount: (m,) kg. softness: (w,) of tyres, m/N.
    shift: (a, 3) from the axes of an axle to those of the car.
    """

    s: Floats  # (w,) +1 left, -1 right
    radius: Floats  # (w,)
    softness: Floats
    design_load: Floats  # (w,)
    shift: Floats2
    carrier: Ints
    amount: Floats
    downforce_at: Floats2
    sprung_mass: float
    sprung_at: Floats  # (3,)
    mass: float


@dataclass(frozen=True, eq=False)
class CarDemand(Bundle):
    """What n cases ask of a car.

    acceleration: (n, 3) m/s^2. along, side: (n, a) forces of axles in the road plane; splits: (n, a) 1 in proportion to
    vertical loads, 0 equal. given: (n, w, 6) forces and moments of wheels, NaN where a case leaves them open. passes: (n, w)
    1 where torque about the spin axis passes the upright by. downforce: (n, a). load: (n, w), NaN where the balance finds it.
    """

    acceleration: Floats2
    along: Floats2
    side: Floats2
    split_along: Ints2
    split_side: Ints2
    given: Floats3
    passes: Floats2
    downforce: Floats2
    load: Floats2


@dataclass(frozen=True, eq=False)
class CarOnRoad(Bundle):
    """n cases of a car at its poses.

    vectors: (n, 3 w + m, 7, 3) wheels, then unsprung masses, over the travels of both wheels of their axle. of_axle: (e,) of
    each of e elements; length: (e, 7, n) over the same travels; tension, rate: (e, n) F and k. lifted: (n, w) 1 off the road.
    known: (n,) 1 where all loads are. The rest is scratch.
    """

    parts: CarParts
    demand: CarDemand
    vectors: Floats4
    of_axle: Ints
    length: Floats3
    tension: Floats2
    rate: Floats2
    lifted: Ints2
    known: Ints
    real: Floats  # (unknowns,)
    slope: Floats  # (unknowns,)
    factors: Floats2  # (unknowns, unknowns)
    pivot: Ints  # (unknowns,)


@inline_kernel
def root(z):
    """Square root of a self-differentiating number."""
    found = math.sqrt(z.real)
    return complex(found, 0.5 * z.imag / found)


@inline_kernel
def inverse(z):
    """Reciprocal 1/z of a self-differentiating number."""
    return complex(1.0 / z.real, -z.imag / (z.real * z.real))


@inline_kernel
def unit(x, y, z):
    """Direction of a vector."""
    share = inverse(root(dot(x, y, z, x, y, z)))
    return share * x, share * y, share * z


@inline_kernel
def stepped(x, k, p):
    """Unknown k, with a step if it is the one that is varied."""
    return complex(x[k], STEP if k == p else 0.0)


@inline_kernel
def moved(V, a, b):
    """A vector after changes a and b of both travels, to second order."""
    return (
        V[0, 0] + a * (V[1, 0] + 0.5 * (V[3, 0] * a + V[4, 0] * b)) + b * (V[2, 0] + 0.5 * (V[5, 0] * a + V[6, 0] * b)),
        V[0, 1] + a * (V[1, 1] + 0.5 * (V[3, 1] * a + V[4, 1] * b)) + b * (V[2, 1] + 0.5 * (V[5, 1] * a + V[6, 1] * b)),
        V[0, 2] + a * (V[1, 2] + 0.5 * (V[3, 2] * a + V[4, 2] * b)) + b * (V[2, 2] + 0.5 * (V[5, 2] * a + V[6, 2] * b)),
    )


@inline_kernel
def work_on(V, k, a, b, force):
    """What a force does on travel k: by the first derivatives of a vector after changes of both travels."""
    slope, left, right = V[1 + k], V[3 + 2 * k], V[4 + 2 * k]
    return (
        (slope[0] + left[0] * a + right[0] * b) * force[0]
        + (slope[1] + left[1] * a + right[1] * b) * force[1]
        + (slope[2] + left[2] * a + right[2] * b) * force[2]
    )


@inline_kernel
def road_axes(roll, pitch):
    """Normal of the road, and unit vectors in it forward and to the left, by the roll and the pitch against the body."""
    sr, cr = math.sin(roll.real), math.cos(roll.real)
    sp, cp = math.sin(pitch.real), math.cos(pitch.real)
    sin_r, cos_r = complex(sr, cr * roll.imag), complex(cr, -sr * roll.imag)
    sin_p, cos_p = complex(sp, cp * pitch.imag), complex(cp, -sp * pitch.imag)
    nx, ny, nz = -sin_p, sin_r * cos_p, cos_r * cos_p
    fx, fy, fz = unit(1.0 - nx * nx, -nx * ny, -nx * nz)
    lx, ly, lz = cross(nx, ny, nz, fx, fy, fz)
    return nx, ny, nz, fx, fy, fz, lx, ly, lz


@inline_kernel
def share_of(whole, by_load, given, here, there):
    """Force in the road plane on a wheel with the load ``here``, beside one with the load ``there``."""
    if given == given:  # noqa: PLR0124 - nan is not itself
        return complex(given, 0.0)
    total = here + there
    if by_load == 1 and total.real != 0.0:
        return whole * (here * inverse(total))
    return complex(0.5 * whole, 0.0)


@inline_kernel
def moment_about(point, origin, force):
    """Moment of a force at a point."""
    x, y, z = point[0] - origin[0], point[1] - origin[1], point[2] - origin[2]
    return cross(x, y, z, force[0], force[1], force[2])


@inline_kernel
def moment_given(D, i, w, k):
    """A moment on a wheel, 0 where a case says nothing."""
    value = D.given[i, w, k]
    return value if value == value else 0.0  # noqa: PLR0124 - nan is not itself


@inline_kernel
def press_wheel(C, i, w, x, p, n):
    """What the road with the normal n = (nx, ny, nz, h) exerts on wheel w of case i at the unknowns x.

    Returns its lowest point and the gap under it, then as named above: at, force, moment, torque, passed, heading, left.
    """
    P, D = C.parts, C.demand
    axle = w // 2
    first_load = P.radius.shape[0] + 3
    nx, ny, nz, height = n
    a, b = stepped(x, 2 * axle, p), stepped(x, 2 * axle + 1, p)
    cx, cy, cz = moved(C.vectors[i, PER_WHEEL * w], a, b)
    cx, cy, cz = cx + P.shift[axle, 0], cy + P.shift[axle, 1], cz + P.shift[axle, 2]
    wx, wy, wz = moved(C.vectors[i, PER_WHEEL * w + 1], a, b)
    level = dot(wx, wy, wz, nx, ny, nz)
    dx, dy, dz = unit(nx - level * wx, ny - level * wy, nz - level * wz)
    radius = P.radius[w]
    px, py, pz = cx - radius * dx, cy - radius * dy, cz - radius * dz
    gap = dot(px, py, pz, nx, ny, nz) - height
    up = gap if P.softness[w] > 0.0 else 0.0 * gap
    ax, ay, az = px - up * nx, py - up * ny, pz - up * nz
    fx, fy, fz = cross(wx, wy, wz, nx, ny, nz)
    fx, fy, fz = unit(P.s[w] * fx, P.s[w] * fy, P.s[w] * fz)
    lx, ly, lz = cross(nx, ny, nz, fx, fy, fz)
    load, other = stepped(x, first_load + w, p), stepped(x, first_load + w + 1 - 2 * (w % 2), p)
    along = share_of(D.along[i, axle], D.split_along[i, axle], D.given[i, w, 0], load, other)
    side = share_of(D.side[i, axle], D.split_side[i, axle], D.given[i, w, 1], load, other)
    force = (
        load * nx + along * fx + side * lx,
        load * ny + along * fy + side * ly,
        load * nz + along * fz + side * lz,
    )
    m1, m2, m3 = moment_given(D, i, w, 3), moment_given(D, i, w, 4), moment_given(D, i, w, 5)
    mx, my, mz = m1 * fx + m2 * lx + m3 * nx, m1 * fy + m2 * ly + m3 * ny, m1 * fz + m2 * lz + m3 * nz
    tx, ty, tz = moment_about((ax, ay, az), (cx, cy, cz), force)
    tx, ty, tz = tx + mx, ty + my, tz + mz
    about = D.passes[i, w] * dot(wx, wy, wz, tx, ty, tz)
    qx, qy, qz = about * wx, about * wy, about * wz
    return (
        (px, py, pz, gap),
        (ax, ay, az),
        force,
        (mx, my, mz),
        (tx - qx, ty - qy, tz - qz),
        (qx, qy, qz),
        (fx, fy, fz),
        (lx, ly, lz),
    )


@inline_kernel
def enter(C, k, z):
    """Add to what equation k leaves over."""
    C.real[k] += z.real
    C.slope[k] += z.imag


@inline_kernel
def pull_elements(C, i, x, p):
    """What springs, stops and bars do on the travels."""
    for e in range(C.of_axle.shape[0]):
        own, first = C.length[e], 2 * C.of_axle[e]
        a, b = stepped(x, first, p), stepped(x, first + 1, p)
        left, right = own[3, i] * a + own[4, i] * b, own[5, i] * a + own[6, i] * b
        longer = a * (own[1, i] + 0.5 * left) + b * (own[2, i] + 0.5 * right)
        force = C.tension[e, i] + C.rate[e, i] * longer
        enter(C, first, -force * (own[1, i] + left))
        enter(C, first + 1, -force * (own[2, i] + right))


@inline_kernel
def leave_over(C, i, x, p):
    """What the unknowns of case i leave over, and its derivative by unknown p, in C.real and C.slope."""
    P, D = C.parts, C.demand
    wheels = P.radius.shape[0]
    axles = wheels // 2
    roll, pitch, height, loads = wheels, wheels + 1, wheels + 2, wheels + 3
    known = C.known[i] == 1
    for k in range(x.shape[0]):
        C.real[k], C.slope[k] = 0.0, 0.0
    h = stepped(x, height, p)
    nx, ny, nz, fx, fy, fz, lx, ly, lz = road_axes(stepped(x, roll, p), stepped(x, pitch, p))
    origin = (h * nx, h * ny, h * nz)
    ga, gl, gu = D.acceleration[i, 0], D.acceleration[i, 1], D.acceleration[i, 2]
    gx, gy, gz = (  # on each unit of mass
        -(ga * fx + gl * lx + gu * nx),
        -(ga * fy + gl * ly + gu * ny),
        -(ga * fz + gl * lz + gu * nz),
    )
    mx, my, mz = moment_about(P.sprung_at, origin, (P.sprung_mass * gx, P.sprung_mass * gy, P.sprung_mass * gz))
    pressed = -gu * P.mass
    for a in range(axles):
        down = D.downforce[i, a]
        cx, cy, cz = moment_about(P.downforce_at[a], origin, (-down * nx, -down * ny, -down * nz))
        mx, my, mz = mx + cx, my + cy, mz + cz
        pressed -= down
    pull_elements(C, i, x, p)
    for w in range(wheels):
        a = w // 2
        za, zb = stepped(x, 2 * a, p), stepped(x, 2 * a + 1, p)
        contact, at, force, moment, torque, _passed, _heading, _left = press_wheel(C, i, w, x, p, (nx, ny, nz, h))
        cx, cy, cz = moment_about(at, origin, force)
        mx, my, mz = mx + cx + moment[0], my + cy + moment[1], mz + cz + moment[2]
        for k in range(2):
            enter(C, 2 * a + k, work_on(C.vectors[i, PER_WHEEL * w], k, za, zb, force))
            enter(C, 2 * a + k, work_on(C.vectors[i, PER_WHEEL * w + 2], k, za, zb, torque))
        load = stepped(x, loads + w, p)
        gap = contact[3] + (load - P.design_load[w]) * P.softness[w]
        if known:
            enter(C, loads + w, load - D.load[i, w])
            enter(C, height, gap)
            enter(C, roll, gap * contact[1])
            if axles > 1:
                enter(C, pitch, gap * contact[0])
        else:
            enter(C, loads + w, load if C.lifted[i, w] == 1 else gap)
            enter(C, height, load)
    for j in range(P.carrier.shape[0]):
        a, amount = P.carrier[j], P.amount[j]
        place = C.vectors[i, PER_WHEEL * wheels + j]
        za, zb = stepped(x, 2 * a, p), stepped(x, 2 * a + 1, p)
        wx, wy, wz = amount * gx, amount * gy, amount * gz
        for k in range(2):
            enter(C, 2 * a + k, work_on(place, k, za, zb, (wx, wy, wz)))
        cx, cy, cz = moved(place, za, zb)
        at = (cx + P.shift[a, 0], cy + P.shift[a, 1], cz + P.shift[a, 2])
        cx, cy, cz = moment_about(at, origin, (wx, wy, wz))
        mx, my, mz = mx + cx, my + cy, mz + cz
    if not known:
        enter(C, roll, dot(mx, my, mz, fx, fy, fz))
        enter(C, pitch, dot(mx, my, mz, lx, ly, lz))
        enter(C, height, complex(pressed, 0.0))
    elif axles == 1:
        enter(C, pitch, stepped(x, pitch, p))


@kernel
def balance_cars(C: CarOnRoad, x: Floats2, moving: Ints, change: Floats2, matrix: Floats3) -> None:
    """Steps (n, k) of Newton's method from unknowns x (n, k), whose travels are changes from the poses; derivatives (n, k, k).

    moving: (m,) cases that are asked for; the rest of what is found stays as it is. A step is NaN where there is none.
    """
    size = x.shape[1]
    for i in moving:
        for p in range(size):
            leave_over(C, i, x[i], p)
            for k in range(size):
                matrix[i, k, p] = C.factors[k, p] = C.slope[k] / STEP
        is_singular = factor_dense(C.factors, size, C.pivot) == 1
        for k in range(size):
            change[i, k] = math.nan if is_singular else -C.real[k]
        if not is_singular:
            solve_dense(C.factors, size, C.pivot, change[i])


@inline_kernel
def keep(vector, out):
    """The real parts of a vector."""
    for k in range(3):
        out[k] = vector[k].real


@kernel
def press_wheels(C: CarOnRoad, x: Floats2, out: Floats4) -> None:
    """What the road exerts on all wheels at unknowns (n, k): out (n, w, 7, 3), as `AT` and the others name it."""
    wheels = C.parts.radius.shape[0]
    for i in range(x.shape[0]):
        nx, ny, nz, _fx, _fy, _fz, _lx, _ly, _lz = road_axes(stepped(x[i], wheels, -1), stepped(x[i], wheels + 1, -1))
        road = (nx, ny, nz, stepped(x[i], wheels + 2, -1))
        for w in range(wheels):
            _contact, at, force, moment, torque, passed, heading, left = press_wheel(C, i, w, x[i], -1, road)
            keep(at, out[i, w, AT])
            keep(force, out[i, w, FORCE])
            keep(moment, out[i, w, MOMENT])
            keep(torque, out[i, w, TORQUE])
            keep(passed, out[i, w, PASSED])
            keep(heading, out[i, w, HEADING])
            keep(left, out[i, w, LEFT])
