"""The figure that walks on pages and on `mbs Animation`: lines between points of a trial."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from sheetmbs.gait.solve_trial import SolvedTrial
from sheetmbs.gait.trial.gait_book import Side

DOTS = ("heel", "mt5")
"""points of a foot that its triangle joins, where they are there, after its side"""
HIPS = ("left hip centre", "right hip centre")


@dataclass(frozen=True)
class Bone:
    """A line between two points of a trial. side: None of the trunk and the pelvis."""

    name: str
    first: str
    second: str
    side: Side | None


def bones(trial: SolvedTrial) -> list[Bone]:
    """Segments, the triangles of feet, and the line between both hips, as far as their points are there."""
    return [each for each in _bones(trial) if {each.first, each.second} <= trial.courses.points.keys()]


def _bones(trial: SolvedTrial) -> Iterator[Bone]:
    for segment in trial.segments:
        row = segment.row
        yield Bone(row.name, row.proximal, row.distal, row.side)
        if row.name.endswith("foot") and f"{row.side} {DOTS[0]}" in trial.courses.points:
            heel, toe = (f"{row.side} {dot}" for dot in DOTS)
            yield Bone(row.name, row.proximal, heel, row.side)
            yield Bone(row.name, heel, toe, row.side)
    yield Bone("pelvis", *HIPS, None)
