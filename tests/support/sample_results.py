"""Results of a slider-crank that turns at constant speed, in closed form, and ways to look into a workbook."""

from __future__ import annotations

import posixpath
import shutil
import subprocess
import zipfile
from collections.abc import Sequence
from io import BytesIO
from pathlib import Path

import numpy as np
import openpyxl
import pytest
from lxml import etree
from openpyxl.worksheet.worksheet import Worksheet

from sheetmbs.model.model import Chart
from sheetmbs.problems.errors import Problem
from sheetmbs.schema.table import Table
from sheetmbs.workbook.sheets.sheet_contents import ResultSheets

CRANK, ROD, SPEED = 0.1, 0.35, 10 * np.pi
MAIN = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"
FIVE = {
    "[Content_Types].xml",
    "xl/workbook.xml",
    "xl/_rels/workbook.xml.rels",
    "xl/styles.xml",
    "docProps/app.xml",
}
needs_libreoffice = pytest.mark.skipif(shutil.which("soffice") is None, reason="LibreOffice is not installed")

PROBLEM = Problem("unit", "warning", "Model!A1", "12", "the unit of mass is not given", "write kg")


def table(name: str, columns: dict[str, tuple[str, np.ndarray]]) -> Table:
    """A table from name -> (unit, numbers)."""
    units = tuple(unit for unit, _ in columns.values())
    return Table(name, tuple(columns), units, np.column_stack([values for _, values in columns.values()]))


def slider_crank(rows: int = 51, *, springs: bool = True, problems: tuple[Problem, ...] = ()) -> ResultSheets:
    """Everything that the result sheets of a small planar model show."""
    t = np.linspace(0.0, 0.4, rows)
    phi = SPEED * t
    tilt = np.arcsin(CRANK / ROD * np.sin(phi))
    slide = CRANK * np.cos(phi) + ROD * np.cos(tilt)
    rate = np.gradient(slide, t)
    push = 2.0 * np.gradient(rate, t)
    moment = CRANK * push * np.sin(phi + tilt) / np.cos(tilt)
    time = ("s", t)
    bodies = {
        "time": time,
        "crank.x": ("mm", 500 * CRANK * np.cos(phi)),
        "crank.y": ("mm", 500 * CRANK * np.sin(phi)),
        "crank.phi": ("deg", np.degrees(phi)),
        "rod.x": ("mm", 1e3 * (CRANK * np.cos(phi) + ROD / 2 * np.cos(tilt))),
        "rod.y": ("mm", 500 * CRANK * np.sin(phi)),
        "rod.phi": ("deg", -np.degrees(tilt)),
        "slider.x": ("mm", 1e3 * slide),
        "slider.vx": ("mm/s", 1e3 * rate),
    }
    joints = {"time": time, "pin.i.fx": ("N", push), "pin.i.fy": ("N", push * np.tan(tilt)), "pin.i.m": ("N*m", 0 * t)}
    drivers = {"time": time, "motor.moment": ("N*m", moment), "motor.power": ("W", moment * SPEED)}
    tables = [table("mbs Bodies", bodies), table("mbs Joints", joints), table("mbs Drivers", drivers)]
    charts = [
        Chart("Path of rod", "rod.x", ("rod.y",), "xy"),
        Chart("Angles", "time", ("crank.phi", "rod.phi")),
        Chart("Reactions in pin", "time", ("pin.i.fx", "pin.i.fy", "pin.i.m")),
        Chart("Moment of motor", "time", ("motor.moment",)),
    ]
    if springs:
        tables.append(table("mbs Springs", {"time": time, "buffer.force": ("N", 300 - 1e3 * slide)}))
        charts.append(Chart("Springs", "time", ("buffer.force",)))
    summary = (
        ("analysis", "inverse dynamic", ""),
        ("degrees of freedom", 0, ""),
        ("position violation", 1.83e-13, "m"),
        ("evaluations", None, ""),
        ("solve time", 0.0123, "s"),
    )
    return ResultSheets(summary, tuple(tables), tuple(charts), problems)


def read_parts(path: Path) -> dict[str, bytes]:
    """Content of every part."""
    with zipfile.ZipFile(path) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def packed_parts(path: Path) -> dict[str, bytes]:
    """Every part as it is packed, read by following the local headers."""
    content = path.read_bytes()
    packed = {}
    with zipfile.ZipFile(path) as archive:
        for entry in archive.infolist():
            at = entry.header_offset
            assert content[at : at + 4] == b"PK\x03\x04"
            start = at + 30 + int.from_bytes(content[at + 26 : at + 28], "little")
            start += int.from_bytes(content[at + 28 : at + 30], "little")
            packed[entry.filename] = content[start : start + entry.compress_size]
    return packed


def workbook_part(path: Path) -> etree._Element:
    return etree.fromstring(read_parts(path)["xl/workbook.xml"])


def sheet_list(path: Path) -> list[dict[str, str]]:
    """Attributes of every sheet in the order of the tabs."""
    return [dict(sheet.attrib) for sheet in workbook_part(path).iter(f"{MAIN}sheet")]


def sheet_names(path: Path) -> list[str]:
    return [sheet["name"] for sheet in sheet_list(path)]


def sheet_part(path: Path, name: str) -> str:
    """The part that holds a sheet."""
    [sheet] = [sheet for sheet in sheet_list(path) if sheet["name"] == name]
    [key] = [value for attribute, value in sheet.items() if attribute.endswith("}id")]
    rels = etree.fromstring(read_parts(path)["xl/_rels/workbook.xml.rels"])
    [target] = [rel.get("Target") for rel in rels if rel.get("Id") == key]
    return target.lstrip("/") if target.startswith("/") else f"xl/{target}"


def loaded_sheet(path: Path, name: str, *, data_only: bool = False) -> Worksheet:
    """A sheet as openpyxl reads it, from a copy in which the others are empty: they would take most of its time."""
    chosen, parts = sheet_part(path, name), read_parts(path)
    for part in [each for each in parts if each.startswith("xl/worksheets/") and each != chosen]:
        if part.endswith(".xml"):
            parts[part] = f'<worksheet xmlns="{MAIN.strip("{}")}"><sheetData/></worksheet>'.encode()
        elif part != f"{posixpath.dirname(chosen)}/_rels/{posixpath.basename(chosen)}.rels":
            del parts[part]
    copy = BytesIO()
    write_parts(copy, parts)
    return openpyxl.load_workbook(copy, data_only=data_only)[name]


def change_part(path: Path, part: str, old: str, new: str) -> None:
    """Edit one part of a workbook, as another program might."""
    parts = read_parts(path)
    text = parts[part].decode()
    assert old in text
    parts[part] = text.replace(old, new).encode()
    write_parts(path, parts)


def write_parts(path: Path | BytesIO, parts: dict[str, bytes]) -> None:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in parts.items():
            archive.writestr(name, content)


def convert(path: Path, kind: str, folder: Path) -> Path:
    """Open a workbook in LibreOffice and save it as another kind of file, or as .xlsx again."""
    [made] = convert_all([path], kind, folder)
    return made


def convert_all(paths: Sequence[Path], kind: str, folder: Path) -> list[Path]:
    """Convert workbooks of different names with one start of LibreOffice. kind: an ending, with ``:filter`` if need be."""
    folder.mkdir(exist_ok=True)
    profile = f"-env:UserInstallation=file://{folder}/profile"
    command = ["soffice", profile, "--headless", "--convert-to", kind, "--outdir", str(folder), *map(str, paths)]
    subprocess.run(command, check=True, capture_output=True, timeout=180)
    return [folder / f"{path.stem}.{kind.partition(':')[0]}" for path in paths]
