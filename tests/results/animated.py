"""Workbooks with the sheet `mbs Animation`, and what stands on it."""

from __future__ import annotations

import re
import subprocess
from functools import cached_property
from pathlib import Path

import numpy as np
from lxml import etree

import sheetmbs
from tests.support.sample_results import MAIN, loaded_sheet, read_parts, sheet_part, write_parts

WORKBOOKS = Path(__file__).parents[2] / "workbooks"
SHEET = "mbs Animation"
PATH = re.compile(r"<path [^>]*>")
COLOR = re.compile(r'\bstroke[:=]"?rgb\(([\d.]+)%, ?([\d.]+)%, ?([\d.]+)%\)')
PLACES = re.compile(r' d="([^"]*)"')
POINT = re.compile(r"[ML] ([-\d.]+) ([-\d.]+)")
MOVED = re.compile(r'transform="matrix\(([^)]*)\)"')


def with_settings(name: str, path: Path, **settings: str) -> Path:
    """A copy of one of our workbooks with more settings, or other ones."""
    path.write_bytes((WORKBOOKS / f"{name}.xlsx").read_bytes())
    set_settings(path, **settings)
    return path


def set_settings(path: Path, **settings: float | str) -> None:
    """Write settings into the cells beside their names, or in further rows."""
    known = {cell.value: cell.row for cell in loaded_sheet(path, "Settings")["A"]}
    parts = read_parts(path)
    part = sheet_part(path, "Settings")
    root = etree.fromstring(parts[part])
    data = root.find(f"{MAIN}sheetData")
    for name, value in settings.items():
        rows = {row.get("r"): row for row in data}
        number = str(known.get(name, max(map(int, rows)) + 1))
        if number not in rows:
            rows[number] = etree.SubElement(data, f"{MAIN}row", r=number)
            _fill(etree.SubElement(rows[number], f"{MAIN}c", r=f"A{number}"), name)
            etree.SubElement(rows[number], f"{MAIN}c", r=f"B{number}")
        _fill(rows[number][1], value)
    parts[part] = etree.tostring(root)
    write_parts(path, parts)


def _fill(cell: etree._Element, value: float | str) -> None:
    """Put a text or a number into a cell."""
    cell.attrib.pop("t", None)
    for child in list(cell):
        cell.remove(child)
    if isinstance(value, str):
        cell.set("t", "inlineStr")
        etree.SubElement(etree.SubElement(cell, f"{MAIN}is"), f"{MAIN}t").text = value
    else:
        etree.SubElement(cell, f"{MAIN}v").text = str(value)


def run(path: Path):
    """Run a workbook and write its results into it."""
    result = sheetmbs.run(sheetmbs.read(path))
    result.save()
    return result


def choose(path: Path, **values: float | str) -> None:
    """Write into the cells of the sheet that a user fills in, named by their labels, and forget what formulas gave."""
    parts = read_parts(path)
    part = sheet_part(path, SHEET)
    root = etree.fromstring(parts[part])
    cells = {cell.get("r"): cell for cell in root.iter(f"{MAIN}c")}
    labels = {"".join(cell.itertext()): name[1:] for name, cell in reversed(cells.items()) if name.startswith("A")}
    for label, value in values.items():
        _fill(cells[f"B{labels[label]}"], value)
    for cell in cells.values():
        if cell.find(f"{MAIN}f") is not None and cell.find(f"{MAIN}v") is not None:
            cell.remove(cell.find(f"{MAIN}v"))
    parts[part] = etree.tostring(root)
    write_parts(path, parts)


def as_sheet_of_the_user(path: Path) -> Path:
    """A copy in which the sheet has the name ``Moved``: formulas of result sheets are not looked at."""
    parts = read_parts(path)
    parts["xl/workbook.xml"] = parts["xl/workbook.xml"].replace(SHEET.encode(), b"Moved")
    copy = path.with_name("moved.xlsx")
    write_parts(copy, parts)
    return copy


class Shown:
    """The sheet as a program reads it that looks at the values in the file."""

    def __init__(self, path: Path) -> None:
        self.cells = loaded_sheet(path, SHEET, data_only=True)
        labels = [cell.value for cell in self.cells["A"]]
        self.head_row = len(labels) - labels[::-1].index("frame")
        self.labels = {label: row for row, label in reversed(list(enumerate(labels, start=1))) if label}

    def value(self, label: str):
        """What stands beside a label."""
        return self.cells.cell(self.labels[label], 2).value

    @cached_property
    def heads(self) -> dict[str, int]:
        """Columns by their names."""
        return {cell.value: cell.column for cell in self.cells[self.head_row] if cell.value}

    @property
    def picked(self) -> dict[str, float]:
        """The picked row by the names of the columns."""
        return {name: self.cells.cell(self.head_row + 2, column).value for name, column in self.heads.items()}

    def frames(self, name: str) -> np.ndarray:
        """A column of the places of all frames; NaN where nothing stands."""
        column, last = self.heads[name], self.cells.max_row
        values = [self.cells.cell(row, column).value for row in range(self.head_row + 3, last + 1)]
        return np.array([np.nan if value is None else value for value in values], dtype=float)


def strokes_on_paper(path: Path, folder: Path) -> dict[str, list[np.ndarray]]:
    """The lines that LibreOffice draws on the page of the sheet: (n, 2) points of the paper, upward, by colour."""
    profile = f"-env:UserInstallation=file://{folder}/profile"
    command = ["soffice", profile, "--headless", "--convert-to", "pdf", "--outdir", str(folder), str(path)]
    subprocess.run(command, check=True, capture_output=True, timeout=180)
    pdf, svg = folder / f"{path.stem}.pdf", folder / f"{path.stem}.svg"
    for page in range(1, 200):
        told = subprocess.run(
            ["pdftotext", "-f", str(page), "-l", str(page), pdf, "-"], check=True, capture_output=True
        )
        if b"Drag the scroll bar" in told.stdout:
            break
    subprocess.run(["pdftocairo", "-svg", "-f", str(page), "-l", str(page), pdf, svg], check=True, timeout=60)
    found: dict[str, list[np.ndarray]] = {}
    for path_ in PATH.findall(svg.read_text()):
        color, places, moved = COLOR.search(path_), PLACES.search(path_), MOVED.search(path_)
        if color is None or places is None or not re.search(r'\bfill[:=]"?none', path_):
            continue
        points = np.array(POINT.findall(places[1]), dtype=float)
        a, b, c, d, e, f = map(float, moved[1].split(",")) if moved else (1, 0, 0, 1, 0, 0)
        name = "#" + "".join(f"{round(float(share) * 2.55):02X}" for share in color.groups())
        found.setdefault(name, []).append((points @ np.array([[a, b], [c, d]]) + (e, f)) * (1.0, -1.0))
    return found
