"""What is drawn where nobody asked for a chart, and over what: first of all what a person wants to know."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import sheetmbs
from sheetmbs.model.model import Chart
from tests.support.lift_books import DAMPING, LENGTH, STIFFNESS, driver_rows, lift_book

BOOKS = Path(__file__).parents[2] / "workbooks"


def results_of(path, **changed):
    return sheetmbs.run(sheetmbs.read(lift_book(path / "lift.xlsx", **changed)))


def charts_of(path, **changed) -> dict[str, Chart]:
    return {chart.title: chart for chart in results_of(path, **changed).sheets.charts}


def without_charts(name: str, case: str | None = None) -> list[Chart]:
    """The default charts of an example."""
    model = replace(sheetmbs.read(BOOKS / f"{name}.xlsx", case=case), charts=())
    return list(sheetmbs.run(model).sheets.charts)


def test_an_inverse_analysis_begins_with_the_loads_it_asks_for_and_the_motion_follows():
    titles = [chart.title for chart in without_charts("slider-crank")]
    assert titles[:3] == ["Moment of driver motor", "Power of driver motor", "Reaction at main bearing"]
    reactions = [k for k, title in enumerate(titles) if title.startswith("Reaction at")]
    assert reactions == list(range(2, 2 + len(reactions)))
    assert titles.index("Angles of joints") == reactions[-1] + 1
    first_path = titles.index("Path of body crank")
    for before in ("Angles of joints", "Displacement of joint guide", "Path of point B"):
        assert titles.index(before) < first_path


def test_motion_comes_first_where_it_is_what_is_asked_for():
    titles = [chart.title for chart in without_charts("double-wishbone")]
    assert titles[0].startswith(("Angle", "Displacement"))


def test_a_chart_of_one_element_is_called_by_it(tmp_path):
    alone = charts_of(tmp_path, analysis="inverse dynamic")["Force of driver lift"]
    assert alone.y == ("lift.force",)


def test_a_sweep_of_one_driver_is_drawn_over_what_it_drives(tmp_path):
    charts = charts_of(tmp_path)
    assert charts["Spring forces"].x == "guide.displacement"
    assert charts["Spring lengths"].x == "guide.displacement"
    assert not any("guide.displacement" in chart.y for chart in charts.values())


def test_rates_of_a_sweep_that_turns_back_stay_over_time(tmp_path):
    assert charts_of(tmp_path)["Velocities of points"].x == "time"
    forth = driver_rows(["lift", "guide", "displacement", 0.05, None, None])
    assert charts_of(tmp_path, Drivers=forth)["Velocities of points"].x == "guide.displacement"


def test_other_analyses_are_drawn_over_time(tmp_path):
    charts = charts_of(tmp_path, analysis="inverse dynamic")
    assert {chart.x for chart in charts.values() if chart.type == "line"} == {"time"}


def test_drivers_in_proportion_are_one_sweep_and_others_are_not():
    assert {chart.x for chart in without_charts("car", "bump")} == {"wheel FL.z"}
    assert {chart.x for chart in without_charts("car", "roll")} == {"tilt.angle"}


@pytest.mark.parametrize(("second", "x"), [("0.1 - 0.5*0.06*sin(pi*t)", "guide.displacement"), ("0.02*t", "time")])
def test_a_second_driver_counts_unless_it_moves_in_proportion(tmp_path, second, x):
    bodies = [["name", "mass", "inertia", "x [mm]", "y [mm]"], ["wheel", 20, 0.5, 0, 0], ["plate", 1, 0.1, 500, 0]]
    points = [["name", "body", "x [mm]", "y [mm]", "report"], ["axle", "wheel", 0, 0, "yes"], ["mount", None, 0, 400]]
    joints = [["name", "type", "body_i", "body_j", "point", "axis_x", "axis_y", "xi_i", "eta_i", "xi_j", "eta_j"]]
    joints += [["guide", "translational", "ground", "wheel", "axle", 0, 1]]
    joints += [["rail", "translational", "ground", "plate", None, 0, 1, 0.5, 0, 0, 0]]
    drivers = driver_rows(
        ["lift", "guide", "displacement", None, "0.06*sin(pi*t)", None],
        ["shake", "rail", "displacement", None, second, None],
    )
    charts = charts_of(tmp_path, Bodies=bodies, Points=points, Joints=joints, Drivers=drivers)
    assert charts["Spring forces"].x == x


def test_a_driver_that_holds_does_not_sweep():
    """In the steering case of the car the wheels' heights are held and the rack moves."""
    assert {chart.x for chart in without_charts("car", "steer")} == {"rack guide.displacement"}


def test_charts_of_the_user_keep_the_x_they_name(tmp_path):
    rows = [
        ["title", "x", "y", "type"],
        ["own", "time", "strut.spring_force", "line"],
        ["path", "axle.x", "axle.y", "xy"],
    ]
    rows += [["open", None, "strut.spring_force; strut.length", None], ["rate", None, "strut.rate", None]]
    charts = charts_of(tmp_path, Charts=rows)
    assert {title: chart.x for title, chart in charts.items()} == {
        "own": "time",
        "path": "axle.x",
        "open": "guide.displacement",
        "rate": "time",
    }


def test_a_chart_of_springs_shows_springs_and_one_of_dampers_dampers(tmp_path):
    charts = charts_of(tmp_path, analysis="dynamic", Drivers=driver_rows())
    assert charts["Spring forces"].y == ("strut.spring_force",)
    assert charts["Damper forces"].y == ("strut.damper_force",)
    sweep = charts_of(tmp_path)
    assert sweep["Spring forces"].y == ("strut.spring_force",)
    assert "Damper forces" not in sweep


def test_a_sweep_without_a_speed_of_its_own_has_no_damper_force(tmp_path):
    results = results_of(tmp_path)
    springs = results.springs
    displacement = 0.06 * np.sin(np.pi * springs["time"])
    expected = STIFFNESS * ((LENGTH - displacement) - LENGTH)
    np.testing.assert_allclose(springs["strut.spring_force"], expected, atol=1e-6)
    np.testing.assert_allclose(springs["strut.force"], expected, atol=1e-6)
    assert springs["strut.damper_force"].isna().all()
    assert "no driver has a velocity" in results.summary["damper forces"]


def test_with_a_velocity_the_damper_has_its_force(tmp_path):
    results = results_of(tmp_path, Drivers=driver_rows(["lift", "guide", "displacement", 0.05, None, None]))
    springs = results.springs
    np.testing.assert_allclose(springs["strut.damper_force"], -DAMPING * 0.05, rtol=1e-9)
    np.testing.assert_allclose(springs["strut.force"], springs["strut.spring_force"] - DAMPING * 0.05, atol=1e-9)
    assert "damper forces" not in results.summary


def test_coordinates_that_do_not_move_and_violations_below_the_tolerance_have_no_charts():
    titles = [chart.title for chart in without_charts("pendulum")]
    assert titles == ["Path of body bob", "Reaction at rod", "Energies"]


def test_degrees_over_several_turns_get_ticks_that_divide_a_turn():
    from sheetmbs.workbook.charts.axes import x_scale

    assert x_scale(np.linspace(0.0, 720.0, 9), is_time=False, unit="deg").tick == 60.0
    assert x_scale(np.linspace(0.0, 360.0, 9), is_time=False, unit="deg").tick == 30.0
    assert x_scale(np.linspace(0.0, 3.0, 9), is_time=False, unit="deg").tick == 0.5
    assert x_scale(np.linspace(0.0, 720.0, 9), is_time=False, unit="mm").tick == 100.0


def test_the_least_and_largest_values_of_what_is_drawn_stand_on_top_of_the_summary(tmp_path):
    items = [item for item, _, _ in results_of(tmp_path).sheets.summary]
    assert items.index("status") < items.index("strut.spring_force min") < items.index("accuracy check")
    summary = results_of(tmp_path).summary
    assert summary["strut.spring_force max"] == pytest.approx(STIFFNESS * 0.06, rel=1e-9)
    assert summary["strut.spring_force min"] == pytest.approx(-STIFFNESS * 0.06, rel=1e-9)
