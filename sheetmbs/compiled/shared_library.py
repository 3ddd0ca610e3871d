"""A shared library of kernels, loaded by the system itself."""

from __future__ import annotations

import ctypes
from collections.abc import Iterable
from pathlib import Path
from typing import Protocol


class Addresses(Protocol):
    """Loaded machine code. symbols: the functions in it."""

    symbols: frozenset[str]

    def of(self, symbol: str) -> int:
        """The address of a function."""
        ...


class SharedLibrary:
    """A shared library that stays loaded until the process ends. Raises OSError where the system does not load it."""

    def __init__(self, path: Path, symbols: Iterable[str]) -> None:
        self.symbols = frozenset(symbols)
        self._library = ctypes.CDLL(str(path))

    def of(self, symbol: str) -> int:
        """The address of a function."""
        address = ctypes.cast(self._library[symbol], ctypes.c_void_p).value
        if address is None:
            raise LookupError(f"the library of kernels lacks {symbol}")
        return address
