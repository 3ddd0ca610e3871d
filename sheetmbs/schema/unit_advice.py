"""The unit that was probably meant, where a text is no unit or a unit is one of another quantity."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import chain, islice, product

from sheetmbs.schema.names import nearest
from sheetmbs.schema.units import ALIASES, ANGULAR_VELOCITY, KNOWN, REFUSED, Dimension, Unit, UnitError, parse_unit

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
