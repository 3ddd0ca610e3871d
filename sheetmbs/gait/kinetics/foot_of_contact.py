"""Which foot stands on a plate: the one that hardly moves while the plate is loaded, and what it then carries.

The speed of a foot is the mean of heel and toe, and of a contact its median, for the heel rises long before the toes leave:
the mean over a whole contact is 0.25 to 0.31 m/s in overground walking, the median 0.13 to 0.15, of the other foot 2.
Contacts that the recording cuts to a tenth of a second have no foot that stands still; their centre of pressure tells.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from sheetmbs.gait.arrays import Mask, Vector
from sheetmbs.gait.kinetics.plate_wrenches import PlateWrench, is_within
from sheetmbs.gait.trial.gait_book import Side

FASTEST = 0.3  # m/s: speed of a foot that stands
LEAST_RATIO = 2.0  # of the other foot's speed to it
TAIL = 0.25  # s: so long before and after a contact what is left of its force counts to its foot
BEYOND = 0.05  # m: so far the centre of pressure may lie behind the heel or before the toes
ASIDE = 0.08  # m: and so far from the line between them
LEVEL = 0.5  # of an axis, its part along the vertical below which it is level
CLEARLY = 0.8  # share of the frames in which it lies under one foot, and not under the other
BEYOND_MT5 = 0.08  # m: the tip of the toes from the fifth metatarsal


@dataclass(frozen=True, eq=False)
class Foot:
    """Points of one foot over the frames, filtered, in axes of the laboratory.

    heel, toe: (n, 3) in m. is_toe: whether ``toe`` is the tip of the toes; else it is the fifth metatarsal.
    """

    heel: Vector
    toe: Vector
    is_toe: bool


@dataclass(frozen=True)
class ContactFoot:
    """The foot of one contact of a plate.

    start, end: in s. side: given or found, None where neither; where one foot alone is recorded, a contact during which it
    moves is that of the other. by: what tells it, "" nothing. speeds: of each foot over the
    contact in m/s, NaN where its markers are missing. under: share of the contact's frames in which the centre of pressure
    lies under each foot, NaN unknown. both_inside: both feet stand within the plate's outline while it is loaded.
    """

    plate: str
    start: float
    end: float
    side: Side | None
    by: Literal["given", "speed", "pressure", ""]
    speeds: Mapping[Side, float]
    under: Mapping[Side, float]
    both_inside: bool


def contact_foot(
    plate: PlateWrench,
    contact: tuple[float, float],
    word: str,
    time: Vector,
    feet: Mapping[Side, Foot],
    up: Vector,
) -> ContactFoot:
    """Find the foot of a contact.

    contact: its start and end in s. word: right or left as the workbook says it, or auto. time: (n,) of the frames in s.
    up: (3,) the vertical.
    """
    start, end = contact
    during = (time >= start) & (time <= end)
    speeds = {side: _speed_of(foot, time, during) for side, foot in feet.items()}
    under = {side: _share_under(plate, foot, during, up) for side, foot in feet.items()}
    side, by = _found(word, speeds, under)
    return ContactFoot(plate.name, start, end, side, by, speeds, under, _both_inside(plate, feet, time, during))


def _found(
    word: str, speeds: Mapping[Side, float], under: Mapping[Side, float]
) -> tuple[Side | None, Literal["given", "speed", "pressure", ""]]:
    """The foot of a contact, and what tells it."""
    if word != "auto":
        return ("right" if word == "right" else "left"), "given"
    standing = _standing(speeds)
    if standing is not None:
        return standing, "speed"
    carried = [side for side, share in under.items() if share >= CLEARLY]
    free = [side for side, share in under.items() if share <= 1.0 - CLEARLY]
    if len(carried) == 1 and len(carried) + len(free) == len(under) > 1:
        return carried[0], "pressure"
    if len(speeds) == 1 and not carried and min(speeds.values()) > FASTEST:
        return ("left" if "right" in speeds else "right"), "speed"  # the foot whose markers were not recorded
    return None, ""


def _speed(points: Vector, time: Vector) -> Vector:
    """(n,) of a point (n, 3), by central differences; a coordinate that is known in no frame does not count."""
    known = np.any(np.isfinite(points), axis=0)
    if not np.any(known):
        return np.full(len(time), np.nan)
    return np.asarray(np.linalg.norm(np.gradient(points[:, known], time, axis=0), axis=1))


def _speed_of(foot: Foot, time: Vector, during: Mask) -> float:
    """The median over a contact of the mean of heel and toe, or of the one that is seen; NaN where neither is."""
    speeds = [_speed(points, time)[during] for points in (foot.heel, foot.toe)]
    seen = [each for each in speeds if np.any(np.isfinite(each))]
    both = np.mean(seen, axis=0) if seen else np.zeros(0)
    known = both[np.isfinite(both)]
    return float(np.median(known)) if len(known) else np.nan


def _standing(speeds: Mapping[Side, float]) -> Side | None:
    """The foot that stands: slow, and much slower than the other; of one foot alone nothing but its own speed is known."""
    known = sorted((speed, side) for side, speed in speeds.items() if np.isfinite(speed))
    if not known or known[0][0] > FASTEST:
        return None
    if len(known) > 1 and known[1][0] < LEAST_RATIO * known[0][0]:
        return None
    return known[0][1]


def _share_under(plate: PlateWrench, foot: Foot, during: Mask, up: Vector) -> float:
    """Of the frames with a centre of pressure, those in which it lies between heel and toe, in the level directions known."""
    known = [np.any(np.isfinite(points), axis=0) for points in (plate.pressure, foot.heel, foot.toe)]
    level = np.logical_and.reduce([*known, np.abs(up) < LEVEL])
    if not np.any(level):
        return np.nan
    point, heel, toe = (points[during][:, level] for points in (plate.pressure, foot.heel, foot.toe))
    line, away = toe - heel, point - heel
    length = np.linalg.norm(line, axis=1)
    along = np.einsum("nk,nk->n", away, line) / length
    aside = np.linalg.norm(away - (along / length)[:, None] * line, axis=1)
    seen = np.isfinite(aside)
    if not np.any(seen):
        return np.nan
    tip = length + (0.0 if foot.is_toe else BEYOND_MT5)
    is_under = (along >= -BEYOND) & (along <= tip + BEYOND) & (aside <= ASIDE)
    return float(np.mean(is_under[seen]))


def _both_inside(plate: PlateWrench, feet: Mapping[Side, Foot], time: Vector, during: Mask) -> bool:
    """Whether both feet stand on heel or toes within the outline in the same loaded frame: as one comes the other rises."""
    if plate.outline is None or len(feet) < 2:
        return False
    inside = during.copy()
    for foot in feet.values():
        ends = [is_within(end, plate.outline, 0.0) & (_speed(end, time) < FASTEST) for end in (foot.heel, foot.toe)]
        inside &= np.logical_or(*ends)
    return bool(np.any(inside))


def foot_wrench(
    plates: Mapping[str, PlateWrench], contacts: Sequence[ContactFoot], side: Side, time: Vector
) -> tuple[Vector, Vector]:
    """What the ground does to one foot: force and moment about the laboratory's origin (n, 3).

    time: (n,) of the frames in s. A contact counts with what is left of its force shortly before and after it, at most to
    half-way to the next one on its plate; while the foot of one is not known, neither foot's wrench is. A plate named after
    the foot counts throughout.
    """
    force, moment = np.zeros((len(time), 3)), np.zeros((len(time), 3))
    for plate in plates.values():
        if plate.name == side:
            counts = np.ones(len(time), dtype=np.bool_)
        else:
            own = sorted((each for each in contacts if each.plate == plate.name), key=lambda each: each.start)
            counts = _counts(own, side, time)
            unclear = _counts(own, None, time)
            force[unclear], moment[unclear] = np.nan, np.nan
        force[counts] += plate.force[counts]
        moment[counts] += plate.moment[counts]
    return force, moment


def _counts(contacts: Sequence[ContactFoot], side: Side | None, time: Vector) -> Mask:
    """In which frames (n,) a plate's wrench is that of a foot, None: of one that is not known.

    contacts: of the plate, one after the other.
    """
    counts = np.zeros(len(time), dtype=np.bool_)
    for k, contact in enumerate(contacts):
        if contact.side != side:
            continue
        first, last = contact.start - TAIL, contact.end + TAIL
        if k > 0:
            first = max(first, 0.5 * (contacts[k - 1].end + contact.start))
        if k + 1 < len(contacts):
            last = min(last, 0.5 * (contact.end + contacts[k + 1].start))
        counts |= (time >= first) & (time < last)
    return counts
