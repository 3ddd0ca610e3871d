"""Studies whose methods need derivatives of the model; they run in this process."""

from __future__ import annotations

from sheetmbs.studies.derived.fit_tyres import fit_tyres
from sheetmbs.studies.derived.fit_workbook import fit_workbook
from sheetmbs.studies.derived.linear_uncertainty import linear_uncertainty
from sheetmbs.studies.methods.method import ChosenVariants, Evaluate
from sheetmbs.studies.solving.variant_solver import VariantSolver


def by_derivatives(solver: VariantSolver, evaluate: Evaluate) -> ChosenVariants:
    """Run such a study: the steps of a fit are variants, and so are the steps of differences. Raises WorkbookError."""
    if solver.study.traits.is_fit:
        found = fit_tyres(solver.study) if solver.study.tyres else fit_workbook(solver)
        evaluate(found.steps[1:])
        return ChosenVariants(fit=found)
    return ChosenVariants(uncertainty=linear_uncertainty(solver, evaluate))
