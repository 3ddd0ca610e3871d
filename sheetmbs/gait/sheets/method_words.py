"""The settings in force in words: how the numbers were made."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from sheetmbs.gait.arrays import Vector
from sheetmbs.gait.body.anthropometry import SOURCES
from sheetmbs.gait.signals.low_pass import both_passes, single_pass
from sheetmbs.gait.signs import Signs
from sheetmbs.gait.trial.gait_book import CentreRow, ConventionalModel, GaitBook
from sheetmbs.gait.trial.trial_courses import KINEMATIC_SOURCE, TrialCourses
from sheetmbs.schema.gait_inputs import CentreKind, HipRule, SegmentMethod

Words = tuple[str, str]
"""an item, and what is said of it"""

ORDINALS = {2: "2nd", 4: "4th", 8: "8th"}
KINEMATICS = {
    SegmentMethod.SEGMENTS: "each segment by itself between its own joint centres",
    SegmentMethod.CHAIN: "segments of constant length joined at knees and ankles, with hips and angles measured",
    SegmentMethod.LEAST_SQUARES: "segments of constant length joined at knees and ankles, fitted to the markers in each frame",
}
IN_SPACE = {
    SegmentMethod.SEGMENTS: "each segment by itself on its own cluster of markers",
    SegmentMethod.CHAIN: KINEMATICS[SegmentMethod.CHAIN],
    SegmentMethod.LEAST_SQUARES: "segments joined by balls and hinges, fitted to all markers together in each frame",
}
EVENT_WORDS = {
    "force": "by force plates, else estimated from markers",
    "kinematic": "estimated from markers",
    "speed": "estimated from markers, by the vertical speed of the foot",
}
FUNCTIONAL = {
    CentreKind.SCORE: "SCoRE (Ehrig 2006)",
    CentreKind.SARA: "SARA (Ehrig 2007), the point of the axis nearest to its markers,",
    CentreKind.SPHERE: "centre of spheres seen from the cluster",
}
HIP_RULES = {
    HipRule.DAVIS: "davis: Davis et al. 1991",
    HipRule.HARRINGTON: "harrington: Harrington et al. 2007",
    HipRule.SCORE: "score: functional, Ehrig et al. 2006",
}
TABLES = {
    "winter": "Winter / Dempster",
    "de leva": "de Leva 1996; trunk of Winter",
    "custom": "as on Segments",
}
JOINT_CENTRE = "joint centre"
OTHER_TABLE = "; the other table changes hip moments by some 3 N m rms"


def method_sentence(book: GaitBook, trials: Sequence[TrialCourses], cutoffs: Mapping[str, Vector]) -> str:
    """How the numbers were made, in one sentence for the report."""
    how = book.processing
    body = how.kinematics.capitalize() if book.conventional is None else "Conventional gait model"
    parts = [body, filter_words(book, trials, cutoffs)]
    parts.append(f"{TABLES[book.subject.anthropometry].split(';')[0]} anthropometry")
    if any(trial.feet for trial in trials):
        signs = {"clinical": "", "winter": " in Winter's signs", "isb": " in ISB signs"}[how.signs]
        parts.append(f"{how.moment} moments{signs}")
    found = list(dict.fromkeys(event.source for trial in trials for event in trial.events))
    sources: list[str] = [each for each in ("force", "given", "file") if each in found]
    sources += [each for each in found if each.startswith(KINEMATIC_SOURCE)]
    parts.append(f"events: {' and '.join(sources) if sources else 'none'}")
    return "; ".join(parts) + "."


def settings_in_words(book: GaitBook, trials: Sequence[TrialCourses], cutoffs: Mapping[str, Vector]) -> Iterator[Words]:
    """All that was chosen, by the workbook or by default. cutoffs: of the markers of each trial in Hz, where they differ."""
    how = book.processing
    yield "filter", filter_words(book, trials, cutoffs)
    if book.conventional is None:
        words = KINEMATICS[how.kinematics] if book.dimension == "2D" else IN_SPACE[how.kinematics]
        yield "kinematics", f"{how.kinematics}: {words}"
    else:
        yield from model_words(book.conventional)
    limit = f"up to {how.gap_limit:g} s, {how.gap_fill}" if how.gap_fill != "none" else "not filled"
    yield "gaps", limit
    yield "events", _event_words(book)
    yield "strides", f"{how.points} points from heel strike to heel strike of the same side"
    yield "edge", f"{how.edge:g} cut-off periods at each end of a trial are out of means and peaks"
    for trial in trials:
        length = trial.time[-1] - trial.time[0]
        yield f"trial {trial.trial}".rstrip(), f"{len(trial.time)} frames, {trial.rate:g} Hz, {length:.2f} s"
    yield "moments", f"{how.moment}, {how.signs} signs, {Signs(book).support.unit}"
    other = "" if book.subject.anthropometry == "custom" else OTHER_TABLE
    yield "anthropometry", TABLES[book.subject.anthropometry] + other
    if book.subject.anthropometry in SOURCES:
        yield "source of the anthropometry", SOURCES[book.subject.anthropometry]
    yield "gravity", f"{book.gravity:g} m/s^2"
    yield from ((JOINT_CENTRE, each) for each in _centres(book))
    for each in book.trials:
        where = f"carried markers {each.name}".rstrip()
        words = "not in the walk, moves with the cluster of"
        yield from ((where, f"{marker}: {words} {segment}") for marker, segment in each.carried)
    yield from (("line of the angle", f"{row.name}: {row.line[0]} to {row.line[1]}") for row in book.segments)


def model_words(model: ConventionalModel) -> Iterator[Words]:
    """The conventional gait model, its rule of the hips, and what it took from the standing trial."""
    measures = model.measures
    yield "model", "cgm: conventional gait model; pelvis, hips, and chords to knees and ankles in every frame"
    yield "hip rule", HIP_RULES[model.hip_rule]
    yield "distance of the spines", "mean of the standing trial" if measures.inter_asis is None else "as typed"
    yield "feet in the standing trial", "flat" if model.is_foot_flat else "as their markers stand"


def _event_words(book: GaitBook) -> str:
    how = book.processing
    typed = sum(each.source == "given" for each in book.events)
    filed = len(book.events) - typed
    words = [f"{typed} given on Events"] if typed else []
    given = "; ".join([*words, *([f"{filed} of the file on Events"] if filed else [])])
    if how.events == "given":
        return given or "given on Events: none"
    found = EVENT_WORDS[how.events] + (f", threshold {how.threshold:g} N" if how.events == "force" else "")
    return f"{found}; {given}" if given else found


def filter_words(book: GaitBook, trials: Sequence[TrialCourses], cutoffs: Mapping[str, Vector]) -> str:
    """``4th order zero-lag Butterworth, -3 dB at 6.00 Hz (7.43 Hz a pass), forces the same, derivative spline``."""
    how = book.processing
    used = np.concatenate([np.ravel(each) for each in cutoffs.values()]) if cutoffs else np.zeros(0)
    if not used.size:
        used = np.array([how.cutoff] if isinstance(how.cutoff, float) else [], float)
    finite = np.unique(np.round(used[np.isfinite(used)], 6))
    derivative = f"derivative {how.derivative}"
    if not finite.size:
        return f"markers not filtered, {_force_words(book)}, {derivative}"
    rate = trials[0].rate
    if len(finite) == 1:
        at = _cutoff_words(book, float(finite[0]), sorted({trial.rate for trial in trials}))
    else:
        first, last = (single_pass(float(each), rate, how.filter_order, how.cutoff_meaning) for each in finite[[0, -1]])
        of = " by residual analysis of each marker" if how.cutoff == "auto" else " by marker"
        what = "-3 dB at" if how.cutoff_meaning == "effective" else "each pass"
        at = f"{what} {finite[0]:.2f} to {finite[-1]:.2f} Hz{of}"
        at += f" ({first:.2f} to {last:.2f} Hz a pass)" if how.cutoff_meaning == "effective" else ""
    padding = "" if how.padding == "odd" else f", padding {how.padding}"
    order = ORDINALS[how.filter_order]
    return f"{order} order zero-lag Butterworth, {at}, {_force_words(book)}, {derivative}{padding}"


def _cutoff_words(book: GaitBook, cutoff: float, rates: Sequence[float]) -> str:
    how = book.processing
    other = single_pass if how.cutoff_meaning == "effective" else both_passes
    found = dict.fromkeys(f"{other(cutoff, rate, how.filter_order, how.cutoff_meaning):.2f}" for rate in rates)
    shown = " and ".join(found)
    if how.cutoff_meaning == "effective":
        return f"-3 dB at {cutoff:.2f} Hz ({shown} Hz a pass)"
    return f"each pass {cutoff:.2f} Hz (-3 dB of both at {shown} Hz)"


def _force_words(book: GaitBook) -> str:
    cutoff = book.processing.force_cutoff
    if isinstance(cutoff, float):
        return f"forces at {cutoff:.2f} Hz"
    return {"same": "forces the same", "none": "forces not filtered"}[cutoff]


def _centres(book: GaitBook) -> Iterator[str]:
    """Where each end of a segment comes from."""
    rows = {row.name: row for row in book.centres}
    for name in dict.fromkeys(end for row in book.segments for end in (row.proximal, row.distal)):
        yield f"{name}: {_source(rows[name]) if name in rows else 'the marker itself'}"


def _source(row: CentreRow) -> str:
    markers = ", ".join(row.markers)
    if row.kind == CentreKind.MEAN:
        return f"mean of {markers}"
    if row.kind in (CentreKind.MARKER, CentreKind.OFFSET):
        offset = f" and {1e3 * row.offset[0]:g}, {1e3 * row.offset[1]:g}, {1e3 * row.offset[2]:g} mm along its segment"
        return f"the marker {markers}" + (offset if np.any(row.offset) else "")
    if row.fit is not None:
        return f"{FUNCTIONAL[row.kind]} of {' | '.join(', '.join(each) for each in row.clusters if each)}, {_fit_words(row)}"
    if row.kind == CentreKind.CHORD:
        marker, wand, above = row.markers
        return f"chord: {1e3 * row.distance:.4g} mm from {marker} in its plane with {wand} and {above}"
    if row.kind == CentreKind.SPHERE:
        return f"centre of the sphere on which {markers} move"
    return f"{row.kind.capitalize()} from {markers}"


def _fit_words(row: CentreRow) -> str:
    """``from trial hip: residual 0.8 mm rms, condition 9, 61 deg of motion, 300 frames``."""
    fit = row.fit
    if fit is None:
        return ""
    condition = "" if np.isnan(fit.condition) else f", condition {fit.condition:.3g}"
    source = f"from {row.from_trial or 'the standing trial'}"
    motion = f"{np.degrees(fit.motion):.0f} deg of motion, {fit.frames} frames"
    return f"{source}: residual {1e3 * fit.residual:.2f} mm rms{condition}, {motion}"
