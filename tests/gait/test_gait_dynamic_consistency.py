"""Faults of plates, times and mass that are planted into an exact walk are found by what would lower its residual."""

import pytest

from sheetmbs.gait.run_gait import run_gait
from tests.gait.test_gait_uncertainty import sheets_with
from tests.support.gait_books import gait_book
from tests.support.opened import sheet_values

CHI = "residual by its u, rms chi"
SMALL = [
    *(("marker placement", 1, "mm", None), ("mass", 1, "%", None), ("com", 0.3, "%", None), ("gyration", 1, "%", None)),
    *(("plate point", 1, "mm", None), ("plate gain", 0.3, "%", None), ("delay", 0.5, "ms", None)),
]
"""errors so small that the planted faults stand out"""


def pressed_farther(sheets, by):
    head = sheets["Force plates"][0]
    for row in sheets["Force plates"][2:]:
        for side in ("right", "left"):
            column = head.index(f"{side}.px")
            row[column] = None if row[column] is None else row[column] + by
    return sheets


def stronger(sheets, by):
    head = sheets["Force plates"][0]
    for row in sheets["Force plates"][2:]:
        for column, name in enumerate(head):
            if name.partition(".")[2] in ("fx", "fy", "fz", "tz") and row[column] is not None:
                row[column] *= 1.0 + by
    return sheets


def later(sheets, by):
    for row in sheets["Force plates"][2:]:
        row[0] += by
    return sheets


def heavier(sheets, by):
    sheets["Subject"] = [
        (row[0], row[1] * (1.0 + by), *row[2:]) if row[0] == "mass" else row for row in sheets["Subject"]
    ]
    return sheets


def quality(tmp_path, sheets):
    """rms chi, the rows of candidates by name, and the words of the warning."""
    path = gait_book(tmp_path / "walk.xlsx", sheets)
    found = run_gait(path)
    found.save()
    rows = sheet_values(path, "mbs Gait quality")
    first = next(number for number, row in enumerate(rows) if row[0] == "candidate")
    told = {row[0]: row[1:] for row in rows[first + 1 :] if row[0]}
    (chi,) = (each.value for each in found.items if each.item == CHI)
    return chi, told, [each for each in found.sheets.problems if each.code == "inconsistent-forces"]


@pytest.mark.parametrize(
    ("plant", "by", "name", "found", "unit"),
    [
        (pressed_farther, 0.03, "plate offset x", -30.0, "mm"),
        (stronger, 0.06, "plate gain", -100.0 * (1.0 - 1.0 / 1.06), "%"),
        (heavier, 0.04, "mass", -100.0 * (1.0 - 1.0 / 1.04), "%"),
        (later, 0.012, "delay", -12.0, "ms"),
    ],
)
def test_a_planted_fault_is_named_with_its_size(tmp_path, plant, by, name, found, unit):
    chi, told, warned = quality(tmp_path, plant(sheets_with(SMALL), by))
    value, low, high, own, before, after, note = told[name][:7]
    assert own == unit
    assert value == pytest.approx(found, rel=0.12)
    assert low < value < high
    assert before == pytest.approx(chi)
    assert chi > 2.0
    assert after < 0.8 * chi
    assert after == min(each[5] for key, each in told.items() if not key.startswith(("right", "left")))
    assert "lowers the residual" in note
    (warning,) = warned
    assert name in warning.mend
    if name == "plate offset x":
        assert "standing on the plates" in warning.mend


def test_a_sound_walk_agrees_within_its_uncertainty(tmp_path):
    chi, told, warned = quality(tmp_path, sheets_with(None))
    assert chi < 1.0
    assert not warned
    assert told["plate offset x"][1] < 0.0 < told["plate offset x"][2]
