"""Force laws of suspension elements, and the preloads at which the car stands at design."""

from __future__ import annotations

from math import nan

import numpy as np

from sheetmbs.engine.records import Floats
from sheetmbs.suspension.elastic.spring_elements import Law, bar_stiffness, design_length, lengths
from sheetmbs.suspension.kinematics.sweeps import SweptAxle
from sheetmbs.suspension.kinematics.wheel import Wheel
from sheetmbs.suspension.layout.car import SIDES, AxleData, CarData, SpringElement
from sheetmbs.suspension.layout.mass_data import GRAVITY, corner_load


def laws(car: CarData, design: SweptAxle) -> dict[tuple[str, str], Law]:
    """The law of every element by its name and side. design: the axle at its design pose alone.

    Springs with neither free length nor preload carry what is left of the load at design, in equal shares.
    """
    axle = design.axle
    found: dict[tuple[str, str], Law] = {}
    for row in axle.springs:
        if row.kind == "U bar":
            found[row.name, ""] = _bar(bar_stiffness(row))
    for side in SIDES:
        rows = [row for row in axle.springs if row.kind != "U bar"]
        ratios = [_ratio(row, design, side) for row in rows]
        forces = [_preload(row, axle, side) for row in rows]
        carried = sum((force or 0.0) * ratio for force, ratio in zip(forces, ratios, strict=True))
        left = _carried_at_design(car, axle, design.wheels[side]) - carried
        for row, ratio, force in zip(rows, ratios, forces, strict=True):
            share = left / forces.count(None) / ratio if force is None and ratio else nan
            found[row.name, side] = _law(row, share if force is None else force)
    return found


def _ratio(row: SpringElement, design: SweptAxle, side: str) -> float:
    """Compression of an element per travel of its wheel at design."""
    length = next(length for at, length in lengths(row, design) if at == side)
    return float(-length.first[0, SIDES.index(side)])


def _carried_at_design(car: CarData, axle: AxleData, wheel: Wheel) -> float:
    """Generalised force on the travel that the springs of a corner carry at design: contact load less unsprung weight.

    NaN where nothing tells the load.
    """
    load = corner_load(car, axle)
    if load is None:
        return nan
    unsprung = axle.number("unsprung mass") or 0.0
    return load * float(wheel.contact_velocity[0, 2]) - unsprung * GRAVITY * float(wheel.twist[0][0, 0, 2])


def _preload(row: SpringElement, axle: AxleData, side: str) -> float | None:
    """Compression force at design, N; None for a spring that says nothing of it."""
    given, free = row.number("preload"), row.number("free_length")
    if given is not None or row.kind != "spring":
        return given or 0.0
    length = design_length(row, axle, side) - axle.perches.get(side, 0.0)
    return None if free is None else (row.number("k") or 0.0) * (free - length)


def _bar(k: float) -> Law:
    """Moment and stiffness over the twist of a bar."""
    return lambda twist: (k * twist, np.full_like(twist, k))


def _law(row: SpringElement, preload: float) -> Law:
    """Tension and stiffness over how much longer than at design, from the compression force at design."""
    if row.kind == "damper":
        return lambda longer: (np.full_like(longer, -preload), np.zeros_like(longer))
    k, gap = row.number("k") or 0.0, row.number("gap") or 0.0
    if row.kind == "spring":
        return lambda longer: (k * longer - preload, np.full_like(longer, k))
    sign = 1.0 if row.kind == "bump stop" else -1.0

    def stop(longer: Floats) -> tuple[Floats, Floats]:
        engaged = np.maximum(-sign * longer - gap, 0.0)
        return -sign * k * engaged, np.where(engaged > 0.0, k, 0.0)

    return stop
