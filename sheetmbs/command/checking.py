"""Reading a workbook only to find out what is wrong in it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from sheetmbs.command.console import count
from sheetmbs.command.outcome import in_case
from sheetmbs.problems.errors import Problem


def checked(book: Path, case: str | None, *, all_cases: bool) -> tuple[str, str, Sequence[Problem]]:
    """Which part of a workbook was read, what it is, and warnings. Raises WorkbookError."""
    from sheetmbs import study

    which, what, warnings = _checked_model(book, case, all_cases=all_cases)
    if not study.has_study(book):
        return which, what, warnings
    from sheetmbs import design_study

    asked, more = design_study.check_study(book)
    varied, answers = count(len(asked.variables), "variable"), count(len(asked.responses), "response")
    return which, f"{what}; a study by {asked.method} of {varied} and {answers}", (*warnings, *more)


def _checked_model(book: Path, case: str | None, *, all_cases: bool) -> tuple[str, str, Sequence[Problem]]:
    from sheetmbs import gait_study, study, suspension_study

    kind = study.kind_of(book)
    if kind == "gait":
        what, warnings = gait_study.check_gait(book)
        return "", what, warnings
    if kind == "suspension":
        car, warnings = suspension_study.read_suspension_book(book)
        return "", f"; {' and '.join(f'{axle.name} {axle.type.name}' for axle in car.axles)}", warnings
    if all_cases:
        models, warnings = study.read_every_case(book)
        return "", f" in {count(len(models), 'case')}", warnings
    model = study.read(book, case=case)
    parts = (count(len(model.bodies), "body"), count(len(model.joints), "joint"))
    return in_case(model), f"; {', '.join(parts)}, {model.settings.analysis} analysis", model.warnings
