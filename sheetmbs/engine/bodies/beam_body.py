"""Flexible planar beam: floating frame and modal coordinates (Shabana 2020, ch. 5), with geometric stiffness.

q = (x, y of the centre of mass, phi of the mean axes, p_1 .. p_n),  v = (vx, vy of the centre of mass, sigma, eta_1 .. eta_n)

A point at (xi, 0) of the undeformed beam, counted from its middle, lies at

    (xi + sum X_k p_k - p G p/2, sum Y_k p_k)        G = int_0^xi Y' Y'^T less its mean

from the centre of mass, in axes of the floating frame; X and Y are shapes less their means, along and across the beam. The last
term of the first component is the shortening of a beam that bends: through it forces along the beam, reactions, weight and
inertia resist or promote bending, which is the geometric stiffness (Kane, Ryan and Banerjee 1987; Shabana 2020, sec. 5.7).
The kinetic energy counts in the mean axes of the beam, about which deformations have no angular momentum; they are a p ahead of
its frame. To second order in p and p-dot, with int rho (X_i X_k + Y_i Y_k) = m delta_ik in these axes, which lowering sees to,

    T = m V^2/2 + J(p) w^2/2 + w h(p) . p-dot + m p-dot^2/2
    J = J_0 (1 - p S p/(2 J_0))^2 + 2 d . p + m p^2        S = int rho xi G        h = C p,  C^T = -C

J has the square so that it stays positive however far the beam bends; to second order it is J_0 - p S p + ... No matrix needs
to be factored at every position: eta = p-dot + g w, g = h/m, and sigma = s w, s^2 = (J - h^2/m)/J_0, turn T into
m V^2/2 + J_0 sigma^2/2 + m eta^2/2. So the mass matrix of these velocities is constant and diagonal, as that of a rigid body.
Forces Q on p and a moment N about the centre of mass then give, with b = (dJ/dp)/2 = d + m p - (1 - p S p/(2 J_0)) S p and the
terms quadratic in the velocities that Lagrange's equations leave,

    m eta-dot = Q + w^2 b + w C^T p-dot           J_0 sigma-dot = [N - g . Q - eta . (w b + C^T p-dot)]/s

in which the inertial terms do no work. Q = -k_i p_i - c_i p-dot_i holds the elastic and damping forces of the beam itself.

A section is a body to its elements: its rotation is phi - a p + sum R_k p_k (R: slope of the shape, small as the theory takes
it), its twist a linear function of v. The floating frame itself is a section too, the one at end i, with R = 0.
"""

import math

from sheetmbs.compiled import inline_kernel, kernel
from sheetmbs.engine.codes import OX, OY, PHI, R11, R12, R21, R22, R33, SX, SY, VX, VY, WZ, XDD, YDD

# Columns of `Work.pose` beyond those of planar bodies: acceleration and angular acceleration at zero v-dot; of a floating frame
# alone, centre of mass, angular momentum about it, elastic energy; force and moment of all elements on a section, about its
# origin. From TWIST on: x, y and rotation per unit sigma, eta_1, ..
OWN_X, OWN_Y, OWN_TURN, CENTRE_X, CENTRE_Y, SPIN, ELASTIC, LOAD_X, LOAD_Y, LOAD_TURN = range(19, 29)
TWIST = 29
# Columns of `Work.beam`: s, w, its change at zero v-dot, power of damping; angle, rate and change of the rate of the frame;
# then p, g, p-dot, the change of that, and b.
STRETCH, RATE, TURNING, POWER, FRAME, FRAME_RATE, FRAME_TURNING, MODAL = range(8)
BEAM_COLUMNS, BEAM_COLUMNS_PER_MODE = 8, 5


@inline_kernel
def lever_share(beams, beam, q, at, k):
    """g_k at the coordinates q from ``at`` on."""
    total = 0.0
    for j in range(beam.modes):
        total += beams.coupling[beam.square + k * beam.modes + j] * q[at + 3 + j]
    return total / beam.mass


@inline_kernel
def softened(beams, beam, q, at, k):
    """(S p)_k at the coordinates q from ``at`` on."""
    total = 0.0
    for j in range(beam.modes):
        total += beams.softening[beam.square + k * beam.modes + j] * q[at + 3 + j]
    return total


@inline_kernel
def shortness(beams, beam, q, at):
    """1 - p S p/(2 J_0)."""
    total = 0.0
    for k in range(beam.modes):
        total += q[at + 3 + k] * softened(beams, beam, q, at, k)
    return 1.0 - 0.5 * total / beam.inertia


@inline_kernel
def stretch(beams, beam, q, at):
    """Scale factor s of the axis of a beam."""
    short = shortness(beams, beam, q, at)
    total = beam.inertia * short * short
    for k in range(beam.modes):
        p = q[at + 3 + k]
        g = lever_share(beams, beam, q, at, k)
        total += (2.0 * beams.lean[beam.at + k] + beam.mass * p) * p - beam.mass * g * g
    return math.sqrt(total / beam.inertia)


@kernel
def beam_rates(beams, number, q, v, rates) -> None:
    """Position rates q-dot from velocities v."""
    beam = beams.record[number]
    at, to = beam.q, beam.v
    w = v[to + 2] / stretch(beams, beam, q, at)
    rates[at] = v[to]
    rates[at + 1] = v[to + 1]
    rates[at + 2] = w
    for k in range(beam.modes):
        rates[at + 3 + k] = v[to + 3 + k] - lever_share(beams, beam, q, at, k) * w


@kernel
def beam_velocities(beams, number, q, rates, v) -> None:
    """The v that has the given q-dot."""
    beam = beams.record[number]
    at, to = beam.q, beam.v
    w = rates[at + 2]
    v[to] = rates[at]
    v[to + 1] = rates[at + 1]
    v[to + 2] = w * stretch(beams, beam, q, at)
    for k in range(beam.modes):
        v[to + 3 + k] = rates[at + 3 + k] + lever_share(beams, beam, q, at, k) * w


@kernel
def beam_displace(beams, number, q, step, scale, factor) -> None:
    """Move along a mass-scaled step: the centre of mass, the angle, the modes."""
    beam = beams.record[number]
    at, to = beam.q, beam.v
    turn = factor * scale[to + 2] * step[to + 2] / stretch(beams, beam, q, at)
    q[at] += factor * scale[to] * step[to]
    q[at + 1] += factor * scale[to + 1] * step[to + 1]
    q[at + 2] += turn
    for k in range(beam.modes):
        moved = factor * scale[to + 3 + k] * step[to + 3 + k]
        q[at + 3 + k] += moved - lever_share(beams, beam, q, at, k) * turn


@inline_kernel
def shortened(beams, section, n, state, of, k, column):
    """(G y)_k of a section, y: what stands in `Work.beam` from a column on."""
    total = 0.0
    for j in range(n):
        total += beams.shortening[section.square + k * n + j] * state[of, column + j]
    return total


@kernel
def place_beams(beams, pose, state, q) -> None:
    """Poses of all beams and sections, and their twists per unit velocity; state: `Work.beam`."""
    for b in range(beams.record.shape[0]):
        beam = beams.record[b]
        n = beam.modes
        at = beam.q
        pose[beam.body, CENTRE_X] = q[at]
        pose[beam.body, CENTRE_Y] = q[at + 1]
        state[b, STRETCH] = stretch(beams, beam, q, at)
        short = shortness(beams, beam, q, at)
        phi, elastic = q[at + 2], 0.0
        for k in range(n):
            p = q[at + 3 + k]
            phi -= beams.lag[beam.at + k] * p
            state[b, MODAL + k] = p
            state[b, MODAL + n + k] = lever_share(beams, beam, q, at, k)
            state[b, MODAL + 4 * n + k] = (
                beams.lean[beam.at + k] + beam.mass * p - short * softened(beams, beam, q, at, k)
            )
            elastic += 0.5 * beams.stiffness[beam.at + k] * p * p
        state[b, FRAME] = phi
        pose[beam.body, ELASTIC] = elastic
    for m in range(beams.section.shape[0]):
        section = beams.section[m]
        of = section.beam
        beam = beams.record[of]
        n = beam.modes
        b = section.body
        phi = state[of, FRAME]
        c, s = math.cos(phi), math.sin(phi)
        x, y, turn = section.x, 0.0, 0.0
        for k in range(n):
            p = state[of, MODAL + k]
            x += (beams.shape[section.at + k] - 0.5 * shortened(beams, section, n, state, of, k, MODAL)) * p
            y += beams.shape[section.at + n + k] * p
            turn += beams.shape[section.at + 2 * n + k] * p
        u, z, r = -y, x, 1.0
        for k in range(n):
            g, lag = state[of, MODAL + n + k], beams.lag[beam.at + k]
            along = beams.shape[section.at + k] - shortened(beams, section, n, state, of, k, MODAL) + lag * y
            across = beams.shape[section.at + n + k] - lag * x
            slope = beams.shape[section.at + 2 * n + k] - lag
            u -= along * g
            z -= across * g
            r -= slope * g
            column = TWIST + 3 * (k + 1)
            pose[b, column] = c * along - s * across
            pose[b, column + 1] = s * along + c * across
            pose[b, column + 2] = slope
        u /= state[of, STRETCH]
        z /= state[of, STRETCH]
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
        pose[b, LOAD_X] = pose[b, LOAD_Y] = pose[b, LOAD_TURN] = 0.0


@kernel
def move_beams(beams, pose, state, v) -> None:
    """Velocities of all beams and sections, and their accelerations at zero v-dot; after `place_beams`."""
    for b in range(beams.record.shape[0]):
        beam = beams.record[b]
        n = beam.modes
        to = beam.v
        w = v[to + 2] / state[b, STRETCH]
        spin = beam.inertia * state[b, STRETCH] * v[to + 2]
        rate = w
        for k in range(n):
            g = state[b, MODAL + n + k]
            speed = v[to + 3 + k] - g * w
            state[b, MODAL + 2 * n + k] = speed
            rate -= beams.lag[beam.at + k] * speed
            spin += beam.mass * g * v[to + 3 + k]
        growth = 0.0  # J_0 s s-dot
        for k in range(n):
            share = state[b, MODAL + 4 * n + k]
            for j in range(n):
                share -= beams.coupling[beam.square + j * n + k] * state[b, MODAL + n + j]
            growth += share * state[b, MODAL + 2 * n + k]
        turning = -w * growth / (beam.inertia * state[b, STRETCH] ** 2)
        changing = turning
        for k in range(n):
            levers = 0.0
            for j in range(n):
                levers += beams.coupling[beam.square + k * n + j] * state[b, MODAL + 2 * n + j]
            change = -levers * w / beam.mass - state[b, MODAL + n + k] * turning
            state[b, MODAL + 3 * n + k] = change
            changing -= beams.lag[beam.at + k] * change
        state[b, RATE] = w
        state[b, TURNING] = turning
        state[b, FRAME_RATE] = rate
        state[b, FRAME_TURNING] = changing
        pose[beam.body, SPIN] = spin
    for m in range(beams.section.shape[0]):
        section = beams.section[m]
        of = section.beam
        beam = beams.record[of]
        n = beam.modes
        b = section.body
        to = beam.v
        w, spin = state[of, FRAME_RATE], state[of, FRAME_TURNING]
        x, y = section.x, 0.0
        u, z, rate = 0.0, 0.0, w
        ax, ay, turning = 0.0, 0.0, spin
        for k in range(n):
            along, across = beams.shape[section.at + k], beams.shape[section.at + n + k]
            slope = beams.shape[section.at + 2 * n + k]
            p, speed, change = state[of, MODAL + k], state[of, MODAL + 2 * n + k], state[of, MODAL + 3 * n + k]
            short = shortened(beams, section, n, state, of, k, MODAL)
            x += (along - 0.5 * short) * p
            y += across * p
            u += (along - short) * speed
            z += across * speed
            rate += slope * speed
            ax += (along - short) * change - shortened(beams, section, n, state, of, k, MODAL + 2 * n) * speed
            ay += across * change
            turning += slope * change
        ax -= w * w * x + 2.0 * w * z + spin * y
        ay -= w * w * y - 2.0 * w * u - spin * x
        u -= w * y
        z += w * x
        c, s = math.cos(state[of, FRAME]), math.sin(state[of, FRAME])
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
            inertial = w * state[b, MODAL + 4 * n + k]
            for j in range(n):
                inertial += beams.coupling[beam.square + j * n + k] * state[b, MODAL + 2 * n + j]
            damping = -beams.damping[beam.at + k] * state[b, MODAL + 2 * n + k]
            elastic = damping - beams.stiffness[beam.at + k] * state[b, MODAL + k]
            turning -= v[to + 3 + k] * inertial + state[b, MODAL + n + k] * elastic
            force[to + 3 + k] += w * inertial + elastic
            power += damping * state[b, MODAL + 2 * n + k]
        force[to + 2] += turning / s
        state[b, POWER] = power


@inline_kernel
def load_section(pose, b, x, y, turn):
    """Remember a force and a moment about its origin on a section of a beam."""
    pose[b, LOAD_X] += x
    pose[b, LOAD_Y] += y
    pose[b, LOAD_TURN] += turn


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
