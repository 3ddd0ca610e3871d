"""What a dynamic analysis is to integrate, and what integrates it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from sheetmbs.analysis.integrators.interface import Integrator, Run
from sheetmbs.analysis.start.initial import Start
from sheetmbs.analysis.start.structure import Structure
from sheetmbs.analysis.switching import read_times
from sheetmbs.lower import Lowered, System

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Task:
    """What is to be integrated.

    times: (rows,) to be reported. switched: when formulas of time switch over, see `switching.py`.
    """

    lowered: Lowered
    structure: Structure
    start: Start
    times: Floats
    switched: Floats

    @cached_property
    def read(self) -> Floats:
        """(rows,) times at which functions of time are read at each row."""
        return read_times(self.times, self.switched)


class Integrate(Protocol):
    """Signature of the `integrate` function of a method."""

    def __call__(
        self,
        task: Task,
        name: str,
        formulation: str,
        progress: Callable[[float], None] | None = None,
        most: float = np.inf,
    ) -> tuple[Run, int, Integrator, System]:
        """Do a task."""
        ...
