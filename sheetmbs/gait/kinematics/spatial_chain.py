"""Segments in space joined by balls and hinges, in every frame where they lie nearest to all markers together.

A root has three coordinates of its place and three of its turn; a segment below another one hangs on its joint centre and turns
against it by R_parent^T R = Rz(flexion) Rx(adduction) Ry(rotation), of which a ball has all three, two hinges the first two and
a hinge the first; the others stay as in the standing trial. With residuals r = sqrt(w) (marker - model) and the derivatives J
by the coordinates, after Gauss and Newton the coordinates change by (J^T J)^-1 J^T r: a marker x below a coordinate with the
global axis e through the joint centre c moves by e x (x - c). A flexion at one of its limits that would go beyond stays there.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from scipy.spatial.transform import Rotation

from sheetmbs.gait.arrays import Mask, Vector
from sheetmbs.gait.body.body_segments import BodySegment, Derivatives, Points
from sheetmbs.gait.kinematics.clustered_segments import SegmentsInSpace, moving_segment
from sheetmbs.schema.gait_inputs import JointKind

MOST_ITERATIONS = 40
SMALLEST_STEP = 1e-10
"""m or rad by which nothing changes any more"""
DAMPING = 1e-12
"""added to J^T J, so that coordinates that no marker sees stay where they are"""
MOST_INVERSE = 1e6
"""of the inverse of J^T J, from which on a coordinate counts as one of those"""
FREE = {
    JointKind.BALL: (True, True, True),
    JointKind.TWO_HINGES: (True, True, False),
    JointKind.HINGE: (True, False, False),
}
"""kind of joint -> which of flexion, adduction and rotation are free"""


@dataclass(frozen=True)
class JointInSpace:
    """How a segment hangs on the one above it. low, high: of Rz in rad."""

    kind: str
    low: float = -np.inf
    high: float = np.inf


@dataclass(frozen=True, eq=False)
class FittedSegment:
    """A segment as it is fitted.

    parent: its number, -1 of a root. centre: (3,) of its joint in axes of the parent, m. rest: (3,) angles in rad as it stands.
    free: (3,) of its angles. limits: of the first. local: (m, 3) of its markers from its proximal end, in its axes, m.
    markers: (m, n, 3), NaN is missing. roots: square roots (m,) of weights. distal: (3,) likewise.
    """

    segment: BodySegment
    parent: int
    centre: Vector
    rest: Vector
    free: Mask
    limits: tuple[float, float]
    local: Vector
    markers: Vector
    roots: Vector
    distal: Vector


def follow_chain_in_space(
    points: Points,
    standing: Points,
    segments: Sequence[BodySegment],
    joints: Mapping[str, JointInSpace],
    free: SegmentsInSpace,
    axes: Mapping[str, Vector],
    derivatives: Derivatives,
) -> SegmentsInSpace:
    """The motion of joined segments nearest to points (n, 3).

    standing: (k, 3) of the standing trial. joints: by the segment below. free: how each cluster moves by itself, where the
    search begins. axes: (3, 3) of each segment as it stands.
    """
    links = _links(points, standing, segments, joints, axes)
    state = _first_state(links, free)
    for _ in range(MOST_ITERATIONS):
        step = _step(links, state)
        if np.nanmax(np.abs(step), initial=0.0) < SMALLEST_STEP:
            break
    known = _known(links, state)
    moving, residuals = {}, {}
    errors: dict[str, Vector] = {}
    for number, link in enumerate(links):
        name = link.segment.row.name
        rotation = np.where(known[number][:, None, None], state.rotation[number], np.nan)
        proximal = np.where(known[number][:, None], state.place[number], np.nan)
        distal = proximal + rotation @ link.distal
        moving[name] = moving_segment(link.segment, proximal, distal, rotation, derivatives)
        missed = np.linalg.norm(link.markers - _placed(link, state, number), axis=2)
        missed = np.where(known[number], missed, np.nan)
        residuals[name] = _rms(missed)
        for marker, error in zip(link.segment.row.markers, missed, strict=True):
            errors[marker] = np.fmax(error, errors.get(marker, error))
    ordered = [each.row.name for each in segments]
    return SegmentsInSpace({name: moving[name] for name in ordered}, residuals, errors=errors)


def _rms(missed: Vector) -> Vector:
    """(n,) over the markers (m, n) that are seen."""
    seen = np.isfinite(missed)
    count = seen.sum(axis=0)
    squares = np.where(seen, missed, 0.0) ** 2
    mean = np.divide(squares.sum(axis=0), count, out=np.full(len(count), np.nan), where=count > 0)
    return np.asarray(np.sqrt(mean))


def _links(
    points: Points,
    standing: Points,
    segments: Sequence[BodySegment],
    joints: Mapping[str, JointInSpace],
    axes: Mapping[str, Vector],
) -> list[FittedSegment]:
    """Every segment behind its parent."""
    still = {name: np.nanmean(each, axis=0) for name, each in standing.items() if np.isfinite(each).all(axis=1).any()}
    ordered = _parents_first(segments)
    numbers = {each.row.name: number for number, each in enumerate(ordered)}
    links = []
    for each in ordered:
        row, own = each.row, axes[each.row.name]
        joint = joints.get(row.name)
        parent = numbers.get(row.parent or "", -1) if joint is not None else -1
        centre, rest = np.zeros(3), np.zeros(3)
        if parent >= 0:
            above = ordered[parent].row
            centre = axes[above.name].T @ (still[row.proximal] - still[above.proximal])
            rest = Rotation.from_matrix(axes[above.name].T @ own).as_euler("ZXY")
        kind = joint or JointInSpace(JointKind.BALL)
        weights = np.array(row.weights) if row.weights else np.ones(len(row.markers))
        links.append(
            FittedSegment(
                each,
                parent,
                centre,
                rest,
                np.array(FREE[kind.kind]),
                (kind.low, kind.high),
                np.stack([own.T @ (still[name] - still[row.proximal]) for name in row.markers]),
                np.stack([points[name] for name in row.markers]),
                np.sqrt(weights),
                own.T @ (still[row.distal] - still[row.proximal]),
            )
        )
    return links


def _parents_first(segments: Sequence[BodySegment]) -> list[BodySegment]:
    names = {each.row.name for each in segments}
    ordered: list[BodySegment] = []
    left = list(segments)
    while left:
        done = {each.row.name for each in ordered}
        ready = [each for each in left if each.row.parent in done or each.row.parent not in names]
        ordered += ready
        left = [each for each in left if each not in ready]
    return ordered


@dataclass(eq=False)
class ChainState:
    """Coordinates of all frames, and where they put the segments; both change as the search goes on.

    angles: (links, n, 3) of the joints. rotation: (links, n, 3, 3), place: (links, n, 3) of the proximal ends.
    """

    angles: Vector
    rotation: Vector
    place: Vector


def _first_state(links: Sequence[FittedSegment], free: SegmentsInSpace) -> ChainState:
    """Where each cluster lies by itself; what is not seen stands as in the standing trial."""
    count = links[0].markers.shape[1]
    state = ChainState(
        np.zeros((len(links), count, 3)), np.zeros((len(links), count, 3, 3)), np.zeros((len(links), count, 3))
    )
    for number, link in enumerate(links):
        own = free.segments[link.segment.row.name]
        if link.parent < 0:
            state.rotation[number] = _or_before(own.rotation, np.eye(3))
            state.place[number] = _or_before(own.proximal, np.zeros(3))
            continue
        above = free.segments[links[link.parent].segment.row.name].rotation
        turned = np.swapaxes(above, 1, 2) @ own.rotation
        seen = np.isfinite(turned).all(axis=(1, 2))
        angles = np.tile(link.rest, (count, 1))
        if seen.any():
            angles[seen] = Rotation.from_matrix(turned[seen]).as_euler("ZXY")
        angles[:, ~link.free] = link.rest[~link.free]
        angles[:, 0] = np.clip(angles[:, 0], *link.limits)
        state.angles[number] = angles
    _place(links, state)
    return state


def _or_before(course: Vector, otherwise: Vector) -> Vector:
    """A course whose gaps have the value before them, at the start the first one."""
    seen = np.isfinite(course).all(axis=tuple(range(1, course.ndim)))
    if not seen.any():
        return np.tile(otherwise, (len(course), *([1] * otherwise.ndim)))
    last = np.maximum.accumulate(np.where(seen, np.arange(len(course)), -1))
    return np.asarray(course[np.where(last < 0, np.flatnonzero(seen)[0], last)])


def _place(links: Sequence[FittedSegment], state: ChainState) -> None:
    """Put the segments that hang on others where the coordinates have them."""
    for number, link in enumerate(links):
        if link.parent >= 0:
            above = state.rotation[link.parent]
            turned = Rotation.from_euler("ZXY", state.angles[number]).as_matrix()
            state.rotation[number] = above @ turned
            state.place[number] = state.place[link.parent] + above @ link.centre


def _placed(link: FittedSegment, state: ChainState, number: int) -> Vector:
    """(m, n, 3) where the model has the markers of a segment."""
    return np.asarray(state.place[number] + np.einsum("nij,mj->mni", state.rotation[number], link.local))


def _axes(link: FittedSegment, state: ChainState, number: int) -> Vector:
    """(n, 3, 3), rows the global axes of flexion, adduction and rotation of the joint above a segment."""
    above = state.rotation[link.parent]
    flexion = state.angles[number][:, 0]
    across = np.cos(flexion)[:, None] * above[:, :, 0] + np.sin(flexion)[:, None] * above[:, :, 1]
    return np.stack((above[:, :, 2], across, state.rotation[number][:, :, 1]), axis=1)


def _columns(links: Sequence[FittedSegment]) -> list[slice]:
    """The columns of each link's coordinates: six of a root, three of a joint whether free or not."""
    found, start = [], 0
    for link in links:
        width = 6 if link.parent < 0 else 3
        found.append(slice(start, start + width))
        start += width
    return found


def _normal(links: Sequence[FittedSegment], state: ChainState) -> tuple[Vector, Vector]:
    """J^T J (n, c, c) and J^T r (n, c)."""
    columns = _columns(links)
    count, width = links[0].markers.shape[1], columns[-1].stop
    normal, right = np.zeros((count, width, width)), np.zeros((count, width))
    turns = [np.zeros((count, 3, 3)) if each.parent < 0 else _axes(each, state, k) for k, each in enumerate(links)]
    for number, link in enumerate(links):
        model = _placed(link, state, number)
        missed = link.markers - model
        weight = link.roots[:, None] * np.isfinite(missed).all(axis=2)
        missed = np.where(weight[..., None] > 0.0, missed, 0.0) * weight[..., None]
        moved = np.zeros((*model.shape[:2], 3, width))
        at = number
        while True:
            own, arms = columns[at], model - state.place[at]
            if links[at].parent < 0:
                moved[..., own.start : own.start + 3] = np.eye(3)
                for turn in range(3):
                    moved[..., own.start + 3 + turn] = np.cross(np.eye(3)[turn], arms)
                break
            for axis in np.flatnonzero(links[at].free):
                moved[..., own.start + axis] = np.cross(turns[at][:, axis], arms)
            at = links[at].parent
        moved *= weight[..., None, None]
        normal += np.einsum("mnic,mnid->ncd", moved, moved, optimize=True)
        right += np.einsum("mnic,mni->nc", moved, missed, optimize=True)
    return normal, right


def _step(links: Sequence[FittedSegment], state: ChainState) -> Vector:
    """Change all coordinates once, and return by how much (n, c)."""
    normal, right = _normal(links, state)
    columns = _columns(links)
    for number, link in enumerate(links):
        if link.parent >= 0:
            flexion, at = state.angles[number][:, 0], columns[number].start
            stuck = ((flexion <= link.limits[0]) & (right[:, at] < 0.0)) | (
                (flexion >= link.limits[1]) & (right[:, at] > 0.0)
            )
            normal[stuck, at, :] = normal[stuck, :, at] = 0.0
            right[stuck, at] = 0.0
    step = np.linalg.solve(normal + DAMPING * np.eye(right.shape[1]), right[..., None])[..., 0]
    for number, link in enumerate(links):
        own = step[:, columns[number]]
        if link.parent < 0:
            state.place[number] += own[:, :3]
            state.rotation[number] = Rotation.from_rotvec(own[:, 3:]).as_matrix() @ state.rotation[number]
        else:
            before = state.angles[number].copy()
            state.angles[number] += own
            state.angles[number][:, 0] = np.clip(state.angles[number][:, 0], *link.limits)
            step[:, columns[number]] = state.angles[number] - before
    _place(links, state)
    return np.asarray(step, dtype=np.float64)


def _known(links: Sequence[FittedSegment], state: ChainState) -> list[Mask]:
    """Of each link (n,) whether markers tell all its coordinates and those above it."""
    normal, _right = _normal(links, state)
    columns = _columns(links)
    inverse = np.diagonal(np.linalg.inv(normal + DAMPING * np.eye(normal.shape[1])), axis1=1, axis2=2)
    found: list[Mask] = []
    for number, link in enumerate(links):
        part = inverse[:, columns[number]]
        part = part if link.parent < 0 else part[:, link.free]
        told = np.all(part < MOST_INVERSE, axis=1)
        found.append(told if link.parent < 0 else told & found[link.parent])
    return found
