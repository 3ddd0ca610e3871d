"""Every column that an analysis writes is declared, and every declared column is written by some analysis."""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import replace
from functools import cache
from itertools import product
from pathlib import Path

import numpy as np
import pytest

import sheetmbs
from sheetmbs.elements.marker import Marker
from sheetmbs.elements.result_column import (
    ANY_NUMBER,
    FORCE,
    ChartPlace,
    DefaultChart,
    RestPlace,
    RestTable,
    ResultKind,
    result_columns,
)
from sheetmbs.model.model import Clearance, Joint, Point, Spring
from sheetmbs.results.charting.default_charts import default_charts
from sheetmbs.results.columns.collect import CollectedColumns, shown
from sheetmbs.results.columns.declared import KINDS, RESULT_SHEETS
from sheetmbs.results.export import export
from sheetmbs.results.sheets.rest_sheet import sections
from tests.analysis.test_beams import EA, LENGTH, beam
from tests.support.example_books import EXAMPLES
from tests.support.mechanisms import body, model, on
from tests.support.opened import cases
from tests.support.rubbing import rubbing_crank, sleeve
from tests.support.spatial_mechanisms import rigid, space

BOOKS = Path(__file__).parents[2] / "workbooks"
ROWS = 3
"""after the first: which columns there are does not depend on how long a motion lasts"""


def shortened(model):
    settings = model.settings
    if settings.t_end is None or settings.t_step is None:
        return model
    return replace(
        model, settings=replace(settings, t_end=min(settings.t_end, settings.t_start + ROWS * settings.t_step))
    )


def models_of(path):
    names = [case.name for case in cases(path)] or [None]
    return [sheetmbs.read(path, case=name) for name in names]


@cache
def tables_of(name):
    """The model and the tables of every case of a workbook."""
    models = [shortened(model) for model in models_of(BOOKS / f"{name}.xlsx")]
    return [(model, sheetmbs.run(model).sheets.tables) for model in models]


NAMES = [path.stem for path in EXAMPLES]


def declarations(model):
    """Kinds and columns that declare a column of a model, by its sheet, name and unit; for a number stands ANY_NUMBER."""
    found = defaultdict(list)
    for kind in KINDS:
        for element, column in product(kind.elements(model), kind.columns):
            name = f"{element.name}.{column.name}" if kind.element else column.name
            if model.settings.dimension in column.models:
                for unit in {shown(quantity, model.display)[0] for quantity in column.quantities}:
                    found[kind.sheet, name, unit].append((kind, column))
    return found


def ways_to_read(name):
    """A name, and what it is with each of its numbers taken for any number."""
    return {name, *(f"{name[: at.start()]}{ANY_NUMBER}{name[at.end() :]}" for at in re.finditer(r"\d+", name))}


def written(model, tables):
    """Declared columns that some tables have; fails where one of them is not declared, or by two kinds alike."""
    found, declared_ones = set(), declarations(model)
    for table in tables:
        [sheet] = [sheet for sheet in RESULT_SHEETS if sheet.name == table.name]
        assert (table.columns[0], table.units[0]) == (sheet.first.name, sheet.first.quantities[0].si)
        for name, unit, declared in zip(table.columns[1:], table.units[1:], table.declared[1:], strict=True):
            known = [each for way in ways_to_read(name) for each in declared_ones.get((table.name, way, unit), ())]
            assert len(known) == 1, f"{table.name}!{name} in {unit}"
            assert known[0][1] is declared
            found.add((known[0][0].element, known[0][0].sheet, declared.name))
    return found


@pytest.mark.parametrize("name", NAMES)
def test_every_column_of_a_workbook_is_declared_once(name):
    for made, tables in tables_of(name):
        assert written(made, tables)


def damper(i, j):
    return Spring("damper", "translational", i, j, {"c": 30.0})


def bent_and_damped():
    """A cantilever that can stretch, with a damper at its end, of which the shapes are complex."""
    tip = on("beam", LENGTH)
    wall = Joint("wall", "fixed", on("ground"), on("beam"))
    made = model([beam(axial_stiffness=EA)], [wall], springs=[damper(on("ground", LENGTH, -1.0), tip)])
    return replace(made, points=(Point("tip", tip, report=True),))


def floating():
    """A body on damped springs off its centre, in space."""
    bodies = (rigid("body", inertia=(0.1, 0.2, 0.3)),)
    corners = [np.array([0.3, 0.1, 0.2]), np.array([-0.2, 0.3, 0.1]), np.array([0.1, -0.3, 0.2])]
    springs = tuple(
        Spring(
            f"s{k}",
            "translational",
            Marker("ground", 3.0 * np.roll(at, 1)),
            Marker("body", at),
            {"k": 500.0 + 90.0 * k, "c": c},
        )
        for k, (at, c) in enumerate(zip([*corners, *(-np.array(corners))], (9.0, 0.0, 2.0, 0.0, 5.0, 1.0), strict=True))
    )
    return replace(space(bodies, gravity=(0.0, 0.0, 0.0)), springs=springs)


def bouncing():
    """A journal that meets its bearing."""
    joint = Clearance(
        "pin",
        "lankarani-nikravesh",
        on("ground"),
        on("journal"),
        0.01,
        0.0095,
        (2e11, 2e11),
        (0.3, 0.3),
        restitution=0.9,
    )
    journal = body("journal", velocity=(1.0, 0.0, 0.0), mass=0.1, inertia=1e-5)
    return replace(model((journal,), t_end=1.5e-3, t_step=5e-4), clearances=(joint,))


def on_gas():
    """A body on a gas spring."""
    strut = Spring("strut", "gas", on("ground", 0.0, -1.0), on("b"), {"p0": 2e5, "V0": 1e-3, "area": 1e-3})
    return model((body("b"),), springs=(strut,))


def as_modes(made):
    return replace(made, settings=replace(made.settings, analysis="modes"))


def models():
    """What no workbook has: friction in joints, modes, beams that stretch, contacts."""
    moving = (sleeve(coefficient=0.1, radius=0.02), rubbing_crank(), bouncing(), bent_and_damped(), on_gas())
    return (*moving, as_modes(bent_and_damped()), as_modes(floating()))


def test_every_declared_column_is_written():
    found = set().union(*(written(*each) for name in NAMES for each in tables_of(name)))
    for made in map(shortened, models()):
        found |= written(made, sheetmbs.run(made).sheets.tables)
    missing = {(kind.element, kind.sheet, column.name) for kind in KINDS for column in kind.columns} - found
    assert sorted(missing) == []


def test_what_is_not_declared_is_not_written():
    columns = CollectedColumns("mbs Springs", sheetmbs.Model().display, np.zeros(1))
    spring = next(kind for kind in KINDS if kind.element == "translational spring")
    other = next(kind for kind in KINDS if kind.element == "driver")
    with pytest.raises(KeyError):
        columns.add(spring, "spring", "stiffness", np.zeros(1))
    with pytest.raises(ValueError, match="declared"):
        columns.add(spring, "spring", "length", np.zeros(1), FORCE)
    with pytest.raises(ValueError, match="declared"):
        columns.add(other, "motor", "force", np.zeros(1))


def test_charts_and_tables_at_rest_show_declared_columns():
    for kind in KINDS:
        shown_ones = {name for chart in kind.charts for name in (*chart.columns, *chart.beside)}
        shown_ones |= {name for table in kind.at_rest for _, name in table.heads}
        assert shown_ones <= {column.name for column in kind.columns}


def test_every_declaration_is_a_sentence_that_people_read():
    for kind in KINDS:
        for column in kind.columns:
            assert len(column.doc) > 5, column.name
            assert not column.doc.endswith("."), column.name


def told(kind, model, values):
    """The table of some columns of a kind."""
    columns = CollectedColumns(kind.sheet, model.display, np.arange(float(len(next(iter(values.values()))))))
    for (element, name), numbers in values.items():
        columns.add(kind, element, name, np.array(numbers))
    return columns.table()


def test_a_new_kind_of_element_joins_charts_and_tables_of_the_same_title():
    """All that it needs is its declaration."""
    made = sheetmbs.Model(springs=(Spring("steel", "translational", on("ground"), on("ground"), {"k": 1.0}),))
    steel = next(kind for kind in KINDS if kind.element == "translational spring")
    gas = ResultKind(
        "gas spring",
        "mbs Gas",
        result_columns("gas_force", "force of the gas", FORCE),
        lambda _model: (Spring("gas", "gas", on("ground"), on("ground")),),
        (DefaultChart("Spring forces", ("gas_force",), ChartPlace.FORCES),),
        (RestTable("Spring forces", (("force", "gas_force"),), RestPlace.FORCES, is_load=True),),
    )
    for rows in (1, 3):
        forces = np.arange(1.0, rows + 1.0)
        tables = (
            told(steel, made, {("steel", "spring_force"): forces, ("steel", "force"): forces}),
            told(gas, made, {("gas", "gas_force"): 2.0 * forces}),
        )
        charts = {chart.title: chart.y for chart in default_charts(made, tables, (steel, gas))}
        assert charts["Spring forces"] == ("steel.spring_force", "gas.gas_force")
        found = {section.title: section for section in sections(made, tables, (steel, gas))}
        if rows == 1:
            assert (found["Spring forces"].names, found["Spring forces"].values.tolist()) == (
                ("steel", "gas"),
                [[1.0], [2.0]],
            )


def test_frames_and_parquet_files_say_what_columns_mean(tmp_path):
    steel = next(kind for kind in KINDS if kind.element == "translational spring")
    table = told(steel, sheetmbs.Model(), {("steel", "length"): [1.0, 2.0]})
    meanings = {"time": "time of the row", "steel.length": steel.column("length").doc}
    assert table.frame().attrs["meanings"] == meanings
    parquet = pytest.importorskip("pyarrow.parquet")
    schema = parquet.read_schema(export([table], tmp_path / "all.parquet"))
    assert {field.name: field.metadata[b"meaning"].decode() for field in schema} == meanings
