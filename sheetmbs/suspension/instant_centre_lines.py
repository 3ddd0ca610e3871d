"""Instant centres of wheels over a sweep, for the lines by which they are constructed in the front and the side view."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sheetmbs.suspension.kinematics.wheel import Wheel
from sheetmbs.suspension.loads.part_statics import place_of
from sheetmbs.suspension.metrics.centres import Centres, centres

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
JOINTS = ("upper ball joint", "lower ball joint")
"""points of a wheel carrier from which lines lead to its instant centre; their velocities are square to these"""


@dataclass(frozen=True, eq=False)
class InstantCentre:
    """The instant centre of a wheel in a view, at n poses. contact, centre: (n, 3) m, NaN where there is no centre.

    joints: (n, joints, 3) ball joints of the wheel carrier, moved along the line of sight into the plane of the contact.
    """

    view: str
    contact: Floats
    centre: Floats
    joints: Floats


def instant_centres(wheel: Wheel, rows: Ints) -> Iterator[InstantCentre]:
    """Yield the instant centres of a wheel in the front and in the side view, at some rows of a sweep.

    They are those of `fvic_y` .. `svic_z`: in the body's axes, heights above the contact.
    """
    contact, found = wheel.contact.value, centres(wheel)
    names = [name for name in JOINTS if name in wheel.axle.points[wheel.side]]
    for view, sight in (("front", 0), ("side", 1)):
        places = [place_of(wheel, name).copy() for name in names]
        for each in places:
            each[:, sight] = contact[:, sight]
        joints = np.stack(places, axis=1) if places else np.zeros((len(contact), 0, 3))
        yield InstantCentre(view, contact[rows], _centre(view, contact, found)[rows], joints[rows])


def _centre(view: str, contact: Floats, found: Centres) -> Floats:
    """(n, 3) of the instant centre in a view, in the plane of the contact."""
    if view == "front":
        return np.stack((contact[:, 0], found.fvic_y, contact[:, 2] + found.fvic_z), axis=1)
    return np.stack((found.svic_x, contact[:, 1], contact[:, 2] + found.svic_z), axis=1)
