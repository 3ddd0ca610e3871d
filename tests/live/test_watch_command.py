"""`sheetmbs watch`: saves become motions, mistakes are told with their cells, and the workbook is as it was."""

import os
import shutil
import signal
import time
from io import BytesIO
from pathlib import Path

import openpyxl
import pytest

from tests.command.test_cli import start
from tests.live.programs_saving import MANNERS, excel
from tests.live.watching_pages import Follower, Watched, serving
from tests.support.processes import children, needs_processes

ROOT = Path(__file__).parents[2]
BOOKS = ROOT / "workbooks"
MOST_GROWTH = 15_000_000
"""bytes; a document kept for each of a thousand saves would take more, a model kept for each far more"""

pytestmark = pytest.mark.skipif(os.name == "nt", reason="Windows has other signals")


@pytest.fixture
def book(tmp_path):
    return Path(shutil.copy(BOOKS / "pendulum.xlsx", tmp_path / "pendulum.xlsx"))


@pytest.fixture(scope="module")
def shared(tmp_path_factory):
    """One program that watches one workbook, for all tests that need no other."""
    book = Path(shutil.copy(BOOKS / "pendulum.xlsx", tmp_path_factory.mktemp("shared") / "pendulum.xlsx"))
    with serving("watch", book) as program:
        yield Watched(book, program, ending(book))


@pytest.fixture
def watched(shared):
    """The workbook as good as ever, a page that follows, and its state."""
    return shared, *shared.begin()


def ending(book):
    """Makes the bytes of the workbook with another end of its motion."""
    good = with_cells(book)
    where = settings_of(book)["t_end"]
    return lambda t_end: with_cells(BytesIO(good), **{where: t_end})


def with_cells(book, **cells):
    """The bytes of a workbook with other values in cells, named as ``Settings_B3``."""
    opened = openpyxl.load_workbook(book)
    for name, value in cells.items():
        sheet, address = name.split("_")
        opened[sheet][address] = value
    held = BytesIO()
    opened.save(held)
    return held.getvalue()


def settings_of(book):
    """Addresses of values on the sheet Settings by their names."""
    sheet = openpyxl.load_workbook(book)["Settings"]
    return {row[0].value: f"Settings_{row[1].coordinate}" for row in sheet.iter_rows(min_row=2)}


@pytest.mark.parametrize("save", MANNERS, ids=lambda save: save.__name__)
def test_each_save_becomes_a_new_document_and_the_file_stays_as_it_was_saved(watched, save):
    shared, page, first = watched
    before = page.rows()
    saved = with_cells(shared.book, **{settings_of(shared.book)["t_end"]: 0.25})
    save(shared.book, saved)
    second = page.result(first["number"])
    assert page.document()["number"] == second["number"] > first["number"]
    assert page.rows() == 26 != before
    assert shared.book.read_bytes() == saved
    shared.program.wait_for("accuracy check")


def test_a_mistake_is_told_with_its_cell_while_the_last_good_motion_stays(watched):
    shared, page, first = watched
    good = shared.book.read_bytes()
    excel(shared.book, with_cells(shared.book, Joints_C2="nobody", Joints_C3="nobody", Joints_C4="nobody"))
    _when, wrong = page.until(lambda state: state["status"] == "error")
    assert wrong["number"] == first["number"]
    assert any("Joints!C" in problem["cell"] for problem in wrong["problems"])
    assert page.document()["number"] == first["number"]
    shared.program.wait_for("Joints!C")
    assert "the last good motion stays" in shared.program.wait_for("error")
    excel(shared.book, good)
    mended = page.result(first["number"])
    assert (mended["status"], mended["problems"]) == ("done", [])


def test_a_save_without_a_change_is_no_run(watched):
    shared, page, first = watched
    excel(shared.book, with_cells(shared.book))
    excel(shared.book, with_cells(shared.book))
    excel(shared.book, with_cells(shared.book, **{settings_of(shared.book)["t_end"]: 0.25}))
    last = page.result(first["number"])
    assert page.rows() == 26
    assert last["number"] == first["number"] + 1


def test_results_go_into_the_file_only_where_they_are_asked_for_and_are_no_save_of_its_owner(book):
    with serving("watch", book, "--write") as program:
        program.wait_for("the results are in pendulum.xlsx")
        assert "mbs Bodies" in openpyxl.load_workbook(book, read_only=True).sheetnames
        excel(book, with_cells(book, **{settings_of(book)["t_end"]: 0.25}))
        program.wait_for("the results are in pendulum.xlsx", 2)
        lock = book.with_name(f"~${book.name}")
        lock.write_bytes(b"owner")
        excel(book, with_cells(book, **{settings_of(book)["t_end"]: 0.3}))
        lock.write_bytes(b"owner")
        program.wait_for("pendulum-results.xlsx")
        excel(book, with_cells(book, **{settings_of(book)["t_end"]: 0.35}))
        lock.write_bytes(b"owner")
        program.wait_for("the results are in pendulum-results.xlsx", 2)
        status, said = program.stop()
    assert status == 130
    assert said.count("accuracy check passed") == 4
    assert said.count("open in Excel") == 1, "it is told once, not after every save"
    assert "--output" not in said, "a watch has no such option"
    assert len(openpyxl.load_workbook(book, read_only=True).sheetnames) > 5
    assert said.splitlines()[-1] == "Stopped. The results are in pendulum-results.xlsx."


def test_a_workbook_that_may_only_be_read_is_shown_and_why_nothing_is_written_is_told_once(book):
    book.chmod(0o444)
    with serving("watch", book, "--write") as program:
        page = Follower(program.address)
        first = page.until(lambda state: state["written"])[1]
        assert first["status"] == "done"
        assert first["written"] == f"nothing was written to pendulum.xlsx: {book} is read-only"
        good = book.read_bytes()
        assert good == (BOOKS / "pendulum.xlsx").read_bytes()
        excel(book, with_cells(book, **{settings_of(book)["t_end"]: 0.25}))
        book.chmod(0o444)
        page.until(lambda state: state["number"] > first["number"] and state["fraction"] is None)
        status, said = program.stop()
    assert status == 130
    assert said.count("make it writable, or watch a copy of it in another folder") == 1
    assert list(book.parent.glob("*results*")) == []


def test_a_second_watch_that_writes_is_refused_and_one_that_only_shows_is_not(book):
    with serving("watch", book, "--write") as first:
        first.wait_for("the results are in")
        done = start("watch", book, "--write", "--no-browser")
        assert done.returncode == 2
        assert done.stderr.startswith("watched-already")
        with serving("watch", book) as second:
            second.wait_for("accuracy check")
    with serving("watch", book, "--write") as again:
        again.wait_for("the results are in")


def test_of_many_saves_in_a_row_the_last_one_is_shown(watched):
    shared, page, _first = watched
    where = settings_of(shared.book)["t_end"]
    contents = [with_cells(shared.book, **{where: 0.1 + 0.01 * number}) for number in range(12)]
    for content in contents:
        excel(shared.book, content)
        time.sleep(0.1)
    rows = 22  # of 0.21 s at 0.01 s
    _when, state = page.until(lambda state: state["fraction"] is None and page.rows() == rows)
    assert state["status"] == "done"


@needs_processes
@pytest.mark.parametrize("count", [30, pytest.param(1000, marks=pytest.mark.nightly)])
def test_saves_in_a_row_leave_no_memory_behind(book, count):
    where = settings_of(book)
    contents = [with_cells(book, **{where["t_end"]: t_end}) for t_end in (4.0, 4.5)]
    with serving("watch", book) as program:
        page = Follower(program.address)
        number = page.result()["number"]
        memory = []  # a process that is slow to stop is replaced, and the new one holds less: compare the largest values
        for save in range(count):
            excel(book, contents[save % 2])
            number = page.result(number)["number"]
            memory.append(program.memory())
        assert max(memory[count // 2 :]) - max(memory[: count // 2]) < MOST_GROWTH
        assert number == count + 1


def test_a_file_that_goes_is_told_and_followed_when_it_comes_back(watched):
    shared, page, first = watched
    away = shared.book.rename(shared.book.with_name("renamed.xlsx"))
    _when, gone = page.until(lambda state: state["status"] == "error")
    assert "there is no file" in gone["problems"][0]["found"]
    assert gone["number"] == first["number"]
    away.rename(shared.book)
    page.result(first["number"])


@pytest.mark.parametrize(
    ("given", "code"),
    [
        ("missing.xlsx", "file-missing"),
        (".", "file-is-folder"),
        ("old.xls", "old-workbook"),
        ("table.csv", "wrong-extension"),
    ],
)
@pytest.mark.parametrize("command", ["watch"])
def test_what_is_no_workbook_is_refused_at_once(tmp_path, command, given, code):
    (tmp_path / "old.xls").write_bytes(b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(600))
    (tmp_path / "table.csv").write_text("a,b\n")
    done = start(command, tmp_path / given, "--no-browser")
    assert done.returncode == 2
    assert done.stderr.startswith(code), done.stderr


@pytest.mark.parametrize(
    ("given", "code"),
    [
        ("pendulum.xlsx", "not-a-page"),
        ("page", "not-a-page"),
        (".", "not-a-page"),
        ("file/page.html", "unwritable-page"),
    ],
)
def test_a_page_takes_the_place_of_no_workbook(book, given, code):
    before = book.read_bytes()
    book.with_name("file").touch()
    done = start("view", book, "--html", book.parent / given)
    assert done.returncode == 2
    assert done.stderr.startswith(code), done.stderr
    assert book.read_bytes() == before


def test_a_case_that_is_not_there_is_told_and_may_come_later(tmp_path):
    book = Path(shutil.copy(BOOKS / "car.xlsx", tmp_path / "car.xlsx"))
    with serving("watch", book, "--case", "bmp") as program:
        page = Follower(program.address)
        _when, wrong = page.until(lambda state: state["status"] == "error")
        assert "bump" in wrong["problems"][0]["mend"]
        program.wait_for("bmp")
        assert "there is no motion yet" in program.wait_for("error")


def test_one_of_its_cases_or_all_of_them_are_watched(tmp_path):
    book = Path(shutil.copy(BOOKS / "car.xlsx", tmp_path / "car.xlsx"))
    with serving("watch", book, "-c", "roll") as program:
        page = Follower(program.address)
        page.result()
        assert [case["name"] for case in page.document()["document"]["cases"]] == ["roll"]
    done = start("watch", book, "-c", "roll", "--all-cases", "--no-browser")
    assert done.returncode == 2


@pytest.mark.parametrize(("name", "case"), [("macpherson.xlsx", "heave"), ("gait-walk.xlsx", "")])
def test_suspensions_and_gait_are_watched_too(tmp_path, name, case):
    book = Path(shutil.copy(BOOKS / name, tmp_path / name))
    with serving("watch", book) as program:
        page = Follower(program.address)
        assert page.result()["status"] == "done"
        cases = {each["name"]: each for each in page.document()["document"]["cases"]}
        assert cases[case]["scene"]["times"]
        assert cases[case]["tables"]


@pytest.mark.parametrize("name", ["macpherson.xlsx", "gait-walk.xlsx"])
def test_a_sweep_or_trial_that_is_not_there_is_told(tmp_path, name):
    done = start("view", BOOKS / name, "--case", "haeve", "--html", tmp_path / "page.html")
    assert done.returncode == 2
    assert done.stderr.startswith("unknown-case")
    assert not (tmp_path / "page.html").exists()


def test_a_workbook_with_macros_is_watched(tmp_path):
    import xlsxwriter

    book = tmp_path / "book.xlsm"
    with xlsxwriter.Workbook(book) as made:
        made.add_worksheet("Settings")
        made.add_vba_project(BytesIO(b"macros"), is_stream=True)
    with serving("watch", book) as program:
        _when, state = Follower(program.address).until(lambda state: state["status"] == "error")
    assert state["problems"]


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_no_process_is_left_behind_however_it_ends(book, number):
    with serving("watch", book) as program:
        program.wait_for("accuracy check")
        others = children(program.process.pid)
        assert others
        status, said = program.stop(number)
        assert "Traceback" not in said
        if number == signal.SIGINT:
            assert (status, said.splitlines()[-1]) == (130, f"Stopped. {book} is as it was.")
        patience = 100
        while patience and any(is_running(each) for each in others):
            patience -= 1
            signal.sigtimedwait([], 0.1)
        assert patience


def is_running(number):
    try:
        return Path(f"/proc/{number}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def test_a_port_of_ones_own_and_one_that_is_taken(book):
    with serving("watch", book) as program:
        port = program.address.split(":")[2].split("/")[0]
        done = start("watch", book, "--port", port, "--no-browser")
    assert done.returncode == 2
    assert done.stderr.startswith("port-taken")
    with serving("watch", book, "--port", port) as program:
        assert program.address.split(":")[2].split("/")[0] == port
