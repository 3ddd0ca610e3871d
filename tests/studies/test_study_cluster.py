"""A study by a Dask cluster: a real scheduler and real workers, some of which die or come late."""

from __future__ import annotations

import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from sheetmbs.problems.errors import WorkbookError
from sheetmbs.studies.running.evaluator import StudyProgress
from sheetmbs.studies.running.run_study import StudyOptions, run_study
from sheetmbs.studies.study_results import StudyResults
from tests.studies.study_books import study_book

pytest.importorskip("distributed", reason="dask[distributed] is not installed")


class Cluster:
    """A scheduler and its workers as processes of their own."""

    def __init__(self, folder: Path) -> None:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        self.address = f"tcp://127.0.0.1:{port}"
        self.folder = folder
        self.scheduler = self._begin("scheduler", "--host", "127.0.0.1", "--port", str(port), "--no-dashboard")
        self.workers: list[subprocess.Popen[bytes]] = []

    def _begin(self, what: str, *options: str) -> subprocess.Popen[bytes]:
        call = [sys.executable, "-m", "distributed.cli.dask_" + what, *options]
        return subprocess.Popen(call, cwd=self.folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def join(self) -> subprocess.Popen[bytes]:
        """One more worker, with one thread and no nanny that would begin it anew."""
        options = ("--nthreads", "1", "--no-nanny", "--no-dashboard", "--death-timeout", "60")
        self.workers.append(self._begin("worker", self.address, *options))
        return self.workers[-1]

    def end(self) -> None:
        """Kill whatever is still there."""
        for process in (*self.workers, self.scheduler):
            process.kill()
            process.wait()


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[Cluster]:
    """A scheduler without workers."""
    made = Cluster(tmp_path)
    yield made
    made.end()


def run(book: Path, cluster: Cluster | None = None, tell: object = None, *, resume: bool = False) -> StudyResults:
    """The study, by the cluster, or in this process."""
    options = StudyOptions(None, 1, None if cluster is None else cluster.address, resume)
    return run_study(book, book.read_bytes(), options, tell)  # type: ignore[arg-type]


def same(one: StudyResults, other: StudyResults) -> None:
    assert one.variants.values.tobytes() == other.variants.values.tobytes()
    assert one.variants.responses.tobytes() == other.variants.responses.tobytes()
    assert one.variants.messages == other.variants.messages


def test_a_cluster_finds_what_one_process_finds_though_a_worker_dies_and_one_joins_late(
    tmp_path: Path, cluster: Cluster
) -> None:
    book = study_book(tmp_path / "weight.xlsx", "sobol", samples=200)
    alone = run(book)
    first = cluster.join()
    done: list[str] = []

    def tell(progress: StudyProgress) -> None:
        if progress.solved > 50 and not done:
            done.append("joined")
            cluster.join()
            first.send_signal(signal.SIGKILL)

    same(alone, run(book, cluster, tell))
    assert done


def test_a_study_goes_on_where_a_dead_cluster_left_it(tmp_path: Path, cluster: Cluster) -> None:
    book = study_book(tmp_path / "weight.xlsx", "sobol", samples=200)
    alone = run(book)
    cluster.join()

    def tell(progress: StudyProgress) -> None:
        if progress.solved > 50:
            cluster.scheduler.kill()

    began = time.monotonic()
    with pytest.raises(WorkbookError, match="continue with --resume"):
        run(book, cluster, tell)
    assert time.monotonic() - began < 120.0
    same(alone, run(book, resume=True))


def test_an_address_where_nobody_answers_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sheetmbs.studies.running.dask_workers.ANSWERS_WITHIN", 1.0)
    book = study_book(tmp_path / "weight.xlsx", "sobol", samples=4)
    with pytest.raises(WorkbookError, match="no scheduler answers there"):
        run_study(book, book.read_bytes(), StudyOptions(cluster="tcp://127.0.0.1:9"))
