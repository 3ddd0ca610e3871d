"""A suspension in the sheets that describe one: settings, hardpoints, springs, sweeps, designs, as a script holds them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from look import GREY, INK, INPUT, Cell, Formula
from sketch import Line, View
from style import Column, Handout

from sheetmbs.schema.names import fold
from sheetmbs.schema.suspension_inputs import AXLES, SETTINGS_BY_FOLD

Point = tuple[float, float, float]
Row = Sequence[Cell]

WHAT = {
    "lower arm front": "front pivot of the lower arm",
    "lower arm rear": "rear pivot of the lower arm",
    "lower ball joint": "outer joint of the lower arm",
    "upper arm front": "front pivot of the upper arm",
    "upper arm rear": "rear pivot of the upper arm",
    "upper ball joint": "outer joint of the upper arm",
    "tie rod inner": "inner joint of tie rod or toe link",
    "tie rod outer": "its outer joint, on the upright",
    "wheel centre": "middle of the wheel",
    "strut lower": "a point on the axis of the strut, below its spring",
    "strut top": "top mount of the strut",
    "rod outer": "outer end of push-rod or pull-rod",
    "rod rocker": "its end on the rocker",
    "rocker pivot": "on the axis of the rocker",
    "rocker axis": "a second point on this axis",
    "damper rocker": "end of the damper on the rocker",
    "damper outer": "moving end of the damper",
    "damper chassis": "its end on the chassis",
    "spring rocker": "moving end of the spring",
    "spring chassis": "its end on the chassis",
    "bar link suspension": "end of the drop link on rocker, arm or upright",
    "bar link bar": "its end on the arm of the bar",
    "bar axis": "on the axis of the bar, which lies across the car",
    "arm inner": "inner point of the hinge of the arm",
    "arm outer": "outer point of the hinge of the arm",
    "trailing arm pivot": "ball joint of the arm that carries the wheel, on the body",
    **{
        f"{which} camber link {end}": f"joint of the {which} camber link on the {where}"
        for which in ("upper", "lower")
        for end, where in (("inner", "body"), ("outer", "arm"))
    },
    **{f"link {number} inner": f"joint of link {number} on the body" for number in range(1, 5)},
    **{f"link {number} outer": f"joint of link {number} on the wheel's side" for number in range(1, 5)},
    "link 5 inner": "joint of the toe link on the body",
    "link 5 outer": "joint of the toe link on the upright",
}
"""point: what it is"""
MEMBERS = (
    ("lower arm", ("lower arm front", "lower ball joint", "lower arm rear"), "#3E6A8F"),
    ("upper arm", ("upper arm front", "upper ball joint", "upper arm rear"), "#3E6A8F"),
    ("arm", ("arm inner", "wheel centre", "arm outer", "arm inner"), "#3E6A8F"),
    (
        "trailing arm",
        (
            "trailing arm pivot",
            "upper camber link outer",
            "wheel centre",
            "lower camber link outer",
            "trailing arm pivot",
        ),
        "#6B7780",
    ),
    *(
        (f"{which} camber link", (f"{which} camber link inner", f"{which} camber link outer"), "#3E6A8F")
        for which in ("upper", "lower")
    ),
    (
        "upright",
        ("lower ball joint", "tie rod outer", "upper ball joint", "wheel centre", "lower ball joint"),
        "#6B7780",
    ),
    ("upright", ("lower ball joint", "tie rod outer", "strut lower", "wheel centre", "lower ball joint"), "#6B7780"),
    ("upright", (*(f"link {k} outer" for k in (1, 2, 5, 4, 3, 1)),), "#6B7780"),
    ("axle", ("link 2 outer", "spring rocker", "wheel centre", "damper outer", "link 1 outer"), "#6B7780"),
    ("tie rod", ("tie rod inner", "tie rod outer"), "#B4532A"),
    ("strut", ("lower ball joint", "strut lower", "strut top"), "#C58B2A"),
    ("rod", ("rod outer", "rod rocker"), "#4B7B4A"),
    ("rocker", ("rod rocker", "rocker pivot", "damper rocker", "rod rocker", "bar link suspension"), "#4B7B4A"),
    ("rocker axis", ("rocker pivot", "rocker axis"), "#4B7B4A"),
    ("damper", ("damper rocker", "damper chassis"), "#C58B2A"),
    ("damper", ("damper outer", "damper chassis"), "#C58B2A"),
    ("spring", ("spring rocker", "spring chassis"), "#C58B2A"),
    ("drop link", ("bar link suspension", "bar link bar", "bar axis"), "#8A5A83"),
    *((f"link {k}", (f"link {k} inner", f"link {k} outer"), "#B4532A" if k == 5 else "#3E6A8F") for k in range(1, 6)),
)
"""what a picture draws of an axle: name, points, colour; what has not all its points is left out"""
LENGTH, BAND = "mm", "#F2F5F7"
"""unit of the points, and the ground behind those of the rear axle where there are both"""
WIDTHS = {"notes": 58.0, "name": 18.0, "metric": 28.0}


@dataclass(frozen=True)
class Car:
    """What a workbook says of a car.

    settings: (setting, value of each axle, unit, notes), the values of the car in the first place. points: of each axle, in mm.
    changed: rows of Hardpoints of further designs: axle, point, x, y, z, design, notes. tables: headers with their units, and
    rows, of the other sheets.
    """

    settings: Sequence[tuple[str, tuple[Cell, ...], str, str]]
    points: Mapping[str, Mapping[str, Point]]
    changed: Sequence[Row] = ()
    tables: Mapping[str, tuple[str, Sequence[Row]]] = field(default_factory=dict)


def write(book: Handout, car: Car) -> None:
    """Write the sheets of a car in their order."""
    _settings(book, car)
    _hardpoints(book, car)
    for name, (headers, rows) in car.tables.items():
        book.declared(name, headers, rows, WIDTHS)


def _settings(book: Handout, car: Car) -> None:
    axles = [axle for axle in AXLES if axle in car.points]
    columns = [Column("setting", width=20), *(Column(axle, width=19) for axle in axles), Column("unit", width=10)]
    columns.append(Column("notes", width=70))
    rows = [
        (name, *values, *(None,) * (len(axles) - len(values)), unit, notes)
        for name, values, unit, notes in car.settings
    ]
    book.table("Suspension", columns, rows, "what the axles are: one setting per row, a column for each axle")


def _hardpoints(book: Handout, car: Car) -> None:
    rows = [
        (axle, point, *position, None, WHAT[point])
        for axle, points in car.points.items()
        for point, position in points.items()
    ]
    for changed in car.changed:
        place = next(number for number, row in enumerate(rows) if row[:2] == changed[:2])
        rows.insert(place + 1, tuple(changed))
    about = "the points of the left side; the right one is its mirror image"
    columns = _hardpoint_columns()
    book.table("Hardpoints", columns, rows, about)
    _part_axles(book, columns, has_both=len(car.points) > 1)


def _part_axles(book: Handout, columns: Sequence[Column], *, has_both: bool) -> None:
    """Show axles as groups and rows of designs in italics, by rules that also hold for rows that are typed in later."""
    sheet = book.book.get_worksheet_by_name("Hardpoints")
    axle, design = (book.letter("Hardpoints", header, columns) for header in ("axle", "design"))
    first, last = book.first["Hardpoints"], len(book.laid_out("Hardpoints", columns)) - 1
    below = first + 2  # in the spreadsheet's count: the row below the first one
    same = {"type": "formula", "criteria": f'=AND(${axle}{below}<>"",${axle}{below}=${axle}{below - 1})'}
    sheet.conditional_format(first + 1, 0, book.rows, 0, same | {"format": book.book.add_format({"font_color": GREY})})
    other = {"type": "formula", "criteria": f'=AND(${axle}{below}<>"",${axle}{below}<>${axle}{below - 1})'}
    line = book.book.add_format({"top": 1, "top_color": INK})
    sheet.conditional_format(first + 1, 0, book.rows, last, other | {"format": line})
    varied = {"type": "formula", "criteria": f'=${design}{first + 1}<>""'}
    sheet.conditional_format(
        first, 0, book.rows, last, varied | {"format": book.book.add_format({"italic": True, "font_color": INPUT})}
    )
    if has_both:
        rear = {"type": "formula", "criteria": f'=${axle}{first + 1}="rear"'}
        sheet.conditional_format(first, 0, book.rows, last, rear | {"format": book.book.add_format({"bg_color": BAND})})


def _hardpoint_columns() -> list[Column]:
    columns = [Column("axle", width=9), Column("point", width=22)]
    columns += [Column(axis, LENGTH, "0.0##", 10) for axis in "xyz"]
    return [*columns, Column("design", width=10), Column("notes", width=58)]


def words_of(setting: str) -> tuple[str, ...]:
    """The words that a setting may be, none where it is free."""
    known = SETTINGS_BY_FOLD.get(fold(setting))
    return known.choices if known else ()


def sketched(book: Handout, car: Car, view: View) -> list[Line]:
    """Both sides of every axle as lines of a sketch that follow the cells of Hardpoints."""
    columns = _hardpoint_columns()
    letters = [book.letter("Hardpoints", axis, columns) for axis in "xyz"]
    named = [(axle, point) for axle, points in car.points.items() for point in points]
    rows = {}
    below = book.first["Hardpoints"] + 1
    for each in named:
        rows[each] = below
        below += 1 + sum(other[:2] == each for other in car.changed)
    lines = []
    for axle, points in car.points.items():
        for name, members, colour in MEMBERS:
            if not all(each in points for each in members):
                continue
            for side in (1, -1):
                at = [view.point(*_cells(letters, rows[axle, each], points[each], side)) for each in members]
                lines.append(Line(f"{axle} {name} {'L' if side > 0 else 'R'}", at, (), colour, 1.75, markers="none"))
    return lines


def _cells(letters: Sequence[str], row: int, point: Point, side: int) -> list[Formula]:
    """The coordinates of a point, or of its mirror image, as formulas."""
    signs = (1, side, 1)
    return [
        Formula(f"={'-' if sign < 0 else ''}Hardpoints!${letter}${row}", sign * value)
        for letter, value, sign in zip(letters, point, signs, strict=True)
    ]
