"""The motion of a mechanism as a picture in frames, and those of several cases in one."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from sheetmbs.model.model import Model
from sheetmbs.results.columns.mode_columns import IMAGINARY
from sheetmbs.results.pictures.frames import MOST_NUMBERS, PictureFrames, Row
from sheetmbs.results.pictures.joined_motions import joined_motions
from sheetmbs.results.pictures.scene import FAINT, scene_of
from sheetmbs.results.pictures.strokes import Rim
from sheetmbs.results.pictures.swung_modes import displaced, mode_title, swing_amplitude
from sheetmbs.schema.table import Table
from sheetmbs.workbook.sheets.decimation import every_nth_row
from sheetmbs.workbook.sheets.picture_contents import DrawnLook, Motion, MovingLine, MovingPicture

Floats = NDArray[np.float64]

OF_SWING, MOST_MODES = 24, 6
"""frames of one swing of a mode, and how many modes are drawn"""
RESOLUTION = 1e-5
"""of the size of a picture: to which places are rounded"""
MOST_TRACES = 12
TRACE = DrawnLook(FAINT, 0.75, marker="dot", size=3)
MOST_SAID = 5
PLANES = {"xy": (0, 1), "xz": (0, 2), "yz": (1, 2)}
POSE = frozenset(("x", "y", "z", "phi", "e0", "e1", "e2", "e3"))


def moving_picture(model: Model, tables: Sequence[Table], rims: Sequence[Rim] = ()) -> MovingPicture | None:
    """The motion of which a model's tables tell, or its first mode shapes; None where not one position is known.

    rims: of wheels, drawn too.
    """
    known = {table.name: table for table in tables}
    rows = list(_positions(model, known["mbs Bodies"])) if "mbs Bodies" in known else []
    if not rows:
        return None
    plane = "xy" if model.settings.dimension == "2D" else model.settings.projection
    view = np.eye(3)[list(PLANES[plane])]
    frames = PictureFrames(model, view, rows, rims)
    left_out = [_too_large(frames.left_out)] if frames.left_out else []
    picture = MovingPicture(
        model.settings.title or "Mechanism", (plane[0], plane[1]), model.display.length[0], (), remarks=tuple(left_out)
    )
    if "mbs Modes" in known:
        return finished_picture(_with_modes(picture, model, rows[0], known["mbs Modes"], frames))
    chosen = every_nth_row(len(rows), max(1, -(-(len(rows) - 1) // (frames.most - 1))))
    shown = [rows[k] for k in chosen]
    times = np.array([row["time"] for row in shown])
    traces = _traces(model, view, known.get("mbs Points"), times)
    motion = Motion("", times, (*traces, *frames.lines(shown)))
    return finished_picture(replace(picture, motions=(motion,), remarks=(_how_many(len(shown), len(rows)), *left_out)))


def picture_of_cases(
    pictures: Mapping[str, MovingPicture], told_by: Literal["case", "sweep", "trial"] = "case"
) -> MovingPicture:
    """The motions of all cases in one picture; what moves in another way than the first one with a motion is left out."""
    moving = [each for each in pictures.values() if len(each.motions[0].course) > 1]
    first = [*moving, *pictures.values()][0]
    motions, other = [], []
    for case, each in pictures.items():
        if (each.course, each.axes, each.unit) == (first.course, first.axes, first.unit):
            motions += [
                replace(motion, name=f"{case}, {motion.name}" if motion.name else case) for motion in each.motions
            ]
        else:
            other.append(case)
    motions, left_out = joined_motions(motions)
    numbers = sum(2 * line.x.size for motion in motions for line in motion.lines)
    step = -(-numbers // (3 * MOST_NUMBERS))
    remarks = [] if len(pictures) > 1 else list(first.remarks)
    if step > 1:
        remarks.append(f"Of all {told_by}s one frame in {step} is kept, so that the workbook stays small.")
    if other:
        remarks.append(f"Not here, for they are seen or found in another way: {_listed(other)}.")
    if left_out:
        remarks.append(f"Not drawn, for not all {told_by}s have them: {_listed(left_out)}.")
    shown = tuple(motion.every(step) for motion in motions)
    return replace(first, motions=shown, told_by=told_by, remarks=tuple(remarks))


def _positions(model: Model, table: Table) -> Iterator[Row]:
    """The rows of `mbs Bodies` in which all bodies have a place: time, and what places them."""
    bodies = {body.name for body in model.bodies}

    def is_wanted(name: str) -> bool:
        body, _, end = name.rpartition(".")
        return body in bodies and (end in POSE or end.removeprefix("q").isdigit())

    wanted = [place for place, name in enumerate(table.columns) if place == 0 or is_wanted(name)]
    names = [table.columns[place] for place in wanted]
    values = table.values[:, wanted]
    for row in values[np.isfinite(values).all(axis=1)].tolist():
        yield dict(zip(names, row, strict=True))


def _with_modes(picture: MovingPicture, model: Model, rest: Row, table: Table, frames: PictureFrames) -> MovingPicture:
    """The first shapes that are no rigid-body modes, each through one swing."""
    modes = [dict(zip(table.columns, row, strict=True)) for row in table.values.tolist()]
    moving = [mode for mode in modes if mode["frequency"] != 0.0] or modes
    phases = np.arange(OF_SWING + 1) * 360.0 / OF_SWING
    scene = scene_of(model, rest)
    motions = []
    for mode in moving[:MOST_MODES]:
        amplitude = swing_amplitude(model, rest, mode, scene, frames.size)
        shown = [displaced(model, rest, _at(mode, np.radians(phase)), amplitude) for phase in phases]
        motions.append(Motion(mode_title(mode), phases, frames.lines(shown)))
    remarks = [f"The first {len(motions)} of {len(moving)} modes that move."] if len(motions) < len(moving) else []
    if not motions:
        motions, remarks = [Motion("rest", np.zeros(1), frames.lines([rest]))], ["There are no modes: it rests."]
    remarks.append("Shapes are drawn larger than they are.")
    return replace(
        picture, motions=tuple(motions), course=("phase", "deg"), told_by="mode", remarks=(*remarks, *picture.remarks)
    )


def _at(mode: Row, phase: float) -> Row:
    """A shape at a moment of its swing: its real part first."""
    return {
        name: np.cos(phase) * part - np.sin(phase) * mode.get(f"{name}{IMAGINARY}", 0.0) for name, part in mode.items()
    }


def _traces(model: Model, view: Floats, table: Table | None, times: Floats) -> Iterator[MovingLine]:
    """The reported points, which leave traces."""
    if table is None:
        return
    rows = np.searchsorted(table.rows, times)
    for name in [point.name for point in model.points if f"{point.name}.x" in table.columns][:MOST_TRACES]:
        columns = [f"{name}.{axis}" for axis in "xyz"]
        known = [
            table.values[rows, table.columns.index(each)] if each in table.columns else 0.0 * times for each in columns
        ]
        x, y = view @ np.array(known)
        if np.isfinite(x + y).all():
            yield MovingLine(f"point {name}", TRACE, x[:, None], y[:, None], has_path=True)


def finished_picture(picture: MovingPicture) -> MovingPicture:
    """The picture with places to a fraction of a pixel, so that they are short, and lines of different names."""
    lines = [line for motion in picture.motions for line in motion.lines]
    size = max((float(np.nanmax(part) - np.nanmin(part)) for line in lines for part in (line.x, line.y)), default=0.0)
    decimals = int(np.ceil(-np.log10(RESOLUTION * size))) if size > 0.0 else 0

    def finished(motion: Motion) -> Motion:
        counts: dict[str, int] = {}
        done = []
        for line in motion.lines:
            counts[line.name] = counts.get(line.name, 0) + 1
            name = line.name if counts[line.name] == 1 else f"{line.name} ({counts[line.name]})"
            x, y = (np.round(part, decimals) + 0.0 for part in (line.x, line.y))
            done.append(replace(line, name=name, x=x, y=y))
        return replace(motion, lines=tuple(done))

    return replace(picture, motions=tuple(map(finished, picture.motions)))


def _how_many(shown: int, known: int) -> str:
    if known == 1:
        return "One position: there is no motion."
    return (
        f"{shown} frames of {known:,} rows." if shown < known else f"{shown} frames, one for each row of the results."
    )


def _too_large(names: Sequence[str]) -> str:
    return f"Left out, for the picture would be too large: {_listed(names)}."


def _listed(names: Sequence[str]) -> str:
    more = f" and {len(names) - MOST_SAID} more" if len(names) > MOST_SAID else ""
    return ", ".join(names[:MOST_SAID]) + more
