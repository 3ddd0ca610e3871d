"""What a study found: a row per variant, curves of some of them, and what its method adds."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from sheetmbs.measured.residuals import Residuals
from sheetmbs.problems.errors import Problem
from sheetmbs.studies.fitting.found_fit import FoundFit
from sheetmbs.studies.fitting.found_uncertainty import FoundUncertainty
from sheetmbs.studies.study_book import Flags, Floats, StudyBook

BEFORE, AFTER = ("number", "name", "status"), ("feasible", "best", "message")
"""columns of `mbs Study` around those of variables and responses"""
IN_DOUBT = "in doubt"
"""how the message of a variant begins that did not fail, but whose responses may be wrong"""


@dataclass(frozen=True)
class VariantRows:
    """All variants in the order of their numbers, number 0 being the workbook as it is. Arrays, for there may be very many.

    values: (n, variables) of the first cells, in their own units. responses: (n, responses) in theirs, NaN in all of a row
    that failed. done: (n,) whether it did not fail. messages: by number, why a variant
    failed or its responses are in doubt, each with its cell. names: by number.
    """

    values: Floats
    responses: Floats
    done: Flags
    messages: Mapping[int, str] = field(default_factory=dict)
    names: Mapping[int, str] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.done)

    @property
    def failures(self) -> dict[int, str]:
        """Why variants failed, by number."""
        return {number: text for number, text in self.messages.items() if not self.done[number]}

    @property
    def doubts(self) -> dict[int, str]:
        """Why responses of variants are in doubt, by number."""
        return {number: text for number, text in self.messages.items() if self.done[number]}


@dataclass(frozen=True)
class KeptCurve:
    """A column over another of one variant, drawn over the same of others.

    variant: its number. response: name of the one that reads it. x, y: (n,), in the units of their headers.
    """

    variant: int
    response: str
    case: str
    x_name: str
    x_unit: str
    y_name: str
    y_unit: str
    x: Floats
    y: Floats


@dataclass(frozen=True)
class TargetCurve:
    """A target curve of a response, in the units of the columns it is compared with."""

    response: str
    x: Floats
    y: Floats


@dataclass(frozen=True)
class SobolIndices:
    """Sobol indices of one response, by variable. first, total: (variables,); .._band: half widths of their 95 % intervals.

    blocks: of samples used; left_out: blocks with a failed variant.
    """

    response: str
    first: Floats
    first_band: Floats
    total: Floats
    total_band: Floats
    blocks: int
    left_out: int


@dataclass(frozen=True)
class StudyResults:
    """A study that has ended.

    feasible: (n,) whether all limits hold, False of variants that failed. objective: (n,) weighted sum of what the goals make
    least, NaN of failed variants, and of all without goals. best: number of the best feasible variant, None without goals
    and of the method pareto. front: numbers of a Pareto front, else (). message: why it ended before its end, "" where it did
    not. warnings: of what may not be meant. computed: how many formulas that had no value in the file were computed.
    is_spent: whether the budget ended a search. from_journal: how many variants an interrupted study had finished.
    """

    study: StudyBook
    variants: VariantRows
    feasible: Flags
    objective: Floats
    best: int | None
    curves: tuple[KeptCurve, ...] = ()
    targets: tuple[TargetCurve, ...] = ()
    indices: tuple[SobolIndices, ...] = ()
    front: tuple[int, ...] = ()
    message: str = ""
    warnings: tuple[Problem, ...] = ()
    computed: int = 0
    is_spent: bool = False
    from_journal: int = 0
    fit: FoundFit | None = None
    """of the method fit"""
    uncertainty: FoundUncertainty | None = None
    """of tolerances that are carried by derivatives"""
    measured: tuple[Residuals, ...] = ()
    """what was measured, beside the workbook as it is"""

    @property
    def is_by_derivatives(self) -> bool:
        """Whether its variants are the steps of a search or of differences, which show no effects themselves."""
        return self.fit is not None or self.uncertainty is not None
