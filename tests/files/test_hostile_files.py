"""Files that somebody planted, files of other programs, and kills: nothing is overwritten or followed that is not ours."""

import os
import signal
import stat
import subprocess
import sys
import time
from pathlib import Path

import pytest

from sheetmbs.files.whole_file import write_whole
from sheetmbs.problems.errors import WorkbookError
from sheetmbs.results.export import check_exportable
from sheetmbs.viewing.one_file import check_page, write_page
from sheetmbs.workbook.package.destination import backup_of, check_backup
from sheetmbs.workbook.package.replace import create_book, replace_file

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="links and pipes are planted as on POSIX systems")
PAGE = {"cases": []}


@pytest.fixture
def victim(tmp_path):
    """A file of the user's to which planted links lead."""
    file = tmp_path / "victim"
    file.write_text("mine")
    return file


def in_folder(folder):
    return sorted(path.name for path in folder.iterdir())


@pytest.mark.parametrize("name", [".page.html.part", ".page.html.tmp", "page.html~"])
def test_a_link_planted_beside_a_page_is_not_followed(tmp_path, victim, name):
    (tmp_path / name).symlink_to(victim)
    write_page(PAGE, tmp_path / "page.html")
    assert victim.read_text() == "mine"
    assert (tmp_path / "page.html").stat().st_size > 1000


@pytest.mark.parametrize("is_new", [False, True])
def test_even_a_link_under_the_very_name_of_the_unfinished_file_is_not_followed(tmp_path, victim, monkeypatch, is_new):
    monkeypatch.setattr(os, "urandom", lambda count: b"\xab" * count)
    (tmp_path / f".sheetmbs-{'ab' * 8}.part").symlink_to(victim)
    with pytest.raises(FileExistsError):
        write_whole(tmp_path / "page.html", lambda file: file.write(b"new"), is_new=is_new)
    assert victim.read_text() == "mine"
    assert not (tmp_path / "page.html").exists()


def test_a_target_that_is_a_link_is_replaced_itself(tmp_path, victim):
    (tmp_path / "kept").symlink_to(victim)
    write_whole(tmp_path / "kept", lambda file: file.write(b"new"))
    assert victim.read_text() == "mine"
    assert not (tmp_path / "kept").is_symlink()


@pytest.mark.parametrize("planted", ["link", "dangling link", "file"])
def test_what_is_to_be_new_takes_the_place_of_nothing(tmp_path, victim, planted):
    book = tmp_path / "book.xlsx"
    if planted == "file":
        book.write_text("mine")
    else:
        book.symlink_to(victim if planted == "link" else tmp_path / "nowhere")
    with pytest.raises(WorkbookError) as caught:
        create_book(book, b"new", "book")
    assert caught.value.problems[0].code == "file-exists"
    assert victim.read_text() == "mine"
    assert not (tmp_path / "nowhere").exists()
    assert not [name for name in in_folder(tmp_path) if name.startswith(".sheetmbs")]


def test_what_is_new_needs_no_hard_links(tmp_path, monkeypatch):
    def refuse(_self, _other):
        raise PermissionError(1, "Operation not permitted")

    monkeypatch.setattr(Path, "hardlink_to", refuse)
    create_book(tmp_path / "book.xlsx", b"new", "book")
    assert in_folder(tmp_path) == ["book.xlsx"]
    with pytest.raises(WorkbookError):
        create_book(tmp_path / "book.xlsx", b"newer", "book")
    assert (tmp_path / "book.xlsx").read_bytes() == b"new"


def foreign(tmp_path, kind):
    place = tmp_path / "index.html"
    if kind == "page":
        place.write_text("<!doctype html><html><head><title>mine</title></head></html>")
    elif kind == "pipe":
        os.mkfifo(place)
    elif kind == "folder":
        place.mkdir()
    elif kind == "empty":
        place.touch()
    elif kind == "link":
        (tmp_path / "other.html").write_text("<p>mine")
        place.symlink_to(tmp_path / "other.html")
    return place


@pytest.mark.parametrize("kind", ["page", "pipe", "folder", "empty", "link"])
def test_a_page_replaces_no_file_that_is_no_page_of_ours(tmp_path, kind):
    place = foreign(tmp_path, kind)
    before = os.lstat(place)
    with pytest.raises(WorkbookError) as caught:
        write_page(PAGE, place)
    (problem,) = caught.value.problems
    assert problem.code == "foreign-page"
    assert "delete that file, or give another name with --html" in problem.mend
    assert os.lstat(place).st_ino == before.st_ino
    if kind == "link":
        assert (tmp_path / "other.html").read_text() == "<p>mine"


def test_a_page_of_ours_is_replaced_also_through_a_link_and_keeps_its_permissions(tmp_path):
    page, link = tmp_path / "page.html", tmp_path / "link.html"
    write_page(PAGE, page)
    page.chmod(0o640)
    link.symlink_to(page)
    write_page({"cases": [], "more": 1}, link)
    assert link.is_symlink()
    assert stat.S_IMODE(page.stat().st_mode) == 0o640
    check_page(page)


def test_a_pipe_in_the_place_of_a_table_is_refused_at_once(tmp_path):
    os.mkfifo(tmp_path / "all.csv")
    with pytest.raises(WorkbookError) as caught:
        check_exportable(tmp_path / "all.csv")
    assert "pipe" in caught.value.problems[0].found


@pytest.mark.parametrize("planted", ["pipe", "link", "folder"])
def test_what_only_looks_like_an_unfinished_file_holds_nobody_up_and_stays(tmp_path, victim, planted):
    stale = tmp_path / ".sheetmbs-0123456789abcdef.xlsx"
    if planted == "pipe":
        os.mkfifo(stale)
    elif planted == "link":
        stale.symlink_to(victim)
    else:
        stale.mkdir()
    replace_file(tmp_path / "book.xlsx", None, lambda file: file.write(b"new"))
    assert (tmp_path / "book.xlsx").read_bytes() == b"new"
    assert os.path.lexists(stale)
    assert victim.read_text() == "mine"


@pytest.mark.skipif(not hasattr(os, "getuid") or os.getuid() != 0, reason="only root can give files to another user")
def test_unfinished_files_of_another_user_stay(tmp_path):
    stale = tmp_path / ".sheetmbs-0123456789abcdef.xlsx"
    stale.write_bytes(b"theirs")
    os.chown(stale, 65534, -1)
    replace_file(tmp_path / "book.xlsx", None, lambda file: file.write(b"new"))
    assert stale.read_bytes() == b"theirs"


def test_a_backup_replaces_no_file_that_is_no_workbook(tmp_path):
    book = tmp_path / "book.xlsx"
    backup_of(book).write_text("notes")
    with pytest.raises(WorkbookError) as caught:
        check_backup(book)
    assert caught.value.problems[0].code == "foreign-backup"


def test_a_file_and_its_folder_are_forced_to_the_disk_before_and_after_the_renaming(tmp_path, monkeypatch):
    done = []
    fsync, replace = os.fsync, Path.replace

    def note_fsync(handle):
        done.append("folder" if stat.S_ISDIR(os.fstat(handle).st_mode) else "file")
        fsync(handle)

    def note_replace(self, target):
        done.append("renamed")
        return replace(self, target)

    monkeypatch.setattr(os, "fsync", note_fsync)
    monkeypatch.setattr(Path, "replace", note_replace)
    write_page(PAGE, tmp_path / "page.html")
    assert done == ["file", "renamed", "folder"]


WRITING = """
import sys, time
from pathlib import Path
from sheetmbs.files.whole_file import write_whole

def slowly(file):
    file.write(b"half")
    file.flush()
    print("half", flush=True)
    time.sleep(60)

write_whole(Path(sys.argv[1]), slowly, is_new=sys.argv[2] == "new")
"""


@pytest.mark.parametrize("name", ["page.html", "report.txt", "all.csv", f"{'a' * 250}.txt"[-250:]])
@pytest.mark.parametrize("state", ["there", "new"])
def test_a_process_killed_in_the_middle_of_a_write_leaves_what_there_was(tmp_path, name, state):
    place = tmp_path / name
    if state == "there":
        place.write_bytes(b"whole")
    process = subprocess.Popen([sys.executable, "-c", WRITING, str(place), state], stdout=subprocess.PIPE)
    assert process.stdout.readline() == b"half\n"
    assert len(in_folder(tmp_path)) == (2 if state == "there" else 1)
    process.send_signal(signal.SIGKILL)
    process.communicate(timeout=30)
    assert place.exists() == (state == "there")
    patience = time.monotonic() + 10.0
    while time.monotonic() < patience:  # until the system has given back its lock
        write_whole(place, lambda file: file.write(b"next"))
        if in_folder(tmp_path) == [name]:
            break
    assert in_folder(tmp_path) == [name]
    assert place.read_bytes() == b"next"


def test_all_that_is_written_is_written_by_the_one_writer():
    """Whatever else opens a file for writing is named here with its reason."""
    package = Path(__file__).parents[2] / "sheetmbs"
    writing = (
        'open("w',
        'open("x',
        'open("a',
        '"wb"',
        '"xb"',
        '"ab"',
        ".write_text(",
        ".write_bytes(",
        "os.replace(",
        "mkstemp",
    )
    allowed = {
        "files/whole_file.py": 1,  # the writer
        "command/desktop.py": 1,  # an icon in the user's own folder, which holds no data
        "command/streams.py": 1,  # the null device in place of a closed stream
        "compiled/worker.py": 1,  # a pipe
        "compiled/folders.py": 1,  # a lock, which stays empty
        "compiled/linker.py": 3,  # object files in a private temporary folder
        "live/only_writer.py": 1,  # the same
    }
    found = {}
    for path in package.rglob("*.py"):
        count = sum(any(each in line for each in writing) for line in path.read_text(encoding="utf-8").splitlines())
        if count:
            found[path.relative_to(package).as_posix()] = count
    assert found == allowed
