"""Object code in memory, by LLVM's linker for that: it places what is looked up and what that calls, and nothing else."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

import llvmlite.binding as llvm


class Loaded:
    """Object files that can be called, by their symbols. before: what was loaded before and is called by these."""

    def __init__(self, objects: Mapping[str, bytes], before: Sequence[Loaded] = ()) -> None:
        self.symbols = frozenset(objects)
        self._name = f"kernels {len(_KEPT)}"
        builder = llvm.JITLibraryBuilder().add_current_process()
        for each in before:
            builder.add_jit_library(each._name)  # noqa: SLF001 - of this class
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
