"""All tables of results in one file beside the workbook: CSV, or Parquet, which needs pyarrow."""

from __future__ import annotations

import csv
import io
import json
import os
from collections.abc import Iterator, Sequence
from functools import partial
from importlib.util import find_spec
from os import PathLike
from pathlib import Path
from typing import IO

import numpy as np
from numpy.typing import NDArray

from sheetmbs.schema.table import Table, over_common_rows
from sheetmbs.workbook.package.archive import refusal
from sheetmbs.workbook.package.file_names import check_file_name
from sheetmbs.workbook.package.printing import RowLayout, printed
from sheetmbs.workbook.package.replace import replace_file

NUMBERS_AT_ONCE = 1 << 21
ALWAYS_THERE = "position_violation"
"""a column of every result, by which a file of an earlier run is known"""
MARK = "sheetmbs"
FORMULA_SIGNS = tuple("=+-@\t\r")
LONGEST_HEADER = 1 << 22
FOOTER = 8
"""bytes at the end of a Parquet file: the length of what describes it, and a mark"""
OFFER = "name another file with --also"


def check_exportable(path: str | PathLike[str]) -> None:
    """Find out, before an analysis is begun, whether its results could be written to this file.

    Raises WorkbookError with the reason why not.
    """
    place = _place(path)
    check_file_name(place, OFFER)
    kind = place.suffix.casefold()
    if kind not in (".csv", ".parquet"):
        found = f"{place.name} does not end in .csv or .parquet"
        raise refusal("export-type", found, "its ending says what it is to be", OFFER)
    if kind == ".parquet" and find_spec("pyarrow") is None:
        found = f"{place.name} needs the package pyarrow, which is not installed"
        raise refusal("no-pyarrow", found, "it writes Parquet", "pip install 'sheetmbs[parquet]', or name a .csv file")
    if not place.parent.is_dir():
        raise refusal("no-folder", f"there is no folder {place.parent}", "a file needs one", f"make it, or {OFFER}")
    if place.is_dir():
        raise refusal("output-is-folder", f"{place} is a folder", "the tables go into a file", OFFER)
    if place.exists() and not (_is_csv_of_ours(place) if kind == ".csv" else _is_parquet_of_ours(place)):
        found = f"{place} exists and holds no results of sheetmbs"
        raise refusal("foreign-output", found, "only results of an earlier run are replaced", f"delete it, or {OFFER}")


def export(tables: Sequence[Table], path: str | PathLike[str], like: Path | None = None) -> Path:
    """Write all tables over time into one file, side by side; returns the file written, links followed.

    like: the file whose permissions a new one gets; None = the usual ones. Raises WorkbookError where that cannot be; an
    earlier file is then as it was.
    """
    check_exportable(path)
    place = _place(path)
    write = partial(_write_csv if place.suffix.casefold() == ".csv" else _write_parquet, over_common_rows(tables))
    replace_file(place, like, write, offer=OFFER)
    return place


def headers(tables: Sequence[Table]) -> list[tuple[str, str, str]]:
    """Name, unit and meaning of every column of all tables, time once.

    A name that an earlier table has already, such as that of a point and a body called alike, begins with its own sheet's.
    """
    named = {"time": ("s", "time of the row")}
    for table in tables:
        sheet = table.name.removeprefix("mbs ")
        for column, unit in list(zip(table.columns, table.units, strict=True))[1:]:
            name = column
            while name in named:
                name = f"{sheet}.{name}"
            named[name] = unit, table.meanings.get(column, "")
    return [(name, *about) for name, about in named.items()]


def _place(path: str | PathLike[str]) -> Path:
    return Path(os.path.realpath(path))


def _is_csv_of_ours(path: Path) -> bool:
    try:
        with path.open(encoding="utf-8", newline="") as file:
            header = next(csv.reader([file.readline(LONGEST_HEADER)]), [])
    except (OSError, ValueError, csv.Error):
        return False
    return header[:1] == ["time"] and ALWAYS_THERE in header


def _is_parquet_of_ours(path: Path) -> bool:
    try:
        with path.open("rb") as file:
            size = file.seek(0, os.SEEK_END)
            file.seek(max(size - FOOTER, 0))
            end = file.read()
            length = int.from_bytes(end[:4], "little")
            file.seek(max(size - FOOTER - length, 0))
            return end[4:] == b"PAR1" and MARK.encode() in file.read(length)
    except OSError:
        return False


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
    writer.writerow([_as_text(name) for name, _unit, _meaning in named])
    writer.writerow([unit for _name, unit, _meaning in named])
    file.write(head.getvalue().encode())
    layout = RowLayout([("", ""), *[(",", "")] * (len(named) - 1)], "", ("", "", "\n"))
    for block in _blocks(tables):
        file.writelines(printed(block, range(len(named)), layout))


def _as_text(name: str) -> str:
    """A name that a spreadsheet program would take for a formula begins with an apostrophe."""
    return f"'{name}" if name.startswith(FORMULA_SIGNS) else name


def _write_parquet(tables: Sequence[Table], file: IO[bytes]) -> None:
    import pyarrow as pa
    from pyarrow import parquet

    named = headers(tables)
    fields = [
        pa.field(name, pa.float64(), metadata={"unit": unit, "meaning": meaning}) for name, unit, meaning in named
    ]
    units, meanings = ({each[0]: each[at] for each in named} for at in (1, 2))
    about = {MARK: "results", "PANDAS_ATTRS": json.dumps({"units": units, "meanings": meanings})}
    schema = pa.schema(fields, metadata=about)
    with parquet.ParquetWriter(file, schema, use_dictionary=False) as writer:
        for block in _blocks(tables):
            known = np.packbits(np.isfinite(block), axis=0, bitorder="little")
            buffers = ([pa.py_buffer(part.tobytes()) for part in pair] for pair in zip(known.T, block.T, strict=True))
            # pa.array would load pandas, which takes half a second
            columns = [pa.Array.from_buffers(pa.float64(), len(block), pair) for pair in buffers]
            writer.write_table(pa.Table.from_arrays(columns, schema=schema))
