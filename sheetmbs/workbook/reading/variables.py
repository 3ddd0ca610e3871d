"""Motion columns, such as ``slider.vx``, that an expression may use."""

from __future__ import annotations

from sheetmbs.schema.names import did_you_mean, fold, nearest
from sheetmbs.workbook.reading.registry import Registry


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
