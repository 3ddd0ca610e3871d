"""Units as CAD programs write them: `grams * square millimeters`, `lbmass / in^3`, and so in some other languages."""

from __future__ import annotations

import re
import unicodedata

from sheetmbs.schema.units import Dimension, Unit, UnitError, parse_unit

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
