"""A suspension in a few lines, for terminals and programs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from sheetmbs.suspension.layout.car import AxleData
from sheetmbs.suspension.sheets.design_values import DesignValues
from sheetmbs.suspension.sheets.drawn_lines import ShownDesign
from sheetmbs.suspension.sheets.page_table import Group, PageTable
from sheetmbs.suspension.sheets.words import label
from sheetmbs.workbook.package.styles import as_shown

IN_SHORT: tuple[Group, ...] = (
    (
        "at design",
        (
            *("camber", "toe", "caster", "kpi", "kingpin_offset", "track", "roll_centre_height"),
            *("camber_gradient", "toe_gradient", "motion_ratio", "wheel_rate", "ride_frequency"),
            *("roll_stiffness", "roll_stiffness_front_share", "roll_gradient", "load_transfer_front_share"),
        ),
    ),
)


def axle_in_words(axle: AxleData) -> str:
    """``front double wishbone, push-rod``."""
    rod = axle.word("actuation")
    return f"{axle.name} {axle.type.name}" + (f", {rod}" if rod and rod != "direct" else "")


def summary_rows(values: Sequence[DesignValues], designs: Sequence[ShownDesign]) -> Iterator[tuple[str, ...]]:
    """Rows of texts: what, its unit, and its values, with heads where a block begins."""
    for row in PageTable(values, designs).rows(IN_SHORT):
        cells = (_shown(value, look) for value, look in row.cells)
        yield (row.label.strip(), "" if row.is_head or row.unit == "-" else row.unit, *cells)


def _shown(value: object, look: str) -> str:
    """A value with the decimals of its look."""
    if not isinstance(value, float):
        return str(value or "")
    sign = "+" if "change" in look else ""
    return f"{as_shown(value, look):{sign}.{int(look.rpartition(' ')[2])}f}"


def key_values(values: DesignValues) -> Iterator[tuple[str, float, str]]:
    """What a suspension is known by, as name, value and unit; of alike wheels the left one stands for both."""
    owners = {axle.name: (axle.corner("left"), axle.name) for axle in values.car.axles}
    for metric in IN_SHORT[0][1]:
        for axle, prefixes in owners.items():
            for prefix in prefixes:
                value = values.value(f"{prefix}.{metric}")
                if value is not None:
                    yield f"{axle} {label(metric)}", value, values.unit(f"{prefix}.{metric}") or ""
        of_car = values.value(metric)
        if of_car is not None:
            yield label(metric), of_car, values.unit(metric) or ""


def as_numbers(values: Sequence[DesignValues], designs: Sequence[ShownDesign]) -> dict[str, dict[str, float]]:
    """All columns that have a value at design, by the names of designs."""
    return {
        shown.shown: {column: value for column in each.found if (value := each.value(column)) is not None}
        for each, shown in zip(values, designs, strict=True)
    }
