"""The rows of a table that count, under their names."""

from __future__ import annotations

from collections.abc import Iterator

from sheetmbs.workbook.reading.input_table import InputTable
from sheetmbs.workbook.reading.record import Record
from sheetmbs.workbook.reading.registry import Absent, Registry


def named_records(table: InputTable, registry: Registry) -> Iterator[tuple[Record, str]]:
    """The rows that count and their names, entered in ``registry``; a name is ``""`` where it is wrong.

    Where a table is read again with other numbers, its rows and names are those of the first time.
    """
    if table.named is not None:
        for record, name in table.named:
            yield table.renewed(record), name
        return
    registry.is_complete = registry.is_complete and not table.lacks_names
    named: list[tuple[Record, str]] = []
    for record in list(table.records()):
        if record.is_active:
            named.append((record, record.name(registry)))
            yield named[-1]
        else:
            absence = table.cases.absence(record.raw_text("active"))
            registry.add_switched_off(record.raw_text("name"), Absent(record.place("name"), *absence))
    table.named = named
