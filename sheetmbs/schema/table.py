"""Tables: named columns with units over rows, kept as arrays until a data frame is asked for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from sheetmbs.elements.result_column import ResultColumn

if TYPE_CHECKING:
    import pandas as pd


class ColumnTexts(dict[str, str]):
    """A text of each column of a frame, which pandas copies with every column that it hands out.

    A text never changes, so a copy of the dict is a deep copy; Python's own walks through hundreds of texts each time.
    """

    def __deepcopy__(self, _known: dict[int, object]) -> ColumnTexts:
        return ColumnTexts(self)


@dataclass(frozen=True)
class TextColumn:
    """Texts in place of numbers. texts: one a row. looks: how some of them look, by what they say."""

    texts: Sequence[str]
    looks: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Table:
    """One result sheet. columns: names; units: one each; values: (rows, columns), NaN = not known (an empty cell).

    case: to which it belongs where there are several, else "". declared: what each column is, or () where nothing is known.
    printed: numbers of the first and last column of each page of paper; () all columns that are not aside. repeated: how many
    columns stand on every page. texts: columns of texts, by place from 0. marked: numbers of rows that stand out, from 0.
    grouped: numbers of columns that can be folded away, those beside each other together. decimals: how many are shown where
    they tell enough of a number; None as many as six digits need. notes: on headers, by place from 0.
    """

    name: str
    columns: tuple[str, ...]
    units: tuple[str, ...]
    values: NDArray[np.float64]
    case: str = ""
    declared: tuple[ResultColumn, ...] = ()
    printed: tuple[tuple[int, int], ...] = ()
    repeated: int = 1
    texts: Mapping[int, TextColumn] = field(default_factory=dict)
    marked: tuple[int, ...] = ()
    grouped: tuple[int, ...] = ()
    decimals: int | None = None
    notes: Mapping[int, str] = field(default_factory=dict)

    @property
    def rows(self) -> NDArray[np.float64]:
        """The first column, which says what each row is: a time, mostly."""
        return self.values[:, 0]

    @property
    def has_filter(self) -> bool:
        """Whether its rows can be chosen by what they hold: events with texts, and poses, of which there are few."""
        return bool(self.texts or self.printed)

    @cached_property
    def aside(self) -> frozenset[str]:
        """Columns that few readers need, which are not printed."""
        return frozenset(name for name, column in zip(self.columns, self.declared) if column.aside)  # noqa: B905 - or none

    @cached_property
    def meanings(self) -> ColumnTexts:
        """What each column means, in a sentence, of those that are declared."""
        return ColumnTexts((name, column.doc) for name, column in zip(self.columns, self.declared))  # noqa: B905 - or none

    def frame(self) -> pd.DataFrame:
        """The table as a pandas frame, with what columns are in dicts ``attrs["units"]`` and ``attrs["meanings"]``.

        It shares the numbers of the table until something is written into it, which then goes into a copy.
        """
        frame = self._whole.copy(deep=False)
        frame.attrs["units"] = ColumnTexts(zip(self.columns, self.units, strict=True))
        frame.attrs["meanings"] = self.meanings
        return frame

    @cached_property
    def _whole(self) -> pd.DataFrame:
        """Kept, so that pandas knows that the numbers have a second owner."""
        import pandas as pd

        frame = pd.DataFrame(self.values, columns=list(self.columns), copy=False)
        for place, column in self.texts.items():
            frame.isetitem(place, list(column.texts))
        return frame


def over_common_rows(tables: Sequence[Table]) -> list[Table]:
    """The tables with the rows of the first one: of others each row is something else, such as an impact or a mode."""
    return [table for table in tables if np.array_equal(table.rows, tables[0].rows)]
