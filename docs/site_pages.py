"""Pages of the site that stand outside `docs/`, all sheets and decisions in the menu, and what search finds: a hook of mkdocs.

README.md becomes the home page; CHANGELOG.md and benchmarks/README.md become pages of their own, with their pictures. Links
in them are rewritten to where their targets stand on the site.
"""

from __future__ import annotations

import posixpath
import re
import sys
from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

sys.path.insert(0, str(Path(__file__).parent))
import tables

ROOT = Path(__file__).parents[1]
PAGES = {
    "README.md": "index.md",
    "CHANGELOG.md": "changelog.md",
    "benchmarks/README.md": "benchmarks.md",
}
"""file of the repository -> page of the site"""
PICTURES = "benchmarks/results"
LINK = re.compile(r"\]\((?![a-z]+:)([^)#\s]+)")
DECISIONS = "decisions/README.md"
SHEETS = f"{tables.SHEET_PAGES}/index.md"
FOR_BUILDERS = ("decisions/", "architecture.md", "benchmarks.md", "changelog.md", "style.md")
"""beginnings of pages that nobody who uses the program looks for: search leaves them out"""
BOOSTS = {
    "howto/": 4.0,
    "install.md": 4.0,
    "suspension-metrics.md": 5.0,
    "faq.md": 2.0,
    "troubleshooting.md": 2.0,
    "methods.md": 0.05,
    "api.md": 0.05,
    "corner-models.md": 0.3,
}
"""beginning of a page -> weight of its hits in the search, 1 for all others"""


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """Put every sheet and every decision into the menu, in their order, behind the pages that list them."""
    numbered = sorted(page.name for page in (ROOT / "docs" / "decisions").glob("0*.md"))
    _list_with(config.nav, DECISIONS).extend(f"decisions/{name}" for name in numbered)
    groups = {group: [sheet.name for sheet in sheets] for group, sheets in tables.GROUPS.items()} | tables.RESULT_GROUPS
    for group, names in groups.items():
        pages = [f"{tables.SHEET_PAGES}/{tables.sheet_page(name).name}" for name in names]
        _list_with(config.nav, SHEETS).append({group: pages})
    return config


def on_page_markdown(markdown: str, page: Page, **_context: object) -> str:
    """Let links of pages in `docs/` to files outside it lead to the pages that these are here."""
    here = page.file.src_uri

    def moved(found: re.Match[str]) -> str:
        target = posixpath.normpath(posixpath.join("docs", posixpath.dirname(here), found[1]))
        return f"]({posixpath.relpath(PAGES[target], posixpath.dirname(here) or '.')}" if target in PAGES else found[0]

    return markdown if here in PAGES.values() else LINK.sub(moved, markdown)


def on_page_content(html: str, page: Page, **_context: object) -> str:
    """Tell the search how much a page counts."""
    source = page.file.src_uri
    boost = next((weight for beginning, weight in BOOSTS.items() if source.startswith(beginning)), 1.0)
    page.meta["search"] = {"exclude": source.startswith(FOR_BUILDERS), "boost": boost}
    return html


def on_post_build(config: MkDocsConfig) -> None:
    """Remove what only those need who debug the theme: it is a third of the site."""
    for unused in Path(config.site_dir).rglob("*.map"):
        unused.unlink()


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the pages and pictures that stand outside `docs/`."""
    for source, page in PAGES.items():
        text = (ROOT / source).read_text(encoding="utf-8")
        files.append(File.generated(config, page, content=as_site_page(text, source)))
    for picture in sorted((ROOT / PICTURES).glob("*.png")):
        files.append(File.generated(config, f"results/{picture.name}", abs_src_path=str(picture)))
    return files


def as_site_page(text: str, source: str) -> str:
    """A page of the repository with its links as they lead on the site. source: its path in the repository."""

    def moved(found: re.Match[str]) -> str:
        target = posixpath.normpath(posixpath.join(posixpath.dirname(source), found[1]))
        there = PAGES.get(target, target.removeprefix("docs/").removeprefix("benchmarks/"))
        return f"]({there}"

    return LINK.sub(moved, text)


def _list_with(nav: list[object], page: str) -> list[object]:
    """The list of the menu in which a page stands."""
    for entry in nav:
        if entry == page:
            return nav
        for below in entry.values() if isinstance(entry, dict) else ():
            if isinstance(below, list) and (found := _list_with(below, page)):
                return found
    return []
