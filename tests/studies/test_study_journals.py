"""The journal of a study: what is interrupted is not lost, and a resume ends with the bytes of a study left alone."""

from __future__ import annotations

import os
import shutil
import sqlite3
import sys
from pathlib import Path

import openpyxl
import pytest

from sheetmbs.design_study import DesignStudy, run_study
from sheetmbs.problems.errors import WorkbookError
from sheetmbs.studies.running.evaluator import StudyProgress
from sheetmbs.studies.running.journal import journal_path
from tests.studies.study_books import study_book
from tests.studies.test_study_command import in_own_process

SAMPLES = 100


class StopAfter:
    """Ctrl-C once so many variants are solved."""

    def __init__(self, count: int) -> None:
        self.count = count

    def __call__(self, progress: StudyProgress) -> None:
        if progress.solved >= self.count:
            raise KeyboardInterrupt


def interrupted(book: Path, count: int = 5) -> DesignStudy:
    return run_study(book, workers=1, progress=StopAfter(count))


@pytest.fixture
def book(tmp_path: Path) -> Path:
    return study_book(tmp_path / "weight.xlsx", "sobol", samples=SAMPLES)


def refusal(book: Path, **options: bool) -> str:
    with pytest.raises(WorkbookError) as caught:
        run_study(book, workers=1, **options)  # type: ignore[arg-type]
    (problem,) = caught.value.problems
    assert problem.code == "study-journal"
    return f"{problem.found}; {problem.problem}; {problem.mend}"


def points(book: Path) -> int:
    with sqlite3.connect(journal_path(book)) as file:
        (count,) = file.execute("select count(*) from solved").fetchone()
    file.close()
    return int(count)


def test_a_plain_study_does_not_empty_the_journal_of_an_interrupted_one(book: Path) -> None:
    done = len(interrupted(book).variants) - 1
    assert 0 < done < SAMPLES
    before = points(book)
    said = refusal(book)
    assert f"holds {before - 1} finished variants" in said
    assert "--resume" in said
    assert "--restart" in said
    assert points(book) == before
    found = run_study(book, workers=1, resume=True)
    assert found.found.from_journal == before - 1
    assert len(found.variants) == SAMPLES + 1


def test_a_study_that_has_ended_is_followed_by_another_one_without_a_question(book: Path) -> None:
    for _ in range(2):
        assert run_study(book, workers=1).found.from_journal == 0


def test_restart_begins_afresh(book: Path) -> None:
    interrupted(book)
    assert run_study(book, workers=1, restart=True).found.from_journal == 0
    assert points(book) == SAMPLES + 1


def test_an_interrupted_study_of_another_state_of_the_workbook_is_not_lost_either(book: Path) -> None:
    interrupted(book)
    study_book(book, "sobol", samples=SAMPLES + 1)
    said = refusal(book)
    assert "another state of this workbook" in said
    assert "--restart" in said
    assert "--restart" in refusal(book, resume=True)


def test_the_command_refuses_with_status_2_and_says_how_many_came_from_the_journal(book: Path) -> None:
    interrupted(book)
    known = points(book) - 1
    content = book.read_bytes()
    refused = in_own_process(book, "--workers", 1)
    assert refused.returncode == 2
    assert "--resume, or start again with --restart" in refused.stderr
    assert "Traceback" not in refused.stderr
    assert book.read_bytes() == content
    both = in_own_process(book, "--resume", "--restart")
    assert both.returncode == 2
    assert "exclude each other" in both.stderr
    resumed = in_own_process(book, "--workers", 1, "--resume")
    assert resumed.returncode == 0
    assert f"{known} of {SAMPLES} variants came from the journal, {SAMPLES - known} were solved now." in resumed.stderr


def test_a_resumed_study_in_its_workbook_ends_with_the_bytes_of_one_that_was_left_alone(book: Path) -> None:
    whole = Path(shutil.copy(book, book.with_name("whole.xlsx")))
    run_study(whole, workers=1).save()
    interrupted(book, 7).save()
    run_study(book, workers=1, resume=True).save()
    assert book.read_bytes() == whole.read_bytes()


def test_a_width_that_the_user_gave_to_a_column_stays(book: Path) -> None:
    run_study(book, workers=1).save()
    opened = openpyxl.load_workbook(book)
    opened["mbs Study"].column_dimensions["D"].width = 41.5
    opened.save(book)
    run_study(book, workers=1).save()
    assert openpyxl.load_workbook(book)["mbs Study"].column_dimensions["D"].width == 41.5


def test_workbooks_of_two_types_with_one_name_have_journals_of_their_own(book: Path) -> None:
    macros = book.with_suffix(".xlsm")
    assert journal_path(book).name == "weight.study.sqlite"
    assert journal_path(macros).name == "weight.xlsm.study.sqlite"
    assert journal_path(book) != journal_path(macros)


def test_a_workbook_with_the_longest_name_that_there_can_be_has_a_journal(tmp_path: Path) -> None:
    book = study_book(tmp_path / f"{'a' * 250}.xlsx"[-255:], "sobol", samples=3)
    assert len(run_study(book, workers=1).variants) == 4


CHANGES = {
    "a text for the responses": "update solved set responses = 'four'",
    "a number for the point": "insert into solved values (7, x'', x'', '')",
    "no whole numbers": "update solved set responses = x'0102'",
    "too many responses": "update solved set responses = zeroblob(80)",
    "a number for the message": "update solved set message = x'41'",
    "a text that is none": "update solved set message = cast(x'ff' as text)",
}


@pytest.mark.parametrize("change", CHANGES)
def test_a_journal_with_values_of_other_types_is_a_sentence(book: Path, change: str) -> None:
    interrupted(book)
    with sqlite3.connect(journal_path(book)) as file:
        file.execute(CHANGES[change])
    file.close()
    said = refusal(book, resume=True)
    assert "the journal weight.study.sqlite" in said
    if change != "a text that is none":
        assert "start again with --restart" in said
    assert len(run_study(book, workers=1, restart=True).variants) == SAMPLES + 1


def database(path: Path, *statements: str) -> bytes:
    with sqlite3.connect(path) as file:
        for each in statements:
            file.execute(each)
    file.close()
    return path.read_bytes()


FOREIGN = {
    "tables of another program": ("create table bookmarks (url text)", "insert into bookmarks values ('mine')"),
    "a table of ours in another form": ("create table study (key text primary key)",),
    "a view in place of a table": (
        "create table study (key text primary key, ended integer not null)",
        "create view solved as with recursive n(i) as (select 1 union all select i + 1 from n) select i, i, i, i from n",
    ),
}


@pytest.mark.parametrize("what", FOREIGN)
@pytest.mark.parametrize("option", ["", "resume", "restart"])
def test_a_database_of_another_program_is_neither_emptied_nor_read(book: Path, what: str, option: str) -> None:
    content = database(journal_path(book), *FOREIGN[what])
    assert "not a journal of this version of sheetmbs" in refusal(book, **({option: True} if option else {}))
    assert journal_path(book).read_bytes() == content


def test_a_file_that_is_no_database_is_a_sentence_and_stays(book: Path) -> None:
    journal_path(book).write_text("my notes on this study, which are longer than a page of a database\n" * 40)
    content = journal_path(book).read_bytes()
    assert "cannot be used" in refusal(book)
    assert journal_path(book).read_bytes() == content


@pytest.mark.skipif(sys.platform == "win32", reason="links and pipes are planted as on POSIX systems")
@pytest.mark.parametrize("ending", ["", "-wal", "-journal", "-shm"])
@pytest.mark.parametrize("planted", ["link", "dangling link", "pipe", "folder"])
def test_no_link_is_followed_where_a_journal_is_kept(book: Path, ending: str, planted: str) -> None:
    place = journal_path(book).with_name(journal_path(book).name + ending)
    victim = book.with_name("victim")
    if planted == "link":
        victim.touch()
    if "link" in planted:
        place.symlink_to(victim)
    elif planted == "pipe":
        os.mkfifo(place)
    else:
        place.mkdir()
    assert "not a link" in refusal(book)
    assert victim.exists() == (planted == "link")
    assert not victim.exists() or victim.stat().st_size == 0
