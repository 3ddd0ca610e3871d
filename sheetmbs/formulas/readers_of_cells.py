"""Which formulas read a cell: those of ranges that hold it are found without looking at every range."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence

from sheetmbs.formulas.cell_contents import Area
from sheetmbs.schema.cell import Place


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
