"""Cell formats of the result sheets, appended to the workbook's own.

The looks take the workbook's default font and change only weight, slant and colour, so that result sheets fit the
user's. All of them are appended at once and each is looked for first: whatever the results, a second run appends
nothing.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from copy import deepcopy
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache, partial
from itertools import count
from typing import Any

from lxml import etree

from sheetmbs.workbook.package.formats import index
from sheetmbs.workbook.package.package import MAIN
from sheetmbs.workbook.package.parts import serialised
from sheetmbs.workbook.package.partxml import parse_xml

ORDER = ("numFmts", "fonts", "fills", "borders", "cellStyleXfs", "cellXfs")
"""the collections that looks need, as they follow each other (ECMA-376 part 1, A.2, CT_Stylesheet)"""
BUILT_IN = {"General": 0, "0": 1, "0.00": 2}
FIRST_CUSTOM_FORMAT = 164
USUAL_SIZE = 11.0
DECIMALS, DECIMALS_OF_PAGES = range(9), range(7)
MAX_STYLE_ENTRIES = {"cellXfs": 65_430, "fonts": 1_024, "numFmts": 250}
"""what Excel opens without repairing the file ([MS-OI29500] 2.1.727; "Excel specifications and limits")"""
KINDS = {"cellXfs": "cell formats", "fonts": "fonts", "numFmts": "number formats"}
REFERRED_BY = {"fonts": "fontId", "fills": "fillId", "borders": "borderId"}
"""the attribute with which formats refer to an entry of a collection"""
MAX_REFERENCE_BEYOND = 1_000
"""entries: what is referred to further beyond the end of a collection than this is out of reach of ours"""

_Key = tuple[Any, ...]

NAVY = "FF1F3864"
PALE_BLUE = "FFDDE7F3"
GREY = "FF6B7280"
LINK_BLUE = "FF0563C1"
GREEN, PALE_GREEN = "FF1A7F37", "FFDFF3E4"
RED, PALE_RED = "FFB42318", "FFFBE4E1"
AMBER, PALE_AMBER = "FF8A5200", "FFFCF0D6"
RULE = "FF9DB2CF"
HAIR = "FFE1E6ED"
TONES = {
    **dict(zip((1, 2, 3, 4), ("FFE3EEF8", "FFBBD6EE", "FF86B6DE", "FF4D94CC"), strict=True)),
    **dict(zip((-1, -2, -3, -4), ("FFFDEBDD", "FFFACFAE", "FFF3A870", "FFE58139"), strict=True)),
    0: None,
}
"""blue of numbers up to 1, orange of numbers down to -1, by quarters: what is near 0 is white"""

MINIMAL = (
    f'<styleSheet xmlns="{MAIN}"><fonts count="1"><font><sz val="11"/><name val="Calibri"/><family val="2"/></font>'
    '</fonts><fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/>'
    '</fill></fills><borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders>'
    '<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>'
    '<cellXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/></cellXfs>'
    '<cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>'
).encode()


@dataclass(frozen=True)
class CellLook:
    """One cell format. Colours are ARGB; ``larger`` is added to the size of the default font."""

    bold: bool = False
    italic: bool = False
    underline: bool = False
    larger: int = 0
    color: str | None = None
    fill: str | None = None
    below: str | None = None
    number: str = "General"
    horizontal: str | None = None
    vertical: str | None = None
    indent: int = 0
    wrap: bool = False
    as_typed: bool = False
    """text that begins with = stays text, even when the user edits the cell"""


def number_format(decimals: int | None) -> str:
    """The name of the look that shows so many decimals; None = with an exponent."""
    return "exponent" if decimals is None else f"decimals {decimals}"


def as_shown(value: float, look: str) -> float:
    """A number as it is, but 0 where its look would show a zero with a minus sign."""
    _, _, places = look.rpartition("decimals ")
    return 0.0 if places.isdigit() and value <= 0.0 and abs(value) < 0.5 * 10.0 ** -int(places) else value


LEFT: dict[str, Any] = {"horizontal": "left", "vertical": "top", "indent": 1}
RIGHT: dict[str, Any] = {"horizontal": "right", "vertical": "top"}

FULL_LOOKS: dict[str, CellLook] = {
    "header": CellLook(bold=True, color=NAVY, fill=PALE_BLUE, horizontal="right", vertical="center", as_typed=True),
    "header text": CellLook(
        bold=True, color=NAVY, fill=PALE_BLUE, horizontal="left", indent=1, vertical="center", as_typed=True
    ),
    "units": CellLook(italic=True, color=GREY, below=RULE, horizontal="right"),
    "general": CellLook(),
    "exponent": CellLook(number="0.00000E+00"),
    **{number_format(n): CellLook(number=f"0.{'0' * n}" if n else "0") for n in DECIMALS},
    "item": CellLook(below=HAIR, **LEFT, as_typed=True),
    "value": CellLook(below=HAIR, **RIGHT, wrap=True, as_typed=True),
    **{
        f"value {number_format(n)}": CellLook(below=HAIR, **RIGHT, number=f"0.{'#' * n}" if n else "0")
        for n in DECIMALS
    },
    **{
        f"list {number_format(n)}": CellLook(below=HAIR, **RIGHT, number=f"0.{'0' * n}" if n else "0") for n in DECIMALS
    },
    **{f"tone {n:+d}": CellLook(below=HAIR, **RIGHT, fill=fill, number="0.00") for n, fill in TONES.items()},
    "list exponent": CellLook(below=HAIR, **RIGHT, number="0.0000E+00"),
    **{
        f"value {word}": CellLook(bold=True, color=color, fill=fill, below=HAIR, **RIGHT, wrap=True, as_typed=True)
        for word, color, fill in (("good", GREEN, PALE_GREEN), ("bad", RED, PALE_RED))
    },
    "value exponent": CellLook(below=HAIR, **RIGHT, number="0.00000E+00"),
    "unit": CellLook(italic=True, color=GREY, below=HAIR, **LEFT),
    "text": CellLook(below=HAIR, **LEFT, wrap=True, as_typed=True),
    "link": CellLook(below=HAIR, **LEFT, underline=True, color=LINK_BLUE),
    "error": CellLook(bold=True, color=RED, fill=PALE_RED, below=HAIR, **LEFT),
    "warning": CellLook(bold=True, color=AMBER, fill=PALE_AMBER, below=HAIR, **LEFT),
    "note": CellLook(bold=True, color=NAVY, fill=PALE_BLUE, below=HAIR, **LEFT),
    "title": CellLook(bold=True, larger=5, color=NAVY),
    "remark": CellLook(color=GREY),
    "input": CellLook(bold=True, larger=1, color=NAVY, fill=PALE_AMBER, below=RULE, horizontal="center"),
    "item head": CellLook(bold=True, larger=1, color=NAVY, as_typed=True),
    "general text": CellLook(horizontal="left", indent=1, as_typed=True),
    **{
        f"best {name}": CellLook(bold=True, fill=PALE_GREEN, number=code)
        for name, code in (
            ("general", "General"),
            ("exponent", "0.00000E+00"),
            *((number_format(n), f"0.{'0' * n}" if n else "0") for n in DECIMALS),
        )
    },
    "best text": CellLook(bold=True, fill=PALE_GREEN, horizontal="left", indent=1, as_typed=True),
    "answer": CellLook(bold=True, vertical="top", wrap=True, as_typed=True),
    "told": CellLook(vertical="top", wrap=True, as_typed=True),
    "failed": CellLook(color=RED, horizontal="left", indent=1, as_typed=True),
    "not met": CellLook(color=AMBER, horizontal="left", indent=1, as_typed=True),
    "met": CellLook(bold=True, color=GREEN, fill=PALE_GREEN, horizontal="left", indent=1, as_typed=True),
    "record": CellLook(number=";;;", as_typed=True),
    "page title": CellLook(bold=True, larger=7, color=NAVY, vertical="center", as_typed=True),
    "page text": CellLook(larger=-1, color=GREY, vertical="top", wrap=True, as_typed=True),
    "page link": CellLook(larger=-1, underline=True, color=LINK_BLUE, vertical="top"),
    "page head": CellLook(larger=-1, bold=True, color=NAVY, fill=PALE_BLUE, vertical="center", as_typed=True),
    "page column": CellLook(
        larger=-1, bold=True, color=NAVY, fill=PALE_BLUE, horizontal="right", vertical="center", as_typed=True
    ),
    "page item": CellLook(larger=-1, below=HAIR, vertical="center", as_typed=True),
    "page unit": CellLook(larger=-1, color=GREY, below=HAIR, vertical="center"),
    "page value": CellLook(larger=-1, below=HAIR, horizontal="right", vertical="center", as_typed=True),
    **{
        f"page {number_format(n)}": CellLook(
            larger=-1, below=HAIR, horizontal="right", vertical="center", number=f"#,##0.{'0' * n}" if n else "#,##0"
        )
        for n in DECIMALS_OF_PAGES
    },
    **{
        f"page bold {number_format(n)}": CellLook(
            larger=-1,
            bold=True,
            color=NAVY,
            below=HAIR,
            horizontal="right",
            vertical="center",
            number=f"#,##0.{'0' * n}" if n else "#,##0",
        )
        for n in DECIMALS_OF_PAGES
    },
    **{
        f"page change {number_format(n)}": CellLook(
            larger=-1,
            color=GREY,
            below=HAIR,
            horizontal="right",
            vertical="center",
            number=";".join(f"{sign}#,##0.{'0' * n}" if n else f"{sign}#,##0" for sign in ("+", "-", "")),
        )
        for n in DECIMALS_OF_PAGES
    },
    **{
        f"page {word} {number_format(n)}": CellLook(
            larger=-1,
            bold=True,
            color=color,
            fill=fill,
            below=HAIR,
            horizontal="right",
            vertical="center",
            number=f"#,##0.{'0' * n}" if n else "#,##0",
        )
        for word, color, fill in (("met", GREEN, PALE_GREEN), ("missed", RED, PALE_RED))
        for n in DECIMALS_OF_PAGES
    },
    **{
        f"page text {word}": CellLook(larger=-1, color=color, vertical="top", wrap=True, as_typed=True)
        for word, color in (("met", GREEN), ("missed", RED))
    },
    "page all met": CellLook(bold=True, color=GREEN, fill=PALE_GREEN, vertical="center", wrap=True, as_typed=True),
    "page not met": CellLook(bold=True, color=RED, fill=PALE_RED, vertical="center", wrap=True, as_typed=True),
    "page met": CellLook(larger=-1, bold=True, color=GREEN, below=HAIR, horizontal="center", vertical="center"),
    "page missed": CellLook(larger=-1, bold=True, color=RED, below=HAIR, horizontal="center", vertical="center"),
}


PALE = ("item", "text", "value", "list exponent", "page value")
"""looks that cells also have in grey italics, with those of numbers on lists and printed pages: estimates"""
LOOKS: Mapping[str, CellLook] = FULL_LOOKS | {
    f"pale {name}": replace(FULL_LOOKS[name], italic=True, color=GREY)
    for name in (
        *PALE,
        *(f"list {number_format(n)}" for n in DECIMALS),
        *(f"page {number_format(n)}" for n in DECIMALS_OF_PAGES),
    )
}


@lru_cache(maxsize=1)  # a run asks twice: before the analysis, whether results can be written, and then to write them
def append_looks(part: bytes | None) -> tuple[bytes | None, Mapping[str, int], Mapping[str, int]]:
    """The styles part with all looks in it, the index of each look's cell format, and what there is too much of.

    part: the workbook's styles, or None where it has none. What is returned first is None where nothing had to be added. Where
    a collection holds as many entries as Excel opens, nothing is added to it, and looks do without: the last is the numbers
    of entries of such collections, by what they hold.
    """
    styles = _Styles(MINIMAL if part is None else part)
    indices = {name: styles.cell_format(look) for name, look in LOOKS.items()}
    if part is not None and not styles.changed:
        return None, indices, styles.full
    return styles.serialised(), indices, styles.full


class _Styles:
    """The styles part, taken apart."""

    def __init__(self, part: bytes) -> None:
        self._root = parse_xml(part, "styles")
        self._known: dict[str, dict[_Key, int]] = {}
        self._made: dict[tuple[str, object], int] = {}
        self.changed = False
        self._filled: set[str] = set()
        self.full: dict[str, int] = {}

    def serialised(self) -> bytes:
        return serialised(self._root)

    def cell_format(self, look: CellLook) -> int:
        xf = self._element("xf")
        xf.set("numFmtId", str(self._number_format(look.number)))
        shown = (look.bold, look.italic, look.underline, look.larger, look.color)
        xf.set("fontId", str(self._once("fonts", shown, partial(self._font, look))))
        xf.set("fillId", str(self._once("fills", look.fill, partial(self._fill, look.fill)) if look.fill else 0))
        below = self._once("borders", look.below, partial(self._border, look.below)) if look.below else 0
        xf.set("borderId", str(below))
        if self._root.find(f"{{{MAIN}}}cellStyleXfs/{{{MAIN}}}xf") is not None:
            xf.set("xfId", "0")
        if look.as_typed:
            xf.set("quotePrefix", "1")
        for applied, is_applied in (
            ("applyNumberFormat", look.number != "General"),
            ("applyFont", True),
            ("applyFill", look.fill is not None),
            ("applyBorder", look.below is not None),
            ("applyAlignment", bool(look.horizontal or look.vertical or look.wrap or look.indent)),
        ):
            if is_applied:
                xf.set(applied, "1")
        if xf.get("applyAlignment"):
            alignment = self._child(xf, "alignment")
            for name, value in (("horizontal", look.horizontal), ("vertical", look.vertical)):
                if value:
                    alignment.set(name, value)
            if look.indent:
                alignment.set("indent", str(look.indent))
            if look.wrap:
                alignment.set("wrapText", "1")
        return self._index("cellXfs", xf)

    def _font(self, look: CellLook) -> etree._Element:
        default = self._collection("fonts").find(f"{{{MAIN}}}font")
        font = self._element("font")
        for name, is_set in (("b", look.bold), ("i", look.italic), ("u", look.underline)):
            if is_set:
                self._child(font, name)
        size, color = USUAL_SIZE, None
        kept = []
        for child in _elements(default) if default is not None else ():
            name = etree.QName(child).localname
            if name == "sz":
                size = _size(child.get("val", ""))
            elif name == "color":
                color = child
            elif name in {"name", "family", "charset", "scheme"}:
                kept.append(child)
        self._child(font, "sz").set("val", f"{size + look.larger:g}")
        if look.color:
            self._child(font, "color").set("rgb", look.color)
        elif color is not None:
            font.append(deepcopy(color))
        font.extend(deepcopy(kept))
        return font

    def _fill(self, color: str) -> etree._Element:
        fill = self._element("fill")
        pattern = self._child(fill, "patternFill")
        pattern.set("patternType", "solid")
        self._child(pattern, "fgColor").set("rgb", color)
        self._child(pattern, "bgColor").set("indexed", "64")
        return fill

    def _border(self, color: str) -> etree._Element:
        border = self._element("border")
        for side in ("left", "right", "top", "bottom", "diagonal"):
            line = self._child(border, side)
            if side == "bottom":
                line.set("style", "thin")
                self._child(line, "color").set("rgb", color)
        return border

    def _number_format(self, code: str) -> int:
        if code in BUILT_IN:
            return BUILT_IN[code]
        formats = self._collection("numFmts")
        ids = {known.get("formatCode"): index(known.get("numFmtId", "")) for known in _elements(formats)}
        if code in ids:
            return ids[code]
        if self._is_full("numFmts", formats):
            return BUILT_IN["General"]
        number = next(number for number in count(FIRST_CUSTOM_FORMAT) if number not in self._format_ids)
        self._format_ids.add(number)
        added = self._child(formats, "numFmt")
        added.set("numFmtId", str(number))
        added.set("formatCode", code)
        self._count(formats)
        return number

    @cached_property
    def _format_ids(self) -> set[int]:
        """All ids in use, including undefined ids to which the user's formats refer: they must not get a meaning."""
        return {index(found) for found in set(map(str, self._root.xpath("//@numFmtId")))}

    def _once(self, name: str, key: object, make: Callable[[], etree._Element]) -> int:
        """The number of an element that many looks share, as `_index` gives it. key: what makes it."""
        if (name, key) not in self._made:
            self._made[name, key] = self._index(name, make())
        return self._made[name, key]

    def _index(self, name: str, element: etree._Element) -> int:
        """The number of an equal element in a collection; one is appended if there is none."""
        collection = self._collection(name)
        if name not in self._known:
            self._known[name] = {}
            for place, known in enumerate(_elements(collection)):
                self._known[name].setdefault(_canonical(known), place)
        key = _canonical(element)
        if key not in self._known[name]:
            if self._is_full(name, collection):
                return 0
            self._fill_up(name, collection)
            self._known[name][key] = _length(collection)
            collection.append(element)
            self._count(collection)
        return self._known[name][key]

    def _is_full(self, name: str, collection: etree._Element) -> bool:
        """Whether a collection holds as many entries as Excel opens; named styles count with the cell formats."""
        if name not in MAX_STYLE_ENTRIES:
            return False
        held = _length(collection)
        if name == "cellXfs":
            held += len(self._root.findall(f"{{{MAIN}}}cellStyleXfs/{{{MAIN}}}xf"))
        if held < MAX_STYLE_ENTRIES[name]:
            return False
        self.full[KINDS[name]] = held
        return True

    def _fill_up(self, name: str, collection: etree._Element) -> None:
        """Put plain entries where cells or formats of the user's refer to some that are not there: they would show ours."""
        if name in self._filled:
            return
        self._filled.add(name)
        entries, usual = _elements(collection), parse_xml(MINIMAL, "styles").find(f"{{{MAIN}}}{name}")
        plain, held = _elements(usual if usual is not None else collection), len(entries)
        by = REFERRED_BY.get(name)
        referred = [index(str(xf.get(by, ""))) for xf in self._root.iter(f"{{{MAIN}}}xf")] if by else []
        places = [len(plain) - 1, *(place for place in referred if held <= place < held + MAX_REFERENCE_BEYOND)]
        for place in range(held, max(places) + 1):
            collection.append(deepcopy(plain[place] if place < len(plain) else [*entries, *plain][0]))

    def _count(self, collection: etree._Element) -> None:
        collection.set("count", str(_length(collection)))
        self.changed = True

    def _collection(self, name: str) -> etree._Element:
        found = self._root.find(f"{{{MAIN}}}{name}")
        if found is not None:
            return found
        usual = parse_xml(MINIMAL, "styles").find(f"{{{MAIN}}}{name}")
        created = self._element(name) if usual is None else usual
        earlier = ORDER[: ORDER.index(name)]
        before = [child for child in _elements(self._root) if etree.QName(child).localname in earlier]
        self._root.insert(self._root.index(before[-1]) + 1 if before else 0, created)
        return created

    @staticmethod
    def _child(parent: etree._Element, name: str) -> etree._Element:
        return etree.SubElement(parent, f"{{{MAIN}}}{name}")

    @staticmethod
    def _element(name: str) -> etree._Element:
        return etree.Element(f"{{{MAIN}}}{name}", nsmap={None: MAIN})


def _size(text: str) -> float:
    """The size of a font in points; the usual one if none is given."""
    return float(text) if re.fullmatch(r"[0-9]{1,3}(\.[0-9]{1,9})?", text) else USUAL_SIZE


def _elements(parent: etree._Element) -> list[etree._Element]:
    return [child for child in parent if isinstance(child.tag, str)]


def _length(collection: etree._Element) -> int:
    """How many elements it has, without making all of them known to Python."""
    return int(collection.xpath("count(*)"))


def _canonical(element: etree._Element) -> _Key:
    """A key that is equal for equal content, whatever the order of attributes and children."""
    attributes = tuple(sorted((str(key), str(value)) for key, value in element.attrib.items()))
    return etree.QName(element).localname, attributes, tuple(sorted(_canonical(child) for child in _elements(element)))
