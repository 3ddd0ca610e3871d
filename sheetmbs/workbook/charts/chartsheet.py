"""The sheet `mbs Charts`: charts that are there are kept, new columns get new ones, and what was deleted stays away.

A chart whose part is as we wrote it is drawn again. Once a spreadsheet program has saved the workbook, every chart is the
user's: its look stays, and its references, numbers and scales are renewed. Where the columns to be shown have changed, one
that still looks as we made it is drawn again in its place; one that looks otherwise is kept, and the other columns get a
chart of their own.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial

import numpy as np
from lxml import etree

from sheetmbs.model.model import Chart
from sheetmbs.problems.listing import sentence_list
from sheetmbs.workbook.charts.chartdata import DECIMATION_REMARK, ChartData
from sheetmbs.workbook.charts.chartxml import ChartXml, Look, same
from sheetmbs.workbook.charts.drawings import (
    NO_DRAWING,
    Placed,
    anchor,
    bottom,
    columns_of,
    new_shape,
    placed_charts,
    wide_ranges_of,
)
from sheetmbs.workbook.charts.memory import (
    ChartRecord,
    DrawnChart,
    Key,
    checksum_of,
    edited_sheet,
    is_line,
    key_of,
    name_of,
    number_of,
    read_record,
    texts_of,
)
from sheetmbs.workbook.charts.moves import moved, shown_columns
from sheetmbs.workbook.charts.native_charts import (
    CHARTS_ACROSS,
    EMU,
    GAP,
    HEIGHT,
    ROW_HEIGHT,
    ROWS_PER_PAGE,
    WIDTH,
    filled,
    skeletons,
)
from sheetmbs.workbook.charts.pagecharts import page_columns
from sheetmbs.workbook.charts.panels import Panel, PanelColumn, result_columns, select
from sheetmbs.workbook.charts.restsheet import section_columns
from sheetmbs.workbook.package import parts
from sheetmbs.workbook.package.package import MAIN
from sheetmbs.workbook.package.partxml import sound_xml
from sheetmbs.workbook.package.references import Range
from sheetmbs.workbook.sheets.newsheet import Drawing, NewSheet
from sheetmbs.workbook.sheets.previous_results import PreviousResults
from sheetmbs.workbook.sheets.sheet_contents import CHARTS, RESIDUALS, ResultSheets
from sheetmbs.workbook.sheets.sheetxml import charts_sheet

MAX_LISTED_TITLES = 5
MIN_NOTE_LINES = 2
"""for which there is room above the charts, whatever is said later"""


@dataclass(frozen=True)
class Standing:
    """A chart that stands on the sheet. made: what we know of it, None of one of the user's own."""

    placed: Placed
    made: DrawnChart | None
    is_as_written: bool


@dataclass
class ChartPlan:
    """The fate of the charts: kept, replaced by the panel of a number, or removed."""

    asked: list[Chart] = field(default_factory=list)
    kept: list[Standing] = field(default_factory=list)
    kept_as: dict[int, Standing] = field(default_factory=dict)
    replaced: dict[int, Standing] = field(default_factory=dict)
    gone: list[Standing] = field(default_factory=list)


class ChartSheet:
    """The sheet as it stands, and what this run makes of it.

    sheets: the charts of this run, and its results, wherever their columns will stand.
    """

    def __init__(self, before: PreviousResults, sheets: ResultSheets) -> None:
        self._before, self._package = before, before.package
        self._asked, self._remarks = sheets.charts, sheets.remarks
        sheet = before.own.get(CHARTS)
        drawing = self._package.related(sheet.part, "drawing") if sheet else None
        self._sheet = sound_xml(self._package.read(sheet.part)) if sheet else None
        if self._sheet is not None and self._sheet.find(f"{{{MAIN}}}sheetData") is None:
            self._sheet = None
        self._drawing = sound_xml(self._package.read(drawing)) if drawing else None
        is_unsound = (sheet and self._sheet is None) or (drawing and self._drawing is None)
        lines = [text for _, text in texts_of(self._sheet, before) if is_line(text)] if self._sheet is not None else []
        self._record = ChartRecord() if is_unsound else read_record(lines)
        self._last_number = 0
        standing = list(self._standing(drawing, self._drawing)) if drawing and self._drawing is not None else []
        here = {each.made.number for each in standing if each.made}
        self._deleted = [made.deleted for made in self._record.made if made.number not in here]
        untouched = drawing is None or self._package.checksum(drawing) == self._record.drawing
        is_ours = all(each.made and each.is_as_written for each in standing) and untouched
        is_old = not lines and not any(each.made for each in standing)
        self._is_new = (is_ours and (drawing is not None or not self._record.made)) or is_old or bool(is_unsound)
        listed = section_columns(sheets.sections) | page_columns(sheets.pages)
        columns = result_columns(sheets.tables, whole=True) | listed
        self._plan = self._planned([] if is_old or is_unsound else standing, columns)

    @property
    def needed(self) -> set[tuple[str, str]]:
        """Sheet and name of the columns that charts show which stay."""
        return {each for standing in self._plan.kept for each in columns_of(standing.placed.chart, self._before)}

    @property
    def ranges(self) -> list[tuple[str, Range]]:
        """Sheet and cells of ranges of several columns that such charts show."""
        return [each for standing in self._plan.kept for each in wide_ranges_of(standing.placed.chart)]

    def _standing(self, drawing: str, root: etree._Element) -> Iterator[Standing]:
        """The charts on the sheet; those whose names a program has lost are known by their titles and columns."""
        placed = list(placed_charts(self._package, drawing, root))
        left = {made.number: made for made in self._record.made if made.number}
        known = {each.key: left.pop(number_of(each.name), None) for each in placed}
        self._last_number = max((number_of(each.name) for each in placed), default=0)
        for each in placed:
            made = known[each.key]
            if made is None:
                fits = (m for m in left.values() if (m.panel, m.y) == (each.chart.title, self._lines(each, m.y)))
                made = next(fits, None)
                left.pop(made.number if made else 0, None)
            if made is None and not self._record.made:
                made = self._guessed(each)
            checksum = self._package.checksum(each.part) if each.anchor is not None else None
            yield Standing(each, made, is_as_written=made is not None and None is not made.checksum == checksum)

    def _guessed(self, placed: Placed) -> DrawnChart | None:
        """The record of a chart of ours whose own is lost: that of the chart asked for under its title."""
        number = number_of(placed.name)
        same_title = (chart for chart in self._asked if chart.title == placed.chart.title)
        chart = next(same_title, None) if number else None
        return DrawnChart(number, chart.title, chart.x, chart.type, self._lines(placed, chart.y)) if chart else None

    def _planned(self, standing: Sequence[Standing], columns: Mapping[str, PanelColumn]) -> ChartPlan:
        plan = ChartPlan()
        settled: dict[Key, set[str]] = {}
        requested = {key_of(chart) for chart in self._asked if chart.cell}
        for made in self._deleted:
            if made.key not in requested:
                settled.setdefault(made.key, set()).update(made.y)
        self._deleted = [made for made in self._deleted if made.key not in requested]
        alike = []
        for each in standing:
            if each.is_as_written or self._looks_as_made(each):
                alike.append(each)
                continue
            plan.kept.append(each)
            if each.made:
                settled.setdefault(each.made.key, set()).update(each.made.y)
        for chart in self._asked:
            left = tuple(name for name in chart.y if name not in settled.get(key_of(chart), ()))
            plan.asked += [replace(chart, y=left)] if left else []
        if not self._is_new:
            self._match(plan, alike, select(plan.asked, columns).panels)
        return plan

    def _looks_as_made(self, standing: Standing) -> bool:
        """Whether a program has saved a chart that nobody changed."""
        made, placed = standing.made, standing.placed
        if made is None or not made.look or placed.anchor is None:
            return False
        return self._lines(placed, made.y) == made.y and same(placed.chart.look(), made.look)

    def _lines(self, placed: Placed, asked: Collection[str] = ()) -> tuple[str, ...]:
        """The result columns that its lines show; those ``asked`` for by sheet and name by these."""
        shown = [each for line in placed.chart.lines for each in shown_columns(line, self._before)]
        lines = [(sheet, name) for sheet, name in shown if sheet != RESIDUALS]
        return tuple(whole if (whole := f"{sheet}!{name}") in asked else name for sheet, name in lines)

    @staticmethod
    def _match(plan: ChartPlan, alike: list[Standing], panels: Sequence[Panel]) -> None:
        """The panel for each chart that looks as we made it: the one with the same columns, else the one with its title."""
        left = dict(enumerate(panels))
        for exact in (True, False):
            for each in list(alike):
                made = each.made
                fits = [
                    number
                    for number, panel in left.items()
                    if made and key_of(panel.chart) == made.key and (panel.names == made.y or not exact)
                ]
                if not fits or made is None:
                    continue
                is_same = panels[fits[0]].title == made.panel and not panels[fits[0]].has_points
                is_kept = exact and not each.is_as_written and is_same
                (plan.kept_as if is_kept else plan.replaced)[fits[0]] = each
                alike.remove(each)
                del left[fits[0]]
        plan.kept += plan.kept_as.values()
        plan.gone = alike

    def written(
        self, columns: Mapping[str, PanelColumn], whole: Mapping[str, PanelColumn], data: ChartData
    ) -> NewSheet | None:
        """The sheet over the results as they now stand; None where there is none.

        columns, whole: see `result_columns`. data: receives what charts of long series draw.
        """
        selection = select(self._plan.asked, whole)
        if not (self._asked or self._plan.kept or self._deleted):
            return None
        places = {each.made.number: place for place, each in self._plan.kept_as.items() if each.made}
        found = {each.placed.key: self._found(each, whole, data) for each in self._plan.kept}
        panels = [p if i in self._plan.kept_as else data.panel(p) for i, p in enumerate(selection.panels)]
        drawn = _Drawn(panels, self._kept_panels(whole), places)
        thinned = [DECIMATION_REMARK] if data.has_numbers else []
        notes = [*self._notes(len(panels), whole), *thinned, *self._remarks, *selection.left_out]
        if self._is_new or self._sheet is None:
            return self._new(drawn, notes)
        return self._edited(self._sheet, drawn, notes, columns, found)

    def _found(self, standing: Standing, whole: Mapping[str, PanelColumn], data: ChartData) -> dict[str, PanelColumn]:
        """The places of the columns of a chart that stays."""
        made = standing.made
        shown = columns_of(standing.placed.chart, self._before)
        return data.columns(shown, whole, x=made.x if made else "", is_ours=made is not None)

    def _kept_panels(self, columns: Mapping[str, PanelColumn]) -> dict[int, Panel]:
        """Restyled charts as they would be drawn today, by their numbers; from them follows the reach of their scales."""
        panels = {}
        for standing in self._plan.kept:
            made = standing.made
            if made is None or standing in self._plan.kept_as.values():
                continue
            beside = next((chart.beside for chart in self._asked if key_of(chart) == made.key), ())
            y = tuple(name for name in made.y if name not in beside and _has_numbers(columns.get(name)))
            chart = Chart(made.title, made.x, y, made.kind, beside=beside)
            found = select([chart], columns).panels if y and _has_numbers(columns.get(made.x)) else []
            if len(found) == 1:
                panels[made.number] = found[0]
        return panels

    def _new(self, drawn: _Drawn, notes: list[str]) -> NewSheet:
        """The sheet as we make it where nothing on it is the user's."""
        lines = max(len(notes), MIN_NOTE_LINES)
        top = (lines + 3) * ROW_HEIGHT * EMU
        anchors, charts, made = [], {}, []
        for place in range(len(drawn.panels)):
            number, key = place + 1, f"rId{place + 1}"
            x, y = _grid(place)
            anchors.append(anchor(number + 1, name_of(number), drawn.panels[place].title, key, x, top + y))
            charts[key] = drawn.chart(place)
            made.append(drawn.made(place, number))
        xml = f"{NO_DRAWING}{''.join(anchors)}</xdr:wsDr>".encode()
        xml = parts.DECLARATION + xml
        record = ChartRecord((*made, *self._deleted), tuple(notes), checksum_of(xml) if made else None)
        rows = partial(charts_sheet, notes, record.lines(), _page_breaks(lines + 2, len(made)))
        return NewSheet(CHARTS, rows, drawing=Drawing(xml, charts, is_new=True) if charts else None)

    def _edited(
        self,
        sheet: etree._Element,
        drawn: _Drawn,
        notes: list[str],
        columns: Mapping[str, PanelColumn],
        found: Mapping[str, Mapping[str, PanelColumn]],
    ) -> NewSheet:
        """The sheet as it stands with what must change. found: where each chart that stays finds its columns, by its key."""
        plan = self._plan
        root = etree.fromstring(f"{NO_DRAWING}</xdr:wsDr>") if self._drawing is None else self._drawing
        charts, made = {}, []
        contents: dict[str, bytes] = {}
        for each in plan.kept:
            old = each.made
            look = drawn.kept_look(old.number) if old else None
            if any(columns_of(each.placed.chart, self._before)):
                move = partial(moved, before=self._before, columns=columns, drawn=found[each.placed.key])
                charts[each.placed.key] = each.placed.chart.renew(move, contents, old.look if old else None, look)
            made += [replace(old, look=look or old.look, checksum=None)] if old else []
        for place, each in plan.replaced.items():
            charts[each.placed.key] = drawn.chart(place)
            made += [drawn.made(place, each.made.number)] if each.made else []
        for each in plan.gone:
            each.placed.remove()
        new = [place for place in range(len(drawn.panels)) if place not in plan.kept_as and place not in plan.replaced]
        number = max([self._last_number, *(each.number for each in made)])
        top = max(bottom(root, sheet), (len(notes) + 2) * ROW_HEIGHT * EMU) + GAP * EMU
        used = set() if self._drawing is None else self._used_keys()
        for slot, place in enumerate(new):
            number, key = number + 1, parts.new_id(used)
            used.add(key)
            x, y = _grid(slot)
            placed = anchor(new_shape(root), name_of(number), drawn.panels[place].title, key, x, top + y)
            root.append(etree.fromstring(f"{NO_DRAWING}{placed}</xdr:wsDr>")[0])
            charts[key] = drawn.chart(place)
            made.append(drawn.made(place, number))
        is_changed = bool(new or plan.gone)
        drawing = Drawing(
            parts.serialised(root) if is_changed else None,
            charts,
            frozenset(each.placed.key for each in plan.gone),
            is_new=self._drawing is None,
        )
        record = ChartRecord(
            (*sorted(made, key=lambda each: each.number), *self._deleted), (notes[0], " ".join(notes[1:]))
        )
        rows = partial(edited_sheet, sheet, self._before, self._record.notes, notes, record.lines())
        has_drawing = self._drawing is not None or new
        return NewSheet(CHARTS, rows, drawing=drawing if has_drawing else None, is_edited=True)

    def _used_keys(self) -> set[str]:
        drawing = self._package.related(self._before.own[CHARTS].part, "drawing")
        return set(self._package.relationships(drawing)) if drawing else set()

    def _notes(self, drawn: int, columns: Mapping[str, PanelColumn]) -> list[str]:
        """The text above the charts."""
        count = drawn + len(self._plan.kept) - len(self._plan.kept_as)
        notes = [_what_is_shown(count)]
        if self._deleted:
            notes.append(f"Not drawn, because you deleted them: {_listed(made.title for made in self._deleted)}.")
        empty = [each.placed.chart.title for each in self._plan.kept if self._is_empty(each.placed, columns)]
        if empty:
            notes.append(f"Empty, because this run has no such results: {_listed(empty)}.")
        return notes

    def _is_empty(self, placed: Placed, columns: Mapping[str, PanelColumn]) -> bool:
        shown = [each for line in placed.chart.lines for each in shown_columns(line, self._before)]
        known = (columns.get("!".join(each)) or columns.get(each[1]) for each in shown)
        return bool(shown) and not any(_has_numbers(column) for column in known)


class _Drawn:
    """The panels of a run as charts, made when they are asked for."""

    def __init__(self, panels: Sequence[Panel], restyled: Mapping[int, Panel], places: Mapping[int, int]) -> None:
        """The numbers of the panels. restyled, places: what charts that stay would show, or which panel, by their numbers."""
        self.panels = panels
        made = skeletons([*panels, *restyled.values()])
        self._skeletons = made[: len(panels)]
        self._kept = dict(zip(restyled, made[len(panels) :], strict=True))
        self._kept |= {number: made[place] for number, place in places.items()}
        self._charts: dict[int, bytes] = {}
        self._caches: dict[str, str] = {}

    def chart(self, place: int) -> bytes:
        """The chart of a panel."""
        if place not in self._charts:
            self._charts[place] = filled(self._skeletons[place], self.panels[place], self._caches)
        return self._charts[place]

    def made(self, place: int, number: int) -> DrawnChart:
        """The record of the chart of a panel."""
        panel = self.panels[place]
        title, x, kind = key_of(panel.chart)
        look = _look(self._skeletons[place])
        return DrawnChart(number, title, x, kind, panel.names, panel.title, look, checksum_of(self.chart(place)))

    def kept_look(self, number: int) -> Look | None:
        """A chart that stays, as it would be drawn today."""
        return _look(self._kept[number]) if number in self._kept else None


def _has_numbers(column: PanelColumn | None) -> bool:
    return column is not None and bool(np.isfinite(column.data).any())


def _look(skeleton: str) -> Look:
    return ChartXml(skeleton.encode()).look()


def _grid(place: int) -> tuple[int, int]:
    """The place of a chart on the grid, EMU."""
    band, column = divmod(place, CHARTS_ACROSS)
    return (column * (WIDTH + GAP) + GAP) * EMU, band * (HEIGHT + GAP) * EMU


def _page_breaks(top: int, count: int) -> list[int]:
    """The rows after which a page ends, where charts begin below row ``top``."""
    rows_per_band = (HEIGHT + GAP) // ROW_HEIGHT
    return [top - 1 + rows_per_band * band for band in range(ROWS_PER_PAGE, -(-count // CHARTS_ACROSS), ROWS_PER_PAGE)]


def _what_is_shown(count: int) -> str:
    if not count:
        return "There is nothing to draw."
    drawn = (
        "One chart of the results in this workbook" if count == 1 else f"{count} charts of the results in this workbook"
    )
    how = "Your changes to a chart stay; a run renews its numbers. Delete this sheet to have all charts drawn again."
    return f"{drawn}. {how}"


def _listed(titles: Iterable[str]) -> str:
    return sentence_list([f"'{title}'" for title in dict.fromkeys(titles)], MAX_LISTED_TITLES)
