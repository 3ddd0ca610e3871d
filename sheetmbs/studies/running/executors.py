"""Where variants are solved: in this process, in processes of this machine, or by a Dask cluster."""

from __future__ import annotations

import os
import signal
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import get_context
from typing import Protocol

from sheetmbs.problems.errors import Problem, WorkbookError
from sheetmbs.studies.running.cluster_tls import ClusterTls
from sheetmbs.studies.running.solve_chunk import SolvedChunk, StudyTask, solve_chunk, take_task
from sheetmbs.studies.study_book import Floats


class Workers(Protocol):
    """What solves chunks. count: how many of them work side by side."""

    @property
    def count(self) -> int:
        """How many chunks are solved at the same time, as far as is known."""
        ...

    def submit(self, points: Floats) -> Future[SolvedChunk]:
        """Have a chunk solved."""
        ...

    def revive(self) -> None:
        """Make ready again after a worker died."""
        ...

    def close(self) -> None:
        """Let go of what is at work, and end."""
        ...


class InThisProcess:
    """One worker: this process."""

    count = 1

    def __init__(self, task: StudyTask) -> None:
        take_task(task)
        self._key = task.key

    def submit(self, points: Floats) -> Future[SolvedChunk]:
        """Solve a chunk now."""
        future: Future[SolvedChunk] = Future()
        try:
            future.set_result(solve_chunk(self._key, points))
        except Exception as error:  # noqa: BLE001 - whoever asks for the result gets it
            future.set_exception(error)
        return future

    def revive(self) -> None:
        """Nothing died, for this process goes on."""

    def close(self) -> None:
        """Nothing is at work."""


def _begin(task: StudyTask) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is answered by the process that began the study
    take_task(task)


class ProcessPool:
    """Processes of this machine. A worker that dies takes the whole pool with it: `revive` begins a new one."""

    def __init__(self, task: StudyTask, count: int) -> None:
        self.count = count
        self._task = task
        self._pool = self._begun()

    def _begun(self) -> ProcessPoolExecutor:
        """A pool of which a first process answers. Raises WorkbookError where none does."""
        pool = ProcessPoolExecutor(self.count, get_context("spawn"), _begin, (self._task,))
        try:
            pool.submit(os.getpid).result()
        except BrokenProcessPool:
            pool.shutdown(wait=False)
            rule = "a script that runs a study must call it under if __name__ == '__main__':"
            mend = "put that line above the call, or run the study with workers=1"
            found = "the processes that solve variants do not start"
            raise WorkbookError(Problem("no-workers", "error", "", found, rule, mend)) from None
        return pool

    def submit(self, points: Floats) -> Future[SolvedChunk]:
        """Have a chunk solved. Raises BrokenProcessPool where a worker has died."""
        return self._pool.submit(solve_chunk, self._task.key, points)

    def revive(self) -> None:
        """A new pool in place of the broken one."""
        self.close()
        self._pool = self._begun()

    def close(self) -> None:
        """End all processes, whatever they are at."""
        processes = list((self._pool._processes or {}).values())  # noqa: SLF001 - there is no public way to end them
        self._pool.shutdown(wait=False, cancel_futures=True)
        for process in processes:
            process.terminate()


def cluster(address: str, task: StudyTask, tls: ClusterTls | None) -> Workers:
    """The workers of a Dask cluster. tls: files to talk to it over TLS.

    Raises WorkbookError where Dask is not installed, or the cluster does not answer.
    """
    try:
        from sheetmbs.studies.running.dask_workers import DaskWorkers
    except ImportError:
        rule, mend = "--cluster needs the package dask", 'install it with pip install "sheetmbs[cluster]"'
        raise WorkbookError(Problem("missing-package", "error", "", "dask is not installed", rule, mend)) from None
    return DaskWorkers(address, task, tls)
