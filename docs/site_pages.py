"""Pages of the site that stand outside `docs/`, and all decisions in the menu: a hook of mkdocs.

README.md becomes the home page; CHANGELOG.md and benchmarks/README.md become pages of their own, with their pictures. Links
in them are rewritten to where their targets stand on the site.
"""

from __future__ import annotations

import posixpath
import re
from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files

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


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """Put every decision into the menu, in its order, behind the page that lists them."""
    numbered = sorted(page.name for page in (ROOT / "docs" / "decisions").glob("0*.md"))
    _list_with(config.nav, DECISIONS).extend(f"decisions/{name}" for name in numbered)
    return config


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
