"""Several goals at once: the Pareto front by NSGA-II (Deb et al. 2002), by pymoo."""

from __future__ import annotations

from contextlib import suppress

import numpy as np

from sheetmbs.schema import study_methods
from sheetmbs.studies.goals import excesses, is_objective, objectives
from sheetmbs.studies.methods.bounded_search import BoundedSearch, BudgetSpent
from sheetmbs.studies.methods.method import ChosenVariants, Evaluate, Fault, Method, missing_package
from sheetmbs.studies.methods.optimise import FAILED_POINT_PENALTY, fault_of_budget
from sheetmbs.studies.methods.samples import latin_hypercube
from sheetmbs.studies.study_book import StudyBook

MIN_POPULATION = 40
"""variants of which a front can be made"""


def _run(study: StudyBook, evaluate: Evaluate) -> ChosenVariants:
    search = BoundedSearch(study, evaluate, study.budget)
    with suppress(BudgetSpent):
        _evolve(search)
    return ChosenVariants()


def _evolve(search: BoundedSearch) -> None:
    try:
        from pymoo.algorithms.moo.nsga2 import NSGA2
        from pymoo.core.evaluator import Evaluator
        from pymoo.core.problem import Problem as Asked
        from pymoo.core.termination import NoTermination
        from pymoo.problems.static import StaticProblem
    except ImportError:
        raise missing_package("pymoo", study_methods.PARETO.name) from None
    study, dimension = search.study, len(search.study.variables)
    size = int(np.clip(study.budget // 10, 8, 100))
    start = latin_hypercube(size, dimension, study.seed)
    start[0] = search.as_it_is
    count = sum(map(is_objective, study.responses))
    limits = sum(response.is_limit for response in study.responses)
    problem = Asked(n_var=dimension, n_obj=count, n_ieq_constr=limits, xl=0.0, xu=1.0)
    algorithm = NSGA2(pop_size=size, sampling=start)
    algorithm.setup(problem, termination=NoTermination(), seed=study.seed, verbose=False)
    for _generation in range(study.budget):
        asked = algorithm.ask()
        found = search.of(np.asarray(asked.get("X"), dtype=np.float64))
        goals = np.where(found.done[:, None], objectives(study.responses, found.responses), FAILED_POINT_PENALTY)
        broken = np.where(found.done[:, None], excesses(study, found.responses), FAILED_POINT_PENALTY)
        Evaluator().eval(StaticProblem(problem, F=goals, G=broken), asked)
        algorithm.tell(infills=asked)


def _fault(study: StudyBook) -> Fault | None:
    count = sum(map(is_objective, study.responses))
    if count < 2:
        rule, mend = (
            "a Pareto front needs two goals or more",
            "write goals on Responses, or choose the method optimise",
        )
        return f"{count} goal{'s' * (count != 1)}", rule, mend
    return fault_of_budget(study, max(MIN_POPULATION, 4 * len(study.variables)))


PARETO = Method(study_methods.PARETO, _run, lambda study: study.budget, fault=_fault)
