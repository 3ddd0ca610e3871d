"""Elements that are found by their names."""

from __future__ import annotations

from difflib import get_close_matches
from typing import Protocol, SupportsIndex, TypeVar, overload


class HasName(Protocol):
    """Whatever has a name."""

    @property
    def name(self) -> str:
        """Name as the workbook has it."""


T = TypeVar("T", bound=HasName)


class NamedElements(tuple[T, ...]):
    """A tuple of elements, of which one is also found by its name: ``model.bodies["crank"]``."""

    __slots__ = ()

    @overload
    def __getitem__(self, key: SupportsIndex | str, /) -> T: ...
    @overload
    def __getitem__(self, key: slice, /) -> tuple[T, ...]: ...
    def __getitem__(self, key: SupportsIndex | str | slice, /) -> T | tuple[T, ...]:
        """The element at a place, or of a name, which is spelled as in the workbook. Raises KeyError with the names."""
        if not isinstance(key, str):
            return super().__getitem__(key)
        for element in self:
            if element.name == key:
                return element
        raise KeyError(unknown_name(key, [element.name for element in self]))

    def __repr__(self) -> str:
        """The names, for an object of hundreds of numbers floods the screen."""
        return f"<{len(self)}: {', '.join(element.name for element in self)}>"


def unknown_name(key: str, names: list[str]) -> str:
    """The sentence for a name that is not there."""
    near = get_close_matches(key, names, 1)
    known = f"there are {', '.join(names)}" if names else "there are none"
    return f"there is no '{key}'; {f'did you mean {near[0]}? ' if near else ''}{known}"
