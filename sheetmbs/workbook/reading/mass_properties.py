"""Mass properties pasted from a CAD program: a sheet of texts under the names of bodies, and what of a body comes from them.

A text may stand one line to a cell, all in one cell, or be split at its tabs over several columns, as spreadsheet programs
do on pasting: what stands below a name and to the right of it belongs to it, up to the next name.
"""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass, field
from math import pi
from typing import TYPE_CHECKING

import numpy as np

from sheetmbs.elements.marker import Vector
from sheetmbs.problems.errors import Problem
from sheetmbs.schema import input_columns
from sheetmbs.schema.names import fold
from sheetmbs.schema.problem_list import Place, ProblemList, quoted, shown
from sheetmbs.workbook.cells.cells import Cell, CellKind, CellSheet
from sheetmbs.workbook.reading.context import Context
from sheetmbs.workbook.reading.fields import HEADER_ROW, is_empty, is_sound
from sheetmbs.workbook.reading.input_table import Record, cell_as_text
from sheetmbs.workbook.reading.placing import components
from sheetmbs.workbook.reading.registry import Registry

if TYPE_CHECKING:
    from sheetmbs.schema.cad_body import CadBody

ORIGIN = {"x": "cad_x", "y": "cad_y", "z": "cad_z"}
"""coordinate of the centre of mass -> that of the origin of CAD coordinates"""
Tensor = Vector

SIZES = {
    "rod": ("length",),
    "box": ("length", "width", "height"),
    "cylinder": ("length", "radius"),
    "tube": ("length", "radius", "inner_radius"),
    "sphere": ("radius",),
}
"""what each shape needs"""
EVERY_SIZE = tuple(dict.fromkeys(size for sizes in SIZES.values() for size in sizes))


@dataclass(frozen=True, eq=False)
class MassText:
    """A text. name: what stands above it. body: what it gives; where it is wrong, which is reported, nothing."""

    name: str
    place: Place
    body: CadBody
    is_sound: bool


class MassTexts:
    """The texts of a workbook, each for one body."""

    def __init__(self, context: Context) -> None:
        self._texts: dict[str, MassText] = {}
        self._used: set[str] = set()
        cells = context.sheets.get(input_columns.MASS_PROPERTIES.name)
        report, planar = context.report, context.settings.dimension == "2D"
        for written in _written(cells, report) if cells else []:
            before = self._texts.get(fold(written.name))
            if before:
                problem = f"{before.place} has a text for this body already"
                report.error("duplicate-name", written.place, quoted(written.name), problem, "delete one of the two")
            elif not written.begins_in_row_1(report):
                self._texts[fold(written.name)] = written.read(report, planar=planar)

    def __bool__(self) -> bool:
        return bool(self._texts)

    def of(self, name: str) -> MassText | None:
        """The text of a body, None where there is none."""
        self._used.add(fold(name))
        return self._texts.get(fold(name))

    def report_unknown(self, bodies: Registry) -> None:
        """Report texts for which there is no body; one whose body does not count in this case does not count either."""
        for key, text in self._texts.items():
            if key not in self._used and not bodies.is_switched_off(text.name):
                bodies.report_unknown(text.name, text.place)


@dataclass
class _Written:
    """A name and what stands below it. lines, places: line by line, cells beside each other are one.

    is_clean: all cells could be read. Where one could not, which is reported, nothing that follows from it is.
    """

    name: str
    place: Place
    lines: list[str] = field(default_factory=list)
    places: list[Place] = field(default_factory=list)
    is_clean: bool = True

    def begins_in_row_1(self, report: ProblemList) -> bool:
        """Whether the text begins where the name of its body should stand, which is reported."""
        if "\n" not in self.name and not fold(self.name).startswith("mass properties of"):
            return False
        mend = "insert a row above it, and write the name of the body into row 1"
        report.error("no-body-name", self.place, f"the text {quoted(self.name)}", "row 1 holds names of bodies", mend)
        return True

    def add(self, cells: list[Cell], report: ProblemList) -> None:
        """A row of the text."""
        from sheetmbs.schema.cad_numbers import text_of_number

        line: list[str] = []
        for cell in cells:
            place = Place(self.place.sheet, cell.row, cell.column)
            if cell.kind is CellKind.DATE:
                problem = "the spreadsheet program has taken a number for a date"
                mend = "format the cells of this sheet as text, and paste again"
                report.error("date-as-number", place, shown(cell), problem, mend)
                self.is_clean = False
            elif not is_sound(cell, place, report):
                self.is_clean = False
            else:
                line.append(text_of_number(float(cell.value)) if cell.kind is CellKind.NUMBER else str(cell.value))
        split = "\t".join(line).splitlines()
        self.lines += split
        self.places += [Place(self.place.sheet, cells[0].row, cells[0].column)] * len(split)

    def read(self, report: ProblemList, *, planar: bool) -> MassText:
        """The body that the text describes; slips in it are reported at their lines."""
        from sheetmbs.schema.cad_body import CadBody, body_of
        from sheetmbs.schema.cad_text import read_text

        text = read_text(self.lines)
        is_read = self.is_clean and not text.is_blank
        body, slips = body_of(text, planar=planar) if is_read else (CadBody(), [])
        if self.is_clean and text.is_blank:
            problem = "no mass properties are found in the text below this name"
            mend = "paste what SolidWorks shows as Mass Properties, or what Fusion copies from Properties"
            report.error("no-mass-properties", self.place, quoted(self.name), problem, mend)
        for slip in slips:
            where = self.place if slip.line is None else self.places[slip.line]
            report.add(where, Problem(slip.code, slip.severity, str(where), slip.found, slip.problem, slip.mend))
        return MassText(
            self.name, self.place, body, is_sound=is_read and not any(slip.severity == "error" for slip in slips)
        )


def _written(cells: CellSheet, report: ProblemList) -> list[_Written]:
    """The names in row 1 and their texts, without those whose name begins with #. Text without a name is reported."""
    heads = {column: cell for column, cell in cells.rows.get(HEADER_ROW, {}).items() if not is_empty(cell)}
    places = {column: Place(cells.name, HEADER_ROW, column) for column in heads}
    sound = {column for column, cell in heads.items() if is_sound(cell, places[column], report)}
    begins = sorted(heads)
    texts = {column: _Written(cell_as_text(heads[column]), places[column]) for column in begins}
    has_stray = False
    for row, content in cells.rows.items():
        filled: dict[int, list[Cell]] = {}
        for column, cell in content.items() if row > HEADER_ROW else ():
            if not is_empty(cell):
                filled.setdefault(bisect_right(begins, column), []).append(cell)
        for number, found in filled.items():
            if number:
                column = begins[number - 1]
                if column in sound and not texts[column].name.startswith("#"):
                    texts[column].add(found, report)
            elif not has_stray:
                has_stray = True
                place, problem = Place(cells.name, row, found[0].column), "no body name is above this text"
                mend = "write the name of the body in row 1, above the first column of its text"
                report.error("no-body-name", place, shown(found[0]), problem, mend)
    return [text for column, text in texts.items() if column in sound and not text.name.startswith("#")]


def mass_from(text: MassText, record: Record, columns: tuple[str, ...]) -> tuple[bool, bool]:
    """Whether mass and inertia of a body come from its text; what the row gives once more is reported.

    columns: those of the inertia. A text with a mistake in it, which has been reported, counts as if it gave both.
    """
    gives_mass = text.body.mass is not None or not text.is_sound
    gives_inertia = text.body.tensor is not None or not text.is_sound
    twice = [column for column in columns if gives_inertia and record.given(column)]
    twice += ["mass"] if gives_mass and record.given("mass") else []
    twice += ["shape"] if record.given("shape") else []
    for column in twice if text.is_sound else ():
        problem = f"the text at {text.place} gives it already, and a body has one mass and one inertia"
        mend = "clear this cell; or write # before the name above the text, and it does not count"
        record.refuse("two-ways-mass", column, problem, mend)
    if gives_mass and gives_inertia:
        record.settle("mass", "shape", "length", "width", "height", "radius", "inner_radius", "density", *columns)
    return gives_mass, gives_inertia


def place_from(text: MassText | None, record: Record, coordinates: tuple[str, ...], turn: Vector) -> Vector:
    """The initial place (3,) of a centre of mass: from its coordinates in the row, or from the centre in the text.

    turn: (3, 3), columns are the body's axes. They are the axes of CAD coordinates, whose origin the row may place.
    """
    typed = [column for column in coordinates if record.given(column)]
    moved = [ORIGIN[column] for column in coordinates if record.given(ORIGIN[column])]
    names = f"{', '.join(coordinates[:-1])} and {coordinates[-1]}"
    origins = ", ".join(ORIGIN[column] for column in coordinates)
    if text is None or not text.is_sound:
        record.settle(*(moved if text else ()))
        return components(record, coordinates)
    if typed and moved:
        problem = f"{typed[0]} gives the place of the body already; use one way only"
        record.refuse("two-ways-place", moved[0], problem, f"fill in either {names}, or {origins}")
        record.settle(*moved)
    elif typed and len(typed) < len(coordinates):
        column = next(column for column in coordinates if column not in typed)
        mend = f"fill in {names}, or none of them: then the text at {text.place} gives the place"
        record.missing(column, f"{typed[0]} is filled in, and a place is typed as a whole or not at all", mend)
    elif not typed and text.body.centre is None:
        record.missing(coordinates[0], f"the text at {text.place} gives no centre of mass", f"fill in {names}")
    elif not typed and not moved and not np.array_equal(turn, np.eye(3)):
        problem = f"this row turns the body, and the centre in the text at {text.place} is in CAD coordinates that turn with it"
        mend = (
            f"fill in {names} of the centre of mass, or {origins}: where the CAD origin lies, 0 if it stays where it is"
        )
        record.missing(coordinates[0], problem, mend)
    elif not typed and text.body.centre is not None:
        centre = text.body.centre * [1.0, 1.0, float("z" in coordinates)]
        origin = components(record, tuple(ORIGIN[column] for column in coordinates))
        record.settle(*coordinates)
        return origin + turn @ centre
    return components(record, coordinates)


def given_shape(record: Record, inertia: tuple[str, ...]) -> bool:
    """Whether the row's inertia comes from a shape. inertia: columns that say it in numbers, and which then count."""
    if not record.given("shape"):
        return False
    said = [column for column in inertia if record.given(column)]
    if said:
        problem = f"{said[0]} gives the inertia already, so the shape has no effect"
        record.settle("shape")
        record.report.warning("unused-value", record.place("shape"), "a shape", problem, "clear one of the two")
    return not said


def mass_of_shape(record: Record) -> tuple[float | None, Tensor | None]:
    """Mass and inertia tensor (3, 3) about the centre; None where something is missing or wrong, which is reported."""
    shape = record.choice("shape")
    record.settle("mass", "density", *(SIZES[shape] if shape else EVERY_SIZE))
    if not shape:
        return None, None
    sizes: dict[str, float] = {}
    for name in SIZES[shape]:
        value = record.number(name)
        if value is None:
            record.missing(name, f"a {shape} needs {' and '.join(SIZES[shape])}", "fill it in")
            return None, None
        if not value > 0.0 and not (name == "inner_radius" and value == 0.0):
            record.refuse("not-positive", name, f"{name} must be greater than 0", "correct the value")
            return None, None
        sizes[name] = value
    if shape == "tube" and sizes["inner_radius"] >= sizes["radius"]:
        record.refuse("wrong-radius", "inner_radius", "inner_radius must be less than radius", "correct one of them")
        return None, None
    mass = _mass(record, shape, sizes)
    return (None, None) if mass is None else (mass, mass * np.diag(_per_mass(shape, sizes)))


def _mass(record: Record, shape: str, sizes: dict[str, float]) -> float | None:
    mass, density = record.number("mass"), record.number("density")
    for name, value in (("mass", mass), ("density", density)):
        if value is not None and value < 0.0:
            record.refuse("negative", name, f"{name} must not be negative", "correct the value")
            return None
    if mass is not None:
        return mass
    if density is None or shape == "rod":
        needs = "a rod has no thickness, so it needs its mass" if shape == "rod" else "a shape needs mass or density"
        record.missing("mass", needs, "fill it in")
        return None
    return density * _volume(shape, sizes)


def _volume(shape: str, sizes: dict[str, float]) -> float:
    length, radius = sizes.get("length", 0.0), sizes.get("radius", 0.0)
    match shape:
        case "box":
            return length * sizes["width"] * sizes["height"]
        case "sphere":
            return 4.0 / 3.0 * pi * radius**3
        case _:
            return pi * (radius**2 - sizes.get("inner_radius", 0.0) ** 2) * length


def _per_mass(shape: str, sizes: dict[str, float]) -> list[float]:
    """Principal moments over the mass, about xi, eta, zeta."""
    length, radius = sizes.get("length", 0.0), sizes.get("radius", 0.0)
    match shape:
        case "rod":
            return [0.0, length**2 / 12.0, length**2 / 12.0]
        case "box":
            squares = np.array([length, sizes["width"], sizes["height"]]) ** 2
            return [float(np.sum(squares) - square) / 12.0 for square in squares]
        case "sphere":
            return [0.4 * radius**2] * 3
        case _:
            both = radius**2 + sizes.get("inner_radius", 0.0) ** 2
            across = (3.0 * both + length**2) / 12.0
            return [both / 2.0, across, across]
