"""A chart part that is there already: what it looks like, and how its references, numbers and scales are renewed.

All else in it stays as its last program wrote it. Its numbers are set aside before it is parsed: they are nearly all of
it, and they are about to be replaced.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from math import isfinite, nan
from typing import Any, NamedTuple

from lxml import etree

from sheetmbs.workbook.charts.moves import Moved
from sheetmbs.workbook.charts.native_charts import cached_numbers
from sheetmbs.workbook.package.formats import index
from sheetmbs.workbook.package.parts import serialised
from sheetmbs.workbook.package.partxml import sound_xml
from sheetmbs.workbook.package.printing import text

CHART = "{http://schemas.openxmlformats.org/drawingml/2006/chart}"
TEXT = "{http://schemas.openxmlformats.org/drawingml/2006/main}"
_PREFIX = re.compile(rb'xmlns(?::(\w+))?="http://schemas\.openxmlformats\.org/drawingml/2006/chart"')
_TRUE = ("1", "true")
_FORMAT = re.compile(rb"formatCode[^>]*>([^<]*)<")
_ADDITIONS = (
    "trendline",
    "errBars",
    "minorGridlines",
    "dTable",
    "dropLines",
    "upDownBars",
    "userShapes",
    "legendEntry",
)
_SIDES = ("x", "y", "w", "h")
_EARLIER = {
    "max": ("logBase", "orientation"),
    "min": ("logBase", "orientation", "max"),
    "majorUnit": ("crossAx", "crosses", "crossesAt", "crossBetween"),
}
"""what stands before a number in its element (ECMA-376 part 1, A.5.1)"""
QUARTER_POINT = 12_700 / 4
EQUAL_TOLERANCE, LAYOUT_TOLERANCE = 1e-6, 0.01

Look = dict[str, Any]
"""what a chart looks like, in terms that survive the programs that save it, as JSON holds it"""


Scale = tuple[float | None, float | None, float | None]
"""last, first, tick; None where programs choose"""


class Axis(NamedTuple):
    """The title, format and scale of an axis. title, format: None where there is none, or it is hidden."""

    title: str | None
    format: str | None
    scale: Scale


class ChartXml:
    """A chart part, taken apart. One that is no sound XML shows nothing: it stays as it is."""

    def __init__(self, xml: bytes) -> None:
        found = _PREFIX.search(xml[:4096])
        self._prefix = f"{found[1].decode()}:" if found and found[1] else ""
        self._held: list[bytes] = []
        root = sound_xml(self._set_aside(xml))
        self.root = etree.Element(f"{CHART}chartSpace") if root is None else root

    def references(self) -> Iterator[etree._Element]:
        """Everything that refers to cells: lines, names, error bars, labels, and lines that are filtered out."""
        for element in self.root.iter():
            if isinstance(element.tag, str) and etree.QName(element).localname in ("f", "sqref") and element.text:
                yield element

    @property
    def title(self) -> str:
        """The text above the chart."""
        title = self.root.find(f"{CHART}chart/{CHART}title")
        return "" if title is None else "".join(title.itertext(f"{TEXT}t"))

    @property
    def lines(self) -> list[str]:
        """The references of the values of its lines."""
        places = [f"{CHART}{values}/{CHART}numRef/{CHART}f" for values in ("yVal", "val")]
        return [
            line.findtext(place, "")
            for line in self.root.iter(f"{CHART}ser")
            for place in places
            if line.find(place) is not None
        ]

    def axes(self) -> list[etree._Element | None]:
        """Across, up, and the second of each, as the lines use them."""
        axes = [part for part in self._plot() if _tag(part).endswith("Ax")]
        plots = [part for part in self._plot() if _tag(part).endswith("Chart")]
        known = {_value(axis, "axId"): axis for axis in axes}
        used = dict.fromkeys(key.get("val", "") for plot in plots for key in plot.iterfind(f"{CHART}axId"))
        return [known.get(key) for key in used]

    def _plot(self) -> Iterator[etree._Element]:
        yield from self.root.iterfind(f"{CHART}chart/{CHART}plotArea/*")

    def look(self) -> Look:
        """The appearance of a chart."""
        legend = self.root.find(f"{CHART}chart/{CHART}legend")
        return {
            "title": [self.title, *_font(self.root.find(f"{CHART}chart/{CHART}title"))],
            "plots": [_tag(part) for part in self._plot() if _tag(part).endswith("Chart")],
            "lines": [_line(line) for line in self.root.iter(f"{CHART}ser")],
            "axes": [_axis(axis) for axis in self.axes()],
            "fonts": [_font(axis) for axis in self.axes() if axis is not None],
            "layout": _layout(self._inner_layout()),
            "legend": "" if legend is None else _value(legend, "legendPos") or "r",
            "fill": _color(self.root.find(f"{CHART}spPr")),
            "colors": sorted({color.get("val", "").upper() for color in self.root.iter(f"{TEXT}srgbClr")}),
            "added": sorted({_tag(element) for element in self.root.iter(*_ADDITIONS)}),
            "labels": any(_value(label, "showVal") == "1" for label in self.root.iter(f"{CHART}dLbls")),
        }

    def renew(
        self,
        move: Callable[[str], Moved | None],
        contents: dict[str, bytes],
        before: Look | None = None,
        after: Look | None = None,
    ) -> bytes:
        """The part with its references moved and its numbers renewed.

        contents: what other charts hold, by reference and form, to which new ones are added. before, after: what we had
        made it look like, and would now: scales, formats and titles of axes and the place of the plot that are still as we
        had made them are brought up to date.
        """
        for reference in list(self.references()):
            new = move(reference.text or "")
            if new:
                reference.text = new.text
                self._hold(reference.getparent(), new, contents)
        if before and after:
            axes = self.axes()
            for axis, old, new in zip(axes, before["axes"], after["axes"], strict=False):
                if axis is not None:
                    _renew_axis(axis, Axis(*old), Axis(*new))
            across, _, second = [*axes, None, None, None][:3]
            if across is not None and second is not None and _value(second, "delete") in _TRUE:
                # what is not seen cannot be meant to differ
                _set_scale(second, _axis(across).scale)
            inner = self._inner_layout()
            if before["layout"] and after["layout"] and same(_layout(inner), before["layout"], LAYOUT_TOLERANCE):
                for side, value in zip(_SIDES, after["layout"], strict=True):
                    _set_number(inner, side, value)
        return self._assembled()

    def _inner_layout(self) -> etree._Element | None:
        return self.root.find(f"{CHART}chart/{CHART}plotArea/{CHART}layout/{CHART}manualLayout")

    def _hold(self, holder: etree._Element | None, new: Moved, contents: dict[str, bytes]) -> None:
        """Numbers or text in place of those that are held beside a reference."""
        if holder is None:
            return
        kind = "numCache" if holder.tag == f"{CHART}numRef" else "strCache" if holder.tag == f"{CHART}strRef" else ""
        if not kind:
            for level in [child for child in holder if etree.QName(child).localname == "lvl"]:
                holder.remove(level)
            return
        cache = holder.find(f"{CHART}{kind}")
        shown = "General"
        if cache is not None:
            place = index(cache.text or "")
            found = _FORMAT.search(self._held[place] if 0 <= place < len(self._held) else etree.tostring(cache))
            shown = found[1].decode() if found else shown
            holder.remove(cache)
        key = f"{self._prefix}{kind} {shown} {new.text}"
        if key not in contents:
            contents[key] = self._content(kind, shown, new).encode()
        if contents[key]:
            cache = holder.makeelement(f"{CHART}{kind}", nsmap=holder.nsmap)
            cache.text = str(len(self._held))
            self._held.append(contents[key])
            holder.insert(1, cache)

    def _content(self, kind: str, shown: str, new: Moved) -> str:
        p = self._prefix
        if kind == "numCache" and new.data is not None:
            numbers = cached_numbers(new.data, p)
            return f"<{p}formatCode>{shown}</{p}formatCode>{numbers}" if numbers else ""
        if kind == "strCache" and new.labels:
            held = (f'<{p}pt idx="{i}"><{p}v>{text(label)}</{p}v></{p}pt>' for i, label in enumerate(new.labels))
            return f'<{p}ptCount val="{len(new.labels)}"/>{"".join(held)}'
        return ""

    def _set_aside(self, xml: bytes) -> bytes:
        """The part with a number in each cache in place of what stands there, which is held under that number."""
        pieces, at = [], 0
        for opening in re.finditer(f"<{self._prefix}(numCache|strCache)>".encode(), xml):
            end = xml.find(b"</" + opening[0][1:], opening.end())
            if end < 0:
                break
            pieces += [xml[at : opening.end()], b"%d" % len(self._held)]
            self._held.append(xml[opening.end() : end])
            at = end
        return b"".join([*pieces, xml[at:]])

    def _assembled(self) -> bytes:
        """The part with what stands in its caches."""
        numbered = re.compile(f"(<{self._prefix}(?:numCache|strCache)>)([0-9]+)(?=<)".encode())
        held = dict(enumerate(self._held))
        return numbered.sub(
            lambda match: match[1] + held.get(index(match[2].decode()), match[2]), serialised(self.root)
        )


def is_look(found: object) -> bool:
    """Whether something read from a record is a look."""
    if not isinstance(found, dict) or found.keys() != NO_LOOK.keys() or not isinstance(found["axes"], list):
        return False
    return all(
        isinstance(axis, list) and len(axis) == len(Axis._fields) and _is_scale(axis[-1]) for axis in found["axes"]
    )


def _is_scale(found: object) -> bool:
    return isinstance(found, list) and len(found) == 3


def same(found: Any, made: Any, within: float = EQUAL_TOLERANCE) -> bool:
    """Whether two looks are the same, but for what programs round."""
    if isinstance(made, dict) and isinstance(found, dict):
        within_of = {"layout": LAYOUT_TOLERANCE}
        return made.keys() == found.keys() and all(same(found[k], made[k], within_of.get(k, within)) for k in made)
    if isinstance(made, Sequence) and isinstance(found, Sequence) and not isinstance(made, str):
        return len(made) == len(found) and all(same(f, m, within) for f, m in zip(found, made, strict=True))
    if isinstance(made, float) and isinstance(found, float | int):
        return abs(found - made) <= max(within * abs(made), within if within > EQUAL_TOLERANCE else 0.0)
    return bool(found == made)


def _axis(axis: etree._Element | None) -> Axis:
    if axis is None:
        return Axis(None, None, (None, None, None))
    is_hidden = _value(axis, "delete") in _TRUE
    scaling = axis.find(f"{CHART}scaling")
    title, shown = axis.find(f"{CHART}title"), axis.find(f"{CHART}numFmt")
    return Axis(
        None if title is None else "".join(title.itertext(f"{TEXT}t")),
        None if shown is None or is_hidden else shown.get("formatCode"),
        (_number(scaling, "max"), _number(scaling, "min"), _number(axis, "majorUnit")),
    )


def _renew_axis(axis: etree._Element, before: Axis, after: Axis) -> None:
    """Bring scale, format and title up to date, each if it is still as we had made it; a format goes with its scale."""
    found = _axis(axis)
    shown, title = axis.find(f"{CHART}numFmt"), axis.find(f"{CHART}title")
    if same(found.scale, before.scale):
        _set_scale(axis, after.scale)
        if shown is not None and after.format and found.format == before.format:
            shown.set("formatCode", after.format)
    if title is not None and after.title is not None and found.title == before.title:
        words = list(title.iter(f"{TEXT}t"))
        for word in words:
            word.text = ""
        if words:
            words[0].text = after.title


def _set_scale(axis: etree._Element, scale: Scale) -> None:
    scaling = axis.find(f"{CHART}scaling")
    for holder, name, value in zip((scaling, scaling, axis), ("max", "min", "majorUnit"), scale, strict=True):
        _set_number(holder, name, value)


def _set_number(holder: etree._Element | None, name: str, value: float | None) -> None:
    """Set, make or take away a number in an element."""
    element = holder.find(f"{CHART}{name}") if holder is not None else None
    if holder is None or (element is None and value is None):
        return
    if element is None:
        places = [place for place, child in enumerate(holder) if _tag(child) in _EARLIER[name]]
        element = holder.makeelement(f"{CHART}{name}", nsmap=holder.nsmap)
        holder.insert(max(places, default=-1) + 1, element)
    if value is None:
        holder.remove(element)
    else:
        element.set("val", repr(value))


def _line(line: etree._Element) -> list[Any]:
    """Colour and width, in quarters of a point, of a line, and its markers."""
    stroke = line.find(f"{CHART}spPr/{TEXT}ln")
    width = None if stroke is None else round(index(str(stroke.get("w", "0"))) / QUARTER_POINT)
    marker = line.find(f"{CHART}marker")
    smooth = _value(line, "smooth") in _TRUE
    return [_color(stroke), width, "" if marker is None else _value(marker, "symbol"), smooth]


def _font(holder: etree._Element | None) -> list[Any]:
    """Size and colour of the first text in an element."""
    font = next(holder.iter(f"{TEXT}defRPr", f"{TEXT}rPr"), None) if holder is not None else None
    return [None, None, None] if font is None else [font.get("sz"), font.get("b", "0"), _color(font)]


def _color(holder: etree._Element | None) -> str | None:
    """The colour that fills, or of a line; None where there is none of its own."""
    color = holder.find(f"{TEXT}solidFill/{TEXT}srgbClr") if holder is not None else None
    return None if color is None else color.get("val", "").upper()


def _layout(layout: etree._Element | None) -> list[float] | None:
    """The plot area as fractions of the chart: x, y, width, height."""
    sides = [_number(layout, side) for side in _SIDES]
    known = [side for side in sides if side is not None]
    return known if len(known) == len(sides) else None


def _tag(element: etree._Element) -> str:
    return etree.QName(element).localname if isinstance(element.tag, str) else ""


def _value(holder: etree._Element, name: str) -> str:
    child = holder.find(f"{CHART}{name}")
    return "" if child is None else str(child.get("val", ""))


def _number(holder: etree._Element | None, name: str) -> float | None:
    try:
        number = float(_value(holder, name)) if holder is not None else nan
    except ValueError:
        return None
    return number if isfinite(number) else None


NO_LOOK = ChartXml(b"").look()
"""of a chart that shows nothing"""
