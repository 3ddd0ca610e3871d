"""Files beside the workbook, as `--also` names them: all tables in one CSV or Parquet file; the latter needs pyarrow."""

from __future__ import annotations

import csv
import io
import json
import os
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from importlib.util import find_spec
from os import PathLike
from pathlib import Path
from typing import IO

import numpy as np
from numpy.typing import NDArray

from sheetmbs.schema.names import RESULT_SHEETS
from sheetmbs.schema.table import Table, over_common_rows
from sheetmbs.workbook.package.archive import check_file_name, refusal
from sheetmbs.workbook.package.printing import RowLayout, printed
from sheetmbs.workbook.package.replace import replace_file

OFFER = "name another file with --also"
FORMULA_SIGNS = tuple("=+-@\t\r")
MAX_HEADER_BYTES = 1 << 22
FOOTER = 8
"""bytes at the end of a Parquet file: the length of what describes it, and a mark"""
NUMBERS_AT_ONCE = 1 << 21
ALWAYS_THERE = "position_violation"
"""a column of every result, by which a file of an earlier run is known"""
MARK, HOLDS = "sheetmbs", "results"
"""key and value of what Parquet says of a file, which writes two bytes between them"""


@dataclass(frozen=True)
class AlsoKind:
    """A kind of file beside the workbook, and how an earlier one is recognised. holds, earlier: in words.

    is_header: whether names are the columns of such a CSV file. is_description: whether bytes describe such a Parquet file.
    """

    holds: str
    earlier: str
    is_header: Callable[[Sequence[str]], bool]
    is_description: Callable[[bytes], bool]

    def check(self, path: str | PathLike[str]) -> Path:
        """Find out whether such a file could be written. Returns its place, links followed. Raises WorkbookError."""
        place = Path(os.path.realpath(path))
        check_file_name(place, OFFER)
        kind = place.suffix.casefold()
        if kind not in (".csv", ".parquet"):
            found = f"{place.name} does not end in .csv or .parquet"
            raise refusal("export-type", found, "the ending of the name decides the type of the file", OFFER)
        if kind == ".parquet" and find_spec("pyarrow") is None:
            found = f"{place.name} needs the package pyarrow, which is not installed"
            mend = 'pip install "sheetmbs[parquet]", or name a .csv file'
            raise refusal("no-pyarrow", found, "a Parquet file is written with it", mend)
        if not place.parent.is_dir():
            raise refusal(
                "no-folder", f"there is no folder {place.parent}", "the file needs a folder", f"make it, or {OFFER}"
            )
        if place.exists() and not place.is_file():
            what = "folder" if place.is_dir() else "device or a pipe"
            raise refusal("output-is-folder", f"{place} is a {what}", "the tables go into a file", OFFER)
        if place.exists() and not self._is_of_kind(place):
            found = f"{place} exists and holds no {self.holds}"
            raise refusal("foreign-output", found, f"only {self.earlier} are replaced", f"delete it, or {OFFER}")
        return place

    def _is_of_kind(self, place: Path) -> bool:
        return self.is_header(_header(place)) if is_csv(place) else self.is_description(_description(place))


RESULTS = AlsoKind(
    "results of sheetmbs",
    "results of an earlier run",
    lambda header: header[:1] == ["time"] and ALWAYS_THERE in header,
    lambda description: re.search(f"{MARK}..{HOLDS}".encode(), description, re.DOTALL) is not None,
)


def is_csv(place: Path) -> bool:
    """Whether a file is to be CSV rather than Parquet."""
    return place.suffix.casefold() == ".csv"


def as_text(text: str) -> str:
    """A text of a CSV file; one that a spreadsheet program would take for a formula begins with an apostrophe."""
    return f"'{text}" if text.startswith(FORMULA_SIGNS) else text


def _header(place: Path) -> list[str]:
    """The names of the columns of a CSV file; none where it is something else."""
    try:
        with place.open(encoding="utf-8", newline="") as file:
            return next(csv.reader([file.readline(MAX_HEADER_BYTES)]), [])
    except (OSError, ValueError, csv.Error):
        return []


def _description(place: Path) -> bytes:
    """What describes a Parquet file, from its end; nothing of any other."""
    try:
        with place.open("rb") as file:
            size = file.seek(0, os.SEEK_END)
            file.seek(max(size - FOOTER, 0))
            end = file.read()
            length = int.from_bytes(end[:4], "little")
            file.seek(max(size - FOOTER - length, 0))
            return file.read(length) if end[4:] == b"PAR1" else b""
    except OSError:
        return b""


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
