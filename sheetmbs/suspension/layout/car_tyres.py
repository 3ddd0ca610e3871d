"""The tyres of a car: which is on which axle, and what is asked of each."""

from __future__ import annotations

from dataclasses import dataclass, field

from sheetmbs.schema.problem_list import Place
from sheetmbs.tyres.given_values import GivenValue, GivenValues
from sheetmbs.tyres.tyre import Tyre
from sheetmbs.tyres.tyre_points import TyrePoint


@dataclass(frozen=True)
class FittedTyre:
    """A tyre with the row that names it. axles: that it is on. points: of Tyre data. place: of its name.

    file: that its coefficients come from, blank where there is none. unused: names that its model does not use.
    replaced: coefficients of the file that rows of Tyre coefficients replace, each with both values.
    """

    tyre: Tyre
    axles: tuple[str, ...]
    points: tuple[TyrePoint, ...]
    place: Place
    file: str = ""
    unused: tuple[str, ...] = ()
    replaced: tuple[tuple[GivenValue, GivenValue], ...] = ()
    given: GivenValues = field(default_factory=dict)
    """coefficients with their places"""
    static_load: float | None = None
    """N on one wheel of its first axle at design; None where nothing tells it"""


@dataclass(frozen=True)
class CarTyres:
    """All tyres of a car; none where it has no sheet Tyres."""

    fitted: tuple[FittedTyre, ...] = ()

    def of_axle(self, axle: str) -> Tyre:
        """The tyre of both wheels of an axle. Raises KeyError where it has none."""
        for each in self.fitted:
            if axle in each.axles:
                return each.tyre
        raise KeyError(axle)


NO_TYRES = CarTyres()
