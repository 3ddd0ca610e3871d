"""Where joints and springs take hold: from the many ways to say it in a row to markers on two bodies.

All ways speak of the initial configuration. A pose holds for any body; only reading it from a row is planar so far.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sheetmbs.elements.marker import GROUND, Marker, triad
from sheetmbs.model import Point
from sheetmbs.workbook.records import Record
from sheetmbs.workbook.registry import Registry

Vector = NDArray[np.float64]
NEARLY_ZERO = 1e-12
"""relative to the coordinates of the points: what is closer together has no direction"""


@dataclass(frozen=True, eq=False)
class Pose:
    """A body in the initial configuration. position: (3,) m. rotation: (3, 3), columns are the body's axes."""

    position: Vector
    rotation: Vector

    def to_global(self, local: Vector) -> Vector:
        """Global place of a point given in body coordinates."""
        return self.position + self.rotation @ local

    def to_body(self, place: Vector) -> Vector:
        """Body coordinates of a global place."""
        return self.rotation.T @ (place - self.position)


def planar_pose(x: float, y: float, phi: float) -> Pose:
    """Pose of a body in the x-y plane."""
    cosine, sine = np.cos(phi), np.sin(phi)
    rotation = np.array([[cosine, -sine, 0.0], [sine, cosine, 0.0], [0.0, 0.0, 1.0]])
    return Pose(np.array([x, y, 0.0]), rotation)


@dataclass(frozen=True)
class Scene:
    """The initial configuration: poses of the bodies and of the ground, and the points, by exact name."""

    poses: dict[str, Pose]
    points: dict[str, Point]
    point_names: Registry

    def where(self, point: Point) -> Vector:
        """Global place of a point."""
        return self.poses[point.marker.body].to_global(point.marker.origin)


@dataclass(frozen=True, eq=False)
class Ends:
    """The two ends of a joint or spring: bodies, and points in body coordinates."""

    body_i: str
    body_j: str
    origin_i: Vector
    origin_j: Vector


@dataclass(frozen=True, slots=True)
class Way:
    """One of the ways to say something. columns: those that say it; said is it once one of them is filled in."""

    name: str
    columns: tuple[str, ...]


AT_POINT = Way("point", ("point",))
AT_POINTS = Way("point_i and point_j", ("point_i", "point_j"))
AT_COORDINATES = Way("body coordinates", ("xi_i", "eta_i", "xi_j", "eta_j"))
LOCATIONS = (AT_POINT, AT_POINTS, AT_COORDINATES)

GLOBAL_AXIS = Way("axis_x and axis_y", ("axis_x", "axis_y"))
TOWARDS_POINT = Way("axis_point", ("axis_point",))
BODY_AXES = Way("axis_i_xi to axis_j_eta", ("axis_i_xi", "axis_i_eta", "axis_j_xi", "axis_j_eta"))
SECOND_POINT = Way("xi2_i and eta2_i", ("xi2_i", "eta2_i"))
AXES = (GLOBAL_AXIS, TOWARDS_POINT, BODY_AXES, SECOND_POINT)


def chosen_way(record: Record, ways: Sequence[Way], what: str) -> Way | None:
    """The one way in which a row says something; None where there is none or more than one, which is reported."""
    said = [way for way in ways if any(record.given(column) for column in way.columns)]
    if len(said) == 1:
        return said[0]
    names = ", or ".join(way.name for way in ways)
    if not said:
        columns = [column for way in ways for column in way.columns]
        present = [column for column in columns if column in record.table.fields]
        record.missing((present or columns)[0], f"this row needs {what}", f"fill in {names}")
        return None
    second = next(column for column in said[1].columns if record.given(column))
    record.settle(*(column for way in said for column in way.columns))
    first = next(column for column in said[0].columns if record.given(column))
    problem = f"{first} says {what} already; there is one way only"
    record.refuse(f"two-ways-{what.rsplit(maxsplit=1)[-1]}", second, problem, f"fill in either {names}")
    return None


def find_ends(record: Record, body_i: str, body_j: str, scene: Scene) -> Ends | None:
    """Where a joint or spring takes hold of its two bodies; None where that is not said rightly, which is reported."""
    way = chosen_way(record, LOCATIONS, "a location")
    if way is AT_POINT:
        point = _point(record, "point", scene)
        if point is None:
            return None
        return Ends(body_i, body_j, _on(body_i, point, scene), _on(body_j, point, scene))
    if way is AT_POINTS:
        origins = [_own_point(record, end, body, scene) for end, body in (("i", body_i), ("j", body_j))]
        if origins[0] is None or origins[1] is None:
            return None
        return Ends(body_i, body_j, origins[0], origins[1])
    if way is AT_COORDINATES:
        return Ends(body_i, body_j, _pair(record, "xi_i", "eta_i"), _pair(record, "xi_j", "eta_j"))
    return None


def _pair(record: Record, xi: str, eta: str) -> Vector:
    """A point in body coordinates. One of the two may be blank and is 0; both blank is more likely forgotten."""
    if not record.given(xi) and not record.given(eta):
        record.missing(
            xi, f"{xi} and {eta} are needed", "fill them in; 0 is the centre of mass, or the origin on the ground"
        )
    return np.array([record.number_or(xi, 0.0), record.number_or(eta, 0.0), 0.0])


def _point(record: Record, column: str, scene: Scene) -> Point | None:
    name = record.reference(column, scene.point_names)
    return scene.points.get(name) if name else None


def _own_point(record: Record, end: str, body: str, scene: Scene) -> Vector | None:
    column = f"point_{end}"
    if not record.given(column):
        record.missing(
            column, "point_i and point_j go together", "fill in both, or use point for one place on both bodies"
        )
        return None
    point = _point(record, column, scene)
    if point is None:
        return None
    return point_on(record, column, point, body, scene)


def point_on(record: Record, column: str, point: Point, body: str, scene: Scene) -> Vector | None:
    """Body coordinates of a named point on ``body``: its own point, or a place given on the ground.

    None, and reported, where the point belongs to another body: that is more likely a mix-up than meant.
    """
    if point.marker.body not in (body, GROUND):
        problem = f"this point belongs to {point.marker.body}, not to {body}"
        record.refuse("point-on-other-body", column, problem, f"use a point of {body}")
        return None
    return _on(body, point, scene)


def _on(body: str, point: Point, scene: Scene) -> Vector:
    if point.marker.body == body:
        return point.marker.origin
    return scene.poses[body].to_body(scene.where(point))


def aligned_markers(ends: Ends, axis: Vector, scene: Scene) -> tuple[Marker, Marker]:
    """Markers whose axes coincide in the initial configuration, the third along the global direction ``axis``."""
    axes = triad(axis)
    rotation_i, rotation_j = scene.poses[ends.body_i].rotation, scene.poses[ends.body_j].rotation
    return (
        Marker(ends.body_i, ends.origin_i, rotation_i.T @ axes),
        Marker(ends.body_j, ends.origin_j, rotation_j.T @ axes),
    )


def markers_along(record: Record, ends: Ends, scene: Scene) -> tuple[Marker, Marker] | None:
    """Markers of a joint that has a direction; None where the direction is not said rightly, which is reported."""
    way = chosen_way(record, AXES, "a direction")
    if way is None:
        return None
    pose_i, pose_j = scene.poses[ends.body_i], scene.poses[ends.body_j]
    start = pose_i.to_global(ends.origin_i)
    if way is GLOBAL_AXIS:
        axis = _components(record, "axis_x", "axis_y")
        scale = 0.0
    elif way is TOWARDS_POINT:
        point = _point(record, "axis_point", scene)
        if point is None:
            return None
        axis = scene.where(point) - start
        scale = _largest(start, scene.where(point))
    elif way is SECOND_POINT:
        second = _components(record, "xi2_i", "eta2_i")
        axis = pose_i.rotation @ (second - ends.origin_i)
        scale = _largest(second, ends.origin_i)
    else:
        return _markers_of_body_axes(record, ends, pose_i, pose_j)
    if _is_zero(record, way.columns[0], axis, scale):
        return None
    return aligned_markers(ends, axis, scene)


def _markers_of_body_axes(record: Record, ends: Ends, pose_i: Pose, pose_j: Pose) -> tuple[Marker, Marker] | None:
    """Third axes as given on each body; the first axis of j as near as it can be to that of i at the start."""
    for side in "ij":
        if not record.given(f"axis_{side}_xi") and not record.given(f"axis_{side}_eta"):
            problem = "the direction in body axes is needed on both bodies"
            record.missing(f"axis_{side}_xi", problem, f"fill in axis_{side}_xi and axis_{side}_eta")
            return None
    axis_i = _components(record, "axis_i_xi", "axis_i_eta")
    axis_j = _components(record, "axis_j_xi", "axis_j_eta")
    wrong = [_is_zero(record, "axis_i_xi", axis_i, 0.0), _is_zero(record, "axis_j_xi", axis_j, 0.0)]
    if any(wrong):
        return None
    axes_i, axes_j = triad(axis_i), triad(axis_j)
    third = axes_j[:, 2]
    wanted = pose_j.rotation.T @ pose_i.rotation @ axes_i[:, 0]
    first = wanted - third * (third @ wanted)
    length = np.linalg.norm(first)
    if length > NEARLY_ZERO:
        first = first / length
        axes_j = np.column_stack((first, np.cross(third, first), third))
    return Marker(ends.body_i, ends.origin_i, axes_i), Marker(ends.body_j, ends.origin_j, axes_j)


def _components(record: Record, first: str, second: str) -> Vector:
    return np.array([record.number_or(first, 0.0), record.number_or(second, 0.0), 0.0])


def _is_zero(record: Record, column: str, axis: Vector, scale: float) -> bool:
    if not np.all(np.isfinite(axis)):
        return True
    if np.linalg.norm(axis) > NEARLY_ZERO * scale:
        return False
    record.refuse("zero-direction", column, "a direction must not be zero", "give a direction, or a point further away")
    return True


def _largest(*vectors: Vector) -> float:
    return max(float(np.max(np.abs(vector))) for vector in vectors)


def distance(ends: Ends, scene: Scene) -> float:
    """Distance of the two ends in the initial configuration; 0 where it is nothing but rounding."""
    place_i = scene.poses[ends.body_i].to_global(ends.origin_i)
    place_j = scene.poses[ends.body_j].to_global(ends.origin_j)
    length = float(np.linalg.norm(place_j - place_i))
    return 0.0 if length <= NEARLY_ZERO * _largest(place_i, place_j) else length


def centre_marker(body: str, scene: Scene) -> Marker:
    """Marker at a body's centre of mass with axes along the global ones in the initial configuration."""
    return Marker(body, np.zeros(3), scene.poses[body].rotation.T.copy())
