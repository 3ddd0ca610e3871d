"""Whether a whole model can be meant: slips that break no rule of the format, each told as a warning at its cell.

A check is a function from what is looked at to its warnings, and one line in `CHECKS`. None may speak of a correct model: what
is only unusual passes.
"""

from __future__ import annotations

from sheetmbs.model import Model
from sheetmbs.workbook.reading.context import Context
from sheetmbs.workbook.reading.plausible.doubtful_bodies import forgotten_bodies, inertias
from sheetmbs.workbook.reading.plausible.doubtful_gravity import large_gravity
from sheetmbs.workbook.reading.plausible.doubtful_loads import far_loads
from sheetmbs.workbook.reading.plausible.doubtful_mirror import mirror_images
from sheetmbs.workbook.reading.plausible.doubtful_noise import noisy_motion
from sheetmbs.workbook.reading.plausible.doubtful_places import far_places
from sheetmbs.workbook.reading.plausible.doubtful_springs import negative_damping, strained_springs, unlikely_numbers
from sheetmbs.workbook.reading.plausible.doubtful_teeth import unplaced_teeth
from sheetmbs.workbook.reading.plausible.doubtful_view import View
from sheetmbs.workbook.reading.problem_list import place_of

CHECKS = (
    large_gravity,
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


def doubt_model(model: Model, context: Context) -> None:
    """Report what in a model without errors can hardly be meant."""
    view = View(model, context)
    for check in CHECKS:
        for problem in check(view):
            context.report.add(place_of(problem.cell), problem)
