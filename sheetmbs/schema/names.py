"""How names are compared, which names are allowed, and which name somebody may have meant."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from functools import lru_cache

from sheetmbs.problems.listing import invisible_in, without_invisible

RESERVED = "ground"
RESULT_SHEETS = "mbs "
"""how names of the sheets begin that a run writes"""
NOT_IN_SHEET_NAMES = "[]:*?/\\"
"""characters that the name of a sheet cannot have"""
LONGEST_NAME = 100
RIGHT, LEFT = {"right", "r"}, {"left", "l"}
"""words of a name that tell a side"""
LETTERS = 64
SEPARATORS = re.compile(r"[_\u00a0]|-(?!\d)|(?<=[^\s_-])-")
"""what counts as a space: not the sign of a number, by which ``rack -5`` and ``rack 5`` differ"""


@lru_cache(maxsize=8192)
def fold(text: str) -> str:
    """The form in which two names are the same: trimmed, Unicode NFC, case folded, and ``_``, ``-``, spaces all alike.

    A minus before a digit and behind no letter or digit is a sign, and stays. Case is folded on the decomposed form (Unicode
    Standard, sec. 3.13, D145), so that folding twice changes nothing.
    """
    folded = unicodedata.normalize("NFC", unicodedata.normalize("NFD", text).casefold())
    return " ".join(SEPARATORS.sub(" ", folded).split())


def nearest(text: str, names: Iterable[str]) -> str | None:
    """The name that ``text`` most probably was to be, or None. Singular and plural are near each other.

    A name of the other side is never meant: ``lknee`` is one letter from ``rknee``, and the wrong leg.
    """
    wanted, letters = _essence(text[: 2 * LONGEST_NAME])
    # two letters or fewer are near too many others
    best, best_distance = None, (max(1, len(wanted) // 3) if len(wanted) > 2 else 0) + 1
    for name in names:
        other, its_letters = _essence(name)
        if max((letters & ~its_letters).bit_count(), (its_letters & ~letters).bit_count()) >= best_distance:
            continue  # a letter that the other one lacks costs a change at least
        if are_of_two_sides(text, name):
            continue
        distance = _distance(wanted, other, best_distance)
        if distance < best_distance:
            best, best_distance = name, distance
    return best


def are_of_two_sides(one: str, other: str) -> bool:
    """Whether one name tells the right side and the other the left: by a word, or by their first or last letter."""
    first, second = (_sides_in_words(each) for each in (one, other))
    if first and second and not first & second:
        return True
    letters = _essence(one)[0], _essence(other)[0]
    return all(letters) and any({letters[0][end], letters[1][end]} == {"r", "l"} for end in (0, -1))


def _sides_in_words(name: str) -> set[str]:
    """The sides that words of a name tell: a name such as ``L:R`` tells both."""
    words = set(re.split(r"[\W_]+", fold(name)))
    return {side for side, of_side in (("right", RIGHT), ("left", LEFT)) if words & of_side}


def did_you_mean(text: str, names: Iterable[str], otherwise: str) -> str:
    """How to mend an unknown name: the nearest known one, or else what the caller advises."""
    known = nearest(text, names)
    if not known:
        return otherwise
    unseen = invisible_in(known)
    return f"did you mean {known}?" + (f" That name contains {unseen}: type it again" if unseen else "")


def name_fault(name: str) -> tuple[str, str, str] | None:
    """Why a text cannot be a name, as (code, rule, mend), or None."""
    if len(name) > LONGEST_NAME:
        return "name-too-long", f"a name has at most {LONGEST_NAME} characters", "shorten it"
    if "." in name:
        return (
            "name-with-point",
            "a name contains no point: a point separates a name from its column",
            "remove the point",
        )
    if any(unicodedata.category(letter) == "Cc" for letter in name):
        return "name-with-control-character", "a name stands on one line", "remove line breaks and tabs"
    if name.startswith("=") and ("|" in name or "!" in name):
        return "name-is-command", "a name is not a command to another program", "write a plain name"
    if fold(name) == RESERVED:
        return "name-reserved", f"the name {RESERVED} is reserved for what does not move", "choose another name"
    return None


@lru_cache(maxsize=1 << 14)
def _essence(text: str) -> tuple[str, int]:
    """A name without spaces and plural ending, and the set of its letters as bits."""
    letters = without_invisible(fold(text)).replace(" ", "")
    if letters.endswith("ies"):
        letters = letters[:-3] + "y"
    elif len(letters) > 3 and letters.endswith("s"):
        letters = letters[:-1]
    return letters, sum({1 << ord(letter) % LETTERS for letter in letters})


def _distance(one: str, other: str, limit: int) -> int:
    """Fewest letters to change, add, drop or swap with a neighbour (restricted Damerau), or ``limit`` if not fewer."""
    if abs(len(one) - len(other)) >= limit:
        return limit
    before: list[int] = []
    row = list(range(len(other) + 1))
    for i, letter in enumerate(one, 1):
        two_before, before, row = before, row, [i]
        for j, there in enumerate(other, 1):
            cost = min(before[j] + 1, row[j - 1] + 1, before[j - 1] + (letter != there))
            if i > 1 and j > 1 and letter == other[j - 2] and one[i - 2] == there:
                cost = min(cost, two_before[j - 2] + 1)
            row.append(cost)
        if min(row) >= limit and min(before) >= limit:
            return limit
    return min(row[-1], limit)
