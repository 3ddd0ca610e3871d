"""The variants of the sheet Variants, in their order."""

from __future__ import annotations

import numpy as np

from sheetmbs.schema.study_methods import STUDY_METHODS
from sheetmbs.studies.methods.method import ChosenVariants, Evaluate, Method
from sheetmbs.studies.study_book import StudyBook


def _run(study: StudyBook, evaluate: Evaluate) -> ChosenVariants:
    given = np.array([variant.values for variant in study.listed])
    evaluate(np.where(np.isnan(given), study.as_it_is, given))
    return ChosenVariants()


LISTED = Method(STUDY_METHODS["list"], _run, lambda study: len(study.listed))
