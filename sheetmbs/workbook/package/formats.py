"""Which number formats show dates or percent, and the date that a serial number stands for.

ECMA-376 part 1, 18.8.30 (number formats) and 18.17.4 (dates).
"""

from __future__ import annotations

import re
from datetime import date, datetime, time, timedelta
from enum import Enum

from lxml import etree

from sheetmbs.workbook.package.package import MAIN


class DateFormat(Enum):
    """Kinds of date formats: a point in time, or a duration that counts on past 24 hours."""

    CALENDAR = "calendar"
    ELAPSED = "elapsed"


_BUILT_IN_ELAPSED = 46
_BUILT_IN = {*range(14, 23), *range(27, 37), *range(45, 48), *range(50, 59)}
"""Formats without a code of their own in the file; 27 to 36 and 50 to 58 are the dates of East Asian languages."""

_BUILT_IN_PERCENT = frozenset((9, 10))

_INDEX = re.compile(r"[0-9]{1,9}")
_LITERAL = re.compile(r'"[^"]*"|\\.|_.|\*.')
"""Text in quotes, one escaped character, a space as wide as a character, a character that fills the cell"""
_ELAPSED = re.compile(r"\[(h+|m+|s+)\]", re.IGNORECASE)
_BRACKET = re.compile(r"\[[^\]]*\]")
_DATE_LETTER = re.compile(r"[ymdhs]", re.IGNORECASE)
_ISO_DURATION = re.compile(r"PT(\d+)H(\d+)M([\d.]+)S")
_LAST_1900_BUG_DAY = 60
"""29 February 1900, which Excel counts though there was none"""
_MILLISECONDS_OF_DAY = 86_400_000


def date_format(code: str) -> DateFormat | None:
    """The kind of date that a format code such as ``dd/mm/yyyy`` or ``[h]:mm`` shows; None where it shows a number."""
    bare = _LITERAL.sub("", code)
    if _ELAPSED.search(bare):
        return DateFormat.ELAPSED
    return DateFormat.CALENDAR if _DATE_LETTER.search(_BRACKET.sub("", bare)) else None


def date_styles(styles: etree._Element) -> dict[int, DateFormat]:
    """The cell styles (index in ``cellXfs``) that show dates. styles: root of the styles part."""
    formats = {
        number: DateFormat.ELAPSED if number == _BUILT_IN_ELAPSED else DateFormat.CALENDAR for number in _BUILT_IN
    }
    for element in styles.iterfind(f"{{{MAIN}}}numFmts/{{{MAIN}}}numFmt"):
        own = date_format(str(element.get("formatCode", "")))
        formats.pop(_number(element), None)
        if own is not None:
            formats[_number(element)] = own
    shown = {}
    for style, element in enumerate(styles.iterfind(f"{{{MAIN}}}cellXfs/{{{MAIN}}}xf")):
        if _number(element) in formats:
            shown[style] = formats[_number(element)]
    return shown


def percent_styles(styles: etree._Element) -> frozenset[int]:
    """The cell styles (index in ``cellXfs``) that show numbers as percent. styles: root of the styles part."""
    codes = {
        _number(element): str(element.get("formatCode", ""))
        for element in styles.iterfind(f"{{{MAIN}}}numFmts/{{{MAIN}}}numFmt")
    }
    formats = _BUILT_IN_PERCENT - codes.keys() | {n for n, code in codes.items() if "%" in _LITERAL.sub("", code)}
    each = enumerate(styles.iterfind(f"{{{MAIN}}}cellXfs/{{{MAIN}}}xf"))
    return frozenset(style for style, element in each if _number(element) in formats)


def iso_date(serial: float, kind: DateFormat, *, epoch_1904: bool = False) -> str:
    """ISO 8601 text of a serial number in days: ``2024-05-01``, ``2024-05-01T12:30:00``, ``12:30:00``, ``PT36H30M0S``.

    Rounded to milliseconds. A serial number that is no date (negative, past the year 9999) is given as it stands.
    """
    try:
        milliseconds = round(serial * _MILLISECONDS_OF_DAY)
        if kind is DateFormat.ELAPSED and serial >= 0:
            return _duration(milliseconds)
        days, rest = divmod(milliseconds, _MILLISECONDS_OF_DAY)
        clock = (datetime.min + timedelta(milliseconds=rest)).time().isoformat()  # noqa: DTZ901 - a clock, no instant
        clock = clock.removesuffix("000") if "." in clock else clock
        if 0 <= serial < 1:
            return clock
        day = _day(days, epoch_1904=epoch_1904)
    except (OverflowError, ValueError):
        return repr(serial)
    return f"{day}T{clock}" if rest else day


def serial_of(text: str, *, epoch_1904: bool = False) -> float | str:
    """The serial number in days of what `iso_date` gives; a text that is no date as it stands."""
    if match := _ISO_DURATION.fullmatch(text):
        return (int(match[1]) * 3600 + int(match[2]) * 60 + float(match[3])) / 86400
    day, _letter, clock = text.rpartition("T") if "T" in text else (text, "", "") if "-" in text else ("", "", text)
    try:
        part = time.fromisoformat(clock) if clock else time()
        days = _days(day, epoch_1904=epoch_1904) if day else 0
    except ValueError:
        return text
    return days + (part.hour * 3600 + part.minute * 60 + part.second + part.microsecond / 1e6) / 86400


def _days(day: str, *, epoch_1904: bool) -> int:
    if day == "1900-02-29":
        return _LAST_1900_BUG_DAY
    given = date.fromisoformat(day)
    if epoch_1904:
        return (given - date(1904, 1, 1)).days
    days = (given - date(1899, 12, 30)).days
    return days if days > _LAST_1900_BUG_DAY else days - 1


def _duration(milliseconds: int) -> str:
    minutes, rest = divmod(milliseconds, 60_000)
    return f"PT{minutes // 60}H{minutes % 60}M{rest / 1000:g}S"


def _day(days: int, *, epoch_1904: bool) -> str:
    if days < 0:
        raise ValueError
    if epoch_1904:
        return (date(1904, 1, 1) + timedelta(days)).isoformat()
    if days == _LAST_1900_BUG_DAY:
        return "1900-02-29"
    return (date(1899, 12, 31 if days < _LAST_1900_BUG_DAY else 30) + timedelta(days)).isoformat()


def index(text: str) -> int:
    """The number that the text is if it may count things in a workbook, else -1."""
    return int(text) if _INDEX.fullmatch(text) else -1


def _number(element: etree._Element) -> int:
    return index(str(element.get("numFmtId", "0")))
