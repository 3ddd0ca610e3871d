"""Motions of mechanisms with beams from minimal coordinates z, independent of the product's equations.

Every material point is a function f(z); with J = df/dz and what accelerates it at zero z-double-dot,

    sum_p m_p J^T J z-double-dot = sum_p J^T (F - m_p d^2 f/dt^2 at constant z-dot) - dV/dz

Beams and bars are points of Gauss's rule. J comes from complex steps, which are exact, the second derivative along the motion
from central differences of them.
"""

import numpy as np
from scipy.integrate import solve_ivp
from scipy.optimize import brentq

G = np.array([0.0, -9.81])
COMPLEX = 1e-30
ALONG = 1e-3


def gauss(count):
    nodes, weights = np.polynomial.legendre.leggauss(count)
    return 0.5 * (nodes + 1.0), 0.5 * weights


def cantilever(n):
    """Shape of a clamped-free beam of unit length as a function of its place, of unit mean square."""
    b = brentq(lambda b: np.cos(b) * np.cosh(b) + 1.0, (n - 0.5) * np.pi - 0.4, (n - 0.5) * np.pi + 0.4, xtol=1e-15)
    c = (np.cosh(b) + np.cos(b)) / (np.sinh(b) + np.sin(b))
    return lambda s: np.cosh(b * s) - np.cos(b * s) - c * (np.sinh(b * s) - np.sin(b * s)), b


def sine(n):
    return lambda s: np.sin(n * np.pi * s), n * np.pi


def turned(phi, x, y):
    """(..., 2) global components of vectors (x, y) in axes turned by phi."""
    c, s = np.cos(phi), np.sin(phi)
    return np.stack((c * x - s * y, s * x + c * y), axis=-1)


def jacobian(f, z):
    """(points, 2, n)"""
    columns = []
    for k in range(len(z)):
        shifted = z.astype(complex)
        shifted[k] += 1j * COMPLEX
        columns.append(f(shifted).imag / COMPLEX)
    return np.stack(columns, axis=-1)


def bending(f, z, rates):
    """(points, 2) d^2 f/dt^2 at constant z-dot, to about 1e-12 of its size."""

    def slope(h):
        return f(z + (h + 1j * COMPLEX) * rates).imag / COMPLEX

    h = ALONG
    return (8.0 * (slope(h) - slope(-h)) - slope(2 * h) + slope(-2 * h)) / (12.0 * h)


def motion(f, masses, times, z, rates, potential, gravity=G, rtol=1e-11):
    """z (times, n). masses: (points,). potential(z): of springs and bending, by complex numbers."""
    n = len(z)

    def derivative(_t, state):
        z, rates = state[:n], state[n:]
        J = jacobian(f, z)
        forces = masses[:, None] * (gravity - bending(f, z, rates))
        pull = np.einsum("pck,pc->k", J, forces)
        for k in range(n):
            shifted = z.astype(complex)
            shifted[k] += 1j * COMPLEX
            pull[k] -= potential(shifted).imag / COMPLEX
        matrix = np.einsum("p,pck,pcl->kl", masses, J, J)
        return np.concatenate((rates, np.linalg.solve(matrix, pull)))

    found = solve_ivp(
        derivative, (times[0], times[-1]), np.concatenate((z, rates)), "DOP853", t_eval=times, rtol=rtol, atol=1e-12
    )
    assert found.success
    return found.y[:n].T
