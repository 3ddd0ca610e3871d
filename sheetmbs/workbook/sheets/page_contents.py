"""Pages: sheets that are laid out cell by cell, with charts in their places. What stands on them, independent of xlsx."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal, overload

import numpy as np
from numpy.typing import NDArray

SummaryValue = float | int | str | None
LookedCell = tuple[SummaryValue, str]
"""what stands in a cell and the name of its look"""
Box = tuple[int, int, int, int]
"""first row and column of cells, and the last ones, which belong to it; from 1"""


@dataclass(frozen=True)
class Spot:
    """A place that no width of a column moves: the row it begins in, from 1; how far from the left, and its size, pixels."""

    row: int
    left: int
    width: int
    height: int


@dataclass(frozen=True)
class PageCell:
    """The content of a cell. look: its name in `styles.LOOKS`. span: columns that it covers. link: a cell it leads to.

    inks: pieces of the text with their colours (``#0072B2``), which follow its value.
    """

    row: int
    column: int
    value: SummaryValue
    look: str
    span: int = 1
    link: str = ""
    inks: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True)
class PageColumn:
    """Numbers of a page, or texts, one below the other, that charts draw as ``page!name``. row, column: of the first one."""

    name: str
    unit: str
    row: int
    column: int
    data: NDArray[np.float64] = field(default_factory=lambda: np.zeros(0))
    labels: tuple[str, ...] = ()


NotePlace = Literal["left", "right", "above", "below"]
"""of a text at a point"""


@dataclass(frozen=True)
class PageLine:
    """A line of a chart, or bars. x, y: result columns as ``sheet!name``. name: in the legend. width: points, 0 without a line.

    dash: a name of XlsxWriter's. notes: a text at each bar, or at each point of a line. notes_at: where texts of points stand.
    dot: size of the dots at its points, points; 0 without. is_ring: dots are rings. is_named: the legend shows it. shows:
    further result columns that it stands for, since they are the same. tall: of a mark, the share of the scale that it goes up
    from its point; 0: it goes through all of it.
    """

    x: str
    y: str
    name: str
    color: str
    dash: str = "solid"
    width: float = 1.75
    notes: tuple[str, ...] = ()
    notes_at: NotePlace = "right"
    dot: int = 0
    is_ring: bool = False
    is_named: bool = True
    shows: tuple[str, ...] = ()
    tall: float = 0.0


@dataclass(frozen=True)
class BandLayer:
    """A part of an area. width: how far it goes up, as a result column ``sheet!name``. color: ``""`` of a gap."""

    width: str
    name: str
    color: str


@dataclass(frozen=True)
class PageBand:
    """Areas of a chart of courses. low: where they begin, as a result column ``sheet!name``. layers: one on the other."""

    x: str
    low: str
    layers: tuple[BandLayer, ...]


@dataclass(frozen=True)
class AxisText:
    """Title and limits of an axis. reach: a range that it covers. span: its least length. within: the range it may cover.

    tick: where it is given, the axis goes from end to end of its reach in such ticks.
    """

    title: str
    reach: tuple[float, ...] = ()
    span: float = 0.0
    within: tuple[float, float] = (-np.inf, np.inf)
    tick: float = 0.0


Kind = Literal["line", "bar", "bars", "columns", "stacked", "courses"]
"""bar: lying, one over the other; bars: lying, side by side; columns: upright, side by side; courses: lines over one axis of
equal steps"""


@dataclass(frozen=True)
class PageChart:
    """A chart on a page.

    box: where it stands: the cells that it covers, or a spot. doc: what it shows, for those who cannot see it. alike: columns,
    as ``sheet!name``, of other charts that have the same scale upward, alike_across: across. is_small: with small print and
    without a legend. is_true: both axes have one scale, so that shapes are true. Of a chart of courses, band: the area below
    its lines. marks: where the y of these has a number, a line stands upright. every: rows from one tick across to the next.
    """

    title: str
    across: AxisText
    upward: AxisText
    lines: tuple[PageLine, ...]
    box: Box | Spot
    doc: str
    kind: Kind = "line"
    alike: tuple[str, ...] = ()
    alike_across: tuple[str, ...] = ()
    is_small: bool = False
    is_true: bool = False
    band: PageBand | None = None
    marks: tuple[PageLine, ...] = ()
    every: int = 0


@dataclass(frozen=True)
class PagePicture:
    """A picture of the user's that stands on a page too: its name, the row of its upper edge, and pixels.

    right: its right edge from the left of the page. high, wide: what it has room in; its shape stays.
    """

    name: str
    row: int
    right: int
    high: int
    wide: int


@dataclass(frozen=True)
class Paper:
    """Print settings of a page on A4. one: each area on one sheet. scale: %, where not fitted.

    repeated: first and last of the rows on top of each sheet of paper. areas: first row and column, last row and column of
    each range that is printed; () all of the page. foot: the text in the middle of the foot, with ``{page}`` for the number
    of the sheet of paper and ``{pages}`` for how many there are; "" the name of the file, as on other sheets.
    """

    upright: bool = True
    one: bool = False
    scale: int = 0
    breaks: tuple[int, ...] = ()
    repeated: tuple[int, int] | None = None
    areas: tuple[tuple[int, int, int, int], ...] = ()
    foot: str = ""


@dataclass(frozen=True)
class Page:
    """A sheet laid out cell by cell.

    widths: of its columns, in digits. heights: of rows that are not as high as others, points. size: rows and columns that
    are printed. frozen: columns and rows. is_active: it is shown when the workbook opens. folded: the first of the
    rows that are folded away, as they hold numbers of charts; 0: none. pictures: left out where the workbook has none such.
    """

    name: str
    widths: tuple[float, ...]
    cells: tuple[PageCell, ...]
    size: tuple[int, int]
    paper: Paper
    heights: Mapping[int, float] = field(default_factory=dict)
    charts: tuple[PageChart, ...] = ()
    columns: tuple[PageColumn, ...] = ()
    frozen: tuple[int, int] = (0, 0)
    is_active: bool = False
    folded: int = 0
    pictures: tuple[PagePicture, ...] = ()


class PagesOnDemand(Sequence[Page]):
    """Pages that are laid out when somebody first looks at them: who only wants numbers does not wait for them."""

    def __init__(self, lay_out: Callable[[], tuple[Page, ...]]) -> None:
        self._lay_out = lay_out

    @cached_property
    def _pages(self) -> tuple[Page, ...]:
        return self._lay_out()

    @overload
    def __getitem__(self, at: int) -> Page: ...
    @overload
    def __getitem__(self, at: slice) -> tuple[Page, ...]: ...
    def __getitem__(self, at: int | slice) -> Page | tuple[Page, ...]:
        """A page, or some of them."""
        return self._pages[at]

    def __len__(self) -> int:
        """How many there are."""
        return len(self._pages)


@dataclass(frozen=True)
class PageRow:
    """A row of a printed table: a head, or a quantity with its unit and values, each with its look."""

    label: str
    unit: str
    cells: tuple[LookedCell, ...]
    is_head: bool = False


def placed_rows(rows: Sequence[PageRow], first: int, column: int, values: int) -> Iterator[PageCell]:
    """The cells of rows from row ``first`` on. column: of their labels; values: how many columns of these follow the units."""
    for at, row in enumerate(rows, start=first):
        if row.is_head:
            yield PageCell(at, column, row.label, "page head", span=2)
        else:
            yield PageCell(at, column, row.label, "page item")
            yield PageCell(at, column + 1, row.unit, "page unit")
        blank: LookedCell = ("", "page column" if row.is_head else "page value")
        cells = (*row.cells, *[blank] * (values - len(row.cells)))
        for place, (value, look) in enumerate(cells, start=column + 2):
            yield PageCell(at, place, value, look)


def mixed(one: str, other: str) -> str:
    """The colour in the middle between two, a little darker, as where areas lie over each other."""
    pairs = ((int(one[k : k + 2], 16), int(other[k : k + 2], 16)) for k in (1, 3, 5))
    return "#" + "".join(f"{round(DARKER * (a + b) / 2.0):02X}" for a, b in pairs)


DARKER = 0.93
"""share of the light of two areas that lie over each other"""


def paler(color: str, share: float = 0.45) -> str:
    """A colour with a share of white in it."""
    parts = (int(color[k : k + 2], 16) for k in (1, 3, 5))
    return "#" + "".join(f"{round(part + (255 - part) * share):02X}" for part in parts)
