"""Angles about axes in space as TURN records: those on which rows and springs depend stand before those only reported."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sheetmbs.elements.marker import Marker
from sheetmbs.engine.record_arrays import as_records
from sheetmbs.engine.records import TURN, Records

TurnKey = tuple[float, ...]
"""bodies i and j, frames i and j, whether it sights from one frame to the other, then the axes between which an angle counts"""


class Turns:
    """Collects turns; equal ones are kept once. asked: what `at` was asked, and the number it gave."""

    def __init__(self, names: dict[str, int]) -> None:
        self.names = names
        self._numbers: dict[TurnKey, int] = {}
        self._live: set[int] = set()
        self._ranks: NDArray[np.int64] | None = None
        self.asked: list[tuple[TurnKey, bool, int]] = []

    def at(self, i: Marker, j: Marker, *, live: bool) -> int:
        """Provisional number of the angle from the first axis of marker i to that of marker j about the third of i.

        live: a row or spring depends on it.
        """
        axes = (*i.axes[:, 0].tolist(), *i.axes[:, 1].tolist(), *j.axes[:, 0].tolist())
        return self.known((self.names[i.body], self.names[j.body], 0, 0, 0, *axes), live=live)

    def azimuth(self, i: Marker, body: int, frames: tuple[int, int]) -> int:
        """Provisional number of the angle of the line between two frames, from the first axis of marker i about its third.

        body: number of its body, or of its section of a beam.
        """
        axes = (*i.axes[:, 0].tolist(), *i.axes[:, 1].tolist(), 0.0, 0.0, 0.0)
        return self.known((body, body, *frames, 1, *axes), live=True)

    def known(self, key: TurnKey, *, live: bool) -> int:
        """Provisional number of the angle between bodies and axes."""
        number = self._numbers.setdefault(key, len(self._numbers))
        self._ranks = None
        if live:
            self._live.add(number)
        self.asked.append((key, live, number))
        return number

    def settle(self, numbers: NDArray[np.int64], are_turns: NDArray[np.bool_]) -> None:
        """Replace provisional numbers by final ones in place, where ``are_turns``; after the last `at`."""
        if self._numbers:
            numbers[are_turns] = self._final()[numbers[are_turns]]

    def _final(self) -> NDArray[np.int64]:
        if self._ranks is None:
            ranked = sorted(range(len(self._numbers)), key=lambda number: (number not in self._live, number))
            self._ranks = np.zeros(len(ranked), dtype=np.int64)
            self._ranks[ranked] = np.arange(len(ranked))
        return self._ranks

    def records(self) -> tuple[Records, Records]:
        """The live ones, and all."""
        given = np.array(list(self._numbers), dtype=TURN)
        ordered = np.zeros_like(given)
        ordered[self._final()] = given
        counted = as_records(ordered)
        return counted[: len(self._live)], counted
