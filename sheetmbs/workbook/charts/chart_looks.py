"""What all charts have in common: colours, letters, texts, and what a series refers to."""

from __future__ import annotations

from typing import Any

from sheetmbs.workbook.charts.panels import PanelLine
from sheetmbs.workbook.sheets.xml_texts import NOT_XML

PALETTE = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#555555")
"""after Okabe and Ito: told apart with every kind of colour vision, and dark enough on white"""
TEXT, TITLE, FRAME, GRID, AXIS, ZERO = "#595959", "#1F3864", "#D9DEE7", "#E7EAEF", "#A6ADB8", "#7F8794"
SET_ASIDE = str.maketrans("!=", "\ufdd0\ufdd1")
BROUGHT_BACK = str.maketrans("\ufdd0\ufdd1", "!=")
"""signs of references in texts, and characters that no text has, which stand for them meanwhile"""


def font(size: int, color: str, *, bold: bool = False) -> dict[str, Any]:
    """Letters of a chart."""
    return {"size": size, "color": color, "bold": bold}


def series(line: PanelLine, name: str) -> dict[str, Any]:
    """The references of a series. name: a text that the legend shows in place of the header, or ""."""
    named = {"name": name} if name else {"name": f"={line.y.header}", "name_data": [line.y.name]}
    return {
        **named,
        "categories": f"={line.x.reference}",
        "categories_data": list(line.x.labels),
        "values": f"={line.y.reference}",
        "values_data": [],
        "smooth": False,
        "y2_axis": line.is_right,
    }


def literal(text: str) -> str:
    """A text that is shown as it stands: XlsxWriter takes `Bump!A1` and `=1` for references, with or without a sign."""
    return NOT_XML.sub("", text).translate(SET_ASIDE)
