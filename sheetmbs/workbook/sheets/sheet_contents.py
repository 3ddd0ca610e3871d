"""The contents of the result sheets, independent of xlsx."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from time import perf_counter
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from sheetmbs.model.model import Chart
from sheetmbs.problems.errors import Problem
from sheetmbs.schema.names import NOT_IN_SHEET_NAMES
from sheetmbs.schema.table import Table
from sheetmbs.workbook.sheets.decimation import every_nth_row
from sheetmbs.workbook.sheets.page_contents import Page
from sheetmbs.workbook.sheets.page_contents import SummaryValue as SummaryValue  # noqa: PLC0414 - of these contents too

Floats = NDArray[np.float64]
Marker = Literal["", "dot", "ring", "plus", "triangle"]
SummaryRow = tuple[str, tuple[SummaryValue, ...], str]
"""item, its value in each case or its only one, unit"""
SUMMARY, CHARTS, PROBLEMS = "mbs Summary", "mbs Charts", "mbs Problems"
"""the result sheets that are no tables"""
EQUILIBRIUM = "mbs Equilibrium"
"""the sheet of what is found at rest, one element a row"""
CHART_DATA = "mbs Chart Data"
"""the sheet of the rows that charts of long series draw"""
ANIMATION = "mbs Animation"
"""the sheet on which the motion is moved"""
SUSPENSION_PAGE, SUSPENSION_CHARTS = "mbs Suspension", "mbs Suspension Charts"
SUSPENSION_MODEL, SUSPENSION_METRICS, LOADS = "mbs Suspension Model", "mbs Suspension Metrics", "mbs Loads"
SUSPENSION_SENSITIVITY, LOAD_EXTREMES = "mbs Suspension Sensitivity", "mbs Load extremes"
SETUP, HISTOGRAM = "mbs Setup", "mbs Histogram"
SIZED_MEMBERS, CLEARANCES = "mbs Members", "mbs Packaging"
TYRE_PAGE, TYRE_POINTS = "mbs Tyres", "mbs Tyre data"
COMPLIANCE, COMPLIANCE_PARTS = "mbs Compliance", "mbs Compliance Parts"
HANDLING_PAGE, HANDLING_METRICS = "mbs Handling", "mbs Handling Metrics"
GAIT_REPORT, GAIT_SUMMARY, GAIT_EVENTS = "mbs Gait report", "mbs Gait summary", "mbs Gait events"
GAIT_QUALITY, GAIT_UNCERTAINTY = "mbs Gait quality", "mbs Gait uncertainty"
GAIT_CLINICAL, GAIT_SCORES = "mbs Gait clinical", "mbs Gait scores"
GAIT_CONSISTENCY = "mbs Gait consistency"
MEASURED, RESIDUALS = "mbs Measured", "mbs Residuals"
"""sheets of measured columns beside computed ones"""
SUSPENSION_PAGES = frozenset(
    (
        *(SUSPENSION_PAGE, SUSPENSION_CHARTS, SUSPENSION_MODEL, SUSPENSION_METRICS, SUSPENSION_SENSITIVITY),
        *(LOADS, LOAD_EXTREMES, SIZED_MEMBERS, CLEARANCES),
        *(SETUP, TYRE_PAGE, HANDLING_PAGE),
    )
)
STUDY, STUDY_SUMMARY, STUDY_CHARTS, STUDY_CURVES = (
    *("mbs Study", "mbs Study Summary", "mbs Study Charts", "mbs Study Curves"),
)
FIT, FIT_VARIABLES, FIT_DIRECTIONS, FIT_MEASUREMENTS = (
    *("mbs Fit", "mbs Fit Variables", "mbs Fit Directions", "mbs Fit Measurements"),
)
UNCERTAINTY = "mbs Uncertainty"
STUDY_TABLES = (STUDY, FIT_VARIABLES, FIT_DIRECTIONS, FIT_MEASUREMENTS, UNCERTAINTY)
STUDY_SHEETS = frozenset((*STUDY_TABLES, STUDY_SUMMARY, STUDY_CHARTS, STUDY_CURVES, FIT))
"""sheets of a design study, which stay when anything else is run; a study leaves all others"""
PAGES = (
    SUSPENSION_PAGES
    | (STUDY_SHEETS - set(STUDY_TABLES))
    | {
        GAIT_REPORT,
        GAIT_SUMMARY,
        GAIT_EVENTS,
        GAIT_QUALITY,
        GAIT_UNCERTAINTY,
        GAIT_CLINICAL,
        GAIT_SCORES,
        GAIT_CONSISTENCY,
    }
    | {MEASURED, RESIDUALS}
)
"""sheets that are laid out cell by cell, charts and all, again by every run"""
COMPILE_TIME = "compile time"
"""item of the summary: what waiting for kernels to be compiled took, which is 0 but after an edit or an upgrade"""
ACCURACY_CHECK, STATUS = "accuracy check", "status"
"""items of the summary that say whether results can be trusted, and whether the run came to its end"""
WRITE_TIME = "write time"
"""item of the summary that is known only while the workbook is written: left empty, it is filled in then"""
MAX_LABEL, MAX_LABEL_OF_MANY = 15, 12
"""characters: a sheet's name has 31, ``mbs Constraints `` takes 16, and a table that goes on in further sheets adds a number"""
NOT_IN_NAMES = re.compile(rf"[{re.escape(NOT_IN_SHEET_NAMES)}'&<>\"\x00-\x1f]")
ENDS_IN_NUMBER = re.compile(r" ([0-9]+)$")


@dataclass(frozen=True)
class DrawnLook:
    """Appearance of a line of a picture. width: points; 0: no line. marker: what stands at each of its places."""

    color: str
    width: float = 0.0
    dashed: bool = False
    marker: Marker = ""
    size: int = 5


@dataclass(frozen=True)
class MovingLine:
    """A line, or several with gaps between them, in all frames.

    x, y: (frames, places), in the unit of the picture; a place is NaN in all frames where the line is broken. is_named: the
    legend tells its name. has_path: its only place leaves a trace.
    """

    name: str
    look: DrawnLook
    x: Floats
    y: Floats
    is_named: bool = False
    has_path: bool = False

    @cached_property
    def gaps(self) -> NDArray[np.bool_]:
        """The places at which the line is broken."""
        return np.asarray(np.isnan(self.x).all(axis=0))

    @cached_property
    def is_still(self) -> bool:
        """Whether it never moves."""
        return bool(len(self.x) and all(np.all((part == part[0]) | np.isnan(part)) for part in (self.x, self.y)))


@dataclass(frozen=True)
class Motion:
    """One motion: of a case, or of a mode. course: what stands beside each frame, such as its time."""

    name: str
    course: Floats
    lines: tuple[MovingLine, ...]

    def every(self, step: int) -> Motion:
        """The motion in fewer frames."""
        rows = every_nth_row(len(self.course), step)
        lines = tuple(replace(line, x=line.x[rows], y=line.y[rows]) for line in self.lines)
        return replace(self, course=self.course[rows], lines=lines)


@dataclass(frozen=True)
class MovingPicture:
    """All motions of a workbook in one picture.

    title: of the model. axes: names of the axes across and up. unit: of lengths. motions: with the same lines, of as many
    places. course: name and unit of what stands beside each frame. told_by: what distinguishes several motions.
    remarks: sentences above it.
    """

    title: str
    axes: tuple[str, str]
    unit: str
    motions: tuple[Motion, ...]
    course: tuple[str, str] = ("time", "s")
    told_by: Literal["case", "mode", "sweep", "trial"] = "case"
    remarks: tuple[str, ...] = ()


def run_times(
    began: float, was_read: float, solved: float, compiling: float
) -> tuple[tuple[str, float | None, str], ...]:
    """Items of the summary: the time that each part of a run took, s, up to now.

    began, was_read, solved: what `time.perf_counter` said before kernels were loaded, after reading, and after solving.
    compiling: seconds that the first of these took for compiling.
    """
    now = perf_counter()
    return (
        ("read time", was_read - began - compiling, "s"),
        (COMPILE_TIME, compiling, "s"),
        ("solve time", solved - was_read, "s"),
        ("report time", now - solved, "s"),
        (WRITE_TIME, None, "s"),
        ("wall time", now - began, "s"),
    )


@dataclass(frozen=True)
class SheetSection:
    """One of the tables on `mbs Equilibrium`: elements of a kind, one a row.

    heads: of the columns of numbers. names: of the rows. values: (names, heads), NaN = not known.
    """

    title: str
    unit: str
    heads: tuple[str, ...]
    names: tuple[str, ...]
    values: NDArray[np.float64]

    def column(self, head: str) -> str:
        """The name of a column of numbers in charts."""
        return f"{self.title}: {head}"


@dataclass(frozen=True)
class ResultSheets:
    """Content of the sheets whose names begin with ``mbs ``.

    summary: (item, value, unit), a None value is an empty cell. tables: in sheet order. charts: resolved, x and y are
    columns of the tables; an x of ``time`` is the first column of the table that holds y. problems: for `mbs Problems`.
    sections: tables of `mbs Equilibrium`, drawn as bars: their charts have a section's title as x. remarks: what is said
    above the charts. cases: where there are several; side_by_side then holds their summaries. pages: sheets laid out cell by
    cell. first: names of the sheets that come first, in their order. is_study: they are those of a design study. animation:
    what `mbs Animation` shows. printed: names of the only sheets that are printed where a whole workbook is; None: all.
    """

    summary: tuple[tuple[str, SummaryValue, str], ...]
    tables: tuple[Table, ...]
    charts: tuple[Chart, ...] = ()
    problems: tuple[Problem, ...] = ()
    sections: tuple[SheetSection, ...] = ()
    remarks: tuple[str, ...] = ()
    cases: tuple[str, ...] = ()
    side_by_side: tuple[SummaryRow, ...] = ()
    pages: Sequence[Page] = ()
    first: tuple[str, ...] = ()
    is_study: bool = False
    animation: MovingPicture | None = None
    frames: tuple[Table, ...] = ()
    printed: frozenset[str] | None = None

    @property
    def summary_rows(self) -> tuple[SummaryRow, ...]:
        """The rows of `mbs Summary`."""
        return self.side_by_side if self.cases else tuple((item, (value,), unit) for item, value, unit in self.summary)

    @property
    def summary_heads(self) -> tuple[str, ...]:
        """Headers of its columns of values."""
        return self.cases or ("value",)


def case_labels(cases: Sequence[str], most: int = MAX_LABEL) -> dict[str, str]:
    """A label for each case, as much of its name as fits; where two would be one, they get numbers.

    Labels differ also without regard to case, and to what the names of marks cannot hold. A number at the end of a label is
    joined to it, for a space before it means a further part of a table.
    """
    labels: dict[str, str] = {}
    used: set[str] = set()
    for case in cases:
        plain = ENDS_IN_NUMBER.sub(r"_\1", NOT_IN_NAMES.sub("-", case).strip()) or "case"
        label, number = plain[:most].strip(), 1
        while _folded(label) in used:
            number += 1
            end = f"~{number}"
            label = plain[: most - len(end)].strip() + end
        used.add(_folded(label))
        labels[case] = label
    return labels


def _folded(label: str) -> str:
    return re.sub(r"\W", "_", label).casefold()
