"""What a fit found, in sentences."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from sheetmbs.studies.fitting.directions import NO_PART
from sheetmbs.studies.fitting.found_fit import NO_INTERVAL, FoundFit
from sheetmbs.studies.fitting.further_measurements import FurtherMeasurement
from sheetmbs.studies.sheets.study_words import counted
from sheetmbs.studies.study_book import StudyBook

CLOSE = 0.95
"""correlation above which two variables cannot be told apart"""
MOST_NAMED = 12
"""directions, or pairs of variables, that sentences name"""


def fit_answer(fit: FoundFit, study: StudyBook) -> Iterator[str]:
    """The answer: what the data determine, how well they are met, and what they cannot see."""
    count, known = len(study.variables), fit.estimate
    yield f"Of {counted(count, 'number')} these data determine {known.determined:.1f}; {_directions(fit)}."
    yield from fit.remarks
    yield f"{_met(fit)} {_chi2(fit)}"
    unseen = [each for each in fit.directions if each.found.verdict == "unseen"]
    for each in unseen[:MOST_NAMED]:
        yield f"Not seen: {each.words}."
    if len(unseen) > MOST_NAMED:
        yield f"Further directions that are not seen: {len(unseen) - MOST_NAMED}; look at mbs Fit Directions."
    for place, (variable, notes) in enumerate(zip(study.variables, fit.notes, strict=True)):
        is_named = any(abs(each.found.parts[place]) > NO_PART for each in unseen)
        told = [note for note in notes.split("; ") if not (is_named and note.startswith(NO_INTERVAL))]
        if any(told):
            yield f"{variable.name}: {'; '.join(told)}."
    yield from _starts(fit)


def _directions(fit: FoundFit) -> str:
    verdicts = [each.found.verdict for each in fit.directions]
    told = [f"{verdicts.count(verdict)} {verdict}" for verdict in ("seen", "weak", "unseen")]
    return f"of {counted(len(verdicts), 'direction')} {told[0]}, {told[1]}, {told[2]}"


def _met(fit: FoundFit) -> str:
    worst = max(fit.measurements, key=lambda each: each.rms_over_sd)
    of = counted(len(fit.measurements), "measurement")
    return f"After the fit the rms residual of {of} is at most {worst.rms_over_sd:.2g} sd ({worst.name})."


def _chi2(fit: FoundFit) -> str:
    known = fit.estimate
    if not np.isfinite(known.probability):
        return f"chi2 is {known.chi2:.4g}, and no degree of freedom is left to judge it."
    told = f"chi2 is {known.chi2:.4g} with {known.dof:.1f} degrees of freedom (probability {known.probability:.2g})."
    if known.scale != 1.0:
        told += f" Intervals take the sd of readings times {known.scale:.3g}, as the residuals have it."
    return told


def _starts(fit: FoundFit) -> Iterator[str]:
    if len(fit.costs) > 1:
        costs = np.array(fit.costs)
        yield (
            f"Of {counted(len(costs), 'start')} the sums of squares lie between {costs.min():.6g} and {costs.max():.6g}, and "
            f"the solutions at most {fit.spread:.2g} prior sd from the best one."
        )


def further_sentence(fit: FoundFit, study: StudyBook) -> str:
    """Which further measurement would see what is hardly seen; "" where nothing would."""
    if not fit.further:
        return ""
    first = fit.further[0]
    told = f"A measurement of {first.name} would see it best: {_hardly_seen(first, study)}, {_shares(first)}"
    more = [each.name for each in fit.further[1:]]
    return f"{told}; next {', then '.join(more)}." if more else f"{told}."


def _hardly_seen(found: FurtherMeasurement, study: StudyBook) -> str:
    parts = np.abs(found.direction)
    order = np.argsort(-parts, kind="stable")
    named = [study.variables[k].name for k in order[:3] if parts[k] >= 0.3 * parts.max()]
    return f"the worst direction ({', '.join(named)})"


def _shares(found: FurtherMeasurement) -> str:
    return f"whose share then falls from {found.before:.3f} to {found.after:.3f}"


def close_pairs(fit: FoundFit) -> list[tuple[int, int, float]]:
    """Pairs of variables with correlations above the limit, the closest first."""
    correlation = np.nan_to_num(fit.estimate.correlation)
    first, last = np.triu_indices(len(correlation), 1)
    found = [(int(a), int(b), float(correlation[a, b])) for a, b in zip(first, last, strict=True)]
    return sorted((each for each in found if abs(each[2]) > CLOSE), key=lambda each: -abs(each[2]))
