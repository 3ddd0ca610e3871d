"""Rows of Handling on a page: a tab each, in which the car stands in every state with its tyre forces, beside its charts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

import numpy as np

from sheetmbs.engine.records import Floats, Ints
from sheetmbs.results.results import Results
from sheetmbs.schema.table import Table
from sheetmbs.suspension.arm_legs import arm_legs
from sheetmbs.suspension.generated.generate import point_name
from sheetmbs.suspension.handling_motion import PosedRow, posed_rows
from sheetmbs.suspension.layout.car import SIDES
from sheetmbs.suspension.layout.type_table import WHEEL_CENTRE
from sheetmbs.suspension.moved_sweeps import moved_sweeps, wheel_rims
from sheetmbs.suspension.solved_design import SolvedDesign
from sheetmbs.viewing.packed import Json, packed, plain
from sheetmbs.viewing.page_document import case_document, shown_rows, table_document
from sheetmbs.viewing.scene_bodies import scene_marker

TIME = "time"
BETA_LINES, STEER_LINES = "CN at constant beta", "CN at constant steer"
DIAGRAM, CIRCLE = "Yaw-moment diagram", "Steady circle"


def handling_tabs(design: SolvedDesign, path: Path, case: str | None) -> Iterator[Json]:
    """A tab for each row of Handling that has states. case: the one that is shown; None: all. path: of the workbook."""
    moving, posed = posed_rows(design)
    asked = [name for name in posed if case in (None, name)]
    moved = moved_sweeps(moving, path, asked)[0] if asked else {}
    for name, results in moved.items():
        yield _tab(design, name, posed[name], results)


def _tab(design: SolvedDesign, name: str, posed: PosedRow, results: Results) -> Json:
    shown = case_document(results, name, is_full=False)
    count = len(results.solution.times)
    rows = np.minimum(shown_rows(count), len(posed.rows) - 1)
    scene = shown["scene"]
    if scene is not None:
        scene["wheels"] = [
            {
                "name": rim.name,
                "marker": scene_marker(results.model, rim.centre),
                "axis": plain(rim.axis),
                "radius": rim.radius,
            }
            for rim in wheel_rims(design, results.model)
        ]
        legs = arm_legs(results.model, design.car.axles)
        scene["bodies"] = [body | legs.get(body["name"], {}) for body in scene["bodies"]]
        scene["road"] = {"places": packed(posed.road[rows]), "normals": packed(posed.normals[rows])}
        scene["arrows"] = list(_arrows(design, posed, results, rows))
    tables, charts = _charts(posed)
    return shown | {
        "analysis": "handling",
        "isFull": True,
        "tables": [table_document(posed.table, count) | {"meanings": _meanings(posed.table)}, *tables],
        "charts": charts,
        "summary": [
            [
                f"{each.metric}" + ("" if each.speed is None else f" at {3.6 * each.speed:.0f} km/h"),
                each.value,
                each.unit,
            ]
            for each in posed.found.read_offs
            if np.isfinite(each.value)
        ],
        "course": {"columns": _courses(posed.table), "opens": float(_opens(posed.table))},
        "colours": {"designs": {"": f"#{design.design.colour}"}},
    }


def _meanings(table: Table) -> list[str]:
    return [table.notes.get(place, "") for place in range(len(table.columns))]


def _courses(table: Table) -> list[str]:
    """The columns that say which state is shown."""
    if "curvature" in table.columns:
        return [name for name in ("ay_g", "speed") if name in table.columns]
    return [name for name in ("beta", "rack", "speed") if name in table.columns]


def _opens(table: Table) -> int:
    """The state nearest to straight running."""
    sizes = [np.abs(table.values[:, table.columns.index(name)]) for name in ("beta", "ay_g", "rack")]
    return int(np.argmin(sum(size / (np.nanmax(size) or 1.0) for size in sizes)))


def _arrows(design: SolvedDesign, posed: PosedRow, results: Results, rows: Ints) -> Iterator[Json]:
    """The force of the road on each tyre, at its contact."""
    points = {point.name: point.marker for point in results.model.points}
    for axle in design.car.axles:
        for side in SIDES:
            corner = axle.corner(side)
            marker = points.get(point_name(axle, side, WHEEL_CENTRE))
            if marker is not None:
                yield {
                    "kind": "load",
                    "name": f"{corner} tyre",
                    "marker": scene_marker(results.model, marker),
                    "values": packed(posed.forces[corner][rows]),
                    "acts": packed(posed.contacts[corner][rows]),
                    "in": "global",
                }


def _charts(posed: PosedRow) -> tuple[list[Json], list[Json]]:
    """The tables of lines, and the charts over them; those of a diagram move the car with the pointer."""
    table = posed.table
    columns = {name: table.values[:, place] for place, name in enumerate(table.columns)}
    if "curvature" in columns:
        shown = "curvature" if posed.found.row.held else "steer_input"
        chart = {"title": CIRCLE, "x": "ay_g", "y": [shown], "type": "xy", "follow": True}
        others = [
            {"title": title, "x": "ay_g", "y": [name], "type": "xy", "follow": True}
            for title, name in (
                ("Body slip angle", "beta"),
                ("Roll", "roll"),
                ("Understeer gradient", "understeer_gradient"),
            )
        ]
        return [], [chart, *others]
    speeds = np.unique(columns["speed"]) if "speed" in columns else [None]
    tables, charts = [], []
    for speed in speeds:
        ending = "" if speed is None else f", {3.6 * speed:.0f} km/h"
        at = np.arange(len(table.values)) if speed is None else np.flatnonzero(columns["speed"] == speed)
        names = {BETA_LINES: "beta", STEER_LINES: "rack"}
        for name, key in names.items():
            tables.append(_lines(f"{name}{ending}", columns, at, key, is_timed=key == "beta"))
        asked = [f"{name}{ending}" for name in names]
        charts.append({"title": f"{DIAGRAM}{ending}", "x": "ay_g", "y": asked, "type": "xy", "follow": True})
    return tables, charts


def _lines(name: str, columns: Mapping[str, Floats], at: Ints, key: str, *, is_timed: bool) -> Json:
    """A table of lines along which a key is constant, with gaps between them.

    is_timed: whether its first column is the time of each state, which rises from line to line.
    """
    lines = [at[columns[key][at] == value] for value in np.unique(columns[key][at])]
    if is_timed:
        lines.sort(key=lambda line: float(line[0]))
    other = "rack" if key == "beta" else "beta"
    rows: list[list[float]] = []
    for line in lines:
        own = line if is_timed else line[np.argsort(columns[other][line])]
        rows += [[float(k), columns["ay_g"][k], columns["CN"][k]] for k in own]
        rows.append([float(own[-1]) + 0.5, np.nan, np.nan])
    values = np.array(rows)
    first = TIME if is_timed else "state"
    units = ("s" if is_timed else "", "-", "-")
    return table_document(Table(name, (first, "ay_g", name), units, values), -1) | {
        "meanings": ["number of the state", "lateral acceleration over g", "yaw moment over weight times wheelbase"]
    }
