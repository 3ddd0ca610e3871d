"""Units: what a unit's text means, its size in SI, and whether it fits a quantity.

A unit is written as engineers write it: ``kg*m^2``, ``kg m2``, ``N·m``, ``Nmm``, ``N/mm``, ``m/s²``, ``1/s``, ``rpm``. One
small table and one grammar serve for all of it: a general library of units costs more time to import (0.4 s) than
reading a workbook does. The tests compare the table with such a library.

Angles have a dimension of their own here, so that an angle in metres or a length in degrees is found out. Where an
angle only takes part (``N*m`` for N m/rad, ``1/s`` for rad/s) it may be left out and then is radians.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import chain, islice, product
from math import pi
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from sheetmbs.schema.names import nearest

Exponents = tuple[int, int, int, int]
"""of length, mass, time and angle"""

Value = TypeVar("Value", float, NDArray[np.float64])

SYMBOL = re.compile(r"[^\W\d_]+|[°º]")
MOST_TRIED = 200
"""spellings of one text that are tried"""
OTHERS = {
    "g": ("g0",),
    "G": ("g0",),
    "lb": ("lbf",), "lbs": ("lbf",), "kg": ("kgf",), "nm": ("Nm",), "Mm": ("mm",), "Ms": ("ms",), "gm": ("g",),
    "gms": ("g",), "gramm": ("g",), "kilogramm": ("kg",), "mt": ("t",), "zoll": ("in",), "seg": ("s",), "sek": ("s",),
    "sekunde": ("s",), "sekunden": ("s",), "segundo": ("s",), "segundos": ("s",), "seconde": ("s",), "secondes": ("s",),
    "secondi": ("s",), "grados": ("deg",), "gradi": ("deg",), "degré": ("deg",), "degrés": ("deg",), "graus": ("deg",),
    "degs": ("deg",), "rads": ("rad",), "ud": ("rev",), "umdrehungen": ("rev",), "tours": ("rev",), "rps": ("rev/s",),
    "metros": ("m",), "metri": ("m",), "mètres": ("m",), "newtons": ("N",),
}  # fmt: skip
"""what a symbol may stand for besides what it is"""
SLIPS = re.compile(r"(?<![A-Za-z])M[ms](?![A-Za-z])")
"""millions of metres or seconds, which no mechanism has: small letters were meant"""


@dataclass(frozen=True, slots=True)
class Dimension:
    """What a quantity is. name: for messages. exponents: of length, mass, time, angle. si: its SI unit, as we write it."""

    name: str
    exponents: Exponents
    si: str
    example: str
    """a common unit, for messages"""
    own: tuple[str, ...] = ()
    """texts that mean its SI unit where this quantity is asked for, whatever they mean elsewhere"""
    over: str = ""
    """what its units may end with where this quantity is asked for, and which is no unit of its own"""


LENGTH = Dimension("a length", (1, 0, 0, 0), "m", "mm")
MASS = Dimension("a mass", (0, 1, 0, 0), "kg", "g")
TIME = Dimension("a time", (0, 0, 1, 0), "s", "ms")
ANGLE = Dimension("an angle", (0, 0, 0, 1), "rad", "deg")
RATIO = Dimension("a plain number", (0, 0, 0, 0), "1", "%")
RATE = Dimension("a rate", (0, 0, -1, 0), "1/s", "1/s")
VELOCITY = Dimension("a velocity", (1, 0, -1, 0), "m/s", "mm/s")
ANGULAR_VELOCITY = Dimension("an angular velocity", (0, 0, -1, 1), "rad/s", "deg/s")
ACCELERATION = Dimension("an acceleration", (1, 0, -2, 0), "m/s^2", "mm/s^2")
ANGULAR_ACCELERATION = Dimension("an angular acceleration", (0, 0, -2, 1), "rad/s^2", "deg/s^2")
FORCE = Dimension("a force", (1, 1, -2, 0), "N", "kN")
MOMENT = Dimension("a moment", (2, 1, -2, 0), "N*m", "N*mm")
INERTIA = Dimension("a moment of inertia", (2, 1, 0, 0), "kg*m^2", "kg*mm^2")
STIFFNESS = Dimension("a stiffness", (0, 1, -2, 0), "N/m", "N/mm")
ROTATIONAL_STIFFNESS = Dimension("a rotational stiffness", (2, 1, -2, -1), "N*m/rad", "N*m/deg")
DAMPING = Dimension("a damping coefficient", (0, 1, -1, 0), "N*s/m", "N*s/mm")
ROTATIONAL_DAMPING = Dimension("a rotational damping coefficient", (2, 1, -1, -1), "N*m*s/rad", "N*m*s/deg")
AREA = Dimension("an area", (2, 0, 0, 0), "m^2", "cm^2")
VOLUME = Dimension("a volume", (3, 0, 0, 0), "m^3", "cm^3")
DENSITY = Dimension("a density", (-3, 1, 0, 0), "kg/m^3", "g/cm^3")
MASS_PER_LENGTH = Dimension("a mass per length", (-1, 1, 0, 0), "kg/m", "g/mm")
PRESSURE = Dimension("a pressure or modulus", (-1, 1, -2, 0), "Pa", "GPa")
VISCOSITY = Dimension("a dynamic viscosity", (-1, 1, -1, 0), "Pa*s", "mPa*s")
BENDING_STIFFNESS = Dimension("a bending stiffness", (3, 1, -2, 0), "N*m^2", "N*mm^2")

EVERY_DIMENSION = tuple(value for value in list(globals().values()) if isinstance(value, Dimension))
FREQUENCY = Dimension("a frequency", (0, 0, -1, 0), "Hz", "Hz", ("Hz", "hz", "HZ"))
"""beside the frequency of a filter or a recording, where Hz can only count periods"""
POWER = Dimension("a power", (2, 1, -3, 0), "W", "kW")
FORCE_PER_ANGLE = Dimension("a force per angle", (1, 1, -2, -1), "N/rad", "N/deg")
PER_ANGLE = Dimension("a share per angle", (0, 0, 0, -1), "1/rad", "1/deg")
"""the cornering stiffness of a tyre, and the same over its load"""
ANGLE_PER_G = Dimension("an angle per g", ANGLE.exponents, "rad/g", "deg/g", over="/g")
"""of acceleration, where g as a unit would be a gram"""
IN_G = Dimension("an acceleration in g", (0, 0, 0, 0), "1", "g", ("g", "G", "g0", "gn"))
"""beside gravity: the letter g, which else is the gram"""

# symbol -> (size in SI without powers of pi, power of pi, exponents); those of `PREFIXED` also take SI prefixes
PREFIXED: dict[str, tuple[str, int, Exponents]] = {
    "m": ("1", 0, (1, 0, 0, 0)),
    "g": ("1/1000", 0, (0, 1, 0, 0)),
    "s": ("1", 0, (0, 0, 1, 0)),
    "rad": ("1", 0, (0, 0, 0, 1)),
    "N": ("1", 0, (1, 1, -2, 0)),
    "Pa": ("1", 0, (-1, 1, -2, 0)),
    "J": ("1", 0, (2, 1, -2, 0)),
    "W": ("1", 0, (2, 1, -3, 0)),
    "bar": ("100000", 0, (-1, 1, -2, 0)),
    "P": ("1/10", 0, (-1, 1, -1, 0)),
    "L": ("1/1000", 0, (3, 0, 0, 0)),
}
PLAIN: dict[str, tuple[str, int, Exponents]] = {
    "in": ("0.0254", 0, (1, 0, 0, 0)),
    "ft": ("0.3048", 0, (1, 0, 0, 0)),
    "yd": ("0.9144", 0, (1, 0, 0, 0)),
    "mil": ("0.0000254", 0, (1, 0, 0, 0)),
    "mi": ("1609.344", 0, (1, 0, 0, 0)),
    "t": ("1000", 0, (0, 1, 0, 0)),
    "lb": ("0.45359237", 0, (0, 1, 0, 0)),
    "oz": ("0.028349523125", 0, (0, 1, 0, 0)),
    "slug": ("44482216152605/3048000000000", 0, (0, 1, 0, 0)),  # lbf s^2/ft
    "min": ("60", 0, (0, 0, 1, 0)),
    "h": ("3600", 0, (0, 0, 1, 0)),
    "deg": ("1/180", 1, (0, 0, 0, 1)),
    "gon": ("1/200", 1, (0, 0, 0, 1)),
    "arcmin": ("1/10800", 1, (0, 0, 0, 1)),
    "arcsec": ("1/648000", 1, (0, 0, 0, 1)),
    "rev": ("2", 1, (0, 0, 0, 1)),
    "rpm": ("1/30", 1, (0, 0, -1, 1)),
    "g0": ("9.80665", 0, (1, 0, -2, 0)),
    "dyn": ("0.00001", 0, (1, 1, -2, 0)),
    "kgf": ("9.80665", 0, (1, 1, -2, 0)),
    "lbf": ("4.4482216152605", 0, (1, 1, -2, 0)),
    "ozf": ("0.27801385095378125", 0, (1, 1, -2, 0)),
    "kip": ("4448.2216152605", 0, (1, 1, -2, 0)),
    "psi": ("44482216152605/6451600000", 0, (-1, 1, -2, 0)),  # lbf/in^2
    "ksi": ("44482216152605/6451600", 0, (-1, 1, -2, 0)),
    "kph": ("1000/3600", 0, (1, 0, -1, 0)),
    "mph": ("1609.344/3600", 0, (1, 0, -1, 0)),
    "%": ("1/100", 0, (0, 0, 0, 0)),
    "-": ("1", 0, (0, 0, 0, 0)),
}
ALIASES = {
    "inch": "in", "inches": "in", '"': "in", "\u2033": "in", "foot": "ft", "feet": "ft", "'": "ft", "\u2032": "ft",
    "yard": "yd", "mile": "mi", "miles": "mi", "meter": "m", "metre": "m", "meters": "m", "metres": "m", "micron": "µm",
    "millimeter": "mm", "millimetre": "mm", "millimeters": "mm", "millimetres": "mm",
    "centimeter": "cm", "centimetre": "cm", "centimeters": "cm", "centimetres": "cm",
    "gram": "g", "grams": "g", "kilogram": "kg", "kilograms": "kg", "kilo": "kg", "kgs": "kg", "tonne": "t", "tonnes": "t",
    "lbm": "lb", "lbs": "lb", "slugs": "slug", "sec": "s", "second": "s", "seconds": "s", "minute": "min",
    "minutes": "min", "hr": "h", "hour": "h", "hours": "h", "radian": "rad", "radians": "rad",
    "°": "deg", "º": "deg", "degree": "deg", "degrees": "deg", "turn": "rev", "turns": "rev",
    "revolution": "rev", "revolutions": "rev", "newton": "N", "newtons": "N", "joule": "J", "watt": "W",
    "pascal": "Pa", "kp": "kgf", "l": "L", "RPM": "rpm", "U/min": "rpm", "percent": "%",
    "U/Min": "rpm", "tr/min": "rpm", "r/min": "rpm", "Kg": "kg", "KN": "kN", "newtonmeter": "Nm", "newtonmetre": "Nm",
}  # fmt: skip
PREFIXES = {
    "T": 12, "G": 9, "M": 6, "k": 3, "h": 2, "d": -1, "c": -2, "m": -3, "µ": -6, "μ": -6, "u": -6, "n": -9, "p": -12,
}  # fmt: skip
ANGLE_PREFIXES = "mµμun"
"""of rad: the others would only make other words, such as the German Grad, mean something"""
NOT_CLEAR = "is not clear: it is a degree in some languages and a 400th part of a turn in others; write deg or gon"
REFUSED = {
    "grad": NOT_CLEAR,
    "Grad": NOT_CLEAR,
    "grads": NOT_CLEAR,
    "ton": "is not clear, for there are several tons; write t for 1000 kg",
    "tons": "is not clear, for there are several tons; write t for 1000 kg",
    "gr": "is not clear, for it may be a gram or a grain; write g",
    "Hz": "is not clear, for it may count turns or radians; write rev/s, rad/s, deg/s or 1/s",
    "K": "is a temperature, which no model here has; leave it out",
    "°C": "is a temperature, which no model here has; leave it out",
    "°F": "is a temperature, which no model here has; leave it out",
    "degC": "is a temperature, which no model here has; leave it out",
    "degF": "is a temperature, which no model here has; leave it out",
}
SPELLINGS = str.maketrans(
    "⁰¹²³⁴⁵⁶⁷⁸⁹⁻\u2219\u2022\u2217\u2010\u2011\u2013\u2212\u02da\u2215\u2044", "0123456789-***----°//"
) | {square: unicodedata.normalize("NFKC", chr(square)) for square in range(0x3380, 0x33E0)}
"""signs that stand for others: raised digits, dots, dashes, rings for degrees, units that are one letter of East Asian fonts"""
LETTER = "[^\\W\\d_]|[°º%\"'\u2032\u2033]"
TOKEN = re.compile(
    rf"\s*(?:(?P<name>g0(?!\d)|(?:{LETTER})+)|(?P<power>(?:\^|\*\*)\s*(?:\(\s*[+-]?\d+\s*\)|[+-]?\d+)|-?\d+)|(?P<operator>[*·⋅\u00d7./()-]))"
)
TOGETHER = re.compile(r"([kMm]?N)([mc]?m)?(s)?")
MASS_AND_LENGTH = re.compile(r"(kg|g|t|lb)([mc]?m|in|ft)")
"""written together, as in ``Nm`` and ``kgm2``; the latter only with a power, which is the last one's"""
KNOWN = (*PREFIXED, *PLAIN, *ALIASES, "mm", "cm", "km", "kg", "ms", "kN", "Nm", "Nmm", "MPa", "GPa", "mrad")
"""symbols that a misspelt one may have been meant to be"""
MAX_UNIT_LETTERS = 60
"""letters of a unit's text"""
MAX_CASE_SENSITIVE = 3
"""letters of the longest symbol whose upper and lower case differ in meaning"""


class UnitError(ValueError):
    """A text that is no unit we know. The message says why, as the end of a sentence that begins with the text."""


@dataclass(frozen=True, slots=True)
class Unit:
    """A unit. text: as written. ratio * pi^powers_of_pi: its size in SI. exponents: of length, mass, time, angle."""

    text: str
    ratio: Fraction
    powers_of_pi: int
    exponents: Exponents

    @property
    def size(self) -> float:
        """How large one of it is in SI."""
        return float(self.ratio) * pi**self.powers_of_pi

    def to_si(self, value: Value) -> Value:
        """A value in this unit, in SI; exact where the unit is a whole number of SI units or a whole part of one."""
        number = value * float(self.ratio.numerator) / float(self.ratio.denominator)
        return number * pi**self.powers_of_pi if self.powers_of_pi else number

    def fits(self, dimension: Dimension) -> bool:
        """Whether a quantity of that dimension may be given in this unit."""
        wanted, angle = dimension.exponents[:3], dimension.exponents[3]
        if self.exponents[:3] != wanted:
            return False
        may_leave_out_angle = any(wanted)
        return self.exponents[3] == angle or (self.exponents[3] == 0 and may_leave_out_angle)

    def equals(self, other: Unit) -> bool:
        """Whether both mean the same, however they are written."""
        mine, theirs = (
            (self.ratio, self.powers_of_pi, self.exponents),
            (other.ratio, other.powers_of_pi, other.exponents),
        )
        return mine == theirs


@lru_cache(maxsize=1024)
def parse_unit(text: str) -> Unit:
    """The unit a text means.

    Raises UnitError for an unknown symbol, for a malformed text, and for a product after a slash without brackets
    (``N/m s``), which people read in two ways.
    """
    wanted = _bare(text)
    if wanted in REFUSED:
        raise UnitError(REFUSED[wanted])
    if len(wanted) > MAX_UNIT_LETTERS:
        raise UnitError(f"is too long for a unit, which has at most {MAX_UNIT_LETTERS} characters")
    is_symbol = wanted in PLAIN or wanted in ALIASES
    parsed = _symbol(wanted) if is_symbol else _Parser(wanted.translate(SPELLINGS)).parse()
    return Unit(wanted, *parsed)


def _bare(text: str) -> str:
    """A unit without brackets round all of it and without the point of an abbreviation, as in ``[kg]`` and ``sec.``."""
    wanted = text.strip()
    if wanted.startswith("[") and wanted.endswith("]"):
        wanted = wanted[1:-1].strip()
    return wanted[:-1] if wanted.endswith(".") and wanted[-2:-1].isalpha() else wanted


Parsed = tuple[Fraction, int, Exponents]


def _product(one: Parsed, other: Parsed, sign: int) -> Parsed:
    exponents = tuple(mine + sign * theirs for mine, theirs in zip(one[2], other[2], strict=True))
    return one[0] * other[0] ** sign, one[1] + sign * other[1], exponents  # type: ignore[return-value]


def _power(base: Parsed, exponent: int) -> Parsed:
    if abs(exponent) > 9:
        raise UnitError("has a power beyond 9")
    exponents = tuple(exponent * each for each in base[2])
    return base[0] ** exponent, base[1] * exponent, exponents  # type: ignore[return-value]


def _tabulated(entry: tuple[str, int, Exponents]) -> Parsed:
    numerator, _, denominator = entry[0].partition("/")
    return Fraction(numerator) / Fraction(denominator or "1"), entry[1], entry[2]


def _symbol(symbol: str) -> Parsed:
    if len(symbol) > MAX_CASE_SENSITIVE and symbol not in ALIASES:
        symbol = symbol.lower() if symbol.lower() in ALIASES else symbol
    symbol = ALIASES.get(symbol, symbol)
    if symbol in REFUSED:
        raise UnitError(REFUSED[symbol])
    for table in (PLAIN, PREFIXED):
        if symbol in table:
            return _tabulated(table[symbol])
    prefix, rest = symbol[:1], symbol[1:]
    if prefix in PREFIXES and rest in PREFIXED and (rest != "rad" or prefix in ANGLE_PREFIXES):
        ratio, powers_of_pi, exponents = _tabulated(PREFIXED[rest])
        return ratio * Fraction(10) ** PREFIXES[prefix], powers_of_pi, exponents
    written_together = TOGETHER.fullmatch(symbol)
    if written_together:
        return _raised(written_together, 1)
    near = _nearest_symbol(symbol)
    advice = f"did you mean {near}?" if near else "units are written like mm, N*m, kg*m^2, deg/s"
    raise UnitError(f"is not a unit that is known here; {advice}")


def _raised(written_together: re.Match[str], exponent: int) -> Parsed:
    """A product of symbols without signs between them, the last one to a power."""
    *before, last = (_symbol(part) for part in written_together.groups() if part)
    result = _power(last, exponent)
    for part in before:
        result = _product(result, part, 1)
    return result


def _nearest_symbol(symbol: str) -> str | None:
    same_but_for_case = sorted(
        (name for name in KNOWN if name.lower() == symbol.lower()), key=lambda name: name in ALIASES
    )
    return same_but_for_case[0] if same_but_for_case else nearest(symbol, [name for name in KNOWN if len(name) > 2])


class _Parser:
    """unit = factor {("*" | "·" | "." | "-" | " " | "/") factor}; factor = (symbol | "1" | "(" unit ")") [power]."""

    def __init__(self, text: str) -> None:
        self.tokens: list[tuple[str, str]] = []
        position = 0
        while text[position:].strip():
            token = TOKEN.match(text, position)
            if token is None:
                raise UnitError("is not a unit; units are written like mm, N*m, kg*m^2, deg/s")
            self.tokens.append((token.lastgroup or "", token[token.lastgroup or 0].strip()))
            position = token.end()
        self.at = 0

    def peek(self) -> tuple[str, str]:
        return self.tokens[self.at] if self.at < len(self.tokens) else ("end", "")

    def take(self) -> tuple[str, str]:
        token = self.peek()
        self.at += 1
        return token

    def parse(self) -> Parsed:
        result = self.unit()
        if self.peek()[0] != "end":
            raise UnitError("is not a unit; a bracket is missing or one is too many")
        return result

    def unit(self) -> Parsed:
        result, after_slash = self.factor(), False
        while self.peek()[0] != "end" and self.peek()[1] != ")":
            kind, text = self.peek()
            if text == "/":
                self.take()
                result, after_slash = _product(result, self.factor(), -1), True
                continue
            if kind == "operator" and text != "(":
                self.take()
            if after_slash and text != "*":
                raise UnitError(
                    "can be read in two ways; put brackets round what stands below the slash, as in N/(m*s)"
                )
            result = _product(result, self.factor(), 1)
        return result

    def factor(self) -> Parsed:
        kind, text = self.take()
        if text == "(":
            base = self.unit()
            if self.take()[1] != ")":
                raise UnitError("is not a unit; a bracket is missing")
        elif kind == "name":
            together = TOGETHER.fullmatch(text) or MASS_AND_LENGTH.fullmatch(text)
            if together and self.peek()[0] == "power" and text not in PLAIN and text not in ALIASES:
                return _raised(together, self.exponent())
            base = _symbol(text)
        elif kind == "power" and text == "1":
            return Fraction(1), 0, (0, 0, 0, 0)
        else:
            raise UnitError("is not a unit; units are written like mm, N*m, kg*m^2, deg/s")
        return _power(base, self.exponent()) if self.peek()[0] == "power" else base

    def exponent(self) -> int:
        return int(re.sub(r"[^\d-]", "", self.take()[1]))


def nearest_unit(text: str, dimensions: Sequence[Dimension]) -> str | None:
    """The unit for one of ``dimensions`` that a text most probably was to be, or None."""
    for spelling in islice(chain([text.removeprefix("in ").strip()], _spellings(text.strip())), MOST_TRIED):
        if spelling != text and not SLIPS.search(spelling) and _fits(spelling, dimensions):
            return spelling
    if text in REFUSED or not text.isalpha():
        return None
    fitting = [name for name in KNOWN if _fits(name, dimensions)]
    examples = [unit for dimension in dimensions for unit in (dimension.si, dimension.example) if unit]
    return nearest(text, [*examples, *fitting])


def _spellings(text: str) -> Iterator[str]:
    """A text with each of its symbols as it is, in other letters of the alphabet, or as what else it may stand for."""
    symbols = SYMBOL.findall(text)
    between = SYMBOL.split(text)
    for chosen in product(*map(_meanings, symbols)):
        yield "".join(part for pair in zip(between, (*chosen, ""), strict=True) for part in pair).strip()


def _meanings(symbol: str) -> list[str]:
    lower = symbol.lower()
    same = sorted((name for name in KNOWN if name.lower() == lower), key=lambda name: name in ALIASES)
    others = OTHERS.get(symbol, OTHERS.get(lower, ()))
    return list(dict.fromkeys([symbol, *others, *same, lower]))


def _fits(text: str, dimensions: Sequence[Dimension]) -> bool:
    try:
        unit = parse_unit(text)
    except UnitError:
        return False
    return any(unit.fits(dimension) for dimension in dimensions) and not doubt_about(unit, dimensions)


def doubt_about(unit: Unit, dimensions: Sequence[Dimension]) -> tuple[str, str] | None:
    """Why a unit that fits would often be misunderstood, and what to write instead; None where it is plain."""
    slip = SLIPS.search(unit.text)
    if slip:
        large = {"Mm": "a million metres", "Ms": "a million seconds"}[slip[0]]
        return f"is not likely, for {slip[0]} is {large}", f"did you mean {SLIPS.sub(slip[0].lower(), unit.text)}?"
    fitting = [dimension for dimension in dimensions if unit.fits(dimension)]
    is_rate = unit.exponents == (0, 0, -1, 0) and fitting == [ANGULAR_VELOCITY]
    if is_rate and unit.ratio != 1:
        minutes = unit.ratio * 60 == 1
        mend = "write rpm or rad/min" if minutes else "write rev or rad in place of the 1"
        return "is not clear, for it may count turns or radians", mend
    return None
