"""Reference motions of the planar workbooks that are integrated freely: equations of motion of their own, by scipy."""

from __future__ import annotations

import numpy as np
from scipy.integrate import solve_ivp

GRAVITY = 9.81
TIGHT = {"method": "DOP853", "rtol": 1e-12, "atol": 1e-13}


def windows(t, count=2, length=1.0, mass=1.0, speed=1.0):
    """N four-bar windows on the parallel branch: all rods at one angle phi, the couplers parallel to the ground.

    T = (N + 1) m l^2/6 phi'^2 + N m l^2/2 phi'^2,  V = ((N + 1)/2 + N) m g l sin(phi). Returns phi, phi' (n,) each.
    """
    inertia = mass * length**2 * ((count + 1) / 3 + count)
    weight = mass * GRAVITY * length * ((count + 1) / 2 + count)
    found = solve_ivp(
        lambda _t, y: [y[1], -weight * np.cos(y[0]) / inertia],
        (0.0, t[-1]),
        [np.pi / 2, -speed / length],
        t_eval=t,
        **TIGHT,
    )
    return found.y


def gas(x, v):
    """Gas force on the piston of the compressor."""
    if v <= 0.0:
        return 0.0
    return -282857 / (6 - x) + 62857 if x <= 5 else -110000 * (1 - np.sin(2 * np.pi * (x - 5.25)))


def compressor(t):
    """Slider-crank with crank angle theta as its only unknown, from theta = pi and 30 rad/s. Returns theta, theta' (n,) each.

    M(theta) theta'' + M'(theta)/2 theta'^2 = torque + F dx/dtheta, from the kinetic energy M theta'^2/2; integrated from one
    switching position of the gas to the next.
    """
    crank, rod = 2.0, 3.5

    def rates(theta):
        """dphi/dtheta of the rod's angle phi, dx/dtheta of the slider, and x."""
        phi = -np.arcsin(crank / rod * np.sin(theta))
        turn = -crank * np.cos(theta) / (rod * np.cos(phi))
        x = crank * np.cos(theta) + rod * np.cos(phi)
        return phi, turn, -crank * np.sin(theta) - rod * np.sin(phi) * turn, x

    def inertia(theta):
        phi, turn, slide, _x = rates(theta)
        centre = np.array(
            [
                -crank * np.sin(theta) - rod / 2 * np.sin(phi) * turn,
                crank * np.cos(theta) + rod / 2 * np.cos(phi) * turn,
            ]
        )
        return 450 + 35 * centre @ centre + 35 * turn**2 + 25 * slide**2

    def slope(theta, h=1e-3):
        """Derivative of the inertia by differences of the eighth order."""
        weights = {1: 4 / 5, 2: -1 / 5, 3: 4 / 105, 4: -1 / 280}
        return sum(w * (inertia(theta + k * h) - inertia(theta - k * h)) for k, w in weights.items()) / h

    def motion(_t, y):
        _phi, _turn, slide, x = rates(y[0])
        force = gas(x, slide * y[1])
        return [y[1], (41450 + force * slide - 0.5 * slope(y[0]) * y[1] ** 2) / inertia(y[0])]

    events = [lambda _t, y: np.sin(y[0] + 1e-12), lambda _t, y: rates(y[0])[3] - 5.0]
    for event in events:
        event.terminal = True
    y, start, found = np.array([np.pi, 30.0]), 0.0, [[], []]
    while start < t[-1]:
        part = solve_ivp(motion, (start, t[-1] + 1e-3), y, events=events, dense_output=True, max_step=0.002, **TIGHT)
        inside = t[(t >= start) & (t < part.t[-1])]
        for rows, values in zip(found, part.sol(inside), strict=True):
            rows.extend(values)
        y, start = part.y[:, -1], float(part.t[-1])
        y = y + 1e-9 * y[1] * np.array([1.0, 0.0])  # off the switching position
        start += 1e-9
    return np.array(found)


SQUEEZER = {
    "d": 0.028, "da": 0.0115, "e": 0.02, "ea": 0.01421, "zf": 0.02, "fa": 0.01421, "rr": 0.007, "ra": 0.00092, "ss": 0.035,
    "sa": 0.01874, "sb": 0.01043, "sc": 0.018, "sd": 0.02, "zt": 0.04, "ta": 0.02308, "tb": 0.00916, "u": 0.04,
    "ua": 0.01228, "ub": 0.00449, "c0": 4530.0, "l0": 0.07785,
}  # fmt: skip
MASSES = np.array([0.04325, 0.00365, 0.02373, 0.00706, 0.07050, 0.00706, 0.05498])
INERTIAS = np.array([2.194e-6, 4.410e-7, 5.255e-6, 5.667e-7, 1.169e-5, 5.667e-7, 1.912e-5])
FIXED = {"A": (-0.06934, -0.00227), "B": (-0.03635, 0.03273), "C": (0.014, 0.072)}
START = np.array(
    [
        -0.0617138900142764496,
        0.0,
        0.455279819163070380,
        0.222668390165885885,
        0.487364979543842550,
        -0.222668390165885885,
        1.23054744454982119,
    ]
)
"""Angles (7.7) of Hairer and Wanner: beta, Theta, gamma, Phi, delta, Omega, epsilon"""


def squeezer(t):
    """Andrews' squeezing mechanism, Hairer and Wanner (1996), sec. VII.7, (7.1) to (7.9), slips of the print corrected.

    From rest at the angles (7.7). Returns q (7, n) and by how much the loops are open at the end.
    """
    p = SQUEEZER
    (xa, ya), (xb, yb), (xc, yc) = (FIXED[name] for name in "ABC")

    def loops(q):
        b, th, g, ph, de, om, ep = q
        x, y = p["rr"] * np.cos(b) - p["d"] * np.cos(b + th), p["rr"] * np.sin(b) - p["d"] * np.sin(b + th)
        return np.array(
            [
                x - p["ss"] * np.sin(g) - xb,
                y + p["ss"] * np.cos(g) - yb,
                x - p["e"] * np.sin(ph + de) - p["zt"] * np.cos(de) - xa,
                y + p["e"] * np.cos(ph + de) - p["zt"] * np.sin(de) - ya,
                x - p["zf"] * np.cos(om + ep) - p["u"] * np.sin(ep) - xa,
                y - p["zf"] * np.sin(om + ep) + p["u"] * np.cos(ep) - ya,
            ]
        )

    def loop_derivatives(q, v):
        """G = dg/dq, and d/dt G v at zero v'."""
        b, th, g, ph, de, om, ep = q
        jacobian, bend = np.zeros((6, 7)), np.zeros(6)
        for row in range(6):
            vertical = row % 2
            terms = [(p["rr"], b, (0,)), (-p["d"], b + th, (0, 1))]
            if row < 2:
                terms.append((-p["ss"], g - np.pi / 2, (2,)))  # sin g = cos(g - 90), -cos g = sin(g - 90)
            elif row < 4:
                terms += [(-p["e"], ph + de - np.pi / 2, (3, 4)), (-p["zt"], de, (4,))]
            else:
                terms += [(-p["zf"], om + ep, (5, 6)), (-p["u"], ep - np.pi / 2, (6,))]
            for size, angle, which in terms:
                rate = sum(v[k] for k in which)
                first = size * (np.cos(angle) if vertical else -np.sin(angle))
                second = size * (-np.sin(angle) if vertical else -np.cos(angle))
                for k in which:
                    jacobian[row, k] += first
                bend[row] += second * rate**2
        return jacobian, bend

    def equations(q, v):
        _b, th, g, ph, _de, om, _ep = q
        bp, thp, _gp, php, dp, omp, epp = v
        m, inertia = MASSES, INERTIAS
        mass = np.zeros((7, 7))
        mass[0, 0] = m[0] * p["ra"] ** 2 + m[1] * (p["rr"] ** 2 - 2 * p["da"] * p["rr"] * np.cos(th) + p["da"] ** 2)
        mass[0, 0] += inertia[0] + inertia[1]
        mass[1, 0] = mass[0, 1] = m[1] * (p["da"] ** 2 - p["da"] * p["rr"] * np.cos(th)) + inertia[1]
        mass[1, 1] = m[1] * p["da"] ** 2 + inertia[1]
        mass[2, 2] = m[2] * (p["sa"] ** 2 + p["sb"] ** 2) + inertia[2]
        arm = p["e"] - p["ea"]
        mass[3, 3] = m[3] * arm**2 + inertia[3]
        mass[4, 3] = mass[3, 4] = m[3] * (arm**2 + p["zt"] * arm * np.sin(ph)) + inertia[3]
        mass[4, 4] = m[3] * (p["zt"] ** 2 + 2 * p["zt"] * arm * np.sin(ph) + arm**2)
        mass[4, 4] += m[4] * (p["ta"] ** 2 + p["tb"] ** 2) + inertia[3] + inertia[4]
        lever = p["zf"] - p["fa"]
        mass[5, 5] = m[5] * lever**2 + inertia[5]
        mass[6, 5] = mass[5, 6] = m[5] * (lever**2 - p["u"] * lever * np.sin(om)) + inertia[5]
        mass[6, 6] = m[5] * (lever**2 - 2 * p["u"] * lever * np.sin(om) + p["u"] ** 2)
        mass[6, 6] += m[6] * (p["ua"] ** 2 + p["ub"] ** 2) + inertia[5] + inertia[6]
        xd = p["sd"] * np.cos(g) + p["sc"] * np.sin(g) + xb
        yd = p["sd"] * np.sin(g) - p["sc"] * np.cos(g) + yb
        length = np.hypot(xd - xc, yd - yc)
        pull = -p["c0"] * (length - p["l0"]) / length
        fx, fy = pull * (xd - xc), pull * (yd - yc)
        force = np.array(
            [
                0.033 - m[1] * p["da"] * p["rr"] * thp * (thp + 2 * bp) * np.sin(th),
                m[1] * p["da"] * p["rr"] * bp**2 * np.sin(th),
                fx * (p["sc"] * np.cos(g) - p["sd"] * np.sin(g)) + fy * (p["sd"] * np.cos(g) + p["sc"] * np.sin(g)),
                m[3] * p["zt"] * arm * dp**2 * np.cos(ph),
                -m[3] * p["zt"] * arm * php * (php + 2 * dp) * np.cos(ph),
                -m[5] * p["u"] * lever * epp**2 * np.cos(om),
                m[5] * p["u"] * lever * omp * (omp + 2 * epp) * np.cos(om),
            ]
        )
        jacobian, bend = loop_derivatives(q, v)
        matrix = np.block([[mass, jacobian.T], [jacobian, np.zeros((6, 6))]])
        return np.linalg.solve(matrix, np.concatenate((force, -bend)))[:7]

    found = solve_ivp(
        lambda _t, y: np.concatenate((y[7:], equations(y[:7], y[7:]))),
        (0.0, t[-1]),
        np.concatenate((START, np.zeros(7))),
        t_eval=t,
        method="DOP853",
        rtol=1e-12,
        atol=1e-12,
    )
    return found.y[:7], float(np.max(np.abs(loops(found.y[:7, -1]))))
