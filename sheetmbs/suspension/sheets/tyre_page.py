"""The sheet `mbs Tyres`: for each tyre what it is, which remarks belong to it, and its charts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from math import degrees, isfinite, radians

import numpy as np

from sheetmbs.engine.records import Floats
from sheetmbs.engine.tyres.tyre_states import FIALA, LINEAR, TABLE
from sheetmbs.suspension.designs.design_list import USUAL
from sheetmbs.suspension.layout.car_tyres import FittedTyre
from sheetmbs.suspension.sheets.suspension_charts import ACROSS, GAP, HEIGHT, LEFT, ROWS, SCALE, WIDTH
from sheetmbs.suspension.sheets.tyre_readings import MOST_DOTS, dots, measured_loads
from sheetmbs.tyres.tyre import ALPHA, GAMMA, KAPPA, LOAD, PRESSURE, SYMMETRIC, Tyre
from sheetmbs.workbook.sheets.page_contents import (
    AxisText,
    Page,
    PageCell,
    PageChart,
    PageColumn,
    PageLine,
    Paper,
    Spot,
)
from sheetmbs.workbook.sheets.sheet_contents import TYRE_PAGE

REMARK = (
    "Axes of ISO 8855 as the tyre was measured: alpha + to the left, Fy + to the left, gamma + when the top leans right. "
    "The numbers of the charts stand to the right of them."
)
LABEL, TEXT, FIRST_NUMBER = 1, 2, 13
"""columns: of headings, of what stands behind them, and of the numbers of the charts"""
WIDTHS = (22.0, 92.0, *[4.0] * (FIRST_NUMBER - 3), *[11.0] * 60)
CHARACTERS = 115
"""of a text in one line"""
ANGLES, RATIOS, CAMBERS, POINTS = 12.0, 0.2, 6.0, 61
"""deg, 1 and deg over which charts go where the tyre is known so far; points of a line"""
SHARES = (0.4, 0.7, 1.0, 1.3, 1.6)
"""of the load that the tyre is described at: loads of the lines"""
ELLIPSE_ANGLES = (0.0, 1.0, 2.0, 4.0, 6.0, 8.0)
"""deg, slip angles of the lines of the friction ellipse"""
ELLIPSE_RATIO = 0.3
RANGE_WORDS = {
    KAPPA: ("slip ratio", 1.0, ""),
    ALPHA: ("slip angle", degrees(1.0), " deg"),
    GAMMA: ("camber", degrees(1.0), " deg"),
    LOAD: ("load", 1.0, " N"),
    PRESSURE: ("pressure", 1e-3, " kPa"),
}
DOT = 4
"""points, of what was measured: small, for there may be hundreds in one chart"""
DOTS = (
    "readings of Tyre data at the pressure of the tyre, without slip in the other direction and camber; "
    f"of more than {MOST_DOTS} at one load every second, third and so on"
)
COLORS = tuple(f"#{colour}" for colour in (*USUAL[:4], *USUAL[5:7]))
"""that lines have one after the other"""


@dataclass(frozen=True)
class ShownTyre:
    """A tyre on the sheets. design: that it is of, blank of the first one."""

    fitted: FittedTyre
    design: str = ""

    @property
    def name(self) -> str:
        """Name of the tyre, behind that of a further design."""
        return f"{self.design}/{self.fitted.tyre.name}" if self.design else self.fitted.tyre.name


@dataclass(frozen=True)
class TyreCurve:
    """A line of a chart. name: in the legend. color: its place in `COLORS`. is_measured: dots in place of a line."""

    name: str
    x: Floats
    y: Floats
    color: int = 0
    is_measured: bool = False


@dataclass(frozen=True)
class TyreChart:
    """A chart: its title, what its axes say with their units, and its lines."""

    title: str
    across: tuple[str, str]
    upward: tuple[str, str]
    curves: tuple[TyreCurve, ...]


def tyre_page(shown: Sequence[ShownTyre]) -> Page:
    """The page, a block for each tyre."""
    cells = [PageCell(1, 1, "Tyres", "title"), PageCell(2, 1, REMARK, "remark")]
    charts: list[PageChart] = []
    columns: list[PageColumn] = []
    breaks = []
    row = 4
    for number, each in enumerate(shown, start=1):
        if number > 1:
            breaks.append(row - 1)
        cells.append(PageCell(row, LABEL, each.name, "page head"))
        cells.append(PageCell(row, TEXT, "", "page head"))
        facts = list(_facts(each))
        for at, (heading, text) in enumerate(facts, start=row + 1):
            cells += [PageCell(at, LABEL, heading, "page item"), PageCell(at, TEXT, text, "page text")]
        first = row + len(facts) + 2
        drawn = _charts(each.fitted)
        at = FIRST_NUMBER
        for slot, chart in enumerate(drawn):
            placed = _placed(chart, number, slot, first, at)
            at += len(placed.columns)
            charts.append(placed.chart)
            columns += placed.columns
            cells += placed.cells
        if len(drawn) > ACROSS:  # what is said of the tyre leaves room for one row of charts, and a page holds three
            breaks.append(first + ROWS - 1)
        row = first + max(-(-len(drawn) // ACROSS) * ROWS, POINTS + 3) + 1
    paper = Paper(upright=False, scale=SCALE, breaks=tuple(breaks), areas=((1, 1, row - 1, FIRST_NUMBER - 1),))
    heights = {1: 30.0, **{cell.row: _height(str(cell.value)) for cell in cells if cell.look == "page text"}}
    size = row - 1, FIRST_NUMBER - 1
    return Page(TYRE_PAGE, WIDTHS, tuple(cells), size, paper, heights, tuple(charts), tuple(columns))


def _height(text: str) -> float:
    """Points of a row whose text is broken into lines."""
    return 15.0 * max(1, -(-len(text) // CHARACTERS))


def _facts(shown: ShownTyre) -> Iterator[tuple[str, str]]:
    fitted, tyre = shown.fitted, shown.fitted.tyre
    yield "model", tyre.model + (f", from {fitted.file}" if fitted.file else "")
    yield "axles", " and ".join(fitted.axles) or "none"
    yield "measured side", _side(tyre)
    if tyre.pressure:
        yield "pressure", f"{tyre.pressure:.6g} Pa = {tyre.pressure * 1e-5:.4g} bar"
    yield (
        "charts are at",
        (
            "the loads of the table"
            if tyre.kernel.model == TABLE
            else "the loads of Tyre data"
            if measured_loads(fitted)
            else f"{_described_load(fitted):.6g} N, and parts and multiples of it"
        ),
    )
    if measured_loads(fitted):
        yield "dots", DOTS
    yield "ranges", "; ".join(_ranges(tyre)) or "none is given"
    yield from tyre.facts
    if fitted.replaced:
        told = (f"{new.name} = {new.as_written} ({new.place}) for {old.as_written}" for old, new in fitted.replaced)
        yield "replaced by Tyre coefficients", "; ".join(told)
    if fitted.unused:
        yield "keys that are not used", ", ".join(fitted.unused)


def _side(tyre: Tyre) -> str:
    if tyre.measured_side == SYMMETRIC:
        return "symmetric: the same tyre on both sides"
    other = "right" if tyre.measured_side == "left" else "left"
    return f"{tyre.measured_side}: wheels on the {other} side are mirrored"


def _ranges(tyre: Tyre) -> Iterator[str]:
    for place, (word, factor, unit) in RANGE_WORDS.items():
        low, high = (float(bounds[place]) * factor for bounds in (tyre.kernel.low, tyre.kernel.high))
        if isfinite(high):
            yield f"{word} {low:.5g} to {high:.5g}{unit}"


def _described_load(fitted: FittedTyre) -> float:
    """The load that charts are about: the tyre's own, or that of the car where its model knows none."""
    tyre = fitted.tyre
    return fitted.static_load or tyre.load if tyre.kernel.model in (LINEAR, FIALA) else tyre.load


def _charts(fitted: FittedTyre) -> list[TyreChart]:
    """The charts of a tyre."""
    tyre, about = fitted.tyre, _described_load(fitted)
    loads = _loads(fitted, about)
    low, high = float(tyre.kernel.low[LOAD]), float(tyre.kernel.high[LOAD])
    static = min(max(fitted.static_load or about, low), high)
    angles = _stretch(tyre, ALPHA, radians(ANGLES))
    ratios = _stretch(tyre, KAPPA, RATIOS)
    cambers = _stretch(tyre, GAMMA, radians(CAMBERS))
    alpha, newton, moment = ("slip angle", "deg"), ("Fy", "N"), ("Mz", "N*m")
    found = [
        TyreChart("Lateral force over slip angle", alpha, newton, _over(fitted, "fy", ALPHA, angles, loads)),
        TyreChart(
            "Longitudinal force over slip ratio",
            ("slip ratio", ""),
            ("Fx", "N"),
            _over(fitted, "fx", KAPPA, ratios, loads),
        ),
        TyreChart("Aligning moment over slip angle", alpha, moment, _over(fitted, "mz", ALPHA, angles, loads)),
        TyreChart("Lateral force over camber", ("camber", "deg"), newton, _over(fitted, "fy", GAMMA, cambers, loads)),
        TyreChart(
            "Friction over load", ("load", "N"), ("largest force over load", ""), _friction(tyre, about, ratios, angles)
        ),
        TyreChart("Cornering stiffness over load", ("load", "N"), ("stiffness", "N/deg"), _stiffness(tyre, about)),
        TyreChart(f"Friction ellipse at {static:.0f} N", ("Fx", "N"), newton, _ellipse(tyre, static)),
    ]
    return [chart for chart in found if chart.curves]


def _loads(fitted: FittedTyre, about: float) -> list[float]:
    """The loads of a table, those at which a tyre was measured, else five loads within its range."""
    tyre = fitted.tyre
    low, high = float(tyre.kernel.low[LOAD]), float(tyre.kernel.high[LOAD])
    if tyre.kernel.model == TABLE:
        table = tyre.kernel.table
        lines = table.lateral.load if table.lateral.load.size else table.longitudinal.load
        return [float(load) for load in lines[:: max(1, -(-len(lines) // 5))]]
    wanted = measured_loads(fitted) or [share * about for share in SHARES]
    return sorted({min(max(load, low), high) for load in wanted})


def _stretch(tyre: Tyre, place: int, most: float) -> Floats:
    """Values from end to end of a range, or as far as charts go; 0 among them where it can be."""
    low, high = max(float(tyre.kernel.low[place]), -most), min(float(tyre.kernel.high[place]), most)
    return np.linspace(low, high, POINTS) if high > low else np.zeros(0)


def _over(fitted: FittedTyre, force: str, place: int, values: Floats, loads: Sequence[float]) -> tuple[TyreCurve, ...]:
    """A force over one input at several loads, and what was measured of it there."""
    if not values.size:
        return ()
    factor, tyre = RANGE_WORDS[place][1], fitted.tyre
    curves = []
    for color, load in enumerate(loads):
        states = tyre.states(np.zeros(len(values)), 0.0, 0.0, load)
        states[:, place] = values
        curves.append(TyreCurve(f"{load:.0f} N", values * factor, tyre.evaluate(states).force(force), color))
    read = enumerate(dots(fitted, force, place, loads))
    measured = [
        TyreCurve(f"measured {loads[color]:.0f} N", x * factor, y, color, is_measured=True)
        for color, (x, y) in read
        if len(x) > 1 and np.ptp(x) > 0.0
    ]
    return (*curves, *measured) if measured or any(np.any(curve.y) for curve in curves) else ()


def _load_course(tyre: Tyre, about: float) -> Floats:
    low, high = float(tyre.kernel.low[LOAD]), float(tyre.kernel.high[LOAD])
    first = max(low, 0.05 * about)
    last = min(high, 2.0 * about)
    return np.linspace(first, last, POINTS) if last > first else np.zeros(0)


def _friction(tyre: Tyre, about: float, ratios: Floats, angles: Floats) -> tuple[TyreCurve, ...]:
    loads = _load_course(tyre, about)
    curves: list[TyreCurve] = []
    for name, force, place, values in (("along", "fx", KAPPA, ratios), ("across", "fy", ALPHA, angles)):
        if not values.size or not loads.size:
            continue
        states = tyre.states(np.zeros(len(loads) * len(values)), 0.0, 0.0, np.repeat(loads, len(values)))
        states[:, place] = np.tile(values, len(loads))
        sizes = np.abs(tyre.evaluate(states).force(force)).reshape(len(loads), -1).max(axis=1)
        if np.any(sizes):
            curves.append(TyreCurve(name, loads, sizes / loads, len(curves)))
    return tuple(curves)


def _stiffness(tyre: Tyre, about: float) -> tuple[TyreCurve, ...]:
    loads = _load_course(tyre, about)
    if not loads.size:
        return ()
    found = -tyre.evaluate(tyre.states(np.zeros(len(loads)), 0.0, 0.0, loads)).force("kya")
    return (TyreCurve("cornering stiffness", loads, np.radians(found)),) if np.any(found) else ()


def _ellipse(tyre: Tyre, load: float) -> tuple[TyreCurve, ...]:
    """Lateral over longitudinal force, a line for each slip angle along which the slip ratio goes."""
    ratios = _stretch(tyre, KAPPA, ELLIPSE_RATIO)
    if not ratios.size:
        return ()
    curves: list[TyreCurve] = []
    for angle in ELLIPSE_ANGLES:
        if radians(angle) <= -float(tyre.kernel.low[ALPHA]):
            states = tyre.states(ratios, -radians(angle), 0.0, load)
            response = tyre.evaluate(states)
            curves.append(TyreCurve(f"{0.0 - angle:g} deg", response.force("fx"), response.force("fy"), len(curves)))
    return tuple(curves) if any(np.any(curve.x) for curve in curves) else ()


@dataclass(frozen=True)
class PlacedChart:
    """A chart with the cells of its numbers."""

    chart: PageChart
    columns: tuple[PageColumn, ...]
    cells: tuple[PageCell, ...]


def _placed(chart: TyreChart, number: int, slot: int, first: int, at: int) -> PlacedChart:
    """A chart in its place below row ``first``. at: the first column of its numbers, to the right of all charts."""
    down, across = divmod(slot, ACROSS)
    spot = Spot(first + down * ROWS, LEFT + across * (WIDTH + GAP), WIDTH, HEIGHT)
    columns: list[PageColumn] = []
    cells: list[PageCell] = []
    lines = []
    over = 0  # the curve whose numbers across this one has too
    for k, curve in enumerate(chart.curves):
        is_shared = k > 0 and np.array_equal(curve.x, chart.curves[over].x)
        over = over if is_shared else k
        series = [] if is_shared else [(f"{number}.{slot}.{k}.x", chart.across, curve.x, chart.across[0])]
        series.append((f"{number}.{slot}.{k}.y", chart.upward, curve.y, curve.name))
        for name, (_word, unit), values, head in series:
            cells += [PageCell(first, at, head, "header"), PageCell(first + 1, at, unit, "units")]
            known = [float(value) if isfinite(value) else None for value in values]
            cells += [
                PageCell(first + 2 + n, at, value, "exponent") for n, value in enumerate(known) if value is not None
            ]
            columns.append(PageColumn(name, unit, first + 2, at, values))
            at += 1
        x, y = f"{TYRE_PAGE}!{number}.{slot}.{over}.x", f"{TYRE_PAGE}!{number}.{slot}.{k}.y"
        line = PageLine(x, y, curve.name, COLORS[curve.color % len(COLORS)])
        lines.append(replace(line, width=0.0, dot=DOT, is_named=False) if curve.is_measured else line)
    axes = (AxisText(_title(*chart.across)), AxisText(_title(*chart.upward)))
    doc = f"{chart.title}: {', '.join(curve.name for curve in chart.curves)}"
    return PlacedChart(PageChart(chart.title, *axes, tuple(lines), spot, doc), tuple(columns), tuple(cells))


def _title(word: str, unit: str) -> str:
    return f"{word} [{unit}]" if unit else word
