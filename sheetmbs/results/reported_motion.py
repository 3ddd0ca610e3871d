"""A motion with all that is reported of it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from sheetmbs.analysis.solution import Solution
from sheetmbs.engine.motion_report import MotionReport
from sheetmbs.lower import Lowered
from sheetmbs.problems.errors import Problem
from sheetmbs.results.columns.motion_rows import reported
from sheetmbs.results.judging.accuracy import Accuracy, accuracy
from sheetmbs.results.judging.notes import faults


@dataclass(frozen=True)
class PostprocessedMotion:
    """A solution, what it reports, and what can be said about that; each found when it is asked for.

    with_reactions: False where nobody asks for a force, and none may fail. with_coordinates: False where nobody asks for those
    of joints.
    """

    lowered: Lowered
    solution: Solution
    with_reactions: bool = True
    with_coordinates: bool = True

    @cached_property
    def found(self) -> MotionReport:
        """Reactions, violations, springs, points and energies at all reporting times."""
        wanted = {"with_reactions": self.with_reactions, "with_coordinates": self.with_coordinates}
        return reported(self.lowered, self.solution, **wanted)

    @cached_property
    def accuracy(self) -> Accuracy:
        """What its rows say about its accuracy."""
        return accuracy(self.lowered, self.solution, self.found)

    def errors(self) -> Iterator[Problem]:
        """Why the analysis counts as failed; none where it does not."""
        of_forces = faults(self.lowered, self.solution, self.found) if self.with_reactions else ()
        told = (*self.solution.problems, *of_forces)
        return (problem for problem in told if problem.severity == "error")
