"""Result sheets merged into the package of a workbook.

Every part of the user's is taken over as it is packed. Changed are only the parts that list the others: content types,
the workbook and its relationships, styles (appended to), and the titles in the document properties. Sheets of an
earlier run are replaced in their places, under the same name, id and part, so that formulas and charts that refer to
them stay valid; what only they used goes with them. Merging the same sheets again gives the same bytes.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import chain, count
from types import MappingProxyType
from typing import IO
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from lxml import etree

from sheetmbs.problems.errors import Problem
from sheetmbs.workbook.package import parts
from sheetmbs.workbook.package.archive import unzip
from sheetmbs.workbook.package.ownership import own_sheets
from sheetmbs.workbook.package.package import (
    PACKAGE_RELATIONSHIPS,
    Package,
    SheetPart,
    only_used_by,
    parts_referred_to,
    reachable_parts,
    relationships_of,
    with_relationships,
)
from sheetmbs.workbook.package.partxml import parse_xml
from sheetmbs.workbook.package.references import References
from sheetmbs.workbook.package.styles import append_looks
from sheetmbs.workbook.package.zipcopy import ZipCopy
from sheetmbs.workbook.sheets.animationsheet import ScrollBar
from sheetmbs.workbook.sheets.cell_notes import note_shapes, note_texts
from sheetmbs.workbook.sheets.newsheet import Drawing, NewSheet, Rows
from sheetmbs.workbook.sheets.sheetxml import SheetSetting, empty_sheet

LEVEL = 1
"""of packing: the next ones take twice the time to save a tenth"""
LARGE = 1 << 31

CONTENT_TYPE = "application/vnd.openxmlformats-officedocument.{}+xml"
WORKSHEET = CONTENT_TYPE.format("spreadsheetml.worksheet")
STYLES = CONTENT_TYPE.format("spreadsheetml.styles")
DRAWING = CONTENT_TYPE.format("drawing")
CHART = CONTENT_TYPE.format("drawingml.chart")
OLD_DRAWING = "application/vnd.openxmlformats-officedocument.vmlDrawing"
COMMENTS = CONTENT_TYPE.format("spreadsheetml.comments")
CONTROL = "application/vnd.ms-excel.controlproperties+xml"

SELECTED = re.compile(rb"""(<(?:\w+:)?sheetView\b[^>]*?)\s+tabSelected=["'](?:1|true)["']""")
"""what says that a sheet is selected, which stands at its beginning"""
NO_RELATIONSHIPS = f'<Relationships xmlns="{PACKAGE_RELATIONSHIPS}"/>'.encode()


class WorkbookEdit:
    """The parts of a workbook that change, and those that come; all others stay as they are packed."""

    def __init__(self, package: Package) -> None:
        self._package = package
        self._changed: dict[str, bytes] = {}
        self._types: dict[str, str] = {}
        self._names = {name.casefold() for name in package.names}
        self._before = [sheet.name for sheet in package.sheets if sheet.kind == "worksheet"]
        self._workbook = package.xml(package.workbook)
        self._relationships_part = relationships_of(package.workbook)
        self._relationships = package.xml(self._relationships_part)

    def _add(self, name: str, content_type: str, chunks: Callable[[], Iterable[bytes]]) -> None:
        """Take in a new part. chunks: makes its bytes."""
        raise NotImplementedError

    def _append_styles(self, numbers: Iterable[object]) -> tuple[Mapping[str, int], Mapping[str, int]]:
        """The cell formats of all looks, and what the workbook has too many of, see `append_looks`. numbers: of a new part."""
        name = self._package.related(self._package.workbook, "styles")
        styles, formats, full = append_looks(self._package.read(name) if name else None)
        if styles is not None and name:
            self._changed[name] = styles
        elif styles is not None:
            name = self._new_name("styles{}.xml", numbers)
            parts.add_relationship(self._relationships, "styles", self._relative(name))
            self._add(name, STYLES, partial(_whole, styles))
        return formats, full

    def _list_sheet(self, sheet: str, following: str | None) -> str:
        """List a new sheet before another one, or last; returns the name of its part."""
        part = self._new_name("worksheets/sheet{}.xml")
        relationship = parts.add_relationship(self._relationships, "worksheet", self._relative(part))
        parts.add_sheet(self._workbook, sheet, relationship, following)
        return part

    def _list_titles(self, sheets: Iterable[str]) -> None:
        """Bring the titles in the document properties up to date. sheets: names of new worksheets."""
        worksheets = {*self._before, *sheets}
        after = [name for name in parts.sheet_names(self._workbook) if name in worksheets]
        properties = self._package.related("", "extended-properties")
        if properties and after != self._before:
            root = self._package.xml(properties)
            if parts.list_sheet_titles(root, self._before, after):
                self._changed[properties] = parts.serialised(root)

    def _new_name(self, pattern: str, numbers: Iterable[object] | None = None) -> str:
        """A part name beside the workbook's that no part has, nor will have. numbers: what to try, from 1 on."""
        folder = posixpath.dirname(self._package.workbook)
        names = (posixpath.join(folder, pattern.format(number)) for number in numbers or count(1))
        name = next(name for name in names if name.casefold() not in self._names)
        self._names.add(name.casefold())
        return name

    def _relative(self, name: str) -> str:
        return _from(self._package.workbook, name)

    def _store_listings(self, removed: Iterable[str]) -> None:
        """Change the parts that list the others. removed: names of parts that go."""
        types = self._package.xml("[Content_Types].xml")
        parts.set_content_types(types, removed, self._types)
        for name, root in (
            ("[Content_Types].xml", types),
            (self._package.workbook, self._workbook),
            (self._relationships_part, self._relationships),
        ):
            self._changed[self._package.find(name) or name] = parts.serialised(root)


class Merge(WorkbookEdit):
    """A workbook with new result sheets, ready to be stored.

    sheets: what to write. references: of the user's to our sheets, looked for unless given. keep: names of our sheets that
    stay as they are; all others go, but one to which something of the user's refers is emptied instead. emptied: what is
    left of sheets that come and go, by name. copy_of: name of the workbook that this is a copy of, or None. printed: ranges
    that are printed of sheets of the user's which have no print area.
    """

    def __init__(
        self,
        package: Package,
        sheets: Sequence[NewSheet],
        references: References | None = None,
        *,
        keep: Collection[str] = (),
        emptied: Mapping[str, Rows] = MappingProxyType({}),
        copy_of: str | None = None,
        printed: Mapping[str, str] = MappingProxyType({}),
    ) -> None:
        references = references or References(package, passing=emptied.keys())
        super().__init__(package)
        self._own = own_sheets(package)
        self._added: list[tuple[str, Callable[[], Iterable[bytes]], int]] = []
        wanted = {sheet.name for sheet in sheets}
        replaced = {name: part for name, part in self._own.items() if name in wanted or name not in keep}
        idle = {name: part for name, part in replaced.items() if name not in wanted}
        left = [NewSheet(name, emptied.get(name, empty_sheet)) for name in idle if name in references.sheets]
        dropped = {name: part for name, part in idle.items() if name not in references.sheets}

        removed = only_used_by(package, {part.part for part in replaced.values()})
        self._removed = with_relationships(package, removed - self._kept(sheets))
        edited = {sheet.name for sheet in sheets if sheet.is_edited}
        self._forget_calculation_chain(part for name, part in replaced.items() if name not in edited)
        self._formats, full = self._append_styles(chain([""], count(1)))
        self.problems = tuple(_too_many(package.path.name, *each) for each in full.items())
        self._list_sheets([*sheets, *left], dropped)
        self._activate([*sheets, *left])
        for name, cells in printed.items():  # before the names of results, which the next run writes behind them again
            parts.add_print_area(self._workbook, name, cells)
        for sheet in sorted((*sheets, *left), key=lambda sheet: sheet.is_last):
            self._add_sheet(sheet)
            if not sheet.is_edited:
                parts.name_ranges(self._workbook, sheet.name, sheet.ranges)
        if references.in_formulas & (wanted | set(idle)):
            parts.calculate_on_load(self._workbook)
        ours = dict.fromkeys(self._own.keys() - replaced.keys(), "") | {s.name: s.cells for s in (*sheets, *left)}
        self.sheets = tuple(name for name in parts.sheet_names(self._workbook) if name in ours)
        parts.set_marks(self._workbook, {name: ours[name] for name in self.sheets}, copy_of)
        self._store_listings(self._removed)

    def write(self, file: IO[bytes]) -> None:
        """Store the merged workbook."""
        content = self._package.content
        with ZipCopy(file, "w", ZIP_DEFLATED, compresslevel=LEVEL) as target, self._source() as source:
            target.comment = source.comment
            for entry in source.infolist():
                if entry.filename in self._changed:
                    target.writestr(ZipInfo(entry.filename), self._changed[entry.filename], ZIP_DEFLATED, LEVEL)
                elif entry.filename not in self._removed:
                    target.take(content, entry)
            for name, chunks, size in self._added:
                target.pack(name, chunks(), LEVEL, is_large=size > LARGE)

    @property
    def new_parts(self) -> dict[str, str]:
        """The parts that are changed or added, with the content types of those that are declared one by one."""
        return {name: self._types.get(name, "") for name in (*self._changed, *(part for part, *_ in self._added))}

    def untouched(self) -> Iterator[ZipInfo]:
        """The entries that are taken over as they are."""
        with self._source() as source:
            for entry in source.infolist():
                if entry.filename not in self._changed and entry.filename not in self._removed:
                    yield entry

    def _source(self) -> ZipFile:
        return unzip(self._package.content)

    def _kept(self, sheets: Sequence[NewSheet]) -> set[str]:
        """The parts of our sheets that stay: drawings, and everything of a sheet that is edited."""
        kept: set[str] = set()
        for sheet in sheets:
            if sheet.name not in self._own:
                continue
            part = self._own[sheet.name].part
            drawing = self._drawing_of(sheet)
            if sheet.is_edited:
                arrows = self._package.relationships(part).values()
                others = parts_referred_to(
                    self._package, part, [arrow.id for arrow in arrows if arrow.kind == "drawing"]
                )
                kept |= reachable_parts(self._package, others, {part})
            if drawing and sheet.drawing:
                targets = parts_referred_to(self._package, drawing, sheet.drawing.gone)
                kept |= {drawing} | reachable_parts(self._package, targets, {part})
            kept |= reachable_parts(self._package, sheet.tables, {part})
        return kept

    def _drawing_of(self, sheet: NewSheet) -> str | None:
        """The drawing part that a sheet has and keeps."""
        if sheet.name not in self._own or sheet.drawing is None or sheet.drawing.is_new:
            return None
        return self._package.related(self._own[sheet.name].part, "drawing")

    def _forget_calculation_chain(self, replaced: Iterable[SheetPart]) -> None:
        """Drop the order of calculation if it lists cells of a sheet that goes: Excel takes that for damage.

        Excel makes a new list when it opens the workbook.
        """
        chain = self._package.related(self._package.workbook, "calcChain")
        pieces = (piece for part in replaced for piece in self._package.pieces(part.part))
        if chain and any(re.search(rb"<(\w+:)?f[ >/]", piece) for piece in pieces):
            self._removed.add(chain)
            relationships = self._package.relationships(self._package.workbook).values()
            parts.drop_relationships(self._relationships, [r.id for r in relationships if r.kind == "calcChain"])

    def _list_sheets(self, sheets: Sequence[NewSheet], dropped: Mapping[str, SheetPart]) -> None:
        parts.drop_sheets(self._workbook, dropped)
        parts.drop_relationships(self._relationships, [part.relationship for part in dropped.values()])
        self._places = {name: part.part for name, part in self._own.items()}
        self._names -= {name.casefold() for name in self._removed}
        self._names |= {self._places[sheet.name].casefold() for sheet in sheets if sheet.name in self._own}
        # where one of them is to be seen first, new ones take their places among those of an earlier run
        are_ordered = any(sheet.is_active for sheet in sheets)
        for number, sheet in enumerate(sheets):
            if sheet.name not in self._own:
                later = (other.name for other in sheets[number + 1 :] if are_ordered and other.name in self._own)
                self._places[sheet.name] = self._list_sheet(sheet.name, next(later, None))
        self._list_titles(sheet.name for sheet in sheets)

    def _activate(self, sheets: Sequence[NewSheet]) -> None:
        """Have one of the sheets shown when the workbook opens, and no other one selected with it: both would be edited."""
        active = next((sheet.name for sheet in sheets if sheet.is_active), None)
        if active is None:
            return
        parts.activate(self._workbook, active)
        written = {sheet.name for sheet in sheets}
        for other in self._package.sheets:
            if other.name in written or not other.part or other.part in self._removed:
                continue
            if SELECTED.search(next(self._package.stream(other.part), b"")):
                content = self._package.read(other.part)
                self._changed[other.part] = SELECTED.sub(rb"\1", content, count=1)

    def _add_sheet(self, sheet: NewSheet) -> None:
        part = self._places[sheet.name]
        arrows = self._relationships_in(part if sheet.is_edited else None)
        drawing_id = self._add_drawing(sheet, sheet.drawing, part, arrows) if sheet.drawing else ""
        table_ids = [parts.add_relationship(arrows, "table", _from(part, table)) for table in sheet.tables]
        self._changed |= sheet.tables
        scroll = self._add_scroll_bar(sheet.scroll, part, arrows) if sheet.scroll else ("", "")
        notes = self._add_notes(sheet.notes, part, arrows) if sheet.notes else ""
        self._store_relationships(part, arrows)
        is_active = parts.active_sheet(self._workbook) == sheet.name
        setting = SheetSetting(self._formats, is_active, drawing_id, tuple(table_ids), scroll, notes)
        self._add(part, WORKSHEET, partial(sheet.rows, setting), sheet.size)

    def _add_drawing(self, sheet: NewSheet, drawing: Drawing, part: str, arrows: etree._Element) -> str:
        """The drawing of a sheet, with its charts; returns the id of the relationship among ``arrows`` that leads to it."""
        known = self._drawing_of(sheet)
        name = known or self._new_name("drawings/drawing{}.xml")
        before = self._package.relationships(known) if known else {}
        to_charts = self._relationships_in(known)
        parts.drop_relationships(to_charts, drawing.gone)
        for key, chart in drawing.charts.items():
            if key in before:
                self._changed[self._package.find(before[key].target) or before[key].target] = chart
                continue
            target = self._new_name("charts/chart{}.xml")
            self._add(target, CHART, partial(_whole, chart))
            parts.add_relationship(to_charts, "chart", _from(name, target), key)
        for key, target in drawing.pictures.items():
            parts.add_relationship(to_charts, "image", _from(name, target), key)
        if drawing.gone or drawing.pictures or drawing.charts.keys() - before.keys():
            self._store_relationships(name, to_charts)
        if drawing.xml is not None and known:
            self._changed[name] = drawing.xml
        elif drawing.xml is not None:
            self._add(name, DRAWING, partial(_whole, drawing.xml))
        found = [arrow.get("Id", "") for arrow in arrows if arrow.get("Type", "").endswith("/drawing")]
        if known and found:
            return found[0]
        parts.drop_relationships(arrows, found)
        return parts.add_relationship(arrows, "drawing", _from(part, name))

    def _add_scroll_bar(self, bar: ScrollBar, part: str, arrows: etree._Element) -> tuple[str, str]:
        """The two parts of a scroll bar; returns the ids of the relationships among ``arrows`` that lead to them."""
        shape, properties = self._new_name("drawings/vmlDrawing{}.vml"), self._new_name("ctrlProps/ctrlProp{}.xml")
        self._add(shape, OLD_DRAWING, partial(_whole, bar.shape_part()))
        self._add(properties, CONTROL, partial(_whole, bar.properties_part()))
        to_shape = parts.add_relationship(arrows, "vmlDrawing", _from(part, shape))
        return to_shape, parts.add_relationship(arrows, "ctrlProp", _from(part, properties))

    def _add_notes(self, notes: Mapping[tuple[int, int], str], part: str, arrows: etree._Element) -> str:
        """The two parts of the notes on cells; returns the id of the relationship that leads to their shapes."""
        shapes, texts = self._new_name("drawings/vmlDrawing{}.vml"), self._new_name("comments{}.xml")
        self._add(shapes, OLD_DRAWING, partial(note_shapes, notes))
        self._add(texts, COMMENTS, partial(note_texts, notes))
        parts.add_relationship(arrows, "comments", _from(part, texts))
        return parts.add_relationship(arrows, "vmlDrawing", _from(part, shapes))

    def _relationships_in(self, part: str | None) -> etree._Element:
        """The relationships of a part, to be changed; none for a new part."""
        name = self._package.find(relationships_of(part)) if part else None
        return self._package.xml(name) if name else parse_xml(NO_RELATIONSHIPS, "")

    def _store_relationships(self, part: str, relationships: etree._Element) -> None:
        name = self._package.find(relationships_of(part))
        if name and name not in self._removed:
            self._changed[name] = parts.serialised(relationships)
        elif len(relationships):
            self._add(relationships_of(part), "", partial(_whole, parts.serialised(relationships)))

    def _add(self, name: str, content_type: str, chunks: Callable[[], Iterable[bytes]], size: int = 0) -> None:
        self._added.append((name, chunks, size))
        if content_type:
            self._types[name] = content_type


def _too_many(book: str, kind: str, held: int) -> Problem:
    return Problem(
        "too-many-formats",
        "warning",
        "",
        f"{book} has {held:,} {kind}",
        "Excel opens no more than that, so some formats of the result sheets are left out",
        "delete styles and formats that nothing uses (sheets copied from other workbooks bring them)",
    )


def _whole(xml: bytes) -> list[bytes]:
    return [xml]


def _from(part: str, target: str) -> str:
    """The path of a part relative to another one."""
    return posixpath.relpath(target, posixpath.dirname(part) or ".")
