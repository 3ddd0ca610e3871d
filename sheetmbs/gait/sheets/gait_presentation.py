"""Everything that sheets show of courses, in the signs and units that the workbook asks for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from sheetmbs.gait.arrays import Vector
from sheetmbs.gait.sheets.gait_columns import AXIAL_COLUMNS, FOOT, JOINT, SEGMENT, SUPPORT
from sheetmbs.gait.sheets.report_words import in_language
from sheetmbs.gait.signs import OF_JOINTS, Kind, ShownAs, Signs
from sheetmbs.gait.strides.strides import Ensemble, Quantity, Stride, StrideCurves, ensemble, stride_curves, strides_of
from sheetmbs.gait.trial.gait_book import GaitBook, JointRow, Side
from sheetmbs.gait.trial.trial_courses import Course, TrialCourses

EXTENDING: Mapping[Kind, float] = {"knee": 1.0, "ankle": -1.0, "hip": -1.0}
"""sign of the moment of the mechanics that extends"""
OF_GROUND = {
    "fx": ("N", "forward"),
    "fy": ("N", "up"),
    "fz": ("N", "to the right"),
    "m": ("N*m", "CCW"),
    "mx": ("N*m", "about x"),
    "my": ("N*m", "about y"),
    "px": ("m", "forward"),
    "pz": ("m", "to the right"),
}
"""quantities of feet -> their unit, and what + is"""


@dataclass(frozen=True)
class PresentedQuantity:
    """A quantity of a joint, foot, segment or side. label: how its columns begin. owner: what that is in `gait_columns`."""

    label: str
    quantity: str
    owner: str
    shown: ShownAs

    @property
    def key(self) -> Quantity:
        """Key of this quantity in `StrideCurves` and courses: (label, quantity)."""
        return self.label, self.quantity

    @property
    def name(self) -> str:
        """Name of the quantity, such as ``right knee.moment``."""
        return f"{self.label}.{self.quantity}"


class GaitPresentation:
    """The trials of a workbook as they are shown. trials: those that walk, with their support moments."""

    def __init__(self, book: GaitBook, trials: Sequence[TrialCourses]) -> None:
        self.book = book
        self.signs = Signs(book)
        self.trials = tuple(with_support(each, book, self.signs) for each in trials)

    def say(self, text: str) -> str:
        """A heading, label or axis word in the language of the workbook."""
        return in_language(text, self.book.processing.language)

    @cached_property
    def conditions(self) -> tuple[str, ...]:
        """The conditions under which trials that walk were recorded, in their order; ``""`` where none is said."""
        of_trials = {each.name: each.condition for each in self.book.trials}
        return tuple(dict.fromkeys(of_trials.get(each.trial, "") for each in self.trials))

    def within(self, condition: str) -> GaitPresentation:
        """What was recorded under one condition."""
        if len(self.conditions) < 2:
            return self
        of_trials = {each.name: each.condition for each in self.book.trials}
        return GaitPresentation(self.book, [each for each in self.trials if of_trials.get(each.trial, "") == condition])

    @cached_property
    def strides(self) -> tuple[Stride, ...]:
        """Strides of all trials."""
        return tuple(strides_of(self.trials))

    def of_side(self, side: Side) -> list[Stride]:
        """The strides of a side, in the order of their numbers."""
        return [each for each in self.strides if each.side == side]

    def counting(self, side: Side) -> list[Stride]:
        """Strides that enter means, SD, n, peaks and work."""
        return [each for each in self.of_side(side) if each.counts]

    def is_estimated(self, side: Side) -> bool:
        """Whether all strides of a side begin or end with an estimated strike."""
        return all(each.is_estimated for each in self.of_side(side))

    @cached_property
    def curves(self) -> dict[Quantity, StrideCurves]:
        """Over strides, as they are shown."""
        found = stride_curves(self.trials, self.strides, self.book.processing.points)
        factors = {each.key: each.shown.factor for each in self.quantities}
        return {
            key: replace(curves, values=factors[key] * curves.values)
            for key, curves in found.items()
            if key in factors and np.isfinite(curves.values).any()
        }

    @cached_property
    def means(self) -> dict[Quantity, Ensemble]:
        """Means of strides, of what is known of any."""
        found = {key: ensemble(curves) for key, curves in self.curves.items()}
        return {key: each for key, each in found.items() if each.n.any()}

    @property
    def percent(self) -> Vector:
        """(points,) of the stride."""
        return np.linspace(0.0, 100.0, self.book.processing.points)

    @cached_property
    def quantities(self) -> tuple[PresentedQuantity, ...]:
        """All that is shown, of joints, then sides, feet and segments; also what no trial knows."""
        book, signs = self.book, self.signs
        of_joints = [
            PresentedQuantity(joint.label, quantity, JOINT, signs.of(joint, quantity))
            for joint in book.joints
            for quantity in OF_JOINTS
        ]
        sides = book.subject.sides
        support = [PresentedQuantity(f"{side} support", "moment", SUPPORT, signs.support) for side in sides]
        feet = [
            PresentedQuantity(f"{side} foot", quantity, FOOT, ShownAs(1.0, unit, sense))
            for side in sides
            for quantity, (unit, sense) in OF_GROUND.items()
        ]
        axial = [
            PresentedQuantity(owner.replace("<side>", side), quantity, owner, signs.axial(quantity))
            for owner, columns in AXIAL_COLUMNS.items()
            for side in (sides if book.conventional is not None else ())
            for quantity, _doc in columns
        ]
        segments = [PresentedQuantity(row.name, "angle", SEGMENT, signs.segment_angle) for row in book.segments]
        return (*of_joints, *axial, *support, *feet, *segments)

    def has_moments(self, side: Side) -> list[bool]:
        """Whether each stride of a side has moments of any joint."""
        labels = [row.label for row in self.book.joints if row.side in (side, None)]
        found = [self.curves[label, "moment"].values for label in labels if (label, "moment") in self.curves]
        known = [np.isfinite(values).any(axis=1) for values in found if len(values) == len(self.of_side(side))]
        return np.any(known, axis=0).tolist() if known else [False] * len(self.of_side(side))

    @property
    def has_ends(self) -> bool:
        """Whether means lack points near the ends of trials."""
        return any(bool((each.n == 0).any()) for each in self.means.values())

    def course(self, trial: TrialCourses, each: PresentedQuantity) -> Vector | None:
        """(n,) of a trial as it is shown, None where it has no such course."""
        if each.owner == FOOT and each.quantity in OF_GROUND:
            side = next(side for side in self.book.subject.sides if each.label == f"{side} foot")
            own: Course = trial.feet.get(side, {})
        else:
            own = (trial.segments if each.owner == SEGMENT else trial.joints).get(each.label, {})
        return each.shown.factor * own[each.quantity] if each.quantity in own else None

    def joint(self, side: str, name: str) -> JointRow | None:
        """The row of a joint."""
        return next((row for row in self.book.joints if (row.side or "") == side and row.name == name), None)

    def of_kind(self, kind: str, side: Side) -> JointRow | None:
        """The hip, knee or ankle of a side."""
        rows = (row for row in self.book.joints if row.side in (side, None) and self.signs.kind(row) == kind)
        return next(rows, None)

    @property
    def has_forces(self) -> bool:
        """Whether any stride has moments."""
        return any(key[1] == "moment" for key in self.means)


def with_support(trial: TrialCourses, book: GaitBook, signs: Signs) -> TrialCourses:
    """A trial with the support moments of its sides, where hip, knee and ankle have moments."""
    joints = dict(trial.joints)
    for side in book.subject.sides:
        parts = {
            signs.kind(row): trial.joints[row.label]["moment"]
            for row in book.joints
            if row.side == side and "moment" in trial.joints.get(row.label, {})
        }
        if EXTENDING.keys() <= parts.keys():
            moments = np.array([sign * parts[kind] for kind, sign in EXTENDING.items()])
            joints[f"{side} support"] = {"moment": moments.sum(axis=0)}
    return replace(trial, joints=joints)
