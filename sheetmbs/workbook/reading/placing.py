"""Places of joints and springs: from the many ways to give them in a row to markers on two bodies.

All ways speak of the initial configuration.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from math import isfinite

import numpy as np

from sheetmbs.elements.marker import GROUND, Marker, Vector, triad
from sheetmbs.elements.rotation import size_of, smallest_rotation
from sheetmbs.model.model import Point
from sheetmbs.workbook.reading.input_table import Record
from sheetmbs.workbook.reading.parse_cache import KnownParts
from sheetmbs.workbook.reading.registry import Registry

MAX_SKEW_COSINE = 1e-3
"""cosine from which on two directions are not meant to be at right angles"""
ZERO_LENGTH_RATIO = 1e-12
"""relative to the coordinates of the points: what is closer together has no direction"""


@dataclass(frozen=True, eq=False)
class Pose:
    """A body in the initial configuration. position: (3,) m. rotation: (3, 3), columns are the body's axes.

    centre: (3,) its centre of mass in body coordinates.
    """

    position: Vector
    rotation: Vector
    centre: Vector = field(default_factory=lambda: np.zeros(3))

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


GROUND_POSE = planar_pose(0.0, 0.0, 0.0)


@dataclass(frozen=True)
class PlacingScene:
    """The initial configuration: poses of the bodies and of the ground, and the points, by exact name."""

    poses: KnownParts[Pose]
    points: KnownParts[Point]
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
AT_COORDINATES = Way("body coordinates", ("xi_i", "eta_i", "zeta_i", "xi_j", "eta_j", "zeta_j"))
LOCATIONS = (AT_POINT, AT_POINTS, AT_COORDINATES)

AXIS_I = ("axis_i_xi", "axis_i_eta", "axis_i_zeta")
AXIS_J = ("axis_j_xi", "axis_j_eta", "axis_j_zeta")
GLOBAL_AXIS = Way("axis_x, axis_y and axis_z", ("axis_x", "axis_y", "axis_z"))
TOWARDS_POINT = Way("axis_point", ("axis_point",))
BODY_AXES = Way("axis_i_xi to axis_j_zeta", (*AXIS_I, *AXIS_J))
SECOND_POINT = Way("xi2_i and eta2_i", ("xi2_i", "eta2_i"))
ON_BODY_I = Way("axis_i_xi, axis_i_eta and axis_i_zeta", AXIS_I)
PLANAR_AXES = (
    Way("axis_x and axis_y", ("axis_x", "axis_y")),
    TOWARDS_POINT,
    Way("axis_i_xi to axis_j_eta", (*AXIS_I[:2], *AXIS_J[:2])),
    SECOND_POINT,
)
SPATIAL_AXES = (GLOBAL_AXIS, TOWARDS_POINT, BODY_AXES)
FIRST_AXES = (GLOBAL_AXIS, TOWARDS_POINT, ON_BODY_I)
"""of a joint with a second direction on body j"""
SECOND_AXES = (
    Way("axis2_x, axis2_y and axis2_z", ("axis2_x", "axis2_y", "axis2_z")),
    Way("axis2_point", ("axis2_point",)),
    Way("axis2_j_xi, axis2_j_eta and axis2_j_zeta", ("axis2_j_xi", "axis2_j_eta", "axis2_j_zeta")),
    Way("axis_j_xi, axis_j_eta and axis_j_zeta", AXIS_J),
)


def chosen_way(record: Record, ways: Sequence[Way], what: str) -> Way | None:
    """The one way in which a row says something; None where there is none or more than one, which is reported."""
    columns = tuple(column for way in ways for column in way.columns)
    return record.of_columns(columns, "way", lambda: _chosen_way(record, ways, what))


def _chosen_way(record: Record, ways: Sequence[Way], what: str) -> Way | None:
    said = [way for way in ways if any(record.given(column) for column in way.columns)]
    if len(said) == 1:
        return said[0]
    names = ", or ".join(way.name for way in ways)
    if not said:
        columns = [column for way in ways for column in way.columns]
        if record.table.headers.report_absent(*columns, rule=f"rows need {what}"):
            return None
        present = [column for column in columns if column in record.table.fields]
        record.missing((present or columns)[0], f"this row needs {what}", f"fill in {names}")
        return None
    second = next(column for column in said[1].columns if record.given(column))
    record.settle(*(column for way in said for column in way.columns))
    first = next(column for column in said[0].columns if record.given(column))
    problem = f"{first} is filled in too, and a row has one {what.removeprefix('a ')} only"
    record.refuse(f"two-ways-{what.rsplit(maxsplit=1)[-1]}", second, problem, f"fill in either {names}")
    return None


def find_ends(record: Record, body_i: str, body_j: str, scene: PlacingScene) -> Ends | None:
    """The markers of a joint or spring on its two bodies; None if its place is not given rightly, which is reported."""
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
        return Ends(body_i, body_j, _body_coordinates(record, "i"), _body_coordinates(record, "j"))
    return None


def _body_coordinates(record: Record, side: str) -> Vector:
    """A point in body coordinates. One of them may be blank and is 0; all blank is more likely forgotten."""
    columns = [f"{name}_{side}" for name in ("xi", "eta", "zeta")][: 2 if record.table.dimension == "2D" else 3]
    if not any(record.given(column) for column in columns):
        names = " and ".join((", ".join(columns[:-1]), columns[-1]))
        mend = "fill them in; 0 is the centre of mass, or the origin on the ground"
        record.missing(columns[0], f"{names} are needed", mend)
    return components(record, columns)


def _point(record: Record, column: str, scene: PlacingScene) -> Point | None:
    name = record.reference(column, scene.point_names)
    return scene.points.find(name)


def _own_point(record: Record, end: str, body: str, scene: PlacingScene) -> Vector | None:
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


def point_on(record: Record, column: str, point: Point, body: str, scene: PlacingScene) -> Vector | None:
    """Body coordinates of a named point on ``body``: its own point, or a place given on the ground.

    None, and reported, where the point belongs to another body: that is more likely a mix-up than meant.
    """
    if point.marker.body not in (body, GROUND):
        problem = f"this point belongs to {point.marker.body}, not to {body}"
        record.refuse("point-on-other-body", column, problem, f"use a point of {body}")
        return None
    return _on(body, point, scene)


def _on(body: str, point: Point, scene: PlacingScene) -> Vector:
    if point.marker.body == body:
        return point.marker.origin
    return scene.poses[body].to_body(scene.where(point))


def aligned_markers(ends: Ends, axis: Vector, scene: PlacingScene) -> tuple[Marker, Marker]:
    """Markers whose axes coincide in the initial configuration, the third along the global direction ``axis``."""
    axes = triad(axis)
    rotation_i, rotation_j = scene.poses[ends.body_i].rotation, scene.poses[ends.body_j].rotation
    return (
        Marker(ends.body_i, ends.origin_i, rotation_i.T @ axes),
        Marker(ends.body_j, ends.origin_j, rotation_j.T @ axes),
    )


def markers_along(
    record: Record, ends: Ends, scene: PlacingScene, second_axis: str = ""
) -> tuple[Marker, Marker] | None:
    """Markers of a joint that has a direction; None where the direction is not said rightly, which is reported.

    second_axis: whether it takes another direction on body j, ``needed`` or ``allowed``, then the third axis of marker j.
    """
    has_second = second_axis == "needed" or (
        second_axis == "allowed" and any(record.given(column) for way in SECOND_AXES[:3] for column in way.columns)
    )
    spatial = FIRST_AXES if has_second else SPATIAL_AXES
    way = chosen_way(record, PLANAR_AXES if record.table.dimension == "2D" else spatial, "a direction")
    if way is None:
        return None
    if way.columns[-1] in AXIS_J:
        return _markers_of_body_axes(record, ends, scene)
    axis = _direction(record, way, ends.body_i, ends.origin_i, scene)
    if axis is None:
        return None
    markers = aligned_markers(ends, axis, scene)
    if not has_second:
        return markers
    second_way = chosen_way(record, SECOND_AXES, "a second direction")
    second = _direction(record, second_way, ends.body_j, ends.origin_j, scene) if second_way else None
    if second is None or second_way is None:
        return None
    if second_axis == "allowed":
        return markers[0], _bent(markers[0], markers[1], second, scene)
    _warn_of_skew(record, second_way, axis, second)
    return markers[0], aligned_markers(ends, second, scene)[1]


def _direction(record: Record, way: Way, body: str, origin: Vector, scene: PlacingScene) -> Vector | None:
    """Global direction in the initial configuration, of unit length; None where it has none, which is reported."""
    pose = scene.poses[body]
    scale = 0.0
    if way.columns[0].endswith("_point"):
        point = _point(record, way.columns[0], scene)
        if point is None:
            return None
        start = pose.to_global(origin)
        axis = scene.where(point) - start
        scale = _largest(start, scene.where(point))
    elif way is SECOND_POINT:
        second = components(record, way.columns)
        axis = pose.rotation @ (second - origin)
        scale = _largest(second, origin)
    elif way.columns[0].endswith("_x"):
        axis = components(record, way.columns)
    else:
        axis = pose.rotation @ components(record, way.columns)
    if _is_zero(record, way.columns[0], axis, scale):
        return None
    return np.asarray(axis / size_of(axis))


def _bent(marker_i: Marker, marker_j: Marker, second: Vector, scene: PlacingScene) -> Marker:
    """Marker j of two shafts at an angle: its axes are those of marker i, turned by no more than that angle."""
    axes = scene.poses[marker_i.body].rotation @ marker_i.axes
    turned = smallest_rotation(axes[:, 2], second) @ axes
    return Marker(marker_j.body, marker_j.origin, scene.poses[marker_j.body].rotation.T @ turned)


def _warn_of_skew(record: Record, way: Way, axis: Vector, second: Vector) -> None:
    cosine = abs(float(axis @ second))
    if cosine > MAX_SKEW_COSINE:
        angle = np.degrees(np.arccos(min(1.0, cosine)))
        found = f"the two directions are {angle:.4g} deg apart"
        problem = "this type keeps them at right angles"
        mend = "correct one of them; otherwise the initial configuration is corrected"
        record.report.warning("skew-directions", record.place(way.columns[0]), found, problem, mend)


def _markers_of_body_axes(record: Record, ends: Ends, scene: PlacingScene) -> tuple[Marker, Marker] | None:
    """Third axes as given on each body; the others of j are those of i at the start, turned no further than that takes."""
    pose_i, pose_j = scene.poses[ends.body_i], scene.poses[ends.body_j]
    count = 2 if record.table.dimension == "2D" else 3
    for columns in (AXIS_I[:count], AXIS_J[:count]):
        if not any(record.given(column) for column in columns):
            problem = "the direction in body axes is needed on both bodies"
            record.missing(columns[0], problem, f"fill in {', '.join(columns[:-1])} and {columns[-1]}")
            return None
    axis_i, axis_j = components(record, AXIS_I[:count]), components(record, AXIS_J[:count])
    wrong = [_is_zero(record, AXIS_I[0], axis_i, 0.0), _is_zero(record, AXIS_J[0], axis_j, 0.0)]
    if any(wrong):
        return None
    axes_i, axes_j = triad(axis_i), triad(axis_j)
    as_seen = pose_j.rotation.T @ pose_i.rotation @ axes_i
    axes_j = smallest_rotation(as_seen[:, 2], axes_j[:, 2]) @ as_seen
    return Marker(ends.body_i, ends.origin_i, axes_i), Marker(ends.body_j, ends.origin_j, axes_j)


def components(record: Record, columns: Sequence[str]) -> Vector:
    """(3,) numbers of two or three columns, 0 where blank."""

    def found() -> Vector:
        numbers = np.zeros(3)
        numbers[: len(columns)] = [record.number_or(column, 0.0) for column in columns]
        numbers.setflags(write=False)
        return numbers

    return record.of_columns(tuple(columns), "components", found)


def _is_zero(record: Record, column: str, axis: Vector, scale: float) -> bool:
    if not all(map(isfinite, axis.tolist())):
        return True
    if size_of(axis) > ZERO_LENGTH_RATIO * scale:
        return False
    record.refuse("zero-direction", column, "a direction must not be zero", "give a direction, or a point further away")
    return True


def _largest(*vectors: Vector) -> float:
    return max(abs(float(part)) for vector in vectors for part in vector.tolist())


def distance(ends: Ends, scene: PlacingScene) -> float:
    """Distance of the two ends in the initial configuration; 0 where it is nothing but rounding."""
    place_i = scene.poses[ends.body_i].to_global(ends.origin_i)
    place_j = scene.poses[ends.body_j].to_global(ends.origin_j)
    length = size_of(place_j - place_i)
    return 0.0 if length <= ZERO_LENGTH_RATIO * _largest(place_i, place_j) else length


def centre_marker(body: str, scene: PlacingScene) -> Marker:
    """Marker at a body's centre of mass with axes along the global ones in the initial configuration."""
    return Marker(body, np.zeros(3), scene.poses[body].rotation.T.copy())
