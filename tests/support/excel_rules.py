"""What Excel demands of a workbook beyond the schemas: where one of these is broken, it offers to repair the file.

`broken_rules` reads the parts by itself, so that it does not share a mistake with the program.
"""

from __future__ import annotations

import posixpath
import re
import zipfile
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import cache
from io import BytesIO
from math import isfinite
from pathlib import Path

from lxml import etree

MAIN = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"
OFFICE = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}"
PACKAGE = "{http://schemas.openxmlformats.org/package/2006/relationships}"
TYPES = "{http://schemas.openxmlformats.org/package/2006/content-types}"
PLACED = "{http://schemas.openxmlformats.org/drawingml/2006/spreadsheetDrawing}"
CHART = "{http://schemas.openxmlformats.org/drawingml/2006/chart}"
EXTENDED = "{http://schemas.openxmlformats.org/officeDocument/2006/extended-properties}"
VARIANT = "{http://schemas.openxmlformats.org/officeDocument/2006/docPropsVTypes}"
RELATIONSHIPS = "application/vnd.openxmlformats-package.relationships+xml"

LIMITS = {"row": 1_048_576, "column": 16_384, "text": 32_767, "width": 255.0, "series": 255, "name": 255}
MOST_STYLES = {"cellXfs": 65_490, "fonts": 65_490}
SMALLEST_NUMBER = 2.2250738585072014e-308
SHEET_IN = re.compile(r"'((?:[^']|'')+)'!|(?<![\w.\]])([^\W\d][\w.]*)!")
ESCAPE = re.compile(r"_x([0-9A-Fa-f]{4})_")


def contents(book: Path | bytes) -> dict[str, bytes]:
    """Every part of a workbook by its name. book: the file, or its bytes."""
    with zipfile.ZipFile(BytesIO(book) if isinstance(book, bytes) else book) as archive:
        return {name: archive.read(name) for name in archive.namelist() if not name.endswith("/")}


class Book:
    """A workbook as an archive of parts."""

    def __init__(self, book: Path | bytes) -> None:
        self.parts = contents(book)
        self._roots: dict[str, etree._Element] = {}

    def root(self, part: str) -> etree._Element:
        """The root of a part, which no rule changes."""
        if part not in self._roots:
            self._roots[part] = etree.fromstring(self.parts[part])
        return self._roots[part]

    def arrows(self, part: str) -> dict[str, tuple[str, str]]:
        """Kind and target of the relationships of a part that lead to other parts, by id."""
        folder, base = posixpath.split(part)
        rels = posixpath.join(folder, "_rels", f"{base}.rels")
        if rels not in self.parts:
            return {}
        found = {}
        for arrow in self.root(rels).iter(f"{PACKAGE}Relationship"):
            if arrow.get("TargetMode") != "External":
                target = posixpath.normpath(posixpath.join("/", folder, arrow.get("Target"))).lstrip("/")
                found[arrow.get("Id")] = (arrow.get("Type").rpartition("/")[2], target)
        return found

    def target(self, part: str, kind: str) -> str:
        """The part to which the first relationship of a kind leads, or ""."""
        return next((target for found, target in self.arrows(part).values() if found == kind), "")

    @property
    def workbook(self) -> str:
        return self.target("", "officeDocument")


def broken_rules(file: Path | bytes) -> list[str]:
    """A line for each rule that a workbook breaks."""
    book = Book(file)
    return [
        f"{part}: {found}"
        for check in (_types, _relationships, _list_of_sheets, _names, _views, _styles, _sheets, _properties)
        for part, found in check(book)
    ]


Found = Iterator[tuple[str, str]]


def _twice(things: Iterable[object]) -> list[object]:
    return [thing for thing, count in Counter(things).items() if count > 1]


def _number(letters: str) -> int:
    number = 0
    for letter in letters:
        number = number * 26 + ord(letter) - 64
    return number


@cache
def _corners(reference: str) -> tuple[int, int, int, int]:
    """First column and row, last column and row of ``A1:C7``."""
    ends = re.fullmatch(r"([A-Z]{1,3})(\d+)(?::([A-Z]{1,3})(\d+))?", reference.replace("$", ""))
    assert ends, reference
    return _number(ends[1]), int(ends[2]), _number(ends[3] or ends[1]), int(ends[4] or ends[2])


def _types(book: Book) -> Found:
    part = "[Content_Types].xml"
    root = book.root(part)
    defaults = [e.get("Extension").casefold() for e in root.iter(f"{TYPES}Default")]
    overrides = {e.get("PartName").casefold(): e.get("ContentType") for e in root.iter(f"{TYPES}Override")}
    listed = [e.get("PartName").casefold() for e in root.iter(f"{TYPES}Override")]
    names = {f"/{name}".casefold() for name in book.parts}
    for twice in (*_twice(defaults), *_twice(listed)):
        yield part, f"{twice} stands there twice"
    for gone in set(listed) - names:
        yield part, f"{gone} has a type but is not there"
    kinds = {e.get("Extension").casefold(): e.get("ContentType") for e in root.iter(f"{TYPES}Default")}
    for name in sorted(names - {f"/{part}".casefold()}):
        kind = overrides.get(name) or kinds.get(name.rpartition(".")[2])
        if not kind:
            yield part, f"{name} has no type"
        elif name.endswith(".rels") and kind != RELATIONSHIPS:
            yield part, f"{name} has the type {kind}"


def _relationships(book: Book) -> Found:
    for name in [name for name in book.parts if name.endswith(".rels")]:
        folder, base = posixpath.split(name)
        source = posixpath.join(posixpath.dirname(folder), base.removesuffix(".rels"))
        if source and source not in book.parts:
            yield name, f"the part {source} is not there"
        for twice in _twice(arrow.get("Id") for arrow in book.root(name)):
            yield name, f"the id {twice} stands there twice"
        for key, (_, target) in book.arrows(source).items():
            if target not in book.parts:
                yield name, f"{key} leads to {target}, which is not there"


def _list_of_sheets(book: Book) -> Found:
    part = book.workbook
    sheets = list(book.root(part).find(f"{MAIN}sheets"))
    arrows = book.arrows(part)
    names = [sheet.get("name").casefold() for sheet in sheets]
    for twice in (*_twice(sheet.get("sheetId") for sheet in sheets), *_twice(names)):
        yield part, f"two sheets have the id or name {twice}"
    for sheet in sheets:
        name, key = sheet.get("name"), sheet.get(f"{OFFICE}id")
        if not 0 < _units(name) <= 31 or re.search(r"[\[\]:*?/\\\x00-\x1f]|^'|'$", name):
            yield part, f"{name!r} cannot be a name of a sheet"
        if not 0 < int(sheet.get("sheetId")) <= 65_534:
            yield part, f"{name} has the id {sheet.get('sheetId')}"
        if key and key not in arrows:
            yield part, f"{name} refers to {key}, which is not there"


def _names(book: Book) -> Found:
    part = book.workbook
    root = book.root(part)
    listed = list(root.iter(f"{MAIN}definedName"))
    for twice in _twice((name.get("name").casefold(), name.get("localSheetId")) for name in listed):
        yield part, f"the name {twice} is defined twice"
    for name in listed:
        if int(name.get("localSheetId", 0)) >= len(root.find(f"{MAIN}sheets")):
            yield part, f"{name.get('name')} belongs to sheet {name.get('localSheetId')}"
        if not re.fullmatch(r"[^\W\d][\w.\\?]*|_xlnm\.\w+", name.get("name")):
            yield part, f"{name.get('name')} cannot be a defined name"
        if name.get("name").startswith("_sheetmbs."):
            yield from ((part, found) for found in _unknown_sheets(book, name.text))


def _views(book: Book) -> Found:
    part = book.workbook
    root = book.root(part)
    for view in root.iter(f"{MAIN}workbookView"):
        for shown in ("activeTab", "firstSheet"):
            if int(view.get(shown, 0)) >= len(root.find(f"{MAIN}sheets")):
                yield part, f"{shown} is {view.get(shown)}"
    chosen = [name for name, sheet in _worksheets(book) if _is_selected(book.root(sheet))]
    if len(chosen) > 1:
        yield part, f"the sheets {', '.join(chosen)} are selected at once"


def _units(text: str) -> int:
    """Length as Excel counts it, in units of UTF-16."""
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


def _is_selected(sheet: etree._Element) -> bool:
    return any(view.get("tabSelected") in ("1", "true") for view in sheet.iter(f"{MAIN}sheetView"))


def _worksheets(book: Book) -> Iterator[tuple[str, str]]:
    arrows = book.arrows(book.workbook)
    for sheet in book.root(book.workbook).find(f"{MAIN}sheets"):
        kind, part = arrows.get(sheet.get(f"{OFFICE}id"), ("", ""))
        if kind == "worksheet" and part in book.parts:
            yield sheet.get("name"), part


def _unknown_sheets(book: Book, formula: str) -> Iterator[str]:
    known = {sheet.get("name").casefold() for sheet in book.root(book.workbook).find(f"{MAIN}sheets")}
    outside_texts = re.sub(r'"[^"]*"', "", formula)
    for match in SHEET_IN.finditer(outside_texts):
        name = (match[1] or match[2]).replace("''", "'")
        if name.casefold() not in known and "[" not in name:
            yield f"{formula} refers to {name}, which is not there"


def _styles(book: Book) -> Found:
    part = book.target(book.workbook, "styles")
    if not part:
        return
    root = book.root(part)
    sizes = {}
    for name in ("numFmts", "fonts", "fills", "borders", "cellStyleXfs", "cellXfs", "cellStyles", "dxfs"):
        found = root.find(f"{MAIN}{name}")
        sizes[name] = 0 if found is None else sum(isinstance(e.tag, str) for e in found)
        if found is not None and int(found.get("count", sizes[name])) != sizes[name]:
            yield part, f"{name} counts {found.get('count')} of {sizes[name]}"
        if sizes[name] > MOST_STYLES.get(name, sizes[name]):
            yield part, f"{sizes[name]} {name}"
    formats = [f.get("numFmtId") for f in root.iterfind(f"{MAIN}numFmts/{MAIN}numFmt")]
    for twice in _twice(formats):
        yield part, f"two number formats have the id {twice}"
    for place, xf in enumerate(root.iterfind(f"{MAIN}cellXfs/{MAIN}xf")):
        yield from ((part, f"format {place} refers to {found}") for found in _astray(xf, sizes, formats))


def _astray(xf: etree._Element, sizes: dict[str, int], formats: list[str]) -> Iterator[str]:
    """What a cell format refers to that is not there."""
    for attribute, name in (
        ("fontId", "fonts"),
        ("fillId", "fills"),
        ("borderId", "borders"),
        ("xfId", "cellStyleXfs"),
    ):
        if int(xf.get(attribute, 0)) >= max(sizes[name], 1):
            yield f"{attribute} {xf.get(attribute)} of {sizes[name]}"
    if int(xf.get("numFmtId", 0)) >= 164 and xf.get("numFmtId") not in formats:
        yield f"the number format {xf.get('numFmtId')}"


def _sheets(book: Book) -> Found:
    styles = book.target(book.workbook, "styles")
    strings = book.target(book.workbook, "sharedStrings")
    formats = len(book.root(styles).findall(f"{MAIN}cellXfs/{MAIN}xf")) if styles else 1
    texts = len(book.root(strings).findall(f"{MAIN}si")) if strings else 0
    for _, part in _worksheets(book):
        root = book.root(part)
        yield from ((part, found) for found in _cells(root, formats, texts))
        for check in (_extent, _columns, _breaks):
            yield from ((part, found) for found in check(root))
        yield from ((part, found) for found in _links(book, part, root))
        for kind, target in book.arrows(part).values():
            if kind == "drawing" and target in book.parts:
                yield from _drawing(book, target)


def _cells(root: etree._Element, formats: int, texts: int) -> Iterator[str]:
    """Rules for the cells of a sheet."""
    last_row = 0
    for row in root.iter(f"{MAIN}row"):
        number = int(row.get("r", last_row + 1))
        if not last_row < number <= LIMITS["row"]:
            yield f"row {number} follows row {last_row}"
        last_row, last_column = number, 0
        for cell in row.iter(f"{MAIN}c"):
            name = cell.get("r")
            column, at, _, _ = _corners(name) if name else (last_column + 1, number, 0, 0)
            if at != number or not last_column < column <= LIMITS["column"]:
                yield f"{name} stands in row {number} behind column {last_column}"
            last_column = column
            if int(cell.get("s", 0)) >= formats:
                yield f"{name} has the format {cell.get('s')} of {formats}"
            found = _value(cell, texts)
            if found:
                yield f"{name} holds {found}"


def _value(cell: etree._Element, texts: int) -> str:
    """What is wrong with the content of a cell, or ""."""
    kind, value = cell.get("t", "n"), cell.find(f"{MAIN}v")
    text = "" if value is None else value.text or ""
    if kind == "n" and text:
        return "" if _is_number(text) else f"the number {text}"
    if kind == "s":
        return "" if text and int(text) < texts else f"the text {text} of {texts}"
    written = list(cell.iter(f"{MAIN}t", f"{MAIN}v"))
    if kind in ("inlineStr", "str"):
        length = sum(_units(ESCAPE.sub("x", e.text or "")) for e in written)
        if length > LIMITS["text"]:
            return f"{length} characters"
        for e in written:
            if (e.text or "").strip() != (e.text or "") and not e.get("{http://www.w3.org/XML/1998/namespace}space"):
                return "blanks at an end that get lost"
    return ""


def _is_number(text: str) -> bool:
    """Whether it is a number that Excel can hold."""
    try:
        number = float(text)
    except ValueError:
        return False
    return isfinite(number) and (number == 0 or abs(number) >= SMALLEST_NUMBER)


def _extent(root: etree._Element) -> Iterator[str]:
    cells = [_corners(cell.get("r")) for cell in root.iter(f"{MAIN}c") if cell.get("r")]
    dimension = root.find(f"{MAIN}dimension")
    if dimension is not None and cells:
        used = (max(cell[0] for cell in cells), max(cell[1] for cell in cells))
        if _corners(dimension.get("ref"))[2:] != used:
            yield f"dimension is {dimension.get('ref')}, the last cell is in column {used[0]}, row {used[1]}"


def _columns(root: etree._Element) -> Iterator[str]:
    last = 0
    for column in root.iter(f"{MAIN}col"):
        low, high = int(column.get("min")), int(column.get("max"))
        if not last < low <= high <= LIMITS["column"]:
            yield f"columns {low} to {high} follow column {last}"
        last = high
        if not 0 <= float(column.get("width", 0)) <= LIMITS["width"]:
            yield f"column {low} has the width {column.get('width')}"


def _breaks(root: etree._Element) -> Iterator[str]:
    breaks = root.find(f"{MAIN}rowBreaks")
    if breaks is not None and int(breaks.get("count", 0)) != len(breaks):
        yield f"there are {len(breaks)} page breaks, not {breaks.get('count')}"


def _links(book: Book, part: str, root: etree._Element) -> Iterator[str]:
    """Rules for what a sheet leads to."""
    rels = posixpath.join(posixpath.dirname(part), "_rels", f"{posixpath.basename(part)}.rels")
    keys = {arrow.get("Id") for arrow in book.root(rels)} if rels in book.parts else set()
    for element in root.iter(*(f"{MAIN}{tag}" for tag in ("drawing", "legacyDrawing", "tablePart", "hyperlink"))):
        key = element.get(f"{OFFICE}id")
        if key is not None and key not in keys:
            yield f"{etree.QName(element).localname} leads to {key}, which is not there"
    for link in root.iter(f"{MAIN}hyperlink"):
        if link.get(f"{OFFICE}id") is None:
            yield from _unknown_sheets(book, link.get("location", ""))
        if _units(link.get("location", "")) > 2_083 or _units(link.get("tooltip", "")) > 255:
            yield f"the link at {link.get('ref')} is too long"
    for kind, target in book.arrows(part).values():
        if kind == "table" and target in book.parts:
            yield from _table(book.root(target), root)


def _table(table: etree._Element, sheet: etree._Element) -> Iterator[str]:
    """Rules for a table of the user's: its headers are the texts in its first row, no two alike."""
    first, top, last, bottom = _corners(table.get("ref"))
    names = [column.get("name") for column in table.iter(f"{MAIN}tableColumn")]
    if len(names) != last - first + 1 or bottom <= top:
        yield f"table {table.get('name')} has {len(names)} columns in {table.get('ref')}"
    for twice in _twice(name.casefold() for name in names):
        yield f"table {table.get('name')} has two columns {twice}"
    inline = {
        cell.get("r"): "".join(t.text or "" for t in cell.iter(f"{MAIN}t"))
        for cell in sheet.iter(f"{MAIN}c")
        if cell.get("t") == "inlineStr"
    }
    at = {_corners(place)[:2]: text for place, text in inline.items()}
    for place, name in enumerate(names):
        header = at.get((first + place, top), name)
        if header.casefold() != name.casefold():
            yield f"table {table.get('name')} has a column {name} under the header {header}"


def _drawing(book: Book, part: str) -> Found:
    root = book.root(part)
    known = [e.get("id") for e in root.iter(f"{PLACED}cNvPr")]
    for twice in _twice(known):
        yield part, f"two objects have the id {twice}"
    for e in root.iter(f"{PLACED}cNvPr"):
        if _units(e.get("name", "")) > LIMITS["name"]:
            yield part, f"an object's name has {_units(e.get('name'))} characters"
    arrows = book.arrows(part)
    for frame in root.iter(f"{CHART}chart"):
        kind, target = arrows.get(frame.get(f"{OFFICE}id"), ("", ""))
        if kind != "chart":
            yield part, f"a frame leads to {frame.get(f'{OFFICE}id')}"
        elif target in book.parts:
            yield from ((target, found) for found in _chart(book, book.root(target)))


def _chart(book: Book, root: etree._Element) -> Iterator[str]:
    yield from _axes(root)
    lines = list(root.iter(f"{CHART}ser"))
    if len(lines) > LIMITS["series"]:
        yield f"{len(lines)} series"
    for tag in ("idx", "order"):
        for twice in _twice(number.get("val") for line in lines for number in line.findall(f"{CHART}{tag}")):
            yield f"two series have the {tag} {twice}"
    for held in root.iter(f"{CHART}numCache", f"{CHART}strCache"):
        yield from _cache(held)
    for formula in root.iter(f"{CHART}f"):
        yield from _unknown_sheets(book, formula.text or "")


def _axes(root: etree._Element) -> Iterator[str]:
    kinds = ("valAx", "catAx", "dateAx", "serAx")
    axes = {axis.find(f"{CHART}axId").get("val"): axis for kind in kinds for axis in root.iter(f"{CHART}{kind}")}
    for key, axis in axes.items():
        if axis.find(f"{CHART}crossAx").get("val") not in axes:
            yield f"axis {key} crosses none"
        places = (f"{CHART}scaling/{CHART}min", f"{CHART}scaling/{CHART}max", f"{CHART}majorUnit")
        low, high, tick = (axis.find(place) for place in places)
        if low is not None and high is not None and not float(low.get("val")) < float(high.get("val")):
            yield f"axis {key} reaches from {low.get('val')} to {high.get('val')}"
        if tick is not None and not 0 < float(tick.get("val")) < float("inf"):
            yield f"axis {key} has ticks every {tick.get('val')}"
    for key in root.iterfind(f"{CHART}chart/{CHART}plotArea/*/{CHART}axId"):
        if key.get("val") not in axes:
            yield f"a plot lies on axis {key.get('val')}, which is not there"


def _cache(cache: etree._Element) -> Iterator[str]:
    counted = cache.find(f"{CHART}ptCount")
    if counted is None:
        return
    count = int(counted.get("val"))
    points = [int(point.get("idx")) for point in cache.iter(f"{CHART}pt")]
    formula = cache.getparent().findtext(f"{CHART}f")
    if points != sorted(set(points)) or any(not 0 <= point < count for point in points):
        yield f"the points held of {formula} are out of order"
    if cache.tag == f"{CHART}numCache":
        for point in cache.iter(f"{CHART}v"):
            if not isfinite(float(point.text)):
                yield f"{formula} holds {point.text}"
    if re.fullmatch(r"'?[^!(),]+'?!\$[A-Z]+\$\d+(:\$[A-Z]+\$\d+)?", formula):
        first, top, last, bottom = _corners(formula.rpartition("!")[2])
        if count != (last - first + 1) * (bottom - top + 1):
            yield f"{count} points are held of {formula}"


def _properties(book: Book) -> Found:
    part = book.target("", "extended-properties")
    if not part or part not in book.parts:
        return
    root = book.root(part)
    pairs, titles = root.find(f"{EXTENDED}HeadingPairs"), root.find(f"{EXTENDED}TitlesOfParts")
    if pairs is None or titles is None:
        return
    counted, listed = sum(int(e.text) for e in pairs.iter(f"{VARIANT}i4")), list(titles.iter(f"{VARIANT}lpstr"))
    if not counted == len(listed) == int(titles[0].get("size")):
        yield part, f"{counted} titles are counted, {len(listed)} listed, {titles[0].get('size')} announced"
