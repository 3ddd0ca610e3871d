"""The charts of several cases over each other: one line per case where what is drawn, and over what, is the same."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from sheetmbs.model.model import Chart, ChartPoints
from sheetmbs.results.charting.default_charts import MAX_SERIES
from sheetmbs.schema.table import Table
from sheetmbs.workbook.sheets.sheet_contents import ResultSheets, SheetSection

MAX_CHARTS = 24
"""that nobody asked for: more are not looked through"""


@dataclass
class Overlay:
    """Charts of several cases that become one. columns: the columns of each case, by the name of what they hold."""

    chart: Chart
    columns: dict[str, dict[str, str]] = field(default_factory=dict)
    points: list[ChartPoints] = field(default_factory=list)

    @property
    def cases(self) -> list[str]:
        """The cases that it shows."""
        return list(dict.fromkeys(case for by_case in self.columns.values() for case in by_case))

    def is_like(self, chart: Chart) -> bool:
        """Whether a chart of another case shows the same: over the same, with the same lines or under the same title."""
        is_same = (self.chart.x, self.chart.type) == (chart.x, chart.type) and not self.chart.beside
        return is_same and (self.chart.title == chart.title or self.columns.keys() == set(chart.y))


def overlaid(
    sheets: Mapping[str, ResultSheets], tables: Mapping[str, Sequence[Table]], sections: Sequence[SheetSection]
) -> tuple[tuple[Chart, ...], tuple[str, ...]]:
    """The charts of all cases, and what is said above them. tables: of each case. sections: of all that are at rest."""
    bars = {chart.title for each in sheets.values() for chart in each.charts if chart.x == chart.title}
    at_rest = tuple(
        Chart(section.title, section.title, tuple(section.column(head) for head in _drawn_heads(section)), "bar")
        for section in sections
        if section.title in bars
    )
    overlays: list[Overlay] = []
    for case, each in sheets.items():
        own = _own_columns(each.tables, tables[case])
        for chart in each.charts:
            if chart.x != chart.title:
                _add(overlays, chart, case, own)
    asked = [chart for overlay in overlays if overlay.chart.cell for chart in _charts(overlay, len(sheets))]
    others = [*at_rest, *(chart for o in overlays if not o.chart.cell for chart in _charts(o, len(sheets)))]
    remarks = list(dict.fromkeys(remark for each in sheets.values() for remark in each.remarks))
    if len(others) > MAX_CHARTS:
        remarks.append(f"{len(others) - MAX_CHARTS} more charts are drawn if each case is run by itself.")
    return (*asked, *others[:MAX_CHARTS]), tuple(remarks)


def _drawn_heads(section: SheetSection) -> tuple[str, ...]:
    return section.heads[:1] if section.heads[0] == "size" else section.heads


def _own_columns(asked: Sequence[Table], written: Sequence[Table]) -> dict[str, str]:
    """Names of the columns of a case in the file, by the names by which its charts ask for them."""
    found: dict[str, str] = {}
    for before, now in zip(asked, written, strict=True):
        for name in before.columns:
            found.setdefault(name, f"{now.name}!{name}")
            found[f"{before.name}!{name}"] = f"{now.name}!{name}"
    return found


def _add(overlays: list[Overlay], chart: Chart, case: str, own: Mapping[str, str]) -> None:
    """Put the lines of a chart where those of other cases are; a path in a frame stands alone. own: see `_own_columns`."""
    alike = [each for each in overlays if not chart.beside and case not in each.cases and each.is_like(chart)]
    if alike:
        overlay = alike[0]
    else:
        x, y = (own[name] for name in chart.beside) if chart.beside else ("", "")
        overlay = Overlay(replace(chart, beside=(x, y) if chart.beside else (), points=()))
        overlays.append(overlay)
    for name in chart.y:
        overlay.columns.setdefault(name, {})[case] = own[name]
    overlay.points += [replace(each, of=own[each.of]) for each in chart.points]


def _charts(overlay: Overlay, cases: int) -> Iterator[Chart]:
    """One chart, or where its lines could not be told apart one for each column. cases: how many there are in all."""
    lines = [column for by_case in overlay.columns.values() for column in by_case.values()]
    own = overlay.cases
    title = overlay.chart.title if len(own) > 1 or cases == 1 else f"{overlay.chart.title} ({own[0]})"
    if len(lines) <= MAX_SERIES or len(own) == 1:
        yield replace(overlay.chart, title=title, y=tuple(lines), points=tuple(overlay.points))
        return
    for name, by_case in overlay.columns.items():
        y = tuple(by_case.values())
        points = tuple(each for each in overlay.points if each.of in y)
        yield replace(overlay.chart, title=f"{title}: {name.rpartition('!')[2]}", y=y, points=points)
