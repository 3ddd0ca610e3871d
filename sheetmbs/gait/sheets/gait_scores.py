"""The page `mbs Gait scores`: how far mean strides lie from the norm, by variable, by side and overall (Baker 2009).

The Gait Variable Score of a variable is the root mean square over 51 points of the mean stride less the mean of the norm.
The Gait Profile Score of a side is that of its nine variables; overall it is that of fifteen, with the pelvis of the left
counted once. GDI* = 100 - 10 (ln GPS - m)/s, with m and s of ln GPS of the subjects of the norm (Schwartz and Rozumalski 2008
have the same scale of another distance). In the plane three variables make a score of another name, for it cannot be compared
with the Profile Score.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from sheetmbs.gait.arrays import Vector
from sheetmbs.gait.sheets.charted_columns import band_of
from sheetmbs.gait.sheets.gait_presentation import GaitPresentation
from sheetmbs.gait.trial.gait_book import SIDES, Band, Side
from sheetmbs.workbook.sheets.list_pages import Listed, plain_listing
from sheetmbs.workbook.sheets.page_contents import Page, SummaryValue
from sheetmbs.workbook.sheets.sheet_contents import GAIT_SCORES

HEADS = ("side", "score", "variable", "value", "n", "unit", "u")
WIDTHS = (10.0, 12.0, 60.0, 12.0, 8.0, 8.0, 12.0)
POINTS = np.linspace(0.0, 100.0, 51)
"""% of the stride: 0, 2, .. 100"""
PELVIS = (
    ("pelvis tilt", "pelvis", "tilt"),
    ("pelvis obliquity", "pelvis", "obliquity"),
    ("pelvis rotation", "pelvis", "rotation"),
)
LEGS = (
    ("hip flexion", "hip", "angle"),
    ("hip adduction", "hip", "adduction"),
    ("hip rotation", "hip", "rotation"),
    ("knee flexion", "knee", "angle"),
    ("ankle flexion", "ankle", "angle"),
    ("foot progression", "foot", "progression"),
)
IN_PLANE = (LEGS[0], LEGS[3], LEGS[4])
"""variable, joint, quantity"""
Variables = Sequence[tuple[str, str, str]]
Profiles = tuple[dict[Side, float], float | None]
FROM_LEFT: tuple[Side, ...] = ("left", "right")
ONCE = "fifteen variables, the pelvis of the left once (Baker 2009)"
LEAST_SUBJECTS = 3
"""fewest subjects of a norm whose scores have a standard deviation to scale by"""
NO_SUBJECTS = (
    f"needs {LEAST_SUBJECTS} subjects of the norm with all variables: columns <curve>.1, <curve>.2 .. on Normative"
)


@dataclass(frozen=True)
class ConditionScores:
    """The scores of one condition. variables: those of each side. values: of variables, with the strides of their means.

    norms: by side and variable, the scores of single subjects of the norm against its mean, (subjects,).
    """

    condition: str
    in_space: bool
    pelvis: Variables
    legs: Variables
    values: Mapping[tuple[Side, str], tuple[float, int]]
    norms: Mapping[tuple[Side, str], Vector] = field(default_factory=dict)

    @property
    def variables(self) -> list[tuple[str, str, str]]:
        """All variables of a side."""
        return [*self.pelvis, *self.legs]

    @property
    def word(self) -> str:
        """What the score of a side is called."""
        return "GPS" if self.in_space else "GPS-2D"

    @property
    def profiles(self) -> Profiles:
        """The score of each side, and the overall one."""
        return self._profiles({key: value for key, (value, _) in self.values.items()})

    def _profiles(self, scores: Mapping[tuple[Side, str], float]) -> Profiles:
        return profile_scores(scores, [each[0] for each in self.pelvis], [each[0] for each in self.legs])

    def norm_profiles(self) -> list[Profiles]:
        """The profiles of the subjects of the norm of whom every variable is known."""
        names = [(side, name) for side in FROM_LEFT for name, *_ in self.variables]
        count = min((len(self.norms.get(key, ())) for key in names), default=0)
        return [self._profiles({key: float(self.norms[key][k]) for key in names}) for k in range(count)]

    def missing(self, side: Side) -> list[str]:
        """Variables that are not known of a side."""
        return [name for name, *_ in self.variables if (side, name) not in self.values]


Uncertain = Callable[[GaitPresentation, ConditionScores], Mapping[tuple[str, str, str], float | None]]
"""of the scores of a condition to their standard uncertainties, by side, score and variable"""


def variable_score(curve: Vector, norm: Vector) -> float:
    """The root mean square of a curve (points,) less the mean of the norm (points,), in deg."""
    return rms(np.asarray(curve) - np.asarray(norm))


def rms(values: Sequence[float] | Vector) -> float:
    """The root mean square of values."""
    return float(np.sqrt(np.mean(np.square(values))))


def profile_scores(scores: Mapping[tuple[Side, str], float], pelvis: Sequence[str], legs: Sequence[str]) -> Profiles:
    """The score of each side whose variables are all known, and the overall one, with the pelvis of the left once.

    scores: of variables by side. pelvis, legs: names of variables.
    """
    sides = {
        side: rms([scores[side, name] for name in (*pelvis, *legs)])
        for side in SIDES
        if all((side, name) in scores for name in (*pelvis, *legs))
    }
    if len(sides) < len(SIDES):
        return sides, None
    of_left = [scores["left", name] for name in pelvis]
    return sides, rms([*of_left, *(scores[side, name] for side in SIDES for name in legs)])


def deviation_index(score: float, norms: Sequence[float]) -> float | None:
    """GDI* of a profile score: 100 for the mean of the logarithms of the norm's scores, 10 less for each of their SD.

    None where a score is 0 or the norm does not spread.
    """
    if score <= 0.0 or len(norms) < LEAST_SUBJECTS or min(norms) <= 0.0:
        return None
    logs = np.log(norms)
    sd = float(np.std(logs, ddof=1))
    return 100.0 - 10.0 * (float(np.log(score)) - float(np.mean(logs))) / sd if sd > 0.0 else None


def condition_scores(gait: GaitPresentation) -> list[ConditionScores]:
    """The scores of each condition; none without a norm."""
    if not gait.book.bands:
        return []
    return [_of_condition(condition, gait.within(condition)) for condition in gait.conditions]


def scores_page(gait: GaitPresentation, uncertain: Uncertain | None = None) -> Page | None:
    """The scores of a workbook with a norm; None without one. uncertain: what tells their standard uncertainties."""
    found = condition_scores(gait)
    several = len(found) > 1
    rows: list[tuple[SummaryValue, ...]] = []
    for each in found:
        us = {} if uncertain is None else uncertain(gait.within(each.condition), each)
        for row in _rows(each):
            u = us.get((str(row[0]), str(row[1]), str(row[2]) if row[1] == "GVS" else ""))
            rows.append((*row, u, each.condition) if several else (*row, u))
    heads = (*HEADS, "condition") if several else HEADS
    listed = Listed("", heads, tuple(rows), ("",) * len(heads), own=(3, 6))
    return plain_listing(GAIT_SCORES, [listed], widths=(*WIDTHS, 18.0)[: len(heads)]) if rows else None


def _of_condition(condition: str, gait: GaitPresentation) -> ConditionScores:
    in_space = gait.book.dimension == "3D"
    pelvis, legs = (PELVIS, LEGS) if in_space else ((), IN_PLANE)
    values: dict[tuple[Side, str], tuple[float, int]] = {}
    norms: dict[tuple[Side, str], Vector] = {}
    for side in FROM_LEFT:
        for name, kind, quantity in (*pelvis, *legs):
            band = band_of(gait, side, kind, quantity) or band_of(gait, None, kind, quantity)
            found = None if band is None else _of_variable(gait, side, (kind, quantity), band)
            if found is not None:
                values[side, name] = found
            if band is not None and len(band.subjects):
                norms[side, name] = _of_subjects(band)
    return ConditionScores(condition, in_space, pelvis, legs, values, norms)


def _of_subjects(band: Band) -> Vector:
    """(subjects,) the scores of single subjects of a norm against its mean."""
    middle = norm_at_points(band)
    return np.array([variable_score(_at_points(band, each), middle) for each in band.subjects])


def norm_at_points(band: Band) -> Vector:
    """(51,) the mean of the norm."""
    return _at_points(band, band.middle)


def _at_points(band: Band, values: Vector) -> Vector:
    return np.interp(POINTS, band.percent, values, left=np.nan, right=np.nan)


def _of_variable(gait: GaitPresentation, side: Side, variable: tuple[str, str], band: Band) -> tuple[float, int] | None:
    """The score of a variable and the number of strides of its mean; None where it or its norm is not known throughout."""
    kind, quantity = variable
    row = gait.of_kind(kind, side)
    mean = gait.means.get((f"{side} {kind}" if row is None else row.label, quantity))
    if mean is None:
        return None
    norm = norm_at_points(band)
    known = np.isfinite(mean.mean)
    if not known.any() or not np.isfinite(norm).all():
        return None
    curve = np.interp(POINTS, gait.percent[known], mean.mean[known], left=np.nan, right=np.nan)
    return None if not np.isfinite(curve).all() else (variable_score(curve, norm), int(np.min(mean.n[known])))


def _rows(scores: ConditionScores) -> Iterator[tuple[SummaryValue, ...]]:
    for side in FROM_LEFT:
        for name, *_ in scores.variables:
            value, n = scores.values.get((side, name), (None, None))
            yield side, "GVS", name, value, n, "deg"
    of_sides, overall = scores.profiles
    for side in FROM_LEFT:
        missing = scores.missing(side)
        told = f"missing: {', '.join(missing)}" if missing else f"{len(scores.variables)} variables"
        yield side, scores.word, told, of_sides.get(side), None, "deg"
    told = ONCE if scores.in_space else "hip, knee and ankle of both sides"
    yield (
        *("overall", scores.word, told if overall is not None else "needs all variables of both sides"),
        *(overall, None, "deg"),
    )
    if scores.in_space:
        yield from _index_rows(scores)
    for side in FROM_LEFT:
        for name, *_ in scores.variables:
            norm = scores.norms.get((side, name))
            if norm is not None:
                yield side, "GVS of the norm", name, float(np.mean(norm)), len(norm), "deg"


def _index_rows(scores: ConditionScores) -> Iterator[tuple[SummaryValue, ...]]:
    """GDI* of the sides and overall, each scaled by the same score of the norm's subjects."""
    (of_sides, overall), norms = scores.profiles, scores.norm_profiles()
    for side in (*FROM_LEFT, "overall"):
        own = overall if side == "overall" else of_sides.get(side)  # type: ignore[call-overload]
        others = [each[1] if side == "overall" else each[0].get(side) for each in norms]  # type: ignore[call-overload]
        known = [each for each in others if each is not None]
        index = None if own is None else deviation_index(own, known)
        if len(known) < LEAST_SUBJECTS:
            told = NO_SUBJECTS
        elif own is None:
            told = "needs GPS"
        elif index is None:
            told = "not defined: a GPS of 0, or subjects of the norm that do not differ"
        else:
            told = "100 - 10 (ln GPS - m)/s, m and s of ln GPS of the norm's subjects"
        yield side, "GDI*", told, index, len(known) or None, "1"
