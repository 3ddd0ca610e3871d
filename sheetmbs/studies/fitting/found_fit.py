"""What a fit found, in the units of its variables and measurements."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sheetmbs.studies.fitting.directions import NO_PART, Direction
from sheetmbs.studies.fitting.estimate import Estimate
from sheetmbs.studies.fitting.fit_space import FitSpace, Floats
from sheetmbs.studies.fitting.further_measurements import FurtherMeasurement

FARTHEST_MOVE = 3.0
"""prior standard deviations beyond which a variable moves farther than the prior expects"""


@dataclass(frozen=True, eq=False)
class FittedMeasurement:
    """A measurement before and after a fit.

    n: readings that count. rms_before, rms_after: of the residuals, in the unit of the column. leverage: its readings' part of
    the number that the data determine. left_out: rms when fitted without it. runs_p: probability of the residuals' runs, NaN
    where it is not known. x, measured, before, after: (n,) curves; measured moves with the offset found after the fit.
    """

    name: str
    of: str
    case: str
    unit: str
    over: str
    over_unit: str
    n: int
    outside: int
    rms_before: float
    rms_after: float
    rms_over_sd: float
    leverage: float
    left_out: float
    runs_p: float
    x: Floats
    measured: Floats
    before: Floats
    after: Floats


@dataclass(frozen=True, eq=False)
class NamedDirection:
    """A direction in words. moves: (p,) of each variable for one prior sd along it, in its unit."""

    name: str
    found: Direction
    words: str
    moves: Floats


@dataclass(frozen=True, eq=False)
class FoundFit:
    """A fit that has ended.

    values: (p,) of the first cells at the solution. bounds: (p,) low, high or "". notes: (p,) on each variable. steps: (k, p)
    the start and every accepted step. costs: of all starts that could be solved. spread: of their solutions, in prior sd.
    slopes: how derivatives were found, a sentence. shortened: steps that could not be solved. remarks: what is in doubt.
    """

    space: FitSpace
    values: Floats
    estimate: Estimate
    bounds: Sequence[str]
    notes: Sequence[str]
    directions: Sequence[NamedDirection]
    measurements: Sequence[FittedMeasurement]
    further: Sequence[FurtherMeasurement]
    steps: Floats
    converged: bool
    readings: int
    costs: Sequence[float]
    spread: float
    slopes: str
    shortened: int
    remarks: Sequence[str] = ()

    @property
    def seen(self) -> int:
        """How many directions are seen."""
        return sum(each.found.verdict == "seen" for each in self.directions)


NO_INTERVAL = "no interval: "
"""how a note begins of a variable that is part of what is not seen"""


def interval_notes(space: FitSpace, place: int, unseen: Sequence[NamedDirection], *, is_held: bool) -> list[str]:
    """Why a variable has no interval, if it has none. unseen: directions of which the data know nothing."""
    if is_held:
        return ["held at its bound: it has no interval"]
    names = [each.name for each in unseen if abs(each.found.parts[place]) > NO_PART]
    if space.has_prior[place] or not names:
        return []
    return [f"{NO_INTERVAL}it has a part in the unseen direction{'s' * (len(names) > 1)} {', '.join(names)}"]


def prior_notes(space: FitSpace, place: int, at: Floats) -> list[str]:
    """What a move means that is farther than the prior of a variable expects. at: (p,) scaled."""
    is_far = space.has_prior[place] and abs(at[place]) > FARTHEST_MOVE
    return ["either the rig's offset or the drawing"] if is_far else []
