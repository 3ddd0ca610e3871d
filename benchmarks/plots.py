"""One look for all pictures: light grid, few colours, lines named where they end or in a legend outside the data."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import matplotlib as mpl

mpl.use("Agg")

from matplotlib import pyplot as plt
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import FuncFormatter, LogLocator, NullFormatter

from benchmarks.tables import RESULTS

if TYPE_CHECKING:
    from matplotlib.axes import Axes

INK, MUTED, GRID = "#22303C", "#6B7780", "#E3E8EC"
OURS = (
    "#0B5FA5",
    "#C0504D",
    "#2E8B57",
    "#8A5FBF",
    "#D9822B",
    "#1C9AAA",
    "#A0527A",
    "#6B8E23",
    "#34495E",
    "#B8860B",
    "#D45FA0",
    "#7A4B2A",
)
PEERS = ("#5F6B75", "#A9B3BB", "#B4532A", "#DDA98F")

FEW_DECADES = 1e3
"""range of an axis below which more than its powers of ten are labelled"""

mpl.rcParams.update(
    {
        "font.family": "DejaVu Sans",
        "font.size": 9.5,
        "text.color": INK,
        "axes.edgecolor": MUTED,
        "axes.labelcolor": INK,
        "axes.titlesize": 11,
        "axes.titleweight": "bold",
        "axes.titlelocation": "left",
        "axes.titlepad": 10,
        "axes.spines.top": False,
        "axes.spines.right": False,
        "axes.linewidth": 0.8,
        "axes.grid": True,
        "axes.axisbelow": True,
        "grid.color": GRID,
        "grid.linewidth": 0.8,
        "xtick.color": MUTED,
        "ytick.color": MUTED,
        "xtick.labelcolor": INK,
        "ytick.labelcolor": INK,
        "lines.linewidth": 1.6,
        "lines.markersize": 4.5,
        "legend.frameon": False,
        "legend.fontsize": 9,
        "figure.dpi": 110,
        "savefig.dpi": 160,
        "savefig.bbox": "tight",
        "savefig.pad_inches": 0.15,
    }
)


def figure(wide: float = 7.2, high: float = 4.6, rows: int = 1, columns: int = 1) -> tuple[Figure, list[Axes]]:
    """A figure with its axes in reading order; sizes in inches."""
    made, axes = plt.subplots(rows, columns, figsize=(wide, high), squeeze=False, layout="constrained")
    return made, list(axes.flat)


def logarithmic(axes: Axes, *, upwards: bool = True) -> None:
    """Logarithmic axes, to be called when all is drawn: powers of ten across, plain numbers (1, 2, 5, 10, ...) upwards."""
    axes.set_xscale("log")
    axes.xaxis.set_minor_formatter(NullFormatter())
    axes.xaxis.set_major_locator(LogLocator(base=10, numticks=8))
    if not upwards:
        return
    axes.set_yscale("log")
    low, high = axes.get_ylim()
    steps = (1.0, 2.0, 5.0) if high < FEW_DECADES * low else (1.0,)
    axes.yaxis.set_major_locator(LogLocator(base=10, subs=steps, numticks=15))
    axes.yaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:,.10g}"))
    axes.yaxis.set_minor_formatter(NullFormatter())


def shade_beyond(axes: Axes, error: float, text: str) -> None:
    """Grey out errors smaller than this one, with a word on why; the axis of errors runs to the right from large to small."""
    left, right = axes.get_xlim()
    if right < error < left:
        axes.axvspan(error, right, color=GRID, alpha=0.6, linewidth=0, zorder=0)
        axes.annotate(
            text, (error, 0.03), xycoords=("data", "axes fraction"), xytext=(3, 0), textcoords="offset points",
            color=MUTED, fontsize=8, rotation=90, va="bottom",
        )  # fmt: skip
        axes.set_xlim(left, right)


def line(
    axes: Axes,
    x: Sequence[float],
    y: Sequence[float],
    name: str,
    colour: str,
    *,
    peer: bool = False,
    strong: bool = False,
) -> Line2D:
    """A named series; peers are dashed, the one that matters most is strong."""
    (drawn,) = axes.plot(
        x, y, "--" if peer else "-", marker="s" if peer else "o", color=colour, label=name,
        linewidth=2.4 if strong else 1.3 if peer else 1.6, markersize=5.5 if strong else 4.0, zorder=4 if strong else 3,
        markerfacecolor="white" if peer else colour,
    )  # fmt: skip
    return drawn


def ring(axes: Axes, x: float, y: float, colour: str) -> Line2D:
    """A ring around one point of a series."""
    (drawn,) = axes.plot(
        [x], [y], "o", markersize=12, markerfacecolor="none", markeredgecolor=colour, markeredgewidth=1.4, zorder=5
    )
    return drawn


def save(made: Figure, name: str) -> Path:
    """Write results/<name>.png and close the figure."""
    RESULTS.mkdir(exist_ok=True)
    path = RESULTS / f"{name}.png"
    made.savefig(path)
    plt.close(made)
    return path
