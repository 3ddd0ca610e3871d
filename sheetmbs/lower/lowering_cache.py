"""What parts of a model were lowered to: variants of a study share most of their parts, which are not lowered again."""

from __future__ import annotations

import operator
from collections.abc import Callable, Hashable, Sequence
from typing import TypeVar, cast

Result = TypeVar("Result")


class LoweringCache:
    """What was made of parts of models, found again by the parts themselves, which nobody may change meanwhile.

    is_complete: once a first model has been analysed: what is made of parts of later ones is not kept.
    """

    def __init__(self) -> None:
        self.is_complete = False
        self._parts: dict[tuple[str, int], tuple[object, object]] = {}
        self._of_all: dict[Hashable, tuple[Sequence[object], object]] = {}

    def find(self, kind: str, part: object) -> object | None:
        """What a part was made into, None where it was not."""
        found = self._parts.get((kind, id(part)))
        return found[1] if found is not None and found[0] is part else None

    def keep(self, kind: str, part: object, result: object) -> None:
        """Remember what a part was made into."""
        if not self.is_complete:
            self._parts[kind, id(part)] = part, result

    def of_all(self, kind: Hashable, parts: Sequence[object], make: Callable[[], Result]) -> Result:
        """What all these parts together are made into. kind: of what is made, with all numbers that it depends on."""
        known, found = self._of_all.get(kind, ((), None))
        if len(known) == len(parts) and all(map(operator.is_, known, parts)):
            return cast("Result", found)
        result = make()
        if not self.is_complete:
            self._of_all[kind] = parts, result
        return result

    def of(self, kind: str, part: object, make: Callable[[], Result]) -> Result:
        """What a part is made into, by ``make`` where that is not known."""
        found = self.find(kind, part)
        if found is not None:
            return cast("Result", found)
        result = make()
        self.keep(kind, part, result)
        return result
