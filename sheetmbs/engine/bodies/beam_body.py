"""Flexible planar beam: floating frame and modal coordinates (Shabana 2020, ch. 5).

q = (x, y, phi of the floating frame, p_1 .. p_n),  v = (vx, vy of the centre of mass, sigma, eta_1 .. eta_n)

A point at (xi, 0) of the undeformed beam, counted from its middle, lies at (xi + sum X_k p_k, sum Y_k p_k) from the centre of
mass, in axes of the floating frame; X and Y are mode shapes less their means, along and across the beam. With
int rho (X_i X_k + Y_i Y_k) = m delta_ik, which lowering sees to, the kinetic energy is

    T = m V^2/2 + J(p) w^2/2 + w h(p) . p-dot + m p-dot^2/2,   J = J_0 + 2 d . p + m p^2,   h = h_0 + C p,   C^T = -C

and no matrix needs to be factored anew at every position: eta = p-dot + g w, g = h/m, and sigma = s w, s^2 = (J - h^2/m)/I,
I its value in the undeformed beam, turn it into T = m V^2/2 + I sigma^2/2 + m eta^2/2. So the mass matrix of these velocities
is constant and diagonal, as that of a rigid body. Forces Q on p and a moment N about the centre of mass then give, with the
terms quadratic in the velocities that Lagrange's equations leave,

    m eta-dot = Q + w^2 (d + m p) + w C^T p-dot           I sigma-dot = [N - g . Q - eta . (w (d + m p) + C^T p-dot)]/s

in which the inertial terms do no work. Q = -k_i p_i - D p-dot holds the elastic and damping forces of the beam itself.

A section is a body to its elements: its rotation is phi + sum R_k p_k (R: slope of the shape, as small as the theory takes it),
its twist a linear function of v. The floating frame itself is a section too, one whose shapes are those of no point.
"""

import math

from sheetmbs.compiled import inline_kernel, kernel
from sheetmbs.engine.pose_columns import OX, OY, PHI, R11, R12, R21, R22, R33, SX, SY, VX, VY, WZ, XDD, YDD

# Columns of `Work.pose` beyond those of planar bodies: acceleration and angular acceleration at zero v-dot; of a floating frame
# alone, centre of mass, angular momentum about it, elastic energy. From TWIST on: x, y and rotation per unit sigma, eta_1, ..
OWN_X, OWN_Y, OWN_TURN, CENTRE_X, CENTRE_Y, SPIN, ELASTIC = range(19, 26)
TWIST = 28
# Columns of `Work.beam`: s, w, its change at zero v-dot, power of damping, then p, g, p-dot and the change of that.
STRETCH, RATE, TURNING, POWER, MODAL = range(5)


@inline_kernel
def lever_share(beams, beam, q, at, k):
    """g_k at the coordinates q from ``at`` on."""
    total = beams.lever[beam.at + k]
    for j in range(beam.modes):
        total += beams.coupling[beam.square + k * beam.modes + j] * q[at + 3 + j]
    return total / beam.mass


@inline_kernel
def stretch(beams, beam, q, at):
    """The factor s."""
    total = beam.inertia
    for k in range(beam.modes):
        p = q[at + 3 + k]
        g = lever_share(beams, beam, q, at, k)
        total += (2.0 * beams.lean[beam.at + k] + beam.mass * p) * p - beam.mass * g * g
    return math.sqrt(total / beam.rest)


@inline_kernel
def origin_offset(beams, number, q, at):
    """Origin of the floating frame from the centre of mass, in axes of that frame."""
    section = beams.section[number]
    modes = beams.record[number].modes
    x, y = section.x, 0.0
    for k in range(modes):
        x += beams.shape[section.at + k] * q[at + 3 + k]
        y += beams.shape[section.at + modes + k] * q[at + 3 + k]
    return x, y


@kernel
def beam_rates(beams, number, q, v, rates) -> None:
    """q-dot from v."""
    beam = beams.record[number]
    section = beams.section[number]
    at, to = beam.q, beam.v
    w = v[to + 2] / stretch(beams, beam, q, at)
    x, y = origin_offset(beams, number, q, at)
    u, z = -w * y, w * x
    for k in range(beam.modes):
        rate = v[to + 3 + k] - lever_share(beams, beam, q, at, k) * w
        rates[at + 3 + k] = rate
        u += beams.shape[section.at + k] * rate
        z += beams.shape[section.at + beam.modes + k] * rate
    c, s = math.cos(q[at + 2]), math.sin(q[at + 2])
    rates[at] = v[to] + c * u - s * z
    rates[at + 1] = v[to + 1] + s * u + c * z
    rates[at + 2] = w


@kernel
def beam_velocities(beams, number, q, rates, v) -> None:
    """The v that has the given q-dot."""
    beam = beams.record[number]
    section = beams.section[number]
    at, to = beam.q, beam.v
    w = rates[at + 2]
    x, y = origin_offset(beams, number, q, at)
    u, z = -w * y, w * x
    for k in range(beam.modes):
        rate = rates[at + 3 + k]
        v[to + 3 + k] = rate + lever_share(beams, beam, q, at, k) * w
        u += beams.shape[section.at + k] * rate
        z += beams.shape[section.at + beam.modes + k] * rate
    c, s = math.cos(q[at + 2]), math.sin(q[at + 2])
    v[to] = rates[at] - c * u + s * z
    v[to + 1] = rates[at + 1] - s * u - c * z
    v[to + 2] = w * stretch(beams, beam, q, at)


@kernel
def beam_displace(beams, number, q, step, scale, factor) -> None:
    """Move along a mass-scaled step: the centre of mass, the angle, the modes."""
    beam = beams.record[number]
    at, to = beam.q, beam.v
    turn = factor * scale[to + 2] * step[to + 2] / stretch(beams, beam, q, at)
    x, y = origin_offset(beams, number, q, at)
    c, s = math.cos(q[at + 2]), math.sin(q[at + 2])
    centre_x = q[at] - c * x + s * y + factor * scale[to] * step[to]
    centre_y = q[at + 1] - s * x - c * y + factor * scale[to + 1] * step[to + 1]
    for k in range(beam.modes):
        moved = factor * scale[to + 3 + k] * step[to + 3 + k]
        q[at + 3 + k] += moved - lever_share(beams, beam, q, at, k) * turn
    q[at + 2] += turn
    x, y = origin_offset(beams, number, q, at)
    c, s = math.cos(q[at + 2]), math.sin(q[at + 2])
    q[at] = centre_x + c * x - s * y
    q[at + 1] = centre_y + s * x + c * y


@kernel
def place_beams(beams, pose, state, q) -> None:
    """Poses of all beams and sections, and their twists per unit velocity; state: `Work.beam`."""
    for b in range(beams.record.shape[0]):
        beam = beams.record[b]
        n = beam.modes
        at = beam.q
        c, s = math.cos(q[at + 2]), math.sin(q[at + 2])
        x, y = origin_offset(beams, b, q, at)
        pose[beam.body, CENTRE_X] = q[at] - c * x + s * y
        pose[beam.body, CENTRE_Y] = q[at + 1] - s * x - c * y
        state[b, STRETCH] = stretch(beams, beam, q, at)
        elastic = 0.0
        for k in range(n):
            p = q[at + 3 + k]
            state[b, MODAL + k] = p
            state[b, MODAL + n + k] = lever_share(beams, beam, q, at, k)
            elastic += 0.5 * beams.stiffness[beam.at + k] * p * p
        pose[beam.body, ELASTIC] = elastic
    for m in range(beams.section.shape[0]):
        section = beams.section[m]
        beam = beams.record[section.beam]
        of = section.beam
        n = beam.modes
        b = section.body
        phi = q[beam.q + 2]
        c, s = math.cos(phi), math.sin(phi)
        x, y, turn = section.x, 0.0, 0.0
        u, z, r = 0.0, 0.0, 1.0
        for k in range(n):
            p, g = state[of, MODAL + k], state[of, MODAL + n + k]
            along, across = beams.shape[section.at + k], beams.shape[section.at + n + k]
            slope = beams.shape[section.at + 2 * n + k]
            x += along * p
            y += across * p
            turn += slope * p
            u -= along * g
            z -= across * g
            r -= slope * g
            column = TWIST + 3 * (k + 1)
            pose[b, column] = c * along - s * across
            pose[b, column + 1] = s * along + c * across
            pose[b, column + 2] = slope
        u = (u - y) / state[of, STRETCH]
        z = (z + x) / state[of, STRETCH]
        pose[b, TWIST] = c * u - s * z
        pose[b, TWIST + 1] = s * u + c * z
        pose[b, TWIST + 2] = r / state[of, STRETCH]
        pose[b, OX] = pose[beam.body, CENTRE_X] + c * x - s * y
        pose[b, OY] = pose[beam.body, CENTRE_Y] + s * x + c * y
        pose[b, PHI] = phi + turn
        c, s = math.cos(phi + turn), math.sin(phi + turn)
        pose[b, R11] = c
        pose[b, R12] = -s
        pose[b, R21] = s
        pose[b, R22] = c
        pose[b, R33] = 1.0


@kernel
def move_beams(beams, pose, state, v) -> None:
    """Velocities of all beams and sections, and their accelerations at zero v-dot; after `place_beams`."""
    for b in range(beams.record.shape[0]):
        beam = beams.record[b]
        n = beam.modes
        to = beam.v
        w = v[to + 2] / state[b, STRETCH]
        spin = beam.rest * state[b, STRETCH] * v[to + 2]
        for k in range(n):
            g = state[b, MODAL + n + k]
            state[b, MODAL + 2 * n + k] = v[to + 3 + k] - g * w
            spin += beam.mass * g * v[to + 3 + k]
        growth = 0.0  # I s s-dot
        for k in range(n):
            share = beams.lean[beam.at + k] + beam.mass * state[b, MODAL + k]
            for j in range(n):
                share -= beams.coupling[beam.square + j * n + k] * state[b, MODAL + n + j]
            growth += share * state[b, MODAL + 2 * n + k]
        turning = -w * growth / (beam.rest * state[b, STRETCH] ** 2)
        for k in range(n):
            levers = 0.0
            for j in range(n):
                levers += beams.coupling[beam.square + k * n + j] * state[b, MODAL + 2 * n + j]
            state[b, MODAL + 3 * n + k] = -levers * w / beam.mass - state[b, MODAL + n + k] * turning
        state[b, RATE] = w
        state[b, TURNING] = turning
        pose[beam.body, SPIN] = spin
    for m in range(beams.section.shape[0]):
        section = beams.section[m]
        of = section.beam
        beam = beams.record[of]
        n = beam.modes
        b = section.body
        to = beam.v
        w, spin = state[of, RATE], state[of, TURNING]
        x, y = section.x, 0.0
        u, z, rate = 0.0, 0.0, w
        ax, ay, turning = 0.0, 0.0, spin
        for k in range(n):
            along, across = beams.shape[section.at + k], beams.shape[section.at + n + k]
            slope = beams.shape[section.at + 2 * n + k]
            p, speed, change = state[of, MODAL + k], state[of, MODAL + 2 * n + k], state[of, MODAL + 3 * n + k]
            x += along * p
            y += across * p
            u += along * speed
            z += across * speed
            rate += slope * speed
            ax += along * change
            ay += across * change
            turning += slope * change
        ax -= w * w * x + 2.0 * w * z + spin * y
        ay -= w * w * y - 2.0 * w * u - spin * x
        u -= w * y
        z += w * x
        c, s = pose[beam.body, R11], pose[beam.body, R21]
        pose[b, VX] = v[to] + c * u - s * z
        pose[b, VY] = v[to + 1] + s * u + c * z
        pose[b, WZ] = rate
        pose[b, OWN_X] = c * ax - s * ay
        pose[b, OWN_Y] = s * ax + c * ay
        pose[b, OWN_TURN] = turning


@kernel
def apply_beams(beams, state, v, force) -> None:
    """Add elastic, damping and inertial forces of all beams; the power of damping to state."""
    for b in range(beams.record.shape[0]):
        beam = beams.record[b]
        n = beam.modes
        to = beam.v
        w, s = state[b, RATE], state[b, STRETCH]
        turning = 0.0
        power = 0.0
        for k in range(n):
            p = state[b, MODAL + k]
            inertial = w * (beams.lean[beam.at + k] + beam.mass * p)
            damping = 0.0
            for j in range(n):
                rate = state[b, MODAL + 2 * n + j]
                inertial += beams.coupling[beam.square + j * n + k] * rate
                damping -= beams.damping[beam.square + k * n + j] * rate
            elastic = damping - beams.stiffness[beam.at + k] * p
            turning -= v[to + 3 + k] * inertial + state[b, MODAL + n + k] * elastic
            force[to + 3 + k] += w * inertial + elastic
            power += damping * state[b, MODAL + 2 * n + k]
        force[to + 2] += turning / s
        state[b, POWER] = power


@inline_kernel
def damping_power(state):
    """Power of the damping of all beams, after `apply_beams`."""
    power = 0.0
    for b in range(state.shape[0]):
        power += state[b, POWER]
    return power


@kernel
def accelerate_frames(frames, pose, place) -> None:
    """Add what sections have of acceleration at zero v-dot to that of their frames."""
    for f in range(frames.shape[0]):
        b = frames[f].body
        place[f, XDD] += pose[b, OWN_X] - pose[b, OWN_TURN] * place[f, SY]
        place[f, YDD] += pose[b, OWN_Y] + pose[b, OWN_TURN] * place[f, SX]


@kernel
def bend_rows(parts, pose, gradient, gamma) -> None:
    """Take what sections have of angular acceleration at zero v-dot from the right-hand sides of rows."""
    for p in range(parts.shape[0]):
        row = parts[p]
        gamma[row.target] -= gradient[p, 5] * pose[row.body_i, OWN_TURN] + gradient[p, 11] * pose[row.body_j, OWN_TURN]
