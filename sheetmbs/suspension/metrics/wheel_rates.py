"""Wheel rates, ride rates, roll stiffness and roll moments, from elements and their stiffness matrix K over both travels.

Roll moments are the work of elements per angle along the motion in which both wheels stay on the road.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from sheetmbs.engine.records import Floats
from sheetmbs.suspension.elastic.spring_elements import stiffness
from sheetmbs.suspension.metrics.metric import CORNER_LOAD, HERTZ, RATE, AxlePoses, CornerPoses, Found, Metric
from sheetmbs.suspension.metrics.wheel_positions import design_track

NO_RATE = 1e-12
"""share of the sizes of what is summed, or of the largest entry of K, below which a sum or a divisor is rounding alone"""
STIFFER = "stiffer in bump"
ROLL_RATE = "N*m/deg"


def _entries(of: CornerPoses) -> tuple[Floats, Floats, Floats] | None:
    """Own, coupling and the other wheel's entry of K."""
    K, at = of.of_axle.stiffness, of.at
    return None if K is None else (K[:, at, at], K[:, at, 1 - at], K[:, 1 - at, 1 - at])


def _without_rounding(*parts: Floats) -> Floats:
    """(n,) the sum of parts of a rate, N/m; 0 where they cancel up to rounding, as those of a bar do in heave."""
    total = np.sum(parts, axis=0)
    return np.where(np.abs(total) <= NO_RATE * np.sum(np.abs(parts), axis=0), 0.0, total)


def wheel_rate(of: CornerPoses) -> Floats | None:
    """(n,) K_LL + K_LR of a wheel, N/m; None without springs."""
    found = _entries(of)
    return None if found is None else _without_rounding(*found[:2])


def _elastic(of: CornerPoses) -> Floats | None:
    if of.of_axle.stiffness is None:
        return None
    return np.asarray(sum(part.elastic[:, of.at, :].sum(axis=1) for part in of.of_axle.elements))


def _geometric(of: CornerPoses) -> Floats | None:
    if of.of_axle.stiffness is None:
        return None
    return np.asarray(sum(part.geometric[:, of.at, :].sum(axis=1) for part in of.of_axle.elements))


def _in_roll(of: CornerPoses) -> Floats | None:
    found = _entries(of)
    return None if found is None else found[0] - found[1]


def _single(of: CornerPoses) -> Floats | None:
    found = _entries(of)
    if found is None:
        return None
    own, cross, far = found
    is_none = np.abs(far) <= NO_RATE * np.max(np.abs(found), axis=0)
    return _without_rounding(own, -(cross**2) / np.where(is_none, np.nan, far))


def _held(of: CornerPoses) -> Floats | None:
    found = _entries(of)
    return None if found is None else found[0]


def ride_rate(of: CornerPoses) -> Floats | None:
    """With the tyre in series, N/m."""
    heave, tyre = wheel_rate(of), of.number("tyre rate")
    return None if heave is None else heave * tyre / (heave + tyre)


def _frequency(of: CornerPoses) -> Floats | None:
    rate = ride_rate(of)
    if rate is None:
        return None
    sprung = of.number(CORNER_LOAD) / of.axle.gravity - of.number("unsprung mass")
    squared = rate / sprung
    return np.sqrt(np.where(squared > 0.0, squared, np.nan)) / (2.0 * np.pi)


WHEEL_RATES: tuple[Metric[CornerPoses], ...] = (
    Metric(
        "wheel_rate",
        "K_LL + K_LR: k MR^2 + F dMR/dz, both wheels together",
        STIFFER,
        RATE,
        wheel_rate,
        "",
        "wheel centre rate; textbooks: k MR^2 alone",
    ),
    Metric("wheel_rate_spring", "k MR^2 of all elements", STIFFER, RATE, _elastic),
    Metric("wheel_rate_preload", "F dMR/dz of all elements, F compression", STIFFER, RATE, _geometric),
    Metric("wheel_rate_roll", "K_LL - K_LR: the wheels against each other", STIFFER, RATE, _in_roll),
    Metric("wheel_rate_single", "K_LL - K_LR^2/K_RR: other wheel free at constant load", STIFFER, RATE, _single),
    Metric("wheel_rate_single_held", "K_LL: other wheel held", STIFFER, RATE, _held),
    Metric(
        "ride_rate",
        "k_w k_t/(k_w + k_t)",
        STIFFER,
        RATE,
        ride_rate,
        needs=("tyre rate",),
    ),
    Metric(
        "ride_frequency",
        "sqrt(ride_rate/m_s)/(2 pi), m_s = corner load/g - unsprung mass",
        "faster",
        HERTZ,
        _frequency,
        needs=("tyre rate", CORNER_LOAD),
    ),
)


def _from_bars(of: AxlePoses) -> Floats | None:
    if of.stiffness is None:
        return None
    bars = [part for part in of.elements if part.of_kind.is_bar]
    return of.along_roll(stiffness(bars)) if bars else np.zeros(of.count)


def _from_springs(of: AxlePoses) -> Floats | None:
    total, bars = of.roll_stiffness, _from_bars(of)
    return None if total is None or bars is None else total - bars


def _with_tyres(of: AxlePoses) -> Found:
    total = of.roll_stiffness
    if total is None:
        return None
    tyres = 0.5 * of.number("tyre rate") * design_track(of) ** 2
    return total * tyres / (total + tyres)


def heave_rate(of: AxlePoses) -> Floats | None:
    """(n,) K_LL + 2 K_LR + K_RR, N/m; None without springs."""
    K = of.stiffness
    return None if K is None else _without_rounding(K[:, 0, 0], K[:, 0, 1], K[:, 1, 0], K[:, 1, 1])


ROLL_STIFFNESS: tuple[Metric[AxlePoses], ...] = (
    Metric("heave_rate", "K_LL + 2 K_LR + K_RR: of the axle, both wheels together", STIFFER, RATE, heave_rate),
    Metric(
        "roll_stiffness",
        "V' K V, V = (dz_L/droll, dz_R/droll) on the road",
        "rights the body",
        ROLL_RATE,
        lambda of: of.roll_stiffness,
    ),
    Metric("roll_stiffness_springs", "the part of springs and stops", "rights the body", ROLL_RATE, _from_springs),
    Metric("roll_stiffness_bar", "the part of bars", "rights the body", ROLL_RATE, _from_bars),
    Metric(
        "roll_stiffness_with_tyres",
        "1/(1/K + 2/(k_t t^2)), t the track at design",
        "rights the body",
        ROLL_RATE,
        _with_tyres,
        needs=("tyre rate",),
    ),
)


MOMENT = "N*m"


def _of(*, bars: bool, springs: bool) -> Callable[[AxlePoses], Floats | None]:
    """sum_e F_e (l_e,L V_L + l_e,R V_R), F tension, V travel per roll, N m."""

    def moment(of: AxlePoses) -> Floats | None:
        if of.stiffness is None:
            return None
        found = np.zeros(of.count)
        for part in of.elements:
            if bars if part.of_kind.is_bar else springs:
                found = found + part.force * np.sum(part.length.first * of.roll_motion, axis=1)
        return found

    return moment


ROLL_MOMENTS: tuple[Metric[AxlePoses], ...] = (
    Metric(
        "roll_moment",
        "dU/droll = sum F dl/droll of all elements, F tension",
        "rights a body that leans right",
        MOMENT,
        _of(bars=True, springs=True),
    ),
    Metric(
        "roll_moment_springs",
        "the part of springs and stops",
        "rights a body that leans right",
        MOMENT,
        _of(bars=False, springs=True),
    ),
    Metric(
        "roll_moment_bar", "the part of bars", "rights a body that leans right", MOMENT, _of(bars=True, springs=False)
    ),
)
