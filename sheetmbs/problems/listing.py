"""Many problems as a list that a person can read: what repeats is merged, and what is left out is chosen fairly."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from sheetmbs.problems.errors import Problem

ADDRESS = re.compile(r"(.*)!([A-Z]{1,3})([0-9]{1,7})", re.DOTALL)
JOINERS = "\N{ZERO WIDTH NON-JOINER}\N{ZERO WIDTH JOINER}"
INVISIBLE = ("Cc", "Cf", "Zs", "Zl", "Zp")
"""categories of Unicode: control characters, marks of format, spaces, ends of lines and paragraphs"""
INVISIBLE_LETTERS = "\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0"
"""a joiner of graphemes, fillers of Hangul, vowels of Khmer that are not written, and a pattern of Braille without dots"""
SEEN_ANYWAY = " \t\n\r\v\f"
"""where words part, and lines end"""
LAST_OF_LATIN = "\u024f"
MOST_FOUND = 3
LONGEST_FOUND = 120
URGENCY = {"error": 0, "note": 1, "warning": 2}
"""what is listed first where not all can be: a note tells why a run is not what it seems"""

MERGED_CELL = "merged-cell"
SEVERITIES = ("error", "warning", "note")

Kind = tuple[str, str, str, str, str]


def count(number: int, noun: str) -> str:
    """``1 body``, ``2 bodies``."""
    many = f"{noun[:-1]}ies" if noun.endswith("y") else f"{noun}s"
    return f"{number:,} {noun if number == 1 else many}"


def counted(problems: Sequence[Problem]) -> str:
    """``2 errors, 1 warning``; ``""`` where there are none. The cells of a merged range are one mistake."""
    numbers = dict.fromkeys(SEVERITIES, 0)
    for entry in merged(problems):
        numbers[entry.problem.severity] += len(entry.cells) if entry.problem.code == MERGED_CELL else entry.count
    return ", ".join(count(number, severity) for severity, number in numbers.items() if number)


@dataclass(frozen=True, slots=True)
class ListedProblem:
    """Equal mistakes in one column of a sheet.

    problem: the first of them. cells: where they stand, ``Joints!C7:C41`` and then ``C43``. found: what stands there.
    count: how many there are.
    """

    problem: Problem
    cells: tuple[str, ...]
    found: str
    count: int

    def __str__(self) -> str:
        """One line, as of a single problem: ``code  cells  found; rule; mend``."""
        return str(replace(self.problem, cell=", ".join(self.cells), found=self.found))


def merged(problems: Iterable[Problem]) -> list[ListedProblem]:
    """Problems of one column that have the same code, rule and mend as one entry, at the place of the first."""
    return [entry for entry, _same in grouped(problems)]


def grouped(problems: Iterable[Problem]) -> list[tuple[ListedProblem, list[Problem]]]:
    """The entries of `merged`, each with the problems that it stands for, in their order."""
    kinds: dict[Kind, list[Problem]] = {}
    for problem in problems:
        kinds.setdefault(kind(problem), []).append(problem)
    return [(ListedProblem(same[0], _ranges(same), _found(same), len(same)), same) for same in kinds.values()]


def kind(problem: Problem) -> Kind:
    """The parts that are equal in problems which differ only in their rows and in what was found there."""
    address = ADDRESS.fullmatch(problem.cell)
    column = f"{address[1]}!{address[2]}" if address else problem.cell
    return problem.severity, problem.code, column, problem.problem, problem.mend


def fair_part(problems: Sequence[Problem], most: int) -> list[Problem]:
    """At most so many problems, in their order: of each kind the first ones, so that none hides another kind."""
    if len(problems) <= most:
        return list(problems)
    seen: dict[Kind, int] = {}
    ranks = []
    for place, problem in enumerate(problems):
        same = kind(problem)
        seen[same] = seen.get(same, 0) + 1
        ranks.append((seen[same], place))
    return [problems[place] for place in sorted(place for _rank, place in sorted(ranks)[:most])]


def most_urgent(entries: Sequence[ListedProblem], most: int) -> list[ListedProblem]:
    """At most so many entries, in their order: errors before notes before warnings."""
    by_urgency = sorted(range(len(entries)), key=lambda place: URGENCY[entries[place].problem.severity])
    return [entries[place] for place in sorted(by_urgency[:most])]


def printable(text: str) -> str:
    """Text from a workbook on one line, without control characters, which could steer a terminal.

    Blanks of all kinds become plain ones. What joins letters in Persian or Hindi stays.
    """
    return "".join(sign if sign.isprintable() or sign in JOINERS else _instead(sign) for sign in text)


def invisible_in(text: str) -> str:
    """Which characters in a text nobody can see, in words: "the invisible character U+200B"; "" where all can be seen.

    Those are marks of format such as zero-width spaces, soft hyphens, byte order marks and marks of direction, spaces that look
    like the usual one, and control characters but for line breaks and tabs. A joiner between letters of scripts that need it
    is none of them.
    """
    found = dict.fromkeys(sign for place, sign in enumerate(text) if _is_invisible(sign) and not _joins(text, place))
    codes = [f"U+{ord(sign):04X}" for sign in found]
    return f"the invisible character{'s' if len(codes) > 1 else ''} {', '.join(codes)}" if codes else ""


def without_invisible(text: str) -> str:
    """A text without the characters in it that nobody can see."""
    return text if text.isascii() else "".join(sign for sign in text if not _is_invisible(sign))


def _is_invisible(sign: str) -> bool:
    if sign in SEEN_ANYWAY:
        return False
    return sign in INVISIBLE_LETTERS or unicodedata.category(sign) in INVISIBLE


def _joins(text: str, place: int) -> bool:
    """Whether a joiner stands between letters beyond Latin ones, as in Persian or Hindi."""
    around = text[max(place - 1, 0) : place] + text[place + 1 : place + 2]
    return text[place] in JOINERS and len(around) == len(JOINERS) and min(around) > LAST_OF_LATIN


def _instead(sign: str) -> str:
    return " " if sign.isspace() else "\N{REPLACEMENT CHARACTER}"


def _ranges(problems: Sequence[Problem]) -> tuple[str, ...]:
    """Cells of one column as ranges; the first one has the name of the sheet."""
    address = ADDRESS.fullmatch(problems[0].cell)
    if not address:
        return (problems[0].cell,)
    sheet, column = address[1], address[2]
    rows = sorted({int(problem.cell.rpartition(column)[2]) for problem in problems})
    starts = [row for row, before in zip(rows, [None, *rows], strict=False) if before is None or row > before + 1]
    ends = [row for row, after in zip(rows, [*rows[1:], None], strict=True) if after is None or after > row + 1]
    ranges = [
        f"{column}{first}" if first == last else f"{column}{first}:{column}{last}"
        for first, last in zip(starts, ends, strict=True)
    ]
    return (f"{sheet}!{ranges[0]}", *ranges[1:])


def _found(problems: Sequence[Problem]) -> str:
    """The texts of what was found, each once, as many as read well."""
    texts = list(dict.fromkeys(problem.found for problem in problems if problem.found))
    told = texts[:1]
    for text in texts[1:MOST_FOUND]:
        if len(", ".join([*told, text])) <= LONGEST_FOUND:
            told.append(text)
    others = len(texts) - len(told)
    return ", ".join(told) + (f" and {others:,} other{'s' if others > 1 else ''}" if others else "")


def sentence_list(items: Sequence[str], limit: int = 6) -> str:
    """A list for a sentence."""
    shown = list(items[:limit])
    if len(items) > limit:
        shown.append(f"{len(items) - limit} more")
    if len(shown) < 2:
        return "".join(shown)
    return ", ".join(shown[:-1]) + " and " + shown[-1]


def an(word: str) -> str:
    """The word with its article."""
    return f"{'an' if word[0] in 'aeiou' else 'a'} {word}"
