"""Result sheets and drawings as they are handed to whoever writes them into a workbook."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field

from sheetmbs.workbook.sheets.scrollbar import ScrollBar
from sheetmbs.workbook.sheets.sheetxml import SheetSetting

Rows = Callable[[SheetSetting], Iterator[bytes]]
"""the XML of a sheet, piece by piece"""


@dataclass(frozen=True)
class Drawing:
    """The drawing on a sheet.

    xml: the part that places it; None = the one that the sheet has stays as it is. charts: XML by relationship id, of
    those that it has and that change, and of new ones. gone: ids of charts that go. is_new: it takes the place of the
    one that the sheet has, with all on it.
    """

    xml: bytes | None = None
    charts: Mapping[str, bytes] = field(default_factory=dict)
    gone: frozenset[str] = frozenset()
    is_new: bool = False


@dataclass(frozen=True)
class NewSheet:
    """A result sheet to be written.

    cells: the range that it covers. size: at most so many bytes of XML. drawing: None = an earlier one goes. tables: content
    of the parts of those tables of the user's that stay on it. is_edited: it is the one that is there, with changes, and
    all that belongs to it stays. is_last: it is stored after all others, wherever it stands in the workbook. ranges: of its
    cells, by the built-in names that say what programs do with them. is_active: it is shown when the workbook opens. scroll: a
    scroll bar on it.
    """

    name: str
    rows: Rows
    cells: str = "A1"
    size: int = 0
    drawing: Drawing | None = None
    tables: Mapping[str, bytes] = field(default_factory=dict)
    is_edited: bool = False
    is_last: bool = False
    ranges: Mapping[str, str] = field(default_factory=dict)
    is_active: bool = False
    scroll: ScrollBar | None = None
