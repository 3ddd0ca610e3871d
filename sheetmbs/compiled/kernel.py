"""The decorators of kernels, and what calls one from Python."""

from __future__ import annotations

import functools
import inspect
import os
from collections.abc import Callable
from functools import cached_property
from typing import Any, TypeVar

from sheetmbs.compiled import kinds
from sheetmbs.compiled.kinds import Kind

Function = TypeVar("Function", bound=Callable[..., Any])

IS_PYTHON = os.environ.get("NUMBA_DISABLE_JIT", "0") not in ("", "0")


Found = Callable[[tuple[Any, ...]], Any]
Finder = Callable[["Kernel", "tuple[Kind, ...] | None", tuple[Any, ...]], Found]
"""from a kernel, the kinds that an entry point takes or None, and arguments, to its code"""

_finders: list[Finder] = []


def find_code_by(finder: Finder) -> None:
    """Set how the code of kernels is found that Python calls: the library does so, which knows kernels."""
    _finders[:] = [finder]


def kernel(function: Function) -> Function:
    """Let a function run as machine code: no Python objects, no lock held, divisions by zero give inf or nan.

    What it returns is annotated, or it does not compile. Annotated in full, it is an entry point: the library has it for
    exactly that, and Python calls it there. Else the library has it for what other kernels call it with.
    """
    return function if IS_PYTHON else Kernel(function)  # type: ignore[return-value]


def inline_kernel(function: Function) -> Function:
    """Declare a `kernel` whose code is placed inside every kernel that calls it: for leaf kernels."""
    return function if IS_PYTHON else Kernel(function, is_inline=True)  # type: ignore[return-value]


class Kernel:
    """A function and its machine code.

    function: in Python. is_inline: it is placed inside its callers. name: its module and its own.
    """

    def __init__(self, function: Callable[..., Any], *, is_inline: bool = False) -> None:
        functools.update_wrapper(self, function)
        self.function = function
        self.is_inline = is_inline
        self.name = f"{function.__module__}.{function.__qualname__}"
        self._native: Found | None = None

    def __call__(self, *arguments: Any, **named: Any) -> Any:
        """Call it from Python. Raises TypeError where an entry point takes no such arguments."""
        if named:
            arguments = inspect.signature(self.function).bind(*arguments, **named).args
        if self._native is not None:
            return self._native(arguments)
        if self.takes is None:
            return _finders[0](self, None, arguments)(arguments)
        self._native = _finders[0](self, self.takes, arguments)
        return self._native(arguments)

    @cached_property
    def _signature(self) -> tuple[tuple[Kind, ...] | None, Kind | None]:
        return kinds.signature(self.function)

    @property
    def takes(self) -> tuple[Kind, ...] | None:
        """Kinds of the arguments of an entry point, None where the annotations do not say all of them."""
        return self._signature[0]

    @property
    def gives(self) -> Kind | None:
        """The kind of what it returns, None where no annotation says it."""
        return self._signature[1]
