"""Columns of `mbs Springs`: what force elements find, as `elements/forces` declares it."""

from __future__ import annotations

import numpy as np

from sheetmbs.analysis.solution import Solution
from sheetmbs.elements.forces import FORCE_ELEMENTS, FORCE_TYPES
from sheetmbs.engine.motion_report import MotionReport
from sheetmbs.lower import Lowered
from sheetmbs.results.columns.collect import CollectedColumns
from sheetmbs.results.columns.motion_rows import has_rates

SPRING_KINDS = tuple(element.results for element in FORCE_ELEMENTS)


def springs(lowered: Lowered, solution: Solution, found: MotionReport) -> CollectedColumns:
    """Forces, lengths and rates of the force elements.

    All forces count + when they pull the ends together; a deflection of a bushing along +x pulls body i along +x. Where rates
    stand for nothing, what a damper does is not known, and the spring stands alone.
    """
    columns = CollectedColumns(SPRING_KINDS[0].sheet, lowered.model.display, solution.times)
    is_known = has_rates(lowered.model)
    for spring, record in zip(lowered.model.springs, lowered.forces.elements.record, strict=True):
        declared = FORCE_TYPES[spring.type]
        values = found.element[:, record.value : record.value + record.values]
        damping = [k for k, value in enumerate(declared.values) if value.part == "damping"]
        unknown = [] if is_known or not spring.has("damping") else damping
        for k, value in enumerate(declared.values):
            if not value.is_shown or lowered.model.settings.dimension not in value.models:
                continue
            shown = values[:, k]
            if k in unknown:
                shown = np.full(len(shown), np.nan)
            elif value.load:
                shown = shown - values[:, unknown].sum(axis=1)
            columns.add(declared.results, spring.name, value.name, shown)
    return columns
