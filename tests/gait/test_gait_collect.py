"""`sheetmbs collect`: results of several subjects in one workbook, or a sentence that names what does not agree."""

from types import SimpleNamespace

import numpy as np
import openpyxl
import pytest

from sheetmbs import WorkbookError, run_gait
from sheetmbs.gait.collecting.collected_subjects import collect as collect_gait
from sheetmbs.gait.collecting.collected_subjects import doubts
from tests.support.gait_books import Recording, gait_book, walker_sheets
from tests.support.sample_results import loaded_sheet


def recorded(path, who, condition=None, *, noise=0.0, change=None):
    sheets = walker_sheets(Recording(end=2.6, force_rate=200.0, noise=noise, settings={"cutoff": 6, "points": 51}))
    sheets["Subject"] += [("id", who, None)] + ([("condition", condition, None)] if condition else [])
    if change:
        change(sheets)
    return gait_book(path, sheets)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Three subjects that were run."""
    made = tmp_path_factory.mktemp("study")
    for number in range(3):
        run_gait(recorded(made / f"book{number}.xlsx", f"P{number}", noise=0.001 * number)).save()
    return made


def books(folder, *names):
    return [folder / f"{name}.xlsx" for name in names]


def cells(path, name):
    return list(loaded_sheet(path, name, data_only=True).iter_rows(values_only=True))


def columns(path, name):
    rows = cells(path, name)
    return {head: np.array([row[k] for row in rows[2:]], float) for k, head in enumerate(rows[0]) if head}


def test_means_across_subjects_are_those_of_their_own_sheets(folder, tmp_path):
    all_books = books(folder, "book0", "book1", "book2")
    collect_gait(all_books, tmp_path / "all.xlsx")
    own = [columns(path, "mbs Gait moments")["left hip.moment.mean"] for path in all_books]
    together = columns(tmp_path / "all.xlsx", "hip moment")
    for number, curve in enumerate(own):
        np.testing.assert_allclose(together[f"left hip.moment P{number}"], curve, rtol=1e-14)
    np.testing.assert_allclose(together["left hip.moment.mean"], sum(own) / 3, rtol=1e-12)
    apart = np.sqrt(sum((curve - sum(own) / 3) ** 2 for curve in own) / 2)
    np.testing.assert_allclose(together["left hip.moment.sd"], apart, rtol=1e-9)
    assert set(together["left hip.moment.n"]) == {3.0}
    assert np.ptp(apart) > 0.01  # subjects differ, so that a mean of one would be seen


def test_means_are_formulas_over_the_columns_of_the_subjects(folder, tmp_path):
    collect_gait(books(folder, "book0", "book1", "book2"), tmp_path / "all.xlsx")
    sheet = loaded_sheet(tmp_path / "all.xlsx", "knee angle")
    heads = {sheet.cell(1, column).value: column for column in range(1, sheet.max_column + 1)}
    formula = sheet.cell(10, heads["right knee.angle.mean"]).value
    first, last = (openpyxl.utils.get_column_letter(heads[f"right knee.angle P{k}"]) for k in (0, 2))
    assert formula == f"=AVERAGE({first}10:{last}10)"
    assert len(sheet._charts) == 2  # openpyxl shows charts in no other way


def test_heads_of_curves_are_read_whole(folder, tmp_path):
    collect_gait(books(folder, "book0", "book1"), tmp_path / "all.xlsx")
    sheet = loaded_sheet(tmp_path / "all.xlsx", "hip angle")
    for cell in sheet[1][1:7]:
        room = sheet.column_dimensions["B"].width * sheet.row_dimensions[1].height / 15.0
        assert cell.alignment.wrap_text
        assert room > len(cell.value), cell.value


def test_items_are_those_of_every_summary_with_book_and_subject(folder, tmp_path):
    collect_gait(books(folder, "book0", "book2"), tmp_path / "all.xlsx")
    rows = cells(tmp_path / "all.xlsx", "items")
    assert rows[0] == ("book", "id", "condition", "item", "side", "joint", "value", "sd", "n", "unit", "at")
    for name, who in (("book0", "P0"), ("book2", "P2")):
        summary = cells(folder / f"{name}.xlsx", "mbs Gait summary")[2:]
        numbers = [row for row in summary if isinstance(row[3], float | int) and isinstance(row[0], str)]
        own = [row for row in rows[1:] if row[0] == f"{name}.xlsx"]
        assert {row[1] for row in own} == {who}
        assert [row[3:6] + row[8:10] for row in own] == [row[:3] + row[5:7] for row in numbers]
        values = [[row[k] or 0.0 for row in own] for k in (6, 7)]
        np.testing.assert_allclose(values, [[row[k] or 0.0 for row in numbers] for k in (3, 4)], rtol=1e-14)
        assert len(own) > 60


def test_what_is_known_of_subjects_are_numbers_in_si_whatever_they_were_given_in(tmp_path):
    def in_cm(sheets):
        sheets["Subject"] = [row for row in sheets["Subject"] if row[0] != "height"] + [("height", 175, "cm")]

    run_gait(recorded(tmp_path / "one.xlsx", "P0", change=in_cm)).save()
    collect_gait([tmp_path / "one.xlsx"], tmp_path / "all.xlsx")
    heads, row = cells(tmp_path / "all.xlsx", "subjects")
    told = dict(zip(heads, row, strict=True))
    assert (told["mass [kg]"], told["height [m]"]) == (pytest.approx(70.0), pytest.approx(1.75))
    assert not told["speed [m/s]"]
    assert told["filter"].startswith("4th order zero-lag Butterworth")


def test_each_condition_has_its_mean(tmp_path):
    for name, condition in (("slow", "slow"), ("fast", "fast")):
        run_gait(recorded(tmp_path / f"{name}.xlsx", "P0", condition, noise=0.002 * (name == "fast"))).save()
    collect_gait([tmp_path / "slow.xlsx", tmp_path / "fast.xlsx"], tmp_path / "all.xlsx")
    found = columns(tmp_path / "all.xlsx", "hip angle")
    np.testing.assert_allclose(found["right hip.angle slow P0"], found["right hip.angle slow.mean"], rtol=1e-14)
    assert set(found["right hip.angle fast.n"]) == {1.0}


def refusal(paths, out):
    with pytest.raises(WorkbookError) as refused:
        collect_gait(paths, out)
    assert not out.exists()
    return {each.code: str(each) for each in refused.value.problems}


SLIPS = {
    "other-units": ("signs", "isb", "'deg, flexion +'"),
    "other-points": ("points", 101, "51"),
}


@pytest.mark.parametrize("code", SLIPS)
def test_books_that_do_not_agree_are_named(folder, tmp_path, code):
    setting, value, words = SLIPS[code]

    def change(sheets):
        kept = [row for row in sheets["Processing"] if row[0] != setting]
        sheets["Processing"] = [*kept, (setting, value)]

    run_gait(recorded(tmp_path / "other.xlsx", "P9", change=change)).save()
    found = refusal([*books(folder, "book0"), tmp_path / "other.xlsx"], tmp_path / "all.xlsx")
    assert set(found) == {code}
    assert all(part in found[code] for part in ("book0.xlsx", "other.xlsx", words))


def test_a_book_that_has_no_results_of_its_inputs_is_a_sentence(folder, tmp_path):
    recorded(tmp_path / "new.xlsx", "P9")
    run_gait(recorded(tmp_path / "changed.xlsx", "P9")).save()
    book = openpyxl.load_workbook(tmp_path / "changed.xlsx")
    book["Subject"]["B2"] = 71.0
    book.save(tmp_path / "changed.xlsx")
    gait_book(tmp_path / "other.xlsx", {"Bodies": [("name",)]})
    paths = [tmp_path / f"{name}.xlsx" for name in ("new", "changed", "other", "absent")]
    found = refusal([*books(folder, "book0"), *paths], tmp_path / "all.xlsx")
    assert len(found) == 4
    assert "new.xlsx has no results: it was not run" in found["not-run"]
    assert "its inputs were changed since it was run" in found["older-results"]
    assert "other.xlsx is no workbook of gait" in found["no-gait"]


def test_results_are_of_their_inputs_whatever_program_has_saved_them(folder, tmp_path):
    book = openpyxl.load_workbook(folder / "book1.xlsx")
    book.create_sheet("My notes")["A1"] = "looked at"
    book.save(tmp_path / "saved.xlsx")
    found, _warnings = collect_gait([tmp_path / "saved.xlsx"], tmp_path / "all.xlsx")
    assert [each.id for each in found] == ["P1"]


def test_one_that_is_there_is_never_overwritten(folder, tmp_path):
    (tmp_path / "all.xlsx").write_text("mine")
    with pytest.raises(WorkbookError, match="never overwritten"):
        collect_gait(books(folder, "book0"), tmp_path / "all.xlsx")
    assert (tmp_path / "all.xlsx").read_text() == "mine"


def test_a_subject_that_counts_twice_is_told(folder, tmp_path):
    _found, warnings = collect_gait(books(folder, "book0", "book1"), tmp_path / "all.xlsx")
    assert warnings == ()
    run_gait(recorded(tmp_path / "again.xlsx", "P0")).save()
    _found, warnings = collect_gait([*books(folder, "book0"), tmp_path / "again.xlsx"], tmp_path / "two.xlsx")
    assert [each.code for each in warnings] == ["subject-twice"]


def test_means_of_estimated_strides_beside_those_of_measured_ones_are_told(folder, tmp_path):
    def by_markers(sheets):
        sheets["Processing"].append(("events", "kinematic"))

    path = recorded(tmp_path / "estimated.xlsx", "P9", change=by_markers)
    run_gait(path).save()
    _, told = collect_gait([*books(folder, "book0"), path], tmp_path / "all.xlsx")
    found = [each for each in told if each.code == "estimated-strides"]
    assert [(each.severity, "right" in each.found, "left" in each.found) for each in found] == [
        ("warning", True, False),
        ("warning", False, True),
    ]
    assert all("estimated.xlsx" in each.found for each in found)
    _, alone = collect_gait(books(folder, "book0", "book1"), tmp_path / "both.xlsx")
    assert not [each for each in alone if each.code == "estimated-strides"]


def test_a_method_differs_by_its_settings_and_not_by_rates_or_numbers_of_events():
    def told(*filters, events=("18 of the file on Events", "16 of the file on Events")):
        words = [{"filter": each, "events": other} for each, other in zip(filters, events, strict=True)]
        made = [SimpleNamespace(path=f"{at}.xlsx", words=each, id=at, condition="") for at, each in enumerate(words)]
        return [each.code for each in doubts(made)]

    assert told("-3 dB at 6.00 Hz (7.43 Hz a pass), spline", "-3 dB at 6.00 Hz (7.45 Hz a pass), spline") == []
    assert told("-3 dB at 6.00 Hz (7.43 Hz a pass)", "-3 dB at 8.00 Hz (9.91 Hz a pass)") == ["other-method"]
    assert told("", "", events=("18 of the file on Events", "3 given on Events")) == ["other-method"]
