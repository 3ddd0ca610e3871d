"""Names of the elements of a workbook, references to them, and motion columns such as ``slider.vx``."""

from __future__ import annotations

from typing import NamedTuple

from sheetmbs.elements.marker import GROUND
from sheetmbs.schema.meanings import means_ground
from sheetmbs.schema.names import did_you_mean, fold, nearest
from sheetmbs.schema.problem_list import Place, PlacedProblem, ProblemList, quoted


class Absent(NamedTuple):
    """A name whose row does not count: where it stands, why not, and what to do where something needs it."""

    place: Place
    problem: str
    mend: str


class Registry:
    """The names of one kind of element. kind: for messages, e.g. ``body``; sheet: where such elements stand.

    others: registries that share its name space. is_complete: False once the names cannot be read, which has been
    reported: then no reference to them is reported as well. What follows from single rows without a sound name is not
    reported either.
    """

    def __init__(self, kind: str, sheet: str, report: ProblemList, others: tuple[Registry, ...] = ()) -> None:
        self.kind = kind
        self.sheet = sheet
        self.is_complete = True
        self._report = report
        self._others = others
        self._entries: dict[str, PlacedProblem] = {}
        self._switched_off: dict[str, Absent] = {}
        self._nameless = 0
        self._unsound: set[str] = set()
        self._unknown: dict[str, list[tuple[str, str]]] = {}
        report.named.append(self)

    def add(self, name: str, place: Place) -> bool:
        """Enter a name. Returns False, and reports, where it is taken."""
        taken = next((entry for each in (self, *self._others) if (entry := each.entry(name))), None)
        if taken:
            problem = (
                f"{taken.place} has the name {quoted(taken.name)} already; upper case, blanks, _ and - are ignored"
            )
            self._report.error("duplicate-name", place, quoted(name), problem, "give one of them another name")
            self._nameless += 1
            return False
        self._entries[fold(name)] = PlacedProblem(name, place)
        return True

    def add_nameless(self, text: str) -> None:
        """Count a row without a name, or with a text that cannot be one, which has been reported."""
        self._nameless += 1
        if text:
            self._unsound.add(fold(text))

    def add_switched_off(self, name: str, absent: Absent) -> None:
        """Remember a name whose row is switched off, always or in this case, for messages."""
        self._switched_off[fold(name)] = absent

    def is_switched_off(self, text: str) -> bool:
        """Whether a row of that name stands there, but does not count."""
        return fold(text) in self._switched_off

    def entry(self, text: str) -> PlacedProblem | None:
        """The entry of a name, or None."""
        return self._entries.get(fold(text))

    def may_have(self, text: str) -> bool:
        """Whether there is such an element, or would be if the names could be read."""
        return not self.is_complete or fold(text) in self._unsound or self.entry(text) is not None

    def find(self, text: str) -> str | None:
        """The exact name that a text refers to, or None."""
        entry = self.entry(text)
        return entry.name if entry else None

    def names(self) -> list[str]:
        """All names, in the order of their rows."""
        return [entry.name for entry in self._entries.values()]

    def resolve(self, text: str, place: Place, *, ground: bool = False) -> str | None:
        """The exact name that the text in a cell refers to; None where there is no such element, which is reported."""
        if fold(text) == GROUND:
            if ground:
                return GROUND
            mend = f"name a {self.kind} of the sheet {self.sheet}"
            self._report.error(
                f"ground-as-{self.kind}", place, quoted(text), f"the ground is not a moving {self.kind}", mend
            )
            return None
        found = self.find(text)
        if found is None:
            self.report_unknown(text, place, ground=ground)
        return found

    def report_unknown(
        self, text: str, place: Place, found: str = "", also: Registry | None = None, *, ground: bool = False
    ) -> None:
        """Report that a text names nothing, unless what it names may stand where no name can be read.

        found: what stands in the cell, if not that text. also: another kind of element of which it might be the name.
        ground: whether the ground may be meant.
        """
        kinds = [self] if also is None else [self, also]
        found = found or quoted(text)
        if any(each.may_have(text) for each in kinds):
            return
        off = self._switched_off.get(fold(text))
        if off:
            problem = f"the {self.kind} at {off.place} {off.problem}"
            self._report.error("switched-off", place, found, problem, off.mend)
            return
        what, where = (" or ".join(words) for words in zip(*((each.kind, each.sheet) for each in kinds), strict=True))
        otherwise = f"add it to the sheet {where}, or correct the name"
        names = [name for each in kinds for name in each.names()]
        mend = self._advice(text, kinds, ground=ground) or self._report.did_you_mean(text, names, otherwise)
        problem = f"there is no {what} of that name" if found == quoted(text) else f"there is no {what} {quoted(text)}"
        code = f"unknown-{self.kind}"
        self._report.error(code, place, found, problem, mend)
        if mend == otherwise:
            self._unknown.setdefault(fold(text), []).append((code, str(place)))

    def _advice(self, text: str, kinds: list[Registry], *, ground: bool) -> str:
        """The probable meaning of a common word for the ground, of the path of a name, or of the name of something else."""
        if ground and (means_ground(text) or nearest(text, [GROUND])):
            return f"did you mean {GROUND}?"
        known = next((name for part in reversed(text.split(".")) if "." in text and (name := self.find(part))), None)
        if known:
            return f"did you mean {known}?"
        others = [(each, entry) for each in self._report.named if each not in kinds and (entry := each.entry(text))]
        if not others:
            return ""
        other, entry = others[0]
        return f"{entry.name} is a {other.kind} (at {entry.place}); name a {self.kind} here"

    def withdraw_follow_ups(self) -> None:
        """Take unknown names back if there are no more of them than rows without a sound name: it is these they mean."""
        if len(self._unknown) <= self._nameless:
            self._report.withdraw({reported for each in self._unknown.values() for reported in each})


class Variables:
    """Motion columns that an expression may use. columns: per registry, what may stand behind the point."""

    def __init__(self, columns: dict[Registry, tuple[str, ...]]) -> None:
        self._columns = columns

    def __call__(self, variable: str) -> bool:
        """Whether there is such a motion column."""
        name, _, column = variable.rpartition(".")
        return any(
            registry.may_have(name) and (registry.find(name) is None or fold(column) in known)
            for registry, known in self._columns.items()
        )

    def exact(self, variable: str) -> str:
        """A known motion column with the element's exact name. The first registry that has the name counts."""
        name, _, column = variable.rpartition(".")
        found = next((exact for registry in self._columns if (exact := registry.find(name))), name)
        return f"{found}.{fold(column)}"

    def is_ambiguous(self, variable: str) -> bool:
        """Whether elements of two kinds have the name."""
        name = variable.rpartition(".")[0]
        return len([registry for registry in self._columns if registry.find(name)]) > 1

    def advice(self, variable: str) -> str:
        """The nearest motion column, as a question, or what columns there are; ``""`` where nothing is near."""
        name, _, column = variable.rpartition(".")
        for registry, known in self._columns.items():
            exact = registry.find(name)
            if exact:
                return did_you_mean(
                    f"{exact}.{column}", [f"{exact}.{each}" for each in known], f"use one of {', '.join(known)}"
                )
        names = [each for registry in self._columns for each in registry.names()]
        near = nearest(name, names)
        return f"did you mean {near}.{column}?" if near else ""

    def completed(self, name: str) -> str:
        """Advice for the bare name of an element in an expression; ``""`` where it is none."""
        for registry, known in self._columns.items():
            exact = registry.find(name)
            if exact:
                return f"write {exact}.{known[0]} or another of {', '.join(known)}"
        return ""
