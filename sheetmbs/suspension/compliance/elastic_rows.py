"""What the structure of an elastic axle is made of: springs, elastic joints, elements, weights and constraints."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from sheetmbs.engine.records import Floats
from sheetmbs.model.model import Curve
from sheetmbs.suspension.compliance.deformations import BodyDeformation, Deformations
from sheetmbs.suspension.layout.car import AxleData
from sheetmbs.suspension.layout.elastic_parts import ElasticPart
from sheetmbs.suspension.layout.type_table import PartJoint


@dataclass(frozen=True, eq=False)
class PartSpring:
    """A spring of one deformation, or of a sum of several. terms: numbers of deformations with their factors.

    k: stiffness, N/m or N m/rad, of its parts that have one; None where none has. parts: compliance of each of these, m/N.
    curves: of its other parts, in series with them. preloads: whether it carries at design what equilibrium asks for.
    is_driven: its place at rest goes with the rack.
    """

    terms: tuple[tuple[int, float], ...]
    parts: tuple[tuple[str, float], ...]
    k: float | None
    curves: tuple[tuple[str, Curve], ...] = ()
    preloads: bool = True
    is_driven: bool = False
    joint: int = -1
    """number of the elastic joint that it belongs to"""
    where: str = ""
    """corner or axle to which it belongs"""


@dataclass(frozen=True, eq=False)
class ElasticJoint:
    """A pivot or ball joint that gives way. axes: (3, 3) of its bushing as columns, the first its axis, on body i, at design.

    compliances: (3, 3) of each part in series, m/N. rows: of its springs; held: deformations that stay constraints.
    """

    part: str
    side: str
    axes: Floats
    compliances: Mapping[str, Floats]
    rows: tuple[int, ...]
    held: tuple[int, ...]
    directions: Floats
    """(rows + held, 3) on body i, at design"""
    is_told: bool = True
    """whether it is the bushing; else what stands behind one that has curves"""


@dataclass(frozen=True, eq=False)
class ElementRow:
    """A spring, stop, damper or bar of the axle. key: name and side of its law. terms: as of `SpringRow`.

    ends: its points; elements between the same ones share how far these give way. parts: compliance of each end, m/N; curves:
    of the other ends.
    """

    key: tuple[str, str]
    terms: tuple[tuple[int, float], ...]
    ends: tuple[str, ...] = ()
    parts: tuple[tuple[str, float], ...] = ()
    curves: tuple[tuple[str, Curve], ...] = ()

    @property
    def gives_way(self) -> bool:
        """Whether its ends do."""
        return bool(self.parts or self.curves)


@dataclass(frozen=True, eq=False)
class WeightRow:
    """A mass whose height, over the factor, is a deformation."""

    number: int
    factor: float


@dataclass(frozen=True, eq=False)
class BuiltJoint:
    """What a joint of the linkage was made of, and what it added.

    points, parts: by side and name, of all that were looked up.
    first, last: how long each of the structure's `lists` was before and after.
    """

    side: str
    joint: PartJoint
    points: Mapping[tuple[str, str], Floats]
    parts: Mapping[tuple[str, str], ElasticPart | None]
    first: tuple[int, ...]
    last: tuple[int, ...]


@dataclass
class ElasticStructure:
    """What `build` gathers. constraints, frozen: numbers of deformations that hold the axle, elastic and with all at rest."""

    axle: AxleData
    bodies: dict[str, int] = field(default_factory=dict)
    origins: list[Floats] = field(default_factory=list)
    deformations: list[BodyDeformation] = field(default_factory=list)
    constraints: list[int] = field(default_factory=list)
    springs: list[PartSpring] = field(default_factory=list)
    joints: list[ElasticJoint] = field(default_factory=list)
    elements: list[ElementRow] = field(default_factory=list)
    weights: list[WeightRow] = field(default_factory=list)
    frozen: list[int] = field(default_factory=list)
    heights: list[int] = field(default_factory=list)
    travels: list[int] = field(default_factory=list)
    rack: int | None = None
    rack_is_elastic: bool = False
    in_place: list[int] = field(default_factory=list)
    """lengths of springs that hold both wheels of an axle without any where its pose is given"""
    hubs: dict[str, int] = field(default_factory=dict)
    """body with which the contact of a side goes"""
    owners: list[str] = field(default_factory=list)
    """full name of the joint whose each deformation is, ``""`` of what is no joint's"""
    owner: str = ""
    """of what is being added"""
    beside: list[int] = field(default_factory=list)
    """axes of the car by which directions across others were chosen, in the order of these"""

    built: list[BuiltJoint] = field(default_factory=list)
    """the joints of the linkage, in their order"""

    @property
    def lists(self) -> tuple[list[Any], ...]:
        """What joints of the linkage add to, origins first."""
        rows = self.constraints, self.springs, self.joints, self.frozen, self.beside
        return self.origins, self.deformations, self.owners, *rows

    @property
    def lengths(self) -> tuple[int, ...]:
        """How long its lists are."""
        return tuple(map(len, self.lists))

    def add(self, deformation: BodyDeformation) -> int:
        """Keep a deformation; returns its number."""
        self.deformations.append(deformation)
        self.owners.append(self.owner)
        return len(self.deformations) - 1

    def hold(self, deformation: BodyDeformation) -> int:
        """Keep one that is a constraint, elastic parts or not."""
        number = self.add(deformation)
        self.constraints.append(number)
        self.frozen.append(number)
        return number

    def ready(self) -> Deformations:
        """All deformations, ready to be evaluated."""
        return Deformations(self.deformations, np.array(self.origins))
