"""The numbers by which kernels know kinds of things and the columns of poses and places; declarations use them too."""

from __future__ import annotations

from enum import IntEnum

# Columns of `Work.pose`, a row per body, and of `Work.place`, a row per frame. Three in a row are a vector:
# ``place[f, X + k]``. From P11 on, the row of a beam or of a section of one holds what stands in `engine/bodies/beam_body.py`.
# of a pose
R11, R12, R13, R21, R22, R23, R31, R32, R33 = range(9)  # rotation of the body, row by row
OX, OY, OZ = 9, 10, 11  # its origin
VX, VY, VZ = 12, 13, 14  # velocity of the origin
WX, WY, WZ = 15, 16, 17  # angular velocity
PHI = 18  # angle of a planar body, counted past a turn
P11, P12, P13, P21, P22, P23, P31, P32, P33 = range(19, 28)  # rotation of the principal axes, row by row
POSE_COLUMNS = 28

# of a place
SX, SY, SZ = 0, 1, 2  # offset from the origin of its body
X, Y, Z = 3, 4, 5  # position
XD, YD, ZD = 6, 7, 8  # velocity
XDD, YDD, ZDD = 9, 10, 11  # acceleration at zero v-dot
PLACE_COLUMNS = 12


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
