"""The page of a suspension in a real browser: one colour rule, design first, values that follow, forces, instant centres."""

import base64
from pathlib import Path

import numpy as np
import pytest

from sheetmbs.live.workbook_page import view
from sheetmbs.schema.units import parse_unit
from sheetmbs.suspension.run_suspension import run_suspension
from sheetmbs.workbook.charts.styled_charts import PALETTE
from tests.support.browsers import opened

BOOK = Path(__file__).parents[2] / "templates" / "suspension-formula-student.xlsx"
LOOK = "([module, call]) => import(`sheetmbs/${module}`).then((found) => Function('m', `return ${call}`)(found))"


@pytest.fixture(scope="module")
def results():
    return run_suspension(BOOK)


@pytest.fixture(scope="module")
def document():
    return view(BOOK).document


@pytest.fixture(scope="module")
def path(tmp_path_factory):
    return view(BOOK).write(tmp_path_factory.mktemp("pages") / "car.html")


@pytest.fixture
def page(browser, path):
    found = opened(browser, path, bypass_csp=True)
    yield found
    assert found.said == []
    found.tab.context.close()


def called(page, module, call):
    """What a call of a module gives."""
    return page.tab.evaluate(LOOK, [module, call])


def numbers(part):
    """An array of a document."""
    return np.frombuffer(base64.b64decode(part["f32"]), dtype="<f4").reshape(part["shape"]).astype(float)


def column(results, sweep, name):
    """A column of a sweep in SI."""
    table = results.table(sweep)
    place = table.columns.index(name)
    return table.values[:, place] * parse_unit(table.units[place]).size


def test_the_page_has_the_palette_of_the_sheets(page):
    assert called(page, "palette.js", "m.LIGHT") == list(PALETTE)


DEUTERANOPIA = np.array(
    [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]]
)
"""Machado, Oliveira and Fernandes 2009, severity 1.0, in linear sRGB"""


def lab(colour):
    """CIE Lab of a colour as deuteranopes see it."""
    value = np.array([int(colour[k : k + 2], 16) for k in (1, 3, 5)]) / 255.0
    linear = np.where(value <= 0.04045, value / 12.92, ((value + 0.055) / 1.055) ** 2.4)
    seen = np.clip(DEUTERANOPIA @ linear, 0.0, 1.0)
    to_xyz = np.array([[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]])
    x, y, z = np.cbrt(np.maximum(to_xyz @ seen / np.array([0.9505, 1.0, 1.089]), 0.008856))
    return np.array([116.0 * y - 16.0, 500.0 * (x - y), 200.0 * (y - z)])


@pytest.mark.parametrize("which", ["LIGHT", "DARK"])
def test_the_first_six_colours_differ_for_deuteranopes(page, which):
    colours = [lab(each) for each in called(page, "palette.js", f"m.{which}")[:6]]
    apart = [np.linalg.norm(a - b) for k, a in enumerate(colours) for b in colours[:k]]
    assert min(apart) > 14.0, "the page had 8.9 before"


def test_colour_is_the_design_and_right_wheels_are_dotted(page, document):
    designs = document["cases"][0]["colours"]["designs"]
    page.tab.get_by_role("tab", name="roll", exact=True).click()
    keys = page.tab.locator("article.chart").first.locator(".key")
    colours = {
        each.locator(".column").inner_text(): each.locator(".swatch").evaluate("each => each.style.color")
        for each in keys.all()
    }
    dashed = {
        each.locator(".column").inner_text(): "dashed" in each.locator(".swatch").get_attribute("class")
        for each in keys.all()
    }
    assert colours["front left, base"] == colours["front right, base"] == rgb(designs[""])
    assert colours["front left, B"] == colours["front right, B"] == rgb(designs["B"])
    assert colours["rear left, base"] not in (rgb(designs[""]), rgb(designs["B"])), "the rear is paler beside the front"
    assert dashed["front right, base"]
    assert not dashed["front left, base"]


def rgb(colour):
    return f"rgb({', '.join(str(int(colour[k : k + 2], 16)) for k in (1, 3, 5))})"


def test_a_line_that_another_one_hides_is_dashed_so_that_both_are_seen(page):
    """Design B has the rear of base: its lines lie on those of base."""
    keys = page.tab.locator("article.chart", has_text="Camber").first.locator(".key")
    looks = {
        each.locator(".column").inner_text(): each.locator(".swatch").get_attribute("class") for each in keys.all()
    }
    assert looks == {
        "front, base": "swatch",
        "front, B": "swatch",
        "rear, base": "swatch",
        "rear, B": "swatch dashed",
    }


def test_a_sweep_opens_at_design_and_is_read_in_what_it_moves(page):
    clock = page.tab.locator("output.clock")
    assert clock.inner_text() == "travel 0.0 mm"
    page.tab.keyboard.press("Home")
    assert clock.inner_text() == "travel \u221230.0 mm"
    page.tab.keyboard.press("End")
    assert clock.inner_text() == "travel +30.0 mm"
    page.tab.keyboard.press("d")
    assert clock.inner_text() == "travel 0.0 mm"
    assert page.tab.get_by_label("Speed").locator("option").all_inner_texts() == ["slow", "normal", "fast"]
    page.tab.get_by_role("tab", name="roll", exact=True).click()
    assert clock.inner_text() == "roll 0.0 deg"
    page.tab.get_by_role("tab", name="steer", exact=True).click()
    assert clock.inner_text() == "rack 0.0 mm"


def test_the_summary_follows_the_slider(page, results):
    row = page.tab.locator(".summary tr", has_text="front camber").first
    at_design, now = (row.locator("td").nth(k) for k in (0, 1))
    camber = results.table("heave").values[:, results.table("heave").columns.index("FL.camber")]
    for time in (0, 5, 24):
        page.ask(f"goTo({time})")
        assert float(now.inner_text().replace("\u2212", "-")) == pytest.approx(camber[time], rel=1e-3)
        assert float(at_design.inner_text().replace("\u2212", "-")) == pytest.approx(-1.5, rel=1e-3)
    assert abs(camber[24] - camber[12]) > 0.1


def test_columns_tell_what_they_mean(page):
    page.press("Add chart")
    page.tab.get_by_label("Search columns").fill("FL.camber")
    told = page.tab.locator(".columns label", has_text="FL.camber").first.locator("small").inner_text()
    assert "top outboard" in told


def test_twins_have_one_colour(page):
    call = "[...m.coloursOfKinds(['FL lower arm', 'FR lower arm', 'RL lower arm', 'FL upper arm', 'chassis']).values()]"
    left, right, rear, other, chassis = called(page, "looks.js", call)
    assert left == right == rear
    assert len({left, other, chassis}) == 3


def test_members_have_the_colours_of_their_forces_in_a_load_case(page, results):
    loads = results.base.loads
    names = [case.name for case in loads.cases]
    before = colours_seen(page)
    page.press("Show or hide: Colour by force")
    static = colours_seen(page)
    assert static != before
    page.tab.get_by_label("Load case").select_option(label="braking")
    assert colours_seen(page) != static
    along = [loads.column(f"{corner}.tie rod")[names.index("braking")] for corner in ("FL", "FR")]
    assert min(abs(each) for each in along) > 1.0
    page.tab.evaluate("document.querySelector('.scene canvas').focus()")
    card = pinned(page, "FL tie rod")
    told = card.locator("tr", has_text="force").locator("td").inner_text()
    size, _newton, sense, *_case = told.replace("(", "").split()
    assert float(size) == pytest.approx(abs(along[0]), rel=1e-3)
    assert sense == ("tension" if along[0] > 0.0 else "compression")
    assert "braking" in told
    page.press("Show or hide: Colour by force")
    page.press("Close the card")
    assert colours_seen(page) == before


COLOURS = """async () => {
  const { pictureOf } = await import("sheetmbs/exports.js");
  const copy = await pictureOf(window.sheetmbs.stage);
  const { data } = copy.getContext("2d").getImageData(0, 0, copy.width, copy.height);
  const found = { blue: 0, orange: 0, green: 0 };
  for (let k = 0; k < data.length; k += 4) {
    const [r, g, b] = data.subarray(k, k + 3);
    if (b > r + 60 && b > g + 25) found.blue++;
    else if (r > g + 50 && r > b + 60) found.orange++;
    else if (g > 1.4 * r && g > 1.2 * b) found.green++;
  }
  return found;
}"""


def colours_seen(page):
    """How many pixels of the scene have the colours of compression, of tension and of forces of springs."""
    return page.tab.evaluate(COLOURS)


def pinned(page, name):
    """The card of a part, pinned by its name."""
    page.tab.evaluate("name => window.sheetmbs.pin(name)", name)
    return page.tab.get_by_role("region", name="Part", exact=True)


def test_a_wishbone_has_two_legs_of_the_lengths_of_its_points(page, document, results):
    arm = next(each for each in document["cases"][0]["scene"]["bodies"] if each["name"] == "FL lower arm")
    points = results.base.car.axles[0].points["left"]
    outer = np.array(points["lower ball joint"].position)
    expected = [np.linalg.norm(outer - points[f"lower arm {end}"].position) for end in ("front", "rear")]
    found = [np.linalg.norm(np.subtract(*line)) for line in arm["lines"]]
    assert found == pytest.approx(expected, rel=1e-9)
    told = pinned(page, "FL lower arm").locator("tr", has_text="length of the front leg").locator("td").inner_text()
    assert float(told.split()[0]) == pytest.approx(1e3 * expected[0], rel=1e-4)


def test_instant_centres_are_those_that_the_sheet_constructs(document, results):
    """Of wishbones the traces of both arm planes meet in them: at every pose, as the geometric columns say."""
    scene = next(each for each in document["cases"] if each["name"] == "heave")["scene"]
    for each in scene["constructions"]:
        view, across, axis = {"front": ("fvic", 1, "y"), "side": ("svic", 0, "x")}[each["view"]]
        centre, contact = (numbers(each[part]) for part in ("centre", "contact"))
        along, up = (column(results, "heave", f"{each['name']}.{view}_{part}_geometric") for part in (axis, "z"))
        assert centre[:, across] == pytest.approx(along, rel=1e-6)
        assert centre[:, 2] - contact[:, 2] == pytest.approx(up, rel=1e-6, abs=1e-6)
        starts = numbers(each["starts"])
        assert starts.shape[1] == 2
        assert np.abs(starts[:, :, 2] - contact[:, None, 2]).max() < 0.5, "beside the ball joints"


def test_lines_of_both_contacts_meet_in_the_geometric_roll_centre(document, results):
    case = next(each for each in document["cases"] if each["name"] == "heave")
    front = {each["name"]: each for each in case["scene"]["constructions"] if each["view"] == "front"}
    row = 12
    contact, centre = (numbers(front["FL"][part])[row] for part in ("contact", "centre"))
    slope = (centre[2] - contact[2]) / (centre[1] - contact[1])
    height = -slope * contact[1]
    assert height == pytest.approx(column(results, "heave", "front.roll_centre_height_geometric")[row], abs=1e-5)
    tracks = case["scene"]["tracks"]
    for kind in ("", "_geometric"):
        place = numbers(tracks["places"])[row, tracks["names"].index(f"front roll centre{kind.replace('_', ' ')}")]
        told = column(results, "heave", f"front.roll_centre_height{kind}")[row]
        assert place[2] - contact[2] == pytest.approx(told, abs=1e-5)


@pytest.mark.parametrize(("view", "count"), [("Front", 12), ("Side", 12), ("Iso", 24)])
def test_construction_lines_are_drawn_and_taken_away(page, view, count):
    """Of four wheels the contact's and two dashed ones, in the front view and in the side view."""
    switch = "Show or hide: Instant centres"
    page.press(view)
    assert page.tab.locator(".marks polyline").count() == 0
    page.press(switch)
    assert page.tab.locator(".marks polyline").count() == count
    told = page.tab.locator(".marks text").all_text_contents()
    assert ("front roll centre" in told) == (view != "Side")
    assert not any(name in text for text in told for name in ("FL", "FR", "RL", "RR"))
    page.press(switch)
    assert page.tab.locator(".marks polyline").count() == 0


def test_wheels_are_hidden_by_one_button(page):
    before = page.picture()
    page.press("Show or hide: Wheels")
    assert page.picture() != before
    page.press("Show or hide: Wheels")
    assert page.picture() == before


def test_forces_of_springs_are_seen_through_the_coils(page):
    """Green where a spring pushes, also within what is nearer."""
    before = colours_seen(page)["green"]
    page.press("Show or hide: Spring forces")
    assert colours_seen(page)["green"] > before + 200


def test_axes_cover_what_is_worth_looking_at_as_on_the_sheets(page, document):
    """The toe axis spans at least -0.2 to 0.2 deg, and roll centres beyond half a metre are cut off."""
    charts = {each["title"]: each for each in document["cases"][0]["charts"]}
    assert charts["Toe"]["upward"]["reach"] == pytest.approx([-0.2, 0.2])
    assert charts["Roll centre height"]["upward"]["within"] == pytest.approx([-500.0, 500.0])
    call = "m.asked([-0.05, 0.01], {reach: [-0.2, 0.2], span: 0.4, within: [null, null]})"
    assert called(page, "chart_lines.js", call) == pytest.approx([-0.2, 0.2])
    call = "m.asked([-9000, 40], {reach: [], span: 2, within: [-500, 500]})"
    assert called(page, "chart_lines.js", call) == [-500, 40]
    call = "m.asked([1.0, 1.5], {reach: [], span: 2, within: [null, null]})"
    assert called(page, "chart_lines.js", call) == [0.25, 2.25]


def test_of_a_solid_axle_without_camber_both_designs_are_seen(browser, tmp_path):
    """Lines of rounding lie upon each other as well."""
    book = BOOK.with_name("suspension-solid-axle.xlsx")
    page = opened(browser, view(book, case="heave").write(tmp_path / "axle.html"))
    keys = page.tab.locator("article.chart", has_text="Camber").first.locator(".swatch")
    assert [each.get_attribute("class") for each in keys.all()] == ["swatch", "swatch dashed"]
    told = page.tab.locator(".summary tr", has_text="rear camber gain").locator("td").all_text_contents()
    assert told[:2] == ["0", "0"], "and no 6e-18"
    page.tab.context.close()
