"""Standard uncertainties of gait scores, whose root mean squares are linear in small changes of the mean curves.

With d the mean stride less the norm at N points, and v the scores of M variables,

    d GVS = sum d . d(curve)/(N GVS)          d GPS = sum GVS . d GVS/(M GPS)          d GDI* = - 10/s . d GPS/GPS.

A score of 0 has none: there every change makes it larger.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from sheetmbs.gait.sheets.believed_values import Believed, CurveReading
from sheetmbs.gait.sheets.charted_columns import band_of
from sheetmbs.gait.sheets.gait_presentation import GaitPresentation
from sheetmbs.gait.sheets.gait_scores import FROM_LEFT, POINTS, ConditionScores, deviation_index, norm_at_points
from sheetmbs.gait.strides.strides import in_means
from sheetmbs.gait.trial.gait_book import SIDES, Band, Side

Parts = Sequence[CurveReading]


def uncertain_scores(
    gait: GaitPresentation, scores: ConditionScores, believed: Believed
) -> dict[tuple[str, str, str], float | None]:
    """Give the uncertainty of each score by side, word and variable, `""` where it is of all. gait: of its condition."""
    parts: dict[tuple[Side, str], Parts] = {}
    for side in FROM_LEFT:
        for name, kind, quantity in scores.variables:
            band = band_of(gait, side, kind, quantity) or band_of(gait, None, kind, quantity)
            value, _ = scores.values.get((side, name), (0.0, 0))
            if band is not None and value > 0.0:
                parts[side, name] = _of_variable(gait, side, (kind, quantity), band, value)
    found: dict[tuple[str, str, str], float | None] = {
        (side, "GVS", name): believed.of_readings(each) for (side, name), each in parts.items()
    }
    of_sides, overall = scores.profiles
    own: dict[str, tuple[float, list[tuple[Side, str]]]] = {
        side: (score, [(side, name) for name, *_ in scores.variables]) for side, score in of_sides.items()
    }
    if overall is not None:
        keys: list[tuple[Side, str]] = [("left", name) for name, *_ in scores.pelvis]
        own["overall"] = overall, [*keys, *((side, name) for side in SIDES for name, *_ in scores.legs)]
    for whose, (score, of) in own.items():
        u = _of_profile(score, of, scores, parts, believed)
        found[whose, scores.word, ""] = u
        found[whose, "GDI*", ""] = _of_index(score, u, scores, whose)
    return found


def _of_variable(
    gait: GaitPresentation, side: Side, variable: tuple[str, str], band: Band, value: float
) -> list[CurveReading]:
    kind, quantity = variable
    row = gait.of_kind(kind, side)
    key = (f"{side} {kind}" if row is None else row.label), quantity
    mean, curves = gait.means[key], gait.curves[key]
    known = np.isfinite(mean.mean)
    units = np.eye(len(known))[:, known]
    points = np.array([np.interp(POINTS, gait.percent[known], unit) for unit in units])
    weights = points @ (points.T @ np.nan_to_num(mean.mean) - norm_at_points(band)) / (len(POINTS) * value)
    counts = in_means(curves)
    n = np.maximum(counts.sum(axis=0), 1)
    return [
        CurveReading(key, gait.trials[stride.trial].trial, stride.start, stride.end, np.where(own, weights / n, 0.0))
        for stride, own in zip(curves.strides, counts, strict=True)
        if own.any()
    ]


def _of_profile(
    score: float,
    keys: Sequence[tuple[Side, str]],
    scores: ConditionScores,
    parts: Mapping[tuple[Side, str], Parts],
    believed: Believed,
) -> float | None:
    known = [key for key in keys if scores.values[key][0] > 0.0]
    if not score > 0.0:
        return None
    return believed.of_readings(
        [part.times(scores.values[key][0] / (len(keys) * score)) for key in known for part in parts[key]]
    )


def _of_index(score: float, u: float | None, scores: ConditionScores, side: str) -> float | None:
    """From the slope of the logarithm: so much of it for one part in a million more."""
    norms = [each[1] if side == "overall" else each[0].get(side) for each in scores.norm_profiles()]  # type: ignore[call-overload]
    known = [each for each in norms if each is not None]
    ends = [deviation_index(score * factor, known) for factor in (1.0 - 1e-6, 1.0 + 1e-6)]
    if u is None or ends[0] is None or ends[1] is None:
        return None
    return abs(ends[1] - ends[0]) / (2e-6 * score) * u
