"""Positions of a mechanism as frames: the same lines in each, with other places."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from sheetmbs.model.model import Model
from sheetmbs.results.pictures.on_axes import MOST_NAMED
from sheetmbs.results.pictures.scene import COLOURS, FAINT, INK, held_by, scene_of, size_of
from sheetmbs.results.pictures.strokes import Kind, Rim, strokes
from sheetmbs.workbook.sheets.picture_contents import DrawnLook, MovingLine

Floats = NDArray[np.float64]
Row = Mapping[str, float]
"""what places the bodies at one time: numbers by the names of columns of `mbs Bodies`"""
Key = tuple[Kind, str]

MOST_FRAMES, FEWEST_FRAMES = 200, 25
MOST_NUMBERS = 100_000
"""of one motion, but for the fewest frames"""
MOST_PLACES = 3_000
"""of a picture; lines beyond are left out"""
MOST_BODIES = 100
"""that have lines of their own; a chart holds 255"""
OTHERS = "other bodies"

TOGETHER: dict[Kind, tuple[str, DrawnLook]] = {
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
ORDER: tuple[Kind, ...] = ("ground", "bearing", "spring", "link", "slide", "wheel", "body", "centre", "joint")
"""what is drawn first lies below the others"""
KEPT: tuple[Kind, ...] = ("body", "link", "ground", "spring", "wheel", "joint", "slide", "bearing", "centre")
"""what is left out first where a picture would be too large stands last"""


class PictureFrames:
    """Makes frames of a model in one view.

    view: horizontal and vertical direction (2, 3). rows: positions between which it moves. rims: of wheels, drawn too. most:
    how many frames a motion may have. left_out: lines for which there is no room.
    """

    def __init__(self, model: Model, view: Floats, rows: Sequence[Row], rims: Sequence[Rim] = ()) -> None:
        self._model, self._view, self._held, self._rims = model, view, held_by(model), rims
        self.size = max(size_of(model, [scene_of(model, row)]) for row in (rows[0], rows[len(rows) // 2], rows[-1]))
        self._own = [body.name for body in model.bodies[:MOST_BODIES]]
        self._drawn: list[Key] = []
        self.left_out: list[str] = []
        places = 0
        parts = self._parts(rows[0])
        for key in sorted(parts, key=lambda key: KEPT.index(key[0])):
            if places + parts[key].shape[1] > MOST_PLACES:
                self.left_out.append(key[1])
                continue
            places += parts[key].shape[1]
            self._drawn.append(key)
        self._drawn.sort(key=lambda key: ORDER.index(key[0]))
        self.most = max(FEWEST_FRAMES, min(MOST_FRAMES, MOST_NUMBERS // (2 * max(places, 1))))

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
            own = stroke.owner if stroke.owner in self._own else OTHERS
            key = (stroke.kind, own if stroke.kind == "body" else TOGETHER[stroke.kind][0])
            earlier = found.setdefault(key, [])
            if earlier and self._look(*key).width:
                earlier.append(np.full((2, 1), np.nan))
            earlier.append(stroke.points)
        return {key: np.concatenate(parts, axis=1) for key, parts in found.items()}

    def _look(self, kind: Kind, name: str) -> DrawnLook:
        if kind != "body":
            return TOGETHER[kind][1]
        number = self._own.index(name) if name in self._own else len(self._own)
        return DrawnLook(COLOURS[number % len(COLOURS)], 2.5)

    def _is_named(self, kind: Kind, name: str) -> bool:
        return kind == "ground" or (kind == "body" and name in self._own[:MOST_NAMED])
