"""Numbers as CAD programs print them: with a decimal point or comma, groups of thousands, and so many digits."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from math import isfinite

from sheetmbs.schema.units import Dimension, Unit, UnitError, parse_unit

MARK = "\ue000"
"""decimal sign in the text of a cell that holds a number: it is known, whatever the others mean"""
GROUPS = "'\u2019\u00a0\u202f"
WHOLE = rf"\d(?:[.,{GROUPS}{MARK}]?\d)*(?: \d{{3}}(?!\d)(?:[.,]\d+)*)*"
NUMBER = rf"[+\-\u2212]?(?:{WHOLE}|[.,]\d+)(?:[eE][+\-\u2212]?\d{{1,3}})?(?!\d)"
"""as a part of regular expressions; it has no groups"""
THOUSAND = 3

PREFIXES = {"kilo": "k", "milli": "m", "mili": "m", "centi": "c", "deci": "d", "dezi": "d", "micro": "u", "mikro": "u"}
METRIC = re.compile(rf"({'|'.join(PREFIXES)})?(?:(gram[a-z]*)|(met(?:er|r)[a-z]*))")
WORDS = {
    "in": "inch inches zoll pulgada pulgadas pouce pouces pollice pollici polegada polegadas",
    "ft": "foot feet fuss pie pies pied pieds piede piedi pe pes",
    "lb": "pound pounds lbm lbs lbmass pfund libra libras livre livres libbra libbre",
    "oz": "ounce ounces ozmass unze unzen onza onzas once onces oncia once",
    "slug": "slugs",
    "t": "tonne tonnes tonnen tonelada toneladas",
}
"""symbol -> other words for it, without accents"""
SYMBOLS = {word: symbol for symbol, words in WORDS.items() for word in (symbol, *words.split())} | {
    symbol: symbol for symbol in ("g", "kg", "mg", "mm", "cm", "dm", "m", "um", "yd", "mil")
}
PER = ("/", "per", "por", "par", "pro", "je")
POWERS = {2: "square|quadrat|cuadrad|quadrad|carre", 3: "cubic|kubik|cube"}
POWER = re.compile("|".join(f"(?P<p{power}>{words})" for power, words in POWERS.items()))
TOKEN = re.compile(r"[a-z]+|\^?\d|[/*]")


class UnclearNumberError(ValueError):
    """Numbers that may mean several things, or nothing. The message says why."""


@dataclass(frozen=True, slots=True)
class Printed:
    """A number as printed. half: by how much rounding may have changed it, half of its last digit."""

    value: float
    half: float

    def in_si(self, unit: Unit) -> Printed:
        """A number that is printed in a unit, in SI."""
        return Printed(unit.to_si(self.value), unit.to_si(self.half))


def text_of_number(value: float) -> str:
    """The text of a number cell. Zeros at its end do not stand there, so they are not taken for printed digits."""
    mantissa, _, exponent = repr(float(value)).partition("e")
    whole, _, decimals = mantissa.partition(".")
    shift = int(exponent or 0)
    if not decimals.strip("0"):
        kept = whole.rstrip("0") if whole.strip("-0") else "0"
        whole, decimals, shift = kept, "", shift + (len(whole) - len(kept) if kept != "0" else 0)
    return whole + (MARK + decimals if decimals else "") + (f"e{shift}" if shift else "")


def decimal_sign(numbers: Iterable[str]) -> str:
    """The sign before the decimals in the numbers of one text. Raises UnclearNumberError where they contradict each other."""
    sure: dict[str, str] = {}
    likely: dict[str, str] = {}
    for number in numbers:
        mantissa = number.lower().partition("e")[0]
        signs = [letter for letter in mantissa if letter in ".,"]
        if MARK in mantissa or not signs:
            continue
        head, _, tail = mantissa.lstrip("+-\u2212").rpartition(signs[-1])
        if len(signs) > 1 and len(set(signs)) == 1:
            sure.setdefault("." if signs[0] == "," else ",", number)
        elif (
            len(signs) > 1
            or len(tail) != THOUSAND
            or len(head) > THOUSAND
            or not head.strip("0")
            or "e" in number.lower()
        ):
            sure.setdefault(signs[-1], number)
        else:
            likely.setdefault(signs[-1], number)
    found = sure or likely
    if len(found) > 1:
        raise UnclearNumberError(f"{found['.']} and {found[',']} cannot both have decimals behind their sign")
    return next(iter(found), ".")


def printed(number: str, sign: str) -> Printed:
    """A number of a text whose decimal sign is known. Raises UnclearNumberError where its digits are not in groups of three."""
    mantissa, _, exponent = number.replace("\u2212", "-").lower().partition("e")
    whole, _, decimals = mantissa.replace(MARK, sign).partition(sign)
    first, *groups = re.split(rf"[., {GROUPS}]", whole)
    if any(len(group) != THOUSAND for group in groups) or not (decimals or "0").isdigit():
        raise UnclearNumberError(f"it is no number, where decimals begin behind {sign!r}")
    last = int(exponent or 0) - len(decimals)
    found = Printed(float(f"{first}{''.join(groups)}{decimals}e{last}"), float(f"0.5e{last}"))
    if not isfinite(found.value):
        raise UnclearNumberError("it is beyond all numbers")
    return found


def cad_unit(text: str, dimension: Dimension) -> Unit | None:
    """The unit that a text means, None where it is none of this dimension."""
    plain = "".join(letter for letter in unicodedata.normalize("NFKD", text.casefold()) if letter.isascii())
    if TOKEN.sub("", plain).strip(" .()-"):
        return None
    parts: list[list[str]] = []
    wanted, below = "", False
    for word in TOKEN.findall(plain):
        power = POWER.match(word)
        exponent = ("2" if power["p2"] else "3") if power else ""
        # quadratmillimeter, square millimeters, millimetres carres
        token = word[power.end() :] if power and _symbol(word[power.end() :]) else "" if power else word
        if power and not token and parts and not parts[-1][1] and parts[-1][0].endswith(("m", "in", "ft")):
            parts[-1][1] = exponent
        elif token in PER:
            below = True
        elif token.lstrip("^").isdigit() and parts:
            parts[-1][1] = token.lstrip("^")
        elif token in ("", "*", "x"):
            wanted = exponent or wanted
        elif symbol := _symbol(token):
            parts.append([symbol, exponent or wanted, "-" if below else ""])
            wanted = ""
        else:
            return None
    try:
        unit = parse_unit("*".join(f"{symbol}^{sign}{power or 1}" for symbol, power, sign in parts))
    except UnitError:
        return None
    return Unit(" ".join(text.split()), unit.ratio, unit.powers_of_pi, unit.exponents) if unit.fits(dimension) else None


def _symbol(word: str) -> str:
    """The symbol of a unit, ``""`` for a word that is none."""
    metric = METRIC.fullmatch(word)
    if metric:
        return PREFIXES.get(metric[1] or "", "") + ("g" if metric[2] else "m")
    return SYMBOLS.get(word, "")
