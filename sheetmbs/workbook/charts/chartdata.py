"""The sheet `mbs Chart Data`: the rows that charts of long series draw, one column after the other."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from sheetmbs.schema.table import Table
from sheetmbs.workbook.charts.panels import Panel, PanelColumn
from sheetmbs.workbook.sheets.decimation import MAX_DRAWN_ROWS, Rows, every_nth_row, extreme_rows
from sheetmbs.workbook.sheets.sheet_contents import CHART_DATA, EQUILIBRIUM

DECIMATION_REMARK = (
    f"A chart of more than {MAX_DRAWN_ROWS:,} rows draws fewer: over time the smallest and largest values of short intervals, "
    f"else rows at equal distances. They are on {CHART_DATA}."
)


class ChartData:
    """The sheet as it is filled, chart by chart; a column stands there once for each chart that shows it.

    are_whole: all rows stand on the result sheets. held: names of columns that keep their places, from the left on.
    """

    def __init__(self, *, are_whole: bool, held: Sequence[str] = ()) -> None:
        self._are_whole = are_whole
        self._names = list(held)
        self._filled: dict[int, PanelColumn] = {}

    @property
    def has_numbers(self) -> bool:
        """Whether a chart draws fewer rows."""
        return any(len(column.data) for column in self._filled.values())

    @property
    def table(self) -> Table | None:
        """The contents of the sheet; None if it is not needed."""
        if not self._names:
            return None
        count = max((len(column.data) for column in self._filled.values()), default=0)
        values = np.full((count, len(self._names)), np.nan)
        units = [""] * len(self._names)
        for place, column in self._filled.items():
            values[: len(column.data), place] = column.data
            units[place] = column.unit
        return Table(CHART_DATA, tuple(self._names), tuple(units), values)

    @property
    def drawn(self) -> set[str]:
        """Names of the columns of this run that stand there."""
        return {column.name for column in self._filled.values() if len(column.data)}

    def panel(self, panel: Panel) -> Panel:
        """A panel as it is drawn: over all rows, or over fewer that stand here."""
        if panel.is_bars:
            return panel
        drawn = {id(was): now for was, now in self._drawn_of(panel)}
        lines = tuple(replace(line, x=drawn[id(line.x)], y=drawn[id(line.y)]) for line in panel.lines)
        frame = (drawn[id(panel.frame[0])], drawn[id(panel.frame[1])]) if panel.frame else None
        return replace(panel, lines=lines, frame=frame)

    def _drawn_of(self, panel: Panel) -> Iterator[tuple[PanelColumn, PanelColumn]]:
        """The columns of a panel and as what they are drawn, one case after the other."""
        points = [line for line in panel.lines if line.part == "points"]  # all of which stand where they are
        yield from ((column, column) for line in points for column in (line.x, line.y))
        series = [line for line in panel.lines if line.part != "points"]
        for case in dict.fromkeys(line.y.case for line in series):
            lines = [line for line in series if line.y.case == case]
            columns = [lines[0].x, *(line.y for line in lines), *(panel.frame or ())]
            yield from zip(columns, self._as_drawn(columns), strict=True)

    def columns(
        self, shown: Iterable[tuple[str, str]], whole: Mapping[str, PanelColumn], *, x: str = "", is_ours: bool
    ) -> dict[str, PanelColumn]:
        """The columns that a chart which stays shows now, as ``sheet!name``.

        shown: sheet and name of these. whole: see `result_columns`. x: the name of what it draws them over, if that is not
        time. is_ours: we drew it, so that it comes here, or leaves, as its series become long or short; from a chart that the
        user made only those columns are found that are here already. One that this run does not have keeps an empty place.
        """
        wanted = [(sheet, name) for sheet, name in dict.fromkeys(shown) if is_ours or sheet == CHART_DATA]
        known = {key: whole.get("!".join(key)) or whole.get(key[1]) for key in wanted}
        beside = next((column.sheet for column in known.values() if column and column.name != column.time), "")
        found: dict[tuple[str, str], PanelColumn] = {}
        for key, column in known.items():
            if column and column.name == column.time and key[0] == CHART_DATA:
                found[key] = whole.get(f"{beside}!{column.name}", column)
            elif column:
                found[key] = column
        lists = {"!".join(key): column for key, column in found.items() if column.sheet == EQUILIBRIUM}
        found = {key: column for key, column in found.items() if column.sheet != EQUILIBRIUM}
        places = {(column.sheet, column.place): column for column in found.values()}
        drawn: dict[tuple[str, int], PanelColumn] = {}
        for case in dict.fromkeys(column.case for column in places.values()):
            own = [column for column in places.values() if column.case == case]
            order = sorted(own, key=lambda column: column.name != (x or column.time))
            drawn |= dict(zip(((column.sheet, column.place) for column in order), self._as_drawn(order), strict=True))
        named = {"!".join(key): drawn[column.sheet, column.place] for key, column in found.items()}
        missing = [name for sheet, name in wanted if sheet == CHART_DATA and (sheet, name) not in found]
        return lists | named | {f"{CHART_DATA}!{name}": self._placed(_empty(name)) for name in missing}

    def _as_drawn(self, columns: Sequence[PanelColumn]) -> list[PanelColumn]:
        """The columns of a chart, the first of which runs across, where and with the rows that it draws."""
        chosen = {count: self._rows(columns, count) for count in {len(column.data) for column in columns}}
        drawn = []
        for column in columns:
            rows = chosen[len(column.data)]
            drawn.append(column if rows is None else self._placed(replace(column, data=column.data[rows])))
        return drawn

    def _rows(self, columns: Sequence[PanelColumn], count: int) -> Rows | None:
        """The rows, of ``count``, that are drawn; None = all of them, which the result sheets show."""
        if self._are_whole and count <= MAX_DRAWN_ROWS:
            return None
        series = [column.data for column in columns[1:] if len(column.data) == count]
        if count > MAX_DRAWN_ROWS and series and columns[0].name == columns[0].time:
            return extreme_rows(series)
        return every_nth_row(count, max(-(-count // MAX_DRAWN_ROWS), 1))

    def _placed(self, column: PanelColumn) -> PanelColumn:
        free = (i for i, name in enumerate(self._names) if name == column.name and i not in self._filled)
        place = next(free, len(self._names))
        if place == len(self._names):
            self._names.append(column.name)
        self._filled[place] = replace(column, sheet=CHART_DATA, place=place + 1)
        return self._filled[place]


def _empty(name: str) -> PanelColumn:
    nothing: NDArray[np.float64] = np.zeros(0)
    return PanelColumn(name, "", "", CHART_DATA, 0, nothing)
