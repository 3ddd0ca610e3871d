"""What is found once, when it is first asked for, and kept."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from functools import cache
from typing import TypeVar

Owner = TypeVar("Owner")
Found = TypeVar("Found")


def found_once(find: Callable[[Owner], Found]) -> Callable[[Owner], Found]:
    """Let what is found of a wheel or an axle be found once: it is kept in what it has ``known``."""

    def kept(of: Owner) -> Found:
        known = of.known  # type: ignore[attr-defined]
        if find not in known:
            known[find] = find(of)
        return known[find]  # type: ignore[no-any-return]

    return kept


class FoundItems(Mapping[str, Found]):
    """Things by name, each found when it is first asked for."""

    def __init__(self, names: Collection[str], find: Callable[[str], Found]) -> None:
        self._names, self._find = names, cache(find)

    def __getitem__(self, name: str) -> Found:
        if name not in self._names:
            raise KeyError(name)
        return self._find(name)

    def __contains__(self, name: object) -> bool:
        return name in self._names

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)
