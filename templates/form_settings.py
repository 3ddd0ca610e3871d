"""Sheets with a setting per row: those that the model does not give stand there too, blank, with what that means."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from math import ceil
from typing import Any

from look import GREY, Cell
from style import Column

from sheetmbs.schema.column import SettingRule

NOTE_LETTERS, LINE_POINTS, LAST_COLUMN = 95, 15, 6
"""letters on a line of the notes, height of a line, and the last column that a line crosses"""

OWN_UNITS = {
    **dict.fromkeys(("downforce area", "lift area", "drag area"), "m^2"),
    **dict.fromkeys(("roll inertia", "yaw inertia", "pitch inertia", "wheel inertia"), "kg*m^2"),
    "air density": "kg/m^3",
    "differential bias": "",
}
"""settings that people have in another unit than the usual one of their dimension"""


def blank_settings(
    settings: Iterable[SettingRule], columns: Sequence[Column], given: Collection[Cell], units: Mapping[str, str]
) -> list[tuple[Cell, ...]]:
    """The rows of settings that are not among those given. units: what people have instead of SI."""
    return [_blank(setting, columns, units) for setting in settings if setting.name not in given]


def part_optional(sheet: Any, first: int, optional: int, notes: Sequence[Cell], line: Any) -> None:
    """Part settings that the model does not give from those above by a line, as rows that [-] folds away.

    first: row of the first setting. optional: row of the first that is not given. notes: what stands beside each setting, which
    must be seen whole. line: the format of the line.
    """
    for row, note in enumerate(notes, start=first):
        lines = ceil(len(str(note or "")) / NOTE_LETTERS)
        options = {"level": 1} if row >= optional else {}
        if options or lines > 1:
            sheet.set_row(row, LINE_POINTS * max(lines, 1), None, options)
    if first < optional < first + len(notes):
        sheet.conditional_format(optional, 0, optional, LAST_COLUMN, {"type": "no_errors", "format": line})
        sheet.outline_settings(symbols_below=False)


def setting_weight(setting: str, given: Collection[Cell]) -> dict[str, Any]:
    """How the name of a setting looks: strong where it is given."""
    return {"bold": True} if setting in given else {"font_color": GREY}


def _blank(setting: SettingRule, columns: Sequence[Column], units: Mapping[str, str]) -> tuple[Cell, ...]:
    said = f"{setting.doc}; blank = {setting.default}" if setting.default else setting.doc
    usual = units.get(setting.dimension.si, setting.dimension.example) if setting.dimension else ""
    unit = OWN_UNITS.get(setting.name, usual)
    cells: dict[str, Cell] = {"setting": setting.name, "unit": unit, "notes": said}
    return tuple(cells.get(column.header) for column in columns)
