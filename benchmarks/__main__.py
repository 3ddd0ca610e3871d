"""One command for all studies: `python -m benchmarks STUDY ...`, or `all`. Each writes results/*.csv and its pictures.

A study is a module with a function ``study(options)``; it is imported when it is run, for the peers are heavy.
"""

from __future__ import annotations

import argparse
from importlib import import_module

from benchmarks.options import Options

STUDIES = {
    "iftomm": ("benchmarks.iftomm", "A01 to A05: time and accuracy against exudyn and mujoco"),
    "andrews": ("benchmarks.andrews", "A03: work-precision diagrams of all integrators and the peers"),
    "positions": ("benchmarks.positions", "dogleg against Levenberg-Marquardt and Newton"),
    "multistep": ("benchmarks.multistep", "abm against dopri5 at equal error"),
    "links": ("benchmarks.links", "cost against the number of links of chains and arms of stars"),
    "hanging": ("benchmarks.hanging", "equilibrium and modes of chains of up to 1,000 bars"),
    "evaluation": ("benchmarks.evaluation", "microseconds and operations per evaluation against their bound"),
    "beams": ("benchmarks.beams", "mechanisms with flexible beams; cost against the number of links"),
    "reading": ("benchmarks.reading", "reading long time series against python-calamine"),
    "running": ("benchmarks.running", "a whole run on long time series against python-calamine reading them"),
    "rows": ("benchmarks.rows", "processor time around the solve, and of a thousand rows of results"),
    "suspension": ("benchmarks.suspension", "processor time of poses, metrics, sweeps and runs of a suspension"),
    "tyres": ("benchmarks.tyres", "a million states of each tyre model, with and without exact derivatives"),
    "handling_speed": ("benchmarks.handling_speed", "yaw-moment diagram, circle, g-g envelope and a metric of a study"),
    "studies": ("benchmarks.studies", "variants a minute of studies, against a loop of runs and exudyn"),
    "fits": (
        "benchmarks.fits",
        "fits of hardpoints: derivatives, the whole fit, coverage of 95 % bands over 400 seeds",
    ),
    "compliance": ("benchmarks.compliance", "equilibria and compliance of an axle, against differences of equilibria"),
    "scale": ("benchmarks.scale", "studies of many variants: 1, 2 and 4 workers; memory of 100,000 variants"),
    "gait": ("benchmarks.gait", "a trial from recording to joint moments against OpenSim"),
    "gait_session": ("benchmarks.gait_session", "a session of twelve trials: import, and runs with and without bands"),
    "pages": ("benchmarks.pages", "size of pages, how soon they show, frames a second without a graphics card"),
    "watching": ("benchmarks.watching", "from a save to the picture in a browser; memory after 1,000 saves"),
    "threads": ("benchmarks.threads", "one model, many runs side by side"),
    "writing": (
        "benchmarks.writing",
        "results into a workbook: time against a floor, memory, results larger than a sheet",
    ),
}


def main() -> None:
    """Run the studies named on the command line."""
    listed = "\n".join(f"  {name:12}{what}" for name, (_, what) in STUDIES.items())
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks",
        description=f"{(__doc__ or '').partition(':')[0]}:\n\n{listed}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("studies", nargs="*", metavar="STUDY")
    parser.add_argument("--runs", type=int, default=5, help="every time is the median of so many runs (default 5)")
    parser.add_argument("--quick", action="store_true", help="a part of the rows, to see that all works; saves nothing")
    parser.add_argument("--only", default="", metavar="NAMES", help="cases of the study, with commas; saves nothing")
    given = parser.parse_args()
    unknown = [name for name in given.studies if name not in (*STUDIES, "all")]
    if unknown:
        parser.error(f"there is no study {', '.join(unknown)}")
    if not given.studies:
        parser.print_help()
    only = tuple(name for name in given.only.split(",") if name)
    options = Options(runs=given.runs, quick=given.quick, only=only)
    for name in STUDIES if "all" in given.studies else given.studies:
        print(f"\n{name}: {STUDIES[name][1]}")
        import_module(STUDIES[name][0]).study(options)


if __name__ == "__main__":
    main()
