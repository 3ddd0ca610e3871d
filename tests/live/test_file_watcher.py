"""Every save of a workbook is told once, when the file is whole, however the program goes about it."""

import asyncio
import shutil
import sys
from pathlib import Path

import openpyxl
import pytest

from sheetmbs.live import watched_book
from sheetmbs.live.file_watcher import saves
from sheetmbs.live.page_state import SharedPage
from sheetmbs.live.solver_process import Outcome, WantedRun
from sheetmbs.workbook.cells.cells import inputs_digest
from tests.live.programs_saving import MANNERS, changed, in_place

ROOT = Path(__file__).parents[2]
PENDULUM = ROOT / "workbooks" / "pendulum.xlsx"
QUIET = 0.5
"""seconds in which nothing more may be told"""


@pytest.fixture
def book(tmp_path):
    return Path(shutil.copy(PENDULUM, tmp_path / "book.xlsx"))


async def told_within(told, seconds=10.0):
    async with asyncio.timeout(seconds):
        return await told.get()


async def silent(told):
    """Whether nothing is told for a while."""
    try:
        await told_within(told, QUIET)
    except TimeoutError:
        return True
    return False


def watching(book, follow, patience=0.4):
    """What ``follow`` makes of the saves of a workbook, after the first look at it."""

    async def watch():
        told = asyncio.Queue()
        listening = asyncio.create_task(listen(told))
        try:
            assert await told_within(told) is True
            return await follow(told)
        finally:
            if listening.done():
                listening.result()
            listening.cancel()

    async def listen(told):
        async for is_there in saves(book, patience):
            told.put_nowait(is_there)

    return asyncio.run(watch())


@pytest.mark.parametrize("save", MANNERS, ids=lambda save: save.__name__)
def test_a_save_is_told_once_when_the_new_content_is_there(book, save):
    async def follow(told):
        for number in range(3):
            content = changed(book, 0.1 + number)
            await asyncio.to_thread(save, book, content)
            assert await told_within(told) is True
            assert book.read_bytes() == content
        return await silent(told)

    assert watching(book, follow)


def test_a_file_that_is_half_written_for_a_while_is_waited_for(book):
    content = changed(book, 0.7)
    half = len(content) // 2

    async def follow(told):
        telling = asyncio.create_task(told_within(told))
        with book.open("wb") as file:
            file.write(content[:half])
            file.flush()
            await asyncio.sleep(0.5)
            assert not telling.done()
            file.write(content[half:])
        assert await telling is True
        return book.read_bytes()

    assert watching(book, follow, patience=30.0) == content


def test_a_file_that_stays_broken_is_told_in_the_end(book):
    async def follow(told):
        book.write_bytes(changed(book, 0.7)[:1000])
        return await told_within(told)

    assert watching(book, follow) is True


def test_a_file_that_is_gone_for_a_moment_is_not_told_and_one_that_stays_away_is(book, tmp_path):
    async def follow(told):
        away = book.rename(tmp_path / "away.xlsx")
        await asyncio.sleep(0.1)
        away.rename(book)
        assert await silent(told)
        book.rename(away)
        assert await told_within(told) is False
        shutil.copy(away, book)
        return await told_within(told)

    assert watching(book, follow) is True


def test_what_is_wrong_with_a_file_that_is_saved_again_while_it_is_read_is_not_told(book, monkeypatch):
    """The run that meets half a file is not what its owner asked for; the one of the next save is."""
    heard, asked = [], []

    class Reader:
        """In place of the process that solves: its first run meets another save."""

        def __init__(self, _solve, tell):
            self.tell = tell

        def start(self):
            pass

        end = start

        def ask(self, wanted):
            asked.append(wanted.number)
            if len(asked) == 1:
                in_place(book, changed(book, 2))
            self.tell(Outcome(wanted.number, "error" if len(asked) == 1 else "done"))

    monkeypatch.setattr(watched_book, "Solver", Reader)

    async def follow():
        told = asyncio.Queue()
        wanted = WantedRun(str(book), None)
        following = asyncio.create_task(watched_book.Watch(wanted, SharedPage(), told.put_nowait, None).follow())
        heard.append(await told_within(told))
        following.cancel()

    asyncio.run(follow())
    assert len(asked) == 2
    assert [outcome.status for outcome in heard] == ["done"]


def test_lock_files_and_neighbours_are_no_saves(book):
    async def follow(told):
        for name in (
            "~$book.xlsx",
            ".~lock.book.xlsx#",
            "other.xlsx",
            ".sheetmbs-0123456789abcdef.xlsx",
            "book.xlsx.bak",
        ):
            book.with_name(name).write_bytes(b"x")
            book.with_name(name).unlink()
        return await silent(told)

    assert watching(book, follow)


@pytest.mark.skipif(sys.platform == "win32", reason="links need rights there")
def test_a_link_to_a_workbook_in_another_folder_is_followed(book, tmp_path):
    folder = tmp_path / "elsewhere"
    folder.mkdir()
    link = folder / "link.xlsx"
    link.symlink_to(book)

    async def follow(told):
        in_place(book, changed(book, 0.7))
        return await told_within(told)

    assert watching(link, follow) is True


def test_without_events_the_file_is_looked_at_all_the_same(book, monkeypatch):
    import watchfiles

    async def none(*_paths, **_options):
        raise OSError("no space left on device")  # what Linux says where all its watches are taken
        yield

    monkeypatch.setattr(watchfiles, "awatch", none)

    async def follow(told):
        in_place(book, changed(book, 0.7))
        return await told_within(told)

    assert watching(book, follow) is True


def test_events_that_never_come_as_from_a_drive_on_a_network_are_made_up_for(book, monkeypatch):
    import watchfiles

    usual = watchfiles.awatch
    monkeypatch.setattr(watchfiles, "awatch", lambda *_paths, **options: usual(ROOT / "docs", **options))

    async def follow(told):
        in_place(book, changed(book, 0.7))
        return await told_within(told)

    assert watching(book, follow) is True


def with_cell(book, sheet, address, value, name="other.xlsx"):
    """A copy of a workbook with another value in a cell, as openpyxl saves it, and values in place of formulas."""
    opened = openpyxl.load_workbook(book, data_only=True)
    opened[sheet][address] = value
    other = book.with_name(name)
    opened.save(other)
    return other


def test_the_digest_changes_with_a_cell_and_not_with_saving_or_looks(book):
    plain = with_cell(book, "Settings", "Z99", None, "plain.xlsx")
    opened = openpyxl.load_workbook(plain)
    opened["Settings"].column_dimensions["A"].width = 70
    opened["Settings"]["A1"].font = openpyxl.styles.Font(bold=True)
    opened.save(wide := book.with_name("wide.xlsx"))
    assert inputs_digest(wide) == inputs_digest(plain)
    others = [
        with_cell(book, "Settings", "Z99", value, f"{number}.xlsx")
        for number, value in enumerate((1, 1.0000000000001, "1", True, "TRUE", "=1+1", "=1+2"))
    ]
    digests = [inputs_digest(path) for path in (plain, *others)]
    assert len(set(digests)) == len(digests)


def test_the_digest_does_not_change_with_results(book):
    import sheetmbs

    before = inputs_digest(book)
    content = book.read_bytes()
    sheetmbs.run(sheetmbs.read(book)).save()
    assert book.read_bytes() != content
    assert inputs_digest(book) == before


def test_the_digest_of_formulas_without_values_does_not_change_with_results(book):
    import sheetmbs

    with_cell(book, "Settings", "Z99", "=1+1", book.name)
    before = inputs_digest(book)
    sheetmbs.run(sheetmbs.read(book)).save()
    assert inputs_digest(book) == before


def test_a_hidden_row_counts(book):
    opened = openpyxl.load_workbook(book)
    opened["Bodies"].row_dimensions[2].hidden = True
    opened.save(hidden := book.with_name("hidden.xlsx"))
    opened["Bodies"].row_dimensions[2].hidden = False
    opened.save(shown := book.with_name("shown.xlsx"))
    assert inputs_digest(hidden) != inputs_digest(shown)
