"""Lists of hardpoints in the forms in which people have them: OptimumK exports, listings of Lotus, tables."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from sheetmbs.importing.lines import WORKBOOK, read_text, refused
from sheetmbs.problems.errors import Problem, WorkbookError
from sheetmbs.schema import units as u
from sheetmbs.schema.names import RESULT_SHEETS, did_you_mean, fold
from sheetmbs.schema.suspension_inputs import AXLES
from sheetmbs.schema.validate import ValueFault, split_header, split_parentheses, unit_of
from sheetmbs.suspension.layout.aliases import STANDARD_POINTS, standard_name
from sheetmbs.suspension.layout.car import CORNERS, SIDES, Vector
from sheetmbs.suspension.reading.vehicle_axes import NAMED
from sheetmbs.workbook.cells.cells import CellKind, address, open_book

CORNER = {corner.casefold(): owner for owner, corner in CORNERS.items()}
CORNER_FIRST = re.compile(r"(fl|fr|rl|rr)[\s_.-]+(.+)", re.IGNORECASE)
CORNER_LAST = re.compile(r"(.+?)[\s_.-]+(fl|fr|rl|rr)", re.IGNORECASE)
_BY_FOLD = {fold(name): name for name in STANDARD_POINTS}
WITHOUT_ROLE = re.compile(
    r"|part \d+ c of g|.* c of g|wheel spindle point|.*\bcv (?:centre|center|axis).*|.*contact.*|roll bar .*|drop link .*"
)
"""folded names of points that lists hold and no axle here has"""


@dataclass(frozen=True, eq=False)
class ListedPoint:
    """A point of a list. name: as it stands there. axle, side: as far as told, else ``""``. position: (3,) m."""

    name: str
    axle: str
    side: str
    position: Vector
    place: str

    @property
    def standard(self) -> str:
        """Standard name of the point, ``""`` where it has none."""
        return named(self.name)[0]


def named(text: str) -> tuple[str, str, str]:
    """The standard name, the axle and the side that a name of a list tells; each ``""`` where it does not."""
    axle = side = ""
    for pattern, stem, corner in ((CORNER_FIRST, 2, 1), (CORNER_LAST, 1, 2)):
        match = pattern.fullmatch(text.strip())
        if match and _standard(match[stem])[0]:
            axle, side = CORNER[match[corner].casefold()]
            return _standard(match[stem])[0], axle, side
    name, side = _standard(text)
    return name, axle, side


def _standard(text: str) -> tuple[str, str]:
    name, side = standard_name(text)
    return _BY_FOLD.get(fold(name), ""), side


def has_role(name: str) -> bool:
    """Whether a name of a list could be that of a hardpoint: not one of those that no axle here has."""
    return WITHOUT_ROLE.fullmatch(fold(name)) is None


def axle_told(text: str) -> str:
    """The axle that a title or a file name tells, ``""`` where it does not."""
    words = set(fold(re.sub(r"[^\w]+", " ", text)).split())
    found = [
        axle
        for axle, known in (("front", {"front", "fr", "vorn", "av"}), ("rear", {"rear", "rr", "hinten", "ar"}))
        if words & known
    ]
    return found[0] if len(found) == 1 else ""


DELIMITERS = (";", "\t", "|", ",")
POINTED = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?")
WITH_COMMA = re.compile(r"[+-]?\d*,\d+(?:[eE][+-]?\d+)?")
COLUMNS = 3
"""of text at least that make a table"""


@dataclass(frozen=True)
class ListRow:
    """A row. place: for messages. cells: texts, and numbers as texts. title: of its sheet."""

    place: str
    cells: tuple[str, ...]
    title: str = ""


def read_rows(path: Path) -> list[ListRow]:
    """The rows of a file that hold anything. Raises WorkbookError where it cannot be read or has none."""
    try:
        with path.open("rb") as file:
            is_workbook = file.read(len(WORKBOOK)) == WORKBOOK
    except OSError:
        is_workbook = False  # told where it is read
    found = list(_of_workbook(path) if is_workbook else _of_text(path))
    if not found:
        raise refused(
            "file-empty", f"{path} is empty", "a list of hardpoints is to be read", "take a copy that is complete"
        )
    return found


def _of_workbook(path: Path) -> Iterator[ListRow]:
    book = open_book(path)
    for name in book.sheets:
        if name.casefold().startswith(RESULT_SHEETS):
            continue
        for row, cells in book.sheets[name].rows.items():
            last = max(cells)
            texts = [""] * last
            for column, cell in cells.items():
                is_number = cell.kind is CellKind.NUMBER
                texts[column - 1] = repr(float(cell.value)) if is_number else str(cell.value).strip()
            if any(texts):
                yield ListRow(f"{path.name}: {address(name, row, min(cells))}", tuple(texts), name)


def _of_text(path: Path) -> Iterator[ListRow]:
    lines = read_text(path).splitlines()
    delimiter = _delimiter(lines)
    for number, line in enumerate(lines, start=1):
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        cells = next(csv.reader([line], delimiter=delimiter)) if delimiter else [line]
        yield ListRow(f"{path}:{number}", tuple(cell.strip() for cell in cells))


def _delimiter(lines: Sequence[str]) -> str:
    """What parts the columns of a text: the first sign that does in most lines, ``""`` where none does."""
    counts = {sign: sum(line.count(sign) >= COLUMNS for line in lines) for sign in DELIMITERS}
    best = max(DELIMITERS, key=lambda sign: counts[sign])
    return best if counts[best] else ""


def number_in(text: str) -> float | None:
    """The number that a cell is, with a point or a comma before its decimals; None where it is none."""
    plain = text.replace("\u2212", "-").replace("\u00a0", "")
    if POINTED.fullmatch(plain):
        return float(plain)
    return float(plain.replace(",", ".")) if WITH_COMMA.fullmatch(plain) else None


OPTIMUMK, LOTUS, TABLE = FORMS = ("optimumk", "lotus", "csv")
LOTUS_POINT = re.compile(
    r"\s*(\S+)\s+(\S+)\s+(\S+)\s+POINT\s*(?::\s*\d+|\(\s*\d+\s*\))\s*[=:]?\s*(.*?)\s*", re.IGNORECASE
)
"""x y z POINT ( 5 ) = label, as version 4 lists points, and x y z POINT:4 label, as version 5 does"""
LOTUS_AXLE = re.compile(r"\s*(front|rear)\s+suspension\b.*", re.IGNORECASE)
UNIT = re.compile(r"\(?\b(mm|cm|m|in|inch|inches)\b\)?")
NAMES_OF_POINT = ("point", "name", "hardpoint", "hard point", "point name")
PER_POINT = 3
USUAL_UNIT = "mm"
SIDE_WORDS = {"l": "left", "r": "right", "center": "centre"}
MAX_COORDINATE = 20.0
"""m from the origin: a car is not that long"""


@dataclass(frozen=True)
class PointList:
    """What a file holds. axes: words for its axes, None where they are those of the workbook. unknown: warnings of names."""

    form: str
    points: tuple[ListedPoint, ...]
    axes: tuple[str, str, str] | None
    unknown: tuple[Problem, ...]


def read_list(path: Path, form: str = "", axle: str = "", unit: str = "") -> PointList:
    """The points of a file. form: of `FORMS`; axle, unit: what is told where the file does not; ``""`` unknown.

    Raises WorkbookError with every slip, each with its line.
    """
    rows = read_rows(path)
    named_form, form = form, form or _form(path, rows)
    problems: list[Problem] = []
    default = axle or axle_told(path.stem)
    if form == LOTUS:
        found = list(_lotus(rows, default, unit, problems))
    elif form == OPTIMUMK:
        found = list(_optimumk(rows, default, unit, problems))
    else:
        found = list(_table(rows, default, unit, problems))
    problems += _without_axle(found)
    if problems:
        raise WorkbookError(problems)
    known = [point for point in found if point.standard]
    if not known:
        rule = f"no line of it holds the name of a hardpoint and its coordinates, read as {form}"
        told = "name its form with --from" if not named_form else "leave --from out, or name its form with it"
        raise refused("no-hardpoints", str(path), rule, f"{told}: {', '.join(FORMS)}")
    axes = {LOTUS: NAMED["Lotus"], OPTIMUMK: NAMED["ISO 8855"]}.get(form)
    return PointList(form, tuple(known), axes, tuple(_unknown(found)))


def _form(path: Path, rows: Sequence[ListRow]) -> str:
    """The form in which a file is, by what stands in it."""
    if any(LOTUS_POINT.fullmatch(" ".join(row.cells)) for row in rows):
        return LOTUS
    if any(_columns(row) is not None for row in rows):
        return TABLE
    if any(named(cell)[0] for row in rows for cell in row.cells):
        return OPTIMUMK
    rule = "it is neither a listing of Lotus, nor has it columns point, x, y, z, nor names of OptimumK"
    raise refused("unknown-format", str(path), rule, f"name its form with --from: {', '.join(FORMS)}")


def _lotus(rows: Sequence[ListRow], axle: str, unit: str, problems: list[Problem]) -> Iterator[ListedPoint]:
    size = 0.0
    for row in rows:
        line = " ".join(row.cells)
        heading, match = LOTUS_AXLE.fullmatch(line), LOTUS_POINT.fullmatch(line)
        if heading:
            axle = heading[1].casefold()
        told = UNIT.search(line)
        if told and not match and size == 0.0 and "(" in line:
            size = _size(told[1])
        if match and match[4]:
            yield from _point(
                row, match[4], match.groups()[:PER_POINT], axle, "", size or _size(unit or USUAL_UNIT), problems
            )


def _optimumk(rows: Sequence[ListRow], axle: str, unit: str, problems: list[Problem]) -> Iterator[ListedPoint]:
    """Rows of a name and its coordinates on the left, and on the right behind them."""
    told = next(
        (
            match[1]
            for row in rows
            for cell in row.cells
            if number_in(cell) is None and (match := UNIT.fullmatch(_unit_in(cell)))
        ),
        "",
    )
    size = _size(told or unit or USUAL_UNIT)
    for row in rows:
        cells = [cell for cell in row.cells if cell]
        if len(cells) == 1 and len(cells[0].split()) > PER_POINT:
            cells = cells[0].split()
        texts = [cell for cell in cells if number_in(cell) is None]
        numbers = [cell for cell in cells if number_in(cell) is not None]
        if len(cells) <= 2 or not numbers:  # a heading
            axle = axle_told(" ".join(cells)) or axle
        own = axle or axle_told(row.title)
        if not texts or len(numbers) < PER_POINT:
            continue
        name = next((text for text in texts if named(text)[0]), texts[0])
        side = "" if len(numbers) < 2 * PER_POINT else SIDES[0]
        yield from _point(row, name, numbers[:PER_POINT], own, side, size, problems)
        if side:
            yield from _point(row, name, numbers[PER_POINT : 2 * PER_POINT], own, SIDES[1], size, problems)


def _unit_in(cell: str) -> str:
    """The unit of a header such as ``X [mm]``, or a cell that is a unit."""
    text, unit = split_header(cell)
    return unit or (split_parentheses(cell) or (text, text))[1]


def _columns(row: ListRow) -> dict[str, tuple[int, str]] | None:
    """The columns of a header row by name, with their units; None where it is none."""
    found: dict[str, tuple[int, str]] = {}
    for at, cell in enumerate(row.cells):
        name, unit = split_header(cell)
        if unit is None:
            name, unit = split_parentheses(cell) or (cell, "")
        words = fold(name).split()
        if len(words) > 1 and words[0] in ("x", "y", "z"):
            name, unit = words[0], unit or words[1]
        name = "point" if fold(name) in NAMES_OF_POINT else fold(name)
        found.setdefault(name, (at, unit))
    return found if {"point", "x", "y", "z"} <= found.keys() else None


class _Table:
    """A table with columns point, x, y, z, and axle and side if it has them. unit: of coordinates without one."""

    def __init__(self, rows: Sequence[ListRow], unit: str) -> None:
        header = next((number for number, row in enumerate(rows) if _columns(row) is not None), None)
        columns = _columns(rows[header]) if header is not None else None
        if header is None or columns is None:
            mend = "head its columns axle, point, x [mm], y [mm], z [mm]"
            raise refused("no-headers", "no columns point, x, y, z", "a table has them", mend, rows[0].place)
        self._columns = columns
        self.rows = rows[header + 1 :]
        units = [columns[axis][1] for axis in "xyz"]
        if self.rows and not any(units) and not any(map(_is_number, self.coordinates(self.rows[0]))):
            units = self.coordinates(self.rows[0])  # a row of units
            self.rows = self.rows[1:]
        self.has_unit = bool(unit or any(units))
        self.sizes = np.array([_size(each or unit or "m") for each in units])

    def cell(self, row: ListRow, name: str) -> str:
        """The text in a column, ``""`` where there is none."""
        at = self._columns[name][0] if name in self._columns else len(row.cells)
        return row.cells[at] if at < len(row.cells) else ""

    def coordinates(self, row: ListRow) -> list[str]:
        """The texts in x, y, z."""
        return [self.cell(row, axis) for axis in "xyz"]


def _is_number(text: str) -> bool:
    return number_in(text) is not None


def _table(rows: Sequence[ListRow], axle: str, unit: str, problems: list[Problem]) -> Iterator[ListedPoint]:
    table = _Table(rows, unit)
    for row in table.rows:
        name, own, side = (table.cell(row, each) for each in ("point", "axle", "side"))
        side = SIDE_WORDS.get(fold(side), fold(side))
        if not name:
            continue
        if own and fold(own) not in AXLES:
            problems.append(
                Problem("unknown-axle", "error", row.place, f"axle: '{own}'", "it is front or rear", "correct it")
            )
        elif side not in ("", *SIDES, "centre"):
            rule = "it is left, right or centre"
            problems.append(Problem("unknown-value", "error", row.place, f"side: '{side}'", rule, "correct it"))
        else:
            texts = table.coordinates(row)
            for point in _point(row, name, texts, fold(own) or axle, side, table.sizes, problems):
                if not table.has_unit and np.abs(point.position).max() > MAX_COORDINATE:
                    rule, mend = "without a unit in the header they count as m", "write x [mm], y [mm], z [mm] there"
                    raise refused("missing-unit", f"{name}: {', '.join(texts)}", rule, mend, row.place)
                yield point


def _point(
    row: ListRow,
    name: str,
    texts: Sequence[str],
    axle: str,
    side: str,
    size: float | np.ndarray,
    problems: list[Problem],
) -> Iterator[ListedPoint]:
    numbers = [number_in(text) for text in texts]
    if any(number is None for number in numbers):
        wrong = next(text for text, number in zip(texts, numbers, strict=True) if number is None)
        rule = "a coordinate is a number, with a point or a comma before its decimals"
        problems.append(Problem("not-a-number", "error", row.place, f"{name}: '{wrong}'", rule, "correct it"))
        return
    _standard, told_axle, told_side = named(name)
    position = np.array([number for number in numbers if number is not None]) * size
    yield ListedPoint(name, told_axle or axle, side or told_side, position, row.place)


def _size(unit: str) -> float:
    """How many metres a unit of length is. Raises WorkbookError where it is none."""
    try:
        found = unit_of(unit, (u.LENGTH,))
    except ValueFault as fault:
        raise refused(fault.code, f"the unit '{unit}'", fault.problem, fault.mend) from None
    return found.size if found else 1.0


def _without_axle(points: Sequence[ListedPoint]) -> Iterator[Problem]:
    """Say once that nothing tells of which axle points are."""
    first = next((point for point in points if point.standard and not point.axle), None)
    if first is not None:
        rule = "nothing in the file tells of which axle it is"
        yield Problem("missing-axle", "error", first.place, first.name, rule, "add --axle front or --axle rear")


def _unknown(points: Sequence[ListedPoint]) -> Iterator[Problem]:
    """Warnings of names that are no hardpoint's; of those that no axle here has a note."""
    for point in points:
        if point.standard:
            continue
        if has_role(point.name):
            mend = did_you_mean(
                point.name, STANDARD_POINTS, "give it its standard name in the list, or add its row by hand"
            )
            yield Problem(
                "unknown-point",
                "warning",
                point.place,
                f"'{point.name}'",
                "no hardpoint has this name; it is left out",
                mend,
            )
    idle = list(dict.fromkeys(point.name for point in points if not point.standard and not has_role(point.name)))
    if idle:
        rule = "no axle here has these points; they are left out"
        yield Problem("idle-points", "note", "", ", ".join(idle), rule, "")
