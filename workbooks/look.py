"""What a script may write into a cell, and the colours and font that all example workbooks share."""

from __future__ import annotations

from dataclasses import dataclass

from sheetmbs.workbook.writing.new_workbook import FONT, GREY, HEAD, INK, INPUT, LINE, UNITS

__all__ = ["FONT", "GREY", "HEAD", "INK", "INPUT", "LINE", "UNITS", "Cell", "Formula"]


@dataclass(frozen=True)
class Formula:
    """A spreadsheet formula with its value, which the file keeps: readers that do not calculate need it."""

    text: str
    value: float | str


Cell = str | float | int | None | Formula
