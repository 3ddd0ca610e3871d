"""What the printed pages of gait share: their grid of columns, titles, who walked, lines of text, and how they fit on paper."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import cycle

from sheetmbs.gait.sheets.gait_presentation import GaitPresentation
from sheetmbs.gait.sheets.report_charts import ReportCharts
from sheetmbs.gait.sheets.report_tables import NARROW, VALUES
from sheetmbs.gait.trial.gait_book import Side
from sheetmbs.schema.gait_inputs import SUBJECT_TEXTS
from sheetmbs.workbook.sheets.page_contents import PageCell, PageChart
from sheetmbs.workbook.sheets.sheetxml import DIGIT, PADDING, ROW_POINTS

CHARTS_ACROSS, PER_COLUMN = 3, 5
"""charts beside each other, and columns of the grid that each covers, which tables use one by one"""
PART, GAP, LABEL, UNIT, VALUE, CHANGE = 7.5, 1.2, 21.0, 9.0, 6.8, 6.2
WIDTHS = (*(PART,) * CHARTS_ACROSS * PER_COLUMN, GAP, LABEL, UNIT, *(VALUE,) * VALUES, *(CHANGE,) * NARROW)
"""of columns, digits"""
OF_CHARTS = CHARTS_ACROSS * PER_COLUMN
TABLE, LAST = OF_CHARTS + 2, OF_CHARTS + 3 + VALUES + NARROW
"""columns: of the labels of tables, and the last one that is printed"""
ROW, TITLE, SPACE, LINE = 14.0, 28.0, 6.0, 14.0
"""heights of rows, points"""
LETTERS, BESIDE_LINK, BOLD_LETTERS = 205, 165, 165
"""that a row of the whole width holds, one beside a link, and one in bold"""
PAPER_WIDTH, PAPER_HEIGHT = 784.0, 523.0
"""points of A4 across that lie between the margins"""
PIXEL, SPARE = 0.75, 0.97
"""points; share of the height of the paper that is used, for programs draw columns a little wider or narrower"""
HEAVY = "\N{BOX DRAWINGS HEAVY HORIZONTAL}" * 2
HEAVY_DASHED = "\N{BOX DRAWINGS HEAVY DOUBLE DASH HORIZONTAL}" * 2
DASHED, DOTTED = "\N{BOX DRAWINGS LIGHT TRIPLE DASH VERTICAL}", "\N{BOX DRAWINGS LIGHT TRIPLE DASH HORIZONTAL}" * 2
TICK = "\N{BOX DRAWINGS HEAVY UP}"
CONDITION_STROKES = (
    HEAVY,
    HEAVY_DASHED,
    "\N{BULLET}\N{BULLET}\N{BULLET}",
    "\N{BOX DRAWINGS HEAVY HORIZONTAL}\N{BULLET}",
    "\N{BOX DRAWINGS HEAVY HORIZONTAL} \N{BOX DRAWINGS HEAVY HORIZONTAL}",
)
"""how lines of conditions look, as `CONDITION_DASHES` draws them"""
BLOCK = "\N{FULL BLOCK}" * 2
GREY, INK = "#6B7280", "#1F3864"
FOOT = "page {page} of {pages}"


@dataclass(frozen=True)
class PrintedPart:
    """One sheet of paper, with rows from 1. growing: rows of charts alone, which take what the paper leaves."""

    cells: tuple[PageCell, ...]
    charts: tuple[PageChart, ...]
    heights: Mapping[int, float]
    rows: int
    growing: range = range(0)

    @property
    def high(self) -> float:
        """The height of all its rows in points."""
        return sum(self.heights.get(row, ROW_POINTS) for row in range(1, self.rows + 1))


def fitted_widths(parts: Sequence[PrintedPart]) -> tuple[float, ...]:
    """The widths of the grid with so much of a gap between charts and tables that each part, as wide as the paper, has room.

    Programs fit the width of a page; where a part is too high for that, the page is made wider.
    """
    wide = PIXEL * sum(DIGIT * width + PADDING for width in WIDTHS)
    lacking = max(part.high for part in parts) * PAPER_WIDTH / (SPARE * PAPER_HEIGHT) - wide
    gap = GAP + max(lacking, 0.0) / (PIXEL * DIGIT)
    return (*WIDTHS[:OF_CHARTS], gap, *WIDTHS[OF_CHARTS + 1 :])


def grown(part: PrintedPart, widths: Sequence[float]) -> PrintedPart:
    """The part with charts so high that it fills a sheet of paper of these columns."""
    wide = PIXEL * sum(DIGIT * width + PADDING for width in widths)
    spare = SPARE * PAPER_HEIGHT * wide / PAPER_WIDTH - part.high
    if not part.growing or spare <= 0.0:
        return part
    higher = {row: part.heights.get(row, ROW_POINTS) + spare / len(part.growing) for row in part.growing}
    return replace(part, heights={**part.heights, **higher})


def chart_columns(number: int) -> tuple[int, int]:
    """First and last column of a chart, by its place across, from 0."""
    return number * PER_COLUMN + 1, (number + 1) * PER_COLUMN


def titles(gait: GaitPresentation, title: str) -> Iterator[PageCell]:
    """Title, who walked, and what was recorded. title: in English."""
    subject, say = gait.book.subject, gait.say
    name = subject.printed.get("id", "")
    yield PageCell(1, 1, f"{say(title)}: {name}" if name else say(title), "page title", span=LAST)
    told = [
        ("subject", name),
        ("date", subject.printed.get("date", "")),
        ("condition", subject.printed.get("condition", "")),
        ("sex", say(subject.sex)),
        ("mass", f"{subject.mass:.1f} kg"),
        ("height", "" if subject.height is None else f"{subject.height:.2f} m"),
        ("speed as given", subject.printed.get("speed", "")),
        *((word, subject.printed.get(word, "")) for word in SUBJECT_TEXTS),
    ]
    shown = [(say(label), value) for label, value in told if value]
    yield PageCell(2, 1, "", "page text", span=LAST, inks=tuple(_labelled(shown)))
    trials = [_trial_words(trial.trial, len(trial.time) / trial.rate) for trial in gait.trials]
    strides = [f"{say(side)} {len(gait.counting(side))}" for side in gait.book.subject.sides]
    of_trials = say("trials" if len(trials) > 1 else "trial")
    recorded = [(of_trials, ", ".join(trials)), (say("strides"), ", ".join(strides))]
    yield PageCell(3, 1, "", "page text", span=LAST, inks=tuple(_labelled(recorded)))


def told_heights(head: Sequence[PageCell]) -> dict[int, float]:
    """The heights of rows below the title whose words need more than one line."""
    letters = {cell.row: sum(len(said) for said, _ in cell.inks) for cell in head if cell.span == LAST and cell.inks}
    return {row: LINE * -(-count // BOLD_LETTERS) for row, count in letters.items() if count > BOLD_LETTERS}


def legend(gait: GaitPresentation, charts: ReportCharts, sides: Sequence[Side]) -> Iterator[tuple[str, str]]:
    """Which line is what, in words."""
    several = len(gait.conditions) > 1
    strokes = dict(zip(sides, (HEAVY, HEAVY if several else HEAVY_DASHED), strict=False))
    if several:
        for condition, stroke in zip(gait.conditions, cycle(CONDITION_STROKES)):
            yield f"{stroke} {condition or gait.say('no condition')}   ", INK
    yield from ((f"{strokes[side]} {gait.say(side)}   ", charts.colors[side]) for side in sides)
    if not several and any(len(gait.counting(side)) > 1 for side in sides):
        yield f"{gait.say('thick: mean of strides, thin: ± SD')}   ", GREY
    if charts.tells_uncertainty:
        yield (DOTTED, GREY) if gait.book.bands else (BLOCK, charts.color_of_u)
        yield " ± 2 u   ", GREY
    yield f"{TICK} {gait.say('toe off (short: of the other side)')}   ", GREY
    if gait.book.bands:
        yield f"{BLOCK}", "#C4C4C4"
        yield f" {gait.say('normal')}", GREY


def said(text: str) -> tuple[list[PageCell], float]:
    """A line of text over the whole width with its height."""
    return [PageCell(0, 1, text, "page text", span=LAST)], height_of(text)


def height_of(text: str, letters: int = LETTERS) -> float:
    """Points that a text needs in rows that hold so many letters."""
    return LINE * max(1, -(-len(text) // letters))


def _trial_words(name: str, length: float) -> str:
    return f"{name} ({length:.1f} s)" if name else f"{length:.1f} s"


def _labelled(told: Sequence[tuple[str, str]]) -> Iterator[tuple[str, str]]:
    for label, value in told:
        yield f"{label}  ", GREY
        yield f"{value}      ", INK
