"""How a tyre rolls and is pressed in: radii, and the lengths over which forces build up.

Besselink, Schmeitz and Pacejka (2010), eqs. 1 to 8 and 17 to 19; the additions of version 6.2 after its equation manual (2013):

    RO = R0 (Q_RE0 + Q_V1 (omega R0/V0)^2)      omega = (1 + kappa) V/Re
    Re = RO - (F0/Cz) (DREFF atan(BREFF Fz/F0) + FREFF Fz/F0)
    Fz = f (Q_FZ1 rho/R0 + Q_FZ2 (rho/R0)^2) F0,  f = (1 + Q_V2 R0/V0 |omega| - (Q_FCX Fx/F0)^2 - (Q_FCY Fy/F0)^2)(1 + PFZ1 dpi)
    Rl = RO - rho;  of version 6.2 rho = RO - Rl + rho_gamma, and Q_FCY (Fy - S)/F0 (rho/R0)^Q_FCY2 in f

    sigma_x = |Kxk/Cx|, sigma_y = |Kya/Cy|, C with load and pressure; version 5 by PTX and PTY
"""

from __future__ import annotations

from sheetmbs.compiled import inline_kernel
from sheetmbs.engine.tyres.magic_formula_coefficients import VERSION_5, VERSION_6_2
from sheetmbs.engine.tyres.partials import (
    absolute,
    add,
    arctangent,
    constant,
    divide,
    exponential,
    multiply,
    polynomial,
    power,
    scale,
    shift,
    sine,
    square,
    square_root,
    subtract,
    tangent,
)

ROUNDS = 6
"""most rounds of an iteration, each of which gains three digits or more"""
CLOSE = 1.0e-13
"""relative change of the free radius that ends its iteration: the derivatives have this accuracy"""
CONVERGED_CHANGE = 1.0e-8
"""relative change of the deflection that ends the plain rounds: the two that follow gain seven digits each"""
PROBE = 1.0e-7
"""relative deflection over which the slope of Newton's method is taken"""


@inline_kernel
def widened_radius(P, kappa, free, sunk, speed):
    """Radius RO of a free tyre that turns as fast as one of a given RO rolls."""
    if P.longvl <= 0.0:
        return constant(free, P.unloaded_radius * P.q_re0)
    omega = divide(multiply(shift(kappa, 1.0), speed), subtract(free, sunk))
    turning = square(scale(omega, P.unloaded_radius / P.longvl))
    return scale(shift(scale(turning, P.q_v1), P.q_re0), P.unloaded_radius)


@inline_kernel
def rolling_radii(P, kappa, load, dpi, speed):
    """Effective radius Re, free radius RO and omega.

    RO = g(RO) is iterated in plain numbers. One step of Newton's method, with the slope of g, then brings the derivatives.
    """
    cz = scale(polynomial(dpi, 1.0, P.pfz1, 0.0), P.vertical_stiffness)
    by_load = scale(load, 1.0 / P.fnomin)
    sunk = add(scale(arctangent(scale(by_load, P.breff)), P.dreff), scale(by_load, P.freff))
    sunk = divide(scale(sunk, P.fnomin), cz)
    plain = (P.unloaded_radius * P.q_re0,)
    for _ in range(ROUNDS):
        before = plain[0]
        plain = widened_radius(P, (kappa[0],), plain, (sunk[0],), (speed[0],))
        if abs(plain[0] - before) < CLOSE * P.unloaded_radius:
            break
    free = constant(load, plain[0])
    widened = widened_radius(P, kappa, free, sunk, speed)
    slope = -2.0 * (widened[0] - P.unloaded_radius * P.q_re0) / (free[0] - sunk[0])
    free = subtract(free, scale(subtract(free, widened), 1.0 / (1.0 - slope)))
    effective = subtract(free, sunk)
    return effective, free, divide(multiply(shift(kappa, 1.0), speed), effective)


@inline_kernel
def loaded_radius(P, gamma, load, dpi, fx, fy, free, omega):
    """Loaded radius Rl: height of the wheel centre above the road."""
    pressed = polynomial(dpi, 1.0, P.pfz1, 0.0)
    along = square(scale(fx, P.q_fcx / P.fnomin))
    spinning = scale(absolute(omega), P.q_v2 * P.unloaded_radius / P.longvl if P.longvl > 0.0 else 0.0)
    stiffening = subtract(shift(spinning, 1.0), along)
    target = divide(scale(load, 1.0 / P.fnomin), pressed)
    if P.version != VERSION_6_2:
        factor = subtract(stiffening, square(scale(fy, P.q_fcy / P.fnomin)))
        return subtract(free, scale(deflection(P, divide(target, factor)), P.unloaded_radius))
    return loaded_radius_of_6_2(P, gamma, target, stiffening, fy, free)


@inline_kernel
def deflection(P, relative_load):
    """Root x of Q_FZ1 x + Q_FZ2 x^2 = y, in the form that does not subtract nearly equal numbers."""
    root = square_root(shift(scale(relative_load, 4.0 * P.q_fz2), P.q_fz1 * P.q_fz1))
    return divide(scale(relative_load, 2.0), shift(root, P.q_fz1))


@inline_kernel
def loaded_radius_of_6_2(P, gamma, target, stiffening, fy, free):
    """Rl by Newton's method from the deflection without camber and side force.

    The rounds go in plain numbers. Two more carry the derivatives, each of which brings these seven digits nearer.
    """
    plain = (deflection(P, divide(target, stiffening))[0],)
    for _ in range(ROUNDS):
        before = plain[0]
        plain = nearer_deflection(P, (gamma[0],), plain, (target[0],), (stiffening[0],), (fy[0],), (free[0],))
        if abs(plain[0] - before) < CONVERGED_CHANGE:
            break
    x = constant(target, plain[0])
    for _ in range(2):
        x = nearer_deflection(P, gamma, x, target, stiffening, fy, free)
    return subtract(free, scale(x, P.unloaded_radius))


@inline_kernel
def nearer_deflection(P, gamma, x, target, stiffening, fy, free):
    """One round of Newton's method, with a plain difference as slope: it only steers."""
    residual = subtract(carried_of_6_2(P, gamma, x, stiffening, fy, free), target)
    probe = carried_of_6_2(P, (gamma[0],), (x[0] + PROBE,), (stiffening[0],), (fy[0],), (free[0],))
    return subtract(x, scale(residual, PROBE / (probe[0] - target[0] - residual[0])))


@inline_kernel
def carried_of_6_2(P, gamma, pressed_in, stiffening, fy, free):
    """Fz/F0/(1 + PFZ1 dpi) at (RO - Rl)/R0, by the equations of version 6.2."""
    lean = absolute(gamma)
    loaded = subtract(free, scale(pressed_in, P.unloaded_radius))
    x = subtract(pressed_in, scale(multiply(pressed_in, lean), P.q_cam3))
    if P.q_cam1 != 0.0 or P.q_cam2 != 0.0:
        shape = divide(polynomial(loaded, 0.0, P.q_cam1, P.q_cam2), polynomial(free, 0.0, P.q_cam1, P.q_cam2))
        tread_width = (1.075 - 0.5 * P.aspect_ratio) * P.width
        edge = multiply(square(shape), absolute(tangent(gamma)))
        x = add(x, scale(edge, tread_width / (8.0 * P.unloaded_radius)))
    sideways = subtract(fy, multiply(polynomial(divide(loaded, free), P.q_fys1, P.q_fys2, P.q_fys3), gamma))
    leaned = scale(sideways, P.q_fcy / P.fnomin)
    if P.q_fcy2 != 0.0:
        leaned = multiply(leaned, power(x, P.q_fcy2))
    return multiply(subtract(stiffening, square(leaned)), polynomial(x, 0.0, P.q_fz1, P.q_fz2))


@inline_kernel
def relaxation_lengths(P, gamma, load, dfz, dpi, kxk, kya):
    """Sigma_x and sigma_y in m, 0 of a tyre without what they follow from."""
    if P.version == VERSION_5:
        by_load = scale(load, 1.0 / P.fnomin)
        build = multiply(polynomial(dfz, P.ptx1, P.ptx2, 0.0), exponential(scale(dfz, -P.ptx3)))
        sigma_x = scale(multiply(by_load, build), P.unloaded_radius * P.lsgkp)
        if P.pty2 == 0.0:
            return sigma_x, constant(load, 0.0)
        rise = sine(scale(arctangent(scale(by_load, 1.0 / (P.pty2 * P.lfzo))), 2.0))
        upright = shift(scale(absolute(gamma), -P.pky3), 1.0)
        return sigma_x, scale(multiply(rise, upright), P.pty1 * P.unloaded_radius * P.lfzo * P.lsgal)
    if P.longitudinal_stiffness == 0.0 or P.lateral_stiffness == 0.0:
        return constant(load, 0.0), constant(load, 0.0)
    cx = multiply(polynomial(dfz, 1.0, P.pcfx1, P.pcfx2), polynomial(dpi, 1.0, P.pcfx3, 0.0))
    cy = multiply(polynomial(dfz, 1.0, P.pcfy1, P.pcfy2), polynomial(dpi, 1.0, P.pcfy3, 0.0))
    sigma_x = absolute(divide(scale(kxk, 1.0 / P.longitudinal_stiffness), cx))
    return sigma_x, absolute(divide(scale(kya, 1.0 / P.lateral_stiffness), cy))
