"""A01 to A05 against exudyn and mujoco: time to accuracy, both sides in turns in one run."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass, field, replace
from itertools import groupby

from matplotlib.figure import Figure

from benchmarks import machine, plots, tables
from benchmarks.cases import CASES, Case
from benchmarks.exudyn_models import System, bodies_and_joints, trees
from benchmarks.exudyn_solver import ADAPTIVE, Exudyn, Newton
from benchmarks.mujoco_models import Mujoco
from benchmarks.options import Options
from benchmarks.ours import Ours
from benchmarks.ratio import Row, best_near, cheapest_as_good, sure_errors
from benchmarks.timing import in_turns

TOLERANCES = (1e-3, 1e-4, 3e-5, 1e-5, 3e-6, 1e-6, 3e-7, 1e-7, 1e-8, 1e-9, 1e-10)
BODIES, TREES, LOOPS = "bodies and joints", "joint coordinates", "joint coordinates, soft loops"
MODELS: dict[str, Callable[..., System]] = {BODIES: bodies_and_joints, TREES: trees}


@dataclass(frozen=True)
class Series:
    """Rows of a peer that differ in step or tolerance alone, from coarse to fine.

    softness: of mujoco's loops, as a multiple of the step. redundant: the joint whose dependent row is left out.
    """

    formulation: str
    method: str
    sizes: tuple[float, ...]
    newton: Newton = field(default_factory=Newton)
    redundant: str = ""
    softness: float = 0.0

    @property
    def code(self) -> str:
        """The peer."""
        return "mujoco" if self.formulation == LOOPS else "exudyn"


ALPHA, TRAPEZOIDAL = "generalized-alpha", "trapezoidal, index 2"
OLD_JACOBIAN = Newton(tolerance=1e-6, iterations=2, every_step=False)

SERIES: dict[str, tuple[Series, ...]] = {
    "A01": (
        Series(BODIES, TRAPEZOIDAL, (5e-3, 2e-3, 1e-3, 8e-4, 5e-4), Newton(1e-8)),
        Series(BODIES, ALPHA, (5e-3, 2e-3, 1e-3, 5e-4), Newton(1e-8)),
        Series(TREES, "rk67", (0.2, 0.1, 0.05, 0.02)),
        Series(TREES, "rk44", (0.1, 0.05, 0.02, 0.01)),
        Series(TREES, "dopri5", (1e-5, 1e-6, 1e-7, 1e-8, 1e-9)),
    ),
    "A02-2": (
        Series(BODIES, ALPHA, (1e-2, 5e-3, 2e-3, 1e-3, 5e-4)),
        Series(TREES, ALPHA, (1e-2, 5e-3, 4e-3, 2e-3, 1e-3), Newton(1e-4)),
        Series(LOOPS, "rk4", (5e-3, 2e-3, 1e-3, 5e-4), softness=1.0),
    ),
    "A02-40": (
        Series(BODIES, ALPHA, (1e-2, 2e-3, 1e-3)),
        Series(TREES, ALPHA, (2e-2, 1e-2, 5e-3, 2.5e-3), Newton(1e-4)),
        Series(LOOPS, "rk4", (2e-3, 1e-3), softness=1.0),
    ),
    "A03": (
        Series(BODIES, TRAPEZOIDAL, (1e-4, 5e-5, 2e-5, 1e-5, 8e-6, 5e-6)),
        Series(BODIES, ALPHA, (1e-4, 5e-5, 2e-5, 1e-5, 5e-6)),
        Series(TREES, TRAPEZOIDAL, (1e-4, 5e-5, 2e-5, 1e-5, 8e-6), Newton(1e-4)),
        Series(TREES, ALPHA, (1e-4, 5e-5, 2e-5, 1e-5, 8e-6), Newton(1e-4)),
    ),
    "A04": (
        Series(BODIES, TRAPEZOIDAL, (1e-2, 5e-3, 2e-3, 1e-3), redundant="hinge 6"),
        Series(BODIES, ALPHA, (1e-2, 5e-3, 2e-3, 1e-3), redundant="hinge 6"),
        Series(TREES, TRAPEZOIDAL, (1e-2, 5e-3, 2e-3, 1e-3, 5e-4), Newton(1e-4), redundant="hinge 4"),
        Series(TREES, ALPHA, (1e-2, 5e-3, 2e-3, 1e-3, 5e-4), Newton(1e-4), redundant="hinge 4"),
        Series(LOOPS, "rk4", (2e-2, 1e-2, 5e-3, 2e-3, 1e-3), softness=1.5),
    ),
    "A05": (
        Series(BODIES, ALPHA, (5e-3, 2e-3, 1e-3, 5e-4), Newton(1e-4)),
        Series(BODIES, TRAPEZOIDAL, (5e-3, 2e-3, 1e-3, 5e-4), Newton(1e-6, iterations=3, every_step=False)),
        Series(TREES, TRAPEZOIDAL, (5e-3, 2e-3, 1e-3, 5e-4), OLD_JACOBIAN),
        Series(TREES, ALPHA, (5e-3, 2e-3, 1e-3, 5e-4), OLD_JACOBIAN),
        Series(TREES, "ode23", (1e-3, 1e-4, 1e-5)),
        Series(TREES, "dopri5", (1e-4, 1e-5)),
    ),
}

NEAR = {
    "exudyn": {"A01": 3.9e-5, "A02-2": 4.6e-5, "A02-40": 1.1e-4, "A03": 7.6e-7, "A04": 4e-6, "A05": 1.2e-4},
    "mujoco": {"A02-2": 2.9e-4, "A02-40": 2.9e-4, "A04": 6e-8},
}
"""errors near which a peer's best row is sought: those that the prototype of this solver was compared at"""

AIMS = {
    "exudyn": {"A01": 20, "A02-2": 100, "A02-40": 100, "A03": 50, "A04": 150, "A05": 10},
    "mujoco": {"A04": 40},
}
"""times faster than the peer"""

Contestant = Ours | Exudyn | Mujoco


def study(options: Options) -> None:
    """Run all cases, print and save their rows, the ratios, and a picture."""
    print(machine.sentence())
    rows: list[Row] = []
    for case in CASES.values():
        if options.wanted(case.name):
            found = measured(case, options)
            tables.show([shown(row) for row in found], ROW_COLUMNS)
            rows += found
    ratios = [ratio for _, group in groupby(rows, key=lambda row: row.case) for ratio in compared(list(group))]
    print()
    tables.show(ratios, RATIO_COLUMNS)
    if options.save:
        tables.save("iftomm", [saved(row) for row in rows])
        tables.save("iftomm-ratios", ratios)
        plots.save(picture(rows), "iftomm")
        tables.into_readme("iftomm", written(rows, ratios))


def measured(case: Case, options: Options) -> list[Row]:
    """All rows of a case, timed in turns."""
    print(f"\n{case.name}, {case.title}, {case.t_end:g} s")
    found = _ours(case, options) + peers(case, options)
    seconds = in_turns([contestant.solve for _, contestant in found], options.runs)
    return with_times([row for row, _ in found], seconds)


def with_times(rows: list[Row], seconds: list[float]) -> list[Row]:
    """The rows with their times and sure errors; rows of a series stand together, from coarse to fine."""
    timed = [replace(row, seconds=each) for row, each in zip(rows, seconds, strict=True)]
    found: list[Row] = []
    for _, group in groupby(timed, key=lambda row: (row.code, row.formulation, row.method, row.default)):
        series = list(group)
        sure = sure_errors([row.error for row in series])
        found += [replace(row, sure=each) for row, each in zip(series, sure, strict=True)]
    return found


def _ours(case: Case, options: Options) -> list[tuple[Row, Contestant]]:
    found: list[tuple[Row, Contestant]] = []
    chosen: tuple[float | None, ...] = (1e-4, 1e-6, 1e-8, None) if options.quick else (*TOLERANCES, None)
    for rtol in chosen:
        try:
            ours = Ours(case) if rtol is None else Ours(case, rtol=rtol)
        except RuntimeError as error:
            print(f"sheetmbs, rtol {rtol}: {error}")
            continue
        setting = "default" if rtol is None else f"rtol {rtol:.0e}"
        row = Row(case.name, "sheetmbs", "auto", "auto", setting, rtol or 0.0, 0.0, ours.error, ours.error)
        found.append((replace(row, work=ours.evaluations, default=rtol is None), ours))
    return found


def peers(case: Case, options: Options) -> list[tuple[Row, Contestant]]:
    """Rows of all peers of a case, still without times, and what is to be timed."""
    found: list[tuple[Row, Contestant]] = []
    for series in SERIES[case.name]:
        system = None
        for size in series.sizes[:2] if options.quick else series.sizes:
            name = f"{series.code}, {series.formulation}, {series.method}, {size:g}"
            try:
                if series.formulation == LOOPS:
                    peer: Contestant = Mujoco(case, size, series.softness, order="depth")
                else:
                    system = system or MODELS[series.formulation](case.model(), case.place, redundant=series.redundant)
                    sparse = len(case.model().bodies) > 10
                    peer = Exudyn(case, system, series.method, size, series.newton, sparse=sparse)
            except RuntimeError as error:
                print(f"{name}: {error}")
                continue
            setting = f"tolerance {size:.0e}" if series.method in ADAPTIVE else f"h {size:g}"
            row = Row(
                case.name, series.code, series.formulation, series.method, setting, size, 0.0, peer.error, peer.error
            )
            found.append((row, peer))
    return found


# --- ratios ------------------------------------------------------------------------------------------------------------

RATIO_COLUMNS = {
    "case": "case",
    "peer": "peer",
    "peer_row": "its row",
    "peer_ms": "ms",
    "peer_error": "error",
    "ours_row": "ours, as accurate",
    "ours_ms": "ms",
    "ours_error": "error",
    "ratio": "times faster",
    "aim": "aim",
    "default_ms": "default, ms",
    "default_error": "error",
    "default_ratio": "times faster",
}


def compared(rows: list[Row]) -> list[dict[str, tables.Value]]:
    """For each peer and formulation of a case: its best row, our cheapest row that is as accurate, our default row."""
    ours = [row for row in rows if row.code == "sheetmbs"]
    default = next((row for row in ours if row.default), None)
    found: list[dict[str, tables.Value]] = []
    for code, formulation in dict.fromkeys((row.code, row.formulation) for row in rows if row.code != "sheetmbs"):
        peers = [row for row in rows if (row.code, row.formulation) == (code, formulation)]
        case = peers[0].case
        best = best_near(peers, NEAR[code][case])
        good = cheapest_as_good(ours, best.error)
        found.append(
            {
                "case": case,
                "peer": f"{code}, {formulation}",
                "peer_row": f"{best.method}, {best.setting}",
                "peer_ms": 1e3 * best.seconds,
                "peer_error": best.error,
                "ours_row": good.setting if good else "none is",
                "ours_ms": 1e3 * good.seconds if good else None,
                "ours_error": good.error if good else None,
                "ratio": best.seconds / good.seconds if good else None,
                "aim": AIMS[code].get(case),
                "default_ms": 1e3 * default.seconds if default else None,
                "default_error": default.error if default else None,
                "default_ratio": best.seconds / default.seconds if default else None,
            }
        )
    return found


# --- how it is shown ---------------------------------------------------------------------------------------------------

ROW_COLUMNS = {
    "code": "code",
    "formulation": "formulation",
    "method": "method",
    "setting": "setting",
    "ms": "ms",
    "error": "error",
    "work": "evaluations",
}


def shown(row: Row) -> dict[str, tables.Value]:
    """A row for the terminal and the page."""
    return {key: value for key, value in saved(row).items() if key in ROW_COLUMNS}


def saved(row: Row) -> dict[str, tables.Value]:
    """A row for the CSV file."""
    columns = asdict(row)
    columns["ms"] = 1e3 * columns.pop("seconds")
    return columns


def written(rows: list[Row], ratios: list[dict[str, tables.Value]]) -> str:
    """What the page says of this study."""
    parts = [
        f"Measured on {machine.sentence()}.",
        tables.markdown(ratios, RATIO_COLUMNS),
        "![A01 to A05](results/iftomm.png)",
    ]
    for name, group in groupby(rows, key=lambda row: row.case):
        table = tables.markdown([shown(row) for row in group], ROW_COLUMNS)
        unit = "relative" if CASES[name].relative else "m"
        parts.append(f"<details><summary>{name}, all rows (errors: {unit})</summary>\n\n{table}\n\n</details>")
    return "\n\n".join(parts)


COLOURS = {"sheetmbs": plots.OURS[0], BODIES: "#5F6B75", TREES: "#B4532A", LOOPS: "#8A5FBF"}


def picture(rows: list[Row]) -> Figure:
    """One panel for each case: computing time over error."""
    made, panels = plots.figure(10.5, 6.6, 2, 3)
    names: dict[str, object] = {}
    for panel, (name, group) in zip(panels, groupby(rows, key=lambda row: row.case), strict=False):
        case = CASES[name]
        for key, each in groupby(
            (row for row in group if not row.default), key=lambda row: (row.code, row.formulation, row.method)
        ):
            series = list(each)
            code, formulation, _ = key
            ours = code == "sheetmbs"
            label = "sheetmbs, auto" if ours else f"{code}, {formulation}"
            colour = COLOURS["sheetmbs" if ours else formulation]
            errors, times = [row.error for row in series], [1e3 * row.seconds for row in series]
            names[label] = plots.line(panel, errors, times, label, colour, peer=not ours, strong=ours)
        plots.logarithmic(panel)
        panel.invert_xaxis()
        panel.set_title(f"{name.partition('-')[0]}  {case.title}")
        panel.set_xlabel("relative error" if case.relative else "error, m")
        panel.set_ylabel("time, ms")
    made.legend(names.values(), names.keys(), loc="outside lower center", ncols=4)
    return made
