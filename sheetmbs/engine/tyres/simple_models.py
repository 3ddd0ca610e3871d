"""Tyres of few numbers: linear with a friction circle, and Fiala's brush.

Linear:  C = C0 + c Fz    Fy = -C alpha - G gamma    Fx = K kappa    (Fx, Fy) shortened to mu Fz    Mz = -t Fy

Fiala (1954) in the form of multibody codes, s = sqrt(kappa^2 + tan^2 alpha) up to 1:

    U = mu - (mu - mu_min) s
    Fx = K kappa up to |kappa| = U Fz/(2 K), beyond it sgn(kappa) (U Fz - (U Fz)^2/(4 K |kappa|))
    H = 1 - C |tan alpha|/(3 U Fz), not below 0
    Fy = -U Fz (1 - H^3) sgn(alpha) - G gamma        Mz = 3 t U Fz (1 - H) H^3 sgn(alpha)
"""

from __future__ import annotations

from dataclasses import dataclass

from sheetmbs.compiled import Bundle, inline_kernel
from sheetmbs.engine.tyres.partials import (
    absolute,
    add,
    constant,
    divide,
    multiply,
    scale,
    shift,
    sign,
    square,
    square_root,
    subtract,
    tangent,
)


@dataclass(frozen=True, eq=False)
class SimpleTyre(Bundle):
    """Coefficients in SI and rad. friction: infinite where nothing limits the forces; friction_min: of Fiala's model."""

    cornering_stiffness: float
    cornering_stiffness_per_load: float
    camber_stiffness: float
    slip_stiffness: float
    trail: float
    friction: float
    friction_min: float


@inline_kernel
def cornering_stiffness(P, load):
    """C at a load."""
    return shift(scale(load, P.cornering_stiffness_per_load), P.cornering_stiffness)


@inline_kernel
def linear_tyre(P, kappa, alpha, gamma, load):
    """Fx, Fy and Mz of the linear model."""
    fx = scale(kappa, P.slip_stiffness)
    fy = scale(add(multiply(cornering_stiffness(P, load), alpha), scale(gamma, P.camber_stiffness)), -1.0)
    size = square_root(add(square(fx), square(fy)))
    if size[0] > P.friction * load[0]:
        share = divide(scale(load, P.friction), size)
        fx, fy = multiply(fx, share), multiply(fy, share)
    return fx, fy, scale(fy, -P.trail)


@inline_kernel
def fiala_tyre(P, kappa, alpha, gamma, load):
    """Fx, Fy and Mz of Fiala's model."""
    slip = tangent(alpha)
    sliding = square_root(add(square(kappa), square(slip)))
    if sliding[0] > 1.0:
        sliding = constant(sliding, 1.0)
    limit = multiply(shift(scale(sliding, P.friction_min - P.friction), P.friction), load)
    fx = scale(kappa, P.slip_stiffness)
    if 2.0 * P.slip_stiffness * abs(kappa[0]) > limit[0]:
        lost = divide(square(limit), scale(absolute(kappa), 4.0 * P.slip_stiffness))
        fx = scale(subtract(limit, lost), sign(kappa[0]))
    stretched = divide(multiply(cornering_stiffness(P, load), absolute(slip)), scale(limit, 3.0))
    if stretched[0] > 1.0:
        stretched = constant(stretched, 1.0)
    adhering = shift(scale(stretched, -1.0), 1.0)
    cubed = multiply(adhering, square(adhering))
    side = multiply(limit, shift(scale(cubed, -1.0), 1.0))
    fy = subtract(scale(side, -sign(slip[0])), scale(gamma, P.camber_stiffness))
    return fx, fy, scale(multiply(multiply(limit, stretched), cubed), 3.0 * P.trail * sign(slip[0]))
