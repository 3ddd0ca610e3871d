"""What wheels and springs carry stands on the page, rates step where a stop engages, and small changes look small."""

from __future__ import annotations

from math import cos, radians

import openpyxl
import pytest

from sheetmbs.suspension.run_suspension import run_suspension
from tests.support.hardpoint_books import LEVEL_ARMS, hardpoint_book
from tests.support.sample_results import loaded_sheet
from tests.suspension.drawings import drawings, drawn, layout, lengths_of_mm
from tests.suspension.page_books import PAGE, POINTS, C, blocks, car_book, chart_named, limits

GRAVITY = 9.81


@pytest.fixture(scope="module")
def stopped(tmp_path_factory):
    """The car of the other pages with a bump stop in front, of which the stiffness is 80 N/mm, after 8 mm of damper."""
    path = car_book(tmp_path_factory.mktemp("stopped") / "stopped.xlsx")
    book = openpyxl.load_workbook(path)
    sheet = book["Suspension springs"]
    sheet.cell(1, 5, "gap")
    sheet.append(("stop", "front", "bump stop", "80 N/mm", "8 mm"))
    sweeps = book.create_sheet("Sweeps")
    sweeps.append(("name", "type", "travel_from", "travel_to", "travel_step"))
    sweeps.append(("heave", "heave", "-20 mm", "20 mm", "2.5 mm"))
    book.save(path)
    results = run_suspension(path)
    results.save()
    return path, results


def at(results, column):
    return results.at_design["base"][column]


@pytest.mark.parametrize(("corner", "k"), [("FL", 35.0), ("RR", 40.0)])
def test_springs_carry_what_wheels_carry_less_what_is_unsprung(car, corner, k):
    """Virtual work of a unit of travel: F dl = load dz_C - weight of the unsprung mass. Its free length by its rate."""
    _path, results = car
    share = 0.48 if corner[0] == "F" else 0.52
    load = at(results, f"{corner}.wheel_load")
    assert load == pytest.approx(0.5 * 280.0 * GRAVITY * share)
    force, ratio = at(results, f"{corner}.spring_force"), at(results, f"{corner}.motion_ratio")
    rise = ratio / at(results, f"{corner}.motion_ratio_contact")
    assert force * ratio == pytest.approx(load * rise - 10.0 * GRAVITY, rel=1e-9)
    stretched = at(results, f"{corner}.free_length") - at(results, f"{corner}.spring_length")
    assert stretched == pytest.approx(force / k)


def test_the_page_shows_loads_of_wheels_and_springs_toe_and_road(car):
    path, results = car
    shown = {label: values for (_head, label), values in blocks(loaded_sheet(path, PAGE)).items()}
    for label, columns in {
        "wheel load": ("FL.wheel_load", "RL.wheel_load"),
        "spring force": ("FL.spring_force", "RL.spring_force"),
        "spring length": ("FL.spring_length", "RL.spring_length"),
        "free length": ("FL.free_length", "RL.free_length"),
        "total toe": ("front.total_toe", "rear.total_toe"),
        "road height": ("FL.road_height", "RL.road_height"),
    }.items():
        assert shown[label][:2] == pytest.approx([at(results, column) for column in columns]), label
    assert at(results, "front.total_toe") == pytest.approx(-0.3), "left and right"
    radius, camber = 230.0, 1.2
    height = POINTS["wheel centre"][2] - radius * cos(radians(camber))
    assert at(results, "FL.road_height") == pytest.approx(height, abs=1e-6)


def test_a_given_free_length_stands_on_the_page_as_given(tmp_path):
    path = car_book(tmp_path / "given.xlsx")
    book = openpyxl.load_workbook(path)
    sheet = book["Suspension springs"]
    sheet.cell(1, 5, "free_length")
    sheet.cell(2, 5, "210 mm")
    book.save(path)
    results = run_suspension(path)
    assert at(results, "FL.free_length") == pytest.approx(210.0)
    pressed = 35.0 * (210.0 - at(results, "FL.spring_length"))
    assert at(results, "FL.spring_force") == pytest.approx(pressed)


def test_the_wheel_rate_steps_where_the_stop_engages(stopped):
    """There k MR^2 grows by that of the stop; its force is still zero, so that F dMR/dz does not step."""
    path, results = stopped
    (chart,) = drawings(path, "Wheel rate, front")
    lines = drawn(path, chart)
    step = lines["total"]
    rows = [k for k in range(len(step) - 1) if 0.0 < step[k + 1, 0] - step[k, 0] < 0.01]
    assert len(rows) == 1
    table = results.table("heave")
    travel, shorter = (table.values[:, table.columns.index(name)] for name in ("travel", "FL.damper_travel"))
    after = next(k for k, each in enumerate(shorter) if each > 8.0)
    assert travel[after - 1] < step[rows[0], 0] < travel[after]
    ratio = table.values[after - 1 : after + 1, table.columns.index("FL.damper_motion_ratio")]
    share = (step[rows[0], 0] - travel[after - 1]) / (travel[after] - travel[after - 1])
    here = (1 - share) * ratio[0] + share * ratio[1]
    assert pytest.approx((1 - share) * shorter[after - 1] + share * shorter[after], abs=0.02) == 8.0
    jump = [lines[name][rows[0] + 1, 1] - lines[name][rows[0], 1] for name in ("total", "k MR²", "F dMR/dz")]
    assert jump[:2] == pytest.approx([80.0 * here**2] * 2, rel=2e-3)
    assert abs(jump[2]) < 1e-2
    (ride,) = drawings(path, "Ride rate, front")
    (line,) = drawn(path, ride).values()
    assert len(line) == len(step)


def test_rates_without_stops_are_those_of_the_sheet_of_the_sweep(car):
    path, results = car
    table = results.table("heave")
    (chart,) = drawings(path, "Wheel rate, front")
    line = drawn(path, chart)["total"]
    assert line[:, 0] == pytest.approx(table.values[:, table.columns.index("travel")])
    assert line[:, 1] == pytest.approx(table.values[:, table.columns.index("FL.wheel_rate")])


def test_wheel_loads_stand_side_by_side(car):
    bars = chart_named(car[0], "Wheel loads").find(f".//{C}barChart")
    assert bars.find(f"{C}grouping").get("val") == "clustered"
    assert bars.find(f"{C}barDir").get("val") == "col"
    assert bars.find(f"{C}overlap") is None
    names = [line.findtext(f"{C}tx/{C}v") for line in bars.iter(f"{C}ser")]
    assert names == ["front left", "front right", "rear left", "rear right"]


@pytest.mark.parametrize("title", ["Front view of the contact", "Top view of the contact"])
def test_paths_of_contacts_have_equal_scales_in_front_and_at_the_rear(car, title):
    path = car[0]
    scales = []
    for axle in ("front", "rear"):
        (chart,) = drawings(path, f"{title}, {axle}")
        across, upward = lengths_of_mm(path, chart)
        assert across == pytest.approx(upward, rel=1e-3)
        scales.append(across)
    assert scales[0] == pytest.approx(scales[1], rel=0.02)


def test_a_small_change_looks_small(tmp_path):
    """Of parallel and equally long arms neither camber nor toe changes; the camber axis spans at least a degree."""
    path = hardpoint_book(tmp_path / "level.xlsx", LEVEL_ARMS, (("type", "double wishbone"), ("tyre radius", "230 mm")))
    run_suspension(path).save()
    for title, least in (("Camber", 1.0), ("Toe", 0.4), ("Roll centre height", 10.0)):
        low, high = limits(chart_named(path, title), 1)
        assert high - low >= least, title


def test_an_axle_alone_has_a_front_view_and_a_side_view(tmp_path):
    path = hardpoint_book(tmp_path / "level.xlsx", LEVEL_ARMS, (("type", "double wishbone"), ("tyre radius", "230 mm")))
    run_suspension(path).save()
    for title in ("Front view, front axle", "Side view"):
        charts = drawings(path, title)
        assert len(charts) == 2, "on the sheet of charts and at the foot of the page"
        assert all(layout(path, chart)[3] > 0.3 for chart in charts)
