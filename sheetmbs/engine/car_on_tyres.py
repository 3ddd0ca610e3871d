"""A whole car on its tyres in steady motion: what its unknowns leave of the equations of balance.

The car moves at the speed V along a path, at the body slip angle beta to its heading, and turns by r = ay/V. The square of V
is the unknown: it is linear in ay on a circle, and slips depend on V by ay/V^2 alone. Every mass has the accelerations ax along
the path and ay across it, to the left. Unknowns x of a car of w wheels and a axles, in this order:

    z (w) travels, roll, pitch and distance h of the road, N (w) vertical loads, kappa (w) slip ratios,
    ay, ax, beta, rack, S = V^2, E a force that drives or brakes, D (a) half the difference of the driving torques of an axle

With n, f, l the road's normal and its directions forward and to the left in the body, t = f cos beta + l sin beta along the
path, p = l cos beta - f sin beta across it, G the centre of gravity as posed; of a wheel with the middle W, the spin axis w to
the left and the radius R: contact C and gap g as in `engine/car_on_road.py`, heading h = w x n/|..|, o = n x h,

    velocity        v/V = t + ay/S n x (C - G)     alpha = atan(v.o/|v.h|)        gamma = asin(w.n)
    tyre            F = Fx h + Fy o + N n at C      M = Mx h + My o + Mz n        from kappa, alpha, gamma, N

Equations, in the same order:

    travels         W_k.F + w_k.(T - (T.w) w) - Tr w_k.w + sum m u_k.(g - a) + elastic forces = 0,  T = (C - W) x F + M,
                    Tr the torque that the carrier of the wheel holds (outboard brakes, hub motors)
    roll, pitch, h  moments of all forces and of -m a about two lines in the road; sum N = weight and downforce
    loads           g + (N - N0)/k_t = 0, or N = 0 of a lifted wheel
    slips           T_drive + T_brake - R Fx + My cos gamma + Mz sin gamma = 0;  of a lifted wheel kappa = 0, or the speed of
                    its neighbour behind a locked differential; its brake finds nothing to hold
    ay, ax          sum F.p = m ay;  sum F.t - drag = m ax
    four closures   a sum of unknowns with weights, or the yaw moment
    D               equal torques, equal speeds (1 + kappa) v.h/Re (no torque on a lifted wheel), or torques in a ratio

Behind them follow what is read off with its derivatives: the yaw moment about G, the force of the pinion on the rack, the mean
steer angle, the power of the drive, g + (N - N0)/k_t of all wheels, and by how much the left wheel of each axle turns faster.
The last one is the moment of all that acts on the half of the body over the second axle about the line along x through the
design road, which the torsion of the body holds. A tyre whose carcass gives way by c along and across touches the road at
C + c_h Fx h + c_o Fy o, where its forces act. Derivatives are found by complex steps, as there, and those of tyres by
`engine/tyres/partials.py`. Where elastic parts let the wheels move against the linkage, `balance_on_hubs` adds what acts on
each carrier, and derivatives by translations and rotations of wheels and by places of unsprung masses, which stand behind those
by the unknowns in this order.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from sheetmbs.compiled import Bundle, inline_kernel, kernel
from sheetmbs.engine.algebra.dense import factor_dense, solve_dense
from sheetmbs.engine.car_on_road import PER_WHEEL, STEP, CarParts, inverse, moment_about, road_axes, root, unit
from sheetmbs.engine.complex_steps import (
    along_inputs,
    arcsine,
    arctangent,
    cosine,
    sine,
    size_of,
    step_of,
    stepped,
)
from sheetmbs.engine.records import Floats, Floats2, Floats3, Floats4, Ints, Ints2
from sheetmbs.engine.tyres.tyre_states import TyreKernel, effective_radius, tyre_forces
from sheetmbs.engine.vec import cross, dot

WAYS = 3
"""in which an axle moves: travels of the left and of the right wheel, and its rack"""
OPEN, LOCKED, LEFT_MORE, RIGHT_MORE = range(4)
"""differentials: equal torques, equal speeds, or the left or right torque as many times the other as the bias says"""
SUM_OF_UNKNOWNS, YAW_MOMENT = range(2)
"""kinds of closures"""
SINGLE_READ_OFFS = 4
"""behind the equations: yaw moment, force on the rack, mean steer angle of the steered wheels, power of the drive"""
READ_OFFS = 11
"""these, then the gaps of four wheels, the differences of speeds of two axles, and the moment that twists the body"""
HUB = 6
"""numbers of each wheel: rows of the force and of the moment about its middle that act on its carrier, behind the read-offs;
and small translations and rotations of the wheel against the linkage, behind the unknowns, by which there are derivatives"""
WHEEL_COLUMNS = 13
FZ, FX, FY, MZ, MX, MY, ALPHA, KAPPA, GAMMA, HEADING, LEAN, DRIVING, OUTSIDE = range(WHEEL_COLUMNS)
"""what is read off a wheel: on the tyre as mounted, in its heading axes, SI and rad; DRIVING the torque of drive and brakes"""


@dataclass(frozen=True, eq=False)
class TyredCar(Bundle):
    """A car with its tyres. side: (w,) -1 where a tyre is mirrored. pressure: (w,) Pa.

    steered: (w,) 1 where a heading counts for the steer angle; heading: (w,) rad, at design.
    brake_held, drive_held: (w,) 1 where the carrier of the wheel holds the torque of brakes, of the drive.
    carcass: (w, 2) how far the contact moves against its wheel by Fx along its heading and by Fy across, m/N.
    lift: (a,) -rho Cz A/2, down positive; drag: rho Cx A/2, kg/m; drag_height: over the road, m. bias: (a,) of a differential.
    """

    parts: CarParts
    front_left: TyreKernel
    front_right: TyreKernel
    rear_left: TyreKernel
    rear_right: TyreKernel
    side: Floats
    pressure: Floats
    steered: Floats
    heading: Floats
    brake_held: Floats
    drive_held: Floats
    carcass: Floats2
    lift: Floats
    drag: float
    drag_height: float
    bias: Floats
    gravity: float


@dataclass(frozen=True, eq=False)
class SteadyStates(Bundle):
    """n steady states at their poses, and scratch.

    vectors: (n, 3 w + m, 13, 3) wheels, then unsprung masses, over the `WAYS` of their axle. of_axle, length (e, 13, n),
    tension and rate (e, n): of its elements. drive, brake: (n, w) shares of E; driven, braked: (n, w) further torques, N m.
    downforce: (n, a) given on top. weights: (n, 4, unknowns), kind and value: (n, 4) of the closures. differential: (n, a).
    lifted: (n, w). tyre: (w, 5, 6) and rolling (w, 6) forces and effective radius with their derivatives at the real unknowns,
    by kappa, alpha, gamma, N and V.
    """

    car: TyredCar
    vectors: Floats4
    of_axle: Ints
    length: Floats3
    tension: Floats2
    rate: Floats2
    drive: Floats2
    brake: Floats2
    driven: Floats2
    braked: Floats2
    downforce: Floats2
    weights: Floats3
    kind: Ints2
    value: Floats2
    differential: Ints2
    lifted: Ints2
    real: Floats  # (unknowns + READ_OFFS + HUB w,)
    slope: Floats
    factors: Floats2  # (unknowns, unknowns)
    pivot: Ints
    tyre: Floats3
    rolling: Floats2


@inline_kernel
def moved(V, a, b, c):
    """A vector after small changes of both travels and of the rack."""
    return (
        V[0, 0] + a * V[1, 0] + b * V[2, 0] + c * V[3, 0],
        V[0, 1] + a * V[1, 1] + b * V[2, 1] + c * V[3, 1],
        V[0, 2] + a * V[1, 2] + b * V[2, 2] + c * V[3, 2],
    )


@inline_kernel
def work_on(V, k, a, b, c, force):
    """What a force does on way k, by the first derivatives of a vector after small changes."""
    slope, first = V[1 + k], 1 + WAYS + k * WAYS
    return (
        (slope[0] + V[first, 0] * a + V[first + 1, 0] * b + V[first + 2, 0] * c) * force[0]
        + (slope[1] + V[first, 1] * a + V[first + 1, 1] * b + V[first + 2, 1] * c) * force[1]
        + (slope[2] + V[first, 2] * a + V[first + 1, 2] * b + V[first + 2, 2] * c) * force[2]
    )


@inline_kernel
def tyre_at(C, w):
    """The tyre of a wheel."""
    if w == 0:
        return C.car.front_left
    if w == 1:
        return C.car.front_right
    return C.car.rear_left if w == 2 else C.car.rear_right


@kernel
def press_tyre(C, w, kappa, alpha, gamma, load, speed) -> None:
    """Forces of a tyre at real inputs, into the scratch of the states."""
    if load <= 0.0:
        for d in range(6):
            for r in range(C.tyre.shape[1]):
                C.tyre[w, r, d] = 0.0
            C.rolling[w, d] = 0.0
        C.rolling[w, 0] = C.car.parts.radius[w]
        return
    T = tyre_at(C, w)
    k, a, g = (kappa, 1.0, 0.0, 0.0, 0.0, 0.0), (alpha, 0.0, 1.0, 0.0, 0.0, 0.0), (gamma, 0.0, 0.0, 1.0, 0.0, 0.0)
    n, v = (load, 0.0, 0.0, 0.0, 1.0, 0.0), (speed, 0.0, 0.0, 0.0, 0.0, 1.0)
    p = (C.car.pressure[w], 0.0, 0.0, 0.0, 0.0, 0.0)  # which is given: the speed takes its place among the derivatives
    forces = tyre_forces(T, k, a, g, n, p, v, C.car.side[w])
    radius = effective_radius(T, k, n, p, v, C.car.parts.radius[w])
    for d in range(6):
        C.tyre[w, 0, d], C.tyre[w, 1, d], C.tyre[w, 2, d] = forces[0][d], forces[1][d], forces[2][d]
        C.tyre[w, 3, d], C.tyre[w, 4, d] = forces[3][d], forces[4][d]
        C.rolling[w, d] = radius[d]


@inline_kernel
def enter(C, k, z):
    """Add to what equation k leaves over."""
    C.real[k] += z.real
    C.slope[k] += z.imag


@inline_kernel
def twist_row(wheels):
    """Number of the moment that twists the body, the last read-off."""
    return 3 * wheels + 9 + wheels // 2 + READ_OFFS - 1


@inline_kernel
def first_hub(wheels):
    """Number of the first motion of a wheel, behind the unknowns."""
    return 3 * wheels + 9 + wheels // 2


@inline_kernel
def first_mass(wheels):
    """Number of the first coordinate of an unsprung mass, behind the motions of wheels."""
    return first_hub(wheels) + HUB * wheels


@inline_kernel
def centre_of_gravity(C, i, p):
    """Where the whole car has its centre, with unsprung masses at their places."""
    P = C.car.parts
    wheels = P.radius.shape[0]
    rack = step_of(3 * wheels + 6, p)
    cx = complex(P.sprung_mass * P.sprung_at[0], 0.0)
    cy = complex(P.sprung_mass * P.sprung_at[1], 0.0)
    cz = complex(P.sprung_mass * P.sprung_at[2], 0.0)
    for j in range(P.carrier.shape[0]):
        a, amount = P.carrier[j], P.amount[j]
        mx, my, mz = moved(C.vectors[i, PER_WHEEL * wheels + j], step_of(2 * a, p), step_of(2 * a + 1, p), rack)
        own = first_mass(wheels) + 3 * j
        cx, cy, cz = (
            cx + amount * (mx + P.shift[a, 0] + step_of(own, p)),
            cy + amount * (my + P.shift[a, 1] + step_of(own + 1, p)),
            cz + amount * (mz + P.shift[a, 2] + step_of(own + 2, p)),
        )
    return cx / P.mass, cy / P.mass, cz / P.mass


@inline_kernel
def pull_elements(C, i, p, rack_row):
    """What springs, stops and bars do on the travels and on the rack."""
    wheels = C.car.parts.radius.shape[0]
    c = step_of(3 * wheels + 6, p)
    for e in range(C.of_axle.shape[0]):
        own, first = C.length[e], 2 * C.of_axle[e]
        a, b = step_of(first, p), step_of(first + 1, p)
        force = C.tension[e, i] + C.rate[e, i] * (a * own[1, i] + b * own[2, i] + c * own[3, i])
        for k in range(WAYS):
            r = 1 + WAYS + k * WAYS
            slope = own[1 + k, i] + own[r, i] * a + own[r + 1, i] * b + own[r + 2, i] * c
            enter(C, first + k if k < 2 else rack_row, -force * slope)


@inline_kernel
def torques(C, i, x, w, p):
    """Driving and braking torque of a wheel."""
    wheels = C.car.parts.radius.shape[0]
    effort = stepped(x, 3 * wheels + 8, p)
    apart = stepped(x, 3 * wheels + 9 + w // 2, p)
    sign = 1.0 if w % 2 == 0 else -1.0
    mean = 0.0
    for k in range(wheels):
        mean += C.car.parts.radius[k] / wheels
    on_road = 1.0 - C.lifted[i, w]
    braking = on_road * (mean * C.brake[i, w] * effort + C.braked[i, w])
    return mean * C.drive[i, w] * effort + C.driven[i, w] + sign * apart, braking


@inline_kernel
def stand_wheel(C, i, w, p, n, h):
    """Where a wheel stands on the road with the normal n at the distance h.

    Its middle, spin axis to the left, heading, the direction to the left of that in the road, its contact, and the gap.
    """
    P = C.car.parts
    nx, ny, nz = n
    a, s, rack = w // 2, P.s[w], step_of(3 * P.radius.shape[0] + 6, p)
    za, zb = step_of(2 * a, p), step_of(2 * a + 1, p)
    cx, cy, cz = moved(C.vectors[i, PER_WHEEL * w], za, zb, rack)
    cx, cy, cz = cx + P.shift[a, 0], cy + P.shift[a, 1], cz + P.shift[a, 2]
    wx, wy, wz = moved(C.vectors[i, PER_WHEEL * w + 1], za, zb, rack)
    wx, wy, wz = s * wx, s * wy, s * wz
    own = first_hub(P.radius.shape[0]) + HUB * w
    cx, cy, cz = cx + step_of(own, p), cy + step_of(own + 1, p), cz + step_of(own + 2, p)
    ex, ey, ez = cross(step_of(own + 3, p), step_of(own + 4, p), step_of(own + 5, p), wx, wy, wz)
    wx, wy, wz = wx + ex, wy + ey, wz + ez
    level = dot(wx, wy, wz, nx, ny, nz)
    dx, dy, dz = unit(nx - level * wx, ny - level * wy, nz - level * wz)
    qx, qy, qz = cx - P.radius[w] * dx, cy - P.radius[w] * dy, cz - P.radius[w] * dz
    gap = dot(qx, qy, qz, nx, ny, nz) - h
    hx, hy, hz = cross(wx, wy, wz, nx, ny, nz)
    hx, hy, hz = unit(hx, hy, hz)
    ox, oy, oz = cross(nx, ny, nz, hx, hy, hz)
    return (cx, cy, cz), (wx, wy, wz), (hx, hy, hz), (ox, oy, oz), (qx - gap * nx, qy - gap * ny, qz - gap * nz), gap


@inline_kernel
def weigh_body(C, i, x, p, road, path, g, middle):
    """What weight, inertia, downforce and drag leave of the balance of the body; their moments about the road's origin."""
    K = C.car
    P = K.parts
    end = 3 * P.radius.shape[0] + 3
    (nx, ny, nz), h = road
    tx, ty, tz = path
    gx, gy, gz = g
    square = stepped(x, end + 4, p)
    origin = (h * nx, h * ny, h * nz)
    mx, my, mz = moment_about(P.sprung_at, origin, (P.sprung_mass * gx, P.sprung_mass * gy, P.sprung_mass * gz))
    pressed = complex(-K.gravity * P.mass, 0.0)
    for a in range(P.shift.shape[0]):
        down = K.lift[a] * square + C.downforce[i, a]
        cx, cy, cz = moment_about(P.downforce_at[a], origin, (-down * nx, -down * ny, -down * nz))
        mx, my, mz = mx + cx, my + cy, mz + cz
        pressed -= down
    drag = K.drag * square
    raised = K.drag_height - (dot(middle[0], middle[1], middle[2], nx, ny, nz) - h)
    pulled = (middle[0] + raised * nx, middle[1] + raised * ny, middle[2] + raised * nz)
    cx, cy, cz = moment_about(pulled, origin, (-drag * tx, -drag * ty, -drag * tz))
    enter(C, P.radius.shape[0] + 2, pressed)
    enter(C, end, -P.mass * stepped(x, end, p))
    enter(C, end + 1, -drag - P.mass * stepped(x, end + 1, p))
    return mx + cx, my + cy, mz + cz


@inline_kernel
def weigh_unsprung(C, i, p, origin, g):
    """Work of the weight and inertia of unsprung masses on travels and rack, and their moments about the road's origin."""
    P = C.car.parts
    wheels = P.radius.shape[0]
    rack, rack_row = step_of(3 * wheels + 6, p), 3 * wheels + 9 + wheels // 2 + 1
    mx, my, mz = complex(0.0, 0.0), complex(0.0, 0.0), complex(0.0, 0.0)
    for j in range(P.carrier.shape[0]):
        a, amount = P.carrier[j], P.amount[j]
        place = C.vectors[i, PER_WHEEL * wheels + j]
        za, zb = step_of(2 * a, p), step_of(2 * a + 1, p)
        wx, wy, wz = amount * g[0], amount * g[1], amount * g[2]
        for k in range(WAYS):
            enter(C, 2 * a + k if k < 2 else rack_row, work_on(place, k, za, zb, rack, (wx, wy, wz)))
        cx, cy, cz = moved(place, za, zb, rack)
        own = first_mass(wheels) + 3 * j
        cx, cy, cz = cx + step_of(own, p), cy + step_of(own + 1, p), cz + step_of(own + 2, p)
        at = (cx + P.shift[a, 0], cy + P.shift[a, 1], cz + P.shift[a, 2])
        cx, cy, cz = moment_about(at, origin, (wx, wy, wz))
        mx, my, mz = mx + cx, my + cy, mz + cz
        if a == P.shift.shape[0] - 1:
            enter(C, twist_row(wheels), moment_about(at, P.downforce_at[a], (wx, wy, wz))[0])
    return mx, my, mz


@inline_kernel
def drive_wheel(C, i, x, w, p, tyre, stands):
    """The equations of the load and the slip of a wheel, and what its turning adds to the differential and to the power."""
    K = C.car
    P = K.parts
    wheels = P.radius.shape[0]
    loads, slips, count = wheels + 3, 2 * wheels + 3, 3 * wheels + 9 + wheels // 2
    load, kappa, speed = stepped(x, loads + w, p), stepped(x, slips + w, p), root(stepped(x, 3 * wheels + 7, p))
    force_x, moment_y, moment_z, moved_on = tyre
    rolling, gamma, gap = stands
    driving, braking = torques(C, i, x, w, p)
    pressed_in = gap + (load - P.design_load[w]) * P.softness[w]
    turning = (1.0 + kappa) * rolling * inverse(along_inputs(C.rolling[w], kappa, gamma, gamma, load, speed))
    is_left = w % 2 == 0
    enter(C, count + SINGLE_READ_OFFS + w, pressed_in)
    enter(C, count + SINGLE_READ_OFFS + wheels + w // 2, turning if is_left else -turning)
    enter(C, count + 3, driving * turning * speed)
    if C.lifted[i, w] == 1:
        enter(C, loads + w, load)
        if C.differential[i, w // 2] != LOCKED:
            enter(C, slips + w, kappa)
    else:
        enter(C, loads + w, pressed_in)
        spun = driving + braking - P.radius[w] * force_x + moment_y * cosine(gamma) + moment_z * sine(gamma) + moved_on
        enter(C, slips + w, spun)
    balance_differential(C, i, w, 3 * wheels + 9, driving, turning)


@inline_kernel
def load_wheel(C, i, x, w, p, road, path, middle):
    """All that a wheel does: work on travels and rack, its load and slip, forces; its moments about the road's origin."""
    K = C.car
    wheels = K.parts.radius.shape[0]
    a, end = w // 2, 3 * wheels + 3
    yaw_row = end + 6 + wheels // 2
    (nx, ny, nz), h = road
    (tx, ty, tz), (px, py, pz) = path
    za, zb, rack = step_of(2 * a, p), step_of(2 * a + 1, p), step_of(end + 3, p)
    square = stepped(x, end + 4, p)
    speed, curvature = root(square), stepped(x, end, p) * inverse(square)
    (cx, cy, cz), (wx, wy, wz), (hx, hy, hz), (ox, oy, oz), (ax, ay, az), gap = stand_wheel(C, i, w, p, (nx, ny, nz), h)
    rx, ry, rz = cross(nx, ny, nz, ax - middle[0], ay - middle[1], az - middle[2])
    vx, vy, vz = tx + curvature * rx, ty + curvature * ry, tz + curvature * rz
    rolling = dot(vx, vy, vz, hx, hy, hz)
    alpha = arctangent(dot(vx, vy, vz, ox, oy, oz) * inverse(size_of(rolling)))
    gamma = arcsine(dot(wx, wy, wz, nx, ny, nz))
    load, kappa = stepped(x, wheels + 3 + w, p), stepped(x, 2 * wheels + 3 + w, p)
    if p < 0:
        press_tyre(C, w, kappa.real, alpha.real, gamma.real, load.real, speed.real)
    own = C.tyre[w]
    force_x = along_inputs(own[0], kappa, alpha, gamma, load, speed)
    force_y = along_inputs(own[1], kappa, alpha, gamma, load, speed)
    moment_z = along_inputs(own[2], kappa, alpha, gamma, load, speed)
    moment_x = along_inputs(own[3], kappa, alpha, gamma, load, speed)
    moment_y = along_inputs(own[4], kappa, alpha, gamma, load, speed)
    ux = load * nx + force_x * hx + force_y * ox
    uy = load * ny + force_x * hy + force_y * oy
    uz = load * nz + force_x * hz + force_y * oz
    kx = moment_x * hx + moment_y * ox + moment_z * nx
    ky = moment_x * hy + moment_y * oy + moment_z * ny
    kz = moment_x * hz + moment_y * oz + moment_z * nz
    along, aside = K.carcass[w, 0] * force_x, K.carcass[w, 1] * force_y
    sx, sy, sz = along * hx + aside * ox, along * hy + aside * oy, along * hz + aside * oz
    ax, ay, az = ax + sx, ay + sy, az + sz
    ex, ey, ez = cross(sx, sy, sz, ux, uy, uz)
    moved_on = dot(wx, wy, wz, ex, ey, ez)
    ex, ey, ez = cross(ax - middle[0], ay - middle[1], az - middle[2], ux, uy, uz)
    enter(C, yaw_row, dot(ex + kx, ey + ky, ez + kz, nx, ny, nz))
    ex, ey, ez = cross(ax - cx, ay - cy, az - cz, ux, uy, uz)
    ex, ey, ez = ex + kx, ey + ky, ez + kz
    driving, braking = torques(C, i, x, w, p)
    about = dot(wx, wy, wz, ex, ey, ez) + K.drive_held[w] * driving + K.brake_held[w] * braking
    ex, ey, ez = ex - about * wx, ey - about * wy, ez - about * wz
    own = yaw_row + READ_OFFS + HUB * w
    enter(C, own, ux)
    enter(C, own + 1, uy)
    enter(C, own + 2, uz)
    enter(C, own + 3, ex)
    enter(C, own + 4, ey)
    enter(C, own + 5, ez)
    for k in range(WAYS):
        row = 2 * a + k if k < 2 else yaw_row + 1
        enter(C, row, work_on(C.vectors[i, PER_WHEEL * w], k, za, zb, rack, (ux, uy, uz)))
        enter(C, row, work_on(C.vectors[i, PER_WHEEL * w + 2], k, za, zb, rack, (ex, ey, ez)))
    drive_wheel(C, i, x, w, p, (force_x, moment_y, moment_z, moved_on), (rolling, gamma, gap))
    enter(C, wheels + 2, load)
    enter(C, end, dot(ux, uy, uz, px, py, pz))
    enter(C, end + 1, dot(ux, uy, uz, tx, ty, tz))
    mx, my, mz = moment_about((ax, ay, az), (h * nx, h * ny, h * nz), (ux, uy, uz))
    if a == K.parts.shift.shape[0] - 1:
        enter(C, twist_row(wheels), kx + moment_about((ax, ay, az), K.parts.downforce_at[a], (ux, uy, uz))[0])
    return (mx + kx, my + ky, mz + kz), (hx, hy, hz)


@kernel
def leave_over(C, i, x, p) -> None:
    """What the unknowns of state i leave over, and its derivative by unknown p, in C.real and C.slope; p = -1 presses tyres."""
    K = C.car
    wheels = K.parts.radius.shape[0]
    roll, pitch, height, end = wheels, wheels + 1, wheels + 2, 3 * wheels + 3
    count = end + 6 + wheels // 2
    for k in range(count + READ_OFFS + HUB * wheels):
        C.real[k], C.slope[k] = 0.0, 0.0
    across, along, beta = stepped(x, end, p), stepped(x, end + 1, p), stepped(x, end + 2, p)
    h = stepped(x, height, p)
    nx, ny, nz, fx, fy, fz, lx, ly, lz = road_axes(stepped(x, roll, p), stepped(x, pitch, p))
    cb, sb = cosine(beta), sine(beta)
    tx, ty, tz = cb * fx + sb * lx, cb * fy + sb * ly, cb * fz + sb * lz
    px, py, pz = cb * lx - sb * fx, cb * ly - sb * fy, cb * lz - sb * fz
    middle = centre_of_gravity(C, i, p)
    g = (  # on each unit of mass
        -(along * tx + across * px + K.gravity * nx),
        -(along * ty + across * py + K.gravity * ny),
        -(along * tz + across * pz + K.gravity * nz),
    )
    road = ((nx, ny, nz), h)
    mx, my, mz = complex(0.0, 0.0), complex(0.0, 0.0), complex(0.0, 0.0)
    only = -1  # the wheel at which alone a load, a slip or a motion of a wheel acts
    if height < p < end:
        only = (p - height - 1) % wheels
    elif count <= p < first_mass(wheels):
        only = (p - count) // HUB
    if only < 0:
        mx, my, mz = weigh_body(C, i, x, p, road, (tx, ty, tz), g, middle)
    if p < wheels or p == end + 3:
        pull_elements(C, i, p, count + 1)
    counted = 0.0
    for w in range(wheels):
        counted += K.steered[w]
    for w in range(wheels):
        if 0 <= only != w:
            continue
        (ex, ey, ez), (hx, hy, hz) = load_wheel(C, i, x, w, p, road, ((tx, ty, tz), (px, py, pz)), middle)
        mx, my, mz = mx + ex, my + ey, mz + ez
        if K.steered[w] > 0.0:
            heading = arctangent(dot(hx, hy, hz, lx, ly, lz) * inverse(dot(hx, hy, hz, fx, fy, fz)))
            enter(C, count + 2, (heading - K.heading[w]) * (K.steered[w] / counted))
    if only < 0:
        ex, ey, ez = weigh_unsprung(C, i, p, (h * nx, h * ny, h * nz), g)
        mx, my, mz = mx + ex, my + ey, mz + ez
    enter(C, roll, dot(mx, my, mz, fx, fy, fz))
    enter(C, pitch, dot(mx, my, mz, lx, ly, lz))
    C.real[count + 1], C.slope[count + 1] = -C.real[count + 1], -C.slope[count + 1]  # what the pinion holds against it
    enter_closures(C, i, x, p, end, count)


@inline_kernel
def balance_differential(C, i, w, first, driving, turning):
    """What a wheel adds to the equation of the differential of its axle, ``first`` being that of the first axle."""
    row = first + w // 2
    mode = C.differential[i, w // 2]
    is_left = w % 2 == 0
    other = w + 1 if is_left else w - 1
    sign = 1.0 if is_left else -1.0
    bias = C.car.bias[w // 2]
    if mode == OPEN:
        enter(C, row, sign * driving)
    elif mode == LOCKED:
        slips = first - 6 - C.lifted.shape[1]
        if C.lifted[i, w] == 1:
            enter(C, row, driving)
            enter(C, slips + w, sign * turning)
        elif C.lifted[i, other] == 1:
            enter(C, slips + other, sign * turning)
        else:
            enter(C, row, sign * turning)
    elif mode == LEFT_MORE:
        enter(C, row, driving if is_left else -bias * driving)
    else:
        enter(C, row, bias * driving if is_left else -driving)


@inline_kernel
def enter_closures(C, i, x, p, end, count):
    """Add the four closures to what is left over."""
    for j in range(C.kind.shape[1]):
        row = end + 2 + j
        if C.kind[i, j] == SUM_OF_UNKNOWNS:
            found = complex(-C.value[i, j], 0.0)
            for k in range(count):
                if C.weights[i, j, k] != 0.0:
                    found += C.weights[i, j, k] * stepped(x, k, p)
            enter(C, row, found)
        else:
            enter(C, row, complex(C.real[count] - C.value[i, j], C.slope[count]))


@kernel
def balance_states(
    C: SteadyStates, x: Floats2, moving: Ints, residual: Floats2, change: Floats2, matrix: Floats3
) -> None:
    """Steps (n, k) of Newton's method from unknowns x (n, k); residual (n, k + READ_OFFS) and its derivatives by x.

    moving: (m,) states that are asked for; the rest of what is found stays as it is. A step is NaN where there is none.
    """
    size = x.shape[1]
    for i in moving:
        leave_over(C, i, x[i], -1)
        for k in range(size + READ_OFFS):
            residual[i, k] = C.real[k]
        for p in range(size):
            leave_over(C, i, x[i], p)
            for k in range(size + READ_OFFS):
                matrix[i, k, p] = C.slope[k] / STEP
            for k in range(size):
                C.factors[k, p] = C.slope[k] / STEP
        is_singular = factor_dense(C.factors, size, C.pivot) == 1
        for k in range(size):
            change[i, k] = math.nan if is_singular else -residual[i, k]
        if not is_singular:
            solve_dense(C.factors, size, C.pivot, change[i])


@kernel
def balance_on_hubs(C: SteadyStates, x: Floats2, moving: Ints, residual: Floats2, matrix: Floats3) -> None:
    """What unknowns x (n, k) leave over, with what acts on the carriers: (n, k + READ_OFFS + HUB w), and all its derivatives.

    matrix: (n, k + READ_OFFS + HUB w, k + HUB w + 3 m) by the unknowns, the motions of wheels, and the places of m masses.
    """
    for i in moving:
        leave_over(C, i, x[i], -1)
        for k in range(residual.shape[1]):
            residual[i, k] = C.real[k]
        for p in range(matrix.shape[2]):
            leave_over(C, i, x[i], p)
            for k in range(residual.shape[1]):
                matrix[i, k, p] = C.slope[k] / STEP
