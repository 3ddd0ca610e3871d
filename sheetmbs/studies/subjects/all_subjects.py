"""Which subject a workbook is."""

from __future__ import annotations

from collections.abc import Sequence

from sheetmbs.studies.subjects.subject import StudySubject
from sheetmbs.study import kind_of_opened
from sheetmbs.workbook.cells.cells import Book


def subject_of(book: Book, cases: Sequence[str] = (), analysis: str | None = None) -> StudySubject:
    """The subject of an open workbook. cases: of the study, none: those of a plain run. analysis: in place of the setting.

    Raises WorkbookError where it cannot be read, or has no such case.
    """
    kind = kind_of_opened(book, analysis)
    if kind == "suspension":
        from sheetmbs.studies.subjects.suspension import SuspensionSubject

        return SuspensionSubject(book, cases)
    if kind == "gait":
        from sheetmbs.studies.subjects.gait import GaitSubject

        return GaitSubject(book, cases)
    from sheetmbs.studies.subjects.general import MechanismSubject

    return MechanismSubject(book, cases, analysis)
