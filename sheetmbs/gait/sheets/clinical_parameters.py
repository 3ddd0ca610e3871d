"""The page `mbs Gait clinical`: the parameters by which a gait is known, both sides beside each other and beside the norm."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from math import hypot, sqrt

import numpy as np

from sheetmbs.gait.arrays import Vector
from sheetmbs.gait.sheets.believed_values import Believed, CurveReading
from sheetmbs.gait.sheets.charted_columns import band_of
from sheetmbs.gait.sheets.gait_presentation import GaitPresentation
from sheetmbs.gait.sheets.shown_items import ShownItem
from sheetmbs.gait.strides.strides import Stride
from sheetmbs.gait.trial.gait_book import SIDES, Side
from sheetmbs.workbook.sheets.list_pages import Listed, plain_listing
from sheetmbs.workbook.sheets.page_contents import Page, SummaryValue
from sheetmbs.workbook.sheets.sheet_contents import GAIT_CLINICAL

HEADS = (
    "parameter",
    *(f"{side}{part}" for side in ("left", "right") for part in ("", "_sd", "_n", "_u")),
    *("norm", "norm_sd", "difference", "u_difference", "unit"),
)
WIDTHS = (42.0, *(12.0,) * 12, 16.0)
LOADING = 30.0
"""% of the stride in which the knee yields under the load: its later flexion in stance is that of push-off"""
AROUND_TOE_OFF = 10.0
"""% before and after toe off, in which the ankle has its largest plantarflexion"""
TIMED = "knee flexion, peak in swing"
"""parameter whose time is another one"""
LEAST_TRAVEL = 0.3
"""m that a subject goes where the line of travel is known"""
FLAT_AFTER = 0.1
"""s after a strike, when the heel stands"""
USUAL_TOE_OFF = 60.0
"""% where a stride has no toe off"""
ALIKE = 1e-4
"""least difference between strides as a part of the range of their curves; strides of people differ by 0.01 and more"""
PHASES = (
    ("H1", "hip", 0.0, 35.0, 1.0),
    ("H2", "hip", 20.0, 60.0, -1.0),
    ("H3", "hip", 45.0, 85.0, 1.0),
    ("K1", "knee", 0.0, 25.0, -1.0),
    ("K2", "knee", 10.0, 45.0, 1.0),
    ("K3", "knee", 45.0, 75.0, -1.0),
    ("K4", "knee", 75.0, 100.0, -1.0),
    ("A1", "ankle", 5.0, 50.0, -1.0),
    ("A2", "ankle", 40.0, 70.0, 1.0),
)
"""phases of power (Winter 1991): name, joint, % of the stride in which its peak lies, and whether it generates"""


@dataclass(frozen=True)
class StrideCurve:
    """A curve of one stride at percents (points,). toe_off: in %. duration: in s."""

    values: Vector
    percent: Vector
    toe_off: float
    duration: float

    def within(self, start: float, end: float, sign: float = 1.0) -> tuple[float, float] | None:
        """The largest value times the sign from start to end in %, and where it is."""
        inside = np.flatnonzero((self.percent >= start - 1e-9) & (self.percent <= end + 1e-9))
        if not len(inside) or not np.isfinite(self.values[inside]).all():
            return None
        top = int(inside[np.argmax(sign * self.values[inside])])
        return float(self.values[top]), float(self.percent[top])


def knee_minimum(curve: StrideCurve) -> tuple[float, float] | None:
    """The least flexion in stance after the peak under the load."""
    peak = curve.within(0.0, LOADING)
    return None if peak is None else curve.within(peak[1], max(curve.toe_off, peak[1]), -1.0)


def span(curve: StrideCurve) -> tuple[float, float] | None:
    """The range over the stride."""
    return (float(np.ptp(curve.values)), np.nan) if np.isfinite(curve.values).all() else None


def mean_until(curve: StrideCurve, end: float) -> tuple[float, float] | None:
    """The mean from the strike to a percent."""
    inside = curve.percent <= end + 1e-9
    return (float(np.mean(curve.values[inside])), np.nan) if np.isfinite(curve.values[inside]).all() else None


ANGLES = (
    ("knee flexion at strike", "knee", "angle", lambda c: c.within(0.0, 0.0)),
    ("knee flexion, peak in stance", "knee", "angle", lambda c: c.within(0.0, LOADING)),
    ("knee flexion, minimum in stance", "knee", "angle", knee_minimum),
    ("knee flexion, peak in swing", "knee", "angle", lambda c: c.within(c.toe_off, 100.0)),
    ("knee flexion, range", "knee", "angle", span),
    ("ankle dorsiflexion at strike", "ankle", "angle", lambda c: c.within(0.0, 0.0)),
    ("ankle dorsiflexion, peak in stance", "ankle", "angle", lambda c: c.within(0.0, c.toe_off)),
    (
        "ankle plantarflexion, peak at toe off",
        "ankle",
        "angle",
        lambda c: c.within(c.toe_off - AROUND_TOE_OFF, c.toe_off + AROUND_TOE_OFF, -1.0),
    ),
    ("hip extension, minimum of flexion", "hip", "angle", lambda c: c.within(0.0, 100.0, -1.0)),
    ("hip flexion, peak", "hip", "angle", lambda c: c.within(0.0, 100.0)),
    ("hip flexion, range", "hip", "angle", span),
    ("hip adduction, peak in stance", "hip", "adduction", lambda c: c.within(0.0, c.toe_off)),
    ("pelvis tilt, mean", "pelvis", "tilt", lambda c: mean_until(c, 100.0)),
    ("pelvis tilt, range", "pelvis", "tilt", span),
    ("pelvis obliquity, range", "pelvis", "obliquity", span),
    ("pelvis rotation, range", "pelvis", "rotation", span),
    ("foot progression, mean in stance", "foot", "progression", lambda c: mean_until(c, c.toe_off)),
)
"""parameter, joint, quantity, and what it is of a curve with where in %"""


Find = Callable[[StrideCurve], tuple[float, float] | None]
"""of a curve to a value and where it is in %, NaN where it is at no place"""


def weights_at(curve: StrideCurve, place: float) -> Vector:
    """(points,) of the value at a place in %."""
    return np.asarray(np.eye(len(curve.percent))[np.argmin(np.abs(curve.percent - place))])


def weights_of(curve: StrideCurve, find: Find) -> Vector:
    """(points,) by how much each point of a curve adds to what is found of it, as long as that stays at its place."""
    found, units = find(curve), np.eye(len(curve.percent))
    if found is None:
        return np.zeros(len(units))
    if np.isfinite(found[1]):
        return weights_at(curve, found[1])
    if find is span:
        return np.asarray(units[np.argmax(curve.values)] - units[np.argmin(curve.values)])
    # a mean is linear
    return np.array([0.0 if (each := find(replace(curve, values=unit))) is None else each[0] for unit in units])


def weights_of_time(curve: StrideCurve, place: float) -> Vector | None:
    """(points,) of the time of a peak in %: at it the slope s is 0, and dt = - ds/(ds/dt). None at an end of the stride."""
    top = int(np.argmin(np.abs(curve.percent - place)))
    if not 0 < top < len(curve.percent) - 1:
        return None
    step = curve.percent[1] - curve.percent[0]
    bend = (curve.values[top + 1] - 2.0 * curve.values[top] + curve.values[top - 1]) / step**2
    if bend == 0.0:
        return None
    weights = np.zeros(len(curve.percent))
    weights[[top - 1, top + 1]] = np.array([0.5, -0.5]) / (step * bend)
    return weights


@dataclass(frozen=True)
class _OneSide:
    """The mean of a parameter over strides of a side. parts: of curves, which it is the sum of."""

    value: float
    sd: float | None
    n: int
    u: float | None = None
    parts: tuple[CurveReading, ...] = ()


def clinical_rows(
    gait: GaitPresentation, items: Sequence[ShownItem], believed: Believed | None = None
) -> list[tuple[SummaryValue, ...]]:
    """All parameters of which anything is known, under `HEADS`. believed: gives the uncertainty of peaks."""
    known = _Uncertain(gait, believed)
    return [*_angles(gait, known), *_powers(gait, known), *_times(gait, items), *_variability(gait, known)]


def clinical_page(gait: GaitPresentation, items: Sequence[ShownItem], believed: Believed | None = None) -> Page | None:
    """All parameters of which anything is known; None where nothing is."""
    rows = clinical_rows(gait, items, believed)
    if not rows:
        return None
    numbers = tuple(range(1, len(HEADS) - 1))
    listed = Listed("", HEADS, tuple(rows), ("",) * len(HEADS), own=numbers)
    return plain_listing(GAIT_CLINICAL, [listed], widths=WIDTHS)


class _Uncertain:
    """The standard uncertainty of values that are read off mean curves, at their place."""

    def __init__(self, gait: GaitPresentation, believed: Believed | None) -> None:
        self._gait = gait
        self._believed = believed

    def mean(
        self, key: tuple[str, str], values: Sequence[float], read: Sequence[tuple[Stride, Vector | None]]
    ) -> _OneSide:
        """The mean of values over strides. read: each stride with the weights (points,) of its curve in its value."""
        return self.sum(key, _mean(values), [(stride, None if w is None else w / len(read)) for stride, w in read])

    def sum(self, key: tuple[str, str], found: _OneSide, read: Sequence[tuple[Stride, Vector | None]]) -> _OneSide:
        """A value with its uncertainty. read: each stride with the weights (points,) of its curve in the value."""
        if self._believed is None or any(weights is None for _, weights in read):
            return found
        parts = tuple(
            CurveReading(key, self._gait.trials[stride.trial].trial, stride.start, stride.end, weights)
            for stride, weights in read
            if weights is not None
        )
        return replace(found, u=self._believed.of_readings(parts), parts=parts)

    def of_difference(self, sides: dict[Side, _OneSide]) -> float | None:
        """Of the left less the right: what both share cancels; None where curves do not tell both."""
        left, right = (sides[side].parts if side in sides else () for side in ("left", "right"))
        if self._believed is None or not left or not right:
            return None
        return self._believed.of_readings([*left, *(each.times(-1.0) for each in right)])


def _row(
    parameter: str,
    sides: dict[Side, _OneSide],
    unit: str,
    norm: tuple[float, float] | None = None,
    u_difference: float | None = None,
    *,
    is_opposed: bool = False,
) -> tuple[SummaryValue, ...]:
    """is_opposed: one error makes the value of one side too large and that of the other too small by as much."""
    cells: list[SummaryValue] = [parameter]
    for side in ("left", "right"):
        each = sides.get(side)
        cells += [None] * 4 if each is None else [each.value, each.sd, each.n, each.u]
    cells += [None, None] if norm is None else list(norm)
    both = [sides.get("left"), sides.get("right")]
    difference = None if None in both else both[0].value - both[1].value  # type: ignore[union-attr]
    us = [each.u for each in both if each is not None and each.u is not None]
    if u_difference is None and len(us) == len(SIDES):
        u_difference = sum(us) if is_opposed else hypot(*us)
    return (*cells, difference, u_difference, unit)


def _mean(values: Sequence[float]) -> _OneSide:
    sd = float(np.std(values, ddof=1)) if len(values) > 1 else None
    return _OneSide(float(np.mean(values)), sd, len(values))


def _label(gait: GaitPresentation, kind: str, side: Side) -> str:
    row = gait.of_kind(kind, side)
    return f"{side} {kind}" if row is None else row.label


def _curves(gait: GaitPresentation, kind: str, quantity: str, side: Side) -> Iterator[tuple[StrideCurve, Stride]]:
    """The curves of strides of a side that enter means."""
    found = gait.curves.get((_label(gait, kind, side), quantity))
    for values, stride in zip(found.values, found.strides, strict=True) if found is not None else ():
        if stride.counts and np.isfinite(values).all():
            toe_off = USUAL_TOE_OFF if stride.toe_off is None else stride.percent(stride.toe_off)
            yield StrideCurve(values, gait.percent, toe_off, stride.duration), stride


def _unit(gait: GaitPresentation, kind: str, quantity: str) -> str:
    labels = [_label(gait, kind, side) for side in SIDES]
    return next(
        (each.shown.unit for each in gait.quantities if each.label in labels and each.quantity == quantity), "deg"
    )


def _angles(gait: GaitPresentation, known: _Uncertain) -> Iterator[tuple[SummaryValue, ...]]:
    for parameter, kind, quantity, find in ANGLES:
        sides: dict[Side, _OneSide] = {}
        places: dict[Side, _OneSide] = {}
        for side in SIDES:
            curves = [each for each in _curves(gait, kind, quantity, side) if find(each[0]) is not None]
            told = [each for curve, _ in curves if (each := find(curve)) is not None]
            if not told:
                continue
            key = _label(gait, kind, side), quantity
            read = [(stride, weights_of(curve, find)) for curve, stride in curves]
            sides[side] = known.mean(key, [value for value, _ in told], read)
            if parameter == TIMED:
                later = [
                    (stride, weights_of_time(curve, place))
                    for (curve, stride), (_, place) in zip(curves, told, strict=True)
                ]
                places[side] = known.mean(key, [place for _, place in told], later)
        if sides:
            norm = _norm(gait, kind, quantity, find)
            yield _row(parameter, sides, _unit(gait, kind, quantity), norm, known.of_difference(sides))
        if sides and parameter == TIMED:
            yield _row("knee flexion, time of the peak in swing", places, "%", None, known.of_difference(places))


def _norm(gait: GaitPresentation, kind: str, quantity: str, find: object) -> tuple[float, float] | None:
    """The same of the middle of the normal band, and half its width there; None without a band."""
    band = next((each for side in (None, *SIDES) if (each := band_of(gait, side, kind, quantity)) is not None), None)
    if band is None or not callable(find):
        return None
    middle, half = 0.5 * (band.low + band.high), 0.5 * (band.high - band.low)
    over = [np.interp(gait.percent, band.percent, each) for each in (middle, half)]
    found = find(StrideCurve(over[0], gait.percent, USUAL_TOE_OFF, 1.0))
    if found is None:
        return None
    value, place = found
    width = float(np.mean(over[1]) if np.isnan(place) else np.interp(place, gait.percent, over[1]))
    return value, width


def _powers(gait: GaitPresentation, known: _Uncertain) -> Iterator[tuple[SummaryValue, ...]]:
    for name, kind, start, end, sign in PHASES:
        peaks: dict[Side, _OneSide] = {}
        works: dict[Side, _OneSide] = {}
        for side in SIDES:
            found = [
                (peak, curve, stride)
                for curve, stride in _curves(gait, kind, "power", side)
                if (peak := curve.within(start, end, sign)) is not None and sign * peak[0] > 0.0
            ]
            if found:
                key = _label(gait, kind, side), "power"

                read = [(stride, weights_at(curve, peak[1])) for peak, curve, stride in found]
                peaks[side] = known.mean(key, [peak[0] for peak, *_ in found], read)
                read = [(stride, weights_of_work(curve, peak[1], sign)) for peak, curve, stride in found]
                works[side] = known.mean(key, [phase_work(curve, peak[1], sign) for peak, curve, _ in found], read)
        if peaks:
            unit = gait.signs.power.unit
            yield _row(f"{name} power", peaks, unit, None, known.of_difference(peaks))
            yield _row(f"{name} work", works, unit.replace("W", "J"), None, known.of_difference(works))


def phase_work(curve: StrideCurve, peak: float, sign: float) -> float:
    """The integral of a power over the time around a peak in which its sign is that of the peak."""
    return float(weights_of_work(curve, peak, sign) @ curve.values)


def weights_of_work(curve: StrideCurve, peak: float, sign: float) -> Vector:
    """(points,) in s of a power in that integral, by trapezoids from zero to zero."""
    top = int(np.argmin(np.abs(curve.percent - peak)))
    other = np.flatnonzero(sign * curve.values <= 0.0)
    first = int(other[other < top][-1]) if (other < top).any() else 0
    last = int(other[other > top][0]) if (other > top).any() else len(curve.values) - 1
    weights = np.zeros(len(curve.percent))
    steps = 0.5 * np.diff(curve.percent[first : last + 1]) * curve.duration / 100.0
    weights[first:last] += steps
    weights[first + 1 : last + 1] += steps
    return np.where(sign * curve.values > 0.0, weights, 0.0)


def _times(gait: GaitPresentation, items: Sequence[ShownItem]) -> Iterator[tuple[SummaryValue, ...]]:
    """Supports, and what is made of lengths, cadence and speed."""
    found = {
        (each.item, each.side): _OneSide(each.value, each.sd, each.n or 0, each.u)
        for each in items
        if not each.joint and isinstance(each.value, float)
    }
    other: dict[Side, Side] = {"right": "left", "left": "right"}
    # while the other foot swings this one stands alone
    single = {side: found["swing", other[side]] for side in SIDES if ("swing", other[side]) in found}
    double = {side: found["double support", side] for side in SIDES if ("double support", side) in found}
    for parameter, sides in (("single support", single), ("double support", double)):
        if sides:
            yield _row(parameter, sides, "%")
    widths = {side: each for side in SIDES if (each := _step_width(gait, side)) is not None}
    if widths:
        # where the heels were marked is in the widths of both sides alike
        apart = hypot(*(noise for _, noise in widths.values())) if len(widths) == len(SIDES) else None
        yield _row(
            "step width, heels across the way", {side: each for side, (each, _) in widths.items()}, "m", None, apart
        )
    steps = {side: found["step length", side] for side in SIDES if ("step length", side) in found}
    height, cadence = gait.book.subject.height, found.get(("cadence", ""))
    if steps and height:
        by_height = {side: _scaled(each, 1.0 / height) for side, each in steps.items()}
        yield _row("step length by height", by_height, "1", is_opposed=True)
    if steps and cadence:
        by_cadence = {side: _scaled(each, 1e3 / cadence.value) for side, each in steps.items()}
        yield _row("walk ratio, step length by cadence", by_cadence, "mm/(steps/min)", is_opposed=True)
    speed, leg = found.get(("speed", "")), _leg_length(gait)
    if speed and leg:
        normal = _scaled(speed, 1.0 / sqrt(gait.book.gravity * leg))
        yield _row("speed by root of g leg length", {"left": normal, "right": normal}, "1")
    for item in ("step length", "stance"):
        pair = [found.get((item, side)) for side in ("left", "right")]
        if pair[0] is not None and pair[1] is not None and pair[0].value + pair[1].value > 0.0:
            index = 200.0 * abs(pair[0].value - pair[1].value) / (pair[0].value + pair[1].value)
            row = _row(f"symmetry index of {item}", {}, "%")
            u = u_of_symmetry(pair[0], pair[1], is_opposed=item == "step length")
            yield (*row[:-3], index, u, row[-1])


def u_of_symmetry(left: _OneSide, right: _OneSide, *, is_opposed: bool) -> float | None:
    """Standard uncertainty in % of 200 |L - R|/(L + R), whose slopes are 400 R/(L + R)^2 by L and - 400 L/(L + R)^2 by R.

    is_opposed: an error makes one side longer and the other as much shorter, as where heels were marked does with steps.
    """
    if left.u is None or right.u is None:
        return None
    parts = right.value * left.u, left.value * right.u
    return 400.0 * (sum(parts) if is_opposed else hypot(*parts)) / (left.value + right.value) ** 2


def _step_width(gait: GaitPresentation, side: Side) -> tuple[_OneSide, float] | None:
    """The mean width of steps that end with a strike of a side, and what noise of the heels makes of it, m; None of none."""
    found = list(_step_widths(gait, side))
    if not found:
        return None
    values, noises, placements = zip(*found, strict=True)
    noise = float(np.sqrt(np.mean(np.square(noises)) / len(noises)))
    placement = float(np.sqrt(np.mean(np.square(placements))))
    return replace(_mean(values), u=hypot(noise, placement)), noise


def _step_widths(gait: GaitPresentation, side: Side) -> Iterator[tuple[float, float, float]]:
    """How far apart heels stand across the line of travel, of steps that end with a strike of a side, m.

    With each what noise and where both heels were marked make of it, a standard deviation.
    """
    for trial in gait.trials:
        points = {name.casefold(): each for name, each in trial.points.items()}
        along = line_of_travel([each for name, each in points.items() if name.endswith(("heel", "hip"))])
        noise, placement = (
            {name.casefold(): each for name, each in found.items() if np.isfinite(each)}
            for found in (trial.noise, trial.placement)
        )
        strikes = sorted((each for each in trial.events if each.kind == "heel strike"), key=lambda each: each.time)
        for first, second in pairwise(strikes):
            names = [f"{each.side} heel" for each in (first, second)]
            if second.side != side or first.side == side or not points.keys() >= set(names):
                continue
            places = [
                float(np.interp(each.time + FLAT_AFTER, trial.time, points[name][:, [0, 2]] @ [-along[1], along[0]]))
                for each, name in zip((first, second), names, strict=True)
            ]
            if np.isfinite(places).all() and second.time + FLAT_AFTER <= trial.time[-1]:
                us = [hypot(*(known.get(name, 0.0) for name in names)) for known in (noise, placement)]
                yield abs(places[0] - places[1]), us[0], us[1]


def line_of_travel(courses: Sequence[Vector]) -> Vector:
    """(2,) the unit vector forward and to the right along which points go; forward where they stay, as on a treadmill.

    courses: (n, 3) each.
    """
    ways = []
    for each in courses:
        seen = np.flatnonzero(np.isfinite(each[:, [0, 2]]).all(axis=1))
        if len(seen):
            ways.append(each[seen[-1], [0, 2]] - each[seen[0], [0, 2]])
    way = np.mean(ways, axis=0) if ways else np.zeros(2)
    size = float(np.linalg.norm(way))
    return np.asarray(way / size) if size > LEAST_TRAVEL else np.array([1.0, 0.0])


def _scaled(each: _OneSide, factor: float) -> _OneSide:
    sd, u = (None if one is None else factor * one for one in (each.sd, each.u))
    return _OneSide(factor * each.value, sd, each.n, u)


def _leg_length(gait: GaitPresentation) -> float | None:
    """As it was measured, else thigh and shank, the mean of both sides and all trials, in m; None where they are not seen."""
    if gait.book.conventional is not None:
        return gait.book.conventional.measures.leg_length
    lengths = []
    for trial in gait.trials:
        for row in gait.book.segments:
            if row.table in ("thigh", "shank") and row.proximal in trial.points and row.distal in trial.points:
                apart = trial.points[row.proximal] - trial.points[row.distal]
                known = np.isfinite(apart).any(axis=0)
                lengths.append(float(np.nanmean(np.linalg.norm(apart[:, known], axis=1))))
    return 2.0 * float(np.mean(lengths)) if lengths else None


def _variability(gait: GaitPresentation, known: _Uncertain) -> Iterator[tuple[SummaryValue, ...]]:
    """Of the flexion of each joint over strides: the mean SD, and the coefficient of multiple correlation (Kadaba 1989)."""
    for kind in ("hip", "knee", "ankle"):
        sds: dict[Side, _OneSide] = {}
        correlations: dict[Side, _OneSide] = {}
        for side in SIDES:
            curves = list(_curves(gait, kind, "angle", side))
            if len(curves) < 2:
                continue
            values, strides = np.array([curve.values for curve, _ in curves]), [stride for _, stride in curves]
            key, n = (_label(gait, kind, side), "angle"), len(curves)
            for found, value, slopes in (
                (sds, mean_deviation(values), slopes_of_deviation(values)),
                (correlations, multiple_correlation(values), slopes_of_correlation(values)),
            ):
                weights: Sequence[Vector | None] = [None] * n if slopes is None else list(slopes)
                found[side] = known.sum(key, _OneSide(value, None, n), list(zip(strides, weights, strict=True)))
        if sds:
            unit = _unit(gait, kind, "angle")
            yield _row(f"{kind} angle, mean SD of strides", sds, unit, None, known.of_difference(sds))
            yield _row(f"{kind} angle, CMC of strides", correlations, "1", None, known.of_difference(correlations))


def mean_deviation(values: Vector) -> float:
    """The mean over points of the standard deviation (n - 1) of curves (strides, points)."""
    return float(np.mean(np.std(values, axis=0, ddof=1)))


def slopes_of_deviation(values: Vector) -> Vector | None:
    """(strides, points) of `mean_deviation` by each value: (x - m)/((n - 1) s) by the number of points.

    None where all strides are alike: every error makes them differ more.
    """
    strides, points = values.shape
    deviation = np.std(values, axis=0, ddof=1)
    if not np.mean(deviation) > ALIKE * np.ptp(values):
        return None
    away = (values - values.mean(axis=0)) / ((strides - 1) * points)
    return np.asarray(np.divide(away, deviation, out=np.zeros(away.shape), where=deviation > 0.0))


def multiple_correlation(values: Vector) -> float:
    """The coefficient of multiple correlation of curves (strides, points): 1 where all are alike.

    Source: Kadaba et al., J Orthop Res 7 (1989) 849.
    """
    strides, points = values.shape
    within = np.sum((values - values.mean(axis=0)) ** 2) / (points * (strides - 1))
    total = np.sum((values - values.mean()) ** 2) / (strides * points - 1)
    return sqrt(max(1.0 - within / total, 0.0)) if total > 0.0 else 1.0


def slopes_of_correlation(values: Vector) -> Vector | None:
    """(strides, points) of `multiple_correlation` by each value; None where it is 0, or where all strides are alike.

    With R^2 = 1 - W/T, dR = - (dW - (W/T) dT)/(2 R T).
    """
    strides, points = values.shape
    of_within = (values - values.mean(axis=0)) / (points * (strides - 1))
    of_total = (values - values.mean()) / (strides * points - 1)
    within, total = (float(np.sum(each * values)) for each in (of_within, of_total))
    if not ALIKE**2 * total < within < total:
        return None
    return np.asarray((within / total * of_total - of_within) / (total * sqrt(1.0 - within / total)))
