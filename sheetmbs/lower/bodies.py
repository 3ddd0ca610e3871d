"""Bodies, masses and frames as arrays."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sheetmbs.elements.marker import GROUND, Marker
from sheetmbs.engine.arrays import BODY, FRAME, Records
from sheetmbs.engine.codes import BodyKind
from sheetmbs.model import Body, Model

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

NEGLIGIBLE = 1e-9
"""Share of the model's mass that stands for a mass of zero (times length squared for an inertia): it has no inverse."""


class Frames:
    """Collects frames; equal ones are kept once. Frame b is the origin of body b."""

    def __init__(self, names: dict[str, int]) -> None:
        self.names = names
        self._numbers: dict[tuple[int, float, float, float], int] = {}
        for body in names.values():
            self.at(body, np.zeros(3))

    def at(self, body: int, origin: Floats) -> int:
        """Number of the frame at ``origin`` (3,), body coordinates."""
        key = (body, float(origin[0]), float(origin[1]), float(origin[2]))
        return self._numbers.setdefault(key, len(self._numbers))

    def of(self, marker: Marker) -> int:
        """Number of the frame of a marker."""
        return self.at(self.names[marker.body], marker.origin)

    def records(self) -> Records:
        """All frames as FRAME records."""
        return np.array(list(self._numbers), dtype=FRAME).view(np.recarray)


@dataclass(frozen=True)
class LoweredBodies:
    """Bodies as arrays. names: body name -> number, ground is 0.

    q, v: initial positions and velocities. mass: (nv,), zero replaced by a negligible one, NaN where left blank.
    replaced: names of bodies whose zero mass or inertia was replaced. length: characteristic length, m.
    """

    names: dict[str, int]
    records: Records
    q: Floats
    v: Floats
    mass: Floats
    zero: NDArray[np.bool_]
    base_force: Floats
    load_force: Floats
    body_mass: Floats
    position_size: Floats
    velocity_class: Ints
    replaced: tuple[str, ...]
    length: float


def lower_bodies(model: Model) -> LoweredBodies:
    """Planar bodies: q = (x, y, phi), v = (vx, vy, omega), diagonal mass matrix."""
    names = {GROUND: 0}
    records = [(int(BodyKind.GROUND), 0, 0, 0, 0)]
    for number, body in enumerate(model.bodies):
        names[body.name] = number + 1
        records.append((int(BodyKind.PLANAR), 3 * number, 3 * number, 3, 3))
    length = characteristic_length(model)
    masses = np.array([_mass(body) for body in model.bodies]).reshape(-1)
    zero = masses == 0.0
    total = float(np.nansum(masses.reshape(-1, 3)[:, 0])) if len(model.bodies) else 0.0
    negligible = NEGLIGIBLE * (total if total > 0.0 else 1.0)
    small = np.tile([negligible, negligible, negligible * length**2], len(model.bodies))
    gravity = np.array(model.settings.gravity)
    loads = np.array([[*body.force[:2], body.moment[2]] for body in model.bodies]).reshape(-1)
    weight = np.nan_to_num(masses) * np.tile([gravity[0], gravity[1], 0.0], len(model.bodies))
    return LoweredBodies(
        names=names,
        records=np.array(records, dtype=BODY).view(np.recarray),
        q=np.array([[*body.position[:2], body.angles[2]] for body in model.bodies]).reshape(-1),
        v=np.array([[*body.velocity[:2], body.angular_velocity[2]] for body in model.bodies]).reshape(-1),
        mass=np.where(zero, small, masses),
        zero=zero,
        base_force=weight + loads,
        load_force=loads,
        body_mass=np.array([0.0, *(body.mass or 0.0 for body in model.bodies)]),
        position_size=np.tile([length, length, 1.0], len(model.bodies)),
        velocity_class=np.tile(np.array([0, 0, 1]), len(model.bodies)),
        replaced=tuple(body.name for body in model.bodies if 0.0 in _mass(body)),
        length=length,
    )


def characteristic_length(model: Model) -> float:
    """Largest distance of a marker from its body's origin or of two joined bodies: what a length error is measured by."""
    centre = {GROUND: np.zeros(3)} | {body.name: body.position for body in model.bodies}
    found = [0.0]
    joined = [(joint.i, joint.j) for joint in model.joints] + [(spring.i, spring.j) for spring in model.springs]
    for i, j in joined:
        found.extend(float(np.linalg.norm(marker.origin)) for marker in (i, j) if marker.body != GROUND)
        if GROUND not in (i.body, j.body):
            found.append(float(np.linalg.norm(centre[i.body] - centre[j.body])))
    found.extend(joint.values.get("length", 0.0) for joint in model.joints)
    found.extend(float(np.linalg.norm(point.marker.origin)) for point in model.points if point.marker.body != GROUND)
    largest = max(found)
    return largest if largest > 0.0 else 1.0


def rotation(body: Body) -> Floats:
    """(3, 3) orientation of a planar body in the initial configuration."""
    c, s = np.cos(body.angles[2]), np.sin(body.angles[2])
    return np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])


def _mass(body: Body) -> tuple[float, float, float]:
    mass = np.nan if body.mass is None else body.mass
    inertia = np.nan if body.inertia is None else float(body.inertia[2, 2])
    return mass, mass, inertia
