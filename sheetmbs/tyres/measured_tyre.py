"""A tyre with the points that were measured of it, and with the places of its coefficients."""

from __future__ import annotations

from dataclasses import dataclass

from sheetmbs.tyres.given_values import GivenValues
from sheetmbs.tyres.tyre import Tyre
from sheetmbs.tyres.tyre_points import TyrePoint


@dataclass(frozen=True)
class MeasuredTyre:
    """A tyre of a workbook. points: of Tyre data, in the axes of ISO 8855. given: its coefficients, in SI, by name.

    place: of its name.
    """

    tyre: Tyre
    points: tuple[TyrePoint, ...]
    given: GivenValues
    place: str
