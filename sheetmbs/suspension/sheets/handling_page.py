"""The page `mbs Handling`: diagrams, circles and envelopes of all designs, and all metrics against their targets."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import isfinite

from sheetmbs.suspension.handling.handling_metrics import METRICS, TURNS
from sheetmbs.suspension.handling.handling_table import HandlingFound, ReadOff
from sheetmbs.suspension.handling.solve_handling import SolvedHandling
from sheetmbs.suspension.sheets.drawn_lines import ShownDesign
from sheetmbs.suspension.sheets.handling_charts import ChartNumbers, drawn_rows, handling_chart
from sheetmbs.suspension.sheets.page_table import MARKS
from sheetmbs.suspension.sheets.words import DECIMALS, MOST_DECIMALS, shown_unit
from sheetmbs.suspension.targets.target_report import JudgedTarget
from sheetmbs.workbook.package.styles import number_format
from sheetmbs.workbook.sheets.page_contents import Box, Page, PageCell, Paper
from sheetmbs.workbook.sheets.sheet_contents import HANDLING_PAGE

REMARK = (
    "Every point is the whole car in equilibrium on its real mechanism. ISO 8855: left turns have ay > 0, the body slip "
    "angle is + where the car moves to the left of its heading. Right turns are signed so that + means the same."
)
LABEL, UNIT, VALUE, TARGET, MARK = 31.0, 9.0, 10.0, 17.0, 5.0
"""widths of columns, digits"""
MOST_VALUES = 6
"""columns of values"""
LAST = 2 + MOST_VALUES + 2
"""column of the table, and of the paper"""
FIRST_NUMBER = LAST + 2
"""column of the numbers of charts, right of what is printed"""
WIDTHS = (LABEL, UNIT, *[VALUE] * MOST_VALUES, TARGET, MARK, 40.0, *[11.0] * 400)
MIDDLE = 4
"""column with which the left half of the page ends"""
ACROSS, MOST_CHARTS = 2, 6
"""charts side by side, and on the page; others stand below, on a second sheet of paper"""
TALLER = 1.5
"""times as tall as the others is a chart across the whole page"""
FIRST_CHART = 4
"""row"""
PAPER_ROWS, LEAST_ROWS, MOST_ROWS = 66, 14, 26
"""rows of a sheet of paper as wide as the table, and of a chart"""
SIGNIFICANT = 3
"""digits of a number on the page"""
ENDINGS = {"_beta": "body slip angle there", "_steer_input": "steer input there"}
WORDS = {
    "stability": "stability, dCN/d(ay/g)",
    "control": "control, dCN/d(steer input)",
    "weathervane": "weathervane, dCN/dbeta",
    "understeer_gradient_wheels": "understeer gradient, wheels",
    "max_trimmed_ay": "largest trimmed ay/g",
    "max_ay": "largest ay/g",
    "limit_balance": "limit balance, CN there",
    "max_ax": "largest ax/g at ay = 0",
    "min_ax": "smallest ax/g at ay = 0",
}
"""what metrics are called on the page, where their name does not say it"""


@dataclass(frozen=True)
class ValueColumn:
    """A column of values of a row of Handling. ending: of the turn that it is of. heads: speed, design and turn in words."""

    design: ShownDesign
    speed: float | None
    ending: str
    heads: tuple[str, str, str]


def handling_page(
    designs: Mapping[str, SolvedHandling],
    shown: Sequence[ShownDesign],
    title: str,
    targets: Sequence[JudgedTarget] = (),
) -> Page | None:
    """The page; None where nothing was found. targets: of all designs, of which those of rows of Handling stand on it."""
    base = next(iter(designs.values()))
    if not base.found:
        return None
    cells = [PageCell(1, 1, f"{title}: handling" if title else "Handling", "page title")]
    cells.append(PageCell(2, 1, REMARK, "page text", span=LAST))
    drawn = [each for found in base.found for each in drawn_rows(_of_designs(designs, shown, found))]
    numbers = ChartNumbers(1, FIRST_NUMBER)
    lines = [line for found in base.found for line in (*_block(found, designs, shown, targets), [])][:-1]
    first, more = drawn[:MOST_CHARTS], drawn[MOST_CHARTS:]
    room = int((PAPER_ROWS - FIRST_CHART - len(lines)) / _lines(len(first)))
    tall = min(max(room, LEAST_ROWS), MOST_ROWS)
    charts = [
        handling_chart(each, _box(slot, len(first), FIRST_CHART, tall), numbers) for slot, each in enumerate(first)
    ]
    below = FIRST_CHART + round(tall * _lines(len(first)))
    for at, line in enumerate(lines, start=below):
        cells += [PageCell(at, cell.column, cell.value, cell.look, cell.span) for cell in line]
    end = below + len(lines)
    areas = [(1, 1, end - 1, LAST)]
    if more:
        cells.append(PageCell(end + 1, 1, "Further charts", "page head", span=LAST))
        charts += [
            handling_chart(each, _box(slot, len(more), end + 3, LEAST_ROWS), numbers) for slot, each in enumerate(more)
        ]
        areas.append((end + 1, 1, end + 3 + round(LEAST_ROWS * _lines(len(more))), LAST))
    size = areas[-1][2], LAST
    paper = Paper(upright=True, one=True, areas=tuple(areas))
    heights = {1: 28.0, 2: 26.0}
    return Page(
        HANDLING_PAGE, WIDTHS, (*cells, *numbers.cells), size, paper, heights, tuple(charts), tuple(numbers.columns)
    )


def _lines(count: int) -> float:
    """Lines of so many charts; the first of an odd number is wide, and taller than the others."""
    return count // ACROSS + (TALLER if count % ACROSS else 0.0)


def _box(slot: int, count: int, row: int, tall: int) -> Box:
    """The cells that a chart covers: side by side, the first of an odd number across the whole page."""
    wide = round(TALLER * tall) if count % ACROSS else 0
    if wide and not slot:
        return row, 1, row + wide - 2, LAST
    down, across = divmod(slot - bool(wide), ACROSS)
    top = row + wide + down * tall
    return top, MIDDLE + 1 if across else 1, top + tall - 2, LAST if across else MIDDLE


def _of_designs(
    designs: Mapping[str, SolvedHandling], shown: Sequence[ShownDesign], found: HandlingFound
) -> list[tuple[ShownDesign, HandlingFound]]:
    """The same row of all designs that have it."""
    own = ((design, _same(designs[design.name], found)) for design in shown)
    return [(design, each) for design, each in own if each is not None]


def _same(solved: SolvedHandling, found: HandlingFound) -> HandlingFound | None:
    return next((each for each in solved.found if each.row.name == found.row.name), None)


def _block(
    found: HandlingFound,
    designs: Mapping[str, SolvedHandling],
    shown: Sequence[ShownDesign],
    targets: Sequence[JudgedTarget],
) -> Iterator[list[PageCell]]:
    """The rows of the table of a row of Handling: its head, and a metric each, with its target and whether it is met."""
    columns = _columns(found, shown)
    yield from _heads(found, columns)
    own = {design.name: _same(designs[design.name], found) for design in shown}
    for metric, unit in METRICS[found.row.type].items():
        if any(metric.endswith(turn) or f"{turn}_" in metric for turn in TURNS if turn):
            continue
        values = [_value(own[each.design.name], metric, each) for each in columns]
        if not any(map(isfinite, values)):
            continue
        line = [
            PageCell(0, 1, _word(metric), "page item"),
            PageCell(0, 2, shown_unit(unit).strip("-").replace("*", " "), "page unit"),
        ]
        places = min((_decimals(unit, value) for value in values if isfinite(value)), default=0)
        look = f"page {number_format(places)}"
        line += [
            PageCell(0, 3 + n, value if isfinite(value) else "", look if isfinite(value) else "page value")
            for n, value in enumerate(values)
        ]
        line += [PageCell(0, 3 + n, "", "page value") for n in range(len(values), MOST_VALUES)]
        yield [*line, *_aim(found.row.name, metric, targets)]


def _heads(found: HandlingFound, columns: Sequence[ValueColumn]) -> Iterator[list[PageCell]]:
    """What stands over the values: the speed, the design and the turn, a row for each in which columns differ."""
    name = found.row.name if found.row.name == found.row.type else f"{found.row.name} ({found.row.type})"
    kinds = [texts for texts in zip(*(column.heads for column in columns), strict=True) if any(texts)] or [()]
    for number, texts in enumerate(kinds):
        is_last = number == len(kinds) - 1
        shown = [text if not n or text != texts[n - 1] or is_last else "" for n, text in enumerate(texts)]
        shown += [""] * (MOST_VALUES - len(shown))
        line = [
            PageCell(0, 1, "" if number else name, "page head"),
            PageCell(0, 2, "unit" if is_last else "", "page head"),
        ]
        line += [PageCell(0, 3 + n, text, "page column") for n, text in enumerate(shown)]
        ends = ("target", "met") if is_last else ("", "")
        yield [*line, *(PageCell(0, 3 + MOST_VALUES + n, text, "page column") for n, text in enumerate(ends))]


def _columns(found: HandlingFound, shown: Sequence[ShownDesign]) -> list[ValueColumn]:
    """What stands side by side: speeds and designs, and both turns as far as there is room."""
    speeds = list(dict.fromkeys(each.speed for each in found.read_offs)) or [None]
    has_turns = any(each.metric.endswith(turn) for each in found.read_offs for turn in TURNS if turn)
    endings = TURNS if has_turns and len(speeds) * len(shown) * len(TURNS) <= MOST_VALUES else TURNS[:1]
    made = []
    for speed in speeds:
        for design in shown:
            for ending in endings:
                turn = ("right" if ending else "left") if len(endings) > 1 else ""
                at, of = "" if speed is None else f"{3.6 * speed:.0f} km/h", design.shown if len(shown) > 1 else ""
                made.append(ValueColumn(design, speed, ending, (at, of, turn)))
    return made[:MOST_VALUES]


def _value(found: HandlingFound | None, metric: str, column: ValueColumn) -> float:
    own: Sequence[ReadOff] = () if found is None else found.read_offs
    name = _of_turn(metric, column.ending)
    return next((each.value for each in own if (each.metric, each.speed) == (name, column.speed)), float("nan"))


def _of_turn(metric: str, ending: str) -> str:
    """The name of a metric in a turn: the ending stands before what tells where a largest value is."""
    if not ending:
        return metric
    where = next((word for word in ENDINGS if metric.endswith(word)), "")
    return f"{metric.removesuffix(where)}{ending}{where}"


def _word(metric: str) -> str:
    if metric in WORDS:
        return WORDS[metric]
    where = next((word for word in ENDINGS if metric.endswith(word)), "")
    return f"    {ENDINGS[where]}" if where else metric.replace("_", " ")


def _decimals(unit: str, value: float) -> int:
    """Decimals of a number: those of its unit, more where it is small."""
    usual, size = DECIMALS.get(unit, 3), abs(value)
    while usual < MOST_DECIMALS and 0.0 < size < 10.0 ** (SIGNIFICANT - 1 - usual):
        usual += 1
    return min(usual, 4)


def _aim(row: str, metric: str, targets: Sequence[JudgedTarget]) -> list[PageCell]:
    """What the metric of a row is to be, and whether the designs are so."""
    own = [
        each for each in targets if each.target.is_handling and (each.target.case, each.target.metric) == (row, metric)
    ]
    place = 3 + MOST_VALUES
    if not own:
        return [PageCell(0, place, "", "page value"), PageCell(0, place + 1, "", "page value")]
    marks = "".join(MARKS[each.is_met] for each in own)
    verdicts = [each.is_met for each in own]
    look = "page missed" if False in verdicts else "page met" if True in verdicts else "page value"
    return [PageCell(0, place, own[0].shown, "page value"), PageCell(0, place + 1, marks, look)]
