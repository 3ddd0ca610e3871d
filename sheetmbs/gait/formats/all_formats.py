"""All formats of recordings, one line each.

Help pages and the documentation list them too, so that a format's module is imported only where a recording is read.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from importlib import import_module
from typing import Any


@dataclass(frozen=True)
class LabFormat:
    """A format of recordings.

    files: endings of its files, for people. holds: what is read of it, for people. starts: what the first cell of a text file
    or of a pasted sheet holds, for people; ``""`` where files are binary, of which the ending decides. home: its module in
    `sheetmbs.gait.formats`: of texts it has `recognises(cells)` and `read(cells, report)`, of binary files `read_file(path)`.
    """

    files: str
    holds: str
    starts: str
    home: str

    @property
    def module(self) -> Any:
        """The module that reads it."""
        return import_module(f"sheetmbs.gait.formats.{self.home}")


FORMATS = (
    LabFormat(
        ".csv, .txt",
        "columns of our own: `time`, `<marker>.x`, `<plate>.fx` and so on",
        "time or frame",
        "own_columns",
    ),
    LabFormat(
        ".c3d",
        "markers, force plates of the types 1 to 5 with corners, origin and sign, events, and sizes of the subject",
        "",
        "c3d_files",
    ),
    LabFormat(".trc", "markers (Cortex, OpenSim)", "PathFileType", "trc_tracks"),
    LabFormat(
        ".csv of Vicon",
        "the blocks `Trajectories` and `Devices`; others are named and left out",
        "Trajectories, Model Outputs, Devices or Joints",
        "vicon_blocks",
    ),
    LabFormat(
        ".tsv of Qualisys",
        "markers, and a file `_f_1.tsv` for each force plate with its corners",
        "NO_OF_FRAMES or NO_OF_SAMPLES",
        "qualisys_files",
    ),
    LabFormat(".forces", "plates of Cortex, in axes of the laboratory", "[Force Data]", "cortex_forces"),
    LabFormat(
        ".mot, .sto",
        "forces of OpenSim, or markers with columns `<label>_x`, `_y`, `_z`",
        "nRows=, version= or name",
        "opensim_storage",
    ),
    LabFormat(
        ".txt of D-Flow",
        "markers and plates of a treadmill: `<label>.PosX`, `FP1.ForX`, `.MomX`, `.CopX`",
        "TimeStamp",
        "dflow_tables",
    ),
    LabFormat(
        ".csv of OptiTrack", "markers; bones and rigid bodies are named and left out", "Format Version", "optitrack_csv"
    ),
    LabFormat(
        ".txt of Visual3D",
        "targets, forces, centres of pressure and free moments of its ASCII",
        "a blank cell, and ITEM in row 5",
        "visual3d_ascii",
    ),
    LabFormat(".anc", "analog channels of Cortex, for `--analog`", "File_Type:", "cortex_analog"),
)
"""a text has the first of them that recognises it"""


def file_kinds() -> str:
    """Endings of all files that can be imported, for help pages."""
    return ", ".join(each.files for each in FORMATS)


def file_endings() -> tuple[str, ...]:
    """Endings of files that are read, in small letters."""
    return tuple(dict.fromkeys(re.findall(r"\.\w+", file_kinds())))
