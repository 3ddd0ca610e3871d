"""Our side: solve time alone, with compiled kernels and no rows but the first and the last."""

from __future__ import annotations

from dataclasses import replace

import sheetmbs
from benchmarks.cases import PLACE, Case
from sheetmbs.analysis.analyse import analyse
from sheetmbs.lower import lower


class Ours:
    """A case with these settings, ready to be solved again and again.

    Raises RuntimeError where the run fails, WorkbookError where this version does not have a method.
    """

    def __init__(self, case: Case, **settings: float | str) -> None:
        model = case.model()
        model = replace(model, settings=replace(model.settings, **settings))
        result = sheetmbs.run(model)
        if result.status != "done":
            raise RuntimeError(str(result.sheets.problems[-1]))
        position = result.points[[f"{PLACE}.{axis}" for axis in "xyz" if f"{PLACE}.{axis}" in result.points]]
        summary = result.summary
        self.error = case.error(position.iloc[-1].to_numpy())
        self.method = str(summary["integrator"])
        self.steps, self.evaluations = int(summary["steps"]), int(summary["evaluations"])
        self._lowered = lower(model)

    def solve(self) -> float:
        """Seconds of one solution, as `mbs Summary` counts its solve time."""
        return analyse(self._lowered).seconds
