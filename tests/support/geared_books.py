"""Workbooks of gears and racks for tests, and what is left over of the balance of forces on each of their bodies."""

import numpy as np

import sheetmbs
from sheetmbs.elements.rotation import matrix_of
from tests.support.spatial_books import axis, joint, space_book

Z = (0.0, 0.0, 1.0)
STILL = {"gravity_z": 0.0, "t_end": 0.1, "t_step": 0.05}


def hinge(name, carrier, wheel, point, along=Z, **more):
    return joint("revolute", carrier, wheel, point, name, **axis(*map(float, along)), **more)


def gear(name, joint_1, joint_2, ratio, **more):
    return {"name": name, "type": "gear", "joint_1": joint_1, "joint_2": joint_2, "ratio": ratio} | more


def rack(name, joint_1, joint_2, radius, **more):
    return {"name": name, "type": "rack-and-pinion", "joint_1": joint_1, "joint_2": joint_2, "radius": radius} | more


def driven(of, coordinate="angle", **motion):
    return {"name": f"drive {of}", "joint": of, "coordinate": coordinate} | motion


def solve(path, settings=None, **sheets):
    return sheetmbs.run(sheetmbs.read(space_book(path, STILL | (settings or {}), **sheets)))


def force_on(result, name, side, row=-1):
    """(3,) reaction of a joint on its body i or j."""
    return np.array([result.joints[f"{name}.{side}.f{k}"].iloc[row] for k in "xyz"])


def moment_on(result, name, side, row=-1):
    return np.array([result.joints[f"{name}.{side}.m{k}"].iloc[row] for k in "xyz"])


def left_over(result, bodies, holds, row=-1):
    """The largest force or moment about the global origin that is unbalanced on any body, ground left out.

    bodies: rows of the sheet, with constant loads at the centre of mass. holds: of each joint or coupling its body i, its body
    j and the places of its point on either, each a body whose centre of mass it is or global coordinates. Nothing else acts.
    """
    frame = result.bodies.iloc[row]

    def components(name, letters):
        return np.array([frame[f"{name}.{letter}"] for letter in letters])

    def place_of(at):
        return components(at, "xyz") if isinstance(at, str) else np.array(at, dtype=float)

    worst = 0.0
    for each in bodies:
        name = each["name"]
        turn = matrix_of(components(name, ("e0", "e1", "e2", "e3")))
        at, omega = components(name, "xyz"), components(name, ("wx", "wy", "wz"))
        inertia = np.array([each["ixx"], each["iyy"], each["izz"]])
        own = turn @ (inertia * components(name, ("alphax", "alphay", "alphaz")) + np.cross(omega, inertia * omega))
        force = np.array([each.get(f"f{k}", 0.0) for k in "xyz"]) - each["mass"] * components(name, ("ax", "ay", "az"))
        moment = np.array([each.get(f"m{k}", 0.0) for k in "xyz"]) - own + np.cross(at, force)
        for held, (body_i, body_j, place_i, place_j) in holds.items():
            for side, body, place in (("i", body_i, place_i), ("j", body_j, place_j)):
                if body == name:
                    own = force_on(result, held, side, row)
                    force = force + own
                    moment = moment + moment_on(result, held, side, row) + np.cross(place_of(place), own)
        worst = max(worst, np.abs(force).max(), np.abs(moment).max())
    return worst
