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


def both_ways(sheets, change):
    """A session of a walk and the same walk back, half a turn about the vertical. change: of the forces of each."""
    turned = {"Markers": (".x", ".z"), "Force plates": (".fx", ".fz", ".px", ".pz")}
    found = {name: rows for name, rows in sheets.items() if name not in (*turned, "Events")}
    for trial, sign in (("go", 1.0), ("back", -1.0)):
        for name, ends in turned.items():
            columns = [k for k, head in enumerate(sheets[name][0]) if head.endswith(ends)]
            rows = [list(row) for row in sheets[name]]
            for row in rows[2:]:
                for column in columns:
                    row[column] = None if row[column] is None else sign * row[column]
            found[f"{name} {trial}"] = rows
        change({"Force plates": found[f"Force plates {trial}"]}, sign)
    head, *events = sheets["Events"]
    found["Events"] = [(*head, "trial"), *((*row, trial) for trial in ("go", "back") for row in events)]
    return found


@pytest.mark.parametrize(
    ("plant", "is_told"),
    [
        (lambda sheets, _way: pressed_farther(sheets, 0.03), True),
        # forward of the subject both times, as a trunk that is modelled too far back
        (lambda sheets, way: pressed_farther(sheets, 0.03 * way), False),
    ],
    ids=["plates lie wrong", "the trunk leans"],
)
def test_walks_both_ways_tell_plates_that_lie_wrong_from_a_bias_of_the_trunk(tmp_path, plant, is_told):
    chi, told, warned = quality(tmp_path, both_ways(sheets_with(SMALL), plant))
    assert chi > 2.0
    value, _, _, _, _, after, note = told["plate offset x"][:7]
    assert "one trial cannot tell" not in (note or "")
    if is_told:
        assert value == pytest.approx(-30.0, rel=0.12)
        assert after < 0.8 * chi
        assert "plate offset x" in warned[0].mend
    else:
        assert abs(value) < 3.0
        assert after > 0.95 * chi
