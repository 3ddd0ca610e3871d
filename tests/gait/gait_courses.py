"""Courses of the exact walker, and the workbook that would have given them, as the sheets of gait are given them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from sheetmbs.gait.trial.gait_book import Band, GaitBook, JointRow, Processing, SegmentRow, Subject
from sheetmbs.gait.trial.trial_courses import Contact, GaitEvent, TrialCourses
from tests.support import gait_walker as w

RATE = 100.0
STRIKES = {"right": 0.0, "left": 0.5}
"""of the stride"""
SEGMENTS = (
    ("trunk", None, "shoulder", "hip", None, "hat"),
    *(
        (f"{side} {name}", side, f"{side} {upper}", f"{side} {lower}", parent.format(side), name)
        for side in ("right", "left")
        for name, upper, lower, parent in (
            ("thigh", "hip", "knee", "trunk"),
            ("shank", "knee", "ankle", "{} thigh"),
            ("foot", "ankle", "mt5", "{} shank"),
        )
    ),
)
POSITIVE = {"hip": "flexion", "knee": "flexion", "ankle": "dorsiflexion"}
PARTS = {"hip": ("trunk", "{} thigh"), "knee": ("{} thigh", "{} shank"), "ankle": ("{} shank", "{} foot")}


def processing(**given: Any) -> Processing:
    usual: dict[str, Any] = {
        "axis_forward": "+x",
        "axis_up": "+y",
        "rate": None,
        "force_rate": None,
        "force_delay": 0.0,
        "gap_limit": 0.1,
        "gap_fill": "cubic",
        "detail": False,
        "animation": False,
        "projection": "xy",
        "cutoff": 6.0,
        "filter_order": 4,
        "cutoff_meaning": "effective",
        "padding": "odd",
        "force_cutoff": "same",
        "derivative": "spline",
        "kinematics": "segments",
        "threshold": 20.0,
        "events": "force",
        "points": 101,
        "moment": "internal",
        "moment_unit": "N*m/kg",
        "power_unit": "W/kg",
        "signs": "clinical",
        "moment_axes": "jcs",
        "edge": 1.0,
        "colour_left": "#C0392B",
        "colour_right": "#1F5FBF",
        "cutoffs": {},
        "places": {},
    }
    return Processing(**(usual | given))


def walker_book(*, sides=("right", "left"), bands: tuple[Band, ...] = (), **given: Any) -> GaitBook:
    """The walker's workbook. given: what its Processing says."""
    printed = {"id": "S07", "date": "2026-05-12", "condition": "barefoot", "speed": "1.25 m/s"}
    subject = Subject(w.MASS, w.HEIGHT, "female", "winter", sides, printed, {})
    segments = tuple(
        SegmentRow(
            name, side, upper, lower, parent, (lower, upper), table, None, None, None, None, None, "mean", (), (), {}
        )
        for name, side, upper, lower, parent, table in SEGMENTS
        if side is None or side in sides
    )
    joints = tuple(
        JointRow(name, side, above.format(side), below.format(side), 0.0, POSITIVE[name], "Gait joints!A3")
        for side in sides
        for name, (above, below) in PARTS.items()
    )
    return GaitBook(
        subject, processing(**given), "2D", w.GRAVITY, (), None, {}, (), segments, joints, (), (), bands, ()
    )


def walker_trial(
    book: GaitBook,
    name: str = "",
    *,
    duration: float = 4.0,
    scale: float = 1.0,
    limp: float = 1.0,
    forces: bool = True,
    late: float = 0.0,
) -> TrialCourses:
    """Courses of the walker. scale: of all angles and loads; limp: of those of the left joints besides.

    late: by how much its clock runs behind, in s.
    """
    time = np.arange(round(duration * RATE)) / RATE
    body, loads, ground = w.walk(time - late), w.joint_loads(time - late), w.ground(time - late)
    joints = {}
    for joint in book.joints:
        upper, lower = body.pieces[joint.proximal].angle, body.pieces[joint.distal].angle
        sign = -1.0 if joint.name == "knee" else 1.0
        # the sole is the line of the foot: heel to toe, which is level where its angle is half a turn
        mt5 = np.arctan2(*(w.ANKLE - w.MT5)[::-1])
        neutral = mt5 - 0.5 * np.pi if joint.name == "ankle" else 0.0
        course = {
            "angle": sign * (lower.value - upper.value) - neutral,
            "rate": sign * (lower.rate - upper.rate),
        }
        if forces:
            load = loads[joint.label]
            course |= {"moment": load.moment, "power": load.power, "fx": load.force[:, 0], "fy": load.force[:, 1]}
        size = scale * (limp if joint.side == "left" else 1.0)
        joints[joint.label] = {quantity: size * values for quantity, values in course.items()}
    feet = {
        side: {
            "fx": scale * ground[side][0][:, 0],
            "fy": scale * ground[side][0][:, 1],
            "m": scale * ground[side][1],
            "px": np.divide(
                ground[side][1],
                ground[side][0][:, 1],
                out=np.full(len(time), np.nan),
                where=ground[side][0][:, 1] > book.processing.threshold,
            ),
        }
        for side in book.subject.sides
    }
    whole = len(book.subject.sides) == 2
    com = sum(each.mass * each.com.value for each in body.pieces.values()) / w.MASS
    edge = (time < 1.0 / 6.0) | (time > time[-1] - 1.0 / 6.0)
    return TrialCourses(
        name,
        time,
        np.arange(1, len(time) + 1),
        RATE,
        joints,
        {name: {"angle": scale * body.pieces[name].angle.value} for name, *_ in SEGMENTS if name in _names(book)},
        feet if forces else {},
        {name: np.zeros(len(time)) for name in ("fx", "fy", "m")} if whole and forces else None,
        np.column_stack((com, np.full(len(time), np.nan))),
        _points(body.points),
        edge,
        np.zeros(len(time), np.bool_),
        tuple(_events(book, name, time, late, forces=forces)),
        tuple(_contacts(book, time, late, forces=forces)),
    )


def _names(book: GaitBook) -> set[str]:
    return {row.name for row in book.segments}


def _points(points: Mapping[str, w.Motion]) -> dict[str, np.ndarray]:
    side = {"right": w.WIDTH, "left": -w.WIDTH}
    return {
        name: np.column_stack((each.value, np.full(len(each.value), side.get(name.split()[0], 0.0))))
        for name, each in points.items()
    }


def times_of(side: str, kind: str, time: np.ndarray, late: float = 0.0) -> np.ndarray:
    """When a foot of the walker strikes, or leaves the ground."""
    after = 0.0 if kind == "heel strike" else 0.5 + w.DOUBLE_SUPPORT
    all_times = (np.arange(-2, 40) + STRIKES[side] + after) * w.PERIOD + late
    return all_times[(all_times >= time[0]) & (all_times <= time[-1])]


def _events(book, name, time, late, *, forces):
    found = []
    for side in book.subject.sides:
        for kind in ("heel strike", "toe off"):
            for at in times_of(side, kind, time, late):
                source = "force" if forces else "kinematic (estimated)"
                frame = round(at * RATE) + 1
                found.append(GaitEvent(kind, side, float(at), frame, name, source, "FP1" if forces else ""))
    return sorted(found, key=lambda each: each.time)


def _contacts(book, time, late, *, forces):
    for side in book.subject.sides:
        for start in times_of(side, "heel strike", time, late):
            end = start + (0.5 + w.DOUBLE_SUPPORT) * w.PERIOD
            if end <= time[-1]:
                yield Contact(side, float(start), float(end), ("FP1",) if forces else (), forces)


def normal_band(quantity: str, low: np.ndarray, high: np.ndarray, source: str = "two walkers of our own") -> Band:
    return Band(quantity, np.linspace(0.0, 100.0, len(low)), low, high, source)


def without_forces(trial: TrialCourses) -> TrialCourses:
    joints = {label: {q: each[q] for q in ("angle", "rate")} for label, each in trial.joints.items()}
    return replace(trial, joints=joints, feet={}, residual=None)
