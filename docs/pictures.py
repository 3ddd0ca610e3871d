"""Draw the mechanism of every example workbook: docs/images/mechanism-<workbook>.png."""

from __future__ import annotations

from pathlib import Path

import sheetmbs
from sheetmbs.all_products import MECHANISM, product_of
from sheetmbs.workbook.cells.cells import open_book

DOCS = Path(__file__).parent
WORKBOOKS = DOCS.parent / "workbooks"
CHOSEN: dict[str, tuple[str | None, list[float] | None]] = {
    "andrews": (None, [0.0, 0.01, 0.02]),
    "bricard": (None, [0.0, 0.6, 1.0]),
    "car": ("roll", [0.0, 1.0]),
    "compressor": (None, [0.0, 0.05, 0.09]),
    "double-wishbone": ("bump", [-1.0, 0.0, 1.0]),
    "flyball-governor": (None, [0.0, 1.0, 1.3]),
    "flexible-four-bar": (None, [0.0, 0.15, 0.35]),
    "flexible-loops": (None, [0.0, 0.25, 0.5]),
    "four-bar-windows": (None, [0.0, 0.5, 1.0]),
    "gyroscope": (None, None),
    "half-hat-leg": (None, [0.0, 0.25, 0.48, 0.7, 0.957]),
    "pendulum": (None, [0.0, 0.3, 0.45]),
    "pins-and-slides": (None, [0.0, 0.2, 0.4]),
    "quick-return": (None, None),
    "slider-crank": (None, [0.0, 0.05, 0.1]),
    "slider-crank-clearance": (None, [0.0, 0.002, 0.004]),
    "slider-crank-3d": (None, [0.0, 0.06, 0.12]),
    "wind-turbine": (None, None),
}
"""workbook -> case, times"""


def draw(name: str) -> Path:
    """Write the picture of one workbook and return its path."""
    case, times = CHOSEN.get(name, (None, None))
    result = sheetmbs.run(sheetmbs.read(WORKBOOKS / f"{name}.xlsx", case=case))
    path = DOCS / "images" / f"mechanism-{name}.png"
    sheetmbs.plot(result, times).savefig(path, dpi=60, metadata={"Software": None})
    return path


if __name__ == "__main__":
    for book in sorted(WORKBOOKS.glob("*.xlsx")):
        if product_of(open_book(book)) is MECHANISM:
            print(draw(book.stem))
