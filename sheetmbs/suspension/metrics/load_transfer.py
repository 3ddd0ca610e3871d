"""Metrics of roll and lateral load transfer at 1 g by the linear formulas of `elastic/linear_roll.py`."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from sheetmbs.suspension.elastic.linear_roll import Part
from sheetmbs.suspension.metrics.car_contexts import AxleInCar, CarPoses
from sheetmbs.suspension.metrics.metric import NEWTON, PER_G, PERCENT, Found, Metric

NEEDED = ("mass", "weight front", "cg height")


def _of_axle(part: Part) -> Callable[[AxleInCar], Found]:
    def find(of: AxleInCar) -> Found:
        roll = of.of_car.roll
        return None if roll is None else roll.transfer(of.name, part)

    return find


def _gradient(of: CarPoses) -> Found:
    roll = of.roll
    return None if roll is None else roll.angle


def _stiffness_share(of: CarPoses) -> Found:
    roll = of.roll
    if roll is None:
        return None
    front, rear = (roll.axles[name].stiffness for name in ("front", "rear"))
    return np.asarray(front / (np.asarray(front) + rear))


def _transfer_share(of: CarPoses) -> Found:
    roll = of.roll
    if roll is None:
        return None
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
    Metric(f"load_transfer_{part}", f"{definition}, at 1 g", MORE_RIGHT, NEWTON, _of_axle(part), "road", "", needs)
    for part, definition, needs in PARTS
)

CAR_ROLL: tuple[Metric[CarPoses], ...] = (
    Metric("roll_stiffness_front_share", "K_f/(K_f + K_r)", "stiffer front", PERCENT, _stiffness_share, "road"),
    Metric(
        "roll_gradient",
        "M/(K - W) at 1 g, M by virtual work in the roll motion, W = m_s g d",
        "right side down in a left turn",
        PER_G,
        _gradient,
        "road",
        "roll rate, roll sensitivity",
        NEEDED,
    ),
    Metric(
        "load_transfer_front_share",
        "total of the front axle over that of both",
        "front wheels transfer more",
        PERCENT,
        _transfer_share,
        "road",
        "lateral load transfer distribution",
        NEEDED,
    ),
)
