"""The sheet `mbs Suspension`: one printed page of what a design judge looks for."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path

from sheetmbs.problems.errors import Problem
from sheetmbs.suspension.layout.car import CarData
from sheetmbs.suspension.loads.solve_loads import SolvedLoads
from sheetmbs.suspension.sheets.console_summary import axle_in_words
from sheetmbs.suspension.sheets.design_values import BY_EQUILIBRIUM, SHARE_BY_EQUILIBRIUM, DesignValues
from sheetmbs.suspension.sheets.drawn_lines import DrawnAxle, ShownDesign, SweptTable, lighter, sweep_of, upward
from sheetmbs.suspension.sheets.member_extremes import five_largest, member_extremes
from sheetmbs.suspension.sheets.page_footer import SPACE, foot_lines, largest_lines
from sheetmbs.suspension.sheets.page_table import Group, PageTable
from sheetmbs.suspension.sheets.words import decimals, label
from sheetmbs.suspension.targets.target_report import JudgedTarget
from sheetmbs.workbook.sheets.page_contents import Box, Page, PageCell, PageChart, PageLine, Paper, paler, placed_rows
from sheetmbs.workbook.sheets.sheet_contents import SUSPENSION_PAGE

STATIC: tuple[Group, ...] = (
    ("Wheel", ("camber", "toe", "track")),
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
        ("motion_ratio", "wheel_rate", "wheel_rate_spring", "wheel_rate_preload", "ride_rate", "ride_frequency"),
    ),
    (
        "Roll",
        (
            *("roll_stiffness", "roll_stiffness_springs", "roll_stiffness_bar", "roll_stiffness_with_tyres"),
            *("roll_stiffness_front_share", "roll_gradient"),
        ),
    ),
    (
        "Load transfer at 1 g",
        (
            *("load_transfer_total", "load_transfer_geometric", "load_transfer_elastic", "load_transfer_unsprung"),
            *(BY_EQUILIBRIUM, "load_transfer_front_share", SHARE_BY_EQUILIBRIUM),
        ),
    ),
)
SMALL: tuple[tuple[str, str, str, tuple[float, ...]], ...] = (
    ("heave", "wheel", "camber", ()),
    ("heave", "wheel", "toe", (-0.2, 0.2)),
    ("heave", "axle", "roll_centre_height", ()),
    ("heave", "wheel", "motion_ratio", ()),
    ("steer", "wheel", "steer", ()),
    ("roll", "axle", "roll_moment", ()),
)
"""charts: over which sweep, of wheels or of the axle, what, and what the axis covers at least"""
LABEL, UNIT, VALUE, GAP, CHART = 19.5, 6.8, 7.0, 1.2, 42.0
"""widths of columns, digits"""
HEAD = (30.0, 14.0, 14.0, 18.0)
"""heights of the rows of the head, points; the last is the legend"""
PAPER = 1.6
"""height of the page in its width: of the printed part of A4 it is 1.43, and columns are wider where other fonts stand in"""
POINTS_OF_DIGIT, POINTS_OF_PADDING = 5.25, 3.75
SHORTEST, TALLEST = 13.0, 17.0
"""rows of the tables, points"""
LINE, GREY = "\N{BOX DRAWINGS HEAVY HORIZONTAL}" * 2, "#6B7280"
CONVENTIONS = (
    "ISO 8855: x forward, y left, z up; camber + top outboard; toe + front inboard; travel + bump; roll + right side down; "
    "motion ratio spring per wheel; roll centre kinematic, above the road."
)


@dataclass(frozen=True)
class PageContents:
    """What the page shows. values: of the designs at their design poses, the first first.

    targets: of all of them. loads: of the first.
    """

    path: Path
    when: datetime
    values: Sequence[DesignValues]
    designs: Sequence[ShownDesign]
    swept: Sequence[SweptTable]
    problems: Sequence[Problem]
    targets: Sequence[JudgedTarget]
    loads: SolvedLoads
    stands: Sequence[str] = ()
    """how far its axles stand from design, in words"""

    @property
    def car(self) -> CarData:
        """Car of the first design."""
        return self.values[0].car


def suspension_page(contents: PageContents) -> Page:
    """The page: head, tables on both sides of the charts, and foot, as large as the paper lets them be."""
    at_design = [each for each in contents.targets if not each.target.sweep and not each.design]
    static, elastic = (_table(contents, groups, at_design) for groups in (STATIC, ELASTIC))
    left, right = static.rows(STATIC), elastic.rows(ELASTIC)
    widths = (LABEL, UNIT, *(VALUE,) * static.columns, GAP, CHART, GAP, LABEL, UNIT, *(VALUE,) * elastic.columns)
    first, middle = len(HEAD) + 1, static.columns + 4
    in_tables = {id(row.aim) for row in (*left, *right)}
    others = [each for each in contents.targets if id(each) not in in_tables]
    heaviest = five_largest(member_extremes(contents.car, contents.loads))
    below = [*largest_lines(heaviest, len(widths), middle)]
    below += foot_lines(contents.problems, contents.values[0], contents.loads, others, len(widths), CONVENTIONS)
    rows, tall = _body(widths, max(len(left), len(right)), sum(line.height for line in below))
    per_chart = rows // len(SMALL)
    boxes = [(first + k * per_chart, middle, first + (k + 1) * per_chart - 1, middle) for k in range(len(SMALL))]
    charts, missing = _charts(contents, boxes)
    after = first + rows + 1
    cells = (
        *_head(contents, len(widths), middle),
        *placed_rows(left, first, 1, static.columns),
        *placed_rows(right, first, middle + 2, elastic.columns),
        *missing,
        *(replace(cell, row=row) for row, line in enumerate(below, start=after) for cell in line.cells),
    )
    heights = dict(enumerate(HEAD, start=1)) | dict.fromkeys(range(first, first + rows), tall)
    heights |= {after - 1: SPACE} | {row: line.height for row, line in enumerate(below, start=after)}
    size = after + len(below) - 1, len(widths)
    return Page(SUSPENSION_PAGE, widths, cells, size, Paper(one=True), heights, tuple(charts), is_active=True)


def _table(contents: PageContents, groups: Sequence[Group], targets: Sequence[JudgedTarget]) -> PageTable:
    """A table with the targets of its metrics, the first of each."""
    metrics = {metric for _title, metrics in groups for metric in metrics}
    own: dict[str, JudgedTarget] = {}
    for each in targets:
        if each.target.metric.rpartition(".")[2] in metrics:
            own.setdefault(each.target.metric, each)
    return PageTable(contents.values, contents.designs, own)


def _body(widths: Sequence[float], least: int, foot: float) -> tuple[int, float]:
    """How many rows stand between head and foot, a multiple of the charts' number, and how tall they are, points."""
    across = sum(POINTS_OF_DIGIT * width + POINTS_OF_PADDING for width in widths)
    room = PAPER * across - sum(HEAD) - SPACE - foot
    rows = max(least, int(room / TALLEST))
    rows += -rows % len(SMALL)
    return rows, min(max(room / rows, SHORTEST), TALLEST)


def _head(contents: PageContents, columns: int, middle: int) -> Iterator[PageCell]:
    """Title, file, date, axes, what the axles are, and which line is what."""
    car = contents.car
    yield PageCell(1, 1, f"{contents.path.stem}: suspension", "page title", span=columns)
    axes = str(car.settings.get("axes") or "ISO 8855")
    when = contents.when.strftime("%d %B %Y, %H:%M")
    kinds = "; ".join(map(axle_in_words, car.axles))
    yield PageCell(
        2, 1, f"{contents.path.name} · {when} · hardpoints in {axes} axes · {kinds}", "page text", span=columns
    )
    yield PageCell(3, 1, _car_in_short(contents), "page text", span=columns)
    yield PageCell(4, middle, "", "page text", span=columns - middle + 1, inks=tuple(_legend(contents)))


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


def _charts(contents: PageContents, boxes: Sequence[Box]) -> tuple[list[PageChart], list[PageCell]]:
    """The small charts; a text in the place of one that has nothing to show."""
    charts, missing = [], []
    for (kind, of, metric, reach), box in zip(SMALL, boxes, strict=True):
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
        if kind == "steer" and not axle.is_steered:
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
