"""A page in one file, which needs no network and no server: modules, styles and numbers are packed into it."""

from __future__ import annotations

import gzip
import json
import os
import re
import stat
from base64 import b64encode, b85encode
from hashlib import sha256
from pathlib import Path

from sheetmbs.problems.errors import Problem, WorkbookError
from sheetmbs.viewing.delta_encoding import DeltaEncoded
from sheetmbs.viewing.packed import Json
from sheetmbs.viewing.page_files import PAGE_MARK, STYLES, VENDORED, modules, page_file, page_html
from sheetmbs.workbook.package.archive import check_file_name
from sheetmbs.workbook.package.replace import replace_file

POLICY = (
    "default-src 'none'; base-uri 'none'; form-action 'none'; img-src data: blob:; "
    "script-src {script} blob: 'nonce-{nonce}'; style-src {style}"
)
COMMENTS = re.compile(r"^ *(?:/\*\*(?:(?!\*/).)*\*/|// [^\n]*)\n", re.MULTILINE | re.DOTALL)
INDENTED = re.compile(r"^[ \t]+(?://[^\n]*\n)?", re.MULTILINE)
"""what stands before the code of a line, with a comment that takes up the line; no text of a module goes over several lines"""
WITHOUT_TAGS = bytes.maketrans(b"<", b".")
BOOT = "boot/one_file.js"
ENDINGS = (".html", ".htm")
OFFER = "give another name with --html"
HEAD_BYTES = 1024
"""of a page, in which its mark stands"""


def write_page(document: Json, path: Path) -> Path:
    """Write a page into a file, which is returned; an earlier page of ours is replaced. Raises WorkbookError."""
    place = check_page(path)
    content = one_file(document).encode("utf-8")
    replace_file(place, None, lambda file: file.write(content), offer=OFFER)
    return path


def check_page(path: Path) -> Path:
    """Find out whether a page may be written there: the name is one of a page, and no foreign file would be lost.

    Returns the file, links followed. Raises WorkbookError.
    """
    place = Path(os.path.realpath(path))
    for each in (path, place):
        if each.suffix.casefold() not in ENDINGS:
            found = f"{each} ends in {each.suffix}" if each.suffix else f"{each} has no ending"
            rule = "a page is an HTML file, by whose ending browsers know it, and replaces an earlier page of its name"
            mend = f"name it {each.with_suffix('.html')}" if each.name else "name a file, such as page.html"
            raise WorkbookError(Problem("not-a-page", "error", "", found, rule, mend))
    check_file_name(place, OFFER)
    if not place.parent.is_dir():
        found = f"there is no folder {place.parent}"
        raise WorkbookError(
            Problem("unwritable-page", "error", "", found, "a page needs a folder", f"make it, or {OFFER}")
        )
    if os.path.lexists(place) and not _is_our_page(place):
        found = f"{place} exists and is no page that sheetmbs made"
        rule = "--html replaces only a page that an earlier run made"
        raise WorkbookError(Problem("foreign-page", "error", "", found, rule, f"delete that file, or {OFFER}"))
    return place


def _is_our_page(place: Path) -> bool:
    """Whether a file bears the mark of a page in its head."""
    try:
        if not stat.S_ISREG(place.stat().st_mode):
            return False
        with place.open("rb") as file:
            return PAGE_MARK in file.read(HEAD_BYTES)
    except OSError:
        return False


def one_file(document: Json) -> str:
    """The HTML of a page that shows a document."""
    contents = {name: _module(name, path) for name, path in modules().items()}
    closer = DeltaEncoded(document)
    packed = _packed({"modules": contents, "document": closer.document, "words": closer.words}, closer.held)
    boot = page_file(BOOT).read_text(encoding="utf-8")
    style = " ".join(" ".join(page_file(name).read_text(encoding="utf-8").split()) for name in STYLES)
    nonce = b64encode(sha256(packed.encode("ascii")).digest()[:18]).decode("ascii")
    policy = POLICY.format(script=_hash(boot), style=_hash(style), nonce=nonce)
    return page_html(
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n'
        f"<style>{style}</style>\n"
        f'<script type="application/octet-stream" id="packed" nonce="{nonce}">{packed}</script>\n'
        f"<script>{boot}</script>"
    )


def _packed(contents: Json, held: bytes) -> str:
    """The length of JSON, the JSON and bytes beside it, compressed, five letters for four bytes.

    None of these letters is / or <: nothing can end the element that holds them.
    """
    text = json.dumps(contents, allow_nan=False, ensure_ascii=False, separators=(",", ":")).encode("utf-8")
    together = len(text).to_bytes(4, "little") + text + held
    return b85encode(gzip.compress(together, 9, mtime=0)).translate(WITHOUT_TAGS).decode("ascii")


def _module(name: str, path: str) -> str:
    """A module without indentation and comments on lines of their own, which nobody can read in a page.

    The notices of copyright of the libraries stay.
    """
    text = page_file(path).read_text(encoding="utf-8")
    return INDENTED.sub("", text if name in VENDORED else COMMENTS.sub("", text))


def _hash(text: str) -> str:
    """A source of a policy: this very text."""
    return f"'sha256-{b64encode(sha256(text.encode('utf-8')).digest()).decode('ascii')}'"
