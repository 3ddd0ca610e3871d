"""An exact walker whose strides are all equal: means are those of one stride, however many strikes were beside the plates."""

from functools import cache
from pathlib import Path
from tempfile import mkdtemp

import numpy as np
import openpyxl
import pytest

from sheetmbs.gait.run_gait import run_gait
from tests.gait.gait_plates import contacts, plate_sheets
from tests.support.gait_books import Recording, gait_book, walker_sheets
from tests.support.gait_walker import DOUBLE_SUPPORT, PERIOD, SPEED, joint_loads

OTHER = {"right": "left", "left": "right"}
OF_STRIDES = ("stride time", "stance", "swing", "double support", "stride length", "step time", "step length")


def sheets_of(plates, start=-0.4, end=3.4, **settings):
    """The walker with these plates alone, by the numbers of contacts from the left strike at -0.55 s on."""
    how = Recording(start=start, end=end, settings=settings)
    first = contacts(how)[0].strike
    skipped = round((first + 0.5 * PERIOD) / (0.5 * PERIOD))
    kept = {f"FP{number - skipped}" for number in plates}
    sheets = walker_sheets(how) | plate_sheets(how)
    columns = [k for k, head in enumerate(sheets["Force plates"][0]) if k == 0 or head.partition(".")[0] in kept]
    sheets["Force plates"] = [[row[k] for k in columns] for row in sheets["Force plates"]]
    sheets["Plates"] = [row for row in sheets["Plates"] if row[0] == "name" or row[0] in kept]
    return sheets


@cache
def results(plates, **recording):
    return run_gait(gait_book(Path(mkdtemp()) / "walk.xlsx", sheets_of(plates, **recording)))


def means(found):
    """Columns of means by name."""
    tables = [each for each in found.sheets.tables if each.name.startswith("mbs Gait") and "series" not in each.name]
    return {
        name: np.array(column, float)
        for table in tables
        for name, column in zip(table.columns, np.array(table.values).T, strict=True)
        if name.endswith((".mean", ".sd", ".n"))
    }


def items(found):
    return {(each.item, each.side, each.joint): each for each in found.items}


def notes(found, code="estimated-strides"):
    return [each for each in found.sheets.problems if each.code == code]


def test_means_over_equal_strides_are_those_of_one_stride_and_have_no_deviation():
    """Contacts 2 to 6 on plates: two right strides and one left between measured strikes, one of each between others."""
    found = results((2, 3, 4, 5, 6))
    assert len([each for each in found.solved.courses[0].events if each.is_estimated]) >= 2
    columns = means(found)
    phase = np.linspace(0.0, PERIOD, 101)
    strike = min(
        each.time for each in found.solved.courses[0].events if (each.kind, each.side) == ("heel strike", "right")
    )
    exact = joint_loads(strike + phase)
    for joint, sign in (("hip", -1.0), ("knee", 1.0), ("ankle", -1.0)):
        mean = columns[f"right {joint}.moment.mean"] * 70.0
        assert np.abs(mean - sign * exact[f"right {joint}"].moment).max() < 3.0, joint
    for side, count in (("right", 2), ("left", 1)):
        for name, column in columns.items():
            if name.startswith(f"{side} ") and name.endswith(".n"):
                assert set(column[10:-10]) == {count}, name
    for name, column in columns.items():
        if name.endswith(".sd") and np.isfinite(column).any():
            assert np.nanmax(column) < 1e-7, name
    for each in found.items:
        assert each.sd is None or each.sd < 1e-6, each


def test_a_cut_half_stride_more_at_either_end_changes_no_mean():
    """Strikes beside the plates, which the longer recordings estimate, enter nothing."""
    short = results((2, 3, 4, 5, 6), start=-0.2, end=2.7)
    for start, end in ((-0.75, 2.7), (-0.2, 3.25), (-0.75, 3.25)):
        longer = results((2, 3, 4, 5, 6), start=start, end=end)
        before, after = means(short), means(longer)
        for name, column in before.items():
            if name.split(".")[0].split()[0] in OTHER:
                assert after[name] == pytest.approx(
                    column, abs=2e-6 * max(1.0, np.abs(np.nan_to_num(column)).max()), nan_ok=True
                ), name
        one, two = items(short), items(longer)
        for key, each in one.items():
            if key[0] in OF_STRIDES[:4] or each.joint:
                assert (two[key].value, two[key].n) == (pytest.approx(each.value, rel=1e-6, abs=1e-6), each.n), key


@pytest.mark.parametrize("plates", [(2, 3, 4, 5, 6), (2, 3, 4, 5), (3, 4, 5)])
def test_parts_of_the_stride_do_not_depend_on_which_strikes_were_measured(plates):
    """Where one stride is cut short by an early estimate, its parts are divided by a stride that is whole."""
    found, whole = items(results(plates)), items(results((2, 3, 4, 5, 6)))
    for side in OTHER:
        for name, exact in (
            ("stride time", PERIOD),
            ("stance", whole["stance", side, ""].value),
            ("double support", whole["double support", side, ""].value),
            ("stride length", SPEED * PERIOD),
        ):
            assert found[name, side, ""].value == pytest.approx(exact, rel=1e-6), (name, side)
    assert whole["double support", "right", ""].value == pytest.approx(DOUBLE_SUPPORT, abs=0.02), "threshold of 20 N"


def test_a_side_with_estimated_strikes_alone_is_shown_and_called_so(tmp_path):
    """Contacts 3 to 5: left, right, left; no right stride lies between two measured strikes."""
    found = results((3, 4, 5))
    (told,) = notes(found)
    assert told.severity == "note"
    assert told.found == "no right stride between two measured heel strikes"
    assert items(found)["angle max", "right", "knee"].n >= 2
    path = gait_book(tmp_path / "walk.xlsx", sheets_of((3, 4, 5)))
    run_gait(path).save(path)
    book = openpyxl.load_workbook(path)
    for sheet in ("mbs Gait summary", "mbs Gait report"):
        texts = [str(cell) for row in book[sheet].iter_rows(values_only=True) for cell in row if cell is not None]
        assert any(
            text.startswith("Every right stride begins or ends with a strike that is estimated") for text in texts
        )
    listed = [
        row
        for row in book["mbs Gait summary"].iter_rows(values_only=True)
        if row[7] in ("estimated", "measured or given")
    ]
    assert {(row[1], row[7], row[8]) for row in listed} >= {
        ("right", "estimated", "yes"),
        ("left", "measured or given", "yes"),
    }
    assert not notes(results((2, 3, 4, 5, 6)))


def test_strides_that_are_left_out_are_counted_where_all_are_listed():
    found = results((2, 3, 4, 5, 6), end=3.45)
    (page,) = [each for each in found.sheets.pages if each.name == "mbs Gait summary"]
    texts = [str(cell.value) for cell in page.cells]
    assert (
        "Out of means, SD, n, peaks and work: 1 of 3 right strides, which begins or ends with a strike estimated from markers."
        in texts
    )


@pytest.mark.parametrize(("settings", "margin"), [({"cutoff": 6}, 1.0 / 6.0), ({"cutoff": 5}, 0.2), ({}, 0.1)])
def test_nothing_is_estimated_within_a_period_of_the_cut_off_of_either_end(settings, margin):
    """The estimate of the right strike that follows that of 1.1 s is seen at 2.167 s."""
    strike = 1.067 + PERIOD
    for beyond, is_there in ((margin - 0.02, False), (margin + 0.03, True)):
        end = round(strike + beyond, 2)
        found = results((2, 3), start=-0.4, end=end, event_offset="none", **settings)
        late = [each for each in found.solved.courses[0].events if abs(each.time - strike) < 0.03]
        assert bool([each for each in late if each.is_estimated]) is is_there, (end, late)


def test_left_for_right_exchanges_the_sides_of_all_results():
    """The walker from half a stride later on is the mirror of itself."""
    one = results((2, 3, 4, 5), start=-0.3, end=3.3)
    other = results((3, 4, 5, 6), start=-0.3 + 0.55, end=3.3 + 0.55)
    before, after = items(one), items(other)
    assert {(key[0], OTHER.get(key[1], ""), key[2]) for key in before} == set(after)
    for (item, side, joint), each in before.items():
        same = after[item, OTHER.get(side, ""), joint]
        assert (same.value, same.n) == (pytest.approx(each.value, rel=1e-6, abs=1e-6), each.n), (item, side, joint)
