"""Small changes of what a trial is solved from: of markers, joint centres, plates, segments and choices."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from sheetmbs.gait.arrays import Vector


class Disturbed:
    """What a disturbance may change, with the shape and unit of the change."""

    MARKER = "marker"
    """(n, 3) m, added before the filter"""
    FILTERED_MARKER = "filtered marker"
    """(n, 3) m, added behind the filter, with lengths of segments as they were"""
    STANDING = "standing trial"
    """1 where only the standing trial is changed, so that segments must be found again"""
    CENTRE = "centre"
    """(n, 3) m, added where the joint centre is made"""
    PLATE_SHIFT = "plate shift"
    """(3,) m, of the force of a plate, in x forward, y up, z to the right"""
    PLATE_GAIN = "plate gain"
    """part of all channels of a plate that is added"""
    FOOT_SHIFT = "foot shift"
    """m, of the force on a foot, forward"""
    DELAY = "delay"
    """s, added to the times of forces"""
    CUTOFF = "cut-off"
    """Hz, added to all cut-offs"""
    MASS = "mass"
    """part of the mass of a segment that is added"""
    COM = "com"
    """part of the length of a segment by which its centre of mass lies farther from the upper end"""
    GYRATION = "gyration"
    """part of the radius of gyration of a segment that is added"""


OF_POINTS = {Disturbed.MARKER, Disturbed.STANDING, Disturbed.CENTRE, Disturbed.CUTOFF}
OF_SEGMENTS = {Disturbed.MASS, Disturbed.COM, Disturbed.GYRATION}
OF_PLATES = {Disturbed.PLATE_SHIFT, Disturbed.PLATE_GAIN}


@dataclass(frozen=True, eq=False)
class Disturbance:
    """Changes that are added. parts: by what is changed and whose it is, such as (marker, right knee)."""

    parts: Mapping[tuple[str, str], Vector] = field(default_factory=dict)

    def of(self, what: str) -> dict[str, Vector]:
        """The changes of one kind by their owners."""
        return {owner: change for (kind, owner), change in self.parts.items() if kind == what}

    def number(self, what: str) -> float:
        """The change of what a trial has once."""
        return float(self.parts.get((what, ""), 0.0))

    def changes(self, kinds: set[str]) -> bool:
        """Whether anything of these kinds is changed."""
        return any(kind in kinds for kind, _owner in self.parts)

    def times(self, factor: float) -> Disturbance:
        """The same changes, each so many times as large."""
        return Disturbance({key: factor * change for key, change in self.parts.items()})

    def plus(self, other: Disturbance) -> Disturbance:
        """This disturbance and another one together."""
        added = {key: self.parts[key] + change if key in self.parts else change for key, change in other.parts.items()}
        return Disturbance({**self.parts, **added})


UNDISTURBED = Disturbance()


def change(what: str, owner: str, size: Vector | float) -> Disturbance:
    """A disturbance of one thing."""
    return Disturbance({(what, owner): np.asarray(size, dtype=np.float64)})
