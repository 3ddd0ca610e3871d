"""The sheet `mbs Gait report`: one printed page of both sides, and one of each side by itself."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from sheetmbs.gait.sheets.charted_columns import GROUND, KINDS, OUT_OF_PLANE, ChartedColumns
from sheetmbs.gait.sheets.course_problems import estimated_words
from sheetmbs.gait.sheets.gait_presentation import GaitPresentation
from sheetmbs.gait.sheets.method_words import method_sentence
from sheetmbs.gait.sheets.report_charts import ReportCharts, Slot
from sheetmbs.gait.sheets.report_tables import (
    NARROW,
    OUT_OF_PLANE_PEAKS,
    VALUES,
    count_kinetic,
    peaks_table,
    times_table,
)
from sheetmbs.gait.sheets.shown_items import GaitContents, PeakChanges, ShownItem, shown_items
from sheetmbs.gait.trial.gait_book import Side
from sheetmbs.problems.errors import Problem
from sheetmbs.workbook.sheets.page_contents import Box, Page, PageCell, PageChart, PageRow, Paper, placed_rows
from sheetmbs.workbook.sheets.sheet_contents import GAIT_REPORT, PROBLEMS
from sheetmbs.workbook.sheets.sheetxml import ROW_POINTS

CHART, GAP, LABEL, UNIT, VALUE, CHANGE = 34.0, 1.2, 15.5, 9.0, 6.4, 5.8
WIDTHS = (CHART, CHART, CHART, GAP, LABEL, UNIT, *(VALUE,) * VALUES, *(CHANGE,) * NARROW)
"""of columns, digits"""
TABLE, LAST = 5, 6 + VALUES + NARROW
"""columns: of the labels of tables, and the last one that is printed"""
BESIDE = LAST + 2
"""column from which on stand the columns that charts draw"""
WIDTH_BESIDE = 14.0
ROW, TITLE, SPACE, LINE = 14.0, 28.0, 6.0, 14.0
"""heights of rows, points"""
PER_CHART = 13
"""rows that a chart is high where there are three below each other"""
ROWS_OF_CHARTS = 40
"""rows of all charts below each other, where there are more than three"""
TALL = 26
"""rows that one is high which stands alone in its column"""
LETTERS, BESIDE_LINK, BOLD_LETTERS = 205, 165, 165
"""that a row of the whole width holds, one beside a link, and one in bold"""
MOST_PROBLEMS = 6
LEAST_OF_CHART = 9
"""rows of the lowest chart that is drawn below a table"""
HEAVY = "\N{BOX DRAWINGS HEAVY HORIZONTAL}" * 2
HEAVY_DASHED = "\N{BOX DRAWINGS HEAVY DOUBLE DASH HORIZONTAL}" * 2
DASHED, DOTTED = "\N{BOX DRAWINGS LIGHT TRIPLE DASH VERTICAL}", "\N{BOX DRAWINGS LIGHT TRIPLE DASH HORIZONTAL}" * 2
BLOCK = "\N{FULL BLOCK}" * 2
GREY, INK = "#6B7280", "#1F3864"
NO_MOMENTS = "No moments, powers or forces of the ground: no stride stands wholly on force plates."
NO_FORCES = "No moments of the {} side: no stride of it that enters means has forces known in every frame."
NO_ENDS = (
    "Curves leave out {:g} cut-off period(s) at each end of a trial, where the filter knows less (edge on Processing)."
)
NO_STRIDES = "No stride: no two heel strikes of one side follow each other, so that nothing is drawn over the stride."


def report_page(gait: GaitPresentation, contents: GaitContents) -> Page:
    """All pages, one below the other."""
    items = tuple(shown_items(gait, contents.items))
    stances = {each.side: each.value for each in items if each.item == "stance" and isinstance(each.value, float)}
    columns = ChartedColumns(gait, BESIDE, stances)
    charts = ReportCharts(gait, columns)
    parts = [_overview(gait, charts, items, contents)]
    high = sum(parts[0].heights.get(row, ROW_POINTS) for row in range(1, parts[0].rows + 1))
    parts += [
        _stretched(part, high)
        for side in charts.sides()
        for part in _of_side(gait, charts, items, contents.changes, side)
    ]
    cells: list[PageCell] = []
    drawn: list[PageChart] = []
    heights: dict[int, float] = {}
    areas: list[Box] = []
    for part in parts:
        above = areas[-1][2] if areas else 0
        cells += [replace(cell, row=cell.row + above) for cell in part.cells]
        drawn += [replace(chart, box=_moved(chart.box, above)) for chart in part.charts]  # type: ignore[arg-type]
        heights |= {row + above: height for row, height in part.heights.items()}
        areas.append((above + 1, 1, above + part.rows, LAST))
    cells += columns.cells()
    widths = (*WIDTHS, GAP, *(WIDTH_BESIDE,) * len(columns.columns))
    size = areas[-1][2], LAST
    paper = Paper(upright=False, one=True, areas=tuple(areas))
    return Page(GAIT_REPORT, widths, tuple(cells), size, paper, heights, tuple(drawn), columns.columns, is_active=True)


@dataclass(frozen=True)
class PrintedPart:
    """One sheet of paper, with rows from 1."""

    cells: tuple[PageCell, ...]
    charts: tuple[PageChart, ...]
    heights: Mapping[int, float]
    rows: int


def _stretched(part: PrintedPart, high: float) -> PrintedPart:
    """A part as high as another, with rows of charts that are so much higher; one that is as high already stays."""
    charted = [row for row, height in part.heights.items() if height == ROW]
    lacking = high - sum(part.heights.get(row, ROW_POINTS) for row in range(1, part.rows + 1))
    if lacking <= 0.0 or not charted:
        return part
    return replace(part, heights={**part.heights, **dict.fromkeys(charted, ROW + lacking / len(charted))})


def _moved(box: Box, by: int) -> Box:
    return box[0] + by, box[1], box[2] + by, box[3]


def _overview(
    gait: GaitPresentation, charts: ReportCharts, items: Sequence[ShownItem], contents: GaitContents
) -> PrintedPart:
    """Subject, charts of both sides, times and lengths, forces of the ground, method, problems."""
    sides = charts.sides()
    head = [*_titles(gait, "Gait report")]
    if sides:
        head.append(PageCell(4, 1, "", "page text", span=LAST, inks=tuple(_legend(gait, charts, sides))))
    first = 5
    quantities = charts.joint_rows(sides)
    per_chart = PER_CHART if len(quantities) > 1 else TALL
    drawn = list(_grid(quantities, first, per_chart, lambda k, q, slot: charts.joint(sides, k, q, slot)))
    table = times_table(gait, items, sides) if sides else []
    below = first + len(table) + 1
    axes = [axis for axis in GROUND if charts.ground(sides, axis, Slot((1, 1, 1, 1)))]
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
    heights = {1: TITLE} | _told_heights(head) | dict.fromkeys(range(first, last_row + 1), ROW)
    heights[last_row + 1] = SPACE
    said = list(_foot(gait, contents, has_moments="moment" in quantities))
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
    beside = charts.joint_rows([side], OUT_OF_PLANE)
    if beside:
        peaks = list(peaks_table(items, changes, side, joints, OUT_OF_PLANE_PEAKS))
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
    head = [*_titles(gait, f"{side.capitalize()} side{about}")]
    kind = "estimated " if gait.is_estimated(side) else ""
    of = f"mean of {count} {kind}strides" if count > 1 else f"the only {kind or 'measured '}stride"
    inks = [(f"{HEAVY} {of}   ", charts.colors[side])]
    inks += [(BLOCK, charts.band_color(side)), (" ± SD   ", GREY)] if count > 1 else []
    inks += [(f"{DASHED} toe off   ", charts.colors[side])]
    inks += [(f"{DOTTED} ends of the normal band", GREY)] if gait.book.bands else []
    head.append(PageCell(4, 1, "", "page text", span=TABLE - 2, inks=tuple(inks)))
    chosen = ", ".join(about for about, _ in list(changes.about())[:NARROW])
    if chosen:
        head.append(
            PageCell(4, TABLE, f"last columns: change of the peak with {chosen}", "page text", span=LAST - TABLE + 1)
        )
    first = 5
    per_chart = TALL if len(quantities) == 1 else min(PER_CHART, ROWS_OF_CHARTS // max(len(quantities), 1))
    drawn = list(_grid(quantities, first, per_chart, lambda k, q, slot: charts.one_side(side, k, q, slot)))
    last_row = max(first + per_chart * max(len(quantities), 1), first + len(table)) - 1
    below = first + len(table) + 1
    if not about and last_row - below >= LEAST_OF_CHART:
        drawn += _known(charts.ground_of(side, "fy", Slot((below, TABLE, last_row, LAST))))
    heights = {1: TITLE} | _told_heights(head) | dict.fromkeys(range(first, last_row + 1), ROW)
    return PrintedPart((*head, *placed_rows(table, first, TABLE, VALUES + NARROW)), tuple(drawn), heights, last_row)


def _grid(
    quantities: Sequence[str], first: int, per_chart: int, draw: Callable[[str, str, Slot], PageChart | None]
) -> Iterator[PageChart]:
    """A row of charts for each quantity, a column for each joint. draw: of a joint and quantity."""
    for number, quantity in enumerate(quantities):
        top = first + number * per_chart
        is_last = number + 1 == len(quantities)
        for column, kind in enumerate(KINDS, start=1):
            yield from _known(draw(kind, quantity, Slot((top, column, top + per_chart - 1, column), is_last)))


def _known(chart: PageChart | None) -> list[PageChart]:
    return [] if chart is None else [chart]


def _titles(gait: GaitPresentation, title: str) -> Iterator[PageCell]:
    """Title, who walked, and what was recorded."""
    subject = gait.book.subject
    name = subject.printed.get("id", "")
    yield PageCell(1, 1, f"{title}: {name}" if name else title, "page title", span=LAST)
    told = [
        ("subject", name),
        ("date", subject.printed.get("date", "")),
        ("condition", subject.printed.get("condition", "")),
        ("sex", subject.sex),
        ("mass", f"{subject.mass:.1f} kg"),
        ("height", "" if subject.height is None else f"{subject.height:.2f} m"),
        ("speed as given", subject.printed.get("speed", "")),
    ]
    yield PageCell(2, 1, "", "page text", span=LAST, inks=tuple(_labelled([(k, v) for k, v in told if v])))
    trials = [_trial_words(trial.trial, len(trial.time) / trial.rate) for trial in gait.trials]
    strides = [f"{side} {len(gait.counting(side))}" for side in gait.book.subject.sides]
    recorded = [("trials" if len(trials) > 1 else "trial", ", ".join(trials)), ("strides", ", ".join(strides))]
    yield PageCell(3, 1, "", "page text", span=LAST, inks=tuple(_labelled(recorded)))


def _told_heights(head: Sequence[PageCell]) -> dict[int, float]:
    """Of rows below the title whose words need more than one line."""
    letters = {cell.row: sum(len(said) for said, _ in cell.inks) for cell in head if cell.span == LAST and cell.inks}
    return {row: LINE * -(-count // BOLD_LETTERS) for row, count in letters.items() if count > BOLD_LETTERS}


def _trial_words(name: str, length: float) -> str:
    return f"{name} ({length:.1f} s)" if name else f"{length:.1f} s"


def _labelled(told: Sequence[tuple[str, str]]) -> Iterator[tuple[str, str]]:
    for label, value in told:
        yield f"{label}  ", GREY
        yield f"{value}      ", INK


def _legend(gait: GaitPresentation, charts: ReportCharts, sides: Sequence[Side]) -> Iterator[tuple[str, str]]:
    """Which line is what."""
    strokes = dict(zip(sides, (HEAVY, HEAVY_DASHED), strict=False))
    yield from ((f"{strokes[side]} {side}   ", charts.colors[side]) for side in sides)
    if any(len(gait.counting(side)) > 1 for side in sides):
        yield "thick: mean of strides, thin: \N{PLUS-MINUS SIGN} SD   ", GREY
    yield f"{DASHED} toe off   ", GREY
    if gait.book.bands:
        yield f"{BLOCK}", "#C4C4C4"
        yield " normal", GREY


def _foot(
    gait: GaitPresentation, contents: GaitContents, *, has_moments: bool
) -> Iterator[tuple[list[PageCell], float]]:
    """Rows of the foot with their heights: method, sources of normal bands, and what was doubted."""
    yield [PageCell(0, 1, "How it was made", "page head", span=LAST)], LINE
    said = [method_sentence(gait.book, gait.trials, contents.cutoffs)]
    if not gait.strides:
        said.append(NO_STRIDES)
    elif not has_moments:
        said.append(NO_MOMENTS)
    else:
        lacking = [side for side in gait.book.subject.sides if gait.of_side(side) and not count_kinetic(gait, side)]
        said += [NO_FORCES.format(side) for side in lacking]
    said += estimated_words(gait)
    if gait.has_ends:
        said.append(NO_ENDS.format(gait.book.processing.edge))
    said += [f"Normal: {source}." for source in dict.fromkeys(band.source for band in gait.book.bands) if source]
    yield from (_said(each) for each in said)
    yield [PageCell(0, 1, "Problems", "page head", span=LAST)], LINE
    doubts = _of_each_kind_first([each for each in contents.problems if each.severity != "note"])
    for each in doubts[:MOST_PROBLEMS]:
        text = f"{each.found}: {each.problem}; {each.mend}".rstrip("; ")
        if each.cell:
            link = PageCell(0, 1, each.cell, "page link", link=each.cell)
            yield [link, PageCell(0, 2, text, "page text", span=LAST - 1)], _height(text, BESIDE_LINK)
        else:
            yield _said(text)
    if len(doubts) > MOST_PROBLEMS:
        yield _said(f"and {len(doubts) - MOST_PROBLEMS} more on {PROBLEMS}")
    if not doubts:
        yield _said("none")


def _of_each_kind_first(doubts: Sequence[Problem]) -> list[Problem]:
    """One of each kind before more of the same: several trials have the same faults."""
    first = {each.code: each for each in reversed(doubts)}
    return sorted(doubts, key=lambda each: first[each.code] is not each)


def _said(text: str) -> tuple[list[PageCell], float]:
    return [PageCell(0, 1, text, "page text", span=LAST)], _height(text)


def _height(text: str, letters: int = LETTERS) -> float:
    return LINE * max(1, -(-len(text) // letters))
