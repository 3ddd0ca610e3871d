"""What a column and a sheet are: the one place from which reading, templates, drop-downs and docs take them."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from functools import cached_property
from typing import Literal

from sheetmbs.schema.names import fold
from sheetmbs.schema.units import RATIO, Dimension

Dimensionality = Literal["2D", "3D"]
BOTH: tuple[Dimensionality, ...] = ("2D", "3D")
PLANAR: tuple[Dimensionality, ...] = ("2D",)
SPATIAL: tuple[Dimensionality, ...] = ("3D",)


class ColumnKind(Enum):
    """What a cell of a column holds. The value is how a message calls it."""

    NUMBER = "a number"
    TEXT = "a text"
    NAME = "a name"
    CHOICE = "one of a few words"
    REFERENCE = "the name of an element"
    FLAG = "yes or no"
    FORMULA = "a number or an expression"
    ANY = "what the setting asks for"


@dataclass(frozen=True, slots=True)
class Column:
    """Declaration of one input column.

    dimensions: what its numbers may be, () = they have no unit; several where it depends on the row. required: must be
    there and filled in every row. default: what a blank cell means, for people. choices: of a CHOICE, default first.
    sheets: where a REFERENCE is looked up; ``ground`` where the ground may be named too. models: in which it counts.
    """

    name: str
    kind: ColumnKind
    doc: str
    dimensions: tuple[Dimension, ...] = ()
    required: bool = False
    default: str = ""
    choices: tuple[str, ...] = ()
    sheets: tuple[str, ...] = ()
    ground: bool = False
    models: tuple[Dimensionality, ...] = BOTH

    @property
    def takes_units(self) -> bool:
        """Whether a unit of the column means something: of numbers, and of cells that hold a word or a number with one."""
        return self.is_numeric or (self.kind is ColumnKind.ANY and bool(self.dimensions))

    @property
    def is_numeric(self) -> bool:
        """Whether its cells hold numbers."""
        return self.kind in (ColumnKind.NUMBER, ColumnKind.FORMULA)

    @property
    def si(self) -> str:
        """The SI unit of its numbers, ``""`` where they have none or it depends on the row."""
        if len(self.dimensions) != 1 or not self.takes_units or self.dimensions[0] is RATIO:
            return ""
        return self.dimensions[0].si


NUMBER, TEXT, NAME, CHOICE, REFERENCE, FLAG, FORMULA, ANY = ColumnKind
ACTIVE = Column("active", FLAG, "no: leave this row out", default="yes")
DESIGN = Column("design", TEXT, "the design in which the row counts", default="every design")
NOTES = Column("notes", TEXT, "remarks for people; not read")


class SheetLayout(Enum):
    """How a sheet is laid out: a record per row, samples over a first column of times, pairs of columns, texts under names."""

    TABLE = "table"
    SERIES = "series"
    PAIRS = "pairs"
    TEXTS = "texts"


@dataclass(frozen=True)
class Sheet:
    """Declaration of one input sheet.

    columns: in the order a template shows them; of a SERIES the first is ``time`` and the others are what may follow the
    point in ``<element>.<column>``. readable: whether this version can read it; a known sheet that it cannot is an error.
    """

    name: str
    doc: str
    columns: tuple[Column, ...]
    layout: SheetLayout = SheetLayout.TABLE
    required: bool = False
    readable: bool = True
    models: tuple[Dimensionality, ...] = BOTH

    @cached_property
    def by_fold(self) -> dict[str, Column]:
        """Columns by their folded names."""
        return {fold(column.name): column for column in self.columns}

    def column(self, name: str) -> Column:
        """The column of that exact name."""
        return self.by_fold[fold(name)]


def settings_sheet(name: str, doc: str, *, required: bool = False) -> Sheet:
    """Declare a sheet with one setting in each row."""
    columns = (
        Column("setting", NAME, "name of the setting", required=True),
        Column("value", ANY, "its value", required=True),
        Column("unit", TEXT, "unit of the value, blank = SI"),
        NOTES,
    )
    return Sheet(name, doc, columns, required=required)


@dataclass(frozen=True, slots=True)
class SettingRule:
    """One row of a sheet of settings.

    choices: the words it may be. dimension: of a number, None for a word or a text; with both it is a number or a word.
    default: what a blank cell means. least, most: bounds of a number in SI; above: it must be greater than this.
    """

    name: str
    doc: str
    choices: tuple[str, ...] = ()
    dimension: Dimension | None = None
    default: str = ""
    required: bool = False
    is_text: bool = False
    least: float | None = None
    most: float | None = None
    above: float | None = None


@dataclass(frozen=True, slots=True)
class Setting(SettingRule):
    """One row of the sheet Settings. Of several choices the first is the default."""

    @property
    def attribute(self) -> str:
        """The field of `model.model.Settings` that holds it, "" for the version of the format."""
        return "" if self.name == "format" else self.name

    @property
    def kind(self) -> ColumnKind:
        """What its value is."""
        return CHOICE if self.choices else TEXT if self.is_text else NUMBER
