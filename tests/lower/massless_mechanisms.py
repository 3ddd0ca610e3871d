"""Mechanisms with links of little or no mass, and the forces on their bodies as Newton and Euler have them."""

import numpy as np

from sheetmbs.model.model import Friction
from tests.support.spatial_mechanisms import joined, marker, rigid, space, turned
from tests.support.springs import make_spring

G = 9.81


def link(name, position, mass, **more):
    """A link with the given mass and an inertia of the same number: none at all for mass 0."""
    return rigid(name, position, mass=mass, inertia=(mass,) * 3, **more)


def control_arm(mass=0.0, hinge="spherical", **settings):
    """An arm hinged to the ground about y, with a body at its tip."""
    bodies = [link("rod", (0.5, 0, 0), mass), rigid("bob", (1, 1, 0))]
    joints = [
        joined(bodies, "pivot", "revolute", "ground", "rod", (0, 0, 0), (0, 1, 0)),
        joined(bodies, "tip", hinge, "rod", "bob", (1, 0, 0), (0, 0.6, 0.8)),
    ]
    return space(bodies, joints, **{"t_end": 2.0, "t_step": 0.05} | settings)


def double_wishbone(mass=0.0, strut="lower arm", friction=None, **settings):
    """A corner of a car, its chassis on the ground: x forward, y to the left, z up; arms and tie rod of a given mass."""
    rubs = None if friction is None else Friction(friction, radius=0.01, velocity=0.01)
    bodies = [
        link("lower arm", (0.0, 0.45, 0.15), mass),
        link("upper arm", (0.0, 0.47, 0.40), mass),
        rigid("upright", (0.01, 0.66, 0.28), mass=12.0, inertia=(0.3, 0.45, 0.28)),
    ]
    joints = [
        joined(
            bodies, "lower pivot", "revolute", "ground", "lower arm", (0.0, 0.25, 0.17), (1, 0.05, 0), friction=rubs
        ),
        joined(bodies, "upper pivot", "revolute", "ground", "upper arm", (0.0, 0.30, 0.38), (1, -0.04, 0.03)),
        joined(bodies, "lower ball", "spherical", "lower arm", "upright", (0.01, 0.65, 0.14)),
        joined(bodies, "upper ball", "spherical", "upper arm", "upright", (-0.02, 0.62, 0.41)),
        joined(bodies, "tie rod", "distance", "ground", "upright", (-0.10, 0.28, 0.2), to=(-0.09, 0.63, 0.19)),
    ]
    foot = (0.0, 0.5, 0.17) if strut == "lower arm" else (0.0, 0.62, 0.2)
    axes = np.eye(3)
    springs = (
        make_spring("strut", "translational", marker(bodies, "ground", (0.0, 0.4, 0.65), axes),
               marker(bodies, strut, foot, axes),
               k=30e3, c=1500.0, force=-900.0),
        make_spring("tyre", "translational", marker(bodies, "ground", (0.0, 0.7, -0.3), axes),
               marker(bodies, "upright", (0.0, 0.7, 0.0), axes), k=150e3, c=100.0, natural=0.309),
    )  # fmt: skip
    return space(bodies, joints, springs=springs, **{"t_end": 1.0, "t_step": 0.02} | settings)


def wrenches(result, model, name):
    """(rows, 6) what joints and springs do to a body: force, and moment about its centre of mass; global components."""
    rows = len(result.bodies)
    total = np.zeros((rows, 6))
    poses = _poses(result, model)
    for joint in model.joints:
        for side, end in (("i", joint.i), ("j", joint.j)):
            if end.body == name:
                own = columns(result.joints, f"{joint.name}.{side}", ("fx", "fy", "fz", "mx", "my", "mz"))
                total += _about_centre(own, poses[name], end)
    for spring in model.springs:
        far, near = (_at(poses[end.body], end) if end.body in poses else np.tile(end.origin, (rows, 1))
                     for end in (spring.i, spring.j))  # fmt: skip
        along = (near - far) / np.linalg.norm(near - far, axis=1)[:, None]
        for end, sign in ((spring.i, 1.0), (spring.j, -1.0)):
            if end.body == name:
                own = np.zeros((rows, 6))
                own[:, :3] = sign * along * result.springs[f"{spring.name}.force"].to_numpy()[:, None]
                total += _about_centre(own, poses[name], end)
    return total


def inertia_forces(result, model, name):
    """(rows, 6) m (a - g) of a body, and d/dt of its angular momentum about its centre of mass; global components."""
    body = next(each for each in model.bodies if each.name == name)
    table, poses = result.bodies, _poses(result, model)
    force = body.mass * (columns(table, name, ("ax", "ay", "az")) - model.settings.gravity)
    spin, onset = columns(table, name, ("wx", "wy", "wz")), columns(table, name, ("alphax", "alphay", "alphaz"))
    moment = onset @ body.inertia + np.cross(spin, spin @ body.inertia)
    return np.hstack((force, np.einsum("nij,nj->ni", poses[name][1], moment)))


def columns(table, name, which):
    """(rows, len(which)) columns of one element."""
    return np.column_stack([table[f"{name}.{each}"].to_numpy() for each in which])


def _poses(result, model):
    found = {}
    for body in model.bodies:
        angles = columns(result.bodies, body.name, ("yaw", "pitch", "roll"))
        found[body.name] = columns(result.bodies, body.name, "xyz"), np.array([turned(*each) for each in angles])
    return found


def _at(pose, end):
    return pose[0] + pose[1] @ end.origin


def _about_centre(wrench, pose, end):
    moved = wrench.copy()
    moved[:, 3:] += np.cross(pose[1] @ end.origin, wrench[:, :3])
    return moved
