"""Sweeps of loads beside other sweeps: on cars without elastic parts, and at poses that the linkage does not reach."""

import numpy as np
import pytest

from tests.support.compliance_books import SWEEPS, part, run_compliance

HEADS = (*SWEEPS[0], "force_from", "force_to", "force_step", "travel", "hold")
HEAVE = (*SWEEPS[1], None, None, None, None, None)


def lateral(name, *, travel=None, hold=None):
    return (name, "lateral force", None, None, None, "-1 kN", "1 kN", "500 N", travel, hold)


def test_a_car_of_rigid_members_has_sweeps_of_loads_beside_the_others(tmp_path):
    car = run_compliance(tmp_path / "rigid.xlsx", [], others={"Sweeps": (HEADS, HEAVE, lateral("held"))})
    held = car.sweeps["held"]
    assert held["lateral_force"].to_numpy() == pytest.approx([-1000, -500, 0, 500, 1000])
    at_rest = car.sweeps["heave"].query("travel == 0").iloc[0]
    assert held["FL.toe"].to_numpy() == pytest.approx(np.full(5, at_rest["FL.toe"]), abs=1e-9)
    assert held["FL.wheel_rate"].to_numpy() == pytest.approx(np.full(5, at_rest["FL.wheel_rate"]), rel=1e-9)


@pytest.mark.parametrize("rows", [[part("tie rod", k="20 kN/mm")], []], ids=["elastic", "rigid"])
def test_a_load_at_a_pose_out_of_reach_is_warned_of_and_the_other_sweeps_are_solved(tmp_path, rows):
    book = {"Sweeps": (HEADS, HEAVE, lateral("far", travel="300 mm"))}
    car = run_compliance(tmp_path / "far.xlsx", rows, others=book)
    assert np.isnan(car.sweeps["far"]["FL.toe"].to_numpy()).all()
    assert np.isfinite(car.sweeps["heave"]["FL.toe"].to_numpy()).all()
    told = [str(each) for each in car.sheets.problems]
    assert any("far: the front linkage closes at none" in each for each in told), told


def test_the_contact_moves_on_its_tyre_as_the_metric_tells(tmp_path):
    rows = [part("tyre", k_axial="150 N/mm", k_radial="300 N/mm"), part("tie rod", k="20 kN/mm")]
    car = run_compliance(tmp_path / "tyre.xlsx", rows, others={"Sweeps": (HEADS, HEAVE, lateral("held"))})
    held, at_rest = car.sweeps["held"], car.sweeps["heave"].query("travel == 0").iloc[0]
    slope = np.ptp(held["FL.contact_y"]) / 2.0  # mm per kN
    assert slope == pytest.approx(at_rest["FL.contact_dy_per_lateral"], rel=1e-3)
    assert slope > 1e3 / 150.0


def test_the_compliance_of_parts_has_bars_of_its_largest(tmp_path):
    rows = [part("tie rod", k="20 kN/mm"), part("lower arm legs", k="40 kN/mm"), part("column", k_torsion="1 kN m/rad")]
    car = run_compliance(tmp_path / "bars.xlsx", rows)
    page = next(page for page in car.sheets.pages if page.name == "mbs Suspension Charts")
    bars = {column.name: column for column in page.columns}
    table = next(each for each in car.sheets.tables if each.name == "mbs Compliance Parts").frame().set_index("part")
    drawn = bars["bars of FL.toe_per_lateral"].data
    named = bars["parts of FL.toe_per_lateral"].labels
    assert set(named) <= {"tie rod", "lower arm legs", "column", "springs", "geometry"}
    assert drawn == pytest.approx(table.loc[list(named), "FL.toe_per_lateral"].to_numpy(), rel=1e-12)
    assert list(np.abs(drawn)) == sorted(np.abs(drawn), reverse=True)
    titles = [chart.title for chart in page.charts]
    assert any(title.startswith("Toe per lateral force, front left") for title in titles)
