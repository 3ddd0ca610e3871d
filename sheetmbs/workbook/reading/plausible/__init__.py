"""Whether a whole model can be meant: slips that break no rule of the format, each reported as a warning at its cell.

A check is a function from what is looked at to its warnings, and one line in `CHECKS`. None may speak of a correct model: what
is only unusual passes.
"""

from __future__ import annotations

from sheetmbs.model.model import Model
from sheetmbs.schema.problem_list import place_of
from sheetmbs.workbook.reading.context import Context
from sheetmbs.workbook.reading.plausible.warning_bodies import forgotten_bodies, inertias
from sheetmbs.workbook.reading.plausible.warning_loads import far_loads
from sheetmbs.workbook.reading.plausible.warning_mirror import mirror_images
from sheetmbs.workbook.reading.plausible.warning_noise import noisy_motion
from sheetmbs.workbook.reading.plausible.warning_places import far_places, large_gravity, upward_gravity
from sheetmbs.workbook.reading.plausible.warning_springs import negative_damping, strained_springs, unlikely_numbers
from sheetmbs.workbook.reading.plausible.warning_teeth import unplaced_teeth
from sheetmbs.workbook.reading.plausible.warning_view import View

CHECKS = (
    large_gravity,
    upward_gravity,
    inertias,
    forgotten_bodies,
    far_places,
    mirror_images,
    strained_springs,
    unlikely_numbers,
    negative_damping,
    noisy_motion,
    far_loads,
    unplaced_teeth,
)


def warn_of_implausible_values(model: Model, context: Context) -> None:
    """Report what in a model without errors can hardly be meant."""
    view = View(model, context)
    for check in CHECKS:
        for problem in check(view):
            context.report.add(place_of(problem.cell), problem)
