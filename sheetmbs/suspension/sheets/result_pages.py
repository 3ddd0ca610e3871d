"""All pages of a suspension, and the order of its sheets."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from pathlib import Path

from sheetmbs.problems.errors import Problem
from sheetmbs.schema.table import Table
from sheetmbs.suspension.sheets.design_values import design_values
from sheetmbs.suspension.sheets.drawn_lines import ShownDesign, swept_tables
from sheetmbs.suspension.sheets.suspension_charts import suspension_charts
from sheetmbs.suspension.sheets.suspension_metrics import suspension_metrics
from sheetmbs.suspension.sheets.suspension_model import suspension_model
from sheetmbs.suspension.sheets.suspension_page import PageContents, suspension_page
from sheetmbs.suspension.solved_design import SolvedDesign, design_pose
from sheetmbs.workbook.sheets.page_contents import Page
from sheetmbs.workbook.sheets.sheet_contents import (
    LOADS,
    SUMMARY,
    SUSPENSION_CHARTS,
    SUSPENSION_METRICS,
    SUSPENSION_MODEL,
    SUSPENSION_PAGE,
)


def result_pages(
    designs: Sequence[SolvedDesign], tables: Sequence[Table], path: Path, problems: Sequence[Problem]
) -> tuple[Page, ...]:
    """The pages of designs, the first of which is the workbook's own. tables: of their sweeps."""
    shown = [ShownDesign(each.name, each.design.shown, f"#{each.design.colour}") for each in designs]
    values = [
        design_values(
            each.name, each.car, {name: design_pose(system) for name, system in each.systems.items()}, each.laws
        )
        for each in designs
    ]
    plans = {name: plan for each in reversed(designs) for name, plan in each.plans.items()}
    swept = swept_tables(plans, tables)
    contents = PageContents(path, datetime.now().astimezone(), values, shown, swept, problems)
    charts = suspension_charts(designs[0].car, swept, shown)
    model = suspension_model(designs[0].merged)
    return (suspension_page(contents), *([charts] if charts else []), model, suspension_metrics())


def sheet_order(tables: Sequence[Table]) -> tuple[str, ...]:
    """The names of the sheets of a suspension in their order."""
    sweeps = (table.name for table in tables)
    last = (SUSPENSION_CHARTS, SUSPENSION_MODEL, SUSPENSION_METRICS, SUMMARY)
    return (SUSPENSION_PAGE, *sweeps, LOADS, *last)
