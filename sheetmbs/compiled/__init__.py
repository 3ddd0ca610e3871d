"""Kernels compiled when the package is built: one library of object code, loaded without numba.

``kernel`` and ``inline_kernel`` are what the engine sees of it, with `Bundle` for many arrays as one argument, and `Array`,
with which annotations declare what a bundle holds and what an entry point takes.
"""

from sheetmbs.compiled import library
from sheetmbs.compiled.array_struct import Bundle
from sheetmbs.compiled.kernel import inline_kernel, kernel
from sheetmbs.compiled.kinds import Array

__all__ = ["Array", "Bundle", "inline_kernel", "kernel", "library"]
