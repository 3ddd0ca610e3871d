"""Journals in bearings with clearance without sheetmbs: closed forms, a film, a slider-crank in minimal coordinates."""

from __future__ import annotations

from math import gamma, log, pi, sqrt

import numpy as np
from scipy.integrate import solve_ivp
from scipy.optimize import brentq

SPEED = 5000 * pi / 30
CRANK, ROD = 0.05, 0.12
ROD_MASS, ROD_INERTIA, SLIDER_MASS = 0.21, 2.5e-4, 0.14
GAP, RADII = 5e-4, (0.01, 0.0095)
GRAVITY = 9.81


def stiffness(radius_i=RADII[0], radius_j=RADII[1], young=207e9, poisson=0.3):
    """K of steel on steel, N/m^1.5."""
    h = (1.0 - poisson**2) / (pi * young)
    return 4.0 / (3.0 * pi * 2.0 * h) * sqrt(radius_i * radius_j / (radius_i - radius_j))


def velocity_ratio(chi):
    """Speed after over speed before a free contact: d-dot d(d-dot)/(1 + chi d-dot/v0) = -K/m d^1.5 dd, from 0 back to 0."""
    return brentq(lambda r: chi * (1.0 + r) - log((1.0 + chi) / (1.0 - chi * r)), 1e-6, min(1.0, (1.0 - 1e-12) / chi))


def hertz(mass, speed, k):
    """Duration and largest depth of an elastic contact of a mass with a wall."""
    depth = (1.25 * mass * speed**2 / k) ** 0.4
    return 4.0 * sqrt(pi) * gamma(0.4) / (5.0 * gamma(0.9)) * depth / speed, depth


def slider_crank_impacts(t_end, restitution=0.9):
    """(contacts, 2) time and normal speed at which contacts begin; the bearing is the rod's eye, no friction.

    Coordinates: the rod's angle b and the slider's place x, the crank at angle SPEED t.
    """
    k, chi = stiffness(), 0.75 * (1.0 - restitution**2)

    def journal(t, y):
        """From the eye's centre to the pin's: components and rates, and the levers of b."""
        a, (b, x, b1, x1) = SPEED * t, y
        c, s = np.cos(b), np.sin(b)
        rx, ry = x - CRANK * np.cos(a) - ROD * c, -CRANK * np.sin(a) - ROD * s
        ux, uy = x1 + CRANK * SPEED * np.sin(a) + ROD * s * b1, -CRANK * SPEED * np.cos(a) - ROD * c * b1
        e = np.hypot(rx, ry)
        return (
            rx / max(e, 1e-300),
            ry / max(e, 1e-300),
            e - GAP,
            (rx * ux + ry * uy) / max(e, 1e-300),
            ROD * s,
            -ROD * c,
        )

    def slope(t, y, v0):
        a, (b, _x, b1, x1) = SPEED * t, y
        nx, ny, depth, rate, bx, by = journal(t, y)
        force = max(0.0, k * depth**1.5 * (1.0 + chi * rate / v0)) if v0 and depth > 0.0 else 0.0
        half = 0.5 * ROD
        # the rod's centre: crank pin + half (cos b, sin b); its acceleration along (-sin b, cos b) half
        ax, ay = -CRANK * SPEED**2 * np.cos(a), -CRANK * SPEED**2 * np.sin(a)
        lever = half * (-np.sin(b) * ax + np.cos(b) * ay)
        turning = -force * (nx * bx + ny * by) - ROD_MASS * lever - ROD_MASS * GRAVITY * half * np.cos(b)
        return [b1, x1, turning / (ROD_INERTIA + ROD_MASS * half**2), -force * nx / SLIDER_MASS]

    def gap(t, y, _v0):
        return journal(t, y)[2]

    t, y, v0, found = 0.0, np.array([0.0, CRANK + ROD, -SPEED * CRANK / ROD, 0.0]), 0.0, []
    gap.terminal = True
    while t < t_end:
        gap.direction = -1 if v0 else 1
        step = 1e-6
        solved = solve_ivp(
            slope, (t, t_end), y, "DOP853", events=gap, args=(v0,), rtol=1e-12, atol=1e-14, max_step=step
        )
        t, y = solved.t[-1], solved.y[:, -1]
        if solved.status != 1:
            break
        v0 = 0.0 if v0 else journal(t, y)[3]
        if v0:
            found.append((t, v0))
    return np.array(found)


def film_pressure_force(eps, spin, parts=200):
    """Force on the journal of a long bearing, over mu L R^3/c^2: inwards and along the whirl, by integrating the film.

    eps: eccentricity over clearance, spin: of the journal, the bearing at rest; no squeeze. Reynolds' equation
    d(h^3 dp/dtheta) = 6 spin dh is solved for p with p = 0 at both ends of the half in which it is positive.
    """
    theta, weight = np.polynomial.legendre.leggauss(parts)
    theta, weight = 0.5 * pi * (theta + 1.0), 0.5 * pi * weight  # from the thickest to the thinnest place
    h = 1.0 + eps * np.cos(theta)
    # dp/dtheta = 6 spin (h - h0)/h^3; the full solution's h0 makes p periodic, and p(pi) = p(0) = 0 by symmetry
    h0 = np.sum(weight / h**2) / np.sum(weight / h**3)
    slope = 6.0 * spin * (h - h0) / h**3
    # by parts: the integral of p cos is -int slope sin, that of p sin is +int slope cos, as p vanishes at the ends
    inwards = np.sum(weight * slope * np.sin(theta))
    along = np.sum(weight * slope * np.cos(theta))
    return inwards, along
