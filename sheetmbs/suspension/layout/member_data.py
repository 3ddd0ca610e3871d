"""Rods and legs that are to be sized, and pairs of members that are to keep clear of each other, as their sheets have them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from sheetmbs.schema.problem_list import Place

Vector = NDArray[np.float64]
PI = float(np.pi)


@dataclass(frozen=True)
class MemberSpan:
    """A member between two hardpoints of a corner. name: as on `mbs Loads`, without the corner. is_central: one of the axle.

    arm: body whose leg it is, ``""`` of a member between two points. sign: -1 where `mbs Loads` counts + in compression.
    bolt: usual direction of the bolts of its rod ends.
    """

    name: str
    inner: str
    outer: str
    bolt: str
    arm: str = ""
    is_central: bool = False
    sign: float = 1.0


@dataclass(frozen=True)
class Section:
    """A round rod or tube. d: outer diameter, m. inner: its inner diameter, m, 0 of a solid rod."""

    d: float
    inner: float = 0.0

    @property
    def area(self) -> float:
        """A = pi/4 (d^2 - d_i^2), m^2."""
        return PI / 4.0 * (self.d**2 - self.inner**2)

    @property
    def second_moment(self) -> float:
        """I = pi/64 (d^4 - d_i^4), m^4."""
        return PI / 64.0 * (self.d**4 - self.inner**4)


@dataclass(frozen=True)
class Material:
    """E, yield strength and density, SI. yield_strength: None where it is not given."""

    modulus: float
    density: float
    yield_strength: float | None = None


@dataclass(frozen=True, eq=False)
class SizedMember:
    """A row of Members. sides: that it describes. bolts: (3,) of the inner and of the outer rod end, on the left side.

    fixity: K. rod_end_load: N; max_angle: rad; None where blank. factor: of its reserves. places: of its columns.
    """

    axle: str
    span: MemberSpan
    sides: tuple[str, ...]
    section: Section
    material: Material
    fixity: float
    rod_end_load: float | None
    bolts: tuple[Vector, Vector]
    max_angle: float | None
    factor: float
    places: Mapping[str, Place] = field(default_factory=dict)


@dataclass(frozen=True)
class PackagedPair:
    """A row of Packaging. radii: of both members, m; None where blank. least: clearance that is wanted, m."""

    name: str
    axle: str
    spans: tuple[MemberSpan, MemberSpan]
    radii: tuple[float | None, float | None]
    least: float
    sides: tuple[str, ...]
    place: Place
