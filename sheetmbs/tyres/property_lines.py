"""Lines of files of tyre properties (`.tir`): sections, keys with values and comments, units, and tables that are passed over.

    [SECTION]   KEY = 1.0D+03 $ comment   KEY = 'text' ! comment   $ comment   ! comment   {heads of a table}   1.0 0.0

Files as they are met: keys in any case, blank values, no blanks round the sign of equality, sections twice, Fortran exponents.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from math import isfinite

from sheetmbs.problems.listing import printable
from sheetmbs.schema import units as u
from sheetmbs.tyres.coefficients import DIMENSIONS, FITTYP, TEXTS, USED, plain_name
from sheetmbs.tyres.given_values import GivenValue, TyreProblems

KEY = re.compile(r"\s*([A-Za-z][A-Za-z0-9_]*)\s*=(.*)", re.DOTALL)
SECTION = re.compile(r"\s*\[([^\[\]]+)\]\s*(?:[$!].*)?", re.DOTALL)
TEXT = re.compile(r"\s*(?:'([^']*)'|\"([^\"]*)\")\s*(?:[$!](.*))?", re.DOTALL)
COMMENT = re.compile(r"[$!]")
NUMBER = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eEdD][+-]?\d+)?")
ROW = re.compile(r"\s*(?:[+-]?(?:\d+\.?\d*|\.\d+)(?:[eEdD][+-]?\d+)?[\s,;]*)+(?:[$!].*)?")
MAX_SIZE = 1e50
"""of any number: products of several must not overflow"""
LONGEST_SHOWN = 60
"""characters of a line in a message"""
UNITS, HEADER = "UNITS", "MDI_HEADER"
"""sections: sizes of units, and what a program says of the file itself, which no tyre depends on"""
UNIT_WORDS: dict[str, dict[str, float]] = {
    "LENGTH": {
        **dict.fromkeys(("meter", "metre", "meters", "metres", "m"), 1.0),
        **dict.fromkeys(("mm", "millimeter", "millimetre", "millimeters", "millimetres"), 1e-3),
        **dict.fromkeys(("cm", "centimeter", "centimetre"), 1e-2),
        **dict.fromkeys(("km", "kilometer", "kilometre"), 1e3),
        **dict.fromkeys(("inch", "in", "inches"), 0.0254),
        **dict.fromkeys(("foot", "feet", "ft"), 0.3048),
    },
    "FORCE": {
        **dict.fromkeys(("newton", "n", "newtons"), 1.0),
        **dict.fromkeys(("kilonewton", "kn", "knewton"), 1e3),
        **dict.fromkeys(("pound_force", "lbf", "pound", "pounds"), 4.4482216152605),
        **dict.fromkeys(("kilogram_force", "kgf", "kg_force"), 9.80665),
    },
    "ANGLE": {
        **dict.fromkeys(("radian", "radians", "rad"), 1.0),
        **dict.fromkeys(("degree", "degrees", "deg"), 0.017453292519943295),
    },
    "MASS": {
        **dict.fromkeys(("kg", "kilogram", "kilograms"), 1.0),
        **dict.fromkeys(("gram", "g"), 1e-3),
        **dict.fromkeys(("pound_mass", "lbm", "lb", "pound"), 0.45359237),
        **dict.fromkeys(("slug",), 14.59390293720636),
        **dict.fromkeys(("tonne", "megagram"), 1e3),
    },
    "TIME": {
        **dict.fromkeys(("second", "seconds", "sec", "s"), 1.0),
        **dict.fromkeys(("millisecond", "milliseconds", "ms"), 1e-3),
        **dict.fromkeys(("minute", "minutes", "min"), 60.0),
        **dict.fromkeys(("hour", "hours", "h"), 3600.0),
    },
    "PRESSURE": {
        **dict.fromkeys(("pascal", "pa", "pascals"), 1.0),
        **dict.fromkeys(("kpascal", "kpa", "kilopascal"), 1e3),
        **dict.fromkeys(("mpascal", "mpa", "megapascal"), 1e6),
        **dict.fromkeys(("bar",), 1e5),
        **dict.fromkeys(("psi",), 6894.757293168361),
    },
}
"""sizes in SI of the words of the section UNITS"""
SHORT_UNITS = {
    "LENGTH": {1.0: "m", 1e-3: "mm", 1e-2: "cm", 1e3: "km", 0.0254: "in", 0.3048: "ft"},
    "FORCE": {1.0: "N", 1e3: "kN", 4.4482216152605: "lbf", 9.80665: "kgf"},
    "ANGLE": {1.0: "rad", 0.017453292519943295: "deg"},
    "TIME": {1.0: "s", 1e-3: "ms", 60.0: "min", 3600.0: "h"},
    "PRESSURE": {1.0: "Pa", 1e3: "kPa", 1e6: "MPa", 1e5: "bar", 6894.757293168361: "psi"},
}
"""the same as units of cells"""


@dataclass(frozen=True)
class RawValue:
    """A value as it stands in a line. place: its cell, or file and line."""

    text: str
    place: str
    comment: str
    is_quoted: bool = False


@dataclass
class PropertyLines:
    """What lines of tyre properties hold. values: numbers and texts that a tyre uses, by name, SI. unused: names of other keys.

    blank: names of keys without a value. units: sizes of units by what they measure.
    """

    values: dict[str, GivenValue] = field(default_factory=dict)
    unused: dict[str, GivenValue] = field(default_factory=dict)
    blank: list[str] = field(default_factory=list)
    units: dict[str, float] = field(default_factory=dict)
    words: dict[str, str] = field(default_factory=dict)
    """as the keys of values are written"""

    def unit_of(self, name: str) -> str:
        """The unit of a coefficient in these lines, as cells have it."""
        dimension = DIMENSIONS.get(name)
        return "" if dimension is None else unit_text(dimension, self.units)


def read_property_lines(lines: Iterable[tuple[str, str]], problems: TyreProblems) -> PropertyLines:
    """Read lines with their places. What is wrong is reported."""
    found = PropertyLines()
    raw: dict[str, RawValue] = {}
    section, is_table = "", False
    for place, line in lines:
        text = line.strip()
        if not text or text.startswith(("$", "!")):
            continue
        head, key = SECTION.fullmatch(text), KEY.fullmatch(text)
        if head:
            section, is_table = head[1].strip().upper(), False
        elif key:
            is_table = False
            _read_key(section, key[1], _value(key[2], place), raw, found, problems)
        elif text.startswith(("{", "(")):
            is_table = True
        elif not is_table or not (ROW.fullmatch(text) or TEXT.fullmatch(text)):
            _refuse_line(text, place, problems)
    for name, value in raw.items():
        _convert(name, value, found, problems)
    return found


def _read_key(
    section: str,
    key: str,
    value: RawValue,
    raw: dict[str, RawValue],
    found: PropertyLines,
    problems: TyreProblems,
) -> None:
    if section == UNITS or (not section and key.upper() in UNIT_WORDS and value.is_quoted):
        _keep_unit(key.upper(), value, found, problems)
    elif value.text == "" and not value.is_quoted:
        found.blank.append(plain_name(key))
    elif section != HEADER:
        _keep(key, value, raw, found, problems)


def _refuse_line(text: str, place: str, problems: TyreProblems) -> None:
    if text.startswith("["):
        rule, fix = "a section is a name in brackets, such as [MODEL]", "complete the brackets"
        problems.error("broken-section", place, _shown(text), rule, fix)
        return
    rule = "a line is KEY = value $ comment, a [SECTION], a comment after $ or !, or a row of a table below its {heads}"
    problems.error("broken-line", place, _shown(text), rule, "correct the line, or begin it with $")


def _shown(text: str) -> str:
    text = printable(text)
    return f"'{text if len(text) <= LONGEST_SHOWN else text[:LONGEST_SHOWN] + '..'}'"


def _value(text: str, place: str) -> RawValue:
    quoted = TEXT.fullmatch(text)
    if quoted:
        return RawValue((quoted[1] or quoted[2] or "").strip(), place, _comment(quoted[3]), is_quoted=True)
    bare, *comment = COMMENT.split(text, maxsplit=1)
    return RawValue(bare.strip(), place, _comment("".join(comment)))


def _comment(text: str | None) -> str:
    return printable(" ".join((text or "").split()))


def _keep_unit(kind: str, value: RawValue, found: PropertyLines, problems: TyreProblems) -> None:
    words = UNIT_WORDS.get(kind)
    if words is None:
        return  # a program's own unit, which no coefficient here has
    word = value.text.strip().lower().replace(" ", "_")
    if word not in words:
        known = ", ".join(dict.fromkeys(words))
        problems.error("unknown-unit", value.place, f"{kind} = {_shown(value.text)}", f"units are {known}", "write one")
        return
    if found.units.setdefault(kind, words[word]) != words[word]:
        rule, fix = f"another unit of {kind} stands above", "keep one of the two lines"
        problems.error("given-twice", value.place, f"{kind} = {_shown(value.text)}", rule, fix)


def _keep(key: str, value: RawValue, raw: dict[str, RawValue], found: PropertyLines, problems: TyreProblems) -> None:
    name = plain_name(key)
    other = raw.setdefault(name, value)
    if other is value:
        found.words[name] = key.upper()
    elif not _are_same(other.text, value.text):
        rule = f"{name} is {_shown(other.text)} at {other.place}"
        fix = "keep one of the two values"
        problems.error("given-twice", value.place, f"{key.upper()} = {_shown(value.text)}", rule, fix)


def _are_same(one: str, other: str) -> bool:
    numbers = [number_of(text) for text in (one, other)]
    return numbers[0] == numbers[1] if None not in numbers else one.lower() == other.lower()


def number_of(text: str) -> float | None:
    """A number as Fortran writes it too; None where a text is none, or too large for one."""
    if not NUMBER.fullmatch(text):
        return None
    value = float(text.lower().replace("d", "e"))
    return value if isfinite(value) and abs(value) <= MAX_SIZE else None


def _convert(name: str, value: RawValue, found: PropertyLines, problems: TyreProblems) -> None:
    """Keep a value in SI."""
    written = found.words[name]
    as_written = value.text
    if name in TEXTS or name == FITTYP or name not in USED:
        given = GivenValue(name, value.text, value.place, as_written, value.comment)
        (found.values if name in TEXTS or name == FITTYP else found.unused)[name] = given
        return
    number = number_of(value.text)
    if number is None:
        rule = f"{name} is a number, such as 1.25, -3e-4 or 1.0D+03"
        problems.error("not-a-number", value.place, f"{written} = {_shown(value.text)}", rule, "correct the value")
        return
    dimension = DIMENSIONS.get(name)
    if dimension is not None:
        number *= size_of(dimension, found.units)
        as_written = f"{value.text} {unit_text(dimension, found.units)}".strip()
    found.values[name] = GivenValue(name, number, value.place, as_written, value.comment)


def size_of(dimension: u.Dimension, units: dict[str, float]) -> float:
    """How large one unit of a dimension is in SI. units: sizes of the file's own units."""
    length, force, angle, time, pressure = (
        units.get(kind, 1.0) for kind in ("LENGTH", "FORCE", "ANGLE", "TIME", "PRESSURE")
    )
    sizes = {u.LENGTH: length, u.FORCE: force, u.ANGLE: angle, u.STIFFNESS: force / length, u.PRESSURE: pressure}
    return sizes[dimension] if dimension in sizes else length / time


def unit_text(dimension: u.Dimension, units: dict[str, float]) -> str:
    """The same unit as a text for cells."""
    short = {kind: SHORT_UNITS[kind][units.get(kind, 1.0)] for kind in SHORT_UNITS}
    texts = {u.LENGTH: short["LENGTH"], u.FORCE: short["FORCE"], u.ANGLE: short["ANGLE"], u.PRESSURE: short["PRESSURE"]}
    texts[u.STIFFNESS] = f"{short['FORCE']}/{short['LENGTH']}"
    return texts.get(dimension, f"{short['LENGTH']}/{short['TIME']}")


def read_property_text(text: str, name: str, problems: TyreProblems) -> PropertyLines:
    """Read a whole file. name: of the file, for places such as ``slick.tir, line 12``."""
    lines = ((f"{name}, line {number}", line) for number, line in enumerate(text.splitlines(), start=1))
    return read_property_lines(lines, problems)
