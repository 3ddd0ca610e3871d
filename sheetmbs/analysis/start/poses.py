"""Positions and orientations of bodies from the coordinates of one or many configurations."""

from __future__ import annotations

from functools import cache
from math import asin, sqrt

import numpy as np

from sheetmbs.elements import JOINTS
from sheetmbs.elements.recipe import X, Y, Z
from sheetmbs.elements.rotation import matrix_of
from sheetmbs.engine.codes import BodyKind, RowKind
from sheetmbs.engine.records import Floats
from sheetmbs.lower import Lowered

SPATIAL = int(BodyKind.SPATIAL)
EULER = np.arange(3, 7)  # of the position coordinates of a spatial body
PHI = 2  # of those of a planar one


def position(lowered: Lowered, q: Floats, body: int) -> Floats:
    """(..., 3) global position of the origin of a body at configurations q (..., nq); body: its number, not ground."""
    record = lowered.bodies.records[body]
    at = int(record.q)
    if record.kind == SPATIAL:
        return q[..., at : at + 3].copy()
    found = np.zeros((*q.shape[:-1], 3))
    found[..., :2] = q[..., at : at + 2]
    return found


def orientation(lowered: Lowered, q: Floats, body: int) -> Floats:
    """(..., 3, 3) orientation of a body, ground too, at configurations q (..., nq)."""
    record = lowered.bodies.records[body]
    if record.kind == SPATIAL:
        return matrix_of(q[..., record.q + 3 : record.q + 7])
    found = np.zeros((*q.shape[:-1], 3, 3))
    found[...] = np.eye(3)
    if record.kind != BodyKind.GROUND:
        phi = q[..., record.q + 2]
        found[..., 0, 0] = found[..., 1, 1] = np.cos(phi)
        found[..., 1, 0] = np.sin(phi)
        found[..., 0, 1] = -found[..., 1, 0]
    return found


def orientations(lowered: Lowered, q: Floats) -> Floats:
    """(bodies and ground, 3, 3) orientations of all of them at one configuration q (nq,)."""
    records = lowered.bodies.records[: len(lowered.bodies.names)]
    is_spatial, first = records.kind == SPATIAL, records.q.astype(np.int64)
    found = np.zeros((len(records), 3, 3))
    if np.any(is_spatial):
        found[is_spatial] = matrix_of(q[first[is_spatial][:, None] + EULER])
    if not np.all(is_spatial[1:]):
        phi = q[first[1:][~is_spatial[1:]] + PHI]
        c, s, none = np.cos(phi), np.sin(phi), np.zeros_like(phi)
        turned = np.array([[c, -s, none], [s, c, none], [none, none, none + 1.0]])
        found[1:][~is_spatial[1:]] = np.moveaxis(turned, -1, 0)
    found[0] = np.eye(3)
    return found


def largest_turn(lowered: Lowered, start: Floats, end: Floats) -> float:
    """The largest angle (rad) by which a body turns between configurations (nq,); more where Euler parameters change sign."""
    records = lowered.bodies.records[1 : len(lowered.bodies.names)]
    change, first, is_spatial = end - start, records.q.astype(np.int64), records.kind == SPATIAL
    euler, phi = change[first[is_spatial][:, None] + EULER], change[first[~is_spatial] + PHI]
    chord = sqrt(max((euler * euler).sum(axis=1).tolist(), default=0.0))
    return max(4.0 * asin(min(0.5 * chord, 1.0)), max(map(abs, phi.tolist()), default=0.0))


def displacement(lowered: Lowered, start: Floats, end: Floats, body: int) -> tuple[float, float]:
    """How far a body moves (m) and turns (rad) between two configurations (nq,)."""
    record = lowered.bodies.records[body]
    distance = float(np.linalg.norm(position(lowered, end, body) - position(lowered, start, body)))
    if record.kind != BodyKind.SPATIAL:
        return distance, float(abs(end[record.q + 2] - start[record.q + 2]))
    one, two = start[record.q + 3 : record.q + 7], end[record.q + 3 : record.q + 7]
    nearer = -one if one @ two < 0.0 else one
    return distance, float(4.0 * np.arcsin(0.5 * np.linalg.norm(two - nearer)))


@cache
def right_angles(kind: str) -> frozenset[tuple[int, int]]:
    """Pairs of an axis of marker i and one of marker j that a type of joint keeps at right angles."""
    rows = JOINTS[kind].rows
    return frozenset((row.i, row.j) for row in rows if row.kind is RowKind.PERPENDICULAR and not row.plus)


@cache
def common_axes(kind: str) -> tuple[int, ...]:
    """Axes that the markers of a type of joint are to have in common: none, the third, or all three.

    About the axis of a slide the markers stand as they stood at the start, so only its third axis counts.
    """
    kept = right_angles(kind)
    if {(X, Y), (X, Z), (Y, Z)} <= kept:
        return X, Y, Z
    return (Z,) if {(Z, X), (Z, Y)} <= kept else ()
