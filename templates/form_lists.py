"""The hidden sheet Lists of a form: what its drop-downs offer, each list under a defined name.

A list of elements follows the sheet on which they stand: it holds no blanks and no comments, grows with the rows, and does not
mind rows that are deleted or moved.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from look import GREY, HEAD
from xlsxwriter.utility import xl_col_to_name

from sheetmbs.workbook.writing.new_workbook import PROBLEM_CELLS, PROBLEMS

NAME = "Lists"


@dataclass
class Lists:
    """The lists of one form. rows: how many rows of a sheet are followed."""

    book: Any
    sheet: Any
    format_of: Any
    rows: int
    _column: int = 0
    _words: dict[tuple[str, ...], str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.sheet.hide()
        self.book.define_name(PROBLEM_CELLS, PROBLEMS)

    def words(self, name: str, words: tuple[str, ...]) -> str:
        """The reference to a list of words; lists of the same words are one."""
        if words not in self._words:
            letter = self._head(name, 1)
            for row, word in enumerate(words, start=1):
                self.sheet.write_string(row, self._column - 1, word, self._plain())
            self.book.define_name(name, f"={NAME}!${letter}$2:${letter}${len(words) + 1}")
            self._words[words] = name
        return f"={self._words[words]}"

    def elements(self, name: str, sources: Sequence[tuple[str, int, Sequence[str]]], first: Sequence[str] = ()) -> None:
        """A list of the names in the first columns of sheets. sources: (sheet, first row, names there now)."""
        entries = [
            (_named(f"INDEX({sheet}!$A:$A,{row})"), there[row - start] if row - start < len(there) else "")
            for sheet, start, there in sources
            for row in range(start, self.rows + 1)
        ]
        self._compact(name, [*((f'="{word}"', word) for word in first), *entries])

    def curves(self, name: str, sheet: str, there: Sequence[str], columns: int) -> None:
        """A list of the curves whose columns <curve>.x stand on a sheet. there: its headers now. columns: to follow."""
        entries = []
        for column in range(1, columns + 1):
            header = f"INDEX({sheet}!$1:$1,{column})"
            stem = f'TRIM(LEFT({header},FIND("[",{header}&"[")-1))'
            now = there[column - 1] if column <= len(there) else ""
            formula = f'=IF(LOWER(RIGHT({stem},2))=".x",LEFT({stem},LEN({stem})-2),"")'
            entries.append((formula, now.removesuffix(".x") if now.endswith(".x") else ""))
        self._compact(name, entries)

    def _compact(self, name: str, entries: Sequence[tuple[str, str]]) -> None:
        """Three columns: every entry, how many are filled up to there, and the filled ones without gaps.

        entries: formula and its value now.
        """
        letter = self._head(name, 3)
        text, count = xl_col_to_name(self._column - 3), xl_col_to_name(self._column - 2)
        last, filled, plain = len(entries) + 1, [value for _formula, value in entries if value], self._plain()
        so_far = 0
        for row, (formula, value) in enumerate(entries, start=2):
            so_far += bool(value)
            self.sheet.write_formula(row - 1, self._column - 3, formula, plain, value)
            counted = f'=N({count}{row - 1})+({text}{row}<>"")'
            self.sheet.write_formula(row - 1, self._column - 2, counted, plain, so_far)
            found = f'=IFERROR(INDEX(${text}$2:${text}${last},MATCH({row - 1},${count}$2:${count}${last},0)),"")'
            held = filled[row - 2] if row - 2 < len(filled) else ""
            self.sheet.write_formula(row - 1, self._column - 1, found, plain, held)
        top = f"{NAME}!${letter}$2"
        how_many = f"MAX(1,{NAME}!${count}${last})"
        self.book.define_name(name, f"={top}:INDEX({NAME}!${letter}$2:${letter}${last},{how_many})")

    def _head(self, name: str, width: int) -> str:
        """The letter of the last of ``width`` new columns, which gets the name as its header."""
        self._column += width
        self.sheet.set_column(self._column - 1, self._column - 1, 24)
        self.sheet.write_string(0, self._column - 1, name, self.format_of(**HEAD))
        return xl_col_to_name(self._column - 1)

    def _plain(self) -> Any:
        return self.format_of(font_color=GREY)


def _named(cell: str) -> str:
    """The text of a cell, blank for a comment."""
    return f'=IF(LEFT({cell},1)="#","",{cell}&"")'
