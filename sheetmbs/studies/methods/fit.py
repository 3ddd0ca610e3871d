"""The fit of measured columns: it works by derivatives of the model, see `studies/derived/fit_workbook.py`."""

from __future__ import annotations

from sheetmbs.schema import study_methods
from sheetmbs.studies.methods.method import Method

FIT = Method(study_methods.FIT, None, lambda study: study.starts)
