"""Instant centres of wheels over a sweep, for the lines by which they are constructed in the front and the side view."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sheetmbs.suspension.kinematics.sweeps import SweptAxle
from sheetmbs.suspension.sheets.constructed_centres import VIEWS, constructed_centre

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class InstantCentre:
    """The instant centre of a wheel in a view, at n poses, in the plane of the contact across the line of sight.

    contact, centre: (n, 3) m, NaN where the wheel moves along the line of sight.
    starts: (n, lines, 3) where the lines begin that meet in the centre.
    """

    view: str
    contact: Floats
    centre: Floats
    starts: Floats


def instant_centres(swept: SweptAxle, side: str, rows: Ints) -> Iterator[InstantCentre]:
    """Yield the instant centres of a wheel in both views, at some rows of a sweep, as the sheet constructs them."""
    contact = swept.wheels[side].contact.value
    for view, sight in VIEWS.items():
        found = constructed_centre(swept, side, view)
        kept = [axis for axis in range(3) if axis != sight]
        centre, *starts = (_in_space(contact, kept, places)[rows] for places in (found.centre, *found.starts))
        yield InstantCentre(view, contact[rows], centre, np.stack(starts, axis=1))


def _in_space(contact: Floats, kept: list[int], places: Floats) -> Floats:
    """(n, 3) places of a view (n, 2) in the plane of the contact."""
    found = contact.copy()
    found[:, kept] = places
    return found
