"""What people see of a study, on sheets written into a workbook beside those of an ordinary run."""

from __future__ import annotations

import re
import shutil
from dataclasses import replace
from pathlib import Path
from zipfile import ZipFile

import numpy as np
import openpyxl
import pytest

import sheetmbs
from sheetmbs.problems.errors import WorkbookError
from sheetmbs.results.results import PagedResults
from sheetmbs.studies.read_study_rows import read_study_rows
from sheetmbs.studies.sheets.answer import answer
from sheetmbs.studies.sheets.study_charts import MAX_CHARTS
from sheetmbs.studies.sheets.study_sheets import study_sheets
from sheetmbs.studies.sheets.study_statistics import StudyAnalysis
from sheetmbs.studies.sheets.study_words import listed, more_or_less, percent, said, said_change
from sheetmbs.workbook.cells.cells import open_book
from sheetmbs.workbook.package.ownership import own_sheets
from sheetmbs.workbook.package.package import Package
from sheetmbs.workbook.sheets.sheet_contents import STUDY_SHEETS
from tests.support import made_studies
from tests.support.sample_results import loaded_sheet
from tests.support.validators import PROGRAM, against_microsoft, needs_validator

PENDULUM = Path(__file__).parents[2] / "workbooks" / "pendulum.xlsx"
NAMES = [variable.name for variable in made_studies.VARIABLES]


def write(results, path, to=None):
    """The workbook with the study's sheets, or a copy of it."""
    paged = PagedResults(sheets=study_sheets(results), path=path, content=path.read_bytes())
    return paged.save(to)


@pytest.fixture
def book(tmp_path):
    """A workbook that has been run."""
    path = tmp_path / "pendulum.xlsx"
    shutil.copy(PENDULUM, path)
    return path


def parts_of(path, names):
    """The bytes of sheets."""
    package = Package(path)
    return {name: package.read(own_sheets(package)[name].part) for name in names}


def page(results, name):
    """A page of a study by its name."""
    return next((each for each in study_sheets(results).pages if each.name == name), None)


def test_a_study_leaves_the_sheets_of_a_run_and_a_run_those_of_a_study(book):
    sheetmbs.run(sheetmbs.read(book)).save()
    of_run = [name for name in own_sheets(Package(book)) if name not in STUDY_SHEETS]
    assert "mbs Bodies" in of_run
    before = parts_of(book, of_run)
    write(made_studies.latin(), book)
    own = own_sheets(Package(book))
    written = {
        name for name in STUDY_SHEETS if name.startswith("mbs Study")
    }  # others are those of fits and derivatives
    assert set(own) == {*of_run, *written}
    assert parts_of(book, of_run) == before
    of_study = parts_of(book, written)
    sheetmbs.run(sheetmbs.read(book)).save()
    assert set(own_sheets(Package(book))) == set(own)
    assert parts_of(book, written) == of_study


def test_the_next_study_replaces_the_sheets_of_the_last_one(book):
    write(made_studies.optimised(), book)
    first = book.read_bytes()
    write(made_studies.one_at_a_time(), book)
    assert loaded_sheet(book, "mbs Study").max_row == 2 + 7
    write(made_studies.optimised(), book)
    assert book.read_bytes() == first


def test_charts_of_a_study_that_can_draw_nothing_leave_no_sheet_behind(book):
    write(made_studies.optimised(), book)
    write(made_studies.run_study_book("list", np.zeros((0, 3)), failing=(0,)), book)
    assert set(own_sheets(Package(book))) & STUDY_SHEETS == {"mbs Study", "mbs Study Summary"}


def test_mbs_study_has_a_row_for_each_variant_with_all_its_numbers(book):
    results = made_studies.latin()
    write(results, book)
    sheet = loaded_sheet(book, "mbs Study")
    rows = list(sheet.iter_rows(values_only=True))
    responses = [response.name for response in made_studies.RESPONSES]
    assert list(rows[0]) == ["number", "name", "status", *NAMES, *responses, "feasible", "best", "message"]
    assert rows[1][3:9] == ("mm", "mm", "N/mm", "deg", "N/mm", "deg/m")
    assert rows[2][:3] == (0, "as it is", "done")
    assert len(rows) == 2 + 65
    for number in (0, 1, 27, 64):
        assert rows[2 + number][0] == number
        assert rows[2 + number][3:6] == tuple(results.variants.values[number])
        assert rows[2 + number][6:9] == tuple(results.variants.responses[number])
    failed = rows[2 + 5]
    assert failed[2] == "failed"
    assert failed[6:11] == (None,) * 5
    assert failed[11].startswith("Joints!B7: ")
    assert [row[0] for row in rows[2:] if row[10] == "best"] == [results.best]
    assert {row[9] for row in rows[2:]} == {"yes", "no", None}
    over = [row[0] for row in rows[2:] if row[9] == "no"]
    assert over == [number for number, value in enumerate(results.variants.responses[:, 1]) if value > 72.0]
    assert sheet.auto_filter.ref == "A2:L67"


def test_the_row_of_the_best_variant_stands_out_and_no_other(book):
    results = made_studies.latin()
    write(results, book)
    sheet = loaded_sheet(book, "mbs Study")
    filled = {row[0].row for row in sheet.iter_rows(min_row=3) if row[3].fill.patternType == "solid"}
    assert filled == {3 + results.best}


def test_what_users_have_in_a_formula_keeps_its_column(book):
    write(made_studies.latin(), book)
    copy = openpyxl.load_workbook(book)
    copy["README"]["Z1"] = "='mbs Study'!F4"
    copy.save(book)
    more = made_studies.grid()
    with pytest.warns(UserWarning, match="front spring on mbs Study"):
        write(more, book)
    sheet = loaded_sheet(book, "mbs Study")
    heads = [cell.value for cell in sheet[1]]
    # places up to F stay, though the new study has one variable only; what it does not have is empty
    assert heads[:6] == ["number", "name", "status", *NAMES]
    assert sheet["F4"].value is None
    assert sheet.cell(3, heads.index("feasible") + 1).value == "yes"
    variant = read_study_rows(open_book(book), [NAMES[0]]).variant(3)
    assert variant.values == {NAMES[0]: more.variants.values[3, 0]}


@pytest.mark.parametrize("method", made_studies.ALL)
def test_every_method_fills_its_sheets_within_the_rules_of_excel(book, method):
    results = made_studies.ALL[method]()
    write(results, book)  # whatever is written is judged by the rules of Excel and the schemas, see conftest
    sheets = study_sheets(results)
    charts = page(results, "mbs Study Charts").charts
    assert 1 <= len(charts) <= MAX_CHARTS
    known = {f"{each.name}!{column.name}": column for each in sheets.pages for column in each.columns}
    for chart in charts:
        lines = [line for line in chart.lines if line.name != "as it is" and not line.name.startswith("best")]
        assert lines, chart.title
        for line in chart.lines:
            x, y = known[line.x], known[line.y]
            assert max(len(x.data), len(x.labels)) == len(y.data), (chart.title, line.name)
        # no chart of a single dot
        assert sum(np.isfinite(known[line.y].data).sum() for line in chart.lines) > 1
        units = re.findall(r"\[(.*?)\]", chart.upward.title)
        assert units or chart.upward.title in ("variants", "objective", "share of its variance"), chart.upward.title


@needs_validator
def test_microsoft_finds_nothing_on_the_sheets_of_any_method(tmp_path):
    assert PROGRAM.is_file()
    books = {write(made(), PENDULUM, tmp_path / f"{name}.xlsx"): PENDULUM for name, made in made_studies.ALL.items()}
    assert against_microsoft(books) == {}


def test_charts_draw_the_numbers_that_stand_on_mbs_study_curves(book):
    write(made_studies.optimised(), book)
    curves = loaded_sheet(book, "mbs Study Curves")
    with ZipFile(book) as file:
        charts = [file.read(name).decode() for name in file.namelist() if name.startswith("xl/charts/chart")]
    drawn = [chart for chart in charts if "mbs Study Curves" in chart]
    assert len(drawn) == len(page(made_studies.optimised(), "mbs Study Charts").charts)
    held = r"<c:f>'mbs Study Curves'!\$([A-Z]+)\$3:\$\1\$(\d+)</c:f><c:numCache>(.*?)</c:numCache>"
    found = [each for chart in drawn for each in re.findall(held, chart)]
    assert len(found) > 50
    for column, last, cache in found:
        numbers = [float(value) for value in re.findall("<c:v>(.*?)</c:v>", cache)]
        cells = [curves[f"{column}{row}"].value for row in range(3, int(last) + 1)]
        assert numbers == [cell for cell in cells if cell is not None]


def test_a_hundred_thousand_variants_are_a_thousand_dots():
    charts = page(made_studies.latin(100_000, ()), "mbs Study Charts")
    columns = page(made_studies.latin(100_000, ()), "mbs Study Curves").columns
    assert max(len(column.data) for column in columns) <= 1_000
    assert "At most 1,000" in next(cell.value for cell in charts.cells if cell.row == 3)


def test_the_answer_names_the_best_variant_what_it_gains_and_what_it_moves():
    results = made_studies.optimised()
    first, at_end, base = answer(StudyAnalysis(results))
    best, values = results.best, results.variants.values
    gain = 1.0 - results.variants.responses[best, 0] / results.variants.responses[0, 0]
    assert first.startswith(f"Variant {best} is best: toe error ")
    assert f"{100.0 * gain:.3g} % less than the baseline" in first
    assert f"inner tie rod z by {values[best, 0] - 150.0:+.4g} mm" in first
    assert "front spring" in at_end  # it stands at its low end
    assert base == "Method optimise: 120 variants in bump, of which 2 failed; 118 of 118 hold all limits."


def test_the_answer_of_one_at_a_time_names_the_strongest_variable():
    told = answer(StudyAnalysis(made_studies.one_at_a_time()))
    assert told[0].startswith("Toe error depends most on inner tie rod z: from 140 to 160 mm it rises and falls")
    assert told[1] == "Ride rate depends most on front spring: from 52 to 78 N/mm it changes by +23.4 N/mm."
    assert told[3] == "The baseline workbook is best: toe error 0.07099 deg. No variant does better."


def test_the_answer_says_how_far_responses_go_where_no_effect_can_be_told():
    few = made_studies.run_study_book("grid", np.array([[150.0, 152.0, 60.0], [150.0, 152.0, 70.0]]))
    book = replace(few.study, responses=tuple(replace(each, goal="", value=None) for each in few.study.responses))
    told = answer(StudyAnalysis(replace(few, study=book, best=None)))
    assert told[:3] == [
        "Toe error is 0.07099 deg in every variant.",
        "Ride rate goes from 58 (variant 1) to 67 N/mm (variant 2).",
        "Camber gain is -20 deg/m in every variant.",
    ]


def test_the_answer_of_a_tolerance_study_is_the_share_within_limits():
    results = made_studies.tolerance()
    first, missed, _ = answer(StudyAnalysis(results))
    share = results.feasible[1:].sum() / 499
    assert first.startswith(f"{100 * share:.2f} % of 499 variants hold all limits (95 % interval ")
    count = int((results.variants.responses[1:, 0] > 0.12).sum())
    assert missed == f"The limit missed most often is toe error at most 0.12 deg, by {count} variants."


def test_the_answer_says_that_no_variant_worked_or_holds_the_limits():
    results = made_studies.latin()
    nothing = made_studies.latin(8, range(1, 9))
    assert answer(StudyAnalysis(nothing))[0] == "No variant could be solved; the reasons are listed below."
    none_feasible = replace(results, feasible=np.zeros(65, dtype=bool), best=None)
    assert answer(StudyAnalysis(none_feasible))[0].startswith(
        "No variant holds all limits. The limit missed most often is ride rate"
    )
    stopped = replace(results, message="It was stopped after 64 of 1,000 variants.")
    assert answer(StudyAnalysis(stopped))[-1] == "It was stopped after 64 of 1,000 variants."


def test_the_summary_shows_percentiles_only_where_samples_suffice():
    cells = page(made_studies.tolerance(), "mbs Study Summary").cells
    title = next(cell.value for cell in cells if str(cell.value).startswith("Percentiles"))
    assert "499 variants are too few: 0.1 % takes 3,688, 99.9 % takes 3,688" in title
    row = next(cell.row for cell in cells if cell.value == "percentile")
    numbers = {cell.column: cell.value for cell in cells if cell.row == row and cell.column > 3}
    assert [column for column, value in numbers.items() if value is None] == [4, 10]
    held = made_studies.tolerance().variants.responses[1:, 0]
    assert numbers[7] == pytest.approx(np.nanmedian(held))


def test_the_summary_shows_how_far_the_optimum_moved_and_which_bounds_are_active():
    results = made_studies.optimised()
    cells = page(results, "mbs Study Summary").cells
    rows = {cell.value: cell.row for cell in reversed(cells) if cell.column == 1}
    spring = [cell.value for cell in cells if cell.row == rows["front spring"]]
    assert spring == ["front spring", "N/mm", "Dimensions!B9", 65.0, 52.0, -13.0, 52.0, 78.0, "at its low end"]


def test_a_percentage_of_a_negative_number_has_its_low_end_at_the_lower_value():
    results = made_studies.optimised()
    variable = replace(results.study.variables[0], as_it_is=(-150.0,), low=-20.0, high=20.0, how="percent")
    values = results.variants.values.copy()
    values[:, 0] = np.linspace(-180.0, -120.0, len(values))
    study = replace(results.study, variables=(variable, *results.study.variables[1:]))
    told = StudyAnalysis(replace(results, study=study, variants=replace(results.variants, values=values)))
    assert told.ends(0) == (-180.0, -120.0)
    assert [told.end_of(0, number) for number in (0, 60, 120)] == ["low", "", "high"]


def test_the_effects_of_a_linear_response_stand_in_the_summary():
    cells = page(made_studies.one_at_a_time(), "mbs Study Summary").cells
    row = next(
        c.row for c in cells if c.column == 2 and c.value == "front spring" and _at(cells, c.row, 1) == "ride rate"
    )
    assert _at(cells, row, 9) == pytest.approx(0.9 * 26.0)


def _at(cells, row, column):
    return next(cell.value for cell in cells if (cell.row, cell.column) == (row, column))


def test_a_variant_is_read_back_bit_by_bit(book):
    results = made_studies.latin()
    write(results, book)
    rows = read_study_rows(open_book(book), NAMES)
    for number in (0, 1, 27, 64):
        found = rows.variant(number)
        assert tuple(found.values.values()) == tuple(results.variants.values[number])
        assert found.is_done
    failed = rows.variant(5)
    assert not failed.is_done
    assert tuple(failed.values.values()) == tuple(results.variants.values[5])
    assert failed.message.startswith("Joints!B7: ")


@pytest.mark.parametrize(
    ("names", "number", "said_of_it"),
    [
        (NAMES, 65, "there is no variant 65"),
        (NAMES, -1, "there is no variant -1"),
        (["upper arm"], 0, "there is no column upper arm"),
    ],
)
def test_what_cannot_be_read_back_is_said(book, names, number, said_of_it):
    write(made_studies.latin(), book)
    with pytest.raises(WorkbookError, match=said_of_it):
        read_study_rows(open_book(book), names).variant(number)


def test_a_workbook_without_a_study_says_so(book):
    with pytest.raises(WorkbookError, match=r"pendulum\.xlsx has no sheet mbs Study"):
        read_study_rows(open_book(book), NAMES)


def test_a_value_that_somebody_wiped_out_is_said_at_its_cell(book):
    write(made_studies.latin(), book)
    copy = openpyxl.load_workbook(book)
    copy["mbs Study"]["E6"] = None
    copy.save(book)
    with pytest.raises(WorkbookError, match="mbs Study!E6") as caught:
        read_study_rows(open_book(book), NAMES).variant(3)
    assert "variant 3 needs a number for outer tie rod z" in str(caught.value)


def test_numbers_in_sentences():
    assert said(0.0209999, "deg") == "0.021 deg"
    assert said(-1234.56, "N*m") == "-1,235 N·m"
    assert said(3.0e-9) == "3.000e-09"
    assert said(0.0) == "0"
    assert said_change(3.2, "mm") == "+3.2 mm"
    assert more_or_less(0.021, 0.124) == "83.1 % less than the baseline"
    assert more_or_less(2.0, -1.0) == ""
    assert more_or_less(-40.0, -10.0) == ""  # is less, though by more
    assert more_or_less(5.0, 0.0) == ""
    assert (percent(0.974), percent(0.9996), percent(1.0), percent(0.0001)) == ("97.4 %", "99.96 %", "100 %", "0.01 %")
    assert listed(["a"]) == "a"
    assert listed(["a", "b", "c"]) == "a, b and c"
    assert listed(["a", "b", "c", "d", "e"]) == "a, b, c and 2 more"


def test_two_limits_of_one_quantity_are_one_distribution_with_both_ends_beyond():
    results = made_studies.tolerance()
    first, *others = results.study.responses
    least = replace(first, name="toe error again", goal="at least", value=0.03)
    study = replace(results.study, responses=(first, *others, least))
    columns = results.variants.responses
    variants = replace(results.variants, responses=np.column_stack([columns, columns[:, 0]]))
    twice = replace(results, study=study, variants=variants)
    charts = page(twice, "mbs Study Charts").charts
    assert len([chart for chart in charts if chart.title.startswith("Distribution of toe error")]) == 1
    held = {column.name: column.data for column in page(twice, "mbs Study Curves").columns}
    toe = columns[1:, 0]
    assert held["toe error, beyond"].sum() == np.sum((toe > 0.12) | (toe < 0.03))


def look_of_best(best):
    """How the summary shows the best variant's number for the first response, another one being 14."""
    results = made_studies.optimised()
    responses = results.variants.responses.copy()
    responses[results.best, 0], responses[1, 0] = best, 14.0
    shown = replace(results, variants=replace(results.variants, responses=responses))
    return next(cell.look for cell in page(shown, "mbs Study Summary").cells if cell.value == best)


def test_a_listed_variant_stands_at_no_end_of_a_range():
    told = StudyAnalysis(replace(made_studies.listed(), best=1))
    assert not any(told.end_of(place, 1) for place in range(3))


def test_failures_that_differ_in_numbers_alone_are_one_reason():
    results = made_studies.latin(failing=(5, 9, 11, 12))
    messages = {
        5: "Joints!B7: the column never has the value 30: it goes from -240 to 10",
        9: "Joints!B7: the column never has the value 30: it goes from -1.5e-3 to 1,200.25",
        11: "Joints!B8: the column never has the value 30: it goes from -240 to 10",
        12: "mass-2 m1: the column never has the value 30: it goes from -240 to 10",
    }
    told = StudyAnalysis(replace(results, variants=replace(results.variants, messages=messages)))
    assert told.reasons == [(messages[5], 2, 5), (messages[11], 1, 11), (messages[12], 1, 12)]


def test_variables_at_the_ends_of_their_ranges_are_counted_in_the_grammar():
    results = made_studies.optimised()
    moved = replace(results.variants, values=results.variants.values.copy())
    bounds = [variable.bounds for variable in results.study.variables]
    moved.values[results.best] = [low for low, _high in bounds]
    names = [variable.name for variable in results.study.variables]
    said = answer(StudyAnalysis(replace(results, variants=moved)))[1]
    assert said.startswith("In it ")
    assert all(name in said for name in names[:3])
    assert "are at the ends of their ranges; wider ranges may give a better variant." in said


def test_formulas_that_had_no_value_are_on_the_summary_and_not_among_the_findings():
    results = replace(made_studies.latin(), computed=3)
    said = "3 formulas that had no value in the file were computed."
    assert said not in answer(StudyAnalysis(results))
    [summary] = [page for page in study_sheets(results).pages if page.name == "mbs Study Summary"]
    assert said in [cell.value for cell in summary.cells]


def test_small_numbers_beside_large_ones_are_still_seen():
    assert look_of_best(2.5e-4) == "list decimals 6"


def test_numbers_too_small_for_decimals_have_an_exponent_and_rounding_is_zero():
    assert look_of_best(5.2e-9) == "list exponent"
    assert look_of_best(5.2e-17) == "list decimals 6"
