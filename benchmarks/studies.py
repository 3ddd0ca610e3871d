"""What a variant of a study costs, beside the loop that a user would write today, and beside exudyn's parameter variation.

Processor time of one core, warm; the median of the round that was disturbed least. A variant is the values of a few cells:
the formulas that depend on them are computed, then `Subject.solve` of `sheetmbs/studies/` gives the columns asked for. The
loop changes the same cells with openpyxl, saves the workbook, and reads and runs it with `sheetmbs.read`, which computes its
formulas, and `sheetmbs.run`; every number that both give is compared. exudyn assembles and solves the same mechanism from a
model that it is given, so that reading costs it nothing.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from statistics import median

import numpy as np
import openpyxl

import sheetmbs
from benchmarks import machine, tables
from benchmarks.cases import WORKBOOKS, Case
from benchmarks.options import Options
from sheetmbs.all_products import varied as subject_of
from sheetmbs.analysis.analyse import analyse
from sheetmbs.formulas.workbook_formulas import WorkbookFormulas
from sheetmbs.lower import lower
from sheetmbs.lower.lowering_cache import LoweringCache
from sheetmbs.mechanism.study_variants import seen_variant
from sheetmbs.products.varied_workbook import CellAt, CellValue, ChangedCells, FoundCase, VariedWorkbook
from sheetmbs.results.result_sheets import asked_tables
from sheetmbs.studies.solving.cell_changes import CellChanges
from sheetmbs.studies.study_book import Floats, StudyBook, StudyVariable
from sheetmbs.suspension.run_suspension import run_suspension
from sheetmbs.workbook.cells.cell_places import place_of_cell
from sheetmbs.workbook.cells.cells import open_book, with_cells
from sheetmbs.workbook.cells.written_book import written_book
from sheetmbs.workbook.reading.incremental_reader import IncrementalReader
from sheetmbs.workbook.sheets.sheet_contents import ResultSheets

SPREAD = 1e-3
"""by which the varied numbers differ from those of the workbook"""
VARIANTS, LOOPS = 40, 3
EXACT = 1e-12
"""rtol of the solution that accuracies are measured by"""
STEPS = (5e-3, 2e-3, 1e-3)
"""of exudyn"""
Variant = ChangedCells


@dataclass(frozen=True)
class Bar:
    """What a variant of a workbook may cost. settings: cells changed in all variants. varied: cells. asked: by sheet.

    aim: variants a minute; None of a product, which no bar was set for.
    """

    name: str
    book: str
    case: str
    settings: Mapping[CellAt, CellValue]
    varied: tuple[CellAt, ...]
    asked: Mapping[str, tuple[str, ...]]
    aim: int | None

    @cached_property
    def path(self) -> Path:
        """The workbook."""
        return WORKBOOKS / f"{self.book}.xlsx"

    def subject(self) -> VariedWorkbook:
        """Ready to solve variants."""
        found = subject_of(with_cells(open_book(self.path), self.settings), [self.case] if self.case else [])
        found.prepare({found.cases[0]: self.asked})
        return found

    def solver(self) -> Callable[[Floats], FoundCase]:
        """What a study does at a point: formulas, and the case with the columns that are asked for."""
        subject, changes = self.subject(), self.changes()
        case = subject.cases[0]
        return lambda point: subject.solve(changes.at(point))[case]

    def changes(self) -> CellChanges:
        """From values of the varied cells to all cells that change with them."""
        formulas = WorkbookFormulas(written_book(open_book(self.path)))
        places = (place_of_cell(cell) for cell in self.varied)
        held = [float(str(formulas.stored(place))) for place in places]
        named = zip(self.varied, held, strict=True)
        variables = tuple(StudyVariable("!".join(cell), (cell,), (number,)) for cell, number in named)
        return CellChanges(StudyBook("list", (self.case,), variables, ()), formulas)

    def points(self, count: int) -> list[Floats]:
        """(cells,) values that the varied cells have."""
        held = self.changes().study.as_it_is
        random = np.random.default_rng(1)
        return [held * (1.0 + SPREAD * random.uniform(-1.0, 1.0, len(held))) for _ in range(count)]

    def variants(self, count: int) -> list[Variant]:
        """Cells that change, and with them all formulas that depend on them."""
        changes = self.changes()
        return [changes.at(point) for point in self.points(count)]


BARS = (
    Bar(
        "corner in bump, 41 rows, 6 responses", "double-wishbone", "bump", {("Settings", "B8"): 0.05},
        (("Points", "E9"), ("Points", "E10"), ("Points", "D6")),
        {"mbs Bodies": ("upright.x", "upright.z", "upright.yaw", "upright.roll"),
         "mbs Springs": ("spring.length", "spring.force")},
        10_000,
    ),
    Bar(
        "car in bump", "car", "bump", {}, (("Points", "E5"), ("Points", "E6")),
        {"mbs Bodies": ("upright FL.z", "upright FL.yaw", "upright FL.roll")}, 2_000,
    ),
    Bar(
        "A04 over 1 s", "bricard", "", {("Settings", "B9"): 1.0}, (("Dimensions", "B2"), ("Dimensions", "B4")),
        {"mbs Bodies": ("rod 2.x", "rod 2.y", "rod 2.z")}, 10_000,
    ),
    Bar(
        "quarter car, modes", "quarter-car", "", {}, (("Springs", "H3"), ("Springs", "H4")),
        {"mbs Modes": ("frequency", "damping")}, 20_000,
    ),
)  # fmt: skip


PRODUCTS = (
    Bar(
        "formula student car in heave, 25 rows, 3 responses", "formula-student", "heave", {},
        (("Hardpoints", "E10"), ("Hardpoints", "D10"), ("Hardpoints", "E5")),
        {"mbs Sweep heave": ("FL.toe", "FL.camber", "front.roll_centre_height")}, None,
    ),
)  # fmt: skip
"""workbooks of suspensions, which a plain run solves as a whole, with all designs, sweeps and load cases"""


def processor(work: Callable[[], object]) -> float:
    """Seconds of this process."""
    began = time.process_time()
    work()
    return time.process_time() - began


def least_median(solve: Callable[[Floats], object], points: Sequence[Floats], rounds: int) -> float:
    """Seconds of a variant: the median of a round, of the round that others disturbed least.

    Processor time of a virtual machine grows by half while its host serves others, for seconds at a time.
    """
    return min(median(processor(lambda at=point: solve(at)) for point in points) for _ in range(rounds))


def measured(bar: Bar, options: Options, folder: Path) -> dict[str, tables.Value]:
    """One row of the table: variants a minute, those of the loop, and by how much numbers of both differ."""
    solve = bar.solver()
    points = bar.points(VARIANTS // 4 if options.quick else VARIANTS)
    for point in points[:LOOPS]:
        problem = solve(point).problem
        if problem is not None:
            raise RuntimeError(f"{bar.name}: {problem}")
    spent = least_median(solve, points, options.runs)
    loop, worst = _loop(bar, solve, points[:LOOPS], folder)
    return {
        "study": bar.name,
        "ms": 1e3 * spent,
        "a_minute": 60.0 / spent,
        "aim": bar.aim,
        "loop_ms": 1e3 * loop,
        "times_faster": loop / spent,
        "differ": worst,
    }


def _loop(
    bar: Bar, solve: Callable[[Floats], FoundCase], points: Sequence[Floats], folder: Path
) -> tuple[float, float]:
    """Seconds of a variant saved, read and run; and the largest difference of a number from the study's."""
    path, found, worst = folder / f"{bar.book}.xlsx", [], 0.0
    for point in points:
        began = time.process_time()
        book = openpyxl.load_workbook(bar.path)
        typed = zip(bar.varied, point.tolist(), strict=True)
        for (sheet, cell), value in {**bar.settings, **dict(typed)}.items():
            book[sheet][cell].value = value
        book.save(path)
        sheets = _run(path, bar)
        found.append(time.process_time() - began)
        own = {table.name: table for table in sheets.tables}
        for sheet, table in solve(point).tables.items():
            for name in bar.asked[sheet]:
                mine, other = (each.values[:, each.columns.index(name)] for each in (table, own[sheet]))
                worst = max(worst, float(np.max(np.abs(mine - other))))
    return min(found), worst


def _run(path: Path, bar: Bar) -> ResultSheets:
    if bar in PRODUCTS:
        return run_suspension(path).sheets
    return sheetmbs.run(sheetmbs.read(path, case=bar.case or None)).sheets


def parts(bar: Bar, options: Options) -> dict[str, tables.Value]:
    """Where the time of a variant goes, ms."""
    again = IncrementalReader(with_cells(open_book(bar.path), bar.settings), None, bar.case or None)
    lowering_cache = LoweringCache()
    found: dict[str, list[float]] = {"reading": [], "lowering": [], "analysing": [], "reporting": []}
    for changed in [each for _ in range(options.runs) for each in bar.variants(VARIANTS // 4)]:
        times = [time.process_time()]
        model = again.model(changed)
        times.append(time.process_time())
        lowered = lower(model, lowering_cache)
        times.append(time.process_time())
        solution = analyse(lowered, tells=False, lowering_cache=lowering_cache)
        lowering_cache.is_complete = True
        times.append(time.process_time())
        seen = seen_variant(lowered, solution, bar.asked)
        list(seen.errors())
        list(asked_tables(seen, bar.asked))
        times.append(time.process_time())
        for name, spent in zip(found, np.diff(times), strict=True):
            found[name].append(float(spent))
    return {"study": bar.name} | {name: 1e3 * _least_median(each, options.runs) for name, each in found.items()}


def _least_median(times: Sequence[float], rounds: int) -> float:
    return min(median(each) for each in np.array_split(np.array(times), rounds))


def against_exudyn(options: Options) -> list[dict[str, tables.Value]]:
    """A04 over 1 s by exudyn's ParameterVariation and by a study: ms a variant, and distances of a rod's centre, m."""
    from exudyn.processing import ParameterVariation

    from benchmarks.exudyn_models import bodies_and_joints
    from benchmarks.exudyn_solver import Exudyn, Newton

    bar = BARS[2]
    variants = bar.variants(5 if options.quick else 10)
    again = IncrementalReader(with_cells(open_book(bar.path), bar.settings), None, None)
    cases = [_case(again.model(changed)) for changed in variants]
    solve, points = bar.solver(), bar.points(len(variants))
    rows: list[dict[str, tables.Value]] = []
    for step in STEPS:

        def solved(parameters: Mapping[str, float], step: float = step) -> float:
            case = cases[round(parameters["variant"])]
            system = bodies_and_joints(case.model(), case.place, redundant="hinge 6")
            return Exudyn(case, system, "trapezoidal, index 2", step, Newton(), sparse=False).error

        chosen = {"variant": list(range(len(cases)))}
        errors: list[float] = []

        def all_variants() -> None:
            errors[:] = ParameterVariation(solved, chosen, showProgress=False)[1]  # noqa: B023 - called at once

        spent = processor(all_variants)
        rows.append({"code": f"exudyn, h {step:g}", "ms": 1e3 * spent / len(cases), "error": max(errors)})
    tables_found = [solve(point).tables["mbs Bodies"] for point in points]
    mine = [
        case.error(np.array([table.values[-1, table.columns.index(f"rod 2.{axis}")] for axis in "xyz"]))
        for case, table in zip(cases, tables_found, strict=True)
    ]
    spent = least_median(solve, points, options.runs)
    rows.append({"code": "sheetmbs", "ms": 1e3 * spent, "error": max(mine)})
    return rows


def _case(model: sheetmbs.Model) -> Case:
    """A variant of A04 with the place of a rod's centre after 1 s as its reference."""
    exact = replace(model, settings=replace(model.settings, rtol=EXACT, atol=EXACT, t_step=1.0))
    rod = sheetmbs.run(exact).bodies.iloc[-1]
    x, y, z = (float(rod[f"rod 2.{axis}"]) for axis in "xyz")
    return Case("A04", "Bricard's mechanism", lambda: model, 1.0, "rod 2", (0.0, 0.0, 0.0), (x, y, z))


SHOWN = {
    "study": "study",
    "ms": "ms a variant",
    "a_minute": "variants a minute",
    "aim": "bar",
    "loop_ms": "saved, read and run, ms",
    "times_faster": "times faster",
    "differ": "largest difference",
}
IN_PARTS = {
    "study": "study",
    "reading": "changed cells to model",
    "lowering": "to arrays",
    "analysing": "start and solve",
    "reporting": "to columns",
}
PEERS = {"code": "A04 over 1 s", "ms": "ms a variant", "error": "largest error, m"}


def study(options: Options) -> None:
    """Run, print, and where all was asked for, save the tables and the section of README.md."""
    chosen = [bar for bar in BARS if options.wanted(bar.book)]
    products = [bar for bar in PRODUCTS if options.wanted(bar.book)]
    with tempfile.TemporaryDirectory() as folder:
        rows = [measured(bar, options, Path(folder)) for bar in (*chosen, *products)]
    shares = [parts(bar, options) for bar in chosen]
    peers = against_exudyn(options) if options.wanted("exudyn") else []
    shown = [(rows, SHOWN), (shares, IN_PARTS), (peers, PEERS)]
    for each, columns in shown:
        tables.show(each, columns)
    if options.save:
        tables.save("studies", rows)
        tables.save("studies-parts", shares)
        tables.save("studies-exudyn", peers)
        text = "\n\n".join(tables.markdown(each, columns) for each, columns in shown)
        tables.into_readme("studies", f"{machine.measured_on(options.runs, 'the least disturbed')}\n\n{text}")
