"""The page of gait in a real browser: floor, plates, a head, sides in the colours of the report, the share of the stride."""

import base64
from pathlib import Path

import numpy as np
import pytest

from sheetmbs.live.workbook_page import view
from tests.support.browsers import opened
from tests.viewing.test_page import NO_WEBGL

BOOK = Path(__file__).parents[2] / "templates" / "gait-2d.xlsx"
COUNT = """async (wanted) => {
  const { pictureOf } = await import("sheetmbs/exports.js");
  const copy = await pictureOf(window.sheetmbs.stage);
  const { data } = copy.getContext("2d").getImageData(0, 0, copy.width, copy.height);
  const [r, g, b] = [1, 3, 5].map((k) => parseInt(wanted.slice(k, k + 2), 16));
  let count = 0;
  for (let k = 0; k < data.length; k += 4) {
    const size = Math.hypot(data[k], data[k + 1], data[k + 2]) || 1;
    const cosine = (data[k] * r + data[k + 1] * g + data[k + 2] * b) / size / Math.hypot(r, g, b);
    if (cosine > 0.995) count++;
  }
  return count;
}"""


@pytest.fixture(scope="module")
def document():
    return view(BOOK).document


@pytest.fixture(scope="module")
def path(tmp_path_factory):
    return view(BOOK).write(tmp_path_factory.mktemp("pages") / "walk.html")


@pytest.fixture
def page(browser, path):
    found = opened(browser, path)
    yield found
    assert found.said == []
    found.tab.context.close()


def numbers(part):
    return np.frombuffer(base64.b64decode(part["f32"]), dtype="<f4").reshape(part["shape"]).astype(float)


def test_sides_have_the_colours_of_the_report(page, document):
    """Left red, right blue, as `colour_left` and `colour_right` of Processing say; in the scene and in charts."""
    sides = document["cases"][0]["colours"]["sides"]
    assert sides == {"left": "#C00000", "right": "#1F5FA8"}
    keys = page.tab.locator("article.chart").first.locator(".key")
    found = {
        key.locator(".column").inner_text(): key.locator(".swatch").evaluate("e => e.style.color") for key in keys.all()
    }
    assert found == {"right hip angle": "rgb(31, 95, 168)", "left hip angle": "rgb(192, 0, 0)"}
    for side in sides.values():
        assert page.tab.evaluate(COUNT, side) > 300


def test_charts_and_the_clock_tell_the_share_of_the_stride(page, document):
    strides = document["cases"][0]["strides"]
    start, end = strides["right"][0]
    clock = page.tab.locator("output.clock")
    assert "right 0 %" in clock.inner_text(), "the page opens at a heel strike"
    page.ask(f"goTo({start + 0.25 * (end - start)})")
    assert "right 25 %" in clock.inner_text()
    card = page.tab.locator("article.chart", has_text="Hip angle").first
    table = next(each for each in document["cases"][0]["tables"] if "right hip.angle.mean" in each["columns"])
    values = numbers(table["values"])[table["columns"].index("right hip.angle.mean")]
    told = card.locator(".key", has_text="right").locator(".value").inner_text().replace("\u2212", "-")
    assert float(told) == pytest.approx(values[25], rel=1e-3)
    box = card.locator(".u-over").bounding_box()
    page.tab.mouse.click(box["x"] + 0.5 * box["width"], box["y"] + 40)
    assert page.ask("time()") == pytest.approx(start + 0.5 * (end - start), abs=0.03)


def test_there_are_a_floor_plates_and_a_head(page, document):
    """Each is a part: hidden, the picture changes."""
    scene = document["cases"][0]["scene"]
    assert scene["floor"] == 0.0
    assert len(scene["plates"]) == 2
    page.press("Parts: show, hide")
    parts = page.tab.get_by_role("region", name="Parts")
    before = page.picture()
    for group, name in (("Bodies", "head"), ("Ground", "floor"), ("Ground", scene["plates"][0]["name"])):
        own = parts.locator(".group", has=page.tab.get_by_text(group, exact=True))
        if own.locator("details").get_attribute("open") is None:
            own.locator("summary").click()
        tick = own.locator("li", has=page.tab.get_by_text(name, exact=True)).get_by_role("checkbox")
        tick.uncheck()
        assert page.picture() != before, name
        tick.check()


def test_plates_lie_on_the_floor_under_the_centres_of_pressure(document):
    scene = document["cases"][0]["scene"]
    corners = np.array([each["corners"] for each in scene["plates"]])
    assert np.allclose(corners[:, :, 1], scene["floor"])
    for arrow in scene["arrows"]:
        force, acts = numbers(arrow["values"]), numbers(arrow["acts"])
        loaded = force[:, 1] > 50.0
        inside = [(acts[loaded, 0] >= each[:, 0].min()) & (acts[loaded, 0] <= each[:, 0].max()) for each in corners]
        assert np.any(inside, axis=0).all()


def test_without_webgl_the_walker_has_a_head_too(browser, path):
    flat = opened(browser, path, before=NO_WEBGL)
    assert flat.tab.locator("path.head").get_attribute("d").startswith("M")
    assert flat.said == []
    flat.tab.context.close()
