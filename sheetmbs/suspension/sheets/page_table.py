"""Tables of values, front and rear or designs side by side: for the printed page, and in a few lines of text."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from sheetmbs.suspension.layout.car import SIDES, AxleData
from sheetmbs.suspension.sheets.design_values import DesignValues, differ
from sheetmbs.suspension.sheets.drawn_lines import ShownDesign
from sheetmbs.suspension.sheets.words import decimals, label, shown_unit
from sheetmbs.suspension.targets.target_report import JudgedTarget
from sheetmbs.workbook.package.styles import as_shown, number_format
from sheetmbs.workbook.sheets.page_contents import LookedCell, PageRow

MOST_LETTERS = 8
SIGNED = 10.0
"""a change with its sign is as long as a number so many times as large"""
AIM_HEADS, MET, MISSED = ("target", "off by", "met"), "✓", "✗"
MARKS = {True: MET, False: MISSED, None: ""}
"""of targets that are met, missed, or have nothing that tells"""
Group = tuple[str, tuple[str, ...]]
"""a title, and metrics"""


@dataclass(frozen=True)
class MetricRow(PageRow):
    """A row of the table of a car. aims: what the metric of each design is to be, judged."""

    aims: tuple[JudgedTarget, ...] = ()


@dataclass(frozen=True)
class PageTable:
    """The values of a car at design. aims: what columns of each design are to be, judged, by design and column."""

    values: Sequence[DesignValues]
    designs: Sequence[ShownDesign]
    aims: Mapping[tuple[str, str], JudgedTarget] = field(default_factory=dict)

    @property
    def is_side_by_side(self) -> bool:
        """Whether axles stand side by side: of one design that is not judged."""
        return len(self.values) == 1 and not self.aims

    @property
    def columns(self) -> int:
        """Number of columns of values."""
        if self.is_side_by_side:
            return len(self.values[0].axles)
        return 2 * len(self.values) - 1 + (len(AIM_HEADS) if self.aims else 0)

    def rows(self, groups: Sequence[Group]) -> list[MetricRow]:
        """All rows; what nobody has is left out."""
        axles = self.values[0].axles
        if self.is_side_by_side:
            return [row for group in groups for row in self._group(group, axles)]
        metrics = tuple(dict.fromkeys(metric for _title, metrics in groups for metric in metrics))
        of_axles = tuple(metric for metric in metrics if self.values[0].unit(metric) is None)
        of_car = tuple(metric for metric in metrics if metric not in of_axles)
        blocks: list[tuple[Group, tuple[str, ...]]] = [
            ((f"{axle.capitalize()} axle", of_axles), (axle,)) for axle in axles
        ]
        blocks.append((("Car", of_car), axles[:1]))
        return [row for group, of in blocks for row in self._group(group, of)]

    def _group(self, group: Group, axles: tuple[str, ...]) -> Iterator[MetricRow]:
        heading, metrics = group
        rows = [row for metric in metrics for row in self._of_metric(metric, axles)]
        if rows:
            heads = axles if self.is_side_by_side else self._design_heads()
            yield MetricRow(heading, "", tuple((head, "page column") for head in heads), is_head=True)
            yield from rows

    def _design_heads(self) -> list[str]:
        heads = [_short(self.designs[0].shown) if len(self.designs) > 1 else "value"]
        for design in self.designs[1:]:
            heads += [_short(design.shown), "change"]
        return [*heads, *(AIM_HEADS if self.aims else ())]

    def _of_metric(self, metric: str, axles: tuple[str, ...]) -> Iterator[MetricRow]:
        """The row of a metric, or one for each side where they differ."""
        found = [(each, axle, self._columns(each, axle, metric)) for each in self.values for axle in axles]
        units = [unit for each, _, names in found for name in names if (unit := each.unit(name)) is not None]
        if not units:
            return
        numbers = [[each.value(name) for name in names] for each, _, names in found]
        is_asymmetric = any(differ(pair) for pair in numbers if len(pair) > 1)
        for at, side in enumerate(SIDES if is_asymmetric else ("",)):
            of_side = [pair[min(at, len(pair) - 1)] if pair else None for pair in numbers]
            if all(value is None for value in of_side):
                continue
            names = [(each.name, pair[min(at, len(pair) - 1)]) for each, _axle, pair in found if pair]
            aims = tuple(self.aims[name] for name in names if name in self.aims)
            cells = (*self._cells(of_side, units[0], aims), *(_aim(aims, units[0]) if aims else ()))
            yield MetricRow(f"{label(metric)} {side}".rstrip(), shown_unit(units[0]), cells, aims=aims)

    @staticmethod
    def _columns(values: DesignValues, axle: str, metric: str) -> list[str]:
        """The columns of a metric of an axle: of both wheels, or of the axle; of the car with the first one."""
        if values.unit(metric) is not None:
            return [metric] if axle == values.axles[0] else []
        data = next((each for each in values.car.axles if each.name == axle), None)
        corners = [] if data is None else [f"{data.corner(side)}.{metric}" for side in SIDES]
        known = [name for name in corners if values.unit(name) is not None]
        return known or [f"{axle}.{metric}"]

    def _cells(
        self, numbers: Sequence[float | None], unit: str, aims: Sequence[JudgedTarget] = ()
    ) -> tuple[LookedCell, ...]:
        """The values of axles, or of designs with their changes; coloured where a target is met or missed."""
        places = min(decimals(unit, value) for value in numbers if value is not None)
        look = number_format(places)
        if self.is_side_by_side:
            return tuple((value, f"page {look}") for value in numbers)
        base = numbers[0]
        changes = [abs(value - base) for value in numbers[1:] if value is not None and base is not None]
        places = min([places, *(decimals(unit, SIGNED * change) for change in changes)])
        look = number_format(places)
        verdicts = {True: "met ", False: "missed ", None: ""}
        colours = {aim.design: verdicts[aim.is_met] for aim in aims}
        looks = [f"page {colours.get(each.name, '')}{look}" for each in self.values]
        cells: list[LookedCell] = [(base, looks[0])]
        for value, own in zip(numbers[1:], looks[1:], strict=True):
            change = None if value is None or base is None else _rounded(value - base, places)
            cells += [(value, own), (change, f"page change {look}")]
        return tuple(cells)


def _aim(aims: Sequence[JudgedTarget], unit: str) -> Iterator[LookedCell]:
    """What a metric is to be, how far the worst design is off, and a mark for each that is judged, in their order."""
    value = aims[0].target.value
    look = "page value" if value is None else f"page {number_format(decimals(unit, value))}"
    yield (aims[0].shown if value is None else value), look
    off = max((each.deviation for each in aims), key=abs)
    places = decimals(unit, off)
    yield _rounded(off, places), f"page change {number_format(places)}"
    marks = "".join(MARKS[each.is_met] for each in aims)
    if marks:
        yield marks, "page missed" if MISSED in marks else "page met"


def _short(name: str) -> str:
    """As much of a name as the head of a column holds."""
    return name if len(name) <= MOST_LETTERS else f"{name[: MOST_LETTERS - 1]}…"


def _rounded(change: float, places: int) -> float:
    """A change as it is, but for one that would be shown as a zero with a sign."""
    return change if abs(change) >= 0.5 * 10.0**-places else 0.0


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
