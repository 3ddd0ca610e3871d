"""What cells of a suspension move: coordinates of hardpoints, and numbers of elastic parts."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial

import numpy as np

from sheetmbs.engine.records import Floats
from sheetmbs.products.varied_workbook import CellAt, ColumnPoints
from sheetmbs.schema.compliance_inputs import COMPLIANCE
from sheetmbs.suspension.kinematics.posed_variants import NoVariantsError
from sheetmbs.suspension.layout.car import CarData
from sheetmbs.suspension.layout.elastic_parts import ElasticPart
from sheetmbs.suspension.read_design import KnownDesigns, ReadDesign
from sheetmbs.suspension.solved_design import SolvedDesign, WantedCases, solve_designs
from sheetmbs.suspension.suspension_results import read_wanted
from sheetmbs.workbook.cells.cell_places import place_of_cell
from sheetmbs.workbook.cells.cells import Book, with_cells

Read = Callable[[Book], tuple[ReadDesign, ...]]
AXES = "xyz"
IN_PROPORTION = 1e-9
"""of a number, by which it may differ from being proportional to its cell"""

Moves = dict[tuple[str, str], Floats]
"""(3,) m that a left point of an axle moves per unit of a cell"""


def point_moves(book: Book, car: CarData, cells: Sequence[CellAt], read: Read) -> list[Moves]:
    """What each cell moves, from three readings: all cells of a column changed together, which move points of their own."""
    by_row = {point.cell: (axle.name, name) for axle in car.axles for name, point in axle.points["left"].items()}
    rows = {_row(cell): owner for cell, owner in by_row.items()}
    numbers = cell_numbers(book, cells)
    found: list[Moves] = [{} for _cell in cells]
    for column in sorted({_letters(cell) for cell in cells}):
        chosen = [number for number, cell in enumerate(cells) if _letters(cell) == column]
        changed = with_cells(book, {cells[number]: float(numbers[number] + 1.0) for number in chosen})
        moved = read(changed)[0].car
        for number in chosen:
            owner = rows.get(_row("!".join(cells[number])))
            if owner is None:
                raise NoVariantsError(f"{'!'.join(cells[number])} is no coordinate of a left point")
            axle, point = owner
            before, after = (_place(each, axle, point) for each in (car, moved))
            found[number][axle, point] = after - before
    return found


def _place(car: CarData, axle: str, point: str) -> Floats:
    own = next(each for each in car.axles if each.name == axle)
    return np.asarray(own.points["left"][point].position)


def _row(cell: str) -> tuple[str, str]:
    sheet, _, address = cell.rpartition("!")
    return sheet.casefold(), "".join(filter(str.isdigit, address))


def _letters(cell: CellAt) -> str:
    return "".join(filter(str.isalpha, cell[1]))


def cell_numbers(book: Book, cells: Sequence[CellAt]) -> Floats:
    """(cells,) numbers in the cells."""
    found = []
    for at in cells:
        place = place_of_cell(at)
        cell = book.sheets[place.sheet].rows.get(place.row, {}).get(place.column)
        if cell is None or isinstance(cell.value, str):
            raise NoVariantsError(f"{'!'.join(at)} holds no number")
        found.append(float(cell.value))
    return np.array(found)


PartNumber = tuple[str, int, str]
"""axle, place among its elastic parts, and column of a number"""


def part_numbers(book: Book, car: CarData, cells: Sequence[CellAt], read: Read) -> list[list[PartNumber]]:
    """Numbers of elastic parts that are proportional to each cell, from two readings with all cells at other values.

    Raises NoVariantsError where cells do something else.
    """
    if not cells:
        return []
    numbers = cell_numbers(book, cells)
    factors = 1.0 + 0.5 * np.arange(1, len(cells) + 1) / len(
        cells
    )  # each cell has its own, by which its numbers are known
    found: list[list[PartNumber]] = [[] for _cell in cells]
    changed = read(with_cells(book, {cell: float(x) for cell, x in zip(cells, numbers * factors, strict=True)}))[0].car
    for axle, other in zip(car.axles, changed.axles, strict=True):
        for place, (part, now) in enumerate(zip(axle.elastic, other.elastic, strict=True)):
            for column, value in part.numbers.items():
                if now.numbers[column] == value:
                    continue
                ratio = now.numbers[column] / value if value else np.inf
                which = np.flatnonzero(np.abs(factors / ratio - 1.0) < IN_PROPORTION)
                if not len(which):
                    raise NoVariantsError(f"{column} of {part.name} is not proportional to one cell")
                found[int(which[0])].append((axle.name, place, column))
    for cell, own in zip(cells, found, strict=True):
        if not own:
            raise NoVariantsError(f"{'!'.join(cell)} is no stiffness of an elastic part")
    return found


class VariedDesign:
    """The first design of a workbook, some cells of which are varied, ready to be posed through some of its sweeps.

    cells: what is varied; points: columns that will be asked for, of these sweeps.
    """

    def __init__(self, book: Book, cells: Sequence[CellAt], points: Sequence[ColumnPoints]) -> None:
        self.cells, self.cases = tuple(cells), frozenset(each.case for each in points)
        wanted = WantedCases(self.cases, loads=False, handling=False, poses=False)
        self._book, self._read = book, partial(read_wanted, wanted=wanted, known=KnownDesigns())
        self.solved: SolvedDesign = solve_designs(self._read(book), wanted)[0]
        if self.solved.heights:
            raise NoVariantsError("the car does not stand at design")

    @cached_property
    def moves(self) -> list[Moves]:
        """What each cell moves. Raises NoVariantsError where some are no coordinates."""
        return point_moves(self._book, self.solved.car, self.cells, self._read)

    @cached_property
    def varied(self) -> VariedCells:
        """The cells, of hardpoints and of elastic parts. Raises NoVariantsError where some are something else."""
        return VariedCells(self._book, self.solved.car, self.cells, self._read)

    @cached_property
    def start(self) -> Floats:
        """(cells,) numbers in the cells."""
        return cell_numbers(self._book, self.cells)


class VariedCells:
    """Cells of the sheets Hardpoints and Compliance, and what they move. Raises NoVariantsError of other ones."""

    def __init__(self, book: Book, car: CarData, cells: Sequence[CellAt], read: Read) -> None:
        self.start = cell_numbers(book, cells)
        soft = [k for k, (sheet, _address) in enumerate(cells) if sheet.casefold() == COMPLIANCE.name.casefold()]
        points = [k for k in range(len(cells)) if k not in soft]
        moves = point_moves(book, car, [cells[k] for k in points], read) if points else []
        self._moves = dict(zip(points, moves, strict=True))
        self._numbers = dict(zip(soft, part_numbers(book, car, [cells[k] for k in soft], read), strict=True))

    def of_axle(self, axle: str) -> VariedAxle:
        """What cells move of an axle."""
        moves = {
            cell: {point: move for (name, point), move in own.items() if name == axle}
            for cell, own in self._moves.items()
        }
        numbers = {
            cell: [(place, column) for name, place, column in own if name == axle]
            for cell, own in self._numbers.items()
        }
        return VariedAxle(self.start, {k: m for k, m in moves.items() if m}, {k: n for k, n in numbers.items() if n})


@dataclass(frozen=True, eq=False)
class VariedAxle:
    """What cells move of an axle. start: (cells,) their numbers in the file.

    moves: by cell, m that each point of the left side moves per unit; numbers: by cell, elastic parts and columns that are
    proportional to it.
    """

    start: Floats
    moves: Mapping[int, Mapping[str, Floats]]
    numbers: Mapping[int, Sequence[tuple[int, str]]]

    @property
    def moving(self) -> list[int]:
        """Numbers of the cells that move anything."""
        return sorted({*self.moves, *self.numbers})

    @property
    def coordinates(self) -> list[str]:
        """Coordinates of the points that cells move."""
        points = dict.fromkeys(point for own in self.moves.values() for point in own)
        return [f"{point}.{along}" for point in points for along in AXES]

    def drawn(self, values: Floats, as_drawn: Floats) -> Floats:
        """(coordinates,) of these points where the cells hold values (cells,). as_drawn: as the workbook is."""
        place = {name: number for number, name in enumerate(self.coordinates)}
        found = as_drawn.copy()
        for cell, own in self.moves.items():
            for point, move in own.items():
                found[[place[f"{point}.{along}"] for along in AXES]] += (values[cell] - self.start[cell]) * move
        return found

    def parts(
        self, values: Floats, parts: Sequence[ElasticPart], like: Sequence[ElasticPart] = ()
    ) -> tuple[ElasticPart, ...]:
        """Elastic parts where the cells hold values (cells,). like: others of them, which stand for those that are the same.

        Raises ValueError of a stiffness that is not positive.
        """
        found = list(parts)
        for cell, own in self.numbers.items():
            factor = values[cell] / self.start[cell]
            if not factor > 0.0:
                place, column = own[0]
                raise ValueError(
                    f"{column} of {parts[place].name} would be {values[cell]:g}, and a stiffness is positive"
                )
            for place, column in own:
                part = found[place]
                numbers = {**part.numbers, column: parts[place].numbers[column] * factor}
                found[place] = replace(part, numbers=numbers)
        return tuple(
            other if other.numbers == part.numbers else part for part, other in zip(found, like or found, strict=True)
        )

    def steps(self, values: Floats, length: float, share: float) -> Floats:
        """(cells,) steps of the cells: those that move points by a length, m, those of stiffnesses by a share of them."""
        found = share * np.abs(values)
        for cell, own in self.moves.items():
            found[cell] = length / max(float(np.max(np.abs(move))) for move in own.values())
        return found
