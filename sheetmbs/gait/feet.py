"""Heels, toes and the pelvis of a body, and the segments on which the ground acts."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from sheetmbs.gait.arrays import Vector
from sheetmbs.gait.body.body_segments import Points
from sheetmbs.gait.events.trial_events import FootCourse
from sheetmbs.gait.kinetics.foot_of_contact import Foot
from sheetmbs.gait.trial.gait_book import SIDES, GaitBook, SegmentRow, Side
from sheetmbs.schema.names import fold

SHORTEST_SETTLING = 0.1
"""s from an end of the recording within which no event is estimated, whatever the cut-off: the foot may have gone on"""


def point_of(points: Points, side: Side, name: str, book: GaitBook) -> Vector | None:
    """``right heel``, or plainly ``heel`` where only one leg is analysed; None where there is no such point."""
    names = {fold(each): each for each in points}
    wanted = [f"{side} {name}", *([name] if len(book.subject.sides) == 1 or not _is_sided(book, side) else [])]
    return next((points[names[fold(each)]] for each in wanted if fold(each) in names), None)


def _is_sided(book: GaitBook, side: Side) -> bool:
    return any(row.side == side for row in book.segments)


def foot_segment(book: GaitBook, side: Side) -> SegmentRow | None:
    """The segment on which the ground acts."""
    return next((row for row in book.segments if row.table == "foot" and row.side in (side, None)), None)


def feet_of(points: Points, book: GaitBook) -> dict[Side, Foot]:
    """Heel and toe of each foot; the ends of the foot's segment where it has no such markers."""
    feet: dict[Side, Foot] = {}
    for side in book.subject.sides:
        row = foot_segment(book, side)
        heel, toe = point_of(points, side, "heel", book), point_of(points, side, "toe", book)
        metatarsal = point_of(points, side, "mt5", book)
        if row is not None:
            ends = sorted((points[row.proximal], points[row.distal]), key=lambda each: float(np.nanmean(each[:, 0])))
            heel = ends[0] if heel is None else heel
            metatarsal = ends[1] if metatarsal is None else metatarsal
        front = metatarsal if toe is None else toe
        if heel is not None and front is not None:
            feet[side] = Foot(heel, front, toe is not None)
    return feet


def recorded_feet(points: Points, book: GaitBook) -> dict[Side, Foot]:
    """The feet that are analysed, and the other one where its markers were recorded too: plates carry both."""
    feet = feet_of(points, book)
    names = {fold(each): each for each in points}
    for side in SIDES:
        heel, front = (
            next((points[names[f"{side} {each}"]] for each in known if f"{side} {each}" in names), None)
            for known in (("heel",), ("toe", "mt5"))
        )
        if side not in feet and heel is not None and front is not None:
            feet[side] = Foot(heel, front, f"{side} toe" in names)
    return feet


def courses_of_feet(
    feet: Mapping[Side, Foot], points: Points, book: GaitBook, cutoff_period: float
) -> dict[Side, FootCourse]:
    """Where feet and pelvis are forward, by which events are found. cutoff_period: of their filter, in s."""
    courses: dict[Side, FootCourse] = {}
    for side, foot in feet.items():
        pelvis = _pelvis(side, points, book)
        if pelvis is not None:
            settling = max(cutoff_period, SHORTEST_SETTLING)
            found = {name: point_of(points, side, name, book) for name in ("heel", "mt5", "toe")}
            found["heel"] = foot.heel
            found["toe" if foot.is_toe else "mt5"] = foot.toe
            planar = {name: each[:, :2] for name, each in found.items() if each is not None}
            courses[side] = FootCourse(foot.heel[:, 0], foot.toe[:, 0], pelvis[:, 0], settling, planar)
    return courses


def _pelvis(side: Side, points: Points, book: GaitBook) -> Vector | None:
    """The sacrum, else the middle of the posterior spines, else the hip."""
    names = {fold(each): each for each in points}
    if "sacrum" in names:
        return points[names["sacrum"]]
    spines = [points[names[name]] for name in ("right psis", "left psis") if name in names]
    if len(spines) == 2:
        return np.asarray(np.mean(spines, axis=0))
    hip = point_of(points, side, "hip", book)
    thigh = next((row for row in book.segments if row.table == "thigh" and row.side in (side, None)), None)
    return points[thigh.proximal] if hip is None and thigh is not None else hip
