"""The sheet `mbs Study`: a row for each variant."""

from __future__ import annotations

import numpy as np

from sheetmbs.schema.table import Table, TextColumn
from sheetmbs.studies.study_results import AFTER, BEFORE, StudyResults
from sheetmbs.workbook.sheets.sheet_contents import STUDY

AS_IT_IS = "as it is"
DONE, FAILED = "done", "failed"
BEST, ON_FRONT = "best", "front"
YES, NO = "yes", "no"


def study_table(results: StudyResults) -> Table:
    """The table. A failed variant keeps its values, its responses are blank."""
    study, variants = results.study, results.variants
    count = len(variants)
    columns = (*BEFORE, *(v.name for v in study.variables), *(r.name for r in study.responses), *AFTER)
    units = ("",) * 3, (v.unit for v in study.variables), (r.unit for r in study.responses), ("",) * 3
    nothing = np.full((count, 1), np.nan)
    numbers = np.arange(float(count))[:, np.newaxis]
    values = np.hstack((numbers, nothing, nothing, variants.values, variants.responses, nothing, nothing, nothing))
    marks = dict.fromkeys(results.front, ON_FRONT)
    if results.best is not None:
        marks[results.best] = BEST
    done = variants.done.tolist()
    held = zip(done, results.feasible.tolist(), strict=True)
    texts = {
        "name": TextColumn([variants.names.get(n, "" if n else AS_IT_IS) for n in range(count)]),
        "status": TextColumn([DONE if each else FAILED for each in done], {FAILED: "failed"}),
        "feasible": TextColumn([(YES if holds else NO) if each else "" for each, holds in held], {NO: "not met"}),
        "best": TextColumn([marks.get(n, "") for n in range(count)], {BEST: "met", ON_FRONT: "met"}),
        "message": TextColumn([variants.messages.get(n, "") for n in range(count)], {}),
    }
    last = len(columns) - len(AFTER)
    places = {name: k for k, name in enumerate(BEFORE)} | {name: last + k for k, name in enumerate(AFTER)}
    return Table(
        STUDY,
        columns,
        tuple(unit for group in units for unit in group),
        values,
        texts={places[name]: column for name, column in texts.items()},
        marked=() if results.best is None else (results.best,),
    )
