"""Everything that is reported of a motion: reactions, violations, springs, points, joint coordinates and energies, row by row.

Reactions come from all rows, dropped ones too: of all multipliers with J^T lambda = M v-dot - Q the one of least C-weighted
size, which is unique where the reactions are and else the limit of slightly elastic joints (C: see `engine/algebra/linear.py`).
It is found by proximal iteration, lambda += (S + eps C)^-1 J D^-1/2 (rest of the equation), S = J D^-1 J^T. D is no mass but 1
for a displacement and the characteristic length squared for an angle: what balances forces is a matter of places alone.

What they leave over, weighed so, is the imbalance of a body; it counts over the largest force or moment on that body.

Orientations of spatial bodies become continuous curves. Of the two quadruples +-p of Euler parameters each row has the one
nearer to the row before. Of an orientation two triples of angles about z, then y', then x'' are known, and all their turns:

    (yaw, pitch, roll)     and     (yaw + pi, pi - pitch, roll + pi)

At each row that one counts that is nearer to the one before, so that a wheel's pitch counts on past 90 degrees and past a turn.
Where the pitch is a right angle yaw and roll turn about one line, and the yaw of the row before goes on.
"""

import math
from dataclasses import dataclass

import numpy as np

from sheetmbs.compiled import Bundle, inline_kernel, kernel
from sheetmbs.engine.algebra.linear import REACTION_EPS, factor, least_weighted
from sheetmbs.engine.applied import apply_all
from sheetmbs.engine.arrays import Arrays
from sheetmbs.engine.bodies.beam_body import (
    ELASTIC,
    FRAME,
    FRAME_RATE,
    LOAD_X,
    MODAL,
    OWN_TURN,
    OWN_X,
    OWN_Y,
    STRETCH,
    TURNING,
    TWIST,
    load_section,
    move_beams,
    place_beams,
)
from sheetmbs.engine.bodies.planar_body import planar_entries
from sheetmbs.engine.codes import OX, OY, PHI, VX, VY, WZ, X
from sheetmbs.engine.constraints import TURN, move_all, place_all, place_rows, set_rates
from sheetmbs.engine.forces.all_forces import apply_forces, elastic_energy
from sheetmbs.engine.forces.clearance import CLOSED, SPEED
from sheetmbs.engine.forces.friction import begin_friction, settle_friction, write_friction
from sheetmbs.engine.kinematics import BEAM, frame_acceleration, mass_centre, row_product, spin_momentum
from sheetmbs.engine.motion.motions import evaluate_motions
from sheetmbs.engine.records import Floats, Floats2, Floats3, Ints
from sheetmbs.engine.revolution_counts import ANGLE, GUESS
from sheetmbs.engine.vec import cross
from sheetmbs.engine.work import Work

SLIGHT = 1e-5  # of the largest force: what rounding of that may touch

PARAMETERS = 3  # place of the Euler parameters among the coordinates of a body
# The two triples of an orientation are sqrt(2) pi apart or more, so one that is nearer than half of that to the row before is
# the nearer one; squared.
HALF_TURN_MEASURE = 0.5 * math.pi**2
POLE = 1e-9  # cosine of a pitch below which yaw and roll turn about one line
TWO_PI = 2.0 * math.pi


@dataclass(frozen=True, eq=False)
class MotionReport(Bundle):
    """One row per reported time. Constraints are counted as in the workbook: joints, drivers, guiding columns."""

    wrench: Floats3  # (times, constraints, 12) on frame i, then on frame j: force and moment, global
    multiplier: Floats2  # (times, constraints) of a driver's only row
    power: Floats2  # (times, constraints) of a driver
    position: Floats2  # (times, constraints) norm of the position residuals
    velocity: Floats2  # (times, constraints) norm of the velocity residuals
    worst: Floats2  # (times, 2) largest position and velocity residual
    violation: Floats3  # (times, constraints, 2) the same of each constraint, lengths over the characteristic one
    gauge: Floats3  # (times, gauges, 2) joint coordinate and its rate
    element: Floats2  # (times, values) of all force elements, as in `Work.element`
    contact: Floats3  # (times, clearances, CONTACT_COLUMNS) CLOSED and SPEED known beforehand
    friction: Floats3  # (times, joints with friction or teeth, 4) see `write_friction`
    point: Floats3  # (times, points, 9) position, velocity, acceleration
    energy: Floats2  # (times, 2) kinetic and potential
    supply: Floats  # (times,) power of all forces but weights and springs
    leverage: Floats  # (times,) applied forces times the characteristic length or 1 rad, plus the energy in springs
    momentum: Floats2  # (times, 9) linear, angular about the origin, sum of mass times position
    imbalance: Floats2  # (times, bodies without ground) M v-dot - Q - J^T lambda over the largest force on the body
    section: Floats3  # (times, sections of beams, 3) force and moment of all elements about its origin, global


@dataclass(frozen=True, eq=False)
class ReportedMotion(Bundle):
    """A motion at all times that are reported."""

    times: Floats  # (times,) at which functions of time are read
    q: Floats2  # (times, nq)
    v: Floats2  # (times, nv)
    a: Floats2  # (times, nv)
    turns: Floats2  # (times, counted turns)


@dataclass(frozen=True, eq=False)
class AskedReport(Bundle):
    """To what the numbers of rows, gauges and points belong, and what is asked for."""

    owner: Ints  # (nr,) constraint of each row
    gauge: Ints  # (rows of gauges,) number of each gauge; none where coordinates of joints are not wanted
    points: Ints  # (points,) frame of each
    with_forces: bool  # masses are known
    with_reactions: bool  # and reactions are wanted


@inline_kernel
def add_momentum(bodies, mass, body_mass, pose, v, out):
    """Linear momentum, angular momentum about the origin and sum of mass times position, over all bodies, to out (9,)."""
    for b in range(1, bodies.shape[0]):
        m = body_mass[b]
        x, y, z, px, py, pz = mass_centre(bodies[b], b, pose, v)
        px, py, pz = m * px, m * py, m * pz
        lx, ly, lz = cross(x, y, z, px, py, pz)
        sx, sy, sz = spin_momentum(bodies[b], b, mass, pose, v)
        out[0] += px
        out[1] += py
        out[2] += pz
        out[3] += lx + sx
        out[4] += ly + sy
        out[5] += lz + sz
        out[6] += m * x
        out[7] += m * y
        out[8] += m * z


@inline_kernel
def enter_force(bodies, b, size, largest):
    """Remember the size of a force on a body among its coordinates."""
    if bodies[b].nv > 0:
        largest[bodies[b].v] = max(largest[bodies[b].v], size)


@kernel
def weigh_imbalance(A, W, a, out) -> None:
    """The unbalanced force on each body (from W.scaled) over the largest single force on it: weight, spring, inertia or row.

    What is as nothing beside the largest force of all counts as a share of that.
    """
    scale, largest = A.scale, W.step
    for k in range(a.shape[0]):
        largest[k] = scale[k] * max(abs(W.force[k]), abs(A.base_force[k]), A.mass[k] * abs(a[k]))
    for k in range(A.elements.pull.shape[0]):
        pull = A.elements.pull[k]
        size = abs(W.element[pull.value]) / (A.length if pull.turns else 1.0)
        enter_force(A.body, pull.body_i, size, largest)
        enter_force(A.body, pull.body_j, size, largest)
    for b in range(A.layout.block.shape[0]):
        block = A.layout.block[b]
        entry = block.entry
        for i in range(block.rows):
            for k in range(block.nv):
                pull = abs(W.jacobian[entry] * W.multiplier[block.row + i])
                largest[block.v + k] = max(largest[block.v + k], pull)
                entry = np.uint32(entry + 1)
    most = 0.0
    for k in range(largest.shape[0]):
        most = max(most, largest[k])
    for b in range(out.shape[0]):
        body = A.body[b + 1]
        left, size = 0.0, SLIGHT * most
        for k in range(body.v, body.v + body.nv):
            left = max(left, abs(W.scaled[k]))
            size = max(size, largest[k])
        out[b] = left / size if size > 0.0 else 0.0


@kernel
def report_violations(A, W, owner, n, out) -> None:
    """What is left of the equations of all rows at time n, and that of the rows of each constraint."""
    rows, bodies, jacobian, length = A.row, A.body, W.jacobian, A.length
    phi, nu, step = W.phi, W.nu, W.step
    position, velocity, violation = out.position[n], out.velocity[n], out.violation[n]
    farthest = fastest = 0.0
    for r in range(phi.shape[0]):
        row = rows[r]
        c = owner[r]
        size = abs(phi[r])
        drift = abs(row_product(row, bodies, jacobian, step) - nu[r])
        position[c] += size * size
        velocity[c] += drift * drift
        farthest = max(farthest, size)
        fastest = max(fastest, drift)
        unit = length if row.compliance > 0.0 else 1.0
        violation[c, 0] = max(violation[c, 0], size / unit)
        violation[c, 1] = max(violation[c, 1], drift / unit)
    out.worst[n, 0] = farthest
    out.worst[n, 1] = fastest
    for c in range(position.shape[0]):
        position[c] = math.sqrt(position[c])
        velocity[c] = math.sqrt(velocity[c])


@kernel
def report_coordinates(A, W, G, GW, gauge, measured) -> None:
    """Joint coordinates and their rates to measured (gauges, 2). gauge: (rows of G,) number of each gauge."""
    place_rows(A, W, G.part, A.scale, GW.motion, GW)
    for g in range(G.row.shape[0]):
        row = G.row[g]
        coordinate = GW.phi[g]
        if row.kind == TURN:
            coordinate = W.turn[row.k, ANGLE] - row.offset
        measured[gauge[g], 0] = coordinate
        measured[gauge[g], 1] = row_product(row, A.body, GW.jacobian, W.step)


@kernel
def report_points(A, W, points, a, moved) -> None:
    """Position, velocity and acceleration of points, by their frames, to moved (points, 9). a: (nv,) accelerations."""
    place = W.place
    for p in range(points.shape[0]):
        f = points[p]
        for k in range(6):
            moved[p, k] = place[f, X + k]
        moved[p, 6], moved[p, 7], moved[p, 8] = frame_acceleration(A.body, A.frame[f].body, W.pose, place, f, a)


@kernel
def report_forces(A, W, with_forces, t, v, n, out) -> float:
    """Forces of all elements at time n. Returns the power of all forces but weights and springs, 0 without masses."""
    for k in range(A.clearance.shape[0]):
        W.contact[k, CLOSED] = out.contact[n, k, CLOSED]
        W.contact[k, SPEED] = out.contact[n, k, SPEED]
    supply = 0.0
    if with_forces:
        supply = apply_all(A, W, t, v)
    else:
        apply_forces(A, W, W.force)
    for k in range(A.clearance.shape[0]):
        for m in range(W.contact.shape[1]):
            out.contact[n, k, m] = W.contact[k, m]
    for k in range(out.element.shape[1]):
        out.element[n, k] = W.element[k]
    return supply


@kernel
def find_reactions(A, W, a, friction) -> float:
    """Multipliers of all rows to `Work.multiplier` at accelerations a (nv,), what they leave over to `Work.scaled`.

    friction: (joints with friction, 4) receives theirs. Returns the power that friction takes.
    """
    layout, rows, scale, mass = A.layout, A.row, A.scale, A.mass
    scaled, force = W.scaled, W.force
    factor(layout, rows, A.missing, W.jacobian, W, REACTION_EPS)
    rubs = A.friction.record.shape[0] > 0
    if rubs:
        begin_friction(A, W)
    supply = 0.0
    while True:
        for k in range(scale.shape[0]):
            scaled[k] = scale[k] * (mass[k] * a[k] - force[k])
        least_weighted(layout, rows, W, REACTION_EPS, scaled)
        if not rubs:
            return supply
        done, lost = settle_friction(A, W, mass)
        supply += lost
        if done:
            write_friction(A, W, friction)
            return supply


@kernel
def report_reactions(A, W, owner, n, out) -> float:
    """Reactions of all constraints at time n, and multipliers and powers of drivers. Returns the sum of the powers."""
    parts, multiplier, nu, gradient = A.part, W.multiplier, W.nu, W.gradient
    wrench, own, power = out.wrench[n], out.multiplier[n], out.power[n]
    supply = 0.0
    for r in range(multiplier.shape[0]):
        c = owner[r]
        own[c] = multiplier[r]
        power[c] += multiplier[r] * nu[r]
        supply += multiplier[r] * nu[r]
    for p in range(parts.shape[0]):
        part = parts[p]
        c = owner[part.target]
        size = multiplier[part.target]
        if part.slot_i >= 0:
            for k in range(6):
                wrench[c, part.slot_i + k] += size * gradient[p, k]
        if part.slot_j >= 0:
            for k in range(6):
                wrench[c, part.slot_j + k] += size * gradient[p, 6 + k]
    for m in range(A.friction.record.shape[0]):
        record, load = A.friction.record[m], W.friction.load[m]
        if record.meshes:
            for k in range(3):
                wrench[record.owner, k] -= load * W.friction.slip[m, k]
            for k in range(6):
                wrench[record.owner, 6 + k] += load * W.friction.slip[m, k]
    return supply


@kernel
def report_sections(A, W, out) -> None:
    """What all elements do to each section of a beam to out (sections, 3); after forces and reactions are found."""
    for p in range(A.part.shape[0]):
        part = A.part[p]
        size = W.multiplier[part.target]
        for b, frame, first in ((part.body_i, part.frame_i, 0), (part.body_j, part.frame_j, 6)):
            if A.body[b].kind >= BEAM:
                fx, fy, moment = W.gradient[p, first], W.gradient[p, first + 1], W.gradient[p, first + 5]
                x, y, turn = planar_entries(W.place, frame, size * fx, size * fy, size * moment)
                load_section(W.pose, b, x, y, turn)
    for m in range(out.shape[0]):
        b = A.beams.section[m].body
        for k in range(3):
            out[m, k] = W.pose[b, LOAD_X + k]


@kernel
def report_energies(A, W, v, n, out) -> None:
    """Energies, momenta and the leverage of the forces at time n."""
    bodies, mass, pose, force = A.body, A.mass, W.pose, W.force
    kinetic = potential = elastic = leverage = 0.0
    for k in range(mass.shape[0]):
        kinetic += 0.5 * mass[k] * v[k] * v[k]
        leverage += abs(force[k]) * (1.0 if A.velocity_class[k] else A.length)
    for b in range(1, bodies.shape[0]):
        x, y, z, _vx, _vy, _vz = mass_centre(bodies[b], b, pose, v)
        potential -= A.body_mass[b] * (A.gravity[0] * x + A.gravity[1] * y + A.gravity[2] * z)
    for b in range(A.beams.record.shape[0]):
        elastic += pose[A.beams.record[b].body, ELASTIC]
    add_momentum(bodies, mass, A.body_mass, pose, v, out.momentum[n])
    elastic += elastic_energy(A, W)
    out.energy[n, 0] = kinetic
    out.energy[n, 1] = potential + elastic
    out.leverage[n] = leverage + abs(elastic)


@kernel
def report(
    A: Arrays,
    W: Work,
    G: Arrays,
    GW: Work,
    asked: AskedReport,
    motion: ReportedMotion,
    out: MotionReport,
) -> None:
    """Fill a MotionReport, all of whose numbers but CLOSED and SPEED of contacts are 0.

    A, W: all rows of the model; G, GW: the gauges, measured at the poses that W holds.
    """
    counted, scale = A.counted, A.scale
    for n in range(motion.times.shape[0]):
        t, v, a = motion.times[n], motion.v[n], motion.a[n]
        evaluate_motions(A.motion, A.curves, A.tapes, t, W.motion, W.hint, W.stack, W.fault)
        for k in range(counted.shape[0]):
            W.turn[k, GUESS] = motion.turns[n, k]
        place_all(A, W, counted, motion.q[n])
        set_rates(A.row, W.motion, W.nu)
        move_all(A, W, counted, v)
        for k in range(scale.shape[0]):
            W.step[k] = v[k] / scale[k]
        report_violations(A, W, asked.owner, n, out)
        if asked.gauge.shape[0]:
            report_coordinates(A, W, G, GW, asked.gauge, out.gauge[n])
        report_points(A, W, asked.points, a, out.point[n])
        supply = report_forces(A, W, asked.with_forces, t, v, n, out)
        if not asked.with_forces:
            continue
        if asked.with_reactions:
            supply += find_reactions(A, W, a, out.friction[n])
            weigh_imbalance(A, W, a, out.imbalance[n])
            supply += report_reactions(A, W, asked.owner, n, out)
            if A.beams.record.shape[0] > 0:
                report_sections(A, W, out.section[n])
        out.supply[n] = supply
        report_energies(A, W, v, n, out)


@kernel
def floating_frames(A: Arrays, W: Work, Q: Floats2, V: Floats2, ACC: Floats2, out: Floats3) -> None:
    """Position and angle, velocities and accelerations of each beam's frame to out (times, beams, 9).

    Q, V, ACC: (times, nq), (times, nv), (times, nv).
    """
    pose = W.pose
    for n in range(out.shape[0]):
        place_beams(A.beams, pose, W.beam, Q[n])
        move_beams(A.beams, pose, W.beam, V[n])
        for k in range(A.beams.record.shape[0]):
            b = A.beams.record[k].body
            at, nv = A.body[b].v, A.body[b].nv
            out[n, k, 0] = pose[b, OX]
            out[n, k, 1] = pose[b, OY]
            out[n, k, 2] = pose[b, PHI]
            out[n, k, 3] = pose[b, VX]
            out[n, k, 4] = pose[b, VY]
            out[n, k, 5] = pose[b, WZ]
            out[n, k, 6] = pose[b, OWN_X] + ACC[n, at]
            out[n, k, 7] = pose[b, OWN_Y] + ACC[n, at + 1]
            out[n, k, 8] = pose[b, OWN_TURN]
            for m in range(nv - 2):
                for c in range(3):
                    out[n, k, 6 + c] += pose[b, TWIST + 3 * m + c] * ACC[n, at + 2 + m]


@kernel
def deformations(A: Arrays, W: Work, k: int, Q: Floats2, V: Floats2, ACC: Floats2, out: Floats2) -> None:
    """Angle, rate and angular acceleration of the frame of beam k, then p, p-dot and p-double-dot, to out (times, 3 + 3 n)."""
    beam = A.beams.record[k]
    n = beam.modes
    state = W.beam
    for row in range(out.shape[0]):
        place_beams(A.beams, W.pose, state, Q[row])
        move_beams(A.beams, W.pose, state, V[row])
        turned = ACC[row, beam.v + 2] / state[k, STRETCH]
        turning = state[k, TURNING] + turned
        out[row, 0] = state[k, FRAME]
        out[row, 1] = state[k, FRAME_RATE]
        for m in range(n):
            change = state[k, MODAL + 3 * n + m] - state[k, MODAL + n + m] * turned + ACC[row, beam.v + 3 + m]
            out[row, 3 + m] = state[k, MODAL + m]
            out[row, 3 + n + m] = state[k, MODAL + 2 * n + m]
            out[row, 3 + 2 * n + m] = change
            turning -= A.beams.lag[beam.at + m] * change
        out[row, 2] = turning


@inline_kernel
def principal(e0, e1, e2, e3, before):
    """Yaw, pitch in [-pi/2, pi/2] and roll of Euler parameters, and the yaw that is known. before: that of the row before."""
    size = math.sqrt(e0 * e0 + e1 * e1 + e2 * e2 + e3 * e3)
    e0, e1, e2, e3 = e0 / size, e1 / size, e2 / size, e3 / size
    r11, r21 = 2.0 * (e0 * e0 + e1 * e1) - 1.0, 2.0 * (e1 * e2 + e0 * e3)
    cosine = math.hypot(r11, r21)
    pitch = math.atan2(2.0 * (e0 * e2 - e1 * e3), cosine)
    if cosine > POLE:
        yaw = math.atan2(r21, r11)
        return yaw, pitch, math.atan2(2.0 * (e2 * e3 + e0 * e1), 2.0 * (e0 * e0 + e3 * e3) - 1.0), yaw
    up = 1.0 if pitch > 0.0 else -1.0
    together = math.atan2(up * 2.0 * (e1 * e2 - e0 * e3), 2.0 * (e0 * e0 + e2 * e2) - 1.0)
    return before, pitch, together + up * before, before


@inline_kernel
def apart(yaw, pitch, roll, other_yaw, other_pitch, other_roll):
    """Square of how far two triples of angles are apart, whole turns aside."""
    a, b, c = yaw - other_yaw, pitch - other_pitch, roll - other_roll
    a -= TWO_PI * math.floor(a / TWO_PI + 0.5)
    b -= TWO_PI * math.floor(b / TWO_PI + 0.5)
    c -= TWO_PI * math.floor(c / TWO_PI + 0.5)
    return a * a + b * b + c * c


@inline_kernel
def nearest_turn(angle, before):
    """An angle with as many whole turns as bring it within half a turn of the one before, if it is farther."""
    return angle - TWO_PI * math.floor((angle - before) / TWO_PI + 0.5) if abs(angle - before) > math.pi else angle


@kernel
def report_orientations(q: Floats2, first: Ints, initial: Floats2, euler: Floats3, angles: Floats3) -> None:
    """Orientations of spatial bodies at configurations q (rows, nq).

    first: (bodies,) place of each one's coordinates. initial: (bodies, 3) yaw, pitch, roll of the initial configuration, from
    which the curves begin. euler: (bodies, rows, 4) and angles: (bodies, rows, 3) receive them.
    """
    for b in range(first.shape[0]):
        at = first[b] + PARAMETERS
        before_yaw, before_pitch, before_roll = initial[b, 0], initial[b, 1], initial[b, 2]
        is_other = math.cos(before_pitch) < 0.0
        yaw, pitch, roll = before_yaw, before_pitch, before_roll
        if is_other:
            yaw, pitch, roll = yaw + math.pi, math.pi - pitch, roll + math.pi
        known = yaw
        sign = 1.0
        for n in range(q.shape[0]):
            if n > 0:
                cosine = 0.0
                for k in range(4):
                    cosine += q[n, at + k] * q[n - 1, at + k]
                sign = -sign if cosine < 0.0 else sign
            for k in range(4):
                euler[b, n, k] = sign * q[n, at + k]
            last_yaw, last_pitch, last_roll = yaw, pitch, roll
            e = euler[b, n]
            yaw, pitch, roll, known = principal(e[0], e[1], e[2], e[3], known)
            step = apart(yaw, pitch, roll, last_yaw, last_pitch, last_roll)
            if step >= HALF_TURN_MEASURE and step > apart(
                yaw, pitch, roll, last_yaw + math.pi, math.pi - last_pitch, last_roll + math.pi
            ):
                is_other = not is_other
            shift = math.pi if is_other else 0.0
            before_yaw = nearest_turn(yaw + shift, before_yaw)
            before_pitch = nearest_turn(math.pi - pitch if is_other else pitch, before_pitch)
            before_roll = nearest_turn(roll + shift, before_roll)
            angles[b, n, 0], angles[b, n, 1], angles[b, n, 2] = before_yaw, before_pitch, before_roll
