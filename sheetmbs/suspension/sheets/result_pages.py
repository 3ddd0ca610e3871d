"""All pages of a suspension, and the order of its sheets."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from sheetmbs.problems.errors import Problem
from sheetmbs.schema.table import Table
from sheetmbs.suspension.loads.design_loads import transfer_at_one_g
from sheetmbs.suspension.sensitivity.sensitivities import Sensitivities
from sheetmbs.suspension.sheets.design_values import DesignValues, design_values
from sheetmbs.suspension.sheets.drawn_lines import ShownDesign, swept_tables
from sheetmbs.suspension.sheets.suspension_charts import suspension_charts
from sheetmbs.suspension.sheets.suspension_metrics import suspension_metrics, suspension_sensitivity
from sheetmbs.suspension.sheets.suspension_model import suspension_model
from sheetmbs.suspension.sheets.suspension_page import PageContents, suspension_page
from sheetmbs.suspension.solved_design import SolvedDesign
from sheetmbs.suspension.targets.target_report import JudgedTarget
from sheetmbs.workbook.sheets.page_contents import Page
from sheetmbs.workbook.sheets.sheet_contents import (
    LOAD_EXTREMES,
    LOADS,
    SUMMARY,
    SUSPENSION_CHARTS,
    SUSPENSION_METRICS,
    SUSPENSION_MODEL,
    SUSPENSION_PAGE,
    SUSPENSION_SENSITIVITY,
)


def shown_designs(designs: Sequence[SolvedDesign]) -> tuple[ShownDesign, ...]:
    """How designs are called and coloured."""
    return tuple(ShownDesign(each.name, each.design.shown, f"#{each.design.colour}") for each in designs)


def all_design_values(designs: Sequence[SolvedDesign]) -> tuple[DesignValues, ...]:
    """The metrics of designs at their design poses."""
    return tuple(
        design_values(each.name, each.car, each.at_design, transfer_at_one_g(each.car, each.systems, each.laws))
        for each in designs
    )


@dataclass(frozen=True)
class SolvedCar:
    """What has been found of a car. designs: the first of them is the workbook's own. values: of each at its design pose.

    title: of the workbook.
    """

    designs: tuple[SolvedDesign, ...]
    values: tuple[DesignValues, ...]
    targets: tuple[JudgedTarget, ...]
    sensitivities: tuple[Sensitivities, ...] = ()
    title: str = ""


def result_pages(car: SolvedCar, tables: Sequence[Table], path: Path, problems: Sequence[Problem]) -> tuple[Page, ...]:
    """All pages. tables: of the sweeps."""
    shown = shown_designs(car.designs)
    plans = {name: plan for each in reversed(car.designs) for name, plan in each.plans.items()}
    swept = swept_tables(plans, tables)
    when = datetime.now().astimezone()
    base = car.designs[0]
    contents = PageContents(
        path,
        when,
        car.values,
        shown,
        swept,
        problems,
        car.targets,
        base.loads,
        (*base.stands, *base.loosening),
        car.title,
    )
    pages = (
        suspension_page(contents),
        suspension_charts(base.car, swept, shown, base.loads),
        suspension_model(base.merged),
        suspension_metrics(),
        suspension_sensitivity(car.sensitivities),
    )
    return tuple(page for page in pages if page is not None)


def sheet_order(tables: Sequence[Table]) -> tuple[str, ...]:
    """The names of the sheets of a suspension in their order."""
    sweeps = (table.name for table in tables)
    last = (SUSPENSION_CHARTS, SUSPENSION_MODEL, SUSPENSION_METRICS, SUSPENSION_SENSITIVITY, SUMMARY)
    return (SUSPENSION_PAGE, *sweeps, LOADS, LOAD_EXTREMES, *last)
