"""Coulomb friction in joints, with a ramp in place of the jump at rest, and its balance with the reactions.

With the reaction (R, M) on body j at the joint's point on it and the sliding velocity s of the surfaces,

    F = -mu N tanh(|s|/v) s/|s|        power = F . s <= 0

where v is the velocity of the ramp, a the axis, r the radius of the surface and
    revolute          s = r w . a                     N = |R|
    spherical         s = r w                         N = |R|
    cylindrical       s = (d-dot, r w . a)            N = |R'|                      R' = R - (R . a) a
    translational     s = d-dot                       N = |R'/2 + P| + |R'/2 - P| + |M . a|/l,   P = M x a/(2 l)
w = w_j - w_i; 2 l is the length of a guide, without which N = |R'|. The pair of forces P at its ends stands for the moment.

N depends on the reactions, these on F, and so on N. The loads n that satisfy n = N(n) are found by sweeps, each one solution
for the reactions: n + f, f = N - n, corrected by what the last change of n did to f (Anderson 1965, for a memory of one):

    n <- n + f - (f . df / df . df) (dn + df)

Every balance begins without friction, so what it finds depends on the state alone. Where reactions answer a change of loads
by a larger one, several loads may balance or none; friction then grows from nothing to its full size, and those count to
which that leads. Where it leads to none, the joint jams (Painleve 1895).

Forces that separate teeth (`engine/forces/tooth_force.py`) go with a reaction as friction does, and are balanced with it.
"""

import math

from sheetmbs.compiled import inline_kernel, kernel
from sheetmbs.engine.algebra.linear import REACTION_EPS, factor, least_weighted
from sheetmbs.engine.codes import WX, WY, WZ
from sheetmbs.engine.constraints import place_rows
from sheetmbs.engine.forces.tooth_force import place_separation
from sheetmbs.engine.kinematics import add_wrench
from sheetmbs.engine.vec import cross, dot, speed_between, turned
from sheetmbs.engine.work import JAMMED, SHARE, SWEEP, SWEEPS

TIGHT = 1e-14  # of the largest load: surplus at which loads are balanced
ROUNDED = 1e-10  # the same where sweeps no longer improve it
STALLING = 0.5  # of the surplus of the sweep before: less than that is no improvement
MOST_SWEEPS = 200
UNIQUE = 0.9  # answer of the reactions to a change of loads, over the change, up to which only one balance is expected
GROWTH = 0.0625  # share of the friction by which it grows where there may be more
SMALL = 1e-3  # of the ramp: below, a series is exact to rounding


@inline_kernel
def place_slip(record, pose, place, slip, n):
    """Force per unit of load at the velocities in pose and place, and its axis."""
    if record.meshes:
        place_separation(record, pose, place, slip, n)
        return
    bi, bj, i, j = record.body_i, record.body_j, record.frame_i, record.frame_j
    ax, ay, az = turned(pose, bi, record.ax, record.ay, record.az)
    wx, wy, wz = pose[bj, WX] - pose[bi, WX], pose[bj, WY] - pose[bi, WY], pose[bj, WZ] - pose[bi, WZ]
    along = about = 0.0
    if record.slides:
        vx, vy, vz = speed_between(place, i, j)
        along = dot(ax, ay, az, vx, vy, vz)
    if record.turns < 2:
        about = dot(ax, ay, az, wx, wy, wz)
        wx, wy, wz = about * ax, about * ay, about * az
    leverage = record.radius * record.radius
    square = along * along + leverage * dot(wx, wy, wz, wx, wy, wz)
    speed = math.sqrt(square) / record.velocity
    ramp = math.tanh(speed) / speed if speed > SMALL else 1.0 - speed * speed / 3.0
    ramp *= -record.coefficient / record.velocity
    slip[n, 0] = ramp * along * ax
    slip[n, 1] = ramp * along * ay
    slip[n, 2] = ramp * along * az
    slip[n, 3] = ramp * leverage * wx
    slip[n, 4] = ramp * leverage * wy
    slip[n, 5] = ramp * leverage * wz
    slip[n, 6] = ramp * square
    slip[n, 7] = ax
    slip[n, 8] = ay
    slip[n, 9] = az


@inline_kernel
def load_of(record, gradient, multiplier, slip, n):
    """Normal force of a joint whose rows have these multipliers, tangential force of teeth."""
    if record.meshes:
        return record.inverse_arm * abs(multiplier[record.first])
    rx = ry = rz = mx = my = mz = 0.0
    for r in range(record.first, record.first + record.count):
        size = multiplier[r]
        rx += size * gradient[r, 6]
        ry += size * gradient[r, 7]
        rz += size * gradient[r, 8]
        mx += size * gradient[r, 9]
        my += size * gradient[r, 10]
        mz += size * gradient[r, 11]
    ax, ay, az = slip[n, 7], slip[n, 8], slip[n, 9]
    if record.radial:
        along = dot(rx, ry, rz, ax, ay, az)
        rx -= along * ax
        ry -= along * ay
        rz -= along * az
    inverse = record.inverse_arm  # 0 for all but a guide
    px, py, pz = cross(mx, my, mz, ax, ay, az)
    size = inverse * abs(dot(mx, my, mz, ax, ay, az))
    for _ in range(2):
        inverse = -inverse
        size += 0.5 * math.sqrt((rx + inverse * px) ** 2 + (ry + inverse * py) ** 2 + (rz + inverse * pz) ** 2)
    return size


@inline_kernel
def push(A, W, n, load, force):
    """Add what a load makes to force (nv,).

    What slides does so along the line from one end to the other; teeth are pushed apart along a line through frame i.
    """
    record, slip = A.friction.record[n], W.friction.slip
    fx, fy, fz = load * slip[n, 0], load * slip[n, 1], load * slip[n, 2]
    mx, my, mz = load * slip[n, 3], load * slip[n, 4], load * slip[n, 5]
    for side in range(2):
        sign = 1.0 - 2.0 * side
        if side == 1 and record.meshes:
            mx = my = mz = 0.0
        body = record.body_j if side == 0 else record.body_i
        frame = record.frame_j if side == 0 else record.frame_i
        add_wrench(A, W, body, frame, (sign * fx, sign * fy, sign * fz), (sign * mx, sign * my, sign * mz), force)


@kernel
def begin_friction(A, W) -> None:
    """Begin to balance friction and reactions, for positions and velocities as placed and without any friction in W.force."""
    records, pose, place = A.friction.record, W.pose, W.place
    slip, load, acting, state = W.friction.slip, W.friction.load, W.friction.acting, W.friction.state
    state[SHARE] = 1.0
    state[SWEEP] = state[SWEEPS] = 0.0
    for n in range(records.shape[0]):
        place_slip(records[n], pose, place, slip, n)
        load[n] = acting[n] = 0.0
    F, X = A.friction, W.friction
    if not F.has_all_rows:
        place_rows(A, W, F.part, F.scale, W.motion, X)
        factor(F.layout, F.row, F.missing, X.jacobian, X, REACTION_EPS)


@kernel
def reactions_of_all_rows(A, W, inertia) -> None:
    """Write the least of all reactions that act as those in W do, which is the reported one, to W.friction.multiplier.

    inertia: (nv,) with which scaled accelerations take up force, the masses; at rest, where what no joint carries stands in
    their place, the weights themselves.
    """
    F, X = A.friction, W.friction
    force, scaled, scale, x = W.force, W.scaled, A.scale, X.x
    for k in range(x.shape[0]):
        x[k] = F.scale[k] * (inertia[k] * scale[k] * scaled[k] - force[k])
    least_weighted(F.layout, F.row, X, REACTION_EPS, x)


@kernel
def settle_friction(A, W, inertia) -> tuple[int, float]:
    """Compare the loads with the reactions in W; unless they agree, put better ones into W.force, to be solved with again.

    inertia: as in `reactions_of_all_rows`.
    Returns (1 if it is done else 0, power of friction and teeth). Where no loads balance, accelerations and multipliers become
    nan.
    """
    records, force = A.friction.record, W.force
    multiplier, gradient = W.multiplier, W.gradient
    X = W.friction
    slip, load, found, before, surplus, acting = X.slip, X.load, X.found, X.before, X.surplus, X.acting
    smooth, state = X.smooth, X.state
    if not A.friction.has_all_rows:
        reactions_of_all_rows(A, W, inertia)
        multiplier, gradient = X.multiplier, X.gradient
    is_second = state[SWEEPS] == 1.0
    if state[SWEEPS] < 2.0:
        for r in range(smooth.shape[0]):
            smooth[r] = multiplier[r] - smooth[r] if is_second else multiplier[r]
    missing = missed = largest = change = answer = along = square = 0.0
    worst = 0
    for n in range(records.shape[0]):
        found[n] = load_of(records[n], gradient, multiplier, slip, n)
        if is_second:  # N is a norm and reactions are linear in the loads: what these change bounds by how much N can
            answer = max(answer, load_of(records[n], gradient, smooth, slip, n))
            change = max(change, load[n])
        largest = max(largest, found[n], load[n])
        now = found[n] - load[n]
        if not abs(now) <= missing:
            missing = abs(now)
            worst = n if records[n].meshes == 0 else worst
        if state[SWEEP] > 0.0:
            missed = max(missed, abs(surplus[n]))
            along += now * (now - surplus[n])
            square += (now - surplus[n]) ** 2
    starts_again = is_second and answer > UNIQUE * change
    stalls = state[SWEEP] > 0.0 and missing > STALLING * missed
    is_balanced = missing <= (ROUNDED if stalls else TIGHT) * largest
    power = 0.0
    if is_balanced and state[SHARE] == 1.0 and not starts_again:
        state[JAMMED] = 0.0
        for n in range(records.shape[0]):
            power += load[n] * slip[n, 6]
        return 1, power
    if state[SWEEP] == MOST_SWEEPS or not math.isfinite(missing):
        if state[SWEEPS] > 0.0:  # else the forces were nan to begin with
            state[JAMMED] = worst + 1.0
        for n in range(records.shape[0]):
            load[n] = math.nan
        for k in range(force.shape[0]):
            W.scaled[k] = math.nan
        for r in range(W.multiplier.shape[0]):
            W.multiplier[r] = math.nan
        return 1, math.nan
    grows = starts_again or is_balanced
    if grows:
        state[SHARE] = GROWTH if starts_again else min(state[SHARE] + GROWTH, 1.0)
    correction = along / square if square > 0.0 else 0.0
    for n in range(records.shape[0]):
        now = found[n] - load[n]
        better = load[n]
        if starts_again:
            better = 0.0
        elif not grows:
            better += now - correction * (load[n] - before[n] + now - surplus[n])
        before[n] = load[n]
        surplus[n] = now
        load[n] = max(better, 0.0)
        push(A, W, n, state[SHARE] * load[n] - acting[n], force)
        acting[n] = state[SHARE] * load[n]
    state[SWEEP] = 0.0 if grows else state[SWEEP] + 1.0
    state[SWEEPS] += 1.0
    return 0, 0.0


@kernel
def hold_loads(A, W, force) -> None:
    """Add to force (nv,) what the loads that were found last make at the places and velocities in W."""
    for n in range(A.friction.record.shape[0]):
        place_slip(A.friction.record[n], W.pose, W.place, W.friction.slip, n)
        push(A, W, n, W.friction.load[n], force)


@kernel
def separate(A, W, multiplier, force) -> float:
    """Add the forces that separate teeth to force (nv,), for multipliers of all rows. Returns their power."""
    power = 0.0
    for n in range(A.friction.record.shape[0]):
        record = A.friction.record[n]
        if record.meshes:
            place_slip(record, W.pose, W.place, W.friction.slip, n)
            load = load_of(record, W.gradient, multiplier, W.friction.slip, n)
            push(A, W, n, load, force)
            power += load * W.friction.slip[n, 6]
    return power


@kernel
def write_friction(A, W, out) -> None:
    """Write a row of out (n, 4) for each joint: friction along the axis, about it, the power lost, and 1 where it jams.

    About a point: the size of the moment. Of teeth the separating force, + where it pushes the wheels apart.
    """
    records, slip, load, state = A.friction.record, W.friction.slip, W.friction.load, W.friction.state
    for n in range(records.shape[0]):
        ax, ay, az = slip[n, 7], slip[n, 8], slip[n, 9]
        mx, my, mz = slip[n, 3], slip[n, 4], slip[n, 5]
        out[n, 0] = load[n] * dot(slip[n, 0], slip[n, 1], slip[n, 2], ax, ay, az)
        out[n, 1] = load[n] * (
            dot(mx, my, mz, ax, ay, az) if records[n].turns < 2 else math.sqrt(mx**2 + my**2 + mz**2)
        )
        out[n, 2] = -load[n] * slip[n, 6]
        out[n, 3] = 1.0 if state[JAMMED] == n + 1.0 else 0.0
    state[JAMMED] = 0.0
