"""Parts of a model that were made while a workbook was read, each with what it was made of.

Where the workbook is read again with other numbers, a part is made again only if its own cells, or a part that it looked up,
are others than before. All others are the same objects.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass
from typing import Concatenate, Generic, ParamSpec, TypeVar, cast

from sheetmbs.workbook.reading.input_table import Record

Made = TypeVar("Made")
Arguments = ParamSpec("Arguments")


@dataclass(frozen=True, eq=False)
class _Part:
    """source: the cells of which it is made. looked_up: parts that were asked for meanwhile, by kind and name."""

    source: object
    looked_up: Mapping[tuple[str, str], object]
    made: object


class KnownParts(dict[str, Made], Generic[Made]):
    """Parts of one kind by their names; who looks one up while another part is made is remembered."""

    def __init__(self, kind: str, looked_up: list[tuple[tuple[str, str], object]], parts: Mapping[str, Made]) -> None:
        super().__init__(parts)
        self._kind = kind
        self._looked_up = looked_up

    def __getitem__(self, name: str) -> Made:
        found = super().__getitem__(name)
        self._looked_up.append(((self._kind, name), found))
        return found

    def find(self, name: str | None) -> Made | None:
        """The part of a name, None where there is none."""
        return self[name] if name is not None and name in self else None


class ParsedParts:
    """The parts of one workbook. is_complete: once it has been read: what is made later is not kept."""

    def __init__(self) -> None:
        self.is_complete = False
        self._parts: dict[Hashable, _Part] = {}
        self._known: dict[str, Mapping[str, object]] = {}
        self._looked_up: list[tuple[tuple[str, str], object]] = []

    def known(self, kind: str, parts: Mapping[str, Made]) -> KnownParts[Made]:
        """The parts of a kind by name, in place of those that were known before. More of them may be entered."""
        found = KnownParts(kind, self._looked_up, parts)
        self._known[kind] = found
        return found

    def of_record(
        self,
        record: Record,
        make: Callable[Concatenate[Record, Arguments], Made],
        *rest: Arguments.args,
        **named: Arguments.kwargs,
    ) -> Made:
        """The element that ``make`` makes of a row of a table."""
        key = make, record.table.schema.name, record.row
        return self.of_cells(key, record.cells, lambda: make(record, *rest, **named))

    def of_cells(self, key: Hashable, source: object, make: Callable[[], Made]) -> Made:
        """The part of a model made from some cells. key: which part it is. source: the object that holds these cells alone."""
        part = self._parts.get(key)
        if part is not None and part.source is source and self._are_known(part.looked_up):
            return cast("Made", part.made)
        self._looked_up.clear()
        made = make()
        if not self.is_complete:
            self._parts[key] = _Part(source, dict(self._looked_up), made)
        return made

    def _are_known(self, looked_up: Mapping[tuple[str, str], object]) -> bool:
        """Whether parts that were looked up are the same objects now."""
        return not looked_up or all(self._known[kind].get(name) is part for (kind, name), part in looked_up.items())
