"""A mechanism over time as a page draws it: shapes once, poses frame by frame, and what acts where."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from sheetmbs.elements import JOINTS
from sheetmbs.elements.forces import FORCE_TYPES
from sheetmbs.elements.joints.wheel_on_road import WHEEL_ON_ROAD
from sheetmbs.elements.marker import GROUND, Marker
from sheetmbs.model.model import Force, Model, Spring
from sheetmbs.results.pictures.scene import held_by, scene_of, size_of
from sheetmbs.results.pictures.strokes import SLIDES
from sheetmbs.results.results import Results
from sheetmbs.viewing.packed import Json, packed, plain
from sheetmbs.viewing.scene_bodies import poses, scene_bodies, scene_marker
from sheetmbs.viewing.scene_loads import series_loads, varying_load

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
EARTH = 9.80665
"""m/s^2"""


def scene_document(results: Results, rows: Ints) -> Json | None:
    """What a page draws of a motion at some rows of its results; None where nothing was computed. Lengths in m."""
    table = next((each for each in results.sheets.tables if each.name == "mbs Bodies"), None)
    if table is None or not len(table.values):
        return None
    model = results.model
    columns = {name: table.values[:, place] for place, name in enumerate(table.columns)}
    is_planar = model.settings.dimension == "2D"
    some = sorted({int(rows[0]), int(rows[len(rows) // 2]), int(rows[-1])})
    shown = (dict(zip(table.columns, table.values[row].tolist(), strict=True)) for row in some)
    return {
        "plane": is_planar,
        "up": plain(_up(model)),
        "size": size_of(model, [scene_of(model, row) for row in shown]),
        "times": packed(table.rows[rows]),
        "bodies": scene_bodies(model, columns, rows),
        "poses": packed(poses(model, columns, rows)),
        "ground": [plain(marker.origin) for marker in held_by(_without_slides(model))[GROUND]],
        "joints": list(_joints(model)),
        "springs": list(_springs(model)),
        "points": list(_points(model)),
        "wheels": list(_wheels(model)),
        "arrows": [*_reactions(model), *_pulls(model), *_loads(results, rows)],
    }


def _up(model: Model) -> Floats:
    """The global axis against which weights act; y in the plane and z in space where there are none.

    Of a gravity that is tilted, to load a car as in a bend, it is the component nearest to that of the earth; z of equal ones.
    """
    gravity = np.array(model.settings.gravity)
    if model.settings.dimension == "2D" or not np.any(gravity):
        return np.array([0.0, 1.0, 0.0] if model.settings.dimension == "2D" else [0.0, 0.0, 1.0])
    weight = min(np.flatnonzero(gravity)[::-1], key=lambda axis: abs(abs(gravity[axis]) - EARTH))
    up = np.zeros(3)
    up[weight] = -np.sign(gravity[weight])
    return up


def _without_slides(model: Model) -> Model:
    """The model without the joints that slide on the ground: where one begins to, nothing is held."""
    return replace(model, joints=tuple(each for each in model.joints if each.type not in SLIDES))


def _points(model: Model) -> Iterator[Json]:
    """Those of bodies, and those of the ground at which it holds something.

    At others on the ground bodies are assembled, and have left them as soon as they move.
    """
    held = [marker.origin for marker in held_by(model)[GROUND]]
    for each in model.points:
        is_held = any(np.allclose(each.marker.origin, place) for place in held)
        if each.report or each.marker.body != GROUND or is_held:
            yield {"name": each.name, "marker": scene_marker(model, each.marker), "path": each.report}


def _joints(model: Model) -> Iterator[Json]:
    for joint in model.joints:
        declared = JOINTS[joint.type]
        if declared.point:
            yield {
                "name": joint.name,
                "type": joint.type,
                "i": scene_marker(model, joint.i),
                "j": scene_marker(model, joint.j),
                "axis": plain(joint.i.axes[:, 2]),
                "link": declared.is_link,
                "slides": joint.type in SLIDES,
            }
    for clearance in model.clearances:
        yield {
            "name": clearance.name,
            "type": "clearance",
            "i": scene_marker(model, clearance.i),
            "j": scene_marker(model, clearance.j),
            "axis": [0.0, 0.0, 1.0],
            "link": False,
            "slides": False,
            "radii": [clearance.radius_i, clearance.radius_j],
        }


def _springs(model: Model) -> Iterator[Json]:
    for spring in model.springs:
        yield {
            "name": spring.name,
            "type": spring.type,
            "called": FORCE_TYPES[spring.type].called,
            "i": scene_marker(model, spring.i),
            "j": scene_marker(model, spring.j),
            "axis": plain(spring.i.axes[:, 2]),
            "picture": _picture(spring),
        }


def _picture(spring: Spring) -> str:
    """``coil``, ``damper``, both as ``coil damper``, ``cylinder``, ``bushing`` or ``turning``."""
    ends = FORCE_TYPES[spring.type].ends
    if ends != "line":
        return "turning" if ends == "axis" else "bushing"
    if FORCE_TYPES[spring.type].picture == "cylinder":
        return "cylinder"
    parts = [("elastic", "coil"), ("damping", "damper"), ("actuator", "cylinder")]
    return " ".join(picture for part, picture in parts if spring.has(part)) or "coil"  # type: ignore[arg-type]


def _wheels(model: Model) -> Iterator[Json]:
    for joint in model.joints:
        if joint.type == WHEEL_ON_ROAD.name:
            axis, radius = plain(joint.j.axes[:, 2]), joint.values["radius"]
            yield {"name": joint.name, "marker": scene_marker(model, joint.j), "axis": axis, "radius": radius}


def _reactions(model: Model) -> Iterator[Json]:
    """Forces on bodies i at joints, by the columns that hold their global components."""
    for joint in model.joints:
        if JOINTS[joint.type].point:
            yield _arrow(model, "reaction", joint.name, joint.i) | {
                "sheet": "mbs Joints",
                "columns": [f"{joint.name}.i.f{axis}" for axis in "xyz"],
            }
    for clearance in model.clearances:
        yield _arrow(model, "reaction", clearance.name, clearance.j) | {
            "sheet": "mbs Clearances",
            "columns": [f"{clearance.name}.normal_force", f"{clearance.name}.tangential_force"],
            "inwards": scene_marker(model, clearance.i),
        }


def _pulls(model: Model) -> Iterator[Json]:
    """Forces of springs: along the line from one end to the other, or in the axes of marker i."""
    for spring in model.springs:
        ends = FORCE_TYPES[spring.type].ends
        found = _arrow(model, "spring", spring.name, spring.i) | {"sheet": "mbs Springs"}
        if ends == "line":
            loads = FORCE_TYPES[spring.type].loads("force")
            yield found | {"columns": [f"{spring.name}.{loads[0]}"], "towards": scene_marker(model, spring.j)}
        elif ends == "axes":
            axes = plain(spring.i.axes)
            yield found | {"columns": [f"{spring.name}.f{axis}" for axis in "xyz"], "axes": axes}


def _loads(results: Results, rows: Ints) -> Iterator[Json]:
    """Loads on bodies: of the sheets Forces, ForceSeries and Bodies, in N."""
    model = results.model
    for force in model.forces:
        found = _arrow(model, "load", force.name, force.marker)
        if force.in_body_axes:
            found["axes"] = plain(np.eye(3))
        constant = _constant(force)
        varying = varying_load(results, force, rows) if constant is None else None
        if constant is not None and np.any(constant):
            yield found | {"constant": plain(constant)}
        elif varying is not None and np.any(varying):
            yield found | {"values": packed(varying)}
    for number, series in enumerate(model.force_series, start=len(model.forces)):
        measured = series_loads(results.lowered, number, series, results.solution.times[rows])
        yield _arrow(model, "load", f"{series.body}: measured force", Marker(series.body, floating=True)) | measured
    for body in model.bodies:
        if np.any(body.force):
            yield _arrow(model, "load", body.name, Marker(body.name, floating=True)) | {"constant": plain(body.force)}


def _constant(force: Force) -> Floats | None:
    if force.curve is not None or not all(isinstance(part, float | int) for part in force.force):
        return None
    return np.array(force.force, dtype=np.float64)


def _arrow(model: Model, kind: str, name: str, marker: Marker) -> Json:
    return {"kind": kind, "name": name, "marker": scene_marker(model, marker)}
