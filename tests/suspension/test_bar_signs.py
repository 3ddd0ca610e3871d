"""Signs of bars: the moment of a bar is + where the left wheel is higher, whichever way its arms point."""

from __future__ import annotations

import numpy as np
import pytest

import sheetmbs
from sheetmbs.suspension.run_suspension import run_suspension
from sheetmbs.suspension.written_out import write_out
from tests.support.car_books import BAR, FRONT, car_book

U_FORWARD = {**FRONT, **BAR, "bar link bar": (-60, 200, 250), "bar axis": (0, 200, 250)}
U_REARWARD = {**FRONT, **BAR}
U_TILTED = {**U_FORWARD, "bar axis 2": (10, -200, 260)}
T_BAR = {name: FRONT[name] for name in FRONT if name not in BAR} | {
    "bar link suspension": (0, 200, 360),
    "bar link bar": (-60, 90, 290),
    "T-bar base": (-60, 0, 150, "centre"),
}
CARS = {"arms behind": U_FORWARD, "arms ahead": U_REARWARD, "axis from right": U_TILTED, "T bar": T_BAR}
LEFT_UP = [
    ("name", "type", "travel_from", "travel_to", "travel_step", "side"),
    ("left", "single wheel", "-8 mm", "8 mm", "4 mm", "left"),
]
POSED = [
    ("name", "pose", "FL.travel", "FR.travel", "RL.travel", "RR.travel"),
    ("left up", "given", "8 mm", "-8 mm", "0 mm", "0 mm"),
    ("right up", "given", "-8 mm", "8 mm", "0 mm", "0 mm"),
    ("rest",),
]


def book(path, name, **others):
    kind = "T bar" if name == "T bar" else "U bar"
    springs = [
        ("name", "axle", "kind", "k"),
        ("spring", "front", "spring", "35 N/mm"),
        ("spring", "rear", "spring", "40 N/mm"),
        ("bar", "front", kind, "200 N*m/rad"),
    ]
    sheets = {"Sweeps": LEFT_UP, "Load cases": POSED, **others}
    return car_book(path, {"camber": (0, 0), "toe": (0, 0)}, front=CARS[name], springs=springs, others=sheets)


def twist_per_left_travel(results):
    """Sign of it, by the table of the sweep."""
    table = results.table("left").frame()
    return np.sign(np.polyfit(table["travel"], table["front.bar_twist"], 1)[0])


@pytest.mark.parametrize("name", CARS)
def test_the_torque_of_a_bar_is_positive_where_the_left_wheel_is_higher(tmp_path, name):
    loads = run_suspension(book(tmp_path / "b.xlsx", name)).base.loads
    left_up, right_up, rest = loads.column("front.bar")
    assert left_up > 5.0
    assert right_up == pytest.approx(-left_up, rel=1e-6)
    assert rest == pytest.approx(0.0, abs=1e-9)


@pytest.mark.parametrize("name", CARS)
def test_a_bar_written_out_turns_back_what_the_higher_wheel_turned(tmp_path, name):
    path = book(tmp_path / "b.xlsx", name)
    swept = run_suspension(path)
    write_out(path, tmp_path / "out.xlsx")
    springs = sheetmbs.run(sheetmbs.read(tmp_path / "out.xlsx", case="left")).springs
    table = swept.table("left").frame()
    twist = np.radians(table["front.bar_twist"].to_numpy())
    of_left = twist_per_left_travel(swept) if name == "T bar" else 1.0  # its twist is + where the left wheel is higher
    moment, angle = (springs[f"front bar.{what}"].to_numpy() for what in ("moment", "angle"))
    assert moment == pytest.approx(200.0 * angle, rel=1e-9, abs=1e-9)
    if name != "T bar":
        assert moment == pytest.approx(200.0 * of_left * twist, rel=1e-8, abs=1e-8)
    assert np.abs(moment) == pytest.approx(200.0 * np.abs(twist), rel=1e-8, abs=1e-8)
    assert np.abs(moment).max() > 5.0


@pytest.mark.parametrize("name", CARS)
def test_a_longer_drop_link_on_the_left_presses_the_free_car_as_its_load_case(tmp_path, name):
    """The bar then carries a moment at rest: what it presses down on the one wheel it takes off the other."""
    changed = {"Adjustments": [("axle", "item", "change", "side"), ("front", "drop link length", "6 mm", "left")]}
    swept = run_suspension(book(tmp_path / "b.xlsx", name, **changed))
    bar = swept.base.loads.column("front.bar")[2]
    more = swept.base.loads.column("FL.fz")[2] - swept.base.loads.column("FR.fz")[2]
    asked = {**changed, "Settings": [("setting", "value"), ("analysis", "equilibrium")]}
    free = sheetmbs.run(sheetmbs.read(book(tmp_path / "f.xlsx", name, **asked)))
    assert free.status == "done"
    sunk = {corner: free.springs[f"{corner} tyre.dz"].iloc[0] for corner in ("FL", "FR")}
    assert abs(bar) > 3.0
    assert abs(more) > 20.0
    assert (sunk["FR"] - sunk["FL"]) * 120e3 == pytest.approx(more, rel=0.02)
    moment = free.springs["front bar.moment"].iloc[0]
    assert abs(moment) == pytest.approx(abs(bar), rel=0.02)
    if name != "T bar":
        assert np.sign(moment) == np.sign(bar) * twist_per_left_travel(swept)
