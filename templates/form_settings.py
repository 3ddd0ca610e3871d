"""Sheets with a setting per row: those that the model does not give stand there too, blank, with what that means."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

from look import GREY, Cell
from style import Column

from sheetmbs.schema.column import SettingRule


def blank_settings(
    settings: Iterable[SettingRule], columns: Sequence[Column], given: Collection[Cell], units: Mapping[str, str]
) -> list[tuple[Cell, ...]]:
    """The rows of settings that are not among those given. units: what people have instead of SI."""
    return [_blank(setting, columns, units) for setting in settings if setting.name not in given]


def setting_weight(setting: str, given: Collection[Cell]) -> dict[str, Any]:
    """How the name of a setting looks: strong where it is given."""
    return {"bold": True} if setting in given else {"font_color": GREY}


def _blank(setting: SettingRule, columns: Sequence[Column], units: Mapping[str, str]) -> tuple[Cell, ...]:
    said = f"{setting.doc}; blank = {setting.default}" if setting.default else setting.doc
    unit = units.get(setting.dimension.si, setting.dimension.example) if setting.dimension else ""
    cells: dict[str, Cell] = {"setting": setting.name, "unit": unit, "notes": said}
    return tuple(cells.get(column.header) for column in columns)
