"""What is read off the wheels of a car in steady motion, whose equations are those of `engine/car_on_tyres.py`."""

from __future__ import annotations

import math

from sheetmbs.compiled import inline_kernel, kernel
from sheetmbs.engine.car_on_road import road_axes
from sheetmbs.engine.car_on_tyres import (
    ALPHA,
    DRIVING,
    FX,
    FY,
    FZ,
    GAMMA,
    HEADING,
    KAPPA,
    LEAN,
    MX,
    MY,
    MZ,
    OUTSIDE,
    SteadyStates,
    centre_of_gravity,
    leave_over,
    stand_wheel,
    torques,
    tyre_at,
)
from sheetmbs.engine.complex_steps import stepped
from sheetmbs.engine.records import Floats2, Floats3
from sheetmbs.engine.tyres.tyre_states import is_outside
from sheetmbs.engine.vec import cross, dot


@kernel
def read_wheels(C: SteadyStates, x: Floats2, out: Floats3) -> None:
    """What is read off all wheels at unknowns (n, k): out (n, w, 13), as `FZ` and the others name it."""
    wheels = C.car.parts.radius.shape[0]
    for i in range(x.shape[0]):
        leave_over(C, i, x[i], -1)
        for w in range(wheels):
            read_wheel(C, i, w, x[i], out[i, w])


@inline_kernel
def read_wheel(C, i, w, x, out):
    """One wheel of a state whose tyres have been pressed."""
    K = C.car
    wheels = K.parts.radius.shape[0]
    end = 3 * wheels + 3
    nx, ny, nz, fx, fy, fz, lx, ly, lz = road_axes(stepped(x, wheels, -1), stepped(x, wheels + 1, -1))
    middle = centre_of_gravity(C, i, -1)
    _centre, (wx, wy, wz), (hx, hy, hz), (ox, oy, oz), (ax, ay, az), _gap = stand_wheel(
        C, i, w, -1, (nx, ny, nz), stepped(x, wheels + 2, -1)
    )
    rx, ry, rz = cross(nx, ny, nz, ax - middle[0], ay - middle[1], az - middle[2])
    cb, sb, curvature = math.cos(x[end + 2]), math.sin(x[end + 2]), x[end] / x[end + 4]
    vx, vy = cb * fx + sb * lx + curvature * rx, cb * fy + sb * ly + curvature * ry
    vz = cb * fz + sb * lz + curvature * rz
    driving, braking = torques(C, i, x, w, -1)
    out[FZ], out[KAPPA] = x[wheels + 3 + w], x[2 * wheels + 3 + w]
    out[FX], out[FY], out[MZ] = C.tyre[w, 0, 0], C.tyre[w, 1, 0], C.tyre[w, 2, 0]
    out[MX], out[MY] = C.tyre[w, 3, 0], C.tyre[w, 4, 0]
    out[GAMMA] = math.asin(dot(wx, wy, wz, nx, ny, nz).real)
    out[LEAN] = -K.parts.s[w] * out[GAMMA]
    out[HEADING] = math.atan2(dot(hx, hy, hz, lx, ly, lz).real, dot(hx, hy, hz, fx, fy, fz).real)
    out[ALPHA] = math.atan(dot(vx, vy, vz, ox, oy, oz).real / abs(dot(vx, vy, vz, hx, hy, hz).real))
    out[DRIVING] = driving.real + braking.real
    side = K.side[w]
    T = tyre_at(C, w)
    outside = is_outside(T, out[KAPPA], side * out[ALPHA], side * out[GAMMA], out[FZ], K.pressure[w])
    out[OUTSIDE] = 1.0 if out[FZ] > 0.0 and outside else 0.0
