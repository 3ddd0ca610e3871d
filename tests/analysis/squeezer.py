"""Andrews' squeezing mechanism (IFToMM A03) as a model, from the tables of Hairer and Wanner, sec. VII.7, to all digits."""

import numpy as np

from sheetmbs.model.model import Force
from tests.support.mechanisms import body, hinge, model, on
from tests.support.references_planar import FIXED, INERTIAS, MASSES, SQUEEZER, START
from tests.support.springs import make_spring


def along(angle, length, across=0.0):
    return np.array([length * np.cos(angle) - across * np.sin(angle), length * np.sin(angle) + across * np.cos(angle)])


def squeezer(**settings):
    """From rest at the angles (7.7), for 0.05 s; the published angle of K1 at the end is 33.825867767 rad."""
    p = SQUEEZER
    beta, theta, gamma, phi, delta, omega, epsilon = START
    two, four, six = beta + theta, phi + delta, omega + epsilon
    quarter = np.pi / 2
    o, a, b, c = np.zeros(2), *(np.array(FIXED[name]) for name in "ABC")
    f = along(beta, p["rr"])
    e = f - along(two, p["d"])
    d = b + along(gamma, p["sd"], -p["sc"])
    g = a + along(delta, p["zt"])
    h = a + along(epsilon - quarter, p["u"])
    poses = (
        (along(beta, p["ra"]), beta),
        (f - along(two, p["da"]), two),
        (b + along(gamma, p["sb"], 0.0) + along(gamma - quarter, p["sa"]), gamma),
        (g + along(four - quarter, p["e"] - p["ea"]), four),
        (a + along(delta, p["ta"], p["tb"]), delta),
        (h + along(six, p["zf"] - p["fa"]), six),
        (a + along(epsilon - quarter, p["ua"]) - along(epsilon, p["ub"]), epsilon),
    )
    bodies = [
        body(f"K{k}", *poses[k - 1][0], poses[k - 1][1], mass=MASSES[k - 1], inertia=INERTIAS[k - 1])
        for k in range(1, 8)
    ]

    def at(number, point):
        if number == 0:
            return on("ground", *point)
        centre, angle = poses[number - 1]
        return on(f"K{number}", *along(-angle, *(point - centre)))

    pins = (
        (0, 1, o),
        (1, 2, f),
        (2, 3, e),
        (2, 4, e),
        (2, 6, e),
        (0, 3, b),
        (5, 4, g),
        (0, 5, a),
        (7, 6, h),
        (0, 7, a),
    )
    made = model(
        bodies,
        [hinge(f"pin {k}", at(i, point), at(j, point)) for k, (i, j, point) in enumerate(pins)],
        gravity=(0.0, 0.0, 0.0),
        springs=[make_spring("spring", "translational", at(3, d), at(0, c), k=p["c0"], natural=p["l0"])],
        **{"t_end": 0.05, "t_step": 0.05, **settings},
    )
    motor = Force("motor", on("K1"), (0.0, 0.0, 0.0), (0.0, 0.0, 0.033))
    return type(made)(**{**made.__dict__, "forces": (motor,)})
