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
from sheetmbs.viewing.packed import Json, packed
from sheetmbs.viewing.page_document import document, problem_document, shown_rows, table_document

Floats = NDArray[np.float64]
SERIES = "mbs Gait series"
CHARTS = ("angle", "moment", "power")


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
    return {
        "name": courses.trial,
        "analysis": "gait",
        "status": "done",
        "every": int(-(-count // len(shown_rows(count)))),
        "isFull": True,
        "scene": _scene(trial),
        "modes": [],
        "ghosts": [],
        "summary": list(_items(results)),
        "problems": [problem_document(each) for each in results.sheets.problems],
        "tables": [table_document(table, count) for table in tables],
        "sections": [],
        "charts": list(_charts(trial, found)),
    }


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
    }


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


def _charts(trial: SolvedTrial, tables: Sequence[Table]) -> Iterator[Json]:
    """Angle, moment and power of each joint, of both sides, and what is positive."""
    known = {name: unit for table in tables for name, unit in zip(table.columns, table.units, strict=True)}
    labels = list(trial.courses.joints)
    kinds = dict.fromkeys(label.removeprefix("right ").removeprefix("left ") for label in labels)
    for quantity in CHARTS:
        for kind in kinds:
            drawn = [f"{label}.{quantity}" for label in labels if label.endswith(kind)]
            drawn = [name for name in drawn if name in known]
            if drawn:
                _unit, comma, sense = known[drawn[0]].partition(",")
                yield {
                    "title": f"{kind.capitalize()} {quantity}{comma}{sense}",
                    "x": "time",
                    "y": drawn,
                    "type": "line",
                }
