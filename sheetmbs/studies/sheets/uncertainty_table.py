"""The sheet `mbs Uncertainty`: responses with the standard deviation that those of the variables give them."""

from __future__ import annotations

import numpy as np

from sheetmbs.schema.table import Table
from sheetmbs.studies.fitting.found_uncertainty import FoundUncertainty
from sheetmbs.studies.sheets.fit_tables import mixed_table
from sheetmbs.studies.study_book import StudyBook
from sheetmbs.workbook.sheets.sheet_contents import UNCERTAINTY


def uncertainty_table(found: FoundUncertainty, study: StudyBook) -> Table:
    """A row per response; shares of its variance by variable."""
    return mixed_table(
        UNCERTAINTY,
        (
            ("response", "", [each.name for each in study.responses]),
            ("value", "", found.values),
            ("sd", "", found.sd),
            ("curvature", "%", 100.0 * found.curvature),
            ("note", "", list(found.notes)),
            *((each.name, "%", 100.0 * found.shares[:, place]) for place, each in enumerate(study.variables)),
            ("unit", "", [each.unit for each in study.responses]),
        ),
    )


def uncertainty_answer(found: FoundUncertainty, study: StudyBook) -> list[str]:
    """A sentence per response."""
    told = []
    for place, response in enumerate(study.responses):
        value, sd = found.values[place], found.sd[place]
        if not np.isfinite(sd):
            told.append(f"{response.name}: {found.notes[place]}.")
            continue
        shares = found.shares[place]
        most = "" if not np.isfinite(shares).any() else _most(study, shares)
        note = f"; {found.notes[place]}" if found.notes[place] else ""
        spread = f"{response.name} is {value:.5g} with a standard deviation of {sd:.3g} {response.unit}".rstrip()
        told.append(f"{spread}{most}{note}.")
    return told


def _most(study: StudyBook, shares: np.ndarray) -> str:
    place = int(np.nanargmax(shares))
    return f", of whose square {100.0 * shares[place]:.0f} % come from {study.variables[place].name}"
