"""Reading long time series: `sheetmbs.read` of a whole workbook against python-calamine on the sheet of its series alone.

Both begin with the file. `sheetmbs.read` checks every cell and returns a model whose drivers hold the numbers as arrays;
`to_python` of calamine returns rows of Python objects, in which an error value and a formula without a value are '' like a
blank cell, and without the addresses of the cells. Every number of both is compared with its text in the file.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
import zipfile
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from python_calamine import CalamineWorkbook

import sheetmbs
from benchmarks import machine, tables
from benchmarks import series_books as series
from benchmarks.options import Options
from benchmarks.timing import in_turns
from sheetmbs.model.model import Series
from tests.support.processes import most_resident, resident

AIM = 1.5


@dataclass(frozen=True)
class Case:
    """A workbook. rows, columns: of its series. digits: of its numbers. write: makes it at a path."""

    name: str
    rows: int
    columns: int
    write: Callable[[Path, NDArray[np.float64]], None]
    digits: int = 17


def _template(template: series.Template) -> Callable[[Path, NDArray[np.float64]], None]:
    return partial(series.by_template, template=template)


CASES = (
    Case("as Excel writes it", 10_001, 200, _template(series.EXCEL)),
    Case("as LibreOffice writes it", 10_001, 200, _template(series.LIBREOFFICE), series.LIBREOFFICE.digits),
    Case("our own result sheet", 10_001, 200, series.by_sheetmbs),
    Case("XlsxWriter's", 10_001, 200, series.by_xlsxwriter, 16),
    Case("openpyxl's", 10_001, 200, series.by_openpyxl, 16),
    Case("many rows of few columns", 200_001, 10, _template(series.EXCEL)),
    Case("a formula in every cell", 10_001, 200, _template(series.FORMULAS)),
    Case("a remark in every row", 10_001, 200, _template(series.REMARKS)),
    Case("10^6 formatted blank rows below", 1_001, 200, _template(series.BLANK_ROWS)),
)


def by_calamine(path: Path) -> list[list[object]]:
    """The rows of the series as Python objects."""
    return CalamineWorkbook.from_path(path).get_sheet_by_name(series.SHEET).to_python()


SIDES: dict[str, Callable[[Path], object]] = {"calamine": by_calamine, "sheetmbs": sheetmbs.read}


def seconds(read: Callable[[Path], object], path: Path) -> float:
    """Processor time of reading once: both sides compute on one thread, and the machine may have other work."""
    began = time.process_time()
    found = read(path)
    spent = time.process_time() - began
    del found
    return spent


def peak(side: str, path: Path) -> float | None:
    """MB by which the memory of a new process grows at most while it reads; None where the system does not tell."""
    if not resident(os.getpid()):
        return None
    command = [sys.executable, "-m", "benchmarks.reading", side, str(path)]
    return float(subprocess.run(command, check=True, capture_output=True, text=True, cwd=tables.HERE.parent).stdout)


def grown(side: str, path: Path) -> float:
    """The same for this process."""
    before = resident(os.getpid())
    found = SIDES[side](path)
    after = most_resident(os.getpid())
    del found
    return (after - before) / 1e6


def differing(path: Path, written: NDArray[np.float64]) -> dict[str, int]:
    """How many numbers of each side are not the doubles that stand in the file."""
    rows = [row[: written.shape[1]] for row in by_calamine(path) if isinstance(row[0], float)]
    drivers = [driver.motion for driver in sheetmbs.read(path).drivers]
    motions = [motion for motion in drivers if isinstance(motion, Series)]
    ours = np.column_stack([motions[0].times, *(motion.values for motion in motions)])
    return {
        "calamine": int(np.sum(np.array(rows[: len(written)], float).view(np.int64) != written.view(np.int64))),
        "sheetmbs": int(np.sum(np.ascontiguousarray(ours).view(np.int64) != written.view(np.int64))),
    }


def as_written(values: NDArray[np.float64], digits: int) -> NDArray[np.float64]:
    """The doubles that numbers are when so many of their digits are written."""
    return np.array([[float(f"{value:.{digits}g}") for value in row] for row in values.tolist()])


def measured(case: Case, options: Options, folder: Path) -> dict[str, tables.Value]:
    """One row of the table."""
    rows = min(case.rows, 1_001) if options.quick else case.rows
    values = series.samples(rows, case.columns)
    path = folder / "series.xlsx"
    case.write(path, values)
    with zipfile.ZipFile(path) as archive:
        size = archive.getinfo(series.PART).file_size
    wrong = differing(path, as_written(values, case.digits))
    spent = dict(
        zip(SIDES, in_turns([partial(seconds, read, path) for read in SIDES.values()], options.runs), strict=True)
    )
    return {
        "series": case.name,
        "rows": rows,
        "columns": case.columns,
        "xml_mb": size / 1e6,
        "calamine_ms": 1e3 * spent["calamine"],
        "sheetmbs_ms": 1e3 * spent["sheetmbs"],
        "times_calamine": spent["sheetmbs"] / spent["calamine"],
        "aim": AIM,
        "calamine_mb": peak("calamine", path),
        "sheetmbs_mb": peak("sheetmbs", path),
        "calamine_differs": wrong["calamine"],
        "sheetmbs_differs": wrong["sheetmbs"],
    }


SHOWN = {
    "series": "series",
    "rows": "rows",
    "columns": "columns",
    "xml_mb": "XML, MB",
    "calamine_ms": "calamine, ms",
    "sheetmbs_ms": "sheetmbs.read, ms",
    "times_calamine": "times calamine",
    "aim": "aim",
    "calamine_mb": "calamine, peak MB",
    "sheetmbs_mb": "sheetmbs.read, peak MB",
    "sheetmbs_differs": "numbers that differ",
}


def study(options: Options) -> None:
    """Run, print, and where all was asked for, save the table and the section of README.md."""
    chosen = [case for case in CASES if options.wanted(case.name)]
    with tempfile.TemporaryDirectory() as folder:
        rows = [measured(case, options, Path(folder)) for case in chosen]
    tables.show(rows, SHOWN)
    if options.save:
        tables.save("reading", rows)
        tables.into_readme("reading", f"{machine.measured_on(options.runs)}\n\n{tables.markdown(rows, SHOWN)}")


if __name__ == "__main__":
    print(grown(sys.argv[1], Path(sys.argv[2])))
