"""Gait as a picture in frames for `mbs Animation`: a figure walks, arrows are the force of the ground on its feet.

The figure, lines between points of a trial, walks on pages too.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from sheetmbs.gait.arrays import Integers, Vector
from sheetmbs.gait.force_plate_assignment import FootWrench
from sheetmbs.gait.solve_trial import SolvedTrial
from sheetmbs.gait.solved_gait import SolvedGait
from sheetmbs.gait.trial.gait_book import Side
from sheetmbs.results.pictures.moving_picture import MAX_FRAMES, finished_picture, picture_of_cases
from sheetmbs.results.pictures.scene import FAINT, INK
from sheetmbs.workbook.sheets.decimation import every_nth_row
from sheetmbs.workbook.sheets.sheet_contents import DrawnLook, Motion, MovingLine, MovingPicture

DOTS = ("heel", "mt5")
"""points of a foot that its triangle joins, where they are there, after its side"""
HIPS = ("left hip centre", "right hip centre")

PLANES: Mapping[str, tuple[str, tuple[int, int]]] = {"xy": ("xy", (0, 1)), "yz": ("zy", (2, 1))}
"""setting `projection` -> names of the axes across and up, and which of a place they are; up is y"""
FORCE = "C00080"
TALLEST = 0.4
"""share of the height of the figure that the largest force is drawn long"""
HEAD, SLOPE = 0.14, 0.45
"""length of the head of an arrow over its own, and half its width over its length"""


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


def walking_picture(solved: SolvedGait) -> MovingPicture | None:
    """All trials as one picture; None where the workbook does not ask for it, or no figure is known in any."""
    how = solved.book.processing
    if not how.animation:
        return None
    plane = "xy" if solved.book.dimension == "2D" else how.projection
    colours: Mapping[Side | None, str] = {
        "right": how.colour_right,
        "left": how.colour_left,
        None: INK.removeprefix("#"),
    }
    newtons = max((_largest(trial) for trial in solved.trials), default=0.0)
    found = {trial.courses.trial: _picture(trial, plane, colours, newtons) for trial in solved.trials}
    pictures = {name: picture for name, picture in found.items() if picture is not None}
    return picture_of_cases(pictures, "trial") if pictures else None


def _picture(
    trial: SolvedTrial, plane: str, colours: Mapping[Side | None, str], newtons: float
) -> MovingPicture | None:
    """A trial while all of its figure is known. newtons: the largest force of all trials."""
    figure = bones(trial)
    axes, view = PLANES[plane]
    flat = {name: places[:, list(view)] for name, places in trial.courses.points.items()}
    ends = {name for bone in figure for name in (bone.first, bone.second)}
    known = np.all([np.isfinite(flat[name]).all(axis=1) for name in ends], axis=0) if ends else np.zeros(0, dtype=bool)
    rows = np.flatnonzero(known)
    if not len(rows):
        return None
    rows = rows[every_nth_row(len(rows), -(-len(rows) // MAX_FRAMES))]
    shown = {name: places[rows] for name, places in flat.items() if np.isfinite(places[rows]).all()}
    heights = np.concatenate([shown[name][:, 1] for name in ends])
    metres = TALLEST * float(np.ptp(heights))
    feet = trial.ground.feet if trial.ground is not None else {}
    anywhere = shown[figure[0].first]
    arrows = [
        MovingLine(
            f"ground, {side} foot", DrawnLook(FORCE, 2.0), *_arrow(wrench, view, rows, anywhere, metres / newtons)
        )
        for side, wrench in feet.items()
        if newtons > 0.0
    ]
    lines = [*_floor(feet, shown), *_sides(figure, shown, colours), _markers(shown), *arrows]
    remarks = [f"{len(rows)} frames of {len(trial.courses.time):,} samples."]
    if arrows:
        remarks.append(f"The force of the ground is drawn to scale: {metres:.2g} m are {newtons:.0f} N.")
    if left_out := [name for name in flat if name not in shown]:
        remarks.append(f"Not drawn, for they are not known all the time: {', '.join(left_out)}.")
    motion = Motion(trial.courses.trial, trial.courses.time[rows], tuple(lines))
    picture = MovingPicture("Gait", (axes[0], axes[1]), "m", (motion,), told_by="trial", remarks=tuple(remarks))
    return finished_picture(picture)


def _largest(trial: SolvedTrial) -> float:
    """The largest force of the ground on a foot, N."""
    feet = trial.ground.feet.values() if trial.ground is not None else ()
    return max((float(np.nanmax(np.linalg.norm(_force(foot), axis=1), initial=0.0)) for foot in feet), default=0.0)


def _force(foot: FootWrench) -> Vector:
    """(n, 3) in N, zero where it is not known or acts nowhere."""
    known = np.isfinite(foot.pressure[:, 0]) & np.isfinite(foot.force[:, :2]).all(axis=1)
    return np.where(known[:, None], np.nan_to_num(foot.force), 0.0)


def _sides(
    figure: Sequence[Bone], shown: Mapping[str, Vector], colours: Mapping[Side | None, str]
) -> Iterator[MovingLine]:
    """Bones of a side as one line in pieces."""
    for side, colour in colours.items():
        own = [bone for bone in figure if bone.side == side]
        if own:
            gap = np.full((len(shown[own[0].first]), 1, 2), np.nan)
            pieces = [np.stack((shown[bone.first], shown[bone.second]), axis=1) for bone in own]
            places = np.concatenate([part for piece in pieces for part in (gap, piece)][1:], axis=1)
            name = f"{side} side" if side else "trunk"
            yield MovingLine(name, DrawnLook(f"#{colour}", 3.0), places[:, :, 0], places[:, :, 1], is_named=True)


def _markers(shown: Mapping[str, Vector]) -> MovingLine:
    """All points."""
    places = np.stack(list(shown.values()), axis=1)
    return MovingLine("points", DrawnLook(FAINT, marker="dot", size=4), places[:, :, 0], places[:, :, 1])


def _floor(feet: Mapping[Side, FootWrench], shown: Mapping[str, Vector]) -> Iterator[MovingLine]:
    """The ground, where plates tell how high it is: height 0 of the laboratory."""
    if feet:
        across = np.concatenate([places[:, 0] for places in shown.values()])
        count = len(next(iter(shown.values())))
        x = np.tile([float(np.min(across)), float(np.max(across))], (count, 1))
        yield MovingLine("ground", DrawnLook(FAINT, 1.0), x, np.zeros_like(x))


def _arrow(
    foot: FootWrench, view: tuple[int, int], rows: Integers, anywhere: Vector, scale: float
) -> tuple[Vector, Vector]:
    """(frames, 5) across and up: from where the force acts to its tip, and both barbs there; a point where there is none."""
    force = scale * _force(foot)[rows][:, list(view)]
    acts = foot.pressure[rows][:, list(view)]
    is_there = np.isfinite(acts).all(axis=1) & np.any(force != 0.0, axis=1)
    start = np.where(is_there[:, None], acts, anywhere)
    force = np.where(is_there[:, None], force, 0.0)
    tip, back = start + force, HEAD * force
    aside = SLOPE * np.stack((-back[:, 1], back[:, 0]), axis=1)
    places = np.stack((start, tip, tip - back + aside, tip, tip - back - aside), axis=1)
    return places[:, :, 0], places[:, :, 1]
