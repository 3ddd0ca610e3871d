"""The force that separates wheels in mesh: it presses the flanks that touch, so it goes with the size of the tangential force.

With the tangential force F_t from the multiplier of the mesh, e from the centre O1 of wheel 1 (or of a pinion) across its axis
a to that of wheel 2 (or, fixed on a rack, to its pitch line), and s = tan(alpha_n)/cos(beta), negative for inner teeth:

    F = s |F_t| e on wheel 2, -F on wheel 1, both at O1        power = F . (v_2 - v_1)
    e = (c - (c . a) a)/|..|,  c = O2 - O1

It does no work as long as the bearings hold the wheels. Whichever flank touches, F keeps its sense.
"""

import math

from sheetmbs.compiled import inline_kernel
from sheetmbs.engine.codes import WX, WY, WZ
from sheetmbs.engine.vec import between, cross, dot, speed_between, turned

LINE_OF_CENTRES, ON_RACK = 1, 2
"""kinds of meshes in a record: along what the force acts"""


@inline_kernel
def place_separation(record, pose, place, slip, n):
    """Separating force per unit of tangential force at the places and velocities in pose and place, and its direction."""
    i, j = record.frame_i, record.frame_j
    dx, dy, dz = between(place, i, j)
    if record.meshes == ON_RACK:
        ex, ey, ez = turned(pose, record.body_j, record.ax, record.ay, record.az)
    else:
        ax, ay, az = turned(pose, record.body_i, record.ax, record.ay, record.az)
        along = dot(dx, dy, dz, ax, ay, az)
        ex, ey, ez = dx - along * ax, dy - along * ay, dz - along * az
        size = math.sqrt(dot(ex, ey, ez, ex, ey, ez))
        inverse = 1.0 / size if size > 0.0 else 0.0
        ex, ey, ez = ex * inverse, ey * inverse, ez * inverse
    fx, fy, fz = record.coefficient * ex, record.coefficient * ey, record.coefficient * ez
    # velocity of what body j carries past frame i
    vx, vy, vz = speed_between(place, i, j)
    ux, uy, uz = cross(pose[record.body_j, WX], pose[record.body_j, WY], pose[record.body_j, WZ], -dx, -dy, -dz)
    slip[n, 0] = fx
    slip[n, 1] = fy
    slip[n, 2] = fz
    slip[n, 3], slip[n, 4], slip[n, 5] = cross(-dx, -dy, -dz, fx, fy, fz)
    slip[n, 6] = dot(fx, fy, fz, vx + ux, vy + uy, vz + uz)
    slip[n, 7] = ex
    slip[n, 8] = ey
    slip[n, 9] = ez
