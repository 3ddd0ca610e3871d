"""All applied forces: weights, springs, bushings, loads. The if-chain over kinds of springs stands here.

Besides the generalised force, the power of everything that is neither weight nor spring is summed: integrated over time, it
closes the energy balance.
"""

import math

from sheetmbs.compiled import inline_kernel, kernel
from sheetmbs.engine.bodies.beam_body import apply_beams, damping_power
from sheetmbs.engine.codes import Quantity, SpringKind
from sheetmbs.engine.forces.bushing import deflect, marker_to_global, react
from sheetmbs.engine.forces.clearance import apply_clearances
from sheetmbs.engine.forces.rotational_spring import angle_and_rate
from sheetmbs.engine.forces.translational_spring import length_and_rate
from sheetmbs.engine.kinematics import add_gyroscopic, add_wrench
from sheetmbs.engine.motion.curves import evaluate
from sheetmbs.engine.motion.tape import evaluate_value
from sheetmbs.engine.vec import cross, dot, turned

TRANSLATIONAL = int(SpringKind.TRANSLATIONAL)
PHI = int(Quantity.PHI)
OMEGA = int(Quantity.OMEGA)
WX = int(Quantity.WX)
YAW = int(Quantity.YAW)
PITCH = int(Quantity.PITCH)
ROLL = int(Quantity.ROLL)


@kernel
def curve_at(curves, hint, curve, x):
    """Value of a curve; beyond its ends it goes on with its end slope."""
    y, _slope, _bend, interval = evaluate(
        curves.knot, curves.coefficient, curves.start[curve], curves.count[curve], x, hint[curve]
    )
    hint[curve] = interval
    return y


@inline_kernel
def held_curve_at(curves, hint, curve, start, count, x):
    """Value of the part of a curve that begins at knot ``start`` and has ``count`` knots, and goes on beyond them."""
    y, _slope, _bend, interval = evaluate(curves.knot, curves.coefficient, start, count, x, hint[curve])
    hint[curve] = interval
    return y


@inline_kernel
def angular(pose, b, quantity):
    """Angle or angular velocity of a body; yaw, pitch and roll about z, y' and x'' in turn."""
    if quantity == PHI:
        return pose[b, 18]
    if quantity == OMEGA:
        return pose[b, 17]
    if quantity == YAW:
        return math.atan2(pose[b, 3], pose[b, 0])
    if quantity == PITCH:
        return -math.asin(max(-1.0, min(1.0, pose[b, 6])))
    if quantity == ROLL:
        return math.atan2(pose[b, 7], pose[b, 8])
    k = quantity - WX
    return pose[b, k] * pose[b, 15] + pose[b, 3 + k] * pose[b, 16] + pose[b, 6 + k] * pose[b, 17]


@inline_kernel
def read_variables(variables, pose, place, out):
    """Motion columns that formulas of forces read."""
    for k in range(variables.shape[0]):
        variable = variables[k]
        if variable.quantity < PHI:
            out[k] = place[variable.frame, 3 + variable.quantity]
        else:
            out[k] = angular(pose, variable.body, variable.quantity)


@kernel
def apply_springs(springs, bodies, curves, pose, place, turn, hint, held, out, force):
    """Forces of all springs; lengths, rates and forces go to out. Returns the power of dampers and actuators.

    held: `Work.held`.
    """
    power = 0.0
    for k in range(springs.shape[0]):
        spring = springs[k]
        i = spring.frame_i
        j = spring.frame_j
        ux = uy = uz = ax = ay = az = 0.0
        if spring.kind == TRANSLATIONAL:
            length, rate, ux, uy, uz = length_and_rate(place, i, j)
        else:
            length, rate, ax, ay, az = angle_and_rate(spring, pose, turn)
        deflection = length - spring.natural
        elastic, damping = spring.k * deflection, spring.c * rate
        if spring.curve_k >= 0:
            elastic = held_curve_at(curves, hint, spring.curve_k, held[k, 0], held[k, 1], deflection)
        if spring.curve_c >= 0:
            damping = held_curve_at(curves, hint, spring.curve_c, held[k, 2], held[k, 3], rate)
        total = elastic + damping + spring.force
        out[k, 0] = length
        out[k, 1] = rate
        out[k, 2] = elastic
        out[k, 3] = damping
        out[k, 4] = total
        power -= (damping + spring.force) * rate
        for side in range(2):
            sign = 1.0 - 2.0 * side
            body = spring.body_i if side == 0 else spring.body_j
            frame = i if side == 0 else j
            f = sign * total
            add_wrench(bodies, body, pose, place, frame, f * ux, f * uy, f * uz, f * ax, f * ay, f * az, force)
    return power


@kernel
def apply_bushings(bushings, bodies, pose, place, out, force):
    """Forces of all bushings; deflections, rates and forces go to out. Returns the power of their damping."""
    power = 0.0
    for k in range(bushings.record.shape[0]):
        bushing = bushings.record[k]
        deflect(bushing, pose, place, out[k])
        react(bushings.stiffness[k], bushings.damping[k], bushings.rest[k], out[k])
        for m in range(6):
            power -= bushings.damping[k, m] * out[k, 6 + m] * out[k, 6 + m]
        i = bushing.frame_i
        j = bushing.frame_j
        fx, fy, fz = marker_to_global(bushing, pose, out[k, 12], out[k, 13], out[k, 14])
        mx, my, mz = marker_to_global(bushing, pose, out[k, 15], out[k, 16], out[k, 17])
        dx, dy, dz = place[j, 3] - place[i, 3], place[j, 4] - place[i, 4], place[j, 5] - place[i, 5]
        ex, ey, ez = cross(dx, dy, dz, fx, fy, fz)
        add_wrench(bodies, bushing.body_i, pose, place, i, fx, fy, fz, mx + ex, my + ey, mz + ez, force)
        add_wrench(bodies, bushing.body_j, pose, place, j, -fx, -fy, -fz, -mx, -my, -mz, force)
    return power


@kernel
def apply_loads(loads, bodies, curves, tapes, t, pose, place, variables, hint, stack, fault_at, wrench, force):
    """Forces of all loads. Returns their power."""
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
                fault, factor = evaluate_value(tapes.operation, tapes.constant, start, t, variables, stack)
                if fault != 0:
                    fault_at[0] = fault
                    fault_at[1] = index
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
                px -= pose[b, 9]
                py -= pose[b, 10]
                pz -= pose[b, 11]
            ex, ey, ez = cross(px, py, pz, fx, fy, fz)
            mx += ex
            my += ey
            mz += ez
        add_wrench(bodies, b, pose, place, f, fx, fy, fz, mx, my, mz, force)
        power += dot(fx, fy, fz, place[f, 6], place[f, 7], place[f, 8])
        power += dot(mx, my, mz, pose[b, 15], pose[b, 16], pose[b, 17])
    return power


@kernel
def apply_all(A, W, t, v):
    """All applied and gyroscopic forces at the state in W, to W.force. Returns the power of all but weights and springs."""
    pose, place, force = W.pose, W.place, W.force
    power = 0.0
    for k in range(force.shape[0]):
        force[k] = A.base_force[k]
        power += A.load_force[k] * v[k]
    add_gyroscopic(A.body, A.mass, v, force)
    if A.beams.record.shape[0] > 0:
        apply_beams(A.beams, W.beam, v, force)
        power += damping_power(W.beam)
    if A.spring.shape[0] > 0:
        power += apply_springs(A.spring, A.body, A.curves, pose, place, W.turn, W.hint, W.held, W.spring, force)
    if A.bushings.record.shape[0] > 0:
        power += apply_bushings(A.bushings, A.body, pose, place, W.bushing, force)
    if A.clearance.shape[0] > 0:
        power += apply_clearances(A.clearance, A.body, pose, place, W.contact, force)
    if A.loads.record.shape[0] > 0:
        read_variables(A.loads.variable, pose, place, W.variable)
        power += apply_loads(
            A.loads, A.body, A.curves, A.tapes, t, pose, place, W.variable, W.hint, W.stack, W.fault, W.wrench, force
        )
    return power
