"""This module finds by how much events estimated from markers differ from those of plates, and how well each is known.

An estimate misses the force of the same event by the way of walking more than by chance: of one person 30 to 62 ms were
measured. So where plates and motion tell the same event in any trial of a workbook, the median difference of that kind is
taken from all estimates of that kind.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from math import sqrt

import numpy as np

from sheetmbs.gait.trial.trial_courses import ESTIMATED, GaitEvent

FEWEST_FOR_SD = 3
"""differences of a kind, from which their standard deviation says how well an estimate is known"""
U_TOLD = 0.015
"""s: of events that are given or from the file, and of estimates whose offset is given or comes from one or two events"""
U_ESTIMATED = 0.025
"""s: of estimates without any offset"""


@dataclass(frozen=True)
class EventOffset:
    """What is taken from estimates of a kind. value: motion - plate in s. n: differences it is the median of, 0 given.

    sd: of these differences in s, None where there are fewer than three.
    """

    value: float
    n: int = 0
    sd: float | None = None

    @property
    def u(self) -> float:
        """Standard uncertainty in s of an estimate after the correction."""
        return U_TOLD if self.sd is None else self.sd

    @property
    def words(self) -> str:
        """``own offset -61 ms, n 3``."""
        return f"own offset {1e3 * self.value:.0f} ms, n {self.n}" if self.n else f"offset {1e3 * self.value:.0f} ms"


@dataclass(frozen=True)
class Estimation:
    """How events are estimated. offsets: by kind. by_speed: by the vertical speed of the foot. sample: of the plates, s."""

    offsets: Mapping[str, EventOffset] = field(default_factory=dict)
    by_speed: bool = False
    sample: float = 0.0

    def source(self, kind: str) -> str:
        """What the column source says of an estimate of a kind."""
        words = [self.offsets[kind].words] if kind in self.offsets else []
        inside = ", ".join(["estimated", *(["speed"] if self.by_speed else []), *words])
        return f"{ESTIMATED[: ESTIMATED.index('(')]}({inside})"

    def shift(self, kind: str) -> float:
        """Seconds to be taken from estimates of a kind."""
        return self.offsets[kind].value if kind in self.offsets else 0.0

    def u(self, kind: str, source: str) -> float:
        """Standard uncertainty in s of an event."""
        if source == "force":
            return 0.5 * self.sample / sqrt(3.0)
        if source in ("given", "file"):
            return U_TOLD
        return self.offsets[kind].u if kind in self.offsets else U_ESTIMATED

    def is_shared(self, kind: str, source: str) -> bool:
        """Whether the error is that of the method, which no number of strides makes smaller."""
        own = self.offsets.get(kind)
        return source != "force" and (own is None or own.sd is None)


PLAIN = Estimation()


def own_offsets(events: Iterable[GaitEvent]) -> dict[str, EventOffset]:
    """The offset of each kind, of events that plates and motion tell. events: of all trials, before any correction."""
    differences: dict[str, list[float]] = {}
    for each in events:
        if each.offset is not None:
            differences.setdefault(each.kind, []).append(each.offset)
    return {
        kind: EventOffset(
            float(np.median(found)),
            len(found),
            float(np.std(found, ddof=1)) if len(found) >= FEWEST_FOR_SD else None,
        )
        for kind, found in differences.items()
    }
