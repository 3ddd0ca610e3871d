"""A workbook run for a page: whatever it holds, its document."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal

from sheetmbs.problems.errors import Problem, WorkbookError
from sheetmbs.results.case_results import CaseResults
from sheetmbs.schema.names import did_you_mean
from sheetmbs.viewing.one_file import write_page
from sheetmbs.viewing.packed import Json
from sheetmbs.viewing.page_document import page_document, problem_document, with_documents_beside


@dataclass(frozen=True)
class Viewed:
    """What a page shows of a workbook. problems: warnings, and why cases failed."""

    document: Json
    status: Literal["done", "failed"]
    problems: Sequence[Problem]

    def write(self, path: Path) -> Path:
        """Write the page into a file. Raises WorkbookError where that cannot be."""
        return write_page(self.document, path)

    def beside(self, others: Mapping[str, Json], values: Json) -> Viewed:
        """With variants drawn beside it. others: their documents by name. values: the section that tells how they differ."""
        document = with_documents_beside(self.document, others)
        cases = [case | {"sections": [values, *case["sections"]]} for case in document["cases"]]
        return replace(self, document=document | {"cases": cases})

    def doubted(self, doubts: Sequence[Problem]) -> Viewed:
        """With further warnings on every tab."""
        told = [problem_document(each) for each in doubts]
        cases = [case | {"problems": [*told, *case["problems"]]} for case in self.document["cases"]]
        return replace(self, document=self.document | {"cases": cases}, problems=[*doubts, *self.problems])


@dataclass(frozen=True)
class Analysed:
    """Results of a workbook of some kind. results: as the runs of that kind give them. case: the one to show first, or None."""

    kind: Literal["model", "suspension", "gait"]
    results: Any
    case: str | None

    @property
    def problems(self) -> Sequence[Problem]:
        """Warnings, and why cases failed."""
        problems: Sequence[Problem] = (
            self.results.problems if isinstance(self.results, CaseResults) else self.results.sheets.problems
        )
        return problems

    def viewed(self) -> Viewed:
        """What a page shows of it. Raises WorkbookError where there is no such sweep or trial."""
        document = self._document(self.case)
        if self.case is not None and not document["cases"]:
            names = [each["name"] for each in self._document(None)["cases"] if each["name"]]
            mend = did_you_mean(self.case, names, f"name one of {', '.join(names)}" if names else "name none")
            raise WorkbookError(
                Problem(
                    "unknown-case",
                    "error",
                    "",
                    f"the case '{self.case}'",
                    "there is no sweep or trial of that name",
                    mend,
                )
            )
        return Viewed(document, self.results.status, self.problems)

    def _document(self, case: str | None) -> Json:
        if self.kind == "suspension":
            from sheetmbs.viewing.swept_designs import suspension_document

            return suspension_document(self.results, case=case)
        if self.kind == "gait":
            from sheetmbs.viewing.walking_bodies import gait_document

            return gait_document(self.results, case=case)
        return page_document(self.results, case=case)
