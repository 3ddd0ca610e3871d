"""Where the user's own parts refer to result sheets: formulas, charts, pivot tables, defined names, rules and drop-downs."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import chain, pairwise

from sheetmbs.schema.cell import ColumnLetters
from sheetmbs.workbook.package import parts
from sheetmbs.workbook.package.formats import index
from sheetmbs.workbook.package.ownership import marks, own_sheets
from sheetmbs.workbook.package.package import (
    MAIN,
    MAX_FIND_BYTES,
    Package,
    only_used_by,
    parts_referred_to,
    reachable_parts,
)

_RANGE = rb"(?P<cells>\$?[A-Z]{0,3}\$?[0-9]{0,7}(?::\$?[A-Z]{0,3}\$?[0-9]{0,7})?)"
_REFERENCE = re.compile(
    rb"(?P<text>(?<!=)\"|&quot;)?(?:'|&apos;|&#39;)(?:\[\d+\])?(?P<sheets>mbs [^'&<>\"]{1,60})(?:'|&apos;|&#39;)!"
    + _RANGE
    + rb"|<(?:\w+:)?worksheetSource\b[^>]*\bsheet=\"(?P<source>mbs [^\"]{1,60})\"[^>]*>"
)
_FORMULA = re.compile(rb"<(?:\w+:)?f(?:\s[^>]*)?>[^<]*")
_END = re.compile(rb"\$?([A-Z]{0,3})\$?([0-9]{0,7})")
_PLACE = re.compile(rb"[^>]*?\br=\"([A-Z]{1,3}[0-9]{1,7})\"")
_SOURCE_RANGE = re.compile(rb"\bref=\"([^\"]*)\"")
_FILLED = re.compile(rb"<(?:\w+:)?f\s[^>]*\bt=\"shared\"[^>]*\bref=\"([^\"]*)\"[^>]*>[^<]*$")
_TAG = re.compile(rb"<(?:\w+:)?(\w+)")
_CELLS, _CELLS_END = re.compile(rb"<(/?)(?:\w+:)?sheetData>"), b"sheetData>"
_TEXTS = (b"t", b"v")
"""elements that hold what is shown, not what is referred to"""
_COLUMNS = ColumnLetters()


@dataclass(frozen=True, slots=True)
class Range:
    """A range of cells, from 1; 0 where it has no end. ``B:B`` has no rows, ``3:3`` no columns."""

    first_column: int = 0
    first_row: int = 0
    last_column: int = 0
    last_row: int = 0

    @property
    def has_columns(self) -> bool:
        """Whether it says which columns."""
        return self.first_column > 0

    @property
    def has_rows(self) -> bool:
        """Whether it says which rows."""
        return self.first_row > 0

    def holds(self, row: int, column: int) -> bool:
        """Whether a cell lies in it."""
        is_in_columns = not self.has_columns or self.first_column <= column <= self.last_column
        return is_in_columns and (not self.has_rows or self.first_row <= row <= self.last_row)


def parsed(text: bytes) -> Range:
    """``$B$3:$B$53`` in numbers; what cannot be a range counts as all cells."""
    first, colon, last = text.partition(b":")
    ends = []
    for end in (first, last if colon else first):
        match = _END.fullmatch(end)
        ends.append((_COLUMNS[match[1]] if match and match[1] else 0, int(match[2] or 0) if match else 0))
    (column, row), (last_column, last_row) = ends
    if not colon and not (column and row):
        return Range()
    return Range(min(column, last_column), min(row, last_row), max(column, last_column), max(row, last_row))


@dataclass(frozen=True, slots=True)
class Use:
    """One reference of the user's to a result sheet.

    sheet: the result sheet. cells: which of its cells. holder: the sheet of the user's that holds the reference, "" of
    a defined name. cell: where on it, "" where in no cell. kind: ``formula``, ``chart``, ``pivot table``, ``name x``, ``link``
    or, for conditional formats, drop-downs and sparklines, ``rule or sparkline``.
    """

    sheet: str
    cells: Range
    holder: str
    cell: str
    kind: str


class References:
    """All references of the user's to result sheets.

    uses: one by one. sheets: the sheets they name; in_formulas: of these, the ones that formulas and charts name.
    drawn_on: a sheet of ours whose cells are the user's too. passing: sheets that come and go, so that whoever names them in
    a text, as in ``INDIRECT("'mbs Problems'!B2")``, must count with their absence: that is no reference.
    """

    def __init__(self, package: Package, drawn_on: str = "", passing: Collection[str] = ()) -> None:
        self._package = package
        self._passing = passing
        own = own_sheets(package)
        ours = only_used_by(package, {part.part for part in own.values()})
        if drawn_on in own:
            ours.discard(own[drawn_on].part)
        self.uses: list[Use] = []
        self.sheets: set[str] = set()
        self.in_formulas: set[str] = set()
        for name in package.names:
            if name in ours or name == package.workbook or not name.endswith((".xml", ".vml")):
                continue
            self._look_into(name)
        self._look_at_names(set(own))
        self.uses = list(dict.fromkeys(self.uses))

    def _look_into(self, part: str) -> None:
        """Look at a part piece by piece: at each reference where what stands on both sides of it is there to be seen."""
        begin, is_within = 0, False
        for xml, following in pairwise(chain(self._package.pieces(part), [b""])):
            end = max(len(xml) - MAX_FIND_BYTES // 2, begin) if following else len(xml)
            if b"mbs " in xml:
                self._look_at(part, xml, begin, end, is_within=is_within)
            if following:
                shift = max(len(xml) - MAX_FIND_BYTES, 0)
                is_within = [is_within, *(opens for _, opens in _edges(xml, shift))][-1]
                begin = end - shift

    def _look_at(self, part: str, xml: bytes, begin: int, end: int, *, is_within: bool) -> None:
        """Look at references that begin between two places of a piece. is_within: it begins among the cells of a sheet."""
        edges = list(_edges(xml, len(xml)))
        opening = b"<c " if b"<c " in xml else b":c "
        for match in _REFERENCE.finditer(xml):
            if not begin <= match.start() < end:
                continue
            if match["source"]:
                source = _SOURCE_RANGE.search(match.group())
                cells = parsed(source.group(1)) if source else Range()
                self._add(
                    [match["source"].decode("utf-8", "replace")], cells, self._holders.get(part, ""), "", "pivot table"
                )
                continue
            cells, cell = parsed(match["cells"]), ""
            if [is_within, *(opens for at, opens in edges if at <= match.start())][-1]:
                start = xml.rfind(opening, 0, match.start())
                place = _PLACE.match(xml, start + 2)
                cell = place.group(1).decode() if place else ""
                cells = _spread(cells, xml[start : match.start()])
            within = _TAG.match(xml, xml.rfind(b"<", 0, match.start()))
            tag = within.group(1) if within else b""
            if tag in _TEXTS:
                self.sheets |= set(self._named(match))
                continue
            kind = "link" if tag == b"hyperlink" else "chart" if "/charts/" in part else "rule or sparkline"
            self._add(self._named(match), cells, self._holders.get(part, ""), cell, "formula" if cell else kind)
        for formula in _FORMULA.findall(xml):
            self.in_formulas |= {sheet for match in _REFERENCE.finditer(formula) for sheet in self._named(match)}

    def _look_at_names(self, own: set[str]) -> None:
        workbook = self._package.xml(self._package.workbook)
        ours, sheets = marks(workbook), parts.sheet_names(workbook)
        for name in workbook.iterfind(f"{{{MAIN}}}definedNames/{{{MAIN}}}definedName"):
            local = index(name.get("localSheetId", ""))
            if name in ours or (0 <= local < len(sheets) and sheets[local] in own):
                continue
            for match in _REFERENCE.finditer(f"{name.text}".encode()):
                self._add(self._named(match), parsed(match["cells"]), "", "", f"name {name.get('name')}")
                self.in_formulas |= set(self._named(match))

    def _named(self, match: re.Match[bytes]) -> list[str]:
        """The sheets of ``mbs Bodies``, or the first and the last of ``mbs Bodies:mbs Joints``."""
        sheets = match["sheets"].decode("utf-8", "replace").split(":")
        return [sheet for sheet in sheets if not (match["text"] and sheet in self._passing)]

    def _add(self, sheets: Iterable[str], cells: Range, holder: str, cell: str, kind: str) -> None:
        for sheet in sheets:
            self.sheets.add(sheet)
            self.uses.append(Use(sheet, cells, holder, cell, kind))

    @cached_property
    def _holders(self) -> dict[str, str]:
        """The sheet to which each part belongs."""
        holders: dict[str, str] = {}
        for sheet in [sheet for sheet in self._package.sheets if sheet.part]:
            for part in (sheet.part, *reachable_parts(self._package, parts_referred_to(self._package, sheet.part))):
                holders.setdefault(part, sheet.name)
        return holders


def _edges(xml: bytes, end: int) -> Iterator[tuple[int, bool]]:
    """The place in the XML of a sheet behind the tag at which its cells begin or end, and whether that tag opens them.

    They are sought by the end of their tags, for a search for plain bytes is many times as fast as a pattern.
    """
    at = xml.find(_CELLS_END, 0, end)
    while at >= 0:
        behind = at + len(_CELLS_END)
        tag = _CELLS.fullmatch(xml, max(xml.rfind(b"<", 0, at), 0), behind)
        if tag:
            yield behind, not tag[1]
        at = xml.find(_CELLS_END, behind, end)


def _spread(cells: Range, cell: bytes) -> Range:
    """All cells that a formula refers to which fills a range: its references move along. cell: its XML up to there."""
    filled = _FILLED.search(cell)
    if not filled or not cells.has_columns:
        return cells
    over = parsed(filled.group(1))
    wide, high = over.last_column - over.first_column, over.last_row - over.first_row
    last_row = cells.last_row + high if cells.has_rows else 0
    return Range(cells.first_column, cells.first_row, cells.last_column + wide, last_row)
