"""The magic formula of Pacejka, steady state and without turn slip: forces, moments, radii, with all derivatives.

Pacejka and Besselink (2012), Tire and Vehicle Dynamics, eqs. 4.E1 to 4.E78, with the corrections of Besselink, Schmeitz and
Pacejka (2010), Vehicle System Dynamics 48 S1, eqs. A48 to A60. Axes of ISO 8855 at the contact, angles in rad:

    alpha* = tan alpha     gamma* = sin gamma     dfz = (Fz - Fz0')/Fz0', Fz0' = LFZO FNOMIN     dpi = (p - p0)/p0

    sine(B, C, D, E, x) = D sin(C atan(B x - E (B x - atan(B x)))),  cosine likewise;
    weight(B, C, E, s, sH) = cosine(B, C, 1, E, s + sH)/cosine(B, C, 1, E, sH)

Longitudinal, 4.E9 to 4.E18 and 4.E50 to 4.E57:  Fx = Gxa (sine(Bx, Cx, Dx, Ex, kappa + SHx) + SVx)
Lateral, 4.E19 to 4.E30 and 4.E58 to 4.E67:      Fy = Gyk (sine(By, Cy, Dy, Ey, alpha* + SHy) + SVy) + SVyk
Aligning, 4.E31 to 4.E49, 4.E71 to 4.E76, A54, A55: Mz = -t F' + Mzr + s Fx, F' the lateral force at gamma = 0 without SVyk
(version 5: Fy - SVyk), with slips atan sqrt(tan^2(..) + (Kxk/Kya)^2 kappa^2) in trail and residual moment.
Overturning: 4.E69 as A50. Rolling resistance: A48; version 5: -R0 Fz LMY (QSY1 + QSY2 Fx/F0 + QSY3 |V/V0| + QSY4 (V/V0)^4).

Files of version 5 are evaluated like those of 6.1 with PKY4 = 2 and SHy = (PHY1 + PHY2 dfz) LHY + PHY3 gamma* LKYC.
The sign of 0 is +1, as in the books' figures: so derivatives at kinks are those to the right.
"""

from __future__ import annotations

import math

from sheetmbs.compiled import inline_kernel
from sheetmbs.engine.tyres.magic_formula_coefficients import VERSION_5
from sheetmbs.engine.tyres.partials import (
    absolute,
    add,
    arctangent,
    at_most_one,
    constant,
    cosine,
    cosine_of_arctangent,
    divide,
    exponential,
    multiply,
    polynomial,
    power,
    scale,
    shift,
    sign,
    sine,
    square,
    square_root,
    subtract,
    tangent,
)


@inline_kernel
def inner_angle(b, c, e, x):
    """C atan(B x - E (B x - atan(B x))), c being a plain number."""
    bx = multiply(b, x)
    return scale(arctangent(subtract(bx, multiply(e, subtract(bx, arctangent(bx))))), c)


@inline_kernel
def weight(b, c, e, slip, offset):
    """Share of a force that remains under slip in the other direction; 1 where there is none."""
    reduced = cosine(inner_angle(b, c, e, add(slip, offset)))
    return divide(reduced, cosine(inner_angle(b, c, e, offset)))


@inline_kernel
def pure_longitudinal(P, kappa, gamma, load, dfz, dpi, friction):
    """Fx0 and Kxk, 4.E9 to 4.E18."""
    peak = multiply(polynomial(dfz, P.pdx1, P.pdx2, 0.0), polynomial(dpi, 1.0, P.ppx3, P.ppx4))
    mu = multiply(multiply(peak, polynomial(gamma, 1.0, 0.0, -P.pdx3)), friction)
    c = P.pcx1 * P.lcx
    d = multiply(mu, load)
    stiffness = multiply(polynomial(dfz, P.pkx1, P.pkx2, 0.0), exponential(scale(dfz, P.pkx3)))
    kxk = scale(multiply(load, multiply(stiffness, polynomial(dpi, 1.0, P.ppx1, P.ppx2))), P.lkx)
    x = add(kappa, scale(polynomial(dfz, P.phx1, P.phx2, 0.0), P.lhx))
    e = at_most_one(scale(polynomial(dfz, P.pex1, P.pex2, P.pex3), (1.0 - P.pex4 * sign(x[0])) * P.lex))
    offset = scale(multiply(multiply(load, polynomial(dfz, P.pvx1, P.pvx2, 0.0)), friction), P.lvx)
    b = divide(kxk, scale(d, c))
    return add(multiply(d, sine(inner_angle(b, c, e, x))), offset), kxk


@inline_kernel
def pure_lateral(P, slip, camber, load, dfz, dpi, friction):
    """Fy0, mu_y, Kya, SHy, SVy and By Cy, 4.E19 to 4.E30. slip: alpha*; camber: gamma*."""
    camber_squared = square(camber)
    peak = multiply(polynomial(dfz, P.pdy1, P.pdy2, 0.0), polynomial(dpi, 1.0, P.ppy3, P.ppy4))
    mu = multiply(multiply(peak, polynomial(camber, 1.0, 0.0, -P.pdy3)), friction)
    c = P.pcy1 * P.lcy
    d = multiply(mu, load)
    nominal = P.fnomin * P.lfzo
    full_load = multiply(polynomial(camber, P.pky2, 0.0, P.pky5), polynomial(dpi, 1.0, P.ppy2, 0.0))
    rise = sine(scale(arctangent(divide(scale(load, 1.0 / nominal), full_load)), P.pky4))
    softened = multiply(polynomial(dpi, 1.0, P.ppy1, 0.0), shift(scale(absolute(camber), -P.pky3), 1.0))
    kya = scale(multiply(rise, softened), P.pky1 * nominal * P.lky)
    grip = multiply(load, friction)
    camber_offset = scale(multiply(multiply(grip, polynomial(dfz, P.pvy3, P.pvy4, 0.0)), camber), P.lkyc)
    horizontal = scale(polynomial(dfz, P.phy1, P.phy2, 0.0), P.lhy)
    if P.version == VERSION_5:
        horizontal = add(horizontal, scale(camber, P.phy3 * P.lkyc))
    else:
        stiffness = multiply(multiply(load, polynomial(dfz, P.pky6, P.pky7, 0.0)), polynomial(dpi, 1.0, P.ppy5, 0.0))
        thrust = subtract(scale(multiply(stiffness, camber), P.lkyc), camber_offset)
        horizontal = add(horizontal, divide(thrust, kya))
    vertical = add(scale(multiply(grip, polynomial(dfz, P.pvy1, P.pvy2, 0.0)), P.lvy), camber_offset)
    x = add(slip, horizontal)
    lean = shift(scale(camber_squared, P.pey5), 1.0)
    side = scale(shift(scale(camber, P.pey4), P.pey3), sign(x[0]))
    e = at_most_one(scale(multiply(polynomial(dfz, P.pey1, P.pey2, 0.0), subtract(lean, side)), P.ley))
    b = divide(kya, scale(d, c))
    force = add(multiply(d, sine(inner_angle(b, c, e, x))), vertical)
    return force, mu, kya, horizontal, vertical, scale(b, c)


@inline_kernel
def longitudinal_share(P, slip, camber, kappa, dfz):
    """Gxa, 4.E51 to 4.E57."""
    width = polynomial(camber, P.rbx1, 0.0, P.rbx3)
    b = scale(multiply(width, cosine_of_arctangent(scale(kappa, P.rbx2))), P.lxal)
    e = at_most_one(polynomial(dfz, P.rex1, P.rex2, 0.0))
    return weight(b, P.rcx1, e, slip, constant(slip, P.rhx1))


@inline_kernel
def lateral_share(P, slip, camber, kappa, dfz):
    """Gyk, 4.E59 to 4.E65."""
    width = polynomial(camber, P.rby1, 0.0, P.rby4)
    b = scale(multiply(width, cosine_of_arctangent(scale(shift(slip, -P.rby3), P.rby2))), P.lyka)
    e = at_most_one(polynomial(dfz, P.rey1, P.rey2, 0.0))
    return weight(b, P.rcy1, e, kappa, polynomial(dfz, P.rhy1, P.rhy2, 0.0))


@inline_kernel
def slip_induced_side_force(P, slip, camber, kappa, load, dfz, mu):
    """SVyk, 4.E66 and 4.E67."""
    size = add(polynomial(dfz, P.rvy1, P.rvy2, 0.0), scale(camber, P.rvy3))
    d = multiply(multiply(multiply(mu, load), size), cosine_of_arctangent(scale(slip, P.rvy4)))
    return scale(multiply(d, sine(scale(arctangent(scale(kappa, P.rvy6)), P.rvy5))), P.lvyka)


@inline_kernel
def combined_angle(angle, stiffness_ratio, kappa):
    """Slip angle that stands for both slips in trail and residual moment, A54 and A55."""
    total = add(square(tangent(angle)), square(multiply(stiffness_ratio, kappa)))
    if total[0] <= 0.0:
        return angle
    return scale(arctangent(square_root(total)), sign(angle[0]))


@inline_kernel
def aligning_moment(  # noqa: PLR0913 - the equations of Mz use all of these
    P, kappa, alpha, gamma, load, dfz, dpi, friction, kxk, lateral, fx, fy, side_force, straight
):
    """Mz, 4.E31 to 4.E49 and 4.E71 to 4.E76.

    lateral: what `pure_lateral` returns. side_force: SVyk. straight: Gyk Fy0 at gamma = 0, which the trail acts on.
    """
    slip, camber = tangent(alpha), sine(gamma)
    _force, _mu, kya, horizontal, vertical, stiffness = lateral
    ratio = divide(kxk, kya)
    trail_angle = add(
        slip, add(polynomial(dfz, P.qhz1, P.qhz2, 0.0), multiply(polynomial(dfz, P.qhz3, P.qhz4, 0.0), camber))
    )
    residual_angle = add(slip, add(horizontal, divide(vertical, kya)))
    lean = shift(add(scale(gamma, P.qbz4), scale(absolute(gamma), P.qbz5)), 1.0)
    bt = divide(scale(multiply(polynomial(dfz, P.qbz1, P.qbz2, P.qbz3), lean), P.lky), friction)
    nominal = P.fnomin * P.lfzo
    peak = multiply(polynomial(dfz, P.qdz1, P.qdz2, 0.0), polynomial(dpi, 1.0, -P.ppz1, 0.0))
    dt = multiply(multiply(peak, polynomial(gamma, 1.0, P.qdz3, P.qdz4)), load)
    dt = scale(dt, P.unloaded_radius / nominal * P.ltr * P.lfzo)  # LFZO once more, as in the TNO reading
    turned = scale(arctangent(scale(multiply(bt, trail_angle), P.qcz1)), 2.0 / math.pi)
    skew = shift(multiply(shift(scale(camber, P.qez5), P.qez4), turned), 1.0)
    et = at_most_one(multiply(polynomial(dfz, P.qez1, P.qez2, P.qez3), skew))
    heading = cosine_of_arctangent(slip)
    trail = multiply(dt, cosine(inner_angle(bt, P.qcz1, et, combined_angle(trail_angle, ratio, kappa))))
    trail = multiply(trail, heading)
    br = add(scale(stiffness, P.qbz10), divide(constant(friction, P.qbz9 * P.lky), friction))
    upright = multiply(polynomial(dfz, P.qdz8, P.qdz9, 0.0), polynomial(dpi, 1.0, P.ppz2, 0.0))
    leaning = add(upright, multiply(polynomial(dfz, P.qdz10, P.qdz11, 0.0), absolute(camber)))
    size = add(scale(polynomial(dfz, P.qdz6, P.qdz7, 0.0), P.lres), scale(multiply(leaning, camber), P.lkzc))
    dr = scale(multiply(multiply(multiply(load, size), cosine(slip)), friction), P.unloaded_radius)
    residual = multiply(dr, cosine_of_arctangent(multiply(br, combined_angle(residual_angle, ratio, kappa))))
    arm = add(
        polynomial(scale(fy, 1.0 / P.fnomin), P.ssz1, P.ssz2, 0.0),
        multiply(polynomial(dfz, P.ssz3, P.ssz4, 0.0), camber),
    )
    offset = scale(multiply(arm, fx), P.unloaded_radius * P.ls)
    force = subtract(fy, side_force) if P.version == VERSION_5 else straight
    return add(subtract(residual, multiply(trail, force)), offset)


@inline_kernel
def overturning_moment(P, gamma, load, dpi, fy):
    """Mx, 4.E69 as in A50."""
    side = scale(fy, 1.0 / P.fnomin)
    relative = scale(load, 1.0 / P.fnomin)
    straight = shift(scale(side, P.qsx3), P.qsx1 * P.lvmx)
    camber = scale(multiply(gamma, polynomial(dpi, 1.0, P.ppmx1, 0.0)), -P.qsx2)
    fading = cosine(scale(arctangent(square(scale(relative, P.qsx6))), P.qsx5))
    leaning = sine(add(scale(gamma, P.qsx7), scale(arctangent(scale(side, P.qsx9)), P.qsx8)))
    pressed = scale(multiply(arctangent(scale(relative, P.qsx11)), gamma), P.qsx10)
    inner = add(add(straight, camber), add(scale(multiply(fading, leaning), P.qsx4), pressed))
    shifted = multiply(fy, shift(scale(absolute(gamma), P.qsx14), P.qsx13))
    lean = scale(multiply(load, multiply(gamma, absolute(gamma))), -P.qsx12)
    return scale(add(multiply(load, inner), add(shifted, lean)), P.unloaded_radius * P.lmx)


@inline_kernel
def rolling_resistance(P, gamma, load, pressure, fx, speed):
    """Rolling resistance moment My, equation A48."""
    relative = scale(absolute(speed), 1.0 / P.longvl if P.longvl > 0.0 else 0.0)
    by_speed = add(scale(relative, P.qsy3), scale(square(square(relative)), P.qsy4))
    resistance = add(scale(fx, P.qsy2 / P.fnomin), shift(by_speed, P.qsy1))
    if P.version == VERSION_5:
        return scale(multiply(load, resistance), -P.unloaded_radius * P.lmy)
    by_load = scale(load, 1.0 / P.fnomin)
    resistance = add(resistance, multiply(polynomial(by_load, P.qsy5, P.qsy6, 0.0), square(gamma)))
    level = power(by_load, P.qsy7)
    if P.qsy8 != 0.0:
        level = multiply(level, power(scale(pressure, 1.0 / P.nompres), P.qsy8))
    return scale(multiply(resistance, level), -P.unloaded_radius * P.fnomin * P.lmy)


@inline_kernel
def pressure_change(P, pressure):
    """Relative change of pressure, dpi = (p - p0)/p0; 0 for a tyre without a nominal pressure."""
    return shift(scale(pressure, 1.0 / P.nompres), -1.0) if P.nompres > 0.0 else constant(pressure, 0.0)


@inline_kernel
def friction_decay(P, kappa, slip, speed):
    """1/(1 + LMUV Vs/V0), 4.E7, with Vs = |V| sqrt(kappa^2 + alpha*^2)."""
    if P.lmuv == 0.0 or P.longvl <= 0.0:
        return constant(kappa, 1.0)
    sliding = square_root(add(square(kappa), square(slip)))
    return divide(constant(kappa, 1.0), shift(multiply(sliding, scale(absolute(speed), P.lmuv / P.longvl)), 1.0))


@inline_kernel
def magic_formula(P, kappa, alpha, gamma, load, pressure, speed):
    """Fx, Fy, Mz, Mx, My, Kxk and Kya of a tyre that carries a load above 0."""
    slip, camber = tangent(alpha), sine(gamma)
    nominal = P.fnomin * P.lfzo
    dfz = shift(scale(load, 1.0 / nominal), -1.0)
    dpi = pressure_change(P, pressure)
    decay = friction_decay(P, kappa, slip, speed)
    friction_x, friction_y = scale(decay, P.lmux), scale(decay, P.lmuy)
    fx0, kxk = pure_longitudinal(P, kappa, gamma, load, dfz, dpi, friction_x)
    fx = multiply(longitudinal_share(P, slip, camber, kappa, dfz), fx0)
    lateral = pure_lateral(P, slip, camber, load, dfz, dpi, friction_y)
    share = lateral_share(P, slip, camber, kappa, dfz)
    side_force = slip_induced_side_force(P, slip, camber, kappa, load, dfz, lateral[1])
    fy = add(multiply(share, lateral[0]), side_force)
    straight = pure_lateral(P, slip, constant(camber, 0.0), load, dfz, dpi, friction_y)[0]
    mz = aligning_moment(
        P, kappa, alpha, gamma, load, dfz, dpi, friction_y, kxk, lateral, fx, fy, side_force, multiply(share, straight)
    )
    mx = overturning_moment(P, gamma, load, dpi, fy)
    my = rolling_resistance(P, gamma, load, pressure, fx, speed)
    return fx, fy, mz, mx, my, kxk, lateral[2]
