"""The foot of the page: warnings with links to their cells, what would fill empty cells, and the conventions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from sheetmbs.problems.errors import Problem
from sheetmbs.suspension.layout.car import AxleData, CarData
from sheetmbs.suspension.loads.solve_loads import SolvedLoads
from sheetmbs.suspension.metrics.all_metrics import declared_metrics
from sheetmbs.suspension.metrics.metric_contexts import CORNER_LOAD
from sheetmbs.suspension.sheets.design_values import DesignValues
from sheetmbs.suspension.sheets.load_page import MemberExtremes
from sheetmbs.suspension.sheets.words import column_label, decimals, full_label, shown_unit
from sheetmbs.suspension.targets.target_report import JudgedTarget
from sheetmbs.workbook.package.styles import number_format
from sheetmbs.workbook.sheets.page_contents import PageCell
from sheetmbs.workbook.sheets.sheet_contents import LOADS, PROBLEMS

MOST_WARNINGS, MOST_METRICS = 5, 4
RACK_PER_TURN = "rack per turn"
ROW, SPACE, LETTERS = 14.0, 6.0, 140
"""points; letters that a row of the whole width holds"""


@dataclass(frozen=True)
class FootLine:
    """A row of the foot. cells: as of row 0. height: points."""

    cells: tuple[PageCell, ...]
    height: float = ROW


def largest_lines(members: Sequence[MemberExtremes], columns: int, middle: int) -> Iterator[FootLine]:
    """Rows of the members that carry most. columns: of the page, middle: the one of its charts."""
    if not members:
        return
    heads = (("Largest member forces, + tension", 1, middle - 1), ("in the load case", middle, columns - middle + 1))
    yield FootLine(tuple(PageCell(0, at, head, "page head", span=span) for head, at, span in heads))
    for each in members:
        force, case = each.largest
        look = f"page {number_format(decimals(each.unit, force))}"
        cells = [PageCell(0, 1, each.name, "page item"), PageCell(0, 2, each.unit, "page unit")]
        cells += [PageCell(0, 3, force, look), PageCell(0, middle, case, "page item", span=columns - middle + 1)]
        yield FootLine(tuple(cells))


def foot_lines(
    problems: Sequence[Problem],
    values: DesignValues,
    loads: SolvedLoads,
    targets: Sequence[JudgedTarget],
    columns: int,
    conventions: str,
) -> Iterator[FootLine]:
    """The rows of the foot. values, loads: of the first design. targets: that stand in no table. columns: of the page."""
    told = [*_without_pose(loads), *((each.cell, f"{each.found}: {each.problem}; {each.mend}") for each in problems)]
    more = len(told) - MOST_WARNINGS
    warnings = told[:MOST_WARNINGS] + ([(PROBLEMS, f"and {more} more on {PROBLEMS}")] if more > 0 else [])
    parts = (
        ("Targets", [_judged(each) for each in targets]),
        ("Warnings", warnings or [("", "none")]),
        ("What would fill empty cells", list(_empty(values.car))),
    )
    for heading, lines in parts:
        if lines:
            yield FootLine((PageCell(0, 1, heading, "page head", span=columns),))
            yield from (_line(cell, text, columns) for cell, text in lines)
    yield FootLine((), SPACE)
    yield FootLine((PageCell(0, 1, conventions, "page text", span=columns),), _height(conventions))


def _without_pose(loads: SolvedLoads) -> Iterator[tuple[str, str]]:
    """A line for the default load cases without a result, of which the sheet of loads alone says why."""
    lost = [case.name for case, failed in zip(loads.cases, loads.failed, strict=True) if failed and not case.cell]
    if lost:
        more = f" and {len(lost) - MOST_METRICS} more" if len(lost) > MOST_METRICS else ""
        yield LOADS, f"no result of {', '.join(lost[:MOST_METRICS])}{more} (default load cases): {LOADS} says why"


def _judged(each: JudgedTarget) -> tuple[str, str]:
    """The cell of a target, and how far a design is from it."""
    target, unit = each.target, shown_unit(each.target.unit)
    places = decimals(target.unit)
    verdict = {True: "✓", False: "✗", None: ""}[each.is_met]
    of_design = f" of {each.design}" if each.design else ""
    name = f"{column_label(target.metric)}{of_design}"
    if target.sweep:
        far = f"off by {each.largest:.{places}f} {unit} at most, {each.rms:.{places}f} {unit} rms"
        told = f"{name}, over {target.sweep}: target {each.shown}; {far}"
    else:
        told = f"{name}: {each.value:.{places}f} {unit}, target {each.shown}; off by {each.deviation:.{places}f} {unit}"
    return str(target.place), f"{told} {verdict}".rstrip()


def _line(cell: str, text: str, columns: int) -> FootLine:
    if not cell:
        return FootLine((PageCell(0, 1, text, "page text", span=columns),), _height(text))
    linked = PageCell(0, 1, cell, "page link", link=cell)
    return FootLine((linked, PageCell(0, 2, text, "page text", span=columns - 1)), _height(text))


def _height(text: str) -> float:
    return ROW * max(1, -(-len(text) // LETTERS))


def _empty(car: CarData) -> Iterator[tuple[str, str]]:
    """Which setting would fill which metrics, each with the sheet it stands on."""
    springs = _which([axle for axle in car.axles if not axle.is_sprung], car.axles)
    if springs is not None:
        given = "would give motion ratios, wheel rates, ride frequencies and roll stiffness"
        yield "Suspension springs", f"springs{springs} {given}"
    lacking: dict[str, list[str]] = {}
    for _group, metric in declared_metrics():
        for setting in metric.needs:
            axles = _blank_on(car, setting)
            if axles is not None:
                lacking.setdefault(f"{setting}{axles}", []).append(full_label(metric.name))
    for setting, metrics in lacking.items():
        names = list(dict.fromkeys(metrics))
        more = f" and {len(names) - MOST_METRICS} more" if len(names) > MOST_METRICS else ""
        yield "Suspension", f"{setting} would give {', '.join(names[:MOST_METRICS])}{more}"


def _blank_on(car: CarData, setting: str) -> str | None:
    """On which axles a setting is blank, in words, ``""`` on all that may have it; None where it is not."""
    of_car = ("mass", "weight front") if setting == CORNER_LOAD else (setting,)
    if all(car.number(each) is not None for each in of_car):
        return None
    able = [axle for axle in car.axles if axle.is_steered or setting != RACK_PER_TURN]
    return _which([axle for axle in able if axle.number(setting) is None], able)


def _which(lacking: Sequence[AxleData], able: Sequence[AxleData]) -> str | None:
    """Which axles these are, in words: ``""`` all, None none."""
    if len(lacking) == len(able):
        return "" if able else None
    return f" of the {lacking[0].name} axle" if lacking else None
