"""Where results go: links, permissions, copies and refusals, and nothing lost whatever fails."""

from __future__ import annotations

import errno
import os
import stat
import struct
from pathlib import Path

import openpyxl
import pytest

from sheetmbs.problems.errors import Problem, WorkbookError
from sheetmbs.workbook.package.zipcopy import ZipCopy
from sheetmbs.workbook.writing.write import check_writable, write_problems, write_results
from tests.support.sample_results import PROBLEM, change_part, read_parts, sheet_names, slider_crank
from tests.support.written_books import make


@pytest.fixture
def book(tmp_path):
    return make(tmp_path / "book.xlsx")


@pytest.fixture
def unchanged(tmp_path):
    """At the end every file that stood in the folder is there bit by bit, and no other."""

    def look() -> dict[str, bytes]:
        return {path.name: path.read_bytes() for path in tmp_path.iterdir() if path.is_file()}

    state = {}

    def start() -> None:
        state.update(look())

    yield start
    assert state
    assert look() == state


def refused(source: Path, target: Path | None = None) -> Problem:
    """The one problem that prevents an analysis."""
    with pytest.raises(WorkbookError) as caught:
        check_writable(source, target)
    assert caught.value.exit_status == 2
    [problem] = caught.value.problems
    assert problem.found
    assert problem.problem
    assert problem.mend
    return problem


# where it is written


def test_a_link_is_followed_and_stays_a_link(book, tmp_path):
    link = tmp_path / "link.xlsx"
    link.symlink_to(book)
    assert write_results(link, None, slider_crank()) == book
    assert link.is_symlink()
    assert "mbs Bodies" in sheet_names(book)


def test_permissions_are_kept(book):
    book.chmod(0o640)
    write_results(book, None, slider_crank())
    assert stat.S_IMODE(book.stat().st_mode) == 0o640


def rights(*entries: tuple[int, int, int]) -> bytes:
    """A list of rights as Linux stores it (version 2). entries: tag, rights, whose."""
    return struct.pack("<I", 2) + b"".join(struct.pack("<HHI", *entry) for entry in entries)


def has_attributes(folder: Path) -> bool:
    try:
        os.setxattr(folder, "user.sheetmbs", b"")
        os.removexattr(folder, "user.sheetmbs")
    except (AttributeError, OSError):
        return False
    return True


NOBODY = 0xFFFFFFFF
READERS = rights((1, 6, NOBODY), (2, 4, 12345), (4, 0, NOBODY), (16, 4, NOBODY), (32, 0, NOBODY))
"""the owner writes, the user 12345 reads, nobody else may do anything"""


def test_extended_attributes_and_lists_of_rights_are_kept(book, tmp_path):
    if not has_attributes(tmp_path):
        pytest.skip("this file system has no extended attributes")
    os.setxattr(book, "user.project", b"crane")
    os.setxattr(book, "system.posix_acl_access", READERS)
    mode = book.stat().st_mode
    copy = tmp_path / "copy.xlsx"
    write_results(book, None, slider_crank())
    write_results(book, copy, slider_crank())
    for path in (book, copy):
        assert os.getxattr(path, "user.project") == b"crane"
        assert os.getxattr(path, "system.posix_acl_access") == READERS
        assert path.stat().st_mode == mode


def test_rights_that_a_folder_hands_down_are_not_given_to_a_workbook_that_did_not_have_them(book, tmp_path):
    if not has_attributes(tmp_path):
        pytest.skip("this file system has no extended attributes")
    os.setxattr(tmp_path, "system.posix_acl_default", READERS)
    write_results(book, None, slider_crank())
    assert "system.posix_acl_access" not in os.listxattr(book)


def test_a_copy_of_a_read_only_workbook_can_be_made_twice(book, tmp_path):
    book.chmod(0o444)
    for rows in (5, 9):
        write_results(book, tmp_path / "copy.xlsx", slider_crank(rows))
    assert openpyxl.load_workbook(tmp_path / "copy.xlsx")["mbs Bodies"].max_row == 11


def test_output_onto_the_workbook_itself_is_a_run_in_place(book):
    write_results(book, str(book), slider_crank())
    assert "copy_of" not in str(read_parts(book)["xl/workbook.xml"])
    assert "mbs Bodies" in sheet_names(book)


def test_an_earlier_copy_is_replaced_as_a_whole(book, tmp_path):
    copy = tmp_path / "copy.xlsx"
    write_results(book, copy, slider_crank(problems=(PROBLEM,)))
    write_results(book, copy, slider_crank(rows=4, springs=False))
    write_results(book, tmp_path / "fresh.xlsx", slider_crank(rows=4, springs=False))
    assert copy.read_bytes() == (tmp_path / "fresh.xlsx").read_bytes()


def test_a_copy_that_was_run_by_itself_is_a_workbook_of_the_users_and_not_replaced(book, tmp_path):
    copy = tmp_path / "copy.xlsx"
    write_results(book, copy, slider_crank())
    write_problems(copy, [PROBLEM])
    check_writable(book, copy)
    write_results(copy, None, slider_crank())
    assert refused(book, copy).code == "foreign-output"


def test_a_workbook_with_results_of_its_own_is_not_taken_for_a_copy(book, tmp_path, unchanged):
    other = make(tmp_path / "other.xlsx")
    write_results(other, None, slider_crank())
    unchanged()
    problem = refused(book, other)
    assert problem.code == "foreign-output"
    assert str(other) in problem.found


@pytest.mark.parametrize("content", [b"", b"text", None])
def test_any_other_file_is_not_replaced(book, tmp_path, unchanged, content):
    other = tmp_path / "other.xlsx"
    other.write_bytes(content) if content is not None else make(other)
    unchanged()
    assert refused(book, other).code == "foreign-output"


@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("copy.xlsm", "output-type"),
        ("copy", "output-type"),
        ("copy.csv", "output-type"),
        ("nowhere/copy.xlsx", "no-folder"),
        ("folder.xlsx", "output-is-folder"),
    ],
)
def test_a_copy_needs_a_name_that_can_be_one(book, tmp_path, unchanged, name, code):
    (tmp_path / "folder.xlsx").mkdir()
    unchanged()
    assert refused(book, tmp_path / name).code == code


def test_macros_are_not_copied_into_a_file_that_may_not_hold_them(tmp_path, unchanged):
    book = make(tmp_path / "book.xlsm")
    unchanged()
    problem = refused(book, tmp_path / "copy.xlsx")
    assert problem.code == "output-type"
    assert "copy.xlsm" in problem.mend


def test_a_type_may_be_written_in_capitals(book, tmp_path):
    assert write_results(book, tmp_path / "COPY.XLSX", slider_crank()).exists()


# what stands in the way


def test_a_read_only_workbook_is_refused_and_a_copy_offered(book, unchanged):
    book.chmod(0o444)
    unchanged()
    problem = refused(book)
    assert problem.code == "read-only"
    assert "--output" in problem.mend


def test_a_read_only_folder_is_refused_and_a_copy_offered(book, unchanged):
    book.parent.chmod(0o555)
    unchanged()
    try:
        problem = refused(book)
    finally:
        book.parent.chmod(0o755)
    assert problem.code == "read-only-folder"
    assert "--output" in problem.mend


def test_a_copy_can_be_made_of_a_workbook_that_is_open(book, tmp_path):
    book.with_name("~$book.xlsx").write_text("somebody")
    write_results(book, tmp_path / "copy.xlsx", slider_crank())
    assert "mbs Bodies" in sheet_names(tmp_path / "copy.xlsx")


def test_a_workbook_whose_structure_is_protected_is_refused(book, unchanged):
    change_part(book, "xl/workbook.xml", "<bookViews>", '<workbookProtection lockStructure="1"/><bookViews>')
    unchanged()
    assert refused(book).code == "locked-workbook"


@pytest.mark.parametrize("how", ['reservationPassword="CC1A"', 'algorithmName="SHA-512" hashValue="AAAA"'])
def test_a_workbook_with_a_password_against_changes_is_refused_and_a_copy_offered(book, tmp_path, how):
    change_part(book, "xl/workbook.xml", "<workbookPr", f'<fileSharing userName="somebody" {how}/><workbookPr')
    problem = refused(book)
    assert problem.code == "reserved-workbook"
    assert "--output" in problem.mend
    assert check_writable(book, tmp_path / "copy.xlsx") is None


def test_a_workbook_that_is_better_not_changed_may_be(book):
    change_part(book, "xl/workbook.xml", "<workbookPr", '<fileSharing readOnlyRecommended="1"/><workbookPr')
    assert check_writable(book, None) is None


def test_all_reasons_are_given_at_once(tmp_path):
    book = make(tmp_path / "book.xlsx", "Model", "mbs mine", "mbs also mine")
    book.chmod(0o444)
    book.with_name("~$book.xlsx").write_text("somebody")
    with pytest.raises(WorkbookError) as caught:
        check_writable(book, None)
    assert [problem.code for problem in caught.value.problems] == [
        "foreign-sheet",
        "foreign-sheet",
        "file-open",
        "read-only",
    ]


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (OSError(errno.ENOSPC, "No space left on device"), "disk-full"),
        (PermissionError(errno.EACCES, "Permission denied"), "not-writable"),
        (OSError(errno.EROFS, "Read-only file system"), "not-writable"),
        (OSError(errno.EIO, "Input/output error"), "not-writable"),
    ],
)
@pytest.mark.parametrize("moment", ["take", "open", "sync", "replace"])
@pytest.mark.parametrize("target", [None, "copy.xlsx"])
def test_when_the_disk_refuses_everything_stays_as_it_was(
    book, tmp_path, unchanged, monkeypatch, error, code, moment, target
):
    write_results(book, None, slider_crank(5))
    if target:
        write_results(book, tmp_path / target, slider_crank(5))
    unchanged()

    def fail(*_args, **_kwargs):
        raise error

    if moment in ("take", "open"):
        monkeypatch.setattr(ZipCopy, moment, fail)
    elif moment == "sync":
        monkeypatch.setattr(os, "fsync", fail)
    else:
        monkeypatch.setattr(Path, "replace", fail)
    with pytest.raises(WorkbookError) as caught:
        write_results(book, target and tmp_path / target, slider_crank(9))
    [problem] = caught.value.problems
    assert problem.code == code
    assert "unchanged" in problem.problem
    assert "--output" in problem.mend


@pytest.mark.parametrize("moment", ["take", "open"])
def test_an_interruption_leaves_everything_as_it_was(book, unchanged, monkeypatch, moment):
    unchanged()

    def interrupt(*_args, **_kwargs):
        raise KeyboardInterrupt

    monkeypatch.setattr(ZipCopy, moment, interrupt)
    with pytest.raises(KeyboardInterrupt):
        write_results(book, None, slider_crank())


def test_a_file_that_does_not_read_back_takes_nobodys_place(book, unchanged, monkeypatch):
    unchanged()
    take = ZipCopy.take

    def damage(self, content, entry):
        at = entry.header_offset + 45
        take(self, content[:at] + bytes([content[at] ^ 0xFF]) + content[at + 1 :], entry)

    monkeypatch.setattr(ZipCopy, "take", damage)
    with pytest.raises(WorkbookError):
        write_results(book, None, slider_crank())


def test_a_file_that_lacks_a_part_takes_nobodys_place(book, unchanged, monkeypatch):
    unchanged()
    take = ZipCopy.take

    def forget(self, content, entry):
        if entry.filename != "xl/theme/theme1.xml":
            take(self, content, entry)

    monkeypatch.setattr(ZipCopy, "take", forget)
    with pytest.raises(WorkbookError) as caught:
        write_results(book, None, slider_crank())
    [problem] = caught.value.problems
    assert "xl/theme/theme1.xml" in problem.found
