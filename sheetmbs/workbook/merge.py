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
from dataclasses import dataclass, field
from functools import partial
from itertools import chain, count
from types import MappingProxyType
from typing import IO
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from sheetmbs.workbook import parts
from sheetmbs.workbook.archive import unzip
from sheetmbs.workbook.formats import index
from sheetmbs.workbook.ownership import marks, own_sheets
from sheetmbs.workbook.package import MAIN, OFFICE_RELATIONSHIPS, PACKAGE_RELATIONSHIPS, Package, SheetPart
from sheetmbs.workbook.sheetxml import Setting, empty_sheet
from sheetmbs.workbook.styles import append_looks
from sheetmbs.workbook.zipcopy import ZipCopy

LEVEL = 1
"""of packing: the next ones take twice the time to save a tenth"""
LARGE = 1 << 31

CONTENT_TYPE = "application/vnd.openxmlformats-officedocument.{}+xml"
WORKSHEET = CONTENT_TYPE.format("spreadsheetml.worksheet")
STYLES = CONTENT_TYPE.format("spreadsheetml.styles")
DRAWING = CONTENT_TYPE.format("drawing")
CHART = CONTENT_TYPE.format("drawingml.chart")

Rows = Callable[[Setting], Iterator[bytes]]
"""the XML of a sheet, piece by piece"""


@dataclass(frozen=True)
class NewSheet:
    """A result sheet to be written.

    size: at most so many bytes of XML. drawing, charts: XML, chart n is ``rIdn``. is_last: it is stored after all others,
    wherever it stands in the workbook. ranges: of its cells, by the built-in names that say what programs do with them.
    """

    name: str
    rows: Rows
    size: int = 0
    drawing: bytes = b""
    charts: tuple[bytes, ...] = ()
    is_last: bool = False
    ranges: Mapping[str, str] = field(default_factory=dict)


class Merge:
    """A workbook with new result sheets, ready to be stored.

    sheets: what to write. keep: names of our sheets that stay as they are; all others go, but one to which something
    of the user's refers is emptied instead. emptied: what is left of sheets that come and go, by name. copy_of: name of
    the workbook that this is a copy of, or None.
    """

    def __init__(
        self,
        package: Package,
        sheets: Sequence[NewSheet],
        *,
        keep: Collection[str] = (),
        emptied: Mapping[str, Rows] = MappingProxyType({}),
        copy_of: str | None = None,
    ) -> None:
        self._package = package
        self._own = own_sheets(package)
        self._changed: dict[str, bytes] = {}
        self._added: list[tuple[str, Callable[[], Iterable[bytes]], int]] = []
        self._types: dict[str, str] = {}
        self._names = {name.casefold() for name in package.names}
        self._workbook = package.xml(package.workbook)
        self._relationships_part = _relationships_of(package.workbook)
        self._relationships = package.xml(self._relationships_part)

        wanted = {sheet.name for sheet in sheets}
        replaced = {name: part for name, part in self._own.items() if name in wanted or name not in keep}
        idle = {name: part for name, part in replaced.items() if name not in wanted}
        own_parts = self._only_used_by({part.part for part in self._own.values()})
        references = _References(package, self._own, own_parts, emptied.keys())
        left = [NewSheet(name, emptied.get(name, empty_sheet)) for name in idle if name in references.sheets]
        dropped = {name: part for name, part in idle.items() if name not in references.sheets}

        self._removed = self._only_used_by({part.part for part in replaced.values()})
        self._forget_calculation_chain(replaced)
        self._formats = self._append_styles()
        self._list_sheets([*sheets, *left], dropped)
        for sheet in sorted((*sheets, *left), key=lambda sheet: sheet.is_last):
            self._add_sheet(sheet)
            parts.name_ranges(self._workbook, sheet.name, sheet.ranges)
        if references.in_formulas & (wanted | set(idle)):
            parts.calculate_on_load(self._workbook)
        ours = wanted | {sheet.name for sheet in left} | (set(self._own) - set(replaced))
        self.sheets = tuple(name for name in parts.sheet_names(self._workbook) if name in ours)
        parts.set_marks(self._workbook, self.sheets, copy_of)
        self._finish()

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

    def _only_used_by(self, replaced: set[str]) -> set[str]:
        """The replaced sheet parts, and the parts that can be reached through them alone, with their relationships."""
        below = self._reach(
            [r.target for part in replaced for r in self._package.relationships(part).values() if not r.external],
            set(),
        )
        others = self._reach([r.target for r in self._package.relationships().values() if not r.external], replaced)
        gone = replaced | (below - others)
        return gone | {found for part in gone if (found := self._package.find(_relationships_of(part)))}

    def _reach(self, start: Iterable[str], closed: set[str]) -> set[str]:
        """All parts that relationships lead to, without passing through the ``closed`` ones."""
        reached: set[str] = set()
        todo = list(start)
        while todo:
            part = self._package.find(todo.pop())
            if part is None or part in reached or part in closed:
                continue
            reached.add(part)
            todo += [r.target for r in self._package.relationships(part).values() if not r.external]
        return reached

    def _forget_calculation_chain(self, replaced: Mapping[str, SheetPart]) -> None:
        """Drop the order of calculation if it lists cells of a sheet that goes: Excel takes that for damage.

        Ours hold no formulas; the user may have put some there. Excel makes a new list when it opens the workbook.
        """
        chain = self._package.related(self._package.workbook, "calcChain")
        pieces = (piece for part in replaced.values() for piece in self._package.pieces(part.part))
        if chain and any(re.search(rb"<(\w+:)?f[ >/]", piece) for piece in pieces):
            self._removed.add(chain)
            relationships = self._package.relationships(self._package.workbook).values()
            parts.drop_relationships(self._relationships, [r.id for r in relationships if r.kind == "calcChain"])

    def _append_styles(self) -> Mapping[str, int]:
        name = self._package.related(self._package.workbook, "styles")
        styles, formats = append_looks(self._package.read(name) if name else None)
        if styles is not None and name:
            self._changed[name] = styles
        elif styles is not None:
            name = self._new_name("styles{}.xml", chain([""], count(1)))
            parts.add_relationship(self._relationships, "styles", self._relative(name))
            self._add(name, STYLES, lambda: [styles])
        return formats

    def _list_sheets(self, sheets: Sequence[NewSheet], dropped: Mapping[str, SheetPart]) -> None:
        before = [sheet.name for sheet in self._package.sheets if sheet.kind == "worksheet"]
        parts.drop_sheets(self._workbook, dropped)
        parts.drop_relationships(self._relationships, [part.relationship for part in dropped.values()])
        self._places = {name: part.part for name, part in self._own.items()}
        self._names -= {name.casefold() for name in self._removed}
        self._names |= {self._places[sheet.name].casefold() for sheet in sheets if sheet.name in self._own}
        for sheet in sheets:
            if sheet.name not in self._own:
                self._places[sheet.name] = self._new_name("worksheets/sheet{}.xml")
                target = self._relative(self._places[sheet.name])
                relationship = parts.add_relationship(self._relationships, "worksheet", target)
                parts.add_sheet(self._workbook, sheet.name, relationship)
        new = [sheet.name for sheet in sheets if sheet.name not in self._own]
        after = [name for name in before if name not in dropped] + new
        properties = self._package.related("", "extended-properties")
        if properties and after != before:
            root = self._package.xml(properties)
            if parts.list_sheet_titles(root, before, after):
                self._changed[properties] = parts.serialised(root)

    def _add_sheet(self, sheet: NewSheet) -> None:
        part, drawing_id = self._places[sheet.name], ""
        if sheet.charts:
            drawing_id = "rId1"
            drawing = self._new_name("drawings/drawing{}.xml")
            charts = [self._new_name("charts/chart{}.xml") for _chart in sheet.charts]
            self._add(drawing, DRAWING, lambda: [sheet.drawing])
            self._add(_relationships_of(drawing), "", lambda: [_relationships("chart", drawing, charts)])
            for name, chart in zip(charts, sheet.charts, strict=True):
                self._add(name, CHART, partial(_whole, chart))
            self._add(_relationships_of(part), "", lambda: [_relationships("drawing", part, [drawing])])
        setting = Setting(self._formats, parts.active_sheet(self._workbook) == sheet.name, drawing_id)
        self._add(part, WORKSHEET, partial(sheet.rows, setting), sheet.size)

    def _add(self, name: str, content_type: str, chunks: Callable[[], Iterable[bytes]], size: int = 0) -> None:
        self._added.append((name, chunks, size))
        if content_type:
            self._types[name] = content_type

    def _new_name(self, pattern: str, numbers: Iterable[object] | None = None) -> str:
        """A part name beside the workbook's that no part has, nor will have. numbers: what to try, from 1 on."""
        folder = posixpath.dirname(self._package.workbook)
        names = (posixpath.join(folder, pattern.format(number)) for number in numbers or count(1))
        name = next(name for name in names if name.casefold() not in self._names)
        self._names.add(name.casefold())
        return name

    def _relative(self, name: str) -> str:
        return posixpath.relpath(name, posixpath.dirname(self._package.workbook) or ".")

    def _finish(self) -> None:
        types = self._package.xml("[Content_Types].xml")
        parts.set_content_types(types, self._removed, self._types)
        for name, root in (
            ("[Content_Types].xml", types),
            (self._package.workbook, self._workbook),
            (self._relationships_part, self._relationships),
        ):
            self._changed[self._package.find(name) or name] = parts.serialised(root)


class _References:
    """Which result sheets the user's own parts refer to.

    sheets: by any reference; in_formulas: by a formula. passing: sheets that come and go, so that whoever names them in a
    text, as in ``INDIRECT("'mbs Problems'!B2")``, must count with their absence: that is no reference.
    """

    _SHEET = re.compile(
        rb"((?<!=)\"|&quot;)?(?:'|&apos;)(?:\[\d+\])?(mbs [^'&<>\"]{1,60})(?:'|&apos;)!|\bsheet=\"(mbs [^\"]{1,60})\""
    )
    _FORMULA = re.compile(rb"<(?:\w+:)?f(?:\s[^>]*)?>[^<]*")

    def __init__(
        self, package: Package, own: Mapping[str, SheetPart], own_parts: set[str], passing: Collection[str]
    ) -> None:
        self._passing = passing
        self.sheets: set[str] = set()
        self.in_formulas: set[str] = set()
        for name in package.names:
            if name in own_parts or name == package.workbook or not name.endswith((".xml", ".vml")):
                continue
            for xml in package.pieces(name):
                if b"mbs " in xml:
                    self._look_at(xml)
        self._look_at_names(package, own)

    def _look_at(self, xml: bytes) -> None:
        self.sheets |= self._found(xml)
        for formula in self._FORMULA.findall(xml):
            self.in_formulas |= self._found(formula)

    def _look_at_names(self, package: Package, own: Mapping[str, SheetPart]) -> None:
        workbook = package.xml(package.workbook)
        ours = marks(workbook)
        sheets = parts.sheet_names(workbook)
        for name in workbook.iterfind(f"{{{MAIN}}}definedNames/{{{MAIN}}}definedName"):
            local = index(name.get("localSheetId", ""))
            if name in ours or (0 <= local < len(sheets) and sheets[local] in own):
                continue
            found = self._found(f"{name.text}".encode())
            self.sheets |= found
            self.in_formulas |= found

    def _found(self, xml: bytes) -> set[str]:
        found: set[str] = set()
        for match in self._SHEET.finditer(xml):
            sheets = set((match.group(2) or match.group(3)).decode("utf-8", "replace").split(":"))
            found |= sheets.difference(self._passing) if match.group(1) else sheets
        return found


def _whole(xml: bytes) -> list[bytes]:
    return [xml]


def _relationships_of(part: str) -> str:
    folder, base = posixpath.split(part)
    return posixpath.join(folder, "_rels", f"{base}.rels")


def _relationships(kind: str, part: str, targets: Sequence[str]) -> bytes:
    """A relationships part that leads from one part to others, the nth as ``rIdn``."""
    lines = "".join(
        f'<Relationship Id="rId{number}" Type="{OFFICE_RELATIONSHIPS}/{kind}"'
        f' Target="{posixpath.relpath(target, posixpath.dirname(part) or ".")}"/>'
        for number, target in enumerate(targets, start=1)
    )
    head = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
    return f'{head}<Relationships xmlns="{PACKAGE_RELATIONSHIPS}">{lines}</Relationships>'.encode()
