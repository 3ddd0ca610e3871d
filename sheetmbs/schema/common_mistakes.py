"""Common slips in expressions, explained: every function here makes the error that the parser then raises."""

from __future__ import annotations

import re
from collections.abc import Iterable

from sheetmbs.schema.names import did_you_mean
from sheetmbs.schema.tokens import ExpressionError, Token
from sheetmbs.schema.units import UnitError, parse_unit

USAGE = {
    "atan2": "atan2(y, x)",
    "min": "min(a, b)",
    "max": "max(a, b)",
    "step": "step(t, t0, y0, t1, y1)",
    "if": "if(condition, a, b)",
}
MEASURES = re.compile("[dva][xyzm]|w[xyzm]|a[xyz]|wd[tx][xyz]|yaw|pitch|roll|phi|psi|theta", re.IGNORECASE)
"""functions of other programs that measure a motion"""
SYNONYMS = {
    "ln": "write log, the natural logarithm",
    "lg": "write log(x)/log(10)",
    "log10": "write log(x)/log(10)",
    "log2": "write log(x)/log(2)",
    "arcsin": "write asin",
    "arccos": "write acos",
    "arctan": "write atan",
    "arctan2": "write atan2",
    "pow": "write a^b",
    "power": "write a^b",
    "sgn": "write sign",
    "fabs": "write abs",
    "time": "write t",
    "π": "write pi",
    "e": "write exp(1)",
    "deg": "angles are in radians: multiply by pi/180",
    "degrees": "angles are in radians: multiply by pi/180",
    "radians": "multiply by pi/180",
    "rad": "leave it out, angles are in radians",
    "true": "write a comparison",
    "false": "write a comparison",
    "else": "write if(condition, a, b)",
    "then": "write if(condition, a, b)",
    "dtor": "write pi/180",
    "rtod": "write 180/pi",
    "havsin": "write step(t, t0, y0, t1, y1)",
    "step5": "write step(t, t0, y0, t1, y1)",
    "heaviside": "write if(t > t0, 1, 0)",
    **dict.fromkeys(("wurzel", "raiz", "raíz", "racine", "radq"), "write sqrt"),
    **dict.fromkeys(("sen", "seno", "sinus"), "write sin"),
    **dict.fromkeys(("cosinus", "coseno"), "write cos"),
    **dict.fromkeys(("tg", "tangens", "tangente"), "write tan"),
    **dict.fromkeys(("wenn", "si", "se", "when"), "write if(condition, a, b)"),
}


def error(token: Token, problem: str, mend: str) -> ExpressionError:
    """An error at a token."""
    return ExpressionError(token.start, token.where(), problem, mend)


def not_an_operand(token: Token, *, is_open: bool) -> ExpressionError:
    """A token stands where a number, a name or a parenthesis should begin. is_open: within parentheses."""
    if token.kind == "end":
        return error(token, "the expression breaks off", "add what is missing, or remove the last operator")
    if token.text == ")":
        return error(token, "a number or name is missing before it", "add it") if is_open else not_open(token)
    return error(token, "a number, a name or ( should stand here", "add what is missing, or remove the operator")


def not_an_end(before: Token, token: Token, after: Token) -> ExpressionError:
    """Behind a complete part, which ends with ``before``, stands neither an operator nor an end."""
    if token.text == ")":
        return not_open(token)
    if token.text == ",":
        if before.kind == "number" and after.kind == "number":
            mend = f"write {before.shown()}.{after.shown()}"
            return error(token, "decimals are written with a point, not a comma", mend)
        return error(token, "commas stand only between the arguments of a function", "remove it")
    if token.name.casefold() in SYNONYMS:
        mend = SYNONYMS[token.name.casefold()]
    elif token.name.casefold() == "not":
        mend = "write and not, or or not"
    elif before.kind == "number" and token.kind == "number":
        mend = "write an operator, or one number with one decimal point and no blanks"
    elif before.kind == "name" and token.kind != "operator":
        mend = f"write an operator, or quotes around a name with blanks, as in '{before.shown()} {token.shown()}'.x"
    elif before.kind == "number" and _is_unit(token.name):
        mend = "leave the unit out, expressions have none"
    elif before.kind == "number":
        mend = f"write {before.shown()}*{token.shown()} if a product is meant"
    else:
        mend = "write * if a product is meant"
    return error(token, "an operator is missing before it", mend)


def _is_unit(name: str) -> bool:
    """Whether a name is a unit, and not the time."""
    try:
        return name not in ("", "t") and any(parse_unit(name).exponents)
    except UnitError:
        return False


def not_open(token: Token) -> ExpressionError:
    """A closing parenthesis is one too many."""
    return error(token, "no parenthesis is open here", "remove it")


def not_closed(bracket: Token) -> ExpressionError:
    """The expression ends within parentheses that began at ``bracket``."""
    found = f"'(' at character {bracket.start + 1}"
    return ExpressionError(bracket.start, found, "it is never closed", "add the missing )")


def no_parentheses(token: Token, word: str, after: Token) -> ExpressionError:
    """A function without its parentheses; ``after`` stands behind it."""
    argument = after.shown() if after.kind in ("number", "name") else "x"
    mend = f"write {USAGE.get(word, f'{word}({argument})')}"
    return error(token, f"{word} is a function and needs its arguments in parentheses", mend)


def wrong_count(token: Token, word: str, needed: str, count: int, inside: str) -> ExpressionError:
    """A function has too few or too many arguments. needed: their number in words; inside: the call as written if too many."""
    mend = f"write {USAGE.get(word, f'{word}(x)')}"
    if re.search(r"[0-9],[0-9]", inside):
        mend += "; decimals are written with a point, as in 1.5"
    return error(token, f"{word} takes {needed}, not {count}", mend)


def unknown_name(token: Token, *, is_call: bool, known: Iterable[str], columns: bool) -> ExpressionError:
    """A name without a point that means nothing. known: what could stand here; columns: motion columns may."""
    otherwise = f"known are {', '.join(sorted(known))}"
    if columns and not is_call:
        otherwise = "motion columns are written as slider.vx, names with blanks or hyphens as 'my slider'.vx"
    if columns and is_call and MEASURES.fullmatch(token.name):
        otherwise = "motion columns are written as slider.vx, without a function"
        return error(token, "there is no such function", otherwise)
    mend = SYNONYMS.get(token.name.casefold()) or did_you_mean(
        token.name, [name for name in known if name != "t"], otherwise
    )
    return error(token, "there is no such function" if is_call else "this name is not known", mend)


def unknown_column(token: Token, *, columns: bool) -> ExpressionError:
    """A motion column that does not exist, or stands where none may."""
    if not columns:
        return error(token, "only the time t may vary in this expression", "use t, numbers and functions")
    mend = "write the name of a body or point, a point and a column, for example slider.vx"
    return error(token, "there is no such motion column", mend)
