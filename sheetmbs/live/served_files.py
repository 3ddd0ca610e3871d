"""The files of the page as they are served: its frame made for that, its modules and styles as they are."""

from __future__ import annotations

from html import escape

from sheetmbs.live.served_page import PAGE, PageFile
from sheetmbs.viewing.page_files import STYLES, import_map, modules, page_file, page_html

BOOT = "boot/served.js"


def served_files() -> dict[str, PageFile]:
    """All files that are served, by their paths below the address of the page; there are no others."""
    links = "\n".join(f'<link rel="stylesheet" href="{escape(path)}">' for path in STYLES)
    head = (
        f'<script type="importmap">{import_map()}</script>\n{links}\n'
        f'<script type="module" src="{BOOT}"></script>\n<link rel="icon" href="data:,">'
    )
    found = {PAGE: PageFile(page_html(head).encode(), "text/html")}
    found |= {path: PageFile(page_file(path).read_bytes(), "text/css") for path in STYLES}
    scripts = (BOOT, *modules().values())
    return found | {path: PageFile(page_file(path).read_bytes(), "text/javascript") for path in scripts}
