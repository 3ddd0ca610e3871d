"""Two labels exchanged for some frames: each marker goes on where the other one was."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from sheetmbs.gait.quality.recorded_body import RecordedBody
from sheetmbs.schema.problem_list import ProblemList

Vector = NDArray[np.float64]
Mask = NDArray[np.bool_]

JUMP = 0.015
"""m off its way, from which a marker jumps"""
CLEARLY = 3.0
"""times farther from its own way than from that of the other marker"""


@dataclass(frozen=True)
class Exchange:
    """Two markers by their numbers, and the frames (n,) in which each stands for the other."""

    first: int
    second: int
    frames: Mask


def check_exchanged(body: RecordedBody, report: ProblemList) -> None:
    """A warning for each two labels that look exchanged."""
    labels, markers = body.prepared.labels, body.prepared.trial.markers
    for each in exchanges(body.prepared.recorded):
        start = int(np.flatnonzero(each.frames)[0])
        sample = int(np.searchsorted(body.prepared.time.index, start))
        found = f"{body.frames(each.frames)}: {labels[each.first]} and {labels[each.second]} look exchanged"
        problem = "each goes on where the other one was"
        mend = "exchange them where they were tracked; nothing is mended here"
        report.warning("exchanged-labels", markers.place(each.first, sample), found, problem, mend)


def exchanges(recorded: Vector) -> Iterator[Exchange]:
    """Frames in which two markers are exchanged, of markers (markers, 3, n): the fewer of both kinds."""
    points = np.where(np.all(np.isnan(recorded), axis=(0, 2))[:, None], 0.0, recorded).transpose(0, 2, 1)
    ways = 2.0 * points[:, 1:-1] - points[:, :-2]
    """where each marker would be in frames 2 .. n by its last two"""
    with np.errstate(invalid="ignore"):
        own = np.linalg.norm(points[:, 2:] - ways, axis=2)
        jumps = own > JUMP
    count = points.shape[1]
    for one, other in combinations(range(len(points)), 2):
        both = np.flatnonzero(jumps[one] & jumps[other])
        if not len(both):
            continue
        to_other = np.linalg.norm(points[one, both + 2] - ways[other, both], axis=1)
        to_one = np.linalg.norm(points[other, both + 2] - ways[one, both], axis=1)
        turns = both[(CLEARLY * to_other < own[one, both]) & (CLEARLY * to_one < own[other, both])] + 2
        if len(turns):
            frames = np.zeros(count, np.bool_)
            for turn in turns[np.append(True, np.diff(turns) > 1)]:
                frames[turn:] ^= True
            yield Exchange(one, other, frames if 2 * frames.sum() <= count else ~frames)
