"""The document of a page: everything that it shows of a workbook's results, as what JSON takes.

docs/view.md describes it for those who read it in a program; `sheetmbs/page/document.js` types it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import replace
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sheetmbs.measured.residuals import Residuals
from sheetmbs.model.model import Chart
from sheetmbs.problems.errors import Problem
from sheetmbs.results.case_results import CaseResults
from sheetmbs.results.columns.mode_columns import MODE
from sheetmbs.results.results import Results
from sheetmbs.schema.table import Table
from sheetmbs.viewing.packed import Json, packed, plain
from sheetmbs.viewing.scene_document import scene_document
from sheetmbs.viewing.scene_modes import scene_modes
from sheetmbs.workbook.sheets.sheet_contents import ResultSheets, SheetSection

FORMAT = 1
MOST_ROWS = 2001
"""rows of a motion that a page shows; of a longer one every n-th"""

FIRST_CHARTS = 12
"""of those that nobody asked for"""

Ints = NDArray[np.int64]


def page_document(results: Results | CaseResults, *, case: str | None = None) -> Json:
    """What a page shows of results.

    Parameters
    ----------
    results
        Of one model, or of all cases of a workbook.
    case
        The case that is shown first; None: the first one.

    Returns
    -------
    dict
        ``cases`` with a tab each, ``problems`` of the whole workbook, ``title`` and ``source``; see docs/view.md.
    """
    if isinstance(results, CaseResults):
        shown = [case_document(results[name], name, is_full=len(results) == 1) for name in results]
        refused = [
            {"name": name, "problems": [problem_document(each) for each in results.refused[name]]}
            for name in results.refused
        ]
        title = next(iter(results.values())).model.settings.title
        return document(title, results.path, shown, case, refused)
    model = results.model
    return document(model.settings.title, model.source, [case_document(results, model.settings.case)], case)


def document(
    title: str, source: Path | None, cases: Sequence[Json], chosen: str | None, refused: Sequence[Json] = ()
) -> Json:
    """A document of cases. refused: names and problems of those that could not be analysed."""
    return {
        "format": FORMAT,
        "program": f"sheetmbs {version('sheetmbs')}",
        "title": title or (source.stem if source else "Mechanism"),
        "source": source.name if source else "",
        "cases": list(cases),
        "chosen": chosen or "",
        "refused": list(refused),
    }


def case_document(results: Results, name: str, *, is_full: bool = True) -> Json:
    """One tab: scene, tables, charts, summary and problems of an analysis.

    is_full: with the columns that few readers need, unless a chart draws them; of many cases they would make a page large.
    """
    count = len(results.solution.times)
    rows = shown_rows(count)
    return {
        "name": name,
        "analysis": results.model.settings.analysis,
        "status": results.status,
        "every": int(rows[1] - rows[0]) if len(rows) > 1 else 1,
        "scene": scene_document(results, rows) if len(rows) else None,
        "modes": scene_modes(results),
        "ghosts": [],
        "measured": measured_document(results.measured),
        **sheets_document(results.sheets, count, is_full=is_full),
    }


def measured_document(found: Sequence[Residuals]) -> list[Json]:
    """Measured points for the charts of a tab, as far as they lie within what was computed."""
    return [
        {
            "name": each.measurement.name,
            "of": each.measurement.of,
            "over": each.measurement.over,
            "x": packed(each.x),
            "y": packed(each.measured_values),
        }
        for each in found
    ]


def shown_rows(count: int) -> Ints:
    """Numbers of the rows of a motion that are shown: all of them, or every n-th."""
    return np.arange(0, count, max(1, -(-count // MOST_ROWS)))


def sheets_document(sheets: ResultSheets, count: int, *, is_full: bool = True) -> Json:
    """Tables, charts, summary and problems. count: rows of the motion, of which a long one is thinned."""
    drawn = {name for chart in sheets.charts for name in (chart.x, *chart.y, *chart.beside)}
    tables = [table if is_full else _in_short(table, drawn) for table in sheets.tables if len(table.values)]
    return {
        "summary": [[item, _value(value), unit] for item, value, unit in sheets.summary],
        "problems": [problem_document(each) for each in sheets.problems],
        "isFull": is_full,
        "tables": [table_document(table, count) for table in tables],
        "sections": [_section(each) for each in sheets.sections],
        "charts": [
            {"title": each.title, "x": each.x, "y": list(each.y), "type": each.type, "beside": list(each.beside)}
            for each in _drawn(sheets.charts)
        ],
    }


def _drawn(charts: Sequence[Chart]) -> list[Chart]:
    """Those that are drawn at first: all that the workbook asks for, of others the first ones.

    Bars of what is at rest are left out: their tables stand beside the scene.
    """
    lines = [each for each in charts if each.type != "bar" or each.x == MODE.name]
    asked = [each for each in lines if each.cell]
    return asked or lines[:FIRST_CHARTS]


def problem_document(problem: Problem) -> Json:
    """A problem as its parts."""
    return {part: getattr(problem, part) for part in ("severity", "cell", "found", "problem", "mend")}


def _in_short(table: Table, drawn: AbstractSet[str]) -> Table:
    """A table without the columns that few readers need and no chart draws; reactions are drawn as arrows."""
    kept = [k for k, name in enumerate(table.columns) if name not in table.aside or name in drawn]
    declared = tuple(table.declared[k] for k in kept) if table.declared else ()
    columns, units = ([names[k] for k in kept] for names in (table.columns, table.units))
    return replace(table, columns=tuple(columns), units=tuple(units), values=table.values[:, kept], declared=declared)


def table_document(table: Table, count: int) -> Json:
    """A sheet of results. count: rows of the motion, of which a long one is thinned."""
    rows = shown_rows(len(table.values)) if len(table.values) == count else np.arange(len(table.values))
    return {
        "name": table.name,
        "columns": list(table.columns),
        "units": list(table.units),
        "meanings": [table.meanings.get(name, "") for name in table.columns],
        "values": packed(table.values[rows].T),
    }


def _section(section: SheetSection) -> Json:
    return {
        "title": section.title,
        "unit": section.unit,
        "heads": list(section.heads),
        "names": list(section.names),
        "values": plain(section.values),
    }


def _value(value: Any) -> Any:
    """A value of a summary."""
    if isinstance(value, float | np.floating):
        return float(value) if np.isfinite(value) else None
    return value.item() if isinstance(value, np.generic) else value


def with_ghosts(shown: Json, ghosts: Mapping[str, Results]) -> Json:
    """A case with other motions of the same mechanism drawn faintly beside its own. ghosts: by name."""
    return shown | {"ghosts": list(_ghosts(ghosts))}


def _ghosts(ghosts: Mapping[str, Results]) -> Iterator[Json]:
    for name, results in ghosts.items():
        rows = shown_rows(len(results.solution.times))
        scene = scene_document(results, rows) if len(rows) else None
        if scene is not None:
            yield {"name": name, "scene": scene, "tables": []}


def with_documents_beside(shown: Json, others: Mapping[str, Json]) -> Json:
    """A document whose cases have the same cases of other documents beside them, in scene and charts. others: by name."""
    return shown | {
        "cases": [case | {"ghosts": [*case["ghosts"], *_same_case(case["name"], others)]} for case in shown["cases"]]
    }


def _same_case(name: str, others: Mapping[str, Json]) -> Iterator[Json]:
    for called, other in others.items():
        found = next((case for case in other["cases"] if case["name"] == name), None)
        if found is not None and found["scene"] is not None:
            yield {"name": called, "scene": found["scene"], "tables": found["tables"]}
