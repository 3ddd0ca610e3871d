"""The sheet `mbs Suspension`: one printed page of what a design judge looks for, with warnings and empty cells at its foot."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from math import floor, isfinite, log10
from pathlib import Path

from sheetmbs.problems.errors import Problem
from sheetmbs.suspension.layout.car import SIDES, AxleData, CarData
from sheetmbs.suspension.loads.solve_loads import SolvedLoads
from sheetmbs.suspension.metrics.all_metrics import declared_metrics
from sheetmbs.suspension.metrics.damping import OF_DAMPERS, damper_rows
from sheetmbs.suspension.metrics.metric import CORNER_LOAD
from sheetmbs.suspension.sheets.design_values import (
    BY_EQUILIBRIUM,
    GRADIENT_BY_EQUILIBRIUM,
    SHARE_BY_EQUILIBRIUM,
    DesignValues,
)
from sheetmbs.suspension.sheets.drawn_lines import DrawnAxle, ShownDesign, SweptTable, lighter, sweep_of, upward
from sheetmbs.suspension.sheets.foot_values import FootValue, foot_values
from sheetmbs.suspension.sheets.geometry_charts import view_chart
from sheetmbs.suspension.sheets.geometry_views import CarView
from sheetmbs.suspension.sheets.load_page import MemberExtremes, five_largest, member_extremes
from sheetmbs.suspension.sheets.page_table import MARKS, MET, Group, PageTable, axle_in_words
from sheetmbs.suspension.sheets.words import MOST_DECIMALS, column_label, decimals, full_label, label, shown_unit
from sheetmbs.suspension.sizing.sized_car import SizedCar
from sheetmbs.suspension.targets.target_report import JudgedTarget
from sheetmbs.workbook.package.styles import number_format
from sheetmbs.workbook.sheets.page_contents import (
    Box,
    Page,
    PageCell,
    PageChart,
    PageLine,
    Paper,
    Spot,
    paler,
    placed_rows,
)
from sheetmbs.workbook.sheets.sheet_contents import LOADS, PROBLEMS, SUSPENSION_PAGE
from sheetmbs.workbook.sheets.sheetxml import DIGIT, PADDING

MOST_WARNINGS, MOST_METRICS, MOST_MISSED, MOST_CASES = 5, 4, 6, 8
RACK_PER_TURN = "rack per turn"
RATIO = "-"
"""the unit of a ratio, which no sentence has"""
TEXT_LOOKS = {True: "page text met", False: "page text missed", None: "page text"}
ROW, VERDICT, SPACE, LETTERS = 14.0, 16.0, 6.0, 140
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


def value_lines(values: Sequence[FootValue], columns: int, middle: int) -> Iterator[FootLine]:
    """Rows of the steering and of reserves. columns: of the page, middle: the one of its charts."""
    if not values:
        return
    yield FootLine((PageCell(0, 1, "Steering and members", "page head", span=columns),))
    for each in values:
        cells = [PageCell(0, 1, each.item, "page item"), PageCell(0, 2, shown_unit(each.unit), "page unit")]
        cells.append(PageCell(0, 3, each.value, f"page {number_format(each.decimals)}"))
        if each.remark:
            cells.append(PageCell(0, middle, each.remark, "page item", span=columns - middle + 1))
        yield FootLine(tuple(cells))


def _wheel_loads(loads: SolvedLoads, car: CarData, first: int, columns: int) -> Iterator[FootLine]:
    """How hard each wheel presses on the road, in the first load cases. first: column of their names."""
    corners = [axle.corner(side) for axle in car.axles for side in SIDES]
    found = [column for corner in corners for column in loads.columns if column.name == f"{corner}.fz"]
    if len(found) != len(corners) or not loads.cases:
        return
    head = [PageCell(0, first, f"Wheel loads, {shown_unit(found[0].unit)}", "page head")]
    head += [PageCell(0, at, corner, "page column") for at, corner in enumerate(corners, start=first + 1)]
    head += [PageCell(0, at, "", "page column") for at in range(first + 1 + len(corners), columns + 1)]
    yield FootLine(tuple(head))
    look = f"page {number_format(decimals(found[0].unit))}"
    for number, case in enumerate(loads.cases[:MOST_CASES]):
        values = [float(column.values[number]) for column in found]
        if all(map(isfinite, values)):
            cells = [PageCell(0, at, value, look) for at, value in enumerate(values, start=first + 1)]
            yield FootLine((PageCell(0, first, case.name, "page item"), *cells))
    if len(loads.cases) > MOST_CASES:
        told = f"{len(loads.cases) - MOST_CASES} more load cases are on {LOADS}"
        yield FootLine((PageCell(0, first, told, "page text", span=columns - first + 1),))


def foot_lines(
    problems: Sequence[Problem],
    values: DesignValues,
    loads: SolvedLoads,
    targets: Sequence[JudgedTarget],
    columns: int,
    last: Sequence[str],
    middle: int,
) -> Iterator[FootLine]:
    """The rows of the foot. values, loads: of the first design. columns: of the page, middle: the one of its charts.

    last: sentences at the very foot.
    """
    told = [*_without_pose(loads), *((each.cell, f"{each.found}: {each.problem}; {each.mend}") for each in problems)]
    more = len(told) - MOST_WARNINGS
    warnings = told[:MOST_WARNINGS] + ([(PROBLEMS, f"and {more} more on {PROBLEMS}")] if more > 0 else [])
    yield from _deviations(targets, middle)
    parts: tuple[tuple[str, list[tuple[str, str, str]]], ...] = (
        ("Warnings", [(*each, "page text") for each in warnings or [("", "none")]]),
        ("What would fill empty cells", [(*each, "page text") for each in _empty(values.car)]),
    )
    for heading, lines in parts:
        if lines:
            yield FootLine((PageCell(0, 1, heading, "page head", span=columns),))
            yield from (_line(cell, text, look, columns) for cell, text, look in lines)
    yield FootLine((), SPACE)
    yield from (_line("", text, "page text", columns) for text in last)


def _deviations(targets: Sequence[JudgedTarget], middle: int) -> Iterator[FootLine]:
    """A row of each target: in words, and how far it is missed as a number. Right of the charts stand what it is, and unit."""
    if not targets:
        return
    heads = [PageCell(0, 1, "Targets", "page head", span=middle + 1)]
    heads += [PageCell(0, middle + at, text, "page column") for at, text in ((2, "off by"), (3, "unit"), (4, "met"))]
    yield FootLine(tuple(heads))
    for each in targets:
        cell, text, look = str(each.target.place), judged_in_words(each), TEXT_LOOKS[each.is_met]
        cells = [PageCell(0, 1, cell, "page link", link=cell), PageCell(0, 2, text, look, span=middle)]
        if isfinite(each.deviation):
            number = f"page {number_format(decimals(each.target.unit, each.deviation))}"
            cells.append(PageCell(0, middle + 2, each.deviation, number))
        cells.append(PageCell(0, middle + 3, shown_unit(each.target.unit), "page unit"))
        cells.append(PageCell(0, middle + 4, MARKS[each.is_met], look))
        yield FootLine(tuple(cells), _height(text))


def _without_pose(loads: SolvedLoads) -> Iterator[tuple[str, str]]:
    """A line for the default load cases without a result, of which the sheet of loads alone says why."""
    lost = [case.name for case, failed in zip(loads.cases, loads.failed, strict=True) if failed and not case.cell]
    if lost:
        more = f" and {len(lost) - MOST_METRICS} more" if len(lost) > MOST_METRICS else ""
        yield LOADS, f"no result of {', '.join(lost[:MOST_METRICS])}{more} (default load cases): {LOADS} says why"


def judged_in_words(each: JudgedTarget) -> str:
    """How far a design is from a target, in words."""
    target, unit = each.target, f" {shown_unit(each.target.unit)}".removesuffix(f" {RATIO}")
    places = _decimals_of(each)
    of_design = f" of {each.design}" if each.design else ""
    name = f"{column_label(target.metric)}{of_design}"
    if target.sweep:
        far = f"off by {each.largest:.{places}f}{unit} at most, {each.rms:.{places}f}{unit} rms"
        told = f"{name}, over {target.sweep}: target {each.shown}; {far}"
    else:
        name += f", in {target.case}" if target.case else ""
        if not isfinite(each.value):
            return f"{name}: it has no value, target {each.shown}"
        told = f"{name}: {each.value:.{places}f}{unit}, target {each.shown}; off by {each.deviation:.{places}f}{unit}"
    return f"{told} {MARKS[each.is_met]}".rstrip()


def _decimals_of(each: JudgedTarget) -> int:
    """Decimals with which a target is read; of one that is missed, so many that two digits tell by how much."""
    usual, off = decimals(each.target.unit), each.largest if each.target.sweep else each.deviation
    if each.is_met is not False or not isfinite(off) or not off:
        return usual
    return min(max(usual, 1 - floor(log10(abs(off)))), MOST_DECIMALS)


def missed_targets(targets: Sequence[JudgedTarget]) -> list[JudgedTarget]:
    """The targets that a design misses."""
    return [each for each in targets if each.is_met is False]


def _verdict(targets: Sequence[JudgedTarget]) -> tuple[str, str]:
    """What stands under the title of targets: those that are missed, a line each, or that all are met; and its look."""
    missed = missed_targets(targets)
    lines = [f"Target missed: {judged_in_words(each)} ({each.target.place})" for each in missed[:MOST_MISSED]]
    if len(missed) > MOST_MISSED:
        lines.append(f"and {len(missed) - MOST_MISSED} more missed targets, listed at the foot of this page")
    judged = sum(each.is_met is not None for each in targets)
    if judged and not missed:
        lines.append(f"All {judged} targets are met {MET}" if judged > 1 else f"The target is met {MET}")
    return "\n".join(lines), "page not met" if missed else "page all met"


def _line(cell: str, text: str, look: str, columns: int) -> FootLine:
    if not cell:
        return FootLine((PageCell(0, 1, text, look, span=columns),), _height(text))
    linked = PageCell(0, 1, cell, "page link", link=cell)
    return FootLine((linked, PageCell(0, 2, text, look, span=columns - 1)), _height(text))


def _height(text: str) -> float:
    return ROW * max(1, -(-len(text) // LETTERS))


def _empty(car: CarData) -> Iterator[tuple[str, str]]:
    """Which setting would fill which metrics, each with the sheet it stands on."""
    springs = _which([axle for axle in car.axles if not axle.is_sprung], car.axles)
    if springs is not None:
        given = "would give motion ratios, wheel rates, ride frequencies and roll stiffness"
        yield "Suspension springs", f"springs{springs} {given}"
    lacking: dict[str, list[str]] = {}
    is_damped = any(damper_rows(axle) for axle in car.axles)
    for _group, metric in declared_metrics():
        for setting in metric.needs if is_damped or metric not in OF_DAMPERS else ():
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


STATIC: tuple[Group, ...] = (
    ("Wheel", ("camber", "toe", "total_toe", "track", "road_height")),
    (
        "Steering axis",
        ("caster", "kpi", "caster_offset", "mechanical_trail", "kingpin_offset", "kingpin_offset_wc", "hub_trail"),
    ),
    ("With travel", ("camber_gradient", "toe_gradient", "caster_gradient")),
    ("In roll", ("roll_centre_height", "roll_camber", "roll_steer")),
    ("Instant centres", ("fvsa", "svsa")),
    ("Anti effects", ("anti_dive", "anti_lift", "anti_squat", "anti_lift_drive")),
    ("Steering", ("steer_ratio", "steer_ratio_overall")),
)
ELASTIC: tuple[Group, ...] = (
    (
        "Springs",
        (
            *("wheel_load", "spring_force", "spring_length", "free_length", "loose_below"),
            *("bump_clearance", "rebound_clearance", "motion_ratio"),
            *("wheel_rate", "wheel_rate_spring", "wheel_rate_preload", "heave_rate"),
            *("ride_rate", "ride_frequency", "damping_ratio"),
        ),
    ),
    (
        "Roll",
        (
            *("roll_stiffness", "roll_stiffness_springs", "roll_stiffness_bar", "roll_stiffness_with_tyres"),
            *("roll_stiffness_front_share", "roll_gradient", GRADIENT_BY_EQUILIBRIUM),
        ),
    ),
    (
        "Load transfer at 1 g",
        (
            *("load_transfer_total", "load_transfer_geometric", "load_transfer_elastic", "load_transfer_unsprung"),
            *(BY_EQUILIBRIUM, "load_transfer_front_share", SHARE_BY_EQUILIBRIUM),
        ),
    ),
    ("Set-up", ("cross_weight", "rake", "least_reserve")),
)
STEER = "steer"
SmallChart = tuple[str, str, str, tuple[float, ...]]
SMALL: tuple[SmallChart, ...] = (
    ("heave", "wheel", "camber", ()),
    ("heave", "wheel", "toe", (-0.2, 0.2)),
    ("heave", "axle", "roll_centre_height", ()),
    ("heave", "wheel", "motion_ratio", ()),
    (STEER, "wheel", "steer", ()),
    ("roll", "axle", "roll_moment", ()),
)
"""charts: over which sweep, of wheels or of the axle, what, and what the axis covers at least"""
LABEL, UNIT, VALUE, AIM, GAP, CHART = 21.5, 7.4, 7.0, (9.0, 6.0, 4.0), 1.2, 62.0
"""widths of columns, digits; AIM: of a target, how far off it is, and its marks"""
TITLE, LEGEND = 30.0, 18.0
"""heights of rows of the head, points"""
PAPER = 1.6
"""height of the page in its width: of the printed part of A4 it is 1.43, and columns are wider where other fonts stand in"""
POINTS_OF_DIGIT, POINTS_OF_PADDING = 5.25, 3.75
SHORTEST, TALLEST = 13.0, 17.0
"""rows of the tables, points"""
BESIDE, VIEW_SHAPE, VIEW_GAP, ROW_PIXELS = 2, 0.44, 10, int(ROW * 96 / 72)
"""front views side by side at the foot, and their height in their width; pixels between them, and of a row there"""
LINE, GREY = "\N{BOX DRAWINGS HEAVY HORIZONTAL}" * 2, "#6B7280"
CONVENTIONS = (
    "ISO 8855: x forward, y left, z up; camber + top outboard; toe + front inboard; travel + bump; roll + right side down; "
    "motion ratio spring per wheel; roll centre kinematic, above the road."
)


@dataclass(frozen=True)
class PageContents:
    """What the page shows. values: of the designs at their design poses, the first first.

    targets: of all of them. loads, sized: of the first.
    """

    path: Path
    when: datetime
    values: Sequence[DesignValues]
    designs: Sequence[ShownDesign]
    swept: Sequence[SweptTable]
    problems: Sequence[Problem]
    targets: Sequence[JudgedTarget]
    loads: SolvedLoads
    sized: SizedCar
    stands: Sequence[str] = ()
    """how far its axles stand from design, in words"""
    loosening: Sequence[str] = ()
    """where springs let go in its sweeps, in words"""
    title: str = ""
    """of the workbook"""

    @property
    def car(self) -> CarData:
        """Car of the first design."""
        return self.values[0].car


def suspension_page(contents: PageContents, views: Sequence[CarView]) -> Page:
    """The page: head, tables on both sides of the charts, and foot, as large as the paper lets them be.

    views: of the car, of which those from the front stand at the foot.
    """
    at_design = [each for each in contents.targets if not each.target.over]
    static, elastic = (_table(contents, groups, at_design) for groups in (STATIC, ELASTIC))
    left, right = static.rows(STATIC), elastic.rows(ELASTIC)
    values = max(
        elastic.columns, 2 * len(contents.car.axles) - 1
    )  # the loads of all wheels stand below, one in the column of units
    widths = (LABEL, UNIT, *_widths(static), GAP, CHART, GAP, LABEL, UNIT, *_widths(elastic))
    widths += (VALUE,) * (values - elastic.columns)
    verdict, look = _verdict(contents.targets)
    head = (TITLE, 2 * ROW, VERDICT * (1 + verdict.count("\n")), LEGEND) if verdict else (TITLE, ROW, ROW, LEGEND)
    first, middle = len(head) + 1, static.columns + 4
    heaviest = five_largest(member_extremes(contents.car, contents.loads))
    below = [FootLine(())] * (1 + -(-_view_size(widths)[1] // ROW_PIXELS))
    below += largest_lines(heaviest, len(widths), middle)
    below += value_lines(tuple(foot_values(contents.car, contents.sized)), len(widths), middle)
    wheels = list(_wheel_loads(contents.loads, contents.car, middle + 2, len(widths)))
    below += foot_lines(
        *(contents.problems, contents.values[0], contents.loads, contents.targets, len(widths)),
        (*contents.loosening, f"{CONVENTIONS} g = {contents.car.gravity:.5g} m/s\N{SUPERSCRIPT TWO}."),
        middle,
    )
    foot = sum(line.height for line in below)
    rows, tall = _body(widths, max(len(left), len(right) + len(wheels)), sum(head) + foot)
    is_steered = any(axle.is_steered for axle in contents.car.axles)
    small = [each for each in SMALL if is_steered or each[0] != STEER]
    ends = [first + rows * k // len(small) for k in range(len(small) + 1)]
    boxes = {each: (start, middle, end - 1, middle) for each, start, end in zip(small, ends, ends[1:], strict=False)}
    charts, missing = _charts(contents, boxes)
    after = first + rows + 1
    charts += _foot_views(views, widths, after)
    cells = (
        *_head(contents, len(widths), verdict, look),
        PageCell(first - 1, middle, "", "page text", span=len(widths) - middle + 1, inks=tuple(_legend(contents))),
        *placed_rows(left, first, 1, static.columns),
        *placed_rows(right, first, middle + 2, values),
        *_placed(wheels, first + len(right)),
        *missing,
        *_placed(below, after),
    )
    heights = dict(enumerate(head, start=1)) | dict.fromkeys(range(first, first + rows), tall)
    heights |= {after - 1: SPACE} | {row: line.height for row, line in enumerate(below, start=after)}
    size = after + len(below) - 1, len(widths)
    return Page(SUSPENSION_PAGE, widths, cells, size, Paper(one=True), heights, tuple(charts), is_active=True)


def _view_size(widths: Sequence[float]) -> tuple[int, int]:
    """Pixels of a view at the foot. widths: of the columns of the page, digits."""
    room = sum(DIGIT * width + PADDING for width in widths)
    width = (room - VIEW_GAP * (BESIDE - 1)) / BESIDE
    return round(width), round(VIEW_SHAPE * width)


def _foot_views(views: Sequence[CarView], widths: Sequence[float], first: int) -> Iterator[PageChart]:
    """The front views side by side, that of an axle alone beside the side view. first: row."""
    width, height = _view_size(widths)
    for number, view in enumerate(views[:-1] if len(views) > BESIDE else views):
        yield view_chart(view, Spot(first, number * (width + VIEW_GAP), width, height), every=2)


def _table(contents: PageContents, groups: Sequence[Group], targets: Sequence[JudgedTarget]) -> PageTable:
    """A table with the targets of its metrics, the first of each."""
    metrics = {metric for _title, metrics in groups for metric in metrics}
    own: dict[tuple[str, str], JudgedTarget] = {}
    for each in targets:
        if each.target.metric.rpartition(".")[2] in metrics:
            own.setdefault((each.design, each.target.metric), each)
    return PageTable(contents.values, contents.designs, own)


def _widths(table: PageTable) -> tuple[float, ...]:
    """Of the columns of values of a table, the last of which may be targets."""
    return (VALUE,) * (table.columns - len(AIM)) + AIM if table.aims else (VALUE,) * table.columns


def _placed(lines: Sequence[FootLine], first: int) -> Iterator[PageCell]:
    return (replace(cell, row=row) for row, line in enumerate(lines, start=first) for cell in line.cells)


def _body(widths: Sequence[float], least: int, others: float) -> tuple[int, float]:
    """How many rows stand between head and foot, a multiple of the charts' number, and how tall they are, points.

    others: the height of head and foot, points.
    """
    across = sum(POINTS_OF_DIGIT * width + POINTS_OF_PADDING for width in widths)
    room = PAPER * across - SPACE - others
    rows = max(least, int(room / TALLEST))
    rows += -rows % len(SMALL)
    return rows, min(max(room / rows, SHORTEST), TALLEST)


def _head(contents: PageContents, columns: int, verdict: str, look: str) -> Iterator[PageCell]:
    """Title, file, date, axes, and what the axles are."""
    car = contents.car
    yield PageCell(1, 1, contents.title or f"{contents.path.stem}: suspension", "page title", span=columns)
    axes = str(car.settings.get("axes") or "ISO 8855")
    when = contents.when.strftime("%d %B %Y, %H:%M")
    kinds = "; ".join(map(axle_in_words, car.axles))
    about = f"{contents.path.name} · {when} · hardpoints in {axes} axes · {kinds}", _car_in_short(contents)
    lines = [("\n".join(about), "page text"), (verdict, look)] if verdict else [(each, "page text") for each in about]
    yield from (PageCell(row, 1, line, own, span=columns) for row, (line, own) in enumerate(lines, start=2))


def _legend(contents: PageContents) -> Iterator[tuple[str, str]]:
    """Which colour is which design or axle; what the charts do not say by themselves."""
    axles, first = contents.values[0].axles, contents.designs[0]
    if len(contents.designs) > 1:
        yield from ((f"{LINE} {design.shown}   ", design.color) for design in contents.designs)
        yield f"{'rear paler, ' if len(axles) > 1 else ''}right dotted where it differs", GREY
        return
    yield from (
        (f"{LINE} {axle}   ", color) for axle, color in zip(axles, (first.color, paler(first.color)), strict=False)
    )
    yield "right dotted where it differs", GREY


def _car_in_short(contents: PageContents) -> str:
    """The numbers by which a car is known."""
    car = contents.car
    told = [
        (name, value, size, unit)
        for name, size, unit in (
            ("wheelbase", 1e-3, "mm"),
            ("mass", 1.0, "kg"),
            ("weight front", 0.01, "%"),
            ("cg height", 1e-3, "mm"),
        )
        if (value := car.number(name)) is not None
    ]
    parts = [
        f"{name} {value / size:.{decimals(unit, value / size) if unit == '%' else 0}f} {unit}"
        for name, value, size, unit in told
    ]
    radii = " / ".join(f"{(axle.number('tyre radius') or 0.0) * 1e3:.0f}" for axle in car.axles)
    return " · ".join([*parts, f"tyre radius {radii} mm", *contents.stands])


def _charts(contents: PageContents, boxes: Mapping[SmallChart, Box]) -> tuple[list[PageChart], list[PageCell]]:
    """The small charts; a text in the place of one that has nothing to show."""
    charts, missing = [], []
    for (kind, of, metric, reach), box in boxes.items():
        chart = _small(contents, kind, of, metric, reach, box)
        if chart is None:
            why = f"{label(metric)}: nothing to show over a sweep of type {kind}"
            missing.append(PageCell(box[0] + 1, box[1], why, "page text"))
        else:
            charts.append(chart)
    return charts, missing


def _small(
    contents: PageContents, kind: str, of: str, metric: str, reach: tuple[float, ...], box: Box
) -> PageChart | None:
    """A small chart of both axles: the rear one paler."""
    lines: list[PageLine] = []
    unit, across = "", None
    for number, axle in enumerate(contents.car.axles):
        swept = sweep_of(contents.swept, kind, axle)
        if swept is None:
            continue
        if kind == STEER and not axle.is_steered:
            continue
        overlay = DrawnAxle(swept, axle, contents.designs)
        found = overlay.of_wheels(metric) if of == "wheel" else overlay.of_axle(metric)
        if found:
            column = found[0].y.rpartition("!")[2]
            unit, across = swept.unit(column), swept.axis_across()
            lines += [*(lighter(found) if number else found), *overlay.targets(metric)]
    if not lines or across is None:
        return None
    doc = f"{label(metric)} over {across.title}"
    return PageChart(
        label(metric).capitalize(), across, upward(label(metric), unit, reach), tuple(lines), box, doc, is_small=True
    )
