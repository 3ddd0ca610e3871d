"""Kernels as numba's own functions, which it links into each other: where this numba lacks what `linking.py` needs.

Every entry point then holds all that it calls, by numba's public interface alone. So a build takes longer.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import llvmlite.binding as llvm
import numba
from numba import types

from sheetmbs.compiled import compat
from sheetmbs.compiled.kernel import Kernel
from sheetmbs.compiled.numba_types import Call, IntermediateCode, publish
from sheetmbs.compiled.processor import BOUNDS


def type_of(kernel: Kernel) -> types.Type:
    """The type of a kernel."""
    return numba.typeof(_dispatcher(kernel))


@cache
def _dispatcher(kernel: Kernel) -> Any:
    if not compat.has("AttributeTemplate"):
        publish(kernel.function.__code__.co_names)
    return numba.njit(nogil=True, error_model="numpy", boundscheck=BOUNDS)(kernel.function)


@cache
def made(call: Call) -> IntermediateCode:
    """Let numba compile a kernel with all that it calls."""
    dispatcher = _dispatcher(call.kernel)
    dispatcher.compile(call.takes)
    gives = next(each.return_type for each in dispatcher.nopython_signatures if tuple(each.args) == call.takes)
    code = dispatcher.inspect_llvm(call.takes)
    module = llvm.parse_assembly(code)
    outside = [each for each in module.functions if not each.is_declaration and each.linkage == llvm.Linkage.external]
    (name,) = (each.name for each in outside if not each.name.startswith(compat.WRAPPERS))
    return IntermediateCode(name, gives, code)
