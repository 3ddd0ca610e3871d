"""Results of a suspension workbook: its designs as read, and what was solved, as sheets, pages and items."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from sheetmbs.measured.residuals import ComparedMeasurements
from sheetmbs.measured.with_measured import with_measured
from sheetmbs.model.named import unknown_name
from sheetmbs.problems.errors import Problem, WorkbookError
from sheetmbs.problems.listing import count
from sheetmbs.results.results import PagedResults
from sheetmbs.schema.suspension_inputs import POSES, SWEEPS
from sheetmbs.schema.table import Table
from sheetmbs.suspension.design_sensitivities import design_sensitivities, turns_in_words
from sheetmbs.suspension.design_warnings import design_warnings
from sheetmbs.suspension.designs.design_books import design_books
from sheetmbs.suspension.designs.design_list import folded_sheets
from sheetmbs.suspension.judged_designs import design_targets, judged_targets, of_sweep
from sheetmbs.suspension.kinematics.sweeps import swept_at_design
from sheetmbs.suspension.layout.car import CarData
from sheetmbs.suspension.limits.spring_checks import IMPLAUSIBLE, spring_problems
from sheetmbs.suspension.measured_targets import measured_values
from sheetmbs.suspension.moved_sweeps import detail_tables, is_animated, is_detailed, swept_picture
from sheetmbs.suspension.read_design import KnownDesigns, ReadDesign, check_sweeps, read_design
from sheetmbs.suspension.reading.plausible_points import mismatched_components
from sheetmbs.suspension.reading.read_sweeps import stray_poses
from sheetmbs.suspension.sheets.compliance_sheets import compliance_tables
from sheetmbs.suspension.sheets.damper_histogram import damper_histogram
from sheetmbs.suspension.sheets.design_values import DesignValues
from sheetmbs.suspension.sheets.drawn_lines import SWEEP_SHEET
from sheetmbs.suspension.sheets.handling_page import handling_page
from sheetmbs.suspension.sheets.handling_sheets import handling_tables
from sheetmbs.suspension.sheets.load_page import load_extremes_page, load_page
from sheetmbs.suspension.sheets.page_table import as_numbers, axle_in_words, key_values, summary_rows
from sheetmbs.suspension.sheets.result_pages import (
    SolvedCar,
    result_pages,
    sheet_order,
    shown_designs,
)
from sheetmbs.suspension.sheets.sweep_tables import on_paper, overlaid
from sheetmbs.suspension.sheets.tyre_sheets import tyre_sheets
from sheetmbs.suspension.solved_design import SolvedDesign, WantedCases
from sheetmbs.suspension.targets.target_report import JudgedTarget, with_targets
from sheetmbs.suspension.targets.target_rows import Target
from sheetmbs.workbook.cells.cells import Book
from sheetmbs.workbook.reading.cases import deduplicate
from sheetmbs.workbook.sheets.page_contents import Page, PagesOnDemand
from sheetmbs.workbook.sheets.sheet_contents import ResultSheets

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, repr=False)
class SuspensionResults(PagedResults):
    """What the sweeps of a suspension found. designs: the first, which is the workbook's own, and its variants.

    values: all metrics of each at its design pose. targets: how far each is from what it is to be.
    """

    designs: tuple[SolvedDesign, ...]
    values: tuple[DesignValues, ...]
    targets: tuple[JudgedTarget, ...]

    @property
    def base(self) -> SolvedDesign:
        """First design of the workbook."""
        return self.designs[0]

    @property
    def one_line_summary(self) -> str:
        """``front double wishbone, push-rod; rear multilink``."""
        return "; ".join(map(axle_in_words, self.base.car.axles))

    @property
    def in_short(self) -> list[tuple[str, ...]]:
        """The values by which a suspension is known, as rows of texts: what, its unit, and of each axle or design."""
        return list(summary_rows(self.values, shown_designs(self.designs)))

    @property
    def at_design(self) -> dict[str, dict[str, float]]:
        """Every metric at design that has a value, by the names of designs and columns."""
        return as_numbers(self.values, shown_designs(self.designs))

    @property
    def units(self) -> dict[str, str]:
        """The units of these columns."""
        return {column: unit for each in self.values for column, (_value, unit) in each.found.items()}

    def __repr__(self) -> str:
        """The axles, designs and sweeps, in a few words."""
        designs, sweeps = count(len(self.designs), "design"), ", ".join(self.base.plans)
        return f"<SuspensionResults {self.path.stem}: {self.one_line_summary}; {designs}; sweeps {sweeps}>"

    @property
    def metrics(self) -> pd.DataFrame:
        """All metrics at the design pose: a row for each, a column for each design, and one of units."""
        import pandas as pd

        frame = pd.DataFrame(self.at_design)
        frame.insert(0, "unit", [self.units.get(str(name), "") for name in frame.index])
        return frame

    @property
    def sweeps(self) -> dict[str, pd.DataFrame]:
        """The sheet of each sweep as a pandas frame, by its name."""
        names = dict.fromkeys(name for design in self.designs for name in design.plans)
        return {name: self.table(name).frame() for name in names}

    def table(self, sweep: str) -> Table:
        """The sheet of a sweep. Raises KeyError with the names that there are."""
        names = {
            table.name.removeprefix(SWEEP_SHEET): table
            for table in self.sheets.tables
            if table.name.startswith(SWEEP_SHEET)
        }
        if sweep not in names:
            raise KeyError(unknown_name(sweep, list(names)))
        return names[sweep]


@dataclass(frozen=True)
class ReadSuspension:
    """A suspension workbook as read: its designs, the first of which is its own.

    targets: of each design by its name, ``""`` the first. listing: warnings of the list of designs and of targets.
    """

    designs: tuple[ReadDesign, ...]
    targets: Mapping[str, tuple[Target, ...]]
    listing: tuple[Problem, ...]

    @property
    def car(self) -> CarData:
        """Car of the first design."""
        return self.designs[0].car

    @property
    def warnings(self) -> tuple[Problem, ...]:
        """Warnings of all designs."""
        found = {each.design.shown: each.model.warnings for each in self.designs}
        return (*self.listing, *deduplicate(found, "design"))


def read_suspension(book: Book, compare: Path | None = None) -> ReadSuspension:
    """The designs of a workbook. compare: another workbook that is one more design.

    Raises WorkbookError with every problem, each with its cell.
    """
    listed = design_books(book, compare)
    stray = stray_poses(folded_sheets(book.sheets, [schema.name for schema in (SWEEPS, POSES)]))
    found: list[ReadDesign] = []
    refused: dict[str, list[Problem]] = {}
    for each in listed.books:
        refused[each.design.shown] = list(stray)
        try:
            found.append(checked_springs(read_design(each.book, each.design)))
        except WorkbookError as error:
            refused[each.design.shown] += error.problems
    if any(refused.values()):
        raise WorkbookError(deduplicate(refused, "design"))
    check_sweeps(found)
    targets, warnings = design_targets([each.book for each in listed.books], found)
    first, *others = found
    unlike = [each for other in others for each in mismatched_components(first.car, other.car, other.design.shown)]
    implausible = deduplicate({each.design.shown: list(design_warnings(each)) for each in found}, "design")
    return ReadSuspension(tuple(found), targets, (*listed.warnings, *unlike, *implausible, *warnings))


def checked_springs(read: ReadDesign) -> ReadDesign:
    """A design with the warnings of its springs at design. Raises WorkbookError for springs that move nothing."""
    found: list[Problem] = []
    for axle in read.car.axles:
        if axle.springs:
            try:
                system = read.systems[axle.name]
            except WorkbookError:
                continue  # which its sweeps tell, with all that belongs to it
            if system.is_closed_at_design:
                found += spring_problems(read.car, swept_at_design(system))
    if any(each.severity == "error" for each in found):
        raise WorkbookError([*read.model.warnings, *found])
    if {each.code for each in read.model.warnings} & {IMPLAUSIBLE, "negative-preload"}:
        found = [each for each in found if each.code != IMPLAUSIBLE]  # which would tell the same unit or mass again
    return replace(read, model=replace(read.model, warnings=(*read.model.warnings, *found)))


def read_wanted(book: Book, wanted: WantedCases, known: KnownDesigns | None = None) -> tuple[ReadDesign, ...]:
    """The first design, with the others only where they count in what is wanted of it: in default sweeps and full lock.

    known: as in `read_design`.
    Raises WorkbookError with every problem, each with its cell.
    """
    own, *others = design_books(book, known=None if known is None else known.sheets).books
    first = read_design(own.book, own.design, known)
    given = {sweep.name for sweep in first.sweeps}
    is_free = not wanted.loads and not wanted.handling
    is_alone = bool(given) and is_free and wanted.sweeps is not None and wanted.sweeps <= given
    return (first, *(() if is_alone else (read_design(each.book, each.design, known) for each in others)))


def results_of(
    book: Book,
    read: ReadSuspension,
    designs: tuple[SolvedDesign, ...],
    values: tuple[DesignValues, ...],
    times: Callable[[], tuple[tuple[str, float | None, str], ...]],
    measured: ComparedMeasurements,
    *,
    with_sensitivities: bool,
) -> SuspensionResults:
    """All sheets. times: of the run, called when all else is done. measured: what was measured, beside the first design."""
    tables, targets = sweep_sheets(read, designs)
    by_points, unserved = design_sensitivities(designs[0], is_asked=with_sensitivities)
    told = deduplicate({design.design.shown: design.problems for design in designs}, "design")
    detailed = is_detailed(designs[0].car)
    general, unshown = detail_tables(designs[0], book.path) if detailed else ((), ())
    tyres = tyre_sheets([(design.design.name, design.tyres) for design in read.designs])
    problems = (*book.log.notes(), *read.listing, *told, *unserved, *unshown, *tyres.warnings, *measured.warnings)
    title = designs[0].model.settings.title or book.title
    logged = damper_histogram(designs)
    handling = handling_tables({design.name: design.handling for design in designs})
    solved = SolvedCar(designs, values, targets, by_points, title)
    lay_out = partial(all_pages, solved, tables, book.path, datetime.now().astimezone(), problems, tyres.pages)
    animation = swept_picture(designs[0], book.path) if is_animated(designs[0].car) else None
    sheets = ResultSheets(
        (*book.log.items, *design_summary(designs, values[0]), *times()),
        (
            *tables,
            *([] if logged is None else [logged]),
            *compliance_tables(designs),
            *general,
            *tyres.tables,
            *handling,
        ),
        problems=problems,
        pages=PagesOnDemand(lay_out),
        first=sheet_order(tables, handling),
        animation=animation,
    )
    sheets = with_measured(sheets, measured.found)
    return SuspensionResults(
        designs, values, targets, sheets=sheets, path=book.path, content=book.content, measured=measured.found
    )


def all_pages(
    car: SolvedCar,
    tables: tuple[Table, ...],
    path: Path,
    when: datetime,
    problems: tuple[Problem, ...],
    of_tyres: tuple[Page, ...],
) -> tuple[Page, ...]:
    """All pages of results. tables: of the sweeps. when: the run, as pages say it. of_tyres: those that are laid out."""
    loads = {design.name: design.loads for design in car.designs}
    driven = {design.name: design.handling for design in car.designs}
    pages = (
        *result_pages(car, tables, path, when, problems),
        load_page(loads),
        load_extremes_page(loads),
        *of_tyres,
        handling_page(driven, shown_designs(car.designs), car.title, car.targets),
    )
    return tuple(page for page in pages if page is not None)


def sweep_sheets(
    read: ReadSuspension, designs: tuple[SolvedDesign, ...]
) -> tuple[tuple[Table, ...], tuple[JudgedTarget, ...]]:
    """The sheets of sweeps with the columns of all designs and of what is aimed at, and how far designs are from that."""
    tables = tuple(swept_tables(designs))
    measured = measured_values(read.targets, read.designs, designs)
    targets = judged_targets(read.targets, designs, tables, measured)
    plans = {f"mbs Sweep {name}": plan for design in reversed(designs) for name, plan in design.plans.items()}
    return tuple(
        on_paper(
            with_targets(table, [each for each in targets if of_sweep(each.target) == table.name]),
            len(plans[table.name].swept),
        )
        for table in tables
    ), targets


def swept_tables(designs: tuple[SolvedDesign, ...]) -> Iterator[Table]:
    """A sheet for each sweep of any design, with the columns of all that have it."""
    for name in dict.fromkeys(name for design in designs for name in design.swept):
        having = [design for design in designs if name in design.swept]
        plan = having[0].plans[name]
        tables = {each.name: each.tables[name] for each in having}
        yield overlaid(tables, len(plan.swept))


def design_summary(
    designs: tuple[SolvedDesign, ...], values: DesignValues
) -> Iterator[tuple[str, str | int | float, str]]:
    """What was swept, and the values of the first design by which a suspension is known."""
    base = designs[0]
    yield from ((f"{axle.name} suspension", axle.type.name, "") for axle in base.car.axles)
    if len(designs) > 1:
        yield "designs", ", ".join(design.design.shown for design in designs), ""
    yield "gravity", base.car.gravity, "m/s^2"
    yield from ((f"sweep {name}", plan.rows, "poses") for name, plan in base.plans.items())
    yield from ((f"{corner} stands from design", travel * 1e3, "mm") for corner, travel in base.heights.items())
    yield from key_values(values)
    yield from turns_in_words(base)
