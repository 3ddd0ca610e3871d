"""The motion of a mechanism as a picture in frames, and those of several cases in one.

Motions of several cases get the same lines of the same lengths, so that one chart can show each of them. A line that is
shorter in one case repeats its last place, which draws nothing; a line that a case does not have stays at a place of another
line, with the same effect.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise, zip_longest
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from sheetmbs.model.model import Model
from sheetmbs.problems.listing import sentence_list
from sheetmbs.results.columns.collect import Floats
from sheetmbs.results.columns.mode_columns import IMAGINARY
from sheetmbs.results.pictures.scene import (
    COLOURS,
    FAINT,
    INK,
    MAX_NAMED_BODIES,
    displaced,
    held_by,
    mode_title,
    scene_of,
    size_of,
    swing_amplitude,
)
from sheetmbs.results.pictures.strokes import Kind, Rim, strokes
from sheetmbs.schema.table import Table
from sheetmbs.workbook.sheets.decimation import every_nth_row
from sheetmbs.workbook.sheets.sheet_contents import DrawnLook, Motion, MovingLine, MovingPicture

Row = Mapping[str, float]
"""what places the bodies at one time: numbers by the names of columns of `mbs Bodies`"""
Key = tuple[Kind, str]

MAX_FRAMES, MIN_FRAMES = 200, 25
MAX_NUMBERS = 100_000
"""of one motion, but for the fewest frames"""
MAX_PLACES = 3_000
"""of a picture; lines beyond are left out"""
MAX_BODIES = 100
"""that have lines of their own; a chart holds 255"""
OTHER_BODIES = "other bodies"

COMBINED_STROKES: dict[Kind, tuple[str, DrawnLook]] = {
    "spring": ("springs", DrawnLook("#6B7682", 1.25)),
    "link": ("links", DrawnLook(INK, 1.0)),
    "slide": ("lines of slides", DrawnLook(INK, 0.75, dashed=True)),
    "wheel": ("wheels", DrawnLook(INK, 1.5)),
    "centre": ("centres of mass", DrawnLook(FAINT, marker="plus", size=5)),
    "ground": ("ground", DrawnLook("#6B7682", marker="triangle", size=8)),
    "joint": ("joints", DrawnLook(INK, marker="dot", size=4)),
    "bearing": ("bearings", DrawnLook(INK, marker="ring", size=8)),
}
"""strokes of these kinds are one line each"""
DRAWING_ORDER: tuple[Kind, ...] = ("ground", "bearing", "spring", "link", "slide", "wheel", "body", "centre", "joint")
"""what is drawn first lies below the others"""
PRIORITY: tuple[Kind, ...] = ("body", "link", "ground", "spring", "wheel", "joint", "slide", "bearing", "centre")
"""what is left out first where a picture would be too large stands last"""
BREAK = -1

FRAMES_PER_SWING, MAX_MODES = 24, 6
"""frames of one swing of a mode, and how many modes are drawn"""
RESOLUTION = 1e-5
"""of the size of a picture: to which places are rounded"""
MAX_TRACES = 12
TRACE = DrawnLook(FAINT, 0.75, marker="dot", size=3)
MAX_LISTED_NAMES = 5
PLANES = {"xy": (0, 1), "xz": (0, 2), "yz": (1, 2)}
POSE = frozenset(("x", "y", "z", "phi", "e0", "e1", "e2", "e3"))


class PictureFrames:
    """Makes frames of a model in one view.

    view: horizontal and vertical direction (2, 3). rows: positions between which it moves. rims: of wheels, drawn too. most:
    how many frames a motion may have. left_out: lines for which there is no room.
    """

    def __init__(self, model: Model, view: Floats, rows: Sequence[Row], rims: Sequence[Rim] = ()) -> None:
        self._model, self._view, self._held, self._rims = model, view, held_by(model), rims
        self.size = max(size_of(model, [scene_of(model, row)]) for row in (rows[0], rows[len(rows) // 2], rows[-1]))
        self._own = [body.name for body in model.bodies[:MAX_BODIES]]
        self._drawn: list[Key] = []
        self.left_out: list[str] = []
        places = 0
        parts = self._parts(rows[0])
        for key in sorted(parts, key=lambda key: PRIORITY.index(key[0])):
            if places + parts[key].shape[1] > MAX_PLACES:
                self.left_out.append(key[1])
                continue
            places += parts[key].shape[1]
            self._drawn.append(key)
        self._drawn.sort(key=lambda key: DRAWING_ORDER.index(key[0]))
        self.most = max(MIN_FRAMES, min(MAX_FRAMES, MAX_NUMBERS // (2 * max(places, 1))))

    def lines(self, rows: Iterable[Row]) -> tuple[MovingLine, ...]:
        """All lines through these positions."""
        frames = [self._parts(row) for row in rows]
        lines = []
        for kind, name in self._drawn:
            x, y = np.array([frame[kind, name] for frame in frames]).transpose(1, 0, 2)
            lines.append(MovingLine(name, self._look(kind, name), x, y, is_named=self._is_named(kind, name)))
        return tuple(lines)

    def _parts(self, row: Row) -> dict[Key, Floats]:
        """The places of each line (2, places) in one position."""
        found: dict[Key, list[Floats]] = {}
        for stroke in strokes(self._model, scene_of(self._model, row), self._view, self.size, self._held, self._rims):
            own = stroke.owner if stroke.owner in self._own else OTHER_BODIES
            key = (stroke.kind, own if stroke.kind == "body" else COMBINED_STROKES[stroke.kind][0])
            earlier = found.setdefault(key, [])
            if earlier and self._look(*key).width:
                earlier.append(np.full((2, 1), np.nan))
            earlier.append(stroke.points)
        return {key: np.concatenate(parts, axis=1) for key, parts in found.items()}

    def _look(self, kind: Kind, name: str) -> DrawnLook:
        if kind != "body":
            return COMBINED_STROKES[kind][1]
        number = self._own.index(name) if name in self._own else len(self._own)
        return DrawnLook(COLOURS[number % len(COLOURS)], 2.5)

    def _is_named(self, kind: Kind, name: str) -> bool:
        return kind == "ground" or (kind == "body" and name in self._own[:MAX_NAMED_BODIES])


def joined_motions(motions: Sequence[Motion]) -> tuple[list[Motion], list[str]]:
    """The motions with the same lines each, and the names of those that cannot be drawn.

    These are places that are marked, in some of the motions only: a mark is seen wherever it stands.
    """
    names = dict.fromkeys(line.name for motion in motions for line in motion.lines)
    lines: list[list[MovingLine]] = [[] for _ in motions]
    left_out = []
    for name in names:
        own = [next((line for line in motion.lines if line.name == name), None) for motion in motions]
        known = [line for line in own if line is not None]
        if len(known) < len(own) and known[0].look.marker:
            left_out.append(name)
            continue
        lengths = [max(each) for each in zip_longest(*(map(len, _pieces(line)) for line in known), fillvalue=0)]
        for held, line, motion in zip(lines, own, motions, strict=True):
            held.append(_lengthened(line or _at_rest(known[0], motion), lengths, known[0]))
    return [replace(motion, lines=tuple(held)) for motion, held in zip(motions, lines, strict=True)], left_out


def _pieces(line: MovingLine) -> list[NDArray[np.int64]]:
    """The places of each unbroken piece of a line, by their numbers."""
    ends = [-1, *np.flatnonzero(line.gaps).tolist(), line.x.shape[1]]
    return [np.arange(before + 1, after) for before, after in pairwise(ends)]


def _lengthened(line: MovingLine, lengths: Sequence[int], like: MovingLine) -> MovingLine:
    """A line in pieces of these lengths, which looks like another one."""
    pieces = _pieces(line)
    last = pieces[-1][-1:]
    chosen: list[NDArray[np.int64]] = []
    for k, length in enumerate(lengths):
        piece = pieces[k] if k < len(pieces) else last
        chosen += [np.array([BREAK])] if chosen else []
        chosen.append(np.concatenate((piece, np.repeat(piece[-1:], length - len(piece)))))
    order = np.concatenate(chosen)
    x, y = (np.where(order == BREAK, np.nan, part[:, order]) for part in (line.x, line.y))
    return replace(like, x=x, y=y)


def _at_rest(like: MovingLine, motion: Motion) -> MovingLine:
    """A line of a single place, which belongs to another line of the motion."""
    other = next(line for line in motion.lines if not line.look.marker)
    return replace(like, x=other.x[:, :1], y=other.y[:, :1])


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
    step = -(-numbers // (3 * MAX_NUMBERS))
    remarks = [] if len(pictures) > 1 else list(first.remarks)
    if step > 1:
        remarks.append(f"One frame in {step} of each {told_by} is kept, so that the workbook stays small.")
    if other:
        remarks.append(
            f"Not shown, because they have another view or another kind of analysis: {sentence_list(other, MAX_LISTED_NAMES)}."
        )
    if left_out:
        remarks.append(f"Not drawn, because not all {told_by}s have them: {sentence_list(left_out, MAX_LISTED_NAMES)}.")
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
    phases = np.arange(FRAMES_PER_SWING + 1) * 360.0 / FRAMES_PER_SWING
    scene = scene_of(model, rest)
    motions = []
    for mode in moving[:MAX_MODES]:
        amplitude = swing_amplitude(model, rest, mode, scene, frames.size)
        shown = [displaced(model, rest, _at(mode, np.radians(phase)), amplitude) for phase in phases]
        motions.append(Motion(mode_title(mode), phases, frames.lines(shown)))
    remarks = [f"The first {len(motions)} of {len(moving)} modes that move."] if len(motions) < len(moving) else []
    if not motions:
        motions, remarks = (
            [Motion("rest", np.zeros(1), frames.lines([rest]))],
            ["There are no modes: the mechanism is at rest."],
        )
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
    for name in [point.name for point in model.points if f"{point.name}.x" in table.columns][:MAX_TRACES]:
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
    return f"Left out, because the picture would be too large: {sentence_list(names, MAX_LISTED_NAMES)}."
