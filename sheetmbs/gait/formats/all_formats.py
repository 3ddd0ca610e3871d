"""All formats, one line each, and which of them a sheet or file is: its first cells decide."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from sheetmbs.gait.formats.cortex_forces import is_cortex_forces, read_cortex_forces
from sheetmbs.gait.formats.opensim_storage import is_opensim, read_opensim
from sheetmbs.gait.formats.own_columns import read_own
from sheetmbs.gait.formats.qualisys_tracks import is_qualisys, read_qualisys
from sheetmbs.gait.formats.sampled_cells import text_at
from sheetmbs.gait.formats.trc_tracks import is_trc, read_trc
from sheetmbs.gait.formats.vicon_blocks import is_vicon, read_vicon
from sheetmbs.gait.trial.recorded import Recorded
from sheetmbs.schema.names import fold
from sheetmbs.schema.problem_list import Place, ProblemList, quoted
from sheetmbs.schema.validate import split_header, split_parentheses
from sheetmbs.workbook.cells.cells import CellSheet
from sheetmbs.workbook.reading.table_headers import is_sheet_empty


@dataclass(frozen=True)
class LabFormat:
    """A format. name: for people. starts: what cell A1 holds, for people. is_it: whether a sheet or file is one.

    read: what it holds; slips are reported at their cells.
    """

    name: str
    starts: str
    is_it: Callable[[CellSheet], bool]
    read: Callable[[CellSheet, ProblemList], Recorded]


def _has_own_header(cells: CellSheet) -> bool:
    """Whether a header of row 1 is time or frame, with a unit or without."""
    for column in cells.rows.get(1, {}):
        text = text_at(cells, 1, column)
        name, _unit = split_parentheses(text) or split_header(text)
        if fold(name) in ("time", "frame"):
            return True
    return False


FORMATS: tuple[LabFormat, ...] = (
    LabFormat("columns of our own", "time or frame", _has_own_header, read_own),
    LabFormat("TRC", "PathFileType", is_trc, read_trc),
    LabFormat("Vicon CSV", "Trajectories, Model Outputs, Devices or Joints", is_vicon, read_vicon),
    LabFormat("Qualisys TSV", "NO_OF_FRAMES or NO_OF_SAMPLES", is_qualisys, read_qualisys),
    LabFormat("Cortex forces", "[Force Data]", is_cortex_forces, read_cortex_forces),
    LabFormat("OpenSim", "nRows=, version= or name", is_opensim, read_opensim),
)


def format_of(cells: CellSheet) -> LabFormat | None:
    """The format that a sheet or file has, by its first cells; None where it has none that is known."""
    return next((each for each in FORMATS if each.is_it(cells)), None)


def read(cells: CellSheet, report: ProblemList) -> Recorded:
    """What a sheet or file holds, in any format. Nothing, where it is empty or cannot be read, which is reported."""
    if is_sheet_empty(cells):
        return Recorded()
    known = format_of(cells)
    if known is None:
        first = text_at(cells, 1, 1)
        starts = ", ".join(each.starts for each in FORMATS)
        report.error(
            "unknown-format",
            Place(cells.name, 1, 1),
            quoted(first) if first else "a blank cell",
            f"its first cell tells what a recording is, one of: {starts}",
            "paste the whole export, its first line in row 1, or head the times with time",
        )
        return Recorded()
    return known.read(cells, report)
