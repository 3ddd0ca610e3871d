"""A03: work-precision diagrams of every integrator of ours and of the peers, after Hairer and Wanner (1996), figure 7.3."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from benchmarks import iftomm, machine, plots, tables
from benchmarks.cases import CASES
from benchmarks.options import Options
from benchmarks.ours import Ours
from benchmarks.ratio import Row
from benchmarks.timing import in_turns
from sheetmbs.problems.errors import WorkbookError
from sheetmbs.schema.settings import SETTINGS

CASE = CASES["A03"]
TOLERANCES = tuple(10.0**-k for k in range(3, 12))
STEPS = (2e-4, 1e-4, 5e-5, 2e-5, 1e-5, 5e-6)
FIXED_STEP = ("rk4", "kutta-merson", "generalized-alpha", "hht")
INDEX_3 = ("generalized-alpha", "hht")
"""run with `formulation` = index-3; the others with auto"""


def integrators() -> tuple[str, ...]:
    """All that a workbook may name."""
    return next(setting.choices for setting in SETTINGS if setting.name == "integrator")


def study(options: Options) -> None:
    """Run all integrators and peers on A03, print and save the rows and the diagrams."""
    print(machine.sentence())
    found: list[tuple[Row, iftomm.Contestant]] = []
    refused: list[str] = []
    for name in integrators():
        if options.wanted(name):
            rows = _rows(name, options)
            found += rows
            refused += [] if rows else [name]
    if not options.only:
        found += iftomm.peers(CASE, options)
    seconds = in_turns([contestant.solve for _, contestant in found], options.runs)
    rows = iftomm.with_times([row for row, _ in found], seconds)
    tables.show([iftomm.shown(row) for row in rows], iftomm.ROW_COLUMNS)
    missing = f"This version does not have {', '.join(refused)}." if refused else ""
    print(missing)
    if options.save:
        tables.save("andrews", [iftomm.saved(row) for row in rows])
        plots.save(picture(rows), "andrews")
        tables.into_readme(
            "andrews", f"{machine.measured_on(options.runs)} {missing}".rstrip() + "\n\n![A03](results/andrews.png)"
        )


def _rows(name: str, options: Options) -> list[tuple[Row, iftomm.Contestant]]:
    """An integrator at all its tolerances or steps; nothing where this version does not have it."""
    fixed = name in FIXED_STEP
    sizes: Sequence[float] = STEPS if fixed else TOLERANCES
    formulation = "index-3" if name in INDEX_3 else "auto"
    found: list[tuple[Row, iftomm.Contestant]] = []
    for size in sizes[1:4] if options.quick else sizes:
        chosen = {"step": size} if fixed else {"rtol": size}
        try:
            ours = Ours(CASE, integrator=name, formulation=formulation, **chosen)
        except WorkbookError as error:
            if any(problem.code == "not-available" for problem in error.problems):
                return []
            raise
        except RuntimeError as error:
            print(f"{name}, {size:g}: {error}")
            continue
        setting = f"h {size:g}" if fixed else f"rtol {size:.0e}"
        row = Row("A03", "sheetmbs", formulation, name, setting, size, 0.0, ours.error, ours.error, ours.evaluations)
        found.append((row, ours))
    return found


def picture(rows: list[Row]) -> Figure:
    """Time over error, and evaluations over error for our own integrators."""
    made, (times, evaluations) = plots.figure(10.5, 5.4, 1, 2)
    keys = list(dict.fromkeys((row.code, row.formulation, row.method) for row in rows))
    ours = [key for key in keys if key[0] == "sheetmbs"]
    peers = [key for key in keys if key[0] != "sheetmbs"]
    colours = dict(zip(ours, plots.OURS, strict=False)) | dict(zip(peers, plots.PEERS, strict=False))
    for key, group in groupby(rows, key=lambda row: (row.code, row.formulation, row.method)):
        series = list(group)
        name = key[2] if key in ours else f"{key[0]}, {key[1]}, {key[2]}"
        _series(times, series, [1e3 * row.seconds for row in series], name, colours[key], peer=key in peers)
        if key in ours:
            _series(evaluations, series, [float(row.work or 0) for row in series], name, colours[key], peer=False)
    for panel, title, label in (
        (times, "Computing time", "time, ms"),
        (evaluations, "Evaluations of the equations of motion", "evaluations"),
    ):
        plots.logarithmic(panel)
        panel.invert_xaxis()
        plots.shade_beyond(panel, CASE.resolution, "the reference ends")
        panel.set_title(title)
        panel.set_xlabel("error of F at 0.05 s, m")
        panel.set_ylabel(label)
    handles, labels = times.get_legend_handles_labels()
    made.legend(handles, labels, loc="outside lower center", ncols=4)
    return made


def _series(panel: Axes, rows: list[Row], y: list[float], name: str, colour: str, *, peer: bool) -> None:
    plots.line(panel, [row.error for row in rows], y, name, colour, peer=peer, strong=name == "auto")
