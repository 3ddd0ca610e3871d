"""What one trial gives over its frames: courses of joints, segments, feet, and its events. SI, signs of the mechanics."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

import numpy as np

from sheetmbs.gait.arrays import Integers, Mask, Vector
from sheetmbs.gait.trial.gait_book import Side

Course = Mapping[str, Vector]
"""quantity -> (n,); NaN where it is not known"""
ESTIMATED = "kinematic (estimated)"
"""source of events that the motion tells; of those with an offset it begins alike"""
KINEMATIC_SOURCE = "kinematic"
"""with which it begins"""
AROUND_ESTIMATE = 0.075
"""s: three standard uncertainties of an estimated event"""


@dataclass(frozen=True)
class GaitEvent:
    """A heel strike or toe off. time: in s. frame: the nearest, as the file numbers them. plate: where a force told it.

    source: force, given, file, or that it is estimated and by which offset. offset: time of the kinematic estimate, as it was
    before any correction, minus that of the force, where both are known. u: its standard uncertainty in s; is_shared: which is
    that of the method, the same for all events of the kind. other: time in s by the other method of estimates, where no plate
    tells any event of the kind. first: which point of the foot strikes first, ``""`` not known.
    """

    kind: Literal["heel strike", "toe off"]
    side: Side
    time: float
    frame: int
    trial: str
    source: str
    plate: str = ""
    offset: float | None = None
    u: float = 0.0
    is_shared: bool = False
    other: float | None = None
    first: str = ""

    @property
    def is_estimated(self) -> bool:
        """Whether the motion of the markers tells it."""
        return self.source.startswith(KINEMATIC_SOURCE)


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
    dragged: sides and times in s of toe offs that are none, for the toes stay on the ground. noise: of markers in m, by name.
    placement: one standard deviation in m of where each was put.
    left_out: sides and starts in s of strides that were chosen to stay out of means.
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
    dragged: tuple[tuple[Side, float], ...] = ()
    noise: Mapping[str, float] = field(default_factory=dict)
    left_out: tuple[tuple[Side, float], ...] = ()
    placement: Mapping[str, float] = field(default_factory=dict)

    @property
    def near_estimates(self) -> Mask:
        """(n,) near an estimated event of a foot that no plate carries: there nobody knows whether it stands."""
        found = np.zeros(len(self.time), np.bool_)
        for event in self.events:
            if event.is_estimated:
                found |= np.abs(self.time - event.time) < AROUND_ESTIMATE
        return found
