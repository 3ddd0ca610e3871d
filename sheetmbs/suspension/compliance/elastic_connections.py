"""Connections at elastic joints: bushing, structure and legs in series, and the directions in which nothing gives way."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from sheetmbs.elements.rotation import cross
from sheetmbs.engine.records import Floats
from sheetmbs.model.model import Curve
from sheetmbs.suspension.layout.car import MIRROR
from sheetmbs.suspension.layout.elastic_parts import ElasticPart

RIGID_SHARE = 1e-13
"""of the largest compliance at a joint, below which a direction of it is rigid: rounding of a sum"""
IN_SPAN = 1e-6
"""sine of the angle of a direction against those that are held, below which it is held"""

LEAST_SYMMETRICAL = np.array([0.8, 0.53, 0.29])
"""a direction to which none of a usual axle is square"""


@dataclass(frozen=True, eq=False)
class Connection:
    """Bushing, structure and legs in series at a joint.

    curves: laws along its axes, in place of numbers. held: (d, 3) its rigid directions where they are fewer than those without
    compliance. behind: structure and legs in series with a bushing that has curves, whose springs then act from a place of
    their own.
    """

    part: str
    side: str
    axes: Floats
    compliances: Mapping[str, Floats]
    curves: tuple[Curve | None, ...]
    held: Floats | None = None
    behind: Mapping[str, Floats] = field(default_factory=dict)

    @property
    def rigid(self) -> Floats:
        """(d, 3) directions in which it holds rigidly: as given by ``held``, or those without compliance."""
        return self._split()[1] if self.held is None else self.held

    def with_series(self, part: str, soft: Floats) -> Connection:
        """With one more compliance (3, 3) in series."""
        if any(curve is not None for curve in self.curves):
            return replace(self, behind={**self.behind, part: self.behind.get(part, np.zeros((3, 3))) + soft})
        found = {**self.compliances, part: self.compliances.get(part, np.zeros((3, 3))) + soft}
        return replace(self, compliances=found, held=None)

    def _split(self) -> tuple[list[tuple[Floats, float | None, Curve | None]], Floats]:
        """Springs, each a direction with stiffness or curve, and directions that are rigid."""
        total = sum(self.compliances.values(), np.zeros((3, 3)))
        if any(curve is not None for curve in self.curves):
            values, vectors = np.array([float(a @ total @ a) for a in self.axes.T]), self.axes
            curves: tuple[Curve | None, ...] = self.curves
        else:
            values, vectors = _principal(total, self.axes)
            curves = (None, None, None)
        largest = float(np.max(values, initial=0.0))
        springs: list[tuple[Floats, float | None, Curve | None]] = []
        rigid = []
        for value, a, curve in zip(values, vectors.T, curves, strict=True):
            if curve is not None:
                springs.append((a, None, curve))
            elif value > RIGID_SHARE * largest:
                springs.append((a, 1.0 / float(value), None))
            else:
                rigid.append(a)
        return springs, np.array(rigid).reshape(-1, 3)

    @property
    def springs(self) -> list[tuple[Floats, float | None, Curve | None]]:
        """Directions that give way, with stiffness or curve."""
        return self._split()[0]


def _principal(total: Floats, axes: Floats) -> tuple[Floats, Floats]:
    """Principal compliances and directions; those of the axes where these are principal."""
    own = axes.T @ total @ axes
    if np.max(np.abs(own - np.diag(np.diag(own)))) <= RIGID_SHARE * np.max(np.abs(own), initial=0.0):
        return np.diag(own), axes
    values, vectors = np.linalg.eigh(total)
    return values, pointed(vectors.T).T


def pointed(directions: Floats) -> Floats:
    """(d, 3) directions or their opposites: those that go with the least symmetrical one, so that none flips by rounding."""
    return np.where((directions @ LEAST_SYMMETRICAL < 0.0)[:, None], -directions, directions)


def across(axis: Floats, beside: int | None = None) -> tuple[Floats, Floats]:
    """Two unit directions square to an axis and to each other. beside: which axis the first is square to; None the farthest."""
    other = np.eye(3)[farthest(axis) if beside is None else beside]
    one = cross(axis, other)
    one = one / np.linalg.norm(one)
    return one, cross(axis, one)


def farthest(axis: Floats) -> int:
    """Number of the axis of the car that is farthest from a direction."""
    return int(np.argmin(np.abs(axis)))


def spans(rows: Floats, along: Floats) -> bool:
    """Whether a direction is a sum of rows (d, 3) of unit length that are square to each other."""
    return bool(np.linalg.norm(along - rows.T @ (rows @ along)) <= IN_SPAN) if len(rows) else False


def less(rows: Floats, along: Floats) -> Floats:
    """Directions of the space of rows that are square to one of it."""
    left = rows - np.outer(rows @ along, along)
    _u, sizes, vectors = np.linalg.svd(left)
    return pointed(np.asarray(vectors[: int(np.sum(sizes > IN_SPAN))]))


def compliance_of_stiffness(stiffness: float | None) -> float:
    """Compliance; 0 of what is rigid."""
    return 1.0 / stiffness if stiffness else 0.0


def in_series(soft: Sequence[tuple[str, float]]) -> float | None:
    """Stiffness of compliances in series, m/N each with the name of its part; None of none."""
    return 1.0 / sum(each for _part, each in soft) if soft else None


def end_compliance(part: ElasticPart, along: Floats, side: str) -> list[tuple[str, float]]:
    """Compliance of an end along its member: of its bushing and of the structure that it stands on."""
    soft = compliance_of_stiffness(part.number("k"))
    if part.node is not None:
        node = part.node if side == "left" else np.diag(MIRROR) @ part.node @ np.diag(MIRROR)
        soft += float(along @ np.linalg.inv(node) @ along)
    return [(part.name, soft)] if soft else []


def member_stiffness(part: ElasticPart, length: float, name: str) -> float:
    """Stiffness of a member or leg, N/m: as given, or E area/length."""
    given = part.number("k")
    if given is not None:
        return given
    product = part.number(f"stiffness_length {name}") or part.number("stiffness_length")
    if product is None:
        raise ValueError(f"the {name} has no stiffness")
    return product / length
