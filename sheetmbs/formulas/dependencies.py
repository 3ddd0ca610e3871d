"""Which formulas read which cells, and what follows from that over all formulas of a workbook.

Every search takes time in proportion to the formulas and ranges that it finds, however many cells lie in how many of these
ranges: a range is looked at once, and a cell is found once.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property

from sheetmbs.formulas.cell_contents import Area
from sheetmbs.formulas.formula_references import whole_sheet
from sheetmbs.formulas.ordered_places import OrderedPlaces, UntakenPlaces
from sheetmbs.formulas.parsed_formula import ParsedFormula
from sheetmbs.formulas.readers_of_cells import ReadersOfCells, SearchForReaders
from sheetmbs.schema.cell import Place


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
