"""Cells in the order of their columns and rows, to find those in a range without looking at all of it."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Container, Iterable, Iterator
from typing import TypeVar

from sheetmbs.formulas.cell_contents import Area
from sheetmbs.schema.cell import Place

Rows = TypeVar("Rows")


class OrderedPlaces:
    """Some cells, by sheet and column."""

    def __init__(self, places: Iterable[Place]) -> None:
        self.by_column: dict[str, dict[int, list[int]]] = {}
        for sheet, row, column in places:
            self.by_column.setdefault(sheet, {}).setdefault(column, []).append(row)
        for columns in self.by_column.values():
            for rows in columns.values():
                rows.sort()

    def first_within(self, area: Area) -> Place | None:
        """One of these cells in a range, or None."""
        for column, rows in _columns_within(self.by_column.get(area.sheet, {}), area):
            at = bisect_left(rows, area.top)
            if at < len(rows) and rows[at] <= area.bottom:
                return Place(area.sheet, rows[at], column)
        return None


class UntakenPlaces:
    """The cells of some places that nobody has taken yet: each is given once, and finding none costs little."""

    def __init__(self, places: OrderedPlaces, all_places: Container[Place]) -> None:
        self._all = all_places
        self._taken: set[Place] = set()
        self._columns = {
            sheet: {column: (rows, list(range(len(rows) + 1))) for column, rows in columns.items()}
            for sheet, columns in places.by_column.items()
        }

    def take_one(self, place: Place) -> bool:
        """Whether a cell is one of these and was not taken before."""
        if place in self._taken or place not in self._all:
            return False
        self._taken.add(place)
        return True

    def take(self, area: Area) -> Iterator[Place]:
        """The cells of a range that were not taken before."""
        if area.size == 1:
            only = Place(area.sheet, area.top, area.left)
            if self.take_one(only):
                yield only
            return
        columns = self._columns.get(area.sheet, {})
        done = []
        for column, (rows, following) in _columns_within(columns, area):
            at, end = _root(following, bisect_left(rows, area.top)), bisect_right(rows, area.bottom)
            while at < end:
                following[at] = at + 1
                place = Place(area.sheet, rows[at], column)
                if self.take_one(place):
                    yield place
                at = _root(following, at)
            if _root(following, 0) == len(rows):
                done.append(column)
        for column in done:
            columns.pop(column, None)


def _columns_within(columns: dict[int, Rows], area: Area) -> list[tuple[int, Rows]]:
    wanted = range(area.left, area.right + 1)
    found = wanted if len(wanted) < len(columns) else sorted(each for each in columns if each in wanted)
    return [(column, columns[column]) for column in found if column in columns]


def _root(following: list[int], at: int) -> int:
    """The first place from one on that is not taken; the way there is shortened (union by path halving)."""
    while following[at] != at:
        following[at] = following[following[at]]
        at = following[at]
    return at
