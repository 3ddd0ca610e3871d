"""The page for people who do not see it, who have no mouse, or whose screen is small: checked by axe and by keys."""

from pathlib import Path

import pytest

from sheetmbs.live.workbook_page import view
from tests.support.browsers import opened

ROOT = Path(__file__).parents[2]
BOOKS = ROOT / "workbooks"
AXE = ROOT / "tests" / "page" / "node_modules" / "axe-core" / "axe.min.js"
RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
BROKEN = """async rules => (await axe.run(document, { runOnly: rules })).violations.flatMap(each =>
  each.nodes.map(node => `${each.id}: ${node.target}: ${node.failureSummary}`))"""
DESK, TELEPHONE = {"width": 1440, "height": 900}, {"width": 390, "height": 844}


@pytest.fixture(scope="module")
def paths(tmp_path_factory):
    """Pages with tabs and charts, with a finding, and with modes."""
    folder = tmp_path_factory.mktemp("pages")
    names = ("double-wishbone", "bricard", "quarter-car")
    return [view(BOOKS / f"{name}.xlsx").write(folder / f"{name}.html") for name in names]


@pytest.mark.parametrize(("viewport", "scheme"), [(DESK, "light"), (TELEPHONE, "dark")], ids=["desk", "telephone"])
def test_nothing_hinders_anybody_by_the_rules_of_wcag(browser, paths, scheme, viewport):
    """Contrasts of 4.5, names of all controls, none of them within what screen readers take for a picture."""
    if not AXE.exists():
        pytest.skip("axe is not installed: npm ci --prefix tests/page")
    for path in paths:
        page = opened(browser, path, viewport=viewport, color_scheme=scheme, bypass_csp=True)
        page.tab.evaluate(AXE.read_text(encoding="utf-8"))
        assert page.tab.evaluate(BROKEN, RULES) == [], path.name
        page.press("Add chart")
        page.tab.locator(".columns label").first.hover()
        assert page.tab.evaluate(BROKEN, RULES) == [], f"{path.name}, columns"
        page.tab.context.close()


@pytest.mark.parametrize("name", ["suspension-formula-student", "gait-2d"])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_nothing_hinders_anybody_where_all_is_open(browser, tmp_path, name, scheme):
    """The list of parts, the card of a part, the forces of load cases, what is measured, the menu, a large chart, keys."""
    if not AXE.exists():
        pytest.skip("axe is not installed: npm ci --prefix tests/page")
    path = view(ROOT / "templates" / f"{name}.xlsx").write(tmp_path / "page.html")
    page = opened(browser, path, viewport=DESK, color_scheme=scheme, bypass_csp=True)
    page.tab.evaluate(AXE.read_text(encoding="utf-8"))
    page.press("Parts: show, hide")
    page.tab.locator(".group summary").first.click()
    page.tab.evaluate("window.sheetmbs.pin('FL wheel')")
    for word in ("Colour by force", "Instant centres"):
        if page.tab.get_by_role("button", name=f"Show or hide: {word}").count():
            page.press(f"Show or hide: {word}")
    page.press("Measure between")
    page.press("Save: picture, film, numbers")
    assert page.tab.evaluate(BROKEN, RULES) == [], "panels"
    page.tab.keyboard.press("Escape")
    problem = {
        "severity": "error",
        "cell": "Joints!C3",
        "found": "the text 'x'",
        "problem": "a rule",
        "mend": "mend it",
    }
    page.tab.evaluate("told => import('sheetmbs/main.js').then((page) => page.showProblems(told))", [problem])
    assert page.tab.evaluate(BROKEN, RULES) == [], "mistakes"
    page.tab.locator("article.chart").first.get_by_role("button", name="Enlarge").click()
    assert page.tab.evaluate(BROKEN, RULES) == [], "a large chart"
    page.tab.keyboard.press("Escape")
    page.press("Keys (?)")
    assert page.tab.evaluate(BROKEN, RULES) == [], "keys"
    assert page.said == []
    page.tab.context.close()


def spread(page):
    """Of bodies in the picture: how far they reach to the right, pixels, and where their middle is."""
    lefts = [each["left"] for each in page.positions().values()]
    return max(lefts) - min(lefts), sum(lefts) / len(lefts)


def test_keys_turn_and_zoom_the_scene_and_go_from_tab_to_tab(browser, paths):
    page = opened(browser, paths[0])
    page.tab.locator(".scene canvas").focus()
    before, time = page.positions(), page.ask("time()")
    page.tab.keyboard.press("Shift+ArrowRight")
    turned = page.positions()
    assert turned != before
    assert {k: v["x"] for k, v in turned.items()} == {k: v["x"] for k, v in before.items()}
    page.tab.keyboard.press("Shift+ArrowLeft")
    wide = spread(page)[0]
    page.tab.keyboard.press("+")
    assert spread(page)[0] > 1.15 * wide
    page.tab.keyboard.press("-")
    assert spread(page)[0] == pytest.approx(wide, rel=1e-3)
    assert page.ask("time()") == time
    tabs = page.tab.get_by_role("tab")
    tabs.first.focus()
    page.tab.keyboard.press("ArrowRight")
    assert tabs.nth(1).get_attribute("aria-selected") == "true"
    page.tab.keyboard.press("ArrowLeft")
    page.tab.keyboard.press("ArrowLeft")
    assert tabs.last.get_attribute("aria-selected") == "true"
    assert page.said == []
    page.tab.context.close()


def test_charts_are_taken_away_where_nothing_can_be_pointed_at(browser, paths):
    page = opened(browser, paths[0], viewport=TELEPHONE, is_mobile=True, has_touch=True)
    close = page.tab.locator("article.chart header").first.get_by_role("button", name="Take the chart away")
    assert close.evaluate("each => getComputedStyle(each).opacity") == "1"
    count = page.tab.locator("article.chart").count()
    close.tap()
    assert page.tab.locator("article.chart").count() == count - 1
    page.tab.context.close()


@pytest.mark.parametrize("height", [768, 1080])
def test_the_first_row_of_charts_is_seen_with_its_keys_and_its_axes_stand_level(browser, tmp_path, height):
    path = view(BOOKS / "car.xlsx", case="bump").write(tmp_path / "car.html")
    page = opened(browser, path, viewport={"width": 1366, "height": height})
    drawer = page.tab.locator(".drawer").bounding_box()
    cards = page.tab.locator("article.chart").all()
    row = [card for card in cards if abs(card.bounding_box()["y"] - cards[0].bounding_box()["y"]) < 2.0]
    keys = [card.locator(".keys").bounding_box() for card in row]
    assert len(row) >= 3
    assert all(box["y"] + box["height"] <= drawer["y"] + drawer["height"] for box in keys)
    plots = [card.locator(".uplot").bounding_box() for card in row]
    assert max(abs(box["height"] - plots[0]["height"]) for box in plots) < 1.5
    assert all(box["width"] <= card.bounding_box()["width"] + 1.0 for box, card in zip(plots, row, strict=True))
    page.tab.context.close()
