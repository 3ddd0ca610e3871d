"""Springs and loads as arrays."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sheetmbs.elements.marker import GROUND, Marker
from sheetmbs.elements.rotation import rotation_vector
from sheetmbs.engine.arrays import Bushings
from sheetmbs.engine.codes import Quantity, SpringKind
from sheetmbs.engine.records import BUSHING, LOAD, SPRING, VARIABLE, Records
from sheetmbs.lower.lower_bodies import Frames, rotation
from sheetmbs.lower.lower_constraints import initial_turn
from sheetmbs.lower.lower_motions import Motions
from sheetmbs.lower.lower_turns import Turns
from sheetmbs.model import Beam, Formula, Model, Spring

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

POINTS = {"centre": 0, "global": 1, "body": 2}
NO_INDEX = -1


@dataclass(frozen=True)
class LoweredForces:
    """Springs, bushings and loads.

    load_value: (loads, 6); load_index: (loads, 9), curve or formula of a component or point, or -1.
    """

    springs: Records
    bushings: Bushings
    loads: Records
    load_value: Floats
    load_index: Ints


def lower_forces(model: Model, frames: Frames, turns: Turns, motions: Motions) -> LoweredForces:
    """Springs as given; loads of the sheets Forces and ForceSeries, in that order, then constant moments in space."""
    place = _Places(model)
    springs = [spring for spring in model.springs if spring.type != "bushing"]
    bushings = [spring for spring in model.springs if spring.type == "bushing"]
    moments = [body for body in model.bodies if np.any(body.moment) and not place.is_planar]
    loads = []
    values = np.zeros((len(model.forces) + len(model.force_series) + len(moments), 6))
    index = np.full((len(values), 9), NO_INDEX, dtype=np.int64)
    for n, force in enumerate(model.forces):
        frame = frames.of(force.marker)
        scale = NO_INDEX if force.curve is None else motions.add_curve(force.curve)
        loads.append((frame, frames.body_of(force.marker), int(force.in_body_axes), scale, 0, 0))
        for k, component in enumerate((*force.force, *force.moment)):
            if isinstance(component, Formula):
                values[n, k] = component.scale
                index[n, k] = motions.add_formula(component)
            else:
                values[n, k] = component
    for n, series in enumerate(model.force_series, start=len(loads)):
        middle = place.middle(series.body)
        point = POINTS[series.point_frame]
        loads.append((frames.of(middle), frames.body_of(middle), 0, NO_INDEX, 1, point))
        columns = [*series.force.T, *series.moment.T, *(series.point.T if point else ())]
        for k, samples in enumerate(columns):
            if np.any(samples):
                index[n, k] = motions.add_samples(series.times, samples)
    for n, turned in enumerate(moments, start=len(loads)):
        body = frames.names[turned.name]
        loads.append((frames.at(body, np.zeros(3)), body, 0, NO_INDEX, 0, 0))
        values[n, 3:] = turned.moment
    return LoweredForces(
        springs=np.array([_spring(each, place, frames, turns, motions) for each in springs], dtype=SPRING).view(
            np.recarray
        ),
        bushings=Bushings(
            record=np.array([_bushing(each, frames) for each in bushings], dtype=BUSHING).view(np.recarray),
            stiffness=np.array([each.stiffness for each in bushings]).reshape(-1, 6),
            damping=np.array([each.damping for each in bushings]).reshape(-1, 6),
            rest=np.array([place.deflection(each) for each in bushings]).reshape(-1, 6),
        ),
        loads=np.array(loads, dtype=LOAD).view(np.recarray),
        load_value=values,
        load_index=index,
    )


def lower_variables(model: Model, frames: Frames, motions: Motions) -> Records:
    """The variables of formulas that depend on motion: components of bodies and points."""
    markers = {body.name: Marker(body.name, floating=True) for body in model.bodies}
    markers |= {point.name: point.marker for point in model.points if point.name not in markers}
    records = []
    for name in motions.variables:
        element, _, column = name.rpartition(".")
        marker = markers[element]
        records.append((frames.of(marker), frames.body_of(marker), int(Quantity[column.upper()])))
    return np.array(records, dtype=VARIABLE).view(np.recarray)


class _Places:
    """Markers in the initial configuration."""

    def __init__(self, model: Model) -> None:
        self.is_planar = model.settings.dimension == "2D"
        self._bodies = {body.name: body for body in model.bodies}
        self._turn = {body.name: rotation(body, model.settings.dimension) for body in model.bodies}
        self._turn[GROUND] = np.eye(3)

    def point(self, marker: Marker) -> Floats:
        """Global position."""
        if marker.body == GROUND:
            return marker.origin
        return np.asarray(self._bodies[marker.body].position + self._turn[marker.body] @ marker.origin)

    def middle(self, name: str) -> Marker:
        """The centre of mass of a body, on a beam the section that is there while it is undeformed."""
        body = self._bodies[name]
        return Marker(name, np.array([0.5 * body.length, 0.0, 0.0]) if isinstance(body, Beam) else np.zeros(3))

    def axes(self, marker: Marker) -> Floats:
        """(3, 3) axes as global columns."""
        return np.asarray(self._turn[marker.body] @ marker.axes)

    def natural(self, spring: Spring) -> float:
        """Length or angle of a spring."""
        if spring.type == "translational":
            return float(np.linalg.norm(self.point(spring.j) - self.point(spring.i)))
        if self.is_planar:
            angles = [0.0 if m.body == GROUND else float(self._bodies[m.body].angles[2]) for m in (spring.i, spring.j)]
            return angles[1] - angles[0]
        return initial_turn(self.axes(spring.i), self.axes(spring.j))

    def deflection(self, bushing: Spring) -> Floats:
        """(6,) displacement and rotation vector of marker j in the axes of marker i."""
        axes = self.axes(bushing.i)
        apart = axes.T @ (self.point(bushing.j) - self.point(bushing.i))
        return np.concatenate((apart, rotation_vector(axes.T @ self.axes(bushing.j))))


def _spring(spring: Spring, place: _Places, frames: Frames, turns: Turns, motions: Motions) -> tuple[float, ...]:
    """A SPRING record. In space the natural angle counts from the initial configuration, where a joint's angle is 0."""
    kind = SpringKind[spring.type.upper()]
    turning = kind is SpringKind.ROTATIONAL and not place.is_planar
    natural = spring.natural
    if natural is None:
        natural = place.natural(spring)
    elif turning:
        natural += place.natural(spring)
    curves = [NO_INDEX if name is None else motions.add_curve(name) for name in (spring.curve_k, spring.curve_c)]
    return (
        int(kind),
        turns.at(spring.i, spring.j, live=True) if turning else NO_INDEX,
        frames.of(spring.i),
        frames.of(spring.j),
        frames.body_of(spring.i),
        frames.body_of(spring.j),
        spring.k,
        spring.c,
        spring.force,
        natural,
        curves[0],
        curves[1],
    )


def _bushing(spring: Spring, frames: Frames) -> tuple[float, ...]:
    return (
        frames.of(spring.i),
        frames.of(spring.j),
        frames.body_of(spring.i),
        frames.body_of(spring.j),
        *spring.i.axes.reshape(-1),
        *spring.j.axes.reshape(-1),
    )
