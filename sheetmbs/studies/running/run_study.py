"""A study from its workbook to what it found."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from time import perf_counter

import numpy as np

from sheetmbs.problems.errors import WorkbookError
from sheetmbs.studies import goals
from sheetmbs.studies.derived.by_derivatives import by_derivatives
from sheetmbs.studies.methods.all_methods import METHODS
from sheetmbs.studies.methods.method import ChosenVariants, Method
from sheetmbs.studies.responses.column_response import ColumnResponse
from sheetmbs.studies.running.cluster_tls import ClusterTls
from sheetmbs.studies.running.evaluator import Evaluator, StudyProgress
from sheetmbs.studies.running.executors import InThisProcess, ProcessPool, Workers, cluster
from sheetmbs.studies.running.journal import Journal, journal_path, study_key
from sheetmbs.studies.running.ledger import Ledger
from sheetmbs.studies.running.solve_chunk import StudyTask, solver_here
from sheetmbs.studies.solving.variant_solver import VariantSolver
from sheetmbs.studies.study_results import KeptCurve, StudyResults, VariantRows

WORTH_A_POOL = 3.0
"""seconds of work above which processes are begun for it, each of which takes half a second to begin"""
STOPPED = "the study was stopped before its end"


@dataclass(frozen=True)
class StudyOptions:
    """How a study is run. workers: processes, 1: this one; None: as many as there are cores, where it is worth it.

    cluster: address of a Dask scheduler in their place. resume: go on with what the journal has. restart: start again though
    it is of a study that was interrupted. tls: files by which the cluster is talked to over TLS.
    """

    analysis: str | None = None
    workers: int | None = None
    cluster: str | None = None
    resume: bool = False
    restart: bool = False
    tls: ClusterTls | None = None


def run_study(
    book: Path, content: bytes, options: StudyOptions, tell: Callable[[StudyProgress], None] | None = None
) -> StudyResults:
    """Run the study of a workbook. content: its bytes. tell: called with the progress.

    Ctrl-C ends it early: what is finished comes back, with a message. Raises WorkbookError.
    """
    task = StudyTask(str(book.absolute()), content, options.analysis)
    solver = solver_here(task)
    method = METHODS[solver.study.method]
    key = study_key(solver.book, options.analysis)
    journal = Journal(journal_path(book), key, keeps=options.resume, forgets=options.restart)
    try:
        ledger = Ledger(len(solver.study.variables), len(solver.study.responses))
        is_search = method.declared.is_search or solver.study.is_linear
        here = Evaluator(ledger, InThisProcess(task), journal, is_search=is_search)
        here(solver.study.as_it_is[None, :])
        expected = method.count(solver.study)
        workers = _workers(task, options, solver, expected)
        tell = tell if tell and method.run is not None else (lambda _progress: None)
        evaluate = Evaluator(ledger, workers, journal, is_search=is_search, expected=expected, tell=tell)
        chosen, message = _chosen(method, solver, evaluate, workers)
        if not message:
            journal.end()
    finally:
        journal.close()
    return replace(_results(solver, ledger, chosen, message), from_journal=evaluate.from_journal)


def _seconds(solver: VariantSolver) -> float:
    """What a variant takes once everything is warm."""
    began = perf_counter()
    solver.solve(solver.study.as_it_is)
    return perf_counter() - began


def _workers(task: StudyTask, options: StudyOptions, solver: VariantSolver, count: int) -> Workers:
    """What runs the variants. count: how many there are, at most."""
    if options.cluster is not None:
        return cluster(options.cluster, task, options.tls)
    processes = options.workers or (_cores() if _seconds(solver) * count > WORTH_A_POOL else 1)
    return ProcessPool(task, processes) if processes > 1 else InThisProcess(task)


def _cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _chosen(method: Method, solver: VariantSolver, evaluate: Evaluator, workers: Workers) -> tuple[ChosenVariants, str]:
    """What a method adds to its variants, all of which stand in the ledger then; and why it ended early, if it did."""
    try:
        if method.run is None or solver.study.is_linear:
            return by_derivatives(solver, evaluate), ""
        return method.run(solver.study, evaluate), ""
    except KeyboardInterrupt:
        return ChosenVariants(), STOPPED
    finally:
        workers.close()


def _results(solver: VariantSolver, ledger: Ledger, chosen: ChosenVariants, message: str) -> StudyResults:
    study = replace(
        solver.study,
        responses=tuple(
            replace(each.response, unit=each.unit, case=each.case) for each in solver.responses
        ),
    )  # fmt: skip
    names = {number: listed.name for number, listed in enumerate(study.listed, 1)} if study.traits.is_listed else {}
    variants = ledger.variants(names)
    values, done = variants.responses, variants.done
    may_be_best = done & goals.within_ranges(study, variants.values)
    best = goals.best(study, values, may_be_best) if chosen.fit is None else len(variants) - 1
    front = goals.front(study, values, may_be_best)
    return StudyResults(
        study,
        variants,
        goals.feasible(study, values, done),
        goals.objective(study, values),
        best,
        tuple(_curves(solver, variants, best, front, only_base=chosen.uncertainty is not None)),
        tuple(each.target for each in solver.responses if isinstance(each, ColumnResponse) and each.target is not None),
        chosen.indices,
        front,
        message,
        (*solver.warnings, *goals.far_values(study, values, done)),
        solver.computed,
        chosen.is_spent,
        fit=chosen.fit,
        uncertainty=chosen.uncertainty,
        measured=tuple(solver.subject.compared),
    )


def _curves(
    solver: VariantSolver, variants: VariantRows, best: int | None, front: tuple[int, ...], *, only_base: bool
) -> list[KeptCurve]:
    """Curves of the variants that are kept: as it is, the best, the front, then others evenly spread.

    only_base: of the workbook as it is alone.
    """
    done = np.flatnonzero(variants.done)[: 1 if only_base else None]
    if not len(done) or not solver.study.keep:
        return []
    first = [number for number in (0, *(() if best is None else (best,)), *front) if variants.done[number]]
    spread = done[np.unique(np.linspace(0, len(done) - 1, solver.study.keep).round().astype(int))]
    kept = list(dict.fromkeys([*first, *spread.tolist()]))[: solver.study.keep]
    found: list[KeptCurve] = []
    for number in sorted(kept):
        try:
            found += solver.curves(number, variants.values[number])
        except WorkbookError:  # its row says why it failed
            continue
    return found
