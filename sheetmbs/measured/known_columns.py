"""What measured columns can be compared with: the cases of a workbook, their result sheets, and what rows are on these."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from sheetmbs.schema.table import Table

UNKNOWN_UNIT = "?"
"""of a column whose unit is known only where it is computed"""


@dataclass(frozen=True)
class KnownSheet:
    """A result sheet of a case. columns: units by name. over: the columns that say what a row is, the first one first.

    aliases: columns by shorter names that people may write in their place. is_one_row: whether readings have no x.
    """

    name: str
    columns: Mapping[str, str]
    over: tuple[str, ...]
    aliases: Mapping[str, str] = field(default_factory=dict)
    is_one_row: bool = False


@dataclass(frozen=True)
class KnownCase:
    """A sweep, load case, trial or case, ``""`` where there is only the run."""

    name: str
    sheets: tuple[KnownSheet, ...]


def known_sheet(
    table: Table, swept: int = 1, aliases: Mapping[str, str] | None = None, *, is_one_row: bool = False
) -> KnownSheet:
    """What may be named on a result sheet. swept: how many of its first columns say what a row is.

    A unit may tell the sense of its numbers too, as ``deg, flexion +``.
    """
    bare = (unit.partition(",")[0] for unit in table.units)
    units = dict(zip(table.columns, bare, strict=True))
    texts = {table.columns[place] for place in table.texts}
    numbers = {name: unit for name, unit in units.items() if name not in texts}
    return KnownSheet(table.name, numbers, table.columns[:swept], aliases or {}, is_one_row)
