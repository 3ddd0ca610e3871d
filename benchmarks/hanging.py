"""Equilibrium and modes against size: chains of 20 to 1,000 hinged bars between two pegs, let down from the shape of a V.

Every bar is 1 m long and weighs 1 kg. With the horizontal pull H in every hinge, moments about a bar's middle give its slope,
tan(angle_k) = (k - (n - 1)/2) m g/H, and the span gives H: the error is the largest angle's difference from that, in rad.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import brentq

from benchmarks import tables, timing
from benchmarks.chains import hanging
from benchmarks.options import Options
from benchmarks.ready import ready, with_settings
from sheetmbs.engine.codes import Count

SIZES = (20, 50, 100, 200, 500, 1000)
QUICK = 100
MODES_UP_TO = 200
SLOPE = 0.6
WEIGHT = 9.81
LONG = 2.0
"""s; what takes longer is timed once"""


def slopes(links: int, span: float) -> NDArray[np.float64]:
    """(links,) angles of the bars at rest."""
    place = np.arange(links) - 0.5 * (links - 1)

    def missing(pull: float) -> float:
        return float(np.sum(np.cos(np.arctan(place * WEIGHT / pull)))) - span

    return np.arctan(place * WEIGHT / brentq(missing, 1e-3, 1e3 * WEIGHT * links, xtol=1e-12, rtol=1e-15))


def measured(links: int, analysis: str, runs: int) -> dict[str, tables.Value]:
    """What one chain costs. Raises RuntimeError where no equilibrium is found."""
    prepared = ready(with_settings(hanging(links, SLOPE), analysis=analysis))
    first = prepared.run()
    if first.status != "done":
        raise RuntimeError(f"chain of {links}: {first.problems}")
    seconds = prepared.run().seconds  # kernels are compiled by now
    if seconds < LONG:
        (seconds,) = timing.in_turns([lambda: prepared.run().seconds], runs)
    error = np.abs(first.q[0, 2::3] - slopes(links, links * np.cos(SLOPE))).max()
    return {
        "analysis": analysis,
        "links": links,
        "freedoms": prepared.structure.degrees_of_freedom,
        "seconds": seconds,
        "evaluations": int(first.counts[Count.EVALUATIONS]),
        "error": float(error),
    }


SHOWN = {
    "analysis": "analysis",
    "links": "links",
    "freedoms": "freedoms",
    "seconds": "s",
    "evaluations": "evaluations",
    "error": "error, rad",
}


def study(options: Options) -> None:
    """Run, print, and where all was asked for, save the table and the section of README.md."""
    rows = [
        measured(links, analysis, options.runs)
        for analysis, most in (("equilibrium", max(SIZES)), ("modes", MODES_UP_TO))
        if options.wanted(analysis)
        for links in SIZES
        if links <= most and (not options.quick or links < QUICK)
    ]
    tables.show(rows, SHOWN)
    if options.save:
        tables.save("hanging", rows)
        tables.into_readme("hanging", tables.markdown(rows, SHOWN))
