"""A norm from the laboratory's controls: mean, deviation, number and single subjects of each curve, in bins of speed or age."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from sheetmbs.gait.arrays import Vector
from sheetmbs.gait.collecting.collected_subjects import disagreements, doubts
from sheetmbs.gait.collecting.run_books import RunBook, read_run_books
from sheetmbs.gait.trial.gait_book import SIDES
from sheetmbs.problems.errors import Problem, WorkbookError
from sheetmbs.schema.gait_inputs import NORMATIVE
from sheetmbs.workbook.package.replace import create_book
from sheetmbs.workbook.writing.list_book import sheets_book

STEM = "norms"
QUANTITIES = {
    **dict.fromkeys(
        ("hip", "knee", "ankle"),
        ("angle", "adduction", "rotation", "moment", "moment_adduction", "moment_rotation", "power"),
    ),
    "pelvis": ("tilt", "obliquity", "rotation"),
    "foot": ("progression",),
    "support": ("moment",),
}
"""curves of a norm: whose, and which quantities"""
LEAST_SUBJECTS = 2
"""subjects of a curve"""
BINNED = ("speed", "age")
"""what bins may be of"""
MAX_NAME = 31
"""letters of the name of a sheet"""
OWN_LICENCE = "the laboratory's own measurements"
Cell = str | float | None


@dataclass(frozen=True)
class Bins:
    """Ranges of speed or age that divide subjects. limits: between ranges, upward; without them all are together."""

    word: str = ""
    limits: tuple[float, ...] = ()

    def name_of(self, value: float) -> str:
        """The bin of a value, as the end of the name of its sheet."""
        above = [limit for limit in self.limits if value >= limit]
        below = [limit for limit in self.limits if value < limit]
        if not above:
            return f"{self.word} below {below[0]:g}"
        return f"{self.word} {above[-1]:g}-{below[0]:g}" if below else f"{self.word} from {above[-1]:g}"


def bins_of(text: str | None) -> Bins:
    """The bins that ``speed 0.9 1.2`` or ``age 7 10 14`` asks for. Raises WorkbookError where it cannot be read."""
    if not text:
        return Bins()
    word, *limits = text.replace(",", " ").replace(";", " ").split()
    try:
        numbers = tuple(float(each) for each in limits)
    except ValueError:
        numbers = ()
    if word not in BINNED or not numbers or list(numbers) != sorted(set(numbers)):
        problem = "bins are speed or age and the limits between them, upward"
        raise WorkbookError(
            [Problem("wrong-bins", "error", "", f"--bins {text!r}", problem, 'write --bins "speed 0.9 1.2"')]
        )
    return Bins(word, numbers)


def make_norms(paths: Sequence[Path], out: Path, bins: Bins) -> tuple[dict[str, int], tuple[Problem, ...]]:
    """Write the norm of workbooks that were run into a new one; a file that is there already is never overwritten.

    Returns the sheets with their numbers of subjects, and warnings. Raises WorkbookError with every problem of every book.
    """
    books, problems = read_run_books(paths)
    if books:
        problems += disagreements(books)
    groups = _groups(books, bins, problems)
    for name, own in groups.items():
        if len(own) < LEAST_SUBJECTS:
            found = f"{own[0].path} is the only workbook of {name}"
            problem = f"a norm has the spread of {LEAST_SUBJECTS} subjects or more"
            problems.append(
                Problem("few-subjects", "error", str(own[0].path), found, problem, "name more, or wider bins")
            )
    if problems:
        raise WorkbookError(problems)
    warnings: list[Problem] = list(doubts(books))
    sheets = {name: norm_rows(own, name, warnings) for name, own in groups.items()}
    create_book(out, sheets_book(sheets), STEM)
    return {name: len(own) for name, own in groups.items()}, tuple(warnings)


def _groups(books: Sequence[RunBook], bins: Bins, problems: list[Problem]) -> dict[str, list[RunBook]]:
    """The books of each sheet."""
    found: dict[str, list[RunBook]] = {}
    for book in books:
        name = NORMATIVE.name
        if bins.word:
            value = _value(book, bins.word)
            if value is None:
                mend = "write it on its sheet Subject" if bins.word == "age" else "look at its events"
                found_ = f"{book.path} has no {bins.word}"
                problems.append(Problem("no-bin", "error", str(book.path), found_, "bins are of it", mend))
                continue
            name = f"{name} {bins.name_of(value)}"[:MAX_NAME]
        found.setdefault(name, []).append(book)
    return dict(sorted(found.items()))


def _value(book: RunBook, word: str) -> float | None:
    if word == "speed":
        return next((each.value for each in book.items if each.item == "speed" and not each.side), None)
    digits = book.subject.get("age", "").split()
    try:
        return float(digits[0].replace(",", ".")) if digits else None
    except ValueError:
        return None


def norm_rows(books: Sequence[RunBook], sheet: str, warnings: list[Problem]) -> list[list[Cell]]:
    """The rows of a sheet Normative: headers, units, numbers, then where they come from."""
    heads: list[Cell] = ["percent"]
    units: list[Cell] = ["%"]
    columns: list[Vector] = [books[0].percent]
    for curve, values, unit in _curves(books):
        if len(values) < LEAST_SUBJECTS:
            found = f"{curve} is known throughout of {len(values)} of {len(books)} subjects"
            warnings.append(
                Problem("few-subjects", "warning", "", found, f"it is left out of {sheet}", "record whole strides")
            )
            continue
        heads += [f"{curve}.{word}" for word in ("mean", "sd", "n", *range(1, len(values) + 1))]
        units += [unit, unit, "1", *[unit] * len(values)]
        count = np.full(values.shape[1], float(len(values)))
        columns += [values.mean(axis=0), values.std(axis=0, ddof=1), count, *values]
    first = books[0]
    laboratory = first.subject.get("laboratory", "")
    told = {
        "source": f"{len(books)} controls{f' of {laboratory}' if laboratory else ''}",
        "licence": OWN_LICENCE,
        "model": first.processing.get("model", "segments"),
        "moment axes": first.processing.get("moment_axes", "jcs"),
    }
    return [heads, units, *np.column_stack(columns).tolist(), *([word, text] for word, text in told.items())]


def _curves(books: Sequence[RunBook]) -> Iterator[tuple[str, Vector, str]]:
    """Each curve with (subjects, points): of a subject the mean of the sides that are known throughout; and its unit."""
    for owner, quantities in QUANTITIES.items():
        for quantity in quantities:
            own = [_of_subject(book.means, f"{owner}.{quantity}") for book in books]
            known = [each for each in own if each is not None]
            units = [book.units.get(f"{side} {owner}.{quantity}", "") for book in books for side in SIDES]
            if known:
                yield f"{owner}.{quantity}", np.array(known), next((each for each in units if each), "")


def _of_subject(means: Mapping[str, Vector], curve: str) -> Vector | None:
    sides = [means[name] for side in SIDES if (name := f"{side} {curve}") in means and np.isfinite(means[name]).all()]
    return np.mean(sides, axis=0) if sides else None
