"""Nothing computed is ever lost: where results go when their place cannot be had, and that nobody's file gives way to them."""

from __future__ import annotations

import json
import os
import sys
import tempfile
from pathlib import Path

import openpyxl
import pytest
import xlsxwriter

import sheetmbs
from sheetmbs.mechanism.run_model import run_model
from sheetmbs.problems.errors import Problem, WorkbookError
from sheetmbs.workbook.package.ownership import copied_from
from sheetmbs.workbook.package.package import Package
from sheetmbs.workbook.package.zipcopy import ZipCopy
from sheetmbs.workbook.writing.write import check_writable, write_problems, write_results
from tests.support.sample_results import PROBLEM, packed_parts, read_parts, sheet_names, slider_crank

LOCKS = [(".~lock.{}#", "LibreOffice"), ("~${}", "Excel")]


def make(path: Path, *sheets: str) -> Path:
    with xlsxwriter.Workbook(path) as book:
        for name in sheets or ("Model",):
            book.add_worksheet(name).write("A1", f"of the user, on {name}")
    return path


def lock(path: Path, kind: str = "~${}") -> Path:
    """What another program puts beside a file that it has open."""
    found = path.with_name(kind.format(path.name))
    found.write_text("somebody")
    return found


def save(book: Path, target: Path | None = None, **options) -> tuple[Path, list[Problem]]:
    """Write results: the file that holds them, and what was told."""
    told: list[Problem] = []
    return write_results(book, target, slider_crank(5), tell=told.append, **options), told


@pytest.fixture
def book(tmp_path):
    (tmp_path / "desk").mkdir()
    return make(tmp_path / "desk" / "book.xlsx")


@pytest.fixture(autouse=True)
def homes(tmp_path, monkeypatch):
    """A home folder and one for temporary files of the test's own."""
    folders = {name: tmp_path / name for name in ("home", "temporary")}
    for folder in folders.values():
        folder.mkdir()
    monkeypatch.setattr(Path, "home", lambda: folders["home"])
    monkeypatch.setattr(tempfile, "tempdir", str(folders["temporary"]))
    return folders


def refuse_to_replace(monkeypatch, *refusing: Path) -> None:
    """What Windows does while another program holds a file: it cannot be replaced, though it may be read."""
    original = Path.replace

    def replace(self, target):
        if Path(target) in refusing or Path(target).parent in refusing:
            raise PermissionError(13, "The process cannot access the file because it is being used by another process")
        return original(self, target)

    monkeypatch.setattr(Path, "replace", replace)


def assert_holds_results(path: Path, original: bytes, tmp_path: Path) -> None:
    """The file is a copy of the workbook with results in it: every sheet of the user's is as it was packed."""
    before = tmp_path / f"original{path.suffix}"
    before.write_bytes(original)
    assert sheet_names(path) == [*sheet_names(before), *(name for name in sheet_names(path) if name.startswith("mbs "))]
    assert "mbs Bodies" in sheet_names(path)
    packed, now = packed_parts(before), packed_parts(path)
    users = [name for name in packed if name.startswith("xl/worksheets/")]
    assert users
    assert {name: now[name] for name in users} == {name: packed[name] for name in users}


# the workbook is open in another program


@pytest.mark.parametrize(("kind", "program"), LOCKS)
def test_results_of_a_workbook_that_is_open_go_beside_it_and_say_so(book, tmp_path, kind, program):
    before, lock_file = book.read_bytes(), lock(book, kind)
    is_open = check_writable(book, None)
    assert is_open.code == "file-open"
    written, [told] = save(book)
    assert written == book.with_name("book-results.xlsx")
    assert_holds_results(written, before, tmp_path)
    assert book.read_bytes() == before
    assert program in told.found
    assert str(written) in told.problem
    assert lock_file.name in told.mend
    assert (told.severity, told.code) == ("warning", "results-elsewhere")


def test_problems_are_not_marked_in_a_workbook_that_is_open(book):
    lock(book)
    before = book.read_bytes()
    with pytest.raises(WorkbookError) as caught:
        write_problems(book, [PROBLEM])
    assert [problem.code for problem in caught.value.problems] == ["file-open"]
    assert book.read_bytes() == before


def test_the_next_run_replaces_the_copy_that_the_last_one_made(book):
    lock(book)
    first, _ = save(book)
    write_results(book, None, slider_crank(9))
    assert sorted(path.name for path in book.parent.iterdir()) == ["book-results.xlsx", "book.xlsx", "~$book.xlsx"]
    assert openpyxl.load_workbook(first)["mbs Bodies"].max_row == 11


def test_once_the_workbook_is_closed_results_go_into_it_again(book):
    lock_file = lock(book)
    save(book)
    lock_file.unlink()
    assert save(book) == (book, [])
    assert "mbs Bodies" in sheet_names(book)


def test_a_workbook_with_macros_gets_a_copy_that_may_hold_them(tmp_path):
    book = tmp_path / "book.xlsm"
    with xlsxwriter.Workbook(book) as made:
        from io import BytesIO

        made.add_worksheet("Model")
        made.add_vba_project(BytesIO(b"macros"), is_stream=True)
    lock(book)
    written, _ = save(book)
    assert written.name == "book-results.xlsm"
    assert read_parts(written)["xl/vbaProject.bin"] == b"macros"


@pytest.mark.parametrize("content", [b"", b"a letter", "workbook", "results of its own", "copy of another", "folder"])
def test_a_file_that_is_no_copy_of_this_workbook_gives_way_to_nothing(book, content):
    other = book.with_name("book-results.xlsx")
    if isinstance(content, bytes):
        other.write_bytes(content)
    elif content == "folder":
        other.mkdir()
    elif content == "copy of another":
        write_results(make(book.with_name("other.xlsx")), other, slider_crank())
    else:
        make(other)
        if content == "results of its own":
            write_results(other, None, slider_crank())
    before = other.read_bytes() if other.is_file() else None
    lock(book)
    for _ in range(2):
        assert save(book)[0] == book.with_name("book-results-2.xlsx")
    assert other.is_dir() if before is None else other.read_bytes() == before


def test_a_copy_that_is_itself_open_or_read_only_gives_way_to_nothing(book):
    lock(book)
    first, _ = save(book)
    lock(first)
    second, _ = save(book)
    second.chmod(0o444)
    third, _ = save(book)
    assert [path.name for path in (first, second, third)] == [
        "book-results.xlsx",
        "book-results-2.xlsx",
        "book-results-3.xlsx",
    ]


def test_a_copy_asked_for_that_is_open_gets_another_one_beside_it(book, tmp_path):
    output = tmp_path / "out.xlsx"
    assert save(book, output) == (output, [])
    before, original = output.read_bytes(), book.read_bytes()
    lock(output, ".~lock.{}#")
    written, [told] = save(book, output)
    assert written == tmp_path / "out-results.xlsx"
    assert output.read_bytes() == before
    assert book.read_bytes() == original
    assert "out.xlsx is open in LibreOffice" in told.found


def test_what_lies_beside_a_workbook_that_is_open_can_be_run_by_itself(book):
    lock(book)
    written, _ = save(book)
    assert copied_from(Package(written)) == "book.xlsx"
    assert save(written) == (written, [])


# the workbook was changed, or can no longer be written, after it was read


def test_a_workbook_saved_meanwhile_keeps_what_was_saved_and_results_go_beside_it(book, tmp_path):
    read = book.read_bytes()
    make(book, "Model", "Saved meanwhile")
    saved = book.read_bytes()
    written, [told] = save(book, content=read)
    assert book.read_bytes() == saved
    assert written == book.with_name("book-results.xlsx")
    assert_holds_results(written, read, tmp_path)
    assert "changed" in told.found


def test_a_workbook_saved_at_the_last_moment_keeps_what_was_saved(book, tmp_path, monkeypatch):
    read = book.read_bytes()
    original = ZipCopy.take

    def save_meanwhile(self, content, entry):
        make(book, "Model", "Saved meanwhile")
        original(self, content, entry)

    monkeypatch.setattr(ZipCopy, "take", save_meanwhile)
    written, _ = save(book)
    assert sheet_names(book) == ["Model", "Saved meanwhile"]
    assert_holds_results(written, read, tmp_path)


@pytest.mark.parametrize("damage", [b"", b"half of a", None])
def test_results_of_a_workbook_that_is_gone_or_being_saved_are_written_all_the_same(book, tmp_path, damage):
    read = book.read_bytes()
    book.unlink() if damage is None else book.write_bytes(damage)
    written, [told] = save(book, content=read)
    assert_holds_results(written, read, tmp_path)
    assert told.found
    assert (book.read_bytes() if book.exists() else None) == damage


def test_results_that_we_wrote_meanwhile_are_no_change_of_the_users(book):
    read = book.read_bytes()
    write_results(book, None, slider_crank(problems=(PROBLEM,)))
    assert save(book, content=read) == (book, [])
    write_problems(book, [PROBLEM])
    assert save(book, content=read) == (book, [])
    assert openpyxl.load_workbook(book)["mbs Bodies"].max_row == 7


def test_a_change_of_the_users_beside_results_of_ours_is_one(book):
    read = book.read_bytes()
    write_results(book, None, slider_crank())
    changed = openpyxl.load_workbook(book)
    changed["Model"]["B2"] = "a change of the user's"
    changed.save(book)
    assert save(book, content=read)[0] == book.with_name("book-results.xlsx")
    assert openpyxl.load_workbook(book)["Model"]["B2"].value == "a change of the user's"


def test_a_copy_of_a_workbook_changed_meanwhile_holds_what_was_analysed(book, tmp_path):
    read = book.read_bytes()
    make(book, "Model", "Saved meanwhile")
    output = tmp_path / "out.xlsx"
    assert save(book, output, content=read) == (output, [])
    assert_holds_results(output, read, tmp_path)


def test_a_workbook_that_became_read_only_stays_as_it_is(book):
    before = book.read_bytes()
    book.chmod(0o444)
    written, [told] = save(book)
    assert written == book.with_name("book-results.xlsx")
    assert book.read_bytes() == before
    assert "read-only" in told.found


def test_a_foreign_file_that_took_the_name_of_the_copy_stays(book, tmp_path):
    output = make(tmp_path / "out.xlsx", "Of somebody else")
    before = output.read_bytes()
    written, _ = save(book, output)
    assert written == tmp_path / "out-results.xlsx"
    assert output.read_bytes() == before


def test_where_windows_refuses_to_replace_a_file_results_go_beside_it(book, tmp_path, monkeypatch):
    before = book.read_bytes()
    refuse_to_replace(monkeypatch, book)
    written, [told] = save(book)
    assert written == book.with_name("book-results.xlsx")
    assert_holds_results(written, before, tmp_path)
    assert book.read_bytes() == before
    assert "may not be written" in told.found


def test_where_windows_refuses_to_replace_the_earlier_copy_too_the_next_name_is_taken(book, monkeypatch):
    lock(book)
    first, _ = save(book)
    before = first.read_bytes()
    refuse_to_replace(monkeypatch, book, first)
    assert save(book)[0].name == "book-results-2.xlsx"
    assert first.read_bytes() == before


def test_from_a_folder_that_takes_no_more_results_go_home_and_else_among_temporary_files(book, homes, monkeypatch):
    refuse_to_replace(monkeypatch, book.parent)
    at_home, _ = save(book)
    again, _ = save(book)
    assert [at_home, again] == [homes["home"] / name for name in ("book-results.xlsx", "book-results-2.xlsx")]
    refuse_to_replace(monkeypatch, book.parent, homes["home"])
    temporary, [told] = save(book)
    assert temporary == homes["temporary"] / "book-results.xlsx"
    assert str(temporary) in told.problem


def test_results_of_a_folder_that_is_gone_go_home(book, homes):
    read = book.read_bytes()
    book.unlink()
    book.parent.rmdir()
    assert save(book, content=read)[0] == homes["home"] / "book-results.xlsx"


def test_where_nothing_can_be_written_the_first_reason_is_given_and_every_file_is_as_it_was(
    book, tmp_path, monkeypatch
):
    before = book.read_bytes()
    refuse_to_replace(monkeypatch, book.parent, tmp_path / "home", tmp_path / "temporary")
    with pytest.raises(WorkbookError) as caught:
        save(book)
    [problem] = caught.value.problems
    assert problem.code == "not-writable"
    assert str(book) in problem.found
    assert {path for path in tmp_path.rglob("*") if path.is_file()} == {book}
    assert book.read_bytes() == before


def test_a_workbook_damaged_where_reading_does_not_look_is_refused_before_the_analysis(book):
    content = bytearray(book.read_bytes())
    place = content.index(b"xl/theme/theme1.xml") + len("xl/theme/theme1.xml") + 100
    content[place] ^= 0xFF
    book.write_bytes(content)
    with pytest.raises(WorkbookError) as caught:
        check_writable(book, None)
    [problem] = caught.value.problems
    assert problem.code == "damaged-workbook"
    assert "theme1.xml" in problem.found


# the backup


def test_a_backup_is_the_workbook_as_it_was_bit_by_bit(book):
    backup = book.with_name("book.xlsx.bak")
    book.chmod(0o640)
    for _ in range(2):
        before = book.read_bytes()
        assert save(book, backup=True) == (book, [])
        assert backup.read_bytes() == before
        assert backup.stat().st_mode & 0o777 == 0o640
    assert sorted(path.name for path in book.parent.iterdir()) == ["book.xlsx", "book.xlsx.bak"]


def test_without_asking_there_is_no_backup(book):
    save(book)
    assert [path.name for path in book.parent.iterdir()] == ["book.xlsx"]


def test_a_workbook_that_stays_as_it_is_needs_no_backup(book, tmp_path):
    lock(book)
    save(book, backup=True)
    save(book, tmp_path / "out.xlsx", backup=True)
    assert list(tmp_path.rglob("*.bak")) == []


def test_where_no_backup_can_be_made_the_workbook_stays_as_it_is_and_results_go_beside_it(book):
    before = book.read_bytes()
    book.with_name("book.xlsx.bak").mkdir()
    written, [told] = save(book, backup=True)
    assert written == book.with_name("book-results.xlsx")
    assert book.read_bytes() == before
    assert "book.xlsx.bak" in told.found


def test_an_analysis_that_ends_without_results_in_the_workbook_keeps_the_last_backup(book, monkeypatch):
    save(book, backup=True)
    kept = book.with_name("book.xlsx.bak").read_bytes()

    def interrupt(*_args, **_kwargs):
        raise KeyboardInterrupt

    monkeypatch.setattr(ZipCopy, "take", interrupt)
    with pytest.raises(KeyboardInterrupt):
        save(book, backup=True)
    assert book.with_name("book.xlsx.bak").read_bytes() == kept


# on the command line and in Python


@pytest.fixture
def rod(tmp_path):
    """A falling rod."""
    path = tmp_path / "rod.xlsx"
    book = openpyxl.Workbook()
    book.active.title = "Settings"
    for row in (("setting", "value"), ("t_end", 0.1), ("t_step", 0.01)):
        book["Settings"].append(row)
    book.create_sheet("Bodies")
    for row in (("name", "mass", "inertia"), ("rod", 2.0, 0.5)):
        book["Bodies"].append(row)
    book.save(path)
    return path


@pytest.mark.parametrize("options", [[], ["--json"]])
def test_exit_status_3_and_the_last_words_tell_where_results_are(rod, call, options):
    before = rod.read_bytes()
    lock(rod)
    status, out, err = call("run", rod, *options)
    beside = rod.with_name("rod-results.xlsx")
    assert status == 3
    assert rod.read_bytes() == before
    assert "mbs Bodies" in sheet_names(beside)
    assert f"the results are in {beside} instead" in err
    first = err.splitlines()[0]
    assert "rod.xlsx is open in Excel" in first, "said before the analysis, while it can still be closed"
    if options:
        found = json.loads(out)
        assert (found["status"], found["results"]) == ("done", str(beside))
        assert found["problems"][-1]["code"] == "results-elsewhere"
    else:
        *_, label, path = err.replace("\n", "").partition("  results ")
        assert (label, path.replace(" ", "")) == ("  results ", str(beside))


def test_a_workbook_changed_during_the_analysis_is_status_3(rod, call, monkeypatch):
    original = run_model

    def change_meanwhile(*arguments, **options):
        make(rod, "Changed")
        return original(*arguments, **options)

    monkeypatch.setattr("sheetmbs.mechanism.mechanism_run.run_model", change_meanwhile)
    status, _out, err = call("run", rod)
    assert status == 3
    assert "changed" in err
    assert sheet_names(rod) == ["Changed"]
    assert sheet_names(rod.with_name("rod-results.xlsx"))[:2] == ["Settings", "Bodies"]


def test_a_failed_analysis_is_status_1_wherever_its_results_are(rod, call, monkeypatch):
    from dataclasses import replace

    original = run_model
    monkeypatch.setattr(
        "sheetmbs.mechanism.mechanism_run.run_model", lambda *a, **k: replace(original(*a, **k), status="failed")
    )
    lock(rod)
    status, out, err = call("run", rod, "--json")
    assert status == 1
    assert json.loads(out)["results"] == str(rod.with_name("rod-results.xlsx"))
    assert f"is in {rod.with_name('rod-results.xlsx')}" in err


def test_a_read_only_workbook_is_refused_before_the_analysis(rod, call, monkeypatch):
    monkeypatch.setattr("sheetmbs.mechanism.mechanism_run.run_model", lambda *_a, **_k: pytest.fail("it was analysed"))
    rod.chmod(0o444)
    status, _out, err = call("run", rod)
    assert status == 2
    assert "--output" in err


def test_a_backup_is_made_on_request_and_its_name_told(rod, call):
    before = rod.read_bytes()
    status, out, _err = call("run", rod, "--backup", "--json")
    assert status == 0
    backup = Path(json.loads(out)["backup"])
    assert backup == rod.with_name("rod.xlsx.bak")
    assert backup.read_bytes() == before


def test_a_backup_of_a_workbook_that_is_left_alone_is_a_wrong_command(rod, call):
    status, _out, err = call("run", rod, "--backup", "--output", rod.with_name("out.xlsx"))
    assert status == 2
    assert "--backup" in err
    assert not rod.with_name("out.xlsx").exists()


def test_from_python_a_warning_tells_where_results_are(rod):
    result = sheetmbs.run(sheetmbs.read(rod))
    lock(rod)
    with pytest.warns(UserWarning, match="rod-results.xlsx") as caught:
        assert result.save() == rod.with_name("rod-results.xlsx")
    assert caught[0].filename == __file__


def test_from_python_results_can_be_saved_twice_and_in_turns(rod):
    model = sheetmbs.read(rod)
    first, second = sheetmbs.run(model), sheetmbs.run(model)
    for result in (first, second, first):
        assert result.save() == rod


def test_from_python_a_place_that_was_never_fit_is_refused(rod, tmp_path):
    result = sheetmbs.run(sheetmbs.read(rod))
    with pytest.raises(WorkbookError, match="no folder"):
        result.save(tmp_path / "nowhere" / "out.xlsx")
    assert list((tmp_path / "home").iterdir()) == []


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such names")
@pytest.mark.parametrize(
    "name", [b"a\x01b", b"a\nb", b"\xff\xfe", b"_x0041_", b'of "mine" & yours', "\U0001f600".encode()]
)
def test_a_copy_of_a_workbook_of_any_name_is_known_again(tmp_path, name):
    book = make(tmp_path / "book.xlsx").rename(tmp_path / os.fsdecode(name + b".xlsx"))
    copy = tmp_path / "copy.xlsx"
    for _ in range(2):
        assert save(book, copy) == (copy, [])
    assert save(book)[0] == book
    held = lock(book)
    instead = {save(book)[0] for _ in range(2)}
    held.unlink()
    assert len(instead) == 1
