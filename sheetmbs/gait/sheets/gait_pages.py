"""All sheets of a solved gait workbook in their order, with the pages `mbs Gait summary`, `events` and `quality`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from sheetmbs.gait.arrays import Vector
from sheetmbs.gait.sheets.clinical_parameters import clinical_page
from sheetmbs.gait.sheets.consistency_page import consistency_page, representative_items
from sheetmbs.gait.sheets.course_problems import ITEM, estimated_words
from sheetmbs.gait.sheets.course_tables import series_tables, stride_tables
from sheetmbs.gait.sheets.gait_columns import ANGLES, MOMENTS, POWERS
from sheetmbs.gait.sheets.gait_presentation import GaitPresentation
from sheetmbs.gait.sheets.gait_scores import scores_page
from sheetmbs.gait.sheets.method_words import JOINT_CENTRE, settings_in_words
from sheetmbs.gait.sheets.report_page import report_page
from sheetmbs.gait.sheets.report_tables import ESTIMATE, PARTS_OF_STRIDE
from sheetmbs.gait.sheets.shown_items import NO_CHANGES, GaitContents, PeakChanges, shown_items
from sheetmbs.gait.sheets.uncertain_scores import uncertain_scores
from sheetmbs.gait.sheets.uncertainty_page import uncertainty_page
from sheetmbs.gait.strides.summary_items import OF_CENTRE, SummaryItem
from sheetmbs.model.model import Chart
from sheetmbs.problems.errors import Problem
from sheetmbs.results.charting.default_charts import charts_over
from sheetmbs.schema.table import Table
from sheetmbs.workbook.sheets.list_pages import Listed, listing, plain_listing
from sheetmbs.workbook.sheets.page_contents import Page, SummaryValue
from sheetmbs.workbook.sheets.sheet_contents import (
    GAIT_CLINICAL,
    GAIT_CONSISTENCY,
    GAIT_EVENTS,
    GAIT_QUALITY,
    GAIT_REPORT,
    GAIT_SCORES,
    GAIT_SUMMARY,
    GAIT_UNCERTAINTY,
)

HEADS = ("item", "side", "joint", "value", "sd", "n", "unit", "at", "u", "e")
UNITS = ("", "", "", "", "", "", "", "%", "", "")
WIDTHS = (44.0, 8.0, 11.0, 13.0, 12.0, 8.0, 33.0, 20.0, 10.0, 5.0)
VALUE_COLUMN, SD_COLUMN, U_COLUMN = 3, 4, 8
NOT_KNOWN, NOT_ON_PLATES = "no: not known in every frame", "no: a contact is not wholly on plates"
QUALITY_WIDTHS = (26.0, 28.0, 12.0, 17.0)
"""of the first columns, whose long texts are broken so that what stands to the right is printed large enough"""
STRIDE_HEADS = ("stride", "side", "trial", "start", "end", "toe off", "moments", "events", "in means")
STRIDE_UNITS = ("", "", "", "s", "s", "%", "", "", "")
EVENT_HEADS = ("event", "side", "time", "frame", "trial", "source", "plate", "offset", "u", "other method", "first")
EVENT_UNITS = ("", "", "s", "", "", "", "", "s", "s", "s", "")
EVENT_WIDTHS = (14.0, 9.0, 12.0, 9.0, 16.0, 48.0, 14.0, 12.0, 12.0, 13.0, 9.0)


@dataclass(frozen=True)
class GaitSheets:
    """The sheets of gait. order: their names in the order in which they stand. charts: those that the workbook asks for.

    problems: of these.
    """

    tables: tuple[Table, ...]
    pages: tuple[Page, ...]
    order: tuple[str, ...]
    charts: tuple[Chart, ...] = ()
    problems: tuple[Problem, ...] = ()


def gait_sheets(gait: GaitPresentation, contents: GaitContents) -> GaitSheets:
    """All that is shown of the trials of a workbook."""
    believed = contents.believed
    over_strides, series = tuple(stride_tables(gait, believed)), tuple(series_tables(gait, believed, contents.reduced))
    found = (
        report_page(gait, contents),
        summary_page(gait, contents.items, contents.cutoffs, contents.changes),
        clinical_page(gait, tuple(shown_items(gait, contents.items)), believed),
        scores_page(gait, None if believed is None else partial(uncertain_scores, believed=believed)),
        consistency_page(gait),
        events_page(gait),
        quality_page(contents.quality),
        uncertainty_page(gait, believed, contents.items),
    )
    pages = tuple(page for page in found if page is not None)
    order = (
        GAIT_REPORT,
        GAIT_SUMMARY,
        GAIT_CLINICAL,
        GAIT_SCORES,
        ANGLES,
        MOMENTS,
        POWERS,
        GAIT_CONSISTENCY,
        GAIT_EVENTS,
        GAIT_QUALITY,
        GAIT_UNCERTAINTY,
        *(table.name for table in series),
    )
    tables = (*over_strides, *series)
    first = {
        name: table.columns[0] for table in tables for each in table.columns for name in (each, f"{table.name}!{each}")
    }
    charts, problems = charts_over(gait.book.charts, tables, lambda columns: first[columns[0]])
    return GaitSheets(tables, pages, order, charts, problems)


def summary_page(
    gait: GaitPresentation,
    items: Sequence[SummaryItem],
    cutoffs: Mapping[str, Vector],
    changes: PeakChanges = NO_CHANGES,
) -> Page:
    """Items, then the settings in force as items whose value is said in words, then the list of strides.

    changes: of peaks, by which the page tells what hangs on where joint centres are.
    """
    rows: list[tuple[SummaryValue, ...]] = [
        (
            *(each.item, each.side, each.joint, each.value, each.sd, each.n, each.unit, each.at, each.u),
            ESTIMATE if each.is_estimated else "",
        )
        for each in shown_items(gait, items)
    ]
    pale = tuple(row for row, each in enumerate(rows) if each[-1] == ESTIMATE and each[0] in PARTS_OF_STRIDE)
    hanging = dict(_hanging_on_centres(gait, changes))
    rows += [
        (item, "", "", words + hanging.get(words.partition(":")[0], "") if item == JOINT_CENTRE else words)
        for item, words in settings_in_words(gait.book, gait.trials, cutoffs)
    ]
    rows += [(ITEM, "", "", words) for words in estimated_words(gait)]
    rows += [("representative stride", side, "", words) for side, words in representative_items(gait)]
    blocks = [Listed("", HEADS, tuple(rows), UNITS, own=(VALUE_COLUMN, SD_COLUMN, U_COLUMN), pale=pale)]
    strides = tuple(_strides(gait))
    if strides:
        blocks.append(Listed("Strides", STRIDE_HEADS, strides, STRIDE_UNITS))
    return plain_listing(GAIT_SUMMARY, blocks, widths=WIDTHS)


def _hanging_on_centres(gait: GaitPresentation, changes: PeakChanges) -> Iterator[tuple[str, str]]:
    """Joint centres, and by how much the moments of their joints change where they lie elsewhere."""
    upper = {row.name: row.proximal for row in gait.book.segments}
    size = dict(changes.about()).get(f"{OF_CENTRE} forward", "")
    for joint in gait.book.joints:
        found = [
            (change, unit)
            for (item, side, name), (_, unit) in changes.peaks.items()
            for way in ("forward", "up")
            if item in ("moment max", "moment min") and f"{side} {name}".strip() == joint.label
            if (change := changes.largest((item, side, name), f"{OF_CENTRE} {way}")) is not None
        ]
        if found and joint.distal in upper:
            most, unit = max(found)
            yield (
                upper[joint.distal],
                f"; {size} of it change the largest moments there by up to {most:.2g} {unit} ({GAIT_QUALITY})",
            )


def _strides(gait: GaitPresentation) -> Iterator[tuple[SummaryValue, ...]]:
    """Which stride is which: its number is that of the columns."""
    for side in gait.book.subject.sides:
        known = gait.has_moments(side)
        for number, (each, has_moments) in enumerate(zip(gait.of_side(side), known, strict=True), start=1):
            toe_off = None if each.toe_off is None else each.percent(each.toe_off)
            moments = "yes" if has_moments else NOT_KNOWN if each.is_kinetic else NOT_ON_PLATES
            events = "estimated" if each.is_estimated else "measured or given"
            in_means = "yes" if each.counts else "no"
            yield number, side, each.name, each.start, each.end, toe_off, moments, events, in_means


def events_page(gait: GaitPresentation) -> Page:
    """All events of all trials."""
    rows: list[tuple[SummaryValue, ...]] = [
        (
            *(each.kind, each.side, each.time, each.frame, each.trial, each.source, each.plate, each.offset),
            *(each.u, each.other, each.first),
        )
        for trial in gait.trials
        for each in trial.events
    ]
    return plain_listing(
        GAIT_EVENTS, [Listed("", EVENT_HEADS, tuple(rows), EVENT_UNITS, own=(2, 7, 8, 9))], widths=EVENT_WIDTHS
    )


def quality_page(tables: Sequence[Listed]) -> Page | None:
    """Titled tables one below the other; None where there are none."""
    if not tables:
        return None
    remark = "What the data themselves tell of their quality, and by how much peaks depend on what was chosen."
    return listing(GAIT_QUALITY, "Quality of the data", remark, tables, widths=QUALITY_WIDTHS)
