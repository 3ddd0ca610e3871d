"""An expression cut into tokens, and common mistakes in expressions explained.

Some mistakes show already in the characters; for the others functions here make the error that the parser then raises.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from sheetmbs.problems.errors import Problem, WorkbookError
from sheetmbs.schema.names import did_you_mean
from sheetmbs.schema.units import UnitError, parse_unit

MAX_LENGTH = 2000
LONGEST_SHOWN = 40
PATTERN = re.compile(
    r"""(?P<space>\s+)
    |(?P<number>(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?)
    |(?P<quoted>'(?:[^']|'')*'(?:\.LETTER+)?)
    |(?P<name>(?!\d)LETTER+(?:\.LETTER+)*)
    |(?P<operator>\*\*|<=|>=|<(?!>)|[-+*/^>(),])""".replace("LETTER", r"(?:[^\W²³]|[\u0300-\u036F])"),
    re.VERBOSE,
)
_EQUAL = ("values that change smoothly are hardly ever exactly equal", "compare with <, <=, > or >=")
_GROUP = ("only round parentheses group", "write ( and )")
_QUOTE = ("names that contain blanks are written in straight single quotes", "write for example 'my slider'.vx")
_MINUS = ("this is a typographic minus or dash", "write the minus of the keyboard, -")
_TIMES = ("this is a typographic multiplication sign", "write *")
SLIPS = {
    "=": ("an expression has no equals sign", "write only what is to the right of it; compare with <, <=, > or >="),
    "&": ("this is not an operator here", "write 'and'"),
    "|": ("this is not an operator here", "write 'or'"),
    "!": ("this is not an operator here", "write 'not'"),
    ";": ("arguments are separated by commas", "write a comma"),
    "%": ("there is no percent sign and no remainder", "divide by 100"),
    "'": ("the closing single quote is missing", "write for example 'my slider'.vx"),
    ".": ("a column follows the name of a body or point, without blanks", "write for example slider.vx"),
    "\N{DEGREE SIGN}": ("angles are in radians", "write *pi/180"),
    "\N{DIVISION SIGN}": ("this is a typographic division sign", "write /"),
    "\N{SUPERSCRIPT TWO}": ("powers are written with ^", "write ^2"),
    "\N{SUPERSCRIPT THREE}": ("powers are written with ^", "write ^3"),
    "\N{LESS-THAN OR EQUAL TO}": ("comparisons are <, <=, > and >=", "write <="),
    "\N{GREATER-THAN OR EQUAL TO}": ("comparisons are <, <=, > and >=", "write >="),
    **dict.fromkeys(("==", "!=", "<>"), _EQUAL),
    **dict.fromkeys("[]{}", _GROUP),
    **dict.fromkeys('"\N{LEFT SINGLE QUOTATION MARK}\N{RIGHT SINGLE QUOTATION MARK}', _QUOTE),
    **dict.fromkeys("\N{LEFT DOUBLE QUOTATION MARK}\N{RIGHT DOUBLE QUOTATION MARK}", _QUOTE),
    **dict.fromkeys("\N{MINUS SIGN}\N{EN DASH}\N{EM DASH}", _MINUS),
    **dict.fromkeys("\N{MULTIPLICATION SIGN}\N{MIDDLE DOT}\N{DOT OPERATOR}", _TIMES),
}
"""What cannot begin a token: the rule it breaks and how to mend it."""

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
LOCAL_FUNCTIONS = {
    **dict.fromkeys(("wenn", "si", "se"), "if"),
    **dict.fromkeys(("wurzel", "raiz", "raíz", "racine", "radq"), "sqrt"),
    **dict.fromkeys(("sen", "seno"), "sin"),
}
"""functions as spreadsheets of other languages call them"""
# possessive and from the start of a word: else a cell of 30,000 letters without a bracket is searched from each letter
_OUTSIDE_QUOTES = re.compile(r"('(?:[^']|'')*+')")
_LOCAL_CALL = re.compile(r"(?<!\w)[^\W\d]\w*+(?=\s*+\()")
_DECIMAL_COMMA = re.compile(r"(?<=\d),(?=\d)")


class ExpressionError(WorkbookError):
    """A text is not an expression.

    position: 0-based character at which it shows. found, problem, mend: as in `Problem`.
    """

    def __init__(self, position: int, found: str, problem: str, mend: str) -> None:
        self.position = position
        self.found = found
        self.problem = problem
        self.mend = mend
        super().__init__(Problem("bad-expression", "error", "", found, problem, mend))


@dataclass(frozen=True, slots=True)
class Token:
    """A piece of an expression. text: as written. name: of a name, without quotes. start, end: its characters."""

    kind: Literal["number", "name", "operator", "end"]
    text: str
    name: str
    start: int
    end: int

    def shown(self) -> str:
        """Return the printable text of the token, shortened for a message."""
        plain = "".join(letter if letter.isprintable() else " " for letter in self.text)
        return plain if len(plain) <= LONGEST_SHOWN else plain[:LONGEST_SHOWN] + "..."

    def where(self) -> str:
        """What stands here, for a message."""
        if self.kind == "end":
            return "the end of the expression"
        return f"'{self.shown()}' at character {self.start + 1}"


def in_english(text: str) -> tuple[str, list[str]]:
    """A formula of a spreadsheet of another language as an expression, and the changes that this takes, in words."""
    changes: dict[str, None] = {}
    parts = _OUTSIDE_QUOTES.split(text)
    has_semicolons = any(";" in part for part in parts[::2])

    def _english(match: re.Match[str]) -> str:
        name = LOCAL_FUNCTIONS.get(match[0].casefold())
        if name:
            changes[f"{match[0]} is {name} here"] = None
        return name or match[0]

    for place in range(0, len(parts), 2):
        part = parts[place]
        if has_semicolons and _DECIMAL_COMMA.search(part):
            changes["decimals are written with a point"] = None
            part = _DECIMAL_COMMA.sub(".", part)
        if ";" in part:
            changes["arguments are separated by commas"] = None
            part = re.sub(r";\s*", ", ", part)
        parts[place] = _LOCAL_CALL.sub(_english, part)
    return "".join(parts), list(changes)


def tokenize(text: str) -> list[Token]:
    """Cut ``text`` into tokens, the last of kind ``end``. Raises ExpressionError."""
    if len(text) > MAX_LENGTH:
        found = f"an expression of {len(text)} characters"
        mend = "split it over several rows, or give it as a curve"
        raise ExpressionError(MAX_LENGTH, found, f"an expression has at most {MAX_LENGTH} characters", mend)
    tokens = []
    position = 0
    while position < len(text):
        match = PATTERN.match(text, position)
        if match is None:
            raise _slip(text, position)
        position = match.end()
        if match.lastgroup != "space":
            tokens.append(_token(match))
    tokens.append(Token("end", "", "", len(text), len(text)))
    return tokens


def _token(match: re.Match[str]) -> Token:
    text, start, end = match.group(), match.start(), match.end()
    if match.lastgroup == "number":
        return Token("number", text, "", start, end)
    if match.lastgroup == "operator":
        return Token("operator", "^" if text == "**" else text, "", start, end)
    name = text
    if match.lastgroup == "quoted":
        inner, _, column = text[1:].rpartition("'")
        name = inner.replace("''", "'").strip() + column
    return Token("name", text, unicodedata.normalize("NFC", name), start, end)


def _slip(text: str, position: int) -> ExpressionError:
    """Explain a character that cannot begin a token."""
    slip = text[position : position + 2] if text[position : position + 2] in SLIPS else text[position]
    shown = slip if slip.isprintable() else f"U+{ord(slip):04X}"
    found = f"'{shown}' at character {position + 1}"
    if slip == "=" and not text[:position].strip():
        problem = "a formula of the spreadsheet was stored as text, or there is an extra equals sign"
        return ExpressionError(position, found, problem, "leave the equals sign out")
    problem, mend = SLIPS.get(slip, ("this character has no meaning in an expression", "remove it"))
    return ExpressionError(position, found, problem, mend)


def error(token: Token, problem: str, mend: str) -> ExpressionError:
    """An error at a token."""
    return ExpressionError(token.start, token.where(), problem, mend)


def not_an_operand(token: Token, *, is_open: bool) -> ExpressionError:
    """A token stands where a number, a name or a parenthesis should begin. is_open: within parentheses."""
    if token.kind == "end":
        return error(token, "the expression is incomplete", "add what is missing, or remove the last operator")
    if token.text == ")":
        return error(token, "a number or name is missing before it", "add it") if is_open else not_open(token)
    return error(token, "a number, a name or ( should be here", "add what is missing, or remove the operator")


def not_an_end(before: Token, token: Token, after: Token) -> ExpressionError:
    """Behind a complete part, which ends with ``before``, stands neither an operator nor an end."""
    if token.text == ")":
        return not_open(token)
    if token.text == ",":
        if before.kind == "number" and after.kind == "number":
            mend = f"write {before.shown()}.{after.shown()}"
            return error(token, "decimals are written with a point, not a comma", mend)
        return error(token, "commas separate only the arguments of a function", "remove it")
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
