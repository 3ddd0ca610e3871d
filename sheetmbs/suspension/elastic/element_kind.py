"""What a row of Suspension springs may be: which cells it needs, what lengths it has, and the forces that they make."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from sheetmbs.engine.motion.splines import linear, natural_spline
from sheetmbs.engine.records import Floats
from sheetmbs.model.model import Curve
from sheetmbs.schema import units as u
from sheetmbs.suspension.kinematics.body_motion import BodyTurn
from sheetmbs.suspension.kinematics.jets import Jet
from sheetmbs.suspension.layout.car import AxleData, SpringElement

Law = Callable[[Floats], tuple[Floats, Floats]]
"""tension and stiffness over how far an element is longer than at design"""


def at_rows(design: Floats | float, count: int) -> Floats:
    """What holds at design over (n,) poses: the same at all of them, or (V,) of several axles whose poses follow each other."""
    found = np.asarray(design, dtype=np.float64)
    return found if found.size == 1 else np.repeat(found, count // found.size)


@dataclass(frozen=True)
class PointDistance:
    """Between two points, each the side and the name of a hardpoint."""

    first: tuple[str, str]
    second: tuple[str, str]


Measured = Hashable
"""what a length is measured of: a `PointDistance`, a `BodyTurn`, or the drop link of a blade"""
Measure = Callable[[Any], Jet]
"""from what is `Measured`, m or rad, to its values over poses, with derivatives by the travels of both wheels"""


@dataclass(frozen=True, eq=False)
class Span:
    """What a length of an element is. side: its corner, ``""`` the axle. suffix: behind the name of a row with several.

    less: another angle that is taken off. grows_with: (2,) an angle is given the sign with which it grows as the wheels
    travel so; None where its own is kept.
    """

    side: str
    of: Measured
    less: BodyTurn | None = None
    suffix: str = ""
    grows_with: tuple[float, float] | None = None

    def length(self, measure: Measure) -> ElementLength:
        """Length of the element at each pose, m."""
        found = measure(self.of)
        if self.less is not None:
            found = found - measure(self.less)
        if self.grows_with is None:
            return ElementLength(self.side, found, self.suffix)
        sense = 1.0 if np.nansum(found.first @ self.grows_with) >= 0.0 else -1.0
        return ElementLength(self.side, found * sense, self.suffix, sense)


class ElementLength(NamedTuple):
    """A length, m, or angle, rad, of an element over n poses and both travels. side, suffix: of its span.

    sense: of an angle, -1 where it gets smaller as the body turns about its line.
    """

    side: str
    length: Jet
    suffix: str = ""
    sense: float = 1.0


@dataclass(frozen=True)
class ElementKind:
    """One kind. numbers: its columns with their dimension. needs: columns of which one group is given.

    curves: columns that name curves, with the dimensions of x and y. texts: further columns. idle: columns that have no
    effect on poses at rest. spans: what its lengths are. law: from the compression at design (V,), N or N m. is_solved:
    what it carries at design is found where nothing tells it. is_bar: it acts against roll. turns: its lengths
    are angles.
    """

    name: str
    doc: str
    numbers: tuple[tuple[str, u.Dimension], ...]
    needs: tuple[tuple[str, ...], ...]
    spans: Callable[[SpringElement, AxleData], Iterator[Span]]
    law: Callable[[SpringElement, str, Floats], Law]
    drawn: Callable[[SpringElement, AxleData, str], Floats | float] | None = None
    """its length on a side of the axle as drawn, from which its law counts; None: from where adjustments have put it"""
    curves: tuple[tuple[str, u.Dimension, u.Dimension], ...] = ()
    texts: tuple[str, ...] = ("point_i", "point_j")
    idle: tuple[str, ...] = ()
    is_solved: bool = False
    has_side: bool = False
    """whether the column side counts: it may stand on one side alone"""
    can_pull: bool = False
    """whether the column tension counts: without it the element only pushes"""
    turns: bool = False
    is_bar: bool = False


SETTING = ("setting", u.RATIO)
STIFFNESS_CURVE = ("k_of_setting", u.RATIO, u.STIFFNESS)
TURNING_STIFFNESS_CURVE = ("k_of_setting", u.RATIO, u.ROTATIONAL_STIFFNESS)


class CurveLaw:
    """Values and slopes of a curve."""

    def __init__(self, curve: Curve) -> None:
        self._knots = curve.x
        self._cubics = linear(curve.x, curve.y) if curve.interpolation == "linear" else natural_spline(curve.x, curve.y)
        self._range = float(curve.x[0]), float(curve.x[-1])
        self.name = curve.name

    @property
    def ends(self) -> tuple[float, float]:
        """The first and the last place at which it is given."""
        return self._range

    def __call__(self, x: Floats) -> tuple[Floats, Floats]:
        """Value and slope at each of (n,) places."""
        end = np.clip(x, *self._range)
        row = np.clip(np.searchsorted(self._knots, end, side="right") - 1, 0, len(self._knots) - 2)
        u = end - self._knots[row]
        c = self._cubics[row]
        slope = c[:, 1] + u * (2.0 * c[:, 2] + 3.0 * u * c[:, 3])
        value = c[:, 0] + u * (c[:, 1] + u * (c[:, 2] + u * c[:, 3]))
        return value + slope * (x - end), slope

    def where(self, value: float) -> float:
        """The place at which the curve has a value, beyond its ends too. Raises ValueError where it has it nowhere."""
        from scipy.optimize import brentq

        first, last = self._range
        reach = last - first
        for _ in range(8):
            low, high = (float(self(np.array([at]))[0][0]) - value for at in (first, last))
            if low * high <= 0.0:
                return float(brentq(lambda x: float(self(np.array([x]))[0][0]) - value, first, last, xtol=1e-15))
            first, last = first - reach, last + reach
            reach *= 2.0
        raise ValueError(f"the curve {self.name} never reaches {value:.6g}")
