"""Make planar.xlsx, the form of a planar model: all tables, drop-downs, notes, and one rod on a hinge to start from.

The sheets Guiding, ForceSeries and Curves are left out: their headers name the user's own bodies and curves.

Usage: python templates/make_planar.py [FOLDER]
"""

from __future__ import annotations

import sys
from datetime import datetime
from pathlib import Path

import xlsxwriter

from sheetmbs.elements import JOINTS
from sheetmbs.schema.column import Column, Kind, Layout
from sheetmbs.schema.settings import SETTINGS
from sheetmbs.schema.sheets import SHEETS

ROWS = 200
LATER = {"Clearances", "Beams", "Mass properties"}
START = {
    "Settings": [("title", "My model"), ("analysis", "dynamic"), ("t_end", 2), ("t_step", 0.01)],
    "Bodies": [{"name": "rod", "mass": 1, "inertia": 0.0833, "x": 0.5, "y": 0, "phi": 0}],
    "Points": [{"name": "A", "x": 0, "y": 0}],
    "Joints": [{"name": "hinge", "type": "revolute", "body_i": "ground", "body_j": "rod", "point": "A"}],
}


def make(folder: Path) -> Path:
    """Write planar.xlsx into a folder; the same bytes every time."""
    path = folder / "planar.xlsx"
    with xlsxwriter.Workbook(path) as book:
        book.set_properties({"title": "Planar model", "created": datetime(2026, 1, 1)})  # noqa: DTZ001 - a fixed date
        header = book.add_format({"bold": True, "bg_color": "#DCE6F1", "font_color": "#1F3864", "bottom": 1})
        units = book.add_format({"italic": True, "font_color": "#7F7F7F"})
        for sheet in SHEETS:
            if sheet.name in LATER or sheet.layout is not Layout.TABLE:
                continue
            page = book.add_worksheet(sheet.name)
            page.freeze_panes(1 if sheet.name == "Settings" else 2, 1)
            columns = [column for column in sheet.columns if "2D" in column.models]
            for k, column in enumerate(columns):
                page.write(0, k, column.name, header)
                page.write_comment(0, k, _note(column))
                page.set_column(k, k, max(9, len(column.name) + 3))
                _offer(page, k, column)
            if sheet.name == "Settings":
                _settings(page, units)
                continue
            page.write(1, 0, "units", units)
            for r, row in enumerate(START.get(sheet.name, ()), start=2):
                for k, column in enumerate(columns):
                    if column.name in row:
                        page.write(r, k, row[column.name])
    return path


def _note(column: Column) -> str:
    needed = "required" if column.required else f"blank = {column.default}" if column.default else "optional"
    return f"{column.doc} ({needed})"


def _offer(page: xlsxwriter.worksheet.Worksheet, number: int, column: Column) -> None:
    """A drop-down for a choice or a reference; other words are still allowed, for the check says it better."""
    source: list[str] | str | None = None
    if column.name == "type" and column.choices and set(column.choices) >= set(JOINTS):
        source = [name for name, joint in JOINTS.items() if "2D" in joint.dimensions]
    elif column.choices:
        source = list(column.choices)
    elif column.kind is Kind.FLAG:
        source = ["yes", "no"]
    elif column.kind is Kind.REFERENCE and len(column.sheets) == 1:
        source = f"='{column.sheets[0]}'!$A$3:$A${ROWS}"
    if source:
        rule = {"validate": "list", "source": source, "error_type": "information", "show_error": False}
        page.data_validation(2, number, ROWS, number, rule)


def _settings(page: xlsxwriter.worksheet.Worksheet, faint: object) -> None:
    """The settings that every model gives, then all the others with what blank means."""
    given = dict(START["Settings"])
    others = [setting for setting in SETTINGS if setting.name not in given]
    known = {setting.name: setting for setting in SETTINGS}
    page.set_column(0, 0, 20)
    page.set_column(3, 3, 70)
    for r, (name, value) in enumerate(given.items(), start=1):
        page.write_row(r, 0, (name, value))
        page.write(r, 3, known[name].doc, faint)
        if known[name].choices:
            page.data_validation(r, 1, r, 1, {"validate": "list", "source": list(known[name].choices)})
    for r, setting in enumerate(others, start=len(given) + 1):
        default = setting.default or (setting.choices[0] if setting.choices else "")
        page.write(r, 0, setting.name)
        page.write(r, 3, f"{setting.doc}{f' (blank = {default})' if default else ''}", faint)
        if setting.choices:
            page.data_validation(r, 1, r, 1, {"validate": "list", "source": list(setting.choices)})


if __name__ == "__main__":
    print(make(Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent))
