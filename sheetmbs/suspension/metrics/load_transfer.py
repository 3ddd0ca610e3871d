"""Metrics of roll and lateral load transfer at 1 g by the linear formulas of `elastic/linear_roll.py`."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from sheetmbs.engine.records import Floats
from sheetmbs.suspension.elastic.linear_roll import Part
from sheetmbs.suspension.metrics.car_contexts import AxleInCar, CarPoses, CarRoll
from sheetmbs.suspension.metrics.metric import NEWTON, PER_G, PERCENT, Found, Metric, of_known

NEEDED = ("mass", "weight front", "cg height")


def _of_car(find: Callable[[CarRoll], Floats]) -> Callable[[CarPoses], Found]:
    """Find a metric from the roll of the car."""
    return of_known(lambda of: of.roll, lambda _of, roll: find(roll))


def _transfer(part: Part) -> Callable[[AxleInCar], Found]:
    """Find the load that goes to the right wheel of an axle by a part of it."""
    return of_known(lambda of: of.of_car.roll, lambda of, roll: roll.transfer(of.name, part))


def _stiffness_share(roll: CarRoll) -> Floats:
    front, rear = (roll.axles[name].stiffness for name in ("front", "rear"))
    both = np.asarray(front) + rear
    return np.asarray(front / np.where(both == 0.0, np.nan, both))


def _transfer_share(roll: CarRoll) -> Floats:
    front, rear = (roll.transfer(name, "total") for name in ("front", "rear"))
    return front / (front + rear)


MORE_RIGHT = "right wheel loaded more, at 1 g to the left"

PARTS: tuple[tuple[Part, str, tuple[str, ...]], ...] = (
    ("geometric", "-sum F_y dy_C/droll / t", NEEDED[:2]),
    ("elastic", "K phi / t", NEEDED),
    ("unsprung", "sum m_u a_y (z_u + dy_u/droll) / t", ()),
    ("total", "sum of the three: the balance of moments exactly", NEEDED),
)
LOAD_TRANSFER: tuple[Metric[AxleInCar], ...] = tuple(
    Metric(f"load_transfer_{part}", f"{definition}, at 1 g", MORE_RIGHT, NEWTON, _transfer(part), "road", "", needs)
    for part, definition, needs in PARTS
)

CAR_ROLL: tuple[Metric[CarPoses], ...] = (
    Metric(
        "roll_stiffness_front_share", "K_f/(K_f + K_r)", "stiffer front", PERCENT, _of_car(_stiffness_share), "road"
    ),
    Metric(
        "roll_gradient",
        "M/(K - W) at 1 g, M by virtual work in the roll motion, W = m_s g d",
        "right side down in a left turn",
        PER_G,
        _of_car(lambda roll: roll.angle),
        "road",
        "roll rate, roll sensitivity",
        NEEDED,
    ),
    Metric(
        "load_transfer_front_share",
        "total of the front axle over that of both",
        "front wheels transfer more",
        PERCENT,
        _of_car(_transfer_share),
        "road",
        "lateral load transfer distribution",
        NEEDED,
    ),
)
