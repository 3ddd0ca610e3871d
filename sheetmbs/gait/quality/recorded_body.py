"""A prepared trial as checks look at it: its points before any filter, and where each of them stands in the workbook."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from sheetmbs.gait.arrays import Integers, Mask, Vector
from sheetmbs.gait.joint_centres import with_centres
from sheetmbs.gait.prepare_trial import PreparedTrial
from sheetmbs.gait.signals.gaps import bounds
from sheetmbs.gait.trial.gait_book import GaitBook, SegmentRow
from sheetmbs.schema.problem_list import Place, place_of

MOST_RUNS = 6
"""of frames that one message names"""


@dataclass(frozen=True)
class RecordedBody:
    """points: markers and joint centres as recorded, short gaps filled, (n, 3) in our axes; what was not recorded is 0."""

    prepared: PreparedTrial
    book: GaitBook
    points: Mapping[str, Vector]

    def segments(self) -> Iterator[tuple[SegmentRow, Vector]]:
        """Each segment and its length (n,) in m in every frame."""
        for row in self.book.segments:
            yield row, np.linalg.norm(self.points[row.proximal] - self.points[row.distal], axis=1)

    def marker_of(self, name: str) -> int:
        """The marker by which a point is found in the workbook: itself, or the first one that it is made of."""
        labels = self.prepared.labels
        made_of = {row.name: row.markers for row in self.book.centres}
        while name not in labels:
            name = made_of[name][0]
        return labels.index(name)

    def header(self, name: str) -> Place:
        """The cell that names a point."""
        return self.prepared.trial.markers.headers[self.marker_of(name)]

    def frames(self, mask: Mask) -> str:
        """``frames 101-110, 205`` of a mask (n,)."""
        return frames_in_words(mask, self.prepared.time.frames)

    def needed(self) -> tuple[int, ...]:
        """The markers that segments need, by themselves or through joint centres."""
        wanted = self.book.made_of(name for row in self.book.segments for name in row.points)
        return tuple(index for index, label in enumerate(self.prepared.labels) if label in wanted)


def recorded_body(prepared: PreparedTrial, book: GaitBook) -> RecordedBody:
    """A trial with its points."""
    unseen = np.all(np.isnan(prepared.values), axis=2, keepdims=True)
    unseen[:, :2] = False
    unseen &= book.dimension == "2D"
    # a marker that is seen in no frame stays missing: only a direction that no camera gave is taken as 0
    is_all_unseen = np.all(np.isnan(prepared.values), axis=(1, 2))[:, None, None]
    level = np.where(unseen & ~is_all_unseen, 0.0, prepared.values)
    markers = {label: level[index].T for index, label in enumerate(prepared.labels)}
    return RecordedBody(prepared, book, with_centres(markers, book.centres, book.segments, book.dimension))


def frames_in_words(mask: Mask, frames: Integers) -> str:
    """``frames 101-110, 205`` of a mask (n,), by the file's numbers (n,)."""
    runs = bounds(mask)
    words = [f"{frames[a]}" if a == b else f"{frames[a]}-{frames[b]}" for a, b in runs[:MOST_RUNS]]
    more = f" and {len(runs) - MOST_RUNS} more" if len(runs) > MOST_RUNS else ""
    return f"{'frame' if mask.sum() == 1 else 'frames'} {', '.join(words)}{more}"


def setting_place(book: GaitBook, name: str) -> Place:
    """The cell of a setting of Processing, or the sheet."""
    return place_of(book.processing.places.get(name, "Processing"))


def subject_place(book: GaitBook, name: str) -> Place:
    """The cell of a setting of Subject, or the sheet."""
    return place_of(book.subject.places.get(name, "Subject"))
