"""`sheetmbs study` as a user calls it: exit statuses, what is said, files, kills and applied variants."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import openpyxl
import pandas as pd
import pytest

import sheetmbs
from sheetmbs.command.console import Messages
from sheetmbs.command.solving import BESIDE, Asked
from sheetmbs.command.studying import run_study_book
from sheetmbs.studies.running.journal import journal_path
from tests.studies.study_books import (
    MASS,
    RATE,
    RESPONSES,
    SHEETS,
    VARIABLES,
    Value,
    sag,
    save_weight,
    study,
    study_book,
)
from tests.support.sample_results import loaded_sheet, sheet_names

COMMAND = [sys.executable, "-m", "sheetmbs", "study"]


Call = Callable[..., subprocess.CompletedProcess[str]]


def in_own_process(*arguments: object) -> subprocess.CompletedProcess[str]:
    """The command, to its end."""
    return subprocess.run([*COMMAND, *map(str, arguments)], capture_output=True, text=True, check=False)


@pytest.fixture
def program(call: Callable[..., tuple[int, str, str]]) -> Call:
    """A command of the program in this process, to its end."""

    def to_its_end(*arguments: object) -> subprocess.CompletedProcess[str]:
        return subprocess.CompletedProcess(arguments, *call(*arguments))

    return to_its_end


@pytest.fixture
def study_of(program: Call) -> Call:
    """The command study in this process, to its end: how workers share a study has tests of its own."""

    def to_its_end(*arguments: object) -> subprocess.CompletedProcess[str]:
        return program("study", *arguments, *(() if "--apply" in arguments else ("--workers", 1)))

    return to_its_end


def test_a_study_is_written_into_its_workbook_with_a_row_for_each_variant(tmp_path: Path, study_of: Call) -> None:
    book = study_book(tmp_path / "weight.xlsx", "grid")
    done = study_of(book)
    assert done.returncode == 0, done.stderr
    assert "Traceback" not in done.stderr
    rows = list(loaded_sheet(book, "mbs Study").values)
    assert rows[0][:6] == ("number", "name", "status", "mass", "rate", "sag")
    assert rows[1][3:6] == ("kg", "N/m", "mm")
    assert [row[0] for row in rows[2:]] == list(range(10))
    for row in rows[2:]:
        assert row[5] == pytest.approx(sag(row[3], row[4]), rel=1e-9)


def test_through_a_pipe_progress_is_a_line_for_every_tenth(tmp_path: Path, study_of: Call) -> None:
    done = study_of(study_book(tmp_path / "weight.xlsx", "sobol", samples=50), "-o", tmp_path / "out.xlsx")
    lines = [line for line in done.stderr.splitlines() if " % of" in line or " %: " in line]
    assert lines[-1].startswith("100 %: 50 of 50")
    assert 1 <= len(lines) <= 10


def test_the_workbook_as_it_is_does_not_count_among_the_variants_that_failed(tmp_path: Path, study_of: Call) -> None:
    sheets = {
        "Study": study("grid"),
        "Variables": VARIABLES,
        "Responses": [["name", "of"], ["x", "log(-max(load.y)^2)"]],
    }
    done = study_of(save_weight(tmp_path / "weight.xlsx", sheets))
    assert done.returncode == 1
    assert "100 %: 9 of 9" in done.stderr
    assert "9 failed" in done.stderr
    assert "9 variants failed, number 1 because of Responses!B2: x: it has no value" in done.stderr
    assert "10 failed" not in done.stderr


def test_variants_go_to_a_text_file_too(tmp_path: Path, study_of: Call) -> None:
    book, also = study_book(tmp_path / "weight.xlsx", "grid"), tmp_path / "all.csv"
    assert study_of(book, "--also", also).returncode == 0
    table = pd.read_csv(also)
    assert len(table) == 10
    np.testing.assert_allclose(table["sag"], [sag(m, r) for m, r in zip(table["mass"], table["rate"], strict=True)])
    assert study_of(book, "--also", also).returncode == 0  # one of ours is replaced
    also.write_text("my own notes")
    refused = study_of(book, "--also", also)
    assert refused.returncode == 2
    assert also.read_text() == "my own notes"


def test_a_further_file_that_fails_does_not_cost_a_study_its_sheets(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_arguments: object, **_options: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(pd.DataFrame, "to_csv", fail)
    book, also = study_book(tmp_path / "weight.xlsx", "grid"), tmp_path / "all.csv"
    assert run_study_book(Messages(), Asked(book, also=(also,)), 1, None, resume=False) == BESIDE
    assert "mbs Study" in sheet_names(book)
    assert not also.exists()


def test_what_was_found_is_printed_as_json(tmp_path: Path, study_of: Call) -> None:
    goals = [["name", "of", "goal", "value", "unit"], ["sag", "-first(load.y)", "target", 7.5, "mm"]]
    sheets = {"Study": study("optimise"), "Variables": VARIABLES, "Responses": goals}
    book = save_weight(tmp_path / "weight.xlsx", sheets)  # type: ignore[arg-type]
    found = json.loads(study_of(book, "--json", "-o", tmp_path / "out.xlsx").stdout)
    assert found["status"] == "done"
    assert found["responses"]["sag"] == pytest.approx(7.5)
    assert sag(found["variables"]["mass"], found["variables"]["rate"]) == pytest.approx(7.5)


def test_a_study_in_which_no_variant_works_ends_with_status_1_and_its_reasons(tmp_path: Path, study_of: Call) -> None:
    variables = [["name", "cell", "values"], ["mass", "Dimensions!B2", "-1; -2"]]
    sheets = {"Study": study("grid"), "Variables": variables, "Responses": RESPONSES}
    done = study_of(save_weight(tmp_path / "weight.xlsx", sheets), "-o", tmp_path / "out.xlsx")  # type: ignore[arg-type]
    assert done.returncode == 1
    assert "Bodies!B2" in done.stderr


def test_a_workbook_without_a_study_is_refused_and_stays_as_it_is(tmp_path: Path, study_of: Call) -> None:
    book = save_weight(tmp_path / "weight.xlsx", {})
    before = book.read_bytes()
    done = study_of(book)
    assert done.returncode == 2
    assert "add the sheets Variables and Responses" in done.stderr
    assert book.read_bytes() == before
    assert not journal_path(book).exists()


def test_an_applied_variant_is_a_copy_with_its_values_and_formulas_that_follow(tmp_path: Path, study_of: Call) -> None:
    book, copy = study_book(tmp_path / "weight.xlsx", "grid"), tmp_path / "new.xlsx"
    assert study_of(book).returncode == 0
    rows = {row[0]: row for row in list(loaded_sheet(book, "mbs Study").values)[2:]}
    done = study_of(book, "--apply", 3, "-o", copy)
    assert done.returncode == 0, done.stderr
    values = openpyxl.load_workbook(copy, data_only=True)
    assert values["Dimensions"]["B2"].value == rows[3][3]
    assert values["Bodies"]["B2"].value == rows[3][3]
    assert values["Springs"]["G2"].value == pytest.approx(rows[3][4] * 2.0)
    assert loaded_sheet(copy, "Bodies")["B2"].value == "=Dimensions!B2"
    results = sheetmbs.run(sheetmbs.read(copy))
    assert -1e3 * results.bodies["load.y"][0] == rows[3][5]  # bit by bit what the study found


def test_an_applied_variant_that_failed_is_told(tmp_path: Path, study_of: Call) -> None:
    variables: list[list[Value]] = [["name", "cell", "values"], ["mass", "Dimensions!B2", "-1; 3"]]
    sheets = {"Study": study("grid"), "Variables": variables, "Responses": RESPONSES}
    book, copy = save_weight(tmp_path / "weight.xlsx", sheets), tmp_path / "new.xlsx"
    assert study_of(book).returncode == 0
    failed, worked = (study_of(book, "--apply", number, "-o", copy) for number in (1, 2))
    assert failed.returncode == worked.returncode == 0
    assert "variant 1 failed; Bodies!B2: mass: -1; mass must not be negative" in failed.stderr
    assert "failed" not in worked.stderr


def test_formulas_that_cannot_follow_an_applied_variant_are_told(tmp_path: Path, study_of: Call) -> None:
    book, copy = study_book(tmp_path / "weight.xlsx", "grid"), tmp_path / "new.xlsx"
    opened = openpyxl.load_workbook(book)
    opened.create_sheet("Own")["A1"] = "=NOW()+Dimensions!B2"
    opened.save(book)
    assert study_of(book).returncode == 0
    done = study_of(book, "--apply", 3, "-o", copy)
    assert done.returncode == 0
    assert "not-renewed  Own!A1" in done.stderr


def test_an_applied_variant_takes_the_place_of_another_one_unless_somebody_changed_that(
    tmp_path: Path, study_of: Call
) -> None:
    book, copy = study_book(tmp_path / "weight.xlsx", "grid"), tmp_path / "new.xlsx"
    assert study_of(book).returncode == 0
    for number in (3, 9):
        assert study_of(book, "--apply", number, "-o", copy).returncode == 0
    rows = {row[0]: row for row in list(loaded_sheet(book, "mbs Study").values)[2:]}
    assert loaded_sheet(copy, "Dimensions")["B2"].value == rows[9][3] != rows[3][3]
    mine = openpyxl.load_workbook(copy)
    mine["Points"]["C2"] = 0.5
    mine.save(copy)
    content = copy.read_bytes()
    refused = study_of(book, "--apply", 5, "-o", copy)
    assert refused.returncode == 2
    assert "give another name, or delete that file" in refused.stderr
    assert copy.read_bytes() == content


def test_a_variant_that_is_not_there_cannot_be_applied(tmp_path: Path, study_of: Call) -> None:
    book = study_book(tmp_path / "weight.xlsx", "grid")
    assert "run the study first" in study_of(book, "--apply", 3, "-o", tmp_path / "new.xlsx").stderr
    study_of(book)
    refused = study_of(book, "--apply", 30, "-o", tmp_path / "new.xlsx")
    assert refused.returncode == 2
    assert "variants 0 to 9" in refused.stderr
    assert not (tmp_path / "new.xlsx").exists()


def kills(tmp_path: Path, count: int, seed: int, samples: int) -> None:
    """Kill a study so often at random moments, go on each time, and compare the end with that of one left alone."""
    book = study_book(tmp_path / "weight.xlsx", "sobol", samples=samples)
    content = book.read_bytes()
    assert in_own_process(book, "-o", tmp_path / "whole.xlsx", "--workers", 1).returncode == 0
    journal_path(book).unlink()
    chance = np.random.default_rng(seed)
    resume: list[str] = []
    for _ in range(count):
        started = subprocess.Popen(
            [*COMMAND, str(book), "-o", str(tmp_path / "again.xlsx"), "--workers", "1", *resume],
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        time.sleep(chance.uniform(0.5, 8.0))
        os.killpg(started.pid, signal.SIGKILL)
        started.wait()
        resume = ["--resume"] if journal_path(book).exists() else []
    assert in_own_process(book, "-o", tmp_path / "again.xlsx", "--workers", 1, *resume).returncode == 0
    assert (tmp_path / "again.xlsx").read_bytes() == (tmp_path / "whole.xlsx").read_bytes()
    assert book.read_bytes() == content


@pytest.mark.skipif(sys.platform == "win32", reason="there are no process groups to kill")
def test_a_study_killed_and_resumed_ends_with_the_same_bytes(tmp_path: Path) -> None:
    kills(tmp_path, 2, 1, 400)


@pytest.mark.nightly
@pytest.mark.skipif(sys.platform == "win32", reason="there are no process groups to kill")
def test_a_study_killed_at_twenty_moments_ends_with_the_same_bytes(tmp_path: Path) -> None:
    kills(tmp_path, 20, 2, 6_000)


@pytest.mark.skipif(sys.platform == "win32", reason="Ctrl-C goes to a console there")
def test_ctrl_c_writes_what_is_finished(tmp_path: Path) -> None:
    book = study_book(tmp_path / "weight.xlsx", "sobol", samples=20_000)
    started = subprocess.Popen(
        [*COMMAND, str(book), "-o", str(tmp_path / "out.xlsx"), "--workers", "1"], stderr=subprocess.PIPE, text=True
    )
    while not journal_path(book).exists() or not journal_path(book).with_name("weight.study.sqlite-wal").exists():
        time.sleep(0.1)
    time.sleep(3.0)
    started.send_signal(signal.SIGINT)
    _out, said = started.communicate(timeout=120)
    assert started.returncode == 130, said
    assert "stopped before its end" in said
    written = openpyxl.load_workbook(tmp_path / "out.xlsx", read_only=True)
    rows = list(written["mbs Study"].values)[2:]
    written.close()
    assert 0 < len(rows) < 20_001
    assert rows[0][3:5] == (MASS, RATE)


def test_a_script_without_its_guard_is_told_so(tmp_path: Path) -> None:
    book = study_book(tmp_path / "weight.xlsx", "sobol", samples=8)
    script = tmp_path / "bare.py"
    script.write_text(f"from sheetmbs.design_study import run_study\nrun_study({str(book)!r}, workers=2)\n")
    done = subprocess.run([sys.executable, script], capture_output=True, text=True, check=False, timeout=120)
    assert done.returncode != 0
    assert "must call it under if __name__ == '__main__'" in done.stderr


def test_check_finds_mistakes_in_the_sheets_of_a_study(tmp_path: Path, program: Call) -> None:
    book = study_book(tmp_path / "weight.xlsx", "grid")
    sound = program("check", book)
    assert sound.returncode == 0
    assert "a study by grid of 2 variables and 1 response" in sound.stderr
    sheets = {"Study": study("gird"), "Variables": VARIABLES, "Responses": RESPONSES}
    save_weight(book, sheets)  # type: ignore[arg-type]
    wrong = program("check", book)
    assert wrong.returncode == 2
    assert "Study!B2" in wrong.stderr
    assert "did you mean grid" in wrong.stderr


def test_check_finds_responses_that_no_result_has_and_variables_on_which_nothing_depends(
    tmp_path: Path, program: Call
) -> None:
    names, mass, rate = VARIABLES
    sheets = {"Study": study("grid"), "Variables": VARIABLES, "Responses": [["name", "of"], ["sag", "first(laod.y)"]]}
    book = save_weight(tmp_path / "wrong.xlsx", sheets)  # type: ignore[arg-type]
    wrong = program("check", book)
    assert wrong.returncode == 2
    assert "Responses!B2" in wrong.stderr
    assert "did you mean load.y" in wrong.stderr
    spare = [SHEETS["Dimensions"][0], [*SHEETS["Dimensions"][1], 3.0], *SHEETS["Dimensions"][2:]]
    unused = [names, [*mass[:1], "Dimensions!D2", *mass[2:]], rate]
    idle = {"Study": study("grid"), "Variables": unused, "Responses": RESPONSES, "Dimensions": spare}
    book = save_weight(tmp_path / "idle.xlsx", idle)  # type: ignore[arg-type]
    warned = program("check", book)
    assert warned.returncode == 0
    assert "nothing that is computed depends on Dimensions!D2" in warned.stderr


def test_resuming_without_a_journal_says_so_before_the_workbook_is_read(tmp_path: Path, study_of: Call) -> None:
    book = study_book(tmp_path / "weight.xlsx", "grid")
    done = study_of(book, "--resume", "-o", tmp_path / "out.xlsx")
    assert done.returncode == 0, done.stderr
    note = "There is no journal of an earlier study of weight.xlsx: the study starts from the beginning."
    assert done.stderr.startswith(note)
    assert "100 %: 9 of 9" in done.stderr


def best_book(study_of: Call, folder: Path) -> Path:
    """A study that has run: a grid whose best variant is known, the least sag."""
    goals = [["name", "of", "goal", "unit"], ["sag", "-first(load.y)", "minimise", "mm"]]
    sheets = {"Study": study("grid"), "Variables": VARIABLES, "Responses": goals}
    book = save_weight(folder / "weight.xlsx", sheets)  # type: ignore[arg-type]
    assert study_of(book).returncode == 0
    return book


def test_the_best_variant_is_applied_and_its_copy_run(tmp_path: Path, study_of: Call) -> None:
    book, copy = best_book(study_of, tmp_path), tmp_path / "best.xlsx"
    before = book.read_bytes()
    done = study_of(book, "--apply", "best", "--run", "-o", copy)
    assert done.returncode == 0, done.stderr
    assert book.read_bytes() == before
    cells = loaded_sheet(copy, "Dimensions")
    assert (cells["B2"].value, cells["B3"].value) == (1.0, 1000.0)
    assert -1e3 * sheetmbs.run(sheetmbs.read(copy)).bodies["load.y"].iloc[0] == pytest.approx(sag(1.0, 1000.0))
    found = loaded_sheet(copy, "mbs Bodies")
    column = [cell.value for cell in found[1]].index("load.y")
    assert -1e3 * found[3][column].value == pytest.approx(sag(1.0, 1000.0))


def test_a_copy_that_is_run_is_named_after_its_variant_where_no_name_is_given(tmp_path: Path, study_of: Call) -> None:
    book = best_book(study_of, tmp_path)
    done = study_of(book, "--apply", 3, "--run")
    assert done.returncode == 0, done.stderr
    assert "mbs Bodies" in sheet_names(tmp_path / "weight-variant-3.xlsx")


def test_without_a_best_variant_a_number_is_asked_for(tmp_path: Path, study_of: Call) -> None:
    book = study_book(tmp_path / "weight.xlsx", "grid")
    study_of(book)
    refused = study_of(book, "--apply", "best", "-o", tmp_path / "new.xlsx")
    assert refused.returncode == 2
    assert "no variant is marked as the best" in refused.stderr
    wrong = study_of(book, "--apply", "first", "-o", tmp_path / "new.xlsx")
    assert wrong.returncode == 2
    assert "--apply takes the number of a variant" in wrong.stderr.replace("\n", " ")
    assert study_of(book, "--run").returncode == 2
    assert not (tmp_path / "new.xlsx").exists()
