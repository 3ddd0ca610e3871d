"""The exact walker on force plates: one plate a contact, with corners, in its own axes."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tests.support import gait_walker
from tests.support.gait_books import UNITS, Recording, Rows, foot_loads, to_lab

LONG, WIDE = 0.6, 0.6
STANDS = (0.5 + gait_walker.DOUBLE_SUPPORT) * gait_walker.PERIOD


@dataclass(frozen=True)
class PlateContact:
    """side of the foot, when it strikes in s, and where the middle of its plate is forward, in m."""

    side: str
    strike: float
    middle: float


def contacts(how: Recording) -> list[PlateContact]:
    """All contacts that are recorded, in order."""
    found = []
    half = gait_walker.PERIOD / 2.0
    for number in range(-2, int((how.end - how.start) / half) + 2):
        side, strike = ("right", "left")[number % 2], number * half
        if strike + STANDS > how.start and strike < how.end:
            heel = gait_walker.walk(np.array([strike + 0.4 * half])).points[f"{side} heel"].value[0, 0]
            found.append(PlateContact(side, strike, float(heel) + 0.02))
    return found


def plate_sheets(how: Recording) -> dict[str, Rows]:
    """The sheets Force plates and Plates: forces and moments about the middle of each plate, in its own axes."""
    loads, times = foot_loads(how), how.force_times
    axes = to_lab(np.array([[0.0, 0.0, 1.0], [-1.0, 0.0, 0.0], [0.0, -1.0, 0.0]]), how.axes)
    """rows x, y, z of a plate in the laboratory: x to the right, y backward, z down"""
    header, units, columns = ["time"], ["s"], [times]
    rows: Rows = [("name", *(f"{axis}{corner}" for corner in (1, 2, 3, 4) for axis in "xyz"), "axes")]
    for number, contact in enumerate(contacts(how), start=1):
        force, moment = (each.copy() for each in loads[contact.side])
        aside = (times < contact.strike - 1e-9) | (times > contact.strike + STANDS + 1e-9)
        force[aside], moment[aside] = 0.0, 0.0
        across = -0.06 * UNITS[contact.side]
        middle = to_lab(np.array([[contact.middle, 0.0, across]]), how.axes)[0]
        moment = moment - np.cross(middle, force)
        header += [f"FP{number}.{kind}{axis}" for kind in "fm" for axis in "xyz"]
        units += ["N", "N", "N", "N*m", "N*m", "N*m"]
        columns += [*(force @ axes.T).T, *(moment @ axes.T).T]
        corners = [
            middle + a * 0.5 * WIDE * axes[0] + b * 0.5 * LONG * axes[1]
            for a, b in ((1, 1), (-1, 1), (-1, -1), (1, -1))
        ]
        rows.append((f"FP{number}", *(float(each) for corner in corners for each in corner), "own"))
    return {"Force plates": [header, units, *np.column_stack(columns).tolist()], "Plates": rows}
