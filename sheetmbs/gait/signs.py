"""From signs and units of the mechanics to those that a workbook asks for, with the words of the positive sense.

The mechanics have the moment on the distal segment at its proximal joint, counter-clockwise +, walking towards +x.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import degrees
from typing import Literal

from sheetmbs.gait.trial.gait_book import GaitBook, JointRow

Kind = Literal["hip", "knee", "ankle", ""]

JOINT_ABOVE: Mapping[str, Kind] = {"thigh": "hip", "shank": "knee", "foot": "ankle"}
"""the joint above a segment of that row of the anthropometry"""
CLINICAL: Mapping[Kind, tuple[float, str, str]] = {
    "hip": (-1.0, "extensor", "extension"),
    "knee": (1.0, "extensor", "extension"),
    "ankle": (-1.0, "plantarflexor", "plantarflexion"),
}
"""sign of the moment of the mechanics; which muscles give a positive one; what a positive external one does"""
TURNING: Mapping[Kind, tuple[float, str, str]] = {
    "hip": (1.0, "flexor", "flexion"),
    "knee": (1.0, "extensor", "extension"),
    "ankle": (1.0, "dorsiflexor", "dorsiflexion"),
}
"""the same where the moment is as in the mechanics"""
COUNTER_CLOCKWISE = (1.0, "CCW on distal", "CCW on distal")
PERCENT_OF = "%BW*height"


@dataclass(frozen=True)
class ShownAs:
    """How a quantity is shown.

    factor: by which its value in SI is multiplied. sense: what + is, ``""`` where nothing is said.
    """

    factor: float
    unit: str
    sense: str = ""

    @property
    def units_cell(self) -> str:
        """What stands in the units row: ``N*m/kg, extensor +``."""
        return f"{self.unit}, {self.sense} +" if self.sense else self.unit


class Signs:
    """How each quantity of a workbook is shown."""

    def __init__(self, book: GaitBook) -> None:
        self._book = book
        self._how = book.processing
        self._tables = {row.name: row.table for row in book.segments}

    def kind(self, joint: JointRow) -> Kind:
        """Hip, knee or ankle, by the segment below it; ``""`` any other joint."""
        return JOINT_ABOVE.get(self._tables.get(joint.distal) or "", "")

    def angle(self, joint: JointRow) -> ShownAs:
        """Factor for the angle of a joint, whose course is in the sense that its row calls positive."""
        if self._how.signs == "isb" and self.kind(joint) == "knee" and joint.positive == "flexion":
            return ShownAs(degrees(-1.0), "deg", "extension")
        return ShownAs(degrees(1.0), "deg", joint.positive)

    def rate(self, joint: JointRow) -> ShownAs:
        """Factor for the rate of the angle of a joint."""
        angle = self.angle(joint)
        return ShownAs(angle.factor, "deg/s", angle.sense)

    def moment(self, joint: JointRow) -> ShownAs:
        """Factor for the moment at a joint."""
        kind = self.kind(joint)
        by_kind = CLINICAL if self._how.signs == "clinical" else TURNING
        sign, muscles, motion = by_kind.get(kind, COUNTER_CLOCKWISE)
        if self._how.signs == "winter":
            sign, muscles, motion = COUNTER_CLOCKWISE
        return self._moment(sign, muscles, motion)

    @property
    def support(self) -> ShownAs:
        """Factor for the support moment, which is the sum of what extends, whatever the signs of the single moments."""
        return self._moment(1.0, "extensor", "extension")

    def _moment(self, sign: float, muscles: str, motion: str) -> ShownAs:
        size, unit = self._size(self._how.moment_unit)
        if self._how.moment == "external":
            return ShownAs(-sign * size, unit, f"external {motion}")
        return ShownAs(sign * size, unit, muscles)

    @property
    def power(self) -> ShownAs:
        """Factor for the power of a joint: the same in all signs."""
        size, unit = self._size(self._how.power_unit)
        return ShownAs(size, unit, "generation")

    @property
    def work(self) -> ShownAs:
        """Factor for work, in the same scaling as power."""
        size, unit = self._size(self._how.power_unit)
        return ShownAs(size, unit.replace("W", "J"), "generation")

    def force(self, sense: str = "") -> ShownAs:
        """Factor for a force in N."""
        return ShownAs(1.0, "N", sense)

    def of_weight(self, sense: str) -> ShownAs:
        """Factor for a force as a share of the body's weight."""
        subject = self._book.subject
        return ShownAs(100.0 / (subject.mass * self._book.gravity), "% body weight", sense)

    def axial(self, quantity: str) -> ShownAs:
        """Factor for an angle of pelvis, trunk or foot in the laboratory, one of `AXIAL_TURNS`."""
        return ShownAs(degrees(1.0), "deg", AXIAL_TURNS[quantity])

    @property
    def segment_angle(self) -> ShownAs:
        """Factor for the angle of a segment."""
        return ShownAs(degrees(1.0), "deg", "CCW from forward")

    def of(self, joint: JointRow, quantity: str) -> ShownAs:
        """Factor for a quantity of a joint, one of `OF_JOINTS`."""
        if quantity == "power":
            return self.power
        if quantity in FORCES:
            return self.force(FORCES[quantity])
        if quantity in TURNS:
            return ShownAs(degrees(1.0), "deg", TURNS[quantity])
        if quantity in TURNING_MOMENTS:
            return self._moment(1.0, *TURNING_MOMENTS[quantity])
        if quantity in COMPONENTS:
            about = f"about {COMPONENTS[quantity]} of {AXES[self._how.moment_axes]}"
            return self._moment(1.0, about, about)
        if quantity == "rate":
            return self.rate(joint)
        return self.angle(joint) if quantity in ("angle", "flexion") else self.moment(joint)

    def _size(self, unit: str) -> tuple[float, str]:
        """How large one of SI is in a unit, and that unit; without a height moments are by mass."""
        subject = self._book.subject
        if unit == PERCENT_OF and subject.height is not None:
            return 100.0 / (subject.mass * self._book.gravity * subject.height), unit
        if unit in ("N*m", "W"):
            return 1.0, unit
        return 1.0 / subject.mass, "W/kg" if unit == "W/kg" else "N*m/kg"


FORCES = {"fx": "forward on distal", "fy": "up on distal", "fz": "to the right on distal"}
"""forces at a joint -> what + is"""
TURNS = {"adduction": "adduction", "rotation": "internal rotation"}
"""other angles in space -> what + is"""
AXIAL_TURNS = {
    "tilt": "anterior",
    "obliquity": "own side up",
    "rotation": "own side forward",
    "progression": "inward",
}
"""angles of pelvis, trunk and foot in the laboratory -> what + is"""
TURNING_MOMENTS = {
    "moment_adduction": ("adductor", "adduction"),
    "moment_rotation": ("internal rotator", "internal rotation"),
}
"""moments in space that are not about the axis of flexion -> which muscles give a positive one; what an external one does"""
COMPONENTS = {"mx": "x", "my": "y", "mz": "z"}
AXES = {
    "distal": "the distal segment",
    "proximal": "the proximal segment",
    "global": "the laboratory",
    "jcs": "the joint",
}
OF_ANGLES = ("angle", "rate", "flexion", *TURNS)
OF_JOINTS = (*OF_ANGLES, "moment", "moment_flexion", *TURNING_MOMENTS, *COMPONENTS, "power", *FORCES)
"""all quantities of a joint, in the order of their columns"""
