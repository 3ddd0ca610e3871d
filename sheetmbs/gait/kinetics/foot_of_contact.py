"""Which foot stands on a plate: the one that hardly moves while the plate is loaded, and what it then carries."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sheetmbs.gait.kinetics.plate_wrenches import PlateWrench, is_within
from sheetmbs.gait.trial.gait_book import Side

Vector = NDArray[np.float64]
Mask = NDArray[np.bool_]

FASTEST = 0.3  # m/s: mean speed of a foot that stands
LEAST_RATIO = 2.0  # of the other foot's speed to it
TAIL = 0.25  # s: so long before and after a contact what is left of its force counts to its foot
BESIDE = 0.05  # m: so far the centre of pressure may lie from the line heel to toe
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

    start, end: in s. side: given or found, None where neither. given: whether the workbook says it. speeds: mean speed of
    heel and toe of each foot over the contact in m/s, NaN where a marker is missing throughout. along: share of the
    contact's frames in which the centre of pressure lies in the line heel to toe of this foot, NaN unknown.
    both_inside: both feet stand within the plate's outline while it is loaded.
    """

    plate: str
    start: float
    end: float
    side: Side | None
    given: bool
    speeds: Mapping[Side, float]
    along: float
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
    speeds: dict[Side, float] = {side: _mean_speed(foot, time, during) for side, foot in feet.items()}
    side: Side | None = word if word in {"right", "left"} else _standing(speeds)  # type: ignore[assignment]
    along = np.nan if side is None or side not in feet else _share_along(plate, feet[side], during, up)
    return ContactFoot(
        plate=plate.name,
        start=start,
        end=end,
        side=side,
        given=word != "auto",
        speeds=speeds,
        along=along,
        both_inside=_both_inside(plate, feet, time, during),
    )


def _speed(points: Vector, time: Vector) -> Vector:
    """(n,) of a point (n, 3), by central differences."""
    return np.asarray(np.linalg.norm(np.gradient(points, time, axis=0), axis=1))


def _mean_speed(foot: Foot, time: Vector, during: Mask) -> float:
    """Of heel and toe; NaN where neither is seen."""
    speeds = [_speed(points, time)[during] for points in (foot.heel, foot.toe)]
    seen = [float(np.nanmean(each)) for each in speeds if np.any(np.isfinite(each))]
    return float(np.mean(seen)) if seen else np.nan


def _standing(speeds: Mapping[Side, float]) -> Side | None:
    """The foot that stands: slow, and much slower than the other; of one foot alone nothing but its own speed is known."""
    known = sorted((speed, side) for side, speed in speeds.items() if np.isfinite(speed))
    if not known or known[0][0] > FASTEST:
        return None
    if len(known) > 1 and known[1][0] < LEAST_RATIO * known[0][0]:
        return None
    return known[0][1]


def _ends(foot: Foot, up: Vector) -> tuple[Vector, Vector]:
    """Heel and tip of the toes (n, 3), seen from above."""
    heel, toe = foot.heel - np.outer(foot.heel @ up, up), foot.toe - np.outer(foot.toe @ up, up)
    if foot.is_toe:
        return heel, toe
    line = toe - heel
    return heel, toe + BEYOND_MT5 * line / np.linalg.norm(line, axis=1, keepdims=True)


def _share_along(plate: PlateWrench, foot: Foot, during: Mask, up: Vector) -> float:
    """Of the frames with a centre of pressure, those in which it lies between heel and toe, along the foot."""
    heel, toe = _ends(foot, up)
    line = toe - heel
    length = np.linalg.norm(line, axis=1)
    reach = np.einsum("nk,nk->n", plate.pressure - heel, line) / length
    seen = during & np.isfinite(reach)
    if not np.any(seen):
        return np.nan
    return float(np.mean((reach[seen] >= -BESIDE) & (reach[seen] <= length[seen] + BESIDE)))


def _both_inside(plate: PlateWrench, feet: Mapping[Side, Foot], time: Vector, during: Mask) -> bool:
    """Whether both feet have heel and toe within the outline, and stand, in the same loaded frame."""
    if plate.outline is None or len(feet) < 2:
        return False
    inside = during.copy()
    for foot in feet.values():
        for points in (foot.heel, foot.toe):
            inside &= is_within(points, plate.outline, 0.0) & (_speed(points, time) < FASTEST)
    return bool(np.any(inside))


def foot_wrench(
    plates: Mapping[str, PlateWrench], contacts: Sequence[ContactFoot], side: Side, time: Vector
) -> tuple[Vector, Vector]:
    """What the ground does to one foot: force and moment about the laboratory's origin (n, 3).

    time: (n,) of the frames in s. A contact counts with what is left of its force shortly before and after it, at most to
    half-way to the next one on its plate. A plate named after the foot counts throughout.
    """
    force, moment = np.zeros((len(time), 3)), np.zeros((len(time), 3))
    for plate in plates.values():
        if plate.name == side:
            counts = np.ones(len(time), dtype=np.bool_)
        else:
            own = sorted((each for each in contacts if each.plate == plate.name), key=lambda each: each.start)
            counts = _counts(own, side, time)
        force[counts] += plate.force[counts]
        moment[counts] += plate.moment[counts]
    return force, moment


def _counts(contacts: Sequence[ContactFoot], side: Side, time: Vector) -> Mask:
    """In which frames (n,) a plate's wrench is that of a foot. contacts: of the plate, one after the other."""
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
