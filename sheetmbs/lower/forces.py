"""Springs and loads as arrays."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sheetmbs.elements.marker import GROUND
from sheetmbs.engine.arrays import LOAD, SPRING, VARIABLE, Records
from sheetmbs.engine.codes import Quantity, SpringKind
from sheetmbs.lower.bodies import Frames, rotation
from sheetmbs.lower.motions import Motions
from sheetmbs.model import Formula, Model, Spring

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

POINTS = {"centre": 0, "global": 1, "body": 2}
NO_INDEX = -1


@dataclass(frozen=True)
class LoweredForces:
    """Springs and loads. load_value: (loads, 6); load_index: (loads, 9), curve or formula of a component or point, or -1."""

    springs: Records
    loads: Records
    load_value: Floats
    load_index: Ints


def lower_forces(model: Model, frames: Frames, motions: Motions) -> LoweredForces:
    """Springs as given; loads of the sheets Forces and ForceSeries, in that order."""
    springs = np.array([_spring(spring, model, frames, motions) for spring in model.springs], dtype=SPRING)
    loads = []
    values = np.zeros((len(model.forces) + len(model.force_series), 6))
    index = np.full((len(values), 9), NO_INDEX, dtype=np.int64)
    for n, force in enumerate(model.forces):
        frame = frames.of(force.marker)
        scale = NO_INDEX if force.curve is None else motions.add_curve(force.curve)
        loads.append((frame, frames.names[force.marker.body], int(force.in_body_axes), scale, 0, 0))
        for k, component in enumerate((*force.force, *force.moment)):
            if isinstance(component, Formula):
                values[n, k] = component.scale
                index[n, k] = motions.add_formula(component)
            else:
                values[n, k] = component
    for n, series in enumerate(model.force_series, start=len(model.forces)):
        body = frames.names[series.body]
        point = POINTS[series.point_frame]
        loads.append((frames.at(body, np.zeros(3)), body, 0, NO_INDEX, 1, point))
        columns = [*series.force.T, *series.moment.T, *(series.point.T if point else ())]
        for k, samples in enumerate(columns):
            if np.any(samples):
                index[n, k] = motions.add_samples(series.times, samples)
    return LoweredForces(
        springs=springs.view(np.recarray),
        loads=np.array(loads, dtype=LOAD).view(np.recarray),
        load_value=values,
        load_index=index,
    )


def lower_variables(model: Model, frames: Frames, motions: Motions) -> Records:
    """What the motion columns of formulas read: components of bodies and points."""
    bodies = {body.name: (frames.names[body.name], np.zeros(3)) for body in model.bodies}
    points = {point.name: (frames.names[point.marker.body], point.marker.origin) for point in model.points}
    records = []
    for name in motions.variables:
        element, _, column = name.rpartition(".")
        body, origin = bodies[element] if element in bodies else points[element]
        records.append((frames.at(body, origin), body, int(Quantity[column.upper()])))
    return np.array(records, dtype=VARIABLE).view(np.recarray)


def _spring(
    spring: Spring, model: Model, frames: Frames, motions: Motions
) -> tuple[int, int, int, int, int, float, float, float, float, int, int]:
    kind = SpringKind[spring.type.upper()]
    natural = _initial(spring, model) if spring.natural is None else spring.natural
    curves = [NO_INDEX if name is None else motions.add_curve(name) for name in (spring.curve_k, spring.curve_c)]
    return (
        int(kind),
        frames.of(spring.i),
        frames.of(spring.j),
        frames.names[spring.i.body],
        frames.names[spring.j.body],
        spring.k,
        spring.c,
        spring.force,
        natural,
        curves[0],
        curves[1],
    )


def _initial(spring: Spring, model: Model) -> float:
    """Length or angle in the initial configuration."""
    bodies = {body.name: body for body in model.bodies}
    if spring.type == "rotational":
        angles = [0.0 if m.body == GROUND else float(bodies[m.body].angles[2]) for m in (spring.i, spring.j)]
        return angles[1] - angles[0]
    ends = [
        m.origin if m.body == GROUND else bodies[m.body].position + rotation(bodies[m.body]) @ m.origin
        for m in (spring.i, spring.j)
    ]
    return float(np.linalg.norm(ends[1] - ends[0]))
