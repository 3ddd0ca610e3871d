"""Bodies, masses and frames as arrays."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property
from math import isnan
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sheetmbs.elements.beam_shapes import BeamSpace
from sheetmbs.elements.marker import GROUND, Marker
from sheetmbs.elements.rotation import matrix_of, principal_axes, size_of
from sheetmbs.engine.arrays import Beams
from sheetmbs.engine.codes import BodyKind
from sheetmbs.engine.record_arrays import as_records
from sheetmbs.engine.records import BODY, FRAME, Floats, Ints, Records
from sheetmbs.lower.lower_beams import LoweredBeam, beam_tables, lower_beam
from sheetmbs.lower.lowering_cache import LoweringCache
from sheetmbs.model.model import Beam, Body, Model
from sheetmbs.problems.errors import Problem, WorkbookError

LIGHT, SLIM = 1e-6, 1e-12
"""Shares of the model's mass and of that times length squared, below which a body counts as light, and as slim.

In the factor it has that much, for rounding would drown what is lighter beside it. Results do not depend on it: see
`engine/massless_coordinates.py`."""
SMALL = 1e-5
"""of the smallest mass that is not light: what the factor has in place of none, if that is more"""

PLANAR_TURNING, PLANAR_UNITS = np.array([0, 0, 1]), np.array([np.nan, np.nan, 1.0])
SPATIAL_TURNING = np.array([0, 0, 0, 1, 1, 1])
SPATIAL_UNITS = np.array([np.nan, np.nan, np.nan, 0.5, 0.5, 0.5, 0.5])  # an Euler parameter is half an angle
"""of a rigid body: see `_LoweredBody`"""

FrameKey = tuple[int, float, float, float]
"""body and place of a frame"""

NOTHING = 1e-50  # m, and its square is still a number


class Frames:
    """Collects frames, and the sections of beams to which they belong; equal ones are kept once.

    A section counts as a body; sections: (number, beam, xi) of each. requests: what `at` was called with, and its answers.
    """

    def __init__(self, names: dict[str, int], beams: dict[str, LoweredBeam] | None = None) -> None:
        self.names = names
        self.beams = beams or {}
        self._sections: dict[tuple[str, float], int] = {}
        self._numbers: dict[FrameKey, int] = {}
        self.requests: list[tuple[FrameKey, int]] = []

    def at(self, body: int, origin: Floats) -> int:
        """Number of the frame at ``origin`` (3,), body coordinates."""
        x, y, z = origin.tolist()
        return self.known((body, x, y, z))

    def known(self, key: FrameKey) -> int:
        """Number of the frame of a body at x, y, z."""
        number = self._numbers.setdefault(key, len(self._numbers))
        self.requests.append((key, number))
        return number

    def of(self, marker: Marker) -> int:
        """Number of the frame of a marker."""
        if self._is_on_section(marker):
            return self.at(self.body_of(marker), marker.origin - np.array([self._place(marker), 0.0, 0.0]))
        return self.at(self.names[marker.body], marker.origin)

    def body_of(self, marker: Marker) -> int:
        """Number of the body of a marker: on a beam, of the section it is on."""
        if not self._is_on_section(marker):
            return self.names[marker.body]
        key = (marker.body, self._place(marker))
        return self._sections.setdefault(key, len(self.names) + len(self._sections))

    def _place(self, marker: Marker) -> float:
        """Place along its beam of the section that carries a marker; what lies beyond an end is carried by that end."""
        return float(np.clip(marker.origin[0], 0.0, self.beams[marker.body].beam.length))

    def _is_on_section(self, marker: Marker) -> bool:
        return marker.body in self.beams and not marker.floating

    @property
    def sections(self) -> list[tuple[int, str, float]]:
        """Number among the bodies, name of the beam and xi of each section."""
        return [(number, name, xi) for (name, xi), number in self._sections.items()]

    def records(self) -> Records:
        """All frames as FRAME records."""
        return as_records(np.array(list(self._numbers), dtype=FRAME))


@dataclass(frozen=True)
class LoweredBodies:
    """Bodies as arrays. names: body name -> number, ground is 0. beams: flexible ones by name. sections: see `Frames`.

    q, v: initial positions and velocities. mass: (nv,) as given, NaN where left blank. factored: (nv,) the same, not too small.
    zero: (nv,) no mass or inertia. axes: (nb, 3, 3), columns are a body's principal axes in body coordinates.
    turns: (3, 3) initial orientation by name. length: characteristic length, m.
    massless: names of bodies with a mass or inertia of zero.
    """

    names: dict[str, int]
    records: Records
    q: Floats
    v: Floats
    mass: Floats
    factored: Floats
    zero: NDArray[np.bool_]
    base_force: Floats
    load_force: Floats
    body_mass: Floats
    position_size: Floats
    velocity_class: Ints
    axes: Floats
    turns: dict[str, Floats]
    massless: tuple[str, ...]
    length: float
    beams: dict[str, LoweredBeam]
    sections: tuple[tuple[int, str, float], ...] = ()

    def with_sections(self, sections: list[tuple[int, str, float]]) -> LoweredBodies:
        """The same with sections of beams as further bodies, which move with the coordinates of their beams."""
        if not sections:
            return self
        records = np.zeros(len(self.records) + len(sections), dtype=BODY)
        records[: len(self.records)] = self.records
        for number, name, _xi in sections:
            records[number] = records[self.names[name]]
            records[number]["kind"] = int(BodyKind.SECTION)
        mass = np.concatenate((self.body_mass, np.zeros(len(sections))))
        return replace(self, records=as_records(records), body_mass=mass, sections=tuple(sections))

    @cached_property
    def missing(self) -> Floats:
        """(nv,) share of the factored mass that a coordinate does not have; empty where no coordinate lacks any."""
        if not (self.mass < self.factored).any():
            return np.zeros(0)
        return np.nan_to_num(1.0 - self.mass / self.factored)

    @cached_property
    def first(self) -> tuple[Ints, Ints]:
        """Numbers of the bodies that have coordinates, and the first velocity of each."""
        moving = np.flatnonzero(self.records.nv)
        return moving, np.asarray(self.records.v[moving], dtype=np.int64)

    def moving(self) -> tuple[Ints, Ints]:
        """Velocities of each body that has coordinates; (nb,) number of the one by whose coordinates each body moves.

        That is the body itself, of a section its beam.
        """
        found = np.arange(len(self.records))
        for number, name, _xi in self.sections:
            found[number] = self.names[name]
        return self.records.nv[: len(self.names)], found

    def tables(self) -> Beams:
        """All beams and sections as arrays."""
        if not self.beams:
            return _no_beams()
        order = list(self.beams)
        places = [(number, order.index(name), xi) for number, name, xi in self.sections]
        return beam_tables(list(self.beams.values()), self.records, [self.names[name] for name in order], places)

    @cached_property
    def velocity_size(self) -> Floats:
        """(nv,) what velocities are measured by, per unit of rate: the characteristic length, or 1 for a rotation."""
        return np.where(self.velocity_class == 1, 1.0, self.length)

    def name_at(self, velocity: int) -> str:
        """Name of the body to which a velocity belongs."""
        owner = int(self.owner[velocity])
        return next(name for name, number in self.names.items() if number == owner)

    @cached_property
    def owner(self) -> Ints:
        """(nv,) number of the body of each velocity."""
        body_nv, _ = self.moving()
        return np.repeat(np.arange(len(body_nv)), body_nv)


@cache
def _no_beams() -> Beams:
    return beam_tables([], as_records(np.zeros(0, dtype=BODY)), [], [])


def lower_bodies(model: Model, spaces: dict[str, BeamSpace], lowering_cache: LoweringCache) -> LoweredBodies:
    """All bodies. spaces: the shapes of each beam. Of the rest of the model only its characteristic length counts."""
    length = characteristic_length(model)
    return lowering_cache.of_all(
        ("bodies", length, *spaces.items()),
        (model.settings, *model.bodies),
        lambda: _all_lowered(model, length, spaces, lowering_cache),
    )


def _all_lowered(
    model: Model, length: float, spaces: dict[str, BeamSpace], lowering_cache: LoweringCache
) -> LoweredBodies:
    """Planar bodies: q = (x, y, phi), v = (vx, vy, omega); others as in `engine/bodies/spatial_body.py`. M is diagonal."""
    names = {GROUND: 0} | {body.name: number for number, body in enumerate(model.bodies, start=1)}
    beams = {body.name: lower_beam(body, spaces[body.name]) for body in model.bodies if isinstance(body, Beam)}
    bodies = [
        _flexible(body, beams[body.name])
        if isinstance(body, Beam)
        else lowering_cache.of("body", body, lambda body=body: _lowered(body, model))  # type: ignore[misc]
        for body in model.bodies
    ]
    masses = _joined([body.mass for body in bodies])
    turning = _joined([body.turning for body in bodies], np.int64)
    loads, units = _joined([body.load for body in bodies]), _joined([body.unit for body in bodies])
    return LoweredBodies(
        names=names,
        records=_records(bodies),
        q=_joined([body.q for body in bodies]),
        v=_joined([body.v for body in bodies]),
        mass=masses,
        factored=_factored(masses, turning, [len(body.mass) for body in bodies], length),
        zero=masses == 0.0,
        base_force=_weights(bodies, model.settings.gravity) + loads,
        load_force=loads,
        body_mass=np.array([0.0, *(body.mass or 0.0 for body in model.bodies)]),
        position_size=np.where(np.isnan(units), length, units),
        velocity_class=turning,
        axes=np.array([np.eye(3), *(body.axes for body in bodies)]),
        turns={GROUND: np.eye(3)} | {given.name: body.turn for given, body in zip(model.bodies, bodies, strict=True)},
        massless=tuple(given.name for given, body in zip(model.bodies, bodies, strict=True) if not body.mass.all()),
        length=length,
        beams=beams,
    )


def _factored(masses: Floats, turning: Ints, sizes: list[int], length: float) -> Floats:
    """(nv,) masses and inertias (nv,), NaN where blank, none too small beside the others. sizes: velocities of each body."""
    first = np.cumsum([0, *sizes])[:-1]
    own = masses[first]
    total = float(own[~np.isnan(own)].sum())
    floor = LIGHT * (total if total > 0.0 else 1.0)
    instead = max(SMALL * float(np.min(own[own > floor], initial=total)), floor)
    least = np.repeat(np.where(own > floor, floor * (SLIM / LIGHT), floor), sizes)
    least = np.where(masses == 0.0, instead, least) * np.where(turning == 1, length**2, 1.0)
    return np.where(masses < least, least, masses)


@dataclass(frozen=True)
class _LoweredBody:
    """One body. mass: (nv,). turning: (nv,) 1 for a rotation. unit: (nq,) size of each coordinate, NaN of a length.

    shifts: its first velocities, which move its centre of mass along global axes. turn: (3, 3) initial orientation.
    """

    kind: BodyKind
    q: Floats
    v: Floats
    mass: Floats
    turning: Floats
    unit: Floats
    shifts: int
    load: Floats
    axes: Floats
    turn: Floats


def _records(bodies: list[_LoweredBody]) -> Records:
    """BODY records of the ground and all bodies, beams counted in their order."""
    found = [(int(BodyKind.GROUND), 0, 0, 0, 0, *np.zeros(9), 0)]
    q = v = beams = 0
    for body in bodies:
        is_beam = body.kind == BodyKind.BEAM
        found.append(
            (int(body.kind), q, v, len(body.q), len(body.v), *body.axes.reshape(-1).tolist(), beams if is_beam else 0)
        )
        q, v, beams = q + len(body.q), v + len(body.v), beams + is_beam
    return as_records(np.array(found, dtype=BODY))


def _weights(bodies: list[_LoweredBody], gravity: Sequence[float]) -> Floats:
    """(nv,) forces of gravity (3,), none where a mass is blank."""
    found = np.zeros(sum(len(body.v) for body in bodies))
    first = 0
    for body in bodies:
        mass = float(body.mass[0])
        if not isnan(mass):
            found[first : first + body.shifts] = [mass * component for component in gravity[: body.shifts]]
        first += len(body.v)
    return found


def _lowered(body: Body, model: Model) -> _LoweredBody:
    return _spatial(body) if model.settings.dimension == "3D" else _planar(body)


def _flexible(body: Beam, beam: LoweredBeam) -> _LoweredBody:
    """An undeformed beam, in the velocities of `engine/bodies/beam_body.py`."""
    n, mass, omega = beam.modes, beam.mass, float(body.angular_velocity[2])
    c, s = np.cos(body.angles[2]), np.sin(body.angles[2])
    arm = 0.5 * body.length * np.array([c, s])
    return _LoweredBody(
        kind=BodyKind.BEAM,
        q=np.array([*(body.position[:2] + arm), body.angles[2], *np.zeros(n)]),
        v=np.array([*(body.velocity[:2] + omega * np.array([-arm[1], arm[0]])), omega, *np.zeros(n)]),
        mass=np.array([mass, mass, beam.inertia, *np.full(n, mass)]),
        turning=np.array([0, 0, 1, *np.zeros(n)]),
        unit=np.array([np.nan, np.nan, 1.0, *np.full(n, np.nan)]),
        shifts=2,
        load=np.zeros(3 + n),
        axes=np.eye(3),
        turn=_about_z(body.angles[2]),
    )


def _planar(body: Body) -> _LoweredBody:
    mass = np.nan if body.mass is None else body.mass
    inertia = np.nan if body.inertia is None else float(body.inertia[2, 2])
    return _LoweredBody(
        kind=BodyKind.PLANAR,
        q=np.array([*body.position[:2], body.angles[2]]),
        v=np.array([*body.velocity[:2], body.angular_velocity[2]]),
        mass=np.array([mass, mass, inertia]),
        turning=PLANAR_TURNING,
        unit=PLANAR_UNITS,
        shifts=2,
        load=np.array([*body.force[:2], body.moment[2]]),
        axes=np.eye(3),
        turn=_about_z(body.angles[2]),
    )


def _spatial(body: Body) -> _LoweredBody:
    """A constant global moment is no constant in body axes: it is lowered as a load."""
    mass = np.nan if body.mass is None else body.mass
    inertia, axes = principal_axes(body.inertia)
    size = size_of(body.euler)
    if not size > 0.0:
        raise WorkbookError(_no_orientation(body))
    return _LoweredBody(
        kind=BodyKind.SPATIAL,
        q=np.concatenate((body.position, body.euler / size)),
        v=np.concatenate((body.velocity, axes.T @ body.angular_velocity)),
        mass=np.array([mass, mass, mass, *inertia]),
        turning=SPATIAL_TURNING,
        unit=SPATIAL_UNITS,
        shifts=3,
        load=np.array([*body.force, 0.0, 0.0, 0.0]),
        axes=axes,
        turn=matrix_of(body.euler),
    )


def _no_orientation(body: Body) -> Problem:
    """Of a body made by hand: a workbook is refused where its Euler parameters have another length than 1."""
    found = f"the Euler parameters of {body.name}: {', '.join(f'{part:g}' for part in body.euler)}"
    rule = "they are the cosine of half the angle of turn and the sine times its axis, of length 1 together"
    return Problem("euler-norm", "error", body.cell, found, rule, "give 1, 0, 0, 0 to a body that is not turned")


def _joined(parts: list[Floats], dtype: type[np.generic] = np.float64) -> NDArray[Any]:
    return np.concatenate(parts, dtype=dtype, casting="unsafe") if parts else np.zeros(0, dtype)


def characteristic_length(model: Model) -> float:
    """Largest distance of a marker from its body's origin or of two joined bodies: what a length error is measured by."""
    centre = {GROUND: np.zeros(3)} | {body.name: body.position for body in model.bodies}
    found = [0.0]
    joined = [(joint.i, joint.j) for joint in model.joints] + [(spring.i, spring.j) for spring in model.springs]
    joined += [(clearance.i, clearance.j) for clearance in model.clearances]
    for i, j in joined:
        found.extend(size_of(marker.origin) for marker in (i, j) if marker.body != GROUND)
        if GROUND not in (i.body, j.body):
            found.append(size_of(centre[i.body] - centre[j.body]))
    found.extend(joint.values.get("length", 0.0) for joint in model.joints)
    found.extend(body.length for body in model.bodies if isinstance(body, Beam))
    found.extend(size_of(point.marker.origin) for point in model.points if point.marker.body != GROUND)
    found.extend(clearance.radius_i for clearance in model.clearances)
    largest = max(found)
    return largest if largest > NOTHING else 1.0


def _about_z(angle: float) -> Floats:
    """(3, 3) rotation in the plane."""
    c, s = np.cos(angle), np.sin(angle)
    return np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])
