"""A workbook that was solved for a page: its document, with variants beside it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from sheetmbs.problems.errors import Problem
from sheetmbs.products.product import Status
from sheetmbs.viewing.one_file import write_page
from sheetmbs.viewing.packed import Json
from sheetmbs.viewing.page_document import problem_document, with_documents_beside


@dataclass(frozen=True)
class WorkbookPage:
    """What a page shows of a workbook. problems: warnings, and why cases failed."""

    document: Json
    status: Status
    problems: Sequence[Problem]

    def write(self, path: Path) -> Path:
        """Write the page into a file. Raises WorkbookError where that cannot be."""
        return write_page(self.document, path)

    def beside(self, others: Mapping[str, Json], values: Json) -> WorkbookPage:
        """With variants drawn beside it. others: their documents by name. values: the section that tells how they differ."""
        document = with_documents_beside(self.document, others)
        cases = [case | {"sections": [values, *case["sections"]]} for case in document["cases"]]
        return replace(self, document=document | {"cases": cases})

    def doubted(self, doubts: Sequence[Problem]) -> WorkbookPage:
        """With further warnings on every tab."""
        told = [problem_document(each) for each in doubts]
        cases = [case | {"problems": [*told, *case["problems"]]} for case in self.document["cases"]]
        return replace(self, document=self.document | {"cases": cases}, problems=[*doubts, *self.problems])
