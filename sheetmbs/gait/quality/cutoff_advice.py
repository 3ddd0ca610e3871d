"""A cut-off far from what the residual analysis of the markers advises."""

from __future__ import annotations

import numpy as np

from sheetmbs.gait.quality.recorded_body import RecordedBody, setting_place
from sheetmbs.schema.problem_list import ProblemList

FACTOR = 2.0


def check_cutoff(body: RecordedBody, report: ProblemList) -> None:
    """A warning where the advice, in the middle of all markers that are needed, is beyond a factor of two."""
    prepared = body.prepared
    needed = list(body.needed())
    ratios = prepared.advice.advised[needed] / prepared.cutoffs[needed]
    known = np.isfinite(ratios) & (ratios > 0.0)
    if not known.any():
        return
    ratio = float(np.median(ratios[known]))
    if 1.0 / FACTOR <= ratio <= FACTOR:
        return
    cutoff = float(np.median(prepared.cutoffs[needed][known]))
    advised = float(np.median(prepared.advice.advised[needed][known]))
    what = "takes away motion with the noise" if ratio > 1.0 else "leaves noise in the motion"
    found = f"cutoff: {cutoff:.3g} Hz"
    problem = f"the residuals of the markers in {prepared.trial.sheets[0]} advise {advised:.2g} Hz, so that it {what}"
    mend = f"write {advised:.2g} Hz or auto, or leave it if you know better"
    report.warning("doubtful-cutoff", setting_place(body.book, "cutoff"), found, problem, mend)
