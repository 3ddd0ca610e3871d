"""What the cells of a workbook hold, as formulas see it: values, formulas, names and tables."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import Enum
from typing import NamedTuple, Protocol

from sheetmbs.schema.cell import Place


@dataclass(frozen=True, slots=True)
class ErrorValue:
    """An error in place of a value, as a spreadsheet shows it: ``#DIV/0!``."""

    name: str


class Stored(Enum):
    """What stands for the value of a formula that is not in the file."""

    NOTHING = "nothing"


Value = float | str | bool | ErrorValue | None
"""of a cell; None is an empty one, a date is its serial number"""


def as_value(stored: Value | Stored) -> Value:
    """What stands in a cell without a formula."""
    return None if stored is Stored.NOTHING else stored


class Area(NamedTuple):
    """A range of cells; rows and columns from 1, all included."""

    sheet: str
    top: int
    left: int
    bottom: int
    right: int

    def holds(self, place: Place) -> bool:
        """Whether a cell lies in it."""
        is_in_rows = self.top <= place[1] <= self.bottom
        return is_in_rows and self.left <= place[2] <= self.right and self.sheet == place[0]

    @property
    def size(self) -> int:
        """How many cells it has."""
        return (self.bottom - self.top + 1) * (self.right - self.left + 1)


class ValuesOfSheet(Protocol):
    """The values of a sheet, those of formulas as they are in the file."""

    def at(self, row: int, column: int) -> Value | Stored:
        """The value of one cell."""
        ...

    def within(self, area: Area) -> Iterator[tuple[int, int, Value | Stored]]:
        """Row, column and value of every cell of a range that holds something."""
        ...


@dataclass(frozen=True, slots=True)
class WrittenFormula:
    """A formula as it stands in a cell, without the equals sign.

    array: the cells that an array formula fills. fills: the cell of the array formula that fills this one; the text is empty
    then. is_data_table: it is a what-if table of Excel, which has no text. fills_too_many: an array formula that
    would fill more cells than a workbook may have so; the text is empty.
    """

    text: str
    array: Area | None = None
    fills: Place | None = None
    is_data_table: bool = False
    fills_too_many: bool = False


@dataclass(frozen=True, slots=True)
class DefinedName:
    """A name that the workbook, or one sheet of it, defines, and what it stands for."""

    name: str
    text: str
    sheet: str | None = None


@dataclass(frozen=True, slots=True)
class WrittenTable:
    """A table of a sheet, to whose columns formulas can refer."""

    name: str
    area: Area
    headers: tuple[str, ...]
    has_header_row: bool = True
    has_totals_row: bool = False


@dataclass(frozen=True)
class WrittenBook:
    """All that formulas of a workbook need to know of it. sheets: by name, in the order of the tabs.

    zeros_are_guesses: a stored 0 of a formula may be no result, for all formulas are to be computed when it is opened.
    """

    sheets: Mapping[str, ValuesOfSheet]
    formulas: Mapping[Place, WrittenFormula]
    names: tuple[DefinedName, ...] = ()
    tables: tuple[WrittenTable, ...] = ()
    epoch_1904: bool = False
    zeros_are_guesses: bool = False

    def stored(self, place: Place) -> Value | Stored:
        """The value of a cell as it is in the file."""
        value = self.sheets[place.sheet].at(place.row, place.column)
        is_nothing = value is None or (value == 0.0 and self.zeros_are_guesses)
        return Stored.NOTHING if is_nothing and place in self.formulas else value


def united(areas: Iterable[Area]) -> list[Area]:
    """Fewer ranges with the same cells: those that lie one below or beside the other, or overlap so, become one.

    Formulas of running sums read ranges of 1, 2, 3 .. cells: looking at each would take the square of their number.
    """
    below = _joined(areas, lambda area: (area.sheet, area.left, area.right), "top", "bottom")
    return _joined(below, lambda area: (area.sheet, area.top, area.bottom), "left", "right")


def _joined(areas: Iterable[Area], sides: Callable[[Area], object], first: str, last: str) -> list[Area]:
    """Join ranges with the same two sides along the other direction."""
    groups: dict[object, list[Area]] = {}
    for area in dict.fromkeys(areas):
        groups.setdefault(sides(area), []).append(area)
    found = []
    for group in groups.values():
        group.sort(key=lambda area: int(getattr(area, first)))
        whole = group[0]
        for area in group[1:]:
            if getattr(area, first) <= getattr(whole, last) + 1:
                whole = whole._replace(**{last: max(getattr(whole, last), getattr(area, last))})
            else:
                found.append(whole)
                whole = area
        found.append(whole)
    return found
