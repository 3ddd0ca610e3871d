"""The kind of machine for which object code is made."""

from __future__ import annotations

import os
import platform
import sys
from functools import cache

import numpy as np

X86 = ("x86_64", "amd64")
X86_64_V2 = {"SSE42", "X86_V2"}
"""numpy's names of features that only processors of the level x86-64-v2 have; older versions of numpy know only the first"""
BOUNDS = os.environ.get("NUMBA_BOUNDSCHECK", "0") not in ("", "0")
"""whether kernels raise where an index leaves its array"""


@cache
def baseline() -> str:
    """The processor for which code is made, by LLVM's name: as old as is sensible, so that a library serves other machines too.

    Or the one that the user names, as numba has it: the library of the package is then not used, but one built for it.
    """
    if named := os.environ.get("NUMBA_CPU_NAME"):
        return _host_name() if named == "host" else named
    if platform.machine().lower() not in X86:
        return "generic"
    return "x86-64-v2" if X86_64_V2 & _features() else "x86-64"


def _features() -> set[str]:
    """Features of this processor that numpy found."""
    extensions = np.show_config(mode="dicts")["SIMD Extensions"]
    return {*extensions.get("baseline", ()), *extensions.get("found", ())}


def _host_name() -> str:
    import llvmlite.binding as llvm  # only the benchmarks ask for code for this very processor

    return str(llvm.get_host_cpu_name())


def system() -> str:
    """The kind of machine for which object code is made, and whether it checks bounds."""
    return f"{sys.platform} {platform.machine().lower()} {baseline()}{' bounds' if BOUNDS else ''}"
