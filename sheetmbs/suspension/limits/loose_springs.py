"""Sweeps of heave in which a corner spring lets go, in words for the terminal and the foot of the page."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np

from sheetmbs.schema.suspension_inputs import SpringKind
from sheetmbs.suspension.elastic.spring_elements import AxleLaws
from sheetmbs.suspension.kinematics.sweeps import Sweep, SweptAxle
from sheetmbs.suspension.layout.car import CarData
from sheetmbs.suspension.metrics.element_shares import lets_go_at
from sheetmbs.suspension.metrics.metric import AxlePoses

SAME_TRAVEL = 1e-5
"""m, within which both wheels let go together"""


def loose_in_words(
    car: CarData,
    laws: Mapping[str, AxleLaws],
    plans: Mapping[str, Sweep],
    swept: Mapping[str, Mapping[str, SweptAxle]],
) -> Iterator[str]:
    """``heave: fs is loose below -18.82 mm`` of every sweep of heave that passes such a travel."""
    names = [row.name for axle in car.axles for row in axle.springs if row.kind == SpringKind.SPRING]
    for sweep, axles in swept.items():
        for name, axle in axles.items() if plans[sweep].type == "heave" else ():
            of = AxlePoses(car, axle, laws[name])
            found: dict[str, float] = {}
            for corner in of.corners:
                travel = lets_go_at(corner)
                if travel is not None and np.isfinite(travel[0]):
                    found[corner.side] = float(travel[0])
            together = len(found) > 1 and np.ptp(list(found.values())) <= SAME_TRAVEL
            for side, travel_there in list(found.items())[: 1 if together else None]:
                row = next(row for row in of.axle.springs if row.kind == SpringKind.SPRING and side in row.sides)
                owner = "" if names.count(row.name) == 1 else f"{name} "
                owner = owner if together or len(row.sides) == 1 else f"{of.axle.corner(side)} "
                yield f"{sweep}: {owner}{row.name} is loose below {travel_there * 1e3:+.2f} mm"
