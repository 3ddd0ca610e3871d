"""The sheet `mbs Suspension Charts`: pages of six charts, front and rear on one scale, and of loads of members and wheels."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from sheetmbs.suspension.layout.car import SIDES, CarData
from sheetmbs.suspension.loads.solve_loads import SolvedLoads
from sheetmbs.suspension.metrics.all_metrics import declared_metrics
from sheetmbs.suspension.sheets import compliance_bars
from sheetmbs.suspension.sheets.chart_table import CHART_PAGES, ChartPage, ChartSpec
from sheetmbs.suspension.sheets.drawn_lines import (
    DOTTED,
    DrawnAxle,
    LineKind,
    ShownDesign,
    SweptTable,
    sweep_of,
    upward,
)
from sheetmbs.suspension.sheets.geometry_charts import folded_numbers, view_chart
from sheetmbs.suspension.sheets.geometry_views import CarView
from sheetmbs.suspension.sheets.load_page import MemberExtremes, member_extremes
from sheetmbs.suspension.sheets.stepped_rates import SteppedTable
from sheetmbs.suspension.sheets.words import decimals, owner, title
from sheetmbs.suspension.solved_design import SolvedDesign
from sheetmbs.workbook.package.styles import number_format
from sheetmbs.workbook.sheets.page_contents import (
    AxisText,
    Page,
    PageCell,
    PageChart,
    PageColumn,
    PageLine,
    Paper,
    Spot,
    SummaryValue,
    paler,
)
from sheetmbs.workbook.sheets.sheet_contents import LOADS, SUSPENSION_CHARTS

HEADS = {1: "", 2: "tension", 3: "  its case", 4: "compression", 5: "  its case"}
TABLE_WIDTHS = (16.0, 9.0, 17.0, 11.0, 17.0)
"""of the columns of the table, digits"""
MEMBERS, TENSION, COMPRESSION = "members of {}", "tension of {}", "compression of {}"
TALLEST, ROOM, PIXELS = 820, 1.6, 20
"""height of charts over each other, pixels; how far the axis goes beyond the bars, for the names of cases; of a row"""
OF_BARS, PER_BAR = 140, 60
"""pixels of a chart of bars besides these, and of a bar with the space beside it"""
TINTS = (0.0, 0.3, 0.55, 0.75)


@dataclass(frozen=True)
class LoadPart:
    """What a page of loads holds, besides its title: cells, charts, and the columns that these draw."""

    cells: tuple[PageCell, ...]
    charts: tuple[PageChart, ...]
    columns: tuple[PageColumn, ...]


def member_part(members: Sequence[MemberExtremes], design: ShownDesign, first: int, place: tuple[int, int]) -> LoadPart:
    """A table of what members carry at most, and bars beside it. first: row. place: left edge and width of the bars, pixels."""
    axles = list(dict.fromkeys(each.axle for each in members))
    cells: list[PageCell] = []
    charts: list[PageChart] = []
    columns: list[PageColumn] = []
    row = first
    unit = members[0].unit
    reach = ROOM * max(max(each.most[0], -each.least[0], 0.0) for each in members)
    for number, axle in enumerate(axles):
        own = [each for each in members if each.axle == axle]
        heads = HEADS | {1: f"{axle} [{unit}]"}
        cells += [PageCell(row, k, head, "page column" if k in (2, 4) else "page head") for k, head in heads.items()]
        row += 1
        columns += _columns(axle, own, unit, row)
        cells += [cell for at, each in enumerate(own, start=row) for cell in _member_row(each, at)]
        row += len(own) + 1
        height = min(TALLEST // len(axles), OF_BARS + PER_BAR * len(own))
        spot = Spot(first + number * (TALLEST // len(axles)) // PIXELS, *place, height - PIXELS)
        charts.append(_bars(axle, own, unit, design, reach, spot))
    return LoadPart(tuple(cells), tuple(charts), tuple(columns))


def _member_row(each: MemberExtremes, row: int) -> Iterator[PageCell]:
    look = f"page {number_format(decimals(each.unit, abs(each.largest[0])))}"
    shown: tuple[tuple[SummaryValue, str], ...] = (
        (each.member, "page item"),
        (each.tension[0], look),
        (_beside(each.tension[1]), "page unit"),
        (each.compression[0], look),
        (_beside(each.compression[1]), "page unit"),
    )
    for column, (value, of) in enumerate(shown, start=1):
        yield PageCell(row, column, value, of)


def _beside(case: str) -> str:
    """A case a little apart from the number before it."""
    return f"  {case}" if case else ""


def _columns(axle: str, own: Sequence[MemberExtremes], unit: str, row: int) -> Iterator[PageColumn]:
    yield PageColumn(MEMBERS.format(axle), "", row, 1, labels=tuple(each.member for each in own))
    for name, column, values in (
        (TENSION, 2, [each.tension[0] for each in own]),
        (COMPRESSION, 4, [each.compression[0] for each in own]),
    ):
        found = np.array([np.nan if value is None else value for value in values])
        yield PageColumn(name.format(axle), unit, row, column, found)


def _bars(
    axle: str, own: Sequence[MemberExtremes], unit: str, design: ShownDesign, reach: float, spot: Spot
) -> PageChart:
    lines = tuple(
        PageLine(
            f"{SUSPENSION_CHARTS}!{MEMBERS.format(axle)}",
            f"{SUSPENSION_CHARTS}!{name.format(axle)}",
            words,
            color,
            notes=tuple(notes),
        )
        for name, words, color, notes in (
            (TENSION, "largest tension", design.color, [each.tension[1] for each in own]),
            (COMPRESSION, "largest compression", paler(design.color), [each.compression[1] for each in own]),
        )
    )
    axis = AxisText(title("force along the member, + tension", unit), (-reach, reach))
    doc = f"Largest tension and compression along each member of the {axle} axle over all load cases, of both sides"
    return PageChart(f"Members, {axle}", AxisText(""), axis, lines, spot, doc, "bar")


def wheel_loads(car: CarData, cases: int, unit: str, design: ShownDesign, spot: Spot) -> PageChart | None:
    """Vertical loads of the wheels, side by side, for each case; None where there is no case."""
    if not cases:
        return None
    corners = [axle.corner(side) for axle in car.axles for side in SIDES]
    lines = tuple(
        PageLine(f"{LOADS}!case", f"{LOADS}!{design.column(f'{corner}.fz')}", owner(corner), paler(design.color, tint))
        for corner, tint in zip(corners, TINTS, strict=False)
    )
    axis = AxisText(title("vertical load", unit), (0.0,))
    return PageChart(
        "Wheel loads", AxisText(""), axis, lines, spot, "Vertical loads of the wheels in each case", "columns"
    )


ACROSS, DOWN = 2, 3
WIDTH, HEIGHT, GAP, LEFT = 630, 270, 20, 5
"""of charts and between them, pixels"""
NOWHERE = Spot(1, 0, WIDTH, HEIGHT)
"""of charts that the grid places"""
ROWS = 14
"""that a chart and the gap below it are high; 15 points each"""
HEAD = 30.0
PER_PAGE = 2 + DOWN * ROWS
"""rows: the title, a remark, and the charts"""
SCALE = 75
VIEW_HEIGHT = 400
"""of front views, pixels"""
WIDTHS = (2.25, 1.25, 1.25, 1.0)
"""of lines: of the first quantity, and of others on the same chart"""
FINE = 0.02
"""of the usual least length of an axis, of charts of small changes: a fiftieth of a degree"""
MOST_NAMED = 4
"""lines of which a legend names those of right wheels too, which the remark of the page tells"""
DASHES = ("solid", "solid", "long_dash_dot", "dash_dot")
REMARK = "Left solid, right dotted where it differs. Every run draws the charts of sheetmbs on this sheet again."

GEOMETRY, OF_PARTS = "Geometry", "Compliance of parts"
OF_GEOMETRY = (
    "The design pose in true shape, lines cut off 200 mm around the car. Front views: seen from the front, left wheel to the "
    "right. Side view: forward to the right, centres of the left wheels."
)
OF_MEMBERS = f"The largest forces along members over all load cases of {LOADS}, of both sides together."
OF_WHEELS = f"Vertical loads of the wheels in the load cases of {LOADS}; a case without bars has no pose."


@dataclass(frozen=True)
class ChartSources:
    """What charts show besides sheets of sweeps. views: of the car. stepped: rates over the sweeps in which they have steps.

    base: the first design, whose elastic parts have bars.
    """

    views: Sequence[CarView]
    stepped: Mapping[str, SteppedTable]
    base: SolvedDesign


def suspension_charts(
    car: CarData,
    swept: Sequence[SweptTable],
    designs: Sequence[ShownDesign],
    loads: SolvedLoads,
    drawing: ChartSources,
) -> Page:
    """All pages that have something to show, the drawing first. loads: of the first design."""
    views = drawing.views
    drawn = tuple(view_chart(view, _view_spot(number, views)) for number, view in enumerate(views))
    pages = [DrawnPage(GEOMETRY, drawn, OF_GEOMETRY)]
    pages += [page for each in CHART_PAGES for page in _pages(each, car, swept, designs, drawing.stepped)]
    bars = _bars_of_parts(drawing.base, designs, 1 + len(pages) * PER_PAGE)
    pages += [DrawnPage(OF_PARTS, bars.charts, compliance_bars.REMARK)] if bars.charts else []
    pages += _load_pages(car, loads, designs, 1 + len(pages) * PER_PAGE)
    cells: list[PageCell] = []
    charts: list[PageChart] = []
    heights: dict[int, float] = {}
    for number, page in enumerate(pages):
        first = 1 + number * PER_PAGE
        cells += [PageCell(first, 1, page.title, "title"), PageCell(first + 1, 1, page.remark, "remark")]
        heights[first] = HEAD
        cells += page.cells
        charts += [_placed(chart, slot, first + 2) for slot, chart in enumerate(page.charts) if chart]
    firsts = [1 + PER_PAGE * k for k in range(len(pages))]
    paper = Paper(upright=False, scale=SCALE, breaks=tuple(first - 1 for first in firsts[1:]))
    folded = 1 + PER_PAGE * len(pages)
    numbers = folded_numbers(views, drawing.stepped.values(), folded)
    last = max((each.row + len(each.data) for each in numbers.columns), default=folded)
    bars = _bars_of_parts(drawing.base, designs, 1, last + 1)
    columns = (*(column for page in pages for column in page.columns), *numbers.columns, *bars.columns)
    size, shown = (folded - 1, 1), (*cells, *numbers.cells, *bars.cells)
    return Page(SUSPENSION_CHARTS, TABLE_WIDTHS, shown, size, paper, heights, tuple(charts), columns, folded=folded)


def _view_spot(number: int, views: Sequence[CarView]) -> Spot:
    """Two front views stand beside each other, with the side view below them; that of an axle alone is as wide as that."""
    first, whole = 3, ACROSS * WIDTH + GAP
    if number == len(views) - 1:
        return Spot(first + (VIEW_HEIGHT + GAP) // PIXELS, LEFT, whole, DOWN * ROWS * PIXELS - VIEW_HEIGHT - 2 * GAP)
    is_alone = len(views) == ACROSS
    return Spot(first, LEFT + number * (WIDTH + GAP), whole if is_alone else WIDTH, VIEW_HEIGHT)


@dataclass(frozen=True)
class DrawnPage:
    """One sheet of paper. charts: in the order of reading, placed here unless they are; None where there is none."""

    title: str
    charts: tuple[PageChart | None, ...]
    remark: str = REMARK
    cells: tuple[PageCell, ...] = ()
    columns: tuple[PageColumn, ...] = ()


def _load_pages(car: CarData, loads: SolvedLoads, designs: Sequence[ShownDesign], first: int) -> Iterator[DrawnPage]:
    """What members carry at most, and loads of the wheels. first: row in which they begin."""
    members, base = member_extremes(car, loads), designs[0]
    of_design = f", {base.shown}" if len(designs) > 1 else ""
    if members:
        part = member_part(members, base, first + 2, (LEFT + WIDTH + GAP, WIDTH))
        yield DrawnPage(f"Loads of members{of_design}", part.charts, OF_MEMBERS, part.cells, part.columns)
        first += PER_PAGE
    unit = next((column.unit for column in loads.columns if column.name.endswith(".fz")), "")
    spot = Spot(first + 2, LEFT, ACROSS * WIDTH + GAP, DOWN * ROWS * 20 - GAP)
    chart = wheel_loads(car, len(loads.cases), unit, base, spot)
    if chart is not None:
        yield DrawnPage(f"Loads of wheels{of_design}", (chart,), OF_WHEELS)


def _bars_of_parts(
    base: SolvedDesign, designs: Sequence[ShownDesign], page: int, numbers: int = 1
) -> compliance_bars.ComplianceBars:
    """Bars of elastic parts. page: its first row; numbers: the first row of what they draw."""
    spots = [_spot(slot, page + 2) for slot in range(ACROSS * DOWN)]
    return compliance_bars.compliance_bars(base, designs[0], numbers, spots)


def _placed(chart: PageChart, slot: int, first: int) -> PageChart:
    """A chart in its place on the grid, unless it has one of its own."""
    return chart if chart.kind != "line" or chart.box != NOWHERE else replace(chart, box=_spot(slot, first))


def _spot(slot: int, first: int) -> Spot:
    down, across = divmod(slot, ACROSS)
    return Spot(first + down * ROWS, LEFT + across * (WIDTH + GAP), WIDTH, HEIGHT)


def _pages(
    page: ChartPage,
    car: CarData,
    swept: Sequence[SweptTable],
    designs: Sequence[ShownDesign],
    stepped: Mapping[str, SteppedTable],
) -> Iterator[DrawnPage]:
    """A page of the table on as many sheets of paper as it needs."""
    axles = [axle for axle in car.axles if axle.is_steered or not page.only_steered]
    of_axles = {axle.name: found for axle in axles if (found := sweep_of(swept, page.sweep, axle)) is not None}
    overlays = [DrawnAxle(of_axles[axle.name], axle, designs) for axle in axles if axle.name in of_axles]
    if not overlays:
        return
    rows = [row for spec in page.charts if any(row := _row(spec, overlays, stepped))]
    slots = [chart for row in rows for chart in row]
    room = ACROSS * DOWN
    names = list(dict.fromkeys(each.plan.name for each in of_axles.values()))
    heading = page.title if names == [page.sweep] else f"{page.title}: sweep {' and '.join(names)}"
    for start in range(0, len(slots), room):
        more = " (continued)" if start else ""
        yield DrawnPage(f"{heading}{more}", tuple(slots[start : start + room]))


def _row(spec: ChartSpec, overlays: Sequence[DrawnAxle], stepped: Mapping[str, SteppedTable]) -> list[PageChart | None]:
    """A chart for each axle, all on one scale."""
    several = len(overlays) > 1
    found = [_chart(spec, overlay, stepped if spec.has_steps else {}, of_several=several) for overlay in overlays]
    drawn = [chart for chart in found if chart]
    alike = tuple(line.y for chart in drawn for line in chart.lines)
    across = tuple(line.x for chart in drawn for line in chart.lines)
    return [chart and replace(chart, alike=alike, alike_across=across) for chart in found]


def _chart(
    spec: ChartSpec, given: DrawnAxle, stepped: Mapping[str, SteppedTable], *, of_several: bool
) -> PageChart | None:
    lines: list[PageLine] = []
    overlay = replace(given, swept=stepped.get(given.swept.plan.name, given.swept))
    for number, (metric, name) in enumerate(spec.drawn.metrics):
        kind = LineKind(name, DASHES[number], WIDTHS[number], spec.over[0] if spec.over else "")
        lines += overlay.of_wheels(metric, kind) or overlay.of_axle(metric, kind)
    for element in overlay.axle.springs:
        if element.kind in spec.drawn.elements:
            lines += overlay.of_wheels(f"{element.name}_force", LineKind(element.name))
    if not lines:
        return None
    for metric, _name in spec.drawn.metrics[:1]:
        lines += given.targets(metric)
    unit = overlay.swept.unit(_column(lines[0].y))
    axis = upward(spec.quantity, unit, spec.reach, spec.within)
    if spec.is_fine:
        axis = replace(axis, span=FINE * axis.span)
    across = overlay.swept.axis_across()
    if spec.over:
        across = AxisText(title(spec.over[1], overlay.swept.unit(_column(lines[0].x))), span=axis.span)
    if len(lines) > MOST_NAMED:
        lines = [replace(line, is_named=line.dash != DOTTED) for line in lines]
    heading = f"{spec.title}, {overlay.axle.name}" if of_several else spec.title
    return PageChart(heading, across, axis, tuple(lines), NOWHERE, _doc(spec), is_true=spec.is_path)


def _column(key: str) -> str:
    return key.rpartition("!")[2]


def _doc(spec: ChartSpec) -> str:
    """What the quantities are, for those who cannot see the chart, and for those who want to know exactly."""
    known = {metric.name: metric for _group, metric in declared_metrics()}
    told = [
        f"{name}: {known[name].definition}; + {known[name].sign}" for name, _ in spec.drawn.metrics if name in known
    ]
    return ". ".join([spec.title, *told])
