"""What a script may write into a cell, and the colours and font that all example workbooks share."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

FONT = "Calibri"
INK, GREY, LINE = "#1F2933", "#6B7780", "#C5CED6"
INPUT = "#1F4E9E"
"""numbers and words that were typed in, against those that formulas give"""
HEAD: dict[str, Any] = {"bold": True, "bg_color": "#DCE4EA", "bottom": 1, "bottom_color": GREY}
UNITS: dict[str, Any] = {"italic": True, "bg_color": "#F2F5F7", "font_color": GREY, "bottom": 1, "bottom_color": LINE}


@dataclass(frozen=True)
class Formula:
    """A spreadsheet formula with its value, which the file keeps: readers that do not calculate need it."""

    text: str
    value: float | str


Cell = str | float | int | None | Formula
