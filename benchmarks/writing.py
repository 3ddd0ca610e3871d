"""Writing results back into a workbook: time against a floor, and memory above the results themselves.

The floor is one part of a zip file with the same numbers, printed before the clock starts, without references to cells, packed
at level 1 by one thread. No program can write such a sheet in less, whatever prints its numbers. Every other row of the table
is a whole round trip: the workbook is read, results are printed and packed, the new file is read back and put in place.

Memory is the peak of a process of its own while it writes, above what it held before, the results among it.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from time import perf_counter
from typing import NamedTuple

import numpy as np
import openpyxl
import xlsxwriter

from benchmarks import machine, tables
from benchmarks.options import Options
from benchmarks.timing import Solve, in_turns
from sheetmbs.model.model import Chart
from sheetmbs.results.export import export
from sheetmbs.schema.table import Table
from sheetmbs.workbook.package.package import Package
from sheetmbs.workbook.sheets.decimation import row_step
from sheetmbs.workbook.sheets.sheet_contents import ResultSheets
from sheetmbs.workbook.writing.write import write_results
from tests.support.processes import forget_most, most_resident, resident

ROOT = Path(__file__).parents[1]
ROWS, COLUMNS = 10_001, 200
MOST_TIMES, MOST_MEMORY = 3.0, 250.0
FLOOR = "floor: the same numbers, printed beforehand, only packed"
PEERS = ("XlsxWriter, a new file, constant memory", "openpyxl, a new file, write-only")


class Size(NamedTuple):
    """Shape of the results. sheets: over which the columns are spread. charts: of six lines each."""

    rows: int = ROWS
    columns: int = COLUMNS
    sheets: int = 1
    charts: int = 0


SIZES = {
    "one sheet": Size(),
    "six sheets": Size(sheets=6),
    "six sheets and 20 charts": Size(sheets=6, charts=20),
}
SPLIT = {
    "2,000,000 rows of 8 columns": Size(2_000_000, 8, charts=1),
    "20 rows of 40,000 columns": Size(20, 40_000),
    "300,000 rows of 200 columns": Size(300_000, 200, charts=1),
}


def results(size: Size) -> ResultSheets:
    """Unlike numbers of some thousands in size over equally spaced times; columns are spread over the sheets."""
    rng = np.random.default_rng(1)
    sheets = []
    per_sheet = -(-(size.columns - 1) // size.sheets)
    for number in range(size.sheets):
        count = min(per_sheet, size.columns - 1 - number * per_sheet)
        values = np.column_stack([np.arange(size.rows) * 1e-3, 1e3 * rng.normal(size=(size.rows, count))])
        names = ("time", *(f"b{number * per_sheet + k}.x" for k in range(count)))
        if number == 0:  # every result has this column
            names = ("time", "position_violation", *names[2:])
        sheets.append(Table(f"mbs Sheet{number}", names, ("s", *["mm"] * count), values))
    every = [name for table in sheets for name in table.columns[1:]]
    charts = tuple(Chart(f"Chart {n}", "time", tuple(every[6 * n : 6 * n + 6])) for n in range(size.charts))
    return ResultSheets((("analysis", "dynamic", ""),), tuple(sheets), charts)


def workbook(path: Path) -> Path:
    """A workbook with one small sheet."""
    with xlsxwriter.Workbook(path) as book:
        book.add_worksheet("Model").write("A1", "of the user")
    return path


def timed(action: Callable[[], object]) -> float:
    """Seconds that something takes."""
    began = perf_counter()
    action()
    return perf_counter() - began


def pack_only(path: Path) -> Solve:
    """The floor."""
    [table] = results(SIZES["one sheet"]).tables
    rows = ("".join(f"<c><v>{value!r}</v></c>" for value in row) for row in table.values.tolist())
    printed = [f"<row>{row}</row>".encode() for row in rows]
    chunks = [b"".join(printed[start : start + 256]) for start in range(0, len(printed), 256)]

    def pack() -> None:
        with (
            zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive,
            archive.open("sheet1.xml", "w") as part,
        ):
            for chunk in chunks:
                part.write(chunk)

    return lambda: timed(pack)


def with_xlsxwriter(path: Path, table: Table) -> None:
    """The same sheet by XlsxWriter."""
    with xlsxwriter.Workbook(path, {"constant_memory": True}) as book:
        sheet = book.add_worksheet()
        for number, row in enumerate(table.values.tolist()):
            sheet.write_row(number, 0, row)


def with_openpyxl(path: Path, table: Table) -> None:
    """The same sheet by openpyxl."""
    book = openpyxl.Workbook(write_only=True)
    sheet = book.create_sheet()
    for row in table.values.tolist():
        sheet.append(row)
    book.save(path)


def peak_memory(name: str) -> float | None:
    """MB above the results that writing a case of `cases` takes at most; None where the system does not tell."""
    if not Path("/proc/self/clear_refs").exists():
        return None
    command = f"from benchmarks.writing import tell_memory; tell_memory({name!r})"
    done = subprocess.run([sys.executable, "-c", command], cwd=ROOT, check=True, capture_output=True, text=True)
    return float(json.loads(done.stdout))


def tell_memory(name: str) -> None:
    """Print the peak of this process, MB, above what it held before it wrote."""
    with tempfile.TemporaryDirectory() as folder:
        write = cases(Path(folder))[name]
        workbook_results = results(Size(3, 3))
        write_results(workbook(Path(folder) / "first.xlsx"), None, workbook_results)  # what is loaded only once
        before = resident(os.getpid())
        forget_most()
        write()
        print(json.dumps((most_resident(os.getpid()) - before) / 1e6))


def cases(folder: Path) -> dict[str, Callable[[], object]]:
    """Everything of ours that is measured; workbooks and results are made here, not when it is called."""
    held = {name: results(size) for name, size in SIZES.items()}
    books = {name: workbook(folder / f"{name}.xlsx") for name in SIZES}
    fresh = workbook(folder / "fresh.xlsx")

    def into_new_sheets() -> None:
        write_results(fresh, folder / "copy.xlsx", held["one sheet"])

    made: dict[str, Callable[[], object]] = {"one sheet, into a workbook without results": into_new_sheets}
    for name in SIZES:
        made[f"{name}, in place of earlier results"] = lambda name=name: write_results(books[name], None, held[name])
    made["all rows as CSV"] = lambda: export(held["six sheets"].tables, folder / "all.csv")
    if find_spec("pyarrow"):
        made["all rows as Parquet"] = lambda: export(held["six sheets"].tables, folder / "all.parquet")
    return made


def measured(folder: Path, options: Options) -> list[dict[str, tables.Value]]:
    """Rows of the table of times and memory."""
    [table] = results(SIZES["one sheet"]).tables
    ours = cases(folder)
    solves: dict[str, Solve] = {FLOOR: pack_only(folder / "floor.zip")}
    solves |= {name: (lambda write=write: timed(write)) for name, write in ours.items()}
    written = folder / "one sheet.xlsx"
    solves["of which: the new file read back and checked"] = lambda: timed(lambda: Package(written).verify())
    if not options.quick:
        for name, write in zip(PEERS, (with_xlsxwriter, with_openpyxl), strict=True):
            solves[name] = lambda write=write: timed(lambda: write(folder / "peer.xlsx", table))
    seconds = dict(zip(solves, in_turns(list(solves.values()), options.runs), strict=True))
    return [
        {
            "what": name,
            "s": found,
            "times_floor": found / seconds[FLOOR],
            "memory_mb": peak_memory(name) if name in ours else None,
        }
        for name, found in seconds.items()
    ]


def split(folder: Path) -> list[dict[str, tables.Value]]:
    """Rows of the table of results larger than a sheet, each written once. Raises RuntimeError if a number is lost."""
    rows: list[dict[str, tables.Value]] = []
    for name, size in SPLIT.items():
        path = workbook(folder / "large.xlsx")
        held = results(size)
        seconds = timed(lambda path=path, held=held: write_results(path, None, held))
        package = Package(path)
        sheets = [sheet for sheet in package.sheets if sheet.name.startswith("mbs Sheet")]
        counted = [_rows_and_numbers(package, sheet.part) for sheet in sheets]
        numbers = sum(count for _rows, count in counted)
        rows.append(
            {
                "results": name,
                "sheets": len(sheets),
                "rows on them": ", ".join(f"{count:,}" for count, _numbers in counted),
                "numbers": numbers,
                "s": seconds,
                "MB": path.stat().st_size / 1e6,
            }
        )
        if row_step(held.tables) == 1 and numbers < size.rows * size.columns:
            raise RuntimeError(f"{name}: only {numbers} numbers are on the sheets")
    return rows


def _rows_and_numbers(package: Package, part: str) -> tuple[int, int]:
    xml = package.read(part, most=1 << 30)  # the sheets that are split are larger than any that users fill in
    return xml.count(b"<row r=") - 2, xml.count(b"<v>")


SHOWN = {
    "what": "10,001 rows of 200 columns",
    "s": "s",
    "times_floor": "times the floor",
    "memory_mb": "MB above the results",
}


def study(options: Options) -> None:
    """Run, print, and where all was asked for, save the tables and the sections of README.md."""
    with tempfile.TemporaryDirectory() as folder:
        rows = measured(Path(folder), options)
        tables.show(rows, SHOWN)
        large = [] if options.quick else split(Path(folder))
    if large:
        tables.show(large)
        print(f"the aim: at most {MOST_TIMES:g} times the floor, at most {MOST_MEMORY:g} MB")
    if options.save:
        tables.save("writing", rows)
        text = [machine.measured_on(options.runs), tables.markdown(rows, SHOWN)]
        if large:
            tables.save("writing-large", large)
            text.append(tables.markdown(large))
        tables.into_readme("writing", "\n\n".join(text))
