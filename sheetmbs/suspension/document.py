"""A suspension on a page: every sweep a tab in which its ordinary model moves, other designs as ghosts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from sheetmbs.problems.errors import Problem
from sheetmbs.results.results import Results
from sheetmbs.schema.table import Table
from sheetmbs.schema.units import parse_unit
from sheetmbs.suspension.arm_legs import arm_legs
from sheetmbs.suspension.generated.known_models import KnownModels
from sheetmbs.suspension.handling_document import handling_tabs
from sheetmbs.suspension.instant_centre_lines import instant_centres
from sheetmbs.suspension.kinematics.sweeps import SweptAxle
from sheetmbs.suspension.layout.car import SIDES, AxleData
from sheetmbs.suspension.metrics.centres import across_road, in_road, up_from_road
from sheetmbs.suspension.moved_sweeps import moved_sweeps, wheel_rims
from sheetmbs.suspension.ordinary_sheets import swept_cases
from sheetmbs.suspension.sheets.chart_table import CHART_PAGES, ChartSpec
from sheetmbs.suspension.sheets.drawn_lines import upward
from sheetmbs.suspension.solved_design import SolvedDesign
from sheetmbs.suspension.suspension_results import SuspensionResults
from sheetmbs.suspension.sweep_course import followed, forces_along_members, meanings, opens_at
from sheetmbs.viewing.packed import Json, packed, plain
from sheetmbs.viewing.page_document import (
    case_document,
    document,
    measured_document,
    problem_document,
    table_document,
    with_ghosts,
)
from sheetmbs.viewing.scene_bodies import scene_marker

Floats = NDArray[np.float64]
MOST_LINES = 16
"""on a chart"""
SAME_WHEELS = 1e-9
"""of the largest value, or of one: a right wheel that differs less from the left one is not drawn"""


def suspension_document(
    results: SuspensionResults, *, case: str | None = None, known: KnownModels | None = None
) -> Json:
    """The document of a suspension. case: the sweep that is shown; None: all. known: as in `moved_sweeps`."""
    path = results.path
    base, *others = results.designs
    asked = [name for name in swept_cases(base) if case in (None, name)]
    found = {each.name: moved_sweeps(each, path, asked, known) for each in results.designs}
    moved = {name: each for name, (each, _refused) in found.items()}
    refused = found[base.name][1]
    cases = [
        _sweep(results, name, moved[base.name][name])
        if name in moved[base.name]
        else _still(results, name, refused[name][0])
        for name in asked
    ]
    for number, name in enumerate(each["name"] for each in cases):
        ghosts = {f"Design {each.design.shown}": moved[each.name][name] for each in others if name in moved[each.name]}
        cases[number] = with_ghosts(cases[number], ghosts)
    if known is None:
        cases += [tab | _beside(results) for tab in handling_tabs(base, path, case)]
    title = f"{path.stem}: {results.one_line_summary}"
    return document(title, path, cases, None)


def _beside(results: SuspensionResults) -> Json:
    """What is shown beside every motion of a workbook."""
    return {"problems": [problem_document(each) for each in results.sheets.problems], "loads": _loads(results.base)}


def _sweep(results: SuspensionResults, name: str, moved: Results) -> Json:
    design = results.base
    rows = swept_cases(design)[name]
    count = len(moved.solution.times)
    table = results.table(name)
    at = np.minimum(np.arange(rows.start, rows.start + count), len(table.values) - 1)
    table = replace(table, values=table.values[at])
    shown = case_document(moved, name, is_full=False)
    scene = shown["scene"]
    if scene is not None:
        scene["wheels"] = list(_wheels(design, moved))
        scene |= _on_road(design, name, rows, table)
        legs = arm_legs(moved.model, design.car.axles)
        scene["bodies"] = [body | legs.get(body["name"], {}) for body in scene["bodies"]]
        scene["constructions"] = list(_constructions(design, name, rows, count))
    tables = [_swept_table(table, count), *shown["tables"]]
    return shown | _told(results, name, table) | {"tables": tables, "course": _course(design, name, moved, table)}


def _still(results: SuspensionResults, name: str, why: Problem) -> Json:
    """A sweep whose ordinary model cannot be moved, as its numbers alone. why: the first reason."""
    table = results.table(name)
    rule = f"as an ordinary model it is not understood: {why.found}, {why.problem}"
    told = Problem(
        "no-motion", "warning", "", f"the motion of the sweep {name}", rule, "its charts do not depend on it"
    )
    shown = {"name": name, "status": "done", "every": 1, "scene": None, "modes": [], "ghosts": [], "sections": []}
    found = _told(results, name, table)
    problems = [problem_document(told), *found["problems"]]
    return shown | found | {"isFull": True, "tables": [_swept_table(table, len(table.values))], "problems": problems}


def _told(results: SuspensionResults, name: str, table: Table) -> Json:
    """What is said of a sweep beside its motion. table: of its metrics."""
    return {
        "analysis": "sweep",
        "measured": measured_document([each for each in results.measured if each.measurement.case == name]),
        "charts": list(_charts(results.base, name, table)),
        "summary": [[item, value, unit] for item, value, unit in results.sheets.summary],
        "problems": [problem_document(each) for each in results.sheets.problems],
        "colours": {"designs": {each.name: f"#{each.design.colour}" for each in results.designs}},
        "follows": followed(
            [item for item, _value, _unit in results.sheets.summary], table.columns, results.base.car.axles
        ),
        "loads": _loads(results.base),
    }


def _swept_table(table: Table, count: int) -> Json:
    """A sheet of a sweep with the definition of each metric. count: rows of the motion."""
    return table_document(table, count) | {"meanings": meanings(table.columns)}


def _course(design: SolvedDesign, name: str, moved: Results, table: Table) -> Json | None:
    """The columns that a sweep moves, and the time at which it is nearest to design; None where no column says it."""
    columns = [each for each in design.plans[name].swept if each in table.columns]
    times = moved.solution.times
    return {"columns": columns, "opens": float(times[opens_at(table, columns)])} if columns else None


def _loads(design: SolvedDesign) -> Json | None:
    """The force along each member in each load case; None where there are no load cases."""
    cases, members = forces_along_members(design.loads)
    return {"cases": cases, "members": dict(members)} if members else None


def _wheels(design: SolvedDesign, moved: Results) -> Iterator[Json]:
    for rim in wheel_rims(design, moved.model):
        marker = scene_marker(moved.model, rim.centre)
        yield {"name": rim.name, "marker": marker, "axis": plain(rim.axis), "radius": rim.radius}


def _on_road(design: SolvedDesign, name: str, rows: range, table: Table) -> Json:
    """The road at each row, and the roll centres above it."""
    swept = design.swept[name]
    axles = {axle.name: swept[axle.name] for axle in design.car.axles if axle.name in swept}
    if not axles:
        return {}
    count = len(table.values)
    ways = {axle: _rows_of(each, rows, count) for axle, each in axles.items()}
    first = next(iter(axles))
    left = axles[first].wheels["left"]
    normals = up_from_road(left)[ways[first]]
    contacts = [_contact(axles[axle], side)[ways[axle]] for axle in axles for side in SIDES]
    centres = {
        f"{axle} roll centre{kind.replace('_', ' ')}": _roll_centre(
            each, ways[axle], f"{axle}.roll_centre", kind, table
        )
        for axle, each in axles.items()
        for kind in ("_geometric", "")
    }
    known = {label: places for label, places in centres.items() if places is not None}
    found: Json = {"road": {"places": packed(np.mean(contacts, axis=0)), "normals": packed(normals)}}
    if known:
        places = np.stack(list(known.values()), axis=1)
        found["tracks"] = {"names": list(known), "places": packed(places), "bones": []}
    return found


def _constructions(design: SolvedDesign, name: str, rows: range, count: int) -> Iterator[Json]:
    """The instant centres of all wheels at each row."""
    for axle in design.car.axles:
        swept = design.swept[name].get(axle.name)
        if swept is None:
            continue
        for side in SIDES:
            for each in instant_centres(swept, side, _rows_of(swept, rows, count)):
                parts = {part: packed(getattr(each, part)) for part in ("contact", "centre", "starts")}
                yield {"name": axle.corner(side), "view": each.view, **parts}


def _rows_of(swept: SweptAxle, rows: range, count: int) -> NDArray[np.int64]:
    """Numbers of what an axle has at the rows that are shown."""
    reached = len(swept.placing.rack)
    return np.asarray(np.clip(np.arange(count) + rows.start - swept.rows.start, 0, reached - 1))


def _contact(swept: SweptAxle, side: str) -> Floats:
    return np.asarray(swept.wheels[side].contact.value)


def _roll_centre(swept: SweptAxle, at: NDArray[np.int64], name: str, kind: str, table: Table) -> Floats | None:
    """(rows, 3) from its height and its lateral place over the road; None where neither is given. kind: as of columns."""
    names = [f"{name}_{part}{kind}" for part in ("height", "lateral")]
    if not set(names) <= set(table.columns):
        return None
    columns = [table.columns.index(name) for name in names]
    height, lateral = (table.values[:, k] * parse_unit(table.units[k]).size for k in columns)
    left, right = (swept.wheels[side] for side in SIDES)
    across, normal = across_road(left)[at], up_from_road(left)[at]
    road = 0.5 * sum(in_road(wheel, wheel.contact.value)[1][at] for wheel in (left, right))
    middle = across[:, 2] * road / normal[:, 2]
    forward = np.cross(across, -normal)
    along = np.sum(0.5 * (_contact(swept, "left") + _contact(swept, "right"))[at] * forward, axis=1)
    parts = ((along, forward), (lateral + middle, across), (height + road, normal))
    return np.asarray(sum(size[:, None] * axis for size, axis in parts))


def _charts(design: SolvedDesign, name: str, table: Table) -> Iterator[Json]:
    """Those of the sheet of charts for sweeps of this type, with other designs beside; else the first metrics."""
    plan = design.plans[name]
    axles = [axle for axle in design.car.axles if axle.name in plan.axles]
    for page in CHART_PAGES:
        steered = [axle for axle in axles if axle.is_steered or not page.only_steered]
        for spec in page.charts if page.sweep == plan.type else ():
            if spec.over is not None:
                for axle in steered:
                    yield from _over(spec.title, spec.drawn.metrics[0][0], spec.over[0], axle, table)
                continue
            asked = [
                column
                for metric, _name in spec.drawn.metrics
                for axle in steered
                for column in _columns(axle, metric, table)
            ]
            drawn = [column for column in (*asked, *_of_others(asked, table)) if column in table.columns][:MOST_LINES]
            if drawn:
                yield {
                    "title": spec.title,
                    "x": "time",
                    "y": drawn,
                    "type": "line",
                    "words": {metric: name for metric, name in spec.drawn.metrics if name},
                    "upward": _upward(spec, drawn[0], table),
                }


def _upward(spec: ChartSpec, column: str, table: Table) -> Json:
    """What the axis upward covers at least and at most, as on the sheet of charts; None: any."""
    axis = upward(spec.quantity, table.units[table.columns.index(column)], spec.reach, spec.within)
    within = [end if np.isfinite(end) else None for end in axis.within]
    return {"reach": list(axis.reach), "span": axis.span, "within": within}


def _columns(axle: AxleData, metric: str, table: Table) -> list[str]:
    """The columns of a metric: of the left wheel, of the right one where it differs, and of the axle."""
    left, right, own = (f"{owner}.{metric}" for owner in (*map(axle.corner, SIDES), axle.name))
    known = [name for name in (left, right, own) if name in table.columns]
    if {left, right} <= set(known):
        first, second = (table.values[:, table.columns.index(name)] for name in (left, right))
        if np.allclose(
            first, second, rtol=0.0, atol=SAME_WHEELS * np.nanmax(np.abs(first), initial=1.0), equal_nan=True
        ):
            known.remove(right)
    return known


def _of_others(asked: Sequence[str], table: Table) -> list[str]:
    """The same columns of other designs."""
    others = dict.fromkeys(name.partition("/")[0] for name in table.columns if "/" in name)
    return [f"{other}/{column}" for other in others for column in asked]


def _over(title: str, metric: str, over: str, axle: AxleData, table: Table) -> Iterator[Json]:
    for owner in (axle.corner("left"), axle.name):
        x, y = f"{owner}.{over}", f"{owner}.{metric}"
        if x in table.columns and y in table.columns:
            yield {"title": f"{title}, {axle.name}", "x": x, "y": [y], "type": "xy"}
