"""Charts show the columns they name, at true shape where that means something, and never lie over each other."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import openpyxl
import pytest
import xlsxwriter
from lxml import etree
from openpyxl.utils import range_boundaries

from sheetmbs.model.model import Chart
from sheetmbs.schema.table import Table
from sheetmbs.workbook.charts import native_charts
from sheetmbs.workbook.charts.axes import axis_title, equal_scales, number_format, pretty_unit, round_tick, x_scale
from sheetmbs.workbook.charts.panels import MAX_LINES
from sheetmbs.workbook.sheets import sheetxml
from sheetmbs.workbook.sheets.sheet_contents import ResultSheets
from sheetmbs.workbook.writing.write import write_results
from tests.support.opened import sheet_values
from tests.support.sample_results import read_parts, slider_crank, table

C = "{http://schemas.openxmlformats.org/drawingml/2006/chart}"
A = "{http://schemas.openxmlformats.org/drawingml/2006/main}"
XDR = "{http://schemas.openxmlformats.org/drawingml/2006/spreadsheetDrawing}"

TIME = ("s", np.linspace(0.0, 1.0, 11))


@pytest.fixture
def book(tmp_path):
    path = tmp_path / "book.xlsx"
    with xlsxwriter.Workbook(path) as made:
        made.add_worksheet("Model")
    return path


def drawn(book: Path, *asked: Chart, results: ResultSheets | None = None) -> list[etree._Element]:
    """The charts of a workbook with these results, in their order."""
    results = results or slider_crank()
    write_results(book, None, replace(results, charts=asked or results.charts))
    parts = read_parts(book)
    names = [name for name in parts if re.fullmatch(r"xl/charts/chart\d+\.xml", name)]
    return [etree.fromstring(parts[name]) for name in sorted(names, key=lambda name: int(re.findall(r"\d+", name)[0]))]


def title(chart: etree._Element) -> str:
    return "".join(chart.find(f"{C}chart/{C}title").itertext(f"{A}t"))


def axis_titles(chart: etree._Element) -> list[str]:
    """Titles of the axes that are seen: across, left, right."""
    axes = [
        axis
        for axis in chart.iter(f"{C}valAx")
        if axis.find(f"{C}delete") is None or axis.find(f"{C}delete").get("val") != "1"
    ]
    return ["".join(axis.find(f"{C}title").itertext(f"{A}t")) for axis in axes]


def series_names(chart: etree._Element) -> list[str]:
    return [series.find(f"{C}tx//{C}v").text for series in chart.iter(f"{C}ser")]


def limits(axis: etree._Element) -> tuple[float, float, float]:
    scaling = axis.find(f"{C}scaling")
    ends = [float(scaling.find(f"{C}{end}").get("val")) for end in ("min", "max")]
    return (*ends, float(axis.find(f"{C}majorUnit").get("val")))


def cells(book: Path, reference: str) -> list[object]:
    """What stands in a range such as ``'mbs Bodies'!$B$3:$B$53``."""
    sheet, _, cell_range = reference.rpartition("!")
    left, top, right, bottom = range_boundaries(cell_range)
    page = openpyxl.load_workbook(book)[sheet.strip("'")]
    return [cell.value for [cell] in page.iter_rows(top, bottom, left, right)]


def notes(book: Path) -> list[str]:
    rows = sheet_values(book, "mbs Charts")[1:]
    return [row[0] for row in rows if row[0]]


def test_every_series_refers_to_the_cells_of_its_columns_and_holds_the_same_numbers(book):
    results = slider_crank()
    asked = results.charts
    values = {name: table.values[:, place] for table in results.tables for place, name in enumerate(table.columns)}
    for wanted, chart in zip(asked, drawn(book), strict=True):
        assert title(chart) == wanted.title
        assert series_names(chart) == list(wanted.y)
        for name, series in zip(wanted.y, chart.iter(f"{C}ser"), strict=True):
            assert cells(book, series.find(f"{C}tx//{C}f").text) == [name]
            for part, column in (("xVal", wanted.x), ("yVal", name)):
                reference = series.find(f"{C}{part}/{C}numRef")
                assert cells(book, reference.find(f"{C}f").text) == values[column].tolist()
                cache = reference.find(f"{C}numCache")
                assert cache.find(f"{C}ptCount").get("val") == str(len(values[column]))
                held = [float(point.find(f"{C}v").text) for point in cache.iter(f"{C}pt")]
                np.testing.assert_allclose(held, values[column], rtol=1e-8)


def test_lines_are_straight_and_have_no_markers(book):
    for chart in drawn(book):
        assert {smooth.get("val") for smooth in chart.iter(f"{C}smooth")} <= {"0"}
        assert {symbol.get("val") for symbol in chart.iter(f"{C}symbol")} == {"none"}


def test_a_single_row_is_drawn_as_points(book):
    [chart] = drawn(book, Chart("Equilibrium", "time", ("pin.i.fx",)), results=one_row())
    assert {symbol.get("val") for symbol in chart.iter(f"{C}symbol")} == {"circle"}


def one_row() -> ResultSheets:
    columns = {"time": ("s", np.zeros(1)), "pin.i.fx": ("N", np.array([3.0])), "pin.x": ("m", np.array([1.0]))}
    return ResultSheets((), (table("mbs Joints", columns),))


def test_a_path_of_one_point_needs_no_scale(book):
    [chart] = drawn(book, Chart("Path", "pin.x", ("pin.x",), "xy"), results=one_row())
    assert series_names(chart) == ["pin.x"]


def test_charts_stand_on_a_grid_without_overlap_and_below_the_notes(book):
    asked = [Chart(f"Chart {number}", "time", ("pin.i.fx",)) for number in range(7)]
    drawn(book, *asked, Chart("Gone", "time", ("nothing",)))
    [name] = [name for name in read_parts(book) if re.fullmatch(r"xl/drawings/drawing\d+\.xml", name)]
    drawing = etree.fromstring(read_parts(book)[name])
    boxes = []
    for anchor in drawing.iter(f"{XDR}absoluteAnchor"):
        at, size = anchor.find(f"{XDR}pos"), anchor.find(f"{XDR}ext")
        x, y, wide, high = (int(e.get(a)) for e, a in ((at, "x"), (at, "y"), (size, "cx"), (size, "cy")))
        boxes.append((x, y, x + wide, y + high))
    assert len(boxes) == 7
    for place, (left, top, right, bottom) in enumerate(boxes):
        for other in boxes[:place]:
            assert left >= other[2] or right <= other[0] or top >= other[3] or bottom <= other[1]
    sheet = openpyxl.load_workbook(book)["mbs Charts"]
    text_rows = [row for row in range(1, sheet.max_row + 1) if sheet.cell(row, 1).value]
    assert min(top for _, top, _, _ in boxes) >= sum(sheet.row_dimensions[row].height for row in text_rows) * 12_700


def test_pages_end_between_charts(book):
    asked = [Chart(f"Chart {number}", "time", ("pin.i.fx",)) for number in range(10)]
    drawn(book, *asked)
    [name] = [name for name in read_parts(book) if re.fullmatch(r"xl/drawings/drawing\d+\.xml", name)]
    tops = {int(e.get("y")) for e in etree.fromstring(read_parts(book)[name]).iter(f"{XDR}pos")}
    sheet = openpyxl.load_workbook(book)["mbs Charts"]
    for page_break in sheet.row_breaks.brk:
        height = sum(sheet.row_dimensions[row].height or 15 for row in range(1, page_break.id + 1)) * 12_700
        assert not any(top < height < top + native_charts.HEIGHT * native_charts.EMU for top in tops)
    assert len(sheet.row_breaks.brk) == 2


def test_a_path_is_drawn_at_its_true_shape(book):
    chart = drawn(book)[0]
    assert title(chart) == "Path of rod"
    across, up = chart.iter(f"{C}valAx")
    layout = chart.find(f"{C}chart/{C}plotArea/{C}layout/{C}manualLayout")
    wide, high = (float(layout.find(f"{C}{side}").get("val")) for side in ("w", "h"))
    (x0, x1, tick_x), (y0, y1, tick_y) = limits(across), limits(up)
    assert wide * native_charts.WIDTH / (x1 - x0) == pytest.approx(high * native_charts.HEIGHT / (y1 - y0), rel=1e-6)
    assert tick_x == tick_y
    bodies = slider_crank().tables[0]
    x, y = (bodies.values[:, bodies.columns.index(name)] for name in ("rod.x", "rod.y"))
    assert x0 <= x.min() < x.max() <= x1
    assert y0 <= y.min() < y.max() <= y1


def test_over_columns_of_different_units_no_shape_is_true(book):
    [chart] = drawn(book, Chart("Phase", "slider.x", ("slider.vx",), "xy"))
    assert chart.find(f"{C}chart/{C}plotArea/{C}layout/{C}manualLayout") is None


@pytest.mark.parametrize("size", [(1.0, 1.0), (1e-6, 3e-6), (250.0, 0.0), (0.0, 8e4), (1.0, 400.0), (7.0, 0.01)])
@pytest.mark.parametrize("centre", [(0.0, 0.0), (1.0, -30.0), (1e3, 1e3)])
def test_equal_scales_hold_the_path_between_round_ticks(size, centre):
    phi = np.linspace(0, 2 * np.pi, 40)
    x, y = centre[0] + size[0] * np.cos(phi), centre[1] + size[1] * np.sin(phi)
    scales = equal_scales(x, y, 515.0, 253.0)
    assert scales is not None
    for scale, values in zip(scales, (x, y), strict=True):
        assert scale.first <= values.min() <= values.max() <= scale.last
        for end in (scale.first, scale.last):
            assert end / scale.tick == pytest.approx(round(end / scale.tick), abs=1e-6)
        assert 1 <= scale.ticks <= 16
    assert scales[0].tick == scales[1].tick
    lengths = [scale.last - scale.first for scale in scales]
    used = max(lengths[0] / 515.0, lengths[1] / 253.0)
    assert lengths[0] / used > 0.7 * 515.0
    assert lengths[1] / used > 0.5 * 253.0


@pytest.mark.parametrize("aspect", [0.2, 0.5, 1.0, 2.0])
def test_a_path_fills_most_of_its_chart_whatever_its_size(aspect):
    for size in np.geomspace(1.0, 10.0, 60):
        x, y = (np.array([-0.5, 0.5]) * length for length in (size, size * aspect))
        across, upwards = equal_scales(x, y, 515.0, 253.0)
        tick = min(515.0 / across.ticks, 253.0 / upwards.ticks) / across.tick
        assert max(size * tick / 515.0, size * aspect * tick / 253.0) > 0.55
        assert across.ticks <= 14


def test_a_second_unit_has_an_axis_of_its_own_over_the_same_times(book):
    [chart] = drawn(book, Chart("Both", "time", ("pin.i.fx", "motor.moment")))
    assert axis_titles(chart) == ["time [s]", "pin.i.fx [N]", "motor.moment [N·m]"]
    assert len(list(chart.iter(f"{C}scatterChart"))) == 2
    across = [axis for axis in chart.iter(f"{C}valAx") if axis.find(f"{C}axPos").get("val") in "bt"]
    assert len({limits(axis) for axis in across}) == 1


def test_further_units_go_on_in_a_chart_whose_title_names_them(book):
    asked = Chart("All", "time", ("pin.i.fx", "motor.moment", "slider.x", "pin.i.fy", "motor.power"))
    first, second = drawn(book, asked)
    assert (title(first), title(second)) == ("All", "All [mm, W]")
    assert series_names(first) == ["pin.i.fx", "pin.i.fy", "motor.moment"]
    assert series_names(second) == ["slider.x", "motor.power"]


def test_only_charts_of_several_lines_have_a_legend(book):
    for chart in drawn(book):
        assert (chart.find(f"{C}chart/{C}legend") is not None) == (len(series_names(chart)) > 1)


def test_lines_of_one_chart_differ_in_colour_or_dash(book):
    columns = {"time": TIME} | {f"b{number}.x": ("m", np.arange(11.0)) for number in range(20)}
    results = ResultSheets((), (table("mbs Bodies", columns),))
    [chart] = drawn(book, Chart("Many", "time", tuple(columns)[1:]), results=results)
    looks = []
    for series in chart.iter(f"{C}ser"):
        line = series.find(f"{C}spPr/{A}ln")
        dash = line.find(f"{A}prstDash")
        looks.append(
            (line.find(f"{A}solidFill/{A}srgbClr").get("val"), dash.get("val") if dash is not None else "solid")
        )
    assert len(set(looks)) == 20
    assert chart.find(f"{C}chart/{C}legend/{C}legendPos").get("val") == "b"


def test_a_time_axis_ends_with_the_last_row(book):
    [chart] = drawn(book, Chart("Force", "time", ("pin.i.fx",)))
    assert limits(next(chart.iter(f"{C}valAx"))) == pytest.approx((0.0, 0.4, 0.05))


def test_axes_stand_at_the_left_and_their_numbers_at_the_rim(book):
    for chart in drawn(book):
        across, up = list(chart.iter(f"{C}valAx"))[:2]
        assert up.find(f"{C}crosses").get("val") == "min"
        assert {axis.find(f"{C}tickLblPos").get("val") for axis in (across, up)} == {"low"}


def test_what_is_not_known_is_a_gap(book):
    values = np.array([1.0, np.nan, 3.0] + 8 * [np.inf])
    results = ResultSheets((), (table("mbs Bodies", {"time": TIME, "a.x": ("m", values)}),))
    [chart] = drawn(book, Chart("Gap", "time", ("a.x",)), results=results)
    cache = chart.find(f".//{C}yVal//{C}numCache")
    assert [(point.get("idx"), point.find(f"{C}v").text) for point in cache.iter(f"{C}pt")] == [("0", "1"), ("2", "3")]
    assert (
        chart.find(f"{C}chart/{C}dispBlanksAs") is None or chart.find(f"{C}chart/{C}dispBlanksAs").get("val") == "gap"
    )


def test_a_chart_of_columns_that_do_not_exist_is_said_not_drawn(book):
    asked = (
        Chart("Gone", "time", ("nothing.x",)),
        Chart("Half", "time", ("pin.i.fx", "gone.fx")),
        Chart("X", "no.x", ("rod.y",)),
    )
    [chart] = drawn(book, *asked)
    assert series_names(chart) == ["pin.i.fx"]
    said = notes(book)
    assert "One chart" in said[0]
    assert all(any(word in line for line in said[1:]) for word in ("nothing.x", "gone.fx", "no.x"))


def test_columns_of_different_length_are_not_drawn_over_each_other(book):
    short = table("mbs Modes", {"mode": ("", np.array([1.0, 2.0])), "frequency": ("Hz", np.array([3.0, 4.0]))})
    results = slider_crank()
    results = replace(results, tables=(*results.tables, short))
    [chart] = drawn(book, Chart("Mixed", "rod.x", ("rod.y", "frequency")), results=results)
    assert series_names(chart) == ["rod.y"]
    assert any("frequency" in line for line in notes(book))


def test_bars_stand_over_numbers_of_modes(book):
    modes = table(
        "mbs Modes",
        {"mode": ("", np.array([1.0, 2.0])), "frequency": ("Hz", np.array([3.0, 4.0])), "rod.x": ("m", np.ones(2))},
    )
    results = slider_crank()
    results = replace(results, tables=(*results.tables, modes))
    asked = Chart("Frequencies", "mode", ("frequency",), "bar"), Chart("Shapes", "mode", ("mbs Modes!rod.x",), "bar")
    frequencies, shapes = drawn(book, *asked, results=results)
    bars = frequencies.find(f".//{C}barChart")
    assert cells(book, bars.find(f".//{C}cat//{C}f").text) == [1, 2]
    assert cells(book, bars.find(f".//{C}val//{C}f").text) == [3, 4]
    assert "mbs Modes" in shapes.find(f".//{C}val//{C}f").text


@pytest.mark.parametrize("text", ["Bump!A1", "=Bump!A1", "=1+1", "Look! B2!C3", "Model!$A$1:$B$2", "a=b!"])
def test_titles_that_look_like_references_are_texts(book, text):
    results = with_column(slider_crank(), text)
    [chart] = drawn(book, Chart(text, "time", (text,)), results=results)
    assert title(chart) == text
    assert axis_titles(chart) == ["time [s]", f"{text} [m]"]
    assert series_names(chart) == [text]
    assert all(f.text.startswith("'mbs Bodies'!") for f in chart.iter(f"{C}f"))


def with_column(results: ResultSheets, name: str, values: np.ndarray | None = None) -> ResultSheets:
    """The results with one more column of the bodies."""
    first, *others = results.tables
    held = np.column_stack([first.values, np.arange(len(first.values)) if values is None else values])
    table = Table(first.name, (*first.columns, name), (*first.units, "m"), held)
    return replace(results, tables=(table, *others))


def test_a_chart_of_more_lines_than_excel_draws_says_how_many_are_left_out(book):
    time = TIME[1]
    many = {"time": TIME} | {f"link{n}.x": ("m", n * time) for n in range(1, 301)}
    results = replace(slider_crank(), tables=(table("mbs Bodies", many),))
    [chart] = drawn(book, Chart("All", "time", tuple(many)[1:]), results=results)
    assert len(series_names(chart)) == MAX_LINES < 255
    assert any("50 more" in line for line in notes(book))


@pytest.mark.parametrize("values", [[-1.7e308, 1.7e308], [0.0, 1.7e308], [0.0, 1e-320], [0.0, 1e-300], [1e300, np.inf]])
def test_numbers_beyond_all_ticks_leave_the_scales_to_programs(book, values):
    ends = np.interp(np.arange(51), [0, 50], [0, 1]) > 0.5
    results = with_column(slider_crank(), "far", np.where(ends, *values))
    asked = (
        Chart("Path", "far", ("rod.x",), "xy"),
        Chart("Line", "time", ("far",)),
        Chart("Over", "far", ("crank.phi",)),
    )
    for chart in drawn(book, *asked, results=results):
        scales = [float(end.get("val")) for end in chart.iter(f"{C}min", f"{C}max", f"{C}majorUnit")]
        assert np.isfinite(scales).all()


def test_x_may_come_from_another_sheet(book):
    [chart] = drawn(book, Chart("Moment", "crank.phi", ("motor.moment",)))
    assert "mbs Bodies" in chart.find(f".//{C}xVal//{C}f").text
    assert "mbs Drivers" in chart.find(f".//{C}yVal//{C}f").text
    assert axis_titles(chart) == ["crank.phi [deg]", "motor.moment [N·m]"]


def test_a_column_on_a_further_sheet_is_drawn_from_there(book, monkeypatch):
    monkeypatch.setattr(sheetxml, "COLUMNS", 3)
    columns = {"time": TIME} | {f"b{number}.x": ("m", np.arange(11.0) * number) for number in range(1, 5)}
    results = ResultSheets((), (table("mbs Bodies", columns),))
    [chart] = drawn(book, Chart("Last", "time", ("b4.x",)), results=results)
    assert cells(book, chart.find(f".//{C}ser/{C}tx//{C}f").text) == ["b4.x"]
    assert cells(book, chart.find(f".//{C}yVal//{C}f").text) == (np.arange(11.0) * 4).tolist()


@pytest.mark.parametrize("noise", [(0.0, 1e-17, 2e-17), (-3e-18, 0.0, 1e-17), (-2e-16, -1e-16, -1e-18)])
def test_a_path_along_one_axis_shows_rounding_across_it_as_none(book, noise):
    numbers = np.array([(0, 1, 2), (0.3, 0.4, 0.5), noise]).T
    results = ResultSheets((), (Table("mbs Bodies", ("time", "b.x", "b.y"), ("s", "m", "m"), numbers),))
    [chart] = drawn(book, Chart("Path", "b.x", ("b.y",), "xy"), results=results)
    axes = list(chart.iter(f"{C}valAx"))
    across, up = sorted(axes, key=lambda axis: axis.find(f"{C}axPos").get("val"))
    assert across.find(f"{C}numFmt").get("formatCode") == up.find(f"{C}numFmt").get("formatCode") == "#,##0.00"
    low, high = (float(up.find(f"{C}scaling/{C}{end}").get("val")) for end in ("min", "max"))
    assert low == -high < 0


def test_numbers_that_a_chart_holds_have_no_text_between_them(book):
    for chart in drawn(book):
        for held in chart.iter(f"{C}numCache"):
            assert not (held.text or "").strip()
            assert not any((point.tail or "").strip() for point in held)


@pytest.mark.parametrize("text", ["=1+1", "a<b>&\"c'", "bell\x07", ""])
def test_any_title_is_text(book, text):
    [chart] = drawn(book, Chart(text, "time", ("pin.i.fx",)))
    assert chart.find(f"{C}chart/{C}title//{C}f") is None
    if text:
        assert title(chart).strip() == text.replace("\x07", "")


def test_results_without_charts_have_no_sheet_of_charts(book):
    write_results(book, None, replace(slider_crank(), charts=()))
    assert "mbs Charts" not in openpyxl.load_workbook(book).sheetnames


@pytest.mark.parametrize(
    ("columns", "unit", "shown"),
    [
        (["crank.x"], "mm", "crank.x [mm]"),
        (["A.i.fx", "A.i.fy"], "N", "A.i [N]"),
        (["crank.phi", "rod.phi"], "rad", "phi [rad]"),
        (["kinetic_energy", "total_energy"], "J", "energy [J]"),
        (["motor.power", "lift"], "W", "power [W]"),
        (["a.omega", "b.rate"], "rad/s", "angular velocity [rad/s]"),
        (["a.q1", "b.q2"], "furlong", "[furlong]"),
        (["position_violation", "velocity_violation"], "", "violation"),
        (["a.x", "b.y"], "", "value"),
        (["a.x", "a.x"], "m/s^2", "a.x [m/s²]"),
    ],
)
def test_an_axis_is_called_what_its_columns_have_in_common(columns, unit, shown):
    assert axis_title(columns, unit) == shown


@pytest.mark.parametrize(
    ("unit", "shown"), [("N*m", "N·m"), ("m/s^2", "m/s²"), ("kg*m^2/s", "kg·m²/s"), ("s^-1", "s⁻¹"), ("", "")]
)
def test_units_are_set_as_in_print(unit, shown):
    assert pretty_unit(unit) == shown


@pytest.mark.parametrize(
    ("values", "shown"),
    [
        ([0, 1e-12], "0.0E+00"),
        ([0, 5e7], "0.0E+00"),
        ([0, 30_000], "#,##0"),
        ([-1.5, 1.5], "#,##0.0"),
        ([0, 0.05], "#,##0.000"),
        ([7.0, 7.0], "General"),
        ([0.0, 0.0], "General"),
        ([np.nan], "General"),
    ],
)
def test_ticks_have_the_decimals_they_need(values, shown):
    assert number_format(np.array(values, float)) == shown


@pytest.mark.parametrize(
    ("length", "tick"), [(1.0, 1.0), (1.01, 2.0), (2.1, 5.0), (6.0, 10.0), (0.03, 0.05), (300.0, 500.0)]
)
def test_ticks_are_one_two_or_five_times_a_power_of_ten(length, tick):
    assert round_tick(length) == tick


def test_an_axis_without_extent_is_left_to_the_program():
    assert x_scale(np.array([2.0, 2.0]), is_time=True) is None
    assert x_scale(np.array([np.nan]), is_time=False) is None
    assert equal_scales(np.ones(3), np.ones(3), 1.0, 1.0) is None
    assert equal_scales(np.full(3, np.nan), np.ones(3), 1.0, 1.0) is None
