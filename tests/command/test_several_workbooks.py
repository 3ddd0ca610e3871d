"""Workbooks run without the word run, and several of them in one command."""

import shutil
from pathlib import Path

import pytest
import typer

from tests.support.sample_results import sheet_names

WORKBOOKS = Path(__file__).parents[2] / "workbooks"


@pytest.fixture
def books(tmp_path):
    return [Path(shutil.copy(WORKBOOKS / f"{name}.xlsx", tmp_path)) for name in ("pendulum", "slider-crank")]


def has_results(path):
    return "mbs Summary" in sheet_names(path)


def test_a_workbook_in_place_of_a_command_is_run(books, call):
    status, _out, err = call(books[0])
    assert (status, has_results(books[0])) == (0, True), err


def test_several_workbooks_are_run_one_after_another(books, call):
    status, _out, err = call("run", *books)
    assert status == 0
    assert all(map(has_results, books))
    assert "2 of 2 workbooks are done." in err


def test_a_wrong_workbook_stops_no_other_and_decides_the_status(books, call):
    missing = books[0].with_name("missing.xlsx")
    status, _out, err = call(missing, *books)
    assert (status, all(map(has_results, books))) == (2, True)
    assert "2 of 3 workbooks are done." in err


@pytest.mark.parametrize("option", [["-o", "x.xlsx"], ["--json"], ["--set", "Bodies!B3=2"], ["--model", "m.xlsx"]])
def test_an_option_that_names_one_file_is_refused_for_several_workbooks(option, books, call):
    status, _out, err = call("run", *books, *option)
    assert status == 2
    assert "is for one workbook" in err
    assert not any(map(has_results, books))


@pytest.mark.parametrize(
    ("word", "right"), [("-out", "-o or --output"), ("-output", "-o or --output"), ("-case", "-c or --case")]
)
def test_a_long_option_with_one_dash_is_named(word, right, books, call):
    status, _out, err = call("run", books[0], word, "x.xlsx")
    assert (status, f"{word} is no option: write {right}" in err) == (2, True)


@pytest.mark.parametrize(("answer", "word"), [(0, ""), (1, "Open it by hand")])
def test_the_result_is_opened_where_that_is_asked_for(answer, word, books, call, monkeypatch):
    opened = []
    monkeypatch.setattr(typer, "launch", lambda path: opened.append(path) or answer)
    status, _out, err = call(books[0], "--open")
    assert (status, opened) == (0, [str(books[0])])
    assert word in err


def test_a_page_that_was_written_is_opened_where_that_is_asked_for(books, call, monkeypatch, tmp_path):
    opened = []
    monkeypatch.setattr(typer, "launch", lambda path: opened.append(path) or 0)
    page = tmp_path / "page.html"
    status, _out, err = call("view", books[0], "--html", page, "--open")
    assert (status, opened) == (0, [str(page)]), err
    assert call("view", books[0], "--open")[0] == 2, "a served page opens by itself"
