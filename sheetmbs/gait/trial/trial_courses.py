"""What one trial gives over its frames: courses of joints, segments, feet, and its events. SI, signs of the mechanics."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from sheetmbs.gait.arrays import Integers, Mask, Vector
from sheetmbs.gait.trial.gait_book import Side

Course = Mapping[str, Vector]
"""quantity -> (n,); NaN where it is not known"""


@dataclass(frozen=True)
class GaitEvent:
    """A heel strike or toe off. time: in s. frame: the nearest, as the file numbers them. plate: where a force told it.

    offset: time of the kinematic estimate minus that of the force, where both are known.
    """

    kind: Literal["heel strike", "toe off"]
    side: Side
    time: float
    frame: int
    trial: str
    source: Literal["force", "kinematic (estimated)", "given"]
    plate: str = ""
    offset: float | None = None


@dataclass(frozen=True)
class Contact:
    """A time in which one foot stands. start, end: in s. plates: that carry it, () none.

    whole: the foot was wholly on plates, and nothing else was, from start to end.
    """

    side: Side
    start: float
    end: float
    plates: tuple[str, ...]
    whole: bool


@dataclass(frozen=True)
class TrialCourses:
    """The courses of a trial. x is forward, y up, z to the right of the subject.

    time: (n,) in s as it was used. frames: (n,) as the file numbers them. rate: in Hz.
    joints: by label (``right knee``); in 2D ``angle``, ``rate``, ``moment`` (on the distal segment at its proximal joint,
    counter-clockwise +), ``power``, ``fx``, ``fy``; in space also those of `courses_in_space`. segments: by name, ``angle``.
    feet: by side, ``fx``, ``fy``, ``m`` about the origin of the laboratory, ``px``; in space ``fz``, ``mx``, ``my``, ``pz``
    too. residual: ``fx``, ``fy``, ``m`` about the centre of mass, in space ``fx`` .. ``fz``, ``mx`` .. ``mz``, None where it
    cannot be determined. com: (n, 3), in 2D without z. points: markers and joint centres by name, (n, 3),
    filtered. edge: near an end, where the filter counts less. filled: a gap was filled in what any joint needs.
    """

    trial: str
    time: Vector
    frames: Integers
    rate: float
    joints: Mapping[str, Course]
    segments: Mapping[str, Course]
    feet: Mapping[Side, Course]
    residual: Course | None
    com: Vector
    points: Mapping[str, Vector]
    edge: Mask
    filled: Mask
    events: tuple[GaitEvent, ...]
    contacts: tuple[Contact, ...]
