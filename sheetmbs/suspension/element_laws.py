"""Force laws of suspension elements, and the preloads at which the car stands at design."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from sheetmbs.engine.records import Floats
from sheetmbs.model import Curve
from sheetmbs.suspension.car import SIDES, AxleData, CarData, SpringElement
from sheetmbs.suspension.elastic import Law, bar_stiffness, design_length, lengths
from sheetmbs.suspension.sweeps import SweptAxle
from sheetmbs.suspension.wheel import Wheel

GRAVITY = 9.81


def corner_load(car: CarData, axle: AxleData) -> float | None:
    """Vertical contact load of one wheel at design, N; None where nothing tells it."""
    given = axle.number("corner load")
    if given is not None:
        return given
    mass, front = car.number("mass"), car.number("weight front")
    if mass is None or front is None:
        return None
    share = front if axle.name == "front" else 1.0 - front
    return 0.5 * mass * GRAVITY * share


def laws(car: CarData, design: SweptAxle, curves: Mapping[str, Curve]) -> dict[tuple[str, str], Law]:
    """The law of every element by its name and side. design: the axle at its design pose alone."""
    axle = design.axle
    found: dict[tuple[str, str], Law] = {}
    unknown: list[tuple[SpringElement, str]] = []
    carried = dict.fromkeys(SIDES, 0.0)  # generalised force that preloads carry
    slopes: dict[tuple[str, str], float] = {}
    for row in axle.springs:
        for side, length in lengths(row, design):
            key = row.name, side
            slopes[key] = float(length.first[0, SIDES.index(side)]) if side else 0.0
            if row.kind == "spring" and row.number("free_length") is None and row.number("preload") is None:
                unknown.append((row, side))
                continue
            found[key] = _law(row, curves, _preload(row, axle, side, curves))
            if side:
                carried[side] += float(-found[key](np.zeros(1))[0][0] * -slopes[key])
    for side in SIDES:
        mine = [row for row, at in unknown if at == side]
        wanted = _carried_at_design(car, axle, design.wheels[side])
        for row in mine:
            ratio = -slopes[row.name, side]
            share = 0.0 if wanted is None or ratio == 0.0 else (wanted - carried[side]) / len(mine) / ratio
            found[row.name, side] = _law(row, curves, share)
    return found


def _carried_at_design(car: CarData, axle: AxleData, wheel: Wheel) -> float | None:
    """Generalised force on the travel that the springs of a corner carry at design: contact load less unsprung weight."""
    load = corner_load(car, axle)
    if load is None:
        return None
    unsprung = axle.number("unsprung mass") or 0.0
    return load * float(wheel.contact_velocity[0, 2]) - unsprung * GRAVITY * float(wheel.twist[0][0, 0, 2])


def _preload(row: SpringElement, axle: AxleData, side: str, curves: Mapping[str, Curve]) -> float:
    """Compression force at design, N."""
    given = row.number("preload")
    if given is not None or row.kind != "spring":
        return given or 0.0
    free = row.number("free_length")
    compression = (free or 0.0) - design_length(row, axle, side)
    return float(_compression_law(row, curves)(np.array([compression]))[0][0])


def _law(row: SpringElement, curves: Mapping[str, Curve], preload: float) -> Law:
    """Tension and stiffness over how much longer than at design, from the compression force at design."""
    if row.kind == "U bar":
        k = bar_stiffness(row)
        return lambda twist: (k * twist, np.full_like(twist, k))
    push = _compression_law(row, curves)
    if row.kind in ("bump stop", "droop stop"):
        gap, sign = row.number("gap") or 0.0, 1.0 if row.kind == "bump stop" else -1.0

        def stop(longer: Floats) -> tuple[Floats, Floats]:
            engaged = np.maximum(sign * -longer - gap, 0.0)
            force, k = push(engaged)
            return -sign * np.where(engaged > 0.0, force, 0.0), np.where(engaged > 0.0, k, 0.0)

        return stop
    if row.kind in ("damper", "third damper"):
        return lambda longer: (np.full_like(longer, -preload), np.zeros_like(longer))
    at_design = _compression_at(push, preload)

    def spring(longer: Floats) -> tuple[Floats, Floats]:
        force, k = push(at_design - longer)
        return -force, k

    return spring


def _compression_law(row: SpringElement, curves: Mapping[str, Curve]) -> Law:
    """Compression force and stiffness over compression from the free length."""
    curve = curves.get(str(row.values.get("curve_k")))
    if curve is None:
        k = row.number("k") or 0.0
        return lambda compression: (k * compression, np.full_like(compression, k))
    slope = np.diff(curve.y) / np.diff(curve.x)

    def push(compression: Floats) -> tuple[Floats, Floats]:
        piece = np.clip(np.searchsorted(curve.x, compression, side="right") - 1, 0, len(slope) - 1)
        return curve.y[piece] + slope[piece] * (compression - curve.x[piece]), slope[piece]

    return push


def _compression_at(push: Law, force: float) -> float:
    """The compression at which a law gives a force: Newton's method, exact for straight pieces."""
    found = np.zeros(1)
    for _ in range(50):
        value, k = push(found)
        if not k[0] or abs(value[0] - force) <= 1e-12 * max(abs(force), 1.0):
            break
        found = found - (value - force) / k
    return float(found[0])
