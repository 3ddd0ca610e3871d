"""Damping of a wheel and of the car in roll, and the two modes of a quarter car: its body on spring and damper, and the hop.

Of the lengths l_e(z_L, z_R) of dampers with coefficients c_e, C_ij = sum_e c_e l_e,i l_e,j over the travels of both wheels.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from sheetmbs.engine.records import Floats
from sheetmbs.suspension.elastic.element_kind import CurveLaw
from sheetmbs.suspension.elastic.spring_elements import Element
from sheetmbs.suspension.layout.car import SIDES, AxleData, SpringElement, computed_once
from sheetmbs.suspension.metrics.car_contexts import CarPoses
from sheetmbs.suspension.metrics.metric import (
    CORNER_LOAD,
    HERTZ,
    SLOPE,
    AxlePoses,
    CornerPoses,
    Found,
    Metric,
    of_known,
)
from sheetmbs.suspension.metrics.wheel_rates import ride_rate, wheel_rate

DAMPING, DAMPED = "N*s/mm", "more damped"
CURVE_SPEED = 50e-3
"""m/s, in compression and in rebound, between which the mean slope of a damper's curve is its coefficient"""
ROLL_INERTIA = "roll inertia"
MAX_CUBIC_STEPS = 4
"""Newton steps that take the root of the resolvent cubic to the last digits"""


def damper_force(row: SpringElement, speed: Floats | float) -> Floats:
    """Force of a damper, N, + against compression, at speeds in m/s, + in compression, without its gas force."""
    speeds = np.atleast_1d(np.asarray(speed, dtype=np.float64))
    if "curve_c" in row.curves:
        return CurveLaw(row.curves["curve_c"])(speeds)[0]
    return np.asarray((row.number("c") or 0.0) * speeds)


def damping_coefficient(row: SpringElement) -> float:
    """Coefficient c of a damper, N s/m: as given, or (F(50 mm/s) - F(-50 mm/s))/(100 mm/s) of its curve."""
    in_compression, in_rebound = damper_force(row, np.array([CURVE_SPEED, -CURVE_SPEED]))
    return float((in_compression - in_rebound) / (2.0 * CURVE_SPEED))


def damper_rows(axle: AxleData) -> list[SpringElement]:
    """The elements of an axle that resist speed."""
    return [row for row in axle.springs if "curve_c" in row.curves or row.number("c") is not None]


def dampers(of: AxlePoses) -> list[tuple[SpringElement, Element]]:
    """The dampers of an axle on either side, each with its row as it counts there."""
    rows = {row.name: row for row in damper_rows(of.axle)}
    found = []
    for part in of.elements if rows else ():
        row = of.axle.spring_row(rows[part.name], "", part.side) if part.name in rows else None
        if row is not None:
            found.append((row, part))
    return found


@computed_once
def axle_damping(of: AxlePoses) -> Floats | None:
    """(n, 2, 2) C over the travels of both wheels, N s/m; None of an axle without a damper."""
    found = dampers(of)
    if not found:
        return None
    coefficients = np.array([damping_coefficient(row) for row, _part in found])
    first = np.stack([part.length.first for _row, part in found])
    return np.asarray(np.einsum("e,eni,enj->nij", coefficients, first, first))


@dataclass(frozen=True, eq=False)
class Mode:
    """A mode at n poses. frequency: |lambda|/2 pi, Hz. damping: -Re lambda/|lambda|; above 1 where it does not swing."""

    frequency: Floats
    damping: Floats


@dataclass(frozen=True, eq=False)
class QuarterCar:
    """What a wheel carries at n poses. damping: N s/m. critical: 2 sqrt(ride_rate m_s). body, hop: its modes."""

    damping: Floats
    critical: Floats
    body: Mode
    hop: Mode


@computed_once
def _quarter_car(of: CornerPoses) -> QuarterCar | None:
    """None without a damper or springs."""
    damping, both, rate = _wheel_damping(of), _modes_of_both(of.of_axle), ride_rate(of)
    if damping is None or both is None or rate is None:
        return None
    squared = rate * _sprung_mass(of.of_axle)
    critical = 2.0 * np.sqrt(np.where(squared > 0.0, squared, np.nan))
    own = slice(of.at * len(rate), (of.at + 1) * len(rate))
    body, hop = (Mode(mode.frequency[own], mode.damping[own]) for mode in both)
    return QuarterCar(damping, critical, body, hop)


def _sprung_mass(of: AxlePoses) -> float:
    """That above one wheel, kg."""
    return of.number(CORNER_LOAD) / of.axle.gravity - of.number("unsprung mass")


@computed_once
def _modes_of_both(of: AxlePoses) -> tuple[Mode, Mode] | None:
    """Body and hop of the left wheel at n poses, then of the right (2 n,); None without a damper or springs."""
    matrix, rates = axle_damping(of), [wheel_rate(corner) for corner in of.corners]
    if matrix is None or any(rate is None for rate in rates):
        return None
    damping = np.concatenate([_both_together(matrix, at) for at in range(len(SIDES))])
    rate = np.concatenate([rate for rate in rates if rate is not None])
    return modes(_sprung_mass(of), of.number("unsprung mass"), rate, damping, of.number("tyre rate"))


def _both_together(matrix: Floats, at: int) -> Floats:
    """(n,) what a matrix (n, 2, 2) over both travels is at one wheel where both move alike."""
    return np.asarray(matrix[:, at, at] + matrix[:, at, 1 - at])


def modes(sprung: float, unsprung: float, rate: Floats, damping: Floats, tyre: float) -> tuple[Mode, Mode]:
    """Body and hop of two masses, kg, with a spring and a damper (n,) between them and the tyre below the lower one.

        m_s x_s'' = -k (x_s - x_u) - c (x_s' - x_u')        m_u x_u'' = k (x_s - x_u) + c (x_s' - x_u') - k_t x_u

    Their characteristic polynomial is (s^2 + a s + b) (s^2 + p s + q) with b < q; its modes have |lambda|^2 = b and q. The sum
    y = b + q is the largest root of the resolvent cubic of a quartic. NaN where a mass, a rate or the tyre is missing.
    """
    rate, damping = (np.where(np.isfinite(each) & (each > 0.0), each, np.nan) for each in (rate, damping))
    if not (sprung > 0.0 and unsprung > 0.0 and tyre > 0.0):
        rate = np.full_like(rate, np.nan)
        sprung = unsprung = tyre = 1.0
    both = 1.0 / sprung + 1.0 / unsprung
    A, B = damping * both, rate * both + tyre / unsprung
    C, D = damping * tyre / (sprung * unsprung), rate * tyre / (sprung * unsprung)
    y = _largest_root(-B, A * C - 4.0 * D, 4.0 * B * D - C**2 - A**2 * D)
    q = 0.5 * (y + np.sqrt(np.maximum(y**2 - 4.0 * D, 0.0)))
    b = D / q
    apart = np.where(q > b, q - b, np.nan)
    a = (C - A * b) / apart
    return tuple(Mode(np.sqrt(w) / (2.0 * np.pi), c / (2.0 * np.sqrt(w))) for c, w in ((a, b), (A - a, q)))  # type: ignore[return-value]


def _largest_root(a: Floats, b: Floats, c: Floats) -> Floats:
    """(n,) the largest real root of y^3 + a y^2 + b y + c: by Cardano's formula, and a few steps of Newton's method."""
    p, q = b - a**2 / 3.0, 2.0 * a**3 / 27.0 - a * b / 3.0 + c
    inside = 0.25 * q**2 + p**3 / 27.0
    root = np.sqrt(np.maximum(inside, 0.0))
    one = np.cbrt(-0.5 * q + root) + np.cbrt(-0.5 * q - root)
    size = np.sqrt(np.maximum(-p / 3.0, 0.0))
    cosine = np.clip(-0.5 * q / np.where(size > 0.0, size**3, 1.0), -1.0, 1.0)
    three = 2.0 * size * np.cos(np.arccos(cosine) / 3.0)
    y = np.where(inside > 0.0, one, three) - a / 3.0
    for _ in range(MAX_CUBIC_STEPS):
        slope = (3.0 * y + 2.0 * a) * y + b
        step = (((y + a) * y + b) * y + c) / np.where(slope > 0.0, slope, np.inf)
        y = y - step
    return np.asarray(y)


def _found(find: Callable[[QuarterCar], Floats]) -> Callable[[CornerPoses], Found]:
    return of_known(_quarter_car, lambda _of, car: find(car))


def _wheel_damping(of: CornerPoses) -> Floats | None:
    found = axle_damping(of.of_axle)
    return None if found is None else _both_together(found, of.at)


TYRE_AND_LOAD = ("tyre rate", CORNER_LOAD)
MODE = "of m_s and the unsprung mass on wheel_rate, wheel_damping and tyre rate"

WHEEL_DAMPING: tuple[Metric[CornerPoses], ...] = (
    Metric(
        "wheel_damping",
        "c MR^2 of all dampers, both wheels together; of a curve c = (F(50) - F(-50))/(100 mm/s)",
        DAMPED,
        DAMPING,
        _wheel_damping,
    ),
    Metric(
        "critical_damping",
        "2 sqrt(ride_rate m_s), m_s = corner load/g - unsprung mass",
        DAMPED,
        DAMPING,
        _found(lambda car: car.critical),
        needs=TYRE_AND_LOAD,
    ),
    Metric(
        "damping_ratio",
        "wheel_damping/critical_damping",
        DAMPED,
        SLOPE,
        _found(lambda car: car.damping / car.critical),
        needs=TYRE_AND_LOAD,
    ),
    Metric(
        "body_frequency",
        f"|lambda|/(2 pi) of the slow mode {MODE}",
        "faster",
        HERTZ,
        _found(lambda car: car.body.frequency),
        needs=TYRE_AND_LOAD,
    ),
    Metric(
        "body_damping",
        f"-Re lambda/|lambda| of the slow mode {MODE}",
        DAMPED,
        SLOPE,
        _found(lambda car: car.body.damping),
        needs=TYRE_AND_LOAD,
    ),
    Metric(
        "hop_frequency",
        f"|lambda|/(2 pi) of the fast mode {MODE}",
        "faster",
        HERTZ,
        _found(lambda car: car.hop.frequency),
        needs=TYRE_AND_LOAD,
    ),
    Metric(
        "hop_damping",
        f"-Re lambda/|lambda| of the fast mode {MODE}",
        DAMPED,
        SLOPE,
        _found(lambda car: car.hop.damping),
        needs=TYRE_AND_LOAD,
    ),
)


def _roll_damping_ratio(of: CarPoses) -> Found:
    roll, total = of.roll, np.zeros(of.rows)
    if roll is None:
        return None
    found = {name: axle_damping(axle) for name, axle in of.axles.items()}
    if all(matrix is None for matrix in found.values()):
        return None
    for name, matrix in found.items():
        if matrix is not None:
            total = total + of.spread(name, of.axles[name].along_roll(matrix))
    inertia = of.car.number(ROLL_INERTIA)
    squared = roll.net_stiffness * (np.nan if inertia is None else inertia)
    return np.asarray(total / (2.0 * np.sqrt(np.where(squared > 0.0, squared, np.nan))))


ROLL_DAMPING: tuple[Metric[CarPoses], ...] = (
    Metric(
        "roll_damping_ratio",
        "C/(2 sqrt((K - W) I)), C = sum V' [c MR^2] V of both axles, I the setting roll inertia",
        DAMPED,
        SLOPE,
        _roll_damping_ratio,
        "road",
        "",
        (ROLL_INERTIA, "mass", "weight front", "cg height"),
    ),
)

OF_DAMPERS = (*WHEEL_DAMPING, *ROLL_DAMPING)
"""metrics of which a car without dampers has none"""
