"""What a force element is: what its row on the sheet Springs must say, what its kernel is given, and what it finds.

The kernel of an element (`engine/forces`) is given numbers and curves in the order of ``fields`` and ``curves``, and
leaves its ``values`` behind. Columns, their checks, the docs, result columns, charts and lowering follow from here. Charts and
tables that several elements share stand at the end: each part by itself, for a damper hides what a spring does.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal, Protocol

import numpy as np
from numpy.typing import NDArray

from sheetmbs.elements.result_column import (
    BOTH,
    FORCE,
    LENGTH,
    VELOCITY,
    ChartPlace,
    DefaultChart,
    Models,
    RestPlace,
    RestTable,
    ResultColumn,
    ResultKind,
    ResultQuantity,
)

Floats = NDArray[np.float64]
Given = Mapping[str, float]
"""numbers of an element by the names of their columns, SI; those without a default may be missing"""
Part = Literal["", "elastic", "damping", "actuator"]
"""of the forces of an element: what a column gives, or a value is"""

SHEET = "mbs Springs"


@dataclass(frozen=True, slots=True)
class ForceNumber:
    """A column with a number.

    quantity: a dimension of `schema/units.py`, in small letters. part: which of the forces it makes. default: what a blank
    cell counts as, None: nothing. blank: the same for people. sign: what it must be. models: in which it counts.
    """

    name: str
    quantity: str
    doc: str
    part: Part = ""
    default: float | None = 0.0
    blank: str = "0"
    required: bool = False
    sign: Literal["", "positive", "not negative"] = ""
    models: Models = BOTH


@dataclass(frozen=True, slots=True)
class ForceCurve:
    """A column that names a curve, which counts in place of ``factor`` times its argument.

    over, gives: quantities of its x and y. argument: the value of the element that its x is.
    """

    name: str
    over: str
    gives: str
    doc: str
    part: Part
    factor: str
    argument: str
    models: Models = BOTH


@dataclass(frozen=True, slots=True)
class ForceValue:
    """A number that the kernel leaves behind at every state: a result column where it has a ``doc``.

    load: whether it is a component of the force or moment between the bodies. part: which part of that it is by itself.
    models, aside: as of a `ResultColumn`.
    """

    name: str
    quantity: ResultQuantity
    doc: str = ""
    load: Literal["", "force", "moment"] = ""
    part: Part = ""
    models: Models = BOTH
    aside: bool = False

    @property
    def is_shown(self) -> bool:
        """Whether it is a result column."""
        return bool(self.doc)


@dataclass(frozen=True, slots=True)
class Deformation:
    """A direction in which an element deforms: the largest |dF/dl| and |dF/dl-dot| it can have, which `auto` asks for.

    turns: whether l is an angle. curve_k, curve_c: which of its curves says more, -1: none.
    """

    turns: bool
    stiffness: float
    damping: float
    curve_k: int = -1
    curve_c: int = -1


@dataclass(frozen=True, slots=True)
class Limit:
    """A value that must not fall below a bound while the model moves: what is reported where it does, in words.

    of: the bound, from the numbers of the element. found: takes name, least and bound.
    """

    value: str
    of: Callable[[Given], float]
    found: str
    rule: str
    mend: str


class StartPlace(Protocol):
    """Where the markers of an element are in the initial configuration."""

    @property
    def length(self) -> float:
        """Distance between the two markers, m."""

    @property
    def zero(self) -> float:
        """Angle of marker j against marker i, as its kernel counts it, at which the angle that users see is 0, rad."""

    @property
    def angle(self) -> float:
        """Angle that users see, rad."""

    @property
    def deflection(self) -> Floats:
        """(6,) displacement and rotation vector of marker j in the axes of marker i."""

    @property
    def axes(self) -> tuple[float, ...]:
        """Axes of marker i in body coordinates, row by row."""


Fault = tuple[str, str, str]
"""column, rule and mend"""


def none(_given: Given, _length: float = 0.0) -> Fault | None:
    """Accept any values: this check finds no fault."""
    return None


@dataclass(frozen=True)
class ForceType:
    """Declaration of a force element.

    name: as written in the column ``type``. called: by people. ends: it acts on a line between two points, about an axis, or
    along and about all axes of marker i. fields: the numbers of its kernel. fault: a rule about the numbers of a row together
    with the distance of its ends at the start, m. warning: what is likely wrong. picture: how it is drawn. doc: for users.
    charts, at_rest: as of a `ResultKind`.
    """

    name: str
    called: str
    doc: str
    ends: Literal["line", "axis", "axes"]
    numbers: tuple[ForceNumber, ...]
    curves: tuple[ForceCurve, ...]
    values: tuple[ForceValue, ...]
    fields: Callable[[Given, StartPlace], tuple[float, ...]]
    deformations: Callable[[Given], tuple[Deformation, ...]]
    fault: Callable[[Given, float], Fault | None] = none
    warning: Callable[[Given], Fault | None] = none
    limits: tuple[Limit, ...] = ()
    picture: Literal["", "zigzag", "cylinder"] = ""
    charts: tuple[DefaultChart, ...] = ()
    at_rest: tuple[RestTable, ...] = ()

    @cached_property
    def results(self) -> ResultKind:
        """What elements of this type report."""
        shown = tuple(
            ResultColumn(each.name, each.doc, (each.quantity,), each.models, each.aside)
            for each in self.values
            if each.is_shown
        )
        return ResultKind(self.called, SHEET, shown, self._among, self.charts, self.at_rest)

    def _among(self, model: Any) -> tuple[Any, ...]:
        return tuple(spring for spring in model.springs if spring.type == self.name)

    def check(self, values: Given, curves: Mapping[str, str]) -> None:
        """Raise ValueError, for models made in Python, where numbers or curves are not what its columns ask for."""
        for what, known, found in (("number", self.numbers, values), ("curve", self.curves, curves)):
            names = [each.name for each in known]
            strange = [name for name in found if name not in names]
            if strange:
                raise ValueError(f"a {self.called} has no {what} {strange[0]}, but {', '.join(names) or 'none'}")
        missing = [each.name for each in self.numbers if each.required and each.name not in values]
        if missing:
            raise ValueError(f"a {self.called} needs {' and '.join(missing)}")

    def given(self, values: Given) -> Given:
        """Numbers of a row with defaults where it has none."""
        defaults = {each.name: each.default for each in self.numbers if each.default is not None}
        return {**defaults, **values}

    def place(self, value: str) -> int:
        """Where a value stands among all."""
        return next(k for k, each in enumerate(self.values) if each.name == value)

    def loads(self, load: str) -> tuple[str, ...]:
        """Names of the components of its force or moment."""
        return tuple(each.name for each in self.values if each.load == load)

    @property
    def columns(self) -> tuple[ForceNumber | ForceCurve, ...]:
        """All columns it asks for."""
        return (*self.numbers, *self.curves)

    def making(self, part: str) -> tuple[str, ...]:
        """Names of the columns that make a part of its forces."""
        return tuple(each.name for each in self.columns if each.part == part)


MAX_CHART_LINES = 8  # lines of a chart


def _is_elastic(spring: Any) -> Any:
    return spring.has("elastic")


def _is_damped(spring: Any) -> Any:
    return spring.has("damping")


def _acts(spring: Any) -> Any:
    return spring.has("actuator")


def part_charts(load: str, place: ChartPlace) -> tuple[DefaultChart, ...]:
    """Charts of what springs and dampers do."""
    return (
        DefaultChart(f"Spring {load}s", (f"spring_{load}",), place, of=_is_elastic, most=MAX_CHART_LINES),
        DefaultChart(f"Damper {load}s", (f"damper_{load}",), place, of=_is_damped, most=MAX_CHART_LINES),
    )


def actuator_chart(load: str, place: ChartPlace) -> DefaultChart:
    """Chart of the whole force or moment, where actuators have a part in it."""
    return DefaultChart(
        f"{load.capitalize()}s of springs with actuators", (load,), place, of=_acts, most=MAX_CHART_LINES
    )


LINE_VALUES = (
    ForceValue("length", LENGTH, "distance of its ends"),
    ForceValue("rate", VELOCITY, "rate of its length", aside=True),
    ForceValue("spring_force", FORCE, "force of the spring, positive where it pulls its ends together", part="elastic"),
    ForceValue("damper_force", FORCE, "force of the damper, positive where it pulls its ends together", part="damping"),
    ForceValue("force", FORCE, "sum of spring, damper and actuator", "force"),
)
LENGTH_CHART = DefaultChart("Spring lengths", ("length",), ChartPlace.DEFLECTIONS, moving=True, most=MAX_CHART_LINES)
LINE_AT_REST = (
    RestTable("Spring forces", (("force", "force"),), RestPlace.FORCES, is_load=True),
    RestTable("Spring lengths", (("length", "length"),), RestPlace.DEFLECTIONS),
)
"""tables at rest of elements that act along the line between two points"""
