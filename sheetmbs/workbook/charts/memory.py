"""The record of the charts that we drew, on the sheet of charts: which they are, and what they looked like.

It stands as text in a hidden column of that sheet, one line a chart, so that every program keeps it, and it goes with the
sheet. A chart is known by its name in the drawing, ``mbs chart 3``, which Excel and LibreOffice keep; they write its XML
in their own way. A sheet that the user has changed keeps everything but these lines and our notes.
"""

from __future__ import annotations

import json
import re
import zlib
from collections.abc import Iterable, Iterator, Sequence
from copy import deepcopy
from dataclasses import asdict, dataclass, field, replace
from typing import Literal

from lxml import etree

from sheetmbs.model.model import Chart
from sheetmbs.workbook.charts.chartxml import Look, is_look
from sheetmbs.workbook.package import parts
from sheetmbs.workbook.package.package import MAIN
from sheetmbs.workbook.sheets.previous_results import PreviousResults
from sheetmbs.workbook.sheets.sheet_cells import cell_at, place_in_sheet, set_extent, write_text
from sheetmbs.workbook.sheets.sheetxml import RECORD_COLUMN, SheetSetting

START, LINE = "sheetmbs charts ", "sheetmbs chart "
_NAME = re.compile(r"mbs chart ([0-9]{1,9})")
Checksum = tuple[int, int]
"""CRC-32 and number of bytes"""
Kind = Literal["line", "xy", "bar"]
Key = tuple[str, str, Kind]
"""title, x and type of a chart that was asked for"""
AFTER_DRAWING = (
    "legacyDrawing",
    "legacyDrawingHF",
    "drawingHF",
    "picture",
    "oleObjects",
    "controls",
    "webPublishItems",
    "tableParts",
    "extLst",
)
"""what follows a drawing in a sheet (ECMA-376 part 1, A.2, CT_Worksheet)"""


@dataclass(frozen=True)
class DrawnChart:
    """A chart that we drew.

    number: by which it is known; 0 once the user has deleted it. title, x, kind: as asked for; y: the columns on it.
    panel: the title on it. look: as we made it. checksum: of its part if no program has written that since, else None.
    """

    number: int
    title: str
    x: str
    kind: Kind
    y: tuple[str, ...]
    panel: str = ""
    look: Look = field(default_factory=dict)
    checksum: Checksum | None = None

    @property
    def key(self) -> Key:
        """Title, x and type of the chart that was asked for."""
        return self.title, self.x, self.kind

    @property
    def deleted(self) -> DrawnChart:
        """The record of it once it is deleted."""
        return replace(self, number=0, panel="", look={}, checksum=None)


@dataclass(frozen=True)
class ChartRecord:
    """All charts that we drew. drawing: checksum of the part that places them while it is as we wrote it. notes: our lines."""

    made: tuple[DrawnChart, ...] = ()
    notes: tuple[str, ...] = ()
    drawing: Checksum | None = None

    def lines(self) -> list[str]:
        """The record as text."""
        head = {"notes": self.notes, "drawing": self.drawing}
        return [START + _json(head), *(LINE + _json(_filled(made)) for made in self.made)]


def checksum_of(part: bytes) -> Checksum:
    """The checksum of a part as the package lists it."""
    return zlib.crc32(part), len(part)


def key_of(chart: Chart) -> Key:
    """Title, x and type, by which a chart is known again."""
    return chart.title, chart.x, chart.type


def name_of(number: int) -> str:
    """The name of a chart of ours in a drawing."""
    return f"mbs chart {number}"


def number_of(name: str) -> int:
    """The number in such a name; 0 in another one."""
    match = _NAME.fullmatch(name)
    return int(match[1]) if match else 0


def is_line(text: str) -> bool:
    """Whether a text is part of a record."""
    return text.startswith((START, LINE))


def read_record(lines: Iterable[str]) -> ChartRecord:
    """The record in these texts; lines that somebody changed are left out."""
    record = ChartRecord()
    made = []
    for line in lines:
        try:
            if line.startswith(START):
                head = json.loads(line.removeprefix(START))
                record = ChartRecord((), tuple(map(str, head["notes"])), _checksum(head["drawing"]))
            elif line.startswith(LINE):
                made.append(_made(**json.loads(line.removeprefix(LINE))))
        except (ValueError, KeyError, TypeError):
            continue
    return replace(record, made=tuple(made))


def _made(*, x: str, kind: Kind, y: list[str], title: str = "", number: int = 0, **others: object) -> DrawnChart:
    look, panel = others.get("look"), others.get("panel", "")
    if not (isinstance(number, int) and kind in ("line", "xy", "bar")):
        raise TypeError
    known = look if isinstance(look, dict) and is_look(look) else {}
    return DrawnChart(
        number, str(title), str(x), kind, tuple(map(str, y)), str(panel), known, _checksum(others.get("checksum"))
    )


def _checksum(found: object) -> Checksum | None:
    match found:
        case [int(crc), int(size)]:
            return crc, size
    return None


def _filled(made: DrawnChart) -> dict[str, object]:
    return {name: value for name, value in asdict(made).items() if value}


def _json(content: object) -> str:
    return json.dumps(content, separators=(",", ":"))


def texts_of(sheet: etree._Element, before: PreviousResults) -> Iterator[tuple[etree._Element, str]]:
    """Every cell of a sheet that holds a text."""
    for cell in sheet.iterfind(f"{{{MAIN}}}sheetData/{{{MAIN}}}row/{{{MAIN}}}c"):
        if cell.get("t") in ("s", "str", "inlineStr") and (found := before.text(cell)):
            yield cell, found


def edited_sheet(
    sheet: etree._Element,
    before: PreviousResults,
    old_notes: Sequence[str],
    notes: Sequence[str],
    record: Sequence[str],
    setting: SheetSetting,
) -> Iterator[bytes]:
    """The sheet of charts with other notes and another record; whatever else is on it stays.

    old_notes: what it says now; where the user has changed that, nothing is said.
    """
    root = deepcopy(sheet)
    places, said = [], []
    for cell, found in list(texts_of(root, before)):
        if is_line(found):
            places.append(place_in_sheet(cell))
            parts.detach(cell)
        elif found in old_notes:
            said.append(cell)
    if said:
        _say(root, said, notes, setting)
    row, column = min(places, default=(len(notes) + 2, RECORD_COLUMN))
    for number, line in enumerate(record, start=row):
        write_text(cell_at(root, number, column), line, setting.formats["record"])
    drawing = root.find(f"{{{MAIN}}}drawing")
    if setting.drawing and drawing is None:
        drawing = etree.Element(f"{{{MAIN}}}drawing", nsmap=root.nsmap)
        later = [
            child for child in root if isinstance(child.tag, str) and etree.QName(child).localname in AFTER_DRAWING
        ]
        root.insert(root.index(later[0]) if later else len(root), drawing)
    if setting.drawing and drawing is not None:
        drawing.set(parts.RELATIONSHIP_ID, setting.drawing)
    set_extent(root)
    yield parts.serialised(root)


def _say(sheet: etree._Element, said: Sequence[etree._Element], notes: Sequence[str], setting: SheetSetting) -> None:
    """Put the first note where ours began, and all others into the cell below it unless that is the user's."""
    for cell in said:
        write_text(cell, "")
    row, column = place_in_sheet(said[0])
    write_text(said[0], notes[0])
    below = cell_at(sheet, row + 1, column)
    if not len(below):
        write_text(below, " ".join(notes[1:]), setting.formats["remark"])
