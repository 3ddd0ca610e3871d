"""Which columns belong to which label: of formats that name a marker once over its X, Y and Z."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from sheetmbs.gait.formats.sampled_cells import Track, listed, refuse_layout, text_at, texts_of
from sheetmbs.schema.names import fold
from sheetmbs.schema.problem_list import Place, ProblemList, quoted
from sheetmbs.workbook.cells.cells import CellSheet

FIRST = 3
"""column of the first coordinate, behind frame and time or sub frame"""
AXIS = re.compile(r"([xyz])\d*")


@dataclass(frozen=True)
class LabelRows:
    """Rows of a recording. names: of labels. axes: of X, Y, Z or X1, Y1, Z1. data: of samples."""

    names: int
    axes: int
    data: range


def labelled_tracks(
    cells: CellSheet, labels: Mapping[int, str], rows: LabelRows, report: ProblemList, notes: list[str]
) -> list[Track]:
    """The labels of a row with the columns of their coordinates; none where rows do not fit, which is reported.

    labels: by column. Samples have no blank column between markers. So where there are X, Y and Z for each label, labels go
    in order, whatever separators were doubled above them; else each label stands over its X.
    """
    found = {column: AXIS.fullmatch(fold(text)) for column, text in sorted(texts_of(cells, rows.axes).items())}
    letters = {column: match[1] for column, match in found.items() if match and column >= FIRST}
    places = {column: Place(cells.name, rows.names, column) for column in labels}
    if not labels:
        refuse_layout(Place(cells.name, rows.names, FIRST), "no label", "names of markers stand over their X", report)
        return []
    if "".join(letters.values()) == "xyz" * len(labels):
        tracks = [Track(text, places[at], FIRST + 3 * number) for number, (at, text) in enumerate(labels.items())]
    elif _are_over_x(cells, rows, labels, letters, report):
        tracks = [Track(text, places[at], at) for at, text in labels.items()]
    else:
        return []
    _note_unlabelled(cells, tracks, rows.data, notes)
    return tracks


def _are_over_x(
    cells: CellSheet, rows: LabelRows, labels: Mapping[int, str], letters: Mapping[int, str], report: ProblemList
) -> bool:
    """Whether X, Y, Z follow each other without a blank, and every label stands over an X or beyond them; else reported."""
    for number, (column, letter) in enumerate(letters.items()):
        if column != FIRST + number or letter != "xyz"[number % 3]:
            place = Place(cells.name, rows.axes, column)
            rule = f"X, Y and Z of all markers follow each other from column {FIRST} on"
            refuse_layout(place, f"{text_at(cells, rows.axes, column)} in column {column}", rule, report)
            return False
    for column, text in labels.items():
        if letters.get(column, "x") != "x":
            rule = f"a label stands over the X of its marker, and this one over {text_at(cells, rows.axes, column)}"
            refuse_layout(Place(cells.name, rows.names, column), quoted(text), rule, report)
            return False
    return True


def _note_unlabelled(cells: CellSheet, tracks: Sequence[Track], data: range, notes: list[str]) -> None:
    """Say which columns of numbers no label names."""
    named = {1, 2} | {each.column + at for each in tracks for at in range(3)}
    numbers = cells.rows.numbers
    inside = (numbers.rows >= data.start) & (numbers.rows < data.stop)
    others = sorted(set(numbers.columns[inside].tolist()) - named)
    if others:
        notes.append(f"numbers without a label are left out: columns {listed([str(each) for each in others])}")
