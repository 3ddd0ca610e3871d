"""An independent maker of conventional markers: from anthropometry and given angles to where each marker must lie.

Matrices are written out by sines and cosines and nothing of the model is called. Everything is made for the right side and
mirrored for the left one by z -> -z, so that a sign that is wrong on one side alone shows. Lengths in m, angles in rad.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

Vector = NDArray[np.float64]
ON_THIGH = {"thigh 1": (0.07, -0.12, 0.05), "thigh 2": (-0.05, -0.2, 0.07), "thigh 3": (0.05, -0.3, 0.04)}
"""m in axes of the right thigh, from the hip: a cluster beside the wand"""


@dataclass(frozen=True)
class ConventionalSubject:
    """Anthropometry by which markers are put on, in m and rad. leg, widths, turns: right, left."""

    leg: tuple[float, float] = (0.92, 0.91)
    knee: tuple[float, float] = (0.102, 0.100)
    ankle: tuple[float, float] = (0.070, 0.072)
    width: float = 0.246
    radius: float = 0.007
    thigh_turn: tuple[float, float] = (0.0, 0.0)
    shank_turn: tuple[float, float] = (0.0, 0.0)
    torsion: tuple[float, float] = (0.0, 0.0)
    thigh: float = 0.41
    shank: float = 0.40
    trochanter: tuple[float, float] | None = None

    def hip(self, side: int) -> Vector:
        """Davis's centre in axes of the right pelvis, written out again."""
        neck = 0.115 * 0.5 * (self.leg[0] + self.leg[1]) - 0.0153
        back = (0.1288 * self.leg[side] - 0.04856 if self.trochanter is None else self.trochanter[side]) + self.radius
        return np.array(
            [
                neck * np.cos(0.5) * np.sin(0.314) - back * np.cos(0.314),
                -neck * np.cos(0.5) * np.cos(0.314) - back * np.sin(0.314),
                0.5 * self.width - neck * np.sin(0.5),
            ]
        )


@dataclass(frozen=True)
class LegAngles:
    """Angles (n,) in rad of one leg, in the signs of that side.

    hip, knee: flexion, adduction, internal rotation (n, 3). toe: two angles (n, 2) that place the toe behind the ankle.
    """

    hip: Vector
    knee: Vector
    toe: Vector


@dataclass(frozen=True)
class Walk:
    """pelvis: tilt, obliquity, rotation (n, 3) as the right side counts. origin: (n, 3) the middle of the anterior spines."""

    pelvis: Vector
    origin: Vector
    legs: tuple[LegAngles, LegAngles]
    heel: tuple[Vector, Vector] = field(default_factory=lambda: (np.zeros(2), np.zeros(2)))


def rx(a: Vector) -> Vector:
    """(n, 3, 3)."""
    return _matrix(a, 0, 1, 2)


def ry(a: Vector) -> Vector:
    """(n, 3, 3)."""
    return _matrix(a, 1, 2, 0)


def rz(a: Vector) -> Vector:
    """(n, 3, 3)."""
    return _matrix(a, 2, 0, 1)


def _matrix(angle: Vector, along: int, first: int, second: int) -> Vector:
    angle = np.atleast_1d(np.asarray(angle, dtype=np.float64))
    found = np.zeros((len(angle), 3, 3))
    found[:, along, along] = 1.0
    found[:, first, first] = found[:, second, second] = np.cos(angle)
    found[:, second, first] = np.sin(angle)
    found[:, first, second] = -np.sin(angle)
    return found


@dataclass(frozen=True)
class MadeLeg:
    """Markers and centres (n, 3) and axes (n, 3, 3) of one leg as the right side has them, in the laboratory."""

    points: Mapping[str, Vector]
    axes: Mapping[str, Vector]


def markers(subject: ConventionalSubject, walk: Walk) -> tuple[dict[str, Vector], dict[str, dict[str, Vector]]]:
    """All markers and centres by name, and axes by side and segment (of the left mirrored back: columns x, y, z)."""
    points: dict[str, Vector] = {}
    axes: dict[str, dict[str, Vector]] = {}
    tilt, oblique, turn = walk.pelvis.T
    for number, (side, sign) in enumerate((("right", 1.0), ("left", -1.0))):
        size = np.array([1.0, 1.0, sign])
        pelvis = rz(-tilt) @ rx(-sign * oblique) @ ry(sign * turn)
        own_origin = walk.origin * size
        made = _leg(subject, number, pelvis, own_origin, walk.legs[number], walk.heel[number])
        points |= {f"{side} {name}": place * size for name, place in made.points.items()}
        mirror = np.diag(size)
        axes[side] = {name: mirror @ each @ mirror for name, each in made.axes.items()}
    points["sacrum"] = 0.5 * (points["right psis"] + points["left psis"])
    return points, axes


def _leg(
    subject: ConventionalSubject, number: int, pelvis: Vector, origin: Vector, angles: LegAngles, heel: Vector
) -> MadeLeg:
    at = _placer(pelvis, origin)
    points = {"asis": at([0.0, 0.0, 0.5 * subject.width]), "psis": at([-0.155, 0.0, 0.045])}
    hip = at(subject.hip(number))
    flexion, adduction, rotation = angles.hip.T
    thigh = pelvis @ rz(flexion) @ rx(adduction) @ ry(rotation)
    knee = hip - subject.thigh * thigh[:, :, 1]
    lateral = knee + (0.5 * subject.knee[number] + subject.radius) * thigh[:, :, 2]
    points["knee"] = lateral
    points["thigh wand"] = _wand(lateral, hip, thigh, subject.thigh_turn[number])
    flexion, adduction, rotation = angles.knee.T
    shank = thigh @ rz(-flexion) @ rx(adduction) @ ry(rotation)
    bones = shank @ ry(np.full(len(shank), -subject.torsion[number]))
    ankle = knee - subject.shank * shank[:, :, 1]
    outer = ankle + (0.5 * subject.ankle[number] + subject.radius) * bones[:, :, 2]
    points["ankle"] = outer
    points["shank wand"] = _wand(outer, knee, bones, subject.shank_turn[number])
    behind = bones @ rz(angles.toe[:, 0]) @ ry(angles.toe[:, 1])
    points["toe"] = ankle + 0.17 * behind[:, :, 0]
    from_heel = bones @ rz(angles.toe[:, 0] + heel[0]) @ ry(angles.toe[:, 1] + heel[1])
    points["heel"] = points["toe"] - 0.22 * from_heel[:, :, 0]
    for name, local in ON_THIGH.items():
        points[name] = hip + thigh @ np.asarray(local)
    points |= {"hip centre": hip, "knee centre": knee, "ankle centre": ankle}
    return MadeLeg(
        points,
        {"pelvis": pelvis, "thigh": thigh, "shank": shank, "ankle": bones, "behind": behind, "from heel": from_heel},
    )


def _placer(axes: Vector, origin: Vector) -> Callable[[object], Vector]:
    def at(local: object) -> Vector:
        return np.asarray(origin + axes @ np.asarray(local, dtype=np.float64))

    return at


def _wand(marker: Vector, above: Vector, bone: Vector, turn: float) -> Vector:
    """A wand upright on the line from the marker to the centre above, in front of the frontal plane by an angle."""
    along = above - marker
    along = along / np.linalg.norm(along, axis=1, keepdims=True)
    forward = bone[:, :, 0]
    outward = np.cross(forward, along)
    aside = np.cos(turn) * outward + np.sin(turn) * forward
    return np.asarray(marker + 0.12 * along + 0.08 * aside)


def walking(count: int = 60, seed: int = 4) -> Walk:
    """A made-up walk in which every angle moves, sides differently."""
    rng = np.random.default_rng(seed)
    phase = np.linspace(0.0, 2.0 * np.pi, count)

    def course(mean: float, size: float) -> Vector:
        shift, second = rng.uniform(0.0, 6.0, 2)
        return np.asarray(np.radians(mean + size * (np.sin(phase + shift) + 0.3 * np.sin(2.0 * phase + second))))

    def turns(*pairs: tuple[float, float]) -> Vector:
        return np.stack([course(mean, size) for mean, size in pairs], axis=1)

    origin = np.stack((1.3 * phase / phase[-1], 0.95 + 0.02 * np.cos(phase), 0.03 * np.sin(phase)), axis=1)
    legs = [
        LegAngles(turns((12, 20), (2, 6), (3, 8)), turns((25, 22), (1, 3), (-4, 6)), turns((-25, 12), (4, 3)))
        for _ in range(2)
    ]
    heel = (np.radians([11.0, -3.0]), np.radians([9.0, 4.0]))
    return Walk(turns((8, 3), (1, 5), (2, 6)), origin, (legs[0], legs[1]), heel)


def standing(walk: Walk, count: int = 5) -> Walk:
    """The same subject as it stands, with the feet where the static trial puts them."""

    def still(*angles: float) -> Vector:
        return np.tile(np.radians(angles), (count, 1))

    legs = tuple(LegAngles(still(6, 1, 2), still(4, 2, -3), still(-22, 3)) for _ in range(2))
    return replace(walk, pelvis=still(9, 1, 2), origin=np.tile([0.0, 0.95, 0.0], (count, 1)), legs=(legs[0], legs[1]))
