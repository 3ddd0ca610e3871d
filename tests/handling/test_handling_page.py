"""The sheets of handling: the printed page with its charts and targets, the sheets of rows, and that of metrics."""

from __future__ import annotations

import numpy as np
import openpyxl
import pytest

from sheetmbs.suspension.handling.envelope_surface import BACK_ACROSS, BACK_UPWARD
from sheetmbs.suspension.handling.handling_metrics import METRICS
from sheetmbs.suspension.run_suspension import run_suspension
from tests.support.handling_books import (
    FRONT_ARM,
    FRONT_STIFFNESS,
    LENGTH,
    MASS,
    REAR_ARM,
    REAR_STIFFNESS,
    handled,
    read_off,
    single_track_book,
    student_book,
)

HEADS = (
    *("name", "type", "speed", "radius", "rack", "beta_from", "beta_to", "beta_step"),
    *("rack_from", "rack_to", "rack_step", "ay_from", "ay_to", "ay_step"),
)
ROWS = (
    HEADS,
    ("d", "yaw moment", "60; 90 km/h", None, None, "-4 deg", "4 deg", "2 deg", "-20 mm", "20 mm", "10 mm"),
    ("c", "circle", None, "15 m"),
    ("v", "circle", "60; 90 km/h"),
    ("gg", "g-g", "60; 90 km/h", *[None] * 8, -0.8, 0.8, 0.4),
)
TARGETS = (
    ("metric", "sweep", "min", "max"),
    ("max_trimmed_ay", "d", 0.5, None),
    ("understeer_gradient", "c", None, "-9 deg/g"),
    ("FL.camber", None, "-9 deg", None),
)
STIFF = (
    ("name", "axle", "kind", "k", "design"),
    ("spring", "front", "spring", "35 N/mm", None),
    ("spring", "rear", "spring", "40 N/mm", None),
    ("bar", "front", "U bar", "200 N*m/rad", None),
    ("bar", "rear", "U bar", "120 N*m/rad", None),
    ("bar", "front", "U bar", "900 N*m/rad", "stiff"),
)


def solved(path, **others):
    return run_suspension(student_book(path, (), others={"Handling": ROWS, "Targets": TARGETS, **others}))


@pytest.fixture(scope="module")
def results(tmp_path_factory):
    return solved(tmp_path_factory.mktemp("books") / "car.xlsx")


@pytest.fixture(scope="module")
def page(results):
    (found,) = [each for each in results.sheets.pages if each.name == "mbs Handling"]
    return found


def rows_of(page):
    """Rows of the table: what stands in each, by column."""
    last = page.paper.areas[0][3]
    found = {}
    for cell in page.cells:
        if cell.column <= last:
            found.setdefault(cell.row, {})[cell.column] = cell
    return [found[row] for row in sorted(found)]


def numbers_of(page, name):
    (column,) = [each for each in page.columns if f"{page.name}!{each.name}" == name]
    return column.data


def chart(page, title):
    (found,) = [each for each in page.charts if each.title == title]
    return found


def test_the_page_is_one_sheet_of_paper_with_the_numbers_beside_it(page):
    ((_top, _left, bottom, right),) = page.paper.areas
    assert (page.paper.one, page.paper.upright) == (True, True)
    assert all(chart.box[3] <= right and chart.box[2] <= bottom for chart in page.charts)
    assert all(column.column > right for column in page.columns)
    boxes = [chart.box for chart in page.charts]
    for number, one in enumerate(boxes):
        for other in boxes[number + 1 :]:
            assert one[2] < other[0] or other[2] < one[0] or one[3] < other[1] or other[3] < one[1], "charts overlap"


def test_diagrams_have_both_families_of_lines_with_their_values_at_the_ends(results, page):
    drawn = chart(page, "d: yaw moment at 60 km/h")
    named = [line.name for line in drawn.lines if line.is_named]
    assert named == ["constant beta \N{GREEK SMALL LETTER BETA}", "constant steer \N{GREEK SMALL LETTER DELTA}"]
    lines = [line for line in drawn.lines if not line.notes]
    assert len(lines) == 5 + 5
    ends = [line for line in drawn.lines if line.notes]
    assert [line.width for line in ends] == [0.0, 0.0]
    assert "\N{GREEK SMALL LETTER BETA} +4.0\N{DEGREE SIGN}" in ends[0].notes
    table = next(table for table in results.sheets.tables if table.name == "mbs Handling d")
    values = dict(zip(table.columns, table.values.T, strict=True))
    first = (values["speed"] < 20.0) & (values["beta"] == np.min(values["beta"]))
    assert numbers_of(page, lines[0].x) == pytest.approx(values["ay_g"][first], abs=1e-12, nan_ok=True)
    assert numbers_of(page, lines[0].y) == pytest.approx(values["CN"][first], abs=1e-12, nan_ok=True)
    assert chart(page, "d: yaw moment at 90 km/h").lines[0].x != lines[0].x


def test_an_envelope_is_one_closed_curve_for_each_speed_in_one_scale(page):
    drawn = chart(page, "gg: g-g")
    assert drawn.is_true
    assert [line.name for line in drawn.lines] == ["60 km/h", "90 km/h"]
    for line in drawn.lines:
        x, y = numbers_of(page, line.x), numbers_of(page, line.y)
        assert (x[0], y[0]) == (x[-1], y[-1])
        assert np.nanmax(y) > 0.0 > np.nanmin(y)


def test_the_surface_of_an_envelope_is_its_rings_one_over_the_other(results):
    (own,) = [each for each in results.base.handling.found if each.row.type == "g-g" and each.surface]
    rings = [each for each in own.surface if each.family == "constant speed"]
    assert len(rings) == len(own.curves)
    level = [float(np.nanmean(ring.y - BACK_UPWARD * flat.y)) for ring, flat in zip(rings, own.curves, strict=True)]
    assert level[0] == pytest.approx(0.0, abs=1e-12)
    assert np.all(np.diff(level) > 0.0)
    for ring, flat, up in zip(rings, own.curves, level, strict=True):
        ax = (ring.y - up) / BACK_UPWARD
        assert ax == pytest.approx(flat.y)
        assert ring.x - BACK_ACROSS * ax == pytest.approx(flat.x)
    ribs = [each for each in own.surface if each.family != "constant speed"]
    assert all(len(rib.x) == len(rings) for rib in ribs)


def test_slow_circles_to_both_sides_are_not_joined_by_a_line(page):
    (line,) = [line for line in chart(page, "c: circle").lines if not line.notes]
    ay, steer = numbers_of(page, line.x), numbers_of(page, line.y)
    (gap,) = np.flatnonzero(np.isnan(ay))
    assert steer[gap - 1] < 0.0 < steer[gap + 1]
    for line in chart(page, "v: circle").lines[:2]:
        assert np.isfinite(numbers_of(page, line.x)).all()


def test_the_table_has_every_metric_with_its_target(results, page):
    rows = rows_of(page)
    found = {each.row.name: each for each in results.base.handling.found}
    speed = 60.0 / 3.6
    at = next(n for n, row in enumerate(rows) if row[1].value == "d (yaw moment)")
    (line,) = [row for row in rows[at : at + 20] if row[1].value == "largest trimmed ay/g"]
    assert line[3].value == read_off(found["d"], "max_trimmed_ay", speed)
    assert line[4].value == read_off(found["d"], "max_trimmed_ay_right", speed)
    assert line[5].value == read_off(found["d"], "max_trimmed_ay", 90.0 / 3.6)
    assert (line[9].value, line[10].value, line[10].look) == ("at least 0.5", "\N{CHECK MARK}", "page met")
    heads = [[row[column].value for column in range(3, 9)] for row in rows[at : at + 2]]
    assert heads[0] == ["60 km/h", "", "90 km/h", "", "", ""]
    assert heads[1][:4] == ["left", "right", "left", "right"]
    at = next(n for n, row in enumerate(rows) if row[1].value == "c (circle)")
    gradient = rows[at + 1]
    assert gradient[1].value == "understeer gradient"
    assert (gradient[9].value, gradient[10].look) == ("at most -9", "page missed")
    shown = {row[3].value for row in rows if 3 in row}
    for each in results.base.handling.found:
        for one in each.read_offs:
            is_left = not any(turn in one.metric for turn in ("_right", "_difference"))
            if is_left and one.speed in (None, speed):
                assert one.value in shown, (each.row.name, one.metric)


@pytest.mark.nightly
def test_a_second_design_lies_over_the_first_in_its_colour(tmp_path):
    designs = {"Designs": [("name",), ("stiff",)], "Suspension springs": STIFF}
    found = solved(tmp_path / "car.xlsx", **designs)
    (page,) = [each for each in found.sheets.pages if each.name == "mbs Handling"]
    drawn = chart(page, "v: circle")
    assert {line.name for line in drawn.lines if line.is_named} == {"base: steer input", "stiff: steer input"}
    assert len({line.color for line in drawn.lines}) == 2
    rows = rows_of(page)
    at = next(n for n, row in enumerate(rows) if row[1].value == "c (circle)")
    assert [rows[at][column].value for column in range(3, 7)] == ["base", "", "stiff", ""]
    assert rows[at + 2][3].value != rows[at + 2][5].value, "the bar changes the gradient"
    table = next(table for table in found.sheets.tables if table.name == "mbs Handling d")
    both = dict(zip(table.columns, table.values.T, strict=True))
    assert both["stiff/beta"] == pytest.approx(both["beta"])
    known = np.isfinite(both["stiff/roll"]) & np.isfinite(both["roll"])
    assert np.max(np.abs(both["stiff/roll"][known])) < 0.9 * np.max(np.abs(both["roll"][known]))
    for (
        own
    ) in found.base.handling.found:  # the other design stands beside the first on the same rows, whatever their type
        table = next(table for table in found.sheets.tables if table.name == own.table.name)
        both = dict(zip(table.columns, table.values.T, strict=True))
        ay = "ay_g" if "ay_g" in both else "speed"
        assert np.isfinite(both[f"stiff/{ay}"]).sum() > 0.8 * np.isfinite(both[ay]).sum(), own.row.name
        if own.row.type == "circle":
            shared = np.isfinite(both["stiff/ay_g"])
            assert both["stiff/ay_g"][shared] == pytest.approx(both["ay_g"][shared], abs=1e-4)
    metrics = next(table for table in found.sheets.tables if table.name == "mbs Handling Metrics")
    assert set(metrics.texts[2].texts) == {"", "stiff"}


def test_the_sheets_have_units_notes_and_formats(results, tmp_path):
    results.save(tmp_path / "out.xlsx")
    book = openpyxl.load_workbook(tmp_path / "out.xlsx")
    names = book.sheetnames
    assert {"mbs Handling", "mbs Handling d", "mbs Handling c", "mbs Handling gg", "mbs Handling Metrics"} <= set(names)
    sheet = book["mbs Handling d"]
    heads = {cell.value: cell for cell in sheet[1]}
    assert "+ to the left" in heads["ay"].comment.text
    assert "slip angle" in heads["FL.alpha"].comment.text
    assert sheet.cell(2, heads["yaw_rate"].column).value == "deg/s"
    assert sheet.cell(3, heads["CN"].column).number_format.startswith("0.0")
    metrics = book["mbs Handling Metrics"]
    assert [cell.value for cell in metrics[1]] == ["row", "speed", "design", "metric", "value", "unit", "definition"]
    assert all(cell.comment for cell in metrics[1] if cell.value != "unit")
    told = {(row[0].value, row[3].value) for row in metrics.iter_rows(min_row=3)}
    assert {(name, "solve_time") for name in ("d", "c", "v", "gg")} <= told
    assert all(row[6].value for row in metrics.iter_rows(min_row=3)), "every metric has a definition"
    page = book["mbs Handling"]
    assert page.sheet_properties.pageSetUpPr.fitToPage
    assert page.page_setup.orientation == "portrait"


def test_a_circle_that_the_car_cannot_creep_round_is_a_row_with_its_reason(tmp_path):
    rows = [HEADS, ("tight", "circle", None, "0.6 m")]
    (found,) = solved(tmp_path / "car.xlsx", Handling=rows, Targets=[("metric",)]).base.handling.found
    why = found.table.texts[found.table.columns.index("why")].texts
    assert len(why) == len(found.table.values)
    assert METRICS["circle"].keys() >= {each.metric for each in found.read_offs}


def test_the_chart_of_a_circle_at_constant_steer_shows_its_curvature(tmp_path):
    row = ("fixed", "circle", None, None, "4 mm", *6 * (None,))
    found = handled(single_track_book(tmp_path / "car.xlsx", [row], friction=1.2))["fixed"]
    (curve,) = found.curves
    is_left = curve.x > 0.0
    assert found.axes == ("ay/g", "curvature [1/m]")
    # a single-track car at constant steer: L/R = steer - K ay, level where it is neutral
    gradient = MASS * 9.81 / LENGTH * (REAR_ARM / FRONT_STIFFNESS - FRONT_ARM / REAR_STIFFNESS)
    slope = np.polyfit(curve.x[is_left][:4], curve.y[is_left][:4] * LENGTH, 1)[0]
    assert slope == pytest.approx(-gradient, rel=0.05)
