"""Which formulas read which cells, and what follows from that over all formulas of a workbook."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping

from sheetmbs.formulas.cell_contents import Area
from sheetmbs.formulas.formula_references import whole_sheet
from sheetmbs.formulas.parsed_formula import ParsedFormula
from sheetmbs.schema.places import Place


class Dependencies:
    """The graph of all formulas. parsed: each at its place. fills: cells that an array formula of another cell fills."""

    def __init__(self, parsed: Mapping[Place, ParsedFormula], fills: Mapping[Place, Place]) -> None:
        self._parsed = parsed
        self._fills = fills
        self._places = _PlacesBySheet([*parsed, *fills])
        self._readers_of_cell: dict[Place, list[Place]] = {}
        self._readers_of_areas: dict[str, dict[Area, list[Place]]] = {}
        for place, formula in parsed.items():
            for area in (*formula.areas, *map(whole_sheet, formula.may_read)):
                self._add(area, place)
        for place, anchor in fills.items():
            self._readers_of_cell.setdefault(anchor, []).append(place)
        self._known: dict[Place, frozenset[Place]] = {}

    def _add(self, area: Area, reader: Place) -> None:
        if area.size == 1:
            self._readers_of_cell.setdefault(Place(area.sheet, area.top, area.left), []).append(reader)
        else:
            self._readers_of_areas.setdefault(area.sheet, {}).setdefault(area, []).append(reader)

    def readers(self, place: Place) -> Iterator[Place]:
        """The formulas that read a cell themselves."""
        yield from self._readers_of_cell.get(place, ())
        for area, readers in self._readers_of_areas.get(place[0], {}).items():
            if area.holds(place):
                yield from readers

    def dependents(self, place: Place) -> frozenset[Place]:
        """All formulas whose values may change with a cell, itself only where they lead back to it."""
        if place not in self._known:
            self._known[place] = frozenset(_reached([place], self.readers))
        return self._known[place]

    def read_formulas(self, place: Place) -> Iterator[Place]:
        """The formulas that a formula reads itself, as far as that is known before it is computed."""
        if place in self._fills:
            yield self._fills[place]
        for area in self._areas(place):
            yield from self._places.within(area)

    def _areas(self, place: Place) -> tuple[Area, ...]:
        formula = self._parsed.get(place)
        return () if formula is None else formula.areas

    def formulas_behind(self, places: Iterable[Place]) -> set[Place]:
        """Those of these places that are formulas, and all formulas that these read."""
        return self._behind(places)[0]

    def areas_behind(self, place: Place) -> dict[Area, None]:
        """Every range that a formula reads, itself or through others; all of a sheet of which it may read any cell."""
        formulas, areas = self._behind([place])
        parsed = [self._parsed[each] for each in formulas if each in self._parsed]
        return areas | {whole_sheet(sheet): None for formula in parsed for sheet in formula.may_read}

    def _behind(self, places: Iterable[Place]) -> tuple[set[Place], dict[Area, None]]:
        found = {place for place in places if place in self._parsed or place in self._fills}
        areas: dict[Area, None] = {}
        ahead = list(found)
        while ahead:
            place = ahead.pop()
            new = [self._fills[place]] if place in self._fills else []
            for area in self._areas(place):
                if area not in areas:
                    areas[area] = None
                    new += self._places.within(area)
            ahead += {each for each in new if each not in found}
            found.update(new)
        return found, areas


def _reached(starts: Iterable[Place], steps: Callable[[Place], Iterable[Place]]) -> set[Place]:
    """All places to which steps lead; a start only where steps lead back to it."""
    found: set[Place] = set()
    ahead = list(starts)
    while ahead:
        for place in steps(ahead.pop()):
            if place not in found:
                found.add(place)
                ahead.append(place)
    return found


class _PlacesBySheet:
    """Places in order, to find those in a range."""

    def __init__(self, places: Iterable[Place]) -> None:
        self._by_column: dict[str, dict[int, list[int]]] = {}
        for sheet, row, column in places:
            self._by_column.setdefault(sheet, {}).setdefault(column, []).append(row)
        for columns in self._by_column.values():
            for rows in columns.values():
                rows.sort()

    def within(self, area: Area) -> Iterator[Place]:
        columns = self._by_column.get(area.sheet, {})
        wanted = range(area.left, area.right + 1)
        for column in wanted if len(wanted) < len(columns) else [each for each in columns if each in wanted]:
            rows = columns.get(column, [])
            for row in rows[bisect_left(rows, area.top) : bisect_right(rows, area.bottom)]:
                yield Place(area.sheet, row, column)
