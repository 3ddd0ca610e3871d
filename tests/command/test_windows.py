"""What differs on Windows, simulated: files that are held, names of devices, long paths, narrow encodings, other marks."""

import errno
import io
import json
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest

import sheetmbs
from sheetmbs.command import streams
from sheetmbs.compiled import library
from sheetmbs.files import whole_file
from sheetmbs.problems.errors import WorkbookError
from sheetmbs.results.export import check_exportable
from sheetmbs.results.text.report_file import check_report
from sheetmbs.workbook.package.archive import check_file_name, read_file
from sheetmbs.workbook.package.destination import check_permissions, check_target, destination_of, is_copy
from sheetmbs.workbook.package.replace import create_book
from sheetmbs.workbook.writing.write import write_results
from tests.support.sample_results import slider_crank
from tests.workbook.test_destination import assert_holds_results, make

ROOT = Path(__file__).parents[2]
SHARING, DENIED = 32, 5


def refused(number):
    """What Windows raises: the number of its own is an attribute that no other system's errors have."""
    error = PermissionError(errno.EACCES, "The process cannot access the file because it is being used")
    error.winerror = number
    return error


@pytest.fixture(scope="module", autouse=True)
def _solver():
    """Load the solver of this system, before tests pretend that it is another one."""
    library.load()


@pytest.fixture
def windows(monkeypatch):
    """The branches that only Windows takes."""
    monkeypatch.setattr(sys, "platform", "win32")
    monkeypatch.setattr(whole_file, "PAUSES", (0.0, 0.0, 0.0))


@pytest.fixture
def book(tmp_path):
    return make(tmp_path / "book.xlsx")


def hold(monkeypatch, path, number=SHARING, times=10**6):
    """Let a program hold a file: for the first ``times`` it can neither be replaced nor, if it shares nothing, be read."""
    original, refusals = Path.replace, []

    def replace_held(self, target):
        if Path(target) == path and len(refusals) < times:
            refusals.append(target)
            raise refused(number)
        return original(self, target)

    monkeypatch.setattr(Path, "replace", replace_held)
    return refusals


def problem_of(error):
    [problem] = error.value.problems
    return problem


def save(book):
    told = []
    return write_results(book, None, slider_crank(5), tell=told.append), told


# a workbook that is open in Excel


@pytest.mark.usefixtures("windows")
def test_results_of_a_workbook_that_excel_holds_go_beside_it_and_say_why(book, tmp_path, monkeypatch):
    before = book.read_bytes()
    hold(monkeypatch, book)
    written, [told] = save(book)
    assert written == book.with_name("book-results.xlsx")
    assert_holds_results(written, before, tmp_path)
    assert book.read_bytes() == before
    assert told.found == f"{book} is open in another program"
    assert sorted(path.name for path in tmp_path.iterdir() if path.suffix != ".csv") == sorted(
        ["book.xlsx", "book-results.xlsx", "original.xlsx"]
    )


@pytest.mark.parametrize("number", [SHARING, DENIED])
@pytest.mark.usefixtures("windows")
def test_a_file_that_is_held_for_a_moment_is_replaced_after_it(book, monkeypatch, number):
    refusals = hold(monkeypatch, book, number, times=2)
    written, told = save(book)
    assert (written, told) == (book, [])
    assert len(refusals) == 2


def test_nobody_waits_where_another_system_denies_access(book, monkeypatch):
    refusals = hold(monkeypatch, book, number=None)
    written, [told] = save(book)
    assert written != book
    assert "may not be written" in told.found
    assert len(refusals) == 1


@pytest.mark.usefixtures("windows")
def test_a_workbook_that_nobody_else_may_read_is_refused_in_words(book, monkeypatch):
    def read_bytes(_self):
        raise refused(SHARING)

    monkeypatch.setattr(Path, "read_bytes", read_bytes)
    with pytest.raises(WorkbookError) as caught:
        read_file(book)
    assert problem_of(caught).found == f"{book} is open in another program"
    assert "close it" in problem_of(caught).mend


@pytest.mark.usefixtures("windows")
def test_a_workbook_that_is_held_when_its_results_are_ready_gets_them_beside_it(book, monkeypatch):
    content = book.read_bytes()
    original = Path.read_bytes

    def read_bytes(self):
        if self == book:
            raise refused(SHARING)
        return original(self)

    monkeypatch.setattr(Path, "read_bytes", read_bytes)
    told = []
    written = write_results(book, None, slider_crank(5), content=content, tell=told.append)
    assert written == book.with_name("book-results.xlsx")
    assert told[0].found == f"{book} is open in another program"


# names and paths


@pytest.mark.parametrize(
    "name",
    [
        "CON.xlsx",
        "nul.xlsx",
        "Aux.new.xlsx",
        "COM1.xlsx",
        "lpt9.xlsx",
        "con .xlsx",
        "a:b.xlsx",
        "what?.xlsx",
        "a<b>.xlsx",
    ],
)
@pytest.mark.usefixtures("windows")
def test_a_name_that_windows_has_no_file_for_is_refused_before_anything_is_computed(tmp_path, book, name):
    place = tmp_path / name
    checks = [
        lambda: create_book(place, b"", "book"),
        lambda: check_target(book, place),
        lambda: check_exportable(place.with_suffix(".csv")),
        lambda: check_report(sheetmbs.read(ROOT / "workbooks" / "slider-crank.xlsx"), place),
    ]
    for check in checks:
        with pytest.raises(WorkbookError) as caught:
            check()
        assert problem_of(caught).code == "unfit-name"
    assert list(tmp_path.iterdir()) == [book]


@pytest.mark.parametrize(
    "name", ["console.xlsx", "com.xlsx", "com10.xlsx", "nullpunkt.xlsx", "a.con.xlsx", "Größe 5°.xlsx"]
)
@pytest.mark.usefixtures("windows")
def test_names_that_only_look_like_those_are_fit(tmp_path, name):
    check_file_name(tmp_path / name, "")


@pytest.mark.parametrize("name", ["con.xlsx", "a:b.xlsx"])
def test_other_systems_have_files_of_these_names(tmp_path, name):
    create_book(tmp_path / name, b"content", "book")
    assert (tmp_path / name).read_bytes() == b"content"


@pytest.mark.parametrize("name", ["book.xlsx ", "book.xlsx."])
@pytest.mark.usefixtures("windows")
def test_a_name_that_windows_would_shorten_is_refused(tmp_path, name):
    with pytest.raises(WorkbookError) as caught:
        create_book(tmp_path / name, b"", "book")
    assert problem_of(caught).code == "unfit-name"


@pytest.mark.usefixtures("windows")
def test_a_path_that_is_too_long_is_told_from_a_file_that_is_missing(tmp_path):
    far = tmp_path / ("a" * 120) / ("b" * 120) / "book.xlsx"
    for reach in (lambda: read_file(far), lambda: create_book(far, b"", "book")):
        with pytest.raises(WorkbookError) as caught:
            reach()
        assert problem_of(caught).code == "path-too-long"
    with pytest.raises(WorkbookError) as caught:
        read_file(tmp_path / "book.xlsx")
    assert problem_of(caught).code == "file-missing"


@pytest.mark.usefixtures("windows")
def test_where_the_unfinished_file_would_have_too_long_a_path_results_go_elsewhere(tmp_path, monkeypatch):
    folder = tmp_path / ("a" * (250 - len(str(tmp_path))))
    folder.mkdir()
    book = make(folder / "b.xlsx")
    original = open

    def short(path, *args, **kwargs):
        if len(str(path)) > 259 and "x" in str(args):
            raise FileNotFoundError(errno.ENOENT, "No such file or directory")
        return original(path, *args, **kwargs)

    monkeypatch.setattr("builtins.open", short)
    monkeypatch.setattr(Path, "home", lambda: tmp_path)
    written, [told] = save(book)
    assert written == tmp_path / "b-results.xlsx"
    assert "characters" in told.found


def test_a_name_in_other_letters_is_the_same_file_where_case_makes_no_difference(tmp_path, book):
    """As on Windows and macOS: here two names of one file stand for it."""
    other = tmp_path / "BOOK.xlsx"
    assert is_copy(book, destination_of(book, other))
    os.link(book, other)
    assert not is_copy(book, destination_of(book, other))
    another = tmp_path / "another.xlsx"
    os.link(book, another)
    assert is_copy(book, destination_of(book, another))


def test_a_folder_that_windows_marks_as_special_may_be_written_to(book, monkeypatch):
    """As Documents and the Desktop are marked; the same mark on a file does mean that it is read-only."""
    folder = book.parent
    original = Path.stat

    def stat(self, **options):
        found = original(self, **options)
        return os.stat_result((found.st_mode & ~0o222, *found[1:])) if self in marked else found

    marked = [folder]
    monkeypatch.setattr(Path, "stat", stat)
    with pytest.raises(WorkbookError):
        check_permissions(book)
    monkeypatch.setattr(sys, "platform", "win32")
    check_permissions(book)
    marked[:] = [book]
    with pytest.raises(WorkbookError) as caught:
        check_permissions(book)
    assert problem_of(caught).code == "read-only"


@pytest.mark.usefixtures("windows")
def test_without_locks_only_old_unfinished_files_are_removed(book):
    old, new = (book.with_name(f".sheetmbs-{16 * digit}.xlsx") for digit in "01")
    for path in (old, new):
        path.write_bytes(b"unfinished")
    os.utime(old, (time.time() - 2 * whole_file.A_DAY,) * 2)
    save(book)
    assert not old.exists()
    assert new.exists()


# what is printed and read


@pytest.mark.parametrize("encoding", ["cp1252", "cp850", "cp437", "utf-8"])
def test_json_loses_no_sign_whatever_the_encoding_of_a_pipe(monkeypatch, encoding):
    content = {"found": "Größe → 5°, λ ≤ 3 m²", "workbook": "Ωmega.xlsx"}
    pipe = io.BytesIO()
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(pipe, encoding=encoding, errors="replace"))
    streams.print_as_json(content)
    assert json.loads(pipe.getvalue().decode(encoding)) == content


@pytest.mark.parametrize("encoding", ["cp1252", "cp850"])
def test_no_sign_stops_a_command_in_a_narrow_encoding(tmp_path, encoding):
    book = tmp_path / "Größe λ → 5°.xlsx"
    shutil.copy(ROOT / "workbooks" / "slider-crank.xlsx", book)
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    environment |= {"PYTHONIOENCODING": encoding, "PYTHONPATH": str(ROOT), "PYTHONUTF8": "0"}
    options = ["--also", str(tmp_path / "λ.csv"), "--report", str(tmp_path / "λ.txt"), "--json"]
    done = subprocess.run(
        [sys.executable, "-m", "sheetmbs", "run", str(book), *options],
        env=environment,
        capture_output=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr.decode(encoding)
    assert json.loads(done.stdout.decode(encoding))["workbook"] == str(book)
    assert b"Traceback" not in done.stderr
    assert b"\r" not in (tmp_path / "λ.csv").read_bytes()


@pytest.mark.usefixtures("windows")
def test_a_reader_that_has_gone_ends_in_a_sentence():
    """On Windows that is no BrokenPipeError."""
    with pytest.raises(streams.Unprinted), streams.lost_pages_told():
        raise OSError(errno.EINVAL, "Invalid argument")
