"""The printed page, model and definitions of a suspension show the numbers of its tables, on paper too."""

from __future__ import annotations

import re
import subprocess

import numpy as np
import openpyxl
import pytest
from openpyxl.utils import range_boundaries

from sheetmbs.suspension.metrics.all_metrics import declared_metrics
from sheetmbs.suspension.run_suspension import SuspensionRun, run_suspension
from sheetmbs.suspension.sheets.chart_table import CHART_PAGES
from sheetmbs.suspension.sheets.design_values import BY_EQUILIBRIUM, GRADIENT_BY_EQUILIBRIUM, SHARE_BY_EQUILIBRIUM
from sheetmbs.suspension.sheets.suspension_page import ELASTIC, SMALL, STATIC
from sheetmbs.suspension.sheets.words import label
from tests.support.car_books import car_book as whole_car_book
from tests.support.hardpoint_books import SETTINGS, WISHBONES, hardpoint_book
from tests.support.sample_results import loaded_sheet, needs_libreoffice, sheet_names, sheet_part
from tests.support.validators import SCHEMAS, against_schemas, broken_by_a_run
from tests.suspension.page_books import (
    CAR,
    CHARTS,
    METRICS,
    MODEL,
    PAGE,
    POINTS,
    at_design,
    blocks,
    car_book,
    largest,
    load_columns,
    loaded,
    parts_of,
)


def test_the_page_is_the_first_result_and_the_only_sheet_that_is_selected(car):
    path, results = car
    book = loaded(path)
    names = book.sheetnames
    assert names[:3] == ["Suspension", "Hardpoints", "Suspension springs"], "the user's sheets stay where they are"
    sweeps = [f"mbs Sweep {name}" for name in results.base.plans]
    assert names[3:] == [
        PAGE,
        *sweeps,
        "mbs Loads",
        "mbs Load extremes",
        "mbs Setup",
        CHARTS,
        MODEL,
        METRICS,
        "mbs Summary",
    ]
    assert book.active.title == PAGE
    parts = parts_of(path)
    selected = [name for name in names if b"tabSelected" in parts[sheet_part(path, name)]]
    assert selected == [PAGE]


def test_the_page_stays_active_and_in_its_place_on_the_next_run(car, tmp_path):
    path, _ = car
    again = tmp_path / "again.xlsx"
    again.write_bytes(path.read_bytes())
    before = sheet_names(again)
    run_suspension(again).save()
    book = openpyxl.load_workbook(again)
    assert book.sheetnames == before
    assert book.active.title == PAGE


def test_the_page_is_one_sheet_of_paper_upright(car):
    page = loaded(car[0])[PAGE]
    assert page.sheet_properties.pageSetUpPr.fitToPage
    assert (page.page_setup.fitToHeight or 1, page.page_setup.fitToWidth or 1) == (1, 1)
    assert page.page_setup.orientation == "portrait"
    assert page.page_setup.paperSize == 9
    area = page.print_area.replace("$", "").rpartition("!")[2]
    assert range_boundaries(area)[2:] == (page.max_column, page.max_row)


@needs_libreoffice
def test_the_page_prints_on_one_page(car, tmp_path):
    path = car[0]
    book = loaded(path)
    assert book.active.title == PAGE
    subprocess.run(
        ["soffice", "--headless", "--convert-to", "pdf", "--outdir", tmp_path, path], check=True, capture_output=True
    )
    text = subprocess.run(
        ["pdftotext", "-layout", tmp_path / "car.pdf", "-"], check=True, capture_output=True, text=True
    )
    pages = [page for page in text.stdout.split("\f") if re.search(rf"car\.xlsx, {PAGE}\s+[0-9]+ / ", page)]
    assert len(pages) == 1
    assert "kingpin inclination" in pages[0]
    assert "ISO 8855" in pages[0]


RED = "FFB42318"
NOT_OF_SWEEPS = (
    *("wheel_load", "spring_force", "free_length", "total_toe", "road_height"),
    *("loose_below", "bump_clearance", "rebound_clearance", "heave_rate", "damping_ratio"),
    *("cross_weight", "rake", "least_reserve"),
)
"""what the page shows of the car at design or as it stands, and what not every car has"""
OF_SWEEPS = [
    (head, metric)
    for head, metrics in (*STATIC, *ELASTIC)
    for metric in metrics
    if metric not in (BY_EQUILIBRIUM, SHARE_BY_EQUILIBRIUM, GRADIENT_BY_EQUILIBRIUM, *NOT_OF_SWEEPS)
]


@pytest.mark.parametrize("head_and_metric", OF_SWEEPS)
def test_every_number_on_the_page_is_that_of_the_tables(car, head_and_metric):
    path, results = car
    head, metric = head_and_metric
    shown = blocks(loaded(path)[PAGE])
    columns = results.table("heave").columns
    found = []
    for place, (axle, corner) in enumerate((("front", "FL"), ("rear", "RL"))):
        column = next((c for c in (f"{corner}.{metric}", f"{axle}.{metric}", metric) if c in columns), None)
        if column is None or (column == metric and place):
            continue
        value = at_design(results, column)
        row = shown.get((head, label(metric).strip())) or shown.get((head, f"{label(metric).strip()} left"))
        if np.isfinite(value):
            assert row is not None, f"{metric} is on the page"
            assert row[place] == pytest.approx(value, rel=1e-9, abs=1e-9)
            found.append(column)
    assert found, "a metric that the page names is one that the sweeps have"


def test_designs_stand_side_by_side_with_their_change(designs):
    path, results = designs
    shown = blocks(loaded(path)[PAGE])
    for metric in ("roll_centre_height", "camber_gradient", "fvsa"):
        corner = "" if metric.startswith("roll") else "FL."
        column = f"front.{metric}" if metric.startswith("roll") else f"{corner}{metric}"
        base, other = at_design(results, column), at_design(results, f"low arms/{column}")
        assert abs(base - other) > 1e-3
        assert shown["Front axle", label(metric)][:3] == pytest.approx([base, other, other - base], rel=1e-9)


def test_the_five_members_that_carry_most_stand_on_the_page_with_their_cases(car):
    page = loaded(car[0])[PAGE]
    rows = [[cell.value for cell in row if cell.value is not None] for row in page.iter_rows()]
    first = next(k for k, row in enumerate(rows) if row and str(row[0]).startswith("Largest member forces"))
    shown = rows[first + 1 : first + 6]
    sizes = []
    for name, unit, force, case in shown:
        axle, _, member = name.partition(" ")
        assert unit == "N"
        most, least = largest(car[0], axle, member, -1.0 if member == "spring" else 1.0)
        assert (force, case) == max(most, least, key=lambda each: abs(each[0]))
        sizes.append(abs(force))
    assert sizes == sorted(sizes, reverse=True)
    members = {
        f"{axle} {member}" for axle in ("front", "rear") for member in ("push-rod", "tie rod", "lower arm rear leg")
    }
    for name in members - {row[0] for row in shown}:
        axle, _, member = name.partition(" ")
        assert max(abs(each[0]) for each in largest(car[0], axle, member)) <= sizes[-1]


def test_every_generated_row_is_listed_with_the_cell_it_came_from(car):
    path, results = car
    sheet = loaded(path)[MODEL]
    rows = {row[1].value: row for row in sheet.iter_rows() if row[1].value}
    for name, source in (
        ("FL lower arm hinge", "Hardpoints!C3"),
        ("front rack slide", "Hardpoints!C9"),
        ("FL tie rod", None),
    ):
        assert name in rows
        cell = rows[name][0]
        assert source is None or cell.value == source
        assert cell.hyperlink.location == "'Hardpoints'!" + cell.value.rpartition("!")[2]
    names = {row[1].value for row in sheet.iter_rows() if row[0].value}
    model = results.base.model
    assert {each.name for each in (*model.bodies, *model.points, *model.joints, *model.drivers)} <= names


def test_what_the_user_puts_in_place_of_a_generated_cell_is_listed(tmp_path):
    own = {"Bodies": [("name", "x"), ("FL upright", "10 mm")]}
    path = hardpoint_book(tmp_path / "own.xlsx", others=own)
    run_suspension(path).save()
    sheet = loaded(path)[MODEL]
    texts = [[cell.value for cell in row] for row in sheet.iter_rows()]
    at = next(k for k, row in enumerate(texts) if row[0] == "Replaced by your own cells")
    assert texts[at + 2][:2] == ["Bodies!B2", "10 mm"]


def test_every_metric_is_defined(car):
    sheet = loaded(car[0])[METRICS]
    columns = {row[0].value for row in sheet.iter_rows(min_row=5) if row[0].value}
    for _group, metric in declared_metrics():
        assert any(column.rpartition(".")[2] == metric.name.format("spring") for column in columns)
    assert any("OptimumK" in str(cell.value) for row in sheet.iter_rows() for cell in row)


def test_what_the_page_and_the_charts_name_are_metrics():
    names = {metric.name for _group, metric in declared_metrics()}
    of_page = {metric for _title, metrics in (*STATIC, *ELASTIC) for metric in metrics} | {each[2] for each in SMALL}
    of_charts = {metric for page in CHART_PAGES for spec in page.charts for metric, _name in spec.drawn.metrics}
    of_charts |= {spec.over[0] for page in CHART_PAGES for spec in page.charts if spec.over}
    of_loads = {"steering_force", BY_EQUILIBRIUM, SHARE_BY_EQUILIBRIUM, GRADIENT_BY_EQUILIBRIUM}
    assert (of_page | of_charts) - names - {*NOT_OF_SWEEPS} == of_loads, "what comes of loads"


@pytest.mark.parametrize("settings", [SETTINGS, CAR[:5]])
def test_a_car_of_hardpoints_alone_has_a_page_that_says_what_would_fill_it(tmp_path, settings):
    points = POINTS if ("actuation", "push-rod") in [row[:2] for row in settings] else WISHBONES
    path = hardpoint_book(tmp_path / "bare.xlsx", points, [row[:2] for row in settings])
    run_suspension(path).save()
    page = loaded(path)[PAGE]
    texts = [str(cell.value) for row in page.iter_rows() for cell in row if cell.value is not None]
    assert any("springs would give" in text for text in texts)
    assert any("tyre rate would give ride rate" in text for text in texts)
    assert not any(text in ("nan", "inf", "None") for text in texts)


BARE_AXLE = "springs of the rear axle would give motion ratios, wheel rates, ride frequencies and roll stiffness"


@pytest.mark.parametrize(
    ("settings", "kinds", "told"),
    [
        ({}, ("spring", "torsion bar"), []),
        ({}, ("torsion bar",), [BARE_AXLE]),
        ({"tyre rate": ("120 N/mm",)}, ("torsion bar", "spring"), ["tyre rate of the rear axle would give ride rate"]),
        ({"rack per turn": None}, ("spring", "spring"), ["rack per turn would give steer ratio overall"]),
    ],
)
def test_the_foot_names_the_axle_whose_cells_stay_empty_and_no_other(tmp_path, settings, kinds, told):
    """A torsion bar is a spring: its axle lacks none."""
    rates = {"spring": "35 N/mm", "torsion bar": "900 N*m/rad"}
    springs = [("name", "axle", "kind", "k")]
    springs += [("carrier", axle, kind, rates[kind]) for axle, kind in zip(("front", "rear"), kinds, strict=False)]
    path = whole_car_book(tmp_path / "car.xlsx", settings, springs=springs)
    run_suspension(path).save()
    texts = [cell.value for row in loaded(path)[PAGE].iter_rows() for cell in row if isinstance(cell.value, str)]
    found = [text for text in texts if " would give " in text]
    assert len(found) == len(told)
    assert all(text.startswith(start) for text, start in zip(found, told, strict=True))


def test_what_is_written_keeps_to_the_schemas_and_to_the_rules_of_excel(car, designs, tmp_path):
    before = car_book(tmp_path / "before.xlsx")
    for path in (car[0], designs[0]):
        assert broken_by_a_run(path, before) == []
        if SCHEMAS.is_dir():
            assert against_schemas(path, before) == []


def test_the_roll_moment_is_what_springs_and_bars_take_up(car):
    """Their energy, from their own lengths, grows by the integral of the moment over the roll angle."""
    _, results = car
    table = results.table("roll")
    of = dict(zip(table.columns, table.values.T, strict=True))
    roll = np.radians(of["roll"])
    energy = np.zeros(len(roll))
    for corner in ("FL", "FR"):
        travel = of[f"{corner}.spring_travel"] * 1e-3
        preload = at_design(results, f"{corner}.spring_force")
        energy += preload * travel + 0.5 * 35e3 * travel**2
    springs = energy.copy()
    energy += 0.5 * 250.0 * np.radians(of["front.bar_twist"]) ** 2
    for name, taken in (("roll_moment", energy), ("roll_moment_springs", springs)):
        moment = of[f"front.{name}"]
        simpson = (moment[:-2:2] + 4.0 * moment[1:-1:2] + moment[2::2]) * (roll[1] - roll[0]) / 3.0
        assert np.diff(taken[::2]) == pytest.approx(simpson, abs=1e-7 * np.ptp(taken))
    assert of["front.roll_moment_bar"] == pytest.approx(of["front.roll_moment"] - of["front.roll_moment_springs"])


def test_a_new_sweep_takes_its_place_among_the_results_of_the_last_run(car, tmp_path):
    path = tmp_path / "again.xlsx"
    path.write_bytes(car[0].read_bytes())
    book = openpyxl.load_workbook(path)
    mine = book.create_sheet("mine", 1)
    mine["A1"] = "=1"
    mine.print_title_rows = "1:1"
    sweeps = book.create_sheet("Sweeps")
    for row in (
        ("name", "type", "travel_from", "travel_to", "travel_step"),
        ("heave", "heave", "-30 mm", "30 mm", "5 mm"),
        ("small", "heave", "-3 mm", "3 mm", "1 mm"),
    ):
        sweeps.append(row)
    book.save(path)
    run_suspension(path).save()
    written = openpyxl.load_workbook(path)
    names = [name for name in written.sheetnames if name.startswith("mbs ")]
    assert names[:4] == [PAGE, "mbs Sweep heave", "mbs Sweep small", "mbs Loads"]
    assert written.active.title == PAGE
    assert written["mine"].print_title_rows.replace("$", "") == "1:1"
    assert written[PAGE].print_area


def test_every_target_stands_on_the_page_with_its_deviation_and_tick(aims):
    path, results = aims
    page = loaded(path)[PAGE]
    shown = blocks(page)
    camber = shown["Front axle", "camber"]
    assert camber[:3] == pytest.approx([-1.2, -1.2, 0.0], abs=1e-9)
    assert camber[3] == "✓"
    height = at_design(results, "front.roll_centre_height")
    missed = shown["Front axle", "roll centre height"]
    assert missed[0] == pytest.approx(height)
    assert missed[1] == "30 .. 50"
    assert missed[2:4] == [pytest.approx(height - 30.0), "✗"]
    told = [cell.value for row in page.iter_rows() for cell in row if isinstance(cell.value, str)]
    top = page["A3"].value.split("\n")
    assert all(line.startswith("Target missed: ") for line in top)
    assert len(top) == sum(each.is_met is False for each in results.targets)
    assert page["A3"].font.color.rgb == RED
    assert any("roll centre height" in line and "target 30 .. 50" in line for line in top)
    assert any(
        each.startswith("contact, lateral per travel, front left: 0.039, target 0.2; off by -0.161") for each in told
    )
    toe = results.table("heave").values[:, results.table("heave").columns.index("FL.toe")]
    worst = np.abs(toe + 0.15).max()
    assert any(
        f"over heave: target -0.15; off by {worst:.2f} deg at most" in each and each.endswith("✗") for each in told
    )


def test_a_target_that_only_a_variant_misses_is_red_at_the_top_beside_its_value_and_on_the_terminal(designs, tmp_path):
    _path, results = designs
    base, other = (
        at_design(results, name) for name in ("front.roll_centre_height", "low arms/front.roll_centre_height")
    )
    low, high = base - abs(other - base) / 2, base + abs(other - base) / 2
    path = car_book(tmp_path / "aimed.xlsx", designs=True)
    book = openpyxl.load_workbook(path)
    targets = book.create_sheet("Targets")
    targets.append(("metric", "min", "max"))
    targets.append(("front.roll_centre_height", f"{low!r} mm", f"{high!r} mm"))
    book.save(path)
    run = SuspensionRun(run_suspension(path))
    [told] = [sentence for sentence, look in run.report(path, {"results": "here"}, 1.0).sentences if look == "red"]
    assert told.startswith("Target missed: roll centre height, front of low arms: ")
    assert told.endswith("(Targets!A2)")
    run.results.save()
    page = loaded_sheet(path, PAGE)
    assert (page["A3"].value, page["A3"].font.color.rgb) == (told, RED)
    [row] = [row for row in page.iter_rows(min_row=5) if row[0].value == "roll centre height" and row[7].value]
    assert row[7].value == "✓✗"
    assert [row[at].font.color.rgb for at in (2, 3)] == ["FF1A7F37", RED]


def test_the_title_of_the_page_is_that_of_the_workbook(designs, tmp_path):
    assert loaded(designs[0])[PAGE]["A1"].value == f"{designs[0].stem}: suspension"
    path = car_book(tmp_path / "named.xlsx")
    book = openpyxl.load_workbook(path)
    book.properties.title = "Car of 2031"
    book.save(path)
    run_suspension(path).save()
    assert loaded_sheet(path, PAGE)["A1"].value == "Car of 2031"


def test_the_loads_of_all_wheels_stand_on_the_page(car):
    page, results = loaded(car[0])[PAGE], car[1]
    loads = results.base.loads
    rows = {row[0]: row[1:] for row in page.iter_rows(min_row=5, min_col=8, max_col=12, values_only=True) if row[0]}
    assert rows["Wheel loads, N"] == ("FL", "FR", "RL", "RR")
    for number, case in enumerate(loads.cases[:8]):
        carried = [loads.column(f"{each}.fz")[number] for each in rows["Wheel loads, N"]]
        if np.isfinite(carried).all():
            assert rows[case.name] == pytest.approx(carried)
        else:
            assert case.name not in rows


def test_load_transfer_at_one_g_stands_by_both_methods_beside_each_other(tmp_path):
    path = car_book(tmp_path / "turn.xlsx")
    book = openpyxl.load_workbook(path)
    cases = book.create_sheet("Load cases")
    cases.append(("name", "ay"))
    cases.append(("turn", 1.0))
    book.save(path)
    run_suspension(path).save()
    page = loaded_sheet(path, PAGE)
    rows = [[cell.value for cell in row] for row in page.iter_rows()]
    at = next(k for k, row in enumerate(rows) if "transfer at 1 g, linear" in row)
    place = rows[at].index("transfer at 1 g, linear")
    parts = [row[place].strip() for row in rows[at + 1 : at + 5]]
    assert parts == ["geometric part", "elastic part", "unsprung part", "by equilibrium"]
    linear, equilibrium = ([row[place + 2], row[place + 3]] for row in (rows[at], rows[at + 4]))
    shares = np.array([[row[place + 2], row[place + 3]] for row in rows[at + 1 : at + 4]])
    assert shares.sum(axis=0) == pytest.approx(linear, rel=1e-12), "its parts add up"
    _, columns = load_columns(path)
    moved = [0.5 * (columns[f"{side}R.fz"][0] - columns[f"{side}L.fz"][0]) for side in "FR"]
    assert equilibrium == pytest.approx(moved, rel=1e-9)
    assert equilibrium == pytest.approx(linear, rel=0.15)
    assert equilibrium != pytest.approx(linear, rel=1e-4)
