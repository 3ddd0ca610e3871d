"""An expression cut into tokens, and the slips that show already in its characters."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from typing import Literal

from sheetmbs.problems.errors import Problem, WorkbookError

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
_QUOTE = ("names that contain blanks stand in straight single quotes", "write for example 'my slider'.vx")
_MINUS = ("this is a typographic minus or dash", "write the minus of the keyboard, -")
_TIMES = ("this is a typographic multiplication sign", "write *")
SLIPS = {
    "=": ("an expression has no equals sign", "write only what stands right of it; compare with <, <=, > or >="),
    "&": ("this is not an operator here", "write 'and'"),
    "|": ("this is not an operator here", "write 'or'"),
    "!": ("this is not an operator here", "write 'not'"),
    ";": ("arguments are separated by commas", "write a comma"),
    "%": ("there is no percent sign and no remainder", "divide by 100"),
    "'": ("the closing single quote is missing", "write for example 'my slider'.vx"),
    ".": ("a column stands behind the name of a body or point, without blanks", "write for example slider.vx"),
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
        problem = "a formula of the spreadsheet has come in as text, or an equals sign is too many"
        return ExpressionError(position, found, problem, "leave the equals sign out")
    problem, mend = SLIPS.get(slip, ("this character has no meaning in an expression", "remove it"))
    return ExpressionError(position, found, problem, mend)
