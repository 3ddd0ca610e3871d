"""Tables of the report: times and lengths of both sides, and the peaks of one side."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from sheetmbs.gait.sheets.charted_columns import OUT_OF_PLANE
from sheetmbs.gait.sheets.gait_columns import ANGLES
from sheetmbs.gait.sheets.gait_presentation import GaitPresentation
from sheetmbs.gait.sheets.shown_items import PeakChanges, ShownItem
from sheetmbs.gait.trial.gait_book import Side
from sheetmbs.workbook.charts.axes import pretty_unit
from sheetmbs.workbook.package.styles import number_format
from sheetmbs.workbook.sheets.page_contents import LookedCell, PageRow

VALUES, NARROW = 4, 4
"""columns of values of a table, after its labels and units, and narrow ones after them"""
TIMES = (
    ("stride time", 2),
    ("step time", 2),
    ("stance", 1),
    ("swing", 1),
    ("double support", 1),
    ("stride length", 2),
    ("step length", 2),
)
OF_BOTH = (("cadence", 1), ("speed", 2))
"""items, and with how many decimals they are read"""
PEAKS = (
    ("angle max", "angle, largest", 1),
    ("angle min", "angle, smallest", 1),
    ("moment max", "moment, largest", 2),
    ("moment min", "moment, smallest", 2),
    ("power max", "power, largest", 2),
    ("power min", "power, smallest", 2),
    ("work positive", "work, positive", 3),
    ("work negative", "work, negative", 3),
)
"""items of a joint, what they are called, decimals"""
SHORT = {"moment_adduction": "moment add.", "moment_rotation": "moment rot.", "mx": "moment x", "my": "moment y"}
"""names of moments that their column holds"""
COARSE = {"N*m": 1, "W": 0, "J": 1, "%BW*height": 2}
"""decimals of units that are not by mass"""
ESTIMATE = "e"
"""marks what is known by events that the motion tells"""
PARTS_OF_STRIDE = ("stance", "swing", "double support")
"""items that stand in grey italics where they are estimates"""
LEAST_FOR_SD = 3
"""least number of values whose standard deviation is printed: that of two only says how far apart they are"""
PLUS_MINUS = "\N{PLUS-MINUS SIGN} SD"


def out_of_plane_peaks(quantities: Iterable[str]) -> tuple[tuple[str, str, int], ...]:
    """Items of a joint that only trials in space have, what they are called, decimals."""
    return tuple(
        (
            f"{quantity.replace('_', ' ')} {word}",
            f"{SHORT.get(quantity, quantity)}, {word}",
            1 if OUT_OF_PLANE[quantity] == ANGLES else 2,
        )
        for quantity in quantities
        for word in ("max", "min")
    )


def times_table(gait: GaitPresentation, items: Sequence[ShownItem], sides: Sequence[Side]) -> list[PageRow]:
    """Times and lengths, side by side, and what belongs to neither, each with how many it is the mean of."""
    say = gait.say
    heads: list[LookedCell] = [(head, "page column") for side in sides for head in (say(side), PLUS_MINUS)]
    numbered: list[LookedCell] = [(f"n {side[0].upper()}" if len(sides) > 1 else "n", "page column") for side in sides]
    rows = [PageRow(say("Times and lengths"), "", _with_narrow(heads, numbered, "page column"), is_head=True)]
    found = {(each.item, each.side): each for each in items}
    for item, places in TIMES:
        own = [found.get((item, side)) for side in sides]
        known = [each for each in own if each is not None]
        if known:
            cells = [cell for each in own for cell in _mean_and_sd(each, places)]
            numbers = [_count(each) for each in own]
            rows.append(PageRow(say(item), pretty_unit(known[0].unit), _with_narrow(cells, numbers)))
    counts = [("strides", _strides), *([("  with moments", count_kinetic)] if gait.has_forces else [])]
    for label, count in counts:
        counted: list[LookedCell] = [cell for side in sides for cell in (_whole(count(gait, side)), ("", "page value"))]
        rows.append(PageRow(say(label), "", tuple(counted)))
    walk = [(found[item, ""], places) for item, places in OF_BOTH if (item, "") in found]
    if walk:
        heads = [(say("mean"), "page column"), (PLUS_MINUS, "page column")]
        whole = _with_narrow(heads, [("n", "page column")], "page column")
        rows.append(PageRow(say("All strides"), "", whole, is_head=True))
    rows += [
        PageRow(say(each.item), pretty_unit(each.unit), _with_narrow(_mean_and_sd(each, places), [_count(each)]))
        for each, places in walk
    ]
    return rows


def _with_narrow(
    wide: Sequence[LookedCell], narrow: Sequence[LookedCell], look: str = "page value"
) -> tuple[LookedCell, ...]:
    """Cells of all columns of values, those of the narrow ones where these begin."""
    blank: LookedCell = ("", look)
    return (*wide, *[blank] * (VALUES - len(wide)), *narrow, *[blank] * (NARROW - len(narrow)))


def peaks_table(
    items: Sequence[ShownItem],
    changes: PeakChanges,
    side: Side,
    joints: Sequence[str],
    peaks: Sequence[tuple[str, str, int]] = PEAKS,
) -> Iterator[PageRow]:
    """Peaks and work of the joints of one side, with where in the stride they are, and how far they hang on what was chosen."""
    choices = list(changes.about())[:NARROW]
    wide = [(head, "page column") for head in ("mean", PLUS_MINUS, "at %", "n")]
    heads = _with_narrow(wide, [(size, "page column") for _, size in choices], "page column")
    for joint in joints:
        own = {each.item: each for each in items if each.side == side and each.joint == joint}
        if any(item in own for item, *_ in peaks):
            yield PageRow(joint.capitalize(), "", heads, is_head=True)
        for item, name, usual in peaks:
            each = own.get(item)
            if each is not None:
                unit = each.unit.partition(",")[0]
                places = COARSE.get(unit, usual)
                at: LookedCell = (
                    (each.at, f"page {number_format(0)}") if isinstance(each.at, float) else ("", "page value")
                )
                key, look = (item, side, joint), f"page {number_format(places)}"
                hang = [(changes.largest(key, about), look) for about, _ in choices]
                cells = _with_narrow((*_mean_and_sd(each, places), at, _count(each)), hang)
                yield PageRow(name, pretty_unit(unit), cells)


def _strides(gait: GaitPresentation, side: Side) -> int:
    return len(gait.counting(side))


def count_kinetic(gait: GaitPresentation, side: Side) -> int:
    """How many strides of a side enter means with moments."""
    both = zip(gait.of_side(side), gait.has_moments(side), strict=True)
    return sum(stride.counts and has_moments for stride, has_moments in both)


def _whole(number: int | None) -> LookedCell:
    return number, f"page {number_format(0)}"


def _count(each: ShownItem | None) -> LookedCell:
    """Of how many a mean is, with an e where events that the motion tells are behind it."""
    if each is None or each.n is None or not each.is_estimated:
        return _whole(None if each is None else each.n)
    return f"{each.n} {ESTIMATE}", "pale page value"


def _mean_and_sd(each: ShownItem | None, places: int) -> tuple[LookedCell, LookedCell]:
    look = f"page {number_format(places)}"
    if each is None:
        return (None, look), (None, look)
    if each.is_estimated and each.item in PARTS_OF_STRIDE:
        look = f"pale {look}"
    return (each.value, look), (None if each.n is None or each.n < LEAST_FOR_SD else each.sd, look)
