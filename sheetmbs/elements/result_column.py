"""What elements report: their result columns, the charts drawn of them, and the tables that show them at rest.

Declared once for each kind of element. Sheets, units, default charts, documentation and export follow from it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import IntEnum
from functools import cached_property
from typing import Any, Literal

Models = tuple[Literal["2D", "3D"], ...]
BOTH: Models = ("2D", "3D")
PLANAR: Models = ("2D",)
SPATIAL: Models = ("3D",)

NUMBER = re.compile(r"\d+")
ANY_NUMBER = "#"
"""in the name of a column: any number from 1 on"""


@dataclass(frozen=True, slots=True)
class ResultQuantity:
    """What the numbers of a column are.

    unit: SI, in which they are computed. shown_in: which of the workbook's own units takes its place, if any.
    per: what follows either, such as ``/s``.
    """

    unit: str
    shown_in: Literal["", "length", "angle"] = ""
    per: str = ""

    @property
    def si(self) -> str:
        """The unit in SI, ``""`` where there is none."""
        return self.unit + self.per


LENGTH, ANGLE = ResultQuantity("m", "length"), ResultQuantity("rad", "angle")
VELOCITY, ANGULAR_VELOCITY = ResultQuantity("m", "length", "/s"), ResultQuantity("rad", "angle", "/s")
ACCELERATION, ANGULAR_ACCELERATION = ResultQuantity("m", "length", "/s^2"), ResultQuantity("rad", "angle", "/s^2")
FORCE, MOMENT, POWER, ENERGY = ResultQuantity("N"), ResultQuantity("N*m"), ResultQuantity("W"), ResultQuantity("J")
TIME, FREQUENCY, GROWTH = ResultQuantity("s"), ResultQuantity("Hz"), ResultQuantity("1/s")
RATIO, COUNT = ResultQuantity("1"), ResultQuantity("")
METRES, METRES_PER_SECOND = ResultQuantity("m"), ResultQuantity("m/s")


@dataclass(frozen=True, slots=True)
class ResultColumn:
    """One result column of each element of a kind.

    name: what follows the name of the element and a point; ``#`` in it stands for a number from 1 on. doc: what it means, in
    a sentence. quantities: what its numbers are; several where it depends on the element. models: in which it is there.
    aside: few readers need it: it stands last on its sheet, is not printed, and the setting ``results`` = short leaves it out.
    """

    name: str
    doc: str
    quantities: tuple[ResultQuantity, ...]
    models: Models = BOTH
    aside: bool = False


def result_columns(
    names: str, doc: str, *quantities: ResultQuantity, models: Models = BOTH, aside: bool = False
) -> tuple[ResultColumn, ...]:
    """One column for each word of ``names``, all of the same meaning."""
    return tuple(ResultColumn(name, doc, quantities, models, aside) for name in names.split())


class ChartPlace(IntEnum):
    """The order of default charts: what was asked of a model before all else comes first."""

    CLEARANCES = 1
    JOINTS = 2
    DRIVERS = 3
    FORCES = 4
    MOMENTS = 5
    DEFLECTIONS = 6
    BUSHINGS = 7
    POINTS = 8
    BODIES = 9
    REACTIONS = 10
    POWER = 11
    ENERGIES = 12
    VIOLATIONS = 13


def every(_element: Any) -> bool:
    """Whether an element is drawn: always."""
    return True


@dataclass(frozen=True, slots=True)
class DefaultChart:
    """A chart drawn where the workbook asks for none.

    title: ``{}`` in it stands for the name of an element, each of which then has a chart of its own; otherwise one chart shows
    all. Charts of several kinds of element under one title become one. columns: its lines, by the names of their columns;
    of an ``xy`` chart x and y. beside: x and y of a further line of an xy chart, drawn as its frame.
    moving: a line that does not change is left out. of: which elements are drawn. most: no more elements than this, None = all;
    chosen: which of them then. models: in which it is drawn. instead_of: only where no element of that kind is reported.
    above: what a line must exceed somewhere, from an element, or None. alone: the title where only one element is drawn, whose
    name ``{}`` stands for; "" = ``title``.
    """

    title: str
    columns: tuple[str, ...]
    place: ChartPlace
    type: Literal["line", "xy"] = "line"
    beside: tuple[str, str] | tuple[()] = ()
    moving: bool = False
    of: Callable[[Any], Any] = every
    most: int | None = None
    chosen: Literal["first", "driven", "largest"] = "first"
    models: Models = BOTH
    instead_of: str = ""
    above: Callable[[Any], float] | None = None
    alone: str = ""


class RestPlace(IntEnum):
    """The order of the tables of an analysis at rest: loads, then where everything is."""

    DRIVERS = 1
    FORCES = 2
    MOMENTS = 3
    BUSHINGS = 4
    REACTIONS = 5
    JOINTS = 6
    DEFLECTIONS = 7
    POINTS = 8
    BODIES = 9


@dataclass(frozen=True, slots=True)
class RestTable:
    """A table of an analysis at rest: an element a row. Tables of several kinds under one title become one.

    heads: of its columns, each with the name of the result column that fills it. has_size: the length of their vector stands
    before them, where there are several. is_load: drawn as bars, if anything is not 0.
    """

    title: str
    heads: tuple[tuple[str, str], ...]
    place: RestPlace
    has_size: bool = False
    is_load: bool = False


@dataclass(frozen=True)
class ResultKind:
    """What the elements of one kind report.

    element: what they are called in documentation, ``""`` where the columns belong to no element. sheet: on which they stand.
    elements: those of a model that report, in its order.
    """

    element: str
    sheet: str
    columns: tuple[ResultColumn, ...]
    elements: Callable[[Any], Sequence[Any]]
    charts: tuple[DefaultChart, ...] = ()
    at_rest: tuple[RestTable, ...] = ()

    @cached_property
    def _by_name(self) -> Mapping[str, ResultColumn]:
        return {column.name: column for column in self.columns}

    def column(self, name: str) -> ResultColumn:
        """The declaration of a column, by what follows the name of the element. Raises KeyError where there is none."""
        return self._by_name.get(name) or self._by_name[NUMBER.sub(ANY_NUMBER, name)]

    def heading(self, element: str, name: str) -> str:
        """How a column is called on its sheet."""
        return f"{element}.{name}" if element else name
