"""Wheel rates, ride rates and roll stiffness of an axle from its stiffness matrix K over the travels of both wheels."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np

from sheetmbs.engine.records import Floats
from sheetmbs.suspension.elastic.element_laws import GRAVITY, corner_load
from sheetmbs.suspension.elastic.spring_elements import Element, Law, bar_angle, elements, stiffness
from sheetmbs.suspension.kinematics.sweeps import SweptAxle
from sheetmbs.suspension.layout.car import SIDES, CarData
from sheetmbs.suspension.metrics.sweep_column import SweepColumn
from sheetmbs.suspension.metrics.wheel_metrics import DEG, SIZE

N_MM, PER_DEG = 1e-3, np.pi / 180.0


def rate_columns(car: CarData, swept: SweptAxle, laws: Mapping[tuple[str, str], Law]) -> Iterator[SweepColumn]:
    """Columns of springs, rates and roll stiffness, with the names of their corners and axle before them."""
    parts = list(elements(swept, laws))
    yield from _forces(swept, parts)
    if swept.axle.has_kind("U bar"):
        yield from _bar(swept)
    if not swept.axle.has_kind("spring"):
        return
    sprung = [part for part in parts if part.kind != "damper"]
    K = stiffness(sprung)
    for number, side in enumerate(SIDES):
        yield from _wheel_rates(car, swept, side, number, K, sprung)
    yield from _roll(swept, K, sprung)


def _forces(swept: SweptAxle, parts: list[Element]) -> Iterator[SweepColumn]:
    """Compression forces of springs, dampers and stops, torque of bars."""
    for part in parts:
        owner = swept.axle.corner(part.side) if part.side else swept.axle.name
        if part.kind == "U bar":
            yield SweepColumn(f"{owner}.{part.name}_torque", "N*m", part.force)
        else:
            yield SweepColumn(f"{owner}.{part.name}_force", "N", -part.force)


def _bar(swept: SweptAxle) -> Iterator[SweepColumn]:
    angles = {}
    for side, wheel in swept.wheels.items():
        angles[side] = bar_angle(wheel)
        corner = swept.axle.corner(side)
        yield SweepColumn(f"{corner}.bar_angle", DEG, angles[side].value / SIZE[DEG])
        yield SweepColumn(f"{corner}.bar_motion_ratio", "deg/mm", angles[side].first[:, 0] / SIZE[DEG] * N_MM)
    twist = angles["left"].value - angles["right"].value
    yield SweepColumn(f"{swept.axle.name}.bar_twist", DEG, twist / SIZE[DEG])


def _wheel_rates(
    car: CarData, swept: SweptAxle, side: str, at: int, K: Floats, parts: list[Element]
) -> Iterator[SweepColumn]:
    """K MR^2 + F dMR/dz and what follows: both wheels together, rolling, one alone, with the tyre."""
    corner, other = swept.axle.corner(side), 1 - at
    own, cross, far = K[:, at, at], K[:, at, other], K[:, other, other]
    heave = own + cross
    elastic = sum(part.elastic[:, at, at] + part.elastic[:, at, other] for part in parts)
    named = {
        "wheel_rate": heave,
        "wheel_rate_spring": np.asarray(elastic),
        "wheel_rate_preload": heave - elastic,
        "wheel_rate_roll": own - cross,
        "wheel_rate_single": own - cross**2 / np.where(far, far, np.nan),
        "wheel_rate_single_held": own,
    }
    tyre = swept.axle.number("tyre rate")
    if tyre is not None:
        named["ride_rate"] = heave * tyre / (heave + tyre)
    for name, values in named.items():
        yield SweepColumn(f"{corner}.{name}", "N/mm", values * N_MM)
    load, unsprung = corner_load(car, swept.axle), swept.axle.number("unsprung mass") or 0.0
    if tyre is not None and load is not None and load / GRAVITY > unsprung:
        rate = np.maximum(named["ride_rate"], 0.0)
        yield SweepColumn(f"{corner}.ride_frequency", "Hz", np.sqrt(rate / (load / GRAVITY - unsprung)) / (2.0 * np.pi))


def _roll(swept: SweptAxle, K: Floats, parts: list[Element]) -> Iterator[SweepColumn]:
    """V' K V along the roll motion in which both wheels stay on the road."""
    V = np.stack([swept.wheels[side].roll_slope for side in SIDES], axis=-1)

    def about(matrix: Floats) -> Floats:
        return np.asarray(np.einsum("ni,nij,nj->n", V, matrix, V))

    total = about(K)
    bars = [part for part in parts if part.kind == "U bar"]
    from_bars = about(stiffness(bars)) if bars else np.zeros(len(total))
    named = {"roll_stiffness": total, "roll_stiffness_springs": total - from_bars, "roll_stiffness_bar": from_bars}
    tyre = swept.axle.number("tyre rate")
    if tyre:
        left, right = (swept.wheels[side].contact.value for side in SIDES)
        track = left[:, 1] - right[:, 1]
        named["roll_stiffness_with_tyres"] = 1.0 / (1.0 / total + 2.0 / (tyre * track**2))
    for name, values in named.items():
        yield SweepColumn(f"{swept.axle.name}.{name}", "N*m/deg", values * PER_DEG)
