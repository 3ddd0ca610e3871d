"""Pictures on a README that keep their proportions whatever fonts a program has.

XlsxWriter ties both corners of a picture to cells, and a program without the workbook's font makes columns wider than meant.
"""

from __future__ import annotations

import re
import struct
import zipfile
from pathlib import Path

DPI = 144
"""of the pictures"""
README_DRAWING = "xl/drawings/drawing1.xml"
TIED = re.compile(
    r"<xdr:twoCellAnchor[^>]*>(<xdr:from>.*?</xdr:from>)<xdr:to>.*?</xdr:to>(<xdr:pic>.*?)</xdr:twoCellAnchor>"
)
SIZE = re.compile(r'<a:ext cx="(\d+)" cy="(\d+)"/>')


def keep_sizes(path: Path) -> None:
    """Tie the pictures of a workbook's first drawing by their first corner only; the same bytes every time."""
    with zipfile.ZipFile(path) as package:
        parts = [(entry, package.read(entry)) for entry in package.infolist()]
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as package:
        for entry, content in parts:
            is_drawing = entry.filename == README_DRAWING
            package.writestr(entry, TIED.sub(_free, content.decode()).encode() if is_drawing else content)


def _free(anchor: re.Match[str]) -> str:
    size = SIZE.search(anchor[2])
    if size is None:
        raise ValueError(anchor[2])
    extent = f'<xdr:ext cx="{size[1]}" cy="{size[2]}"/>'
    return f"<xdr:oneCellAnchor>{anchor[1]}{extent}{anchor[2]}</xdr:oneCellAnchor>"


def height(picture: Path) -> int:
    """Height of a picture on a sheet, in pixels of which an inch has 96: PNG says its size in its first chunk."""
    rows = struct.unpack(">I", picture.read_bytes()[20:24])[0]
    return round(rows * 96 / DPI)
