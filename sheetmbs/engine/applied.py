"""All applied forces: weights, springs, loads. The if-chain over kinds of springs stands here.

Besides the generalised force, the power of everything that is neither weight nor spring is summed: integrated over time, it
closes the energy balance.
"""

from sheetmbs.engine.codes import Quantity, SpringKind
from sheetmbs.engine.curves import evaluate
from sheetmbs.engine.forces.rotational_spring import angle_and_rate
from sheetmbs.engine.forces.translational_spring import length_and_rate
from sheetmbs.engine.kinematics import add_wrench
from sheetmbs.engine.tape import evaluate_value
from sheetmbs.engine.vec import cross, dot, turned
from sheetmbs.jit import inline_kernel

TRANSLATIONAL = int(SpringKind.TRANSLATIONAL)
ROTATIONAL = int(SpringKind.ROTATIONAL)
PHI = int(Quantity.PHI)


@inline_kernel
def curve_at(A, W, curve, x):
    """Value of a curve; beyond its ends it goes on with its end slope."""
    y, _slope, _bend, hint = evaluate(
        A.knot, A.coefficient, A.curve_start[curve], A.curve_count[curve], x, W.hint[curve]
    )
    W.hint[curve] = hint
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


@inline_kernel
def apply_springs(A, W):
    """Forces of all springs; their lengths, rates and forces go to W.spring. Returns the power of dampers and actuators."""
    power = 0.0
    for k in range(A.spring.shape[0]):
        spring = A.spring[k]
        ux = uy = uz = 0.0
        if spring.kind == TRANSLATIONAL:
            length, rate, ux, uy, uz = length_and_rate(W.place, spring.frame_i, spring.frame_j)
        else:
            length, rate = angle_and_rate(W.pose, spring.body_i, spring.body_j)
        deflection = length - spring.natural
        elastic = spring.k * deflection if spring.curve_k < 0 else curve_at(A, W, spring.curve_k, deflection)
        damping = spring.c * rate if spring.curve_c < 0 else curve_at(A, W, spring.curve_c, rate)
        total = elastic + damping + spring.force
        W.spring[k, 0] = length
        W.spring[k, 1] = rate
        W.spring[k, 2] = elastic
        W.spring[k, 3] = damping
        W.spring[k, 4] = total
        power -= (damping + spring.force) * rate
        turn = total if spring.kind == ROTATIONAL else 0.0
        fx = total * ux
        fy = total * uy
        fz = total * uz
        i = spring.frame_i
        j = spring.frame_j
        add_wrench(A.body, spring.body_i, W.place, i, fx, fy, fz, 0.0, 0.0, turn, W.force)
        add_wrench(A.body, spring.body_j, W.place, j, -fx, -fy, -fz, 0.0, 0.0, -turn, W.force)
    return power


@inline_kernel
def component(A, W, load, k, t):
    """Component k of a load, before its scale: a number, a curve over time or a formula."""
    index = A.load_index[load, k]
    if index < 0:
        return A.load_value[load, k]
    if A.load[load].by_curve:
        return curve_at(A, W, index, t)
    fault, value = evaluate_value(A.operation, A.constant, A.program_start[index], t, W.variable, W.stack)
    if fault != 0:
        W.fault[0] = fault
        W.fault[1] = index
    return A.load_value[load, k] * value


@inline_kernel
def apply_loads(A, W, t):
    """Forces of all loads. Returns their power."""
    power = 0.0
    for n in range(A.load.shape[0]):
        load = A.load[n]
        b = load.body
        fx = component(A, W, n, 0, t)
        fy = component(A, W, n, 1, t)
        fz = component(A, W, n, 2, t)
        mx = component(A, W, n, 3, t)
        my = component(A, W, n, 4, t)
        mz = component(A, W, n, 5, t)
        if load.scale >= 0:
            scale = curve_at(A, W, load.scale, t)
            fx *= scale
            fy *= scale
            fz *= scale
            mx *= scale
            my *= scale
            mz *= scale
        if load.local:
            fx, fy, fz = turned(W.pose, b, fx, fy, fz)
            mx, my, mz = turned(W.pose, b, mx, my, mz)
        if load.point > 0:
            px = curve_at(A, W, A.load_index[n, 6], t) if A.load_index[n, 6] >= 0 else 0.0
            py = curve_at(A, W, A.load_index[n, 7], t) if A.load_index[n, 7] >= 0 else 0.0
            pz = curve_at(A, W, A.load_index[n, 8], t) if A.load_index[n, 8] >= 0 else 0.0
            if load.point == 2:
                px, py, pz = turned(W.pose, b, px, py, pz)
            else:
                px -= W.pose[b, 9]
                py -= W.pose[b, 10]
                pz -= W.pose[b, 11]
            ex, ey, ez = cross(px, py, pz, fx, fy, fz)
            mx += ex
            my += ey
            mz += ez
        f = load.frame
        add_wrench(A.body, b, W.place, f, fx, fy, fz, mx, my, mz, W.force)
        power += dot(fx, fy, fz, W.place[f, 6], W.place[f, 7], W.place[f, 8])
        power += dot(mx, my, mz, W.pose[b, 15], W.pose[b, 16], W.pose[b, 17])
    return power


@inline_kernel
def apply_forces(A, W, t, v):
    """Generalised applied force at the motion in W; its power without weights and springs goes to W.power."""
    power = 0.0
    for k in range(A.mass.shape[0]):
        W.force[k] = A.base_force[k]
        power += A.load_force[k] * v[k]
    read_variables(A.variable, W.pose, W.place, W.variable)
    power += apply_springs(A, W)
    power += apply_loads(A, W, t)
    W.power[0] = power
