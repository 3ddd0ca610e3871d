"""Items of the summary in the signs and units of the workbook, and how peaks change with the choices of processing."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from sheetmbs.gait.arrays import Vector
from sheetmbs.gait.sheets.believed_values import Believed
from sheetmbs.gait.sheets.gait_presentation import GaitPresentation
from sheetmbs.gait.signs import AXIAL_TURNS, ShownAs
from sheetmbs.gait.strides.summary_items import SummaryItem, Variant
from sheetmbs.gait.trial.trial_courses import TrialCourses
from sheetmbs.problems.errors import Problem
from sheetmbs.workbook.sheets.list_pages import Listed
from sheetmbs.workbook.sheets.page_contents import SummaryValue

PLAIN = {
    "1": ShownAs(100.0, "%"),
    "1/s": ShownAs(60.0, "steps/min"),
}
"""SI of what belongs to no joint -> how it is shown"""
OPPOSITE = {"max": "min", "min": "max"}
SUPPORT = "support"
PeakKey = tuple[str, str, str]
"""item, side, joint"""


@dataclass(frozen=True)
class ShownItem:
    """A row of the summary. value: a number, or words. at: in % of the stride, of a phase its start and end.

    u: standard uncertainty of the value. is_estimated: whether events that the motion tells are behind it.
    """

    item: str
    side: str
    joint: str
    value: SummaryValue
    sd: float | None
    n: int | None
    unit: str
    at: SummaryValue
    u: float | None = None
    is_estimated: bool = False


def shown_items(gait: GaitPresentation, items: Sequence[SummaryItem]) -> Iterator[ShownItem]:
    """All items, and what nobody applies."""
    yield from (shown_item(gait, each) for each in items)
    yield from residual_items(gait)
    yield from model_items(gait)


def plainly(each: SummaryItem) -> tuple[float, str]:
    """An item of no joint as it is shown: its value and unit."""
    shown = PLAIN.get(each.unit, ShownAs(1.0, each.unit))
    return shown.factor * each.value, shown.units_cell


def shown_item(gait: GaitPresentation, each: SummaryItem) -> ShownItem:
    """An item as the summary shows it."""
    shown = _as(gait, each)
    item = each.item
    if shown.factor < 0.0:
        # the largest of a course whose sign turns is its smallest
        item = " ".join(_turned(word) for word in item.split(" "))
    sd = None if each.sd is None else abs(shown.factor) * each.sd
    at: SummaryValue = None
    if each.at:
        at = each.at[0] if len(each.at) == 1 else " to ".join(f"{one:.1f}" for one in each.at)
    u = None if each.u is None else abs(shown.factor) * each.u
    value = shown.factor * each.value
    return ShownItem(item, each.side, each.joint, value, sd, each.n, shown.units_cell, at, u, each.is_estimated)


def _turned(word: str) -> str:
    """``min,`` of ``max,``."""
    plain = word.rstrip(",")
    return OPPOSITE.get(plain, plain) + word[len(plain) :]


def _as(gait: GaitPresentation, each: SummaryItem) -> ShownAs:
    signs, row = gait.signs, gait.joint(each.side, each.joint)
    if each.quantity and row is not None:
        return signs.of(row, each.quantity)
    if each.quantity in AXIAL_TURNS:
        return signs.axial(each.quantity)
    if each.unit == "W":
        return signs.power
    if each.unit == "J":
        return signs.work
    if each.unit == "N*m" and (row is not None or each.joint == SUPPORT):
        return signs.support if row is None else signs.moment(row)
    if each.unit == "rad" and row is not None:
        return signs.angle(row)
    return PLAIN.get(each.unit, ShownAs(1.0, each.unit))


def residual_items(gait: GaitPresentation) -> Iterator[ShownItem]:
    """What nobody applies, over the frames in which all contacts are measured but those near the ends, all trials together."""
    known = [each for each in gait.trials if each.residual is not None and np.isfinite(each.residual["fx"]).any()]
    if not known:
        if any(each.feet for each in gait.trials):
            why = "not determinable: the load of the hip is what the trunk must supply"
            yield ShownItem("residual", "", "", why, None, None, "", None)
        return
    force, moment, ground = (np.concatenate([part(each) for each in known]) for part in (_force, _moment, _ground))
    there = np.isfinite(force) & np.isfinite(moment) & ~np.concatenate([each.edge for each in known])
    if not there.any():
        return
    force, moment, ground = force[there], moment[there], ground[there]
    frames = len(force)
    peak, height = float(ground.max()), gait.book.subject.height
    of_force, of_moment = float(force.max()), float(moment.max())
    yield ShownItem("residual force, rms", "", "", float(np.sqrt(np.mean(force**2))), None, frames, "N", None)
    yield ShownItem("residual force, peak", "", "", of_force, None, frames, "N", None)
    if peak > 0.0:
        part = 100.0 * of_force / peak
        yield ShownItem("residual force, peak", "", "", part, None, frames, "% of peak ground force", None)
    yield ShownItem("residual moment, rms", "", "", float(np.sqrt(np.mean(moment**2))), None, frames, "N*m", None)
    yield ShownItem("residual moment, peak", "", "", of_moment, None, frames, "N*m", None)
    if peak > 0.0 and height is not None:
        part = 100.0 * of_moment / (peak * height)
        yield ShownItem("residual moment, peak", "", "", part, None, frames, "% of peak ground force x height", None)


def model_items(gait: GaitPresentation) -> Iterator[ShownItem]:
    """What the conventional gait model took from measures and from the standing trial."""
    model = gait.book.conventional
    if model is None:
        return
    yield ShownItem("marker radius", "", "", 1e3 * model.measures.radius, None, None, "mm", None)
    yield ShownItem("inter-asis", "", "", 1e3 * model.inter_asis, None, None, "mm", None)
    for side, leg in model.standing.items():
        for item, joint, angle in (
            ("alpha", "foot", leg.alpha),
            ("beta", "foot", leg.beta),
            ("static knee adduction", "knee", leg.adduction),
        ):
            yield ShownItem(item, side, joint, float(np.degrees(angle)), None, None, "deg", None)


def _force(trial: TrialCourses) -> np.ndarray:
    return _size(trial.residual or {}, ("fx", "fy", "fz"))


def _moment(trial: TrialCourses) -> np.ndarray:
    return _size(trial.residual or {}, ("m", "mx", "my", "mz"))


def _ground(trial: TrialCourses) -> np.ndarray:
    """(n,) of the force of the ground on both feet."""
    axes = [axis for axis in ("fx", "fy", "fz") if all(axis in foot for foot in trial.feet.values())]
    return _size(
        {axis: np.sum([np.nan_to_num(foot[axis]) for foot in trial.feet.values()], axis=0) for axis in axes}, axes
    )


def _size(course: Mapping[str, np.ndarray], parts: Sequence[str]) -> np.ndarray:
    """(n,) how large a vector is, of those of its parts that are there."""
    return np.asarray(np.linalg.norm([course[part] for part in parts if part in course], axis=0))


@dataclass(frozen=True)
class PeakChanges:
    """Peaks and how they change. peaks: their values and units. choices: all of them, and the change under each.

    A change is None where one of both peaks is not known.
    """

    peaks: Mapping[PeakKey, tuple[float, str]] = field(default_factory=dict)
    choices: Sequence[Variant] = ()
    changes: Mapping[PeakKey, Sequence[float | None]] = field(default_factory=dict)

    def about(self) -> Iterator[tuple[str, str]]:
        """What is chosen and by how much, each once."""
        yield from dict.fromkeys((each.about, each.size) for each in self.choices)

    def largest(self, key: PeakKey, about: str) -> float | None:
        """How large the change of a peak is that choosing otherwise makes, the larger of both ways."""
        found = zip(self.choices, self.changes.get(key, ()), strict=False)
        known = [abs(change) for each, change in found if each.about == about and change is not None]
        return max(known, default=None)


NO_CHANGES = PeakChanges()


@dataclass(frozen=True)
class GaitContents:
    """What sheets show beside courses. items: of the summary, in signs of the mechanics. cutoffs: of markers by trial, in Hz.

    quality: tables of the quality page. changes: of peaks under other choices. believed: the uncertainty of courses.
    reduced: the trials with their residual shared out.
    """

    items: Sequence[SummaryItem]
    cutoffs: Mapping[str, Vector] = field(default_factory=dict)
    quality: Sequence[Listed] = ()
    problems: Sequence[Problem] = ()
    changes: PeakChanges = NO_CHANGES
    believed: Believed | None = None
    reduced: GaitPresentation | None = None


def peak_changes(gait: GaitPresentation, peaks: Sequence[SummaryItem], choices: Sequence[Variant]) -> PeakChanges:
    """The changes of these peaks."""
    known = _shown_peaks(gait, peaks)
    others = [_shown_peaks(gait, each.items) for each in choices]
    changes = {
        key: [found[key][0] - value if key in found else None for found in others] for key, (value, _) in known.items()
    }
    return PeakChanges(known, choices, changes)


def _shown_peaks(gait: GaitPresentation, items: Sequence[SummaryItem]) -> dict[PeakKey, tuple[float, str]]:
    return {
        (each.item, each.side, each.joint): (each.value, each.unit.partition(",")[0])
        for each in shown_items(gait, items)
        if each.joint and isinstance(each.value, float)
    }
