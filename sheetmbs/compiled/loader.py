"""Object code in memory, by LLVM's linker for that: for kernels that are compiled while the program runs.

It places what is looked up and what that calls, and nothing else. Only an edited checkout needs it.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

import llvmlite.binding as llvm

NOTHING: Mapping[str, int] = {}


class LoadedObjects:
    """Object files that can be called, by their symbols. outside: addresses of functions that they call and do not hold."""

    def __init__(self, objects: Mapping[str, bytes], outside: Mapping[str, int] = NOTHING) -> None:
        self.symbols = frozenset(objects)
        self._name = f"kernels {len(_KEPT)}"
        builder = llvm.JITLibraryBuilder().add_current_process()
        for symbol, address in outside.items():
            builder.import_symbol(symbol, address)
        for code in objects.values():
            builder.add_object_img(code)
        _KEPT.append(builder.link(_linker(), self._name))

    def of(self, symbol: str) -> int:
        """The address of a function."""
        found = _linker().lookup(self._name, symbol)
        _KEPT.append(found)
        return int(found[symbol])


_KEPT: list[Any] = []
"""what must not be unloaded"""


@cache
def _linker() -> Any:
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    return llvm.create_lljit_compiler(use_jit_link=True)
