"""Workers of a Dask cluster: the workbook goes to each of them once, also to those that join later."""

from __future__ import annotations

from concurrent.futures import Future
from typing import Any

from distributed import Client, WorkerPlugin
from distributed import Future as ClusterFuture
from distributed.client import FutureCancelledError
from distributed.scheduler import KilledWorker
from distributed.security import Security

from sheetmbs.problems.errors import Problem, WorkbookError
from sheetmbs.studies.running.cluster_tls import TLS, ClusterTls
from sheetmbs.studies.running.solve_chunk import SolvedChunk, StudyTask, WorkerDied, solve_chunk, take_task
from sheetmbs.studies.study_book import Floats

ANSWERS_WITHIN = 10.0
"""seconds"""


class _TaskPlugin(WorkerPlugin):
    """Makes a study known to a worker when it joins."""

    def __init__(self, task: StudyTask) -> None:
        self.task = task
        self.name = f"sheetmbs-{task.key}"

    def setup(self, worker: object) -> None:  # noqa: ARG002 - as the cluster calls it
        """Prepare the worker for the study."""
        take_task(self.task)


def _lost(address: str, error: BaseException) -> WorkbookError:
    """The end of a study whose cluster does not answer any more."""
    rule = f"it no longer answers ({type(error).__name__})"
    mend = "start it again, then continue with --resume: finished variants are kept"
    return WorkbookError(Problem("cluster-lost", "error", "", f"the cluster at {address}", rule, mend))


def _security(tls: ClusterTls) -> Security:
    """The settings of Dask for TLS: nothing is sent unencrypted."""
    key = tls.certificate if tls.key is None else tls.key
    return Security(
        require_encryption=True,
        tls_ca_file=str(tls.ca),
        tls_client_cert=str(tls.certificate),
        tls_client_key=str(key),
    )


class DaskWorkers:
    """The workers of the cluster whose scheduler is at an address. tls: files for it, None: as Dask is configured.

    Raises WorkbookError where no scheduler answers.
    """

    def __init__(self, address: str, task: StudyTask, tls: ClusterTls | None) -> None:
        self._address = address
        self._key = task.key
        options = {}
        if tls is not None:
            tls.check(address)
            options["security"] = _security(tls)
        try:
            self._client: Any = Client(address, timeout=ANSWERS_WITHIN, set_as_default=False, **options)
            self._client.register_plugin(_TaskPlugin(task))
        except (OSError, ValueError, TypeError, RuntimeError) as error:
            rule = f"no scheduler answers there ({type(error).__name__})"
            mend = "give the address that dask scheduler prints, such as tcp://host:8786"
            if address.startswith(TLS):
                mend += ", and for tls:// the certificates of this cluster: --tls-ca-file, --tls-cert and --tls-key"
            raise WorkbookError(Problem("no-cluster", "error", "", f"the cluster at {address}", rule, mend)) from None

    @property
    def count(self) -> int:
        """Threads of all workers at the moment, one at least: others may be about to join."""
        try:
            return max(1, sum(map(int, self._client.nthreads().values())))
        except (OSError, TimeoutError) as error:
            raise _lost(self._address, error) from None

    def submit(self, points: Floats) -> Future[SolvedChunk]:
        """Have a chunk solved."""
        found: Future[SolvedChunk] = Future()
        # a worker that dies has its chunk run again by whoever asked for it, who counts
        try:
            task = self._client.submit(solve_chunk, self._key, points, pure=False, retries=0)
        except (OSError, TimeoutError) as error:
            raise _lost(self._address, error) from None
        task.add_done_callback(lambda ended: self._pass_on(ended, found))
        return found

    def _pass_on(self, ended: ClusterFuture[SolvedChunk], found: Future[SolvedChunk]) -> None:
        try:
            found.set_result(ended.result(timeout=ANSWERS_WITHIN))
        except KilledWorker:
            found.set_exception(WorkerDied("its worker died"))
        except (FutureCancelledError, OSError, TimeoutError) as error:
            found.set_exception(_lost(self._address, error))
        except Exception as error:  # noqa: BLE001 - whoever asks for the result gets it
            found.set_exception(error)

    def revive(self) -> None:
        """The cluster replaces its workers by itself."""

    def close(self) -> None:
        """Take back what is on its way, and part."""
        self._client.close(timeout=1)
