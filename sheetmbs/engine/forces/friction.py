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
for the reactions (Anderson 1965): the changes of the surplus N - n in the last sweeps tell which change of n makes it vanish.
Every balance begins without friction, so what it finds depends on the state alone. Where the reactions answer a change of
loads by a larger one, several loads may balance or none; friction then grows from nothing to its full size, and those count
to which that leads. Where it leads to none, the joint jams (Painleve 1895).
"""

import math

from sheetmbs.engine.constraints import place_all
from sheetmbs.engine.frictions import DEPTH, DONE, JAMMED, SWEEP
from sheetmbs.engine.kinematics import add_wrench
from sheetmbs.engine.linear import factor, least_weighted
from sheetmbs.engine.vec import copy, cross, dot, turned
from sheetmbs.jit import inline_kernel, kernel

TIGHT = 1e-14  # of the largest load: surplus at which loads are balanced
ROUNDED = 1e-10  # the same where sweeps no longer improve it
STALLING = 0.5  # of the surplus of the sweep before: less than that is no improvement
MOST_SWEEPS = 100
UNIQUE = (
    0.8  # square of the answer to a change of loads over that of the change, below which only one balance is expected
)
GROWTH = 0.0625  # share of the friction by which it grows where there may be more
SMALL = 1e-3  # of the ramp: below, a series is exact to rounding
INDEPENDENT = 1e-7  # share of a response that is new
OF_ALL_ROWS = 1e-8  # regularisation of S where rows depend on each other: see `engine/report.py`


@inline_kernel
def length_of(x, y, z):
    """|(x, y, z)|."""
    return math.sqrt(x * x + y * y + z * z)


@inline_kernel
def ramp_over(speed, velocity):
    """tanh(|s|/v)/|s|, smooth at rest."""
    x = speed / velocity
    if x < SMALL:
        return (1.0 - x * x / 3.0) / velocity
    return math.tanh(x) / speed


@inline_kernel
def place_slip(record, pose, place, slip, n):
    """Friction per unit of load, at the velocities in pose and place."""
    bi, bj, i, j = record.body_i, record.body_j, record.frame_i, record.frame_j
    ax, ay, az = turned(pose, bi, record.ax, record.ay, record.az)
    dx, dy, dz = place[j, 3] - place[i, 3], place[j, 4] - place[i, 4], place[j, 5] - place[i, 5]
    along = 0.0
    if record.slides:
        ex, ey, ez = cross(pose[bi, 15], pose[bi, 16], pose[bi, 17], dx, dy, dz)
        ux, uy, uz = place[j, 6] - place[i, 6], place[j, 7] - place[i, 7], place[j, 8] - place[i, 8]
        along = dot(ax, ay, az, ux - ex, uy - ey, uz - ez)
    wx = wy = wz = 0.0
    if record.turns > 0:
        wx, wy, wz = pose[bj, 15] - pose[bi, 15], pose[bj, 16] - pose[bi, 16], pose[bj, 17] - pose[bi, 17]
        if record.turns == 1:
            about = dot(ax, ay, az, wx, wy, wz)
            wx, wy, wz = about * ax, about * ay, about * az
    r = record.radius
    square = along * along + r * r * (wx * wx + wy * wy + wz * wz)
    factor_of = -record.coefficient * ramp_over(math.sqrt(square), record.velocity)
    f, m = factor_of * along, factor_of * r * r
    slip[n, 0] = f * ax
    slip[n, 1] = f * ay
    slip[n, 2] = f * az
    slip[n, 3] = m * wx
    slip[n, 4] = m * wy
    slip[n, 5] = m * wz
    ex, ey, ez = cross(dx, dy, dz, slip[n, 0], slip[n, 1], slip[n, 2])
    slip[n, 6] = -slip[n, 3] - ex
    slip[n, 7] = -slip[n, 4] - ey
    slip[n, 8] = -slip[n, 5] - ez
    slip[n, 9] = factor_of * square
    slip[n, 10] = ax
    slip[n, 11] = ay
    slip[n, 12] = az


@inline_kernel
def load_of(record, gradient, multiplier, slip, n):
    """Normal force of a joint whose rows have these multipliers."""
    rx = ry = rz = mx = my = mz = 0.0
    for r in range(record.first, record.first + record.count):
        size = multiplier[r]
        rx += size * gradient[r, 6]
        ry += size * gradient[r, 7]
        rz += size * gradient[r, 8]
        mx += size * gradient[r, 9]
        my += size * gradient[r, 10]
        mz += size * gradient[r, 11]
    ax, ay, az = slip[n, 10], slip[n, 11], slip[n, 12]
    if record.radial:
        along = dot(rx, ry, rz, ax, ay, az)
        rx -= along * ax
        ry -= along * ay
        rz -= along * az
    if record.inverse_arm == 0.0:
        return length_of(rx, ry, rz)
    half = 0.5 * record.inverse_arm
    px, py, pz = cross(mx, my, mz, ax, ay, az)
    near = length_of(0.5 * rx + half * px, 0.5 * ry + half * py, 0.5 * rz + half * pz)
    far = length_of(0.5 * rx - half * px, 0.5 * ry - half * py, 0.5 * rz - half * pz)
    return near + far + record.inverse_arm * abs(dot(mx, my, mz, ax, ay, az))


@kernel
def begin_friction(A, W, q):
    """Begin to balance friction and reactions, for velocities as placed and without any friction in W.force."""
    F, X = A.friction, W.friction
    X.share[0] = 1.0
    X.state[SWEEP] = X.state[DONE] = 0
    for n in range(F.record.shape[0]):
        place_slip(F.record[n], W.pose, W.place, X.slip, n)
        X.load[n] = 0.0
    if not F.has_all_rows:
        pose, place, jacobian = W.pose, W.place, X.jacobian
        place_all(
            F.part, A.body, A.frame, A.turn, pose, place, W.turn, W.motion, X.phi, X.gradient, jacobian, A.scale, q
        )
        factor(F.layout, F.row, jacobian, X.s, X.inverse_pivot, X.panel, X.square, OF_ALL_ROWS)


@inline_kernel
def find_loads(A, W):
    """Normal forces of the reactions in W. Returns (largest surplus, largest load)."""
    F, X = A.friction, W.friction
    if not F.has_all_rows:  # of all reactions that do the same the least, as they are reported
        for k in range(X.x.shape[0]):
            X.x[k] = W.scaled[k] - A.scale[k] * W.force[k]
        least_weighted(
            F.layout, F.row, X.jacobian, X.s, X.inverse_pivot, X.square, OF_ALL_ROWS, X.x, X.multiplier, X.residual
        )
    multiplier, gradient = W.multiplier, W.gradient
    if not F.has_all_rows:
        multiplier, gradient = X.multiplier, X.gradient
    worst, largest = 0.0, 0.0
    for n in range(F.record.shape[0]):
        X.found[n] = load_of(F.record[n], gradient, multiplier, X.slip, n)
        largest = max(largest, X.found[n], X.load[n])
        missing = abs(X.found[n] - X.load[n])
        if not missing <= worst:
            worst = missing
    return worst, largest


@inline_kernel
def product(a, i, b, j):
    """Of two rows."""
    total = 0.0
    for n in range(a.shape[1]):
        total += a[i, n] * b[j, n]
    return total


@inline_kernel
def improve_loads(X, sweeps):
    """Better loads: the surplus vanishes there as far as responses of earlier sweeps tell; what they do not is added."""
    count = X.load.shape[0]
    depth = min(count, DEPTH)
    ortho, along, rest = X.ortho, X.along, X.found
    for n in range(count):
        rest[n] = X.surplus[n]
        X.before[n] = X.load[n]
    kept = 0
    for back in range(min(sweeps, depth)):  # the last sweep first
        place = (sweeps - 1 - back) % depth
        for n in range(count):
            ortho[kept, n] = X.response[place, n]
            along[kept, n] = X.change[place, n]
        whole = product(ortho, kept, ortho, kept)
        for e in range(kept):
            share = product(ortho, e, ortho, kept)
            for n in range(count):
                ortho[kept, n] -= share * ortho[e, n]
                along[kept, n] -= share * along[e, n]
        size = math.sqrt(product(ortho, kept, ortho, kept))
        if not size > INDEPENDENT * math.sqrt(whole):
            continue
        share = 0.0
        for n in range(count):
            ortho[kept, n] /= size
            along[kept, n] /= size
            share += ortho[kept, n] * rest[n]
        for n in range(count):
            rest[n] -= share * ortho[kept, n]
            X.load[n] -= share * along[kept, n]
        kept += 1
    for n in range(count):
        X.load[n] = max(X.load[n] + rest[n], 0.0)


@kernel
def settle_friction(A, W):
    """Compare the loads with the reactions in W; unless they agree, put better ones into W.force, to be solved with again.

    Returns (1 if it is done else 0, power of friction). Where no loads balance, accelerations and multipliers become nan.
    """
    X = W.friction
    count, sweep, share = X.load.shape[0], X.state[SWEEP], X.share[0]
    missing, largest = find_loads(A, W)
    missed = 0.0
    place = (sweep - 1) % min(count, DEPTH)
    for n in range(count):
        surplus = X.found[n] - X.load[n]
        if sweep > 0:
            missed = max(missed, abs(X.surplus[n]))
            X.change[place, n] = X.load[n] - X.before[n]
            X.response[place, n] = surplus - X.surplus[n]
        X.surplus[n] = surplus
    if X.state[DONE] < 2 and may_have_more(A, W):
        for n in range(count):
            push(A, W, n, -X.load[n])
            X.load[n] = 0.0
        X.share[0] = 0.0
        act(A, W, GROWTH)
        return 0, 0.0
    stalls = sweep > 0 and missing > STALLING * missed
    if missing <= (ROUNDED if stalls else TIGHT) * largest:
        if share < 1.0:
            act(A, W, min(share + GROWTH, 1.0))
            return 0, 0.0
        X.state[JAMMED] = 0
        power = 0.0
        for n in range(count):
            power += X.load[n] * X.slip[n, 9]
        return 1, power
    if sweep == MOST_SWEEPS or not math.isfinite(missing):
        give_up(W)
        return 1, math.nan
    improve_loads(X, sweep)
    X.state[SWEEP] = sweep + 1
    X.state[DONE] += 1
    for n in range(count):
        push(A, W, n, share * (X.load[n] - X.before[n]))
    return 0, 0.0


@inline_kernel
def may_have_more(A, W):
    """Whether more than one load may balance; in the first sweep, without friction, only what it needs is kept.

    N is a norm, and reactions are linear in the loads: what they change by bounds how far N can.
    """
    F, X = A.friction, W.friction
    multiplier, gradient = W.multiplier, W.gradient
    if not F.has_all_rows:
        multiplier, gradient = X.multiplier, X.gradient
    if X.state[DONE] == 0:
        copy(multiplier, X.smooth)
        return False
    for r in range(X.smooth.shape[0]):
        X.smooth[r] = multiplier[r] - X.smooth[r]
    change, answer = 0.0, 0.0
    for n in range(F.record.shape[0]):
        change = max(change, X.load[n])
        answer = max(answer, load_of(F.record[n], gradient, X.smooth, X.slip, n))
    return answer > UNIQUE * change


@inline_kernel
def act(A, W, share):
    """Let a larger share of the friction act, at the same loads."""
    X = W.friction
    for n in range(X.load.shape[0]):
        push(A, W, n, (share - X.share[0]) * X.load[n])
    X.share[0] = share
    X.state[SWEEP] = 0
    X.state[DONE] += 1


@inline_kernel
def give_up(W):
    """No loads balance: mark the joint whose load is farthest from it, unless forces were nan to begin with."""
    X = W.friction
    worst = 0
    for n in range(X.load.shape[0]):
        if not abs(X.surplus[n]) <= abs(X.surplus[worst]):
            worst = n
    if X.state[DONE] > 0:
        X.state[JAMMED] = worst + 1
    for n in range(X.load.shape[0]):
        X.load[n] = math.nan
    for k in range(W.scaled.shape[0]):
        W.scaled[k] = math.nan
    for r in range(W.multiplier.shape[0]):
        W.multiplier[r] = math.nan


@inline_kernel
def push(A, W, n, load):
    """Add the friction of a load to W.force."""
    record, pose, place, slip = A.friction.record[n], W.pose, W.place, W.friction.slip
    fx, fy, fz = load * slip[n, 0], load * slip[n, 1], load * slip[n, 2]
    for side in range(2):
        sign = 2.0 * side - 1.0
        body = record.body_i if side == 0 else record.body_j
        frame = record.frame_i if side == 0 else record.frame_j
        at = 6 if side == 0 else 3
        mx, my, mz = load * slip[n, at], load * slip[n, at + 1], load * slip[n, at + 2]
        add_wrench(A.body, body, pose, place, frame, sign * fx, sign * fy, sign * fz, mx, my, mz, W.force)


@kernel
def write_friction(A, W, out):
    """Of every joint to a row of out (n, 4): friction along the axis, about it, the power lost, and 1 where it jams, else 0.

    About a point: the size of the moment.
    """
    records, slip, load, state = A.friction.record, W.friction.slip, W.friction.load, W.friction.state
    for n in range(records.shape[0]):
        ax, ay, az = slip[n, 10], slip[n, 11], slip[n, 12]
        out[n, 0] = load[n] * dot(slip[n, 0], slip[n, 1], slip[n, 2], ax, ay, az)
        out[n, 1] = load[n] * dot(slip[n, 3], slip[n, 4], slip[n, 5], ax, ay, az)
        if records[n].turns > 1:
            out[n, 1] = load[n] * length_of(slip[n, 3], slip[n, 4], slip[n, 5])
        out[n, 2] = -load[n] * slip[n, 9]
        out[n, 3] = 1.0 if state[JAMMED] == n + 1 else 0.0
    state[JAMMED] = 0
