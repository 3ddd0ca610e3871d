"""What the sheets Study, Variables, Variants and Responses of a workbook say."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from sheetmbs.measured.tyre_measurements import TyreMeasurement
from sheetmbs.problems.errors import Problem, WorkbookError
from sheetmbs.schema.study_methods import STUDY_METHODS, StudyMethod
from sheetmbs.workbook.cells.cells import CellAt
from sheetmbs.workbook.reading.context import GivenCurve

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]
How = Literal["value", "offset", "percent"]
Distribution = Literal["uniform", "normal", "triangular"]
Goal = Literal["", "minimise", "maximise", "target", "at most", "at least"]


@dataclass(frozen=True)
class StudyVariable:
    """A row of Variables. cells: those that move together. as_it_is: their numbers in the file, in their own units.

    low, high, values, sd: as typed, a change of the cell for ``how`` = offset (in its unit) and percent. unit: of the first
    cell, as written in its column or row, "" where none is known. place: the row on Variables, for messages.
    """

    name: str
    cells: tuple[CellAt, ...]
    as_it_is: tuple[float, ...]
    low: float | None = None
    high: float | None = None
    steps: int | None = None
    values: tuple[float, ...] = ()
    how: How = "value"
    distribution: Distribution = "uniform"
    sd: float | None = None
    unit: str = ""
    place: str = ""
    texts: tuple[tuple[CellAt, str], ...] = ()
    """cells beside it with what is written there as soon as it changes: a row that the file does not have yet"""
    coefficient: tuple[str, str, float] | None = None
    """of a tyre: its tyre, its name, and what turns the number of the cell into SI"""

    def value_of(self, given: float) -> float:
        """Value of the first cell for a number typed as low, high or a value."""
        first = self.as_it_is[0]
        if self.how == "offset":
            return first + given
        return first * (1.0 + given / 100.0) if self.how == "percent" else given

    @property
    def bounds(self) -> tuple[float, float]:
        """Lowest and highest value of the first cell; infinite where none is given."""
        low = -np.inf if self.low is None else self.value_of(self.low)
        high = np.inf if self.high is None else self.value_of(self.high)
        return (low, high) if low <= high else (high, low)  # percent of a negative number

    @property
    def prior_sd(self) -> float | None:
        """Standard deviation in the unit of the first cell, None where none is given."""
        if self.sd is None:
            return None
        return abs(self.value_of(self.sd) - self.value_of(0.0)) if self.how != "value" else self.sd

    @property
    def stepped(self) -> tuple[float, ...]:
        """The values that one-at-a-time and grid go through: those given, or steps from low to high, by default three."""
        if self.values:
            return tuple(self.value_of(value) for value in self.values)
        return tuple(float(value) for value in np.linspace(*self.bounds, self.steps or 3))

    def cell_values(self, value: float) -> tuple[float, ...]:
        """Numbers of all its cells where the first one has a value: others change by as much, or by as many percent."""
        first = self.as_it_is[0]
        if self.how == "percent":
            return tuple(old * (value / first) for old in self.as_it_is)
        if self.how == "offset":
            return tuple(old + (value - first) for old in self.as_it_is)
        return (value,) * len(self.cells)


@dataclass(frozen=True)
class StudyResponse:
    """A row of Responses. of: the expression, or the address of a cell. case: "" the study's first one.

    goal: "" only watched. value: of a target or a limit, in ``unit``. curve: name of the target curve, "" where none; x: the
    column over which it is given, "" the first one of its sheet. unit: of the response's column, as written or as it follows.
    """

    name: str
    of: str
    case: str = ""
    goal: Goal = ""
    value: float | None = None
    curve: str = ""
    weight: float = 1.0
    unit: str = ""
    place: str = ""
    x: str = ""
    value_place: str = ""
    """the cell of the value"""

    def refusal(self, code: str, found: str, rule: str, mend: str) -> WorkbookError:
        """The error of this row of Responses."""
        return WorkbookError(Problem(code, "error", self.place, found, rule, mend))

    @property
    def is_limit(self) -> bool:
        """Whether it says which variants are feasible."""
        return self.goal in ("at most", "at least")


@dataclass(frozen=True)
class ListedVariant:
    """A row of Variants. values: by variable; NaN as it is."""

    name: str
    values: Floats
    place: str = ""


@dataclass(frozen=True)
class StudyBook:
    """A study as a workbook asks for it."""

    method: str
    cases: tuple[str, ...]
    variables: tuple[StudyVariable, ...]
    responses: tuple[StudyResponse, ...]
    listed: tuple[ListedVariant, ...] = ()
    samples: int = 64
    seed: int = 0
    budget: int = 500
    keep: int = 20
    starts: int = 1
    is_scale_estimated: bool = False
    """whether a fit takes the scale of readings' sd from its residuals"""
    candidates: tuple[str, ...] = ()
    """columns that might be measured too; (): all"""
    is_linear: bool = False
    """whether tolerances are carried by derivatives"""

    tyres: tuple[TyreMeasurement, ...] = ()
    """measurements of tyres that are fitted; their coefficients are the variables then"""

    curves: Mapping[str, GivenCurve] = field(default_factory=dict)
    """those of the sheet Curves"""
    places: Mapping[str, str] = field(default_factory=dict)
    """where settings stand"""
    warnings: tuple[Problem, ...] = ()
    """of what may not be meant"""

    @property
    def traits(self) -> StudyMethod:
        """What is declared of the method of this study."""
        return STUDY_METHODS[self.method]

    @property
    def as_it_is(self) -> Floats:
        """(variables,) values in the file."""
        return np.array([variable.as_it_is[0] for variable in self.variables])
