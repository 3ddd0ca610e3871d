"""Text of an MTS rig for kinematics and compliance: a head that names MTS, names, units, then rows of one test.

A station's own files begin with a line such as ``MTS793|MPT|ENU|1|2|.|/|:|1|0|0|A``, the others with lines of remarks.
"""

from __future__ import annotations

import re

from sheetmbs.measured.formats.text_tables import ReadColumns, read_columns

HEAD_LINES = 12
"""lines among which the rig is named"""
MARK = re.compile(
    r"^\W*MTS793\||\bMTS\b.*(?:K\s?&\s?C|kinematics|compliance|SKCMS|station)|K\s?&\s?C.*\bMTS\b", re.IGNORECASE
)


def recognises(lines: list[str]) -> bool:
    """Whether the head names a rig of MTS."""
    return any(MARK.search(line) for line in lines[:HEAD_LINES])


def read(text: str, source: str) -> ReadColumns:
    """The columns of the test. Raises WorkbookError."""
    lines = text.splitlines()
    is_station = bool(lines) and lines[0].lstrip().upper().startswith("MTS793|")
    return read_columns("\n".join(lines[1:]) if is_station else text, source)
