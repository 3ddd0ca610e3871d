"""All applied forces: weights, springs, loads. The if-chain over kinds of springs stands here.

Besides the generalised force, the power of everything that is neither weight nor spring is summed: integrated over time, it
closes the energy balance.
"""

import math

from sheetmbs.engine.codes import Quantity, SpringKind
from sheetmbs.engine.curves import evaluate
from sheetmbs.engine.forces.rotational_spring import angle_and_rate
from sheetmbs.engine.forces.translational_spring import length_and_rate
from sheetmbs.engine.kinematics import add_wrench
from sheetmbs.engine.tape import evaluate_value
from sheetmbs.engine.vec import cross, dot, turned
from sheetmbs.jit import inline_kernel, kernel

TRANSLATIONAL = int(SpringKind.TRANSLATIONAL)
ROTATIONAL = int(SpringKind.ROTATIONAL)
PHI = int(Quantity.PHI)


@kernel
def curve_at(curves, hint, curve, x):
    """Value of a curve; beyond its ends it goes on with its end slope."""
    y, _slope, _bend, interval = evaluate(
        curves.knot, curves.coefficient, curves.start[curve], curves.count[curve], x, hint[curve]
    )
    hint[curve] = interval
    return y


@inline_kernel
def read_variables(variables, pose, place, out):
    """Motion columns that formulas of forces read."""
    for k in range(variables.shape[0]):
        variable = variables[k]
        if variable.quantity < PHI:
            out[k] = place[variable.frame, 3 + variable.quantity]
        elif variable.quantity == PHI:
            out[k] = pose[variable.body, 18]
        else:
            out[k] = pose[variable.body, 17]


@kernel
def apply_springs(springs, bodies, curves, pose, place, hint, out, force):
    """Forces of all springs; lengths, rates and forces go to out. Returns the power of dampers and actuators."""
    power = 0.0
    for k in range(springs.shape[0]):
        spring = springs[k]
        i = spring.frame_i
        j = spring.frame_j
        ux = uy = uz = 0.0
        if spring.kind == TRANSLATIONAL:
            length, rate, ux, uy, uz = length_and_rate(place, i, j)
        else:
            length, rate = angle_and_rate(pose, spring.body_i, spring.body_j)
        deflection = length - spring.natural
        elastic = spring.k * deflection if spring.curve_k < 0 else curve_at(curves, hint, spring.curve_k, deflection)
        damping = spring.c * rate if spring.curve_c < 0 else curve_at(curves, hint, spring.curve_c, rate)
        total = elastic + damping + spring.force
        out[k, 0] = length
        out[k, 1] = rate
        out[k, 2] = elastic
        out[k, 3] = damping
        out[k, 4] = total
        power -= (damping + spring.force) * rate
        turn = total if spring.kind == ROTATIONAL else 0.0
        for side in range(2):
            sign = 1.0 - 2.0 * side
            body = spring.body_i if side == 0 else spring.body_j
            frame = i if side == 0 else j
            pull = sign * total
            add_wrench(bodies, body, place, frame, pull * ux, pull * uy, pull * uz, 0.0, 0.0, sign * turn, force)
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
        add_wrench(bodies, b, place, f, fx, fy, fz, mx, my, mz, force)
        power += dot(fx, fy, fz, place[f, 6], place[f, 7], place[f, 8])
        power += dot(mx, my, mz, pose[b, 15], pose[b, 16], pose[b, 17])
    return power
