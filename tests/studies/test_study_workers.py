"""Studies give the same results whoever runs them, and nothing that is finished is lost."""

from __future__ import annotations

import os
import signal
import time
from concurrent.futures import Future
from concurrent.futures.process import BrokenProcessPool
from pathlib import Path

import numpy as np
import openpyxl
import pytest

from sheetmbs import design_study
from sheetmbs.problems.errors import WorkbookError
from sheetmbs.studies.running import run_study as running
from sheetmbs.studies.running.evaluator import GIVEN_UP, Evaluator, StudyProgress
from sheetmbs.studies.running.journal import Journal, journal_path
from sheetmbs.studies.running.ledger import UNSOLVED, Ledger
from sheetmbs.studies.running.run_study import STOPPED, StudyOptions, run_study
from sheetmbs.studies.running.solve_chunk import SolvedChunk, StudyTask, solve_chunk, take_task
from sheetmbs.studies.solving.variant_solver import SolvedPoint
from sheetmbs.studies.study_results import StudyResults
from tests.studies.study_books import (
    RATE,
    VARIABLES,
    run,
    sag,
    save_weight,
    study,
    study_book,
)
from tests.support.processes import children, needs_processes


def same(one: StudyResults, other: StudyResults) -> None:
    """Both found the same, to the last bit."""
    assert one.variants.values.tobytes() == other.variants.values.tobytes()
    assert one.variants.responses.tobytes() == other.variants.responses.tobytes()
    assert one.variants.done.tobytes() == other.variants.done.tobytes()
    assert one.variants.messages == other.variants.messages
    assert (one.best, one.front) == (other.best, other.front)
    for mine, theirs in zip(one.curves, other.curves, strict=True):
        assert mine.y.tobytes() == theirs.y.tobytes()


@pytest.mark.parametrize("method", ["sobol", "optimise"])
def test_results_are_the_same_whatever_the_number_of_workers(tmp_path: Path, method: str) -> None:
    responses = [["name", "of", "goal", "value", "unit"], ["sag", "-first(load.y)", "target", 7.5, "mm"]]
    sheets = {"Study": study(method, samples=40), "Variables": VARIABLES, "Responses": responses}
    book = save_weight(tmp_path / "weight.xlsx", sheets)  # type: ignore[arg-type]
    here = run(book)
    same(here, run(book, workers=2))


class Interrupted:
    """Tells of progress, and interrupts once so many variants are solved."""

    def __init__(self, after: int) -> None:
        self.after = after

    def __call__(self, progress: StudyProgress) -> None:
        if progress.solved >= self.after:
            self.after = 1 << 60
            raise KeyboardInterrupt


def test_a_stopped_study_gives_what_is_finished_and_goes_on_to_the_same_end(tmp_path: Path) -> None:
    book = study_book(tmp_path / "weight.xlsx", "sobol", samples=60)
    whole = run(book)
    stopped = run_study(book, book.read_bytes(), StudyOptions(), Interrupted(20))
    assert stopped.message == STOPPED
    assert 20 <= len(stopped.variants) < 61
    is_done = stopped.variants.done
    assert is_done.sum() >= 20
    assert stopped.variants.responses[is_done].tobytes() == whole.variants.responses[: len(is_done)][is_done].tobytes()
    same(whole, run(book, resume=True))


def test_a_stopped_study_has_what_is_finished_behind_a_variant_that_is_not() -> None:
    ledger = Ledger(1, 1)
    for row in range(5):
        ledger.ask(np.array([float(row)]))
        if row not in (2, 4):
            ledger.enter(row, SolvedPoint(np.array([10.0 * row]), np.zeros(0)))
    rows = ledger.variants({})
    assert rows.done.tolist() == [True, True, False, True]
    np.testing.assert_array_equal(rows.responses[:, 0], [0.0, 10.0, np.nan, 30.0])
    assert rows.messages == {2: UNSOLVED}


def test_a_study_goes_on_in_a_workbook_that_holds_what_it_had_when_it_was_stopped(tmp_path: Path) -> None:
    book = study_book(tmp_path / "weight.xlsx", "sobol", samples=60)
    whole = run(book)
    design_study.run_study(book, workers=1).save(book)  # which shows more sheets, and one of them first
    same(whole, run(book, resume=True))
    opened = openpyxl.load_workbook(book)
    opened["Dimensions"]["A9"].value = "a remark"
    opened.save(book)
    with pytest.raises(WorkbookError, match="another state of this workbook"):
        run(book, resume=True)


def test_what_the_journal_has_is_not_run_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    book = study_book(tmp_path / "weight.xlsx", "sobol", samples=20)
    whole = run(book)

    def solve(*_: object) -> None:
        raise AssertionError("a variant was run again")

    monkeypatch.setattr("sheetmbs.studies.running.executors.solve_chunk", solve)
    same(whole, run(book, resume=True))


def test_a_journal_of_another_state_of_the_workbook_is_not_gone_on_with(tmp_path: Path) -> None:
    book = study_book(tmp_path / "weight.xlsx", "sobol", samples=4)
    run(book)
    study_book(book, "sobol", samples=5)
    with pytest.raises(WorkbookError, match="another state of this workbook"):
        run(book, resume=True)


def test_resuming_without_a_journal_starts_the_study(tmp_path: Path) -> None:
    book = study_book(tmp_path / "weight.xlsx", "sobol", samples=4)
    found = run(book, resume=True)
    assert found.from_journal == 0
    journal_path(book).unlink()
    same(run(book), found)


def test_two_studies_of_a_workbook_do_not_run_at_once(tmp_path: Path) -> None:
    book = study_book(tmp_path / "weight.xlsx", "sobol", samples=4)
    held = Journal(journal_path(book), "key", keeps=False)
    with pytest.raises(WorkbookError, match="another study of this workbook is running"):
        run(book)
    held.close()
    run(book)


def test_a_full_disk_stops_a_study_with_its_journal_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    book = study_book(tmp_path / "weight.xlsx", "sobol", samples=200)
    whole = run(book)
    journal_path(book).unlink()  # with the room that its rows took
    add = Journal.add

    def limited(self: Journal, points: np.ndarray, solved: list[SolvedPoint]) -> None:
        pages = self._file.execute("pragma page_count").fetchone()[0]
        self._file.execute(f"pragma max_page_count = {pages}")
        add(self, points, solved)

    monkeypatch.setattr(Journal, "add", limited)
    with pytest.raises(WorkbookError, match="the disk is full"):
        run(book)
    monkeypatch.setattr(Journal, "add", add)
    same(whole, run(book, resume=True))


@needs_processes
def test_a_worker_that_is_killed_has_its_variants_run_again(tmp_path: Path) -> None:
    book = study_book(tmp_path / "weight.xlsx", "sobol", samples=200)
    whole = run(book)
    killed: list[int] = []

    def kill(progress: StudyProgress) -> None:
        if progress.solved > 40 and not killed:
            for child in children(os.getpid()):
                if "spawn_main" in Path(f"/proc/{child}/cmdline").read_text(encoding="utf-8"):
                    os.kill(child, signal.SIGKILL)
                    killed.append(child)
                    return

    again = run_study(book, book.read_bytes(), StudyOptions(workers=2), kill)
    assert killed
    same(whole, again)


class Deadly:
    """Workers that die of one point, and with it lose all that is under way."""

    count = 2

    def __init__(self, deadly: float) -> None:
        self.deadly = deadly
        self.is_broken = False
        self.deaths = 0
        self.waiting: list[tuple[Future[SolvedChunk], np.ndarray]] = []

    def submit(self, points: np.ndarray) -> Future[SolvedChunk]:
        future: Future[SolvedChunk] = Future()
        if self.is_broken:
            raise BrokenProcessPool
        if self.deadly in points:
            self.is_broken = True
            self.deaths += 1
            future.set_exception(BrokenProcessPool("a worker died"))
        else:
            future.set_result(SolvedChunk([SolvedPoint(2.0 * point, np.zeros(0)) for point in points], 1e-6))
        return future

    def revive(self) -> None:
        self.is_broken = False

    def close(self) -> None: ...


def test_only_the_variant_whose_worker_dies_each_time_is_given_up(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "a.sqlite", "key", keeps=False)
    workers = Deadly(77.0)
    evaluate = Evaluator(Ledger(1, 1), workers, journal, is_search=False)  # type: ignore[arg-type]
    found = evaluate(np.arange(200.0)[:, None])
    journal.close()
    assert evaluate.ledger.messages == {77: GIVEN_UP}
    assert found.done.sum() == 199
    others = np.delete(np.arange(200), 77)
    np.testing.assert_array_equal(found.responses[others, 0], 2.0 * others)
    assert workers.deaths == 4  # in its chunk, then three times alone


def test_points_asked_for_twice_in_one_call_are_rows_of_their_own_but_run_once(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "a.sqlite", "key", keeps=False)
    evaluate = Evaluator(Ledger(1, 1), Deadly(-1.0), journal, is_search=False)  # type: ignore[arg-type]
    found = evaluate(np.array([[3.0], [3.0], [4.0]]))
    assert found.responses[:, 0].tolist() == [6.0, 6.0, 8.0]
    assert evaluate.ledger.count == 3
    assert len(list(journal.solved())) == 2
    journal.close()


def test_a_search_that_comes_back_to_a_point_makes_no_new_variant(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "a.sqlite", "key", keeps=False)
    evaluate = Evaluator(Ledger(1, 1), Deadly(-1.0), journal, is_search=True)  # type: ignore[arg-type]
    evaluate(np.array([[3.0], [5.0]]))
    evaluate(np.array([[5.0], [4.0]]))
    assert evaluate.ledger.count == 3
    journal.close()


def test_the_ledger_keeps_rows_beyond_its_first_room() -> None:
    ledger = Ledger(2, 1)
    for number in range(1000):
        row = ledger.ask(np.array([number, -number], dtype=float))
        ledger.enter(row, SolvedPoint(np.array([3.0 * number]), np.zeros(0), "" if number % 7 else "why"))
    variants = ledger.variants({})
    assert len(variants) == 1000
    np.testing.assert_array_equal(variants.values[:, 0], np.arange(1000))
    assert len(variants.messages) == 143


def test_progress_ends_at_all_variants(tmp_path: Path) -> None:
    told: list[StudyProgress] = []
    book = study_book(tmp_path / "weight.xlsx", "sobol", samples=30)
    run_study(book, book.read_bytes(), StudyOptions(), told.append)
    assert [each.solved for each in told] == sorted(each.solved for each in told)
    assert told[-1] == StudyProgress(30, 0, 30, 0)


def test_workers_are_begun_only_where_they_pay(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    begun: list[int] = []

    class Counted(running.ProcessPool):
        def __init__(self, task: object, count: int) -> None:
            begun.append(count)
            super().__init__(task, count)  # type: ignore[arg-type]

    monkeypatch.setattr(running, "ProcessPool", Counted)
    book = study_book(tmp_path / "weight.xlsx", "sobol", samples=8)
    run(book, workers=None)
    assert begun == []
    monkeypatch.setattr(running, "WORTH_A_POOL", 0.0)
    monkeypatch.setattr(running, "_cores", lambda: 2)
    run(book, workers=None)
    assert begun == [2]


def test_what_a_variant_takes_is_measured_only_where_the_number_of_workers_is_open(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    measured: list[object] = []
    seconds = running._seconds
    monkeypatch.setattr(running, "_seconds", lambda solver: measured.append(solver) or seconds(solver))
    book = study_book(tmp_path / "weight.xlsx", "sobol", samples=2)
    run(book, workers=1)
    assert not measured
    run(book, workers=None)
    assert len(measured) == 1


def test_the_journal_gives_back_the_same_bits(tmp_path: Path) -> None:
    points = np.random.default_rng(1).normal(size=(5, 3))
    solved = [SolvedPoint(point[:2] / 3.0, point[2:] * np.pi) for point in points[:4]]
    solved.append(SolvedPoint(np.full(2, np.nan), np.zeros(0), "Bodies!B2: why"))
    journal = Journal(tmp_path / "a.sqlite", "key", keeps=False)
    journal.add(points, solved)
    journal.close()
    again = dict(Journal(tmp_path / "a.sqlite", "key", keeps=True).solved())
    for point, each in zip(points, solved, strict=True):
        found = again[point.tobytes()]
        assert (found.responses.tobytes(), found.residuals.tobytes(), found.message) == (
            *(each.responses.tobytes(), each.residuals.tobytes()),
            each.message,
        )


def test_time_is_not_in_what_a_study_found(tmp_path: Path) -> None:
    book = study_book(tmp_path / "weight.xlsx", "sobol", samples=8)
    first = run(book)
    time.sleep(0.01)
    same(first, run(book))


def test_a_task_carries_the_workbook_so_that_workers_need_no_file(tmp_path: Path) -> None:
    book = study_book(tmp_path / "weight.xlsx", "grid")
    task = StudyTask(str(book), book.read_bytes())
    book.unlink()
    take_task(task)
    (found,) = solve_chunk(task.key, np.array([[4.0, RATE]])).points
    assert found.responses[0] == pytest.approx(sag(4.0, RATE))
