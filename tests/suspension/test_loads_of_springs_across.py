"""Load cases of axles whose springs stand between both sides: balance, what holds roll, and where no pose is."""

from __future__ import annotations

import numpy as np
import pytest

import sheetmbs
from sheetmbs.suspension.written_out import write_out
from tests.support.across_books import BLADE, HEADS, HEAVE, across_book

HEAD = (*HEADS, "free_length", "preload", "tension")
CAPTIVE_CROSS = ("cs", "front", "roll spring", "30 N/mm", "heave end", "roll end", None, None, "yes")
ZBAR = ("zbar", "front", "blade bar", "40 N/mm")
CASES = (
    ("name", "pose", "ay", "az", "FL.fz", "FR.fz", "FL.fy", "FR.fy"),
    ("static", "equilibrium"),
    ("bump", "equilibrium", 0, 1.2, 780, 780),
    ("corner", "equilibrium", 0.3, 1, 600, 690, 180, 210),
    ("posed", "design", 0.3, 1, 600, 690, 180, 210),
)
LAYOUTS = {"heave and cross": (HEAD, HEAVE, CAPTIVE_CROSS), "heave and blade": (HEAD, HEAVE, ZBAR)}


def solved(path, rows, cases=CASES):
    points = BLADE if ZBAR in rows else ()
    return sheetmbs.run(str(across_book(path, rows, points=points, others={"Load cases": cases})))


@pytest.mark.parametrize("layout", LAYOUTS)
def test_every_force_is_in_balance_and_none_is_lost(tmp_path, layout):
    loads = solved(tmp_path / "a.xlsx", LAYOUTS[layout]).base.loads
    assert list(loads.marks) == [""] * 4
    assert loads.column("residual").max() < 1e-9
    assert loads.column("FL.travel")[0] == pytest.approx(0.0, abs=1e-9)


@pytest.mark.parametrize("layout", LAYOUTS)
def test_a_posed_case_needs_what_virtual_work_asks_of_the_springs(tmp_path, layout):
    """At rest forces follow their laws; the difference to the law is what a given pose needs more."""
    loads = solved(tmp_path / "a.xlsx", LAYOUTS[layout]).base.loads
    assert loads.column("front.hs difference")[:3] == pytest.approx(0.0, abs=1e-9)
    assert abs(loads.column("front.hs difference")[3]) > 0.1


def test_links_of_a_blade_are_in_balance_about_its_axis_in_every_case(tmp_path):
    loads = solved(tmp_path / "a.xlsx", LAYOUTS["heave and blade"]).base.loads
    left, right = (loads.column(f"{corner}.blade link") for corner in ("FL", "FR"))
    assert right == pytest.approx(
        -left, rel=0.02, abs=1e-6
    )  # its tips are turned, and links nearly square to their arms
    assert abs(left[2]) > 10.0


def test_a_side_acceleration_has_no_pose_where_nothing_holds_roll(tmp_path):
    results = solved(tmp_path / "a.xlsx", (HEAD, HEAVE))
    loads = results.base.loads
    assert list(loads.failed) == [False, False, True, True]
    assert loads.marks[2] == "nothing holds the front axle in roll"
    assert loads.column("front.hs")[:2] == pytest.approx(loads.column("front.hs")[:2].real)
    assert np.isnan(loads.column("front.hs")[2:]).all()
    assert {each.cell for each in results.sheets.problems if each.code == "no-pose"} == {
        "Load cases!A4",
        "Load cases!A5",
    }


def test_one_third_spring_cannot_hold_two_different_loads(tmp_path):
    heads = (*HEADS, "preload", "side")
    left = ("extra", "front", "spring", "5 N/mm", None, None, "60 N", "left")
    results = sheetmbs.run(str(across_book(tmp_path / "a.xlsx", (heads, HEAVE, left))))
    (problem,) = [each for each in results.sheets.problems if each.code == "uneven-load"]
    assert problem.cell == "Suspension springs!A2"
    assert problem.found.startswith("one third spring cannot hold FL ")


@pytest.mark.parametrize("layout", LAYOUTS)
def test_written_out_springs_have_the_forces_of_the_sweeps(tmp_path, layout):
    path = across_book(tmp_path / "a.xlsx", LAYOUTS[layout], points=BLADE if ZBAR in LAYOUTS[layout] else ())
    results = sheetmbs.run(str(path))
    write_out(path, tmp_path / "b.xlsx")
    for sweep in ("heave", "roll"):
        springs = sheetmbs.run(sheetmbs.read(tmp_path / "b.xlsx", case=sweep)).springs
        frame = results.table(sweep).frame()
        pairs = {"front hs": "front.hs_force"}
        pairs |= {"front cs": "front.cs_force"} if layout == "heave and cross" else {}
        for name, column in pairs.items():
            assert -springs[f"{name}.force"].to_numpy() == pytest.approx(frame[column].to_numpy(), abs=1e-7)
        if layout == "heave and blade":
            for corner in ("FL", "FR"):
                own = springs[f"{corner} blade link.force"].to_numpy()
                assert own == pytest.approx(frame[f"{corner}.blade_force"].to_numpy(), abs=1e-7)
