"""Which formulas read which cells, and what follows from that over all formulas of a workbook.

Every search takes time in proportion to the formulas and ranges that it finds, however many cells lie in how many of these
ranges: a range is looked at once, and a cell is found once. Cells stand in the order of their columns and rows, so that those
in a range are found without looking at all of it; the formulas that read a cell are found without looking at every range.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import TypeVar

from sheetmbs.formulas.cell_contents import Area
from sheetmbs.formulas.formula_references import whole_sheet
from sheetmbs.formulas.parsed_formula import ParsedFormula
from sheetmbs.schema.cell import Place

Rows = TypeVar("Rows")


class _Stack:
    """Ranges with the same two sides, sorted by their beginnings, with a tree of their ends (a segment tree of maxima)."""

    def __init__(self, spans: Sequence[tuple[int, int, Area]]) -> None:
        ordered = sorted(spans)
        self.firsts = [first for first, _last, _area in ordered]
        self.areas = [area for _first, _last, area in ordered]
        self.leaves = 1 << max(len(ordered) - 1, 0).bit_length()
        ends = [last for _first, last, _area in ordered]
        self.ends = [0] * self.leaves + ends + [0] * (self.leaves - len(ends))
        for node in range(self.leaves - 1, 0, -1):
            self.ends[node] = max(self.ends[2 * node], self.ends[2 * node + 1])


class _Taking:
    """A stack of ranges, each of which is given once."""

    def __init__(self, stack: _Stack) -> None:
        self._stack = stack
        self._ends = list(stack.ends)

    def take(self, at: int) -> Iterator[Area]:
        """The ranges that hold a row, or a column, and were not taken before."""
        ends, leaves = self._ends, self._stack.leaves
        before = bisect_right(self._stack.firsts, at)
        ahead = [(1, 0, leaves)]
        while ahead:
            node, begin, end = ahead.pop()
            if begin >= before or ends[node] < at:
                continue
            if node < leaves:
                middle = (begin + end) // 2
                ahead += [(2 * node + 1, middle, end), (2 * node, begin, middle)]
                continue
            yield self._stack.areas[begin]
            ends[node] = 0
            while node > 1:
                node //= 2
                ends[node] = max(ends[2 * node], ends[2 * node + 1])


class _RangesOfSheet:
    """All ranges of a sheet, in stacks: by their columns or by their rows, whichever gives fewer stacks."""

    def __init__(self, areas: Sequence[Area]) -> None:
        by_columns: dict[tuple[int, int], list[tuple[int, int, Area]]] = {}
        by_rows: dict[tuple[int, int], list[tuple[int, int, Area]]] = {}
        for area in areas:
            by_columns.setdefault((area.left, area.right), []).append((area.top, area.bottom, area))
            by_rows.setdefault((area.top, area.bottom), []).append((area.left, area.right, area))
        self.is_by_columns = len(by_columns) <= len(by_rows)
        chosen = by_columns if self.is_by_columns else by_rows
        self.stacks = {sides: _Stack(spans) for sides, spans in chosen.items()}


class ReadersOfCells:
    """The formulas that read single cells and ranges. readers: of each range."""

    def __init__(self, readers: Mapping[Area, Sequence[Place]]) -> None:
        self._of_cell: dict[Place, Sequence[Place]] = {}
        self._of_range: dict[Area, Sequence[Place]] = {}
        for area, places in readers.items():
            if area.size == 1:
                self._of_cell[Place(area.sheet, area.top, area.left)] = places
            else:
                self._of_range[area] = places
        of_sheet: dict[str, list[Area]] = {}
        for area in self._of_range:
            of_sheet.setdefault(area.sheet, []).append(area)
        self._sheets = {sheet: _RangesOfSheet(areas) for sheet, areas in of_sheet.items()}

    def search(self) -> SearchForReaders:
        """Begin a search from cells to their readers."""
        return SearchForReaders(self._of_cell, self._of_range, self._sheets)


class SearchForReaders:
    """A search from cells to all formulas that follow from them; what was found once is not found again."""

    def __init__(
        self,
        of_cell: Mapping[Place, Sequence[Place]],
        of_range: Mapping[Area, Sequence[Place]],
        sheets: Mapping[str, _RangesOfSheet],
    ) -> None:
        self._of_cell = of_cell
        self._of_range = of_range
        self._sheets = sheets
        self._stacks = {sheet: {at: _Taking(each) for at, each in of.stacks.items()} for sheet, of in sheets.items()}
        self._across: dict[tuple[str, int], list[_Taking]] = {}
        self.found: set[Place] = set()

    def reach(self, starts: Sequence[Place]) -> list[Place]:
        """All formulas that follow from some cells, without those that an earlier call has found."""
        new: list[Place] = []
        ahead = list(starts)
        while ahead:
            for readers in self._readers(ahead.pop()):
                for place in readers:
                    if place not in self.found:
                        self.found.add(place)
                        new.append(place)
                        ahead.append(place)
        return new

    def _readers(self, place: Place) -> Iterator[Sequence[Place]]:
        """The readers of a cell: of each range that holds it, unless a cell before was in that range too."""
        yield self._of_cell.get(place, ())
        if place.sheet not in self._sheets:
            return
        is_by_columns = self._sheets[place.sheet].is_by_columns
        across, along = (place.column, place.row) if is_by_columns else (place.row, place.column)
        key = place.sheet, across
        if key not in self._across:
            stacks = self._stacks[place.sheet]
            self._across[key] = [stack for (first, last), stack in stacks.items() if first <= across <= last]
        for stack in self._across[key]:
            for area in stack.take(along):
                yield self._of_range[area]


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


class Dependencies:
    """The graph of all formulas. parsed: each at its place. fills: cells that an array formula of another cell fills."""

    def __init__(self, parsed: Mapping[Place, ParsedFormula], fills: Mapping[Place, Place]) -> None:
        self._parsed = parsed
        self._fills = fills
        self._all = {*parsed, *fills}
        self._places = OrderedPlaces(self._all)

    @cached_property
    def _readers(self) -> ReadersOfCells:
        readers: dict[Area, list[Place]] = {}
        for place, formula in self._parsed.items():
            for area in (*formula.areas, *map(whole_sheet, formula.may_read)):
                readers.setdefault(area, []).append(place)
        for place, anchor in self._fills.items():
            readers.setdefault(_cell(anchor), []).append(place)
        return ReadersOfCells(readers)

    def search(self) -> SearchForReaders:
        """Begin a search from cells to the formulas whose values may change with them."""
        return self._readers.search()

    def dependents(self, places: Iterable[Place]) -> frozenset[Place]:
        """All formulas whose values may change with some cells, these cells only where a way leads back to them."""
        return frozenset(self.search().reach(list(places)))

    def reads_any(self, place: Place, some: OrderedPlaces) -> Place | None:
        """One of some cells that a formula reads itself, as far as that is known before it is computed, or None."""
        for area in self._areas(place):
            found = some.first_within(area)
            if found is not None:
                return found
        return None

    def _areas(self, place: Place) -> tuple[Area, ...]:
        """The ranges that a formula reads itself; of a cell that an array formula fills, the cell of that formula."""
        if place in self._fills:
            return (_cell(self._fills[place]),)
        formula = self._parsed.get(place)
        return () if formula is None else formula.areas

    def untaken(self) -> UntakenPlaces:
        """All formulas, none of them found yet."""
        return UntakenPlaces(self._places, self._all)

    def formulas_behind(self, places: Iterable[Place], untaken: UntakenPlaces | None = None) -> list[Place]:
        """Find the formulas among these places and all formulas that they read. untaken: only those not found before."""
        return self._finished(places, {}, self.untaken() if untaken is None else untaken)

    def areas_behind(self, place: Place) -> dict[Area, None]:
        """Every range that a formula reads, itself or through others; all of a sheet of which it may read any cell."""
        areas: dict[Area, None] = {}
        formulas = self._finished([place], areas, self.untaken())
        parsed = [self._parsed[each] for each in formulas if each in self._parsed]
        return areas | {whole_sheet(sheet): None for formula in parsed for sheet in formula.may_read}

    def in_order(self) -> list[Place]:
        """All formulas, each behind those that it reads, but for those that lead back to themselves."""
        return [place for place in self._finished(self._all, {}, self.untaken()) if place in self._parsed]

    def _finished(self, places: Iterable[Place], areas: dict[Area, None], untaken: UntakenPlaces) -> list[Place]:
        """Formulas and all that they read, each behind what it reads (a search in depth, in the order of its ends).

        areas: is given every range that they read.
        """
        finished: list[Place] = []
        for start in places:
            open_ones = [(start, self._unread(start, untaken, areas))] if untaken.take_one(start) else []
            while open_ones:
                place, unread = open_ones[-1]
                following = next(unread, None)
                if following is None:
                    finished.append(place)
                    open_ones.pop()
                else:
                    open_ones.append((following, self._unread(following, untaken, areas)))
        return finished

    def _unread(self, place: Place, untaken: UntakenPlaces, areas: dict[Area, None]) -> Iterator[Place]:
        """The formulas that a formula reads and that were not found yet."""
        for area in self._areas(place):
            if place not in self._fills:
                areas.setdefault(area)
            yield from untaken.take(area)

    def circle(self, start: Place, circular: OrderedPlaces) -> list[Place]:
        """Formulas that read each other in a circle: one to which a walk from a circular formula along such formulas leads.

        circular: all formulas whose value is the error of a circle.
        """
        at: dict[Place, int] = {}
        place: Place | None = start
        while place is not None and place not in at:
            at[place] = len(at)
            place = self.reads_any(place, circular)
        return [] if place is None else list(at)[at[place] :]


def _cell(place: Place) -> Area:
    return Area(place.sheet, place.row, place.column, place.row, place.column)
