"""The memory of the charts that we drew, on the sheet of charts: which they are, and what they looked like.

It stands as text in a hidden column of that sheet, one line a chart, so that every program keeps it, and it goes with the
sheet. A chart is known by its name in the drawing, ``mbs chart 3``, which Excel and LibreOffice keep; its XML they write
anew.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from dataclasses import asdict, dataclass, field, replace
from typing import Literal

from sheetmbs.model.model import Chart
from sheetmbs.workbook.charts.chartxml import Look, is_look

START, LINE = "sheetmbs charts ", "sheetmbs chart "
_NAME = re.compile(r"mbs chart ([0-9]{1,9})")

Checksum = tuple[int, int]
"""CRC-32 and number of bytes"""
Kind = Literal["line", "xy", "bar"]
Key = tuple[str, str, Kind]
"""title, x and type of a chart that was asked for"""


@dataclass(frozen=True)
class Made:
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
    def deleted(self) -> Made:
        """The record of it once it is deleted."""
        return replace(self, number=0, panel="", look={}, checksum=None)


@dataclass(frozen=True)
class ChartRecord:
    """All charts that we drew. drawing: checksum of the part that places them while it is as we wrote it. notes: our lines."""

    made: tuple[Made, ...] = ()
    notes: tuple[str, ...] = ()
    drawing: Checksum | None = None

    def lines(self) -> list[str]:
        """The record as text."""
        head = {"notes": self.notes, "drawing": self.drawing}
        return [START + _json(head), *(LINE + _json(_filled(made)) for made in self.made)]


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


def _made(*, x: str, kind: Kind, y: list[str], title: str = "", number: int = 0, **others: object) -> Made:
    look, panel = others.get("look"), others.get("panel", "")
    if not (isinstance(number, int) and kind in ("line", "xy", "bar")):
        raise TypeError
    known = look if isinstance(look, dict) and is_look(look) else {}
    return Made(
        number, str(title), str(x), kind, tuple(map(str, y)), str(panel), known, _checksum(others.get("checksum"))
    )


def _checksum(found: object) -> Checksum | None:
    match found:
        case [int(crc), int(size)]:
            return crc, size
    return None


def _filled(made: Made) -> dict[str, object]:
    return {name: value for name, value in asdict(made).items() if value}


def _json(content: object) -> str:
    return json.dumps(content, separators=(",", ":"))
