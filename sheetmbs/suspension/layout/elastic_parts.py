"""Elastic parts of a suspension: what rows of Compliance say of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from sheetmbs.model.model import Curve
from sheetmbs.suspension.layout.type_table import PartJoint

Vector = NDArray[np.float64]
PIVOT, BALL, MEMBER, END, SPRING_END, LEGS = "pivot", "ball joint", "member", "end", "end of a spring", "legs"
RACK_MOUNT, RACK_BAR, COLUMN = "rack mount", "rack", "column"
WHEEL_BEARING, TYRE, CHASSIS_TORSION, BLADE_LINK = "wheel bearing", "tyre", "chassis", "blade link"
CENTRAL_KINDS = (RACK_MOUNT, RACK_BAR, COLUMN, CHASSIS_TORSION)
"""kinds of parts of which an axle has one"""


@dataclass(frozen=True)
class PartPlace:
    """A part that may be elastic. joint: that it makes elastic; point: the hardpoint at which it sits; ``""`` none."""

    name: str
    kind: str
    joint: PartJoint | None = None
    point: str = ""


@dataclass(frozen=True, eq=False)
class ElasticPart:
    """What the rows of Compliance say of a part on one or both sides. Numbers in SI, None where blank.

    axis: (3,) direction of the bushing on the left side, axes of ISO 8855; None the usual one. towards: a hardpoint towards
    which it lies, ``""`` none. node: (3, 3) stiffness of the structure on the left side; None rigid. curves: by the words of
    curve_of. cell: where its part stands.
    """

    axle: str
    place: PartPlace
    sides: tuple[str, ...]
    numbers: Mapping[str, float]
    axis: Vector | None = None
    towards: str = ""
    node: Vector | None = None
    curves: Mapping[str, Curve] = field(default_factory=dict)
    damping: float = 0.0
    cell: str = ""

    @property
    def name(self) -> str:
        """The part as sheets name it."""
        return self.place.name

    def number(self, column: str) -> float | None:
        """A number of its row; None where blank."""
        return self.numbers.get(column)
