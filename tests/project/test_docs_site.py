"""The documentation as a site: built without the net, opened from its folder, and searched there."""

import re
from pathlib import Path

import pytest

from tests.support.browsers import CHROMIUM, chromium

ROOT = Path(__file__).parents[2]
SOUGHT = {
    "install": "install.html",
    "upgrade": "install.html",
    "pandas": "howto/pandas.html",
    "units": "howto/units.html",
    "preload": "howto/preload.html",
    "add chart": "howto/chart.html",
    "accuracy check": "howto/accuracy-check.html",
    "share": "howto/share.html",
    "print": "howto/print.html",
    "compare designs": "howto/compare.html",
    "batch": "howto/batch.html",
    "linkage locks": "howto/linkage-locks.html",
    "redundant": "howto/redundant-constraints.html",
    "massless": "howto/massless-links.html",
    "motor torque": "howto/motor-torque.html",
    "natural frequency": "howto/frequencies.html",
    "export csv": "howto/csv.html",
    "hardpoints optimumk": "howto/import-optimumk.html",
    "camber": "suspension-metrics.html",
    "roll centre": "suspension-metrics.html",
    "load cases": "sheets/load-cases.html",
    "bodies": "sheets/bodies.html",
}
"""what people type -> the page that they look for"""
FETCHED = re.compile(r"<(?:script|img|link|iframe)[^>]*(?:src|href)=\"?(https?://[^\" >]+)")
PATIENCE = 20_000
"""ms"""


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """The folder of the built site."""
    mkdocs = pytest.importorskip("mkdocs.commands.build", reason="mkdocs is not installed: the extra docs")
    from mkdocs.config import load_config

    folder = tmp_path_factory.mktemp("site")
    mkdocs.build(load_config(str(ROOT / "mkdocs.yml"), site_dir=str(folder), strict=True))
    return folder


def test_no_page_fetches_anything(site):
    pages = list(site.rglob("*.html"))
    assert len(pages) > 100
    fetched = {found for page in pages for found in FETCHED.findall(page.read_text(encoding="utf-8"))}
    assert fetched == set()


def test_what_fetches_is_seen():
    assert FETCHED.findall('<script src="https://unpkg.com/iframe-worker/shim"></script>') == [
        "https://unpkg.com/iframe-worker/shim"
    ]


def test_pages_are_no_larger_than_needed(site):
    assert list(site.rglob("*.map")) == []
    reference = {"api.html", "methods.html", "benchmarks.html", "changelog.html"}
    sizes = {page.name: page.stat().st_size for page in site.rglob("*.html") if page.name not in reference}
    assert {name: size for name, size in sizes.items() if size > 150_000} == {}


def test_search_works_from_a_folder_without_a_network_and_finds_what_people_seek(site):
    if CHROMIUM is None:
        pytest.skip("Chromium is not installed")
    with chromium() as browser:
        tab = browser.new_context(offline=True, viewport={"width": 1280, "height": 800}).new_page()
        tab.set_default_timeout(PATIENCE)
        asked, failed = [], []
        tab.on("request", lambda request: asked.append(request.url))
        tab.on("pageerror", lambda error: failed.append(str(error)))
        tab.goto((site / "index.html").as_uri())
        box = tab.get_by_role("textbox", name="Search")
        found = {}
        for words in SOUGHT:
            box.fill("")
            tab.wait_for_function("!document.querySelector('.md-search-result__link')")
            box.press_sequentially(words)
            first = tab.locator(".md-search-result__link").first
            first.wait_for(state="attached")
            tab.wait_for_function(
                """words => { const link = document.querySelector('.md-search-result__link');
                   return link && decodeURIComponent(link.href.replaceAll('+', ' ')).endsWith('?h=' + words); }""",
                arg=words,
            )
            found[words] = first.get_attribute("href").split("?")[0].removeprefix(f"{site.as_uri()}/")
    assert found == SOUGHT
    assert [address for address in asked if not address.startswith("file:")] == []
    assert failed == []
