"""How a table is laid out on paper: upright or across, how small, over how many pages side by side."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil

DIGIT, PADDING = 7, 5
"""pixels of a digit, and around a number, in the default font"""
UPRIGHT, ACROSS = 717, 1045
"""pixels across an A4 page between its margins"""
MIN_SCALE = 0.6
"""to which a page may shrink: numbers of 11 points are still read at 6.6"""
FEW_ROWS = 45
"""that fill one page at full size"""
WIDTH_OF_NUMBERS, WIDTH_OF_FEW_DIGITS = MIN_WIDTHS = 13.0, 11.0
"""digits that a column of numbers is wide at least, and one whose numbers are all short"""
ONE_ACROSS = '<pageSetup paperSize="9" fitToHeight="0" orientation="landscape"/>'
"""one page across, for each of the ranges that are printed"""


def usual_width(name: str, least: float = WIDTH_OF_NUMBERS) -> float:
    """How wide a column of numbers is, in digits. name: its header."""
    return min(max(least, len(name) * 1.15 + 2), 34.0)


def text_width(name: str, texts: Sequence[str]) -> float:
    """How wide a column of texts is, in digits: their longest, up to a limit."""
    return min(max(len(name) * 1.15 + 4, *(len(each) * 1.05 + 2 for each in set(texts))), 60.0)


def last_on_page(names: Sequence[str], first: int, last: int, repeated: int) -> int:
    """The last of the columns from first to last that a page across holds beside the repeated ones at the smallest size."""
    pixels = [DIGIT * usual_width(name) + PADDING for name in names]
    room = ACROSS / MIN_SCALE - sum(pixels[:repeated])
    end = first
    while end < last and sum(pixels[first : end + 2]) <= room:
        end += 1
    return end


def page_setup(widths: Sequence[float], rows: int) -> str:
    """The element `pageSetup` of a sheet.

    widths: of the printed columns, in digits, the first of which is repeated on every page. rows: of numbers.
    """
    pixels = [DIGIT * width + PADDING for width in widths]
    total = sum(pixels)
    is_upright = total <= UPRIGHT / MIN_SCALE
    room = (UPRIGHT if is_upright else ACROSS) / MIN_SCALE
    orientation = "portrait" if is_upright else "landscape"
    pages = max(ceil((total - pixels[0]) / (room - pixels[0])), 1)
    if pages == 1 and rows > FEW_ROWS:
        return f'<pageSetup paperSize="9" scale="{round(100 * MIN_SCALE)}" orientation="{orientation}"/>'
    return f'<pageSetup paperSize="9" fitToWidth="{pages}" fitToHeight="0" orientation="{orientation}"/>'
