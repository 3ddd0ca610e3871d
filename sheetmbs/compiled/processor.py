"""The kind of machine for which object code is made."""

from __future__ import annotations

import os
import platform
import sys
from functools import cache

import llvmlite.binding as llvm

X86 = ("x86_64", "amd64")
X86_64_V2 = ("cx16", "popcnt", "sahf", "sse3", "sse4.1", "sse4.2", "ssse3")
"""what x86-64-v2 has and the first processors of this kind had not"""
BOUNDS = os.environ.get("NUMBA_BOUNDSCHECK", "0") not in ("", "0")
"""whether kernels raise where an index leaves its array"""


@cache
def baseline() -> str:
    """The processor for which code is made: as old as is sensible, so that a library serves other machines too.

    Or the one that the user names, as numba has it: the library of the package is then not used, but one built for it.
    """
    if named := os.environ.get("NUMBA_CPU_NAME"):
        return llvm.get_host_cpu_name() if named == "host" else named
    if platform.machine().lower() not in X86:
        return "generic"
    features = llvm.get_host_cpu_features()
    return "x86-64-v2" if all(features.get(name) for name in X86_64_V2) else "x86-64"


def system() -> str:
    """The kind of machine for which object code is made, and whether it checks bounds."""
    return f"{sys.platform} {platform.machine().lower()} {baseline()}{' bounds' if BOUNDS else ''}"
