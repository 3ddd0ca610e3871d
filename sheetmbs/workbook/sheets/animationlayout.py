"""Where everything stands on the sheet `mbs Animation`.

Above a cell for the frame and a chart, below the places of all frames, one a row, and those of the picked one.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate

import numpy as np
from numpy.typing import NDArray

from sheetmbs.schema.cell import cell_name, column_letters
from sheetmbs.workbook.sheets.picture_contents import MovingLine, MovingPicture
from sheetmbs.workbook.sheets.sheet_contents import ANIMATION

FRAME_ROW, COURSE_ROW, MOTION_ROW, CHART_ROW = 4, 5, 6, 8
FRAME = "frame"
"""what names the cell of the frame, and the numbers of all"""
VALUE = 2
"""column of the cells that the user fills in"""


@dataclass(frozen=True)
class Chosen:
    """What is shown: the number of a motion, from 0, and the number in the cell of the frame."""

    motion: int
    frame: int


@dataclass(frozen=True)
class PlaceRun:
    """Cells beside each other that hold the places of a line in one direction. axis: 0 across, 1 up. first: column, from 1."""

    line: int
    axis: int
    first: int
    count: int


class AnimationLayout:
    """Where everything stands. chart_rows: how many rows the chart covers."""

    def __init__(self, picture: MovingPicture, chosen: Chosen, chart_rows: int) -> None:
        self.picture, self.chosen = picture, chosen
        self._motions = picture.motions
        self.lines = picture.motions[0].lines
        self.counts = [len(motion.course) for motion in picture.motions]
        self.list_row = CHART_ROW + chart_rows + 1
        self.row_cell = f"$B${self.list_row + 1}"
        self.first_motion = self.list_row + 4
        self.head_row = self.first_motion + len(self._motions) + 1 if self.has_choice else self.list_row + 3
        self.picked_row = self.head_row + 2
        self.first_row = self.head_row + 3
        self.last_row = self.first_row + sum(self.counts) - 1

    @property
    def has_choice(self) -> bool:
        """Whether there are several motions."""
        return len(self._motions) > 1

    @property
    def most(self) -> int:
        """The number of the last frame."""
        return max(self.counts)

    @cached_property
    def runs(self) -> list[PlaceRun]:
        """The cells of all lines."""
        counts = [line.x.shape[1] for line in self.lines for _ in range(2)]
        starts = accumulate(counts, initial=3)
        return [
            PlaceRun(k // 2, k % 2, first, count) for k, (first, count) in enumerate(zip(starts, counts, strict=False))
        ]

    @property
    def columns(self) -> int:
        """How many columns there are."""
        return self.runs[-1].first + self.runs[-1].count - 1 if self.runs else 2

    @property
    def cells(self) -> str:
        """The range that all covers."""
        return f"A1:{cell_name(self.last_row, self.columns)}"

    @cached_property
    def still(self) -> list[bool]:
        """Which lines stand still in all motions, and in the same place."""
        return [
            all(
                motion.lines[k].is_still
                and np.array_equal(motion.lines[k].x[0], line.x[0], equal_nan=True)
                and np.array_equal(motion.lines[k].y[0], line.y[0], equal_nan=True)
                for motion in self._motions
            )
            for k, line in enumerate(self.lines)
        ]

    def picked(self, run: PlaceRun) -> str:
        """The cells of a line in the picked row."""
        left, right = column_letters(run.first), column_letters(run.first + run.count - 1)
        return _range(f"${left}${self.picked_row}", f"${right}${self.picked_row}")

    def path(self, run: PlaceRun) -> str:
        """All frames of the only place of a line."""
        letters = column_letters(run.first)
        return _range(f"${letters}${self.first_row}", f"${letters}${self.last_row}")

    def shown(self, run: PlaceRun) -> NDArray[np.float64]:
        """The numbers of a line in the picked row."""
        return np.asarray(places(self._motions[self.chosen.motion].lines[run.line], run.axis)[self.frame])

    @property
    def frame(self) -> int:
        """The frame that is shown, from 0."""
        return min(max(self.chosen.frame, 1), self.counts[self.chosen.motion]) - 1

    @property
    def starts(self) -> list[int]:
        """The first row of each motion, among the rows of places, from 1."""
        return [1, *(1 + total for total in accumulate(self.counts))][:-1]

    @property
    def shown_row(self) -> int:
        """The row of places that is shown, from 1."""
        return self.starts[self.chosen.motion] + self.frame

    def values(self) -> NDArray[np.float64]:
        """The rows of places: frame, course, and what moves."""
        blocks = []
        for motion in self._motions:
            parts = [np.arange(1.0, len(motion.course) + 1.0)[:, None], motion.course[:, None]]
            for run in self.runs:
                own = places(motion.lines[run.line], run.axis)
                parts.append(np.full_like(own, np.nan) if self.still[run.line] else own)
            blocks.append(np.concatenate(parts, axis=1))
        return np.concatenate(blocks)


def places(line: MovingLine, axis: int) -> NDArray[np.float64]:
    """(frames, places) of a line across or up."""
    return (line.x, line.y)[axis]


def _range(first: str, last: str) -> str:
    return f"'{ANIMATION}'!{first}:{last}" if first != last else f"'{ANIMATION}'!{first}"
