"""A solver of its own for tests: redundant coordinates, dense equations with true masses, integrated by scipy.

Bodies have positions, unit quaternions and velocities in global axes; accelerations and multipliers solve

    [M  J'] [ a]   [Q]
    [J  0 ] [-m] = [g]          g = -J' v, by a complex step along the motion

which is regular for masses of zero too, wherever the motion is determined. Nothing of sheetmbs is used here.
"""

from dataclasses import dataclass, field

import numpy as np
from scipy.integrate import solve_ivp
from scipy.spatial.transform import Rotation

STEP = 1e-30
SLIDE, SHIFT, BAR, TURN, SPIN = range(5)
"""kinds of rows: points apart along an axis of body i or along a global one, at a distance, axes perpendicular, speed"""


@dataclass(frozen=True)
class Link:
    """A rigid body. place: (3,). angles: yaw, pitch, roll. inertia: (3, 3) about its centre, own axes; all zero: massless."""

    name: str
    place: np.ndarray
    angles: np.ndarray
    mass: float
    inertia: np.ndarray
    velocity: np.ndarray = field(default_factory=lambda: np.zeros(3))
    spin: np.ndarray = field(default_factory=lambda: np.zeros(3))
    """angular velocity, global"""


@dataclass(frozen=True)
class Hold:
    """A joint, given by global points and axes of the start. to: point on j. speed: of a driven hinge."""

    name: str
    kind: str
    i: str
    j: str
    point: np.ndarray
    to: np.ndarray
    axis: np.ndarray
    second: np.ndarray
    speed: float | None = None


@dataclass(frozen=True)
class Pull:
    """A spring with a damper between two points, or (turning) about the axis of a hinge; unloaded at ``natural``."""

    name: str
    i: str
    j: str
    point: np.ndarray
    to: np.ndarray
    k: float
    c: float
    natural: float
    hinge: str | None = None


def across(axis):
    """Two unit vectors that span the plane across an axis."""
    first = np.linalg.svd(np.reshape(axis, (1, 3)))[2][1:]
    return first[0], first[1]


def product(p, q):
    """Hamilton's product of quaternions (..., 4), scalar first."""
    scalar = p[..., :1] * q[..., :1] - np.sum(p[..., 1:] * q[..., 1:], axis=-1, keepdims=True)
    vector = p[..., :1] * q[..., 1:] + q[..., :1] * p[..., 1:] + np.cross(p[..., 1:], q[..., 1:])
    return np.concatenate((scalar, vector), axis=-1)


def matrices(e):
    """Rotation matrices (n, 3, 3) of unit quaternions (n, 4), which may be complex."""
    a, b, c, d = e.T
    rows = [
        [a * a + b * b - c * c - d * d, 2 * (b * c - a * d), 2 * (b * d + a * c)],
        [2 * (b * c + a * d), a * a - b * b + c * c - d * d, 2 * (c * d - a * b)],
        [2 * (b * d - a * c), 2 * (c * d + a * b), a * a - b * b - c * c + d * d],
    ]
    return np.moveaxis(np.array(rows), 2, 0)


class Mechanism:
    """Links, joints and springs as arrays; body 0 is ground."""

    def __init__(self, links, holds, pulls=(), gravity=(0.0, 0.0, -9.81)):
        self.links, self.holds, self.pulls, self.gravity = links, holds, pulls, np.array(gravity)
        self.number = {"ground": 0} | {link.name: k + 1 for k, link in enumerate(links)}
        turns = [Rotation.from_euler("ZYX", link.angles) for link in links]
        self.e = np.array([[1.0, 0, 0, 0], *([q[3], *q[:3]] for q in (turn.as_quat() for turn in turns))])
        self.x = np.array([np.zeros(3), *(link.place for link in links)])
        self.v = np.array([np.zeros(6), *(np.concatenate((link.velocity, link.spin)) for link in links)])
        self.mass = np.array([link.mass for link in links])
        self.inertia = np.array([link.inertia for link in links])
        self.start = matrices(self.e)
        self._write_rows()
        self.ends = [self._ends(pull.i, pull.j, pull.point, pull.to) for pull in pulls]

    def _own(self, body, vector):
        return self.start[body].T @ vector

    def _ends(self, i, j, point, to):
        i, j = self.number[i], self.number[j]
        return i, j, self._own(i, point - self.x[i]), self._own(j, to - self.x[j])

    def _write_rows(self):
        """kind, i, j, points and axes of every row, in body axes; the axis of a row between points is body i's, or global."""
        rows, self.slices = [], {}
        for hold in self.holds:
            i, j, si, sj = self._ends(hold.i, hold.j, hold.point, hold.to)
            axis = hold.axis / np.linalg.norm(hold.axis)
            first, begun = len(rows), (i, j, si, sj)
            if hold.kind in ("spherical", "revolute", "universal"):
                rows += [(SHIFT, *begun, e, e, 0.0) for e in np.eye(3)]
            if hold.kind == "cylindrical":
                rows += [(SLIDE, *begun, self._own(i, e), axis, 0.0) for e in across(axis)]
            if hold.kind in ("revolute", "cylindrical"):
                rows += [(TURN, *begun, self._own(i, e), self._own(j, axis), 0.0) for e in across(axis)]
            if hold.kind == "universal":
                rows.append((TURN, *begun, self._own(i, axis), self._own(j, hold.second), 0.0))
            if hold.kind == "distance":
                rows.append((BAR, *begun, axis, axis, np.linalg.norm(hold.to - hold.point)))
            self.slices[hold.name] = slice(first, len(rows))
            if hold.speed is not None:
                rows.append((SPIN, *begun, self._own(i, axis), axis, hold.speed))
        self.kind, self.i, self.j, self.si, self.sj, self.a, self.b, self.size = (
            np.array(column) for column in zip(*rows, strict=True)
        )

    def gradients(self, x, r):
        """(rows, 4, 3): of each row by velocity and angular velocity of body i and of body j."""
        si, sj = (np.einsum("rij,rj->ri", r[b], s) for b, s in ((self.i, self.si), (self.j, self.sj)))
        a, b = (np.einsum("rij,rj->ri", r[body], s) for body, s in ((self.i, self.a), (self.j, self.b)))
        apart = x[self.j] + sj - x[self.i] - si
        kind = self.kind[:, None]
        along = np.where(
            kind == SHIFT, self.a, np.where(kind == BAR, apart / np.where(self.size, self.size, 1)[:, None], a)
        )
        straight = kind <= BAR
        found = np.zeros((len(a), 4, 3), dtype=a.dtype)
        found[:, 0] = np.where(straight, -along, 0.0)
        found[:, 2] = -found[:, 0]
        lever = np.where(kind == SLIDE, np.cross(a, apart), 0.0) - np.cross(si, along)
        found[:, 1] = np.where(straight, lever, np.where(kind == TURN, np.cross(a, b), -a))
        found[:, 3] = np.where(straight, np.cross(sj, along), np.where(kind == TURN, np.cross(b, a), a))
        return found

    def residuals(self, x, r):
        """Largest violation of a row of positions."""
        si, sj = (np.einsum("rij,rj->ri", r[b], s) for b, s in ((self.i, self.si), (self.j, self.sj)))
        a, b = (np.einsum("rij,rj->ri", r[body], s) for body, s in ((self.i, self.a), (self.j, self.b)))
        apart = x[self.j] + sj - x[self.i] - si
        dot = lambda p, q: np.sum(p * q, axis=1)  # noqa: E731
        found = [dot(a, apart), dot(self.a, apart), np.linalg.norm(apart, axis=1) - self.size, dot(a, b), 0 * self.size]
        return np.abs(np.choose(self.kind, found)).max()

    def jacobian(self, gradients):
        """(rows, bodies, 6), ground first."""
        full, every = np.zeros((len(gradients), len(self.x), 6)), np.arange(len(gradients))
        full[every, self.i] += gradients[:, :2].reshape(-1, 6)
        full[every, self.j] += gradients[:, 2:].reshape(-1, 6)
        return full

    def masses(self, r):
        """The mass matrix, (6 bodies, 6 bodies), and the tensors in global axes."""
        tensors = r[1:] @ self.inertia @ np.swapaxes(r[1:], 1, 2)
        full = np.zeros((6 * len(self.mass), 6 * len(self.mass)))
        for k, (mass, tensor) in enumerate(zip(self.mass, tensors, strict=True)):
            full[6 * k : 6 * k + 3, 6 * k : 6 * k + 3] = mass * np.eye(3)
            full[6 * k + 3 : 6 * k + 6, 6 * k + 3 : 6 * k + 6] = tensor
        return full, tensors

    def loads(self, x, r, v, tensors):
        """Weights, springs and gyroscopic moments about the centres: (6 bodies,)."""
        found = np.zeros((len(self.x), 6))
        found[1:, :3] = self.mass[:, None] * self.gravity
        found[1:, 3:] = -np.cross(v[1:, 3:], np.einsum("nij,nj->ni", tensors, v[1:, 3:]))
        for pull, (i, j, own_i, own_j) in zip(self.pulls, self.ends, strict=True):
            si, sj = r[i] @ own_i, r[j] @ own_j
            if pull.hinge is None:
                apart = x[j] + sj - x[i] - si
                speed = v[j, :3] + np.cross(v[j, 3:], sj) - v[i, :3] - np.cross(v[i, 3:], si)
                length = np.linalg.norm(apart)
                along = apart / length
                force = (pull.k * (length - pull.natural) + pull.c * (along @ speed)) * along
                found[i] += np.concatenate((force, np.cross(si, force)))
                found[j] -= np.concatenate((force, np.cross(sj, force)))
            else:
                moment = self._winding(pull, i, j, r, v)
                found[i, 3:] += moment
                found[j, 3:] -= moment
        return found[1:].ravel()

    def _winding(self, pull, i, j, r, v):
        hold = next(hold for hold in self.holds if hold.name == pull.hinge)
        axis = hold.axis / np.linalg.norm(hold.axis)
        across_i, across_j = (r[body] @ self._own(body, across(axis)[0]) for body in (i, j))
        axis = r[i] @ self._own(i, axis)
        angle = np.arctan2(np.cross(across_i, across_j) @ axis, across_i @ across_j)
        assert abs(angle) < 3.0, "a hinge with a spring turns too far for this solver"
        return (pull.k * (angle - pull.natural) + pull.c * axis @ (v[j, 3:] - v[i, 3:])) * axis

    def solved(self, x, e, v):
        """Accelerations (bodies, 6) with ground, and the forces (rows, bodies, 6) of the rows about the centres."""
        slope = 0.5 * product(np.concatenate((np.zeros((len(e), 1)), v[:, 3:]), axis=1), e)
        moving = self.gradients(x + 1j * STEP * v[:, :3], matrices(e + 1j * STEP * slope))
        gradient, change = self.jacobian(moving.real), self.jacobian(moving.imag / STEP)
        jacobian = gradient[:, 1:].reshape(len(gradient), -1)
        masses, tensors = self.masses(matrices(e))
        rows, size = jacobian.shape
        kkt = np.block([[masses, jacobian.T], [jacobian, np.zeros((rows, rows))]])
        right = np.concatenate((self.loads(x, matrices(e), v, tensors), -np.einsum("rbi,bi->r", change, v)))
        found = np.linalg.solve(kkt, right)
        return np.vstack((np.zeros(6), found[:size].reshape(-1, 6))), -found[size:, None, None] * gradient

    def consistent(self, rng, size):
        """Random velocities (bodies, 6) that the rows allow."""
        jacobian = self.jacobian(self.gradients(self.x, self.start))[:, 1:].reshape(len(self.kind), -1)
        target = np.where(self.kind == SPIN, self.size, 0.0)
        wish = rng.normal(0.0, size, jacobian.shape[1])
        return (wish - np.linalg.pinv(jacobian) @ (jacobian @ wish - target)).reshape(-1, 6)

    def split(self, y):
        n = len(self.links)
        x, e, v = np.zeros((n + 1, 3)), np.zeros((n + 1, 4)), np.zeros((n + 1, 6))
        e[0, 0] = 1.0
        x[1:], e[1:], v[1:] = y[: 3 * n].reshape(n, 3), y[3 * n : 7 * n].reshape(n, 4), y[7 * n :].reshape(n, 6)
        return x, e / np.linalg.norm(e, axis=1)[:, None], v

    def motion(self, times):
        """States at the times: list of (x, e, v, a, forces).

        forces: (6,) of each joint and side about its point there, and (6,) of each driver on body j.
        """

        def slope(_t, y):
            x, e, v = self.split(y)
            turning = 0.5 * product(np.concatenate((np.zeros((len(e), 1)), v[:, 3:]), axis=1), e)
            return np.concatenate((v[1:, :3].ravel(), turning[1:].ravel(), self.solved(x, e, v)[0][1:].ravel()))

        begin = np.concatenate((self.x[1:].ravel(), self.e[1:].ravel(), self.v[1:].ravel()))
        run = solve_ivp(slope, times[[0, -1]], begin, "DOP853", times, rtol=1e-11, atol=1e-12)
        assert run.success
        return [self._row(*self.split(y)) for y in run.y.T]

    def _row(self, x, e, v):
        a, acting = self.solved(x, e, v)
        r, forces = matrices(e), {}
        for hold in self.holds:
            on = acting[self.slices[hold.name]].sum(axis=0)
            i, j, si, sj = self._ends(hold.i, hold.j, hold.point, hold.to)
            for side, body, arm in (("i", i, r[i] @ si), ("j", j, r[j] @ sj)):
                force, moment = on[body, :3], on[body, 3:]
                forces[hold.name, side] = np.concatenate((force, moment - np.cross(arm, force)))
            if hold.speed is not None:
                forces[hold.name, "drive"] = acting[self.slices[hold.name].stop, j]
        return x, e, v, a, forces
