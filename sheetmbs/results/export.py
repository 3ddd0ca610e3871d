"""All tables of results in one file beside the workbook: CSV, or Parquet, which needs pyarrow."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Iterator, Sequence
from functools import partial
from os import PathLike
from pathlib import Path
from typing import IO

import numpy as np
from numpy.typing import NDArray

from sheetmbs.results.also_files import OFFER, AlsoKind, as_text, is_csv
from sheetmbs.schema.names import RESULT_SHEETS
from sheetmbs.schema.table import Table, over_common_rows
from sheetmbs.workbook.package.printing import RowLayout, printed
from sheetmbs.workbook.package.replace import replace_file

NUMBERS_AT_ONCE = 1 << 21
ALWAYS_THERE = "position_violation"
"""a column of every result, by which a file of an earlier run is known"""
MARK, HOLDS = "sheetmbs", "results"
"""key and value of what Parquet says of a file, which writes two bytes between them"""
RESULTS = AlsoKind(
    "results of sheetmbs",
    "results of an earlier run",
    lambda header: header[:1] == ["time"] and ALWAYS_THERE in header,
    lambda description: re.search(f"{MARK}..{HOLDS}".encode(), description, re.DOTALL) is not None,
)


def check_exportable(path: str | PathLike[str]) -> Path:
    """Find out, before an analysis is begun, whether its results could be written to this file.

    Returns the file, links followed. Raises WorkbookError with the reason why not.
    """
    return RESULTS.check(path)


def export(tables: Sequence[Table], path: str | PathLike[str], like: Path | None = None) -> Path:
    """Write all tables over time into one file, side by side; returns the file written, links followed.

    like: the file whose permissions a new one gets; None = the usual ones. Raises WorkbookError where that cannot be; an
    earlier file is then as it was.
    """
    place = check_exportable(path)
    write = partial(_write_csv if is_csv(place) else _write_parquet, over_common_rows(tables))
    replace_file(place, like, write, offer=OFFER)
    return place


def headers(tables: Sequence[Table]) -> list[tuple[str, str, str]]:
    """Name, unit and meaning of every column of all tables, time once.

    A name that an earlier table has already, such as that of a point and a body called alike, begins with its own sheet's.
    """
    named = {"time": ("s", "time of the row")}
    for table in tables:
        sheet = table.name.removeprefix(RESULT_SHEETS)
        for column, unit in list(zip(table.columns, table.units, strict=True))[1:]:
            name = column
            while name in named:
                name = f"{sheet}.{name}"
            named[name] = unit, table.meanings.get(column, "")
    return [(name, *about) for name, about in named.items()]


def _blocks(tables: Sequence[Table]) -> Iterator[NDArray[np.float64]]:
    """Some rows of all columns at a time, as (rows, columns); what is not known is NaN."""
    count = len(tables[0].values)
    at_once = max(NUMBERS_AT_ONCE // sum(table.values.shape[1] for table in tables), 1)
    for start in range(0, count, at_once):
        rows = slice(start, start + at_once)
        yield np.hstack([tables[0].values[rows, :1], *(table.values[rows, 1:] for table in tables)])


def _write_csv(tables: Sequence[Table], file: IO[bytes]) -> None:
    named = headers(tables)
    head = io.StringIO()
    writer = csv.writer(head, lineterminator="\n")
    writer.writerow([as_text(name) for name, _unit, _meaning in named])
    writer.writerow([unit for _name, unit, _meaning in named])
    file.write(head.getvalue().encode())
    layout = RowLayout([("", ""), *[(",", "")] * (len(named) - 1)], "", ("", "", "\n"))
    for block in _blocks(tables):
        file.writelines(printed(block, range(len(named)), layout))


def _write_parquet(tables: Sequence[Table], file: IO[bytes]) -> None:
    import pyarrow as pa
    from pyarrow import parquet

    named = headers(tables)
    fields = [
        pa.field(name, pa.float64(), metadata={"unit": unit, "meaning": meaning}) for name, unit, meaning in named
    ]
    units, meanings = ({each[0]: each[at] for each in named} for at in (1, 2))
    about = {MARK: HOLDS, "PANDAS_ATTRS": json.dumps({"units": units, "meanings": meanings})}
    schema = pa.schema(fields, metadata=about)
    with parquet.ParquetWriter(file, schema, use_dictionary=False) as writer:
        for block in _blocks(tables):
            known = np.packbits(np.isfinite(block), axis=0, bitorder="little")
            buffers = ([pa.py_buffer(part.tobytes()) for part in pair] for pair in zip(known.T, block.T, strict=True))
            # pa.array would load pandas, which takes half a second
            columns = [pa.Array.from_buffers(pa.float64(), len(block), pair) for pair in buffers]
            writer.write_table(pa.Table.from_arrays(columns, schema=schema))
