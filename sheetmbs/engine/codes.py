"""The numbers by which kernels know the kinds of things; free of numba, so that declarations can use them."""

from __future__ import annotations

from enum import IntEnum


class BodyKind(IntEnum):
    """How a body moves; each kind has one file of kinematics in `engine/bodies`.

    SECTION is a cross-section of a beam: to elements a body of its own, which moves with the coordinates of the beam.
    """

    GROUND = 0
    PLANAR = 1
    SPATIAL = 2
    BEAM = 3
    SECTION = 4


class RowKind(IntEnum):
    """Kinds of constraint rows; each has one file in `engine/rows`.

    COORDINATE is a declaration only: lowering turns it into COINCIDENT or ANGLE against ground.
    """

    COINCIDENT = 0
    PERPENDICULAR = 1
    IN_PLANE = 2
    DISTANCE = 3
    ANGLE = 4
    COORDINATE = 5
    TURN = 6
    WHEEL = 7
    ORIENTATION = 8
    TWIST = 9
    AZIMUTH = 10


class MotionKind(IntEnum):
    """How a right-hand side varies over time. SPIN: 0, and the angular velocity and acceleration of the four motions before."""

    QUADRATIC = 0
    FORMULA = 1
    CURVE = 2
    SPIN = 3


class Quantity(IntEnum):
    """Motion columns that a formula may read: components of a frame's position and velocity, its body's angles and rates.

    PHI and OMEGA belong to planar bodies; WX, WY, WZ are in body axes.
    """

    X = 0
    Y = 1
    Z = 2
    VX = 3
    VY = 4
    VZ = 5
    PHI = 6
    OMEGA = 7
    WX = 8
    WY = 9
    WZ = 10
    YAW = 11
    PITCH = 12
    ROLL = 13


class Count(IntEnum):
    """Indices of the counters in `Work.count`."""

    EVALUATIONS = 0
    STEPS = 1
    REJECTIONS = 2
    FACTORISATIONS = 3
    ITERATIONS = 4
    UNCONVERGED = 5
    REPARTITIONS = 6
    JACOBIANS = 7
