"""Planar mechanisms in which some bodies have many joints."""

import numpy as np

from sheetmbs.model.model import Joint
from tests.support.mechanisms import bar, body, hinge, on, slide_axes

NEVER = 10**9  # so many joints that no body becomes a vertex of its own


def star(count, mass=1.0):
    """Discs hinged to the rim of a chassis, which floats."""
    angles = 2.0 * np.pi * np.arange(count) / count
    wheels = [body(f"wheel {k}", 1.5 * np.cos(a), 1.5 * np.sin(a), mass=0.5) for k, a in enumerate(angles)]
    joints = [
        hinge(f"hinge {k}", on("chassis", np.cos(a), np.sin(a)), on(f"wheel {k}", -0.5 * np.cos(a), -0.5 * np.sin(a)))
        for k, a in enumerate(angles)
    ]
    return [body("chassis", mass=mass), *wheels], joints


def platform(count):
    """A chassis on legs of two bars each, which stand on the ground."""
    bodies, joints = [body("chassis", 0.0, 2.0)], []
    for k in range(count):
        x = k - (count - 1) / 2
        knee = (x + 0.3 + 0.05 * k, 1.0)
        bodies += [bar(f"shank {k}", (x, 0.0), knee), bar(f"thigh {k}", knee, (x, 2.0))]
        half = [np.hypot(knee[0] - x, 1.0) / 2] * 2
        joints += [
            hinge(f"foot {k}", on("ground", x), on(f"shank {k}", -half[0])),
            hinge(f"knee {k}", on(f"shank {k}", half[0]), on(f"thigh {k}", -half[1])),
            hinge(f"hip {k}", on("chassis", x), on(f"thigh {k}", half[1])),
        ]
    return bodies, joints


def train(count, wheels=6):
    """Cars with wheels, coupled in a row; the first one is pinned to the ground."""
    bodies, joints = [], [hinge("buffer", on("ground"), on("car 0", -0.5))]
    for k in range(count):
        bodies.append(body(f"car {k}", 0.5 + k, 0.0))
        if k:
            joints.append(hinge(f"coupling {k}", on(f"car {k - 1}", 0.5), on(f"car {k}", -0.5)))
        for m in range(wheels):
            bodies.append(body(f"wheel {k} {m}", k + (m + 0.5) / wheels, -0.5, mass=0.2, inertia=0.01))
            joints.append(
                hinge(f"axle {k} {m}", on(f"car {k}", (m + 0.5) / wheels - 0.5, -0.4), on(f"wheel {k} {m}", 0.0, 0.1))
            )
    return bodies, joints


def engine(count):
    """A crank with a rod and a piston per throw, all in one plane."""
    bodies, joints = [body("crank", 0.0, 0.0)], [hinge("bearing", on("ground"), on("crank"))]
    for k in range(count):
        a = 2.0 * np.pi * k / count + 0.3
        along = np.array([np.cos(a / 2), np.sin(a / 2)])
        throw = 0.2 * np.array([np.cos(a), np.sin(a)])
        off = throw - (throw @ along) * along
        pin = throw - off + np.sqrt(0.36 - off @ off) * along
        bodies += [bar(f"rod {k}", throw, pin, mass=0.3), body(f"piston {k}", *pin, mass=0.4)]
        rail = slide_axes(a / 2)
        joints += [
            hinge(f"throw {k}", on("crank", *throw), on(f"rod {k}", -0.3)),
            hinge(f"wrist {k}", on(f"rod {k}", 0.3), on(f"piston {k}")),
            Joint(f"bore {k}", "translational", on("ground", axes=rail), on(f"piston {k}", axes=rail)),
        ]
    return bodies, joints
