"""All applied forces: weights, beams, force elements (`engine/forces/all_forces.py`), loads.

Besides the generalised force, the power of everything that is neither weight nor elastic is summed: integrated over time, it
closes the energy balance.
"""

import math

from sheetmbs.compiled import inline_kernel, kernel
from sheetmbs.engine.bodies.beam_body import apply_beams, damping_power
from sheetmbs.engine.codes import OX, OY, OZ, PHI, R11, R21, R31, R32, R33, WX, WY, WZ, XD, YD, ZD, Quantity, X
from sheetmbs.engine.forces.all_forces import apply_forces
from sheetmbs.engine.kinematics import add_gyroscopic, add_wrench
from sheetmbs.engine.motion.bytecode import evaluate_value
from sheetmbs.engine.motion.curves import evaluate
from sheetmbs.engine.vec import cross, dot, turned

ANGLE = int(Quantity.PHI)
RATE = int(Quantity.OMEGA)
RATE_X = int(Quantity.WX)
YAW = int(Quantity.YAW)
PITCH = int(Quantity.PITCH)
ROLL = int(Quantity.ROLL)


@kernel
def curve_at(curves, hint, curve, x) -> float:
    """Value of a curve; beyond its ends it goes on with its end slope."""
    y, _slope, _bend, interval = evaluate(
        curves.knot, curves.coefficient, curves.start[curve], curves.count[curve], x, hint[curve]
    )
    hint[curve] = interval
    return y


@inline_kernel
def angular(pose, b, quantity):
    """Angle or angular velocity of a body; yaw, pitch and roll about z, y' and x'' in turn."""
    if quantity == ANGLE:
        return pose[b, PHI]
    if quantity == RATE:
        return pose[b, WZ]
    if quantity == YAW:
        return math.atan2(pose[b, R21], pose[b, R11])
    if quantity == PITCH:
        return -math.asin(max(-1.0, min(1.0, pose[b, R31])))
    if quantity == ROLL:
        return math.atan2(pose[b, R32], pose[b, R33])
    k = quantity - RATE_X
    return pose[b, R11 + k] * pose[b, WX] + pose[b, R21 + k] * pose[b, WY] + pose[b, R31 + k] * pose[b, WZ]


@inline_kernel
def read_variables(variables, pose, place, out):
    """Motion columns that formulas of forces read."""
    for k in range(variables.shape[0]):
        variable = variables[k]
        if variable.quantity < ANGLE:
            out[k] = place[variable.frame, X + variable.quantity]
        else:
            out[k] = angular(pose, variable.body, variable.quantity)


@kernel
def apply_loads(A, W, t, force) -> float:
    """Add the forces of all loads to ``force`` (nv,). Returns their power."""
    loads, curves, tapes = A.loads, A.curves, A.tapes
    pose, place, hint, wrench = W.pose, W.place, W.hint, W.wrench
    read_variables(loads.variable, pose, place, W.variable)
    power = 0.0
    for n in range(loads.record.shape[0]):
        load = loads.record[n]
        b = load.body
        f = load.frame
        scale = curve_at(curves, hint, load.scale, t) if load.scale >= 0 else 1.0
        for k in range(9):
            index = loads.index[n, k]
            value = loads.value[n, k] if k < 6 else 0.0
            if index >= 0 and load.by_curve:
                value = curve_at(curves, hint, index, t)
            elif index >= 0:
                start = tapes.start[index]
                fault, factor = evaluate_value(tapes.operation, tapes.constant, start, t, W.variable, W.stack)
                if fault != 0:
                    W.fault[0] = fault
                    W.fault[1] = index
                    factor = math.nan
                value *= factor
            wrench[k] = value
        fx = scale * wrench[0]
        fy = scale * wrench[1]
        fz = scale * wrench[2]
        mx = scale * wrench[3]
        my = scale * wrench[4]
        mz = scale * wrench[5]
        if load.local:
            fx, fy, fz = turned(pose, b, fx, fy, fz)
            mx, my, mz = turned(pose, b, mx, my, mz)
        if load.point > 0:
            px, py, pz = wrench[6], wrench[7], wrench[8]
            if load.point == 2:
                px, py, pz = turned(pose, b, px, py, pz)
            else:
                px -= pose[b, OX]
                py -= pose[b, OY]
                pz -= pose[b, OZ]
            ex, ey, ez = cross(px, py, pz, fx, fy, fz)
            mx += ex
            my += ey
            mz += ez
        add_wrench(A, W, b, f, (fx, fy, fz), (mx, my, mz), force)
        power += dot(fx, fy, fz, place[f, XD], place[f, YD], place[f, ZD])
        power += dot(mx, my, mz, pose[b, WX], pose[b, WY], pose[b, WZ])
    return power


@kernel
def apply_all(A, W, t, v) -> float:
    """All applied and gyroscopic forces at the state in W, to W.force. Returns the power of all but weights and springs."""
    force = W.force
    power = 0.0
    for k in range(force.shape[0]):
        force[k] = A.base_force[k]
        power += A.load_force[k] * v[k]
    add_gyroscopic(A.body, A.mass, v, force)
    if A.beams.record.shape[0] > 0:
        apply_beams(A.beams, W.beam, v, force)
        power += damping_power(W.beam)
    power += apply_forces(A, W, force)
    if A.loads.record.shape[0] > 0:
        power += apply_loads(A, W, t, force)
    return power
