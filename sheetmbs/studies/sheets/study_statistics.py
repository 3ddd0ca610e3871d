"""What several sheets of a study show: ranges of variables, effects, and what failed."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from sheetmbs.studies.goals import excess
from sheetmbs.studies.sheets.study_words import said
from sheetmbs.studies.statistics.variable_effects import LinearEffects, SingleChanges, linear_effects, single_changes
from sheetmbs.studies.study_book import Flags, Floats, StudyBook, StudyResponse
from sheetmbs.studies.study_results import StudyResults

AT_AN_END, TINY = 1e-6, 1e-300
"""of its range, by which a variable may be off its end to count as there"""


NUMBER = re.compile(r"(?<![\w!$.])[-+]?\d[\d,.]*(?:e[-+]?\d+)?(?![\w])")
"""that is no part of a name or an address"""


@dataclass(frozen=True)
class StudyAnalysis:
    """Results of a study, and what follows from them."""

    results: StudyResults

    @property
    def study(self) -> StudyBook:
        """What was asked for."""
        return self.results.study

    @property
    def names(self) -> list[str]:
        """Names of the variables."""
        return [variable.name for variable in self.study.variables]

    @property
    def values(self) -> Floats:
        """Values of the variables, shape (n, variables)."""
        return self.results.variants.values

    @property
    def responses(self) -> Floats:
        """Values of the responses, shape (n, responses)."""
        return self.results.variants.responses

    @property
    def count(self) -> int:
        """Variants, without the workbook as it is."""
        return len(self.results.variants) - 1

    @property
    def failed(self) -> int:
        """Number of variants that failed, without variant 0."""
        return int((~self.results.variants.done[1:]).sum())

    @property
    def has_limits(self) -> bool:
        """Whether any response says which variants are feasible."""
        return any(response.is_limit for response in self.study.responses)

    @property
    def goals(self) -> list[int]:
        """Places of responses that are to become small, large, or as a target."""
        return [k for k, each in enumerate(self.study.responses) if each.goal and not each.is_limit]

    @property
    def by_importance(self) -> list[int]:
        """Places of all responses: goals first, then limits, then the others."""
        order = {False: 2, True: 1}
        return sorted(
            range(len(self.study.responses)),
            key=lambda k: 0 if k in self.goals else order[self.study.responses[k].is_limit],
        )

    @property
    def improved(self) -> int | None:
        """The best variant, where that is not the workbook as it is."""
        return self.results.best or None

    def name_of(self, number: int) -> str:
        """``variant 17 "long arm"``, or ``the baseline workbook``."""
        if number == 0:
            return "the baseline workbook"
        name = self.results.variants.names.get(number, "")
        return f'variant {number:,} "{name}"' if name else f"variant {number:,}"

    def ends(self, place: int) -> tuple[float, float]:
        """The range of a variable, as values of its cell: as asked for, else, and of tolerances, as far as variants go."""
        variable = self.study.variables[place]
        if variable.low is not None and variable.high is not None and not self.study.traits.is_production:
            return variable.bounds
        column = self.values[1:, place] if self.count else self.values[:, place]
        return float(column.min()), float(column.max())

    def ends_of_effect(self, place: int, response: int) -> tuple[float, float]:
        """Between which values of a variable its effect on a response is given: where measured, those that did not fail."""
        if self.study.traits.effects != "single changes":
            return self.ends(place)
        values = self.changes(place).known(response)[0]
        return float(values[0]), float(values[-1])

    def end_of(self, place: int, number: int) -> str:
        """``low`` or ``high`` where a variant has a variable at that end of its range, else ""."""
        if self.study.traits.is_listed:  # whose variants are chosen one by one
            return ""
        low, high = self.ends(place)
        value, near = self.values[number, place], AT_AN_END * (high - low)
        return "low" if value <= low + near else "high" if value >= high - near else ""

    def moves(self, number: int) -> list[int]:
        """Places of the variables that a variant changes, those that move most through their ranges first."""
        shift = self.values[number] - self.values[0]
        spans = np.array([high - low or 1.0 for low, high in map(self.ends, range(len(shift)))])
        order = np.argsort(-np.abs(shift / spans), kind="stable")
        return [int(k) for k in order if shift[k]]

    def changes(self, place: int) -> SingleChanges:
        """What a variable does by itself."""
        return single_changes(self.values, self.responses, place)

    @cached_property
    def regressions(self) -> tuple[LinearEffects, ...]:
        """Linear regression of each response over all variants but the baseline."""
        return tuple(linear_effects(self.values[1:], column) for column in self.responses[1:].T)

    @cached_property
    def effects(self) -> Floats:
        """(variables, responses) how much responses change while each variable goes through its range; NaN where not known."""
        shape = len(self.names), len(self.study.responses)
        if self.study.traits.effects == "single changes":
            return np.array([[each.effect(k) for k in range(shape[1])] for each in map(self.changes, range(shape[0]))])
        if self.study.traits.effects != "regression":
            return np.full(shape, np.nan)
        spans = np.array([high - low for low, high in map(self.ends, range(shape[0]))])
        slopes = np.array([found.slopes for found in self.regressions])
        found: Floats = (slopes.reshape(shape[1], shape[0]) * spans).T
        return found

    @cached_property
    def strength(self) -> Floats:
        """(variables, responses) how much each variable matters to each response, from 0 to about 1."""
        shape = self.effects.shape
        if self.study.traits.effects == "single changes":
            changes = [self.changes(k) for k in range(shape[0])]
            spans = np.nan_to_num(np.array([[each.span(k) for k in range(shape[1])] for each in changes]))
            size: Floats = spans / np.maximum(spans.max(axis=0), TINY)
            return size
        size = np.array([found.standardised for found in self.regressions]).reshape(shape[::-1]).T
        for indices in self.results.indices:
            place = next(k for k, each in enumerate(self.study.responses) if each.name == indices.response)
            size[:, place] = indices.total
        np.abs(np.nan_to_num(size), out=size)
        return size

    @cached_property
    def reasons(self) -> list[tuple[str, int, int]]:
        """Why variants failed: the reason, how many variants have it, and the first of them; the most frequent first.

        Reasons that differ in numbers alone count as one, in the words of the first. Number 0, the baseline, may be the first,
        and is not counted.
        """
        messages = self.results.variants.failures
        first: dict[str, int] = {}
        for number in sorted(messages):
            first.setdefault(_without_numbers(messages[number]), number)
        counted = Counter(_without_numbers(text) for number, text in messages.items() if number)
        return [
            (messages[first[reason]], counted[reason], first[reason])
            for reason in sorted(first, key=counted.__getitem__, reverse=True)
        ]

    @property
    def apart(self) -> list[int]:
        """Places of all responses by importance, without those that repeat another one, as for a second limit."""
        seen: dict[bytes, int] = {}
        for place in self.by_importance:
            seen.setdefault(self.responses[:, place].tobytes(), place)
        return list(seen.values())

    def marks(self, place: int) -> dict[str, float]:
        """Limits and targets of the quantity that a response is: ``at most 150 mm`` and the number."""
        own, column = self.study.responses[place], self.responses[:, place]
        found = {}
        for response, other in zip(self.study.responses, self.responses.T, strict=True):
            is_same = response.unit == own.unit and np.array_equal(other, column, equal_nan=True)
            if is_same and response.value is not None and not response.curve:
                found[f"{response.goal} {said(response.value, response.unit)}"] = response.value
        return found

    def within(self, place: int) -> Flags:
        """(n,) which variants hold all limits of the quantity that a response is."""
        column = self.responses[:, place]
        within = np.ones(len(column), dtype=bool)
        for response, other in zip(self.study.responses, self.responses.T, strict=True):
            if np.array_equal(other, column, equal_nan=True):
                within &= self.holds(response, column)
        return within

    def holds(self, response: StudyResponse, values: Floats) -> Flags:
        """Which values (n,) hold a limit."""
        if not response.is_limit or response.value is None:
            return np.ones(len(values), dtype=bool)
        return np.asarray(excess(response, response.value, values) <= 0.0)


def _without_numbers(reason: str) -> str:
    """A reason as others have it too."""
    return NUMBER.sub("#", reason)
