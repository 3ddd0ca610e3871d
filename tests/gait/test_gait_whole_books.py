"""Whole workbooks beside a second calculation: filter, centres, events, feet of plates, loads, strides, means and items.

The numbers were recorded from a calculation of its own, written after docs/gait.md alone: recursions of the filter, joint
centres, Newton-Euler from the foot up, events and strides on arrays. It agreed with every column and item of these books to
1e-6 of its size. Means of the left angles, and items, were recorded anew when strides between estimated strikes, and estimates
near the ends, went out of them.
"""

import re

import numpy as np
import pytest
from python_calamine import CalamineWorkbook

from sheetmbs.gait.run_gait import run_gait
from tests.gait.gait_whole_books import whole_book
from tests.support.gait_books import gait_book

AS_IT_COMES = {
    ("right hip.angle", 10): (28.529864, 0.392823, 4),
    ("left knee.angle", 70): (55.7089334, 2.78057, 4),
    ("left ankle.angle", 50): (17.3170187, 0.486469, 4),
    ("left foot.angle", 40): (180.738577, 0.0773908, 4),
    ("right hip.moment", 8): (2.03898804, 0.0103835, 3),
    ("left knee.moment", 54): (0.622341697, 0.0294624, 3),
    ("right support.moment", 10): (1.58765111, 0.0072135, 3),
    ("left ankle.fy", 20): (-568.010886, 0.556809, 3),
    ("right knee.fx", 30): (10.0828689, 3.45825, 3),
    ("left hip.power", 12): (1.27607211, 0.0377277, 3),
    ("right ankle.power", 53): (2.99331067, 0.431818, 3),
    ("stride time", "right", None): (1.09991209, 0.000124323, 2),
    ("stance", "left", None): (60.386933, None, 1),
    ("double support", "right", None): (10.386933, 0, 2),
    ("step length", "left", None): (0.687555615, 0.000228157, 4),
    ("speed", None, None): (1.25001057, 1.84771e-05, 4),
    ("angle max", "left", "knee"): (59.6933614, None, 1),
    ("moment max", "right", "hip"): (2.04641914, None, 1),
    ("moment min, first 30 %", "left", "knee"): (-0.657536908, None, 1),
    ("power min", "left", "ankle"): (-0.803619355, None, 1),
    ("work negative", "right", "knee"): (-0.347768306, None, 1),
}
OTHERWISE = {
    ("right hip.angle", 10): (29.374206, 0.41937, 4),
    ("left knee.angle", 70): (-56.5849351, 2.84607, 4),
    ("left ankle.angle", 50): (17.5975171, 0.483667, 4),
    ("right hip.moment", 8): (2.26149825, 0.00333018, 3),
    ("left knee.moment", 54): (-0.610961356, 0.0462614, 3),
    ("right support.moment", 10): (-1.71401975, 0.00412086, 3),
    ("left ankle.fy", 20): (-556.780983, 3.24795, 3),
    ("left hip.power", 12): (1.24098424, 0.0445077, 3),
    ("right ankle.power", 53): (3.31882566, 0.382502, 3),
    ("moment max", "right", "hip"): (2.26562241, None, 1),
    ("moment min, first 30 %", "left", "knee"): (-0.500075341, None, 1),
    ("work negative", "right", "knee"): (-0.33480165, None, 1),
}
CHOSEN = {
    "centre": "bell",
    "subject": {"anthropometry": "de leva", "sex": "female"},
    "processing": {
        "derivative": "3-point",
        "filter_order": 8,
        "force_cutoff": "none",
        "signs": "isb",
        "moment": "external",
        "event_offset": "none",
    },
}
SHEETS = {"angle": "angles", "moment": "moments", "fx": "moments", "fy": "moments", "power": "powers"}


@pytest.fixture(
    scope="module",
    params=[(AS_IT_COMES, {"processing": {"event_offset": "none"}}), (OTHERWISE, CHOSEN)],
    ids=["as it comes", "otherwise"],
)
def solved(request, tmp_path_factory):
    recorded, chosen = request.param
    path = gait_book(tmp_path_factory.mktemp("whole") / "book.xlsx", whole_book(**chosen))
    study = run_gait(path)
    study.save(path)
    return recorded, study, CalamineWorkbook.from_path(path)


def rows_of(book, name):
    """Its rows below headers and units."""
    _headers, _units, *rows = book.get_sheet_by_name(f"mbs Gait {name}").to_python(skip_empty_area=False)
    return [tuple(None if each == "" else each for each in row) for row in rows]


def columns(book, name):
    headers, rows = book.get_sheet_by_name(f"mbs Gait {name}").to_python(nrows=1)[0], rows_of(book, name)
    return dict(zip(headers, zip(*rows, strict=True), strict=True))


def test_results_are_those_of_a_second_calculation(solved):
    """Columns of single strides as they were recorded; means are those of the one stride of a side between measured strikes."""
    recorded, _study, book = solved
    rows = rows_of(book, "summary")
    items = {row[:3]: row[3:6] for row in rows}
    measured = {row[1]: int(row[0]) for row in rows if row[7] == "measured or given"}
    for name, (mean, deviation, count) in recorded.items():
        if len(name) == 3:
            found = items[name]
        else:
            column, percent = name
            over = columns(book, SHEETS[column.split(".")[1]])
            single = [over[each][percent] for each in over if each and re.fullmatch(rf"{re.escape(column)}\.\d+", each)]
            found = float(np.mean(single)), float(np.std(single, ddof=1)), len(single)
            shown = [over[f"{column}.{kind}"][percent] for kind in ("mean", "sd", "n")]
            assert shown == [
                pytest.approx(over[f"{column}.{measured[column.split()[0]]}"][percent], rel=1e-12),
                None,
                1,
            ]
        assert found[0] == pytest.approx(mean, rel=1e-6), name
        assert found[1] == (None if deviation is None else pytest.approx(deviation, rel=1e-4, abs=1e-9)), name
        assert found[2] == count, name


def test_all_strides_count_turns_of_a_segment_alike(solved):
    """The line of a foot lies about 180 degrees, where angles jump."""
    over = columns(solved[2], "angles")
    for side in ("right", "left"):
        single = [over[name] for name in over if name and name.startswith(f"{side} foot.angle.") and name[-1].isdigit()]
        assert len(single) > 2
        assert np.ptp(np.array(single, dtype=float), axis=0).max() < 30.0


def test_no_load_is_shown_while_a_foot_stands_beside_the_plates(solved):
    """From the strike beside plates, one frame for the stride that ends there, to the toe off; at the start from frame one."""
    book = solved[2]
    series = columns(book, "series walk01")
    time = np.array(series["time"])
    events = [row for row in rows_of(book, "events") if row[4] == "walk01"]
    for side in ("right", "left"):
        known = np.array([each is not None for each in series[f"{side} hip.moment"]])
        strike, beside = time[0] - 1.0, True
        for event, of, when, _frame, _trial, source, *_ in events:
            if of == side and event == "heel strike":
                strike, beside = when, source != "force"
            elif of == side:
                during = (time > strike + 0.01) & (time < when)
                assert known[during].any() != (beside and source != "force")
                assert known[during].all() == known[during].any()


def test_a_standing_trial_needs_no_advice_on_its_cut_off(solved):
    """Nothing moves there but noise."""
    assert not [each for each in solved[1].solved.problems if each.code == "doubtful-cutoff"]


@pytest.mark.parametrize("side", ["right", "left"])
@pytest.mark.parametrize("is_alone", [False, True], ids=["both recorded", "recorded alone"])
def test_plates_that_carry_the_other_foot_are_sound_where_one_side_is_analysed(tmp_path, side, is_alone):
    sheets = whole_book(subject={"side": side})
    if is_alone:
        sheets = without_leg(sheets, {"right": "left", "left": "right"}[side])
    results = run_gait(gait_book(tmp_path / "one.xlsx", sheets))
    assert [each.found for each in results.sheets.problems if each.severity != "note"] == []
    assert results.items


def without_leg(sheets, side):
    """The same as a laboratory that records the other leg and the pelvis alone."""

    def is_of_it(name):
        return str(name).startswith(f"{side} ") and not any(spine in str(name) for spine in ("asis", "psis", "hip"))

    found = dict(sheets)
    for name, rows in sheets.items():
        if name.startswith("Markers"):
            kept = [place for place, head in enumerate(rows[0]) if not is_of_it(head)]
            found[name] = [[row[place] for place in kept] for row in rows]
        elif name in ("Joint centres", "Segments"):
            found[name] = [row for row in rows if not is_of_it(row[0])]
    found["Gait joints"] = [row for row in sheets["Gait joints"] if row[1] != side]
    return found
