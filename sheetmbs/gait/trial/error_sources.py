"""Sources of error as a workbook gives them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sheetmbs.schema.names import fold
from sheetmbs.schema.uncertainty_inputs import SOURCES, SourceOfError


@dataclass(frozen=True)
class ErrorSource:
    """One source of error. sd: in SI, None the usual one (of noise: as measured). of: whose it is, ``""`` each one's.

    cell: of its owner.
    """

    kind: SourceOfError
    sd: float | None
    of: str = ""
    cell: str = ""


USUAL = tuple(ErrorSource(kind, None) for kind in SOURCES)
"""what holds where a workbook has no sheet Uncertainty"""


def deviation(
    sources: Sequence[ErrorSource], word: str, owners: Sequence[str], table: str | None = None
) -> float | None:
    """One standard deviation of a source, in SI.

    owners: whose it may be called, the nearest first, such as a marker and then its segment. table: of the segment.
    0 where the workbook gives none, None where it is as measured. A row that names an owner wins over a row of all.
    """
    own = [each for each in sources if each.kind.word == word]
    for owner in (*owners, ""):
        for each in own:
            if fold(each.of) == fold(owner):
                return each.kind.usual(table) if each.sd is None else each.sd
    return 0.0
