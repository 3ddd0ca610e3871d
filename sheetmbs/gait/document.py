"""Gait on a page: every trial a tab in which a skeleton walks, with the force of the ground under its feet."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from sheetmbs.gait.force_plate_assignment import FootWrench
from sheetmbs.gait.gait_results import GaitResults
from sheetmbs.gait.sheets.gait_presentation import GaitPresentation
from sheetmbs.gait.sheets.shown_items import shown_items
from sheetmbs.gait.solve_trial import SolvedTrial
from sheetmbs.gait.trial.gait_book import Side
from sheetmbs.gait.walking_picture import Bone, bones
from sheetmbs.schema.table import Table
from sheetmbs.viewing.packed import Json, packed, plain
from sheetmbs.viewing.page_document import document, measured_document, problem_document, shown_rows, table_document

Floats = NDArray[np.float64]
SERIES = "mbs Gait series"
CHARTS = ("angle", "moment", "power")
SIDES: tuple[Side, ...] = ("right", "left")
BESIDE, HALF_WIDTH = 0.05, 0.2
"""m that a plate of unknown corners is drawn beyond the centres of pressure, and to either side of a plane"""


def gait_document(results: GaitResults, *, case: str | None = None) -> Json:
    """The document of gait. case: the trial that is shown; None: all."""
    trials = [each for each in results.solved.trials if case in (None, each.courses.trial)]
    return document(
        f"{results.path.stem}: {results.one_line_summary}",
        results.path,
        [_trial(results, each) for each in trials],
        None,
    )


def _trial(results: GaitResults, trial: SolvedTrial) -> Json:
    courses = trial.courses
    count = len(courses.time)
    found = _tables(results, courses.trial)
    tables = [_with_units(table) for table in found]
    strides = _strides(results, courses.trial)
    return {
        "name": courses.trial,
        "analysis": "gait",
        "status": "done",
        "every": int(-(-count // len(shown_rows(count)))),
        "isFull": True,
        "scene": _scene(trial),
        "modes": [],
        "ghosts": [],
        "measured": measured_document([each for each in results.measured if each.measurement.case == courses.trial]),
        "summary": list(_items(results)),
        "problems": [problem_document(each) for each in results.sheets.problems],
        "tables": [table_document(table, count) for table in tables],
        "sections": [],
        "charts": list(_charts(trial, found, strides)),
        "colours": {"sides": _colours(results)},
        "strides": strides,
    }


def _colours(results: GaitResults) -> Json:
    """The colours of both sides, as on `mbs Gait report`."""
    how = results.solved.book.processing
    return {"left": f"#{how.colour_left}", "right": f"#{how.colour_right}"}


def _strides(results: GaitResults, trial: str) -> dict[str, list[list[float]]]:
    """First and last time of each stride of a side, s."""
    found: dict[str, list[list[float]]] = {side: [] for side in SIDES}
    for stride in GaitPresentation(results.solved.book, results.solved.courses).strides:
        if stride.name == trial:
            found[stride.side].append([stride.start, stride.end])
    return {side: spans for side, spans in found.items() if spans}


def _items(results: GaitResults) -> Iterator[list[str | float]]:
    """Name, value and unit as on `mbs Gait summary`."""
    gait = GaitPresentation(results.solved.book, results.solved.courses)
    for each in shown_items(gait, results.items):
        if isinstance(each.value, (str, float, int)):
            yield [" ".join(part for part in (each.item, each.side, each.joint) if part), each.value, each.unit]


def _tables(results: GaitResults, trial: str) -> list[Table]:
    """The series of a trial first, then what belongs to no single trial."""
    tables = results.sheets.tables
    own = [table for table in tables if table.name == f"{SERIES} {trial}".strip()]
    return [*own, *(table for table in tables if not table.name.startswith(SERIES))]


def _with_units(table: Table) -> Table:
    """A table whose units say no more than the unit: what is positive, the titles of charts tell."""
    units = [unit.partition(",") for unit in table.units]
    return replace(table, units=tuple(unit for unit, _comma, _sign in units))


def _scene(trial: SolvedTrial) -> Json | None:
    courses = trial.courses
    rows = shown_rows(len(courses.time))
    names = list(courses.points)
    places = np.stack([courses.points[name][rows] for name in names], axis=1)
    flat = ~np.isfinite(places[:, :, 2])
    places[:, :, 2][flat & np.isfinite(places[:, :, 0])] = 0.0
    known = np.isfinite(places).all(axis=2)
    if not np.any(known):
        return None
    return {
        "plane": bool(np.all(flat)),
        "up": [0.0, 1.0, 0.0],
        "size": float(np.max(np.ptp(places[known], axis=0)[1:])) * 1.3,
        "times": packed(courses.time[rows]),
        "bodies": [],
        "poses": packed(np.zeros((len(rows), 0, 7))),
        "ground": [],
        "joints": [],
        "springs": [],
        "points": [],
        "wheels": [],
        "arrows": [] if trial.ground is None else list(_ground(trial.ground.feet, rows)),
        "tracks": {"names": names, "places": packed(places), "bones": [_bone(each, names) for each in bones(trial)]},
        "floor": _floor(trial, places),
        "plates": list(_plates(trial)),
    }


def _floor(trial: SolvedTrial, places: Floats) -> float:
    """The height of the floor, m: that of the laboratory where plates tell it, else the lowest place of the trial."""
    return 0.0 if trial.ground is not None else float(np.nanmin(places[:, :, 1]))


def _plates(trial: SolvedTrial) -> Iterator[Json]:
    """Force plates, (4, 3) m. Where the corners of one are not known, the part of it that was walked on is drawn."""
    for name, plate in (trial.ground.plates if trial.ground is not None else {}).items():
        if plate.outline is not None:
            yield {"name": name, "corners": plain(np.nan_to_num(trial.prepared.axes.apply(plate.outline)))}
            continue
        acted = trial.prepared.axes.apply(plate.pressure)
        known = np.isfinite(acted[:, 0])
        if np.any(known):
            low, high = np.min(acted[known], axis=0) - BESIDE, np.max(acted[known], axis=0) + BESIDE
            left, right = (low[2], high[2]) if np.isfinite(low[2]) else (-HALF_WIDTH, HALF_WIDTH)
            corners = [[low[0], 0.0, left], [high[0], 0.0, left], [high[0], 0.0, right], [low[0], 0.0, right]]
            yield {"name": f"{name}, where it was loaded", "corners": plain(np.array(corners))}


def _bone(bone: Bone, names: Sequence[str]) -> Json:
    return {"name": bone.name, "from": names.index(bone.first), "to": names.index(bone.second), "side": bone.side or ""}


def _ground(feet: Mapping[Side, FootWrench], rows: NDArray[np.int64]) -> Iterator[Json]:
    """The force of the ground on each foot at its centre of pressure."""
    for side, wrench in feet.items():
        force = np.nan_to_num(wrench.force[rows])
        place = np.where(np.isfinite(wrench.pressure[rows]), wrench.pressure[rows], 0.0)
        force[~np.isfinite(wrench.pressure[rows][:, 0])] = 0.0
        if np.any(force):
            yield {
                "kind": "load",
                "name": f"ground on the {side} foot",
                "marker": {"body": -1, "at": [0.0, 0.0, 0.0]},
                "values": packed(force),
                "acts": packed(place),
                "in": "global",
            }


def _charts(trial: SolvedTrial, tables: Sequence[Table], strides: Mapping[str, object]) -> Iterator[Json]:
    """Angle, moment and power of each joint, of both sides, and what is positive.

    Over the stride where means of strides are known, else over time.
    """
    known = {name: unit for table in tables for name, unit in zip(table.columns, table.units, strict=True)}
    labels = list(trial.courses.joints)
    kinds = dict.fromkeys(label.removeprefix("right ").removeprefix("left ") for label in labels)
    for quantity in CHARTS:
        for kind in kinds:
            own = [f"{label}.{quantity}" for label in labels if label.endswith(kind)]
            means = [f"{name}.mean" for name in own if f"{name}.mean" in known] if strides else []
            drawn = means or [name for name in own if name in known]
            if drawn:
                _unit, comma, sense = known[drawn[0]].partition(",")
                title = f"{kind.capitalize()} {quantity}{comma}{sense}"
                yield {"title": title, "x": "percent" if means else "time", "y": drawn, "type": "line"}
