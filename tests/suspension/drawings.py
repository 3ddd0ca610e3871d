"""Drawings of a car read from the XML of its charts: lines in mm, the rectangle of a view, and how long a mm is drawn."""

from __future__ import annotations

import re

import numpy as np
from lxml import etree

from tests.suspension.page_books import XDR, C, chart_parts, limits, parts_of

RELATIONS = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}"


def drawings(path, title):
    """The names of the charts of that title, that of the sheet of charts and that of the page."""
    titles = {
        name: "".join(found.itertext())
        for name, chart in chart_parts(path).items()
        if (found := chart.find(f"{C}chart/{C}title")) is not None
    }
    return [name for name, each in titles.items() if each == title]


def drawn(path, name):
    """The lines of a chart by their names: (n, 2), NaN between pieces."""
    found = {}
    for line in chart_parts(path)[name].iter(f"{C}ser"):
        columns = []
        for part in ("xVal", "yVal"):
            cache = line.find(f"{C}{part}//{C}numCache")
            values = np.full(int(cache.find(f"{C}ptCount").get("val")), np.nan)
            for point in cache.iter(f"{C}pt"):
                values[int(point.get("idx"))] = float(point.findtext(f"{C}v"))
            columns.append(values)
        found[line.findtext(f"{C}tx/{C}v")] = np.column_stack(columns)
    return found


def pieces(line):
    """The pieces of a line, (n, 2) each."""
    is_gap = np.isnan(line).any(axis=1)
    parts = np.split(np.arange(len(line)), np.flatnonzero(is_gap))
    return [line[[k for k in part if not is_gap[k]]] for part in parts if (~is_gap[part]).any()]


def layout(path, name, part="plotArea"):
    """Left, top, width and height of the plot area, or the legend, as fractions of a chart."""
    manual = chart_parts(path)[name].find(f"{C}chart/{C}{part}/{C}layout/{C}manualLayout")
    return tuple(float(manual.find(f"{C}{each}").get("val")) for each in "xywh")


def size(path, name):
    """Width and height of a chart that stands from a row on, EMU."""
    parts = parts_of(path)
    for key, xml in parts.items():
        beside = key.replace("drawings/", "drawings/_rels/") + ".rels"
        if not re.fullmatch(r"xl/drawings/drawing\d+\.xml", key) or beside not in parts:
            continue
        rels = etree.fromstring(parts[beside])
        targets = {each.get("Id"): each.get("Target").rpartition("/")[2] for each in rels}
        for anchor in etree.fromstring(xml).iter(f"{XDR}oneCellAnchor"):
            shown = next((each.get(f"{RELATIONS}id") for each in anchor.iter(f"{C}chart")), "")
            if targets.get(shown) == name.rpartition("/")[2]:
                ext = anchor.find(f"{XDR}ext")
                return float(ext.get("cx")), float(ext.get("cy"))
    raise AssertionError(name)


def lengths_of_mm(path, name):
    """EMU that a unit of either axis is drawn."""
    _x, _y, wide, high = layout(path, name)
    chart = chart_parts(path)[name]
    ends = [limits(chart, k) for k in range(2)]
    return tuple(
        share * pixels / (last - first)
        for share, pixels, (first, last) in zip((wide, high), size(path, name), ends, strict=True)
    )


def meet(first, second):
    """Where two lines meet, each through the first and the last of its places."""
    (a, b), (c, d) = ((line[0], line[-1]) for line in (first, second))
    share, _other = np.linalg.solve(np.column_stack((b - a, c - d)), c - a)
    return a + share * (b - a)


def off(point, line):
    """Distance of a point from the line through the first and the last of its places."""
    way = line[-1] - line[0]
    rest = np.asarray(point) - line[0]
    return abs(way[0] * rest[1] - way[1] * rest[0]) / np.hypot(*way)
