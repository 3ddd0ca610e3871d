"""The most probable meaning of a header, a setting or a word that the format does not know."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from sheetmbs.schema.column import Column, Dimensionality, Sheet
from sheetmbs.schema.names import fold, nearest
from sheetmbs.schema.settings import SETTINGS
from sheetmbs.schema.synonyms import (
    COLUMN_HINTS,
    CURVE_PARTS,
    GROUND_WORDS,
    OTHER_SHEETS,
    TOTALS_WORDS,
    UNITS_WORDS,
    WITHOUT,
    Words,
    inverted,
    squashed,
    words,
)
from sheetmbs.schema.units import UnitError, parse_unit

LAST_WORD = re.compile(r"(.+?)(?:[\s_,/-]+in[\s_]+|[\s_,/-]+)(\S+)", re.DOTALL)
CURVE_HEADER = re.compile(r"(.+?)\s*[._\s-]\s*([^._\s-]+)")
IN_BRACKETS = re.compile(r"[\[({<]([^\])}>]+)[\])}>]?\W*$")
OPENING = re.compile(r"[\[({<]")
ATTRIBUTES = frozenset(
    {
        *("cm", "cg", "cog", "com", "centre", "center", "of", "mass", "gravity", "pos", "position"),
        *("initial", "init", "start", "global", "value", "coordinate", "the", "0", "name"),
    }
)
"""words beside the name of a quantity that say nothing new"""
KINDS = (
    *(
        "joint",
        "constraint",
        "analysis",
        "simulation",
        "solver",
        "method",
        "integrator",
        "spring",
        "type",
        "law",
        "pair",
    ),
    *("gelenk", "model", "formulation", "algorithm", "shape", "body", "connection"),
)
"""words beside a value that only say what kind of thing it is"""
MIN_MISSPELT_LETTERS = 4
"""letters of the shortest synonym that is recognised if it is misspelt"""
MANY_SETTINGS = {
    "gravity_y, or gravity_z in space": "g; gravity; gravitation; accgrav; erdbeschleunigung; gravedad; gravité; gravità",
    "rtol for the integrator, or tolerance for the constraints": "tol; eps; epsilon; tolerancia; toleranz",
}
NO_SETTINGS = {
    "units stand in the column unit, and on every sheet in its units row": "units; unit; unit system; si; einheiten",
    "a remark stands in the column notes, or in a row that begins with #": "author; date; comment; comments; remark; note; "
    "notes; company; revision; file; customer; drawing",
    "friction is given at each joint, on the sheet Joints": "friction; mu; friction coefficient",
    "damping is given at each spring, on the sheet Springs": "damping; damper",
}


class Meant(NamedTuple):
    """A column that a header seems to stand for, and the unit that stands in it, ``""`` none. also: without that unit."""

    column: Column
    unit: str = ""
    also: bool = False

    def header(self) -> str:
        """The header as it should be written."""
        return f"{self.column.name} [{self.unit}]" if self.unit else self.column.name


def column_meant(text: str, sheet: Sheet, model: Dimensionality, taken: Collection[str] = ()) -> Meant | None:
    """The column for which a header seems to stand, or None. taken: names of columns that are there already."""
    stem, unit = parts_of(text)
    free = {column.name: column for column in sheet.columns if model in column.models and column.name not in taken}
    column = _known(stem, sheet, free)
    for before, last in _with_unit(stem) if not unit else ():
        with_unit = _known(before, sheet, free)
        if with_unit and column in (None, with_unit) and _serves(last, with_unit):
            return Meant(with_unit, last, also=last in ATTRIBUTES)
    if column is None:
        tokens = [word for word in fold(stem).split() if word not in ATTRIBUTES]
        column = _known(" ".join(tokens), sheet, free) if tokens else None
    if column is None and squashed(stem) in inverted(sheet.name):
        return None  # it is another word for a column that is there
    if column is None:
        near = nearest(stem, free) or nearest(stem, [each.name for each in sheet.columns if model in each.models])
        column = sheet.column(near) if near else None
    if column is None:
        return None
    unit = unit or (stem if len(stem) > 1 else "")
    return Meant(column, unit if _serves(unit, column) else "")


def parts_of(text: str) -> tuple[str, str]:
    """The text before brackets of any kind, and the text inside them."""
    bracketed = IN_BRACKETS.search(text)
    return OPENING.split(text)[0].strip(" *:.!?\t\n"), bracketed[1].strip() if bracketed else ""


def _with_unit(stem: str) -> Iterator[tuple[str, str]]:
    """A header without brackets as a name and a unit behind it, as in ``mass in kg`` and ``omega_rad_s``."""
    last = LAST_WORD.fullmatch(stem)
    if last:
        yield last[1], last[2]
    words_ = re.split(r"[\s_]+", stem)
    if len(words_) > 2:
        yield " ".join(words_[:-2]), "/".join(words_[-2:])


def _known(text: str, sheet: Sheet, free: dict[str, Column]) -> Column | None:
    """The column of that name, or of a word for it."""
    exact = sheet.by_fold.get(fold(text))
    if exact is not None and exact.name in free:
        return exact
    table = inverted(sheet.name)
    return next((free[name] for name in table.get(squashed(text), ()) if name in free), None)


def _serves(unit: str, column: Column) -> bool:
    """Whether a text is a unit of a column."""
    try:
        parsed = parse_unit(unit)
    except UnitError:
        return False
    return column.is_numeric and any(parsed.fits(dimension) for dimension in column.dimensions)


def header_advice(text: str, sheet: Sheet, model: Dimensionality, taken: Collection[str], otherwise: str) -> str:
    """How to mend a header that is unknown."""
    hint = _advice(parts_of(text)[0], COLUMN_HINTS.get(sheet.name, {}))
    meant = None if hint else column_meant(text, sheet, model, taken)
    if meant is None:
        return hint or otherwise
    return (
        f"did you mean {meant.column.name}, or {meant.header()}?" if meant.also else f"did you mean {meant.header()}?"
    )


def setting_meant(text: str) -> str:
    """The setting for which a text seems to stand, ``""`` where there is none or several are possible."""
    names = [setting.name for setting in SETTINGS]
    stem = parts_of(text)[0]
    if _advice(stem, NO_SETTINGS) or _advice(stem, MANY_SETTINGS):
        return ""
    exact = next((name for name in names if squashed(name) == squashed(stem)), None)
    known = next((name for name in inverted("settings").get(squashed(stem), ()) if name in names), None)
    return exact or known or nearest(stem, names) or ""


def setting_advice(text: str) -> str:
    """How to mend a setting that is unknown."""
    stem, unit = parts_of(text)
    remark, several, meant = _advice(stem, NO_SETTINGS), _advice(stem, MANY_SETTINGS), setting_meant(text)
    if remark:
        return remark
    beside = f", with {unit} in the column unit" if unit and meant else ""
    if several or meant:
        return f"did you mean {several or meant}{beside}?"
    return "correct it, remove the row, or begin it with # if it is a remark"


def value_meant(text: str, choices: Sequence[str]) -> str | None:
    """The one of a few words that a text seems to stand for, or None."""
    return _value_meant(text, tuple(choices))


@lru_cache(maxsize=1024)
def _value_meant(text: str, choices: tuple[str, ...]) -> str | None:
    table = inverted("values")
    stem = " ".join(word for word in fold(text).split() if word not in KINDS)
    shorter = [squashed(text).removesuffix(kind) for kind in KINDS if squashed(text).endswith(kind)]
    for word in [squashed(text), squashed(stem), *shorter]:
        exact = next((each for each in choices if squashed(each) == word), None)
        meant = exact or next((each for each in table.get(word, ()) if each in choices), None)
        if meant:
            return meant
    offered = {word: next((each for each in each_means if each in choices), "") for word, each_means in table.items()}
    long = [word for word, each in offered.items() if each and len(word) >= MIN_MISSPELT_LETTERS]
    near = nearest(text, [*choices, *long])
    return offered.get(squashed(near), "") or near if near and near not in choices else near


def value_advice(text: str, choices: Sequence[str]) -> str:
    """How to mend a word that is none of ``choices``."""
    is_joint = "revolute" in choices
    meant = value_meant(text, choices)
    advice = (_advice(text, OTHER_SHEETS) if is_joint else "") or (f"did you mean {meant}?" if meant else "")
    otherwise = f"write {choices[0]}" if len(choices) == 1 else "choose one of these"
    return advice or (_advice(text, WITHOUT) if is_joint else "") or otherwise


def _advice(text: str, table: Words) -> str:
    return next((advice for advice, known in table.items() if squashed(text) in words(known)), "")


def curve_meant(header: str) -> tuple[str, str] | None:
    """The curve and its part, ``x`` or ``y``, for which a header such as ``ramp_x`` or ``ramp.force`` seems to stand."""
    parts = CURVE_HEADER.fullmatch(parts_of(header)[0])
    if parts is None:
        return None
    known = parts[2].casefold() if parts[2].casefold() in CURVE_PARTS else None
    part = known or next((part for part, known in CURVE_PARTS.items() if squashed(parts[2]) in words(known)), None)
    return (parts[1], part) if part else None


def means_units(text: str) -> bool:
    """Whether a text is a word of another language for units."""
    return squashed(text.strip(" []():.")) in words(UNITS_WORDS)


def means_totals(text: str) -> bool:
    """Whether a text heads a row that adds up the columns of a table."""
    return squashed(text.strip(" :=.")) in words(TOTALS_WORDS)


def names_column(text: str, column: Column, sheet: Sheet) -> bool:
    """Whether a text is the header of a column, or a word for it."""
    stem = parts_of(text)[0]
    return fold(stem) == fold(column.name) or column.name in inverted(sheet.name).get(squashed(stem), ())


def means_ground(text: str) -> bool:
    """Whether others call so what does not move."""
    return squashed(text) in words(GROUND_WORDS)
