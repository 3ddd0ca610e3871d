"""Planar models made in Python for tests."""

import numpy as np

from sheetmbs.elements.marker import Marker, triad
from sheetmbs.model.model import Body, Driver, Joint, Model, Quadratic, Settings


def on(body, x=0.0, y=0.0, axes=None):
    return Marker(body, np.array([x, y, 0.0]), np.eye(3) if axes is None else axes)


def body(name, x=0.0, y=0.0, phi=0.0, velocity=(0.0, 0.0, 0.0), mass=1.0, inertia=0.1, **more):
    return Body(
        name,
        mass=mass,
        inertia=np.diag([0.0, 0.0, inertia]),
        position=np.array([x, y, 0.0]),
        angles=np.array([0.0, 0.0, phi]),
        velocity=np.array([*velocity[:2], 0.0]),
        angular_velocity=np.array([0.0, 0.0, velocity[2]]),
        **more,
    )


def bar(name, start, end, mass=1.0, **more):
    """A slender bar from start to end, its frame in the middle."""
    start, end = np.array(start, dtype=float), np.array(end, dtype=float)
    centre, along = (start + end) / 2, end - start
    length = float(np.hypot(*along))
    return body(name, *centre, float(np.arctan2(along[1], along[0])), mass=mass, inertia=mass * length**2 / 12, **more)


def hinge(name, i, j):
    return Joint(name, "revolute", i, j)


def model(bodies, joints=(), t_end=1.0, t_step=0.1, drivers=(), springs=(), gravity=(0.0, -9.81, 0.0), **settings):
    return Model(
        settings=Settings(t_end=t_end, t_step=t_step, gravity=gravity, **settings),
        bodies=tuple(bodies),
        joints=tuple(joints),
        drivers=tuple(drivers),
        springs=tuple(springs),
    )


def turning(joint, speed, position=0.0):
    return Driver(f"drive {joint}", None, joint, "angle", Quadratic(position, speed, 0.0))


def four_bar(a=1.0, b=3.5, c=3.0, d=4.0, **settings):
    """Crank a from the origin, coupler b, rocker c about (d, 0); the crank starts along x."""
    reach = d - a
    x = (b**2 - c**2 + reach**2) / (2 * reach)
    pin = (a + x, np.sqrt(b**2 - x**2))
    bodies = (bar("crank", (0, 0), (a, 0)), bar("coupler", (a, 0), pin), bar("rocker", (d, 0), pin))
    joints = (
        hinge("A", on("ground"), on("crank", -a / 2)),
        hinge("B", on("crank", a / 2), on("coupler", -b / 2)),
        hinge("C", on("coupler", b / 2), on("rocker", c / 2)),
        hinge("D", on("ground", d), on("rocker", -c / 2)),
    )
    return bodies, joints, settings


def slider_crank(crank=1.0, rod=3.0):
    """Crank from the origin along x, connecting rod, slider on the x axis: its dead centre."""
    bodies = (bar("crank", (0, 0), (crank, 0)), bar("rod", (crank, 0), (crank + rod, 0)), body("slider", crank + rod))
    joints = (
        hinge("main", on("ground"), on("crank", -crank / 2)),
        hinge("pin", on("crank", crank / 2), on("rod", -rod / 2)),
        hinge("wrist", on("rod", rod / 2), on("slider")),
        Joint("rail", "translational", on("ground", axes=slide_axes(0)), on("slider", axes=slide_axes(0))),
    )
    return bodies, joints


def double_pendulum(**settings):
    bodies = (bar("upper", (0, 0), (1, 0)), bar("lower", (1, 0), (2, 0), mass=0.5))
    joints = (hinge("top", on("ground"), on("upper", -0.5)), hinge("elbow", on("upper", 0.5), on("lower", -0.5)))
    return model(bodies, joints, **settings)


def windows(count, **settings):
    """IFToMM A02: ``count`` four-bar windows in a row, bars of 1 m and 1 kg, upright, couplers at 1 m/s."""
    bodies = [bar(f"rod {k}", (k, 0), (k, 1), velocity=(0.5, 0.0, -1.0)) for k in range(count + 1)]
    bodies += [bar(f"top {k}", (k, 1), (k + 1, 1), velocity=(1.0, 0.0, 0.0)) for k in range(count)]
    joints = [hinge(f"foot {k}", on("ground", k), on(f"rod {k}", -0.5)) for k in range(count + 1)]
    for k in range(count):
        joints.append(hinge(f"left {k}", on(f"rod {k}", 0.5), on(f"top {k}", -0.5)))
        joints.append(hinge(f"right {k}", on(f"rod {k + 1}", 0.5), on(f"top {k}", 0.5)))
    return model(bodies, joints, **settings)


def slide_axes(angle):
    return triad(np.array([np.cos(angle), np.sin(angle), 0.0]))
