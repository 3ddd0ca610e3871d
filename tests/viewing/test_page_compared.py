"""What stands beside a motion on the page: ghosts of all that moves, changes against the run before, bars of modes."""

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import sheetmbs
from sheetmbs.live.workbook_page import view
from sheetmbs.viewing.packed import packed
from sheetmbs.viewing.page_document import page_document
from tests.support.browsers import opened
from tests.viewing.test_page import NO_WEBGL, show

BOOKS = Path(__file__).parents[2] / "workbooks"
GHOST = """async ([scene, time]) => {
  const [{ Motion }, { ghostOf }] = await Promise.all([import("sheetmbs/motion.js"), import("sheetmbs/parts_gl.js")]);
  const motion = new Motion(scene);
  motion.goTo(time);
  const parts = ghostOf(scene);
  for (const part of parts) part.move(motion);
  return parts.flatMap((part) => (part.object.geometry ? [...part.object.geometry.attributes.position.array] : []));
}"""
LOST = """async () => {
  const lost = document.querySelector(".scene canvas").getContext("webgl2").getExtension("WEBGL_lose_context");
  lost.loseContext();
  await new Promise(done => setTimeout(done, 200));
  lost.restoreContext();
  await new Promise(done => setTimeout(done, 500));
}"""


@pytest.fixture(scope="module")
def page(browser, tmp_path_factory):
    path = view(BOOKS / "pendulum.xlsx").write(tmp_path_factory.mktemp("pages") / "pendulum.html")
    return opened(browser, path)


def drawn_by_ghost(page, scene, time):
    """Places of the lines of a ghost of WebGL, (n, 3) m."""
    return np.array(page.tab.evaluate(GHOST, [scene, time])).reshape(-1, 3)


def nearest(places, place):
    return np.min(np.linalg.norm(places - place, axis=1))


@pytest.mark.parametrize(
    ("name", "case", "end"),
    [
        ("pendulum.xlsx", None, lambda found: found.bodies[["bob.x", "bob.y"]]),
        ("flexible-four-bar.xlsx", None, lambda found: found.points[["middle of coupler.x", "middle of coupler.y"]]),
    ],
)
def test_links_and_bent_beams_are_in_a_ghost_where_the_results_have_them(page, name, case, end):
    results = sheetmbs.run(sheetmbs.read(BOOKS / name, case=case))
    row = len(results.bodies) // 3
    scene = page_document(results)["cases"][0]["scene"]
    places = drawn_by_ghost(page, scene, float(results.bodies["time"].iloc[row]))
    expected = np.array([*end(results).iloc[row] * results.model.display.length[1], 0.0])
    assert nearest(places, expected) < 1e-5


def test_bones_and_wheels_are_in_a_ghost(page):
    gait = view(BOOKS / "gait-walk.xlsx").document["cases"][0]["scene"]
    frame = drawn_by_ghost(page, gait, 0.6)
    assert np.ptp(frame[:, 1]) > 0.7, "from the foot to the hip, m"
    swept = view(BOOKS / "formula-student.xlsx", case="heave").document["cases"][0]["scene"]
    bodies = len(drawn_by_ghost(page, swept | {"wheels": []}, 0.0))
    rims = drawn_by_ghost(page, swept, 0.0)[bodies:].reshape(len(swept["wheels"]), -1, 3)
    radii = np.linalg.norm(rims - rims.mean(axis=1, keepdims=True), axis=2)
    assert np.allclose(radii, [[wheel["radius"]] for wheel in swept["wheels"]], rtol=0.0, atol=1e-5)


def test_without_webgl_a_ghost_has_its_skeleton_too(browser, tmp_path):
    document = view(BOOKS / "gait-walk.xlsx").document
    case = document["cases"][0]
    case["ghosts"] = [{"name": "another trial", "scene": case["scene"], "tables": []}]
    flat = opened(browser, view(BOOKS / "pendulum.xlsx").write(tmp_path / "flat.html"), before=NO_WEBGL)
    show(flat, document)
    assert flat.tab.locator("path.ghost").get_attribute("d").count("M") >= len(case["scene"]["tracks"]["bones"]) - 1
    assert flat.tab.locator("path.track").count() == len(case["scene"]["tracks"]["names"])
    assert flat.said == []
    flat.tab.context.close()


def show_next(page, document):
    """Show a document as the result of the next run."""
    page.tab.evaluate("next => import('sheetmbs/main.js').then(page => page.showDocument(next))", document)


def test_changes_against_the_run_before_are_told_in_charts_and_in_the_summary(page):
    first = view(BOOKS / "slider-crank.xlsx").document
    changed = json.loads(json.dumps(first))
    case = changed["cases"][0]
    table = next(each for each in case["tables"] if "guide.displacement" in each["columns"])
    results = sheetmbs.run(sheetmbs.read(BOOKS / "slider-crank.xlsx"))
    column = table["columns"].index("guide.displacement")
    values = np.array([results.joints[name] for name in table["columns"]])
    values[column] += 12.5
    table["values"] = packed(values)
    item = next(each for each in case["summary"] if each[0] == "motor.moment max")
    before = float(item[1])
    item[1] += 12.5
    show(page, first)
    assert page.tab.locator(".change", has_text="+").count() == 0
    show_next(page, changed)
    page.ask("goTo(0.1)")
    card = page.tab.locator("article.chart", has_text="guide.displacement").first
    assert card.locator(".change").inner_text() == "+12.5"
    others = page.tab.locator("article.chart", has_not_text="guide.displacement").locator(".change").all_inner_texts()
    assert set(others) == {""}
    was = page.tab.locator(".summary .was").all_inner_texts()
    assert was == [f"was {before:.6g}"]
    page.press("Show or hide: run before")
    assert card.locator(".change").inner_text() == ""
    page.press("Show or hide: run before")
    show_next(page, changed)
    assert page.tab.locator(".summary .was").count() == 0


def test_modes_are_bars_of_which_one_is_chosen_by_a_click(page):
    found = sheetmbs.run(sheetmbs.read(BOOKS / "quarter-car.xlsx")).modes
    show(page, view(BOOKS / "quarter-car.xlsx").document)
    cards = page.tab.locator("article.chart")
    assert cards.count() == 2, "frequencies and displacements"
    card = cards.filter(has_text="Frequencies")
    value = card.locator(".value")
    assert float(value.inner_text()) == pytest.approx(found["frequency"].iloc[0], rel=1e-4)
    box = card.locator(".u-over").bounding_box()
    page.tab.mouse.click(box["x"] + 0.75 * box["width"], box["y"] + 0.5 * box["height"])
    assert page.tab.get_by_label("Mode", exact=True).input_value() == "1"
    assert float(value.inner_text()) == pytest.approx(found["frequency"].iloc[1], rel=1e-4)
    shapes = cards.filter(has_text="displacements").locator(".value").all_inner_texts()
    told = [float(text.replace("\u2212", "-")) for text in shapes]
    assert told == pytest.approx([found["wheel.y"].iloc[1], found["body.y"].iloc[1]], rel=1e-4)
    assert page.said == []


def test_all_charts_that_a_workbook_asks_for_are_drawn(page):
    model = sheetmbs.read(BOOKS / "slider-crank-3d.xlsx")
    asked = tuple(replace(each, title=f"{each.title} {k}") for k in range(4) for each in model.charts)
    assert len(asked) > 12
    show(page, page_document(sheetmbs.run(replace(model, charts=asked))))
    assert page.tab.locator("article.chart h3").all_inner_texts() == [each.title for each in asked]


FRAMED = """async (shown) => {
  const { ChartCard } = await import("sheetmbs/charts.js");
  const card = new ChartCard(shown, [], shown.charts[0], { goTo: () => {}, close: () => {} });
  document.body.append(card.box);
  card.draw();
  const label = card.drawn.axes[0].label;
  card.destroy();
  return [label, ...card.lines.map(({ x, y }) => [x, y].map((column) => [column.name, ...column.values.slice(0, 5)]))];
}"""


def test_a_path_in_a_clearance_is_drawn_within_its_circle(page):
    """As on `mbs Charts`: the journal moves in a circle as large as the clearance."""
    case = view(BOOKS / "slider-crank-clearance.xlsx").document["cases"][0]
    label, circle, path = page.tab.evaluate(FRAMED, case)
    assert label == "wrist pin.path_x [mm]"
    assert [column[0] for column in circle] == ["wrist pin.circle_x", "wrist pin.circle_y"]
    assert [column[0] for column in path] == ["wrist pin.path_x", "wrist pin.path_y"]
    radii = np.hypot(*(np.array(column[1:]) for column in circle))
    assert np.allclose(radii, radii[0])
    assert radii[0] > 0.0


def test_a_graphics_card_that_comes_back_is_drawn_on_again(page):
    show(page, view(BOOKS / "slider-crank.xlsx").document)
    before = page.picture()
    page.tab.evaluate(LOST)
    assert page.picture() == before
