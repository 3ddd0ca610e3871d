"""A page in one file, which needs no network and no server: modules, styles and numbers are packed into it."""

from __future__ import annotations

import gzip
import json
import re
from base64 import b64encode
from contextlib import suppress
from hashlib import sha256
from pathlib import Path

from sheetmbs.problems.errors import Problem, WorkbookError
from sheetmbs.viewing.closer import CloserPacked
from sheetmbs.viewing.packed import Json
from sheetmbs.viewing.page_files import STYLES, VENDORED, modules, page_file, page_html

POLICY = (
    "default-src 'none'; base-uri 'none'; form-action 'none'; img-src data: blob:; "
    "script-src {script} blob: 'nonce-{nonce}'; style-src {style}"
)
COMMENTS = re.compile(r"^ *(?:/\*\*(?:(?!\*/).)*\*/|// [^\n]*)\n", re.MULTILINE | re.DOTALL)
BOOT = "boot/one_file.js"
ENDINGS = (".html", ".htm")


def write_page(document: Json, path: Path) -> Path:
    """Write a page into a file; an earlier one is replaced. Raises WorkbookError where that cannot be."""
    check_page(path)
    text = one_file(document)
    part = path.with_name(f".{path.name}.part")
    try:
        part.write_text(text, encoding="utf-8", newline="\n")
        part.replace(path)
    except OSError as error:
        with suppress(OSError):
            part.unlink()
        rule = f"it cannot be written: {error.strerror or error}"
        raise WorkbookError(
            Problem("unwritable-page", "error", "", str(path), rule, "choose another place with --html")
        ) from None
    return path


def check_page(path: Path) -> None:
    """Raise WorkbookError where a file of this name is none for a page: replacing it, one could lose a workbook."""
    if path.suffix.casefold() in ENDINGS:
        return
    found = f"{path} ends in {path.suffix}" if path.suffix else f"{path} has no ending"
    rule = "a page is an HTML file, by whose ending browsers know it, and replaces a file of its name"
    mend = f"name it {path.with_suffix('.html')}" if path.name else "name a file, such as page.html"
    raise WorkbookError(Problem("not-a-page", "error", "", found, rule, mend))


def one_file(document: Json) -> str:
    """The HTML of a page that shows a document."""
    contents = {name: _module(name, path) for name, path in modules().items()}
    closer = CloserPacked(document)
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
    """The length of JSON, the JSON and bytes beside it, compressed, in base64: nothing can end the element that holds them."""
    text = json.dumps(contents, allow_nan=False, ensure_ascii=False, separators=(",", ":")).encode("utf-8")
    together = len(text).to_bytes(4, "little") + text + held
    return b64encode(gzip.compress(together, 9, mtime=0)).decode("ascii")


def _module(name: str, path: str) -> str:
    """A module; one of ours without its comments on lines of their own, which nobody can read in a page."""
    text = page_file(path).read_text(encoding="utf-8")
    return text if name in VENDORED else COMMENTS.sub("", text)


def _hash(text: str) -> str:
    """A source of a policy: this very text."""
    return f"'sha256-{b64encode(sha256(text.encode('utf-8')).digest()).decode('ascii')}'"
