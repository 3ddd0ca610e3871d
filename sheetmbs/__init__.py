"""Multibody analysis in which the spreadsheet is the model.

`read` turns a workbook into a `Model`, `run` analyses it, `Results` holds what was found, and `plot` draws it. Nothing is
imported before it is used, so that the command line answers at once.
"""

from __future__ import annotations

from importlib import import_module

TYPE_CHECKING = False  # typing takes some ms to load, in which nothing of ours could answer Ctrl-C
if TYPE_CHECKING:
    from sheetmbs.all_products import read, run, run_cases, run_gait, run_suspension
    from sheetmbs.analysis.inverse_at import inverse_at
    from sheetmbs.design_study import run_study
    from sheetmbs.model.model import Model
    from sheetmbs.problems.errors import AnalysisError, Problem, SheetmbsError, WorkbookError
    from sheetmbs.results.case_results import CaseResults
    from sheetmbs.results.pictures.drawing import plot
    from sheetmbs.results.results import Results
    from sheetmbs.suspension.variants import VariantStudy

__version__ = "0.2.0"
__all__ = [
    "AnalysisError",
    "CaseResults",
    "Model",
    "Problem",
    "Results",
    "SheetmbsError",
    "VariantStudy",
    "WorkbookError",
    "inverse_at",
    "plot",
    "read",
    "run",
    "run_cases",
    "run_gait",
    "run_study",
    "run_suspension",
]

_HOMES = {
    "AnalysisError": "problems.errors",
    "CaseResults": "results.case_results",
    "Model": "model.model",
    "Problem": "problems.errors",
    "Results": "results.results",
    "SheetmbsError": "problems.errors",
    "VariantStudy": "suspension.variants",
    "WorkbookError": "problems.errors",
    "inverse_at": "analysis.inverse_at",
    "plot": "results.pictures.drawing",
    "read": "all_products",
    "run": "all_products",
    "run_cases": "all_products",
    "run_gait": "all_products",
    "run_study": "design_study",
    "run_suspension": "all_products",
}


if not TYPE_CHECKING:  # a type checker takes any name for one of a module that has this function

    def __getattr__(name: str) -> object:
        if name not in _HOMES:
            raise AttributeError(f"module 'sheetmbs' has no attribute '{name}'")
        return getattr(import_module(f"sheetmbs.{_HOMES[name]}"), name)


def __dir__() -> list[str]:
    return sorted([*__all__, "__version__"])
