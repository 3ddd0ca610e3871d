"""Workbooks of gears and racks for tests, and the balance of forces on every body of what they give.

The balance takes nothing from the solver but accelerations and what stands on the result sheets: m a and d(J w)/dt of each
body against weights, constant loads, reactions of joints (i and j), friction and forces of bushings.
"""

import numpy as np

import sheetmbs
from tests.spatial_books import axis, body, joint, space_book
from tests.spatial_mechanisms import turned

Z = np.array([0.0, 0.0, 1.0])
STILL = {"gravity_z": 0.0, "t_end": 0.1, "t_step": 0.05}


def hinge(name, carrier, wheel, point, along=Z, **more):
    return joint("revolute", carrier, wheel, point, name, **axis(*map(float, along)), **more)


def gear(name, joint_1, joint_2, ratio, **more):
    return {"name": name, "type": "gear", "joint_1": joint_1, "joint_2": joint_2, "ratio": ratio} | more


def rack(name, joint_1, joint_2, radius, **more):
    return {"name": name, "type": "rack-and-pinion", "joint_1": joint_1, "joint_2": joint_2, "radius": radius} | more


def held(name, of, coordinate="angle"):
    return {"name": name, "joint": of, "coordinate": coordinate}


def solve(path, settings=None, **sheets):
    return sheetmbs.run(sheetmbs.read(space_book(path, STILL | (settings or {}), **sheets)))


def force_on(result, name, side, row=-1):
    """(3,) reaction of a joint on its body i or j."""
    return np.array([result.joints[f"{name}.{side}.f{k}"].iloc[row] for k in "xyz"])


def moment_on(result, name, side, row=-1):
    return np.array([result.joints[f"{name}.{side}.m{k}"].iloc[row] for k in "xyz"])


def pitch_point(centre_1, centre_2, ratio):
    """Of wheels whose velocities are in a ratio, + for the same sense."""
    centre_1, centre_2 = np.array(centre_1, float), np.array(centre_2, float)
    return centre_1 + (centre_2 - centre_1) * ratio / (ratio - 1.0)
