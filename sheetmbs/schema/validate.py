"""Rules for single values: numbers given as text, units of columns, choices, yes and no. Nothing here knows cells."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from math import isfinite

from sheetmbs.problems.listing import invisible_in, without_invisible
from sheetmbs.schema.meanings import value_advice, value_meant
from sheetmbs.schema.names import fold
from sheetmbs.schema.synonyms import squashed
from sheetmbs.schema.units import RATIO, Dimension, Unit, UnitError, doubt_about, nearest_unit, parse_unit

NUMBER = r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?"
QUANTITY = re.compile(rf"({NUMBER})\s*(.*)", re.DOTALL)
BARE_NUMBER = re.compile(NUMBER)
OTHER_NUMBER = re.compile(r"[+\-\u2212]?\s*[\d.,'\u00a0\u202f ]*\d[\d.,'\u00a0\u202f ]*(?:[eE][+\-\u2212]?\d+)?")
OTHER_QUANTITY = re.compile(rf"({OTHER_NUMBER.pattern})\s*([^\d\s.,'\u00a0\u202f-].*)", re.DOTALL)
UNIT_FIRST = re.compile(rf"([^\d+.-]\S*)\s+({NUMBER})")
CALCULATION = re.compile(
    rf"'?\s*=.*|\(*\s*{NUMBER}(?:\s*(?:\*\*|[*/^·⋅\u00d7x+\u2212-])\s*\(*\s*{NUMBER}[⁰¹²³⁴⁵⁶⁷⁸⁹]*\)*)+"
)
HEADER = re.compile(r"(.*?)\s*\[([^\[\]]*)\]\s*", re.DOTALL)
HEADER_IN_PARENTHESES = re.compile(r"(.*?)\s*\(([^()]*(?:\([^()]*\)[^()]*)*)\)\s*", re.DOTALL)
IN_UNIT = re.compile(r"in\s+(?!lb|oz|kip)")
"""as in ``mass (in kg)``, where it is no inch"""
MINUS_SIGNS = "\u2212\u2010\u2011\u2012\u2013\u2014\ufe63\uff0d"
"""signs and dashes that look like the minus of a keyboard"""
APOSTROPHES = "'\u2019\u02bc"
"""what groups thousands in Switzerland"""
NOT_FINITE = ("nan", "inf", "infinity")
LONGEST_QUANTITY = 255
"""characters of a number with its unit, or of a unit; a longer text is neither, and a cell may hold 32,767"""
MAX_NAMED_DIMENSIONS = 4
"""quantities that a message names one by one"""
YES, NO = ("yes", "y", "true", "1"), ("no", "n", "false", "0")


class ValueFault(Exception):  # noqa: N818 - as a fault in a sheet; it becomes a Problem
    """A value breaks a rule. code, problem, mend: as in `sheetmbs.problems.errors.Problem`."""

    def __init__(self, code: str, problem: str, mend: str) -> None:
        super().__init__(problem)
        self.code, self.problem, self.mend = code, problem, mend


def split_header(text: str) -> tuple[str, str | None]:
    """Name and unit of a header such as ``mass [kg]``; None where it has no brackets."""
    match = HEADER.fullmatch(text.strip())
    return (match[1], match[2].strip()) if match else (text.strip(), None)


def split_parentheses(text: str) -> tuple[str, str] | None:
    """Name and unit of a header such as ``mass (kg)``, or None where what is in the parentheses is no unit."""
    match = HEADER_IN_PARENTHESES.fullmatch(text.strip())
    unit = IN_UNIT.sub("", match[2]) if match else ""
    return (match[1], unit.strip()) if match and not is_blank_unit(unit) and is_unit(unit) else None


def is_blank_unit(text: str) -> bool:
    """Whether a unit's text says nothing: it is blank or a dash."""
    return text.strip() in ("", "-", "\u2013", "\u2014")


def unit_of(text: str, dimensions: Sequence[Dimension]) -> Unit | None:
    """The unit a text means, None for a blank one. Raises Fault where it fits none of ``dimensions``."""
    if is_blank_unit(text):
        return None
    if not dimensions:
        raise ValueFault("unit-not-taken", "nothing here has a unit", "remove the unit")
    if any(text.strip() in dimension.own for dimension in dimensions):
        return None
    for dimension in dimensions:
        text = text.strip().removesuffix(dimension.over)
    try:
        unit = parse_unit(text)
    except UnitError as error:
        meant = nearest_unit(text.strip(), dimensions) if len(text) <= LONGEST_QUANTITY else None
        reason, _, advice = str(error).partition("; ")
        problem = "is no unit that is known here" if meant else reason
        otherwise = advice if advice.startswith(("write", "leave", "put")) else _ask_for_unit(dimensions)
        mend = f"did you mean {meant}?" if meant else otherwise
        raise ValueFault("unknown-unit", f"{text.strip()!r} {problem}", mend) from None
    if not any(unit.fits(dimension) for dimension in dimensions):
        names = [dimension.name.partition(" ")[2] for dimension in dimensions]
        what = " or ".join(names) if len(names) <= MAX_NAMED_DIMENSIONS else "anything here"
        meant = nearest_unit(unit.text, dimensions)
        problem = f"{unit.text} is not a unit of {what}"
        raise ValueFault("wrong-dimension", problem, f"did you mean {meant}?" if meant else _ask_for_unit(dimensions))
    doubt = doubt_about(unit, dimensions)
    if doubt:
        raise ValueFault("unclear-unit", f"{unit.text} {doubt[0]}", doubt[1])
    return unit


def _ask_for_unit(dimensions: Sequence[Dimension]) -> str:
    if len(dimensions) > MAX_NAMED_DIMENSIONS:
        return "give a unit such as mm, deg or N, or none for SI"
    units = [text for dimension in dimensions for text in dict.fromkeys((dimension.si, dimension.example))]
    return f"give a unit such as {' or '.join(units)}, or none for SI"


def quantity(text: str, dimensions: Sequence[Dimension]) -> float:
    """The value in SI of a cell's text such as ``30 deg``.

    Raises Fault, also for a number that is only text: a cell that looks like a number but is none is a trap.
    """
    wanted = text.strip()
    if wanted.lstrip("+-").casefold() in NOT_FINITE:
        raise not_finite()
    if text.isascii() and BARE_NUMBER.fullmatch(text):
        if not isfinite(float(wanted)):
            raise not_finite()
        mend = "enter it as a number, in a cell that is not formatted as text"
        raise ValueFault("number-as-text", "the number is stored as text", mend)
    match = QUANTITY.fullmatch(wanted)
    if len(wanted) <= LONGEST_QUANTITY:
        fault = _number_in_foreign_signs(text) or _unusual(wanted)
        if fault:
            raise fault
    if match is None:
        has_units = dimensions and dimensions[0] is not RATIO
        mend = f"enter a number, or a number with its unit such as 1.5 {dimensions[0].example}" if has_units else ""
        raise ValueFault("not-a-number", "a number is needed", mend or "enter a number")
    if not isfinite(float(match[1])):
        raise not_finite()
    if without_invisible(match[2]) != match[2] and not is_unit(match[2]):
        problem = f"the text contains {invisible_in(match[2])}"
        raise ValueFault("unknown-unit", problem, f"type it again: {match[1]} {without_invisible(match[2]).strip()}")
    unit = unit_of(match[2], dimensions)
    value = float(match[1])
    return unit.to_si(value) if unit else value


def _number_in_foreign_signs(text: str) -> ValueFault | None:
    """The fault of a number that stands in a cell as text, with what makes it one; None where the text is no number."""
    found, plain = _without_foreign_signs(text)
    is_plain = BARE_NUMBER.fullmatch(plain) is not None
    if not is_plain and not OTHER_NUMBER.fullmatch(plain):
        return None
    ways = [plain] if is_plain else _readings(plain)
    if len(ways) > 1:
        signs = " and ".join(sign for sign in (",", ".") if sign in plain)
        found.append(f"its {signs} can be read in several ways")
    elif not is_plain and "," in plain:
        found.append("its decimal sign is a comma" if "." in ways[0] else "commas group its thousands")
    elif not is_plain:
        found.append("blanks stand in it" if " " in plain else "points group its thousands")
    because = f": {', '.join(found)}" if found else ""
    mend = f"type {' or '.join(ways)} as a number, with the decimal sign of your spreadsheet program"
    return ValueFault("number-as-text", f"the number is stored as text{because}", mend)


def _without_foreign_signs(text: str) -> tuple[list[str], str]:
    """What makes a text of a number another one than a keyboard types, in words, and the text without it."""
    found: list[str] = []
    plain = text.strip()
    unseen = invisible_in(text)
    if unseen:
        found.append(f"it contains {unseen}")
        plain = without_invisible("".join(" " if sign.isspace() else sign for sign in plain)).strip()
    elif text != plain:
        found.append(f"a blank stands at its {'end' if text[:1] == plain[:1] else 'beginning'}")
    minus = next((sign for sign in plain if sign in MINUS_SIGNS), "")
    if minus:
        found.append(f"its minus is a typographic one, U+{ord(minus):04X}; type the - of the keyboard")
        plain = "".join("-" if sign in MINUS_SIGNS else sign for sign in plain)
    foreign = next((sign for sign in plain if sign.isdecimal() and not sign.isascii()), "")
    if foreign:
        kind = unicodedata.name(foreign).partition(" DIGIT")[0].lower()
        found.append(f"its digits are {kind} ones, U+{ord(foreign):04X}")
        plain = unicodedata.normalize("NFKC", plain)
        plain = "".join(str(unicodedata.decimal(sign)) if sign.isdecimal() else sign for sign in plain)
    if any(sign in APOSTROPHES for sign in plain):
        found.append("apostrophes group its thousands")
        plain = "".join(sign for sign in plain if sign not in APOSTROPHES)
    last = {",": "comma", ";": "semicolon", ".": "second point"}.get(plain[-1:], "")
    if last and BARE_NUMBER.fullmatch(plain[:-1]) and not BARE_NUMBER.fullmatch(plain):
        found.append(f"a {last} stands at its end")
        plain = plain[:-1]
    return found, plain


def _unusual(text: str) -> ValueFault | None:
    """The fault of a quantity whose number is written in an unusual way, with its unit first, or as a calculation."""
    match = OTHER_QUANTITY.fullmatch(text)
    if match and is_unit(match[2]) and not BARE_NUMBER.fullmatch(match[1].strip()):
        found, plain = _without_foreign_signs(match[1].strip())
        ways = " or ".join(f"{number} {match[2].strip()}" for number in _readings(plain))
        problem = "before a unit decimals are written with a point, and thousands without a sign"
        problem = ", ".join(found) if found and BARE_NUMBER.fullmatch(plain) else problem
        return ValueFault("number-as-text", problem, f"write {ways}")
    match = UNIT_FIRST.fullmatch(text)
    if match and is_unit(match[1]):
        return ValueFault("not-a-number", "a unit comes after its number", f"write {match[2]} {match[1].strip()}")
    if CALCULATION.fullmatch(text):
        mend = "enter it as a formula of your spreadsheet program, or enter its result"
        return ValueFault("not-a-number", "a number is needed; text is not calculated", mend)
    return None


def _readings(number: str) -> list[str]:
    """A number as people write it elsewhere, with a decimal point and nothing else; two where it is not clear."""
    plain = re.sub(r"[\s'\u00a0\u202f]", "", number).replace("\u2212", "-")
    signs = [sign for sign in plain if sign in ".,"]
    if not signs:
        return [plain]
    whole, _, decimals = plain.rpartition(signs[-1])
    without = whole.replace(".", "").replace(",", "")
    as_decimals = f"{without}.{decimals}" if signs.count(signs[-1]) == 1 else ""
    as_thousands = without + decimals if re.fullmatch(r"\d{3}", decimals) and len(set(signs)) == 1 else ""
    return [reading for reading in (as_decimals, as_thousands) if reading] or [without + decimals]


def is_unit(text: str) -> bool:
    """Whether a text is a unit."""
    try:
        parse_unit(text)
    except UnitError:
        return False
    return True


def number_and_unit(text: str) -> tuple[float, str] | None:
    """The number and the unit of a text such as ``25 N/mm``; None of any other text, such as the beginning of an expression."""
    match = QUANTITY.fullmatch(text.strip())
    if match is None or not match[2] or not is_unit(match[2]):
        return None
    return float(match[1]), match[2]


def has_unit(text: str) -> bool:
    """Whether a text is a number with a unit."""
    return number_and_unit(text) is not None


def not_finite() -> ValueFault:
    """The fault of NaN and infinity."""
    return ValueFault("not-finite", "a number must be finite", "enter a finite number")


def choice(text: str, choices: Sequence[str]) -> str:
    """The one of ``choices`` that a text means, also with its words written as one: pushrod. Raises Fault."""
    for each in choices:
        if squashed(each) == squashed(text):
            return each
    raise unknown_value(text, choices)


def unknown_value(text: str, choices: Sequence[str]) -> ValueFault:
    """The fault of a text that is not among ``choices``."""
    allowed = " or ".join(part for part in (", ".join(choices[:-1]), choices[-1]) if part)
    return ValueFault("unknown-value", f"it may be {allowed}", value_advice(text, choices))


def flag(text: str) -> bool:
    """Yes or no. Raises Fault."""
    if fold(text) in YES:
        return True
    if fold(text) in NO:
        return False
    meant = value_meant(text, (YES[0], NO[0]))
    raise ValueFault("not-yes-or-no", "yes or no is needed", f"did you mean {meant}?" if meant else "write yes or no")
