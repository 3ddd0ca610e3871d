"""Runs in a process of their own: the newest counts, whatever the one before does, and a fault ends nothing."""

import asyncio
import gzip
import json
import time

import pytest

from sheetmbs.live import solver as solvers
from sheetmbs.live.solver import Solver
from sheetmbs.live.solver_process import Advanced, Begun, Outcome, WantedRun, Written
from tests.live import solves


@pytest.fixture
def book(tmp_path):
    return tmp_path / "book.txt"


def solving(solve, follow):
    """What ``follow`` makes of a solver and of what it tells."""

    async def watch():
        told = asyncio.Queue()
        solver = Solver(solve, told.put_nowait)
        try:
            async with asyncio.timeout(60):
                return await follow(solver, told)
        finally:
            solver.end()

    return asyncio.run(watch())


async def until(told, kind):
    """The next thing of a kind that is told."""
    while not isinstance(found := await told.get(), kind):
        pass
    return found


def process_of(outcome):
    return json.loads(gzip.decompress(outcome.document))["document"]["process"]


def test_runs_one_after_the_other_use_the_same_warm_process(book):
    book.write_text("0")

    async def follow(solver, told):
        found = []
        for number in (1, 2, 3):
            solver.ask(WantedRun(str(book), number=number))
            found.append(await until(told, Outcome))
        return found

    outcomes = solving(solves.obedient, follow)
    assert [outcome.number for outcome in outcomes] == [1, 2, 3]
    assert len({process_of(outcome) for outcome in outcomes}) == 1


def test_a_long_run_tells_how_far_it_is(book):
    book.write_text("1")

    async def follow(solver, told):
        solver.ask(WantedRun(str(book), number=1))
        return await until(told, Advanced)

    assert solving(solves.obedient, follow) == Advanced(1, 0.5)


@pytest.mark.parametrize("solve", [solves.obedient, solves.deaf])
def test_a_run_that_is_no_longer_wanted_is_stopped_for_the_newer_one(book, solve):
    book.write_text("0")

    async def follow(solver, told):
        solver.ask(WantedRun(str(book), number=1))
        first = process_of(await until(told, Outcome))
        slow = book.with_name("slow.txt")
        slow.write_text(str(solves.LONG))
        solver.ask(WantedRun(str(slow), number=2))
        await until(told, Begun)
        began = time.monotonic()
        for number in (3, 4, 5):
            solver.ask(WantedRun(str(book), number=number))
        outcome = await until(told, Outcome)
        return outcome.number, process_of(outcome) == first, time.monotonic() - began

    number, is_same, seconds = solving(solve, follow)
    assert number == 5
    assert is_same == (solve is solves.obedient)
    assert seconds < solves.LONG / 2


def after_dying(solve, book):
    """The outcome of a run that fails, and that of the next one."""
    book.write_text("die")

    async def follow(solver, told):
        solver.ask(WantedRun(str(book), number=1))
        first = await until(told, Outcome)
        book.write_text("live")
        solver.ask(WantedRun(str(book), number=2))
        return first, await until(told, Outcome)

    return solving(solve, follow)


def test_a_run_that_takes_its_process_along_is_told_and_the_next_one_works(book):
    first, second = after_dying(solves.deadly, book)
    assert (first.number, first.status, first.problems[0].code) == (1, "error", "process-ended")
    assert "7" in first.problems[0].found
    assert (second.number, second.status) == (2, "done")


def test_a_fault_of_our_own_is_a_sentence_and_the_next_run_works(book):
    first, second = after_dying(solves.faulty, book)
    assert first.problems[0].code == "own-fault"
    assert "ZeroDivisionError: by nothing" in first.problems[0].found
    assert second.status == "done"


def test_what_is_written_is_told_after_the_outcome(book):
    book.write_text("0")

    async def follow(solver, told):
        solver.ask(WantedRun(str(book), writes=True, number=1))
        await until(told, Outcome)
        return await until(told, Written)

    assert solving(solves.obedient, follow).sentence == "the results are in book.xlsx"


def test_no_process_is_left_behind(book):
    book.write_text(str(solves.LONG))

    async def follow(solver, told):
        solver.ask(WantedRun(str(book), number=1))
        await until(told, Begun)
        return solver._running.process

    process = solving(solves.deaf, follow)
    assert not process.is_alive()
    assert solvers.GRACE < 1.0
