"""The example workbooks of handling: their tyre forces and the balance of the car, computed again without sheetmbs."""

from __future__ import annotations

from functools import cache

import numpy as np
import openpyxl
import pytest

from sheetmbs.suspension.run_suspension import run_suspension
from tests.support.example_books import ROOT
from tests.support.handling_books import CORNERS, read_off
from tests.support.tyre_equations import Formula

G = 9.81
BOOKS = {"handling": (61, 290.0), "truck-handling": (52, 2500.0)}
"""by workbook: version of the magic formula, and mass of the car, kg"""
OTHER_NAMES = {"LGAY": "LKYC", "LGAZ": "LKZC", "IP": "INFLPRES", "IP_NOM": "NOMPRES"}
MIRRORED = ("FR", "RR")
"""wheels on which the tyre, measured on the left, is its mirror image"""


@cache
def ran(name):
    return run_suspension(ROOT / "workbooks" / f"{name}.xlsx")


@cache
def formula(name):
    """The tyre as the cells of the workbook give it."""
    book = openpyxl.load_workbook(ROOT / "workbooks" / f"{name}.xlsx")
    rows = book["Tyre coefficients"].iter_rows(min_row=2, max_col=3, values_only=True)
    values = {OTHER_NAMES.get(key, key): float(value) for _tyre, key, value in rows if isinstance(value, float | int)}
    return Formula(BOOKS[name][0], **values)


def columns(name, row):
    table = next(each.table for each in ran(name).base.handling.found if each.row.name == row)
    return dict(zip(table.columns, table.values.T, strict=True))


@pytest.mark.parametrize("name", BOOKS)
def test_tyre_forces_are_those_of_the_equations_at_the_slips_of_the_sheet(name):
    found, tyre = columns(name, "diagram"), formula(name)
    known = np.flatnonzero(np.isfinite(found["ay"]))
    assert len(known) > 100
    pressure = tyre.values.get("INFLPRES", 1.0)
    for corner in CORNERS:
        side = -1.0 if corner in MIRRORED else 1.0
        for row in known[::17]:
            at = {each: found[f"{corner}.{each}"][row] for each in ("fz", "fx", "fy", "mz", "kappa", "alpha", "gamma")}
            if at["fz"] <= 0.0:
                assert at["fx"] == at["fy"] == 0.0
                continue
            alpha, gamma = side * np.radians(at["alpha"]), side * np.radians(at["gamma"])
            fx, fy, mz, *_others = tyre.forces(at["kappa"], alpha, gamma, at["fz"], pressure, 15.0)
            size = 1e-7 * at["fz"]
            assert at["fx"] == pytest.approx(complex(fx).real, abs=size), (corner, row)
            assert at["fy"] == pytest.approx(side * complex(fy).real, abs=size), (corner, row)
            assert at["mz"] == pytest.approx(side * complex(mz).real, abs=size), (corner, row)


@pytest.mark.parametrize("name", BOOKS)
def test_tyre_forces_hold_the_car_on_its_path(name):
    mass = BOOKS[name][1]
    for row in ("diagram", "skidpad" if name == "handling" else "circle"):
        found = columns(name, row)
        good = np.isfinite(found["ay"])
        beta = np.radians(found["beta"][good])
        heading = {corner: np.radians(found[f"{corner}.steer"][good]) for corner in CORNERS}
        fx, fy = ({corner: found[f"{corner}.{each}"][good] for corner in CORNERS} for each in ("fx", "fy"))
        forward = sum(fx[c] * np.cos(heading[c]) - fy[c] * np.sin(heading[c]) for c in CORNERS)
        left = sum(fx[c] * np.sin(heading[c]) + fy[c] * np.cos(heading[c]) for c in CORNERS)
        across = left * np.cos(beta) - forward * np.sin(beta)
        assert across / (mass * G) == pytest.approx(found["ay_g"][good], abs=1e-8)
        load = sum(found[f"{corner}.fz"][good] for corner in CORNERS)
        assert load / (mass * G) == pytest.approx(np.ones(int(good.sum())), abs=1e-8)
        assert np.max(found["residual"][good]) < 1e-9


@pytest.mark.parametrize("name", BOOKS)
def test_diagrams_are_point_symmetric(name):
    found = columns(name, "diagram")
    for column in ("ay", "yaw_moment", "roll"):
        assert found[column] == pytest.approx(
            -found[column][::-1], abs=2e-5 * np.nanmax(np.abs(found[column])), nan_ok=True
        )


@pytest.mark.parametrize("name", BOOKS)
def test_the_examples_run_without_a_warning_and_meet_their_targets(name):
    results = ran(name)
    assert [str(problem) for problem in results.sheets.problems] == []
    assert results.targets
    assert all(each.is_met for each in results.targets)


def test_a_car_in_trim_carries_what_its_load_cases_ask_for():
    loads = ran("truck-handling").base.loads
    row = [case.name for case in loads.cases].index("braking into a left turn")
    assert loads.column("ax")[row] / G == pytest.approx(-0.25, abs=1e-9)
    assert loads.column("ay")[row] / G == pytest.approx(0.35, abs=1e-9)
    assert loads.column("steering_wheel")[row] * loads.column("steer_input")[row] > 0.0
    assert abs(loads.column("residual")[row]) < 1e-9


def test_the_tyre_of_the_truck_names_its_source():
    book = openpyxl.load_workbook(ROOT / "workbooks" / "truck-handling.xlsx")
    assert any("Project Chrono" in str(cell.value) for row in book["Tyres"].iter_rows() for cell in row)
    assert any("BSD 3-clause" in str(cell.value) for row in book["README"].iter_rows() for cell in row)


def test_the_template_has_the_numbers_of_the_example():
    template = run_suspension(ROOT / "templates" / "suspension-handling.xlsx").base.handling.found
    for own, other in zip(ran("handling").base.handling.found, template, strict=True):
        assert read_off(own, "max_trimmed_ay") == read_off(other, "max_trimmed_ay")
