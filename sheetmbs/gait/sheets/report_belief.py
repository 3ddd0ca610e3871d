"""The last printed page of gait: peaks with their uncertainty, differences of sides, how it was made, and what was doubted."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from sheetmbs.gait.sheets.course_problems import estimated_words
from sheetmbs.gait.sheets.gait_presentation import GaitPresentation
from sheetmbs.gait.sheets.method_words import method_sentence
from sheetmbs.gait.sheets.report_parts import (
    BESIDE_LINK,
    LAST,
    LETTERS,
    LINE,
    OF_CHARTS,
    PER_COLUMN,
    ROW,
    SPACE,
    TABLE,
    TITLE,
    PrintedPart,
    height_of,
    said,
    titles,
    told_heights,
)
from sheetmbs.gait.sheets.report_tables import NARROW, VALUES, count_kinetic
from sheetmbs.gait.sheets.shown_items import GaitContents, shown_item
from sheetmbs.gait.strides.summary_items import SummaryItem
from sheetmbs.gait.trial.gait_book import Side
from sheetmbs.problems.errors import Problem
from sheetmbs.schema.uncertainty_inputs import SOURCE_WORDS
from sheetmbs.workbook.charts.axes import pretty_unit
from sheetmbs.workbook.package.styles import number_format
from sheetmbs.workbook.sheets.page_contents import PageCell, PageRow, placed_rows
from sheetmbs.workbook.sheets.sheet_contents import GAIT_UNCERTAINTY, PROBLEMS

NO_MOMENTS = "No moments, powers or forces of the ground: no stride stands wholly on force plates."
NO_FORCES = "No moments of the {} side: no stride of it that enters means has forces known in every frame."
NO_ENDS = (
    "Curves leave out {:g} cut-off period(s) at each end of a trial, where the filter knows less (edge on Processing)."
)
NO_STRIDES = "No stride: no two heel strikes of one side follow each other, so that nothing is drawn over the stride."
NO_BANDS = "The uncertainty of results was not asked for (bands = no on the sheet Processing)."
NONE_KNOWN = "No uncertainty of any peak is known: no stride that counts has moments or angles throughout."
MOST_ROWS, MOST_PROBLEMS = 30, 12
"""peaks and problems that this page has room for"""
CLEAR = 2.0
"""standard uncertainties by which two sides differ clearly"""
JOINTS = ("hip", "knee", "ankle")
SHOWN_PEAKS = ("angle max", "angle min", "moment max", "moment min", "power max", "power min")
"""items of a joint in the plane of the walk, which the page has room for"""


def belief_part(gait: GaitPresentation, contents: GaitContents, *, has_foot: bool) -> PrintedPart:
    """Peaks at the left, differences at the right. has_foot: below them method and problems, which no other page tells."""
    head = [*titles(gait, "What can be believed")]
    rows, beside = list(_peaks(gait, contents)), list(_differences(gait, contents))
    first = 5
    cells = [*head, *_placed(gait, rows, first), *placed_rows(beside, first, TABLE, VALUES + NARROW)]
    heights = {1: TITLE} | told_heights(head)
    if not rows:
        told = NO_BANDS if contents.believed is None else NONE_KNOWN
        cells.append(PageCell(first, 1, told, "page text", span=OF_CHARTS))
    last = first + max(len(rows) + 1 if rows else 1, len(beside))
    heights |= dict.fromkeys(range(first, last), ROW)
    heights[last] = SPACE
    lines = list(foot_lines(gait, contents, MOST_PROBLEMS)) if has_foot else []
    for row, (line, height) in enumerate(lines, start=last + 1):
        cells += [replace(cell, row=row) for cell in line]
        heights[row] = height
    return PrintedPart(tuple(cells), (), heights, last + len(lines))


def _known(gait: GaitPresentation, contents: GaitContents) -> list[SummaryItem]:
    """Peaks of hip, knee and ankle whose uncertainty is known, in the order of the table."""
    names = {row.name: kind for kind in JOINTS for side in gait.book.subject.sides if (row := gait.of_kind(kind, side))}
    found = [
        each
        for each in contents.items
        if each.quantity and each.u is not None and each.joint in names and each.item in SHOWN_PEAKS
    ]
    order = list(JOINTS)
    return sorted(found, key=lambda each: (SHOWN_PEAKS.index(each.item), order.index(names[each.joint]), each.side))


def _peaks(gait: GaitPresentation, contents: GaitContents) -> Iterator[tuple[object, ...]]:
    """Label, then left and right each with value, u and the source that makes most of it."""
    by_key: dict[tuple[str, str], dict[str, SummaryItem]] = {}
    for each in _known(gait, contents):
        by_key.setdefault((each.joint, each.item), {})[each.side] = each
    for (joint, _item), sides in list(by_key.items())[:MOST_ROWS]:
        shown = {side: shown_item(gait, each) for side, each in sides.items()}
        one = next(iter(shown.values()))
        cells: list[object] = [f"{gait.say(joint)} {gait.say(one.item)} ({pretty_unit(one.unit.partition(',')[0])})"]
        for side in _sides(gait):
            found = sides.get(side)
            value = None if found is None or contents.believed is None else contents.believed.of_peak(found)
            if found is None or value is None:
                cells += [None, None, ""]
            else:
                cells += [value.value, value.u, _largest(gait, value.shares)]
        yield tuple(cells)


def _largest(gait: GaitPresentation, shares: np.ndarray) -> str:
    """The source with the largest share, and that."""
    if not np.isfinite(shares).any():
        return ""
    most = int(np.nanargmax(shares))
    return f"  {gait.say(SOURCE_WORDS[most])} {shares[most]:.0f} %"


def _placed(gait: GaitPresentation, rows: Sequence[tuple[object, ...]], first: int) -> Iterator[PageCell]:
    """The table of peaks over the columns of charts: label, then two sides with value, u and the largest source."""
    if not rows:
        return
    say = gait.say
    yield PageCell(first, 1, say("Peaks with their uncertainty"), "page head", span=PER_COLUMN)
    column = PER_COLUMN + 1
    for side in _sides(gait):
        yield PageCell(first, column, say(side), "page column")
        yield PageCell(first, column + 1, "u", "page column")
        yield PageCell(first, column + 2, f"  {say('largest source')}", "page head", span=3)
        column += 5
    for row, cells in enumerate(rows, start=first + 1):
        yield PageCell(row, 1, cells[0], "page item", span=PER_COLUMN)  # type: ignore[arg-type]
        column = PER_COLUMN + 1
        for at in range(1, len(cells), 3):
            value, u, source = cells[at : at + 3]
            look = f"page {number_format(places(value))}"
            yield PageCell(row, column, value, look)  # type: ignore[arg-type]
            yield PageCell(row, column + 1, u, look)  # type: ignore[arg-type]
            yield PageCell(row, column + 2, source, "page unit", span=3)  # type: ignore[arg-type]
            column += 5


def _sides(gait: GaitPresentation) -> list[Side]:
    """The sides that are analysed, from left to right."""
    order: tuple[Side, ...] = ("left", "right")
    return [side for side in order if side in gait.book.subject.sides]


def places(value: object) -> int:
    """Decimals with which a value is read: one of tens of degrees, two of moments."""
    return 1 if isinstance(value, float) and abs(value) >= 5.0 else 2


def _differences(gait: GaitPresentation, contents: GaitContents) -> Iterator[PageRow]:
    """Left less right with its own uncertainty, in bold where it is larger than twice that."""
    if contents.believed is None:
        return
    known = _known(gait, contents)
    right = {(each.item, each.joint): each for each in known if each.side == "right"}
    rows = []
    for each in known:
        other = right.get((each.item, each.joint))
        found = None
        if each.side == "left" and other is not None:
            found = contents.believed.of_difference(each, other)
        if found is None:
            continue
        shown = shown_item(gait, each)
        look = f"page {number_format(places(found.value))}"
        is_clear = abs(found.value) > CLEAR * found.u
        cells = (
            (found.value, f"page bold {number_format(places(found.value))}" if is_clear else look),
            (found.u, look),
            (gait.say("yes" if is_clear else "no"), "page value"),
        )
        rows.append(
            PageRow(f"{gait.say(each.joint)} {gait.say(shown.item)}", pretty_unit(shown.unit.partition(",")[0]), cells)
        )
    if rows:
        heads = (("L - R", "page column"), ("u", "page column"), ("> 2 u", "page column"))
        yield PageRow(gait.say("Differences of sides"), "", heads, is_head=True)
        yield from rows[:MOST_ROWS]


def foot_lines(gait: GaitPresentation, contents: GaitContents, most: int) -> Iterator[tuple[list[PageCell], float]]:
    """Write method, sources of normal bands and doubts as rows with their heights. most: problems that are reported."""
    yield [PageCell(0, 1, gait.say("How it was made"), "page head", span=LAST)], LINE
    told = [method_sentence(gait.book, gait.trials, contents.cutoffs)]
    if not gait.strides:
        told.append(NO_STRIDES)
    elif not gait.has_forces:
        told.append(NO_MOMENTS)
    else:
        lacking = [side for side in gait.book.subject.sides if gait.of_side(side) and not count_kinetic(gait, side)]
        told += [NO_FORCES.format(side) for side in lacking]
    told += estimated_words(gait)
    if gait.has_ends:
        told.append(NO_ENDS.format(gait.book.processing.edge))
    told += [f"Normal: {source}." for source in dict.fromkeys(band.source for band in gait.book.bands) if source]
    if contents.believed is not None:
        told.append(f"u is one standard uncertainty; its sources with their shares are on {GAIT_UNCERTAINTY}.")
    yield from (said(each) for each in told)
    yield [PageCell(0, 1, gait.say("Problems"), "page head", span=LAST)], LINE
    doubts = doubts_of(contents)
    for each in doubts[:most]:
        text = _in_words(each)
        if each.cell:
            link = PageCell(0, 1, each.cell, "page link", span=PER_COLUMN, link=each.cell)
            rest = LAST - PER_COLUMN
            beside = PageCell(0, PER_COLUMN + 1, text, "page text", span=rest)
            yield [link, beside], height_of(text, BESIDE_LINK)
        else:
            yield said(text)
    if len(doubts) > most:
        yield said(f"and {len(doubts) - most} more on {PROBLEMS}")
    if not doubts:
        yield said(gait.say("none"))


def doubts_of(contents: GaitContents) -> list[Problem]:
    """What was doubted, one of each kind before more of the same: several trials have the same faults."""
    doubts = [each for each in contents.problems if each.severity != "note"]
    first = {each.code: each for each in reversed(doubts)}
    return sorted(doubts, key=lambda each: first[each.code] is not each)


def doubts_in_short(gait: GaitPresentation, contents: GaitContents) -> str:
    """How much was doubted, and the first of it, in one line."""
    doubts = doubts_of(contents)
    if not doubts:
        return f"{gait.say('Problems')}: {gait.say('none')}"
    text = f"{gait.say('Problems')}: {len(doubts)}; {_in_words(doubts[0])}"
    return text if len(text) <= LETTERS else f"{text[: LETTERS - 4]} .."


def _in_words(each: Problem) -> str:
    return f"{each.found}: {each.problem}; {each.mend}".rstrip("; ")
