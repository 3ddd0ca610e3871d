"""What is found of something once, and kept with it."""

from __future__ import annotations

from collections.abc import Callable
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
