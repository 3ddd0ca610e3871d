"""Steering: Ackermann, the circle that a car turns, and the ratio of the steering wheel."""

from __future__ import annotations

from dataclasses import dataclass
from math import nan

import numpy as np

from sheetmbs.engine.records import Floats
from sheetmbs.suspension.elastic.element_kind import at_rows
from sheetmbs.suspension.kinematics.jets import Jet
from sheetmbs.suspension.layout.car import SIDES, computed_once
from sheetmbs.suspension.metrics.metric import DEG, MM, PERCENT, AxlePoses, CornerPoses, Found, Metric
from sheetmbs.suspension.metrics.steering_axes import kingpin_offset
from sheetmbs.suspension.metrics.wheel_angles import steer
from sheetmbs.suspension.metrics.wheel_positions import design_track

LEAST_ANGLE = np.radians(3.0)
"""steer of the inner wheel below which a percentage says nothing"""
WHEELBASE, PER_TURN = "wheelbase", "rack per turn"
IDEAL = "cot d_i,ideal = cot d_o - t/L"


@dataclass(frozen=True, eq=False)
class Turned:
    """Steer of the inner and of the outer wheel of a turn (n,), rad, + into the turn; what the inner one would ideally be."""

    inner: Floats
    outer: Floats
    ideal: Floats


@computed_once
def _turned(of: AxlePoses) -> Turned | None:
    """Steer without static toe; None of an axle that is not steered."""
    return _turned_wheels(of, with_toe=False)


def _turned_wheels(of: AxlePoses, *, with_toe: bool) -> Turned | None:
    """None of an axle that is not steered."""
    if not of.axle.is_steered:
        return None
    left, right = (steer(of.swept.wheels[side]).value - (0.0 if with_toe else _straight(of, side)) for side in SIDES)
    is_left = left + right >= 0.0
    inner, outer = np.where(is_left, left, -right), np.where(is_left, right, -left)
    ratio = _track(of) / of.number(WHEELBASE)
    ideal = np.arctan2(np.sin(outer), np.cos(outer) - ratio * np.sin(outer))
    return Turned(inner, outer, ideal)


def _straight(of: AxlePoses, side: str) -> Floats:
    """Steer of a wheel straight ahead, rad: its static toe, as it stands."""
    return _at_design(steer(of.swept.at_design[side]), of)


def _track(of: AxlePoses) -> Floats | float:
    """At the contacts at design, or between the points where the steering axes meet the road there."""
    track = design_track(of)
    if of.axle.word("track for ackermann") == "contact":
        return track
    inside = [kingpin_offset(wheel) for wheel in of.swept.at_design.values()]
    return track - sum(_at_design(each, of) for each in inside)


def _at_design(found: Jet | None, of: AxlePoses) -> Floats:
    """At design; NaN of an axle without such a value, or that does not even close there."""
    return at_rows(nan if found is None or not len(found.value) else found.value, of.count)


def _percent(turned: Turned | None) -> Found:
    if turned is None:
        return None
    wanted = turned.ideal - turned.outer
    tells = (np.abs(turned.inner) >= LEAST_ANGLE) & (wanted != 0.0)
    return np.where(tells, (turned.inner - turned.outer) / np.where(tells, wanted, 1.0), np.nan)


def _error(of: AxlePoses) -> Found:
    turned = _turned(of)
    return None if turned is None else turned.ideal - turned.inner


def _radius(of: AxlePoses) -> Found:
    turned = _turned(of)
    if turned is None:
        return None
    sine = np.sin(turned.outer)
    return of.number(WHEELBASE) / np.where(np.abs(sine) > 1e-6, np.abs(sine), np.nan)


def _overall(of: CornerPoses) -> Found:
    if not of.axle.is_steered:
        return None
    per_rack = steer(of.wheel).first[:, of.wheel.rack_at]
    return 1.0 / of.axle.rack_rate(of.of_axle.swept.placing.rack) / np.where(per_rack, per_rack, np.nan)


STEERING: tuple[Metric[AxlePoses], ...] = (
    Metric(
        "ackermann",
        f"100 (d_i - d_o)/(d_i,ideal - d_o), {IDEAL}, d without static toe; empty where abs(d_i) < 3 deg",
        "inner wheel steers more",
        PERCENT,
        lambda of: _percent(_turned(of)),
        "body",
        "Ackermann percentage",
        (WHEELBASE,),
    ),
    Metric(
        "ackermann_with_toe",
        "the same with static toe left in",
        "inner wheel steers more",
        PERCENT,
        lambda of: _percent(_turned_wheels(of, with_toe=True)),
        "body",
        "",
        (WHEELBASE,),
    ),
    Metric(
        "ackermann_error",
        "d_i,ideal - d_i",
        "inner wheel steers too little",
        DEG,
        _error,
        "body",
        "Ackermann error",
        (WHEELBASE,),
    ),
    Metric("turn_radius", "L/sin(d_o); empty straight ahead", "unsigned", MM, _radius, "road", "", (WHEELBASE,)),
)

OVERALL_RATIO: tuple[Metric[CornerPoses], ...] = (
    Metric(
        "steer_ratio_overall",
        "d(steering wheel)/d(steer), from rack per turn and, with shafts on Steering, the local d(rack)/d(wheel)",
        "wheel follows the steering wheel",
        "deg/deg",
        _overall,
        "body",
        "steering ratio",
        (PER_TURN,),
    ),
)
