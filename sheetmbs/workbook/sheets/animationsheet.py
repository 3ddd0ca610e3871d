"""The sheet `mbs Animation`: above a cell for the frame and a chart, below the places of all frames, and those of one picked.

The chart draws the picked row, whose formulas take the row of the chosen frame; so it moves in every spreadsheet program. Lines
that never move have numbers there and no places below. The row stands between the units and the first frame.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate

import numpy as np
from numpy.typing import NDArray

from sheetmbs.schema.cell import cell_name, column_letters
from sheetmbs.workbook.package.package import Package
from sheetmbs.workbook.package.styles import number_format
from sheetmbs.workbook.sheets.sheet_contents import ANIMATION, MovingLine, MovingPicture
from sheetmbs.workbook.sheets.sheetxml import (
    ROW_POINTS,
    Formats,
    SheetSetting,
    cell_xml,
    closing,
    decimals,
    decimals_as_given,
    formula_xml,
    numbers_xml,
    opening,
    row_xml,
    usual,
)

FRAME_ROW, COURSE_ROW, MOTION_ROW, CHART_ROW = 4, 5, 6, 8
FRAME = "frame"
"""what names the cell of the frame, and the numbers of all"""
VALUE = 2
"""column of the cells that the user fills in"""
FIRST_WIDTHS, WIDTH = (12.0, 16.0, 11.0), 10.0
LETTER, MAX_VALUE_WIDTH = 1.3, 60.0
"""width of a letter of the cell that tells which motion is shown, and how wide it may be"""
BAR = (3, FRAME_ROW - 1, 12, FRAME_ROW)
"""columns and rows between which the scroll bar stands, from 0"""
FRAMES_PER_CLICK = 10
"""frames by which a click beside the handle moves"""
X14 = "http://schemas.microsoft.com/office/spreadsheetml/2009/9/main"
A14 = "http://schemas.microsoft.com/office/drawing/2010/main"
MC = "http://schemas.openxmlformats.org/markup-compatibility/2006"
PLACES = "http://schemas.openxmlformats.org/drawingml/2006/spreadsheetDrawing"
COMPATIBLE = "{63B3BB69-23CF-44E3-9099-C40C66FF867C}"
"""of the extension by which a shape of a drawing names the old one"""
SHAPES_OF_A_BLOCK = 1024
POINTS_OF_ROW, POINTS_OF_COLUMN = 15, 48
"""about where it stands; programs go by its anchor"""
BLOCKS = re.compile(rb"<(?:\w+:)?idmap\b[^>]*\bdata=[\"']([0-9, ]+)[\"']")
NUMBERED = re.compile(rb"_x0000_s([0-9]{1,9})\b")


@dataclass(frozen=True)
class Chosen:
    """The user's choice: the number of a motion, from 0, and the number in the frame cell."""

    motion: int
    frame: int


@dataclass(frozen=True)
class PlaceRun:
    """Cells beside each other that hold the places of a line in one direction. axis: 0 across, 1 up. first: column, from 1."""

    line: int
    axis: int
    first: int
    count: int


class AnimationLayout:
    """Positions of everything on the sheet. chart_rows: number of rows that the chart covers."""

    def __init__(self, picture: MovingPicture, chosen: Chosen, chart_rows: int) -> None:
        self.picture, self.chosen = picture, chosen
        self._motions = picture.motions
        self.lines = picture.motions[0].lines
        self.counts = [len(motion.course) for motion in picture.motions]
        self.list_row = CHART_ROW + chart_rows + 1
        self.row_cell = f"$B${self.list_row + 1}"
        self.first_motion = self.list_row + 4
        self.head_row = self.first_motion + len(self._motions) + 1 if self.has_choice else self.list_row + 3
        self.picked_row = self.head_row + 2
        self.first_row = self.head_row + 3
        self.last_row = self.first_row + sum(self.counts) - 1

    @property
    def has_choice(self) -> bool:
        """Whether there are several motions."""
        return len(self._motions) > 1

    @property
    def most(self) -> int:
        """The number of the last frame."""
        return max(self.counts)

    @cached_property
    def runs(self) -> list[PlaceRun]:
        """The cells of all lines."""
        counts = [line.x.shape[1] for line in self.lines for _ in range(2)]
        starts = accumulate(counts, initial=3)
        return [
            PlaceRun(k // 2, k % 2, first, count) for k, (first, count) in enumerate(zip(starts, counts, strict=False))
        ]

    @property
    def columns(self) -> int:
        """Number of columns on the sheet."""
        return self.runs[-1].first + self.runs[-1].count - 1 if self.runs else 2

    @property
    def cells(self) -> str:
        """The range that all covers."""
        return f"A1:{cell_name(self.last_row, self.columns)}"

    @cached_property
    def still(self) -> list[bool]:
        """Whether each line stands still in all motions, and in the same place."""
        return [
            all(
                motion.lines[k].is_still
                and np.array_equal(motion.lines[k].x[0], line.x[0], equal_nan=True)
                and np.array_equal(motion.lines[k].y[0], line.y[0], equal_nan=True)
                for motion in self._motions
            )
            for k, line in enumerate(self.lines)
        ]

    def picked(self, run: PlaceRun) -> str:
        """The cells of a line in the picked row."""
        left, right = column_letters(run.first), column_letters(run.first + run.count - 1)
        return _range(f"${left}${self.picked_row}", f"${right}${self.picked_row}")

    def path(self, run: PlaceRun) -> str:
        """All frames of the only place of a line."""
        letters = column_letters(run.first)
        return _range(f"${letters}${self.first_row}", f"${letters}${self.last_row}")

    def shown(self, run: PlaceRun) -> NDArray[np.float64]:
        """The numbers of a line in the picked row."""
        return np.asarray(places(self._motions[self.chosen.motion].lines[run.line], run.axis)[self.frame])

    @property
    def frame(self) -> int:
        """The frame that is shown, from 0."""
        return min(max(self.chosen.frame, 1), self.counts[self.chosen.motion]) - 1

    @property
    def starts(self) -> list[int]:
        """The first row of each motion, among the rows of places, from 1."""
        return [1, *(1 + total for total in accumulate(self.counts))][:-1]

    @property
    def shown_row(self) -> int:
        """The row of places that is shown, from 1."""
        return self.starts[self.chosen.motion] + self.frame

    def values(self) -> NDArray[np.float64]:
        """The rows of places: frame, course, and what moves."""
        blocks = []
        for motion in self._motions:
            parts = [np.arange(1.0, len(motion.course) + 1.0)[:, None], motion.course[:, None]]
            for run in self.runs:
                own = places(motion.lines[run.line], run.axis)
                parts.append(np.full_like(own, np.nan) if self.still[run.line] else own)
            blocks.append(np.concatenate(parts, axis=1))
        return np.concatenate(blocks)


def places(line: MovingLine, axis: int) -> NDArray[np.float64]:
    """(frames, places) of a line across or up."""
    return (line.x, line.y)[axis]


def _range(first: str, last: str) -> str:
    return f"'{ANIMATION}'!{first}:{last}" if first != last else f"'{ANIMATION}'!{first}"


def scroll_bar(layout: AnimationLayout, block: int) -> ScrollBar | None:
    """The scroll bar that moves the frame; None where there is but one. block: see `free_block`."""
    if layout.most < 2:
        return None
    cell = f"'{ANIMATION}'!${column_letters(VALUE)}${FRAME_ROW}"
    value = min(max(layout.chosen.frame, 1), layout.most)
    return ScrollBar(f"mbs {FRAME}", cell, 1, layout.most, value, FRAMES_PER_CLICK, *BAR, block)


def animation_sheet(
    layout: AnimationLayout, bar: ScrollBar | None, notes: Sequence[str], record: Sequence[str], setting: SheetSetting
) -> Iterator[bytes]:
    """The sheet. notes: lines under its title. record: what the next run must know, in cells that show nothing."""
    first, value, behind = FIRST_WIDTHS
    others = (WIDTH for _ in range(layout.columns - len(FIRST_WIDTHS)))
    longest = max(len(motion.name) for motion in layout.picture.motions)
    widths = usual((first, min(max(value, LETTER * longest), MAX_VALUE_WIDTH), behind, *others))
    yield opening(setting, layout.cells, columns=widths, fit=True, rows="exact")
    yield "".join(_top(layout, notes, record, setting.formats)).encode()
    yield "".join(_heads(layout, setting.formats)).encode()
    values = layout.values()
    shown = [*values[layout.shown_row - 1, :2], *np.concatenate([layout.shown(run) for run in layout.runs])]
    looks = [
        number_format(0),
        number_format(decimals_as_given(values[:, 1])),
        *[_look(values[:, 2:])] * (len(shown) - 2),
    ]
    styles = [setting.formats[look] for look in looks]
    yield _picked(layout, shown, looks, setting.formats).encode()
    yield from numbers_xml(values, range(values.shape[1]), styles, layout.first_row)
    page = '<pageSetup paperSize="9" orientation="landscape" fitToHeight="1"/>'
    scroll = bar.of_sheet(*setting.scroll) if bar else ""
    yield closing(setting, page, before=_rules(layout), after=scroll)


def _look(values: NDArray[np.float64]) -> str:
    shown = decimals(values)
    return number_format(0 if shown == "general" else shown)


def _top(layout: AnimationLayout, notes: Sequence[str], record: Sequence[str], formats: Formats) -> Iterator[str]:
    """What stands above the places."""
    picture, chosen = layout.picture, layout.chosen
    motion, rows = picture.motions[chosen.motion], (layout.first_row, layout.last_row)
    yield row_xml(1, [(picture.title, "title")], formats, 2 * ROW_POINTS)
    yield from (row_xml(k, [(note, "remark")], formats) for k, note in enumerate(notes, start=2))
    count, of = layout.counts[chosen.motion], f"of {layout.counts[chosen.motion]}"
    counts = _column("C", layout.first_motion, layout.first_motion + len(layout.counts) - 1)
    number = f"$B${layout.list_row + 2}"
    told = formula_xml(f"C{FRAME_ROW}", f'"of "&INDEX({counts},{number})', (of, "remark"), formats)
    told = told if layout.has_choice else cell_xml(f"C{FRAME_ROW}", (of, "remark"), formats)
    cells = [cell_xml(f"A{FRAME_ROW}", (FRAME, "item"), formats), _input(FRAME_ROW, chosen.frame, formats), told]
    yield _row(FRAME_ROW, cells)
    course = formula_xml(
        f"B{COURSE_ROW}",
        f"INDEX({_column('B', *rows)},{layout.row_cell})",
        (float(motion.course[layout.frame]), "value decimals 4"),
        formats,
    )
    name, unit = picture.course
    yield _row(COURSE_ROW, [_text(f"A{COURSE_ROW}", name, formats), course, _text(f"C{COURSE_ROW}", unit, formats)])
    if layout.has_choice:
        cells = [_text(f"A{MOTION_ROW}", picture.told_by, formats), _input(MOTION_ROW, motion.name, formats)]
        yield _row(MOTION_ROW, cells)
    kept = [cell_xml(cell_name(layout.list_row, 4 + k), (line, "record"), formats) for k, line in enumerate(record)]
    yield _row(layout.list_row, [cell_xml(f"A{layout.list_row}", ("Frames", "item head"), formats), *kept])
    frame = f"$B${FRAME_ROW}"
    clamped = f"INT(MAX(1,MIN({count},{frame})))"
    if layout.has_choice:
        firsts = _column("B", layout.first_motion, layout.first_motion + len(layout.counts) - 1)
        clamped = f"INDEX({firsts},{number})-1+INT(MAX(1,MIN(INDEX({counts},{number}),{frame})))"
    yield _helper(layout.list_row + 1, "row shown", clamped, layout.shown_row, formats)
    if layout.has_choice:
        yield from _list(layout, formats)


def _list(layout: AnimationLayout, formats: Formats) -> Iterator[str]:
    """The list of motions, and which of them is picked."""
    first, last = layout.first_motion, layout.first_motion + len(layout.counts) - 1
    names = _column("A", first, last)
    picked = f"MAX(1,SUMPRODUCT(({names}=$B${MOTION_ROW})*{_column('D', first, last)}))"
    told = layout.picture.told_by
    yield _helper(layout.list_row + 2, f"{told} number", picked, layout.chosen.motion + 1, formats)
    heads = [(told, "header text"), ("first row", "header"), ("frames", "header"), ("number", "header")]
    yield row_xml(first - 1, heads, formats)
    motions = zip(layout.picture.motions, layout.starts, layout.counts, strict=True)
    for number, (motion, start, count) in enumerate(motions, start=1):
        numbers = [(each, "list decimals 0") for each in (start, count, number)]
        yield row_xml(first + number - 1, [(motion.name, "item"), *numbers], formats)


def _heads(layout: AnimationLayout, formats: Formats) -> Iterator[str]:
    """Names and units of the columns of places."""
    picture = layout.picture
    names, units = [FRAME, picture.course[0]], ["", picture.course[1]]
    for run in layout.runs:
        number = 0
        for is_gap in layout.lines[run.line].gaps.tolist():
            number += not is_gap
            names.append("" if is_gap else f"{layout.lines[run.line].name} {picture.axes[run.axis]} {number}")
            units.append("" if is_gap else picture.unit)
    yield row_xml(layout.head_row, [(name, "header") for name in names], formats, 20)
    yield row_xml(layout.head_row + 1, [(unit, "units") for unit in units], formats)


def _picked(layout: AnimationLayout, shown: Sequence[float], looks: Sequence[str], formats: Formats) -> str:
    """The row that the chart draws. shown: the numbers in it, NaN where a line is broken."""
    still = [False, False, *(layout.still[run.line] for run in layout.runs for _ in range(run.count))]
    cells = []
    for k, (value, is_still) in enumerate(zip(shown, still, strict=True), start=1):
        letters = column_letters(k)
        reference, look = f"{letters}{layout.picked_row}", f"list {looks[k - 1]}"
        if is_still or not np.isfinite(value):
            cells.append(cell_xml(reference, (value, look), formats))
        else:
            cells_below = _column(letters, layout.first_row, layout.last_row)
            cells.append(formula_xml(reference, f"INDEX({cells_below},{layout.row_cell})", (value, look), formats))
    return _row(layout.picked_row, cells)


def _rules(layout: AnimationLayout) -> str:
    """What may stand in the cells that the user fills in."""
    said = f'errorTitle="Frame" error="Write a whole number from 1 to {layout.most}."'
    range_ = f"<formula1>1</formula1><formula2>{layout.most}</formula2>"
    shown = 'allowBlank="1" showErrorMessage="1"'
    rules = [f'<dataValidation type="whole" {shown} {said} sqref="B{FRAME_ROW}">{range_}</dataValidation>']
    if layout.has_choice:
        names = _column("A", layout.first_motion, layout.first_motion + len(layout.counts) - 1)
        told = layout.picture.told_by
        rules.append(
            f'<dataValidation type="list" {shown} errorTitle="{told.capitalize()}"'
            f' error="Choose one from the list." sqref="B{MOTION_ROW}"><formula1>{names}</formula1></dataValidation>'
        )
    return f'<dataValidations count="{len(rules)}">{"".join(rules)}</dataValidations>'


def _column(letters: str, first: int, last: int) -> str:
    return f"{letters}${first}:{letters}${last}"


def _input(row: int, value: float | str, formats: Formats) -> str:
    return cell_xml(cell_name(row, VALUE), (value, "input"), formats)


def _text(reference: str, words: str, formats: Formats) -> str:
    return cell_xml(reference, (words, "item"), formats)


def _helper(row: int, words: str, formula: str, value: int, formats: Formats) -> str:
    found = formula_xml(f"B{row}", formula, (value, "list decimals 0"), formats)
    return _row(row, [_text(f"A{row}", words, formats), found])


def _row(number: int, cells: Sequence[str]) -> str:
    return f'<row r="{number}" ht="{ROW_POINTS}" customHeight="1">{"".join(cells)}</row>'


@dataclass(frozen=True)
class ScrollBar:
    """A scroll bar that lies.

    cell: which it moves, with its sheet, for LibreOffice takes the first one otherwise. least, most, value, page: numbers in
    that cell. left, top, right, bottom: columns and rows between which it stands, from 0. block: of shape numbers that are
    free for it, see `free_block`.
    """

    name: str
    cell: str
    least: int
    most: int
    value: int
    page: int
    left: int
    top: int
    right: int
    bottom: int
    block: int = 1

    @property
    def shape(self) -> int:
        """The number of its shape."""
        return SHAPES_OF_A_BLOCK * self.block + 1

    def shape_part(self) -> bytes:
        """The part that draws it."""
        place = (
            f"position:absolute;margin-left:{self.left * POINTS_OF_COLUMN}pt;margin-top:{self.top * POINTS_OF_ROW}pt;"
            f"width:{(self.right - self.left) * POINTS_OF_COLUMN}pt;"
            f"height:{(self.bottom - self.top) * POINTS_OF_ROW}pt;z-index:1"
        )
        return (
            '<xml xmlns:v="urn:schemas-microsoft-com:vml" xmlns:o="urn:schemas-microsoft-com:office:office"'
            ' xmlns:x="urn:schemas-microsoft-com:office:excel">'
            f'<o:shapelayout v:ext="edit"><o:idmap v:ext="edit" data="{self.block}"/></o:shapelayout>'
            '<v:shapetype id="_x0000_t201" coordsize="21600,21600" o:spt="201" path="m,l,21600r21600,l21600,xe">'
            '<v:stroke joinstyle="miter"/><v:path shadowok="f" o:extrusionok="f" strokeok="f" fillok="f"'
            ' o:connecttype="rect"/><o:lock v:ext="edit" shapetype="t"/></v:shapetype>'
            f'<v:shape id="_x0000_s{self.shape}" type="#_x0000_t201" style="{place}" stroked="f"'
            ' strokecolor="windowText [64]" o:insetmode="auto"><v:fill color2="windowText [64]"/>'
            '<o:lock v:ext="edit" rotation="t"/><x:ClientData ObjectType="Scroll">'
            f"<x:Anchor>{self.left}, 0, {self.top}, 2, {self.right}, 0, {self.bottom}, 0</x:Anchor>"
            f"<x:PrintObject>False</x:PrintObject><x:FmlaLink>{self.cell}</x:FmlaLink><x:Val>{self.value}</x:Val>"
            f"<x:Min>{self.least}</x:Min><x:Max>{self.most}</x:Max><x:Inc>1</x:Inc><x:Page>{self.page}</x:Page>"
            "<x:Horiz/><x:Dx>22</x:Dx></x:ClientData></v:shape></xml>"
        ).encode()

    def properties_part(self) -> bytes:
        """The part that says what it does."""
        return (
            '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
            f'<formControlPr xmlns="{X14}" objectType="Scroll" dx="22" fmlaLink="{self.cell}" horiz="1"'
            f' max="{self.most}" min="{self.least}" page="{self.page}" val="{self.value}"/>'
        ).encode()

    def of_sheet(self, to_shape: str, to_properties: str) -> str:
        """The elements of the sheet. to_shape, to_properties: ids of the relationships to its parts."""
        control = (
            f'<control shapeId="{self.shape}" r:id="{to_properties}" name="{self.name}">'
            '<controlPr defaultSize="0" print="0" autoPict="0"><anchor moveWithCells="1">'
            f"{self._corners('')}</anchor></controlPr></control>"
        )
        choice = f'<mc:AlternateContent xmlns:mc="{MC}"><mc:Choice xmlns:x14="{X14}" Requires="x14">{{}}</mc:Choice>'
        end = "</mc:AlternateContent>"
        inner = f"<controls>{choice.format(control)}{end}</controls>"
        return f'<legacyDrawing r:id="{to_shape}"/>{choice.format(inner)}{end}'

    def of_drawing(self) -> str:
        """The shape that represents it in the drawing of its sheet."""
        return (
            f'<mc:AlternateContent xmlns:mc="{MC}"><mc:Choice xmlns:a14="{A14}" Requires="a14">'
            f'<xdr:twoCellAnchor editAs="oneCell">{self._corners("xdr:")}<xdr:sp macro="" textlink=""><xdr:nvSpPr>'
            f'<xdr:cNvPr id="{self.shape}" name="{self.name}" hidden="1"><a:extLst><a:ext uri="{COMPATIBLE}">'
            f'<a14:compatExt spid="_x0000_s{self.shape}"/></a:ext></a:extLst></xdr:cNvPr><xdr:cNvSpPr/></xdr:nvSpPr>'
            '<xdr:spPr bwMode="auto"><a:xfrm><a:off x="0" y="0"/><a:ext cx="0" cy="0"/></a:xfrm>'
            '<a:prstGeom prst="rect"><a:avLst/></a:prstGeom></xdr:spPr></xdr:sp>'
            '<xdr:clientData fPrintsWithSheet="0"/></xdr:twoCellAnchor></mc:Choice><mc:Fallback/></mc:AlternateContent>'
        )

    def _corners(self, prefix: str) -> str:
        return "".join(
            f'<{prefix}{end} xmlns:xdr="{PLACES}"><xdr:col>{column}</xdr:col><xdr:colOff>0</xdr:colOff>'
            f"<xdr:row>{row}</xdr:row><xdr:rowOff>{offset}</xdr:rowOff></{prefix}{end}>"
            for end, column, row, offset in (("from", self.left, self.top, 19050), ("to", self.right, self.bottom, 0))
        )


def free_block(package: Package, without: str) -> int:
    """A block of shape numbers that no old drawing uses. without: a sheet part whose own one does not count."""
    own = package.related(without, "vmlDrawing") if without else None
    used = {0}
    for name in package.names:
        if name.endswith(".vml") and name != own:
            content = package.read(name)
            used |= {int(number) for found in BLOCKS.findall(content) for number in found.replace(b",", b" ").split()}
            used |= {int(number) // SHAPES_OF_A_BLOCK for number in NUMBERED.findall(content)}
    return max(used) + 1
