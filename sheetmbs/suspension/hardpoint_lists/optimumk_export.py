"""Exports of OptimumKinematics, workbooks or texts: hardpoints of both sides, and the set-up of the wheels.

Both sides stand in one row, the left first. The wheel centre is not among the points. With half track h, offsets x_o, y_o
and z_o, camber g and tyre radius R it stands at x_o, h + y_o + R sin g, R cos g + z_o.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from math import cos, pi, sin

import numpy as np

from sheetmbs.schema.names import fold
from sheetmbs.schema.validate import split_header, split_parentheses
from sheetmbs.suspension.hardpoint_lists.list_reading import (
    UNIT,
    USUAL_UNIT,
    ListedPoint,
    ListReading,
    axle_told,
    size_of,
)
from sheetmbs.suspension.hardpoint_lists.list_rows import PER_POINT, ListRow, number_in, pieces
from sheetmbs.suspension.layout.aliases import told_name
from sheetmbs.suspension.layout.car import SIDES
from sheetmbs.suspension.layout.type_table import WHEEL_CENTRE

HALF_TRACK, CAMBER, TOE, RIM, TYRE = "half track", "static camber", "static toe", "rim diameter", "tire diameter"
OFFSETS = tuple(f"{way} offset" for way in ("longitudinal", "lateral", "vertical"))
LENGTHS, ANGLES = (HALF_TRACK, *OFFSETS, RIM, TYRE), (CAMBER, TOE)
CENTRE = (HALF_TRACK, *OFFSETS, TYRE, CAMBER)
"""what gives the wheel centre"""
REQUIRED = (HALF_TRACK, TYRE)
"""of these: the others count as 0 where they are missing"""
SAME = {"tyre diameter": TYRE, "halftrack": HALF_TRACK, "camber": CAMBER, "toe": TOE, "rim dia": RIM}
SETTINGS = {TYRE: ("tyre radius", 0.5), CAMBER: ("camber", 1.0), TOE: ("toe", -1.0), RIM: ("rim diameter", 1.0)}
"""settings that a value gives, with a factor: their toe is + out"""
WheelValues = Mapping[str, tuple[float, ListRow]]
"""values of a wheel in SI by name, each with its row"""
DISTANCE = "reference distance"
HEAD_WORDS = frozenset({"x", "y", "z", "left", "right", "point name", "middle", "element", "attachement", "attachment"})
CARRIERS = {"loweraarm": "lower arm", "upperaarm": "upper arm", "upright": "upright"}
ROD_END = "nsmappatt"
IDENTITY = (1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0)
BY_HAND = {
    "brake bias": "brake front",
    "front mass distribution": "weight front",
    "center of gravity height": "cg height",
    "steering ratio": "rack per turn",
}


def read_optimumk(rows: Sequence[ListRow], axle: str, reading: ListReading) -> None:
    """Take the points and settings of an export. axle: of a file without headings."""
    size, per_degree = _units(rows, reading)
    export = _Export(reading, size, per_degree, axle)
    for row in rows:
        export.take(row)
    export.finish()


def _units(rows: Sequence[ListRow], reading: ListReading) -> tuple[float, float]:
    """Metres of a length and radians of an angle."""
    texts = [cell for row in rows for cell in row.cells if cell and number_in(cell) is None]
    said = [cell for row in rows if "length" in map(fold, row.cells) for cell in row.cells]
    told = next((match[1] for cell in (*said, *texts) if (match := UNIT.fullmatch(_unit_in(cell)))), "")
    of_angle = [cell for row in rows if "angle" in map(fold, row.cells) for cell in row.cells]
    in_radians = any(fold(cell).startswith("rad") for cell in of_angle)
    return size_of(told or reading.unit or USUAL_UNIT), 1.0 if in_radians else pi / 180.0


def _unit_in(cell: str) -> str:
    """The unit of a header such as ``X [mm]``, or a cell that is a unit."""
    text, unit = split_header(cell)
    return unit or (split_parentheses(cell) or (text, text))[1]


class _Export:
    """What an export says, row by row. size: m of a length; turn: rad of an angle."""

    def __init__(self, reading: ListReading, size: float, turn: float, axle: str) -> None:
        self._reading, self._size, self._turn = reading, size, turn
        self._default = self._axle = axle
        self._title: str | None = None
        self._at: dict[str, int] = {}
        """columns of the sides in the block"""
        self._wheels: dict[str, dict[str, dict[str, tuple[float, ListRow]]]] = {}
        """by axle, side and name"""
        self._distance: tuple[float, ListRow] | None = None

    def take(self, row: ListRow) -> None:
        """Take a row."""
        if row.title != self._title:
            self._title, self._at = row.title, {}
            self._axle = axle_told(row.title) or self._default
        cells = pieces(row)
        texts = [cell for cell in cells if number_in(cell) is None]
        numbers = [cell for cell in cells if number_in(cell) is not None]
        if self._is_heading(row, texts, numbers):
            return
        names = [_wheel_name(text) for text in texts]
        name = next((each for each in names if each in LENGTHS or each in ANGLES), "")
        point = next((text for text in texts if told_name(text)[0]), "")
        if DISTANCE in names and numbers:
            self._distance = (number_in(numbers[0]) or 0.0) * self._size, row
        elif name and not point:
            self._take_wheel(row, name)
        elif texts and (point or len(numbers) >= PER_POINT) and not self._takes_carrier(texts, numbers):
            self._take_point(row, point or texts[0])
        elif not self._takes_carrier(texts, numbers) and not self._is_known(row, texts):
            self._drop(row, names)

    def _is_heading(self, row: ListRow, texts: Sequence[str], numbers: Sequence[str]) -> bool:
        if numbers:
            return False
        folded = [fold(text) for text in texts]
        if "left" in folded:
            self._at = {fold(cell): at for at, cell in enumerate(row.cells) if fold(cell) in SIDES}
        heads = [_head(text) for text in texts]
        if len(texts) == 1 and axle_told(texts[0]):
            self._axle, self._at = axle_told(texts[0]), {}
            return True
        if folded[:1] == ["name:"] and len(texts) > 1 and not axle_told(row.title):
            self._axle = axle_told(texts[1]) or self._axle
        return sum(head in HEAD_WORDS for head in heads) >= min(2, len(heads)) and len(heads) > 1

    def _sides(self, row: ListRow, count: int) -> dict[str, list[str]]:
        """The texts of each side: ``count`` of each, or fewer where there are no more."""
        own = {side: list(row.cells[at : at + count]) for side, at in self._at.items() if at < len(row.cells)}
        given = {side: texts for side, texts in own.items() if any(texts)}
        if given and any(number_in(text) is not None for texts in given.values() for text in texts):
            return given
        numbers = [cell for cell in pieces(row) if number_in(cell) is not None]
        right = numbers[count : 2 * count]
        behind = [cell for cell in pieces(row)[1:] if number_in(cell) is None and not told_name(cell)[0]]
        if len(numbers) < count and count == PER_POINT:
            return {SIDES[0]: [*numbers, *behind][:count]}
        return {SIDES[0]: numbers[:count], **({SIDES[1]: right} if len(right) == count else {})}

    def _take_wheel(self, row: ListRow, name: str) -> None:
        for side, texts in self._sides(row, 1).items():
            value = number_in(texts[0]) if texts else None
            if value is None:
                shown = f"{name.title()}: '{texts[0] if texts else ''}'"
                self._reading.refuse(row, "not-a-number", shown, "it is a number", "correct it, or take the line out")
                return
            scaled = value * (self._size if name in LENGTHS else self._turn)
            self._wheels.setdefault(self._axle, {}).setdefault(side, {}).setdefault(name, (scaled, row))

    def _take_point(self, row: ListRow, name: str) -> None:
        sides = self._sides(row, PER_POINT)
        for side, texts in sides.items():
            is_alone = len(sides) == 1 and side == SIDES[0] and not self._at
            if self._reading.add_point(row, name, texts, self._axle, "" if is_alone else side, self._size) is None:
                return

    def _takes_carrier(self, texts: Sequence[str], numbers: Sequence[str]) -> bool:
        letters = [re.sub(r"[\W_]+", "", text).casefold() for text in texts]
        carrier = next((CARRIERS[each] for each in letters if each in CARRIERS), "")
        if numbers or not carrier or not any(each.startswith(ROD_END) for each in letters):
            return False
        self._reading.carriers[self._axle] = carrier
        return True

    def _is_known(self, row: ListRow, texts: Sequence[str]) -> bool:
        """Whether a row says how the file is to be read."""
        folded = [fold(text) for text in texts]
        if "length" in folded or "angle" in folded:
            return any(UNIT.fullmatch(text) or fold(text) in ("deg", "rad", "degree", "radian") for text in texts)
        if "coordinate system" not in folded:
            return False
        matrix = tuple(float(each) for each in re.findall(r"-?\d+(?:\.\d+)?", row.text.replace("_x000D_", "")))
        if matrix != IDENTITY:
            rule = "its points count as x forward, y left, z up, whatever axes it shows them in"
            self._reading.warn(row, "other-axes", "a coordinate system of its own", rule, "export it in the usual one")
        return True

    def _drop(self, row: ListRow, names: Sequence[str]) -> None:
        by_hand = next((BY_HAND[name] for name in names if name in BY_HAND), "")
        if not by_hand:
            self._reading.drop(row)
        else:
            value = next((cell for cell in pieces(row) if number_in(cell) is not None), "")
            rule = f"the setting {by_hand} is not taken from a list"
            self._reading.note(row, "by-hand", row.text, rule, f"fill in {by_hand} by hand: {value} there")

    def finish(self) -> None:
        """Take what follows from several rows: wheel centres, settings, and the place of the rear axle."""
        reading = self._reading
        for axle, sides in self._wheels.items():
            if not axle:
                first = next(iter(next(iter(sides.values())).values()))[1]
                rule = "nothing in the file tells of which axle it is"
                reading.refuse(first, "missing-axle", first.text, rule, "add --axle front or --axle rear")
                continue
            self._finish_wheels(axle, sides)
        rear = [at for at, point in enumerate(reading.points) if point.axle == "rear"]
        if self._distance is not None:
            distance, row = self._distance
            if distance <= 0.0:
                reading.refuse(row, "wrong-value", row.text, "the distance of the axles is above 0", "correct it")
                return
            reading.set(row, "wheelbase", "", distance)
            for at in rear:
                point = reading.points[at]
                moved = point.position - [distance, 0.0, 0.0]
                reading.points[at] = ListedPoint(point.name, point.standard, "rear", point.side, moved, point.place)

    def _finish_wheels(self, axle: str, sides: Mapping[str, WheelValues]) -> None:
        reading = self._reading
        left = sides.get(SIDES[0]) or next(iter(sides.values()))
        right = sides.get(SIDES[1], {})
        for name, (setting, factor) in SETTINGS.items():
            if name not in left:
                continue
            value, row = left[name]
            reading.set(row, setting, axle, factor * value)
            if name in right and right[name][0] != value:
                rule = "a setting is of both wheels; that of the left one is taken"
                reading.warn(row, "two-values", f"{name.title()} of its own on the right", rule, "check it")
        lacking = " and ".join(name.title() for name in REQUIRED if name not in left)
        is_given = any((point.axle, point.standard) == (axle, WHEEL_CENTRE) for point in reading.points)
        if lacking or is_given:
            rule = f"the wheel centre needs {lacking} too" if lacking else "the file has a wheel centre of its own"
            for name in CENTRE:
                if name in left and name not in SETTINGS:
                    reading.note(left[name][1], "unused-wheel", name.title(), rule, "")
        else:
            self._add_centres(axle, sides)

    def _add_centres(self, axle: str, sides: Mapping[str, WheelValues]) -> None:
        """Take the wheel centres that follow from half track, offsets, camber and tyre."""
        points = self._reading.points
        across = [
            point.position[1] * (-1.0 if point.side == SIDES[1] else 1.0) for point in points if point.axle == axle
        ]
        sign = -1.0 if sum(np.sign(across)) < 0.0 else 1.0
        for side, values in sides.items():
            if any(name not in values for name in REQUIRED):
                continue
            half, x, y, z, diameter, camber = (values[name][0] if name in values else 0.0 for name in CENTRE)
            out = half + y + diameter / 2 * sin(camber)
            at = np.array([x, out * sign * (-1.0 if side == SIDES[1] else 1.0), diameter / 2 * cos(camber) + z])
            points.append(ListedPoint("Half Track", WHEEL_CENTRE, axle, side, at, values[HALF_TRACK][1].place))


def _wheel_name(text: str) -> str:
    folded = fold(_head(text)).rstrip(":")
    return SAME.get(folded, folded)


def _head(text: str) -> str:
    """A header without its unit, folded."""
    name, unit = split_header(text)
    return fold(name if unit is not None else (split_parentheses(text) or (text, ""))[0])
