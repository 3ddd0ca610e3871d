"""The printable page `mbs Gait report`: an overview on one sheet of paper, then scores and times, then what can be believed.

In space the overview is two sheets: angles by planes, and moments, powers and forces. Below stands, for the screen, one page of
each side. Charts draw the columns of means on the sheets of angles, moments and powers; what they need besides stands right of
the printed pages.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from sheetmbs.gait.sheets.charted_columns import KINDS, ChartedColumns, out_of_plane
from sheetmbs.gait.sheets.gait_presentation import GaitPresentation
from sheetmbs.gait.sheets.report_belief import belief_part, foot_lines
from sheetmbs.gait.sheets.report_charts import ReportCharts, Slot
from sheetmbs.gait.sheets.report_in_space import kinematics_part, kinetics_part
from sheetmbs.gait.sheets.report_parts import (
    BLOCK,
    DOTTED,
    FOOT,
    GAP,
    GREY,
    HEAVY,
    LAST,
    ROW,
    SPACE,
    TABLE,
    TICK,
    TITLE,
    PrintedPart,
    chart_columns,
    fitted_widths,
    grown,
    legend,
    titles,
    told_heights,
)
from sheetmbs.gait.sheets.report_scores import scores_part
from sheetmbs.gait.sheets.report_tables import NARROW, VALUES, out_of_plane_peaks, peaks_table, times_table
from sheetmbs.gait.sheets.shown_items import GaitContents, PeakChanges, ShownItem, shown_items
from sheetmbs.gait.trial.gait_book import Side
from sheetmbs.workbook.sheets.page_contents import (
    Box,
    Page,
    PageCell,
    PageChart,
    PagePicture,
    PageRow,
    Paper,
    placed_rows,
)
from sheetmbs.workbook.sheets.sheet_contents import GAIT_REPORT
from sheetmbs.workbook.sheets.sheetxml import DIGIT, PADDING

BESIDE = LAST + 2
"""column from which on stand the columns that charts draw"""
WIDTH_BESIDE = 14.0
PER_CHART = 12
"""rows that a chart is high where there are three below each other"""
SIDE_CHART = 13
"""the same on pages of single sides, which no sheet of paper limits"""
ROWS_OF_CHARTS = 40
"""rows of all charts below each other, where there are more than three"""
MOST_PROBLEMS = 6
"""that the overview of trials in the plane tells"""
TALL = 26
"""rows that one is high which stands alone in its column"""
LOGO = (72, 300)
"""pixels that the picture of the laboratory has room in: high and wide"""
LEAST_OF_CHART = 9
"""rows of the lowest chart that is drawn below a table"""
SIDE_TITLES = {"left": "Left side", "right": "Right side"}


def report_page(gait: GaitPresentation, contents: GaitContents) -> Page:
    """All pages, one below the other; those of single sides, which come last, are not printed."""
    items = tuple(shown_items(gait, contents.items))
    stances = {each.side: each.value for each in items if each.item == "stance" and isinstance(each.value, float)}
    columns = ChartedColumns(gait, BESIDE, stances, contents.believed)
    charts = ReportCharts(gait, columns)
    if gait.book.dimension == "3D":
        first = [kinematics_part(gait, charts, contents), kinetics_part(gait, charts)]
    else:
        first = [_overview(gait, charts, items, contents)]
    printed = [each for each in first if each is not None]
    printed += [
        scores_part(gait, items, contents, columns),
        belief_part(gait, contents, has_foot=gait.book.dimension == "3D"),
    ]
    grid = fitted_widths(printed)
    printed = [grown(each, grid) for each in printed]
    of_sides = [part for side in charts.sides() for part in _of_side(gait, charts, items, contents.changes, side)]
    cells: list[PageCell] = []
    drawn: list[PageChart] = []
    heights: dict[int, float] = {}
    areas: list[Box] = []
    for part in (*printed, *of_sides):
        above = areas[-1][2] if areas else 0
        cells += [replace(cell, row=cell.row + above) for cell in part.cells]
        drawn += [replace(chart, box=_moved(chart.box, above)) for chart in part.charts]  # type: ignore[arg-type]
        heights |= {row + above: height for row, height in part.heights.items()}
        areas.append((above + 1, 1, above + part.rows, LAST))
    cells += columns.cells()
    widths = (*grid, GAP, *(WIDTH_BESIDE,) * len(columns.columns))
    size = areas[-1][2], LAST
    paper = Paper(upright=False, areas=tuple(areas[: len(printed)]), foot=gait.say(FOOT))
    logo = gait.book.subject.printed.get("logo", "")
    pictures = tuple(_logo(logo, top, widths) for top, *_ in paper.areas) if logo else ()
    return Page(
        GAIT_REPORT,
        widths,
        tuple(cells),
        size,
        paper,
        heights,
        tuple(drawn),
        columns.columns,
        is_active=True,
        pictures=pictures,
    )


def _logo(name: str, row: int, widths: Sequence[float]) -> PagePicture:
    """The picture of the laboratory in the upper right corner of a page."""
    right = round(sum(DIGIT * width + PADDING for width in widths[:LAST]))
    return PagePicture(name, row, right, *LOGO)


def _moved(box: Box, by: int) -> Box:
    return box[0] + by, box[1], box[2] + by, box[3]


def _overview(
    gait: GaitPresentation, charts: ReportCharts, items: Sequence[ShownItem], contents: GaitContents
) -> PrintedPart:
    """Subject, charts of both sides, times and lengths, forces of the ground, method, problems."""
    sides = charts.sides()
    head = [*titles(gait, "Gait report")]
    if sides:
        head.append(PageCell(4, 1, "", "page text", span=LAST, inks=tuple(legend(gait, charts, sides))))
    first = 5
    quantities = charts.joint_rows(sides)
    per_chart = PER_CHART if len(quantities) > 1 else TALL
    drawn = list(_grid(quantities, first, per_chart, lambda k, q, slot: charts.joint(sides, k, q, slot)))
    table = times_table(gait, items, sides) if sides else []
    below = first + len(table) + 1
    axes = [axis for axis in ("fy", "fx") if charts.ground(sides, axis, Slot((1, 1, 1, 1)))]
    last_row = first + per_chart * max(len(quantities), bool(axes)) - 1
    last_row = max(last_row, below - 2)
    if axes:
        high = (last_row - below + 1) // len(axes)
        for number, axis in enumerate(axes):
            is_last = number + 1 == len(axes)
            top = below + number * high
            bottom = last_row if is_last else top + high - 1
            drawn += _known(charts.ground(sides, axis, Slot((top, TABLE, bottom, LAST), is_last)))
    cells = [*head, *placed_rows(table, first, TABLE, VALUES + NARROW)]
    heights = {1: TITLE} | told_heights(head) | dict.fromkeys(range(first, last_row + 1), ROW)
    heights[last_row + 1] = SPACE
    said = list(foot_lines(gait, contents, MOST_PROBLEMS))
    for row, (line, height) in enumerate(said, start=last_row + 2):
        cells += [replace(cell, row=row) for cell in line]
        heights[row] = height
    return PrintedPart(tuple(cells), tuple(drawn), heights, last_row + 1 + len(said))


def _of_side(
    gait: GaitPresentation, charts: ReportCharts, items: Sequence[ShownItem], changes: PeakChanges, side: Side
) -> Iterator[PrintedPart]:
    """Charts of one side upon their standard deviations, and its peaks; what is out of the plane on a page of its own."""
    joints = [row.name for kind in KINDS if (row := gait.of_kind(kind, side)) is not None]
    in_plane = charts.joint_rows([side])
    peaks = list(peaks_table(items, changes, side, joints))
    yield _side_page(gait, charts, changes, side, "", in_plane, peaks)
    beside = charts.joint_rows([side], out_of_plane(gait))
    if beside:
        peaks = list(peaks_table(items, changes, side, joints, out_of_plane_peaks(out_of_plane(gait))))
        yield _side_page(gait, charts, changes, side, ", adduction and rotation", beside, peaks)


def _side_page(
    gait: GaitPresentation,
    charts: ReportCharts,
    changes: PeakChanges,
    side: Side,
    about: str,
    quantities: Sequence[str],
    table: Sequence[PageRow],
) -> PrintedPart:
    """about: what its title says beside the side. quantities: rows of charts."""
    count = len(gait.counting(side))
    head = [*titles(gait, gait.say(SIDE_TITLES[side]) + about)]
    kind = "estimated " if gait.is_estimated(side) else ""
    of = f"mean of {count} {kind}strides" if count > 1 else f"the only {kind or 'measured '}stride"
    inks = [(f"{HEAVY} {of}   ", charts.colors[side])]
    inks += [(BLOCK, charts.band_color(side)), (" ± SD   ", GREY)] if count > 1 else []
    inks += [(f"{TICK} {gait.say('toe off (short: of the other side)')}   ", charts.colors[side])]
    inks += [(f"{DOTTED} ends of the normal band", GREY)] if gait.book.bands else []
    head.append(PageCell(4, 1, "", "page text", span=TABLE - 2, inks=tuple(inks)))
    chosen = ", ".join(about for about, _ in list(changes.about())[:NARROW])
    if chosen:
        head.append(
            PageCell(4, TABLE, f"last columns: change of the peak with {chosen}", "page text", span=LAST - TABLE + 1)
        )
    first = 5
    per_chart = TALL if len(quantities) == 1 else min(SIDE_CHART, ROWS_OF_CHARTS // max(len(quantities), 1))
    drawn = list(_grid(quantities, first, per_chart, lambda k, q, slot: charts.one_side(side, k, q, slot)))
    last_row = max(first + per_chart * max(len(quantities), 1), first + len(table)) - 1
    below = first + len(table) + 1
    if not about and last_row - below >= LEAST_OF_CHART:
        drawn += _known(charts.ground_of(side, "fy", Slot((below, TABLE, last_row, LAST))))
    heights = {1: TITLE} | told_heights(head) | dict.fromkeys(range(first, last_row + 1), ROW)
    return PrintedPart((*head, *placed_rows(table, first, TABLE, VALUES + NARROW)), tuple(drawn), heights, last_row)


def _grid(
    quantities: Sequence[str], first: int, per_chart: int, draw: Callable[[str, str, Slot], PageChart | None]
) -> Iterator[PageChart]:
    """A row of charts for each quantity, a column for each joint. draw: of a joint and quantity."""
    for number, quantity in enumerate(quantities):
        top = first + number * per_chart
        is_last = number + 1 == len(quantities)
        for column, kind in enumerate(KINDS):
            left, right = chart_columns(column)
            yield from _known(draw(kind, quantity, Slot((top, left, top + per_chart - 1, right), is_last)))


def _known(chart: PageChart | None) -> list[PageChart]:
    return [] if chart is None else [chart]
