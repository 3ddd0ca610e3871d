"""What a study is of: the cells of its workbook. A journal is kept for as long as these stay what they are."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator

from sheetmbs import __version__
from sheetmbs.formulas.cell_contents import Stored, WrittenBook
from sheetmbs.formulas.formula_references import whole_sheet
from sheetmbs.schema.names import RESULT_SHEETS
from sheetmbs.workbook.cells.cells import Book
from sheetmbs.workbook.cells.written_book import written_book
from sheetmbs.workbook.package.ownership import MARK

OF_STUDIES = f"{RESULT_SHEETS}study"
"""how names of the sheets begin that a study writes"""
FINDS_SHEETS = "indirect("
"""in a formula that finds out later which sheet it reads"""


def study_key(book: Book, analysis: str | None) -> str:
    """Digest of the cells of an open workbook, of the analysis that is asked for and of this version.

    What studies write does not count, nor result sheets that no formula and no name tells of, nor how cells look: a study
    that was stopped has written what there is, and the workbook may have been opened and saved to look at it.
    """
    written = written_book(book)
    found = hashlib.sha256()
    for each in _contents(written, analysis):
        found.update(repr(each).encode())
    return found.hexdigest()


def _contents(written: WrittenBook, analysis: str | None) -> Iterator[object]:
    names = [name for name in written.names if not name.name.startswith(MARK)]
    yield __version__, analysis, written.epoch_1904, names, written.tables
    texts = [each.text.casefold() for each in written.formulas.values()]
    texts += [each.text.casefold() for each in names]
    for name, sheet in written.sheets.items():
        if not _counts(name.casefold(), texts):
            continue
        yield name
        for row, column, value in sheet.within(whole_sheet(name)):
            yield row, column, 0.0 if value is Stored.NOTHING else value  # as which a 0 is read that counts as a guess
    yield from written.formulas.items()


def _counts(name: str, texts: list[str]) -> bool:
    """Whether the cells of a sheet belong to what is studied. name, texts of formulas and names: without upper case."""
    if not name.startswith(RESULT_SHEETS):
        return True
    return not name.startswith(OF_STUDIES) and any(name in text or FINDS_SHEETS in text for text in texts)
