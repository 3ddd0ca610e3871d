"""What people do with a page in a real browser: parts, measuring, files, links, keys, charts, mistakes while watching."""

import csv
import io
import struct
from pathlib import Path
from time import monotonic

import numpy as np
import pytest

import sheetmbs
from sheetmbs.live.workbook_page import view
from tests.support.browsers import opened

BOOKS = Path(__file__).parents[2] / "workbooks"
BOOK = BOOKS / "slider-crank.xlsx"


@pytest.fixture(scope="module")
def results():
    return sheetmbs.run(sheetmbs.read(BOOK))


@pytest.fixture(scope="module")
def path(tmp_path_factory):
    return view(BOOK).write(tmp_path_factory.mktemp("pages") / "crank.html")


@pytest.fixture
def page(browser, path):
    found = opened(browser, path, accept_downloads=True)
    found.ask("goTo(0.1)")
    yield found
    assert found.said == []
    found.tab.context.close()


def over(page, name):
    """The pixel of the window at which a body is."""
    box = page.tab.locator(".scene canvas").bounding_box()
    place = page.positions()[name]
    return box["x"] + place["left"], box["y"] + place["top"]


def at(results, name, time=0.1):
    """Where a body is, m."""
    row = int(np.argmin(np.abs(results.bodies["time"] - time)))
    frame, size = results.bodies.iloc[row], results.model.display.length[1]
    return np.array([frame[f"{name}.x"], frame[f"{name}.y"]]) * size


def along_rod(results, time=0.1):
    """What the rod carries: the mean of the forces of its pins along it, N, + in tension."""
    row = int(np.argmin(np.abs(results.joints["time"] - time)))
    joints, points = results.joints.iloc[row], results.points.iloc[row]
    way = np.array([points["C.x"] - points["B.x"], points["C.y"] - points["B.y"]])
    way /= np.linalg.norm(way)
    on_rod_at_b = -np.array([joints["crank pin.i.fx"], joints["crank pin.i.fy"]])
    on_rod_at_c = np.array([joints["wrist pin.i.fx"], joints["wrist pin.i.fy"]])
    return 0.5 * (on_rod_at_c @ way - on_rod_at_b @ way)


def test_pointing_at_a_rod_tells_its_force_and_its_length(page, results):
    page.tab.mouse.move(*over(page, "rod"))
    told = dict(line.split(" ", 1) for line in page.tab.get_by_role("tooltip").inner_text().splitlines()[1:])
    size, unit, sense = told["force"].split()
    expected = along_rod(results)
    assert float(size) == pytest.approx(abs(expected), rel=1e-3)
    assert (unit, sense) == ("N", "tension" if expected > 0.0 else "compression")
    points = results.points.iloc[0]
    length = np.hypot(points["C.x"] - points["B.x"], points["C.y"] - points["B.y"])
    assert told["length"] == f"{length:.5g} mm"


def test_a_click_pins_the_card_and_the_curves_of_a_part_until_it_is_closed(page):
    charts = page.tab.locator("article.chart")
    before = charts.count()
    page.tab.mouse.click(*over(page, "rod"))
    card = page.tab.get_by_role("region", name="Part", exact=True)
    assert card.get_by_role("heading").inner_text() == "rod"
    pinned = page.tab.locator("article.chart.pinned")
    assert pinned.count() == charts.count() - before > 0
    assert all("rod" in each for each in pinned.locator("h3").all_inner_texts())
    length = card.locator("tr", has_text="length").locator("td").inner_text()
    force = card.locator("tr", has_text="force").first.locator("td").inner_text()
    page.ask("goTo(0.15)")
    assert card.locator("tr", has_text="length").locator("td").inner_text() == length, "a rod keeps its length"
    assert card.locator("tr", has_text="force").first.locator("td").inner_text() != force
    page.tab.keyboard.press("Escape")
    assert card.count() == 0 or card.is_hidden()
    assert charts.count() == before


def test_parts_are_hidden_shown_alone_and_shown_again(page):
    whole = page.picture()
    page.tab.mouse.move(*over(page, "rod"))
    page.tab.keyboard.press("h")
    without = page.picture()
    assert without != whole
    page.tab.mouse.move(*over(page, "rod"))
    assert "rod" not in page.tab.get_by_role("tooltip").all_inner_texts()
    page.tab.keyboard.press("a")
    assert page.picture() == whole
    page.tab.mouse.move(*over(page, "rod"))
    page.tab.keyboard.press("i")
    alone = page.picture()
    assert alone not in (whole, without)
    page.tab.keyboard.press("a")
    assert page.picture() == whole


def test_the_list_of_parts_hides_groups_and_shows_parts_alone(page):
    page.press("Parts: show, hide")
    parts = page.tab.get_by_role("region", name="Parts")
    group = parts.locator(".group", has_text="Bodies")
    group.locator("summary").click()
    assert group.locator("li").all_inner_texts() == ["crank\nonly", "rod\nonly", "slider\nonly"]
    group.locator(".of").get_by_role("checkbox").uncheck()
    assert [each.is_checked() for each in group.locator("li input").all()] == [False] * 3
    group.locator("li", has_text="rod").get_by_role("button", name="Show only: rod").click()
    assert [each.is_checked() for each in group.locator("li input").all()] == [False, True, False]
    assert not parts.locator(".group", has_text="Joints").locator(".of input").is_checked()
    parts.get_by_role("button", name="Show all").click()
    assert all(each.is_checked() for each in parts.get_by_role("checkbox").all())


def test_two_points_are_measured_while_they_move(page, results):
    page.press("Measure between")
    for name in ("crank", "slider"):
        page.tab.mouse.click(*over(page, name))
    told = page.tab.locator(".measured")
    for time in (0.1, 0.17):
        page.ask(f"goTo({time})")
        words = told.inner_text().replace("\u2212", "-")
        names, numbers = words.split(": ")
        distance, unit, _dx, dx, _dy, dy = numbers.replace("(", "").replace(")", "").replace(",", "").split()
        first, second = (spot_at(results, name, time) for name in names.split(" to "))
        way = 1e3 * (second - first)
        assert unit == "mm"
        assert float(distance) == pytest.approx(np.linalg.norm(way), rel=1e-3)
        assert [float(dx), float(dy)] == pytest.approx(way, abs=0.05)
    assert page.tab.locator(".marks polyline").count() == 1
    page.tab.keyboard.press("Escape")
    assert told.is_hidden()
    assert page.tab.locator(".marks polyline").count() == 0


def spot_at(results, name, time):
    """Where a body or a point is, m."""
    row = int(np.argmin(np.abs(results.points["time"] - time)))
    size = results.model.display.length[1]
    if f"{name}.x" in results.points:
        return results.points.iloc[row][[f"{name}.x", f"{name}.y"]].to_numpy(dtype=float) * size
    return at(results, name, time)


def saved(page, menu):
    """What a button saves."""
    page.press("Save: picture, film, numbers")
    with page.tab.expect_download(timeout=60_000) as waited:
        page.tab.get_by_role("button", name=menu).click()
    return waited.value


def test_a_picture_of_the_scene_is_saved_as_large_as_it_is_seen(page):
    found = saved(page, "Picture of the scene")
    content = Path(found.path()).read_bytes()
    assert found.suggested_filename == "slider-crank.png"
    width, height = struct.unpack(">II", content[16:24])
    box = page.tab.locator(".scene").bounding_box()
    assert (width, height) == (round(box["width"]), round(box["height"]))
    assert len(content) > 8000, "it is not empty"


def test_a_film_of_the_motion_is_saved_as_webm(page):
    found = saved(page, "Film of the motion")
    content = Path(found.path()).read_bytes()
    assert found.suggested_filename == "slider-crank.webm"
    assert content[:4] == bytes.fromhex("1A45DFA3"), "the head of Matroska"
    assert b"webm" in content[:64]
    assert len(content) > 10_000
    assert page.ask("time()") == pytest.approx(0.1), "the scene stands where it stood"


def test_numbers_of_a_chart_are_those_of_the_results(page, results):
    with page.tab.expect_download() as waited:
        page.tab.get_by_role("button", name="Save the numbers of the chart: Displacement of joint guide").click()
    rows = list(csv.reader(io.StringIO(Path(waited.value.path()).read_text(encoding="utf-8"))))
    assert rows[0] == ["time [s]", "guide.displacement [mm]"]
    values = np.array(rows[1:], dtype=float)
    assert np.allclose(values[:, 1], results.joints["guide.displacement"], rtol=1e-5, atol=1e-5)


CSV = """async (head) => {
  const { csv } = await import("sheetmbs/chart_lines.js");
  return csv([{ head, values: [1, NaN, -2.5] }]);
}"""


@pytest.mark.parametrize("head", ["=cmd|' /c calc'!A0", "+1", "-1", "@x", 'a "b", c'])
def test_no_spreadsheet_takes_a_name_for_a_formula(page, head):
    rows = list(csv.reader(io.StringIO(page.tab.evaluate(CSV, head))))
    assert rows[0][0] == (head if head.startswith("a") else f"'{head}")
    assert rows[1:] == [["1"], [], ["-2.5"]]


def test_the_address_keeps_time_view_and_charts_for_whoever_opens_it(browser, page):
    page.tab.locator("article.chart").first.get_by_role("button", name="Take the chart away").click()
    page.tab.mouse.move(400, 300)
    page.tab.mouse.wheel(0, -300)
    page.ask("goTo(0.15)")
    wait_until(page.tab, "location.hash.includes('t=0.15')")
    titles, places = page.tab.locator("article.chart h3").all_inner_texts(), page.positions()
    tab = browser.new_context(viewport={"width": 1440, "height": 900}).new_page()
    tab.goto(page.tab.url)
    tab.get_by_role("main").wait_for()
    wait_until(tab, "window.sheetmbs.time() > 0.14")
    assert tab.evaluate("window.sheetmbs.time()") == pytest.approx(0.15)
    assert tab.locator("article.chart h3").all_inner_texts() == titles
    found = {each["name"]: each for each in tab.evaluate("window.sheetmbs.bodyPositions()")}
    for name, place in places.items():
        assert found[name]["left"] == pytest.approx(place["left"], abs=1.0)
        assert found[name]["top"] == pytest.approx(place["top"], abs=1.0)
    tab.evaluate("location.hash = 't=0.05'")
    wait_until(tab, "window.sheetmbs.time() < 0.06")
    tab.context.close()


def test_an_address_that_says_nothing_sensible_changes_nothing(browser, path):
    tab = browser.new_context().new_page()
    said = []
    tab.on("pageerror", lambda error: said.append(str(error)))
    tab.goto(f"{path.as_uri()}#case=none&t=soon&view=1,2&charts=%E0%A4~x;~~;a~b&view=elsewhere&&=")
    tab.get_by_role("main").wait_for()
    assert tab.evaluate("window.sheetmbs.time()") == 0.0
    assert said == []
    tab.context.close()


def test_a_question_mark_lists_the_keys(page):
    page.tab.keyboard.press("?")
    dialog = page.tab.get_by_role("dialog", name="Keys")
    for words in ("play or stop", "measure between two points", "show all parts"):
        assert words in dialog.inner_text()
    dialog.get_by_role("button", name="Close").click()
    assert dialog.count() == 0 or dialog.is_hidden()
    page.press("Keys (?)")
    assert dialog.is_visible()


def wait_until(tab, condition):
    """Wait until a condition of the page holds, which its policy does not let playwright evaluate as a text."""
    end = monotonic() + 10.0
    while not tab.evaluate(condition):
        assert monotonic() < end, condition
        tab.wait_for_timeout(50)


def card_of(page, title):
    found = page.tab.locator("article.chart", has_text=title).first
    found.scroll_into_view_if_needed()
    return found


def test_a_chart_is_enlarged_and_its_cursor_follows(page):
    card_of(page, "Displacement of joint guide").get_by_role("button", name="Enlarge").click()
    large = page.tab.get_by_role("dialog", name="Enlarged chart")
    assert large.locator(".uplot").bounding_box()["height"] > 500
    box = large.locator(".u-over").bounding_box()
    page.tab.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    assert page.ask("time()") == pytest.approx(0.2, abs=0.003)
    value = large.locator(".value").inner_text()
    assert value == card_of(page, "Displacement of joint guide").locator(".value").inner_text()
    page.tab.keyboard.press("Escape")
    large.wait_for(state="hidden")
    wait_until(page.tab, "!document.querySelector('dialog article.chart')")


def test_a_drag_zooms_into_a_chart_and_a_double_click_shows_all_of_it(page):
    card = card_of(page, "Displacement of joint guide")
    box = card.locator(".u-over").bounding_box()
    before = card.locator("canvas").screenshot()
    page.tab.mouse.move(box["x"] + 0.25 * box["width"], box["y"] + 60)
    page.tab.mouse.down()
    page.tab.mouse.move(box["x"] + 0.5 * box["width"], box["y"] + 60, steps=4)
    page.tab.mouse.up()
    assert page.ask("time()") == pytest.approx(0.1), "a drag is no click"
    whole = card.get_by_role("button", name="Show all of the chart")
    assert whole.is_visible()
    over_ = card.locator(".u-over").bounding_box()
    page.tab.mouse.click(over_["x"] + over_["width"] / 2, over_["y"] + 60)
    assert page.ask("time()") == pytest.approx(0.15, abs=0.003), "the middle of what is shown now"
    card.locator(".u-over").dblclick()
    assert whole.is_hidden()
    page.ask("goTo(0.1)")
    page.tab.mouse.move(2, 2)
    assert card.locator("canvas").screenshot() == before


def test_the_value_under_the_pointer_is_told(page, results):
    card = card_of(page, "Displacement of joint guide")
    box = card.locator(".u-over").bounding_box()
    page.tab.mouse.move(box["x"] + 0.75 * box["width"], box["y"] + 50)
    time, value = card.locator(".plot .tip").inner_text().replace("\u2212", "-").splitlines()
    told = float(time.split(": ")[1])
    assert told == pytest.approx(0.3, abs=0.003)
    row = int(np.argmin(np.abs(results.joints["time"] - told)))
    assert float(value.split()[1]) == pytest.approx(results.joints["guide.displacement"].iloc[row], rel=1e-4)
    page.tab.mouse.click(box["x"] + 5, box["y"] + 50, button="right")
    assert page.ask("time()") == pytest.approx(0.1), "only the first button goes anywhere"


def test_a_chart_that_was_taken_away_comes_back(page):
    titles = page.tab.locator("article.chart h3").all_inner_texts()
    card_of(page, "Displacement of joint guide").get_by_role("button", name="Take the chart away").click()
    assert page.tab.locator("article.chart h3").all_inner_texts() != titles
    page.press("Bring the chart back")
    assert page.tab.locator("article.chart h3").all_inner_texts() == titles


def test_two_units_in_one_chart_have_an_axis_each(page):
    page.press("Add chart")
    page.tab.get_by_label("Search columns").fill("slider")
    for name in ("slider.x", "slider.vx"):
        page.tab.locator(".columns label", has_text=name).first.get_by_role("checkbox").check()
    page.tab.get_by_label("In one chart").check()
    page.tab.get_by_role("button", name="Draw").click()
    card = page.tab.locator("article.chart").first
    assert card.locator(".u-axis").count() == 3
    assert "[mm, mm/s]" in card.inner_text()


def test_a_mistake_while_watching_is_seen_at_once_and_goes_with_it(page):
    problem = {
        "severity": "error",
        "cell": "Joints!C3",
        "found": "the text 'x'",
        "problem": "a rule",
        "mend": "mend it",
    }
    show = "told => import('sheetmbs/main.js').then((page) => page.showProblems(told))"
    before = page.picture()
    page.tab.evaluate(show, [problem, problem])
    bar = page.tab.locator(".stale")
    assert "Joints!C3" in bar.inner_text()
    assert "and 1 more" in bar.inner_text()
    assert bar.evaluate("each => getComputedStyle(each).backgroundColor") == "rgb(180, 35, 24)"
    assert float(page.tab.locator(".scene canvas").evaluate("each => getComputedStyle(each).opacity")) < 0.5
    page.tab.evaluate(show, [])
    assert bar.is_hidden()
    assert page.picture() == before


def test_the_path_of_a_part_is_drawn_where_it_goes(page):
    page.tab.mouse.click(*over(page, "crank"))
    assert page.tab.locator(".marks polyline").count() == 0
    page.press("Draw the path of this part")
    line = page.tab.locator(".marks polyline")
    drawn = np.array([each.split(",") for each in line.get_attribute("points").split()], dtype=float)
    places = page.positions()["crank"]
    assert np.min(np.hypot(*(drawn - [places["left"], places["top"]]).T)) < 3.0, "it is on its path"
    circle = drawn - (drawn.max(axis=0) + drawn.min(axis=0)) / 2.0
    radii = np.hypot(*circle.T)
    assert np.ptp(radii) < 0.05 * radii.mean(), "the middle of a crank goes round in a circle"
    page.press("Draw the path of this part")
    assert line.count() == 0


DRAWN = """async () => {
  const { pictureOf } = await import("sheetmbs/exports.js");
  return (await pictureOf(window.sheetmbs.stage)).toDataURL();
}"""


def test_a_section_takes_away_what_is_nearer(browser, tmp_path):
    page = opened(browser, view(BOOKS / "flyball-governor.xlsx").write(tmp_path / "governor.html"))
    whole = page.tab.evaluate(DRAWN)
    page.tab.keyboard.press("x")
    slider = page.tab.get_by_label("Place of the section")
    pictures = []
    for value in (1.0, 0.0, -1.0):
        slider.evaluate("(each, value) => { each.value = value; each.dispatchEvent(new Event('input')); }", value)
        pictures.append(page.tab.evaluate(DRAWN))
    assert len(set(pictures)) == 3
    page.tab.evaluate("document.activeElement.blur()")
    page.tab.keyboard.press("x")
    assert slider.is_hidden()
    assert page.tab.evaluate(DRAWN) == whole
    assert page.said == []
    page.tab.context.close()


def test_the_picture_can_be_pasted(browser, path):
    context = browser.new_context(permissions=["clipboard-read", "clipboard-write"])
    tab = context.new_page()
    tab.goto(path.as_uri())
    tab.get_by_role("main").wait_for()
    tab.get_by_role("button", name="Save: picture").click()
    tab.get_by_role("button", name="Copy the picture").click()
    read = "navigator.clipboard.read().then((all) => all.flatMap((each) => each.types))"
    end = monotonic() + 10.0
    while tab.evaluate(read) != ["image/png"]:
        assert monotonic() < end
        tab.wait_for_timeout(50)
    context.close()
