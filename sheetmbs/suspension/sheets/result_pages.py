"""All pages of a suspension, and the order of its sheets."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path

from sheetmbs.problems.errors import Problem
from sheetmbs.schema.table import Table
from sheetmbs.suspension.loads.design_loads import resting_turn
from sheetmbs.suspension.sensitivity.sensitivities import Sensitivities
from sheetmbs.suspension.sheets.design_values import DesignValues, design_values
from sheetmbs.suspension.sheets.drawn_lines import ShownDesign, swept_tables
from sheetmbs.suspension.sheets.geometry_views import DrawnDesign, geometry_views
from sheetmbs.suspension.sheets.page_values import page_values, standing_values
from sheetmbs.suspension.sheets.set_up_page import set_up_page
from sheetmbs.suspension.sheets.set_up_values import set_up
from sheetmbs.suspension.sheets.sizing_pages import members_page, packaging_page, sizing_values
from sheetmbs.suspension.sheets.stepped_rates import stepped_tables
from sheetmbs.suspension.sheets.suspension_charts import ChartSources, suspension_charts
from sheetmbs.suspension.sheets.suspension_metrics import suspension_metrics, suspension_sensitivity
from sheetmbs.suspension.sheets.suspension_model import suspension_model
from sheetmbs.suspension.sheets.suspension_page import PageContents, suspension_page
from sheetmbs.suspension.solved_design import SolvedDesign, design_pose
from sheetmbs.suspension.targets.target_report import JudgedTarget
from sheetmbs.workbook.sheets.page_contents import Page
from sheetmbs.workbook.sheets.sheet_contents import (
    CLEARANCES,
    COMPLIANCE,
    COMPLIANCE_PARTS,
    HANDLING_PAGE,
    HISTOGRAM,
    LOAD_EXTREMES,
    LOADS,
    SETUP,
    SIZED_MEMBERS,
    SUMMARY,
    SUSPENSION_CHARTS,
    SUSPENSION_METRICS,
    SUSPENSION_MODEL,
    SUSPENSION_PAGE,
    SUSPENSION_SENSITIVITY,
    TYRE_PAGE,
    TYRE_POINTS,
)


def shown_designs(designs: Sequence[SolvedDesign]) -> tuple[ShownDesign, ...]:
    """How designs are called and coloured."""
    return tuple(ShownDesign(each.name, each.design.shown, f"#{each.design.colour}") for each in designs)


def all_design_values(designs: Sequence[SolvedDesign]) -> tuple[DesignValues, ...]:
    """The metrics of designs at their design poses."""
    return tuple(map(_values_of, designs))


def _values_of(design: SolvedDesign) -> DesignValues:
    turn = resting_turn(design.car, design.systems, design.laws, design.on_elastic)
    found = design_values(design.name, design.car, design.at_design, turn, sizing_values(design.sizing))
    return replace(found, found={**found.found, **page_values(design, found.found)})


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


def result_pages(
    car: SolvedCar, tables: Sequence[Table], path: Path, when: datetime, problems: Sequence[Problem]
) -> tuple[Page, ...]:
    """All pages. tables: of the sweeps. when: the run, as pages say it."""
    shown = shown_designs(car.designs)
    plans = {name: plan for each in reversed(car.designs) for name, plan in each.plans.items()}
    swept = swept_tables(plans, tables)
    base = car.designs[0]
    sizing = {each.name: each.sizing for each in car.designs}
    set_ups = [set_up(each) for each in car.designs]
    values = [standing_values(*each) for each in zip(car.values, set_ups, strict=True)]
    contents = PageContents(
        path,
        when,
        values,
        shown,
        swept,
        problems,
        car.targets,
        base.loads,
        base.sizing,
        base.stands,
        base.loosening,
        car.title,
    )
    views = geometry_views([drawn_design(*each) for each in zip(car.designs, car.values, shown, strict=True)])
    stepped = stepped_tables(car.designs, swept)
    pages = (
        suspension_page(contents, views),
        set_up_page(set_ups, path, when, car.title),
        suspension_charts(base.car, swept, shown, base.loads, ChartSources(views, stepped, base)),
        suspension_model(base.merged),
        suspension_metrics(),
        suspension_sensitivity(car.sensitivities),
        members_page(sizing),
        packaging_page(sizing),
    )
    return tuple(page for page in pages if page is not None)


def drawn_design(design: SolvedDesign, values: DesignValues, shown: ShownDesign) -> DrawnDesign:
    """A design as it is drawn."""
    poses = {name: design_pose(system) for name, system in design.systems.items()}
    return DrawnDesign(shown, design.car, poses, values)


def sheet_order(tables: Sequence[Table], handling: Sequence[Table] = ()) -> tuple[str, ...]:
    """The names of the sheets of a suspension in their order. tables: of sweeps. handling: of rows of Handling."""
    sweeps = (table.name for table in tables)
    driven = (HANDLING_PAGE, *(table.name for table in handling))
    last = (SUSPENSION_CHARTS, SUSPENSION_MODEL, SUSPENSION_METRICS, SUSPENSION_SENSITIVITY, SUMMARY)
    sized = (SIZED_MEMBERS, CLEARANCES, SETUP, HISTOGRAM, COMPLIANCE, COMPLIANCE_PARTS, TYRE_PAGE, TYRE_POINTS)
    return (SUSPENSION_PAGE, *driven, *sweeps, LOADS, LOAD_EXTREMES, *sized, *last)
