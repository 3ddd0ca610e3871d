"""Bodies of a scene: their shapes in their own axes, once, and their poses over the frames."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray
from scipy.spatial import ConvexHull

from sheetmbs.elements.beam_shapes import BeamSpace
from sheetmbs.elements.marker import GROUND, Marker
from sheetmbs.elements.rotation import cross
from sheetmbs.lower.beam_supports import beam_spaces
from sheetmbs.model.model import Beam, Body, Model
from sheetmbs.results.pictures.scene import CURVE_POINTS, held_by, outline
from sheetmbs.schema.table import Table
from sheetmbs.viewing.packed import Json, packed, plain

Floats = NDArray[np.float64]
FEW = 3
"""points of a body between which lines go straight; of more the edges of their hull are drawn"""
ALIKE = 0.97
"""cosine between faces of which nobody sees that they are two: no line is drawn where they meet"""
FLAT = 1e-6
"""of the size of a body: points that lie nearer to one plane or line are on it"""


def column_of(tables: Sequence[Table], sheet: str, name: str) -> Floats | None:
    """(rows,) of a column of results; None where there is none."""
    table = next((each for each in tables if each.name == sheet), None)
    return None if table is None or name not in table.columns else table.values[:, table.columns.index(name)]


def poses(model: Model, columns: Mapping[str, Floats], rows: NDArray[np.int64]) -> Floats:
    """(rows, bodies, 3) x, y, phi in the plane, else (rows, bodies, 7) x, y, z and Euler parameters; m and rad.

    columns: of the results of bodies, by name.
    """
    names = ("x", "y", "phi") if model.settings.dimension == "2D" else ("x", "y", "z", "e0", "e1", "e2", "e3")
    found = np.zeros((len(rows), len(model.bodies), len(names)))
    sizes = {"phi": model.display.angle[1], **dict.fromkeys("xyz", model.display.length[1])}
    for number, body in enumerate(model.bodies):
        for place, name in enumerate(names):
            column = columns.get(f"{body.name}.{name}")
            if column is not None:
                found[:, number, place] = column[rows] * sizes.get(name, 1.0)
    return found


def scene_bodies(model: Model, columns: Mapping[str, Floats], rows: NDArray[np.int64]) -> list[Json]:
    """Name, places, lines and faces of each body; of beams their shapes and the amplitudes of these."""
    held, spaces = held_by(model), beam_spaces(model)
    return [
        _rigid(body, held[body.name]) | (_beam(body, spaces[body.name], columns, rows) if body.name in spaces else {})
        for body in model.bodies
    ]


def _rigid(body: Body, held: Sequence[Marker]) -> Json:
    points = [marker.origin for marker in held]
    found: Json = {"name": body.name, "mass": body.mass, "points": plain(np.array(points).reshape(-1, 3))}
    hull = faces(np.array(points).reshape(-1, 3))
    lines = (
        edges(hull) if len(points) > FEW and hull else [plain(np.array(line)) for line in outline(points, np.zeros(3))]
    )
    return found | {"lines": lines, "faces": hull}


def _beam(body: Body, space: BeamSpace, columns: Mapping[str, Floats], rows: NDArray[np.int64]) -> Json:
    """The line of a beam: its shapes at places along it, and their amplitudes (rows, shapes), those across it first."""
    if not isinstance(body, Beam):
        raise TypeError(body.name)
    amplitudes = [columns[f"{body.name}.{name}"][rows] for name in space.names]
    beam = {
        "length": body.length,
        "along": [_shapes(body.length, space, share) for share in np.linspace(0.0, 1.0, CURVE_POINTS)],
        "amplitudes": packed(np.array(amplitudes).T),
    }
    return {"lines": [], "faces": [], "beam": beam}


def _shapes(length: float, space: BeamSpace, share: float) -> Json:
    """At a place along a beam: xi, and by how much its shapes of amplitude 1 move, turn and shorten it."""
    at = np.array([share])
    nodes, weights = space.nodes(end=share)
    slopes = space.across(nodes, 1)
    return {
        "xi": share * length,
        "across": plain(space.across(at)[0]),
        "slope": plain(space.across(at, 1)[0] / length),
        "stretch": plain(space.along(at)[0]),
        "shorten": plain((slopes.T * weights) @ slopes / (2.0 * length)),
    }


def scene_marker(model: Model, marker: Marker) -> Json:
    """A place on a body: the number of the body, -1 the ground, and where it is in body coordinates, m."""
    if marker.body == GROUND:
        return {"body": -1, "at": plain(marker.origin)}
    number = next(k for k, body in enumerate(model.bodies) if body.name == marker.body)
    body = model.bodies[number]
    found: Json = {"body": number, "at": plain(marker.origin)}
    if isinstance(body, Beam) and not marker.floating:
        share = float(np.clip(marker.origin[0] / body.length, 0.0, 1.0))
        found["bent"] = _shapes(body.length, beam_spaces(model)[body.name], share)
    return found


def edges(triangles: Sequence[Sequence[Sequence[float]]]) -> list[list[list[float]]]:
    """Lines (2 places each) along the edges of a hull: those whose triangles do not lie in one plane."""
    normals: dict[tuple[tuple[float, ...], ...], list[Floats]] = {}
    for triangle in triangles:
        corners = [np.array(corner) for corner in triangle]
        normal = cross(corners[1] - corners[0], corners[2] - corners[0])
        unit = normal / max(float(np.linalg.norm(normal)), 1e-300)
        for k in range(3):
            ends = sorted((tuple(triangle[k]), tuple(triangle[k - 1])))
            normals.setdefault(tuple(ends), []).append(unit)
    return [
        [list(end) for end in ends]
        for ends, sides in normals.items()
        if len(sides) == 1 or abs(float(sides[0] @ sides[1])) < ALIKE
    ]


def faces(points: Floats) -> list[list[list[float]]]:
    """Triangles (3 places each) of the hull of points (n, 3): of a plane figure those that fill it, () of a line."""
    if len(points) < 3:
        return []
    middle = np.mean(points, axis=0)
    _, sizes, directions = np.linalg.svd(points - middle)
    rank = int(np.sum(sizes > FLAT * sizes[0])) if sizes[0] > 0.0 else 0
    if rank < 2:
        return []
    if rank == 2:
        around = points[ConvexHull((points - middle) @ directions[:2].T).vertices]
        return [plain(np.array([around[0], *around[k : k + 2]])) for k in range(1, len(around) - 1)]
    return [plain(points[corner]) for corner in ConvexHull(points).simplices]
