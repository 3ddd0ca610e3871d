"""Instant centres of wheels over a sweep, for the lines by which they are constructed in the front and the side view."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sheetmbs.suspension.kinematics.sweeps import SweptAxle
from sheetmbs.suspension.loads.part_statics import place_of
from sheetmbs.suspension.sheets.constructed_centres import VIEWS, at_most_far, centre_of_motion, inboard

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
JOINTS = ("upper ball joint", "lower ball joint")
"""points of a wheel carrier from which lines lead to its instant centre; their velocities are square to these"""


@dataclass(frozen=True, eq=False)
class InstantCentre:
    """The instant centre of a wheel in a view, at n poses.

    contact, centre: (n, 3) m, NaN where the wheel moves along the line of sight.
    joints: (n, joints, 3) ball joints of the wheel carrier, moved along the line of sight into the plane of the contact.
    """

    view: str
    contact: Floats
    centre: Floats
    joints: Floats


def instant_centres(swept: SweptAxle, side: str, rows: Ints) -> Iterator[InstantCentre]:
    """Yield the instant centres of a wheel in the front and in the side view, at some rows of a sweep.

    They are those of `fvic_y` .. `svic_z`: in the body's axes, heights above the contact; of a beam that of its roll.
    """
    wheel = swept.wheels[side]
    contact = wheel.contact.value
    names = [name for name in JOINTS if name in wheel.axle.points[wheel.side]]
    for view, sight in VIEWS.items():
        places = [place_of(wheel, name).copy() for name in names]
        for each in places:
            each[:, sight] = contact[:, sight]
        joints = np.stack(places, axis=1) if places else np.zeros((len(contact), 0, 3))
        kept = [axis for axis in range(3) if axis != sight]
        centre = contact.copy()
        centre[:, kept] = at_most_far(contact[:, kept], centre_of_motion(swept, wheel, view), inboard(wheel, view))
        yield InstantCentre(view, contact[rows], centre[rows], joints[rows])
