"""Lines of a text report: columns at the right, numbers as Fortran prints them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import isnan

WIDTH = 12
LARGEST = 1e8
"""from which on a number with a point would not fit its column"""


def fixed(value: float, decimals: int) -> str:
    """A number with so many decimals, blank where it is not known; what is rounded to zero has no sign."""
    if isnan(value):
        return ""
    if abs(value) >= LARGEST:
        return scientific(value)
    text = f"{value:.{decimals}f}"
    return text.removeprefix("-") if float(text) == 0.0 else text


def scientific(value: float) -> str:
    """A number as 0.1234E+05, blank where it is not known."""
    if isnan(value):
        return ""
    mantissa, _, exponent = f"{value:.3e}".partition("e")
    shifted = int(exponent) + (float(mantissa) != 0.0)
    digits = mantissa.replace(".", "").lstrip("-")
    return f"{'-' if value < 0.0 else ''}0.{digits}E{'-' if shifted < 0 else '+'}{abs(shifted):02d}"


def line(cells: Iterable[str], widths: Iterable[int]) -> str:
    """Cells at the right of columns of these widths."""
    return "".join(f"{cell:>{width}}" for cell, width in zip(cells, widths, strict=False))


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> list[str]:
    """A table with its headings and a blank line below it; rows may be shorter than their headings."""
    widths = [max(WIDTH, len(name) + 2) for name in head]
    return [line(head, widths), *(line(row, widths) for row in rows), ""]


def section(name: str, lines: Iterable[str]) -> list[str]:
    """A named part of the report."""
    return [name, "", *lines]
