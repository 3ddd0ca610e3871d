"""Lists of hardpoints in the forms in which people have them: which form a file has, and what stands in it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from sheetmbs.importing.lines import refused
from sheetmbs.problems.errors import Problem, WorkbookError
from sheetmbs.suspension.hardpoint_lists.adams_hardpoints import is_of_adams, read_adams
from sheetmbs.suspension.hardpoint_lists.list_reading import ListedPoint, ListedSetting, ListReading, axle_told
from sheetmbs.suspension.hardpoint_lists.list_rows import ListRow, pieces, read_rows
from sheetmbs.suspension.hardpoint_lists.lotus_listing import is_listing, read_listing
from sheetmbs.suspension.hardpoint_lists.optimumk_export import read_optimumk
from sheetmbs.suspension.hardpoint_lists.point_table import columns_of, read_table
from sheetmbs.suspension.hardpoint_lists.shark_file import is_shark_file, read_shark_file
from sheetmbs.suspension.layout.aliases import told_name
from sheetmbs.suspension.reading.vehicle_axes import NAMED

OPTIMUMK, LOTUS, SHARK, ADAMS, TABLE = FORMS = ("optimumk", "lotus", "shk", "adams", "csv")
Axes = tuple[str, str, str]


@dataclass(frozen=True)
class PointList:
    """What a file holds. axes: words for its axes, None where they are those of the workbook.

    carriers: by axle, the body that carries the rod, as the file tells it. notes: findings, with lines that give nothing.
    """

    form: str
    points: tuple[ListedPoint, ...]
    axes: Axes | None
    notes: tuple[Problem, ...]
    settings: tuple[ListedSetting, ...] = ()
    carriers: dict[str, str] = field(default_factory=dict)


def read_list(path: Path, form: str = "", axle: str = "", unit: str = "") -> PointList:
    """The points of a file. form: of `FORMS`; axle, unit: what is given where the file does not; ``""`` unknown.

    Raises WorkbookError with every slip, each with its line.
    """
    rows = read_rows(path)
    named_form, form = form, form or _form(path, rows)
    reading = ListReading(unit)
    default = axle or axle_told(path.stem)
    axes: Axes | None = NAMED["Lotus"]
    if form in (LOTUS, SHARK):
        if is_shark_file(rows) or (form == SHARK and not is_listing(rows)):
            read_shark_file(path, axle, reading)
        else:
            read_listing(rows, default, reading)
    elif form == ADAMS:
        axes = read_adams(rows, default, reading)
    elif form == OPTIMUMK:
        axes = NAMED["ISO 8855"]
        read_optimumk(rows, default, reading)
    else:
        axes = NAMED.get(read_table(rows, default, reading))
    problems = [*reading.problems, *_without_axle(reading.points)]
    if problems:
        raise WorkbookError(problems)
    if not reading.points:
        rule = f"no line of it holds the name of a hardpoint and its coordinates, read as {form}"
        told = "name its form with --from" if not named_form else "leave --from out, or name its form with it"
        raise refused("no-hardpoints", str(path), rule, f"{told}: {', '.join(FORMS)}")
    return PointList(
        form, tuple(reading.points), axes, tuple(reading.notes(form)), tuple(reading.settings), reading.carriers
    )


def _form(path: Path, rows: Sequence[ListRow]) -> str:
    """The form in which a file is, by what stands in it."""
    if is_shark_file(rows):
        return SHARK
    if is_listing(rows):
        return LOTUS
    if is_of_adams(rows):
        return ADAMS
    if any(columns_of(row) is not None for row in rows):
        return TABLE
    if any(told_name(cell)[0] for row in rows for cell in pieces(row)):
        return OPTIMUMK
    rule = "nothing in it is known: no listing or .shk file of Lotus, no columns point, x, y, z, no names of hardpoints"
    raise refused("unknown-format", str(path), rule, f"name its form with --from: {', '.join(FORMS)}")


def _without_axle(points: Sequence[ListedPoint]) -> Iterator[Problem]:
    """Say once that nothing tells of which axle points are."""
    first = next((point for point in points if not point.axle), None)
    if first is not None:
        rule = "nothing in the file tells of which axle it is"
        yield Problem("missing-axle", "error", first.place, first.name, rule, "add --axle front or --axle rear")
