"""Residual reduction on sheets: what it changed of residuals, masses, centres and markers, and each peak with and without."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from sheetmbs.gait.arrays import Vector
from sheetmbs.gait.sheets.gait_presentation import GaitPresentation
from sheetmbs.gait.sheets.shown_items import shown_item
from sheetmbs.gait.strides.summary_items import SummaryItem, peak_items
from sheetmbs.gait.trial.gait_book import GaitBook
from sheetmbs.gait.uncertainty.dynamic_consistency import DynamicConsistency
from sheetmbs.gait.uncertainty.residual_reduction import COM_LIMIT, LEFT_ARM, MASS_LIMIT, ReducedResidual
from sheetmbs.problems.errors import Problem
from sheetmbs.workbook.sheets.list_pages import Listed
from sheetmbs.workbook.sheets.page_contents import SummaryValue

SETTING = "residual_reduction"
MOST_MOVED = 0.020
"""m rms of all markers: more is no error of markers any more (Werling et al. 2023 keep below it)"""
LEAST_TAKEN = 0.5
"""least part of a residual force or moment that a reduction has to take away"""
LEAST_RESIDUAL = 0.01
"""residual force as a part of the weight, and at the arm `LEFT_ARM` as a moment, below which nothing needs reducing"""
CHANGES = "Residual reduction: changes of residuals, markers, masses and centres of mass"
PEAKS = "Peaks with residual reduction, beside the plain ones"


def reduced_tables(
    reduced: ReducedResidual | None,
    gait: GaitPresentation,
    second: GaitPresentation | None,
    items: Sequence[SummaryItem],
) -> Iterator[Listed]:
    """Changes of residuals, markers and segments, then peaks. gait, second: without and with. items: of the summary."""
    if reduced is None or second is None:
        return
    yield Listed(CHANGES, ("what", "of", "plain", "reduced", "unit"), tuple(_changes(reduced, gait)), own=(2, 3))
    plain = {(each.item, each.side, each.joint): each for each in items if each.quantity}
    rows: list[tuple[SummaryValue, ...]] = []
    for each in peak_items(second.trials, gait.strides):
        own = plain.get((each.item, each.side, each.joint))
        if own is not None:
            one, other = shown_item(gait, own), shown_item(gait, each)
            rows.append((one.item, one.side, one.joint, one.value, other.value, one.u, one.unit))
    if rows:
        heads = ("peak", "side", "joint", "plain", "reduced", "u of plain", "unit")
        yield Listed(PEAKS, heads, tuple(rows), own=(3, 4, 5))


def reduced_items(
    reduced: ReducedResidual | None, consistency: DynamicConsistency | None, parts: Sequence[str]
) -> Iterator[SummaryItem]:
    """What the summary says of it. parts: of residuals."""
    if reduced is not None:
        if consistency is not None and np.isfinite(consistency.chi):
            left = [np.array([each.residual[name] for name in parts]) for each in reduced.courses if each.residual]
            chi = consistency.chi_with(left)
            yield SummaryItem("residual by its u, rms chi, reduced", "", "", chi, None, 1, "", ())
        yield SummaryItem("residual reduction, marker change rms", "", "", reduced.marker_change, None, 1, "m", ())


def _changes(reduced: ReducedResidual, gait: GaitPresentation) -> Iterator[tuple[SummaryValue, ...]]:
    for trial, before, after in zip(gait.trials, reduced.before, reduced.after, strict=True):
        one, other = residual_rms(before), residual_rms(after)
        if one is not None and other is not None:
            yield "residual force, rms", trial.trial, one[0], other[0], "N"
            yield "residual moment, rms", trial.trial, one[1], other[1], "N*m"
    yield "marker change, rms", "all", None, 1e3 * reduced.marker_change, "mm"
    for (name, label), moved in reduced.moved.items():
        yield "marker change, rms", f"{name} {label}".strip(), None, 1e3 * moved, "mm"
    for name, part in reduced.masses.items():
        yield "mass, change", name, None, 100.0 * part, "%"
    for name, shift in reduced.coms.items():
        yield "centre of mass, shift", name, None, 1e3 * shift, "mm"


def residual_rms(residual: Vector) -> tuple[float, float] | None:
    """Force in N and moment in N m, rms. residual: (parts, frames), in the plane two of force and one of moment."""
    if not residual.shape[1]:
        return None
    forces = 3 if len(residual) == 6 else 2
    force, moment = (float(np.sqrt(np.mean(np.sum(each**2, axis=0)))) for each in np.split(residual, [forces]))
    return force, moment


def doubtful_reduction(reduced: ReducedResidual | None, book: GaitBook) -> Iterator[Problem]:
    """Warnings where nothing could be reduced, or by more than errors of subject and markers are large."""
    if not book.processing.residual_reduction:
        return
    place, found = book.processing.places.get(SETTING, "Processing"), f"{SETTING}: yes"
    if reduced is None:
        problem = (
            "the whole body is not measured (both legs, a trunk and forces on both feet), so that it has no residual"
        )
        mend = f"add the trunk or the forces, or clear {SETTING}"
        yield Problem("no-residual", "warning", place, found, problem, mend)
        return
    if not any(before.shape[1] for before in reduced.before):
        problem = "in no frame is the force on both feet known, so that there is nothing to share out"
        yield Problem("no-residual", "warning", place, found, problem, "look at the contacts on mbs Gait quality")
        return
    weight = book.subject.mass * book.gravity
    doubts = []
    if reduced.marker_change > MOST_MOVED:
        doubts.append(
            f"markers move by {1e3 * reduced.marker_change:.0f} mm rms, and {1e3 * MOST_MOVED:.0f} are plausible"
        )
    if reduced.at_limit:
        limits = f"{MASS_LIMIT:.0%} of a mass and {1e3 * COM_LIMIT:.0f} mm of a centre"
        doubts.append(f"{', '.join(reduced.at_limit)} would change more than is allowed ({limits})")
    parts = [(residual_rms(one), residual_rms(other)) for one, other in zip(reduced.before, reduced.after, strict=True)]
    if any(
        other[kind] > max(LEAST_TAKEN * one[kind], LEAST_RESIDUAL * weight * (LEFT_ARM if kind else 1.0))
        for one, other in parts
        if one is not None and other is not None
        for kind in (0, 1)
    ):
        doubts.append("more than half of a residual stays")
    if doubts:
        mend = "do not trust the curves .reduced; look for the cause among the candidates on mbs Gait quality"
        yield Problem("doubtful-reduction", "warning", place, found, "; ".join(doubts), mend)
