"""Force elements, joints with clearance and loads as arrays."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from math import pi, sqrt
from typing import Any

import numpy as np

from sheetmbs.elements.clearance_laws import LAWS
from sheetmbs.elements.forces import FORCE_ELEMENTS, FORCE_TYPES
from sheetmbs.elements.marker import GROUND, Marker
from sheetmbs.elements.rotation import rotation_vector
from sheetmbs.engine.arrays import ForceElements
from sheetmbs.engine.codes import Quantity
from sheetmbs.engine.record_arrays import as_records
from sheetmbs.engine.records import (
    CLEARANCE,
    CURVE_USE,
    DIRECTION,
    FORCE_ELEMENT,
    LOAD,
    PULL,
    VARIABLE,
    Floats,
    Ints,
    Records,
)
from sheetmbs.lower.lower_bodies import Frames, LoweredBodies
from sheetmbs.lower.lower_motions import Motions
from sheetmbs.lower.row_builder import Turns, initial_turn
from sheetmbs.model.model import Beam, Clearance, Formula, Model, Settings, Spring

POINTS = {"centre": 0, "global": 1, "body": 2}
NO_INDEX = -1


@dataclass(frozen=True)
class LoweredForces:
    """Force elements and loads.

    load_value: (loads, 6); load_index: (loads, 9), curve or formula of a component or point, or -1.
    """

    elements: ForceElements
    loads: Records
    load_value: Floats
    load_index: Ints


def lower_forces(model: Model, bodies: LoweredBodies, frames: Frames, turns: Turns, motions: Motions) -> LoweredForces:
    """Force elements as given; loads of the sheets Forces and ForceSeries, in that order, then constant moments in space."""
    place = _Places(model, bodies)
    elements = _elements(model, place, frames, turns, motions)
    moments = [] if place.is_planar else [body for body in model.bodies if body.moment.any()]
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
        elements=elements,
        loads=as_records(np.array(loads, dtype=LOAD)),
        load_value=values,
        load_index=index,
    )


def lower_variables(model: Model, frames: Frames, motions: Motions) -> Records:
    """The variables of formulas that depend on motion: components of bodies and points."""
    bodies = {body.name for body in model.bodies}
    points = {point.name: point.marker for point in model.points} if motions.variables else {}
    records = []
    for name in motions.variables:
        element, _, column = name.rpartition(".")
        marker = Marker(element, floating=True) if element in bodies else points[element]
        records.append((frames.of(marker), frames.body_of(marker), int(Quantity[column.upper()])))
    return as_records(np.array(records, dtype=VARIABLE))


class _Places:
    """Markers in the initial configuration."""

    def __init__(self, model: Model, bodies: LoweredBodies) -> None:
        self.is_planar = model.settings.dimension == "2D"
        self._bodies = {body.name: body for body in model.bodies}
        self._turn = bodies.turns

    def point(self, marker: Marker) -> Floats:
        """Global position of an end."""
        if marker.body == GROUND:
            return marker.origin
        return np.asarray(self._bodies[marker.body].position + self._turn[marker.body] @ marker.origin)

    def middle(self, name: str) -> Marker:
        """The centre of mass of a body, on a beam the section that is there while it is undeformed."""
        body = self._bodies[name]
        return Marker(name, np.array([0.5 * body.length, 0.0, 0.0]) if isinstance(body, Beam) else np.zeros(3))

    def angle(self, marker: Marker) -> float:
        """Counted angle of the body of a marker in the plane."""
        return 0.0 if marker.body == GROUND else float(self._bodies[marker.body].angles[2])

    def axes(self, marker: Marker) -> Floats:
        """(3, 3) axes as global columns."""
        return np.asarray(self._turn[marker.body] @ marker.axes)


class _StartPlace:
    """Where the markers of a spring are in the initial configuration: see `elements.force_type.StartPlace`."""

    def __init__(self, spring: Spring, place: _Places) -> None:
        self._spring, self._place = spring, place

    @property
    def axes(self) -> tuple[float, ...]:
        """Axes of marker i in body coordinates, row by row."""
        return tuple(self._spring.i.axes.reshape(-1).tolist())

    @property
    def length(self) -> float:
        """Distance between both ends, m."""
        return float(np.linalg.norm(self._place.point(self._spring.j) - self._place.point(self._spring.i)))

    @property
    def zero(self) -> float:
        """In space angles count from the initial configuration, where a joint's angle is 0; rad."""
        if self._place.is_planar:
            return 0.0
        return initial_turn(self._place.axes(self._spring.i), self._place.axes(self._spring.j))

    @property
    def angle(self) -> float:
        """Angle of body j against body i, rad."""
        return self._place.angle(self._spring.j) - self._place.angle(self._spring.i) if self._place.is_planar else 0.0

    @property
    def deflection(self) -> Floats:
        """(6,) displacement and rotation vector of marker j in the axes of marker i; in the plane, that of the bodies."""
        axes = self._place.axes(self._spring.i)
        apart = axes.T @ (self._place.point(self._spring.j) - self._place.point(self._spring.i))
        if self._place.is_planar:
            return np.array([*apart, 0.0, 0.0, self.angle])
        return np.concatenate((apart, rotation_vector(axes.T @ self._place.axes(self._spring.j))))


def _elements(model: Model, place: _Places, frames: Frames, turns: Turns, motions: Motions) -> ForceElements:
    """Force elements as tables, each with what its declaration says."""
    if not model.springs:
        return _no_elements()
    records, uses, pulls, directions = [], [], [], []
    numbers: list[float] = []
    curves: list[int] = []
    values = 0
    for number, spring in enumerate(model.springs):
        declared = FORCE_TYPES[spring.type]
        declared.check(spring.values, spring.curves)
        given, start = declared.given(spring.values), _StartPlace(spring, place)
        frame = frames.of(spring.i), frames.of(spring.j)
        body = frames.body_of(spring.i), frames.body_of(spring.j)
        turn = NO_INDEX
        if not place.is_planar and declared.ends == "axis":
            turn = turns.at(spring.i, spring.j, live=True)
        elif not place.is_planar and declared.ends == "axes":
            turn = turns.rotation_at(spring.i, spring.j)
        kind, size = FORCE_ELEMENTS.index(declared), len(declared.values)
        records.append((kind, turn, *frame, *body, len(numbers), len(curves), values, size))
        named = [spring.curves.get(curve.name) for curve in declared.curves]
        own = [NO_INDEX if name is None else motions.add_curve(name) for name in named]
        for k, direction in enumerate(declared.deformations(given)):
            by_curve = [own[each] if each >= 0 else NO_INDEX for each in (direction.curve_k, direction.curve_c)]
            strength = direction.stiffness, direction.damping
            directions.append((number, k, int(direction.turns), *frame, *body, *strength, *by_curve))
        numbers += declared.fields(given, start)
        curves += own
        uses += [
            (number, k, int("velocity" in curve.over), int("ang" in curve.over))
            for k, curve in enumerate(declared.curves)
        ]
        for k, value in enumerate(declared.values):
            if value.load:
                pulls.append((values + k, number, int(value.load == "moment"), *body))
        values += size
    return _tables(records, numbers, curves, uses, pulls, directions)


def _tables(
    records: list[Any],
    numbers: list[float],
    curves: list[int],
    uses: list[Any],
    pulls: list[Any],
    directions: list[Any],
) -> ForceElements:
    return ForceElements(
        record=as_records(np.array(records, dtype=FORCE_ELEMENT)),
        number=np.array(numbers, dtype=np.float64),
        curve=np.array(curves, dtype=np.int64),
        use=as_records(np.array(uses, dtype=CURVE_USE)),
        pull=as_records(np.array(pulls, dtype=PULL)),
        direction=as_records(np.array(directions, dtype=DIRECTION)),
    )


@cache
def _no_elements() -> ForceElements:
    return _tables([], [], [], [], [], [])


def lower_clearances(model: Model, frames: Frames) -> Records:
    """CLEARANCE records in the order of the workbook."""
    records = [_clearance(each, model.settings, frames) for each in model.clearances]
    return as_records(np.array(records, dtype=CLEARANCE))


def contact_stiffness(clearance: Clearance) -> float:
    """K of F = K d^1.5 for a cylinder in a hollow one, N/m^1.5, from Hertz's formula for spheres (Goldsmith 1960)."""
    yielding = sum((1.0 - nu**2) / (pi * e) for e, nu in zip(clearance.young, clearance.poisson, strict=True))
    radii = clearance.radius_i * clearance.radius_j / (clearance.radius_i - clearance.radius_j)
    return 4.0 / (3.0 * pi * yielding) * sqrt(radii)


def _clearance(given: Clearance, settings: Settings, frames: Frames) -> tuple[float, ...]:
    gap = given.radius_i - given.radius_j
    flow = given.viscosity * given.length * given.radius_j**3 if LAWS[given.law].is_oiled else 0.0
    return (
        frames.of(given.i),
        frames.of(given.j),
        frames.body_of(given.i),
        frames.body_of(given.j),
        given.radius_i,
        gap,
        contact_stiffness(given),
        LAWS[given.law].chi(given.restitution),
        given.friction,
        settings.slip,
        settings.full_slip,
        settings.least_impact,
        flow / gap**2,
        2.0 * pi * flow / gap,
        settings.least_film,
        *given.i.axes.T.reshape(-1),
    )
