"""Variants of a study beside the workbook on a page: which ones, and that each is what its saved copy would show."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import openpyxl
import pytest

from sheetmbs.design_study import apply_variant, run_study
from sheetmbs.live.workbook_page import view
from sheetmbs.problems.errors import WorkbookError
from sheetmbs.studies.read_study_rows import MAX_COMPARED_VARIANTS, comparison_variants, read_study_rows
from sheetmbs.workbook.cells.cells import open_book
from tests.studies.study_books import RESPONSES, sag, save_weight, study, study_book
from tests.studies.study_books import VARIABLES as OF_WEIGHT
from tests.studies.test_study_sheets import PENDULUM, write
from tests.support.made_studies import VARIABLES, latin, pareto

NAMES = [variable.name for variable in VARIABLES]
GOAL = [[*RESPONSES[0], "goal"], [*RESPONSES[1], "minimise"]]


@pytest.fixture(scope="module")
def weight(tmp_path_factory):
    """A weight on springs with a finished study, a grid of 9 in which least sag is best: small mass, high rate."""
    path = tmp_path_factory.mktemp("beside") / "weight.xlsx"
    book = save_weight(path, {"Study": study("grid"), "Variables": OF_WEIGHT, "Responses": GOAL})
    run_study(book, workers=1).save()
    return book


@pytest.fixture
def rows(tmp_path):
    """The sheet of a made-up study of 64 variants, of which number 5 failed."""
    path = tmp_path / "pendulum.xlsx"
    path.write_bytes(PENDULUM.read_bytes())
    write(latin(), path)
    return read_study_rows(open_book(path), NAMES)


def numbers(found):
    return [row.number for row in found]


def test_the_best_variant_stands_beside_without_being_asked_for(weight):
    ghosts = view(weight).document["cases"][0]["ghosts"]
    assert len(ghosts) == 1
    assert ghosts[0]["name"].endswith(", best")


def test_some_of_a_front_stand_beside_without_being_asked_for(tmp_path):
    path = tmp_path / "pendulum.xlsx"
    path.write_bytes(PENDULUM.read_bytes())
    results = pareto()
    write(results, path)
    found = numbers(comparison_variants(read_study_rows(open_book(path), NAMES), None))
    assert len(found) == 5
    assert set(found) <= set(results.front)


def test_a_variant_beside_is_what_its_saved_copy_shows(weight, tmp_path):
    """Bit by bit: poses and every column, of the copy that `--apply` writes."""
    document = view(weight, variants="2; 4-5").document
    ghosts = document["cases"][0]["ghosts"]
    assert [ghost["name"].split()[1].rstrip(",") for ghost in ghosts] == ["2", "4", "5"]
    for number, ghost in zip((2, 4, 5), ghosts, strict=True):
        apply_variant(weight, number, tmp_path / f"{number}.xlsx")
        copied = view(tmp_path / f"{number}.xlsx", variants="none").document["cases"][0]
        assert ghost["scene"] == copied["scene"]
        assert ghost["tables"] == copied["tables"]
    assert ghosts[0]["scene"]["poses"] != ghosts[1]["scene"]["poses"]


def test_where_no_variant_stands_beside_there_is_no_table_of_them(weight):
    for none in ("none", "NONE", "0"):
        case = view(weight, variants=none).document["cases"][0]
        assert case["ghosts"] == []
        assert "Variants" not in [section["title"] for section in case["sections"]]


def test_the_table_beside_tells_values_and_responses_by_the_closed_form(weight):
    section = view(weight, variants="1-9").document["cases"][0]["sections"][0]
    told = dict(zip(section["names"], np.array(section["values"]), strict=True))
    assert list(told) == ["mass [kg]", "rate [N/m]", "sag [mm]"]
    assert section["heads"][0] == "as it is"
    assert len(section["heads"]) == 10
    assert told["sag [mm]"] == pytest.approx(sag(told["mass [kg]"], told["rate [N/m]"]), rel=1e-9)
    best = next(k for k, head in enumerate(section["heads"]) if head.endswith("best"))
    assert best == np.argmin(told["mass [kg]"] / told["rate [N/m]"])


def test_a_grid_without_goals_has_some_variants_beside_it_evenly(tmp_path):
    book = study_book(tmp_path / "weight.xlsx", "grid")
    run_study(book, workers=1).save()
    rows = read_study_rows(open_book(book), ["mass", "rate"])
    assert numbers(comparison_variants(rows, None)) == [1, 3, 5, 7, 9]


@pytest.mark.parametrize(
    ("asked", "found"), [("3", [3]), (" 7;3 , 4-6 ", [3, 4, 5, 6, 7]), ("0; 2", [2]), ("none", []), ("NONE", [])]
)
def test_numbers_and_ranges_are_read(rows, asked, found):
    assert numbers(comparison_variants(rows, asked)) == found


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ("best", "numbers and ranges"),
        ("5-3", 'write "3-5"'),
        ("-3", "numbers and ranges"),
        (f"1-{MAX_COMPARED_VARIANTS + 1}", "cannot be told apart"),
        ("1-999999999", "cannot be told apart"),
        ("65", "there is no variant 65"),
    ],
)
def test_what_cannot_be_drawn_beside_is_said(rows, asked, said):
    with pytest.raises(WorkbookError, match=said):
        comparison_variants(rows, asked)


def test_a_variant_that_fails_is_told_and_costs_no_page(weight, tmp_path):
    """A value that somebody wrote into `mbs Study`: a mass below zero, which no body can have."""
    book = tmp_path / "weight.xlsx"
    copy = openpyxl.load_workbook(weight)
    copy["mbs Study"]["D5"] = -1.0
    copy.save(book)
    viewed = view(book, variants="1; 2")
    case = viewed.document["cases"][0]
    told = [problem for problem in viewed.problems if problem.code == "not-beside"]
    assert len(told) == 1
    assert told[0].cell
    assert told[0].found == "Variant 2 is not drawn"
    assert [ghost["name"] for ghost in case["ghosts"]] == ["Variant 1"]
    assert "not drawn" in case["problems"][0]["found"]


def test_a_study_of_other_variables_is_a_warning_unless_variants_are_asked_for(weight, tmp_path):
    book = tmp_path / "weight.xlsx"
    copy = openpyxl.load_workbook(weight)
    copy["Variables"]["A2"] = "load"
    copy.save(book)
    viewed = view(book)
    assert [problem.code for problem in viewed.problems if problem.severity == "warning"].count("not-beside") == 1
    assert viewed.document["cases"][0]["ghosts"] == []
    with pytest.raises(WorkbookError, match="there is no column load"):
        view(book, variants="2")


def test_the_command_says_what_is_wrong_and_writes_pages_with_variants(weight, tmp_path):
    call = [sys.executable, "-m", "sheetmbs", "view", str(weight), "--html", str(tmp_path / "page.html")]
    done = subprocess.run([*call, "--variants", "3"], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "page.html").stat().st_size > 1e5
    plain = subprocess.run(
        [*call[:4], str(PENDULUM), *call[5:], "--variants", "3"], capture_output=True, text=True, check=False
    )
    assert plain.returncode == 2
    assert "run the study first" in plain.stderr
