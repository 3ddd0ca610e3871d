"""The 28 models whose ADAMS tables stand in ../shared/adams: one pendulum or plate each, hung from ground in 28 ways.

Masses, places, axes and rates are facts from the ADAMS data sets and unit tests of projectchrono/chrono (data/testing/joints).
"""

from functools import partial

import numpy as np

from sheetmbs.model.model import Curve, Point
from tests.support.spatial_mechanisms import joined, marker, rigid, space, turning
from tests.support.springs import make_spring

SETTINGS = {"t_end": 5.0, "t_step": 0.1, "gravity": (0.0, 0.0, -9.80665), "rtol": 1e-11}
QUARTER, EIGHTH = np.pi / 2, np.pi / 4
ORIGIN, RAISED = (0.0, 0.0, 0.0), (1.0, 2.0, 3.0)
X, Y, Z = np.eye(3)
SLANTED = (0.0, 1.0, 1.0)
ON_DIAGONAL = (np.sqrt(2.0), np.sqrt(2.0), 0.0)
BODY = "pendulum"
ALONG_X, ALONG_Y, ALONG_Z = (0.04, 0.1, 0.1), (0.1, 0.04, 0.1), (0.1, 0.1, 0.04)
"""moments of inertia of a rod along an axis of its own"""


def hung(kind, axis, place, centre, angles=(0.0, 0.0, 0.0), inertia=ALONG_X, **more):
    """A pendulum on one joint at a place of ground."""
    bodies = (rigid(BODY, centre, angles, inertia=inertia),)
    return space(bodies, (joined(bodies, "joint", kind, "ground", BODY, place, axis, **more),), **SETTINGS)


def tied(place, end, centre, angles=(0.0, 0.0, 0.0)):
    """A pendulum on a massless bar of constant length from a place of ground to its own end."""
    bodies = (rigid(BODY, centre, angles, inertia=ALONG_X),)
    bar = joined(bodies, "joint", "distance", "ground", BODY, place, to=end, values={"length": 2.0})
    return space(bodies, (bar,), **SETTINGS)


def sprung(place, end, centre, angles=(0.0, 0.0, 0.0), curves=(), **rates):
    """A pendulum on a spring with a damper from a place of ground to its own end."""
    bodies = (rigid(BODY, centre, angles, inertia=ALONG_X),)
    ends = marker(bodies, "ground", place, np.eye(3)), marker(bodies, BODY, end, np.eye(3))
    spring = make_spring("spring", "translational", *ends, **rates)
    return space(bodies, springs=(spring,), curves=curves, points=(Point("end", ends[1], report=True),), **SETTINGS)


def wound(curves=(), **rates):
    """A pendulum on a hinge about y with a rotational spring."""
    hinged = hung("revolute", Y, ORIGIN, (2.0, 0.0, 0.0), (0.0, 0.0, -QUARTER))
    (hinge,) = hinged.joints
    spring = make_spring("spring", "rotational", hinge.i, hinge.j, **rates)
    return space(hinged.bodies, (hinge,), springs=(spring,), curves=curves, **SETTINGS)


def on_arm(axis, hinge, ball, centre, mass=0.0):
    """A pendulum on the ball at the end of a massless arm whose other end is hinged to ground."""
    middle = (np.array(hinge) + ball) / 2
    bodies = (
        rigid("arm", middle, mass=mass, inertia=mass * np.array([0.1, 0.1, 0.1])),
        rigid(BODY, centre, inertia=ALONG_Y),
    )
    joints = (
        joined(bodies, "hinge", "revolute", "ground", "arm", hinge, axis),
        joined(bodies, "ball", "spherical", "arm", BODY, ball),
    )
    return space(bodies, joints, **SETTINGS)


def pushed(axis, angles, speed):
    """A plate on a slide, pushed along it at constant speed."""
    bodies = (rigid(BODY, ORIGIN, angles, inertia=(1.0, 1.0, 1.0), velocity=speed * np.array(axis)),)
    slide = joined(bodies, "slide", "translational", "ground", BODY, ORIGIN, axis)
    return space(bodies, (slide,), drivers=(turning("slide", speed, coordinate="displacement"),), **SETTINGS)


def progressive(furthest):
    """Force or moment over deflection: 50 x + 10 x |x|."""
    x = np.linspace(-furthest, furthest, 2001)
    return (Curve("progressive", x, 50.0 * x + 10.0 * x * np.abs(x), "cubic"),)


DOWN_X = (0.0, 0.0, -QUARTER)
HALF_DOWN_X = (0.0, 0.0, -EIGHTH)
MODELS = {
    "Cylindrical_Case01": partial(hung, "cylindrical", Z, ORIGIN, (2.0, 0.0, 0.0)),
    "Cylindrical_Case02": partial(hung, "cylindrical", Y, ORIGIN, (2.0, 0.0, 0.0), DOWN_X),
    "Cylindrical_Case03": partial(hung, "cylindrical", SLANTED, RAISED, (3.0, 2.0, 3.0), HALF_DOWN_X),
    "Prismatic_Case01": partial(hung, "translational", Z, ORIGIN, (2.0, 0.0, 0.0)),
    "Prismatic_Case02": partial(hung, "translational", SLANTED, RAISED, (3.0, 2.0, 3.0), HALF_DOWN_X),
    "Prismatic_Case03": partial(hung, "translational", Y, RAISED, (3.0, 2.0, 3.0), DOWN_X),
    "Revolute_Case01": partial(hung, "revolute", Y, ORIGIN, (2.0, 0.0, 0.0), DOWN_X),
    "Revolute_Case02": partial(hung, "revolute", SLANTED, RAISED, (3.0, 2.0, 3.0), HALF_DOWN_X),
    "Spherical_Case01": partial(hung, "spherical", Z, ORIGIN, (2.0, 0.0, 0.0)),
    "Spherical_Case02": partial(hung, "spherical", Z, RAISED, (3.0, 2.0, 3.0), HALF_DOWN_X),
    "Universal_Case01": partial(hung, "universal", X, ORIGIN, (0.0, 2.0, 0.0), (0.0, 0.0, QUARTER), ALONG_Z, second=Z),
    "Universal_Case02": partial(
        hung, "universal", -Z, ORIGIN, (-2.0, 0.0, 0.0), (0.0, QUARTER, 0.0), ALONG_Z, second=Y
    ),
    "Universal_Case03": partial(
        hung,
        "universal",
        (0.5, -0.5, np.sqrt(0.5)),
        ORIGIN,
        ON_DIAGONAL,
        (-EIGHTH, -EIGHTH, QUARTER),
        ALONG_Z,
        second=(-0.5, 0.5, np.sqrt(0.5)),
    ),
    "Distance_Case01": partial(tied, ORIGIN, (0.0, 2.0, 0.0), (0.0, 2.0, 0.0)),
    "Distance_Case02": partial(tied, RAISED, (1.0, 4.0, 3.0), (-1.0, 4.0, 3.0)),
    "Distance_Case03": partial(tied, ORIGIN, (0.0, 2.0, 0.0), (0.0, 4.0, 0.0), (-QUARTER, 0.0, 0.0)),
    "TranSpring_Case01": partial(sprung, ORIGIN, ORIGIN, ORIGIN, k=10.0, c=0.5),
    "TranSpring_Case02": partial(sprung, ORIGIN, (0.0, 2.0, 0.0), (0.0, 2.0, 0.0), k=100.0, c=5.0),
    "TranSpringCB_Case01": partial(sprung, ORIGIN, ORIGIN, ORIGIN, k=10.0, c=0.5),
    "TranSpringCB_Case02": partial(sprung, ORIGIN, (0.0, 2.0, 0.0), (0.0, 2.0, 0.0), k=100.0, c=5.0),
    "TranSpringCB_Case03": partial(
        sprung, RAISED, (1.0, 4.0, 3.0), (-1.0, 4.0, 3.0), curves=progressive(4.0), curve_k="progressive", c=5.0
    ),
    "TranSpringCB_Case04": partial(
        sprung,
        ORIGIN,
        (0.0, 2.0, 0.0),
        (0.0, 4.0, 0.0),
        (-QUARTER, 0.0, 0.0),
        curves=progressive(4.0),
        curve_k="progressive",
        c=5.0,
    ),
    "RotSpring_Case01": partial(wound, k=200.0, c=10.0),
    "RotSpring_Case02": partial(wound, curves=progressive(2.0), curve_k="progressive", c=10.0),
    "RevSpherical_Case01": partial(on_arm, Z, ORIGIN, (2.0, 0.0, 0.0), (2.0, 2.0, 0.0)),
    "RevSpherical_Case02": partial(on_arm, SLANTED, RAISED, (3.0, 2.0, 3.0), (3.0, 4.0, 3.0)),
    "LinActuator_Case01": partial(pushed, Z, (0.0, 0.0, 0.0), 1.0),
    "LinActuator_Case02": partial(pushed, (np.sqrt(0.5), 0.0, np.sqrt(0.5)), (0.0, EIGHTH, 0.0), 0.5),
}
