"""A page in one file, which needs no network and no server: modules, styles and numbers are packed into it."""

from __future__ import annotations

import gzip
import json
from base64 import b64decode, b64encode
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np

from sheetmbs.problems.errors import Problem, WorkbookError
from sheetmbs.viewing.packed import Json
from sheetmbs.viewing.page_files import STYLES, modules, page_file, page_html

POLICY = (
    "default-src 'none'; base-uri 'none'; form-action 'none'; img-src data: blob:; "
    "script-src {script} blob: 'nonce-{nonce}'; style-src {style}"
)
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
    contents = {name: page_file(path).read_text(encoding="utf-8") for name, path in modules().items()}
    packed = _packed({"modules": contents, "document": closer(document)})
    boot = page_file(BOOT).read_text(encoding="utf-8")
    style = "\n".join(page_file(name).read_text(encoding="utf-8") for name in STYLES)
    nonce = b64encode(sha256(packed.encode("ascii")).digest()[:18]).decode("ascii")
    policy = POLICY.format(script=_hash(boot), style=_hash(style), nonce=nonce)
    return page_html(
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n'
        f"<style>{style}</style>\n"
        f'<script type="application/octet-stream" id="packed" nonce="{nonce}">{packed}</script>\n'
        f"<script>{boot}</script>"
    )


def closer(part: Any) -> Any:
    """A part of a document with its arrays packed closer, of which compression makes more; no bit of them changes.

    ``d32`` instead of ``f32``: differences of the numbers' bit patterns ``along`` an axis, the first of poses and the last
    of tables, series by series, all lowest bytes first.
    """
    if isinstance(part, list):
        return [closer(each) for each in part]
    if not isinstance(part, dict):
        return part
    if "f32" not in part:
        return {name: closer(each) for name, each in part.items()}
    patterns = np.frombuffer(b64decode(part["f32"]), dtype="<u4").reshape(part["shape"])
    along = 0 if patterns.ndim == 3 else patterns.ndim - 1
    series = np.moveaxis(patterns, along, -1).reshape(-1, patterns.shape[along])
    bytes_ = (
        np.ascontiguousarray(np.diff(series, axis=1, prepend=np.uint32(0)), dtype="<u4").reshape(-1, 1).view("u1").T
    )
    return {"shape": part["shape"], "along": along, "d32": b64encode(bytes_.tobytes()).decode("ascii")}


def _packed(contents: Json) -> str:
    """JSON, compressed, in base64: nothing in it can end the element that holds it."""
    text = json.dumps(contents, allow_nan=False, ensure_ascii=False, separators=(",", ":"))
    return b64encode(gzip.compress(text.encode("utf-8"), 9, mtime=0)).decode("ascii")


def _hash(text: str) -> str:
    """A source of a policy: this very text."""
    return f"'sha256-{b64encode(sha256(text.encode('utf-8')).digest()).decode('ascii')}'"
