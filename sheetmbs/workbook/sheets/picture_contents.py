"""What the sheet `mbs Animation` shows, independent of xlsx: lines whose places change from frame to frame."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from sheetmbs.workbook.sheets.decimation import every_nth_row

Floats = NDArray[np.float64]
Marker = Literal["", "dot", "ring", "plus", "triangle"]


@dataclass(frozen=True)
class DrawnLook:
    """How a line of a picture looks. width: points; 0: no line. marker: what stands at each of its places."""

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
