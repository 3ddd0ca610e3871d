"""How cases are called in the names of sheets, which are short and may not hold every character."""

from __future__ import annotations

import re
from collections.abc import Sequence

from sheetmbs.schema.names import NOT_IN_SHEET_NAMES

MAX_LABEL, MAX_LABEL_OF_MANY = 15, 12
"""characters: a sheet's name has 31, ``mbs Constraints `` takes 16, and a table that goes on in further sheets adds a number"""
NOT_IN_NAMES = re.compile(rf"[{re.escape(NOT_IN_SHEET_NAMES)}'&<>\"\x00-\x1f]")
ENDS_IN_NUMBER = re.compile(r" ([0-9]+)$")


def case_labels(cases: Sequence[str], most: int = MAX_LABEL) -> dict[str, str]:
    """A label for each case, as much of its name as fits; where two would be one, they get numbers.

    Labels differ also without regard to case, and to what the names of marks cannot hold. A number at the end of a label is
    joined to it, for a space before it means a further part of a table.
    """
    labels: dict[str, str] = {}
    used: set[str] = set()
    for case in cases:
        plain = ENDS_IN_NUMBER.sub(r"_\1", NOT_IN_NAMES.sub("-", case).strip()) or "case"
        label, number = plain[:most].strip(), 1
        while _folded(label) in used:
            number += 1
            end = f"~{number}"
            label = plain[: most - len(end)].strip() + end
        used.add(_folded(label))
        labels[case] = label
    return labels


def _folded(label: str) -> str:
    return re.sub(r"\W", "_", label).casefold()
