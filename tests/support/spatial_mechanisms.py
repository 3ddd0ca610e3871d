"""Spatial models made in Python for tests: bodies and joints by global points and axes of the initial configuration."""

import numpy as np

from sheetmbs.elements.marker import Marker, triad
from sheetmbs.model.model import Body, Driver, Joint, Model, Quadratic, Settings


def euler_of(yaw=0.0, pitch=0.0, roll=0.0):
    """Euler parameters of a rotation about z, then y', then x''."""
    a0, a3 = np.cos(yaw / 2), np.sin(yaw / 2)
    b0, b2 = np.cos(pitch / 2), np.sin(pitch / 2)
    c0, c1 = np.cos(roll / 2), np.sin(roll / 2)
    return np.array(
        [
            a0 * b0 * c0 + a3 * b2 * c1,
            a0 * b0 * c1 - a3 * b2 * c0,
            a0 * b2 * c0 + a3 * b0 * c1,
            a3 * b0 * c0 - a0 * b2 * c1,
        ]
    )


def turned(yaw=0.0, pitch=0.0, roll=0.0):
    """Rotation about z, then y', then x''."""

    def about(k, angle):
        i, j = (k + 1) % 3, (k + 2) % 3
        turn = np.eye(3)
        turn[i, i] = turn[j, j] = np.cos(angle)
        turn[j, i] = np.sin(angle)
        turn[i, j] = -turn[j, i]
        return turn

    return about(2, yaw) @ about(1, pitch) @ about(0, roll)


def rigid(name, position=(0.0, 0.0, 0.0), angles=(0.0, 0.0, 0.0), mass=1.0, inertia=(0.1, 0.1, 0.1), **more):
    """A body by yaw, pitch, roll; inertia: three moments or a tensor."""
    tensor = None if inertia is None else np.array(inertia, dtype=float)
    return Body(
        name,
        mass=mass,
        inertia=np.diag(tensor) if tensor is not None and tensor.ndim == 1 else tensor,
        position=np.array(position, dtype=float),
        angles=np.array(angles, dtype=float),
        euler=euler_of(*angles),
        **{key: np.array(value, dtype=float) for key, value in more.items()},
    )


def rod(name, start, end, mass=1.0, width=0.1, **more):
    """A square rod from start to end, its frame parallel to the global one in the middle."""
    start, end = np.array(start, dtype=float), np.array(end, dtype=float)
    along = (end - start) / np.linalg.norm(end - start)
    length = np.linalg.norm(end - start)
    across = mass * (length**2 + width**2) / 12
    tensor = across * np.eye(3) + (mass * width**2 / 6 - across) * np.outer(along, along)
    return rigid(name, (start + end) / 2, mass=mass, inertia=tensor, **more)


def marker(bodies, name, point, axes):
    """A marker at a global point with global axes."""
    found = {body.name: body for body in bodies}
    if name == "ground":
        return Marker(name, np.array(point, dtype=float), axes)
    turn = turned(*found[name].angles)
    return Marker(name, turn.T @ (np.array(point, dtype=float) - found[name].position), turn.T @ axes)


def joined(bodies, name, kind, i, j, point=(0.0, 0.0, 0.0), axis=(0.0, 0.0, 1.0), second=None, to=None, **more):
    """A joint at a global point about a global axis; second: another axis on body j; to: another point on body j."""
    axes = triad(np.array(axis, dtype=float))
    axes_j = axes if second is None else triad(np.array(second, dtype=float))
    return Joint(
        name, kind, marker(bodies, i, point, axes), marker(bodies, j, point if to is None else to, axes_j), **more
    )


def space(bodies, joints=(), t_end=1.0, t_step=0.1, gravity=(0.0, 0.0, -9.81), **more):
    """A spatial model; what is no setting is a part of the model."""
    parts = {
        key: more.pop(key) for key in ("drivers", "springs", "curves", "points", "forces", "display") if key in more
    }
    return Model(
        settings=Settings(dimension="3D", t_end=t_end, t_step=t_step, gravity=gravity, **more),
        bodies=tuple(bodies),
        joints=tuple(joints),
        **parts,
    )


def turning(joint, speed, position=0.0, coordinate="angle"):
    return Driver(f"drive {joint}", None, joint, coordinate, Quadratic(position, speed, 0.0))


def bricard(**settings):
    """IFToMM A04: five rods of 1 m and 1 kg, six hinges."""
    points = [(0, 0, 0), (1, 0, 0), (1, -1, 0), (1, -1, 1), (0, -1, 1), (0, 0, 1)]
    axes = ["y", "z", "x", "y", "z", "x"]
    bodies = [rod(f"rod {k + 1}", points[k], points[k + 1]) for k in range(5)]
    names = ["ground", *(body.name for body in bodies), "ground"]
    joints = [
        joined(bodies, f"hinge {k + 1}", "revolute", names[k], names[k + 1], points[k], np.eye(3)["xyz".index(axis)])
        for k, axis in enumerate(axes)
    ]
    return space(bodies, joints, gravity=(0.0, -9.81, 0.0), **settings)


def four_bar(**settings):
    """A planar four-bar in the x-z plane, hinged about y: crank 1, coupler 3.5, rocker 3, base 4 m."""
    pin = (1 + (3.5**2 - 3**2 + 9) / 6, 0.0, 0.0)
    pin = (pin[0], 0.0, np.sqrt(3.5**2 - (pin[0] - 1) ** 2))
    ends = [(0, 0, 0), (1, 0, 0), pin, (4, 0, 0)]
    bodies = [rod(name, ends[k], ends[k + 1]) for k, name in enumerate(("crank", "coupler", "rocker"))]
    names = ["ground", "crank", "coupler", "rocker", "ground"]
    joints = [joined(bodies, "ABCD"[k], "revolute", names[k], names[k + 1], ends[k], (0, 1, 0)) for k in range(4)]
    return bodies, joints, settings


def wishbone(arm="lower arm", **settings):
    """A hinged arm whose tip pulls a slide through a tie rod with a ball joint at either end."""
    bodies = [
        rod(arm, (0, 0, 0), (0, 0.4, 0)),
        rod("tie rod", (0, 0.4, 0), (0.1, 0.4, 0.5), width=0.02),
        rigid("slider", (0.1, 0.4, 0.5)),
    ]
    joints = [
        joined(bodies, "pivot", "revolute", "ground", arm, (0, 0, 0), (1, 0, 0)),
        joined(bodies, "inner ball", "spherical", arm, "tie rod", (0, 0.4, 0)),
        joined(bodies, "outer ball", "spherical", "tie rod", "slider", (0.1, 0.4, 0.5)),
        joined(bodies, "rail", "translational", "ground", "slider", (0.1, 0.4, 0.5), (0, 0, 1)),
    ]
    return bodies, joints, settings
