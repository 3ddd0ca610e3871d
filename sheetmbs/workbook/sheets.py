"""What the result sheets are to show, before anything of xlsx comes in."""

from __future__ import annotations

from dataclasses import dataclass

from sheetmbs.errors import Problem
from sheetmbs.model import Chart
from sheetmbs.schema.table import Table

SummaryValue = float | int | str | None

SUMMARY, CHARTS, PROBLEMS = "mbs Summary", "mbs Charts", "mbs Problems"
"""the result sheets that are no tables"""
CHART_DATA = "mbs Chart Data"
"""the sheet of the rows that charts of long series draw"""
WRITE_TIME = "write time"
"""item of the summary that is known only while the workbook is written: left empty, it is filled in then"""


@dataclass(frozen=True)
class ResultSheets:
    """Content of the sheets whose names begin with ``mbs ``.

    summary: (item, value, unit), a None value is an empty cell. tables: in sheet order. charts: resolved, x and y are
    columns of the tables; an x of ``time`` is the first column of the table that holds y. problems: for `mbs Problems`.
    """

    summary: tuple[tuple[str, SummaryValue, str], ...]
    tables: tuple[Table, ...]
    charts: tuple[Chart, ...] = ()
    problems: tuple[Problem, ...] = ()
