"""What is not likely of the conventional gait model: measures, pelvis, wands and knees of the subject that stands."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from sheetmbs.gait.arrays import Vector
from sheetmbs.gait.body.body_segments import Points
from sheetmbs.gait.conventional.body_rows import sign_of
from sheetmbs.gait.conventional.followed_body import axes_of_pelvis
from sheetmbs.gait.conventional.standing_subject import width_of_pelvis
from sheetmbs.gait.prepare_trial import PreparedTrial
from sheetmbs.gait.quality.checked_trials import RecordedBody, recorded_body
from sheetmbs.gait.trial.gait_book import OF_LEG, OF_PELVIS, CentreRow, ConventionalModel, GaitBook, Side
from sheetmbs.schema.gait_inputs import CentreKind
from sheetmbs.schema.problem_list import ProblemList, place_of

LEG_PER_HEIGHT = (0.45, 0.58)
"""length of a leg by the height of the body"""
WIDTHS = {"knee width": (0.060, 0.150), "ankle width": (0.045, 0.100)}
"""m"""
MAX_WIDTH_DIFFERENCE, MAX_SPINE_DIFFERENCE, MAX_SPINE_HEIGHT = 0.010, 0.010, 0.020
"""m between both sides, between typed and measured, and between the heights of the posterior spines"""
MAX_VARUS = np.radians(10.0)
"""of a knee that stands straight, beyond which its wand is not in the plane of its axis"""


def check_measures(
    book: GaitBook, trials: Sequence[PreparedTrial], static: PreparedTrial | None, report: ProblemList
) -> None:
    """All that measures and the standing trial tell before anything is solved."""
    model = book.conventional
    if model is None or static is None:
        return
    _check_lengths(model, book, report)
    for side in book.subject.sides:
        _check_widths(model, side, report)
    _check_both_widths(model, book, report)
    for trial in (static, *trials):
        points = recorded_body(trial, book).points
        for row in book.centres:
            _check_chord(row, model, points, trial.trial.sheets[0], report)
    if report.found({"no-centre"}):
        return
    still = recorded_body(static, book)
    if _check_standing_feet(model, still, report):
        _check_pelvis(model, still, report)
        for side in book.subject.sides:
            _check_wands(model, side, still, report)


def _check_standing_feet(model: ConventionalModel, still: RecordedBody, report: ProblemList) -> bool:
    """Whether the standing trial sees what it is needed for; what it does not see is an error at its header."""
    pelvis = [*OF_PELVIS, *(name for name in ("right psis", "left psis", "sacrum") if name in model.markers)]
    groups = [pelvis]
    groups += [[f"{side} {each}" for each in (*OF_LEG, "heel")] for side in still.book.subject.sides]
    for group in groups:
        seen = [np.isfinite(still.points[model.of(name)]).all(axis=1) for name in group]
        if np.all(seen, axis=0).any():
            continue
        blank = next((name for name, each in zip(group, seen, strict=True) if not each.any()), None)
        found = f"{model.of(blank)} is blank in all frames" if blank else f"no frame sees all of {', '.join(group)}"
        problem = "the conventional gait model needs them in the standing trial"
        place = still.header(model.of(blank or group[0]))
        report.error("unseen-marker", place, found, problem, "record a frame in which they are all seen")
    return not report.found({"unseen-marker"})


def _check_lengths(model: ConventionalModel, book: GaitBook, report: ProblemList) -> None:
    height = book.subject.height
    least, most = LEG_PER_HEIGHT
    for side, leg in model.measures.legs.items():
        if height and not least <= leg.length / height <= most:
            found = f"leg length of the {side} leg: {leg.length:.3g} m, {leg.length / height:.2f} of the height"
            problem = f"legs have {least:g} to {most:g} of the height {height:.3g} m"
            place = place_of(model.measures.cell("leg length", side))
            report.warning("leg-length", place, found, problem, "measure it again, or correct the height or a unit")


def _check_widths(model: ConventionalModel, side: Side, report: ProblemList) -> None:
    leg = model.measures.legs[side]
    for setting, width in (("knee width", leg.knee_width), ("ankle width", leg.ankle_width)):
        least, most = WIDTHS[setting]
        if not least <= width <= most:
            found = f"{setting} of the {side} leg: {1e3 * width:.3g} mm"
            problem = f"it is {1e3 * least:g} to {1e3 * most:g} mm in people"
            place = place_of(model.measures.cell(setting, side))
            report.warning("joint-width", place, found, problem, "measure it again, or correct its unit")


def _check_both_widths(model: ConventionalModel, book: GaitBook, report: ProblemList) -> None:
    legs = model.measures.legs
    if len(book.subject.sides) < 2:
        return
    for setting, one, other in (
        ("knee width", legs["right"].knee_width, legs["left"].knee_width),
        ("ankle width", legs["right"].ankle_width, legs["left"].ankle_width),
    ):
        if abs(one - other) > MAX_WIDTH_DIFFERENCE + 1e-9:
            found = f"{setting}: right {1e3 * one:.4g}, left {1e3 * other:.4g} mm"
            problem = f"both sides of a body agree within {1e3 * MAX_WIDTH_DIFFERENCE:g} mm"
            place = place_of(model.measures.cell(setting, "left"))
            report.warning("joint-width", place, found, problem, "measure both again")


def _check_pelvis(model: ConventionalModel, still: RecordedBody, report: ProblemList) -> None:
    typed, measured = model.measures.inter_asis, width_of_pelvis(model, still.points)
    if typed is not None and abs(typed - measured) > MAX_SPINE_DIFFERENCE:
        found = f"inter-asis: {1e3 * typed:.4g} mm"
        problem = f"the markers of the standing trial are {1e3 * measured:.4g} mm apart"
        mend = "clear the cell to take those, unless the markers are not on the spines"
        report.warning("inter-asis", place_of(model.measures.cells["inter-asis", "value"]), found, problem, mend)
    if len(model.backs) == 2:
        right, left = (float(np.nanmean(still.points[name][:, 1])) for name in model.backs)
        if abs(right - left) > MAX_SPINE_HEIGHT:
            found = f"{model.backs[0]} stands {1e3 * abs(right - left):.0f} mm {'above' if right > left else 'below'} "
            problem = f"posterior spines stand level within {1e3 * MAX_SPINE_HEIGHT:g} mm"
            mend = "look at both markers in the standing trial; a tilted pelvis tilts the anterior ones too"
            report.warning("psis-heights", still.header(model.backs[0]), found + model.backs[1], problem, mend)


def _check_wands(model: ConventionalModel, side: Side, still: RecordedBody, report: ProblemList) -> None:
    """An error for a wand that points to the other leg: the joint would lie outside of its marker."""
    _origin, pelvis = axes_of_pelvis(model, still.points)
    outward = sign_of(side) * pelvis[:, :, 2]
    rows = {row.name: row for row in still.book.centres}
    for joint, wand in (("knee", "thigh wand"), ("ankle", "shank wand")):
        marker, tip, above = (still.points[name] for name in rows[f"{side} {joint} centre"].markers)
        along = above - marker
        away = tip - marker
        part = np.sum(away * along, axis=1, keepdims=True) / np.sum(along**2, axis=1, keepdims=True)
        aside = float(np.nanmean(np.sum((away - part * along) * outward, axis=1)))
        if aside < 0.0:
            name = model.of(f"{side} {wand}")
            found = f"{name} stands {-1e3 * aside:.0f} mm on the inner side of the line from {side} {joint} up"
            problem = f"the model takes it that wands point outward, away from the {joint}"
            mend = "exchange the wands of both legs where they were labelled, or correct Marker names"
            report.error("medial-wand", still.header(name), found, problem, mend)


def _check_chord(row: CentreRow, model: ConventionalModel, points: Points, sheet: str, report: ProblemList) -> None:
    """An error where half the width and the radius are more than the way from the marker to the joint above."""
    if row.kind != CentreKind.CHORD or row.side is None:
        return
    marker, _wand, above = (points[name] for name in row.markers)
    reach = _least(np.linalg.norm(above - marker, axis=1))
    setting = f"{row.name.split()[1]} width"
    place = place_of(model.measures.cell(setting, row.side))
    if reach <= row.distance and not any(each.cell == str(place) for each in report.found({"no-centre"})):
        found = f"{setting} of the {row.side} leg: with the marker's radius its half is {1e3 * row.distance:.4g} mm"
        problem = f"{row.markers[0]} lies {1e3 * reach:.4g} mm from the joint above in {sheet}: no centre exists"
        report.error("no-centre", place, found, problem, "correct the width or its unit, or the labels")


def _least(course: Vector) -> float:
    known = course[np.isfinite(course)]
    return float(np.min(known)) if len(known) else np.inf


def check_static_knees(book: GaitBook, report: ProblemList) -> None:
    """A warning for knees that stand bent aside."""
    model = book.conventional
    for side, leg in (model.standing if model is not None else {}).items():
        if model is not None and abs(leg.adduction) > MAX_VARUS:
            way = "varus" if leg.adduction > 0.0 else "valgus"
            found = f"the {side} knee stands in {abs(np.degrees(leg.adduction)):.1f} deg of {way}"
            problem = (
                f"a straight knee has less than {np.degrees(MAX_VARUS):.0f} deg: its wands or markers are off its axis"
            )
            cell = model.measures.cells.get(("thigh rotation", side)) or model.measures.cells.get(
                ("thigh rotation", "value"), model.cell
            )
            mend = "look at thigh rotation and the markers of hip, knee and ankle, unless the leg is so"
            report.warning("static-varus", place_of(cell), found, problem, mend)
