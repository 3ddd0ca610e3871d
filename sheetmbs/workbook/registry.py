"""Names of the elements of a workbook, and references to them."""

from __future__ import annotations

from typing import NamedTuple

from sheetmbs.elements.marker import GROUND
from sheetmbs.schema.names import did_you_mean, fold
from sheetmbs.workbook.report import Place, Report, quoted


class Entry(NamedTuple):
    """A name as written, and where."""

    name: str
    place: Place


class Absent(NamedTuple):
    """A name whose row does not count: where it stands, why not, and what to do where something needs it."""

    place: Place
    problem: str
    mend: str


class Registry:
    """The names of one kind of element. kind: for messages, e.g. ``body``; sheet: where such elements stand.

    others: registries that share its name space. is_complete: False once the names cannot be read, which has been
    reported: then no reference to them is reported as well.
    """

    def __init__(self, kind: str, sheet: str, report: Report, others: tuple[Registry, ...] = ()) -> None:
        self.kind = kind
        self.sheet = sheet
        self.is_complete = True
        self._report = report
        self._others = others
        self._entries: dict[str, Entry] = {}
        self._switched_off: dict[str, Absent] = {}

    def add(self, name: str, place: Place) -> bool:
        """Enter a name. Returns False, and reports, where it is taken."""
        taken = next((entry for each in (self, *self._others) if (entry := each.entry(name))), None)
        if taken:
            problem = (
                f"{taken.place} has the name {quoted(taken.name)} already; upper case, blanks, _ and - do not count"
            )
            self._report.error("duplicate-name", place, quoted(name), problem, "give one of them another name")
            return False
        self._entries[fold(name)] = Entry(name, place)
        return True

    def add_switched_off(self, name: str, absent: Absent) -> None:
        """Remember a name whose row is switched off, always or in this case, for messages."""
        self._switched_off[fold(name)] = absent

    def entry(self, text: str) -> Entry | None:
        """The entry of a name, or None."""
        return self._entries.get(fold(text))

    def is_switched_off(self, text: str) -> bool:
        """Whether a text names an element whose row is switched off."""
        return fold(text) in self._switched_off

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
            mend = f"name an element of the sheet {self.sheet}"
            self._report.error(
                f"ground-as-{self.kind}", place, quoted(text), f"the ground is no moving {self.kind}", mend
            )
            return None
        found = self.find(text)
        if found is None and self.is_complete:
            self._report_unknown(text, place)
        return found

    def _report_unknown(self, text: str, place: Place) -> None:
        off = self._switched_off.get(fold(text))
        if off:
            problem = f"the {self.kind} at {off.place} {off.problem}"
            self._report.error("switched-off", place, quoted(text), problem, off.mend)
            return
        mend = did_you_mean(text, self.names(), f"add it to the sheet {self.sheet}, or correct the name")
        self._report.error(f"unknown-{self.kind}", place, quoted(text), f"there is no {self.kind} of that name", mend)
