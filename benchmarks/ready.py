"""Models made ready to run again and again: what comes before the solving is done once and timed by itself."""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

import sheetmbs
from sheetmbs.analysis.analyse import motion_of
from sheetmbs.analysis.solution import Solution
from sheetmbs.analysis.start import initial
from sheetmbs.analysis.start.structure import Structure, find_structure
from sheetmbs.lower import Lowered, lower
from sheetmbs.model.model import Model

WORKBOOKS = Path(__file__).parents[1] / "workbooks"


def from_workbook(name: str, **settings: Any) -> Model:
    """The model in one of our workbooks, with other settings where given."""
    return with_settings(sheetmbs.read(WORKBOOKS / f"{name}.xlsx"), **settings)


def without_rows(model: Model, t_end: float | None = None) -> Model:
    """The model reporting its start and end only, so that reporting costs nothing. t_end: s, default its own."""
    end = model.settings.t_end if t_end is None else t_end
    return with_settings(model, t_end=end, t_step=end)


def with_settings(model: Model, **settings: Any) -> Model:
    """The model with other settings."""
    return replace(model, settings=replace(model.settings, **settings))


@dataclass(frozen=True)
class Ready:
    """A model lowered and assembled. lower_seconds: to arrays; prepare_seconds: dependent rows and initial conditions."""

    lowered: Lowered
    structure: Structure
    start: initial.Start
    lower_seconds: float
    prepare_seconds: float

    @property
    def rows(self) -> int:
        """Number of constraint rows that are integrated."""
        return int(np.sum(self.structure.keep))

    @property
    def bodies(self) -> int:
        """Number of moving bodies."""
        return len(self.lowered.model.bodies)

    def having(self, **settings: Any) -> Ready:
        """The same with other settings, of those that lowering and assembling do not depend on."""
        return replace(self, lowered=replace(self.lowered, model=with_settings(self.lowered.model, **settings)))

    def run(self) -> Solution:
        """One motion from start to end. Raises WorkbookError where a method is not available."""
        return motion_of(self.lowered.model.settings.analysis)(self.lowered, self.structure, self.start, None)


def ready(model: Model) -> Ready:
    """Lower and assemble a model that is given closed."""
    began = time.perf_counter()
    lowered = lower(model)
    everything = lowered.arrange()
    arranged = time.perf_counter()
    structure = find_structure(lowered, lowered.bodies.q, model.settings.t_start)
    start = initial.start(lowered, structure, everything)
    return Ready(lowered, structure, start, arranged - began, time.perf_counter() - arranged)
