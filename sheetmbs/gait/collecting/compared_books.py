"""Two workbooks of one subject against each other: differences of their items with uncertainty, and curves overlaid.

Two workbooks are two sessions: markers were placed and the subject was weighed each time, so that nothing of their uncertainty
cancels, and that of a difference is the root of the sum of squares.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from math import hypot
from pathlib import Path

from sheetmbs.gait.collecting.collected_subjects import disagreements
from sheetmbs.gait.collecting.run_books import RunBook, RunItem, read_run_books
from sheetmbs.gait.trial.gait_book import SIDES
from sheetmbs.problems.errors import Problem, WorkbookError
from sheetmbs.schema.names import fold
from sheetmbs.workbook.package.replace import create_book
from sheetmbs.workbook.writing.compared_book import ComparedCurve, OverlaidChart, OverlaidLine, compared_book

STEM = "compared"
HEADS = ("item", "side", "joint", "unit", "first", "u_first", "second", "u_second", "difference", "u_difference")
JUDGED = ("larger than 2 u", "mdc", "larger than mdc")
CLEAR = 2.0
"""standard uncertainties by which two values differ clearly"""
OVERLAID = tuple(
    f"{joint}.{quantity}" for quantity in ("angle", "moment", "power") for joint in ("hip", "knee", "ankle")
)
COLORS = {"right": "#1F5FA8", "left": "#C00000"}
WORDS = ("first", "second")
"""what the workbooks are called in lists"""
Cell = str | float | None


def compare(paths: Sequence[Path], out: Path, mdc: str | None) -> tuple[list[str], list[Problem]]:
    """Write the comparison of two workbooks of one id into a new one; a file that is there already is never overwritten.

    mdc: minimal detectable changes as they were typed, ``hip.angle=5; speed=0.1``. Returns sentences and warnings. Raises
    WorkbookError with every problem of every book; nothing is written then.
    """
    limits = limits_of(mdc)
    if len(paths) != 2:
        raise _refused("not-two", f"{len(paths)} workbooks", "--compare puts two against each other", "name two")
    books, problems = read_run_books(paths)
    if len(books) == len(paths):
        problems += disagreements(books)
        if books[0].id != books[1].id:
            found = f"{books[0].path} is of {books[0].id}, {books[1].path} of {books[1].id}"
            problem = "two workbooks of one id are compared"
            problems.append(
                Problem("other-subject", "error", str(books[1].path), found, problem, "write the same id on Subject")
            )
    if problems:
        raise WorkbookError(problems)
    rows = list(item_rows(books[0], books[1], limits))
    known = {name for row in rows for name in _names(str(row[0]), str(row[1]), str(row[2]))}
    unknown = [name for name in limits if name not in known]
    warnings = [
        Problem("unknown-name", "warning", "", f"--mdc {name}", "no item has that name", "write it as the list has it")
        for name in unknown
    ]
    create_book(out, _book(books, rows), STEM)
    clear = sum(row[10] == "yes" for row in rows)
    return [f"  {len(rows)} items, {clear} of them differ by more than 2 u"], warnings


def limits_of(text: str | None) -> dict[str, float]:
    """Minimal detectable changes by folded name. Raises WorkbookError where they cannot be read."""
    found: dict[str, float] = {}
    for piece in filter(None, (each.strip() for each in (text or "").split(";"))):
        name, _, value = piece.rpartition("=")
        try:
            found[_key(name)] = abs(float(value))
        except ValueError as error:
            mend = 'write --mdc "hip.angle=5; speed=0.1"'
            raise _refused("wrong-mdc", f"--mdc {piece!r}", "it is a name, = and a number", mend) from error
    return found


def _key(name: str) -> str:
    return fold(name.replace(".", " "))


def _names(item: str, side: str, joint: str) -> Iterator[str]:
    """Under which names a change may be given: of the item, of a joint and its quantity, each of a side or both."""
    quantity = item.split(" ", maxsplit=1)[0]
    for plain in (item, f"{joint} {item}".strip(), *([f"{joint} {quantity}"] if joint else [])):
        yield _key(plain)
        if side:
            yield _key(f"{side} {plain}")


def item_rows(first: RunBook, second: RunBook, limits: Mapping[str, float]) -> Iterator[tuple[Cell, ...]]:
    """A row for each item that stands once in both summaries: second less first, and whether that is clear."""
    others = _once(second)
    for key, one in _once(first).items():
        two = others.get(key)
        if two is None:
            continue
        difference = two.value - one.value
        u = None if one.u is None or two.u is None else hypot(one.u, two.u)
        clear = None if u is None else "yes" if abs(difference) > CLEAR * u else "no"
        mdc = next((limits[name] for name in _names(one.item, one.side, one.joint) if name in limits), None)
        beyond = None if mdc is None else "yes" if abs(difference) > mdc else "no"
        values = (one.value, one.u, two.value, two.u, difference, u)
        yield (one.item, one.side, one.joint, one.unit, *values, clear, mdc, beyond)


def _once(book: RunBook) -> dict[tuple[str, str, str, str], RunItem]:
    keys = [(each.item, each.side, each.joint, each.unit) for each in book.items]
    return {key: each for key, each in zip(keys, book.items, strict=True) if keys.count(key) == 1}


def _book(books: Sequence[RunBook], rows: Sequence[Sequence[Cell]]) -> bytes:
    at, judged = HEADS.index("difference"), len(HEADS)
    bold = {(number, at) for number, row in enumerate(rows) if row[judged] == "yes"}
    told = []
    for word, each in zip(WORDS, books, strict=True):
        about = ", ".join(filter(None, (each.subject.get("date", ""), each.condition)))
        told.append(f"{word}: {each.path.name}{f' ({about})' if about else ''}")
    told.append("difference: second less first; in bold where it is larger than 2 u")
    curves = [ComparedCurve("percent", "%", books[0].percent)]
    charts = []
    for name in OVERLAID:
        lines, unit = [], ""
        for side in SIDES:
            for number, each in enumerate(books):
                curve = f"{side} {name}"
                if curve in each.means:
                    unit = each.units.get(curve, "")
                    lines.append(OverlaidLine(f"{side} {each.path.stem}", len(curves), COLORS[side], number > 0))
                    curves.append(ComparedCurve(f"{curve} {WORDS[number]}", unit, each.means[curve]))
        if lines:
            charts.append(OverlaidChart(name.replace(".", " "), unit, lines))
    return compared_book((*HEADS, *JUDGED), rows, bold, told, curves, charts)


def _refused(code: str, found: str, problem: str, mend: str) -> WorkbookError:
    return WorkbookError([Problem(code, "error", "", found, problem, mend)])
