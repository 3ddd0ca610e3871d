"""The report of gait draws what stands on the sheets, says what is positive, and leaves no frame empty."""

import re
import subprocess
from dataclasses import replace

import numpy as np
import openpyxl
import pytest
from lxml import etree
from openpyxl.utils import get_column_letter, range_boundaries

from sheetmbs.gait.run_gait import run_gait
from tests.gait.gait_courses import normal_band
from tests.gait.gait_pages_made import DOUBT, bands, shown, written
from tests.gait.gait_whole_books import whole_book
from tests.support import gait_walker as w
from tests.support.gait_books import Recording, gait_book, walker_sheets
from tests.support.sample_results import needs_libreoffice, read_parts

C = "{http://schemas.openxmlformats.org/drawingml/2006/chart}"
A = "{http://schemas.openxmlformats.org/drawingml/2006/main}"
PART = re.compile(r"/charts/chart([0-9]+)\.xml")
REPORT = "mbs Gait report"
SENSES = {
    "Hip angle": "Flexion (+) / extension (deg)",
    "Knee angle": "Flexion (+) / extension (deg)",
    "Ankle angle": "Dorsiflexion (+) / plantarflexion (deg)",
    "Hip moment": "Extensor (+) / flexor (N·m/kg)",
    "Knee moment": "Extensor (+) / flexor (N·m/kg)",
    "Ankle moment": "Plantarflexor (+) / dorsiflexor (N·m/kg)",
    "Hip power": "Generation (+) / absorption (W/kg)",
    "Knee power": "Generation (+) / absorption (W/kg)",
    "Ankle power": "Generation (+) / absorption (W/kg)",
}
GROUND = {
    "Ground force, vertical": "Up (+) / down (% body weight)",
    "Ground force, fore-aft": "Forward (+) / back (% body weight)",
}


def limping(**given):
    gait = shown(trials=3, limp=0.8, **given)
    return shown(trials=3, limp=0.8, bands=bands(gait), **given)


@pytest.fixture(scope="module")
def both(tmp_path_factory):
    gait = limping()
    path = written(tmp_path_factory.mktemp("report") / "both.xlsx", gait, (DOUBT,))
    return gait, path, openpyxl.load_workbook(path)


def charts(path):
    """All charts of courses, in the order in which they were drawn."""
    parts = {int(found[1]): xml for name, xml in read_parts(path).items() if (found := PART.search(name))}
    found = [etree.fromstring(parts[number]) for number in sorted(parts)]
    is_other = re.compile("[0-9]+ strides$")  # of mbs Gait consistency
    return [each for each in found if each.find(f".//{C}barChart") is None and not is_other.search(title(each))]


def title(chart):
    return "".join(chart.find(f"{C}chart/{C}title").itertext(f"{A}t"))


def upward(chart):
    return "".join(chart.find(f".//{C}valAx/{C}title").itertext(f"{A}t"))


def cells(book, reference):
    sheet, area = reference.replace("'", "").split("!")
    left, top, right, bottom = range_boundaries(area)
    assert left == right
    return [book[sheet].cell(row, left).value for row in range(top, bottom + 1)]


def drawn(series, book, part="val"):
    found = cells(book, series.findtext(f"{C}{part}/{C}numRef/{C}f"))
    return np.array([np.nan if value is None else value for value in found], float)


def cached(series, part="val"):
    cache = series.find(f"{C}{part}/{C}numRef/{C}numCache")
    values = np.full(int(cache.find(f"{C}ptCount").get("val")), np.nan)
    for point in cache.iter(f"{C}pt"):
        values[int(point.get("idx"))] = float(point.findtext(f"{C}v"))
    return values


def name(series):
    return series.findtext(f"{C}tx/{C}v") or "".join(series.find(f"{C}tx").itertext())


def is_mark(series):
    return series.find(f"{C}errBars") is not None


def events_of_others(series):
    return name(series).endswith("stride, other foot")


def words(book):
    return [str(cell.value) for row in book[REPORT].iter_rows() for cell in row if isinstance(cell.value, str)]


def test_each_chart_draws_what_stands_on_the_sheets(both):
    _, path, book = both
    for chart in charts(path):
        for series in chart.iter(f"{C}ser"):
            for part in ("val", "cat"):
                assert np.array_equal(drawn(series, book, part), cached(series, part), equal_nan=True)
            assert np.array_equal(drawn(series, book, "cat"), np.arange(101.0))


def test_no_line_has_a_single_point_and_only_events_are_marks(both):
    _, path, book = both
    for chart in charts(path):
        for series in chart.iter(f"{C}ser"):
            points = np.isfinite(drawn(series, book)).sum()
            assert points == (2 if events_of_others(series) else 1) if is_mark(series) else points > 2
            assert ("toe off" in name(series) or events_of_others(series)) == is_mark(series)


def test_the_first_page_has_three_by_three_charts_and_the_ground(both):
    _, path, _ = both
    titles = [title(chart) for chart in charts(path)]
    assert {each: titles.count(each) for each in titles} == (
        dict.fromkeys(SENSES, 3) | {"Ground force, vertical": 3, "Ground force, fore-aft": 1}
    )


def test_axes_name_the_positive_sense(both):
    for chart in charts(both[1]):
        assert upward(chart) == (SENSES | GROUND)[title(chart)]


def test_axes_of_external_moments_say_so(tmp_path):
    path = written(tmp_path / "external.xlsx", shown(trials=1, moment="external", moment_unit="N*m"))
    found = {title(chart): upward(chart) for chart in charts(path)}
    assert found["Ankle moment"] == "External plantarflexion (+) / dorsiflexion (N·m)"


def test_bands_are_two_stacked_areas_the_lower_of_which_is_not_seen(both):
    gait, path, book = both
    for chart in charts(path):
        areas = chart.findall(f".//{C}areaChart")
        if not areas:
            assert title(chart).startswith("Ground")
            continue
        (area,) = areas
        assert area.find(f"{C}grouping").get("val") == "stacked"
        low, width = area.findall(f"{C}ser")
        assert low.find(f"{C}spPr/{A}noFill") is not None
        assert width.find(f"{C}spPr/{A}solidFill") is not None
        assert np.nanmin(drawn(width, book)) >= 0.0
    first = next(chart for chart in charts(path) if title(chart) == "Knee angle")
    low, width = (drawn(series, book) for series in first.findall(f".//{C}areaChart/{C}ser"))
    band = next(each for each in gait.book.bands if each.quantity == "knee.angle")
    assert np.allclose(low, band.low, atol=1e-9)
    assert np.allclose(low + width, band.high, atol=1e-9)


def test_pages_of_sides_fill_one_standard_deviation_on_either_side_of_the_mean(both):
    gait, path, book = both
    for side in ("left", "right"):
        mean = gait.means[f"{side} knee", "moment"]
        found = [chart for chart in charts(path) if title(chart) == "Knee moment"]
        own = [chart for chart in found if f"{side} SD" in "".join(chart.itertext())]
        assert len(own) == 1
        low, width = (drawn(series, book) for series in own[0].findall(f".//{C}areaChart/{C}ser"))
        assert np.allclose(low, mean.mean - mean.sd, atol=1e-12)
        assert np.allclose(width, 2.0 * mean.sd, atol=1e-12)


def test_means_are_thick_and_thin_lines_stand_at_one_standard_deviation(both):
    gait, path, book = both
    chart = next(chart for chart in charts(path) if title(chart) == "Ankle angle")
    lines = {name(series): series for series in chart.findall(f".//{C}lineChart/{C}ser")}
    wide = {key: int(each.find(f"{C}spPr/{A}ln").get("w", 0)) for key, each in lines.items()}
    mean = gait.means["left ankle", "angle"]
    assert wide["left"] > 2 * wide["left ankle.angle.mean-sd"]
    assert np.allclose(drawn(lines["left"], book), mean.mean, equal_nan=True)
    assert np.allclose(drawn(lines["left ankle.angle.mean+sd"], book), mean.mean + mean.sd, equal_nan=True)
    colors = {key: each.find(f".//{A}srgbClr").get("val") for key, each in lines.items()}
    assert (colors["left"], colors["right"]) == ("C0392B", "1F5FBF")


def dash(series):
    found = series.find(f"{C}spPr/{A}ln/{A}prstDash")
    return "solid" if found is None else found.get("val")


def test_the_right_side_lies_dashed_over_the_left_one_and_alone_is_solid(both, tmp_path):
    first = {each: next(chart for chart in charts(both[1]) if title(chart) == each) for each in SENSES | GROUND}
    for chart in first.values():
        lines = [each for each in chart.findall(f".//{C}lineChart/{C}ser") if name(each) in ("left", "right")]
        assert [(name(each), dash(each)) for each in lines] == [("left", "solid"), ("right", "dash")]
    alone = written(tmp_path / "one.xlsx", shown(sides=("right",)))
    means = [each for chart in charts(alone) for each in chart.iter(f"{C}ser") if name(each) == "right"]
    assert {dash(each) for each in means} == {"solid"}


def test_a_standard_deviation_is_printed_of_three_values_or_more(tmp_path):
    gait = shown(trials=1, duration=3.0)
    book = openpyxl.load_workbook(written(tmp_path / "two.xlsx", gait))
    rows = [[cell.value for cell in row[16:26]] for row in book[REPORT].iter_rows()]
    times = {row[0]: row for row in rows if row[0] in ("stride time", "step time", "cadence")}
    assert len(times) == 3
    for row in times.values():
        assert all((row[3 + 2 * k] is None) == (row[6 + k] < 3) for k in (0, 1) if row[6 + k] is not None)
    on_summary = {row[:2]: row[4:6] for row in book["mbs Gait summary"].iter_rows(values_only=True)}
    assert any(n == 2 and sd is not None for sd, n in on_summary.values() if isinstance(n, int))


def test_toe_offs_are_ticks_at_the_foot_of_the_axis_and_events_of_the_other_side_short_ones(both):
    _, path, book = both
    for chart in charts(path):
        marks = [each for each in chart.iter(f"{C}ser") if is_mark(each)]
        assert {events_of_others(each) for each in marks} == {True, False}
        scale = chart.find(f".//{C}valAx/{C}scaling")
        first, last = (float(scale.find(f"{C}{end}").get("val")) for end in ("min", "max"))
        tall = {}
        for mark in marks:
            at = np.flatnonzero(np.isfinite(drawn(mark, book)))
            own, strike = 100.0 * (0.5 + w.DOUBLE_SUPPORT), 50.0
            wanted = [own - 50.0, strike] if events_of_others(mark) else [own]
            assert at == pytest.approx(wanted, abs=3.0)
            assert np.nanmax(drawn(mark, book)) == pytest.approx(first)
            assert mark.find(f"{C}errBars/{C}errBarType").get("val") == "plus"
            tall[events_of_others(mark)] = float(mark.find(f"{C}errBars/{C}val").get("val")) / (last - first)
        assert 0.0 < tall[True] < 0.6 * tall[False] < 0.1


def test_ticks_stand_every_20_percent_and_curves_begin_at_the_axis(both):
    for chart in charts(both[1]):
        across = chart.find(f".//{C}dateAx")
        assert across.find(f"{C}majorUnit").get("val") == "20"
        assert across.find(f"{C}auto").get("val") == "0"
        assert chart.find(f".//{C}valAx/{C}crossBetween").get("val") == "midCat"


@pytest.mark.parametrize(("points", "every"), [(201, "40"), (52, "51")])
def test_ticks_are_counted_where_steps_are_no_whole_percent(tmp_path, points, every):
    path = written(tmp_path / "steps.xlsx", shown(trials=1, points=points))
    for chart in charts(path):
        assert chart.find(f".//{C}catAx/{C}tickLblSkip").get("val") == every


def test_ground_forces_are_shares_of_the_bodys_weight(both):
    gait, path, book = both
    chart = next(chart for chart in charts(path) if title(chart) == "Ground force, vertical")
    line = next(each for each in chart.iter(f"{C}ser") if name(each) == "right")
    share = 100.0 * gait.means["right foot", "fy"].mean / (w.MASS * w.GRAVITY)
    assert np.allclose(drawn(line, book), share)
    assert 90.0 < np.nanmax(drawn(line, book)) < 160.0


def test_the_report_is_three_pages_and_the_columns_of_charts_are_not_printed(both):
    _, _, book = both
    sheet = book[REPORT]
    areas = sheet.print_area.replace("'", "").replace(f"{REPORT}!", "").split(",")
    assert len(areas) == 3
    assert sheet.page_setup.orientation == "landscape"
    assert sheet.sheet_properties.pageSetUpPr.fitToPage
    assert (sheet.page_setup.fitToWidth or 1, sheet.page_setup.fitToHeight) == (1, 0)
    assert "page &P of &N" in sheet.oddFooter.center.text
    last = max(range_boundaries(area)[2] for area in areas)
    heads = [sheet.cell(1, column).value for column in range(last + 2, sheet.max_column + 1)]
    assert heads[0] == "percent"
    assert any(head.startswith("right toe off") for head in heads)


def test_the_table_tells_times_of_both_sides(both):
    _, _, book = both
    rows = [[cell.value for cell in row[16:22]] for row in book[REPORT].iter_rows(max_row=20)]
    head = next(k for k, row in enumerate(rows) if row[0] == "Times and lengths")
    assert rows[head][2:] == ["left", "± SD", "right", "± SD"]
    of = {row[0]: row for row in rows[head + 1 :] if row[0]}
    assert of["stance"][2] == pytest.approx(62.0)
    assert of["cadence"][2] == pytest.approx(120.0 / w.PERIOD)


def test_times_and_lengths_stand_with_how_many_they_are_the_mean_of(both):
    gait, _, book = both
    rows = [[cell.value for cell in row[16:26]] for row in book[REPORT].iter_rows(max_row=20)]
    head = next(k for k, row in enumerate(rows) if row[0] == "Times and lengths")
    assert rows[head][6:8] == ["n L", "n R"]
    of = {row[0]: row for row in rows[head + 1 :] if row[0]}
    assert of["stride time"][6:8] == [len(gait.of_side("left")), len(gait.of_side("right"))]


def test_beside_each_peak_stands_how_far_it_hangs_on_what_was_chosen(tmp_path):
    settings = {"cutoff": 6, "force_cutoff": "same", "moment_unit": "N*m"}
    path = gait_book(tmp_path / "hangs.xlsx", walker_sheets(Recording(noise=0.001, settings=settings)))
    book = openpyxl.load_workbook(run_gait(path).save())
    table = list(book["mbs Gait quality"].iter_rows(values_only=True))
    first = next(k for k, row in enumerate(table) if row[0] == "Change of each peak")
    heads = table[first + 1]
    peaks = {row[:3]: dict(zip(heads, row, strict=True)) for row in table[first + 2 :]}
    rows = [[cell.value for cell in row[16:26]] for row in book[REPORT].iter_rows()]
    titles = [row[0].value for row in book[REPORT].iter_rows()]
    below = titles.index("Right side")
    knee = next(k for k, row in enumerate(rows) if k > below and row[0] == "Knee")
    assert rows[knee][6:] == ["1 Hz", "raw", "10 ms", "5 mm"]
    shown_ = next(row for row in rows[knee:] if row[0] == "moment, largest")
    found = peaks["moment max", "right", "knee"]
    pairs = (
        ("cut-off +1 Hz", "cut-off -1 Hz"),
        ("forces raw",),
        ("forces +10 ms", "forces -10 ms"),
        ("pressure +5 mm", "pressure -5 mm"),
    )
    exact = [max(abs(found[name]) for name in names) for names in pairs]
    assert shown_[6:] == pytest.approx(exact, abs=0.051)
    assert min(exact) > 0.1


def test_toe_offs_are_drawn_where_the_table_says_although_some_events_are_estimated(tmp_path):
    path = run_gait(gait_book(tmp_path / "three.xlsx", whole_book())).save()
    book = openpyxl.load_workbook(path)
    stance = next(row[18].value for row in book[REPORT].iter_rows(max_row=20) if row[16].value == "stance")
    assert stance == pytest.approx(100.0 * (0.5 + w.DOUBLE_SUPPORT), abs=2.0)
    for chart in charts(path):
        for mark in (each for each in chart.iter(f"{C}ser") if "toe off" in name(each)):
            (at,) = np.flatnonzero(np.isfinite(drawn(mark, book)))
            assert at == round(stance)


def test_one_problem_of_each_kind_is_told_before_more_of_the_same(tmp_path):
    many = [replace(DOUBT, cell=f"Processing!B{row}") for row in range(9, 18)]
    other = replace(DOUBT, code="long-gap", found="a gap of another kind")
    book = openpyxl.load_workbook(written(tmp_path / "many.xlsx", shown(), (*many, other)))
    said = words(book)
    assert any(text.startswith("a gap of another kind") for text in said)
    assert sum(text.startswith("cutoff: 3 Hz") for text in said) == 5
    assert "and 4 more on mbs Problems" in said


def test_a_problem_beside_its_cell_has_the_lines_that_it_needs_there(tmp_path):
    long = replace(DOUBT, problem="x" * 150)
    sheet = openpyxl.load_workbook(written(tmp_path / "long.xlsx", shown(), (long,)))[REPORT]
    row = next(cell.row for cells in sheet.iter_rows() for cell in cells if cell.value == "Processing!B9")
    assert len(sheet.cell(row, 6).value) < 205
    assert sheet.row_dimensions[row].height == 28.0


def test_what_is_told_of_the_subject_and_of_many_trials_has_the_lines_it_needs(tmp_path):
    plain, crowded = (
        openpyxl.load_workbook(written(tmp_path / f"{count}.xlsx", shown(trials=count)))[REPORT] for count in (2, 12)
    )
    one = plain.row_dimensions[3].height or plain.sheet_format.defaultRowHeight
    assert crowded.row_dimensions[3].height >= 1.8 * one
    told = "".join(str(crowded["A3"].value).split())
    assert all(f"walk{number:02}" in told for number in range(1, 13))


def test_each_printed_page_has_room_on_a_sheet_of_paper(both):
    """A4 across between the margins is 784 x 523 points; columns of text are 7 pixels a digit and 5 around it."""
    _, _, book = both
    sheet = book[REPORT]
    areas = sheet.print_area.replace("'", "").replace(f"{REPORT}!", "").split(",")
    for area in areas:
        left, top, right, bottom = range_boundaries(area.replace("$", ""))
        high = sum(sheet.row_dimensions[row].height or 15.0 for row in range(top, bottom + 1))
        columns = [get_column_letter(k) for k in range(left, right + 1)]
        wide = sum(0.75 * (7.0 * sheet.column_dimensions[each].width + 5.0) for each in columns)
        assert high / wide < 523.0 / 784.0


def test_method_source_of_the_band_and_doubts_stand_below(both):
    _, _, book = both
    said = words(book)
    assert any(text.startswith("Segments; 4th order zero-lag Butterworth, -3 dB at 6.00 Hz") for text in said)
    assert "Normal: two walkers of our own." in said
    assert "Processing!B9" in said
    link = next(cell for row in book[REPORT].iter_rows() for cell in row if cell.value == "Processing!B9")
    assert link.hyperlink.location.replace("'", "") == "Processing!B9"


def test_of_one_leg_there_is_nothing_of_the_other(tmp_path):
    path = written(tmp_path / "one.xlsx", shown(sides=("right",)))
    for chart in charts(path):
        assert not [each for each in chart.iter(f"{C}ser") if "left" in name(each)]
    assert not [text for text in words(openpyxl.load_workbook(path)) if "left" in text.casefold()]


def test_of_one_stride_there_is_no_band_and_no_thin_line(tmp_path):
    gait = shown(trials=1, duration=2.0)
    assert [len(gait.of_side(side)) for side in ("right", "left")] == [1, 1]
    path = written(tmp_path / "single.xlsx", gait)
    for chart in charts(path):
        assert chart.find(f".//{C}areaChart") is None
        names = [name(each) for each in chart.iter(f"{C}ser")]
        others = {f"{side} stride, other foot" for side in ("left", "right")}
        assert set(names) <= {"left", "right", "left toe off", "right toe off"} | others
    assert not [text for text in words(openpyxl.load_workbook(path)) if "thin" in text]


def test_without_forces_a_sentence_stands_in_place_of_charts(tmp_path):
    path = written(tmp_path / "without.xlsx", shown(forces=False))
    assert {title(chart) for chart in charts(path)} == {"Hip angle", "Knee angle", "Ankle angle"}
    book = openpyxl.load_workbook(path)
    assert any(text.startswith("No moments, powers or forces of the ground") for text in words(book))
    assert "  with moments" not in words(book)


def test_curves_that_lack_their_ends_say_why(tmp_path):
    without, whole = shown(trials=1, duration=2.0), shown(trials=1, duration=6.0)
    for gait, is_said in ((without, True), (whole, False)):
        said = words(openpyxl.load_workbook(written(tmp_path / "ends.xlsx", gait)))
        assert any(text.startswith("Curves leave out 1 cut-off period(s)") for text in said) == is_said


def test_bands_of_single_sides_are_drawn_by_their_ends(tmp_path):
    quarter = np.linspace(0.0, 40.0, 5)
    given = (normal_band("left knee.angle", quarter, quarter + 10.0),)
    path = written(tmp_path / "sided.xlsx", shown(bands=given))
    first = next(chart for chart in charts(path) if title(chart) == "Knee angle")
    names = [name(each) for each in first.iter(f"{C}ser")]
    assert first.find(f".//{C}areaChart") is None
    assert {"normal left knee.angle.low", "normal left knee.angle.high"} <= set(names)
    book = openpyxl.load_workbook(path)
    low = next(each for each in first.iter(f"{C}ser") if name(each) == "normal left knee.angle.low")
    assert np.allclose(drawn(low, book), np.linspace(0.0, 40.0, 101))


def test_charts_of_ones_own_draw_columns_of_gait(tmp_path):
    sheets = walker_sheets(Recording(end=3.4))
    sheets["Charts"] = [
        ("title", "x", "y"),
        ("Knees", None, "right knee.angle.mean; left knee.angle.mean"),
        ("Ankle", "right ankle.angle", "mbs Gait series!right ankle.moment"),
        ("Typed", None, "right kne.angle.mean"),
    ]
    results = run_gait(gait_book(tmp_path / "own.xlsx", sheets))
    assert [(each.title, each.x) for each in results.sheets.charts] == [
        ("Knees", "percent"),
        ("Ankle", "right ankle.angle"),
    ]
    (told,) = [each for each in results.sheets.problems if each.code == "unknown-result"]
    assert (told.cell, told.mend) == ("Charts!C4", "did you mean right knee.angle.mean?")
    path = results.save()
    found = {title(chart): chart for chart in charts(path)}
    book = openpyxl.load_workbook(path)
    for name_, count in (("Knees", 2), ("Ankle", 1)):
        series = list(found[name_].iter(f"{C}ser"))
        assert len(series) == count
        for each in series:
            assert np.isfinite(drawn(each, book, "yVal")).sum() > 50
            assert np.isfinite(drawn(each, book, "xVal")).sum() > 50


@needs_libreoffice
def test_the_whole_book_prints_as_the_report(both, tmp_path):
    """Whatever the workbook holds: sheets of tables and input sheets print nothing, sheets of the user's as before."""
    path = both[1]
    for number, wanted in enumerate(("", "Notes of ours")):
        if wanted:
            book = openpyxl.load_workbook(path)
            book.create_sheet("My notes")["A1"] = wanted
            path = tmp_path / "noted.xlsx"
            book.save(path)
        command = ["soffice", "--headless", "--convert-to", "pdf", "--outdir", tmp_path, path]
        subprocess.run(command, check=True, capture_output=True)
        pdf = tmp_path / f"{path.stem}.pdf"
        text = subprocess.run(["pdftotext", "-layout", pdf, "-"], check=True, capture_output=True, text=True)
        pages = [page for page in text.stdout.split("\f") if page.strip()]
        assert len(pages) == 3 + number
        for place, head in enumerate(("Gait report", "Scores, times and lengths", "What can be believed")):
            page = next(page for page in pages if head in page)
            assert re.search(rf"page [1-4] of {3 + number}", page), place
        assert not wanted or any(wanted in page for page in pages)
