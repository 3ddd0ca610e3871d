"""The page in a real browser: every control, places against results, names that are no code, nothing from outside."""

import base64
import json
from pathlib import Path

import numpy as np
import pytest

import sheetmbs
from sheetmbs.live.workbook_page import view
from sheetmbs.results.pictures.scene import PLANE, VIEWS
from sheetmbs.viewing.delta_encoding import DeltaEncoded
from sheetmbs.viewing.one_file import one_file
from sheetmbs.viewing.packed import packed
from tests.support.browsers import opened
from tests.support.opened import cases as cases_of

BOOKS = Path(__file__).parents[2] / "workbooks"
TABS = "car.xlsx"
EVERY = sorted(path.name for path in BOOKS.glob("*.xlsx") if path.name != TABS)
"""of which each is shown in the same page; the one with tabs has a test of its own"""
NO_WEBGL = """
const real = HTMLCanvasElement.prototype.getContext;
HTMLCanvasElement.prototype.getContext = function (kind, ...more) {
  return kind.startsWith("webgl") ? null : real.call(this, kind, ...more);
};
"""
WRONG = "<script>window.hacked = 1</script>"
FORMULA = "=cmd|' /c calc'!A0"
IMAGE = "<img src=x onerror='window.hacked = 1'>"


@pytest.fixture(scope="module")
def pages(tmp_path_factory):
    """Pages of workbooks, each written once. Called with a workbook, and a case or None."""
    folder = tmp_path_factory.mktemp("pages")
    found = {}

    def page(name, case=None):
        if (name, case) not in found:
            path = folder / f"{Path(name).stem}-{case}.html"
            found[name, case] = view(BOOKS / name, case=case).write(path)
        return found[name, case]

    return page


@pytest.fixture(scope="module")
def crank(browser, pages):
    return opened(browser, pages("slider-crank.xlsx"))


@pytest.fixture(scope="module")
def shared(browser, pages):
    """A page whose documents are changed."""
    return opened(browser, pages("slider-crank.xlsx"), viewport={"width": 960, "height": 640})


def show(page, document):
    """Show another document."""
    page.tab.evaluate(
        "next => import('sheetmbs/main.js').then(page => page.showDocument(next, { keep: false }))", document
    )


@pytest.mark.parametrize("name", EVERY)
def test_every_example_workbook_shows_without_a_word_on_the_console_or_a_request(shared, name):
    document = view(BOOKS / name).document
    show(shared, document)
    shared.tab.keyboard.press("Space")
    shared.tab.wait_for_timeout(100)
    shared.tab.keyboard.press("Home")
    assert shared.tab.get_by_role("heading", level=1).inner_text() == document["title"]
    assert_it_kept_silent(shared)
    assert shared.tab.locator("canvas").first.is_visible()


def assert_it_kept_silent(page):
    assert page.said == []
    assert [url for url in page.asked if not url.startswith(("file:", "blob:"))] == []


def test_a_page_of_a_car_that_moves_for_two_seconds_is_below_one_and_a_half_megabytes(pages):
    size = pages("car.xlsx", "bump").stat().st_size
    results = sheetmbs.run(sheetmbs.read(BOOKS / "car.xlsx", case="bump"))
    assert len(results.solution.times) == 101
    assert size < 1.5e6


def test_a_page_of_all_cases_of_a_car_is_below_one_and_a_half_megabytes_too(pages):
    assert pages("car.xlsx").stat().st_size < 1.5e6


UNPACKED = """async ([packed, words, held]) => {
  const [{ unpack }, { numbers }] = await Promise.all([import("sheetmbs/unpack.js"), import("sheetmbs/document.js")]);
  const found = unpack(packed, words, Uint8Array.from(atob(held), (letter) => letter.charCodeAt(0)));
  const bits = (part) => [...new Uint32Array(numbers(part).slice().buffer)];
  return { ...found, arrays: found.arrays.map(bits) };
}"""


def test_packing_closer_changes_no_bit_and_no_word(shared):
    rng = np.random.default_rng(1)
    noise = rng.normal(size=(3, 4, 7)) * 10.0 ** rng.integers(-30, 30, size=(3, 4, 7))
    smooth = np.sin(np.linspace(0.0, 7.0, 200) * np.arange(1.0, 6.0)[:, None])
    odd = np.array([[np.nan, -0.0, np.inf, -np.inf, 1e-42], [-1.0, 1.0, -1.0, 1.0, 0.0]])
    arrays = [noise, smooth, odd, np.zeros((0, 3)), np.ones((4, 1)), np.arange(6.0), np.zeros((2, 0, 7))]
    table = {"name": "s", "columns": ["a", "b", "a"], "units": ["m", "m", ""], "meanings": ["", "<b>", "é"]}
    closer = DeltaEncoded({"arrays": [packed(each) for each in arrays], "tables": [table], "at": None})
    held = base64.b64encode(closer.held).decode("ascii")
    found = shared.tab.evaluate(UNPACKED, [closer.document, closer.words, held])
    for bits, values in zip(found["arrays"], arrays, strict=True):
        assert bits == values.astype("<f4").view("<u4").ravel().tolist()
    assert found["tables"] == [table]


def shown_at(page, results, row):
    """Places of bodies on a page at a row, and in the results, both (bodies, 3) in m; and pixels (bodies, 2)."""
    page.ask(f"goTo({results.bodies['time'].iloc[row]})")
    found = page.positions()
    frame, size = results.bodies.iloc[row], results.model.display.length[1]
    names = [body.name for body in results.model.bodies]
    told = np.array([[frame.get(f"{name}.{axis}", 0.0) * size for axis in "xyz"] for name in names])
    return (
        np.array([[found[n][k] for k in "xyz"] for n in names]),
        told,
        np.array([[found[n][k] for k in ("left", "top")] for n in names]),
    )


LOOKS = {"top": "top view, x-y", "front": "front view, y-z", "side": "side view, x-z", "iso": None}


@pytest.mark.parametrize(
    ("name", "case"), [("slider-crank.xlsx", None), ("flyball-governor.xlsx", None), ("car.xlsx", "bump")]
)
def test_bodies_stand_where_the_results_have_them_and_where_a_figure_draws_them(shared, name, case):
    results = sheetmbs.run(sheetmbs.read(BOOKS / name, case=case))
    page = shared
    show(page, view(BOOKS / name, case=case).document)
    planar = results.model.settings.dimension == "2D"
    views = {"": PLANE["x-y"]} if planar else {look: VIEWS[view] for look, view in LOOKS.items() if view}
    reach = []
    for look, directions in views.items():
        if look:
            page.press(look.capitalize())
        for row in (0, len(results.bodies) // 3, len(results.bodies) - 1):
            shown, told, pixels = shown_at(page, results, row)
            assert np.allclose(shown, told, rtol=0.0, atol=1e-6 * max(1.0, float(np.max(np.abs(told)))))
            reach.append(assert_drawn_to_scale(told @ np.array(directions).T * [1.0, -1.0], pixels))
    assert max(reach) > 50.0


def assert_drawn_to_scale(drawn, pixels):
    """Pixels are the places of a figure, all by the same factor and shift, to a pixel. Returns how far they reach."""
    centred, placed = drawn - drawn.mean(axis=0), pixels - pixels.mean(axis=0)
    scale = float(np.sum(centred * placed) / np.sum(centred**2))
    assert scale > 0.0
    assert np.max(np.abs(scale * centred - placed)) < 1.0
    return np.max(np.abs(placed))


def test_names_are_drawn_where_bodies_are_in_the_picture(browser, pages):
    """Not only where the page says that they are: the pixel there has the colour of a body, not of the background."""
    page = opened(browser, pages("slider-crank.xlsx"))
    before = page.tab.locator("canvas").first.screenshot()
    page.ask("goTo(0.1)")
    assert page.tab.locator("canvas").first.screenshot() != before
    box = page.tab.locator("canvas").first.bounding_box()
    rod = page.positions()["rod"]
    page.tab.mouse.move(box["x"] + rod["left"], box["y"] + rod["top"])
    assert page.tab.get_by_role("tooltip").inner_text().splitlines()[0] == "rod"
    page.tab.context.close()


def test_time_is_played_stepped_slid_and_looped(crank):
    clock = crank.tab.locator("output.clock")
    crank.ask("goTo(0)")
    crank.press("Play (space)")
    crank.tab.wait_for_timeout(400)
    crank.tab.keyboard.press("Space")
    assert crank.tab.get_by_role("button", name="Play (space)").count() == 1
    stopped = crank.ask("time()")
    assert 0.0 < stopped < 0.4
    crank.tab.wait_for_timeout(100)
    assert crank.ask("time()") == stopped
    crank.tab.keyboard.press("Home")
    for _ in range(3):
        crank.tab.keyboard.press("ArrowRight")
    assert crank.ask("time()") == pytest.approx(0.003)
    crank.press("One frame back")
    assert crank.ask("time()") == pytest.approx(0.002)
    crank.tab.keyboard.press("End")
    assert crank.ask("time()") == pytest.approx(0.4)
    slider = crank.tab.get_by_role("slider", name="Time")
    slider.evaluate("each => { each.value = 500; each.dispatchEvent(new Event('input')); }")
    assert crank.ask("time()") == pytest.approx(0.2)
    assert clock.inner_text() == "0.2000 s"
    assert slider.get_attribute("aria-valuetext") == "0.2000 s"


def test_a_motion_ends_without_the_loop_and_goes_round_with_it(crank):
    crank.tab.get_by_label("Speed").select_option("10")
    crank.press("Loop")
    crank.ask("goTo(0.3)")
    crank.press("Play (space)")
    crank.tab.get_by_role("button", name="Play (space)").wait_for(timeout=5000)
    assert crank.ask("time()") == pytest.approx(0.4)
    crank.press("Loop")
    crank.press("Play (space)")
    crank.tab.wait_for_timeout(200)
    assert crank.tab.get_by_role("button", name="Pause (space)").count() == 1
    crank.press("Pause (space)")


def test_switches_show_and_hide_forces_paths_and_names(crank):
    crank.ask("goTo(0.1)")
    before = crank.picture()
    for name in ("Reactions", "Loads", "Paths"):
        crank.press(name)
        assert crank.picture() != before, name
        crank.press(name)
        assert crank.picture() == before, name
    crank.press("Names")
    assert "rod" in crank.tab.locator(".names").inner_text()
    crank.press("Names")
    assert crank.tab.locator(".names").is_hidden()
    crank.press("Reactions")
    long = crank.picture()
    crank.tab.get_by_label("Length of arrows").first.evaluate(
        "each => { each.value = -0.5; each.dispatchEvent(new Event('input')); }"
    )
    assert crank.picture() != long
    crank.press("Reactions")


def reach(page):
    """How far bodies are apart in the picture, pixels."""
    places = np.array([[each["left"], each["top"]] for each in page.positions().values()])
    return np.max(np.linalg.norm(places[:, None] - places, axis=2))


def test_the_scene_is_turned_moved_zoomed_and_fitted(shared):
    page = shared
    show(page, view(BOOKS / "slider-crank-3d.xlsx").document)
    start = page.positions()["rod"]
    box = page.tab.locator("canvas").first.bounding_box()
    middle = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2

    def drag(button):
        page.tab.mouse.move(*middle)
        page.tab.mouse.down(button=button)
        page.tab.mouse.move(middle[0] + 90, middle[1] + 40, steps=3)
        page.tab.mouse.up(button=button)
        return page.positions()["rod"]

    turned = drag("left")
    assert (turned["left"], turned["top"]) != (start["left"], start["top"])
    assert (turned["x"], turned["y"], turned["z"]) == (start["x"], start["y"], start["z"])
    moved = drag("right")
    assert moved["left"] - turned["left"] == pytest.approx(90, rel=0.2)
    before = reach(page)
    page.tab.mouse.move(*middle)
    page.tab.mouse.wheel(0, -400)
    page.tab.wait_for_timeout(50)
    assert reach(page) > 1.3 * before
    page.press("Iso")
    assert page.positions()["rod"]["left"] == pytest.approx(start["left"], abs=0.5)
    page.tab.keyboard.press("f")
    assert page.positions()["rod"]["top"] == pytest.approx(start["top"], abs=0.5)


def test_the_eye_follows_who_walks_until_it_is_told_to_stay(shared):
    show(shared, view(BOOKS / "half-hat-leg.xlsx").document)

    def middles():
        """Where the thigh is in the picture at the first and at the last frame, pixels from the left."""
        shared.ask("goTo(0)")
        first = shared.positions()["thigh"]["left"]
        shared.tab.keyboard.press("End")
        return first, shared.positions()["thigh"]["left"]

    width = shared.tab.locator("canvas").first.bounding_box()["width"]
    follow = "Show or hide: Follow"
    first, last = middles()
    assert abs(last - first) < 0.1 * width
    shared.press(follow)
    first, last = middles()
    assert abs(last - first) > 0.15 * width
    shared.press(follow)
    show(shared, view(BOOKS / "slider-crank.xlsx").document)
    assert shared.tab.get_by_role("button", name=follow).count() == 0, "what is held by the ground does not travel"


PRINTED = """() => {
  const copy = document.querySelector("canvas.printed");
  if (!copy) return null;
  const { data } = copy.getContext("2d").getImageData(0, 0, copy.width, copy.height);
  return new Set(new Uint32Array(data.buffer)).size;
}"""


def test_on_paper_are_the_scene_all_charts_and_the_whole_summary_and_no_buttons(browser, pages):
    page = opened(browser, pages("double-wishbone.xlsx"), color_scheme="dark")
    rows, charts = page.tab.locator(".summary tr"), page.tab.locator(".chart")
    assert rows.last.bounding_box()["y"] > 900, "on the screen the end of the summary is to be scrolled to"
    page.tab.evaluate("window.dispatchEvent(new Event('beforeprint'))")
    page.tab.emulate_media(media="print")
    assert page.tab.evaluate(PRINTED) > 50, "a picture that WebGL has forgotten has one colour"
    assert page.tab.evaluate("getComputedStyle(document.body).color") == "rgb(31, 41, 51)"
    assert page.tab.locator("button:visible").count() == 1, "the tab of the case that is shown"
    tall = page.tab.evaluate("document.documentElement.scrollHeight")
    boxes = [each.bounding_box() for each in (*charts.all(), rows.last)]
    assert all(0.0 < box["y"] < box["y"] + box["height"] <= tall for box in boxes)
    assert page.tab.evaluate("getComputedStyle(document.querySelector('aside')).overflowY") == "visible"
    page.tab.evaluate("window.dispatchEvent(new Event('afterprint'))")
    page.tab.emulate_media(media="screen")
    assert page.tab.evaluate(PRINTED) is None
    assert page.tab.evaluate("getComputedStyle(document.body).color") == "rgb(221, 228, 234)"


FITTED = """async ([covered, isPerspective]) => {
  const { Eye } = await import("sheetmbs/eye.js");
  const eye = new Eye();
  Object.assign(eye, { width: 640, height: 340, covered, isPerspective });
  eye.look(isPerspective ? "iso" : "side");
  const corners = [0, 1, 2, 3, 4, 5, 6, 7].map((k) => [k & 1, (k & 2) / 4, (k & 4) / 2]);
  eye.fit(corners);
  return corners.map((place) => eye.project(place));
}"""


@pytest.mark.parametrize("is_perspective", [False, True])
def test_what_is_fitted_lies_below_the_buttons(shared, is_perspective):
    for covered in (0, 48, 96):
        places = shared.tab.evaluate(FITTED, [covered, is_perspective])
        tops, lefts = [place[1] for place in places], [place[0] for place in places]
        assert covered < min(tops) < max(tops) < 340
        assert 0 < min(lefts) < max(lefts) < 640
        assert max(tops) - min(tops) > 0.6 * (340 - covered)


def test_words_of_the_summary_are_not_broken_in_a_narrow_window(browser, pages):
    page = opened(browser, pages("flexible-four-bar.xlsx"), viewport={"width": 1024, "height": 700})
    row = page.tab.get_by_role("row", name="coupler.deflection min")
    height = row.get_by_role("rowheader").bounding_box()["height"]
    assert height < 50, "coupler.deflection and min stand on two lines at most"


@pytest.mark.parametrize("name", ["slider-crank.xlsx", "quarter-car.xlsx"])
def test_every_control_of_time_is_within_a_telephone(browser, pages, name):
    page = opened(browser, pages(name), viewport={"width": 390, "height": 844})
    boxes = [
        each.bounding_box() for each in page.tab.locator(".transport :is(button, input, select, output):visible").all()
    ]
    assert len(boxes) >= 7
    assert all(0.0 <= box["x"] < box["x"] + box["width"] <= 390.0 for box in boxes)
    assert min(box["width"] for box in boxes) > 25.0
    page.tab.context.close()


def test_long_units_of_the_summary_stand_below_their_numbers_instead_of_beside_the_window(shared):
    document = view(BOOKS / "gait-walk.xlsx").document
    document["cases"][0]["summary"].append(["imbalance", 0.0598557, "% of peak ground force x height"])
    show(shared, document)
    wide, seen = shared.tab.evaluate("(e => [e.scrollWidth, e.clientWidth])(document.querySelector('aside'))")
    assert wide == seen


def test_rounding_is_drawn_as_nothing(shared):
    """A solid axle has no camber in heave, and one of 1e-16 degrees is none either."""
    show(shared, view(BOOKS.with_name("templates") / "suspension-solid-axle.xlsx", case="heave").document)
    card = shared.tab.locator("article.chart", has_text="Camber").first
    assert set(card.locator(".value").all_inner_texts()) == {"0"}


def test_columns_are_searched_drawn_and_taken_away(crank):
    cards = crank.tab.locator("article.chart")
    count = cards.count()
    crank.press("Add chart")
    crank.tab.get_by_label("Search columns").fill("rod omega deg")
    assert crank.tab.locator(".columns label").all_inner_texts()[0].startswith("rod.omega")
    assert crank.tab.locator(".columns label").count() == 1
    crank.tab.get_by_label("Search columns").fill("slider")
    for name in ("slider.vx", "slider.ax"):
        crank.tab.locator(".columns label", has_text=name).first.get_by_role("checkbox").check()
    crank.tab.get_by_role("button", name="Draw").click()
    assert cards.count() == count + 2, "a chart for each unit"
    assert "slider.vx" in cards.nth(0).inner_text()
    cards.nth(0).hover()
    cards.nth(0).get_by_role("button", name="Take the chart away").click()
    assert cards.count() == count + 1


def test_a_click_in_a_chart_goes_to_its_time_and_shows_its_value(crank):
    results = sheetmbs.run(sheetmbs.read(BOOKS / "slider-crank.xlsx"))
    card = crank.tab.locator("article.chart", has_text="guide.displacement").first
    over = card.locator(".u-over")
    over.scroll_into_view_if_needed()
    box = over.bounding_box()
    crank.tab.mouse.click(box["x"] + box["width"] / 4, box["y"] + box["height"] / 2)
    assert crank.ask("time()") == pytest.approx(0.1, abs=0.002)
    row = int(np.argmin(np.abs(results.joints["time"] - crank.ask("time()"))))
    value = card.locator(".value").inner_text().replace("\u2212", "-")
    assert float(value) == pytest.approx(results.joints["guide.displacement"].iloc[row], rel=1e-4)


def test_tabs_change_the_case_and_what_stands_beside_it(browser, pages):
    page = opened(browser, pages(TABS))
    assert page.tab.get_by_role("tab").all_inner_texts() == [each.name for each in cases_of(BOOKS / TABS)]
    page.tab.get_by_role("tab", name="cornering").click()
    side = page.tab.locator("aside").inner_text()
    assert "equilibrium" in side
    assert "Spring forces" in side
    assert page.tab.locator(".player").is_hidden(), "nothing moves at rest"
    assert page.tab.locator(".drawer").is_hidden(), "nor is there anything to draw over time"
    assert page.tab.locator(".scene").bounding_box()["height"] > 700
    page.tab.get_by_role("tab", name="road").click()
    assert page.tab.locator(".player").is_visible()
    assert page.tab.locator(".drawer").is_visible()
    page.tab.keyboard.press("Space")
    assert_it_kept_silent(page)
    page.tab.context.close()


def test_modes_swing_with_their_frequency(shared):
    page = shared
    show(page, view(BOOKS / "quarter-car.xlsx").document)
    frame = sheetmbs.run(sheetmbs.read(BOOKS / "quarter-car.xlsx")).modes
    modes = page.tab.get_by_label("Mode", exact=True)
    for number in (0, 1):
        modes.select_option(str(number))
        period = 1.0 / frame["frequency"].iloc[number]
        heights = []
        for share in (0.0, 0.25, 0.5, 1.0):
            page.ask(f"goTo({share * period})")
            heights.append([page.positions()[name]["y"] for name in ("wheel", "body")])
        swing = np.array(heights) - 0.5 * (heights[0] + np.array(heights[2]))
        assert np.allclose(swing[0], swing[3], atol=1e-9)
        assert np.allclose(swing[0], -swing[2], atol=1e-9)
        assert np.max(np.abs(swing)) > 0.01


def test_light_and_dark_follow_the_system_and_the_switch(browser, pages):
    page = opened(browser, pages("four-bar.xlsx"), color_scheme="dark")
    paper = "getComputedStyle(document.body).backgroundColor"
    dark = page.tab.evaluate(paper)
    page.press("Light or dark")
    light = page.tab.evaluate(paper)
    assert dark == "rgb(18, 22, 27)"
    assert light == "rgb(243, 245, 247)"
    assert page.said == []
    page.tab.context.close()


def test_without_webgl_the_scene_is_drawn_as_lines_and_says_so(browser, pages):
    flat = opened(browser, pages("flyball-governor.xlsx"), before=NO_WEBGL)
    solid = opened(browser, pages("flyball-governor.xlsx"))
    assert "no WebGL" in flat.tab.locator("p.flat").inner_text()
    assert solid.tab.locator("p.flat").is_hidden()
    for page in (flat, solid):
        page.press("Side")
        page.ask("goTo(0.5)")
    assert flat.positions() == solid.positions()
    before = flat.tab.locator("svg.drawn path.body").first.get_attribute("d")
    flat.ask("goTo(0.9)")
    assert flat.tab.locator("svg.drawn path.body").first.get_attribute("d") != before
    assert flat.said == []
    flat.tab.context.close()
    solid.tab.context.close()


def test_motions_beside_are_shown_and_hidden_one_by_one(browser, pages):
    """The same motion twice as ghosts: each has a button, and lines in the scene and in the charts."""
    document = view(BOOKS / "slider-crank.xlsx").document
    case = document["cases"][0]
    names = ["Variant 3, best", "Variant 7"]
    case["ghosts"] = [{"name": name, "scene": case["scene"], "tables": case["tables"]} for name in names]
    page = opened(browser, pages("slider-crank.xlsx"), before=NO_WEBGL)
    show(page, document)
    drawn = page.tab.locator("svg.drawn path.ghost")
    dashes = "() => window.dashed = 0"
    page.tab.evaluate(
        """() => {
          const real = CanvasRenderingContext2D.prototype.setLineDash;
          CanvasRenderingContext2D.prototype.setLineDash = function (dash) {
            if (dash.length) window.dashed += 1;
            return real.call(this, dash);
          };
        }"""
    )

    def after_pressing(name):
        page.tab.evaluate(dashes)
        page.tab.get_by_role("button", name=f"Show or hide: {name}").click()
        page.tab.wait_for_timeout(100)
        seen = [drawn.nth(k).get_attribute("visibility") == "visible" for k in range(drawn.count())]
        return sum(seen), page.tab.evaluate("() => window.dashed")

    assert drawn.count() == 2
    one, lines = after_pressing(names[1])
    none, nothing = after_pressing(names[0])
    both, twice = after_pressing(names[0])[0], after_pressing(names[1])
    assert (one, none, both) == (1, 0, 1)
    assert lines > 0
    assert nothing == 0
    assert twice == (2, 2 * lines)
    assert page.said == []
    page.tab.context.close()


def replaced(part, old, new):
    """A document with a text replaced wherever it stands."""
    if isinstance(part, dict):
        return {replaced(k, old, new): replaced(v, old, new) for k, v in part.items()}
    if isinstance(part, list):
        return [replaced(each, old, new) for each in part]
    return part.replace(old, new) if isinstance(part, str) else part


def test_names_and_titles_are_text_whatever_they_hold(browser, tmp_path):
    document = view(BOOKS / "slider-crank.xlsx").document
    numbers = document["cases"][0].pop("scene")
    document["cases"][0]["tables"] = json.loads(json.dumps(document["cases"][0]["tables"]))
    document = replaced(replaced(document, "crank", WRONG), "slider", FORMULA)
    names = {"crank": WRONG, "rod": IMAGE, "slider": FORMULA}
    for body in numbers["bodies"]:
        body["name"] = names[body["name"]]
    document["cases"][0]["scene"] = numbers
    document["title"] = document["source"] = IMAGE + WRONG + "</script>"
    problem = {"severity": "error", "cell": WRONG, "found": IMAGE, "problem": FORMULA, "mend": WRONG}
    document["cases"][0]["problems"] = [problem]
    path = tmp_path / "wrong.html"
    path.write_text(one_file(document), encoding="utf-8")
    page = opened(browser, path)
    page.press("Names")
    page.press("Add chart")
    assert WRONG in page.tab.locator("dialog.chooser").inner_text()
    page.tab.get_by_role("button", name="Cancel").click()
    assert IMAGE in page.tab.locator("h1").inner_text()
    assert {IMAGE, FORMULA} & set(page.tab.locator(".names span").all_inner_texts())
    assert WRONG in page.tab.locator("aside").inner_text()
    assert page.tab.evaluate("typeof window.hacked") == "undefined"
    assert page.tab.locator("main img").count() == 0
    assert page.said == []
    page.tab.context.close()


def test_scripts_that_are_not_of_the_page_do_not_run(browser, pages, tmp_path):
    text = pages("four-bar.xlsx").read_text(encoding="utf-8")
    path = tmp_path / "changed.html"
    path.write_text(text.replace("<noscript>", "<script>window.hacked = 1</script><noscript>"), encoding="utf-8")
    page = opened(browser, path)
    assert page.tab.evaluate("typeof window.hacked") == "undefined"
    assert any("Content Security Policy" in each for each in page.said)
    page.tab.context.close()


def test_another_document_keeps_view_time_and_charts_and_shows_the_run_before(browser, pages):
    page = opened(browser, pages("slider-crank.xlsx"))
    page.ask("goTo(0.1)")
    page.tab.locator("article.chart").first.hover()
    page.tab.locator("article.chart").first.get_by_role("button", name="Take the chart away").click()
    count = page.tab.locator("article.chart").count()
    page.tab.mouse.move(400, 300)
    page.tab.mouse.wheel(0, -300)
    page.tab.wait_for_timeout(50)
    before = page.positions()
    changed = view(BOOKS / "slider-crank.xlsx").document
    scene = changed["cases"][0]["scene"]
    scene["bodies"][1]["lines"] = [[[0.0, 0.0, 0.0], [0.1, 0.1, 0.0]]]
    page.tab.evaluate("next => import('sheetmbs/main.js').then(page => page.showDocument(next))", changed)
    assert page.ask("time()") == pytest.approx(0.1)
    assert page.positions() == before
    assert page.tab.locator("article.chart").count() == count
    assert page.tab.get_by_role("button", name="Show or hide: run before").count() == 1
    problem = {"severity": "error", "cell": "Joints!C3", "found": "x", "problem": "a rule", "mend": "mend it"}
    page.tab.evaluate("told => import('sheetmbs/main.js').then(page => page.showProblems(told))", [problem])
    assert "Joints!C3" in page.tab.get_by_role("alert").inner_text()
    assert page.positions() == before
    assert page.said == []
    page.tab.context.close()
