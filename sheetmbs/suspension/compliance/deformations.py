"""Lengths, distances along directions, and angles between bodies, with first and second derivatives by how bodies move.

A body moves by a translation x of its origin and a rotation vector t in space. A direction a fixed on it and a point at the arm
r from its origin become, to second order,

    a + t x a + t x (t x a)/2            p + x + t x r + t x (t x r)/2

so a function f of directions a, b, c and of the distance d = p_j - p_i has, with the slopes g of f by each of them,

    f_x = g_d     f_t = r x g_d + a x g_a     f_tt = D' f_vw D + sum over vectors v of (g v' + v g')/2 - (g.v) 1

where D is the derivative of the vectors. Second derivatives by rotation vectors at 0 are symmetric. Geradin and Cardona (2001),
section 4.4; Crisfield (1997), section 16.3.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from sheetmbs.elements.rotation import cross
from sheetmbs.engine.records import Floats, Ints

ALONG, COSINE, DISTANCE, TURN, HEIGHT, RISE = "along", "cosine", "distance", "turn", "height", "rise"
KINDS = (ALONG, COSINE, DISTANCE, TURN, HEIGHT, RISE)
"""a.d; a.b; |d|; atan2(b.c, b.a); a.d - sqrt(R^2 - R^2 (a.b)^2) of a disc of radius R; d_z/|d|"""
LOCAL = 12
"""x and t of body i, then of body j"""
EYE = np.eye(3)
UP = np.array([0.0, 0.0, 1.0])


@dataclass(frozen=True, eq=False)
class BodyDeformation:
    """One of them. i, j: numbers of bodies, 0 the chassis. p_i, p_j: (3,) points, a, c: directions on i, b: on j, at design.

    radius: of a disc, m.
    """

    kind: str
    i: int
    j: int
    p_i: Floats = field(default_factory=lambda: np.zeros(3))
    p_j: Floats = field(default_factory=lambda: np.zeros(3))
    a: Floats = field(default_factory=lambda: np.zeros(3))
    b: Floats = field(default_factory=lambda: np.zeros(3))
    c: Floats = field(default_factory=lambda: np.zeros(3))
    radius: float = 0.0


@dataclass(frozen=True, eq=False)
class BodyPoses:
    """Places (n, bodies, 3) of the origins of bodies and their orientations (n, bodies, 3, 3), 1 at design; 0 the chassis."""

    place: Floats
    turn: Floats

    def __len__(self) -> int:
        return len(self.place)

    def moved(self, step: Floats) -> BodyPoses:
        """After a step (n, 6 (bodies - 1)): translations and rotation vectors in space."""
        parts = step.reshape(len(self), -1, 6)
        place, turn = self.place.copy(), self.turn.copy()
        place[:, 1:] += parts[..., :3]
        turn[:, 1:] = rotations(parts[..., 3:]) @ turn[:, 1:]
        return BodyPoses(place, turn)

    def at(self, rows: Floats | Ints | slice) -> BodyPoses:
        """Some of the poses."""
        return BodyPoses(self.place[rows], self.turn[rows])

    @staticmethod
    def joined(parts: Sequence[BodyPoses]) -> BodyPoses:
        """Poses of several, one behind the other."""
        return BodyPoses(*(np.concatenate([getattr(part, name) for part in parts]) for name in ("place", "turn")))


def rotations(vectors: Floats) -> Floats:
    """(.., 3, 3) rotation matrices of rotation vectors (.., 3), rad; Rodrigues."""
    square = np.sum(vectors * vectors, axis=-1)[..., None, None]
    angle = np.sqrt(square)
    small = angle < SMALL_ANGLE
    safe = np.where(small, 1.0, angle)
    first = np.where(small, 1.0 - square / 6.0, np.sin(safe) / safe)
    second = np.where(small, 0.5 - square / 24.0, (1.0 - np.cos(safe)) / (safe * safe))
    spin = skew(vectors)
    return np.asarray(EYE + first * spin + second * (spin @ spin))


SMALL_ANGLE = 1e-4
"""rad, below which the series of sine and cosine are exact to rounding"""


def skew(vectors: Floats) -> Floats:
    """(.., 3, 3) matrices of v x."""
    found = np.zeros((*vectors.shape, 3))
    found[..., 0, 1], found[..., 0, 2] = -vectors[..., 2], vectors[..., 1]
    found[..., 1, 0], found[..., 1, 2] = vectors[..., 2], -vectors[..., 0]
    found[..., 2, 0], found[..., 2, 1] = -vectors[..., 1], vectors[..., 0]
    return found


class Deformations:
    """Several of them, ready to be evaluated at n poses at once. origins: (bodies, 3) of bodies at design, ISO 8855, m.

    Those of one kind are evaluated together.
    """

    def __init__(self, parts: Sequence[BodyDeformation], origins: Floats) -> None:
        self.parts = tuple(parts)
        self.bodies = len(origins)
        self.i = np.array([part.i for part in parts], dtype=np.int64)
        self.j = np.array([part.j for part in parts], dtype=np.int64)
        stack = {name: _stacked(parts, name) for name in ("p_i", "p_j", "a", "b", "c")}
        self._arm_i, self._arm_j = stack["p_i"] - origins[self.i], stack["p_j"] - origins[self.j]
        self._a, self._b, self._c = stack["a"], stack["b"], stack["c"]
        self.radius = np.array([part.radius for part in parts])
        self.of_kind = {
            kind: np.array([k for k, part in enumerate(parts) if part.kind == kind], dtype=np.int64) for kind in KINDS
        }
        self.kinds = np.array([KINDS.index(part.kind) for part in parts], dtype=np.int64)
        local = np.arange(6)
        self.columns = np.concatenate(
            (6 * (self.i[:, None] - 1) + local, 6 * (self.j[:, None] - 1) + local), axis=1
        )  # below 0 of the chassis
        self.by_pair = np.lexsort((self.j, self.i))

    def __len__(self) -> int:
        return len(self.parts)

    def are_like(self, other: Deformations, turned: float) -> bool:
        """Whether others are between the same bodies along directions that differ by no more than so much."""
        is_same = (
            np.array_equal(self.kinds, other.kinds)
            and np.array_equal(self.i, other.i)
            and np.array_equal(self.j, other.j)
        )
        pairs = ((self._a, other._a), (self._b, other._b), (self._c, other._c))
        return is_same and all(np.max(np.abs(one - two), initial=0.0) <= turned for one, two in pairs)

    def changed(self, other: Deformations) -> Ints:
        """Numbers of those that are not the same in another list of as many."""
        apart = np.zeros(len(self), dtype=bool)
        for name in ("_arm_i", "_arm_j", "_a", "_b", "_c"):
            apart |= np.any(getattr(self, name) != getattr(other, name), axis=1)
        return np.flatnonzero(apart | (self.radius != other.radius))

    def at(
        self, poses: BodyPoses, normals: Floats | None = None, weights: tuple[Ints, Floats] | None = None
    ) -> EvaluatedDeformations:
        """Values and vectors at poses. normals: (n, 3) of the road, over which heights of discs count; None upwards.

        weights: numbers of deformations whose directions a are others in each pose, and these (n, 3).
        """
        turn_i, turn_j = poses.turn[:, self.i], poses.turn[:, self.j]
        vectors = _Vectors(
            arm_i=np.einsum("nmij,mj->nmi", turn_i, self._arm_i),
            arm_j=np.einsum("nmij,mj->nmi", turn_j, self._arm_j),
            a=np.einsum("nmij,mj->nmi", turn_i, self._a),
            b=np.einsum("nmij,mj->nmi", turn_j, self._b),
            c=np.einsum("nmij,mj->nmi", turn_i, self._c),
        )
        heights = self.of_kind[HEIGHT]
        if normals is not None and len(heights):
            vectors.a[:, heights] = normals[:, None]
        if weights is not None:
            vectors.a[:, weights[0]] = weights[1][:, None]
        d = poses.place[:, self.j] + vectors.arm_j - poses.place[:, self.i] - vectors.arm_i
        return EvaluatedDeformations(self, vectors, d)


def _stacked(parts: Sequence[BodyDeformation], name: str) -> Floats:
    return np.array([getattr(part, name) for part in parts], dtype=np.float64).reshape(len(parts), 3)


@dataclass(frozen=True, eq=False)
class _Vectors:
    """(n, m, 3) each: arms of the points on both bodies and directions, in space."""

    arm_i: Floats
    arm_j: Floats
    a: Floats
    b: Floats
    c: Floats


class EvaluatedDeformations:
    """Deformations at n poses. value: (n, m). slope: (n, m, 12) by x and t of body i and j."""

    def __init__(self, of: Deformations, vectors: _Vectors, d: Floats) -> None:
        self.of, self._v, self._d = of, vectors, d
        n, m = d.shape[:2]
        self.value = np.zeros((n, m))
        self._g_a, self._g_b, self._g_c, self._g_d = np.zeros((4, n, m, 3))
        for kind, rows in of.of_kind.items():
            if len(rows):
                getattr(self, f"_{kind}")(rows)
        self.slope = np.empty((n, m, LOCAL))
        self.slope[..., 0:3] = -self._g_d
        self.slope[..., 3:6] = (
            cross(vectors.a, self._g_a) + cross(vectors.c, self._g_c) - cross(vectors.arm_i, self._g_d)
        )
        self.slope[..., 6:9] = self._g_d
        self.slope[..., 9:12] = cross(vectors.arm_j, self._g_d) + cross(vectors.b, self._g_b)

    def _along(self, rows: Floats) -> None:
        a, d = self._v.a[:, rows], self._d[:, rows]
        self.value[:, rows] = np.sum(a * d, axis=-1)
        self._g_a[:, rows], self._g_d[:, rows] = d, a

    def _cosine(self, rows: Floats) -> None:
        a, b = self._v.a[:, rows], self._v.b[:, rows]
        self.value[:, rows] = np.sum(a * b, axis=-1)
        self._g_a[:, rows], self._g_b[:, rows] = b, a

    def _distance(self, rows: Floats) -> None:
        d = self._d[:, rows]
        length = np.linalg.norm(d, axis=-1)
        self.value[:, rows] = length
        self._g_d[:, rows] = d / length[..., None]

    def _turn(self, rows: Floats) -> None:
        a, b, c = self._v.a[:, rows], self._v.b[:, rows], self._v.c[:, rows]
        ahead, beside = np.sum(a * b, axis=-1), np.sum(c * b, axis=-1)
        self.value[:, rows] = np.arctan2(beside, ahead)
        square = (ahead * ahead + beside * beside)[..., None]
        by_ahead, by_beside = -beside[..., None] / square, ahead[..., None] / square
        self._g_a[:, rows], self._g_c[:, rows] = by_ahead * b, by_beside * b
        self._g_b[:, rows] = by_ahead * a + by_beside * c

    def _height(self, rows: Floats) -> None:
        n, b, d = self._v.a[:, rows], self._v.b[:, rows], self._d[:, rows]
        lean = np.sum(n * b, axis=-1)
        stand = np.sqrt(1.0 - lean * lean)
        radius = self.of.radius[rows]
        self.value[:, rows] = np.sum(n * d, axis=-1) - radius * stand
        slope = (radius * lean / stand)[..., None]
        self._g_d[:, rows], self._g_b[:, rows] = n, slope * n
        self._g_a[:, rows] = d + slope * b

    def _rise(self, rows: Floats) -> None:
        d = self._d[:, rows]
        length = np.linalg.norm(d, axis=-1)[..., None]
        unit = d / length
        self.value[:, rows] = unit[..., 2]
        self._g_d[:, rows] = (UP - unit[..., 2:] * unit) / length

    def jacobian(self) -> Floats:
        """(n, m, 6 bodies) by the motions of all bodies but the chassis."""
        n, m = self.value.shape
        found = np.zeros((n, m, 6 * (self.of.bodies - 1)))
        rows = np.arange(m)
        for first, bodies in ((0, self.of.i), (6, self.of.j)):
            moving = rows[bodies > 0]
            columns = 6 * (bodies[moving] - 1)[:, None] + np.arange(6)
            found[:, moving[:, None], columns] += self.slope[:, moving, first : first + 6]
        return found

    def curvature(self, rows: Ints) -> Floats:
        """(n, rows, 12, 12) second derivatives of some of them by x and t of both bodies."""
        n = len(self.value)
        found = np.empty((n, len(rows), LOCAL, LOCAL))
        kinds = self.of.kinds[rows]
        for number, kind in enumerate(KINDS):
            at = np.flatnonzero(kinds == number)
            if len(at):
                found[:, at] = self._curved(kind, rows[at])
        return found

    def _curved(self, kind: str, rows: Ints) -> Floats:
        """(n, rows, 12, 12) of deformations of one kind."""
        v, n = self._v, len(self.value)
        a, b, c, d = (each[:, rows] for each in (v.a, v.b, v.c, self._d))
        arm_i, arm_j = v.arm_i[:, rows], v.arm_j[:, rows]
        by_d = np.zeros((n, len(rows), 3, LOCAL))
        if "d" in USED[kind]:
            by_d[..., 0:3], by_d[..., 6:9] = -EYE, EYE
            by_d[..., 3:6], by_d[..., 9:12] = skew(arm_i), -skew(arm_j)
        slopes = -skew(a), -skew(b), -skew(c), by_d  # by t_i, t_j, t_i
        found = CURVED[kind]((a, b, c, d), slopes, self.of.radius[rows])
        for used, first, second, sign, slot in (
            ("a", a, self._g_a, 1.0, 3),
            ("c", c, self._g_c, 1.0, 3),
            ("d", arm_i, self._g_d, -1.0, 3),
            ("b", b, self._g_b, 1.0, 9),
            ("d", arm_j, self._g_d, 1.0, 9),
        ):
            if used in USED[kind]:
                found[..., slot : slot + 3, slot : slot + 3] += sign * _of_turn(first, second[:, rows])
        return found

    def weighted_curvature(self, weight: Floats) -> Floats:
        """(n, 6 bodies, 6 bodies) sum of the second derivatives times weights (n, m)."""
        n, count = len(self.value), self.of.bodies
        found = np.zeros((n, 6 * count, 6 * count))
        acts = self.of.by_pair[np.any(weight[:, self.of.by_pair] != 0.0, axis=0)]
        for number, kind in enumerate(KINDS):
            rows = acts[self.of.kinds[acts] == number]
            if len(rows):
                self._add_blocks(found, rows, self._curved(kind, rows), np.asarray(weight)[:, rows])
        return found[:, 6:, 6:]

    def _add_blocks(self, found: Floats, rows: Ints, own: Floats, weight: Floats) -> None:
        """Add second derivatives (n, rows, 12, 12) times weights (n, rows), rows in the order of their pairs of bodies."""
        pairs = self.of.i[rows] * self.of.bodies + self.of.j[rows]
        starts = np.append(True, pairs[1:] != pairs[:-1])
        first = np.flatnonzero(starts)
        # One product of matrices is quicker than weights and sums by rows.
        summed = np.equal.outer(np.arange(len(first)), np.cumsum(starts) - 1) * weight[:, None]
        blocks = (summed @ own.reshape(*own.shape[:2], LOCAL * LOCAL)).reshape(len(own), len(first), LOCAL, LOCAL)
        for at, row in enumerate(rows[first].tolist()):
            i, j = slice(6 * self.of.i[row], 6 * self.of.i[row] + 6), slice(6 * self.of.j[row], 6 * self.of.j[row] + 6)
            block = blocks[:, at]
            found[:, j, j] += block[:, 6:, 6:]
            if self.of.i[row]:  # the chassis, first of all bodies, does not move
                found[:, i, i] += block[:, :6, :6]
                found[:, i, j] += block[:, :6, 6:]
                found[:, j, i] += block[:, 6:, :6]

    def along(self, motions: Floats) -> Floats:
        """(n, m, d, d) second derivatives along motions (n, d, 6 bodies) of the bodies."""
        n, count = motions.shape[:2]
        padded = np.concatenate((motions, np.zeros((n, count, 6))), axis=2)  # the chassis, at -1, does not move
        size = motions.shape[2]
        columns = np.where(self.of.columns < 0, size, self.of.columns)
        local = padded[:, :, columns]  # (n, d, m, 12)
        curved = self.curvature(np.arange(len(self.of), dtype=np.int64))
        return np.asarray(np.einsum("ndmk,nmkl,neml->nmde", local, curved, local, optimize=True))


def _of_turn(vector: Floats, slope: Floats) -> Floats:
    """(n, m, 3, 3) (g v' + v g')/2 - (g.v) 1: what the second order of a rotation adds."""
    outer = vector[..., :, None] * slope[..., None, :]
    level = np.sum(vector * slope, axis=-1)[..., None, None]
    return np.asarray(0.5 * (outer + np.swapaxes(outer, -1, -2)) - level * EYE)


Four = tuple[Floats, Floats, Floats, Floats]


def _t(matrix: Floats) -> Floats:
    return np.swapaxes(matrix, -1, -2)


def _curved_along(_own: Four, slopes: Four, _radius: Floats) -> Floats:
    by_a, _b, _c, by_d = slopes
    found = np.zeros((*by_a.shape[:2], LOCAL, LOCAL))
    crossed = _t(by_a) @ by_d
    found[..., 3:6, :] += crossed
    found[..., :, 3:6] += _t(crossed)
    return found


def _curved_cosine(_own: Four, slopes: Four, _radius: Floats) -> Floats:
    by_a, by_b, _c, _d = slopes
    found = np.zeros((*by_a.shape[:2], LOCAL, LOCAL))
    crossed = _t(by_a) @ by_b
    found[..., 3:6, 9:12] += crossed
    found[..., 9:12, 3:6] += _t(crossed)
    return found


def _curved_distance(own: Four, slopes: Four, _radius: Floats) -> Floats:
    d, by_d = own[3], slopes[3]
    length = np.linalg.norm(d, axis=-1)[..., None, None]
    unit = d[..., None] / length
    return np.asarray(_t(by_d) @ ((EYE - unit * _t(unit)) / length) @ by_d)


def _curved_rise(own: Four, slopes: Four, _radius: Floats) -> Floats:
    d, by_d = own[3], slopes[3]
    length = np.linalg.norm(d, axis=-1)[..., None, None]
    unit = d[..., None] / length
    up = np.broadcast_to(UP[:, None], unit.shape)
    rise = unit[..., 2:3, :]
    inner = (3.0 * rise * unit * _t(unit) - rise * EYE - up * _t(unit) - unit * _t(up)) / length**2
    return np.asarray(_t(by_d) @ inner @ by_d)


def _curved_turn(own: Four, slopes: Four, _radius: Floats) -> Floats:
    """Of atan2(s, k), s = b.c, k = a.b."""
    a, b, c, _d = own
    by_a, by_b, by_c, _by_d = slopes
    shape = (*by_a.shape[:2], LOCAL, LOCAL)
    k, s = np.sum(a * b, axis=-1)[..., None, None], np.sum(c * b, axis=-1)[..., None, None]
    square = k * k + s * s
    curved_k, curved_s = np.zeros(shape), np.zeros(shape)
    slope_k, slope_s = np.zeros((*by_a.shape[:2], 1, LOCAL)), np.zeros((*by_a.shape[:2], 1, LOCAL))
    for of, by, curved, slope in ((a, by_a, curved_k, slope_k), (c, by_c, curved_s, slope_s)):
        crossed = _t(by) @ by_b
        curved[..., 3:6, 9:12] += crossed
        curved[..., 9:12, 3:6] += _t(crossed)
        slope[..., 3:6] += b[..., None, :] @ by
        slope[..., 9:12] += of[..., None, :] @ by_b
    both = _t(slope_k) @ slope_s
    return np.asarray(
        (k * curved_s - s * curved_k) / square
        + (2.0 * s * k) / square**2 * (_t(slope_k) @ slope_k - _t(slope_s) @ slope_s)
        + (s * s - k * k) / square**2 * (both + _t(both))
    )


def _curved_height(own: Four, slopes: Four, radius: Floats) -> Floats:
    a, b, _c, _d = own
    by_a, by_b, _by_c, _by_d = slopes
    found = _curved_along(own, slopes, radius)
    lean = np.sum(a * b, axis=-1)[..., None, None]
    stand = np.sqrt(1.0 - lean * lean)
    slope = np.zeros((*by_a.shape[:2], 1, LOCAL))
    slope[..., 3:6] += b[..., None, :] @ by_a
    slope[..., 9:12] += a[..., None, :] @ by_b
    size = radius[:, None, None]
    crossed = size * lean / stand * (_t(by_a) @ by_b)
    found[..., 3:6, 9:12] += crossed
    found[..., 9:12, 3:6] += _t(crossed)
    return np.asarray(found + size / stand**3 * (_t(slope) @ slope))


CURVED = {
    ALONG: _curved_along,
    COSINE: _curved_cosine,
    DISTANCE: _curved_distance,
    TURN: _curved_turn,
    HEIGHT: _curved_height,
    RISE: _curved_rise,
}
USED = {ALONG: "ad", COSINE: "ba", DISTANCE: "d", TURN: "abc", HEIGHT: "abd", RISE: "d"}
"""vectors of which a deformation of each kind is made"""
