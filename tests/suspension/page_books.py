"""Cars whose printed pages are checked, and what stands on these pages: cells, blocks, charts and their series."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import numpy as np
import openpyxl
from lxml import etree

from tests.support.hardpoint_books import ROCKER, WISHBONES, hardpoint_book
from tests.support.sample_results import read_parts

C = "{http://schemas.openxmlformats.org/drawingml/2006/chart}"
XDR = "{http://schemas.openxmlformats.org/drawingml/2006/spreadsheetDrawing}"
MAIN = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"
PAGE, CHARTS, MODEL, METRICS = (
    "mbs Suspension",
    "mbs Suspension Charts",
    "mbs Suspension Model",
    "mbs Suspension Metrics",
)
BAR = {"bar link suspension": (0, 265, 352), "bar link bar": (0, 265, 260), "bar axis": (-60, 265, 260)}
POINTS = {**WISHBONES, **ROCKER, **BAR}
CAR = (
    ("type", "double wishbone", "double wishbone"),
    ("actuation", "push-rod", "push-rod"),
    ("camber", "-1.2 deg", "-0.8 deg"),
    ("toe", "-0.15 deg", "0.2 deg"),
    ("tyre radius", "230 mm", "230 mm"),
    ("tyre rate", "120 N/mm", "120 N/mm"),
    ("wheelbase", "1550 mm"),
    ("cg height", "300 mm"),
    ("mass", "280 kg"),
    ("weight front", "48 %"),
    ("unsprung mass", "10 kg", "10 kg"),
    ("brake front", "62 %"),
    ("rack per turn", "90 mm"),
)
SPRINGS = (
    ("name", "axle", "kind", "k"),
    ("spring", "front", "spring", "35 N/mm"),
    ("bar", "front", "U bar", "250 N m/rad"),
    ("spring", "rear", "spring", "40 N/mm"),
    ("bar", "rear", "U bar", "150 N m/rad"),
)


def car_book(path: Path, *, designs: bool = False) -> Path:
    """A car of two axles with push-rods, springs and bars; designs: and a second design with other upper arms."""
    rear = [("rear", name, x - 1550, y, z) for name, (x, y, z) in POINTS.items()]
    hardpoint_book(path, POINTS, CAR, rows=rear, others={"Suspension springs": SPRINGS})
    book = openpyxl.load_workbook(path)
    book["Suspension"]["C1"] = "rear"
    points = book["Hardpoints"]
    if designs:
        points.cell(1, 7, "design")
        for axle, back in (("front", 0), ("rear", -1550)):
            points.append((axle, "upper arm front", 115 + back, 262, 285, None, "low arms"))
            points.append((axle, "upper arm rear", -120 + back, 270, 270, None, "low arms"))
    book.save(path)
    return path


@cache
def loaded(path):
    """A workbook that no test changes."""
    return openpyxl.load_workbook(path)


@cache
def parts_of(path):
    """The parts of a workbook that no test changes."""
    return read_parts(path)


def at_design(results, column, sweep="heave"):
    """A number of the row of a sweep in which nothing has moved."""
    table = results.table(sweep)
    row = int(np.argmin(np.abs(table.rows)))
    assert table.rows[row] == 0.0
    return float(table.values[row, table.columns.index(column)])


def blocks(page):
    """Rows of the page's tables: (head of the block, label) to the cells behind the unit, of both sides."""
    found = {}
    for first in (1, _right(page)):
        head = ""
        for row in page.iter_rows(min_row=5, min_col=first, max_col=first + 7):
            cell = row[0]
            if cell.fill.fgColor.rgb == "FFDDE7F3" and cell.value:
                head = cell.value
            elif cell.value:
                found.setdefault((head, cell.value.strip()), [each.value for each in row[2:]])
    return found


def _right(page):
    return next(
        cell.column for cell in page[5][3:] if cell.value and cell.fill.fgColor.rgb == "FFDDE7F3" and cell.column > 5
    )


def chart_parts(path):
    return {name: etree.fromstring(part) for name, part in parts_of(path).items() if name.startswith("xl/charts/chart")}


def chart_named(path, title):
    for chart in chart_parts(path).values():
        found = chart.find(f"{C}chart/{C}title")
        if found is not None and "".join(found.itertext()) == title:
            return chart
    raise AssertionError(title)


def series(chart):
    a = "{http://schemas.openxmlformats.org/drawingml/2006/main}"
    for line in chart.iter(f"{C}ser"):
        stroke = line.find(f"{C}spPr/{a}ln")
        dash = stroke.find(f"{a}prstDash")
        color = stroke.find(f"{a}solidFill/{a}srgbClr").get("val")
        yield line.findtext(f"{C}tx/{C}v"), color, "solid" if dash is None else dash.get("val")


def load_columns(path):
    """The columns of mbs Loads by name, over the cases; the names of these."""
    sheet = loaded(path)["mbs Loads"]
    rows = list(sheet.iter_rows(values_only=True))
    last = next(k for k, row in enumerate(rows) if row[0] == "member")
    cases = [row[0] for row in rows[2:last]]
    return cases, {name: [row[k] for row in rows[2:last]] for k, name in enumerate(rows[0]) if name and k > 1}


def largest(path, axle, member, sign=1.0):
    """The force of a member that is largest over cases and sides, and its case."""
    cases, columns = load_columns(path)
    corners = {"front": ("FL", "FR"), "rear": ("RL", "RR")}[axle]
    found = [
        (sign * value, case)
        for corner in corners
        for value, case in zip(columns[f"{corner}.{member}"], cases, strict=True)
        if value is not None
    ]
    return max(found), min(found)


def limits(chart, number):
    scaling = list(chart.iter(f"{C}valAx"))[number].find(f"{C}scaling")
    return float(scaling.find(f"{C}min").get("val")), float(scaling.find(f"{C}max").get("val"))
