"""The change of peaks under other choices is what whole runs of changed workbooks give."""

import openpyxl
import pytest

from sheetmbs.gait.quality.sensitivity import variants
from sheetmbs.gait.run_gait import run_gait
from sheetmbs.gait.strides.strides import strides_of
from sheetmbs.gait.strides.summary_items import peak_items
from tests.gait.planted_faults import by_pressure
from tests.support.gait_books import Recording, gait_book, walker_sheets
from tests.support.opened import sheet_values

HOW = Recording(noise=0.001, settings={"cutoff": 6, "force_cutoff": "same", "edge": 0})


def peaks(results):
    solved = results.solved
    return {
        (each.item, each.side, each.joint): each.value
        for each in peak_items(solved.courses, strides_of(solved.courses))
    }


def solved_with(tmp_path, settings=None, shift=0.0):
    sheets = walker_sheets(HOW)
    by_pressure(sheets)
    for row in sheets["Force plates"][2:]:
        for column in (3, 8):
            row[column] = None if row[column] is None else row[column] + shift
    rows = {**dict(row[:2] for row in sheets["Processing"]), **(settings or {})}
    sheets["Processing"] = list(rows.items())
    return run_gait(gait_book(tmp_path / "walk.xlsx", sheets))


@pytest.fixture
def found(tmp_path):
    solved = solved_with(tmp_path).solved
    strides = strides_of(solved.courses)
    made = variants(solved.trials, strides, solved.book, solved.prepared.standing)
    return {each.name: {(item.item, item.side, item.joint): item.value for item in each.items} for each in made}


@pytest.mark.parametrize(
    ("name", "settings", "shift"),
    [
        ("cut-off +1 Hz", {"cutoff": 7}, 0.0),
        ("cut-off -1 Hz", {"cutoff": 5}, 0.0),
        ("forces raw", {"force_cutoff": "none"}, 0.0),
        ("pressure +5 mm", {}, 0.005),
        ("pressure -5 mm", {}, -0.005),
    ],
)
def test_each_variant_is_a_whole_run_of_the_changed_workbook(found, tmp_path, name, settings, shift):
    exact = peaks(solved_with(tmp_path, settings, shift))
    both = set(exact) & set(found[name])
    assert len(both) > 30
    for key in both:
        assert found[name][key] == pytest.approx(exact[key], rel=1e-6, abs=1e-6), key


@pytest.mark.parametrize(("name", "delay"), [("forces +10 ms", 0.010), ("forces -10 ms", -0.010)])
def test_a_delay_changes_peaks_as_force_delay_does(found, tmp_path, name, delay):
    exact = peaks(solved_with(tmp_path, {"force_delay": delay}))
    key = ("moment min", "right", "hip")
    assert found[name][key] == pytest.approx(exact[key], rel=1e-3)


def test_a_joint_centre_farther_forward_lessens_the_moment_by_its_force(tmp_path, found):
    solved = solved_with(tmp_path).solved
    course = solved.courses[0].joints["right ankle"]
    key = ("moment min", "right", "ankle")
    at = course["moment"][20:110].argmin() + 20
    change = found["its centre 10 mm forward"][key] - peaks(solved_with(tmp_path))[key]
    assert change == pytest.approx(-0.010 * course["fy"][at], rel=0.05)


def test_the_page_of_quality_holds_the_table_with_a_column_a_choice(tmp_path):
    results = solved_with(tmp_path)
    path = tmp_path / "out.xlsx"
    results.save(path)
    rows = sheet_values(path, "mbs Gait quality")
    titles = [row[0] for row in rows]
    for title in ("Change of each peak", "Whole body", "Feet on plates", "Markers", "Lengths of segments"):
        assert title in titles
    heads = rows[titles.index("Change of each peak") + 1]
    assert {"cut-off +1 Hz", "forces raw", "forces +10 ms", "pressure +5 mm", "its centre 10 mm up"} <= set(heads)
    mass = next(row for row in rows if "mass that the plates carry" in row)
    assert mass[2] == pytest.approx(70.0, abs=0.5)
    assert all(row[2] != "support" for row in rows[titles.index("Change of each peak") :])


def test_names_of_items_are_read_whole_and_no_column_of_quality_is_wide_for_a_sentence(tmp_path):
    path = tmp_path / "out.xlsx"
    solved_with(tmp_path).save(path)
    book = openpyxl.load_workbook(path)
    summary, quality = book["mbs Gait summary"], book["mbs Gait quality"]
    items = [str(row[0].value) for row in summary.iter_rows(min_row=3) if row[1].value]
    assert "moment max, first 30 %, other force filter" in items
    assert summary.column_dimensions["A"].width > max(map(len, items))
    assert quality.column_dimensions["B"].width < 30.0
    heads = next(row for row in quality.iter_rows() if row[0].value == "peak")
    assert sum(quality.column_dimensions[cell.column_letter].width for cell in heads) < 290.0


def test_the_summary_says_what_10_mm_of_each_joint_centre_change(tmp_path):
    path = tmp_path / "out.xlsx"
    solved_with(tmp_path).save(path)
    book = openpyxl.load_workbook(path)
    said = [row[3] for row in book["mbs Gait summary"].iter_rows(values_only=True) if row[0] == "joint centre"]
    rows = list(book["mbs Gait quality"].iter_rows(values_only=True))
    heads = rows[[row[0] for row in rows].index("peak")]
    places = [heads.index(f"its centre 10 mm {way}") for way in ("forward", "up")]
    for end, joint in (("right ankle", ("right", "ankle")), ("left hip", ("left", "hip"))):
        found = [row for row in rows if row[0] in ("moment max", "moment min") and row[1:3] == joint]
        most = max(abs(row[place]) for row in found for place in places)
        (words,) = [each for each in said if each.startswith(f"{end}: ")]
        assert words.endswith(
            f"10 mm of it change the largest moments there by up to {most:.2g} N*m/kg (mbs Gait quality)"
        )
    assert not [each for each in said if each.startswith("right mt5") and "10 mm" in each]
