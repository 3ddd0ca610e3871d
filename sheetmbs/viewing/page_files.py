"""The files of the page: its modules, what they are called when they import each other, its style and its frame."""

from __future__ import annotations

import json
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Final

VENDORED: Final = {
    "three": "vendor/three.module.min.js",
    "uplot": "vendor/uPlot.esm.js",
}
"""names by which modules import the libraries -> files as their authors released them"""
STYLES = ("vendor/uPlot.min.css", "page.css")
PAGE_MARK = b'<meta name="generator" content="sheetmbs">'
"""a line of page.html by which a page of ours is known from a file that another program wrote"""
HEAD = "<!-- head -->"
"""where page.html takes what a served page and one file have each in their own way"""


def page_file(name: str) -> Traversable:
    """A file of `sheetmbs/page`."""
    return files("sheetmbs").joinpath("page", *name.split("/"))


def modules() -> dict[str, str]:
    """Names by which modules are imported -> their files: the libraries, and ours as ``sheetmbs/main.js``."""
    ours = sorted(each.name for each in page_file("").iterdir() if each.name.endswith(".js"))
    return {**VENDORED, **{f"sheetmbs/{name}": name for name in ours}}


def import_map(prefix: str = "./") -> str:
    """The import map of a page that is served. prefix: of the addresses of its files."""
    return json.dumps({"imports": {name: prefix + path for name, path in modules().items()}})


def page_html(head: str) -> str:
    """The frame of the page. head: its policy, styles and scripts, as HTML."""
    return page_file("page.html").read_text(encoding="utf-8").replace(HEAD, head)
