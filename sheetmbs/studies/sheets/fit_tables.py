"""The sheets `mbs Fit Variables`, `mbs Fit Directions` and `mbs Fit Measurements`: what a fit found, a row each."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from sheetmbs.schema.table import Table, TextColumn
from sheetmbs.studies.fitting.found_fit import FoundFit
from sheetmbs.studies.study_book import Floats, StudyBook
from sheetmbs.workbook.sheets.sheet_contents import FIT_DIRECTIONS, FIT_MEASUREMENTS, FIT_VARIABLES

LOOKS = {"seen": "met", "unseen": "not met"}


def mixed_table(name: str, columns: Sequence[tuple[str, str, Floats | Sequence[str]]]) -> Table:
    """A table of numbers and texts. columns: name, unit and what stands in it, NaN and "" being empty cells."""
    rows = len(columns[0][2])
    numbers = [np.full(rows, np.nan) if _is_text(each) else np.asarray(each, dtype=np.float64) for *_, each in columns]
    texts = {
        place: TextColumn(list(each), LOOKS if head == "verdict" else {})
        for place, (head, _unit, each) in enumerate(columns)
        if _is_text(each)
    }
    heads, units = tuple(head for head, *_ in columns), tuple(unit for _head, unit, _each in columns)
    return Table(name, heads, units, np.column_stack(numbers), texts=texts)


def _is_text(column: Floats | Sequence[str]) -> bool:
    return not isinstance(column, np.ndarray)


def fit_tables(fit: FoundFit, study: StudyBook) -> tuple[Table, ...]:
    """The tables of variables, directions and measurements."""
    return variables_table(fit, study), directions_table(fit, study), measurements_table(fit)


def variables_table(fit: FoundFit, study: StudyBook) -> Table:
    """A row per variable."""
    known, variables = fit.estimate, study.variables
    return mixed_table(
        FIT_VARIABLES,
        (
            ("variable", "", [each.name for each in variables]),
            ("unit", "", [each.unit for each in variables]),
            ("before", "", fit.space.start),
            ("after", "", fit.values),
            ("change", "", fit.values - fit.space.start),
            ("sd", "", known.sd),
            ("low_95", "", known.low_95),
            ("high_95", "", known.high_95),
            ("prior_sd", "", fit.space.prior_sd),
            ("prior_share", "%", 100.0 * known.prior_share),
            ("bound", "", list(fit.bounds)),
            ("note", "", list(fit.notes)),
        ),
    )


def directions_table(fit: FoundFit, study: StudyBook) -> Table:
    """A row per direction, with how each variable moves for one prior standard deviation along it."""
    found = [each.found for each in fit.directions]
    moves = np.array([each.moves for each in fit.directions])
    return mixed_table(
        FIT_DIRECTIONS,
        (
            ("direction", "", np.arange(1.0, len(found) + 1.0)),
            ("verdict", "", [each.verdict for each in found]),
            ("singular_value", "", np.array([each.singular_value for each in found])),
            ("share", "", np.array([each.share for each in found])),
            ("words", "", [each.words for each in fit.directions]),
            *((each.name, each.unit, moves[:, place]) for place, each in enumerate(study.variables)),
        ),
    )


def measurements_table(fit: FoundFit) -> Table:
    """A row per measurement; numbers in the unit of its column."""
    found = fit.measurements

    def column(name: str) -> Floats:
        return np.array([float(getattr(each, name)) for each in found])

    return mixed_table(
        FIT_MEASUREMENTS,
        (
            ("measurement", "", [each.name for each in found]),
            ("n", "", column("n")),
            ("rms_before", "", column("rms_before")),
            ("rms_after", "", column("rms_after")),
            ("rms_over_sd", "", column("rms_over_sd")),
            ("leverage", "", column("leverage")),
            ("left_out", "", column("left_out")),
            ("runs_p", "", column("runs_p")),
            ("unit", "", [each.unit for each in found]),
        ),
    )
