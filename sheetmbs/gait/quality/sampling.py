"""Rates, durations and cut-offs that do not belong to a recording."""

from __future__ import annotations

import numpy as np

from sheetmbs.gait.quality.recorded_body import RecordedBody, setting_place
from sheetmbs.schema.problem_list import ProblemList

MAX_FRAME_DIFFERENCE = 2.0
"""frames of the markers by which the forces may be longer or shorter"""
MAX_START_DIFFERENCE = 0.5
"""of the time of the markers, by which forces may begin earlier or later"""
MAX_RATIO_ERROR = 2e-3
"""part by which a force rate may miss a multiple: rates from rounded times are not exact"""
MAX_CUTOFF_RATIO = 2.0


def check_durations(body: RecordedBody, report: ProblemList) -> None:
    """An error where forces are longer or shorter than markers, or their rate is no multiple of the markers'."""
    prepared = body.prepared
    time, forces = prepared.time, prepared.force_time
    if forces is None or prepared.trial.forces is None:
        return
    place = prepared.trial.forces.stamps.header
    delay = body.book.processing.force_delay
    apart = float(forces.time[0]) + delay - float(time.time[0])
    if abs(apart) > MAX_START_DIFFERENCE * (time.time[-1] - time.time[0]):
        found = f"forces begin {abs(apart):.4g} s {'after' if apart > 0.0 else 'before'} the markers"
        problem = f"which last {time.time[-1] - time.time[0]:.4g} s: hardly anything was recorded together"
        mend = f"write {delay - apart:.6g} s in force_delay if both began together, or paste the forces of this trial"
        where = setting_place(body.book, "force_delay") if delay else place
        report.error("apart-in-time", where, found, problem, mend)
        return
    lasting, force_lasting = len(time.time) / time.rate, len(forces.time) / forces.rate
    found = (
        f"{len(time.time):,} frames of markers at {time.rate:.6g} Hz last {lasting:.4g} s, "
        f"{len(forces.time):,} of forces at {forces.rate:.6g} Hz {force_lasting:.4g} s"
    )
    if abs(lasting - force_lasting) * time.rate > MAX_FRAME_DIFFERENCE:
        per_frame = max(round(len(forces.time) / len(time.time)), 1)
        fits = per_frame * time.rate
        problem = "markers and forces of a trial are recorded over the same time"
        mend = (
            f"{fits:.6g} Hz ({per_frame} x the markers') would fit: write force_rate on Processing, or rate if that of "
            "the markers is wrong; or paste the forces of this trial"
        )
        report.error("unequal-durations", place, found, problem, mend)
        return
    ratio = forces.rate / time.rate
    if abs(ratio - round(ratio)) > MAX_RATIO_ERROR * ratio or round(ratio) < 1:
        fits = max(round(ratio), 1) * time.rate
        problem = f"forces are sampled {ratio:.4g} times a frame, and plates run at a multiple of the cameras' rate"
        mend = f"{fits:.6g} Hz would fit: write force_rate or rate on Processing, or export both again"
        report.error("no-multiple-rate", place, found, problem, mend)


def check_cutoff(body: RecordedBody, report: ProblemList) -> None:
    """A warning where the advice, in the middle of all markers that are needed, is beyond a factor of two."""
    prepared = body.prepared
    needed = list(body.needed())
    ratios = prepared.advice.advised[needed] / prepared.cutoffs[needed]
    known = np.isfinite(ratios) & (ratios > 0.0)
    if not known.any():
        return
    ratio = float(np.median(ratios[known]))
    if 1.0 / MAX_CUTOFF_RATIO <= ratio <= MAX_CUTOFF_RATIO:
        return
    cutoff = float(np.median(prepared.cutoffs[needed][known]))
    advised = float(np.median(prepared.advice.advised[needed][known]))
    what = "takes away motion with the noise" if ratio > 1.0 else "leaves noise in the motion"
    found = f"cutoff: {cutoff:.3g} Hz"
    problem = f"the residuals of the markers in {prepared.trial.sheets[0]} advise {advised:.2g} Hz, so that it {what}"
    mend = f"write {advised:.2g} Hz or auto, or leave it if you know better"
    report.warning("doubtful-cutoff", setting_place(body.book, "cutoff"), found, problem, mend)
