"""Labels that say right for left, and left-handed exports: told with the setting that repairs them, which does so exactly."""

import numpy as np
import pytest

from sheetmbs import WorkbookError
from sheetmbs.gait.reading.read_trials import of_other_side
from sheetmbs.gait.run_gait import run_gait
from tests.gait.gait_plates import plate_sheets
from tests.gait.gait_whole_books import whole_book
from tests.gait.planted_faults import settle
from tests.support.gait_books import Recording, gait_book, walker_sheets

OTHER = {"right": "left", "left": "right"}


def exchanged(sheets):
    """The same with right and left exchanged in the headers of markers and of plates that bear such a name."""

    def of_other(text):
        words = str(text).replace(".", " ", 1).split(" ")
        return str(text).replace(words[0], OTHER[words[0]], 1) if words[0] in OTHER else text

    named = [name for name in sheets if name.startswith(("Markers", "Force plates"))]
    return sheets | {name: [[of_other(each) for each in sheets[name][0]], *sheets[name][1:]] for name in named}


def mirrored(sheets, axis):
    """The same in axes of which one points the other way: places and forces reflected, moments as by p x F of the reflected."""
    sign = {each: -1.0 if each == axis else 1.0 for each in "xyz"}

    def turned(head, values):
        quantity = str(head).rpartition(".")[2]
        if quantity in ("x", "y", "z", "fx", "fy", "fz", "px", "py", "pz"):
            factor = sign[quantity[-1]]
        elif quantity in ("mx", "my", "mz"):
            factor = -sign[quantity[-1]]
        else:
            factor = 1.0
        return [factor * each for each in values]

    found = dict(sheets)
    for name in sheets:
        own = name.startswith("Force plates") and "Plates" in sheets
        if name.startswith(("Markers", "Force plates")) and not own:
            head, units, *rows = sheets[name]
            columns = [turned(each, column) for each, column in zip(head, zip(*rows, strict=True), strict=True)]
            found[name] = [head, units, *map(list, zip(*columns, strict=True))]
    if "Plates" in sheets:
        head, *rows = sheets["Plates"]
        factors = [sign[each[0]] if each[0] in sign and each[1:].isdigit() else None for each in head]
        found["Plates"] = [
            head,
            *(
                [each if factor is None else factor * each for factor, each in zip(factors, row, strict=True)]
                for row in rows
            ),
        ]
    return found


def told(tmp_path, sheets):
    with pytest.raises(WorkbookError) as stopped:
        run_gait(gait_book(tmp_path / "told.xlsx", sheets))
    (problem,) = [each for each in stopped.value.problems if each.code == "sides-exchanged"]
    return problem


def numbers(tmp_path, sheets):
    """All columns of all result tables, and the items."""
    found = run_gait(gait_book(tmp_path / "walk.xlsx", sheets))
    assert not [each for each in found.sheets.problems if each.severity != "note"]
    tables = {
        (table.name, name): np.array(column, float)
        for table in found.sheets.tables
        for name, column in zip(table.columns, np.array(table.values).T, strict=True)
    }
    return tables, {(each.item, each.side, each.joint): (each.value, each.sd, each.n) for each in found.items}


def assert_same(one, other, digits=0.0):
    assert one[0].keys() == other[0].keys()
    for name, column in one[0].items():
        assert np.allclose(column, other[0][name], rtol=digits, atol=digits, equal_nan=True), name
    assert one[1].keys() == other[1].keys()
    if not digits:
        assert one[1] == other[1]


PLANE = Recording(end=2.4)


@pytest.mark.parametrize("plates", [False, True], ids=["named feet", "plates with corners"])
def test_exchanged_labels_are_told_with_the_setting_that_repairs_them_bit_by_bit(tmp_path, plates):
    sheets = walker_sheets(PLANE) | (plate_sheets(PLANE) if plates else {})
    wrong = exchanged(sheets)
    assert "write exchange_sides yes on Processing" in told(tmp_path, wrong).mend
    settle(wrong, "Processing", "exchange_sides", "yes")
    assert_same(numbers(tmp_path, wrong), numbers(tmp_path, sheets))


def test_exchanged_labels_of_a_laboratory_with_a_standing_trial_are_repaired(tmp_path):
    sheets = whole_book()
    wrong = exchanged(sheets)
    settle(wrong, "Processing", "exchange_sides", "yes")
    assert_same(numbers(tmp_path, wrong), numbers(tmp_path, sheets))


def test_a_needless_exchange_is_told_with_what_to_take_back(tmp_path):
    for setting, value, back in (("exchange_sides", "yes", "no"), ("handedness", "left", "right")):
        sheets = walker_sheets(PLANE)
        settle(sheets, "Processing", setting, value)
        assert f"write {setting} {back} on Processing" in told(tmp_path, sheets).mend


@pytest.mark.parametrize("axis", "xyz")
@pytest.mark.parametrize("plates", [False, True], ids=["named feet", "plates with corners"])
def test_left_handed_exports_are_told_with_the_setting_that_repairs_them(tmp_path, axis, plates):
    how = Recording(end=2.4, axes=("-y", "+z"))
    sheets = walker_sheets(how) | (plate_sheets(how) if plates else {})
    wrong = mirrored(sheets, axis)
    assert "write handedness left there" in told(tmp_path, wrong).mend
    settle(wrong, "Processing", "handedness", "left")
    path = gait_book(tmp_path / "wrong.xlsx", wrong)
    assert_same(numbers(tmp_path, wrong), numbers(tmp_path, sheets), digits=1e-9)
    told_of = [each for each in run_gait(path).sheets.problems if each.code == "left-handed"]
    assert [(each.severity, each.cell.partition("!")[0]) for each in told_of] == [("note", "Processing")]


@pytest.mark.parametrize(
    ("label", "other"),
    [
        ("right knee", "left knee"),
        ("Left_heel", "right_heel"),
        ("thigh right", "thigh left"),
        ("RKNE", "LKNE"),
        ("R_Knee", "L_Knee"),
        ("thigh_l_2", "thigh_r_2"),
        ("kneeR", "kneeL"),
        ("Brightness", "Brightness"),
        ("cleft", "cleft"),
        ("rib", "rib"),
        ("upright post", "upright post"),
    ],
)
def test_the_side_of_a_name_is_a_word_or_a_letter_of_its_own(label, other):
    labels = [
        "RKNE",
        "LKNE",
        "R_Knee",
        "L_Knee",
        "thigh_l_2",
        "thigh_r_2",
        "kneeR",
        "kneeL",
        "Brightness",
        "cleft",
        "rib",
    ]
    assert of_other_side(label, labels) == other
